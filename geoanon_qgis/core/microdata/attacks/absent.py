# SPDX-License-Identifier: GPL-2.0-or-later
"""Singling out by what is not there: a value that no released record has, though those beside it are.

Whoever keeps the values of single persons out of a release tells which these are: of ages from 18 to 90
all are there but seven, which one person each has. Predicates are made of the gaps of the release, and
counted as those of :mod:`.singling`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ...runtime.progress import Progress, interruptible, shares, silent
from ...runtime.wording import Sentence
from ..digits import one_of
from ..observations import resolution_of
from ..people import People
from ..variables import Variable
from .scoring import SINGLING_OUT, Attack
from .singling import answers_of, once_each, rows_of
from .table import Tables, is_number

#: Steps from the lowest to the highest value of a field, at most; of more, most are nobody's.
_STEPS = 100_000
#: Digits behind the point that are looked at.
_DIGITS = 5


def absent(tables: Tables, progress: Progress = silent) -> list[Attack]:
    """Single people out by values that no released record has, while both beside them are there.

    Parameters
    ----------
    tables : Tables

    Returns
    -------
    list of Attack
        One, or none where there are no such values, or no people who are not in the file: among whom
        the same values are the control. A half of the originals lacks other values than all of them.
    """
    if tables.reference is None:
        return []
    of_rows, of_values = shares(progress, 2)
    rows = rows_of(tables, of_rows)
    original, reference = one_of(tables.digits, 0, of_values)
    numbers = [one for one in tables.variables if is_number(one)]
    tried = right = lucky_right = 0
    found: list[np.ndarray] = []
    blind: list[float] = []
    for variable, ahead in zip(numbers, shares(of_values, max(len(numbers), 1))):
        each = shares(ahead, 8)
        released = _natural(
            variable, answers_of(variable, tables.released, rows.released, next(each))
        )
        own = _natural(variable, answers_of(variable, original, rows.own, next(each)))
        step = _step(released)
        if not step:
            continue
        own = _steps(own, step)
        there = _steps(released[~np.isnan(released)], step)
        gaps = gaps_of(there)
        job = partial(alone_with, gaps, own, rows.own_people)
        single, who = interruptible(job, next(each))
        tried, right = tried + len(gaps), right + int(single.sum())
        found.append(who[single])
        all_steps = np.arange(there.min(), there.max() + 1)
        job = partial(alone_with, all_steps, own, rows.own_people)
        blind.append(float(interruptible(job, next(each))[0].mean()))
        assert reference is not None
        theirs = answers_of(variable, reference, rows.control, next(each))
        others = _steps(_natural(variable, theirs), step)
        lucky, _ = interruptible(partial(alone_with, gaps, others, rows.control_people), next(each))
        lucky_right += int(lucky.sum())
    if not tried:
        return []
    weigh = 1.0 if rows.own_people is None else once_each(rows.own_people, found)
    return [
        Attack(
            SINGLING_OUT,
            Sentence("which values no released record has, though those beside them are there,"),
            Sentence("singles out the one person who has it"),
            tables.count,
            tried,
            right,
            tried,
            lucky_right,
            float(np.mean(blind)),
            # A value is that of one person at most.
            min(1.0, tried / tables.count),
            rows.dilution,
            np.unique(rows.own[np.concatenate(found)]),
            weighs=(weigh, weigh),
        )
    ]


def gaps_of(steps: np.ndarray) -> np.ndarray:
    """Whole numbers that are not there, though the next ones below and above are."""
    there = np.unique(steps)
    return there[:-1][np.diff(there) == 2] + 1


def alone_with(
    values: np.ndarray, people: np.ndarray, whose: People | None
) -> tuple[np.ndarray, np.ndarray]:
    """Whether exactly one of the people has each value, and a row that says so."""
    order = np.argsort(people, kind="stable") if whose is None else whose.once(people)
    ordered = people[order]
    low, high = np.searchsorted(ordered, values), np.searchsorted(ordered, values, "right")
    return high - low == 1, order[np.minimum(low, len(order) - 1)]


def _natural(variable: Variable, coded: np.ndarray) -> np.ndarray:
    """In the field's own units, without the last digits that coding makes."""
    return np.round(variable.natural(coded), _DIGITS)


def _step(released: np.ndarray) -> float:
    """By which step values go; nothing where they go by none, or by too many."""
    there = np.unique(released[~np.isnan(released)])
    if len(there) < 3 or resolution_of(there) == 0:
        return 0.0
    step = float(np.diff(there).min())
    return step if there[-1] - there[0] <= _STEPS * step else 0.0


def _steps(values: np.ndarray, step: float) -> np.ndarray:
    """Values as whole steps; what is missing is far from all."""
    return np.where(np.isnan(values), np.iinfo(np.int64).min, np.rint(values / step)).astype(
        np.int64
    )
