# SPDX-License-Identifier: GPL-2.0-or-later
"""Homes that the list lacks, where attributes or further releases tell of records besides a point.

As in :mod:`.unlisted`, people of the list are drawn and played: each is released as the records were, in
each release that tells of them, has the attributes that the list has of her, and is looked at with and
without her home on the list. Records of which the same releases tell are held against plays of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...masking.displacement import displace
from ...masking.law import Law
from ...masking.zones import Zones
from ...runtime.progress import Progress, part, shares, silent
from .likelihood import Likelihood, by_law
from .several import combined, log_scale
from .unlisted import LookedAt, Unlisted, apart, compared, draws_for

#: Points that are played for each set of releases, with at most so many in all.
_EACH, _IN_ALL = 20_000, 60_000


@dataclass(frozen=True, eq=False)
class Played:
    """A release that is played: how it moves points, and from where to what.

    Attributes
    ----------
    law : Law
        With a value for all candidates, or for each.
    candidates : (k, 2) array
        Of this release, in its plane.
    zones : Zones or None
    zone : (k,) int array or None
    at : (u,) int array
        Where each person who can be drawn is in this release: a candidate of it, below zero for nowhere.
    told : callable
        What a likelihood of this release's candidates is of those of the first.
    """

    law: Law
    candidates: np.ndarray
    zones: Zones | None
    zone: np.ndarray | None
    at: np.ndarray
    told: Callable[[Likelihood], Likelihood]

    @property
    def possible(self) -> np.ndarray:
        """Who can be released, (u,) bool."""
        there = np.broadcast_to(self.law.possible, len(self.candidates))
        if self.zones is not None and self.zone is not None:
            there = there & (self.zone >= 0)
        return (self.at >= 0) & there[self.at]

    def drawn(self, units: np.ndarray, secret: bytes, number: int, progress: Progress):
        """Release some people once, in draws of their own; no numbers for who is withheld."""
        home = self.at[units]
        own = None if self.zones is None or self.zone is None else self.zone[home]
        where = self.candidates[home], self.law.of(home), secret, f"unlisted {number}"
        return displace(*where, self.zones, own, apart(home), progress).xy

    def explained(self, xy: np.ndarray, progress: Progress) -> Likelihood:
        """How the candidates of the first release explain points of this one."""
        return self.told(by_law(xy, self.candidates, self.law, self.zones, self.zone, progress))


def unlisted_of_several(
    weighed: Likelihood,
    scale: np.ndarray,
    released: np.ndarray,
    linked: np.ndarray,
    releases: Sequence[Played],
    home: np.ndarray,
    weight: np.ndarray,
    weigh: Callable[[Likelihood, np.ndarray], Likelihood],
    share: float,
    progress: Progress = silent,
) -> Unlisted:
    """Say which records are probably of homes that the list lacks.

    Parameters
    ----------
    weighed : Likelihood
        Of the records, by all that is known of them.
    scale : (n,) array
        Logarithm of what its values were divided by.
    released : (n, 2) array
        Points of the first release.
    linked : (n, r - 1) bool array
        Whether each further release tells of each record.
    releases : sequence of r Played
        The first one first.
    home : (u,) int array
        Candidate of the first release where each person lives who can be drawn.
    weight : (u,) array
        How likely each is.
    weigh : callable
        Takes a likelihood of plays and who was played, and weighs it by the people who agree.
    share : float
        Of homes that the list lacks, above 0 and below 1.
    progress : callable
    """
    never = np.diff(weighed.first) == 0
    each = np.ones(len(released))
    looked_at = LookedAt.of(releases[0].candidates)
    patterns, of_record = np.unique(linked, axis=0, return_inverse=True)
    of_record = of_record.reshape(-1)
    most = min(_EACH, _IN_ALL // len(patterns))
    for number, step in enumerate(shares(progress, len(patterns))):
        rows = np.flatnonzero(of_record == number)
        these = [releases[0], *(releases[1 + at] for at in np.flatnonzero(patterns[number]))]
        draws = draws_for(weighed.taken(rows), most)
        units, xy, told, log = _plays(these, home, weight, draws, part(step, 0.0, 0.9))
        if not len(units):
            each[rows] = share
            continue
        told = weigh(told, units)
        seen = looked_at.at(weighed.taken(rows), released[rows], log_scale=scale[rows])
        there = looked_at.at(told, xy, log_scale=log)
        away = looked_at.at(told, xy, home[units], log)
        each[rows] = compared(seen, there, away, never[rows], share).each
    progress(1.0)
    return Unlisted(share, each, share, True)


def _plays(
    releases: Sequence[Played],
    home: np.ndarray,
    weight: np.ndarray,
    draws: int,
    progress: Progress,
) -> tuple[np.ndarray, np.ndarray, Likelihood, np.ndarray]:
    """Who was drawn, where the first release has them, what all tell of them, and its scale."""
    chance = weight * np.logical_and.reduce([one.possible for one in releases])
    steps = shares(progress, 2 * len(releases))
    first = releases[0].candidates[home]
    order = np.lexsort((first[:, 1], first[:, 0]))  # evenly through the list
    by_chance = np.cumsum(chance[order])
    draws = draws if by_chance[-1] > 0 else 0
    at = (np.arange(draws) + 0.5) / max(1, draws) * by_chance[-1]
    units = order[np.searchsorted(by_chance, at)]
    # Plays are the same every time, and tell nothing of any release.
    points = [
        one.drawn(units, bytes(32), number, next(steps)) for number, one in enumerate(releases)
    ]
    kept = np.logical_and.reduce([np.isfinite(xy).all(axis=1) for xy in points])
    units, every = units[kept], np.arange(int(kept.sum()))
    told, log = releases[0].explained(points[0][kept], next(steps)), np.zeros(len(every))
    for one, xy in zip(releases[1:], points[1:]):
        other = one.explained(xy[kept], next(steps))
        log += log_scale(told, other, every)
        told = combined(told, other, every)
    return units, points[0][kept], told, log
