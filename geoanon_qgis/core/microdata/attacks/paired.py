# SPDX-License-Identifier: GPL-2.0-or-later
"""Which record is whose by what nobody compares: an id that was released, or the order of the file.

Whoever has the list from which a release was made finds an id there, or knows that the tenth record
is that of the tenth person. Whether that leads to people is seen by what else the records say: new
ids, and records in random order, pair people with records that fit them no better than others do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
_FEWEST, AROUND, _CHANCE = 20, 5, 1e-3


@dataclass(frozen=True)
class Pairing:
    """Records that something else than the compared fields gives to people.

    Attributes
    ----------
    title : Sentence or str
        What he knows, as the part of a sentence.
    people, records : (k,) int arrays
        Rows of originals, each once, and of the release, by the order of what pairs them.
    """

    title: Sentence | str
    people: np.ndarray
    records: np.ndarray


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
    the same age in the same place, who are not the same people.
    """
    found: list[Attack] = []
    wanted = [one for one in tables.variables if not secrets or one.name in secrets]
    for pairing, ahead in zip(pairings, shares(progress, max(len(pairings), 1))):
        looked = partial(_looked_up, tables, pairing, wanted)
        found += interruptible(looked, ahead, 1.0) if len(pairing.people) >= _FEWEST else []
    return found


def _looked_up(tables: Tables, pairing: Pairing, wanted: Sequence[Variable]) -> list[Attack]:
    pairing = _of_others(pairing, tables.whose)
    count = len(pairing.people)
    if count < _FEWEST:
        return []
    around = [by for by in range(-AROUND, AROUND + 1) if by]
    at = np.arange(count)
    some = sample(count, 10_000, 31)
    neighbours = np.stack([pairing.records[(at + by) % count] for by in around])[:, some]
    people, records = pairing.people[some], pairing.records[some]
    sure, found = level_of(2 * len(tables.variables), _CHANCE), False
    told = []
    for variable in tables.variables:
        truth, values = (
            answers(variable, tables.original[people]),
            answers(variable, tables.released),
        )
        tolerance = tables.tolerance(variable)
        right = agree(values[records], truth, tolerance).astype(float)
        lucky = agree(values[neighbours], truth, tolerance).mean(axis=0)
        found = found or _beyond(right - lucky) > sure
        if is_number(variable):
            found = found or _beyond(_nearer(truth, values, records, neighbours)) > sure
        if variable in wanted:
            told.append((variable, truth, right, lucky))
    if not found:
        return []
    return [
        Attack(
            INFERENCE,
            Sentence(pairing.title),
            wants,
            tables.count if mine.all() else int(mine.sum()),
            int(mine.sum()),
            float(right[mine].sum()),
            int(mine.sum()),
            round(float(lucky[mine].sum()), 9),
            float(lucky[mine].mean()),
            rows=people[mine & (right > 0)],
            names=((), (variable.name,)),
            of_some=not mine.all(),
        )
        for variable, truth, right, lucky in told
        for wants, mine, _ in [
            (
                Sentence("guesses {field}", field=variable.name),
                np.ones(len(truth), dtype=bool),
                None,
            ),
            *([] if is_number(variable) else holders(variable, truth, truth)),
        ]
    ]


def _of_others(pairing: Pairing, whose: People | None) -> Pairing:
    """One pair of each person: what comes before and after is other people's then."""
    if whose is None:
        return pairing
    order = np.random.default_rng(32).permutation(len(pairing.people))
    kept = np.sort(order[np.unique(whose.of[pairing.people[order]], return_index=True)[1]])
    return Pairing(pairing.title, pairing.people[kept], pairing.records[kept])


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


def _beyond(gap: np.ndarray) -> float:
    """By how many standard deviations a mean is above nothing."""
    if len(gap) < _FEWEST:
        return 0.0
    spread = float(gap.std()) / np.sqrt(len(gap))
    return float(gap.mean()) / spread if spread > 0 else (np.inf if gap.mean() > 0 else 0.0)
