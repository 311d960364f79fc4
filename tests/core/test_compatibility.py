# SPDX-License-Identifier: GPL-2.0-or-later
"""Intervals of compatible distances: by hand, by their definition, and table 3 of the paper."""

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import pdist, squareform

from geoanon_qgis.core.attacks.linkage.compatibility import (
    AbsoluteTolerance,
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
    distance_deviations,
)
from geoanon_qgis.core.attacks.linkage.intervals import Intervals, true_distances
from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

PLANAR = metric_for("planar", None)
SQUARE = np.array([[0.0, 0.0], [1000.0, 0.0], [1000.0, 1000.0], [0.0, 1000.0]])
AREA = StudyArea.of_rings([SQUARE], None)
TRIANGLE = np.array([[0.0, 0.0], [30.0, 0.0], [0.0, 40.0]])


def rng():
    return np.random.default_rng(11)


def test_true_distances_of_every_metric_are_symmetric_and_right():
    lonlat = np.random.default_rng(0).uniform([5, 47], [15, 55], (30, 2))
    for name in ("great_circle", "geodesic"):
        metric = metric_for(name, "EPSG:4326")
        square = true_distances(lonlat, metric)
        assert np.array_equal(square, square.T) and not square.diagonal().any()
        first, second = np.triu_indices(30, 1)
        assert square[first, second] == pytest.approx(
            metric.between(lonlat[first], lonlat[second]), abs=1e-6
        )
    assert true_distances(TRIANGLE, PLANAR) == pytest.approx(squareform(pdist(TRIANGLE)))


def test_absolute_tolerance_is_open():
    intervals = AbsoluteTolerance(5.0).intervals(TRIANGLE, PLANAR, rng=rng())
    first, second = np.zeros(4, dtype=int), np.ones(4, dtype=int)
    released = np.array([25.0, 25.001, 34.999, 35.0])
    assert intervals.holds(released, first, second).tolist() == [False, True, True, False]


def test_closed_intervals_hold_their_ends():
    intervals = Intervals(np.full((2, 2), 3.0), np.full((2, 2), 4.0), True)
    zero, one = np.zeros(4, dtype=int), np.ones(4, dtype=int)
    held = intervals.holds(np.array([2.9, 3.0, 4.0, 4.1]), zero, one)
    assert held.tolist() == [False, True, True, False]


def test_room_for_distances_that_were_rounded_down():
    """A true pair released as floor(d) must not be lost."""
    exact = squareform(pdist(AREA.sample(40, rng())))
    first, second = np.triu_indices(40, 1)
    narrow = Intervals(exact - 1e-6, exact + 1e-6, True)
    released = np.floor(exact)[first, second]
    assert not narrow.holds(released, first, second).any()
    assert narrow.widened(1.0).holds(released, first, second).all()
    nearest = np.rint(exact)[first, second]
    assert narrow.widened(0.5, 0.5).holds(nearest, first, second).all()


@pytest.mark.parametrize("distribution", ["gaussian", "laplace"])
@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.9])
def test_distance_noise_has_the_distribution_s_own_quantiles(distribution, alpha):
    rule = DistanceNoise(distribution, 7.0, alpha)
    known = {"gaussian": stats.norm, "laplace": stats.laplace}[distribution]
    assert rule.reach(alpha) == pytest.approx(known.ppf((1 + alpha) / 2, scale=7.0))
    intervals = rule.intervals(TRIANGLE, PLANAR, rng=rng())
    assert intervals.lower[0, 1] == pytest.approx(30 - rule.reach(alpha))
    assert intervals.upper[0, 1] == pytest.approx(30 + rule.reach(alpha))
    assert not intervals.closed


@pytest.mark.parametrize(
    "rule",
    [
        AbsoluteTolerance(5.0),
        DistanceNoise("laplace", 7.0, 0.5),
        CoordinateNoise(5.0, False, 0.5, AREA, None),
        LipschitzEmbedding(5, 2, AREA, 0.5, 200),
    ],
)
def test_inner_intervals_are_shorter_and_get_the_same_room(rule):
    intervals = rule.intervals(TRIANGLE, PLANAR, rng=rng())
    length, inner_length = (
        (some.upper - some.lower)[0, 1] for some in (intervals, intervals.inner)
    )
    assert 0 < inner_length < length
    wide = intervals.widened(2.0, 1.0)
    for some, wider in ((intervals, wide), (intervals.inner, wide.inner)):
        assert np.array_equal(wider.lower, some.lower - 2.0)
        assert np.array_equal(wider.upper, some.upper + 1.0)
        assert wider.closed == some.closed


def test_distances_set_to_zero_stay_compatible():
    """Of noise that would lead below zero the release keeps zero; near pairs may have it."""
    near = np.array([[0.0, 0.0], [1.0, 0.0]])
    intervals = DistanceNoise("gaussian", 5.0, 0.5).intervals(near, PLANAR, rng=rng())
    zero = np.zeros(1)
    assert intervals.holds(zero, np.array([0]), np.array([1])).all()


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.9])
def test_coordinate_noise_accepts_the_share_of_true_pairs(alpha):
    points = AREA.sample(300, rng())
    rule = CoordinateNoise(10.0, False, alpha, AREA, None, pairs=50_000)
    intervals = rule.intervals(points, PLANAR, rng=rng())
    moved = points + np.random.default_rng(3).normal(0, 10.0, points.shape)
    released = squareform(pdist(moved))
    first, second = np.triu_indices(300, 1)
    assert intervals.holds(released[first, second], first, second).mean() == pytest.approx(
        alpha, abs=0.03
    )


def test_coordinate_noise_takes_quantiles_of_d_minus_d_prime():
    """The sign matters: noise lengthens near pairs, so the interval reaches further up."""
    deviation = np.array([-4.0, -3.0, -2.0, -1.0, 0.0, 1.0])
    rule = CoordinateNoise(1.0, False, 0.6, AREA, None)
    intervals = rule.intervals_from(deviation, np.full((1, 1), 100.0))
    low, high = np.quantile(deviation, [0.2, 0.8])
    assert intervals.lower[0, 0] == 100 - high and intervals.upper[0, 0] == 100 - low
    assert 100 - intervals.lower[0, 0] < intervals.upper[0, 0] - 100


@pytest.mark.parametrize(
    "sigma, published",
    [
        (0.005, [-1.1088, -0.8558, -0.4261, 0.0226, 0.4496, 0.9256, 1.2192]),
        (0.050, [-11.4906, -8.9544, -4.7386, -0.0057, 4.5955, 8.6728, 11.4998]),
    ],
)
def test_table_3(sigma, published):
    """Kroll 2014, table 3: quantiles of 1,000 pairs in Germany (here: a box of its size)."""
    germany = np.array([[6.5, 47.7], [14.0, 47.7], [14.0, 54.5], [6.5, 54.5]])
    metric = metric_for("great_circle", "EPSG:4326")
    area = StudyArea.of_rings([germany], "EPSG:4326")
    km = distance_deviations(area, metric, sigma, True, "EPSG:4326", 100_000, rng()) / 1000
    shares = np.array([0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95])
    half = np.sqrt(shares * (1 - shares) / 1000)
    error = (np.quantile(km, shares + half) - np.quantile(km, shares - half)) / 2
    assert (np.abs(np.quantile(km, shares) - published) <= 3 * error).all()


@pytest.mark.parametrize(
    "make, part",
    [
        (lambda: AbsoluteTolerance(0.0), "tolerance"),
        (lambda: CoordinateNoise(-1.0, False, 0.5, AREA, None), "standard deviation"),
        (lambda: CoordinateNoise(1.0, False, 1.0, AREA, None), "alpha"),
        (lambda: CoordinateNoise(1.0, False, 0.5, AREA, None, 1), "pairs"),
        (lambda: DistanceNoise("cauchy", 1.0, 0.5), "cauchy"),
        (lambda: DistanceNoise("laplace", float("nan"), 0.5), "scale"),
        (lambda: DistanceNoise("laplace", 1.0, 0.0), "alpha"),
        (lambda: LipschitzEmbedding(5, 2, AREA, 1.5), "alpha"),
    ],
)
def test_bad_parameters_are_named(make, part):
    with pytest.raises(InputError, match=part):
        make()
