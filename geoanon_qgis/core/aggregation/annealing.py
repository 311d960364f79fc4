# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas that become better region by region: simulated annealing at their borders.

A region at the border of two areas goes to the other one. Moves that make areas better are made;
others are made now and then, the more rarely the worse they are and the longer the search has gone
on (Kirkpatrick, Gelatt and Vecchi 1983), so that it does not end in the first hollow. AZP-SA
(Openshaw and Rao 1995) puts areas together so; what is minimised here are suppressed records.

Limits have prices (Lagrange's multipliers): what is above its limit becomes dearer while the search goes
on, what is below becomes cheaper, so that areas are found at the limits, from either side. Kept are
only areas within them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.progress import Progress, silent
from .annealing_moves import move
from .annealing_state import ground_of, moving_of, room_of
from .boundary import centred
from .demands import Demands
from .equivalence_classes import EquivalenceClasses
from .evaluation import aggregate
from .local_search import spread
from .neighbours import Neighbours

#: Moves tried for each region before the search ends. A map of some hundred regions is searched longer, at
#: the most so much for a region: that takes seconds. A tiny one has few ways.
MOVES_PER_REGION, _LEAST_MOVES, _MOST_PER_REGION, _PER_PAIR = 400, 1_000_000, 10_000, 50
#: First and last temperature, as a share of what belongs to an area of suppressed records and of spread,
#: and to some regions of distances: what a move changes of each does not go with the regions of an area.
_HOT, _COLD, _SOME = 0.25, 0.01, 5
#: First prices of limits on suppression, distances, spread: as shares of all that is minimised for all of it.
_FIRST = np.array([0.3, 1.0, 1.0])
#: Prices of limits change by a factor of e to so much at the most during the search, go with how many
#: times a limit is missed, and stay within a factor of their first ones.
_DEARER, _MISSED, _FURTHEST = 10.0, 50.0, 100.0
#: Moves between two looks at the progress and the prices, at the least, for each region, at the most.
_FEWEST, _LOOK, _BLOCK = 256, 5, 2048
#: Sums of many moves may be off in their last digits: limits are this much tighter while moves are made.
_DIGITS = 1e-9
#: A state before any is within the limits.
_WORST = 1e300


@dataclass(frozen=True)
class Goal:
    """What is minimised, and what may not be exceeded; each of suppression, compactness, spread.

    Attributes
    ----------
    weight : (3,) array
        What a record suppressed, a unit of distance and a bit of spread cost.
    limit : (3,) array
        Most suppressed records, distance and spread; infinite for any.
    scale : (3,) array
        What is large of each, by which excesses are weighed.
    """

    weight: np.ndarray
    limit: np.ndarray
    scale: np.ndarray

    def value(self, state: np.ndarray) -> float:
        """What is minimised."""
        return float(self.weight @ state)

    def excess(self, state: np.ndarray) -> float:
        """How far a state is above the limits, 0 for not at all."""
        return float((np.maximum(state - self.limit * (1 + 1e-12), 0.0) / self.scale).sum())

    def better(self, one: np.ndarray, other: np.ndarray) -> bool:
        """Whether a state is better than another: nearer to the limits first, then cheaper."""
        return (self.excess(one), self.value(one)) < (self.excess(other), self.value(other))


def state_of(
    classes: EquivalenceClasses, xy: np.ndarray, sites: np.ndarray, area: np.ndarray, k: int
) -> np.ndarray:
    """Suppressed records, sum of distances of regions to sites, and sum of n log2 n of areas."""
    total = aggregate(classes.counts, area, len(sites)).data
    gap = np.asarray(xy) - np.asarray(sites)[area]
    records = np.rint(np.bincount(area, classes.population, len(sites)))
    return np.array(
        [total[total < k].sum(), np.hypot(gap[:, 0], gap[:, 1]).sum(), spread(records).sum()]
    )


def annealed(
    classes: EquivalenceClasses,
    xy: np.ndarray,
    sites: np.ndarray,
    area: np.ndarray,
    k: int,
    near: Neighbours,
    demands: Demands,
    goal: Goal,
    rng: np.random.Generator,
    moves: int | None = None,
    progress: Progress = silent,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Move regions between areas that adjoin until the goal is reached as well as can be.

    No area loses its last region or its last records, falls below a floor or becomes wider than
    is allowed, and no area in one piece is parted. As many areas are left as there were, but those of
    one or two regions may go to the area beside, and others begin elsewhere. The best areas that were
    seen are given back.

    Parameters
    ----------
    classes : EquivalenceClasses
    xy : (n, 2) array
        Regions in the plane.
    sites : (s, 2) array
    area : (n,) int array
        Row of each region's site.
    k : int
    near : Neighbours
    demands : Demands
        The areas that it begins with keep them.
    goal : Goal
    rng : numpy.random.Generator
    moves : int, optional
        Moves to try; :data:`MOVES_PER_REGION` for each region by default, and more on small maps.
    progress : callable

    Returns
    -------
    sites : (s, 2) array
        In the middles of their areas.
    area : (n,) int array
    state : (3,) array
        See :func:`state_of`.

    Raises
    ------
    InputError
        If the table of areas by classes does not fit the memory.
    """
    if moves is None:
        count = len(xy)
        more = min(_MOST_PER_REGION, _PER_PAIR * count) * count
        moves = max(MOVES_PER_REGION * count, min(more, _LEAST_MOVES))
    work = _Annealing(classes, xy, sites, area, k, near, demands, goal)
    work.run(rng, moves, progress)
    return work.best


class _Annealing:
    def __init__(
        self,
        classes: EquivalenceClasses,
        xy: np.ndarray,
        sites: np.ndarray,
        area: np.ndarray,
        k: int,
        near: Neighbours,
        demands: Demands,
        goal: Goal,
    ):
        self._classes, self._xy, self._k, self._goal = classes, xy, k, goal
        state = state_of(classes, xy, sites, area, k)
        self.best = np.array(sites, dtype=np.float64), area.astype(np.int64), state
        self._ground = ground_of(classes, xy, k, near, demands)
        self._moving = moving_of(classes, self._ground, *self.best, demands)
        self._room = room_of(classes)
        self._limit = goal.limit * (1 - _DIGITS)
        if goal.excess(state) > 0:
            self._moving.best_state[:] = _WORST

    def run(self, rng: np.random.Generator, moves: int, progress: Progress) -> None:
        goal, areas = self._goal, len(self._moving.sites)
        usual_change = goal.value(goal.scale / [areas, max(areas, len(self._xy) / _SOME), areas])
        first = np.where(np.isfinite(goal.limit), _FIRST * goal.value(goal.scale) / goal.scale, 0.0)
        dearer = first.copy()
        usual = min(_BLOCK, max(_FEWEST, _LOOK * len(self._xy)))
        step = _DEARER / max(1.0, moves / usual)
        tried = 0
        while tried < moves and areas > 1:
            done = tried / moves
            progress(done)
            size = min(usual, moves - tried)
            draws = rng.random((4, size))
            heat = usual_change * _HOT * (_COLD / _HOT) ** done
            move(
                draws[:3],
                heat * -np.log1p(-draws[3]),
                self._ground,
                self._moving,
                self._room,
                goal.weight,
                self._limit,
                goal.weight + dearer,
                tried + 1,
            )
            tried += size
            missed = np.where(first > 0, (self._moving.state - goal.limit) / goal.scale, 0.0)
            dearer *= np.exp(step * np.clip(_MISSED * missed, -1.0, 1.0))
            dearer = np.clip(dearer, first / _FURTHEST, first * _FURTHEST)
        self._keep()
        progress(1.0)

    def _keep(self) -> None:
        """Keep the best areas that were seen, if they are better than those at the start."""
        if self._moving.best_state[0] == _WORST:
            return
        area = self._moving.best_area
        sites = centred(self._xy, self._moving.best_sites, area)
        state = state_of(self._classes, self._xy, sites, area, self._k)
        if self._goal.better(state, self.best[2]):
            self.best = sites, area, state
