# SPDX-License-Identifier: GPL-2.0-or-later
"""Scores of an attack whose truth is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Score:
    """How many assignments were right.

    Attributes
    ----------
    correct : int
    total : int
        Records attacked, the unresolved among them.
    low, high : float
        Wilson's 95 % interval of the share.
    """

    correct: int
    total: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """Share of all records, between 0 and 1."""
        return self.correct / self.total if self.total else 0.0


def score(right: np.ndarray) -> Score:
    """Count the right assignments and say how sure the share is.

    Parameters
    ----------
    right : (n,) bool array

    Returns
    -------
    Score
        With the score interval of Wilson, E. B. (1927), Probable inference, the law of
        succession, and statistical inference. *JASA* 22, 209-212.

    Notes
    -----
    The interval takes records for independent. The two members of a pair are right or wrong
    together, so where most records are pairs it should be wider by up to the square root of two.
    """
    total, correct = len(right), int(np.count_nonzero(right))
    if total == 0:
        return Score(0, 0, 0.0, 1.0)
    z = 1.959963984540054
    share = correct / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * np.sqrt(share * (1 - share) / total + (z / (2 * total)) ** 2)
    return Score(correct, total, float(max(0.0, centre - half)), float(min(1.0, centre + half)))
