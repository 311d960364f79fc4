# SPDX-License-Identifier: GPL-2.0-or-later
"""Embeddings with few sets: whom signatures name with their hidden coordinates, and without.

    python benchmarks/few_sets.py [--draws 6] [--first 0] [--people 60] [--both 1.0 0.5] [--sets 1 3 5 10]
        [--kinds clusters ..]

Files of ``_aside_kinds.py`` and ``_spread_kinds.py`` with their labels; sets of thirty after noise on places of twice the
distance to the nearest neighbour. The attack is told how many are in both. Its claims are those of a confidence
of .5 and more; the same files and releases are attacked in both ways.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import _aside_kinds as aside_kinds
import _one_thread  # noqa: F401
import _spread_kinds as spread_kinds
import numpy as np

from geoanon_qgis.core.attacks.linkage import signatures
from geoanon_qgis.core.attacks.linkage.compatibility import LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.own_releases import OwnReleases
from geoanon_qgis.core.distances.matrix import DistanceMatrix

_SIZE, _NOISE, _FIRST = 30, 2.0, 52_000
_KINDS = ("clusters", "even", "streets", "slopes", "spokes", "dust")


def made(kind: str, number: int, people: int, both: int, sets: int):
    """Draw people and a release of some of them; return it, and what tells who is right."""
    settled = aside_kinds.SETTLED if kind in aside_kinds.SETTLED.places else spread_kinds.SETTLED
    counts = ((people, people, both),)
    case = replace(settled, counts=counts, sets=((sets, _SIZE),), first=_FIRST).case(number, kind)
    files, metric = case.files, case.files.region.metric
    near = metric.nearest_neighbours(metric.coordinates(files.secret), 1)[1]
    noise = _NOISE * float(np.median(near[near > 0]))
    rule = LipschitzEmbedding(sets, _SIZE, files.region.area, 0.9, 300, noise)
    rng = np.random.default_rng([number, both, sets])
    square = OwnReleases(rule, files.secret, metric).square(files.secret, rng)
    matrix = DistanceMatrix.numbered(square[np.triu_indices(people, 1)], metric.unit)
    return files, Files(files.target, matrix, files.known, files.points, metric, rule)


def attacked(files, given: Files, both: int, number: int, by_fields: bool) -> list[float]:
    """Share of the people who are named; claims, those that are right, their confidence; CPU."""
    tells, signatures.tells_by_fields = (
        signatures.tells_by_fields,
        signatures.tells_by_fields if by_fields else lambda own, records: False,
    )
    began = time.process_time()
    try:
        found = signatures.signature_attack(
            given, common=both, rng=np.random.default_rng([number, 3])
        )
    finally:
        signatures.tells_by_fields = tells
    took = time.process_time() - began
    if found.guesses is None:
        return [0.0, 0.0, 0.0, 0.0, took]
    right, claimed = files.right(found.guesses), found.chance >= 0.5
    said = float(found.chance[claimed].sum())
    return [right.sum() / both, claimed.sum(), right[claimed].sum(), said, took]


def main() -> None:
    """Draw, attack in both ways and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=6)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--both", type=float, nargs="+", default=[1.0, 0.5])
    parser.add_argument("--sets", type=int, nargs="+", default=[1, 3, 5, 10])
    parser.add_argument("--kinds", nargs="+", default=_KINDS)
    given = parser.parse_args()
    for share in given.both:
        for sets in given.sets:
            both = round(share * given.people)
            drawn = [
                made(kind, given.first + draw, given.people, both, sets)
                for kind in given.kinds
                for draw in range(given.draws)
            ]
            for by_fields in (False, True):
                every = np.array(
                    [attacked(*one, both, at, by_fields) for at, one in enumerate(drawn)]
                )
                named, most = every[:, 0].mean(), every[:, 0].max()
                claims, right, said = every[:, 1:4].sum(axis=0)
                print(
                    f"{both} of {given.people} in both, {sets} sets"
                    f" {'with   ' if by_fields else 'without'} coordinates: named {named:.2f}"
                    f" (at most {most:.2f}); {claims:.0f} claimed, {said:.0f} expected,"
                    f" {right:.0f} right; {every[:, 4].mean():.1f} s of CPU",
                    flush=True,
                )


if __name__ == "__main__":
    main()
