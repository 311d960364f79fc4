# SPDX-License-Identifier: GPL-2.0-or-later
"""Regions joined two by two to areas: Ward with adjacency, and a merge that looks at records.

Agglomerative: every region begins as an area of its own, and of all pairs of areas that adjoin the
cheapest is joined, until as many are left as are wanted.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from .boundary import centred
from .equivalence_classes import EquivalenceClasses
from .neighbours import Neighbours

#: Joins between two looks at the progress.
_LOOK = 32


class Merge:
    """Areas while they are joined; the costs of pairs read it."""

    def __init__(self, classes: EquivalenceClasses, xy: np.ndarray, near: Neighbours, k: int):
        counts = classes.counts
        self.k = k
        self.middle = np.array(xy, dtype=np.float64)
        self.regions = np.ones(len(xy))
        self.records = classes.population.astype(np.float64)
        self.near = [set(near.of(row).tolist()) for row in range(len(xy))]
        self.into = np.arange(len(xy))
        cells = [slice(*pair) for pair in zip(counts.indptr[:-1], counts.indptr[1:])]
        self.number = [counts.indices[one] for one in cells]
        self.count = [counts.data[one].astype(np.int64) for one in cells]

    def saved(self, one: int, other: int) -> int:
        """How many records fewer are suppressed when two areas are one.

        Only classes that both have can change.
        """
        if len(self.number[one]) > len(self.number[other]):
            one, other = other, one
        mine, theirs = self.number[one], self.number[other]
        if not len(theirs):
            return 0
        at = np.minimum(np.searchsorted(theirs, mine), len(theirs) - 1)
        both = theirs[at] == mine
        here, there = self.count[one][both], self.count[other][at[both]]
        whole, k = here + there, self.k
        return int((here * (here < k) + there * (there < k) - whole * (whole < k)).sum())

    def join(self, one: int, other: int) -> None:
        """Make one area of two."""
        number = np.union1d(self.number[one], self.number[other])
        count = np.zeros(len(number), dtype=np.int64)
        for area in (one, other):
            count[np.searchsorted(number, self.number[area])] += self.count[area]
        self.number[one], self.count[one] = number, count
        self.number[other] = self.count[other] = np.empty(0, dtype=np.int64)
        share = self.regions[one] / (self.regions[one] + self.regions[other])
        self.middle[one] = share * self.middle[one] + (1 - share) * self.middle[other]
        self.regions[one] += self.regions[other]
        self.records[one] += self.records[other]
        for area in self.near[other]:
            self.near[area].discard(other)
            self.near[area].add(one)
        self.near[one] = (self.near[one] | self.near[other]) - {one, other}
        self.near[other] = set()
        self.into[other] = one


def ward(areas: Merge, one: int, other: int) -> float:
    """What the sum of squared distances of regions to the mean of their area grows by (Ward 1963)."""
    weight = areas.regions[one] * areas.regions[other] / (areas.regions[one] + areas.regions[other])
    gap = areas.middle[one] - areas.middle[other]
    return float(weight * (gap @ gap))


def k_aware(areas: Merge, one: int, other: int) -> float:
    """Less the records saved for what they cost in entropy: saved over the root of the bits lost.

    By the records alone one area swallows all others; by the records for each bit pairs that save
    next to nothing are joined first.
    """
    here, there = areas.records[one], areas.records[other]
    whole = here + there
    bits = 0.0
    if here > 0 and there > 0:
        bits = float(here * np.log2(whole / here) + there * np.log2(whole / there))
    return -(areas.saved(one, other) + 1e-9) / np.sqrt(1.0 + bits)


Cost = Callable[[Merge, int, int], float]


def merged_areas(
    classes: EquivalenceClasses,
    xy: np.ndarray,
    near: Neighbours,
    areas: int,
    k: int,
    cost: Cost,
    progress: Progress = silent,
) -> tuple[np.ndarray, np.ndarray]:
    """Join regions that adjoin, the cheapest pair first.

    Of equally cheap pairs that of the first regions is taken.

    Parameters
    ----------
    classes : EquivalenceClasses
    xy : (n, 2) array
        Regions in the plane.
    near : Neighbours
    areas : int
        How many are to be left.
    k : int
    cost : callable
        :func:`ward` or :func:`k_aware`.
    progress : callable

    Returns
    -------
    sites : (areas, 2) array
        In the middles of their areas.
    area : (n,) int array

    Raises
    ------
    InputError
        If fewer regions adjoin than have to be joined.
    """
    work = Merge(classes, xy, near, k)
    count = len(xy)
    version = np.zeros(count, dtype=np.int64)
    waiting: list[tuple[float, int, int, int, int]] = []

    def offer(one: int, other: int) -> None:
        one, other = min(one, other), max(one, other)
        entry = cost(work, one, other), one, other, int(version[one]), int(version[other])
        heapq.heappush(waiting, entry)

    for one in range(count):
        if one % _LOOK == 0:
            progress(0.3 * one / count)
        for other in sorted(work.near[one]):
            if other > one:
                offer(one, other)
    left = count
    while left > areas:
        if not waiting:
            raise InputError(
                "Too few regions adjoin to make {areas:,} areas of them. Have islands joined to the "
                "nearest regions, or ask for {least:,}.",
                areas=areas,
                least=left,
            )
        _, one, other, first, second = heapq.heappop(waiting)
        if version[one] != first or version[other] != second:
            continue
        work.join(one, other)
        version[one] += 1
        version[other] = -1
        left -= 1
        if left % _LOOK == 0:
            progress(0.3 + 0.7 * (count - left) / max(1, count - areas))
        for beside in sorted(work.near[one]):
            offer(one, beside)
    root = np.arange(count)
    while (work.into[root] != root).any():
        root = work.into[root]
    names, area = np.unique(root, return_inverse=True)
    area = area.reshape(-1)
    progress(1.0)
    return centred(xy, work.middle[names], area), area
