# SPDX-License-Identifier: GPL-2.0-or-later
"""Adaptive Voronoi masking: to the nearest edge of a Voronoi cell or of an area with enough people.

Polzin, F. and Kounadi, O. (2021). Adaptive Voronoi masking: a method to protect confidential
discrete spatial data. *GIScience 2021*, LIPIcs 208, II, 1:1-1:17, doi
10.4230/LIPIcs.GIScience.2021.II.1.

Areas with at least K people are made before, by adaptive areal elimination. A place that is alone
in its area goes to a random one in it. Each other goes to the nearest of two: the edge of its cell
in the Voronoi diagram of all places that are not alone, and the border of its area. From there it
goes to the nearest street crossing, where crossings are given.

The cells' nearest edge stands halfway to the nearest neighbour (:mod:`.voronoi`); where that
midpoint lies in another area, the border is nearer, and the place goes there. The diagram is that
of all areas together, as in the authors' program: cells are not made for each area of its own.

Ours: records at one place count as one and move together; what would be released where it is (a
place on a border or on a crossing) is withheld. The nearest crossing can lie in another area, and
then fewer than K people may explain the point; ``keep_inside`` takes the nearest one in the area,
and withholds places in areas that have none.

**What it does not protect.** Where a place goes hangs on who else is in the file. When the file
grows, neighbours come nearer and places move again: from two such releases one can tell more than
from each. Those that were released before can stay where they were put (``before``). Without
crossings the mask can be undone: a place on a border came from the foot of a perpendicular, and
where two cells meet halfway, from half the distance between two addresses
(:mod:`..attacks.voronoi.reversal`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, chunks, silent, weighted
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, number_of
from ..space.inside import Trapezoids
from ..space.points import as_points, nearest_neighbours, places
from ..space.sites import Sites
from .kept_draws import KeptDraws

#: What became of a point (the codes of :attr:`AdaptiveVoronoi.kind`).
MOVED, NO_AREA, NO_CROSSING, UNMOVED = 0, 1, 2, 3
#: Which way it went (the codes of :attr:`AdaptiveVoronoi.way`).
EDGE, BORDER, ALONE, KEPT = 0, 1, 2, 3
#: Who moves by less (m) is not moved: a projection there and back is no truer.
LEAST_SHIFT_M = 1e-3
_ROWS = 4_096


@dataclass(frozen=True, repr=False)
class AdaptiveVoronoi(Summarised):
    """Masked points, in the order of the originals.

    Attributes
    ----------
    xy : (n, 2) array
        Masked coordinates; not a number where a point is withheld.
    kind : (n,) int8 array
        ``MOVED``. Withheld: ``NO_AREA``, it lies in no area; ``NO_CROSSING``, its area has none;
        ``UNMOVED``, it would be released where it is.
    way : (n,) int8 array
        ``EDGE`` of a cell, ``BORDER`` of its area, ``ALONE`` in it, or ``KEPT`` from an earlier
        release; of no meaning where a point lies in no area.
    outside : (n,) bool array
        Whether the point was released outside of its area.
    shift : (n,) array
        Distance moved, metres.
    """

    xy: np.ndarray
    kind: np.ndarray
    way: np.ndarray
    outside: np.ndarray
    shift: np.ndarray

    @property
    def withheld(self) -> np.ndarray:
        """Whether each point is withheld."""
        return self.kind != MOVED

    def in_words(self) -> str:
        """Say how many points moved, and how far in the middle."""
        moved = self.shift[~self.withheld]
        middle = f"; median shift {np.median(moved):,.3g} m" if len(moved) else ""
        return (
            f"Adaptive Voronoi mask of {number_of(len(self.xy), 'point', 'points')}:"
            f" {len(moved):,} moved, {len(self.xy) - len(moved):,} withheld{middle}."
        )


def adaptive_voronoi(
    xy: np.ndarray,
    areas: Sequence[Any],
    area: np.ndarray,
    secret: bytes,
    mask: str,
    crossings: np.ndarray | None = None,
    keep_inside: bool = False,
    stored: np.ndarray | None = None,
    before: np.ndarray | None = None,
    progress: Progress = silent,
) -> AdaptiveVoronoi:
    """Move points as the module tells.

    Parameters
    ----------
    xy : (n, 2) array
        In a plane in metres.
    areas : sequence of shapely polygons
        That do not overlap, each with enough people.
    area : (n,) int array
        Area of each point, below zero for none.
    secret : bytes
        See :func:`.kept_draws.read_secret`; for places that are alone in their area.
    mask : str
        The mask's id.
    crossings : (c, 2) array, optional
        In the plane. None releases points on edges and borders.
    keep_inside : bool
        Whether only crossings in the point's own area count.
    stored : (n, 2) array, optional
        Coordinates as they are stored, by which a place is known again; ``xy`` where not given.
    before : (n, 2) array, optional
        Where points were put by an earlier release, and stay: see :mod:`.kept_places`. Not a number
        for the others.
    progress : callable

    Returns
    -------
    AdaptiveVoronoi

    Raises
    ------
    InputError
        If coordinates are not finite, crossings are given but there is none, or there is not one
        area for each point.
    """
    xy = as_points(xy)
    stored = xy if stored is None else as_points(stored)
    if len(area) != len(xy) or len(stored) != len(xy):
        raise InputError(
            "There must be one place and one area for each of the {points}.",
            points=number_of(len(xy), "point", "points"),
        )
    if crossings is not None:
        crossings = places(as_points(crossings, Sentence("crossings"))).xy
        if not len(crossings):
            raise InputError(
                "The streets have no crossing: nowhere do three of them meet. Give streets that"
                " are joined, or points as crossings."
            )
    found = places(stored)
    row = np.empty(len(found.xy), dtype=np.intp)
    row[found.of_point] = np.arange(len(xy))
    geos = shapely()
    shapes = np.empty(len(areas), dtype=object)
    shapes[:] = list(areas)
    draws = KeptDraws(secret, f"{mask} inside")
    job = _Job(xy[row], found.xy, np.asarray(area, dtype=np.intp)[row], shapes)
    steps = weighted(progress, 6, 3, 1)
    masked, way, kind = job.moved(draws, next(steps))
    if crossings is not None:
        to, there = Crossings.of(crossings, shapes if keep_inside else None), kind == MOVED
        goal = np.full(len(masked), -1)
        goal[there] = to.nearest(masked[there], job.area[there], next(steps))
        masked = np.where(goal[:, None] < 0, np.nan, crossings[goal])
        kind[(kind == MOVED) & np.isnan(masked[:, 0])] = NO_CROSSING
    kind[(kind == MOVED) & (np.hypot(*(masked - job.xy).T) < LEAST_SHIFT_M)] = UNMOVED
    if before is not None:
        stays = ~np.isnan(before[row, 0])
        masked[stays], way[stays], kind[stays] = before[row][stays], KEPT, MOVED
    masked[kind != MOVED] = np.nan
    outside = np.zeros(len(masked), dtype=bool)
    told = np.flatnonzero((kind == MOVED) & (job.area >= 0))
    for rows in chunks(len(told), _ROWS, next(steps) if crossings is not None else silent):
        own = shapes[job.area[told[rows]]]
        # On a border is not outside, and a foot there is true to the last digits only.
        away = geos.distance(own, geos.points(masked[told[rows]]))
        outside[told[rows]] = away > LEAST_SHIFT_M
    progress(1.0)
    of = found.of_point
    gap = masked[of] - xy
    return AdaptiveVoronoi(masked[of], kind[of], way[of], outside[of], np.hypot(*gap.T))


@dataclass(frozen=True, eq=False)
class _Job:
    """Different places, with their areas."""

    xy: np.ndarray
    stored: np.ndarray
    area: np.ndarray
    shapes: np.ndarray

    def moved(
        self, draws: KeptDraws, progress: Progress
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places on edges and borders, or drawn, before crossings; the way each went; its kind."""
        masked = np.full(self.xy.shape, np.nan)
        way = np.full(len(self.xy), EDGE, dtype=np.int8)
        kind = np.where(self.area >= 0, MOVED, NO_AREA).astype(np.int8)
        inside = np.flatnonzero(self.area >= 0)
        count = np.bincount(self.area[inside], minlength=len(self.shapes))
        alone = inside[count[self.area[inside]] == 1]
        others = inside[count[self.area[inside]] > 1]
        way[alone] = ALONE
        steps = weighted(progress, 1, 1, 4)
        uniform = draws.uniforms(self.stored[alone], np.empty((len(alone), 0)), 0)
        told = next(steps)
        for at, one in enumerate(alone):
            told(at / len(alone))
            shape = self.shapes[self.area[one]]
            masked[one] = Trapezoids.of(shape).draw(uniform[at : at + 1, :3])[0]
        if len(others):
            neighbour, gap = nearest_neighbours(self.xy[others], next(steps))
            masked[others] = (self.xy[others] + self.xy[others[neighbour]]) / 2
            own = self.area[others]
            foot, away = nearest_border(self.xy[others], own, self.shapes, next(steps))
            nearer = away < gap / 2
            masked[others[nearer]] = foot[nearer]
            way[others[nearer]] = BORDER
        progress(1.0)
        return masked, way, kind


def nearest_border(
    xy: np.ndarray, area: np.ndarray, shapes: np.ndarray, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """Nearest place on the border of each one's area, and how far it is.

    Parameters
    ----------
    xy : (n, 2) array
    area : (n,) int array
        Area of each place.
    shapes : (a,) array of shapely polygons
    progress : callable

    Returns
    -------
    foot : (n, 2) array
    away : (n,) array
    """
    geos = shapely()
    foot = np.empty((len(xy), 2))
    done = 0
    for one in np.unique(area):
        own = np.flatnonzero(area == one)
        border = geos.boundary(shapes[one])
        geos.prepare(border)
        for some in chunks(len(own), _ROWS):
            progress(done / len(xy))
            line = geos.shortest_line(border, geos.points(xy[own[some]]))
            foot[own[some]] = geos.get_coordinates(line)[::2]
            done += some.stop - some.start
    return foot, np.hypot(*(foot - xy).T)


@dataclass(frozen=True, eq=False)
class Crossings:
    """Where places go that are taken to the nearest crossing; made by :meth:`of`.

    Attributes
    ----------
    xy : (c, 2) array
        Distinct.
    shapes : (a,) array of shapely polygons or None
        The areas, where only crossings in the own one count.
    """

    xy: np.ndarray
    shapes: np.ndarray | None
    _of_area: dict[int, np.ndarray]
    _sites: dict[int, Sites] = field(default_factory=dict)

    @classmethod
    def of(cls, xy: np.ndarray, shapes: np.ndarray | None = None) -> Crossings:
        """Take crossings, of all areas or, with shapes, of each by itself."""
        found: dict[int, np.ndarray] = {}
        if shapes is not None:
            area, row = shapely().STRtree(shapely().points(xy)).query(shapes, "intersects")
            order = np.argsort(area, kind="stable")
            ends = np.searchsorted(area[order], np.arange(1, len(shapes)))
            found = dict(enumerate(np.split(row[order], ends)))
        return cls(xy, shapes, found)

    def nearest(self, xy: np.ndarray, area: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Row of the crossing for each place, (n,) int; -1 where its area has none.

        Parameters
        ----------
        xy : (n, 2) array
        area : (n,) int array
            Area of each place, at least 0.
        progress : callable
        """
        if self.shapes is None:
            return self._asked(-1).nearest(xy, progress)[0]
        if len(xy) and (area == area[0]).all():
            return self._inside(int(area[0]), xy)
        found = np.empty(len(xy), dtype=np.int64)
        order = np.argsort(area, kind="stable")
        used, start = np.unique(area[order], return_index=True)
        for at, (one, rows) in enumerate(zip(used.tolist(), np.split(order, start[1:]))):
            progress(at / len(used))
            found[rows] = self._inside(one, xy[rows])
        return found

    def _inside(self, area: int, xy: np.ndarray) -> np.ndarray:
        """The same for places of one area."""
        there = self._of_area[area]
        if not len(there):
            return np.full(len(xy), -1, dtype=np.int64)
        return there[self._asked(area).nearest(xy)[0]]

    def _asked(self, area: int) -> Sites:
        """Crossings of an area, -1 for all, as they are asked for; kept for the next time."""
        if area not in self._sites:
            self._sites[area] = Sites(self.xy if area < 0 else self.xy[self._of_area[area]])
        return self._sites[area]
