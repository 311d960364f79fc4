# SPDX-License-Identifier: GPL-2.0-or-later
"""Laws by which masks move points: how far, and how likely each place is.

All are radial: every direction is as likely as any other, and a law says how far a point goes. It
knows its *density*, too, the probability per square metre of each place: what an attacker
multiplies. Parameters are numbers, or arrays with a value for each point (adaptive masks).

Lengths are metres, or the unit of the plane that the points lie in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..runtime.errors import InputError
from ..runtime.wording import Sentence
from .law import Law, Numbers, checked, kept, set_parameters

#: How a disc or a ring is filled: evenly on the map, or evenly over the distances.
BY_AREA, BY_RADIUS = "area", "radius"
_NEWTON = 6
_BISECTIONS = 64


@dataclass(frozen=True, eq=False)
class Donut(Law):
    """Somewhere between two distances.

    Parameters
    ----------
    inner, outer : float or (n,) array
        Least and largest distance; where both are the same, or the outer one is infinite, there
        is no law for the point.
    even_by : str
        ``area``: each place of the ring is as likely as any other, density 1/(pi (b² - a²)).
        ``radius``: each distance is, density 1/(2 pi d (b - a)).

    References
    ----------
    Hampton, K. H. et al. (2010). Mapping health data: improved privacy protection with donut
    method geomasking. American Journal of Epidemiology 172(9), 1062-1069.
    """

    inner: Numbers
    outer: Numbers
    even_by: str = BY_AREA
    name: ClassVar[str] = "donut"

    def __post_init__(self) -> None:
        if self.even_by not in (BY_AREA, BY_RADIUS):
            raise InputError(
                "A ring is even by area or by radius, not by “{word}”.", word=self.even_by
            )
        inner, outer = np.broadcast_arrays(
            checked(self.inner, Sentence("least distance"), zero=True),
            checked(self.outer, Sentence("largest distance")),
        )
        wrong = np.flatnonzero(np.atleast_1d(inner > outer))
        if len(wrong) or (inner.ndim == 0 and inner == outer):
            first = wrong[0] if len(wrong) else 0
            raise InputError(
                "The least distance ({least:g}) must be below the largest ({largest:g}): a ring"
                " of no width shows its centre.",
                least=float(np.atleast_1d(inner)[first]),
                largest=float(np.atleast_1d(outer)[first]),
            )
        set_parameters(self, inner=kept(inner), outer=kept(outer))

    @property
    def possible(self) -> np.ndarray:
        """Whether the ring has a width, and an end."""
        return np.isfinite(self.outer) & (np.asarray(self.inner) < self.outer)

    @property
    def hole(self) -> Numbers:
        """The least distance."""
        return self.inner

    def quantile(self, share: np.ndarray) -> np.ndarray:
        """As :meth:`Law.quantile`."""
        if self.even_by == BY_RADIUS:
            return self.inner + (self.outer - self.inner) * share
        inside = np.square(self.inner)
        return np.sqrt(inside + (np.square(self.outer) - inside) * share)

    def density(self, distance: np.ndarray) -> np.ndarray:
        """As :meth:`Law.density`."""
        on = (distance >= self.inner) & (distance <= self.outer) & self.possible
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.even_by == BY_AREA:
                there = 1 / (np.pi * (np.square(self.outer) - np.square(self.inner)))
            else:
                there = 1 / (2 * np.pi * np.asarray(distance) * (self.outer - self.inner))
        return np.where(on, there, 0.0)

    def within(self, distance: np.ndarray) -> np.ndarray:
        """As :meth:`Law.within`."""
        inner, outer, at = self.inner, self.outer, np.clip(distance, self.inner, self.outer)
        if self.even_by == BY_RADIUS:
            return (at - inner) / (outer - inner)
        return (np.square(at) - np.square(inner)) / (np.square(outer) - np.square(inner))

    @property
    def mean_shift(self) -> Numbers:
        """Mean distance moved."""
        inner, outer = self.inner, self.outer
        if self.even_by == BY_RADIUS:
            return (inner + outer) / 2
        # (b³ - a³) / (b² - a²) without the difference that a narrow ring would lose.
        with np.errstate(invalid="ignore"):
            return 2 / 3 * (outer + np.square(inner) / (inner + outer))

    def reach(self, tail: float = 1e-12) -> Numbers:
        """The largest distance."""
        return self.outer


@dataclass(frozen=True, eq=False)
class Disc(Donut):
    """Somewhere within a distance: a :class:`Donut` without a hole; see :func:`disc`.

    References
    ----------
    Kwan, M.-P., Casas, I. and Schmitz, B. C. (2004). Protection of geoprivacy and accuracy of
    spatial information. Cartographica 39(2), 15-28. Even by radius: Burgert, C. R. et al. (2013).
    Geographic displacement procedure and georeferenced data release policy for the Demographic
    and Health Surveys. DHS Spatial Analysis Reports 7.
    """

    name: ClassVar[str] = "disc"


def disc(radius: Numbers, even_by: str = BY_AREA) -> Disc:
    """Somewhere within ``radius``, a number or an array, evenly by area or by radius."""
    return Disc(0.0, checked(radius, Sentence("radius")), even_by)


@dataclass(frozen=True, eq=False)
class Gaussian(Law):
    """A normal distribution in x and y: exp(-d²/2 sigma²)/(2 pi sigma²).

    Parameters
    ----------
    sigma : float or (n,) array
        Standard deviation along each axis.
    """

    sigma: Numbers
    name: ClassVar[str] = "gaussian"

    def __post_init__(self) -> None:
        set_parameters(self, sigma=checked(self.sigma, Sentence("standard deviation")))

    def quantile(self, share: np.ndarray) -> np.ndarray:
        """As :meth:`Law.quantile`."""
        return self.sigma * np.sqrt(-2 * np.log1p(-np.asarray(share)))

    def radii(self, uniform: np.ndarray) -> np.ndarray:
        """As :meth:`Law.radii`: the share beyond, whose logarithm is quicker, is uniform too."""
        return self.sigma * np.sqrt(-2 * np.log(uniform))

    def density(self, distance: np.ndarray) -> np.ndarray:
        """As :meth:`Law.density`."""
        return np.exp(-0.5 * np.square(distance / self.sigma)) / (2 * np.pi * np.square(self.sigma))

    def within(self, distance: np.ndarray) -> np.ndarray:
        """As :meth:`Law.within`."""
        return -np.expm1(-0.5 * np.square(distance / self.sigma))

    @property
    def mean_shift(self) -> Numbers:
        """Mean distance moved."""
        return self.sigma * np.sqrt(np.pi / 2)

    def reach(self, tail: float = 1e-12) -> Numbers:
        """Distance beyond which a share ``tail`` lies."""
        return self.sigma * np.sqrt(-2 * np.log(tail))


@dataclass(frozen=True, eq=False)
class BimodalGaussian(Law):
    """Normally distributed round a distance: r = abs(N(mean, spread)).

    The density is [phi((d - mean)/s) + phi((d + mean)/s)]/(s 2 pi d).

    Parameters
    ----------
    mean : float or (n,) array
        Distance that is most likely.
    spread : float or (n,) array, optional
        Standard deviation of the distance, 0.3 of the mean.

    References
    ----------
    Cassa, C. A. et al. (2006). A context-sensitive approach to anonymizing spatial surveillance
    data. Journal of the American Medical Informatics Association 13(2), 160-165.
    """

    mean: Numbers
    spread: Numbers | None = None
    name: ClassVar[str] = "bimodal gaussian"

    def __post_init__(self) -> None:
        mean = checked(self.mean, Sentence("mean distance"))
        spread = 0.3 * mean if self.spread is None else self.spread
        spread = checked(spread, Sentence("spread of the distance"))
        both = np.broadcast_arrays(mean, spread)
        set_parameters(self, mean=kept(both[0]), spread=kept(both[1]))

    @property
    def possible(self) -> np.ndarray:
        """Whether both parameters are finite."""
        return np.isfinite(self.mean) & np.isfinite(self._spread)

    @property
    def _spread(self) -> Numbers:
        assert self.spread is not None  # set when it was made
        return self.spread

    def radii(self, uniform: np.ndarray) -> np.ndarray:
        """As :meth:`Law.radii`, by the definition."""
        from scipy.special import ndtri

        return np.abs(self.mean + self._spread * ndtri(uniform))

    def quantile(self, share: np.ndarray) -> np.ndarray:
        """As :meth:`Law.quantile`, by bisection."""
        share = np.asarray(share)
        shape = np.broadcast(share, self.mean).shape
        low, high = np.zeros(shape), np.zeros(shape) + self.reach(1e-17)
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            beyond = self.within(middle) < share
            low, high = np.where(beyond, middle, low), np.where(beyond, high, middle)
        return high

    def density(self, distance: np.ndarray) -> np.ndarray:
        """As :meth:`Law.density`."""
        away = np.asarray(distance)
        with np.errstate(divide="ignore", invalid="ignore"):
            near, far = (away - self.mean) / self._spread, (away + self.mean) / self._spread
            both = np.exp(-0.5 * near**2) + np.exp(-0.5 * far**2)
            there = both / (np.sqrt(2 * np.pi) * self._spread * 2 * np.pi * away)
        return np.where(self.possible, there, 0.0)

    def within(self, distance: np.ndarray) -> np.ndarray:
        """As :meth:`Law.within`."""
        from scipy.special import ndtr

        away = np.asarray(distance)
        return ndtr((away - self.mean) / self._spread) - ndtr((-away - self.mean) / self._spread)

    @property
    def mean_shift(self) -> Numbers:
        """Mean distance moved: that of a folded normal distribution."""
        from scipy.special import erf

        ratio = self.mean / self._spread
        folded = np.sqrt(2 / np.pi) * np.exp(-0.5 * np.square(ratio))
        return self._spread * (folded + ratio * erf(ratio / np.sqrt(2)))

    def reach(self, tail: float = 1e-12) -> Numbers:
        """Distance beyond which at most a share ``tail`` lies: each side has at most half."""
        from scipy.special import ndtri

        return self.mean - self._spread * ndtri(tail / 2)


@dataclass(frozen=True, eq=False)
class Laplace(Law):
    """Planar Laplace noise, geo-indistinguishability: epsilon²/(2 pi) exp(-epsilon d).

    Parameters
    ----------
    epsilon : float or (n,) array
        Per metre: places d apart lead to any release with likelihoods that differ at most by the
        factor exp(epsilon d). ln 4 / 200 is four times at 200 m. Zero in an array: no law.

    References
    ----------
    Andrés, M. E. et al. (2013). Geo-indistinguishability: differential privacy for location-based
    systems. CCS '13, 901-914. Its draw is r = -(W(-1, (p - 1)/e) + 1)/epsilon.
    """

    epsilon: Numbers
    name: ClassVar[str] = "laplace"

    def __post_init__(self) -> None:
        epsilon = np.asarray(self.epsilon, dtype=float)
        each = checked(epsilon, Sentence("privacy parameter epsilon"), zero=epsilon.ndim > 0)
        if not np.isfinite(each).all():
            raise InputError(
                "Some values of the privacy parameter epsilon are infinite: nothing would move."
            )
        set_parameters(self, epsilon=each)

    @property
    def possible(self) -> np.ndarray:
        """Whether epsilon is above zero."""
        return np.asarray(self.epsilon) > 0

    def quantile(self, share: np.ndarray) -> np.ndarray:
        """As :meth:`Law.quantile`."""
        return self._solved(-np.log1p(-np.asarray(share, dtype=float)))

    def _solved(self, wanted: np.ndarray) -> np.ndarray:
        """Distance by the logarithm of the share beyond: Newton's method for x - ln(1 + x)."""
        # Between sqrt(2 w) + 2 w / 3 and sqrt(2 w) + w (Chatzigeorgiou 2013); the function is
        # convex, so that from above no step leads astray.
        x = np.sqrt(2 * wanted) + wanted
        for _ in range(_NEWTON):
            with np.errstate(divide="ignore", invalid="ignore"):
                step = (x - np.log1p(x) - wanted) * (1 + x) / x
            x = np.where(x > 0, x - step, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return x / self.epsilon

    def density(self, distance: np.ndarray) -> np.ndarray:
        """As :meth:`Law.density`."""
        return np.square(self.epsilon) / (2 * np.pi) * np.exp(-self.epsilon * distance)

    def within(self, distance: np.ndarray) -> np.ndarray:
        """As :meth:`Law.within`."""
        x = self.epsilon * np.asarray(distance)
        return -np.expm1(-x) - x * np.exp(-x)

    @property
    def mean_shift(self) -> Numbers:
        """Mean distance moved: 2/epsilon."""
        with np.errstate(divide="ignore"):
            return 2 / np.asarray(self.epsilon) if self.count is not None else 2 / self.epsilon

    def reach(self, tail: float = 1e-12) -> Numbers:
        """Distance beyond which a share ``tail`` lies."""
        return self._solved(-np.log(tail))
