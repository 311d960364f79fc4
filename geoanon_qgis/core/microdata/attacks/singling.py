# SPDX-License-Identifier: GPL-2.0-or-later
"""Singling out by one variable: what is true of one released record is true of exactly one person.

Giomi et al. (2023), section 4.1: predicates are made of the release alone and counted among the
people of the file and among as many who are not in it. Those of several variables are in
:mod:`.singling_several`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, shares, silent
from ...runtime.wording import Sentence, mark
from ..digits import in_turn, one_of
from ..distinct import row_hashes
from ..people import People
from ..variables import Variable
from .scoring import SINGLING_OUT, Attack
from .table import Tables, answers, is_number, sample

#: Predicates of one variable that are tried, at most.
_MOST = 10_000
#: Equal to a value, at most so much, at least so much, missing.
EQUAL, MOST_OF, LEAST_OF, MISSING = range(4)


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
class Rows:
    """Rows of the tables that take part.

    Attributes
    ----------
    released : (p,) int array
        What predicates are made of.
    first : (d,) int array
        Places in ``released`` of distinct records.
    count : (d,) int array
        How often each of these is released.
    own, control : (q,), (r,) int arrays
        Originals, and rows of the reference, on whom predicates are tried; without a reference
        the same originals.
    control_by : (s,) int array or None
        Without a reference, originals of whom the control's predicates are made.
    dilution : float
        See :class:`.scoring.Attack`.
    own_people, control_people : People or None
        Whose the rows of ``own`` and ``control`` are, where people have several.
    often : int
        A predicate is made of what is true of so many records at most: of one, or of as many as
        people usually have.
    """

    released: np.ndarray
    first: np.ndarray
    count: np.ndarray
    own: np.ndarray
    control: np.ndarray
    control_by: np.ndarray | None
    dilution: float
    own_people: People | None = None
    control_people: People | None = None
    often: int = 1

    @property
    def groups(self) -> list[tuple[bool, np.ndarray]]:
        """Distinct records that are released once, and those that are released more than once.

        Whoever makes predicates can see that a record stands there twice, and passes over the
        other one. They are counted by themselves: where alike records are people who are alike,
        nobody is singled out by them, which would hide whom others single out.
        """
        alike = self.count > 1
        return [(again, np.flatnonzero(alike == again)) for again in (False, True)]


def rows_of(tables: Tables, progress: Progress = silent) -> Rows:
    """Choose as many people of the file as there are others.

    Without a reference one half of the originals, as a release of other people would hold them,
    single out people of the other half; so does a half of the release.
    """
    n, released = len(tables.original), len(tables.released)
    rng = np.random.default_rng(2)
    whose = tables.whose
    people: tuple[np.ndarray, np.ndarray, np.ndarray | None, float]
    if whose is not None:
        some, *people = _of_people(tables, whose, rng)
    elif tables.reference is None:
        mixed = rng.permutation(n)
        half, rest = np.sort(mixed[: n // 2]), np.sort(mixed[n // 2 :])
        some = np.sort(rng.permutation(released)[: max(1, round(released * len(rest) / n))])
        people = half, half, rest, len(half) / n
    else:
        others = len(tables.reference)
        count = min(n, others)
        some = np.arange(released)
        people = sample(n, count, 3), sample(others, count, 4), None, count / n
    hashes = row_hashes(tables.released, progress)[some]
    _, first, count = interruptible(
        partial(np.unique, hashes, return_index=True, return_counts=True), progress, 1.0
    )
    order = interruptible(partial(np.argsort, first), progress, 1.0)
    made = Rows(some, first[order], count[order], *people)
    if whose is None:
        return made
    theirs = whose if tables.reference is None else tables.reference_whose
    theirs = None if theirs is None else theirs.some(made.control)
    return replace(made, own_people=whose.some(made.own), control_people=theirs, often=whose.usual)


def _of_people(tables: Tables, whose: People, rng: np.random.Generator):
    """The same where people have several records: as many people as there are others."""
    released = np.arange(len(tables.released))
    if tables.reference is None:
        halves = np.array_split(rng.permutation(whose.count), 2)
        half, rest = (whose.rows(some) for some in halves)
        share = len(rest) / len(tables.original)
        some = np.sort(rng.permutation(released)[: max(1, round(len(released) * share))])
        return some, half, half, rest, len(halves[0]) / whose.count
    theirs = tables.reference_whose or People(np.arange(len(tables.reference)))
    count = min(whose.count, theirs.count)
    own, others = sample(whose.count, count, 3), sample(theirs.count, count, 4)
    return released, whose.rows(own), theirs.rows(others), None, count / whose.count


def univariate(tables: Tables, progress: Progress = silent) -> tuple[list[Attack], list[Extreme]]:
    """Single people out by values that one released record has alone, and by extremes.

    Returns
    -------
    attacks : list of Attack
        By values of records that are released once, and of those that are released more than once
        where there are any.
    extremes : list of Extreme
        Outermost released values that are, to the digit, those of a single original.
    """
    of_rows, of_attacks, of_extremes = shares(progress, 3)
    rows = rows_of(tables, of_rows)
    found = []
    for digits, ahead in in_turn(tables.digits, of_attacks):
        found.append(_univariate(tables, rows, *digits, ahead))
        del digits  # before the next ones are coded
    worst = [max(some, key=lambda one: one.success - one.control) for some in zip(*found)]
    at = [some[0] for some in found].index(worst[0])
    original, _ = one_of(tables.digits, at, of_extremes)
    extremes = _extremes(tables, original, of_extremes)
    return [one for number, one in enumerate(worst) if one.tried or not number], extremes


def _univariate(tables, rows: Rows, original, reference, progress) -> list[Attack]:
    """Try single values of the two groups of records."""
    tried, right, control_tried, control_right, alone = np.zeros((5, 2), dtype=np.intp)
    blind = [0, 0]
    named: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    told: list[np.ndarray] = []
    most = max(1, _MOST // len(tables.variables))
    for variable, ahead in zip(tables.variables, shares(progress, len(tables.variables))):
        each = shares(ahead, 8)
        values = answers_of(variable, tables.released, rows.released, next(each))[rows.first]
        people = answers_of(variable, original, rows.own, next(each))
        ordered = interruptible(partial(Ordered.of, people, rows.own_people), next(each), 0.5)
        if rows.control_by is None:
            theirs = answers_of(variable, reference, rows.control, next(each))
            others = interruptible(partial(Ordered.of, theirs, rows.control_people), next(each))
        else:
            theirs = answers_of(variable, original, rows.control_by, next(each))
            of_theirs = interruptible(
                partial(_predicates, variable, theirs, rows.often), next(each)
            )
            theirs_made = _some(of_theirs[0], of_theirs[1], most, 6)
        made = interruptible(partial(_predicates, variable, values, rows.often), next(each))
        again = rows.count[made[2]] > 1
        for group in range(2):
            mine = again == bool(group)
            alone[group] += rows.count[made[2][mine]].sum()
            picked = _some(made[0][mine], made[1][mine], most, 5)
            single, who = _single(*picked, ordered)
            tried[group] += len(single)
            right[group] += single.sum()
            named[group].append(rows.own[who[single]])
            told.append(who[single])
            if rows.control_by is None:
                hit, _ = _single(*picked, others)
            else:
                hit, _ = _single(*theirs_made, ordered)
            control_tried[group] += len(hit)
            control_right[group] += hit.sum()
        rng = np.random.default_rng(7)
        there = interruptible(partial(np.unique, values[~np.isnan(values)]), next(each))
        if len(there):
            guess = rng.choice(there, min(most, 200)), rng.integers(0, 3, min(most, 200))
            hit, _ = _single(*guess, ordered)
            blind[0], blind[1] = blind[0] + len(hit), blind[1] + int(hit.sum())
    knows = (
        Sentence("a single field of a released record"),
        Sentence("a single field of a record that is released more than once"),
    )
    weigh = 1.0 if rows.own_people is None else once_each(rows.own_people, told)
    return [
        Attack(
            SINGLING_OUT,
            knows[group],
            Sentence("singles out the one person of whom it is true"),
            tables.count,
            int(tried[group]),
            int(right[group]),
            int(control_tried[group]),
            int(control_right[group]),
            blind[1] / blind[0] if blind[0] else 0.0,
            min(1.0, float(alone[group]) / len(rows.released)),
            rows.dilution,
            np.unique(np.concatenate(named[group])),
            weighs=(weigh, weigh),
        )
        for group in range(2)
    ]


def once_each(whose: People, told: list[np.ndarray]) -> float:
    """What a find is worth, as values of one person are there or not with her: of other people as
    many finds would vary by how unequal they are among these.
    """
    each = [np.bincount(whose.of[rows], minlength=whose.count) for rows in told]
    finds = float(sum(one.sum() for one in each))
    spread = float(sum(one.var() for one in each)) * whose.count
    return min(1.0, finds / spread) if spread > 0 else 1.0


@dataclass(frozen=True)
class Ordered:
    """Values of people in order, each once of a person; and her lowest and highest.

    Attributes
    ----------
    values, lowest, highest : (k,) arrays
        Without those that are missing.
    rows, lowest_rows, highest_rows, missing : (k,) int arrays
        Where each is; a row of each person who lacks a value.
    """

    values: np.ndarray
    rows: np.ndarray
    lowest: np.ndarray
    lowest_rows: np.ndarray
    highest: np.ndarray
    highest_rows: np.ndarray
    missing: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray, whose: People | None) -> Ordered:
        """Sort values; of people where these have several."""
        rows = np.argsort(values, kind="stable")
        there = rows[: len(rows) - int(np.isnan(values).sum())]
        missing = rows[len(there) :]
        if whose is None:
            return cls(*(values[there], there) * 3, missing)
        of = whose.of
        each = whose.once(values)
        each = each[~np.isnan(values[each])]
        low = there[np.sort(np.unique(of[there], return_index=True)[1])]
        high = there[::-1]
        high = high[np.sort(np.unique(of[high], return_index=True)[1])][::-1]
        missing = missing[np.unique(of[missing], return_index=True)[1]]
        return cls(values[each], each, values[low], low, values[high], high, missing)


def answers_of(
    variable: Variable, matrix: np.ndarray, rows: np.ndarray, progress: Progress
) -> np.ndarray:
    """Answers of some rows, block by block; see :func:`.table.answers`."""
    values = np.empty(len(rows))
    for block in chunks(len(rows), 100_000, progress):
        values[block] = answers(variable, matrix[rows[block]])
    return values


def _predicates(
    variable: Variable, values: np.ndarray, often: int = 1
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What is true of one record alone: its value, that it is outermost, or that it is missing.

    Of no more than ``often`` records, where these are as many as people have.

    Returns
    -------
    values, kinds : (k,) arrays
    of : (k,) int array
        The record.
    """
    missing = np.flatnonzero(np.isnan(values))
    there, at, count = np.unique(values, return_index=True, return_counts=True)
    known = ~np.isnan(there)
    there, at, count = there[known], at[known], count[known]
    alone = count <= often
    made = [(there[alone], np.full(int(alone.sum()), EQUAL), at[alone])]
    if is_number(variable) and len(there):
        made += [
            (there[[end]], np.array([kind]), at[[end]])
            for end, kind in ((0, MOST_OF), (-1, LEAST_OF))
            if alone[end]
        ]
    if 0 < len(missing) <= often:
        made.append((np.zeros(1), np.array([MISSING]), missing[:1]))
    values, kinds, of = (np.concatenate(some) for some in zip(*made))
    return values, kinds, of


def _some(
    values: np.ndarray, kinds: np.ndarray, most: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """No more predicates than are tried."""
    picked = sample(len(values), most, seed)
    return values[picked], kinds[picked]


def _single(
    values: np.ndarray, kinds: np.ndarray, people: Ordered
) -> tuple[np.ndarray, np.ndarray]:
    """Whether each predicate is true of exactly one of the people, and the row that says so."""
    single, who = np.zeros(len(values), dtype=bool), np.zeros(len(values), dtype=np.intp)
    for kind, there, rows in (
        (EQUAL, people.values, people.rows),
        (MOST_OF, people.lowest, people.lowest_rows),
        (LEAST_OF, people.highest, people.highest_rows),
    ):
        asked = np.flatnonzero(kinds == kind)
        low = np.searchsorted(there, values[asked]) if kind != MOST_OF else 0
        high = np.searchsorted(there, values[asked], "right") if kind != LEAST_OF else len(there)
        if len(there):
            single[asked] = high - low == 1
            who[asked] = rows[np.minimum(low, len(there) - 1)]
    if len(people.missing):
        single[kinds == MISSING] = len(people.missing) == 1
        who[kinds == MISSING] = people.missing[0]
    return single, who


def _extremes(tables: Tables, original: np.ndarray, progress: Progress) -> list[Extreme]:
    """Outermost values that are released as they are."""
    found, whose = [], tables.whose
    everybody, everything = np.arange(len(original)), np.arange(len(tables.released))
    numbers = [one for one in tables.variables if is_number(one)]
    for variable, ahead in zip(numbers, shares(progress, len(numbers))):
        each = shares(ahead, 2)
        people = answers_of(variable, original, everybody, next(each))
        values = answers_of(variable, tables.released, everything, next(each))
        if np.isnan(people).all() or np.isnan(values).all():
            continue
        for outermost, at, highest in (
            (np.nanmin, np.nanargmin, False),
            (np.nanmax, np.nanargmax, True),
        ):
            value = float(outermost(people))
            theirs = np.flatnonzero(people == value)
            count = len(theirs if whose is None else np.unique(whose.of[theirs]))
            if value == outermost(values) and count == 1:
                found.append(Extreme(variable, value, int(at(people)), highest))
    return found
