# SPDX-License-Identifier: GPL-2.0-or-later
"""Small areas become arrays here, and larger areas are put together from them again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureRequest,
    QgsField,
    QgsGeometry,
    QgsProcessingFeatureSource,
    QgsWkbTypes,
)

from ..compat import is_null
from ..core.aggregation.construction import site_cells
from ..core.errors import InputError
from ..core.masking.cells import polygon_wkb
from ..core.progress import Progress, part, silent
from ..core.space import Plane
from .i18n import tr
from .reading import read_points, require_fields

#: Polygons joined in one call of GEOS, which cannot be interrupted.
_JOINED = 200
#: An edge that is straight in a local plane is drawn with so many parts in stored coordinates.
_PARTS = 16
_NO_CHECKS = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks


@dataclass(frozen=True)
class Regions:
    """Regions, row by row.

    Attributes
    ----------
    name : str
        The layer's.
    ids : list
        The values of the id field.
    id_field : QgsField
    xy : (n, 2) array
        A point of each in stored coordinates: its own, or one inside of the polygon.
    geometries : list of QgsGeometry or None
        Valid multipolygons; None for points.
    crs : QgsCoordinateReferenceSystem
    left_out : list of (int, str)
        Feature id and reason of those without a usable place.
    repaired : int
        Polygons that were not valid.
    """

    name: str
    ids: list
    id_field: QgsField
    xy: np.ndarray
    geometries: list[QgsGeometry] | None
    crs: QgsCoordinateReferenceSystem
    left_out: list[tuple[int, str]]
    repaired: int = 0

    def __len__(self) -> int:
        return len(self.ids)


def read_regions(
    source: QgsProcessingFeatureSource,
    id_name: str,
    context,
    progress: Progress = silent,
) -> Regions:
    """Read points or polygons with their ids.

    Parameters
    ----------
    source : QgsProcessingFeatureSource
    id_name : str
        Field with the id of each region; an empty name for the feature ids.
    context : QgsProcessingContext
    progress : callable

    Raises
    ------
    InputError
        If there are no regions, one has no id, or they are lines.
    """
    require_fields(source.fields(), [id_name])
    kind = QgsWkbTypes.geometryType(source.wkbType())
    if kind == QgsWkbTypes.GeometryType.PolygonGeometry:
        regions = _polygons(source, id_name, progress)
    elif kind == QgsWkbTypes.GeometryType.PointGeometry:
        table = read_points(source, context, progress, [id_name])
        regions = Regions(
            source.sourceName(), table.columns[id_name], table.fields.at(0), table.xy, None,
            table.crs, table.left_out,
        )  # fmt: skip
    else:
        raise InputError(
            tr("The regions “{name}” are neither points nor polygons. Choose a layer of small "
               "areas, or of a point for each.").format(name=source.sourceName())
        )  # fmt: skip
    if not len(regions):
        raise InputError(
            tr("The layer “{name}” has no region with a usable place. Choose another layer, or "
               "select some.").format(name=source.sourceName())
        )  # fmt: skip
    if any(is_null(one) for one in regions.ids):
        raise InputError(
            tr("The field “{field}” is empty in some regions. Fill it in, or choose another one.")
            .format(field=id_name)
        )  # fmt: skip
    return regions


def _polygons(source, id_name: str, progress: Progress) -> Regions:
    position = source.fields().lookupField(id_name)
    request = QgsFeatureRequest()
    request.setSubsetOfAttributes([position])
    count = max(1, source.featureCount())
    ids, geometries, places, left_out = [], [], [], []
    repaired = 0
    for number, feature in enumerate(source.getFeatures(request, _NO_CHECKS)):
        if number % 50 == 0:
            progress(min(1.0, number / count))
        geometry, was_valid = _usable(feature.geometry())
        if geometry is None:
            left_out.append((feature.id(), tr("no polygon with a size")))
            continue
        repaired += not was_valid
        place = geometry.pointOnSurface().asPoint()
        ids.append(feature.attributes()[position])
        geometries.append(geometry)
        places.append((place.x(), place.y()))
    return Regions(
        source.sourceName(), ids, source.fields().field(position),
        np.array(places, dtype=np.float64).reshape(-1, 2), geometries, source.sourceCrs(),
        left_out, repaired,
    )  # fmt: skip


def _usable(geometry: QgsGeometry) -> tuple[QgsGeometry | None, bool]:
    """A valid multipolygon in two dimensions, and whether it was valid before."""
    if geometry.isNull() or geometry.isEmpty():
        return None, True
    geometry = QgsGeometry(geometry)
    geometry.convertToStraightSegment()
    geometry.get().dropZValue()
    geometry.get().dropMValue()
    box = geometry.boundingBox()
    sides = (box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum())
    if not np.isfinite(sides).all():
        return None, True
    valid = geometry.isGeosValid()
    whole = multipolygon(geometry if valid else geometry.makeValid())
    return whole, valid


def multipolygon(geometry: QgsGeometry) -> QgsGeometry | None:
    """The polygons in a geometry as one multipolygon; None without any that has a size."""
    polygons = [
        QgsGeometry(one.clone()) for one in geometry.constParts()
        if QgsWkbTypes.geometryType(one.wkbType()) == QgsWkbTypes.GeometryType.PolygonGeometry
    ]  # fmt: skip
    polygons = [one for one in polygons if one.area() > 0]
    if not polygons:
        return None
    whole = QgsGeometry.collectGeometry(polygons)
    whole.convertToMultiType()
    return whole


# --- larger areas -------------------------------------------------------------------------------


def united(
    regions: Regions, area_of_region: np.ndarray, areas: int, progress: Progress = silent
) -> list[QgsGeometry | None]:
    """The union of the polygons of each area; None for an area without."""
    order = np.argsort(area_of_region, kind="stable")
    ends = np.searchsorted(area_of_region[order], np.arange(areas + 1))
    result = []
    for area in range(areas):
        progress(area / areas)
        members = [regions.geometries[row] for row in order[ends[area] : ends[area + 1]]]
        result.append(_union(members, progress, area / areas) if members else None)
    progress(1.0)
    return result


def _union(members: list[QgsGeometry], progress: Progress, done: float) -> QgsGeometry | None:
    while len(members) > 1:
        joined = []
        for start in range(0, len(members), _JOINED):
            progress(done)
            joined.append(QgsGeometry.unaryUnion(members[start : start + _JOINED]))
        members = joined
    return multipolygon(members[0])


def cells(
    sites: np.ndarray,
    xy: np.ndarray,
    has_regions: np.ndarray,
    plane: Plane,
    study_area: QgsGeometry | None,
    progress: Progress = silent,
) -> list[QgsGeometry | None]:
    """The Voronoi cell of each site that has regions, in stored coordinates.

    Parameters
    ----------
    sites, xy : (s, 2) and (n, 2) arrays
        Sites and regions in the plane.
    has_regions : (s,) bool array
    plane : Plane
    study_area : QgsGeometry or None
        In stored coordinates; None for the hull of the regions, a little widened.
    progress : callable
    """
    # A study area may reach beyond the hull: its own corners have to be in some cell, too.
    around = xy
    if study_area is not None:
        box = study_area.boundingBox()
        corners = np.array([[x, y] for x in (box.xMinimum(), box.xMaximum())
                            for y in (box.yMinimum(), box.yMaximum())])  # fmt: skip
        around = np.concatenate([xy, plane.forward(corners)])
    rings = site_cells(sites, around, part(progress, 0.0, 0.5))
    result: list[QgsGeometry | None] = []
    for number, ring in enumerate(rings):
        progress(0.5 + 0.5 * number / len(rings))
        if ring is None or not has_regions[number]:
            result.append(None)
            continue
        geometry = QgsGeometry()
        geometry.fromWkb(polygon_wkb(plane.inverse(_finer(ring) if plane.is_local else ring)))
        if study_area is not None:
            geometry = geometry.intersection(study_area)
        result.append(multipolygon(geometry))
    progress(1.0)
    return result


def _finer(ring: np.ndarray) -> np.ndarray:
    """A ring, not closed, with points between its corners."""
    onward = np.roll(ring, -1, axis=0)
    way = np.linspace(0, 1, _PARTS, endpoint=False)[None, :, None]
    return (ring[:, None] + way * (onward - ring)[:, None]).reshape(-1, 2)


# --- into the plane -----------------------------------------------------------------------------


def in_plane(
    geometries: Sequence[QgsGeometry | None], plane: Plane
) -> list[QgsGeometry | None]:
    """Geometries with their vertices projected into the plane, for drawing."""
    if not plane.is_local:
        return list(geometries)
    outlines = [
        [] if geometry is None else [_rings_of(one) for one in geometry.constParts()]
        for geometry in geometries
    ]
    flat = [ring for parts in outlines for rings in parts for ring in rings]
    if not flat:
        return [None] * len(geometries)
    moved = plane.forward(np.concatenate(flat))
    pieces = iter(np.split(moved, np.cumsum([len(ring) for ring in flat])[:-1]))
    return [
        QgsGeometry.fromWkt(_wkt([[next(pieces) for _ in rings] for rings in parts]))
        if parts else None
        for parts in outlines
    ]  # fmt: skip


def _rings_of(polygon) -> list[np.ndarray]:
    from .areas import vertices

    inner = [polygon.interiorRing(number) for number in range(polygon.numInteriorRings())]
    return [vertices(ring) for ring in (polygon.exteriorRing(), *inner)]


def _wkt(parts: Sequence[Sequence[np.ndarray]]) -> str:
    def ring_text(ring: np.ndarray) -> str:
        return "(" + ", ".join(f"{x!r} {y!r}" for x, y in ring.tolist()) + ")"

    def texts() -> Iterator[str]:
        for rings in parts:
            yield "(" + ", ".join(ring_text(ring) for ring in rings) + ")"

    return "MULTIPOLYGON(" + ", ".join(texts()) + ")"
