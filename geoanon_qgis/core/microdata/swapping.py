# SPDX-License-Identifier: GPL-2.0-or-later
"""Baselines in the table's own basis: cell swapping, and recursive histogram sanitization."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..runtime.progress import Progress, part, silent
from .matrices import as_matrix, check_blocks
from .spectral import check_k


def swapped_rows(
    n: int, variables: int, rng: np.random.Generator, progress: Progress = silent
) -> np.ndarray:
    """Permute every variable by itself: ``(variables, n)`` rows the values are taken from."""
    rows = np.empty((variables, n), dtype=np.int32 if n < 2**31 else np.int64)
    for variable in range(variables):
        progress(variable / variables)
        rows[variable] = rng.permutation(n)
    return rows


def take_rows(
    matrix: np.ndarray, rows: np.ndarray, blocks: Sequence[slice], progress: Progress = silent
) -> np.ndarray:
    """Fill each variable's columns with those of the rows it takes its values from."""
    result = np.empty_like(matrix)
    for number, (block, taken) in enumerate(zip(blocks, rows)):
        progress(number / len(blocks))
        for column in range(block.start, block.stop):
            result[:, column] = matrix[taken, column]
    return result


def cell_swapping(
    matrix: np.ndarray,
    rng: np.random.Generator,
    progress: Progress = silent,
    blocks: Sequence[slice] | None = None,
) -> np.ndarray:
    """Permute the cells of every variable independently (section III-B1, the plain form).

    Keeps univariate distributions exactly and no relation between variables.

    Parameters
    ----------
    matrix : (n, m) array
    rng : numpy.random.Generator
    blocks : sequence of slices, optional
        Columns of each variable, which move together; each column by itself by default.

    Returns
    -------
    (n, m) array
    """
    matrix = as_matrix(matrix)
    blocks = check_blocks(blocks, matrix.shape[1])
    rows = swapped_rows(len(matrix), len(blocks), rng, part(progress, 0.0, 0.5))
    return take_rows(matrix, rows, blocks, part(progress, 0.5, 1.0))


def recursive_histogram(
    matrix: np.ndarray, k: int, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """Recursive histogram sanitization (Chawla et al. 2005) in the table's own basis.

    One pass splits every column at its median, all at once; cells with more than 2k records
    are split again. In many columns nearly every record ends in a cell of its own and is
    released as it is: that is the method's failure which the spectral form mends.

    Values equal to the median go to the lower half, unless nothing lies above it: then those
    at the median are the upper half (a binary column of which most is +1). Chawla et al.
    leave that open. A cell of records that are all alike is not split, however large.

    Parameters
    ----------
    matrix : (n, m) array
    k : int

    Returns
    -------
    result : (n, m) array
        Row i is the mean of the cell of record i.
    cell : (n,) int array
        Cells, numbered from 0.
    """
    matrix = as_matrix(matrix)
    n, m = matrix.shape
    check_k(k, n)
    cell = np.zeros(n, dtype=np.intp)
    active = np.arange(n)
    cells = 1
    for level in range(64):
        ahead = part(progress, min(level / 8, 0.9), min((level + 1) / 8, 0.95))
        upper = _upper_halves(matrix, active, cell[active], ahead)
        # Cells of the next level: by the old cell, then by the side of every column.
        key = np.empty((len(active), 8 + upper.shape[1]), dtype=np.uint8)
        key[:, :8] = cell[active].astype(">u8")[:, None].view(np.uint8)
        key[:, 8:] = upper
        _, new, count = np.unique(
            key.view(f"V{key.shape[1]}").ravel(), return_inverse=True, return_counts=True
        )
        new = new.ravel()
        split = np.bincount(cell[active], minlength=cells)[cell[active]] != count[new]
        cell[active] = cells + new
        cells += len(count)
        active = active[split & (count[new] > 2 * k)]
        if len(active) == 0:
            break
    _, cell, size = np.unique(cell, return_inverse=True, return_counts=True)
    cell = cell.ravel()
    result = np.empty_like(matrix)
    for column in range(m):
        progress(0.95 + 0.05 * column / m)
        result[:, column] = (np.bincount(cell, weights=matrix[:, column]) / size)[cell]
    return result, cell


def _upper_halves(
    matrix: np.ndarray, active: np.ndarray, cell: np.ndarray, progress: Progress
) -> np.ndarray:
    """Whether each record lies in the upper half of its cell, a bit for each column, packed."""
    m = matrix.shape[1]
    order = np.argsort(cell, kind="stable")
    starts = np.flatnonzero(np.diff(cell[order], prepend=-1))
    size = np.diff(np.append(starts, len(order)))
    of_row = np.repeat(np.arange(len(starts)), size)
    packed = np.zeros((len(active), (m + 7) // 8), dtype=np.uint8)
    for column in range(m):
        progress(column / m)
        values = matrix[active[order], column]
        ranked = values[np.lexsort((values, of_row))]
        low, high = ranked[starts + (size - 1) // 2], ranked[starts + size // 2]
        median = (low + high) / 2
        largest = ranked[starts + size - 1]
        above = values > median[of_row]
        full = (median >= largest)[of_row]
        above[full] = values[full] >= median[of_row][full]
        packed[order, column // 8] |= above.astype(np.uint8) << np.uint8(column % 8)
    return packed
