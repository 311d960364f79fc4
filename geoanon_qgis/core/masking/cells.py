# SPDX-License-Identifier: GPL-2.0-or-later
"""Voronoi cells as a picture of the mask; the mask itself does not need them.

Cells and study area are convex, so clipping needs no geometry library: those that Python
packages bring do not get on with the one inside QGIS.
"""

from __future__ import annotations

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from ..space.points import as_points, build_tree, places

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
    from scipy.spatial import ConvexHull

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
    around = distinct - middle
    # Points in a line have no hull before they are widened.
    if np.linalg.matrix_rank(around, tol=1e-9 * np.abs(around).max()) == 2 and len(around) > 2:
        around = around[ConvexHull(around, qhull_options="Qt").vertices]
    widened = (around[:, None, :] + circle).reshape(-1, 2)
    return widened[ConvexHull(widened).vertices] + middle


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
    from scipy.spatial import Voronoi

    found = places(as_points(xy))
    if len(found.xy) < 2:
        raise InputError("Voronoi cells need points at two different places or more.")
    progress(0.0)
    # Working around the centre keeps the digits; four far points close the outer cells.
    low, high = area.min(axis=0), area.max(axis=0)
    middle = (low + high) / 2
    far = 10.0 * float((high - low).max())
    frame = far * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    sites, area = found.xy - middle, area - middle
    points = np.concatenate([sites, frame])
    diagram = interruptible(lambda: Voronoi(points), progress)
    progress(0.3)
    normal, limit = _half_planes(area)
    corners = diagram.vertices
    outside = np.zeros(len(corners), dtype=bool)
    for a, b in zip(normal, limit):
        outside |= corners @ a > b
    cells = []
    for rows in chunks(len(sites), _CELLS_AT_ONCE, part(progress, 0.4, 1.0)):
        for site in range(rows.start, rows.stop):
            region = np.asarray(diagram.regions[diagram.point_region[site]])
            ring = corners[region]
            away = ring - sites[site]
            order = np.argsort(np.arctan2(away[:, 1], away[:, 0]))
            ring = ring[order]
            if outside[region].any():
                ring = _clip(ring, normal, limit)
            cells.append(ring + middle)
    return cells, found.of_point


def _half_planes(area: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Inside is where ``normal @ p <= limit`` for all edges of a counter-clockwise polygon."""
    edge = np.roll(area, -1, axis=0) - area
    normal = np.stack([edge[:, 1], -edge[:, 0]], axis=1)
    return normal, (normal * area).sum(axis=1)


def _clip(ring: np.ndarray, normal: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """Cut a convex polygon by half-planes (Sutherland and Hodgman 1974)."""
    for a, b in zip(normal, limit):
        beyond = ring @ a - b
        if (beyond <= 0).all():
            continue
        following, ahead = np.roll(ring, -1, axis=0), np.roll(beyond, -1)
        crosses = (beyond > 0) != (ahead > 0)
        share = np.divide(beyond, beyond - ahead, out=np.zeros_like(beyond), where=crosses)
        cut = ring + share[:, None] * (following - ring)
        both = np.stack([ring, cut], axis=1).reshape(-1, 2)
        ring = both[np.stack([beyond <= 0, crosses], axis=1).ravel()]
    return ring


def polygon_wkb(ring: np.ndarray) -> bytes:
    """A polygon of one ring as well-known binary."""
    closed = np.concatenate([ring, ring[:1]])
    head = np.array([3, 1, len(closed)], dtype="<u4").tobytes()
    return b"\x01" + head + closed.astype("<f8").tobytes()
