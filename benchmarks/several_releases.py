# SPDX-License-Identifier: GPL-2.0-or-later
"""What several fresh draws of the same people give away, and what a kept one does.

    python benchmarks/several_releases.py [--records 1000] [--releases 1 2 5 10]

Each release is drawn anew and its records can be linked with those of the others: likelihoods
multiply. Adversary A has the address list; found and believed are shares of the records.
"""

from __future__ import annotations

import argparse
import sys

import _dwellings as dwellings
import _timing  # noqa: F401  finds the package
import numpy as np

from geoanon_qgis.core.attacks.masks.likelihood import by_law, by_lists
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.attacks.masks.several import combined
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Donut, Gaussian, Laplace, disc
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.masking.sizes import Neighbours

K = 20


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


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=1_000)
    parser.add_argument("--releases", type=int, nargs="+", default=[1, 2, 5, 10])
    options = parser.parse_args()
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
