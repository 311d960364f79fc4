# SPDX-License-Identifier: GPL-2.0-or-later
"""Square cells over an area, and what lies in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, chunks, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, number_of
from ..space.points import as_points
from .window import Window

_BOXES = 4_096


@dataclass(frozen=True, eq=False)
class Grid:
    """Square cells along the axes, row after row from the lowest y.

    Attributes
    ----------
    left, bottom : float
        The lower left corner.
    side : float
    columns, rows : int
    """

    left: float
    bottom: float
    side: float
    columns: int
    rows: int

    @property
    def x(self) -> np.ndarray:
        """Edges of the columns, (columns + 1,)."""
        return self.left + self.side * np.arange(self.columns + 1)

    @property
    def y(self) -> np.ndarray:
        """Edges of the rows, (rows + 1,)."""
        return self.bottom + self.side * np.arange(self.rows + 1)

    @property
    def centres(self) -> np.ndarray:
        """Middles of the cells, (rows * columns, 2)."""
        x, y = np.meshgrid(self.x[:-1] + self.side / 2, self.y[:-1] + self.side / 2)
        return np.stack([x.ravel(), y.ravel()], axis=1)

    def in_units_of(self, factor: float) -> Grid:
        """The same cells in another unit, of which one of ours is ``factor``."""
        left, bottom, side = (factor * one for one in (self.left, self.bottom, self.side))
        return Grid(left, bottom, side, self.columns, self.rows)

    def cell_of(self, xy: np.ndarray) -> np.ndarray:
        """Cell of each point, (n,), of ``rows * columns``; -1 for none."""
        column = np.floor((xy[:, 0] - self.left) / self.side)
        row = np.floor((xy[:, 1] - self.bottom) / self.side)
        inside = (column >= 0) & (column < self.columns) & (row >= 0) & (row < self.rows)
        cell = np.full(len(xy), -1, dtype=np.intp)
        cell[inside] = (row * self.columns + column)[inside]
        return cell

    def coverage(self, window: Window, progress: Progress = silent) -> np.ndarray:
        """Share of each cell that lies in a window, (rows, columns)."""
        geos, share = shapely(), np.zeros(self.rows * self.columns)
        row, column = np.divmod(np.arange(len(share)), self.columns)
        x, y = self.x, self.y
        for some in chunks(len(share), _BOXES, progress):
            boxes = geos.box(x[column[some]], y[row[some]], x[column[some] + 1], y[row[some] + 1])
            whole = geos.contains_properly(window.shape, boxes)
            cut = np.flatnonzero(~whole & geos.intersects(window.shape, boxes))
            share[some][whole] = 1.0
            parts = geos.area(geos.intersection(window.shape, boxes[cut]))
            share[some.start + cut] = np.minimum(parts / self.side**2, 1.0)
        return share.reshape(self.rows, self.columns)


def grid_over(bounds: np.ndarray, side: float, most: int) -> Grid:
    """Cells that cover a rectangle, its middle in the middle of the grid.

    Parameters
    ----------
    bounds : (4,) array
        Least x and y, largest x and y.
    side : float
        Of a cell; larger where there would be more than ``most`` in a row or a column.
    most : int

    Returns
    -------
    Grid

    Raises
    ------
    InputError
        If the side is not positive.
    """
    if not (np.isfinite(side) and side > 0):
        raise InputError(Sentence("The cells of the grid need a side above 0."))
    wide = np.asarray(bounds[2:], dtype=float) - bounds[:2]
    side = max(float(side), float(wide.max()) / most)
    columns, rows = (max(1, int(np.ceil(one / side - 1e-9))) for one in wide)
    middle = (np.asarray(bounds[:2], dtype=float) + bounds[2:]) / 2
    left, bottom = middle - side * np.array([columns, rows]) / 2
    return Grid(float(left), float(bottom), side, columns, rows)


@dataclass(frozen=True, eq=False, repr=False)
class CellCounts(Summarised):
    """Points in the cells of an area, before and after.

    Attributes
    ----------
    grid : Grid
    cells : (c,) int array
        Those whose middle lies in the window, ascending; of ``rows * columns``.
    before, after : (c,) int arrays
        Points in each.
    left_out : (int, int)
        Points in none of the cells, before and after.
    """

    grid: Grid
    cells: np.ndarray
    before: np.ndarray
    after: np.ndarray
    left_out: tuple[int, int]

    def in_words(self) -> str:
        """Say how many cells there are."""
        return (
            f"{self.before.sum():,} points in {number_of(len(self.cells), 'cell', 'cells')} of"
            f" {self.grid.side:,.4g}, then {self.after.sum():,}."
        )


def count_in_cells(
    original: np.ndarray,
    released: np.ndarray,
    window: Window,
    side: float | None = None,
    *,
    most_cells: int = 100,
) -> CellCounts:
    """Count points of both patterns in the same cells.

    Parameters
    ----------
    original, released : (n, 2), (m, 2) arrays
        In one plane; rows need not correspond.
    window : Window
    side : float, optional
        By default so that a cell has two originals on average.
    most_cells : int
        In a row or a column; cells are larger where there would be more.

    Returns
    -------
    CellCounts

    Raises
    ------
    InputError
        If the side is not positive, or there is no original.
    """
    both = [as_points(original), as_points(released)]
    if not len(both[0]):
        raise InputError(Sentence("There are no points to count in cells."))
    if side is None:
        side = float(np.sqrt(2 * window.area / len(both[0])))
    grid = grid_over(window.bounds, side, most_cells)
    cells = np.flatnonzero(window.contains(grid.centres))
    number = np.full(grid.rows * grid.columns + 1, -1, dtype=np.intp)
    number[cells] = np.arange(len(cells))
    found = [number[grid.cell_of(xy)] for xy in both]
    counts = [np.bincount(at[at >= 0], minlength=len(cells)) for at in found]
    left_out = [int((at < 0).sum()) for at in found]
    return CellCounts(grid, cells, counts[0], counts[1], (left_out[0], left_out[1]))
