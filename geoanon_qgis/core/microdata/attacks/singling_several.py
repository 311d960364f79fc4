# SPDX-License-Identifier: GPL-2.0-or-later
"""Singling out by several variables: what a released record has alone is true of one person alone.

Giomi et al. (2023), section 4.1. A number is said to be at least, or at most, what the record has,
whichever fewer others are; of a category, that it is the same; and what is missing is said to be.
Predicates of each size are an attack of their own: the fewer variables, the fewer records stand
alone, and the more often it is right of those that do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ...runtime.progress import Progress, interruptible, part, shares, silent
from ...runtime.wording import Sentence
from ..digits import one_of
from ..people import People
from .scoring import SINGLING_OUT, Attack, effective
from .singling import EQUAL, LEAST_OF, MISSING, MOST_OF, Rows, answers_of, once_each, rows_of
from .table import Tables, is_number, sample

#: Variables of a predicate; records that one is looked for, at most and at least; tries for each;
#: and comparisons that are made for a size.
_SIZES, _ATTEMPTS, _FEWEST, _TRIES, _COST = range(2, 7), 800, 100, 10, 800_000_000
#: Rows times parts of predicates whose bits are kept, at most: 25 MB.
_KEPT = 200_000_000
#: People of whom a predicate is true who are told apart, and times that people are dealt out anew.
_FEW, _DEALT = 8, 100
_COMPARE: dict[int, Callable[..., np.ndarray]] = {
    EQUAL: np.equal,
    MOST_OF: np.less_equal,
    LEAST_OF: np.greater_equal,
    MISSING: lambda column, value: np.isnan(column),
}

#: A predicate: number of the variable, what is said, and of which value; for each part.
Predicate = tuple[tuple[int, int, float], ...]


@dataclass
class Made:
    """Predicates of one size, each of them once.

    Attributes
    ----------
    size : int
        Variables of each.
    predicates : list of Predicate
    reached, asked : int
        For how many records one was found that is true of no other, and for how many it was
        looked for.
    """

    size: int
    predicates: list[Predicate] = field(default_factory=list)
    reached: int = 0
    asked: int = 0


def multivariate(tables: Tables, progress: Progress = silent) -> list[Attack]:
    """Single people out by what a released record has alone in two to six variables.

    Only what is true of no other released record is tried, and of each record ten choices of
    variables.

    Returns
    -------
    list of Attack
        One for each number of variables, of records that are released once and of those that are
        released more than once, where there are predicates.
    """
    kinds = [is_number(one) for one in tables.variables]
    sizes = [size for size in _SIZES if size <= len(kinds)]
    of_rows, of_columns, of_tries = (
        part(progress, low, high) for low, high in ((0.0, 0.1), (0.1, 0.3), (0.3, 1.0))
    )
    rows = rows_of(tables, of_rows)
    original, reference = one_of(tables.digits, 0, part(progress, 0.1, 0.1))
    ahead = shares(of_columns, 3)
    released = columns_of(tables, tables.released, rows.released[rows.first], next(ahead))
    people = Truth(columns_of(tables, original, rows.own, next(ahead)), rows.own_people)
    if rows.control_by is None:
        assert reference is not None
        others = columns_of(tables, reference, rows.control, next(ahead))
    else:
        others = columns_of(tables, original, rows.control_by, next(ahead))
    ahead = shares(of_tries, 5)
    made = [
        (again, one)
        for again, asked in rows.groups
        for one in predicates_of(released, kinds, sizes, asked, next(ahead), often=rows.often)
    ]
    mine = [one for _, one in made]
    found = _whose(people, mine, next(ahead))
    # Without a reference other people's records make the predicates; with one they are tried on it.
    if rows.control_by is None:
        lucky = _whose(Truth(others, rows.control_people), mine, next(ahead))
    else:
        everybody = np.arange(len(rows.control_by))
        theirs = predicates_of(others, kinds, sizes, everybody, next(ahead), often=rows.often)
        lucky = 2 * _whose(people, theirs, next(ahead))
    blind = _blind(released, kinds, sizes, people, part(progress, 1.0, 1.0))
    return [
        _attack(tables, rows, *one, who, luck, blind)
        for one, who, luck in zip(made, found, lucky)
        if len(who)
    ]


def _attack(tables: Tables, rows: Rows, again: bool, made: Made, who, lucky, blind) -> Attack:
    """Count whom predicates of a size single out."""
    right, by_luck = ((one[:, 0] >= 0) & (one[:, 1] < 0) for one in (who, lucky))
    weigh = 1.0
    if rows.control_by is None:
        rate = (right.mean() + by_luck.mean()) / 2
        alone = 2 * rate * (1 - rate) / len(right)
        people = _numbers(who, rows.own_people), _numbers(lucky, rows.control_people)
        weigh = min(1.0, effective(alone, by_chance(*people)))
    elif rows.own_people is not None:
        weigh = once_each(rows.own_people, [who[right, 0]])
    alike = (rows.count > 1) == again
    knows = (
        Sentence("{count} fields of a released record", count=made.size),
        Sentence("{count} fields of a record that is released more than once", count=made.size),
    )
    return Attack(
        SINGLING_OUT,
        knows[again],
        Sentence("singles out the one person of whom they are true"),
        tables.count,
        len(right),
        int(right.sum()),
        len(by_luck),
        int(by_luck.sum()),
        blind,
        float(made.reached / made.asked * rows.count[alike].sum() / len(rows.released)),
        rows.dilution,
        np.unique(rows.own[who[right, 0]]),
        weighs=(weigh, weigh),
    )


def _numbers(rows: np.ndarray, whose: People | None) -> np.ndarray:
    """Who rows are of, where people have several; -1 for none."""
    return rows if whose is None else np.where(rows >= 0, whose.of[rows], -1)


def by_chance(who: np.ndarray, others: np.ndarray) -> float:
    """Variance of the difference of two shares that are singled out, if it were but chance.

    Many predicates single the same person out, and are right together. So people of the file and
    of the control are dealt out anew, as if they were the same.

    Parameters
    ----------
    who, others : (k, f) int arrays
        Rows, or people, of the file and of the control that predicates are true of; see
        :meth:`Truth.rows`.
    """
    rng = np.random.default_rng(16)
    both = np.hstack([who, np.where(others >= 0, others + who.max() + 1, -1)])
    there, at = np.unique(both, return_inverse=True)
    at = at.reshape(both.shape)
    off = np.empty(_DEALT)
    for number in range(_DEALT):
        one = rng.random(len(there)) < 0.5
        here, rest = one & (there >= 0), ~one & (there >= 0)
        off[number] = (here[at].sum(axis=1) == 1).mean() - (rest[at].sum(axis=1) == 1).mean()
    return float(off @ off) / _DEALT


def columns_of(
    tables: Tables, matrix: np.ndarray, rows: np.ndarray, progress: Progress = silent
) -> list[np.ndarray]:
    """Answers of some rows for each variable; seven digits are enough to tell people apart."""
    count = len(tables.variables)
    return [
        answers_of(variable, matrix, rows, ahead).astype(np.float32)
        for variable, ahead in zip(tables.variables, shares(progress, count))
    ]


class Truth:
    """Of whom predicates are true; a missing value is neither more nor less.

    The rows of whom a part is true are the bits of one number, which is made once.

    Parameters
    ----------
    columns : list of (n,) arrays
    whose : People, optional
        Whose record each row is, where people have several: they count then.
    often : int
        Of how many rows what is alone may be true.
    """

    def __init__(self, columns: list[np.ndarray], whose: People | None = None, often: int = 1):
        self._columns, self._whose, self._often = columns, whose, often
        self._known: dict[tuple[int, int, float], int] = {}

    def rows(self, predicate: Predicate) -> list[int]:
        """Rows of whom it is true, one of each person; none where these are more than a few."""
        found: dict[int, int] = {}
        rows = self._all(predicate)
        while rows and len(found) <= _FEW:
            row = rows.bit_length() - 1
            found.setdefault(row if self._whose is None else int(self._whose.of[row]), row)
            rows ^= 1 << row
        return [] if len(found) > _FEW else list(found.values())

    def alone(self, predicate: Predicate) -> bool:
        """Tell whether it is true of exactly one row, or of few enough, or of one person's."""
        rows = self._all(predicate)
        if self._whose is not None:
            return len(self.rows(predicate)) == 1
        for _ in range(self._often):
            if rows and not rows & (rows - 1):
                return True
            rows &= rows - 1
        return False

    def _all(self, predicate: Predicate) -> int:
        rows = -1 if predicate else 0  # as a number, -1 has all bits
        for one in predicate:
            rows &= self._known[one] if one in self._known else self._bits(one)
        return rows

    def _bits(self, one: tuple[int, int, float]) -> int:
        at, kind, value = one
        if len(self._known) * len(self._columns[at]) > _KEPT:
            self._known.clear()
        true = np.packbits(_COMPARE[kind](self._columns[at], value), bitorder="little")
        bits = self._known[one] = int.from_bytes(true.tobytes(), "little")
        return bits


def _whose(truth: Truth, made: list[Made], progress: Progress) -> list[np.ndarray]:
    """Rows that predicates are true of, ``(k, f)``; -1 for no more. See :meth:`Truth.rows`."""
    found = []
    for one, ahead in zip(made, shares(progress, max(len(made), 1))):
        who = np.full((len(one.predicates), _FEW), -1, dtype=np.intp)
        for number, predicate in enumerate(one.predicates):
            ahead(number / len(who))
            rows = truth.rows(predicate)
            who[number, : len(rows)] = rows
        found.append(who)
    return found


def predicates_of(
    columns: list[np.ndarray],
    kinds: list[bool],
    sizes: list[int],
    rows: np.ndarray,
    progress: Progress = silent,
    tries: int = _TRIES,
    most: int = _ATTEMPTS,
    often: int = 1,
) -> list[Made]:
    """Make predicates that are true of one record alone.

    Parameters
    ----------
    columns : list of (n,) arrays
        Answers of distinct records for each variable.
    kinds : list of bool
        Whether a variable is a number.
    sizes : list of int
    rows : (r,) int array
        Records that are looked at.
    tries : int
        Choices of variables for each.
    most : int
        Records that are looked at for each size, some of them again; fewer of large tables.
    often : int
        Of how many records a predicate may be true.
    """
    rng = np.random.default_rng(8)
    truth, made = Truth(columns, often=often), [Made(size) for size in sizes]
    count = len(columns[0])
    most = max(_FEWEST, min(most, _COST // (max(count, 1) * _TRIES * 4)))
    asked = rows[sample(len(rows), most, 9)]
    asked = np.tile(asked, -(-most // max(len(asked), 1)))[:most] if len(asked) else asked
    of_columns, progress = part(progress, 0.0, 0.1), part(progress, 0.1, 1.0)
    ordered = [  # what is missing comes last
        interruptible(partial(np.sort, column), ahead)
        for column, ahead in zip(columns, shares(of_columns, len(columns)))
    ]
    seen: dict[Predicate, bool] = {}
    for number, row in enumerate(asked.tolist()):
        progress(number / len(asked))
        said = [
            _said(at, float(column[row]), kinds[at], ordered[at])
            for at, column in enumerate(columns)
        ]
        for one in made:
            one.asked += 1
            found = False
            for _ in range(tries):
                of = rng.choice(len(columns), one.size, replace=False)
                predicate = tuple(said[at] for at in np.sort(of).tolist())
                if predicate in seen:
                    found = found or seen[predicate]
                    continue
                seen[predicate] = truth.alone(predicate)
                if seen[predicate]:
                    found = True
                    one.predicates.append(predicate)
                    break
            one.reached += found
    return made


def _said(at: int, value: float, number: bool, ordered: np.ndarray) -> tuple[int, int, float]:
    """What is said of a record's value in a predicate."""
    if value != value:
        return at, MISSING, 0.0
    if not number:
        return at, EQUAL, value
    there = int(np.searchsorted(ordered, np.inf, "right"))
    most, least = np.searchsorted(ordered, value, "right"), np.searchsorted(ordered, value)
    return at, (MOST_OF if most < there - least else LEAST_OF), value


def _blind(columns, kinds, sizes, people: Truth, progress: Progress) -> float:
    """Share of predicates of values thrown together that are true of exactly one person."""
    if not sizes:
        return 0.0
    rng, count, tries = np.random.default_rng(10), len(columns), 200
    right = 0
    for _ in range(tries):
        progress(1.0)
        predicate = tuple(
            (
                int(at),
                int(rng.integers(0, 3)) if kinds[at] else EQUAL,
                float(columns[at][rng.integers(len(columns[at]))]),
            )
            for at in rng.choice(count, int(rng.choice(sizes)), replace=False)
        )
        right += people.alone(predicate)
    return right / tries
