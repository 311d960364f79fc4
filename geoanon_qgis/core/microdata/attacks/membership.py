# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership: whoever has a released record near enough is taken to be in the file.

Near enough by itself, or beside how near records of other people come: the likelihood ratio of
van Breugel et al. (2023), Membership inference attacks against synthetic data through overfitting
detection, AISTATS, with the nearest record for the density of either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...runtime.progress import Progress, part, shares, silent
from ...runtime.wording import Sentence
from ..matrices import copied
from ..nearest import Records
from ..people import People, nearest_others
from .knowledge import listed
from .scoring import MEMBERSHIP, Attack
from .table import MOST, Tables, is_number, sample

#: Share of people who are not in the file whom he is ready to name wrongly.
WRONGLY = 0.05
#: Distances below are none.
_NOTHING = 1e-9
#: Measures that differ by less are the same.
_SAME = 1e-9
#: Share of measures that differ from each other from which on they go by no steps.
_STEPS = 0.5
#: Fewest fields of either kind that are looked at by themselves.
_OF_A_KIND = 2


def membership(
    tables: Tables,
    distance: np.ndarray,
    other_distance: np.ndarray,
    progress: Progress = silent,
    knows: Sentence | None = None,
) -> Attack:
    """Name as members those with a released record nearer than one in twenty others has.

    Parameters
    ----------
    tables : Tables
    distance : (n,) array
        Of the originals from the nearest released record; NaN of those who were not measured.
    other_distance : (n,) array
        The same from the nearest of the other originals, which is the control without a
        reference.
    knows : Sentence, optional
        What is known of a person; everything by default.

    Returns
    -------
    Attack
        One half of the control, dealt out at random, says how near is near enough, the other how
        many are named wrongly.
    """
    if tables.reference is None:
        others = other_distance
    else:
        rows = tables.control()
        records = Records(np.ascontiguousarray(tables.released), part(progress, 0.0, 0.6))
        asked = copied(tables.reference, rows)
        others = records.nearest(asked, 1, part(progress, 0.6, 1.0))[1][:, 0]
    knows = knows or Sentence("everything of a person")
    people = measured_rows(distance)
    if tables.reference is None:
        rows, others = people, others[people]
    others = others[tables.one_each_of_control(rows, others)]
    people = people[tables.one_each(people, distance[people])]
    return named_by(knows, tables.count, people, distance[people], others)


def by_fields(tables: Tables, names: Sequence[str], progress: Progress = silent) -> list[Attack]:
    """Name as members those who have a released record near by some fields alone.

    Fields that were swapped beside them hide what these tell, where all are compared together.

    Parameters
    ----------
    tables : Tables
    names : sequence of str
        Of the variables.
    """
    made, distance, other = of_columns(tables, tables.columns(names), part(progress, 0.0, 0.8))
    knows = listed(names, tables.place)
    return [membership(made, distance, other, part(progress, 0.8, 1.0), knows)]


def of_columns(
    tables: Tables, columns: np.ndarray, progress: Progress
) -> tuple[Tables, np.ndarray, np.ndarray]:
    """Tables of some columns alone, and distances in them as :func:`membership` takes them."""
    made = of_some(tables, columns, part(progress, 0.0, 0.05))
    return made, *distances(made, part(progress, 0.05, 1.0))


def of_some(tables: Tables, columns: np.ndarray, progress: Progress = silent) -> Tables:
    """Tables of some columns alone."""
    own, released, reference = (
        None if one is None else copied(one, None, columns, ahead)
        for one, ahead in zip(
            (tables.original, tables.released, tables.reference), shares(progress, 3)
        )
    )
    assert own is not None and released is not None
    return replace(tables, original=own, released=released, reference=reference)


def distances(tables: Tables, progress: Progress = silent) -> tuple[np.ndarray, np.ndarray]:
    """Distances as :func:`membership` takes them."""
    own, people = tables.original, tables.people()
    distance, other = np.full((2, len(own)), np.nan)
    records = Records(tables.released, part(progress, 0.0, 0.2))
    distance[people] = records.nearest(own[people], 1, part(progress, 0.2, 0.6))[1][:, 0]
    if tables.reference is None:
        everybody = np.arange(len(own))
        other[people] = _nearest(own, everybody, people, part(progress, 0.6, 1.0), tables.whose)
    return distance, other


def of_people(
    tables: Tables, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How far all records that are known of people who have several are from released ones.

    Returns
    -------
    distance, other : (n,) arrays
        As :func:`membership` takes them.
    control : (n,) or (r,) array
        As :func:`.averaged.membership_of_all` takes it.
    """
    people = tables.people()
    distance, other = np.full((2, len(tables.original)), np.nan)
    asked = np.ascontiguousarray(tables.original[people])
    records = Records(np.ascontiguousarray(tables.released), part(progress, 0.0, 0.2))
    distance[people] = records.nearest(asked, 1, part(progress, 0.2, 0.5))[1][:, 0]
    if tables.reference is None:
        everybody, ahead = np.arange(len(other)), part(progress, 0.5, 1.0)
        other[people] = _nearest(tables.original, everybody, people, ahead, tables.whose)
        return distance, other, other
    theirs = np.ascontiguousarray(tables.reference[tables.control()])
    return distance, other, records.nearest(theirs, 1, part(progress, 0.5, 1.0))[1][:, 0]


def by_kind(tables: Tables, known: Sequence[str] = (), progress: Progress = silent) -> list[Attack]:
    """The same by all numbers alone, and by all categories alone; of what is known, if that is named.

    It is by kinds that fields are changed: noise is added to numbers, and categories are swapped.
    """
    some = tables.known(known)
    kinds = [[one.name for one in some if is_number(one) == number] for number in (True, False)]
    if min(map(len, kinds)) < _OF_A_KIND:
        return []
    return [
        one
        for names, ahead in zip(kinds, shares(progress, len(kinds)))
        for one in by_fields(tables, names, ahead)
    ]


def membership_by_ratio(
    tables: Tables,
    distance: np.ndarray,
    progress: Progress = silent,
    knows: Sentence | None = None,
    crosswise: bool = False,
) -> Attack:
    """Name as members those who are nearer to the release than to other people.

    Among people who are like many others a released record is near whoever is in the file; here
    each distance is held against that from records of other people, by logarithms, so that it
    counts where nobody is near, too.

    Parameters
    ----------
    tables : Tables
    distance : (n,) array
        Of the originals from the nearest released record; NaN of those who were not measured.
    knows : Sentence, optional
        What he knows of people; everything where it is left out.
    crosswise : bool
        See :func:`named_by`.

    Returns
    -------
    Attack
        With a reference people of both tables have the same others, all of them but herself: where
        each holds whole batches, somebody of hers is among these, and nobody of hers in the release. Without one, the
        other people are originals, and a third of the originals is the control, beside a third as
        a release of other people would hold it and a third of other people. Where distances go by
        steps, as of categories, the ratio hangs on how many records there are to be near: then
        people are held against as many released records and as many others as the control.
    """
    measured, dilution, whose = measured_rows(distance), 1.0, tables.whose
    people = measured if whose is not None else measured[sample(len(measured), MOST, 13)]
    of_people, of_control = part(progress, 0.0, 0.5), part(progress, 0.5, 1.0)
    mixed = np.random.default_rng(14)
    if tables.reference is None:
        order, first, second, last = _dealt(tables, mixed)
        # As many as are released, and one more for who finds herself.
        some = np.sort(order[: len(tables.released) + 1])
        others = _nearest(tables.original, some, people, of_people, whose)
        asked = last if whose is not None else last[sample(len(last), len(people), 15)]
        control = log_ratio(
            _nearest(tables.original, np.sort(first), asked, part(of_control, 0.0, 0.5)),
            _nearest(tables.original, np.sort(second), asked, part(of_control, 0.5, 1.0)),
        )
        if len(np.unique(control.round(9))) < _STEPS * len(control):
            of_people = part(of_control, 1.0, 1.0)
            some = mixed.permutation(len(tables.released))[: len(first)]
            records = Records(np.ascontiguousarray(tables.released[np.sort(some)]), of_people)
            mine = np.ascontiguousarray(tables.original[people])
            distance = np.zeros(len(tables.original))
            distance[people] = records.nearest(mine, 1, of_people)[1][:, 0]
            others = _nearest(tables.original, np.sort(second), people, of_people, whose)
            dilution = len(some) / len(tables.released)
    else:
        asked = tables.control()
        if whose is None:
            asked = asked[sample(len(asked), len(people), 15)]
        _, (_, distances_of, _) = other_people(tables, people, asked, 1, of_people)
        others, away = np.split(distances_of[:, 0], [len(people)])
        records = Records(np.ascontiguousarray(tables.released), part(of_control, 0.0, 0.5))
        theirs = copied(tables.reference, asked)
        near = records.nearest(theirs, 1, part(of_control, 0.5, 1.0))[1][:, 0]
        control = log_ratio(near, away)
    knows = knows or Sentence("everything of a person, and how near to her other people are,")
    found = log_ratio(distance[people], others)
    control = control[tables.one_each_of_control(asked, control)]
    one = tables.one_each(people, found)
    return named_by(knows, tables.count, people[one], found[one], control, dilution, crosswise)


def _dealt(tables: Tables, mixed: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Rows of the originals in random order, person by person, and in three parts."""
    whose = tables.whose
    if whose is None:
        order = mixed.permutation(len(tables.original))
        return order, *np.array_split(order, 3)
    people = mixed.permutation(whose.count)
    parts = [whose.rows(some) for some in np.array_split(people, 3)]
    return np.argsort(np.argsort(people)[whose.of], kind="stable"), *parts


def other_people(
    tables: Tables, people: np.ndarray, control: np.ndarray, k: int, progress: Progress
) -> tuple[Records, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """What is known of some people of the file and of the reference, and who of all others is near each.

    Parameters
    ----------
    tables : Tables
    people, control : (q,), (s,) int arrays
        Rows of either table.
    k : int

    Returns
    -------
    Records
        Of both, people first.
    tuple of three (q + s, k) arrays
        As :func:`..people.nearest_others` returns them.
    """
    assert tables.reference is not None
    own = people if tables.whose is None else tables.whose.of[people]
    theirs = control if tables.reference_whose is None else tables.reference_whose.of[control]
    persons = np.concatenate([own, theirs + own.max(initial=0) + 1])
    persons = np.unique(persons, return_inverse=True)[1].reshape(-1)
    asked = np.concatenate([copied(tables.original, people), copied(tables.reference, control)])
    records = Records(asked, part(progress, 0.0, 0.3))
    whose, ahead = People(persons), part(progress, 0.3, 1.0)
    return records, nearest_others(records, asked, persons, whose, k, ahead)


def measured_rows(distance: np.ndarray) -> np.ndarray:
    """Rows whose distance is known."""
    return np.flatnonzero(~np.isnan(distance))


def _nearest(
    matrix: np.ndarray,
    some: np.ndarray,
    rows: np.ndarray,
    progress: Progress,
    whose: People | None = None,
) -> np.ndarray:
    """How far the nearest other of some records, or of those of others, is from each row."""
    others = copied(matrix, some, None, part(progress, 0.0, 0.1))
    records = Records(others, part(progress, 0.1, 0.5))
    if whose is not None:
        theirs, ahead = whose.of[some], part(progress, 0.5, 1.0)
        there, numbers = np.unique(theirs, return_inverse=True)
        persons = np.searchsorted(there, whose.of[rows])
        known = there[np.minimum(persons, len(there) - 1)] == whose.of[rows]
        asked = np.ascontiguousarray(matrix[rows])
        persons = np.where(known, persons, -1)
        return nearest_others(records, asked, persons, People(numbers), 1, ahead)[1][:, 0]
    near, away = records.nearest(np.ascontiguousarray(matrix[rows]), 2, part(progress, 0.5, 1.0))
    own = np.searchsorted(some, rows)
    own = np.where(some[np.minimum(own, len(some) - 1)] == rows, own, -1)
    kinds = records.distinct
    here = (own >= 0) & (kinds.of_row[near[:, 0]] == kinds.of_row[np.maximum(own, 0)])
    alone = kinds.count[kinds.of_row[np.maximum(own, 0)]] == 1
    return np.where(here & alone, away[:, 1], away[:, 0])


def log_ratio(near: np.ndarray, away: np.ndarray) -> np.ndarray:
    """Logarithm of a distance over another; nothing by itself is as near as can be."""
    return np.log(np.maximum(near, _NOTHING)) - np.log(np.maximum(away, _NOTHING))


def named_by(
    knows: Sentence,
    count: int,
    people: np.ndarray,
    measure: np.ndarray,
    others: np.ndarray,
    dilution: float = 1.0,
    crosswise: bool = False,
    wrongly: float = WRONGLY,
) -> Attack:
    """Name those whose measure is lower than that of one in twenty others.

    Parameters
    ----------
    knows : Sentence
    count : int
        How many people there are.
    people : (q,) int array
        Rows of those who are looked at.
    measure, others : (q,), (s,) arrays
        Theirs, and that of the control.
    dilution : float
        See :class:`.scoring.Attack`.
    crosswise : bool
        Whether the control, where it is small, says twice how low is low enough, each half for the
        other; people are named by either with half of the chance.
    wrongly : float
        The share of others whose measure is as low.

    Notes
    -----
    Of those at the very limit, who are many where measures go by steps, as many are named by lot as
    make it one in twenty; they are counted by their chance.
    """
    half = np.random.default_rng(0).permutation(len(others))
    first, second = others[half[: len(half) // 2]], others[half[len(half) // 2 :]]
    ways = [(first, second), (second, first)] if crosswise else [(first, second)]
    limits = [_limit(some, wrongly) for some, _ in ways]
    chance = np.mean([_chance(measure, *one) for one in limits], axis=0)
    named = np.flatnonzero(chance >= 0.5)
    return Attack(
        MEMBERSHIP,
        knows,
        Sentence("tells that she is in the file"),
        count,
        len(people),
        float(chance.sum()),
        sum(len(rest) for _, rest in ways),
        float(sum(_chance(rest, *one).sum() for (_, rest), one in zip(ways, limits))),
        wrongly,
        dilution=dilution,
        rows=people[named],
    )


def _limit(others: np.ndarray, wrongly: float) -> tuple[float, float]:
    """How low that share of others is, and the chance of those at that limit to be named."""
    limit = float(np.quantile(others, wrongly)) if len(others) else -np.inf
    below, at = (_chance(others, limit, lot).sum() for lot in (0.0, 1.0))
    lot = (wrongly * len(others) - below) / (at - below) if at > below + 1 else 0.0
    return limit, float(np.clip(lot, 0.0, 1.0))


def _chance(measure: np.ndarray, limit: float, lot: float) -> np.ndarray:
    """Chance that each is named: sure below the limit, by lot at it."""
    if not np.isfinite(limit):
        return (measure < limit).astype(float)
    return np.where(measure < limit - _SAME, 1.0, np.where(measure <= limit + _SAME, lot, 0.0))
