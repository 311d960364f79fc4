# SPDX-License-Identifier: GPL-2.0-or-later
"""Centres, spread and nearest neighbours of two patterns."""

from __future__ import annotations

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import ks_2samp

from geoanon_qgis.core.measures.centre import centre_of, drift
from geoanon_qgis.core.measures.nearest import compare_nearest, nearest_neighbour_index
from geoanon_qgis.core.measures.window import Window
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

shapely = pytest.importorskip("shapely", minversion="2")

grid_points = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=20
).map(lambda xy: np.array(xy, dtype=float))


def total(at: np.ndarray, xy: np.ndarray) -> float:
    """Sum of the distances to all points."""
    return float(np.hypot(*(xy - at).T).sum())


@given(grid_points)
def test_no_place_has_a_smaller_sum_of_distances(xy):
    found = centre_of(xy)
    least = total(found.median, xy)
    starts = [xy.mean(axis=0), *xy]
    best = min(minimize(total, one, (xy,), "Nelder-Mead").fun for one in starts[:4])
    assert least <= min(best, *(total(one, xy) for one in xy)) * (1 + 1e-9) + 1e-9


@given(grid_points)
def test_mean_and_spread_by_their_definition(xy):
    found = centre_of(xy)
    assert found.mean == pytest.approx(xy.mean(axis=0), abs=1e-12)
    assert found.standard_distance == pytest.approx(np.sqrt(xy.var(axis=0).sum()), abs=1e-12)
    assert found.points == len(xy)


def test_a_median_that_is_one_of_the_points():
    # Four round a fifth, and a heavy place that holds against all others.
    star = np.array([[0, 0], [2, 0], [0, 2], [2, 2], [1, 1]], dtype=float)
    assert (centre_of(star).median == [1, 1]).all()
    heavy = np.concatenate([star, np.full((6, 2), 7.0)])
    assert (centre_of(heavy).median == [7, 7]).all()
    assert (centre_of(np.full((3, 2), 4.0)).median == [4, 4]).all()


@given(grid_points, st.tuples(st.integers(-50, 50), st.integers(-50, 50)), st.randoms())
@settings(max_examples=50)
def test_centres_go_with_the_points(xy, by, random):
    one = centre_of(xy)
    order = list(range(len(xy)))
    random.shuffle(order)
    other = centre_of(4 * xy[order] + np.array(by, dtype=float))
    assert other.mean == pytest.approx(4 * one.mean + by, abs=1e-9)
    assert other.standard_distance == pytest.approx(4 * one.standard_distance, rel=1e-9)
    assert total(other.median, 4 * xy + by) == pytest.approx(4 * total(one.median, xy), rel=1e-9)


def test_drift_of_a_shift_and_of_coordinates_of_millions(rng):
    xy = rng.normal(0, 100, (500, 2)) + [4e6, 5e6]
    found = drift(xy, xy + [30, 40])
    assert (found.mean_drift, found.median_drift) == pytest.approx((50, 50), rel=1e-6)
    assert found.standard_distance_ratio == pytest.approx(1.0, rel=1e-9)
    assert "moved by 50" in found.summary()
    wider = drift(xy, xy.mean(axis=0) + 3 * (xy - xy.mean(axis=0)))
    assert wider.standard_distance_ratio == pytest.approx(3.0, rel=1e-9)
    assert np.isnan(drift(np.zeros((2, 2)), xy).standard_distance_ratio)


def test_the_index_by_hand():
    # A grid of 25 in the unit square: every nearest is .2 away, twice what chance makes.
    side = np.arange(5) / 5 + 0.1
    xy = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    found = nearest_neighbour_index(xy, Window.of([shapely.box(0, 0, 1, 1)]))
    assert (found.points, found.mean, found.index) == pytest.approx((25, 0.2, 2.0))
    wider = 0.1 + (0.0514 + 0.041 / 5) * 4 / 25
    assert found.corrected_index == pytest.approx(0.2 / wider)
    assert found.z == pytest.approx(0.1 / (0.26136 / np.sqrt(25 * 25)), rel=1e-4)


@pytest.mark.slow
def test_the_index_is_one_under_complete_randomness(rng):
    window = Window.of([shapely.box(0, 0, 3, 2)])
    runs = [nearest_neighbour_index(window.draw(100, rng), window) for _ in range(400)]
    corrected = np.array([one.corrected_index for one in runs])
    assert abs(corrected.mean() - 1) < 4 * corrected.std() / 20 + 0.003
    assert np.mean([one.index for one in runs]) > 1.03  # without correction: too large


def test_distances_before_and_after(rng):
    window = Window.of([shapely.box(0, 0, 10, 10)])
    xy, other = window.draw(80, rng), np.round(window.draw(70, rng))
    found = compare_nearest(xy, other, window)
    away = [np.sqrt(oracles.squared_distances(some).min(axis=1)) for some in (xy, other)]
    assert found.distances.ks_distance == pytest.approx(ks_2samp(*away).statistic)
    assert found.before.mean == pytest.approx(away[0].mean())
    assert found.after.mean == pytest.approx(away[1].mean())
    same = compare_nearest(xy, xy[::-1], window)
    assert same.distances.ks_distance == 0 and same.before == same.after
    assert "Nearest-neighbour index" in same.summary()


def test_points_outside_count_for_distances_alone(rng):
    window = Window.of([shapely.box(0, 0, 10, 10)])
    xy = window.draw(50, rng)
    more = np.concatenate([xy, [[-500.0, 0.0], [-501.0, 0.0]]])
    found = compare_nearest(xy, more, window)
    assert found.after == found.before and found.distances.ks_distance > 0


def test_what_cannot_be_done_is_said(rng):
    window = Window.of([shapely.box(0, 0, 10, 10)])
    with pytest.raises(InputError, match="at least two points inside"):
        compare_nearest(np.full((3, 2), 50.0), np.full((3, 2), 5.0), window)
    with pytest.raises(InputError, match="no points whose centre"):
        drift(np.empty((0, 2)), np.zeros((1, 2)))
    with pytest.raises(InputError, match="Zone number 2 has no area"):
        Window.of([shapely.box(0, 0, 1, 1), shapely.Point(1, 1)])


def test_progress_rises_and_a_cancel_is_heard(rng):
    window = Window.of([shapely.box(0, 0, 10, 10)])
    xy = window.draw(5_000, rng)

    def stop(fraction: float) -> None:
        raise Cancelled

    for job in (lambda p: drift(xy, xy, p), lambda p: compare_nearest(xy, xy, window, p)):
        told: list[float] = []
        job(told.append)
        assert told == sorted(told) and 0 <= told[0] and told[-1] <= 1
        with pytest.raises(Cancelled):
            job(stop)
