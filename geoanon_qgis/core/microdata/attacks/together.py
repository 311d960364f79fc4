# SPDX-License-Identifier: GPL-2.0-or-later
"""Fields that are true together in released records, among others that are not.

Whoever knows age, sex, origin, family and trade of a person looks for the record nearest in all of
these; where two of the five were swapped, that is another person's. He does better with the three that
are true. Which these are a release shows: a sample has more widows of 43 in one trade, and fewer in
another, than its population, by chance; people who are not in the file have others. A release in which
just the same are too many and too few was made of these people, with both fields of a person in one
record. Pairs of fields of which that holds are put together, and attacked as what an adversary knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ...runtime.progress import Progress, interruptible, part, shares, silent
from .inference import infer
from .knowledge import Knowledge, listed
from .membership import by_fields
from .scoring import Attack, level_of
from .table import Tables, answers, is_number, sample

#: Groups into which the numbers of a field are put that has more values; and people who are counted.
_GROUPS, _PEOPLE = 40, 20_000
#: Chance that any two fields of a harmless release are put together; standard deviations by which a
#: further field belongs to these.
_CHANCE, _FURTHER = 0.01, 4.0
#: Fewest fields that are an adversary's, and fewest people of either table that tell of them.
_FEWEST, _FEWEST_PEOPLE = 2, 50


def together(
    tables: Tables,
    known: Sequence[str] = (),
    secrets: Sequence[str] = (),
    progress: Progress = silent,
) -> list[Attack]:
    """Attack by the fields that are true together.

    Parameters
    ----------
    tables : Tables
    known, secrets : sequence of str
        See :func:`.knowledge.suppositions`.

    Returns
    -------
    list of Attack
        Inference of each of the fields by all the others of them, and membership by all. None where
        no fields are true together, or all but one are, which other attacks know.
    """
    names = interruptible(partial(true_together, tables), progress, 0.2)
    if not _FEWEST <= len(names) < len(tables.variables) - 1:
        return []
    found = by_fields(tables, names, part(progress, 0.2, 0.4))
    of_guesses = shares(part(progress, 0.4, 1.0), len(names))
    for wanted, ahead in zip(names, of_guesses):
        if wanted in known or (secrets and wanted not in secrets):
            continue
        here = tuple(
            one
            for one in names
            if one != wanted
            and one not in secrets
            and (not known or one in known)
            and not {one, wanted} <= set(tables.place)
        )
        if here:
            found += infer(tables, Knowledge(listed(here, tables.place), here, (wanted,)), ahead)
    return found


def true_together(tables: Tables) -> tuple[str, ...]:
    """Names of the fields that are true together in released records.

    Notes
    -----
    Of each two fields it is counted how many more released records have every two values than of the
    people of file and reference together, as a share. Where that has nothing to do with the originals
    they have no more of it than people of the reference; that is a comparison of two means. Without a
    reference nobody knows what chance alone makes, and none are found.
    """
    if tables.reference is None:
        return ()
    # Of people with several records one each: the others say the same once more.
    own, theirs = (
        one if whose is None else one[whose.one_each()]
        for one, whose in (
            (tables.original, tables.whose),
            (tables.reference, tables.reference_whose),
        )
    )
    matrices = [
        one[sample(len(one), _PEOPLE, 41 + at)]
        for at, one in enumerate((own, tables.released, theirs))
    ]
    if min(map(len, matrices)) < _FEWEST_PEOPLE:
        return ()
    codes = [_coded(one, matrices) for one in tables.variables]
    count = len(codes)
    sure = np.zeros((count, count))
    place = [one.name in tables.place for one in tables.variables]
    for at in range(count):
        for other in range(at):
            if place[at] and place[other]:
                continue  # both coordinates are one place, which tells nothing by being whole
            sure[at, other] = sure[other, at] = _sure(codes[at], codes[other])
    pairs = max(count * (count - 1) // 2, 1)
    first = np.unravel_index(sure.argmax(), sure.shape)
    if count < _FEWEST or sure[first] <= level_of(pairs, _CHANCE):
        return ()
    chosen = [int(one) for one in first]
    while len(chosen) < count:
        by = sure[:, chosen].sum(axis=1) / np.sqrt(len(chosen))
        by[chosen] = -np.inf
        if by.max() <= _FURTHER:
            break
        chosen.append(int(by.argmax()))
    return tuple(tables.variables[at].name for at in sorted(chosen))


def _coded(variable, matrices: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Values as whole numbers from nothing on; numbers of many values in groups."""
    values = [answers(variable, one) for one in matrices]
    if is_number(variable):
        there = values[0][~np.isnan(values[0])]
        if len(np.unique(there)) > _GROUPS:
            edges = np.unique(np.quantile(there, np.arange(1, _GROUPS) / _GROUPS))
            values = [
                np.where(np.isnan(one), np.nan, np.searchsorted(edges, one, "right"))
                for one in values
            ]
    values = [np.where(np.isnan(one), -np.inf, one) for one in values]
    _, kinds = np.unique(np.concatenate(values), return_inverse=True)
    ends = np.cumsum([len(one) for one in values])[:-1]
    return np.split(kinds.reshape(-1), ends)


def _sure(one: Sequence[np.ndarray], other: Sequence[np.ndarray]) -> float:
    """By how many standard deviations originals have more of what a release has too many of."""
    width = int(max(part.max() for part in other)) + 1
    _, cells = np.unique(
        np.concatenate([left * width + right for left, right in zip(one, other)]),
        return_inverse=True,
    )
    ends = np.cumsum([len(part) for part in one])[:-1]
    own, released, theirs = np.split(cells.reshape(-1), ends)
    size = int(cells.max()) + 1
    people = len(own) + len(theirs)
    usual = (np.bincount(own, minlength=size) + np.bincount(theirs, minlength=size)) / people
    more = np.bincount(released, minlength=size) / len(released) - usual
    more = more / (usual + 1 / people)
    spread = np.concatenate([more[own], more[theirs]]).std()
    apart = more[own].mean() - more[theirs].mean()
    by_chance = spread * np.sqrt(1 / len(own) + 1 / len(theirs))
    return float(apart / by_chance) if by_chance > 0 else 0.0
