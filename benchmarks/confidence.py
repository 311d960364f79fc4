# SPDX-License-Identifier: GPL-2.0-or-later
"""Is as much right as attacks say? By decile and by kind, on kinds that were kept aside.

    python benchmarks/confidence.py [likelihood|near_group] [--kinds clusters even streets] [--draws 12]
        [--first 0]

``likelihood`` is run under noise on places and on distances, in turn, ``near_group`` on embeddings. Kinds are
those of ``_aside_kinds.py``; ``rivers flats …`` are those of ``_unseen_kinds.py``, on which the cause of wrong
confidences was looked for in 2026; ``valleys estates islands camps`` those of ``_fresh_kinds.py``, first drawn
when likelihood under noise had been mended; ``hamlets suburbs canals`` those of ``_household_kinds.py``,
first drawn when the near group on embeddings had been mended; ``lakes stations`` those of ``_shore_kinds.py``, first
drawn when it asked how exactly distances fit; ``slopes spokes rings blocks moor dust fading ferries`` those of
``_spread_kinds.py`` and ``fjords campus parishes corridor`` those of ``_coming_kinds.py``, first drawn when strangers
had a curve of their own. ``--draws`` of each kind. All candidates count that an attack
would choose with no least confidence, so that what it does not claim is judged, too.
"""

from __future__ import annotations

import argparse
import time

import _kinds_by_name as kinds_by_name
import _near_kinds as near_kinds
import _noisy_kinds as noisy_kinds
import _one_thread  # noqa: F401
import numpy as np
from near_confidence import Claims, by_kind, deciles
from near_group import attacked

from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.attacks.maps.likelihood import likelihood_attack
from geoanon_qgis.core.distances.matrix import DistanceMatrix


def by_likelihood(case: near_kinds.Case, number: int) -> Claims:
    """Attack a release by noise."""
    rng = np.random.default_rng([number, 92])
    rule = noisy_kinds.rule_of(noisy_kinds.EVEN[number % 2], case, rng)
    data, metric = case.files, case.files.region.metric
    square = simulate(rule, data.secret, metric, rng)
    matrix = DistanceMatrix.numbered(square[np.triu_indices(len(square), 1)])
    files = Files(data.target, matrix, data.known, data.points, metric, rule)
    found = likelihood_attack(files, threshold=0.0, rng=rng)
    return _said(case.kind, data.right(found.matches), found.support)


def by_near_group(case: near_kinds.Case, number: int) -> Claims:
    """Attack an embedding."""
    one = attacked(case.files, case.rule, number + 1)
    return _said(case.kind, one.guessed, one.chance)


def _said(kind: str, right: np.ndarray, chance: np.ndarray) -> Claims:
    """Claims whose confidence is just what was said."""
    return Said(kind, right, np.zeros((len(right), 0)), chance)


class Said(Claims):
    """Claims of an attack that need no curve."""

    @property
    def chance(self) -> np.ndarray:
        return self.divided


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("attack", choices=("likelihood", "near_group"))
    parser.add_argument("--kinds", nargs="+", default=kinds_by_name.KINDS)
    parser.add_argument("--draws", type=int, default=12)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    by = {"likelihood": by_likelihood, "near_group": by_near_group}[options.attack]
    start = time.process_time()
    runs = [
        by(kinds_by_name.case_of(kind, number), number)
        for kind in options.kinds
        for number in range(options.first, options.first + options.draws)
    ]
    deciles(f"What {options.attack} says", runs)
    by_kind(runs)
    print(f"\n{(time.process_time() - start) / len(runs):.1f} s of CPU a draw")


if __name__ == "__main__":
    main()
