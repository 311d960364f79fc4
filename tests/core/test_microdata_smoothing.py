"""Smoothed distributions: as near to the original's as nobody's own value lets them be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from geoanon_qgis.core.microdata.in_units import in_units
from geoanon_qgis.core.microdata.observations import observed_table
from geoanon_qgis.core.microdata.release import anonymize
from geoanon_qgis.core.microdata.smoothing import (
    EXTREMES,
    IN_CELL,
    fitted_numbers,
    smoothed,
)

NUMBERS = arrays.arrays(np.float64, st.integers(1, 60), elements=st.integers(-9, 9).map(float))
DISTINCT = st.lists(
    st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), min_size=6, max_size=80, unique=True
).map(np.array)


def fitted(original, luck=None):
    """As many numbers as there are, in the order of the ranks."""
    return fitted_numbers(np.arange(len(original), dtype=float), original, luck)


def apart(one, other):
    """By how many records two distributions of as many numbers differ."""
    every = np.concatenate([one, other])
    below = [np.searchsorted(np.sort(some), every, side="right") for some in (one, other)]
    return int(np.abs(below[0] - below[1]).max())


def luck(rng):
    numbers = rng.random(30_000)
    return lambda ranks: numbers[ranks]


@settings(max_examples=150, deadline=None)
@given(values=NUMBERS, original=NUMBERS)
def test_fitted_numbers_keep_order_and_range(values, original):
    fitted = fitted_numbers(values, original)
    order = np.argsort(values, kind="stable")
    assert (np.diff(fitted[order]) >= -1e-12).all()
    assert len(np.unique(fitted)) <= len(np.unique(values))
    assert fitted.min() >= original.min() - 1e-9 and fitted.max() <= original.max() + 1e-9


@settings(max_examples=150, deadline=None)
@given(original=DISTINCT, seed=st.integers(0, 99))
def test_at_either_end_three_lie_beyond(original, seed):
    """Or half of the numbers, where there are fewer than six: so nobody is alone there."""
    made = fitted(original, luck(np.random.default_rng(seed)))
    assert (original > made.max()).sum() >= EXTREMES
    assert (original < made.min()).sum() >= EXTREMES
    # and they are as many as the distribution differs by at the least
    assert apart(made, original) >= EXTREMES


@pytest.mark.parametrize("n", [162, 324, 1_000])
@pytest.mark.parametrize("shape", ["normal", "skewed", "households"])
def test_a_distribution_differs_by_what_its_ends_ask_for(rng, n, shape):
    original = {
        "normal": rng.normal(size=n),
        "skewed": rng.lognormal(9, 1, n).round(),
        "households": np.repeat(rng.normal(size=n), rng.integers(1, 5, n))[:n],
    }[shape]
    # evenly spaced, only numbers of households may lie elsewhere within a cell
    evenly = {True: 7, False: EXTREMES + 2 * (n == 1_000)}[shape == "households"]
    assert apart(fitted(original), original) <= evenly
    by_chance = {True: 8, False: max(EXTREMES, n // 100)}[shape == "households"]
    assert apart(fitted(original, luck(rng)), original) <= by_chance


def test_no_continuous_number_is_given_back(rng):
    for n in (20, 162, 700):
        original = rng.normal(size=n)
        made = fitted(original, luck(rng))
        assert not np.isin(made, original).any()


def test_one_person_between_two_heaps_is_not_given_back(rng):
    original = np.repeat([0.0, 5.0, 10.0], [100, 1, 100])
    made = fitted(original)
    assert set(made) == {0.0, 10.0} and apart(made, original) <= 1
    original = np.repeat([0.0, 3.0, 5.0, 7.0, 10.0], [100, 1, 2, 1, 100])
    made = fitted(original)
    assert set(made) == {0.0, 10.0} and apart(made, original) <= 2


def test_one_person_beyond_a_heap_is_not_given_back():
    original = np.append(np.zeros(50), [7.0])
    assert (fitted(original) == 0).all()
    original = np.append(
        np.zeros(50), [7.0, 8.0, 9.0, 10.0]
    )  # three are one end, the heap the other
    made = fitted(original)
    assert set(made) == {0.0, 7.5} and (made > 0).sum() in (3, 4)


def test_numbers_that_all_have_are_given_back_exactly(rng):
    original = np.repeat([0.0, 1.0, 5.0], [200, 300, 500])
    fitted = fitted_numbers(rng.normal(size=1_000), original)
    np.testing.assert_array_equal(np.sort(fitted), original)


def test_a_cell_has_its_mean_and_at_least_five_records(rng):
    original = np.sort(rng.normal(size=400))
    ranks, values = smoothed(original)
    assert (np.diff(ranks) >= 0).all() and (np.diff(values) >= -1e-12).all()
    assert ranks[0] == 0 and ranks[-1] == 1
    # flat ends, then three nodes for each cell
    begins, ends = ranks[2:-2:3] * 400, ranks[4:-2:3] * 400
    assert (ends - begins >= IN_CELL - 1e-9).all() and len(begins) == (400 - 6) // IN_CELL
    made = fitted(original)
    for begin, end in zip(begins.round().astype(int), ends.round().astype(int)):
        spread = original[end] - original[begin - 1]
        assert abs(made[begin:end].mean() - original[begin:end].mean()) < 0.3 * spread
    assert abs(made[3:-3].mean() - original[3:-3].mean()) < 0.01


def test_borders_are_drawn_so_that_neither_number_tells_the_other(rng):
    original = rng.normal(size=60)
    some = [fitted(original, luck(np.random.default_rng(seed))).max() for seed in range(20)]
    low, high = np.sort(original)[-4:-2]
    share = (np.array(some) - low) / (high - low)
    assert share.min() >= 0.25 and share.max() <= 0.75 and len(set(some)) == 20


def test_a_release_of_few_people_has_their_distributions(rng):
    n = 324
    age = rng.integers(18, 90, n)
    data = {
        "age": age,
        "income": np.where(rng.random(n) < 0.3, 0, rng.lognormal(9.5, 0.6, n)).round(),
        "children": rng.poisson(1.2, n).clip(0, 7),
        "weight": rng.lognormal(4.2, 0.25, n).round(1),
    }
    made = anonymize(data, "spectral_swapping", rng)
    units = in_units(observed_table(data), made.columns, made.coding)
    assert units.outside == 0 and units.largest[0] <= (EXTREMES + 1e-6) / n, units.largest
    for name in ("income", "weight"):
        assert (data[name] >= made.columns[name].max()).sum() >= EXTREMES


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7, 9])
def test_very_few_numbers(rng, n):
    original = rng.normal(size=n)
    made = fitted(original)
    assert made.min() >= original.min() and made.max() <= original.max()
    if n > 1:
        assert not np.isin(made, original).any()


def test_within_cells_chance_has_values_as_often_as_a_fresh_sample(rng):
    """Of ages that one person has, about as many come back once as of others' ages."""

    def alone(values):
        found, count = np.unique(values, return_counts=True)
        return found[count == 1]

    told = {"evenly": [], "by chance": [], "fresh": []}
    for _ in range(60):
        ages = rng.gamma(4, 10, 162).astype(int).astype(float)
        once = alone(ages)
        made = {
            "evenly": fitted(ages),
            "by chance": fitted(ages, luck(rng)),
            "fresh": rng.gamma(4, 10, 162).astype(int),
        }
        for name, some in made.items():
            some = np.round(some)
            some = some[(some > some.min()) & (some < some.max())]
            told[name].append(np.isin(alone(some), once).sum() / max(len(alone(some)), 1))
    evenly, by_chance, fresh = (np.mean(some) for some in told.values())
    assert evenly > fresh + 0.1 and by_chance < fresh + 0.6 * (evenly - fresh)


def test_nobody_is_put_between_a_heap_and_the_next_number(rng):
    incomes = np.r_[np.zeros(50), rng.uniform(1_000, 2_000, 100), np.full(40, 9_000.0)]
    for made in (fitted(incomes), fitted(incomes, luck(rng))):
        assert not ((made > 0) & (made < 1_000)).any()
        assert not ((made > 2_000) & (made < 9_000)).any()
        assert apart(made, incomes) <= 6
