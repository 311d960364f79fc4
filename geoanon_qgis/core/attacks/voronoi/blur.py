# SPDX-License-Identifier: GPL-2.0-or-later
"""What became of midpoints before they were released: rounded, and perhaps jittered.

A midpoint is as likely as the chance that rounding and jitter bring it to the released location.
Rounding alone leaves those of a square, each as likely as any other; jitter by a normal law makes
near ones likelier than far ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .antipodal import Pairs

#: Standard deviations within which jitter is looked for: one in 100,000 lies beyond.
REACH = 4.8
#: A rounding cell so small beside the jitter is a point.
_SMALL = 0.05


@dataclass(frozen=True)
class Blur:
    """How far a released location may lie from its midpoint, and how likely.

    Attributes
    ----------
    tolerance : (m,) array
        Largest distance without jitter, for each location.
    half : float or None
        Half the side of the squares that coordinates were rounded to, along the axes; None where
        any direction may be as far.
    sigma : float
        Standard deviation of the jitter along each axis; 0 for none.
    """

    tolerance: np.ndarray
    half: float | None = None
    sigma: float = 0.0

    @property
    def reach(self) -> np.ndarray:
        """Largest distance that is looked at, for each location."""
        return self.tolerance + REACH * self.sigma

    def of(self, rows: np.ndarray) -> Blur:
        """Return that of some locations."""
        return Blur(self.tolerance[rows], self.half, self.sigma)

    def chance(self, location: np.ndarray, gap: np.ndarray) -> np.ndarray:
        """How likely midpoints come to locations, up to a factor that is the same for all.

        Parameters
        ----------
        location : (h,) int array
            Rows of the locations.
        gap : (h, 2) array
            From the midpoint to the location.

        Returns
        -------
        (h,) array
            From 0 to 1; 0 where it is out of the question.
        """
        away = np.hypot(gap[:, 0], gap[:, 1])
        own = self.tolerance[location]
        if self.sigma == 0:
            if self.half is None:
                return (away <= own).astype(float)
            # What is left of the tolerance without half a diagonal: arithmetic and projection.
            room = self.half + np.maximum(own - np.sqrt(2.0) * self.half, 0.0)
            return (np.abs(gap) <= room[:, None]).all(axis=1).astype(float)
        if self.half is not None and self.half > _SMALL * self.sigma:
            from scipy.special import ndtr

            far = np.abs(gap)
            sides = ndtr((self.half - far) / self.sigma) - ndtr((-self.half - far) / self.sigma)
            likely = sides.prod(axis=1)
        else:
            beyond = away if self.half is not None else np.maximum(away - own, 0.0)
            likely = np.exp(-0.5 * np.square(beyond / self.sigma))
        return np.where(away <= own + REACH * self.sigma, likely, 0.0)

    def fitting(self, pairs: Pairs, locations: np.ndarray, known: np.ndarray) -> Pairs:
        """Return the pairs whose midpoints can have come to their locations."""
        middle = (known[pairs.first] + known[pairs.second]) / 2
        good = self.chance(pairs.centre, locations[pairs.centre] - middle) > 0
        return Pairs(pairs.centre[good], pairs.first[good], pairs.second[good])
