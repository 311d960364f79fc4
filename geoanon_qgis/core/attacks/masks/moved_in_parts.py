# SPDX-License-Identifier: GPL-2.0-or-later
"""A map that was cut into parts, each of which was moved by its own, found by the address list alone.

What points that are near each other share leaves the ways between them as they are, and few addresses
have the same ways to their own neighbours. So each point names the address of which most such ways are
those to its nearest points, if no other has more than half as many; and a map of which as many would be
named if it were reflected tells nothing. Parts that were turned or reflected, too, and those of a few
addresses, are found by distances: see :mod:`.turned_in_parts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, shares, silent, weighted
from ...space.points import as_points, build_tree
from . import turned_in_parts as by_distance

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
#: The same of distances, which are alike more often, and metres by which these may err.
_FEWEST_TURNED, _ROUNDED_DISTANCES = 20, (0.3, 2.0)
#: Share of the points whose home was tried that must name one: along streets a fifth do by chance.
_SHARE_TURNED = 0.3
#: Metres, besides what ways err, from which on a point was moved.
_MOVED = 1.0


@dataclass(frozen=True, eq=False)
class PartsMoved:
    """Points whose part was moved, and maybe turned or reflected.

    Attributes
    ----------
    points : (k, 2) array
        Those that were tried.
    homes : (k, 2) array
        Where each is laid back; itself where that is not clear. Those that name no address by
        themselves go with the nearest that does, if an address is there.
    turns : (k, 2, 2) array
        By which ways from each are laid back.
    named, by_chance : int
        How many name an address, and how many would if the map were reflected, or of parts that were
        turned, if each way between points were reflected by itself.
    """

    points: np.ndarray
    homes: np.ndarray
    turns: np.ndarray
    named: int
    by_chance: int

    def undone(self, xy: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Lay places back as the nearest of these points is, (n, 2)."""
        tree = build_tree(self.points, progress)
        near = interruptible(lambda: tree.query(xy)[1], progress)
        made = xy.copy()
        rows = np.flatnonzero((self.homes != self.points).any(axis=1)[near])
        near = near[rows]
        ways = (xy[rows] - self.points[near])[:, None] @ self.turns[near]
        made[rows] = self.homes[near] + ways[:, 0]
        return made


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
    of_ways, of_tree, of_turned, *of_each = weighted(progress, 1, 1, 10, *(5 for _ in _ROUNDED))
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
            own = np.broadcast_to(np.eye(2), (named, 2, 2))
            found = PartsMoved(
                *addresses.laid_back(released[some], rows[moved], homes[moved], own, error),
                named,
                by_chance,
            )
    per_point = len(candidates) / len(released)
    turned = _turned(released[some], ways, addresses, per_point, of_turned)
    progress(1.0)
    if turned is None or (found is not None and found.named >= turned.named):
        return found
    return turned


def _turned(
    points: np.ndarray,
    ways: np.ndarray,
    addresses: _Addresses,
    per_point: float,
    progress: Progress,
) -> PartsMoved | None:
    """Find parts that were turned or reflected, or are of a few addresses, by their distances."""
    own, found = by_distance.complex_ways(ways), None
    tried = by_distance.share_tried(len(addresses.xy), per_point)
    at_least = max(_FEWEST_TURNED, _SHARE_TURNED * tried * len(points))
    for error, ahead in zip(_ROUNDED_DISTANCES, shares(progress, len(_ROUNDED_DISTANCES))):
        steps = shares(ahead, 3)
        known = addresses.xy, addresses.tree, per_point, error
        seen = by_distance.named(own, *known, next(steps))
        if seen is None:
            continue
        away = np.hypot(*(points[seen.rows] - addresses.xy[seen.homes]).T) > _MOVED + error
        sure = {least: seen.surely(least) & away for least in by_distance.FURTHER}
        most = max(np.count_nonzero(one) for one in sure.values())
        if most < max(at_least, 0 if found is None else found.named + 1):
            continue
        mixed = by_distance.with_angles_mixed(own)
        chance = [by_distance.named(one, *known, step) for one, step in zip(mixed, steps)]
        for least, kept in sure.items():
            named = int(np.count_nonzero(kept))
            by_chance = max(
                0 if one is None else int(np.count_nonzero(one.surely(least))) for one in chance
            )
            fewest = max(at_least, 0 if found is None else found.named + 1)
            if named >= max(fewest, _TIMES * by_chance):
                # A row of each matrix is where the way along an axis is laid.
                axes = by_distance.laid(
                    np.array([[1.0, 1j]]), seen.turn[kept, None], seen.reflected[kept, None]
                )
                turns = np.stack([axes.real, axes.imag], axis=2)
                laid = addresses.laid_back(points, seen.rows[kept], seen.homes[kept], turns, error)
                found = PartsMoved(*laid, named, by_chance)
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

    def laid_back(
        self,
        points: np.ndarray,
        rows: np.ndarray,
        homes: np.ndarray,
        turns: np.ndarray,
        error: float,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All points, where each lies laid back, and the turn: of the nearest of which it is known."""
        near = build_tree(points[rows]).query(points)[1]
        ways = ((points - points[rows][near])[:, None] @ turns[near])[:, 0]
        made, turned = self.xy[homes[near]] + ways, turns[near].copy()
        away = self.tree.query(made, distance_upper_bound=error)[0]
        made[~np.isfinite(away)] = points[~np.isfinite(away)]
        turned[~np.isfinite(away)] = np.eye(2)
        made[rows], turned[rows] = self.xy[homes], turns
        return points, made, turned

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
