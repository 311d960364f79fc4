# SPDX-License-Identifier: GPL-2.0-or-later
"""From a table to a release: every method, what is kept, what must not get out."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.microdata.methods import CORRESPOND, METHODS
from geoanon_qgis.core.microdata.release import anonymize
from geoanon_qgis.core.runtime.errors import Cancelled, InputError


def survey(rng, n=600):
    factor = rng.normal(size=n)
    angle, radius = rng.uniform(0, 2 * np.pi, n), 1_000 * np.sqrt(rng.random(n))
    return {
        "age": np.clip(np.rint(50 + 12 * factor + 8 * rng.normal(size=n)), 0, 110).astype(int),
        "income": np.exp(9 + 0.5 * factor + 0.5 * rng.normal(size=n)),
        "smokes": factor + rng.normal(size=n) > 0.5,
        "job": [
            ("baker", "farmer", "smith")[i]
            for i in np.clip(np.rint(factor + rng.normal(size=n) + 1), 0, 2).astype(int)
        ],
        "x": np.round(100_000 + radius * np.cos(angle), 2),
        "y": np.round(500_000 + radius * np.sin(angle), 2),
    }


def inside(xy):
    return np.hypot(xy[:, 0] - 100_000, xy[:, 1] - 500_000) <= 1_000.02


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("categories_as", ["probabilities", "most_probable", "draw"])
def test_every_method_gives_a_table_of_the_same_kind(rng, method, categories_as):
    data = survey(rng)
    made = anonymize(data, method, rng, categories_as=categories_as)
    names = (
        {"job_baker", "job_farmer", "job_smith"} if categories_as == "probabilities" else {"job"}
    )
    assert set(made.columns) == set(data) - {"job"} | names
    assert all(len(values) == 600 for values in made.columns.values())
    assert made.columns["age"].dtype == np.int64 and made.columns["smokes"].dtype == bool
    assert (made.columns["income"] > 0).all()
    assert (np.round(made.columns["x"], 2) == made.columns["x"]).all()
    if categories_as == "probabilities":
        assert sum(made.columns[name] for name in names) == pytest.approx(np.ones(600))
    else:
        assert set(made.columns["job"]) <= {"baker", "farmer", "smith"}
    assert made.corresponds == (method in CORRESPOND)
    assert sorted(made.row) == list(range(600))
    # What is released can be measured: it is coded like the original.
    assert made.coding.encode(made.columns)[0].shape == made.coded.shape


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_the_rows_says_nothing(rng, method):
    made = anonymize(survey(rng), method, rng)
    assert abs(np.corrcoef(made.row, np.arange(600))[0, 1]) < 0.2
    match = made.match(600)
    if match is None:
        assert not made.corresponds
    else:
        assert (made.row[match] == np.arange(600)).all()


@pytest.mark.parametrize("method", ["cell_swapping", "data_shuffling"])
def test_permuted_values_are_the_very_values(rng, method):
    data = survey(rng)
    data["age"] = [None, *data["age"][1:].tolist()]
    data["job"][3] = None
    made = anonymize(data, method, rng)
    for name in ("income", "x", "y", "smokes"):
        assert sorted(made.columns[name].tolist()) == sorted(np.asarray(data[name]).tolist())
    assert sorted(map(str, made.columns["job"])) == sorted(map(str, data["job"]))
    ages = made.columns["age"]
    assert np.isnan(ages).sum() == 1
    assert sorted(ages[~np.isnan(ages)].tolist()) == sorted(data["age"][1:])


@pytest.mark.parametrize("method", ["spectral_swapping", "data_shuffling", "spectral_rhs"])
def test_no_original_record_is_in_the_release(rng, method):
    data = survey(rng)
    made = anonymize(data, method, rng)
    originals = set(zip(*(map(str, data[name]) for name in data)))
    released = list(zip(*(map(str, made.columns[name].tolist()) for name in data)))
    assert not originals & set(released)
    # Neither is an exact place, an exact income, but where values are shuffled as they are.
    if method != "data_shuffling":
        assert not set(np.asarray(data["income"])) & set(made.columns["income"])
        places = set(zip(data["x"], data["y"]))
        assert not places & set(zip(made.columns["x"], made.columns["y"]))


def test_relations_are_kept_by_spectral_swapping(rng):
    data = survey(rng, 4_000)
    made = anonymize(data, "spectral_swapping", rng)
    before = np.corrcoef(data["age"], np.log(data["income"]))[0, 1]
    after = np.corrcoef(made.columns["age"], np.log(made.columns["income"]))[0, 1]
    assert after == pytest.approx(before, abs=0.05) and before > 0.4


@pytest.mark.parametrize("method", METHODS)
def test_points_stay_in_the_study_area(rng, method):
    data = survey(rng)
    made = anonymize(data, method, rng, place=("x", "y"), inside=inside)
    assert inside(np.stack([made.columns["x"], made.columns["y"]], axis=1)).all()
    if method == "spectral_swapping":
        # components were exchanged instead; that leaves one or two of 600 over in one draw of five
        assert made.moved_inside <= 2
        others = [one.columns.start for one in made.coding.variables if one.name not in ("x", "y")]
        assert made.coded.mean(axis=0)[others] == pytest.approx(
            made.coding.encode(data)[0].mean(axis=0)[others], abs=1e-12
        )
    if method == "cell_swapping":
        assert made.moved_inside > 0 and "study area" in " ".join(made.notes)


def test_the_study_area_must_hold_the_points(rng):
    with pytest.raises(InputError, match="study area"):
        anonymize(
            survey(rng),
            "additive_noise",
            rng,
            place=("x", "y"),
            inside=lambda xy: np.zeros(len(xy), dtype=bool),
        )
    with pytest.raises(InputError, match="coordinate"):
        anonymize(survey(rng), "rhs", rng, place=("x", "z"), inside=inside)


def test_missing_values_by_either_policy(rng):
    data = survey(rng)
    data["income"][:30] = np.nan
    dummy = anonymize(data, "spectral_swapping", rng)
    assert dummy.left_out == 0 and len(dummy.row) == 600
    assert 10 <= np.isnan(dummy.columns["income"]).sum() <= 60
    assert any("missing in 30" in note for note in dummy.notes)
    complete = anonymize(data, "additive_noise", rng, missing="complete")
    assert complete.left_out == 30 and len(complete.row) == 570 and complete.row.min() == 30
    assert (complete.match(600)[:30] == -1).all()
    assert any("30 records" in note for note in complete.notes)


def test_what_the_user_should_know_is_told(rng):
    data = survey(rng)
    data["job"][0] = "king"
    data["country"] = ["NL"] * 600
    notes = " ".join(
        anonymize(data, "rhs", rng, categories_as="draw", decoding="as_published").notes
    )
    assert "country has the same value" in notes
    assert "job has 1 category that a single record has" in notes and "king" not in notes
    assert "Alone in their cell" in notes and "spread more evenly" in notes
    assert "hardly anyone" in " ".join(anonymize(data, "additive_noise", rng).notes)
    few = {name: values[:8] for name, values in survey(rng).items()}
    assert "no more records" in " ".join(anonymize(few, "spectral_rhs", rng, k=2).notes)


def test_one_seed_gives_one_release(rng):
    data = survey(rng)
    for method in METHODS:
        one = anonymize(data, method, np.random.default_rng(4))
        other = anonymize(data, method, np.random.default_rng(4))
        assert all((one.columns[name] == other.columns[name]).all() for name in one.columns)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"method": "magic"}, "method must be"),
        ({"method": "spectral_rhs", "k": 400}, "fewer than 2 x 400"),
        ({"method": "spectral_rhs", "k": 1}, "protect nobody"),
        ({"method": "additive_noise", "noise": 0}, "noise"),
        ({"method": "rhs", "missing": "guess"}, "Missing values"),
        ({"method": "rhs", "categories_as": "best"}, "Categories"),
        ({"method": "rhs", "kinds": {"job": "ordinal"}}, "text"),
    ],
)
def test_bad_parameters(rng, arguments, said):
    with pytest.raises(InputError, match=said):
        anonymize(survey(rng), rng=rng, **arguments)


def test_a_cancel_comes_through(rng):
    def stop(fraction):
        if fraction > 0.4:
            raise Cancelled

    for method in METHODS:
        with pytest.raises(Cancelled):
            anonymize(survey(rng), method, rng, progress=stop)


def test_fields_on_one_line_are_not_swapped(rng):
    """There is one component: every record would be released as it is."""
    values = rng.normal(size=50)
    for table in (
        {"a": values, "b": 2 * values, "c": -values, "ward": np.full(50, 3.5)},
        {"a": [1.5, 2.5], "b": [7.0, 3.0], "c": [0.5, 9.0]},
    ):
        with pytest.raises(InputError, match="on one line"):
            anonymize(table, "spectral_swapping", rng)
    alone = anonymize({"a": values, "ward": np.full(50, 3.5)}, "spectral_swapping", rng)
    assert any("another order" in note for note in alone.notes)
    assert not any(
        "another order" in note for note in anonymize(survey(rng), "spectral_swapping", rng).notes
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_single_record_has_nothing_to_hide_in(rng, method):
    with pytest.raises(InputError, match="fewer than two records"):
        anonymize({"a": [3.5], "b": ["q"]}, method, rng)
    lacking = {"a": [3.5, np.nan, np.nan], "b": ["q", "r", "q"]}
    with pytest.raises(InputError, match="fewer than two records"):
        anonymize(lacking, method, rng, missing="complete")
