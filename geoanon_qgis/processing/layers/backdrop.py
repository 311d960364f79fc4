# SPDX-License-Identifier: GPL-2.0-or-later
"""A layer of the user's own behind the maps of reports: streets, borders, names of places.

The project's variable ``geoanon_backdrop`` names it (*Project, Properties, Variables*). Only vector
layers in files or in memory are drawn, so that no report ever fetches anything from a network.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsExpressionContextUtils,
    QgsProject,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
)

VARIABLE = "geoanon_backdrop"
#: Where nothing is fetched from: files and memory.
_NEAR = ("ogr", "memory", "spatialite", "delimitedtext")
_FAR = ("/vsi", "://")
#: Fields that names of places stand in.
_NAMES = ("name", "label", "title")


@dataclass(frozen=True)
class Backdrop:
    """What is drawn behind maps, and may be read in another thread.

    Attributes
    ----------
    source : QgsVectorLayerFeatureSource
    crs : QgsCoordinateReferenceSystem
    names : str
        The field with names of places; empty without.
    transforms : QgsCoordinateTransformContext
        How the project transforms coordinates.
    """

    source: QgsVectorLayerFeatureSource
    crs: QgsCoordinateReferenceSystem
    names: str
    transforms: QgsCoordinateTransformContext


_BEHIND: ContextVar[Backdrop | None] = ContextVar("geoanon_backdrop", default=None)


def of_project(project: QgsProject | None) -> Backdrop | None:
    """Return the layer that a project's variable names, by name or id; called in the main thread."""
    if project is None:
        return None
    named = QgsExpressionContextUtils.projectScope(project).variable(VARIABLE)
    layer = project.mapLayer(str(named)) if named else None
    if layer is None and named:
        layer = next(iter(project.mapLayersByName(str(named))), None)
    if not isinstance(layer, QgsVectorLayer) or not (layer.isValid() and layer.isSpatial()):
        return None
    if layer.providerType() not in _NEAR or any(one in layer.source() for one in _FAR):
        return None
    shown = {field.name().lower(): field.name() for field in layer.fields()}
    names = next((shown[one] for one in _NAMES if one in shown), "")
    return Backdrop(
        QgsVectorLayerFeatureSource(layer), layer.crs(), names, project.transformContext()
    )


@contextmanager
def behind(backdrop: Backdrop | None) -> Iterator[None]:
    """Have it drawn behind the maps that are made meanwhile in this thread."""
    before = _BEHIND.set(backdrop)
    try:
        yield
    finally:
        _BEHIND.reset(before)


def current() -> Backdrop | None:
    """Return what is drawn behind maps that are made now."""
    return _BEHIND.get()
