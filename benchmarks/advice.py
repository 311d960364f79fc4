# SPDX-License-Identifier: GPL-2.0-or-later
"""Does what is recommended hold? The recommended row, attacked on draws that it has not seen.

    python benchmarks/advice.py [--draws 20] [--records 1000] [--labels "sex and age"]
        [--only germans|valley|uniform|dwellings|...] [--overlap 0.1] [--seconds 60]
        [--sets 10 20] [--sizes 10 30] [--noise 50000] [--step 100000] [--limit 0.09]
        [--precision 0.25] [--useful utility|neighbours_kept] [--neighbours] [--most 100] [--slow 0] [--forecast]

For each kind of data parameters are chosen as ``geoanon:chooseembedding`` chooses them: a grid, and
where no row of it holds, growing noise on the one that comes nearest. The row that is recommended,
or where there is none the one that comes nearest, is then released again and again with other places
and people of the same kind, and attacked by all attacks together. The share found should stay below
the upper end that was stated in 19 of 20 draws, and so should the precision. What counts is what all
attacks together claim, as ``geoanon:linkageattack`` does. Beside it stands who is rightly named by any
attack: a clique names as many as it can, be they a match or an accident. Large files take hours; small ones (``--records 70
--overlap 0.5``) minutes of CPU.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass, replace

import _near_files as near_files  # also puts the checkout on the path
import _one_thread  # noqa: F401
import numpy as np

from geoanon_qgis.core.attacks.by_name import STRONGEST, Search, attack_by
from geoanon_qgis.core.attacks.linkage.compatibility import LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.attacks.maps.adversary import OVERLAPS, Adversary, Overlap, People
from geoanon_qgis.core.attacks.maps.defences import noise_to_try
from geoanon_qgis.core.attacks.maps.drawn import Attempt, Drawn
from geoanon_qgis.core.attacks.maps.embedding_risk import EmbeddingRisk
from geoanon_qgis.core.attacks.maps.row_risk import HELD, Limits, RowRisk
from geoanon_qgis.core.distances.choice import name_of
from geoanon_qgis.core.distances.grid_search import evaluate
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.distances.setting import Grid
from geoanon_qgis.core.distances.trials import Places
from geoanon_qgis.core.experiments.advice import DISTANCES, MOST_DRAWS, NEIGHBOURS, Effort, advise
from geoanon_qgis.core.experiments.advice_words import sentence
from geoanon_qgis.core.experiments.forecast import forecast
from geoanon_qgis.core.runtime.workers import Backend

#: Seeds of draws that nothing was chosen by.
FRESH = 9_000


@dataclass(frozen=True)
class Fresh:
    """What all attacks made of one draw that nothing was chosen by.

    Attributes
    ----------
    found : float
        Share of the people who are rightly claimed.
    precision : float
        Share of the claims that are right; 0 where nobody is claimed.
    claims : int
    by_any : float
        Share of the people whom any attack rightly names.
    cut_off : bool
        Whether an attack did not come to its end.
    surest : dict of str to tuple of float
        By attack: share right of its surest 1, 2, 4 ..., claimed or not.
    """

    found: float
    precision: float
    claims: int
    by_any: float
    cut_off: bool
    surest: dict[str, tuple[float, ...]]


def chosen(kind: str, overlaps: tuple[float, ...], limits: Limits, given):
    """Choose parameters; return the risk, the advice and the row, recommended or nearest."""
    data = near_files.draw(kind, 1, (given.records, 1, 1), given.labels)
    where, rng = data.region, np.random.default_rng(2)
    places = Places(data.secret, where.area, where.metric)
    files = (data.secret, where.area, where.metric)
    adversary = Adversary(overlaps, neighbours=given.neighbours)
    risk = EmbeddingRisk(data.secret, data.target, *files[1:], rng, adversary=adversary)
    print(f"{kind}: {risk.draws.released} released, {risk.guessed:.1%} by guessing.", flush=True)
    noise = given.noise or noise_to_try(data.secret, where.metric)[: given.gaps]
    grid = Grid(given.sets, given.sizes, noise or (0.0,), given.step)
    if given.forecast:
        most = (given.most, given.slow)
        told = forecast(places, grid, 2, risk, limits, most, noisy=not noise)
        print(
            f"  forecast: {60 * told.all_rows:.0f} s for all rows, {60 * told.one_row:.0f} s for"
            f" each that is followed until it holds, {60 * told.most:.0f} s at most",
            flush=True,
        )
    start = time.perf_counter()
    cells = evaluate(places, grid, 2, rng)
    effort = Effort(given.most, given.slow, Backend(workers=1))
    advice = advise(cells, risk, limits, effort, useful=given.useful)
    if advice.cell is None and not advice.hopeless and not noise:
        nearest = advice.nearest(cells)
        noise = noise_to_try(data.secret, where.metric)
        more = evaluate(places, Grid([nearest.sets], [nearest.size], noise), 2, rng)
        advice = advise(more, risk, limits, effort, after=advice, useful=given.useful)
        cells = [*cells, *more]
    if given.forecast:
        took = time.perf_counter() - start
        print(f"  took: {took:.0f} s with {len(cells)} rows, {advice.followed} followed")
    print("  " + sentence(advice, cells), flush=True)
    for cell in cells:
        row = advice.risks[cell.setting]
        if by_claims_alone(row).decided(limits) == HELD != row.decided(limits):
            print(f"  {name_of(cell)} would hold by claims alone, and does not", flush=True)
    return risk, advice, advice.nearest(cells)


def by_claims_alone(row: RowRisk) -> RowRisk:
    """What would be known of a row if nobody named anybody who is not claimed."""

    def claims(draws: tuple[Drawn, ...]) -> tuple[Drawn, ...]:
        return tuple(
            replace(one, attempts=tuple(replace(each, surest=()) for each in one.attempts))
            for one in draws
        )

    return replace(
        row,
        standings=tuple(replace(one, draws=claims(one.draws)) for one in row.standings),
        slow=tuple(replace(one, draws=claims(one.draws)) for one in row.slow),
    )


def fresh(kind: str, cell, risk, overlap: Overlap, labels: str, seed: int, seconds: float) -> Fresh:
    """Draw and release once more, and attack by everything."""
    count = (risk.draws.released, risk.draws.known, risk.draws.common(overlap))
    data = near_files.draw(kind, seed, count, labels, overlap.neighbours)
    where, rng = data.region, np.random.default_rng(seed)
    rule = LipschitzEmbedding(cell.sets, cell.size, where.area, 0.9, 200, cell.pre_noise)
    condensed = simulate(rule, data.secret, where.metric, rng)[np.triu_indices(count[0], 1)]
    if cell.step:
        condensed = cell.step * np.floor(condensed / cell.step)
    matrix = DistanceMatrix.numbered(condensed, where.metric.unit)
    rounding = (cell.step, 0.0)
    files = Files(
        data.target, matrix, data.known, data.points, where.metric, rule, rounding=rounding
    )
    result = attack_by(STRONGEST, files, Search(seconds), rng)
    right = data.right(result.matches)
    people = People(*(np.arange(one) for one in count[:2]), data.truth, np.zeros((0, 2), int))
    named = {
        record
        for one in (result, *result.parts.values())
        for record in one.matches[data.right(one.matches), 0].tolist()
    }
    return Fresh(
        int(right.sum()) / count[2],
        float(right.mean()) if len(right) else 0.0,
        len(right),
        len(named) / count[2],
        not result.proven,
        {name: people.surest(one.surest_first) for name, one in result.parts.items()},
    )


def worst_surest(tried: list[Fresh]) -> tuple[float, str, int]:
    """Of which attack, and of how many (2 to the power of the last), most are right on average."""
    found = []
    for name in dict.fromkeys(name for one in tried for name in one.surest):
        each = [Attempt(name, 0, 0, True, surest=one.surest.get(name, ())) for one in tried]
        for step in range(max(len(one.surest) for one in each)):
            found.append((float(np.mean([one.right_of_surest(step) for one in each])), name, step))
    return max(found, default=(0.0, "nobody", 0))


def main() -> None:
    """Run it."""
    # Time is that of the CPU, however busy a machine is.
    time.monotonic = time.perf_counter = time.process_time
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--labels", default="sex and age")
    parser.add_argument("--only", nargs="+", default=["germans", "valley", "uniform"])
    parser.add_argument("--overlap", type=float, nargs="+", default=OVERLAPS)
    parser.add_argument("--seconds", type=float, default=60.0, help="of CPU, an attack")
    parser.add_argument("--sets", type=int, nargs="+", default=[10, 20])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 30])
    parser.add_argument("--noise", type=float, nargs="+", default=[], help="in metres, of the grid")
    parser.add_argument("--gaps", type=int, default=0, help="so many of the usual noises as rows")
    parser.add_argument("--step", type=float, nargs="+", default=[0.0], help="in metres")
    parser.add_argument("--limit", type=float, default=0.09, help="share of the people found")
    parser.add_argument("--precision", type=float, default=0.25, help="share of right claims")
    parser.add_argument("--useful", choices=(DISTANCES, NEIGHBOURS), default=DISTANCES)
    parser.add_argument("--most", type=int, default=MOST_DRAWS, help="draws of a row at most")
    parser.add_argument("--forecast", action="store_true", help="how long it is said to take, too")
    parser.add_argument("--slow", type=int, default=0, help="draws by likelihood and signatures")
    parser.add_argument("--neighbours", action="store_true", help="among the people known, too")
    given = parser.parse_args()
    limits = Limits(given.precision, given.limit)
    if given.forecast:
        os.sched_setaffinity(
            0, list(os.sched_getaffinity(0))[:1]
        )  # else it counts on all processors
    for kind in given.only:
        risk, advice, cell = chosen(kind, tuple(given.overlap), limits, given)
        row = advice.risks[cell.setting]
        state = "recommended" if advice.cell is not None else f"nearest ({advice.state(cell)})"
        print(f"  {state}: d={cell.sets} k={cell.size} noise={cell.pre_noise:g} step={cell.step:g}")
        one, ten = cell.mean("nearest_kept"), cell.mean("neighbours_kept")
        print(f"  kept: {one:.2f} of the nearest neighbours, {ten:.2f} of the ten nearest")
        if not any(standing.draws for standing in row.standings):
            print("  not followed: no upper end to hold draws against")
        for standing in row.standings:
            if standing.draws and given.draws:
                _hold_against(kind, cell, risk, standing, given)


def _hold_against(kind: str, cell, risk, standing, given) -> None:
    """Draw anew, and count how often less is found than was stated."""
    tried: list[Fresh] = []
    for at in range(given.draws):  # each is told, so that a run that is stopped has said something
        tried.append(
            fresh(kind, cell, risk, standing.overlap, given.labels, FRESH + at, given.seconds)
        )
        print(f"    {at + 1}: {tried[-1]}", flush=True)
    who = ", neighbours" if standing.overlap.neighbours else ""
    print(
        f"  {standing.overlap.share:.0%} known ({standing.people}{who}), {len(standing.draws)} draws:"
    )
    for name, stated, of in (
        ("found", standing.found, [one.found for one in tried]),
        ("precision", standing.precision, [one.precision for one in tried]),
        ("named by any attack", standing.found, [one.by_any for one in tried]),
    ):
        below = sum(one <= stated.high for one in of)
        print(
            f"    {name}: mean {stated.mean:.3f}, upper end {stated.high:.3f}; {below} of {len(of)}"
            f" fresh draws below, mean {np.mean(of):.3f}, largest {max(of):.3f}"
        )
    worst, name, step = worst_surest(tried)
    print(
        f"    right of the surest {2**step} by {name}: mean {worst:.3f} in the fresh draws, upper end of"
        f" the precision {standing.precision.high:.3f}"
    )
    cut = sum(one.cut_off for one in tried)
    most = max(one.claims for one in tried)
    print(f"    at most {most} claims; {cut} draws cut off", flush=True)


if __name__ == "__main__":
    main()
