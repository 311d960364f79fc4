# SPDX-License-Identifier: GPL-2.0-or-later
"""Cells of some fields in which a release has too many records, and whether its originals are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..variables import Variable
from .table import Tables, answers, is_number, sample

#: Fewest people of either table that tell of fields.
_FEWEST_PEOPLE = 50
#: Cells for each person beyond which those that nobody is in are left out.
_SPARSE = 8


class Field(NamedTuple):
    """A field of people, of the file first and then of the reference, and of released records.

    Attributes
    ----------
    codes : int array
        What each of them has, from nothing on: of people, then of records.
    kinds : int
        How many different there are, at most.
    own, people : int
        How many people of the file there are, and of both.
    excess : array
        How many times as many of the released records have what each person has, as people do.
    """

    codes: np.ndarray
    kinds: int
    own: int
    people: int
    excess: np.ndarray


def counted_people(
    tables: Tables, most: int, released: np.ndarray | None = None
) -> list[np.ndarray]:
    """Originals, released records and people of the reference who are counted; none of too few."""
    if tables.reference is None:
        return []
    # Of people with several records one each: the others say the same once more.
    own, theirs = (
        one if whose is None else one[whose.one_each()]
        for one, whose in (
            (tables.original, tables.whose),
            (tables.reference, tables.reference_whose),
        )
    )
    matrices = [
        one[sample(len(one), most, 41 + at)]
        for at, one in enumerate((own, tables.released if released is None else released, theirs))
    ]
    return matrices if min(map(len, matrices)) >= _FEWEST_PEOPLE else []


def coded(
    variable: Variable, matrices: Sequence[np.ndarray], groups: int, moved: float = 0.0
) -> Field:
    """Values as whole numbers from nothing on; numbers of many values in so many groups.

    Parameters
    ----------
    variable : Variable
    matrices : sequence of three (..., m) arrays
    groups : int
    moved : float
        By what share of a group the groups begin later: then there is a smaller one before them.
    """
    values = [answers(variable, one) for one in matrices]
    return grouped(values, groups if is_number(variable) else 0, moved)


def grouped(values: Sequence[np.ndarray], groups: int, moved: float = 0.0) -> Field:
    """The same of values, which are missing where they are not numbers; in no groups where there are to be none."""
    there = values[0][~np.isnan(values[0])]
    if groups and len(np.unique(there)) > groups:
        upto = np.arange(0 if moved else 1, groups) + moved
        edges = np.unique(np.quantile(there, upto / groups))
        values = [
            np.where(np.isnan(one), np.nan, np.searchsorted(edges, one, "right")) for one in values
        ]
    own, records, theirs = (np.where(np.isnan(one), -np.inf, one) for one in values)
    _, codes = np.unique(np.concatenate([own, theirs, records]), return_inverse=True)
    return _field(codes.reshape(-1), int(codes.max()) + 1, len(own), len(own) + len(theirs))


def as_one(fields: Sequence[Field]) -> Field:
    """Some fields as one, which has too many of what they have too many of together."""
    return _field(*_crossed(fields), fields[0].own, fields[0].people)


def _field(codes: np.ndarray, kinds: int, own: int, people: int) -> Field:
    usual, released = _shares(codes, kinds, people)
    return Field(codes, kinds, own, people, released / usual)


def sure(*grids: Sequence[Field]) -> float:
    """By how many standard deviations originals have more of what a release has too many of together.

    Parameters
    ----------
    *grids : sequence of Field
        The same fields, in groups that begin elsewhere each time: who is just beyond the end of a
        group by one of them is within it by another, and chance differs among them.

    Notes
    -----
    Too many are those beyond what each of the fields has too many of by itself: where values are
    dealt out that is what it was, and tells nothing of the fields together.
    """
    own, people = grids[0][0].own, grids[0][0].people
    more = np.mean([_beyond(fields) for fields in grids], axis=0)
    apart = more[:own].mean() - more[own:].mean()
    by_chance = more.std() * np.sqrt(1 / own + 1 / (people - own))
    return float(apart / by_chance) if by_chance > 0 else 0.0


def _beyond(fields: Sequence[Field]) -> np.ndarray:
    """How many more released records than expected have what each person has, of those expected."""
    people = fields[0].people
    expected, found = _shares(*_crossed(fields), people)
    for field in fields:
        expected = expected * field.excess
    return (found - expected) / (expected + 1 / people)


def _crossed(fields: Sequence[Field]) -> tuple[np.ndarray, int]:
    """Cells of some fields, as whole numbers from nothing on, and how many there are at most."""
    first, *others = fields
    cells, kinds = first.codes, first.kinds
    for field in others:
        cells, kinds = cells * field.kinds + field.codes, kinds * field.kinds
        if kinds > _SPARSE * len(cells):
            cells = np.unique(cells, return_inverse=True)[1].reshape(-1)
            kinds = int(cells.max()) + 1
    return cells, kinds


def _shares(cells: np.ndarray, kinds: int, people: int) -> tuple[np.ndarray, np.ndarray]:
    """Share of all people who have what each of them has, and of the released records."""
    theirs, records = cells[:people], cells[people:]
    usual = np.bincount(theirs, minlength=kinds) / len(theirs)
    return usual[theirs], (np.bincount(records, minlength=kinds) / len(records))[theirs]
