# SPDX-License-Identifier: GPL-2.0-or-later
"""How near the distances of an ISGP release come to the true ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.progress import Progress, silent
from ..space.planes import Plane
from .isgp import SharedPairs

#: Ends of the bands of true distances, in radii.
BANDS = (0.25, 0.5, 1.0, 1.5, 2.0)


@dataclass(frozen=True)
class NearBand:
    """Pairs whose true distance lies between two ends.

    Attributes
    ----------
    lower, upper : float
    pairs : int
    bias, error : float
        Mean of released less true distance, and the root of its mean square.
    """

    lower: float
    upper: float
    pairs: int
    bias: float
    error: float


@dataclass(frozen=True)
class NearAccuracy:
    """What the pairs that share a label keep; distances in metres, or units of the layer.

    Attributes
    ----------
    records, pairs : int
    alone : int
        Records that share a label with nobody.
    explained : float
        Squared correlation of released and true distances of the pairs; NaN where there are none.
    error, largest : float
        Root mean square of the errors, and the largest.
    nearest_kept : float
        Of the records that share a label with somebody, the share whose nearest in the release is
        nearest in truth.
    bands : tuple of NearBand
    """

    records: int
    pairs: int
    alone: int
    explained: float
    error: float
    largest: float
    nearest_kept: float
    bands: tuple[NearBand, ...]


def near_accuracy(
    pairs: SharedPairs, xy: np.ndarray, plane: Plane, progress: Progress = silent
) -> NearAccuracy:
    """Compare released distances with those on the ground.

    Parameters
    ----------
    pairs : SharedPairs
        In metres, or in units where nothing is known of the plane's.
    xy : (n, 2) array
        The places in the plane.
    plane : Plane
    progress : callable
    """
    true = plane.ground_distance(xy[pairs.first], xy[pairs.second], progress)
    off = pairs.distance - true
    ends = np.array((0.0, *BANDS)) * pairs.radius
    bands = []
    for lower, upper in zip(ends, ends[1:]):
        some = off[(true >= lower) & (true < upper)]
        if len(some):
            bias = float(some.mean())
            bands.append(NearBand(float(lower), float(upper), len(some), bias, _size(some)))
    met = np.bincount(np.r_[pairs.first, pairs.second], minlength=pairs.records) > 0
    spread = len(off) > 1 and true.std() > 0 and pairs.distance.std() > 0
    return NearAccuracy(
        pairs.records,
        len(off),
        int((~met).sum()),
        float(np.corrcoef(true, pairs.distance)[0, 1] ** 2) if spread else float("nan"),
        _size(off),
        float(np.abs(off).max()) if len(off) else float("nan"),
        _nearest_kept(pairs, true),
        tuple(bands),
    )


def _nearest_kept(pairs: SharedPairs, true: np.ndarray) -> float:
    """Share of the records with a neighbour whose nearest one is right; NaN without any."""
    if not len(pairs):
        return float("nan")
    record = np.r_[pairs.first, pairs.second]
    far = np.r_[true, true]
    order = np.lexsort((np.r_[pairs.distance, pairs.distance], record))
    starts = np.flatnonzero(np.r_[True, np.diff(record[order]) > 0])
    least = np.minimum.reduceat(far[order], starts)
    return float((far[order[starts]] <= least).mean())


def _size(off: np.ndarray) -> float:
    return float(np.sqrt((off**2).mean())) if len(off) else float("nan")
