# SPDX-License-Identifier: GPL-2.0-or-later
"""What anonymisation leaves of a table's statistics, univariate, bivariate and spatial.

Lasko & Vinterbo (2010), sections II-B and IV-D, on the coded columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..distances.spatial_statistics import moran_i
from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, figure
from ..space.points import as_points, build_tree
from .matrices import as_matrix, block_rows, column_means, correlations
from .shuffling import rank_correlations

#: Shares at which univariate distributions are told.
_QUANTILES = np.array([0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0])
_PAIRS = 200_000
_NEIGHBOURS = 8


@dataclass(frozen=True)
class Differences:
    """How a statistic differs between two tables.

    Attributes
    ----------
    original, anonymized : arrays
        The statistic, of each column or each pair of columns.
    difference : array
        Absolute difference, normalised where the paper does so; NaN where it is undefined
        (constant columns).
    """

    original: np.ndarray
    anonymized: np.ndarray
    difference: np.ndarray

    @property
    def median(self) -> float:
        """The figure of table I."""
        return _nan_safe(np.nanmedian, self.difference)

    @property
    def largest(self) -> float:
        return _nan_safe(np.nanmax, self.difference)


def _nan_safe(statistic, values: np.ndarray) -> float:
    return float(statistic(values)) if np.isfinite(values).any() else float("nan")


@dataclass(frozen=True)
class Distribution:
    """The distribution of one column in both tables.

    Attributes
    ----------
    label : str
    shares : (q,) array
    original, anonymized : (q,) arrays
        Quantiles at those shares.
    ks_distance : float
        Largest difference of the cumulative distributions, either way.
    """

    label: str
    shares: np.ndarray
    original: np.ndarray
    anonymized: np.ndarray
    ks_distance: float


@dataclass(frozen=True, repr=False)
class Utility(Summarised):
    """Original against anonymised.

    Attributes
    ----------
    labels : tuple of str
        Of the m columns.
    pairs : (m (m - 1) / 2, 2) int array
        The pairs of columns of the correlations.
    mean : Differences
        Over the original's standard deviation.
    variance : Differences
        Over the original's variance.
    correlation, rank_correlation : Differences
        Of pairs of different columns; the diagonal would only lower the median.
    distributions : tuple of Distribution
    """

    labels: tuple[str, ...]
    pairs: np.ndarray
    mean: Differences
    variance: Differences
    correlation: Differences
    rank_correlation: Differences
    distributions: tuple[Distribution, ...]

    def in_words(self) -> str:
        """Say the medians of table I of the paper."""
        largest = max(self.distributions, key=lambda one: one.ks_distance)
        return (
            f"Median differences over {len(self.labels):,} columns: mean"
            f" {figure(self.mean.median, '.3f')} (in standard deviations), variance"
            f" {figure(self.variance.median, '.1%')},\ncorrelation"
            f" {figure(self.correlation.median, '.3f')}, rank correlation"
            f" {figure(self.rank_correlation.median, '.3f')}. Largest difference of a distribution:"
            f" {largest.ks_distance:.3f} ({largest.label})."
        )


def utility(
    original: np.ndarray,
    anonymized: np.ndarray,
    labels: Sequence[str] | None = None,
    progress: Progress = silent,
) -> Utility:
    """Compare the statistics of two coded tables.

    Parameters
    ----------
    original, anonymized : (n, m), (p, m) arrays
        Coded alike; rows need not correspond.
    labels : sequence of m str, optional

    Returns
    -------
    Utility

    Raises
    ------
    InputError
        If the columns differ.
    """
    original = as_matrix(original, Sentence("original table"))
    anonymized = as_matrix(anonymized, Sentence("anonymised table"))
    m = original.shape[1]
    if anonymized.shape[1] != m:
        raise InputError(
            "The tables have {columns} and {others} coded columns; they need the same "
            "fields, coded alike.",
            columns=m,
            others=anonymized.shape[1],
        )
    labels = tuple(labels) if labels is not None else tuple(f"column {i + 1}" for i in range(m))
    means, variances, plain, ranked = [], [], [], []
    for table, ahead in (
        (original, part(progress, 0.0, 0.4)),
        (anonymized, part(progress, 0.4, 0.8)),
    ):
        mean = column_means(table, part(ahead, 0.0, 0.1))
        means.append(mean)
        variances.append(_variances(table, mean, part(ahead, 0.1, 0.2)))
        plain.append(correlations(table, part(ahead, 0.2, 0.3)))
        ranked.append(rank_correlations(table, part(ahead, 0.3, 1.0)))
    upper = np.triu_indices(m, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        by_mean = np.abs(means[1] - means[0]) / np.sqrt(variances[0])
        by_variance = np.abs(variances[1] - variances[0]) / variances[0]
    # A constant column has nothing to normalise by.
    by_mean[variances[0] == 0] = by_variance[variances[0] == 0] = np.nan
    step = part(progress, 0.8, 1.0)
    distributions = []
    for column, label in enumerate(labels):
        compare = partial(distribution, original[:, column], anonymized[:, column], label)
        distributions.append(interruptible(compare, step, column / m))
    return Utility(
        labels,
        np.stack(upper, axis=1),
        Differences(means[0], means[1], by_mean),
        Differences(variances[0], variances[1], by_variance),
        _of_pairs(plain, upper),
        _of_pairs(ranked, upper),
        tuple(distributions),
    )


def _of_pairs(both: list[np.ndarray], upper: tuple[np.ndarray, ...]) -> Differences:
    before, after = both[0][upper], both[1][upper]
    return Differences(before, after, np.abs(after - before))


def _variances(table: np.ndarray, mean: np.ndarray, progress: Progress) -> np.ndarray:
    total = np.zeros(table.shape[1])
    for rows in chunks(len(table), block_rows(table.shape[1]), progress):
        gap = table[rows] - mean
        total += np.einsum("ij,ij->j", gap, gap)
    # The rounding of the mean must not make a variable of a constant.
    total[table.min(axis=0) == table.max(axis=0)] = 0.0
    return total / (len(table) - 1)


def distribution(original: np.ndarray, anonymized: np.ndarray, label: str = "") -> Distribution:
    """Compare the distributions of one variable in two tables, or of two sets of distances."""
    before, after = np.sort(original), np.sort(anonymized)
    gap = 0.0
    for values in (before, after):
        below = np.searchsorted(before, values, side="right") / len(before)
        below -= np.searchsorted(after, values, side="right") / len(after)
        gap = max(gap, float(np.abs(below).max()))
    quantiles = [_quantiles(values) for values in (before, after)]
    return Distribution(label, _QUANTILES, quantiles[0], quantiles[1], gap)


def _quantiles(ordered: np.ndarray) -> np.ndarray:
    """Linear between order statistics, as NumPy's, of values in order."""
    at = _QUANTILES * (len(ordered) - 1)
    low = np.floor(at).astype(np.intp)
    high = np.minimum(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


# --- on the map --------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class SpatialUtility(Summarised):
    """What anonymised points keep of the originals' pattern.

    Attributes
    ----------
    mean_centres : (2, 2) array
        Of originals, of anonymised points.
    mean_centre_shift : float
        Distance between them, in the unit of the coordinates.
    standard_distances : (float, float)
        Root mean squared distance from the mean centre.
    distances : Distribution
        Of distances between pairs of points, a random sample of pairs where there are many.
    nearest_distances : Distribution
        Of distances to the nearest other point.
    moran : Differences
        Moran's I of each column, 8 nearest neighbours as weights; NaN for constant ones.
    labels : tuple of str
        Of the columns.
    """

    mean_centres: np.ndarray
    mean_centre_shift: float
    standard_distances: tuple[float, float]
    distances: Distribution
    nearest_distances: Distribution
    moran: Differences
    labels: tuple[str, ...]

    def in_words(self) -> str:
        """Say how the pattern changed."""
        before, after = self.standard_distances
        return (
            f"Mean centre moved by {self.mean_centre_shift:,.3g}; standard distance {before:,.4g},"
            f" then {after:,.4g}.\nLargest difference of a distribution: distances"
            f" {self.distances.ks_distance:.3f}, nearest neighbours"
            f" {self.nearest_distances.ks_distance:.3f}."
        )


def spatial_utility(
    original_xy: np.ndarray,
    anonymized_xy: np.ndarray,
    rng: np.random.Generator,
    original: np.ndarray | None = None,
    anonymized: np.ndarray | None = None,
    labels: Sequence[str] = (),
    progress: Progress = silent,
) -> SpatialUtility:
    """Compare two point layers.

    Parameters
    ----------
    original_xy, anonymized_xy : (n, 2), (p, 2) arrays
        In one plane, metric.
    rng : numpy.random.Generator
        Chooses pairs of points where there are more than some hundred thousand.
    original, anonymized : (n, m), (p, m) arrays, optional
        Coded columns at those points, for Moran's I.
    labels : sequence of m str

    Returns
    -------
    SpatialUtility

    Raises
    ------
    InputError
        If there are fewer than two points, or columns and points do not fit.
    """
    layers = [
        as_points(original_xy, Sentence("original points")),
        as_points(anonymized_xy, Sentence("points")),
    ]
    tables = [original, anonymized]
    if (original is None) != (anonymized is None):
        raise InputError("Moran's I needs the columns of both layers.")
    for xy, table in zip(layers, tables):
        if len(xy) < 2:
            raise InputError("The spatial measures need at least two points in each layer.")
        if table is not None and len(table) != len(xy):
            raise InputError("Points and columns do not belong together.")
    if len({table.shape[1] for table in tables if table is not None}) > 1:
        raise InputError("Points and columns do not belong together.")
    centres, spreads, between, nearest, moran = [], [], [], [], []
    for number, (xy, table) in enumerate(zip(layers, tables)):
        ahead = part(progress, 0.45 * number, 0.45 * (number + 1))
        centre = column_means(xy)
        centres.append(centre)
        spreads.append(float(np.sqrt(((xy - centre) ** 2).sum(axis=1).mean())))
        between.append(_pair_distances(xy, rng))
        indices, away = _neighbours(xy, part(ahead, 0.0, 0.5))
        nearest.append(away)
        moran.append(_moran(table, indices, part(ahead, 0.5, 1.0)))
    shift = centres[1] - centres[0]

    def apart(both: list[np.ndarray], label: str) -> Distribution:
        compare = partial(distribution, both[0], both[1], label)
        return interruptible(compare, progress, 0.9)

    of_pairs = apart(between, "distance between points")
    of_nearest = apart(nearest, "distance to the nearest point")
    return SpatialUtility(
        np.stack(centres),
        float(np.hypot(*shift)),
        (spreads[0], spreads[1]),
        of_pairs,
        of_nearest,
        Differences(moran[0], moran[1], np.abs(moran[1] - moran[0])),
        tuple(labels),
    )


def _pair_distances(xy: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    n = len(xy)
    if n * (n - 1) // 2 <= _PAIRS:
        i, j = np.triu_indices(n, 1)
    else:
        i = rng.integers(0, n, _PAIRS)
        j = (i + rng.integers(1, n, _PAIRS)) % n  # never the same point
    gap = xy[i] - xy[j]
    return np.hypot(gap[:, 0], gap[:, 1])


def _neighbours(xy: np.ndarray, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
    """The nearest others of each point, and the distance to the nearest."""
    count = min(_NEIGHBOURS, len(xy) - 1)
    tree = build_tree(xy, part(progress, 0.0, 0.1))
    indices = np.empty((len(xy), count), dtype=np.intp)
    away = np.empty(len(xy))
    for rows in chunks(len(xy), 20_000, part(progress, 0.1, 1.0)):
        # Among points at one place the query may list the point itself anywhere, or not at all.
        d, i = tree.query(xy[rows], k=count + 1)
        itself = i == np.arange(rows.start, rows.stop)[:, None]
        itself[~itself.any(axis=1), -1] = True
        away[rows] = d[:, 1]
        indices[rows] = i[~itself].reshape(-1, count)
    return indices, away


def _moran(table: np.ndarray | None, indices: np.ndarray, progress: Progress) -> np.ndarray:
    if table is None:
        return np.zeros(0)
    from scipy.sparse import csr_matrix

    n, count = indices.shape
    weights = csr_matrix(
        (np.ones(indices.size), indices.ravel(), np.arange(0, indices.size + 1, count)),
        shape=(n, n),
    )
    found = np.empty(table.shape[1])
    for column in range(len(found)):
        progress(column / len(found))
        found[column] = moran_i(table[:, column], weights)
    return found
