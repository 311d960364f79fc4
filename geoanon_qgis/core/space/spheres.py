# SPDX-License-Identifier: GPL-2.0-or-later
"""The unit sphere: places as vectors, and angles between them by the chords."""

from __future__ import annotations

import numpy as np


def unit_vectors(lonlat: np.ndarray, axes: float = 1.0) -> np.ndarray:
    """Points of the unit sphere at longitude and (reduced) latitude.

    Parameters
    ----------
    lonlat : (n, 2) array
        Degrees.
    axes : float
        Ratio of the polar to the equatorial axis: 1 takes latitudes as they are, any other
        ratio reduces geodetic latitudes on that ellipsoid.

    Returns
    -------
    (n, 3) array
    """
    # Contiguous: NumPy's loops over strided arrays may round in another way.
    longitude, latitude = np.radians(np.ascontiguousarray(lonlat.T))
    sine, cosine = np.sin(latitude), np.cos(latitude)
    if axes != 1.0:
        sine *= axes
        length = np.hypot(sine, cosine)
        sine /= length
        cosine /= length
    return np.stack([cosine * np.cos(longitude), cosine * np.sin(longitude), sine], axis=1)


def squared_gaps(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Squared distances row by row, added in the order of the kernels."""
    total = a[:, 0] - b[:, 0]
    total *= total
    for axis in range(1, a.shape[1]):
        gap = a[:, axis] - b[:, axis]
        gap *= gap
        total += gap
    return total


def angles_of(squares: np.ndarray) -> np.ndarray:
    """Angles from squared chords of the unit sphere."""
    half = np.sqrt(squares)
    half *= 0.5
    np.minimum(half, 1.0, out=half)
    np.arcsin(half, out=half)
    half *= 2.0
    return half


def obtuse_angles(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Angles between unit vectors, well conditioned near the antipodes too."""
    return 2.0 * np.arctan2(np.sqrt(squared_gaps(u, v)), np.sqrt(squared_gaps(u, -v)))


def chord_within(chord: np.ndarray, ratio: float) -> np.ndarray:
    """The chord of ``ratio`` times a chord's angle, and what rounding may have taken."""
    angle = 2.0 * np.arcsin(np.minimum(chord * 0.5, 1.0))
    angle = angle * (ratio * (1 + 1e-9)) + np.where(chord > 1.9, 1e-6, 1e-14)
    return np.where(angle < np.pi, 2.0 * np.sin(np.minimum(angle, np.pi) * 0.5), 3.0)
