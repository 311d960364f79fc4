# SPDX-License-Identifier: GPL-2.0-or-later
"""Guesses of a secret from records that are alike in what is known: how often right, how surely.

Whoever finds several records alike takes one of them. How often that is right is counted over all of
them, not by one draw; and what is random in it is the secrets of the records and who the people are.
A record that several people are told by is right or wrong for all of them together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..people import People
from .scoring import effective

#: Fewest people of one true value, here and in the control, who are compared by themselves.
_FEWEST = 10


@dataclass(frozen=True)
class Tied:
    """How often people are guessed right from the records of a kind each.

    Attributes
    ----------
    right : (q,) array
        Share of the records that tell the truth.
    kinds, each : (q,) int arrays
        Of which kind they are, and how many.
    truth : (q,) array
    own : ((r,) int array, (r,) int array) or None
        Records that are people's own, which do not count: whose, and the row; see
        :func:`own_records`.
    pool_kinds, pool_values : (p,) arrays
        Kind and secret of every record.
    tolerance : float
    """

    right: np.ndarray
    kinds: np.ndarray
    each: np.ndarray
    truth: np.ndarray
    own: tuple[np.ndarray, np.ndarray] | None
    pool_kinds: np.ndarray
    pool_values: np.ndarray
    tolerance: float

    def some(self, of: np.ndarray) -> Tied:
        """Return the same for some of the people."""
        own = None
        if self.own is not None:
            which, rows = self.own
            number = np.cumsum(of) - 1
            own = number[which[of[which]]], rows[of[which]]
        people = (self.right[of], self.kinds[of], self.each[of], self.truth[of])
        return Tied(*people, own, self.pool_kinds, self.pool_values, self.tolerance)

    def off(self, weight: np.ndarray, expected: np.ndarray) -> np.ndarray:
        """Return how much more than expected each record is right about, ``(p,)``.

        Parameters
        ----------
        weight, expected : (q,) arrays
            Of each person, and with what chance she is guessed.
        """
        part = weight / self.each
        keys, low, high = _keys(self)
        order = np.argsort(keys[0], kind="stable")
        before = np.append(0.0, np.cumsum(part[order]))
        ordered = keys[0][order]
        told = before[np.searchsorted(ordered, keys[1] + high, "right")]
        told -= before[np.searchsorted(ordered, keys[1] + low, "left")]
        count = int(self.pool_kinds.max()) + 1
        told -= np.bincount(self.kinds, part * expected, count)[self.pool_kinds]
        if self.own is not None:
            which, rows, _ = _mine(self)
            hit = _right(self, which, rows)
            np.subtract.at(told, rows, part[which] * (hit - expected[which]))
        return told

    def spread(self, weight: np.ndarray, expected: np.ndarray) -> float:
        """Return the variance that pairs do not have in common, by people less by pairs."""
        gap = self.right - expected
        pairs = self.right * (1 - expected) ** 2 + (1 - self.right) * expected**2
        return float((weight**2 * (gap**2 - pairs / self.each)).sum())


def tied(
    kinds: np.ndarray,
    truth: np.ndarray,
    pool_kinds: np.ndarray,
    pool_values: np.ndarray,
    tolerance: float,
    own: tuple[np.ndarray, np.ndarray] | None = None,
) -> Tied:
    """Count how often people are guessed right.

    Parameters
    ----------
    kinds : (q,) int array
        The kind of records that each is told by.
    truth : (q,) array
        Their secrets; NaN where missing, which is an answer, too.
    pool_kinds, pool_values : (p,) arrays
    tolerance : float
    own : ((r,) int array, (r,) int array), optional
        Records of the pool that are people's own, see :func:`own_records`.
    """
    low, step = _base(truth, pool_values, tolerance)
    values = [np.where(np.isnan(one), low, one) for one in (truth, pool_values)]
    made = Tied(
        np.zeros(len(kinds)), kinds, np.ones(len(kinds)), values[0], own, pool_kinds, values[1],
        tolerance,
    )  # fmt: skip
    keys, below, above = _keys(made)
    pool = np.sort(keys[1])
    hits = np.searchsorted(pool, keys[0] + above, "right")
    hits = hits - np.searchsorted(pool, keys[0] + below, "left")
    each = np.bincount(pool_kinds)[kinds]
    if own is not None:
        which, rows, count = _mine(made)
        hits = hits - np.bincount(which, _right(made, which, rows), len(kinds)).astype(np.intp)
        each = each - count
    each = np.maximum(each, 1)
    return Tied(hits / each, kinds, each, values[0], own, pool_kinds, values[1], tolerance)


def own_records(rows: np.ndarray, whose: People | None) -> tuple[np.ndarray, np.ndarray]:
    """All records of the people some rows are of: whose, by the order of the rows, and the row."""
    if whose is None:
        return np.arange(len(rows)), rows
    return whose.pairs(whose.of[rows])


def _mine(one: Tied) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Own records that are of the kind that tells: whose, the row, and how many each has."""
    assert one.own is not None
    which, rows = one.own
    here = one.pool_kinds[rows] == one.kinds[which]
    return which[here], rows[here], np.bincount(which[here], minlength=len(one.kinds))


def _right(one: Tied, which: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Whether own records tell the truth; a person's very record does."""
    return (np.abs(one.pool_values[rows] - one.truth[which]) <= one.tolerance).astype(float)


def _base(truth: np.ndarray, values: np.ndarray, tolerance: float) -> tuple[float, float]:
    """A value for what is missing that is like no other, and the room that all values take."""
    there = [one[~np.isnan(one)] for one in (truth, values)]
    low = min((float(one.min()) for one in there if len(one)), default=0.0)
    high = max((float(one.max()) for one in there if len(one)), default=0.0)
    low -= 4 * tolerance + 1.0
    return low, high - low + 4 * tolerance + 1.0


def _keys(one: Tied) -> tuple[tuple[np.ndarray, np.ndarray], float, float]:
    """Kind and value as one number for people and for records, and how far equal ones reach."""
    low, step = _base(one.truth, one.pool_values, one.tolerance)
    people = one.kinds * step + (one.truth - low)
    pool = one.pool_kinds * step + (one.pool_values - low)
    return (people, pool), -one.tolerance, one.tolerance


@dataclass(frozen=True)
class Beside:
    """How often people are guessed right, and the control of as many who have the same secrets.

    Attributes
    ----------
    right, control : float
        Shares.
    weighs : (float, float)
        For how many independent attempts one counts, of either.
    together : float
        Correlation of the two, as the same records are right or wrong for both.
    """

    right: float
    control: float
    weighs: tuple[float, float]
    together: float


def beside(people: Tied, control: Tied, by_value: bool, shared: bool) -> Beside:
    """Hold people of the file beside the control.

    Parameters
    ----------
    people, control : Tied
    by_value : bool
        Whether people of the control count so much that each value is as frequent as in the file.
    shared : bool
        Whether both are guessed from the same records.

    Notes
    -----
    Variances are clustered by people and by records (Cameron, Gelbach and Miller, 2011, Robust
    inference with multiway clustering, *Journal of Business & Economic Statistics* 29).
    """
    group, other = _strata(people.truth, control.truth) if by_value else (
        np.zeros(len(people.truth), np.intp), np.zeros(len(control.truth), np.intp)
    )  # fmt: skip
    count = int(max(group.max(), other.max())) + 1
    share = np.bincount(group, minlength=count) / len(group)
    weight = (
        np.full(len(group), 1 / len(group)),
        (share / np.maximum(np.bincount(other, minlength=count), 1))[other],
    )
    rates, own, off = [], [], []
    for one, of, each in zip((people, control), (group, other), weight):
        mean = np.bincount(of, one.right, count) / np.maximum(np.bincount(of, minlength=count), 1)
        rates.append(round(float((each * one.right).sum()), 12))
        off.append(one.off(each, mean[of]))
        own.append(max(one.spread(each, mean[of]), 0.0) + float((off[-1] ** 2).sum()))
    weighs = [
        effective(rate * (1 - rate) / count, spread)
        for rate, spread, count in zip(rates, own, (len(group), len(other)))
    ]
    both = float(off[0] @ off[1]) / np.sqrt(own[0] * own[1]) if shared and min(own) > 1e-15 else 0.0
    return Beside(rates[0], rates[1], (weighs[0], weighs[1]), float(np.clip(both, -1.0, 0.95)))


def _strata(truth: np.ndarray, theirs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number people by their true value; those of values that few have together."""
    values, at = np.unique(np.concatenate([truth, theirs]), return_inverse=True)
    at = at.reshape(-1)
    here, there = at[: len(truth)], at[len(truth) :]
    counts = [np.bincount(one, minlength=len(values)) for one in (here, there)]
    few = np.minimum(*counts) < _FEWEST
    number = np.where(few, 0, np.arange(1, len(values) + 1))
    if min(int(one[few].sum()) for one in counts) < _FEWEST:
        number[few] = number[int(counts[0].argmax())]
    _, number = np.unique(number, return_inverse=True)
    return number.reshape(-1)[here], number.reshape(-1)[there]
