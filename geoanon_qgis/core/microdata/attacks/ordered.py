# SPDX-License-Identifier: GPL-2.0-or-later
"""Records that were released in the order of what they do not say: by income, or from west to east.

However much a field was changed, records that stand in the order of its true values are those of
the people of these ranks. Whether they do is seen by what else they say: the record of the same
rank fits a person better than those before and after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ...runtime.progress import Progress, interruptible, shares, silent
from ...runtime.wording import Sentence
from .paired import AROUND, Pairing
from .scoring import level_of
from .table import Tables, is_number, sample

#: People who are looked at first, fewest values of a field that sort them, and the chance that any
#: order of records of nobody is looked at further.
_SAMPLE, _VALUES, _CHANCE = 3_000, 20, 1e-3


def in_order(tables: Tables, progress: Progress = silent) -> Iterator[Pairing]:
    """Yield the fields by whose order records seem to stand, up or down.

    Parameters
    ----------
    tables : Tables
        With as many records released as there are originals; nothing is looked for otherwise.
    """
    count = len(tables.original)
    if count != len(tables.released) or count <= 4 * AROUND:
        return
    fields = [one for one in tables.variables if is_number(one)]
    sure = level_of(2 * max(len(fields), 1) * tables.original.shape[1], _CHANCE)
    for one, ahead in zip(fields, shares(progress, max(len(fields), 1))):
        column = tables.original[:, one.columns.start]
        people = interruptible(partial(_sorted, column), ahead)
        if people is None:
            continue
        for order in (people, people[::-1]):
            if _fits(tables, order, one.columns) > sure:
                title = Sentence("the rank of a person by {field}", field=one.name)
                yield Pairing(title, order, np.arange(count))


def _sorted(column: np.ndarray) -> np.ndarray | None:
    """Rows by rising values, those of the same value in any order; None of too few values."""
    if len(np.unique(column)) < _VALUES:
        return None
    return np.lexsort((np.random.default_rng(33).random(len(column)), column))


def _fits(tables: Tables, people: np.ndarray, sorting: slice) -> float:
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
