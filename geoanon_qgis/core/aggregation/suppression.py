# SPDX-License-Identifier: GPL-2.0-or-later
"""Small counts are left out of a table, and others with them, so that nobody can subtract.

Counts from 1 to k - 1 are small, and those that nearly all people of a cell share (fewer than k do
not); where fewer than k people live, every count is. They are left out first (primary suppression).
As sums are published, others have to be left out with them (complementary suppression): those
through which a small count can change, at the least cost by a linear programme for each
(Kelly, Golden and Assad 1992; Fischetti and Salazar 2001 give the exact problem, which is NP-hard),
after which those that turn out not to be needed are published again.

What is held of every small count afterwards, checked by programmes that know nothing of how it was
chosen: by all that is published it may be k or more (or fewer than all but k people), at least k
different numbers are possible, and that remains so for whoever knows that numbers are only left out
where one of those that hang together is small. Where fewer people live, all their numbers are
possible. A small number of the whole map, which is a part of no sum, cannot be protected: that it is
left out tells what it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..runtime.progress import Progress, part, silent
from ..verdict import Evidence
from .count_tables import CountTable
from .feasible_counts import Adversary, System
from .wanted_ranges import Wanted

#: Name of the attack: whoever subtracts published counts from their sums.
SUPPRESSED = "suppressed_counts"
#: Programmes that may be spent on publishing cells again that are not needed.
_WEEDING = 2_000
#: Other cells that may explain why a cell is left out, of which so many are tried.
_EXPLAINING = 12
#: How much dearer a sum is than its parts.
_DEARER = 4.0


@dataclass(frozen=True, eq=False)
class Suppression:
    """Which cells are left out, and what can be worked out of them.

    Attributes
    ----------
    table : CountTable
    k : int
    small : (m,) bool array
        Left out for themselves.
    hidden : (m,) bool array
        Left out, these and those that protect them.
    low, high : (m,) float arrays
        What is possible by all that is published; the count itself where it is published.
    guarded : (m,) bool array
        Small counts of which what is promised holds.
    programmes : int
        That were solved.
    """

    table: CountTable
    k: int
    small: np.ndarray
    hidden: np.ndarray
    low: np.ndarray
    high: np.ndarray
    guarded: np.ndarray
    programmes: int

    @property
    def unguarded(self) -> np.ndarray:
        """Small counts of which more can be worked out than is promised, as positions."""
        return np.flatnonzero(self.small & ~self.guarded)

    @property
    def known(self) -> np.ndarray:
        """Hidden counts that can be worked out exactly, as positions."""
        return np.flatnonzero(self.hidden & (self.low == self.high))

    @property
    def evidence(self) -> Evidence:
        """What the subtraction of published counts finds.

        Of a small count that is not guarded he finds one person by chance, as by differencing.
        """
        people = int(self.table.counts[self.table.level == 0].max())
        found = float(min(len(self.unguarded), people))
        share = found / people if people else 0.0
        exact = self.unguarded[self.low[self.unguarded] == self.high[self.unguarded]]
        return Evidence(
            SUPPRESSED,
            people,
            found,
            share,
            share if people else 0.0,
            False,
            exposed=int((self.table.counts[exact] == 1).sum()),
            failed=len(self.unguarded) > 0,
        )


def suppress(
    table: CountTable, k: int, show_zeros: bool = True, progress: Progress = silent
) -> Suppression:
    """Choose the counts to leave out.

    Parameters
    ----------
    table : CountTable
    k : int
        The smallest count that may be published, 2 or more.
    show_zeros : bool
        Whether a 0 is published; else it is small, too. Everybody knows which.
    progress : callable

    Returns
    -------
    Suppression
    """
    work = _Work(table, k, show_zeros)
    work.choose(progress)
    return work.checked(progress)


def checked(table: CountTable, k: int, show_zeros: bool, hidden: np.ndarray) -> Suppression:
    """Say what can be worked out of a table of which some cells were left out by somebody.

    Parameters
    ----------
    table : CountTable
    k : int
    show_zeros : bool
        Whether everybody knows that a 0 is published.
    hidden : (m,) bool array

    Returns
    -------
    Suppression
    """
    work = _Work(table, k, show_zeros)
    work.hidden = np.array(hidden, dtype=bool)
    return work.checked(silent)


class _Work:
    def __init__(self, table: CountTable, k: int, show_zeros: bool):
        self.table, self.k = table, k
        self.wanted = Wanted(table, k, show_zeros)
        self.small = self.wanted.small
        self.adversary = Adversary(table, self.wanted.least, self.wanted.most, self.wanted.note)
        self.cost = (1 + np.log1p(table.counts)) * _DEARER**table.height
        self.hidden = self.small.copy()

    def choose(self, progress: Progress) -> None:
        """Leave out what small counts need, and nothing that they do not."""
        order = np.lexsort([self.table.counts, self.table.height])
        smalls = order[self.small[order]]
        for done, cell in enumerate(smalls.tolist()):
            at = 0.6 * done / len(smalls)
            progress(at)
            self._guard(cell, part(progress, at, at))
        self._weed(progress)

    def checked(self, progress: Progress) -> Suppression:
        """Say what is possible of each cell in the end, and which small ones are guarded."""
        self.wanted.forget(np.arange(len(self.table)))
        low = self.table.counts.astype(np.float64)
        high, guarded = low.copy(), np.zeros(len(low), dtype=bool)
        hidden = np.flatnonzero(self.hidden)
        left = set(hidden.tolist())
        while left:
            cells = self.adversary.together(left.pop(), self.hidden)
            left -= set(cells.tolist())
            system = self.adversary.system(cells)
            for done, cell in enumerate(cells.tolist()):
                progress(1 - 0.2 * (len(left) + len(cells) - done) / len(hidden))
                low[cell], high[cell] = system.interval(cell)
                guarded[cell] = self.small[cell] and self._is_guarded(cell, system)
        progress(1.0)
        return Suppression(
            self.table,
            self.k,
            self.small,
            self.hidden,
            low,
            high,
            guarded,
            self.adversary.programmes,
        )

    def _system(self, cell: int) -> System:
        return self.adversary.system(self.adversary.together(cell, self.hidden))

    def _missing(self, cell: int, system: System) -> float | None:
        """What a count must be able to become that it cannot; None where nothing is missing."""
        if self.wanted.is_seen(cell):
            return None
        return self.wanted.missing(cell, *system.interval(cell))

    def _is_guarded(self, cell: int, system: System) -> bool:
        if self._missing(cell, system) is not None:
            return False
        others = system.cells[system.cells != cell]
        if self.wanted.is_explained(cell, others):
            return True
        order = np.lexsort([self.table.counts[others], ~self.small[others]])
        return any(
            system.end(cell, -1, {int(other): self.k - 1}) >= self.wanted.up[cell]
            for other in others[order][:_EXPLAINING]
        )

    # --- choosing ----------------------------------------------------------------------------

    def _guard(self, cell: int, progress: Progress) -> None:
        """Leave out what a small count needs."""
        for _ in range(len(self.table)):
            progress(0.0)
            wanted = self._missing(cell, self._system(cell))
            if wanted is None:
                break
            chosen = self._cheapest({cell: wanted})
            if chosen is None or self.hidden[chosen].all():
                break
            self.hidden[chosen] = True
        if not self._is_guarded(cell, self._system(cell)):
            self._widen(cell, progress)

    def _cheapest(self, wanted: Mapping[int, float]) -> np.ndarray | None:
        """Cells through which counts can become some values, at the least cost; None without any."""
        from scipy.optimize import linprog
        from scipy.sparse import hstack

        table, size = self.table, len(self.table)
        counts = table.counts.astype(np.float64)
        room = np.concatenate([self.wanted.most - counts, counts - self.wanted.least])
        room[np.tile(~(self.wanted.free | self.hidden), 2)] = 0
        least = np.zeros(2 * size)
        for cell, value in wanted.items():
            change = value - counts[cell]
            both = [cell, cell + size]
            room[both] = least[both] = max(change, 0.0), max(-change, 0.0)
        cost = np.tile(np.where(self.hidden, 0.0, self.cost), 2) + 1e-6
        matrix = hstack([table.relations, -table.relations], format="csr")
        self.adversary.programmes += 1
        found = linprog(
            cost,
            A_eq=matrix,
            b_eq=np.zeros(matrix.shape[0]),
            bounds=np.column_stack([least, room]),
            method="highs",
        )
        if found.status != 0:
            return None
        return np.flatnonzero(found.x.reshape(2, -1).max(axis=0) > 1e-6)

    def _widen(self, cell: int, progress: Progress) -> None:
        """Leave out cells beside a count, the smallest first, until it is guarded; else none.

        First one by one; then each with all that it takes for it to be the small one.
        """
        near = self.adversary.beside(cell)
        beside = self._smallest_first(near)
        before = self.hidden.copy()
        for other in beside[:_EXPLAINING].tolist():
            progress(0.0)
            self.hidden[other] = True
            if self._is_guarded(cell, self._system(cell)):
                return
        farther = np.unique(np.concatenate([self.adversary.beside(one) for one in near.tolist()]))
        self.hidden = before
        for other in self._smallest_first(farther)[:_EXPLAINING].tolist():
            progress(0.0)
            self.hidden = before.copy()
            self.wanted.forget(np.arange(len(self.table)))
            chosen = self._cheapest({cell: float(self.wanted.up[cell]), other: self.k - 1.0})
            if chosen is not None:
                self.hidden[chosen] = True
                if self._is_guarded(cell, self._system(cell)):
                    return
        self.hidden = before
        self.wanted.forget(np.arange(len(self.table)))

    def _smallest_first(self, cells: np.ndarray) -> np.ndarray:
        """Those that may be left out besides, parts before sums."""
        cells = cells[self.wanted.free[cells] & ~self.hidden[cells]]
        return cells[np.lexsort([self.table.counts[cells], self.table.height[cells]])]

    def _weed(self, progress: Progress) -> None:
        """Publish again what protects nothing, the dearest first."""
        spare = np.flatnonzero(self.hidden & ~self.small)
        budget = self.adversary.programmes + _WEEDING
        for done, cell in enumerate(spare[np.argsort(-self.cost[spare], kind="stable")].tolist()):
            at = 0.6 + 0.2 * done / len(spare)
            progress(at)
            if self.adversary.programmes > budget:
                return
            around = self.adversary.together(cell, self.hidden)
            held = self.adversary.system(around)
            guarded = [
                one for one in around[self.small[around]].tolist() if self._is_guarded(one, held)
            ]
            seen = self.wanted.forget(around)
            self.hidden[cell] = False
            for one in guarded:
                progress(at)
                if not self._is_guarded(one, self._system(one)):
                    self.hidden[cell] = True
                    self.wanted.remember(around, seen)
                    break
