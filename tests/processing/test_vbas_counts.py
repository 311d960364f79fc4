# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables of counts in the place of one row a person, and people of whom records are some."""

import csv
from collections import Counter

import numpy as np
import pytest

from tests.processing.helpers import GRID, Feedback, layer, refusal, run

SIDE = 5
ROWS = list(range(SIDE * SIDE))
SEXES, AGES = ("f", "m"), ("young", "old")


def cells():
    rng = np.random.default_rng(6)
    return [
        (row, sex, age, int(rng.integers(0, 9))) for row in ROWS for sex in SEXES for age in AGES
    ]


def table(fields, rows, name="records"):
    return layer([None] * len(rows), "", "NoGeometry", fields, rows, name)


def regions(people=40):
    xy = np.stack(np.divmod(ROWS, SIDE), axis=1) * 1_000.0 + (400_000, 300_000)
    return layer(xy, GRID, fields="uid:int,people:int", rows=[(row, people) for row in ROWS])


def given(records, **more):
    return {
        "REGIONS": regions(),
        "REGION_ID": "uid",
        "RECORDS": records,
        "RECORD_REGION": "region",
        "QIS": ["sex", "age"],
        "K": 14,
        "SITES_BY": "fixed",
        "SITES": 6,
        "SEED": 3,
        "OUTPUT": "TEMPORARY_OUTPUT",
        **more,
    }


def released(path, *names):
    with open(path, encoding="utf-8", newline="") as file:
        return Counter(tuple(row[name] for name in names) for row in csv.DictReader(file))


def test_a_row_stands_for_as_many_people_as_it_says(provider, tmp_path):
    out = [str(tmp_path / f"{at}.csv") for at in range(2)]
    persons = [(row, sex, age) for row, sex, age, count in cells() for _ in range(count)]
    whole = "region:int,sex:string,age:string"
    one = run("vbas", given(table(whole, persons), RECORDS_OUT=out[0]))
    other = run("vbas", given(table(f"{whole},n:int", cells()), COUNTS=["n"], RECORDS_OUT=out[1]))
    # Of the same numbers, not of the same order: people of a release have none.
    assert released(out[0], "area_id", "sex", "age") == released(out[1], "area_id", "sex", "age")
    for name in ("SUPPRESSED", "ANONYMITY", "COMPACTNESS", "ENTROPY_LOSS", "DECISION"):
        assert one[name] == other[name]
    assert 0 < one["SUPPRESSED"] < len(persons)


def test_regions_by_categories_are_a_table_of_counts_too(provider, tmp_path):
    out = [str(tmp_path / f"{at}.csv") for at in range(2)]
    long = table("region:int,sex:string,age:string,n:int", cells())
    run("vbas", given(long, COUNTS=["n"], QIS=["sex"], RECORDS_OUT=out[0]))
    wide = [
        (row, *(sum(n for r, s, _, n in cells() if (r, s) == (row, sex)) for sex in SEXES))
        for row in ROWS
    ]
    feedback = Feedback()
    source = table("region:int,f:int,m:int", wide)
    run("vbas", given(source, COUNTS=["f", "m"], QIS=[], RECORDS_OUT=out[1]), feedback)
    assert "over category" in feedback.said and "nowhere more" not in feedback.said
    assert released(out[0], "area_id", "sex") == released(out[1], "area_id", "category")


def test_a_field_that_may_be_a_part_of_another_is_told(provider, tmp_path):
    """Of all 9 with cancer 7 have it in the lung: classes of 9 and 7 would tell of 2 others."""
    source = table("region:int,cancers:int,lung:int", [(row, 9, 7) for row in ROWS])
    groups = tmp_path / "groups.csv"
    groups.write_text("field,value,group\nregion,1,1\n", encoding="utf-8")
    for more in ({}, {"VALUE_GROUPS": str(groups)}):
        feedback = Feedback()
        run("vbas", given(source, COUNTS=["cancers", "lung"], QIS=[], K=5, **more), feedback)
        assert "“lung” is nowhere more than “cancers”" in "".join(feedback.warnings)


@pytest.mark.parametrize(
    ("rows", "more", "said"),
    [
        ([(0, 5, -1, 4)], {}, "negative"),
        ([(0, 5, None, 4)], {}, "“m” is empty in some rows"),
        ([(0, 5, 3, 8), (1, 2, 2, 4)], {"COUNTS": ["f", "m", "both"]}, "“both” is the sum"),
        ([(0, 5, 3, 8)], {"PERSON_FIELD": "both"}, "not both"),
        ([(0, 5, 3, 8)], {"COUNTS": ["f"]}, "at least one quasi-identifier"),
    ],
)
def test_bad_counts_get_a_sentence(provider, rows, more, said):
    source = table("region:int,f:int,m:int,both:int", rows)
    assert said in refusal("vbas", given(source, **{"COUNTS": ["f", "m"], "QIS": [], **more}))


def test_counts_that_are_not_whole_are_refused(provider):
    source = table("region:int,sex:string,n:double", [(0, "f", 2.5)])
    assert "not whole" in refusal("vbas", given(source, QIS=["sex"], COUNTS=["n"]))


def test_the_people_of_the_regions_decide_the_number_of_sites(provider):
    """Records of one in twenty: the cutoff divides the people, not the records."""
    rows = [(row, "fm"[at % 2]) for row in ROWS for at in range(20)]
    source = table("region:int,sex:string", rows)
    more = {
        **given(source, QIS=["sex"], SITES_BY="gaps_maxcombs", GAPS_REGION="custom", A=500, B=1.0),
        "REGIONS": regions(400),
    }
    of_records = run("vbas", more)
    feedback = Feedback()
    of_people = run("vbas", {**more, "POPULATION_FIELD": "people"}, feedback)
    assert of_records["SITES"] == max(1, round(len(rows) / (500 * 2)))
    assert of_people["SITES"] == round(400 * len(ROWS) / (500 * 2)) == 10
    assert "fewer than there are records" in refusal(
        "vbas", {**more, "REGIONS": regions(3), "POPULATION_FIELD": "people"}
    )


def test_the_gaps_model_is_asked_for(provider):
    source = table("region:int,sex:string", [(row, "f") for row in ROWS for _ in range(6)])
    asked = given(source, QIS=["sex"], SITES_BY="gaps_entropy")
    assert "Choose a GAPS model" in refusal("vbas", asked)
    compared = {name: value for name, value in asked.items() if name not in ("K", "SITES_BY")}
    assert "Choose a GAPS model" in refusal("vbascompare", compared)
