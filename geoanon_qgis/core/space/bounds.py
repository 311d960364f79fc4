# SPDX-License-Identifier: GPL-2.0-or-later
"""Which coordinates can be those of a place: the one rule for points, vertices and areas.

A coordinate with its decimal point lost makes an extent as large as the mistake. Work that
grows with the extent would never end, so it is refused before any starts.
"""

from __future__ import annotations

import numpy as np

from ..runtime.progress import Progress, chunks, silent
from .planes import Plane, stored_plane
from .points import LARGEST

#: No projected system reaches this far (metres), zone numbers before the easting included.
_FARTHEST_M = 1e8
#: Longitudes may run on past the antimeridian, by less than this share of a turn from zero.
_TURNS = 1.5
_POLE = 90.0 + 1e-9
#: Lines of a grid over the extent: where all of it is held, so is what lies within.
_GRID = 5
#: Below this count the extent is not worth asking for first.
_FEW = 100
_ROWS = 100_000
#: A place so many times farther from the middle of a layer than half of its places are, along
#: x or y, is likely a mistake.
FAR = 1000.0
_SAMPLE = 10_000


def held(xy: np.ndarray, wkt: str | None, progress: Progress = silent) -> np.ndarray:
    """Which stored coordinates their reference system has a place for.

    Parameters
    ----------
    xy : (n, 2) array
        Stored coordinates; what is not finite is no place.
    wkt : str or None
        Their coordinate reference system. Where nothing is known of it, all numbers pass that
        are small enough to compute with.
    progress : callable

    Returns
    -------
    (n,) bool array

    Raises
    ------
    InputError, MissingPackage
        As :func:`.planes.stored_plane` does.
    """
    plane = stored_plane(wkt)
    known = plane.kind in ("geographic", "projected")
    if len(xy) > _FEW:
        corners = _corners(xy)
        if (np.abs(corners) < LARGEST).all() and not (
            known and not _on_earth(_grid_over(corners), plane).all()
        ):
            return np.ones(len(xy), dtype=bool)
    found = (np.abs(xy) < LARGEST).all(axis=1)
    if not known or not found.any():
        return found
    for rows in chunks(len(xy), _ROWS, progress):
        some = rows.start + np.flatnonzero(found[rows])
        found[some] = _on_earth(xy[some], plane)
    return found


def too_close(xy: np.ndarray) -> bool:
    """Whether places differ, but by so little that no distance between them is a number.

    Parameters
    ----------
    xy : (n, 2) array
        Finite coordinates.
    """
    extent = float(np.ptp(_corners(xy), axis=0).max()) if len(xy) else 0.0
    return 0.0 < extent < 1.0 / LARGEST


def far_from_the_others(xy: np.ndarray) -> np.ndarray:
    """Rows of places that lie so far from nearly all others that a mistake is likely.

    Robust: half of the places, or of a regular sample of many, say how far is usual.

    Parameters
    ----------
    xy : (n, 2) array
        Finite coordinates.

    Returns
    -------
    int array
        Often empty; always so below five places, and where half of them are at one.
    """
    sample = xy[:: -(-len(xy) // _SAMPLE)] if len(xy) else xy
    if len(sample) < 5:
        return np.empty(0, dtype=np.intp)
    middle = np.median(sample, axis=0)
    usual = float(np.median(np.abs(sample - middle).max(axis=1)))
    if usual == 0.0 or (np.abs(_corners(xy) - middle) <= FAR * usual).all():
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero((np.abs(xy - middle) > FAR * usual).any(axis=1))


def _corners(xy: np.ndarray) -> np.ndarray:
    """Least and greatest x and y, (2, 2); NaN where there is one."""
    # Column by column, since NumPy takes many times as long over rows of two.
    return np.array([[column.min(), column.max()] for column in (xy[:, 0], xy[:, 1])]).T


def _grid_over(corners: np.ndarray) -> np.ndarray:
    x, y = np.linspace(corners[0], corners[1], _GRID).T
    return np.column_stack([np.repeat(x, _GRID), np.tile(y, _GRID)])


def _on_earth(xy: np.ndarray, plane: Plane) -> np.ndarray:
    if plane.kind == "geographic":
        degrees = np.abs(xy) * plane.degrees_per_unit
        return (degrees[:, 1] <= _POLE) & (degrees[:, 0] <= 360.0 * _TURNS)
    found = (np.abs(xy) * plane.stored_unit_m() <= _FARTHEST_M).all(axis=1)
    lonlat = plane.lonlat(xy[found])
    found[found] = np.isfinite(lonlat).all(axis=1) & (np.abs(lonlat[:, 1]) <= _POLE)
    return found
