# SPDX-License-Identifier: GPL-2.0-or-later
"""How many people or addresses public data count, at points or in polygons."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsWkbTypes

from ....core.masking.public_areas import Population
from ....core.runtime.progress import Progress
from ....core.space.planes import Plane
from ....core.verification.pointmask import UsedLayer
from ...layers.zones import read_polygons
from ...running import Run
from .kept_masking import used_layer
from .public_sizes import numbers_of, without_people

_LAYER, _FIELD = "POPULATION", "POPULATION_FIELD"


def read_population(
    run: Run,
    plane: Plane,
    crs: QgsCoordinateReferenceSystem,
    progress: Progress,
    layers: list[UsedLayer],
) -> Population | None:
    """Read POPULATION, with the numbers of POPULATION_FIELD, into a plane.

    Parameters
    ----------
    run : Run
    plane : Plane
    crs : QgsCoordinateReferenceSystem
        That the plane is one of.
    progress : callable
    layers : list of UsedLayer
        To which the layer is added.

    Returns
    -------
    Population or None
        None where no layer was given.

    Raises
    ------
    InputError
        If there is nobody in it, polygons have no field, or a number is none.
    """
    source = run.source(_LAYER)
    if source is None:
        return None
    name = run.field(_FIELD, source)
    if QgsWkbTypes.geometryType(source.wkbType()) == QgsWkbTypes.GeometryType.PointGeometry:
        table = run.points(source, progress, [name] if name else [], crs, 1)
        xy = plane.forward(table.xy, run.outputs.ask)
        try:
            people = table.columns[name].numbers() if name else np.ones(len(xy))
        except ValueError:  # the engine says what is wrong with numbers that are none
            people = np.full(len(xy), np.nan)
        layers.append(used_layer(_LAYER, source, xy, people))
        return Population.at_points(xy, people)
    if not name:
        raise without_people(source)
    polygons = read_polygons(source, plane, crs, run.context, progress, [name])
    run.warn(*polygons.sentences())
    people = numbers_of(polygons, name)
    layers.append(polygons.used(_LAYER, people))
    return Population.in_polygons(polygons.shapes, people)
