# SPDX-License-Identifier: GPL-2.0-or-later
"""Disc masking: every place moves to a random one within a radius. ``core/masking/disc.py``."""

from __future__ import annotations

import numpy as np

from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.space.points import as_points, places


def disc_mask(xy: np.ndarray, radius: float, rng: np.random.Generator) -> np.ndarray:
    """Move points uniformly (by area) within a disc round each.

    A place moves once, whatever number of points stands there: points of one household that
    moved one by one would lie round it, and their mean would give it away.

    Parameters
    ----------
    xy : (n, 2) array
        In a plane.
    radius : float
        In the unit of the plane.
    rng : numpy.random.Generator

    Returns
    -------
    (n, 2) array

    Raises
    ------
    InputError
        If the radius is not positive.
    """
    xy = as_points(xy)
    if not radius > 0:
        raise InputError("The radius must be positive, not {radius:g}.", radius=radius)
    at = places(xy)
    # The area within a share u of the radius is u squared of the disc's.
    distance = radius * np.sqrt(rng.random(len(at.xy)))
    angle = rng.uniform(0.0, 2.0 * np.pi, len(at.xy))
    step = distance[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return xy + step[at.of_point]
