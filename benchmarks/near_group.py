# SPDX-License-Identifier: GPL-2.0-or-later
"""The near group attack on released distances: who is found, and whether it knows.

    python benchmarks/near_group.py [--draws 5] [--null 100] [--deciles 1000] [--first 0]
        [--kinds germans] [--others] [--only goals|data|published|noise|null|deciles]

People, release and attack are drawn anew in every draw. The attack was tuned on German-like files
with seeds below 1,000; everything here has other seeds, and ``data`` and ``deciles`` other data, to
which only the confidence was fitted, with other seeds.
``--others`` runs the published clique and the likelihood attack on the same releases (a minute a
draw). ``noise`` moves places before they are embedded, once with the attack told of it and once not.
``deciles`` (a quarter of an hour: of a hundred draws chance alone puts a tenth off by .05) are of the data kept aside, or of ``--kinds``, and, by way of release, of kinds of files that no curve was
fitted to (``_unseen_kinds.py``). The confidence is fitted, and held against kinds that it was not fitted to, by
``near_confidence.py``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import _by_decile as by_decile
import _near_files as near_files  # also puts the checkout on the path
import _one_thread  # noqa: F401
import _timing as timing
import numpy as np
from scipy.stats import beta

from geoanon_qgis.core.attacks.linkage.compatibility import LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.linkage import attack
from geoanon_qgis.core.attacks.linkage.near_group import near_group
from geoanon_qgis.core.attacks.linkage.near_result import NearGroupResult
from geoanon_qgis.core.attacks.linkage.near_weights import Contraction
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.attacks.maps.likelihood import likelihood_attack
from geoanon_qgis.core.distances.matrix import DistanceMatrix

#: First seed of the draws.
FRESH = 5_000
#: Embeddings that papers publish or recommend, and larger ones.
PUBLISHED = (
    (20, 5),
    (20, 10),
    (20, 20),
    (20, 30),
    (100, 30),
    (10, 30),
    (10, 50),
    (20, 100),
    (5, 30),
)
_PARTS = ("goals", "data", "published", "noise", "null", "deciles")
GOALS = {"right in groups": 28, "precision of groups": 0.95, "right when grown": 40}


@dataclass(frozen=True)
class Draw:
    """What an attack found in one draw."""

    grouped: np.ndarray
    claimed: np.ndarray
    sure: np.ndarray
    guessed: np.ndarray
    chance: np.ndarray
    found: NearGroupResult
    cpu: float
    others: dict[str, tuple[int, int]]


def one_draw(kind, sets, size, seed, *, rule=None, dealt=False, others=False, **files) -> Draw:
    """Draw files and an embedding, and attack it."""
    data = near_files.draw(kind, seed, **files)
    embedding = LipschitzEmbedding(sets, size, data.region.area, 0.9, 300)
    return attacked(data, embedding, seed + 1, rule=rule, dealt=dealt, others=others)


def attacked(data: near_files.Files, made_by, seed, *, rule=None, dealt=False, others=False):
    """Release the files' secret places by a rule, and attack that."""
    metric, rng = data.region.metric, np.random.default_rng(seed)
    square = simulate(made_by, data.secret, metric, rng)
    matrix = DistanceMatrix.numbered(square[np.triu_indices(len(square), 1)])
    known = data.known
    if dealt:
        known = [known[at] for at in rng.permutation(len(known))]
    given = (data.target, matrix, known, data.points, metric)
    start = time.process_time()
    found = near_group(Files(*given, rule or made_by).of_neighbours(rng), rng=rng)
    cpu = time.process_time() - start
    groups = [one.matches for one in found.groups]
    grouped = np.concatenate([np.zeros((0, 2), np.int64), *groups])
    rest = {}
    if others:
        clique = attack(Files(*given, made_by), time_limit=10.0, random_tie=True, rng=rng)
        map_of_all = likelihood_attack(Files(*given, made_by), rng=rng)
        for name, one in (("clique", clique), ("likelihood", map_of_all)):
            rest[name] = int(data.right(one.matches).sum()), len(one.matches)
    return Draw(
        data.right(grouped),
        data.right(found.matches),
        found.confidence,
        data.right(found.guesses),
        found.chance,
        found,
        cpu,
        rest,
    )


def counts(hits: list[np.ndarray]) -> str:
    """Right and claimed, with the Clopper-Pearson interval of precision."""
    right, claimed = int(sum(one.sum() for one in hits)), sum(map(len, hits))
    if not claimed:
        return "0 / 0"
    low = beta.ppf(0.025, right, claimed - right + 1) if right else 0.0
    high = beta.ppf(0.975, right + 1, claimed - right) if right < claimed else 1.0
    return f"{right} / {claimed} ({right / claimed:.2f}; {low:.2f} to {high:.2f})"


def goals(draws: int) -> None:
    """The goals, on German-like files."""
    for sets, size in ((20, 30), (10, 30)):
        runs = [one_draw("germans", sets, size, FRESH + k) for k in range(draws)]
        grouped = np.concatenate([one.grouped for one in runs])
        claimed = np.concatenate([one.claimed for one in runs])
        share = draws / 5
        lines = [
            timing.at_least(
                "right in near groups", GOALS["right in groups"] * share, grouped.sum()
            ),
            timing.at_least(
                "their precision",
                GOALS["precision of groups"],
                grouped.mean() if len(grouped) else 0,
            ),
            timing.at_least("right when grown", GOALS["right when grown"] * share, claimed.sum()),
            timing.note("precision when grown", counts([one.claimed for one in runs])),
            timing.note("right in each draw", " ".join(str(one.claimed.sum()) for one in runs)),
            timing.at_most(
                "CPU of an attack, median", 1.0, float(np.median([r.cpu for r in runs])), "s"
            ),
        ]
        timing.table(f"Germans, 500 + 500, 50 in both, {sets} x {size}, {draws} draws", lines)


def table(title: str, cells, draws: int, others: bool) -> None:
    """Right and claimed in all draws, by cell."""
    print(f"\n{title}: right / claimed in {draws} draws (precision; 95 % interval)\n")
    head = f"{'data':13}{'embedding':11}{'near groups':36}{'grown':36}{'expected':>9}{'CPU s':>7}"
    print(head + ("  clique .9      likelihood" if others else ""))
    for kind, sets, size, more in cells:
        if not near_files.available(kind):
            continue
        runs = [
            one_draw(kind, sets, size, FRESH + 100 + k, others=others, **more) for k in range(draws)
        ]
        expected = sum(one.sure.sum() for one in runs)
        line = (
            f"{kind:13}{f'{sets} x {size}':11}{counts([one.grouped for one in runs]):36}"
            f"{counts([one.claimed for one in runs]):36}{expected:9.1f}"
            f"{np.median([one.cpu for one in runs]):7.2f}"
        )
        for name in ("clique", "likelihood") if others else ():
            both = np.sum([one.others[name] for one in runs], axis=0)
            line += f"  {f'{both[0]} / {both[1]}':13}"
        print(line, flush=True)


def noise(draws: int) -> None:
    """Noise on the places before the embedding, of which the attack is told or not."""
    print(
        f"\nNoise before 20 x 30, Germans: right / claimed in {draws} draws (precision; interval)\n"
    )
    for sigma in (300.0, 1_000.0, 3_000.0):
        told, not_told = [], []
        for seed in range(FRESH + 200, FRESH + 200 + draws):
            data = near_files.draw("germans", seed)
            plain = LipschitzEmbedding(20, 30, data.region.area, 0.9, 300)
            moved = replace(plain, pre_noise=sigma)
            told.append(attacked(data, moved, seed + 1))
            not_told.append(attacked(data, moved, seed + 1, rule=plain))
        line = "  ".join(f"{counts([one.claimed for one in runs]):36}" for runs in (told, not_told))
        expected = sum(one.sure.sum() for one in told)
        print(f"{sigma:6.0f} m  told {line}  expected, told: {expected:.1f}", flush=True)


def null(draws: int) -> None:
    """Labels dealt out again: how often anything is claimed."""
    for kind, sets, size in (("germans", 20, 30), ("valley", 10, 30)):
        runs = [one_draw(kind, sets, size, FRESH + 300 + k, dealt=True) for k in range(draws)]
        silent = sum(not len(one.claimed) for one in runs)
        what = f"{kind} {sets} x {size}: draws in which nothing is claimed, of {draws}"
        timing.table("Labels that nobody has", [timing.at_least(what, 0.95 * draws, silent)])


def deciles(draws: int, kinds: Sequence[str], first: int) -> None:
    """Predicted against right, by decile, of fresh draws."""
    made = []
    for kind in kinds:
        if near_files.available(kind):
            for k in range(first, first + max(draws // len(kinds), 1)):
                one = one_draw(kind, (20, 10)[k % 2], 30, FRESH + 500 + k)
                made.append((one.chance, one.guessed))
    by_decile.deciles("Confidence against truth, fresh draws", made)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--null", type=int, default=100)
    parser.add_argument("--deciles", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first of these draws")
    parser.add_argument("--kinds", nargs="+", default=near_files.KEPT_ASIDE)
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--only", choices=_PARTS)
    options = parser.parse_args()
    wanted = [options.only] if options.only else _PARTS
    if "goals" in wanted:
        goals(options.draws)
    if "data" in wanted:
        cells = [(kind, sets, 30, {}) for kind in near_files.KEPT_ASIDE for sets in (20, 10)]
        table("Data kept aside", cells, options.draws, options.others)
        cells = [("germans", 20, 30, {"rule": Contraction()})]
        table("Sets and size unknown: epsilon swept", cells, options.draws, False)
    if "published" in wanted:
        cells = [("germans", sets, size, {}) for sets, size in PUBLISHED]
        table("Published settings", cells, options.draws, options.others)
    if "noise" in wanted:
        noise(options.draws)
    if "null" in wanted:
        null(options.null)
    if "deciles" in wanted:
        deciles(options.deciles, options.kinds, options.first)


if __name__ == "__main__":
    main()
