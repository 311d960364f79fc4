# SPDX-License-Identifier: GPL-2.0-or-later
"""Links that the adversary knows already, and what they leave of the candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...runtime.errors import InputError
from .near_edges import Candidates
from .near_weights import Deviations


def checked_links(
    links: Iterable[tuple[int, int]],
    released: np.ndarray,
    known: np.ndarray,
    deviations: Deviations,
    names: tuple[Sequence[str], Sequence[str]],
) -> np.ndarray:
    """Return known links in order, if all of them can be true.

    Parameters
    ----------
    links : pairs of (row of the release, row of the known people)
    released : (n1, n1) array
    known : (n2, n2) array
        True distances.
    deviations : Deviations
    names : (sequence, sequence)
        Ids of the released records, and of the known people, for sentences.

    Returns
    -------
    (l, 2) int array

    Raises
    ------
    InputError
        If a link names a row that is not there, a record or a person is linked twice, or two
        links have a released distance that is longer than the true one.
    """
    pairs = np.array(sorted(links), dtype=np.int64).reshape(-1, 2)
    counts = len(released), len(known)
    for column, count in enumerate(counts):
        rows = pairs[:, column]
        outside = rows[(rows < 0) | (rows >= count)]
        if len(outside):
            raise InputError(
                "A known link names row {row:,} of {count:,}: there is no such row.",
                row=int(outside[0]),
                count=count,
            )
        values, times = np.unique(rows, return_counts=True)
        if (times > 1).any():
            raise InputError(
                "{name} is in more than one known link. Every record and every person can be"
                " linked once.",
                name=names[column][int(values[times > 1][0])],
            )
    if deviations.contracts and len(pairs) > 1:
        _refuse_contradictions(pairs, released, known, deviations.above, names)
    return pairs


def _refuse_contradictions(pairs, released, known, above: float, names) -> None:
    """Name the two links whose released distance exceeds the true one by most."""
    excess = released[np.ix_(pairs[:, 0], pairs[:, 0])] - known[np.ix_(pairs[:, 1], pairs[:, 1])]
    if excess.max() <= above:
        return
    wrong = excess > above
    # Of the two, the one that contradicts more of the others comes first.
    one, other = np.unravel_index(int(excess.argmax()), excess.shape)
    if wrong[other].sum() > wrong[one].sum():
        one, other = other, one
    (t1, i1), (t2, i2) = pairs[one], pairs[other]
    raise InputError(
        "The known link of {record} with {person} contradicts that of {other_record} with"
        " {other_person}: their released distance is {released:,.6g}, and the true one is only"
        " {true:,.6g}. An embedding never makes distances longer.",
        record=names[0][t1],
        person=names[1][i1],
        other_record=names[0][t2],
        other_person=names[1][i2],
        released=float(released[t1, t2]),
        true=float(known[i1, i2]),
    )


def possible(
    candidates: Candidates,
    links: np.ndarray,
    released: np.ndarray,
    known: np.ndarray,
    deviations: Deviations,
) -> np.ndarray:
    """Which candidates known links leave: none of theirs, and none that contracts to more.

    Parameters
    ----------
    candidates : Candidates
    links : (l, 2) int array
    released, known : (n1, n1) and (n2, n2) arrays
    deviations : Deviations

    Returns
    -------
    (v,) bool array
    """
    alive = ~np.isin(candidates.target, links[:, 0]) & ~np.isin(candidates.known, links[:, 1])
    if deviations.contracts:
        for record, person in links.tolist():
            longest = known[person, candidates.known] + deviations.above
            alive &= released[record, candidates.target] <= longest
    return alive
