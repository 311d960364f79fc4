# SPDX-License-Identifier: GPL-2.0-or-later
"""Normal scores: by its rank among people a number is as far out as a normal one would be."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Scores(NamedTuple):
    """Normal scores among some people (van der Waerden 1952, *Indagationes Mathematicae* 55, 453-458).

    Attributes
    ----------
    people : array
        What they have, in order.
    """

    people: np.ndarray

    @classmethod
    def among(cls, values: np.ndarray) -> Scores:
        """Take those of people who have one."""
        return cls(np.sort(values[~np.isnan(values)]))

    def of(self, values: np.ndarray) -> np.ndarray:
        """Scores of some values; NaN where there is none."""
        from scipy.special import ndtri

        at = (
            np.searchsorted(self.people, values) + np.searchsorted(self.people, values, "right")
        ) / 2
        return np.where(np.isnan(values), np.nan, ndtri((at + 0.5) / (len(self.people) + 1)))
