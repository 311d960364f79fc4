# SPDX-License-Identifier: GPL-2.0-or-later
"""Released points whose coordinates were rounded after the mask: each tells a cell, and no place.

The probability of a cell is the law's over it. Round a candidate the law is radial: of the circle of
radius r an arc of so many radians lies inside the cell, and the probability is the mean of arc/2π
over the radii of the law, a sum over slices of its radial distribution. Slices begin and end where
the law does, so that a hard edge is as sharp as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...masking.law import Law
from ...masking.laws import disc
from ...runtime.progress import Progress, part, silent
from ...runtime.rows import lots
from ...space.points import coordinate_resolution
from .likelihood import Likelihood, by_law

#: Slices of a cell, and the share of a law that may lie beyond what is looked at.
_SLICES, _TAIL = 24, 1e-9
#: Places on an axis from which on a grid is believed: by chance one in 2 to the power of it is even.
_FEWEST = 12
#: Part of a step by which coordinates may miss its grid.
_OFF = 1e-3


@dataclass(frozen=True, eq=False)
class Cells:
    """The cell of each released point.

    Attributes
    ----------
    east, north : (n, 2) array
        From the centre of a cell to the middle of two of its sides, at right angles.
    """

    east: np.ndarray
    north: np.ndarray

    @property
    def reach(self) -> float:
        """Largest distance of a corner from a centre."""
        return float(np.sqrt((self.east**2 + self.north**2).sum(axis=1)).max(initial=0.0))


def grid_step(xy: np.ndarray) -> tuple[float, float]:
    """The widest grid that all coordinates lie on, wherever it begins, for x and for y.

    Parameters
    ----------
    xy : (n, 2) array
        As they are stored, in any unit.

    Returns
    -------
    (float, float)
        Zero for none, or where there are too few places to tell.
    """
    fine = coordinate_resolution(xy)
    if not fine:
        return 0.0, 0.0
    found = []
    for values in np.asarray(xy, dtype=np.float64).T:
        whole = np.unique(np.rint(values / fine).astype(np.int64))
        step = int(np.gcd.reduce(np.diff(whole))) if len(whole) >= _FEWEST else 0
        found.append(step * fine)
    return found[0], found[1]


def on_grid(xy: np.ndarray, step: float) -> bool:
    """Whether all coordinates lie on a grid of this step, wherever it begins.

    Parameters
    ----------
    xy : (n, 2) array
        As they are stored, in the unit of ``step``.
    step : float
        Above zero.
    """
    xy = np.asarray(xy, dtype=np.float64)
    if not len(xy):
        return True
    whole = (xy - xy[0]) / step
    # Files keep fewer digits than a step that is no decimal number has.
    return bool((np.abs(whole - np.rint(whole)) <= _OFF).all())


def by_rounded_law(
    released: np.ndarray,
    candidates: np.ndarray,
    law: Law,
    cells: Cells,
    progress: Progress = silent,
) -> Likelihood:
    """Likelihood of a displacement whose points were rounded.

    Parameters
    ----------
    released : (n, 2) array
        Centres of cells, in metres of the plane of the mask.
    candidates : (m, 2) array
    law : Law
    cells : Cells
    progress : callable

    Returns
    -------
    Likelihood
        The law's probability of the cell, per square metre.
    """
    far = np.asarray(law.reach(_TAIL), dtype=np.float64) + cells.reach
    far = np.where(law.possible, far, np.inf)
    near = disc(far if far.ndim else float(far))
    found = by_law(released, candidates, near, progress=part(progress, 0.0, 0.4))
    value = np.empty(len(found.value))
    told = part(progress, 0.4, 1.0)
    for rows, pairs, point in lots(found.first):
        told(rows.start / max(1, found.points))
        at, candidate = point + rows.start, found.candidate[pairs]
        own = law.of(candidate)
        value[pairs] = averaged(
            own, released[at] - candidates[candidate], cells.east[at], cells.north[at]
        )
    progress(1.0)
    return found.with_values(value)


def averaged(law: Law, gap: np.ndarray, east: np.ndarray, north: np.ndarray) -> np.ndarray:
    """Mean density of a law over cells.

    Parameters
    ----------
    law : Law
        One for all pairs, or of each.
    gap : (p, 2) array
        From the place to the centre of the cell.
    east, north : (p, 2) array
        As in :class:`Cells`.

    Returns
    -------
    (p,) array
        Per square metre.
    """
    half = np.hypot(*east.T), np.hypot(*north.T)
    at = [np.abs((gap * one).sum(axis=1)) / size for one, size in zip((east, north), half)]
    low = [one - size for one, size in zip(at, half)]
    high = [one + size for one, size in zip(at, half)]
    first = np.maximum(np.hypot(*(np.maximum(one, 0.0) for one in low)), law.hole)
    last = np.minimum(np.hypot(*high), law.reach(_TAIL))
    last = np.maximum(first, np.where(np.isfinite(last), last, first))
    first = np.where(np.isfinite(first), first, last)
    mass, before = np.zeros(len(gap)), law.within(first)
    for number in range(_SLICES):
        ends = first + (last - first) * ((number + 1) / _SLICES)
        within = law.within(ends)
        middle = first + (last - first) * ((number + 0.5) / _SLICES)
        mass += _arc(middle, low, high) * (within - before)
        before = within
    return np.maximum(np.nan_to_num(mass), 0.0) / (2 * np.pi * 4 * half[0] * half[1])


def _arc(radius: np.ndarray, low: list[np.ndarray], high: list[np.ndarray]) -> np.ndarray:
    """Radians of circles round the origin that lie inside of rectangles."""
    safe = np.where(radius > 0, radius, 1.0)
    turn = [np.arccos(np.clip(one / safe, -1.0, 1.0)) for one in (low[0], high[0])]
    rise = [np.arcsin(np.clip(one / safe, -1.0, 1.0)) for one in (low[1], high[1])]
    found = _below(turn[1], rise[1]) - _below(turn[0], rise[1])
    found += _below(turn[0], rise[0]) - _below(turn[1], rise[0])
    return np.maximum(found, 0.0)


def _below(turn: np.ndarray, rise: np.ndarray) -> np.ndarray:
    """Radians of angles with cos <= cos(turn) and sin <= sin(rise)."""
    # Angles above are from rise to pi - rise; those to the right from -turn to turn.
    above = np.pi - 2 * rise
    both = np.maximum(0.0, np.minimum(turn, np.pi - rise) - np.maximum(-turn, rise))
    both += np.maximum(0.0, np.pi - rise - np.maximum(2 * np.pi - turn, rise))
    return 2 * np.pi - 2 * turn - (above - both)
