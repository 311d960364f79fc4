# SPDX-License-Identifier: GPL-2.0-or-later
"""Home and fields as one: who knows where a person lives, and more of her, looks for her record.

A masked point tells which homes explain it, by the law of its mask or by how near it is; a field tells
which people agree. Neither may be enough, and both together are. Records are weighed by the two, what
each is worth being learnt (:mod:`.agreement`) from other people than those who are looked for; the
control are people who are not in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...runtime.progress import Progress, interruptible, shares, silent
from ...runtime.wording import Sentence
from .agreement import Pairs, agree_in, learn, places_of, sum_of
from .inference import scored
from .knowledge import Knowledge, listed, quasi_identifiers
from .scoring import LINKABILITY, SINGLING_OUT, Attack
from .table import Tables, answers, sample
from .tied import tied

#: Records that are weighed for each person at most, those whose points tell most; and pairs times
#: fields in all.
_RECORDS, _PAIRS = 200, 16_000_000
#: People of whom it is learnt what agreement is worth, at most, in either half.
_LEARNT = 500


class Explaining(Protocol):
    """How much better homes explain records than anybody's does, row by row; of a posterior attack.

    Attributes
    ----------
    first : (n + 1,) int array
        Where the pairs of each home start.
    candidate, value : (p,) arrays
        A record, and f(y | x) / g(y).
    """

    first: np.ndarray
    candidate: np.ndarray
    value: np.ndarray

    @property
    def point(self) -> np.ndarray:
        """The home of each pair."""

    def taken(self, rows: np.ndarray) -> Explaining:
        """Return the same of some homes."""


@dataclass(frozen=True)
class Homes:
    """How much better homes explain released points than anybody's does, by the law of a mask.

    Attributes
    ----------
    own : Explaining
        Of each original, beside the released records.
    control : Explaining
        The same for people of the reference; without one, of originals beside the other originals,
        as if these lived where records are released.
    """

    own: Explaining
    control: Explaining


def joined(
    tables: Tables,
    homes: Homes | None = None,
    known: Sequence[str] = (),
    secrets: Sequence[str] = (),
    progress: Progress = silent,
) -> list[Attack]:
    """Look people up by home and fields together.

    Parameters
    ----------
    tables : Tables
    homes : Homes, optional
        Without it points are weighed by how near they are, which is learnt.
    known, secrets : sequence of str
        See :func:`.knowledge.suppositions`.

    Returns
    -------
    list of Attack
        Inference by the home alone, by it and what is known, by it and all else; linkability of homes
        and fields; and, with a reference, singling out: beside each other originals live as far
        apart as no two records of a release need to. None where places take no part, or the home is not known.
    """
    place = tables.named(tables.place)
    others = [one for one in tables.variables if one not in place]
    if len(place) < 2 or not others or (known and not set(tables.place) & set(known)):
        return []
    units: list[Sequence] = [[one] for one in others]
    if homes is None:
        units.append(place)
    of_own, of_control, of_learning, of_guesses = shares(progress, 4)
    cap = max(200, _PAIRS // (_RECORDS * len(units)))
    people = sample(len(tables.original), cap, 21)
    mine = _pairs(tables, units, homes, people, None, of_own)
    if tables.reference is None:
        rows = sample(len(tables.original), cap, 22)
    else:
        rows = sample(len(tables.reference), cap, 22)
    theirs = _pairs(tables, units, homes, None, rows, of_control)
    # What is learnt of one half is held against the other.
    often = [
        learn(
            mine.some(np.arange(half, len(people), 2)[:: max(1, len(people) // (2 * _LEARNT))]),
            ahead,
        )
        for half, ahead in zip((1, 0), shares(of_learning, 2))
    ]
    seen = _Seen(tables, _Weighed.of(mine, often), _Weighed.of(theirs, often), people, rows)
    found = []
    names = [one.name for one in others]
    for knowledge, some in _knowledge(tables, names, known, secrets, homes is not None):
        for wanted in tables.named(knowledge.wanted):
            use = [at for at, unit in enumerate(units) if unit[0].name in some or len(unit) > 1]
            use = [at for at in use if units[at][0] is not wanted]
            of_guesses(0.5)
            found += seen.inferred(knowledge, wanted, use)
    fields = [at for at, unit in enumerate(units) if len(unit) == 1]
    rest = [at for at, unit in enumerate(units) if len(unit) > 1]
    found.append(seen.linked(rest, fields, names, homes is not None))
    if tables.reference is not None:
        found.append(seen.singled_out(range(len(units)), homes is not None))
    of_guesses(1.0)
    return found


def _home(by_law: bool) -> Sentence:
    if by_law:
        return Sentence("where a person lives, and how points were masked")
    return Sentence("where a person lives, and how near records are")


def _knowledge(
    tables: Tables, names: list[str], known, secrets, by_law: bool
) -> Iterator[tuple[Knowledge, set[str]]]:
    """What is known besides the home, and wanted; all else is all but what is wanted."""
    wanted = tuple(name for name in (secrets or names) if name in names)
    home = _home(by_law)
    if known:
        some = {name for name in known if name in names}
        wanted = tuple(name for name in wanted if name not in some)
        title = Sentence("{home}, and {fields}", home=home, fields=listed(sorted(some)))
        told = tuple(name for name in known if name in {*names, *tables.place})
        yield Knowledge(title if some else home, told, wanted), some
        return
    yield Knowledge(home, tables.place, wanted), set()
    quasi = quasi_identifiers(names)
    if quasi:
        title = Sentence("{home}, and {fields}", home=home, fields=listed(quasi))
        left = tuple(name for name in wanted if name not in quasi)
        yield Knowledge(title, (*quasi, *tables.place), left), set(quasi)
    if len(names) > 1:
        title = Sentence("{home}, and all else of her,", home=home)
        yield Knowledge(title, (*names, *tables.place), wanted), set(names)


@dataclass(frozen=True)
class _Weighed:
    """Pairs, and what agreement in each unit weighs.

    Attributes
    ----------
    pairs : Pairs
    units : list of (s, c) arrays
    place : (s, c) array
        What a mask says; -inf where there is no record.
    """

    pairs: Pairs
    units: list[np.ndarray]
    place: np.ndarray

    @classmethod
    def of(cls, pairs: Pairs, often: list[list[np.ndarray]]) -> _Weighed:
        """Weigh either half by what was learnt of the other."""
        units = [np.empty(pairs.records.shape, dtype=np.float32) for _ in often[0]]
        for half, learnt in enumerate(often):
            rows = np.arange(half, len(pairs.records), 2)
            some = pairs.some(rows)
            for at, unit in enumerate(units):
                unit[rows] = some.weigh(at, learnt[at])
        return cls(pairs, units, sum_of(pairs, [], ()))

    def total(self, units, place: bool = True) -> np.ndarray:
        """Return what some units weigh, with what a mask says of the place or not, ``(s, c)``."""
        made = self.place.copy()
        if not place:
            made[self.pairs.records >= 0] = 0.0
        for at in units:
            made += self.units[at]
        return made

    def best(self, units, place: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """Return the record that weighs most for each person, and how much; any where none does."""
        rng = np.random.default_rng(23)
        records = self.pairs.records
        total = self.total(units, place)
        # Of equal ones any.
        total += 1e-4 * rng.random(total.shape, dtype=np.float32)
        at = total.argmax(axis=1)
        record, weight = (one[np.arange(len(at)), at] for one in (records, total))
        lost = record < 0
        return np.where(lost, rng.integers(self.pairs.count, size=len(at)), record), weight


@dataclass(frozen=True)
class _Seen:
    """People of the file and of the control, with the records that may be theirs."""

    tables: Tables
    mine: _Weighed
    theirs: _Weighed
    people: np.ndarray
    rows: np.ndarray

    def inferred(self, knowledge: Knowledge, variable, units) -> list[Attack]:
        tables = self.tables
        tolerance = tables.tolerance(variable)
        released, original = answers(variable, tables.released), answers(variable, tables.original)
        right = tied(
            self.mine.best(units)[0],
            original[self.people],
            np.arange(len(released)),
            released,
            tolerance,
        )
        there = self.theirs.best(units)[0]
        if tables.reference is None:
            pool, truth, own = original, original[self.rows], self.rows
        else:
            pool, own = released, None
            truth = answers(variable, tables.reference)[self.rows]
        lucky = tied(there, truth, np.arange(len(pool)), pool, tolerance, own)
        return scored(tables, variable, knowledge, self.people, right, lucky)

    def linked(self, rest, fields, names, by_law: bool) -> Attack:
        """Join a list of homes with a file of all fields."""
        hits = []
        for pairs in (self.mine, self.theirs):
            by_home, by_fields = pairs.best(rest), pairs.best(fields, False)
            hits.append((by_home[0] == by_fields[0]) & (by_home[1] > 0) & (by_fields[1] > 0))
        place = self.tables.place
        return Attack(
            LINKABILITY,
            Sentence("{home}, from one file", home=_home(by_law)),
            Sentence("finds the same person by {second} in another", second=listed(names, place)),
            len(self.tables.original),
            len(self.people),
            float(hits[0].sum()),
            len(self.rows),
            float(hits[1].sum()),
            1 / len(self.tables.released),
            rows=self.people[hits[0]],
            names=(place, tuple(names)),
        )

    def singled_out(self, units, by_law: bool) -> Attack:
        """Say of each record that whoever it is more likely than not is one person."""
        count = min(len(self.people), len(self.rows))
        alone, rows = [], np.zeros(0, dtype=np.intp)
        for pairs in (self.mine, self.theirs):
            records, total = pairs.pairs.records[:count], pairs.total(units)[:count]
            size = pairs.pairs.count
            person, at = np.nonzero(total >= np.log(size))
            record, who = records[person, at], np.zeros(size, dtype=np.intp)
            hits = np.bincount(record, minlength=size)
            who[record] = person
            alone.append(int((hits == 1).sum()))
            if pairs is self.mine:
                rows = np.unique(self.people[who[hits == 1]])
        return Attack(
            SINGLING_OUT,
            _home(by_law),
            Sentence("singles out the one person whose home and fields fit a released record"),
            len(self.tables.original),
            self.mine.pairs.count,
            alone[0],
            self.theirs.pairs.count,
            alone[1],
            0.0,
            dilution=count / len(self.tables.original),
            rows=rows,
        )


def _pairs(
    tables: Tables,
    units: list[Sequence],
    homes: Homes | None,
    people: np.ndarray | None,
    others: np.ndarray | None,
    progress: Progress,
) -> Pairs:
    """Pair people of the file, or of the control, with the records whose points tell most of them."""
    own, pool = None, tables.released
    asked, rows = tables.original, people
    if rows is None:
        assert others is not None
        rows = others
        if tables.reference is not None:
            asked = tables.reference
        else:
            own, pool = rows, tables.original
    place = tables.named(tables.place)
    near = interruptible(lambda: _nearest(place, asked[rows], pool, own), progress, 0.2)
    weight = None
    if homes is not None:
        near, weight = _likeliest(
            homes.own if people is not None else homes.control, rows, near, own
        )
    progress(0.5)
    return agree_in(tables, units, asked[rows], pool, near, weight)


def _nearest(place, people: np.ndarray, pool: np.ndarray, own: np.ndarray | None) -> np.ndarray:
    """Records nearest to each home, other than the person's own, ``(s, c)``."""
    from ...space.points import build_tree

    count = min(_RECORDS + (own is not None), len(pool))
    tree = build_tree(places_of(place, pool))
    near = tree.query(places_of(place, people), k=count)[1].reshape(len(people), -1)
    return near if own is None else np.where(near == own[:, None], -1, near)


def _likeliest(
    homes: Explaining, rows: np.ndarray, near: np.ndarray, own: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Records that homes explain best, and the logarithm of how much; by nearness for lost homes."""
    some = homes.taken(rows)
    width = near.shape[1]
    records, weight = np.full(near.shape, -1, np.intp), np.full(near.shape, -np.inf)
    order = np.lexsort((-some.value, some.point))
    rank = np.arange(len(order)) - some.first[some.point]
    kept = rank < width
    point, place = some.point[kept], rank[kept]
    records[point, place] = some.candidate[order][kept]
    weight[point, place] = np.log(some.value[order][kept])
    if own is not None:
        records[records == own[:, None]] = -1
    lost = np.diff(some.first) == 0
    records[lost], weight[lost] = near[lost], 0.0
    return records, np.where(records >= 0, weight, -np.inf)
