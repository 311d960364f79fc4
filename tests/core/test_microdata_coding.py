# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables as matrices and back: kinds, dummies, logarithms, what is missing, bad input."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from geoanon_qgis.core.microdata.dummies import logits_of, probabilities
from geoanon_qgis.core.microdata.learning import coding_of_all, learn_coding
from geoanon_qgis.core.microdata.observations import guess_kind, observed, observed_table
from geoanon_qgis.core.microdata.variables import CATEGORIES_AS
from geoanon_qgis.core.runtime.errors import InputError


def table(rng, n=200):
    """One variable of each kind, without anything missing."""
    return {
        "height": np.round(rng.normal(170, 10, n), 1),
        "income": np.exp(rng.normal(10, 1, n)),
        "children": rng.integers(0, 6, n),
        "smokes": rng.random(n) < 0.3,
        "sex": rng.choice(np.array(["f", "m"]), n),
        "job": rng.choice(np.array(["baker", "farmer", "smith"]), n),
    }


def same(one, other):
    assert one.keys() == other.keys()
    for name in one:
        assert one[name].tolist() == other[name].tolist(), name


# --- the paper's example -------------------------------------------------------------------------


def test_the_worked_example_of_dummy_coding():
    coded = np.array([[-2.5, -1.5, 0.41]])
    inverse = 1 / (1 + np.exp(-coded[0]))
    assert inverse == pytest.approx([0.076, 0.182, 0.601], abs=5e-4)
    # The paper normalises the rounded numbers; unrounded, the last is 0.6995.
    rounded = np.round(inverse, 3)
    assert np.round(rounded / rounded.sum(), 3).tolist() == [0.088, 0.212, 0.7]
    shares = probabilities(coded)[0]
    assert shares == pytest.approx([0.08827, 0.21228, 0.69945], abs=5e-6)


def test_the_example_released_in_all_three_ways():
    coding = learn_coding({"a": np.repeat([0, 1, 2], 20)}, {"a": "categorical"})
    coded = np.tile([[-2.5, -1.5, 0.41]], (100_000, 1))
    released = coding.decode(coded[:1], "probabilities")
    assert list(released) == ["a_0", "a_1", "a_2"]
    assert [released[f][0] for f in released] == pytest.approx([0.088, 0.212, 0.7], abs=6e-4)
    assert coding.decode(coded[:1], "most_probable")["a"].tolist() == [2]
    drawn = coding.decode(coded, "draw", np.random.default_rng(3))["a"]
    assert np.bincount(drawn) / len(drawn) == pytest.approx([0.088, 0.212, 0.7], abs=0.006)


# --- kinds ---------------------------------------------------------------------------------------


def test_kinds_are_guessed_with_a_reason(rng):
    guessed = {name: guess_kind(one) for name, one in observed_table(table(rng)).items()}
    assert {name: guess.kind for name, guess in guessed.items()} == {
        "height": "continuous",
        "income": "positive",
        "children": "ordinal",
        "smokes": "binary",
        "sex": "binary",
        "job": "categorical",
    }
    assert all(guess.why for guess in guessed.values())


def test_a_guess_can_be_overridden(rng):
    coding = learn_coding(table(rng), {"children": "categorical", "income": "continuous"})
    of = {variable.name: variable for variable in coding.variables}
    assert of["children"].kind == "categorical" and of["children"].why == ""
    assert of["income"].kind == "continuous"
    assert of["height"].why != ""


def test_codes_are_the_papers(rng):
    data = table(rng)
    coding = learn_coding(data)
    matrix, rows = coding.encode(data)
    assert rows.tolist() == list(range(200))
    column = dict(zip(coding.labels, matrix.T))
    assert set(column["smokes"]) == set(column["job = smith"]) == {-1.0, 1.0}
    assert (column["smokes"] > 0).tolist() == data["smokes"].tolist()
    assert (column["job = smith"] > 0).tolist() == (data["job"] == "smith").tolist()
    for name in ("height", "log income", "children"):
        assert column[name].mean() == pytest.approx(0, abs=1e-12)
        assert column[name].std() == pytest.approx(1)
    logs = np.log(data["income"])
    assert column["log income"] == pytest.approx((logs - logs.mean()) / logs.std())


# --- back ----------------------------------------------------------------------------------------


def test_nothing_changes_on_the_way_there_and_back(rng):
    data = table(rng)
    data["income"] = np.round(data["income"], 2)
    coding = learn_coding(data)
    back = coding.decode(coding.encode(data)[0])
    same(back, data)
    assert back["children"].dtype == np.int64 and back["smokes"].dtype == bool


def test_missing_values_come_back_missing(rng):
    data = {name: list(values) for name, values in table(rng).items()}
    for at, name in enumerate(data):
        data[name][at] = None
    data["height"][0] = float("nan")
    coding = learn_coding(data)
    matrix, rows = coding.encode(data)
    assert len(rows) == 200 and np.isfinite(matrix).all()
    assert "height is missing" in coding.labels and "job = missing" in coding.labels
    back = coding.decode(matrix)
    for at, name in enumerate(data):
        for row, (before, after) in enumerate(zip(data[name], back[name])):
            if row == at:
                assert after is None or after != after
            elif isinstance(before, float):
                assert after == pytest.approx(before)
            else:
                assert after == before
    # A number that is missing is coded as the mean.
    assert matrix[0, coding.labels.index("height")] == 0.0


def test_complete_cases(rng):
    data = {name: list(values) for name, values in table(rng).items()}
    data["job"][7] = data["height"][9] = None
    coding = learn_coding(data, missing="complete")
    matrix, rows = coding.encode(data)
    assert rows.tolist() == [i for i in range(200) if i not in (7, 9)]
    assert not any("missing" in label for label in coding.labels)
    heights = np.array([data["height"][i] for i in rows])
    assert matrix[:, 0] == pytest.approx((heights - heights.mean()) / heights.std())


def test_released_numbers_have_the_resolution_and_sign_of_the_originals(rng):
    data = {"tens": 10 * rng.integers(1, 40, 300), "height": np.round(rng.normal(1.7, 0.1, 300), 2)}
    coding = learn_coding(data, {"tens": "positive"})
    matrix = coding.encode(data)[0] * 5 + 0.123
    back = coding.decode(matrix)
    assert (back["tens"] % 10 == 0).all() and (back["tens"] > 0).all()
    assert back["height"].tolist() == np.round(back["height"], 2).tolist()


def test_quantiles_go_back_to_their_own_unit(rng):
    data = table(rng)
    coding = learn_coding(data)
    matrix = coding.encode(data)[0]
    for variable in coding.variables[:3]:
        coded = np.quantile(matrix[:, variable.columns.start], [0, 1])
        values = np.asarray(data[variable.name])
        assert variable.natural(coded) == pytest.approx([values.min(), values.max()])


def test_ordinals_become_the_nearest_value_there_was():
    coding = learn_coding({"a": np.repeat([1, 2, 7], 10)}, {"a": "ordinal"})
    variable = coding.variables[0]
    values = np.array([-50, 1.4, 1.6, 4.4, 4.6, 99.0])
    matrix = ((values - variable.centre) / variable.scale)[:, None]
    assert coding.decode(matrix)["a"].tolist() == [1, 1, 2, 2, 7, 7]


def test_binaries_are_cut_at_a_half():
    coding = learn_coding({"a": ["no", "yes"] * 10})
    assert coding.decode(np.array([[-0.1], [0.1], [-9.0]]))["a"].tolist() == ["no", "yes", "no"]


def test_equally_probable_categories_are_chosen_by_chance(rng):
    coding = learn_coding({"a": ["x", "y", "z"] * 10})
    coded = np.tile([[0.5, 0.5, -1.0]], (2_000, 1))
    chosen = coding.decode(coded, "most_probable", rng)["a"]
    assert 850 < (chosen == "x").sum() < 1_150 and (chosen != "z").all()


@settings(max_examples=60, deadline=None)
@given(hnp.arrays(float, (7, 4), elements=st.floats(-6, 6)))
def test_probabilities_can_be_undone_where_dummies_sum_as_they_must(coded):
    coded = coded - coded.mean(axis=1, keepdims=True) + (2 - 4) / 4
    shares = probabilities(coded)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert logits_of(shares) == pytest.approx(coded, abs=1e-6)


def test_a_release_of_probabilities_is_coded_back(rng):
    data = table(rng)
    coding = learn_coding(data)
    matrix = coding.encode(data)[0]
    released = coding.decode(matrix, "probabilities")
    assert "job" not in released and "job_baker" in released
    assert coding.encode(released)[0] == pytest.approx(matrix, abs=1e-8)


def test_names_of_probability_fields_do_not_clash():
    data = {"a": ["x", "y", "z"] * 10, "a_x": np.arange(30) % 7}
    coding = learn_coding(data)
    assert coding.probability_fields["a"] == ["a_x_2", "a_y", "a_z"]


def test_another_table_may_have_its_columns_in_another_order(rng):
    data = table(rng)
    coding = learn_coding(data)
    turned = dict(reversed(list(data.items())))
    assert (coding.encode(turned)[0] == coding.encode(data)[0]).all()


def test_a_category_that_the_original_lacks_is_none_of_its_own():
    coding = learn_coding({"a": ["x", "y", "z"] * 10})
    assert coding.encode({"a": ["w", "x"]})[0].tolist() == [[-1, -1, -1], [1, -1, -1]]


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "kinds", "said"),
    [
        ({}, {}, "No field"),
        ({"a": [1, 2], "b": [1]}, {}, "different numbers"),
        ({"a": [None, None]}, {}, "no value at all"),
        ({"a": [1, "x"]}, {}, "mixes"),
        ({"a": [1.0, np.inf]}, {}, "infinite"),
        ({"a": [1.0, -1e300]}, {}, "beyond 1e.140"),
        ({"a": [datetime.date(2020, 1, 1)] * 2}, {}, "neither"),
        ({"a": np.array(["2020-01-01"], dtype="M8[D]")}, {}, "neither"),
        ({"a": [[1], [2]]}, {}, "neither"),
        ({"a": np.ones((2, 2))}, {}, "one value for each"),
        ({"a": ["x", "y", "z"] * 5}, {"a": "continuous"}, "text"),
        ({"a": [0.0, 1.5, 2.5]}, {"a": "positive"}, "zero or below"),
        ({"a": [1, 2, 3]}, {"a": "binary"}, "3 different values"),
        ({"a": [1, 2, 3]}, {"a": "odd"}, "must be one of"),
        ({"a": [1, 2, 3]}, {"b": "ordinal"}, "no field b"),
        ({"a": [f"P{i}" for i in range(20)]}, {}, "name each record"),
        ({"a": np.arange(100, 120)}, {}, "looks like an id"),
        ({"a": np.arange(100, 120)}, {"a": "continuous"}, "looks like an id"),
        ({"a": np.arange(20) ** 2}, {}, "say that it is continuous"),
        ({"a": np.linspace(0, 1, 20)}, {"a": "categorical"}, "name each record"),
        ({"a": np.arange(3000) // 2}, {"a": "categorical"}, "categories"),
    ],
)
def test_bad_tables_are_refused_in_a_sentence(data, kinds, said):
    with pytest.raises(InputError, match=said) as error:
        learn_coding(data, kinds)
    assert str(error.value).endswith(".")


def test_whole_numbers_that_all_differ_may_be_called_a_measure():
    assert learn_coding({"a": np.arange(20) ** 2}, {"a": "continuous"}).width == 1


def test_measures_in_full_precision_are_no_ids(rng):
    assert learn_coding({"a": rng.normal(size=50)}).variables[0].kind == "continuous"


def test_no_complete_case_is_refused():
    data = {"a": [1.0, None] * 5, "b": [None, 1.0] * 5}
    with pytest.raises(InputError, match="No record"):
        learn_coding(data, missing="complete")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"a": [1, 2]}, "no field b, c"),
        ({"a": ["x", "y"], "b": ["f", "m"], "c": ["x", "y"]}, "text here"),
        ({"a": [1, 2], "b": ["f", "d"], "c": ["x", "y"]}, "does not hold in the original"),
        ({"a": [1, 2], "b": ["f", "m"], "c": [1, 2]}, "numbers here"),
        ({"a": [1, -2], "b": ["f", "m"], "c": ["x", "y"]}, "logarithm"),
    ],
)
def test_other_tables_with_other_columns_are_refused(other, said):
    data = {"a": [1.5, 2.5, 9.5] * 5, "b": ["f", "m", "m"] * 5, "c": ["x", "y", "z"] * 5}
    coding = learn_coding(data, {"a": "positive"})
    with pytest.raises(InputError, match=said):
        coding.encode(other)


def test_what_was_guessed_is_guessed_by_all_tables():
    """A number above zero may be zero elsewhere, and what has two values may have a third."""
    rng = np.random.default_rng(1)
    data = {"cost": np.exp(rng.normal(3, 1, 60)), "sex": ["f", "m"] * 30, "rooms": [1, 2] * 30}
    others = [
        {"cost": [0.0, 2.5, None], "sex": ["f", "x", None], "rooms": [2, 1, 3]},
        {"cost": [1.5], "sex": ["m"], "rooms": [1]},
    ]
    coding = learn_coding(data)
    assert [one.kind for one in coding.variables] == ["positive", "binary", "binary"]
    assert coding_of_all(coding, data, others[1:], {}) is coding
    for_all = coding_of_all(coding, data, others, {})
    kinds = {one.name: one.kind for one in for_all.variables}
    assert kinds == {"cost": "continuous", "sex": "categorical", "rooms": "ordinal"}
    coded, _ = for_all.encode({name: values[:2] for name, values in others[0].items()})
    decoded = for_all.decode(coded)
    assert decoded["cost"] == pytest.approx([0.0, 2.5])
    assert coded[1, for_all.variables[1].columns].tolist() == [-1.0, -1.0]  # neither f nor m
    asked = coding_of_all(coding, data, others, {}, ["cost", "sex", "rooms"])
    assert asked is coding


def test_constants_and_singles_are_told(rng):
    coding = learn_coding(
        {
            "same": np.full(30, 4.25),
            "word": ["x"] * 30,
            "rare": ["a"] * 14 + ["b"] * 15 + ["c"],
        }
    )
    same_, word, rare = coding.variables
    assert same_.is_constant and word.is_constant and not rare.is_constant
    assert rare.singles == 1
    data = {"same": np.full(2, 4.25), "word": ["x"] * 2, "rare": ["a", "c"]}
    same(coding.decode(coding.encode(data)[0]), {k: np.array(v) for k, v in data.items()})


def test_decoding_needs_what_it_needs():
    coding = learn_coding({"a": ["x", "y", "z"] * 10})
    with pytest.raises(InputError, match="other columns"):
        coding.decode(np.zeros((2, 2)))
    with pytest.raises(InputError, match="random generator"):
        coding.decode(np.zeros((2, 3)), "draw")
    with pytest.raises(InputError, match="one of"):
        coding.decode(np.zeros((2, 3)), "best")
    assert len(CATEGORIES_AS) == 3


def test_columns_of_numpy_and_of_python_read_alike():
    one = observed("a", np.array([1.0, np.nan, 3.0]))
    other = observed("a", [1, None, 3])
    assert one.present.tolist() == other.present.tolist() == [True, False, True]
    assert one.there.tolist() == other.there.tolist() and one.is_whole and other.is_whole


def test_names_of_probability_fields_differ_in_more_than_case():
    """A GeoPackage takes job_A and job_a for one field."""
    coding = learn_coding(
        {"job": ["A", "a", "b"] * 9, "JOB_B": [1.5, 2.5, 4.0] * 9}, {"job": "categorical"}
    )
    names = [*coding.probability_fields["job"], "JOB_B"]
    assert len({name.lower() for name in names}) == 4


def test_measures_beyond_all_integers_are_no_ids(rng):
    huge = rng.normal(size=40) * 1e30
    assert learn_coding({"a": huge}).variables[0].kind == "continuous"
    with pytest.raises(InputError, match="looks like an id"):
        learn_coding({"a": 10**17 + 3_000 * np.arange(40) ** 2})


def test_what_only_another_table_lacks_is_no_value(rng):
    """Not the mean, which somebody might have, nor the commoner of two truth values."""
    from geoanon_qgis.core.microdata.attacks.table import answers

    first = {"height": [1.0, 2.0, 3.0, 2.0], "ill": [True, True, False, True], "job": [*"abca"]}
    coding = learn_coding(
        first, kinds={"height": "continuous", "ill": "binary", "job": "categorical"}
    )
    other = {"height": [2.0, None, 1.0], "ill": [None, True, False], "job": ["a", "b", None]}
    matrix, rows = coding.encode(other)
    assert rows.tolist() == [0, 1, 2] and coding.blanks(matrix) == 2
    said = [answers(one, matrix).tolist() for one in coding.variables]
    assert np.isnan(said[0]).tolist() == [False, True, False]
    assert said[1] == [2.0, 1.0, 0.0] and said[2] == [0.0, 1.0, -1.0]
    assert coding.blanks(coding.encode(first)[0]) == 0
