# SPDX-License-Identifier: GPL-2.0-or-later
"""What all points of an exchange tell together.

By itself a released point leaves its k partners equally likely (:mod:`.partners`). Together points
tell more, since no two places of the file are one address: of three points at one address with
three partners each partner is somebody's, and is nobody else's any more. Where records stand close
together, be the file ever so small a part of all addresses, points lie on partners of one another,
and some addresses become likelier than one in k.

What an adversary can infer is the share of the ways to give every point a partner of its own in
which a point has a certain one. To count these ways is to compute a permanent; belief propagation
comes near, for a sparse graph of points and addresses: Vontobel, P. O. (2013), The Bethe permanent
of a nonnegative matrix, IEEE Transactions on Information Theory 59(3), 1866-1901.
"""

from __future__ import annotations

import numpy as np

from ..runtime import accel
from ..runtime.progress import Progress, part, silent
from ..runtime.rows import AT_ONCE, portions

#: Rounds of messages, at most; how much of the old ones is kept; and what change is none.
_ROUNDS, _DAMPING, _SETTLED = 200, 0.3, 1e-5
#: Odds from which on an address is taken, and what a point has left at least.
_SURE, _LEAST = 1e9, float(np.finfo(float).tiny)


def joint_chances(
    candidates: np.ndarray,
    weight: np.ndarray,
    progress: Progress = silent,
    at_once: int = AT_ONCE,
) -> np.ndarray:
    """How likely each point came from each of its candidates, given all points.

    An approximation. Counted out for 14 addresses (tests, 3 or 5 partners) the largest probability
    was at most 0.03 higher and 0.09 lower than what is found here where up to half of the addresses
    were in the file; where all were, it was up to 0.18 higher.

    Parameters
    ----------
    candidates : (n, k) int array
        Rows of the addresses that each point can come from, each with the same probability; one
        point for each place of the file.
    weight : (m,) array
        How likely each address is before anything is released: 0 or more.
    progress : Progress
    at_once : int
        Pairs that are worked on at a time; they are the same.

    Returns
    -------
    (n, k) array
        Sums to 1 for each point; all 1 where no candidate has a weight, of which nothing is known.
    """
    k = candidates.shape[1]
    first = np.arange(0, candidates.size + 1, k)
    likely = weight[candidates].astype(np.float64)
    free = free_of_others(first, candidates.ravel(), likely.ravel(), len(weight), progress, at_once)
    own = likely * free.reshape(candidates.shape)
    total = own.sum(axis=1, keepdims=True)
    return np.divide(own, total, out=np.ones_like(own), where=total > 0)


def free_of_others(
    first: np.ndarray,
    candidate: np.ndarray,
    likely: np.ndarray,
    candidates: int,
    progress: Progress = silent,
    at_once: int = AT_ONCE,
) -> np.ndarray:
    """How free each candidate of a point is, given all other points: messages of belief propagation.

    Parameters
    ----------
    first : (n + 1,) int array
        Where the candidates of each point start.
    candidate : (p,) int array
    likely : (p,) array
        How likely the point came from it, by itself; up to a factor for each point.
    candidates : int
        Number of them.
    progress : Progress
    at_once : int

    Returns
    -------
    (p,) array
        From 0 to 1; times ``likely`` it is how likely each is given all points, up to a factor.
    """
    free, rest, total = np.ones(len(likely)), np.zeros(len(first) - 1), np.zeros(candidates)
    compiled = accel.enabled()
    send, answer = (_send, _answer) if compiled else (_send_in_numpy, _answer_in_numpy)
    # NumPy adds what a lot sends to all addresses anew.
    lots = portions(first, at_once if compiled else max(at_once, candidates))
    spare = np.empty(int(np.diff(first).max(initial=0)))
    state = first, candidate, likely, free, rest, total, spare
    for number in range(_ROUNDS):
        told = part(progress, number / _ROUNDS, (number + 1) / _ROUNDS)
        total[:], moved = 0.0, False
        # What a point sends to an address: the odds that it came from there, by its others.
        for at, rows in enumerate(lots):
            told(0.5 * at / len(lots))
            send(rows.start, rows.stop, *state)
        # What an address sends to a point: whether it is free, by its other points.
        for at, rows in enumerate(lots):
            told(0.5 + 0.5 * at / len(lots))
            moved |= answer(rows.start, rows.stop, *state)
        if not moved:
            break
    progress(1.0)
    return free


# Loops over pairs stand apart where one of them reads or writes all over the addresses: a processor
# then works on several pairs at once in the others. Sums run pair by pair, here and in NumPy.


@accel.kernel
def _send(begin, end, first, candidate, likely, free, rest, total, spare):
    """Fill ``rest``, the sum of each point, and add the odds of each pair to ``total``."""
    for point in range(begin, end):
        start, many = first[point], first[point + 1] - first[point]
        own, left = likely[start : start + many], free[start : start + many]
        for pair in range(many):
            spare[pair] = own[pair] * left[pair]
        whole = 0.0
        for pair in range(many):
            whole += spare[pair]
        rest[point] = whole
        for pair in range(many):
            others = whole - spare[pair]
            others = others if others > _LEAST else _LEAST
            odds = own[pair] / others
            spare[pair] = odds if odds < _SURE else _SURE
        for pair in range(many):
            total[candidate[start + pair]] += spare[pair]


@accel.kernel
def _answer(begin, end, first, candidate, likely, free, rest, total, spare):
    """Renew ``free``, and say whether anything has moved."""
    moved = 0
    for point in range(begin, end):
        start, many = first[point], first[point + 1] - first[point]
        own, left = likely[start : start + many], free[start : start + many]
        for pair in range(many):
            spare[pair] = total[candidate[start + pair]]
        for pair in range(many):
            others = rest[point] - own[pair] * left[pair]
            others = others if others > _LEAST else _LEAST
            odds = own[pair] / others
            odds = odds if odds < _SURE else _SURE
            taken = spare[pair] - odds
            taken = taken if taken > 0.0 else 0.0
            now = _DAMPING * left[pair] + (1 - _DAMPING) / (1 + taken)
            moved += abs(now - left[pair]) >= _SETTLED
            left[pair] = now
    return moved > 0


def _send_in_numpy(begin, end, first, candidate, likely, free, rest, total, spare):
    pairs, point = slice(first[begin], first[end]), _points(begin, end, first)
    own = likely[pairs] * free[pairs]
    rest[begin:end] = np.bincount(point, own, end - begin)
    # On top of what there is, pair by pair: as a kernel adds.
    rows = np.concatenate([np.arange(len(total)), candidate[pairs]])
    odds = _odds(likely[pairs], own, rest[begin:end][point])
    total[:] = np.bincount(rows, np.concatenate([total, odds]))


def _answer_in_numpy(begin, end, first, candidate, likely, free, rest, total, spare):
    pairs, point = slice(first[begin], first[end]), _points(begin, end, first)
    odds = _odds(likely[pairs], likely[pairs] * free[pairs], rest[begin:end][point])
    taken = np.maximum(total[candidate[pairs]] - odds, 0.0)
    now = _DAMPING * free[pairs] + (1 - _DAMPING) / (1 + taken)
    moved = bool((np.abs(now - free[pairs]) >= _SETTLED).any())
    free[pairs] = now
    return moved


def _odds(likely, own, rest):
    return np.minimum(likely / np.maximum(rest - own, _LEAST), _SURE)


def _points(begin, end, first):
    return np.repeat(np.arange(end - begin), np.diff(first[begin : end + 1]))
