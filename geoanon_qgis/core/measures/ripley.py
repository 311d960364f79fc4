# SPDX-License-Identifier: GPL-2.0-or-later
"""Ripley's K and Besag's L of one pattern, and cross-K of two, in a polygon.

With λ points per unit of area, λ K(t) is the mean number of further points within t of a point. In
a window of area A, with n points,

    K(t) = A / (n (n - 1)) * Σ_i Σ_{j ≠ i} w_ij 1(d_ij <= t),    L(t) = sqrt(K(t) / π),

where w_ij is 1, or a weight against edge effects (:mod:`.edge_correction`). Under complete spatial
randomness K(t) = π t² and L(t) = t. Of a first pattern with n and a second with m points, cross-K is

    K_12(t) = A / (n m) * Σ_i Σ_j w_ij 1(d_ij <= t).

References
----------
Ripley (1977), Modelling spatial patterns, Journal of the Royal Statistical Society B 39: 172-212.
Besag (1977), ibid.: 193-195. Lotwick & Silverman (1982), Methods for analysing spatial processes of
several types of points, ibid. 44: 406-413.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Callable

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, figure, number_of
from ..space.points import as_points
from .edge_correction import HEAVIEST, set_covariance, share_of_circles
from .pairs import Centres, Pattern, centres_at, choose_centres, pairs_within, pattern
from .window import Window

NONE, BORDER, TRANSLATION, ISOTROPIC = "none", "border", "translation", "isotropic"
CORRECTIONS = (NONE, BORDER, TRANSLATION, ISOTROPIC)
#: About so many pairs are looked at; where there are more, a random sample of the points is asked.
MOST_PAIRS = 10_000_000
#: Distances of a curve, and the mean number of neighbours at the last of them.
DISTANCES, _NEIGHBOURS = 50, 1_000
#: Cells of a table in which distances are looked up, at most.
_CELLS = 100_000

Weigh = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, repr=False)
class Ripley(Summarised):
    """An estimate of K, or of cross-K.

    Attributes
    ----------
    radii : (r,) array
        Distances, ascending, in the unit of the coordinates.
    k : (r,) array
        In square units; NaN where border correction left nobody.
    correction : str
        One of :data:`CORRECTIONS`.
    points : int
        Points inside the window; of cross-K those of the first pattern.
    others : int
        Of cross-K those of the second pattern inside the window; else the same as ``points``.
    outside : int
        Points outside the window, which are left out.
    centres : int
        So many of ``points``, at random, were asked about their neighbours: all where possible.
    """

    radii: np.ndarray
    k: np.ndarray
    correction: str
    points: int
    others: int
    outside: int
    centres: int

    @property
    def l(self) -> np.ndarray:  # noqa: E743
        """L(t) = sqrt(K(t) / π), (r,), in the unit of the coordinates."""
        return np.sqrt(self.k / np.pi)

    def in_words(self) -> str:
        """Say where it departs most from complete spatial randomness."""
        gap = self.l - self.radii
        if not np.isfinite(gap).any():
            return f"Ripley's K of {number_of(self.points, 'point', 'points')}: not defined."
        most = int(np.nanargmax(np.abs(gap)))
        return (
            f"Ripley's K of {number_of(self.points, 'point', 'points')} ({self.correction} edge"
            f" correction): L(t) - t is {figure(float(gap[most]), '.3g')} at t ="
            f" {self.radii[most]:.4g}, where it is farthest from 0."
        )


def default_radii(window: Window, count: int, number: int = DISTANCES) -> np.ndarray:
    """Distances for a curve: spatstat's rule for K.

    Up to a quarter of the window's shorter side, or to where a point has 1,000 neighbours under
    complete spatial randomness, whichever is less.

    Parameters
    ----------
    window : Window
    count : int
        Points inside, at least 1.
    number : int

    Returns
    -------
    (number,) array
        Evenly spaced, from the first step on.

    References
    ----------
    Baddeley, Rubak & Turner (2015), Spatial point patterns, Chapman & Hall, section 7.4 (the R
    package spatstat, ``rmax.rule``).
    """
    side = float((window.bounds[2:] - window.bounds[:2]).min())
    crowded = np.sqrt(_NEIGHBOURS * window.area / (np.pi * max(count, 1)))
    return np.linspace(0.0, min(side / 4, float(crowded)), number + 1)[1:]


def ripley_k(
    xy: np.ndarray,
    window: Window,
    rng: np.random.Generator,
    radii: np.ndarray | None = None,
    correction: str = TRANSLATION,
    progress: Progress = silent,
    *,
    most_pairs: int = MOST_PAIRS,
    asked: np.ndarray | None = None,
) -> Ripley:
    """Estimate K and L of one pattern.

    Parameters
    ----------
    xy : (n, 2) array
        In a plane; points outside the window are left out and counted.
    window : Window
    rng : numpy.random.Generator
        Draws a sample of the points where there are more pairs than ``most_pairs``.
    radii : (r,) array, optional
        Ascending distances above 0; by default :func:`default_radii`.
    correction : str
        ``none``; ``border`` (only points so far from the border count, nothing of the window's
        outline is assumed); ``translation``; ``isotropic``, the pattern being the same in all
        directions. No weight is above 100.
    progress : callable
    most_pairs : int
    asked : (n,) bool array, optional
        Which points are asked about their neighbours, where they were chosen at random before: of
        the same records in another pattern, so that chance does not make them differ.

    Returns
    -------
    Ripley

    Raises
    ------
    InputError
        If there are fewer than two points inside, or distances or correction are none.
    """
    radii, inside = prepared(xy, window, radii, correction, 2)
    own = pattern(inside, part(progress, 0.0, 0.02))
    reach, ahead = float(radii[-1]), part(progress, 0.02, 0.05)
    if asked is None:
        centres = choose_centres(own, own, reach, most_pairs, rng, ahead)
    else:
        centres = centres_at(own, np.flatnonzero(asked[window.contains(as_points(xy))]))
    k = estimate(centres, own, window, radii, correction, part(progress, 0.05, 1.0))
    left_out = len(xy) - len(inside)
    return Ripley(radii, k, correction, len(inside), len(inside), left_out, len(centres))


def cross_k(
    first: np.ndarray,
    second: np.ndarray,
    window: Window,
    rng: np.random.Generator,
    radii: np.ndarray | None = None,
    correction: str = TRANSLATION,
    progress: Progress = silent,
    *,
    most_pairs: int = MOST_PAIRS,
) -> Ripley:
    """Estimate cross-K of two patterns: how many of the second lie round one of the first.

    Of originals and masked points: masked points that lie as near to any place as to an original
    follow π t²; what lies above, up to the distances that points were moved, is what is left of
    the originals. A record's own masked point counts like all others.

    Parameters
    ----------
    first, second : (n, 2), (m, 2) arrays
    window, rng, radii, correction, progress, most_pairs
        As of :func:`ripley_k`.

    Returns
    -------
    Ripley

    Raises
    ------
    InputError
        If a pattern has no point inside, or distances or correction are none.
    """
    radii, inside = prepared(first, window, radii, correction, 1)
    _, others = prepared(second, window, radii, correction, 1)
    one, other = pattern(inside), pattern(others, part(progress, 0.0, 0.02))
    reach = float(radii[-1])
    centres = choose_centres(one, other, reach, most_pairs, rng, part(progress, 0.02, 0.05))
    k = estimate(centres, other, window, radii, correction, part(progress, 0.05, 1.0))
    left_out = len(first) + len(second) - len(inside) - len(others)
    return Ripley(radii, k, correction, len(inside), len(others), left_out, len(centres))


def prepared(
    xy: np.ndarray, window: Window, radii: np.ndarray | None, correction: str, least: int
) -> tuple[np.ndarray, np.ndarray]:
    """Check what was given; return distances, and the points inside the window.

    Raises
    ------
    InputError
    """
    if correction not in CORRECTIONS:
        raise InputError(
            "The edge correction must be one of {names}.", names=", ".join(CORRECTIONS)
        )
    xy = as_points(xy)
    inside = xy[window.contains(xy)]
    if len(inside) < least:
        raise InputError(
            "Only {inside} of {all} inside the area: Ripley's K needs {least}. Give the area that"
            " the points come from, in their coordinate reference system.",
            inside=len(inside),
            all=number_of(len(xy), "point lies", "points lie"),
            least=least,
        )
    radii = default_radii(window, len(inside)) if radii is None else np.asarray(radii, dtype=float)
    good = radii.ndim == 1 and len(radii) and np.isfinite(radii).all()
    if not good or radii[0] <= 0 or (np.diff(radii) <= 0).any():
        raise InputError(Sentence("The distances of Ripley's K must be above 0 and ascending."))
    return radii, inside


def estimate(
    centres: Centres,
    others: Pattern,
    window: Window,
    radii: np.ndarray,
    correction: str,
    progress: Progress = silent,
) -> np.ndarray:
    """K at each of the distances, (r,), where all is checked and in trees.

    Cross-K unless both patterns are the same object.
    """
    among = len(others) - (others is centres.pattern)
    steps = part(progress, 0.0, 0.1)
    if correction == BORDER:
        away = window.to_border(centres.xy, steps)
        # The last distance at which a centre is far enough from the border.
        last = np.searchsorted(radii, away, side="right")
        pairs = _pairs(centres, others, radii, part(progress, 0.1, 1.0))
        within, asked = _reduced(pairs, last, centres.count, len(radii))
    else:
        weigh = _weights(centres, others, window, float(radii[-1]), correction, steps)
        within = np.zeros(len(radii) + 1)
        for row, place, distance, at, count in _pairs(
            centres, others, radii, part(progress, 0.1, 1.0)
        ):
            weight = count if weigh is None else count * weigh(row, place, distance)
            within += np.bincount(at, weight, minlength=len(radii) + 1)
        within, asked = np.cumsum(within[:-1]), np.full(len(radii), float(len(centres)))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(asked > 0, window.area * within / (asked * among), np.nan)


def _pairs(
    centres: Centres, others: Pattern, radii: np.ndarray, progress: Progress
) -> Iterator[tuple[np.ndarray, ...]]:
    """Pairs, and the first of the distances that each counts at, or their number for none."""
    first_of = _first_not_below(radii)
    for row, place, distance, count in pairs_within(
        centres, others, float(radii[-1]) * (1 + 1e-12), progress
    ):
        yield row, place, distance, first_of(distance), count


def _first_not_below(radii: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """As numpy.searchsorted, four times as fast: by cells in which at most one of them lies."""
    step = float(np.diff(radii, prepend=0.0).min()) / 2
    if radii[-1] / step > _CELLS:
        return lambda distance: np.searchsorted(radii, distance)
    # A little lower, so that what rounding puts into the next cell finds its own.
    ends = step * np.arange(int(radii[-1] / step) + 3) * (1 - 1e-12)
    table, beyond = np.searchsorted(radii, ends), np.append(radii, np.inf)

    def found(distance: np.ndarray) -> np.ndarray:
        at = np.take(table, (distance * (1 / step)).astype(np.intp))
        return at + (np.take(beyond, at) < distance)

    return found


def _reduced(pairs, last: np.ndarray, count: np.ndarray, number: int) -> tuple:
    """Pairs within each distance of centres that are as far from the border, and those centres."""
    change = np.zeros(number + 1)
    for row, _, _, at, many in pairs:
        end = np.take(last, row)
        many = np.where(at < end, many, 0)
        change += np.bincount(at, many, minlength=number + 1)
        change -= np.bincount(end, many, minlength=number + 1)
    asked = np.bincount(last, count, minlength=number + 1)
    return np.cumsum(change)[:number], np.cumsum(asked[::-1])[::-1][1:]


def _weights(
    centres: Centres,
    others: Pattern,
    window: Window,
    reach: float,
    correction: str,
    progress: Progress,
) -> Weigh | None:
    """What pairs are weighted by, None for nothing."""
    if correction == NONE:
        return None
    start, end = centres.xy, others.found.xy
    if correction == TRANSLATION:
        overlap = set_covariance(window, reach, progress)

        def translation(row: np.ndarray, place: np.ndarray, distance: np.ndarray) -> np.ndarray:
            shift = np.take(end, place, axis=0) - np.take(start, row, axis=0)
            return 1.0 / np.maximum(overlap(shift), 1.0 / HEAVIEST)

        return translation
    away = window.to_border(start, progress)

    def isotropic(row: np.ndarray, place: np.ndarray, distance: np.ndarray) -> np.ndarray:
        weight = np.ones(len(row))
        cut = np.flatnonzero(distance > np.take(away, row))
        if len(cut):
            own, at = np.unique(row[cut], return_inverse=True)
            share = share_of_circles(window, start[own], at.reshape(-1), distance[cut])
            weight[cut] = 1.0 / np.maximum(share, 1.0 / HEAVIEST)
        return weight

    return isotropic
