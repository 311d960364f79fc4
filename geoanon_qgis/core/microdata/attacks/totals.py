# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by a total: the amounts of a record are others, and add up to what a person's do.

Who deals a person's amounts out anew, adds noise that adds up to nothing, or gives each the name of another one leaves
their total, to the last digit. Of amounts of some thousands hardly anybody else has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, part, shares, silent, weighted
from ...runtime.wording import Sentence
from ..matrices import block_rows
from ..variables import Variable
from .derived import Numbers, natural
from .scoring import MEMBERSHIP, Attack
from .table import Tables, sample

#: Most totals that are tried, the shortest first, and that of all numbers.
_TOTALS = 1_000
#: People of each table, and records, by whom it is seen which totals are kept; standard deviations that one of so many
#: is not off by chance.
_PEOPLE, _RECORDS, SURE = 2_000, 20_000, 5.5
#: Steps that totals are put off, of ones and of tens, as people round to these.
OFF = (1, 2, 3), (10, 20, 30)
#: Of numbers without steps: the share of the largest one to which totals are the same.
STEP = 1e-8


def by_totals(
    tables: Tables,
    released: np.ndarray,
    known: Sequence[str] = (),
    progress: Progress = silent,
) -> list[Attack]:
    """Name as members those whose total of several numbers a released record has.

    Parameters
    ----------
    tables : Tables
    released : (p, m) array
        The release before columns in other units were taken back.
    known : sequence of str
        What is known of people; everything where nothing is named.

    Returns
    -------
    list of Attack
        By the numbers side by side whose total most people share with a record beyond the control; none where no total
        is surely kept.

    Notes
    -----
    The control are people of the reference or, if more, those of the file whose total somebody else of it has, too:
    a year, or what an office pays to everybody, is the same for many, and may be another one in the reference. Or, if
    these are more, people whose totals were put some steps off: how many have that of a record hangs on how many different
    ones there are.
    """
    numbers = Numbers.of(tables, {one.name for one in tables.known(known)}).all
    runs = _runs(len(numbers))
    if not runs:
        return []
    of_sample, of_runs, of_all = weighted(progress, 1, 8, 2)
    rows = Rows.of(tables, released)
    some = _Amounts.of(tables, released, numbers, rows.some(), of_sample)
    surely = []
    for at in chunks(len(runs), 1, of_runs):
        surely.append(some.surely(*runs[at.start]))
    if max(surely) < SURE:
        return []
    first, last = runs[int(np.argmax(surely))]
    kept = numbers[first:last]
    every = _Amounts.of(tables, released, kept, rows, part(of_all, 0.0, 0.5))
    hits, alike, theirs = interruptible(partial(every.shared, 0, len(kept)), of_all, 0.5)
    knows = Sentence(
        "{total} of a person, to the last digit,", total=" + ".join(one.name for one in kept)
    )
    progress(1.0)
    return [told_exactly(tables, rows, knows, hits, alike, theirs)]


def _runs(count: int) -> list[tuple[int, int]]:
    """First and last of numbers that stand side by side, few of them first, and all."""
    every = [(at, at + width) for width in range(2, count + 1) for at in range(count - width + 1)]
    return every if len(every) <= _TOTALS else [*every[: _TOTALS - 1], every[-1]]


@dataclass(frozen=True)
class Rows:
    """Rows that are looked at: people of the file, of the control, released records and originals."""

    people: np.ndarray
    control: np.ndarray
    released: np.ndarray
    original: np.ndarray

    @classmethod
    def of(cls, tables: Tables, released: np.ndarray) -> Rows:
        """All who are attacked, among all."""
        count = 0 if tables.reference is None else len(tables.reference)
        control = tables.control() if count else np.arange(0)
        return cls(
            tables.people(), control, np.arange(len(released)), np.arange(len(tables.original))
        )

    def asked(
        self, tables: Tables, released: np.ndarray
    ) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """The table of each, and the rows: people, control, released records, originals."""
        reference = released[:0] if tables.reference is None else tables.reference
        return (
            (tables.original, self.people),
            (reference, self.control),
            (released, self.released),
            (tables.original, self.original),
        )

    def own(self, tables: Tables) -> tuple[np.ndarray, np.ndarray]:
        """Whose each of the people, and of the originals, is."""
        whose = np.arange(len(tables.original)) if tables.whose is None else tables.whose.of
        return whose[self.people], whose[self.original]

    def some(self) -> Rows:
        """Few of each."""
        people, control = (
            one[sample(len(one), _PEOPLE, 82)] for one in (self.people, self.control)
        )
        original = self.original[sample(len(self.original), _RECORDS, 83)]
        # no more records than others of the file: of more of them, more have anything
        released = self.released[sample(len(self.released), max(1, len(original) - 1), 83)]
        return Rows(people, control, released, original)


@dataclass(frozen=True)
class _Amounts:
    """Amounts of which totals are asked for; not a number where one is missing.

    Attributes
    ----------
    people, control, released, original : (., k) arrays
    steps : (k,) array
        By which each goes.
    own, whose : (q,), (n,) int arrays
        Whose each of the people, and of the originals, is.
    """

    people: np.ndarray
    control: np.ndarray
    released: np.ndarray
    original: np.ndarray
    steps: np.ndarray
    own: np.ndarray
    whose: np.ndarray

    @classmethod
    def of(
        cls,
        tables: Tables,
        released: np.ndarray,
        numbers: Sequence[Variable],
        rows: Rows,
        progress: Progress,
    ) -> _Amounts:
        """Of some numbers of some rows."""
        asked = rows.asked(tables, released)
        people, control, records, original = (
            _amounts(numbers, matrix, some, ahead)
            for (matrix, some), ahead in zip(asked, shares(progress, 4))
        )
        spread = np.nan_to_num(np.nanmax(np.abs(original), axis=0, initial=0.0))
        steps = [one.resolution or STEP * wide or 1.0 for one, wide in zip(numbers, spread)]
        return cls(people, control, records, original, np.array(steps), *rows.own(tables))

    def shared(
        self, first: int, last: int
    ) -> tuple[np.ndarray, list[list[np.ndarray]], np.ndarray]:
        """Who has the total of some numbers of a released record, and who of the control does.

        Returns
        -------
        hits : (q,) bool array
        alike : list of list of (q,) bool array
            Who has the total of somebody else of the file; and who would have that of a record if hers were some steps
            off, so many of either sign.
        theirs : (s,) bool array
            Of the reference.
        """
        step = self.steps[first:last].min()
        people, control, released, original = (
            np.rint(one[:, first:last].sum(axis=1) / step)
            for one in (self.people, self.control, self.released, self.original)
        )
        others = others_have(people, self.own, original, self.whose)
        released.sort()  # once: each of these is looked for many times
        off = [
            [are_there(people + sign * by, released) for by in some for sign in (1, -1)]
            for some in OFF
        ]
        return are_there(people, released), [[others], *off], are_there(control, released)

    def surely(self, first: int, last: int) -> float:
        """By how many standard deviations more people of the file than others share a total with a record."""
        mine, alike, control = self.shared(first, last)
        return surely_more(mine, [*alike, [control]])


def told_exactly(
    tables: Tables,
    rows: Rows,
    knows: Sentence,
    hits: np.ndarray,
    alike: Sequence[Sequence[np.ndarray]],
    theirs: np.ndarray,
) -> Attack:
    """Name as members those of whom something is in the release.

    Parameters
    ----------
    tables : Tables
    rows : Rows
    knows : Sentence
        What is known of a person.
    hits, theirs : (q,), (s,) bool arrays
        Of the people and of the reference.
    alike : sequence of sequences of (q,) bool arrays
        Of the people for other reasons, each a control; the mean of some.

    Notes
    -----
    Who has several records is looked up by any of them; so is each control, for that is easier the more there are.
    """
    own = tables.one_each(rows.people, 1.0 - hits)
    controls = [
        [each[tables.one_each(rows.people, 1.0 - each)] for each in several] for several in alike
    ]
    controls.append([theirs[tables.one_each_of_control(rows.control, 1.0 - theirs)]])
    others = max(controls, key=share_of)
    return Attack(
        MEMBERSHIP,
        knows,
        Sentence("tells that she is in the file"),
        tables.count,
        len(own),
        float(hits[own].sum()),
        len(others[0]),
        share_of(others) * len(others[0]),
        share_of(others),
        rows=rows.people[own][hits[own]],
    )


def others_have(
    values: np.ndarray, own: np.ndarray, original: np.ndarray, whose: np.ndarray
) -> np.ndarray:
    """Of whom somebody else has the value; ``own`` and ``whose`` say who has values, and originals."""
    order = np.lexsort((whose, original))
    original, whose = original[order], whose[order]
    low, high = np.searchsorted(original, values), np.searchsorted(original, values, "right")
    most = len(original) - 1
    return (high > low) & ((whose[np.minimum(low, most)] != own) | (whose[high - 1] != own))


def are_there(values: np.ndarray, ordered: np.ndarray) -> np.ndarray:
    """Which values are among others that are sorted."""
    at = np.searchsorted(ordered, values)
    return ordered[np.minimum(at, len(ordered) - 1)] == values


def surely_more(mine: np.ndarray, controls: Sequence[Sequence[np.ndarray]]) -> float:
    """By how many standard deviations more people of the file are hit than of any control."""
    theirs = max(map(share_of, controls))
    together = (mine.mean() + theirs) / 2
    off = np.sqrt(together * (1 - together) * 2 / len(mine))
    return float((mine.mean() - theirs) / max(off, 1e-12))


def share_of(several: Sequence[np.ndarray]) -> float:
    """Share of the hits, on average."""
    return float(np.mean(several)) if len(several[0]) else -1.0


def _amounts(
    numbers: Sequence[Variable], matrix: np.ndarray, rows: np.ndarray, progress: Progress
) -> np.ndarray:
    made = np.empty((len(rows), len(numbers)))
    for some in chunks(len(rows), block_rows(matrix.shape[1]), progress):
        block = matrix[rows[some]]
        for at, one in enumerate(numbers):
            made[some, at] = natural(one, block)
    return made
