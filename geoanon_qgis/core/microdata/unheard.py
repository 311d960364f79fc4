# SPDX-License-Identifier: GPL-2.0-or-later
"""Categories that no original has, as of codes that were cut short or grouped: what they tell of distance.

Coded, such a one lies in the middle of all others, nearer to each of them than they are to each other, so
that records of other people would look nearer than any real ones. Where distances of records are measured
they are taken for anybody's category, drawn by how many have it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def as_anybodys(
    original: np.ndarray, other: np.ndarray, blocks: Sequence[slice] | None
) -> np.ndarray:
    """Return another table with the categories of originals drawn for those that no original has.

    Parameters
    ----------
    original, other : (n, m), (p, m) arrays
        Coded alike.
    blocks : sequence of slice, optional
        Columns of each variable.

    Returns
    -------
    (p, m) array
        The table itself where it has no such category. Drawn the same whenever it is asked.
    """
    result, rng = other, np.random.default_rng(73)
    for columns in blocks or ():
        own = original[:, columns]
        if own.shape[1] < 2 or not _are_categories(own):
            continue
        unheard = np.flatnonzero((other[:, columns] <= -1).all(axis=1))
        if len(unheard):
            result = other.copy() if result is other else result
            result[unheard, columns] = own[rng.integers(len(own), size=len(unheard))]
    return result


def _are_categories(block: np.ndarray) -> bool:
    """Whether each record has one of the columns."""
    return bool((np.abs(block) == 1).all() and (np.count_nonzero(block > 0, axis=1) == 1).all())
