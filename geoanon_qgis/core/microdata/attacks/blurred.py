# SPDX-License-Identifier: GPL-2.0-or-later
"""Fields that are nearly true together in released records, among others that are not.

Noise of a fifth of a standard deviation spreads a person over fine groups of values, and of two fields
in coarse groups too little is left to be seen. Of three to six of them it is much: the more fields, the
fewer people are together in a cell by chance. So sets of fields grow by one field at a time, from those
that tell most, and each is held against chance by how many sets of its size there are. Groups begin
elsewhere four times: who is near the end of one is within another, and chance differs among them.

Where all numbers of a record were shifted, or multiplied, by one number of its own, and have noise besides, it is their
differences, or ratios, that are nearly true. So sets of numbers grow, too, that are held against the first of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import combinations
from math import comb

import numpy as np

from ...runtime.progress import Progress, interruptible, shares, silent
from .cells import Field, coded, counted_people, grouped
from .derived import Numbers, Pair, derived
from .growing import FEW, TRIED, begins, grown
from .table import Tables, is_number

#: Most people who are counted, and people times sets of two fields.
_PEOPLE, _WORK = 20_000, 30_000_000
#: The same of numbers that are held against each other; how far apart the first three of them stand: those of one
#: unit stand together in most tables.
_PEOPLE_OF_PAIRS, _AROUND = 5_000, 10
#: How many times as many pairs as numbers are kept in groups: sets are in order of their first numbers.
_KEPT = 4


def nearly_together(tables: Tables, progress: Progress = silent) -> list[tuple[str, ...]]:
    """Names of the fields that are nearly true together in released records; of each set of these, the surest first.

    Notes
    -----
    As :func:`.together.true_together` counts, with fewer groups and more fields. Places are asked with
    fields by :mod:`.joined`.
    """
    some = [one for one in tables.variables if one.name not in tables.place]
    pairs = comb(len(some), 2)
    people = counted_people(tables, int(np.clip(_WORK // max(pairs, 1), 1000, _PEOPLE)))
    if not people or not pairs:
        return []
    moved = begins(len(some))

    @lru_cache(maxsize=len(some))
    def of_field(at: int, groups: int) -> list[Field]:
        ways = moved[at] if is_number(some[at]) else (0.0,)
        return [coded(some[at], people, groups, way) for way in ways]

    found = _among(of_field, len(some), min(map(len, people)), progress)
    return [tuple(some[at].name for at in one) for one in found]


def among_values(
    values: Sequence[np.ndarray],
    progress: Progress = silent,
    searches: int = 1,
    apart: int = 1,
) -> list[list[int]]:
    """The same of columns of numbers.

    Parameters
    ----------
    values : sequence of three (..., k) arrays
        Of originals, released records and people of the reference; not a number where there is none.
    searches, apart : int
        See :func:`.growing.grown`.
    """
    count = values[0].shape[1]
    moved = begins(count)

    @lru_cache(maxsize=count)
    def of_column(at: int, groups: int) -> list[Field]:
        return [grouped([one[:, at] for one in values], groups, way) for way in moved[at]]

    return _among(of_column, count, min(map(len, values)), progress, searches, FEW, apart)


def _among(
    of_field: Callable[[int, int], list[Field]],
    count: int,
    people: int,
    progress: Progress,
    searches: int = 1,
    tried: int = TRIED,
    apart: int = 1,
) -> list[list[int]]:
    def coding(fields: Sequence[int], groups: int) -> list[list[Field]]:
        return _by_grid([of_field(at, groups) for at in fields])

    def starts(fields: Sequence[int]) -> list[tuple[int, ...]]:
        return [one for one in combinations(fields, 2) if one[1] - one[0] >= apart]

    return grown(coding, starts, count, people, progress, 0, searches, tried, apart)


def nearly_apart(tables: Tables, released: np.ndarray, progress: Progress = silent) -> list[Tables]:
    """Tables of the differences, and of the ratios, that are nearly true together in released records.

    Parameters
    ----------
    tables : Tables
    released : (p, m) array
        The release before columns in other units were taken back.

    Returns
    -------
    list of Tables
        Of nothing but each such number less the first, or divided by it.
    """
    people = counted_people(tables, _PEOPLE_OF_PAIRS, released)
    if not people:
        return []
    made = Numbers.of(tables, [one.name for one in tables.variables])
    found = []
    for is_ratio, ahead in zip((False, True), shares(progress, 2)):
        for pairs in _apart(people, made, is_ratio, ahead):
            found.append(interruptible(partial(derived, tables, released, pairs), ahead, 1.0))
    return found


def _apart(
    people: Sequence[np.ndarray], made: Numbers, is_ratio: bool, progress: Progress
) -> list[list[Pair]]:
    """Sets of numbers of which each but the first is held against the first."""
    numbers = made.with_ratios if is_ratio else made.all
    moved = begins(len(numbers))

    @lru_cache(maxsize=_KEPT * len(numbers))
    def values(one: int, other: int) -> list[np.ndarray]:
        pair = made.pair(numbers[one], numbers[other], is_ratio)
        return [pair.of(matrix) for matrix in people]

    @lru_cache(maxsize=_KEPT * len(numbers))
    def of_pair(one: int, other: int, groups: int) -> list[Field]:
        return [grouped(values(one, other), groups, way) for way in moved[other]]

    def coding(fields: Sequence[int], groups: int) -> list[list[Field]]:
        return _by_grid([of_pair(fields[0], other, groups) for other in fields[1:]])

    def starts(fields: Sequence[int]) -> list[tuple[int, ...]]:
        return [one for one in combinations(fields, 3) if one[2] - one[0] <= _AROUND]

    least = min(map(len, people))
    found = grown(coding, starts, len(numbers), least, progress, less=1, searches=2)
    return [
        [made.pair(numbers[first], numbers[at], is_ratio) for at in others]
        for first, *others in found
    ]


def _by_grid(fields: Sequence[Sequence[Field]]) -> list[list[Field]]:
    """The same fields by grids: as many as the field has that has most."""
    grids = max(map(len, fields))
    return [[one[grid % len(one)] for one in fields] for grid in range(grids)]
