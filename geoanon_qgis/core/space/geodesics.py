# SPDX-License-Identifier: GPL-2.0-or-later
"""Geodesic distances by the hundred million: Karney's series in plain arithmetic.

pyproj solves one geodesic at a time. Here the inverse problem is solved for whole arrays, by a
fixed number of steps that are nothing but additions, multiplications, divisions and square roots,
so that compiled code and NumPy give the same bits. It agrees with pyproj to some ten nanometres
up to two thirds of the way to the antipodes and says where it does not hold; those are left to
pyproj.

Karney, C. F. F. (2013). Algorithms for geodesics. Journal of Geodesy 87, equations 15 to 25.
"""

from __future__ import annotations

import numpy as np

from ..runtime import accel

#: Angle on the auxiliary sphere up to which the steps are enough (radians).
FARTHEST = 2.0
#: Residual of the longitude (radians) above which the last step cannot have been enough.
_RESIDUAL = 1e-10
_6, _12, _20, _30, _42, _56 = 1 / 6, 1 / 12, 1 / 20, 1 / 30, 1 / 42, 1 / 56
#: Pairs that NumPy works on at a time.
_CACHED = 8192


@accel.helper
def _triangle(sb1, cb1, sb2, cb2, sl, cl, d, angle, sine, cosine):
    """Solve the spherical triangle with the longitude widened by d.

    Returns the sine and cosine of the side between the places, the side itself, the sine of
    the azimuth at the equator, and cos(2 sigma_m).
    """
    dd = d * d
    sd = d * (1.0 - dd * _6 * (1.0 - dd * _20 * (1.0 - dd * _42)))
    cd = 1.0 - dd * 0.5 * (1.0 - dd * _12 * (1.0 - dd * _30 * (1.0 - dd * _56)))
    so = sl * cd + cl * sd
    co = cl * cd - sl * sd
    w = cb2 * so
    v = cb1 * sb2 - sb1 * cb2 * co
    s = np.sqrt(w * w + v * v)
    c = sb1 * sb2 + cb1 * cb2 * co
    sa = cb1 * w / (s + 1e-300)
    c2 = (1.0 - sa) * (1.0 + sa)
    x = c - 2.0 * sb1 * sb2 / (c2 + 1e-30)
    # The side differs little from the angle before: an arcsine series does.
    t = s * cosine - c * sine
    tt = t * t
    side = angle + t * (1.0 + tt * _6 * (1.0 + tt * 0.45 * (1.0 + tt * (25.0 / 42))))
    return s, c, side, sa, x


@accel.helper
def _longitude_excess(sb1, cb1, sb2, cb2, sl, cl, d, angle, sine, cosine, f, ep2, n):
    """Difference of the longitudes on the auxiliary sphere and the ellipsoid (equation 8)."""
    s, c, sigma, sa, x = _triangle(sb1, cb1, sb2, cb2, sl, cl, d, angle, sine, cosine)
    c2 = (1.0 - sa) * (1.0 + sa)
    r = 1.0 + np.sqrt(1.0 + ep2 * c2)
    e = ep2 * c2 / (r * r)
    # Equations 24 and 25, by powers of e.
    a3 = 1.0 - e * (
        (1.0 - n) / 2
        + e
        * (
            1.0 / 4
            + n / 8
            - 3 * n * n / 8
            + e * (1.0 / 16 + 3 * n / 16 + n * n / 16 + e * (3.0 / 64 + n / 32 + e * (3.0 / 128)))
        )
    )
    k1 = e * (
        (1.0 - n) / 4
        + e
        * (
            (1.0 - n * n) / 8
            + e * ((3.0 + 3 * n - n * n) / 64 + e * ((5.0 + 2 * n) / 128 + e * (3.0 / 128)))
        )
    )
    k2 = (
        e
        * e
        * (
            (2.0 - 3 * n + n * n) / 32
            + e * ((3.0 - 2 * n - 3 * n * n) / 64 + e * ((3.0 + n) / 128 + e * (5.0 / 256)))
        )
    )
    k3 = (
        e * e * e * ((5.0 - 9 * n + 5 * n * n) / 192 + e * ((9.0 - 10 * n) / 384 + e * (7.0 / 512)))
    )
    k4 = e * e * e * e * ((7.0 - 14 * n) / 512 + e * (7.0 / 512))
    k5 = e * e * e * e * e * (21.0 / 2560)
    return f * sa * a3 * (sigma + 2.0 * _harmonics(s, c, x, k1, k2, k3, k4, k5, 0.0 * e))


@accel.helper
def _harmonics(s, c, x, k1, k2, k3, k4, k5, k6):
    """Sum of k_l cos(2 l sigma_m) sin(l sigma) for l = 1..6."""
    x2, c2 = 2.0 * x, 2.0 * c
    t2 = x2 * x - 1.0
    s2 = c2 * s
    t3 = x2 * t2 - x
    s3 = c2 * s2 - s
    t4 = x2 * t3 - t2
    s4 = c2 * s3 - s2
    t5 = x2 * t4 - t3
    s5 = c2 * s4 - s3
    t6 = x2 * t5 - t4
    s6 = c2 * s5 - s4
    return k1 * x * s + k2 * t2 * s2 + k3 * t3 * s3 + k4 * t4 * s4 + k5 * t5 * s5 + k6 * t6 * s6


@accel.helper
def _length(sb1, cb1, sb2, cb2, sl, cl, d, angle, sine, cosine, ep2):
    """Length in units of the polar axis (equations 15 and 17, 18)."""
    s, c, sigma, sa, x = _triangle(sb1, cb1, sb2, cb2, sl, cl, d, angle, sine, cosine)
    c2 = (1.0 - sa) * (1.0 + sa)
    r = 1.0 + np.sqrt(1.0 + ep2 * c2)
    e = ep2 * c2 / (r * r)
    ee = e * e
    a1 = (1.0 + ee * (1.0 / 4 + ee * (1.0 / 64 + ee * (1.0 / 256)))) / (1.0 - e)
    k1 = e * (-1.0 / 2 + ee * (3.0 / 16 - ee * (1.0 / 32)))
    k2 = ee * (-1.0 / 16 + ee * (1.0 / 32 - ee * (9.0 / 2048)))
    k3 = e * ee * (-1.0 / 48 + ee * (3.0 / 256))
    k4 = ee * ee * (-5.0 / 512 + ee * (3.0 / 512))
    k5 = e * ee * ee * (-7.0 / 1280)
    k6 = ee * ee * ee * (-7.0 / 2048)
    return a1 * (sigma + 2.0 * _harmonics(s, c, x, k1, k2, k3, k4, k5, k6))


@accel.kernel
def _excesses(sb1, cb1, sb2, cb2, sl, cl, d, angle, sine, cosine, f, ep2, n, out):
    for p in range(out.shape[0]):
        out[p] = _longitude_excess(
            sb1[p],
            cb1[p],
            sb2[p],
            cb2[p],
            sl[p],
            cl[p],
            d[p],
            angle[p],
            sine[p],
            cosine[p],
            f,
            ep2,
            n,
        )


@accel.kernel
def _lengths(sb1, cb1, sb2, cb2, sl, cl, d, angle, sine, cosine, ep2, out):
    for p in range(out.shape[0]):
        out[p] = _length(
            sb1[p], cb1[p], sb2[p], cb2[p], sl[p], cl[p], d[p], angle[p], sine[p], cosine[p], ep2
        )


def geodesic_lengths(
    sine1: np.ndarray,
    cosine1: np.ndarray,
    sine2: np.ndarray,
    cosine2: np.ndarray,
    longitude: np.ndarray,
    angle: np.ndarray,
    a: float,
    b: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Lengths of geodesics between places on an ellipsoid of revolution.

    Parameters
    ----------
    sine1, cosine1, sine2, cosine2 : (m,) arrays
        Of the reduced latitudes of the two places.
    longitude : (m,) array
        Difference of the longitudes in radians.
    angle : (m,) array
        Angle between the places on the auxiliary sphere, at reduced latitude.
    a, b : float
        Equatorial and polar axis.

    Returns
    -------
    length : (m,) array
        In the unit of the axes.
    good : (m,) bool array
        Where the length can be relied on; ask someone else about the others.
    """
    good = np.empty(len(angle), dtype=bool)
    length = np.empty(len(angle))
    for start in range(0, len(angle), _CACHED):
        rows = slice(start, start + _CACHED)
        length[rows], good[rows] = _solve(
            sine1[rows],
            cosine1[rows],
            sine2[rows],
            cosine2[rows],
            longitude[rows],
            angle[rows],
            a,
            b,
        )
    return length, good


def _solve(sb1, cb1, sb2, cb2, longitude, angle, a, b) -> tuple[np.ndarray, np.ndarray]:
    """A few thousand at a time, so that all stays in the cache."""
    f, ep2, n = (a - b) / a, (a - b) * (a + b) / (b * b), (a - b) / (a + b)
    sl, cl = np.abs(np.sin(longitude)), np.cos(longitude)
    across, along = cb2 * sl, cb1 * sb2 - sb1 * cb2 * cl
    sine = np.sqrt(across * across + along * along)
    cosine = sb1 * sb2 + cb1 * cb2 * cl

    def excess(d: np.ndarray) -> np.ndarray:
        columns = sb1, cb1, sb2, cb2, sl, cl, d, angle, sine, cosine, f, ep2, n
        if not accel.enabled():
            return _longitude_excess(*columns)
        out = np.empty(len(d))
        _excesses(*columns, out)
        return out

    with np.errstate(all="ignore"):
        # The difference in longitude on the auxiliary sphere is larger by a small angle d, a
        # fixed point of excess(). Two steps tell the slope, and with it Newton's steps.
        d1 = excess(np.zeros(len(angle)))
        e1 = excess(d1)
        slope = 1.0 - (e1 - d1) / (d1 + 1e-300)
        d2 = d1 + (e1 - d1) / slope
        e2 = excess(d2)
        d3 = d2 + (e2 - d2) / slope
        columns = sb1, cb1, sb2, cb2, sl, cl, d3, angle, sine, cosine, ep2
        if accel.enabled():
            length = np.empty(len(angle))
            _lengths(*columns, length)
        else:
            length = _length(*columns)
        # What is no number is not below the limit either.
        good = (np.abs(e2 - d2) < _RESIDUAL) & (angle < FARTHEST)
    # Where the places are one, rounding may leave some last digits.
    return np.where(angle > 0, length * b, 0.0), good
