# SPDX-License-Identifier: GPL-2.0-or-later
"""Is the near group's confidence right? Predicted against right, and the curve fitted again.

    python benchmarks/near_confidence.py [--fit 200] [--aside 200] [--first 0] [--store FOLDER]

``--fit`` draws files of eleven kinds, nine tenths as many of eight more, and three quarters as many
small ones, and prints the slopes of the curve; ``--aside`` draws files of six kinds that it was not
fitted to, with settings that are others, too (``_near_kinds.py``). Draws that are in FOLDER already are not made again; what the curve says of them
is worked out anew. Off by chance alone: twice the standard error that stands beside each decile.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import _near_kinds as near_kinds
import _one_thread  # noqa: F401
import numpy as np
from near_group import attacked
from scipy.optimize import minimize
from scipy.special import expit

from geoanon_qgis.core.attacks.linkage.near_confidence import SLOPES

#: First seeds of the draws that the curve is fitted to, of small files and of more kinds among them,
#: and of those that it is held against.
_FITTED, _SMALL, _TOO, _ASIDE = 200_000, 250_000, 300_000, 500_000
#: How much slopes are drawn to zero, of columns with a spread of one.
_RIDGE = 1e-4


@dataclass(frozen=True)
class Claims:
    """The likeliest matches of one attack, claimed or not."""

    kind: str
    right: np.ndarray
    columns: np.ndarray
    #: By what the curve is divided: groups that are doubted, people who share a place.
    divided: np.ndarray

    @property
    def chance(self) -> np.ndarray:
        """What is said of them."""
        return said(self.columns) / self.divided


def said(columns: np.ndarray) -> np.ndarray:
    """What the curve of now says."""
    return expit(SLOPES[0] + (columns * SLOPES[1:]).sum(axis=1))


def claims(case: near_kinds.Case, seed: int) -> Claims:
    """Attack a release."""
    one = attacked(case.files, case.rule, seed)
    return Claims(case.kind, one.guessed, one.signs, said(one.signs) / one.chance)


def stored(name: str, folder: Path | None, make) -> Claims:
    """Take claims from a folder, or make them and put them there."""
    if folder is None:
        return make()
    path = folder / f"{name}.npz"
    if path.exists():
        with np.load(path) as file:
            return Claims(*(file[key][()] for key in Claims.__dataclass_fields__))
    made = make()
    np.savez(path, **vars(made))
    return made


def drawn(split: str, draws: range, folder: Path | None) -> list[Claims]:
    """Make claims of one kind of draws after the other."""
    out = []
    for number in draws:

        def make(number=number) -> Claims:
            if split == "fit":
                return claims(near_kinds.fitted(_FITTED + number), _FITTED + number + 1)
            if split == "small":
                return claims(near_kinds.small(_SMALL + number), _SMALL + number + 1)
            if split == "too":
                seed = _TOO + number // 2
                return claims(near_kinds.fitted_too(seed, bool(number % 2)), seed + 1)
            return claims(near_kinds.aside(_ASIDE + number), _ASIDE + number + 1)

        out.append(stored(f"{split}-{number}", folder, make))
    return out


def slopes(runs: list[Claims]) -> np.ndarray:
    """Intercept and slopes that make the truth most likely."""
    columns = np.concatenate([one.columns for one in runs])
    right = np.concatenate([one.right for one in runs])
    divided = np.concatenate([one.divided for one in runs])
    middle, spread = columns.mean(axis=0), columns.std(axis=0)
    scaled = np.column_stack([np.ones(len(columns)), (columns - middle) / spread])

    def loss(at):
        sure = np.clip(expit(scaled @ at) / divided, 1e-12, 1 - 1e-12)
        likely = right * np.log(sure) + (1 - right) * np.log(1 - sure)
        return -likely.sum() + _RIDGE * len(right) * (at[1:] ** 2).sum()

    found = minimize(loss, np.zeros(scaled.shape[1]), method="BFGS").x
    steep = found[1:] / spread
    return np.r_[found[0] - (steep * middle).sum(), steep]


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fit", type=int, default=0, metavar="DRAWS")
    parser.add_argument("--aside", type=int, default=300, metavar="DRAWS")
    parser.add_argument("--first", type=int, default=0, help="number of the first draw")
    parser.add_argument("--store", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    if options.store:
        options.store.mkdir(parents=True, exist_ok=True)
    splits = ("fit", options.fit, "Fitted to"), ("aside", options.aside, "Kept aside")
    for split, number, title in splits:
        if not number:
            continue
        runs = drawn(split, range(options.first, options.first + number), options.store)
        if split == "fit":
            runs += drawn("too", range(9 * number // 10), options.store)
            runs += drawn("small", range(3 * number // 4), options.store)
            print("slopes, now", SLOPES, "fitted", slopes(runs).round(3).tolist())
        deciles(title, runs)
        by_kind(runs)


if __name__ == "__main__":
    main()
