# SPDX-License-Identifier: GPL-2.0-or-later
"""Compact groups of places, none with fewer than a number: cells of addresses, groups of records.

All places are cut in two across their principal axis, the parts again, and so on, where the sum of
squared distances to the means falls most and no group is lost: parts of whole multiples of the
least size, and what is over in one of them. Then neighbouring groups swap members as long as that
makes both together more compact. The same for any order of the rows.

Cuts across principal axes: as in the maximum distance methods of microaggregation, Domingo-Ferrer,
J. & Mateo-Sanz, J. M. (2002), Practical data-oriented microaggregation for statistical disclosure
control, IEEE Transactions on Knowledge and Data Engineering 14; the swaps are ours.
"""

from __future__ import annotations

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.wording import Sentence
from ..space.points import as_points, build_tree, places

#: Least share of a part in its whole, where that can be.
_LEAST_SHARE = 0.2
#: Neighbours whose groups a place may change to.
_NEAR = 8
#: Members of either group that are tried in a swap of two.
_TRIED = 4
#: Rounds of swaps, at most; hardly anything is won in the last of them.
_ROUNDS = 16
#: Part of a sum of squares that a swap has to win: more than rounding.
_WON = 1e-9


def compact_groups(
    xy: np.ndarray, least: int, what: str = Sentence("places"), progress: Progress = silent
) -> np.ndarray:
    """Divide distinct places into compact groups of ``least`` to 2 ``least`` - 1.

    Parameters
    ----------
    xy : (n, 2) array
        Distinct, in metres.
    least : int
        At least 2.
    what : str
        What they are, for sentences.
    progress : Progress

    Returns
    -------
    (n,) int64 array
        Groups from 0, without a gap.

    Raises
    ------
    InputError
        If ``least`` is below 2, there are fewer places, or two are the same.
    """
    xy = as_points(xy, what)
    found = places(xy)
    if len(found.xy) < len(xy):
        raise InputError("Some of the {what} are at the same place; give each once.", what=what)
    if least < 2:
        raise InputError(
            "A group of fewer than 2 hides nobody; {least} was asked for.", least=least
        )
    if len(xy) < least:
        raise InputError(
            "There are {count:,} {what}; a group needs {least:,}.",
            count=len(xy),
            what=what,
            least=least,
        )
    centred = found.xy - (found.xy.min(axis=0) + found.xy.max(axis=0)) / 2
    group = _cut(centred, least, part(progress, 0.0, 0.4))
    _swap(centred, group, part(progress, 0.4, 1.0))
    progress(1.0)
    return group[found.of_point]


def mean_distance(xy: np.ndarray, group: np.ndarray) -> float:
    """Mean distance of a place to a random one of its group, itself among them, in metres."""
    order = np.argsort(group, kind="stable")
    size = np.bincount(group)
    first = np.cumsum(size) - size
    total = 0.0
    for one in np.unique(size[size > 0]):
        rows = xy[order[first[size == one][:, None] + np.arange(one)]]
        for step in range(1, one):
            total += np.hypot(*(rows - np.roll(rows, step, axis=1)).T).sum() / one
    return total / len(xy)


def _cut(xy: np.ndarray, least: int, progress: Progress) -> np.ndarray:
    """Cut all parts that are large enough at once, until none is."""
    order = np.arange(len(xy))
    start = np.zeros(1, dtype=np.int64)
    levels = max(1.0, np.log2(len(xy) / least))
    level = 0
    while True:
        size = np.diff(start, append=len(xy))
        if (size < 2 * least).all():
            break
        progress(min(level / levels, 1.0))
        level += 1
        part_of = np.repeat(np.arange(len(size)), size)
        along = _along(xy[order], start, size)
        # One key for both: parts three apart, places within one of their part.
        key = 3.0 * part_of + along / max(float(np.abs(along).max()), np.finfo(float).tiny)
        order = order[np.argsort(key, kind="stable")]
        start = np.sort(np.concatenate([start, _best_cuts(xy[order], start, size, least)]))
    group = np.empty(len(xy), dtype=np.int64)
    group[order] = np.repeat(np.arange(len(size)), size)
    return group


def _along(xy: np.ndarray, start: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Where each place is along the principal axis of its part, (n,)."""
    gap = xy - np.repeat(np.add.reduceat(xy, start) / size[:, None], size, axis=0)
    east, north, both = np.add.reduceat(
        np.stack([gap[:, 0] ** 2, gap[:, 1] ** 2, gap[:, 0] * gap[:, 1]], axis=1), start
    ).T
    angle = np.repeat(0.5 * np.arctan2(2 * both, east - north), size)
    return gap[:, 0] * np.cos(angle) + gap[:, 1] * np.sin(angle)


def _best_cuts(xy: np.ndarray, start: np.ndarray, size: np.ndarray, least: int) -> np.ndarray:
    """Where parts in order are cut: positions, one for each part that is large enough."""
    part_of = np.repeat(np.arange(len(size)), size)
    gap = xy - np.repeat(np.add.reduceat(xy, start) / size[:, None], size, axis=0)
    before = np.cumsum(gap, axis=0) - gap
    before -= before[start][part_of]
    whole = size[part_of]
    left = np.arange(len(xy)) - start[part_of]
    right = whole - left
    fits = (left >= least) & (right >= least) & (left % least <= whole % least)
    # A cut into m and n places, whose sums of gaps are s and -s, wins s^2 (1/m + 1/n).
    won = np.where(fits, (before**2).sum(axis=1) * (1 / np.maximum(left, 1) + 1 / right), -1.0)
    # Even parts first: a sliver wins now and loses later.
    won[fits & (np.minimum(left, right) < _LEAST_SHARE * whole)] *= 1e-6
    best = np.flatnonzero((won == np.maximum.reduceat(won, start)[part_of]) & fits)
    return best[np.flatnonzero(np.diff(part_of[best], prepend=-1))]


def _swap(xy: np.ndarray, group: np.ndarray, progress: Progress) -> None:
    """Swap members of neighbouring groups while both together become more compact, in place."""
    near = build_tree(xy).query(xy, k=min(_NEAR, len(xy)))[1]
    size = np.bincount(group)
    changed = np.ones(len(size), dtype=bool)
    for number in range(_ROUNDS):
        progress(number / _ROUNDS)
        active = np.flatnonzero(changed[group[near]].any(axis=1))
        one, other = _best_swaps(xy, group, size, near, active)
        changed[:] = False
        if len(one) == 0:
            break
        changed[group[one]] = changed[group[other]] = True
        group[one], group[other] = group[other], group[one]


def _best_swaps(
    xy: np.ndarray, group: np.ndarray, size: np.ndarray, near: np.ndarray, active: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of places to swap, no two of which touch the same group."""
    groups = len(size)
    mean = np.stack([np.bincount(group, xy[:, axis]) / size for axis in (0, 1)], axis=1)
    there = group[near[active]]
    row, column = np.nonzero(there != group[active][:, None])
    here, there = group[active[row]], there[row, column]
    key = np.unique(np.minimum(here, there) * groups + np.maximum(here, there))
    first, second = key // groups, key % groups
    order = np.argsort(group, kind="stable")
    start = np.cumsum(size) - size
    # Of both groups those members that are drawn most to the other one, each with each.
    one, pull = _drawn_most(xy, order, start, size, mean, first, second)
    other, push = _drawn_most(xy, order, start, size, mean, second, first)
    apart = ((xy[one][:, :, None] - xy[other][:, None]) ** 2).sum(axis=3)
    weight = (1 / size[first] + 1 / size[second])[:, None, None]
    won = pull[:, :, None] + push[:, None] + apart * weight
    won = np.where(won > _WON * apart, won, 0.0).reshape(len(key), one.shape[1] * other.shape[1])
    best = won.argmax(axis=1) if len(key) else np.empty(0, dtype=np.int64)
    pair = np.arange(len(key))
    one, other = one[pair, best // other.shape[1]], other[pair, best % other.shape[1]]
    better = won[pair, best] > 0
    one, other, won = one[better], other[better], won[pair, best][better]
    # Those that win most in both of their groups.
    order = np.lexsort((one, -won))[::-1]
    rank = np.empty(len(one), dtype=np.int64)
    rank[order] = np.arange(len(one))
    most = np.full(groups, -1, dtype=np.int64)
    touched = np.stack([group[one[order]], group[other[order]]], axis=1)
    most[touched.ravel()] = np.repeat(rank[order], 2)
    chosen = (most[group[one]] == rank) & (most[group[other]] == rank)
    return one[chosen], other[chosen]


def _drawn_most(
    xy: np.ndarray,
    order: np.ndarray,
    start: np.ndarray,
    size: np.ndarray,
    mean: np.ndarray,
    here: np.ndarray,
    there: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Members of groups that win most by going to others, and the squares that they win."""
    slots = np.arange(size.max())
    members = order[np.minimum(start[here][:, None] + slots, len(xy) - 1)]
    pull = ((xy[members] - mean[here][:, None]) ** 2).sum(axis=2)
    pull -= ((xy[members] - mean[there][:, None]) ** 2).sum(axis=2)
    pull[slots >= size[here][:, None]] = -np.inf
    best = np.argsort(-pull, axis=1, kind="stable")[:, :_TRIED]
    return np.take_along_axis(members, best, 1), np.take_along_axis(pull, best, 1)
