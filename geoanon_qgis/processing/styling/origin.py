# SPDX-License-Identifier: GPL-2.0-or-later
"""What a layer in the project knows of the run that made it.

Kept as custom properties: they live in the project, never in the layer's own file, so a release
that is given away carries none of it. Which layers a run has read is noted on private layers only.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from qgis.core import QgsMapLayer, QgsProject, QgsProviderRegistry

_PREFIX = "geoanon/"
#: What a run writes for others, and what it finds out about them.
RELEASES, FINDINGS = "releases", "findings"


@dataclass(frozen=True)
class Origin:
    """Of which run a layer is, and of what.

    Attributes
    ----------
    run : str
        Another for each run; empty for layers of others.
    output : str
        Name of the output parameter.
    role : str
        How it looks.
    subject : str
        Name of the layer with which all began, such as the original points.
    family : str
        :data:`RELEASES` or :data:`FINDINGS`: runs of both are counted by themselves.
    number : int
        Which run on this subject it is, from 1.
    inputs : dict of str to tuple
        What was read: name of the parameter to id, provider and source of the layer.
    files : dict of str to str
        What else the run wrote: name of the output to path. A release knows of no private one.
    """

    run: str = ""
    output: str = ""
    role: str = ""
    subject: str = ""
    family: str = ""
    number: int = 0
    inputs: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)


def note(layer: QgsMapLayer, origin: Origin) -> None:
    """Write an origin on a layer."""
    for name in ("run", "output", "role", "subject", "family", "number"):
        layer.setCustomProperty(_PREFIX + name, getattr(origin, name))
    for name in ("inputs", "files"):
        if getattr(origin, name):
            layer.setCustomProperty(_PREFIX + name, json.dumps(getattr(origin, name)))


def origin_of(layer: QgsMapLayer) -> Origin:
    """Read the origin of a layer; an empty one where it has none."""

    def text(name: str) -> str:
        return str(layer.customProperty(_PREFIX + name, "") or "")

    inputs = json.loads(text("inputs") or "{}")
    return Origin(
        *(text(name) for name in ("run", "output", "role", "subject", "family")),
        int(text("number") or 0),
        {name: tuple(said) for name, said in inputs.items()},
        json.loads(text("files") or "{}"),
    )


def subject_of(layer: QgsMapLayer) -> str:
    """Return what a layer is about: itself, or what it was made from."""
    return origin_of(layer).subject or layer.name()


def told(layer: QgsMapLayer) -> tuple[str, str, str]:
    """Return what finds a layer again: its id, or where it is stored."""
    return layer.id(), layer.providerType(), layer.source()


def found(project: QgsProject, said: tuple[str, str, str]) -> QgsMapLayer | None:
    """Return the layer of a project that :func:`told` named, under whatever id it is loaded."""
    layer_id, provider, source = said
    layer = project.mapLayer(layer_id)
    if layer is not None or provider == "memory":
        return layer
    wanted = _place(provider, source)
    return next(
        (
            one
            for one in project.mapLayers().values()
            if one.providerType() == provider and _same(_place(provider, one.source()), wanted)
        ),
        None,
    )


def _place(provider: str, source: str) -> tuple[str, str]:
    parts = QgsProviderRegistry.instance().decodeUri(provider, source)
    path = parts.get("path")
    return (str(path), str(parts.get("layerName") or "")) if path else (source, "")


def _same(one: tuple[str, str], other: tuple[str, str]) -> bool:
    # A file with one layer is opened with and without its name.
    return one[0] == other[0] and (one[1] == other[1] or not (one[1] and other[1]))


def next_number(project: QgsProject, origin: Origin) -> int:
    """Return which run on its subject this is: that of its other layers, else one more."""
    last = 0
    for layer in project.mapLayers().values():
        other = origin_of(layer)
        if other.run == origin.run and other.number:
            return other.number
        if (other.subject, other.family) == (origin.subject, origin.family):
            last = max(last, other.number)
    return last + 1
