# SPDX-License-Identifier: GPL-2.0-or-later
"""A row of the table of measures of a point mask."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

RISK, ATTACK, UTILITY = "risk", "attack", "utility"


@dataclass(frozen=True)
class Row:
    """One measure.

    Attributes
    ----------
    measure : str
        Name for programs.
    kind : str
        :data:`RISK`, :data:`ATTACK` or :data:`UTILITY`.
    label : str
    original, release, value : float
        NaN for what there is not.
    unit : str
    speaks_of : str
        The adversary; of utility what the ends of the scale mean.
    """

    measure: str
    kind: str
    label: str
    original: float = np.nan
    release: float = np.nan
    value: float = np.nan
    unit: str = ""
    speaks_of: str = ""

    def cells(self) -> list:
        """As the table has them, without numbers that are none."""
        numbers = (self.original, self.release, self.value)
        told = [float(one) if np.isfinite(one) else None for one in numbers]
        return [self.measure, self.kind, self.label, *told, self.unit, self.speaks_of]
