# SPDX-License-Identifier: GPL-2.0-or-later
"""What a released distance says about the true one, learnt from releases that one makes oneself.

Who knows how a release was made can make such releases of places that he knows, as the papers'
adversary does for his intervals (Kroll & Schnell 2016, "A graph theoretic linkage attack"). Here
all pairs are pooled into one density of what is seen given the true distance. What is seen of
a pair is its released distance and, for embeddings, how alike the two records stand to all
others: embedded distances of far pairs say little, but whom a record is near to is kept well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..distances.lipschitz import lipschitz_distances
from ..distances.noise import coordinate_noise, distance_noise
from ..errors import InputError
from ..metrics import Metric
from ..progress import Progress, part, silent
from .compatibility import CoordinateNoise, DistanceNoise, LipschitzEmbedding, true_distances

#: Releases of the known file that densities are learnt from.
RELEASES = 12
#: Share of all distances that counts as near when records' neighbourhoods are compared.
_NEAR = 0.05
#: Classes of distances, and of likeness, for embeddings; classes of distances for noise.
_CLASSES, _CLASSES_NOISE = (24, 10), (100, 1)
#: Classes of true distances, and pairs that every class is taken to have seen beforehand.
_TRUE, _PRIOR = 40, 20.0
#: Terms of the log-likelihood ratio's decomposition. For embeddings they leave out less than 1 %
#: of it; noise that is small takes more.
_RANK, _RANK_NOISE = 6, 16


def simulate(rule, points, metric: Metric, rng, progress: Progress = silent) -> np.ndarray:
    """Release the distances of some points as a rule says they were released.

    Parameters
    ----------
    rule : LipschitzEmbedding, CoordinateNoise or DistanceNoise
    points : (n, 2) array
        Stored coordinates.
    metric : Metric
    rng : numpy.random.Generator
    progress : Progress

    Returns
    -------
    (n, n) array
        Symmetric, in the metric's unit.

    Raises
    ------
    InputError
        For a rule that says nothing of how a release came about.
    """
    if isinstance(rule, LipschitzEmbedding):
        condensed = lipschitz_distances(
            points, rule.area, metric, rule.sets, rule.size, rng, progress
        )
    elif isinstance(rule, CoordinateNoise):
        moved = coordinate_noise(points, rule.sigma, rule.in_degrees, rule.wkt, rng)
        return true_distances(moved, metric, progress)
    elif isinstance(rule, DistanceNoise):
        true = true_distances(points, metric, progress)
        condensed = distance_noise(
            true[np.triu_indices(len(points), 1)], rule.distribution, rule.scale, rng
        )
    else:
        raise InputError(
            "The likelihood attack has to know how distances were changed. A mere tolerance does"
            " not say so: choose coordinate noise, distance noise or an embedding, or the clique"
            " attack."
        )
    square = np.zeros((len(points), len(points)))
    square[np.triu_indices(len(points), 1)] = condensed
    return square + square.T


def unlikeness(released: np.ndarray) -> np.ndarray:
    """How differently two records stand to all others, for every pair, (n, n).

    Minus the logarithm of the cosine between two records' rows of nearness, where nearness is
    a Gaussian kernel as wide as the nearest twentieth of all distances reach.
    """
    if len(released) < 2:
        return np.zeros_like(released)
    reach = np.quantile(released[np.triu_indices(len(released), 1)], _NEAR)
    near = np.exp(-((released / max(reach, 1e-9)) ** 2))
    common = near @ near
    own = np.sqrt(np.diag(common))
    return -np.log(common / np.outer(own, own) + 1e-4)


@dataclass(frozen=True, eq=False)
class PairDensity:
    """Density of what is seen of a pair, given its true distance, in classes.

    Attributes
    ----------
    cuts, cuts_unlike : arrays
        Where classes of released distances and of unlikeness end.
    expected, spread : (classes,) arrays
        Mean and standard deviation of true less released distance in a class.
    seen, true : (terms, classes) and (terms, true classes) arrays
        Products, summed over terms: log-likelihood ratio of a class under a true distance
        against all pairs.
    cuts_true : array
        Where classes of true distances end.
    """

    cuts: np.ndarray
    cuts_unlike: np.ndarray
    expected: np.ndarray
    spread: np.ndarray
    seen: np.ndarray
    true: np.ndarray
    cuts_true: np.ndarray

    def classes(self, released: np.ndarray) -> np.ndarray:
        """Class of every pair of a released matrix, (n, n)."""
        found = np.searchsorted(self.cuts, released)
        if len(self.cuts_unlike):
            found *= len(self.cuts_unlike) + 1
            found += np.searchsorted(self.cuts_unlike, unlikeness(released))
        return found

    def ratios(self, distances: np.ndarray) -> np.ndarray:
        """The factor of true distances, (terms, ...) of the shape that they have."""
        return self.true[:, np.searchsorted(self.cuts_true, distances)]


def learn(
    releases: list[np.ndarray], true: np.ndarray, coarse: np.ndarray, alike: bool
) -> PairDensity:
    """Learn a density from releases of one file.

    Parameters
    ----------
    releases : list of (n, n) arrays
    true : (n, n) array
        True distances.
    coarse : (n, n) array
        Distances of the nodes that stand for the places; see :mod:`.reconstruction`. Ratios
        are those of node distances, so that they allow for what nodes make coarse.
    alike : bool
        Whether the likeness of records counts.
    """
    upper = np.triu_indices(len(true), 1)
    n_near, n_alike = _CLASSES if alike else _CLASSES_NOISE
    seen = np.concatenate([one[upper] for one in releases])
    # Finer classes for short distances, which are kept best.
    shares = (np.arange(1, n_near) / n_near) ** (2 if alike else 1)
    cuts = np.quantile(seen, shares)
    cuts_unlike = np.zeros(0)
    if alike:
        values = np.concatenate([unlikeness(one)[upper] for one in releases])
        cuts_unlike = np.quantile(values, (np.arange(1, n_alike) / n_alike) ** 2)
    blank = PairDensity(cuts, cuts_unlike, *(np.zeros(0),) * 5)
    code = np.concatenate([blank.classes(one)[upper] for one in releases])
    count = n_near * n_alike
    expected, spread = _excess(code, np.tile(true[upper], len(releases)) - seen, count, n_alike)
    apart = coarse[upper]
    positive = apart[apart > 0]
    cuts_true = np.unique(
        np.quantile(positive if len(positive) else [1.0], (np.arange(_TRUE - 1) / _TRUE) ** 1.5)
    )
    cuts_true[0] /= 2  # the first class is that of one node
    kind = np.tile(np.searchsorted(cuts_true, apart), len(releases))
    table = np.bincount(kind * count + code, minlength=(len(cuts_true) + 1) * count)
    table = table.reshape(-1, count).astype(np.float64)
    overall = (table.sum(axis=0) + 1e-6) / (table.sum() + 1e-6 * count)
    given = (table + _PRIOR * overall) / (table.sum(axis=1, keepdims=True) + _PRIOR)
    weight = np.sqrt(overall)
    left, size, right = np.linalg.svd(np.log(given / overall) * weight, full_matrices=False)
    terms = min(_RANK if alike else _RANK_NOISE, len(size))
    return PairDensity(
        cuts, cuts_unlike, expected, spread, right[:terms] / weight,
        (left[:, :terms] * size[:terms]).T, cuts_true,
    )  # fmt: skip


def _excess(code, excess, count: int, n_alike: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean and deviation in each class; thin classes lean on all of equal distance."""
    sums = [np.bincount(code, excess**power, minlength=count) for power in range(3)]
    rows = [np.repeat(one.reshape(-1, n_alike).sum(axis=1), n_alike) for one in sums]
    many = np.maximum(rows[0], 1)
    mean = (sums[1] + 3 * rows[1] / many) / (sums[0] + 3)
    square = (sums[2] + 3 * rows[2] / many) / (sums[0] + 3)
    return mean, np.sqrt(np.maximum(square - mean**2, 0.0))


def releases_of(rule, points, metric, rng, progress: Progress = silent) -> list[np.ndarray]:
    """Release a file again and again; see :func:`simulate`."""
    steps = [part(progress, k / RELEASES, (k + 1) / RELEASES) for k in range(RELEASES)]
    return [simulate(rule, points, metric, rng, step) for step in steps]
