# SPDX-License-Identifier: GPL-2.0-or-later
"""Scores of an attack whose truth is known, and whether they can be true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.results import Summarised

#: Standard deviations of 95 %.
_Z = 1.959963984540054


@dataclass(frozen=True, repr=False)
class Score(Summarised):
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

    def in_words(self) -> str:
        """Say how many assignments were right, with the interval of the share."""
        return (
            f"Right {self.correct:,} of {self.total:,}: {self.share:.1%} (95 % interval"
            f" {self.low:.1%} to {self.high:.1%})."
        )


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
    return Score(correct, total, *wilson(correct, total))


def wilson(correct: float, total: float, z: float = _Z) -> tuple[float, float]:
    """Wilson's interval of a share, of 95 % by default; all of it where there is nothing."""
    if total <= 0:
        return 0.0, 1.0
    share = correct / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    spread = max(share * (1 - share), 0.0) / total + (z / (2 * total)) ** 2
    half = z / (1 + z * z / total) * np.sqrt(spread)
    # Of nothing and of all the ends are nothing and all, without what rounding leaves.
    low = max(0.0, centre - half) if correct > 0 else 0.0
    high = min(1.0, centre + half) if correct < total else 1.0
    return float(low), float(high)


#: A score is no longer believed when accident explains it less often than this ...
_IMPOSSIBLE = 1e-6
#: ... and when it is below this share of what the attack expects: an attack that is too sure of
#: itself is still right far more often than one that is scored by the key of other files.
_FAR_BELOW = 0.5
#: No probability is taken to be surer than this: the attacks' own are models.
_SUREST = 0.99


def chance_of_so_few(probability: np.ndarray, correct: int, together: int = 1) -> float:
    """Bound the probability that no more than ``correct`` assignments are right.

    Parameters
    ----------
    probability : (n,) array
        How probable the attack says that each assignment is right.
    correct : int
    together : int
        How many assignments may be right or wrong together; 2 for the members of pairs.

    Returns
    -------
    float
        Chernoff's bound on the lower tail of the sum of independent trials of these
        probabilities (a Poisson-binomial), to the power of one over ``together``: 1 where
        ``correct`` is no less than expected.
    """
    chance = np.minimum(np.nan_to_num(np.asarray(probability, dtype=np.float64)), _SUREST)
    chance = chance[chance > 0]
    if correct >= chance.sum():
        return 1.0
    # The bound holds for every tilt t > 0; it is smooth in it, and a grid comes near the best.
    least = min(
        tilt * correct + float(np.log1p(-chance * -np.expm1(-tilt)).sum())
        for tilt in np.geomspace(1e-3, 60, 80).tolist()
    )
    return float(np.exp(min(least, 0.0) / together))


def contradicts(probability: np.ndarray, right: np.ndarray, together: int = 1) -> bool:
    """Tell whether a score cannot be true, by what the attack itself expects.

    The key of another release, or ids that mean other people, leave next to nothing right of
    what the attack is sure of. Such a score says nothing about the release.

    Parameters
    ----------
    probability : (n,) array
        How probable the attack says that each assignment is right.
    right : (n,) bool array
        What the key says.
    together : int
        See :func:`chance_of_so_few`.
    """
    correct = int(np.count_nonzero(right))
    if correct >= _FAR_BELOW * float(np.nansum(probability)):
        return False
    return chance_of_so_few(probability, correct, together) < _IMPOSSIBLE


def supports(probability: np.ndarray, right: np.ndarray, together: int = 1) -> bool:
    """Tell whether a score speaks for the key: the attack is sure, and the key agrees.

    Without it nothing says that ids of two files mean the same people.
    """
    surely_some = chance_of_so_few(probability, 0, together) < _IMPOSSIBLE
    likely = _FAR_BELOW * float(np.nansum(probability))
    return bool(surely_some and np.count_nonzero(right) >= likely)
