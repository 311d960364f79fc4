# SPDX-License-Identifier: GPL-2.0-or-later
"""Is the near group's confidence right? Predicted against right, and the curve fitted again.

    python benchmarks/near_confidence.py [--draws 110] [--store FOLDER] [--noisy]

``--draws`` draws files of eleven kinds, seven tenths as many of eight more, as many of six further kinds
and half as many more, seven tenths as many of files with much in common, a third as many small ones
(``_near_kinds.py``), nearly twice as many of five later kinds (``_later_kinds.py``) and as many with families
next door (``_kin_kinds.py``). The curve of now was fitted to 440 draws with other seeds: 262 of these, and 178 of the
kinds of ``confidence.py``. What is printed
are the slopes of the curve, predicted against right by the curve of now, and, for what counts, the same
by curves fitted to seven eighths of the kinds of the others, and of the later kinds by one fitted to
none of them: files that somebody releases are of none of these. Draws that are in FOLDER already are not
made again; what the curve says of them is worked out anew. Off by chance alone: twice the standard error
that stands beside each decile, or more, since the matches of one draw are right or wrong together.
``--noisy`` does the same for releases whose distances may be too long, by noise or as ISGP, which have a
curve of their own (``_noisy_kinds.py``; four ways to release, ``--draws`` of each, 35 for the slopes of
now, and 25 of the later kinds). It says less than was fitted, so that it is held to be never too sure.
``--unseen`` holds what the attack says of such releases, and of embeddings, against the five kinds that
nothing was fitted to or tuned on (``_unseen_kinds.py``; ``--draws`` of each way, 25 in the docs).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field, replace
from pathlib import Path

import _kin_kinds as kin_kinds
import _later_kinds as later_kinds
import _near_kinds as near_kinds
import _noisy_kinds as noisy_kinds
import _one_thread  # noqa: F401
import _unseen_kinds as unseen_kinds
import numpy as np
from near_group import attacked
from scipy.optimize import minimize
from scipy.special import expit

from geoanon_qgis.core.attacks.linkage.intervals import true_distances
from geoanon_qgis.core.attacks.linkage.near_confidence import (
    COLUMNS,
    CURVE,
    EVEN,
    LESS,
    LONGER,
    MOVED,
    SHARED_LABELS,
    SLOPES,
    STRANGERS,
    among_strangers,
    longer,
)
from geoanon_qgis.core.attacks.linkage.near_edges import Candidates
from geoanon_qgis.core.attacks.linkage.near_labels import GO_WITH_PLACES, alike

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
#: Parts of the kinds that are left out in turn.
_PARTS = 8
#: Slopes of 174 draws, before it was asked how exactly distances fit.
_BEFORE_EXACT = (-3.96, -0.03, 1.139, 0.718, -0.475, 0.098, -1.148, -0.183, -0.1)
_BEFORE_EXACT = (*_BEFORE_EXACT, 0.373, 6.105, -0.249, 0.0)
#: How exactly slopes and strangers are fitted.
_ROUGH = {"maxiter": 30, "maxfun": 600, "eps": 1e-3}
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
#: The more wrong pairs are expected, and the more candidates there are, the less sure a match is: at most
#: these slopes by their logarithms.
_HIGHEST_PLAIN = {0: -0.03, 7: -0.1}


#: Slopes, and the law of strangers.
Curve = tuple[np.ndarray, tuple[float, float]]
#: Of a release without a trial.
_NONE = np.zeros((0, COLUMNS))


@dataclass(frozen=True)
class Claims:
    """The likeliest matches of one attack, claimed or not."""

    kind: str
    right: np.ndarray
    columns: np.ndarray
    #: By what the curve is divided: groups that are doubted, people who share a place.
    divided: np.ndarray
    #: How it was released, where distances may be too long.
    way: str = ""
    #: The same of the adversary's trial, in an embedding: columns and divisors of everybody's own records
    #: and of who play strangers, how probable it is that no match forbids these, and records released.
    own: np.ndarray = field(default_factory=lambda: _NONE)
    own_divided: np.ndarray = field(default_factory=lambda: _NONE)
    strangers: np.ndarray = field(default_factory=lambda: _NONE)
    strangers_divided: np.ndarray = field(default_factory=lambda: _NONE)
    stands: np.ndarray = field(default_factory=lambda: _NONE)
    records: int = 0
    #: Another curve than that of now, in an embedding: slopes, and the law of strangers.
    curve: Curve = (np.array(SLOPES), STRANGERS)

    @property
    def chance(self) -> np.ndarray:
        """What is said of them."""
        if self.way:
            return said(self.columns, self.way) / self.divided
        plain, trial = self.plain
        return among_strangers(plain, *trial, self.stands, int(self.records), self.curve[1])

    @property
    def plain(self) -> tuple[np.ndarray, list[np.ndarray]]:
        """What would be said of them if no stranger had a label like theirs, and of the trial."""
        slopes = self.curve[0]
        plain, *trial = (
            expit(slopes[0] + (columns * slopes[1:]).sum(axis=1)) / divided
            for columns, divided in (
                (self.columns, self.divided),
                (self.own, self.own_divided),
                (self.strangers, self.strangers_divided),
            )
        )
        return plain, trial


def said(columns: np.ndarray, way: str) -> np.ndarray:
    """What the curve of now says where distances may be too long."""
    if not len(columns):
        return np.zeros(0)
    at = np.array(longer(*(bool(one) for one in columns[0, COLUMNS : COLUMNS + 3])))
    return expit(at[0] + (columns[:, :COLUMNS] * at[1:]).sum(axis=1))


def claims(case: near_kinds.Case, seed: int, way: str = "") -> Claims:
    """Attack a release."""
    one = attacked(case.files, case.rule, seed)
    found = one.found
    columns = found.signs.columns() if found.signs else _NONE
    if not way:
        if not found.trial:
            return Claims(case.kind, one.guessed[:0], columns, np.zeros(0))
        doubted = 1 + CURVE[2] * found.doubt
        trial, parts = found.trial, []
        for signs in (found.signs, trial.own, trial.strangers):
            parts += [signs.columns(), signs.ties * doubted]
        stands, records = np.exp(-trial.against), len(case.files.target)
        return Claims(case.kind, one.guessed, *parts[:2], "", *parts[2:], stands, records)
    # What the attack knows of the release: whether long distances are as exact as short ones,
    # whether it is ISGP, and whether chance was seen by places that were moved.
    kinds = Candidates.of_labels(case.files.target, case.files.known)
    true = true_distances(case.files.points, case.files.region.metric)
    moved = not kinds.tell or alike(kinds.kind_known, true) > GO_WITH_PLACES
    flags = (way in noisy_kinds.EVEN, way == "ISGP", moved)
    columns = np.column_stack([columns, *(np.full(len(columns), float(f)) for f in flags)])
    columns = np.column_stack([columns, columns[:, 0] * moved])
    return Claims(case.kind, one.guessed, columns, said(columns, way) / one.chance, way)


def stored(name: str, folder: Path | None, make) -> Claims:
    """Take claims from a folder, or make them and put them there."""
    if folder is None:
        return make()
    path = folder / f"{name}.npz"
    if path.exists():
        with np.load(path) as file:
            return Claims(**{key: file[key][()] for key in file})
    made = make()
    np.savez(path, **{key: one for key, one in vars(made).items() if key != "curve"})
    return made


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


def fitted(runs: list[Claims]) -> Curve:
    """The curve of embeddings: slopes and the law of strangers, all at once, near those of before.

    In turn they run away: what tells own records from strangers counts in the slopes and in the law.
    """
    right = np.concatenate([one.right for one in runs])
    middle, spread = _scales(runs)
    start = _scaled(np.array(_BEFORE_EXACT), middle, spread)

    def curve_of(at: np.ndarray) -> Curve:
        steep = _unscaled(at[:-2], middle, spread)
        for column, most in _HIGHEST_PLAIN.items():
            steep[column + 1] = min(steep[column + 1], most)
        return steep, (float(at[-2]), float(at[-1]))

    def loss(at: np.ndarray) -> float:
        curve = curve_of(at)
        said = np.concatenate([replace(one, curve=curve).chance for one in runs])
        likely = np.log(np.clip(np.where(right, said, 1 - said), 1e-9, 1.0)).sum()
        return _PULL * len(right) * float(((at[1:-3] - start[1:-1]) ** 2).sum()) - float(likely)

    return curve_of(minimize(loss, np.r_[start, STRANGERS], method="L-BFGS-B", options=_ROUGH).x)


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
    chance = np.concatenate([one.chance for one in runs])
    right = np.concatenate([one.right for one in runs])
    print(f"\n{title}: {len(runs)} draws\n")
    print(f"{'decile':12}{'matches':>8}{'predicted':>11}{'right':>8}{'off':>8}{'error':>8}")
    for low in np.arange(10) / 10:
        some = (chance >= low) & (chance < low + 0.1 + (low > 0.85))
        if some.any():
            sure, off = chance[some], chance[some].mean() - right[some].mean()
            error = np.sqrt((sure * (1 - sure)).sum()) / some.sum()
            held = "" if some.sum() < 50 else "  ok" if abs(off) <= 0.05 else "  MISSED"
            print(
                f"{low:.1f} to {low + 0.1:.1f}  {some.sum():8}{sure.mean():11.3f}"
                f"{right[some].mean():8.3f}{off:8.3f}{error:8.3f}{held}"
            )


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


def compared(runs: list[Claims], curve) -> None:
    """Print the curve of now and one that is fitted to these, and what both are worth."""
    noise = any(one.way for one in runs)
    now = slopes(runs).round(3).tolist() if noise else fitted(runs)
    print("slopes, now", curve, "fitted", now)
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
        compared(runs, (*LONGER, EVEN, SHARED_LABELS, *MOVED))
        return
    runs = []
    for split, (_, times) in _SPLITS.items():
        runs += drawn(split, range(int(times * options.draws)), options.store)
    compared(runs, (SLOPES, STRANGERS))


if __name__ == "__main__":
    main()
