# SPDX-License-Identifier: GPL-2.0-or-later
"""The likelihood attack beside the published clique attack, on the same releases.

    python benchmarks/likelihood_attack.py [--repeats 3] [--workers N] [--all] [begin of a name ..]

Clustered files take some ten minutes on two cores, all an hour; ``"germans lipschitz d=20 k=10"``
a minute. The last table says where the likelihood attack found more than the best of the cliques.
Both are run as the toolbox runs them, likelihood with the near group as its start.

500 + 500 people with 50 in common, sex and eleven age groups (Kroll & Schnell 2016, second
scenario), clustered and uniform; and 400 + 400 places with 40 in common and 20 labels, for the
hospitals of their first (clustered addresses stand in for the hospitals, whose list is not ours).
The clique attack runs with every alpha of the papers and with more work than it needs to stop
getting better, so that its result does not hang on the machine. Every repetition draws people, release and search anew.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
import warnings
from concurrent.futures import ProcessPoolExecutor

import _germans
import _one_thread  # noqa: F401  every process has a core of its own
import numpy as np

from geoanon_qgis.core.attacks.linkage.compatibility import (
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
    lipschitz_intervals,
)
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.linkage import link
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.attacks.linkage.truth import score
from geoanon_qgis.core.attacks.maps.likelihood import likelihood_attack
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.space.metrics import metric_for

METRIC = metric_for("great_circle", _germans.WGS84)
ALPHAS = (0.1, 0.5, 0.9)
THRESHOLDS = (0.25, 0.5, 0.8)
REPLICATES = 300
CLIQUE_WORK = 500_000_000


def files(kind: str, rng: np.random.Generator):
    """Points and labels of both files, and the row of each target record in the other."""
    count, overlap = (400, 40) if kind == "hospitals" else (500, 50)
    total = 2 * count - overlap
    points = (
        _germans.area().sample(total, rng) if kind == "uniform" else _germans.addresses(total, rng)
    )
    labels = (
        rng.integers(0, 20, total).tolist() if kind == "hospitals" else _germans.people(total, rng)
    )
    target = rng.permutation(count)
    known = rng.permutation(np.arange(count - overlap, total))
    row = np.full(total, -1)
    row[known] = np.arange(count)
    return (
        points[target],
        [labels[k] for k in target],
        points[known],
        [labels[k] for k in known],
        row[target],
    )


def intervals_of(rule, points, rng):
    """Intervals of the clique attack for every alpha."""
    if isinstance(rule, LipschitzEmbedding):
        return lipschitz_intervals(
            points, rule.area, METRIC, rule.sets, rule.size, ALPHAS, REPLICATES, rng=rng
        )
    found = []
    for alpha in ALPHAS:
        if isinstance(rule, CoordinateNoise):
            one = CoordinateNoise(rule.sigma, rule.in_degrees, alpha, rule.area, rule.wkt)
        else:
            one = DistanceNoise(rule.distribution, rule.scale, alpha)
        found.append(one.intervals(points, METRIC, rng=rng))
    return found


def repetition(kind: str, rule, seed: int) -> dict[str, tuple[float, float, float, float]]:
    """Claimed, right, confidence summed, and seconds of CPU, by attack."""
    warnings.simplefilter("ignore", UserWarning)
    rng = np.random.default_rng(seed)
    secret, labels, points, known, truth = files(kind, rng)
    released = simulate(rule, secret, METRIC, rng)
    out = {}
    for alpha, intervals in zip(ALPHAS, intervals_of(rule, points, rng)):
        start = time.process_time()
        result = link(
            labels, released, known, intervals, max_work=CLIQUE_WORK, random_tie=True, rng=rng
        )
        right = score(result, truth).true_positives
        out[f"clique {alpha:g}"] = (len(result.matches), right, np.nan, time.process_time() - start)
    matrix = DistanceMatrix.numbered(released[np.triu_indices(len(secret), 1)])
    start = time.process_time()
    given = Files(labels, matrix, known, points, METRIC, rule)
    result = likelihood_attack(given, threshold=0.0, rng=rng)
    seconds = time.process_time() - start
    hit = truth[result.matches[:, 0]] == result.matches[:, 1]
    for threshold in THRESHOLDS:
        kept = result.support >= threshold
        out[f"likelihood {threshold:g}"] = (
            int(kept.sum()),
            int(hit[kept].sum()),
            float(result.support[kept].sum()),
            seconds,
        )
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--all", action="store_true", help="uniform points and hospitals, too")
    parser.add_argument("wanted", nargs="*", help="begins of lines' names")
    options = parser.parse_args()
    area = _germans.area()
    rules: dict[str, object] = {
        f"lipschitz d={d} k={k}": LipschitzEmbedding(d, k, area, 0.5)
        for d, k in ((20, 5), (20, 10), (20, 15), (20, 20), (20, 30), (100, 30))
    }
    rules["coordinates .02 degrees"] = CoordinateNoise(0.02, True, 0.5, area, _germans.WGS84)
    rules["coordinates .05 degrees"] = CoordinateNoise(0.05, True, 0.5, area, _germans.WGS84)
    rules["distances sd 5 km"] = DistanceNoise("gaussian", 5000.0, 0.5)
    kinds = ("germans", "uniform", "hospitals")
    if not (options.all or options.wanted):
        kinds = kinds[:1]
    print(f"{options.repeats} repetitions; mean and its standard error\n")
    print(
        f"{'files':10}{'release':25}{'attack':17}{'claimed':>8}{'right':>7}"
        f"{'expected':>10}{'precision':>15}{'recall':>15}{'CPU s':>9}"
    )
    summary = []
    # Not forked: the thread that projects would be missing.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.workers, context) as pool:
        for kind in kinds:
            overlap = 40 if kind == "hospitals" else 50
            for name, rule in rules.items():
                if not any(f"{kind} {name}".startswith(one) for one in options.wanted or [""]):
                    continue
                seeds = range(1000, 1000 + options.repeats)
                runs = list(pool.map(repetition, [kind] * len(seeds), [rule] * len(seeds), seeds))
                for attack in runs[0]:
                    report(kind, name, attack, np.array([run[attack] for run in runs]), overlap)
                summary.append((kind, name, *sides(runs)))
    print(f"\n{'files':10}{'release':25}{'best clique':>24}{'likelihood 0.5':>20}  right / claimed")
    for kind, name, clique, ours in summary:
        alpha, right, claimed = clique
        print(
            f"{kind:10}{name:25}{f'{right:.1f} / {claimed:.1f} ({alpha})':>24}"
            f"{f'{ours[0]:.1f} / {ours[1]:.1f}':>20}"
            f"  {'more' if ours[0] > right else 'NOT MORE'}"
        )


def sides(runs) -> tuple[tuple[str, float, float], tuple[float, float]]:
    """Right and claimed matches, on average: of the clique with most right ones, and of ours."""
    means = {attack: np.mean([run[attack][:2] for run in runs], axis=0) for attack in runs[0]}
    best = max((one for one in means if one.startswith("clique")), key=lambda one: means[one][1])
    return (best, means[best][1], means[best][0]), tuple(means["likelihood 0.5"][::-1])


def report(kind: str, name: str, attack: str, runs: np.ndarray, overlap: int) -> None:
    """Print one line; precision is the mean over the repetitions that claimed something."""
    claimed, right, expected, seconds = runs.T
    some = claimed > 0
    print(
        f"{kind:10}{name:25}{attack:17}{claimed.mean():8.1f}{right.mean():7.1f}"
        f"{expected.mean():10.1f}{mean(right[some] / claimed[some]):>15}"
        f"{mean(right / overlap):>15}{seconds.mean():9.1f}",
        flush=True,
    )


def mean(values: np.ndarray) -> str:
    """Mean and standard error."""
    if not len(values):
        return "none claimed"
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return f"{values.mean():.3f} +- {error:.3f}"


if __name__ == "__main__":
    main()
