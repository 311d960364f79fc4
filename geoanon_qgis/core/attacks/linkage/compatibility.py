# SPDX-License-Identifier: GPL-2.0-or-later
"""Which released distance could belong to a pair of known entities: one interval for each pair.

The linkage attack (:mod:`~geoanon_qgis.core.attacks.linkage.linkage`) accepts two matches (t1, i1) and
(t2, i2) together when the distance that was released for t1 and t2 lies in the interval of i1
and i2. Where that interval lies follows from the way in which the distances were made unsafe to
rely on, which the adversary is taken to know (Kerckhoffs' principle).

A rule is made from what the adversary knows of the release and gives the intervals of any file:

==========================  =====================================================================
:class:`AbsoluteTolerance`  distances agree to within epsilon (Kroll 2014, example 10)
:class:`CoordinateNoise`    Gaussian noise on the coordinates (Kroll 2014, section 5, table 3)
:class:`DistanceNoise`      noise on the distances themselves (Kroll 2014, section 5, discussion)
:class:`LipschitzEmbedding` embedded distances (Kroll & Schnell 2016, "A graph theoretic ...")
==========================  =====================================================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from ...distances.noise import coordinate_noise
from ...runtime.errors import InputError
from ...runtime.progress import Progress, part, silent
from ...space.areas import StudyArea
from ...space.metrics import Metric
from .intervals import Intervals, true_distances
from .tolerance import tolerance_intervals

#: Pairs that the paper simulated for each amount of noise (Kroll 2014, section 5).
SIMULATED_PAIRS = 1_000
#: Embeddings of the identification file; with 100 the shortest interval covers too little.
REPLICATES = 1_000
#: Share of the accepted pairs that inner intervals accept.
INNER = 0.6

GAUSSIAN, LAPLACE = "gaussian", "laplace"


@dataclass(frozen=True)
class AbsoluteTolerance:
    """Distances agree when they differ by less than ``epsilon`` (metric units); open."""

    epsilon: float

    def __post_init__(self) -> None:
        if not (np.isfinite(self.epsilon) and self.epsilon > 0):
            raise InputError(
                "The tolerance of distances is {epsilon:g}; it has to be above zero.",
                epsilon=self.epsilon,
            )

    def intervals(self, points, metric, *, rng, progress=silent) -> Intervals:
        """See :class:`.Rule`; nothing is drawn at random."""
        true = true_distances(points, metric, progress)
        return _around(true, self.epsilon, INNER * self.epsilon)


@dataclass(frozen=True)
class CoordinateNoise:
    """Gaussian noise was added to the coordinates before distances were measured.

    The deviation d - d' of true and released distance is simulated; two distances agree when
    theirs lies strictly between the (1 - alpha) / 2 and the (1 + alpha) / 2 quantile.

    Attributes
    ----------
    sigma : float
        Standard deviation on each coordinate, in metres, or in degrees if ``in_degrees``.
    in_degrees : bool
    alpha : float
        Share of true pairs that should be accepted.
    area : StudyArea
        Where the simulated pairs lie (uniformly, the two ends independently).
    wkt : str or None
        System of the points and of the area.
    pairs : int

    Notes
    -----
    The paper simulates 1,000 pairs and takes the quantiles to be the same at every distance.
    They are not quite: a pair nearer than the noise can only get longer, so the deviation of
    near pairs lies below the interval more often than 1 - alpha. Few pairs of a file that spans
    a country are that near; we follow the paper. Quantiles interpolate linearly between order
    statistics (R's default, type 7; the paper does not say).
    """

    sigma: float
    in_degrees: bool
    alpha: float
    area: StudyArea
    wkt: str | None
    pairs: int = SIMULATED_PAIRS

    def __post_init__(self) -> None:
        _check_share(self.alpha)
        if not (np.isfinite(self.sigma) and self.sigma > 0):
            raise InputError(
                "The standard deviation of the noise is {sigma:g}; it has to be above zero.",
                sigma=self.sigma,
            )
        if self.pairs < 2:
            raise InputError("At least two pairs have to be simulated to know the noise.")

    def intervals(self, points, metric, *, rng, progress=silent) -> Intervals:
        """See :class:`.Rule`."""
        deviation = distance_deviations(
            self.area,
            metric,
            self.sigma,
            self.in_degrees,
            self.wkt,
            self.pairs,
            rng,
            part(progress, 0, 0.5),
        )
        return self.intervals_from(
            deviation, true_distances(points, metric, part(progress, 0.5, 1.0))
        )

    def intervals_from(self, deviation: np.ndarray, true: np.ndarray) -> Intervals:
        """Return intervals from deviations d - d' and distances that are known already."""
        shares = np.array([self.alpha, INNER * self.alpha])
        low, high = np.quantile(deviation, [(1 - shares) / 2, (1 + shares) / 2])
        inner = Intervals(true - high[1], true - low[1], False)
        return Intervals(true - high[0], true - low[0], False, inner=inner)


@dataclass(frozen=True)
class DistanceNoise:
    """Noise of a known distribution was added to each distance.

    Attributes
    ----------
    distribution : "gaussian" or "laplace"
    scale : float
        Standard deviation of the normal, or scale b of the Laplace distribution (whose standard
        deviation is b times the square root of two), in metric units.
    alpha : float
        Share of true pairs that should be accepted; the middle of the distribution.

    Notes
    -----
    Releases set negative distances to zero. An interval that reaches below zero therefore holds
    zero, which comes of itself; the share of true pairs that it holds is the same.
    """

    distribution: str
    scale: float
    alpha: float

    def __post_init__(self) -> None:
        _check_share(self.alpha)
        if self.distribution not in (GAUSSIAN, LAPLACE):
            raise InputError(
                "There is no noise called {distribution!r}; choose {gaussian} or {laplace}.",
                distribution=self.distribution,
                gaussian=GAUSSIAN,
                laplace=LAPLACE,
            )
        if not (np.isfinite(self.scale) and self.scale > 0):
            raise InputError(
                "The scale of the noise is {scale:g}; it has to be above zero.", scale=self.scale
            )

    def reach(self, alpha: float) -> float:
        """Quantile (1 + alpha) / 2 of the noise, which is symmetric."""
        if self.distribution == GAUSSIAN:
            return self.scale * NormalDist().inv_cdf((1 + alpha) / 2)
        return -self.scale * math.log1p(-alpha)

    def intervals(self, points, metric, *, rng, progress=silent) -> Intervals:
        """See :class:`.Rule`; nothing is drawn at random."""
        true = true_distances(points, metric, progress)
        return _around(true, self.reach(self.alpha), self.reach(INNER * self.alpha))


@dataclass(frozen=True)
class LipschitzEmbedding:
    """Distances are those of a Lipschitz embedding with known parameters, sets unknown.

    The identification file is embedded ``replicates`` times with sets of its own, and each pair
    gets the shortest interval that holds at least the share ``alpha`` of its distances.

    Attributes
    ----------
    sets, size : int
        Number d of the reference sets, and number k of points in each.
    area : StudyArea
        Where reference points lie.
    alpha : float
    replicates : int
    pre_noise : float
        Standard deviation of noise on the places before they were embedded, in metres. With it
        released distances may exceed true ones.
    """

    sets: int
    size: int
    area: StudyArea
    alpha: float
    replicates: int = REPLICATES
    pre_noise: float = 0.0

    def __post_init__(self) -> None:
        _check_share(self.alpha)
        if not (np.isfinite(self.pre_noise) and self.pre_noise >= 0):
            raise InputError("The noise before the embedding must be a number of at least 0.")

    @property
    def contracts(self) -> bool:
        """See :func:`.contracts`."""
        return self.pre_noise == 0

    def intervals(self, points, metric, *, rng, progress=silent) -> Intervals:
        """See :class:`.Rule`."""
        outer, inner = lipschitz_intervals(
            points,
            self.area,
            metric,
            self.sets,
            self.size,
            (self.alpha, INNER * self.alpha),
            self.replicates,
            rng=rng,
            progress=progress,
            pre_noise=self.pre_noise,
        )
        return replace(outer, inner=inner)


def lipschitz_intervals(
    points: np.ndarray,
    area: StudyArea,
    metric: Metric,
    sets: int,
    size: int,
    alphas: tuple[float, ...],
    replicates: int = REPLICATES,
    *,
    rng: np.random.Generator,
    progress: Progress = silent,
    pre_noise: float = 0.0,
) -> tuple[Intervals, ...]:
    """Return the intervals of :class:`LipschitzEmbedding` for several shares at once.

    They depend on the identification file, d, k and the area, and not on the release: one call
    serves every release with these parameters.

    Parameters
    ----------
    points : (n, 2) array
        Stored coordinates of the identification file.
    area : StudyArea
    metric : Metric
    sets, size : int
    alphas : tuple of float
    replicates : int
    rng : numpy.random.Generator
    progress : Progress
    pre_noise : float
        Standard deviation of noise on the places before each embedding, in metres.

    Returns
    -------
    tuple of Intervals
        Closed, one for each of ``alphas``.

    Raises
    ------
    InputError
        If a share is not between 0 and 1, or a number not at least 1.
    """
    for alpha in alphas:
        _check_share(alpha)
    found = tolerance_intervals(
        points,
        area,
        metric,
        sets,
        size,
        alphas,
        replicates,
        rng=rng,
        progress=progress,
        pre_noise=pre_noise,
    )
    count = len(points)
    upper_triangle = np.triu_indices(count, 1)
    result = []
    for index in range(len(alphas)):
        ends = np.zeros((2, count, count))
        for square, condensed in zip(ends, (found.lower[index], found.upper[index])):
            square[upper_triangle] = condensed
            square += square.T
        result.append(Intervals(ends[0], ends[1], True, float(found.coverage[index])))
    return tuple(result)


def distance_deviations(
    area: StudyArea,
    metric: Metric,
    sigma: float,
    in_degrees: bool,
    wkt: str | None,
    pairs: int,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> np.ndarray:
    """Simulate the deviation d - d' of distances through noise on the coordinates.

    Both ends of a pair are moved, as in a release whose every point is (Kroll 2014, section 5
    and table 3).

    Parameters
    ----------
    area : StudyArea
    metric : Metric
    sigma : float
        Standard deviation on each coordinate, in metres, or in degrees if ``in_degrees``.
    in_degrees : bool
    wkt : str or None
        System of the area's coordinates.
    pairs : int
    rng : numpy.random.Generator
    progress : Progress

    Returns
    -------
    (pairs,) array
        In metric units.
    """
    ends = area.sample(2 * pairs, rng, progress)
    moved = coordinate_noise(ends, sigma, in_degrees, wkt, rng)
    ends, moved = metric.coordinates(ends), metric.coordinates(moved)
    true = metric.between(ends[:pairs], ends[pairs:])
    return true - metric.between(moved[:pairs], moved[pairs:])


def _around(true: np.ndarray, reach: float, inner: float) -> Intervals:
    return Intervals(
        true - reach, true + reach, False, inner=Intervals(true - inner, true + inner, False)
    )


def _check_share(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise InputError(
            "The share of true pairs to accept (alpha) is {alpha:g}; it has to lie between "
            "0 and 1.",
            alpha=alpha,
        )
