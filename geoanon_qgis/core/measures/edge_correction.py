# SPDX-License-Identifier: GPL-2.0-or-later
"""What a pair of points stands for where the window hides others: weights against edge effects.

A disc round a point near the border lies partly outside the window, where nobody looked. Border
correction leaves such points out; the other two give a pair more weight the fewer pairs of its kind
could have been seen.

References
----------
Ripley (1976), The second-order analysis of stationary point processes, Journal of Applied
Probability 13: 255-266 (isotropic). Ohser & Stoyan (1981), On the second-order and orientation
analysis of planar stationary point processes, Biometrical Journal 23: 523-533 (translation). Ripley
(1988), Statistical inference for spatial processes, Cambridge, chapter 3 (border).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..masking.zones import from_edges
from ..runtime.geos import shapely
from ..runtime.progress import Progress, chunks, silent
from .window import Window

#: The largest weight of a pair, as in spatstat: few pairs in a far corner must not decide.
HEAVIEST = 100.0
#: Angles over half a turn, and lengths, at which the overlap of a window with itself is measured.
_ANGLES, _LENGTHS = 60, 40
#: Angles that the table has more on either side, so that it has no ends.
_AROUND = 4
#: Vertices from which on an outline is simplified before it is laid over itself, by a share of its
#: extent at first and by a share of the longest shift at most.
_VERTICES, _SIMPLER, _SIMPLEST = 300, 5e-4, 0.02
_SHIFTS = 200
#: A circle that crosses the border but has less inside than this angle only touches it.
_TOUCHES = 1e-6


@dataclass(frozen=True, eq=False)
class SetCovariance:
    """Share of a window that still lies in it when it is shifted, made by :func:`set_covariance`.

    Attributes
    ----------
    window : Window
    reach : float
        Longest shift asked about.
    table : (angles, lengths) array
        Shares, at even angles over half a turn and some beyond, and even lengths from 0; empty for
        a box, whose shares are computed as they are asked for.
    """

    window: Window
    reach: float
    table: np.ndarray

    def __call__(self, shift: np.ndarray) -> np.ndarray:
        """Shares of the window, (p,), for shifts, (p, 2), not longer than ``reach``."""
        if not len(self.table):
            sides = self.window.bounds[2:] - self.window.bounds[:2]
            return np.prod(np.maximum(1.0 - np.abs(shift) / sides, 0.0), axis=1)
        from scipy.ndimage import map_coordinates

        # A shift there and back leave the same.
        turn = np.arctan2(shift[:, 1], shift[:, 0]) % np.pi
        length = np.hypot(shift[:, 0], shift[:, 1])
        at = np.stack(
            [turn * (_ANGLES / np.pi) + _AROUND, length * ((_LENGTHS - 1) / self.reach)], axis=0
        )
        share = map_coordinates(self.table, at, order=1, mode="nearest")
        return np.clip(share, 0.0, 1.0)


def set_covariance(window: Window, reach: float, progress: Progress = silent) -> SetCovariance:
    """Measure how much of a window lies in itself when it is shifted.

    Exact for a rectangle along the axes. Of another outline overlaps are measured at 60 angles over
    half a turn and 40 lengths, and interpolated; one of more than 300 vertices is simplified
    before, by 1/50 of ``reach`` at most. What was measured is kept with the window.

    Parameters
    ----------
    window : Window
    reach : float
        Longest shift, above 0.
    progress : callable

    Returns
    -------
    SetCovariance
    """
    if window.is_box:
        return SetCovariance(window, reach, np.empty((0, 0)))
    if reach not in window.kept:
        window.kept[reach] = _overlaps(window, reach, progress)
    return SetCovariance(window, reach, window.kept[reach])


def _overlaps(window: Window, reach: float, progress: Progress) -> np.ndarray:
    """The table of :class:`SetCovariance`."""
    geos = shapely()
    shape = window.shape
    by = _SIMPLER * float((window.bounds[2:] - window.bounds[:2]).max())
    while geos.get_num_coordinates(shape) > _VERTICES and by <= _SIMPLEST * reach:
        simpler = geos.simplify(window.shape, by)
        # Thin parts may vanish altogether; then the outline is taken as it was.
        if geos.area(simpler) < 0.99 * window.area:
            break
        shape, by = simpler, 2 * by
    turn = np.arange(_ANGLES) * (np.pi / _ANGLES)
    length = np.linspace(0.0, reach, _LENGTHS)
    shift = np.stack([np.outer(np.cos(turn), length), np.outer(np.sin(turn), length)], axis=-1)
    shift = shift.reshape(-1, 2)
    area = np.empty(len(shift))
    corners = geos.get_coordinates(shape)
    for rows in chunks(len(shift), max(1, _SHIFTS // (1 + len(corners) // 100)), progress):
        moved = np.repeat(np.array([shape], dtype=object), rows.stop - rows.start)
        moved = geos.set_coordinates(
            moved, (corners[None, :, :] + shift[rows, None, :]).reshape(-1, 2)
        )
        area[rows] = geos.area(geos.intersection(shape, moved))
    share = (area / geos.area(shape)).reshape(_ANGLES, _LENGTHS)
    return np.concatenate([share[-_AROUND:], share, share[:_AROUND]])


def share_of_circles(
    window: Window, xy: np.ndarray, row: np.ndarray, radius: np.ndarray
) -> np.ndarray:
    """Share of circles' circumference inside the window.

    What of a circle lies inside is the sum of the directions, as seen from its centre, in which it
    leaves the window, less those in which it enters: no arcs are put in order. Edges are cut at
    the foot of the perpendicular from the centre, so that each circle crosses a piece once or not.

    Parameters
    ----------
    window : Window
    xy : (m, 2) array
        Centres, inside the window or on its border.
    row : (p,) int array
        Centre of each circle.
    radius : (p,) array
        Above 0. Each circle passes through a point of the window, or lies in it.

    Returns
    -------
    (p,) array
        Above 0, up to 1.
    """
    share = np.ones(len(row))
    if not len(row):
        return share
    # Complex numbers are ordered by their real, then by their imaginary part.
    order = np.lexsort((radius, row))
    key = np.empty(len(row), dtype=np.complex128)
    key.real, key.imag = row[order], radius[order]
    centre, edge = window.near_edges(xy, float(radius.max()) * (1 + 1e-9))
    piece, low, high, sign, outward = _pieces(xy[centre], window.edges[edge])
    first, last = (_where(key, centre[piece], ends) for ends in (low, high))
    count = np.maximum(last - first, 0)
    nth = np.repeat(np.arange(len(piece)), count)
    circle = np.arange(len(nth)) - np.repeat(np.cumsum(count) - count - first, count)
    at = piece[nth]
    left, _, _ = from_edges(xy[centre], window.edges[edge])
    along = window.edges[edge, 2:] - window.edges[edge, :2]
    ahead = np.arctan2(along[:, 1], along[:, 0])
    r = key.imag[circle]
    aside = sign[nth] * np.sqrt(np.maximum(r * r - left[at] ** 2, 0.0))
    angle = ahead[at] + np.arctan2(-left[at], aside)
    # Anticlockwise: an edge that leads away from the centre is entered, the inside to its left.
    inside = np.bincount(circle, np.where(outward[nth], -angle, angle), minlength=len(row))
    crossed = np.bincount(circle, minlength=len(row)) > 0
    angles = np.mod(inside, 2 * np.pi)
    part = np.where(crossed & (angles > _TOUCHES), angles / (2 * np.pi), 1.0)
    share[order] = part
    return share


def _pieces(xy: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, ...]:
    """Edges as pieces that come nearer all the time, or lead away.

    Returns
    -------
    edge : (q,) int array
    low, high : (q,) arrays
        Distances from the centre between which a piece lies.
    sign : (q,) array
        On which side of the foot of the perpendicular, along the edge.
    outward : (q,) bool array
    """
    left, start, end = from_edges(xy, edges)
    # Of the corner itself, so that both edges at it say the same.
    a = np.hypot(edges[:, 0] - xy[:, 0], edges[:, 1] - xy[:, 1])
    b = np.hypot(edges[:, 2] - xy[:, 0], edges[:, 3] - xy[:, 1])
    foot = np.minimum(np.abs(left), np.minimum(a, b))
    both = np.flatnonzero((start < 0) & (end > 0))
    one = np.flatnonzero(~((start < 0) & (end > 0)))
    edge = np.concatenate([one, both, both])
    before = np.concatenate([a[one], a[both], foot[both]])
    after = np.concatenate([b[one], foot[both], b[both]])
    behind = np.where(end[one] <= 0, -1.0, 1.0)
    sign = np.concatenate([behind, np.full(len(both), -1.0), np.ones(len(both))])
    return edge, np.minimum(before, after), np.maximum(before, after), sign, after > before


def _where(key: np.ndarray, row: np.ndarray, length: np.ndarray) -> np.ndarray:
    """How many circles come before those of a centre that are larger than a length."""
    asked = np.empty(len(row), dtype=np.complex128)
    asked.real, asked.imag = row, length
    return np.searchsorted(key, asked, side="right")
