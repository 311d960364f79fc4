# SPDX-License-Identifier: GPL-2.0-or-later
"""Records that were released in the order of what they do not say: by income, or from west to east.

However much a field was changed, records that stand in the order of its true values are those of
the people of these ranks. Whether they do is seen by what else they say: the record of the same
rank fits a person better than those before and after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from ...runtime.progress import Progress, interruptible, shares, silent
from ...runtime.wording import Sentence, mark
from ..variables import Variable
from .paired import AROUND, Pairing
from .scoring import level_of
from .table import Tables, answers, is_number, sample

#: People who are looked at first, fewest values of a field that sort them, and the chance that any
#: order of records of nobody is looked at further.
_SAMPLE, _VALUES, _CHANCE = 3_000, 20, 1e-3
#: Originals at most for orders by two fields; every how many rows a file may be read; bits of a coordinate.
_TWO_KEYS, _EVERY, _BITS = 100_000, 20, 16
_CURVE = mark("the order of homes along a curve through all of them")


class _Order(NamedTuple):
    """An order of people: how it is called, by which fields, and the rows of a table in it, if it has one."""

    title: Sentence
    fields: tuple[str, ...]
    of: Callable[[np.ndarray], np.ndarray | None]


def in_order(tables: Tables, progress: Progress = silent) -> Iterator[Pairing]:
    """Yield the orders in which records seem to stand, up or down.

    Parameters
    ----------
    tables : Tables
        With as many records released as there are originals; nothing is looked for otherwise.

    Notes
    -----
    By a number, along a curve that goes from place to place, and the file read column by column or every
    some rows; in files of no more than some, by a number within each category or each value of another, too.
    """
    count = len(tables.original)
    if count != len(tables.released) or count <= 4 * AROUND:
        return
    orders = list(_orders(tables))
    if not orders:
        return
    sure = level_of(2 * len(orders) * tables.original.shape[1], _CHANCE)
    for order, ahead in zip(orders, shares(progress, len(orders))):
        people = interruptible(partial(order.of, tables.original), ahead)
        if people is None:
            continue
        sorting = tables.columns(order.fields)
        for way in (slice(None), slice(None, None, -1)):
            if _fits(tables, people[way], sorting) > sure:
                others = interruptible(partial(_others, tables, order, people, way), ahead)
                yield Pairing(order.title, people[way], np.arange(count), others)


def _orders(tables: Tables) -> Iterator[_Order]:
    """Orders that a file may be brought into."""
    # By others any two files that are as regular as samples on plates, or couples, fit each other.
    control = tables.reference is not None
    numbers = [one for one in tables.variables if is_number(one)]
    keys: list[tuple[Variable, ...]] = [(one,) for one in numbers]
    if len(tables.original) <= _TWO_KEYS:
        groups = [one for one in tables.variables if not is_number(one)]
        keys += product(groups, numbers)
        keys += permutations(numbers, 2) if control else ()
    for fields in keys:
        names = tuple(one.name for one in fields)
        title = Sentence("the rank of a person by {field}", field=", ".join(names))
        both = len(fields) > 1 and control  # one field is turned with the whole order
        for turned in (False, True)[: 1 + both]:
            yield _Order(title, names, partial(_sorted, fields, turned))
    if not control:
        return
    place = tuple(name for name in tables.place if tables.named([name]))
    if len(place) == 2:
        for columns in (tables.columns(place), tables.columns(place)[::-1]):
            yield _Order(Sentence(_CURVE), place, partial(_along_curve, columns))
    for by, way in product(range(2, _EVERY + 1), (_by_columns, _by_rows, _by_steps)):
        yield _Order(Sentence("the order of the file"), (), partial(way, by))


def _by_columns(by: int, matrix: np.ndarray) -> np.ndarray:
    """Every some rows, and then those after them."""
    return np.argsort(np.arange(len(matrix)) % by, kind="stable")


def _by_rows(by: int, matrix: np.ndarray) -> np.ndarray:
    """The other way round: a part of the file beside each other part."""
    return np.argsort(_by_columns(by, matrix))


def _by_steps(by: int, matrix: np.ndarray) -> np.ndarray | None:
    """Every some rows, round and round, where that comes to all of them."""
    count = len(matrix)
    return np.arange(count) * by % count if np.gcd(by, count) == 1 else None


def _along_curve(columns: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """From place to place as spatial indexes do, by the bits of both coordinates in turn (Morton 1966)."""
    key = np.zeros(len(matrix), dtype=np.int64)
    for at, column in enumerate(matrix[:, columns].T):
        low, wide = column.min(), max(np.ptp(column), 1e-12)
        cell = ((column - low) / wide * (2**_BITS - 1)).astype(np.int64)
        for bit in range(_BITS):
            key |= ((cell >> bit) & 1) << (2 * bit + 1 - at)
    return np.argsort(key, kind="stable")


def _others(
    tables: Tables, order: _Order, people: np.ndarray, way: slice
) -> list[tuple[np.ndarray, np.ndarray]]:
    """People of the reference in the same order, beside the records where they would stand.

    By rows alone they are those of the same rows, as far as there are: what every so many have in common stays.
    """
    if tables.reference is None:
        return []
    if not order.fields:
        there = np.flatnonzero(people[way] < len(tables.reference))
        return [(tables.reference[people[way][there]], there)]
    # Of more than there are records some would stand beside the same.
    theirs = tables.reference[sample(len(tables.reference), len(tables.released), 36)]
    rows = order.of(theirs)
    if rows is None:
        return []
    others = theirs[rows[way]]
    return [(others, np.arange(len(others)) * len(tables.released) // len(others))]


def _sorted(fields: Sequence[Variable], turned: bool, matrix: np.ndarray) -> np.ndarray | None:
    """Rows by rising values, those of the same in any order; None where numbers have too few.

    The last field falls if ``turned``. Who is alone with a first number needs no second.
    """
    *groups, number = fields
    column = matrix[:, number.columns.start]
    if len(np.unique(column)) < _VALUES:
        return None
    keys = [answers(one, matrix) for one in groups]
    if any(len(np.unique(one)) > len(one) // 2 for one in keys):
        return None
    chance = np.random.default_rng(33).random(len(column))
    return np.lexsort((chance, -column if turned else column, *keys))


def _fits(tables: Tables, people: np.ndarray, sorting: np.ndarray) -> float:
    """By how many standard deviations records are nearer than those around, in the best column.

    Not in that which sorts them: two files sorted by age have the same age in the same place.
    """
    at = AROUND + sample(len(people) - 2 * AROUND, _SAMPLE, 34)
    own = tables.original[people[at]]
    gap = -np.abs(tables.released[at] - own)
    for by in range(1, AROUND + 1):
        for there in (at - by, at + by):
            gap += np.abs(tables.released[there] - own) / (2 * AROUND)
    gap[:, sorting] = 0.0
    spread = gap.std(axis=0) / np.sqrt(len(gap))
    return float(
        np.divide(gap.mean(axis=0), spread, out=np.zeros_like(spread), where=spread > 0).max()
    )
