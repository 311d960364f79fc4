# SPDX-License-Identifier: GPL-2.0-or-later
"""How many partners an exchange alone needs against who knows that a person is in the file.

    python benchmarks/mask_partners.py [--addresses 4000] [--towns 2] [--draws 3] [--most 112]

``choosemask`` says that with k partners, n records and N addresses a record hides among about
1 + Poisson(k n / N). Printed, for parts of the 86,813 Dutch addresses and files of several sizes: k n / N,
one divided by the mean of the adversary's largest probabilities, and one divided by what they are at
most for 99 % of the people, with what the rule says.
"""

from __future__ import annotations

import argparse
import sys

import _dwellings as dwellings
import _timing  # noqa: F401  puts the checkout on the path
import numpy as np
from scipy.stats import poisson

from geoanon_qgis.core.attacks.masks.likelihood import by_lists
from geoanon_qgis.core.attacks.masks.posterior import which_record
from geoanon_qgis.core.masking.partners import partner_graph

_PARTNERS = (10, 14, 20, 28, 40, 56, 80, 112, 160, 226)
_SHARES = (1 / 16, 1 / 8, 1 / 4, 1 / 2)


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--addresses", type=int, default=4_000)
    parser.add_argument("--towns", type=int, default=2)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--most", type=int, default=112)
    options = parser.parse_args()
    if not dwellings.available():
        return 0
    every = np.unique(dwellings.integer_metres(), axis=0)
    print(f"{'town':>5}{'k':>5}{'n':>6}{'k n / N':>9}{'1 / mean':>10}{'1 / 99 %':>10}{'rule':>7}")
    for town in range(options.towns):
        rng = np.random.default_rng([5, town])
        away = np.hypot(*(every - every[rng.integers(len(every))]).T)
        xy = every[np.sort(np.argsort(away)[: options.addresses])]
        files = [
            [np.sort(rng.permutation(len(xy))[: int(part * len(xy))]) for _ in range(options.draws)]
            for part in _SHARES
        ]
        for k in (one for one in _PARTNERS if one <= options.most):
            graph = partner_graph(xy, k)
            for some in files:
                tops = []
                for home in some:
                    to = graph.partner_of(home, rng.random(len(home)))
                    pairs = by_lists(to, graph.partners, len(xy), 1.0 / graph.k)
                    tops.append(which_record(pairs, home[to >= 0]).top)
                tops, near = np.concatenate(tops), k * len(some[0]) / len(xy)
                print(
                    f"{town:5}{k:5}{len(some[0]):6}{near:9.1f}{1 / tops.mean():10.1f}"
                    f"{1 / np.quantile(tops, 0.99):10.1f}{1 + poisson.ppf(0.01, near):7.0f}",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
