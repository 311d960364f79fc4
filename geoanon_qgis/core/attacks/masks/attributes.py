# SPDX-License-Identifier: GPL-2.0-or-later
"""Attributes that the adversary knows of the people of a list: who can be whose record at all.

A pair of a record and a person agrees where every attribute does: it is equal, differs by no more
than a tolerance, or one of the two lacks it. The people of an address are rows of the list, so that
an address explains a record by as many of its people as agree with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...runtime.errors import InputError
from ...runtime.progress import Progress, chunks, silent
from .likelihood import Likelihood

#: Pairs of a record and a person that are compared in one go.
_PAIRS = 2_000_000


@dataclass(frozen=True, eq=False)
class Attribute:
    """One attribute of records and of people.

    Attributes
    ----------
    record : (n,) array
        Of the released records: numbers, or a code for each value; NaN where it is missing.
    person : (r,) array
        Of the people of the list, coded alike.
    tolerance : float
        By how much the two may differ.
    """

    record: np.ndarray
    person: np.ndarray
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.tolerance) and self.tolerance >= 0):
            raise InputError("A tolerance of an attribute must be 0 or more.")

    def agree(self, records: np.ndarray, people: np.ndarray) -> np.ndarray:
        """Whether rows of records and of people agree, pair by pair, (p,) bool."""
        gap = np.abs(self.record[records] - self.person[people])
        return ~(gap > self.tolerance)  # what is missing agrees with everything


@dataclass(frozen=True, eq=False)
class People:
    """The people of a list, and what is known of them.

    Attributes
    ----------
    place : (r,) int array
        The candidate at which each row of the list lives.
    candidates : int
        Number of places.
    weight : (r,) array
        How many people a row stands for.
    attributes : sequence of Attribute
    """

    place: np.ndarray
    candidates: int
    weight: np.ndarray
    attributes: Sequence[Attribute] = ()

    def released(self, people: np.ndarray, like: np.ndarray) -> People:
        """Return the same people, some of whom are played as records.

        Parameters
        ----------
        people : (d,) int array
            Rows of those who are played.
        like : (d,) int array
            A record for each: what that lacks, the play lacks, and what the list lacks is its.
        """
        played = []
        for one in self.attributes:
            theirs, hers = one.record[like], one.person[people]
            record = np.where(np.isnan(theirs) | np.isnan(hers), theirs, hers)
            played.append(replace(one, record=record))
        return replace(self, attributes=tuple(played))

    def agree(self, records: np.ndarray, people: np.ndarray) -> np.ndarray:
        """Whether they agree in all attributes, pair by pair."""
        found = np.ones(len(records), dtype=bool)
        for one in self.attributes:
            found &= one.agree(records, people)
        return found

    @property
    def all_alike(self) -> bool:
        """Whether places differ in nothing: each has one person, of whom nothing is known."""
        return not self.attributes and bool((self.each == 1).all())

    @property
    def each(self) -> np.ndarray:
        """People at each candidate, (m,)."""
        return np.bincount(self.place, self.weight, self.candidates)

    def factor(self, likelihood: Likelihood, progress: Progress = silent) -> np.ndarray:
        """How many people of each pair's candidate agree with its record.

        Parameters
        ----------
        likelihood : Likelihood
            A point for each released record.
        progress : callable

        Returns
        -------
        (p,) array
        """
        if not self.attributes:
            return self.each[likelihood.candidate]
        order, first = self._by_place()
        point, candidate = likelihood.point, likelihood.candidate
        factor = np.zeros(len(point))
        for pairs in self._lots(first, candidate, progress):
            pair, row = _rows_of(order, first, candidate[pairs])
            good = self.agree(point[pairs][pair], row)
            factor[pairs] = np.bincount(pair, self.weight[row] * good, pairs.stop - pairs.start)
        return factor

    def of_known(self, own: Likelihood, homes: np.ndarray, records: np.ndarray) -> Likelihood:
        """Leave to each known person the records that agree with her.

        She is one of the rows of her home that agree with her own record, whichever of them.

        Parameters
        ----------
        own : Likelihood
            Of each known person (as a point) from each released record (as a candidate), by place.
        homes : (t,) int array
            Candidate at which each lives.
        records : (t,) int array
            Her own released record.

        Returns
        -------
        Likelihood
            Times the share of these rows that agree with the record. Nothing is left to whose own
            record agrees with nobody at her home: the list has other values than the release.
        """
        if not self.attributes:
            return own
        order, first = self._by_place()
        whose, row = _rows_of(order, first, homes)
        hers = self.agree(records[whose], row) & (self.weight[row] > 0)
        whose, row = whose[hers], row[hers]
        each = np.bincount(whose, self.weight[row], len(homes))
        start = np.searchsorted(whose, np.arange(len(homes) + 1))
        factor = np.zeros(len(own.value))
        person = own.point
        for pairs in self._lots(start, person, silent):
            pair, at = _rows_of(np.arange(len(row)), start, person[pairs])
            good = self.agree(own.candidate[pairs][pair], row[at])
            factor[pairs] = np.bincount(pair, self.weight[row[at]] * good, pairs.stop - pairs.start)
        share = np.divide(factor, each[person], out=factor, where=each[person] > 0)
        return own.with_values(own.value * share)

    def lacking(self, homes: np.ndarray, records: np.ndarray) -> np.ndarray:
        """Whether nobody at her home agrees with a record, (t,) bool."""
        order, first = self._by_place()
        whose, row = _rows_of(order, first, homes)
        good = self.agree(records[whose], row)
        return np.bincount(whose, good, len(homes)) == 0

    def _by_place(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows in the order of their places, and where those of each place start."""
        order = np.argsort(self.place, kind="stable")
        return order, np.searchsorted(self.place[order], np.arange(self.candidates + 1))

    @staticmethod
    def _lots(first: np.ndarray, at: np.ndarray, progress: Progress):
        most = max(1, int(np.diff(first).max(initial=1)))
        return chunks(len(at), max(1, _PAIRS // most), progress)


def _rows_of(
    order: np.ndarray, first: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """For each place, one after the other, the rows that are there: its number, and the row."""
    many = np.diff(first)[places]
    which = np.repeat(np.arange(len(places)), many)
    within = np.arange(len(which)) - np.repeat(np.cumsum(many) - many, many)
    return which, order[first[places][which] + within]
