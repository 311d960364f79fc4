# SPDX-License-Identifier: GPL-2.0-or-later
"""What a released distance says about the true one, learnt from releases that one makes oneself.

Who knows how a release was made can make such releases of places that he knows, as the papers'
adversary does for his intervals (Kroll & Schnell 2016, "A graph theoretic linkage attack"). Here
all pairs are pooled into one density of what is seen given the true distance. What is seen of
a pair is a class of :mod:`.estimated_distances`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime.progress import Progress, part, silent
from ..linkage.simulated import simulate

#: Releases of the known file that densities are learnt from.
RELEASES = 6
#: Classes of true distances, and pairs that every class is taken to have seen beforehand.
_TRUE, _PRIOR = 40, 20.0
#: Terms of the log-likelihood ratio's decomposition. They leave out less than 1 % of it.
_RANK = 8


@dataclass(frozen=True, eq=False)
class PairDensity:
    """Density of what is seen of a pair, given its true distance, in classes.

    Attributes
    ----------
    seen, true : (terms, classes) and (terms, true classes) arrays
        Products, summed over terms: log-likelihood ratio of a class under a true distance
        against all pairs.
    cuts_true : array
        Where classes of true distances end.
    """

    seen: np.ndarray
    true: np.ndarray
    cuts_true: np.ndarray

    def ratios(self, distances: np.ndarray) -> np.ndarray:
        """The factor of true distances, (terms, ...) of the shape that they have."""
        return self.true[:, np.searchsorted(self.cuts_true, distances)]


def learn(code: np.ndarray, count: int, coarse: np.ndarray) -> PairDensity:
    """Learn a density from classes of pairs in releases of one file.

    Parameters
    ----------
    code : (releases * n (n - 1) / 2,) int array
        See :func:`.estimated_distances.learn_estimator`.
    count : int
        Classes that there are.
    coarse : (n, n) array
        Distances of the nodes that stand for the places; see :mod:`.reconstruction`. Ratios
        are those of node distances, so that they allow for what nodes make coarse.
    """
    apart = coarse[np.triu_indices(len(coarse), 1)]
    positive = apart[apart > 0]
    cuts_true = np.unique(
        np.quantile(positive if len(positive) else [1.0], (np.arange(_TRUE - 1) / _TRUE) ** 1.5)
    )
    cuts_true[0] /= 2  # the first class is that of one node
    kind = np.tile(np.searchsorted(cuts_true, apart), len(code) // len(apart))
    table = np.bincount(kind * count + code, minlength=(len(cuts_true) + 1) * count)
    table = table.reshape(-1, count).astype(np.float64)
    overall = (table.sum(axis=0) + 1e-6) / (table.sum() + 1e-6 * count)
    given = (table + _PRIOR * overall) / (table.sum(axis=1, keepdims=True) + _PRIOR)
    weight = np.sqrt(overall)
    left, size, right = np.linalg.svd(np.log(given / overall) * weight, full_matrices=False)
    terms = min(_RANK, len(size))
    return PairDensity(right[:terms] / weight, (left[:, :terms] * size[:terms]).T, cuts_true)


def releases_of(rule, points, metric, rng, progress: Progress = silent) -> list[np.ndarray]:
    """Release a file again and again; see :func:`.simulated.simulate`."""
    steps = [part(progress, k / RELEASES, (k + 1) / RELEASES) for k in range(RELEASES)]
    return [simulate(rule, points, metric, rng, step) for step in steps]
