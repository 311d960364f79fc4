# SPDX-License-Identifier: GPL-2.0-or-later
"""Released beside true distances, by bands of the true distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from .comparison import PairSample

#: Shares of the pairs below the limits of the bands: narrow ones first, because an embedding is
#: meant to keep the small distances.
BANDS = (0.0, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


@dataclass(frozen=True)
class Band:
    """Pairs whose true distance lies between two limits, in the matrix's unit.

    Attributes
    ----------
    lower, upper : float
        lower < d <= upper.
    pairs : int
        Pairs of the sample in the band.
    mean_distance : float
        Mean of d.
    bias, sd_deviation : float
        Mean and standard deviation of d~ - d.
    mean_ratio, sd_ratio : float
        Mean and standard deviation of d~/d.
    quantiles : tuple of float
        Of d~/d at 5, 25, 50, 75 and 95 per cent.
    """

    lower: float
    upper: float
    pairs: int
    mean_distance: float
    bias: float
    sd_deviation: float
    mean_ratio: float
    sd_ratio: float
    quantiles: tuple[float, float, float, float, float]

    @property
    def median_ratio(self) -> float:
        """Median of d~/d."""
        return self.quantiles[2]


def distance_bands(sample: PairSample, limits: Sequence[float] | None = None) -> tuple[Band, ...]:
    """Describe d~ - d and d~/d by bands of the true distance.

    Parameters
    ----------
    sample : PairSample
        Pairs at one place, d = 0, are left out.
    limits : sequence of float, optional
        Ascending; by default such that the shares :data:`BANDS` of the pairs lie below them,
        rounded to two significant digits.

    Raises
    ------
    InputError
        If the limits do not ascend.
    """
    order = np.argsort(sample.true, kind="stable")
    order = order[np.searchsorted(sample.true[order], 0.0, side="right") :]
    true, released = sample.true[order], sample.released[order]
    if len(true) == 0:
        return ()
    if limits is None:
        inner = np.unique([_two_digits(limit) for limit in np.quantile(true, BANDS[1:-1])])
        limits = [0.0, *inner[inner < true[-1]], true[-1]]
    elif len(limits) < 2 or not (np.diff(limits) > 0).all():
        raise InputError("The limits of the bands must be two or more ascending distances.")
    at = np.searchsorted(true, limits, side="right")
    return tuple(
        _band(lower, upper, true[a:b], released[a:b])
        for lower, upper, a, b in zip(limits[:-1], limits[1:], at[:-1], at[1:])
        if b > a
    )


def _two_digits(value: float) -> float:
    return float(f"{value:.1e}")


def _band(lower: float, upper: float, true: np.ndarray, released: np.ndarray) -> Band:
    deviation, ratio = released - true, released / true
    q05, q25, q50, q75, q95 = map(float, np.quantile(ratio, (0.05, 0.25, 0.5, 0.75, 0.95)))
    return Band(
        lower=float(lower),
        upper=float(upper),
        pairs=len(true),
        mean_distance=float(true.mean()),
        bias=float(deviation.mean()),
        sd_deviation=float(deviation.std()),
        mean_ratio=float(ratio.mean()),
        sd_ratio=float(ratio.std()),
        quantiles=(q05, q25, q50, q75, q95),
    )
