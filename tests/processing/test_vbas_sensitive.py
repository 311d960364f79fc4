# SPDX-License-Identifier: GPL-2.0-or-later
"""What released classes have in common of a sensitive field: recounted from the written bytes."""

import csv
from collections import Counter, defaultdict

import numpy as np
import pytest

from tests.processing.helpers import GRID, Feedback, layer, refusal, run, saved

SIDE = 6
ROWS = range(SIDE * SIDE)
FIELDS = "region:int,sex:string,illness:string,visits:int"


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    rng = np.random.default_rng(2)
    xy = np.stack(np.divmod(list(ROWS), SIDE), axis=1) * 1_000.0 + (400_000, 300_000)
    regions = layer(xy, GRID, fields="uid:int", rows=[(row,) for row in ROWS], name="regions")
    rows = [
        (row, str(rng.choice(["f", "m"])), str(rng.choice(["flu", "cough", "gout", ""])), visits)
        for row in ROWS
        for visits in rng.integers(0, 4, 25).tolist()
    ]
    table = layer([None] * len(rows), "", "NoGeometry", FIELDS, rows, "people")
    return {
        "REGIONS": saved(regions, folder / "regions.gpkg"),
        "REGION_ID": "uid",
        "RECORDS": saved(table, folder / "people.gpkg"),
        "RECORD_REGION": "region",
        "QIS": ["sex"],
        "FIELDS": ["illness", "visits"],
        "K": 4,
        "SITES_BY": "fixed",
        "SITES": 9,
        "SEED": 1,
        "ACCEPTABLE": 0.3,
        "OUTPUT": "TEMPORARY_OUTPUT",
    }


def recounted(path, field):
    """l and t of the released file by loops, and records in classes of one value."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    whole = Counter(row[field] for row in rows if row[field].strip())
    values = sorted(whole)
    classes = defaultdict(Counter)
    for row in rows:
        if row[field].strip():
            classes[row["area_id"], row["sex"]][row[field]] += 1
    far = 0.0
    for one in classes.values():
        gap = [one[v] / sum(one.values()) - whole[v] / sum(whole.values()) for v in values]
        ordered = np.abs(np.cumsum(gap)).sum() / (len(values) - 1)
        far = max(far, ordered if field == "visits" else np.abs(gap).sum() / 2)
    shared = sum(sum(one.values()) for one in classes.values() if len(one) == 1)
    return min(map(len, classes.values())), far, shared


@pytest.mark.parametrize("field", ["illness", "visits"])
def test_l_and_t_are_those_of_the_written_release(provider, inputs, tmp_path, field):
    out = str(tmp_path / "released.csv")
    done = run("vbas", {**inputs, "SENSITIVE": [field], "L": 1, "RECORDS_OUT": out})
    least, far, shared = recounted(out, field)
    assert (done["LEAST_VALUES"], done["SHARED"]) == (least, shared)
    assert done["FARTHEST"] == pytest.approx(far)
    assert done["DECISION"] == "release_with_care"


def test_a_limit_that_is_broken_decides(provider, inputs, tmp_path):
    out = str(tmp_path / "released.csv")
    given = {**inputs, "SENSITIVE": ["illness"], "RECORDS_OUT": out}
    least, far, _ = recounted(run("vbas", given)["RECORDS_OUT"], "illness")
    for more, decision in (
        ({"L": least}, "release_with_care"),
        ({"L": least + 1}, "do_not_release"),
        ({"L": 1, "T": far + 1e-6}, "release_with_care"),
        ({"L": 1, "T": far - 1e-6}, "do_not_release"),
    ):
        feedback = Feedback()
        done = run("vbas", {**given, **more}, feedback)
        assert done["DECISION"] == decision
        assert ("Leave illness out" in feedback.said) == (decision == "do_not_release")
        assert "of visits is known" in feedback.said  # which nobody looked at


def test_what_is_not_looked_at_is_said_and_nothing_else_changes(provider, inputs, tmp_path):
    feedback = Feedback()
    paths = [str(tmp_path / f"{at}.csv") for at in range(2)]
    run("vbas", {**inputs, "RECORDS_OUT": paths[0]}, feedback)
    assert "of illness, visits is known of each of them" in feedback.said
    run("vbas", {**inputs, "RECORDS_OUT": paths[1], "SENSITIVE": ["illness"]})
    one, other = (open(path, "rb").read() for path in paths)
    assert one == other


def test_a_sensitive_field_that_is_not_released_is_a_sentence(provider, inputs):
    assert "not among FIELDS" in refusal("vbas", {**inputs, "SENSITIVE": ["sex"]})


def test_people_count_and_not_their_records(provider, inputs, tmp_path):
    """One with many illnesses among people who all have the flu hides nobody's flu."""
    rows = [(row, "f", "flu", person, f"p{row}-{person}") for row in ROWS for person in range(6)]
    rows += [(row, "f", ill, 9, f"p{row}-0") for row in ROWS for ill in ("gout", "cough")]
    fields = f"{FIELDS},who:string"
    table = layer([None] * len(rows), "", "NoGeometry", fields, rows, "people")
    out = str(tmp_path / "released.csv")
    given = {**inputs, "RECORDS": saved(table, tmp_path / "people.gpkg"), "FIELDS": ["illness"]}
    given |= {"SENSITIVE": ["illness"], "RECORDS_OUT": out}
    by_records = run("vbas", given)
    assert (by_records["LEAST_VALUES"], by_records["DECISION"]) == (3, "release_with_care")
    by_people = run("vbas", {**given, "PERSON_FIELD": "who"})
    assert (by_people["LEAST_VALUES"], by_people["DECISION"]) == (1, "do_not_release")
    assert by_people["SHARED"] == 6 * len(ROWS)
