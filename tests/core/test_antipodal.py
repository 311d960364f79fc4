# SPDX-License-Identifier: GPL-2.0-or-later
"""Pairs of candidates around a midpoint, and counts in balls, against brute force."""

from __future__ import annotations

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree
from test_points import grids

from geoanon_qgis.core.attacks.voronoi import antipodal
from geoanon_qgis.core.attacks.voronoi.antipodal import antipodal_pairs
from geoanon_qgis.core.attacks.voronoi.balls import ball_counts
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError


@pytest.fixture
def restore_accel():
    was = accel.enabled()
    yield
    accel.set_enabled(was)


def found(centres, radius, xy, tolerance, **options):
    tolerance = np.broadcast_to(tolerance, len(centres))
    pairs = antipodal_pairs(centres, radius, cKDTree(xy), tolerance, **options)
    assert (np.diff(pairs.centre) >= 0).all(), "not sorted by centre"
    assert (pairs.first < pairs.second).all()
    rows = list(zip(pairs.centre.tolist(), pairs.first.tolist(), pairs.second.tolist()))
    assert len(rows) == len(set(rows)), "a pair was listed twice"
    return set(rows)


@settings(max_examples=150)
@given(
    grids(12, 2, 25),
    grids(24, 1, 6),
    st.sampled_from([0.0, 1e-160, 1e-9, 0.4, 1.1, 100.0]),
    st.sampled_from([0.6, 2.6, 50.0]),
)
def test_all_pairs_around_a_centre_are_found_and_no_others(xy, doubled, tolerance, reach):
    xy, centres = np.unique(xy, axis=0), np.unique(doubled, axis=0) / 2
    radius = np.full(len(centres), reach)
    got = found(centres, radius, xy, tolerance)
    # Rounding widens the reach: what lies between the two bounds may be found or not.
    assert got >= oracles.antipodal(centres, radius, xy, tolerance * (1 - 1e-9))
    widest = radius * (1 + 1e-6) + 4 * tolerance
    assert got <= oracles.antipodal(centres, widest, xy, tolerance * (1 + 1e-9) + 1e-200)


def test_an_exact_pair_needs_no_tolerance():
    xy = np.array([[0.0, 0.0], [2.0, 0.0], [10.0, 0.0], [10.0, 4.0]])
    centres = np.array([[1.0, 0.0], [10.0, 2.0], [5.5, 0.0]])
    assert found(centres, np.full(3, 4.0), xy, 0.0) == {(0, 0, 1), (1, 2, 3)}


def test_pairs_straight_above_each_other():
    xy = np.array([[5.0, 0.0], [5.0, 8.0], [5.0, 3.0], [5.0, 5.0]])
    assert found(np.array([[5.0, 4.0]]), np.array([9.0]), xy, 1e-9) == {(0, 0, 1), (0, 2, 3)}


@pytest.mark.slow
def test_the_pair_of_a_rounded_location_is_always_among_those_found(rng):
    """Rounding moves a location by the tolerance, and its nearest other one as well."""
    from geoanon_qgis.core.attacks.voronoi.reversal import default_tolerance, search_bound
    from geoanon_qgis.core.masking.voronoi import voronoi_mask
    from geoanon_qgis.core.runtime.progress import silent
    from geoanon_qgis.core.space.points import places

    corners = 2 * np.pi * np.arange(3) / 3
    for _ in range(1000):
        # In a nearly equilateral triangle the bound is as tight as it gets.
        turned = corners + rng.uniform(0, 2 * np.pi)
        xy = rng.uniform(2, 20) * np.column_stack([np.cos(turned), np.sin(turned)])
        xy = xy + rng.uniform(0, 1, (3, 2))
        mask = voronoi_mask(xy)
        step = 1.0
        released = np.round(mask.xy / step) * step
        locations = places(released)
        bound = search_bound(locations.xy, xy, silent)
        got = found(locations.xy, bound, xy, default_tolerance(step, released))
        for row, (location, other) in enumerate(zip(locations.of_point, mask.neighbour)):
            assert (location, min(row, other), max(row, other)) in got


def test_every_centre_has_a_tolerance_of_its_own():
    xy = np.array([[0.0, 0.0], [2.2, 0.0], [10.0, 0.0], [12.2, 0.0]])
    centres = np.array([[1.0, 0.0], [11.0, 0.0]])
    assert found(centres, np.full(2, 3.0), xy, [0.05, 0.15]) == {(1, 2, 3)}
    assert found(centres, np.full(2, 3.0), xy, [0.15, 0.05]) == {(0, 0, 1)}


def test_centres_and_candidates_in_many_portions(rng):
    xy, centres = rng.integers(0, 60, (300, 2)) * 1.0, rng.integers(0, 120, (90, 2)) / 2
    radius = rng.uniform(1, 20, 90)
    xy = np.unique(xy, axis=0)
    together = found(centres, radius, xy, 0.3)
    assert found(centres, radius, xy, 0.3, at_once=50) == together != set()


def test_portions_cover_the_centres_in_order(rng):
    centres, tree = rng.random((200, 2)), cKDTree(rng.random((100, 2)))
    covered = np.zeros(200, dtype=int)
    stop = 0
    for rows in antipodal.portions(centres, np.full(200, 0.3), tree, 30):
        assert rows.start == stop
        stop = rows.stop
        covered[rows] += 1
    assert (covered == 1).all()


def test_no_centres_have_no_pairs():
    assert found(np.empty((0, 2)), np.empty(0), np.zeros((1, 2)), 0.1) == set()


def test_a_tolerance_that_lets_too_many_pairs_through_is_refused(rng):
    centres, tree = rng.random((100, 2)), cKDTree(rng.random((100, 2)))
    with pytest.raises(InputError, match="smaller tolerance"):
        antipodal_pairs(centres, np.full(100, 1.0), tree, np.full(100, 1.0), most=1000)


def test_a_cancel_goes_through(rng):
    def progress(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        antipodal_pairs(
            rng.random((9, 2)), np.ones(9), cKDTree(rng.random((9, 2))), np.full(9, 0.1), progress
        )


# Counts in balls ----------------------------------------------------------------------------


def problem(xy, rng, pairs=60):
    """Random pairs of different places, with a radius that leaves each out of the other's ball."""
    count = rng.integers(1, 5, len(xy))
    origin = rng.integers(0, len(xy), pairs)
    partner = (origin + rng.integers(1, len(xy), pairs)) % len(xy)
    apart = np.hypot(*(xy[origin] - xy[partner]).T)
    return count, origin, partner, apart * (1 - 1e-9)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("layout", ["cloud", "lattice", "line", "two", "far"])
def test_counts_in_balls(rng, restore_accel, compiled, layout):
    accel.set_enabled(compiled)
    if compiled and not accel.enabled():
        pytest.skip("numba is not installed")
    xy = {
        "cloud": rng.random((300, 2)),
        "lattice": np.stack(np.meshgrid(np.arange(15.0), np.arange(15.0)), -1).reshape(-1, 2),
        "line": np.column_stack([np.arange(100.0) ** 2, np.zeros(100)]),
        "two": np.array([[0.0, 0.0], [3.0, 4.0]]),
        "far": np.concatenate([rng.random((50, 2)), rng.random((50, 2)) + 1e7]),
    }[layout]
    count, *pairs = problem(xy, rng)
    around, union = ball_counts(cKDTree(xy), count, *pairs)
    wanted = oracles.ball_counts(xy, count, *pairs)
    assert np.array_equal(around, wanted[0])
    assert np.array_equal(union, wanted[1])


@pytest.mark.slow
def test_compiled_counts_and_lists_agree_on_many_pairs(rng, restore_accel):
    if not accel.available():
        pytest.skip("numba is not installed")
    xy = np.concatenate([rng.normal(0, 50, (3000, 2)), rng.uniform(-500, 500, (500, 2))])
    count, origin, partner, _ = problem(xy, rng, 30_000)
    near = np.hypot(*(xy[origin] - xy[partner]).T) < 60
    origin, partner = origin[near], partner[near]
    radius = np.hypot(*(xy[origin] - xy[partner]).T) * (1 - 1e-9)
    assert len(origin) > 5000
    results = []
    for on in (True, False):
        accel.set_enabled(on)
        results.append(ball_counts(cKDTree(xy), count, origin, partner, radius))
    assert np.array_equal(results[0], results[1])
    assert (results[0][1] >= results[0][0]).all() and results[0][0].max() > 100


def test_no_pairs_have_no_counts(restore_accel):
    nothing = np.empty(0, dtype=int)
    for on in (True, False):
        accel.set_enabled(on)
        around, union = ball_counts(
            cKDTree(np.eye(2)), np.ones(2, int), nothing, nothing, np.empty(0)
        )
        assert len(around) == len(union) == 0
