# SPDX-License-Identifier: GPL-2.0-or-later
"""Intervals of shares that were counted again and again, among other people each time.

Who is found is found in groups: an attack that finds a person finds her neighbours, too, and in
the next draw it may find nobody. A draw of fifty people therefore says less than fifty people who
were drawn one by one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

#: People who are taken to be found together at least, where draws do not show that it is more.
TOGETHER = 6.0
#: Cases that one draw counts as at most, however many people it has: an attack that succeeds finds
#: a good part of them at once.
MOST_OF_A_DRAW = 8.0
#: How sure each end is, taken by itself.
CONFIDENCE = 0.975
#: A new draw stays below the upper end at least this often, as far as the draws can show.
_OF_DRAWS = 0.95
#: How sure it is that draws differ no more than is taken.
_OF_SPREAD = 0.9


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


def interval(shares: ArrayLike, counts: ArrayLike, together: float = TOGETHER) -> Interval:
    """Return the mean of shares over draws, with its ends.

    Parameters
    ----------
    shares : (n,) array
        A share in each draw, between 0 and 1.
    counts : (n,) array
        Of how many cases each is the share.
    together : float
        Cases that turn out alike together, at least.

    Returns
    -------
    Interval

    Notes
    -----
    The ends are those of Clopper & Pearson (1934, Biometrika 26:404) with an effective number of
    cases (Korn & Graubard 1998, Survey Methodology 24:193). A draw counts as one case at least,
    which is safe whatever makes draws differ: no share between 0 and 1 varies more than one that is
    0 or 1. It counts as more where draws differ less than that, by the upper end of their variance,
    but never as more than its cases divided by ``together``, nor as more than
    :data:`MOST_OF_A_DRAW`. The upper end is no less than the
    highest share of any draw, of the lowest 95 % where there are 20 draws or more: so a new draw
    stays below it, too, not the mean of draws alone.
    """
    from scipy.stats import beta, chi2

    of = np.asarray(shares, dtype=np.float64)
    number = len(of)
    if not number:
        return Interval(0.0, 0.0, 1.0, 0)
    mean = float(np.clip(of.mean(), 0.0, 1.0))
    most = float(np.mean(np.asarray(counts, dtype=np.float64))) / together
    each = min(max(1.0, most), MOST_OF_A_DRAW)
    if number > 1 and 0.0 < mean < 1.0:
        variance = float(of.var(ddof=1)) * (number - 1) / chi2.ppf(1 - _OF_SPREAD, number - 1)
        if variance > 0:
            each = float(np.clip(mean * (1 - mean) / variance, 1.0, each))
    elif number == 1 and 0.0 < mean < 1.0:
        each = 1.0  # one draw does not show how much draws differ
    cases = number * each
    right = cases * mean
    low = 0.0 if right <= 0 else float(beta.ppf(1 - CONFIDENCE, right, cases - right + 1))
    high = 1.0 if right >= cases else float(beta.ppf(CONFIDENCE, right + 1, cases - right))
    seen = np.sort(of)[min(number, int(np.ceil(_OF_DRAWS * (number + 1)))) - 1]
    return Interval(mean, min(low, mean), max(high, float(seen)), number)
