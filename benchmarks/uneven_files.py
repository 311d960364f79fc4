# SPDX-License-Identifier: GPL-2.0-or-later
"""A file that is denser here than there: what that tells of who lives where, behind an exchange of addresses.

    python benchmarks/uneven_files.py [--kind dwellings|town|valley|grid|even|terraces|hamlets|rings] [--k 32]
        [--times 5] [--draws 60] [--people 500]

An eighth of the addresses, those nearest to a random one, are so many times as often in the file as the
others. Three adversaries look for homes behind an exchange with ``--k`` partners: who takes all addresses
for as likely, as the attack does without weights; who has played such files, and *learnt* from them how to
guess from the released points where the file is dense (a conditional logit of how many points lie round an
address; he knows that there is such a quarter, and not where); and who was *told* where the quarter is, as
by counts of a district. Of each it is printed what he believes and what is right, of all records and of
those that he is surest of. Beside them stands what nobody is surer of who holds no address for more than
``--times`` times as likely (PRIOR_ODDS of the choice of a mask), and how many partners keep a limit so.
"""

from __future__ import annotations

import argparse
import sys

import _dwellings as dwellings
import _mask_kinds as mask_kinds
import _timing  # noqa: F401  puts the checkout on the path
import numpy as np

from geoanon_qgis.core.experiments.masks.prior_odds import at_most
from geoanon_qgis.core.experiments.masks.standing import Limit
from geoanon_qgis.core.masking.partners import PartnerGraph, partner_graph
from geoanon_qgis.core.space.points import build_tree

_ADDRESSES, _QUARTER, _ROUND, _STEPS = 4_000, 8, (20, 80, 300), 12
_SUREST = (1.0, 0.1, 0.05, 0.01)


def addresses(kind: str, rng: np.random.Generator) -> np.ndarray:
    """Places of a town, or of the dwellings round one of them."""
    if kind != "dwellings":
        return mask_kinds.addresses(kind, _ADDRESSES, rng)
    xy = np.unique(dwellings.integer_metres(), axis=0)
    away = np.hypot(*(xy - xy[rng.integers(len(xy))]).T)
    return xy[np.argsort(away)[:_ADDRESSES]]


class Played:
    """Files of one town, masked, and what a guesser sees of them."""

    def __init__(self, xy: np.ndarray, graph: PartnerGraph, people: int, times: float) -> None:
        self._xy, self._graph, self._people, self._times = xy, graph, people, times
        self._near = [build_tree(xy).query(xy, k=some)[1] for some in _ROUND]

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return partners of released points (n, k, features), the place of the truth, and told odds."""
        xy, partners = self._xy, self._graph.partners
        weight = np.ones(len(xy))
        away = np.hypot(*(xy - xy[rng.integers(len(xy))]).T)
        weight[np.argsort(away)[: len(xy) // _QUARTER]] = self._times
        home = rng.choice(len(xy), self._people, replace=False, p=weight / weight.sum())
        to = self._graph.partner_of(home, rng.random(len(home)))
        found = np.bincount(to, minlength=len(xy)).astype(float)
        usual = 0.5 * len(home) / len(xy)
        dense = [np.log(found[near].mean(axis=1) + usual) for near in self._near]
        wanted = np.log1p(found[partners].sum(axis=1))
        lists = partners[to]
        seen = np.stack([one[lists] for one in (*dense, wanted)], axis=-1)
        return seen, (lists == home[:, None]).argmax(axis=1), weight[lists]


def believed(seen: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Probability of each partner, (n, k)."""
    log = seen @ by
    chance = np.exp(log - log.max(axis=1, keepdims=True))
    return chance / chance.sum(axis=1, keepdims=True)


def learnt(files: list[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> np.ndarray:
    """What each thing that is seen is worth: a conditional logit, by Newton's steps."""
    by = np.zeros(files[0][0].shape[-1])
    for _ in range(_STEPS):
        slope, bend = np.zeros(len(by)), 1e-3 * np.eye(len(by))
        for seen, truth, _told in files:
            chance = believed(seen, by)
            mean = (chance[..., None] * seen).sum(axis=1)
            slope += (seen[np.arange(len(seen)), truth] - mean).sum(axis=0)
            bend += np.einsum("rk,rka,rkb->ab", chance, seen, seen) - mean.T @ mean
        by += np.linalg.solve(bend, slope)
    return by


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = ("dwellings", *mask_kinds.KINDS, *mask_kinds.MORE)
    parser.add_argument("--kind", nargs="+", choices=kinds, default=["dwellings", "hamlets"])
    parser.add_argument("--k", type=int, default=32)
    parser.add_argument("--times", type=float, default=5.0)
    parser.add_argument("--draws", type=int, default=60)
    parser.add_argument("--people", type=int, default=500)
    options = parser.parse_args()
    for kind in options.kind:
        if kind == "dwellings" and not dwellings.available():
            continue
        rng = np.random.default_rng([2718, options.k])
        xy = addresses(kind, rng)
        played = Played(xy, partner_graph(xy, options.k), options.people, options.times)
        by = learnt([played.draw(rng) for _ in range(options.draws)])
        files = [played.draw(rng) for _ in range(options.draws)]
        guesses = {
            "even": [np.full(told.shape, 1 / options.k) for *_, told in files],
            "learnt": [believed(seen, by) for seen, *_ in files],
            "told": [told / told.sum(axis=1, keepdims=True) for *_, told in files],
        }
        print(f"{kind}: {len(xy):,} addresses, {options.people} people, an eighth of the addresses "
              f"{options.times:g} times as often, {options.k} partners, {options.draws} draws")  # fmt: skip
        for name, some in guesses.items():
            top = np.concatenate([one.max(axis=1) for one in some])
            right = np.concatenate([one.argmax(axis=1) == f[1] for one, f in zip(some, files)])
            order = np.argsort(-top, kind="stable")
            told = [
                f"surest {share:.0%}: {100 * top[one].mean():.1f} ({100 * right[one].mean():.1f})"
                for share in (_SUREST if name != "even" else _SUREST[:1])
                for one in [order[: round(share * len(order))]]
            ]
            print(f"  {name:7} believed (right), per cent: " + ", ".join(told), flush=True)
        bound = 100 * float(at_most(1 / options.k, options.times))
        surest = max(float(one.max()) for some in guesses.values() for one in some)
        wanted = Limit(1 / options.k).least_addresses(options.times)
        print(
            f"  nobody is surer than {bound:.1f} (seen: {100 * surest:.1f}); {wanted} partners keep 1 / {options.k}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
