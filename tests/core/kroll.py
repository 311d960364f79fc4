# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of the linkage attack share: the paper's poets, and both ways to compute."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.runtime import accel

#: Kroll (2014), appendix A: labels of tables 7 and 8, distances in km.
POETS = [
    (14, "Italian"),
    (16, "Spanish"),
    (18, "German"),
    (17, "French"),
    (13, "Italian"),
    (18, "German"),
    (17, "French"),
    (16, "English"),
    (20, "French"),
    (20, "French"),
]
KNOWN = [
    (14, "Italian"),
    (16, "Spanish"),
    (18, "German"),
    (17, "French"),
    (19, "English"),
    (18, "German"),
    (17, "French"),
    (-1, "Latin"),
    (16, "Spanish"),
    (19, "Swedish"),
]
D1 = np.array(
    [
        [0, 1261, 729, 886, 0, 593, 864, 1341, 886, 886],
        [1261, 0, 1424, 1034, 1261, 1369, 1093, 1307, 1034, 1034],
        [729, 1424, 0, 479, 729, 137, 414, 762, 479, 479],
        [886, 1034, 479, 0, 886, 507, 67, 469, 0, 0],
        [0, 1261, 729, 886, 0, 593, 864, 1341, 886, 886],
        [593, 1369, 137, 507, 593, 0, 449, 856, 507, 507],
        [864, 1093, 414, 67, 864, 449, 0, 478, 67, 67],
        [1341, 1307, 762, 469, 1341, 856, 478, 0, 469, 469],
        [886, 1034, 479, 0, 886, 507, 67, 469, 0, 0],
        [886, 1034, 479, 0, 886, 507, 67, 469, 0, 0],
    ],
    dtype=float,
)
D2 = np.array(
    [
        [0, 1260, 731, 887, 1666, 894, 999, 291, 1290, 1791],
        [1260, 0, 1423, 1033, 1446, 1427, 1055, 1457, 30, 2574],
        [731, 1423, 0, 479, 1091, 183, 551, 983, 1447, 1188],
        [887, 1033, 479, 0, 782, 412, 112, 1177, 1052, 1546],
        [1666, 1446, 1091, 782, 0, 919, 671, 1956, 1450, 1633],
        [894, 1427, 183, 412, 919, 0, 450, 1156, 1448, 1149],
        [999, 1055, 551, 112, 671, 450, 0, 1290, 1071, 1548],
        [291, 1457, 983, 1177, 1956, 1156, 1290, 0, 1487, 1942],
        [1290, 30, 1447, 1052, 1450, 1448, 1071, 1487, 0, 2595],
        [1791, 2574, 1188, 1546, 1633, 1149, 1548, 1942, 2595, 0],
    ],
    dtype=float,
)


@pytest.fixture(params=["compiled", "plain"])
def way(request):
    was = accel.enabled()
    if request.param == "compiled" and not accel.available():
        pytest.skip("numba is not installed")
    accel.set_enabled(request.param == "compiled")
    yield request.param
    accel.set_enabled(was)


def symmetric(rng, n, low=0.0, high=10.0, decimals=0):
    """Random numbers that are often equal, the diagonal 0."""
    upper = np.triu(np.round(rng.uniform(low, high, (n, n)), decimals), 1)
    return upper + upper.T
