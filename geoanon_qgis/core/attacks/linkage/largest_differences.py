# SPDX-License-Identifier: GPL-2.0-or-later
"""How far the largest differences of coordinates are from distances, and the slope of it.

Sums of powers lead to the maximum, for a maximum alone has no slope in all coordinates but one; powers
of two, whose roots are square roots: these are the same to the last digit compiled and in NumPy, and so
is whatever is fitted by them.
"""

from __future__ import annotations

import numpy as np

from ...runtime import accel

#: Least difference: nobody is divided by nothing.
_NOTHING = 1e-12


def misfit(place: np.ndarray, given: np.ndarray, squarings: int) -> tuple[float, np.ndarray]:
    """Sum the squared errors of distances by a power, 2 ** squarings, over both orders of pairs.

    Returns
    -------
    float
    (sets, n) array
        A quarter of the slope of it.
    """
    value, slope = np.zeros(len(given)), np.zeros_like(place)
    (_row_by_row if accel.enabled() else _at_once)(place, given, squarings, value, slope)
    return float(value.sum()), slope


@accel.kernel
def _row_by_row(place, given, squarings, value, slope):
    """Add one row of distances after the other; the inner loops are as long as a row."""
    sets, count = place.shape
    odd = np.empty((sets, count))
    even, scale, total, pull = np.empty((4, count))
    for j in range(count):
        scale[:] = _NOTHING
        for s in range(sets):
            for i in range(count):
                scale[i] = max(scale[i], abs(place[s, i] - place[s, j]))
        total[:] = 0.0
        for s in range(sets):
            for i in range(count):
                odd[s, i] = (place[s, i] - place[s, j]) / scale[i]
                even[i] = odd[s, i] * odd[s, i]
            for _ in range(squarings - 1):
                for i in range(count):
                    odd[s, i] *= even[i]
                    even[i] *= even[i]
            for i in range(count):
                total[i] += even[i]
        total[j] = 1.0
        for i in range(count):
            pull[i] = total[i]
        for _ in range(squarings):
            for i in range(count):
                pull[i] = np.sqrt(pull[i])
        scale[j] = 0.0
        for i in range(count):
            miss = scale[i] * pull[i] - given[j, i]
            value[i] += miss * miss
            pull[i] = miss * pull[i] / max(total[i], 1e-300)
        for s in range(sets):
            for i in range(count):
                slope[s, i] += pull[i] * odd[s, i]


def _at_once(place, given, squarings, value, slope):
    """Add all rows of distances, in the same order; the same as :func:`_row_by_row`."""
    apart = place.T[:, :, None]  # so that sums go over the first axis, one row after the other
    apart = place[None] - apart
    scale = np.maximum(np.abs(apart).max(axis=1), _NOTHING)
    apart /= scale[:, None]
    even = apart * apart
    for _ in range(squarings - 1):
        apart *= even
        even *= even
    total = np.zeros_like(given)
    for s in range(len(place)):
        total += even[:, s]
    np.fill_diagonal(total, 1.0)
    root = total.copy()
    for _ in range(squarings):
        np.sqrt(root, out=root)
    np.fill_diagonal(scale, 0.0)
    miss = scale * root - given
    pull = miss * root / np.maximum(total, 1e-300)
    for j in range(len(given)):
        value += miss[j] * miss[j]
        slope += pull[j] * apart[j]
