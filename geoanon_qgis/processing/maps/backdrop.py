# SPDX-License-Identifier: GPL-2.0-or-later
"""The user's backdrop (:mod:`..layers.backdrop`) as layers of a map, in the map's plane."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsFeatureRequest,
    QgsPalLayerSettings,
    QgsPolygon,
    QgsTextFormat,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtGui import QColor, QFont

from ...core.space.planes import Plane
from .. import styling
from ..layers.backdrop import current
from .drawing import MOST_DRAWN, MapLayer, line_layer, point_layer

_INK = "#5b6670"
#: Pieces of lines that are drawn at most.
_SEGMENTS = 200_000


def layers_behind(plane: Plane, crs: QgsCoordinateReferenceSystem) -> list[MapLayer]:
    """Return it in the plane of a map whose stored coordinates are in ``crs``; empty without.

    What cannot be expressed there is left out: it is context, and no result hangs on it.
    """
    backdrop = current()
    if backdrop is None or not crs.isValid():
        return []
    change = QgsCoordinateTransform(backdrop.crs, crs, backdrop.transforms)
    lines: list[np.ndarray] = []
    points: list[np.ndarray] = []
    names: list[str] = []
    for feature in backdrop.source.getFeatures(QgsFeatureRequest().setLimit(MOST_DRAWN)):
        geometry = feature.geometry()
        try:
            geometry.transform(change)
        except QgsCsException:
            continue
        for part in () if geometry.isNull() else geometry.constParts():
            for xy in filter(_is_finite, _lines(part)):
                if len(xy) == 1:
                    points.append(xy[0])
                    names.append(str(feature[backdrop.names]) if backdrop.names else "")
                elif len(xy):
                    lines.append(plane.forward(xy))
    drawn = []
    if lines:
        start = np.concatenate([one[:-1] for one in lines])
        end = np.concatenate([one[1:] for one in lines])
        drawn.append(line_layer(start[:_SEGMENTS], end[:_SEGMENTS], styling.AREA, most=_SEGMENTS))
    if points:
        places = plane.forward(np.array(points))
        columns = {"name": ("string", names)}
        made = point_layer(places, styling.POINT_REGIONS, columns=columns, marker_mm=1.0)
        _label(made.layer)
        drawn.append(made)
    return [replace(one, explained=False) for one in drawn]


def _lines(part) -> list[np.ndarray]:
    """Return the rings, the line or the point of a part of a geometry."""
    shapes = [part]
    if isinstance(part, QgsPolygon):
        shapes = [part.exteriorRing(), *map(part.interiorRing, range(part.numInteriorRings()))]
    return [np.array([(one.x(), one.y()) for one in shape.vertices()]) for shape in shapes]


def _is_finite(xy: np.ndarray) -> bool:
    return bool(np.isfinite(xy).all())


def _label(layer: QgsVectorLayer) -> None:
    """Write names beside points, as far as there is room."""
    written = QgsTextFormat()
    written.setFont(QFont("DejaVu Sans"))
    written.setSize(6)
    written.setColor(QColor(_INK))
    settings = QgsPalLayerSettings()
    settings.fieldName = "name"
    settings.setFormat(written)
    layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))
    layer.setLabelsEnabled(True)
