# SPDX-License-Identifier: GPL-2.0-or-later
"""What all released points tell together: no two places of the file are one address.

A point by itself leaves the addresses that explain it. Where points stand close together, each takes
an address from the others: see :mod:`...masking.joint_chances`, which this does with likelihoods.
"""

from __future__ import annotations

import numpy as np

from ...masking.joint_chances import free_of_others
from ...runtime.progress import Progress, silent
from ...runtime.rows import largest, lots
from .likelihood import Likelihood


def together(
    likelihood: Likelihood, weight: np.ndarray | None = None, progress: Progress = silent
) -> Likelihood:
    """Weigh each pair by how free its address is, given all other points.

    Parameters
    ----------
    likelihood : Likelihood
        One point for each place of the file: points of one household are one.
    weight : (m,) array, optional
        How likely each candidate is beforehand, where :mod:`.file_places` has not weighed it.
    progress : callable

    Returns
    -------
    Likelihood
        Pairs with a value that :func:`.posterior.who_lives_there` makes probabilities of, without
        another weight. An approximation: see the tests for how near it comes to permanents.
    """
    first, candidate = likelihood.first, likelihood.candidate
    likely = likelihood.value.copy() if weight is None else likelihood.value * weight[candidate]
    # By the largest of a point, so that tails are numbers that can be added.
    for rows, pairs, point in lots(first):
        own = likely[pairs]
        top = largest(first[rows.start : rows.stop + 1] - first[rows.start], own)[point]
        likely[pairs] = np.divide(own, top, out=np.zeros(len(own)), where=top > 0)
    likely *= free_of_others(first, candidate, likely, likelihood.candidates, progress)
    return likelihood.with_values(likely)
