# SPDX-License-Identifier: GPL-2.0-or-later
"""A layer of lines becomes a network of streets in the plane of the points here."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureRequest,
    QgsGeometry,
    QgsProcessingFeatureSource,
)

from ...core.runtime.errors import InputError
from ...core.runtime.geos import shapely
from ...core.runtime.progress import Progress, part, silent
from ...core.space.planes import Plane
from ...core.space.street_network import StreetNetwork, street_network
from ...core.verification.pointmask import UsedLayer, fingerprint
from ..i18n import number_of, tr
from . import fingerprints
from .zones import in_plane

_NO_CHECKS = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks


@dataclass(frozen=True)
class Streets:
    """Streets as a layer holds them, and the network that they make.

    Attributes
    ----------
    name : str
        The layer's.
    count : int
        Lines that were read.
    network : StreetNetwork
        In metres: the plane's coordinates times its metres per unit.
    left_out : list of int
        Ids of features without a line.
    """

    name: str
    count: int
    network: StreetNetwork
    left_out: list[int] = field(default_factory=list)

    def sentences(self) -> list[str]:
        """Say what the network is like."""
        network = self.network
        said = [
            tr(
                "The streets of “{name}” make a network of {nodes}, {crossings:,} of them "
                "crossings, in {pieces}."
            ).format(
                name=self.name,
                nodes=number_of(len(network.xy), "node", "nodes"),
                crossings=len(network.crossings),
                pieces=number_of(network.pieces, "piece", "pieces"),
            )
        ]
        if self.left_out:
            said.append(
                tr("{features} of “{name}” no line, left out.").format(
                    features=number_of(len(self.left_out), "feature is", "features are"),
                    name=self.name,
                )
            )
        return said

    def used(self, parameter: str) -> UsedLayer:
        """Return what a mask file tells of the layer: it is known by its network."""
        network = self.network
        start = np.repeat(network.xy, np.diff(network.first), axis=0)
        digest = fingerprint(start, network.xy[network.neighbour], network.length)
        return UsedLayer(parameter, self.name, self.count, digest)


def read_streets(
    source: QgsProcessingFeatureSource,
    plane: Plane,
    crs: QgsCoordinateReferenceSystem,
    context,
    progress: Progress = silent,
) -> Streets:
    """Read lines and join them to a network.

    Parameters
    ----------
    source : QgsProcessingFeatureSource
        In any reference system.
    plane : Plane
    crs : QgsCoordinateReferenceSystem
        That of the points.
    context : QgsProcessingContext
    progress : callable

    Raises
    ------
    InputError
        If there is no line, or one lies where the plane has no room.
    """
    count = max(1, source.featureCount())
    request = QgsFeatureRequest()
    request.setSubsetOfAttributes([])
    fingerprint = fingerprints.begin(source, [])
    found: list[QgsGeometry] = []
    ids: list[int] = []
    left_out: list[int] = []
    for number, feature in enumerate(source.getFeatures(request, _NO_CHECKS)):
        if number % 50 == 0:
            progress(min(0.3, 0.3 * number / count))
        fingerprint.add(*fingerprints.one(feature))
        geometry = _line(feature.geometry())
        if geometry is None:
            left_out.append(feature.id())
            continue
        found.append(geometry)
        ids.append(feature.id())
    fingerprint.end()
    if not found:
        raise InputError(
            tr("The layer “{name}” has no line. Choose a layer of streets, or select some.").format(
                name=source.sourceName()
            )
        )
    shapes = in_plane(found, ids, source, plane, crs, context, part(progress, 0.3, 0.5))
    geos = shapely()
    metres = geos.set_coordinates(shapes, geos.get_coordinates(shapes) * plane.metres_per_unit)
    network = street_network(metres, part(progress, 0.5, 1.0))
    return Streets(source.sourceName(), len(found), network, left_out)


def _line(geometry: QgsGeometry) -> QgsGeometry | None:
    """A line in two dimensions; None for what has no length, or lies nowhere."""
    if geometry.isNull() or geometry.isEmpty():
        return None
    geometry = QgsGeometry(geometry)
    geometry.convertToStraightSegment()
    geometry.get().dropZValue()
    geometry.get().dropMValue()
    length = geometry.length()
    return geometry if np.isfinite(length) and length > 0 else None
