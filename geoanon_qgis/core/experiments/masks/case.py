# SPDX-License-Identifier: GPL-2.0-or-later
"""Whom a mask is to protect, and against whom: what every trial of every mask has in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...attacks.masks.likelihood import Likelihood
from ...attacks.masks.posterior import checked_weight, which_record, who_lives_there
from ...attacks.masks.together import together
from ...runtime.errors import InputError
from ...runtime.progress import Progress, silent
from ...runtime.wording import Sentence
from ...space.points import as_points

#: The two adversaries: who lives there, and which record is hers?
PLACE, RECORD = "whose_place", "which_record"
BOTH = (PLACE, RECORD)
#: Addresses to a point up to which it is worked out what points tell of each other, and share of all
#: addresses that are in the file from which on it always is.
_FEW, MANY = 200, 0.2


@dataclass(frozen=True, eq=False)
class Case:
    """Places of a file, the list that an adversary has, and what else he knows.

    Attributes
    ----------
    xy : (n, 2) array
        Distinct places of the file, in metres of a plane. A place counts once, however many
        records it has: they move together.
    home : (n,) int array
        The candidate at which each of them is.
    candidates : (m, 2) array
        Distinct places of a public list.
    weight : (m,) array or None
        People or dwellings at each.
    adversaries : tuple of str
        Of :data:`BOTH`, those against whom it has to hold.
    releases : int
        How many releases with draws of their own he will have: 1 where draws are kept.
    known : (n,) int array or None
        Class of each place by all that he knows of people.
    looked_for : (n,) int array or None
        Class of each place by what the list tells, too.
    listed : (m,) int array or None
        The same of each candidate.
    prior_odds : float
        How many times as likely as the weights say, against the others, an adversary may hold an address
        to be in the file: see :mod:`.prior_odds`.
    """

    xy: np.ndarray
    home: np.ndarray
    candidates: np.ndarray
    weight: np.ndarray | None = None
    adversaries: tuple[str, ...] = BOTH
    releases: int = 1
    known: np.ndarray | None = None
    looked_for: np.ndarray | None = None
    listed: np.ndarray | None = None
    prior_odds: float = 1.0

    def __post_init__(self) -> None:
        xy = as_points(self.xy)
        candidates = as_points(self.candidates, Sentence("candidates"))
        count = len(candidates)
        if len(xy) < 2:
            raise InputError(
                "There must be at least two places with records: one alone is found by any mask."
            )
        if len(self.home) != len(xy) or not ((self.home >= 0) & (self.home < count)).all():
            raise InputError("Each record must have an address of the list.")
        if self.weight is not None:
            checked_weight(self.weight, count)
        if self.releases < 1:
            raise InputError("There must be at least one release.")
        if not self.prior_odds >= 1:
            raise InputError("The ratio of prior odds must be a number of 1 or more.")
        if not self.adversaries:
            raise InputError("Name an adversary: who lives there, or which record is hers?")

    @property
    def people(self) -> int:
        """Places with records."""
        return len(self.xy)

    def by_class(self) -> list[np.ndarray]:
        """Rows of the places that the adversary cannot tell apart by what he knows."""
        if self.known is None:
            return [np.arange(self.people)]
        order = np.argsort(self.known, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(self.known[order])) + 1)

    def fits(self, record: np.ndarray, candidate: np.ndarray) -> np.ndarray:
        """Whether the person at each candidate may be that of a record, by what he knows."""
        if self.looked_for is None or self.listed is None:
            return np.ones(len(record), dtype=bool)
        return self.looked_for[record] == self.listed[candidate]


@dataclass(frozen=True, eq=False)
class Trial:
    """One release by a mask, and what is believed of it.

    Attributes
    ----------
    xy : (n, 2) array
        Released points; not a number where a place is withheld.
    tops : dict of str to (q,) array
        By adversary, his largest probability of each of those who were asked for and are released.
    bounds : dict of str to float
        By adversary what he cannot exceed, for anybody and in any release: it was proved.
    embedding : (n, d) array or None
        Where distances are released in place of points: the largest difference of two rows is the
        distance; ``xy`` are then the masked points, which are not.
    linked : (int, int)
        People of a neighbourhood all of whom are known, and those of them whose records attacks on
        the distances name.
    """

    xy: np.ndarray
    tops: dict[str, np.ndarray]
    bounds: dict[str, float]
    embedding: np.ndarray | None = None
    linked: tuple[int, int] = (0, 0)

    @property
    def withheld(self) -> float:
        """Share of the places that are withheld."""
        return float(np.isnan(self.xy[:, 0]).mean())


def believed(
    case: Case,
    likelihood: Likelihood,
    asked: np.ndarray,
    joint: bool = True,
    progress: Progress = silent,
) -> dict[str, np.ndarray]:
    """What both adversaries believe of a release.

    Parameters
    ----------
    case : Case
    likelihood : Likelihood
        Of all released points, one for each place of the file; none for those that are withheld.
    asked : (q,) int array
        Places of the file: A is asked who lives there, B is asked for their records.
    joint : bool
        Whether A knows besides that no two places of the file are one address. Where each point has
        hundreds of addresses and the file few of all, that tells next to nothing (a hundredth of
        his probabilities at 500 addresses a point, with 6 % of all in the file), and is left out.
    progress : Progress

    Returns
    -------
    dict of str to (q,) array
        Largest probabilities; not a number where a place is withheld.
    """
    point, candidate = likelihood.point, likelihood.candidate
    fitting = case.fits(point, candidate)
    if not fitting.all():
        likelihood = Likelihood.of_pairs(
            likelihood.points,
            likelihood.candidates,
            point[fitting],
            candidate[fitting],
            likelihood.value[fitting],
        )
    there = np.diff(likelihood.first)[asked] > 0
    joint = joint and _tells_more(case, likelihood)
    found = {}
    if PLACE in case.adversaries:
        guesses = (
            who_lives_there(together(likelihood, case.weight, progress))
            if joint
            else who_lives_there(likelihood.taken(asked), case.weight)
        )
        top = guesses.top[asked] if joint else guesses.top
        found[PLACE] = np.where(there, top, np.nan)
    if RECORD in case.adversaries:
        top = np.full(case.people, np.nan)
        wanted = np.zeros(case.people, dtype=bool)
        wanted[asked[there]] = True
        for rows in case.by_class():
            mine = rows[wanted[rows]]
            if len(mine):
                of_class = likelihood if len(rows) == case.people else likelihood.taken(rows)
                top[mine] = which_record(of_class, case.home[mine], case.weight).top
        found[RECORD] = top[asked]
    return found


def _tells_more(case: Case, likelihood: Likelihood) -> bool:
    few = len(likelihood.value) <= _FEW * likelihood.points
    return few or case.people > MANY * len(case.candidates)


def alike_in(case: Case, group: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Chance of B who knows in which group each released record is, and nothing of where in it.

    Parameters
    ----------
    case : Case
    group : (n,) int array
        Of each place of the file, below zero for those that are withheld.
    asked : (q,) int array

    Returns
    -------
    (q,) array
        1 / (records of the group that are alike in what he knows); not a number for withheld.
    """
    found = np.full(case.people, np.nan)
    for rows in case.by_class():
        rows = rows[group[rows] >= 0]
        if len(rows):
            found[rows] = 1.0 / np.bincount(group[rows])[group[rows]]
    return found[asked]


def alike_among(
    case: Case, area: np.ndarray, of_candidate: np.ndarray, asked: np.ndarray
) -> np.ndarray:
    """Chance of A who knows in which area each person lives, and nothing of where in it.

    Parameters
    ----------
    case : Case
    area : (n,) int array
        Of each place of the file, below zero for those that are withheld.
    of_candidate : (m,) int array
        Area of each candidate, below zero for none.
    asked : (q,) int array

    Returns
    -------
    (q,) array
        Largest weight in the area, divided by their sum, of candidates that fit what he knows; not
        a number for those that are withheld.
    """
    weight = np.ones(len(case.candidates)) if case.weight is None else case.weight
    mine, own, classes = np.zeros(case.people, dtype=np.int64), np.zeros(len(weight), np.int64), 1
    if case.looked_for is not None and case.listed is not None:
        mine, own = case.looked_for, case.listed
        classes = 1 + int(max(own.max(), mine.max()))
    cells = classes * (1 + int(max(of_candidate.max(initial=-1), area.max(initial=-1))))
    inside = of_candidate >= 0
    cell = of_candidate[inside] * classes + own[inside]
    total = np.bincount(cell, weight[inside], minlength=cells)
    most = np.zeros(cells)
    np.maximum.at(most, cell, weight[inside])
    at = np.where(area >= 0, area * classes + mine, 0)
    # Where nobody of the list fits, nothing is known, and nothing promised.
    chance = np.divide(most[at], total[at], out=np.ones(len(at)), where=total[at] > 0)
    return np.where(area >= 0, chance, np.nan)[asked]
