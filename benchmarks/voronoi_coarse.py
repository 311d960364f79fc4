# SPDX-License-Identifier: GPL-2.0-or-later
"""Voronoi masks on coarse coordinates: is the attack right as often as it says, and how long it takes.

python benchmarks/voronoi_coarse.py [--draws 3] [--only 1]

Records are drawn from a list, masked, rounded and attacked; what was claimed stands beside what was
right, by tenths of the probability, for records alone at their location and for the others. The
dwellings are a town, Canada's dissemination areas a country with empty stretches.
"""

from __future__ import annotations

import argparse
import sys
import time

import _canada
import _dwellings
import _timing as timing
import numpy as np

from geoanon_qgis.core.attacks.voronoi.rehearsal import shares_location
from geoanon_qgis.core.attacks.voronoi.reversal import default_tolerance, reverse_voronoi
from geoanon_qgis.core.masking.voronoi import voronoi_mask

#: What is tried: the list, records of a release, step of its coordinates in metres.
CASES = (
    ("dwellings", 150, 100.0),
    ("dwellings", 1_000, 100.0),
    ("dwellings", 5_000, 100.0),
    ("dwellings", 5_000, 1_000.0),
    ("Canada", 150, 1_000.0),
    ("Canada", 2_000, 100.0),
    ("Canada", 2_000, 1_000.0),
    ("Canada", 10_000, 1_000.0),
)
#: Standard errors, and a share beside them, by which a tenth may be off.
_ERRORS, _ROOM = 3.0, 0.02
#: Claims that a tenth must have to be judged.
_FEWEST = 30


def attack(known: np.ndarray, records: int, step: float, seed: int):
    """Release and attack; return claims, hits, who is alone, and the seconds."""
    rng = np.random.default_rng(seed)
    rows = rng.choice(len(known), records, replace=False)

    def stored(xy: np.ndarray) -> np.ndarray:
        return np.round(xy / step) * step

    masked = stored(voronoi_mask(known[rows]).xy)
    start = time.process_time()
    found = reverse_voronoi(
        masked,
        known,
        tolerance=default_tolerance(step, masked),
        half=step / 2,
        stored=stored,
        rng=rng,
    )
    taken = time.process_time() - start
    right = (found.candidate >= 0) & (known[found.candidate] == known[rows]).all(axis=1)
    return found.probability, right, ~shares_location(masked), taken


def tenths(claimed: np.ndarray, right: np.ndarray):
    """Rows of (number, claimed, right), by tenths of the claim."""
    tenth = np.minimum((10 * claimed).astype(int), 9)
    for one in np.unique(tenth):
        some = tenth == one
        yield int(some.sum()), float(claimed[some].mean()), float(right[some].mean())


def case(lines, name: str, known: np.ndarray, records: int, step: float, draws: int) -> None:
    """Print what was claimed and what was right."""
    drawn = [attack(known, records, step, seed) for seed in range(draws)]
    claimed, right, lone = (np.concatenate([one[at] for one in drawn]) for at in range(3))
    taken = float(np.median([one[3] for one in drawn]))
    what = f"{name}, {records:,} records at {step:,.0f} m"
    lines.append(
        timing.note(what, f"{taken:.3g} s of CPU; {claimed.sum():.1f} claimed, {right.sum()} right")
    )
    for told, rows in (("alone", lone), ("with others", ~lone)):
        for count, said, was in tenths(claimed[rows], right[rows]):
            # The two of a pair win and lose together.
            error = np.sqrt(2 * max(said * (1 - said), 1 / count) / count)
            seen = f"{count:,}: {said:.3f} claimed, {was:.3f} right"
            if count < _FEWEST:
                lines.append(timing.note(f"  {told}", seen))
            else:
                close = abs(said - was) <= _ERRORS * error + _ROOM
                lines.append(timing.Line(f"  {told}", "alike", seen, close))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--only", type=int, help="number of the case, from 1")
    given = parser.parse_args()
    draws = given.draws
    known = {}
    if _dwellings.available():
        known["dwellings"] = _dwellings.as_published(np.random.default_rng(1))
    if _canada.available():
        known["Canada"] = np.unique(_canada.load(tuple(_canada.PROVINCES), ["age"]).xy, axis=0)
    lines = []
    for name, records, step in CASES[given.only - 1 : given.only] if given.only else CASES:
        if name in known:
            case(lines, name, known[name], records, step, draws)
    return timing.table("Voronoi masks on coarse coordinates", lines)


if __name__ == "__main__":
    sys.exit(main())
