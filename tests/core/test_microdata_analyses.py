# SPDX-License-Identifier: GPL-2.0-or-later
"""What analysts do with a release: certified regressions, recounts, and what is expected by chance."""

import numpy as np
import pytest
from shapely.geometry import box

from geoanon_qgis.core.measures.zone_rates import compare_zone_rates
from geoanon_qgis.core.microdata.information import compare_information, mutual_information
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.logistic import Design, area_under_curve, fit_logistic
from geoanon_qgis.core.microdata.predicting import compare_predictions
from geoanon_qgis.core.microdata.propensity import propensity
from geoanon_qgis.core.microdata.regression import (
    LINEAR,
    LOGISTIC,
    Formula,
    compare_regressions,
    interval_overlap,
)
from geoanon_qgis.core.runtime.errors import InputError

#: Longley (1967): employment, and what may explain it.
LONGLEY = """
60323 83.0 234289 2356 1590 107608 1947; 61122 88.5 259426 2325 1456 108632 1948
60171 88.2 258054 3682 1616 109773 1949; 61187 89.5 284599 3351 1650 110929 1950
63221 96.2 328975 2099 3099 112075 1951; 63639 98.1 346999 1932 3594 113270 1952
64989 99.0 365385 1870 3547 115094 1953; 63761 100.0 363112 3578 3350 116219 1954
66019 101.2 397469 2904 3048 117388 1955; 67857 104.6 419180 2822 2857 118734 1956
68169 108.4 442769 2936 2798 120445 1957; 66513 110.8 444546 4681 2637 121950 1958
68655 112.6 482704 3813 2552 123366 1959; 69564 114.2 502601 3931 2514 125368 1960
69331 115.7 518173 4806 2572 127852 1961; 70551 116.9 554894 4007 2827 130081 1962
"""


# --- regressions ----------------------------------------------------------------------------------


def test_least_squares_are_the_certified_ones():
    """NIST, Statistical Reference Datasets: Longley, certified values."""
    lines = LONGLEY.replace(";", "\n").split("\n")
    values = np.array([line.split() for line in lines if line.strip()], dtype=float)
    table = dict(zip("yabcdef", values.T))
    kept = compare_regressions(Formula.parsed("y ~ a+b+c+d+e+f"), table, table)
    certified = [
        (-3482258.63459582, 890420.383607373),
        (15.0618722713733, 84.9149257747669),
        (-0.0358191792925910, 0.0334910077722432),
        (-2.02022980381683, 0.488399681651699),
        (-1.03322686717359, 0.214274163161675),
        (-0.0511041056535807, 0.226073200069370),
        (1829.15146461355, 455.478499142212),
    ]
    assert kept.kind == LINEAR
    assert np.stack([kept.original.coefficient, kept.original.error], axis=1) == pytest.approx(
        np.array(certified), rel=1e-9
    )
    assert kept.overlap.tolist() == [1.0] * 7 and not kept.turned


def people(count=400, seed=5):
    rng = np.random.default_rng(seed)
    age = rng.normal(50, 15, count)
    job = rng.choice(np.array(["care", "craft", "office"], dtype=object), count, p=[0.2, 0.3, 0.5])
    odds = 0.05 * age - 3 + 1.2 * (job == "craft")
    smoker = np.where(rng.random(count) < 1 / (1 + np.exp(-odds)), "yes", "no").astype(object)
    return {"age": age, "job": job, "smoker": smoker}


def test_a_logistic_regression_is_that_of_a_plain_optimiser():
    from scipy.optimize import minimize

    table = people()
    kept = compare_regressions(Formula.parsed("smoker ~ age + job"), table, table)
    assert kept.terms == ("(constant)", "age", "job=craft", "job=care")
    assert (kept.kind, kept.outcome) == (LOGISTIC, "yes")
    columns = [np.ones(400), table["age"], table["job"] == "craft", table["job"] == "care"]
    x, y = np.stack(columns, axis=1).astype(float), table["smoker"] == "yes"
    loss = minimize(lambda b: np.logaddexp(0, x @ b).sum() - (x @ b)[y].sum(), np.zeros(4))
    assert kept.original.coefficient == pytest.approx(loss.x, abs=1e-3)
    chance = 1 / (1 + np.exp(-x @ kept.original.coefficient))
    assert x.T @ (y - chance) == pytest.approx(np.zeros(4), abs=1e-6)  # the maximum
    information = x.T @ (x * (chance * (1 - chance))[:, None])
    assert kept.original.error == pytest.approx(np.sqrt(np.diag(np.linalg.inv(information))))


def test_of_two_truth_values_it_is_the_log_odds_ratio_of_the_four_cells():
    """Closed form: log(ad / bc), with the root of the sum of 1/cells as standard error."""
    cells = {("no", "no"): 30, ("no", "yes"): 12, ("yes", "no"): 9, ("yes", "yes"): 25}
    rows = np.array([key for key, count in cells.items() for _ in range(count)], dtype=object)
    table = {"a": rows[:, 0], "b": rows[:, 1]}
    kept = compare_regressions(Formula.parsed("b ~ a"), table, table).original
    sign = 1 if 30 + 12 > 9 + 25 else -1
    assert kept.coefficient[1] == pytest.approx(sign * np.log(30 * 25 / (12 * 9)))
    assert kept.error[1] == pytest.approx(np.sqrt(1 / 30 + 1 / 12 + 1 / 9 + 1 / 25))


def test_intervals_that_are_half_common_overlap_by_a_half():
    low, high = np.array([0.0, 0.0, 0.0, np.nan]), np.array([2.0, 2.0, 2.0, 1.0])
    other = np.array([1.0, 5.0, 0.5, 0.0])
    found = interval_overlap(low, high, other, np.array([3.0, 6.0, 1.5, 1.0]))
    assert found[:3].tolist() == [0.5, 0.0, 0.75] and np.isnan(found[3])


def test_an_effect_that_turned_is_named_and_one_that_is_lost_counts_as_nothing():
    table, rng = people(), np.random.default_rng(1)
    table["pay"] = table["age"] + rng.normal(0, 5, 400)
    turned = {**table, "pay": -table["pay"]}
    kept = compare_regressions(Formula.parsed("pay ~ age"), table, turned)
    assert kept.turned == ["age"] and kept.compared.tolist() == [0.0]
    office = {**table, "job": np.full(400, "office", dtype=object)}
    kept = compare_regressions(Formula.parsed("pay ~ age + job"), table, office)
    assert np.isnan(kept.released.coefficient[2:]).all() and kept.compared[1:].tolist() == [0, 0]
    twice = {**table, "again": 2 * table["age"]}
    kept = compare_regressions(Formula.parsed("pay ~ age + again"), twice, twice)
    assert np.isnan(kept.original.coefficient[2]) and len(kept.compared) == 1


def test_what_separates_the_classes_is_said_to():
    x = np.arange(40.0)
    table = {"x": x, "y": np.where(x < 20, "a", "b").astype(object)}
    assert not compare_regressions(Formula.parsed("y ~ x"), table, table).original.is_sound


@pytest.mark.parametrize(
    "text", ["income", "~ age", "income ~", "income ~ age +", "a ~ b ~ c", "a + b ~ c", "a ~ b * c"]
)
def test_a_formula_that_cannot_be_read_is_refused(text):
    with pytest.raises(InputError, match="cannot be read"):
        Formula.parsed(text)


def test_formulas():
    assert Formula.parsed('"my pay"~age + `a+b`') == Formula("my pay", ("age", "a+b"))
    with pytest.raises(InputError, match="“a” stands twice"):
        Formula.parsed("a ~ b + a")
    with pytest.raises(InputError, match="names “pay”, which is not"):
        compare_regressions(Formula.parsed("pay ~ age"), people(), people())
    with pytest.raises(InputError, match="“job” has 3 different values"):
        compare_regressions(Formula.parsed("job ~ age"), people(), people())
    few = {name: column[:3] for name, column in people().items()}
    with pytest.raises(InputError, match="too few for 2 terms"):
        compare_regressions(Formula.parsed("smoker ~ age + job"), few, people())


# --- predictions ----------------------------------------------------------------------------------


def test_the_area_is_the_share_of_pairs_in_the_right_order():
    rng = np.random.default_rng(0)
    score, right = rng.integers(0, 6, 60), rng.random(60) < 0.4
    pairs = [(a > b) + (a == b) / 2 for a in score[right] for b in score[~right]]
    assert area_under_curve(score, right) == pytest.approx(np.mean(pairs))
    assert np.isnan(area_under_curve(score, np.ones(60, bool)))


def test_a_ridge_keeps_coefficients_finite():
    x = np.arange(40.0)[:, None]
    design = Design.of(lambda rows: x[rows], 40, 1)
    fitted = fit_logistic(design, x[:, 0] >= 20, ridge=1.0)
    slope = fitted.beta[1]
    standard = (x[:, 0] - x.mean()) / x.std()
    chance = 1 / (1 + np.exp(-(fitted.beta[0] + slope * standard)))
    assert fitted.converged
    assert (((x[:, 0] >= 20) - chance) * standard).sum() == pytest.approx(slope, rel=1e-6)


def test_cells_that_are_swapped_lose_what_predicts():
    table = people(1_500)
    coding = learn_coding(table)
    coded, _ = coding.encode(table)
    rng = np.random.default_rng(3)
    swapped, _ = coding.encode({name: rng.permutation(one) for name, one in table.items()})
    other, _ = coding.encode(people(1_500, seed=6))
    lost = compare_predictions(coded, swapped, coding.variables, rng)
    kept = compare_predictions(coded, other, coding.variables, rng)
    smoker = next(one for one in lost.fields if one.field == "smoker")
    assert smoker.original > 0.65 and smoker.lost > 0.1 and abs(kept.largest) < 0.03


# --- mutual information ---------------------------------------------------------------------------


def test_mutual_information_by_hand():
    one, other = np.repeat([0, 1], 500), np.tile([0, 1], 500)
    assert mutual_information(one, other) == 0
    assert mutual_information(one, one) == pytest.approx(1, abs=1e-3)
    rng = np.random.default_rng(2)
    found = [mutual_information(*rng.integers(0, 8, (2, 400))) for _ in range(60)]
    assert np.mean(found) < 0.02  # 0.088 with the bias


def test_a_relation_of_any_form_is_seen():
    rng = np.random.default_rng(2)
    x = rng.normal(size=2_000)
    table = {"x": x, "y": x**2 + rng.normal(0, 0.1, 2_000), "z": rng.normal(size=2_000)}
    swapped = {**table, "y": rng.permutation(table["y"])}
    kept = compare_information(table, swapped)
    at = int(kept.difference.argmax())
    assert kept.pairs[at] == ("x", "y") and kept.largest > 1 and "(x, y)" in kept.in_words()
    words = {"a": np.array(["p", None] * 500, object), "b": np.array(["q", "r"] * 500, object)}
    assert compare_information(words, words).original[0] == pytest.approx(1, abs=1e-3)


# --- propensity -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [600, 1_200])
def test_the_ratio_is_one_for_a_perfect_synthesis_and_twice_or_so_for_others(size):
    """Snoke et al. (2018): drawn from the law with the original's own parameters, 1; 1/(1 - c) else."""
    rng = np.random.default_rng(size)
    mix = rng.normal(size=(3, 3))

    def drawn(count, mean, covariance):
        return rng.normal(size=(count, 3)) @ np.linalg.cholesky(covariance).T + mean

    perfect, fresh, spread = [], [], []
    for _ in range(60):
        original = drawn(600, 0.0, mix @ mix.T)
        own = drawn(size, original.mean(axis=0), np.cov(original.T))
        told = propensity(original, own, rng)
        perfect.append(told.pairs.ratio)
        spread.append(told.pairs.standardised)
        fresh.append(propensity(original, drawn(size, 0.0, mix @ mix.T), rng).pairs.ratio)
    assert told.pairs.fresh == pytest.approx(1 + size / 600) and told.pairs.terms == 9
    assert np.mean(perfect) == pytest.approx(1, abs=0.2)
    assert np.mean(fresh) == pytest.approx(told.pairs.fresh, rel=0.2)
    assert np.std(spread) == pytest.approx(1, abs=0.45)


def test_lost_relations_are_seen_by_pairs_alone():
    rng = np.random.default_rng(7)
    table = rng.normal(size=(600, 3)) @ rng.normal(size=(3, 3))
    swapped = np.stack([rng.permutation(column) for column in table.T], axis=1)
    told = propensity(table, swapped, rng)
    assert told.fields.ratio < 0.01 and told.pairs.ratio > 20
    apart = propensity(table, table + 99, rng)
    assert apart.fields.pmse == pytest.approx(0.25, abs=1e-6)
    assert propensity(table[:20], swapped[:20], rng).pairs is None


# --- zones ----------------------------------------------------------------------------------------

SQUARES = [box(x, y, x + 1, y + 1) for x in range(4) for y in range(3)]


def test_rates_by_zone_are_those_of_a_count():
    rng = np.random.default_rng(1)
    xy = rng.random((900, 2)) * [4.2, 3]
    table = {"age": xy[:, 0] * 10 + rng.normal(0, 1, 900), "job": people(900)["job"]}
    table["age"][::50] = np.nan
    table["job"][::40] = None
    away = rng.permutation(900)
    found = compare_zone_rates(xy, xy[away], table, table, SQUARES)
    assert found.outside[0] == found.outside[1] == (xy[:, 0] > 4).sum()
    rates = {(one.field, one.value): one for one in found.rates}
    assert list(rates) == [("age", ""), ("job", "care"), ("job", "craft"), ("job", "office")]
    for at, square in enumerate(SQUARES):
        x, y, *_ = square.bounds
        there = (xy[:, 0] // 1 == x) & (xy[:, 1] // 1 == y)
        assert found.counts_original[at] == there.sum()
        assert rates["age", ""].original[at] == pytest.approx(np.nanmean(table["age"][there]))
        jobs = [one for one in table["job"][there] if one is not None]
        share = jobs.count("care") / len(jobs)
        assert rates["job", "care"].original[at] == pytest.approx(share)
    assert rates["age", ""].moran_original > 0.5 > rates["age", ""].moran_released
    same = compare_zone_rates(xy, xy, table, table, SQUARES)
    assert same.correlation == 1 and same.rates[0].difference == 0
    with pytest.raises(InputError, match="No original record lies in any of the zones"):
        compare_zone_rates(xy + 99, xy, table, table, SQUARES)


def test_zones_of_few_records_are_not_compared():
    xy = np.array([[0.5, 0.5]] * 6 + [[1.5, 0.5]] * 4)
    table = {"age": np.arange(10.0)}
    (rate,) = compare_zone_rates(xy, xy, table, table, SQUARES).rates
    assert rate.zones == 1 and rate.original[0] == 2.5 and np.isnan(rate.correlation)
