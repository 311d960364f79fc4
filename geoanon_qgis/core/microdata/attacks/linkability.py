# SPDX-License-Identifier: GPL-2.0-or-later
"""Linkability: two files that share no field are joined through the release.

Giomi et al. (2023), section 4.2, with one neighbour: what one file has of a person and what the
other has of her belong together if one released record is the nearest to both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...runtime.progress import Progress, interruptible, shares, silent
from ...runtime.wording import Sentence
from .knowledge import listed
from .scoring import LINKABILITY, Attack
from .table import Matcher, Tables


def link(
    tables: Tables, first: Sequence[str], second: Sequence[str], progress: Progress = silent
) -> Attack:
    """Join what is known of people by two sets of variables.

    Parameters
    ----------
    tables : Tables
    first, second : sequence of str
        Names of variables.

    Returns
    -------
    Attack
        Where several released records are the nearest to both, an attempt is right by one of so
        many. The control is as in :func:`.inference.infer`.
    """
    people, others = tables.people(), tables.control()
    pairs: list[np.ndarray] = []
    kinds: list[np.ndarray] = []
    theirs: list[np.ndarray] = []
    their_kinds: list[np.ndarray] = []
    for names, ahead in zip((first, second), shares(progress, 2)):
        columns = tables.columns(names)
        building, asking, again, last = shares(ahead, 4)
        matcher = Matcher(tables.released, columns, building)
        kinds.append(matcher.kinds.astype(np.int64))
        pairs.append(matcher.kind_of(tables.original[people], asking))
        if tables.reference is not None:
            theirs.append(matcher.kind_of(tables.reference[others], again))
            continue
        del matcher
        matcher = Matcher(tables.original, columns, again)
        theirs.append(matcher.kind_of_others(others, last))
        their_kinds.append(matcher.kinds.astype(np.int64))
        del matcher
    rows = _chance(pairs, kinds, progress)
    if tables.reference is not None:
        lucky = _chance(theirs, kinds, progress)
    else:
        mine = (their_kinds[0][others] == theirs[0]) & (their_kinds[1][others] == theirs[1])
        lucky = _chance(theirs, their_kinds, progress, mine)
    return Attack(
        LINKABILITY,
        Sentence("{first} from one file", first=listed(first, tables.place)),
        Sentence(
            "finds the same person by {second} in another",
            second=listed(second, tables.place),
        ),
        len(tables.original),
        len(people),
        float(rows.sum()),
        len(others),
        float(lucky.sum()),
        1 / len(tables.released),
        rows=people[rows > 0],
        names=(tuple(first), tuple(second)),
    )


def _chance(
    asked: list[np.ndarray],
    kinds: list[np.ndarray],
    progress: Progress,
    mine: np.ndarray | None = None,
) -> np.ndarray:
    """Chance to take one record of those that are of two kinds, ``(q,)``; 0 where there is none.

    ``mine`` are queries who are of both kinds themselves and do not count.
    """
    width = int(kinds[1].max()) + 1
    joint = interruptible(lambda: np.sort(kinds[0] * width + kinds[1]), progress, 1.0)
    wanted = asked[0].astype(np.int64) * width + asked[1]
    wanted[(asked[0] < 0) | (asked[1] < 0)] = -1
    count = np.searchsorted(joint, wanted, "right") - np.searchsorted(joint, wanted)
    if mine is not None:
        count = count - mine
    return np.where(count > 0, 1 / np.maximum(count, 1), 0.0)
