# SPDX-License-Identifier: GPL-2.0-or-later
"""Study areas: polygons in which points are drawn uniformly by area on the ground."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, interruptible, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, mark
from .bounds import held
from .planes import Plane, equal_area_plane, stored_plane
from .points import as_points, convex_hull
from .rings import Within

#: Edges are laid out in the plane in pieces of about this length (m) ...
_PIECE_M = 2000.0
#: ... or longer ones, so that no more are added than so many.
_PIECES = 100_000
#: How curved a straight line of the system may be in the plane, times the Earth's radius,
#: where the tangent of the latitude is small: meridians and parallels, conic and Mercator grids.
_CURVATURE = 3.0
_RADIUS_M = 6.3e6
#: Drawing gets no better with cells that the area fills by more than this share ...
_FILLED = 0.6
#: ... or with more cells on its border, or smaller ones than this part of the extent.
_CELLS = 50_000
_LEVELS = 40
#: Points drawn in one go.
_DRAWN = 50_000
#: So many times in a row none may lie in the area. By chance that does not happen; but what is
#: less than a millimetre wide is missed by all, since projections are not truer than that.
_MISSES = 100
_NO_HULL = mark(
    "The convex hull of the points cannot be laid out: they lie around a pole, on more than half"
    " of the globe, or outside what their coordinate reference system can hold. Correct places"
    " that lie far from all others, or give an area."
)


class NoSize(InputError):
    """An area or a hull has no inside."""


@dataclass(frozen=True, eq=False, repr=False)
class StudyArea(Summarised):
    """An area on the ground, made by :meth:`of_rings` or :meth:`convex_hull`.

    Attributes
    ----------
    plane : Plane
        Equal-area plane in which points are drawn.
    rings : tuple of (m, 2) arrays
        Rings in stored coordinates, without the repeated last vertex; longitudes run on
        across the antimeridian where a ring crosses it.
    area : float
        Square metres on the ground; square units where nothing is known of the coordinates.
    wkt : str or None
        Coordinate reference system of the rings, as it was given.
    """

    plane: Plane
    rings: tuple[np.ndarray, ...]
    area: float
    wkt: str | None
    _within: Within
    #: Pieces of the border in the plane, (p, 5): both ends, and how far it may leave their line.
    _pieces: np.ndarray

    def in_words(self) -> str:
        """Say how large it is."""
        if self.wkt is None:
            return f"Study area of {self.area:,.4g} square units."
        return f"Study area of {self.area / 1e6:,.4g} km²."

    @classmethod
    def of_rings(
        cls, rings: list[np.ndarray], wkt: str | None, progress: Progress = silent
    ) -> StudyArea:
        """The area within rings, by the even-odd rule: holes and parts in any order.

        An edge is straight in the coordinates' own system, as a map in that system shows it.
        In degrees, an edge that spans more than half a turn runs the other way round, across
        the antimeridian; one that spans a whole turn (from -180 to 180) is taken as it is.
        Rings must not cross themselves or each other: where polygons overlap, dissolve them
        first, or what two of them cover counts as outside.

        Parameters
        ----------
        rings : list of (m, 2) arrays
            Stored coordinates; the last vertex may repeat the first.
        wkt : str or None
            Coordinate reference system of the rings.
        progress : callable
            Asked whether to go on; a million vertices take some seconds.

        Returns
        -------
        StudyArea

        Raises
        ------
        InputError
            If there is no ring, if coordinates are not finite, if the area has no size, spans
            more than half of the globe, or runs around a pole without touching it.
        """
        return interruptible(lambda: cls._of_rings(rings, wkt), progress)

    @classmethod
    def _of_rings(cls, rings: list[np.ndarray], wkt: str | None) -> StudyArea:
        plane = stored_plane(wkt)
        turn = _turn(plane)
        rings = [as_points(ring, Sentence("vertices of the area")) for ring in rings]
        opened = [ring for ring in (_opened(ring, turn) for ring in rings) if len(ring) >= 3]
        if not opened:
            raise NoSize("The area has no size. Give polygons with an inside.")
        too_large = mark(
            "The area cannot be laid out in a plane: it spans more than half of the globe, or some"
            " of its vertices lie outside what the coordinate reference system can hold. Give a"
            " smaller area, or check its system."
        )
        if not held(np.concatenate(rings), wkt).all():
            raise InputError(too_large)
        if turn and any(_share_of_globe(ring, turn) > 0.5 for ring in opened):
            raise InputError(too_large)
        pieces = opened
        if plane.kind in _ON_EARTH:
            unit_m = plane.stored_unit_m()
            around = sum(float(np.hypot(*_edges(ring).T).sum()) for ring in opened) * unit_m
            piece = max(_PIECE_M, around / _PIECES) / unit_m
            pieces = [_subdivided(ring, piece) for ring in opened]
        vertices = np.concatenate(pieces)
        plane = equal_area_plane(vertices, wkt)
        try:
            corners = plane.forward(vertices)
        except InputError as error:
            raise InputError(too_large) from error
        laid_out = np.split(corners, np.cumsum([len(some) for some in pieces])[:-1])
        within = Within.of_rings(opened, turn)
        sizes = np.array([abs(_signed_area(ring)) for ring in laid_out])
        area = float((1 - 2 * (within.depth % 2)) @ sizes)
        if not area > 1e-14 * np.ptp(corners, axis=0).max() ** 2:
            raise NoSize("The area has no size. Give polygons with an inside.")
        after = np.concatenate([np.roll(ring, -1, axis=0) for ring in laid_out])
        bend = _bend(corners, after, vertices, plane)
        border = np.column_stack([corners, after, bend])
        return cls(plane, tuple(opened), area * plane.metres_per_unit**2, wkt, within, border)

    @classmethod
    def convex_hull(cls, xy: np.ndarray, wkt: str | None) -> StudyArea:
        """The convex hull of points, in the coordinates' own system.

        Longitudes are taken around the middle of the points, so that the antimeridian is no
        border to the hull.

        Parameters
        ----------
        xy : (n, 2) array
            Stored coordinates.
        wkt : str or None

        Returns
        -------
        StudyArea

        Raises
        ------
        InputError
            If the hull has no size (fewer than three places, or all on a line), and as
            :meth:`of_rings` does.
        """
        xy = as_points(xy)
        if not held(xy, wkt).all():
            raise InputError(_NO_HULL)
        turn = _turn(stored_plane(wkt))
        if turn and len(xy):
            angle = 2 * np.pi * xy[:, 0] / turn
            middle = np.arctan2(np.sin(angle).mean(), np.cos(angle).mean()) * turn / (2 * np.pi)
            shifted = xy[:, 0] - turn * np.rint((xy[:, 0] - middle) / turn)
            xy = np.column_stack([shifted, xy[:, 1]])
        no_size = mark(
            "The convex hull of the points has no size (fewer than three places, or all of them"
            " on a line). Give an area."
        )
        ring = convex_hull(xy)
        if len(ring) < 3:
            raise InputError(no_size)
        try:
            return cls.of_rings([ring], wkt)
        except InputError as error:
            # What is said of a polygon somebody drew would not help here.
            raise InputError(no_size if isinstance(error, NoSize) else _NO_HULL) from error

    def contains(self, xy: np.ndarray) -> np.ndarray:
        """Which points lie in the area or on its border, as a bool array of length n.

        Parameters
        ----------
        xy : (n, 2) array
            Stored coordinates; what is not finite is outside.
        """
        return self._within.contains(np.asarray(xy, dtype=np.float64))

    def sample(
        self, count: int, rng: np.random.Generator, progress: Progress = silent
    ) -> np.ndarray:
        """Draw points independent and uniform by area on the ground.

        Parameters
        ----------
        count : int
        rng : numpy.random.Generator
        progress : callable

        Returns
        -------
        (count, 2) array
            Stored coordinates.

        Raises
        ------
        InputError
            If the area is so thin that no point can be told to lie in it.
        """
        corner, size = interruptible(lambda: self._cells, progress)
        ends = np.cumsum(size * size)
        filled = min(1.0, self.area / (ends[-1] * self.plane.metres_per_unit**2))
        found = np.empty((count, 2))
        have = misses = 0
        while have < count:
            progress(have / count)
            if misses == _MISSES:
                raise InputError(
                    "The area is too thin or too small to draw points in it: less than a"
                    " millimetre wide. Give a larger one."
                )
            tries = min(_DRAWN, int((count - have) / max(filled, 1e-4) * 1.05) + 16)
            cell = np.searchsorted(ends, rng.random(tries) * ends[-1], side="right")
            cell = np.minimum(cell, len(ends) - 1)
            drawn = corner[cell] + rng.random((tries, 2)) * size[cell, None]
            drawn = self.plane.inverse(drawn)
            drawn = drawn[self.contains(drawn)][: count - have]
            found[have : have + len(drawn)] = drawn
            have += len(drawn)
            misses = 0 if len(drawn) else misses + 1
        progress(1.0)
        return found

    @cached_property
    def _cells(self) -> tuple[np.ndarray, np.ndarray]:
        """Squares of the plane that cover the area and little else: corners and sizes.

        A quadtree, refined where the border runs until the area fills most of it. So parts
        far from each other, and thin ones, cost few points that are drawn in vain.
        """
        border = self._pieces
        reach = border[:, 4:]
        low = (np.minimum(border[:, :2], border[:, 2:4]) - reach).min(axis=0)
        high = (np.maximum(border[:, :2], border[:, 2:4]) + reach).max(axis=0)
        step = float((high - low).max()) * (1 + 1e-9)
        corner = (low + high - step)[None, :] / 2
        cell, piece = np.zeros(len(border), dtype=np.intp), np.arange(len(border))
        inner_corner, inner_size = [np.empty((0, 2))], [np.empty(0)]
        wanted = self.area / self.plane.metres_per_unit**2
        covered = 0.0
        for _ in range(_LEVELS):
            if wanted >= _FILLED * (covered + len(corner) * step**2) or len(corner) > _CELLS:
                break
            step /= 2
            children = (corner[:, None, :] + step * _QUARTERS).reshape(-1, 2)
            touched = []
            for quarter in range(4):
                child = 4 * cell + quarter
                meets = _meets(border[piece], children[child], step)
                touched.append((child[meets], piece[meets]))
            cell = np.concatenate([some for some, _ in touched])
            piece = np.concatenate([some for _, some in touched])
            on_border = np.zeros(len(children), dtype=bool)
            on_border[cell] = True
            free = children[~on_border]
            inside = free[self.contains(self.plane.inverse(free + step / 2))]
            inner_corner.append(inside)
            inner_size.append(np.full(len(inside), step))
            covered += len(inside) * step**2
            corner = children[on_border]
            cell = (np.cumsum(on_border) - 1)[cell]
        corners = np.concatenate([*inner_corner, corner])
        return corners, np.concatenate([*inner_size, np.full(len(corner), step)])


#: Kinds of systems whose coordinates are places on the Earth.
_ON_EARTH = ("geographic", "projected")
_QUARTERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def _turn(plane: Plane) -> float:
    """A whole turn in stored units of longitude; 0 where x is none."""
    return 360.0 / plane.degrees_per_unit if plane.kind == "geographic" else 0.0


def _opened(ring: np.ndarray, turn: float) -> np.ndarray:
    """A ring without repeated vertices, and without jumps across the antimeridian."""
    if len(ring) == 0:
        return ring
    if turn:
        step = np.diff(ring[:, 0], append=ring[0, 0])
        crosses = (np.abs(step) > turn / 2) & (np.abs(step) < turn * (1 - 1e-9))
        shift = np.where(crosses, -turn * np.rint(step / turn), 0.0)
        if abs(shift.sum()) > turn / 2:
            raise InputError(
                "A ring of the area runs around a pole. Draw it up to the pole along the"
                " antimeridian, or give it in a polar projection."
            )
        ring = ring.copy()
        ring[1:, 0] += np.cumsum(shift[:-1])
    keep = (ring != np.roll(ring, 1, axis=0)).any(axis=1)
    return ring[keep]


def _share_of_globe(ring: np.ndarray, turn: float) -> float:
    """Share of a sphere within a ring of degrees, about."""
    height = np.sin(2 * np.pi * np.clip(ring[:, 1] / turn, -0.25, 0.25))
    return abs(_signed_area(np.column_stack([ring[:, 0] / turn, height / 2])))


def _edges(ring: np.ndarray) -> np.ndarray:
    return np.roll(ring, -1, axis=0) - ring


def _subdivided(ring: np.ndarray, piece: float) -> np.ndarray:
    """Cut long edges of a ring into pieces that are nearly straight in any plane."""
    edge = _edges(ring)
    count = np.maximum(1, np.ceil(np.hypot(edge[:, 0], edge[:, 1]) / piece)).astype(np.intp)
    at = np.repeat(np.arange(len(ring)), count)
    nth = np.arange(len(at)) - np.repeat(np.cumsum(count) - count, count)
    return ring[at] + edge[at] * (nth / count[at])[:, None]


def _bend(xy: np.ndarray, after: np.ndarray, stored: np.ndarray, plane: Plane) -> np.ndarray:
    """How far pieces may lie from the straight line of the plane between their ends."""
    if not plane.is_local:
        return np.full(len(xy), 1e-9 * float(np.ptp(xy, axis=0).max()))
    # A straight line of the system is no straight line of the plane, but nearly one.
    latitude = np.clip(np.abs(plane.lonlat(stored)[:, 1]), 0.0, 89.9)
    curvature = (_CURVATURE + np.tan(np.radians(latitude))) / _RADIUS_M
    length = np.hypot(*(after - xy).T)
    return np.minimum(length, curvature * length * length / 4) + 1e-6


def _meets(pieces: np.ndarray, corner: np.ndarray, size: float) -> np.ndarray:
    """Whether pieces may touch squares, row by row."""
    x1, y1, x2, y2, bend = pieces.T
    half = size / 2
    # From the middle of the square; it is apart if it is so along x, y or across the piece.
    x1, x2 = x1 - corner[:, 0] - half, x2 - corner[:, 0] - half
    y1, y2 = y1 - corner[:, 1] - half, y2 - corner[:, 1] - half
    reach = half + bend
    near = (np.minimum(x1, x2) <= reach) & (np.maximum(x1, x2) >= -reach)
    near &= (np.minimum(y1, y2) <= reach) & (np.maximum(y1, y2) >= -reach)
    across = np.abs(x1 * y2 - x2 * y1)
    dx, dy = np.abs(x2 - x1), np.abs(y2 - y1)
    return near & (across * (1 - 1e-9) <= (reach + bend) * (dx + dy))


def _signed_area(ring: np.ndarray) -> float:
    # Around a vertex of its own, so that a small ring far from the centre loses no digits.
    x, y = (ring - ring[0]).T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)
