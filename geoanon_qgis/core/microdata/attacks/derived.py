# SPDX-License-Identifier: GPL-2.0-or-later
"""Fields that are made of the numbers of a table: their differences, ratios, and what is left by whole units."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..observations import CONTINUOUS, POSITIVE
from ..variables import Variable
from .blanks import spikes
from .table import Tables, answers, sample

#: Different values that a number has at the least, and the spread of its logarithm from which on
#: ratios tell something: of dates, counted in days, they tell nothing.
_VALUES, _SPREAD = 10, 0.05
#: Originals by whom that is judged, and the share of them who have a number above 0, for ratios.
_LOOKED_AT, _LEAST_POSITIVE = 10_000, 0.5
#: Originals by whom it is seen which values many have.
_SEEN = 50_000
#: How many units a number reaches over of which something is left.
_UNITS_WIDE = 3
#: Steps of ratios, in standard deviations of their logarithms: amounts are rounded. Not the nearest of
#: all: who has next to nothing of a field has all ratios to it far out, where the nearest is far off.
_STEP = 0.002


@dataclass(frozen=True)
class Pair:
    """Two numbers that are looked at together: by their ratio, or by their difference."""

    first: Variable
    second: Variable
    is_ratio: bool
    often: tuple[np.ndarray, np.ndarray]

    @property
    def name(self) -> str:
        return f"{self.second.name} {'/' if self.is_ratio else '−'} {self.first.name}"

    def of(self, matrix: np.ndarray) -> np.ndarray:
        """The difference, of logarithms for a ratio; not a number where there is none.

        Nor where one of both has a value that many have: from nothing to something is as far as that
        something, so that several differences would say one thing several times.
        """
        change = np.log if self.is_ratio else np.asarray
        first, second = (
            np.where(np.isin(answers(one, matrix), often), np.nan, natural(one, matrix, change))
            for one, often in zip((self.first, self.second), self.often)
        )
        return second - first


@dataclass(frozen=True)
class Rest:
    """What is left of a number by whole units: cents, minutes of an hour."""

    number: Variable
    unit: float
    is_ratio: bool = False

    @property
    def name(self) -> str:
        return f"{self.number.name} mod {self.unit:g}"

    def of(self, matrix: np.ndarray) -> np.ndarray:
        """What is left; not a number where there is none."""
        step = self.number.resolution
        return np.round(natural(self.number, matrix) / step) % round(self.unit / step) * step


def natural(variable: Variable, matrix: np.ndarray, change: Callable = np.asarray) -> np.ndarray:
    """Numbers of records in their own units, changed; not a number where one is missing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = change(variable.natural(matrix[:, variable.columns.start]))
    there = np.isfinite(values) & ~np.isnan(answers(variable, matrix))
    return np.where(there, values, np.nan)


@dataclass(frozen=True)
class Numbers:
    """Numbers of a table that can be held against each other.

    Attributes
    ----------
    all, with_ratios : sequence of Variable
        Those of many values, places aside, and those of them of which ratios tell something.
    often : dict of str to array
        Values that many have, by the name of the number.
    """

    all: Sequence[Variable]
    with_ratios: Sequence[Variable]
    often: dict[str, np.ndarray]

    @classmethod
    def of(cls, tables: Tables, names: Collection[str]) -> Numbers:
        """Take those of some names."""
        some = [one for one in tables.variables if one.name in names and _tells(tables, one)]
        seen = tables.original[sample(len(tables.original), _SEEN, 64)]
        often = {one.name: spikes(one, seen) for one in some}
        return cls(some, [one for one in some if _has_ratios(tables, one)], often)

    def pair(self, first: Variable, second: Variable, is_ratio: bool) -> Pair:
        """Two of them as one."""
        return Pair(first, second, is_ratio, (self.often[first.name], self.often[second.name]))


def _tells(tables: Tables, variable: Variable) -> bool:
    if variable.kind not in (CONTINUOUS, POSITIVE) or variable.name in tables.place:
        return False
    return len(np.unique(_some_of(tables, variable))) >= _VALUES


def _has_ratios(tables: Tables, variable: Variable) -> bool:
    values = variable.natural(_some_of(tables, variable))
    values = values[values > 0]  # who has nothing has no ratio
    fewest = _LEAST_POSITIVE * min(_LOOKED_AT, len(tables.original))
    return len(values) >= fewest and bool(np.log(values).std() > _SPREAD)


def has_rests(tables: Tables, variable: Variable, unit: float) -> bool:
    """Tell whether a number goes by steps far below the unit, and over many units."""
    if not 0 < variable.resolution <= unit / _VALUES:
        return False
    values = variable.natural(_some_of(tables, variable))
    spread = np.subtract(*np.quantile(values, (0.9, 0.1)))
    rests = np.round(values / variable.resolution) % round(unit / variable.resolution)
    return bool(spread >= _UNITS_WIDE * unit and len(np.unique(rests)) >= _VALUES)


def _some_of(tables: Tables, variable: Variable) -> np.ndarray:
    rows = sample(len(tables.original), _LOOKED_AT, 64)
    return tables.original[rows, variable.columns.start]


def derived(tables: Tables, released: np.ndarray, pairs: Sequence[Pair | Rest]) -> Tables:
    """Tables of nothing but differences or ratios."""
    names, is_ratio = [one.name for one in pairs], [one.is_ratio for one in pairs]
    return derived_of(tables, released, partial(_differences, pairs), names, is_ratio)


def derived_of(
    tables: Tables,
    released: np.ndarray,
    values: Callable[[np.ndarray], np.ndarray],
    names: Iterable[str],
    is_ratio: Sequence[bool] = (),
) -> Tables:
    """Tables of nothing but numbers that are made of the fields.

    Parameters
    ----------
    tables : Tables
    released : (p, m) array
    values : callable
        Takes records, and returns these numbers of each, not a number where there is none.
    names : iterable of str
    is_ratio : sequence of bool, optional
        Whether each is a logarithm of a ratio, which is rounded.
    """
    made = [
        Variable(name, CONTINUOUS, "", slice(2 * at, 2 * at + 2)) for at, name in enumerate(names)
    ]
    original = _told(values(tables.original))
    usual = original[:, ::2].std(axis=0)
    usual[usual == 0] = 1.0
    theirs = _told(values(released))
    reference = None if tables.reference is None else _told(values(tables.reference))
    ratios = 2 * np.flatnonzero(is_ratio)
    for table in (original, theirs, *([] if reference is None else [reference])):
        table[:, ::2] /= usual
        table[:, ratios] = np.round(table[:, ratios] / _STEP) * _STEP
    return replace(
        tables,
        original=original,
        released=theirs,
        reference=reference,
        variables=tuple(made),
        digits=((original, reference),),
        place=(),
        _tolerances={},
    )


def _differences(pairs: Sequence[Pair | Rest], matrix: np.ndarray) -> np.ndarray:
    return np.stack([one.of(matrix) for one in pairs], axis=1)


def _told(values: np.ndarray) -> np.ndarray:
    """Each number, and whether it is missing."""
    made = np.empty((len(values), 2 * values.shape[1]))
    made[:, ::2] = np.nan_to_num(values)
    made[:, 1::2] = np.where(np.isnan(values), 1.0, -1.0)
    return made
