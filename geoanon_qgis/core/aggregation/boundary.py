# SPDX-License-Identifier: GPL-2.0-or-later
"""Single regions at the borders of areas go to another area, where fewer records are suppressed.

Areas that are all regions nearest to a site can only be moved as a whole. What is left to gain lies
at their borders: there, a region may go to the area beside, within the same limits as a search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.progress import Progress, silent
from ..runtime.wording import Sentence
from .demands import Demands
from .equivalence_classes import EquivalenceClasses
from .evaluation import table_of
from .local_search import spread
from .neighbours import Neighbours

#: Most rounds over all regions, and the least share by which one has to lower the suppressed.
_ROUNDS, _GAIN = 20, 1e-3
#: Steps to the spatial median.
_STEPS = 20


@dataclass(frozen=True)
class BoundaryLog:
    """What moves at the borders did.

    Attributes
    ----------
    tried, moved : int
        Regions whose move was worked out, and that were moved.
    suppressed : (int, int)
        Records in classes below k before and after.
    """

    tried: int
    moved: int
    suppressed: tuple[int, int]

    def plus(self, other: BoundaryLog) -> BoundaryLog:
        """Return the log of two parts of a map."""
        before, after = (one + two for one, two in zip(self.suppressed, other.suppressed))
        return BoundaryLog(self.tried + other.tried, self.moved + other.moved, (before, after))


@dataclass(frozen=True)
class Limits:
    """What moves may make of two measures.

    Attributes
    ----------
    longest : float
        Sum of the distances of regions to the sites of their areas, in the plane.
    widest : float
        Sum over areas of n log2 n, n being their records.
    """

    longest: float
    widest: float

    @classmethod
    def around(
        cls,
        classes: EquivalenceClasses,
        xy: np.ndarray,
        sites: np.ndarray,
        area: np.ndarray,
        tolerance: float,
    ) -> Limits:
        """Return the limits by areas that a search began with, and its tolerance."""
        fixed = float(spread(classes.population).sum())
        return cls(
            (1 + tolerance) * _compactness(xy, sites, area),
            fixed + (1 + tolerance) * (_spread_of(classes, area, len(sites)) - fixed),
        )


def _compactness(xy: np.ndarray, sites: np.ndarray, area: np.ndarray) -> float:
    return float(_gaps(xy, sites, area).sum())


def _spread_of(classes: EquivalenceClasses, area: np.ndarray, areas: int) -> float:
    return float(spread(np.rint(np.bincount(area, classes.population, areas))).sum())


def boundary_moves(
    classes: EquivalenceClasses,
    xy: np.ndarray,
    sites: np.ndarray,
    area: np.ndarray,
    k: int,
    near: Neighbours,
    demands: Demands,
    limits: Limits,
    progress: Progress = silent,
) -> tuple[np.ndarray, np.ndarray, BoundaryLog]:
    """Move single regions to an area that adjoins them, where fewer records are suppressed in all.

    Rounds over all regions in the order of their rows; each goes where most is gained, if
    anything is. No area loses its last records, or its last region, or breaks a demand; neither
    compactness nor entropy loss exceeds its limit, or what it is where that is more already.

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
    limits : Limits
    progress : callable

    Returns
    -------
    sites : (s, 2) array
        In the middles of their areas, to which regions need not be nearest.
    area : (n,) int array
    log : BoundaryLog

    Raises
    ------
    InputError
        If the table of areas by classes does not fit the memory.
    """
    work = _Moves(classes, xy, sites, area, k, near, demands, limits)
    log = work.run(progress)
    return work.sites, work.area, log


class _Moves:
    def __init__(self, classes, xy, sites, area, k, near, demands, limits):
        self.area = area.copy()
        self._xy, self._k, self._near, self._demands = xy, k, near, demands
        self._counts, self._people = classes.counts, classes.population
        count = len(sites)
        self._table = table_of(
            classes.counts,
            area,
            count,
            Sentence("moves at the borders of areas"),
            Sentence("Do without them, or choose fewer quasi-identifiers."),
        )
        self.sites = sites.copy()
        self._records = np.rint(np.bincount(area, classes.population, count))
        self._members = np.bincount(area, minlength=count)
        self._held = [floor.amounts(area, count) for floor in demands.floors]
        self._length = _compactness(xy, sites, area)
        self._spread = float(spread(self._records).sum())
        self._limits = Limits(max(limits.longest, self._length), max(limits.widest, self._spread))
        self._tried = self._moved = 0

    def run(self, progress: Progress) -> BoundaryLog:
        small = self._table < self._k
        first = before = int(self._table[small].sum())
        for turn in range(_ROUNDS):
            now = before
            self._recentre()
            for row in range(len(self.area)):
                if row % 64 == 0:
                    progress((turn + row / len(self.area)) / _ROUNDS)
                now -= self._visit(row)
            if before - now < max(1.0, _GAIN * before):
                break
            before = now
        return BoundaryLog(self._tried, self._moved, (first, now))

    def _recentre(self) -> None:
        """Put sites in the middle of their areas, which leaves the limit of compactness room."""
        self.sites = centred(self._xy, self.sites, self.area)
        self._length = _compactness(self._xy, self.sites, self.area)

    def _away(self, row: int, area: int) -> float:
        gap = self._xy[row] - self.sites[area]
        return float(np.hypot(gap[0], gap[1]))

    def _visit(self, row: int) -> int:
        """Move a region where that gains most; return what was gained."""
        own = int(self.area[row])
        others = np.unique(self.area[self._near.of(row)])
        others = others[others != own]
        if not len(others) or not self._may_leave(row, own):
            return 0
        self._tried += 1
        cells = slice(self._counts.indptr[row], self._counts.indptr[row + 1])
        number, count = self._counts.indices[cells], self._counts.data[cells]
        gone = self._lost(self._table[own, number], -count)
        gains = np.array(
            [-gone - self._lost(self._table[other, number], count) for other in others]
        )
        for at in np.argsort(-gains, kind="stable"):
            if gains[at] <= 0:
                break
            if self._may_come(row, own, int(others[at])):
                self._move(row, own, int(others[at]), number, count)
                return int(gains[at])
        return 0

    def _lost(self, held: np.ndarray, more: np.ndarray) -> int:
        """How many more records are suppressed in some classes of an area after a change."""
        after = held + more
        return int(
            np.where(after < self._k, after, 0).sum() - np.where(held < self._k, held, 0).sum()
        )

    def _may_leave(self, row: int, own: int) -> bool:
        people = self._people[row]
        if self._members[own] < 2 or (people > 0 and self._records[own] == people):
            return False
        for floor, held in zip(self._demands.floors, self._held):
            weight = floor.weight[row]
            if weight > 0 and held[own] - weight < floor.least:
                return False
        return not self._demands.contiguous or self._near.holds_without(row, self.area)

    def _may_come(self, row: int, own: int, other: int) -> bool:
        longer = self._away(row, other) - self._away(row, own)
        if longer > 0 and self._length + longer > self._limits.longest:
            return False
        wider = self._wider(row, own, other)
        if wider > 0 and self._spread + wider > self._limits.widest:
            return False
        if not self._demands.are_of_extent:
            return True
        return self._demands.allow(self._xy, np.append(np.flatnonzero(self.area == other), row))

    def _wider(self, row: int, own: int, other: int) -> float:
        people, held = self._people[row], self._records[[own, other]]
        return float((spread(held + np.array([-people, people])) - spread(held)).sum())

    def _move(self, row: int, own: int, other: int, number: np.ndarray, count: np.ndarray) -> None:
        self._length += self._away(row, other) - self._away(row, own)
        self._spread += self._wider(row, own, other)
        self._table[own, number] -= count
        self._table[other, number] += count
        self._records[own] -= self._people[row]
        self._records[other] += self._people[row]
        self._members[own] -= 1
        self._members[other] += 1
        for floor, held in zip(self._demands.floors, self._held):
            held[own] -= floor.weight[row]
            held[other] += floor.weight[row]
        self.area[row] = other
        self._moved += 1


def centred(xy: np.ndarray, sites: np.ndarray, area: np.ndarray) -> np.ndarray:
    """Move the site of each area to where the distances of its regions to it add up to least.

    Weiszfeld's steps (1937) to the spatial median; a site stays where none of them is shorter.

    Parameters
    ----------
    xy : (n, 2) array
    sites : (s, 2) array
    area : (n,) int array

    Returns
    -------
    (s, 2) array
    """
    count = len(sites)
    best, at = sites.copy(), sites
    shortest = np.bincount(area, _gaps(xy, sites, area), count)
    for _ in range(_STEPS):
        gap = _gaps(xy, at, area)
        # A region at the site itself would hold it there; so near, it counts as this far.
        weight = 1.0 / np.maximum(gap, 1e-9 * (1.0 + gap.max(initial=0.0)))
        total = np.bincount(area, weight, count)
        with np.errstate(invalid="ignore", divide="ignore"):
            at = np.stack(
                [np.bincount(area, weight * xy[:, axis], count) / total for axis in (0, 1)], axis=1
            )
        at = np.where(total[:, None] > 0, at, sites)
        length = np.bincount(area, _gaps(xy, at, area), count)
        better = length < shortest
        best[better], shortest[better] = at[better], length[better]
    return best


def _gaps(xy: np.ndarray, sites: np.ndarray, area: np.ndarray) -> np.ndarray:
    gap = xy - sites[area]
    return np.hypot(gap[:, 0], gap[:, 1])
