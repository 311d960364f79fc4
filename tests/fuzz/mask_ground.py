# SPDX-License-Identifier: GPL-2.0-or-later
"""Places and the public layers round them: addresses, records, zones, streets, a raster. No QGIS here."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import tables
from .tables import Table, chance, people, pick

#: A metre in units of a system; a degree of longitude is shorter away from the equator.
_UNITS = {"EPSG:4326": 1 / 111_320.0, "EPSG:4807": 1 / 100_000.0, "EPSG:2263": 1 / 0.3048}
#: Systems that lists are given in besides that of the points: pairs without a change of datum.
_OTHER = {"EPSG:4326": "EPSG:3857", "EPSG:32632": "EPSG:4326", "EPSG:3857": "EPSG:4326"}
_LEVELS = ["red", "green"]
#: Systems whose points are masked in a local projection.
_LOCAL = ("EPSG:4326", "EPSG:4807", "EPSG:3857", "EPSG:5041")


@dataclass
class Ground:
    """Where a scene lies.

    Attributes
    ----------
    crs : str
    centre : (float, float)
    metre : float
        In units of the system.
    size : float
        Across, in metres.
    wraps : bool
        Whether longitudes beyond 180 are written below -180, as points of layers have them.
    """

    crs: str
    centre: tuple[float, float]
    metre: float
    size: float
    wraps: bool

    @property
    def where(self) -> tuple[str, tuple[float, float], float]:
        """As :func:`.tables.place` tells it."""
        return self.crs, self.centre, self.size * self.metre

    def stored(self, metres: np.ndarray, whole: bool = False) -> np.ndarray:
        """Coordinates of places (metres from the centre); ``whole`` features do not wrap."""
        xy = np.asarray(metres, dtype=float) * self.metre + self.centre
        if self.crs in ("EPSG:4326", "EPSG:4807"):
            turn = 200.0 if self.crs == "EPSG:4807" else 180.0
            if self.wraps and not whole:
                xy[:, 0] = (xy[:, 0] + turn) % (2 * turn) - turn
            xy[:, 1] = np.clip(xy[:, 1], -turn / 2, turn / 2)
        return xy

    @property
    def middle(self) -> list[float] | None:
        """Where the plane of a mask touches the ellipsoid; None where the points' own is taken."""
        if self.crs not in _LOCAL:
            return None
        from pyproj import Transformer

        to = Transformer.from_crs(self.crs, "EPSG:4326", always_xy=True)
        # whole degrees, as a mask chooses it, which then stands at no place of a record
        return [float(round(one)) for one in to.transform(*self.centre)]


def ground(rng: np.random.Generator) -> Ground:
    """A place of some hundred metres to some kilometres, in any system."""
    crs, centre, _ = tables.place(rng)
    size = float(math.exp(rng.uniform(math.log(400.0), math.log(20_000.0))))
    if crs == "":
        centre = (centre[0] * 10, centre[1] * 10)
    return Ground(crs, centre, _UNITS.get(crs, 1.0), size, chance(rng, 0.9))


# --- public layers ------------------------------------------------------------------------------


def listed(rng: np.random.Generator, on: Ground, least: int, most: int) -> np.ndarray:
    """Places of addresses in metres, some twice."""
    xy, _ = tables.pattern(rng, int(rng.integers(least, most + 1)))
    return xy * on.size


def points(name: str, on: Ground, metres: np.ndarray, crs: str | None = None) -> Table:
    xy = on.stored(metres)
    if crs is not None:
        from pyproj import Transformer

        xy = np.stack(Transformer.from_crs(on.crs, crs, always_xy=True).transform(*xy.T), 1)
    shapes = [tuple(map(float, one)) for one in xy]
    return Table(name, "Point", crs or on.crs, shapes, [], [()] * len(shapes))


def addresses(rng: np.random.Generator, on: Ground, metres: np.ndarray) -> Table:
    """An address list, in another system now and then, with dwellings and a class."""
    other = _OTHER.get(on.crs) if chance(rng, 0.15) and abs(on.centre[1]) < 80 else None
    table = points("candidates", on, metres, other)
    flats = [int(one) for one in rng.integers(1, 9, len(metres))]
    if chance(rng, 0.05):
        flats[int(rng.integers(len(flats)))] = pick(rng, [None, 0, -1])
    table.add("flats", "int", flats)
    # what stands at one place is of one class
    table.add("house", "string", [_LEVELS[int(abs(x * 7 + y * 3)) % 2] for x, y in metres])
    return table


def records(rng: np.random.Generator, on: Ground, metres: np.ndarray, away: float = 0.0) -> Table:
    """People at some of the places: several at one now and then, or some metres beside it."""
    count = int(rng.integers(3, min(17, len(metres) + 1)))
    rows = rng.permutation(len(metres))[:count]
    if chance(rng, 0.3):
        rows = rng.integers(len(metres), size=count)
    beside = away * (rng.random((count, 2)) - 0.5)
    xy = on.stored(metres[rows] + beside)
    table = people(rng, count, on.where, "records")
    table.shapes = [tuple(map(float, one)) for one in xy]
    table.traits = ["uniform"]
    table.add("house", "string", [_LEVELS[int(abs(x * 7 + y * 3)) % 2] for x, y in metres[rows]])
    return table


def zones(rng: np.random.Generator, on: Ground, name: str, count: int, reach: float) -> Table:
    """Tiles across the places and ``reach`` times as far, with how many people live in each."""
    x, y = on.centre
    size = on.size * on.metre * reach
    side = max(1, math.ceil(math.sqrt(count)))
    shapes = tables.polygons(rng, side * side, (on.crs, (x, y), size))
    table = Table(name, "MultiPolygon", on.crs, shapes, [], [()] * len(shapes))
    lived = [int(one) for one in rng.integers(0, 60, len(shapes))]
    if chance(rng, 0.05):
        lived[0] = pick(rng, [None, -3])
    table.add("people", pick(rng, ["int", "double"]), lived)
    return table


def street_lines(rng: np.random.Generator, on: Ground, reach: float = 1.5) -> tuple[Table, float]:
    """Lines along a crooked grid, some missing, and the length of a block in metres."""
    if chance(rng, 0.15):  # bent, in parts, or nothing at all
        count = int(rng.integers(8, 25))
        shapes = tables.lines(rng, count, on.where)
        made = Table("streets", "MultiLineString", on.crs, shapes, [], [()] * count)
        return made, 2 * on.size / count
    side = int(rng.integers(4, 9))
    at = np.linspace(-0.5, 0.5, side) * on.size * reach
    block = float(at[1] - at[0])
    crooked = block * 0.2 * (rng.random((side, side, 2)) - 0.5)
    corners = np.stack(np.meshgrid(at, at, indexing="ij"), axis=2) + crooked
    whole = chance(rng, 0.3)  # lines that cross without a vertex, as in some layers
    lines = []
    for along in (corners, corners.transpose(1, 0, 2)):
        for row in along:
            parts = [row] if whole else [row[one : one + 2] for one in range(side - 1)]
            lines += [one for one in parts if chance(rng, 0.92)]
    shapes = []
    for line in lines:
        xy = on.stored(line, whole=True)
        text = ",".join(f"{float(x)!r} {float(y)!r}" for x, y in xy)
        shapes.append(f"LINESTRING({text})")
    table = Table("streets", "LineString", on.crs, shapes, [], [()] * len(shapes))
    return table, block


def raster(rng: np.random.Generator, on: Ground) -> Callable[[Path], Path]:
    """Writes how many people live in each cell round the places."""
    side = int(rng.integers(2, 8))
    cells = rng.integers(0, 300, (side, side)).astype(float)
    if chance(rng, 0.2):
        cells[0, 0] = pick(rng, [math.nan, -9999.0, -1.0])
    x, y = on.centre
    size = on.size * on.metre * 1.6

    def write(folder: Path) -> Path:
        from osgeo import gdal, osr

        path = folder / "raster.tif"
        made = gdal.GetDriverByName("GTiff").Create(str(path), side, side, 1, gdal.GDT_Float64)
        made.SetGeoTransform((x - size / 2, size / side, 0, y + size / 2, 0, -size / side))
        if on.crs:
            system = osr.SpatialReference()
            system.ImportFromEPSG(int(on.crs.split(":")[1]))
            made.SetProjection(system.ExportToWkt())
        made.GetRasterBand(1).SetNoDataValue(-9999.0)
        made.GetRasterBand(1).WriteArray(cells)
        del made
        return path

    return write
