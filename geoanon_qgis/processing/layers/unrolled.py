# SPDX-License-Identifier: GPL-2.0-or-later
"""Cells of a local plane as polygons on the map that their coordinates are stored for.

A map in degrees has two ends, at the antimeridian, and a top and a bottom that are no places but
poles. A cell that crosses the antimeridian lies at both ends; one around a pole reaches from end
to end; and an edge that is straight in the plane is a curve in degrees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from qgis.core import QgsGeometry, QgsRectangle, QgsWkbTypes

from ...core.masking.cells import polygon_wkb
from ...core.runtime.progress import Progress, chunks, part, silent
from ...core.runtime.proj_thread import in_proj_thread
from ...core.space.planes import Plane
from .areas import vertices

#: Rings that are taken together.
_RINGS = 500
#: Metres, and share of the edge's length, by which a part may depart from the edge.
_NEAR_M, _NEAR_SHARE = 1.0, 1e-5
_ROUNDS = 16
#: What lies within so many metres of a pole or degrees of an end of the map is taken to be there.
_AT_POLE_M = 1e-3
_AT_END = 1e-9
_RADIUS_M = 6_371_000.0
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
        around the data, or where nothing is projected for the work.
    """
    if not plane.is_local:
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
    return [ring[::-1] if _twice_area(ring) < 0 else ring for ring in corners]


def _twice_area(ring: np.ndarray) -> float:
    x, y = (ring - ring.mean(axis=0)).T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())


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
        _, stored, ring = _fine(
            start,
            end,
            ring,
            plane.inverse,
            lambda a, b, middle: unit * np.hypot(*(middle - (a + b) / 2).T),
        )
        return [_valid(polygon(one)) for one in _split(stored, ring)]

    for place, _ in poles:
        start, end, ring = _with_nearest_to(place, start, end, ring)
    points, lonlat, ring = _fine(start, end, ring, lambda xy: _degrees(xy, plane), _off_on_globe)
    at_pole = np.zeros(len(points))
    for place, latitude in poles:
        at_pole[np.hypot(*(points - place).T) <= _AT_POLE_M] = latitude
    easy, lonlat = _that_need_no_cut(lonlat, at_pole, ring, west)
    stored = _stored(lonlat, west, plane)
    return [
        _valid(polygon(one)) if simple else _on_map(_outline(degrees, pole), west, plane)
        for simple, one, degrees, pole in zip(
            easy, _split(stored, ring), _split(lonlat, ring), _split(at_pole, ring)
        )
    ]


def _split(values: np.ndarray, ring: np.ndarray) -> list[np.ndarray]:
    """Values of each ring; rows of one ring stand together, and none is empty."""
    return np.split(values, np.flatnonzero(np.diff(ring)) + 1)


def _that_need_no_cut(
    lonlat: np.ndarray, at_pole: np.ndarray, ring: np.ndarray, west: float
) -> tuple[np.ndarray, np.ndarray]:
    """Which rings lie clear of the poles and the ends of the map; and longitudes on the map."""
    longitude = lonlat[:, 0] - 360.0 * np.floor((lonlat[:, 0] - west) / 360.0)
    first = np.flatnonzero(np.diff(ring, prepend=-1))
    # The last of a ring is followed by its first.
    onward = np.roll(longitude, -1)
    onward[np.append(first[1:], len(ring)) - 1] = longitude[first]
    hard = (np.abs(onward - longitude) >= 180.0) | (at_pole != 0)
    hard |= np.minimum(longitude - west, west + 360.0 - longitude) <= _AT_END
    easy = ~np.logical_or.reduceat(hard, first)
    return easy, np.column_stack([longitude, lonlat[:, 1]])


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


def _outline(lonlat: np.ndarray, pole: np.ndarray) -> np.ndarray:
    """A ring in degrees without jumps: longitudes may go beyond any map's end, (m, 2).

    ``pole`` is the latitude of the pole that a point is at, and 0 for all others.
    """
    sweep = np.full(len(lonlat), np.nan)
    if pole.any():
        lonlat, sweep = _through_pole(lonlat, pole)
    step = np.roll(lonlat[:, 0], -1) - lonlat[:, 0]
    step -= 360.0 * np.floor((step + 180.0) / 360.0)
    step = np.where(np.isnan(sweep), step, sweep)
    turns = round(float(step.sum()) / 360.0)
    if turns:
        # Around a pole. Cut it along the meridian that leads there from the nearest point of the
        # ring, which meets the ring nowhere else.
        at = int(np.argmax(np.abs(lonlat[:, 1])))
        lonlat, step = np.roll(lonlat, -at, axis=0), np.roll(step, -at)
    longitude = lonlat[0, 0] + np.concatenate([[0.0], np.cumsum(step)])
    outline = np.column_stack([longitude[:-1], lonlat[:, 1]])
    if turns:
        east, latitude = longitude[0] + 360.0 * turns, 90.0 * turns
        way = [[east, outline[0, 1]], [east, latitude], [longitude[0], latitude]]
        outline = np.concatenate([outline, way])
    return outline


def _through_pole(lonlat: np.ndarray, pole: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A pole on the ring as a way along the top or bottom of the map.

    The inside lies to the left of the ring: it comes up the meridian of the place before, and
    goes on from that of the place after, so many degrees to the west at the north pole.
    """
    at = int(np.flatnonzero(pole)[0])
    lonlat, pole = np.roll(lonlat, -at, axis=0), np.roll(pole, -at)
    here = pole[0]
    kept = np.concatenate([[0], np.flatnonzero(pole == 0)])  # a pole is there once
    lonlat = lonlat[kept]
    before, after = lonlat[-1, 0], lonlat[1, 0]
    sweep = (before - after) % 360.0 if here > 0 else (after - before) % 360.0
    way = np.array([[before, here], [after, here]])
    known = np.full(len(lonlat) + 1, np.nan)
    known[0] = -sweep if here > 0 else sweep
    return np.concatenate([way, lonlat[1:]]), known


def _with_nearest_to(
    place: np.ndarray, start: np.ndarray, end: np.ndarray, ring: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges, each cut at its point nearest to a place."""
    along = end - start
    length = np.maximum((along * along).sum(axis=1), np.finfo(float).tiny)
    share = ((place - start) * along).sum(axis=1) / length
    inner = np.flatnonzero((share > 1e-9) & (share < 1 - 1e-9))
    return _cut(start, end, ring, inner, start[inner] + share[inner, None] * along[inner])


def _cut(
    start: np.ndarray, end: np.ndarray, ring: np.ndarray, at: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Put places into the edges ``at``."""
    return (
        np.insert(start, at + 1, places, axis=0),
        np.insert(end, at, places, axis=0),
        np.insert(ring, at, ring[at]),
    )


def _fine(
    start: np.ndarray,
    end: np.ndarray,
    ring: np.ndarray,
    drawn: Callable[[np.ndarray], np.ndarray],
    away: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cut edges until straight lines on the map are near to them.

    Parameters
    ----------
    start, end : (m, 2) arrays
        Of edges in the plane.
    ring : (m,) int array
        Which ring an edge belongs to.
    drawn : callable
        From the plane to the map.
    away : callable
        How far the middle of an edge is from where a straight line on the map has it, in
        metres; takes both ends and the middle, on the map.

    Returns
    -------
    start : (k, 2) array
    drawn : (k, 2) array
        The same on the map.
    ring : (k,) int array
    """
    length = np.hypot(*(end - start).T)
    near = np.maximum(_NEAR_M, _NEAR_SHARE * length)
    for _ in range(_ROUNDS):
        middle = (start + end) / 2
        far = np.flatnonzero(away(drawn(start), drawn(end), drawn(middle)) > near)
        if len(far) == 0:
            break
        start, end, ring = _cut(start, end, ring, far, middle[far])
        near = np.insert(near, far, near[far])
    return start, drawn(start), ring


def _off_on_globe(start: np.ndarray, end: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Metres between a place and the middle of a straight line in degrees, as the crow flies."""
    step = end[:, 0] - start[:, 0]
    step -= 360.0 * np.floor((step + 180.0) / 360.0)
    drawn = np.column_stack([start[:, 0] + step / 2, (start[:, 1] + end[:, 1]) / 2])
    return _RADIUS_M * np.sqrt(((_directions(drawn) - _directions(middle)) ** 2).sum(axis=1))


def _directions(lonlat: np.ndarray) -> np.ndarray:
    lon, lat = np.radians(lonlat.T)
    return np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])


# --- onto the map -------------------------------------------------------------------------------


def _on_map(outline: np.ndarray, west: float, plane: Plane) -> QgsGeometry:
    """Cut an outline at the ends of the map, and lay what is beyond onto it."""
    longitude = outline[:, 0]
    ends = west + 360.0 * np.rint((longitude - west) / 360.0)
    longitude = np.where(np.abs(longitude - ends) <= _AT_END, ends, longitude)
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
    inside = np.clip(lonlat[:, 0], west + _AT_END, west + 360.0 - _AT_END)
    high = np.clip(lonlat[:, 1], -_HIGHEST_OF_PROJECTED, _HIGHEST_OF_PROJECTED)
    return plane.from_lonlat(np.column_stack([inside, high]))


def _valid(geometry: QgsGeometry) -> QgsGeometry:
    """What goes twice along one line, as beside a pole, is no valid ring."""
    return geometry if geometry.isGeosValid() else geometry.makeValid()
