# SPDX-License-Identifier: GPL-2.0-or-later
"""Records of one table that are in another, too, as they are or changed a little."""

from __future__ import annotations

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from .distinct import distinct_rows, row_hashes
from .matrices import block_rows
from .nearest import Records

#: Fewest records that two samples share for it to be more than an accident, the chance of calling
#: an accident more, and the share of the people from which on it is no second sample at all.
_FEWEST, _LEVEL, _THE_SAME = 3, 1e-3, 0.8
#: Share of the people who have a record of their own in a second sample from which on it was made of
#: them, standard deviations by which that is more than chance, and people who are looked at.
_NEARER, _SURE, _ASKED = 0.5, 4.5, 1000
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
    """Refuse a second sample that was made of the originals, or holds them at another time.

    Some of a second sample of one population is nearer to a person than so many of her own as chance
    lets it be, by the numbers of both. Her own record, with noise or a year later, is nearer still.

    Raises
    ------
    InputError
    """
    order = np.random.default_rng(17).permutation(len(original))
    asked, rest = order[: len(order) // 2][:_ASKED], order[len(order) // 2 :]
    some = np.random.default_rng(18).permutation(len(others))[: len(original)]
    if min(len(asked), len(some)) < 2:
        return
    away = []
    for table, rows, low in ((original, rest, 0.0), (others, some, 0.5)):
        records = Records(np.ascontiguousarray(table[rows]), part(progress, low, low + 0.2))
        wanted = np.ascontiguousarray(original[asked])
        away.append(records.nearest(wanted, 1, part(progress, low + 0.2, low + 0.5))[1][:, 0])
    if (away[1] == 0).mean() > 0.5:
        return  # the very same, which :func:`.exposed.exposed` refuses
    nearer = float((away[1] < away[0]).mean() + (away[1] == away[0]).mean() / 2)
    by_chance = len(some) / (len(some) + len(rest))
    spread = np.sqrt(by_chance * (1 - by_chance) / len(asked))
    share = (nearer - by_chance) / (1 - by_chance)
    if share <= _NEARER or nearer - by_chance <= _SURE * spread:
        return
    raise InputError(
        "The reference holds the original people, changed a little: {share:.0f} % of the originals have "
        "a nearer record there than among other originals; of other people it would be {chance:.0f} %. "
        "Beside themselves nobody would be found. Choose records of other people, or leave the reference "
        "empty.",
        share=100 * nearer,
        chance=100 * by_chance,
    )
