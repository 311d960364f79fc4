# SPDX-License-Identifier: GPL-2.0-or-later
"""Records that were released in the order of what they do not say: by income, or from west to east.

However much a field was changed, records that stand in the order of its true values are those of
the people of these ranks. Whether they do is seen by what else they say: the record of the same
rank fits a person better than those before and after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product

import numpy as np

from ...runtime.progress import Progress, interruptible, shares, silent
from ...runtime.wording import Sentence
from ..variables import Variable
from .paired import AROUND, Pairing
from .scoring import level_of
from .table import Tables, answers, is_number, sample

#: People who are looked at first, fewest values of a field that sort them, and the chance that any
#: order of records of nobody is looked at further.
_SAMPLE, _VALUES, _CHANCE = 3_000, 20, 1e-3
#: Originals at most for orders by two fields.
_TWO_KEYS = 100_000


def in_order(tables: Tables, progress: Progress = silent) -> Iterator[Pairing]:
    """Yield the fields by whose order records seem to stand, up or down.

    Parameters
    ----------
    tables : Tables
        With as many records released as there are originals; nothing is looked for otherwise. In files
        of no more than some, the order by a number within each category is looked at, too.
    """
    count = len(tables.original)
    if count != len(tables.released) or count <= 4 * AROUND:
        return
    orders = list(_orders(tables))
    sure = level_of(2 * max(len(orders), 1) * tables.original.shape[1], _CHANCE)
    for fields, ahead in zip(orders, shares(progress, max(len(orders), 1))):
        people = interruptible(partial(_sorted, tables.original, fields), ahead)
        if people is None:
            continue
        for down in (False, True):
            order = people[::-1] if down else people
            if _fits(tables, order, tables.columns([one.name for one in fields])) > sure:
                names = ", ".join(one.name for one in fields)
                title = Sentence("the rank of a person by {field}", field=names)
                others = interruptible(partial(_others, tables, fields, down), ahead)
                yield Pairing(title, order, np.arange(count), others)


def _orders(tables: Tables) -> Iterator[tuple[Variable, ...]]:
    """Fields that a file may be sorted by, the first first."""
    numbers = [one for one in tables.variables if is_number(one)]
    yield from ((one,) for one in numbers)
    if len(tables.original) <= _TWO_KEYS:
        groups = [one for one in tables.variables if not is_number(one)]
        yield from product(groups, numbers)


def _others(
    tables: Tables, fields: Sequence[Variable], down: bool
) -> list[tuple[np.ndarray, np.ndarray]]:
    """People of the reference in the same order, beside the records where they would stand."""
    if tables.reference is None:
        return []
    # Of more than there are records some would stand beside the same.
    people = tables.reference[sample(len(tables.reference), len(tables.released), 36)]
    order = _sorted(people, fields)
    if order is None:
        return []
    others = people[order[::-1] if down else order]
    return [(others, np.arange(len(others)) * len(tables.released) // len(others))]


def _sorted(matrix: np.ndarray, fields: Sequence[Variable]) -> np.ndarray | None:
    """Rows by rising values, those of the same in any order; None where numbers have too few."""
    *groups, number = fields
    column = matrix[:, number.columns.start]
    if len(np.unique(column)) < _VALUES:
        return None
    keys = [answers(one, matrix) for one in groups]
    return np.lexsort((np.random.default_rng(33).random(len(column)), column, *keys))


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
