# SPDX-License-Identifier: GPL-2.0-or-later
"""What an adversary believes at most who held other addresses for likelier than the list says.

A posterior rests on what is believed beforehand: that addresses are in the file as often as their weights
say. Where people of the file live closer together than addresses tell, and he knows it, he believes more.
If the prior odds of no two addresses differ from those of the weights by more than a factor r, those of one
answer against all others do neither: his odds for who lives there are multiplied by each address's own
factor, and for which record is hers by what makes records of anybody likelier here than there, which is a
mean of such factors. So of an answer that is believed with p he believes at most

    r p / (1 + (r - 1) p),                                                              (1)

and a limit L is kept up to r = [L / (1 - L)] / [p / (1 - p)]. It is a sensitivity analysis as Rosenbaum, P. R.
(2002), Observational Studies, chapter 4, has it for hidden bias.

It holds of what all points tell together, too, if no two places of the file are one address: take a way to
put all points at addresses in which a point is at c, and one in which it is not. Along the path of points and
addresses in which the two differ through that point they can be exchanged, which gives one way of each kind
again, with the same addresses but those at the ends of the path; so of both products of prior odds the ratio
is changed by a single factor. (The tests hold it against all ways of small files. Belief propagation is
as near to it as it is to the truth.)

Which of k records is hers, of which each may as well be, hangs on no such belief: see
:attr:`.family.Family.unswayed`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from .case import Trial


def at_most(top: np.ndarray | float, ratio: float) -> np.ndarray:
    """Largest probabilities of who may hold each address for ``ratio`` times as likely, by (1).

    Parameters
    ----------
    top : (n,) array or float
        Of who takes the weights as they are; not a number stays what it is.
    ratio : float
        At least 1.
    """
    top = np.asarray(top, dtype=np.float64)
    return top if ratio == 1 else ratio * top / (1.0 + (ratio - 1.0) * top)


def beforehand(share: float, ratio: float) -> float:
    """The probability of which :func:`at_most` makes ``share``."""
    return share / (share + ratio * (1.0 - share))


def borne(top: float, limit: float) -> float:
    """Largest ratio of prior odds up to which a limit is kept; below 1 where it is not.

    Parameters
    ----------
    top : float
        The largest probability that is held against it.
    limit : float
        Above 0, below 1.
    """
    if top <= 0:
        return float("inf")
    return limit / (1.0 - limit) * (1.0 - top) / top


def rounded_down(ratio: float) -> float:
    """A ratio to three digits, rounded down, that is kept as it is said."""
    if not 0 < ratio < float("inf"):
        return ratio
    step = 10.0 ** (np.floor(np.log10(ratio)) - 2)
    return float(np.floor(ratio / step * (1 + 1e-9)) * step)


def swayed(trial: Trial, ratio: float, unswayed: Collection[str]) -> Trial:
    """A trial against who may believe so beforehand.

    Parameters
    ----------
    trial : Trial
    ratio : float
    unswayed : collection of str
        Adversaries whom that makes no surer.
    """
    if ratio == 1:
        return trial

    def each(told: Mapping) -> dict:
        return {
            name: value if name in unswayed else at_most(value, ratio)
            for name, value in told.items()
        }

    bounds = {name: float(one) for name, one in each(trial.bounds).items()}
    return replace(trial, tops=each(trial.tops), bounds=bounds)
