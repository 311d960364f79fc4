# SPDX-License-Identifier: GPL-2.0-or-later
"""Cells of a local plane as polygons on the map that their coordinates are stored for.

A map in degrees has two ends, at the antimeridian, and a top and a bottom that are no places but
poles. A cell that crosses the antimeridian lies at both ends; one around a pole reaches from end
to end; and an edge that is straight in the plane is a curve in degrees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from qgis.core import QgsGeometry, QgsRectangle, QgsWkbTypes

from ...core.masking.cells import polygon_wkb
from ...core.runtime.progress import Progress, chunks, part, silent
from ...core.runtime.proj_thread import in_proj_thread
from ...core.space.outlines import (
    AT_END,
    off_on_globe,
    refined,
    split,
    that_need_no_cut,
    twice_area,
    unrolled,
    with_nearest_to,
)
from ...core.space.planes import Plane
from .areas import vertices

#: Rings that are taken together.
_RINGS = 500
#: What lies within so many metres of a pole is taken to be there.
_AT_POLE_M = 1e-3
#: Mercator's projection has no place for the poles.
_HIGHEST_OF_PROJECTED = 89.9


def western_end(plane: Plane, stored: np.ndarray) -> float | None:
    """Longitude at which the map begins that coordinates are stored for.

    Parameters
    ----------
    plane : Plane
    stored : (n, 2) array
        What is stored: longitudes may go from 0 to 360 instead of from -180 to 180.

    Returns
    -------
    float or None
        In degrees; None where the map has no ends, such as that of a polar or conic projection
        around the data, where nothing is projected for the work, or where nothing is stored.
    """
    if not plane.is_local or not len(stored):
        return None
    if plane.kind != "geographic":
        return _end_of_projected(plane, stored)
    longitude = stored[:, 0] * plane.degrees_per_unit
    low, high = float(longitude.min()), float(longitude.max())
    for west in (-180.0, 0.0, -360.0):
        if west <= low and high <= west + 360.0:
            return west
    return -180.0


@in_proj_thread
def _end_of_projected(plane: Plane, stored: np.ndarray) -> float | None:
    """The same for a projected system: cylindrical ones end opposite their central meridian."""
    operation = plane.crs.coordinate_operation
    centre = next(
        (
            one.value
            for one in getattr(operation, "params", ())
            if one.name.startswith("Longitude of")
        ),
        0.0,
    )
    latitude = float(np.median(plane.lonlat(stored)[:, 1]))
    near = 1e-6
    ends = plane.from_lonlat(
        np.array([[centre - 180 + near, latitude], [centre + 180 - near, latitude]])
    )
    gap = np.hypot(*(ends[1] - ends[0]))
    # The two places are centimetres apart on the ground, and the whole map where it has ends.
    return float(centre - 180) if np.isfinite(gap) and gap > 1e5 * plane.stored_unit_m() else None


def stored_places(
    xy: np.ndarray, plane: Plane, west: float | None, progress: Progress = silent
) -> np.ndarray:
    """Places of the plane in stored coordinates, within the map that begins at ``west``."""
    stored = plane.inverse(xy, progress)
    if west is None or plane.kind != "geographic":
        return stored
    lonlat = plane.lonlat(stored)
    beyond = np.flatnonzero((lonlat[:, 0] < west) | (lonlat[:, 0] > west + 360.0))
    if len(beyond):
        lonlat = lonlat[beyond]
        lonlat[:, 0] = west + (lonlat[:, 0] - west) % 360.0
        stored[beyond] = plane.from_lonlat(lonlat)
    return stored


def polygons(
    shapes: Sequence[QgsGeometry | None],
    plane: Plane,
    west: float | None,
    progress: Progress = silent,
) -> list[QgsGeometry | None]:
    """Polygons of the plane in stored coordinates.

    Parameters
    ----------
    shapes : sequence of QgsGeometry or None
        Valid polygons, or several in one geometry.
    plane : Plane
    west : float or None
        See :func:`western_end`.
    progress : callable

    Returns
    -------
    list of QgsGeometry or None
        Polygons, or several in one geometry; None for None.
    """
    if not plane.is_local:
        return list(shapes)
    outlines = [
        [] if shape is None else [_rings(one) for one in parts_of(shape)] for shape in shapes
    ]
    rings = [ring for parts in outlines for part_rings in parts for ring in part_rings]
    filled = iter([*ring_polygons(rings, plane, west, part(progress, 0.0, 0.9))])
    result: list[QgsGeometry | None] = []
    for number, parts in enumerate(outlines):
        progress(0.9 + 0.1 * number / len(outlines))
        pieces = []
        for part_rings in parts:
            piece = next(filled)
            for _ in part_rings[1:]:
                piece = piece.difference(next(filled))
            pieces.append(piece)
        if shapes[number] is None:
            result.append(None)
        else:
            result.append(pieces[0] if len(pieces) == 1 else QgsGeometry.unaryUnion(pieces))
    progress(1.0)
    return result


def ring_polygons(
    rings: Sequence[np.ndarray], plane: Plane, west: float | None, progress: Progress = silent
) -> Iterator[QgsGeometry]:
    """Polygons of one ring each in stored coordinates, one after the other.

    Parameters
    ----------
    rings : sequence of (m, 2) arrays
        Corners in the plane, counter-clockwise, not closed. Rings that have an edge in common
        have it in common afterwards.
    plane : Plane
    west : float or None
        See :func:`western_end`.
    progress : callable

    Yields
    ------
    QgsGeometry
        A polygon, or several in one geometry.
    """
    poles = _poles(plane) if plane.is_local and west is not None else []
    for rows in chunks(len(rings), _RINGS, progress):
        if plane.is_local:
            yield from _laid_out(rings[rows], plane, west, poles)
        else:
            yield from map(polygon, rings[rows])


def polygon(ring: np.ndarray) -> QgsGeometry:
    """A polygon of one ring, not closed."""
    geometry = QgsGeometry()
    geometry.fromWkb(polygon_wkb(ring))
    return geometry


def parts_of(geometry: QgsGeometry) -> list[QgsGeometry]:
    """The polygons in a geometry that have a size."""
    parts = [
        QgsGeometry(part.clone())
        for part in geometry.constParts()
        if QgsWkbTypes.geometryType(part.wkbType()) == QgsWkbTypes.GeometryType.PolygonGeometry
    ]
    return [part for part in parts if part.area() > 0]


def multipolygon(geometry: QgsGeometry) -> QgsGeometry | None:
    """The polygons in a geometry as one multipolygon; None without any that has a size."""
    parts = parts_of(geometry)
    if not parts:
        return None
    whole = QgsGeometry.collectGeometry(parts)
    whole.convertToMultiType()
    return whole


def _rings(part: QgsGeometry) -> list[np.ndarray]:
    """Outer and inner rings of a polygon, all counter-clockwise, not closed."""
    shape = part.constGet()
    rings = [shape.exteriorRing()]
    rings += [shape.interiorRing(number) for number in range(shape.numInteriorRings())]
    corners = [vertices(ring)[:-1] for ring in rings]
    return [ring[::-1] if twice_area(ring) < 0 else ring for ring in corners]


# --- from the plane to the map ------------------------------------------------------------------


def _laid_out(
    rings: Sequence[np.ndarray],
    plane: Plane,
    west: float | None,
    poles: list[tuple[np.ndarray, float]],
) -> list[QgsGeometry]:
    """Some rings as they lie on the map."""
    start = np.concatenate(rings)
    end = np.concatenate([np.roll(ring, -1, axis=0) for ring in rings])
    ring = np.repeat(np.arange(len(rings)), [len(one) for one in rings])

    if west is None:
        unit = plane.stored_unit_m()
        _, stored, ring = refined(
            start,
            end,
            ring,
            plane.inverse,
            lambda a, b, middle: unit * np.hypot(*(middle - (a + b) / 2).T),
        )
        return [_valid(polygon(one)) for one in split(stored, ring)]

    for place, _ in poles:
        start, end, ring = with_nearest_to(place, start, end, ring)
    points, lonlat, ring = refined(start, end, ring, lambda xy: _degrees(xy, plane), off_on_globe)
    at_pole = np.zeros(len(points))
    for place, latitude in poles:
        at_pole[np.hypot(*(points - place).T) <= _AT_POLE_M] = latitude
    easy, lonlat = that_need_no_cut(lonlat, at_pole, ring, west)
    stored = _stored(lonlat, west, plane)
    return [
        _valid(polygon(one)) if simple else _on_map(unrolled(degrees, pole), west, plane)
        for simple, one, degrees, pole in zip(
            easy, split(stored, ring), split(lonlat, ring), split(at_pole, ring)
        )
    ]


def _poles(plane: Plane) -> list[tuple[np.ndarray, float]]:
    """The poles that the plane has room for, with their latitudes."""
    found = []
    for latitude in (90.0, -90.0):
        place = plane.from_lonlat(np.array([[0.0, latitude]]))
        if np.isfinite(place).all() and plane.holds(place)[0]:
            found.append((plane.forward(place)[0], latitude))
    return found


def _degrees(xy: np.ndarray, plane: Plane) -> np.ndarray:
    return plane.lonlat(plane.inverse(xy))


# --- onto the map -------------------------------------------------------------------------------


def _on_map(outline: np.ndarray, west: float, plane: Plane) -> QgsGeometry:
    """Cut an outline at the ends of the map, and lay what is beyond onto it."""
    longitude = outline[:, 0]
    ends = west + 360.0 * np.rint((longitude - west) / 360.0)
    longitude = np.where(np.abs(longitude - ends) <= AT_END, ends, longitude)
    outline = np.column_stack([longitude, np.clip(outline[:, 1], -90.0, 90.0)])
    first = int(np.floor((longitude.min() - west) / 360.0))
    last = int(np.ceil((longitude.max() - west) / 360.0))
    pieces = []
    whole = None
    for turn in range(first, max(last, first + 1)):
        if last - first <= 1:
            pieces.append(polygon(_stored(outline - [360.0 * turn, 0.0], west, plane)))
            continue
        if whole is None:
            whole = _valid(polygon(outline))
        box = QgsRectangle(west + 360.0 * turn, -90.0, west + 360.0 * (turn + 1), 90.0)
        for piece in parts_of(whole.intersection(QgsGeometry.fromRect(box))):
            ring = vertices(piece.constGet().exteriorRing())[:-1]  # none has a hole
            pieces.append(polygon(_stored(ring - [360.0 * turn, 0.0], west, plane)))
    if len(pieces) == 1:
        return _valid(pieces[0])
    # What was cut on the way to a pole is whole again on the map.
    return QgsGeometry.unaryUnion([_valid(one) for one in pieces])


def _stored(lonlat: np.ndarray, west: float, plane: Plane) -> np.ndarray:
    if plane.kind == "geographic":
        return plane.from_lonlat(lonlat)
    inside = np.clip(lonlat[:, 0], west + AT_END, west + 360.0 - AT_END)
    high = np.clip(lonlat[:, 1], -_HIGHEST_OF_PROJECTED, _HIGHEST_OF_PROJECTED)
    return plane.from_lonlat(np.column_stack([inside, high]))


def _valid(geometry: QgsGeometry) -> QgsGeometry:
    """What goes twice along one line, as beside a pole, is no valid ring."""
    return geometry if geometry.isGeosValid() else geometry.makeValid()
