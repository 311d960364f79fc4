# SPDX-License-Identifier: GPL-2.0-or-later
"""Fields of a release have the original's distributions, and nobody's own extremes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.microdata.calibration import (
    counts_of,
    offsets_of_choices,
    offsets_of_means,
)
from geoanon_qgis.core.microdata.in_units import in_units
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.methods import AS_PUBLISHED, CLOSELY, CORRESPOND, DECODINGS
from geoanon_qgis.core.microdata.observations import observed_table
from geoanon_qgis.core.microdata.release import anonymize
from geoanon_qgis.core.microdata.rules import all_obeyed, found_rules
from geoanon_qgis.core.runtime.errors import InputError

DECODED = ["spectral_swapping", *CORRESPOND]


def survey(rng, n=2_000):
    """Mixed kinds: skewed, zeros for a third, rare categories, missing values."""
    age = np.clip(rng.gamma(4, 10, n), 0, 95).astype(int)
    marital = rng.choice(
        ["married", "never", "widowed", "divorced", "separated"], n, p=[0.55, 0.25, 0.08, 0.1, 0.02]
    )
    income = np.where(rng.random(n) < 0.3, 0.0, np.exp(9.5 + 0.01 * age + rng.normal(0, 0.7, n)))
    smokes = rng.choice(["yes", "no", "ex"], n, p=[0.2, 0.6, 0.2]).astype(object)
    smokes[rng.random(n) < 0.06] = None
    chol = (180 + 0.4 * age + rng.normal(0, 35, n)).round()
    chol[rng.random(n) < 0.1] = np.nan
    return {
        "age": age,
        "marital": marital,
        "income": income.round(),
        "diabetes": rng.random(n) < 1 / (1 + np.exp(-(age - 75) / 12)),
        "weight": np.exp(rng.normal(4.2, 0.25, n)).round(1),
        "children": rng.poisson(1.2, n).clip(0, 7),
        "smokes": smokes,
        "cholesterol": chol,
    }


def compared(data, made):
    return in_units(observed_table(data), made.columns, made.coding)


@pytest.mark.parametrize("categories_as", ["most_probable", "draw", "probabilities"])
@pytest.mark.parametrize("method", ["spectral_swapping", "spectral_rhs"])
def test_every_field_has_its_distribution_again(rng, method, categories_as):
    data = survey(rng)
    made = anonymize(data, method, rng, categories_as=categories_as)
    units = compared(data, made)
    assert units.outside == 0
    assert units.largest[0] <= (0.01 if method == "spectral_swapping" else 0.02), units.largest


def test_kept_closely_small_files_have_their_distributions_and_it_is_said(rng):
    data = survey(rng, 324)
    made = anonymize(data, "spectral_swapping", rng, decoding=CLOSELY)
    units = compared(data, made)
    there = int((~np.isnan(data["cholesterol"])).sum())  # the fewest values of a field
    assert units.outside == 0 and units.largest[0] <= 3 / there + 0.001, units.largest
    assert any("whether the person is in the table" in note for note in made.notes)
    made = anonymize(data, "spectral_swapping", rng)
    assert not any("whether the person is in the table" in note for note in made.notes)


def test_as_published_it_has_not(rng):
    data = survey(rng)
    units = compared(data, anonymize(data, "spectral_swapping", rng, decoding=AS_PUBLISHED))
    assert units.outside > 20 and units.largest[0] > 0.05
    assert min(one.after[0] for one in units.numbers if one.name == "age") < 0


def test_relations_are_kept_as_well_as_by_a_fresh_sample(rng):
    data = survey(rng, 4_000)
    kept = []
    for columns in (anonymize(data, "spectral_swapping", rng).columns, survey(rng, 4_000)):
        pairs = itertools.combinations(("age", "weight", "children", "diabetes", "income"), 2)
        kept.append(
            np.median(
                [
                    abs(
                        np.corrcoef(columns[a], columns[b])[0, 1]
                        - np.corrcoef(data[a], data[b])[0, 1]
                    )
                    for a, b in pairs
                ]
            )
        )
    assert kept[0] <= kept[1] + 0.01


@pytest.mark.parametrize("method", DECODED)
def test_nobodys_extreme_is_released(rng, method):
    data = survey(rng)
    data["income"][7] = 9_999_999.0  # one person's
    data["weight"][8] = 31.4
    made = anonymize(data, method, rng)
    assert made.columns["income"].max() < 9_999_999
    assert made.columns["weight"].min() > 31.4


def test_zeros_stay_zeros(rng):
    data = survey(rng)
    income = anonymize(data, "spectral_swapping", rng).columns["income"]
    least = data["income"][data["income"] > 0].min()
    assert np.mean(income == 0) == pytest.approx(np.mean(data["income"] == 0), abs=0.002)
    assert not ((income > 0) & (income < least)).any()


def test_coordinates_are_not_fitted(rng):
    """No cells of a hundredth of the records, no coded ends: all places differ and reach as far."""
    data = {"age": rng.integers(0, 90, 500), "x": rng.normal(0, 10, 500), "y": rng.random(500)}
    made = anonymize(data, "spectral_swapping", rng, place=("x", "y")).columns
    for name in ("x", "y"):
        assert len(np.unique(made[name])) == 500
        assert made[name].mean() == pytest.approx(data[name].mean(), abs=1e-6)
    assert made["y"].min() < 0 or made["y"].max() > 1


def test_the_same_seed_gives_the_same_release(rng):
    data = survey(rng)
    one, other = (
        anonymize(data, "spectral_swapping", np.random.default_rng(3), categories_as="draw").columns
        for _ in range(2)
    )
    for name in data:
        np.testing.assert_array_equal(one[name], other[name])


@pytest.mark.parametrize("decoding", DECODINGS)
@pytest.mark.parametrize("method", ["spectral_swapping", "data_shuffling"])
def test_ranges_code_top_and_bottom(rng, method, decoding):
    data = survey(rng)
    ranges = {"age": (18.0, 80.0), "weight": (-np.inf, 90.0)}
    made = anonymize(data, method, rng, decoding=decoding, ranges=ranges)
    assert made.columns["age"].min() == 18 and made.columns["age"].max() == 80
    assert made.columns["age"].dtype == np.int64 and made.columns["weight"].max() == 90
    beyond = int(((data["age"] < 18) | (data["age"] > 80)).sum())
    assert any(f"age: {beyond} records" in note for note in made.notes)


@pytest.mark.parametrize(
    ("ranges", "said"),
    [
        ({"marital": (0, 1)}, "no field of numbers"),
        ({"nothing": (0, 1)}, "no field of numbers"),
        ({"age": (9, 9)}, "not above its beginning"),
    ],
)
def test_ranges_that_make_no_sense_are_refused(rng, ranges, said):
    with pytest.raises(InputError, match=said):
        anonymize(survey(rng, 100), "spectral_swapping", rng, ranges=ranges)


def test_an_unknown_decoding_is_refused(rng):
    with pytest.raises(InputError, match="calibrated, as_published"):
        anonymize(survey(rng, 100), "spectral_swapping", rng, decoding="by_luck")


# --- the pieces ------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    counts=st.lists(st.integers(0, 12), min_size=2, max_size=5).filter(lambda some: sum(some) > 1),
)
def test_choices_have_their_shares_and_are_the_best_that_have(seed, counts):
    rng = np.random.default_rng(seed)
    total = sum(counts)
    log = rng.normal(size=(total, len(counts)))
    share = np.array(counts) / total
    chosen = (log + offsets_of_choices(log, share)).argmax(axis=1)
    found = np.bincount(chosen, minlength=len(counts))
    np.testing.assert_array_equal(found, counts)
    if total > 7:
        return
    # by complementary slackness nothing with these counts suits better
    labels = [one for one, count in enumerate(counts) for _ in range(count)]
    best = max(
        log[np.arange(total), list(other)].sum() for other in set(itertools.permutations(labels))
    )
    assert log[np.arange(total), chosen].sum() == pytest.approx(best)


@pytest.mark.parametrize("many", [41, 60, 300])
def test_many_categories_have_their_shares(rng, many):
    share = rng.dirichlet(np.full(many, 2.0))
    log = rng.gumbel(size=(6_000, many))
    found = np.bincount((log + offsets_of_choices(log, share)).argmax(axis=1), minlength=many)
    assert np.abs(found - counts_of(share, 6_000)).sum() <= 2


@pytest.mark.parametrize("method", ["spectral_swapping", "gaussian_copula"])
def test_codes_of_which_there_are_many_keep_their_shares(rng, method):
    """A list of codes, few of them common and most of them rare."""
    often = np.arange(1, 101) ** -1.0
    code = rng.choice([f"c{at:03}" for at in range(100)], 1_000, p=often / often.sum())
    data = {"code": code, "age": rng.integers(18, 90, 1_000), "sex": rng.choice(["f", "m"], 1_000)}
    released = anonymize(data, method, rng).columns["code"]
    levels, before = np.unique(code, return_counts=True)
    after = np.array([(released == level).sum() for level in levels])
    assert len(levels) > 60 and np.abs(after - before).sum() <= 4


def test_probabilities_have_the_shares_as_their_means(rng):
    share = np.array([0.7, 0.2, 0.07, 0.03])
    log = rng.normal(size=(500, 4))
    shares = np.exp(log + offsets_of_means(log, share))
    shares /= shares.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(shares.mean(axis=0), share, atol=1e-5)


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=9).filter(lambda x: sum(x) > 0),
    st.integers(1, 99),
)
def test_counts_sum_to_the_total(share, total):
    counts = counts_of(np.array(share), total)
    assert counts.sum() == total and (counts >= 0).all()
    assert np.abs(counts - np.array(share) / sum(share) * total).max() < 1 + 1e-6


# --- rules between fields --------------------------------------------------------------------------


def town(rng, n=2_000):
    data = survey(rng, n)
    data["marital"] = np.where(data["age"] < 16, "never", data["marital"])
    data["systolic"] = (105 + 0.5 * data["age"] + rng.normal(0, 12, n)).round()
    data["diastolic"] = (data["systolic"] - np.abs(rng.normal(12, 8, n)) - 1).round()
    return data


def rules_of(data):
    columns = observed_table(data)
    return found_rules(columns, learn_coding(columns))


def test_rules_are_found_that_hold_and_no_others(rng):
    data = town(rng)
    found = {one.expression: one for one in rules_of(data)}
    assert '"diastolic" <= "systolic"' in found
    least = data["age"][data["marital"] == "married"].min()
    assert f'"marital" <> \'married\' or "age" >= {least}' in found
    assert all(one.obeyed(data).all() for one in found.values())
    shuffled = {name: rng.permutation(values) for name, values in data.items()}
    assert rules_of(shuffled) == []


def test_a_rule_is_what_its_expression_says(rng):
    data = town(rng, 1_500)
    shuffled = {name: rng.permutation(values) for name, values in data.items()}
    for rule in rules_of(data):
        text = rule.expression.replace("<>", "!=").replace(" true", " True").replace('"', "")
        expected = [
            # a missing value breaks no rule
            any(row[name] is None or row[name] != row[name] for name in row if name in text)
            or bool(eval(text, {}, row))  # noqa: S307  the test's own text
            for row in (
                dict(zip(shuffled, values))
                for values in zip(*(column.tolist() for column in shuffled.values()))
            )
        ]
        np.testing.assert_array_equal(rule.obeyed(shuffled), expected)


@pytest.mark.parametrize("categories_as", ["most_probable", "draw"])
def test_nobody_breaks_a_rule_that_all_originals_obey(rng, categories_as):
    data = town(rng)
    rules = rules_of(data)
    free = anonymize(data, "spectral_swapping", np.random.default_rng(1), rules=None)
    assert not all_obeyed(rules)(free.columns).all()
    made = anonymize(
        data,
        "spectral_swapping",
        np.random.default_rng(1),
        rules="found",
        categories_as=categories_as,
    )
    assert made.broken == 0 and all_obeyed(rules)(made.columns).all()
    assert "still do: 0." in " ".join(made.notes)
    assert compared(data, made).largest[0] <= 0.01
    # still a permutation of each component: means stay
    np.testing.assert_allclose(made.coded.mean(axis=0), free.coded.mean(axis=0), atol=1e-9)


def test_rules_and_an_area_hold_together(rng):
    data = {**town(rng, 800), "x": rng.normal(0, 1, 800), "y": rng.normal(0, 1, 800)}
    inside = lambda xy: np.hypot(*xy.T) < 3.5  # noqa: E731
    made = anonymize(data, "spectral_swapping", rng, place=("x", "y"), inside=inside, rules="found")
    assert made.broken == 0
    assert inside(np.stack([made.columns["x"], made.columns["y"]], axis=1)).all()


def test_other_methods_count_who_breaks_a_rule(rng):
    data = town(rng)
    made = anonymize(data, "cell_swapping", rng, rules="found")
    assert made.broken == int((~all_obeyed(rules_of(data))(made.columns)).sum()) > 50
    assert "cannot draw them anew" in " ".join(made.notes)


def test_a_rule_that_originals_break_is_none(rng):
    data = town(rng, 300)
    with pytest.raises(InputError, match="broken by 300 records"):
        anonymize(data, "spectral_swapping", rng, rules=lambda columns: columns["age"] > 200)
