# SPDX-License-Identifier: GPL-2.0-or-later
"""What everybody can work out of counts that are left out of a table: linear programmes.

An unknown count lies between 0 (or 1, where everybody knows that zeros are published) and the
number of people, and sums that are published hold. The least and the most that a count can be are
the ends of a linear programme. Of areas that are nested, with or without one set of categories, the
published sums are over two families of sets that are nested each; such programmes have whole
numbers as their ends, and every whole number between them is possible too, so that the interval is
all that can be said of one count (Schrijver 2003, *Combinatorial Optimization*, section 13.4).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from .count_tables import CountTable

#: What a programme's end may be off by.
_ROUND = 1e-6


class Adversary:
    """Who has all published counts, the numbers of people, and knows how the table adds up.

    Parameters
    ----------
    table : CountTable
    least, most : (m,) arrays
        What a count is at the least, and at the most, when it is left out.
    note : callable, optional
        Told of each solution that was found: cells that hang together, and their counts in it.
    """

    def __init__(
        self,
        table: CountTable,
        least: np.ndarray,
        most: np.ndarray,
        note: Callable[[np.ndarray, np.ndarray], None] | None = None,
    ):
        self.table = table
        self.least, self.most = least, most
        self.note = note
        self.programmes = 0
        self._by_cell = table.relations.tocsc()

    def beside(self, cell: int) -> np.ndarray:
        """Return the cells of the sums that a cell is in, itself among them."""
        columns = self._by_cell
        rows = columns.indices[columns.indptr[cell] : columns.indptr[cell + 1]]
        return np.unique(self.table.relations[rows].indices)

    def together(self, cell: int, hidden: np.ndarray) -> np.ndarray:
        """Return hidden cells that hang together with one by the sums, itself among them."""
        rows, columns = self.table.relations, self._by_cell
        found, waiting, seen = {int(cell)}, [int(cell)], set()
        while waiting:
            at = waiting.pop()
            for row in columns.indices[columns.indptr[at] : columns.indptr[at + 1]].tolist():
                if row in seen:
                    continue
                seen.add(row)
                for one in rows.indices[rows.indptr[row] : rows.indptr[row + 1]].tolist():
                    if hidden[one] and one not in found:
                        found.add(one)
                        waiting.append(one)
        return np.array(sorted(found))

    def system(self, cells: np.ndarray) -> System:
        """Return what is known of hidden cells that hang together."""
        columns = self._by_cell[:, cells]
        rows = np.unique(columns.indices)
        counts = self.table.counts[cells]
        matrix = columns[rows]
        return System(self, cells, matrix, matrix @ counts.astype(np.float64))


class System:
    """Hidden counts that hang together: sums that hold, and bounds."""

    def __init__(self, adversary: Adversary, cells: np.ndarray, matrix, sums: np.ndarray):
        self._of = adversary
        self.cells = cells
        self._matrix, self._sums = matrix, sums
        self._bounds = np.column_stack([adversary.least[cells], adversary.most[cells]])
        self._at = {int(cell): at for at, cell in enumerate(cells)}

    def end(self, cell: int, sign: int, limits: Mapping[int, int] | None = None) -> float:
        """Return the least (``sign`` 1) or most (-1) that a count can be; NaN where nothing fits.

        Parameters
        ----------
        cell : int
        sign : int
        limits : dict of int to int, optional
            What other cells may be at the most.
        """
        from scipy.optimize import linprog

        bounds = self._bounds
        if limits:
            bounds = bounds.copy()
            for other, most in limits.items():
                bounds[self._at[other], 1] = min(bounds[self._at[other], 1], most)
        if (bounds[:, 0] > bounds[:, 1]).any():
            return float("nan")
        aim = np.zeros(len(self.cells))
        aim[self._at[int(cell)]] = sign
        self._of.programmes += 1
        found = linprog(aim, A_eq=self._matrix, b_eq=self._sums, bounds=bounds, method="highs")
        if found.status == 3:
            return -sign * float("inf")
        if found.status != 0:
            return float("nan")
        if self._of.note is not None:
            self._of.note(self.cells, np.rint(found.x))
        value = sign * found.fun
        return float(np.ceil(value - _ROUND) if sign > 0 else np.floor(value + _ROUND))

    def interval(self, cell: int) -> tuple[float, float]:
        """Return the least and the most that a count can be."""
        return self.end(cell, 1), self.end(cell, -1)
