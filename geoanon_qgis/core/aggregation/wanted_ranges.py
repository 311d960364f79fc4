# SPDX-License-Identifier: GPL-2.0-or-later
"""Which counts are small, and what each of them must be able to be by all that is published."""

from __future__ import annotations

import numpy as np

from .count_tables import CountTable


class Wanted:
    """What is asked for of each cell, and what solutions have shown to be possible already.

    Whatever is possible stays possible when more cells are left out, so that a solution found once
    need not be looked for again.

    Parameters
    ----------
    table : CountTable
    k : int
    show_zeros : bool
        Whether a 0 is published.

    Attributes
    ----------
    small : (m,) bool array
        Counts that are left out for themselves: below k, of all but k people, or of few people.
    least, most : (m,) arrays
        What a count is at the least, and at the most, when it is left out: as many as there are
        people, but that the whole is left out tells that it is small.
    free : (m,) bool array
        Whether a cell can be left out. A published zero cannot, and one of nobody tells nothing.
    up, down, span : (m,) arrays
        A small count must be able to be so many, to be so few, and to be so many numbers.
    """

    def __init__(self, table: CountTable, k: int, show_zeros: bool):
        counts, people = table.counts, np.floor(table.people)
        few = people < k
        nearly_all = (counts > 0) & (people - counts < k)
        below = (counts < k) & ((counts > 0) | (not show_zeros))
        self.k, self._people, self._counts = k, people, counts
        self.small = (people > 0) & (few | nearly_all | below)
        # Whoever knows that zeros are published knows that what is left out is none.
        self.least = np.where(few | (not show_zeros), 0, 1)
        self.free = (people > 0) & ((counts > 0) | (not show_zeros) | few)
        self.most = people.copy()
        whole = np.flatnonzero((table.level == 0) & (table.column == table.column.max()))
        self.most[whole[below[whole]]] = min(k - 1, float(people[whole[0]]))
        self._always = few
        self.up = np.where(below | few, np.minimum(k, people), 0)
        self.down = np.where(nearly_all, np.maximum(self.least, people - k), np.inf)
        self.span = np.minimum(k, people - self.least + 1)
        self._low = counts.astype(np.float64)
        self._high = self._low.copy()
        self._explained = np.zeros(len(counts), dtype=bool)

    def note(self, cells: np.ndarray, counts: np.ndarray) -> None:
        """Remember a solution."""
        self._low[cells] = np.minimum(self._low[cells], counts)
        self._high[cells] = np.maximum(self._high[cells], counts)
        tiny = counts < self.k
        self._explained[cells] |= (counts >= self.up[cells]) & (tiny.sum() - tiny > 0)

    def forget(self, cells: np.ndarray) -> tuple[np.ndarray, ...]:
        """Forget what was seen of some cells; return it."""
        seen = self._low[cells], self._high[cells], self._explained[cells]
        self._low[cells] = self._high[cells] = self._counts[cells]
        self._explained[cells] = False
        return seen

    def remember(self, cells: np.ndarray, seen: tuple[np.ndarray, ...]) -> None:
        """Know again what was forgotten."""
        self._low[cells], self._high[cells], self._explained[cells] = seen

    def is_seen(self, cell: int) -> bool:
        """Whether solutions have shown all that is asked for of a count."""
        return self.missing(cell, self._low[cell], self._high[cell]) is None

    def missing(self, cell: int, low: float, high: float) -> float | None:
        """Return what a count must be able to become that is not possible; None for nothing."""
        if not high >= self.up[cell]:
            return float(self.up[cell])
        if not low <= self.down[cell]:
            return float(self.down[cell])
        short = self.span[cell] - (high - low + 1)
        if not short > 0:
            return None
        if high + short <= self._people[cell]:
            return float(high + short)
        return float(max(self.least[cell], low - short))

    def is_explained(self, cell: int, others: np.ndarray) -> bool:
        """Whether it is known that another cell may be the small one while this is not."""
        return bool(
            self._explained[cell]
            or self.up[cell] == 0
            or self._people[cell] < self.k
            or self._always[others].any()
        )
