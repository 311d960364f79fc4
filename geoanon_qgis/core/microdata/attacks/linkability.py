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
from .tied import own_records


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
        many. The control is as in :func:`.inference.infer`. Of people with several records the one
        that is nearest by both counts.
    """
    people, others = tables.people(), tables.control()
    pairs: list[np.ndarray] = []
    kinds: list[np.ndarray] = []
    theirs: list[np.ndarray] = []
    their_kinds: list[np.ndarray] = []
    far, their_far = np.zeros(len(people)), np.zeros(len(others))
    for names, ahead in zip((first, second), shares(progress, 2)):
        columns = tables.columns(names)
        building, asking, again, last = shares(ahead, 4)
        matcher = Matcher(tables.released, columns, building)
        kinds.append(matcher.kinds.astype(np.int64))
        kind, away = matcher.nearest(tables.original[people], asking)
        pairs.append(kind)
        far += len(columns) * away**2
        if tables.reference is not None:
            kind, away = matcher.nearest(tables.reference[others], again)
        else:
            del matcher
            matcher = Matcher(tables.original, columns, again, tables.whose)
            kind, away = matcher.nearest_other(others, last)
            their_kinds.append(matcher.kinds.astype(np.int64))
        theirs.append(kind)
        their_far += len(columns) * away**2
        del matcher
    one, other = tables.one_each(people, far), tables.one_each_of_control(others, their_far)
    people, others = people[one], others[other]
    pairs, theirs = [some[one] for some in pairs], [some[other] for some in theirs]
    rows = _chance(pairs, kinds, progress)
    if tables.reference is not None:
        lucky = _chance(theirs, kinds, progress)
    else:
        which, own = own_records(others, tables.whose)
        mine = np.ones(len(own), dtype=bool)
        for there, asked in zip(their_kinds, theirs):
            mine &= there[own] == asked[which]
        lucky = _chance(theirs, their_kinds, progress, np.bincount(which, mine, len(others)))
    return Attack(
        LINKABILITY,
        Sentence("{first} from one file", first=listed(first, tables.place)),
        Sentence(
            "finds the same person by {second} in another",
            second=listed(second, tables.place),
        ),
        tables.count,
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

    ``mine`` is how many records of both kinds are a person's own and do not count.
    """
    width = int(kinds[1].max()) + 1
    joint = interruptible(lambda: np.sort(kinds[0] * width + kinds[1]), progress, 1.0)
    wanted = asked[0].astype(np.int64) * width + asked[1]
    wanted[(asked[0] < 0) | (asked[1] < 0)] = -1
    count = np.searchsorted(joint, wanted, "right") - np.searchsorted(joint, wanted)
    if mine is not None:
        count = count - mine
    return np.where(count > 0, 1 / np.maximum(count, 1), 0.0)
