# SPDX-License-Identifier: GPL-2.0-or-later
"""Global and local Moran's I before and after: do maps of counts or rates say the same?

With z the values less their mean, and row-standardised weights w_ij, the local statistic is

    I_i = (n - 1) * z_i * Σ_j w_ij z_j / Σ_j z_j²,

as in esda. Whether it is large is asked by conditional permutation: the value of zone i stays, those
of its neighbours are drawn from all others.

References
----------
Moran (1950), Notes on continuous stochastic phenomena, Biometrika 37: 17-23. Cliff & Ord (1981),
Spatial processes, Pion (expectation and variance). Anselin (1995), Local indicators of spatial
association - LISA, Geographical Analysis 27: 93-115. Sokal, Oden & Thomson (1998), Local spatial
autocorrelation in a biological model, Geographical Analysis 30: 331-354, eqs. A7 and A8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..distances.spatial_statistics import moran_i
from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, figure

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

#: Of a zone and its neighbours, high is above the mean. In the order of esda's quadrants.
UNDEFINED, HIGH_HIGH, LOW_HIGH, LOW_LOW, HIGH_LOW = range(5)
PERMUTATIONS = 999
#: Values of neighbours that are drawn in one go.
_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class GlobalMoran:
    """Moran's I of all zones.

    Attributes
    ----------
    i : float
        NaN where all values are alike, or nobody has a neighbour.
    expected : float
        Without autocorrelation: -1 / (n - 1).
    variance : float
        Under randomisation.
    """

    i: float
    expected: float
    variance: float

    @property
    def z(self) -> float:
        """Standard deviations above what is expected."""
        return (self.i - self.expected) / np.sqrt(self.variance) if self.variance > 0 else np.nan

    @property
    def p_value(self) -> float:
        """Two-sided, by the normal distribution."""
        from scipy.special import ndtr

        return float(2 * ndtr(-abs(self.z)))


@dataclass(frozen=True, eq=False)
class LocalMoran:
    """Local Moran's I of each zone.

    Attributes
    ----------
    i : (n,) array
        NaN for zones without neighbours, and where all values are alike.
    expected, variance : (n,) arrays
        Under conditional randomisation.
    quadrant : (n,) int array
        1 high among high, 2 low among high, 3 low among low, 4 high among low; 0 undefined.
    p_value : (n,) array
        One-sided, by conditional permutation; NaN as ``i``.
    """

    i: np.ndarray
    expected: np.ndarray
    variance: np.ndarray
    quadrant: np.ndarray
    p_value: np.ndarray

    def clusters(self, level: float) -> np.ndarray:
        """Quadrants of zones with p at most ``level``, 0 for all others, (n,)."""
        with np.errstate(invalid="ignore"):
            return np.where(self.p_value <= level, self.quadrant, UNDEFINED)


@dataclass(frozen=True, eq=False, repr=False)
class MoranCompared(Summarised):
    """Moran's I of zones before and after.

    Attributes
    ----------
    before, after : GlobalMoran
    local_before, local_after : LocalMoran
    level : float
        Up to which p counts as significant, for each zone by itself: of zones without any pattern
        so many are on either side of it by chance.

    Shares are NaN where they are of no zone.
    """

    before: GlobalMoran
    after: GlobalMoran
    local_before: LocalMoran
    local_after: LocalMoran
    level: float

    @property
    def clusters(self) -> tuple[np.ndarray, np.ndarray]:
        """Quadrants of the significant zones, 0 for all others: before and after, (n,) each."""
        return self.local_before.clusters(self.level), self.local_after.clusters(self.level)

    @property
    def same_sign(self) -> float:
        """Share of the zones whose local I has the same sign, of those where both have one."""
        before, after = self.local_before.i, self.local_after.i
        good = np.isfinite(before) & np.isfinite(after)
        return _share((np.sign(before) == np.sign(after))[good])

    @property
    def same_cluster(self) -> float:
        """Share of all zones that are significant in the same quadrant, or in neither."""
        before, after = self.clusters
        return _share(before == after)

    @property
    def kept(self) -> float:
        """Share of the significant zones that are still so, in the same quadrant."""
        before, after = self.clusters
        return _share((before == after)[before != UNDEFINED])

    @property
    def new(self) -> float:
        """Share of those significant afterwards that were not, or in another quadrant."""
        before, after = self.clusters
        return _share((before != after)[after != UNDEFINED])

    def in_words(self) -> str:
        """Say how well the maps agree."""
        return (
            f"Moran's I {figure(self.before.i, '.3f')}, then {figure(self.after.i, '.3f')}; local"
            f" I has the same sign in {figure(self.same_sign, '.1%')} of {len(self.local_before.i):,}"
            f" zones, and {figure(self.kept, '.1%')} of the significant ones are kept."
        )


def compare_moran(
    before: np.ndarray,
    after: np.ndarray,
    weights: csr_matrix,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    permutations: int = PERMUTATIONS,
    level: float = 0.05,
) -> MoranCompared:
    """Compare global and local Moran's I of two columns of the same zones.

    Both are held against the same permutations, so that what is the same before and after is told
    to be the same.

    Parameters
    ----------
    before, after : (n,) arrays
        Counts or rates of the zones.
    weights : (n, n) scipy.sparse.csr_matrix
        Row-standardised: :mod:`.contiguity`.
    rng : numpy.random.Generator
    progress : callable
    permutations : int
    level : float

    Returns
    -------
    MoranCompared

    Raises
    ------
    InputError
        If values are no finite numbers, or there are fewer than four zones.
    """
    both = [_values(values, weights) for values in (before, after)]
    drawn = draw_neighbours(weights, permutations, rng)
    local = [
        local_moran(values, weights, drawn, part(progress, number / 2, (number + 1) / 2))
        for number, values in enumerate(both)
    ]
    return MoranCompared(
        global_moran(both[0], weights), global_moran(both[1], weights), local[0], local[1], level
    )


def global_moran(values: np.ndarray, weights: csr_matrix) -> GlobalMoran:
    """Moran's I with its expectation and variance under randomisation.

    Parameters
    ----------
    values : (n,) array
    weights : (n, n) scipy.sparse.csr_matrix

    Returns
    -------
    GlobalMoran

    Raises
    ------
    InputError
        If values are no finite numbers, or there are fewer than four zones.
    """
    values = _values(values, weights)
    n, i = len(values), moran_i(values, weights)
    expected = -1.0 / (n - 1)
    if np.isnan(i):
        return GlobalMoran(i, expected, float("nan"))
    z = values - values.mean()
    both = weights + weights.T
    s0 = weights.sum()
    s1 = both.multiply(both).sum() / 2
    s2 = np.square(np.asarray(both.sum(axis=0)).ravel()).sum()
    kurtosis = np.mean(z**4) / np.mean(z**2) ** 2
    plain = n * ((n * n - 3 * n + 3) * s1 - n * s2 + 3 * s0**2)
    peaked = kurtosis * ((n * n - n) * s1 - 2 * n * s2 + 6 * s0**2)
    square = (plain - peaked) / ((n - 1) * (n - 2) * (n - 3) * s0**2)
    return GlobalMoran(i, expected, float(square - expected**2))


def draw_neighbours(weights: csr_matrix, permutations: int, rng: np.random.Generator) -> np.ndarray:
    """Draw who is a neighbour in each permutation: the same for all zones, themselves left out.

    Returns
    -------
    (permutations, most neighbours) int array
        From 0 to n - 2; zone i takes what is not below i as the one after it.
    """
    n = weights.shape[0]
    most = int(np.diff(weights.indptr).max(initial=0))
    drawn = [rng.choice(n - 1, most, replace=False) for _ in range(permutations)]
    return np.array(drawn, dtype=np.intp).reshape(permutations, most)


def local_moran(
    values: np.ndarray, weights: csr_matrix, drawn: np.ndarray, progress: Progress = silent
) -> LocalMoran:
    """Local Moran's I of each zone, with p by conditional permutation.

    Parameters
    ----------
    values : (n,) array
    weights : (n, n) scipy.sparse.csr_matrix
    drawn : (permutations, most neighbours) int array
        By :func:`draw_neighbours`.
    progress : callable

    Returns
    -------
    LocalMoran

    Raises
    ------
    InputError
        If values are no finite numbers, or there are fewer than four zones.
    """
    values = _values(values, weights)
    n, number = len(values), np.diff(weights.indptr)
    z = values - values.mean() if values.min() < values.max() else np.zeros(n)
    total = float(z @ z)
    known = (number > 0) & (total > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        lag = weights @ z
        i = np.where(known, (n - 1) * z * lag / total, np.nan)
        rows, squares = (
            np.asarray(one.sum(axis=1)).ravel() for one in (weights, weights.multiply(weights))
        )
        m2 = total / n
        expected = np.where(known, -(z**2) * rows / ((n - 1) * m2), np.nan)
        variance = (z / m2) ** 2 * (n / (n - 2)) * (squares - rows**2 / (n - 1))
        variance = np.where(known, variance * (m2 - z**2 / (n - 1)), np.nan)
        # In standard deviations, as esda does; the sign alone counts.
        high, near = z > 0, lag > 0
    quadrant = np.select([high & near, ~high & near, ~high & ~near], [1, 2, 3], HIGH_LOW)
    p = _p_values(z, lag, weights, drawn, progress)
    return LocalMoran(
        i,
        expected,
        variance,
        np.where(known, quadrant, UNDEFINED),
        np.where(known, p, np.nan),
    )


def _p_values(
    z: np.ndarray, lag: np.ndarray, weights: csr_matrix, drawn: np.ndarray, progress: Progress
) -> np.ndarray:
    """Share of permutations with I as large, or as small, whichever is less."""
    n, (permutations, most) = len(z), drawn.shape
    number = np.diff(weights.indptr)
    # Weights of each row from the left, 0 beyond its last.
    padded = np.zeros((n, most))
    padded[np.repeat(np.arange(n), number), _nth(number)] = weights.data
    found, zone = z * lag, np.arange(n)
    larger, smaller = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    slack = 1e-12 * np.abs(z) * np.abs(z).max(initial=0.0)
    step = max(1, _AT_ONCE // max(1, n * most))
    for start in range(0, permutations, step):
        progress(start / permutations)
        for chosen in drawn[start : start + step]:
            far = np.zeros(n)
            for column in range(most):
                far += padded[:, column] * z[chosen[column] + (chosen[column] >= zone)]
            larger += z * far >= found - slack
            smaller += z * far <= found + slack
    progress(1.0)
    return (np.minimum(larger, smaller) + 1.0) / (permutations + 1.0)


def _nth(number: np.ndarray) -> np.ndarray:
    """0, 1, .. within each of so many."""
    return np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number)


def _values(values: np.ndarray, weights: csr_matrix) -> np.ndarray:
    values = np.asarray(values, dtype=np.float64)
    if values.shape != (weights.shape[0],) or not np.isfinite(values).all():
        raise InputError(
            Sentence(
                "Moran's I needs a finite number for each zone; leave out zones that have none,"
                " such as rates where nobody lives."
            )
        )
    if len(values) < 4:
        raise InputError("Moran's I needs at least four zones, not {count}.", count=len(values))
    # The result knows no unit: by a power of two, which is exact, sums and squares hold.
    return np.ldexp(values, -int(np.frexp(np.abs(values).max())[1]))


def _share(flags: np.ndarray) -> float:
    return float(flags.mean()) if len(flags) else float("nan")
