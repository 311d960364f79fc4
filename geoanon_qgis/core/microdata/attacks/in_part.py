# SPDX-License-Identifier: GPL-2.0-or-later
"""Released in part: one released record has so many of a person's values that it must be hers.

Averages over all people do not see the few of whom a release holds the place, the age and the
illness, whatever its other fields are. Here the values that each person shares with one released
record count by how few others have them. The same is done with people who are not in the file, and
only what is beyond all of these, and beyond what their best ones let expect, is told.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product

import numpy as np

from ...runtime.progress import Progress, interruptible, part, shares, silent
from ...runtime.wording import Sentence, number_of
from ..tails import tail_of
from .knowledge import listed
from .table import MOST, Tables, answers, sample

#: Values that are looked at, about; where that is too few for all, a sample of the people is looked
#: for, and of so many at the least.
_COST, _LEAST = 300_000_000, 200
#: A value counts that a fifth of the people or fewer have. What many have would add up over many
#: fields, and hide who shares few.
_RARE = 5.0
#: People are told who are more than chance lets be found but once in a hundred releases of other
#: people, and where at most so large a part of them is expected.
_LEVEL, _EXPECTED = 0.01, 0.2


@dataclass(frozen=True)
class InPart:
    """People of whom one released record has more than chance explains.

    Attributes
    ----------
    rows : (f,) int array
        Originals.
    fields : tuple of str
        What the first of them shares with a released record.
    looked_for : int
        How many originals were looked for.
    place : tuple of str
        Names of the coordinates.
    """

    rows: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    fields: tuple[str, ...] = ()
    looked_for: int = 0
    place: tuple[str, ...] = ()

    @property
    def sentence(self) -> Sentence | None:
        """What was found, in words; nothing where nobody was."""
        if not len(self.rows):
            return None
        have = number_of(len(self.rows), "original has", "originals have")
        return Sentence(
            "{have} a released record with so many of her values, or such rare ones, as hardly any "
            "record of other people shares with anybody; one of them shares {fields}. These values of "
            "theirs are released together, whatever else was changed.",
            have=have,
            fields=listed(self.fields, self.place),
        )


def in_part(
    tables: Tables, as_it_is: np.ndarray | None = None, progress: Progress = silent
) -> InPart:
    """Find people of whom a released record has more values than chance explains.

    Parameters
    ----------
    tables : Tables
    as_it_is : (p, m) array, optional
        The release before columns in other units were taken back; both are looked at.

    Returns
    -------
    InPart

    Notes
    -----
    A value that is shared is worth the number of people for each who has it, over :data:`_RARE`;
    the values of a record are multiplied, and each person has her best record. By chance, the best
    of many falls off as a power. The control are people of the reference beside the release, or
    else originals beside the other originals. All fields are looked at together, and the place
    alone.
    """
    found = InPart()
    names = [tuple(one.name for one in tables.variables)]
    if set(tables.place) & set(names[0]) and set(names[0]) - set(tables.place):
        names.append(tables.place)
    releases = [tables]
    if as_it_is is not None and as_it_is is not tables.released:
        releases.append(replace(tables, released=as_it_is))
    scans = list(product(releases, tables.digits, names))
    for (release, (own, others), some), ahead in zip(scans, shares(progress, len(scans))):
        one = _found(release, own, others, some, ahead)
        found = one if len(one.rows) >= len(found.rows) else found
    return found


def _found(tables: Tables, original, reference, names, progress: Progress) -> InPart:
    n, released = len(original), len(tables.released)
    of_people, of_control = shares(progress, 2)
    of_building, of_control = part(of_control, 0.0, 0.5), part(of_control, 0.5, 1.0)
    mine = Shared(tables, original, tables.released, names, 1, part(of_people, 0.0, 0.5))
    people = sample(n, mine.affordable, 11)
    away, record = mine.least(original[people], part(of_people, 0.5, 1.0))
    if reference is None:
        others, pool = people, n - 1
        theirs = Shared(tables, original, original, names, 2, of_building)
        control, _ = theirs.least(original[others], of_control, others)
    else:
        others, pool = sample(len(reference), mine.affordable, 12), released
        theirs = Shared(tables, original, tables.released, names, 0, of_building)
        control, _ = theirs.least(reference[others], of_control)
    order = np.argsort(away, kind="stable")
    away = away[order]
    each = len(people) / len(others) * released / pool
    expected = each * _by_chance(away, np.sort(control), reference is None)
    # Of people equally near all count.
    rank = np.searchsorted(away, away, side="right")
    several = int(rank[(away < 1) & _is_beyond(rank, expected)].max(initial=0))
    if not several:
        return InPart(looked_for=len(people))
    rows = order[:several]
    shared = mine.shared(original[people[rows[0]]], int(record[rows[0]]))
    return InPart(people[rows], shared, len(people), tuple(tables.place))


def _by_chance(away: np.ndarray, control: np.ndarray, mutual: bool) -> np.ndarray:
    """How many of the control are expected as near as that; one where nobody knows."""
    within = np.searchsorted(control, away, side="right").astype(float)
    tail = tail_of(control[control < 1], mutual)
    if tail is None:
        return np.maximum(within, 1.0)
    return np.maximum(within, tail.expected(np.minimum(away, tail.edge)))


def _is_beyond(rank: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Where more are found than chance explains; at each doubling of how many it may err anew."""
    from scipy.stats import poisson

    tests = 2 * np.log2(max(len(rank), 2))
    return (poisson.sf(rank - 1, expected) < _LEVEL / tests) & (expected <= _EXPECTED * rank)


class Shared:
    """Values that people share with records.

    Parameters
    ----------
    tables : Tables
    background : (n, m) array
        Originals: how many of them have a value is what sharing it is worth.
    pool : (p, m) array
        The records.
    names : sequence of str
        Variables.
    own : int
        How many of a pair, person and record, are originals.
    """

    def __init__(
        self, tables: Tables, background, pool, names, own: int, progress: Progress = silent
    ):
        self._own, self._count, self._pool = own, len(background), len(pool)
        place = [one for one in tables.named(names) if one.name in tables.place]
        # Both coordinates are one thing to know.
        units = [[one] for one in tables.named(names) if one not in place]
        units += [place] * bool(place)
        self._units = []
        for at, some in enumerate(units):
            build = partial(_Unit, some, background, pool)
            self._units.append(interruptible(build, progress, at / len(units)))

    @property
    def affordable(self) -> int:
        """How many people may be looked for."""
        cost = self._pool / 4 + sum(one.pairs(self._rare) for one in self._units)
        return int(np.clip(_COST / cost, _LEAST, MOST))

    @property
    def _rare(self) -> float:
        return self._count / _RARE

    def _worth(self, unit: _Unit, at: np.ndarray) -> np.ndarray:
        return -np.log(unit.share(at, self._own) * _RARE)

    def least(
        self, people: np.ndarray, progress: Progress, own: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return what chance leaves of the best record of each person, and which it is.

        Parameters
        ----------
        people : (q, m) array
        own : (q,) int array, optional
            Records that are the person's own.
        """
        found = [(unit, *unit.look_up(people)) for unit in self._units]
        worth = [np.where(there, self._worth(unit, at), 0.0) for unit, at, there in found]
        best, record = np.zeros(len(people)), np.zeros(len(people), dtype=np.intp)
        for row in range(len(people)):
            if row % 50 == 0:
                progress(row / len(people))
            counted = [n for n in range(len(found)) if worth[n][row] > 0]
            if not counted:
                continue
            rows = [found[n][0].rows(int(found[n][1][row])) for n in counted]
            each = np.repeat([worth[n][row] for n in counted], [len(some) for some in rows])
            total = np.bincount(np.concatenate(rows), each, self._pool)
            if own is not None:
                total[own[row]] = 0.0
            record[row] = total.argmax()
            best[row] = total[record[row]]
        return np.exp(-best), record

    def shared(self, person: np.ndarray, record: int) -> tuple[str, ...]:
        """Names of the fields in which a record has the same rare value as a person."""
        names: list[str] = []
        for unit in self._units:
            at, there = unit.look_up(person[None])
            if there[0] and self._worth(unit, at)[0] > 0 and record in unit.rows(int(at[0])):
                names += [one.name for one in unit.variables]
        return tuple(names)


class _Unit:
    """Values of a variable, or of both coordinates, and the records that have each."""

    def __init__(self, variables, background, pool):
        self.variables = variables
        self._count = len(background)
        self._kinds, count = np.unique(self._values(pool), return_counts=True)
        have = self._values(background)
        self._has = _how_many(have, self._kinds)
        self._each = []
        if len(variables) > 1:
            # Of a place that one person has another has it as often as one has it twice (Good,
            # 1953), or as its coordinates let expect.
            once, twice = (int((np.unique(have, return_counts=True)[1] == n).sum()) for n in (1, 2))
            self._again = 2 * twice / max(once, 1)
            for one, values in zip(variables, (self._kinds.real, self._kinds.imag)):
                self._each.append(_how_many(answers(one, background), values))
        self._order = np.argsort(self._values(pool), kind="stable").astype(np.int32)
        self._starts = np.append(0, np.cumsum(count))

    def _values(self, matrix) -> np.ndarray:
        """One number for each value; a missing one is a value, too."""
        parts = [answers(one, matrix) for one in self.variables]
        values = [np.where(np.isnan(one), np.inf, one) for one in parts]
        if len(values) == 1:
            return values[0]
        return values[0] + 1j * values[1]

    def share(self, at: np.ndarray, own: int) -> np.ndarray:
        """Share of the people who have a value, by those other than ``own`` of them, and one more."""
        others = self._has[at] + 1 - own
        share = np.maximum(others, 1) / self._count
        if not self._each:
            return share
        apart = [np.maximum(one[at] + 1 - own, 1) / self._count for one in self._each]
        alone = np.maximum(np.prod(apart, axis=0), self._again / self._count)
        return np.where(others > 1, share, alone)

    def look_up(self, people: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which value each person has, and whether any record has it."""
        values = self._values(people)
        at = np.minimum(np.searchsorted(self._kinds, values), len(self._kinds) - 1)
        return at, self._kinds[at] == values

    def rows(self, kind: int) -> np.ndarray:
        """Records that have a value."""
        return self._order[self._starts[kind] : self._starts[kind + 1]]

    def pairs(self, rare: float) -> float:
        """How many records share a value with a person on average, if it is rare."""
        count = np.diff(self._starts).astype(float)
        count = count[self._has < rare]
        return float((count**2).sum()) / max(len(self._order), 1)


def _how_many(values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """How often each wanted value occurs."""
    ordered = np.sort(values)
    return np.searchsorted(ordered, wanted, "right") - np.searchsorted(ordered, wanted)
