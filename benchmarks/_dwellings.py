# SPDX-License-Identifier: GPL-2.0-or-later
"""The 90,603 Dutch dwellings of the published experiments, where they are at hand."""

from __future__ import annotations

import _timing as timing
import numpy as np

_FILE = timing.SHARED / "dwellings_nl.csv.gz"


def available() -> bool:
    """Whether the data are there; says so if they are not."""
    if _FILE.exists():
        return True
    print(
        f"Skipped: the dwellings data are not there ({_FILE.name} in"
        f" {_FILE.parent.relative_to(timing.ROOT.parent)}, beside the checkout)."
    )
    return False


def integer_metres() -> np.ndarray:
    """As they are stored, shifted to the origin: 86,813 distinct places of 90,603."""
    xy = np.loadtxt(_FILE, delimiter=",", skiprows=1, usecols=(0, 1))
    return xy - xy.min(axis=0)


def as_published(rng: np.random.Generator) -> np.ndarray:
    """Shifted to the origin, jittered by U(-0.1, 0.1) and rounded to three decimals."""
    xy = integer_metres()
    return np.round(xy + rng.uniform(-0.1, 0.1, xy.shape), 3)
