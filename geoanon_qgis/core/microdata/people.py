# SPDX-License-Identifier: GPL-2.0-or-later
"""Whose record each is, where people have several.

A person's other records are no strangers: they tell of her what no other person does. So whoever is
compared with other people's records is compared without her own, and she counts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..runtime.progress import Progress, shares, silent
from .distinct import distinct_rows
from .nearest import Records


@dataclass(frozen=True)
class People:
    """Whose record each is.

    Attributes
    ----------
    of : (n,) int array
        Number of the person, from 0 on without gaps.
    """

    of: np.ndarray
    _turns: dict[int, np.ndarray] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def numbered(cls, values: Sequence | np.ndarray) -> People:
        """Number people by what names them, the same for all records of one."""
        return cls(np.unique(np.asarray(values), return_inverse=True)[1].reshape(-1))

    @classmethod
    def named(cls, names: Sequence | np.ndarray) -> People:
        """Number people by their names; whoever has none is somebody else each."""
        blank = lambda one: one is None or one != one  # noqa: E731
        texts = [f"0{row}" if blank(one) else f"1{one}" for row, one in enumerate(names)]
        return cls.numbered(np.array(texts, dtype=str))

    @cached_property
    def each(self) -> np.ndarray:
        """How many records each person has."""
        return np.bincount(self.of)

    @property
    def count(self) -> int:
        """How many people there are."""
        return len(self.each)

    @property
    def usual(self) -> int:
        """How many records half of the people have at most."""
        return int(np.median(self.each))

    def some(self, rows: np.ndarray) -> People:
        """Return the same of some records."""
        return People.numbered(self.of[rows])

    def rows(self, people: np.ndarray, most: int | None = None, seed: int = 51) -> np.ndarray:
        """Rows of some people, in order; of each no more than ``most``, drawn at random."""
        wanted = np.zeros(self.count, dtype=bool)
        wanted[people] = True
        taken = wanted[self.of]
        if most is not None:
            taken &= self._turn(seed) < most
        return np.flatnonzero(taken)

    def one_each(self, seed: int = 52) -> np.ndarray:
        """A row of each person, drawn at random, by their numbers; the same for the same table."""
        return np.flatnonzero(self._turn(seed) == 0)

    def once(self, values: np.ndarray) -> np.ndarray:
        """Rows by rising values, each value of a person once; missing ones as often as they are."""
        order = np.lexsort((self.of, values))
        there, of = values[order], self.of[order]
        again = (there[1:] == there[:-1]) & (of[1:] == of[:-1])
        return order[np.append(True, ~again)]

    def _turn(self, seed: int) -> np.ndarray:
        """In which turn each row is drawn among its person's; drawn once, as it takes a second of a million."""
        if seed not in self._turns:
            order = np.lexsort((np.random.default_rng(seed).random(len(self.of)), self.of))
            turn = np.empty(len(order), dtype=np.int32)
            turn[order] = np.arange(len(order)) - (np.cumsum(self.each) - self.each)[self.of[order]]
            self._turns[seed] = turn
        return self._turns[seed]

    @cached_property
    def _by_person(self) -> np.ndarray:
        """Rows by the numbers of their people."""
        return np.argsort(self.of, kind="stable")

    def pairs(self, persons: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return all records of persons: which of these it is, and the row.

        Parameters
        ----------
        persons : (q,) int array
            Numbers, also of such as have no record here (-1).
        """
        start = np.append(0, np.cumsum(self.each))
        known = (persons >= 0) & (persons < self.count)
        at = np.where(known, persons, 0)
        count = np.where(known, self.each[at], 0)
        which = np.repeat(np.arange(len(persons)), count)
        step = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
        return which, self._by_person[start[at[which]] + step]

    def alike(self, kinds: np.ndarray) -> Alike:
        """Return how many records of which kind each person has; ``kinds`` is that of each row."""
        keys, number = np.unique(_key(kinds, self.of, self.count), return_counts=True)
        return Alike(keys, number, self.count)


@dataclass(frozen=True)
class Alike:
    """How many records of a kind are a person's own."""

    keys: np.ndarray
    number: np.ndarray
    people: int

    def own(self, kinds: np.ndarray, persons: np.ndarray) -> np.ndarray:
        """How many records of each kind each person has; 0 of no kind (-1)."""
        wanted = _key(kinds, persons, self.people)
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        there = (self.keys[at] == wanted) & (kinds >= 0) & (persons >= 0)
        return np.where(there, self.number[at], 0)

    def of_kinds(self, count: int) -> np.ndarray:
        """How many people have a record of each kind, ``(count,)``."""
        return np.bincount(self.keys // self.people, minlength=count)


def _key(kinds: np.ndarray, persons: np.ndarray, people: int) -> np.ndarray:
    return kinds.astype(np.int64) * people + persons


def others_alike(
    matrix: np.ndarray, people: People | None, progress: Progress = silent, **how
) -> tuple[np.ndarray, np.ndarray]:
    """Count whom each row is like: other records, or other people.

    Parameters
    ----------
    matrix : (n, m) array
    people : People or None
        Of the first rows; further ones are each of somebody else.
    **how
        Of :func:`.distinct.distinct_rows`.

    Returns
    -------
    others, of_row : (n,) int arrays
        And the kind of each row.
    """
    kinds = distinct_rows(matrix, progress, **how)
    if people is None:
        return kinds.count[kinds.of_row] - 1, kinds.of_row
    beyond = len(matrix) - len(people.of)
    whose = np.concatenate([people.of, people.count + np.arange(beyond)])
    alike = People(whose).alike(kinds.of_row)
    return alike.of_kinds(len(kinds.count))[kinds.of_row] - 1, kinds.of_row


def nearest_others(
    records: Records,
    queries: np.ndarray,
    persons: np.ndarray,
    whose: People,
    k: int = 1,
    progress: Progress = silent,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The k nearest kinds of records that others than the person have.

    Parameters
    ----------
    records : Records
    queries : (q, m) array
    persons : (q,) int array
        Who asks, by the numbers of ``whose``; -1 for nobody there.
    whose : People
        Whose records those are.
    k : int

    Returns
    -------
    row, distance : (q, k) arrays
        As :meth:`.nearest.Records.nearest` returns them.
    own : (q, k) int array
        How many records of each kind are the person's own.
    """
    kinds = records.distinct
    alike = whose.alike(kinds.of_row)
    row, own = np.full((len(queries), k), -1, dtype=np.intp), np.zeros((len(queries), k), np.intp)
    distance = np.full((len(queries), k), np.inf)
    left, asked = np.arange(len(queries)), min(k + 1, len(kinds.count))
    ahead = shares(progress, 8)
    while len(left):
        near, away = records.nearest(
            np.ascontiguousarray(queries[left]), asked, next(ahead, silent)
        )
        kind = np.where(near >= 0, kinds.of_row[near], -1)
        mine = alike.own(kind, np.broadcast_to(persons[left, None], kind.shape))
        others = (kind >= 0) & (kinds.count[kind] > mine)
        first = np.argsort(~others, axis=1, kind="stable")[:, :k]
        there = np.take_along_axis(others, first, 1)
        for made, found, none in ((row, near, -1), (distance, away, np.inf), (own, mine, 0)):
            made[left, : first.shape[1]] = np.where(
                there, np.take_along_axis(found, first, 1), none
            )
        if asked == len(kinds.count):
            break
        left = left[others.sum(axis=1) < k]
        asked = min(4 * asked, len(kinds.count))
    return row, distance, own


def nearest_of_each(persons: np.ndarray, away: np.ndarray, seed: int = 53) -> np.ndarray:
    """Where the least of each person is among some values; of equal ones any.

    Parameters
    ----------
    persons : (q,) int array
    away : (q,) array
    """
    luck = np.random.default_rng(seed).random(len(away))
    order = np.lexsort((luck, away, persons))
    first = np.unique(persons[order], return_index=True)[1]
    return np.sort(order[first])
