# SPDX-License-Identifier: GPL-2.0-or-later
"""How masks by groups explain points: records change places before, or while, they are moved.

A row j got the place T(j) of its group and was released from there, so its true place is that of any
row of the group with the same probability (:mod:`...masking.record_groups`). With M(j, i) the
probability that row j is of the place that row i got,

    P(x_j = c | Y) = sum over i of M(j, i) P(T_i = c | Y).                                  (1)

**Who knows the groups** has M(j, i) = 1 / (size of the group) inside a group. A also knows that
groups are compact (:mod:`.known_groups`): that leaves him an address with more than 1/k, and never
with more than 1/k_records, since an address is the place of one row at most and all rows of the group
can have come from there. B, who also knows in which group his person is,
has each of its rows with 1 / (size), at most 1/k_records.

**Who does not know them** plays them (:mod:`.played_groups`): from the points he draws where the rows
may have got their places, makes of these the groups that the mask would make, and again. Each draw
has at most 1/k_records, so that B is no surer of any row than the bound. What a draw cannot tell is
kept open: a small part is given to groups that are several times as large.

In *cells* the same holds of units of cells: :mod:`.cell_units`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...runtime.progress import Progress
from .likelihood import Likelihood
from .posterior import checked_weight
from .states import Leading, by_states
from .together import together

#: What is kept open, and how much larger the groups are that get it.
OPEN, LARGER = 0.02, 4
#: Adversaries need no secret: the same files give the same figures.
SEED = 20

Partitions = Iterable[tuple[float, np.ndarray]]


def shares_of(likelihood: Likelihood, weight: np.ndarray | None, progress: Progress) -> Likelihood:
    """P(T_i = c | Y) / w_c of each point, given all points: adds up to 1 with the weights."""
    own = np.ones(likelihood.candidates) if weight is None else weight
    if weight is not None:
        checked_weight(weight, likelihood.candidates)
    made = together(likelihood, weight, progress)
    total = np.bincount(made.point, made.value, minlength=made.points)
    chance, of = made.value / total[made.point], own[made.candidate]
    value = np.divide(chance, of, out=np.zeros(len(chance)), where=of > 0)
    return Likelihood(made.candidates, made.first, made.candidate, value)


def mixed(shares: Likelihood, mates: Partitions) -> Likelihood:
    """Likelihood by (1), where each partition of the rows has a weight.

    Parameters
    ----------
    shares : Likelihood
        As :func:`shares_of` gives it, of each row that got a place.
    mates : iterable of (float, (n,) int array)
        A weight, and the group of each row, below zero for none.

    Returns
    -------
    Likelihood
        Of each row: it adds up to 1 with the weights of the candidates.
    """
    from scipy.sparse import csr_matrix

    count = shares.points
    of_rows = csr_matrix((count, count))
    for weight, group in mates:
        rows = np.flatnonzero(group >= 0)
        _, code = np.unique(group[rows], return_inverse=True)
        member = csr_matrix(
            (np.ones(len(rows)), (rows, code)), shape=(count, code.max(initial=-1) + 1)
        )
        size = np.asarray(member.sum(axis=0)).ravel()
        of_rows = of_rows + weight * (member.multiply(1.0 / size).tocsr() @ member.T)
    table = csr_matrix(
        (shares.value, shares.candidate, shares.first), shape=(count, shares.candidates)
    )
    found = (of_rows @ table).tocoo()
    return Likelihood.of_pairs(count, shares.candidates, found.row, found.col, found.data)


def of_groups(
    group: np.ndarray, home: np.ndarray, candidates: int, weight: np.ndarray | None
) -> Likelihood:
    """Likelihood for B, who knows the group of his person: all of its rows alike.

    Parameters
    ----------
    group : (n,) int array
        Of each row, below zero for none.
    home : (candidates,) int array
        Group of those who live at each candidate, below zero for none.
    candidates : int
    weight : (m,) array or None
    """
    states = int(max(group.max(initial=-1), home.max(initial=-1))) + 1
    own = np.ones(candidates) if weight is None else weight
    here = home >= 0
    total = np.bincount(home[here], own[here], minlength=states)
    rows = np.flatnonzero(group >= 0)
    value = 1.0 / np.where(total > 0, total, 1.0)[group[rows]]
    leading = Leading.of_states(states, home)
    return by_states(len(group), rows, group[rows], value, leading)
