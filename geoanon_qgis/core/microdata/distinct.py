# SPDX-License-Identifier: GPL-2.0-or-later
"""Rows of a matrix that are exactly alike, counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..runtime.progress import Progress, chunks, interruptible, part, silent
from .matrices import block_rows

#: See :func:`row_hashes`.
Prepared = Callable[[np.ndarray], np.ndarray]
#: Odd constants that mix the bits of a row into one number (splitmix64).
_MIX = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


@dataclass(frozen=True)
class Distinct:
    """Distinct rows of a matrix.

    Attributes
    ----------
    first : (p,) int array
        A row of each kind.
    of_row : (n,) int array
        The kind of each row.
    count : (p,) int array
    """

    first: np.ndarray
    of_row: np.ndarray
    count: np.ndarray


def row_hashes(
    matrix: np.ndarray,
    progress: Progress = silent,
    attempt: int = 0,
    columns: np.ndarray | None = None,
    prepared: Prepared = np.asarray,
) -> np.ndarray:
    """A 64-bit number for each row; rows alike have the same, others one of their own.

    Parameters
    ----------
    matrix : (n, m) array
    attempt : int
        Another one gives other numbers.
    columns : (c,) int array, optional
        Those that count; all by default.
    prepared : callable
        What is made of the values before they are compared, each by itself: to round them, say.
    """
    hashed = np.full(len(matrix), attempt, dtype=np.uint64)
    columns = np.arange(matrix.shape[1]) if columns is None else columns
    for number, column in enumerate(columns):
        progress(number / len(columns))
        bits = (prepared(matrix[:, column]) + 0.0).view(np.uint64)  # + 0.0: minus zero is zero
        hashed ^= bits
        hashed *= np.uint64(_MIX[0])
        hashed ^= hashed >> np.uint64(31)
        hashed *= np.uint64(_MIX[1 + attempt % 2])
        hashed ^= hashed >> np.uint64(29)
    return hashed


def distinct_rows(
    matrix: np.ndarray,
    progress: Progress = silent,
    columns: np.ndarray | None = None,
    prepared: Prepared = np.asarray,
) -> Distinct:
    """Group rows that are exactly alike; rows are compared by 64-bit hashes, then checked.

    ``columns`` and ``prepared`` are those of :func:`row_hashes`.
    """
    counted = slice(None) if columns is None else columns
    for attempt in range(4):
        hashed = row_hashes(matrix, part(progress, 0.0, 0.5), attempt, columns, prepared)
        count_each = partial(
            np.unique, hashed, return_index=True, return_inverse=True, return_counts=True
        )
        _, first, of_row, count = interruptible(count_each, progress, 0.5)
        of_row = of_row.ravel()

        def same(rows: slice, names: np.ndarray) -> bool:
            own, theirs = (prepared(matrix[some][:, counted]) for some in (rows, names[rows]))
            return bool((own == theirs).all())

        names = first[of_row]
        if len(first) == len(matrix) or all(
            same(rows, names)
            for rows in chunks(len(matrix), block_rows(matrix.shape[1]), part(progress, 0.5, 1.0))
        ):
            return Distinct(first, of_row, count)
    raise AssertionError("64-bit hashes of different rows agree four times over")
