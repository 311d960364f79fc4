# SPDX-License-Identifier: GPL-2.0-or-later
"""Street crossings, to which points are taken after they were masked."""

from __future__ import annotations

import numpy as np

from ....core.runtime.errors import InputError
from ....core.verification.pointmask import UsedLayer
from ...i18n import mark
from ...layers.streets import read_streets
from ...running import Run
from .masked import Points

STREETS = "STREETS"


def read_crossings(points: Points, run: Run, layers: list[UsedLayer]) -> np.ndarray:
    """Return the crossings of STREETS, where three streets or more meet, (c, 2) in the plane.

    Parameters
    ----------
    points : Points
    run : Run
        With the step ``streets``.
    layers : list of UsedLayer
        Takes what was read.

    Raises
    ------
    InputError
        If the lines have none.
    """
    source, plane = run.source(STREETS), points.plane
    streets = read_streets(source, plane, points.table.crs, run.context, run.step("streets"))
    run.tell(*streets.sentences())
    xy = streets.network.crossings / plane.metres_per_unit
    if not len(xy):
        raise InputError(
            mark(
                "The lines of “{name}” have no crossing: nowhere do three of them meet. Give "
                "streets that are joined."
            ),
            name=streets.name,
        )
    layers.append(streets.used(STREETS))
    return xy
