# SPDX-License-Identifier: GPL-2.0-or-later
"""Moehler (2023), On the reversibility of Voronoi geomasking: both experiments, repeated.

    python benchmarks/papers/moehler.py [--seeds 5] [--no-rounding]

The author shifts the dwellings to the origin, jitters them by U(-0.1, 0.1) m and rounds to three
decimals. Jitter, sample and coin differ from seed to seed: ours is a range over the seeds. A third
table shows what coarser coordinates do to the attack, which the paper leaves out.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import _dwellings
import numpy as np

from geoanon_qgis.core.attacks.voronoi.result import UNMOVED
from geoanon_qgis.core.attacks.voronoi.reversal import default_tolerance, reverse_voronoi
from geoanon_qgis.core.masking import voronoi

SAMPLE = 5_000


def run(masked, candidates, truth, step, rng):
    """Attack a release; return the result, who was found, and the seconds it took."""
    start = time.perf_counter()
    result = reverse_voronoi(masked, candidates, tolerance=default_tolerance(step, masked), rng=rng)
    taken = time.perf_counter() - start
    found = (result.candidate >= 0) & (candidates[result.candidate] == truth).all(axis=1)
    return result, found, taken


def rebuilt(result, candidates, truth) -> tuple[int, int]:
    """Sample points among the places that the attack holds for certain; places that are none."""
    sample = {tuple(place) for place in truth}
    places = {tuple(place) for place in candidates[result.rebuilt]}
    return sum(tuple(place) in places for place in truth), len(places - sample)


def everyone(seed: int) -> dict[str, float]:
    """Case n = N: all 90,603 dwellings are masked and all are candidates."""
    rng = np.random.default_rng(seed)
    town = _dwellings.as_published(rng)
    mask = voronoi.voronoi_mask(town)
    _, found, taken = run(mask.xy, town, town, 0.0, rng)
    single, paired = mask.kind == voronoi.SINGLETON, mask.kind == voronoi.PAIRED
    return {
        "median nearest-neighbour distance (m)": 2 * mask.median_shift,
        "median displacement (m)": mask.median_shift,
        "singletons": single.sum(),
        "singletons identified (%)": 100 * found[single].mean(),
        "pair members identified (%)": 100 * found[paired].mean(),
        "identified": found.sum(),
        "identified (%)": 100 * found.mean(),
        "seconds": taken,
    }


def some(seed: int) -> dict[str, float]:
    """Case n < N: 5,000 of the 90,603 are masked, all are candidates."""
    rng = np.random.default_rng(seed)
    town = _dwellings.as_published(rng)
    truth = town[rng.choice(len(town), SAMPLE, replace=False)]
    mask = voronoi.voronoi_mask(truth)
    result, found, taken = run(mask.xy, town, truth, 0.0, rng)
    single = mask.kind == voronoi.SINGLETON
    right, wrong = rebuilt(result, town, truth)
    return {
        "median displacement (m)": mask.median_shift,
        "singletons": single.sum(),
        "sample points rebuilt": right,
        "places rebuilt that are none": wrong,
        "singletons identified (%)": 100 * found[single].mean(),
        "identified": found.sum(),
        "identified (%)": 100 * found.mean(),
        "expected by the attack itself (%)": 100 * result.expected_correct / SAMPLE,
        "seconds": taken,
    }


PUBLISHED_EVERYONE = {
    "median nearest-neighbour distance (m)": "5.11",
    "median displacement (m)": "2.56",
    "singletons": "28,119",
    "singletons identified (%)": "100",
    "pair members identified (%)": "50.1",
    "identified": "59,379",
    "identified (%)": "65.6",
    "seconds": "negligible",
}
PUBLISHED_SOME = {
    "median displacement (m)": "15.73",
    "singletons": "1,868",
    "sample points rebuilt": "5,000",
    "identified": "3,462",
    "identified (%)": "69.2",
    "seconds": "52 (in R)",
}


def compare(title: str, published: dict[str, str], ours: list[dict[str, float]]) -> None:
    """Print published figures beside the range of ours."""
    rows = [("", "published", f"ours ({len(ours)} seeds)")]
    for name in ours[0]:
        values = [float(one[name]) for one in ours]
        rows.append((name, published.get(name, ""), _range(values)))
    print_rows(title, rows)


def _range(values: list[float]) -> str:
    low, high = min(values), max(values)
    if all(value.is_integer() for value in values) and high >= 200:
        low, high = f"{low:,.0f}", f"{high:,.0f}"
    else:
        low, high = f"{low:.2f}", f"{high:.2f}"
    return low if low == high else f"{low} to {high}"


def print_rows(title: str, rows: list[tuple[str, ...]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    print(f"\n{title}\n")
    for number, row in enumerate(rows):
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]
        print("  ".join(cells))
        if number == 0:
            print("  ".join("-" * width for width in widths))
    print(flush=True)


#: Seen before on integer metres and samples of at most 2,000: masked points with one pair (%).
_SEEN = {0.0: "88", 1.0: "47", 10.0: "0"}


def rounding(seeds: int, size: int = 2_000) -> None:
    """What coarser candidates and coarser releases leave of the attack."""
    rows = [
        (
            f"candidates, release of {size:,}",
            "one pair (%)",
            "one left by the rules (%)",
            "seen before (%)",
            "identified (%)",
            "expected (%)",
            "certain",
            "of them wrong",
            "by chance (%)",
            "verdict",
        )
    ]
    for candidates in ("jittered, 3 decimals", "integer metres"):
        for step, name in ((0.0, "exact"), (1.0, "rounded to 1 m"), (10.0, "rounded to 10 m")):
            one, left, right, expected, chance = [], [], [], [], []
            sure, wrong, verdicts = 0, 0, set()
            for seed in range(seeds):
                rng = np.random.default_rng(seed)
                published = candidates.startswith("jittered")
                town = _dwellings.as_published(rng) if published else _dwellings.integer_metres()
                truth = town[rng.choice(len(town), size, replace=False)]
                masked = voronoi.voronoi_mask(truth).xy
                if step:
                    masked = np.round(masked / step) * step
                result, found, _ = run(masked, town, truth, step, rng)
                certain = result.probability > 0.999
                one.append((result.pairs == 1).mean())
                left.append((result.kind <= UNMOVED).mean())
                right.append(found.mean())
                expected.append(result.expected_correct / size)
                sure, wrong = sure + certain.sum(), wrong + (~found[certain]).sum()
                chance.append(result.explained_by_chance)
                verdicts.add(result.verdict)
            rows.append(
                (
                    f"{candidates}, {name}",
                    f"{100 * np.mean(one):.1f}",
                    f"{100 * np.mean(left):.1f}",
                    "" if published else _SEEN[step],
                    f"{100 * np.mean(right):.1f}",
                    f"{100 * np.mean(expected):.1f}",
                    f"{sure}",
                    f"{wrong}",
                    f"{100 * np.mean(chance):.1f}",
                    "/".join(sorted(verdicts)),
                )
            )
    print_rows("What rounding does (not in the paper)", rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--no-rounding", action="store_true")
    chosen = parser.parse_args()
    if not _dwellings.available():
        return 0
    compare(
        "Case n = N: 90,603 dwellings masked, the same as candidates",
        PUBLISHED_EVERYONE,
        [everyone(seed) for seed in range(chosen.seeds)],
    )
    compare(
        f"Case n < N: {SAMPLE:,} of 90,603 dwellings masked",
        PUBLISHED_SOME,
        [some(seed) for seed in range(chosen.seeds)],
    )
    if not chosen.no_rounding:
        rounding(min(chosen.seeds, 3))
    return 0


if __name__ == "__main__":
    sys.exit(main())
