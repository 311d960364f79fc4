# SPDX-License-Identifier: GPL-2.0-or-later
"""How sure the near group is of each match, learnt where the truth was known.

Two things are known of a match without any truth: how many wrong pairs would be expected to score
as high, and whether chance makes groups like those that it grew from. A curve of both was fitted to
draws of German-like files (``benchmarks/near_group.py --fit``), and held against data and draws that
it had not seen.
"""

from __future__ import annotations

import math

import numpy as np

#: Intercept and slope by the logarithm of the wrong pairs to be expected; by how many times their
#: number by chance groups are to be doubted.
CURVE = (0.2, 0.87, 5.0)
#: Wrong pairs to be expected below which fewer make no difference.
_LEAST = 5e-3
#: How surprising what grew from a wrong group may be, and how much less often chance makes groups
#: that grew more surprisingly (of simulated ones, with labels that nobody has).
_USUAL, _SLOPE = 3.0, 0.6


def confidence(by_chance: np.ndarray, groups_by_chance: float) -> np.ndarray:
    """Probability that matches are right.

    Parameters
    ----------
    by_chance : (k,) array
        Wrong pairs to be expected that score as high as each match.
    groups_by_chance : float
        Groups like those that the matches grew from to be expected by chance; 0 for known links.

    Returns
    -------
    (k,) array
    """
    return curve(by_chance, np.full(len(by_chance), groups_by_chance), np.array(CURVE))


def curve(by_chance: np.ndarray, groups: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """The curve with other slopes, element by element."""
    at = slopes[0] - slopes[1] * np.log(np.maximum(by_chance, _LEAST))
    return 1 / ((1 + np.exp(-at)) * (1 + slopes[2] * groups))


def after_growth(group_by_chance: float, by_chance: np.ndarray) -> float:
    """How often chance makes a group that also grows so well.

    Parameters
    ----------
    group_by_chance : float
        Groups as heavy to be expected by chance.
    by_chance : (k,) array
        Of those that grew from it, its own members aside, ascending: how many wrong pairs are
        expected to score as high.

    Returns
    -------
    float

    Notes
    -----
    The surprise is the largest of -log(e^j / j!), over the j best that grew: about the probability
    that j wrong pairs come where e are expected.
    """
    surprise = max(
        (
            math.lgamma(number + 1) - number * math.log(max(float(expected), _LEAST))
            for number, expected in enumerate(by_chance, 1)
        ),
        default=0.0,
    )
    return group_by_chance * math.exp(-_SLOPE * max(surprise - _USUAL, 0.0))
