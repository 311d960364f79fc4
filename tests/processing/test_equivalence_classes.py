# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:equivalenceclasses beyond counting: proposals, sensitive fields, the population."""

import json
from collections import Counter, defaultdict

import numpy as np
import pytest
from qgis.core import QgsExpression, QgsExpressionContext, QgsExpressionContextUtils

from tests.processing.helpers import layer, records, refusal, run

FIELDS = "age:int,born:date,post:string,job:string,income:double,ill:string"
QIS = ["age", "born", "post", "job"]


def people(count=150, seed=2):
    """A table with missing values, empty text and rare values with an apostrophe."""
    rng = np.random.default_rng(seed)
    jobs = rng.choice(
        ["office", "craft", "cook", "smith's", "o'guide"], count, p=[0.5, 0.2, 0.15, 0.1, 0.05]
    )
    rows = [
        (
            None if i % 31 == 0 else int(rng.integers(18, 80)),
            f"{rng.integers(1990, 1996)}-{rng.integers(1, 13):02}-{rng.integers(1, 29):02}",
            f"{rng.integers(20, 23)}{rng.integers(0, 3)}7",
            ["", None, str(jobs[i])][min(i % 29, 2)],
            float(rng.integers(10, 90) * 100),
            str(rng.choice(["no", "yes"], p=[0.8, 0.2])),
        )
        for i in range(count)
    ]
    return layer([None] * count, kind="NoGeometry", crs="", fields=FIELDS, rows=rows, name="people")


def classes(source, **more):
    return run("equivalenceclasses", {"INPUT": source, "OUTPUT": "TEMPORARY_OUTPUT", **more})


def missing(value):
    """One thing for all that is missing."""
    text = str(value).strip()
    return None if text in ("", "NULL", "None") else text


def evaluated(source, expressions):
    """The rows of a layer with QGIS's own expressions in the place of fields."""
    context = QgsExpressionContext()
    context.appendScopes(QgsExpressionContextUtils.globalProjectLayerScopes(source))
    rows = []
    for feature in source.getFeatures():
        context.setFeature(feature)
        row = []
        for name in QIS:
            if name not in expressions:
                row.append(missing(feature[name]))
            elif expressions[name]:
                found = QgsExpression(expressions[name])
                row.append(missing(found.evaluate(context)))
                assert not found.hasParserError() and not found.hasEvalError()
        rows.append(tuple(row))
    return rows


def test_the_expressions_leave_as_many_as_is_said(provider):
    """Every form by itself, and every combination that is proposed, recounted by QGIS itself."""
    source = people()
    done = classes(source, QIS=QIS, K=3, PROPOSALS="TEMPORARY_OUTPUT")
    steps = defaultdict(list)
    for number, row in enumerate(records(done["PROPOSALS"])):
        steps[row["step"] or -number].append(row)
    forms = {row["form"].split(" of ")[0] for rows in steps.values() for row in rows}
    assert {"in classes", "by month", "by quarter", "by year", "left out"} <= forms
    assert max(steps) > 3  # several together
    for rows in steps.values():
        expressions = {row["field"]: missing(row["expression"]) for row in rows}
        sizes = list(Counter(evaluated(source, expressions)).values())
        told = rows[0]
        assert told["uniques"] == sizes.count(1)
        assert told["small"] == sum(size for size in sizes if size < 3)
        assert (told["smallest"], told["classes"]) == (min(sizes), len(sizes))
    assert steps[max(steps)][0]["small"] == 0


def test_empty_text_is_a_missing_value(provider):
    done = classes(people(), QIS=["job"], CLASSES="TEMPORARY_OUTPUT")
    jobs = [missing(row["job"]) for row in records(done["CLASSES"])]
    assert jobs.count(None) == 1 and done["CLASSES_FOUND"] == 6
    assert "job (12)" in done.feedback.said  # 6 empty ones, 6 NULL


@pytest.mark.parametrize("how, letters", [("month", 7), ("year", 4)])
def test_dates_are_grouped(provider, how, letters):
    source = people()
    done = classes(source, QIS=["born"], DATES=how)
    days = Counter(row["born"].toString("yyyy-MM-dd")[:letters] for row in records(source))
    assert (done["CLASSES_FOUND"], done["K_ANONYMITY"]) == (len(days), min(days.values()))


def test_groups_take_the_place_of_values(provider):
    rows = [("job", job, "outside") for job in ("craft", "cook", "smith's", "o'guide")]
    groups = layer(
        [None] * 5,
        kind="NoGeometry",
        crs="",
        fields="field:string,value:string,group:string",
        rows=[*rows, ("job", "office", "inside")],
    )
    source = people()
    done = classes(source, QIS=["job"], GROUPS=groups, CLASSES="TEMPORARY_OUTPUT")
    assert {missing(row["job"]) for row in records(done["CLASSES"])} == {"inside", "outside", None}
    assert "job: 5 values became 2 groups." in done.feedback.said
    refused = {"INPUT": source, "QIS": ["age"], "GROUPS": groups, "OUTPUT": "TEMPORARY_OUTPUT"}
    assert "“job”, which the records do not have" in refusal("equivalenceclasses", refused)


def test_what_a_class_has_in_common_decides(provider, tmp_path):
    """Classes of 20, in one of which everybody is ill."""
    rows = [(f"c{i % 4}", "yes" if i % 4 == 0 or i % 3 == 0 else "no", float(i)) for i in range(96)]
    source = layer(
        [None] * 96,
        kind="NoGeometry",
        crs="",
        fields="kind:string,ill:string,pay:double",
        rows=rows,
    )
    given = {"QIS": ["kind"], "SENSITIVE": ["ill", "pay"], "CLASSES": "TEMPORARY_OUTPUT"}
    done = classes(source, JSON=str(tmp_path / "j.json"), **given)
    assert (done["DECISION"], done["LEAST_VALUES"], done["SHARED"]) == ("do_not_release", 1, 24)
    assert "classes that tell too much of “ill”:" in done.feedback.said
    first = next(row for row in records(done["CLASSES"]) if row["kind"] == "c0")
    ill = sum(row[1] == "yes" for row in rows) / 96
    assert first["ill_values"] == 1 and first["ill_t"] == pytest.approx(1 - ill)
    assert first["pay_values"] == 24
    verdict = json.loads((tmp_path / "j.json").read_text())["verdict"]
    assert [one["attack"] for one in verdict["evidence"]][0] == "sensitive_values"
    assert classes(source, L=1, **given)["DECISION"] == "release_with_care"
    assert classes(source, L=1, T=0.3, **given)["DECISION"] == "do_not_release"
    assert classes(source, QIS=["kind"])["DECISION"] == "release_with_care"


def test_what_the_verdict_is_not_about_is_said(provider, tmp_path):
    """Pays of a class that are all different and nearly the same; a table that is not released so."""
    rows = [
        ("a" if i % 2 else "b", 100.0 * (i % 2) + i / 100, f"20{i:02}-01-01") for i in range(48)
    ]
    fields = "kind:string,pay:double,born:date"
    source = layer([None] * 48, kind="NoGeometry", crs="", fields=fields, rows=rows)
    given = {"QIS": ["kind"], "SENSITIVE": ["pay"], "JSON": str(tmp_path / "j.json")}

    def said(**more):
        done = classes(source, **{**given, **more})
        assert done["DECISION"] == "release_with_care"
        return " ".join(json.loads((tmp_path / "j.json").read_text())["verdict"]["not_run"])

    assert "numbers that differ a little count as different" in said()
    assert "numbers that differ a little" not in said(T=0.9)
    assert "as it stands was not looked at" in said(DATES="year") and "as it stands" not in said()


def test_a_field_is_known_or_sensitive(provider):
    given = {"INPUT": people(), "QIS": ["job"], "SENSITIVE": ["job"], "OUTPUT": "TEMPORARY_OUTPUT"}
    assert "“job” is a quasi-identifier (QIS) and sensitive" in refusal("equivalenceclasses", given)


def test_uniques_of_the_population_are_estimated_and_the_verdict_stays(provider):
    source = people()
    plain = classes(source, QIS=["age", "job"])
    done = classes(source, QIS=["age", "job"], SAMPLING_FRACTION=0.05)
    assert 0 <= done["POPULATION_UNIQUES_LOW"] <= done["POPULATION_UNIQUES_HIGH"] <= 1
    assert done["RISK_HIGH"] == plain["RISK_HIGH"] and "MATCHED" not in plain.results
    assert "is that person with a chance of" in done.feedback.said
    whole = classes(source, QIS=["age", "job"], SAMPLING_FRACTION=1)
    assert whole["POPULATION_UNIQUES_LOW"] == whole["MATCHED"] == 1
    given = {"INPUT": source, "QIS": ["age"], "SAMPLING_FRACTION": 0, "OUTPUT": "TEMPORARY_OUTPUT"}
    assert "must be above 0" in refusal("equivalenceclasses", given)


def test_people_are_counted_where_they_have_several_records(provider, tmp_path):
    rng = np.random.default_rng(5)
    ages, jobs = rng.integers(20, 40, 60), rng.choice(["office", "craft", "cook"], 60)
    rows = []
    for visit in range(240):
        one = int(rng.integers(60))
        job = str(jobs[one]) if rng.random() < 0.9 else "none"  # some change it between visits
        rows.append((f"p{one}", int(ages[one]), job, "yes" if visit % 3 else "no"))
    fields = "who:string,age:int,job:string,ill:string"
    source = layer([None] * len(rows), kind="NoGeometry", crs="", fields=fields, rows=rows)

    def counted(kept):
        """People by the kept values, each once in a class."""
        return Counter(one[1:] for one in {(row[0], *kept(row)) for row in rows})

    told = str(tmp_path / "told.json")
    done = classes(
        source, QIS=["age", "job"], PERSON_FIELD="who", PROPOSALS="TEMPORARY_OUTPUT", JSON=told
    )
    sizes = counted(lambda row: row[1:3])
    assert done["K_ANONYMITY"] == min(sizes.values()) and done["N"] == sum(sizes.values())
    assert done["UNIQUES"] == list(sizes.values()).count(1)
    assert done["SMALL"] == sum(size for size in sizes.values() if size < 5)
    by_rows = Counter(row[1:3] for row in rows)
    assert min(by_rows.values()) >= done["K_ANONYMITY"] and done["UNIQUES"] > list(
        by_rows.values()
    ).count(1)
    for row in records(done["OUTPUT"]):
        assert row["class_size"] == sizes[rows[int(row["original_id"]) - 1][1:3]]
    # Coarser forms count people anew: who has records in two classes is one person in both together.
    alone = {
        (row["field"], row["form"]): row for row in records(done["PROPOSALS"]) if row["step"] == 0
    }
    assert alone["age", "in classes of 5"]["smallest"] == min(
        counted(lambda row: (row[1] // 5, row[2])).values()
    )
    without = counted(lambda row: row[1:2])
    assert alone["job", "left out"]["smallest"] == min(without.values())
    assert sum(without.values()) < done["N"]
    assert alone["job", "left out"]["uniques"] == list(without.values()).count(1)
    with open(told, encoding="utf-8") as file:
        report = json.load(file)
    assert (
        "count once" not in json.dumps(report["verdict"])
        and "240 records of 60" in done.feedback.said
    )
    assert not any("same person" in line for line in report["verdict"]["not_run"])
    (table,) = (
        block
        for section in report["sections"]
        for block in section["blocks"]
        if block.get("name") == "identifiers_table"
    )
    assert {row["field"]: row["k_anonymity"] for row in table["rows"]}["job"] == min(
        without.values()
    )


def test_the_person_is_no_attribute_and_no_sample(provider):
    given = {"INPUT": people(), "QIS": ["age"], "OUTPUT": "TEMPORARY_OUTPUT"}
    assert "PERSON_FIELD" in refusal("equivalenceclasses", {**given, "PERSON_FIELD": "age"})
    said = refusal(
        "equivalenceclasses", {**given, "PERSON_FIELD": "post", "SAMPLING_FRACTION": 0.1}
    )
    assert "not both" in said


def test_sensitive_values_are_counted_by_people(provider):
    rows = [("a", "flu", f"p{at}") for at in range(5)]
    rows += [("a", ill, "p0") for ill in ("gout", "cough", "none")]
    rows += [("b", ill, f"q{at}") for at, ill in enumerate(["flu", "gout", "none", "flu", "gout"])]
    fields = "place:string,ill:string,who:string"
    source = layer([None] * len(rows), kind="NoGeometry", crs="", fields=fields, rows=rows)
    more = {"QIS": ["place"], "SENSITIVE": ["ill"], "ACCEPTABLE": 0.5}
    by_records = classes(source, **more)
    assert (by_records["LEAST_VALUES"], by_records["SHARED"]) == (3, 0)
    assert by_records["DECISION"] != "do_not_release"
    by_people = classes(source, **more, PERSON_FIELD="who")
    assert (by_people["LEAST_VALUES"], by_people["SHARED"]) == (1, 5)
    assert by_people["DECISION"] == "do_not_release"
