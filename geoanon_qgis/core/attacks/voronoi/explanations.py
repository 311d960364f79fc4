# SPDX-License-Identifier: GPL-2.0-or-later
"""Oriented explanations of masked locations; :mod:`.hypotheses` weighs them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime.rows import numbered_rows
from .antipodal import Pairs
from .blur import Blur


@dataclass(frozen=True)
class Hypotheses:
    """Oriented explanations of the masked locations, sorted by location.

    Attributes
    ----------
    location : (h,) int array
        The masked location that is explained.
    origin, partner : (h,) int arrays
        Candidate places; the same place for a location whose records did not move.
    pair : (h,) int array
        Number of the unordered pair: two orientations share it.
    length : (h,) array
        Distance between origin and partner.
    """

    location: np.ndarray
    origin: np.ndarray
    partner: np.ndarray
    pair: np.ndarray
    length: np.ndarray

    @property
    def moved(self) -> np.ndarray:
        """False where the hypothesis says that the records stayed."""
        return self.origin != self.partner

    def fit(self, blur: Blur, locations: np.ndarray, known: np.ndarray) -> np.ndarray:
        """How likely the midpoint of each came to its location, (h,)."""
        middle = (known[self.origin] + known[self.partner]) / 2
        return blur.chance(self.location, locations[self.location] - middle)

    def pairs_per_location(self, rows: np.ndarray, locations: int) -> np.ndarray:
        """Number of unordered pairs among the chosen rows, by location."""
        # Two orientations of a pair always belong to one location.
        one_each = np.unique(self.pair[rows], return_index=True)[1]
        return np.bincount(self.location[rows][one_each], minlength=locations)


def hypotheses_of(
    location: np.ndarray, origin: np.ndarray, partner: np.ndarray, known: np.ndarray
) -> Hypotheses:
    """Sort oriented explanations by location and number their unordered pairs.

    Parameters
    ----------
    location, origin, partner : (h,) int arrays
    known : (p, 2) array
        The candidates' places.
    """
    order = np.lexsort((partner, origin, location))
    location, origin, partner = location[order], origin[order], partner[order]
    ends = np.stack([location, np.minimum(origin, partner), np.maximum(origin, partner)], axis=1)
    pair = np.unique(numbered_rows(ends), return_inverse=True)[1].reshape(-1)
    gap = known[origin] - known[partner]
    return Hypotheses(location, origin, partner, pair, np.hypot(gap[:, 0], gap[:, 1]))


def from_pairs(pairs: Pairs, unmoved: Pairs, known: np.ndarray) -> Hypotheses:
    """Both orientations of every pair, and the places that records may not have left."""
    return hypotheses_of(
        np.concatenate([pairs.centre, pairs.centre, unmoved.centre]),
        np.concatenate([pairs.first, pairs.second, unmoved.first]),
        np.concatenate([pairs.second, pairs.first, unmoved.second]),
        known,
    )
