# SPDX-License-Identifier: GPL-2.0-or-later
"""Which points lie within rings, by the even-odd rule, on a plane or around the globe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.geos import shapely

if TYPE_CHECKING:
    from shapely import MultiPolygon


@dataclass(frozen=True, eq=False)
class Within:
    """The polygons that rings form: two around a place make it a hole, three an island in it.

    Attributes
    ----------
    polygons : MultiPolygon
    depth : (r,) int array
        How many other rings each ring lies in.
    turn : float
        Length of a whole turn in x, for longitudes; 0 on a plane.
    """

    polygons: MultiPolygon
    depth: np.ndarray
    turn: float

    @classmethod
    def of_rings(cls, rings: Sequence[np.ndarray], turn: float = 0.0) -> Within:
        """Put rings together, (m, 2) arrays whose last vertex does not repeat the first."""
        geos = shapely()
        inner, outer, moved = _pairs(rings, turn) if len(rings) > 1 else np.zeros((3, 0), np.intp)
        depth = np.bincount(inner, minlength=len(rings))
        # A hole goes to the ring right around it, and to that ring's turn of the globe.
        of_hole = (depth[inner] % 2 == 1) & (depth[outer] == depth[inner] - 1)
        inner, outer, moved = inner[of_hole], outer[of_hole], moved[of_hole]
        shell, shift = np.arange(len(rings)), np.zeros(len(rings))
        shell[inner], shift[inner] = outer, moved * turn
        order = np.lexsort((shell != np.arange(len(rings)), shell))
        closed = [np.vstack([rings[one], rings[one][:1]]) + (shift[one], 0.0) for one in order]
        ends = np.concatenate([[0], np.cumsum([len(ring) for ring in closed])])
        parts = np.append(np.flatnonzero(np.diff(shell[order], prepend=-1)), len(rings))
        polygons = geos.from_ragged_array(
            geos.GeometryType.MULTIPOLYGON,
            np.concatenate(closed),
            (ends, parts, np.array([0, len(parts) - 1])),
        )[0]
        made = cls(polygons, depth, turn)
        made.contains(closed[0][:1])  # indexed now: later there may be several threads
        return made

    def contains(self, xy: np.ndarray) -> np.ndarray:
        """Which points are inside or on an edge, as a bool array of length n."""
        geos = shapely()
        geos.prepare(self.polygons)
        if not self.turn:
            return geos.intersects_xy(self.polygons, xy)
        west, _, east, _ = self.polygons.bounds
        inside = np.zeros(len(xy), dtype=bool)
        with np.errstate(invalid="ignore"):
            # Each point's own turns: as many as the rings span, however far away it lies.
            first = np.ceil((west - xy[:, 0]) / self.turn) - 1
            for turn in range(int((east - west) // self.turn) + 3):
                x = xy[:, 0] + self.turn * (first + turn)
                inside |= geos.intersects_xy(self.polygons, x, xy[:, 1])
        return inside


def _pairs(rings: Sequence[np.ndarray], turn: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All pairs of rings, one in the other, and by how many turns the inner one is to be moved."""
    geos = shapely()
    ring = np.repeat(np.arange(len(rings)), [len(one) for one in rings])
    shapes = geos.polygons(geos.linearrings(np.concatenate(rings), indices=ring))
    size, place = geos.area(shapes), geos.point_on_surface(shapes)
    x, y = geos.get_x(place), geos.get_y(place)
    west, _, east, _ = geos.total_bounds(shapes)
    turns = int((east - west) // turn) + 1 if turn else 0
    found = [np.zeros((3, 0), dtype=np.intp)]
    for moved in range(-turns, turns + 1):
        tree = geos.STRtree(geos.points(x + turn * moved, y))
        outer, inner = tree.query(shapes, predicate="intersects")
        found.append(np.stack([inner, outer, np.full(len(inner), moved)]))
    inner, outer, moved = np.concatenate(found, axis=1)
    # Only a larger ring can hold another; of rings that are the same, the first counts as larger.
    larger = (size[outer] > size[inner]) | ((size[outer] == size[inner]) & (outer < inner))
    return inner[larger], outer[larger], moved[larger]
