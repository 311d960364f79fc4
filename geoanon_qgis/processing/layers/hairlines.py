# SPDX-License-Identifier: GPL-2.0-or-later
"""Gaps that no one can see between polygons that adjoin: their corners miss each other in the last digit."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsGeometry

from ...core.masking.merging import border_step
from ...core.runtime import packages
from ...core.runtime.geos import shapely


def closed(united: QgsGeometry, step: float) -> QgsGeometry:
    """Put polygons together that lie no farther apart than a step.

    Borders of neighbours are found over such gaps (:func:`.merging.shared_borders`); the union of GEOS is
    exact, and leaves them.

    Parameters
    ----------
    united : QgsGeometry
        A union of polygons.
    step : float
        See :func:`step_of`.

    Returns
    -------
    QgsGeometry
        The same where nothing was to be closed.
    """
    parts = united.asGeometryCollection()
    if len(parts) < 2 or not step > 0:
        return united
    geos = shapely()
    shapes = np.array(geos.from_wkb([bytes(one.asWkb()) for one in parts]), dtype=object)
    one, other = geos.STRtree(shapes).query(shapes, predicate="dwithin", distance=step)
    if not (one < other).any():
        return united
    whole = shapes[0]
    for shape in shapes[1:]:
        whole = geos.union(whole, geos.snap(shape, whole, step))
    if not geos.is_valid(whole) or geos.get_num_geometries(whole) >= len(parts):
        return united
    made = QgsGeometry()
    made.fromWkb(geos.to_wkb(whole))
    made.convertToMultiType()
    return made


def step_of(shapes: list[QgsGeometry]) -> float:
    """Return the gap that is closed between polygons of a map; 0 where it cannot be."""
    if not packages.find("shapely").usable:
        return 0.0
    found = np.array(shapely().from_wkb([bytes(one.asWkb()) for one in shapes]), dtype=object)
    return border_step(found)
