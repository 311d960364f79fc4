# SPDX-License-Identifier: GPL-2.0-or-later
"""How places that adaptive Voronoi masking moved come to where they were released."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from ...masking.adaptive_voronoi import Crossings


class Ways(Protocol):
    """What is known of the points that were released, one for each place of the file.

    Attributes
    ----------
    rounds_before : int
        How often rows are drawn until what is drawn counts.
    many : bool
        Whether many addresses explain a point, all a little.
    """

    @property
    def rounds_before(self) -> int: ...

    @property
    def many(self) -> bool: ...

    @property
    def point(self) -> np.ndarray:
        """Where each was released, (n, 2)."""

    def leads(self, row: np.ndarray, area: np.ndarray, xy: np.ndarray) -> np.ndarray:
        """Whether a middle leads to a row's point, (q,) bool, of somebody of an area, (q,)."""

    def alone(self, row: int, area: int) -> float:
        """How likely somebody who is alone in an area is released at a row's point."""


@dataclass(frozen=True, eq=False)
class ToCrossings:
    """Ways to crossings.

    Attributes
    ----------
    released : (n,) int array
        Crossing of each row, below zero for none.
    crossings : Crossings
    anywhere : dict
        For each area the crossings to which random places of it go, and how often.
    """

    released: np.ndarray
    crossings: Crossings
    anywhere: dict[int, tuple[np.ndarray, np.ndarray]]
    rounds_before: ClassVar[int] = 25
    many: ClassVar[bool] = True

    @property
    def point(self) -> np.ndarray:
        """Where each was released, (n, 2)."""
        return self.crossings.xy[np.maximum(self.released, 0)]

    def leads(self, row: np.ndarray, area: np.ndarray, xy: np.ndarray) -> np.ndarray:
        """See :meth:`Ways.leads`."""
        return self.crossings.nearest(xy, area) == self.released[row]

    def alone(self, row: int, area: int) -> float:
        """See :meth:`Ways.alone`."""
        goals, shares = self.anywhere[area]
        return float(shares[goals == self.released[row]].sum())


@dataclass(frozen=True, eq=False)
class ToPoints:
    """Ways to the middles themselves.

    Attributes
    ----------
    point : (n, 2) array
    within : float
        Metres by which points may miss the place where the mask put them.
    size : (a,) array
        Of each area, square metres.
    """

    point: np.ndarray
    within: float
    size: np.ndarray
    #: Two who share a middle seldom find another one once little but it is allowed.
    rounds_before: ClassVar[int] = 60
    many: ClassVar[bool] = False

    def leads(self, row: np.ndarray, area: np.ndarray, xy: np.ndarray) -> np.ndarray:
        """See :meth:`Ways.leads`."""
        return np.hypot(*(xy - self.point[row]).T) <= self.within

    def alone(self, row: int, area: int) -> float:
        """See :meth:`Ways.alone`."""
        return float(self.of_random(area))

    def of_random(self, area: int | np.ndarray) -> float | np.ndarray:
        """How likely a random place of an area is a certain one."""
        return np.pi * self.within**2 / self.size[area]
