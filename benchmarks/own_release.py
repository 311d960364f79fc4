# SPDX-License-Identifier: GPL-2.0-or-later
"""Values exchanged among neighbours against noise before the embedding: risk beside utility.

    python benchmarks/own_release.py [--draws 5] [--kinds germans dwellings valley]
        [--common 50 250] [--released 500] [--seed 7000]

People, values, release and attack are drawn anew in every draw. Values that are to be protected
are a third a smooth field over the places, a third age and a third chance. The near group attacks
each release; a link to the right record tells the values of a person, unless these were exchanged.
Two adversaries go on from his links: one takes the values beside the record, the other also knows
exactly how values follow age, and takes those of the record's group that fit best.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from itertools import permutations

import _germans
import _near_files as near_files  # also puts the checkout on the path
import _one_thread  # noqa: F401
import numpy as np
from scipy.stats import beta

from geoanon_qgis.core.attacks.linkage.compatibility import LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.near_group import near_group
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.distances import spatial_statistics as statistics
from geoanon_qgis.core.distances.agreement import simulated_fields
from geoanon_qgis.core.distances.comparison import neighbours_kept, spearman
from geoanon_qgis.core.distances.exchange import Exchange, exchange
from geoanon_qgis.core.distances.matrix import DistanceMatrix

#: The papers' embedding; noise in median distances to the nearest neighbour; sizes of groups.
SETS, SIZE = 20, 30
NOISE = (0.1, 0.2, 0.4)
GROUPS = ((2, ""), (3, ""), (5, ""), (3, "sex"), (3, "sex and age"))
#: Nearest records that Moran's I goes over.
NEIGHBOURS = 4
#: Largest group of which all orders are weighed one by one.
_ALL_ORDERS = 7


def values_of(data, square: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw values, and return them with what is known of them by age."""
    age = np.array([person[1] for person in data.target], dtype=float)
    place = next(iter(simulated_fields(square, rng, 1).values()))
    by_age, by_place = ((one - one.mean()) / one.std() for one in (age, place))
    return by_place + by_age + rng.normal(size=len(age)), by_age


def best_of_group(made: Exchange, released: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Row that fits each record best among those of its group, weighing all their orders."""
    spread = np.std(released - expected[made.row])
    taken = np.arange(len(released))
    for group in range(int(made.group.max()) + 1):
        some = np.flatnonzero(made.group == group)
        log = -0.5 * ((released[some] - expected[some][:, None]) / spread) ** 2
        chance = np.exp(log - log.max())
        if len(some) <= _ALL_ORDERS:
            orders = np.array(list(permutations(range(len(some)))))
            weight = np.exp(log[np.arange(len(some)), orders].sum(axis=1) - log.max() * len(some))
            chance = np.zeros_like(log)
            for record in range(len(some)):
                np.add.at(chance[record], orders[:, record], weight)
        taken[some] = some[chance.argmax(axis=1)]
    return taken


def one_draw(kind: str, common: int, released: int, seed: int, found: dict) -> None:
    """Make and attack all releases of one draw."""
    data = near_files.draw(kind, seed, (released, released, common))
    where = data.region
    places = where.metric.coordinates(data.secret)
    upper = np.triu_indices(released, 1)
    true = where.metric.rows(places, places)
    rng = np.random.default_rng(seed + 1)
    values, by_age = values_of(data, true, rng)
    moran = statistics.moran_i(values, statistics.nearest(true, NEIGHBOURS))
    with_age = np.corrcoef(values, by_age)[0, 1]
    nearest = float(np.median(where.metric.nearest_neighbours(places, 1)[1]))

    def put(name, matrix, square, hits, guessed, worst, told, ages) -> None:
        kept = neighbours_kept(places, where.metric, matrix, (1, 10))
        utility = (*kept, spearman(true[upper], matrix.condensed))
        own = statistics.moran_i(told, statistics.nearest(square, NEIGHBOURS))
        now = np.corrcoef(told, ages)[0, 1]
        found[name].append((hits, guessed, worst, (*utility, own / moran, now / with_age)))

    for share in (0.0, *NOISE):
        rule = LipschitzEmbedding(SETS, SIZE, where.area, 0.9, 300, share * nearest)
        square = simulate(rule, data.secret, where.metric, rng)
        matrix = DistanceMatrix.numbered(square[upper])
        links = near_group(
            Files(data.target, matrix, data.known, data.points, where.metric, rule), rng=rng
        ).matches
        right, record = data.right(links), links[:, 0]
        name = f"noise of {share:g}" if share else "embedding alone"
        put(name, matrix, square, right, right, np.ones(released, bool), values, by_age)
        if share:
            continue
        for k, same in GROUPS:
            classes = {"": None, "sex": [p[0] for p in data.target], "sex and age": data.target}
            made = exchange(places, where.metric, k, rng, classes[same])
            told = made.taken(values)
            best = best_of_group(made, told, by_age)
            # The record whose values were taken is right if they are its own.
            own, fits = made.row == np.arange(released), made.row[best] == np.arange(released)
            name = f"exchange among {k}" + f", same {same}" * bool(same)
            put(name, matrix, square, right & own[record], right & fits[record], fits, told, by_age)


def interval(hits: list[np.ndarray]) -> str:
    """Right and claimed, with the Clopper-Pearson interval of precision."""
    right, claimed = int(sum(one.sum() for one in hits)), sum(map(len, hits))
    if not claimed:
        return "0 / 0"
    low = beta.ppf(0.025, right, claimed - right + 1) if right else 0.0
    high = beta.ppf(0.975, right + 1, claimed - right) if right < claimed else 1.0
    return f"{right} / {claimed} ({low:.2f} to {high:.2f})"


def table(kind: str, common: int, released: int, draws: int, seed: int) -> None:
    """Risk and utility of all releases of one kind of data."""
    found: dict[str, list] = defaultdict(list)
    for draw in range(draws):
        one_draw(kind, common, released, seed + draw, found)
    print(
        f"\n{kind}, {released} + {released} people, {common} in both, {SETS} x {SIZE}, {draws}"
        " draws. Told: whose values were found, right / claimed (95 % of precision).\nFits age: by"
        " who knows how values follow age. Worst: share told of who links all records, and knows"
        " that.\n1, 10: neighbours kept; rho: ranks of distances; Moran, age: shares that are left"
        " of Moran's I and of the correlation with age.\n"
    )
    print(
        f"{'release':36}{'told':26}{'fits age':26}{'worst':>6}"
        f"{'1':>6}{'10':>6}{'rho':>6}{'Moran':>7}{'age':>6}"
    )
    for name, runs in found.items():
        worst = np.mean([one[2].mean() for one in runs])
        one, ten, rho, moran, age = np.mean([run[3] for run in runs], axis=0)
        print(
            f"{name:36}{interval([run[0] for run in runs]):26}"
            f"{interval([run[1] for run in runs]):26}{worst:6.2f}"
            f"{one:6.2f}{ten:6.2f}{rho:6.2f}{moran:7.2f}{age:6.2f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--kinds", nargs="+", default=["germans", "dwellings", "valley"])
    parser.add_argument("--common", nargs="+", type=int, default=[50, 250])
    parser.add_argument("--released", type=int, default=_germans.N_TARGET)
    parser.add_argument("--seed", type=int, default=7_000)
    options = parser.parse_args()
    for kind in options.kinds:
        for common in options.common if near_files.available(kind) else ():
            table(kind, common, options.released, options.draws, options.seed)


if __name__ == "__main__":
    main()
