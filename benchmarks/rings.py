# SPDX-License-Identifier: GPL-2.0-or-later
"""Records that a tool moved each by itself: is who looks for rings, without a key, right as he believes?

    python benchmarks/rings.py [--kinds town valley grid] [--draws 3] [--first 0] [--addresses 4000]
        [--homes 200] [--masks donut disc gaussian]

Homes are drawn at random, or from a quarter of so many neighbouring ones (*close*). How many records each
has is not told to anybody. For each mask it is printed, over all draws: records, what is right and (in
brackets) believed by each point alone, by all points as if each were of another home, by rings, and by
what ``geoanon:attackmask`` takes without a key: rings where the points show that homes have several
records (in how many draws), else the points as if each were of another home. Last, by tenths of what he
takes, what he believes and what is right.
"""

from __future__ import annotations

import argparse
import sys

import _mask_kinds as mask_kinds
import _timing  # noqa: F401  puts the checkout on the path
import numpy as np

from geoanon_qgis.core.attacks.masks.likelihood import by_law
from geoanon_qgis.core.attacks.masks.own_draws import of_own_draws
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.attacks.masks.together import together
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Donut, Gaussian, disc

LAWS = {"donut 40 to 60": Donut(40.0, 60.0), "disc 75": disc(75.0), "gaussian 100": Gaussian(100.0)}
RECORDS = ("1", "1, a tenth 2", "2", "3", "1 to 9", "5")


def records(which: str, homes: int, rng: np.random.Generator) -> np.ndarray:
    """How many records each home has."""
    if which == "1, a tenth 2":
        return 1 + (rng.random(homes) < 0.1)
    if which == "1 to 9":
        return np.minimum(rng.geometric(0.43, homes), 9)
    return np.full(homes, int(which))


def town(kind: str, count: int, rng: np.random.Generator) -> np.ndarray:
    """Addresses."""
    if kind != "town":
        return mask_kinds.addresses(kind, count, rng)
    from tests.core.test_mask_unlisted import town as streets

    return streets(int(rng.integers(1 << 30)), count)


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = ("town", *mask_kinds.KINDS)
    parser.add_argument("--kinds", nargs="+", choices=kinds, default=kinds)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--addresses", type=int, default=4_000)
    parser.add_argument("--homes", type=int, default=200)
    named = [one.split()[0] for one in LAWS]
    parser.add_argument("--masks", nargs="+", choices=named, default=named)
    options = parser.parse_args()
    every: list[tuple[np.ndarray, np.ndarray]] = []
    for kind in options.kinds:
        for name, law in LAWS.items():
            if name.split()[0] not in options.masks:
                continue
            for close in (False, True):
                for which in RECORDS:
                    sums, shown = np.zeros(9), 0
                    for draw in range(options.first, options.first + options.draws):
                        rng = np.random.default_rng([1616, draw, len(kind)])
                        xy = town(kind, options.addresses, rng)
                        near = np.arange(len(xy))
                        if close:
                            away = np.hypot(*(xy - xy[rng.integers(len(xy))]).T)
                            near = np.argsort(away)[: 4 * options.homes]
                        homes = rng.choice(near, options.homes, replace=False)
                        rows = np.repeat(homes, records(which, options.homes, rng))
                        apart = np.stack([rows, np.arange(len(rows))], axis=1)
                        moved = displace(xy[rows], law, rng.bytes(32), "rings", stored=apart).xy
                        likely = by_law(moved, xy, law)
                        drawn = of_own_draws(likely, xy, None, np.random.default_rng(0))
                        rings, other = drawn.likelihood, together(likely)
                        seen = np.quantile(drawn.shared, 0.05) >= 0.05
                        shown += int(seen)
                        found = [likely, other, rings, rings if seen else other]
                        guesses = [who_lives_there(one) for one in found]
                        right = [one.right(rows) for one in guesses]
                        both = [(r.sum(), g.top.sum()) for r, g in zip(right, guesses)]
                        sums += [len(rows), *np.ravel(both)]
                        every.append((guesses[-1].top, right[-1]))
                    sums /= options.draws
                    pairs = [f"{r:5.0f} ({b:4.0f})" for r, b in sums[1:].reshape(-1, 2)]
                    told = f"{kind:7}{name:15}{'close' if close else 'random':7}{which:13}"
                    print(f"{told}{sums[0]:6.0f}", *pairs, f" rings in {shown}", flush=True)
    top, right = (np.concatenate(one) for one in zip(*every))
    tenth = np.minimum((top * 10).astype(int), 9)
    for one in np.unique(tenth):
        of = tenth == one
        print(
            f"{one / 10:.1f}: {of.sum():6} believed {top[of].mean():.3f} right {right[of].mean():.3f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
