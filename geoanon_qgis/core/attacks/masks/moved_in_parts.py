# SPDX-License-Identifier: GPL-2.0-or-later
"""A map that was cut into parts, each of which was moved by its own, found by the address list alone.

What points that are near each other share leaves the ways between them as they are, and few addresses
have the same ways to their own neighbours. So each point names the address of which most such ways are
those to its nearest points, if no other has more than half as many; and a map of which as many would be
named if it were reflected tells nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, shares, silent, weighted
from ...space.points import as_points, build_tree

#: Points that are tried, ways of addresses that may be theirs, and of these at once.
_POINTS, _WAYS, _AT_ONCE = 5_000, 2_000_000, 100_000
#: Neighbours of a point; ways of these that an address must have; neighbours of an address among whom
#: they are looked for, for each that a point has on average, and their limits.
_NEIGHBOURS, _SAME = 8, 4
_WIDER, _FEWEST_NEAR, _MOST_NEAR = 2.5, 40, 160
#: How long a way of a point is at the most, as a quantile; metres by which ways may err, since places
#: are rounded; and pairs of ways that may be as alike, of a lot of addresses, before all are alike.
_LONGEST, _ROUNDED, _ALIKE = 0.9, (0.1, 2.0, 15.0), 5_000_000
#: Fewest points that tell, and how many times as many as of the reflected map.
_FEWEST, _TIMES = 10, 4
#: Metres, besides what ways err, from which on a point was moved.
_MOVED = 1.0


@dataclass(frozen=True, eq=False)
class PartsMoved:
    """Points whose part was moved.

    Attributes
    ----------
    points : (k, 2) array
        Those that were tried.
    shifts : (k, 2) array
        By which each was moved, 0 where that is not clear; of those that name no address by themselves
        that of the nearest that does, if an address is there.
    named, by_chance : int
        How many name an address, and how many would if the map were reflected.
    """

    points: np.ndarray
    shifts: np.ndarray
    named: int
    by_chance: int

    def undone(self, xy: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Take off what the nearest of them was moved by, (n, 2)."""
        tree = build_tree(self.points, progress)
        return xy - self.shifts[interruptible(lambda: tree.query(xy)[1], progress)]


def parts_moved(
    released: np.ndarray, candidates: np.ndarray, progress: Progress = silent
) -> PartsMoved | None:
    """Look for parts of a map that were moved.

    Parameters
    ----------
    released : (n, 2) array
        In metres of a plane, each place once.
    candidates : (m, 2) array
        Distinct.
    progress : callable

    Returns
    -------
    PartsMoved or None
        None where that is not clear. Of larger maps a sample of points and of addresses is tried.
    """
    released, candidates = as_points(released), as_points(candidates)
    if min(len(released), len(candidates)) <= _NEIGHBOURS:
        return None
    of_ways, of_tree, *of_each = weighted(progress, 1, 1, *(5 for _ in _ROUNDED))
    some, ways = _ways(released, of_ways)
    addresses = _Addresses.of(candidates, released, ways, of_tree)
    found: PartsMoved | None = None
    for error, ahead in zip(_ROUNDED, of_each):
        of_named, of_chance = shares(ahead, 2)
        rows, homes = addresses.named(ways, error, of_named)
        shifts = released[some[rows]] - candidates[homes]
        moved = np.hypot(*shifts.T) > _MOVED + error
        named = int(np.count_nonzero(moved))
        if named < max(_FEWEST, 0 if found is None else found.named):
            continue
        by_chance = len(addresses.named(ways * [-1.0, 1.0], error, of_chance)[0])
        if named >= _TIMES * by_chance:
            each = addresses.shifts(released[some], rows[moved], shifts[moved], error)
            found = PartsMoved(released[some], each, named, by_chance)
    progress(1.0)
    return found


def _sample(count: int, most: int, seed: int) -> np.ndarray:
    return np.sort(np.random.default_rng(seed).permutation(count)[:most])


def _ways(released: np.ndarray, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
    """Points that are tried, and the ways to their neighbours, (k, neighbours, 2)."""
    some = _sample(len(released), _POINTS, 0)
    nearest = build_tree(released, progress).query(released[some], k=_NEIGHBOURS + 1)[1]
    return some, released[nearest[:, 1:]] - released[some][:, None]


@dataclass(frozen=True, eq=False)
class _Addresses:
    """Addresses, those that are tried, and how many of their neighbours how far away are looked at."""

    xy: np.ndarray
    some: np.ndarray
    tree: Any
    near: int
    reach: float

    @staticmethod
    def of(candidates, released, ways, progress: Progress) -> _Addresses:
        near = _WIDER * _NEIGHBOURS * len(candidates) / len(released)
        near = min(len(candidates), int(np.clip(near, _FEWEST_NEAR, _MOST_NEAR)))
        return _Addresses(
            candidates,
            _sample(len(candidates), _WAYS // near, 1),
            build_tree(candidates, progress),
            near,
            float(np.quantile(np.hypot(*ways[:, -1].T), _LONGEST)),
        )

    def named(
        self, ways: np.ndarray, error: float, progress: Progress
    ) -> tuple[np.ndarray, np.ndarray]:
        """Who names an address, and which."""
        none = np.zeros(0, dtype=np.intp)
        wanted, votes = build_tree(ways.reshape(-1, 2)), [(none, none, none)]
        for rows in chunks(len(self.some), max(1, _AT_ONCE // self.near), progress):
            of, offered = self._ways_of(self.some[rows], error)
            offered = build_tree(offered)
            if wanted.count_neighbors(offered, error) > _ALIKE:
                return none, none
            same = wanted.sparse_distance_matrix(offered, error, output_type="ndarray")
            votes.append(_counted(same["i"], of[same["j"]], len(self.xy)))
        point, address, count = (np.concatenate(one) for one in zip(*votes))
        order = np.lexsort((-count, point))
        point, address, count = point[order], address[order], count[order]
        first = np.flatnonzero(np.diff(point, prepend=-1))
        next_best = np.append(count, 0)[first + 1]
        next_best[np.append(point, -1)[first + 1] != point[first]] = 0
        sure = (count[first] >= _SAME) & (2 * next_best <= count[first])
        return point[first[sure]], address[first[sure]]

    def shifts(
        self, points: np.ndarray, rows: np.ndarray, known: np.ndarray, error: float
    ) -> np.ndarray:
        """Of all points: that of the nearest of which it is known, where that leads to an address."""
        each = known[build_tree(points[rows]).query(points)[1]]
        away = self.tree.query(points - each, distance_upper_bound=error)[0]
        each[~np.isfinite(away)] = 0.0
        each[rows] = known
        return each

    def _ways_of(self, some: np.ndarray, error: float) -> tuple[np.ndarray, np.ndarray]:
        """Ways from some addresses to their neighbours, and from which each is."""
        own = self.xy[some]
        away, theirs = self.tree.query(own, k=self.near, distance_upper_bound=self.reach + error)
        there = np.isfinite(away) & (away > 0)
        each = there.sum(axis=1)
        return np.repeat(some, each), self.xy[theirs[there]] - np.repeat(own, each, axis=0)


def _counted(
    way: np.ndarray, address: np.ndarray, addresses: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Point, address, and how many of the point's ways the address has; none of a single one."""
    each = np.unique(way * addresses + address)
    point, address = each // addresses // _NEIGHBOURS, each % addresses
    pair, count = np.unique(point * addresses + address, return_counts=True)
    kept = count > 1
    return pair[kept] // addresses, pair[kept] % addresses, count[kept]
