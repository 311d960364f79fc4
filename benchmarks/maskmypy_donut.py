# SPDX-License-Identifier: GPL-2.0-or-later
"""A donut of many points against MaskMyPy's, which has an environment of its own.

    python benchmarks/maskmypy_donut.py --python <an environment with maskmypy> [--points 90000]

Both move the same points by 100 to 500 m, ours with a draw that is kept. MaskMyPy is timed inside its
process, without imports. Its mean shift of 300 m is that of distances drawn evenly; ours, of places
drawn evenly, is 344 m.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

import _timing as timing
import numpy as np

from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Donut

_THEIRS = """
import sys, time
import geopandas as gpd, numpy as np
from maskmypy import donut
xy = np.random.default_rng(1).uniform(0, 1e5, ({points}, 2)) + 3e5
frame = gpd.GeoDataFrame(geometry=gpd.points_from_xy(*xy.T), crs=28992)
donut(frame.iloc[:100], low=100, high=500)
start = time.perf_counter()
made = donut(frame, low=100, high=500)
took = time.perf_counter() - start
away = frame.geometry.distance(made.geometry)
print(took, away.min(), away.mean(), away.max())
"""


def main() -> int:
    """Print seconds of both, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", required=True)
    parser.add_argument("--points", type=int, default=90_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    xy = np.random.default_rng(1).uniform(0, 1e5, (options.points, 2)) + 3e5
    law, ours, theirs = Donut(100.0, 500.0), [], []
    displace(xy[:100], law, bytes(32), "benchmark")
    for _ in range(options.rounds):
        ours.append(timing.seconds(lambda: displace(xy, law, bytes(32), "benchmark")))
        done = subprocess.run(
            [options.python, "-c", _THEIRS.format(points=options.points)],
            capture_output=True,
            text=True,
            check=True,
        )
        took, *away = map(float, done.stdout.split())
        theirs.append(took)
        print(f"ours {ours[-1]:.3f} s, MaskMyPy {took:.2f} s; its shifts {away} m", flush=True)
    shift = displace(xy, law, bytes(32), "benchmark").shift
    print(f"our shifts {shift.min():.1f}, {shift.mean():.1f}, {shift.max():.1f} m")
    ratio = min(theirs) / min(ours)
    print(f"{ratio:.1f} times as fast (at least 15 wanted)")
    return int(ratio < 15)


if __name__ == "__main__":
    sys.exit(main())
