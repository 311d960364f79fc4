# SPDX-License-Identifier: GPL-2.0-or-later
"""The reversal of Voronoi masking in the engine: seconds, and against the published steps.

python benchmarks/voronoi_reversal.py [--rounds 5]
"""

from __future__ import annotations

import argparse
import statistics
import sys

import _dwellings
import _published_attack
import _timing as timing
import numpy as np

from geoanon_qgis.core.attacks.voronoi.reversal import default_tolerance, reverse_voronoi
from geoanon_qgis.core.masking.voronoi import voronoi_mask
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.space.points import coordinate_resolution

#: Two distances count as equal up to this (m), in the published test.
_EQUAL = 1e-6


def attack(masked: np.ndarray, candidates: np.ndarray):
    """The engine's attack, with all that a user waits for."""
    tolerance = default_tolerance(coordinate_resolution(masked), masked)
    return reverse_voronoi(
        masked,
        candidates,
        tolerance=tolerance,
        rng=np.random.default_rng(1),
        progress=lambda fraction: None,
    )


def published(masked: np.ndarray, candidates: np.ndarray):
    """The peer."""
    return _published_attack.attack(masked, candidates, _EQUAL, np.random.default_rng(1))


def against_the_published(lines, what, masked, candidates, rounds, budget=None) -> None:
    """Time both on one release."""
    jobs = {
        "engine": lambda: attack(masked, candidates),
        "peer": lambda: published(masked, candidates),
    }
    times = timing.take_turns(jobs, rounds)
    engine, peer = statistics.median(times["engine"]), statistics.median(times["peer"])
    if budget:
        lines.append(timing.at_most(f"{what}: engine", budget, engine, "s"))
    else:
        lines.append(timing.note(f"{what}: engine", f"{engine:.3g} s"))
    ratio = timing.median_ratio(times["peer"], times["engine"])
    lines.append(timing.note(f"{what}: published steps", f"{peer:.3g} s, {ratio:.3g} x"))


def without_numba(lines, what, masked, candidates) -> None:
    """Time the same attack compiled and not, and see that it says the same."""
    if not accel.available():
        lines.append(timing.note(f"{what}: numba", "not installed"))
        return
    results, taken = {}, {}
    was = accel.enabled()
    try:
        for name, on in (("with", True), ("without", False)):
            accel.set_enabled(on)
            attack(masked[:50], candidates)  # compile
            taken[name] = timing.seconds(
                lambda name=name: results.update({name: attack(masked, candidates)})
            )
    finally:
        accel.set_enabled(was)
    one, other = results.values()
    same = np.array_equal(one.candidate, other.candidate) and np.array_equal(
        one.probability, other.probability
    )
    told = f"{taken['with']:.3g} s with, {taken['without']:.3g} s without"
    lines.append(timing.Line(f"{what}: numba", "same result", told, same))


def synthetic(count: int, rng: np.random.Generator) -> np.ndarray:
    """Distinct places of uneven density, to the millimetre."""
    towns = rng.uniform(0, 20_000 * np.sqrt(count / 1e5), (count // 2_000 + 1, 2))
    xy = towns[rng.integers(0, len(towns), count)] + rng.normal(0, 400, (count, 2))
    return np.unique(np.round(xy, 3), axis=0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    rng = np.random.default_rng(1)
    lines = []
    if _dwellings.available():
        town = _dwellings.as_published(rng)
        sample = rng.choice(len(town), 5000, replace=False)
        masked = voronoi_mask(town[sample]).xy
        against_the_published(lines, "5,000 of 90,603 dwellings", masked, town, rounds, 0.5)
        against_the_published(
            lines, "90,603 of 90,603 dwellings", voronoi_mask(town).xy, town, min(rounds, 3)
        )
        without_numba(lines, "5,000 of 90,603, exact", masked, town)
        without_numba(lines, "5,000 of 90,603, rounded to 1 m", np.round(masked), town)
        without_numba(
            lines,
            "2,000 of 90,603, rounded to 10 m",
            np.round(voronoi_mask(town[sample[:2000]]).xy, -1),
            town,
        )
    for count in (100_000, 300_000, 1_000_000):
        places = synthetic(count, rng)
        chosen = rng.choice(len(places), 5000, replace=False)
        masked = voronoi_mask(places[chosen]).xy
        attack(masked[:50], places)
        taken = statistics.median(
            timing.seconds(lambda m=masked, p=places: attack(m, p)) for _ in range(min(rounds, 3))
        )
        lines.append(timing.note(f"5,000 of {count:,} synthetic places", f"{taken:.3g} s"))
        if count == 1_000_000:
            half = voronoi_mask(places[rng.random(len(places)) < 0.5]).xy
            taken = timing.seconds(lambda m=half, p=places: attack(m, p))
            lines.append(timing.note("half of them", f"{taken:.3g} s"))
            taken = timing.seconds(lambda p=places: attack(voronoi_mask(p).xy, p))
            lines.append(timing.note("all of them, mask and attack", f"{taken:.3g} s"))
    return timing.table("Reversal of Voronoi masking, engine (published R script: 52 s)", lines)


if __name__ == "__main__":
    sys.exit(main())
