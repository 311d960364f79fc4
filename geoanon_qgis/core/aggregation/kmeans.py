# SPDX-License-Identifier: GPL-2.0-or-later
"""Sites by weighted k-means: each in the middle of the people of its area (Lloyd 1982)."""

from __future__ import annotations

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from ..runtime.wording import Sentence
from ..space.points import as_points
from .construction import nearest_sites
from .sites import check_site_number

#: Most rounds, and the share of the sum of squares by which one has to lower it.
_ROUNDS, _GAIN = 100, 1e-6


def kmeans_sites(
    xy: np.ndarray, weight: np.ndarray, start: np.ndarray, progress: Progress = silent
) -> np.ndarray:
    """Move sites to the weighted means of the regions nearest to them, until that changes little.

    A site that attracts no region goes to the region that is farthest from its own site, by
    weighted square, so that there are as many areas as sites.

    Parameters
    ----------
    xy : (n, 2) array
        Regions in the plane, at s different places or more.
    weight : (n,) array
        Records of each, from 0.
    start : (s, 2) array
    progress : callable

    Returns
    -------
    (s, 2) array

    Raises
    ------
    InputError
        For weights that are none.
    """
    xy, sites = as_points(xy, Sentence("regions")), np.array(start, dtype=np.float64)
    weight = np.asarray(weight, dtype=np.float64)
    if not (np.isfinite(weight) & (weight >= 0)).all():
        raise InputError("Populations of regions must be numbers from 0.")
    # Regions without records follow; so light, they pull only where nobody else does.
    weight = weight + 1e-6 * (weight.mean() or 1.0)
    before, count = np.inf, len(sites)
    for turn in range(_ROUNDS):
        progress(turn / _ROUNDS)
        area, squared = _filled(xy, weight, sites)
        total = float(weight @ squared)
        if before - total <= _GAIN * total:
            break
        before = total
        held = np.bincount(area, weight, count)
        sites = np.stack(
            [np.bincount(area, weight * xy[:, axis], count) / held for axis in (0, 1)], axis=1
        )
    _filled(xy, weight, sites)
    progress(1.0)
    return sites


def _filled(xy: np.ndarray, weight: np.ndarray, sites: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nearest sites, with those that attract nothing moved, in place, to where they do."""
    while True:
        area, squared = nearest_sites(xy, sites)
        empty = np.flatnonzero(np.bincount(area, minlength=len(sites)) == 0)
        cost = weight * squared
        if not len(empty) or not cost.any():
            return area, squared
        # One at a time: the next looks at what is farthest then.
        sites[empty[0]] = xy[cost.argmax()]


def drawn_sites(
    xy: np.ndarray, weight: np.ndarray, sites: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw different places of regions, those far from the ones drawn sooner (k-means++).

    Arthur and Vassilvitskii (2007): each by its weight times its squared distance to the nearest
    place that was drawn before.

    Parameters
    ----------
    xy : (n, 2) array
    weight : (n,) array
    sites : int
        At most the number of different places.
    rng : numpy.random.Generator

    Returns
    -------
    (sites, 2) array
    """
    check_site_number(sites, len(xy))
    weight = np.asarray(weight, dtype=np.float64) + 1e-6 * (np.mean(weight) or 1.0)
    drawn = np.empty((sites, 2))
    chance = weight
    squared = np.full(len(xy), np.inf)
    for at in range(sites):
        running = np.cumsum(chance)
        row = int(np.searchsorted(running, rng.random() * running[-1], side="right"))
        drawn[at] = xy[min(row, len(xy) - 1)]
        gap = xy - drawn[at]
        squared = np.minimum(squared, gap[:, 0] ** 2 + gap[:, 1] ** 2)
        chance = weight * squared
    return drawn
