# SPDX-License-Identifier: GPL-2.0-or-later
"""How true a plane is far from its middle."""

from __future__ import annotations

import numpy as np

from ..runtime.proj_thread import in_proj_thread
from .planes import Plane

#: Directions in which the outermost points are looked at, and the step there, in metres.
_DIRECTIONS, _STEP = 16, 100.0


@in_proj_thread
def shortest_metre(plane: Plane, xy: np.ndarray) -> float:
    """How long on the ground a metre of the plane is where it is shortest.

    A plane that was chosen for other points, or for points all over a continent, is not true
    everywhere: a mask that moves points 500 m in it moves them less than that on the ground. The
    scale is looked at in the outermost points.

    Parameters
    ----------
    plane : Plane
    xy : (n, 2) array
        Points of the plane, at least one.

    Returns
    -------
    float
        1 where nothing is known of the plane.
    """
    if plane.kind in ("none", "local"):
        return 1.0
    turn = np.arange(_DIRECTIONS) * (2 * np.pi / _DIRECTIONS)
    along = xy @ np.stack([np.cos(turn), np.sin(turn)])
    start = np.repeat(xy[along.argmax(axis=0)], 2, axis=0)
    step = _STEP / plane.metres_per_unit
    end = start + np.tile([[step, 0.0], [0.0, step]], (_DIRECTIONS, 1))
    if plane.is_local:
        metres = plane.ground_distance(start, end)
    else:
        metres = plane.geod().inv(*plane.lonlat(start).T, *plane.lonlat(end).T)[2]
    known = np.isfinite(metres)
    return float(metres[known].min()) / _STEP if known.any() else 1.0
