# SPDX-License-Identifier: GPL-2.0-or-later
"""Which places reach each point, where each may reach a distance of its own.

Compiled where numba is: places lie in the cells of grids, one for those that reach about as far,
and each point looks round itself; what it finds cell by cell is merged. By k-d trees elsewhere. Both
find the same pairs with the same distances in the same order, to the last digit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..runtime import accel
from ..runtime.progress import Progress, chunks, part, silent
from .points import build_tree

#: Pairs that are looked at between two looks at the cancel button, a point with more by itself; and
#: for how many points trees are asked at first, and at most.
_PAIRS, _FIRST, _MOST = 1_000_000, 200, 50_000
#: Points of a sample by which pairs are counted beforehand.
_SAMPLE = 200
#: In one grid no place reaches more than this many times as far as another, but for those that
#: reach least where there would be more grids.
_RATIO, _GRIDS = 4.0, 8
#: Widest grid, in cells: the number of a cell within is exact, its edges are to a millionth.
_CELLS, _EDGE = 2.0**29, 1e-5


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of some points, in a row, with the places that reach them.

    Attributes
    ----------
    start : int
        Row of the first point.
    many : (n,) int64 array
        Pairs of each point.
    place : (p,) int32 array
        Ascending within a point.
    distance : (p,) array
    """

    start: int
    many: np.ndarray
    place: np.ndarray
    distance: np.ndarray


class Reach:
    """Places that reach a distance each, to be asked which of them reach points.

    Parameters
    ----------
    places : (m, 2) array
        Fewer than 2³¹.
    reach : (m,) array
        Finite, in the unit of the coordinates: a point at that distance is reached. Below zero for
        a place that reaches nothing.
    progress : callable
    """

    def __init__(self, places: np.ndarray, reach: np.ndarray, progress: Progress = silent) -> None:
        rows = np.flatnonzero(reach >= 0)
        index = _Grids if accel.enabled() else _Trees
        self._index = index(places, rows, reach[rows], progress) if len(rows) else None

    def lots(self, points: np.ndarray, progress: Progress = silent) -> Iterator[Pairs]:
        """Yield all pairs of points, some points after the other.

        Parameters
        ----------
        points : (n, 2) array
        progress : callable
        """
        if self._index is None:
            yield Pairs(
                0, np.zeros(len(points), dtype=np.int64), np.empty(0, dtype=np.int32), np.empty(0)
            )
        else:
            yield from self._index.lots(points, progress)
        progress(1.0)

    def expected(self, points: np.ndarray) -> int:
        """Estimate how many pairs points have, by a sample of them."""
        if not len(points):
            return 0
        some = np.linspace(0, len(points) - 1, min(_SAMPLE, len(points))).astype(np.intp)
        found = sum(len(one.place) for one in self.lots(points[some]))
        return found * len(points) // len(some)


def _alike(reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lots of places that reach about as far: the lot of each, and the largest reach in each."""
    if reach.min() == reach.max():
        return np.zeros(len(reach), dtype=np.int64), reach[:1]
    power = np.floor(np.log(np.maximum(reach, 1e-300)) / np.log(_RATIO))
    power = np.maximum(power, power.max() + 1 - _GRIDS)
    lot = np.unique(power, return_inverse=True)[1].reshape(-1)
    largest = np.zeros(lot.max() + 1)
    np.maximum.at(largest, lot, reach)
    return lot, largest


class _Trees:
    """The places by k-d trees, one for each lot."""

    def __init__(self, places, rows, reach, progress):
        self.reach, self.count, self.trees = np.zeros(len(places)), len(places), []
        self.reach[rows] = reach
        lot, largest = _alike(reach)
        for number, far in enumerate(largest.tolist()):
            own = rows[lot == number]
            told = part(progress, number / len(largest), (number + 1) / len(largest))
            # Pairs at the very end are decided below, by the same comparison as in a kernel.
            self.trees.append((build_tree(places[own], told), own, far * (1 + 1e-9)))

    def lots(self, points: np.ndarray, progress: Progress) -> Iterator[Pairs]:
        from scipy.sparse import coo_matrix

        start, step = 0, _FIRST
        while start < len(points):
            progress(start / len(points))
            some = points[start : start + step]
            here, parts = build_tree(some), []
            for tree, rows, far in self.trees:
                found = here.sparse_distance_matrix(tree, far, output_type="ndarray")
                place = rows[found["j"]]
                good = found["v"] <= self.reach[place]
                parts.append((found["i"][good], place[good], found["v"][good]))
            point, place, away = (np.concatenate(one) for one in zip(*parts))
            # In order of points and places, without a comparison of all pairs.
            table = coo_matrix((away, (point, place)), (len(some), self.count)).tocsr()
            many = np.diff(table.indptr).astype(np.int64)
            yield Pairs(start, many, table.indices.astype(np.int32, copy=False), table.data)
            start += len(some)
            step = int(np.clip(_PAIRS * len(some) // max(1, len(away)), 1, _MOST))


class _Grids:
    """The places by cells of grids, one for each lot, in one table of hashes."""

    def __init__(self, places, rows, reach, progress):
        lot, largest = _alike(reach)
        self.low = places[rows].min(axis=0)
        span = float((places[rows].max(axis=0) - self.low).max())
        self.size = np.maximum(largest, max(span / _CELLS, 1e-300))
        bits = max(4, int(np.ceil(np.log2(2 * len(rows)))))
        progress(0.1)
        cell = np.floor((places[rows] - self.low) / self.size[lot][:, None]).astype(np.int64)
        key = _key(lot, cell[:, 0], cell[:, 1])
        slot = _slot(lot, cell[:, 0], cell[:, 1], 2**bits - 1)
        progress(0.4)
        self.start = np.zeros(2**bits + 1, dtype=np.int64)
        order = np.empty(len(rows), dtype=np.int64)
        _sort(slot, self.start, order)
        progress(0.7)
        rows, reach, key = rows[order], reach[order], key[order]
        self.row, self.x, self.y = rows.astype(np.int32), places[rows, 0], places[rows, 1]
        self.reach, self.key = reach, key
        progress(1.0)

    def lots(self, points: np.ndarray, progress: Progress) -> Iterator[Pairs]:
        room = np.empty(len(points), dtype=np.int64)
        around = self.low, self.size, self.start
        for rows in chunks(len(points), _MOST, part(progress, 0.0, 0.05)):
            _room(points[rows], *around, room[rows])
        ends = np.cumsum(room)
        told, start, longest = part(progress, 0.05, 1.0), 0, int(room.max(initial=0))
        runs = np.empty(9 * len(self.size) + 1, dtype=np.int64)
        spare = np.empty(longest, dtype=np.int32), np.empty(longest)
        while start < len(points):
            told(start / len(points))
            before = ends[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, before + _PAIRS, side="right")))
            stop = min(stop, start + _MOST)
            most = int(ends[stop - 1] - before)
            place, distance = np.empty(most, dtype=np.int32), np.empty(most)
            many = np.empty(stop - start, dtype=np.int64)
            found = (self.key, self.row, self.x, self.y, self.reach)
            _look(points[start:stop], *around, *found, many, place, distance, runs, *spare)
            total = int(many.sum())
            yield Pairs(start, many, place[:total], distance[:total])
            start = stop


@accel.helper
def _key(lot, column, line):
    # Columns and lines are below 2³⁰, lots below 2³.
    return (lot << 60) | (column << 30) | line


@accel.helper
def _slot(lot, column, line, largest):
    # Numbers below 2³⁰, times primes below 2²⁷: no overflow.
    return ((column * 73_856_093) ^ (line * 19_349_663) ^ (lot * 83_492_791)) & largest


@accel.helper
def _span(at):
    """First and last cell within a side, for the reach of places is no longer; none outside."""
    if not -2.0 < at < _CELLS + 2.0:
        return 1, 0
    return int(max(0.0, np.floor(at - 1.0 - _EDGE))), int(np.floor(at + 1.0 + _EDGE))


@accel.kernel
def _sort(slot, start, order):
    """Count into ``start``, and sort rows by their slots; they stay in order within one."""
    for one in slot:
        start[one + 1] += 1
    for one in range(1, len(start)):
        start[one] += start[one - 1]
    free = start[:-1].copy()
    for row in range(len(slot)):
        order[free[slot[row]]] = row
        free[slot[row]] += 1


@accel.kernel
def _room(points, low, size, start, room):
    """Count the places in the slots round each point: no fewer than reach it."""
    largest = len(start) - 2
    for point in range(len(points)):
        total = 0
        for lot in range(len(size)):
            left, right = _span((points[point, 0] - low[0]) / size[lot])
            below, above = _span((points[point, 1] - low[1]) / size[lot])
            for column in range(left, right + 1):
                for line in range(below, above + 1):
                    slot = _slot(lot, column, line, largest)
                    total += start[slot + 1] - start[slot]
        room[point] = total


@accel.kernel
def _look(
    points, low, size, start, key, row, x, y, reach, many, place, distance, runs, place2, distance2
):
    """Find the places that reach each point, and merge those of its cells."""
    largest = len(start) - 2
    end = 0
    for point in range(len(points)):
        first, count = end, 0
        runs[0] = first
        for lot in range(len(size)):
            left, right = _span((points[point, 0] - low[0]) / size[lot])
            below, above = _span((points[point, 1] - low[1]) / size[lot])
            for column in range(left, right + 1):
                for line in range(below, above + 1):
                    slot, own = _slot(lot, column, line, largest), _key(lot, column, line)
                    for one in range(start[slot], start[slot + 1]):
                        if key[one] == own:
                            gap_x, gap_y = points[point, 0] - x[one], points[point, 1] - y[one]
                            away = np.sqrt(gap_x * gap_x + gap_y * gap_y)
                            if away <= reach[one]:
                                place[end], distance[end] = row[one], away
                                end += 1
                    if end > runs[count]:
                        count += 1
                        runs[count] = end
        many[point] = end - first
        while count > 1:
            # Two neighbouring runs at a time are merged in the spare room and brought back.
            made = 0
            for run in range(0, count - 1, 2):
                a, b, to = runs[run], runs[run + 1], runs[run + 2]
                if place[b - 1] > place[b]:
                    length = b - a
                    for one in range(length):
                        place2[one], distance2[one] = place[a + one], distance[a + one]
                    one, at = 0, a
                    while one < length:
                        if b < to and place[b] < place2[one]:
                            place[at], distance[at] = place[b], distance[b]
                            b += 1
                        else:
                            place[at], distance[at] = place2[one], distance2[one]
                            one += 1
                        at += 1
                made += 1
                runs[made] = to
            if count % 2:
                made += 1
                runs[made] = runs[count]
            count = made
