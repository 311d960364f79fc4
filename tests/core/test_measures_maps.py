# SPDX-License-Identifier: GPL-2.0-or-later
"""Kernel densities, counts in cells, and Moran's I; against direct sums, brute force and esda."""

from __future__ import annotations

import importlib.util

import numpy as np
import peers
import pytest
from georgia import counties
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.stats import norm

from geoanon_qgis.core.measures.contiguity import (
    contiguity,
    contiguity_of_cells,
    nearest_weights,
)
from geoanon_qgis.core.measures.grid import Grid, count_in_cells, grid_over
from geoanon_qgis.core.measures.kde import compare_densities, kernel_density, scott_bandwidth
from geoanon_qgis.core.measures.moran import (
    compare_moran,
    draw_neighbours,
    global_moran,
    local_moran,
)
from geoanon_qgis.core.measures.window import Window
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

shapely = pytest.importorskip("shapely", minversion="2")

L = shapely.Polygon([(0, 0), (10, 0), (10, 4), (4, 4), (4, 10), (0, 10)])


# --- densities ------------------------------------------------------------------------------------


@pytest.mark.parametrize("bandwidth", [0.05, 0.5, 3.0])
def test_the_density_is_the_direct_sum(rng, bandwidth):
    # Cells so small that the mean over one is the density in its middle.
    xy = rng.random((5_000, 2)) * [3, 2]
    xy[:100] = xy[0]
    grid = Grid(0.5, 0.5, bandwidth / 200, 30, 20)
    found = kernel_density(xy, grid, bandwidth)
    square = cdist(grid.centres, xy) ** 2
    direct = np.exp(-square / (2 * bandwidth**2)).sum(axis=1) / (2 * np.pi * bandwidth**2)
    assert found.ravel() == pytest.approx(direct, rel=1e-4, abs=1e-9)


def test_a_cell_has_the_mean_over_it():
    # One point; a cell of two bandwidths is no point in the middle.
    grid = Grid(-3.0, -1.0, 2.0, 3, 1)
    found = kernel_density(np.zeros((1, 2)), grid, 1.0)
    sides = np.diff(norm.cdf([-3, -1, 1, 3]))
    assert found[0] == pytest.approx(sides * sides[1] / 4, rel=1e-12)


def test_all_points_are_on_the_grid(rng):
    xy = rng.normal(0, 50, (400, 2))
    found = compare_densities(xy, xy + 5)
    for density in (found.before, found.after):
        assert density.sum() * found.grid.side**2 == pytest.approx(400, rel=1e-3)
    assert found.bandwidth == scott_bandwidth(xy) and max(found.before.shape) <= 256
    assert found.grid.side <= found.bandwidth / 4 * (1 + 1e-9)


def test_what_is_the_same_overlaps_wholly_and_what_is_far_not_at_all(rng):
    xy = rng.normal(0, 1, (200, 2))
    same = compare_densities(xy, xy[::-1])
    assert same.overlap == pytest.approx(1.0, abs=1e-12)
    assert same.largest_difference == pytest.approx(0.0, abs=1e-12 * same.largest)
    assert compare_densities(xy, xy + 100).overlap < 1e-6
    assert "overlap by 100.0%" in same.summary()


def test_the_overlap_of_two_kernels():
    # Two Gaussians d apart have 2 Φ(-d / 2σ) in common.
    found = compare_densities(np.zeros((1, 2)), np.array([[1.5, 0.0]]), bandwidth=1.0)
    assert found.grid.side == 0.25
    # The smaller of two means is a little more than the mean of the smaller.
    assert 0 < found.overlap - 2 * norm.cdf(-0.75) < 0.005


@pytest.mark.filterwarnings("error")
def test_densities_finer_than_the_digits_of_coordinates_do_not_overlap_by_nothing(rng):
    xy = 1e6 + 1e-9 * rng.random((30, 2))
    found = compare_densities(xy, xy, bandwidth=1e-12)
    assert np.isnan(found.overlap) or found.overlap == pytest.approx(1.0)
    assert found.summary()


@pytest.mark.parametrize("shape", [L, shapely.box(0, 0, 8, 5), shapely.Point(5, 5).buffer(4)])
def test_corrected_at_the_edges_the_density_is_even(rng, shape):
    window = Window.of([shape])
    xy, other = window.draw(40_000, rng), window.draw(40_000, rng)
    plain = compare_densities(xy, other, 0.8, window)
    found = compare_densities(xy, other, 0.8, window, correct_edges=True)
    even, cover = 40_000 / window.area, found.grid.coverage(window)
    inner = cover == 1
    assert found.before[inner] == pytest.approx(np.full(inner.sum(), even), rel=0.1)
    assert plain.before[inner].min() < 0.6 * even  # a corner, where half and more is missing
    assert np.nansum(found.before * cover) * found.grid.side**2 == pytest.approx(40_000, rel=0.02)
    assert np.isnan(found.before[cover == 0]).all() and found.overlap > 0.97


def test_points_outside_are_left_out_where_edges_are_corrected(rng):
    window = Window.of([L])
    xy = window.draw(300, rng)
    more = np.concatenate([xy, [[30.0, 30.0], [-3.0, 0.0]]])
    found = compare_densities(xy, more, 1.0, window, correct_edges=True)
    assert found.left_out == (0, 2) and found.overlap == pytest.approx(1.0, abs=1e-12)
    assert compare_densities(xy, more, 1.0, window).overlap < 1.0


def test_coverage_by_the_area_of_each_cell():
    window = Window.of([shapely.Point(5, 5).buffer(4)])
    grid = grid_over(np.array([0.0, 0.0, 10.0, 8.0]), 0.7, 256)
    truth = [
        shapely.area(shapely.intersection(window.shape, shapely.box(x, y, x + 0.7, y + 0.7))) / 0.49
        for x, y in grid.centres - 0.35
    ]
    assert grid.coverage(window).ravel() == pytest.approx(truth, abs=1e-9)
    assert (grid.columns, grid.rows) == (15, 12)
    assert grid.x[0] + grid.x[-1] == pytest.approx(10) and grid.y[0] + grid.y[-1] == 8


def test_densities_that_cannot_be_are_refused(rng):
    xy = rng.random((9, 2))
    with pytest.raises(InputError, match="bandwidth of a kernel density"):
        compare_densities(xy, xy, -1.0)
    with pytest.raises(InputError, match="bandwidth of a kernel density"):
        compare_densities(np.zeros((5, 2)), xy)
    with pytest.raises(InputError, match="needs an area"):
        compare_densities(xy, xy, correct_edges=True)
    with pytest.raises(InputError, match="no points whose density"):
        compare_densities(
            xy, xy + 9, window=Window.of([shapely.box(0, 0, 1, 1)]), correct_edges=True
        )


# --- counts in cells ------------------------------------------------------------------------------


def test_counts_in_cells_by_hand():
    window = Window.of([shapely.box(0, 0, 4, 2)])
    xy = np.array([[0.5, 0.5], [0.6, 0.6], [3.5, 1.5], [4.0, 2.0], [9.0, 9.0]])
    found = count_in_cells(xy, xy[:2], window, side=1.0)
    assert (found.grid.columns, found.grid.rows, len(found.cells)) == (4, 2, 8)
    assert found.before.tolist() == [2, 0, 0, 0, 0, 0, 0, 1]
    # The upper right corner belongs to the cell beyond.
    assert found.left_out == (2, 0) and found.after.tolist() == [2] + 7 * [0]
    assert "3 points in 8 cells" in found.summary()


@given(st.integers(1, 5), st.integers(1, 6), st.booleans(), st.data())
def test_neighbours_of_cells_are_those_of_their_polygons(rows, columns, corners, data):
    grid = Grid(0.0, 0.0, 1.0, columns, rows)
    every = st.lists(st.integers(0, rows * columns - 1), min_size=1, unique=True)
    cells = np.array(sorted(data.draw(every)))
    found = contiguity_of_cells(grid, cells, corners).toarray()
    gap = np.abs(grid.centres[cells][:, None] - grid.centres[cells][None])
    near = (gap.max(axis=2) == 1) if corners else (gap.sum(axis=2) == 1)
    assert ((found > 0) == near).all()
    assert found.sum(axis=1) == pytest.approx((near.any(axis=1)).astype(float))


# --- Moran's I ------------------------------------------------------------------------------------


def weights_of(name: str):
    shapes, _ = counties()
    if name == "nearest":
        return nearest_weights(shapely.get_coordinates(shapely.centroid(shapes)), peers.NEAREST)
    return contiguity(shapes, corners=name == "queen")


@pytest.mark.parametrize("name", ["rook", "queen", "nearest"])
def test_moran_is_that_of_esda(name, rng):
    live = importlib.util.find_spec("esda") is not None
    for told in [peers.written()["esda"], *([peers.of_esda()] if live else [])]:
        truth, weights = told[name], weights_of(name)
        population = counties()[1]
        assert weights.nnz == truth["neighbours"]
        found = global_moran(population, weights)
        assert found.i == pytest.approx(truth["I"], abs=1e-12)
        assert found.expected == pytest.approx(truth["expected"], abs=1e-12)
        assert found.variance == pytest.approx(truth["variance"], rel=1e-9)
        local = local_moran(population, weights, draw_neighbours(weights, 99, rng))
        assert local.i == pytest.approx(truth["local"], rel=1e-9, abs=1e-9)
        assert local.expected == pytest.approx(truth["local_expected"], rel=1e-9, abs=1e-12)
        assert local.variance == pytest.approx(truth["local_variance"], rel=1e-9)
        assert local.quadrant.tolist() == truth["quadrant"]


def test_esda_says_now_what_was_written():
    pytest.importorskip("esda", reason="esda (geopandas, scikit-learn) is not installed")
    now, then = peers.of_esda(), peers.written()["esda"]
    for name in then:
        assert now[name]["local"] == pytest.approx(then[name]["local"], rel=1e-9)


def test_permutations_have_the_moments_that_are_known(rng):
    """Means and variances of what is drawn are those of conditional randomisation."""
    weights, population = weights_of("rook"), counties()[1].astype(float)
    drawn = draw_neighbours(weights, 4_000, rng)
    told = local_moran(population, weights, drawn)
    z = population - population.mean()
    for zone in (0, 17, 80, 158):
        own = weights[zone].data
        others = drawn[:, : len(own)] + (drawn[:, : len(own)] >= zone)
        simulated = 158 * z[zone] * (z[others] @ own) / (z @ z)
        error = np.sqrt(told.variance[zone] / 4_000)
        assert abs(simulated.mean() - told.expected[zone]) < 4 * error
        assert simulated.var() == pytest.approx(told.variance[zone], rel=0.25)
        larger, smaller = (simulated >= told.i[zone]).sum(), (simulated <= told.i[zone]).sum()
        assert told.p_value[zone] == pytest.approx((min(larger, smaller) + 1) / 4_001, abs=3e-4)


def test_p_is_even_without_a_pattern():
    rng = np.random.default_rng(11)
    grid = Grid(0.0, 0.0, 1.0, 12, 12)
    weights = contiguity_of_cells(grid, np.arange(144))
    found = [compare_moran(*rng.normal(size=(2, 144)), weights, rng) for _ in range(15)]
    p = np.concatenate([one.local_before.p_value for one in found])
    # One-sided on whichever side it is: half of what it says is above .25.
    assert abs((p <= 0.05).mean() - 0.1) < 0.02 and abs((p <= 0.25).mean() - 0.5) < 0.03
    z = np.array([one.before.z for one in found])
    assert abs(z.mean()) < 4 / np.sqrt(15) and 0.4 < z.std() < 1.6


def test_a_cluster_is_kept_or_lost(rng):
    grid = Grid(0.0, 0.0, 1.0, 15, 15)
    weights = contiguity_of_cells(grid, np.arange(225))
    high = (np.abs(grid.centres - [4, 4]) < 2).all(axis=1)
    before = rng.poisson(5, 225) + 20 * high
    same = compare_moran(before, before, weights, rng)
    assert same.same_sign == same.same_cluster == same.kept == 1.0 and same.new == 0.0
    assert (same.clusters[0][high] == 1).all() and same.before.p_value < 1e-6
    lost = compare_moran(before, rng.permutation(before), weights, rng)
    assert lost.kept < 0.4 and lost.new > 0.5 and lost.after.i < 0.2 < lost.before.i
    assert "are kept" in lost.summary()


def test_zones_without_neighbours_or_values_are_undefined(rng):
    zones = [shapely.box(x, 0, x + 1, 1) for x in (0, 1, 2, 3, 9)]
    weights, values = contiguity(zones), np.array([1.0, 2.0, 3.0, 9.0, 5.0])
    found = local_moran(values, weights, draw_neighbours(weights, 99, rng))
    assert np.isnan(found.i).tolist() == [False] * 4 + [True]
    assert np.isnan(found.p_value[4]) and found.quadrant[4] == 0
    flat = compare_moran(np.full(5, 7.0), values, weights, rng)
    assert np.isnan(flat.before.i) and np.isnan(flat.before.p_value)
    assert (flat.local_before.quadrant == 0).all() and np.isnan(flat.kept)
    assert "not defined" in flat.summary()


def test_a_zone_at_the_mean_is_not_significant(rng):
    # Its local I is 0 whatever its neighbours have: all permutations are ties.
    weights = contiguity_of_cells(Grid(0.0, 0.0, 1.0, 3, 3), np.arange(9))
    values = np.array([1.0, 1, 1, 1, 0, -1, -1, -1, -1])
    found = local_moran(values, weights, draw_neighbours(weights, 199, rng))
    assert found.p_value[4] == 1.0 and found.clusters(0.05)[4] == 0


@given(st.lists(st.integers(0, 20), min_size=9, max_size=9), st.permutations(range(9)))
@settings(max_examples=40)
def test_moran_knows_no_unit_and_no_order(values, order):
    values, order = np.array(values, dtype=float), np.array(order)
    weights = contiguity_of_cells(Grid(0.0, 0.0, 1.0, 3, 3), np.arange(9))
    one, other = global_moran(values, weights), global_moran(-3e9 * values + 4e9, weights)
    assert other.i == pytest.approx(one.i, abs=1e-9, nan_ok=True)
    assert other.variance == pytest.approx(one.variance, abs=1e-9, nan_ok=True)
    turned = global_moran(values[order], weights[order][:, order])
    assert turned.i == pytest.approx(one.i, abs=1e-12, nan_ok=True)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=15),
    st.integers(1, 6),
)
def test_nearest_by_all_distances(points, count):
    xy = np.array(points, dtype=float)
    found = nearest_weights(xy, count).toarray()
    away = cdist(xy, xy)
    np.fill_diagonal(away, np.inf)
    count = min(count, len(xy) - 1)
    truth = np.argsort(away, axis=1, kind="stable")[:, :count]
    expected = np.zeros_like(found)
    np.put_along_axis(expected, truth, 1 / count, axis=1)
    assert found == pytest.approx(expected)


def test_what_has_no_moran_is_refused(rng):
    weights = contiguity_of_cells(Grid(0.0, 0.0, 1.0, 3, 1), np.arange(3))
    with pytest.raises(InputError, match="at least four zones, not 3"):
        compare_moran(np.arange(3), np.arange(3), weights, rng)
    lonely = contiguity_of_cells(Grid(0.0, 0.0, 1.0, 1, 1), np.arange(1))
    with pytest.raises(InputError, match="at least four zones, not 1"):
        compare_moran(np.arange(1), np.arange(1), lonely, rng)
    with pytest.raises(InputError, match="a finite number for each zone"):
        compare_moran(np.array([1, np.nan, 2]), np.arange(3), weights, rng)
    with pytest.raises(InputError, match="must be at least 1"):
        nearest_weights(np.zeros((5, 2)), 0)
    with pytest.raises(InputError, match="side above 0"):
        grid_over(np.array([0.0, 0.0, 1.0, 1.0]), 0.0, 10)


def test_progress_rises_and_a_cancel_is_heard(rng):
    xy = rng.random((20_000, 2))
    weights = contiguity_of_cells(Grid(0.0, 0.0, 1.0, 60, 60), np.arange(3_600))
    values = rng.random(3_600)

    def stop(fraction: float) -> None:
        raise Cancelled

    for job in (
        lambda p: compare_densities(xy, xy, 0.1, Window.of([L]), True, p),
        lambda p: compare_moran(values, values, weights, rng, p),
        lambda p: contiguity(counties()[0], False, p),
        lambda p: nearest_weights(xy, 5, p),
    ):
        told: list[float] = []
        job(told.append)
        assert told == sorted(told) and 0 <= told[0] and told[-1] == pytest.approx(1.0)
        with pytest.raises(Cancelled):
            job(stop)
