# SPDX-License-Identifier: GPL-2.0-or-later
"""The nearest of some sites, the same whatever the order in which sites or places come."""

from __future__ import annotations

import numpy as np

from ..runtime.progress import Progress, chunks, part, silent
from .points import QUERY_ROWS, build_tree

#: Sites that can be equally near to a place in a grid.
_TIED = 4


def nearest_site(
    sites: np.ndarray, xy: np.ndarray, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """Nearest site of each place; of equally near ones the first in x, then in y.

    Parameters
    ----------
    sites : (s, 2) array
        At least one.
    xy : (n, 2) array
    progress : callable

    Returns
    -------
    row : (n,) int array
        Rows of ``sites``.
    away : (n,) array
        Distance to it.
    """
    # In the order of their places: the first of those at the same distance has the lowest row.
    order = np.lexsort((sites[:, 1], sites[:, 0]))
    tree = build_tree(sites[order], part(progress, 0.0, 0.1))
    row, away = np.empty(len(xy), dtype=np.int64), np.empty(len(xy))
    # As a list, a single neighbour too comes in a column.
    asked = list(range(1, min(_TIED, len(sites)) + 1))
    for some in chunks(len(xy), QUERY_ROWS, part(progress, 0.1, 1.0)):
        gap, nearest = tree.query(xy[some], k=asked)
        tied = gap == gap[:, :1]
        row[some] = order[np.where(tied, nearest, len(sites)).min(axis=1)]
        away[some] = gap[:, 0]
    return row, away
