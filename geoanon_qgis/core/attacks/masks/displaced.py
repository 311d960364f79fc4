# SPDX-License-Identifier: GPL-2.0-or-later
"""From which candidates a displacement can have led to each released point, and how densely."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...masking.law import Law
from ...masking.zones import Zones, shares_inside
from ...runtime.progress import Progress, silent
from ...space.reached import Reach

#: Share of a law that may lie beyond the candidates that are looked at: less than any draw tells.
_TAIL = 1e-9
#: Points that are looked up in all zones at once, times zones.
_TABLE = 20_000_000


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of some released points, in a row, with what can have led to them.

    Attributes
    ----------
    rows : slice
        The points.
    many : (n,) int64 array
        Pairs of each.
    candidate : (p,) int32 array
        Ascending within a point.
    density : (p,) array
        Above zero.
    """

    rows: slice
    many: np.ndarray
    candidate: np.ndarray
    density: np.ndarray


class Displaced:
    """Released points and the candidates of a displacement.

    Parameters
    ----------
    released : (n, 2) array
    candidates : (m, 2) array
    law : Law
        With a value for all candidates, or for each.
    zones : Zones or None
    zone : (m,) int array or None
        Zone of each candidate, below zero for none; the first one for all where it is not given.
    progress : callable
    """

    def __init__(
        self,
        released: np.ndarray,
        candidates: np.ndarray,
        law: Law,
        zones: Zones | None = None,
        zone: np.ndarray | None = None,
        progress: Progress = silent,
    ) -> None:
        self._released, self._candidates, self._law, self._zones = released, candidates, law, zones
        count = len(candidates)
        self._zone = np.zeros(count, np.intp) if zone is None else np.asarray(zone, np.intp)
        possible = np.broadcast_to(law.possible, count)
        if zones is not None:
            possible = possible & (self._zone >= 0)
        reach = np.where(possible, np.asarray(law.reach(_TAIL), dtype=np.float64), -1.0)
        self._near = Reach(candidates, reach, progress)

    def expected(self) -> int:
        """About how many pairs there are."""
        return self._near.expected(self._released)

    def lots(self, progress: Progress = silent) -> Iterator[Pairs]:
        """Yield all pairs, some points after the other; zones only leave out what is outside."""
        for near in self._near.lots(self._released, progress):
            rows = slice(near.start, near.start + len(near.many))
            density = self._law.of(near.place).density(near.distance)
            good = density > 0
            point = np.repeat(np.arange(len(near.many)), near.many)
            if self._zones is not None:
                own = self._zone[near.place]
                good &= _inside(self._zones, self._released[rows], point, own)
            endless = np.isinf(density) & good
            if endless.any():
                # A point that did not move, where distances are drawn evenly: it is from there.
                good &= endless | (np.bincount(point, endless, len(near.many)) == 0)[point]
                density[endless] = 1.0
            if good.all():
                yield Pairs(rows, near.many, near.place.copy(), density)
            else:
                before = np.concatenate([[0], np.cumsum(good)])
                ends = np.concatenate([[0], np.cumsum(near.many)])
                yield Pairs(rows, np.diff(before[ends]), near.place[good], density[good])

    def shares(self, seen: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Share of each candidate's law that lies in its zone: all where there are no zones.

        Parameters
        ----------
        seen : (m,) bool array
            Candidates for which it is computed; 1 for the others.
        progress : callable
        """
        rows, share = np.flatnonzero(seen), np.ones(len(seen))
        if self._zones is None:
            return share
        share[rows] = shares_inside(
            self._candidates[rows], self._law.of(rows), self._zones, self._zone[rows], progress
        )
        return share


def _inside(zones: Zones, xy: np.ndarray, point: np.ndarray, zone: np.ndarray) -> np.ndarray:
    """Whether points, rows of ``xy``, lie in zones."""
    count = len(zones.shapes)
    if len(xy) * count > _TABLE:
        return zones.contain(xy[point], zone)
    # Many candidates of a point share a zone: each zone is asked once.
    asked = np.zeros((len(xy), count), dtype=bool)
    asked[point, zone] = True
    row, own = np.nonzero(asked)
    asked[row, own] = zones.contain(xy[row], own)
    return asked[point, zone]
