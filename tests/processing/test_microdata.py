# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:spectralanonymize, disclosurerisk, microdatautility and equivalenceclasses."""

import json
import re
from collections import Counter

import numpy as np
import pytest
from qgis.core import QgsApplication, QgsProcessing, QgsVectorLayer
from scipy.stats import mannwhitneyu, spearmanr

from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.processing.families import microdata
from tests.processing.helpers import (
    DECIDED,
    DEGREES,
    GRID,
    Feedback,
    coordinates,
    layer,
    leftovers,
    opened,
    records,
    refusal,
    run,
    run_and_load,
    saved,
)

COUNT = 300
TYPES = (
    "patient_id:int,age:int,income:double,sex:string,smoker:bool,kids:int,job:string,"
    "pressure:double"
)
FIELDS = ["age", "income", "sex", "smoker", "kids", "job", "pressure"]


def people_rows(count=COUNT, seed=1, nulls=True):
    rng = np.random.default_rng(seed)
    half = count // 2
    xy = np.concatenate(
        [
            rng.normal([529_000, 181_000], 900, (half, 2)),
            rng.normal([532_500, 183_500], 600, (count - half, 2)),
        ]
    )
    east = (xy[:, 0] - 530_500) / 2000
    age = np.clip(rng.normal(48 + 6 * east, 16), 18, 95).round().astype(int)
    income = np.exp(10.2 + 0.3 * east + 0.008 * age + rng.normal(0, 0.4, count))
    smoker = rng.random(count) < 0.3 - 0.1 * east
    pressure = 110 + 0.5 * age + 8 * smoker + rng.normal(0, 9, count)
    sex, kids = rng.choice(["f", "m"], count), rng.poisson(1.1, count).clip(0, 6)
    job = rng.choice(["office", "craft", "care", "none"], count, p=[0.4, 0.25, 0.2, 0.15])
    rows = [
        (
            765_432_000 + i,
            int(age[i]),
            float(income[i]),
            str(sex[i]),
            bool(smoker[i]),
            int(kids[i]),
            None if nulls and i % 37 == 0 else str(job[i]),
            None if nulls and i % 29 == 0 else float(pressure[i]),
        )
        for i in range(count)
    ]
    return xy, rows


def people(count=COUNT, seed=1, nulls=True, crs=GRID, name="people"):
    xy, rows = people_rows(count, seed, nulls)
    return layer(xy, crs=crs, fields=TYPES, rows=rows, name=name)


def table(columns: dict, name="table"):
    """A table without geometry, of columns of plain Python values."""

    def kind(values):
        there = [value for value in values if value is not None]
        return {bool: "bool", int: "int", float: "double"}.get(type(there[0]), "string")

    rows = list(zip(*columns.values()))
    fields = ",".join(f"{key}:{kind(values)}" for key, values in columns.items())
    return layer([None] * len(rows), kind="NoGeometry", crs="", fields=fields, rows=rows, name=name)


def numbers(count=400, columns=8, seed=3, sample=0):
    """Correlated numbers without a resolution, as columns of floats.

    Other samples of the same seed are other people of the same population.
    """
    relation = np.random.default_rng(seed).normal(size=(columns, columns))
    mixed = np.random.default_rng([seed, sample]).normal(size=(count, columns)) @ relation
    return {f"v{i}": column.tolist() for i, column in enumerate(mixed.T)}


def matrix(source, names):
    return np.array([[row[name] for name in names] for row in records(source)], dtype=float)


def anonymised(source, feedback=None, **parameters):
    given = {"INPUT": source, "OUTPUT": "TEMPORARY_OUTPUT", "KEY": "TEMPORARY_OUTPUT"}
    return run("spectralanonymize", {**given, **parameters}, feedback)


def refused(source, **parameters):
    return refusal(
        "spectralanonymize", {"INPUT": source, "OUTPUT": "TEMPORARY_OUTPUT", **parameters}
    )


def measured(original, released, feedback=None, **parameters):
    given = {"ORIGINAL": original, "ANONYMIZED": released, "OUTPUT": "TEMPORARY_OUTPUT"}
    return run("disclosurerisk", {**given, **parameters}, feedback)


def compared(original, released, feedback=None, **parameters):
    given = {"ORIGINAL": original, "ANONYMIZED": released, "OUTPUT": "TEMPORARY_OUTPUT"}
    return run("microdatautility", {**given, **parameters}, feedback)


# --- contracts ----------------------------------------------------------------------------------


def test_only_the_anonymised_records_are_a_release(provider):
    def released(name):
        algorithm = QgsApplication.processingRegistry().algorithmById(f"geoanon:{name}")
        return [
            d.name()
            for d in algorithm.destinationParameterDefinitions()
            if not d.description().startswith("Private: ")
        ]

    assert released("spectralanonymize") == ["OUTPUT"]
    for name in ("disclosurerisk", "microdatautility", "equivalenceclasses"):
        assert released(name) == []


def test_numbers_that_models_can_use(provider):
    def outputs(name, kind="outputNumber"):
        algorithm = QgsApplication.processingRegistry().algorithmById(f"geoanon:{name}")
        return {o.name() for o in algorithm.outputDefinitions() if o.type() == kind} - DECIDED

    assert outputs("spectralanonymize") == {"N", "COLUMNS", "LEFT_OUT", "SMALLEST_GROUP"}
    attacks = ("SINGLING_OUT", "LINKABILITY", "INFERENCE", "MEMBERSHIP")
    attacked = {name + end for name in attacks for end in ("", "_HIGH")}
    assert {"ADEQUATE", "DISTANCE_EXCESS", "REIDENTIFIED", "AUC_AMBIGUITY"} | attacked <= outputs(
        "disclosurerisk"
    )
    assert outputs("disclosurerisk", "outputString") == {"VERDICT", "MEASURES_VERDICT"}
    assert {"MEAN", "VARIANCE", "CORRELATION", "RANK_CORRELATION"} <= outputs("microdatautility")
    assert {"K_ANONYMITY", "UNIQUES", "ENTROPY", "MAXCOMBS"} <= outputs("equivalenceclasses")


def test_kinds_are_written_as_they_are_read():
    fields = ["age", "income, net", "a=b"]
    text = 'age=ordinal, "income, net"=positive; "a=b"=binary'
    kinds = microdata.read_kinds(text, fields)
    assert kinds == {"age": "ordinal", "income, net": "positive", "a=b": "binary"}
    coding = learn_coding(
        {"age": [1, 2, 3] * 9, "income, net": [1.5, 2, 7] * 9, "a=b": [0, 1, 0] * 9}, kinds
    )
    assert microdata.read_kinds(microdata.write_kinds(coding), fields) == kinds
    assert microdata.read_kinds("", fields) == microdata.read_kinds(None, fields) == {}


# --- spectral anonymization -----------------------------------------------------------------------


def test_swapping_keeps_means_exactly_and_the_rest_nearly(provider, tmp_path):
    original = table(numbers(2_000))
    done = anonymised(original, OUTPUT=str(tmp_path / "r.gpkg"), DECODING="as_published")
    names = [f"v{i}" for i in range(8)]
    before, after = matrix(original, names), matrix(done["OUTPUT"], names)
    spread = before.std(axis=0)
    assert np.abs((after.mean(axis=0) - before.mean(axis=0)) / spread).max() < 1e-12
    assert np.median(np.abs(after.var(axis=0) / before.var(axis=0) - 1)) < 0.05
    assert np.abs(np.corrcoef(after.T) - np.corrcoef(before.T)).max() < 0.1
    # nobody is there as he was
    nearest = np.abs((after[:, None] - before[None, :200]) / spread).max(axis=2).min(axis=0)
    assert nearest.min() > 1e-6
    assert done["N"] == 2_000 and done["COLUMNS"] == 8 and "SMALLEST_GROUP" not in done
    assert not opened(done["OUTPUT"]).isSpatial()


def visits():
    """Five records each of 200 people, one of whom is by far the tallest."""
    rng = np.random.default_rng(8)
    whose, height = np.repeat(np.arange(200), 5), rng.normal(170, 9, 200).round(1)
    height[3] = 231.4
    return {
        "patient": [f"p{one:03}" for one in whose],
        "height": height[whose].tolist(),
        "weight": (0.45 * height[whose] + rng.normal(0, 5, 1_000)).round(1).tolist(),
    }


@pytest.mark.parametrize("asked", [{}, {"FIELDS": ["height", "weight"]}])
def test_people_are_counted_where_they_have_several_records(provider, tmp_path, asked):
    original = table(visits())
    # by records, the tallest one's five are the tallest three
    done = anonymised(original, OUTPUT=str(tmp_path / "records.gpkg"), **asked)
    assert matrix(done["OUTPUT"], ["height"]).max() == 231.4
    given = {"PERSON_FIELD": "patient", "REPORT": str(tmp_path / "people.html"), **asked}
    done = anonymised(original, OUTPUT=str(tmp_path / "people.gpkg"), **given)
    assert matrix(done["OUTPUT"], ["height"]).max() < 210
    assert "patient" not in opened(done["OUTPUT"]).fields().names()
    report = (tmp_path / "people.html").read_text("utf-8")
    said = re.sub(r"<[^>]*>", "", report)
    assert "People, who have several records200" in said
    assert said.count("PERSON_FIELD=patient") == 1  # for the attack to run


def test_whose_a_record_is_is_never_released(provider):
    original = table(visits())
    for given in (
        {"FIELDS": ["patient", "height"]},
        {"FIELDS": ["height", "weight", "patient"], "KEPT_FIELDS": ["patient"]},
    ):
        for spelt in ("patient", "Patient"):
            assert "never released" in refused(original, PERSON_FIELD=spelt, **given)


def test_groups_hold_k_to_2k_and_are_those_of_the_key(provider):
    original = table(numbers(403))
    given = {"METHOD": "spectral_rhs", "K": 5, "MISSING": "complete"}
    done = anonymised(original, DECODING="as_published", **given)
    names = [f"v{i}" for i in range(8)]
    after = matrix(done["OUTPUT"], names)
    _, group, size = np.unique(after.round(9), axis=0, return_inverse=True, return_counts=True)
    assert size.min() == done["SMALLEST_GROUP"] >= 5 and size.max() <= 10
    key = {row["released_id"]: row["original_id"] for row in records(done["KEY"])}
    features = {feature.id(): feature for feature in original.getFeatures()}
    before = np.array([[features[key[i]][name] for name in names] for i in range(1, 404)])
    for one in range(len(size)):
        members = group.ravel() == one
        assert np.allclose(after[members], before[members].mean(axis=0))


@pytest.mark.parametrize("method", ["data_shuffling", "cell_swapping"])
def test_permuted_values_are_the_values_themselves(provider, method):
    original = people()
    done = anonymised(original, METHOD=method)
    before, after = records(original), records(done["OUTPUT"])
    for name in FIELDS:
        assert Counter(row[name] for row in after) == Counter(row[name] for row in before), name
    assert records(done["KEY"]) == []  # no record corresponds to one


@pytest.mark.parametrize(
    "method, corresponds",
    [
        ("spectral_swapping", False),
        ("spectral_rhs", True),
        ("cell_swapping", False),
        ("rhs", True),
        ("data_shuffling", False),
        ("additive_noise", True),
    ],
)
def test_every_method_releases_what_was_asked_for(provider, method, corresponds):
    original = people()
    done = anonymised(original, METHOD=method, FIELDS=["age", "job", "smoker", "pressure"])
    rows = records(done["OUTPUT"])
    assert list(rows[0]) == ["released_id", "age", "job", "smoker", "pressure"]
    assert [row["released_id"] for row in rows] == list(range(1, COUNT + 1))
    assert {type(row["age"]) for row in rows} == {int}
    assert {row["job"] for row in rows} <= {"office", "craft", "care", "none", None}
    assert {row["smoker"] for row in rows} <= {True, False}
    assert len(records(done["KEY"])) == (COUNT if corresponds else 0)
    assert "geoanon:disclosurerisk" in "\n".join(done.feedback.warnings)


def test_what_looks_like_an_id_is_not_taken_unless_asked_for(provider):
    done = anonymised(people())
    assert set(records(done["OUTPUT"])[0]) == {"released_id", *FIELDS}
    assert "patient_id (its name is that of an id, " in done.feedback.said


def test_kinds_are_guessed_shown_and_can_be_given(provider):
    done = anonymised(people())
    shown = (
        "age=continuous, income=positive, sex=binary, smoker=binary, kids=ordinal, "
        "job=categorical, pressure=continuous"
    )
    assert shown in done.feedback.said
    other = anonymised(people(), KINDS="age=ordinal; kids=categorical, income=continuous")
    assert "age=ordinal, income=continuous" in other.feedback.said
    assert "kids=categorical" in other.feedback.said
    assert other["COLUMNS"] > done["COLUMNS"]
    ages = {row["age"] for row in records(other["OUTPUT"])}
    assert ages <= {row["age"] for row in records(people())}  # ordinal: values that there were


def test_probabilities_have_a_field_for_each_category(provider):
    done = anonymised(people(), FIELDS=["age", "job", "income"], CATEGORIES_AS="probabilities")
    rows = records(done["OUTPUT"])
    shares = ["job_care", "job_craft", "job_none", "job_office", "job_missing"]
    assert set(shares) < set(rows[0]) and "job" not in rows[0]
    total = np.array([[row[name] for name in shares] for row in rows])
    assert np.allclose(total.sum(axis=1), 1) and total.min() >= 0
    # and the measures find them under their names
    found = measured(people(), done["OUTPUT"], FIELDS=["age", "job", "income"])
    assert found["N"] == COUNT
    assert measured(people(), done["OUTPUT"])["DISTANCE_EXCESS"] == found["DISTANCE_EXCESS"]


def test_missing_values_have_a_policy(provider):
    lacking = sum(row["job"] is None or row["pressure"] is None for row in records(people()))
    done = anonymised(people(), MISSING="complete")
    assert (done["N"], done["LEFT_OUT"]) == (COUNT - lacking, lacking)
    assert f"{lacking} records" in done.feedback.said
    assert not any(None in row.values() for row in records(done["OUTPUT"]))
    kept = anonymised(people(), METHOD="data_shuffling")
    assert kept["N"] == COUNT and "job is missing in 9 records" in kept.feedback.said
    assert sum(row["job"] is None for row in records(kept["OUTPUT"])) == 9


def test_a_seed_repeats_a_run_and_none_does_not(provider):
    runs = [records(anonymised(people(), SEED=seed)["OUTPUT"]) for seed in (11, 11, None, None)]
    assert runs[0] == runs[1] and runs[0] != runs[2] and runs[2] != runs[3]


# --- places ---------------------------------------------------------------------------------------


def test_places_become_synthetic_points_with_the_same_centre(provider):
    original = people()
    done = anonymised(original, USE_GEOMETRY=True)
    made = opened(done["OUTPUT"])
    assert made.crs().authid() == GRID and made.featureCount() == COUNT
    before, after = coordinates(original), coordinates(made)
    assert np.allclose(before.mean(axis=0), after.mean(axis=0), atol=1e-6)
    assert not {*map(tuple, before.round(3))} & {*map(tuple, after.round(3))}
    rows = records(made)
    east = [row["income"] for row in rows]
    assert spearmanr(after[:, 0], east)[0] > 0.3  # incomes still rise to the east


def test_without_places_the_release_has_none(provider):
    done = anonymised(people())
    assert not opened(done["OUTPUT"]).isSpatial()
    assert "Places take no part" in done.feedback.said


@pytest.mark.parametrize("method", ["spectral_swapping", "spectral_rhs", "cell_swapping"])
def test_points_are_kept_inside_an_area_of_another_system(provider, method):
    xy, rows = people_rows()
    xy[7] = (540_000, 182_000)
    shape = (
        "Polygon((526000 178000, 535000 178000, 535000 186000, 526000 186000, 526000 178000),"
        "(530500 181500, 531500 181500, 531500 182500, 530500 182500, 530500 181500))"
    )
    area = layer([shape], kind="Polygon", name="town")
    other = run_native("reprojectlayer", {"INPUT": area, "TARGET_CRS": DEGREES})
    done = anonymised(
        layer(xy, fields=TYPES, rows=rows), USE_GEOMETRY=True, AREA=other, METHOD=method
    )
    after = coordinates(done["OUTPUT"])
    assert ((after > (525_990, 177_990)) & (after < (535_010, 186_010))).all()
    hole = ((after > (530_510, 181_510)) & (after < (531_490, 182_490))).all(axis=1)
    assert not hole.any()
    assert "Original points outside the area: 1 of 300." in done.feedback.said


def run_native(name, parameters):
    from qgis import processing

    made = {**parameters, "OUTPUT": QgsProcessing.TEMPORARY_OUTPUT}
    return processing.run(f"native:{name}", made)["OUTPUT"]


def test_degrees_are_worked_on_in_metres(provider):
    degrees = run_native("reprojectlayer", {"INPUT": people(), "TARGET_CRS": DEGREES})
    done = anonymised(degrees, USE_GEOMETRY=True)
    assert "local metric projection" in done.feedback.said
    after = coordinates(done["OUTPUT"])
    assert opened(done["OUTPUT"]).crs().authid() == DEGREES
    assert np.allclose(after.mean(axis=0), coordinates(degrees).mean(axis=0), atol=1e-4)


def test_records_without_a_place_are_left_out_and_counted(provider):
    xy, rows = people_rows(60)
    shapes = [None if i < 3 else place for i, place in enumerate(xy)]
    source = layer(shapes, fields=TYPES, rows=rows)
    done = anonymised(source, USE_GEOMETRY=True)
    assert done["N"] == 57 and "3 features have no usable place" in done.feedback.said
    assert anonymised(source)["N"] == 60  # places take no part


# --- bad input ------------------------------------------------------------------------------------


def test_a_constant_column_is_released_as_it_is(provider):
    source = table({**numbers(60, 3), "ward": [7] * 60})
    done = anonymised(source)
    assert {row["ward"] for row in records(done["OUTPUT"])} == {7}
    assert "ward has the same value in every record" in done.feedback.said
    assert "constant" in refused(table({"a": [1] * 40, "b": [2.5] * 40}))


def test_by_default_nobody_has_a_value_that_nobody_could(provider):
    original = people()
    done = anonymised(original, METHOD="spectral_swapping", RANGES="age=18..80, income=..90000")
    before, after = records(original), records(done["OUTPUT"])
    for name in ("income", "kids", "pressure"):
        there = [row[name] for row in before if row[name] is not None]
        found = [row[name] for row in after if row[name] is not None]
        assert min(there) <= min(found) and max(found) <= max(there)
    ages = [row["age"] for row in after if row["age"] is not None]
    assert 18 <= min(ages) and max(ages) <= 80
    for name in ("sex", "smoker", "job"):
        counts = [Counter(row[name] for row in rows) for rows in (before, after)]
        assert all(abs(counts[0][one] - counts[1][one]) <= 1 for one in {*counts[0], *counts[1]})
    assert "of the original beyond the range" in done.feedback.said


@pytest.mark.parametrize(
    "ranges", ["age", "age=1..x", "age=..", "nobody=1..2", "job=0..1", "age=5..5", "age=500..600"]
)
def test_ranges_that_cannot_be_read(provider, ranges):
    assert "range" in refused(people(), RANGES=ranges)


def test_rules_are_obeyed_found_or_given(provider):
    rng = np.random.default_rng(8)
    age = rng.integers(0, 90, 1_500)
    married = np.where((age > 17) & (rng.random(1_500) < 0.6), 1, 0)
    source = table(
        {"age": age.tolist(), "married": married.tolist(), "z": rng.normal(size=1_500).tolist()}
    )

    def broken(done):
        return sum(row["married"] == 1 and row["age"] < 18 for row in records(done["OUTPUT"]))

    assert broken(anonymised(source, RULES="")) > 10
    assert broken(anonymised(source)) == 0
    given = anonymised(source, RULES='"MARRIED" = 0 or "age" >= 18; "age" >= 0')
    assert broken(given) == 0 and "still do: 0." in given.feedback.said


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ('"age" >', "cannot be read"),
        ('"nobody" > 1', "names “nobody”"),
        ("1 = 1", "no field"),
        ('"age" > 1000', "is broken by"),
        ('"age" >= 0; "age" > 1000', 'The rule “"age" > 1000” is broken by'),
    ],
)
def test_rules_that_are_none(provider, rules, said):
    assert said in refused(people(), RULES=rules)


def test_collinear_columns_stay_collinear(provider):
    columns = numbers(200, 4)
    columns["sum"] = (np.array(columns["v0"]) + columns["v1"]).tolist()
    done = anonymised(table(columns), DECODING="as_published")
    after = matrix(done["OUTPUT"], ["v0", "v1", "sum"])
    assert np.allclose(after[:, 0] + after[:, 1], after[:, 2])


def test_fewer_rows_than_columns_and_fewer_than_2k(provider):
    few = table(numbers(6, 9))
    done = anonymised(few)
    assert done["N"] == 6 and "no more records (6) than coded columns (9)" in done.feedback.said
    assert "fewer than 2 x 5" in refused(few, METHOD="spectral_rhs", K=5)


def test_values_that_do_not_fit_their_kind(provider):
    source = table({"a": [0.0, 1.0, 2.5] * 20, "b": ["x", "y", "z"] * 20, "c": [1.0, 2.0] * 30})
    assert "no logarithm" in refused(source, KINDS="a=positive")
    assert "text" in refused(source, KINDS="b=continuous")
    assert "two" in refused(source, KINDS="a=binary")
    assert "kinds are" in refused(source, KINDS="a=real")
    assert "“d”" in refused(source, KINDS="d=binary")


def test_a_category_seen_once_is_told(provider):
    source = table({**numbers(90, 3), "job": ["judge", *["clerk", "cook"] * 44, "cook"]})
    assert "job has 1 category that a single record has" in anonymised(source).feedback.said


def test_ids_are_refused_with_the_reason(provider):
    text = table({**numbers(50, 2), "code": [f"A{i}" for i in range(50)]})
    assert "would name each record" in refused(text, FIELDS=["v0", "v1", "code"])
    assert "looks like an id" in refused(people(), FIELDS=["age", "patient_id"])
    done = anonymised(text)  # left out by itself, and said
    assert "code (its values are all different" in done.feedback.said


def test_whole_numbers_that_all_differ_are_ids_unless_said_otherwise(provider):
    income = np.random.default_rng(1).permutation(np.arange(100) ** 2 * 10 + 20_000.0).tolist()
    source = table({**numbers(100, 3), "income": income})
    done = anonymised(source)
    assert "income" not in records(done["OUTPUT"])[0]
    assert "income (its values are all different" in done.feedback.said
    done = anonymised(source, KINDS="income=continuous")
    assert "income" in records(done["OUTPUT"])[0]
    # what was released is measured, without being told again
    found = measured(source, done["OUTPUT"])
    assert "income=continuous" in found.feedback.said
    assert "Not compared" not in found.feedback.said
    numbered = table({**numbers(100, 3), "row": list(range(100))})
    found = measured(numbered, numbered)
    assert "they look like ids: row." in "\n".join(found.feedback.warnings)


def test_numbers_written_as_text_are_told(provider):
    columns = {**numbers(60, 3), "kids": [str(i % 4) for i in range(60)]}
    done = anonymised(table(columns))
    assert "taken as categories: kids." in "\n".join(done.feedback.warnings)
    found = compared(table(columns), done["OUTPUT"])
    assert "taken as categories: kids." in "\n".join(found.feedback.warnings)


def test_moments_and_empty_fields_are_left_out_or_refused(provider):
    rows = [(float(i) ** 0.5, None, "2020-01-01T10:00:00") for i in range(30)]
    fields = "a:double,nothing:double,day:datetime"
    source = layer([None] * 30, kind="NoGeometry", crs="", fields=fields, rows=rows)
    done = anonymised(source)
    assert list(records(done["OUTPUT"])[0]) == ["released_id", "a"]
    assert "day (it holds neither" in done.feedback.said
    assert "nothing (it holds no value at all" in done.feedback.said
    assert "neither numbers nor text" in refused(source, FIELDS=["a", "day"])
    assert "no value" in refused(source, FIELDS=["nothing"])


def test_other_refusals(provider, tmp_path):
    box = layer(["Polygon((0 0, 1 0, 1 1, 0 1, 0 0))"], kind="Polygon")
    assert "USE_GEOMETRY" in refused(people(), AREA=box)
    assert "no point layer" in refused(table(numbers(30)), USE_GEOMETRY=True)
    assert "no field" in refused(people(), FIELDS=["nowhere"])
    assert "No field is left" in refused(table({"patient_id": list(range(30))}))
    assert "share of noise" in refused(people(), METHOD="additive_noise", NOISE=0)
    assert "at least 2" in refused(people(), METHOD="spectral_rhs", K=1)
    assert "study area" in refused(people(), USE_GEOMETRY=True, AREA=box)
    named = table({"released_id": [1.5, 2.5, 3.0] * 9, "v": [1.0, 2.0, 4.0] * 9})
    assert "Rename" in refused(named, FIELDS=["released_id", "v"])
    none = table({"a": [1.0]})
    none.setSubsetString("a > 5")
    assert "no records" in refused(none)


def test_names_that_formats_keep_for_themselves_are_refused(provider):
    columns = {"v": [1.0, 2.0, 4.5] * 9}
    upper = table({"RELEASED_ID": [1.5, 2.5, 3.0] * 9, **columns})
    assert "Rename" in refused(upper, FIELDS=["RELEASED_ID", "v"])
    rows = table({"FID": [float(i * i) for i in range(27)], **columns})
    assert "names every record" in refused(rows, FIELDS=["FID", "v"], KINDS="FID=continuous")


def test_categories_that_differ_in_case_have_fields_of_their_own(provider, tmp_path):
    source = table({**numbers(90, 3), "job": ["A", "a", "b"] * 30})
    done = anonymised(source, CATEGORIES_AS="probabilities", OUTPUT=str(tmp_path / "r.gpkg"))
    assert {"job_A", "job_a_2", "job_b"} < set(records(done["OUTPUT"])[0])
    assert measured(source, done["OUTPUT"])["N"] == 90


def test_fields_on_one_line_are_refused_by_swapping(provider):
    values = numbers(50, 1)["v0"]
    line = table({"a": values, "b": [2 * v for v in values], "ward": [7] * 50})
    assert "on one line" in refused(line)
    assert "fewer than two records" in refused(table({"a": [1.5]}), METHOD="cell_swapping")
    alone = anonymised(table({"a": values}))
    assert "only puts the records into another order" in "\n".join(alone.feedback.warnings)


@pytest.mark.parametrize("inside", [False, True])
def test_places_alone_give_no_original_place_away(provider, inside):
    """Of x and y alone chance would put one point on the average back to where it was."""
    xy = people_rows(40)[0]
    box = layer(
        ["Polygon((520000 170000, 540000 170000, 540000 182500, 520000 182500,520000 170000))"],
        kind="Polygon",
    )
    for seed in range(8):
        done = anonymised(layer(xy), USE_GEOMETRY=True, SEED=seed, AREA=box if inside else None)
        apart = np.abs(coordinates(done["OUTPUT"])[:, None] - xy[None]).max(axis=2)
        assert apart.min() > 0.001


# --- what is given away ---------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["spectral_swapping", "spectral_rhs"])
@pytest.mark.parametrize("ending", ["gpkg", "csv"])
def test_nothing_in_the_release_undoes_it(provider, tmp_path, method, ending):
    secret, public = tmp_path / "clinic_seven", tmp_path / "public"
    secret.mkdir(), public.mkdir()
    xy, rows = people_rows(COUNT, nulls=False)
    # A field that tells the order of the rows, were it kept.
    rows = [(*row[:2], row[2] + 1_000 * i, *row[3:]) for i, row in enumerate(rows)]
    source = opened(
        saved(
            layer(xy, fields=TYPES, rows=rows, name="clinic_seven"), secret / "clinic_seven.gpkg"
        ),
        "clinic_seven",
    )
    done = anonymised(
        source,
        METHOD=method,
        USE_GEOMETRY=True,
        SEED=918273645,
        FIELDS=["age", "income", "sex"],
        OUTPUT=str(public / f"records.{ending}"),
        KEY=str(secret / "key.gpkg"),
        REPORT=str(secret / "report.html"),
        JSON=str(secret / "report.json"),
    )
    given = b"".join(path.read_bytes() for path in public.iterdir())
    for value in [*xy.ravel().tolist(), *(row[2] for row in rows)]:
        assert np.float64(value).tobytes() not in given
        assert np.float64(value).byteswap().tobytes() not in given
        assert f"{value:.3f}".encode() not in given
    for word in (b"clinic_seven", b"918273645", b"patient", b"original_id", b"kids", b"smoker"):
        assert word not in given, word
    assert np.int64(918273645).tobytes() not in given
    assert all(str(765_432_000 + i).encode() not in given for i in range(COUNT))
    rows = records(done["OUTPUT"])
    assert set(rows[0]) - {"fid", "X", "Y"} == {"released_id", "age", "income", "sex"}
    incomes = [float(row["income"]) for row in rows]
    assert abs(spearmanr(incomes, range(COUNT))[0]) < 0.3  # the originals' is nearly 1
    if method == "spectral_rhs":
        order = [row["original_id"] for row in records(done["KEY"])]
        assert abs(spearmanr(order, range(COUNT))[0]) < 0.3 and sorted(order) != order


@pytest.mark.parametrize("cancel_at", [3, 15, 40, 75, 88])
def test_a_cancelled_run_leaves_nothing_and_keeps_what_was_there(provider, tmp_path, cancel_at):
    before = tmp_path / "records.gpkg"
    before.write_bytes(b"mine")
    done = anonymised(
        people(),
        Feedback(cancel_at),
        USE_GEOMETRY=True,
        OUTPUT=str(before),
        KEY=str(tmp_path / "key.gpkg"),
        REPORT=str(tmp_path / "r.html"),
    )
    assert "N" not in done
    assert leftovers(tmp_path) == ["records.gpkg"] and before.read_bytes() == b"mine"


@pytest.mark.parametrize("cancel_at", [5, 40, 80, 92])
def test_measures_can_be_cancelled(provider, tmp_path, cancel_at):
    source = people()
    made = opened(anonymised(source)["OUTPUT"])
    for name, parameters in (
        ("disclosurerisk", {"ORIGINAL": source, "ANONYMIZED": made}),
        ("microdatautility", {"ORIGINAL": source, "ANONYMIZED": made}),
        ("equivalenceclasses", {"INPUT": source, "QIS": ["sex", "kids"]}),
    ):
        outputs = {"OUTPUT": str(tmp_path / "o.gpkg"), "REPORT": str(tmp_path / "r.html")}
        done = run(name, {**parameters, **outputs}, Feedback(cancel_at))
        assert "N" not in done and "MEAN" not in done
        assert leftovers(tmp_path) == []


# --- disclosure risk ------------------------------------------------------------------------------


def direct(coded, others, k, leave_out=False):
    """Distance, ambiguity and uncertainty by loops."""
    found = []
    for at, record in enumerate(coded):
        pool = np.delete(others, at, axis=0) if leave_out else others
        away = np.sqrt(((pool - record) ** 2).mean(axis=1))
        order = np.argsort(away, kind="stable")[:k]
        found.append(
            (
                away[order[0]],
                away[order[0]] / away[order[-1]],
                pool[order].var(axis=0, ddof=1).mean(),
            )
        )
    return np.array(found)


def standardised(columns, by):
    return np.array(
        [(np.array(columns[name]) - np.mean(by[name])) / np.std(by[name]) for name in columns]
    ).T


NAMES = ("distance", "ambiguity", "uncertainty")


@pytest.mark.parametrize("sample", [False, True])
def test_the_measures_are_those_of_direct_loops(provider, sample):
    one, two = numbers(120, 4), numbers(110, 4, sample=1)
    original = table(one)
    done = anonymised(original, SEED=5)
    made = {name: [row[name] for row in records(done["OUTPUT"])] for name in one}
    # The release in another order of columns, with fields of its own.
    shown = table({"note": ["x"] * 120, **{name: made[name] for name in reversed(list(one))}})
    found = measured(original, shown, K=4, REFERENCE=table(two) if sample else None)
    rows = records(found["OUTPUT"])
    got = np.array([[row[name] for name in NAMES] for row in rows])
    coded = standardised(one, one)
    assert np.allclose(got, direct(coded, standardised(made, one), 4))
    against = np.array([[row[f"reference_{name}"] for name in NAMES] for row in rows])
    expected = (
        direct(coded, standardised(two, one), 4)
        if sample
        else direct(coded, coded, 4, leave_out=True)
    )
    assert np.allclose(against, expected)
    assert [row["original_id"] for row in rows] == [f.id() for f in original.getFeatures()]
    ratio = [row["relative_distance"] for row in rows]
    assert np.allclose(ratio, got[:, 0] / expected[:, 0])
    # and the excess is the one-sided Kolmogorov-Smirnov statistic
    for at, name in enumerate(NAMES):
        every = np.unique(np.concatenate([got[:, at], against[:, at]]))
        above = [
            (got[:, at] <= x + 1e-9).mean() - (against[:, at] <= x + 1e-9).mean() for x in every
        ]
        assert found[f"{name.upper()}_EXCESS"] == pytest.approx(max(0, *above), abs=0.01)
    assert {row["right"] for row in rows} == {None} and "REIDENTIFIED" not in found


def test_noise_protects_nobody_and_groups_do(provider):
    original = table(numbers(1_000, 20, seed=2))
    reference = table(numbers(1_000, 20, seed=2, sample=1))
    noisy = anonymised(original, METHOD="additive_noise", SEED=1)
    found = measured(original, noisy["OUTPUT"], KEY=noisy["KEY"], REFERENCE=reference)
    assert found["REIDENTIFIED"] > 0.95 and found["VERDICT"] == "inadequate"
    assert found["ADEQUATE"] == 0 and found["AMBIGUITY_EXCESS"] > 0.5
    grouped = anonymised(original, METHOD="spectral_rhs", K=5, SEED=1)
    found = measured(original, grouped["OUTPUT"], KEY=grouped["KEY"])
    assert 0.03 < found["REIDENTIFIED"] < 0.2 and abs(found["AUC_DISTANCE"] - 0.5) < 0.15
    assert "by the design of the method" in found.feedback.said
    swapped = anonymised(original, METHOD="spectral_swapping", SEED=1)
    found = measured(original, swapped["OUTPUT"], KEY=swapped["KEY"])
    # chance decides between "adequate" and "undecided" at so few records
    assert found["VERDICT"] in ("adequate", "undecided") and found["DISTANCE_EXCESS"] < 0.05
    assert "REIDENTIFIED" not in found  # its key has no rows: nobody corresponds


def test_auc_is_the_rank_formula(provider):
    columns = numbers(300, 3, seed=4)
    rng = np.random.default_rng(1)
    noisy = {name: (np.array(v) + rng.normal(0, 0.6, 300)).tolist() for name, v in columns.items()}
    ids = [f"p{i}" for i in range(300)]
    original = table({"who": ids, **columns})
    order = rng.permutation(300)
    made = table(
        {
            "person": [ids[i] for i in order],
            **{name: [v[i] for i in order] for name, v in noisy.items()},
        }
    )
    found = measured(
        original, made, ORIGINAL_ID="who", ANONYMIZED_ID="person", FIELDS=list(columns)
    )
    rows = records(found["OUTPUT"])
    right = np.array([row["right"] for row in rows])
    assert set(right) == {0.0, 1.0} and found["REIDENTIFIED"] == pytest.approx(right.mean())
    assert [row["right"] == 1 for row in rows] == [
        row["nearest_id"] == ids[at] for at, row in enumerate(rows)
    ]
    for name in NAMES:
        values = np.array([row[name] for row in rows])
        wins = mannwhitneyu(values[right == 0], values[right == 1]).statistic
        expected = wins / ((right == 0).sum() * (right == 1).sum())
        assert found[f"AUC_{name.upper()}"] == pytest.approx(expected)


@pytest.mark.parametrize("copies", [1, 90])
def test_no_release_with_people_as_they_are_is_adequate(provider, tmp_path, copies):
    columns = numbers(2_000, 5, seed=2)
    made = numbers(2_000, 5, seed=2, sample=1)
    own = np.random.default_rng(1).choice(2_000, copies, replace=False).tolist()
    for name, values in made.items():
        values[:copies] = [columns[name][row] for row in own]
    found = measured(
        table(columns), table(made), JSON=str(tmp_path / "r.json"), REPORT=str(tmp_path / "r.html")
    )
    assert (found["VERDICT"], found["ADEQUATE"]) == ("inadequate", 0)
    assert (found["VERBATIM"], found["VERBATIM_UNIQUE"]) == (copies, copies)
    assert (found["VERBATIM_EXPECTED"], found["NEARER"]) == (0, 0)
    assert found["DISTANCE_EXCESS"] < 0.06  # which, of so many, chance explains
    rows = records(found["OUTPUT"])
    assert [row["original_id"] - 1 for row in rows if row["verbatim"]] == sorted(own)
    assert all(row["only_one"] == 1 and row["too_near"] == 0 for row in rows)
    listed = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert listed["figures"]["verbatim"] == copies and listed["private"]
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "as good as" in page and "like no other original" in page
    assert "very same values" in "\n".join(found.feedback.warnings)


def test_what_is_undecided_is_not_told_as_harmless_beside_people_as_they_are(provider):
    columns, made = numbers(600, 3, seed=4), numbers(600, 3, seed=4, sample=1)
    for name, values in made.items():
        values[:10] = columns[name][:10]
    found = measured(table(columns), table(made))
    warned = "\n".join(found.feedback.warnings)
    assert found["VERDICT"] == "inadequate" and ": Undecided" in warned
    assert "Not adequate" not in warned
    assert "as good as" in warned and "could be decided" in warned
    assert "tells no more about people as a whole" not in warned


def test_rounded_and_nearly_verbatim_people_are_found(provider, tmp_path):
    columns = numbers(1_000, 5, seed=2)
    made = numbers(1_000, 5, seed=2, sample=1)
    rounded = {
        name: [round(v, 2) for v in [*columns[name][:7], *values[7:]]]
        for name, values in made.items()
    }
    found = measured(table(columns), saved(table(rounded), tmp_path / "r.csv"))
    assert found["VERBATIM"] == 7 and found["VERDICT"] == "inadequate"
    close = {
        name: [*(v + 1e-5 for v in columns[name][:7]), *values[7:]] for name, values in made.items()
    }
    found = measured(table(columns), table(close))
    assert (found["VERBATIM"], found["NEARER"]) == (0, 7) and found["VERDICT"] == "inadequate"
    rows = records(found["OUTPUT"])
    assert [row["original_id"] for row in rows if row["too_near"]] == list(range(1, 8))


def test_plain_rhs_leaves_nearly_everybody_alone(provider):
    original = table(numbers(400, 20, seed=6))
    done = anonymised(original, METHOD="rhs", K=5)
    assert done["SMALLEST_GROUP"] == 1 and "Use spectral RHS" in done.feedback.said
    found = measured(original, done["OUTPUT"], KEY=done["KEY"])
    assert found["REIDENTIFIED"] > 0.9 and found["VERDICT"] == "inadequate"


def test_risk_lies_on_the_map_with_or_without_places_among_the_fields(provider, tmp_path):
    original = people()
    for places in (True, False):
        done = anonymised(original, USE_GEOMETRY=True)
        found = measured(
            original,
            done["OUTPUT"],
            USE_GEOMETRY=places,
            REFERENCE=people(seed=9, name="others"),
            REPORT=str(tmp_path / "r.html"),
            JSON=str(tmp_path / "r.json"),
        )
        assert np.allclose(coordinates(found["OUTPUT"]), coordinates(original))
        assert opened(found["OUTPUT"]).crs().authid() == GRID
        page = (tmp_path / "r.html").read_text(encoding="utf-8")
        assert "data:image/png" in page and "Private" in page and "<svg" in page
        figures = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["figures"]
        assert figures["count"] == COUNT and figures["verdict"]


def test_records_of_lines_and_polygons_keep_their_shape(provider):
    shapes = [f"Polygon(({i} 0, {i + 1} 0, {i + 1} 1, {i} 0))" for i in range(40)]
    columns = numbers(40, 3)
    rows = list(zip(*columns.values()))
    areas = layer(shapes, kind="Polygon", fields="v0:double,v1:double,v2:double", rows=rows)
    done = anonymised(areas)
    assert not opened(done["OUTPUT"]).isSpatial()
    found = opened(measured(areas, done["OUTPUT"])["OUTPUT"])
    assert [f.geometry().asWkt() for f in found.getFeatures()] == [
        f.geometry().asWkt() for f in areas.getFeatures()
    ]


@pytest.mark.parametrize("ending", ["shp", "csv", "geojson", "gpkg"])
def test_any_format_is_read_alike(provider, tmp_path, ending):
    original = people()
    found = {}
    for kind in ("gpkg", ending):
        done = anonymised(
            original,
            METHOD="additive_noise",
            NOISE=0.01,
            SEED=6,
            KEY=str(tmp_path / "key.gpkg"),
            OUTPUT=str(tmp_path / f"release.{kind}"),
        )
        found[kind] = measured(original, done["OUTPUT"], KEY=done["KEY"])
    assert found[ending]["REIDENTIFIED"] == found["gpkg"]["REIDENTIFIED"] > 0.9
    assert found[ending]["DISTANCE_EXCESS"] == found["gpkg"]["DISTANCE_EXCESS"]
    nearest = [[row["nearest_id"] for row in records(one["OUTPUT"])] for one in found.values()]
    assert nearest[0] == nearest[-1]


def test_tables_that_do_not_belong_together(provider):
    def sentence(released, **more):
        return refusal(
            "disclosurerisk",
            {"ORIGINAL": people(), "ANONYMIZED": released, "OUTPUT": "TEMPORARY_OUTPUT", **more},
        )

    done = anonymised(people())
    assert "no field in common" in sentence(table(numbers(30)))
    fewer = anonymised(people(), FIELDS=["age", "sex"])["OUTPUT"]
    assert "“income”" in sentence(fewer, FIELDS=["age", "income"])
    assert "no field “job”" in sentence(
        done["OUTPUT"],
        REFERENCE=table(
            {
                "age": [1, 2, 3] * 9,
                "sex": ["f", "m", "m"] * 9,
                "income": [1.0, 2.5, 3.0] * 9,
                "smoker": [True, False, False] * 9,
                "kids": [1, 0, 2] * 9,
                "pressure": [1.5, 2.0, 2.5] * 9,
            }
        ),
    )
    numbers_ = table({"age": ["old", "young"] * 40, "sex": ["f", "m"] * 40})
    assert "text" in sentence(numbers_)
    few = anonymised(table(numbers(6)))["OUTPUT"]
    assert "smaller K" in sentence(few, ORIGINAL=table(numbers()), K=9)
    stranger = table({"released_id": [9_001], "original_id": [9_002]})
    assert "does not belong" in sentence(done["OUTPUT"], KEY=stranger)
    assert "must have the fields" in sentence(done["OUTPUT"], KEY=fewer)
    assert "no point layer" in sentence(done["OUTPUT"], USE_GEOMETRY=True)


def test_the_report_says_what_a_failed_measure_means(provider, tmp_path):
    original = table(numbers(1_000, 20, seed=2))
    reference = table(numbers(1_000, 20, seed=2, sample=1))

    def told(method, NOISE=0.1, **more):
        done = anonymised(original, METHOD=method, NOISE=NOISE, SEED=1)
        report = tmp_path / f"{method}.html"
        found = measured(original, done["OUTPUT"], KEY=done["KEY"], REPORT=str(report), **more)
        return found, report.read_text(encoding="utf-8").replace("\u00a0", " ")

    noisy, page = told("additive_noise", REFERENCE=reference)
    for text in (
        "taking part makes a difference",
        "matches 100.0 % are right.",
        "A stronger method",
    ):
        assert text in "\n".join(noisy.feedback.warnings) and text in page
    assert "The miss is small" not in page and "uncertainty alone fails" not in page
    _, page = told("additive_noise", REFERENCE=reference, NOISE=0.3)
    assert "tell most of them from the wrong ones (AUC 0.9" in page
    # A group's mean stands out as much for people who are not in the release.
    grouped, page = told("spectral_rhs", REFERENCE=reference, MARGIN=0.5)
    assert grouped["MEASURES_VERDICT"] == "adequate"
    assert "than it tells about people who are not in it" in page
    assert "of people who are not in the release it tells as much" in page
    grouped, page = told("spectral_rhs", MARGIN=0.5)
    said = "\n".join(grouped.feedback.warnings)
    assert "uncertainty alone fails" in said and "by the design of the method" in said
    assert "A stronger method" not in said and "taking part makes" not in said
    # That decides nothing, so that no verdict is told to follow from it.
    assert grouped["MEASURES_VERDICT"] == "inadequate" and "by uncertainty" not in page
    assert grouped["VERDICT"] != "adequate" and "by what attacks find" in page
    swapped, page = told("spectral_swapping", REFERENCE=reference, MARGIN=0.2)
    assert swapped["VERDICT"] == "adequate" and "evidence, not proof" in page
    assert "evidence, not proof" not in "\n".join(swapped.feedback.warnings)


def test_a_small_miss_is_called_one(provider):
    columns = numbers(1_000, 6, seed=2)
    original, reference = table(columns), table(numbers(1_000, 6, seed=2, sample=1))
    near = {
        name: [*values[:250], *numbers(1_000, 6, seed=2, sample=2)[name][250:]]
        for name, values in columns.items()
    }
    found = measured(original, table(near), REFERENCE=reference, MARGIN=0.15)
    assert found["VERDICT"] == "inadequate" and 0.15 < found["DISTANCE_EXCESS"] < 0.3
    assert "The miss is small" in "\n".join(found.feedback.warnings)


def test_a_constant_field_that_differs_makes_nothing_look_safe(provider):
    columns = numbers(200, 4)
    original = table({**columns, "year": [2020] * 200})
    copied = table({**columns, "year": [1] * 200})
    found = measured(original, copied, FIELDS=[*columns, "year"])
    assert {row["distance"] for row in records(found["OUTPUT"])} == {0.0}
    assert found["VERDICT"] == "inadequate"
    assert "not in the other tables: year" in "\n".join(found.feedback.warnings)
    again = measured(original, original, FIELDS=[*columns, "year"])
    assert "not in the other tables" not in again.feedback.said


def test_original_ids_need_something_that_leads_there(provider):
    original = table({"who": [f"p{i}" for i in range(60)], **numbers(60, 3)})
    said = refusal(
        "disclosurerisk",
        {
            "ORIGINAL": original,
            "ANONYMIZED": original,
            "ORIGINAL_ID": "who",
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert "nothing that leads there" in said


def test_a_reference_that_holds_the_originals_is_noticed(provider):
    original = table(numbers(200))
    done = anonymised(original)
    said = refusal(
        "disclosurerisk",
        {
            "ORIGINAL": original,
            "ANONYMIZED": done["OUTPUT"],
            "REFERENCE": table(numbers(200)),
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert "The reference holds the original people: of 200" in said
    others = numbers(200, sample=1)
    some = {name: [*values[:120], *others[name][120:]] for name, values in numbers(200).items()}
    found = measured(original, done["OUTPUT"], REFERENCE=table(some))
    assert "The reference shares people with the file: 120 records there" in found.feedback.said
    larger = measured(original, done["OUTPUT"], REFERENCE=table(numbers(900, sample=1)))
    assert "samples of about the same size" in larger.feedback.said


@pytest.mark.parametrize("one", ["ORIGINAL", "ANONYMIZED"])
def test_people_are_no_reference_for_themselves(provider, tmp_path, one):
    original = table(numbers(60))
    for first, second in ((original, original), (saved(original, tmp_path / "a.gpkg"),) * 2):
        given = {
            "ORIGINAL": table(numbers(60)),
            "ANONYMIZED": table(numbers(60, sample=1)),
            one: first,
            "REFERENCE": second,
            "OUTPUT": "TEMPORARY_OUTPUT",
        }
        assert f"REFERENCE and {one} are one and the same" in refusal("disclosurerisk", given)


# --- utility --------------------------------------------------------------------------------------


def test_utility_is_that_of_numpy(provider):
    one = numbers(300, 5)
    original = table(one)
    done = anonymised(original, METHOD="spectral_rhs", DECODING="as_published")
    found = compared(original, done["OUTPUT"])
    before = np.array(list(one.values())).T
    after = matrix(done["OUTPUT"], list(one))
    mean = np.abs(after.mean(axis=0) - before.mean(axis=0)) / before.std(axis=0, ddof=1)
    assert found["MEAN"] == pytest.approx(np.median(mean), abs=1e-12)
    variance = np.abs(after.var(axis=0) / before.var(axis=0) - 1)
    assert found["VARIANCE"] == pytest.approx(np.median(variance)) and found["VARIANCE"] > 0.05
    upper = np.triu_indices(5, 1)
    correlation = np.abs(np.corrcoef(after.T) - np.corrcoef(before.T))[upper]
    assert found["CORRELATION"] == pytest.approx(np.median(correlation))
    rank = np.abs(spearmanr(after)[0] - spearmanr(before)[0])[upper]
    assert found["RANK_CORRELATION"] == pytest.approx(np.median(rank))
    rows = records(found["OUTPUT"])
    pairs = {(r["variable"], r["other"]): r for r in rows if r["measure"] == "correlation"}
    assert len(pairs) == 10
    assert pairs["v0", "v3"]["original"] == pytest.approx(np.corrcoef(before.T)[0, 3])
    medians = {r["variable"]: r for r in rows if r["measure"] == "quantile_50"}
    assert medians["v2"]["original"] == pytest.approx(np.median(before[:, 2]))  # in its own unit
    assert "CENTRE_SHIFT" not in found


def test_spatial_utility_of_two_point_layers(provider, tmp_path):
    original = people()
    moved = layer(
        coordinates(original) + (30, 40),
        fields=TYPES,
        rows=[list(row.values()) for row in records(original)],
    )
    degrees = run_native("reprojectlayer", {"INPUT": moved, "TARGET_CRS": DEGREES})
    for other in (moved, degrees):
        found = compared(
            original, other, REPORT=str(tmp_path / "u.html"), JSON=str(tmp_path / "u.json")
        )
        assert found["CENTRE_SHIFT"] == pytest.approx(50, rel=1e-3)
        assert found["MORANS_I"] == pytest.approx(0, abs=1e-3) and found["LARGEST_KS"] == 0
    page = (tmp_path / "u.html").read_text(encoding="utf-8")
    assert "Moran" in page and "<svg" in page
    figures = json.loads((tmp_path / "u.json").read_text(encoding="utf-8"))["figures"]
    assert figures["mean_centre_shift"] == pytest.approx(50, rel=1e-3)


# --- equivalence classes --------------------------------------------------------------------------


def test_classes_are_counted_as_by_hand(provider, tmp_path):
    source = people()
    done = run(
        "equivalenceclasses",
        {
            "INPUT": source,
            "QIS": ["sex", "kids", "job"],
            "K": 4,
            "OUTPUT": "TEMPORARY_OUTPUT",
            "CLASSES": "TEMPORARY_OUTPUT",
            "REPORT": str(tmp_path / "e.html"),
            "JSON": str(tmp_path / "e.json"),
        },
    )
    labels = [(row["sex"], row["kids"], row["job"]) for row in records(source)]
    sizes = Counter(labels)
    count = np.array(list(sizes.values()))
    assert done["K_ANONYMITY"] == count.min() and done["CLASSES_FOUND"] == len(count)
    assert done["UNIQUES"] == (count == 1).sum() and done["SMALL"] == count[count < 4].sum()
    assert done["ENTROPY"] == pytest.approx(-(count / COUNT * np.log2(count / COUNT)).sum())
    kinds = [len(set(column)) for column in zip(*labels)]
    assert done["MAXCOMBS"] == np.prod(kinds) and "job (9)" in done.feedback.said
    rows = records(done["OUTPUT"])
    assert [row["class_size"] for row in rows] == [sizes[label] for label in labels]
    assert [row["small"] for row in rows] == [int(sizes[label] < 4) for label in labels]
    assert np.allclose(coordinates(done["OUTPUT"]), coordinates(source))
    classes = records(done["CLASSES"])
    assert {(c["sex"], c["kids"], c["job"]): c["class_size"] for c in classes} == sizes
    number = {c["class"]: (c["sex"], c["kids"], c["job"]) for c in classes}
    assert [number[row["class"]] for row in rows] == labels
    assert [c["class_size"] for c in classes] == sorted(sizes.values())
    page = (tmp_path / "e.html").read_text(encoding="utf-8")
    assert "data:image/png" in page and "data" in page
    assert json.loads((tmp_path / "e.json").read_text())["figures"]["uniques"] == done["UNIQUES"]


def test_classes_of_a_table_of_dates_and_of_many_values(provider):
    rows = [(f"2020-01-{1 + i % 3:02d}", float(i), None) for i in range(300)]
    source = layer(
        [None] * 300,
        kind="NoGeometry",
        crs="",
        fields="day:date,amount:double,nothing:string",
        rows=rows,
    )
    done = run(
        "equivalenceclasses",
        {"INPUT": source, "QIS": ["day", "nothing"], "OUTPUT": "TEMPORARY_OUTPUT"},
    )
    assert done["CLASSES_FOUND"] == 3 and done["K_ANONYMITY"] == 100 and done["MAXCOMBS"] == 3
    done = run(
        "equivalenceclasses", {"INPUT": source, "QIS": ["amount"], "OUTPUT": "TEMPORARY_OUTPUT"}
    )
    assert done["UNIQUES"] == 300 and "amount has 300 categories" in done.feedback.said
    none = table({"a": [1.0]})
    none.setSubsetString("a > 5")
    assert "no records" in refusal(
        "equivalenceclasses", {"INPUT": none, "QIS": ["a"], "OUTPUT": "TEMPORARY_OUTPUT"}
    )


def test_classes_over_many_fields_and_of_long_numbers(provider, tmp_path):
    rng = np.random.default_rng(1)
    columns = {f"q{i}": rng.integers(0, 9, 120).tolist() for i in range(30)}
    columns = {name: [*values, *values[:20]] for name, values in columns.items()}
    done = run(
        "equivalenceclasses",
        {
            "INPUT": table(columns),
            "QIS": list(columns),
            "OUTPUT": "TEMPORARY_OUTPUT",
            "REPORT": str(tmp_path / "e.html"),
        },
    )
    assert (done["CLASSES_FOUND"], done["UNIQUES"]) == (120, 100)
    assert done["MAXCOMBS"] == 9.0**30
    values = [2**53, 2**53 + 1, 2**53 + 2, 7] * 5
    long = layer(
        [None] * 20, kind="NoGeometry", crs="", fields="n:int8", rows=[(value,) for value in values]
    )
    done = run("equivalenceclasses", {"INPUT": long, "QIS": ["n"], "OUTPUT": "TEMPORARY_OUTPUT"})
    assert done["CLASSES_FOUND"] == 4 and done["K_ANONYMITY"] == 5


# --- reports --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["spectral_swapping", "spectral_rhs", "data_shuffling"])
def test_report_of_an_anonymization(provider, tmp_path, method):
    done = anonymised(
        people(),
        METHOD=method,
        USE_GEOMETRY=True,
        SEED=424242,
        REPORT=str(tmp_path / "r.html"),
        JSON=str(tmp_path / "r.json"),
    )
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Private" in page and "data:image/png" in page and "guessed" in page
    figures = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["figures"]
    assert figures["count"] == done["N"] and figures["columns"] == done["COLUMNS"]
    found = compared(people(), done["OUTPUT"], USE_GEOMETRY=True)
    assert figures["variance"] == pytest.approx(found["VARIANCE"])


# --- the model ------------------------------------------------------------------------------------

MODEL = "anonymisemeasurereport"


@pytest.mark.parametrize("method", ["spectral_swapping", "spectral_rhs"])
def test_the_model_anonymises_and_measures(provider, tmp_path, method):
    places = method == "spectral_swapping"
    done = run(
        MODEL,
        {
            "RECORDS": people(),
            "USE_GEOMETRY": places,
            "METHOD": method,
            "REFERENCE": people(seed=7),
            "anonymise:ANONYMISED": "TEMPORARY_OUTPUT",
            "risk:RISK": "TEMPORARY_OUTPUT",
            "utility:UTILITY": "TEMPORARY_OUTPUT",
            **{
                f"{step}:REPORT": str(tmp_path / f"{step}.html")
                for step in ("anonymise", "risk", "utility")
            },
        },
    )
    assert isinstance(done["anonymise:ANONYMISED"], QgsVectorLayer)
    assert done["anonymise:ANONYMISED"].isSpatial() == places
    assert done["risk:RISK"].featureCount() == done["risk:N"] == COUNT
    assert ("risk:REIDENTIFIED" in done) == (method == "spectral_rhs")
    assert 0 <= done["utility:MEAN"] < 0.2
    assert leftovers(tmp_path) == ["anonymise.html", "risk.html", "utility.html"]


# --- what is drawn --------------------------------------------------------------------------------


def test_the_map_of_risk_shows_each_class(provider):
    from qgis.core import QgsCoordinateReferenceSystem

    from geoanon_qgis.processing import styling
    from geoanon_qgis.processing.maps import pictures
    from tests.processing.test_distance_pictures import colours

    xy, _ = people_rows(250)
    relative = np.linspace(0.02, 1.4, 250)
    relative[:2] = np.nan, np.inf  # the reference holds an exact copy
    crs = QgsCoordinateReferenceSystem(GRID)
    drawn = pictures.risk_pictures(xy, crs, relative)
    assert [one.name for one in drawn] == ["map_risk", "map_risk_close_up"]
    seen = colours(drawn[0].png)
    assert {
        styling.PALETTE[name] for name in ("near_1", "near_2", "near_3", "near_4", "no_nearer")
    } <= seen
    size = np.repeat([1, 3, 40], [10, 40, 200])
    drawn = pictures.class_pictures(xy, crs, size, 5)
    seen = colours(drawn[0].png)
    assert {styling.PALETTE[name] for name in ("singleton", "pair", "candidate")} <= seen
    few = pictures.class_pictures(xy[:20], crs, size[:20], 5)
    assert [one.name for one in few] == ["map_classes"]


@pytest.mark.parametrize(
    "algorithm, role",
    [
        ("disclosurerisk", "Private: Risk of each record"),
        ("equivalenceclasses", "Private: Class of each record"),
    ],
)
def test_layers_are_styled_when_they_are_loaded(provider, project, algorithm, role):
    from qgis.core import QgsRuleBasedRenderer

    source = people()
    parameters = {"INPUT": source, "QIS": ["sex", "kids"]}
    if algorithm == "disclosurerisk":
        parameters = {"ORIGINAL": source, "ANONYMIZED": anonymised(source)["OUTPUT"]}
    loaded = run_and_load(algorithm, parameters, "OUTPUT", project)
    assert loaded.name() == f"{role} · people"
    assert isinstance(loaded.renderer(), QgsRuleBasedRenderer)
