# SPDX-License-Identifier: GPL-2.0-or-later
"""Does what is recommended hold? The recommended row, attacked on draws that it has not seen.

    python benchmarks/advice.py [--draws 20] [--records 1000] [--labels "sex and age"]
        [--only germans|valley|uniform|...] [--overlap 0.1] [--seconds 60]

For each kind of data parameters are chosen as ``geoanon:chooseembedding`` chooses them: a grid, and
where no row of it holds, growing noise on the one that comes nearest. The row that is recommended,
or where there is none the one that comes nearest, is then released again and again with other places
and people of the same kind, and attacked by all attacks together. The share found should stay below
the upper end that was stated in 19 of 20 draws.
"""

from __future__ import annotations

import argparse

import _near_files as near_files  # also puts the checkout on the path
import _one_thread  # noqa: F401
import numpy as np

from geoanon_qgis.core.attacks.by_name import STRONGEST, Search, attack_by
from geoanon_qgis.core.attacks.linkage.compatibility import LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.attacks.maps.adversary import OVERLAPS, Adversary
from geoanon_qgis.core.attacks.maps.defences import noise_to_try
from geoanon_qgis.core.attacks.maps.embedding_risk import EmbeddingRisk
from geoanon_qgis.core.attacks.maps.row_risk import Limits
from geoanon_qgis.core.distances.grid_search import evaluate
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.experiments.advice import MOST_DRAWS, Effort, advise
from geoanon_qgis.core.experiments.advice_words import sentence
from geoanon_qgis.core.experiments.workers import Backend

LIMITS = Limits(0.25, 0.09)
#: Seeds of draws that nothing was chosen by.
FRESH = 9_000


def chosen(kind: str, count: int, labels: str, overlaps: tuple[float, ...], given):
    """Choose parameters; return the risk, the advice and the row, recommended or nearest."""
    data = near_files.draw(kind, 1, (count, 1, 1), labels)
    where, rng = data.region, np.random.default_rng(2)
    files = (data.secret, where.area, where.metric)
    risk = EmbeddingRisk(data.secret, data.target, *files[1:], rng, adversary=Adversary(overlaps))
    cells = evaluate(*files, given.sets, given.sizes, 2, rng)
    effort = Effort(given.most, given.slow, Backend(workers=1))
    advice = advise(cells, risk, LIMITS, effort)
    if advice.cell is None:
        nearest = advice.nearest(cells)
        noise = noise_to_try(data.secret, where.metric)
        more = evaluate(*files, [nearest.sets], [nearest.size], 2, rng, pre_noise=noise)
        advice = advise(more, risk, LIMITS, effort, after=advice)
        cells = [*cells, *more]
    print(f"{kind}: {risk.draws.released} released, {risk.guessed:.1%} by guessing.")
    print("  " + sentence(advice, cells), flush=True)
    return risk, advice, advice.nearest(cells)


def found_in(kind: str, cell, risk, overlap: float, labels: str, seed: int, seconds: float):
    """Share of the people whom all attacks together find in one fresh draw, and what they claim."""
    count = (risk.draws.released, risk.draws.known, risk.draws.common(overlap))
    data = near_files.draw(kind, seed, count, labels)
    where, rng = data.region, np.random.default_rng(seed)
    rule = LipschitzEmbedding(cell.sets, cell.size, where.area, 0.9, 200, cell.pre_noise)
    square = simulate(rule, data.secret, where.metric, rng)
    matrix = DistanceMatrix.numbered(square[np.triu_indices(len(square), 1)], where.metric.unit)
    files = Files(data.target, matrix, data.known, data.points, where.metric, rule)
    result = attack_by(STRONGEST, files, Search(seconds), rng)
    return np.count_nonzero(data.right(result.matches)) / count[2], len(result.matches)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--labels", default="sex and age")
    parser.add_argument("--only", nargs="+", default=["germans", "valley", "uniform"])
    parser.add_argument("--overlap", type=float, nargs="+", default=OVERLAPS)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--sets", type=int, nargs="+", default=[10, 20])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 30])
    parser.add_argument("--most", type=int, default=MOST_DRAWS, help="draws of a row at most")
    parser.add_argument("--slow", type=int, default=0, help="draws by likelihood and signatures")
    given = parser.parse_args()
    for kind in given.only:
        risk, advice, cell = chosen(kind, given.records, given.labels, tuple(given.overlap), given)
        row = advice.risks[cell.setting]
        state = "recommended" if advice.cell is not None else f"nearest ({advice.state(cell)})"
        for overlap in sorted(given.overlap, reverse=True):
            standing = next(one for one in row.standings if one.overlap == overlap)
            if not standing.draws:
                continue
            end = standing.found.high
            tried = [
                found_in(kind, cell, risk, overlap, given.labels, FRESH + at, given.seconds)
                for at in range(given.draws)
            ]
            below = sum(share <= end for share, _ in tried)
            print(
                f"  {state} d={cell.sets} k={cell.size} noise={cell.pre_noise:g}, "
                f"{overlap:.0%} known: upper end {end:.3f}; {below} of {len(tried)} draws below, "
                f"largest {max(share for share, _ in tried):.3f}, "
                f"claims {sum(claims for _, claims in tried)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
