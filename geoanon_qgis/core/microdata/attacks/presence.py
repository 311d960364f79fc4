# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by which values a release has at all.

Who draws each value of a release from those of the file, many times over, keeps no record, no value that stands in one
record alone, and hardly the shares of a class. But all values of the file's people are there, and of other people some are
not: of two amounts that go by some thousand steps hardly anybody else has both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...runtime.progress import Progress, interruptible, part, shares, silent, weighted
from ...runtime.wording import Sentence
from ..variables import Variable
from .as_a_whole import BY_PRESENCE
from .derived import natural
from .scoring import Attack
from .table import Tables, answers, is_number
from .totals import OFF, STEP, SURE, Rows, are_there, others_have, surely_more, told_exactly

#: Standard deviations by which more people of the file than others have a value that is there, for a field to be asked.
_ASKED = 3.0


def by_presence(
    tables: Tables,
    released: np.ndarray,
    known: Sequence[str] = (),
    progress: Progress = silent,
) -> list[Attack]:
    """Name as members those of whom a release has each value of some fields, in whichever record.

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
        By the fields by which most people are told beyond the control; none where these are not surely more.

    Notes
    -----
    The control are people of the reference or, if these are more, those of the file whose values somebody else of it has,
    each: codes that many have are in any release. Or, if more of them would be there, those whose numbers were put some steps
    off, as in :func:`.totals.by_totals`.
    A larger release has more of all values than the others of the file have. So it counts that as many of its records as there are
    of these have surely more.
    """
    fields = [one for one in tables.known(known) if one.name not in tables.place]
    if not len(released):
        return []
    of_fields, of_all = weighted(progress, 3, 1)
    rows = Rows.of(tables, released)
    some = rows.some()
    each = []
    for one, ahead in zip(fields, shares(of_fields, len(fields))):
        each.append(interruptible(partial(_There.of, tables, released, one, some), ahead))
    alone = np.array([one.surely for one in each])
    order = [at for at in np.argsort(-alone, kind="stable").tolist() if alone[at] >= _ASKED]
    together = [_There.all_of([each[at] for at in order[: k + 1]]) for k in range(len(order))]
    surely = [one.surely for one in together]
    if not surely or max(surely) < SURE:
        return []
    chosen = [fields[at] for at in sorted(order[: int(np.argmax(surely)) + 1])]
    every = []
    for one, ahead in zip(chosen, shares(part(of_all, 0.0, 0.9), len(chosen))):
        every.append(interruptible(partial(_There.of, tables, released, one, rows), ahead))
    there = _There.all_of(every)
    knows = Sentence(BY_PRESENCE, fields=", ".join(one.name for one in chosen))
    progress(1.0)
    controls = [[there.alike], *there.off]
    return [told_exactly(tables, rows, knows, there.people, controls, there.control)]


@dataclass(frozen=True)
class _There:
    """Of whom some record has the value of a field, or of each of several.

    Attributes
    ----------
    people, control : (q,), (s,) bool arrays
        People of the file, and of the reference.
    alike : (q,) bool array
        Whose value somebody else of the file has.
    off : list of list of (q,) bool array
        People of the file, were their numbers some steps off, so many of either sign; empty where there are none.
    """

    people: np.ndarray
    control: np.ndarray
    alike: np.ndarray
    off: list[list[np.ndarray]]

    @classmethod
    def of(cls, tables: Tables, released: np.ndarray, field: Variable, rows: Rows) -> _There:
        """Of one field."""
        own, width = field.columns, field.columns.stop - field.columns.start
        field = replace(field, columns=slice(0, width))
        values = [
            _values(field, matrix[some, own]) for matrix, some in rows.asked(tables, released)
        ]
        if is_number(field):
            wide = float(np.nanmax(np.abs(values[0]), initial=0.0))
            step = field.resolution or STEP * wide or 1.0
            values = [np.rint(one / step) for one in values]
        # what is missing is there where it is missing in some record
        gone = float(np.finfo(float).max)
        people, control, records, original = (np.nan_to_num(one, nan=gone) for one in values)
        records = np.unique(records)
        mine, whose = rows.own(tables)
        alike = others_have(people, mine, original, whose)
        off = [
            [are_there(people + sign * by, records) for by in some for sign in (1, -1)]
            for some in (OFF if is_number(field) else ())
        ]
        return cls(are_there(people, records), are_there(control, records), alike, off)

    @classmethod
    def all_of(cls, several: Sequence[_There]) -> _There:
        """Of whom each value is there; those of categories are not put off."""
        with_off = [one for one in several if one.off]
        everybody = np.ones(len(several[0].people), dtype=bool)
        asis = np.logical_and.reduce([everybody, *(one.people for one in several if not one.off)])
        off = [
            [asis & np.logical_and.reduce(list(same)) for same in zip(*some)]
            for some in zip(*(one.off for one in with_off))
        ]
        return cls(
            np.logical_and.reduce([one.people for one in several]),
            np.logical_and.reduce([one.control for one in several]),
            np.logical_and.reduce([one.alike for one in several]),
            off,
        )

    @property
    def surely(self) -> float:
        """By how many standard deviations more people of the file than others have what is there."""
        return surely_more(self.people, [*self.off, [self.control], [self.alike]])


def _values(field: Variable, block: np.ndarray) -> np.ndarray:
    return natural(field, block) if is_number(field) else answers(field, block)
