# SPDX-License-Identifier: GPL-2.0-or-later
"""Rings of a local plane as they lie on a map in degrees.

An edge that is straight in the plane is a curve in degrees, so that it is cut until straight parts
are near to it; a ring that crosses the antimeridian is unrolled, beyond any map's end; and one
through a pole goes along the top or the bottom of the map.

Edges of several rings stand in three arrays: where they start and end, (m, 2) both, and the number
of the ring of each, (m,); those of one ring stand together, and none is empty.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

#: Metres, and share of the edge's length, by which a part may depart from the edge.
_NEAR_M, _NEAR_SHARE = 1.0, 1e-5
_ROUNDS = 16
#: What lies within so many degrees of an end of the map is taken to be there.
AT_END = 1e-9
_RADIUS_M = 6_371_000.0

Edges = tuple[np.ndarray, np.ndarray, np.ndarray]


def twice_area(ring: np.ndarray) -> float:
    """Twice the area within a ring, (m, 2): below 0 where it goes clockwise."""
    x, y = (ring - ring.mean(axis=0)).T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())


def split(values: np.ndarray, ring: np.ndarray) -> list[np.ndarray]:
    """Values of each ring."""
    return np.split(values, np.flatnonzero(np.diff(ring)) + 1)


def that_need_no_cut(
    lonlat: np.ndarray, at_pole: np.ndarray, ring: np.ndarray, west: float
) -> tuple[np.ndarray, np.ndarray]:
    """Which rings lie clear of the poles and the ends of the map; and longitudes on the map."""
    longitude = lonlat[:, 0] - 360.0 * np.floor((lonlat[:, 0] - west) / 360.0)
    first = np.flatnonzero(np.diff(ring, prepend=-1))
    # The last of a ring is followed by its first.
    onward = np.roll(longitude, -1)
    onward[np.append(first[1:], len(ring)) - 1] = longitude[first]
    hard = (np.abs(onward - longitude) >= 180.0) | (at_pole != 0)
    hard |= np.minimum(longitude - west, west + 360.0 - longitude) <= AT_END
    easy = ~np.logical_or.reduceat(hard, first)
    return easy, np.column_stack([longitude, lonlat[:, 1]])


def unrolled(lonlat: np.ndarray, pole: np.ndarray) -> np.ndarray:
    """A ring in degrees without jumps: longitudes may go beyond any map's end, (m, 2).

    ``pole`` is the latitude of the pole that a point is at, and 0 for all others.
    """
    sweep = np.full(len(lonlat), np.nan)
    if pole.any():
        lonlat, sweep = _through_pole(lonlat, pole)
    step = np.roll(lonlat[:, 0], -1) - lonlat[:, 0]
    step -= 360.0 * np.floor((step + 180.0) / 360.0)
    step = np.where(np.isnan(sweep), step, sweep)
    turns = round(float(step.sum()) / 360.0)
    if turns:
        # Around a pole. Cut it along the meridian that leads there from the nearest point of the
        # ring, which meets the ring nowhere else.
        at = int(np.argmax(np.abs(lonlat[:, 1])))
        lonlat, step = np.roll(lonlat, -at, axis=0), np.roll(step, -at)
    longitude = lonlat[0, 0] + np.concatenate([[0.0], np.cumsum(step)])
    outline = np.column_stack([longitude[:-1], lonlat[:, 1]])
    if turns:
        east, latitude = longitude[0] + 360.0 * turns, 90.0 * turns
        way = [[east, outline[0, 1]], [east, latitude], [longitude[0], latitude]]
        outline = np.concatenate([outline, way])
    return outline


def _through_pole(lonlat: np.ndarray, pole: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A pole on the ring as a way along the top or bottom of the map.

    The inside lies to the left of the ring: it comes up the meridian of the place before, and
    goes on from that of the place after, so many degrees to the west at the north pole.
    """
    at = int(np.flatnonzero(pole)[0])
    lonlat, pole = np.roll(lonlat, -at, axis=0), np.roll(pole, -at)
    here = pole[0]
    kept = np.concatenate([[0], np.flatnonzero(pole == 0)])  # a pole is there once
    lonlat = lonlat[kept]
    before, after = lonlat[-1, 0], lonlat[1, 0]
    sweep = (before - after) % 360.0 if here > 0 else (after - before) % 360.0
    way = np.array([[before, here], [after, here]])
    known = np.full(len(lonlat) + 1, np.nan)
    known[0] = -sweep if here > 0 else sweep
    return np.concatenate([way, lonlat[1:]]), known


def with_nearest_to(
    place: np.ndarray, start: np.ndarray, end: np.ndarray, ring: np.ndarray
) -> Edges:
    """Edges, each cut at its point nearest to a place."""
    along = end - start
    length = np.maximum((along * along).sum(axis=1), np.finfo(float).tiny)
    share = ((place - start) * along).sum(axis=1) / length
    inner = np.flatnonzero((share > 1e-9) & (share < 1 - 1e-9))
    return _cut(start, end, ring, inner, start[inner] + share[inner, None] * along[inner])


def _cut(
    start: np.ndarray, end: np.ndarray, ring: np.ndarray, at: np.ndarray, places: np.ndarray
) -> Edges:
    """Put places into the edges ``at``."""
    return (
        np.insert(start, at + 1, places, axis=0),
        np.insert(end, at, places, axis=0),
        np.insert(ring, at, ring[at]),
    )


def refined(
    start: np.ndarray,
    end: np.ndarray,
    ring: np.ndarray,
    drawn: Callable[[np.ndarray], np.ndarray],
    away: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray],
) -> Edges:
    """Cut edges until straight lines on the map are near to them.

    Parameters
    ----------
    start, end : (m, 2) arrays
        Of edges in the plane.
    ring : (m,) int array
        Which ring an edge belongs to.
    drawn : callable
        From the plane to the map.
    away : callable
        How far the middle of an edge is from where a straight line on the map has it, in
        metres; takes both ends and the middle, on the map.

    Returns
    -------
    start : (k, 2) array
    drawn : (k, 2) array
        The same on the map.
    ring : (k,) int array
    """
    length = np.hypot(*(end - start).T)
    near = np.maximum(_NEAR_M, _NEAR_SHARE * length)
    for _ in range(_ROUNDS):
        middle = (start + end) / 2
        far = np.flatnonzero(away(drawn(start), drawn(end), drawn(middle)) > near)
        if len(far) == 0:
            break
        start, end, ring = _cut(start, end, ring, far, middle[far])
        near = np.insert(near, far, near[far])
    return start, drawn(start), ring


def off_on_globe(start: np.ndarray, end: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Metres between a place and the middle of a straight line in degrees, as the crow flies."""
    step = end[:, 0] - start[:, 0]
    step -= 360.0 * np.floor((step + 180.0) / 360.0)
    drawn = np.column_stack([start[:, 0] + step / 2, (start[:, 1] + end[:, 1]) / 2])
    return _RADIUS_M * np.sqrt(((_directions(drawn) - _directions(middle)) ** 2).sum(axis=1))


def _directions(lonlat: np.ndarray) -> np.ndarray:
    lon, lat = np.radians(lonlat.T)
    return np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
