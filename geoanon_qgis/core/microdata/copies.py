# SPDX-License-Identifier: GPL-2.0-or-later
"""Records of one table that are in another, too, as they are or changed a little."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from .distinct import distinct_rows, row_hashes
from .matrices import block_rows
from .nearest import SAME, Records

#: Fewest records that two samples share for it to be more than an accident, the chance of calling
#: an accident more, and the share of the people from which on it is no second sample at all.
_FEWEST, _LEVEL, _THE_SAME = 3, 1e-3, 0.8
#: Share of the people who have a record of their own in a second sample from which on it holds
#: them, standard deviations by which that is more than chance, and people who are looked at.
_CHANGED, _SURE, _ASKED = 0.25, 4.5, 1000
#: To so many digits the same coded values agree.
DIGITS = 9


def to_digits(matrix: np.ndarray) -> np.ndarray:
    """Return coded values to nine digits, which is how far the same values agree."""
    return np.round(matrix, DIGITS)


def are_among(queries: np.ndarray, records: np.ndarray, progress: Progress) -> np.ndarray:
    """Which rows are among those of another table; compared by hashes, then checked."""
    hashed = row_hashes(records, part(progress, 0.0, 0.4), prepared=to_digits)
    order = interruptible(lambda: np.argsort(hashed, kind="stable"), progress, 0.4)
    hashed = hashed[order]
    found = np.zeros(len(queries), dtype=bool)
    for rows in chunks(len(queries), block_rows(queries.shape[1]), part(progress, 0.4, 1.0)):
        block = to_digits(queries[rows])
        wanted = row_hashes(block)
        at = np.minimum(np.searchsorted(hashed, wanted), len(hashed) - 1)
        same = np.flatnonzero(hashed[at] == wanted)
        theirs = to_digits(records[order[at[same]]])
        found[rows.start + same] = (theirs == block[same]).all(axis=1)
    return found


def shared_people(
    original: np.ndarray,
    others: np.ndarray,
    progress: Progress = silent,
    even_all: bool = False,
) -> np.ndarray:
    """Find the records of a second sample that are people of the first.

    Parameters
    ----------
    original, others : (n, m), (q, m) arrays
    progress : callable
    even_all : bool
        Whether to tell of them where they are nearly all, too.

    Returns
    -------
    (q,) bool array
        Those that equal an original who is like no other. None where there are no more of them
        than two samples of a population share by accident; nor where they are nearly all, which
        is no second sample and refused by :func:`.exposed.exposed`.

    Notes
    -----
    As often as a further person is like one whom a sample holds once, the sample holds a kind
    twice: the share of the former is estimated by 2 f2 / n (Good, 1953, *Biometrika* 40, 237-264).
    """
    from scipy.stats import poisson

    finding, looking = part(progress, 0.0, 0.5), part(progress, 0.5, 1.0)
    kinds = distinct_rows(original, finding, prepared=to_digits)
    alone = kinds.count[kinds.of_row] == 1
    nobody = np.zeros(len(others), dtype=bool)
    if not alone.any():
        return nobody
    found = are_among(others, original[alone], looking)
    count = int(found.sum())
    expected = len(others) * 2 * int(np.count_nonzero(kinds.count == 2)) / len(original)
    by_accident = max(_FEWEST - 1, float(poisson.isf(_LEVEL, expected)) if expected else 0.0)
    most = _THE_SAME * min(int(alone.sum()), len(others))
    if count <= by_accident or (count >= most and not even_all):
        return nobody
    return found


def refuse_the_same_people_changed(
    original: np.ndarray, others: np.ndarray, progress: Progress = silent
) -> None:
    """Refuse a second sample that was made of the originals, or holds many of them at another time.

    Of two samples of one population two records that are the nearest to each other are as often of both
    as there are pairs of both. A person's own record, with noise or a year later, is hers more often.

    Raises
    ------
    InputError
    """
    asked = np.random.default_rng(17).permutation(len(original))[:_ASKED]
    if min(len(asked), len(others)) < 2:
        return
    own = Records(np.ascontiguousarray(original), part(progress, 0.0, 0.25))
    theirs = Records(np.ascontiguousarray(others), part(progress, 0.25, 0.5))
    near = partial(_nearest_of_both, own, theirs)
    (mine, away), (other, off) = near(own.matrix[asked], True, part(progress, 0.5, 0.65))
    apart = np.flatnonzero((off > 0) & (off < away))
    together = np.flatnonzero((away > 0) & (away < off))
    # Whether she is the nearest of her nearest, too.
    back = near(theirs.matrix[other[apart]], False, part(progress, 0.65, 0.8))
    across = np.count_nonzero(_is_nearest(off[apart], back[0][1], back[1][1]))
    back = near(own.matrix[mine[together]], True, part(progress, 0.8, 1.0))
    within = np.count_nonzero(_is_nearest(away[together], back[0][1], back[1][1]))
    pairs, by_chance = across + within, len(others) / (len(others) + len(original) - 1)
    more = across - by_chance * pairs
    spread = np.sqrt(by_chance * (1 - by_chance) * pairs)
    share = more / (1 - by_chance) / len(asked)
    if more <= _SURE * spread or share <= _CHANGED:
        return
    raise InputError(
        "The reference holds the original people, changed a little: of two who are nearest to each other "
        "{share:.0f} % are an original and one of the reference; of other people it would be {chance:.0f} %. "
        "Beside themselves nobody would be found. Choose records of other people, or leave the reference "
        "empty.",
        share=100 * across / pairs,
        chance=100 * by_chance,
    )


def _nearest_of_both(
    own: Records, theirs: Records, asked: np.ndarray, of_own: bool, progress: Progress
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Which original and which of the others is nearest to some of either, herself left out, and how far."""
    found = []
    for records, left_out, low in ((own, of_own, 0.0), (theirs, not of_own, 0.5)):
        rows, away = records.nearest(asked, 1 + left_out, part(progress, low, low + 0.5))
        found.append((rows[:, -1], away[:, -1]))
    return found


def _is_nearest(away: np.ndarray, *others: np.ndarray) -> np.ndarray:
    """Tell who is as near as the nearest of both."""
    return away <= np.minimum(*others) * (1 + SAME)
