# SPDX-License-Identifier: GPL-2.0-or-later
"""What becomes of the layers of a run in QGIS: they are loaded, named and styled, or forgotten."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProcessingContext,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingUtils,
)

from . import styling


class Loading:
    """The layers of one run, as its context is told of them."""

    def __init__(self, algorithm, parameters: dict[str, Any], context: QgsProcessingContext):
        self._algorithm = algorithm
        self._parameters = parameters
        self._context = context
        self._roles: dict[str, str] = {}
        self._temporary: list[str] = []

    def note_role(self, name: str, role: str | None) -> None:
        """Note how an output looks when it is loaded; as it is declared without a ``role``."""
        role = role or self._algorithm.declared(name).role
        if role:
            self._roles[name] = role

    def note_temporary(self, layer_id: str, crs: QgsCoordinateReferenceSystem) -> None:
        """Note a memory layer, which the context has already."""
        self._temporary.append(layer_id)
        if not crs.isValid():  # QGIS takes a memory layer without a system for degrees
            store = self._context.temporaryLayerStore()
            store.mapLayer(layer_id).setCrs(QgsCoordinateReferenceSystem())

    def announce(self, name: str, result: str, is_file: bool) -> None:
        """Have QGIS load an output from its final place, under its name and in its style."""
        title = self._algorithm.parameterDefinition(name).description()
        given = self._parameters.get(name)
        if (
            is_file
            and isinstance(given, QgsProcessingOutputLayerDefinition)
            and given.destinationProject
        ):
            self._context.addLayerToLoadOnCompletion(
                result,
                QgsProcessingContext.LayerDetails(
                    given.destinationName or title,
                    given.destinationProject,
                    name,
                    QgsProcessingUtils.LayerHint.Vector,
                ),
            )
        if name in self._roles:
            styling.on_load(self._context, result, self._roles[name], title)

    def forget(self) -> None:
        """Take the memory layers of a run that came to nothing away again."""
        store = self._context.temporaryLayerStore()
        waiting = self._context.layersToLoadOnCompletion()
        for layer_id in self._temporary:
            waiting.pop(layer_id, None)
            store.removeMapLayer(layer_id)
        self._context.setLayersToLoadOnCompletion(waiting)
        self._temporary = []
