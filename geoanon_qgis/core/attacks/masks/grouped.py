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
_LEAST, _MOST, _PLACES = 5, 25, 100_000
#: Widths that are tried, in those of groups, and how many members more are as far apart as is usual.
_WIDTHS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
_AS_USUAL = 2.0
#: Attempts to give each row a place of its own.
_ATTEMPTS = 20
#: What is kept open, and how much larger the groups are that get it.
OPEN, LARGER = 0.02, 4
#: Adversaries need no secret: the same files give the same figures.
SEED = 20

Partitions = Iterable[tuple[float, np.ndarray]]
Played = Iterable[tuple[np.ndarray, np.ndarray]]


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
    shares: Likelihood, xy: np.ndarray, group: np.ndarray, played: Played, weight=None
) -> Likelihood:
    """Shares of each row for who knows that its group is compact.

    Where a row of a group got its place, the others got theirs near by: each candidate is weighed by
    how far it is from the mean place of the others, by a density with long tails (Student's t with
    two degrees of freedom), about as wide as its own group. How much wider or narrower is learnt of
    files that are played, whose places are known: the width by which these are likeliest. One width for all
    groups, and a normal density, believed too much where hamlets and villages are in one file.

    Parameters
    ----------
    shares : Likelihood
        As :func:`shares_of` gives it, of each row that got a place.
    xy : (m, 2) array
        The addresses, metres.
    group : (n,) int array
        Below zero for none.
    played : iterable of ((n,) int array, (n,) int array)
        Places and groups as they may be: see :func:`played_groups`.
    weight : (m,) array, optional

    Returns
    -------
    Likelihood
        Adds up to 1 with the weights.
    """
    point, candidate, count = shares.point, shares.candidate, shares.points
    own = np.ones(len(xy)) if weight is None else weight
    chance = shares.value * own[candidate]
    mean = np.stack([np.bincount(point, chance * xy[candidate, one], count) for one in (0, 1)], 1)
    off = ((xy[candidate] - mean[point]) ** 2).sum(axis=1) / 2
    spread = np.bincount(point, chance * off, count)
    # Where a row's own place is among its candidates in a file that is played.
    key = point * len(xy) + candidate
    files = [(np.searchsorted(key, at + len(xy) * np.arange(count)), one) for at, one in played]
    usual = float(np.mean([_width(mean, one) for _, one in files])) if files else 1.0
    log = np.zeros(len(_WIDTHS))
    for hit, one in files:
        rows = np.flatnonzero(one >= 0)
        far = _far(mean, spread, one, usual)(xy[candidate], point)
        for number, width in enumerate(_WIDTHS):
            found = chance * _weight(far, width)
            log[number] += np.log(found[hit[rows]] / np.bincount(point, found, count)[rows]).sum()
    inside = group[point] >= 0
    far = _far(mean, spread, group, usual)(xy[candidate], point)
    found = chance * _weight(far, _WIDTHS[int(log.argmax())])
    # No two got one place, be it ever so likely for each.
    free = free_of_others(shares.first, candidate, found, shares.candidates)
    found = found * free
    found = found / np.bincount(point, found, count)[point]
    value = np.divide(found, own[candidate], out=np.zeros(len(found)), where=own[candidate] > 0)
    return Likelihood(
        shares.candidates, shares.first, candidate, np.where(inside, value, shares.value)
    )


def _weight(far: np.ndarray, width: float) -> np.ndarray:
    """Of a place so far off, by squares and their mean: Student's t in the plane, up to a factor."""
    return (1 + far / (2 * width)) ** -2


def _width(mean: np.ndarray, group: np.ndarray) -> float:
    """The usual variance along an axis of rows within their group."""
    rows = np.flatnonzero(group >= 0)
    size = np.bincount(group[rows])[group[rows]]
    total = np.stack([np.bincount(group[rows], mean[rows, one]) for one in (0, 1)], axis=1)
    off = ((mean[rows] - total[group[rows]] / size[:, None]) ** 2).sum(axis=1) / 2
    return float(np.median(off * size / np.maximum(size - 1, 1)))


def _far(mean: np.ndarray, spread: np.ndarray, group: np.ndarray, usual: float):
    """How far places are from the others of a row's group: squares, in variances along an axis."""
    count = len(mean)
    rows = np.flatnonzero(group >= 0)
    of, size = group[rows], np.bincount(group[rows])
    total = np.stack([np.bincount(of, mean[rows, one]) for one in (0, 1)], axis=1)
    square = np.bincount(of, (mean[rows] ** 2).sum(axis=1))
    loose = np.bincount(of, spread[rows])
    others = np.maximum(size[of] - 1, 1)
    middle, wide = np.zeros((count, 2)), np.full(count, np.inf)
    middle[rows] = (total[of] - mean[rows]) / others[:, None]
    own = square[of] - (mean[rows] ** 2).sum(axis=1) - others * (middle[rows] ** 2).sum(axis=1)
    # Few others tell their width roughly: as if some more were as far apart as is usual.
    own = np.maximum(own, 0.0) / 2 * others / np.maximum(others - 1, 1)
    own = (own + _AS_USUAL * usual) / (others - 1 + _AS_USUAL)
    wide[rows] = own * (1 + 1 / others) + (loose[of] - spread[rows]) / others**2
    wide[rows[size[of] < 2]] = np.inf
    wide = np.maximum(wide, np.finfo(float).tiny)
    return lambda place, point: ((place - middle[point]) ** 2).sum(axis=1) / wide[point]


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
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Places that rows may have got, and the groups that the mask would make of them; see :func:`closer`.

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

    files = int(np.clip(_PLACES // max(1, len(rows)), _LEAST, _MOST))
    for number in range(files):
        progress(number / files)
        at, group = np.full((2, shares.points), -1, dtype=np.int64)
        at[rows] = draw()
        used, of_row = np.unique(at[rows], return_inverse=True)
        group[rows] = 0
        if len(used) >= k_records:
            group[rows] = compact_groups(xy[used], k_records, progress=silent)[of_row]
        yield at, group
    progress(1.0)
