# SPDX-License-Identifier: GPL-2.0-or-later
"""Which record is whose by what nobody compares: an id that was released, or the order of the file.

Whoever has the list from which a release was made finds an id there, or knows that the tenth record
is that of the tenth person. Whether that leads to people is seen by what else the records say: new
ids, and records in random order, pair people with records that fit them no better than others do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...runtime.progress import Progress, interruptible, shares, silent
from ...runtime.wording import Sentence
from ..people import People
from ..variables import Variable
from .inference import holders
from .scoring import INFERENCE, Attack, level_of
from .table import Tables, agree, answers, is_number, sample

#: Fewest pairs that are looked at; how many records before and after are the control; and the chance
#: that pairs of nobody are taken for people and their records.
FEWEST, AROUND, _CHANCE = 20, 5, 1e-3
#: How much oftener than any two those who follow each other have the same where a file is sorted by it.
_RUNS = 0.3
#: Rows by which it is seen how a file repeats itself, and the largest period.
_REPEATS = 2_000, 100


@dataclass(frozen=True)
class Pairing:
    """Records that something else than the compared fields gives to people.

    Attributes
    ----------
    title : Sentence or str
        What he knows, as the part of a sentence.
    people, records : (k,) int arrays
        Rows of originals, each once, and of the release, by the order of what pairs them.
    controls : sequence of ((q, m) array, (q,) int array)
        Others who are paired in the same way with rows of the release, as coded records.
    """

    title: Sentence | str
    people: np.ndarray
    records: np.ndarray
    controls: Sequence[tuple[np.ndarray, np.ndarray]] = ()


def half_away(matrix: np.ndarray) -> np.ndarray:
    """Return for each row another some half a file before or after it, where the file is most like itself.

    Without a reference those who stand there are the control for who stands here: couples stand in turns
    there, too, and samples on plates of as many wells.
    """
    count = len(matrix)
    some, every = sample(count, _REPEATS[0], 35), np.arange(count)
    lags = count // 2 - np.arange(min(_REPEATS[1], max(count // 4, 1)))

    def away(rows: np.ndarray, lag: int) -> np.ndarray:
        return np.where(rows + lag < count, rows + lag, rows - lag)

    alike = [(matrix[away(some, lag)] == matrix[some]).mean() for lag in lags]
    return away(every, int(lags[int(np.argmax(alike))]))


def paired(
    tables: Tables,
    pairings: Sequence[Pairing],
    secrets: Sequence[str] = (),
    progress: Progress = silent,
) -> list[Attack]:
    """Guess secrets from the record that each person is paired with.

    Parameters
    ----------
    tables : Tables
    pairings : sequence of Pairing
    secrets : sequence of str, optional
        Names of variables; all by default.

    Returns
    -------
    list of Attack
        None of pairs that fit no better than chance lets them.

    Notes
    -----
    The control are the records that come before and after: two files sorted by age have people of
    the same age in the same place, who are not the same people. So are, where a pairing names some,
    others who are paired alike: where three come every day, the tenth of any file has the same weekday.
    """
    found: list[Attack] = []
    wanted = [one for one in tables.variables if not secrets or one.name in secrets]
    for pairing, ahead in zip(pairings, shares(progress, max(len(pairings), 1))):
        looked = partial(_looked_up, tables, pairing, wanted)
        found += interruptible(looked, ahead, 1.0) if len(pairing.people) >= FEWEST else []
    return found


@dataclass(frozen=True)
class _Placed:
    """People beside the records that they are paired with, and beside those around these."""

    rows: np.ndarray
    people: np.ndarray
    records: np.ndarray
    neighbours: np.ndarray

    @staticmethod
    def sample_of(matrix: np.ndarray, rows: np.ndarray, records: np.ndarray) -> _Placed:
        """Some of the pairs; those around are by the order of the pairs."""
        some = sample(len(rows), 10_000, 31)
        around = [by for by in range(-AROUND, AROUND + 1) if by]
        neighbours = np.stack([records[(some + by) % len(rows)] for by in around])
        return _Placed(rows[some], matrix[rows[some]], records[some], neighbours)


@dataclass(frozen=True)
class _Told:
    """What the records say of a variable.

    Attributes
    ----------
    truth, right, lucky : (q,) arrays
        Whether the own record says what is true, and how many of those around do.
    nearer : (r,) array
        How much nearer the own one is, of numbers.
    """

    truth: np.ndarray
    right: np.ndarray
    lucky: np.ndarray
    nearer: np.ndarray

    def beyond(self, others: Sequence[_Told]) -> float:
        """By how many standard deviations the own ones tell more than those around, and than others' do."""
        gains = [(one.right - one.lucky, one.nearer) for one in (self, *others)]
        return max(
            min(_beyond(mine, theirs) for theirs in (np.zeros(0), *them))
            for mine, *them in zip(*gains)
        )


def _told(tables: Tables, variable: Variable, placed: _Placed) -> _Told:
    truth, values = answers(variable, placed.people), answers(variable, tables.released)
    tolerance = tables.tolerance(variable)
    right = agree(values[placed.records], truth, tolerance).astype(float)
    lucky = agree(values[placed.neighbours], truth, tolerance).mean(axis=0)
    nearer = np.zeros(0)
    if is_number(variable):
        nearer = _nearer(truth, values, placed.records, placed.neighbours)
    return _Told(truth, right, lucky, nearer)


def _looked_up(tables: Tables, pairing: Pairing, wanted: Sequence[Variable]) -> list[Attack]:
    pairing = _of_others(pairing, tables.whose)
    if len(pairing.people) < FEWEST:
        return []
    placed = _Placed.sample_of(tables.original, pairing.people, pairing.records)
    controls = [
        _Placed.sample_of(matrix, np.arange(len(matrix)), records)
        for matrix, records in pairing.controls
        if len(matrix) >= FEWEST
    ]
    sure, found = level_of(2 * len(tables.variables), _CHANCE), False
    made: list[Attack] = []
    for variable in tables.variables:
        if tables.reference is None and _in_runs(variable, placed.people):
            continue
        mine, *theirs = (_told(tables, variable, one) for one in (placed, *controls))
        found = found or mine.beyond(theirs) > sure
        if variable in wanted:
            made += _attacks(tables, pairing, variable, placed.rows, mine, theirs)
    return made if found else []


def _attacks(
    tables: Tables,
    pairing: Pairing,
    variable: Variable,
    rows: np.ndarray,
    told: _Told,
    others: Sequence[_Told],
) -> Iterator[Attack]:
    """Guess a variable of everybody, and of the holders of each of its values."""
    truth = told.truth
    everybody = Sentence("guesses {field}", field=variable.name), np.ones(len(truth), dtype=bool)
    some = [] if is_number(variable) else [one[:2] for one in holders(variable, truth, truth)]
    for wants, mine in (everybody, *some):
        count, values = int(mine.sum()), np.unique(truth[mine])
        lucky = [float(told.lucky[mine].mean())]
        for one in others:
            alike = one.right if mine.all() else one.right[np.isin(one.truth, values)]
            lucky += [float(alike.mean())] if len(alike) >= FEWEST else []
        yield Attack(
            INFERENCE,
            Sentence(pairing.title),
            wants,
            tables.count if mine.all() else count,
            count,
            float(told.right[mine].sum()),
            count,
            round(max(lucky) * count, 9),
            lucky[0],
            rows=rows[mine & (told.right > 0)],
            names=((), (variable.name,)),
            of_some=not mine.all(),
        )


def _in_runs(variable: Variable, people: np.ndarray) -> bool:
    """Tell whether people of the same value stand together, as in files that are sorted by it.

    Any two such files have the same in the same place, but for where one value ends.
    """
    values = answers(variable, people)
    share = np.unique(values[~np.isnan(values)], return_counts=True)[1] / max(len(values), 1)
    return float((values[1:] == values[:-1]).mean() - (share**2).sum()) > _RUNS


def _of_others(pairing: Pairing, whose: People | None) -> Pairing:
    """One pair of each person: what comes before and after is other people's then."""
    if whose is None:
        return pairing
    order = np.random.default_rng(32).permutation(len(pairing.people))
    kept = np.sort(order[np.unique(whose.of[pairing.people[order]], return_index=True)[1]])
    return replace(pairing, people=pairing.people[kept], records=pairing.records[kept])


def _nearer(truth: np.ndarray, values: np.ndarray, records, neighbours) -> np.ndarray:
    """How much nearer by rank the own record is than those around it."""
    order = np.sort(values[~np.isnan(values)])
    own, theirs = (
        (np.searchsorted(order, one) + np.searchsorted(order, one, "right")) / 2
        for one in (truth, values)
    )
    there = (
        ~np.isnan(truth) & ~np.isnan(values[records]) & ~np.isnan(values[neighbours]).any(axis=0)
    )
    gap = np.abs(theirs[neighbours] - own).mean(axis=0) - np.abs(theirs[records] - own)
    return gap[there]


def _beyond(gap: np.ndarray, others: np.ndarray) -> float:
    """By how many standard deviations a mean is above nothing, or above that of others."""
    if len(gap) < FEWEST:
        return 0.0
    mean, off = float(gap.mean()), float(gap.var()) / len(gap)
    if len(others) >= FEWEST:
        mean, off = mean - float(others.mean()), off + float(others.var()) / len(others)
    return mean / float(np.sqrt(off)) if off > 0 else (np.inf if mean > 0 else 0.0)
