# SPDX-License-Identifier: GPL-2.0-or-later
"""Anonymised columns that have the original's distributions again, before they are decoded.

What a spectral method returns has the means, variances and correlations of the original, but not
the shape of its fields: sums of permuted components are more normal than what they are made of. As
Lasko & Vinterbo (2010), sections III and IV-A, decode them, ages fall below zero, and a category
that few have disappears. Here every field is fitted to the original's distribution, by a map that
keeps the order of the records (numbers), or by one offset for each category on the log scale (the
choice of a category). Neither looks at a record: what was done to the rows stays as it was.

The fit is our own. What numbers come from is a smoothed distribution, the smoother the more fields
of numbers there are: together they would tell who is in the file (see :mod:`.smoothing`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

import numpy as np

from ..runtime.progress import Progress, chunks, interruptible, part, shares, silent
from .chance import Chance
from .coding import Coding
from .dummies import logits_of
from .matrices import block_rows
from .observations import BINARY, CATEGORICAL, CONTINUOUS, ORDINAL, POSITIVE
from .smoothing import map_of
from .variables import DRAW, PROBABILITIES, Variable

#: Makes columns of records anew, which are told with their rows.
Again = Callable[[np.ndarray, np.ndarray], np.ndarray]
#: Probability that a category has at the least, of records that it does not suit at all.
_LEAST = 1e-3
#: Tells apart what is equally probable.
_TIE = 1e-9
#: Rounds of fitting offsets.
_ROUNDS = 60
#: Rounds in which all are fitted at once, before one is fitted after the other.
_ROUGHLY = 20
#: Where the random numbers of ranks begin: apart from all records'.
_OF_RANKS = 2**40
#: Of more values than these, or of so many records at the least, a sample is fitted.
_ASKED, _RECORDS = 8_000_000, 5_000


def calibrated(
    coding: Coding,
    original: np.ndarray,
    coded: np.ndarray,
    categories_as: str,
    chance: Chance,
    left: Collection[str] = (),
    closely: bool = False,
    whose: np.ndarray | None = None,
    progress: Progress = silent,
) -> tuple[np.ndarray, Again]:
    """Return anonymised records whose fields have the distributions of the original.

    Parameters
    ----------
    coding : Coding
    original, coded : (n, m) and (r, m) arrays
        The original and the anonymised records, coded.
    categories_as : str
        As in :meth:`.coding.Coding.decode`; with ``draw`` a category, and a truth value, is drawn
        by its probability, and is the record's from then on.
    chance : Chance
        Of the draws, and of what is equally probable: a record's own, however often it is fitted.
    left : collection of str
        Fields that stay as they are: coordinates, whose two columns are one thing.
    closely : bool
        Keep distributions of numbers so nearly that they tell who is in the file.
    whose : (n,) int array, optional
        The person of each original, where people have several: these are counted then.
    progress : callable

    Returns
    -------
    result : (r, m) array
        To be decoded with ``probabilities``, or else with ``most_probable``.
    again : callable
        Does the same to other ``(b, m)`` records in the place of ``(b,)`` rows, by the fit to
        these.
    """
    result = interruptible(coded.copy, progress)
    fits: list[tuple[slice, Again]] = []
    fields = sum(
        one.kind in (CONTINUOUS, POSITIVE) and not one.is_constant and one.name not in left
        for one in coding.variables
        if not closely
    )
    for variable, ahead in zip(coding.variables, shares(progress, len(coding.variables))):
        ahead(0.0)
        if variable.name in left or (variable.is_constant and not variable.missing):
            continue
        before, after = original[:, variable.columns], result[:, variable.columns]
        if variable.kind == CATEGORICAL:
            fit = _fit_categories(variable, before, after, categories_as, chance, ahead)
        else:
            drawn = categories_as == DRAW
            job = partial(_fit_numbers, variable, before, after, drawn, chance, fields, whose)
            fit = interruptible(job, ahead)
        fits.append((variable.columns, fit))
    progress(1.0)

    def again(records: np.ndarray, rows: np.ndarray) -> np.ndarray:
        fitted = records.copy()
        for columns, one in fits:
            fitted[:, columns] = one(fitted[:, columns], rows)
        return fitted

    return result, again


def _fit_categories(
    variable: Variable,
    before: np.ndarray,
    after: np.ndarray,
    categories_as: str,
    chance: Chance,
    progress: Progress,
) -> Again:
    """Fit the dummies of a category, in place; return what does the same to others."""
    share = (before.mean(axis=0) + 1) / 2

    def suits(some: np.ndarray, rows: np.ndarray) -> np.ndarray:
        log = _log_probabilities(some)
        if categories_as == DRAW:
            log += chance.gumbel(rows, variable.columns)
        elif categories_as != PROBABILITIES:  # equal ones in no order
            log += _TIE * chance.uniform(rows, variable.columns)
        return log

    def decided(log: np.ndarray) -> np.ndarray:
        if categories_as == PROBABILITIES:
            return logits_of(_softmax(log + offset))
        dummies = np.full(log.shape, -1.0)
        dummies[np.arange(len(log)), (log + offset).argmax(axis=1)] = 1.0
        return dummies

    asked = chance.sample(len(after), max(_RECORDS, _ASKED // after.shape[1]))
    fit = offsets_of_means if categories_as == PROBABILITIES else offsets_of_choices
    offset = fit(suits(after[asked], asked), share, part(progress, 0.0, 0.9))
    every = np.arange(len(after))
    for rows in chunks(len(after), block_rows(after.shape[1]), part(progress, 0.9, 1.0)):
        after[rows] = decided(suits(after[rows], every[rows]))
    return lambda some, rows: decided(suits(some, rows))


def _fit_numbers(
    variable: Variable,
    before: np.ndarray,
    after: np.ndarray,
    draw: bool,
    chance: Chance,
    fields: int,
    whose: np.ndarray | None,
) -> Again:
    """Fit a number or truth value, and whether it is missing, in place; see above."""
    there, kept = np.ones(len(before), dtype=bool), np.ones(len(after), dtype=bool)
    gone = fit = None
    every, first = np.arange(len(after)), variable.columns.start
    luck = chance.logistic if draw else chance.uniform
    if variable.has_missing_dummy:
        there = before[:, 1] < 0
        of_missing = partial(luck, columns=slice(first + 1, first + 2))
        missing, gone = _upper(after[:, 1], every, float(np.mean(~there)), draw, of_missing)
        kept = ~missing
        after[:, 1] = np.where(kept, -1.0, 1.0)
    values = after[kept, 0]
    if not variable.is_constant and len(values) and there.any():
        if variable.kind == BINARY:
            share = float(np.mean(before[there, 0] > 0))
            of_value = partial(luck, columns=slice(first, first + 1))
            upper, holds = _upper(values, every[kept], share, draw, of_value)
            after[kept, 0] = np.where(upper, 1.0, -1.0)
            fit = lambda some, rows: np.where(holds(some, rows), 1.0, -1.0)  # noqa: E731
        else:
            is_ordinal = variable.kind == ORDINAL  # levels are few, and stay values of their own
            luck_of = None if is_ordinal else partial(_of_ranks, chance, first)
            own = None if whose is None else whose[there]
            fitted = map_of(values, before[there, 0], luck_of, 1 if is_ordinal else fields, own)
            after[kept, 0] = fitted(values)
            fit = lambda some, rows: fitted(some)  # noqa: E731

    def again(some: np.ndarray, rows: np.ndarray) -> np.ndarray:
        result = some.copy()
        if gone is not None:
            result[:, 1] = np.where(gone(some[:, 1], rows), 1.0, -1.0)
        if fit is not None:
            result[:, 0] = fit(some[:, 0], rows)
        return result

    return again


def _of_ranks(chance: Chance, column: int, ranks: np.ndarray) -> np.ndarray:
    """Numbers between 0 and 1 that belong to ranks among the sorted numbers of a column."""
    return chance.uniform(_OF_RANKS + ranks, slice(column, column + 1))[:, 0]


def _upper(
    coded: np.ndarray,
    rows: np.ndarray,
    share: float,
    draw: bool,
    luck: Callable[[np.ndarray], np.ndarray],
) -> tuple[np.ndarray, Again]:
    """Say of which records a truth value holds: of a share of them, the likeliest; of others, too."""

    def scored(some: np.ndarray, rows: np.ndarray) -> np.ndarray:
        own = luck(rows)[:, 0]
        if not draw:
            return some + _TIE * own
        probability = np.clip((some + 1) / 2, _LEAST, 1 - _LEAST)
        return np.log(probability) - np.log1p(-probability) + own

    score, count = scored(coded, rows), round(share * len(coded))
    result = np.zeros(len(coded), dtype=bool)
    edge = np.inf
    if count:
        first = len(coded) - count
        order = np.argpartition(score, first)
        result[order[first:]] = True
        edge = float(score[order[first]])
    return result, lambda some, rows: scored(some, rows) >= edge


# --- categories ----------------------------------------------------------------------------------


def _log_probabilities(coded: np.ndarray) -> np.ndarray:
    """Logarithms of probabilities that dummies of -1 and +1 stand for.

    A dummy that was permuted keeps its covariance with every other column. A category that is
    drawn with the probability (dummy + 1) / 2 keeps it, too, but for what lies below zero; the
    inverse logit of the paper does not: of six categories it leaves the sure one .35.
    """
    return np.log(np.maximum((coded + 1) / 2, _LEAST))


def _softmax(log: np.ndarray) -> np.ndarray:
    shares = np.exp(log - log.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def offsets_of_means(log: np.ndarray, share: np.ndarray, progress: Progress = silent) -> np.ndarray:
    """Fit one offset for each category, with which the mean probabilities are the shares.

    Parameters
    ----------
    log : (n, q) array
        Logarithms of probabilities.
    share : (q,) array
    progress : callable

    Returns
    -------
    (q,) array
    """
    offset = np.zeros(log.shape[1])
    for number in range(_ROUNDS):
        progress(number / _ROUNDS)
        mean = _softmax(log + offset).mean(axis=0)
        if np.abs(mean - share).max() < 1e-6:
            break
        offset += np.log(np.maximum(share, 1e-12)) - np.log(np.maximum(mean, 1e-12))
    return offset


def offsets_of_choices(
    log: np.ndarray, share: np.ndarray, progress: Progress = silent
) -> np.ndarray:
    """Fit one offset for each category, so that the largest of ``log`` + offset has the shares.

    They are fitted all at once, roughly, and then one after the other until the counts are right (the dual
    of a transportation problem).

    Parameters
    ----------
    log : (n, q) array
        How well each category suits each record; no two alike.
    share : (q,) array
    progress : callable

    Returns
    -------
    (q,) array
    """
    n, q = log.shape
    count = counts_of(share, n)
    offset = np.where(share > 0, np.log(np.maximum(share, 1e-12)), -np.inf)
    for number in range(_ROUGHLY if q > 2 else 0):
        progress(number / _ROUNDS / 2)
        found = np.bincount((log + offset).argmax(axis=1), minlength=q)
        offset += 0.5 * (np.log(np.maximum(count, 0.5)) - np.log(np.maximum(found, 0.5)))
    best = offset, n + 1
    chosen = _Chosen(log, offset)
    every = [one for one in np.argsort(share).tolist() if 0 < count[one] < n]
    for number in range(_ROUNDS):
        off = np.bincount(chosen.first, minlength=q) != count
        # those alone that are wrong would hand the same records on and on
        for category in every if number % 4 == 3 else [one for one in every if off[one]]:
            progress(0.5 + number / _ROUNDS / 2)
            wanted = int(count[category])
            lead = chosen.lead(category)
            chosen.put(
                category,
                float(np.partition(lead, (wanted - 1, wanted))[wanted - 1 : wanted + 1].mean()),
            )
        wrong = int(np.abs(np.bincount(chosen.first, minlength=q) - count).sum())
        if wrong < best[1]:
            best = chosen.offset.copy(), wrong
        if wrong == 0:
            break
    return best[0]


class _Chosen:
    """The best category of each record and the next one, kept as offsets are changed one by one.

    So a category is fitted in the time that it takes to look at the records once, however many
    categories there are.

    Parameters
    ----------
    log : (n, q) array
    offset : (q,) array
    """

    def __init__(self, log: np.ndarray, offset: np.ndarray):
        self.log, self.offset = log, offset.copy()
        self._by_category = np.ascontiguousarray(log.T)
        self.first, self._second = np.zeros((2, len(log)), dtype=np.intp)
        self._top, self._next = np.empty((2, len(log)))
        self._look_at(np.arange(len(log)))

    def lead(self, category: int) -> np.ndarray:
        """By how much the best other category is ahead of one without its offset, ``(n,)``."""
        return self._others(category) - self._by_category[category]

    def put(self, category: int, offset: float) -> None:
        """Change an offset."""
        self.offset[category] = offset
        score = self._by_category[category] + offset
        best, mine = self._others(category), self.first == category
        rival = np.where(mine, self._second, self.first)
        wins = score > best
        # whoever is third now is not known
        lost = ~wins & (mine | ((self._second == category) & (score < self._next)))
        ahead = ~wins & ~mine & (score > self._next)
        self.first = np.where(wins, category, rival)
        self._second = np.where(wins, rival, np.where(ahead, category, self._second))
        self._next = np.where(wins, best, np.where(ahead, score, self._next))
        self._top = np.maximum(score, best)
        self._look_at(np.flatnonzero(lost))

    def _others(self, category: int) -> np.ndarray:
        return np.where(self.first == category, self._next, self._top)

    def _look_at(self, rows: np.ndarray) -> None:
        if not len(rows):
            return
        score = self.log[rows] + self.offset
        every = np.arange(len(rows))
        for place, value in ((self.first, self._top), (self._second, self._next)):
            place[rows] = score.argmax(axis=1)
            value[rows] = score[every, place[rows]]
            score[every, place[rows]] = -np.inf


def counts_of(share: np.ndarray, total: int) -> np.ndarray:
    """Whole numbers with these shares that sum to the total: largest remainders."""
    exact = share / share.sum() * total
    count = np.floor(exact).astype(np.int64)
    more = np.argsort(count - exact, kind="stable")[: total - int(count.sum())]
    count[more] += 1
    return count
