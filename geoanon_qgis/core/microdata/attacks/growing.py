# SPDX-License-Identifier: GPL-2.0-or-later
"""Sets of fields that are nearly true together grow by one field at a time, from those that tell most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb

import numpy as np

from ...runtime.progress import Progress, part, silent, weighted
from .cells import Field, as_one, sure
from .scoring import level_of

#: In how many ways numbers are put into groups.
GRIDS = 4
#: Most fields of a set that tell; fewest and most groups into which a number is put.
_FIELDS, _GROUPS = 6, (3, 6)
#: Sets that are tried after the first, and after these.
TRIED, FEW = 3000, 700
#: Chance that any set is found in a harmless release; standard deviations by which a further
#: field belongs to a set, on average with each two fields of it.
_CHANCE, _FURTHER = 0.01, 2.5

#: Takes a set of fields and into how many groups numbers are put, and returns what tells of them in each grid.
Coding = Callable[[Sequence[int], int], Sequence[Sequence[Field]]]


def begins(count: int) -> np.ndarray:
    """By what share of a group those of each field begin later, in each grid: not alike for any two, (count, grids)."""
    ways = np.tile(np.arange(GRIDS), (count, 1))
    return (np.random.default_rng(GRIDS).permuted(ways, axis=1) + 0.5) / GRIDS


def grown(
    coding: Coding,
    starts: Callable[[Sequence[int]], list[tuple[int, ...]]],
    count: int,
    people: int,
    progress: Progress = silent,
    less: int = 0,
    searches: int = 1,
    tried: int = TRIED,
    apart: int = 1,
) -> list[list[int]]:
    """Sets of the fields that are nearly true together, the surest first; no field is in two.

    Parameters
    ----------
    coding : callable
    starts : callable
        Takes some fields, and returns the sets of them that are begun with, all of one size.
    count : int
        How many fields there are.
    people : int
        Fewest people of a table.
    less : int
        By how many fewer fields tell than a set has: one where they are held against the first.
    searches : int
        How many such searches share their chance.
    tried : int
        Most sets that are tried of those that the first ones grow to.
    apart : int
        How far from each other fields of a set stand: sums of numbers that overlap say one thing twice.

    Notes
    -----
    Of other people's fields that are true together nobody learns whose record it is, but they must not hide
    those that are of somebody else. So what is left is searched again until nothing is found.
    """
    found: list[list[int]] = []
    left, done = [*range(count)], 0.0
    while sets := starts(left):
        ahead = part(progress, done, 1 - (1 - done) / 2)
        one = _surest(coding, sets, left, people, ahead, less, searches, tried, apart)
        if not one:
            break
        found.append(one)
        left, done = sorted({*left} - {*one}), 1 - (1 - done) / 2
    return found


def _surest(
    coding: Coding,
    sets: list[tuple[int, ...]],
    fields: Sequence[int],
    people: int,
    progress: Progress,
    less: int,
    searches: int,
    most: int,
    apart: int,
) -> list[int]:
    """The surest set of some fields, with all that belongs to it; empty where chance explains all."""
    best, found, count = 0.0, set[int](), len(fields)
    sizes = range(len(sets[0]), min(_FIELDS + less, count) + 1)
    tried = [min(len(sets), TRIED), most, *[FEW] * _FIELDS]
    *of_sizes, last = weighted(progress, *tried[: len(sizes) + 1])
    for size, more, ahead in zip(sizes, tried[1:], of_sizes):
        # About as many cells as people.
        groups = int(np.clip(people ** (1 / (size - less)), *_GROUPS))
        by = _sure_of(coding, sets, groups, ahead)
        beyond = by.max() - level_of(comb(count, size) * len(sizes) * searches, _CHANCE)
        if beyond > best:
            best, found = beyond, {*sets[by.argmax()]}
        kept = [sets[at] for at in np.argsort(-by)[: max(1, more // count)]]
        grow = {tuple(sorted({*one, new})) for one in kept for new in fields} - {*kept}
        sets = sorted(one for one in grow if _stand(one, apart))
        if not sets:
            break
    left = sorted(one for one in {*fields} - found if _stand(sorted({*found, one}), apart))
    if found and left:
        # Of more fields than that there are too many cells for these people.
        sets = [(*two, new) for new in left for two in combinations(sorted(found), 2)]
        by = _sure_of(coding, sets, _GROUPS[1], last, True).reshape(len(left), -1).mean(axis=1)
        for at in np.argsort(-by)[: np.count_nonzero(by > _FURTHER)]:
            if _stand(sorted({*found, left[at]}), apart):
                found.add(left[at])
    return sorted(found)


def _stand(fields: Sequence[int], apart: int) -> bool:
    """Tell whether fields stand as far from each other."""
    return all(after - one >= apart for one, after in zip(fields, fields[1:]))


def _sure_of(
    coding: Coding,
    sets: Sequence[tuple[int, ...]],
    groups: int,
    progress: Progress,
    by_last: bool = False,
) -> np.ndarray:
    """By how many standard deviations each set of fields is true together, or its last with the others."""
    by = np.zeros(len(sets))
    for at, one in enumerate(sets):
        progress(at / len(sets))
        ways = coding(one, groups)
        by[at] = sure(*([as_one(way[:-1]), way[-1]] if by_last else way for way in ways))
    return by
