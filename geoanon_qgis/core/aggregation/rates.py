# SPDX-License-Identifier: GPL-2.0-or-later
"""Rates of counted cases, with exact intervals."""

from __future__ import annotations

import numpy as np


def rates(
    cases: np.ndarray, people: np.ndarray, per: float = 100_000.0, confidence: float = 0.95
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rates with exact Poisson intervals (Garwood 1936).

    Parameters
    ----------
    cases, people : (m,) arrays
    per : float
        People to whom a rate refers.
    confidence : float

    Returns
    -------
    rate, low, high : (m,) arrays
        NaN where nobody lives, or nobody knows how many.

    References
    ----------
    Garwood, F. (1936). Fiducial limits for the Poisson distribution. Biometrika 28, 437-442.
    """
    from scipy.special import gammaincinv

    cases = np.asarray(cases, dtype=np.float64)
    people = np.asarray(people, dtype=np.float64)
    scale = np.full(len(cases), np.nan)
    there = np.isfinite(people) & (people > 0)
    scale[there] = per / people[there]
    tail = (1 - confidence) / 2
    low = np.where(cases > 0, gammaincinv(np.maximum(cases, 1), tail), 0.0)
    return cases * scale, low * scale, gammaincinv(cases + 1, 1 - tail) * scale
