# SPDX-License-Identifier: GPL-2.0-or-later
"""Distances on the ground: planar, along great circles of a sphere, geodesic on an ellipsoid.

The planar metric measures in a projected system's own coordinates, whatever its scale. The
other two turn stored coordinates into longitude and latitude on the system's own datum first.
All three are metrics, which is what makes a Lipschitz embedding contractive.
"""

from __future__ import annotations

import numpy as np

from ..runtime.errors import InputError
from ..runtime.parallel import run_blocks
from ..runtime.progress import Progress, chunks, silent
from ..runtime.proj_thread import in_proj_thread, of_arrays
from . import chords
from .geodesic_sets import GEODESICS, GeodesicSets
from .neighbours import nearest_by_search
from .planes import Plane, stored_plane, working_plane
from .points import as_points
from .spheres import angles_of, chord_within, obtuse_angles, squared_gaps, unit_vectors

#: Radius of the sphere in the papers of Kroll and Schnell (m).
EARTH_RADIUS_M = 6_371_000.0
METRICS = ("planar", "great_circle", "geodesic")

#: Squared chord of a unit sphere, some 162 degrees, beyond which the arcsine loses digits.
_LONG = 3.9
#: Distances of a matrix computed in one go.
_CELLS = 200_000
_ROWS = 100_000
_ROUNDING = float(np.finfo(float).eps)


class Metric:
    """What the three metrics share. Made by :func:`metric_for`.

    Attributes
    ----------
    name : str
        ``planar``, ``great_circle`` or ``geodesic``.
    unit : str
        ``m``, or ``units`` where nothing is known of the coordinates.
    slack : float
        Bound on the numerical error of a distance, in that unit. See :meth:`slack_at`.
    """

    name: str
    unit: str = "m"
    slack: float

    def __init__(self, plane: Plane):
        self._plane = plane

    def coordinates(self, xy: np.ndarray) -> np.ndarray:
        """Stored coordinates as the metric's own; the other methods take these.

        Parameters
        ----------
        xy : (n, 2) array
            Coordinates as they are stored.

        Returns
        -------
        (n, 2) array
            Longitude and latitude in degrees; for the planar metric what is stored.

        Raises
        ------
        InputError
            If a coordinate is not finite, or none of a place on the Earth.
        """
        xy = as_points(xy)
        lonlat = np.empty(xy.shape)
        for rows in chunks(len(xy), _ROWS):
            lonlat[rows] = self._plane.lonlat(xy[rows])
        if not (np.abs(lonlat[:, 1]) <= 90 + 1e-9).all() or not np.isfinite(lonlat).all():
            raise InputError(
                "Some coordinates lie outside what the coordinate reference system can hold (a"
                " latitude beyond 90 degrees, for example). Check that the layer has been given"
                " the right system."
            )
        np.clip(lonlat[:, 1], -90.0, 90.0, out=lonlat[:, 1])
        return lonlat

    def plane_around(self, xy: np.ndarray) -> Plane:
        """Plane for stored coordinates; see :func:`.planes.working_plane`."""
        return working_plane(xy, self._plane.crs)

    def slack_at(self, *coordinates: np.ndarray) -> float:
        """Bound on the error of a distance between these coordinates."""
        return self.slack

    def between(self, a: np.ndarray, b: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Distances between the points of two arrays, row by row: (n, 2), (n, 2) -> (n,)."""
        raise NotImplementedError

    def rows(self, a: np.ndarray, b: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """All distances from one array to another: (n, 2), (m, 2) -> (n, m)."""
        result = np.empty((len(a), len(b)))
        u, v = self._search_vectors(a), self._search_vectors(b)
        # A set of one member each: the least distance is the distance.
        for some in chunks(len(a), max(1, _CELLS // max(1, len(b))), progress):
            squares = np.zeros((some.stop - some.start, len(b)))
            for axis in range(u.shape[1]):
                gap = u[some, axis, None] - v[:, axis]
                gap *= gap
                squares += gap
            result[some] = self._from_squares(squares, v, u[some, None, :])
        return result

    def nearest_in_sets(
        self, points: np.ndarray, references: np.ndarray, progress: Progress = silent
    ) -> np.ndarray:
        """Distance of every point to the nearest member of every set.

        Parameters
        ----------
        points : (n, 2) array
        references : (d, k, 2) array
            d sets of k points each.
        progress : callable

        Returns
        -------
        (n, d) array
            A transposed view: one set's distances lie together in memory.
        """
        out = np.empty((len(references), len(points)))
        vectors = self._search_vectors(points)
        sets = self._search_vectors(references.reshape(-1, 2))
        sets = sets.reshape(*references.shape[:2], vectors.shape[1])

        def work(block: tuple[slice, slice]) -> None:
            some, rows = block
            out[some, rows] = self._from_squares(
                chords.least_squares(vectors[rows], sets[some]), vectors[rows], sets[some]
            )

        run_blocks(work, chords.set_blocks(references.shape, len(points)), progress)
        return out.T

    def nearest_neighbours(
        self, points: np.ndarray, k: int, progress: Progress = silent
    ) -> tuple[np.ndarray, np.ndarray]:
        """The k nearest other points of every point, the nearest first.

        Ties go to the lower index. Where there are not k other points the result has fewer
        columns: min(k, n - 1).

        Parameters
        ----------
        points : (n, 2) array
        k : int
        progress : callable

        Returns
        -------
        indices : (n, min(k, n - 1)) int array
        distances : (n, min(k, n - 1)) array

        Raises
        ------
        InputError
            If k is below one.
        """
        return nearest_by_search(
            points, k, self._search_vectors, self._search_limit, self.between, progress
        )

    def _search_vectors(self, points: np.ndarray) -> np.ndarray:
        """Vectors whose Euclidean distances order places as the metric does, or nearly so."""
        raise NotImplementedError

    def _search_limit(self, distance: np.ndarray) -> np.ndarray:
        """Euclidean distance beyond which nothing can be nearer than what lies at this one."""
        raise NotImplementedError

    def _from_squares(self, squares, vectors, sets) -> np.ndarray:
        """Distances from least squared distances of search vectors."""
        raise NotImplementedError


class Planar(Metric):
    """Straight lines in the plane of the stored coordinates."""

    name = "planar"

    def __init__(self, plane: Plane):
        super().__init__(plane)
        self.unit = "units" if plane.crs is None else "m"
        # For coordinates as large as those of any place on the Earth.
        self.slack = 16 * _ROUNDING * 1e8 * plane.metres_per_unit

    def coordinates(self, xy: np.ndarray) -> np.ndarray:
        """What is stored, as finite floats."""
        return as_points(xy)

    def slack_at(self, *coordinates: np.ndarray) -> float:
        """The bound grows with coordinates that are larger than any on the Earth."""
        largest = max((float(np.abs(c).max()) for c in coordinates if c.size), default=0.0)
        return max(self.slack, 16 * _ROUNDING * largest * self._plane.metres_per_unit)

    def between(self, a: np.ndarray, b: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Distances row by row."""
        return self._from_squares(squared_gaps(a, b), None, None)

    def _search_vectors(self, points: np.ndarray) -> np.ndarray:
        return points

    def _search_limit(self, distance: np.ndarray) -> np.ndarray:
        return distance * (1 + 1e-12)

    def _from_squares(self, squares, vectors, sets) -> np.ndarray:
        distance = np.sqrt(squares)
        distance *= self._plane.metres_per_unit
        return distance


class GreatCircle(Metric):
    """Great circles of a sphere of radius 6371 km, at geodetic latitude (as in the papers)."""

    name = "great_circle"
    slack = 1e-7

    def between(self, a: np.ndarray, b: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Distances row by row."""
        metres = np.empty(len(a))
        for rows in chunks(len(a), _ROWS, progress):
            u, v = self._search_vectors(a[rows]), self._search_vectors(b[rows])
            squares = squared_gaps(u, v)
            angle = angles_of(squares)
            far = np.flatnonzero(squares > _LONG)
            angle[far] = obtuse_angles(u[far], v[far])
            metres[rows] = angle * EARTH_RADIUS_M
        return metres

    def _search_vectors(self, points: np.ndarray) -> np.ndarray:
        return unit_vectors(points)

    def _search_limit(self, distance: np.ndarray) -> np.ndarray:
        return chord_within(distance, 1.0)

    def _from_squares(self, squares, vectors, sets) -> np.ndarray:
        angle = angles_of(squares)
        if (squares > _LONG).any():
            for s, p in _pairs_of(squares > _LONG, sets.shape[1]):
                u = np.repeat(vectors[p], sets.shape[1], axis=0)
                all_members = obtuse_angles(u, sets[s].reshape(-1, 3))
                angle[s, p] = all_members.reshape(len(s), -1).min(axis=1)
        angle *= EARTH_RADIUS_M
        return angle


class Geodesic(Metric):
    """Shortest paths on the ellipsoid of the coordinates' system, as pyproj computes them.

    Search is on the auxiliary sphere. Stretching the polar axis by a/b turns the ellipsoid
    into a sphere of radius a and no length by a factor outside [1, a/b]; so with the angle t
    between two places at their reduced latitudes, b t <= geodesic <= a t. Whoever is nearest
    on the ellipsoid has an angle of at most a/b times the least one.
    """

    name = "geodesic"

    def __init__(self, plane: Plane):
        super().__init__(plane)
        self._geod, self.a, self.b = _geod_of(plane)
        self._ratio = max(self.a, self.b) / min(self.a, self.b)
        # Karney's algorithm is good to 15 nm on the Earth, the series to as much; degrees cost
        # a few more.
        self.slack = 2e-14 * self.a

    def between(self, a: np.ndarray, b: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Distances row by row, by pyproj."""
        metres = np.empty(len(a))
        for rows in chunks(len(a), GEODESICS, progress):
            metres[rows] = _geodesics(self._geod, a[rows], b[rows])
        return metres

    def rows(self, a: np.ndarray, b: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """All distances from one array to another, by pyproj."""
        result = np.empty((len(a), len(b)))
        for some in chunks(len(a), max(1, GEODESICS // max(1, len(b))), progress):
            count = some.stop - some.start
            pairs = self.between(np.repeat(a[some], len(b), axis=0), np.tile(b, (count, 1)))
            result[some] = pairs.reshape(count, len(b))
        return result

    def nearest_in_sets(
        self, points: np.ndarray, references: np.ndarray, progress: Progress = silent
    ) -> np.ndarray:
        """Distance of every point to the nearest member of every set; see the base class.

        By series that agree with pyproj within :attr:`slack`; by pyproj itself where the
        nearest member is farther than they hold.
        """
        vectors = self._search_vectors(points)
        sets = self._search_vectors(references.reshape(-1, 2)).reshape(*references.shape[:2], 3)
        search = GeodesicSets(
            points, references, vectors, sets, (self.a, self.b), self._search_limit, self.between
        )
        return search.distances(progress).T

    def _search_vectors(self, points: np.ndarray) -> np.ndarray:
        return unit_vectors(points, self.b / self.a)

    def _search_limit(self, distance: np.ndarray) -> np.ndarray:
        return chord_within(distance, self._ratio)


def metric_for(name: str, wkt: str | None) -> Metric:
    """The metric of a name for coordinates of a system.

    Parameters
    ----------
    name : str
        ``planar``, ``great_circle`` (sphere of 6371 km) or ``geodesic`` (the system's ellipsoid).
    wkt : str or None
        Coordinate reference system in which points are stored.

    Returns
    -------
    Metric

    Raises
    ------
    InputError
        If the name is unknown, if the metric is planar and the coordinates are degrees, or if
        it is another and nothing is known of where on the Earth the coordinates are.
    MissingPackage
        If pyproj is needed and not there.
    """
    if name not in METRICS:
        raise InputError(
            "There is no metric {name!r}; choose one of {metrics}.",
            name=name,
            metrics=", ".join(METRICS),
        )
    plane = stored_plane(wkt)
    kind = plane.kind
    if name == "planar":
        if kind == "geographic":
            raise InputError(
                "A planar distance between longitudes and latitudes is none on the ground."
                " Choose the geodesic or the great-circle metric, or reproject the layer."
            )
        return Planar(plane)
    if kind in ("none", "local"):
        raise InputError(
            "Distances on the globe need a geographic or projected coordinate reference system."
            " Assign one to the layer, or choose the planar metric."
        )
    return GreatCircle(plane) if name == "great_circle" else Geodesic(plane)


def metric_in(plane: Plane) -> Metric:
    """Return the metric that measures as a plane does: straight, or on the ground if it is local.

    Parameters
    ----------
    plane : Plane
    """
    return Geodesic(plane) if plane.is_local else Planar(plane)


def _pairs_of(chosen: np.ndarray, members: int):
    """Yield chosen (set, point) pairs in portions for work on all members of the set."""
    sets, points = np.nonzero(chosen)
    for rows in chunks(len(sets), max(1, 500_000 // members)):
        yield sets[rows], points[rows]


@in_proj_thread
def _geod_of(plane: Plane):
    geod = plane.geod()
    return geod, float(geod.a), float(geod.b)


@in_proj_thread
def _geodesics(geod, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return of_arrays(geod.inv, *a.T, *b.T)[2]
