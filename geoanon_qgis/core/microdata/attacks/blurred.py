# SPDX-License-Identifier: GPL-2.0-or-later
"""Fields that are nearly true together in released records, among others that are not.

Noise of a fifth of a standard deviation spreads a person over fine groups of values, and of two fields
in coarse groups too little is left to be seen. Of three to six of them it is much: the more fields, the
fewer people are together in a cell by chance. So sets of fields grow by one field at a time, from those
that tell most, and each is held against chance by how many sets of its size there are. Groups begin
elsewhere four times: who is near the end of one is within another, and chance differs among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import comb

import numpy as np

from ...runtime.progress import Progress, interruptible, silent, weighted
from ..variables import Variable
from .cells import as_one, coded, counted_people, sure
from .scoring import level_of
from .table import Tables, is_number

#: Most people who are counted, and people times sets of two fields; most fields of a set.
_PEOPLE, _WORK, _FIELDS = 20_000, 30_000_000, 6
#: Fewest and most groups into which a number is put.
_GROUPS = (3, 6)
#: In how many ways numbers are put into groups.
_GRIDS = 4
#: Sets that are tried in all of three fields, and of more.
_TRIED, _TRIED_OF_MORE = 3000, 700
#: Chance that any set is found in a harmless release; standard deviations by which a further
#: field belongs to a set, on average with each two fields of it.
_CHANCE, _FURTHER = 0.01, 2.5


def nearly_together(tables: Tables, progress: Progress = silent) -> tuple[str, ...]:
    """Names of the fields that are nearly true together in released records.

    Notes
    -----
    As :func:`.together.true_together` counts, with fewer groups and more fields. Places are asked with
    fields by :mod:`.joined`.
    """
    some = [one for one in tables.variables if one.name not in tables.place]
    count = len(some)
    pairs = comb(count, 2)
    people = counted_people(tables, int(np.clip(_WORK // max(pairs, 1), 1000, _PEOPLE)))
    if not people or count < 2:
        return ()
    sets: list[tuple[int, ...]] = list(combinations(range(count), 2))
    best, found = 0.0, set[int]()
    sizes = range(2, min(_FIELDS, count) + 1)
    tried = [min(pairs, _TRIED), _TRIED, *[_TRIED_OF_MORE] * _FIELDS]
    *of_sizes, last = weighted(progress, *tried[: len(sizes) + 1])
    for size, ahead in zip(sizes, of_sizes):
        # About as many cells as people.
        by = _sure_of(some, sets, people, min(map(len, people)) ** (1 / size), ahead)
        beyond = by.max() - level_of(comb(count, size) * len(sizes), _CHANCE)
        if beyond > best:
            best, found = beyond, {*sets[by.argmax()]}
        kept = [sets[at] for at in np.argsort(-by)[: max(1, tried[size - 1] // count)]]
        sets = sorted(
            {tuple(sorted({*one, new})) for one in kept for new in range(count)} - {*kept}
        )
    left = sorted({*range(count)} - found)
    if found and left:
        # Of more fields than that there are too many cells for these people.
        sets = [(*two, new) for new in left for two in combinations(sorted(found), 2)]
        by = (
            _sure_of(some, sets, people, _GROUPS[1], last, True).reshape(len(left), -1).mean(axis=1)
        )
        found |= {left[at] for at in np.flatnonzero(by > _FURTHER)}
    return tuple(some[at].name for at in sorted(found))


def _sure_of(
    some: Sequence[Variable],
    sets: Sequence[tuple[int, ...]],
    people: Sequence[np.ndarray],
    groups: float,
    progress: Progress,
    by_last: bool = False,
) -> np.ndarray:
    """By how many standard deviations each set of fields is true together, or its last with the others."""
    size = int(np.clip(groups, *_GROUPS))
    # Each field's groups begin elsewhere in each grid, and two fields' not alike.
    moved = np.random.default_rng(_GRIDS).permuted(
        np.tile(np.arange(_GRIDS), (len(some), 1)), axis=1
    )
    fields = [
        [
            interruptible(partial(coded, one, people, size, by), progress, 0.0)
            for by in ((ways + 0.5) / _GRIDS if is_number(one) else (0.0,))
        ]
        for one, ways in zip(some, moved)
    ]
    by = np.zeros(len(sets))
    for at, one in enumerate(sets):
        progress(at / len(sets))
        grids = _GRIDS if any(len(fields[other]) > 1 for other in one) else 1
        ways = [
            [fields[other][grid % len(fields[other])] for other in one] for grid in range(grids)
        ]
        by[at] = sure(*([as_one(way[:-1]), way[-1]] if by_last else way for way in ways))
    return by
