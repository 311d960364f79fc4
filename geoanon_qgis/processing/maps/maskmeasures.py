# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of what a point mask keeps: clusters before and after."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsGeometry, QgsPointXY

from ...core.runtime.progress import Progress, silent
from ...core.space.planes import Plane
from ...report import Picture
from .. import styling
from ..i18n import tr
from .album import Album
from .drawing import point_layer, polygon_layer
from .framing import extent_of


def measure_pictures(
    before: np.ndarray,
    after: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    plane: Plane,
    circles: Sequence[tuple[str, np.ndarray]] | None,
    progress: Progress = silent,
) -> list[Picture]:
    """Clusters of the original and of the release, below the points of both.

    Parameters
    ----------
    before, after : (n, 2), (m, 2) arrays
        All points, in the plane.
    crs : QgsCoordinateReferenceSystem
    plane : Plane
    circles : sequence of (str, (c, 2) array) or None
        ``original`` or ``release``, and the outline in the plane; None where nothing was scanned.
    progress : callable
    """
    album = Album(before, crs, progress, plane)
    if circles is not None:
        corners = [xy for _, xy in circles]
        shapes = [
            QgsGeometry.fromPolygonXY([[QgsPointXY(*corner) for corner in xy.tolist()]])
            for xy in corners
        ]
        for shape in shapes:
            shape.convertToMultiType()
        columns = {"kind": ("string", [kind for kind, _ in circles])}
        layers = [
            polygon_layer(shapes, styling.CLUSTERS, "", columns),
            point_layer(before, styling.ORIGINALS, tr("Original (private)"), progress=album.ask),
            point_layer(after, styling.MASKED, tr("Masked"), progress=album.ask),
        ]
        said = [
            tr(
                "Most likely clusters of the scan statistic in the original and in the release, "
                "and other significant ones."
            )
        ]
        album.draw("map_clusters", layers, extent_of(before, after, *corners), said)
    return album.finished()
