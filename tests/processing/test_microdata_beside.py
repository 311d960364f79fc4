# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:spectralanonymize beside masked points and fields that stay: one release."""

import datetime
import re

import numpy as np
import pytest
from qgis.PyQt.QtCore import QDate

from geoanon_qgis.compat import FIELD_TYPES, is_null
from tests.processing.helpers import coordinates, layer, opened, records, refusal, run

pytestmark = pytest.mark.usefixtures("project")
COUNT = 240
FIELDS = "patient:int,age:int,sex:string,income:double"


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(4)
    xy = rng.uniform(0, 4000, (COUNT, 2)).round(2)
    rows = [
        (70_000 + at, int(age), str(sex), float(income))
        for at, (age, sex, income) in enumerate(
            zip(
                rng.integers(18, 90, COUNT),
                rng.choice(["f", "m"], COUNT),
                rng.lognormal(10, 0.4, COUNT).round(2),
            )
        )
    ]
    return layer(xy, fields=FIELDS, rows=rows, name="people")


@pytest.fixture
def masked(people, provider):
    done = run(
        "maskdisplace",
        {
            "INPUT": people,
            "LAW": "disc",
            "MAX": 90.0,
            "FIELDS": ["age", "sex", "income"],
            "ID_FIELD": "patient",
            "OUTPUT": "TEMPORARY_OUTPUT",
            "KEY": "TEMPORARY_OUTPUT",
        },
    )
    return opened(done["OUTPUT"]), opened(done["KEY"])


def places(source):
    return [tuple(one) for one in coordinates(source).tolist()]


def test_points_and_fields_stay_and_the_rest_changes(people, masked):
    points, key = masked
    done = run(
        "spectralanonymize",
        {
            "INPUT": points,
            "MASKED_KEY": key,
            "FIELDS": ["age", "sex", "income"],
            "KEPT_FIELDS": ["sex", "age"],
            "OUTPUT": "TEMPORARY_OUTPUT",
            "KEY": "TEMPORARY_OUTPUT",
        },
    )
    release = opened(done["OUTPUT"])
    assert {field.name() for field in release.fields()} - {"fid"} == {
        "released_id",
        "age",
        "sex",
        "income",
    }
    where = places(points)
    of_point = dict(zip(where, records(points)))
    rows, at = records(release), places(release)
    # The very points of the mask, each with the person's own age and sex, in another order.
    assert sorted(at) == sorted(where) and at != where
    assert all(
        (row["age"], row["sex"]) == (of_point[xy]["age"], of_point[xy]["sex"])
        for row, xy in zip(rows, at)
    )
    assert np.mean([row["income"] == of_point[xy]["income"] for row, xy in zip(rows, at)]) < 0.05
    # Nothing of the order of the masked points is in that of the release.
    order = [of_point[xy]["masked_id"] for xy in at]
    assert abs(np.corrcoef(order, np.arange(COUNT))[0, 1]) < 0.25
    # The key leads to the people, not to the masked points.
    patient = {one["patient"]: (one["age"], xy) for one, xy in zip(records(people), places(people))}
    for one in records(opened(done["KEY"])):
        age, home = patient[one["original_id"]]
        row = rows[[row["released_id"] for row in rows].index(one["released_id"])]
        assert row["age"] == age and one["id_field"] == "patient"
        assert (one["original_x"], one["original_y"]) == pytest.approx(home)


def test_fields_stay_without_points_and_broken_rules_are_told(project):
    rng = np.random.default_rng(5)
    age = rng.integers(3, 90, 600)
    rows = [(int(one), int(one >= 16 and rng.random() < 0.7), float(rng.normal())) for one in age]
    xy = rng.uniform(0, 100, (600, 2))
    source = layer(xy, fields="age:int,married:int,score:double", rows=rows)
    given = {"INPUT": source, "OUTPUT": "TEMPORARY_OUTPUT", "KEPT_FIELDS": ["age"]}
    told = run("spectralanonymize", given).feedback.said
    assert "Rules between fields that stay and fields that changed" in told
    assert '"married" <> 1 or "age" >= 16' in told


@pytest.mark.parametrize(
    "change, said",
    [
        ({"USE_GEOMETRY": True}, "cannot be made anew"),
        ({"ID_FIELD": "masked_id"}, "Leave ID_FIELD empty"),
        ({"KEPT_FIELDS": ["sex"], "FIELDS": ["age"]}, "fields that are not released: sex"),
        ({"KEPT_FIELDS": ["age", "sex", "income"]}, "nothing to anonymise"),
        ({"KEPT_FIELDS": ["age"], "RULES": '"age" > 3'}, "fields that are anonymised: sex, income"),
    ],
)
def test_what_does_not_go_together_is_said(masked, change, said):
    points, key = masked
    given = {"INPUT": points, "MASKED_KEY": key, "FIELDS": ["age", "sex", "income"]}
    assert said in refusal("spectralanonymize", {**given, "OUTPUT": "TEMPORARY_OUTPUT", **change})


def test_a_layer_that_was_not_masked_is_refused(people, masked):
    points, key = masked
    given = {"MASKED_KEY": key, "FIELDS": ["age", "sex"], "OUTPUT": "TEMPORARY_OUTPUT"}
    assert "no field masked_id" in refusal("spectralanonymize", {**given, "INPUT": people})
    homes = {one["masked_id"]: (one["original_x"], one["original_y"]) for one in records(key)}
    rows = [(one["masked_id"], one["age"], one["sex"]) for one in records(points)]
    fields = "masked_id:int,age:int,sex:string"
    at_home = layer([homes[row[0]] for row in rows], fields=fields, rows=rows)
    said = refusal("spectralanonymize", {**given, "INPUT": at_home})
    assert "they were not masked" in said
    others = layer(
        coordinates(points),
        fields=fields,
        rows=[(9000 + a, *row[1:]) for a, row in enumerate(rows)],
    )
    assert f"it lacks {COUNT} ids" in refusal("spectralanonymize", {**given, "INPUT": others})


@pytest.mark.parametrize("kept", [[], ["seen"]])
def test_dates_are_days_and_come_back_as_dates(project, tmp_path, kept):
    rng = np.random.default_rng(6)
    days = [
        datetime.date(2019, 1, 1) + datetime.timedelta(int(one))
        for one in rng.integers(0, 700, 300)
    ]
    after = [
        one + datetime.timedelta(int(wait)) for one, wait in zip(days, rng.integers(1, 90, 300))
    ]
    rows = [
        (QDate(one), QDate(other) if at % 10 else None, float(rng.normal()))
        for at, (one, other) in enumerate(zip(days, after))
    ]
    xy = rng.uniform(0, 100, (300, 2))
    source = layer(xy, fields="seen:date,treated:date,score:double", rows=rows)
    out = str(tmp_path / "out.csv")
    given = {"INPUT": source, "KEPT_FIELDS": kept, "FIELDS": ["seen", "treated", "score"]}
    page = tmp_path / "report.html"
    more = {"OUTPUT": "TEMPORARY_OUTPUT", "REPORT": str(page), "SEED": 3}
    done = run("spectralanonymize", {**given, **more})
    release = opened(done["OUTPUT"])
    # tables of the report tell dates, not days since 1970
    told = page.read_text(encoding="utf-8")
    told = told[told.index("Numbers: original and release.") :].split("</table>")[0]
    assert len(re.findall(r"20(19|20|21)-\d\d-\d\d", told)) >= 8
    assert ("17,9" in told) + ("17 9" in told) + ("17\u202f9" in told) == 0
    assert release.fields().field("seen").type() == FIELD_TYPES["date"]
    seen = [one["seen"].toPyDate() for one in records(release)]
    assert min(days) <= min(seen) and max(seen) <= max(days) and len(set(seen)) > 100
    assert sum(is_null(one["treated"]) for one in records(release)) == 30
    # The rule that all originals obey: nobody is treated before she is seen.
    if not kept:
        assert all(
            is_null(one["treated"]) or one["treated"] >= one["seen"] for one in records(release)
        )
        assert '"seen" <= "treated"' in done.feedback.said or "still do: 0." in done.feedback.said
    # A table that a CSV holds as text is compared by days, too.
    run("spectralanonymize", {**given, "OUTPUT": out, "SEED": 3})
    for one in (release, out):
        told = run(
            "microdatautility",
            {"ORIGINAL": source, "ANONYMIZED": one, "OUTPUT": "TEMPORARY_OUTPUT"},
        )
        assert "seen=continuous" in told.feedback.said
