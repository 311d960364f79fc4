# SPDX-License-Identifier: GPL-2.0-or-later
"""Adaptive areal elimination: zones that hold too few are merged into their neighbours.

All areas with the least count are merged into the neighbour with which each has the longest border
in common, and so on, until the least count is large enough: Kounadi, O. & Leitner, M. (2016),
Adaptive areal elimination (AAE): a transparent way of disclosing protected spatial datasets,
Computers, Environment and Urban Systems 57. What the paper leaves open is decided here by what is
public, so that anybody merges the same zones, in any order of their rows:

* equally long borders: the neighbour with the smaller count, then the first by the order of
  :func:`in_order`;
* no neighbour (an island): the nearest area, and the result is flagged, for its parts lie apart.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, part, silent
from ..runtime.wording import number_of

#: Borders are measured in steps of at most this part of a typical zone's side. Neighbours whose vertices
#: differ by less still share a border, and sums of whole steps do not depend on their order.
_STEP = 1e-6
_PAIRS = 256


def in_order(shapes: np.ndarray) -> np.ndarray:
    """Order of zones that does not depend on their rows: by their extent, then their vertices.

    Parameters
    ----------
    shapes : (z,) array of shapely polygons
        Normalized.

    Returns
    -------
    (z,) int64 array
    """
    geos = shapely()
    bounds, told = geos.bounds(shapes).tolist(), geos.to_wkb(shapes)
    keys = [(*bound, wkb) for bound, wkb in zip(bounds, told)]
    return np.array(sorted(range(len(shapes)), key=keys.__getitem__), dtype=np.int64)


def border_step(shapes: np.ndarray) -> float:
    """Length in which borders are counted: at most a millionth of the side of a typical zone.

    A power of ten, of which rounded coordinates are multiples: they are measured as they are, and
    zones that are all alike have borders that are equally long.
    """
    side = float(np.sqrt(np.median(shapely().area(shapes))))
    return 10.0 ** int(np.floor(np.log10(_STEP * side)))


def shared_borders(
    shapes: np.ndarray, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Length of the border that zones have in common.

    Parameters
    ----------
    shapes : (z,) array of valid shapely polygons

    Returns
    -------
    one, other : (p,) int64 arrays
        Pairs of neighbours, one < other.
    steps : (p,) int64 array
        Length in whole steps of :func:`border_step`; at least 1. Zones that touch in single points
        are no neighbours.
    """
    geos, step = shapely(), border_step(shapes)
    tree = geos.STRtree(shapes)
    # Vertices that miss each other by less than a step must not make strangers of neighbours.
    one, other = tree.query(shapes, predicate="dwithin", distance=step)
    one, other = (ends[one < other].astype(np.int64) for ends in (one, other))
    order = np.lexsort((other, one))
    one, other = one[order], other[order]
    lines = geos.boundary(shapes)
    steps = np.zeros(len(one), dtype=np.int64)
    for start in range(0, len(one), _PAIRS):
        progress(start / len(one))
        rows = slice(start, start + _PAIRS)
        common = geos.intersection(lines[one[rows]], lines[other[rows]], grid_size=step)
        steps[rows] = np.rint(geos.length(common) / step)
    progress(1.0)
    good = steps > 0
    return one[good], other[good], steps[good]


@dataclass(frozen=True, eq=False)
class Merged:
    """Which zones make an area.

    Attributes
    ----------
    area : (z,) int64 array
        Area of each zone, from 0 without a gap, in the order of their first zones.
    apart : (a,) bool array
        Whether a zone without a neighbour was joined to the area over a gap.
    rounds : int
    """

    area: np.ndarray
    apart: np.ndarray
    rounds: int


def merge_zones(
    shapes: np.ndarray, counts: np.ndarray, least: float, progress: Progress = silent
) -> Merged:
    """Merge zones until each area holds enough.

    Parameters
    ----------
    shapes : (z,) array of valid shapely polygons
        Normalized and in the order of :func:`in_order`.
    counts : (z,) array
        People or addresses in each, from public data.
    least : float
    progress : callable

    Returns
    -------
    Merged

    Raises
    ------
    InputError
        If all zones together hold fewer.
    """
    counts = np.asarray(counts, dtype=np.float64)
    if not (np.isfinite(counts) & (counts >= 0)).all():
        raise InputError(
            "Some zones hold a number that is negative or no finite one; correct those zones or"
            " leave them out."
        )
    if counts.sum() < least:
        raise InputError(
            "All {zones} together hold {total:,.12g}, fewer than the {least:,.12g} that are asked"
            " for in each area.",
            zones=number_of(len(counts), "zone", "zones"),
            total=float(counts.sum()),
            least=least,
        )
    borders: list[dict[int, int]] = [{} for _ in counts]
    found = shared_borders(shapes, part(progress, 0.0, 0.6))
    for one, other, steps in zip(*(some.tolist() for some in found)):
        borders[one][other] = borders[other][one] = steps
    work = _Merging(shapes, counts.tolist(), borders)
    rounds = work.run(least, part(progress, 0.6, 1.0))
    root = np.array([work.root(zone) for zone in range(len(counts))])
    # The first zone of an area is its root only by chance.
    number: dict[int, int] = {}
    area = np.array([number.setdefault(one, len(number)) for one in root.tolist()], dtype=np.int64)
    apart = np.array([work.apart[one] for one in number], dtype=bool)
    progress(1.0)
    return Merged(area, apart, rounds)


@dataclass(eq=False)
class _Merging:
    """Areas that grow. An area is known by one of its zones, its root."""

    shapes: np.ndarray
    count: list[float]
    borders: list[dict[int, int]]
    apart: list[bool] = field(init=False)
    zones: list[list[int]] = field(init=False)
    first: list[int] = field(init=False)
    parent: list[int] = field(init=False)
    step: float = field(init=False)
    _tree: Any = None

    def __post_init__(self) -> None:
        self.apart = [False] * len(self.count)
        self.zones = [[zone] for zone in range(len(self.count))]
        self.first = list(range(len(self.count)))
        self.parent = list(range(len(self.count)))
        self.step = border_step(self.shapes)

    def root(self, zone: int) -> int:
        """Root of the area that a zone is in."""
        while self.parent[zone] != zone:
            self.parent[zone] = self.parent[self.parent[zone]]
            zone = self.parent[zone]
        return zone

    def run(self, least: float, progress: Progress) -> int:
        """Merge until the least count is large enough; return the number of rounds."""
        heap = [(count, zone) for zone, count in enumerate(self.count) if count < least]
        heapq.heapify(heap)
        rounds, many, done = 0, max(len(heap), 1), 0.0
        # One area of all zones may lack what rounding took from the sum of their counts.
        while heap and len(self.zones[self.root(0)]) < len(self.count):
            done = max(done, 1 - len(heap) / many)
            smallest, now = heap[0][0], {}
            while heap and heap[0][0] == smallest:
                zone = heapq.heappop(heap)[1]
                # What was merged meanwhile is another area, or none.
                if self.parent[zone] == zone and self.count[zone] == smallest:
                    progress(done)
                    now[zone] = self._goal(zone, part(progress, done, done))
            # All of a round have chosen before the first is merged.
            grown = [self._join(zone, goal, gap) for zone, (goal, gap) in now.items()]
            for zone in {self.root(one) for one in grown}:
                if self.count[zone] < least:
                    heapq.heappush(heap, (self.count[zone], zone))
            rounds += bool(now)
        return rounds

    def _goal(self, zone: int, progress: Progress) -> tuple[int, bool]:
        """The area that one is merged into, and whether it lies apart."""
        near = self.borders[zone]
        if near:
            return min(near, key=lambda one: (-near[one], *self._rank(one))), False
        return self._nearest(zone, progress), True

    def _rank(self, area: int) -> tuple[float, int]:
        """What decides between areas that are equally good."""
        return self.count[area], self.first[area]

    def _nearest(self, area: int, progress: Progress) -> int:
        """The area nearest to one that has no neighbour."""
        geos = shapely()
        if self._tree is None:
            self._tree = geos.STRtree(self.shapes)
        own = self.shapes[self.zones[area]]
        reach = self.step / _STEP
        while True:
            progress(0.0)
            mine, found = self._tree.query(own, predicate="dwithin", distance=reach)
            there = np.array([self.root(int(one)) for one in found])
            others = there != area
            if others.any():
                break
            reach *= 2
        gap = np.rint(geos.distance(own[mine[others]], self.shapes[found[others]]) / self.step)
        return min((int(one) for one in there[others][gap == gap.min()]), key=self._rank)

    def _join(self, one: int, other: int, over_a_gap: bool) -> int:
        """Make one area of two, and return its root."""
        one, other = self.root(one), self.root(other)
        if one == other:
            self.apart[one] |= over_a_gap
            return one
        # The smaller set of borders goes into the larger.
        if len(self.borders[one]) > len(self.borders[other]):
            one, other = other, one
        self.parent[one] = other
        self.count[other] += self.count[one]
        self.zones[other] += self.zones[one]
        self.first[other] = min(self.first[one], self.first[other])
        self.apart[other] |= self.apart[one] or over_a_gap
        for near, steps in self.borders[one].items():
            del self.borders[near][one]
            if near != other:
                both = self.borders[other].get(near, 0) + steps
                self.borders[other][near] = self.borders[near][other] = both
        self.borders[one], self.zones[one] = {}, []
        return other
