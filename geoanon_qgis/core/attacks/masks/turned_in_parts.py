# SPDX-License-Identifier: GPL-2.0-or-later
"""Points of a map whose parts were turned or reflected, and moved: which address each is of.

The three distances among a point and two of its neighbours are left as they are by any such movement.
Where an address and two of its neighbours have the same, one movement lays them upon each other; so
each point names the address around which such a movement puts further neighbours of it upon addresses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, part
from ...space.points import build_tree
from .at_addresses import AtAddresses

#: Nearest neighbours of a point of which two are compared, and pairs of them.
_OF_NEAREST = 4
_PAIRS = np.array(list(combinations(range(_OF_NEAREST), 2)))
#: Neighbours of an address among whom two are looked for, for each of these; and their limits.
_WIDER, _FEWEST_NEAR, _MOST_NEAR = 1.5, 12, 40
#: Triangles of addresses that are compared, of these at once, and how many in all may be as those of
#: points: of as many points fewer are tried, and none where so few are left.
_TRIANGLES, _AT_ONCE, _ALIKE, _FEWEST_POINTS = 2_000_000, 50_000, 600_000, 150
#: Movements that are tried at once.
_MOVEMENTS = 50_000
#: Further neighbours that must lie at addresses: the fewest is enough where few do by chance.
FURTHER = (1, 2, 3)


@dataclass(frozen=True, eq=False)
class Named:
    """Points that name an address: their rows, addresses, further neighbours there, and the movement.

    ``next_best`` is how many of the neighbours the next best address has; a way ``w`` (a complex
    number) is laid back as ``turn * w``, or as that of its conjugate where it was reflected.
    """

    rows: np.ndarray
    homes: np.ndarray
    further: np.ndarray
    next_best: np.ndarray
    turn: np.ndarray
    reflected: np.ndarray

    def surely(self, least: int) -> np.ndarray:
        """Of which so many neighbours are there, and of no other address more than half as many."""
        return (self.further >= least) & (2 * self.next_best <= self.further)

    def mostly_surely(self, least: int) -> bool:
        """Whether most have as many at one address alone; else one alone is what chance left."""
        return 2 * np.count_nonzero(self.surely(least)) > np.count_nonzero(self.further >= least)


@dataclass(frozen=True, eq=False)
class Triangles:
    """Addresses by the triangles with two of their neighbours.

    Attributes
    ----------
    addresses : (m, 2) array
    at : AtAddresses
    error : float
        Metres by which distances may err.
    some : (t,) int array
        Rows of those that are compared: all, or of large lists a sample in random order.
    near : int
        Neighbours of each.
    """

    addresses: np.ndarray
    at: AtAddresses
    error: float
    some: np.ndarray
    near: int

    @staticmethod
    def of(addresses: np.ndarray, tree: Any, per_point: float, error: float) -> Triangles:
        """Choose them, where there are so many addresses for each point of a map."""
        near = int(np.clip(_WIDER * _OF_NEAREST * per_point, _FEWEST_NEAR, _MOST_NEAR))
        near = min(near, len(addresses) - 1)
        most = _TRIANGLES // (near * (near - 1) // 2)
        some = np.random.default_rng(1).permutation(len(addresses))[:most]
        return Triangles(addresses, AtAddresses.of(addresses, tree, error), error, some, near)

    @property
    def share(self) -> float:
        """Share of the addresses that are compared."""
        return len(self.some) / len(self.addresses)

    def points_to_try(self, ways: np.ndarray, progress: Progress) -> int:
        """How many points can be tried in bounded time, 0 if that is too few to tell.

        Parameters
        ----------
        ways : (k, neighbours) complex array
            Of each point to its neighbours, the nearest first; the points in random order.
        """

        def alike() -> tuple[int, int]:
            wanted, (rows, reach) = (
                build_tree(_sides(*_first_two(ways))),
                (lots[0], self._reach(ways)),
            )
            _, a, b = self._offered(self.some[rows], reach)
            if not len(a):
                return 0, rows.stop
            return int(wanted.count_neighbors(build_tree(_sides(a, b)), self.error)), rows.stop

        lots = list(self._lots())
        found, of = interruptible(alike, progress)
        expected = found * len(self.some) / of
        most = int(len(ways) * min(1.0, _ALIKE / max(expected, 1.0)))
        return most if most >= min(_FEWEST_POINTS, len(ways)) else 0

    def named(
        self, ways: np.ndarray, progress: Progress, own: np.ndarray | None = None
    ) -> Named | None:
        """Find who names an address.

        Parameters
        ----------
        ways : (k, neighbours) complex array
            Of each point to its neighbours, the nearest first.
        progress : callable
        own : (k,) int array, optional
            Rows of the addresses that they may not name.

        Returns
        -------
        Named or None
            None where none does.
        """
        wanted = interruptible(lambda: build_tree(_sides(*_first_two(ways))), progress)
        reach, made = self._reach(ways), []
        for rows in self._lots(part(progress, 0.0, 0.95)):
            done = 0.95 * rows.start / len(self.some)
            pairs = interruptible(partial(self._alike, wanted, rows, reach), progress, done)
            for few in chunks(len(pairs[0]), _MOVEMENTS):
                some = tuple(one[few] for one in pairs)
                made.append(interruptible(partial(self._moved, ways, own, *some), progress, done))
        found = interruptible(
            lambda: _best(*(np.concatenate(one) for one in zip(*made))) if made else None,
            progress,
            0.95,
        )
        progress(1.0)
        return found

    def _lots(self, progress: Progress | None = None) -> Iterator[slice]:
        size = max(1, 2 * _AT_ONCE // (self.near * (self.near - 1)))
        return chunks(len(self.some), size, *(() if progress is None else (progress,)))

    def _reach(self, ways: np.ndarray) -> float:
        return float(np.quantile(np.abs(ways[:, _PAIRS[:, 1]]), 0.95)) + self.error

    def _offered(self, some: np.ndarray, reach: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Addresses, each with the ways to two of its neighbours."""
        one, other = np.array(list(combinations(range(self.near), 2))).T
        away, theirs = self.at.tree.query(self.addresses[some], k=self.near + 1)
        ways = complex_ways(self.addresses[theirs[:, 1:]] - self.addresses[some][:, None])
        row, pair = np.nonzero((away[:, 1:] <= reach)[:, other])
        return some[row], ways[row, one[pair]], ways[row, other[pair]]

    def _alike(self, wanted: Any, rows: slice, reach: float) -> tuple[np.ndarray, ...]:
        """Triangles of points that are as those of some addresses, these, and their two ways."""
        home, a, b = self._offered(self.some[rows], reach)
        if not len(a):
            return np.zeros(0, dtype=np.intp), home, a, b
        offered = build_tree(_sides(a, b))
        same = wanted.sparse_distance_matrix(offered, self.error, output_type="ndarray")
        return same["i"], home[same["j"]], a[same["j"]], b[same["j"]]

    def _moved(self, ways, own, triangle, home, a, b) -> tuple[np.ndarray, ...]:
        """Point, address, further neighbours at addresses and movement of triangles that are alike."""
        point, pair = np.divmod(triangle, len(_PAIRS))
        first, second = ways[point, _PAIRS[pair, 0]], ways[point, _PAIRS[pair, 1]]
        plain = a * first.conj() + b * second.conj()
        mirrored = a * first + b * second
        reflected = np.abs(mirrored) > np.abs(plain)
        turn = np.where(reflected, mirrored, plain)
        kept = np.abs(turn) > 0
        if own is not None:
            kept &= own[point] != home
        point, home, turn, reflected = point[kept], home[kept], turn[kept], reflected[kept]
        turn /= np.abs(turn)
        there = laid(ways[point], turn[:, None], reflected[:, None])
        there += complex_ways(self.addresses[home])[:, None]
        two = _PAIRS[pair[kept]]
        others = np.ones(there.shape, dtype=bool)
        others[np.arange(len(two))[:, None], two] = False
        further = np.zeros(there.shape, dtype=bool)
        further[others] = self.at.lie(there[others])
        count = further.sum(axis=1)
        kept = count > 0
        return point[kept], home[kept], count[kept], turn[kept], reflected[kept]


def complex_ways(ways: np.ndarray) -> np.ndarray:
    """Ways as complex numbers."""
    return ways @ np.array([1.0, 1j])


def laid(ways: np.ndarray, turn: np.ndarray, reflected: np.ndarray) -> np.ndarray:
    """Ways as they were before they were turned and reflected."""
    return turn * np.where(reflected, ways.conj(), ways)


def _first_two(ways: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return ways[:, _PAIRS[:, 0]].ravel(), ways[:, _PAIRS[:, 1]].ravel()


def _sides(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.stack([np.abs(first), np.abs(second), np.abs(first - second)], axis=1)


def _best(point, home, further, turn, reflected) -> Named | None:
    """Of each point the address with most neighbours, and how many the next best has."""
    if not len(point):
        return None
    order = np.lexsort((-further, home, point))
    new = np.append(True, (np.diff(point[order]) != 0) | (np.diff(home[order]) != 0))
    each = order[new]  # the best movement of each point and address
    best, after = best_of_each(point[each], further[each])
    best = each[best]
    return Named(point[best], home[best], further[best], after, turn[best], reflected[best])


def best_of_each(point: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Row of each point's highest count, by points, and the next highest; 0 where there is none."""
    order = np.lexsort((-count, point))
    point, ordered = point[order], count[order]
    first = np.flatnonzero(np.diff(point, prepend=-1))
    after = np.append(ordered, 0)[first + 1]
    after[np.append(point, -1)[first + 1] != point[first]] = 0
    return order[first], after
