# SPDX-License-Identifier: GPL-2.0-or-later
"""A disc from which a random share goes farther: how surveys displace their places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..runtime.errors import InputError
from .law import Law, Numbers, kept, set_parameters
from .laws import BY_AREA, BY_RADIUS, Disc, disc


@dataclass(frozen=True, eq=False)
class FarDisc(Law):
    """Somewhere within a distance, and for a random share of the places within a larger one.

    The density is (1 - share) f(d, radius) + share f(d, far), f that of a :class:`.laws.Disc`.

    Parameters
    ----------
    radius, far : float or (n,) array
        The usual largest distance, and the larger one of the share; a point whose two are the same
        has a plain disc.
    share : float
        Above 0 and below 1.
    even_by : str
        As in :class:`.laws.Donut`.

    References
    ----------
    Burgert, C. R. et al. (2013). Geographic displacement procedure and georeferenced data release
    policy for the Demographic and Health Surveys. DHS Spatial Analysis Reports 7: even by radius, 2 km
    in towns, 5 km in the country, and 10 km for a random hundredth there.
    """

    radius: Numbers
    far: Numbers
    share: float
    even_by: str = BY_AREA
    name: ClassVar[str] = "far disc"

    def __post_init__(self) -> None:
        near, far = disc(self.radius, self.even_by), disc(self.far, self.even_by)
        if not 0 < self.share < 1:
            raise InputError(
                "The share that may go farther must be above 0 and below 1, not {share:g}.",
                share=float(self.share),
            )
        radius, larger = np.broadcast_arrays(near.outer, far.outer)
        wrong = np.flatnonzero(np.atleast_1d(radius > larger))
        if len(wrong):
            raise InputError(
                "The distance that a share may go ({far:g}) must not be below that of the others"
                " ({radius:g}).",
                far=float(np.atleast_1d(larger)[wrong[0]]),
                radius=float(np.atleast_1d(radius)[wrong[0]]),
            )
        set_parameters(self, radius=kept(radius), far=kept(larger), share=float(self.share))

    @property
    def kind(self) -> str:
        """Name of the law, what is even, and the share, which is the same for all points."""
        return f"{self.name} {self.even_by} {self.share!r}"

    def _numbers(self) -> list[Numbers]:
        return [self.radius, self.far]

    @property
    def _both(self) -> tuple[Disc, Disc]:
        return disc(self.radius, self.even_by), disc(self.far, self.even_by)

    @property
    def possible(self) -> np.ndarray:
        """Whether both distances are finite."""
        return np.isfinite(self.radius) & np.isfinite(self.far)

    def quantile(self, share: np.ndarray) -> np.ndarray:
        """As :meth:`Law.quantile`: the distance, or its square, goes up in two straight lines."""
        power = 1 if self.even_by == BY_RADIUS else 2
        near, far = np.power(self.radius, power), np.power(self.far, power)
        share = np.asarray(share)
        usual = 1 - self.share
        with np.errstate(invalid="ignore"):
            inside = share / (usual / near + self.share / far)
            beyond = (share - usual) / self.share * far
            return np.power(np.where(inside <= near, inside, beyond), 1 / power)

    def density(self, distance: np.ndarray) -> np.ndarray:
        """As :meth:`Law.density`."""
        near, far = self._both
        both = (1 - self.share) * near.density(distance) + self.share * far.density(distance)
        return np.where(self.possible, both, 0.0)

    def within(self, distance: np.ndarray) -> np.ndarray:
        """As :meth:`Law.within`."""
        near, far = self._both
        return (1 - self.share) * near.within(distance) + self.share * far.within(distance)

    @property
    def mean_shift(self) -> Numbers:
        """Mean distance moved."""
        near, far = self._both
        return (1 - self.share) * near.mean_shift + self.share * far.mean_shift

    def reach(self, tail: float = 1e-12) -> Numbers:
        """The largest distance."""
        return self.far
