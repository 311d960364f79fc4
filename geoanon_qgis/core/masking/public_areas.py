# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas that places are aggregated to, and how many people or addresses public data count in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, chunks, part, silent
from ..runtime.wording import Sentence
from ..space.inside import Trapezoids
from ..space.points import as_points
from .kept_draws import KeptDraws
from .lattice import Lattice
from .merging import in_order, merge_zones
from .zones import checked_shapes, zone_of

#: Pairs of polygons that are looked at in one go.
_PAIRS = 256
#: Counts are rounded to so many digits: a zone that holds 20 by its own polygon must hold 20.
_DIGITS = 6


@dataclass(frozen=True, eq=False)
class Population:
    """Numbers of people, dwellings or addresses from public data, made by one of two methods.

    Attributes
    ----------
    where : (p,) array of shapely points or polygons
    number : (p,) array
    """

    where: np.ndarray
    number: np.ndarray

    @classmethod
    def at_points(cls, xy: np.ndarray, number: np.ndarray | None = None) -> Population:
        """Numbers at points, one each where none are given.

        Raises
        ------
        InputError
            If a number is negative or none, or coordinates are not finite.
        """
        xy = as_points(xy, Sentence("points of the population"))
        number = np.ones(len(xy)) if number is None else np.asarray(number, dtype=np.float64)
        return cls(shapely().points(xy), _checked_numbers(number, len(xy)))

    @classmethod
    def in_polygons(cls, shapes: Sequence[Any], number: np.ndarray) -> Population:
        """Numbers in polygons, inside of which people are taken to live evenly spread.

        Raises
        ------
        InputError
            If a polygon is none, or a number is negative or none.
        """
        return cls(checked_shapes(shapes), _checked_numbers(np.asarray(number), len(shapes)))

    @property
    def is_points(self) -> bool:
        """Whether the numbers are those of points."""
        return len(self.where) == 0 or bool(shapely().get_type_id(self.where[0]) == 0)

    def within(self, shapes: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Number in each of some polygons.

        A point on a border, or in several polygons, counts in one of them (:func:`.zone_of`). A
        polygon counts by the part of its area that lies inside.

        Parameters
        ----------
        shapes : (a,) array of valid shapely polygons
        progress : callable

        Returns
        -------
        (a,) array
        """
        if self.is_points:
            at = zone_of(shapely().get_coordinates(self.where), shapes, progress)
            found = np.bincount(at[at >= 0], self.number[at >= 0], minlength=len(shapes))
        else:
            found = self._shared_out(shapes, progress)
        return np.round(found, _DIGITS)

    def in_cells(self, lattice: Lattice, cells: np.ndarray, progress: Progress) -> np.ndarray:
        """Number in each of some cells, (a, 2) sorted by column, then row."""
        if not self.is_points:
            return self.within(lattice.polygons(cells), progress)
        own = lattice.cells(shapely().get_coordinates(self.where))
        at = row_of_cell(cells, own)
        found = np.bincount(at[at >= 0], self.number[at >= 0], minlength=len(cells))
        progress(1.0)
        return np.round(found, _DIGITS)

    def _shared_out(self, shapes: np.ndarray, progress: Progress) -> np.ndarray:
        geos = shapely()
        whole = geos.area(self.where)
        pairs = geos.STRtree(shapes).query(self.where, predicate="intersects")
        polygon, area = pairs[:, np.lexsort((pairs[0], pairs[1]))]
        found = np.zeros(len(shapes))
        for rows in chunks(len(polygon), _PAIRS, progress):
            one, other = polygon[rows], area[rows]
            common = geos.area(geos.intersection(self.where[one], shapes[other]))
            np.add.at(found, other, self.number[one] * np.minimum(common / whole[one], 1.0))
        return found


def row_of_cell(cells: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Row of each cell that is asked for among sorted ones, -1 for those that are not there."""
    both = np.concatenate([cells, asked])
    _, code = np.unique(both, axis=0, return_inverse=True)
    code = code.reshape(-1)
    row = np.full(int(code.max()) + 1 if len(code) else 0, -1, dtype=np.int64)
    row[code[: len(cells)]] = np.arange(len(cells))
    return row[code[len(cells) :]]


def _checked_numbers(number: np.ndarray, count: int) -> np.ndarray:
    number = np.asarray(number, dtype=np.float64)
    if len(number) != count:
        raise InputError(
            "There are {numbers:,} numbers for {places:,} places of the population.",
            numbers=len(number),
            places=count,
        )
    if not (np.isfinite(number) & (number >= 0)).all():
        raise InputError(
            "Some numbers of the population are negative, missing or no finite numbers; correct"
            " those rows or leave them out."
        )
    return number


@dataclass(frozen=True, eq=False)
class ZoneAreas:
    """Polygons, each one zone or several that were merged; made by one of the methods.

    Attributes
    ----------
    shapes : (a,) array of shapely polygons
    people : (a,) array or None
        Number that public data count in each; None where no data were given.
    zones : (a,) int array
        Zones that make up each.
    apart : (a,) bool array
        Whether a zone without a neighbour was joined over a gap.
    """

    shapes: np.ndarray
    people: np.ndarray | None
    zones: np.ndarray
    apart: np.ndarray
    _zone_shapes: np.ndarray
    _area_of_zone: np.ndarray

    @classmethod
    def of_zones(
        cls,
        shapes: Sequence[Any],
        population: Population | None = None,
        progress: Progress = silent,
    ) -> ZoneAreas:
        """Take zones as they are, in an order of their own.

        Raises
        ------
        InputError
            If a zone has no area, or crosses itself.
        """
        ordered = _ordered(shapes)
        people = None if population is None else population.within(ordered, progress)
        one = np.ones(len(ordered), dtype=np.int64)
        own = np.arange(len(ordered))
        return cls(ordered, people, one, np.zeros(len(ordered), dtype=bool), ordered, own)

    @classmethod
    def merged(
        cls,
        shapes: Sequence[Any],
        population: Population,
        least: float,
        progress: Progress = silent,
    ) -> ZoneAreas:
        """Merge zones until each area holds enough: :func:`.merging.merge_zones`.

        Raises
        ------
        InputError
            If a zone has no area or crosses itself, or all together hold too few.
        """
        geos, ordered = shapely(), _ordered(shapes)
        people = population.within(ordered, part(progress, 0.0, 0.4))
        done = merge_zones(ordered, people, least, part(progress, 0.4, 0.9))
        zones = np.bincount(done.area)
        whole = np.empty(len(zones), dtype=object)
        parts = np.split(np.argsort(done.area, kind="stable"), np.cumsum(zones)[:-1])
        for rows in chunks(len(zones), 64, part(progress, 0.9, 1.0)):
            for area in range(rows.start, rows.stop):
                whole[area] = geos.union_all(ordered[parts[area]])
        number = np.round(np.bincount(done.area, people), _DIGITS)
        return cls(geos.normalize(whole), number, zones, done.apart, ordered, done.area)

    def __len__(self) -> int:
        return len(self.shapes)

    def locate(self, xy: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Area of each point, (n,) int64; -1 outside of all."""
        zone = zone_of(xy, self._zone_shapes, progress)
        return np.where(zone >= 0, self._area_of_zone[zone], -1)

    def size(self, rows: np.ndarray) -> np.ndarray:
        """Area of some, in square units of the plane."""
        return shapely().area(self.shapes[rows])

    def centres(self, rows: np.ndarray) -> np.ndarray:
        """Centre of some areas: the centroid, or a point on the surface where that lies outside."""
        geos = shapely()
        shapes = self.shapes[rows]
        centre = geos.centroid(shapes)
        outside = ~geos.contains(shapes, centre)
        centre[outside] = geos.point_on_surface(shapes[outside])
        return geos.get_coordinates(centre)

    def draw(
        self, rows: np.ndarray, stored: np.ndarray, draws: KeptDraws, progress: Progress
    ) -> np.ndarray:
        """Draw a point of each area, uniform by area, by the numbers kept for places, (n, 2)."""
        uniform = draws.uniforms(stored, np.empty((len(stored), 0)), 0)
        drawn = np.empty((len(rows), 2))
        order = np.argsort(rows, kind="stable")
        first = np.flatnonzero(np.diff(rows[order], prepend=-1))
        for number, own in enumerate(np.split(order, first[1:]) if len(rows) else ()):
            progress(number / len(first))
            drawn[own] = Trapezoids.of(self.shapes[rows[own[0]]]).draw(uniform[own, :3])
        progress(1.0)
        return drawn

    def polygons(self, rows: np.ndarray) -> np.ndarray:
        """Some areas, as shapely polygons."""
        return self.shapes[rows]


@dataclass(frozen=True, eq=False)
class CellAreas:
    """Cells of a lattice in which points lie; made by :meth:`of`.

    Attributes
    ----------
    lattice : Lattice
    cells : (a, 2) int64 array
        Column and row, sorted.
    people : (a,) array or None
        As in :class:`ZoneAreas`.
    """

    lattice: Lattice
    cells: np.ndarray
    people: np.ndarray | None

    @classmethod
    def of(
        cls,
        lattice: Lattice,
        xy: np.ndarray,
        population: Population | None = None,
        progress: Progress = silent,
    ) -> CellAreas:
        """Find the cells of some points. Nothing else of a cell depends on these."""
        cells = np.unique(lattice.cells(xy), axis=0)
        people = None if population is None else population.in_cells(lattice, cells, progress)
        return cls(lattice, cells, people)

    def __len__(self) -> int:
        return len(self.cells)

    def locate(self, xy: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Row of the cell of each point, (n,) int64; -1 for cells in which no point lay."""
        found = row_of_cell(self.cells, self.lattice.cells(xy))
        progress(1.0)
        return found

    def size(self, rows: np.ndarray) -> np.ndarray:
        """Area of some, in square units of the plane."""
        return np.full(len(rows), self.lattice.side**2)

    def centres(self, rows: np.ndarray) -> np.ndarray:
        """Centre of some cells, (n, 2)."""
        return self.lattice.centres(self.cells[rows])

    def draw(
        self, rows: np.ndarray, stored: np.ndarray, draws: KeptDraws, progress: Progress
    ) -> np.ndarray:
        """Draw a point of each cell, uniform by area, by the numbers kept for places, (n, 2)."""
        uniform = draws.uniforms(stored, np.empty((len(stored), 0)), 0, progress)
        return self.lattice.draw(self.cells[rows], uniform[:, :3])

    def polygons(self, rows: np.ndarray) -> np.ndarray:
        """Some cells, as shapely polygons."""
        return self.lattice.polygons(self.cells[rows])


def _ordered(shapes: Sequence[Any]) -> np.ndarray:
    """Zones that were checked, normalized and in the order of :func:`.merging.in_order`."""
    checked = shapely().normalize(checked_shapes(shapes))
    return checked[in_order(checked)]
