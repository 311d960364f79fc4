# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas that become better region by region: simulated annealing at their borders.

A region at the border of two areas goes to the other one. Moves that make areas better are made;
others are made now and then, the more rarely the worse they are and the longer the search has gone
on (Kirkpatrick, Gelatt and Vecchi 1983), so that it does not end in the first hollow. AZP-SA
(Openshaw and Rao 1995) puts areas together so; what is minimised here are suppressed records.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..runtime import accel
from ..runtime.progress import Progress, silent
from ..runtime.wording import Sentence
from .boundary import centred
from .demands import Demands
from .equivalence_classes import EquivalenceClasses
from .evaluation import aggregate, table_of
from .local_search import spread
from .neighbours import Neighbours

#: Moves tried for each region before the search ends. A map of some hundred regions is searched longer, at
#: the most so much for a region: that takes seconds, and suppresses up to 5 % less. A tiny one has few ways.
MOVES_PER_REGION, _LEAST_MOVES, _MOST_PER_REGION, _PER_PAIR = 400, 500_000, 2_500, 25
#: First and last temperature, as a share of an area's share of what is minimised.
_HOT, _COLD = 0.1, 0.002
#: What is above its limit costs so many times as much as what is minimised.
_PENALTY = 3.0
#: Moves between two looks at the progress, and moves for each region between two looks at the middles.
_BLOCK, _RECENTRED = 4096, 5


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
    is allowed, and no area in one piece is parted. The best areas that were seen are given back.

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
        count, regions = len(sites), len(xy)
        self._classes, self._xy, self._k, self._near = classes, xy, k, near
        self._goal, self._most = goal, float(demands.max_diameter)
        self._area = area.astype(np.int64)
        self._sites = np.array(sites, dtype=np.float64)
        counts = classes.counts
        self._cells = counts.indptr.astype(np.int64), counts.indices, counts.data
        self._table = table_of(
            counts,
            self._area,
            count,
            Sentence("moves at the borders of areas"),
            Sentence("Choose another location of the sites, or fewer quasi-identifiers."),
        )
        self._people = classes.population.astype(np.float64)
        self._records = np.rint(np.bincount(self._area, self._people, count))
        self._members = np.bincount(self._area, minlength=count).astype(np.int64)
        floors = demands.floors
        self._weight = np.array([one.weight for one in floors], float).reshape(-1, regions)
        self._least = np.array([one.least for one in floors], dtype=np.float64)
        held = [one.amounts(self._area, count) for one in floors]
        self._held = np.array(held, float).reshape(-1, count)
        ceiling = demands.ceiling
        self._size = np.zeros(regions) if ceiling is None else ceiling.size.astype(np.float64)
        self._largest = np.inf if ceiling is None else ceiling.limit
        self._measured = np.bincount(self._area, self._size, count)
        # Where the search for pieces writes down whom it has seen, and whom it still has to ask.
        self._seen, self._queue = np.zeros(regions, np.int64), np.empty(regions, np.int64)
        self._tried = 0
        state = state_of(classes, xy, self._sites, self._area, k)
        self.best = self._sites.copy(), self._area.copy(), state
        self._soft = state > goal.limit

    def run(self, rng: np.random.Generator, moves: int, progress: Progress) -> None:
        regions, areas = len(self._xy), len(self._sites)
        unit = self._goal.value(self._goal.scale) / areas
        since = np.inf
        while self._tried < moves and areas > 1:
            done = self._tried / moves
            progress(done)
            if since >= _RECENTRED * regions:
                self._look()
                since = 0
            # A limit that is broken at the start may give way until half of the moves are made.
            soft = self._soft if done < 0.5 else np.zeros(3, dtype=bool)
            size = min(_BLOCK, max(256, _RECENTRED * regions), moves - self._tried)
            draws = rng.random((3, size))
            heat = unit * _HOT * (_COLD / _HOT) ** done
            self._block(draws, heat * -np.log1p(-draws[2]), soft)
            self._tried += size
            since += size
        self._look()
        progress(1.0)

    def _look(self) -> None:
        """Put sites in the middles of their areas, and keep the areas if they are the best so far."""
        self._sites = centred(self._xy, self._sites, self._area)
        self._state = state_of(self._classes, self._xy, self._sites, self._area, self._k)
        if self._goal.better(self._state, self.best[2]):
            self.best = self._sites.copy(), self._area.copy(), self._state.copy()

    def _block(self, draws: np.ndarray, budget: np.ndarray, soft: np.ndarray) -> None:
        goal = self._goal
        _moves_kernel(
            draws[0],
            draws[1],
            budget,
            *self._cells,
            self._table,
            self._area,
            self._xy,
            self._sites,
            self._near.start,
            self._near.other,
            self._people,
            self._records,
            self._members,
            self._weight,
            self._least,
            self._held,
            self._k,
            self._state,
            goal.limit,
            soft,
            goal.weight,
            _PENALTY * goal.value(goal.scale) / goal.scale,
            self._most,
            self._size,
            self._largest,
            self._measured,
            self._seen,
            self._queue,
            self._tried + 1,
        )


@accel.kernel
def _moves_kernel(
    draw,
    draw_goal,
    budget,
    indptr,
    indices,
    data,
    table,
    area,
    xy,
    sites,
    start,
    other,
    people,
    records,
    members,
    weight,
    least,
    held,
    k,
    state,
    limit,
    soft,
    price,
    penalty,
    most,
    size,
    largest,
    measured,
    seen,
    queue,
    stamp,
):
    change = np.zeros(3)
    for turn in range(draw.shape[0]):
        row = int(draw[turn] * area.shape[0])
        near = start[row + 1] - start[row]
        own = area[row]
        if near == 0 or members[own] < 2:
            continue
        goal = area[other[start[row] + int(draw_goal[turn] * near)]]
        if goal == own:
            continue
        count = people[row]
        if count > 0 and records[own] == count:
            continue
        kept = True
        for floor in range(least.shape[0]):
            amount = weight[floor, row]
            if amount > 0 and held[floor, own] - amount < least[floor]:
                kept = False
        if not kept or measured[goal] + size[row] > largest:
            continue
        # What the move would change: records suppressed, distance to sites, n log2 n.
        change[0] = 0.0
        for cell in range(indptr[row], indptr[row + 1]):
            number, more = indices[cell], data[cell]
            here, there = table[own, number], table[goal, number]
            if here < k:
                change[0] -= here
            if there < k:
                change[0] -= there
            if here - more < k:
                change[0] += here - more
            if there + more < k:
                change[0] += there + more
        x, y = xy[row, 0] - sites[goal, 0], xy[row, 1] - sites[goal, 1]
        change[1] = math.sqrt(x * x + y * y)
        x, y = xy[row, 0] - sites[own, 0], xy[row, 1] - sites[own, 1]
        change[1] -= math.sqrt(x * x + y * y)
        change[2] = 0.0
        if count > 0:
            left, grown = records[own] - count, records[goal] + count
            change[2] = left * math.log2(left) + grown * math.log2(grown)
            change[2] -= records[own] * math.log2(records[own])
            if records[goal] > 0:
                change[2] -= records[goal] * math.log2(records[goal])
        cost = 0.0
        for one in range(3):
            cost += price[one] * change[one]
            after = state[one] + change[one]
            if change[one] > 0 and after > limit[one] and not soft[one]:
                kept = False
            if limit[one] < np.inf:
                over = max(0.0, after - limit[one]) - max(0.0, state[one] - limit[one])
                cost += penalty[one] * over
        if not kept or cost > budget[turn]:
            continue
        # The area that is left stays in as many pieces, or in fewer.
        beside, first = 0, -1
        for edge in range(start[row], start[row + 1]):
            if area[other[edge]] == own:
                beside += 1
                first = other[edge]
        if beside > 1:
            mark = stamp + turn
            seen[row] = mark
            seen[first] = mark
            queue[0] = first
            asked, waiting = 0, 1
            while asked < waiting:
                at = queue[asked]
                asked += 1
                for edge in range(start[at], start[at + 1]):
                    one = other[edge]
                    if area[one] == own and seen[one] != mark:
                        seen[one] = mark
                        queue[waiting] = one
                        waiting += 1
            for edge in range(start[row], start[row + 1]):
                if area[other[edge]] == own and seen[other[edge]] != mark:
                    kept = False
        if kept and most < np.inf:
            for one in range(area.shape[0]):
                if area[one] == goal:
                    x, y = xy[row, 0] - xy[one, 0], xy[row, 1] - xy[one, 1]
                    if math.sqrt(x * x + y * y) > most:
                        kept = False
                        break
        if not kept:
            continue
        for cell in range(indptr[row], indptr[row + 1]):
            table[own, indices[cell]] -= data[cell]
            table[goal, indices[cell]] += data[cell]
        records[own] -= count
        records[goal] += count
        members[own] -= 1
        members[goal] += 1
        for floor in range(least.shape[0]):
            held[floor, own] -= weight[floor, row]
            held[floor, goal] += weight[floor, row]
        measured[own] -= size[row]
        measured[goal] += size[row]
        area[row] = goal
        for one in range(3):
            state[one] += change[one]
