# SPDX-License-Identifier: GPL-2.0-or-later
"""Kroll (2014), A graph theoretic linkage attack on microdata in a metric space: its numbers.

    python benchmarks/papers/kroll.py [--repeats 100] [--seed 13] [--quick]

Example 2's distances, example 10's clique, table 3's quantiles, tables 4 and 5. The paper's
addresses are not to be had; ours are stated in ``_germans.py``, and the seed is the first whose
|V| is within 20 of the paper's. All 90 cells with 100 repetitions are 9,000 attacks; ``--quick``
does ten repetitions of the corners and the middle.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import _germans
import numpy as np

from geoanon_qgis.core.attacks.linkage.compatibility import distance_deviations
from geoanon_qgis.core.attacks.linkage.intervals import Intervals, true_distances
from geoanon_qgis.core.attacks.linkage.linkage import link
from geoanon_qgis.core.experiments.linkage import run
from geoanon_qgis.core.space.metrics import metric_for
from tests.core.poets import D1, D2, KNOWN, POETS

#: Example 2: London, Paris, Madrid, Berlin.
CITIES = np.array(
    [(-0.1198244, 51.51121), (2.3522219, 48.85661), (-3.7037902, 40.41678), (13.404954, 52.52001)]
)
CITY_KM = np.array(
    [
        [0, 343.6, 1264.0, 930.9],
        [343.6, 0, 1052.9, 877.5],
        [1264.0, 1052.9, 0, 1869.1],
        [930.9, 877.5, 1869.1, 0],
    ]
)

SIGMAS = tuple(float(f"{0.005 * step:.3f}") for step in range(1, 11))
ALPHAS = tuple(step / 10 for step in range(1, 10))
QUANTILES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
#: Table 3 (km, and km squared for the variance): one row for each sigma.
TABLE_3 = np.array(
    [
        [-1.1088, -0.8558, -0.4261, 0.0226, 0.4496, 0.9256, 1.2192, 0.4799],
        [-2.3909, -1.7191, -0.8750, 0.0798, 0.9733, 1.8218, 2.2642, 1.9677],
        [-3.3063, -2.4633, -1.2288, 0.0810, 1.4714, 2.7492, 3.4624, 4.3312],
        [-4.6132, -3.6261, -2.0787, -0.0615, 1.7278, 3.4013, 4.3512, 7.8732],
        [-5.6147, -4.2924, -2.2826, -0.1592, 2.2177, 4.1254, 5.3089, 11.5378],
        [-6.4952, -4.9210, -2.5024, 0.1763, 2.9190, 5.2730, 6.6511, 16.1313],
        [-8.3848, -6.2351, -3.0673, -0.0665, 3.0206, 6.0428, 7.9411, 23.6334],
        [-9.1530, -6.7866, -3.7315, -0.1884, 3.4698, 7.0085, 8.7236, 30.2768],
        [-11.0830, -8.2160, -4.1860, -0.0680, 3.6953, 7.6620, 10.2638, 39.6836],
        [-11.4906, -8.9544, -4.7386, -0.0057, 4.5955, 8.6728, 11.4998, 48.8299],
    ]
)
#: Table 4: one row for each alpha, one column for each sigma.
PRECISION = np.array(
    [
        [0.7800, 0.7215, 0.3415, 0.2752, 0.3232, 0.2193, 0.1549, 0.1571, 0.1136, 0.1584],
        [0.9717, 0.8929, 0.8769, 0.8229, 0.7569, 0.6121, 0.5657, 0.5094, 0.4780, 0.4785],
        [0.9831, 0.9513, 0.9047, 0.8502, 0.8255, 0.7728, 0.6862, 0.6567, 0.6073, 0.5975],
        [0.9829, 0.9558, 0.9037, 0.8700, 0.8358, 0.7766, 0.7411, 0.6651, 0.6428, 0.6410],
        [0.9808, 0.9458, 0.9133, 0.8721, 0.8374, 0.7834, 0.7505, 0.6832, 0.6526, 0.6274],
        [0.9830, 0.9436, 0.9102, 0.8725, 0.8315, 0.7780, 0.7430, 0.6974, 0.6604, 0.6229],
        [0.9803, 0.9405, 0.9087, 0.8675, 0.8255, 0.7707, 0.7434, 0.6948, 0.6556, 0.6086],
        [0.9795, 0.9373, 0.9008, 0.8539, 0.8027, 0.7666, 0.7248, 0.6894, 0.6484, 0.6065],
        [0.9764, 0.9304, 0.8884, 0.8351, 0.7954, 0.7513, 0.7017, 0.6605, 0.6159, 0.5876],
    ]
)
#: Table 5, laid out alike.
RECALL = np.array(
    [
        [0.0664, 0.0612, 0.0302, 0.0284, 0.0326, 0.0228, 0.0168, 0.0174, 0.0130, 0.0196],
        [0.1166, 0.1034, 0.1126, 0.1144, 0.1120, 0.0870, 0.0864, 0.0770, 0.0714, 0.0818],
        [0.1586, 0.1552, 0.1556, 0.1592, 0.1642, 0.1416, 0.1398, 0.1354, 0.1292, 0.1390],
        [0.2084, 0.2204, 0.2112, 0.2164, 0.2162, 0.1934, 0.1966, 0.1894, 0.1828, 0.2026],
        [0.2774, 0.2874, 0.2754, 0.2880, 0.2722, 0.2628, 0.2526, 0.2518, 0.2404, 0.2564],
        [0.3622, 0.3714, 0.3308, 0.3582, 0.3364, 0.3322, 0.3166, 0.3146, 0.3084, 0.3132],
        [0.4402, 0.4490, 0.4250, 0.4408, 0.4198, 0.4080, 0.3976, 0.3992, 0.3754, 0.3936],
        [0.5638, 0.5538, 0.5420, 0.5408, 0.5096, 0.5110, 0.5204, 0.5068, 0.5104, 0.4966],
        [0.7202, 0.7146, 0.6960, 0.6790, 0.6568, 0.6568, 0.6838, 0.6454, 0.6658, 0.6468],
    ]
)
#: What counts as reproduced: distance to the published cell, and in how many of the 90.
RECALL_GOAL, PRECISION_GOAL = (0.05, 80), (0.10, 70)
_QUICK = (0, 4, 8), (0, 4, 9)


def example_2() -> bool:
    """Print the distances of four capitals; return whether they are the paper's."""
    metric = metric_for("great_circle", _germans.WGS84)
    ours = np.round(true_distances(CITIES, metric) / 1000, 1)
    print("Example 2, distances in km (published, ours)")
    for name, published, own in zip(("London", "Paris", "Madrid", "Berlin"), CITY_KM, ours):
        pairs = "  ".join(f"{a:7.1f} {b:7.1f}" for a, b in zip(published, own))
        print(f"  {name:8}{pairs}")
    return bool((ours == CITY_KM).all())


def example_10() -> bool:
    """Print the poets' clique; return whether it is the paper's and proven."""
    known = D2
    result = link(
        POETS,
        D1,
        KNOWN,
        Intervals(known - 5, known + 5, False),
        rng=np.random.default_rng(0),
    )
    matches = [tuple(int(row) + 1 for row in match) for match in result.matches]
    print(
        f"\nExample 10: {result.vertices} vertices (published 11), matches {matches} (published"
        f" [(1, 1), (2, 2), (3, 3), (4, 4)]), proven: {result.proven}, unique: {result.unique}"
    )
    fits = matches == [(1, 1), (2, 2), (3, 3), (4, 4)]
    return fits and result.vertices == 11 and result.proven and result.unique == 4


def table_3(rng: np.random.Generator) -> None:
    """Print quantiles of d - d' of 1,000 pairs, and of 200,000 to see the sampling error."""
    metric, germany = metric_for("great_circle", _germans.WGS84), _germans.area()
    names = "".join(f"{q:>9}" for q in QUANTILES) + " variance"
    print(f"\nTable 3, d - d' in km: published, ours with 1,000 pairs, ours with 200,000\n{names}")
    inside = 0
    for sigma, published in zip(SIGMAS, TABLE_3):
        rows = [published]
        for pairs in (1_000, 200_000):
            deviation = distance_deviations(
                germany, metric, sigma, True, _germans.WGS84, pairs, rng
            )
            km = deviation / 1000
            rows.append(np.append(np.quantile(km, QUANTILES), np.var(km, ddof=1)))
        errors = np.append(_quantile_errors(km, 1_000), rows[2][-1] * np.sqrt(2 / 1_000))
        inside += int((np.abs(published - rows[2]) <= 3 * errors).sum())
        for label, row in zip((f"{sigma:.3f}", "", ""), rows):
            print(f"{label:6}" + "".join(f"{value:9.3f}" for value in row))
    print(
        f"{inside} of 80 published figures lie within three standard errors (1,000 pairs) of ours"
        " with 200,000"
    )


def _quantile_errors(values: np.ndarray, pairs: int) -> np.ndarray:
    """Standard errors of sample quantiles, from the spacing of the large sample's."""
    shares = np.array(QUANTILES)
    half = np.sqrt(shares * (1 - shares) / pairs)
    return (np.quantile(values, shares + half) - np.quantile(values, shares - half)) / 2


def tables_4_and_5(repeats: int, seed: int, quick: bool) -> None:
    """Run the grid; print published, ours and the difference of every cell."""
    rows, columns = _QUICK if quick else (tuple(range(9)), tuple(range(10)))
    shape = (len(rows), len(columns))
    ours = {name: np.full(shape, np.nan) for name in ("precision", "recall", "clique", "proven")}
    start = time.perf_counter()
    alphas, sigmas = [ALPHAS[row] for row in rows], [SIGMAS[column] for column in columns]
    plan = _germans.experiment(repeats, seed, alphas, sigmas)
    slowest = 0.0
    for cell in run(plan):
        at = alphas.index(cell.alpha), sigmas.index(cell.release.sigma)
        row = cell.row()
        for name, values in ours.items():
            values[at] = row[name]
        vertices, slowest = cell.vertices, max(slowest, cell.seconds / repeats)
    taken = time.perf_counter() - start
    attacks = repeats * len(rows) * len(columns)
    print(
        f"\n{attacks:,} attacks in {taken:.0f} s ({1000 * taken / attacks:.0f} ms each of the wall,"
        f" {slowest:.2f} s in the slowest cell); |V| = {vertices:,} (published"
        f" {_germans.PUBLISHED_VERTICES:,}); cliques of {np.nanmin(ours['clique']):.1f} to"
        f" {np.nanmax(ours['clique']):.1f}; proven {np.nanmean(ours['proven']):.1%}"
    )
    pick = np.ix_(rows, columns)
    for title, name, published, goal in (
        ("Table 4, precision", "precision", PRECISION, PRECISION_GOAL),
        ("Table 5, recall", "recall", RECALL, RECALL_GOAL),
    ):
        _print_table(title, alphas, sigmas, published[pick], ours[name], *goal)


def _print_table(title, alphas, sigmas, published, ours, within: float, wanted: int) -> None:
    print(f"\n{title}: published / ours / difference")
    print("alpha" + "".join(f"{sigma:8.3f}" for sigma in sigmas))
    for alpha, one, other in zip(alphas, published, ours):
        for label, row in ((f"{alpha:.1f}", one), ("", other), ("", other - one)):
            print(f"{label:5}" + "".join(f"{value:8.3f}" for value in row))
    close = int((np.abs(ours - published) <= within).sum())
    print(
        f"within {within:g} of the published value: {close} of {ours.size} cells"
        f" (goal: {wanted} of 90); mean difference {np.mean(ours - published):+.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--quick", action="store_true", help="10 repetitions of 9 cells")
    chosen = parser.parse_args()
    print("as published:", "yes" if example_2() else "NO")
    print("as published:", "yes" if example_10() else "NO")
    table_3(np.random.default_rng(chosen.seed))
    tables_4_and_5(10 if chosen.quick else chosen.repeats, chosen.seed, chosen.quick)


if __name__ == "__main__":
    main()
