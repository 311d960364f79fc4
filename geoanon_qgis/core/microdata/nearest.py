# SPDX-License-Identifier: GPL-2.0-or-later
"""Nearest records in many columns: blocked search that leaves out what lies too far away.

In some thirty columns a k-d tree looks at nearly every record, one at a time; on the shape of
table that this is for, SciPy's takes ten times as long as comparing everything by matrix products.
So records are put into leaves, by halving along the principal axes, and blocks of queries are
compared to one leaf after another, nearest first, until no leaf can hold anything nearer. In few
columns that leaves out almost everything.

In many columns it leaves out half. But the first principal axes hold most of a distance: judged by
twelve of 28, fewer than one record in a hundred is near enough to be measured on all. A compiled
kernel makes use of that, in single precision with room for its rounding, in several threads;
without it, queries and leaves are compared by matrix products. Both find the same: of records
equally far the one first in the table.
"""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from ..runtime import accel
from ..runtime.parallel import run_blocks
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from .distinct import distinct_rows
from .matrices import block_rows, column_means, scatter
from .spectral import median_groups

#: Records of a leaf, and queries of a block, at most: a product of them takes a millisecond.
_LEAF, _QUERIES = 1024, 512
#: The same for the kernel: less is looked at in smaller leaves, and a block is over at once.
_KERNEL_LEAF, _KERNEL_QUERIES = 256, 128
#: Blocks that are handed to the threads at a time.
_AT_ONCE = 512
#: First principal axes on which the kernel sorts out, in single precision.
_FIRST_AXES = 12
#: Squared distances are rounded to so many parts of themselves (28 bits), so that those of records
#: equally far, which sums in another order make differ in the last digit, are equal.
_ROUND = 2.0**25 + 1
#: More than that rounding.
_ROUNDED = 1 + 1e-7
#: Distances that differ by less, relatively, are the same: sums of squares in another order.
SAME = 1e-9


class Records:
    """Records that nearest ones are looked for among.

    Parameters
    ----------
    matrix : (n, m) array
        Coded records; kept, not copied.
    """

    def __init__(self, matrix: np.ndarray, progress: Progress = silent):
        self.matrix = matrix
        self.distinct = distinct_rows(matrix, part(progress, 0.0, 0.05))
        points = matrix if len(self.distinct.first) == len(matrix) else matrix[self.distinct.first]
        self._mean = column_means(points, part(progress, 0.05, 0.07))
        self._axes = np.linalg.eigh(scatter(points, self._mean, part(progress, 0.07, 0.1)))[1]
        self._axes = np.ascontiguousarray(self._axes[:, ::-1])
        self._compiled = accel.enabled()
        leaf = _KERNEL_LEAF if self._compiled else _LEAF
        names = None if points is matrix else self.distinct.first
        self._at, self._starts = self._groups(points, leaf, part(progress, 0.1, 0.9), names)
        ordered = np.zeros((len(points), matrix.shape[1] + 1))
        for rows in chunks(len(points), block_rows(matrix.shape[1]), part(progress, 0.9, 1.0)):
            ordered[rows, :-1] = self._along(points, self._at[rows])
        if names is not None:
            self._at = names[self._at]
        # With its square as one more column, a product of a record is a distance; see _lift.
        self._lifted = ordered
        self._low, self._high = self._bounds(progress)
        interruptible(self._sum_up, progress, 1.0)

    def _bounds(self, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Smallest and largest coordinates of each leaf, a few leaves at a time.

        NumPy holds its lock while it reduces by groups, so that no other thread could ask for a cancel.
        """
        starts, columns = self._starts, self._lifted.shape[1] - 1
        low, high = (np.empty((len(starts) - 1, columns)) for _ in range(2))
        for some in chunks(len(low), _AT_ONCE):
            progress(1.0)
            rows = self._lifted[starts[some.start] : starts[some.stop], :columns]
            begin = starts[some] - starts[some.start]
            np.minimum.reduceat(rows, begin, axis=0, out=low[some])
            np.maximum.reduceat(rows, begin, axis=0, out=high[some])
        return low, high

    def _sum_up(self) -> None:
        """The squares, and what the kernel sorts out by."""
        ordered = self._lifted
        squares = np.einsum("ij,ij->i", ordered[:, :-1], ordered[:, :-1])
        self._largest = squares.max()
        ordered[:, -1] = squares
        self._first = np.zeros((0, 0), dtype=np.float32)
        if self._compiled:
            self._first = ordered[:, : min(_FIRST_AXES, ordered.shape[1] - 1)].T.astype(np.float32)

    @cached_property
    def _count(self) -> np.ndarray:
        """Records alike, for each sorted distinct record."""
        return self.distinct.count[self.distinct.of_row[self._at]]

    def _along(self, matrix: np.ndarray, rows: np.ndarray | slice) -> np.ndarray:
        """Rows along the principal axes."""
        return (matrix[rows] - self._mean) @ self._axes

    def _groups(
        self, matrix: np.ndarray, most: int, progress: Progress, names: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rows sorted into groups that lie together, and where each group begins.

        Within a group they follow their names, which are their numbers by default.
        """
        n, m = matrix.shape
        if n <= most:
            group = np.zeros(n, dtype=np.intp)
        else:
            # Which group a record is in changes no result: single precision does, scaled to fit.
            scores = np.empty((m, n), dtype=np.float32)
            ends = [
                max(float(matrix[rows].max()), -float(matrix[rows].min()))
                for rows in chunks(n, block_rows(m), part(progress, 0.0, 0.03))
            ]
            scale = 1 / max(*ends, 1e-300)
            for rows in chunks(n, block_rows(m), part(progress, 0.03, 0.1)):
                scores[:, rows] = (self._along(matrix, rows) * scale).T
            # Nor does which of equal values goes to which side.
            rng = np.random.default_rng(0)
            group = median_groups(scores, most // 2, rng, part(progress, 0.1, 1.0))
        keys = (group,) if names is None else (names, group)
        at = interruptible(partial(np.lexsort, keys), progress, 1.0)
        return at, np.append(0, np.bincount(group).cumsum())

    def nearest(
        self, queries: np.ndarray, k: int, progress: Progress = silent
    ) -> tuple[np.ndarray, np.ndarray]:
        """The k nearest distinct records of each query.

        Parameters
        ----------
        queries : (q, m) array
        k : int

        Returns
        -------
        row : (q, k) int array
            Rows of the matrix, one of each kind, by rising distance; -1 where there are fewer
            than k kinds. Where the k-th is one of several equally far, the first of these in
            the matrix is taken, whatever else is there and with numba or without.
        distance : (q, k) array
            Root mean squared difference over the columns, equation (1); infinite beyond.
        """
        rows = np.full((len(queries), k), -1, dtype=np.intp)
        distance = np.full((len(queries), k), np.inf)
        most = _KERNEL_QUERIES if self._compiled else _QUERIES
        at, starts = self._groups(queries, most, part(progress, 0.0, 0.1))
        step = part(progress, 0.12, 0.98)
        largest = self._largest
        for some in chunks(len(queries), block_rows(queries.shape[1]), part(progress, 0.1, 0.12)):
            off = queries[some] - self._mean
            largest = max(largest, np.einsum("ij,ij->i", off, off).max())
        largest = np.sqrt(largest)

        def search(block: int, ahead: Progress = silent) -> None:
            asked = at[starts[block] : starts[block + 1]]
            # Block by block: all queries along the axes would be a table more.
            along = self._along(queries, asked)
            if self._compiled:
                found = self._nearest_compiled(along, k, largest)
            else:
                found = self._nearest_of_block(along, k, ahead)
            known = found >= 0
            rows[asked] = found
            # Measured once more on the columns themselves, free of the product's rounding.
            for column in range(k):
                gap = queries[asked] - self.matrix[found[:, column]]
                exact = np.sqrt(np.einsum("ij,ij->i", gap, gap) / gap.shape[1])
                distance[asked, column] = np.where(known[:, column], exact, np.inf)

        blocks = len(starts) - 1
        if self._compiled:
            for some in chunks(blocks, _AT_ONCE):
                ahead = part(step, some.start / blocks, some.stop / blocks)
                run_blocks(search, range(some.start, some.stop), ahead)
        else:
            for block in range(blocks):
                search(block, part(step, block / blocks, (block + 1) / blocks))
        for some in chunks(len(rows), block_rows(k), part(progress, 0.98, 1.0)):
            order = np.lexsort((rows[some], distance[some]), axis=1)
            rows[some] = np.take_along_axis(rows[some], order, 1)
            distance[some] = np.take_along_axis(distance[some], order, 1)
        return rows, distance

    def _nearest_compiled(self, queries: np.ndarray, k: int, largest: float) -> np.ndarray:
        best = np.full((len(queries), k), np.inf)
        found = np.full((len(queries), k), -1, dtype=np.int64)
        leaves, bounds = self._visits(queries)
        # Coordinates and their differences in single precision, on all axes that are looked at.
        rounding = 4 * np.finfo(np.float32).eps * largest * np.sqrt(len(self._first))
        slack = 1e-12 * largest**2
        size = int(np.diff(self._starts).max())
        scan_leaves(
            np.ascontiguousarray(queries),
            self._lifted,
            self._first,
            self._low,
            self._high,
            self._starts,
            self._at,
            leaves,
            bounds,
            slack,
            rounding,
            np.empty(size, dtype=np.float32),
            best,
            found,
        )
        return found

    def _visits(self, queries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Leaves by their squared distance from the box around a block of queries."""
        low, high = queries.min(axis=0), queries.max(axis=0)
        gap = np.maximum(np.maximum(self._low - high, low - self._high), 0.0)
        bound = np.einsum("ij,ij->i", gap, gap)
        # Boxes that overlap are all at zero: those in the middle of the block come first.
        middle = (self._low + self._high) / 2 - (low + high) / 2
        order = np.lexsort((np.einsum("ij,ij->i", middle, middle), bound))
        return order, bound[order]

    def _reach(self, queries: np.ndarray, leaf: int) -> np.ndarray:
        """Squared distance of each query from the box of a leaf."""
        gap = np.maximum(np.maximum(self._low[leaf] - queries, queries - self._high[leaf]), 0.0)
        return np.einsum("ij,ij->i", gap, gap)

    def _nearest_of_block(self, queries: np.ndarray, k: int, progress: Progress) -> np.ndarray:
        own = np.einsum("ij,ij->i", queries, queries)
        slack = 1e-12 * (own.max(initial=0.0) + self._largest)
        lifted = _lift(queries)
        best = np.full((len(queries), k), np.inf)
        found = np.full((len(queries), k), -1, dtype=np.intp)
        leaves, bounds = self._visits(queries)
        for number, (leaf, bound) in enumerate(zip(leaves, bounds)):
            if number % 32 == 0:
                progress(number / len(leaves))
            limit = best[:, -1] * _ROUNDED + slack
            if bound > limit.max():
                break
            near = np.flatnonzero(self._reach(queries, leaf) <= limit)
            if len(near) == 0:
                continue
            inside = slice(self._starts[leaf], self._starts[leaf + 1])
            asked = lifted if len(near) == len(queries) else lifted[near]
            square = asked @ self._lifted[inside].T
            # The query's own square is left out of the products, so it is off the limit too.
            better = np.flatnonzero(square.min(axis=1) + own[near] <= limit[near])
            if len(better) == 0:
                continue
            rows = near[better]
            closest = rounded(square[better] + own[rows, None])
            taken = min(k, closest.shape[1])
            # The first of records equally far, as they follow their names.
            at = np.argsort(closest, axis=1, kind="stable")[:, :taken]
            pool = np.concatenate([best[rows], np.take_along_axis(closest, at, 1)], axis=1)
            names = np.concatenate([found[rows], self._at[at + inside.start]], axis=1)
            order = np.lexsort((names, pool), axis=1)[:, :k]
            best[rows] = np.take_along_axis(pool, order, 1)
            found[rows] = np.take_along_axis(names, order, 1)
        return found

    def within(
        self, queries: np.ndarray, radius: np.ndarray, progress: Progress = silent
    ) -> np.ndarray:
        """How many records lie at most ``radius`` (and a rounding more) from each query."""
        count = np.zeros(len(queries), dtype=np.intp)
        if len(queries) == 0:
            return count
        at, starts = self._groups(queries, _QUERIES, part(progress, 0.0, 0.1))
        for block in range(len(starts) - 1):
            progress(0.1 + 0.9 * block / (len(starts) - 1))
            inside = slice(starts[block], starts[block + 1])
            asked = self._along(queries, at[inside])
            square = asked.shape[1] * radius[at[inside]] ** 2
            own = np.einsum("ij,ij->i", asked, asked)
            square = square * (1 + 2 * SAME) + 1e-13 * (own + self._largest)
            leaves, bounds = self._visits(asked)
            for number, leaf in enumerate(leaves[: np.searchsorted(bounds, square.max(), "right")]):
                if number % 32 == 0:
                    progress(0.1 + 0.9 * block / (len(starts) - 1))
                near = np.flatnonzero(self._reach(asked, leaf) <= square)
                if len(near) == 0:
                    continue
                points = slice(self._starts[leaf], self._starts[leaf + 1])
                found = _lift(asked[near]) @ self._lifted[points].T
                found = found + own[near, None] <= square[near, None]
                count[at[inside][near]] += found @ self._count[points]
        return count


def _lift(queries: np.ndarray) -> np.ndarray:
    """(-2 q, 1): its product with (x, x x) is the squared distance less the query's square."""
    lifted = np.ones((len(queries), queries.shape[1] + 1))
    np.multiply(queries, -2.0, out=lifted[:, :-1])
    return lifted


@accel.helper
def rounded(square: np.ndarray) -> np.ndarray:
    """Numbers rounded to 28 bits (Veltkamp's splitting), so that a last digit does not matter."""
    large = square * _ROUND
    return large - (large - square)


@accel.kernel
def scan_leaves(
    queries,
    points,
    first,
    low,
    high,
    starts,
    names,
    leaves,
    bounds,
    slack,
    rounding,
    partial,
    best,
    found,
):
    """The nearest records of a block of queries, in place.

    Parameters
    ----------
    queries : (q, m) array
        Along the principal axes, as are all coordinates.
    points : (n, m + 1) array
        Records, leaf by leaf; the last column is not looked at.
    first : (a, n) float32 array
        Their first axes.
    low, high : (leaves, m) arrays
        The boxes around the leaves.
    starts : (leaves + 1,) int array
    names : (n,) int array
        Of records equally far the one with the smallest name is taken.
    leaves, bounds : (leaves,) arrays
        The order to go in, and squared distances from the box around the queries, rising.
    slack : float
        Rounding of a squared distance.
    rounding : float
        Of a distance in single precision.
    partial : (s,) float32 array
        Room for a leaf.
    best, found : (q, k) arrays
        Squared distances, rounded, rising, and names; infinite and -1 to begin with.
    """
    columns, axes, k = queries.shape[1], first.shape[0], best.shape[1]
    limits = np.full(len(queries), np.inf)
    cuts = np.full(len(queries), np.inf, dtype=np.float32)
    # Leaf by leaf, so that a leaf is read from memory once for all queries.
    for visit in range(len(leaves)):
        if bounds[visit] > limits.max():
            break
        leaf = leaves[visit]
        start = starts[leaf]
        size = starts[leaf + 1] - start
        # Slices, whose places are known not to be negative, make loops that are vectorised.
        near = partial[:size]
        for i in range(len(queries)):
            query, limit = queries[i], limits[i]
            reach = 0.0
            for c in range(columns):
                gap = max(low[leaf, c] - query[c], query[c] - high[leaf, c])
                if gap > 0.0:
                    reach += gap * gap
                    if reach > limit:
                        break
            if reach > limit:
                continue
            near[:] = np.float32(0.0)
            for c in range(axes):
                own, axis = np.float32(query[c]), first[c, start : start + size]
                for j in range(size):
                    away = axis[j] - own
                    near[j] += away * away
            for j in range(size):
                if near[j] > cuts[i]:
                    continue
                # Two sums at a time: each need not wait for the other.
                point, even, odd = points[start + j], 0.0, 0.0
                for c in range(0, columns - 1, 2):
                    gap, other = point[c] - query[c], point[c + 1] - query[c + 1]
                    even += gap * gap
                    odd += other * other
                    if even + odd > limit:
                        break
                if columns % 2:
                    gap = point[columns - 1] - query[columns - 1]
                    even += gap * gap
                square = rounded(even + odd)
                name = names[start + j]
                last = k - 1
                if square > best[i, last] or (square == best[i, last] and name > found[i, last]):
                    continue
                while last > 0 and (
                    square < best[i, last - 1]
                    or (square == best[i, last - 1] and name < found[i, last - 1])
                ):
                    best[i, last], found[i, last] = best[i, last - 1], found[i, last - 1]
                    last -= 1
                best[i, last], found[i, last] = square, name
                limit = best[i, k - 1] * _ROUNDED + slack
                limits[i] = limit
                cuts[i] = np.float32((np.sqrt(limit) + rounding) ** 2 * 1.00001)
