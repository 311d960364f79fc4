# SPDX-License-Identifier: GPL-2.0-or-later
"""Cells of an address list that changes from release to release.

Cells that were cut anew from each list would overlap those of before, and who lives in what both
have in common hides among fewer than k. So an address stays in its cell for good. New addresses
form cells of their own, of k and more; as long as there are fewer than k of them they are in no
cell, and who is new there waits. An address that is gone leaves its cell. If it comes back it is
in no cell any more.

Why new addresses do not join the cells that are there: nobody who was released before lives at one.
In a cell with records of before a newcomer would be likelier at the new addresses than at the
others, and it would not be one in the size of the cell.

**Adversary A**, who has all lists and all releases, knows which cells were joined to units, and even
how many places of each cell are in the file: addresses of a cell were all new at once, and whoever
lives at one that is gone could be left out, so the addresses of a cell that are left are as likely
as each other. Of a unit with r places in the file, n of them from a cell with m addresses left, a
record is at one of those with

    n / (r m) <= 1 / k.

With m >= k that holds by itself. Where so many are gone that it does not, newcomers' cells are
joined further, and the records of a unit that cannot be mended are withheld, all of them: which are
is told by those numbers alone.

**Adversary B** has 1/r, whatever the lists are: see :mod:`.address_cells`.

Who was released before and whose own address is gone stays where he was put. Were he left out, the
row that is missing would be known to come from the address that is missing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from ..runtime.wording import mark
from .address_cells import AddressCells, address_cells
from .addresses import rows_of
from .kept_groups import KeptGroups

#: What stands for the cell of an address that is in none.
NO_CELL = -1
_OTHER_K = mark(
    "The cells that are kept have at least {before} addresses (K), not {now}. Take {before}, or leave"
    " SECRET empty: then everybody is drawn anew, and two releases of the same people together tell"
    " more than each."
)


@dataclass(frozen=True, eq=False)
class KeptCells:
    """Cells as they are kept for the next release.

    Attributes
    ----------
    cells : AddressCells
        Of the addresses that the newest list has.
    gone : (g, 2) array
        Addresses of earlier lists that were missing in a later one.
    grown : bool
        Whether the list has changed since the first release: then no list by itself tells the
        cells.
    """

    cells: AddressCells
    gone: np.ndarray
    grown: bool = False

    @classmethod
    def of_first_list(cls, xy: np.ndarray, k: int, progress: Progress = silent) -> KeptCells:
        """Cut a list into cells; takes what :func:`.address_cells` does."""
        return cls(address_cells(xy, k, progress), np.empty((0, 2)))

    def on_list(
        self, xy: np.ndarray, k: int, within: float = 0.0, progress: Progress = silent
    ) -> KeptCells:
        """Return the cells of a list that may be another one.

        Parameters
        ----------
        xy : (n, 2) array
            Distinct, metres.
        k : int
            As before.
        within : float
            Metres by which an address may miss itself from list to list.
        progress : Progress

        Returns
        -------
        KeptCells
            Addresses have the coordinates of before, to the last digit.

        Raises
        ------
        InputError
            If k is another one.
        """
        if k != self.cells.k:
            raise InputError(_OTHER_K, before=self.cells.k, now=k)
        if np.array_equal(xy, self.cells.xy):
            return self
        xy, row = np.array(xy, dtype=np.float64), rows_of(self.cells.xy, xy, within)
        xy[row[row >= 0]] = self.cells.xy[row >= 0]
        cell = np.full(len(xy), NO_CELL, dtype=np.int64)
        cell[row[row >= 0]] = self.cells.cell[row >= 0]
        missing = (row < 0) & (self.cells.cell >= 0)
        gone = np.concatenate([self.gone, self.cells.xy[missing]])
        new = np.ones(len(xy), dtype=bool)
        new[row[row >= 0]] = self.cells.cell[row >= 0] < 0
        back = rows_of(gone, xy, within)
        new[back[back >= 0]] = False
        new = np.flatnonzero(new)
        many = self.cells.count
        if len(new) >= k:
            own = address_cells(xy[new], k, progress)
            cell[new] = own.cell + many
            many += own.count
        return KeptCells(AddressCells(xy, k, cell, many), gone, True)


def too_few_left(cells: AddressCells, groups: KeptGroups, place: np.ndarray) -> np.ndarray:
    """Return the places whose units would leave an address with more than one in k.

    Parameters
    ----------
    cells : AddressCells
        Of the list of now.
    groups : KeptGroups
        With the cell of each place.
    place : (m,) int array
        Rows of the addresses that hold records now.

    Returns
    -------
    (q,) int64 array
        All places of those units, ascending rows.
    """
    here = np.isin(groups.place, place)
    unit, cell, records = groups.counts_of_cells(here)
    whole = np.bincount(groups.group[here])
    few = records * cells.k > whole[unit] * cells.sizes[cell]
    return groups.place[np.isin(groups.group, unit[few])]
