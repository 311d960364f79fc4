# SPDX-License-Identifier: GPL-2.0-or-later
"""What is true between the fields of a record, though none of them is.

Dates that were all moved by so many days, the same for everybody or another number for each person,
keep how many days lie between them; amounts that were all multiplied keep their ratios. Few people
have the same of several of these. So differences and ratios of numbers are fields, too, by which a
released record may be a person's. And so is what is left of numbers by whole units: who adds whole
euros or hours leaves the cents and minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...runtime.progress import Progress, interruptible, shares, silent, weighted
from ..observations import CONTINUOUS, POSITIVE
from ..people import People
from ..variables import Variable
from .blanks import spikes
from .in_part import InPart, found_in, related_fields
from .table import Tables, answers, sample

#: Every how many numbers one is compared with the others, and with how many before and after it: fields
#: of one unit stand together in most tables.
_EVERY, _AROUND = 2, 5
#: Different values that a number has at the least, and the spread of its logarithm from which on
#: ratios tell something: of dates, counted in days, they tell nothing.
_VALUES, _SPREAD = 10, 0.05
#: Originals by whom that is judged, and the share of them who have a number above 0, for ratios.
_LOOKED_AT, _LEAST_POSITIVE = 10_000, 0.5
#: Rows of each table that are looked at, about.
_ROWS = 50_000
#: Units of which something is left, how many a number reaches over, and how many rests are looked at together.
_UNITS, _UNITS_WIDE, _TOGETHER = (1.0, 10.0, 60.0), 3, 10
#: Level of all scans together.
_LEVEL = 0.002
#: Steps of ratios, in standard deviations of their logarithms: amounts are rounded. Not the nearest of
#: all: who has next to nothing of a field has all ratios to it far out, where the nearest is far off.
_STEP = 0.002


def between_fields(
    tables: Tables,
    released: np.ndarray,
    progress: Progress = silent,
    known: Sequence[int] | np.ndarray = (),
) -> InPart:
    """Find people of whom a record has differences or ratios of numbers as hardly any other has.

    Parameters
    ----------
    tables : Tables
    released : (p, m) array
        The release before columns in other units were taken back.
    known : sequence of int
        Originals who are listed already.

    Returns
    -------
    InPart

    Notes
    -----
    Of larger tables a sample is looked at, people and records each by themselves: what was done to all is
    seen by that, though not everybody is listed.
    """
    rows, tables, released = _sampled(tables, released)
    known = np.flatnonzero(np.isin(rows, known))
    found = InPart()
    of_scans, progress = weighted(progress, 1, 50)
    scans = list(_scans(tables, of_scans))
    for pairs, ahead in zip(scans, shares(progress, len(scans))):
        of_tables, of_scan = shares(ahead, 2)
        made = interruptible(partial(_between, tables, released, pairs), of_tables)
        level = _LEVEL / len(scans)
        names = [one.name for one in made.variables]
        listed = np.union1d(known, found.rows)
        one = found_in(made, made.original, made.reference, names, of_scan, 0.0, listed, level)
        found = found.besides(one)
    return replace(found, rows=rows[found.rows])


def _sampled(tables: Tables, released: np.ndarray) -> tuple[np.ndarray, Tables, np.ndarray]:
    """Rows of the originals that are looked at, and the tables of these; people with all their records."""
    (rows, whose), (others, theirs) = (
        _some(matrix, people, seed)
        for seed, (matrix, people) in enumerate(
            (
                (tables.original, tables.whose),
                (tables.reference, tables.reference_whose),
            ),
            61,
        )
    )
    records, _ = _some(released, None, 63)
    made = replace(
        tables,
        original=tables.original[rows],
        reference=None if tables.reference is None else tables.reference[others],
        whose=whose,
        reference_whose=theirs,
    )
    return rows, made, released[records]


def _some(
    matrix: np.ndarray | None, whose: People | None, seed: int
) -> tuple[np.ndarray, People | None]:
    """Rows of a sample, all of them in small tables, and whose they are."""
    if matrix is None:
        return np.zeros(0, dtype=np.intp), None
    if whose is None or len(matrix) <= _ROWS:
        return sample(len(matrix), _ROWS, seed), whose
    rows = whose.rows(sample(whose.count, max(1, _ROWS * whose.count // len(matrix)), seed))
    return rows, whose.some(rows)


@dataclass(frozen=True)
class _Pair:
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
            np.where(np.isin(answers(one, matrix), often), np.nan, _natural(one, matrix, change))
            for one, often in zip((self.first, self.second), self.often)
        )
        return second - first


@dataclass(frozen=True)
class _Rest:
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
        return np.round(_natural(self.number, matrix) / step) % round(self.unit / step) * step


def _natural(variable: Variable, matrix: np.ndarray, change: Callable = np.asarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        natural = change(variable.natural(matrix[:, variable.columns.start]))
    there = np.isfinite(natural) & ~np.isnan(answers(variable, matrix))
    return np.where(there, natural, np.nan)


def _scans(tables: Tables, progress: Progress) -> Iterator[Sequence[_Pair | _Rest]]:
    """Pairs of fields that are looked at together.

    All are of one field and some others, or of each field and the next, by what fits them: of all pairs of
    three, two differences make the third. Of fields that follow from each other one tells all.
    """
    firsts = {group[0] for group in related_fields(tables, progress)}
    numbers = [one for one in tables.variables if one.name in firsts and _tells(tables, one)]
    with_ratios = [one for one in numbers if _has_ratios(tables, one)]
    often = {one.name: spikes(one, tables.original) for one in numbers}

    def pair(first: Variable, second: Variable, is_ratio: bool) -> _Pair:
        return _Pair(first, second, is_ratio, (often[first.name], often[second.name]))

    for is_ratio, fields in ((False, numbers), (True, with_ratios)):
        for at in range(0, len(fields), _EVERY):
            first = max(0, at - _AROUND)
            others = [*fields[first:at], *fields[at + 1 : at + 1 + _AROUND]]
            if len(others) > 1:  # of one difference nobody is known
                yield [pair(fields[at], one, is_ratio) for one in others]
    chain = [
        pair(a, b, a in with_ratios and b in with_ratios) for a, b in zip(numbers, numbers[1:])
    ]
    if len({one.is_ratio for one in chain}) > 1:
        yield chain
    for unit in _UNITS:
        rests = [_Rest(one, unit) for one in numbers if _has_rests(tables, one, unit)]
        for at in range(0, len(rests), _TOGETHER):
            yield rests[at : at + _TOGETHER]


def _tells(tables: Tables, variable: Variable) -> bool:
    if variable.kind not in (CONTINUOUS, POSITIVE) or variable.name in tables.place:
        return False
    return len(np.unique(_some_of(tables, variable))) >= _VALUES


def _has_ratios(tables: Tables, variable: Variable) -> bool:
    values = variable.natural(_some_of(tables, variable))
    values = values[values > 0]  # who has nothing has no ratio
    fewest = _LEAST_POSITIVE * min(_LOOKED_AT, len(tables.original))
    return len(values) >= fewest and bool(np.log(values).std() > _SPREAD)


def _has_rests(tables: Tables, variable: Variable, unit: float) -> bool:
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


def _between(tables: Tables, released: np.ndarray, pairs: Sequence[_Pair | _Rest]) -> Tables:
    """Tables of nothing but differences or ratios."""
    made = [
        Variable(one.name, CONTINUOUS, "", slice(2 * at, 2 * at + 2))
        for at, one in enumerate(pairs)
    ]
    original = _differences(tables.original, pairs)
    usual = original[:, ::2].std(axis=0)
    usual[usual == 0] = 1.0
    theirs = _differences(released, pairs)
    reference = None if tables.reference is None else _differences(tables.reference, pairs)
    ratios = 2 * np.flatnonzero([one.is_ratio for one in pairs])
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


def _differences(matrix: np.ndarray, pairs: Sequence[_Pair | _Rest]) -> np.ndarray:
    """Each difference, and whether it is missing."""
    made = np.empty((len(matrix), 2 * len(pairs)))
    for at, one in enumerate(pairs):
        gap = one.of(matrix)
        made[:, 2 * at] = np.nan_to_num(gap)
        made[:, 2 * at + 1] = np.where(np.isnan(gap), 1.0, -1.0)
    return made
