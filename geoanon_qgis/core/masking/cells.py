# SPDX-License-Identifier: GPL-2.0-or-later
"""Voronoi cells as a picture of the mask; the mask itself does not need them."""

from __future__ import annotations

import numpy as np

from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from ..space.points import as_points, build_tree, convex_hull, places

_CELLS_AT_ONCE = 2_000
#: Least margin around all points, as a part of their extent.
_LEAST_MARGIN = 1e-9
#: Corners of the circle by which the hull is widened.
_ROUND = 16


def study_area(xy: np.ndarray) -> np.ndarray:
    """Convex hull of the points, widened by half the typical distance between neighbours.

    The published method draws cells in "the study area" without defining it; the widened hull
    keeps the outermost points inside their cells.

    Parameters
    ----------
    xy : (n, 2) array
        At least two different points.

    Returns
    -------
    (m, 2) array
        Corners of a convex polygon, counter-clockwise, the first not repeated.
    """
    distinct = places(as_points(xy)).xy
    if len(distinct) < 2:
        raise InputError("Voronoi cells need points at two different places or more.")
    nearest = build_tree(distinct).query(distinct, k=2)[0][:, 1]
    extent = float(np.ptp(distinct, axis=0).max())
    # Neighbours may be no farther from each other than rounding (at a pole, in degrees).
    margin = max(float(np.median(nearest)), float(nearest.max()) / 2, _LEAST_MARGIN * extent)
    angle = np.arange(_ROUND) * (2 * np.pi / _ROUND)
    circle = margin / np.cos(np.pi / _ROUND) * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    middle = (distinct.min(axis=0) + distinct.max(axis=0)) / 2
    # Points in a line have no hull before they are widened, but its two ends.
    widened = (convex_hull(distinct - middle)[:, None, :] + circle).reshape(-1, 2)
    return convex_hull(widened) + middle


def voronoi_cells(
    xy: np.ndarray, area: np.ndarray, progress: Progress = silent
) -> tuple[list[np.ndarray], np.ndarray]:
    """Voronoi cells of the distinct places, clipped to a convex area.

    Parameters
    ----------
    xy : (n, 2) array
    area : (m, 2) array
        Corners of a convex polygon, counter-clockwise: see :func:`study_area`.
    progress : callable

    Returns
    -------
    cells : list of (k, 2) arrays
        Corners of one convex polygon a distinct place, counter-clockwise, not closed.
    cell_of_point : (n,) int array
        Which cell each point lies in; points at one place share theirs.

    Raises
    ------
    InputError
        With fewer than two places.
    """
    found = places(as_points(xy))
    if len(found.xy) < 2:
        raise InputError("Voronoi cells need points at two different places or more.")
    geos = shapely()
    progress(0.0)
    rings, middle = open_cells(found.xy, area, part(progress, 0.0, 0.4))
    around = geos.polygons(area - middle)
    geos.prepare(around)
    cells = []
    for rows in chunks(len(rings), _CELLS_AT_ONCE, part(progress, 0.4, 1.0)):
        some = rings[rows]
        site = np.repeat(np.arange(len(some)), [len(ring) for ring in some])
        shapes = geos.polygons(geos.linearrings(np.concatenate(some), indices=site))
        for at in np.flatnonzero(~geos.contains_properly(around, shapes)):
            cut = geos.get_coordinates(geos.intersection(shapes[at], around))[:0:-1]
            some[at] = cut if len(cut) > 2 else cut[:0]
        cells += [ring + middle for ring in some]
    return cells, found.of_point


def open_cells(
    xy: np.ndarray, around: np.ndarray, progress: Progress = silent
) -> tuple[list[np.ndarray], np.ndarray]:
    """Voronoi cells of different places before they are clipped: the outer ones reach far.

    Parameters
    ----------
    xy : (n, 2) array
    around : (m, 2) array
        Points within whose extent the cells are right.
    progress : callable

    Returns
    -------
    rings : list of n (k, 2) arrays
        Corners, counter-clockwise, not closed; those that adjoin share them to the last digit.
    middle : (2,) array
        What is to be added to the corners: around the centre they keep their digits.
    """
    from scipy.spatial import Voronoi

    low, high = around.min(axis=0), around.max(axis=0)
    middle, far = (low + high) / 2, 10.0 * float((high - low).max())
    # Four far points close the outer cells.
    frame = far * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    points = np.concatenate([xy - middle, frame])
    diagram = interruptible(lambda: Voronoi(points), progress)
    regions = [diagram.regions[region] for region in diagram.point_region[: len(xy)]]
    count = np.array([len(region) for region in regions])
    site = np.repeat(np.arange(len(xy)), count)
    corners = diagram.vertices[np.concatenate(regions)]
    away = corners - points[site]
    order = np.lexsort((np.arctan2(away[:, 1], away[:, 0]), site))
    progress(1.0)
    return np.split(corners[order], np.cumsum(count)[:-1]), middle


def polygon_wkb(ring: np.ndarray) -> bytes:
    """A polygon of one ring as well-known binary."""
    closed = np.concatenate([ring, ring[:1]])
    head = np.array([3, 1, len(closed)], dtype="<u4").tobytes()
    return b"\x01" + head + closed.astype("<f8").tobytes()
