# SPDX-License-Identifier: GPL-2.0-or-later
"""Shortest intervals of embedded distances, against a direct search and fresh embeddings."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import pdist, squareform

from geoanon_qgis.core.attacks.linkage import compatibility, tolerance
from geoanon_qgis.core.distances import lipschitz
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

SQUARE = np.array([[0.0, 0.0], [1000.0, 0.0], [1000.0, 1000.0], [0.0, 1000.0]])
ALPHAS = (0.1, 0.5, 0.9)


@pytest.fixture(scope="module")
def area():
    return StudyArea.of_rings([SQUARE], None)


@pytest.fixture(scope="module")
def metric():
    return metric_for("planar", None)


def shortest_directly(values, share):
    """Length of the shortest interval between two values that holds at least the share."""
    best = math.inf
    for low in values:
        for high in values:
            if low <= high and np.sum((values >= low) & (values <= high)) >= share * len(values):
                best = min(best, high - low)
    return best


@given(
    arrays(np.float64, st.integers(1, 25), elements=st.integers(0, 30).map(float)),
    st.integers(1, 99).map(lambda percent: percent / 100),
)
def test_window_is_the_shortest_that_holds_the_share(values, share):
    lower, upper = tolerance.shortest_windows(np.sort(values)[None, :], share)
    held = np.sum((values >= lower[0]) & (values <= upper[0]))
    assert held >= share * len(values) - 1e-9
    assert upper[0] - lower[0] == shortest_directly(values, share)


def test_window_by_hand():
    lower, upper = tolerance.shortest_windows(np.array([[0.0, 5.0, 6.0, 7.0, 20.0]]), 0.6)
    assert (lower[0], upper[0]) == (5.0, 7.0)


def test_a_tenth_of_a_thousand_is_a_hundred():
    values = np.arange(1000.0)[None, :]
    lower, upper = tolerance.shortest_windows(values, 0.1)
    assert (lower[0], upper[0]) == (0.0, 99.0)


def test_intervals_are_those_of_the_embeddings(area, metric):
    """The same embeddings, made one by one with the public functions."""
    points = area.sample(12, np.random.default_rng(0))
    found = tolerance.tolerance_intervals(
        points,
        area,
        metric,
        3,
        2,
        ALPHAS,
        30,
        rng=np.random.default_rng(1),
        at_once=(10**9, 1),  # one embedding at a time
    )
    rng = np.random.default_rng(1)
    distances = [lipschitz.lipschitz_distances(points, area, metric, 3, 2, rng) for _ in range(50)]
    distances = np.array(distances, dtype=np.float32).T
    values = np.sort(distances[:, :30], axis=1)
    for index, alpha in enumerate(ALPHAS):
        lower, upper = tolerance.shortest_windows(values, alpha)
        assert np.array_equal(found.lower[index], lower)
        assert np.array_equal(found.upper[index], upper)
        fresh = distances[:, 30:]
        held = np.mean((fresh >= lower[:, None]) & (fresh <= upper[:, None]))
        assert found.coverage[index] == pytest.approx(held)


def test_many_blocks_and_no_numba_give_the_same(area, metric):
    points = area.sample(20, np.random.default_rng(0))

    def intervals(block):
        return tolerance.tolerance_intervals(
            points,
            area,
            metric,
            5,
            3,
            ALPHAS,
            40,
            rng=np.random.default_rng(2),
            at_once=(block, 10**8),
        )

    few = 4 * 60 * 25
    once, in_blocks = intervals(10**9), intervals(few)
    compiled = accel.enabled()
    accel.set_enabled(False)
    try:
        plain = intervals(few)
    finally:
        accel.set_enabled(compiled)
    for other in (in_blocks, plain):
        assert np.array_equal(once.lower, other.lower)
        assert np.array_equal(once.upper, other.upper)
        assert np.array_equal(once.coverage, other.coverage)


def test_the_generator_ends_in_the_same_place_however_many_blocks(area, metric):
    points = area.sample(10, np.random.default_rng(0))
    after = []
    for size in (10**9, 4 * 60 * 12):
        rng = np.random.default_rng(3)
        tolerance.tolerance_intervals(
            points, area, metric, 2, 2, ALPHAS, 10, rng=rng, at_once=(size, 10**8)
        )
        after.append(rng.random())
    assert after[0] == after[1]


@given(st.integers(0, 40), st.integers(1, 200))
def test_row_blocks_cover_every_row_once(rows, most):
    starts = tolerance._row_starts(rows)
    blocks = tolerance._row_blocks(starts, most)
    assert [row for first, last in blocks for row in range(first, last)] == list(range(rows))
    assert all(starts[last] - starts[first] <= most or last == first + 1 for first, last in blocks)


def test_coverage_comes_near_alpha_with_many_embeddings(area, metric):
    points = area.sample(40, np.random.default_rng(0))
    few, many = (
        tolerance.tolerance_intervals(
            points, area, metric, 20, 10, ALPHAS, count, rng=np.random.default_rng(4)
        ).coverage
        for count in (60, 1000)
    )
    assert np.abs(many - ALPHAS).max() < 0.04
    # The shortest interval of a small sample covers too little (by .04 with 100 embeddings).
    assert few[1] < many[1] + 0.01 and few[2] < many[2]


def test_intervals_respect_contraction_and_symmetry(area, metric):
    points = area.sample(15, np.random.default_rng(0))
    points[1] = points[0]
    narrow, wide = compatibility.lipschitz_intervals(
        points, area, metric, 5, 2, (0.3, 0.8), 50, rng=np.random.default_rng(5)
    )
    true = squareform(pdist(points))
    for intervals in (narrow, wide):
        assert intervals.closed and 0 < intervals.coverage < 1
        assert np.array_equal(intervals.lower, intervals.lower.T)
        assert (intervals.upper <= true * (1 + 1e-6) + 1e-9).all()
        assert intervals.lower[0, 1] == intervals.upper[0, 1] == 0
    assert (wide.upper - wide.lower >= narrow.upper - narrow.lower).all()


def test_bad_input_and_cancel(area, metric):
    points = area.sample(5, np.random.default_rng(0))
    rng = np.random.default_rng(6)
    with pytest.raises(InputError, match="alpha"):
        compatibility.lipschitz_intervals(points, area, metric, 5, 2, (1.0,), rng=rng)
    with pytest.raises(InputError, match="embedding"):
        tolerance.tolerance_intervals(points, area, metric, 5, 2, (0.5,), 0, rng=rng)

    def cancel(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        tolerance.tolerance_intervals(
            points, area, metric, 5, 2, (0.5,), 10, rng=rng, progress=cancel
        )
