# SPDX-License-Identifier: GPL-2.0-or-later
"""Least squared distances between points and sets of points, in two or three dimensions.

The inner loops of the Lipschitz embedding. Compiled or not, each pair is computed by the same
operations in the same order, and taking the least is exact: the results are the same bits.
"""

from __future__ import annotations

import numpy as np

from ..runtime import accel

#: Points that NumPy works on at a time.
_NUMPY_CACHED = 8192
#: Pairs in a block of work, tens of milliseconds, compiled or not; and points at most.
_BLOCK, _POINTS = 20_000_000, 65_536


@accel.helper
def _gap_in_plane(x, y, to):
    dx = x - to[0]
    dy = y - to[1]
    return dx * dx + dy * dy


@accel.helper
def _gap_in_space(x, y, z, to):
    dx = x - to[0]
    dy = y - to[1]
    dz = z - to[2]
    return dx * dx + dy * dy + dz * dz


@accel.kernel
def _least_in_plane(x, y, sets, out):
    for s in range(sets.shape[0]):
        for start in range(0, x.shape[0], 512):
            best = out[s, start : start + 512]
            best[:] = np.inf
            px, py = x[start : start + 512], y[start : start + 512]
            for j in range(sets.shape[1]):
                to = (sets[s, j, 0], sets[s, j, 1])
                for p in range(best.shape[0]):
                    gap = _gap_in_plane(px[p], py[p], to)
                    least = best[p]
                    best[p] = gap if gap < least else least


@accel.kernel
def _least_in_space(x, y, z, sets, out):
    for s in range(sets.shape[0]):
        for start in range(0, x.shape[0], 512):
            best = out[s, start : start + 512]
            best[:] = np.inf
            px, py, pz = x[start : start + 512], y[start : start + 512], z[start : start + 512]
            for j in range(sets.shape[1]):
                to = (sets[s, j, 0], sets[s, j, 1], sets[s, j, 2])
                for p in range(best.shape[0]):
                    gap = _gap_in_space(px[p], py[p], pz[p], to)
                    least = best[p]
                    best[p] = gap if gap < least else least


@accel.kernel
def _two_least_in_space(x, y, z, sets, out, second, index):
    for s in range(sets.shape[0]):
        for start in range(0, x.shape[0], 512):
            best = out[s, start : start + 512]
            next_best = second[s, start : start + 512]
            which = index[s, start : start + 512]
            best[:] = np.inf
            next_best[:] = np.inf
            which[:] = 0
            px, py, pz = x[start : start + 512], y[start : start + 512], z[start : start + 512]
            for j in range(sets.shape[1]):
                to = (sets[s, j, 0], sets[s, j, 1], sets[s, j, 2])
                for p in range(best.shape[0]):
                    gap = _gap_in_space(px[p], py[p], pz[p], to)
                    least = best[p]
                    other = least if gap < least else gap
                    following = next_best[p]
                    next_best[p] = other if other < following else following
                    which[p] = j if gap < least else which[p]
                    best[p] = gap if gap < least else least


def set_blocks(
    shape: tuple[int, ...], points: int, results: int | None = None
) -> list[tuple[slice, slice]]:
    """Cover d sets of k and n points by blocks of work of at most so many results."""
    d, k = shape[:2]
    rows = max(1, min(points, _POINTS, _BLOCK // k))
    some = max(1, _BLOCK // (rows * k))
    if results:
        rows = min(rows, results)
        some = max(1, min(some, results // rows))
    return [
        (slice(s, min(s + some, d)), slice(p, min(p + rows, points)))
        for s in range(0, d, some)
        for p in range(0, points, rows)
    ]


def least_squares(points: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Squared distance of every point to the nearest member of every set.

    Parameters
    ----------
    points : (n, 2) or (n, 3) array
    sets : (d, k, 2) or (d, k, 3) array

    Returns
    -------
    (d, n) array
    """
    columns = np.ascontiguousarray(points.T)
    sets = np.ascontiguousarray(sets)
    out = np.empty((len(sets), len(points)))
    if accel.enabled():
        (_least_in_plane if len(columns) == 2 else _least_in_space)(*columns, sets, out)
        return out
    for start in range(0, len(points), _NUMPY_CACHED):
        part = columns[:, start : start + _NUMPY_CACHED]
        for s, members in enumerate(sets):
            best = out[s, start : start + _NUMPY_CACHED]
            best.fill(np.inf)
            for member in members:
                np.minimum(best, _squared(part, member), out=best)
    return out


def two_least_squares(
    points: np.ndarray, sets: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same in space, with the second least and the member at which the least is attained.

    Parameters
    ----------
    points : (n, 3) array
    sets : (d, k, 3) array

    Returns
    -------
    least, second : (d, n) arrays
        The second is infinite where a set has one member.
    member : (d, n) int array
        The first of several at the least distance.
    """
    columns = np.ascontiguousarray(points.T)
    sets = np.ascontiguousarray(sets)
    shape = (len(sets), len(points))
    least, second, member = np.empty(shape), np.empty(shape), np.empty(shape, dtype=np.int64)
    if accel.enabled():
        _two_least_in_space(*columns, sets, least, second, member)
        return least, second, member
    for start in range(0, len(points), _NUMPY_CACHED):
        rows = slice(start, start + _NUMPY_CACHED)
        for s, members in enumerate(sets):
            best = np.full(len(columns[0, rows]), np.inf)
            following, which = best.copy(), np.zeros(len(best), dtype=np.int64)
            for j, reference in enumerate(members):
                gap = _squared(columns[:, rows], reference)
                nearer = gap < best
                np.minimum(following, np.where(nearer, best, gap), out=following)
                which[nearer] = j
                np.minimum(best, gap, out=best)
            least[s, rows], second[s, rows], member[s, rows] = best, following, which
    return least, second, member


def _squared(columns: np.ndarray, to: np.ndarray) -> np.ndarray:
    total = columns[0] - to[0]
    total *= total
    for axis in range(1, len(columns)):
        gap = columns[axis] - to[axis]
        gap *= gap
        total += gap
    return total
