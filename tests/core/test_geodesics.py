# SPDX-License-Identifier: GPL-2.0-or-later
"""The series for geodesics against pyproj."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.space.geodesics import FARTHEST, geodesic_lengths

pyproj = pytest.importorskip("pyproj")

ELLIPSOIDS = ("WGS84", "bessel", "clrk80", "sphere")


def solve(p, q, geod):
    """Both ways of solving the inverse problem."""
    reduced = [
        np.arctan2(geod.b * np.sin(r), geod.a * np.cos(r)) for r in np.radians([p[:, 1], q[:, 1]])
    ]
    (s1, s2), (c1, c2) = np.sin(reduced), np.cos(reduced)
    longitude = np.radians(q[:, 0] - p[:, 0])
    half = np.sin((reduced[1] - reduced[0]) / 2) ** 2 + c1 * c2 * np.sin(longitude / 2) ** 2
    angle = 2 * np.arcsin(np.minimum(np.sqrt(half), 1))
    length, good = geodesic_lengths(s1, c1, s2, c2, longitude, angle, geod.a, geod.b)
    return length, good, geod.inv(*p.T, *q.T)[2], angle


def places(rng, spread, count=4000):
    p = rng.uniform((-180, -90), (180, 90), (count, 2))
    p[:200, 1] = 0  # along and near the equator
    p[200:300, 1] = 90
    q = p + rng.normal(0, spread, p.shape)
    q[:100, 1] = 0
    q[300:400, 0] = p[300:400, 0]  # along meridians
    q[400:420] = p[400:420]
    q[:, 1] = np.clip(q[:, 1], -90, 90)
    return p, q


@pytest.mark.parametrize("name", ELLIPSOIDS)
@pytest.mark.parametrize("spread", [1e-6, 1e-2, 1.0, 20.0])
def test_agrees_with_pyproj_to_some_ten_nanometres(name, spread):
    geod = pyproj.Geod(ellps=name)
    length, good, exact, angle = solve(*places(np.random.default_rng(1), spread), geod)
    assert np.abs(length - exact)[good].max() < 3e-8
    assert good[angle < FARTHEST].all()
    assert (length[400:420] == 0).all()


def test_what_is_too_far_is_told():
    rng = np.random.default_rng(2)
    p, q = (rng.uniform((-180, -90), (180, 90), (20_000, 2)) for _ in range(2))
    length, good, exact, angle = solve(p, q, pyproj.Geod(ellps="WGS84"))
    assert np.abs(length - exact)[good].max() < 3e-8
    assert not good[angle > FARTHEST].any() and good[angle < FARTHEST].mean() > 0.999


def test_the_same_bits_without_numba():
    if not accel.available():
        pytest.skip("numba is not installed")
    p, q = places(np.random.default_rng(3), 5.0, 20_000)
    was = accel.enabled()
    try:
        results = []
        for on in (True, False):
            accel.set_enabled(on)
            results.append(solve(p, q, pyproj.Geod(ellps="WGS84"))[:2])
    finally:
        accel.set_enabled(was)
    assert np.array_equal(results[0][0], results[1][0])
    assert np.array_equal(results[0][1], results[1][1])
