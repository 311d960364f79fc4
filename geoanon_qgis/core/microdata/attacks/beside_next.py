# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by how much nearer one released record is than the next.

How near records come hangs on who is compared: classmates lie far from a release of other classes, and near to one
of theirs, all of them. Which of two records is nearer, and by how much, does not: where both are strangers' they
are about as far, and hers is much nearer than the next.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...runtime.progress import Progress, part, silent
from ...runtime.wording import Sentence
from ..matrices import copied
from ..nearest import Records
from ..people import People, nearest_others
from .membership import WRONGLY, named_by
from .scoring import Attack
from .table import Tables, sample

#: People who are looked up; share of others whom he hardly ever is ready to name wrongly.
_LOOKED_UP, _HARDLY = 3_000, 0.01
#: What he knows, in words.
_KNOWS = (
    Sentence("everything of a person, and how much nearer one record is than the next,"),
    Sentence("everything of a person, and where one record is by far nearer than the next,"),
)


def by_next(tables: Tables, progress: Progress = silent) -> list[Attack]:
    """Name as members those to whom one record is nearer beside the next than to one in twenty others, or in a hundred.

    Who are released among strangers' records are seen best by the latter: of all others next to none is so near
    to one.

    Notes
    -----
    Without a reference people are held against the other originals, of whom another one is nearest.
    """
    people, others = tables.people(), tables.control()
    if tables.whose is None and tables.reference_whose is None:
        people, others = (one[sample(len(one), _LOOKED_UP, 20)] for one in (people, others))
    records = Records(np.ascontiguousarray(tables.released), part(progress, 0.0, 0.3))
    mine = copied(tables.original, people)
    own = beside_next(records.nearest(mine, 2, part(progress, 0.3, 0.6))[1])
    ahead = part(progress, 0.6, 1.0)
    if tables.reference is None:
        control = beside_next(near_others(tables.original, mine, people, tables.whose, ahead))
    else:
        theirs = copied(tables.reference, others)
        control = beside_next(records.nearest(theirs, 2, ahead)[1])
    one, each = tables.one_each(people, own), tables.one_each_of_control(others, control)
    progress(1.0)
    return [
        replace(
            named_by(words, tables.count, people[one], own[one], control[each], wrongly=wrongly),
            is_relative=True,
        )
        for words, wrongly in zip(_KNOWS, (WRONGLY, _HARDLY))
    ]


def beside_next(near: np.ndarray) -> np.ndarray:
    """How far the nearest of two is beside the next, (q,); one where there is none."""
    there = np.isfinite(near[:, 1]) & (near[:, 1] > 0)
    return np.divide(near[:, 0], near[:, 1], out=np.ones(len(near)), where=there)


def near_others(
    originals: np.ndarray,
    asked: np.ndarray,
    rows: np.ndarray,
    whose: People | None,
    progress: Progress = silent,
) -> np.ndarray:
    """How far the nearest two records of other originals are from some of them, (q, 2)."""
    whose = People(np.arange(len(originals))) if whose is None else whose
    records = Records(originals, part(progress, 0.0, 0.5))
    return nearest_others(records, asked, whose.of[rows], whose, 2, part(progress, 0.5, 1.0))[1]
