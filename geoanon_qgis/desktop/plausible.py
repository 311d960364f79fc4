# SPDX-License-Identifier: GPL-2.0-or-later
"""What a dialog proposes: the last release to what judges one, with its files, key and originals.

QGIS proposes the active layer, whatever is asked for, or none. Here a release is proposed where one is
asked for, and else a layer that no run has written. A script gets no defaults from here.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from qgis.core import (
    QgsMapLayer,
    QgsProcessingContext,
    QgsProcessingParameterFeatureSource,
    QgsProcessingUtils,
    QgsProject,
)

from ..processing.dialog import notes, rules
from ..processing.dialog.declaration import RELEASE
from ..processing.styling import origin_of, secrecy_of
from ..processing.styling.origin import found

#: Parameters that take the key of a release, and those that take what it was made from.
_KEYS, _ORIGINALS = ("KEY", "TRUTH"), ("ORIGINAL", "IDENTIFICATION")
#: The longest list is the address list.
_LISTS = ("CANDIDATES",)
#: Parameters that take a file of the release, and the outputs in which a run may have written it.
_FILES = {"MATRIX": ("MATRIX", "SHARED"), "MASK": ("MASK",)}


def propose(wrappers: Iterable, project: QgsProject) -> None:
    """Fill in what a person would choose first.

    Parameters
    ----------
    wrappers : iterable of QgsAbstractProcessingParameterWidgetWrapper
        Of all parameters of a dialog.
    project : QgsProject
    """
    context, wrappers = QgsProcessingContext(), list(wrappers)
    sources = {
        one.parameterDefinition().name(): one
        for one in wrappers
        if isinstance(one.parameterDefinition(), QgsProcessingParameterFeatureSource)
    }
    taken: list[QgsMapLayer] = []
    release: QgsMapLayer | None = None

    def put(wrapper, layer: QgsMapLayer | None) -> None:
        if layer is not None and layer in _fitting(wrapper, project):
            wrapper.setParameterValue(layer.id(), context)
            taken.append(layer)

    for one in sources.values():
        if notes.is_judged(one.parameterDefinition()):
            chosen = _chosen(one, project)
            releases = [each for each in _fitting(one, project) if secrecy_of(each) == RELEASE]
            if chosen not in releases:
                chosen = max(releases, key=lambda each: origin_of(each).number, default=chosen)
                put(one, chosen)
            release = release or chosen
    run = "" if release is None else origin_of(release).run
    key = _key_of(run, project)
    written = _files_of(run, project)
    for one in wrappers:
        outputs = _FILES.get(one.parameterDefinition().name(), ())
        if one.parameterDefinition().type() == "file" and rules.is_empty(one.parameterValue()):
            for path in [written[name] for name in outputs if name in written][:1]:
                one.setParameterValue(path, context)
    # What is a list is no layer to work on, even if it is the one that QGIS proposes for both.
    for name, one in sorted(sources.items(), key=lambda each: each[0] not in _LISTS):
        empty = rules.is_empty(one.parameterValue())
        if name in _KEYS and empty:
            put(one, key)
        elif name in _ORIGINALS and key is not None:
            said = origin_of(key).inputs.get("INPUT")
            put(one, found(project, said) if said else None)
        elif not (_optional(one) or notes.is_judged(one.parameterDefinition())) and (
            empty
            or name in _LISTS
            or secrecy_of(_chosen(one, project))
            or _chosen(one, project) in taken
        ):
            free = [each for each in _fitting(one, project) if not secrecy_of(each)]
            unused = [each for each in free if each not in taken] or free
            if name in _LISTS:
                unused.sort(key=lambda each: -each.featureCount())
            put(one, next(iter(unused), None))


def _optional(wrapper) -> bool:
    definition = wrapper.parameterDefinition()
    return bool(definition.flags() & definition.Flag.FlagOptional)


def _fitting(wrapper, project: QgsProject) -> list[QgsMapLayer]:
    """Layers of the shape that a parameter takes, from the top of the layer tree."""
    kinds = wrapper.parameterDefinition().dataTypes()
    fit = QgsProcessingUtils.compatibleVectorLayers(project, kinds)
    order = [node.layerId() for node in project.layerTreeRoot().findLayers()]
    return sorted((one for one in fit if one.id() in order), key=lambda one: order.index(one.id()))


def _chosen(wrapper, project: QgsProject) -> QgsMapLayer | None:
    value = wrapper.parameterValue()
    return project.mapLayer(value) if isinstance(value, str) else None


def _files_of(run: str, project: QgsProject) -> dict[str, str]:
    """Files that a run has written besides layers, by output, as far as they are still there."""
    found: dict[str, str] = {}
    for one in project.mapLayers().values() if run else ():
        if origin_of(one).run == run:
            found.update(origin_of(one).files)
    return {name: path for name, path in found.items() if Path(path).is_file()}


def _key_of(run: str, project: QgsProject) -> QgsMapLayer | None:
    """The key that a run has written."""
    if not run:
        return None
    layers = project.mapLayers().values()
    own = (one for one in layers if origin_of(one).run == run and origin_of(one).output == "KEY")
    return next(own, None)
