# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether one release keeps a limit, by what an adversary believes of those who are in it.

The same limits as in :mod:`.standing`, which judges a mask by several draws; here there is one, that
is to be given away or not. Of *every record* nobody may be above, which is counted. Of *99 %* the
interval of the share above is held against one in a hundred; a file too small for an interval has to
keep it for everybody. *On average* is what the share found tells already.
"""

from __future__ import annotations

import numpy as np

from ...attacks.scoring import wilson
from .prior_odds import borne
from .standing import ABOVE, EVERY_RECORD, MEAN, MOST_RECORDS, Limit, few_of

KEPT, BROKEN, UNDECIDED = "kept", "broken", "undecided"
_SAME = 1e-9


def bears(tops: np.ndarray, limit: Limit, together: float = 1.0) -> float:
    """Ratio of prior odds up to which the release keeps the limit: see :mod:`.prior_odds`.

    Parameters
    ----------
    tops : (n,) array
        His largest probability of each answer.
    limit : Limit
    together : float
        As :func:`standing` takes it.

    Returns
    -------
    float
        Below 1 where it is not shown to be kept.
    """
    if not len(tops):
        return float("inf")
    cases, mean = len(tops) / together, float(np.mean(tops))
    # The share found has to be below it by the upper end in any case; what beliefs make of it is no
    # more than what they make of the mean.
    share = borne(max(wilson(mean * cases, cases)[1], mean), limit.share)
    if limit.on == MEAN:
        return share
    of_all = limit.on == EVERY_RECORD or limit.by_draws(int(cases))
    few = 0 if of_all else int(few_of(int(cases)) * together)
    return min(share, borne(float(np.sort(tops)[len(tops) - 1 - few]), limit.share))


def above(tops: np.ndarray, limit: float) -> np.ndarray:
    """Whether largest probabilities are above a limit, by more than rounding leaves."""
    return np.asarray(tops) > limit * (1 + _SAME)


def standing(tops: np.ndarray, limit: Limit, together: float = 1.0) -> str:
    """Say whether a limit is kept.

    Parameters
    ----------
    tops : (n,) array
        His largest probability of each answer.
    limit : Limit
    together : float
        How many answers come from one draw of the mask: so many fewer cases there are.

    Returns
    -------
    str
        :data:`KEPT`, :data:`BROKEN`, or :data:`UNDECIDED` where the interval spans it.
    """
    if limit.on == MEAN or not len(tops):
        return KEPT
    many, cases = int(above(tops, limit.share).sum()), len(tops) / together
    if not many and (limit.on == EVERY_RECORD or limit.by_draws(int(cases))):
        return KEPT
    low, high = wilson(many / together, cases)
    if limit.by_draws(int(cases)) or low > ABOVE:
        return BROKEN
    assert limit.on == MOST_RECORDS  # or it is by draws
    return KEPT if high <= ABOVE else UNDECIDED
