# SPDX-License-Identifier: GPL-2.0-or-later
"""All records of two homes are dealt out anew at once: part of the sampler of :mod:`.own_draws`.

Record by record, two wrong pairs never become two right ones where nearly every home has two records: in
between one home had three, or one. So two records are drawn that one address explains both, or that have
such a third one in common, and all records of their homes are dealt out anew, in all ways that leave those
two in homes of their own, or that put all in one home; with new addresses, too. Which two are drawn does not depend on where records are, and
the ways are drawn by what they are worth, so that it is Gibbs sampling. (Without the sums over addresses it
is the split and merge of Jain, S. & Neal, R. M. (2004), Journal of Computational and Graphical Statistics
13(1).)
"""

from __future__ import annotations

import numpy as np

from ...runtime import accel
from .likelihood import Likelihood

#: Records of both homes up to which they are dealt out: there are 2 ** (this - 2) ways.
_MOST = 6


class Explaining:
    """The records that each candidate explains.

    Attributes
    ----------
    first : (m + 1,) int array
        Where those of each candidate start.
    row : (p,) int array
    """

    def __init__(self, likelihood: Likelihood) -> None:
        order = np.argsort(likelihood.candidate, kind="stable")
        self.row = likelihood.point[order]
        many = np.bincount(likelihood.candidate, minlength=likelihood.candidates)
        self.first = np.concatenate([[0], np.cumsum(many)])


def deal(
    rows: np.ndarray,
    likelihood: Likelihood,
    explaining: Explaining,
    at: np.ndarray,
    count: np.ndarray,
    odds: np.ndarray,
    worth: np.ndarray,
    rng: np.random.Generator,
) -> None:
    """Deal out the homes of each of some records and of another one that is drawn for it.

    Parameters
    ----------
    rows : (n,) int array
    likelihood : Likelihood
    explaining : Explaining
    at : (records,) int array
        Candidate of each record; changed.
    count : (m,) int array
        Records of each candidate; changed.
    odds : (m,) array
        Of each candidate to be a home.
    worth : (more than _MOST,) array
        Of a home, by how many records it has.
    rng : numpy.random.Generator
    """
    head, following = np.full(likelihood.candidates, -1), np.full(len(at), -1)
    _chain(np.flatnonzero(at >= 0), at, head, following)
    pairs = likelihood.first, likelihood.candidate, likelihood.value
    state = explaining.first, explaining.row, at, count, odds, worth, head, following
    _deal(rows, rng.random((len(rows), 8)), *pairs, *state)


@accel.kernel
def _chain(rows, at, head, following):
    """Make a chain of the records of each candidate."""
    for row in rows:
        following[row] = head[at[row]]
        head[at[row]] = row


@accel.routine
def _aligned(wanted, own, value, found):
    """Values of the wanted candidates, both ascending; 0 for those that are not there."""
    at = 0
    for place in range(len(wanted)):
        while at < len(own) and own[at] < wanted[place]:
            at += 1
        if at < len(own) and own[at] == wanted[place]:
            found[place] = value[at]


@accel.routine
def _positions(wanted, own, found):
    """Where the wanted candidates are among others, both ascending."""
    at = 0
    for place in range(len(wanted)):
        while at < len(own) and own[at] < wanted[place]:
            at += 1
        if at < len(own) and own[at] == wanted[place]:
            found[place] = at


@accel.routine
def _product(left, right, way, size):
    """What the records of either home say together, if they are dealt out in a way."""
    mine, its = left[0].copy(), right[1].copy()
    for record in range(2, size):
        if (way >> (record - 2)) & 1:
            mine *= left[record]
        else:
            its *= right[record]
    return mine, its


@accel.routine
def _drawn(likely, uniform):
    """A place by what it is worth."""
    total = np.cumsum(likely)
    place = np.searchsorted(total, uniform * total[-1], side="right")
    return min(place, len(likely) - 1)


@accel.kernel
def _deal(rows, uniforms, first, candidate, value, begins, explained, at, count, odds, worth, head, following):  # fmt: skip
    """Deal out the homes of each row and of another, one or two steps over addresses away."""
    for number in range(len(rows)):
        one = rows[number]
        own = candidate[first[one] : first[one + 1]]
        other = one
        for step in range(1 if uniforms[number, 0] < 0.5 else 2):
            near = candidate[first[other] : first[other + 1]]
            by = near[int(uniforms[number, 1 + 2 * step] * len(near))]
            sharing = explained[begins[by] : begins[by + 1]]
            other = sharing[int(uniforms[number, 2 + 2 * step] * len(sharing))]
        here, there = at[one], at[other]
        size = count[here] + (count[there] if there != here else 0)
        if other == one or size > _MOST:
            continue
        pool = np.empty(size, dtype=np.int64)
        pool[0], pool[1], known = one, other, 2
        for home in (here, there):
            row = head[home]
            while row >= 0 and (home == here or there != here):
                if row != one and row != other and known < size:
                    pool[known] = row
                    known += 1
                row = following[row]
        # What each record says of the addresses of the two that lead.
        others = candidate[first[other] : first[other + 1]]
        left, right = np.zeros((size, len(own))), np.zeros((size, len(others)))
        for record in range(size):
            begin, end = first[pool[record]], first[pool[record] + 1]
            _aligned(own, candidate[begin:end], value[begin:end], left[record])
            _aligned(others, candidate[begin:end], value[begin:end], right[record])
        for place in range(len(own)):
            to = own[place]
            free = count[to] == 0 or to == here or to == there
            left[0, place] *= odds[to] if free else 0.0
        for place in range(len(others)):
            to = others[place]
            free = count[to] == 0 or to == here or to == there
            right[1, place] *= odds[to] if free else 0.0
        same = np.full(len(own), -1, dtype=np.int64)
        _positions(own, others, same)
        ways = 1 << (size - 2)
        likely = np.zeros(ways + 1)
        for way in range(ways):
            mine, its = _product(left, right, way, size)
            many = 1
            for record in range(2, size):
                many += (way >> (record - 2)) & 1
            both = 0.0
            for place in range(len(own)):
                if same[place] >= 0:
                    both += mine[place] * its[same[place]]
            total = max(mine.sum() * its.sum() - both, 0.0)
            likely[way] = worth[many] * worth[size - many] * total
        whole = left[0].copy()
        for record in range(1, size):
            whole *= left[record]
        likely[ways] = worth[size] * whole.sum()
        total = np.cumsum(likely)
        if not total[-1] > 0:
            continue
        way = np.searchsorted(total, uniforms[number, 5] * total[-1], side="right")
        way = min(way, ways)
        to = np.empty(2, dtype=np.int64)
        if way == ways:
            to[0] = own[_drawn(whole, uniforms[number, 6])]
            to[1] = to[0]
        else:
            mine, its = _product(left, right, way, size)
            chance, sum_of_its = mine.copy(), its.sum()
            for place in range(len(own)):
                if same[place] >= 0:
                    chance[place] *= max(sum_of_its - its[same[place]], 0.0)
                else:
                    chance[place] *= sum_of_its
            if not chance.sum() > 0:
                continue
            place = _drawn(chance, uniforms[number, 6])
            to[0] = own[place]
            if same[place] >= 0:
                its[same[place]] = 0.0
            if not its.sum() > 0:
                continue
            to[1] = others[_drawn(its, uniforms[number, 7])]
        for home in (here, there):
            count[home], head[home] = 0, -1
        for record in range(size):
            with_one = record == 0 or (record > 1 and (way == ways or (way >> (record - 2)) & 1))
            home = to[0] if with_one else to[1]
            row = pool[record]
            at[row] = home
            count[home] += 1
            following[row] = head[home]
            head[home] = row
