# SPDX-License-Identifier: GPL-2.0-or-later
"""Which sources are all of a file's layer, just as the file holds it, and can be read past QGIS."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from qgis.core import (
    QgsProcessingFeatureSource,
    QgsProcessingFeatureSourceDefinition,
    QgsProviderRegistry,
    QgsVectorLayer,
)

#: The name under which a source carries its file.
_CARRIED = "geoanon_whole_file"


class WholeFile(NamedTuple):
    """A layer in a file.

    Attributes
    ----------
    path : Path
    layer : str
        Empty for the only one.
    format : str
        As GDAL calls it.
    """

    path: Path
    layer: str
    format: str


def offer(source: QgsProcessingFeatureSource, layer: QgsVectorLayer | None, given: Any) -> None:
    """Note the file of a source, if the source is all of a layer as its file holds it.

    Fields that the file has not, joined or computed, are for those to find who look for them there.

    Parameters
    ----------
    source : QgsProcessingFeatureSource
    layer : QgsVectorLayer or None
        That it was made of.
    given : object
        The parameter's value.
    """
    if layer is not None and not is_part(given):
        setattr(source, _CARRIED, _file_of(layer))


def file_of(source: QgsProcessingFeatureSource) -> WholeFile | None:
    """Return the file that :func:`offer` noted."""
    return getattr(source, _CARRIED, None)


def is_part(given: Any) -> bool:
    """Whether a parameter's value asks for some features of a layer: selected ones, or by a filter."""
    return isinstance(given, QgsProcessingFeatureSourceDefinition) and bool(
        given.selectedFeaturesOnly
        or given.featureLimit != -1
        or getattr(given, "filterExpression", "")  # not in 3.22
    )


def _file_of(layer: QgsVectorLayer) -> WholeFile | None:
    if layer.providerType() != "ogr" or layer.subsetString() or layer.isModified():
        return None
    parts = QgsProviderRegistry.instance().decodeUri("ogr", layer.source())
    path, name = Path(parts.pop("path", None) or ""), parts.pop("layerName", None) or ""
    if not path.is_file() or any(parts.values()):
        return None
    return WholeFile(path, name, layer.dataProvider().storageType())
