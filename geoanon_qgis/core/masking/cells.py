# SPDX-License-Identifier: GPL-2.0-or-later
"""Voronoi cells as a picture of the mask; the mask itself does not need them."""

from __future__ import annotations

import numpy as np

from ..errors import InputError, MissingPackage
from ..points import as_points, build_tree, places
from ..progress import Progress, chunks, part, silent

_CELLS_AT_ONCE = 20_000


def study_area(xy: np.ndarray):
    """Convex hull of the points, widened by half the typical distance between neighbours.

    The published method draws cells in "the study area" without defining it; the widened hull
    keeps the outermost points inside their cells.

    Parameters
    ----------
    xy : (n, 2) array
        At least two different points.

    Returns
    -------
    shapely.Polygon
    """
    shapely = _shapely()
    distinct = places(as_points(xy)).xy
    if len(distinct) < 2:
        raise InputError("Voronoi cells need points at two different places or more.")
    nearest = build_tree(distinct).query(distinct, k=2)[0][:, 1]
    margin = max(float(np.median(nearest)), float(nearest.max()) / 2)
    return shapely.MultiPoint(distinct).convex_hull.buffer(margin)


def voronoi_cells(
    xy: np.ndarray, area, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """Voronoi cells of the distinct places, clipped to an area.

    Parameters
    ----------
    xy : (n, 2) array
    area : shapely geometry
        See :func:`study_area`.
    progress : callable

    Returns
    -------
    cells : (p,) array of shapely geometries
        One polygon a distinct place.
    cell_of_point : (n,) int array
        Which cell each point lies in; points at one place share theirs.

    Raises
    ------
    InputError
        With fewer than two places.
    MissingPackage
        If shapely 2 is not installed.
    """
    shapely = _shapely()
    from scipy.spatial import Voronoi

    found = places(as_points(xy))
    if len(found.xy) < 2:
        raise InputError("Voronoi cells need points at two different places or more.")
    progress(0.0)
    # Working around the centre keeps the digits; four far points close the outer cells.
    middle = (found.xy.min(axis=0) + found.xy.max(axis=0)) / 2
    west, south, east, north = area.bounds
    far = 10.0 * max(east - west, north - south)
    frame = far * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    diagram = Voronoi(np.concatenate([found.xy - middle, frame]))
    progress(0.3)
    corners = diagram.vertices + middle
    rings = [diagram.regions[diagram.point_region[i]] for i in range(len(found.xy))]
    sizes = np.fromiter((len(ring) for ring in rings), dtype=np.intp, count=len(rings))
    flat = np.fromiter((v for ring in rings for v in ring), dtype=np.intp, count=int(sizes.sum()))
    # A region's vertices stand in no order; the cell is their convex hull.
    points = shapely.points(corners[flat])
    bundles = shapely.multipoints(points, indices=np.repeat(np.arange(len(rings)), sizes))
    shapely.prepare(area)
    cells = shapely.convex_hull(bundles)
    for rows in chunks(len(bundles), _CELLS_AT_ONCE, part(progress, 0.4, 1.0)):
        outside = rows.start + np.flatnonzero(~shapely.contains_properly(area, cells[rows]))
        cells[outside] = shapely.intersection(cells[outside], area)
    return cells, found.of_point


def _shapely():
    try:
        import shapely

        if int(shapely.__version__.split(".")[0]) < 2:
            raise ImportError("shapely 1")
    except ImportError as error:
        raise MissingPackage(
            "Drawing Voronoi cells needs the package shapely, version 2 or later. Leave the"
            " cells output empty, or run 'Check environment' to see how to install it."
        ) from error
    return shapely
