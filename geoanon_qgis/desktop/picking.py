# SPDX-License-Identifier: GPL-2.0-or-later
"""Which record somebody means who clicks on the map."""

from __future__ import annotations

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureRequest,
    QgsGeometry,
    QgsPointXY,
    QgsRectangle,
    QgsVectorLayer,
)

from ..processing.layers import keys
from ..processing.layers.values import text_of
from .evidence import Inspection
from .records import value_of
from .truth import moved


def row_at(
    inspection: Inspection, point: QgsPointXY, within: float, crs: QgsCoordinateReferenceSystem
) -> int | None:
    """Return the row of the record nearest to a click, None where there is none.

    Looked for among the places where records were found, and where they were released.

    Parameters
    ----------
    inspection : Inspection
    point : QgsPointXY
    within : float
        How far away it may be, in the unit of ``crs``.
    crs : QgsCoordinateReferenceSystem
        Of the click.
    """
    best: tuple[float, int] | None = None
    box = QgsRectangle(
        point.x() - within, point.y() - within, point.x() + within, point.y() + within
    )
    row_of_name: dict[str, int] = {}
    for layer, by_name in ((inspection.layer, False), (inspection.layers.get("RELEASE"), True)):
        if layer is None or not layer.isSpatial():
            continue
        if by_name and inspection.attack.id == keys.ORIGINAL:
            continue  # its records are named otherwise than the released ones
        if by_name and not row_of_name:
            row_of_name = {name: row for row, name in enumerate(inspection.records.ids)}
        for feature in _inside(inspection, layer, box, crs):
            if by_name:
                name = value_of(feature, inspection.release_id)
                row = row_of_name.get(text_of(name), -1)
            else:
                row = inspection.records.row_of.get(feature.id(), -1)
            at = moved(feature.geometry(), layer.crs(), crs, inspection.project)
            if row < 0 or at is None or at.isEmpty():
                continue
            away = at.distance(QgsGeometry.fromPointXY(point))
            # Of several at one place the riskiest, which comes first.
            if away <= within and (best is None or (away, row) < best):
                best = away, row
    return None if best is None else best[1]


def _inside(
    inspection: Inspection,
    layer: QgsVectorLayer,
    box: QgsRectangle,
    crs: QgsCoordinateReferenceSystem,
):
    area = moved(QgsGeometry.fromRect(box), crs, layer.crs(), inspection.project)
    if area is None:
        return []
    return layer.getFeatures(QgsFeatureRequest(area.boundingBox()))
