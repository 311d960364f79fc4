# SPDX-License-Identifier: GPL-2.0-or-later
"""Spectral anonymization of a large table: speed against NumPy's thin SVD, memory, cancelling.

    python benchmarks/spectral.py [--records 1000000] [--rounds 3] [--asked 4096] [--whole]

The risk measures are timed on blocks of records that lie together, as a whole run asks for them,
against SciPy's k-d tree on a few of the same records. With ``--whole`` nothing else is done but
to measure the risk of all records, against the release and against each other, to the end.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

import _survey
import _timing as timing
import numpy as np
from scipy.spatial import cKDTree

from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.nearest import Records
from geoanon_qgis.core.microdata.prediction import prediction_risk
from geoanon_qgis.core.microdata.spectral import (
    decompose,
    median_groups,
    spectral_rhs,
    spectral_swapping,
)

K = 5


def quiet(fraction: float) -> None:
    """A progress callback, as QGIS gives one."""


def speed(matrix: np.ndarray, rounds: int) -> list[timing.Line]:
    """Spectral swapping against the thin SVD, by either way to the basis."""
    jobs = {
        "swapping": lambda: spectral_swapping(matrix, np.random.default_rng(), quiet),
        "by QR": lambda: decompose(matrix, quiet, "svd"),
        "thin SVD": lambda: np.linalg.svd(matrix, full_matrices=False),
    }
    times = timing.take_turns(jobs, rounds)
    median = {name: statistics.median(values) for name, values in times.items()}
    ratio = timing.median_ratio(times["swapping"], times["thin SVD"])
    return [
        timing.at_most("spectral swapping / thin SVD", 3, ratio),
        timing.note("seconds", f"{median['swapping']:.2f} s against {median['thin SVD']:.2f} s"),
        timing.note("seconds, basis by blocked QR", f"{median['by QR']:.2f} s"),
        timing.note(
            "seconds, spectral RHS",
            f"{timing.seconds(lambda: spectral_rhs(matrix, K, np.random.default_rng())):.1f} s",
        ),
    ]


def exactness(matrix: np.ndarray) -> list[timing.Line]:
    """What spectral swapping promises to keep."""
    swapped = spectral_swapping(matrix, np.random.default_rng(1))
    drift = np.abs(swapped.mean(axis=0) - matrix.mean(axis=0)) / matrix.std(axis=0)
    basis = decompose(matrix)
    u = basis.u
    off = np.abs(u.T @ u - np.eye(u.shape[1])).max()
    return [
        timing.at_most("largest drift of a mean (standard deviations)", 1e-12, drift.max()),
        timing.at_most(f"U'U - I, basis by the {basis.method} matrix", 1e-9, off),
    ]


def risk_speed(matrix: np.ndarray, asked: int) -> list[timing.Line]:
    """Seconds for all records, from some of them, against a k-d tree."""
    released = spectral_swapping(matrix, np.random.default_rng(2))
    start = time.perf_counter()
    records = Records(released, quiet)
    build = time.perf_counter() - start
    records.nearest(matrix[:2], K, quiet)  # compiled, or read from the cache
    # Blocks of records that lie together, as those of a whole run.
    rng = np.random.default_rng(3)
    group = median_groups(decompose(matrix).scores, 256, rng)
    some = rng.choice(group.max() + 1, max(asked // 512, 1), replace=False)
    blocks = [matrix[group == one] for one in some]
    together = np.concatenate(blocks)  # as one, so that all threads have something to do
    taken = timing.seconds(lambda: records.nearest(together, K, quiet))
    mine = taken / sum(map(len, blocks))
    tree = cKDTree(released)
    few = np.concatenate([block[:16] for block in blocks])
    theirs = timing.seconds(lambda: tree.query(few, k=K)) / len(few)
    return [
        timing.note("risk measures: leaves built", f"{build:.1f} s"),
        timing.note(
            "nearest records: blocked search, k-d tree (ms for one)",
            f"{1e3 * mine:.2f}, {1e3 * theirs:.2f}",
        ),
        timing.at_most("blocked search / k-d tree", 1, mine / theirs),
        timing.note("all records, estimated", f"{mine * len(matrix) / 60:.1f} min"),
    ]


_LOAD = """
import numpy as np
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.microdata.spectral import spectral_rhs, spectral_swapping
from geoanon_qgis.core.microdata.risk import prediction_risk
matrix = np.load({file!r})
def until(limit):
    def progress(fraction):
        if fraction > limit:
            raise Cancelled
    return progress
rng = np.random.default_rng(1)
# What is loaded and compiled once is no memory of a table.
prediction_risk(matrix[:1000], spectral_swapping(matrix[:1000], rng))
"""
_JOBS = {
    "spectral swapping": "result = spectral_swapping(matrix, rng, until(2))",
    "spectral RHS": "result = spectral_rhs(matrix, 5, rng, until(2))",
    # Everything is held once the first blocks are searched; the rest would take long.
    "risk measures, release included": """
released = matrix[::-1] + 0.1
try:
    result = prediction_risk(matrix, released, 5, None, until(0.18))
except Cancelled:
    pass
""",
}


def memory(matrix: np.ndarray) -> list[timing.Line]:
    """Peak memory as a multiple of the coded table, which is counted."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "table.npy")
        np.save(file, matrix)
        for name, work in _JOBS.items():
            grown = timing.peak_memory(_LOAD.format(file=str(file)), work)
            share = 1 + grown / matrix.nbytes
            lines.append(timing.at_most(f"peak memory / table, {name}", 6, share))
    return lines


def whole(matrix: np.ndarray) -> list[timing.Line]:
    """The risk of every record to the end: seconds, peak memory, longest silence."""
    with tempfile.TemporaryDirectory() as folder:
        file, told = Path(folder, "table.npy"), Path(folder, "told.txt")
        np.save(file, matrix)
        work = _WHOLE.format(told=str(told))
        grown = timing.peak_memory(_LOAD.format(file=str(file)), work)
        seconds, silence, verdict = told.read_text(encoding="utf-8").split()
    # The release is given, too, and is no part of what is needed to measure it.
    share = 1 + grown / matrix.nbytes
    return [
        timing.note("risk of all records, release and reference", f"{float(seconds):.0f} s"),
        timing.at_most("longest time without a look at cancel", 0.5, float(silence), "s"),
        timing.at_most("peak memory / table, release included", 6, share),
        timing.note("verdict on spectral swapping", verdict),
    ]


_WHOLE = """
import time
from pathlib import Path
from geoanon_qgis.core.microdata.risk import disclosure_risk
released = spectral_swapping(matrix, rng)
silence, last = 0.0, time.perf_counter()
def listen(fraction):
    global silence, last
    now = time.perf_counter()
    silence, last = max(silence, now - last), now
start = last
found = disclosure_risk(matrix, released, progress=listen)
taken = time.perf_counter() - start
Path({told!r}).write_text(f"{{taken}} {{silence}} {{found.verdict}}", encoding="utf-8")
"""


def cancelling(matrix: np.ndarray) -> list[timing.Line]:
    """The longest wait for a cancel, over moments of each job."""
    rng = np.random.default_rng(4)
    released = matrix[::-1] + 0.1
    jobs = {
        "spectral swapping": (lambda p: spectral_swapping(matrix, rng, p), (0.1, 0.4, 0.7, 1.0)),
        "spectral RHS": (lambda p: spectral_rhs(matrix, K, rng, p), (0.5, 2.0, 3.2, 4.7)),
        "risk measures": (
            lambda p: prediction_risk(matrix, released, K, progress=p),
            (0.3, 0.8, 3.0, 6.0, 20.0),
        ),
    }
    return [
        timing.at_most(
            f"cancel to return, worst of {len(moments)} moments, {name}",
            0.5,
            max(timing.cancel_delay(job, moment) for moment in moments),
            "s",
        )
        for name, (job, moments) in jobs.items()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--asked", type=int, default=4_096)
    parser.add_argument("--whole", action="store_true")
    chosen = parser.parse_args()
    table = _survey.survey(chosen.records, np.random.default_rng(1))
    start = time.perf_counter()
    coding = learn_coding(table, _survey.kinds(table))
    matrix, _ = coding.encode(table)
    lines = [timing.note("table to coded matrix", f"{time.perf_counter() - start:.1f} s")]
    if chosen.whole:
        lines += whole(matrix)
    else:
        lines += speed(matrix, chosen.rounds)
        lines += exactness(matrix)
        lines += memory(matrix)
        lines += cancelling(matrix)
        lines += risk_speed(matrix, chosen.asked)
    n, m = matrix.shape
    return timing.table(f"Spectral anonymization of {n:,} records x {m} columns", lines)


if __name__ == "__main__":
    sys.exit(main())
