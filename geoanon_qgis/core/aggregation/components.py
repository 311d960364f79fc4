# SPDX-License-Identifier: GPL-2.0-or-later
"""The components of VBAS by name: where sites lie, which regions go together, what it cost.

How many sites there are stands in :data:`.gaps.SITE_NUMBERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part
from ..runtime.wording import Sentence
from . import max_p as pysal
from .adc import MOVES, SearchLog, anonymity_driven_clustering, unguarded
from .boundary import BoundaryLog
from .construction import nearest_sites
from .demands import Demands
from .equivalence_classes import EquivalenceClasses
from .evaluation import measure
from .kmeans import kmeans_sites
from .local_search import TOLERANCE, least_suppression
from .merging import Cost, k_aware, merged_areas, ward
from .neighbours import Neighbours
from .several_starts import OBJECTIVES, STARTS, best_of_starts
from .sites import balanced_density, random_sites


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
        ``iterations`` (of max_p), ``guard`` (which moves of a search may be made), ``objective``
        and ``starts`` (of best).
    demands : Demands
        What areas have to keep, for methods that put regions together; their ``near`` says which
        regions adjoin.
    """

    classes: EquivalenceClasses
    xy: np.ndarray
    sites: int
    k: int
    options: Mapping[str, Any] = field(default_factory=dict)
    demands: Demands = Demands()


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
    start : ((t, 2) array, (n,) int array) or None
        Sites and area of each region that it began with, where demands were kept; for methods
        that begin with nothing what balanced density gives.
    moves : BoundaryLog or None
        Of moves at the borders.
    notes : tuple of Sentence
    begun : str
        Of several starts the one that was best.
    """

    sites: np.ndarray
    area_of_region: np.ndarray | None = None
    log: SearchLog | None = None
    start: tuple[np.ndarray, np.ndarray] | None = None
    moves: BoundaryLog | None = None
    notes: tuple[Sentence, ...] = ()
    begun: str = ""


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
        problem.options.get("guard", unguarded),
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
        problem.options.get("guard", unguarded),
    )
    return Placement(sites, None, log)


def _balanced(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Sites and areas of balanced density, against which others are told."""
    sites = balanced_density(problem.xy, problem.classes.population, problem.sites)
    return sites, nearest_sites(problem.xy, sites)[0]


def _kmeans(problem: Problem, rng: np.random.Generator, progress: Progress) -> Placement:
    start = _balanced(problem)
    sites = kmeans_sites(problem.xy, problem.classes.population, start[0], progress)
    return Placement(sites, start=start)


def _merging(cost: Cost) -> Location:
    def merge(problem: Problem, rng: np.random.Generator, progress: Progress) -> Placement:
        made = merged_areas(
            problem.classes,
            problem.xy,
            _adjoining(problem),
            problem.sites,
            problem.k,
            cost,
            progress,
        )
        return Placement(*made, start=_balanced(problem))

    return merge


def _best(problem: Problem, rng: np.random.Generator, progress: Progress) -> Placement:
    best, reference, begun = best_of_starts(
        problem.classes,
        problem.xy,
        problem.sites,
        problem.k,
        _adjoining(problem),
        problem.demands,
        problem.options.get("objective", OBJECTIVES[0]),
        rng,
        problem.options.get("starts", STARTS),
        problem.options.get("tolerance", TOLERANCE),
        problem.options.get("moves"),
        progress,
    )
    start = reference.sites, reference.area
    return Placement(best.sites, best.area, start=start, begun=begun)


def _adjoining(problem: Problem) -> Neighbours:
    """The regions that adjoin each, with what lies apart joined over the gap."""
    near = problem.demands.near
    if near is None:
        raise InputError("Areas in one piece need to know which regions adjoin.")
    return near.bridged(problem.xy, np.zeros(len(problem.xy), dtype=np.int64))


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
    "kmeans": _kmeans,
    "ward": _merging(ward),
    "k_aware": _merging(k_aware),
    "best": _best,
}
#: Those that join regions that adjoin: see :func:`.within.place_within`.
JOINING = ("ward", "k_aware", "best")


def _voronoi(problem: Problem, placement: Placement, progress: Progress) -> np.ndarray:
    if placement.area_of_region is not None:
        return placement.area_of_region
    return nearest_sites(problem.xy, placement.sites, progress)[0]


#: Component 3: problem, placement, progress -> area of each region, (n,) int array.
CONSTRUCTIONS: dict[str, Callable[[Problem, Placement, Progress], np.ndarray]] = {
    "voronoi": _voronoi
}

#: Component 4: classes, xy, sites, area of each region, areas, distance -> measures.
EVALUATIONS: dict[str, Callable[..., Any]] = {"published": measure}
