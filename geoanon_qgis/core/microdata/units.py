# SPDX-License-Identifier: GPL-2.0-or-later
"""A release in other units than the originals: who compares them takes it back first.

Pounds for kilograms, degrees Fahrenheit, or values with a secret constant added are far from the
originals and hide nobody: their order is the same, and what lies between them in proportion.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ..runtime.progress import Progress, interruptible, silent

#: Different values below which any release may lie on a line.
_FEWEST = 20
#: Share of the standard deviation by which values in other units miss a line: they are rounded.
#: Another sample of as many people misses it by a hundred times as much.
_ON_A_LINE = 1e-3


def in_units_of(
    original: np.ndarray, released: np.ndarray, progress: Progress = silent
) -> np.ndarray:
    """Return a release with those columns taken back that are the originals' in other units.

    Parameters
    ----------
    original, released : (n, m), (p, m) arrays

    Returns
    -------
    (p, m) array
        The release itself where no column is. A column is, if its values in order lie on a line
        over those of the original in order or in reverse, and on another one than equality. Only
        releases with as many records as there are originals can be told so.
    """
    if original.shape != released.shape or len(original) < _FEWEST:
        return released
    result = released
    columns = original.shape[1]
    for at in range(columns):
        column = partial(_taken_back, original[:, at], released[:, at])
        taken_back = interruptible(column, progress, at / columns)
        if taken_back is not None:
            if result is released:
                result = released.copy()
            result[:, at] = taken_back
    return result


def _taken_back(original: np.ndarray, released: np.ndarray) -> np.ndarray | None:
    """Values of the original in the places of a released column; None where it is no such."""
    with np.errstate(all="ignore"):  # what no number holds is on no line
        return _on_a_line(original, released)


def _on_a_line(original: np.ndarray, released: np.ndarray) -> np.ndarray | None:
    own, order = np.sort(original), np.argsort(released, kind="stable")
    theirs = released[order]
    if not np.isfinite(own).all() or not np.isfinite(theirs).all():
        return None
    if min(len(np.unique(own)), len(np.unique(theirs))) < _FEWEST:
        return None
    if np.abs(theirs - own).max() <= _ON_A_LINE * own.std():
        return None
    for these in (own, own[::-1]):
        off, away = these - these.mean(), theirs - theirs.mean()
        missed = np.abs(off * (off @ away / (off @ off)) - away).max()
        if missed <= _ON_A_LINE * away.std():
            result = np.empty(len(released))
            result[order] = these
            return result
    return None
