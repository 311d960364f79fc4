# SPDX-License-Identifier: GPL-2.0-or-later
"""Records in the order of the file, of which some are lacking: the one list is laid along the other.

Whoever leaves out a few records and does not shuffle the others has moved every row by no more than
those lacking before it. Of all ways to lay the shorter list along the longer one the one is taken by
which most agrees: as sequences are aligned that differ by gaps (Needleman and Wunsch 1970, *Journal of
Molecular Biology* 48, 443-453), here in one of the two only, so that gaps never decrease.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from ...runtime.progress import Progress, interruptible, shares, silent
from ...runtime.wording import Sentence
from .paired import AROUND, FEWEST, Pairing
from .table import Tables, answers, is_number

#: Records that may be lacking, and so many times as many rows that are aligned.
_LACKING, _CELLS = 200, 4_000_000
#: What numbers weigh that are all ranks apart, as chance puts them a third of these apart.
_BY_RANK = 3.0
_SEED = 35


def aligned(tables: Tables, progress: Progress = silent) -> Iterator[Pairing]:
    """Pair the rows of originals and release where one of them lacks some rows of the other.

    Parameters
    ----------
    tables : Tables
        Nothing is looked for where both have as many rows, or one lacks too many.

    Notes
    -----
    What agrees best agrees better than it should, be the records whose they may. So two controls are
    aligned alike: the originals, with the rows of each few dozen in random order, and the reference,
    where it has as many rows.
    """
    counts = len(tables.original), len(tables.released)
    lacking = abs(counts[0] - counts[1])
    if not 0 < lacking <= min(_LACKING, min(counts) // 5):
        return
    rows = min(*counts, max(_CELLS // (lacking + 1), FEWEST))
    of_people, of_records = (rows + lacking if one > min(counts) else rows for one in counts)
    original, released = tables.original[:of_people], tables.released[:of_records]
    others = [_shuffled(original, 2 * (lacking + 1) + 4 * AROUND)]
    if tables.reference is not None and len(tables.reference) == len(tables.original):
        others.append(tables.reference[:of_people])
    made = []
    for some, ahead in zip([original, *others], shares(progress, 1 + len(others))):
        made.append(_laid_along(tables, some, released, ahead))
    (people, records), *theirs = made
    yield Pairing(
        Sentence("the order of the file, of which a few records are lacking"),
        people,
        records,
        tuple((some[at], there) for some, (at, there) in zip(others, theirs)),
    )


def _shuffled(matrix: np.ndarray, block: int) -> np.ndarray:
    """Rows in random order within each few, so that what the file is sorted by stays."""
    rng = np.random.default_rng(_SEED)
    at = np.arange(len(matrix))
    return matrix[np.lexsort((rng.random(len(matrix)), at // block))]


def _laid_along(
    tables: Tables, people: np.ndarray, records: np.ndarray, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of both that belong together, by the best gaps."""
    swapped = len(people) < len(records)
    longer, shorter = (records, people) if swapped else (people, records)
    count, lacking = len(shorter), len(longer) - len(shorter)
    told = interruptible(partial(_told, tables, longer, shorter), progress)
    # The best sum up to each row, of so many gaps before it; and where the last of them began.
    best = np.full(count + 1, -np.inf)
    begun = np.empty((lacking + 1, count + 1), dtype=np.int32)
    for gap in range(lacking + 1):
        progress(gap / (lacking + 1))
        along = np.append(0.0, np.cumsum(_agreement(told, gap, count)))
        before = best - along if gap else np.where(np.arange(count + 1) == 0, 0.0, -np.inf)
        top = np.maximum.accumulate(before)
        is_new = np.append(True, before[1:] > top[:-1])
        begun[gap] = np.maximum.accumulate(np.where(is_new, np.arange(count + 1), 0))
        best = along + top
    gaps = np.empty(count, dtype=np.intp)
    end = count
    for gap in range(lacking, -1, -1):
        start = int(begun[gap][end])
        gaps[start:end] = gap
        end = start
    at = np.arange(count)
    return (at, at + gaps) if swapped else (at + gaps, at)


def _told(
    tables: Tables, longer: np.ndarray, shorter: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray | None]]:
    """What both say of each variable: ranks of numbers, or values and what each is worth."""
    made: list[tuple[np.ndarray, np.ndarray, np.ndarray | None]] = []
    for one in tables.variables:
        both = np.concatenate([answers(one, matrix) for matrix in (longer, shorter)])
        values, code, count = np.unique(both, return_inverse=True, return_counts=True)
        code = code.ravel()
        if is_number(one):
            worth, code = None, ((np.cumsum(count) - count / 2) / len(code))[code]
        else:
            worth = -np.log(count / len(code))
        made.append((code[: len(longer)], code[len(longer) :], worth))
    return made


def _agreement(
    told: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray | None]], gap: int, count: int
) -> np.ndarray:
    """How well each row of the shorter agrees with that so many further down."""
    total = np.zeros(count)
    for longer, shorter, worth in told:
        theirs = longer[gap : gap + count]
        if worth is None:
            total -= _BY_RANK * np.abs(theirs - shorter)
        else:
            total += np.where(theirs == shorter, worth[shorter], 0.0)
    return total
