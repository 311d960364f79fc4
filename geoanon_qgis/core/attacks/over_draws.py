# SPDX-License-Identifier: GPL-2.0-or-later
"""Intervals of shares that were counted again and again, among other people each time.

Who is found is found in groups: an attack that finds a person finds her neighbours, too, and in
the next draw it may find nobody. A draw of fifty people therefore says less than fifty people who
were drawn one by one: nothing is taken here of how a draw comes about but that it is a share.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

#: How sure each end is, taken by itself, however often it is looked at.
CONFIDENCE = 0.975
#: Parts of the most that may be staked, and of the money that each gambler has. The first is the
#: best where hardly anybody is found; the others go on where he loses nearly all in one draw.
_STAKES, _MONEY = (1.0, 0.6, 0.3), (0.75, 0.15, 0.1)
#: A new draw stays below the upper end this often, as far as the draws can show. With less, or after
#: fewer draws, what was said to hold would be exceeded in more than one of twenty draws to come too
#: often: whoever stops at the first good look has seen fewer bad draws than there are.
_OF_DRAWS, LEAST_DRAWS = 0.98, 40
#: How exactly an end is looked for; the highest mean that one can bet against; what is left of all
#: money lost.
_EXACT, _HIGHEST, _NOTHING = 1e-10, 1.0 - 1e-12, 1e-300


@dataclass(frozen=True)
class Interval:
    """A mean share over draws, and its ends.

    Attributes
    ----------
    mean, low, high : float
        Between 0 and 1; 0, 0 and 1 without draws.
    draws : int
    """

    mean: float
    low: float
    high: float
    draws: int


def interval(shares: ArrayLike, sure: float = CONFIDENCE, of_draws: bool = True) -> Interval:
    """Return the mean of shares over draws, with ends that hold whenever one stops drawing.

    Parameters
    ----------
    shares : (n,) array
        A share in each draw, between 0 and 1.
    sure : float
        Probability with which each end holds in all looks together.
    of_draws : bool
        Whether the upper end is for single draws, too, and not for their mean alone.

    Returns
    -------
    Interval

    Notes
    -----
    A confidence sequence by betting (Waudby-Smith & Ramdas 2024, Journal of the Royal Statistical
    Society B 86:1, sections 4 and B): whoever bets in every draw that its share is below ``m`` does
    not get ``1 / (1 - sure)`` times rich, at any time, with more than the probability
    ``1 - sure`` if the mean is ``m`` or more (Ville's inequality). The upper end is the smallest
    ``m`` at which he would. It holds for every distribution of the shares, and for any rule when to
    stop. Three gamblers put fixed parts of the most that they may; what counts is the
    money of all, so that the order of the draws does not matter. Where nobody is found in
    ``n`` draws, the end is about ``1 - (1 - sure) ** (1 / n)``, and no such interval can be
    shorter.

    For single draws the upper end is no less than the highest share of any, of the lowest 98 % where there are
    99 draws or more: so a new draw stays below it, too, not the mean of draws alone. This is told
    by the draws only from :data:`LEAST_DRAWS` on: then the upper end of a search that stopped when
    it was low enough is exceeded in two or more of 20 new draws with a probability of at most 5 %,
    whatever share of draws finds more.
    """
    of = np.clip(np.asarray(shares, dtype=np.float64), 0.0, 1.0)
    number = len(of)
    if not number:
        return Interval(0.0, 0.0, 1.0, 0)
    mean = float(of.mean())
    low, high = 1.0 - _upper(1.0 - of, sure), _upper(of, sure)
    seen = np.sort(of)[min(number, int(np.ceil(_OF_DRAWS * (number + 1)))) - 1] if of_draws else 0.0
    return Interval(mean, min(low, mean), max(high, float(seen)), number)


def draws_needed(limit: float, sure: float = CONFIDENCE, most: int = 100_000) -> int | None:
    """Return in how many draws nobody may be found until they show that a limit is kept.

    Parameters
    ----------
    limit, sure : float
    most : int

    Returns
    -------
    int or None
        :data:`LEAST_DRAWS` at least; None where it takes more than ``most``.
    """
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        if _wealth(np.zeros(middle), limit) >= -np.log1p(-sure):
            high = middle
        else:
            low = middle
    return max(high, LEAST_DRAWS) if high < most else None


def _upper(of: np.ndarray, sure: float) -> float:
    """The smallest mean against which the gamblers would have become rich enough."""
    from scipy.optimize import brentq

    enough, low = -np.log1p(-sure), float(of.mean())
    if low >= _HIGHEST or _wealth(of, _HIGHEST) < enough:
        return 1.0
    found = brentq(lambda mean: _wealth(of, mean) - enough, low, _HIGHEST, xtol=_EXACT)
    return min(1.0, float(found) + _EXACT)  # never below where they are


def _wealth(of: np.ndarray, mean: float) -> float:
    """Logarithm of the money of all who bet that the mean is below this one."""
    if mean <= 0.0:
        return 0.0
    each = (min(mean, _HIGHEST) - of) / (1.0 - min(mean, _HIGHEST))
    grown = np.log(np.maximum(1.0 + np.outer(_STAKES, each), _NOTHING)).sum(axis=1)
    return float(np.logaddexp.reduce(np.log(_MONEY) + grown))
