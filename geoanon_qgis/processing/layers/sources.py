# SPDX-License-Identifier: GPL-2.0-or-later
"""Which files a run reads, behind layers of every provider; and whether two layers are one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from osgeo import gdal
from qgis.core import (
    QgsMapLayer,
    QgsProcessing,
    QgsProcessingFeatureSource,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFile,
    QgsProcessingParameterMapLayer,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterVectorLayer,
    QgsProcessingUtils,
    QgsProviderRegistry,
    QgsVectorLayer,
    QgsVirtualLayerDefinition,
)
from qgis.PyQt.QtCore import QUrl

from ...core.runtime.errors import InputError
from ..i18n import mark
from . import file_families

_ONE_LAYER = (
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterMapLayer,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterVectorLayer,
)
#: Files whose family is known by name. GDAL need not open them again to tell it: it reads some
#: of them from end to end.
_KNOWN = frozenset(
    ".csv .dbf .fgb .geojson .geojsonl .geojsons .gml .gpkg .gpx .json .kml .kmz .mif .ods "
    ".parquet .shp .sqlite .tab .txt .xlsx".split()
)
#: A description of a virtual source is short; what is longer is none.
_LONGEST_DESCRIPTION = 1_000_000
#: How deep sources stand behind sources.
_DEEPEST = 8


def files_read(algorithm, parameters: dict[str, Any], context) -> Iterator[tuple[Any, list[Path]]]:
    """Yield the definition of each input, and the files behind it, the one it names first."""
    for definition in algorithm.parameterDefinitions():
        if definition.isDestination():
            continue
        name = definition.name()
        if isinstance(definition, QgsProcessingParameterFile):
            texts = [algorithm.parameterAsFile(parameters, name, context)]
            yield definition, [Path(os.path.abspath(text)) for text in texts if text]
        elif is_file_list(definition):
            texts = algorithm.parameterAsFileList(parameters, name, context)
            yield definition, [Path(os.path.abspath(text)) for text in texts if text]
        elif isinstance(definition, QgsProcessingParameterMultipleLayers):
            layers = algorithm.parameterAsLayerList(parameters, name, context)
            for layer in layers or ():
                yield definition, files_of(layer)
        elif isinstance(definition, _ONE_LAYER) and parameters.get(name) is not None:
            layer = algorithm.parameterAsLayer(parameters, name, context)
            if layer is not None:
                yield definition, files_of(layer)


def opened(path: str, context) -> QgsProcessingFeatureSource:
    """Return the layer that a file name stands for.

    Raises
    ------
    InputError
        If it cannot be opened.
    """
    source = QgsProcessingUtils.variantToSource(path, context, None)
    if source is None:
        raise InputError(mark("“{path}” cannot be opened. Choose another file."), path=path)
    return source


def is_file_list(definition) -> bool:
    """Tell whether a parameter takes any number of files that are no layers."""
    return (
        isinstance(definition, QgsProcessingParameterMultipleLayers)
        and definition.layerType() == QgsProcessing.SourceType.TypeFile
    )


def files_of(layer: QgsMapLayer, depth: int = 0) -> list[Path]:
    """Return the files that a layer is read from, those of layers joined to it among them."""
    if depth > _DEEPEST:
        return []
    found = _files_of_source(layer.providerType(), layer.source(), depth)
    if isinstance(layer, QgsVectorLayer):
        for join in layer.vectorJoins():
            if join.joinLayer() is not None:
                found += files_of(join.joinLayer(), depth + 1)
    return list(dict.fromkeys(found))


def same_layer(
    algorithm, parameters, one: str, other: str, context, by_filter: bool = False
) -> bool:
    """Tell whether two parameters name one layer, or one table of a file, by whatever names.

    A selection does not make it another, nor does a filter, as its features are in both; but
    ``by_filter`` another filter does, as it may well be of other people.
    """
    layers = [algorithm.parameterAsVectorLayer(parameters, name, context) for name in (one, other)]
    if None in layers:
        return False
    if layers[0].id() == layers[1].id():
        return True
    if by_filter and layers[0].subsetString() != layers[1].subsetString():
        return False
    if layers[0].providerType() != layers[1].providerType():
        return False
    if layers[0].source() == layers[1].source():
        return True
    if layers[0].providerType() != "ogr":
        return False
    parts = [
        QgsProviderRegistry.instance().decodeUri(layer.providerType(), layer.source())
        for layer in layers
    ]
    paths = [os.path.normcase(os.path.realpath(part.get("path") or "")) for part in parts]
    tables = {part.get("layerName") or _first_table(layer) for layer, part in zip(layers, parts)}
    return paths[0] == paths[1] and len(tables) == 1


def _first_table(layer) -> str:
    """The table that a source means when it names none."""
    found = layer.dataProvider().subLayers()
    return found[0].split(layer.dataProvider().sublayerSeparator())[1] if found else ""


def _files_of_source(provider: str, source: str, depth: int) -> list[Path]:
    if provider == "virtual":
        return _behind_virtual(source, depth)
    parts = QgsProviderRegistry.instance().decodeUri(provider, source)
    text = str(parts.get("path") or "")
    if provider != "ogr":
        path = _local(text)
        return file_families.read(path) if path else []
    return _behind_ogr(text, str(source).split("|")[0], depth)


def _behind_ogr(text: str, source: str, depth: int) -> list[Path]:
    if depth > _DEEPEST:
        return []
    path = _local(text)
    found = file_families.read(path) if path else []
    if path and path.suffix.lower() in _KNOWN and os.path.isfile(path):
        return found
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        data = gdal.OpenEx(source, gdal.OF_VECTOR)
        names = (data.GetFileList() or []) if data is not None else []
        data = None
    except RuntimeError:  # where GDAL's exceptions are switched on
        names = []
    finally:
        gdal.PopErrorHandler()
    for name in names:
        part = _local(name)
        if part and part != path:
            found += file_families.read(part)
    for name in _described(path, source):  # GDAL does not list what a union is made of
        found += _behind_ogr(name, name, depth + 1)
    return found


def _described(path: Path | None, source: str) -> list[str]:
    """Return the sources that a virtual format (VRT) names, in a file or in the source itself."""
    text, folder = source, ""
    if path is not None:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read(_LONGEST_DESCRIPTION)
        except OSError:  # a folder, or not to be read
            return []
        folder = str(path.parent)
    if "<OGRVRTDataSource" not in text:
        return []
    names = []
    for options, name in re.findall(r"<SrcDataSource([^>]*)>([^<]*)<", text):
        name = name.strip()
        if re.search(r"relativeToVRT\s*=\s*[\"']\s*(1|yes|true)", options, re.IGNORECASE):
            name = os.path.join(folder, name)
        names.append(name)
    return names


def _behind_virtual(source: str, depth: int) -> list[Path]:
    """Return the files of the layers that a virtual layer asks, by reference or by name."""
    from qgis.core import QgsProject  # the query finds layers there by itself

    definition = QgsVirtualLayerDefinition.fromUrl(QUrl.fromEncoded(source.encode()))
    found: list[Path] = []
    stored = _local(definition.filePath())
    if stored:
        found += file_families.read(stored)
    asked = {layer.reference() for layer in definition.sourceLayers() if layer.isReferenced()}
    for layer in definition.sourceLayers():
        if not layer.isReferenced():
            found += _files_of_source(layer.provider(), layer.source(), depth + 1)
    query = definition.query()
    for layer in QgsProject.instance().mapLayers().values():
        named = layer.id() in query or (layer.name() and layer.name() in query)
        if layer.id() in asked or named:
            found += files_of(layer, depth + 1)
    return found


def _local(text: str) -> Path | None:
    """Return the file of this machine behind a path; an archive stands for what is in it."""
    if not text:
        return None
    virtual = False
    while True:
        inner = re.match(r"/vsi[a-z0-9_]+/(?:\d+(?:_\d+)?,)?\{?(.*)", text)
        if not inner:
            break
        text, virtual = inner.group(1).replace("}", ""), True
    while virtual and text and not os.path.exists(text):  # what is inside the archive
        shorter = os.path.dirname(text)
        text = shorter if shorter != text else ""
    if not text or (virtual and os.path.isdir(text)) or not os.path.exists(text):
        return None
    return Path(os.path.abspath(text))
