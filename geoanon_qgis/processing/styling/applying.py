# SPDX-License-Identifier: GPL-2.0-or-later
"""A layer gets the symbols, map tip, labels and notes of its role."""

from __future__ import annotations

from qgis.core import (
    QgsFeatureRenderer,
    QgsLayerMetadata,
    QgsLayerNotesUtils,
    QgsMapLayer,
    QgsPalLayerSettings,
    QgsTextBufferSettings,
    QgsTextFormat,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
    QgsWkbTypes,
)
from qgis.PyQt.QtGui import QColor

from ..i18n import tr
from . import names
from .looks import LOOKS
from .names import PALETTE
from .origin import origin_of
from .roles import ROLES
from .symbols import renderer_of


def style(layer: QgsVectorLayer, role: str) -> None:
    """Give a layer the symbols, map tip and notes of its role.

    Parameters
    ----------
    layer : QgsVectorLayer
        With the fields that GeoAnon's algorithms write for the role.
    role : str
        One of :mod:`.names`.

    Raises
    ------
    KeyError
        If there is no such role.
    """
    what, drawn = ROLES[role], role
    if role == names.REGIONS and layer.geometryType() == QgsWkbTypes.GeometryType.PointGeometry:
        drawn = names.POINT_REGIONS
    if drawn in LOOKS:
        layer.setRenderer(renderer(drawn, marker_size(layer.featureCount())))
    label(layer, role)
    if what.map_tip:
        layer.setMapTipTemplate(what.map_tip)
    if what.note:
        # Shown as an icon with a tool tip in the layer tree, and kept in the project only.
        QgsLayerNotesUtils.setLayerNotes(layer, f"<p>{tr(what.note)}</p>")
        metadata = layer.metadata()
        metadata.setAbstract(tr(what.note))
        if what.secrecy == "private":
            metadata.setConstraints([QgsLayerMetadata.Constraint(tr(what.note), "access")])
        layer.setMetadata(metadata)
    layer.triggerRepaint()


def renderer(role: str, size: float) -> QgsFeatureRenderer:
    """Return the renderer of a role that is drawn, with markers of ``size`` mm."""
    return renderer_of(LOOKS[role], size)


def label(layer: QgsVectorLayer, role: str) -> None:
    """Write the labels of a role on the map, where it has any."""
    if not ROLES[role].label:
        return
    settings = QgsPalLayerSettings()
    settings.fieldName = ROLES[role].label
    settings.isExpression = True
    # The middle of a ring, or of an area that is bent, lies in another one, whose number it seemed.
    settings.centroidInside = True
    written = QgsTextFormat()
    written.setSize(8)
    written.setColor(QColor(PALETTE["original"]))
    halo = QgsTextBufferSettings()
    halo.setEnabled(True)
    halo.setSize(0.8)
    halo.setColor(QColor(PALETTE["halo"]))
    written.setBuffer(halo)
    settings.setFormat(written)
    layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))
    layer.setLabelsEnabled(True)


def is_private(role: str) -> bool:
    """Tell whether layers of this role must not be given away."""
    return ROLES[role].secrecy == "private"


def secrecy_of(layer: QgsMapLayer | None) -> str:
    """Tell whether a layer in the project is ``private`` or a ``release``; empty where nobody knows."""
    role = "" if layer is None else origin_of(layer).role
    return ROLES[role].secrecy if role in ROLES else ""


def marker_size(count: int) -> float:
    """Marker size (mm) that keeps ``count`` points apart on a screen."""
    return next(
        size
        for most, size in ((200, 2.6), (1_000, 2.2), (5_000, 1.6), (count, 0.9))
        if count <= most
    )
