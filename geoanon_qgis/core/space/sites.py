# SPDX-License-Identifier: GPL-2.0-or-later
"""The nearest of some sites, the same whatever the order in which sites or places come."""

from __future__ import annotations

import numpy as np

from ..runtime.progress import Progress, chunks, part, silent
from .points import QUERY_ROWS, build_tree

#: Sites that can be equally near to a place in a grid.
_TIED = 4


class Sites:
    """Sites that are asked for again and again; see :func:`nearest_site`.

    Parameters
    ----------
    xy : (s, 2) array
        At least one.
    progress : callable
    """

    def __init__(self, xy: np.ndarray, progress: Progress = silent):
        # In the order of their places: the first of those at the same distance has the lowest row.
        self._order = np.lexsort((xy[:, 1], xy[:, 0]))
        self._tree = build_tree(xy[self._order], progress)
        self._asked = list(range(1, min(_TIED, len(xy)) + 1))

    def nearest(self, xy: np.ndarray, progress: Progress = silent) -> tuple[np.ndarray, np.ndarray]:
        """Row of the nearest site of each place, and the distance to it, (n,) each."""
        if len(xy) <= QUERY_ROWS:
            return self._nearest(xy)
        row, away = np.empty(len(xy), dtype=np.int64), np.empty(len(xy))
        for some in chunks(len(xy), QUERY_ROWS, progress):
            row[some], away[some] = self._nearest(xy[some])
        return row, away

    def _nearest(self, xy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # As a list, a single neighbour too comes in a column.
        gap, nearest = self._tree.query(xy, k=self._asked)
        tied = gap == gap[:, :1]
        first = np.where(tied, nearest, len(self._order)).min(axis=1)
        return self._order[first], gap[:, 0]


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
    return Sites(sites, part(progress, 0.0, 0.1)).nearest(xy, part(progress, 0.1, 1.0))
