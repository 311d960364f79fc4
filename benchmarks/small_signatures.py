# SPDX-License-Identifier: GPL-2.0-or-later
"""Signatures on small files: who is named and claimed, and how true that is, by how many are in both files.

    python benchmarks/small_signatures.py [--draws 12] [--first 0] [--both 2 6 12 24] [--kinds clusters ..] [--told]

24 released and 24 known people of ``_aside_kinds.py`` and ``_spread_kinds.py``; twenty sets of ten after noise on places
(up to twice the distance to the nearest neighbour), and noise on distances, in turn; without labels and with those that
a file has. The attack is told how many are in both only with ``--told``. Its claims are those of a confidence of .5 and more.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import _aside_kinds as aside_kinds
import _one_thread  # noqa: F401
import _spread_kinds as spread_kinds
import numpy as np
from confidence import Said
from near_confidence import deciles

from geoanon_qgis.core.attacks.linkage.compatibility import DistanceNoise, LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.own_releases import OwnReleases
from geoanon_qgis.core.attacks.linkage.signatures import signature_attack
from geoanon_qgis.core.distances.matrix import DistanceMatrix

_MANY, _FIRST = 24, 41_000
_KINDS = ("clusters", "even", "streets", "slopes", "spokes", "dust")


def one_draw(kind: str, both: int, number: int, told: bool) -> Said:
    """Attack one draw: what is said of guesses."""
    settled = aside_kinds.SETTLED if kind in aside_kinds.SETTLED.places else spread_kinds.SETTLED
    counts = ((_MANY, _MANY, both),)
    case = replace(settled, counts=counts, sets=((20, 10),), first=_FIRST).case(number, kind)
    files, metric = case.files, case.files.region.metric
    rng = np.random.default_rng([number, both, 17])
    near = metric.nearest_neighbours(metric.coordinates(files.secret), 1)[1]
    typical = float(np.median(near[near > 0]))
    noise = typical * float(rng.uniform(0.0, 2.0))
    rule = (
        LipschitzEmbedding(20, 10, files.region.area, 0.9, 300, noise)
        if number % 2
        else DistanceNoise("gaussian", noise + 1e-3 * typical, 0.9)
    )
    square = OwnReleases(rule, files.secret, metric).square(files.secret, rng)
    matrix = DistanceMatrix.numbered(square[np.triu_indices(_MANY, 1)], metric.unit)
    labels = (files.target, files.known) if number // 2 % 2 else ([()] * _MANY, [()] * _MANY)
    given = Files(labels[0], matrix, labels[1], files.points, metric, rule)
    found = signature_attack(given, common=both if told else None, rng=rng)
    if found.guesses is None:
        return Said(f"{both} in both", np.zeros(0, bool), np.zeros((0, 0)), np.zeros(0))
    right = files.right(found.guesses)
    return Said(f"{both} in both", right, np.zeros((len(right), 0)), found.chance)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=12)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--both", type=int, nargs="+", default=(2, 6, 12, 24))
    parser.add_argument("--kinds", nargs="+", default=_KINDS)
    parser.add_argument("--told", action="store_true")
    options = parser.parse_args()
    start, every = time.process_time(), []
    print(
        f"{'in both':>8}{'draws':>6}{'named right':>12}{'expected':>9}{'claimed':>8}{'expected':>9}{'right':>6}"
    )
    for both in options.both:
        numbers = range(options.first, options.first + options.draws)
        runs = [
            one_draw(kind, both, number, options.told)
            for kind in options.kinds
            for number in numbers
        ]
        chance, right = (
            np.concatenate([getattr(one, name) for one in runs]) for name in ("chance", "right")
        )
        sure = chance >= 0.5
        print(
            f"{both:8}{len(runs):6}{right.sum():12}{chance.sum():9.1f}"
            f"{sure.sum():8}{chance[sure].sum():9.1f}{right[sure].sum():6}",
            flush=True,
        )
        every += runs
    deciles("What signatures say of small files", every)
    print(f"\n{(time.process_time() - start) / len(every):.1f} s of CPU a draw")


if __name__ == "__main__":
    main()
