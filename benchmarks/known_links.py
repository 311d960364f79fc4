# SPDX-License-Identifier: GPL-2.0-or-later
"""What known links and further releases add to the attacks on released distances.

    python benchmarks/known_links.py [--draws 5] [--size 30] [--sets 20] [--clique]

German-like people, 500 released and 500 known, 50 of them in both, drawn anew with release and
attack in every draw. Counted are those of the 50 who were not given. ``--clique`` runs the
published attack beside the near group (ten seconds of search each).
"""

from __future__ import annotations

import argparse

import _near_files as near_files  # also puts the checkout on the path
import _one_thread  # noqa: F401
import numpy as np

from geoanon_qgis.core.attacks.by_name import CLIQUE, NEAR_GROUP, Search, attack_by
from geoanon_qgis.core.attacks.linkage.compatibility import LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.distances.matrix import DistanceMatrix

#: First seed; known links; releases.
FRESH, LINKS, RELEASES = 7_000, (0, 5, 10, 20), (1, 2, 4)


def found_by(name: str, sets: int, size: int, links: int, releases: int, seed: int):
    """Right matches, claimed ones, and people to be found."""
    data = near_files.draw("germans", seed)
    where, rng = data.region, np.random.default_rng(seed + 1)
    rule = LipschitzEmbedding(sets, size, where.area, 0.9, 300)
    upper = np.triu_indices(len(data.secret), 1)
    matrices = [
        DistanceMatrix.numbered(simulate(rule, data.secret, where.metric, rng)[upper])
        for _ in range(releases)
    ]
    both = np.flatnonzero(data.truth >= 0)
    given = np.random.default_rng(seed + 2).permutation(both)[:links]
    files = Files(
        data.target,
        matrices,
        data.known,
        data.points,
        where.metric,
        rule,
        known_links=[(int(row), int(data.truth[row])) for row in given],
    )
    result = attack_by(name, files, Search(10.0 if name == CLIQUE else None), rng)
    return int(data.right(result.matches).sum()), result.clique, len(both) - links


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--sets", type=int, default=20)
    parser.add_argument("--size", type=int, default=30)
    parser.add_argument("--clique", action="store_true")
    chosen = parser.parse_args()
    names = (NEAR_GROUP, CLIQUE) if chosen.clique else (NEAR_GROUP,)
    print(f"{chosen.sets} x {chosen.size}, {chosen.draws} draws: right / claimed of to be found")
    for releases in RELEASES:
        for links in LINKS:
            for name in names:
                runs = [
                    found_by(name, chosen.sets, chosen.size, links, releases, FRESH + 10 * k)
                    for k in range(chosen.draws)
                ]
                right, claimed, there = np.sum(runs, axis=0)
                each = " ".join(str(one[0]) for one in runs)
                print(
                    f"{releases} releases, {links:2d} links, {name}:"
                    f" {right} / {claimed} of {there} ({each})",
                    flush=True,
                )


if __name__ == "__main__":
    main()
