# SPDX-License-Identifier: GPL-2.0-or-later
"""A table that is counted in pieces by workers, against one that is counted here."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.aggregation.categories import Encoder
from geoanon_qgis.core.aggregation.counting_elsewhere import count_elsewhere
from geoanon_qgis.core.aggregation.record_coding import RecordCoder
from geoanon_qgis.core.columns import column_of
from geoanon_qgis.core.records.parquet import parquet_table
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.runtime.workers import Backend

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    home = tmp_path_factory.mktemp("folder")
    rng = np.random.default_rng(1)
    for number in range(5):
        table = pa.table(
            {
                "uid": rng.integers(0, 12, 2_000),
                "age": rng.choice([None, "z", "y", "x", "w"][: number + 2], 2_000).tolist(),
                "year": rng.choice([2019, 2020, 1990 + number], 2_000),
            }
        )
        pq.write_table(table, home / f"{number}.parquet", row_group_size=700)
    return home


def coder():
    encoders = {name: Encoder(name) for name in ("age", "year")}
    return RecordCoder("uid", column_of("uid", list(range(10))), encoders, {}, keep=False)


def here(folder):
    made = coder()
    for batch, _ in parquet_table(folder).batches(made.fields):
        made.add(batch)
    return made


def same(one, other):
    assert one.unknown == other.unknown and sum(one.unknown.values()) > 0
    for name, encoder in one.encoders.items():
        assert encoder.categories == other.encoders[name].categories
        assert encoder.null_count == other.encoders[name].null_count
    found, wanted = one.counter.finish(), other.counter.finish()
    assert (found.codes == wanted.codes).all() and (found.counts != wanted.counts).nnz == 0
    assert found.unknown == wanted.unknown


def test_pieces_come_to_the_same_codes_and_counts(folder):
    found, told = coder(), []
    count_elsewhere(found, parquet_table(folder), Backend(), told.append, rows=1_500)
    same(found, here(folder))
    assert told == sorted(told) and told[-1] == 1.0


@pytest.mark.slow
def test_a_cluster_comes_to_the_same(folder):
    pytest.importorskip("joblib")
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        found, backend = coder(), Backend("dask", scheduler=cluster.scheduler_address)
        count_elsewhere(found, parquet_table(folder), backend, rows=1_500)
        same(found, here(folder))
        (folder / "6.parquet").write_bytes((folder / "0.parquet").read_bytes())
        table = parquet_table(folder)
        (folder / "6.parquet").unlink()
        with pytest.raises(InputError, match="does not see"):
            count_elsewhere(coder(), table, backend, rows=1_500)


def test_a_cancel_ends_the_counting(folder):
    def progress(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        count_elsewhere(coder(), parquet_table(folder), Backend(), progress, rows=700)


def test_what_a_worker_refuses_is_told(folder):
    made = RecordCoder(
        "uid",
        column_of("uid", list(range(10))),
        {"age": Encoder("“age”", nulls=False)},
        {},
        keep=False,
    )
    with pytest.raises(InputError, match="“age” is NULL in some records"):
        count_elsewhere(made, parquet_table(folder), Backend(), rows=700)
