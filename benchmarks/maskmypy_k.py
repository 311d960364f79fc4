# SPDX-License-Identifier: GPL-2.0-or-later
"""Actual k of masked points against MaskMyPy's, which has an environment of its own.

    python benchmarks/maskmypy_k.py --python <an environment with maskmypy> [--records 5000]
        [--addresses 100000]

Both count, for the same points, the addresses within the distance that each was moved. MaskMyPy is
timed inside its process, without imports, in seconds of CPU as ours. Of addresses exactly at the edge of a circle, which it
draws with corners, it may count one more or less: how many values differ is printed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import _timing as timing
import numpy as np

from geoanon_qgis.core.measures.risk import actual_k

_THEIRS = """
import sys, time, warnings
warnings.simplefilter("ignore")
import geopandas as gpd, numpy as np
from maskmypy import analysis
made = np.load(sys.argv[1])
def frame(xy):
    return gpd.GeoDataFrame(geometry=gpd.points_from_xy(*xy.T), crs=28992)
one, other, listed = frame(made["before"]), frame(made["after"]), frame(made["listed"])
analysis.k_anonymity(one.iloc[:50], other.iloc[:50].copy(), listed.iloc[:500].copy())
start = time.process_time()
found = analysis.k_anonymity(one, other.copy(), listed.copy())
took = time.process_time() - start
np.save(sys.argv[2], found["k_anonymity"].to_numpy())
print(took)
"""


def main() -> int:
    """Print seconds of both, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", required=True)
    parser.add_argument("--records", type=int, default=5_000)
    parser.add_argument("--addresses", type=int, default=100_000)
    parser.add_argument("--sigma", type=float, default=100.0)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    listed = rng.uniform(0, 1e4, (options.addresses, 2)) + 1e5
    before = listed[rng.choice(len(listed), options.records, replace=False)]
    after = before + rng.normal(0, options.sigma, before.shape)
    found = actual_k(before, after, listed)
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        given, told = Path(folder, "points.npz"), Path(folder, "k.npy")
        np.savez(given, before=before, after=after, listed=listed)
        for _ in range(options.rounds):
            ours.append(timing.seconds(lambda: actual_k(before, after, listed), time.process_time))
            done = subprocess.run(
                [options.python, "-c", _THEIRS, given, told], capture_output=True, text=True
            )
            if done.returncode:
                print(done.stderr)
                return 1
            theirs.append(float(done.stdout.split()[-1]))
            print(f"ours {ours[-1]:.3f} s, MaskMyPy {theirs[-1]:.2f} s", flush=True)
        k = np.load(told)
    print(f"median k: ours {np.median(found):.0f}, MaskMyPy's {np.median(k):.0f}")
    # It counts the place itself or not by rounding; more than that is another measure.
    print(
        f"values that differ: {(found != k).mean():.1%}; by more than one: {(abs(found - k) > 1).mean():.1%}"
    )
    return timing.table(
        f"{options.records:,} records, {options.addresses:,} addresses",
        [timing.at_least("MaskMyPy / ours", 20, timing.median_ratio(theirs, ours))],
    )


if __name__ == "__main__":
    sys.exit(main())
