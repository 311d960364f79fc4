# SPDX-License-Identifier: GPL-2.0-or-later
"""The k nearest neighbours in any metric that a k-d tree can search approximately."""

from __future__ import annotations

from typing import Callable

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, part, silent
from .points import QUERY_ROWS, build_tree, places


def nearest_by_search(
    points: np.ndarray,
    k: int,
    search_vectors: Callable[[np.ndarray], np.ndarray],
    search_limit: Callable[[np.ndarray], np.ndarray],
    between: Callable[[np.ndarray, np.ndarray], np.ndarray],
    progress: Progress = silent,
) -> tuple[np.ndarray, np.ndarray]:
    """Find candidates with a k-d tree of vectors, then measure and sort them in the metric.

    Parameters
    ----------
    points : (n, 2) array
    k : int
        At least 1.
    search_vectors : callable
        Points to vectors.
    search_limit : callable
        From the Euclidean distance of one vector, the distance beyond which no other can be
        as near in the metric.
    between : callable
        The metric's distances, row by row.
    progress : callable

    Returns
    -------
    indices : (n, min(k, n - 1)) int array
        The nearest first, ties by the lower index, the point itself left out.
    distances : (n, min(k, n - 1)) array
    """
    if k < 1:
        raise InputError("The number of neighbours must be at least 1.")
    k = min(int(k), len(points) - 1)
    if k < 1:
        return np.empty((len(points), 0), dtype=np.intp), np.empty((len(points), 0))
    # Points at one place would fill a leaf of the tree: search among places.
    found = places(points)
    vectors = search_vectors(found.xy)
    tree = build_tree(vectors, part(progress, 0.0, 0.05))
    members = np.argsort(found.of_point, kind="stable")
    first = np.cumsum(found.count) - found.count

    indices = np.empty((len(points), k), dtype=np.intp)
    distances = np.empty((len(points), k))
    # In the order of the tree's leaves, what is near stays in the cache.
    for some in chunks(len(found.xy), max(1, QUERY_ROWS // (k + 3)), part(progress, 0.05, 1.0)):
        asked = tree.indices[some]
        row, candidate = _candidates(tree, vectors[asked], k, search_limit)
        metres = between(found.xy[asked[row]], found.xy[candidate])
        _expand(row, candidate, metres, asked, found, members, first, k, indices, distances)
    return indices, distances


def _candidates(tree, vectors, k, search_limit) -> tuple[np.ndarray, np.ndarray]:
    """Pairs (row, place) that hold the k nearest others of every row, and the row's own."""
    rows, found = [], []
    pending = np.arange(len(vectors))
    # The place itself, k others, and two more to see that those are all.
    asked = k + 3
    while len(pending):
        asked = min(asked, tree.n)
        distance, place = tree.query(vectors[pending], k=asked)
        distance, place = distance.reshape(-1, asked), place.reshape(-1, asked)
        limit = search_limit(distance[:, min(k, asked - 1)])
        complete = (distance[:, -1] > limit) | (asked == tree.n)
        inside = (distance <= limit[:, None]) & complete[:, None]
        at, column = np.nonzero(inside)
        rows.append(pending[at])
        found.append(place[at, column])
        pending = pending[~complete]
        asked *= 2
    return np.concatenate(rows), np.concatenate(found)


def _expand(row, candidate, metres, asked, found, members, first, k, indices, distances) -> None:
    """From places back to points: fill the rows of all points at the places asked about."""
    # Of the points at one place at most k + 1 with the lowest indices can be wanted.
    taken = np.minimum(found.count[candidate], k + 1)
    entry = np.repeat(np.arange(len(row)), taken)
    nth = np.arange(len(entry)) - np.repeat(np.cumsum(taken) - taken, taken)
    point = members[first[candidate[entry]] + nth]
    order = np.lexsort((point, metres[entry], row[entry]))
    point, length, row = point[order], metres[entry][order], row[entry][order]
    starts = np.searchsorted(row, np.arange(len(asked)))
    # Every place has k + 1 entries at least, its own points among them.
    best = starts[:, None] + np.arange(k + 1)
    near, far = point[best], length[best]

    of_place = np.repeat(np.arange(len(asked)), found.count[asked])
    nth = np.arange(len(of_place)) - np.repeat(
        np.cumsum(found.count[asked]) - found.count[asked], found.count[asked]
    )
    own = members[first[asked[of_place]] + nth]
    is_self = near[of_place] == own[:, None]
    # A point beyond the k + 1 lowest indices of its place is none of its own neighbours.
    is_self[~is_self.any(axis=1), k] = True
    keep = ~is_self
    indices[own] = near[of_place][keep].reshape(-1, k)
    distances[own] = far[of_place][keep].reshape(-1, k)
