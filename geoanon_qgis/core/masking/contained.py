# SPDX-License-Identifier: GPL-2.0-or-later
"""Exact draws of a radial law inside a zone, for points of which hardly any of it lies there.

The direction comes first. Along a ray from the point, the law's mass inside the zone is a sum of G,
the share within a distance, over the crossings with the border; its integral over the directions
is the zone's share, its inverse gives a direction. Then the distance: uniform in G over the parts
of the ray that lie inside. (Radius first, then an angle on the inside arcs, is the same
distribution; a ray's crossings need no test of which arc is inside.)
"""

from __future__ import annotations

import numpy as np

from .law import Law

#: Pieces of the circle: at least so many ...
_PIECES = 96
#: ... and each divided once more where the draw falls into it.
_FINER = 64
#: With so many edges the directions of their ends are enough pieces.
_MANY = 64
_RINGS = np.concatenate([[1 / 128, 1 / 32], np.arange(1, 17) / 16])
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(4)
_AT_ONCE = 500_000
#: Less than this share of a law is none: what rounding leaves.
LEAST_SHARE = 1e-11


def draw_inside(
    edges: np.ndarray, inside: bool, law: Law, uniform: np.ndarray
) -> tuple[np.ndarray, float]:
    """Draw one point of a law that is conditioned on a zone.

    Parameters
    ----------
    edges : (e, 4) array
        Edges of the zone within the law's reach, as seen from the true place (which is 0, 0), the
        zone on their left.
    inside : bool
        Whether the true place lies inside.
    law : Law
        With one value for each parameter.
    uniform : (2,) array
        Uniformly distributed, for direction and distance.

    Returns
    -------
    steps : (2 or 0, 2) array
        The point drawn, from the true place; and one on the same ray well inside the zone, where
        rounding has put the first onto the border. None where nothing of the law is inside.
    share : float
        The share of the law that lies in the zone.
    """
    turns = _directions(edges, law)
    width = np.diff(turns)
    middle = (turns[1:] + turns[:-1]) / 2
    mass = np.zeros(len(width))
    for node, weight in zip(_NODES, _WEIGHTS):
        mass += weight / 2 * width * _along(middle + node / 2 * width, edges, inside, law)
    mass = np.maximum(mass, 0.0)
    share = float(mass.sum()) / (2 * np.pi)
    if share < LEAST_SHARE:
        return np.empty((0, 2)), 0.0
    at, rest = _pick(mass, float(uniform[0]))
    finer = np.linspace(turns[at], turns[at + 1], _FINER + 1)
    weight = np.maximum(_along((finer[1:] + finer[:-1]) / 2, edges, inside, law), 0.0)
    if not weight.any():
        return np.empty((0, 2)), share
    cell, rest = _pick(weight, rest)
    turn = finer[cell] + rest * (finer[cell + 1] - finer[cell])
    away = _distances(turn, edges, inside, law, float(uniform[1]))
    return away[:, None] * np.array([np.cos(turn), np.sin(turn)]), share


def _directions(edges: np.ndarray, law: Law) -> np.ndarray:
    """Directions between which the mass along a ray is smooth: ends of edges, and rings."""
    ends = edges.reshape(-1, 2)
    turns = [np.arctan2(ends[:, 1], ends[:, 0]), np.linspace(-np.pi, np.pi, _PIECES + 1)]
    if len(edges) <= _MANY:
        along = edges[:, 2:] - edges[:, :2]
        length = np.hypot(along[:, 0], along[:, 1])
        along = along / length[:, None]
        start = (edges[:, :2] * along).sum(axis=1)
        foot = edges[:, :2] - start[:, None] * along
        hole, reach = float(law.hole), float(law.reach())
        ring = np.concatenate([[hole], hole + _RINGS * (reach - hole)])
        square = np.square(ring)[:, None] - np.square(foot).sum(axis=1)
        cut = np.sqrt(np.maximum(square, 0.0))
        for one in (-cut, cut):
            met = (square > 0) & (one > start) & (one < start + length)
            edge = np.nonzero(met)[1]
            point = foot[edge] + one[met][:, None] * along[edge]
            turns.append(np.arctan2(point[:, 1], point[:, 0]))
    return np.unique(np.concatenate(turns))


def _crossings(turns: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Crossings of rays and edges: which ray, how far, and +1 where it leaves the zone."""
    ray = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    beside = [
        np.outer(ray[:, 0], edges[:, i + 1]) - np.outer(ray[:, 1], edges[:, i]) for i in (0, 2)
    ]
    at, edge = np.nonzero((beside[0] < 0) != (beside[1] < 0))
    one, other = beside[0][at, edge], beside[1][at, edge]
    share = one / (one - other)
    met = edges[edge, :2] + share[:, None] * (edges[edge, 2:] - edges[edge, :2])
    away = (ray[at] * met).sum(axis=1)
    ahead = away > 0
    return at[ahead], away[ahead], np.where(one < 0, 1.0, -1.0)[ahead]


def _along(turns: np.ndarray, edges: np.ndarray, inside: bool, law: Law) -> np.ndarray:
    """Share of the law's mass along rays that lies inside; edges beyond the reach add nothing."""
    found = np.full(len(turns), float(inside))
    step = max(1, _AT_ONCE // max(1, len(edges)))
    reach = np.asarray(law.reach())
    for first in range(0, len(turns), step):
        some = turns[first : first + step]
        at, away, leaves = _crossings(some, edges)
        beyond = leaves * (1 - law.within(np.minimum(away, reach)))
        found[first : first + step] -= np.bincount(at, beyond, minlength=len(some))
    return found


def _distances(
    turn: float, edges: np.ndarray, inside: bool, law: Law, uniform: float
) -> np.ndarray:
    """A distance on the parts of a ray inside the zone, and the middle of the part it is on."""
    _, away, _ = _crossings(np.array([turn]), edges)
    reach = float(law.reach())
    ends = np.sort(np.minimum(away, reach))
    if inside:
        ends = np.concatenate([[0.0], ends])
    if len(ends) % 2:
        ends = np.append(ends, reach)
    share = law.within(ends)
    mass = share[1::2] - share[::2]
    if not (mass > 0).any():
        return np.empty(0)
    part, rest = _pick(mass, uniform)
    low, high = share[2 * part], share[2 * part + 1]
    wanted = np.array([low + rest * (high - low), (low + high) / 2])
    drawn = law.quantile(np.minimum(wanted, 1 - 2.0**-53))
    return np.clip(drawn, ends[2 * part], ends[2 * part + 1])


def _pick(mass: np.ndarray, uniform: float) -> tuple[int, float]:
    """Which of some masses a uniform number falls on, and where on it, from 0 to 1."""
    total = np.cumsum(mass)
    wanted = uniform * total[-1]
    at = min(int(np.searchsorted(total, wanted, side="right")), len(mass) - 1)
    while mass[at] <= 0:
        at -= 1
    return at, float(np.clip((wanted - (total[at] - mass[at])) / mass[at], 0.0, 1.0))
