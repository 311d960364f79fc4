# SPDX-License-Identifier: GPL-2.0-or-later
"""The window of a point pattern: the polygon in which points could have been observed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..masking.zones import Zones, checked_shapes
from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, chunks, interruptible, silent
from ..runtime.results import Summarised
from ..runtime.wording import mark
from ..space.inside import Trapezoids
from ..space.points import as_points, convex_hull

_ROWS = 8_192
_NO_HULL = mark(
    "The points have no area of their own: there are fewer than three places, or all lie on a"
    " line. Give the area that they come from."
)


@dataclass(frozen=True, eq=False, repr=False)
class Window(Summarised):
    """A polygon of the plane, made by :meth:`of` or :meth:`around`.

    Attributes
    ----------
    shape : shapely polygon, prepared
        Holes and several parts may be.
    area : float
        In square units of the plane.
    bounds : (4,) array
        Least x and y, largest x and y.
    drawn_around_points : bool
        Whether nobody gave it: it is the widened hull of points.
    """

    shape: Any
    area: float
    bounds: np.ndarray
    drawn_around_points: bool
    _zones: Zones
    #: What was measured once and is asked for again, by :mod:`.edge_correction`.
    kept: dict[Any, Any] = field(default_factory=dict)

    def in_words(self) -> str:
        """Say how large it is."""
        return f"Window of {self.area:,.4g} square units."

    @classmethod
    def of(cls, shapes: Sequence[Any], drawn_around_points: bool = False) -> Window:
        """The union of polygons.

        Parameters
        ----------
        shapes : sequence of shapely polygons
            In the plane of the points. They may overlap.
        drawn_around_points : bool

        Returns
        -------
        Window

        Raises
        ------
        InputError
            If one has no area, or crosses itself.
        """
        zones = Zones.of([shapely().union_all(checked_shapes(shapes))])
        shape = zones.shapes[0]
        geos = shapely()
        return cls(shape, float(geos.area(shape)), geos.bounds(shape), drawn_around_points, zones)

    @classmethod
    def around(cls, xy: np.ndarray) -> Window:
        """The convex hull of points, widened so that its area is right on average.

        The hull of n points, m of them at its corners, is stretched about its centroid by
        1 / sqrt(1 - m / n), at most to twice its area.

        Parameters
        ----------
        xy : (n, 2) array

        Returns
        -------
        Window

        Raises
        ------
        InputError
            If the hull has no size.

        References
        ----------
        Ripley & Rasson (1977), Finding the edge of a Poisson forest, Journal of Applied
        Probability 14: 483-491.
        """
        geos, xy = shapely(), as_points(xy)
        ring = convex_hull(xy)
        if len(ring) < 3:
            raise InputError(_NO_HULL)
        hull = geos.polygons(ring)
        middle = geos.get_coordinates(geos.centroid(hull))[0]
        size = float(np.ptp(ring, axis=0).max())
        if not geos.area(hull) > 1e-12 * size * size:
            raise InputError(_NO_HULL)
        wider = 1.0 / np.sqrt(1.0 - min(0.5, len(ring) / len(xy)))
        return cls.of([geos.polygons(middle + wider * (ring - middle))], True)

    @property
    def edges(self) -> np.ndarray:
        """Edges, x and y of both ends, the window on their left, (e, 4)."""
        return self._zones.edges

    @cached_property
    def is_box(self) -> bool:
        """Whether it is a rectangle along the axes."""
        geos = shapely()
        return bool(self.area >= geos.area(geos.envelope(self.shape)) * (1 - 1e-12))

    def contains(self, xy: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Whether points lie in it or on its border, (n,) bool."""
        geos, inside = shapely(), np.empty(len(xy), dtype=bool)
        for rows in chunks(len(xy), _ROWS, progress):
            inside[rows] = geos.intersects_xy(self.shape, xy[rows, 0], xy[rows, 1])
        return inside

    def to_border(self, xy: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Distances of points to the border, (n,)."""
        geos, away = shapely(), np.empty(len(xy))
        tree = interruptible(lambda: self._zones.tree(0), progress)
        for rows in chunks(len(xy), _ROWS, progress):
            points = geos.points(xy[rows])
            _, found = tree.query_nearest(points, return_distance=True, all_matches=False)
            away[rows] = found
        return away

    def near_edges(self, xy: np.ndarray, reach: float) -> tuple[np.ndarray, np.ndarray]:
        """Pairs of a point and an edge within ``reach``: rows of ``xy`` and of :attr:`edges`."""
        return self._zones.near(xy, np.zeros(len(xy), dtype=np.intp), np.full(len(xy), reach))

    def draw(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Draw points independent and uniform by area, (count, 2)."""
        # Neither end of the unit interval may be drawn.
        return self._trapezoids.draw(rng.uniform(np.finfo(float).tiny, 1.0, (count, 3)))

    @cached_property
    def _trapezoids(self) -> Trapezoids:
        return Trapezoids.of(self.shape)
