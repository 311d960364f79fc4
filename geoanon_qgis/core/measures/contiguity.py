# SPDX-License-Identifier: GPL-2.0-or-later
"""Who is whose neighbour: spatial weights of zones, cells of a grid and points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..masking.merging import border_step, shared_borders
from ..masking.zones import checked_shapes
from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, part, silent
from ..runtime.wording import Sentence
from ..space.neighbours import nearest_by_search
from ..space.points import as_points
from .grid import Grid

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def contiguity(
    zones: Sequence[Any], corners: bool = True, progress: Progress = silent
) -> csr_matrix:
    """Row-standardised weights of zones that adjoin.

    Parameters
    ----------
    zones : sequence of z shapely polygons
    corners : bool
        Whether to touch in a point is enough (queen); else a border must be shared (rook).
    progress : callable

    Returns
    -------
    (z, z) scipy.sparse.csr_matrix
        Rows sum to 1, or to 0 for a zone without neighbours.

    Raises
    ------
    InputError
        If a zone has no area or crosses itself.
    """
    shapes = checked_shapes(zones)
    if corners:
        # Vertices that miss each other by less than a step are the same.
        geos, step = shapely(), border_step(shapes)
        one, other = geos.STRtree(shapes).query(shapes, predicate="dwithin", distance=step)
        one, other = one[one < other], other[one < other]
    else:
        one, other, _ = shared_borders(shapes, progress)
    progress(1.0)
    return _standardised(np.append(one, other), np.append(other, one), len(shapes))


def contiguity_of_cells(grid: Grid, cells: np.ndarray, corners: bool = True) -> csr_matrix:
    """Row-standardised weights of some cells of a grid.

    Parameters
    ----------
    grid : Grid
    cells : (c,) int array
        Cells of ``rows * columns``, ascending.
    corners : bool
        Eight neighbours (queen), else four (rook).

    Returns
    -------
    (c, c) scipy.sparse.csr_matrix
    """
    row, column = np.divmod(cells, grid.columns)
    one, other = [], []
    for up in (-1, 0, 1):
        for along in (-1, 0, 1):
            if (up, along) == (0, 0) or (not corners and up * along):
                continue
            there = (column + along >= 0) & (column + along < grid.columns)
            wanted = (row + up) * grid.columns + column + along
            at = np.minimum(np.searchsorted(cells, wanted), len(cells) - 1)
            found = np.flatnonzero(there & (cells[at] == wanted))
            one.append(found)
            other.append(at[found])
    return _standardised(np.concatenate(one), np.concatenate(other), len(cells))


def nearest_weights(xy: np.ndarray, count: int, progress: Progress = silent) -> csr_matrix:
    """Row-standardised weights of the ``count`` nearest other points of each.

    Parameters
    ----------
    xy : (n, 2) array
    count : int
        At least 1; all others where there are no more. Ties go to the first in the order of rows.
    progress : callable

    Returns
    -------
    (n, n) scipy.sparse.csr_matrix
        In general not symmetric.

    Raises
    ------
    InputError
        If the count is below 1.
    """
    if count < 1:
        raise InputError(Sentence("The number of neighbours must be at least 1."))
    xy = as_points(xy)
    near, _ = nearest_by_search(
        xy,
        count,
        lambda points: points,
        lambda away: away * (1 + 1e-12),
        lambda a, b: np.hypot(*(a - b).T),
        part(progress, 0.0, 1.0),
    )
    one = np.repeat(np.arange(len(xy)), near.shape[1])
    return _standardised(one, near.ravel(), len(xy))


def _standardised(one: np.ndarray, other: np.ndarray, count: int) -> csr_matrix:
    """Weights from pairs, those of each row alike."""
    from scipy.sparse import csr_matrix

    number = np.bincount(one, minlength=count)
    return csr_matrix((1.0 / number[one], (one, other)), shape=(count, count))
