# SPDX-License-Identifier: GPL-2.0-or-later
"""VBAS: aggregate small areas until records hide among k (Croft et al. 2015).

Four components, each replaceable by name: how many sites (:data:`.gaps.SITE_NUMBERS`), where
(:data:`LOCATIONS`), which regions go together (:data:`CONSTRUCTIONS`) and what it cost
(:data:`EVALUATIONS`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, number_of
from ..space.points import as_points, places
from ..verdict import Evidence
from . import max_p as pysal
from .adc import MOVES, SearchLog, anonymity_driven_clustering
from .construction import nearest_sites
from .equivalence_classes import EquivalenceClasses
from .evaluation import Areas, Distance, Measures, check_k, describe_areas, measure
from .gaps import GAPS_MODELS, SITE_NUMBERS, GapsModel, SiteNumber
from .local_search import TOLERANCE, least_suppression
from .sites import balanced_density, check_site_number, random_sites

#: Cells of areas by classes that a table of bytes is made for.
_DENSE = 2**28
_ROWS = 1 << 20


@dataclass(frozen=True)
class Problem:
    """What a location method is given.

    Attributes
    ----------
    classes : EquivalenceClasses
    xy : (n, 2) array
        Regions in the plane.
    sites : int
        How many to place, at most the different places of the regions.
    k : int
    options : mapping
        What single methods take besides: ``seeding`` (name of the location method whose sites
        a search begins with), ``moves`` (most to try), ``tolerance`` (of least_suppression),
        ``iterations`` (of max_p).
    """

    classes: EquivalenceClasses
    xy: np.ndarray
    sites: int
    k: int
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Placement:
    """What a location method gives.

    Attributes
    ----------
    sites : (s, 2) array
        In the plane.
    area_of_region : (n,) int array or None
        For methods that put regions together themselves; None to have a construction do it.
    log : SearchLog or None
        Of a search.
    """

    sites: np.ndarray
    area_of_region: np.ndarray | None = None
    log: SearchLog | None = None


Location = Callable[[Problem, np.random.Generator, Progress], Placement]


def _random(problem: Problem, rng: np.random.Generator, progress: Progress) -> Placement:
    return Placement(random_sites(problem.xy, problem.sites, rng))


def _balanced_density(problem: Problem, rng: np.random.Generator, progress: Progress) -> Placement:
    population = problem.classes.population
    return Placement(balanced_density(problem.xy, population, problem.sites))


def _seeds(problem: Problem, rng: np.random.Generator, progress: Progress) -> np.ndarray:
    name = problem.options.get("seeding", "balanced_density")
    if name not in LOCATIONS:
        raise InputError("There is no way of placing sites called {name}.", name=name)
    # A search that another begins with begins itself with balanced density.
    options = {**problem.options, "seeding": "balanced_density"}
    return LOCATIONS[name](replace(problem, options=options), rng, progress).sites


def _adc(problem: Problem, rng: np.random.Generator, progress: Progress) -> Placement:
    seeds = _seeds(problem, rng, part(progress, 0.0, 0.05))
    sites, log = anonymity_driven_clustering(
        problem.classes,
        problem.xy,
        seeds,
        problem.k,
        problem.options.get("moves", MOVES),
        part(progress, 0.05, 1.0),
    )
    return Placement(sites, None, log)


def _least_suppression(problem: Problem, rng: np.random.Generator, progress: Progress) -> Placement:
    seeds = _seeds(problem, rng, part(progress, 0.0, 0.05))
    sites, log = least_suppression(
        problem.classes,
        problem.xy,
        seeds,
        problem.k,
        rng,
        problem.options.get("moves"),
        problem.options.get("tolerance", TOLERANCE),
        part(progress, 0.05, 1.0),
    )
    return Placement(sites, None, log)


def _max_p(problem: Problem, rng: np.random.Generator, progress: Progress) -> Placement:
    threshold = problem.classes.records / problem.sites
    area = pysal.max_p_regions(
        problem.xy,
        problem.classes.population,
        threshold,
        rng,
        problem.options.get("iterations", pysal.ITERATIONS),
        progress,
    )
    return Placement(pysal.medians(problem.xy, area), area)


#: Component 2, replaceable by name.
LOCATIONS: dict[str, Location] = {
    "balanced_density": _balanced_density,
    "adc": _adc,
    "random": _random,
    "least_suppression": _least_suppression,
    "max_p": _max_p,
}


def _voronoi(problem: Problem, placement: Placement, progress: Progress) -> np.ndarray:
    if placement.area_of_region is not None:
        return placement.area_of_region
    return nearest_sites(problem.xy, placement.sites, progress)[0]


#: Component 3: problem, placement, progress -> area of each region, (n,) int array.
CONSTRUCTIONS: dict[str, Callable[[Problem, Placement, Progress], np.ndarray]] = {
    "voronoi": _voronoi,
}

#: Component 4: classes, xy, sites, area of each region, areas, distance -> measures.
EVALUATIONS: dict[str, Callable[..., Any]] = {"published": measure}


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
    record, area : (m,) int arrays or None
        Rows of the records that may be released, in random order, and the area of each; see
        :func:`released_records`. None where that was not asked for.
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
    record: np.ndarray | None = None
    area: np.ndarray | None = None

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
) -> Aggregation:
    """Aggregate regions; records are only counted, see :func:`released_records` for a release.

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
        See :class:`Problem`.
    distance : callable, optional
        Metres on the ground between places of the plane, row by row, for the compactness:
        :meth:`~..space.Plane.ground_distance`. By default, straight in the plane's units.
    progress : callable

    Returns
    -------
    Aggregation

    Raises
    ------
    InputError
        For k below 2 or above the number of records, unknown names, and more sites asked for
        than there are places of regions.
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
    seconds["evaluation"] = time.perf_counter() - start
    progress(1.0)
    notes = _notes(classes, number, distinct, areas)
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
    )


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
        )
        for at, (k, by, where) in enumerate(jobs)
    ]


def released_records(
    classes: EquivalenceClasses,
    aggregation: Aggregation,
    rng: np.random.Generator | None = None,
    progress: Progress = silent,
) -> tuple[np.ndarray, np.ndarray]:
    """Which records may be released, and in which area.

    Parameters
    ----------
    classes : EquivalenceClasses
    aggregation : Aggregation
    rng : numpy.random.Generator, optional
        Shuffles the rows: a release must not keep the order of the input. None keeps it, for
        those who write in chunks of the input and shuffle later.

    Returns
    -------
    record : (m,) int64 array
        Rows of the input; those suppressed and those of an unknown region are not among them.
    area : (m,) int32 array
        The area of each.
    """
    record = np.flatnonzero(release_mask(classes, aggregation, part(progress, 0.0, 0.5)))
    if rng is not None:
        interruptible(lambda: rng.shuffle(record), progress, 0.5)
    area = aggregation.area_of_region.astype(np.int32)[classes.record_region[record]]
    return record, area


def release_mask(
    classes: EquivalenceClasses,
    aggregation: Aggregation,
    progress: Progress = silent,
    most_cells: int = _DENSE,
) -> np.ndarray:
    """Whether each record of the input is released, (n,) bool.

    They are looked up in a table of so many cells at most; in a larger one they are searched.
    """
    counts = aggregation.areas.counts
    area_of_region = aggregation.area_of_region
    width = counts.shape[1]
    row = np.repeat(np.arange(counts.shape[0], dtype=np.int64), np.diff(counts.indptr))
    kept_cells = row * width + counts.indices
    kept_cells = kept_cells[counts.data >= aggregation.k]
    kept = np.zeros(len(classes.record_region), dtype=bool)
    # One look into a table for each record where it fits, a search otherwise.
    dense = counts.shape[0] * width <= most_cells
    table = np.zeros(counts.shape[0] * width if dense else 0, dtype=bool)
    if dense:
        table[kept_cells] = True
    for rows in chunks(len(kept), _ROWS, progress):
        region = classes.record_region[rows]
        known = region >= 0
        cell = area_of_region[region].astype(np.int64) * width
        cell += classes.record_class[rows]
        if dense:
            kept[rows] = known & table[np.where(known, cell, 0)]
        elif len(kept_cells):
            at = np.minimum(np.searchsorted(kept_cells, cell), len(kept_cells) - 1)
            kept[rows] = known & (kept_cells[at] == cell)
    return kept


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
