# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:areacounts: what is published is recounted, and nothing small can be worked out of it."""

import csv
import json

import numpy as np
import pytest
from scipy.optimize import linprog

from geoanon_qgis.processing import styling
from tests.processing.helpers import GRID, Feedback, layer, records, refusal, run

FIELDS = "area:string,county:string,women:int,men:int,people:int"
ROWS = [
    ("a", "north", 2, 9, 400),
    ("a", "north", 1, 3, 300),
    ("b", "north", 12, 10, 800),
    ("c", "north", 14, 9, 900),
    ("d", "south", 0, 6, 500),
    ("e", "south", 7, 8, 600),
    ("f", "south", 20, 1, 700),
    ("g", "south", 0, 0, 3),
]


def table(rows=ROWS, kind="NoGeometry", shapes=None):
    return layer(
        shapes or [None] * len(rows), "" if shapes is None else "EPSG:32632", kind, FIELDS, rows
    )


def given(folder, **more):
    return {
        "REGIONS": table(),
        "AREA": "area",
        "CASES": ["women", "men"],
        "POPULATION": ["people"],
        "HIERARCHY": ["county"],
        "OUTPUT": str(folder / "out.csv"),
        "CHECK": str(folder / "check.csv"),
        **more,
    }


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def recounted():
    """Cases and people by level, unit and category, by loops."""
    found = {}
    for area, county, women, men, people in ROWS:
        for level, unit in enumerate(("whole map", county, area)):
            for category, cases in (("women", women), ("men", men), ("total", women + men)):
                one = found.setdefault((str(level), unit, category), [0, 0])
                one[0] += cases
                one[1] += people
    return found


def test_every_number_is_recounted_and_none_below_k_is_published(provider, tmp_path):
    done = run("areacounts", given(tmp_path))
    rows, true = read(done["OUTPUT"]), recounted()
    assert len(rows) == len(true) == done["CELLS"] == 30
    hidden = 0
    for row in rows:
        cases, people = true[row["level"], row["unit"], row["category"]]
        assert float(row["population"]) == people
        if row["left_out"] == "1":
            assert not any(row[one] for one in ("cases", "rate", "low", "high"))
            hidden += 1
        else:
            assert int(row["cases"]) == cases and (cases == 0 or cases >= 5) and people >= 5
            assert np.isclose(float(row["rate"]), 1e5 * cases / people)
            assert float(row["low"]) <= float(row["rate"]) < float(row["high"])
    assert hidden == done["LEFT_OUT"] and done["SMALL"] < hidden
    assert (done["DECISION"], done["UNGUARDED"]) == ("release_with_care", 0)


def test_an_adversary_with_the_written_file_alone_cannot_tell_a_small_number(provider, tmp_path):
    """His own programmes, from the bytes of the release: no code of the engine."""
    done = run("areacounts", given(tmp_path))
    rows, true = read(done["OUTPUT"]), recounted()
    at = {(row["level"], row["unit"], row["category"]): number for number, row in enumerate(rows)}
    county = {area: one for area, one, *_ in ROWS}
    sums = []
    for category in ("women", "men", "total"):
        sums.append(
            (at["0", "whole map", category], [at["1", one, category] for one in ("north", "south")])
        )
        for one in ("north", "south"):
            parts = [at["2", area, category] for area in county if county[area] == one]
            sums.append((at["1", one, category], parts))
    for level, unit in {(row["level"], row["unit"]) for row in rows}:
        parts = [at[level, unit, one] for one in ("women", "men")]
        sums.append((at[level, unit, "total"], parts))
    matrix = np.zeros((len(sums), len(rows)))
    for number, (whole, parts) in enumerate(sums):
        matrix[number, whole] = 1
        matrix[number, parts] = -1
    bounds = [
        (int(row["cases"]),) * 2
        if row["left_out"] == "0"
        else (float(float(row["population"]) >= 5), float(row["population"]))
        for row in rows
    ]
    small = 0
    for key, number in at.items():
        aim = np.eye(len(rows))[number]
        least, most = (
            sign * linprog(sign * aim, A_eq=matrix, b_eq=np.zeros(len(sums)), bounds=bounds).fun
            for sign in (1, -1)
        )
        cases, people = true[key]
        if rows[number]["left_out"] == "1" and people >= 5 and cases < 5:
            assert most >= 5 - 1e-6 and most - least + 1 >= 5 - 1e-6
            small += 1
    assert small == 2
    told = {(row["level"], row["unit"], row["category"]): row for row in read(done["CHECK"])}
    assert {key for key, number in at.items() if rows[number]["left_out"] == "1"} == set(told)
    assert all(int(row["cases"]) == true[key][0] for key, row in told.items())


def test_what_cannot_be_protected_is_said_and_fails(provider, tmp_path):
    """Two areas, a total of three cases: whoever sees the gap knows that it is small."""
    rows = [("a", "n", 2, 0, 90), ("b", "n", 1, 0, 80)]
    feedback = Feedback()
    done = run(
        "areacounts",
        given(tmp_path, REGIONS=table(rows), CASES=["women"], JSON=str(tmp_path / "j")),
        feedback,
    )
    assert done["DECISION"] == "do_not_release" and done["UNGUARDED"] >= 2
    assert "Not to be protected" in feedback.said
    assert json.loads((tmp_path / "j").read_text())["verdict"]["evidence"][0]["failed"]


@pytest.mark.parametrize(
    ("people", "said"), [([], "was not given"), (["people"], "all categories"), (["of", "of"], "")]
)
def test_what_nobody_looked_at_of_the_people_is_said(provider, tmp_path, people, said):
    """Six of six in an area are published where nobody says that six live there."""
    rows = [("a", 6, 0, 6), ("b", 50, 60, 400), ("c", 70, 30, 600)]
    fields = FIELDS + ",of:int"
    source = layer([None] * 3, "", "NoGeometry", fields, [(a, "n", *c, 500) for a, *c in rows])
    feedback = Feedback()
    run("areacounts", given(tmp_path, REGIONS=source, POPULATION=people), feedback)
    lines = [line for line in feedback.said.splitlines() if "live in an area" in line]
    assert len(lines) == bool(said) and all(said in line for line in lines)


CANCERS = [("a", 30, 27), ("b", 40, 20), ("c", 50, 25), ("d", 35, 5)]


def of_cancers(folder, rows=CANCERS, **more):
    fields = "area:string,cancers:int,lung:int"
    parts = layer([None] * len(rows), "", "NoGeometry", fields, rows)
    asked = {"CASES": ["cancers", "lung"], "POPULATION": [], "HIERARCHY": [], **more}
    return run("areacounts", given(folder, REGIONS=parts, JSON=str(folder / "made.json"), **asked))


def test_fields_that_may_be_parts_of_each_other_are_not_passed(provider, tmp_path):
    """Cancers and lung cancers: 30 - 27 is a small number that no sum of the table has."""
    done = of_cancers(tmp_path)
    assert done["DECISION"] == "cannot_tell" and done["LEFT_OUT"] == 0
    told = json.loads((tmp_path / "made.json").read_text(encoding="utf-8"))["verdict"]
    assert "lung ≤ cancers" in told["not_run"][1] and "in 1 area or sum" in told["not_run"][1]
    assert "ALL_CASES" in told["next"][0] and "APART" in told["next"][0]
    assert of_cancers(tmp_path, APART=True)["DECISION"] == "release_with_care"
    apart = [*CANCERS[:3], ("d", 35, 36)]
    assert of_cancers(tmp_path, apart)["DECISION"] == "release_with_care"


def test_several_parts_are_taken_off_together(provider, tmp_path):
    """30 - 14 - 13 is small, and no difference of two fields is."""
    fields, names = "area:string,cancers:int,lung:int,breast:int", ["cancers", "lung", "breast"]
    for breast, decision in ((7, "release_with_care"), (13, "cannot_tell")):
        rows = [("a", 30, 14, breast), ("b", 40, 10, 20), ("c", 50, 21, 11)]
        parts = layer([None] * 3, "", "NoGeometry", fields, rows)
        asked = {"REGIONS": parts, "CASES": names, "POPULATION": [], "HIERARCHY": []}
        assert run("areacounts", given(tmp_path, **asked))["DECISION"] == decision


def test_a_part_cannot_be_subtracted_from_all_cases(provider, tmp_path):
    done = of_cancers(tmp_path, CASES=["lung"], ALL_CASES="cancers")
    assert (done["DECISION"], done["SMALL"], done["CELLS"]) == ("release_with_care", 1, 15)
    shown = {
        (row["unit"], row["category"]): int(row["cases"])
        for row in read(done["OUTPUT"])
        if row["left_out"] == "0"
    }
    assert shown["whole map", "cancers"] == 155 and shown["whole map", "others"] == 78
    for area, cancers, lung in CANCERS:
        both = [shown.get((area, one)) for one in ("cancers", "lung")]
        assert None in both or both[0] - both[1] >= 5
        assert shown.get((area, "cancers"), cancers) == cancers
        assert shown.get((area, "lung"), lung) == lung
    # They are the sum: no category is made up.
    exact = [(area, lung, lung) for area, _, lung in CANCERS]
    assert of_cancers(tmp_path, exact, CASES=["lung"], ALL_CASES="cancers")["CELLS"] == 5


def test_a_category_that_is_called_total_is_told_from_the_total(provider, tmp_path):
    fields = "area:string,total:int,men:int"
    source = layer([None] * 2, "", "NoGeometry", fields, [("a", 12, 9), ("b", 20, 8)])
    more = {"REGIONS": source, "CASES": ["total", "men"], "POPULATION": [], "HIERARCHY": []}
    found = read(run("areacounts", given(tmp_path, **more))["OUTPUT"])
    assert len({(row["level"], row["unit"], row["category"]) for row in found}) == len(found) == 9


def test_areas_are_joined_with_their_rates(provider, tmp_path):
    squares = [
        f"POLYGON(({x} 0,{x + 900} 0,{x + 900} 900,{x} 900,{x} 0))"
        for x in range(500_000, 508_000, 1000)
    ]
    source = table(ROWS, "Polygon", squares)
    done = run(
        "areacounts", given(tmp_path, REGIONS=source, AREAS_OUT=str(tmp_path / "areas.gpkg"))
    )
    found = records(done["AREAS_OUT"])
    assert sorted(row["area"] for row in found) == list("abcdefg")
    wanted = {
        row["unit"]: row
        for row in read(done["OUTPUT"])
        if row["level"] == "2" and row["category"] == "total"
    }
    for row in found:
        assert str(row["left_out"]) == wanted[row["area"]]["left_out"]
        if row["left_out"] == 0:
            assert str(row["cases"]) == wanted[row["area"]]["cases"]


@pytest.mark.parametrize(
    ("rows", "more", "said"),
    [
        ([("a", "n", -1, 0, 9)], {}, "negative"),
        ([("a", "n", 8, 4, 9)], {}, "more cases than people"),
        ([("a", "n", None, 4, 9)], {}, "empty in 1 feature"),
        ([("a", None, 1, 4, 9)], {}, "is empty (NULL)"),
        ([("a", "n", 1, 4, 9), ("a", "m", 1, 4, 9), ("b", "m", 1, 4, 9)], {}, "is not nested"),
        (ROWS, {"POPULATION": ["people", "people", "men"]}, "one for each field with cases"),
        (ROWS, {"CASES": ["women", "women"]}, "chosen twice"),
        (ROWS, {"PER": 0}, "above 0"),
        (ROWS, {"AREAS_OUT": "TEMPORARY_OUTPUT"}, "has no polygons"),
    ],
)
def test_bad_input_gets_a_sentence(provider, tmp_path, rows, more, said):
    assert said in refusal("areacounts", given(tmp_path, REGIONS=table(rows), **more))


def test_all_cases_are_no_fewer_than_their_parts(provider, tmp_path):
    rows = [("a", 30, 31), ("b", 40, 20)]
    parts = layer([None] * 2, "", "NoGeometry", "area:string,cancers:int,lung:int", rows)
    asked = {"REGIONS": parts, "CASES": ["lung"], "HIERARCHY": [], "POPULATION": []}
    told = refusal("areacounts", given(tmp_path, **asked, ALL_CASES="cancers"))
    assert "“cancers” is to hold all cases" in told and "1 area has fewer" in told


def test_counts_that_are_no_whole_numbers_are_refused(provider, tmp_path):
    source = layer([None], "", "NoGeometry", "area:string,cases:double", [("a", 1.5)])
    refused = refusal(
        "areacounts",
        given(tmp_path, REGIONS=source, CASES=["cases"], POPULATION=[], HIERARCHY=[]),
    )
    assert "not whole" in refused


def test_a_table_of_categories_without_totals_is_said_to_have_none(provider, tmp_path):
    feedback = Feedback()
    run("areacounts", given(tmp_path), feedback)
    assert "comes without totals" in feedback.said


def test_the_report_shows_where_numbers_are_left_out(provider, tmp_path):
    squares = [f"POLYGON(({x} 0, {x + 1} 0, {x + 1} 1, {x} 1, {x} 0))" for x in range(4)]
    rows = [(f"a{at}", cases, 90) for at, cases in enumerate((12, 2, 30, 9))]
    for kind, shapes, maps in (("Polygon", squares, 1), ("NoGeometry", [None] * 4, 0)):
        source = layer(
            shapes, "EPSG:27700" if maps else "", kind, "area:string,ill:int,people:int", rows
        )
        report = tmp_path / f"{kind}.html"
        run(
            "areacounts",
            {
                "REGIONS": source,
                "AREA": "area",
                "CASES": ["ill"],
                "POPULATION": ["people"],
                "OUTPUT": "TEMPORARY_OUTPUT",
                "REPORT": str(report),
            },
        )
        text = report.read_text(encoding="utf-8")
        assert text.count("data:image/png") == maps
        assert ("the number is its rate" in text) == bool(maps)


def test_a_number_on_the_map_lies_in_its_area(provider):
    """The middle of a ring lies in the area within: there the ring's rate was read as the other's."""
    ring = layer(["POLYGON((0 0,9 0,9 9,0 9,0 0),(1 1,8 1,8 8,1 8,1 1))"], GRID, "Polygon")
    for role in (styling.COUNTED_AREAS, styling.AREA_LABELS):
        styling.label(ring, role)
        assert ring.labeling().settings().centroidInside
