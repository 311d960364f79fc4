# SPDX-License-Identifier: GPL-2.0-or-later
"""Noise on places, and noise on distances: the releases that an embedding is compared with.

Coordinate noise in degrees is what Kroll, M. (2015), A graph theoretic linkage attack on
microdata in a metric space, Transactions on Data Privacy 8, puts on the target file (section 5).
"""

from __future__ import annotations

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, silent
from ..runtime.proj_thread import in_proj_thread, of_arrays
from ..space.planes import Plane, stored_plane
from ..space.points import as_points

DISTRIBUTIONS = ("gaussian", "laplace")
#: Distances that get their noise in one go: some 20 ms.
_BLOCK = 1_000_000
#: Points moved by pyproj in one go.
_ROWS = 50_000


def coordinate_noise(
    xy: np.ndarray,
    sigma: float,
    in_degrees: bool,
    wkt: str | None,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> np.ndarray:
    """Move every point by Gaussian noise, independent in two directions.

    Every record has noise of its own, those that share a place too: their distances are no
    longer zero. (A mask of points would give a place one shift; in a matrix, zeros that stay
    zeros would tell who lives together.)

    Parameters
    ----------
    xy : (n, 2) array
        Stored coordinates.
    sigma : float
        Standard deviation in either direction: of the way east and north in metres on the
        ground (in the unit of the coordinates where nothing is known of them), or of longitude
        and latitude in degrees.
    in_degrees : bool
        Whether ``sigma`` is in degrees, as in the paper. Who is pushed over a pole comes down
        on the other side.
    wkt : str or None
        Coordinate reference system of the points.
    rng : numpy.random.Generator
    progress : callable

    Returns
    -------
    (n, 2) array
        Stored coordinates.

    Raises
    ------
    InputError
        If sigma is negative or no number, or in degrees where there are none.
    """
    xy = as_points(xy)
    _check_scale(sigma)
    plane = stored_plane(wkt)
    flat = plane.kind in ("none", "local")
    if in_degrees and flat:
        raise InputError(
            "Noise in degrees needs a geographic or projected coordinate reference system."
            " Give the noise in metres, or assign the layer a system."
        )
    noisy = np.empty(xy.shape)
    for rows in chunks(len(xy), _ROWS, progress):
        noise = rng.normal(0.0, sigma, (rows.stop - rows.start, 2))
        if flat:
            noisy[rows] = xy[rows] + noise / plane.metres_per_unit
            continue
        lonlat = plane.lonlat(xy[rows])
        moved = _over_poles(lonlat + noise) if in_degrees else _moved(plane, lonlat, noise)
        noisy[rows] = plane.from_lonlat(_same_turn(moved, lonlat))
    if not np.isfinite(noisy).all():
        raise InputError(
            "Some points left what the coordinate reference system can hold. Choose less noise,"
            " or a system for the whole region."
        )
    return noisy


def distance_noise(
    condensed: np.ndarray,
    distribution: str,
    scale: float,
    rng: np.random.Generator,
    progress: Progress = silent,
    out: np.ndarray | None = None,
    at_once: int = _BLOCK,
) -> np.ndarray:
    """Add noise to the distance of every pair; what falls below zero becomes zero.

    A pair has one distance and so one noise: the matrix is symmetric and its diagonal zero.
    The noise of different pairs is independent, so the triangle inequality need not hold any
    more. Distances that are truly zero get noise as all others do, which hides who shares a
    place: by symmetry half of them stay zero, and others fall to zero too.

    Parameters
    ----------
    condensed : (n (n - 1) / 2,) array
    distribution : str
        ``gaussian`` or ``laplace``.
    scale : float
        Standard deviation of the Gaussian, or the scale b of the Laplace distribution (whose
        standard deviation is b times the root of two), in the unit of the distances.
    rng : numpy.random.Generator
    progress : callable
    out : array, optional
        Where the result goes; ``condensed`` itself to save memory.
    at_once : int
        Pairs in memory at a time.

    Returns
    -------
    (n (n - 1) / 2,) array

    Raises
    ------
    InputError
        If the distribution is unknown, or the scale negative or no number.
    """
    if distribution not in DISTRIBUTIONS:
        raise InputError(
            "There is no noise {distribution!r}; choose one of {distributions}.",
            distribution=distribution,
            distributions=", ".join(DISTRIBUTIONS),
        )
    _check_scale(scale)
    draw = rng.normal if distribution == "gaussian" else rng.laplace
    out = np.empty(len(condensed)) if out is None else out
    for some in chunks(len(condensed), at_once, progress):
        noise = draw(0.0, scale, some.stop - some.start)
        noise += condensed[some]
        np.maximum(noise, 0.0, out=out[some])
    return out


def _check_scale(scale: float) -> None:
    if not (np.isfinite(scale) and scale >= 0):
        raise InputError("The amount of noise must be a number of at least 0.")


@in_proj_thread
def _moved(plane: Plane, lonlat: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Go some metres east and north along a geodesic."""
    azimuth = np.degrees(np.arctan2(step[:, 0], step[:, 1]))
    length = np.hypot(step[:, 0], step[:, 1])
    return np.stack(of_arrays(plane.geod().fwd, *lonlat.T, azimuth, length)[:2], axis=1)


def _over_poles(lonlat: np.ndarray) -> np.ndarray:
    """Bring latitudes beyond a pole down on the other side of it."""
    longitude, latitude = lonlat.T
    latitude = (latitude + 180.0) % 360.0 - 180.0
    beyond = np.abs(latitude) > 90.0
    latitude = np.where(beyond, np.copysign(180.0, latitude) - latitude, latitude)
    return np.column_stack([longitude + np.where(beyond, 180.0, 0.0), latitude])


def _same_turn(lonlat: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Longitudes within -180 to 180 where they were before; where not, near to before."""
    usual = np.abs(before[:, 0]) <= 180.0
    middle = np.where(usual, 0.0, before[:, 0])
    longitude = lonlat[:, 0] - 360.0 * np.rint((lonlat[:, 0] - middle) / 360.0)
    return np.column_stack([longitude, lonlat[:, 1]])
