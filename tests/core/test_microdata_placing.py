# SPDX-License-Identifier: GPL-2.0-or-later
"""Anonymised places lie where people live, and nobody's own place comes back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.stats import ks_2samp

from geoanon_qgis.core.microdata.chance import Chance
from geoanon_qgis.core.microdata.placing import fitted_places
from geoanon_qgis.core.microdata.release import anonymize

TOWNS = np.array([[2_000.0, 2_000.0], [9_000.0, 3_000.0], [6_000.0, 9_000.0]])


def towns(rng, n):
    """Three towns, none at the crossing of others, and nobody between."""
    town = rng.integers(0, 3, n)
    xy = TOWNS[town] + np.clip(rng.normal(0, 400, (n, 2)), -900, 900)
    age = np.clip(rng.normal(40 + 10 * town, 12), 0, 99).astype(int)
    return {"x": xy[:, 0].round(), "y": xy[:, 1].round(), "age": age, "ill": rng.random(n) < 0.2}


def placed(data, seed=1, **how):
    rng = np.random.default_rng(seed)
    return anonymize(data, "spectral_swapping", rng, place=("x", "y"), **how)


def in_town(columns):
    """Which town each is in, -1 for none."""
    xy = np.stack([columns["x"], columns["y"]], axis=1)
    near = np.abs(xy[:, None] - TOWNS).max(axis=2) <= 900
    return np.where(near.any(axis=1), near.argmax(axis=1), -1)


@pytest.mark.parametrize(("n", "most"), [(330, 0.035), (500, 0.03), (2_000, 0.01)])
def test_coordinates_have_their_distribution_again(rng, n, most):
    data = towns(rng, n)
    made = placed(data).columns
    for name in ("x", "y"):
        assert ks_2samp(data[name], made[name], method="asymp").statistic <= most


def test_towns_stay_towns_and_nobody_lives_between(rng):
    data = towns(rng, 1_500)
    fitted, published = (
        in_town(placed(data).columns),
        in_town(placed(data, decoding="as_published").columns),
    )
    assert np.mean(fitted == -1) < 0.04 < 0.3 < np.mean(published == -1)
    share = np.bincount(fitted + 1, minlength=4)[1:] / 1_500
    assert share == pytest.approx(np.bincount(in_town(data)) / 1_500, abs=0.03)


def test_three_live_farther_out_than_anybody_is_put(rng):
    data = towns(rng, 600)
    made = placed(data).columns
    for name in ("x", "y"):
        theirs = np.sort(data[name])
        assert np.count_nonzero(theirs < made[name].min()) >= 3 or theirs[2] == theirs[3]
        assert np.count_nonzero(theirs > made[name].max()) >= 3 or theirs[-3] == theirs[-4]


def test_what_a_record_says_goes_with_where_it_is_put(rng):
    data = towns(rng, 3_000)
    made = placed(data).columns
    before, after = (np.corrcoef(one["x"], one["age"])[0, 1] for one in (data, made))
    assert after == pytest.approx(before, abs=0.06)


def test_means_of_groups_are_no_new_people_and_stay_where_they_are(rng):
    data = towns(rng, 300)
    made = anonymize(data, "microaggregation", rng, place=("x", "y"))
    places = np.stack([made.columns["x"], made.columns["y"]], axis=1)
    number = made.group
    for one in range(number.max() + 1):
        rows = number == one
        own = np.stack([data["x"], data["y"]], axis=1)[made.row[rows]]
        np.testing.assert_allclose(
            places[rows], np.tile(own.mean(axis=0).round(), (rows.sum(), 1)), atol=1
        )


def test_nobody_is_put_where_nobody_may_live(rng):
    data = towns(rng, 800)

    def inside(xy):  # a river through each town, of which the originals live on either side
        return np.abs((xy[:, 0] - xy[:, 1]) % 500 - 250) > 20

    keep = inside(np.stack([data["x"], data["y"]], axis=1))
    data = {name: values[keep] for name, values in data.items()}
    made = placed(data, inside=inside)
    assert inside(np.stack([made.columns["x"], made.columns["y"]], axis=1)).all()
    assert made.moved_inside <= 4


points = arrays.arrays(
    float,
    st.tuples(st.integers(1, 60), st.just(2)),
    elements=st.one_of(st.integers(-3, 3).map(float), st.floats(-1e6, 1e6)),
)


@given(points, points, st.integers(0, 99))
@settings(max_examples=150, deadline=None)
def test_any_places_are_put_within_the_originals_always_alike(places, original, seed):
    chance = Chance(np.random.default_rng(seed))
    luck = lambda rows: chance.uniform(rows, slice(0, 2))  # noqa: E731
    made, put = fitted_places(places, original, luck)
    np.testing.assert_array_equal(made, fitted_places(places, original, luck)[0])
    rows = np.arange(len(places))
    first = put(places, rows)
    low, high = original.min(axis=0), original.max(axis=0)
    assert ((made >= low) & (made <= high)).all()
    np.testing.assert_array_equal(first, put(places, rows))
    np.testing.assert_array_equal(first[::-1], put(places[::-1], rows[::-1]))
    assert ((first >= low) & (first <= high)).all()


def test_each_cell_gets_as_many_as_live_in_it(rng):
    """Four villages of twenty-five, far apart, whatever the records looked like."""
    original = np.repeat([[0.0, 0.0], [900.0, 0.0], [0.0, 700.0], [900.0, 700.0]], 25, axis=0)
    original = original + rng.uniform(-9, 9, original.shape)
    cloud = rng.normal(size=(100, 2))
    chance = Chance(rng)
    made, _ = fitted_places(cloud, original, lambda rows: chance.uniform(rows, slice(0, 2)))
    village = 2 * (made[:, 0] > 450) + (made[:, 1] > 350)
    assert np.bincount(village, minlength=4).tolist() == [25] * 4
    west = cloud[made[:, 0] < 450, 0]
    assert west.max() < np.median(cloud[made[:, 0] > 450, 0])
