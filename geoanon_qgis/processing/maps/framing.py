# SPDX-License-Identifier: GPL-2.0-or-later
"""What a map in a report shows: which plane, which part of it, how large."""

from __future__ import annotations

import math

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ...core.runtime.progress import Progress, silent
from ...core.space.planes import Plane
from .drawing import Extent, padded

#: Points in a close-up, and the size of their markers.
CLOSE_UP = 60
CLOSE_UP_MM = 1.8
#: Width of a map, and its height as a share of that.
WIDTH_PX = 900
_LOWEST, _HIGHEST = 0.55, 1.1
#: Spots among which a dense one is chosen.
_SPOTS = 24
#: An edge of a study area is straight in stored coordinates, not in the plane.
_PARTS = 32


def metres(plane: Plane, crs: QgsCoordinateReferenceSystem) -> float | None:
    return plane.metres_per_unit if crs.isValid() else None


def extent_of(*points: np.ndarray) -> Extent:
    low = np.min([xy.min(axis=0) for xy in points], axis=0)
    high = np.max([xy.max(axis=0) for xy in points], axis=0)
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def size_of(extent: Extent) -> tuple[int, int]:
    """A picture's size for an extent: its shape, within bounds."""
    west, south, east, north = padded(extent)
    shape = min(max((north - south) / (east - west), _LOWEST), _HIGHEST)
    return WIDTH_PX, round(WIDTH_PX * shape)


def within(extent: Extent, points: np.ndarray) -> np.ndarray:
    """Which points lie in an extent."""
    west, south, east, north = extent
    return ((points >= (west, south)) & (points <= (east, north))).all(axis=1)


def finer(ring: np.ndarray) -> np.ndarray:
    """A closed ring with points between its corners."""
    onward = np.roll(ring, -1, axis=0)
    way = np.linspace(0, 1, _PARTS, endpoint=False)[None, :, None]
    return (ring[:, None] + way * (onward - ring)[:, None]).reshape(-1, 2)


def close_up(
    xy: np.ndarray, progress: Progress = silent, count: int = CLOSE_UP
) -> tuple[Extent, np.ndarray]:
    """A window on a dense spot with about ``count`` points, and the rows to draw there.

    The spot is among the densest tenth of some, not the very densest, which is often a freak.
    """
    rng = np.random.default_rng(0)  # the same window for the same data
    spots = rng.permutation(len(xy))[:_SPOTS]
    kth = min(count, len(xy)) - 1
    reach = np.empty(len(spots))
    for i, spot in enumerate(spots):
        progress(i / len(spots))
        squared = ((xy - xy[spot]) ** 2).sum(axis=1)
        reach[i] = np.partition(squared, kth)[kth]
        if reach[i] == 0:  # as many points at one place
            reach[i] = squared.min(where=squared > 0, initial=np.inf)
    chosen = np.argsort(reach, kind="stable")[len(spots) // 10]
    x, y = xy[spots[chosen]].tolist()
    # As many points in the square as there were in the circle.
    half = math.sqrt(reach[chosen] * math.pi) / 2 if np.isfinite(reach[chosen]) else 0.0
    window = (x - half, y - half, x + half, y + half)
    # What starts or ends outside may still cross the window.
    near = np.flatnonzero((np.abs(xy - (x, y)) <= 2 * half).all(axis=1))
    return window, near
