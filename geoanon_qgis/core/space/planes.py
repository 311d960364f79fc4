# SPDX-License-Identifier: GPL-2.0-or-later
"""The plane in which distances are measured, and the one decision which plane that is.

Coordinates arrive as they are stored, in any coordinate reference system. A mask or an attack
works in a plane where a unit is the same length everywhere and in every direction, as nearly
as can be had: the layer's own where that is metric, a local projection otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ..runtime.errors import InputError, MissingPackage
from ..runtime.progress import Progress, chunks, silent
from ..runtime.proj_thread import in_proj_thread, of_arrays
from ..runtime.wording import Sentence, mark

#: A projected system is taken as it is while its scale is this near to true.
_SCALE_ERROR = 0.01
#: Half of the globe lies within this distance of the centre of a local projection (degrees).
_HEMISPHERE = 90.0
#: Projecting back and forth, and from one system into another, moves a point by less (metres).
PROJECTION_ERROR_M = 1e-3
#: The midpoint of two points d metres apart is another in another local projection, by less
#: than this times d squared / 8: enough for centres some hundred kilometres away, such as a
#: UTM zone's (the gradient of the scale, distance / radius squared).
PLANE_CURVATURE_PER_M = 1e-8

_ROWS = 100_000
_OUTSIDE = mark(
    "Some coordinates lie outside what the layer's coordinate reference system can hold (a"
    " latitude beyond 90 degrees, for example). Check that the layer has been given the right"
    " system."
)


@dataclass(frozen=True)
class Plane:
    """A plane for one data set.

    Attributes
    ----------
    crs : pyproj.CRS or None
        System in which the coordinates are stored; None where nothing is known of it.
    centre : (float, float) or None
        Longitude and latitude (degrees) at which a local stereographic projection touches
        the ellipsoid; None where the stored coordinates themselves are used.
    metres_per_unit : float
        Length of a unit of the plane on the ground.
    projection : str
        PROJ's name of the local projection: ``stere``, or ``laea`` (Lambert's azimuthal
        equal-area one), in which what is uniform is uniform on the ground.
    """

    crs: Any
    centre: tuple[float, float] | None
    metres_per_unit: float
    projection: str = "stere"

    @property
    def is_local(self) -> bool:
        """Whether coordinates are projected for the work and back for the result."""
        return self.centre is not None

    @cached_property
    def _geod(self):
        return self.crs.get_geod()

    @cached_property
    def _degrees_per_unit(self) -> float:
        """Of a geographic system (grads exist); 0 for a projected one."""
        if not self.crs.is_geographic:
            return 0.0
        return float(np.degrees(self.crs.axis_info[0].unit_conversion_factor))

    @cached_property
    def _to_geodetic(self):
        from pyproj import Transformer

        return Transformer.from_crs(self.crs, self.crs.geodetic_crs, always_xy=True)

    @cached_property
    def _projection(self):
        from pyproj import Proj

        longitude, latitude = self.centre
        return Proj(
            proj=self.projection, lon_0=longitude, lat_0=latitude, a=self._geod.a, b=self._geod.b
        )

    @in_proj_thread
    def lonlat(self, xy: np.ndarray) -> np.ndarray:
        """Longitude and latitude (degrees) of stored coordinates, on their own datum."""
        if self._degrees_per_unit:
            return xy * self._degrees_per_unit
        return np.stack(of_arrays(self._to_geodetic.transform, *xy.T), axis=1)

    @in_proj_thread
    def from_lonlat(self, lonlat: np.ndarray) -> np.ndarray:
        """Stored coordinates of longitude and latitude (degrees); undoes :meth:`lonlat`."""
        if self._degrees_per_unit:
            return lonlat / self._degrees_per_unit
        stored = of_arrays(self._to_geodetic.transform, *lonlat.T, direction="INVERSE")
        return np.stack(stored, axis=1)

    @property
    @in_proj_thread
    def kind(self) -> str:
        """``geographic``, ``projected``, ``local`` (an engineering grid) or ``none``."""
        if self.crs is None:
            return "none"
        if self.crs.is_geographic:
            return "geographic"
        return "projected" if self.crs.is_projected else "local"

    @property
    @in_proj_thread
    def degrees_per_unit(self) -> float:
        """Of longitude and latitude as they are stored (grads exist); 0 for a projected system."""
        return self._degrees_per_unit

    @in_proj_thread
    def stored_unit_m(self) -> float:
        """Longest length on the ground, or nearly, of a stored unit, in metres."""
        if self._degrees_per_unit:
            return float(np.radians(self._degrees_per_unit) * self._geod.a)
        return float(self.crs.axis_info[0].unit_conversion_factor)

    @in_proj_thread
    def geod(self) -> Any:
        """pyproj's Geod of the ellipsoid; to be used in PROJ's thread only."""
        return self._geod

    def holds(self, xy: np.ndarray) -> np.ndarray:
        """Which stored coordinates the plane has room for, as a bool array of length n."""
        if self.centre is None:
            return np.ones(len(xy), dtype=bool)
        lonlat = self.lonlat(xy)
        usable = np.isfinite(lonlat).all(axis=1) & (np.abs(lonlat[:, 1]) <= 90 + 1e-9)
        usable &= np.abs(lonlat[:, 0]) <= 540  # beyond, PROJ gives up
        near = np.zeros(len(xy), dtype=bool)
        near[usable] = _angle_from(self.centre, lonlat[usable]) <= _HEMISPHERE
        return near

    def forward(self, xy: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Project stored coordinates into the plane.

        Parameters
        ----------
        xy : (n, 2) array

        Returns
        -------
        (n, 2) array

        Raises
        ------
        InputError
            If a point lies more than a quarter of the globe from the centre, or outside
            what the coordinate reference system can hold.
        """
        if self.centre is None:
            return xy
        result = np.empty((len(xy), 2))
        for rows in chunks(len(xy), _ROWS, progress):
            lonlat = self.lonlat(xy[rows])
            if not np.isfinite(lonlat).all() or (np.abs(lonlat[:, 1]) > 90 + 1e-9).any():
                raise InputError(_OUTSIDE)
            if (_angle_from(self.centre, lonlat) > _HEMISPHERE).any():
                raise InputError(
                    "The points span more than half of the globe, so no plane fits them all."
                    " Split the layer by region and work on each part."
                )
            result[rows] = self._projected(lonlat)
            if not np.isfinite(result[rows]).all():
                raise InputError(_OUTSIDE)
        return result

    def inverse(self, xy: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Turn coordinates of the plane back into stored ones; undoes :meth:`forward`."""
        if not self.is_local:
            return xy
        result = np.empty((len(xy), 2))
        for rows in chunks(len(xy), _ROWS, progress):
            result[rows] = self._stored(xy[rows])
        return result

    def ground_distance(
        self, start: np.ndarray, end: np.ndarray, progress: Progress = silent
    ) -> np.ndarray:
        """Distances in metres on the ground between points of the plane, row by row.

        Geodesic on the ellipsoid for a local projection; in the plane, which is true to one
        per cent, for a projected system.
        """
        if not self.is_local:
            gap = end - start
            return np.hypot(gap[:, 0], gap[:, 1]) * self.metres_per_unit
        metres = np.empty(len(start))
        for rows in chunks(len(start), _ROWS, progress):
            metres[rows] = self._geodesic(start[rows], end[rows])
        return metres

    @in_proj_thread
    def _projected(self, lonlat: np.ndarray) -> np.ndarray:
        return np.stack(self._projection(lonlat[:, 0], lonlat[:, 1]), axis=1)

    @in_proj_thread
    def _stored(self, xy: np.ndarray) -> np.ndarray:
        lon, lat = self._projection(xy[:, 0], xy[:, 1], inverse=True)
        return self.from_lonlat(np.stack([lon, lat], axis=1))

    @in_proj_thread
    def _geodesic(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        lon, lat = self._projection(start[:, 0], start[:, 1], inverse=True)
        to_lon, to_lat = self._projection(end[:, 0], end[:, 1], inverse=True)
        return of_arrays(self._geod.inv, lon, lat, to_lon, to_lat)[2]

    @in_proj_thread
    def length(self, stored: float) -> float:
        """Longest length in the plane of a step between stored coordinates."""
        if not self.is_local:
            return stored
        if self._degrees_per_unit:
            return float(np.radians(stored * self._degrees_per_unit) * self._geod.a)
        return stored * float(self.crs.axis_info[0].unit_conversion_factor)

    @in_proj_thread
    def describe(self) -> str:
        """Name the plane, for logs and reports."""
        if self.centre is not None:
            longitude, latitude = self.centre
            return Sentence(
                mark("Lambert azimuthal equal-area projection centred on {latitude}, {longitude}")
                if self.projection == "laea"
                else mark("stereographic projection centred on {latitude}, {longitude}"),
                latitude=f"{abs(latitude):g}° {'N' if latitude >= 0 else 'S'}",
                longitude=f"{abs(longitude):g}° {'E' if longitude >= 0 else 'W'}",
            )
        return self.crs.name if self.crs is not None else Sentence("unknown")


@in_proj_thread
def working_plane(xy: np.ndarray, wkt: str | None) -> Plane:
    """Choose the plane for a data set.

    The stored coordinates themselves where they are projected and their scale is within one
    per cent of true in the middle of the data, or where nothing is known of them. Otherwise
    (degrees, Web Mercator away from the equator, ...) a stereographic projection of the same
    ellipsoid, which is conformal and so keeps who is nearest to whom, around the middle of
    the data rounded to whole degrees. The rounding keeps the logged centre from saying more
    than the region, and gives the masked points the same plane as the originals had.

    Parameters
    ----------
    xy : (n, 2) array
        Stored coordinates.
    wkt : str or None
        Their coordinate reference system (WKT or anything that pyproj reads).

    Returns
    -------
    Plane

    Raises
    ------
    InputError
        If the system cannot be read, or is none for points on the ground.
    MissingPackage
        If pyproj is not there.
    """
    if not wkt:
        return Plane(None, None, 1.0)
    try:
        from pyproj import CRS
        from pyproj.exceptions import CRSError, ProjError
    except ImportError as error:
        raise MissingPackage(
            "The package pyproj is needed for layers with a coordinate reference system, and it"
            " is not installed. Run 'Check environment' to see how to install it."
        ) from error
    try:
        crs = CRS.from_user_input(wkt)
    except CRSError as error:
        raise InputError(
            "The layer's coordinate reference system cannot be read. Assign a standard one."
        ) from error
    horizontal = crs.sub_crs_list[0] if crs.is_compound else crs
    if horizontal.is_bound:
        horizontal = horizontal.source_crs
    if horizontal.is_vertical or horizontal.is_geocentric:
        raise InputError(
            "The coordinate reference system {name} is none for points on a map. Assign the "
            "layer the system that its x and y are in.",
            name=horizontal.name,
        )
    if horizontal.is_projected:
        unit = float(horizontal.axis_info[0].unit_conversion_factor)
        own = Plane(horizontal, None, unit)
        try:
            scale_error = _scale_error(own, np.median(xy, axis=0)) if len(xy) else 0.0
        except ProjError:
            scale_error = 0.0
        # What lies outside the system's bounds has no scale; stay with what is stored.
        if not np.isfinite(scale_error) or scale_error <= _SCALE_ERROR:
            return own
    elif not horizontal.is_geographic:
        # Local engineering grids and the like: a plane, by definition.
        axes = horizontal.axis_info
        unit = float(axes[0].unit_conversion_factor) if axes else 1.0
        return Plane(horizontal, None, unit or 1.0)
    located = Plane(horizontal, (0.0, 0.0), 1.0)
    return Plane(horizontal, _middle(located.lonlat(xy)), 1.0)


@lru_cache(maxsize=16)  # reading a system takes milliseconds, and noise asks for it every time
def stored_plane(wkt: str | None) -> Plane:
    """The system that coordinates are stored in, for what needs no local projection."""
    return working_plane(np.empty((0, 2)), wkt)


def plane_at(wkt: str | None, centre: tuple[float, float] | None) -> Plane:
    """The plane that was chosen before, for other points.

    Parameters
    ----------
    wkt : str or None
        Reference system of the points.
    centre : (float, float) or None
        See :class:`Plane`.

    Raises
    ------
    InputError
        If the system needs a centre, or has none.
    """
    own = stored_plane(wkt)
    needed = own.kind == "geographic"
    if centre is None and not needed:
        return own
    if centre is None or own.kind in ("none", "local"):
        raise InputError(
            "The plane of the earlier release does not go with the points' reference system."
        )
    return Plane(own.crs, centre, 1.0)


def equal_area_plane(xy: np.ndarray, wkt: str | None) -> Plane:
    """A plane around the points in which equal areas are equal on the ground.

    Lambert's azimuthal equal-area projection of the system's ellipsoid; the coordinates
    themselves where nothing is known of them, or where they are a local grid.

    Parameters
    ----------
    xy : (n, 2) array
        Stored coordinates.
    wkt : str or None
        Their coordinate reference system.

    Returns
    -------
    Plane

    Raises
    ------
    InputError, MissingPackage
        As :func:`working_plane` does.
    """
    own = stored_plane(wkt)
    if own.kind in ("none", "local"):
        return own
    return Plane(own.crs, _middle(own.lonlat(xy)), 1.0, "laea")


def _scale_error(plane: Plane, at: np.ndarray) -> float:
    """How far the scale of a projected system is from true, in the worse direction."""
    step = 100.0 / plane.metres_per_unit
    ends = plane.lonlat(at + np.array([[0.0, 0.0], [step, 0.0], [0.0, step]]))
    if not np.isfinite(ends).all():
        return np.inf
    start = np.repeat(ends[:1], 2, axis=0)
    metres = plane._geod.inv(*start.T, *ends[1:].T)[2]
    if not (metres > 0).all():  # so far out that rounding takes the step away
        return np.inf
    return float(np.abs(100.0 / metres - 1.0).max())


def _unit_vectors(lonlat: np.ndarray) -> np.ndarray:
    lon, lat = np.radians(lonlat[:, 0]), np.radians(lonlat[:, 1])
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=1)


def _middle(lonlat: np.ndarray) -> tuple[float, float]:
    """Mean direction of the points in whole degrees; the antimeridian is no border to it."""
    usable = lonlat[np.isfinite(lonlat).all(axis=1)]
    if len(usable) == 0:
        return (0.0, 0.0)
    x, y, z = _unit_vectors(usable).mean(axis=0)
    longitude = float(np.rint(np.degrees(np.arctan2(y, x))))
    latitude = float(np.rint(np.degrees(np.arctan2(z, np.hypot(x, y)))))
    return (longitude + 0.0, latitude + 0.0)


def _angle_from(centre: tuple[float, float], lonlat: np.ndarray) -> np.ndarray:
    towards = _unit_vectors(np.array([centre]))[0]
    return np.degrees(np.arccos(np.clip(_unit_vectors(lonlat) @ towards, -1.0, 1.0)))
