# SPDX-License-Identifier: GPL-2.0-or-later
"""Data shuffling: the original values of each variable in the order of a synthetic normal.

Muralidhar & Sarathy (2006), Data shuffling: a new masking approach for numerical data,
Management Science 52(5): 658-670.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..runtime.progress import Progress, part, silent
from .distinct import distinct_rows
from .matrices import as_matrix, block_rows, check_blocks, correlations
from .swapping import take_rows


def ranks(matrix: np.ndarray, progress: Progress = silent) -> np.ndarray:
    """Ranks of the values of each column, from 1; equal values share their mean rank."""
    result = np.empty(matrix.shape)
    n = len(matrix)
    for column in range(matrix.shape[1]):
        progress(column / matrix.shape[1])
        values = np.ascontiguousarray(matrix[:, column])
        order = np.argsort(values)
        ordered = values[order]
        starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
        size = np.diff(np.append(starts, n))
        result[order, column] = np.repeat(starts + (size + 1) / 2, size)
    return result


def rank_correlations(matrix: np.ndarray, progress: Progress = silent) -> np.ndarray:
    """Spearman's rank correlations of the columns, ``(m, m)``; NaN for a constant column."""
    return correlations(ranks(matrix, part(progress, 0.0, 0.9)), part(progress, 0.9, 1.0))


def normal_correlations(rank_correlation: np.ndarray) -> np.ndarray:
    """Correlations of a normal distribution that has the given rank correlations.

    2 sin(pi / 6 rho), made positive semidefinite: negative eigenvalues, which ties cause, are
    set to zero. Constant columns correlate with nothing.
    """
    result = 2 * np.sin(np.pi / 6 * np.nan_to_num(rank_correlation))
    np.fill_diagonal(result, 1.0)
    values, vectors = np.linalg.eigh(result)
    result = (vectors * np.maximum(values, 0.0)) @ vectors.T
    spread = np.sqrt(np.diag(result))
    return result / np.outer(spread, spread)


def normal_scores(
    matrix: np.ndarray, rng: np.random.Generator, progress: Progress = silent
) -> np.ndarray:
    """Draw as many records as there are from a normal distribution with the same rank correlations.

    Returns
    -------
    (n, m) array
        Standard normal columns.
    """
    n, m = matrix.shape
    target = normal_correlations(rank_correlations(matrix, part(progress, 0.0, 2 / 3)))
    values, vectors = np.linalg.eigh(target)
    factor = (vectors * np.sqrt(np.maximum(values, 0.0))).T
    normal = np.empty((n, m))
    step = block_rows(m)
    ahead = part(progress, 2 / 3, 1.0)
    for start in range(0, n, step):
        ahead(start / n)
        stop = min(start + step, n)
        normal[start:stop] = rng.standard_normal((stop - start, m)) @ factor
    return normal


def gaussian_copula(
    matrix: np.ndarray, rng: np.random.Generator, progress: Progress = silent
) -> np.ndarray:
    """Draw new records from a normal distribution with the same rank correlations.

    The columns have the originals' means and variances. Fitted to the original's distributions
    afterwards (see :mod:`.calibration`) that is a Gaussian copula: Nelsen, R. B. (2006). An
    introduction to copulas, 2nd edition, section 2.3. No record has an original.

    Parameters
    ----------
    matrix : (n, m) array
        A coded table.
    rng : numpy.random.Generator

    Returns
    -------
    (n, m) array
    """
    matrix = as_matrix(matrix)
    drawn = normal_scores(matrix, rng, part(progress, 0.0, 0.9))
    for column in range(matrix.shape[1]):
        progress(0.9 + 0.1 * column / matrix.shape[1])
        values = matrix[:, column]
        drawn[:, column] *= values.std()
        drawn[:, column] += values.mean()
        drawn[:, column] = np.where(values.min() == values.max(), values[0], drawn[:, column])
    return drawn


def shuffled_rows(
    matrix: np.ndarray,
    rng: np.random.Generator,
    progress: Progress = silent,
    blocks: Sequence[slice] | None = None,
) -> np.ndarray:
    """From which record each record takes its value of each variable.

    No variable is known to the attacker here, so the conditional distribution that the method
    draws from is the joint normal itself, as in Lasko & Vinterbo (2010). A variable of several
    columns (dummies) is shuffled whole, which they leave open: the categories are handed out
    from the rarest to the commonest, each to the records that score highest for it among those
    that have none yet, so that every category keeps its count.

    Parameters
    ----------
    matrix : (n, m) array
        A coded table.
    rng : numpy.random.Generator
    blocks : sequence of slices, optional
        Columns of each variable; each column by itself by default.

    Returns
    -------
    (variables, n) int array
        Each row is a permutation.
    """
    matrix = as_matrix(matrix)
    n, m = matrix.shape
    blocks = check_blocks(blocks, m)
    normal = normal_scores(matrix, rng, part(progress, 0.0, 0.6))
    rows = np.empty((len(blocks), n), dtype=np.int32 if n < 2**31 else np.int64)
    for number, block in enumerate(blocks):
        progress(0.6 + 0.4 * number / len(blocks))
        # Equal values may stand for each other: which of them goes where is left to chance.
        mixed = rng.permutation(n)
        if block.stop - block.start == 1:
            order = mixed[np.argsort(matrix[mixed, block.start], kind="stable")]
            rows[number, np.argsort(normal[:, block.start])] = order
        else:
            ahead = part(
                progress, 0.6 + 0.4 * number / len(blocks), 0.6 + 0.4 * (number + 1) / len(blocks)
            )
            rows[number] = _by_pattern(matrix[:, block], normal[:, block], mixed, ahead)
    return rows


def _by_pattern(
    matrix: np.ndarray, normal: np.ndarray, mixed: np.ndarray, progress: Progress
) -> np.ndarray:
    """Hand out the patterns of a variable's indicators by score, the rarest first.

    A number that may be missing is a value and an indicator: those who have none are chosen
    first, the values follow in the order of their scores.
    """
    has_value = len(np.unique(matrix[:, 0])) > 2
    indicators = slice(1 if has_value else 0, None)
    found = distinct_rows(matrix[:, indicators], part(progress, 0.0, 0.3))
    progress(0.3)
    spread = matrix[:, indicators].std(axis=0)
    centred = matrix[found.first, indicators] - matrix[:, indicators].mean(axis=0)
    standard = centred / np.where(spread > 0, spread, 1.0)
    rows = np.empty(len(matrix), dtype=np.intp)
    free = np.arange(len(matrix))
    for number, pattern in enumerate(np.lexsort((found.first, found.count))):
        progress(0.3 + 0.7 * number / len(found.count))
        count = found.count[pattern]
        highest = slice(len(free) - count, None)
        order = np.argpartition(normal[free, indicators] @ standard[pattern], len(free) - count)
        taken = free[order[highest]]
        free = np.delete(free, order[highest])
        source = mixed[found.of_row[mixed] == pattern]
        if has_value:
            taken = taken[np.argsort(normal[taken, 0], kind="stable")]
            source = source[np.argsort(matrix[source, 0], kind="stable")]
        rows[taken] = source
    return rows


def data_shuffling(
    matrix: np.ndarray,
    rng: np.random.Generator,
    progress: Progress = silent,
    blocks: Sequence[slice] | None = None,
) -> np.ndarray:
    """Shuffle the values of each variable (see :func:`shuffled_rows`).

    Keeps univariate distributions exactly and rank correlations nearly.

    Returns
    -------
    (n, m) array
    """
    matrix = as_matrix(matrix)
    blocks = check_blocks(blocks, matrix.shape[1])
    rows = shuffled_rows(matrix, rng, part(progress, 0.0, 0.9), blocks)
    return take_rows(matrix, rows, blocks, part(progress, 0.9, 1.0))
