# SPDX-License-Identifier: GPL-2.0-or-later
"""Categories of which one may be a part of another: cancers, and lung cancers among them.

A table of categories counts everybody once. If the cases of one field are among those of another, the
number of the others is their difference, which nobody protected because no sum of the table tells it.
Counts alone cannot say whether it is so; they can say that it is not, where there are more of the part
than of the whole.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from .count_tables import CountTable

#: Parts of which all sets are tried.
_ALL_SETS = 6


def contained(counts: np.ndarray) -> list[tuple[int, int]]:
    """Return pairs of categories of which the second may be a part of the first.

    Parameters
    ----------
    counts : (n, c) int array
        Cases of each area, by category.

    Returns
    -------
    list of (int, int)
        The second is nowhere more than the first, and somewhere above 0.
    """
    return [
        (whole, part)
        for part in range(counts.shape[1])
        for whole in range(counts.shape[1])
        if counts[:, part].any()
        and (counts[:, part] <= counts[:, whole]).all()
        and (whole < part or (counts[:, part] < counts[:, whole]).any())
        and whole != part
    ]


def small_remainders(
    table: CountTable, hidden: np.ndarray, pairs: list[tuple[int, int]], k: int, show_zeros: bool
) -> int:
    """Count small numbers that are left of published counts when their parts are taken off.

    A part is the second of a pair, if it is one; several are taken off together where they fit.

    Parameters
    ----------
    table : CountTable
    hidden : (m,) bool array
        Cells that are left out.
    pairs : list of (int, int)
    k : int
    show_zeros : bool
        Whether a 0 is published; else that all of the whole are of the part is small, too.

    Returns
    -------
    int
    """
    columns = int(table.column.max()) + 1
    counts, left_out = table.counts.reshape(-1, columns), hidden.reshape(-1, columns)
    found = 0
    for whole in {one for one, _ in pairs}:
        for parts in _together([part for one, part in pairs if one == whole]):
            rest = counts[:, whole] - counts[:, parts].sum(axis=1)
            if (rest < 0).any():
                continue  # they are not all parts of it, at least not apart from each other
            small = (rest < k) & ((rest > 0) | ((counts[:, whole] > 0) & (not show_zeros)))
            found += int((small & ~left_out[:, [whole, *parts]].any(axis=1)).sum())
    return found


def _together(parts: list[int]) -> list[list[int]]:
    """Sets of parts that may be taken off together: all, or of many each by itself and all at once."""
    sizes = range(1, len(parts) + 1) if len(parts) <= _ALL_SETS else (1, len(parts))
    return [list(some) for size in sizes for some in combinations(parts, size)]
