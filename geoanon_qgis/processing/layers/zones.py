# SPDX-License-Identifier: GPL-2.0-or-later
"""Polygon layers become shapely polygons in the plane of the points here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureRequest,
    QgsGeometry,
    QgsProcessingFeatureSource,
)

from ...core.columns import Column, column_of
from ...core.runtime.errors import InputError
from ...core.runtime.geos import shapely
from ...core.runtime.progress import Progress, part, silent
from ...core.space.planes import Plane
from ...core.verification.pointmask import UsedLayer, fingerprint_of_texts
from ..i18n import number_of, tr
from . import fingerprints
from .bounds import refuse_impossible_shapes
from .fieldnames import spelt_as_in
from .regions import usable
from .transforming import transform

#: Longest edge that is projected as it is, in units of the layer: degrees, or metres and the like.
#: So short, what is straight in one system is straight in the other, to a few centimetres.
_DEGREES, _UNITS = 0.01, 1000.0
_NO_CHECKS = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks


@dataclass(frozen=True)
class Polygons:
    """Polygons in a plane, row by row.

    Attributes
    ----------
    name : str
        The layer's.
    ids : (z,) int array
        Feature ids.
    shapes : (z,) array of shapely polygons
        Valid, in the plane.
    columns : dict of str to Column
    left_out : list of (int, str)
        Feature id and reason of those without a size.
    repaired : int
        Polygons that were not valid.
    """

    name: str
    ids: np.ndarray
    shapes: np.ndarray
    columns: dict[str, Column] = field(default_factory=dict)
    left_out: list[tuple[int, str]] = field(default_factory=list)
    repaired: int = 0

    def __len__(self) -> int:
        return len(self.shapes)

    def used(self, parameter: str, numbers: np.ndarray | None = None) -> UsedLayer:
        """Return what a mask file tells of the layer, whatever the order of its rows.

        Parameters
        ----------
        parameter : str
            That it was given as.
        numbers : (z,) array, optional
            Those that were taken from it.
        """
        geos = shapely()
        texts = geos.to_wkb(geos.normalize(self.shapes), hex=True).tolist()
        if numbers is not None:
            texts = [f"{text} {number!r}" for text, number in zip(texts, numbers.tolist())]
        return UsedLayer(parameter, self.name, len(self), fingerprint_of_texts(texts))

    def sentences(self) -> list[str]:
        """Say what was left out, and what was repaired."""
        said = []
        if self.left_out:
            said.append(
                tr("{features} of “{name}” no polygon with a size, left out.").format(
                    features=number_of(len(self.left_out), "feature is", "features are"),
                    name=self.name,
                )
            )
        if self.repaired:
            said.append(
                tr("{polygons} of “{name}” not valid and mended for the work.").format(
                    polygons=number_of(self.repaired, "polygon was", "polygons were"),
                    name=self.name,
                )
            )
        return said


def read_polygons(
    source: QgsProcessingFeatureSource,
    plane: Plane,
    crs: QgsCoordinateReferenceSystem,
    context,
    progress: Progress = silent,
    fields: Iterable[str] = (),
) -> Polygons:
    """Read polygons into the plane of some points.

    Parameters
    ----------
    source : QgsProcessingFeatureSource
        In any reference system.
    plane : Plane
    crs : QgsCoordinateReferenceSystem
        That of the points.
    context : QgsProcessingContext
    progress : callable
    fields : iterable of str
        Names of the attributes to read.

    Raises
    ------
    InputError
        If there is no polygon, or one lies where the plane has no room.
    """
    names = spelt_as_in(source.fields(), list(fields))
    positions = [source.fields().indexOf(name) for name in names]
    count = max(1, source.featureCount())
    request = QgsFeatureRequest()
    request.setSubsetOfAttributes(positions)
    fingerprint = fingerprints.begin(source, names)
    found: list[QgsGeometry] = []
    ids: list[int] = []
    values: list[list] = [[] for _ in names]
    left_out: list[tuple[int, str]] = []
    repaired = 0
    for number, feature in enumerate(source.getFeatures(request, _NO_CHECKS)):
        if number % 50 == 0:
            progress(min(0.6, 0.6 * number / count))
        fingerprint.add(*fingerprints.one(feature, *positions))
        geometry, was_valid = usable(feature.geometry())
        if geometry is None:
            left_out.append((feature.id(), tr("no polygon with a size")))
            continue
        repaired += not was_valid
        found.append(geometry)
        ids.append(feature.id())
        attributes = feature.attributes()
        for column, position in zip(values, positions):
            column.append(attributes[position])
    fingerprint.end()
    shapes = np.empty(0, dtype=object)
    if found:
        shapes = in_plane(found, ids, source, plane, crs, context, part(progress, 0.6, 1.0))
        geos = shapely()
        shapes = np.where(geos.is_valid(shapes), shapes, geos.buffer(shapes, 0.0))
        # What is smaller than the last digit of its coordinates has come to nothing on the way.
        there = geos.area(shapes) > 0
        left_out += [(ids[row], tr("no polygon with a size")) for row in np.flatnonzero(~there)]
        rows = np.flatnonzero(there).tolist()
        shapes, ids = shapes[there], [ids[row] for row in rows]
        values = [[column[row] for row in rows] for column in values]
    if not len(shapes):
        raise InputError(
            tr(
                "The layer “{name}” has no polygon with a size. Choose a layer of areas, or select "
                "some."
            ).format(name=source.sourceName())
        )
    columns = {name: column_of(name, column) for name, column in zip(names, values)}
    return Polygons(source.sourceName(), np.array(ids), shapes, columns, left_out, repaired)


def in_plane(
    shapes: list[QgsGeometry],
    ids: list[int],
    source: QgsProcessingFeatureSource,
    plane: Plane,
    crs: QgsCoordinateReferenceSystem,
    context,
    progress: Progress = silent,
) -> np.ndarray:
    """Lines or polygons of a layer in the plane of some points, as an array of shapely's.

    Parameters
    ----------
    shapes : list of QgsGeometry
        Of straight edges, as they are stored.
    ids : list of int
        Feature ids.
    source, plane, crs, context, progress
        As in :func:`read_polygons`.

    Raises
    ------
    InputError
        If one lies where its system, or the plane, has no room.
    """
    own = source.sourceCrs()
    refuse_impossible_shapes(shapes, ids, own, source.sourceName())
    # Where nothing is projected, an edge stays as straight as it is.
    if plane.is_local or (own.isValid() and crs.isValid() and own != crs):
        longest = _DEGREES if own.isGeographic() else _UNITS
        shapes = [geometry.densifyByDistance(longest) for geometry in shapes]
    geos = shapely()
    found = geos.from_wkb([bytes(geometry.asWkb()) for geometry in shapes])
    xy, of = geos.get_coordinates(found, return_index=True)
    moved = transform(xy, own, crs, context, part(progress, 0.0, 0.5), np.array(ids)[of])
    return geos.set_coordinates(found, plane.forward(moved, part(progress, 0.5, 1.0)))
