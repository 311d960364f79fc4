# SPDX-License-Identifier: GPL-2.0-or-later
"""Questions to true and released distances that never need the true matrix as a whole.

Points are in the metric's own coordinates here. Throughout, d is the true and d~ the released
distance of a pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Callable

import numpy as np

from ..runtime.progress import Progress, chunks, part, silent
from ..space.metrics import Geodesic, Metric
from ..space.points import euclidean
from ..space.spheres import unit_vectors
from .matrix import DistanceMatrix, condensed_size

#: Distances computed in one call: at most a tenth of a second, for geodesics too.
_PAIRS = 32_768
#: Distances that are cheap, computed in one call.
_ROWS_AT_ONCE = 1 << 19
#: Released distances looked at in one block of rows.
_BLOCK = 1 << 20


@dataclass(frozen=True, eq=False)
class PairSample:
    """Pairs i < j with their true and released distances, in the unit of the matrix."""

    i: np.ndarray
    j: np.ndarray
    true: np.ndarray
    released: np.ndarray


def sample_pairs(
    points: np.ndarray,
    metric: Metric,
    matrix: DistanceMatrix,
    unit_length: float,
    most: int,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> PairSample:
    """Take all pairs, or a random sample of about ``most``, with both distances.

    ``points`` are in the metric's own coordinates.
    """
    i, j = draw_pairs(len(matrix), most, rng)
    true = between(points, metric, i, j, progress)
    return PairSample(i, j, true / unit_length, matrix.pairs(i, j))


def draw_pairs(n: int, most: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Indices i < j of all pairs of ``n`` records, or of a random sample of about ``most``.

    The sample is stratified: one pair from each of ``most`` runs of the condensed order, so
    that every record takes part about as often and the pairs come in the order of memory.
    """
    total = condensed_size(n)
    if total <= most:
        place = np.arange(total, dtype=np.int64)
    else:
        within = (np.arange(most) + rng.random(most)) * (total / most)
        place = np.unique(np.minimum(within.astype(np.int64), total - 1))
    i = np.arange(n, dtype=np.int64)
    start = i * (2 * n - i - 1) // 2
    row = np.searchsorted(start[: max(n - 1, 0)], place, side="right") - 1
    return row, place - start[row] + row + 1


def between(
    points: np.ndarray, metric: Metric, i: np.ndarray, j: np.ndarray, progress: Progress = silent
) -> np.ndarray:
    """True distances of pairs of points, in the metric's coordinates and unit."""
    distance = np.empty(len(i))
    for rows in chunks(len(i), _PAIRS, progress):
        distance[rows] = metric.between(points[i[rows]], points[j[rows]])
    return distance


def spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Rank correlation, ties at their average rank; NaN where one side is all alike."""
    if len(first) < 2:
        return float("nan")
    from scipy.stats import rankdata

    return correlation(rankdata(first), rankdata(second))


def correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Pearson's correlation; NaN where one side is all alike."""
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return float("nan")
    a, b = first - first.mean(), second - second.mean()
    return float(np.clip(a @ b / np.sqrt((a @ a) * (b @ b)), -1.0, 1.0))


def neighbours_kept(
    points: np.ndarray,
    metric: Metric,
    matrix: DistanceMatrix,
    counts: Sequence[int],
    progress: Progress = silent,
    reach: np.ndarray | None = None,
    at_once: int = _BLOCK,
) -> tuple[float, ...]:
    """Mean share of each record's k nearest in the release that are truly among its k nearest.

    Ties in the release are taken at random, and what is returned is the expectation of that;
    everyone as near as the truly k-th nearest counts as right. A matrix of the true distances
    so keeps all whatever the ties, and one of zeros as few as chance does.

    Parameters
    ----------
    points : (n, 2) array
        In the metric's own coordinates.
    counts : sequence of int
        Values of k, ascending, below n.
    reach : (n, max(counts)) array, optional
        True distances to the nearest others, ascending, where they are known already.
    at_once : int
        Pairs in memory at a time.

    Returns
    -------
    tuple of float
        For each k; NaN where there are fewer than two records.
    """
    n, most = len(points), counts[-1]
    if n < 2:
        return tuple(float("nan") for _ in counts)
    if reach is None:
        reach = true_reach(points, metric, most, part(progress, 0, 0.4))
        progress = part(progress, 0.4, 1.0)
    right = np.zeros(len(counts))
    for rows in chunks(n, max(1, at_once // n), progress):
        here = np.arange(rows.stop - rows.start)
        released = matrix.rows(rows.start, rows.stop)
        released[here, here + rows.start] = np.inf
        if most == 1:
            last = released.min(axis=1, keepdims=True)
        else:
            last = np.partition(released, [k - 1 for k in counts], axis=1)
            last = last[:, [k - 1 for k in counts]]
        record, other = np.nonzero(released <= last[:, -1:])
        value = released[record, other]
        true = between(points, metric, record + rows.start, other)
        for which, k in enumerate(counts):
            limit = last[record, which]
            nearer, tied = value < limit, value == limit
            left = k - np.bincount(record[nearer], minlength=len(here))
            chance = (
                nearer
                + tied
                * (left / np.maximum(np.bincount(record[tied], minlength=len(here)), 1))[record]
            )
            right[which] += chance[true <= reach[record + rows.start, k - 1]].sum() / k
    return tuple(float(share) for share in np.minimum(right / n, 1.0))


def true_reach(
    points: np.ndarray, metric: Metric, count: int, progress: Progress = silent
) -> np.ndarray:
    """Distance within which a record's 1, 2, .., ``count`` nearest lie, (n, count).

    With room for the numerical error of two distances, so that ties stay ties.
    """
    reach = metric.nearest_neighbours(points, count, progress)[1]
    return reach * (1 + 1e-12) + 2 * metric.slack_at(points)


def max_violation(
    points: np.ndarray,
    metric: Metric,
    matrix: DistanceMatrix,
    unit_length: float = 1.0,
    progress: Progress = silent,
    at_once: int = _ROWS_AT_ONCE,
) -> float:
    """Largest d~ - d over all pairs, in the matrix's unit.

    Zero where no d~ exceeds d by more than the numerical error of a distance
    (:meth:`.Metric.slack_at`), since d and d~ are both computed.

    Parameters
    ----------
    points : (n, 2) array
        In the metric's own coordinates.
    """
    n, condensed = len(points), matrix.condensed
    least = _least_distances(points, metric)
    worst, start = 0.0, 0
    for rows in chunks(n, max(1, at_once // max(n, 1)), progress):
        at_least = least(rows, slice(rows.start, n))
        suspects = []
        for row, bound in enumerate(at_least):
            # A row right of the diagonal is one run of the condensed form.
            bound = bound[row + 1 :]
            released = condensed[start : start + len(bound)] * unit_length
            start += len(bound)
            if metric.name != "geodesic":
                worst = max(worst, float((released - bound).max(initial=0.0)))
                continue
            other = np.flatnonzero(released > bound + worst)
            i = rows.start + row
            suspects.append((np.full(len(other), i), i + 1 + other, released[other]))
        if suspects:
            i, j, released = (np.concatenate(one) for one in zip(*suspects))
            reached = rows.start / n
            true = between(points, metric, i, j, part(progress, reached, reached))
            worst = max(worst, float((released - true).max(initial=0.0)))
    return worst / unit_length if worst > metric.slack_at(points) else 0.0


def _least_distances(points: np.ndarray, metric: Metric) -> Callable[[slice, slice], np.ndarray]:
    """Lower bounds of distances between some rows and others: the distances, if they are cheap.

    No path on the ellipsoid is shorter than the straight line through the Earth, nor than the
    polar axis times the angle on the auxiliary sphere (see :class:`..space.metrics.Geodesic`). Up to
    some hundred kilometres the line falls short by less than a thousandth.
    """
    if not isinstance(metric, Geodesic):
        return lambda rows, others: metric.rows(points[rows], points[others])
    on_sphere = unit_vectors(points, metric.b / metric.a)
    in_space = on_sphere * (metric.a, metric.a, metric.b)

    def bounds(rows: slice, others: slice) -> np.ndarray:
        angle = 2 * np.arcsin(np.minimum(euclidean(on_sphere[rows], on_sphere[others]) / 2, 1.0))
        angle *= min(metric.a, metric.b)
        return np.maximum(angle, euclidean(in_space[rows], in_space[others])) - metric.slack

    return bounds
