# SPDX-License-Identifier: GPL-2.0-or-later
"""Zones in which masked points stay, and the share of a law that lies inside.

The share is an integral along the border. The field (G(r) / 2 pi r) in the direction away from a
point c, with G the share of the law within r, has the law's density as its divergence; so what of
the law lies in a zone is what flows out through its border, the integral of G dθ / 2 pi with θ the
direction as seen from c. Edges beyond the law's reach, where G is 1, add the angle that they
cover: nothing has to be computed for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from ..runtime.wording import mark
from ..space.points import as_points
from .law import Law

#: Where there are no zones, only areas to avoid: beyond any plane in metres.
_EVERYWHERE = 1e8
#: The integral along an edge is taken in pieces, whose ends lie at these shares of the reach.
_RINGS = np.concatenate([[0.0, 1 / 128, 1 / 32], np.arange(1, 17) / 16])
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(6)
_PAIRS = 4096
_ASKED, _LOCATED = 16_384, 8_192
#: A point on a border, from where an edge has no direction, is looked at from beside it.
_BESIDE = 1e-7
_POLYGON, _MULTIPOLYGON = 3, 6
_NO_AREA = mark(
    "Zone number {number} has no area: it is empty, or no polygon. Leave it out or correct it."
)


@dataclass(frozen=True, eq=False)
class Zones:
    """Zones less the areas to avoid, made by :meth:`of`.

    Attributes
    ----------
    shapes : (z,) array of shapely polygons
        Prepared; one is empty where all of a zone is to be avoided.
    edges : (e, 4) array
        Edges of all, x and y of both ends, the zone on their left.
    first : (z + 1,) int array
        Where the edges of each zone start.
    """

    shapes: np.ndarray
    edges: np.ndarray
    first: np.ndarray
    _trees: dict[int, Any]

    @classmethod
    def of(cls, zones: Sequence[Any] | None, avoid: Sequence[Any] | None = None) -> Zones:
        """Take areas away from zones.

        Parameters
        ----------
        zones : sequence of shapely polygons, or None
            In the plane of the points. None for one that is everywhere.
        avoid : sequence of shapely polygons, optional
            Water, land where nobody lives.

        Returns
        -------
        Zones

        Raises
        ------
        InputError
            If a zone has no area, or crosses itself.
        """
        geos = shapely()
        if zones is None:
            far = _EVERYWHERE
            shapes = np.array([geos.box(-far, -far, far, far)], dtype=object)
        else:
            shapes = checked_shapes(zones)
        if avoid is not None and len(avoid):
            shapes = geos.difference(shapes, geos.union_all(checked_shapes(avoid)))
        shapes = geos.normalize(shapes)
        geos.prepare(shapes)
        edges = [_edges(shape) for shape in shapes]
        first = np.concatenate([[0], np.cumsum([len(one) for one in edges])])
        return cls(shapes, np.concatenate(edges), first, {})

    def contain(self, xy: np.ndarray, zone: np.ndarray) -> np.ndarray:
        """Whether each point lies in its zone, (n,) bool; those on the border do not."""
        return shapely().contains_xy(self.shapes[zone], xy[:, 0], xy[:, 1])

    def near(self, xy: np.ndarray, zone: np.ndarray, reach: np.ndarray) -> tuple:
        """Pairs of a point and an edge of its zone within its reach.

        Parameters
        ----------
        xy : (n, 2) array
        zone : (n,) int array
        reach : (n,) array

        Returns
        -------
        point, edge : (p,) int arrays
            Rows of ``xy`` and of :attr:`edges`, sorted.
        """
        geos, points, edges = shapely(), [], []
        for one in np.unique(zone):
            rows = np.flatnonzero(zone == one)
            tree = self.tree(int(one))
            asked = geos.points(xy[rows])
            at, edge = tree.query(asked, predicate="dwithin", distance=reach[rows])
            points.append(rows[at])
            edges.append(edge + self.first[one])
        none = np.empty(0, dtype=np.intp)
        point, edge = np.concatenate([none, *points]), np.concatenate([none, *edges])
        order = np.lexsort((edge, point))
        return point[order], edge[order]

    def tree(self, zone: int) -> Any:
        """Tree of the edges of a zone, a shapely STRtree; made once."""
        if zone not in self._trees:
            geos = shapely()
            own = self.edges[self.first[zone] : self.first[zone + 1]]
            self._trees[zone] = geos.STRtree(geos.linestrings(own.reshape(-1, 2, 2)))
        return self._trees[zone]


def seen_from(
    xy: np.ndarray, zones: Zones, zone: np.ndarray, reach: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges near points, and where to look at them from.

    Parameters
    ----------
    xy : (n, 2) array
    zones : Zones
    zone : (n,) int array
    reach : (n,) array

    Returns
    -------
    point, edge : (p,) int arrays
        Pairs, as :meth:`Zones.near` finds them.
    seen : (n, 2) array
        The points, or places a little beside those that lie on an edge.
    """
    point, edge = zones.near(xy, zone, reach)
    left, start, end = from_edges(xy[point], zones.edges[edge])
    away = np.hypot(left, np.maximum(np.maximum(start, -end), 0.0))
    on = np.zeros(len(xy), dtype=bool)
    on[point[away <= _BESIDE / 100 * reach[point]]] = True
    beside = xy + _BESIDE * reach[:, None] * np.array([0.61, 0.79])
    return point, edge, np.where(on[:, None], beside, xy)


def from_edges(xy: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where edges run, seen from a point each.

    Parameters
    ----------
    xy : (p, 2) array
    edges : (p, 4) array

    Returns
    -------
    left : (p,) array
        Distance of the point to the left of the edge's line, negative to its right.
    start, end : (p,) array
        Where on the line the edge starts and ends, from the foot of the perpendicular.
    """
    one, other = edges[:, :2] - xy, edges[:, 2:] - xy
    along = edges[:, 2:] - edges[:, :2]
    along = along / np.hypot(along[:, 0], along[:, 1])[:, None]
    left = one[:, 0] * along[:, 1] - one[:, 1] * along[:, 0]
    return left, (one * along).sum(axis=1), (other * along).sum(axis=1)


def shares_inside(
    xy: np.ndarray, law: Law, zones: Zones, zone: np.ndarray, progress: Progress = silent
) -> np.ndarray:
    """Share Z of each point's law that lies in its zone: what contained densities divide by.

    Parameters
    ----------
    xy : (n, 2) array
        In the plane of the zones; inside or not.
    law : Law
        With a value for all points, or for each of them.
    zones : Zones
    zone : (n,) int array
        Zone of each point; below zero for none.
    progress : callable

    Returns
    -------
    (n,) array
        From 0 to 1, to about 1e-6; 0 where a point has no zone or no law.
    """
    xy, shares = as_points(xy), np.zeros(len(xy))
    possible = np.flatnonzero((zone >= 0) & law.possible)
    # The trees of edges take a second where a coast is long.
    interruptible(lambda: [zones.tree(int(one)) for one in np.unique(zone[possible])], progress)
    for rows in chunks(len(possible), _ASKED, part(progress, 0.05, 1.0)):
        some = possible[rows]
        shares[some] = _shares(xy[some], law.of(some), zones, zone[some])
    return shares


def _shares(xy: np.ndarray, law: Law, zones: Zones, zone: np.ndarray) -> np.ndarray:
    reach = np.broadcast_to(np.asarray(law.reach()), len(xy))
    point, edge, xy = seen_from(xy, zones, zone, reach)
    lost = np.zeros(len(xy))
    for pairs in chunks(len(point), _PAIRS):
        at = point[pairs]
        seen = from_edges(xy[at], zones.edges[edge[pairs]])
        lost += np.bincount(at, _beyond(*seen, law.of(at)), minlength=len(xy))
    return np.clip(zones.contain(xy, zone) - lost / (2 * np.pi), 0.0, 1.0)


def _beyond(left: np.ndarray, start: np.ndarray, end: np.ndarray, law: Law) -> np.ndarray:
    """Integral of 1 - G along edges over the direction, by Gauss and Legendre in pieces."""
    reach, hole = np.broadcast_arrays(law.reach(), law.hole, left)[:2]
    ring = hole + np.multiply.outer(_RINGS, reach - hole)
    # A foot farther away than a ring leaves a piece of no length.
    cut = np.sqrt(np.maximum(np.square(ring) - np.square(left), 0.0))
    ends = np.clip(np.concatenate([-cut[::-1], cut]), start, end)
    turn = np.arctan2(ends, np.abs(left))
    middle, half = (turn[1:] + turn[:-1]) / 2, (turn[1:] - turn[:-1]) / 2
    total = np.zeros(len(left))
    for node, weight in zip(_NODES, _WEIGHTS):
        away = np.abs(left) / np.cos(middle + node * half)
        # Bounded, since the cosine of a right angle is not quite zero.
        share = law.within(np.minimum(away, reach))
        total += weight * (half * (1 - share)).sum(axis=0)
    return np.where(left < 0, -total, total)


def checked_shapes(shapes: Sequence[Any]) -> np.ndarray:
    """Return zones as an array of valid polygons with an area.

    Raises
    ------
    InputError
        If a zone has no area, or crosses itself; with its number, from 1.
    """
    geos = shapely()
    array = np.empty(len(shapes), dtype=object)
    array[:] = list(shapes)
    kinds = np.isin(geos.get_type_id(array), (_POLYGON, _MULTIPOLYGON))
    sized = kinds & ~geos.is_empty(array)
    if not len(array) or not sized.all():
        raise InputError(_NO_AREA, number=int(np.argmin(sized)) + 1 if len(array) else 1)
    valid = geos.is_valid(array)
    if not valid.all():
        raise InputError(
            "Zone number {number} crosses itself, or has coordinates that are no finite numbers."
            " Run Fix geometries on the layer first.",
            number=int(np.argmin(valid)) + 1,
        )
    return array


def _edges(shape: Any) -> np.ndarray:
    """Edges of a normalized polygon, whose holes run against its shells, the inside left."""
    geos = shapely()
    xy, ring = geos.get_coordinates(geos.get_rings(geos.get_parts(shape)), return_index=True)
    same = ring[1:] == ring[:-1]
    edges = np.concatenate([xy[:-1], xy[1:]], axis=1)[same]
    if not len(edges):
        return np.empty((0, 4))
    edges = edges[(edges[:, :2] != edges[:, 2:]).any(axis=1)]
    near = edges - np.tile(edges[0, :2], 2)
    if (near[:, 0] * near[:, 3] - near[:, 1] * near[:, 2]).sum() < 0:
        edges = edges[:, [2, 3, 0, 1]]
    return edges


def zone_of(
    xy: np.ndarray, zones: Sequence[Any] | np.ndarray, progress: Progress = silent
) -> np.ndarray:
    """Find the zone of each point.

    Parameters
    ----------
    xy : (n, 2) array
    zones : sequence of shapely polygons
        Before anything is taken away from them: who lives in what is to be avoided has a zone,
        too.
    progress : callable

    Returns
    -------
    (n,) int array
        The zone that the point lies in or on the border of; -1 for none. Of several the same in
        any order of the zones, or a point on a border would be drawn anew when the layer is saved
        once more: the one whose centre comes first by x, then by y, then the smallest.
    """
    geos = shapely()
    shapes = np.asarray(zones, dtype=object)
    middle = geos.centroid(shapes)
    order = np.lexsort((geos.area(shapes), geos.get_y(middle), geos.get_x(middle)))
    rank = np.empty(len(shapes), dtype=np.intp)
    rank[order] = np.arange(len(shapes))
    found = np.full(len(xy), len(shapes), dtype=np.intp)
    tree = geos.STRtree(shapes)
    for rows in chunks(len(xy), _LOCATED, progress):
        point, zone = tree.query(geos.points(xy[rows]), predicate="intersects")
        np.minimum.at(found, point + rows.start, rank[zone])
    return np.append(order, -1)[found]
