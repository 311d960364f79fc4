# SPDX-License-Identifier: GPL-2.0-or-later
"""Do a key and a mask file belong to the points that are attacked?

A score by the key of another release finds nobody, whatever the release shows. Where the key and
the mask file are right, each point can have come from its home, and the shares of the law within
the distances that places moved are as if drawn evenly between 0 and 1.
"""

from __future__ import annotations

import numpy as np

from ...masking.law import Law
from .likelihood import Likelihood

#: Largest gap between two distributions, times the root of the number of places, that a draw leaves:
#: by the limit of Kolmogorov's distribution one in 130,000 is larger, 2 exp(-2 · 2.5²) = 7.5e-6.
_CHANCE = 2.5
#: Gaps below this are left to what is not of the mask: roundings, and how a plane is laid.
_SMALL = 0.1
#: Places from which on a common movement is looked for, and the F that no draw reaches: by chance
#: one in a million files of 12 places has more, of 100 places one in 10^11.
_FEW, _SURELY = 12, 30.0


def cannot_be_home(
    likelihood: Likelihood, home: np.ndarray, weight: np.ndarray | None = None
) -> np.ndarray:
    """Say which points cannot have come from their homes.

    Parameters
    ----------
    likelihood : Likelihood
    home : (n,) int array
        The candidate at which each point's record lives; below zero where it is not known.
    weight : (m,) array, optional
        People of each candidate: from where nobody lives, no point comes.

    Returns
    -------
    (n,) bool array
        False where the home is not known.
    """
    point = likelihood.point
    hit = likelihood.candidate == home[point]
    if weight is not None:
        hit &= np.asarray(weight)[likelihood.candidate] > 0
    explained = np.bincount(point[hit], minlength=likelihood.points) > 0
    return (home >= 0) & ~explained


def gap(law: Law, home: np.ndarray, distance: np.ndarray, farther: bool = False) -> float:
    """Return how far the distances that places moved are from those of the law.

    Parameters
    ----------
    law : Law
        Without zones, in which places move less.
    home : (n,) int array
        Candidates at which points' records live; those below zero are left out, and each place
        counts once.
    distance : (n,) array
        Of each point from its home.
    farther : bool
        Whether only points count that moved farther than the law says.

    Returns
    -------
    float
        Kolmogorov's distance, 0 to 1; 0 where it is small, or may well be by chance.
    """
    rows, first = np.unique(home, return_index=True)
    first = first[rows >= 0]
    if not len(first):
        return 0.0
    share = np.sort(law.of(home[first]).within(distance[first]))
    count, number = len(share), np.arange(len(share))
    beyond, within = (share - number / count).max(), ((number + 1) / count - share).max()
    found = float(beyond if farther else max(beyond, within))
    return found if found > max(_SMALL, _CHANCE / np.sqrt(count)) else 0.0


def drift(home: np.ndarray, before: np.ndarray, after: np.ndarray) -> bool:
    """Whether points moved together: a shift, turn or stretch that all share, which no law knows.

    Parameters
    ----------
    home : (n,) int array
        Candidates at which points' records live; those below zero are left out, and each place
        counts once.
    before, after : (n, 2) arrays
        Homes and points.

    Returns
    -------
    bool
        Whether an affine map explains the steps far better than none (F of 3 parameters per axis).
    """
    rows, first = np.unique(home, return_index=True)
    first = first[rows >= 0]
    if len(first) < _FEW:
        return False
    before, step = before[first], after[first] - before[first]
    extent = max(float(np.ptp(before, axis=0).max()), 1e-9)
    own = np.column_stack([np.ones(len(first)), (before - before.mean(axis=0)) / extent])
    left = step - own @ np.linalg.lstsq(own, step, rcond=None)[0]
    noise = np.square(left).sum(axis=0) / (len(first) - 3)
    gain = (np.square(step).sum(axis=0) - np.square(left).sum(axis=0)) / 3
    return bool((gain > _SURELY * np.maximum(noise, (1e-9 * extent) ** 2)).any())
