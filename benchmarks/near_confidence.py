# SPDX-License-Identifier: GPL-2.0-or-later
"""Is the near group's confidence right? Predicted against right, and the curve fitted again.

    python benchmarks/near_confidence.py [--draws 110] [--store FOLDER] [--rounded | --noisy | --unseen]

``--draws`` draws files of eleven kinds, seven tenths as many of eight more, as many of six further kinds
and half as many more, seven tenths as many of files with much in common, a third as many small ones
(``_near_kinds.py``), nearly twice as many of five later kinds (``_later_kinds.py``), as many with families
next door (``_kin_kinds.py``), and those of seventeen kinds that were once kept aside (``_kinds_by_name.py``). The
curve of now was fitted to these. What is printed is the curve, predicted against right by the curve of now, and, for
what counts, the same by curves fitted to seven eighths of the kinds of the others, and of the later kinds by one
fitted to none of them: files that somebody releases are of none of these. Draws that are in FOLDER already are not
made again; what the curve says of them is worked out anew. Off by chance alone: twice the standard error
that stands beside each decile, or more, since the matches of one draw are right or wrong together.
``--rounded`` does the same for embeddings whose distances are rounded down, of a part of these kinds.
``--noisy`` does the same for releases whose distances may be too long, by noise or as ISGP, which have a
curve of their own (``_noisy_kinds.py``; four ways to release, ``--draws`` of each, 35 for the slopes of
now, and 25 of the later kinds). It says less than was fitted, so that it is held to be never too sure.
``--unseen`` holds what the attack says of such releases, and of embeddings, against the five kinds that
nothing was fitted to or tuned on (``_unseen_kinds.py``; ``--draws`` of each way, 25 in the docs).
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path

import _by_decile as by_decile
import _kin_kinds as kin_kinds
import _later_kinds as later_kinds
import _near_kinds as near_kinds
import _noisy_kinds as noisy_kinds
import _one_thread  # noqa: F401
import _spread_kinds as spread_kinds
import _unseen_kinds as unseen_kinds
import numpy as np
from _curve_of_strangers import fit, written
from _kinds_by_name import case_of
from _near_claims import Claims, claims, rounded_claims, said, stored
from scipy.optimize import minimize
from scipy.special import expit

from geoanon_qgis.core.attacks.linkage.near_confidence import (
    EVEN,
    LESS,
    LONGER,
    MOVED,
    SHARED_LABELS,
)
from geoanon_qgis.core.attacks.linkage.near_curves import EXACT, INEXACT
from geoanon_qgis.core.attacks.linkage.near_strangers import Curve

#: First seed of the draws of each split, and how many there are for each draw that is asked for.
_SPLITS = {
    "fit": (200_000, 1.0),
    "small": (250_000, 0.364),
    "too": (300_000, 0.728),
    "further": (500_000, 1.637),
    "shared": (400_000, 0.728),
    "later": (1_000_000, 1.819),
    "kin": (1_200_000, 1.091),
}
#: The same of kinds by name: kinds, first number, and how many draws of each for a draw that is asked for.
_BY_NAME = (
    (
        ("lakes", "stations", "hamlets", "suburbs", "canals", "clusters", "even", "streets"),
        400,
        0.364,
    ),
    (("valleys", "estates", "islands", "camps", *unseen_kinds.KINDS), 600, 0.2182),
)
#: Parts of the kinds that are left out in turn.
_PARTS = 8
#: Slopes under noise of before, fitted to 191 other draws, and how much new ones are drawn to those of
#: before, of columns with a spread of one.
_BEFORE = (0.802, -0.682, 1.053, 0.045, 0.126, 0.129, -1.354, -0.262, -0.353, 0.112, 0.444, 0.028)
_BEFORE = (*_BEFORE, 0.0, -0.528, 0.0, 0.0, 0.0)
_PULL = 0.001
#: Draws of the later kinds for each of the others, under noise.
_LATER = 25 / 35
#: Highest slopes under noise, by the number of the column: fewer wrong pairs never make less sure.
_HIGHEST = {0: -0.6, 10: 0.3, 15: 0.27}
#: A draw counts by the root of what it is said to find, that at least.
_LEAST = 5.0


def drawn(split: str, draws: range, folder: Path | None) -> list[Claims]:
    """Make claims of one kind of draws after the other."""
    out, first = [], _SPLITS[split][0]
    for number in draws:

        def make(number=number) -> Claims:
            if split == "too":
                seed = first + number // 2
                return claims(near_kinds.fitted_too(seed, bool(number % 2)), seed + 1)
            case = {
                "fit": near_kinds.fitted,
                "small": near_kinds.small,
                "further": near_kinds.further,
                "shared": near_kinds.shared,
                "later": later_kinds.later,
                "kin": kin_kinds.kin,
            }[split](first + number)
            return claims(case, first + number + 1)

        out.append(stored(f"{split}-{number}", folder, make))
    return out


def noisy(draws: int, folder: Path | None, name: str = "noisy") -> list[Claims]:
    """Make claims of releases whose distances may be too long, of one way after the other."""

    def make(number: int) -> Claims:
        if name == "unseen":
            case = unseen_kinds.unseen(number)
        else:
            case = noisy_kinds.noisy(number, name == "noisy-later")
        return claims(case, number + 1, noisy_kinds.way_of(case.rule))

    numbers = range(draws * len(noisy_kinds.WAYS))
    return [stored(f"{name}-{one}", folder, lambda one=one: make(one)) for one in numbers]


def by_name(draws: int, folder: Path | None) -> list[Claims]:
    """Make claims of the kinds by name."""
    return [
        stored(f"aside-{kind}-{number}", folder, partial(_of_kind, kind, number))
        for kinds, first, times in _BY_NAME
        for kind in kinds
        for number in range(first, first + int(times * draws))
    ]


def _of_kind(kind: str, number: int) -> Claims:
    return claims(case_of(kind, number), number + 1)


def _rounded_of(case, number: int, seed: int) -> Claims:
    return rounded_claims(case(number), seed)


def rounded(draws: int, folder: Path | None) -> list[Claims]:
    """Make claims of embeddings whose distances are rounded down."""
    number = int(0.364 * draws)
    made = [
        *(
            (near_kinds.fitted, 900_000),
            (near_kinds.further, 910_000),
            (later_kinds.later, 2_000_000),
        ),
        *((kin_kinds.kin, 2_100_000), (kin_kinds.kin, 2_200_000)),
    ]
    cases = [(one, first + at, at) for one, first in made for at in range(number)]
    for kind in ("hamlets", "canals", "suburbs", "clusters", "lakes"):
        cases += [(partial(case_of, kind), 700 + at, at) for at in range(0, number, 2)]
    for kind in spread_kinds.SETTLED.places:
        cases += [(partial(case_of, kind), 200 + at, at) for at in range(0, number, 3)]
    return [
        stored(f"rounded-{place}", folder, partial(_rounded_of, case, first, at + 31))
        for place, (case, first, at) in enumerate(cases)
    ]


def fitted(runs: list[Claims]) -> Curve:
    """The curve of embeddings."""
    some = [one.draw() for one in runs if len(one.right) and len(one.own)]
    rounded = runs[0].rounded
    return fit(some, INEXACT if rounded else EXACT, rounded)


def _scales(runs: list[Claims]) -> tuple[np.ndarray, np.ndarray]:
    """Mean and spread of the columns."""
    columns = np.concatenate([one.columns for one in runs])
    spread = columns.std(axis=0)
    spread[spread == 0] = 1.0  # a column that is the same in few draws tells nothing
    return columns.mean(axis=0), spread


def _scaled(steep: np.ndarray, middle: np.ndarray, spread: np.ndarray) -> np.ndarray:
    return np.r_[steep[0] + (steep[1:] * middle).sum(), steep[1:] * spread]


def _unscaled(at: np.ndarray, middle: np.ndarray, spread: np.ndarray) -> np.ndarray:
    steep = at[1:] / spread
    return np.r_[at[0] - (steep * middle).sum(), steep]


def slopes(runs: list[Claims]) -> np.ndarray:
    """Under noise: intercept and slopes that make the truth most likely, near those of before."""
    columns = np.concatenate([one.columns for one in runs])
    right = np.concatenate([one.right for one in runs])
    divided = np.concatenate([one.divided for one in runs])
    middle, spread = _scales(runs)
    scaled = np.column_stack([np.ones(len(columns)), (columns - middle) / spread])
    weight = np.concatenate([np.full(len(one.right), _counted(one)) for one in runs])
    weight *= len(weight) / weight.sum()
    start = _scaled(np.array(_BEFORE), middle, spread)

    def loss(at):
        plain = expit(scaled @ at)
        sure = np.clip(plain / divided, 1e-12, 1 - 1e-12)
        likely = weight * (right * np.log(sure) + (1 - right) * np.log(1 - sure))
        steep = weight * (sure - right) / (1 - sure) * (1 - plain)
        pulled = _PULL * len(right) * np.r_[0.0, (at - start)[1:]]
        return -likely.sum() + (pulled * (at - start)).sum(), scaled.T @ steep + 2 * pulled

    bounds = [(None, None)] * scaled.shape[1]
    for column, most in _HIGHEST.items():
        bounds[column + 1] = None, most * spread[column]
        start[column + 1] = min(start[column + 1], bounds[column + 1][1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    return _unscaled(found, middle, spread)


def _counted(one: Claims) -> float:
    return 1.0 / np.sqrt(max(float(one.chance.sum()), _LEAST))


def of_the_others(runs: list[Claims], apart: list[tuple[str, ...]]) -> list[Claims]:
    """What a curve fitted to all other kinds says of some kinds, in place of the curve of now."""
    out = []
    for kinds in apart:
        others = [one for one in runs if str(one.kind) not in kinds]
        some = [one for one in runs if str(one.kind) in kinds]
        if not any(one.way for one in runs):
            curve = fitted(others)
            out += [replace(one, curve=curve) for one in some]
            continue
        at = slopes(others)
        for one in some:
            sure = expit(at[0] - LESS + (one.columns * at[1:]).sum(axis=1))
            out.append(replace(one, divided=said(one.columns, one.way) * one.divided / sure))
    return out


def deciles(title: str, runs: list[Claims]) -> None:
    """Predicted against right, by decile."""
    by_decile.deciles(title, [(one.chance, one.right) for one in runs])


def by_kind(runs: list[Claims]) -> None:
    """Expected and right among the claimed, by kind of data."""
    print(f"\n{'kind':18}{'draws':>6}{'claimed':>9}{'expected':>10}{'right':>7}")
    for kind in sorted({str(one.kind) for one in runs}):
        some = [one for one in runs if one.kind == kind]
        chance = np.concatenate([one.chance for one in some])
        right = np.concatenate([one.right for one in some])
        sure = chance >= 0.5
        print(
            f"{kind:18}{len(some):6}{sure.sum():9}{chance[sure].sum():10.1f}{right[sure].sum():7}"
        )


def held_against(runs: list[Claims]) -> None:
    """Print what is said now against what is right, together, by way and by kind."""
    deciles("What the attack says", runs)
    for way in noisy_kinds.WAYS:
        deciles(f"Of these, {way}", [one for one in runs if one.way == way])
    by_kind(runs)


def compared(runs: list[Claims]) -> None:
    """Print a curve that is fitted to these, and what it and the one of now are worth."""
    if any(one.way for one in runs):
        now = (*LONGER, EVEN, SHARED_LABELS, *MOVED)
        print("slopes, now", now, "fitted", slopes(runs).round(3).tolist())
    else:
        print(written("INEXACT" if runs[0].rounded else "EXACT", fitted(runs)))
    deciles("By the curve of now", runs)
    by_kind(runs)
    kinds = sorted({str(one.kind) for one in runs})
    each = of_the_others(runs, [tuple(kinds[place::_PARTS]) for place in range(_PARTS)])
    deciles("Each kind by a curve that was fitted to others", each)
    by_kind(each)
    for way in sorted({str(one.way) for one in runs} - {""}):
        deciles(f"Of these, {way}", [one for one in each if one.way == way])
    later = of_the_others(runs, [later_kinds.KINDS])
    deciles("The later kinds by a curve of the others", later)
    by_kind(later)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=110)
    parser.add_argument("--rounded", action="store_true")
    parser.add_argument("--noisy", action="store_true")
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--store", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    if options.store:
        options.store.mkdir(parents=True, exist_ok=True)
    if options.unseen:
        held_against(noisy(options.draws, options.store, "unseen"))
        return
    if options.noisy:
        runs = noisy(options.draws, options.store)
        runs += noisy(int(_LATER * options.draws), options.store, "noisy-later")
        compared(runs)
        return
    if options.rounded:
        compared(rounded(options.draws, options.store))
        return
    runs = by_name(options.draws, options.store)
    for split, (_, times) in _SPLITS.items():
        runs += drawn(split, range(int(times * options.draws)), options.store)
    compared(runs)


if __name__ == "__main__":
    main()
