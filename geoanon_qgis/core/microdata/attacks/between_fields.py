# SPDX-License-Identifier: GPL-2.0-or-later
"""What is true between the fields of a record, though none of them is.

Dates that were all moved by so many days, the same for everybody or another number for each person,
keep how many days lie between them; amounts that were all multiplied keep their ratios. Few people
have the same of several of these. So differences and ratios of numbers are fields, too, by which a
released record may be a person's. And so is what is left of numbers by whole units: who adds whole
euros or hours leaves the cents and minutes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ...runtime.progress import Progress, interruptible, shares, silent, weighted
from ..people import People
from .derived import Numbers, Pair, Rest, derived, has_rests
from .in_part import InPart, found_in, related_fields
from .table import Tables, sample

#: Every how many numbers one is compared with the others, and with how many before and after it: fields
#: of one unit stand together in most tables.
_EVERY, _AROUND = 2, 5
#: Rows of each table that are looked at, about.
_ROWS = 50_000
#: Units of which something is left, and how many rests are looked at together.
_UNITS, _TOGETHER = (1.0, 10.0, 60.0), 10
#: Level of all scans together.
_LEVEL = 0.002


def between_fields(
    tables: Tables,
    released: np.ndarray,
    progress: Progress = silent,
    known: Sequence[int] | np.ndarray = (),
) -> InPart:
    """Find people of whom a record has differences or ratios of numbers as hardly any other has.

    Parameters
    ----------
    tables : Tables
    released : (p, m) array
        The release before columns in other units were taken back.
    known : sequence of int
        Originals who are listed already.

    Returns
    -------
    InPart

    Notes
    -----
    Of larger tables a sample is looked at, people and records each by themselves: what was done to all is
    seen by that, though not everybody is listed.
    """
    whose = tables.whose
    rows, tables, released = _sampled(tables, released)
    known = np.flatnonzero(np.isin(rows, known))
    found = InPart()
    of_scans, progress = weighted(progress, 1, 50)
    scans = list(_scans(tables, of_scans))
    for pairs, ahead in zip(scans, shares(progress, len(scans))):
        of_tables, of_scan = shares(ahead, 2)
        made = interruptible(partial(derived, tables, released, pairs), of_tables)
        level = _LEVEL / len(scans)
        names = [one.name for one in made.variables]
        listed = np.union1d(known, found.rows)
        one = found_in(made, made.original, made.reference, names, of_scan, 0.0, listed, level)
        found = found.besides(one)
    return replace(found, rows=rows[found.rows], whose=whose)


def _sampled(tables: Tables, released: np.ndarray) -> tuple[np.ndarray, Tables, np.ndarray]:
    """Rows of the originals that are looked at, and the tables of these; people with all their records."""
    (rows, whose), (others, theirs) = (
        _some(matrix, people, seed)
        for seed, (matrix, people) in enumerate(
            (
                (tables.original, tables.whose),
                (tables.reference, tables.reference_whose),
            ),
            61,
        )
    )
    records, _ = _some(released, None, 63)
    made = replace(
        tables,
        original=tables.original[rows],
        reference=None if tables.reference is None else tables.reference[others],
        whose=whose,
        reference_whose=theirs,
    )
    return rows, made, released[records]


def _some(
    matrix: np.ndarray | None, whose: People | None, seed: int
) -> tuple[np.ndarray, People | None]:
    """Rows of a sample, all of them in small tables, and whose they are."""
    if matrix is None:
        return np.zeros(0, dtype=np.intp), None
    if whose is None or len(matrix) <= _ROWS:
        return sample(len(matrix), _ROWS, seed), whose
    rows = whose.rows(sample(whose.count, max(1, _ROWS * whose.count // len(matrix)), seed))
    return rows, whose.some(rows)


def _scans(tables: Tables, progress: Progress) -> Iterator[Sequence[Pair | Rest]]:
    """Pairs of fields that are looked at together.

    All are of one field and some others, or of each field and the next, by what fits them: of all pairs of
    three, two differences make the third. Of fields that follow from each other one tells all.
    """
    firsts = {group[0] for group in related_fields(tables, progress)}
    made = Numbers.of(tables, firsts)
    numbers, with_ratios = made.all, made.with_ratios
    for is_ratio, fields in ((False, numbers), (True, with_ratios)):
        for at in range(0, len(fields), _EVERY):
            first = max(0, at - _AROUND)
            others = [*fields[first:at], *fields[at + 1 : at + 1 + _AROUND]]
            if len(others) > 1:  # of one difference nobody is known
                yield [made.pair(fields[at], one, is_ratio) for one in others]
    chain = [
        made.pair(a, b, a in with_ratios and b in with_ratios) for a, b in zip(numbers, numbers[1:])
    ]
    if len({one.is_ratio for one in chain}) > 1:
        yield chain
    for unit in _UNITS:
        rests = [Rest(one, unit) for one in numbers if has_rests(tables, one, unit)]
        for at in range(0, len(rests), _TOGETHER):
            yield rests[at : at + _TOGETHER]
