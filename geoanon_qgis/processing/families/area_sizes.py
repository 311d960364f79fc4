# SPDX-License-Identifier: GPL-2.0-or-later
"""How large areas may be on the ground, as it is asked for."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsCoordinateTransformContext, QgsDistanceArea

from ...core.aggregation.demands import Ceiling
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress
from ..dialog import parameters
from ..i18n import tr
from ..layers.regions import Regions

#: Square metres of the unit in which sizes are asked for.
_SQUARE_KILOMETRE = 1e6


def parameter():
    """Return the parameter for the largest size."""
    return parameters.number(
        "MAX_AREA",
        tr("Largest size of an area (km²)"),
        tr(
            "Of polygons: the sizes of its regions on the ground, together. Areas that would be larger "
            "are divided, so that there may be more of them. Points have no size: limit the diameter "
            "instead. Leave empty for any."
        ),
        None,
        0.0,
        optional=True,
        advanced=True,
    )


def check(given) -> str | None:
    """Check what does not need the data."""
    largest = given.number("MAX_AREA")
    if largest is not None and not largest > 0:
        return tr("The largest size of an area must be a positive number of square kilometres.")
    return None


def ceiling_of(run, regions: Regions, progress: Progress) -> Ceiling | None:
    """Return how large areas may be; None for any size.

    Sizes are geodesic, on the ellipsoid of the layer; without a reference system they are those of
    the plane, in square units of the layer.

    Raises
    ------
    InputError
        For points.
    """
    largest = run.number("MAX_AREA")
    if largest is None:
        return None
    if regions.geometries is None:
        raise InputError(
            tr(
                "The regions are points, which have no size, so that MAX_AREA cannot be kept. Give "
                "polygons, or limit the diameter (MAX_DIAMETER)."
            )
        )
    ground = QgsDistanceArea()
    unit, scale = tr("square units"), 1.0
    if regions.crs.isValid():
        ground.setSourceCrs(regions.crs, QgsCoordinateTransformContext())
        ground.setEllipsoid(regions.crs.ellipsoidAcronym())
        unit, scale = "km²", _SQUARE_KILOMETRE
    size = np.empty(len(regions))
    for row, shape in enumerate(regions.geometries):
        progress(0.0)
        size[row] = ground.measureArea(shape) / scale
    return Ceiling(size, float(largest), unit)
