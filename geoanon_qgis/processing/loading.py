# SPDX-License-Identifier: GPL-2.0-or-later
"""What becomes of the layers of a run in QGIS: they are loaded, named and styled, or forgotten."""

from __future__ import annotations

import uuid
from functools import cached_property
from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProcessingContext,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingParameterFeatureSource,
    QgsProcessingUtils,
)

from . import styling
from .dialog.declaration import PRIVATE, RELEASE, Output
from .styling import origin


class Loading:
    """The layers of one run, as its context is told of them."""

    def __init__(self, algorithm, parameters: dict[str, Any], context: QgsProcessingContext):
        self._algorithm = algorithm
        self._parameters = parameters
        self._context = context
        self._roles: dict[str, str] = {}
        self._temporary: list[str] = []
        self._files: dict[str, str] = {}
        self._run = uuid.uuid4().hex

    @cached_property
    def _inputs(self) -> dict[str, Any]:
        """The layers that were read, by their parameters."""
        algorithm, read = self._algorithm, {}
        for one in algorithm.parameterDefinitions():
            if isinstance(one, QgsProcessingParameterFeatureSource):
                layer = algorithm.parameterAsVectorLayer(
                    self._parameters, one.name(), self._context
                )
                if layer is not None:
                    read[one.name()] = layer
        return read

    def _origin(self, name: str) -> styling.Origin:
        """What an output's layer is to know of this run."""
        first = next(iter(self._inputs.values()), None)
        written = [one for one in self._algorithm.OUTPUTS if isinstance(one, Output)]
        makes = any(one.secrecy == RELEASE and one.is_layer for one in written)
        role, inputs, files = self._roles[name], {}, self._files
        if styling.is_private(role):
            inputs = {one: origin.told(layer) for one, layer in self._inputs.items()}
        else:
            released = {one.name for one in written if one.secrecy == RELEASE}
            files = {one: path for one, path in files.items() if one in released}
        return styling.Origin(
            self._run,
            name,
            role,
            "" if first is None else styling.subject_of(first),
            origin.RELEASES if makes else origin.FINDINGS,
            inputs=inputs,
            files=files,
        )

    def note_role(self, name: str, role: str | None) -> None:
        """Note how an output looks when it is loaded; as it is declared without a ``role``."""
        declared = self._algorithm.declared(name)
        role = role or declared.role
        if not role and declared.secrecy == PRIVATE:
            role = styling.MEASURED
        if role:
            self._roles[name] = role

    def note_temporary(self, layer_id: str, crs: QgsCoordinateReferenceSystem) -> None:
        """Note a memory layer, which the context has already."""
        self._temporary.append(layer_id)
        if not crs.isValid():  # QGIS takes a memory layer without a system for degrees
            store = self._context.temporaryLayerStore()
            store.mapLayer(layer_id).setCrs(QgsCoordinateReferenceSystem())

    def note_file(self, name: str, path: str) -> None:
        """Note an output that is no layer, for the layers of the run to know."""
        self._files[name] = path

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
            made = self._origin(name)
            styling.on_load(self._context, result, made, title)
            layer = self._context.temporaryLayerStore().mapLayer(result)
            if layer is not None:  # the next step of a model is to know what it is about
                origin.note(layer, made)

    def forget(self) -> None:
        """Take the memory layers of a run that came to nothing away again."""
        store = self._context.temporaryLayerStore()
        waiting = self._context.layersToLoadOnCompletion()
        for layer_id in self._temporary:
            waiting.pop(layer_id, None)
            store.removeMapLayer(layer_id)
        self._context.setLayersToLoadOnCompletion(waiting)
        self._temporary = []
