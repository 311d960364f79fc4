# SPDX-License-Identifier: GPL-2.0-or-later
"""VBAS: aggregate small areas until records hide among k (Croft et al. 2015).

Four components, each replaceable by name: how many sites (:data:`.gaps.SITE_NUMBERS`), where
they lie, which regions go together and what it cost (:mod:`.components`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, interruptible, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, number_of
from ..space.points import as_points, places
from ..verdict import Evidence
from .adc import SearchLog
from .boundary import BoundaryLog
from .components import CONSTRUCTIONS, EVALUATIONS, JOINING, LOCATIONS, Placement, Problem
from .construction import nearest_sites
from .demands import Demands
from .equivalence_classes import EquivalenceClasses
from .evaluation import Areas, Distance, Measures, check_k, describe_areas
from .gaps import GAPS_MODELS, SITE_NUMBERS, GapsModel, SiteNumber
from .several_starts import OBJECTIVES
from .sites import check_site_number
from .within import place_within


@dataclass(frozen=True, repr=False)
class Aggregation(Summarised):
    """The result of VBAS.

    Attributes
    ----------
    k : int
    sites_by, location : str
        The components that were used.
    number : SiteNumber
        Number of sites that was wanted, and by which entropy or MaxCombs and cutoff.
    sites : (s, 2) array
        In the plane.
    area_of_region : (n,) int array
        Row of each region's site.
    areas : Areas
        Of each site; ``areas.regions`` is 0 for a site that attracted nothing.
    measures : Measures
    log : SearchLog or None
    seconds : dict of str to float
        Running time of placing, of construction and of evaluation.
    notes : tuple of str
        Sentences for the report.
    before : Measures or None
        Of the areas that a search, moves at the borders or the keeping of demands began with.
    moves : BoundaryLog or None
        What moves at the borders did.
    record, area : (m,) int arrays or None
        Rows of the records that may be released, in random order, and the area of each; see
        :func:`.release.released_records`. None where that was not asked for.
    objective : str
        What the best of several starts was chosen by; empty for other locations.
    withheld : (w,) int64 array or None
        Rows of records that are withheld besides, whatever the size of their class.
    """

    k: int
    sites_by: str
    location: str
    number: SiteNumber
    sites: np.ndarray
    area_of_region: np.ndarray
    areas: Areas
    measures: Measures
    log: SearchLog | None
    seconds: dict[str, float]
    notes: tuple[str, ...]
    before: Measures | None = None
    moves: BoundaryLog | None = None
    record: np.ndarray | None = None
    area: np.ndarray | None = None
    objective: str = ""
    withheld: np.ndarray | None = None

    def in_words(self) -> str:
        """Say what hides among how many, and what it costs."""
        found = self.measures
        return (
            f"{number_of(found.areas, 'area', 'areas')} of"
            f" {number_of(found.regions, 'region', 'regions')}: of"
            f" {number_of(found.records, 'record', 'records')}, {found.released:,} can be released,"
            f" each among {self.k:,} or more alike in its area (smallest class"
            f" {found.anonymity:,}),\n{found.suppressed:,} are suppressed"
            f" ({found.suppressed_share:.2%}). Entropy lost: {found.entropy_loss:,.0f} bits."
        )

    @property
    def evidence(self) -> Evidence:
        """Whom an adversary finds among the released records, who knows area and class.

        See :meth:`.Evidence.looked_up`. Classes below k are suppressed, so none of them fails.
        """
        sizes = self.areas.counts.data
        return Evidence.looked_up(sizes[sizes >= self.k], self.k, self.measures.suppressed)


def gaps_model(name: str, a: float | None = None, b: float | None = None) -> GapsModel:
    """The model of a region by name, or a custom one from its two numbers.

    Parameters
    ----------
    name : str
        ``west``, ``central``, ``east`` or ``custom``.
    a, b : float
        For ``custom``.
    """
    if name == "custom":
        if a is None or b is None:
            raise InputError("A GAPS model of your own needs both A and B.")
        return GapsModel(float(a), float(b))
    if name not in GAPS_MODELS:
        raise InputError("There is no GAPS model for {name}.", name=name)
    return GAPS_MODELS[name]


def vbas(
    classes: EquivalenceClasses,
    xy: np.ndarray,
    k: int,
    rng: np.random.Generator,
    sites_by: str = "gaps_maxcombs",
    model: GapsModel | None = None,
    sites: int | None = None,
    location: str = "balanced_density",
    construction: str = "voronoi",
    evaluation: str = "published",
    options: Mapping[str, Any] | None = None,
    distance: Distance | None = None,
    progress: Progress = silent,
    demands: Demands | None = None,
) -> Aggregation:
    """Aggregate regions; records are only counted, see :func:`.release.released_records` for a release.

    Parameters
    ----------
    classes : EquivalenceClasses
        From :class:`~.equivalence_classes.ClassCounter`.
    xy : (n, 2) array
        A point of each region in the plane of :func:`~..space.working_plane`.
    k : int
        Records that a class of an area must hold to be released; 2 or more.
    rng : numpy.random.Generator
    sites_by, location, construction, evaluation : str
        Names of the components.
    model : GapsModel, optional
        For ``gaps_maxcombs`` and ``gaps_entropy``: see :func:`gaps_model`.
    sites : int, optional
        For ``fixed``.
    options : mapping, optional
        See :class:`.components.Problem`.
    distance : callable, optional
        Metres on the ground between places of the plane, row by row, for the compactness:
        :meth:`~..space.Plane.ground_distance`. By default, straight in the plane's units.
    progress : callable
    demands : Demands, optional
        What every area has to keep.

    Returns
    -------
    Aggregation

    Raises
    ------
    InputError
        For k below 2 or above the number of records, unknown names, and more sites asked for
        than there are places of regions; for demands that nobody can keep, or that no areas were
        found to keep.
    """
    check_k(k)
    xy = as_points(xy, Sentence("regions"))
    if len(xy) != classes.counts.shape[0]:
        raise InputError("There are not as many points as regions.")
    if k > classes.records:
        raise InputError(
            "K is {k:,}, but the table has {records} only: all would be suppressed. Give a smaller K.",
            k=k,
            records=number_of(classes.records, "record", "records"),
        )
    for name, known, what in (
        (sites_by, SITE_NUMBERS, Sentence("number of sites")),
        (location, LOCATIONS, Sentence("location")),
        (construction, CONSTRUCTIONS, Sentence("construction")),
        (evaluation, EVALUATIONS, Sentence("evaluation")),
    ):
        if name not in known:
            raise InputError(
                "There is no {what} called {name}; choose from {known}.",
                what=what,
                name=name,
                known=", ".join(known),
            )
    progress(0.0)
    number = SITE_NUMBERS[sites_by](classes, model, sites)
    distinct = len(places(xy).xy)
    if sites_by == "fixed":
        check_site_number(number.sites, distinct)
    problem = Problem(classes, xy, min(number.sites, distinct), int(k), dict(options or {}))
    seconds = {}
    start = time.perf_counter()
    if demands or location in JOINING:
        kept = demands or Demands(near=None if demands is None else demands.near)
        placement = place_within(problem, kept, location, rng, part(progress, 0.0, 0.9))
    else:
        placement = LOCATIONS[location](problem, rng, part(progress, 0.0, 0.9))
    seconds["placing"] = time.perf_counter() - start
    start = time.perf_counter()
    area = CONSTRUCTIONS[construction](problem, placement, part(progress, 0.9, 0.95))
    seconds["construction"] = time.perf_counter() - start
    start = time.perf_counter()
    areas = interruptible(
        lambda: describe_areas(classes, area, len(placement.sites), k), progress, 0.95
    )
    measures = interruptible(
        lambda: EVALUATIONS[evaluation](classes, xy, placement.sites, area, areas, distance),
        progress,
        0.98,
    )
    before = interruptible(
        lambda: _measured_before(classes, xy, k, placement, EVALUATIONS[evaluation], distance),
        progress,
        0.99,
    )
    seconds["evaluation"] = time.perf_counter() - start
    progress(1.0)
    notes = (*_notes(classes, number, distinct, areas), *placement.notes)
    return Aggregation(
        int(k),
        sites_by,
        location,
        number,
        placement.sites,
        area,
        areas,
        measures,
        placement.log,
        seconds,
        notes,
        before,
        placement.moves,
        objective=problem.options.get("objective", OBJECTIVES[0]) if location == "best" else "",
    )


def _measured_before(
    classes: EquivalenceClasses,
    xy: np.ndarray,
    k: int,
    placement: Placement,
    evaluation: Callable[..., Measures],
    distance: Distance | None,
) -> Measures | None:
    """Measure what a search began with; None where nothing was changed after sites were placed."""
    start = placement.start
    if start is None:
        if placement.log is None:
            return None
        start = placement.log.start, nearest_sites(xy, placement.log.start)[0]
    sites, area = start
    areas = describe_areas(classes, area, len(sites), k)
    return evaluation(classes, xy, sites, area, areas, distance)


def compare(
    classes: EquivalenceClasses,
    xy: np.ndarray,
    ks: Iterable[int],
    rng: np.random.Generator,
    sites_by: Iterable[str],
    locations: Iterable[str],
    model: GapsModel | None = None,
    sites: int | None = None,
    options: Mapping[str, Any] | None = None,
    distance: Distance | None = None,
    progress: Progress = silent,
    demands: Demands | None = None,
) -> list[Aggregation]:
    """All combinations of K, site numbers and locations, in this order; see :func:`vbas`.

    Every run begins with a copy of the generator as it is given: all see the same random
    numbers, and those that a single run with such a generator sees.
    """
    jobs = [(k, by, where) for k in ks for by in sites_by for where in locations]
    if not jobs:
        raise InputError("Choose at least one K, one site number and one location to compare.")
    return [
        vbas(
            classes,
            xy,
            k,
            deepcopy(rng),
            by,
            model,
            sites,
            where,
            options=options,
            distance=distance,
            progress=part(progress, at / len(jobs), (at + 1) / len(jobs)),
            demands=demands,
        )
        for at, (k, by, where) in enumerate(jobs)
    ]


def _notes(
    classes: EquivalenceClasses, number: SiteNumber, distinct: int, areas: Areas
) -> tuple[str, ...]:
    notes = []
    if number.sites > distinct:
        notes.append(
            Sentence(
                "The cutoff asks for {sites}; there are as many as places of regions, "
                "{distinct:,}.",
                sites=number_of(number.sites, "site", "sites"),
                distinct=distinct,
            )
        )
    if distinct < len(classes.population):
        more = len(classes.population) - distinct
        notes.append(
            Sentence(
                "{regions} point with another; regions at one point always belong to the same "
                "area.",
                regions=number_of(more, "region shares its", "regions share their"),
            )
        )
    if classes.unknown:
        left = number_of(classes.unknown, "record", "records")
        notes.append(Sentence("{left} of unknown regions left out.", left=left))
    without = int((classes.population == 0).sum())
    if without:
        notes.append(
            Sentence(
                "{regions} no records.", regions=number_of(without, "region has", "regions have")
            )
        )
    nothing = int((areas.regions == 0).sum())
    if nothing:
        attract = number_of(nothing, "site attracts", "sites attract")
        notes.append(Sentence("{attract} no region: no area is made there.", attract=attract))
    return tuple(notes)
