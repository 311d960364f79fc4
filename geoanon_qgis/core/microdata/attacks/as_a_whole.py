# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by what a release is as a whole, though no record is like hers.

What a sample is by a law that is fitted to it (averages and correlations, or the shares of classes) is off its
population's, towards its own people. Who keeps that releases who they are. So everybody is named who is likelier by the
law of the release than by that of other people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np

from ...runtime.progress import Progress, weighted
from ...runtime.wording import Sentence, mark
from ..matrices import copied
from ..people import People
from .membership import WRONGLY, named_by
from .scoring import Attack
from .table import Tables

#: By what a release as a whole is held against other people, in words; ``what`` is what is known of a person.
BY_MOMENTS = mark("{what}, and averages and correlations of other people,")
BY_CLASSES = mark("{what}, and how many other people are in each of {classes} classes of a field,")
BY_TWO = mark("{what}, and how many other people are in every two of {classes} classes of fields,")
BY_PRESENCE = mark("{fields} of a person, and looks whether any record has each value,")
BY_WITHIN = mark("{what}, and averages and correlations of other people of the same {fields},")
BY_NUMBERS_WITHIN = mark(
    "{what}, and averages and correlations of numbers of other people of the same {fields},"
)
#: Parts of the others of whom each is held against the law of the rest.
_PARTS = 10
#: Least share of the people who are not told by their population, by whom it is said how many would be found.
_SEEN = 0.01


def knows(by: str, known: Sequence[str], **values: int | str) -> Sentence:
    """What an adversary knows, everything of a person where nothing is named."""
    what = Sentence("what is known of a person") if known else Sentence("everything of a person")
    return Sentence(by, what=what, **values)


def is_as_a_whole(attack: Attack) -> bool:
    """Tell whether an attack goes by what a release is as a whole, so that no record needs to be near."""
    ways = BY_MOMENTS, BY_CLASSES, BY_TWO, BY_WITHIN, BY_NUMBERS_WITHIN, BY_PRESENCE
    return getattr(attack.knows, "template", "") in ways


class Law(Protocol):
    """What is told of some records as a whole."""

    @property
    def count(self) -> int:
        """How many records these are."""

    def __add__(self, other: Any) -> Any:
        """The same of the records of both."""

    def unlike(self, seen: np.ndarray, others: Any) -> np.ndarray:
        """Minus twice the logarithm of how much likelier people are by this law than by that of others, (b,)."""


class View(Protocol):
    """How records are looked at."""

    def of(self, block: np.ndarray) -> np.ndarray:
        """See coded records."""

    def laws(
        self,
        matrix: np.ndarray,
        progress: Progress,
        which: np.ndarray | None = None,
        parts: int = 1,
    ) -> list:
        """Law of the records of a table that are in each part; all are in one where none is told."""


def by_law(view: View, tables: Tables, said: Sentence, progress: Progress) -> list[Attack]:
    """Name as members those who are likelier by the law of the release than by other people's.

    Parameters
    ----------
    view : View
    tables : Tables
        With a reference.
    said : Sentence
        What he knows.

    Returns
    -------
    list of Attack
        One; none where there are too few people.

    Notes
    -----
    Each tenth of the reference, and of the people, is held against the law of the other nine tenths, so that
    nobody of either is among those whom she is compared with. What the file's other nine tenths tell of the last one
    as well, if they are taken for the release, is how the population of the file differs from that of the reference,
    and no find. Of those who are told by it nobody sees what the release tells besides: as many as of the rest are
    taken to be found of them, at the upper end.
    """
    if tables.reference is None or min(len(tables.reference), len(tables.original)) < 2 * _PARTS:
        return []
    of_released, *of_samples, of_parts = weighted(progress, 1, 1, 1, 0.5)
    released = view.laws(tables.released, of_released)[0]
    samples = (
        _Sample.of(view, tables.original, tables.people(), tables.whose, of_samples[0]),
        _Sample.of(view, tables.reference, tables.control(), tables.reference_whose, of_samples[1]),
    )
    # Of people and control: against the release, and against the other people of the file.
    found = np.zeros((2, len(samples[0].rows))), np.zeros((2, len(samples[1].rows)))
    for at in range(_PARTS):
        of_parts(at / _PARTS)
        own, others = (_all_but(one.parts, at) for one in samples)
        if min(own.count, others.count) < 2:
            continue
        for sample_of, measure in zip(samples, found):
            there = sample_of.which == at
            asked = sample_of.seen[there]
            measure[:, there] = released.unlike(asked, others), own.unlike(asked, others)
    people, control = (one.rows for one in samples)
    told, explained = (
        named_by(
            said,
            tables.count,
            people[tables.one_each(people, mine)],
            mine[tables.one_each(people, mine)],
            theirs[tables.one_each_of_control(control, theirs)],
            crosswise=True,
        )
        for mine, theirs in zip(*found)
    )
    besides = max(0.0, explained.success - explained.control)
    of_parts(1.0)
    right = min(told.control_right + besides * told.control_tried, float(told.control_tried))
    made = replace(told, control_right=right)
    hidden = min(besides, 1 - _SEEN)
    return [replace(made, unseen=made.excess()[2] * hidden / (1 - hidden))]


def _all_but(parts: Sequence[Law], left_out: int) -> Law:
    return reduce(add, [one for at, one in enumerate(parts) if at != left_out])


@dataclass(frozen=True)
class _Sample:
    """People who are asked for, in which part each is, and the laws of all records of each part."""

    rows: np.ndarray
    seen: np.ndarray
    which: np.ndarray
    parts: list

    @classmethod
    def of(
        cls,
        view: View,
        matrix: np.ndarray,
        rows: np.ndarray,
        whose: People | None,
        progress: Progress,
    ) -> _Sample:
        """All records of a person are in the same part."""
        people = np.arange(len(matrix)) if whose is None else whose.of
        which = np.random.default_rng(43).integers(0, _PARTS, len(matrix))[people]
        parts = view.laws(matrix, progress, which, _PARTS)
        return cls(rows, view.of(copied(matrix, rows)), which[rows], parts)


def told_share(adds: float, apart: float) -> float:
    """Share of the people whom a law would tell, where there are no others to try it on.

    Parameters
    ----------
    adds : float
        By how much, squared and in units of what a person adds, the law of so many people is off their population's.
    apart : float
        How far the release's is off theirs.

    Returns
    -------
    float
        Of those whom an adversary names who knows the law of the population, and names one in twenty others: what is
        found beyond these, if the release was made of the originals.

    Notes
    -----
    A person's likelihood ratio is higher by ``adds`` on average if she is in the file, and its variance is
    ``adds + apart`` (Dwork et al. 2015, Robust traceability from trace amounts, *FOCS*).
    """
    if adds <= 0:
        return 0.0
    law = NormalDist()
    return max(0.0, law.cdf(adds / np.sqrt(adds + apart) + law.inv_cdf(WRONGLY)) - WRONGLY)
