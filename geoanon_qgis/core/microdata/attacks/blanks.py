# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by which values are missing, and which are those that many have.

Zeros, caps and codes such as 999 outlive what is done to the other values: of twenty amounts
replaced by anybody's, which of them are zero is as good as a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...runtime.progress import Progress, chunks, part, shares, silent
from ...runtime.wording import Sentence
from ..matrices import block_rows
from ..observations import ORDINAL
from ..variables import Variable
from .membership import distances, membership_by_ratio
from .scoring import Attack
from .table import MOST, Tables, answers, is_number, sample

#: Fewest marks by which people are compared.
_FEWEST = 2
#: Fewest values of a field of which one can be what many have, the least and the largest share of the
#: people who have it, and how many times as many these are as those with the value before or after it.
_VALUES, _SHARES, _STANDS_OUT = 20, (0.05, 0.95), 3.0
#: A column that says where a value is missing, or a number and the value that many have.
_Mark = int | tuple[Variable, float]


def by_blanks(
    tables: Tables, known: Sequence[str] = (), progress: Progress = silent
) -> list[Attack]:
    """Name as members those of whom a released record lacks the same, beside how many others do.

    Values may be anybody's: where a released record lacks what a person lacks, or is zero where hers
    is, and nobody else's, it was made of hers.

    Notes
    -----
    Without a reference a third of the originals stands for a release of other people. How often some
    lack the same may be unlike in another release, so that only what is surely found counts.
    """
    some = tables.known(known)
    marks: list[_Mark] = [at for one in some for at in one.missing_columns]
    few = tables.original[sample(len(tables.original), MOST, 16)]
    for one, ahead in zip(some, shares(part(progress, 0.0, 0.1), len(some))):
        ahead(0.0)
        marks += [(one, value) for value in spikes(one, few)]
    if len(marks) < _FEWEST:
        return []
    original, released, reference = (
        None if one is None else _marked(one, marks, ahead)
        for one, ahead in zip(
            (tables.original, tables.released, tables.reference),
            shares(part(progress, 0.1, 0.3), 3),
        )
    )
    assert original is not None and released is not None
    made = replace(tables, original=original, released=released, reference=reference)
    distance, _ = distances(made, part(progress, 0.3, 0.6))
    knows = Sentence(
        "which values of a person are missing or are those that many have, such as zero, and of how "
        "many others the same are,"
    )
    alone = reference is None
    found = membership_by_ratio(made, distance, part(progress, 0.6, 1.0), knows, crosswise=alone)
    return [replace(found, of_some=alone)]


def spikes(variable: Variable, matrix: np.ndarray) -> np.ndarray:
    """Values of a number that many share, while hardly anybody has the next ones."""
    if not is_number(variable) or variable.kind == ORDINAL:
        return np.zeros(0)
    values = answers(variable, matrix)
    kinds, often = np.unique(values[~np.isnan(values)], return_counts=True)
    if len(kinds) < _VALUES:
        return np.zeros(0)
    beside = np.pad(often, 1)
    stands_out = often >= _STANDS_OUT * np.maximum(beside[:-2], beside[2:])
    share = often / len(values)
    return kinds[stands_out & (share >= _SHARES[0]) & (share <= _SHARES[1])]


def _marked(matrix: np.ndarray, marks: Sequence[_Mark], progress: Progress) -> np.ndarray:
    """One where a record has a mark, minus one where it has not, ``(n, marks)``."""
    made = np.empty((len(matrix), len(marks)))
    for rows in chunks(len(matrix), block_rows(matrix.shape[1]), progress):
        block = matrix[rows]
        for at, mark in enumerate(marks):
            if isinstance(mark, tuple):
                made[rows, at] = np.where(answers(mark[0], block) == mark[1], 1.0, -1.0)
            else:
                made[rows, at] = block[:, mark]
    return made
