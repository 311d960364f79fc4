# SPDX-License-Identifier: GPL-2.0-or-later
"""Small areas become arrays here, and larger areas are put together from them again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureRequest,
    QgsField,
    QgsGeometry,
    QgsProcessingFeatureSource,
    QgsWkbTypes,
)

from ...core.aggregation.construction import nearest_sites, region_cells, site_cells
from ...core.columns import Column, column_of
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, part, silent
from ...core.space.planes import Plane
from ...core.space.points import convex_hull
from ..i18n import tr
from . import fingerprints, hairlines, unrolled
from .bounds import refuse_impossible_shapes
from .fieldnames import spelt_as_in
from .reading import read_points
from .unrolled import multipolygon

#: Polygons joined in one call of GEOS, which cannot be interrupted.
_JOINED = 200
#: The outline of a study area is looked at in so many parts of its width or height.
_STEPS = 64
_NO_CHECKS = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks


@dataclass(frozen=True)
class Regions:
    """Regions, row by row.

    Attributes
    ----------
    name : str
        The layer's.
    ids : Column
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
    columns : dict of str to Column
        Further fields that were asked for, as the layer spells them.
    """

    name: str
    ids: Column
    id_field: QgsField
    xy: np.ndarray
    geometries: list[QgsGeometry] | None
    crs: QgsCoordinateReferenceSystem
    left_out: list[tuple[int, str]]
    repaired: int = 0
    columns: dict[str, Column] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)


def read_regions(
    source: QgsProcessingFeatureSource,
    id_name: str,
    context,
    progress: Progress = silent,
    fields: Sequence[str] = (),
) -> Regions:
    """Read points or polygons with their ids.

    Parameters
    ----------
    source : QgsProcessingFeatureSource
    id_name : str
        Field with the id of each region; an empty name for the feature ids.
    context : QgsProcessingContext
    progress : callable
    fields : sequence of str
        Names of further attributes to read.

    Raises
    ------
    InputError
        If there are no regions, one has no id or a vertex that lies nowhere, or they are lines.
    """
    id_name, *names = spelt_as_in(source.fields(), [id_name, *fields])
    names = [name for name in dict.fromkeys(names) if name != id_name]
    kind = QgsWkbTypes.geometryType(source.wkbType())
    if kind == QgsWkbTypes.GeometryType.PolygonGeometry:
        regions = _polygons(source, id_name, names, progress)
    elif kind == QgsWkbTypes.GeometryType.PointGeometry:
        table = read_points(source, context, progress, [id_name, *names])
        regions = Regions(
            source.sourceName(),
            table.columns[id_name],
            table.fields.at(0),
            table.xy,
            None,
            table.crs,
            table.left_out,
            columns={name: table.columns[name] for name in [id_name, *names]},
        )
    else:
        raise InputError(
            tr(
                "The regions “{name}” are neither points nor polygons. Choose a layer of small "
                "areas, or of a point for each."
            ).format(name=source.sourceName())
        )
    if not len(regions):
        raise InputError(
            tr(
                "The layer “{name}” has no region with a usable place. Choose another layer, or "
                "select some."
            ).format(name=source.sourceName())
        )
    if regions.ids.missing is not None:
        raise InputError(
            tr(
                "The field “{field}” is empty in some regions. Fill it in, or choose another one."
            ).format(field=id_name)
        )
    return regions


def _polygons(source, id_name: str, names: Sequence[str], progress: Progress) -> Regions:
    position, *others = (source.fields().indexOf(name) for name in (id_name, *names))
    request = QgsFeatureRequest()
    request.setSubsetOfAttributes([position, *others])
    count = max(1, source.featureCount())
    ids, feature_ids, geometries, places, left_out = [], [], [], [], []
    values: list[list] = [[] for _ in others]
    repaired = 0
    fingerprint = fingerprints.begin(source, [id_name, *names])
    for number, feature in enumerate(source.getFeatures(request, _NO_CHECKS)):
        if number % 50 == 0:
            progress(min(1.0, number / count))
        fingerprint.add(*fingerprints.one(feature, position, *others))
        geometry, was_valid = usable(feature.geometry())
        if geometry is None:
            left_out.append((feature.id(), tr("no polygon with a size")))
            continue
        repaired += not was_valid
        place = geometry.pointOnSurface().asPoint()
        attributes = feature.attributes()
        ids.append(attributes[position])
        for column, other in zip(values, others):
            column.append(attributes[other])
        feature_ids.append(feature.id())
        geometries.append(geometry)
        places.append((place.x(), place.y()))
    fingerprint.end()
    refuse_impossible_shapes(geometries, feature_ids, source.sourceCrs(), source.sourceName())
    of_ids = column_of(id_name, ids)
    return Regions(
        source.sourceName(),
        of_ids,
        source.fields().field(position),
        np.array(places, dtype=np.float64).reshape(-1, 2),
        geometries,
        source.sourceCrs(),
        left_out,
        repaired,
        {id_name: of_ids, **{name: column_of(name, one) for name, one in zip(names, values)}},
    )


def usable(geometry: QgsGeometry) -> tuple[QgsGeometry | None, bool]:
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


# --- larger areas -------------------------------------------------------------------------------


def united(
    regions: Regions, area_of_region: np.ndarray, areas: int, progress: Progress = silent
) -> list[QgsGeometry | None]:
    """The union of the polygons of each area, without gaps of a last digit; None for one without."""
    order = np.argsort(area_of_region, kind="stable")
    ends = np.searchsorted(area_of_region[order], np.arange(areas + 1))
    result, step = [], None
    for area in range(areas):
        progress(area / areas)
        members = [regions.geometries[row] for row in order[ends[area] : ends[area + 1]]]
        whole = _union(members, progress, area / areas) if members else None
        if whole is not None and len(members) > 1 and whole.constGet().numGeometries() > 1:
            step = hairlines.step_of(regions.geometries) if step is None else step
            whole = hairlines.closed(whole, step)
        result.append(whole)
    progress(1.0)
    return result


def joined(shapes: list[QgsGeometry], progress: Progress = silent) -> QgsGeometry | None:
    """Return the union of some polygons; None of none."""
    return _union(list(shapes), progress, 0.0) if shapes else None


def _union(members: list[QgsGeometry], progress: Progress, done: float) -> QgsGeometry | None:
    while len(members) > 1:
        joined = []
        for start in range(0, len(members), _JOINED):
            progress(done)
            joined.append(QgsGeometry.unaryUnion(members[start : start + _JOINED]))
        members = joined
    return multipolygon(members[0])


def pieces_of_united(
    geometries: Sequence[QgsGeometry | None],
    regions: Regions,
    area_of_region: np.ndarray,
    progress: Progress = silent,
) -> np.ndarray:
    """Count the pieces of each area of polygons, (areas,) int; 0 for an area without.

    Polygons of one area that lie apart are pieces, unless they belong to a region that has them.
    """
    order = np.argsort(area_of_region, kind="stable")
    ends = np.searchsorted(area_of_region[order], np.arange(len(geometries) + 1))
    count = np.zeros(len(geometries), dtype=np.int64)
    for area, geometry in enumerate(geometries):
        progress(area / len(geometries))
        if geometry is None:
            continue
        parts = geometry.asGeometryCollection()
        members = [regions.geometries[row] for row in order[ends[area] : ends[area + 1]]]
        count[area] = len(parts) if len(parts) < 2 else _apart(parts, members)
    progress(1.0)
    return count


def _apart(parts: list[QgsGeometry], members: list[QgsGeometry]) -> int:
    """How many groups of polygons no region holds together."""
    group = list(range(len(parts)))
    for region in members:
        own = region.asGeometryCollection()
        if len(own) < 2:
            continue
        inside = [one.pointOnSurface() for one in own]
        lie = {min(range(len(parts)), key=lambda at: parts[at].distance(place)) for place in inside}
        joined = {group[at] for at in lie}
        group = [min(joined) if one in joined else one for one in group]
    return len(set(group))


def cells(
    sites: np.ndarray,
    regions: Regions,
    xy: np.ndarray,
    area_of_region: np.ndarray,
    plane: Plane,
    study_area: QgsGeometry | None,
    progress: Progress = silent,
) -> list[QgsGeometry | None]:
    """The areas of regions that are points, in stored coordinates; None for one without regions.

    Where every region belongs to its nearest site, the Voronoi cell of the site; otherwise (max-p
    regions) the Voronoi cells of the area's regions, joined. An area that crosses the
    antimeridian has a polygon at either end of the map.

    Parameters
    ----------
    sites, xy : (s, 2) and (n, 2) arrays
        Sites and regions in the plane.
    regions : Regions
    area_of_region : (n,) int array
    plane : Plane
    study_area : QgsGeometry or None
        In stored coordinates; None for the hull of the regions, a little widened.
    progress : callable
    """
    around = xy
    if study_area is not None:
        # It may reach beyond the regions: what is out there has to be in some cell, too.
        around = np.concatenate([xy, _hull_in_plane(study_area, plane)])
    here = part(progress, 0.0, 0.4)
    if (nearest_sites(xy, sites)[0] == area_of_region).all():
        filled = np.bincount(area_of_region, minlength=len(sites)) > 0
        shapes = [
            unrolled.polygon(ring) if ring is not None and held else None
            for ring, held in zip(site_cells(sites, around, here), filled)
        ]
    else:
        shapes = _joined_cells(sites, around, xy, area_of_region, here)
    west = unrolled.western_end(plane, regions.xy)
    drawn = unrolled.polygons(shapes, plane, west, part(progress, 0.4, 0.8))
    result = []
    for number, geometry in enumerate(drawn):
        progress(0.8 + 0.2 * number / len(drawn))
        if geometry is not None and study_area is not None:
            geometry = geometry.intersection(study_area)
        result.append(None if geometry is None else multipolygon(geometry))
    progress(1.0)
    return result


def _joined_cells(
    sites: np.ndarray,
    around: np.ndarray,
    xy: np.ndarray,
    area_of_region: np.ndarray,
    progress: Progress,
) -> list[QgsGeometry | None]:
    """Areas in the plane, joined from the cells of their regions."""
    (ring,) = site_cells(xy[:1], np.concatenate([around, sites]))
    whole = unrolled.polygon(ring)
    cell_rings, cell_of_region = region_cells(xy, part(progress, 0.0, 0.3))
    area_of_cell = np.empty(len(cell_rings), dtype=np.intp)
    area_of_cell[cell_of_region] = area_of_region  # regions at one place go together
    result = []
    for area in range(len(sites)):
        progress(0.3 + 0.7 * area / len(sites))
        held = [unrolled.polygon(cell_rings[cell]) for cell in np.flatnonzero(area_of_cell == area)]
        joined = _union(held, progress, 0.3 + 0.7 * area / len(sites)) if held else None
        result.append(None if joined is None else joined.intersection(whole))
    return result


def _hull_in_plane(area: QgsGeometry, plane: Plane) -> np.ndarray:
    """Corners of the convex hull of a study area in the plane, (m, 2)."""
    if plane.is_local:  # where edges that are straight as they are stored may be bent
        box = area.boundingBox()
        area = area.densifyByDistance(max(box.width(), box.height()) / _STEPS)
    stored = np.concatenate([ring for one in area.constParts() for ring in _rings_of(one)])
    there = stored[plane.holds(stored)]
    xy = plane.forward(there)
    return convex_hull(xy)


# --- into the plane -----------------------------------------------------------------------------


def in_plane(geometries: Sequence[QgsGeometry | None], plane: Plane) -> list[QgsGeometry | None]:
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
        if parts
        else None
        for parts in outlines
    ]


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
