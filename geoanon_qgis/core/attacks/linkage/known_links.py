# SPDX-License-Identifier: GPL-2.0-or-later
"""What an adversary has beside one release: links that he knows, and further releases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...distances.matrix import DistanceMatrix, check, shown
from ...runtime.errors import InputError
from ...runtime.wording import Sentence, figure

#: Share by which rounding may lift a contracted distance over the true one.
_SLACK = 1e-6


def checked_links(links: Sequence[tuple[int, int]], records: int, people: int) -> np.ndarray:
    """Return known links as an (l, 2) int array of rows of records and of people.

    Raises
    ------
    InputError
        If a row is not there, or occurs twice.
    """
    found = np.array([tuple(link) for link in links], dtype=np.int64).reshape(-1, 2)
    for column, most in enumerate((records, people)):
        values = found[:, column]
        if ((values < 0) | (values >= most)).any():
            raise InputError("A known link names a record or a person that is not there.")
        if len(np.unique(values)) < len(values):
            raise InputError(
                "A record or a person is in two known links; nobody can be two at a time."
            )
    return found


def refuse_contradictions(
    links: np.ndarray,
    released: np.ndarray,
    true: np.ndarray,
    ids: Sequence[str],
    unit: str,
) -> None:
    """Refuse known links that no embedding can have: two that are farther apart than they live.

    Parameters
    ----------
    links : (l, 2) int array
    released : (n1, n1) array
        Lowered by what rounding may have added.
    true : (n2, n2) array
    ids : sequence of n1 str
        Of the records.
    unit : str

    Raises
    ------
    InputError
        That names the two records, and both distances.
    """
    records, people = links.T
    seen, away = released[np.ix_(records, records)], true[np.ix_(people, people)]
    over = seen - away * (1 + _SLACK)
    if len(links) < 2 or not (over > _SLACK * true.max()).any():
        return
    one, other = np.unravel_index(int(over.argmax()), over.shape)
    raise InputError(
        "The known links of the records {one} and {other} contradict the release: their released"
        " distance is {seen} {unit}, and the people they are linked with live {away} {unit}"
        " apart. An embedding makes no distance longer. Check the links, and the unit and the"
        " rounding of the distances.",
        one=shown(ids[records[one]]),
        other=shown(ids[records[other]]),
        seen=figure(float(seen[one, other]), ",.6g"),
        away=figure(float(away[one, other]), ",.6g"),
        unit=unit,
    )


def joined(releases: Sequence[DistanceMatrix], contractive: bool) -> DistanceMatrix:
    """Make one release of several of the same records.

    Parameters
    ----------
    releases : sequence of DistanceMatrix
        With the same ids, in any order.
    contractive : bool
        Whether they are embeddings: r of them with d sets are, by their elementwise maximum, one
        with r d sets. The mean of noisy ones has less noise.

    Returns
    -------
    DistanceMatrix
        In the order of the first.

    Raises
    ------
    InputError
        If there are none, their records or units are not the same, or one holds no distances.
    """
    if not releases:
        raise InputError("There is no released matrix.")
    first = releases[0]
    result = first.condensed.copy()
    for one in releases:
        check(one, Sentence("released matrix"))
    for other in releases[1:]:
        row = {name: at for at, name in enumerate(other.ids)}
        missing = [name for name in first.ids if name not in row]
        if missing or len(other) != len(first):
            name = missing[0] if missing else next(n for n in other.ids if n not in set(first.ids))
            raise InputError(
                "The released matrices are of different records: {name} is not in all of them.",
                name=shown(name),
            )
        if other.unit != first.unit:
            raise InputError(
                "The released matrices are in different units, '{one}' and '{other}'.",
                one=first.unit,
                other=other.unit,
            )
        same = other.subset(np.array([row[name] for name in first.ids])).condensed
        if contractive:
            np.maximum(result, same, out=result)
        else:
            result += same
    return DistanceMatrix(result if contractive else result / len(releases), first.ids, first.unit)
