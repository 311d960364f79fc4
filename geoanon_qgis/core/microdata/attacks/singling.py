# SPDX-License-Identifier: GPL-2.0-or-later
"""Singling out: what is true of one released record is true of exactly one person.

Giomi et al. (2023), section 4.1: predicates are made of the release alone, of one variable or of
several, and counted among the people of the file and among as many who are not in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, part, shares, silent
from ...runtime.wording import Sentence, mark
from ..digits import in_turn, one_of
from ..variables import Variable
from .scoring import SINGLING_OUT, Attack
from .table import Tables, answers, is_number, sample

#: Predicates of one variable that are tried, at most; and how often one of several is looked for.
_MOST, _ATTEMPTS = 10_000, 4_000
#: Variables of a predicate of several, tries to single a released record out, and comparisons that
#: are made for it.
_FROM, _TO, _TRIES, _COST = 2, 6, 10, 4_000_000_000
#: Rows times parts of predicates whose bits are kept, at most: 25 MB.
_KEPT = 200_000_000
#: Equal to a value, at most so much, at least so much.
_EQUAL, _MOST_OF, _LEAST_OF = range(3)
_COMPARE = (np.equal, np.less_equal, np.greater_equal)


@dataclass(frozen=True)
class Extreme:
    """An outermost value of the release that is true of a single person.

    Attributes
    ----------
    variable : Variable
    value : float
        As coded.
    row : int
        The original.
    highest : bool
        Whether it is the highest value, not the lowest.
    """

    variable: Variable
    value: float
    row: int
    highest: bool

    @property
    def sentence(self) -> Sentence:
        """What it says, in words."""
        said = {
            True: mark("The highest {field} that is released, {value}, is that of one person."),
            False: mark("The lowest {field} that is released, {value}, is that of one person."),
        }[self.highest]
        value = float(self.variable.natural(np.array([self.value]))[0])
        return Sentence(said, field=self.variable.name, value=f"{value:.6g}")


@dataclass(frozen=True)
class _Rows:
    """Tables and rows of them: what predicates are made of, whom they are tried on, the control."""

    released: np.ndarray
    own: np.ndarray
    control: np.ndarray
    control_by: np.ndarray | None
    dilution: float


def _rows(tables: Tables) -> _Rows:
    """As many people of the file as there are others.

    Without a reference one half of the originals, as a release of other people would hold them,
    single out people of the other half; so does a half of the release.
    """
    n, released = len(tables.original), len(tables.released)
    rng = np.random.default_rng(2)
    if tables.reference is None:
        mixed = rng.permutation(n)
        half, rest = np.sort(mixed[: n // 2]), np.sort(mixed[n // 2 :])
        some = np.sort(rng.permutation(released)[: max(1, round(released * len(rest) / n))])
        return _Rows(some, half, half, rest, len(half) / n)
    others = len(tables.reference)
    count = min(n, others)
    return _Rows(
        np.arange(released), sample(n, count, 3), sample(others, count, 4), None, count / n
    )


def univariate(tables: Tables, progress: Progress = silent) -> tuple[Attack, list[Extreme]]:
    """Single people out by values that one released record has alone, and by extremes.

    Returns
    -------
    attack : Attack
    extremes : list of Extreme
        Outermost released values that are, to the digit, those of a single original.
    """
    of_attacks, of_extremes = shares(progress, 2)
    found = []
    for digits, ahead in in_turn(tables.digits, of_attacks):
        found.append(_univariate(tables, *digits, ahead))
        del digits  # before the next ones are coded
    at = max(range(len(found)), key=lambda one: found[one].success - found[one].control)
    original, _ = one_of(tables.digits, at, of_extremes)
    return found[at], _extremes(tables, original, of_extremes)


def _univariate(tables, original, reference, progress) -> Attack:
    rows = _rows(tables)
    tried = right = control_tried = control_right = 0
    blind, alone, named = [0, 0], 0, []
    for variable, ahead in zip(tables.variables, shares(progress, len(tables.variables))):
        each = shares(ahead, 5)
        values = _of(variable, tables.released, rows.released, next(each))
        people = _of(variable, original, rows.own, next(each))
        predicates = _predicates(variable, values)
        most = max(1, _MOST // len(tables.variables))
        alone += len(predicates[0])
        share = sample(len(predicates[0]), most, 5)
        picked = (predicates[0][share], predicates[1][share])
        order = _order(people, next(each))
        single, who = _single(*picked, people[order])
        tried, right = tried + len(single), right + int(single.sum())
        named.append(rows.own[order[who[single]]])
        if rows.control_by is None:
            others = np.sort(_of(variable, reference, rows.control, next(each)))
            hit, _ = _single(*picked, others)
        else:
            made = _predicates(variable, _of(variable, original, rows.control_by, next(each)))
            share = sample(len(made[0]), most, 6)
            hit, _ = _single(made[0][share], made[1][share], people[order])
        control_tried, control_right = control_tried + len(hit), control_right + int(hit.sum())
        rng = np.random.default_rng(7)
        there = np.unique(values[~np.isnan(values)])
        if len(there):
            guess = rng.choice(there, min(most, 200)), rng.integers(0, 3, min(most, 200))
            hit, _ = _single(*guess, people[order])
            blind[0], blind[1] = blind[0] + len(hit), blind[1] + int(hit.sum())
    return Attack(
        SINGLING_OUT,
        Sentence("a single field of a released record"),
        Sentence("singles out the one person of whom it is true"),
        len(tables.original),
        tried,
        right,
        control_tried,
        control_right,
        blind[1] / blind[0] if blind[0] else 0.0,
        min(1.0, alone / len(rows.released)),
        rows.dilution,
        np.unique(np.concatenate(named)),
    )


def _order(values: np.ndarray, progress: Progress) -> np.ndarray:
    return interruptible(lambda: np.argsort(values, kind="stable"), progress, 0.5)


def _of(variable, matrix, rows, progress) -> np.ndarray:
    """Answers of some rows, block by block."""
    values = np.empty(len(rows))
    for block in chunks(len(rows), 100_000, progress):
        values[block] = answers(variable, matrix[rows[block]])
    return values


def _predicates(variable: Variable, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values that one record has alone, and the extremes among these; and what is said of them."""
    there, count = np.unique(values[~np.isnan(values)], return_counts=True)
    alone = there[count == 1]
    made, kinds = [alone], [np.full(len(alone), _EQUAL)]
    if is_number(variable) and len(there):
        for at, kind in ((0, _MOST_OF), (-1, _LEAST_OF)):
            if count[at] == 1:
                made.append(there[[at]])
                kinds.append(np.array([kind]))
    return np.concatenate(made), np.concatenate(kinds)


def _single(
    values: np.ndarray, kinds: np.ndarray, people: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Whether each predicate is true of exactly one of the sorted people, and of which."""
    count = int(len(people) - np.isnan(people).sum())
    people = people[:count]
    low, high = np.searchsorted(people, values), np.searchsorted(people, values, "right")
    low = np.where(kinds == _MOST_OF, 0, low)
    high = np.where(kinds == _LEAST_OF, count, high)
    return high - low == 1, np.minimum(low, max(count - 1, 0))


def _extremes(tables: Tables, original: np.ndarray, progress: Progress) -> list[Extreme]:
    """Outermost values that are released as they are."""
    found = []
    everybody, everything = np.arange(len(original)), np.arange(len(tables.released))
    numbers = [one for one in tables.variables if is_number(one)]
    for variable, ahead in zip(numbers, shares(progress, len(numbers))):
        each = shares(ahead, 2)
        people = _of(variable, original, everybody, next(each))
        values = _of(variable, tables.released, everything, next(each))
        if np.isnan(people).all() or np.isnan(values).all():
            continue
        for outermost, at, highest in (
            (np.nanmin, np.nanargmin, False),
            (np.nanmax, np.nanargmax, True),
        ):
            value = float(outermost(people))
            if value == outermost(values) and np.count_nonzero(people == value) == 1:
                found.append(Extreme(variable, value, int(at(people)), highest))
    return found


# --- several variables ----------------------------------------------------------------------------


def multivariate(tables: Tables, progress: Progress = silent) -> Attack:
    """Single people out by what a released record has alone in two to six variables.

    A number is said to be at least, or at most, what the record has, whichever way it is off the
    median; of a category, that it is the same. Only what is true of no other released record is
    tried, and no record is given up before ten choices of variables.
    """
    rows = _rows(tables)
    original, reference = one_of(tables.digits, 0, progress)
    of = shares(part(progress, 0.0, 0.3), 3)
    released = _columns(tables, tables.released, rows.released, next(of))
    people = _columns(tables, original, rows.own, next(of))
    if rows.control_by is None:
        others = _columns(tables, reference, rows.control, next(of))
    else:
        others = _columns(tables, original, rows.control_by, next(of))
    medians = [float(np.nanmedian(one)) if not np.isnan(one).all() else 0.0 for one in released]
    kinds = [is_number(one) for one in tables.variables]
    most = int(np.clip(_COST / (len(rows.released) * _TRIES * 4), 100, _ATTEMPTS))
    of_tries, of_control = shares(part(progress, 0.3, 1.0), 2)
    made, asked = _made(released, medians, kinds, most, part(of_tries, 0.0, 0.7))
    who = _who(made, people, part(of_tries, 0.7, 1.0))
    # Without a reference other people's records make the predicates; with one they are tried on it.
    if rows.control_by is None:
        lucky = _who(made, others, of_control)
    else:
        theirs, _ = _made(others, medians, kinds, most, part(of_control, 0.0, 0.7))
        lucky = _who(theirs, people, part(of_control, 0.7, 1.0))
    single = who[who >= 0]
    return Attack(
        SINGLING_OUT,
        Sentence("several fields of a released record"),
        Sentence("singles out the one person of whom they are true"),
        len(tables.original),
        len(who),
        len(single),
        len(lucky),
        int(np.count_nonzero(lucky >= 0)),
        _blind(released, kinds, people, progress),
        len(made) / asked if asked else 0.0,
        rows.dilution,
        np.unique(rows.own[single]),
    )


#: A predicate: number of the variable, what is said, and of which value; for each part.
_Predicate = list[tuple[int, int, float]]


def _columns(tables: Tables, matrix, rows, progress) -> list[np.ndarray]:
    """Answers of some rows for each variable; seven digits are enough to tell people apart."""
    count = len(tables.variables)
    return [
        _of(variable, matrix, rows, ahead).astype(np.float32)
        for variable, ahead in zip(tables.variables, shares(progress, count))
    ]


class _Truth:
    """Of whom predicates are true; a missing value is neither more nor less.

    The rows of whom a part is true are the bits of one number, which is made once.
    """

    def __init__(self, columns: list[np.ndarray]):
        self._columns = columns
        self._known: dict[tuple[int, int, float], int] = {}

    def alone(self, predicate: _Predicate) -> int:
        """The row of whom alone it is true; -1 where that is not exactly one."""
        rows = -1 if predicate else 0  # as a number, -1 has all bits
        for one in predicate:
            rows &= self._known[one] if one in self._known else self._bits(one)
        return -1 if rows & (rows - 1) else rows.bit_length() - 1

    def _bits(self, one: tuple[int, int, float]) -> int:
        at, kind, value = one
        if len(self._known) * len(self._columns[at]) > _KEPT:
            self._known.clear()
        true = np.packbits(_COMPARE[kind](self._columns[at], value), bitorder="little")
        bits = self._known[one] = int.from_bytes(true.tobytes(), "little")
        return bits


def _who(made: list[_Predicate], columns: list[np.ndarray], progress: Progress) -> np.ndarray:
    """Whom each predicate is true of; -1 where that is not exactly one."""
    found, truth = np.full(len(made), -1, dtype=np.intp), _Truth(columns)
    for number, predicate in enumerate(made):
        progress(number / len(made))
        found[number] = truth.alone(predicate)
    return found


def _made(columns, medians, kinds, most: int, progress: Progress) -> tuple[list[_Predicate], int]:
    """Predicates that are true of one record alone, and how many records were tried."""
    rng = np.random.default_rng(8)
    count, truth = len(columns), _Truth(columns)
    asked = np.tile(sample(len(columns[0]), most, 9), -(-most // len(columns[0])))[:most]
    made: list[_Predicate] = []
    for number, row in enumerate(asked.tolist()):
        progress(number / len(asked))
        # What is said of each variable; nothing where the value is missing.
        own = [float(column[row]) for column in columns]
        said = [
            None if value != value else (at, _kind(value, medians[at], kinds[at]), value)
            for at, value in enumerate(own)
        ]
        for _ in range(_TRIES):
            size = int(rng.integers(min(_FROM, count), min(_TO, count) + 1))
            of = rng.choice(count, size, replace=False).tolist()
            predicate = [part for part in map(said.__getitem__, of) if part is not None]
            if truth.alone(predicate) >= 0:
                made.append(predicate)
                break
    return made, len(asked)


def _kind(value, median: float, number: bool) -> int:
    if not number:
        return _EQUAL
    return _LEAST_OF if value >= median else _MOST_OF


def _blind(columns, kinds, people, progress: Progress) -> float:
    """Share of predicates of values thrown together that are true of exactly one person."""
    rng, count, tries = np.random.default_rng(10), len(columns), 200
    made: list[_Predicate] = []
    for _ in range(tries):
        size = int(rng.integers(min(_FROM, count), min(_TO, count) + 1))
        made.append(
            [
                (
                    int(at),
                    int(rng.integers(0, 3)) if kinds[at] else _EQUAL,
                    float(columns[at][rng.integers(len(columns[at]))]),
                )
                for at in rng.choice(count, size, replace=False)
            ]
        )
    return float(np.mean(_who(made, people, lambda fraction: progress(1.0)) >= 0))
