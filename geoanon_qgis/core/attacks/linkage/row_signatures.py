# SPDX-License-Identifier: GPL-2.0-or-later
"""Signatures: what a record's distances to all others look like, whoever these are.

A signature is the logarithms of some order statistics of a row, more of them among the nearest:
an embedding keeps near distances, so that how far the nearest others live tells most. How the
signature of a known person varies from release to release is learnt from releases of one's own;
one released row is compared with all people by Mahalanobis' distance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime.progress import Progress, chunks, silent

#: Order statistics of a row.
_LEVELS = 16
#: Weight of what all people have in common in a person's variances, and in correlations.
_POOLED_VARIANCE, _POOLED = 0.1, 0.7
#: Part of a variance that is added so that none is zero.
_RIDGE = 1e-3
#: Degrees of freedom: a few rows look like no release that was simulated.
_FREEDOM = 20.0
#: Numbers in a block of work: some 50 ms.
_BLOCK = 2_000_000


def levels_of(others: int) -> np.ndarray:
    """Places of the order statistics among so many sorted distances, as shares of their number."""
    ranks = np.unique(np.round(np.geomspace(1, max(others, 1), _LEVELS)))
    return (ranks - 1) / max(others - 1, 1)


def signature(distances: np.ndarray, levels: np.ndarray, least: float) -> np.ndarray:
    """Return signatures of rows.

    Parameters
    ----------
    distances : (m, k) array
        Each row to the others of a release, in any order. Sorted in place.
    levels : (q,) array
        See :func:`levels_of`.
    least : float
        Added to all, so that no distance has the logarithm of nothing.

    Returns
    -------
    (m, q) array
    """
    distances.sort(axis=1)
    place = levels * (distances.shape[1] - 1)
    low = np.floor(place).astype(np.int64)
    high = np.minimum(low + 1, distances.shape[1] - 1)
    rest = place - low
    return np.log((1 - rest) * distances[:, low] + rest * distances[:, high] + least)


def signatures_of(
    found: np.ndarray,
    columns: np.ndarray,
    levels: np.ndarray,
    least: float,
    progress: Progress = silent,
) -> np.ndarray:
    """Return signatures of all people in a release, (n, q); their own distance does not count.

    Parameters
    ----------
    found : (n, k) array
        Released distances from all people. Their own are overwritten.
    columns : (k,) int array
        Who is in the release.
    levels, least
        As in :func:`signature`.
    progress : Progress
    """
    rows = np.arange(len(found))[:, None]
    found[rows == columns] = -1.0
    result = np.empty((len(found), len(levels)))
    at_once = max(1, _BLOCK // 2 // found.shape[1])
    for first in range(0, len(found), at_once):
        progress(first / len(found))
        some = np.sort(found[first : first + at_once], axis=1)
        inside = some[:, 0] < 0
        target = result[first : first + at_once]
        target[inside] = signature(some[inside, 1:], levels, least)
        target[~inside] = signature(some[~inside], levels, least)
    return result


@dataclass(frozen=True, eq=False)
class Signatures:
    """How the signature of each of n known people varies from release to release.

    Attributes
    ----------
    levels : (q,) array
    least : float
    mean, deviation : (n, q) arrays
    white : (n, q, q) array
        What makes standardised signatures of a person independent, each of variance one.
    volume : (n,) array
        Logarithm of how much room their signatures take.
    """

    levels: np.ndarray
    least: float
    mean: np.ndarray
    deviation: np.ndarray
    white: np.ndarray
    volume: np.ndarray

    @classmethod
    def learnt(cls, seen: np.ndarray, levels: np.ndarray, least: float) -> Signatures:
        """Learn from signatures in r releases, (r, n, q).

        With few releases a person's covariance is told by them no better than by everybody's:
        both count.
        """
        mean = seen.mean(axis=0)
        off = np.moveaxis(seen - mean, 0, 2)  # (n, q, r)
        covariance = off @ off.transpose(0, 2, 1) / max(len(seen) - 1, 1)
        variance = np.einsum("nqq->nq", covariance)
        pooled = covariance.mean(axis=0)
        everybodys = np.maximum(np.diag(pooled), 1e-12)
        deviation = np.sqrt((1 - _POOLED_VARIANCE) * variance + _POOLED_VARIANCE * everybodys)
        correlation = (1 - _POOLED) * covariance / (
            deviation[:, :, None] * deviation[:, None, :]
        ) + _POOLED * pooled / np.sqrt(np.outer(everybodys, everybodys))
        correlation += _RIDGE * np.eye(len(levels))
        factor = np.linalg.cholesky(correlation)
        volume = np.log(np.einsum("nqq->nq", factor)).sum(axis=1)
        return cls(
            levels,
            least,
            mean,
            deviation,
            np.linalg.inv(factor),
            volume + np.log(deviation).sum(axis=1),
        )

    @classmethod
    def alike(
        cls, known: np.ndarray, off: np.ndarray, levels: np.ndarray, least: float
    ) -> Signatures:
        """Take signatures of people whom nobody released before: all vary as others do.

        Parameters
        ----------
        known : (n, q) array
            Of one release.
        off : (m, q) array
            By how much those of the same person differ in two releases.
        levels, least
            As of the class.
        """
        deviation = np.maximum(np.sqrt(np.square(off).mean(axis=0)), 1e-6)
        standard = off / deviation
        correlation = standard.T @ standard / len(off) + _RIDGE * np.eye(len(levels))
        factor = np.linalg.cholesky(correlation)
        count, size = known.shape
        return cls(
            levels,
            least,
            known,
            np.broadcast_to(deviation, (count, size)),
            np.broadcast_to(np.linalg.inv(factor), (count, size, size)),
            np.zeros(count),
        )

    def scores(self, released: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Log-likelihood of each row of a release under each person, but for a constant.

        Parameters
        ----------
        released : (n1, n1) array
        progress : Progress

        Returns
        -------
        (n1, n) array
            In single precision.
        """
        count, size = len(released), len(self.levels)
        rows = np.empty((count, size))
        for some in chunks(count, max(1, _BLOCK // count)):
            others = released[some].copy()
            others[np.arange(some.stop - some.start), np.arange(some.start, some.stop)] = -1.0
            others.sort(axis=1)
            rows[some] = signature(others[:, 1:], self.levels, self.least)
        result = np.empty((count, len(self.mean)), dtype=np.float32)
        at_once = max(1, _BLOCK // (count * size))
        for some in chunks(len(self.mean), at_once, progress):
            off = (rows - self.mean[some, None]) / self.deviation[some, None]
            off = off @ self.white[some].transpose(0, 2, 1)
            far = np.einsum("nkq,nkq->nk", off, off)
            value = -0.5 * (_FREEDOM + size) * np.log1p(far / _FREEDOM)
            result[:, some] = (value - self.volume[some, None]).T
        return result
