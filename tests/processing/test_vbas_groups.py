# SPDX-License-Identifier: GPL-2.0-or-later
"""Values of records that become groups before they are counted, and are released as such."""

import itertools
from collections import Counter, defaultdict

import numpy as np
import pytest

from tests.processing.helpers import GRID, layer, records, refusal, run, saved

SIDE, STEP = 5, 1_000.0
CHAPTERS = {"A1": "A", "A2": "A", "B1": "B", "B2": "B", "C1": "C"}
FIELDS = "region:int,born:date,sex:string,ill:string"


def people():
    rng = np.random.default_rng(8)
    return [
        (
            row,
            None
            if number % 40 == 0
            else f"{rng.integers(1950, 1953)}-{rng.integers(1, 13):02}-{rng.integers(1, 29):02}",
            str(rng.choice(list("fm"))),
            str(rng.choice(list(CHAPTERS))),
        )
        for number, row in enumerate(np.repeat(np.arange(SIDE * SIDE), 24).tolist())
    ]


PEOPLE = people()


def table(name, fields, rows):
    return layer([None] * len(rows), "", "NoGeometry", fields, rows, name)


def chapters(rows=None):
    rows = [("ill", *one) for one in CHAPTERS.items()] if rows is None else rows
    return table("chapters", "field:string,value:string,group:string", rows)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    xy = [(400_000 + x * STEP, 300_000 + y * STEP) for y in range(SIDE) for x in range(SIDE)]
    regions = layer(xy, GRID, fields="region:int", rows=[(one,) for one in range(len(xy))])
    return {
        "REGIONS": saved(regions, folder / "regions.gpkg"),
        "REGION_ID": "region",
        "RECORDS": saved(table("people", FIELDS, PEOPLE), folder / "people.gpkg"),
        "QIS": ["born", "sex"],
        "K": 5,
        "SITES_BY": "fixed",
        "SITES": 3,
        "SEED": 1,
    }


def made(inputs, folder, **more):
    given = {
        "OUTPUT": str(folder / "areas.gpkg"),
        "LOOKUP": str(folder / "lookup.csv"),
        "RECORDS_OUT": str(folder / "released.gpkg"),
    }
    return run("vbas", {**inputs, **given, **more})


def text(value):
    return None if str(value) in ("", "NULL", "None") else str(value)


def recounted(done, kept, k=5):
    """Classes of the released records by an own count of the originals."""
    area = {int(row["region"]): int(row["area_id"]) for row in records(done["LOOKUP"])}
    sizes = Counter((area[row[0]], *kept(row)) for row in PEOPLE)
    return {one: size for one, size in sizes.items() if size >= k}


def quarter(day):
    return None if day is None else f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}"


@pytest.mark.parametrize(
    ("how", "written"), [("year", lambda day: day and day[:4]), ("quarter", quarter)]
)
def test_dates_are_counted_and_released_in_groups(provider, inputs, tmp_path, how, written):
    done = made(inputs, tmp_path, DATES=how)
    expected = recounted(done, lambda row: (written(row[1]), row[2]))
    found = Counter(
        (int(row["area_id"]), text(row["born"]), row["sex"]) for row in records(done["RECORDS_OUT"])
    )
    assert found == expected and min(found.values()) == done["ANONYMITY"]
    assert done["SUPPRESSED"] == len(PEOPLE) - sum(expected.values())
    # Day by day nearly everybody would be alone.
    alone = recounted(done, lambda row: row[1:3])
    assert sum(alone.values()) < sum(expected.values()) / 3 and "born:" in done.feedback.said


def test_values_are_counted_and_released_as_their_groups(provider, inputs, tmp_path):
    done = made(inputs, tmp_path, QIS=["ill", "sex"], VALUE_GROUPS=chapters())
    expected = recounted(done, lambda row: (CHAPTERS[row[3]], row[2]))
    found = Counter(
        (int(row["area_id"]), row["ill"], row["sex"]) for row in records(done["RECORDS_OUT"])
    )
    assert found == expected and "ill: 5 values became 3 groups." in done.feedback.said


def test_sensitive_fields_are_looked_at_as_they_are_released(provider, inputs, tmp_path):
    more = {"QIS": ["sex"], "FIELDS": ["ill"], "SENSITIVE": ["ill"], "SITES": 4}
    done = made(inputs, tmp_path, **more, VALUE_GROUPS=chapters(), L=3)
    values = defaultdict(set)
    for row in records(done["RECORDS_OUT"]):
        assert row["ill"] in "ABC"
        values[row["area_id"], row["sex"]].add(row["ill"])
    assert done["LEAST_VALUES"] == min(map(len, values.values())) <= 3
    assert made(inputs, tmp_path, **more, L=3)["LEAST_VALUES"] > 3


def test_a_file_of_columns_has_dates_too(provider, inputs, tmp_path):
    pa = pytest.importorskip("pyarrow")
    import datetime

    import pyarrow.parquet as pq

    columns = dict(zip(("region", "born", "sex", "ill"), map(list, zip(*PEOPLE))))
    columns["born"] = [one and datetime.date.fromisoformat(one) for one in columns["born"]]
    path = tmp_path / "people.parquet"
    pq.write_table(pa.table(columns), path)
    file = {"RECORDS": None, "RECORDS_FILE": str(path)}
    done = made(inputs, tmp_path, **file, DATES="quarter", QIS=["born", "sex"])
    expected = recounted(done, lambda row: (quarter(row[1]), row[2]))
    assert done["SUPPRESSED"] == len(PEOPLE) - sum(expected.values()) and expected


def test_it_compares_with_groups_too(provider, inputs, tmp_path):
    given = {name: one for name, one in inputs.items() if name not in ("K", "SITES_BY")}
    compared = run(
        "vbascompare",
        {
            **given,
            "KS": "5",
            "SITES_BY": ["fixed"],
            "LOCATIONS": ["balanced_density"],
            "DATES": "year",
            "OUTPUT": str(tmp_path / "compared.csv"),
        },
    )
    (row,) = records(compared["OUTPUT"])
    assert int(row["suppressed"]) == made(inputs, tmp_path, DATES="year")["SUPPRESSED"]


def test_groups_that_do_not_fit_are_sentences(provider, inputs, tmp_path):
    def refused(**more):
        return refusal("vbas", {**inputs, "OUTPUT": "TEMPORARY_OUTPUT", **more})

    some = [("ill", value, "x") for value in itertools.islice(CHAPTERS, 3)]
    assert "without a group" in refused(QIS=["ill"], VALUE_GROUPS=chapters(some))
    assert "do not have" in refused(VALUE_GROUPS=chapters([("job", "a", "b")]))
    assert "no column “group”" in refused(VALUE_GROUPS=table("t", "field:string,value:string", []))
    done = made(inputs, tmp_path, QIS=["sex"], VALUE_GROUPS=chapters(), DATES="year")
    for said in ("VALUE_GROUPS changed nothing", "DATES changed nothing"):
        assert said in done.feedback.said
    assert "one of the two" in refused(
        QIS=["sex", "born"],
        GROUPS='{"born": 3}',
        VALUE_GROUPS=chapters([("born", "1950-01-01", "x")]),
    )
