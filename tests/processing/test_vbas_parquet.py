# SPDX-License-Identifier: GPL-2.0-or-later
"""Records in a folder of Parquet files: the same digits as from one file that is kept in memory."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.processing.concluding import reported
from tests.processing.helpers import GRID, Feedback, layer, leftovers, refusal, run

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

SIDE = 7


def regions():
    at = np.stack(np.divmod(np.arange(SIDE * SIDE), SIDE), axis=1) * 1_000.0
    rng = np.random.default_rng(2)
    xy = at + rng.uniform(-300, 300, at.shape) + (400_000, 300_000)
    return layer(xy, GRID, fields="uid:string", rows=[(f"r{row:02}",) for row in range(len(xy))])


def people(count=4_000):
    rng = np.random.default_rng(1)
    return pa.table(
        {
            "uid": [f"r{row:02}" for row in np.sort(rng.integers(0, SIDE * SIDE, count))],
            "age": rng.choice(
                ["young", "old", "oldest", None], count, p=[0.5, 0.4, 0.05, 0.05]
            ).tolist(),
            "sex": rng.integers(1, 3, count).astype(np.int16),
            "income": np.round(rng.gamma(2, 20_000, count), 2),
            "prov": np.where(np.arange(count) < 1_500, "QC", "ON").tolist(),
        }
    )


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """One file, and a folder of many with the same rows."""
    home = tmp_path_factory.mktemp("parquet")
    table = people()
    pq.write_table(table, home / "one.parquet")
    for prov, start, stop in (("ON", 1_500, 4_000), ("QC", 0, 1_500)):
        folder = home / "many" / f"prov={prov}"
        folder.mkdir(parents=True)
        for number, at in enumerate(range(start, stop, 700)):
            some = table.slice(at, min(700, stop - at)).drop(["prov"])
            some = some.set_column(2, "sex", some["sex"].cast([pa.int8(), pa.int64()][number % 2]))
            pq.write_table(some, folder / f"{number}.parquet", row_group_size=100 + 99 * number)
        pq.write_table(some.slice(0, 0), folder / "empty.parquet")
    return home


def given(path, **more):
    return {
        "REGIONS": regions(),
        "REGION_ID": "uid",
        "RECORDS_FILE": str(path),
        "QIS": ["age", "sex", "income", "prov"],
        "GROUPS": json.dumps({"income": [0, 15_000, 60_000, float("inf")]}),
        "SITES_BY": "fixed",
        "SITES": 9,
        "LOCATION": "least_suppression",
        "SEED": 3,
        "OUTPUT": "TEMPORARY_OUTPUT",
        **more,
    }


def numbers(done):
    return {name: one for name, one in done.results.items() if isinstance(one, (int, float))}


def test_a_folder_gives_the_digits_of_one_file(provider, tmp_path, files):
    lookups = [tmp_path / f"{at}.csv" for at in range(3)]
    # Released records are kept in memory; without them nothing is.
    kept = run(
        "vbas",
        given(files / "one.parquet", LOOKUP=str(lookups[0]), RECORDS_OUT=str(tmp_path / "out.csv")),
    )
    counted = run("vbas", given(files / "one.parquet", LOOKUP=str(lookups[1])))
    many = run("vbas", given(files / "many", LOOKUP=str(lookups[2])))
    assert len({one.read_text() for one in lookups}) == 1
    assert numbers(kept)["SUPPRESSED"] > 0
    assert numbers(counted) == numbers(kept)
    assert numbers(many) == pytest.approx(numbers(kept), rel=1e-12)
    whole = [name for name, one in numbers(kept).items() if isinstance(one, int)]
    assert all(numbers(many)[name] == numbers(kept)[name] for name in whole)
    again = run("vbas", given(files / "many", RECORDS_OUT=str(tmp_path / "many.csv")))
    assert numbers(again) == numbers(many)
    rows = [sorted((tmp_path / one).read_text().splitlines()) for one in ("out.csv", "many.csv")]
    assert rows[0] == rows[1]


def test_rows_that_stand_for_several_are_counted_from_a_folder(provider, tmp_path):
    table = people(600)
    table = table.append_column("n", pa.array(np.arange(600) % 4))
    repeated = table.take(np.repeat(np.arange(600), np.arange(600) % 4))
    for name, one in (("counts", table), ("rows", repeated)):
        (tmp_path / name).mkdir()
        for at in range(3):
            size = -(-len(one) // 3)
            pq.write_table(one.slice(at * size, size), tmp_path / name / f"{at}.parquet")
    more = {"QIS": ["age", "sex"], "GROUPS": None}
    counts = run("vbas", given(tmp_path / "counts", COUNTS=["n"], **more))
    assert numbers(counts) == numbers(run("vbas", given(tmp_path / "rows", **more)))


def test_folders_that_do_not_serve_are_told(provider, tmp_path, files):
    folder = tmp_path / "people"
    folder.mkdir()
    table = people(200)
    pq.write_table(table, folder / "a.parquet")
    pq.write_table(table.drop(["age"]), folder / "b.parquet")
    assert "“age” is there in a.parquet, but not in b.parquet" in refusal("vbas", given(folder))
    grouped = given(folder, GROUPS=None, DATES="year")
    assert "“age” is there in a.parquet, but not in b.parquet" in refusal("vbas", grouped)
    assert "no field “shoe”" in refusal("vbas", given(folder, QIS=["shoe"], GROUPS=None))
    (folder / "notes.txt").write_text("none")
    assert "notes.txt in the folder" in refusal("vbas", given(folder))


def test_a_cluster_only_counts(provider, files):
    there = {"SCHEDULER": "tcp://127.0.0.1:9"}
    many = given(files / "many", **there)
    assert "RECORDS_OUT, FIELDS empty" in refusal(
        "vbas", {**many, "RECORDS_OUT": "TEMPORARY_OUTPUT", "FIELDS": ["sex"]}
    )
    assert "PERSON_FIELD empty" in refusal("vbas", {**many, "PERSON_FIELD": "sex"})
    table = layer([None], "", "NoGeometry", "uid:string,age:string", [("r01", "old")])
    other = {**many, "RECORDS_FILE": None, "RECORDS": table, "QIS": ["age"], "GROUPS": None}
    assert "in Parquet files only" in refusal("vbas", other)


def test_a_cluster_that_reads_the_files_gives_the_same(provider, files):
    pytest.importorskip("joblib")
    distributed = pytest.importorskip("distributed")
    feedback = Feedback()
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as cluster:
        there = given(files / "many", SCHEDULER=cluster.scheduler_address)
        done = run("vbas", there, feedback)
    assert feedback.progresses == sorted(feedback.progresses)
    assert numbers(done) == numbers(run("vbas", given(files / "many")))


def test_progress_rises_and_a_cancel_leaves_nothing(provider, tmp_path, files):
    feedback = Feedback()
    run("vbas", given(files / "many"), feedback)
    assert feedback.progresses == sorted(feedback.progresses)
    stopped = Feedback(20)
    done = run("vbas", given(files / "many", **reported(tmp_path)), stopped)
    assert "SITES" not in done.results
    assert leftovers(tmp_path) == []
