"""Smoothed distributions: they tell neither anybody's own value nor who is in the file."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from geoanon_qgis.core.microdata.in_units import in_units
from geoanon_qgis.core.microdata.observations import observed_table
from geoanon_qgis.core.microdata.people import People
from geoanon_qgis.core.microdata.release import anonymize
from geoanon_qgis.core.microdata.smoothing import (
    EXTREMES,
    fitted_numbers,
    smoothed,
)
from geoanon_qgis.core.runtime.errors import InputError

#: Instead of how many fields there are.
CLOSELY = 0
NUMBERS = arrays.arrays(np.float64, st.integers(1, 60), elements=st.integers(-9, 9).map(float))
DISTINCT = st.lists(
    st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), min_size=6, max_size=80, unique=True
).map(np.array)


def fitted(original, luck=None, fields=1):
    """As many numbers as there are, in the order of the ranks."""
    return fitted_numbers(np.arange(len(original), dtype=float), original, luck, fields)


def apart(one, other):
    """By how many records two distributions of as many numbers differ."""
    every = np.concatenate([one, other])
    below = [np.searchsorted(np.sort(some), every, side="right") for some in (one, other)]
    return int(np.abs(below[0] - below[1]).max())


def luck(rng):
    numbers = rng.random(70_000)
    return lambda ranks: numbers[ranks]


@settings(max_examples=150, deadline=None)
@given(
    values=NUMBERS,
    original=NUMBERS,
    seed=st.integers(0, 99),
    fields=st.sampled_from([CLOSELY, 1, 5, 28]),
)
def test_fitted_numbers_keep_order_and_range(values, original, seed, fields):
    drawn = luck(np.random.default_rng(seed)) if seed else None
    fitted = fitted_numbers(values, original, drawn, fields)
    order = np.argsort(values, kind="stable")
    assert (np.diff(fitted[order]) >= -1e-12).all()
    assert len(np.unique(fitted)) <= len(np.unique(values))
    assert fitted.min() >= original.min() - 1e-9 and fitted.max() <= original.max() + 1e-9


@settings(max_examples=150, deadline=None)
@given(original=DISTINCT, seed=st.integers(0, 99), fields=st.sampled_from([CLOSELY, 1, 5, 28]))
def test_at_either_end_three_lie_beyond(original, seed, fields):
    """Or half of the numbers, where there are fewer than six: so nobody is alone there."""
    made = fitted(original, luck(np.random.default_rng(seed)), fields)
    assert (original > made.max()).sum() >= EXTREMES
    assert (original < made.min()).sum() >= EXTREMES
    # and by so many the distribution differs at the least
    assert apart(made, original) >= EXTREMES


@pytest.mark.parametrize("fields", [1, 8, 28])
@pytest.mark.parametrize("n", [162, 324, 1_000])
@pytest.mark.parametrize("shape", ["normal", "skewed", "even", "zeros", "households"])
def test_a_distribution_differs_about_as_little_as_cells_allow(rng, n, shape, fields):
    """Compared with two samples of as many; what is left in three cells is about the shape."""
    original = {
        "normal": rng.normal(size=n),
        "skewed": rng.lognormal(9, 0.7, n).round(),
        "even": rng.random(n),
        "zeros": np.where(rng.random(n) < 0.3, 0, rng.lognormal(9, 0.5, n)).round(),
        "households": np.repeat(rng.normal(size=n), rng.integers(1, 5, n))[:n],
    }[shape]
    fresh = 0.87 * np.sqrt(2 * n)
    most = {1: 0.35 * fresh + EXTREMES, 8: 1.5 * fresh, 28: 2 * fresh}[fields]
    for drawn in (None, luck(rng)):
        assert apart(fitted(original, drawn, fields), original) <= most


@pytest.mark.parametrize("n", [324, 500, 1_000, 2_000])
@pytest.mark.parametrize("shape", ["normal", "skewed", "even", "zeros", "ages"])
def test_kept_closely_it_differs_by_a_hundredth(rng, n, shape):
    """Or by three records, of which there are more among few."""
    for _ in range(5):
        original = {
            "normal": rng.normal(size=n),
            "skewed": rng.lognormal(9, 0.7, n).round(),
            "even": rng.random(n),
            "zeros": np.where(rng.random(n) < 0.3, 0, rng.lognormal(9, 0.5, n)).round(),
            "ages": rng.integers(18, 90, n).astype(float),
        }[shape]
        made = fitted(original, luck(rng), CLOSELY)
        if shape in ("skewed", "zeros", "ages"):
            made = made.round()
        assert apart(made, original) <= max(EXTREMES, n // 100)
        if shape in ("normal", "even"):
            assert not np.isin(made, original).any()


@pytest.mark.parametrize("shape", ["normal", "skewed", "zeros"])
def test_of_two_thousand_people_no_field_differs_by_a_hundredth(rng, shape):
    """With fourteen fields of numbers; a little more may be chance."""
    differ = []
    for _ in range(8):
        original = {
            "normal": rng.normal(size=2_000),
            "skewed": rng.lognormal(0, 0.7, 2_000),
            "zeros": np.where(rng.random(2_000) < 0.3, 0, rng.lognormal(0, 0.7, 2_000)),
        }[shape]
        differ.append(apart(fitted(original, luck(rng), 14), original) / 2_000)
    assert np.mean(differ) < 0.009 and max(differ) <= 0.012


# --- who is in the file ---------------------------------------------------------------------------


def found_by_histograms(people, released, others, control, whose=None):
    """Share of the people whom the counts of classes name, where 5 % of a control are (Homer et al. 2008).

    Somebody's score is the sum over fields of the log ratio of the shares of their class, in the
    release and among others; the best of three numbers of classes. ``whose`` says whose the records of
    people and control are: then it is the mean of a person's records.
    """
    found = []
    for classes in (20, 60, 200):
        scores = [np.zeros(len(some)) for some in (people, control)]
        for field in range(people.shape[1]):
            cuts = np.unique(np.quantile(others[:, field], np.arange(1, classes) / classes))
            counted = [
                np.bincount(
                    np.searchsorted(cuts, some[:, field], side="right"), minlength=len(cuts) + 1
                )
                for some in (others, released)
            ]
            share = (counted[0] + 0.5) / (counted[0] + 0.5).sum()
            ratio = np.log((counted[1] + 5 * share) / (len(released) + 5) / share)
            for score, some in zip(scores, (people, control)):
                score += ratio[np.searchsorted(cuts, some[:, field], side="right")]
        if whose:
            scores = [np.bincount(of, one) / np.bincount(of) for of, one in zip(whose, scores)]
        found.append(np.mean(scores[0] >= np.quantile(scores[1], 0.95)))
    return max(found)


def correlated(seed, n, fields):
    """Numbers with three causes, to one decimal."""
    load = np.random.default_rng(fields).normal(size=(3, fields)) / 2
    rng = np.random.default_rng(seed)
    made = rng.normal(size=(n, 3)) @ load + rng.normal(size=(n, fields))
    return (50 + 10 * made / np.sqrt(1 + (load**2).sum(axis=0))).round(1)


@pytest.mark.parametrize(("n", "fields"), [(300, 10), (500, 8), (500, 28), (1_000, 8), (2_000, 28)])
def test_histograms_of_all_fields_do_not_tell_who_is_in_the_file(n, fields):
    others, control = correlated(1, 20_000, fields), correlated(2, 4_000, fields)
    found = {fields: [], 1: [], CLOSELY: []}
    for seed in range(5):
        people = correlated(100 + seed, n, fields)
        for among, shares in found.items():
            drawn = [luck(np.random.default_rng([seed, field])) for field in range(fields)]
            made = [fitted(each, one, among).round(1) for each, one in zip(people.T, drawn)]
            shares.append(found_by_histograms(people, np.stack(made, axis=1), others, control))
    assert np.mean(found[fields]) < 0.11, found
    # as fine as if there was no other field, distributions would tell
    assert np.mean(found[1]) > 0.15 and np.mean(found[CLOSELY]) > 0.15, found


@pytest.mark.parametrize("decimals", [0, 1])
def test_a_release_does_not_tell_by_histograms_who_is_in_it(decimals):
    found = []
    others, control = (
        correlated(seed, n, 8).round(decimals) for seed, n in ((1, 20_000), (2, 4_000))
    )
    for seed in range(3):
        people = correlated(200 + seed, 500, 8).round(decimals)
        data = {f"v{at}": each for at, each in enumerate(people.T)}
        made = anonymize(data, "spectral_swapping", np.random.default_rng(seed)).columns
        released = np.stack([made[name] for name in data], axis=1)
        found.append(found_by_histograms(people, released, others, control))
    assert np.mean(found) < 0.12, found


def test_zeros_stay_where_cells_are_larger_than_they(rng):
    incomes = np.where(rng.random(500) < 0.1, 0, rng.lognormal(9, 0.5, 500)).round()
    made = fitted(incomes, luck(rng), fields=28)
    least = incomes[incomes > 0].min()
    assert (made == 0).sum() == (incomes == 0).sum() and not ((made > 0) & (made < least)).any()


def test_few_different_values_stay_where_cells_are_larger_than_they(rng):
    doses = rng.choice([0.5, 1.0, 2.5, 5.0, 7.5], 500)
    made = fitted(doses, luck(rng), fields=28)
    np.testing.assert_array_equal(np.sort(made), np.sort(doses))


def test_the_shares_of_ages_are_not_told(rng):
    """With eight fields ages are a smooth curve: the nearest age's count tells as much as the own."""
    ages = rng.integers(20, 80, 500).astype(float)
    count = np.bincount(ages.astype(int), minlength=80)[23:77]
    for fields, (low, high) in {1: (0.5, 1), 8: (-0.3, 0.3)}.items():
        made = fitted(ages, None, fields).round().astype(int)
        after = np.bincount(made, minlength=80)[23:77]
        assert low <= np.corrcoef(count, after)[0, 1] <= high


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


def test_only_borders_of_cells_are_the_originals(rng):
    """So a number may lie anywhere in its cell, and the curve is the same."""
    original = np.sort(rng.normal(size=400))
    ranks, values = smoothed(original, fields=8)
    assert (np.diff(ranks) >= 0).all() and (np.diff(values) >= -1e-12).all()
    assert ranks[0] == 0 and ranks[-1] == 1
    changed = []
    for at in range(400):
        other = original.copy()
        between = original[max(at - 1, 0) : at + 2]
        other[at] = (between.min() + between.max()) / 2
        changed.append(not np.allclose(smoothed(other, fields=8)[1], values, atol=1e-12))
    assert sum(changed) <= 2 * (400 // 48 + 1)
    made = fitted(original, luck(rng))
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
    assert units.outside == 0 and units.largest[0] <= 0.035, units.largest
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


# --- people with several records ------------------------------------------------------------------


def visits(rng, people, fields=1):
    """Whose each of some thousand records is, and numbers of which the first is a person's in all of hers."""
    each = np.clip(rng.poisson(6, people), 1, None)
    whose = np.repeat(np.arange(people), each)
    own = rng.normal(size=(people, fields))[whose]
    numbers = 0.9 * own + np.sqrt(0.19) * rng.normal(size=own.shape)
    numbers[:, 0] = own[:, 0]
    return whose, numbers.round(3)


@pytest.mark.parametrize("fields", [CLOSELY, 1, 8])
def test_three_people_lie_beyond_either_end_however_many_records_they_have(fields):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        whose, numbers = visits(rng, 300)
        original = numbers[:, 0]
        made = fitted_numbers(original, original, luck(rng), fields, whose)
        for beyond in (original > made.max(), original < made.min()):
            assert len(set(whose[beyond])) >= EXTREMES
        # by records, the tallest one's height would be the largest number that is released
        assert fitted(original, luck(rng), fields).max() == original.max()


def test_what_one_person_has_in_all_of_her_records_is_no_value_of_its_own(rng):
    whose = np.concatenate([np.arange(500), np.full(80, 7)])
    original = np.append(rng.normal(size=500), np.full(80, 0.123456))
    original[7] = 0.123456
    assert (fitted(original) == 0.123456).sum() > 50  # so it is by records
    assert not (fitted_numbers(original, original, None, 1, whose) == 0.123456).any()
    # what many have stays one
    whose, original = np.repeat(np.arange(300), 3), np.repeat(rng.normal(size=300), 3)
    original[:300] = 0.0
    made = fitted_numbers(original, original, None, 1, whose)
    assert (made == 0).sum() == pytest.approx(300, abs=3)


def test_whose_each_record_is_is_said_of_all(rng):
    with pytest.raises(InputError, match="of 40 it is said of 7"):
        anonymize({"age": rng.normal(size=40)}, "spectral_swapping", rng, whose=np.arange(7))


def test_no_border_lies_within_the_readings_of_one_person():
    """Forty readings of one patient are the smallest above zero."""
    rng = np.random.default_rng(3)
    whose = np.concatenate([np.arange(50), np.full(40, 50), np.arange(51, 81)])
    original = np.concatenate([np.zeros(50), rng.uniform(0.1, 0.2, 40), rng.uniform(1, 2, 30)])
    for seed in range(20):
        drawn = luck(np.random.default_rng(seed))
        made = fitted_numbers(original, original, drawn, 1, whose)
        assert (np.diff(made[np.argsort(original, kind="stable")]) >= -1e-12).all()
        assert not np.isin(made[made > 0], original).any()


def test_whoever_is_alone_in_a_file_has_her_records_counted(rng):
    original = rng.normal(size=30)
    made = fitted_numbers(original, original, luck(rng), 1, np.zeros(30, dtype=int))
    assert (original > made.max()).sum() >= EXTREMES


def test_who_has_no_name_is_somebody_else(rng):
    numbers = rng.normal(size=40)
    named = ["a", "a", None, np.nan, *map(str, range(36))]
    made = anonymize({"v": numbers, "w": numbers**2}, "spectral_swapping", rng, whose=named)
    assert len(made.columns["v"]) == 40
    assert People.named(named).count == 39


@pytest.mark.parametrize(
    ("method", "decoding"),
    [
        ("spectral_rhs", "calibrated"),
        ("spectral_swapping", "as_published"),
        ("cell_swapping", "calibrated"),
    ],
)
def test_where_people_are_not_counted_it_is_said(rng, method, decoding):
    data = {"v": rng.normal(size=60), "w": rng.normal(size=60)}
    made = anonymize(data, method, rng, decoding=decoding, whose=np.arange(60) // 3)
    assert any("Choose spectral_swapping" in note for note in made.notes)
    made = anonymize(data, method, rng, decoding=decoding)
    assert not any("people have several" in note for note in made.notes)


def test_of_one_record_each_people_are_records(rng):
    original = np.append(rng.normal(size=300).round(1), np.zeros(40))
    whose = rng.permutation(340)
    drawn = luck(np.random.default_rng(1))
    by_people = fitted_numbers(original, original, drawn, 3, whose)
    np.testing.assert_array_equal(by_people, fitted_numbers(original, original, drawn, 3))


@settings(max_examples=150, deadline=None)
@given(original=NUMBERS, people=st.integers(1, 40), fields=st.sampled_from([CLOSELY, 1, 5, 28]))
def test_whoever_has_how_many_numbers_keep_their_order_and_range(original, people, fields):
    rng = np.random.default_rng(people)
    whose = rng.integers(0, people, len(original))
    made = fitted_numbers(original, original, luck(rng), fields, whose)
    assert (np.diff(made[np.argsort(original, kind="stable")]) >= -1e-12).all()
    assert made.min() >= original.min() - 1e-9 and made.max() <= original.max() + 1e-9


def test_histograms_do_not_tell_whose_visits_are_in_a_release():
    """Whoever knows all records of a person adds up what they tell; 800 other people are the control."""
    others, (of, control) = (
        visits(np.random.default_rng(1), 4_000, 8)[1],
        visits(np.random.default_rng(2), 800, 8),
    )
    found: dict[bool, list] = {True: [], False: []}
    for seed in range(4):
        whose, numbers = visits(np.random.default_rng(100 + seed), 250, 8)
        data = {f"v{at}": each for at, each in enumerate(numbers.T)}
        for known, shares in found.items():
            rng = np.random.default_rng(seed)
            made = anonymize(data, "spectral_swapping", rng, whose=whose if known else None).columns
            released = np.stack([made[name] for name in data], axis=1)
            shares.append(found_by_histograms(numbers, released, others, control, (whose, of)))
    assert np.mean(found[True]) < 0.125 and np.mean(found[True]) < np.mean(found[False]), found
