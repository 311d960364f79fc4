# SPDX-License-Identifier: GPL-2.0-or-later
"""Points of a map whose parts were turned or reflected, and moved: which address each is of.

The three distances among a point and two of its neighbours are left as they are by any such movement.
Where an address and two of its neighbours have the same, one movement lays them upon each other; so
each point names the address around which such a movement puts further neighbours of it upon addresses.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible
from ...space.points import build_tree

#: Nearest neighbours of a point of which two are compared, and pairs of them.
_OF_NEAREST = 4
_PAIRS = np.array(list(combinations(range(_OF_NEAREST), 2)))
#: Neighbours of an address among whom two are looked for, for each of these; and their limits.
_WIDER, _FEWEST_NEAR, _MOST_NEAR = 2.5, 12, 40
#: Triangles of addresses that are compared, and of these at once; and pairs that may be as alike, for
#: each triangle of a point, before all are alike, as along streets.
_TRIANGLES, _AT_ONCE, _ALIKE = 2_000_000, 50_000, 100
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
        """Of which so many neighbours are there, and of no other address more than half as many.

        None where most have as many at several addresses: then one alone is what chance left.
        """
        enough = self.further >= least
        sure = enough & (2 * self.next_best <= self.further)
        return sure & (2 * np.count_nonzero(sure) > np.count_nonzero(enough))


def complex_ways(ways: np.ndarray) -> np.ndarray:
    """Ways as complex numbers."""
    return ways @ np.array([1.0, 1j])


def with_angles_mixed(ways: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ways as long as they were, whose angles to each other are not.

    Each is reflected by another of the axes, which leaves a lattice one; or of those along which the
    neighbours lie, which leaves a street one. What is named then is named by chance.
    """
    along = np.sqrt((ways**2).sum(axis=1, keepdims=True))
    along = np.where(np.abs(along) > 0, along, 1.0)
    along /= np.abs(along)
    kinds = np.arange(ways.shape[1]) % 4

    def mixed(ways: np.ndarray) -> np.ndarray:
        return np.choose(kinds, [ways, ways.conj(), -ways, -ways.conj()])

    return mixed(ways), mixed(ways * along.conj()) * along


def named(
    ways: np.ndarray,
    addresses: np.ndarray,
    tree: Any,
    per_point: float,
    error: float,
    progress: Progress,
) -> Named | None:
    """Find who names an address.

    Parameters
    ----------
    ways : (k, neighbours) complex array
        Of each point to its neighbours, the nearest first.
    addresses : (m, 2) array
    tree : cKDTree
        Of these.
    per_point : float
        Addresses for each point of the map.
    error : float
        Metres by which distances may err.
    progress : callable

    Returns
    -------
    Named or None
        None where none does, or too much is alike.
    """
    first, second = ways[:, _PAIRS[:, 0]].ravel(), ways[:, _PAIRS[:, 1]].ravel()
    wanted = build_tree(_sides(first, second))
    near = _near(len(addresses), per_point)
    one, other = np.array(list(combinations(range(near), 2))).T
    some = np.random.default_rng(1).permutation(len(addresses))[: _TRIANGLES // len(one)]
    reach = np.quantile(np.abs(second), 0.95) + error
    made, alike = [], 0
    for rows in chunks(len(some), max(1, _AT_ONCE // len(one)), progress):
        away, theirs = tree.query(addresses[some[rows]], k=near + 1)
        theirs = complex_ways(addresses[theirs[:, 1:]] - addresses[some[rows]][:, None])
        at, pair = np.nonzero((away[:, 1:] <= reach)[:, other])
        a, b = theirs[at, one[pair]], theirs[at, other[pair]]
        if not len(a):
            continue
        offered = build_tree(_sides(a, b))
        alike += wanted.count_neighbors(offered, error)
        if alike > _ALIKE * len(first):
            return None
        same = wanted.sparse_distance_matrix(offered, error, output_type="ndarray")
        i, j = same["i"], same["j"]
        plain = a[j] * first[i].conj() + b[j] * second[i].conj()
        mirrored = a[j] * first[i] + b[j] * second[i]
        reflected = np.abs(mirrored) > np.abs(plain)
        turn = np.where(reflected, mirrored, plain)
        kept = np.abs(turn) > 0
        point, home = i[kept] // len(_PAIRS), some[rows][at[j[kept]]]
        turn, reflected = turn[kept] / np.abs(turn[kept]), reflected[kept]
        further = np.zeros(len(point), dtype=np.intp)
        for few in chunks(len(point), _AT_ONCE // 4):
            theirs = laid(ways[point[few]], turn[few, None], reflected[few, None])
            there = addresses[home[few]][:, None] + np.stack([theirs.real, theirs.imag], axis=2)
            there = there.reshape(-1, 2)
            gaps = interruptible(
                lambda there=there: tree.query(there, distance_upper_bound=error)[0], progress
            )
            further[few] = np.isfinite(gaps).reshape(theirs.shape).sum(axis=1) - 2
        kept = further > 0
        made.append([part[kept] for part in (point, home, further, turn, reflected)])
    if not made:
        return None
    return _best(*(np.concatenate(part) for part in zip(*made)))


def share_tried(addresses: int, per_point: float) -> float:
    """Share of the addresses that are tried: all but of large lists."""
    near = _near(addresses, per_point)
    return min(1.0, _TRIANGLES // (near * (near - 1) // 2) / addresses)


def _near(addresses: int, per_point: float) -> int:
    near = int(np.clip(_WIDER * _OF_NEAREST * per_point, _FEWEST_NEAR, _MOST_NEAR))
    return min(near, addresses - 1)


def laid(ways: np.ndarray, turn: np.ndarray, reflected: np.ndarray) -> np.ndarray:
    """Ways as they were before they were turned and reflected."""
    return turn * np.where(reflected, ways.conj(), ways)


def _sides(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.stack([np.abs(first), np.abs(second), np.abs(first - second)], axis=1)


def _best(point, home, further, turn, reflected) -> Named | None:
    """Of each point the address with most neighbours, and how many the next best has."""
    if not len(point):
        return None
    order = np.lexsort((-further, home, point))
    new = np.append(True, (np.diff(point[order]) != 0) | (np.diff(home[order]) != 0))
    each = order[new]  # the best movement of each point and address
    each = each[np.lexsort((-further[each], point[each]))]
    first = np.flatnonzero(np.diff(point[each], prepend=-1))
    after = np.append(further[each], 0)[first + 1]
    after[np.append(point[each], -1)[first + 1] != point[each[first]]] = 0
    best = each[first]
    return Named(point[best], home[best], further[best], after, turn[best], reflected[best])
