# SPDX-License-Identifier: GPL-2.0-or-later
"""What several fresh draws of the same people give away, and what a kept one does.

    python benchmarks/several_releases.py [--only masks|distances] [--records 1000]
        [--releases 1 2 5 10] [--draws 5]

Masks: each release is drawn anew and its records can be linked with those of the others:
likelihoods multiply. Adversary A has the address list; found and believed are shares of the
records. Distances: two releases of 500 records each, of whom the adversary knows 50 among 500
people, attacked alone, linked by ids, and linked by the records' rows, with the attributes that
were released and without.
"""

from __future__ import annotations

import argparse
import sys

import _dwellings as dwellings
import _near_files as near_files
import _one_thread  # noqa: F401
import _timing  # noqa: F401  finds the package
import numpy as np

from geoanon_qgis.core.attacks.by_name import LIKELIHOOD, NEAR_GROUP, Search, attack_by
from geoanon_qgis.core.attacks.linkage.compatibility import CoordinateNoise, LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.further_releases import linked
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.attacks.masks.likelihood import by_law, by_lists
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.attacks.masks.several import combined
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Donut, Gaussian, Laplace, disc
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.masking.sizes import Neighbours

K = 20
#: First seed, records of each release, people known, and in both.
FRESH, FILES = 12_000, (500, 500, 50)
#: Kind of people, release, attack, and records of the first release that are in the second.
LINES = (
    ("germans", "20 x 30", NEAR_GROUP, 500),
    ("valley", "20 x 30", NEAR_GROUP, 500),
    ("uniform", "20 x 30", NEAR_GROUP, 500),
    ("germans", "10 x 30", NEAR_GROUP, 500),
    ("germans", "20 x 30", NEAR_GROUP, 350),
    ("germans", "noise 1 km", LIKELIHOOD, 500),
    ("germans", "20 x 30", NEAR_GROUP, 0),
)


def row(name: str, one, count: int, rows: np.ndarray, releases: list[int]) -> None:
    """Print found and believed of one mask; ``one(draw)`` is the likelihood of a release."""
    found, told = None, []
    every = np.arange(count)
    for draw in range(max(releases)):
        own = one(draw)
        found = own if found is None else combined(found, own, every)
        if draw + 1 in releases:
            guesses = who_lives_there(found)
            told.append(f"{100 * guesses.right(rows).mean():8.1f}{100 * guesses.top.mean():9.1f}")
    print(f"{name:28}" + "".join(told), flush=True)


def rule_of(name: str, where: near_files.Region):
    """Return how a release is made."""
    if name.startswith("noise"):
        sigma = 1_000.0 * float(name.split()[1])
        return CoordinateNoise(sigma, False, 0.9, where.area, where.area.wkt)
    sets, size = map(int, name.split(" x "))
    return LipschitzEmbedding(sets, size, where.area, 0.9, 300)


def attacked(kind: str, release: str, method: str, both: int, seed: int) -> dict[str, np.ndarray]:
    """Right and claimed by each way to link; and linked, right, expected by rows."""
    count, known, common = FILES
    more = count - both  # people of the second release who are not in the first
    data = near_files.draw(kind, seed, FILES)
    rng = np.random.default_rng(seed + 1)
    rule, metric = rule_of(release, data.region), data.region.metric
    others = near_files.draw(kind, seed + 2, (max(more, 2), 2, 1))
    kept = rng.permutation(count)[:both]
    places = np.concatenate([data.secret[kept], others.secret[:more]])
    labels = [*(data.target[at] for at in kept), *others.target[:more]]
    order = rng.permutation(count)  # each release has numbers of its own
    where = np.full(count, -1)
    where[kept] = np.argsort(order)[:both]
    upper = np.triu_indices(count, 1)
    first, second = (
        DistanceMatrix.numbered(simulate(rule, points, metric, rng)[upper])
        for points in (data.secret, places[order])
    )
    theirs = [labels[at] for at in order]
    given = (data.known, data.points, metric, rule)

    def run(*partners: np.ndarray) -> np.ndarray:
        used = [rows for rows in partners if (rows >= 0).any()]
        matrices = [first, *[second] * len(used)]
        files = Files(data.target, matrices, *given, partners=used)
        found = attack_by(method, files, Search(), np.random.default_rng(seed + 3))
        return np.array([data.right(found.matches).sum(), found.clique])

    told = {"one release": run(), "two, by id": run(where)}
    for name, own in (("by rows, attributes", theirs), ("by rows alone", None)):
        links = linked(
            Files(data.target, first, *given), second, own, rng=np.random.default_rng(seed + 4)
        ).links
        sure = links.rows >= 0
        right = int((links.rows[sure] == where[sure]).sum())
        told[f"two, {name}"] = run(links.rows)
        told[f"links {name}"] = np.array([right, links.linked, links.expected])
    return told


def distances(draws: int) -> None:
    """Two releases of distances, linked by ids or by rows."""
    print(
        f"Two releases of {FILES[0]} records, right / claimed of {FILES[2]} a draw, {draws} draws"
    )
    for kind, release, method, both in LINES:
        if not near_files.available(kind):
            continue
        runs = [attacked(kind, release, method, both, FRESH + 10 * k) for k in range(draws)]
        print(f"{kind}, {release}, {both} people in both releases, {method}:")
        for name in runs[0]:
            total = np.sum([one[name] for one in runs], axis=0)
            share = f"{total[0] / total[1]:.3f}" if total[1] else "-"
            rest = f", {total[2]:.1f} expected" if len(total) > 2 else ""
            each = " ".join(f"{one[name][0]:g}" for one in runs)
            told = f"{total[0]:g} / {total[1]:g} ({share}){rest}"
            print(f"  {name:28}{told:36}{each}", flush=True)


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=1_000)
    parser.add_argument("--releases", type=int, nargs="+", default=[1, 2, 5, 10])
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--only", choices=("masks", "distances"))
    options = parser.parse_args()
    if options.only != "masks":
        distances(options.draws)
    if options.only != "distances":
        return masks(options)
    return 0


def masks(options: argparse.Namespace) -> int:
    """Draws of point masks."""
    if not dwellings.available():
        return 0
    xy = np.unique(dwellings.integer_metres(), axis=0)
    count = options.records
    rows = np.random.default_rng(1).permutation(len(xy))[:count]
    head = "".join(f"{f'{one} found':>8}{'believed':>9}" for one in options.releases)
    print(f"{len(xy):,} addresses, {count:,} records; per cent\n{'mask':28}{head}")
    low, high = Neighbours(xy).distances(xy, [K, 5 * K]).T
    laws = {
        "disc 75 m": disc(75.0),
        "donut 23 to 69 m": Donut(23.0, 69.0),
        f"adaptive donut {K} to {5 * K}": Donut(low, high),
        "Gaussian 40 m": Gaussian(40.0),
        "Laplace, mean 50 m": Laplace(2 / 50.0),
    }
    for name, law in laws.items():

        def drawn(draw: int, law=law):
            own = law.of(rows)
            masked = displace(xy[rows], own, bytes(range(32)), f"release {draw}").xy
            return by_law(masked, xy, law)

        row(name, drawn, count, rows, options.releases)
    graph = partner_graph(xy, K)
    good = ~graph.withheld[rows]
    for name, fresh in ((f"exchange {K}, fresh", True), (f"exchange {K}, kept", False)):

        def exchanged(draw: int, fresh=fresh):
            rng = np.random.default_rng(draw if fresh else 0)
            to = graph.partner_of(rows[good], rng.random(int(good.sum())))
            return by_lists(to, graph.partners, len(xy), 1 / K)

        row(name, exchanged, int(good.sum()), rows[good], options.releases)
    return 0


if __name__ == "__main__":
    sys.exit(main())
