# SPDX-License-Identifier: GPL-2.0-or-later
"""Records of one table that are in another, too."""

from __future__ import annotations

import numpy as np

from ..runtime.progress import Progress, chunks, interruptible, part, silent
from .distinct import distinct_rows, row_hashes
from .matrices import block_rows

#: Fewest records that two samples share for it to be more than an accident, the chance of calling
#: an accident more, and the share of the people from which on it is no second sample at all.
_FEWEST, _LEVEL, _THE_SAME = 3, 1e-3, 0.8
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
