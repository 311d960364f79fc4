# SPDX-License-Identifier: GPL-2.0-or-later
"""Turn libpysal's ``snow_maps`` shapefiles into the sample GeoPackage.

Called by ``scripts/make_sample_data`` as ``make_sample_data.py SHAPEFILES GEOPACKAGE``.
The result does not depend on the day, the machine or grids that PROJ may have.
"""

from __future__ import annotations

import math
import os
import random
import sys

import shapely
from osgeo import gdal, ogr, osr

gdal.UseExceptions()
# Without it the GeoPackage holds the time at which it was written.
gdal.SetConfigOption("OGR_CURRENT_DATE", "2024-01-01T00:00:00.000Z")

#: Seed of the invented addresses. 1854 is the year of the outbreak.
SEED = 1854

#: Web Mercator to British National Grid, spelled out so that every PROJ does the same:
#: EPSG:1314, "OSGB36 to WGS 84 (6)", a seven-parameter shift that needs no grid file
#: and is good to about 2 m, which is more than the digitised map is.
PIPELINE = """
+proj=pipeline
+step +inv +proj=webmerc +lat_0=0 +lon_0=0 +x_0=0 +y_0=0 +ellps=WGS84
+step +proj=push +v_3
+step +proj=cart +ellps=WGS84
+step +inv +proj=helmert +x=446.448 +y=-125.157 +z=542.06 +rx=0.15 +ry=0.247 +rz=0.842
      +s=-20.489 +convention=position_vector
+step +inv +proj=cart +ellps=airy
+step +proj=pop +v_3
+step +proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy
"""

SOURCE = (
    'Source: the "snow_maps" example of the Python package libpysal 4.14.1, copyright (c) '
    "2007-2015 PySAL Developers, BSD 3-clause licence; after the map in John Snow, On the Mode "
    "of Communication of Cholera. Reprojected from Web Mercator to British National Grid with "
    "EPSG:1314 and rounded to 1 mm."
)

#: Frontage of an invented house along its street, in metres.
FRONTAGE_M = 6.0
#: Distance of an invented address from the middle of its street: least and most.
SETBACK_M = (4.0, 9.0)
#: No invented address comes nearer than this to another address.
CLEARANCE_M = 2.5
#: How far the outermost blocks reach beyond the addresses, in metres.
MARGIN_M = 20.0

Point = tuple[float, float]


def transformation() -> osr.CoordinateTransformation:
    """Return the transformation from Web Mercator to British National Grid."""
    crs = []
    for code in (3857, 27700):
        reference = osr.SpatialReference()
        reference.ImportFromEPSG(code)
        reference.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
        crs.append(reference)
    options = osr.CoordinateTransformationOptions()
    options.SetOperation(" ".join(PIPELINE.split()))
    return osr.CoordinateTransformation(*crs, options)


def read(folder: str, name: str, field: str | None = None) -> list[tuple[list[Point], int | None]]:
    """Return the vertices, in metres on the British grid, and one field of each feature."""
    to_grid = transformation()
    source = ogr.Open(os.path.join(folder, name + ".shp"))
    features = []
    for feature in source.GetLayer(0):
        vertices = [
            (round(x, 3), round(y, 3))
            for x, y, _ in (
                to_grid.TransformPoint(*vertex[:2]) for vertex in feature.geometry().GetPoints()
            )
        ]
        features.append((vertices, feature[field] if field else None))
    return features


class Clearing:
    """Tells in constant time whether a place keeps its distance from those taken before."""

    def __init__(self, clearance: float):
        self.clearance = clearance
        self.cells: dict[tuple[int, int], list[Point]] = {}

    def _cell(self, place: Point) -> tuple[int, int]:
        return int(place[0] // self.clearance), int(place[1] // self.clearance)

    def take(self, place: Point) -> None:
        """Put ``place`` among those taken."""
        self.cells.setdefault(self._cell(place), []).append(place)

    def is_free(self, place: Point) -> bool:
        """Return whether no place taken lies within the clearance of ``place``."""
        column, row = self._cell(place)
        return all(
            math.dist(place, other) >= self.clearance
            for i in (column - 1, column, column + 1)
            for j in (row - 1, row, row + 1)
            for other in self.cells.get((i, j), ())
        )


def invent_addresses(streets: list[list[Point]], taken: list[Point]) -> list[Point]:
    """Place houses along both sides of the streets, away from the places taken."""
    # Only random() is used: its stream is the same in every version of Python.
    rng = random.Random(SEED)
    clearing = Clearing(CLEARANCE_M)
    for place in taken:
        clearing.take(place)
    houses = []
    for street in streets:
        for (x0, y0), (x1, y1) in zip(street, street[1:]):
            length = math.dist((x0, y0), (x1, y1))
            if length == 0:
                continue
            east, north = (x1 - x0) / length, (y1 - y0) / length
            for side in (-1, 1):
                for lot in range(int(length // FRONTAGE_M)):
                    along = (lot + 0.2 + 0.6 * rng.random()) * FRONTAGE_M
                    away = side * (SETBACK_M[0] + (SETBACK_M[1] - SETBACK_M[0]) * rng.random())
                    house = (
                        round(x0 + along * east - away * north, 3),
                        round(y0 + along * north + away * east, 3),
                    )
                    if clearing.is_free(house):
                        clearing.take(house)
                        houses.append(house)
    return houses


def blocks(streets: list[list[Point]], addresses: list[Point]) -> list[tuple[str, int]]:
    """Cut the land around the addresses along the streets, and count addresses in each piece.

    Returns
    -------
    list of tuples
        Polygons as text, from west to east, and their addresses.
    """
    around = shapely.convex_hull(shapely.MultiPoint(addresses))
    around = shapely.buffer(around, MARGIN_M, join_style="mitre")
    lines = [*map(shapely.LineString, streets), around.exterior]
    # On the millimetres of the other layers, so that neighbours share their corners.
    joined = shapely.get_parts(shapely.union_all(lines, grid_size=0.001))
    pieces = shapely.get_parts(shapely.normalize(shapely.polygonize(joined)))
    pieces = sorted(pieces, key=lambda piece: piece.bounds)
    places = shapely.points(addresses)
    return [
        (shapely.to_wkt(piece, rounding_precision=3), int(shapely.contains(piece, places).sum()))
        for piece in pieces
    ]


def write(
    dataset: ogr.DataSource,
    name: str,
    title: str,
    description: str,
    rows: list[tuple[str, dict[str, int]]],
) -> None:
    """Write one layer of shapes as text; the feature id is ``address_id`` where there is one."""
    kind = ogr.CreateGeometryFromWkt(rows[0][0]).GetGeometryType()
    crs = osr.SpatialReference()
    crs.ImportFromEPSG(27700)
    layer = dataset.CreateLayer(
        name,
        crs,
        kind,
        [f"IDENTIFIER={title}", f"DESCRIPTION={description}", "SPATIAL_INDEX=YES"],
    )
    for field in rows[0][1]:
        layer.CreateField(ogr.FieldDefn(field, ogr.OFTInteger))
    dataset.StartTransaction()
    for shape, values in rows:
        feature = ogr.Feature(layer.GetLayerDefn())
        for field, value in values.items():
            feature[field] = value
        if name == "deaths":
            # The key that masking writes names feature ids; they match the addresses' ids.
            feature.SetFID(values["address_id"])
        feature.SetGeometry(ogr.CreateGeometryFromWkt(shape))
        layer.CreateFeature(feature)
    dataset.CommitTransaction()


def point(place: Point) -> str:
    """Write a place as text."""
    return f"POINT ({place[0]!r} {place[1]!r})"


def line(vertices: list[Point]) -> str:
    """Write a street as text."""
    return f"LINESTRING ({', '.join(f'{x!r} {y!r}' for x, y in vertices)})"


def main(folder: str, target: str) -> None:
    """Write the five layers."""
    deaths = [(vertices[0], count) for vertices, count in read(folder, "SohoPeople", "Count")]
    pumps = [vertices[0] for vertices, _ in read(folder, "SohoWater")]
    streets = [vertices for vertices, _ in read(folder, "Soho_Network")]
    places = [place for place, _ in deaths]
    addresses = list(enumerate(places + invent_addresses(streets, places), start=1))
    # Row order must not tell which addresses are real.
    order = random.Random(SEED + 1)
    shuffled = [row for _, row in sorted((order.random(), row) for row in addresses)]

    if os.path.exists(target):
        os.remove(target)
    dataset = ogr.GetDriverByName("GPKG").CreateDataSource(target, ["VERSION=1.2"])
    write(
        dataset,
        "deaths",
        "Deaths from cholera, Soho, 1854",
        f"{len(deaths)} places of deaths from cholera. count: as in the source; address_id: the "
        f"same place in the layer addresses. {SOURCE}",
        [
            (point(place), {"address_id": number, "count": count})
            for number, (place, count) in enumerate(deaths, start=1)
        ],
    )
    write(
        dataset,
        "pumps",
        "Public water pumps, Soho, 1854",
        f"{len(pumps)} public water pumps. {SOURCE}",
        [(point(place), {"pump_id": number}) for number, place in enumerate(pumps, start=1)],
    )
    write(
        dataset,
        "addresses",
        "Addresses made up for demonstration",
        f"MADE UP FOR DEMONSTRATION, no historical record: the {len(deaths)} places of the layer "
        f"deaths and {len(addresses) - len(deaths)} invented addresses along the streets of the "
        f"source's network (seed {SEED}), in random order. {SOURCE}",
        [(point(place), {"address_id": number}) for number, place in shuffled],
    )
    write(
        dataset,
        "streets",
        "Streets, Soho, 1854",
        f"{len(streets)} lines of streets. {SOURCE}",
        [(line(one), {"street_id": number}) for number, one in enumerate(streets, start=1)],
    )
    pieces = blocks(streets, [place for _, place in addresses])
    write(
        dataset,
        "blocks",
        "Blocks made up for demonstration",
        f"MADE UP FOR DEMONSTRATION, no historical record: the land within {MARGIN_M:g} m of the "
        f"convex hull of the layer addresses, cut along the layer streets into {len(pieces)} "
        f"pieces. addresses: how many of that layer lie in each. {SOURCE}",
        [
            (piece, {"block_id": number, "addresses": count})
            for number, (piece, count) in enumerate(pieces, start=1)
        ],
    )
    dataset = None
    print(
        f"{target}: {len(deaths)} deaths, {len(pumps)} pumps, {len(addresses)} addresses, "
        f"{len(streets)} streets, {len(pieces)} blocks"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
