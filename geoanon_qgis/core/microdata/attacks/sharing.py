# SPDX-License-Identifier: GPL-2.0-or-later
"""What people share with single records: values that few others have, or values as near as few's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, shares, silent
from ..people import People
from ..variables import Variable
from .table import MOST, Tables, answers, is_number

#: Values that are looked at, about; where that is too few for all, a sample of the people is looked
#: for, and of so many at the least.
_COST, _LEAST = 300_000_000, 200
#: So many times fewer where numbers count that are nearly the same: many records have such.
_NEAR = 3
#: A value counts that a fifth of the people or fewer have. What many have would add up over many
#: fields, and hide who shares few.
_RARE = 5.0
#: Pairs of people and records that are added up at a time.
_PAIRS = 1_000_000
#: Fewest people with a value of whom as many may be of every value.
_ALIKE = 5
#: How many people a value has on average where numbers of them may be equal by design.
_SEVERAL = 1.5
#: Values were rounded to nine digits: how far two may be off that are as near as that.
_ROUNDED = 2e-9


class Shared:
    """Values that people share with records.

    Parameters
    ----------
    tables : Tables
    background : (n, m) array
        Originals: how many of them have a value, or one as near, is what sharing it is worth.
    pool : (p, m) array
        The records.
    names : sequence of str
        Variables.
    own : int
        How many of a pair, person and record, are originals.
    people : (q, m) array
    near : float
        Share of the originals within which a number is as good as the same; 0 for equal ones alone.
    whose : People, optional
        Whose record each original is, where people have several: a value is worth how many people
        have it.
    related : sequence of sequence of str, optional
        Variables of which one follows from another: the same of several of them is one coincidence.
    """

    def __init__(
        self,
        tables: Tables,
        background: np.ndarray,
        pool: np.ndarray,
        names: Sequence[str],
        own: int,
        people: np.ndarray,
        near: float = 0.0,
        progress: Progress = silent,
        whose: People | None = None,
        related: Sequence[Sequence[str]] = (),
    ):
        self._count, self._pool = len(people), len(pool)
        self._cost = _COST / _NEAR if near else _COST
        place = [one for one in tables.named(names) if one.name in tables.place]
        # Both coordinates are one thing to know, and so is which values are missing.
        units = [partial(_unit, [one]) for one in tables.named(names) if one not in place]
        units += [partial(_unit, place)] * bool(place) + [partial(_missing, tables.named(names))]
        every = [
            interruptible(partial(made, background, pool, people, own, near, whose), ahead)
            for made, ahead in zip(units, shares(progress, len(units)))
        ]
        self._groups = _grouped(every, related)

    @property
    def affordable(self) -> int:
        """How many people may be looked for."""
        hits = sum(int((one.high - one.low).sum()) for one in chain(*self._groups))
        return int(np.clip(self._cost / (self._pool / 4 + hits / self._count), _LEAST, MOST))

    def some(self, rows: np.ndarray) -> Shared:
        """Return the same of some of the people."""
        made = object.__new__(Shared)
        made._count, made._pool, made._cost = len(rows), self._pool, self._cost
        made._groups = [[one.some(rows) for one in group] for group in self._groups]
        return made

    def least(
        self, progress: Progress = silent, own: tuple[np.ndarray, np.ndarray] | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return what chance leaves of the best record of each person, and which it is.

        Parameters
        ----------
        own : ((r,) int array, (r,) int array), optional
            Records that are people's own: whose, in order, and the record.
        """
        best, record = np.zeros(self._count), np.zeros(self._count, dtype=np.intp)
        at_once = max(1, _PAIRS // self._pool)
        total = np.zeros((at_once, self._pool))
        for some in chunks(self._count, at_once, progress):
            rows = np.arange(some.stop - some.start)
            total[:] = 0.0
            for first, *others in self._groups:
                if not others:
                    first.add(some, total)
                    continue
                most = np.zeros_like(total)
                for unit in (first, *others):
                    worth = np.zeros_like(total)
                    unit.add(some, worth)
                    np.maximum(most, worth, out=most)
                total += most
            if own is not None:
                first, last = np.searchsorted(own[0], (some.start, some.start + len(rows)))
                total[own[0][first:last] - some.start, own[1][first:last]] = 0.0
            record[some] = total[: len(rows)].argmax(axis=1)
            best[some] = total[rows, record[some]]
        return np.exp(-best), record

    def fields(self, person: int, record: int) -> tuple[str, ...]:
        """Names of the fields in which a record has the same rare value as a person, or as near."""
        return tuple(
            name
            for unit in chain(*self._groups)
            if unit.has(person, record)
            for name in unit.named(person)
        )


def _grouped(units: Sequence[_Unit], related: Sequence[Sequence[str]]) -> list[list[_Unit]]:
    """Units by what is related; both coordinates, and what is missing, are by themselves."""
    of = {name: at for at, group in enumerate(related) for name in group}
    made: dict[object, list[_Unit]] = {}
    for at, unit in enumerate(units):
        alone = len(unit.variables) > 1 or unit.lacking is not None
        key = None if alone else of.get(unit.variables[0].name)
        made.setdefault((None, at) if key is None else key, []).append(unit)
    return list(made.values())


@dataclass(frozen=True)
class _Unit:
    """A variable, both coordinates, or which values are missing: the records that have a value of each person.

    Attributes
    ----------
    variables : sequence of Variable
    order : (p,) int32 array
        The records by their value.
    low, high : (q,) int arrays
        Where those of each person begin and end in this order; none of what many have.
    worth : (q,) array
    lacking : (q, v) bool array, optional
        Which variables are missing, where that is what counts.
    """

    variables: Sequence[Variable]
    order: np.ndarray
    low: np.ndarray
    high: np.ndarray
    worth: np.ndarray
    lacking: np.ndarray | None = None

    def some(self, rows: np.ndarray) -> _Unit:
        lacking = None if self.lacking is None else self.lacking[rows]
        low, high, worth = self.low[rows], self.high[rows], self.worth[rows]
        return replace(self, low=low, high=high, worth=worth, lacking=lacking)

    def named(self, person: int) -> Iterator[str]:
        """Names of what a person shares with the records."""
        for at, one in enumerate(self.variables):
            if self.lacking is None or self.lacking[person, at]:
                yield one.name

    def add(self, people: slice, total: np.ndarray) -> None:
        """Add the worth to the records of some people, ``(s, p)``."""
        low, count = self.low[people], self.high[people] - self.low[people]
        start = np.cumsum(count) - count
        at = np.arange(int(count.sum())) + np.repeat(low - start, count)
        cells = self.order[at] + np.repeat(np.arange(len(count)) * total.shape[1], count)
        total.reshape(-1)[cells] += np.repeat(self.worth[people], count)

    def has(self, person: int, record: int) -> bool:
        return record in self.order[self.low[person] : self.high[person]]


def _unit(variables, background, pool, people, own: int, near: float, whose=None) -> _Unit:
    asked, have = _values(variables, people), _values(variables, background)
    if whose is not None:
        have = have[whose.once(have)]
    have, count = np.sort(have), len(have) if whose is None else whose.count
    radius = np.zeros(len(asked))
    # Fewest with a value from which on a stranger is none more of them.
    alike = 1 if len(variables) > 1 or _by_design(have) else _ALIKE
    if near and len(variables) == 1 and is_number(variables[0]):
        # As many others for who is among the originals as for who is not.
        alike = len(have) + 1
        radius = _radius(have, asked, max(1, int(np.ceil(near * count))) + own)
    below, above = (asked, asked) if len(variables) > 1 else (asked - radius, asked + radius)
    has = np.searchsorted(have, above, "right") - np.searchsorted(have, below)
    share = np.minimum(_share(has, own, count, alike), 1.0)
    if len(variables) > 1:
        least = _share_of_place(variables, background, have, asked, own)
        share = np.where(has > 1, np.maximum(share, least), least)
    share[~np.isfinite(asked)] = 1.0  # what is missing is counted together
    return _held(variables, share, _values(variables, pool), below, above)


def _missing(variables, background, pool, people, own: int, near: float, whose=None) -> _Unit:
    """Which values are missing: a section that few were asked is many blanks, and one thing to share."""
    lacking, *others = (_lacking(variables, one) for one in (people, background, pool))
    asked, have, theirs = (_patterns(one) for one in (lacking, *others))
    if whose is not None:
        have = have[whose.once(have)]
    count = len(have) if whose is None else whose.count
    alike = 1 if _by_design(np.sort(have)) else _ALIKE
    share = np.minimum(_share(_how_many(have, asked), own, count, alike), 1.0)
    share[~lacking.any(axis=1)] = 1.0
    return replace(_held(variables, share, theirs, asked, asked), lacking=lacking)


def _lacking(variables: Sequence[Variable], matrix: np.ndarray) -> np.ndarray:
    made = np.empty((len(matrix), len(variables)), dtype=bool)
    for at, one in enumerate(variables):
        for rows in chunks(len(matrix), 100_000):
            made[rows, at] = np.isnan(answers(one, matrix[rows]))
    return made


def _patterns(lacking: np.ndarray) -> np.ndarray:
    """A number for each set of missing values; others have others but by an accident of 64 bits."""
    made = np.zeros(len(lacking), dtype=np.uint64)
    numbers = np.random.default_rng(71).integers(2**63, size=lacking.shape[1], dtype=np.uint64)
    for column, number in zip(lacking.T, numbers):
        made += number * column
    return made


def _held(variables, share: np.ndarray, theirs: np.ndarray, below, above) -> _Unit:
    """The records with a value from and to these, where few have it."""
    worth = -np.log(share * _RARE)
    order = np.argsort(theirs, kind="stable").astype(np.int32)
    theirs = theirs[order]
    counts = worth > 0
    low = np.where(counts, np.searchsorted(theirs, below), 0)
    high = np.where(counts, np.searchsorted(theirs, above, "right"), 0)
    return _Unit(variables, order, low, high, worth)


def _share(has: np.ndarray, own: int, count: int, alike: int) -> np.ndarray:
    """Share of the people who have a value, by those other than ``own`` of them, and one more.

    Of who is not among them there is none more where many have it, or it is a place: where every school
    sends as many pupils, a pupil has one other fewer than a stranger of that school, and would be rarer
    than any. Of what is as near as so many others that is so in no case.
    """
    more = np.where(has >= alike, 0, 1) if own == 0 else 1 - own
    return np.maximum(has + more, 1) / count


def _by_design(ordered: np.ndarray) -> bool:
    """Whether values, sorted, are as frequent as each other, as where three come every day."""
    count = np.diff(np.flatnonzero(np.append(True, np.append(ordered[1:] != ordered[:-1], True))))
    return bool(count.mean() >= _SEVERAL and count.var() < count.mean() / 2)


def _share_of_place(variables, background, have, asked, own: int) -> np.ndarray:
    """Share of the people who have a place, at the least.

    Of a place that one person has another has it as often as one has it twice (Good, 1953), or as
    its coordinates let expect. One more is counted of either: of few places, as of villages, hardly
    any has one person or two, and that none has two does not say that none could. Nor is a home rarer
    whose people are among the originals: those of other people's homes are not.
    """
    count = np.unique(have, return_counts=True)[1]
    once, twice = (int((count == n).sum()) for n in (1, 2))
    # No more than live with somebody, and one: where nobody lives alone, nothing has one person.
    again = min(2 * (twice + 1) / (once + 1), (count**2).sum() / count.sum() + 1)
    apart = np.ones(len(asked))
    for one, values in zip(variables, (asked.real, asked.imag)):
        apart *= _share(_how_many(_values([one], background), values), own, len(have), 1)
    return np.maximum(apart, again / len(have))


def _values(variables: Sequence[Variable], matrix: np.ndarray) -> np.ndarray:
    """One number for each value; infinite for a missing one."""
    parts = [np.empty(len(matrix)) for _ in variables]
    for one, values in zip(variables, parts):
        for rows in chunks(len(matrix), 100_000):
            some = answers(one, matrix[rows])
            values[rows] = np.where(np.isnan(some), np.inf, some)
    if len(parts) == 1:
        return parts[0]
    both = parts[0].astype(complex)
    both.imag = parts[1]  # a product with 1j would make nothing of infinity
    return both


def _radius(have: np.ndarray, asked: np.ndarray, count: int) -> np.ndarray:
    """How far the ``count``-th nearest of sorted values is from each; 0 from what is missing."""
    there = np.isfinite(asked)
    values, last = asked[there], len(have) - count
    if last < 0:
        return np.zeros(len(asked))
    # The first window of so many values that reaches farther above than below.
    low = np.zeros(len(values), dtype=np.intp)
    high = np.full(len(values), last, dtype=np.intp)
    while (low < high).any():
        middle = (low + high) // 2
        enough = have[middle + count - 1] - values >= values - have[middle]
        low, high = (
            np.where(enough, low, np.minimum(middle + 1, high)),
            np.where(enough, middle, high),
        )
    away = [
        np.maximum(values - have[at], have[at + count - 1] - values)
        for at in (low, np.maximum(low - 1, 0))
    ]
    radius = np.zeros(len(asked))
    radius[there] = np.minimum(*away) + _ROUNDED
    return radius


def _how_many(values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """How often each wanted value occurs."""
    ordered = np.sort(values)
    return np.searchsorted(ordered, wanted, "right") - np.searchsorted(ordered, wanted)
