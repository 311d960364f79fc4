# SPDX-License-Identifier: GPL-2.0-or-later
"""The best areas of several starts, by what the user wants: the objective."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, shares, silent, weighted
from ..runtime.wording import number_of
from .annealing import Goal, annealed, state_of
from .construction import nearest_sites
from .demands import Demands
from .equivalence_classes import EquivalenceClasses
from .kmeans import drawn_sites, kmeans_sites
from .local_search import check_tolerance, spread
from .merging import k_aware, merged_areas, ward
from .neighbours import Neighbours
from .repairs import Plan
from .sites import balanced_density

#: What can be minimised.
OBJECTIVES = ("suppression", "compactness", "entropy", "weighted")
#: Starts by default: each of :data:`_NAMED` once.
STARTS = 4
#: Measures that may be no worse than balanced density's, by the objective; entropy loss within the
#: tolerance.
HELD = {
    "suppression": ("compactness", "entropy_loss"),
    "compactness": ("suppressed",),
    "entropy": ("suppressed", "compactness"),
    "weighted": ("suppressed", "compactness", "entropy_loss"),
}
_NAMED = ("balanced_density", "kmeans", "ward", "k_aware")
_DRAWN = "drawn"


@dataclass(frozen=True)
class Areas:
    """Sites, and the area of each region by them."""

    sites: np.ndarray
    area: np.ndarray


def goal_of(objective: str, reference: np.ndarray, fixed: float, tolerance: float) -> Goal:
    """What is minimised, and which limits hold, by the areas of balanced density.

    What is not minimised may be no worse than balanced density's: suppression in any case,
    compactness unless it is minimised; entropy loss within the tolerance where records are won.
    Compact areas are of unequal population, so that entropy loss is free where compactness is
    minimised.

    Parameters
    ----------
    objective : str
        One of :data:`OBJECTIVES`.
    reference : (3,) array
        State of balanced density: see :func:`.annealing.state_of`.
    fixed : float
        Sum of n log2 n of the regions, which no areas can change.
    tolerance : float
        Share by which entropy loss may exceed that of balanced density.

    Raises
    ------
    InputError
        For an unknown objective, or a tolerance that is no share.
    """
    check_tolerance(tolerance)
    if objective not in OBJECTIVES:
        raise InputError(
            "There is no objective called {name}; choose from {known}.",
            name=objective,
            known=", ".join(OBJECTIVES),
        )
    lost, length, wide = reference
    loss = wide - fixed
    scale = np.maximum([lost, length, loss], [1.0, 1e-9, 1.0])
    chosen = {
        "suppression": [1.0, 0.0, 0.0],
        "compactness": [0.0, 1.0, 0.0],
        "entropy": [0.0, 0.0, 1.0],
        "weighted": [1 / 3, 1 / 3, 1 / 3],
    }[objective]
    most = {
        "suppressed": lost,
        "compactness": length,
        "entropy_loss": fixed + (1 + tolerance) * loss,
    }
    limit = [most[name] if name in HELD[objective] else np.inf for name in most]
    return Goal(np.array(chosen) / scale, np.array(limit), scale)


def best_of_starts(
    classes: EquivalenceClasses,
    xy: np.ndarray,
    sites: int,
    k: int,
    near: Neighbours,
    demands: Demands,
    objective: str,
    rng: np.random.Generator,
    starts: int = STARTS,
    tolerance: float = 0.0,
    moves: int | None = None,
    progress: Progress = silent,
) -> tuple[Areas, Areas, str]:
    """Begin with areas of several methods, anneal each, and take the best.

    Balanced density, k-means, Ward and the k-aware merge are the first four starts; further ones
    are k-means from sites that are drawn. Areas by which fewer areas are left than by balanced
    density are no candidates: fewer areas suppress less by themselves.

    Parameters
    ----------
    classes : EquivalenceClasses
    xy : (n, 2) array
        Regions in the plane, all at different places.
    sites, k : int
    near : Neighbours
        Every region can be reached from every other.
    demands : Demands
    objective : str
    rng : numpy.random.Generator
    starts : int
    tolerance : float
        See :func:`goal_of`.
    moves : int, optional
        Moves to try from each start; see :func:`.annealing.annealed`.
    progress : callable

    Returns
    -------
    best, reference : Areas
        The reference is what balanced density gives, mended.
    begun : str
        Name of the start that was best.

    Raises
    ------
    InputError
        For an objective, a tolerance or a number of starts that is none, and where no start keeps
        the demands.
    """
    if starts < 1:
        raise InputError("There must be at least one start.")
    made: dict[str, Areas] = {}
    refused: list[InputError] = []
    names = [*_NAMED, *(f"{_DRAWN} {at + 1}" for at in range(starts))][:starts]
    placing, moving = weighted(progress, 1, 3)
    for name, here in zip(names, shares(placing, len(names))):
        try:
            begun = _start(name, classes, xy, sites, k, near, rng, part(here, 0.0, 0.9))
            made[name] = mended(classes, xy, near, demands, begun, part(here, 0.9, 0.9))
        except InputError as error:
            refused.append(error)
    if not made:
        raise refused[0]
    reference = next(iter(made.values()))
    fixed = float(spread(classes.population).sum())
    state = state_of(classes, xy, reference.sites, reference.area, k)
    goal = goal_of(objective, state, fixed, tolerance)
    best, winner = reference, next(iter(made))
    for name, here in zip(made, shares(moving, len(made))):
        found = made[name]
        if len(found.sites) < len(reference.sites):
            here(1.0)
            continue
        moved_sites, area, then = annealed(
            classes, xy, found.sites, found.area, k, near, demands, goal, rng, moves, here
        )
        if goal.better(then, state):
            best, winner, state = Areas(moved_sites, area), name, then
    return best, reference, winner


def _start(
    name: str,
    classes: EquivalenceClasses,
    xy: np.ndarray,
    sites: int,
    k: int,
    near: Neighbours,
    rng: np.random.Generator,
    progress: Progress,
) -> Areas:
    people = classes.population
    if name in ("ward", "k_aware"):
        cost = ward if name == "ward" else k_aware
        return Areas(*merged_areas(classes, xy, near, sites, k, cost, progress))
    placed = (
        drawn_sites(xy, people, sites, rng)
        if name.startswith(_DRAWN)
        else balanced_density(xy, people, sites)
    )
    if name != _NAMED[0]:
        placed = kmeans_sites(xy, people, placed, progress)
    return Areas(placed, nearest_sites(xy, placed)[0])


def mended(
    classes: EquivalenceClasses,
    xy: np.ndarray,
    near: Neighbours,
    demands: Demands,
    areas: Areas,
    progress: Progress = silent,
) -> Areas:
    """Return areas that keep the demands, of areas that need not.

    Raises
    ------
    InputError
        Where none were found.
    """
    plan = Plan(
        xy,
        classes.population,
        demands,
        near if demands.contiguous else None,
        list(areas.sites),
        areas.area.astype(np.int64),
    )
    plan.mend(progress)
    return Areas(*plan.settled())


def told(winners: list[str]) -> Iterator[str]:
    """Say how many parts of the map each start was best in, the most frequent first."""
    for name in sorted(set(winners), key=lambda one: (-winners.count(one), one)):
        yield f"{name} ({number_of(winners.count(name), 'part of the map', 'parts of the map')})"
