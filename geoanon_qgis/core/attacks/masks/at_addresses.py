# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether places lie at an address, asked of millions of places of which most lie at none.

Cells that an address is near are marked in a table, so that a tree is asked about few places only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

#: Entries of the table for each address, width of a cell in errors (more than two, so that the square
#: round an address reaches no more cells than its corners do), and how cells are spread over the table.
_ENTRIES, _WIDTH = 16, 2.5
_SPREAD = (np.int64(73_856_093), np.int64(19_349_663))


@dataclass(frozen=True, eq=False)
class AtAddresses:
    """Addresses, and which cells are near one.

    Attributes
    ----------
    tree : cKDTree
        Of the addresses.
    error : float
        Metres from an address within which a place lies at it.
    marked : (2**k,) bool array
        By the cells' numbers, of which several share an entry.
    """

    tree: Any
    error: float
    marked: np.ndarray

    @staticmethod
    def of(addresses: np.ndarray, tree: Any, error: float) -> AtAddresses:
        """Mark the cells that the square round an address reaches."""
        marked = np.zeros(1 << int(_ENTRIES * len(addresses)).bit_length(), dtype=bool)
        found = AtAddresses(tree, error, marked)
        xy = addresses @ np.array([1.0, 1j])
        for corner in (1 + 1j, 1 - 1j, -1 + 1j, -1 - 1j):
            # Wider than the tree's radius, so that no rounding leaves a cell out.
            marked[found._entry(xy + 1.001 * error * corner)] = True
        return found

    def lie(self, places: np.ndarray) -> np.ndarray:
        """Which places, (n,) complex numbers, lie at an address, (n,)."""
        found = self.marked[self._entry(places)]
        rows = np.flatnonzero(found)
        xy = np.stack([places[rows].real, places[rows].imag], axis=1)
        found[rows] = np.isfinite(self.tree.query(xy, distance_upper_bound=self.error)[0])
        return found

    def _entry(self, places: np.ndarray) -> np.ndarray:
        side = _WIDTH * self.error
        column = np.floor(places.real / side).astype(np.int64) * _SPREAD[0]
        row = np.floor(places.imag / side).astype(np.int64) * _SPREAD[1]
        return (column ^ row) & (len(self.marked) - 1)
