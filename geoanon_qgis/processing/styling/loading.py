# SPDX-License-Identifier: GPL-2.0-or-later
"""Layers get their look, name and place when QGIS loads them."""

from __future__ import annotations

from qgis.core import (
    QgsLayerTreeLayer,
    QgsProcessingContext,
    QgsProcessingLayerPostProcessorInterface,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QTimer

from ..i18n import tr
from . import names
from .applying import style
from .roles import ROLES

#: Post-processors still to be called: QGIS keeps no reference, and one on the algorithm is
#: gone before its outputs are loaded.
WAITING: set[StyleOnLoad] = set()


_LEVEL = "geoanon/level"


class StyleOnLoad(QgsProcessingLayerPostProcessorInterface):
    """Styles one output when QGIS loads it; made by :func:`on_load`, used once."""

    def __init__(self, role: str, title: str = ""):
        super().__init__()
        self.role, self.title = role, title

    def postProcessLayer(self, layer, context, feedback):
        """Style the layer, name it private where it is; called in the main thread."""
        WAITING.discard(self)
        try:
            if isinstance(layer, QgsVectorLayer):
                _name(layer, self.role, self.title)
                style(layer, self.role)
                _arrange(layer, self.role, context)
        except Exception as error:  # QGIS must not stumble over a missing style
            feedback.reportError(
                tr("The layer “{name}” was loaded without its style: {error}").format(
                    name=layer.name(), error=error
                )
            )


def on_load(context, destination: str, role: str, title: str = "") -> bool:
    """Have an output styled, grouped and ordered when QGIS loads it.

    Parameters
    ----------
    context : QgsProcessingContext
    destination : str
        What ``parameterAsSink`` returned for the output.
    role : str
        One of this module's roles.
    title : str
        The layer's name where a model has none for people.

    Returns
    -------
    bool
        False where QGIS is not going to load the output.
    """
    if not context.willLoadLayerOnCompletion(destination):
        return False
    details = context.layerToLoadOnCompletionDetails(destination)
    processor = StyleOnLoad(role, title)
    WAITING.add(processor)
    details.setPostProcessor(processor)
    # QGIS 3.32 and later
    if hasattr(details, "layerSortKey"):
        details.layerSortKey = ROLES[role].level
    return True


def _name(layer: QgsVectorLayer, role: str, title: str) -> None:
    """Make the name say what is private and what is a release."""
    name = layer.name()
    if name.isupper() and title:
        # A model hands down its output's own name, such as SHIFTS.
        name = title
    # An output loaded from a file may bear the file's name.
    said = {"private": tr("Private: {description}"), "release": tr("Release: {description}")}
    template = said.get(ROLES[role].secrecy, "{description}")
    if not name.startswith(template.format(description="").strip()):
        name = template.format(description=name)
    layer.setName(name)


def _arrange(layer: QgsVectorLayer, role: str, context) -> None:
    """Count features in the legend, keep points above lines, fold up what repeats colours."""
    project = context.project()
    if project is None:
        return
    layer_id = layer.id()
    layer.setCustomProperty(_LEVEL, ROLES[role].level)

    def later():
        # Some versions put the layer into the tree only after this call.
        node = project.layerTreeRoot().findLayer(layer_id)
        if node is None:
            return
        node.setCustomProperty("showFeatureCount", True)
        node.setExpanded(role not in (names.LINKS, names.CELLS, names.SUPPORT))
        if not hasattr(QgsProcessingContext.LayerDetails, "layerSortKey"):
            _sink(node)

    QTimer.singleShot(0, later)


def _sink(node) -> None:
    """Move a layer just loaded below the neighbours that are to be drawn above it."""
    parent = node.parent()
    siblings = parent.children()
    place = siblings.index(node)
    own = int(node.layer().customProperty(_LEVEL))
    below = place + 1
    while below < len(siblings) and _level(siblings[below]) > own:
        below += 1
    if below > place + 1:
        parent.insertChildNode(below, node.clone())
        parent.removeChildNode(node)


def _level(node) -> int:
    layer = node.layer() if isinstance(node, QgsLayerTreeLayer) else None
    return -1 if layer is None else int(layer.customProperty(_LEVEL, -1))
