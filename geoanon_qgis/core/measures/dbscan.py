# SPDX-License-Identifier: GPL-2.0-or-later
"""DBSCAN of points in a plane, and whether masked points make the same clusters.

As :func:`geoanon_qgis.core.distances.spatial_statistics.dbscan` does from a matrix, without one.
Nobody's neighbours are listed, which all could be: core points of one cell of a grid belong
together, since it is no wider across than the radius, and of two cells it is enough to know whether
any of their points are near (Gunawan 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..distances.spatial_statistics import NOISE, adjusted_rand_index, in_order
from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, part, shares, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, number_of
from ..space.points import QUERY_ROWS, Places, as_points, build_tree, places
from .matched import in_pairs

#: A record is a core record with so many others within the radius, by default.
OTHERS = 4
#: Pairs of cells with more pairs of points than this are asked by a tree, and how many pairs
#: of points are looked at in one go.
_LARGE, _AT_ONCE = 4_096, 1_000_000
#: Cells beside a cell, of which each pair comes once, that may hold points within the radius.
_BESIDE = [(x, y) for x in range(3) for y in range(-2, 3) if x > 0 or y > 0]


@dataclass(frozen=True, eq=False, repr=False)
class ClustersCompared(Summarised):
    """Density-based clusters before and after.

    Attributes
    ----------
    radius : float
        Within which others count, in the unit of the coordinates; the same for both.
    min_samples : int
        Records within the radius, itself included, that make a core record.
    before, after : (n,) int arrays
        Cluster of each record, from 0; -1 for noise.
    adjusted_rand : float
        Agreement, corrected for chance: 1 for the same clusters. Noise counts as one of them.
    """

    radius: float
    min_samples: int
    before: np.ndarray
    after: np.ndarray
    adjusted_rand: float

    @property
    def clusters(self) -> tuple[int, int]:
        """Number of clusters before and after."""
        return int(self.before.max(initial=-1)) + 1, int(self.after.max(initial=-1)) + 1

    @property
    def noise(self) -> tuple[int, int]:
        """Records in no cluster, before and after."""
        return int((self.before == NOISE).sum()), int((self.after == NOISE).sum())

    def in_words(self) -> str:
        """Say how well they agree."""
        return (
            f"DBSCAN (radius {self.radius:,.4g}, {self.min_samples} records):"
            f" {number_of(self.clusters[0], 'cluster', 'clusters')}, then {self.clusters[1]:,};"
            f" adjusted Rand index {self.adjusted_rand:.3f}."
        )


def compare_clusters(
    original: np.ndarray,
    released: np.ndarray,
    radius: float | None = None,
    min_samples: int = OTHERS + 1,
    progress: Progress = silent,
) -> ClustersCompared:
    """Cluster both patterns and compare.

    Parameters
    ----------
    original, released : (n, 2) arrays
        In one plane, the same records in the same order.
    radius : float, optional
        By default the median distance of the originals to their fourth other record, so that
        about half of them are core records.
    min_samples : int
    progress : callable

    Returns
    -------
    ClustersCompared

    Raises
    ------
    InputError
        If the radius is negative, or points and records do not fit.
    """
    original, released = in_pairs(original, released)
    if radius is None:
        radius = typical_radius(original, progress=part(progress, 0.0, 0.2))
    before = dbscan(original, radius, min_samples, part(progress, 0.2, 0.6))
    after = dbscan(released, radius, min_samples, part(progress, 0.6, 1.0))
    agree = adjusted_rand_index(before, after)
    return ClustersCompared(float(radius), min_samples, before, after, agree)


def typical_radius(xy: np.ndarray, others: int = OTHERS, progress: Progress = silent) -> float:
    """Median distance to the ``others``-th other point; 0 where there are not so many.

    Parameters
    ----------
    xy : (n, 2) array
    others : int
        At least 1.
    progress : callable
    """
    found = places(as_points(xy))
    if found.count.sum() <= others:
        return 0.0
    return float(np.median(_to_nth(found, others, progress)[found.of_point]))


def dbscan(
    xy: np.ndarray, radius: float, min_samples: int = OTHERS + 1, progress: Progress = silent
) -> np.ndarray:
    """Density-based clusters of points.

    A point is a core point if at least ``min_samples``, itself among them, are at most ``radius``
    away. Clusters are the connected components of the core points within ``radius`` of each other.
    Another point within ``radius`` of one goes to the cluster of its nearest core point; of
    several as near, of the one with the smallest x, then y.

    Parameters
    ----------
    xy : (n, 2) array
    radius : float
        0 clusters points at one place.
    min_samples : int
    progress : callable

    Returns
    -------
    (n,) int array
        0, 1, .. in the order of each cluster's first core point; -1 for noise.

    Raises
    ------
    InputError
        If the radius is negative or min_samples below 1.

    References
    ----------
    Ester, Kriegel, Sander & Xu (1996), A density-based algorithm for discovering clusters in
    large spatial databases with noise, KDD-96: 226-231. Gunawan (2013), A faster algorithm for
    DBSCAN, TU Eindhoven.
    """
    if not (np.isfinite(radius) and radius >= 0) or min_samples < 1:
        raise InputError(Sentence("DBSCAN needs a radius of 0 or more and a count of at least 1."))
    found = places(as_points(xy))
    labels = np.full(len(found.xy), NOISE, dtype=np.intp)
    dense = _to_nth(found, min_samples - 1, part(progress, 0.0, 0.3)) <= radius
    core = np.flatnonzero(dense)
    if len(core):
        ahead = part(progress, 0.3, 0.9)
        labels[core] = _components(found.xy[core], radius, ahead) if radius else core
        _join_border(found.xy, labels, core, radius, part(progress, 0.9, 1.0))
    # Clusters are numbered by their core points.
    each, is_core = labels[found.of_point], dense[found.of_point]
    named = in_order(each[is_core])
    number = np.full(len(found.xy) + 1, NOISE, dtype=np.intp)
    number[each[is_core]] = named
    return number[each]


def _to_nth(found: Places, others: int, progress: Progress) -> np.ndarray:
    """Distance of each place to the n-th other point; infinite where there are not so many."""
    away = np.zeros(len(found.xy))
    rows = np.flatnonzero(found.count <= others)
    asked = max(1, min(others + 1, len(found.xy)))
    tree = build_tree(found.xy, part(progress, 0.0, 0.1))
    for some in chunks(len(rows), max(1, QUERY_ROWS // asked), part(progress, 0.1, 1.0)):
        distance, place = tree.query(found.xy[rows[some]], k=np.arange(1, asked + 1))
        summed = np.cumsum(found.count[place], axis=1)
        enough = summed > others
        at = np.argmax(enough, axis=1)
        nth = distance[np.arange(len(at)), at]
        away[rows[some]] = np.where(enough.any(axis=1), nth, np.inf)
    return away


def _components(xy: np.ndarray, radius: float, progress: Progress) -> np.ndarray:
    """Which core points are connected, by cells and pairs of them."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    # A little smaller, so that rounding makes no cell wider across than the radius.
    side = radius / np.sqrt(2) * (1 - 1e-9)
    cells = places(np.floor((xy - xy.min(axis=0)) / side))
    order = np.argsort(cells.of_point, kind="stable")
    one, other = _beside(cells.xy)
    side_by_side = np.abs(cells.xy[one] - cells.xy[other]).sum(axis=1) == 1
    links = _Links(xy[order], np.append(0, np.cumsum(cells.count)), radius)
    group = np.arange(len(cells.xy))
    joined = np.zeros(len(one), dtype=bool)
    # Most are connected by the cells next to them, and need no look at those farther away.
    for rows, ahead in zip((side_by_side, ~side_by_side), shares(progress, 2)):
        apart = np.flatnonzero(rows & (group[one] != group[other]))
        joined[apart] = links.exist(one[apart], other[apart], ahead)
        ends, size = (one[joined], other[joined]), (len(group), len(group))
        graph = csr_matrix((np.ones(len(ends[0])), ends), shape=size)
        group = connected_components(graph, directed=False)[1]
    return group[cells.of_point]


class _Links:
    """Whether cells have points within the radius of each other.

    Parameters
    ----------
    xy : (p, 2) array
        Points, cell by cell.
    first : (c + 1,) int array
        Where those of each cell begin.
    radius : float
    """

    def __init__(self, xy: np.ndarray, first: np.ndarray, radius: float):
        self._xy, self._first, self._radius = xy, first, radius
        self._trees: dict[int, Any] = {}

    def exist(self, one: np.ndarray, other: np.ndarray, progress: Progress) -> np.ndarray:
        """Ask for pairs of cells, (m,) bool."""
        count = np.diff(self._first)
        pairs = count[one] * count[other]
        joined = np.zeros(len(one), dtype=bool)
        small, large = np.flatnonzero(pairs <= _LARGE), np.flatnonzero(pairs > _LARGE)
        summed, start, ahead = np.cumsum(pairs[small]), 0, part(progress, 0.0, 0.5)
        while start < len(small):
            ahead(start / len(small))
            done = summed[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(summed, done + _AT_ONCE, side="right")))
            some = small[start:stop]
            joined[some] = self._by_pairs(one[some], other[some])
            start = stop
        ahead = part(progress, 0.5, 1.0)
        for number, pair in enumerate(large.tolist()):
            ahead(number / len(large))
            fewer, more = sorted((int(one[pair]), int(other[pair])), key=count.__getitem__)
            joined[pair] = self._by_tree(fewer, more)
        return joined

    def _by_pairs(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        wide = np.diff(self._first)[other]
        count = np.diff(self._first)[one] * wide
        pair = np.repeat(np.arange(len(one)), count)
        nth = np.arange(len(pair)) - np.repeat(np.cumsum(count) - count, count)
        a, b = np.divmod(nth, wide[pair])
        gap = self._xy[self._first[one][pair] + a] - self._xy[self._first[other][pair] + b]
        near = np.sqrt(gap[:, 0] ** 2 + gap[:, 1] ** 2) <= self._radius
        return np.bincount(pair, near, minlength=len(one)) > 0

    def _by_tree(self, fewer: int, more: int) -> bool:
        if more not in self._trees:
            self._trees[more] = build_tree(self._of(more))
        return bool(self._trees[more].query(self._of(fewer))[0].min() <= self._radius)

    def _of(self, cell: int) -> np.ndarray:
        return self._xy[self._first[cell] : self._first[cell + 1]]


def _beside(cell: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of cells that hold points and are near enough, each pair once."""
    key = np.empty(len(cell), dtype=np.complex128)
    key.real, key.imag = cell[:, 0], cell[:, 1]  # sorted, by x and then by y
    one, other = [], []
    for x, y in _BESIDE:
        wanted = key + complex(x, y)
        at = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
        there = np.flatnonzero(key[at] == wanted)
        one.append(there)
        other.append(at[there])
    return np.concatenate(one), np.concatenate(other)


def _join_border(
    xy: np.ndarray, labels: np.ndarray, core: np.ndarray, radius: float, progress: Progress
) -> None:
    """Give places that are no core but near one its label."""
    tree = build_tree(xy[core])
    others = np.setdiff1d(np.arange(len(xy)), core)
    asked = min(2, len(core))
    for some in chunks(len(others), QUERY_ROWS, progress):
        rows = others[some]
        distance, nearest = tree.query(xy[rows], k=np.arange(1, asked + 1))
        first, chosen = distance[:, 0], nearest[:, 0]
        for at in np.flatnonzero((distance[:, -1] == first) & (first <= radius)):
            # Places stand in order of x, then y: the first of those as near.
            near = np.sort(tree.query_ball_point(xy[rows[at]], first[at] * (1 + 1e-12)))
            gap = xy[core[near]] - xy[rows[at]]
            away = np.sqrt(gap[:, 0] ** 2 + gap[:, 1] ** 2)
            chosen[at] = near[int(np.argmin(away))]
        good = first <= radius
        labels[rows[good]] = labels[core[chosen[good]]]
