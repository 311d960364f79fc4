# SPDX-License-Identifier: GPL-2.0-or-later
"""Fixtures of the engine's tests. Nothing here or below imports QGIS."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

# Test modules are imported by path, so the helpers beside them need telling.
sys.path.insert(0, str(Path(__file__).resolve().parent))

_DWELLINGS = Path("..", "shared", "data", "dwellings_nl.csv.gz")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20231)


@pytest.fixture(scope="session")
def dwellings_as_published(checkout) -> np.ndarray:
    """90,603 Dutch dwellings on integer metres, shifted to the origin."""
    path = checkout / _DWELLINGS
    if not path.exists():
        pytest.skip(f"the dwellings data are not at {_DWELLINGS}, seen from the checkout")
    xy = np.loadtxt(path, delimiter=",", skiprows=1, usecols=(0, 1))
    return xy - xy.min(axis=0)


@pytest.fixture(scope="session")
def dwellings(dwellings_as_published) -> np.ndarray:
    """The same as the published experiments prepare them: jittered, three decimals."""
    jitter = np.random.default_rng(7).uniform(-0.1, 0.1, dwellings_as_published.shape)
    return np.round(dwellings_as_published + jitter, 3)
