# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas of one release that lie, but for few people, in areas of another: their difference is known.

Two areas of ten alike each hold all of an area of eighteen: two live in what is left, however the
eighteen are dealt out between the two. Such unions are looked for from every overlap of areas with few
people: areas of the first release are put together, and areas of the other that lie in them are taken
off, so that least is left. That is a closure of least weight (Picard 1976, Management Science 22,
1268-1272), the least of which is mostly forced: an overlap of too many people has to be taken off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Overlaps:
    """Overlaps of which nobody knows how many of a class live there.

    Attributes
    ----------
    counts : (m,) int array
        Of the class.
    wide, taken : (m,) int arrays
        Area of the release whose areas are put together, and of the one that is taken off, each
        numbered from 0; -1 where there is none, or its sum is not shown.
    """

    counts: np.ndarray
    wide: np.ndarray
    taken: np.ndarray

    def starts(self, k: int) -> list[int]:
        """Overlaps with fewer than k people in an area whose sum is shown."""
        return np.flatnonzero((self.counts > 0) & (self.counts < k) & (self.wide >= 0)).tolist()

    def difference(self, start: int, k: int) -> np.ndarray | None:
        """Return overlaps that hold fewer than k together, as is known; None where there are none.

        Parameters
        ----------
        start : int
            An overlap that is among them, with people.
        k : int

        Returns
        -------
        (r,) int array or None
        """
        put = np.zeros(int(self.wide.max()) + 1, dtype=bool)
        put[self.wide[start]] = True
        # An area that reaches where no sum is shown cannot be taken off; -1 is the last.
        areas = int(self.taken.max(initial=-1)) + 1
        barred = np.zeros(areas + 1, dtype=bool)
        barred[self.taken[self.wide < 0]] = True
        barred[[-1, self.taken[start]]] = True
        off = np.zeros(areas + 1, dtype=bool)
        while True:
            inside = (self.wide >= 0) & put[self.wide]
            weight = np.bincount(
                np.where(self.taken < 0, areas, self.taken)[inside],
                self.counts[inside],
                areas + 1,
            )
            least = weight[barred].sum()
            if least >= k:
                return None
            forced = ~barred & ~off & (least + weight >= k)
            if not forced.any():
                break
            off |= forced
            put[self.wide[off[self.taken] & (self.taken >= 0)]] = True
        if weight[~off].sum() >= k:
            best = self._least(put, off, barred)
            if best is None:
                return None
            put, off = best
        inside = (self.wide >= 0) & put[self.wide]
        rows = np.flatnonzero(inside & ~off[self.taken])
        return rows if self.counts[rows].sum() < k else None

    def _least(
        self, put: np.ndarray, off: np.ndarray, barred: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """The areas to put together and to take off that leave least, by a linear programme."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_matrix

        wide, areas = len(put), len(off)
        both = np.flatnonzero((self.wide >= 0) & (self.taken >= 0))
        rows = np.tile(np.arange(len(both)), 2)
        columns = np.concatenate([wide + self.taken[both], self.wide[both]])
        signs = np.repeat([1.0, -1.0], len(both))
        there = self.wide >= 0
        cost = np.zeros(wide + areas)
        np.add.at(cost, self.wide[there], self.counts[there])
        np.subtract.at(cost, wide + self.taken[both], self.counts[both])
        low = np.concatenate([put, off]).astype(float)
        high = np.concatenate([np.ones(wide), ~barred]).astype(float)
        found = linprog(
            cost,
            A_ub=csr_matrix((signs, (rows, columns)), shape=(len(both), wide + areas)),
            b_ub=np.zeros(len(both)),
            bounds=np.column_stack([low, high]),
            method="highs",
        )
        if found.status != 0:
            return None
        chosen = found.x > 0.5
        return chosen[:wide], chosen[wide:]
