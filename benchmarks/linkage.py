# SPDX-License-Identifier: GPL-2.0-or-later
"""The linkage attack: seconds of its parts, against what was promised.

    python benchmarks/linkage.py [--repeats 5]

Files are those of the papers' simulation (500 + 500 addresses, 50 in common). One repetition is
release, product graph, search and score; intervals are the adversary's simulation, made once for
all repetitions. Peak memory is that of a fresh process over its start.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import _germans  # also puts the checkout on the path
import _timing as timing
import numpy as np

from geoanon_qgis.core.attacks.linkage.compatibility import lipschitz_intervals
from geoanon_qgis.core.attacks.linkage.linkage import link
from geoanon_qgis.core.distances.lipschitz import reference_sets
from geoanon_qgis.core.experiments.design import draw_files
from geoanon_qgis.core.experiments.linkage import run
from geoanon_qgis.core.experiments.releases import Setting
from geoanon_qgis.core.runtime.workers import Backend
from geoanon_qgis.core.space.metrics import metric_for

SEED = 13
ALPHAS = (0.1, 0.5, 0.9)
#: Seconds promised for the intervals of 124,750 pairs from 1,000 embeddings, by d.
INTERVALS_GOAL = {20: 10.0, 500: 25.0}
MEMORY_GOAL = 1_500_000_000
REPETITION_GOAL = 0.1
#: Share of two processors' time that 9,000 attacks have in eight minutes.
GRID_GOAL = 2 * 8 * 60 / 9_000
SIZE = 10

_SETUP = """
sys.path.insert(0, "benchmarks")
import _germans, numpy as np
from geoanon_qgis.core.attacks.linkage.compatibility import lipschitz_intervals
from geoanon_qgis.core.space.metrics import metric_for
rng, area = np.random.default_rng(1), _germans.area()
points, metric = _germans.addresses(500, rng), metric_for("great_circle", _germans.WGS84)
def intervals(n, d, replicates):
    return lipschitz_intervals(
        points[:n], area, metric, d, 10, (0.1, 0.5, 0.9), replicates, rng=rng)
intervals(20, 5, 10)
"""


def verdict(what: str, value: float, goal: float, unit: str) -> None:
    """Print one line of the table."""
    fine = "ok" if value <= goal else "MISSED"
    print(f"{what:64}{value:9.3f} {unit:3} (at most {goal:.3g}) {fine}", flush=True)


def intervals() -> None:
    """Time the intervals of all pairs, three shares at once, and measure their memory."""
    rng, area = np.random.default_rng(SEED), _germans.area()
    metric = metric_for("great_circle", _germans.WGS84)
    points = _germans.addresses(500, rng)
    lipschitz_intervals(points[:20], area, metric, 5, SIZE, ALPHAS, 10, rng=rng)
    for d, goal in INTERVALS_GOAL.items():
        start = time.perf_counter()
        found = lipschitz_intervals(points, area, metric, d, SIZE, ALPHAS, rng=rng)
        taken = time.perf_counter() - start
        verdict(
            f"intervals of 124,750 pairs, 1,000 embeddings, d = {d}, k = {SIZE}", taken, goal, "s"
        )
        held = ", ".join(f"{one.coverage:.3f}" for one in found)
        print(f"    they hold {held} of fresh embeddings' distances (nominal .1, .5, .9)")
        if d == max(INTERVALS_GOAL):
            start = time.perf_counter()
            reference_sets(area, 1_000 * d, SIZE, rng)
            print(f"    of that, drawing the reference sets: {time.perf_counter() - start:.1f} s")
    peak = timing.peak_memory(_SETUP, f"intervals(500, {max(INTERVALS_GOAL)}, 1000)")
    verdict("memory of the same, d = 500", peak / 1e9, MEMORY_GOAL / 1e9, "GB")


def one_attack(sigma: float, alpha: float) -> Callable[[], None]:
    """Return a release of noisy coordinates with an attack on it, everything else prepared."""
    experiment = _germans.experiment(1, SEED, [alpha], [sigma])
    files = draw_files(experiment)
    setting = Setting(
        metric_for("great_circle", _germans.WGS84), experiment.area, _germans.WGS84, 1_000, 1
    )
    known = experiment.points[files.identification]
    labels = [
        [experiment.labels[row] for row in rows] for rows in (files.target, files.identification)
    ]
    release, rng = experiment.releases[0], np.random.default_rng(SEED)
    (rule,) = release.intervals(known, (alpha,), setting, rng)

    def once() -> None:
        released = release.release(experiment.points[files.target], setting, rng)
        link(labels[0], released, labels[1], rule, random_tie=True, rng=rng)

    return once


def repetition(repeats: int) -> None:
    """Time single attacks, one after the other."""
    for sigma, alpha in ((0.005, 0.9), (0.02, 0.5), (0.05, 0.1), (0.05, 0.5)):
        once = one_attack(sigma, alpha)
        once()
        times = [timing.seconds(once) for _ in range(repeats)]
        verdict(
            f"one attack, sigma = {sigma} degrees, alpha = {alpha} (median of {repeats})",
            statistics.median(times),
            REPETITION_GOAL,
            "s",
        )


def grid(repeats: int) -> None:
    """Extrapolate the papers' whole grid from every second sigma and alpha."""
    alphas, sigmas = (0.1, 0.3, 0.5, 0.7, 0.9), (0.01, 0.02, 0.03, 0.04, 0.05)
    experiment = _germans.experiment(repeats, SEED, alphas, sigmas)
    list(run(_germans.experiment(1, SEED, [0.5], [0.05]), backend=Backend(workers=1)))
    attacks = repeats * len(experiment.cells)
    wall, cpu = time.perf_counter(), time.process_time()
    list(run(experiment))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    verdict(
        f"processor time of an attack, mean of {attacks} over the grid",
        cpu / attacks,
        GRID_GOAL,
        "s",
    )
    print(
        f"    9,000 attacks would take {9_000 * wall / attacks / 60:.1f} minutes at this rate, and"
        f" {9_000 * cpu / attacks / 60 / 2:.1f} on two processors that do nothing else"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    chosen = parser.parse_args()
    intervals()
    repetition(chosen.repeats)
    grid(chosen.repeats)


if __name__ == "__main__":
    main()
