# SPDX-License-Identifier: GPL-2.0-or-later
"""How masks by groups explain points: records change places before, or while, they are moved.

A row j got the place T(j) of its group and was released from there, so its true place is that of any
row of the group with the same probability (:mod:`...masking.record_groups`). With M(j, i) the
probability that row j is of the place that row i got,

    P(x_j = c | Y) = sum over i of M(j, i) P(T_i = c | Y).                                  (1)

**Who knows the groups** has M(j, i) = 1 / (size of the group) inside a group. A also knows that
groups are compact, so that the places of a group are near each other: that leaves him an address with
more than 1/k, and never with more than 1/k_records, since an address is the place of one row at most
and all rows of the group can have come from there. B, who also knows in which group his person is,
has each of its rows with 1 / (size), at most 1/k_records.

**Who does not know them** plays them (:mod:`.played_groups`): from the points he draws where the rows
may have got their places, makes of these the groups that the mask would make, and again. Each draw
has at most 1/k_records, so that B is no surer of any row than the bound. What a draw cannot tell is
kept open: a small part is given to groups that are several times as large.

In *cells* the same holds of units of cells: :mod:`.cell_units`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ...masking.compact import compact_groups
from ...masking.joint_chances import free_of_others
from ...runtime.progress import Progress, silent
from .likelihood import Likelihood
from .posterior import checked_weight
from .states import Leading, by_states
from .together import together

#: Files that are drawn, fewest and most, and places in all of them that are worth their time.
_LEAST, _MOST, _PLACES = 25, 100, 400_000
#: Attempts to give each row a place of its own.
_ATTEMPTS = 20
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


def closer(
    shares: Likelihood, xy: np.ndarray, group: np.ndarray, played: Partitions, weight=None
) -> Likelihood:
    """Shares of each row for who knows that its group is compact.

    Where a row of a group got its place, the others got theirs near by: each candidate is weighed by
    a normal density round the mean place of the others, as wide as groups are when they are played.

    Parameters
    ----------
    shares : Likelihood
        As :func:`shares_of` gives it.
    xy : (m, 2) array
        The addresses, metres.
    group : (n,) int array
        Below zero for none.
    played : iterable of (float, (n,) int array)
        Groups as they may be: see :func:`played_groups`.
    weight : (m,) array, optional

    Returns
    -------
    Likelihood
        Adds up to 1 with the weights.
    """
    point, candidate = shares.point, shares.candidate
    own = np.ones(len(xy)) if weight is None else weight
    chance = shares.value * own[candidate]
    count = shares.points

    def moments(chance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mean = np.stack(
            [np.bincount(point, chance * xy[candidate, one], count) for one in (0, 1)], 1
        )
        off = ((xy[candidate] - mean[point]) ** 2).sum(axis=1) / 2
        return mean, np.bincount(point, chance * off, count)

    mean, spread = moments(chance)
    # The variance along an axis of places within a group: that of means, and of each round its own.
    within, many = 0.0, 0
    for _, one in played:
        rows = np.flatnonzero(one >= 0)
        size = np.bincount(one[rows])[one[rows]]
        total = np.stack([np.bincount(one[rows], mean[rows, two]) for two in (0, 1)], axis=1)
        middle = total[one[rows]] / size[:, None]
        off = ((mean[rows] - middle) ** 2).sum(axis=1) / 2 * size / np.maximum(size - 1, 1)
        within, many = within + float(np.median(off)), many + 1
    width = max(within / max(many, 1), np.finfo(float).tiny)
    inside = group[point] >= 0
    rows = np.flatnonzero((group >= 0) & (np.diff(shares.first) > 0))
    size = np.bincount(group[rows])
    total = np.stack([np.bincount(group[rows], mean[rows, one], len(size)) for one in (0, 1)], 1)
    loose = np.bincount(group[rows], spread[rows], len(size))
    others = np.maximum(size[group[rows]] - 1, 1)
    middle, wide = np.zeros((count, 2)), np.full(count, np.inf)
    middle[rows] = (total[group[rows]] - mean[rows]) / others[:, None]
    wide[rows] = width * (1 + 1 / others) + (loose[group[rows]] - spread[rows]) / others**2
    wide[rows[size[group[rows]] < 2]] = np.inf
    away = ((xy[candidate] - middle[point]) ** 2).sum(axis=1)
    nearest = np.full(count, np.inf)
    np.minimum.at(nearest, point, away)
    found = chance * np.exp(-(away - nearest[point]) / (2 * wide[point]))
    # No two got one place, be it ever so likely for each.
    free = free_of_others(shares.first, candidate, found, shares.candidates)
    found = found * free
    found = found / np.bincount(point, found, count)[point]
    value = np.divide(found, own[candidate], out=np.zeros(len(found)), where=own[candidate] > 0)
    return Likelihood(
        shares.candidates, shares.first, candidate, np.where(inside, value, shares.value)
    )


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


def played_groups(
    shares: Likelihood,
    xy: np.ndarray,
    k_records: int,
    weight: np.ndarray | None = None,
    progress: Progress = silent,
) -> Iterator[tuple[float, np.ndarray]]:
    """Groups that rows may be in, as wide as groups are; see :func:`closer`.

    Parameters
    ----------
    shares : Likelihood
        Of each row; those that nothing explains are in no group.
    xy : (m, 2) array
        The addresses, metres.
    k_records : int
    weight : (m,) array, optional
    progress : Progress
    """
    rng = np.random.default_rng(SEED)
    rows = np.flatnonzero(np.diff(shares.first))
    some = shares.taken(rows)
    own = np.ones(len(xy)) if weight is None else weight
    chance = np.cumsum(some.value * own[some.candidate])
    start = np.concatenate([[0.0], chance])[some.first]

    def draw() -> np.ndarray:
        """An address for each row, no two the same unless it cannot be."""
        at = np.full(len(rows), -1, dtype=np.int64)
        missing = np.arange(len(rows))
        for _ in range(_ATTEMPTS):
            low, high = start[missing], start[missing + 1]
            pair = np.searchsorted(chance, low + (high - low) * rng.random(len(missing)))
            last = some.first[missing + 1] - 1
            at[missing] = some.candidate[np.clip(pair, some.first[missing], last)]
            order = rng.permutation(len(rows))
            # Who has been there stays: of those that share an address one of the older ones.
            order = order[np.argsort(np.isin(order, missing), kind="stable")]
            _, first = np.unique(at[order], return_index=True)
            missing = np.setdiff1d(np.arange(len(rows)), order[first])
            if not len(missing):
                break
        return at

    def partition(least: int) -> np.ndarray:
        used, of_row = np.unique(draw(), return_inverse=True)
        group = np.full(shares.points, -1, dtype=np.int64)
        if len(used) < least:
            group[rows] = 0
        else:
            group[rows] = compact_groups(xy[used], least, progress=silent)[of_row]
        return group

    files = int(np.clip(_PLACES // max(1, len(rows)), _LEAST, _MOST))
    larger = files // 10
    for number in range(files):
        progress(number / (files + larger))
        yield (1 - OPEN) / files, partition(k_records)
    for number in range(larger):
        progress((files + number) / (files + larger))
        yield OPEN / larger, partition(LARGER ** (1 if number else 2) * k_records)
    progress(1.0)
