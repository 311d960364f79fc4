# SPDX-License-Identifier: GPL-2.0-or-later
"""Signs that several records are of one person, where nobody says so.

A person's other records hide her where they are taken for other people's. That shows in the file: most
records have the very same values as another in several fields, which as many people who have nothing to
do with each other hardly ever have together; or those alike that have the same in one field, an id.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..runtime.progress import Progress, part, shares, silent
from .attacks.sharing import Shared
from .attacks.table import Tables, agree, answers, sample, tolerance_of
from .attacks.tied import own_records
from .distinct import distinct_rows
from .people import People
from .variables import Variable

#: People who are looked at, and fewest of them that tell.
_LOOKED_AT, _FEWEST = 2000, 30
#: Share of the nearest pairs that agree in a field, and fewest such fields.
_AGREE, _FIELDS = 0.6, 3
#: Share of the records that have others with the same in all of these, at least, of those that have none
#: if the fields have nothing to do with each other. Records of one person on average, at most.
_TOGETHER, _EACH = 0.5, 50
#: How much more than any two records those agree that have the same in a field which tells people
#: apart, of what any two do not; mean over the fields.
_MORE = 0.3


def shared_fields(tables: Tables, progress: Progress = silent) -> tuple[str, ...]:
    """Fields in which most records have the same as another, all together, beyond chance.

    Parameters
    ----------
    tables : Tables

    Returns
    -------
    tuple of str
        Empty where there is no such sign.
    """
    matrix, place, variables = tables.original, tables.place, tables.variables
    if len(matrix) < _FEWEST:
        return ()
    rows = sample(len(matrix), _LOOKED_AT, 61)
    # The record that shares most with each.
    names = [one.name for one in variables]
    shared = Shared(tables, matrix, matrix, names, 2, matrix[rows], 0.0, part(progress, 0.0, 0.2))
    some = sample(len(rows), shared.affordable, 61)
    rows, shared = rows[some], shared.some(some)
    _, other = shared.least(part(progress, 0.2, 0.6), own_records(rows, None))
    mine, theirs = (
        [np.nan_to_num(answers(one, table), nan=np.inf) for one in variables]
        for table in (matrix[rows], matrix[other])
    )
    told = [one for one, a, b in zip(variables, mine, theirs) if (a == b).mean() >= _AGREE]
    if len({"" if one.name in place else one.name for one in told}) < _FIELDS:
        return ()
    if not _beyond_chance(tables, told, part(progress, 0.6, 1.0)):
        return ()
    return tuple(one.name for one in told)


def _beyond_chance(tables: Tables, told: Sequence[Variable], progress: Progress) -> bool:
    """Whether more records have the same as another in some fields than chance lets people have.

    That is had by records whose fields have nothing to do with each other, and by people who are not in the
    file: in a large survey many have the same answers, since answers go together.
    """
    each = [np.arange(tables.original.shape[1])[one.columns] for one in told]
    together, strangers = (
        table[:, np.concatenate(each)]
        for table in (
            tables.original,
            tables.original[:0] if tables.reference is None else tables.reference,
        )
    )
    rng, at, dealt = np.random.default_rng(62), 0, np.empty_like(together)
    for columns in each:
        progress(0.0)
        some = slice(at, at + len(columns))
        dealt[:, some] = together[rng.permutation(len(together)), some]
        at = some.stop
    of_all, of_dealt = shares(progress, 2)
    kinds = distinct_rows(np.vstack([together, strangers]), of_all)
    mine, theirs = np.split(kinds.of_row, [len(together)])
    held = np.bincount(mine, minlength=len(kinds.count))
    if len(together) > _EACH * np.count_nonzero(held):
        return False
    usual = distinct_rows(dealt, of_dealt)
    by_chance = [float((usual.count[usual.of_row] > 1).mean())]
    if len(strangers) >= _FEWEST:
        by_chance.append(float((held[theirs] > 0).mean()))
    several, chance = float((held[mine] > 1).mean()), max(by_chance)
    return chance < 1 and several - chance >= _TOGETHER * (1 - chance)


def tells_people(whose: People, matrix: np.ndarray, variables: Sequence[Variable]) -> bool:
    """Tell whether records that have the same in a field look like those of one person.

    Parameters
    ----------
    whose : People
        By that field.
    matrix : (n, m) array
        Coded originals.
    variables : sequence of Variable
    """
    several = np.flatnonzero(whose.each > 1)
    count = len(whose.of)
    if (
        len(several) < _FEWEST
        or count > _EACH * whose.count
        or whose.each[several].sum() < count / 2
    ):
        return False
    some = whose.rows(several[sample(len(several), _LOOKED_AT, 63)], 2)
    order = np.argsort(whose.of[some], kind="stable")
    mine, other = some[order[0::2]], some[order[1::2]]
    rest = np.random.default_rng(64).permutation(mine)
    more = []
    for one in variables:
        values = answers(one, matrix)
        tolerance = tolerance_of(one, values)
        alike, usual = (
            float(agree(values[mine], values[them], tolerance).mean()) for them in (other, rest)
        )
        more.append((alike - usual) / (1 - usual) if usual < 1 else 0.0)
    return bool(np.mean(more) >= _MORE)
