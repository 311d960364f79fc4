# SPDX-License-Identifier: GPL-2.0-or-later
"""Who knows the groups of an exchange: is he right as often as he believes?

    python benchmarks/known_groups.py [--kinds valley terraces rings hamlets soho] [--draws 12] [--first 0]

120, 250 or 600 of 3,000 addresses, or of those of Soho, at random or from one neighbourhood (*close*), are
exchanged in groups. He is told which records are in one group, not whose they are. It is printed how many of
the addresses that he names are right and how many he believes are, in a hundred, by kind and mask, and by how
sure he is.
"""

from __future__ import annotations

import argparse

import _mask_kinds as mask_kinds
import _timing  # noqa: F401  puts the checkout on the path
import numpy as np
from _soho import soho

from geoanon_qgis.core.attacks.masks.grouped import mixed, shares_of
from geoanon_qgis.core.attacks.masks.known_groups import closer
from geoanon_qgis.core.attacks.masks.likelihood import by_lists
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.masking.record_groups import mask_in_groups
from geoanon_qgis.core.runtime.progress import silent

_MASKS, _FILES, _ADDRESSES = ((5, 5), (8, 5), (20, 5), (20, 10), (40, 15)), (120, 250, 600), 3_000
_STEP = 0.02


def one_draw(kind: str, k: int, k_records: int, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Whether what he names is right, and how sure he is of it."""
    rng = np.random.default_rng([number, len(kind), k, k_records])
    xy = (
        np.unique(soho(), axis=0) if kind == "soho" else mask_kinds.addresses(kind, _ADDRESSES, rng)
    )
    count = _FILES[number % len(_FILES)]
    among = np.arange(len(xy))
    if number // len(_FILES) % 2:
        away = np.hypot(*(xy - xy[rng.integers(len(xy))]).T)
        among = np.argsort(away)[: max(2 * count, len(xy) // 5)]
    graph = partner_graph(xy, k)
    home = np.sort(rng.choice(among, count, replace=False))
    home = home[~graph.withheld[home]]
    made = mask_in_groups(graph, home, *rng.random((2, len(home))), k_records)
    shares = shares_of(by_lists(made.at(home), graph.partners, len(xy), 1 / k), None, silent)
    near = closer(shares, xy, made.group, k_records)
    guesses = who_lives_there(mixed(near, [(1.0, made.group)]))
    return guesses.right(home), guesses.top


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kinds", nargs="+", default=(*mask_kinds.KINDS, *mask_kinds.MORE, "soho"))
    parser.add_argument("--draws", type=int, default=12)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    print(
        f"{'kind':10}{'k':>4}{'records':>9}{'named':>8}{'right':>8}{'believed':>10}   in a hundred"
    )
    every = []
    for kind in options.kinds:
        for k, k_records in _MASKS:
            numbers = range(options.first, options.first + options.draws)
            draws = [one_draw(kind, k, k_records, number) for number in numbers]
            right, sure = (np.concatenate(one) for one in zip(*draws))
            every.append((right, sure))
            shown = f"{100 * right.mean():8.2f}{100 * sure.mean():10.2f}"
            print(f"{kind:10}{k:4}{k_records:9}{len(right):8,}{shown}", flush=True)
    right, sure = (np.concatenate(one) for one in zip(*every))
    print(f"\nAll {len(right):,}: right {right.sum():,.0f}, believed {sure.sum():,.0f}\n")
    print(f"{'how sure':>14}{'named':>8}{'believed':>10}{'right':>8}{'error':>8}")
    for at in range(int(np.ceil(sure.max() / _STEP))):
        low = at * _STEP
        here = (sure >= low) & (sure < low + _STEP)
        if here.any():
            error = np.sqrt(max(right[here].sum(), 1.0)) / here.sum()
            print(
                f"{low:8.2f} to {low + _STEP:.2f}{here.sum():7,}"
                f"{sure[here].mean():10.4f}{right[here].mean():8.4f}{error:8.4f}"
            )


if __name__ == "__main__":
    main()
