# SPDX-License-Identifier: GPL-2.0-or-later
"""Home and fields as one: who knows where a person lives, and more of her, looks for her record.

A masked point tells which homes explain it, by the law of its mask or by how near it is; a field tells
which people agree. Neither may be enough, and both together are. Records are weighed by the two, what
each is worth being learnt (:mod:`.agreement`) from other people than those who are looked for; the
control are people who are not in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, part, shares, silent, weighted
from ...runtime.wording import Sentence
from .agreement import NEVER, Pairs, agree_in, learn, places_of
from .inference import scored
from .knowledge import Knowledge, listed, quasi_identifiers
from .scoring import LINKABILITY, SINGLING_OUT, Attack
from .table import Tables, answers, sample
from .tied import tied

#: Records that are weighed for each person at most, those whose points tell most; and pairs times
#: fields in all.
_RECORDS, _PAIRS = 200, 16_000_000
#: People whose records are weighed at a time.
_AT_ONCE = 200
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
    lost : float
        Share of the originals whose home is not known, so that fields and nearness weigh their
        records; see :attr:`.scoring.Attack.unseen`.
    """

    own: Explaining
    control: Explaining
    lost: float = 0.0


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
    cap = max(200, _PAIRS // (_RECORDS * len(units)))
    people = sample(len(tables.original), cap, 21)
    others_of = tables.original if tables.reference is None else tables.reference
    rows = sample(len(others_of), cap, 22)
    names, fields = [one.name for one in others], range(len(others))
    guesses = [
        (knowledge, wanted, [at for at, unit in enumerate(units) if _is_used(unit, some, wanted)])
        for knowledge, some in _knowledge(tables, names, known, secrets, homes is not None)
        for wanted in tables.named(knowledge.wanted)
    ]
    # By what is known for each guess; by the home alone; and by the fields without it.
    looks: list[_Look] = [(use, True) for _, _, use in guesses]
    looks += [(range(len(others), len(units)), True), (fields, False)]
    alone = min(len(people), len(rows)) if tables.reference is not None else 0
    of_pairs, of_learning, of_looks, of_others, of_looking, of_scores = weighted(
        progress, 3, 2, 2, 3, 2, 2
    )
    pairs = _pairs(tables, units, homes, people, None, of_pairs)
    # What is learnt of one half is held against the other.
    often = [
        learn(
            pairs.some(np.arange(half, len(people), 2)[:: max(1, len(people) // (2 * _LEARNT))]),
            ahead,
        )
        for half, ahead in zip((1, 0), shares(of_learning, 2))
    ]
    mine = _looked(_Weighed.of(pairs, often), looks, alone, of_looks)
    del pairs  # before those of the control
    pairs = _pairs(tables, units, homes, None, rows, of_others)
    theirs = _looked(_Weighed.of(pairs, often), looks, alone, of_looking)
    del pairs
    seen = _Seen(tables, mine, theirs, people, rows)
    found = []
    for at, ahead in zip(range(len(guesses)), shares(of_scores, len(guesses))):
        found += interruptible(partial(seen.inferred, *guesses[at][:2], at), ahead)
    found.append(seen.linked(names, homes is not None))
    if tables.reference is not None:
        found.append(seen.singled_out(homes is not None))
    of_scores(1.0)
    return found if homes is None else [replace(one, unseen=homes.lost) for one in found]


def _is_used(unit: Sequence, some: set[str], wanted) -> bool:
    return unit[0] is not wanted and (unit[0].name in some or len(unit) > 1)


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
    units : list of (s, b + 1) arrays
        By band, see :meth:`.agreement.Pairs.weights`.
    """

    pairs: Pairs
    units: list[np.ndarray]

    @classmethod
    def of(cls, pairs: Pairs, often: list[list[np.ndarray]]) -> _Weighed:
        """Weigh either half by what was learnt of the other."""
        units = []
        for at, one in enumerate(pairs.chance):
            weights = np.empty((len(one), one.shape[1] + 1), dtype=np.float32)
            for half, learnt in enumerate(often):
                rows = np.arange(half, len(one), 2)
                some = replace(pairs, chance=[each[rows] for each in pairs.chance])
                weights[rows] = some.weights(at, learnt[at])
            units.append(weights)
        return cls(pairs, units)

    def weights(self, rows: slice) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return what a mask says of some people's records, and what each unit weighs."""
        place = np.zeros(self.pairs.records[rows].shape, dtype=np.float32)
        if self.pairs.place is not None:
            place += np.maximum(self.pairs.place[rows], NEVER)
        place[self.pairs.records[rows] < 0] = -np.inf
        return place, [self.pairs.weigh(at, one, rows) for at, one in enumerate(self.units)]


#: Units that are added up, and whether what a mask says of the place is, too.
_Look = tuple[Sequence[int], bool]


@dataclass(frozen=True)
class _Looked:
    """The record that weighs most for each person, by each look; and records of one person.

    Attributes
    ----------
    records, weights : (l, s) arrays
    alone : (r,) int array
        Numbers of the people whom a record is more likely than not of, and of nobody else.
    count : int
        Number of all records.
    """

    records: np.ndarray
    weights: np.ndarray
    alone: np.ndarray
    count: int


def _looked(weighed: _Weighed, looks: Sequence[_Look], alone: int, progress: Progress) -> _Looked:
    """Look everybody up, some people at a time; the first ``alone`` of them by everything, too."""
    rng = np.random.default_rng(23)
    pairs = weighed.pairs
    size = (len(looks), len(pairs.records))
    found, weight = np.empty(size, dtype=np.intp), np.empty(size, dtype=np.float32)
    hits, who = np.zeros(pairs.count, dtype=np.intp), np.zeros(pairs.count, dtype=np.intp)
    for some in chunks(size[1], _AT_ONCE, progress):
        records = pairs.records[some]
        place, units = weighed.weights(some)
        # Of equal ones any.
        luck = 1e-4 * rng.random(records.shape, dtype=np.float32)
        for number, (use, with_place) in enumerate(looks):
            total = _total(place, units, use, with_place) + luck
            at = total.argmax(axis=1)[:, None]
            found[number, some] = np.take_along_axis(records, at, axis=1)[:, 0]
            weight[number, some] = np.take_along_axis(total, at, axis=1)[:, 0]
        total = _total(place, units, range(len(units)), True)[: max(0, alone - some.start)]
        person, at = np.nonzero(total >= np.log(pairs.count))
        hits += np.bincount(records[person, at], minlength=pairs.count)
        who[records[person, at]] = some.start + person
    # Whoever has no record takes any; the same for every look.
    found = np.where(found < 0, rng.integers(pairs.count, size=size[1]), found)
    return _Looked(found, weight, who[hits == 1], pairs.count)


def _total(place: np.ndarray, units: list[np.ndarray], use, with_place: bool) -> np.ndarray:
    """What some units weigh, with what a mask says of the place or not, ``(s, c)``."""
    made = place.copy() if with_place else np.where(np.isneginf(place), place, np.float32(0.0))
    for at in use:
        made += units[at]
    return made


@dataclass(frozen=True)
class _Seen:
    """People of the file and of the control, with the records that they were looked up by.

    The last two looks are by the home alone, and by the fields without it.
    """

    tables: Tables
    mine: _Looked
    theirs: _Looked
    people: np.ndarray
    rows: np.ndarray

    def inferred(self, knowledge: Knowledge, variable, look: int) -> list[Attack]:
        tables = self.tables
        tolerance = tables.tolerance(variable)
        released, original = answers(variable, tables.released), answers(variable, tables.original)
        right = tied(
            self.mine.records[look],
            original[self.people],
            np.arange(len(released)),
            released,
            tolerance,
        )
        if tables.reference is None:
            pool, truth, own = original, original[self.rows], self.rows
        else:
            pool, own = released, None
            truth = answers(variable, tables.reference[self.rows])
        there = self.theirs.records[look]
        lucky = tied(there, truth, np.arange(len(pool)), pool, tolerance, own)
        return scored(tables, variable, knowledge, self.people, right, lucky)

    def linked(self, names, by_law: bool) -> Attack:
        """Join a list of homes with a file of all fields."""
        hits = [
            (one.records[-2] == one.records[-1]) & (one.weights[-2:] > 0).all(axis=0)
            for one in (self.mine, self.theirs)
        ]
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

    def singled_out(self, by_law: bool) -> Attack:
        """Say of each record that whoever it is more likely than not is one person."""
        count = min(len(self.people), len(self.rows))
        return Attack(
            SINGLING_OUT,
            _home(by_law),
            Sentence("singles out the one person whose home and fields fit a released record"),
            len(self.tables.original),
            self.mine.count,
            len(self.mine.alone),
            self.theirs.count,
            len(self.theirs.alone),
            0.0,
            dilution=count / len(self.tables.original),
            rows=np.unique(self.people[self.mine.alone]),
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
    return agree_in(tables, units, asked[rows], pool, near, weight, part(progress, 0.3, 1.0))


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
