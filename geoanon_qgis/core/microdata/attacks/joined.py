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

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, shares, silent, weighted
from ...runtime.wording import Sentence
from .agreement import NEVER, Pairs, learn
from .homes import RECORDS, Homes, known_rows, pairs_of
from .inference import scored
from .knowledge import Knowledge, listed, quasi_identifiers
from .scoring import LINKABILITY, SINGLING_OUT, Attack
from .table import Tables, answers
from .tied import own_records, tied

#: Pairs of people and records, times fields, that are weighed in all.
_PAIRS = 16_000_000
#: People whose records are weighed at a time.
_AT_ONCE = 200
#: People of whom it is learnt what agreement is worth, at most, in either half.
_LEARNT = 500


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
    cap = max(200, _PAIRS // (RECORDS * len(units)))
    people = known_rows(tables.original, tables.whose, tables.records_known, cap, 21)
    others_of = tables.original if tables.reference is None else tables.reference
    theirs_of = tables.whose if tables.reference is None else tables.reference_whose
    rows = known_rows(others_of, theirs_of, tables.records_known, cap, 22)
    names, fields = [one.name for one in others], range(len(others))
    guesses = [
        (knowledge, wanted, [at for at, unit in enumerate(units) if _is_used(unit, some, wanted)])
        for knowledge, some in _knowledge(tables, names, known, secrets, homes is not None)
        for wanted in tables.named(knowledge.wanted)
    ]
    # By what is known for each guess; by the home alone; and by the fields without it.
    looks: list[_Look] = [(use, True) for _, _, use in guesses]
    looks += [(range(len(others), len(units)), True), (fields, False)]
    mine_of = people if tables.whose is None else tables.whose.of[people]
    rows_of = rows if theirs_of is None else theirs_of.of[rows]
    common = 0
    if tables.reference is not None:
        common = min(len(np.unique(mine_of)), len(np.unique(rows_of)))
    of_pairs, of_learning, of_looks, of_others, of_looking, of_scores = weighted(
        progress, 3, 2, 2, 3, 2, 2
    )
    pairs = pairs_of(tables, units, homes, people, None, of_pairs)
    # What is learnt of one half is held against the other.
    often = [
        learn(
            pairs.some(np.arange(half, len(people), 2)[:: max(1, len(people) // (2 * _LEARNT))]),
            ahead,
        )
        for half, ahead in zip((1, 0), shares(of_learning, 2))
    ]
    mine = _looked(_Weighed.of(pairs, often), looks, mine_of, common, of_looks)
    del pairs  # before those of the control
    pairs = pairs_of(tables, units, homes, None, rows, of_others)
    theirs = _looked(_Weighed.of(pairs, often), looks, rows_of, common, of_looking)
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
    asked : int
        Of so many people this was asked.
    count : int
        Number of all records.
    """

    records: np.ndarray
    weights: np.ndarray
    alone: np.ndarray
    asked: int
    count: int


def _looked(
    weighed: _Weighed, looks: Sequence[_Look], persons: np.ndarray, common: int, progress: Progress
) -> _Looked:
    """Look everybody up, some people at a time; the first ``common`` of them by everything, too."""
    rng = np.random.default_rng(23)
    pairs = weighed.pairs
    size = (len(looks), len(pairs.records))
    found, weight = np.empty(size, dtype=np.intp), np.empty(size, dtype=np.float32)
    first = np.unique(persons)[:common]
    likely: list[np.ndarray] = [np.zeros((3, 0), dtype=np.intp)]
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
        asked = np.isin(persons[some], first)
        if asked.any():
            total = _total(place, units, range(len(units)), True)
            person, at = np.nonzero((total >= np.log(pairs.count)) & asked[:, None])
            whose = persons[some][person]
            likely.append(np.stack([records[person, at], whose, some.start + person]))
    # Whoever has no record takes any; the same for every look.
    found = np.where(found < 0, rng.integers(pairs.count, size=size[1]), found)
    record, whose, who = np.concatenate(likely, axis=1)
    # Each person once for each record.
    _, one = np.unique(np.stack([record, whose]), axis=1, return_index=True)
    alone = np.bincount(record[one], minlength=pairs.count)[record[one]] == 1
    return _Looked(found, weight, who[one[alone]], len(first), pairs.count)


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
        # Of several records of a person that which weighs most.
        one = tables.one_each(self.people, -self.mine.weights[look])
        other = tables.one_each_of_control(self.rows, -self.theirs.weights[look])
        people, rows = self.people[one], self.rows[other]
        right = tied(
            self.mine.records[look][one],
            original[people],
            np.arange(len(released)),
            released,
            tolerance,
        )
        if tables.reference is None:
            pool, truth, own = original, original[rows], own_records(rows, tables.whose)
        else:
            pool, own = released, None
            truth = answers(variable, tables.reference[rows])
        there = self.theirs.records[look][other]
        lucky = tied(there, truth, np.arange(len(pool)), pool, tolerance, own)
        return scored(tables, variable, knowledge, people, right, lucky)

    def linked(self, names, by_law: bool) -> Attack:
        """Join a list of homes with a file of all fields."""
        hits = [
            (one.records[-2] == one.records[-1]) & (one.weights[-2:] > 0).all(axis=0)
            for one in (self.mine, self.theirs)
        ]
        tables, place = self.tables, self.tables.place
        one = tables.one_each(self.people, -self.mine.weights[-2:].sum(axis=0))
        other = tables.one_each_of_control(self.rows, -self.theirs.weights[-2:].sum(axis=0))
        hits, people = [hits[0][one], hits[1][other]], self.people[one]
        return Attack(
            LINKABILITY,
            Sentence("{home}, from one file", home=_home(by_law)),
            Sentence("finds the same person by {second} in another", second=listed(names, place)),
            tables.count,
            len(people),
            float(hits[0].sum()),
            len(other),
            float(hits[1].sum()),
            1 / len(tables.released),
            rows=people[hits[0]],
            names=(place, tuple(names)),
        )

    def singled_out(self, by_law: bool) -> Attack:
        """Say of each record that whoever it is more likely than not is one person."""
        return Attack(
            SINGLING_OUT,
            _home(by_law),
            Sentence("singles out the one person whose home and fields fit a released record"),
            self.tables.count,
            self.mine.count,
            len(self.mine.alone),
            self.theirs.count,
            len(self.theirs.alone),
            0.0,
            dilution=self.mine.asked / self.tables.count,
            rows=np.unique(self.people[self.mine.alone]),
        )
