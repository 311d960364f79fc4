# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the middle of a pattern lies and how far it spreads, before and after masking."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence
from ..space.points import Places, as_points, places

#: Steps toward the median centre, and the last of them as a share of the extent.
_STEPS, _LAST = 500, 1e-12


@dataclass(frozen=True)
class Centre:
    """Centres and spread of one pattern.

    Attributes
    ----------
    points : int
    mean : (2,) array
        Mean centre.
    median : (2,) array
        Median centre: the place with the least sum of distances to all points.
    standard_distance : float
        Root mean squared distance from the mean centre.
    """

    points: int
    mean: np.ndarray
    median: np.ndarray
    standard_distance: float


@dataclass(frozen=True, repr=False)
class Drift(Summarised):
    """How centres and spread changed, in the unit of the coordinates.

    Attributes
    ----------
    before, after : Centre
    mean_drift, median_drift : float
        Distance between both mean, and both median centres.
    standard_distance_ratio : float
        After over before; NaN where all originals lie at one place.
    """

    before: Centre
    after: Centre
    mean_drift: float
    median_drift: float
    standard_distance_ratio: float

    def in_words(self) -> str:
        """Say how far the centres moved."""
        return (
            f"Mean centre moved by {self.mean_drift:,.4g}, median centre by"
            f" {self.median_drift:,.4g}; standard distance"
            f" {self.before.standard_distance:,.4g}, then {self.after.standard_distance:,.4g}."
        )


def drift(original: np.ndarray, released: np.ndarray, progress: Progress = silent) -> Drift:
    """Compare the centres and the spread of two patterns.

    Parameters
    ----------
    original, released : (n, 2), (m, 2) arrays
        In one plane; rows need not correspond.
    progress : callable

    Returns
    -------
    Drift

    Raises
    ------
    InputError
        If one has no point.
    """
    before = centre_of(original, part(progress, 0.0, 0.5))
    after = centre_of(released, part(progress, 0.5, 1.0))
    wide = before.standard_distance
    return Drift(
        before,
        after,
        float(np.hypot(*(after.mean - before.mean))),
        float(np.hypot(*(after.median - before.median))),
        after.standard_distance / wide if wide > 0 else float("nan"),
    )


def centre_of(xy: np.ndarray, progress: Progress = silent) -> Centre:
    """Centres and spread of one pattern, each record counted once.

    Parameters
    ----------
    xy : (n, 2) array
    progress : callable

    Returns
    -------
    Centre

    Raises
    ------
    InputError
        If there is no point.
    """
    xy = as_points(xy)
    if not len(xy):
        raise InputError(Sentence("There are no points whose centre could be computed."))
    # From a point of their own, so that coordinates of millions lose no digits.
    origin = xy[0]
    near = xy - origin
    mean = near.mean(axis=0)
    spread = float(np.sqrt(((near - mean) ** 2).sum(axis=1).mean()))
    found = places(near)
    return Centre(len(xy), mean + origin, _median(found, mean, progress) + origin, spread)


def _median(found: Places, start: np.ndarray, progress: Progress) -> np.ndarray:
    """The place with the least sum of distances, by Weiszfeld's steps.

    Vardi & Zhang (2000), The multivariate L1-median and associated data depth, PNAS 97:
    1423-1426, say when one of the points is it: steps toward it would not end.
    """
    xy, count = found.xy, found.count.astype(np.float64)
    extent = float(np.ptp(xy, axis=0).max())
    at = start
    for step in range(_STEPS):
        progress(step / _STEPS)
        gap = xy - at
        away = np.hypot(gap[:, 0], gap[:, 1])
        nearest = int(np.argmin(away))
        if _is_median(xy, count, nearest):
            return xy[nearest]
        pull = count / np.maximum(away, _LAST * extent)
        onward = (pull[:, None] * gap).sum(axis=0) / pull.sum()
        at = at + onward
        if np.hypot(*onward) <= _LAST * extent:
            break
    return at


def _is_median(xy: np.ndarray, count: np.ndarray, one: int) -> bool:
    """Whether those at one place hold against the pull of all others."""
    gap = np.delete(xy, one, axis=0) - xy[one]
    away = np.hypot(gap[:, 0], gap[:, 1])
    pull = (np.delete(count, one)[:, None] * gap / away[:, None]).sum(axis=0)
    return bool(np.hypot(*pull) <= count[one] * (1 + 1e-12))
