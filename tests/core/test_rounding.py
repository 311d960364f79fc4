# SPDX-License-Identifier: GPL-2.0-or-later
"""Rounded releases never exceed the true distances, not by the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from geoanon_qgis.core.distances.lipschitz import lipschitz_distances
from geoanon_qgis.core.distances.rounding import decimals_of, round_down, round_nearest
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import METRICS, metric_for

pyproj = pytest.importorskip("pyproj")


def never(i, j):
    raise AssertionError("no digit was in doubt")


@given(
    st.integers(0, 10_000),
    st.sampled_from(METRICS),
    st.integers(1, 40),
    st.integers(1, 6),
    st.sampled_from([1e-6, 1e-3, 1.0, 15.0]),
    st.integers(-4, 9),
    st.sampled_from([1, 1000]),
    st.sampled_from([1, 5, 250]),
)
@example(1, "planar", 30, 1, 1e-3, 3, 1, 1)
@example(2, "geodesic", 30, 1, 1e-6, 9, 1, 1)
def test_contraction_holds_for_every_pair(seed, name, sets, size, side, decimals, factor, multiple):
    rng = np.random.default_rng(seed)
    wkt, at, scale = (
        ("EPSG:28992", (1e5, 4e5), 1e4)
        if name == "planar"
        else ("EPSG:4326", (rng.uniform(-180, 160), rng.uniform(-89, 74)), 1.0)
    )
    metric = metric_for(name, wkt)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * side * scale + at
    area = StudyArea.of_rings([corners], wkt)
    # On a line, where the embedding loses least and rounding can lift most.
    points = corners[0] + rng.random((20, 1)) * (corners[2] - corners[0])
    points[5] = points[6]
    own = metric.coordinates(points)
    released = round_down(
        lipschitz_distances(points, area, metric, sets, size, rng),
        20,
        decimals,
        factor,
        lambda i, j: metric.between(own[i], own[j]),
        metric.slack_at(own),
        multiple=multiple,
    )
    i, j = np.triu_indices(20, 1)
    assert (np.rint(released * 10.0**decimals) % multiple == 0).all()
    if name == "geodesic":
        # pyproj's own answer, in one call.
        true = pyproj.CRS(wkt).get_geod().inv(*own[i].T, *own[j].T)[2]
    else:
        true = metric.between(own[i], own[j])
    assert (released <= true / factor).all()
    assert (released >= 0).all()
    written = np.array([float(f"{value:.{max(decimals, 0)}f}") for value in released])
    assert np.array_equal(written, released)
    if decimals < 0:
        assert (released % 10.0**-decimals == 0).all()


@pytest.mark.parametrize(
    ("decimals", "factor", "expected"),
    [
        (2, 1, [0.0, 12.34, 999.99]),
        (0, 1, [0, 12, 999]),
        (-2, 1, [0, 0, 900]),
        (3, 1000, [0, 0.012, 0.999]),
    ],
)
def test_digits_by_hand(decimals, factor, expected):
    x = np.array([0.0, 12.3456, 999.9999])
    assert round_down(x, 3, decimals, factor, never, 1e-9).tolist() == expected


def test_a_last_digit_lost_to_rounding_is_given_back_if_the_truth_allows():
    almost = np.array([0.3 - 1e-12] * 3)
    for truth, expected in ((0.3, 0.3), (0.3 - 1e-13, 0.2)):
        got = round_down(almost, 3, 1, 1, lambda i, j, t=truth: np.full(len(i), t), 1e-9)
        assert got.tolist() == [expected] * 3


def test_what_rounding_errors_lifted_is_lowered():
    # Computed 2e-9 above the truth, just on a step.
    asked = []

    def exact(i, j):
        asked.extend(zip(i.tolist(), j.tolist()))
        return np.full(len(i), 5.0 - 2e-9)

    x = np.array([5.0, 4.5, 5.0, 3.2, 1.0, 5.0])
    got = round_down(x, 4, 0, 1, exact, 1e-8)
    assert got.tolist() == [4.0, 4.0, 4.0, 3.0, 1.0, 4.0]
    # The pairs of four points in condensed order: first, third, fifth and last.
    assert asked == [(0, 1), (0, 3), (1, 3), (2, 3)]


def test_more_decimals_than_doubles_hold_change_nothing_but_the_excess():
    truth = np.array([1234567.123456789])
    got = round_down(truth + 1e-8, 2, 12, 1, lambda i, j: truth, 1e-7)
    assert got[0] <= truth[0] and got[0] == pytest.approx(truth[0], abs=1e-9)


def test_in_place_and_over_blocks(rng):
    x = rng.random(45) * 100
    truth = {pair: value for pair, value in zip(zip(*np.triu_indices(10, 1)), x)}

    def exact(i, j):
        return np.array([truth[a, b] for a, b in zip(i, j)])

    whole = round_down(x, 10, 9, 1, exact, 1e-7)
    few = {"at_once": (7, 2)}
    assert np.array_equal(round_down(x, 10, 9, 1, exact, 1e-7, **few), whole)
    expected = x.copy()
    assert round_down(x, 10, 9, 1, exact, 1e-7, out=x, **few) is x
    assert np.array_equal(x, whole) and (x <= expected).all()


def test_nearest():
    x = np.array([0.0, 12.345, 1500.0, 2549.0])
    assert round_nearest(x, 1, 1).tolist() == [0.0, 12.3, 1500.0, 2549.0]
    assert round_nearest(x, -2, 1).tolist() == [0, 0, 1500, 2500]
    assert round_nearest(x, 2, 1000).tolist() == [0.0, 0.01, 1.5, 2.55]
    assert round_nearest(x, 0, 1, out=x) is x


@given(st.integers(0, 10_000), st.integers(1, 60), st.sampled_from([-9, -7, -6, -3, 0, 1, 2, 5, 9]))
@example(0, 1, -9)
@example(0, 3, 1)
def test_the_step_of_a_release_is_never_taken_to_be_finer(seed, count, decimals):
    """Else true pairs would be refused; by chance a few distances may look coarser."""
    rng = np.random.default_rng(seed)
    steps = rng.integers(1, 10**5, count)
    told = decimals_of(round_nearest(steps * 10.0**-decimals, decimals, 1))
    assert told is not None and told <= decimals
    if count > 12:  # one in 10^12 does not end in a zero
        assert told == decimals


@pytest.mark.parametrize("decimals", [-2, 0, 1, 2])
def test_the_step_of_a_release_in_single_precision(rng, decimals):
    x = round_nearest(rng.uniform(0, 300, 50) * 10.0 ** -min(decimals, 0), decimals, 1)
    assert decimals_of(x.astype(np.float32).astype(float)) == decimals
    assert decimals_of(rng.uniform(0, 300, 50).astype(np.float32).astype(float)) is None


def test_distances_that_were_not_rounded_have_no_step(rng):
    assert decimals_of(rng.uniform(0, 1e5, 3)) is None
    assert decimals_of(np.array([1e5 / 3])) is None


def test_bad_decimals_and_a_cancel():
    with pytest.raises(InputError, match="decimals"):
        round_down(np.zeros(1), 2, 40, 1, never, 0.0)
    with pytest.raises(InputError, match="decimals"):
        round_nearest(np.zeros(1), -10, 1)

    def cancel(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        round_down(np.zeros(1), 2, 0, 1, never, 0.0, cancel)


def test_nothing_to_round():
    assert round_down(np.empty(0), 1, 3, 1, never, 1e-7).shape == (0,)
