# SPDX-License-Identifier: GPL-2.0-or-later
"""What all released points tell together: no two places of the file are one address.

A point by itself leaves the addresses that explain it. Where points stand close together, each takes
an address from the others. The probability that a point came from a certain address is its share of
all the ways to give every point an address of its own, each way weighted by the product of its
likelihoods: a ratio of permanents, which belief propagation comes near to on a sparse graph
(Vontobel, P. O. (2013), The Bethe permanent of a nonnegative matrix, IEEE Transactions on
Information Theory 59(3), 1866-1901).
"""

from __future__ import annotations

import numpy as np

from ...runtime.progress import Progress, silent
from .likelihood import Likelihood

#: Rounds of messages, at most; how much of the old ones is kept; and what change is none.
_ROUNDS, _DAMPING, _SETTLED = 200, 0.3, 1e-5
#: Odds from which on an address is taken.
_SURE = 1e9


def together(
    likelihood: Likelihood, weight: np.ndarray | None = None, progress: Progress = silent
) -> Likelihood:
    """Weigh each pair by how free its address is, given all other points.

    Parameters
    ----------
    likelihood : Likelihood
        One point for each place of the file: points of one household are one.
    weight : (m,) array, optional
        People or dwellings at each candidate. How likely one is beforehand; that more than one
        place of the file is there is left out.
    progress : callable

    Returns
    -------
    Likelihood
        Pairs with a value that :func:`.posterior.who_lives_there` makes probabilities of, without
        another weight. An approximation: see the tests for how near it comes to permanents.
    """
    point, candidate = likelihood.point, likelihood.candidate
    likely = likelihood.value if weight is None else likelihood.value * weight[candidate]
    # By the largest of a point, so that tails are numbers that can be added.
    top = np.zeros(likelihood.points)
    np.maximum.at(top, point, likely)
    likely = np.divide(likely, top[point], out=np.zeros(len(likely)), where=top[point] > 0)
    free = np.ones(len(likely))
    for number in range(_ROUNDS):
        progress(number / _ROUNDS)
        own = likely * free
        rest = np.bincount(point, own, minlength=likelihood.points)[point] - own
        odds = np.minimum(likely / np.maximum(rest, np.finfo(float).tiny), _SURE)
        taken = np.bincount(candidate, odds, minlength=likelihood.candidates)[candidate] - odds
        now = _DAMPING * free + (1 - _DAMPING) / (1 + np.maximum(taken, 0.0))
        change = float(np.abs(now - free).max(initial=0.0))
        free = now
        if change < _SETTLED:
            break
    progress(1.0)
    return Likelihood.of_pairs(
        likelihood.points, likelihood.candidates, point, candidate, likely * free
    )
