# SPDX-License-Identifier: GPL-2.0-or-later
"""Rows of a matrix that are exactly alike, counted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ..runtime.progress import Progress, chunks, interruptible, part, silent
from .matrices import block_rows

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


def row_hashes(matrix: np.ndarray, progress: Progress = silent, attempt: int = 0) -> np.ndarray:
    """A 64-bit number for each row; rows alike have the same, others one of their own."""
    hashed = np.full(len(matrix), attempt, dtype=np.uint64)
    for column in range(matrix.shape[1]):
        progress(column / matrix.shape[1])
        bits = (matrix[:, column] + 0.0).view(np.uint64)  # + 0.0: minus zero is zero
        hashed ^= bits
        hashed *= np.uint64(_MIX[0])
        hashed ^= hashed >> np.uint64(31)
        hashed *= np.uint64(_MIX[1 + attempt % 2])
        hashed ^= hashed >> np.uint64(29)
    return hashed


def distinct_rows(matrix: np.ndarray, progress: Progress = silent) -> Distinct:
    """Group rows that are exactly alike; rows are compared by 64-bit hashes, then checked."""
    for attempt in range(4):
        hashed = row_hashes(matrix, part(progress, 0.0, 0.5), attempt)
        count_each = partial(
            np.unique, hashed, return_index=True, return_inverse=True, return_counts=True
        )
        _, first, of_row, count = interruptible(count_each, progress, 0.5)
        of_row = of_row.ravel()
        if len(first) == len(matrix) or all(
            (matrix[rows] == matrix[first[of_row[rows]]]).all()
            for rows in chunks(len(matrix), block_rows(matrix.shape[1]), part(progress, 0.5, 1.0))
        ):
            return Distinct(first, of_row, count)
    raise AssertionError("64-bit hashes of different rows agree four times over")
