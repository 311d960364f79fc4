# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by the place alone: who lives near a released point is taken to be in the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...runtime.progress import Progress, shares, silent, weighted
from ...runtime.wording import Sentence, mark
from ..distinct import distinct_rows
from ..matrices import copied
from ..nearest import Records
from ..people import People
from .membership import log_ratio, measured_rows, membership, named_by, of_fields
from .scoring import Attack
from .table import Tables

#: Who lives farthest from other people: shares of all homes, and what is known of them.
_REMOTE = (
    (0.05, mark("the place, and that next to nobody lives farther from others,")),
    (0.1, mark("the place, and that hardly anybody lives farther from others,")),
    (0.3, mark("the place, and that few live farther from others,")),
)
#: Fewest homes that are looked at by themselves.
_FEWEST = 12


def by_place(
    tables: Tables, limit: float, known: Sequence[str] = (), progress: Progress = silent
) -> list[Attack]:
    """Name as members by the place; by that beside how near others live; and those who live alone.

    In the country somebody is near to nobody, so that a released point far off, but nearer than
    to people who are not in the file, tells of her. All that is made of a map of where the people
    of the file live is seen by this, whatever the other fields say.

    Who lives in one place is in the file together: such people are taken for one, as a person's
    several records are. How near others live is asked of all homes there are, of the file and of the
    reference alike: where whole hamlets are drawn, nobody of hers is in the reference. Without a
    reference it is not asked, as records of the file lie as near to each other as a release of
    other people would to them.

    Parameters
    ----------
    tables : Tables
    limit : float
        The acceptable share of people found. Attacks on too few homes to be held against it are of
        some people, who count where they are surely found.
    known : sequence of str
        What is known, if it is named; without the place nothing is tried.
    """
    names = [one.name for one in tables.variables if one.name in tables.place]
    if not names or (known and not set(names) <= set(known)):
        return []
    of_homes, of_distances, of_members = weighted(progress, 1, 4, 5)
    columns, homes = tables.columns(names), tables
    if tables.whose is None:
        living, theirs = (
            None if one is None else People(distinct_rows(one, ahead, columns).of_row)
            for one, ahead in zip((tables.original, tables.reference), shares(of_homes, 2))
        )
        homes = replace(tables, whose=living, reference_whose=theirs)
        homes.draw(of_homes, 1.0)
    made, distance, other = of_fields(homes, names, of_distances)
    alone = Sentence("the place alone")
    if tables.reference is None:
        found = [membership(made, distance, other, of_members, alone)]
    else:
        found = _beside_homes(made, distance, alone, of_members)
    found = [replace(one, of_some=one.of_some or one.is_blunt(limit)) for one in found]
    if homes is tables:
        return found
    assert homes.whose is not None
    everybody = [homes.whose.rows(homes.whose.of[one.rows]) for one in found]
    return [
        replace(one, people=one.people if one.of_some else tables.count, rows=rows)
        for one, rows in zip(found, everybody)
    ]


def _beside_homes(
    tables: Tables, distance: np.ndarray, alone: Sentence, progress: Progress
) -> list[Attack]:
    """Attacks by the place of tables of places, with a reference; the first without other homes."""
    assert tables.reference is not None
    of_records, of_control, of_homes, of_people, of_others = shares(progress, 5)
    people, rows = measured_rows(distance), tables.control()
    records = Records(np.ascontiguousarray(tables.released), of_records)
    theirs = copied(tables.reference, rows)
    near, other = distance[people], records.nearest(theirs, 1, of_control)[1][:, 0]
    # The nearest is the own home, for people of the file and of the reference alike.
    there = Records(np.concatenate([tables.original, tables.reference]), of_homes)
    away, off = (
        there.nearest(asked, 2, ahead)[1][:, 1]
        for asked, ahead in ((copied(tables.original, people), of_people), (theirs, of_others))
    )
    one, each = tables.one_each(people, near), tables.one_each_of_control(rows, other)
    people, near, away, other, off = people[one], near[one], away[one], other[each], off[each]
    ratio, beside = log_ratio(near, away), log_ratio(other, off)
    knows = Sentence("the place, and how near to it other people live,")
    found = [
        named_by(alone, tables.count, people, near, other),
        named_by(knows, tables.count, people, ratio, beside),
    ]
    for share, who in _REMOTE:
        least = np.quantile(np.concatenate([away, off]), 1 - share)
        mine, some = away > least, off > least
        if min(mine.sum(), some.sum()) >= _FEWEST:
            made = named_by(
                Sentence(who),
                int(mine.sum()),
                people[mine],
                ratio[mine],
                beside[some],
                crosswise=True,
            )
            found.append(replace(made, of_some=True))
    return found
