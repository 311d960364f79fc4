# SPDX-License-Identifier: GPL-2.0-or-later
"""Lipschitz embedding and its distance matrix, against SciPy's pdist; memory and cancelling.

    python benchmarks/lipschitz.py [--rounds 3] [--points 5000] [--sets 500] [--size 20] [--large]

The peer embeds in the same way and then calls ``pdist(F, "chebyshev")``. With ``--large`` also
a release of 20,000 points and 100 sets, which takes 1.6 GB for its matrix.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

import _timing as timing
import numpy as np

from geoanon_qgis.core.distances.lipschitz import (
    embed,
    embedded_distances,
    lipschitz_distances,
    reference_sets,
)
from geoanon_qgis.core.distances.rounding import round_down
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import METRICS, metric_for

#: System and area of each metric: about the size of Germany.
AREAS = {
    "planar": ("EPSG:25832", [[280e3, 5.24e6], [920e3, 5.24e6], [920e3, 6.1e6], [280e3, 6.1e6]]),
    "great_circle": ("EPSG:4326", [[6, 47.3], [15, 47.3], [15, 55], [6, 55]]),
    "geodesic": ("EPSG:4326", [[6, 47.3], [15, 47.3], [15, 55], [6, 55]]),
}


def setting(name: str, n: int, sets: int, size: int):
    """A metric, and points and reference sets in its coordinates."""
    wkt, ring = AREAS[name]
    rng = np.random.default_rng(1)
    area, metric = StudyArea.of_rings([np.array(ring)], wkt), metric_for(name, wkt)
    references = reference_sets(area, sets, size, rng)
    own = metric.coordinates(references.reshape(-1, 2)).reshape(references.shape)
    return metric, metric.coordinates(area.sample(n, rng)), own


def against_pdist(lines, name, n, sets, size, rounds) -> None:
    """The speed that is promised, and where the time goes."""
    from scipy.spatial.distance import pdist

    metric, points, references = setting(name, n, sets, size)
    results = {}

    def ours():
        results["ours"] = embedded_distances(embed(points, references, metric))

    def peer():
        features = np.ascontiguousarray(embed(points, references, metric))
        results["peer"] = pdist(features, "chebyshev")

    jobs = {"ours": ours, "peer": peer, "embed": lambda: embed(points, references, metric)}
    times = timing.take_turns(jobs, rounds)
    ratio = timing.median_ratio(times["peer"], times["ours"])
    lines.append(timing.at_least(f"{name}: times as fast as with pdist", 2, ratio, "x"))
    seconds = {job: statistics.median(taken) for job, taken in times.items()}
    told = ", ".join(f"{job} {taken:.3g} s" for job, taken in seconds.items())
    lines.append(timing.note(f"{name}: seconds", told))
    same = bool(np.array_equal(results["ours"], results["peer"]))
    lines.append(timing.Line(f"{name}: the same matrix", "same bits", str(same), same))


_SETUP = """
sys.path[:0] = [{root!r}, {benchmarks!r}]
from lipschitz import embed, embedded_distances, setting
metric, points, references = setting({name!r}, {n}, {sets}, {size})
embedded_distances(embed(points[:20], references, metric))
"""


def memory(lines, name, n, sets, size) -> None:
    """Peak memory of a release against the condensed matrix and the embedding."""
    held = 8 * (n * (n - 1) // 2 + n * sets)
    setup = _SETUP.format(
        root=str(timing.ROOT),
        benchmarks=str(timing.ROOT / "benchmarks"),
        name=name,
        n=n,
        sets=sets,
        size=size,
    )
    peak = timing.peak_memory(setup, "embedded_distances(embed(points, references, metric))")
    lines.append(
        timing.at_most(f"{name}: peak memory to matrix and embedding", 1.5, peak / held, "x")
    )


def cancelling(lines, name, n, sets, size) -> None:
    """How long a cancel waits, at worst over a few moments of the work."""
    metric, points, references = setting(name, n, sets, size)
    worst = 0.0
    for wait in (0.05, 0.2, 0.4):
        start = time.perf_counter()
        asked = []

        def progress(fraction, start=start, wait=wait, asked=asked):
            asked.append(time.perf_counter())
            if asked[-1] - start > wait:
                raise Cancelled

        try:
            embedded_distances(embed(points, references, metric, progress), progress)
        except Cancelled:
            worst = max(worst, time.perf_counter() - start - wait)
    lines.append(timing.at_most(f"{name}: a cancel acts within", 0.5, worst, "s"))


def large(lines) -> None:
    """A release of 20,000 points and 100 sets, rounded down."""
    n, sets, size = 20_000, 100, 20
    wkt, ring = AREAS["geodesic"]
    area, metric = StudyArea.of_rings([np.array(ring)], wkt), metric_for("geodesic", wkt)
    rng = np.random.default_rng(1)
    points = area.sample(n, rng)
    own = metric.coordinates(points)
    heard = [time.perf_counter()]
    start = heard[0]

    def progress(fraction):
        heard.append(time.perf_counter())

    condensed = lipschitz_distances(points, area, metric, sets, size, rng, progress)
    embedded = time.perf_counter()
    round_down(
        condensed,
        n,
        0,
        1,
        lambda i, j: metric.between(own[i], own[j]),
        metric.slack,
        progress,
        out=condensed,
    )
    done = time.perf_counter()
    told = f"{embedded - start:.3g} s, rounding {done - embedded:.3g} s"
    lines.append(timing.note(f"geodesic, {n:,} points, {sets} sets", told))
    lines.append(timing.at_most("the same: longest silence", 0.5, float(np.diff(heard).max()), "s"))


def main() -> int:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--points", type=int, default=5000)
    parser.add_argument("--sets", type=int, default=500)
    parser.add_argument("--size", type=int, default=20)
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    sizes = options.points, options.sets, options.size
    lines: list[timing.Line] = []
    for name in METRICS:
        against_pdist(lines, name, *sizes, options.rounds)
        memory(lines, name, *sizes)
        cancelling(lines, name, *sizes)
    if options.large:
        large(lines)
        setup = (
            _SETUP.format(
                root=str(timing.ROOT),
                benchmarks=str(timing.ROOT / "benchmarks"),
                name="geodesic",
                n=20,
                sets=2,
                size=2,
            )
            + "from lipschitz import large"
        )
        peak = timing.peak_memory(setup, "large([])")
        lines.append(timing.at_most("the same: peak memory", 24, peak / 1e9, "GB"))
    return timing.table(
        f"Lipschitz release of {sizes[0]:,} points, {sizes[1]} sets of {sizes[2]}", lines
    )


if __name__ == "__main__":
    sys.exit(main())
