# SPDX-License-Identifier: GPL-2.0-or-later
"""What is said of a run's inputs on its audit page: layer, place, filter, selection, files.

It is looked up in the main thread, where layers live, before the run begins. Passwords, tokens
and the like, which a source may hold, are not kept.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFile,
    QgsProviderRegistry,
    QgsVectorLayer,
)

from ...compat import is_null
from ..dialog.notes import is_judged
from ..layers import file_families
from ..layers.sources import is_file_list

#: Providers that read a file as it lies there.
_OF_FILES = ("ogr", "delimitedtext")
#: What comes with a layer's file and holds no features.
_BESIDE = (".qml", ".qmd", ".sld", ".xml", ".gfs", ".cpg", ".qpj", ".csvt", ".qix")
#: Parts of a source that say where it is, and nothing that opens it.
_PLACE = ("path", "url", "host", "port", "dbname", "schema", "table", "typename", "layers")
_SECRETS = re.compile(
    r"""(?ix) (pass(?:word|wd)?|pwd|token|api_?key|access_?key|authcfg|secret|sig(?:nature)?)
    (\s*=\s*) ('[^']*' | "[^"]*" | [^\s&;|,'"]+)"""
)
_ACCOUNT = re.compile(r"(?<=://)[^/@\s]+@")


@dataclass(frozen=True)
class Input:
    """An input as it was given.

    Attributes
    ----------
    parameter, label : str
        The parameter's name and description.
    judged : bool
        Whether it is a release that the run passes judgement on.
    layer : str
        Name of the layer; empty for a file.
    place, sublayer : str
        Where it is from.
    filter : str
        The layer's own, and the parameter's.
    selected_only : bool
    limit : int
        Features that are read at most; 0 for all.
    files : list of Path
        Those that hold it, if it is just what lies there.
    changed : bool
        Whether it has changes that are not saved.
    """

    parameter: str
    label: str
    judged: bool
    layer: str
    place: str
    sublayer: str = ""
    filter: str = ""
    selected_only: bool = False
    limit: int = 0
    files: list[Path] = field(default_factory=list)
    changed: bool = False


def described(algorithm, parameters: dict[str, Any], context) -> list[Input]:
    """Return what is known of each input that was given, before anything is read."""
    found = []
    for definition in algorithm.parameterDefinitions():
        value = parameters.get(definition.name())
        if isinstance(definition, QgsProcessingParameterFile):
            texts = [algorithm.parameterAsFile(parameters, definition.name(), context)]
            found += [_of_file(definition, text) for text in texts if text]
        elif is_file_list(definition):
            texts = algorithm.parameterAsFileList(parameters, definition.name(), context)
            found += [_of_file(definition, text) for text in texts if text]
        elif isinstance(definition, QgsProcessingParameterFeatureSource) and not is_null(value):
            layer = algorithm.parameterAsVectorLayer(parameters, definition.name(), context)
            if layer is not None:
                found.append(_of_layer(definition, value, layer))
    return found


def _of_file(definition, text: str) -> Input:
    path = Path(os.path.abspath(text))
    return _input(definition, "", str(path), files=[path] if path.is_file() else [])


def without_secrets(text: str) -> str:
    """Return a source's text without passwords, tokens and accounts."""
    return _ACCOUNT.sub("", _SECRETS.sub(r"\1\2…", text))


def _input(definition, layer: str, place: str, **more: Any) -> Input:
    return Input(
        definition.name(), definition.description(), is_judged(definition), layer, place, **more
    )


def _of_layer(definition, value: Any, layer: QgsVectorLayer) -> Input:
    provider = layer.providerType()
    parts = QgsProviderRegistry.instance().decodeUri(provider, layer.source())
    wish = value if isinstance(value, QgsProcessingFeatureSourceDefinition) else None
    limit = max(0, getattr(wish, "featureLimit", 0) or 0)
    filters = (layer.subsetString(), getattr(wish, "filterExpression", ""))
    selected = bool(wish and wish.selectedFeaturesOnly)
    changed = layer.isEditable() and layer.isModified()
    place = " ".join(str(parts[name]) for name in _PLACE if parts.get(name))
    plain = not selected and not limit and not changed and not layer.vectorJoins()
    if is_judged(definition):  # judged is what was read, and not what else the file holds
        plain &= not any(filters) and _layers_in(str(parts.get("path") or "")) < 2
    return _input(
        definition,
        layer.name(),
        without_secrets(place) or provider,
        sublayer=str(parts.get("layerName") or ""),
        filter=" AND ".join(f"({one})" for one in filters if one)
        if all(filters)
        else filters[0] or filters[1],
        selected_only=selected,
        limit=limit,
        changed=changed,
        files=_files(str(parts.get("path") or "")) if plain and provider in _OF_FILES else [],
    )


def _layers_in(path: str) -> int:
    """How many layers a file holds, without styles and other tables of the system."""
    if not os.path.isfile(path):
        return 0
    found = QgsProviderRegistry.instance().querySublayers(path)
    return len({one.name() for one in found if one.providerKey() == "ogr"})


def _files(path: str) -> list[Path]:
    """Return the files of a layer that lies in files of its own; none for folders, archives."""
    if path.startswith("file:"):
        path = re.sub("^file:(//)?", "", path)
    if not os.path.isfile(path) or path.lower().endswith(".vrt"):
        return []
    main = Path(os.path.abspath(path))
    members = [one for one in file_families.written(main) if one.suffix.lower() not in _BESIDE]
    return [
        one
        for one in dict.fromkeys([main, *members])
        if one.is_file() and (one == main or one.stat().st_size)
    ]
