# SPDX-License-Identifier: GPL-2.0-or-later
"""L of originals and masked points, their cross-K, and envelopes under complete randomness."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, shares, silent, weighted
from ..runtime.results import Summarised
from ..runtime.wording import figure
from ..space.points import as_points
from .pairs import Pattern, centres_for, drawn_pattern, pattern, sample_centres
from .ripley import (
    MOST_PAIRS,
    TRANSLATION,
    Ripley,
    cross_k,
    default_radii,
    estimate,
    prepared,
    ripley_k,
)
from .window import Window

#: The fewest simulations that make a band of 95 %.
SIMULATIONS = 39
#: About so many pairs are looked at in each simulation.
SIMULATED_PAIRS = 300_000


@dataclass(frozen=True, repr=False)
class Envelope(Summarised):
    """What L(t) - t is like under complete spatial randomness.

    Attributes
    ----------
    radii : (r,) array
    low, high : (r,) arrays
        Pointwise: at each distance taken alone, L lies outside with probability ``level``.
    width : float
        Global: with probability ``level`` abs(L(t) - t) is larger at *any* distance.
    furthest : (s,) array
        Largest abs(L(t) - t) of each simulation, ascending.
    level : float

    References
    ----------
    Besag & Diggle (1977), Simple Monte Carlo tests for spatial pattern, Applied Statistics 26:
    327-333. Baddeley et al. (2014), On tests of spatial pattern based on simulation envelopes,
    Ecological Monographs 84: 477-489.
    """

    radii: np.ndarray
    low: np.ndarray
    high: np.ndarray
    width: float
    furthest: np.ndarray
    level: float

    def in_words(self) -> str:
        """Say how wide the global envelope is."""
        return (
            f"Under complete spatial randomness, {1 - self.level:.0%} of the patterns have L(t)"
            f" within {figure(self.width, '.3g')} of t at every distance"
            f" ({len(self.furthest):,} simulations)."
        )

    def p_value(self, found: Ripley) -> float:
        """Probability under complete randomness of an L as far from t as one that was found.

        Parameters
        ----------
        found : Ripley
            Of as many points, at the same distances, and from as many centres or more: with more,
            p is larger than it need be.

        Returns
        -------
        float
            At least 1 / (s + 1).
        """
        far = _furthest(found.k, self.radii)
        return float((1 + (self.furthest >= far).sum()) / (len(self.furthest) + 1))


@dataclass(frozen=True, repr=False)
class RipleyCompared(Summarised):
    """L before and after, and cross-K between both.

    Attributes
    ----------
    before, after : Ripley
    cross : Ripley
        From originals to masked points.
    rmse : float
        Root mean squared difference of both L over the distances, in the unit of the coordinates;
        over those at which both are defined.
    relative_rmse : float
        Root mean square of the differences over the original's L at the same distance, where that
        is above 0: what is lost at short distances is not made small by long ones, at which no mask
        changes anything.
    envelope_before, envelope_after, envelope_cross : Envelope or None
        For cross-K the originals stay and the masked points are random.
    """

    before: Ripley
    after: Ripley
    cross: Ripley
    rmse: float
    relative_rmse: float
    envelope_before: Envelope | None
    envelope_after: Envelope | None
    envelope_cross: Envelope | None

    def in_words(self) -> str:
        """Say how much L changed."""
        return (
            f"L(t) before and after differ by {figure(self.rmse, '.4g')} (root mean square over"
            f" {len(self.before.radii):,} distances up to {self.before.radii[-1]:,.4g}),"
            f" {figure(self.relative_rmse, '.2%')} of L at each distance."
        )


def compare_ripley(
    original: np.ndarray,
    released: np.ndarray,
    window: Window,
    rng: np.random.Generator,
    radii: np.ndarray | None = None,
    correction: str = TRANSLATION,
    progress: Progress = silent,
    *,
    simulations: int = SIMULATIONS,
    level: float = 0.05,
    most_pairs: int = MOST_PAIRS,
    row: np.ndarray | None = None,
) -> RipleyCompared:
    """Estimate L of both patterns and cross-K, with envelopes.

    Parameters
    ----------
    original, released : (n, 2), (m, 2) arrays
        In one plane.
    window : Window
    rng : numpy.random.Generator
        Draws simulations, and samples of the points where there are too many pairs.
    radii : (r,) array, optional
        Ascending; by default :func:`.ripley.default_radii` for the originals.
    correction : str
        One of :data:`.ripley.CORRECTIONS`.
    progress : callable
    simulations : int
        0 for no envelopes; else at least 2 / ``level`` - 1.
    level : float
    most_pairs : int
        Pairs of each estimate. Simulations look at 300,000, so that envelopes of large patterns
        are somewhat wider than they need be.
    row : (m,) int array, optional
        The original of each released point, -1 where it is not known. Where not all points can be
        asked, the same records are then asked in both patterns, so that both L differ by what the
        mask did, not by chance.

    Returns
    -------
    RipleyCompared

    Raises
    ------
    InputError
        As :func:`.ripley.ripley_k` and :func:`csr_envelope`.
    """
    original, released = as_points(original), as_points(released)
    if radii is None:
        radii = default_radii(window, int(window.contains(original).sum()))
    _check(simulations or SIMULATIONS, level if simulations else 0.05)
    ahead = weighted(progress, 1, 1, 1, 2 * simulations or 1, simulations or 1)
    both = (original, released)
    asked: tuple[np.ndarray | None, ...] = (None, None)
    if row is not None:
        asked = _same_records(*both, np.asarray(row), window, rng, float(radii[-1]), most_pairs)
    before, after = (
        ripley_k(xy, window, rng, radii, correction, next(ahead), most_pairs=most_pairs, asked=one)
        for xy, one in zip(both, asked)
    )
    cross = cross_k(
        original, released, window, rng, radii, correction, next(ahead), most_pairs=most_pairs
    )
    around: list[Envelope | None] = [None, None, None]
    if simulations:
        settings = (window, rng, radii, correction, simulations, level)
        given = pattern(prepared(original, window, radii, correction, 1)[1])
        # So many neighbours has a point of the second pattern, and so many may be asked.
        enough = int(SIMULATED_PAIRS / (after.points * np.pi * radii[-1] ** 2 / window.area)) + 100
        asked_before, asked_after, asked_cross = (
            min(one.centres, enough) for one in (before, after, cross)
        )
        # Each simulated pattern is held against itself, and against the originals.
        around[1], around[2] = _simulated(
            after.points, asked_after, (given, asked_cross), *settings, next(ahead)
        )
        alike = (after.points, asked_after) == (before.points, asked_before)
        around[0] = (
            around[1]
            if alike
            else csr_envelope(before.points, asked_before, *settings, next(ahead))
        )
    rmse, relative = rmse_of_l(before, after)
    progress(1.0)
    return RipleyCompared(before, after, cross, rmse, relative, *around)


def _same_records(
    original: np.ndarray,
    released: np.ndarray,
    row: np.ndarray,
    window: Window,
    rng: np.random.Generator,
    reach: float,
    most_pairs: int,
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Points that are asked in each pattern, of the same records; None where all can be."""
    inside = [pattern(xy[window.contains(xy)]) for xy in (original, released)]
    share = min(
        (centres_for(one, one, reach, most_pairs) / len(one) for one in inside if len(one)),
        default=1.0,
    )
    if share >= 1:
        return None, None
    before = rng.random(len(original)) < share
    # Whose original is not known is asked by a draw of its own.
    return before, np.where(row >= 0, before[row], rng.random(len(released)) < share)


def rmse_of_l(before: Ripley, after: Ripley) -> tuple[float, float]:
    """Root mean squares of the difference of two L, and of its share of the first; NaN for none.

    Parameters
    ----------
    before, after : Ripley
        At the same distances.
    """
    gap, first = after.l - before.l, before.l
    good = np.isfinite(gap)
    if not good.any():
        return float("nan"), float("nan")
    rmse = float(np.sqrt(np.mean(gap[good] ** 2)))
    there = good & (first > 0)
    if not there.any():
        return rmse, float("nan")
    return rmse, float(np.sqrt(np.mean((gap[there] / first[there]) ** 2)))


def csr_envelope(
    count: int,
    centres: int,
    window: Window,
    rng: np.random.Generator,
    radii: np.ndarray,
    correction: str = TRANSLATION,
    simulations: int = SIMULATIONS,
    level: float = 0.05,
    progress: Progress = silent,
) -> Envelope:
    """Simulate L of points that are independent and uniform in a window.

    Parameters
    ----------
    count : int
        Points of each simulation, at least 2.
    centres : int
        How many of them are asked about their neighbours, as in the estimate.
    window : Window
    rng : numpy.random.Generator
    radii : (r,) array
        Ascending.
    correction : str
    simulations : int
        At least 2 / ``level`` - 1.
    level : float
        Between 0 and 1.
    progress : callable

    Returns
    -------
    Envelope

    Raises
    ------
    InputError
        If there are too few simulations for the level.
    """
    _check(simulations, level)
    settings = (window, rng, radii, correction, simulations, level)
    return _simulated(count, centres, None, *settings, progress)[0]


def cross_envelope(
    first: np.ndarray,
    count: int,
    centres: int,
    window: Window,
    rng: np.random.Generator,
    radii: np.ndarray,
    correction: str = TRANSLATION,
    simulations: int = SIMULATIONS,
    level: float = 0.05,
    progress: Progress = silent,
) -> Envelope:
    """Simulate sqrt(K_12 / π) of given points and others that are uniform in a window.

    Parameters
    ----------
    first : (n, 2) array
        They stay; those outside the window are left out.
    count : int
        Points of each simulated second pattern.
    centres, window, rng, radii, correction, simulations, level, progress
        As of :func:`csr_envelope`.

    Returns
    -------
    Envelope

    Raises
    ------
    InputError
        If there are too few simulations for the level, or nobody is inside.
    """
    _check(simulations, level)
    radii, inside = prepared(first, window, radii, correction, 1)
    settings = (window, rng, radii, correction, simulations, level)
    return _simulated(count, 0, (pattern(inside), centres), *settings, progress)[0]


def _simulated(
    count: int,
    centres: int,
    against: tuple[Pattern, int] | None,
    window: Window,
    rng: np.random.Generator,
    radii: np.ndarray,
    correction: str,
    simulations: int,
    level: float,
    progress: Progress,
) -> list[Envelope]:
    """Envelopes of simulated patterns by themselves, if they have centres, and against others."""
    found: list[list[np.ndarray]] = []
    for ahead in shares(progress, simulations):
        drawn = drawn_pattern(window.draw(count, rng), part(ahead, 0.0, 0.0))
        asked = [sample_centres(drawn, centres, rng)] if centres else []
        asked += [sample_centres(*against, rng)] if against else []
        steps = shares(ahead, len(asked))
        found.append(
            [estimate(one, drawn, window, radii, correction, next(steps)) for one in asked]
        )
    return [_envelope(np.array(k), radii, level) for k in zip(*found)]


def _check(simulations: int, level: float) -> None:
    if not 0 < level < 1 or simulations < 2 / level - 1 - 1e-9:
        raise InputError(
            "An envelope at level {level:g} needs at least {least} simulations, not {simulations}.",
            level=level,
            least=int(np.ceil(2 / level - 1 - 1e-9)) if 0 < level < 1 else SIMULATIONS,
            simulations=simulations,
        )


def _envelope(k: np.ndarray, radii: np.ndarray, level: float) -> Envelope:
    """From K of each simulation, (s, r)."""
    each = np.sort(np.sqrt(k / np.pi), axis=0)
    # So many of s + 1 equally likely curves lie beyond each bound, the one that was found too.
    beyond = int((len(k) + 1) * level / 2 + 1e-9) - 1
    furthest = np.sort([_furthest(one, radii) for one in k])
    width = float(furthest[len(k) - int((len(k) + 1) * level + 1e-9)])
    return Envelope(radii, each[beyond], each[len(k) - 1 - beyond], width, furthest, level)


def _furthest(k: np.ndarray, radii: np.ndarray) -> float:
    gap = np.abs(np.sqrt(k / np.pi) - radii)
    return float(np.nanmax(gap)) if np.isfinite(gap).any() else float("nan")
