# SPDX-License-Identifier: GPL-2.0-or-later
"""Squares and hexagons that cover a plane, with a fixed origin that nobody chose for some data.

A corner of a square, and the centre of a hexagon, lie at 0, 0 of the plane. An origin at the corner
of a layer's extent, as tools for grids suggest it, tells where the outermost points lie, and another
one in the next release cuts each cell into smaller ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..space.points import as_points

SQUARES, HEXAGONS = "grid", "hexagons"
#: Beyond so many cells from the origin their numbers are not exact any more.
_FARTHEST = 2.0**50
#: Corners of a hexagon of edge 1, whose pointed ends lie above and below its centre.
_TURNS = np.pi / 6 + np.arange(6) * np.pi / 3
#: A hexagon of this edge has an area of 1.
_EDGE = float(np.sqrt(2 / (3 * np.sqrt(3))))


@dataclass(frozen=True)
class Lattice:
    """Cells of one shape and size.

    Parameters
    ----------
    shape : str
        ``grid`` or ``hexagons``.
    side : float
        Side of a square in the unit of the plane; a hexagon has the area of that square.

    Raises
    ------
    InputError
        If the side is no positive number.
    """

    shape: str
    side: float

    def __post_init__(self) -> None:
        if not (np.isfinite(self.side) and self.side > 0):
            raise InputError(
                "The side of a cell must be a positive number, not {side:g}.", side=self.side
            )
        if self.shape not in (SQUARES, HEXAGONS):
            raise InputError("There is no lattice called {shape!r}.", shape=self.shape)

    @property
    def edge(self) -> float:
        """Length of an edge of a cell."""
        return self.side if self.shape == SQUARES else self.side * _EDGE

    def cells(self, xy: np.ndarray) -> np.ndarray:
        """Column and row of the cell in which each point lies.

        Parameters
        ----------
        xy : (n, 2) array
            In the plane of the lattice.

        Returns
        -------
        (n, 2) int64 array
            A point on a border belongs to one of its cells, always the same.

        Raises
        ------
        InputError
            If a point lies so many cells away that they cannot be told apart.
        """
        xy = as_points(xy)
        if not (np.abs(xy) < _FARTHEST * self.side).all():
            raise InputError(
                "The cells are too small for coordinates that large. Take a larger side."
            )
        if self.shape == SQUARES:
            return np.floor(xy / self.side).astype(np.int64)
        # In axes along two of the edges' normals, rounded so that the three of them add up to 0.
        q = (np.sqrt(3) / 3 * xy[:, 0] - xy[:, 1] / 3) / self.edge
        r = 2 / 3 * xy[:, 1] / self.edge
        cube = np.stack([q, r, -q - r], axis=1)
        near = np.rint(cube)
        off = np.abs(near - cube)
        worst = off.argmax(axis=1)
        rest = -(near.sum(axis=1) - near[np.arange(len(xy)), worst])
        near[np.arange(len(xy)), worst] = rest
        return near[:, :2].astype(np.int64)

    def centres(self, cells: np.ndarray) -> np.ndarray:
        """Centre of each cell, (n, 2)."""
        if self.shape == SQUARES:
            return (cells + 0.5) * self.side
        q, r = cells[:, 0], cells[:, 1]
        return self.edge * np.stack([np.sqrt(3) * (q + r / 2), 1.5 * r], axis=1)

    def corners(self, cells: np.ndarray) -> np.ndarray:
        """Corners of each cell, counter-clockwise, the first not repeated: (n, 4 or 6, 2)."""
        if self.shape == SQUARES:
            step = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
            return (cells[:, None, :] + step) * self.side
        round_it = self.edge * np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=1)
        return self.centres(cells)[:, None, :] + round_it

    def polygons(self, cells: np.ndarray) -> Any:
        """The cells as an array of shapely polygons."""
        corners = self.corners(cells)
        geos = shapely()
        return geos.polygons(np.concatenate([corners, corners[:, :1]], axis=1))

    def draw(self, cells: np.ndarray, uniform: np.ndarray) -> np.ndarray:
        """Draw a point of each cell, uniform by area.

        Parameters
        ----------
        cells : (n, 2) int array
        uniform : (n, 3) array
            Uniformly distributed, above 0 and below 1.

        Returns
        -------
        (n, 2) array
        """
        if self.shape == SQUARES:
            return (cells + uniform[:, :2]) * self.side
        # A hexagon is three rhombi that meet in its centre: one of them, and a point of it.
        which = np.minimum((3 * uniform[:, 2]).astype(np.int64), 2)
        turn = _TURNS[0] + which * 2 * np.pi / 3
        other = turn + 2 * np.pi / 3
        one = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        two = np.stack([np.cos(other), np.sin(other)], axis=1)
        step = uniform[:, :1] * one + uniform[:, 1:2] * two
        return self.centres(cells) + self.edge * step
