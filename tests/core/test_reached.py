# SPDX-License-Identifier: GPL-2.0-or-later
"""Which places reach a point, against every pair: compiled and by trees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.space.reached import Reach


@pytest.fixture(params=[True, False], ids=["numba", "trees"])
def kernels(request):
    if request.param and not accel.available():
        pytest.skip("numba is not installed")
    was = accel.enabled()
    accel.set_enabled(request.param)
    yield request.param
    accel.set_enabled(was)


def every_pair(points, places, reach):
    gap = points[:, None] - places[None]
    away = np.sqrt(gap[..., 0] * gap[..., 0] + gap[..., 1] * gap[..., 1])
    point, place = np.nonzero(away <= reach)
    return np.bincount(point, minlength=len(points)), place, away[point, place]


def found(points, places, reach, progress=lambda fraction: None):
    lots = list(Reach(places, reach).lots(points, progress))
    rows = [row for lot in lots for row in range(lot.start, lot.start + len(lot.many))]
    assert rows == list(range(len(points)))
    fields = ("many", "place", "distance")
    return [np.concatenate([[], *(getattr(lot, one) for lot in lots)]) for one in fields]


def agree(points, places, reach):
    for one, other in zip(found(points, places, reach), every_pair(points, places, reach)):
        assert np.array_equal(one, other)


@given(
    st.integers(0, 10_000),
    st.integers(0, 60),
    st.integers(1, 200),
    st.sampled_from([1, 3, 1000]),
    st.sampled_from([0.0, 1e5, -7e6]),
)
def test_all_pairs_are_found_in_order(seed, points, places, wide, away):
    rng = np.random.default_rng(seed)
    # Whole numbers: ties, pairs at the very end of a reach, and several at one place.
    xy = rng.integers(0, 60 * wide, (places, 2)) + away
    asked = rng.integers(-20, 60 * wide + 20, (points, 2)) + away
    reach = rng.choice([5.0, 13.0, 25.0 * wide, 0.0, -1.0], places)
    was = accel.enabled()
    try:
        for on in {accel.available(), False}:
            accel.set_enabled(on)
            agree(asked, xy, reach)
            agree(asked, xy, np.full(places, 13.0))
    finally:
        accel.set_enabled(was)


def test_reaches_of_every_size_side_by_side(kernels):
    rng = np.random.default_rng(4)
    places = rng.uniform(0, 1e4, (3000, 2))
    reach = np.exp(rng.uniform(np.log(1e-4), np.log(1e5), 3000))
    agree(rng.uniform(-1e4, 2e4, (300, 2)), places, reach)
    agree(places[:50], places, reach)


def test_two_towns_at_the_ends_of_the_world(kernels):
    rng = np.random.default_rng(5)
    places = rng.normal(0, 100, (2000, 2)) + np.where(rng.random((2000, 1)) < 0.5, 2e7, -2e7)
    agree(places[::20] + 1.0, places, rng.uniform(1, 80, 2000))


def test_nobody_reaches_nobody(kernels):
    some = np.zeros((3, 2))
    assert [len(one) for one in found(some, some, np.full(3, -1.0))] == [3, 0, 0]
    assert [len(one) for one in found(some[:0], some, np.full(3, 1.0))] == [0, 0, 0]
    assert Reach(some, np.full(3, -1.0)).expected(some) == 0
    assert Reach(some, np.full(3, 1.0)).expected(some) == 9
    assert Reach(some, np.full(3, 1.0)).expected(some[:0]) == 0


def test_pairs_are_told_beforehand(kernels):
    rng = np.random.default_rng(6)
    places, points = rng.uniform(0, 1000, (5000, 2)), rng.uniform(0, 1000, (2000, 2))
    reach = Reach(places, np.full(5000, 40.0))
    total = sum(len(lot.place) for lot in reach.lots(points))
    assert reach.expected(points) == pytest.approx(total, rel=0.1)


def test_it_can_be_cancelled_and_tells_how_far_it_is(kernels):
    rng = np.random.default_rng(7)
    places, points = rng.uniform(0, 100, (4000, 2)), rng.uniform(0, 100, (3000, 2))
    told = []
    found(points, places, np.full(4000, 30.0), told.append)
    assert told == sorted(told) and told[-1] == 1.0 and len(told) >= 4

    def cancel(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        found(points, places, np.full(4000, 30.0), cancel)
