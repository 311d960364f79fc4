# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by how much nearer one released record is than the next.

How near records come hangs on who is compared: classmates lie far from a release of other classes, and near to one
of theirs, all of them. Which of two records is nearer, and by how much, does not: where both are strangers' they
are about as far, and hers is much nearer than the next.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...runtime.progress import Progress, chunks, part, shares, silent
from ...runtime.wording import Sentence
from ..matrices import block_rows, copied
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
    Without a reference people are held against the other originals, of whom another one is nearest: beside the
    next person, where people have several records.
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
    """How far the nearest records of two other originals are from some of them, (q, 2).

    Parameters
    ----------
    originals : (n, m) array
    asked : (q, m) array
    rows : (q,) int array
        Which originals are asked for.
    whose : People, optional
        Whose record each original is, where people have several. The two are of two people then: of one
        person's records that lie close together none is by far the nearest, but a release need not keep
        together what is of one person, and of strangers' records one would seem nearer beside the next.
    """
    several = whose is not None
    whose = People(np.arange(len(originals))) if whose is None else whose
    records = Records(originals, part(progress, 0.0, 0.3))
    row, away, _ = nearest_others(
        records, asked, whose.of[rows], whose, 2, part(progress, 0.3, 0.6)
    )
    if several:
        away[:, 1] = _next_person(records, asked, whose.of[rows], whose, row[:, 0], progress)
    progress(1.0)
    return away


def _next_person(
    records: Records,
    asked: np.ndarray,
    persons: np.ndarray,
    whose: People,
    first: np.ndarray,
    progress: Progress,
) -> np.ndarray:
    """How far the nearest record is that is neither hers nor of whom the first is; infinite for none."""
    kinds = records.distinct
    alike = whose.alike(kinds.of_row)
    theirs = np.where(first >= 0, whose.of[first], -1)
    theirs[theirs == persons] = -1  # the first is alike with one of hers
    found = np.full(len(asked), np.inf)
    left, most = np.arange(len(asked)), 4
    ahead = shares(part(progress, 0.6, 1.0), 8)
    while len(left):
        still = []
        for some in chunks(len(left), block_rows(most), next(ahead, silent)):
            at = left[some]
            row, away, own = nearest_others(records, asked[at], persons[at], whose, most)
            kind = np.where(row >= 0, kinds.of_row[row], -1)
            besides = own + alike.own(kind, np.broadcast_to(theirs[at, None], kind.shape))
            other = (kind >= 0) & (kinds.count[kind] > besides)
            other[:, 0] = False
            there = other.any(axis=1)
            found[at[there]] = away[there, other[there].argmax(axis=1)]
            still.append(at[~there])
        if most >= len(kinds.count):
            break
        left, most = np.concatenate(still), min(4 * most, len(kinds.count))
    return found
