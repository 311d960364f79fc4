# SPDX-License-Identifier: GPL-2.0-or-later
"""Spectral anonymization: a table is anonymised along its principal axes.

Lasko & Vinterbo (2010), section III: A = U D V' of the centred table; what is done to the columns
of U, one at a time, leaves the linear relations among the columns of A as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from .matrices import as_matrix, block_rows, column_means, scatter

#: Columns of U from the Gram matrix may be correlated by so much; beyond, the thin SVD is taken.
_ORTHOGONAL = 1e-9
#: Rounds in which records that are not allowed exchange components with others.
_ROUNDS = 400


@dataclass(frozen=True)
class SpectralBasis:
    """The thin singular value decomposition of a centred table, A - mean = U D V'.

    Attributes
    ----------
    mean : (m,) array
        Column means.
    vectors : (m, r) array
        V: orthonormal columns, by falling singular value. r is the numerical rank: columns
        whose singular value is rounding only are left out, so that linear relations among
        columns (the dummies of one attribute) hold exactly in what is rebuilt.
    singular_values : (r,) array
        The diagonal of D.
    scores : (r, n) array
        (U D)', the records in the new basis, a component a row.
    method : str
        ``gram`` (eigenvectors of the Gram matrix) or ``svd`` (blocked QR, then SVD of R).
    """

    mean: np.ndarray
    vectors: np.ndarray
    singular_values: np.ndarray
    scores: np.ndarray
    method: str

    @property
    def u(self) -> np.ndarray:
        """U, (n, r): orthonormal columns."""
        return (self.scores / self.singular_values[:, None]).T

    def rebuild(self, scores: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Turn ``(r, n)`` scores back into a table: (U D) V' + mean, ``(n, m)``."""
        result = np.empty((scores.shape[1], len(self.mean)))
        for rows in chunks(len(result), block_rows(len(self.mean)), progress):
            np.matmul(scores[:, rows].T, self.vectors.T, out=result[rows])
            result[rows] += self.mean
        return result


def decompose(
    matrix: np.ndarray, progress: Progress = silent, method: str | None = None
) -> SpectralBasis:
    """Find the spectral basis of a table.

    The eigenvectors of the Gram matrix cost a fraction of a thin SVD, but squaring loses the
    small singular values: they are known to the square root of the machine's precision. So the
    columns of U that come of it are measured: where any two of them correlate by more than 1e-9,
    the table is decomposed again, by QR of its blocks and the SVD of R, which is as accurate as
    the SVD of the table itself.

    Parameters
    ----------
    matrix : (n, m) array
        A coded table; n may be less than m.
    method : str, optional
        ``gram`` or ``svd`` to have it one way, whatever the accuracy.

    Returns
    -------
    SpectralBasis

    Raises
    ------
    InputError
        If there are fewer than two rows, no finite numbers, or nothing but constant columns.
    """
    matrix = as_matrix(matrix, progress=part(progress, 0.0, 0.05))
    mean = column_means(matrix, part(progress, 0.05, 0.1))
    if (matrix.min(axis=0) == matrix.max(axis=0)).all():
        raise InputError("Every column is constant: there is nothing to anonymise.")
    used = method or "gram"
    if used == "gram":
        values, vectors = np.linalg.eigh(scatter(matrix, mean, part(progress, 0.1, 0.3)))
        basis, worst = _project(matrix, mean, vectors[:, ::-1], part(progress, 0.3, 0.7), used)
        if worst <= _ORTHOGONAL or method == "gram":
            return basis
        del basis
    r = _triangle(matrix, mean, part(progress, 0.7, 0.9))
    vectors = np.linalg.svd(r)[2].T
    return _project(matrix, mean, vectors, part(progress, 0.9, 1.0), "svd")[0]


def _project(
    matrix: np.ndarray, mean: np.ndarray, vectors: np.ndarray, progress: Progress, method: str
) -> tuple[SpectralBasis, float]:
    """The table in a basis, and the largest correlation between two columns of U."""
    n, m = matrix.shape
    scores = np.empty((vectors.shape[1], n))
    gram = np.zeros((len(scores),) * 2)
    for rows in chunks(n, block_rows(m), progress):
        block = (matrix[rows] - mean) @ vectors
        scores[:, rows] = block.T
        gram += block.T @ block
    size = np.sqrt(np.diag(gram))
    kept = np.flatnonzero(size > max(n, m) * np.finfo(float).eps * size.max())
    # n centred rows span n - 1 directions; a further one is rounding that passed for one.
    kept = kept[np.argsort(-size[kept], kind="stable")][: n - 1]
    u = gram[np.ix_(kept, kept)] / np.outer(size[kept], size[kept])
    worst = float(np.abs(u - np.diag(np.diag(u))).max())
    if len(kept) < len(scores) or (np.diff(kept) < 0).any():
        scores = scores[kept]
    return SpectralBasis(mean, vectors[:, kept], size[kept], scores, method), worst


def _triangle(matrix: np.ndarray, mean: np.ndarray, progress: Progress) -> np.ndarray:
    """R of the QR decomposition of the centred table, from QR decompositions of its blocks."""
    m = matrix.shape[1]
    r = np.zeros((0, m))
    for rows in chunks(len(matrix), max(block_rows(m), 2 * m), progress):
        r = np.asarray(np.linalg.qr(np.vstack([r, matrix[rows] - mean]), mode="r"))
    return r


# --- spectral swapping ---------------------------------------------------------------------------


def spectral_swapping(
    matrix: np.ndarray,
    rng: np.random.Generator,
    progress: Progress = silent,
    accept: Callable[[np.ndarray], np.ndarray] | None = None,
) -> np.ndarray:
    """Permute every column of U independently (section III-B1).

    Keeps means exactly, and variances and correlations but for the correlation that permuted
    columns have by chance. No record of the result has one original record it came from: where
    chance gives a record all components of one original (of two columns one record on the
    average, of many hardly ever), a component is exchanged with another record's, which the
    paper does not do. Where all columns lie on one line there is but one component, and the
    result is the table itself in another order.

    Parameters
    ----------
    matrix : (n, m) array
        A coded table.
    rng : numpy.random.Generator
    accept : callable, optional
        Told ``(b, m)`` rows of the result, says which are allowed (points within the study
        area). Records that are not exchange components with random others, one column of U
        at a time, until they are: what comes out still is a permutation of every column. The
        paper knows no such limit.

    Returns
    -------
    (n, m) array
        Where a record could not be made acceptable, it is left as it is.
    """
    return swap(decompose(matrix, part(progress, 0.0, 0.6)), rng, progress, accept)


def swap(
    basis: SpectralBasis,
    rng: np.random.Generator,
    progress: Progress = silent,
    accept: Callable[[np.ndarray], np.ndarray] | None = None,
) -> np.ndarray:
    """Permute the components of a basis, which are lost; see :func:`spectral_swapping`."""
    source = permute(basis.scores, rng, accept is not None, part(progress, 0.6, 0.8))
    return assembled(basis, source, accept, rng, part(progress, 0.8, 1.0))


def assembled(
    basis: SpectralBasis,
    source: np.ndarray | None,
    accept: Callable[[np.ndarray], np.ndarray] | None,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> np.ndarray:
    """Put the records of permuted components together, ``(n, m)``, where they may lie."""
    result = basis.rebuild(basis.scores, part(progress, 0.0, 0.75))
    if accept is not None and source is not None:
        judged = lambda some, rows: accept(some)  # noqa: E731
        exchange(basis, source, result, judged, rng, part(progress, 0.75, 1.0))
    progress(1.0)
    return result


def permute(
    scores: np.ndarray, rng: np.random.Generator, tell: bool, progress: Progress
) -> np.ndarray | None:
    """Permute every component by itself, in place; return the rows they came from if asked to.

    Parameters
    ----------
    scores : (r, n) array
    rng : numpy.random.Generator
    tell : bool
        Whether to return of which row each is, ``(r, n)``, as :func:`exchange` has to know.
    progress : callable
    """
    r, n = scores.shape
    source = np.empty((r, n), dtype=np.int32 if n < 2**31 else np.int64) if tell else None
    whole = np.ones(n, dtype=bool)
    for column in range(r):
        progress(column / r)
        order = rng.permutation(n)
        scores[column] = scores[column][order]
        if column == 0:
            first = order
        whole &= order == first
        if source is not None:
            source[column] = order
    whole = np.flatnonzero(whole)
    if r > 1 and len(whole):
        # Of x and y alone one record on the average would get all its components back.
        other = rng.integers(1, n)
        ring = whole if len(whole) > 1 else np.append(whole, (whole + other) % n)
        last = np.roll(ring, 1)
        scores[-1, ring] = scores[-1, last]
        if source is not None:
            source[-1, ring] = source[-1, last]
    return source


def exchange(
    basis: SpectralBasis,
    source: np.ndarray,
    result: np.ndarray,
    accept: Callable[[np.ndarray, np.ndarray], np.ndarray],
    rng: np.random.Generator,
    progress: Progress = silent,
    taken: Callable[[np.ndarray, np.ndarray], None] | None = None,
    allowed: np.ndarray | None = None,
) -> None:
    """Swap components between records, in place, where more of them are allowed afterwards.

    Parameters
    ----------
    basis : SpectralBasis
        With permuted scores, which change.
    source : (r, n) int array
        Of which record each component is; it changes.
    result : (n, m) array
        The records, coded; they change.
    accept : callable
        Says of ``(b, m)`` records in the place of ``(b,)`` rows which are allowed.
    rng : numpy.random.Generator
    progress : callable
    taken : callable, optional
        Told which rows have changed, and which of those that ``accept`` saw last they are now.
    allowed : (n,) bool array, optional
        What ``accept`` says of ``result``, where that is known.
    """
    n, scores = len(result), basis.scores
    if allowed is None:
        asked = chunks(n, block_rows(result.shape[1]), part(progress, 0.0, 0.2))
        every = np.arange(n)
        allowed = np.concatenate([accept(result[rows], every[rows]) for rows in asked])
        allowed = allowed.astype(bool)
    for number in range(_ROUNDS):
        progress(0.2 + 0.8 * number / _ROUNDS)
        wrong = np.flatnonzero(~allowed)
        if len(wrong) == 0:
            return
        # Disjoint pairs, so that each exchange can be judged by itself.
        wrong = rng.permutation(wrong)[: max(n // 2, 1)]
        others = rng.integers(0, n, len(wrong))
        first = np.unique(others, return_index=True)[1]
        first = first[~np.isin(others[first], wrong)]
        a, b = wrong[first], others[first]
        if len(a) == 0:
            continue
        column = rng.integers(0, len(scores), len(a))
        at = np.arange(len(a))
        both = np.concatenate([a, b])
        pair, origin = scores[:, both], source[:, both]
        for values, all_values in ((pair, scores), (origin, source)):
            values[column, at] = all_values[column, b]
            values[column, at + len(a)] = all_values[column, a]
        rebuilt = basis.rebuild(pair)
        good = np.asarray(accept(rebuilt, both), dtype=bool)
        new_a, new_b = good[: len(a)], good[len(a) :]
        # No worse will do: it may take more than one component to bring a record in.
        better = new_a.astype(int) + new_b >= allowed[b]
        if len(scores) > 1:
            whole = (origin == origin[0]).all(axis=0)
            better &= ~(whole[: len(a)] | whole[len(a) :])
        rows = np.concatenate([a[better], b[better]])
        which = np.concatenate([at[better], at[better] + len(a)])
        scores[:, rows], source[:, rows] = pair[:, which], origin[:, which]
        result[rows] = rebuilt[which]
        allowed[rows] = good[which]
        if taken is not None:
            taken(rows, which)


# --- spectral recursive histogram sanitization ---------------------------------------------------


def spectral_rhs(
    matrix: np.ndarray, k: int, rng: np.random.Generator, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """Replace groups of k to 2k similar records by their mean (section III-B2, figure 1).

    Groups are found in T = U D: the column with the largest range is split at its median, and
    so on in both halves until a group has at most 2k records.

    Parameters
    ----------
    matrix : (n, m) array
        A coded table.
    k : int
        Fewest records in a group.
    rng : numpy.random.Generator
        Decides among records that have the same value at a median.

    Returns
    -------
    result : (n, m) array
        Row i is the mean of the group of record i.
    group : (n,) int array
        The group of each record, 0, 1, ...

    Raises
    ------
    InputError
        If k is below 2, or there are fewer than 2k records.
    """
    basis = decompose(matrix, part(progress, 0.0, 0.2))
    group = median_groups(basis.scores, k, rng, part(progress, 0.2, 0.9))
    size = np.bincount(group)
    means = np.empty((len(basis.scores), len(size)))
    for column, component in enumerate(basis.scores):
        progress(0.9 + 0.05 * column / len(basis.scores))
        means[column] = np.bincount(group, weights=component) / size
    return basis.rebuild(means)[group], group


def median_groups(
    scores: np.ndarray, k: int, rng: np.random.Generator, progress: Progress = silent
) -> np.ndarray:
    """Split records at medians until every group holds k to 2k of them.

    The split is by rank: the lower half takes the first n // 2 records by value, and records
    with equal values follow a random order drawn once. So a group of n > 2k records becomes
    two of at least k however many values are tied at the median, where a split by value could
    leave one half empty. Equal ranges go to the first column.

    Parameters
    ----------
    scores : (r, n) array
        Components of the records, one a row.
    k : int
    rng : numpy.random.Generator

    Returns
    -------
    (n,) int array
        Groups, numbered from 0.
    """
    n = scores.shape[1]
    check_k(k, n)
    order = np.arange(n)
    tie = rng.permutation(n)
    starts = np.zeros(1, dtype=np.intp)
    depth = max(int(np.ceil(np.log2(n / (2 * k)))), 1)
    for level in range(depth + 2):
        step = part(progress, min(level / depth, 1.0), min((level + 1) / depth, 1.0))
        size = np.diff(np.append(starts, n))
        split = size > 2 * k
        if not split.any():
            break
        widest = _widest(scores, order, starts, part(step, 0.0, 0.7))
        of_row = np.repeat(np.arange(len(starts)), size)
        value = scores[widest[of_row], order]
        # Groups that are done keep their order.
        value[~split[of_row]] = 0.0
        keys = (tie[order], value, of_row)
        order = order[interruptible(partial(np.lexsort, keys), step, 0.75)]
        step(0.95)
        starts = np.sort(np.concatenate([starts, starts[split] + size[split] // 2]))
    group = np.empty(n, dtype=np.intp)
    group[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, n)))
    return group


def _widest(
    scores: np.ndarray, order: np.ndarray, starts: np.ndarray, progress: Progress
) -> np.ndarray:
    """The component with the largest range in each group."""
    widest = np.zeros(len(starts), dtype=np.intp)
    best = np.full(len(starts), -1.0)
    for column, component in enumerate(scores):
        progress(column / len(scores))
        values = component[order]
        spread = np.maximum.reduceat(values, starts) - np.minimum.reduceat(values, starts)
        wider = spread > best
        widest[wider], best[wider] = column, spread[wider]
    return widest


def check_k(k: int, n: int) -> None:
    """Refuse group sizes that protect nobody or leave one group only."""
    if k < 2:
        raise InputError("K is {k}: groups of fewer than 2 records protect nobody.", k=k)
    if n < 2 * k:
        raise InputError(
            "Records: {n:,}, fewer than 2 x {k}, so that all of them would become one. "
            "Choose a smaller K, or a method that forms no groups.",
            n=n,
            k=k,
        )
