# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by the place alone: who lives near a released point is taken to be in the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...runtime.progress import Progress, shares, silent, weighted
from ...runtime.wording import Sentence, mark
from ..distinct import distinct_rows
from ..matrices import copied
from ..nearest import Records
from ..people import People
from .in_part import InPart, beyond_chance
from .membership import log_ratio, measured_rows, membership, named_by, of_columns
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
#: Chance that a home is listed of a release of other people; more where whole hamlets are drawn.
_LEVEL = 5e-4
#: Homes that are listed at the least: a point upon one or two is met by chance now and then.
_SEVERAL = 3


@dataclass(frozen=True, eq=False)
class Homes:
    """Homes, as if each were a person, beside the release and other homes.

    Attributes
    ----------
    tables : Tables
        Of places alone. With a reference, who lives in one place is in the file together: such people
        are taken for one, as a person's several records are.
    count : int
        How many people there are.
    people : (q,) int array
        An original of each home that is looked at.
    near, other : (q,), (s,) arrays
        How far the nearest released point is from homes of the file, and of the reference.
    away, off : (q,), (s,) arrays
        How far the nearest other home is from either, of all homes of both: where whole hamlets are
        drawn, nobody of hers is in the reference. Empty without a reference, as records of the
        file lie as near to each other as a release of other people would to them.
    distance, others : (n,) arrays
        How far the nearest released point, and the nearest other original, is from originals.
    of_homes : bool
        Whether people were taken for one by where they live, not by whose record each is.
    """

    tables: Tables
    count: int
    people: np.ndarray
    near: np.ndarray
    other: np.ndarray
    away: np.ndarray
    off: np.ndarray
    distance: np.ndarray
    others: np.ndarray
    of_homes: bool

    @property
    def beside(self) -> tuple[np.ndarray, np.ndarray]:
        """Logarithms of how far a released point is, over how far the nearest other home is."""
        return log_ratio(self.near, self.away), log_ratio(self.other, self.off)

    def everybody(self, rows: np.ndarray) -> np.ndarray:
        """All originals who live where some do; themselves where whose record each is was told."""
        if not self.of_homes:
            return rows
        assert self.tables.whose is not None
        return self.tables.whose.rows(self.tables.whose.of[rows])


def homes_beside(
    tables: Tables, known: Sequence[str] = (), progress: Progress = silent
) -> Homes | None:
    """Measure homes; None where the place takes no part or, of what is named, is not known."""
    names = [one.name for one in tables.variables if one.name in tables.place]
    if not names or (known and not set(names) <= set(known)):
        return None
    of_homes, of_distances, of_others = weighted(progress, 1, 4, 4)
    columns, homes = tables.columns(names), tables
    # Without a reference neighbours of one house are the control as they are: flats are dealt out one by one.
    if tables.whose is None and tables.reference is not None:
        living, theirs = (
            People(distinct_rows(one, ahead, columns).of_row)
            for one, ahead in zip((tables.original, tables.reference), shares(of_homes, 2))
        )
        homes = replace(tables, whose=living, reference_whose=theirs)
        homes.draw(of_homes, 1.0)
    made, distance, others = of_columns(homes, columns, of_distances)
    people, none, ours = measured_rows(distance), np.zeros(0), homes is not tables
    near = distance[people]
    one = made.one_each(people, near)
    people, near = people[one], near[one]
    if made.reference is None:
        return Homes(made, tables.count, people, near, none, none, none, distance, others, ours)
    of_records, of_control, of_places, of_people, of_off = shares(of_others, 5)
    rows = made.control()
    records = Records(np.ascontiguousarray(made.released), of_records)
    theirs_at = copied(made.reference, rows)
    other = records.nearest(theirs_at, 1, of_control)[1][:, 0]
    each = made.one_each_of_control(rows, other)
    # The nearest is the own home, for people of the file and of the reference alike.
    there = Records(np.concatenate([made.original, made.reference]), of_places)
    away, off = (
        there.nearest(asked, 2, ahead)[1][:, 1]
        for asked, ahead in ((copied(made.original, people), of_people), (theirs_at[each], of_off))
    )
    other = other[each]
    return Homes(made, tables.count, people, near, other, away, off, distance, others, ours)


def by_place(homes: Homes | None, limit: float, progress: Progress = silent) -> list[Attack]:
    """Name as members by the place; by that beside how near others live; and those who live alone.

    In the country somebody is near to nobody, so that a released point far off, but nearer than
    to people who are not in the file, tells of her. All that is made of a map of where the people
    of the file live is seen by this, whatever the other fields say.

    Parameters
    ----------
    homes : Homes or None
    limit : float
        The acceptable share of people found. Attacks on too few homes to be held against it are of
        some people, who count where they are surely found.
    """
    if homes is None:
        return []
    alone = Sentence("the place alone")
    if homes.tables.reference is None:
        found = [membership(homes.tables, homes.distance, homes.others, progress, alone)]
    else:
        found = _beside_homes(homes, alone)
    return [
        replace(one, of_some=one.of_some or one.is_blunt(limit), rows=homes.everybody(one.rows))
        for one in found
    ]


def _beside_homes(homes: Homes, alone: Sentence) -> list[Attack]:
    """Attacks with a reference; the first without other homes."""
    beside, others = homes.beside
    knows = Sentence("the place, and how near to it other people live,")
    found = [
        named_by(alone, homes.count, homes.people, homes.near, homes.other),
        named_by(knows, homes.count, homes.people, beside, others),
    ]
    for share, who in _REMOTE:
        least = np.quantile(np.concatenate([homes.away, homes.off]), 1 - share)
        mine, some = homes.away > least, homes.off > least
        if min(mine.sum(), some.sum()) < _FEWEST:
            continue
        people = homes.people[mine]
        count = len(homes.everybody(people))
        made = named_by(Sentence(who), count, people, beside[mine], others[some], crosswise=True)
        found.append(replace(made, of_some=True))
    return found


def near_homes(homes: Homes | None, known: np.ndarray | None = None) -> InPart:
    """List people by whose home a released point lies so near as chance puts none.

    A few of them are a share of the people that no average tells, and each is surely found.

    Parameters
    ----------
    homes : Homes or None
        Without a reference nothing is looked for.
    known : (k,) int array, optional
        Originals who are listed already; beside them chance would let some more be.

    Notes
    -----
    Of a place that nobody lives nearer to than a home, a point that has nothing to do with her comes
    within a distance with a chance that grows with its square. The smallest of people who are not
    in the file say how.
    """
    if homes is None or homes.tables.reference is None or not len(homes.off):
        return InPart()
    # What rounding puts upon each other is as near as rounding tells.
    finest = 0.5 * max(one.resolution / one.scale for one in homes.tables.named(homes.tables.place))
    mine, theirs = (
        np.minimum(np.square(np.maximum(point, finest) / np.maximum(home, finest)), 1.0)
        for point, home in ((homes.near, homes.away), (homes.other, homes.off))
    )
    if known is not None:
        mine[np.isin(homes.people, homes.everybody(known))] = 1.0
    order = np.argsort(mine, kind="stable")
    each = len(mine) / len(theirs)
    several = beyond_chance(mine[order], theirs, each, _LEVEL, False)
    if several < _SEVERAL:
        return InPart()
    rows = homes.everybody(homes.people[order[:several]])
    looked_for = len(homes.everybody(homes.people))
    return InPart(rows, homes.tables.place, looked_for, homes.tables.place, True)
