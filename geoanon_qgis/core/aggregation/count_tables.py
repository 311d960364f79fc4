# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables of counts that add up: areas within regions within the whole map, and categories.

Whoever publishes such a table publishes sums of it as well. They are written as relations between
cells, so that what is left out of the table can be looked for by whoever has the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.errors import InputError
from ..runtime.wording import number_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True, eq=False)
class CountTable:
    """Cells with a count each, and which of them are sums of others.

    Attributes
    ----------
    counts : (m,) int array
        Cases.
    people : (m,) float array
        Of whom they are some, which everybody knows; infinite where nobody does.
    level : (m,) int array
        0 for the whole map, 1 for its coarsest units, and so on.
    unit : (m,) int array
        Of its level.
    column : (m,) int array
        Category; where there are several, the last one is their total.
    relations : csr_matrix, (r, m)
        A sum (1) and its parts (-1) in each row.
    """

    counts: np.ndarray
    people: np.ndarray
    level: np.ndarray
    unit: np.ndarray
    column: np.ndarray
    relations: csr_matrix

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def height(self) -> np.ndarray:
        """How many levels lie below each cell's, (m,) int; one more for the total of categories."""
        columns = int(self.column.max()) + 1
        return self.level.max() - self.level + ((columns > 1) & (self.column == columns - 1))


def nested_table(
    counts: np.ndarray, people: np.ndarray | None, levels: Sequence[np.ndarray] = ()
) -> CountTable:
    """Return the table of areas, of the units that they lie in, and of the whole map.

    Parameters
    ----------
    counts : (n,) or (n, c) array
        Cases of each area, by category: whole numbers from 0.
    people : (n,) or (n, c) array, optional
        People of each area; by category, or of all categories together.
    levels : sequence of (n,) int arrays
        Unit of each area, from the coarsest level to the finest; units are numbered from 0.

    Returns
    -------
    CountTable

    Raises
    ------
    InputError
        If a count is negative or no whole number, or higher than the number of people.
    """
    from scipy.sparse import csr_matrix

    whole = whole_counts(counts)
    size, categories = whole.shape
    living = _people_of(people, whole)
    steps = [np.zeros(size, dtype=np.int64), *levels, np.arange(size)]
    columns = categories + (categories > 1)
    cells: list[tuple[np.ndarray, ...]] = []
    first, start = [], 0
    for level, unit in enumerate(steps):
        units = int(unit.max(initial=-1)) + 1
        first.append(start)
        start += units * columns
        sums = np.zeros((units, columns), dtype=np.int64)
        known = np.zeros((units, columns))
        np.add.at(sums, unit, _with_total(whole, whole.sum(axis=1)))
        np.add.at(known, unit, _with_total(living, _all_people(people, living)))
        at = np.divmod(np.arange(units * columns), columns)
        cells.append((sums.ravel(), known.ravel(), np.full(units * columns, level), *at))
    rows: list[tuple[int, np.ndarray]] = []
    for level, (coarse, fine) in enumerate(zip(steps, steps[1:])):
        parent: np.ndarray = np.zeros(int(fine.max(initial=-1)) + 1, dtype=np.int64)
        parent[fine] = coarse
        order = np.argsort(parent, kind="stable")
        ends = np.searchsorted(parent[order], np.arange(int(coarse.max(initial=-1)) + 2))
        for row in range(len(ends) - 1):
            children = first[level + 1] + order[ends[row] : ends[row + 1]] * columns
            for column in range(columns):
                rows.append((first[level] + row * columns + column, children + column))
    if categories > 1:
        for total in range(categories, start, columns):
            rows.append((total, np.arange(total - categories, total)))
    joined = [np.concatenate(one) for one in zip(*cells)]
    positions = np.concatenate([np.append(parts, whole_cell) for whole_cell, parts in rows])
    signs = np.concatenate([np.append(np.full(len(parts), -1.0), 1.0) for _, parts in rows])
    of_row = np.repeat(np.arange(len(rows)), [len(parts) + 1 for _, parts in rows])
    relations = csr_matrix((signs, (of_row, positions)), shape=(len(rows), start))
    count, known, level_of, unit_of, column_of = joined
    return CountTable(count, known, level_of, unit_of, column_of, relations)


def whole_counts(counts: np.ndarray) -> np.ndarray:
    """Return counts as whole numbers, (n, c) int.

    Raises
    ------
    InputError
        If there are none, or one is negative or no whole number.
    """
    counts = np.asarray(counts, dtype=np.float64)
    if not counts.size:
        raise InputError("There are no areas to count in.")
    counts = counts.reshape(len(counts), -1)
    wrong = ~(np.isfinite(counts) & (counts == np.rint(counts)))
    if wrong.any():
        raise InputError(
            "{counts} not whole, such as {one:g}. Cases are counted: give "
            "numbers of people, not rates or estimates.",
            counts=number_of(int(wrong.sum()), "count is", "counts are"),
            one=float(counts[wrong][0]),
        )
    if (counts < 0).any():
        raise InputError(
            "{counts} negative, such as {one:g}. Cases are counted from 0; codes "
            "for missing values (-1, -9) have to be filled in or left out.",
            counts=number_of(int((counts < 0).sum()), "count is", "counts are"),
            one=float(counts.min()),
        )
    return counts.astype(np.int64)


def refuse_a_total_among(counts: np.ndarray, names: Sequence[str]) -> None:
    """Refuse categories of which one is the sum of the others in every row.

    Parameters
    ----------
    counts : (n, c) int array
    names : sequence of str
        Of the c categories.

    Raises
    ------
    InputError
    """
    if len(names) < 3 or not counts.any():
        return
    whole = counts.sum(axis=1)
    for name, one in zip(names, counts.T):
        if (2 * one == whole).all():
            raise InputError(
                "“{name}” is the sum of the other fields with counts in every row: with it everybody "
                "would be counted twice. Leave it out; totals are computed.",
                name=name,
            )


def _people_of(people: np.ndarray | None, whole: np.ndarray) -> np.ndarray:
    """People of each area and category, (n, c)."""
    if people is None:
        return np.full(whole.shape, np.inf)
    people = np.asarray(people, dtype=np.float64)
    people = people.reshape(len(people), -1)
    found = np.broadcast_to(people, whole.shape)
    more = whole > found if people.shape[1] > 1 else whole.sum(axis=1, keepdims=True) > people
    if more.any():
        at = int(np.flatnonzero(more.any(axis=1))[0])
        raise InputError(
            "There are more cases than people in {areas}, such as {cases:,} of {people:,.0f}. "
            "Count people, not events, or give the people of the same years, ages and sexes.",
            areas=number_of(int(more.any(axis=1).sum()), "area", "areas"),
            cases=int(whole[at].sum()),
            people=float(people[at].sum()),
        )
    return found


def _all_people(people: np.ndarray | None, living: np.ndarray) -> np.ndarray:
    """People of each area, (n,)."""
    if people is not None and np.ndim(people) == 2 and np.shape(people)[1] > 1:
        return living.sum(axis=1)
    return living[:, 0]


def _with_total(values: np.ndarray, total: np.ndarray) -> np.ndarray:
    return values if values.shape[1] == 1 else np.column_stack([values, total])
