# SPDX-License-Identifier: GPL-2.0-or-later
"""Layers get their look, name and place when QGIS loads them."""

from __future__ import annotations

from dataclasses import replace

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingLayerPostProcessorInterface,
    QgsProject,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QTimer

from ..i18n import tr
from . import tree
from .applying import style
from .origin import Origin, next_number, note
from .roles import ROLES

#: Post-processors still to be called: QGIS keeps no reference, and one on the algorithm is
#: gone before its outputs are loaded.
WAITING: set[StyleOnLoad] = set()

#: Between a layer's name, the layer that it is about, and the number of the run.
_PART = " · "


class StyleOnLoad(QgsProcessingLayerPostProcessorInterface):
    """Styles one output when QGIS loads it; made by :func:`on_load`, used once."""

    def __init__(self, origin: Origin, title: str = ""):
        super().__init__()
        self.origin, self.title = origin, title

    def postProcessLayer(self, layer, context, feedback):
        """Style the layer, name it private where it is; called in the main thread."""
        WAITING.discard(self)
        try:
            if isinstance(layer, QgsVectorLayer):
                adopt(layer, self.origin, self.title, context.project())
        except Exception as error:  # QGIS must not stumble over a missing style
            feedback.reportError(
                tr("The layer “{name}” was loaded without its style: {error}").format(
                    name=layer.name(), error=error
                )
            )


def on_load(
    context: QgsProcessingContext, destination: str, origin: Origin, title: str = ""
) -> bool:
    """Have an output styled, grouped and ordered when QGIS loads it.

    Parameters
    ----------
    context : QgsProcessingContext
    destination : str
        What ``parameterAsSink`` returned for the output.
    origin : Origin
        With one of this module's roles.
    title : str
        The layer's name where nobody has chosen another.

    Returns
    -------
    bool
        False where QGIS is not going to load the output.
    """
    if not context.willLoadLayerOnCompletion(destination):
        return False
    details = context.layerToLoadOnCompletionDetails(destination)
    processor = StyleOnLoad(origin, title)
    WAITING.add(processor)
    details.setPostProcessor(processor)
    # QGIS 3.32 and later
    if hasattr(details, "layerSortKey"):
        details.layerSortKey = ROLES[origin.role].level
    return True


def adopt(layer: QgsVectorLayer, origin: Origin, title: str, project: QgsProject | None) -> None:
    """Style and name a layer of a project, and put it where it belongs.

    Parameters
    ----------
    layer : QgsVectorLayer
    origin : Origin
    title : str
        The layer's name where nobody has chosen another.
    project : QgsProject or None
    """
    if project is not None and origin.run:
        origin = replace(origin, number=next_number(project, origin))
    _name(layer, origin, title)
    note(layer, origin)
    style(layer, origin.role)
    if project is not None:
        layer_id = layer.id()
        # Some versions put the layer into the tree only after this call.
        QTimer.singleShot(0, lambda: tree.place(project, layer_id))


def _name(layer: QgsVectorLayer, origin: Origin, title: str) -> None:
    """Make the name say what is private and what is a release, of whom, and of which run."""
    name = layer.name()
    if name.isupper() and title:
        # A model hands down its output's own name, such as SHIFTS.
        name = title
    by_default = name == title
    # An output loaded from a file may bear the file's name.
    said = {"private": tr("Private: {description}"), "release": tr("Release: {description}")}
    template = said.get(ROLES[origin.role].secrecy, "{description}")
    if not name.startswith(template.format(description="").strip()):
        name = template.format(description=name)
    if by_default and origin.subject:
        name += _PART + origin.subject
    if by_default and origin.number > 1:
        name += _PART + str(origin.number)
    layer.setName(name)
