# SPDX-License-Identifier: GPL-2.0-or-later
"""Links that the adversary knows already: held fixed, they say who else may be who.

Whoever knows some of the people in a release by other ways (a neighbour, a news item, an earlier
attack) asks of every further match that it goes with those. An embedding makes no distance longer,
so that one known link already rules out everybody who lives too near its person.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from ...runtime.errors import InputError
from ...runtime.wording import number_of
from .intervals import Intervals

#: Share of the largest distance by which reading, writing and measuring lift a contracted one.
_ROOM = 1e-6
#: Right matches that may fit too few of the known links, by intervals that hold only a share.
_LOST = 0.01


def room_of(known: np.ndarray, rounding: tuple[float, float] = (0.0, 0.0)) -> float:
    """By how much an embedded distance as it was written may exceed the true one.

    Parameters
    ----------
    known : (n2, n2) array
        True distances.
    rounding : (float, float)
        By how much a released distance may stand below and above what it was, in the same unit.
    """
    return sum(rounding) + _ROOM * float(known.max(initial=0.0))


def checked_links(
    links: Iterable[tuple[int, int]],
    released: np.ndarray,
    known: np.ndarray,
    room: float,
    names: tuple[Sequence[str], Sequence[str]],
    *,
    unit: str = "",
    common: int | None = None,
) -> np.ndarray:
    """Return known links in order, if all of them can be true.

    Parameters
    ----------
    links : pairs of (row of the release, row of the known people)
    released : (n1, n1) array
    known : (n2, n2) array
        True distances, in the same unit.
    room : float
        By how much a released distance may exceed the true one; infinite where any may.
    names : (sequence, sequence)
        Ids of the released records, and of the known people, for sentences.
    unit : str
        Of the distances, for sentences.
    common : int, optional
        How many people both files have, where that is known.

    Returns
    -------
    (l, 2) int array
        Ascending by records.

    Raises
    ------
    InputError
        If a link names a row that is not there, a record or a person is linked twice, there are
        more links than people in common, or two links have a released distance that is longer
        than the true one.
    """
    pairs = linked_once(links, (len(released), len(known)), names)
    refuse_too_many(len(pairs), common)
    if np.isfinite(room) and len(pairs) > 1:
        _refuse_contradictions(pairs, released, known, room, names, unit)
    return pairs


def linked_once(
    links: Iterable[tuple[int, int]],
    counts: tuple[int, int],
    names: tuple[Sequence[str], Sequence[str]],
) -> np.ndarray:
    """Return known links in order, (l, 2), each of a record and a person that no other is of.

    Parameters
    ----------
    links, names
        As :func:`checked_links` takes them.
    counts : (int, int)
        Released records, and known people.

    Raises
    ------
    InputError
    """
    pairs = np.array(sorted(map(tuple, links)), dtype=np.int64).reshape(-1, 2)
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
    return pairs


def refuse_too_many(links: int, common: int | None) -> None:
    """Refuse more known links than the files have people in common.

    Raises
    ------
    InputError
    """
    if common is not None and links > common:
        raise InputError(
            "There are {links}, but the two files have only {common} in common. Check the links.",
            links=number_of(links, "known link", "known links"),
            common=number_of(common, "person", "people"),
        )


def _refuse_contradictions(pairs, released, known, room: float, names, unit: str) -> None:
    """Name the two links whose released distance exceeds the true one by most."""
    excess = released[np.ix_(pairs[:, 0], pairs[:, 0])] - known[np.ix_(pairs[:, 1], pairs[:, 1])]
    if excess.max() <= room:
        return
    wrong = excess > room
    # Of the two, the one that contradicts more of the others comes first.
    one, other = np.unravel_index(int(excess.argmax()), excess.shape)
    if wrong[other].sum() > wrong[one].sum():
        one, other = other, one
    (t1, i1), (t2, i2) = pairs[one], pairs[other]
    raise InputError(
        "The known link of {record} with {person} contradicts that of {other_record} with"
        " {other_person}: their released distance is {released:,.6g} {unit}, and the true one is"
        " only {true:,.6g} {unit}. An embedding never makes distances longer. Check the links,"
        " and the unit of the matrix.",
        record=names[0][t1],
        person=names[1][i1],
        other_record=names[0][t2],
        other_person=names[1][i2],
        released=float(released[t1, t2]),
        true=float(known[i1, i2]),
        unit=unit,
    )


def not_ruled_out(
    target: np.ndarray,
    person: np.ndarray,
    links: np.ndarray,
    released: np.ndarray,
    known: np.ndarray,
    room: float,
) -> np.ndarray:
    """Which candidates known links leave: none of theirs, and none that contracts to more.

    Parameters
    ----------
    target, person : (v,) int arrays
        Rows of the candidates' records and people.
    links : (l, 2) int array
    released, known : (n1, n1) and (n2, n2) arrays
    room : float
        As :func:`checked_links` takes it.

    Returns
    -------
    (v,) bool array
    """
    alive = near_enough(target, person, links, released, known, room)
    return alive & ~np.isin(target, links[:, 0]) & ~np.isin(person, links[:, 1])


def near_enough(target, person, links, released, known, room: float) -> np.ndarray:
    """Which candidates contradict no known link by contraction; :func:`not_ruled_out`."""
    alive = np.ones(len(target), dtype=bool)
    if np.isfinite(room):
        for record, its_person in links.tolist():
            alive &= released[record, target] <= known[its_person, person] + room
    return alive


def fitting(
    target: np.ndarray,
    person: np.ndarray,
    links: np.ndarray,
    released: np.ndarray,
    intervals: Intervals,
    share: float,
) -> np.ndarray:
    """Which candidates fit as many of the known links as nearly all right ones do.

    Parameters
    ----------
    target, person, links, released
        As :func:`not_ruled_out` takes them.
    intervals : Intervals
        Of the known people.
    share : float
        How many of the true distances they hold; 1 if all.

    Returns
    -------
    (v,) bool array
    """
    from scipy.special import bdtr

    fits = np.zeros(len(target), dtype=np.int64)
    for record, its_person in links.tolist():
        fits += intervals.holds(released[record, target], np.full(len(person), its_person), person)
    count = len(links)
    lost = bdtr(np.arange(count + 1), count, min(max(share, 0.0), 1.0))
    return fits >= int(np.searchsorted(lost, _LOST, side="right"))


def row_names(count: int) -> list[str]:
    """Return names of known people that have none, for sentences."""
    return [f"row {row}" for row in range(1, count + 1)]


def unlinked(labels: Sequence[Hashable], rows: np.ndarray) -> list[Hashable]:
    """Return labels without those of some rows, which then agree with nobody's."""
    result = list(labels)
    for row in rows.tolist():
        result[row] = None
    return result
