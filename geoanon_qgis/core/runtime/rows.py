# SPDX-License-Identifier: GPL-2.0-or-later
"""Rows that have several entries each, in one array: some rows at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

#: Entries that are worked on at once: some milliseconds, and little memory.
AT_ONCE = 300_000


def lots(first: np.ndarray, at_once: int = AT_ONCE) -> Iterator[tuple[slice, slice, np.ndarray]]:
    """Yield some rows after the other, with their entries.

    Parameters
    ----------
    first : (n + 1,) int array
        Where the entries of each row start.
    at_once : int
        Entries that are looked at together; a row that has more comes by itself.

    Yields
    ------
    rows, entries : slice
    row : (e,) int array
        The row of each of these entries, counted from the first of these rows.
    """
    for rows in portions(first, at_once):
        many = np.diff(first[rows.start : rows.stop + 1])
        row = np.repeat(np.arange(len(many)), many)
        yield rows, slice(int(first[rows.start]), int(first[rows.stop])), row


def portions(first: np.ndarray, at_once: int = AT_ONCE) -> list[slice]:
    """Deal rows out to lots with about ``at_once`` entries; see :func:`lots`."""
    ends = np.searchsorted(first, np.arange(at_once, first[-1] + at_once, at_once), side="left")
    bounds = np.unique(np.minimum(np.concatenate([[0], ends]), len(first) - 1)).tolist()
    return [slice(start, end) for start, end in zip(bounds[:-1], bounds[1:])]


def largest(first: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Return the largest entry of each row, 0 for those without.

    Parameters
    ----------
    first : (n + 1,) int array
        Where the entries of each row start, the first row at 0.
    value : (e,) array
        Not below zero.
    """
    found = np.zeros(len(first) - 1)
    some = np.flatnonzero(np.diff(first))
    if len(some):
        found[some] = np.maximum.reduceat(value, first[some])
    return found


def starts(many: np.ndarray) -> np.ndarray:
    """Where the entries of each row start, by how many each has: (n,) to (n + 1,) int64."""
    first = np.zeros(len(many) + 1, dtype=np.int64)
    np.cumsum(many, out=first[1:])
    return first


def numbered_rows(table: np.ndarray) -> np.ndarray:
    """A number for each row of whole numbers, in the order of the rows: equal rows have equal ones.

    What NumPy's own sort of rows takes is several times as long.

    Parameters
    ----------
    table : (n, k) int array
        Zero or more.

    Returns
    -------
    (n,) int64 array
    """
    if not len(table):
        return np.zeros(0, dtype=np.int64)
    wide = [int(one) + 1 for one in table.max(axis=0)]
    if math.prod(wide) > np.iinfo(np.int64).max:
        return np.unique(table, axis=0, return_inverse=True)[1].reshape(-1)
    found = table[:, 0].astype(np.int64)
    for column, size in zip(table.T[1:], wide[1:]):
        found = found * size + column
    return found
