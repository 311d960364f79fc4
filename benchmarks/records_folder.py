# SPDX-License-Identifier: GPL-2.0-or-later
"""Records in a folder of Parquet files, counted into classes: memory and time as they become more.

    python benchmarks/records_folder.py [--millions 3 31] [--within FOLDER] [--workers N]

All of Canada (55,988 areas, five quasi-identifiers), made-up residents in no order, half a million
to a file. Each folder is written, measured and removed, in FOLDER or where temporary files lie.
Seconds are of all processors together (CPU), and rows per second by the clock. The floor is a bare
scan of the same columns by Arrow. Memory is what the process holds at its peak beyond what it
holds with everything loaded. With --workers, a Dask cluster of so many processes on this machine
counts the same. 310 million records take 2 GB of disk.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import _timing as timing  # isort: skip  (puts the checkout on the path)

import _canada
import numpy as np

from geoanon_qgis.core.aggregation import synthetic
from geoanon_qgis.core.aggregation.categories import Encoder
from geoanon_qgis.core.aggregation.counting_elsewhere import count_elsewhere
from geoanon_qgis.core.aggregation.equivalence_classes import EquivalenceClasses
from geoanon_qgis.core.aggregation.record_coding import RecordCoder
from geoanon_qgis.core.columns import column_of
from geoanon_qgis.core.records.parquet import parquet_table
from geoanon_qgis.core.runtime.progress import Latest, Progress, silent
from geoanon_qgis.core.runtime.workers import Backend

NAMES = ("age", "sex", "mar", "kol", "hh")
PARTS = ("west", "central", "east")
_FILE = 500_000


def write(folder: Path, records: float, data: _canada.Data) -> None:
    """Write about so many records; each file is of the whole country."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    files = max(1, round(records / _FILE))
    mean = data.residents * (records / data.residents.sum() / files)
    labels = [
        pa.array([f"{name} {at}" for at in range(count)])
        for name, count in zip(NAMES, data.recipe.categories)
    ]
    for number in range(files):
        rng = np.random.default_rng(number)
        chunks = list(synthetic.synthetic_records(data.recipe, data.group, rng.poisson(mean), rng))
        region = np.concatenate([chunk.region for chunk in chunks])
        order = rng.permutation(len(region))
        columns = {"region": pa.array(data.uid[region[order]])}
        for at, name in enumerate(NAMES):
            code = np.concatenate([chunk.codes[at] for chunk in chunks])[order]
            columns[name] = pa.DictionaryArray.from_arrays(
                pa.array(code.astype(np.int8)), labels[at]
            )
        pq.write_table(pa.table(columns), folder / f"{number:05}.parquet")


def scan(folder: str) -> int:
    """The floor: the same columns, each text once, and nothing done with them."""
    import pyarrow.dataset as dataset

    shape = dataset.ParquetFileFormat(dictionary_columns=NAMES)
    batches = dataset.dataset(folder, format=shape).to_batches(columns=["region", *NAMES])
    return sum(batch.num_rows for batch in batches)


def coder(uid: np.ndarray) -> RecordCoder:
    """What counts them, without keeping any."""
    return RecordCoder(
        "region", column_of("uid", uid), {name: Encoder(name) for name in NAMES}, {}, keep=False
    )


def count(folder: str, uid: np.ndarray, progress: Progress = silent) -> EquivalenceClasses:
    """Read and counted here, as a run of vbas does."""
    made, table, read = coder(uid), parquet_table(folder), 0
    told = Latest(progress)
    for batch, rows in table.batches(made.fields):
        made.add(batch, None if progress is silent else told.ask)
        read += rows
        told(read / table.count)
    return made.counter.finish()


def count_by(folder: str, uid: np.ndarray, scheduler: str) -> EquivalenceClasses:
    """The same by a cluster."""
    made = coder(uid)
    count_elsewhere(made, parquet_table(folder), Backend("dask", scheduler=scheduler))
    return made.counter.finish()


def alone(work: str, folder: Path, uid: Path) -> dict:
    """Seconds by the clock and of all processors, and bytes at the peak, of a process of its own."""
    code = _ALONE.format(
        here=str(Path(__file__).parent), folder=str(folder), uid=str(uid), work=work
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=timing.ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(done.stdout.splitlines()[-1])
    return {**found, "with_start": after.ru_utime - before.ru_utime}


_ALONE = """
import json, sys, time
sys.path.insert(0, {here!r})
import numpy as np, records_folder as own
import pyarrow.dataset, pyarrow.parquet, scipy.sparse
folder, uid = {folder!r}, np.load({uid!r})

def held(key):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(key))

before, wall, cpu = held("VmRSS:"), time.perf_counter(), time.process_time()
found = {work}
told = dict(wall=time.perf_counter() - wall, cpu=time.process_time() - cpu)
if not isinstance(found, int):  # what everything after that begins with, which is part of the peak
    told["cells"], told["records"] = found.counts.nnz, found.records
    assert found.sizes.sum() == found.records
told["peak"] = held("VmHWM:") - before
print(json.dumps(told))
"""


def measured(millions: float, within: Path, data: _canada.Data, workers: int) -> list[timing.Line]:
    """Write so many records, measure, remove them."""
    folder, uid = within / f"{millions:g}-million", within / "uid.npy"
    folder.mkdir()
    np.save(uid, data.uid)
    try:
        start = time.perf_counter()
        write(folder, millions * 1e6, data)
        size = sum(path.stat().st_size for path in folder.iterdir())
        said = f"{millions:g} million"
        print(
            f"{said} written in {time.perf_counter() - start:.0f} s, {size / 1e6:,.0f} MB",
            flush=True,
        )
        bare = alone("own.scan(folder)", folder, uid)
        full = alone("own.count(folder, uid)", folder, uid)
        delay = timing.cancel_delay(lambda told: count(str(folder), data.uid, told), 2.0)
        rows = full["records"]
        lines = [
            timing.note(f"{said}: records", f"{rows:,}"),
            timing.note(f"{said}: cells of areas by classes", f"{full['cells']:,}"),
            timing.note(f"{said}: bare scan, CPU (s)", f"{bare['cpu']:.1f}"),
            timing.note(f"{said}: counted, CPU (s)", f"{full['cpu']:.1f}"),
            timing.note(f"{said}: bare scan, rows a second", f"{rows / bare['wall']:,.0f}"),
            timing.note(f"{said}: counted, rows a second", f"{rows / full['wall']:,.0f}"),
            timing.note(
                f"{said}: counted against the scan, CPU", f"{full['cpu'] / bare['cpu']:.1f} x"
            ),
            timing.note(f"{said}: peak of the scan (GB)", f"{bare['peak'] / 1e9:.2f}"),
            timing.at_most(f"{said}: peak of counting", 1.6, full["peak"] / 1e9, "GB"),
            timing.note(f"{said}: bytes a cell", f"{full['peak'] / full['cells']:.0f}"),
            timing.at_most(f"{said}: a cancel is heard", 0.5, delay, "s"),
        ]
        return lines + (by_cluster(said, folder, uid, workers) if workers else [])
    finally:
        shutil.rmtree(folder)


def by_cluster(said: str, folder: Path, uid: Path, workers: int) -> list[timing.Line]:
    """The same by processes of a cluster on this machine."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
        there = alone(f"own.count_by(folder, uid, {cluster.scheduler_address!r})", folder, uid)
    return [
        timing.note(f"{said}: by {workers} workers, by the clock (s)", f"{there['wall']:.1f}"),
        timing.note(f"{said}: of these CPU here (s)", f"{there['cpu']:.1f}"),
        timing.note(f"{said}: peak here (GB)", f"{there['peak'] / 1e9:.2f}"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--millions", type=float, nargs="*", default=[3, 31])
    parser.add_argument("--within", type=Path)
    parser.add_argument("--workers", type=int, default=0)
    chosen = parser.parse_args()
    if not _canada.available():
        return 0
    data = _canada.load(PARTS, NAMES)
    lines = []
    with tempfile.TemporaryDirectory(dir=chosen.within) as within:
        for millions in chosen.millions:
            lines += measured(millions, Path(within), data, chosen.workers)
    return timing.table("Records in a folder of Parquet files", lines)


if __name__ == "__main__":
    sys.exit(main())
