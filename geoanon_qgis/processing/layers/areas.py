# SPDX-License-Identifier: GPL-2.0-or-later
"""Polygon layers become the engine's study areas here, in the coordinates of the points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsFeatureRequest,
    QgsGeometry,
    QgsPointXY,
    QgsPolygon,
    QgsProcessingFeatureSource,
    QgsWkbTypes,
)

from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, silent
from ...core.space.areas import StudyArea
from ..i18n import tr
from . import fingerprints, planes
from .bounds import refuse_impossible_shapes

#: An edge that is straight in the area's system is drawn with so many parts in the points'.
_PARTS = 32
_NO_CHECKS = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks


def study_area(
    source: QgsProcessingFeatureSource | None,
    xy: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    context,
    progress: Progress = silent,
) -> tuple[StudyArea, str, int]:
    """Return the area, a sentence about it, and how many points lie outside.

    Parameters
    ----------
    source : QgsProcessingFeatureSource or None
        Polygons in any reference system; their union is the area. None for the convex hull of
        the points.
    xy : (n, 2) array
        The points, in ``crs``.
    crs : QgsCoordinateReferenceSystem
    context : QgsProcessingContext
    progress : callable
        Called between features; may raise to cancel.

    Raises
    ------
    InputError
        If there is no polygon, a vertex lies nowhere, or the area has no size or cannot be
        expressed in ``crs``.
    """
    if source is None:
        area = StudyArea.convex_hull(xy, planes.wkt(crs))
        said = tr(
            "No area was given: reference points are drawn from the convex hull of the points, "
            "{size}."
        )
        return area, said.format(size=_size(area, crs)), 0
    rings = list(_rings(union_of(source, crs, context, progress)))
    if not rings:
        raise InputError(
            tr(
                "The area “{name}” has no polygon with a size. Choose a layer with the polygons in "
                "which the records lie."
            ).format(name=source.sourceName())
        )
    return _given(rings, source.sourceName(), xy, crs, progress)


def area_of_rings(
    rings: Sequence[np.ndarray],
    own: QgsCoordinateReferenceSystem,
    name: str,
    xy: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    context,
    progress: Progress = silent,
) -> tuple[StudyArea, str, int]:
    """Return an area that is known by its outline; else as :func:`study_area`.

    Parameters
    ----------
    rings : sequence of (m, 2) arrays
        As :class:`...core.space.areas.StudyArea` has them.
    own : QgsCoordinateReferenceSystem
        Of the rings.
    name : str
        Of the area, for the sentence.
    """
    outlines = list(rings)
    if own.isValid() and crs.isValid() and own != crs:
        change = QgsCoordinateTransform(own, crs, context.transformContext())
        for at, ring in enumerate(outlines):
            progress(0.0)
            line = QgsGeometry.fromPolylineXY([QgsPointXY(x, y) for x, y in [*ring, ring[0]]])
            line = line.densifyByCount(_PARTS - 1)
            _transform(line, change, name, crs)
            outlines[at] = vertices(line.constGet())
    return _given(outlines, name, xy, crs, progress)


def _given(rings, name: str, xy: np.ndarray, crs, progress) -> tuple[StudyArea, str, int]:
    area = StudyArea.of_rings(rings, planes.wkt(crs), progress)
    outside = int(np.count_nonzero(~area.contains(xy)))
    said = tr("Reference points are drawn from the area “{name}”, {size}.")
    return area, said.format(name=name, size=_size(area, crs)), outside


def _transform(geometry: QgsGeometry, change, name: str, crs) -> None:
    try:
        geometry.transform(change)
    except QgsCsException as error:
        raise InputError(
            tr(
                "The area “{name}” cannot be expressed in {crs}, the points' system. Check "
                "the reference systems of both layers."
            ).format(name=name, crs=planes.name(crs))
        ) from error


def outside_sentence(outside: int, count: int) -> str:
    """What is said when an area does not hold all points."""
    return tr(
        "Points outside the area: {outside} of {count}. That is allowed; distances between points "
        "far from all reference points are kept worse. Check that the area is the right one."
    ).format(outside=outside, count=count)


def _size(area: StudyArea, crs: QgsCoordinateReferenceSystem) -> str:
    if not crs.isValid():
        return tr("{size:,.4g} square units").format(size=area.area)
    return tr("{size:,.4g} km²").format(size=area.area / 1e6)


def union_of(source, crs, context, progress: Progress) -> QgsGeometry:
    """All polygons as one geometry, expressed in ``crs``."""
    own = source.sourceCrs()
    change = None
    if own.isValid() and crs.isValid() and own != crs:
        change = QgsCoordinateTransform(own, crs, context.transformContext())
    request = QgsFeatureRequest()
    request.setSubsetOfAttributes([])
    shapes, ids = [], []
    fingerprint = fingerprints.begin(source, ())
    for feature in source.getFeatures(request, _NO_CHECKS):
        progress(0.0)
        fingerprint.add(*fingerprints.one(feature))
        geometry = QgsGeometry(feature.geometry())
        if not geometry.isEmpty():
            shapes.append(geometry)
            ids.append(feature.id())
    fingerprint.end()
    refuse_impossible_shapes(shapes, ids, own, source.sourceName())
    parts = []
    for geometry in shapes:
        progress(0.0)
        if not geometry.isGeosValid():
            geometry = geometry.makeValid()
        geometry.convertToStraightSegment()
        if change is not None:
            geometry = geometry.densifyByCount(_PARTS - 1)
            _transform(geometry, change, source.sourceName(), crs)
        parts.append(geometry)
    return QgsGeometry.unaryUnion(parts) if len(parts) > 1 else (parts or [QgsGeometry()])[0]


def _rings(geometry: QgsGeometry) -> Iterator[np.ndarray]:
    """Outer and inner rings of all polygons in a geometry, each of shape (m, 2)."""
    for part in geometry.constParts():
        if QgsWkbTypes.geometryType(part.wkbType()) != QgsWkbTypes.GeometryType.PolygonGeometry:
            continue  # makeValid may leave lines and points behind
        polygon: QgsPolygon = part
        yield vertices(polygon.exteriorRing())
        for number in range(polygon.numInteriorRings()):
            yield vertices(polygon.interiorRing(number))


def vertices(ring) -> np.ndarray:
    # WKB of a line: order, type, count, then the vertices, with Z and M where there are any
    dimensions = 2 + ring.is3D() + ring.isMeasure()
    return np.frombuffer(ring.asWkb().data(), dtype="<f8", offset=9).reshape(-1, dimensions)[:, :2]
