# SPDX-License-Identifier: GPL-2.0-or-later
"""Masks that lead from a candidate to few states, and from a state to the point.

A state is the area in which the candidate lies, the node at which its way along the streets starts,
or the address at which its record is released. All candidates of a state explain a point equally, so
the states are worked out and not every pair:

    f(y | c) = sum over states s of P(s | c) f(y | s)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime.memory import refuse_unless_fits
from ...runtime.wording import Sentence, number_of
from .likelihood import Likelihood

#: Bytes that a pair of a point and a candidate takes while it is made.
_BYTES = 72.0


@dataclass(frozen=True, eq=False)
class Leading:
    """The candidates that lead to each state, row by row.

    Attributes
    ----------
    candidates : int
        Number of them.
    first : (s + 1,) int64 array
        Where the candidates of each state start.
    candidate : (p,) int64 array
    chance : (p,) array
        P(s | c), with which the candidate leads to the state.
    """

    candidates: int
    first: np.ndarray
    candidate: np.ndarray
    chance: np.ndarray

    @classmethod
    def of_pairs(
        cls,
        states: int,
        candidates: int,
        state: np.ndarray,
        candidate: np.ndarray,
        chance: float | np.ndarray = 1.0,
    ) -> Leading:
        """Put pairs in order; those with a negative state are left out."""
        good = np.flatnonzero(state >= 0)
        order = good[np.argsort(state[good], kind="stable")]
        first = np.searchsorted(state[order], np.arange(states + 1))
        each = np.broadcast_to(np.asarray(chance, dtype=np.float64), np.shape(state))[order]
        return cls(candidates, first, candidate[order].astype(np.int64), each)

    @classmethod
    def of_states(cls, states: int, of_candidate: np.ndarray) -> Leading:
        """Each candidate leads to one state, (m,) int; below zero for none."""
        count = len(of_candidate)
        return cls.of_pairs(states, count, np.asarray(of_candidate), np.arange(count))

    @classmethod
    def of_lists(cls, lists: np.ndarray, candidates: int, chance: float) -> Leading:
        """To each state those of a row lead, (s, k) int, each with the same chance."""
        states, k = lists.shape
        state = np.where(lists >= 0, np.arange(states)[:, None], -1).ravel()
        return cls.of_pairs(states, candidates, state, lists.ravel(), chance)


def by_states(
    points: int, point: np.ndarray, state: np.ndarray, value: np.ndarray, leading: Leading
) -> Likelihood:
    """Likelihood of a mask that goes by states.

    Parameters
    ----------
    points : int
        Number of released points.
    point, state : (q,) int arrays
        Pairs of a point and a state that can have led to it.
    value : (q,) array
        f(y | s) of each.
    leading : Leading

    Returns
    -------
    Likelihood

    Raises
    ------
    InputError
        If there are more pairs than fit into memory.
    """
    many = np.diff(leading.first)[state]
    total = int(many.sum())
    refuse_unless_fits(
        _BYTES * total,
        number_of(points, "point", "points"),
        Sentence("all addresses that explain them"),
        Sentence("Give some of the points, or an address list of their surroundings."),
    )
    entry = np.repeat(leading.first[state] - (np.cumsum(many) - many), many) + np.arange(total)
    return summed(
        points,
        leading.candidates,
        np.repeat(point, many),
        leading.candidate[entry],
        np.repeat(np.asarray(value, dtype=np.float64), many) * leading.chance[entry],
    )


def summed(
    points: int, candidates: int, point: np.ndarray, candidate: np.ndarray, value: np.ndarray
) -> Likelihood:
    """Likelihood of pairs that may come several times, by several ways: the sum counts."""
    made = Likelihood.of_pairs(points, candidates, point, candidate, value)
    of_pair = made.point
    new = np.ones(len(of_pair), dtype=bool)
    new[1:] = (np.diff(of_pair) != 0) | (np.diff(made.candidate) != 0)
    if new.all():
        return made
    start = np.flatnonzero(new)
    first = np.concatenate([[0], np.cumsum(new)])[made.first]
    value = np.add.reduceat(made.value, start)
    return Likelihood(candidates, first, made.candidate[start], value)
