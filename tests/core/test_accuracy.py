# SPDX-License-Identifier: GPL-2.0-or-later
"""What a released matrix keeps, against brute force and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from scipy.stats import spearmanr

from geoanon_qgis.core.distances import comparison as module
from geoanon_qgis.core.distances.accuracy import accuracy, centre_and_border, summary
from geoanon_qgis.core.distances.agreement import agreement, simulated_fields, true_distances
from geoanon_qgis.core.distances.bands import distance_bands
from geoanon_qgis.core.distances.comparison import (
    PairSample,
    draw_pairs,
    max_violation,
    neighbours_kept,
    spearman,
)
from geoanon_qgis.core.distances.lipschitz import lipschitz_distances
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

PLANAR = metric_for("planar", None)
grid_points = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=14
).map(lambda xy: np.array(xy, dtype=float))


def matrix_of(condensed, unit="") -> DistanceMatrix:
    return DistanceMatrix.numbered(np.asarray(condensed, dtype=float), unit)


@pytest.fixture
def points(rng) -> np.ndarray:
    return rng.uniform(0, 1000, (120, 2))


@pytest.fixture
def embedded(points, rng) -> DistanceMatrix:
    area = StudyArea.convex_hull(points, None)
    return matrix_of(lipschitz_distances(points, area, PLANAR, 15, 8, rng))


def geodesic(rng, count=60):
    pytest.importorskip("pyproj", reason="pyproj is not installed")
    xy = np.stack([rng.uniform(-6, 2, count), rng.uniform(50, 58, count)], axis=1)
    return metric_for("geodesic", "EPSG:4326"), xy


# -- summary --------------------------------------------------------------------------------


@pytest.mark.parametrize(("unit", "length"), [("", 1), ("m", 1), ("km", 1000)])
def test_true_distances_keep_everything(points, rng, unit, length):
    result = summary(points, PLANAR, matrix_of(pdist(points) / length, unit), rng)
    assert (result.count, result.pairs, result.pairs_used) == (120, 7140, 7140)
    assert result.median_ratio == pytest.approx(1)
    assert result.nearest_kept == result.spearman == 1.0
    assert result.max_violation == 0.0
    assert (result.zero_pairs, result.unit) == (0, unit)


def test_zeros_keep_no_more_than_chance(points, rng):
    result = summary(points, PLANAR, matrix_of(np.zeros(7140)), rng)
    assert result.nearest_kept == pytest.approx(1 / 119)
    assert result.median_ratio == 0 and np.isnan(result.spearman)


def test_by_hand(rng):
    # On a line at 0, 1, 3: true 1, 3, 2; released 1, 1, 1.5.
    line = np.array([[0.0, 0], [1, 0], [3, 0]])
    result = summary(line, PLANAR, matrix_of([1, 1, 1.5]), rng)
    assert result.median_ratio == 0.75  # of 1, 1/3, 3/4
    # The first has two nearest, one of them true; the others' are (1, 0) and (3, 0): 1, 0.
    assert result.nearest_kept == pytest.approx((0.5 + 1 + 0) / 3)
    # Ranks 1 3 2 against 1.5 1.5 3.
    assert result.spearman == pytest.approx(0.0, abs=1e-12)
    assert summary(line, PLANAR, matrix_of([1.5, 3, 2]), rng).max_violation == 0.5


@pytest.mark.parametrize("count", [1, 2])
def test_one_and_two_records(count, rng):
    line = np.array([[0.0, 0], [2, 0]])[:count]
    result = summary(line, PLANAR, matrix_of(np.ones(count - 1)), rng)
    assert np.isnan(result.spearman) and result.max_violation == 0
    detail = accuracy(line, PLANAR, matrix_of(np.ones(count - 1)), rng)
    assert detail.centre is None and detail.agreement is None
    if count == 2:
        assert result.nearest_kept == 1.0 and result.median_ratio == 0.5
        assert [n.share for n in detail.neighbours] == [1.0]
    else:
        assert np.isnan(result.nearest_kept) and np.isnan(result.median_ratio)
        assert detail.bands == () and detail.neighbours == ()


def test_all_at_one_place(rng):
    result = accuracy(np.ones((30, 2)), PLANAR, matrix_of(np.zeros(435)), rng)
    assert result.summary.zero_pairs == 435 and np.isnan(result.summary.median_ratio)
    assert result.summary.nearest_kept == 1.0
    assert result.bands == ()
    assert all(one.adjusted_rand == 1 for one in result.agreement.density)


@pytest.mark.slow
def test_a_sample_of_pairs_comes_near_to_all(points, embedded, rng):
    everything = summary(points, PLANAR, embedded, rng)
    sample = summary(points, PLANAR, embedded, rng, most_pairs=2_000)
    assert 1_900 < sample.pairs_used <= 2_000
    assert sample.median_ratio == pytest.approx(everything.median_ratio, abs=0.05)
    assert sample.spearman == pytest.approx(everything.spearman, abs=0.05)
    assert sample.nearest_kept == everything.nearest_kept


@pytest.mark.parametrize("n", [0, 1, 2, 3, 17])
def test_all_pairs_are_in_the_order_of_the_matrix(n, rng):
    i, j = draw_pairs(n, 10**6, rng)
    expected = np.triu_indices(n, 1)
    assert (i == expected[0]).all() and (j == expected[1]).all() and len(i) == len(expected[0])


@given(st.integers(3, 60), st.integers(1, 200), st.integers(0, 2**32))
def test_sampled_pairs_are_pairs(n, most, seed):
    i, j = draw_pairs(n, most, np.random.default_rng(seed))
    assert ((0 <= i) & (i < j) & (j < n)).all()
    assert len(set(zip(i, j))) == len(i) <= max(most, 1)


def test_every_pair_is_as_likely(rng):
    drawn = np.zeros(435)
    for _ in range(2_000):
        i, j = draw_pairs(30, 50, rng)
        drawn[i * (59 - i) // 2 + j - i - 1] += 1
    assert drawn.min() > 0.6 * drawn.mean() and drawn.max() < 1.4 * drawn.mean()


@given(grid_points, st.integers(0, 2**32))
def test_spearman_agrees_with_scipy(points, seed):
    true = pdist(points)
    noisy = true + np.random.default_rng(seed).integers(0, 3, len(true))
    ours = spearman(true, noisy)
    if np.ptp(true) and np.ptp(noisy):
        assert ours == pytest.approx(spearmanr(true, noisy)[0], abs=1e-12)
    else:
        assert np.isnan(ours)


# -- neighbours -----------------------------------------------------------------------------


@given(grid_points, st.integers(0, 2**32), st.sampled_from([(1,), (1, 2), (1, 2, 5)]))
@settings(max_examples=150)
def test_neighbours_against_the_definition(points, seed, counts):
    """Ties everywhere: places and released distances are small whole numbers."""
    counts = [k for k in counts if k < len(points)]
    true = squareform(pdist(points))
    released = np.floor(pdist(points) * np.random.default_rng(seed).uniform(0.3, 1))
    kept = neighbours_kept(points, PLANAR, matrix_of(released), counts)
    released = squareform(released)
    for k, share in zip(counts, kept):
        total = 0.0
        for i in range(len(points)):
            others = [j for j in range(len(points)) if j != i]
            reach = sorted(true[i, others])[k - 1]
            last = sorted(released[i, others])[k - 1]
            nearer = [j for j in others if released[i, j] < last]
            tied = [j for j in others if released[i, j] == last]
            right = sum(true[i, j] <= reach + 1e-9 for j in nearer)
            right += (k - len(nearer)) * np.mean([true[i, j] <= reach + 1e-9 for j in tied])
            total += right / k
        assert share == pytest.approx(total / len(points))


def test_neighbours_do_not_depend_on_the_blocks(points, embedded):
    whole = neighbours_kept(points, PLANAR, embedded, (1, 5, 20))
    in_blocks = neighbours_kept(points, PLANAR, embedded, (1, 5, 20), at_once=500)
    assert in_blocks == pytest.approx(whole)


# -- violation ------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", [0, 77, 7139])
def test_a_single_violation_is_found(points, pair):
    released = pdist(points)
    released[pair] += 3
    few = {"at_once": 700}
    assert max_violation(points, PLANAR, matrix_of(released), **few) == pytest.approx(3)
    in_km = max_violation(points, PLANAR, matrix_of(released / 1000), 1000, **few)
    assert in_km == pytest.approx(0.003)


def test_geodesic_violations_are_those_of_all_pairs(rng):
    metric, xy = geodesic(rng)
    true = true_distances(xy, metric)
    for factor in (0.999999, 1.0, 1.000001, rng.uniform(0.5, 1.1, len(true))):
        expected = np.max(true * factor - true)
        found = max_violation(xy, metric, matrix_of(true * factor))
        assert found == pytest.approx(max(expected, 0), abs=1e-6)


def test_bounds_never_exceed_a_geodesic(rng):
    metric = metric_for("geodesic", "EPSG:4326")
    lon = np.concatenate([rng.uniform(-180, 180, 60), [0, 180, 179.9, 0, 0]])
    lat = np.concatenate([rng.uniform(-90, 90, 60), [0, 0, 0, 90, -90]])
    xy = np.stack([lon, lat], axis=1)
    everyone = slice(0, len(xy))
    bounds = module._least_distances(xy, metric)(everyone, everyone)
    true = metric.rows(xy, xy)
    assert (bounds <= true).all()
    near = (true > 0) & (true < 200_000)
    assert (bounds[near] > true[near] * (1 - 1e-4) - 1e-3).all()


@pytest.mark.parametrize("kind", ["great_circle", pytest.param("geodesic", marks=pytest.mark.slow)])
def test_an_embedding_never_violates(kind, rng):
    _, xy = geodesic(rng)
    metric = metric_for(kind, "EPSG:4326")
    area = StudyArea.convex_hull(xy, "EPSG:4326")
    released = lipschitz_distances(xy, area, metric, 200, 1, rng)
    result = summary(xy, metric, matrix_of(released / 1000, "km"), rng)
    assert result.max_violation == 0.0
    assert 0.99 < result.median_ratio <= 1


# -- bands ----------------------------------------------------------------------------------


def test_bands_by_hand():
    true = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 40.0])
    released = np.array([0.0, 1.0, 1.0, 3.0, 2.0, 4.0])
    i = np.zeros(6, dtype=int)
    near, far = distance_bands(PairSample(i, i + 1, true, released), [0, 2, 4])
    assert (near.lower, near.upper, near.pairs) == (0, 2, 2)
    assert (near.mean_distance, near.bias, near.sd_deviation) == (1.5, -0.5, 0.5)
    assert (near.mean_ratio, near.sd_ratio, near.median_ratio) == (0.75, 0.25, 0.75)
    assert (far.pairs, far.mean_ratio, far.bias) == (2, 0.75, -1)


def test_default_bands_hold_every_pair_once(points, embedded, rng):
    bands = accuracy(points, PLANAR, embedded, rng).bands
    assert sum(band.pairs for band in bands) == 7140
    assert all(a.upper == b.lower for a, b in zip(bands, bands[1:]))
    assert bands[0].lower == 0 and bands[-1].upper == pdist(points).max()
    # Conjecture 3: short distances are kept better.
    assert bands[0].mean_ratio > bands[len(bands) // 2].mean_ratio > bands[-1].mean_ratio


@pytest.mark.parametrize("limits", [[0], [], [0, 5, 5], [3, 1]])
def test_limits_must_ascend(limits):
    one = np.ones(3)
    with pytest.raises(InputError, match="ascending"):
        distance_bands(PairSample(one, one, one, one), limits)


# -- views and agreement --------------------------------------------------------------------


def test_centre_and_border_of_a_cross(rng):
    cross = np.array([[5.0, 0], [-5, 0], [0, 0.1], [0, 9], [0, -5]])
    assert centre_and_border(cross, PLANAR, rng) == (2, 3)


def test_views_are_those_of_the_rows(points, embedded, rng):
    result = accuracy(points, PLANAR, embedded, rng)
    true, released = squareform(pdist(points)), embedded.square()
    for view in (result.centre, result.border):
        others = np.arange(len(points)) != view.record
        expected = spearmanr(true[view.record, others], released[view.record, others])[0]
        assert view.spearman == pytest.approx(expected)


def test_analyses_of_the_truth_agree_with_themselves(points, rng):
    agreed = accuracy(points, PLANAR, matrix_of(pdist(points)), rng).agreement
    assert {(g.method, g.groups) for g in agreed.groupings} == {
        (m, g) for m in ("average", "complete") for g in (2, 5, 10, 20)
    }
    assert all(g.adjusted_rand == 1 for g in agreed.groupings)
    assert all(
        d.adjusted_rand == 1 and d.true_clusters == d.released_clusters > 1 for d in agreed.density
    )
    assert agreed.simulated and len(agreed.autocorrelation) == 40
    assert agreed.autocorrelation_error("radius") == 0
    assert agreed.autocorrelation_error("nearest") == 0
    assert np.mean([a.true for a in agreed.autocorrelation]) > 0.1


def test_local_analyses_survive_an_embedding_that_blurs(points, rng):
    area = StudyArea.convex_hull(points, None)
    released = matrix_of(lipschitz_distances(points, area, PLANAR, 60, 20, rng))
    result = accuracy(points, PLANAR, released, rng)
    assert result.summary.median_ratio < 0.7 and result.summary.spearman < 0.8
    same_radius = result.agreement.density[0]
    assert same_radius.rule == "same radius" and same_radius.adjusted_rand > 0.8
    assert result.agreement.autocorrelation_error("nearest") < 0.05


def test_attributes_leave_out_records_without_a_value(points, embedded, rng):
    value = points[:, 0].copy()
    value[::3] = np.nan
    has = ~np.isnan(value)
    with_gaps = agreement(points, PLANAR, embedded, rng, attributes={"age": value})
    assert not with_gaps.simulated
    one = next(a for a in with_gaps.autocorrelation if a.weights == "radius")
    near = squareform(pdist(points))[np.ix_(has, has)] <= with_gaps.radius
    np.fill_diagonal(near, False)
    z = value[has] - value[has].mean()
    assert one.field == "age"
    assert one.true == pytest.approx(len(z) / near.sum() * (z @ near @ z) / (z @ z))


def test_large_data_are_sampled(points, embedded, rng):
    agreed = accuracy(points, PLANAR, embedded, rng, most_records=50).agreement
    assert agreed.records == 50


def test_simulated_fields_are_smooth_in_any_metric(rng):
    metric, xy = geodesic(rng, 300)
    true = metric.rows(xy, xy)
    fields = simulated_fields(true, rng, 3)
    near = true < 60_000
    np.fill_diagonal(near, False)
    for values in fields.values():
        z = values - values.mean()
        assert len(z) / near.sum() * (z @ near @ z) / (z @ z) > 0.2


# -- bad input, progress, randomness --------------------------------------------------------


def test_what_does_not_fit_is_refused(points, rng):
    with pytest.raises(InputError, match="120"):
        summary(points, PLANAR, matrix_of(np.ones(10)), rng)
    with pytest.raises(InputError, match="furlong"):
        summary(points, PLANAR, matrix_of(pdist(points), "furlong"), rng)


def test_the_same_seed_gives_the_same(points, embedded):
    one, two = (
        accuracy(
            points, PLANAR, embedded, np.random.default_rng(3), most_pairs=500, most_records=60
        )
        for _ in range(2)
    )
    assert one == two


@pytest.mark.parametrize("stop_at", [0.0, 0.3, 0.6, 0.8])
def test_it_can_be_cancelled(points, embedded, rng, stop_at):
    told = []

    def progress(fraction):
        told.append(fraction)
        if fraction > stop_at:
            raise Cancelled()

    with pytest.raises(Cancelled):
        accuracy(points, PLANAR, embedded, rng, progress)
    assert max(told) <= 1
