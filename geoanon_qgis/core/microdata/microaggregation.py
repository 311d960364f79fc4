# SPDX-License-Identifier: GPL-2.0-or-later
"""Microaggregation: records are replaced by the mean of k that are alike (MDAV).

Domingo-Ferrer, J. and Torra, V. (2005). Ordinal, continuous and heterogeneous k-anonymity through
microaggregation. Data Mining and Knowledge Discovery 11(2), 195-212, algorithm MDAV-generic.
"""

from __future__ import annotations

import numpy as np

from ..runtime.progress import Progress, silent
from .matrices import as_matrix
from .spectral import check_k

#: From this share of records left on, those that are grouped are taken out of what is looked at.
_SPARSE = 0.8


def mdav(matrix: np.ndarray, k: int, progress: Progress = silent) -> tuple[np.ndarray, np.ndarray]:
    """Replace groups of k to 2 k - 1 similar records by their mean.

    As long as 3 k records are left, the one farthest from their mean is grouped with the k - 1
    nearest to it, and then the one farthest from that with those nearest to it; of 2 k and more
    that are left, one more group is made so, and what is left is the last.

    Parameters
    ----------
    matrix : (n, m) array
        A coded table.
    k : int
        Fewest records in a group.
    progress : callable
        Told a fraction; may raise to cancel.

    Returns
    -------
    result : (n, m) array
        Row i is the mean of the group of record i.
    group : (n,) int array
        The group of each record, 0, 1, ...

    Raises
    ------
    InputError
        If k is below 2, or there are fewer than 2 k records.

    Notes
    -----
    Its time grows with the square of the records: 2 n² / k distances are taken.
    """
    matrix = as_matrix(matrix)
    n = len(matrix)
    check_k(k, n)
    left = _Left(matrix)
    group = np.empty(n, dtype=np.intp)
    count = 0
    while left.count >= 2 * k:
        progress(1 - (left.count / n) ** 2)
        first = left.farthest(left.mean())
        several = left.count >= 3 * k
        taken = [left.take_nearest(first, k)]
        if several:
            taken.append(left.take_nearest(left.farthest(first), k))
        for rows in taken:
            group[rows] = count
            count += 1
    if left.count:
        group[left.rest()] = count
        count += 1
    result = np.empty_like(matrix)
    size = np.bincount(group)
    for column in range(matrix.shape[1]):
        mean = np.bincount(group, weights=matrix[:, column]) / size
        result[:, column] = mean[group]
    progress(1.0)
    return result, group


class _Left:
    """Records that are in no group yet."""

    def __init__(self, matrix: np.ndarray):
        self._points, self._rows = matrix, np.arange(len(matrix))
        self._there = np.ones(len(matrix), dtype=bool)
        self._squares = np.einsum("ij,ij->i", matrix, matrix)
        self.count = len(matrix)

    def mean(self) -> np.ndarray:
        return self._there.astype(float) @ self._points / self.count

    def _away(self, point: np.ndarray) -> np.ndarray:
        """Squared distances from a point, less the square of that."""
        return self._squares - 2 * (self._points @ point)

    def farthest(self, point: np.ndarray) -> np.ndarray:
        """Return the record farthest from a point."""
        away = np.where(self._there, self._away(point), -np.inf)
        return self._points[away.argmax()]

    def take_nearest(self, point: np.ndarray, k: int) -> np.ndarray:
        """Take the k records nearest to a point out, and return their rows."""
        away = np.where(self._there, self._away(point), np.inf)
        near = np.argpartition(away, k - 1)[:k]
        rows = self._rows[near]
        self._there[near] = False
        self.count -= k
        if self.count < _SPARSE * len(self._rows):
            self._points, self._rows = self._points[self._there], self._rows[self._there]
            self._squares = self._squares[self._there]
            self._there = np.ones(self.count, dtype=bool)
        return rows

    def rest(self) -> np.ndarray:
        """Rows that are left."""
        return self._rows[self._there]
