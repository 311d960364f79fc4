# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of cliques share: both ways to compute, and random distances."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.runtime import accel


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
