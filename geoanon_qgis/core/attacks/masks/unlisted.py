# SPDX-License-Identifier: GPL-2.0-or-later
"""Homes that the list lacks: how many there are, and which points are probably theirs.

Who knows that a share u of the homes is not on his list believes less of every candidate,

    P(listed | y) = (1 - u) h(y | listed) / [(1 - u) h(y | listed) + u h(y | not)]          (1)

Both h are played: a home that the list lacks by chance sees the list as a listed one sees the others.
So points are drawn from listed homes, and each is looked at twice, with its own home on the list
and without. Looked at are how densely the list explains it, beside how densely addresses lie there,
and how far one candidate is ahead of the others. Who is not told the share believes as much of it
as the points prove: wide masks hardly show any. A whole quarter that the list lacks is no such case.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...masking.displacement import displace
from ...masking.law import Law
from ...masking.zones import Zones
from ...runtime.progress import Progress, part, silent
from ...runtime.rows import lots
from ...space.points import build_tree
from .likelihood import Likelihood, by_law

#: Points that are played at most, at least, and the pairs that they may have together.
_MOST, _LEAST, _PAIRS = 20_000, 2_000, 4_000_000
#: Addresses by which one sees how densely they lie about a point.
_NEIGHBOURS = 8
#: Classes of either thing that is looked at.
_DENSITIES, _LEADS = 8, 6
#: Twice the logarithm of what the likeliest share makes points likelier than one that is just
#: believed: in 95 files of 100 there are more such homes (chi-square of one degree, one side).
_SURELY = 2.71
_STEPS = 60
#: Plays are the same every time, and tell nothing of any release.
_PLAY = bytes(32)


@dataclass(frozen=True)
class Unlisted:
    """Homes that the list lacks.

    Attributes
    ----------
    share : float
        Of the homes of the file, as it was told, or as much as the points prove.
    each : (n,) array
        Probability that each released point is of such a home.
    likeliest : float
        The share that makes the points likeliest, which may be larger.
    typed : bool
        Whether the share was told, not estimated.
    """

    share: float
    each: np.ndarray
    likeliest: float
    typed: bool = False

    def of_points(self, rows: np.ndarray) -> Unlisted:
        """Return the same for points that each have a row of these, (n,) int."""
        return replace(self, each=self.each[rows])


def evenly(likelihood: Likelihood, share: float) -> Unlisted:
    """Say the same of all points that some candidate explains: what a share alone tells.

    Parameters
    ----------
    likelihood : Likelihood
    share : float
        Of homes that the list lacks, from 0 to below 1.
    """
    never = np.diff(likelihood.first) == 0
    # Points that nothing explains are part of the share.
    rest = max(0.0, share - never.mean()) / max(1e-9, 1.0 - never.mean()) if len(never) else 0.0
    return Unlisted(share, np.where(never, 1.0, rest), share, True)


def unlisted(
    likelihood: Likelihood,
    released: np.ndarray,
    candidates: np.ndarray,
    law: Law,
    *,
    weight: np.ndarray | None = None,
    zones: Zones | None = None,
    zone: np.ndarray | None = None,
    share: float | None = None,
    progress: Progress = silent,
) -> Unlisted:
    """Say which points of a displacement are probably of homes that the list lacks, by (1).

    Parameters
    ----------
    likelihood : Likelihood
        Of the released points, each draw of the mask once.
    released : (n, 2) array
    candidates : (m, 2) array
        Distinct places.
    law, zones, zone
        As :func:`.likelihood.by_law` takes them.
    weight : (m,) array, optional
        People or dwellings of each candidate; all alike where it is left out.
    share : float, optional
        Of homes that the list lacks, from 0 to below 1; by default what the points show.
    progress : callable
    """
    count = len(candidates)
    chance = np.ones(count) if weight is None else np.asarray(weight, dtype=np.float64)
    chance = np.where(np.broadcast_to(law.possible, count), chance, 0.0)
    if zones is not None and zone is not None:
        chance = np.where(zone >= 0, chance, 0.0)
    if share == 0 or count <= _NEIGHBOURS or not chance.any():
        return Unlisted(0.0, np.zeros(len(released)), 0.0, share is not None)
    draws = draws_for(likelihood)
    # Evenly through the list: those of one town in turn.
    by_chance = np.cumsum(chance[(order := np.lexsort((candidates[:, 1], candidates[:, 0])))])
    at = (np.arange(draws) + 0.5) / draws * by_chance[-1]
    home = order[np.searchsorted(by_chance, at)]
    own = None if zones is None or zone is None else zone[home]
    told = part(progress, 0.0, 0.4)
    moved = displace(
        candidates[home], law.of(home), _PLAY, "unlisted", zones, own, apart(home), told
    )
    home, drawn = home[~moved.withheld], moved.xy[~moved.withheld]
    played = by_law(drawn, candidates, law, zones, zone, part(progress, 0.4, 0.9))
    looked_at = LookedAt.of(candidates, weight)
    seen = looked_at.at(likelihood, released)
    there, away = looked_at.at(played, drawn), looked_at.at(played, drawn, home)
    progress(1.0)
    return compared(seen, there, away, np.diff(likelihood.first) == 0, share)


def compared(
    seen: np.ndarray,
    there: np.ndarray,
    away: np.ndarray,
    never: np.ndarray,
    share: float | None,
) -> Unlisted:
    """Say of points whether they look like plays with their homes on the list, or without, by (1).

    Parameters
    ----------
    seen : (n, 2) array
        What was looked at of the points.
    there, away : (d, 2) array
        Of the plays, with and without their homes.
    never : (n,) bool array
        Points that nothing explains.
    share : float or None
        Of homes that the list lacks; None for as much as the points prove.
    """
    typed = share is not None
    edges = [
        np.unique(np.quantile(one, np.arange(1, classes) / classes))
        for one, classes in zip(np.concatenate([there, away]).T, (_DENSITIES, _LEADS))
    ]
    cells = [_cells(one, edges) for one in (there, away, seen)]
    size = (_DENSITIES + 1) * (_LEADS + 1)
    # A class that nobody was seen in says little: as if one had been, of all.
    listed, lacking = (np.bincount(one, minlength=size) + 1.0 / size for one in cells[:2])
    listed, lacking = listed / listed.sum(), lacking / lacking.sum()
    listed, lacking = listed[cells[2]], lacking[cells[2]]
    if share is not None:
        likeliest = share
    else:
        # Plays vary as the points do: the more of these, the less each tells beside the plays.
        weighs = 1.0 / (1.0 + 4.0 * len(seen) / len(there))
        share, likeliest = _at_least(listed, lacking, weighs)
    each = share * lacking / ((1.0 - share) * listed + share * lacking)
    each[never] = 1.0  # there is nothing to believe of it
    return Unlisted(float(share), each, likeliest, typed)


def draws_for(likelihood: Likelihood, most: int = _MOST) -> int:
    """How many points are played, by how many pairs each has."""
    many = len(likelihood.value) / max(1, likelihood.points)
    return int(np.clip(_PAIRS / max(1.0, many), _LEAST, max(most, _LEAST)))


def apart(home: np.ndarray) -> np.ndarray:
    """Places by which draws are known again: one home may be drawn more than once."""
    return np.stack([home.astype(float), np.arange(len(home), dtype=float)], axis=1)


@dataclass(frozen=True, eq=False)
class LookedAt:
    """What is looked at of a point, and of a play.

    Attributes
    ----------
    candidates : (m, 2) array
    weight : (m,) array or None
    tree : cKDTree
        Of the candidates.
    """

    candidates: np.ndarray
    weight: np.ndarray | None
    tree: Any

    @classmethod
    def of(cls, candidates: np.ndarray, weight: np.ndarray | None = None) -> LookedAt:
        """Look among some candidates."""
        return cls(candidates, weight, build_tree(candidates))

    def at(
        self,
        likelihood: Likelihood,
        points: np.ndarray,
        without: np.ndarray | None = None,
        log_scale: np.ndarray | float = 0.0,
    ) -> np.ndarray:
        """How densely each point is explained, and how far one candidate is ahead, (n, 2).

        Parameters
        ----------
        likelihood : Likelihood
        points : (n, 2) array
        without : (n,) int array, optional
            A candidate of each that the list is taken to lack.
        log_scale : (n,) array, optional
            Logarithm of what values were divided by.
        """
        weight = self.weight
        total, top = np.zeros(len(points)), np.zeros(len(points))
        for rows, pairs, point in lots(likelihood.first):
            candidate, value = likelihood.candidate[pairs], likelihood.value[pairs]
            value = value if weight is None else value * weight[candidate]
            if without is not None:
                value = np.where(candidate == without[rows][point], 0.0, value)
            total[rows] = np.bincount(point, value, minlength=rows.stop - rows.start)
            here = np.zeros(rows.stop - rows.start)
            np.maximum.at(here, point, value)
            top[rows] = here
        far, near = self.tree.query(points, k=_NEIGHBOURS + 1)
        reach = far[:, -2]
        if without is not None:
            reach = np.where((near[:, :-1] == without[:, None]).any(axis=1), far[:, -1], reach)
        some = total > 0
        density = np.where(some, np.log(np.where(some, total * np.square(reach), 1.0)), -np.inf)
        density = np.where(some, density + log_scale, density)
        return np.stack(
            [np.maximum(density, -1e3), np.where(some, top / np.where(some, total, 1), 0)], 1
        )


def _cells(looked_at: np.ndarray, edges: list[np.ndarray]) -> np.ndarray:
    """Number the class of each point."""
    density, lead = (np.searchsorted(one, at) for one, at in zip(edges, looked_at.T))
    return density * (_LEADS + 1) + lead


def _at_least(listed: np.ndarray, lacking: np.ndarray, weighs: float) -> tuple[float, float]:
    """The least share that the points leave possible, and the one that makes them likeliest."""
    gain = lacking / listed - 1.0

    def log_likelihood(share: float) -> float:
        return float(np.log1p(share * gain).sum())

    def rises(share: float) -> bool:
        return float((gain / (1.0 + share * gain)).sum()) > 0

    # The likelihood has one top.
    best = _where(lambda share: not rises(share))
    needed = log_likelihood(best) - _SURELY / 2 / weighs
    return _where(lambda share: share >= best or log_likelihood(share) >= needed), best


def _where(holds: Callable[[float], bool]) -> float:
    """The least share from which on something holds."""
    if holds(0.0):
        return 0.0
    low, high = 0.0, 1.0 - 1e-9
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
