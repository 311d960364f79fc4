# SPDX-License-Identifier: GPL-2.0-or-later
"""Several releases of the same people, whose records can be linked: each tells anew where they live.

Draws that are independent multiply: f(y1, y2 | c) = f1(y1 | c) f2(y2 | c). A draw that was kept is one
draw, however often it is released.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...runtime.rows import largest
from .likelihood import Likelihood


def combined(likelihood: Likelihood, other: Likelihood, link: np.ndarray) -> Likelihood:
    """Multiply likelihoods of records that are linked.

    Parameters
    ----------
    likelihood : Likelihood
        Of the records of one release.
    other : Likelihood
        Of those of another one, from the same candidates.
    link : (n,) int array
        The record of the other release for each of this one; below zero for none, or where both are
        one draw.

    Returns
    -------
    Likelihood
        Of the records of the first; up to a factor for each, which posteriors do not see.
    """
    linked = np.flatnonzero(link >= 0)
    if not len(linked):
        return likelihood
    theirs = other.taken(link[linked])
    top = largest(theirs.first, theirs.value)
    point = theirs.point
    many = np.int64(likelihood.candidates)
    keys = linked[point] * many + theirs.candidate
    factor = np.ones(len(likelihood.value))
    ours = likelihood.point
    own = np.isin(ours, linked)
    wanted = ours[own] * many + likelihood.candidate[own]
    at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    there = keys[at] == wanted if len(keys) else np.zeros(len(wanted), dtype=bool)
    value = theirs.value / top[point] if len(keys) else np.zeros(0)
    factor[own] = np.where(there, value[at], 0.0) if len(keys) else 0.0
    # By the largest of each, so that ten releases are numbers that can be multiplied.
    own_top = largest(likelihood.first, likelihood.value)
    return likelihood.with_values(likelihood.value / own_top[ours] * factor)


def log_scale(likelihood: Likelihood, other: Likelihood, link: np.ndarray) -> np.ndarray:
    """Logarithm of what :func:`combined` divides the product of each record by, (n,).

    Parameters
    ----------
    likelihood, other, link
        As :func:`combined` takes them.
    """
    linked = np.flatnonzero(link >= 0)
    found = np.zeros(likelihood.points)
    if not len(linked):
        return found
    tops = [largest(one.first, one.value) for one in (likelihood, other.taken(link[linked]))]
    # Without a value there is nothing that is divided.
    own, theirs = (np.log(one, out=np.zeros(len(one)), where=one > 0) for one in tops)
    found += own
    found[linked] += theirs
    return found


def renumbered(likelihood: Likelihood, candidate: np.ndarray, candidates: int) -> Likelihood:
    """Return the likelihood with other numbers for its candidates.

    Parameters
    ----------
    likelihood : Likelihood
    candidate : (m,) int array
        The number of each candidate.
    candidates : int
        How many there are in the other numbering.
    """
    if candidates == likelihood.candidates and (candidate == np.arange(candidates)).all():
        return likelihood
    return Likelihood.of_pairs(
        likelihood.points,
        candidates,
        likelihood.point,
        candidate[likelihood.candidate],
        likelihood.value,
    )


def through_people(
    likelihood: Likelihood,
    home: np.ndarray,
    second: np.ndarray,
    weight: np.ndarray,
    of_home: np.ndarray,
) -> Likelihood:
    """Likelihood of points of second places, such as workplaces, from the homes of the people there.

    f(y2 | h) is the mean of f(y2 | w) over the people who live at h, by their weights; who has no second
    place counts as nothing. With it f(y1 | h) f(y2 | h) times the weight of h is the sum over its people
    of what both points tell of each.

    Parameters
    ----------
    likelihood : Likelihood
        From second places.
    home, second : (p,) int arrays
        Where each person lives, and her second place among those of ``likelihood``.
    weight : (p,) array
    of_home : (m,) array
        Weight of all people of each home, those without a second place among them.
    """
    order = np.argsort(second, kind="stable")
    many = np.bincount(second, minlength=likelihood.candidates)
    first = np.cumsum(many) - many
    each = many[likelihood.candidate]
    pair = np.repeat(np.arange(len(each)), each)
    nth = np.arange(len(pair)) - np.repeat(np.cumsum(each) - each, each)
    person = order[first[likelihood.candidate[pair]] + nth]
    count = len(of_home)
    keys = likelihood.point[pair] * np.int64(count) + home[person]
    value = likelihood.value[pair] * weight[person] / of_home[home[person]]
    found, at = np.unique(keys, return_inverse=True)
    total = np.bincount(at.reshape(-1), value, len(found))
    return Likelihood.of_pairs(likelihood.points, count, found // count, found % count, total)


def linked_by(
    ours: list,
    theirs: list,
    our_points: Sequence[int] | None = None,
    their_points: Sequence[int] | None = None,
) -> np.ndarray:
    """Row of the other release for each record by ids, (n,); -1 for none.

    Parameters
    ----------
    ours, theirs : list
        Ids; None for none.
    our_points, their_points : sequence of int, optional
        At which point each record is: several with one id and one point are one draw, any of which
        may be linked. Ids of records at several points do not tell which is which: -2.
    """
    here = _of_one_point(ours, range(len(ours)) if our_points is None else our_points)
    there = _of_one_point(theirs, range(len(theirs)) if their_points is None else their_points)
    found = []
    for one in ours:
        row = there.get(one, -1) if one is not None else -1
        found.append(-2 if row >= 0 and here[one] < 0 else row)
    return np.array(found, dtype=np.int64)


def _of_one_point(ids: list, points: Sequence[int]) -> dict:
    """The first row of each id, -2 where its records are at several points."""
    row: dict = {}
    for number, (one, point) in enumerate(zip(ids, points)):
        if one not in row:
            row[one] = number
        elif row[one] >= 0 and points[row[one]] != point:
            row[one] = -2
    return row
