# SPDX-License-Identifier: GPL-2.0-or-later
"""Rules between fields: what holds for every original, and may be broken by a release.

A method that keeps correlations knows nothing of "nobody below 16 is married". Such rules are found
in the original (a bound that a number keeps wherever another field has some value, and one number
that never exceeds another), or given by the data holder. Whoever breaks one is drawn anew where
the method has the freedom: spectral swapping exchanges components (see :func:`.spectral.exchange`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ..runtime.progress import Progress, shares, silent, weighted
from .coding import Coding
from .observations import BINARY, CATEGORICAL, ORDINAL, Observations, plain
from .variables import Variable

#: Says of rows of released columns which obey. Of several rules it may have ``parts``: each alone, by
#: how it is written.
Obey = Callable[[Mapping[str, np.ndarray]], np.ndarray]
#: Share of the others that a rule must exclude, and how unlikely it is by chance.
_EXCLUDES, _BY_CHANCE = 0.05, 1e-6
#: Rules that are found; values of a field that are looked at, and records, of more than so many.
_MOST, _LEVELS, _ASKED = 12, 40, 100_000
#: Asks for the rules that are found.
FOUND = "found"


@dataclass(frozen=True)
class Rule:
    """A rule that was found; a missing value breaks none.

    Attributes
    ----------
    field : str
        Of numbers.
    least : bool
        Whether the bound is the least that the number may be, or the most.
    bound : float or str
        A number, or the field of one.
    where, level : str or None, and its value
        The rule holds where this field has this value; everywhere without.
    excludes : float
        Share of the records that would break it if the fields had nothing to do with each other.
    """

    field: str
    least: bool
    bound: float | str
    where: str | None = None
    level: Any = None
    excludes: float = 0.0

    @property
    def expression(self) -> str:
        """The rule as an expression of QGIS."""
        bound = _quoted(self.bound) if isinstance(self.bound, str) else f"{self.bound:.12g}"
        said = f"{_quoted(self.field)} {'>=' if self.least else '<='} {bound}"
        if self.where is None:
            return said
        level = self.level
        if isinstance(level, bool):
            level = str(level).lower()
        elif isinstance(level, str):
            level = "'" + level.replace("'", "''") + "'"
        elif isinstance(level, float):
            level = f"{level:.12g}"
        return f"{_quoted(self.where)} <> {level} or {said}"

    def obeyed(self, columns: Mapping[str, np.ndarray]) -> np.ndarray:
        """Say which rows obey, (n,) bool."""
        value = np.asarray(columns[self.field], dtype=np.float64)
        if self.where is not None and self.where not in columns:
            return np.ones(len(value), dtype=bool)  # its categories are released as probabilities
        bound: Any = self.bound
        if isinstance(bound, str):
            bound = np.asarray(columns[bound], dtype=np.float64)
        with np.errstate(invalid="ignore"):
            broken = value < bound if self.least else value > bound
        if self.where is not None:
            broken &= np.asarray(columns[self.where] == self.level, dtype=bool)
        return ~broken


def all_obeyed(rules: Sequence[Rule]) -> Obey:
    """Return what says which rows obey all of some rules."""
    return lambda columns: np.logical_and.reduce([one.obeyed(columns) for one in rules])


def found_rules(
    columns: Mapping[str, Observations],
    coding: Coding,
    left: Collection[str] = (),
    progress: Progress = silent,
) -> list[Rule]:
    """Find rules that hold for every original, and hardly by chance.

    Parameters
    ----------
    columns : mapping of names to Observations
    coding : Coding
    left : collection of str
        Fields that take no part, such as coordinates.
    progress : callable

    Returns
    -------
    list of Rule
        Those that exclude most first.
    """
    used = [one for one in coding.variables if one.name not in left and not one.is_constant]
    names = [one.name for one in used if one.kind not in (CATEGORICAL, BINARY)]
    count = len(next(iter(columns.values())))
    step = -(-count // _ASKED)
    asked = {one.name: columns[one.name].take(np.arange(0, count, step)) for one in used}
    pairs = list(combinations(names, 2))
    of_pairs, of_levels, of_all = weighted(progress, 3, 5, 2)
    rules = []
    for number, (one, other) in enumerate(pairs):
        of_pairs(number / len(pairs))
        rules.extend(_order(asked[one], asked[other]))
    for number, variable in enumerate(used):
        of_levels(number / len(used))
        if not _has_levels(variable):
            continue
        for level in variable.levels:
            for name in names:
                of_levels(number / len(used))
                if level is not None and name != variable.name:
                    rules.extend(_bounds(asked[variable.name], level, asked[name]))
    rules.sort(key=lambda one: -one.excludes)
    if step > 1:  # what a sample obeys the others may break
        every = {name: plain(column) for name, column in columns.items()}
        rules = rules[: 4 * _MOST]
        held = []
        for rule, ahead in zip(rules, shares(of_all, len(rules))):
            ahead(0.0)
            if rule.obeyed(every).all():
                held.append(rule)
        rules = held
    return rules[:_MOST]


def _has_levels(variable: Variable) -> bool:
    kinds = (CATEGORICAL, BINARY, ORDINAL)
    return variable.kind in kinds and 2 <= len(variable.levels) <= _LEVELS


def _order(one: Observations, other: Observations) -> list[Rule]:
    both = one.present & other.present
    a, b = one.values[both].astype(float), other.values[both].astype(float)
    for low, high, names in ((a, b, (one.name, other.name)), (b, a, (other.name, one.name))):
        if len(low) and (low <= high).all():
            ordered = np.sort(high)
            excludes = float(np.mean(np.searchsorted(ordered, low, side="left")) / len(low))
            if _telling(excludes, len(low)):
                return [Rule(names[0], False, names[1], excludes=excludes)]
    return []


def _bounds(where: Observations, level: Any, number: Observations) -> list[Rule]:
    here = where.present & (where.values == level) & number.present
    there = ~here & number.present
    values, others = number.values[here].astype(float), number.values[there].astype(float)
    if not len(values) or not len(others):
        return []
    rules = []
    for least, bound in ((True, float(values.min())), (False, float(values.max()))):
        excludes = float(np.mean(others < bound if least else others > bound))
        if _telling(excludes, len(values)):
            named = bool(level) if where.is_logical else level
            rules.append(Rule(number.name, least, bound, where.name, named, excludes))
    return rules


def _telling(excludes: float, records: int) -> bool:
    """Whether so many records would hardly obey by chance."""
    return excludes >= _EXCLUDES and records * np.log1p(-min(excludes, 0.999)) < np.log(_BY_CHANCE)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
