# SPDX-License-Identifier: GPL-2.0-or-later
"""What the methods on coded matrices share: checks, and sums over blocks of rows.

Blocks keep the memory low and let a cancel act at once; a million rows of 28 columns are 224 MB.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, part, shares, silent
from ..runtime.wording import Sentence

#: Numbers in a block: 8 MB, a few milliseconds of matrix products.
_BLOCK = 1_000_000
#: Beyond it the square of a value is no number any more.
_LARGEST = 1e150


def as_matrix(
    matrix: np.ndarray, what: str = Sentence("table"), progress: Progress = silent
) -> np.ndarray:
    """Return a coded table as an ``(n, m)`` float array; C-contiguous, finite.

    Raises
    ------
    InputError
        If it has another shape, no column, fewer than two rows, or holds what is no number.
    """
    matrix = np.ascontiguousarray(matrix, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise InputError("The coded {what} must have rows and at least one column.", what=what)
    if len(matrix) < 2:
        raise InputError(
            "The {what} has fewer than two records; there is nothing to hide in.", what=what
        )
    for rows in chunks(len(matrix), block_rows(matrix.shape[1]), progress):
        if not (np.abs(matrix[rows]) < _LARGEST).all():
            raise InputError(
                "The coded {what} holds values that are missing, infinite or beyond all "
                "bounds. Leave those records out, or code what is missing.",
                what=what,
            )
    return matrix


def block_rows(columns: int) -> int:
    """Rows of a block of ``columns`` columns."""
    return max(_BLOCK // max(columns, 1), 256)


def copied(
    matrix: np.ndarray,
    rows: np.ndarray | None = None,
    columns: np.ndarray | None = None,
    progress: Progress = silent,
) -> np.ndarray:
    """Copy some rows, or columns, of a table block by block; all where they are left out."""
    count = len(matrix) if rows is None else len(rows)
    width = matrix.shape[1] if columns is None else len(columns)
    made = np.empty((count, width))
    for some in chunks(count, block_rows(matrix.shape[1]), progress):
        block = matrix[some if rows is None else rows[some]]
        made[some] = block if columns is None else block[:, columns]
    return made


def passed_over(table: np.ndarray, record: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The table with some columns as a record has them; itself where they are so already."""
    if table.ndim != 2 or table.shape[1] != len(record):
        return table  # refused by whoever measures it
    if (table[:, columns] == record[columns]).all():
        return table
    table = table.copy()
    table[:, columns] = record[columns]
    return table


def column_means(matrix: np.ndarray, progress: Progress = silent) -> np.ndarray:
    """Means of the columns to the last digit or so: the rounding of a first sum is made good."""
    mean = np.zeros(matrix.shape[1])
    for ahead in shares(progress, 2):
        total = np.zeros(matrix.shape[1])
        for rows in chunks(len(matrix), block_rows(matrix.shape[1]), ahead):
            total += (matrix[rows] - mean).sum(axis=0)
        mean = mean + total / len(matrix)
    return mean


def scatter(matrix: np.ndarray, mean: np.ndarray, progress: Progress = silent) -> np.ndarray:
    """Gram matrix of the centred columns, ``(m, m)``: n times their covariances."""
    gram = np.zeros((matrix.shape[1],) * 2)
    for rows in chunks(len(matrix), block_rows(matrix.shape[1]), progress):
        block = matrix[rows] - mean
        gram += block.T @ block
    return gram


def correlations(matrix: np.ndarray, progress: Progress = silent) -> np.ndarray:
    """Correlations of the columns, ``(m, m)``; NaN where a column is constant."""
    gram = scatter(matrix, column_means(matrix, part(progress, 0, 0.6)), part(progress, 0.6, 1))
    # The rounding of the mean must not make a variable of a constant.
    low, high = matrix.min(axis=0), matrix.max(axis=0)
    spread = np.where(low < high, np.sqrt(np.diag(gram)), np.nan)
    spread[spread == 0] = np.nan
    found = np.clip(gram / np.outer(spread, spread), -1.0, 1.0)
    return (found + found.T) / 2


def whole_columns(columns: int) -> list[slice]:
    """Every column a variable of its own."""
    return [slice(column, column + 1) for column in range(columns)]


def check_blocks(blocks: Sequence[slice] | None, columns: int) -> list[slice]:
    """Columns of each variable, in order; every column on its own where nothing is said."""
    if blocks is None:
        return whole_columns(columns)
    blocks = list(blocks)
    if [b.start for b in blocks] + [columns] != [0] + [b.stop for b in blocks]:
        raise InputError("The variables must cover the columns of the matrix, one after another.")
    return blocks
