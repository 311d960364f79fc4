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
from functools import partial
from typing import Any

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, part, shares, silent, weighted
from ...space.points import as_points, build_tree
from .turned_in_parts import FURTHER, Triangles, best_of_each, complex_ways, laid

#: Points that are tried, ways of addresses that may be theirs, and of these at once.
_POINTS, _WAYS, _AT_ONCE = 5_000, 2_000_000, 100_000
#: Neighbours of a point; ways of these that an address must have; neighbours of an address among whom
#: they are looked for, for each that a point has on average, and their limits.
_NEIGHBOURS, _SAME = 8, 4
_WIDER, _FEWEST_NEAR, _MOST_NEAR = 2.5, 40, 160
#: How long a way of a point is at the most, as a quantile; metres by which ways may err, since places
#: are rounded; how many pairs of ways may be as alike: of more, fewer points are tried, and none where
#: so few are left.
_LONGEST, _ROUNDED, _ALIKE, _FEWEST_POINTS = 0.9, (0.1, 2.0, 15.0), 5_000_000, 100
#: Fewest points that tell, how many times as many as by chance, and what is added to that for luck.
_FEWEST, _TIMES, _MORE = 10, 4, 3
#: The same of distances, which are alike more often, and metres by which these may err.
_FEWEST_TURNED, _ROUNDED_DISTANCES = 20, (0.3, 2.0)
#: Share of the points whose home was tried that must name one: along streets a fifth do by chance.
_SHARE_TURNED = 0.3
#: Share of those who could be found from which on no more is looked for.
_MOSTLY = 0.9
#: Fewest addresses of strangers that tell what chance names.
_FEWEST_STRANGERS = 20
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
    tried, named, by_chance : int
        Of how many points the address was looked for, how many name one, and how many would by chance:
        the most of what strangers' addresses, the addresses themselves and the reflected map tell.
    """

    points: np.ndarray
    homes: np.ndarray
    turns: np.ndarray
    tried: int
    named: int
    by_chance: int

    @property
    def beyond(self) -> float:
        """Share of the points that name an address and would not by chance."""
        return (self.named - self.by_chance) / self.tried

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
    released: np.ndarray,
    candidates: np.ndarray,
    progress: Progress = silent,
    strangers: np.ndarray | None = None,
) -> PartsMoved | None:
    """Look for parts of a map that were moved.

    Parameters
    ----------
    released : (n, 2) array
        In metres of a plane, each place once.
    candidates : (m, 2) array
        Distinct.
    progress : callable
    strangers : (m,) bool array, optional
        Candidates of whom it is known that nobody of the map lives there: how often these are named,
        others are by chance.

    Returns
    -------
    PartsMoved or None
        None where that is not clear. Of larger maps a sample of points and of addresses is tried.
    """
    released, candidates = as_points(released), as_points(candidates)
    if min(len(released), len(candidates)) <= _NEIGHBOURS:
        return None
    of_ways, of_tree, of_shifted, of_turned = weighted(progress, 1, 1, 15, 15)
    points, ways = interruptible(lambda: _ways(released), of_ways)
    addresses = interruptible(lambda: _Addresses.of(candidates, released, ways), of_tree)
    by_chance = _Chance(candidates, len(released), strangers)
    shifted = _shifted(released[points], ways, addresses, by_chance, of_shifted)
    if addresses.mostly(shifted):
        progress(1.0)
        return shifted
    per_point = len(candidates) / len(released)
    turned = _turned(released[points], ways, addresses, per_point, by_chance, of_turned)
    progress(1.0)
    if turned is None or (shifted is not None and shifted.beyond >= turned.beyond):
        return shifted
    return turned


def _shifted(
    points: np.ndarray,
    ways: np.ndarray,
    addresses: _Addresses,
    chance: _Chance,
    progress: Progress,
) -> PartsMoved | None:
    """Find parts that were shifted, by the ways between their points."""
    found: PartsMoved | None = None
    order = np.random.default_rng(2).permutation(len(points))
    for error, ahead in zip(_ROUNDED, shares(progress, len(_ROUNDED))):
        if addresses.mostly(found):
            break
        of_count, of_named, of_mirrored, of_list, of_elsewhere = weighted(ahead, 1, 4, 4, 1, 4)
        tried = order[: addresses.points_to_try(ways[order], error, of_count)]
        if not len(tried):
            continue
        rows, homes = addresses.named(ways[tried], error, of_named)
        moved = np.hypot(*(points[tried[rows]] - addresses.xy[homes]).T) > _MOVED + error
        rows, homes = tried[rows[moved]], homes[moved]
        by_chance = chance.of_strangers(homes)
        if not _tells(len(rows), len(tried), _FEWEST, by_chance, found):
            continue
        mirrored = addresses.named(ways[tried] * [-1.0, 1.0], error, of_mirrored)[0]
        by_chance = max(by_chance, len(mirrored))
        if not _tells(len(rows), len(tried), _FEWEST, by_chance, found):
            continue
        own, theirs = chance.of_list(len(tried), of_list)
        elsewhere = addresses.named(theirs, error, of_elsewhere, own)[0]
        by_chance = max(by_chance, round(len(elsewhere) * len(tried) / len(own)))
        if _tells(len(rows), len(tried), _FEWEST, by_chance, found):
            unturned = np.broadcast_to(np.eye(2), (len(rows), 2, 2))
            laid = addresses.laid_back(points, rows, homes, unturned, error)
            found = PartsMoved(*laid, len(tried), len(rows), by_chance)
    return found


def _tells(
    named: int, tried: int, fewest: float, by_chance: int, before: PartsMoved | None
) -> bool:
    """Whether surely more points name an address than by chance, and a larger share than before."""
    better = before is None or named - by_chance > before.beyond * tried
    return better and named >= max(fewest, _TIMES * (by_chance + (_MORE if by_chance else 0)))


def _turned(
    points: np.ndarray,
    ways: np.ndarray,
    addresses: _Addresses,
    per_point: float,
    chance: _Chance,
    progress: Progress,
) -> PartsMoved | None:
    """Find parts that were turned or reflected, or are of a few addresses, by their distances."""
    found: PartsMoved | None = None
    order = np.random.default_rng(2).permutation(len(points))
    for error, ahead in zip(_ROUNDED_DISTANCES, shares(progress, len(_ROUNDED_DISTANCES))):
        of_known, of_count, of_named, of_list, of_elsewhere = weighted(ahead, 1, 1, 4, 1, 4)
        known = interruptible(
            partial(Triangles.of, addresses.xy, addresses.tree, per_point, error),
            of_known,
        )
        if found is not None and found.beyond >= _MOSTLY * known.share:
            break
        tried = order[: known.points_to_try(complex_ways(ways[order]), of_count)]
        seen = known.named(complex_ways(ways[tried]), of_named) if len(tried) else None
        if seen is None:
            continue
        away = np.hypot(*(points[tried[seen.rows]] - addresses.xy[seen.homes]).T)
        fewest = max(_FEWEST_TURNED, _SHARE_TURNED * known.share * len(tried))
        sure = {
            least: seen.surely(least) & (away > _MOVED + error)
            for least in FURTHER
            if seen.mostly_surely(least)
        }
        if max((np.count_nonzero(one) for one in sure.values()), default=0) < fewest:
            continue
        own, theirs = chance.of_list(len(tried), of_list)
        elsewhere = known.named(complex_ways(theirs), of_elsewhere, own)
        for least, kept in sure.items():
            named = int(np.count_nonzero(kept))
            so_many = 0 if elsewhere is None else int(np.count_nonzero(elsewhere.surely(least)))
            by_chance = max(
                chance.of_strangers(seen.homes[kept]), round(so_many * len(tried) / len(own))
            )
            if _tells(named, len(tried), fewest, by_chance, found):
                # A row of each matrix is where the way along an axis is laid.
                axes = laid(
                    np.array([[1.0, 1j]]), seen.turn[kept, None], seen.reflected[kept, None]
                )
                turns = np.stack([axes.real, axes.imag], axis=2)
                rows = tried[seen.rows[kept]]
                back = addresses.laid_back(points, rows, seen.homes[kept], turns, error)
                found = PartsMoved(*back, len(tried), named, by_chance)
    return found


class _Chance:
    """How many points would name an address if nobody of them lived at any.

    As many name the addresses of strangers; and as many addresses, taken for points with no more
    neighbours than these have, name others than themselves.
    """

    def __init__(self, addresses: np.ndarray, released: int, strangers: np.ndarray | None):
        self._addresses, self._released, self._strangers = addresses, released, strangers
        self._of_list: tuple[np.ndarray, np.ndarray] | None = None

    def of_strangers(self, homes: np.ndarray) -> int:
        """How many of the points that name these would by chance, 0 if that is not known."""
        if self._strangers is None or np.count_nonzero(self._strangers) < _FEWEST_STRANGERS:
            return 0
        named = np.count_nonzero(self._strangers[homes])
        return round(named / self._strangers.mean())

    def of_list(self, most: int, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Addresses in random order, (k,), and ways to their neighbours, (k, neighbours, 2)."""
        if self._of_list is None:
            self._of_list = interruptible(self._drawn, progress)
        own, ways = self._of_list
        return own[:most], ways[:most]

    def _drawn(self) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(3)
        some = rng.permutation(len(self._addresses))[: self._released]
        points, ways = _ways(self._addresses[some])
        order = rng.permutation(len(points))
        return some[points[order]], ways[order]


def _ways(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A sample of points, and the ways to their neighbours, (k, neighbours, 2)."""
    some = np.sort(np.random.default_rng(0).permutation(len(points))[:_POINTS])
    nearest = build_tree(points).query(points[some], k=_NEIGHBOURS + 1)[1]
    return some, points[nearest[:, 1:]] - points[some][:, None]


@dataclass(frozen=True, eq=False)
class _Addresses:
    """Addresses, those that are tried, and how many of their neighbours how far away are looked at."""

    xy: np.ndarray
    some: np.ndarray
    tree: Any
    near: int
    reach: float

    @staticmethod
    def of(candidates, released, ways) -> _Addresses:
        near = _WIDER * _NEIGHBOURS * len(candidates) / len(released)
        near = min(len(candidates), int(np.clip(near, _FEWEST_NEAR, _MOST_NEAR)))
        return _Addresses(
            candidates,
            np.random.default_rng(1).permutation(len(candidates))[: _WAYS // near],
            build_tree(candidates),
            near,
            float(np.quantile(np.hypot(*ways[:, -1].T), _LONGEST)),
        )

    def mostly(self, found: PartsMoved | None) -> bool:
        """Whether nearly all are found whose addresses are tried."""
        share = len(self.some) / len(self.xy)
        return found is not None and found.beyond >= _MOSTLY * share

    def points_to_try(self, ways: np.ndarray, error: float, progress: Progress) -> int:
        """How many points, in random order, can be tried in bounded time; 0 if too few to tell."""

        def alike() -> int:
            offered = build_tree(self._ways_of(self.some[:lot], error)[1])
            return int(build_tree(ways.reshape(-1, 2)).count_neighbors(offered, error))

        lot = max(1, _AT_ONCE // self.near)
        expected = interruptible(alike, progress) * len(self.some) / min(lot, len(self.some))
        most = int(len(ways) * min(1.0, _ALIKE / max(expected, 1.0)))
        return most if most >= min(_FEWEST_POINTS, len(ways)) else 0

    def named(
        self, ways: np.ndarray, error: float, progress: Progress, own: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Who names an address, and which; ``own`` are those that they may not name."""
        none = np.zeros(0, dtype=np.intp)
        wanted = interruptible(lambda: build_tree(ways.reshape(-1, 2)), progress)
        votes = [(none, none, none)]
        for rows in chunks(len(self.some), max(1, _AT_ONCE // self.near), part(progress, 0.0, 0.9)):
            done = 0.9 * rows.start / len(self.some)
            votes.append(
                interruptible(
                    partial(self._votes, wanted, self.some[rows], error, own),
                    progress,
                    done,
                )
            )
        return interruptible(lambda: _chosen(votes), progress, 0.9)

    def _votes(
        self, wanted: Any, some: np.ndarray, error: float, own: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points, some of the addresses, and in how many ways they are alike."""
        of, offered = self._ways_of(some, error)
        same = wanted.sparse_distance_matrix(build_tree(offered), error, output_type="ndarray")
        point, address, count = _counted(same["i"], of[same["j"]], len(self.xy))
        kept = slice(None) if own is None else own[point] != address
        return point[kept], address[kept], count[kept]

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


def _chosen(
    votes: list[tuple[np.ndarray, np.ndarray, np.ndarray]],
) -> tuple[np.ndarray, np.ndarray]:
    """Points that have one address with enough votes, and that address."""
    point, address, count = (np.concatenate(one) for one in zip(*votes))
    best, next_best = best_of_each(point, count)
    best = best[(count[best] >= _SAME) & (2 * next_best <= count[best])]
    return point[best], address[best]


def _counted(
    way: np.ndarray, address: np.ndarray, addresses: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Point, address, and how many of the point's ways the address has; none of a single one."""
    each = np.unique(way * addresses + address)
    point, address = each // addresses // _NEIGHBOURS, each % addresses
    pair, count = np.unique(point * addresses + address, return_counts=True)
    kept = count > 1
    return pair[kept] // addresses, pair[kept] % addresses, count[kept]
