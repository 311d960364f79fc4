# SPDX-License-Identifier: GPL-2.0-or-later
"""Where outputs go, known before anything is written."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

from qgis.core import (
    QgsDataSourceUri,
    QgsProcessing,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingParameterFeatureSink,
    QgsProperty,
    QgsVectorFileWriter,
)

from ...compat import is_null
from ..dialog.notes import is_private, is_release
from ..i18n import tr
from . import file_families as families
from . import formats, sources, staging


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
    given : str
        A file's name before QGIS adds an ending to it.
    """

    name: str
    kind: str
    text: str
    path: Path | None
    given: str = ""


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


def named_output(algorithm, parameters: dict[str, Any], name: str, context) -> str:
    """Return the path of an output that has one, to be named in a sentence; else nothing."""
    target = resolve(algorithm, parameters, name, context)
    return "" if target is None or target.kind == "temporary" else target.text


def _layer_destination(name: str, text: str) -> Destination:
    # three letters or more before the colon are a provider, fewer a Windows drive
    provider = re.match(r"^(.{3,}?):(.*)$", text)
    if provider:
        path = None
        if provider.group(1) == "ogr":
            database = QgsDataSourceUri(provider.group(2)).database() or provider.group(2)
            path = Path(os.path.abspath(database))
        return Destination(name, "database", text, path)
    given = text
    if not QgsVectorFileWriter.driverForExtension(os.path.splitext(text)[1][1:]):
        text += ".gpkg"  # what QGIS does with an extension it does not know
    if text.startswith("/vsi"):  # GDAL's virtual file systems know no renaming
        return Destination(name, "database", text, None)
    return Destination(name, "file", text, Path(os.path.abspath(text)), given)


def conflict(
    algorithm,
    parameters: dict[str, Any],
    context,
    has_places: Callable[[str], bool | None] | None = lambda name: None,
) -> str | None:
    """Return a sentence when outputs are in each other's or an input's way, else None.

    ``has_places`` tells whether a layer gets places, or is None where nobody knows yet.

    A file cannot be both a release and private, cannot hold two outputs, and must not replace
    a layer or file that is read. A release does not go into a database file with the data it
    protects. Files are compared with all that belongs to them (see :mod:`.file_families`), and a
    data set that nobody named is not taken apart. Some formats have no tables.
    """
    targets = []
    for definition in algorithm.destinationParameterDefinitions():
        target = resolve(algorithm, parameters, definition.name(), context)
        if target is None or target.path is None:
            continue
        message = _unsuitable(definition, target, has_places)
        if message:
            return message
        targets.append((definition, target, families.keys(_files(definition, target))))
    if not targets:
        return None
    inputs: dict[tuple, tuple[Any, Path, Path]] = {}
    for definition, paths in sources.files_read(algorithm, parameters, context):
        for key, path in families.keys(paths).items():
            inputs.setdefault(key, (definition, path, paths[0]))
    for number, (definition, target, taken) in enumerate(targets):
        message = _over_input(definition, target, taken, inputs)
        for other, other_target, other_taken in targets[:number]:
            message = message or _over_output(
                definition, target, taken, other, other_target, other_taken
            )
        message = message or _over_stranger(definition, target)
        if message:
            return message
    return None


def _files(definition, target: Destination) -> list[Path]:
    """Return the files that an output may consist of, the one it names first."""
    path = Path(os.path.realpath(target.path))
    is_layer = isinstance(definition, QgsProcessingParameterFeatureSink)
    return families.written(path) if is_layer else [path]


def _unsuitable(definition, target: Destination, has_places) -> str | None:
    """Return a sentence when nothing of the kind can be written to a place of the kind."""
    if target.kind == "database" and formats.holds_one_layer(target.path):
        # what is left of a layer that fails there could not be taken back
        return tr(
            "“{output}” is to become a table in {file}, but files that end with “{ending}” hold "
            "one layer only. Give the path of the file by itself, or choose a GeoPackage."
        ).format(output=definition.description(), file=target.path.name, ending=target.path.suffix)
    if target.kind == "database" and "|" in str(target.path):
        return tr(
            "A table in {file} could not be opened again, since QGIS takes what follows a “|” for "
            "something else. Choose another file."
        ).format(file=target.path)
    if target.kind == "database" and target.path is not None and not target.path.is_dir():
        # GDAL would wait for a pipe for good
        return staging.bad_name(target.path) or staging.no_ordinary_file(target.path)
    if target.kind != "file":
        return None
    # what was given may be a device, although QGIS adds an ending to its name
    device = target.given if target.given and not os.path.isdir(target.given) else None
    message = staging.bad_name(target.path) or (
        (device and staging.no_ordinary_file(Path(device)))
        or staging.no_ordinary_file(target.path)
        or staging.no_way_in(target.path)
    )
    is_layer = isinstance(definition, QgsProcessingParameterFeatureSink)
    if message or has_places is None or not is_layer:
        return message
    places = has_places(definition.name())
    return cannot_hold(
        definition.description(), target, not _is_table(definition) if places is None else places
    )


def cannot_hold(output: str, target: Destination, places: bool) -> str | None:
    """Return a sentence when a layer with or without places cannot go into a file of the kind."""
    kind = formats.of(target.path)
    names = {"output": output, "ending": target.path.suffix}
    if kind is None:
        return tr(
            "“{output}” cannot go into a file that ends with “{ending}”: such files do not hold "
            "all that it has, or cannot be read again. Choose .gpkg, .geojson, .csv or .shp."
        ).format(**names)
    if places and not kind.places:
        return tr(
            "“{output}” has places, which a file that ends with “{ending}” cannot hold. Choose "
            ".gpkg, .geojson or .csv."
        ).format(**names)
    if not places and not kind.tables:
        return tr(
            "“{output}” is a table without places, which a file that ends with “{ending}” cannot "
            "hold. Choose .gpkg, .csv or .xlsx."
        ).format(**names)
    return None


def _over_input(definition, target: Destination, taken: dict, inputs: dict) -> str | None:
    for key, path in taken.items():
        if key not in inputs:
            continue
        read, theirs, main = inputs[key]
        names = {"output": definition.description(), "input": read.description()}
        if target.kind == "database":
            if not is_release(definition):
                continue  # a private table may stand beside its data
            return tr(
                "“{output}” is made to be given away and would go into {file}, which also holds "
                "“{input}”. Choose a file of its own."
            ).format(file=target.path.name, **names)
        if theirs == main and path.name == theirs.name:
            return tr(
                "“{output}” would overwrite the file {file}, which “{input}” is read from. Choose "
                "another file."
            ).format(file=path.name, **names)
        return tr(
            "“{output}” would be written to {file} and change {theirs}, which “{input}” is read "
            "from: files of the same name with different endings can belong together. Choose "
            "another name."
        ).format(file=target.path.name, theirs=theirs, **names)
    return None


def _over_output(definition, target, taken, other, other_target, other_taken) -> str | None:
    shared = [path for key, path in taken.items() if key in other_taken]
    if not shared:
        return None
    names = {
        "output": definition.description(),
        "other": other.description(),
        "file": target.path.name,
        "other_file": other_target.path.name,
    }
    same = target.path.name == other_target.path.name
    if is_private(other) != is_private(definition):
        return (
            tr(
                "“{output}” and “{other}” would go into the same file {file}, but one of them is "
                "private and the other is made to be given away. Choose another file for one of "
                "them."
            )
            if same
            else tr(
                "“{output}” ({file}) and “{other}” ({other_file}) would share files, but one of "
                "them is private and the other is made to be given away: files of the same name "
                "with different endings can belong together. Choose another name for one of them."
            )
        ).format(**names)
    if "file" in (target.kind, other_target.kind) or target.text == other_target.text:
        return (
            tr(
                "“{output}” and “{other}” would both be written to {file}. Choose another file for "
                "one of them."
            )
            if same
            else tr(
                "“{output}” ({file}) and “{other}” ({other_file}) would overwrite each other: "
                "files of the same name with different endings can belong together. Choose another "
                "name for one of them."
            )
        ).format(**names)
    return None


def _over_stranger(definition, target: Destination) -> str | None:
    if target.kind != "file" or not isinstance(definition, QgsProcessingParameterFeatureSink):
        return None
    final = Path(os.path.realpath(target.path))
    theirs = families.strangers(final, _is_table(definition))
    return staging.would_replace(target.path, theirs[0]) if theirs else None


def _is_table(definition) -> bool:
    return (
        isinstance(definition, QgsProcessingParameterFeatureSink)
        and definition.dataType() == QgsProcessing.SourceType.TypeVector
    )
