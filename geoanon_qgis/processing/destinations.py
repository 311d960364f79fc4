# SPDX-License-Identifier: GPL-2.0-or-later
"""Where outputs go, known before anything is written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsDataSourceUri,
    QgsProcessing,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFile,
    QgsProperty,
    QgsProviderRegistry,
    QgsVectorFileWriter,
)

from ..compat import is_null
from .i18n import tr
from .parameters import is_private, is_release

#: Endings of files to which GDAL writes rows without places and loses them without a word, or
#: under another name.
_MAPS_ONLY = (".fgb", ".mbtiles", ".mif", ".geojsonl", ".geojsons", ".itf")


@dataclass(frozen=True)
class Destination:
    """One destination parameter's value, resolved.

    Attributes
    ----------
    name : str
        The parameter's name.
    kind : str
        ``temporary`` (a memory layer, or a file in the temporary folder), ``file`` (a file of its
        own, which is replaced) or ``database`` (a table in something that exists already).
    text : str
        The destination as given.
    path : Path or None
        The absolute path of the file, or of the file that holds the database.
    """

    name: str
    kind: str
    text: str
    path: Path | None


def resolve(algorithm, parameters: dict[str, Any], name: str, context) -> Destination | None:
    """Return where the output ``name`` goes; None when it is optional and not asked for."""
    definition = algorithm.parameterDefinition(name)
    value = parameters.get(name)
    if isinstance(value, QgsProcessingOutputLayerDefinition):
        value = value.sink
    default = definition.defaultValue()
    default = "" if is_null(default) else str(default)
    if isinstance(value, QgsProperty):
        text, _ = value.valueAsString(context.expressionContext(), default)
    else:
        text = default if is_null(value) else str(value)
    if not text:
        return None
    if text == QgsProcessing.TEMPORARY_OUTPUT or text.lower().startswith("memory:"):
        return Destination(name, "temporary", text, None)
    if not isinstance(definition, QgsProcessingParameterFeatureSink):
        return Destination(name, "file", text, Path(os.path.abspath(text)))
    return _layer_destination(name, text)


def _layer_destination(name: str, text: str) -> Destination:
    # three letters or more before the colon are a provider, fewer a Windows drive
    provider = re.match(r"^(.{3,}?):(.*)$", text)
    if provider:
        path = None
        if provider.group(1) == "ogr":
            database = QgsDataSourceUri(provider.group(2)).database() or provider.group(2)
            path = Path(os.path.abspath(database))
        return Destination(name, "database", text, path)
    if not QgsVectorFileWriter.driverForExtension(os.path.splitext(text)[1][1:]):
        text += ".gpkg"  # what QGIS does with an extension it does not know
    if text.startswith("/vsi"):  # GDAL's virtual file systems know no renaming
        return Destination(name, "database", text, None)
    return Destination(name, "file", text, Path(os.path.abspath(text)))


def conflict(algorithm, parameters: dict[str, Any], context) -> str | None:
    """Return a sentence when outputs are in each other's or an input's way, else None.

    A file cannot be both a release and private, cannot hold two outputs, and must not replace
    a layer or file that is read. A release does not go into a database file with the data it
    protects. Some formats have no tables.
    """
    seen: dict[str, list[tuple[Any, Destination]]] = {}
    inputs = {_key(path): parameter for parameter, path in _input_files(
        algorithm, parameters, context)}
    for definition in algorithm.destinationParameterDefinitions():
        target = resolve(algorithm, parameters, definition.name(), context)
        if target is None or target.path is None:
            continue
        if _is_table(definition) and target.path.suffix.lower() in _MAPS_ONLY:
            return tr(
                "“{output}” is a table without places, which a file that ends with “{ending}” "
                "cannot hold. Choose .gpkg, .csv or .xlsx."
            ).format(output=definition.description(), ending=target.path.suffix)
        key = _key(target.path)
        names = {"output": definition.description(), "file": target.path.name}
        if key in inputs and target.kind == "file":
            return tr(
                "“{output}” would overwrite the file {file}, which “{input}” is read from. "
                "Choose another file."
            ).format(input=inputs[key].description(), **names)
        if key in inputs and is_release(definition):
            return tr(
                "“{output}” is made to be given away and would go into {file}, which also holds "
                "“{input}”. Choose a file of its own."
            ).format(input=inputs[key].description(), **names)
        for other, other_target in seen.get(key, ()):
            if is_private(other) != is_private(definition):
                return tr(
                    "“{output}” and “{other}” would go into the same file {file}, but one of "
                    "them is private and the other is made to be given away. Choose another "
                    "file for one of them."
                ).format(other=other.description(), **names)
            if "file" in (target.kind, other_target.kind) or target.text == other_target.text:
                return tr(
                    "“{output}” and “{other}” would both be written to {file}. Choose another "
                    "file for one of them."
                ).format(other=other.description(), **names)
        seen.setdefault(key, []).append((definition, target))
    return None


def _is_table(definition) -> bool:
    return (
        isinstance(definition, QgsProcessingParameterFeatureSink)
        and definition.dataType() == QgsProcessing.SourceType.TypeVector
    )


def _input_files(algorithm, parameters, context) -> Iterator[tuple[Any, Path]]:
    for definition in algorithm.parameterDefinitions():
        if isinstance(definition, QgsProcessingParameterFile):
            path = algorithm.parameterAsFile(parameters, definition.name(), context)
            if path and os.path.exists(path):
                yield definition, Path(os.path.abspath(path))
            continue
        if not isinstance(definition, QgsProcessingParameterFeatureSource):
            continue
        layer = algorithm.parameterAsVectorLayer(parameters, definition.name(), context)
        if layer is None:
            continue
        parts = QgsProviderRegistry.instance().decodeUri(layer.providerType(), layer.source())
        path = parts.get("path")
        if path and os.path.exists(path):
            yield definition, Path(os.path.abspath(path))


def _key(path: Path) -> str:
    return os.path.normcase(os.path.realpath(path))
