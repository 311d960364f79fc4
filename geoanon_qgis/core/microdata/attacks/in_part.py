# SPDX-License-Identifier: GPL-2.0-or-later
"""Released in part: one released record has so many of a person's values that it must be hers.

Averages over all people do not see the few of whom a release holds the place, the age and the
illness, whatever its other fields are. Here the values that each person shares with one released
record count by how few others have them. The same is done with people who are not in the file, and
only what is beyond all of these, and beyond what their best ones let expect, is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from ...runtime.progress import Progress, shares, silent, weighted
from ...runtime.wording import Sentence, number_of
from ..determined import Values, related
from ..digits import in_turn
from ..people import People
from ..tails import Tail, tail_of
from .knowledge import listed
from .sharing import Shared
from .table import MOST, Tables, answers, is_number, sample
from .tied import own_records

#: People are told who are more than chance lets be found but once in a hundred releases of other
#: people, and where at most so large a part of them is expected.
_LEVEL, _EXPECTED = 0.01, 0.2
#: Largest power by which the best of chance fall off. Few values of many people go by steps, whose
#: power is steep; far out rare values count, of which one more is worth hardly more than its chance.
_STEEPEST = 1.25
#: How many times as far off those are who are about as near, where few values of many people go by steps.
_STEP = 4.0
#: Shares of the people within which a number is as good as the same, and the level of these scans.
_NEARLY, _NEAR_LEVEL = (0.01, 0.04), 0.002
#: Originals by whom it is seen which variables follow from others.
_LOOKED_AT = 3_000


@dataclass(frozen=True)
class InPart:
    """People of whom one released record has more than chance explains.

    Attributes
    ----------
    rows : (f,) int array
        Originals.
    fields : tuple of str
        What the first of them shares with a released record.
    looked_for : int
        How many people were looked for; originals where nobody says whose record each is.
    place : tuple of str
        Names of the coordinates.
    is_near : bool
        Whether numbers count that are nearly the same, too.
    whose : People, optional
        Whose record each original is, where people have several.
    """

    rows: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    fields: tuple[str, ...] = ()
    looked_for: int = 0
    place: tuple[str, ...] = ()
    is_near: bool = False
    whose: People | None = None

    @property
    def count(self) -> int:
        """How many people these are, each once, however many of her records are found."""
        if self.whose is None:
            return len(self.rows)
        return len(np.unique(self.whose.of[self.rows]))

    def besides(self, other: InPart, people: int | None = None) -> InPart:
        """Return the same with further people, whom other values tell.

        Others may have been looked for there, of so many people at the most; by default the same were.
        """
        if not len(other.rows):
            return self
        first = self if len(self.rows) else other
        rows = np.concatenate([self.rows, other.rows])
        rows = rows[np.sort(np.unique(rows, return_index=True)[1])]
        looked_for = max(self.looked_for, other.looked_for)
        if people is not None:
            looked_for = min(people, self.looked_for + other.looked_for)
        both = replace(
            first,
            rows=rows,
            is_near=self.is_near or other.is_near,
            whose=other.whose if self.whose is None else self.whose,
        )
        # Of large tables scans look for different samples: together for at least those they found.
        return replace(both, looked_for=max(looked_for, both.count))

    @property
    def sentence(self) -> Sentence | None:
        """What was found, in words; nothing where nobody was."""
        if not len(self.rows):
            return None
        have = number_of(self.count, "original has", "originals have")
        if self.whose is not None:
            have = number_of(self.count, "person has", "people have")
        if self.is_near:
            return Sentence(
                "{have} a released record with so many of her values, the same or nearly so, as "
                "hardly any record of other people shares with anybody; one of them shares {fields}. "
                "These values of theirs are released together, whatever else was changed: to change "
                "numbers a little hides nobody.",
                have=have,
                fields=listed(self.fields, self.place),
            )
        return Sentence(
            "{have} a released record with so many of her values, or such rare ones, as hardly any "
            "record of other people shares with anybody; one of them shares {fields}. These values of "
            "theirs are released together, whatever else was changed.",
            have=have,
            fields=listed(self.fields, self.place),
        )


def in_part(
    tables: Tables, as_it_is: np.ndarray | None = None, progress: Progress = silent
) -> InPart:
    """Find people of whom a released record has more values than chance explains.

    Parameters
    ----------
    tables : Tables
    as_it_is : (p, m) array, optional
        The release before columns in other units were taken back; both are looked at.

    Returns
    -------
    InPart

    Notes
    -----
    A value that is shared is worth the number of people for each who has it, over a fifth of them;
    the values of a record are multiplied, and each person has her best record. By chance, the best
    of many falls off as a power. The control are people of the reference beside the release, or
    else originals beside the other originals. All fields are looked at together, and the place
    alone; and all fields once more with numbers that were changed a little, each as near as one of
    :data:`_NEARLY` of the people.
    """
    found = InPart()
    names = [tuple(one.name for one in tables.variables)]
    if set(tables.place) & set(names[0]) and set(names[0]) - set(tables.place):
        names.append(tables.place)
    releases = [tables]
    if as_it_is is not None and as_it_is is not tables.released:
        releases.append(replace(tables, released=as_it_is))
    scans = len(tables.digits) * len(names)
    of_related, of_same, of_near = weighted(progress, 0.1, scans, len(_NEARLY))
    alike = related_fields(tables, of_related)
    for release, of_release in zip(releases, shares(of_same, len(releases))):
        for pair, of_pair in in_turn(tables.digits, of_release):
            for some, ahead in zip(names, shares(of_pair, len(names))):
                one = found_in(release, *pair, some, ahead, groups=alike)
                found = one if len(one.rows) >= len(found.rows) else found
            del pair  # before the next one is coded
    for release, of_release in zip(releases, shares(of_near, len(releases))):
        for near, ahead in zip(_NEARLY, shares(of_release, len(_NEARLY))):
            tables_of = release.original, release.reference
            one = found_in(release, *tables_of, names[0], ahead, near, found.rows, groups=alike)
            found = found.besides(one)
    return found


def related_fields(tables: Tables, progress: Progress = silent) -> list[list[str]]:
    """Names of variables in groups of those of which one follows from another."""
    some = tables.original[sample(len(tables.original), _LOOKED_AT, 13)]
    values = []
    for one in tables.variables:
        said = np.nan_to_num(answers(one, some), nan=1e300)
        numbers = one.natural(some[:, one.columns.start]) if is_number(one) else None
        values.append(Values(np.unique(said, return_inverse=True)[1], numbers))
    return [[tables.variables[at].name for at in group] for group in related(values, progress)]


def found_in(
    tables: Tables,
    original: np.ndarray,
    reference: np.ndarray | None,
    names: Sequence[str],
    progress: Progress,
    near: float = 0.0,
    known: Sequence[int] | np.ndarray = (),
    level: float | None = None,
    groups: Sequence[Sequence[str]] = (),
) -> InPart:
    """Look for people by some variables, besides those who are known already.

    Parameters
    ----------
    tables : Tables
    original, reference : (n, m), (q, m) arrays
        With the digits of the release; None for no reference.
    names : sequence of str
    near : float
        Share of the people within which a number is as good as the same.
    known : sequence of int
        Originals who are listed already.
    level : float, optional
        Chance of listing somebody of a release of other people.
    groups : sequence of sequence of str, optional
        What is related; see :class:`.sharing.Shared`.
    """
    n, released = len(original), len(tables.released)
    of_people, of_best, of_control, of_control_best = shares(progress, 4)
    whose = tables.whose
    people = sample(n, MOST, 11) if whose is None else tables.people(11)
    shared = partial(Shared, tables, near=near, whose=whose, related=groups)
    mine = shared(original, tables.released, names, 1, original[people], progress=of_people)
    # Of so many as can be afforded.
    most = mine.affordable
    some = sample(len(people), most, 11)
    mine, people = mine.some(some), people[some]
    away, record = mine.least(of_best)
    asked = people
    away[np.isin(people, known)] = 1.0
    one = tables.one_each(people, away)
    mine, people, away, record = mine.some(one), people[one], away[one], record[one]
    order = np.argsort(away, kind="stable")
    first = mine.fields(int(order[0]), int(record[order[0]]))
    del mine  # before the control's
    if reference is None:
        others, pool = asked, n - 1
        theirs = shared(original, original, names, 2, original[others], progress=of_control)
        control, _ = theirs.least(of_control_best, own_records(others, whose))
    else:
        others = sample(len(reference), MOST, 12) if whose is None else tables.control(12)
        others, pool = others[sample(len(others), most, 12)], released
        theirs = shared(original, tables.released, names, 0, reference[others], progress=of_control)
        control, _ = theirs.least(of_control_best)
    one = tables.one_each_of_control(others, control)
    others, control = others[one], control[one]
    each = len(people) / len(others) * released / pool
    level = level or (_NEAR_LEVEL if near else _LEVEL)
    several = beyond_chance(away[order], control, each, level, reference is None)
    if not several:
        return InPart(looked_for=len(people), whose=whose)
    rows = people[order[:several]]
    return InPart(rows, first, len(people), tuple(tables.place), near > 0, whose)


def beyond_chance(
    away: np.ndarray, control: np.ndarray, each: float, level: float, mutual: bool
) -> int:
    """How many people, the first of all, chance does not explain.

    Parameters
    ----------
    away : (q,) array
        Sorted, of people of the file: what chance leaves of each; one where nothing was found.
    control : (s,) array
        The same of people who are not in the file.
    each : float
        For how many of the file one of these stands.
    level : float
    mutual : bool
        Whether the control are people beside each other.
    """
    control = np.sort(control)
    within = np.searchsorted(control, away, side="right")
    # Of people equally near all count.
    rank = np.searchsorted(away, away, side="right")
    tail = tail_of(control[control < 1], mutual, _STEEPEST)
    expected = each * _by_chance(away, within, tail)
    beyond = _is_beyond(rank, expected, level)
    # Where a tail tells how many come so near, none of the control needs to; by steps some need to come
    # about as near, as a value that two have is half as far down as one's.
    if tail is not None:
        about = _STEP * away if tail.by_steps else away
        nearly = np.searchsorted(control, about, side="right")
        alone = _is_beyond(rank, each * _by_chance(away, nearly, tail), level)
        more = _is_more(rank, within, each, level) | ((within == 0) & alone)
    else:
        more = _is_more(rank, within, each, level)
    return int(rank[(away < 1) & beyond & more].max(initial=0))


def _by_chance(away: np.ndarray, within: np.ndarray, tail: Tail | None) -> np.ndarray:
    """How many of the control are expected as near as that; one where nobody knows."""
    if tail is None:
        return np.maximum(within, 1.0)
    return np.maximum(within, tail.expected(np.minimum(away, tail.edge)))


def _is_beyond(rank: np.ndarray, expected: np.ndarray, level: float) -> np.ndarray:
    """Where more are found than chance explains; at each doubling of how many it may err anew."""
    from scipy.stats import poisson

    sure = poisson.sf(rank - 1, expected) < level / _tests(rank)
    return sure & (expected <= _EXPECTED * rank)


def _is_more(rank: np.ndarray, within: np.ndarray, each: float, level: float) -> np.ndarray:
    """Where people are more than the control, which was counted and is off by chance itself."""
    from scipy.stats import binom

    return binom.sf(rank - 1, rank + within, each / (1 + each)) < level / _tests(rank)


def _tests(rank: np.ndarray) -> float:
    return float(2 * np.log2(max(len(rank), 2)))
