# SPDX-License-Identifier: GPL-2.0-or-later
"""Scenes of point masks that use public layers: addresses, zones, people, streets, a raster.

Records stand at addresses of a list. Zones and streets lie round them, and a secret of an earlier
release is given now and then, also one that is wrong. No QGIS here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import tables
from .scene import Scene
from .tables import Table, chance, people, pick

#: A metre in units of a system; a degree of longitude is shorter away from the equator.
_UNITS = {"EPSG:4326": 1 / 111_320.0, "EPSG:4807": 1 / 100_000.0, "EPSG:2263": 1 / 0.3048}
#: Systems whose points are masked in a local projection.
_LOCAL = ("EPSG:4326", "EPSG:4807", "EPSG:3857", "EPSG:5041")
#: Systems that lists are given in besides that of the points: pairs without a change of datum.
_OTHER = {"EPSG:4326": "EPSG:3857", "EPSG:32632": "EPSG:4326", "EPSG:3857": "EPSG:4326"}
_LEVELS = ["red", "green"]


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


def ground(rng: np.random.Generator) -> Ground:
    """A place of some hundred metres to some kilometres, in any system."""
    crs, centre, _ = tables.place(rng)
    size = float(math.exp(rng.uniform(math.log(400.0), math.log(20_000.0))))
    if crs == "":
        centre = (centre[0] * 10, centre[1] * 10)
    return Ground(crs, centre, _UNITS.get(crs, 1.0), size, chance(rng, 0.9))


# --- public layers ------------------------------------------------------------------------------


def _listed(rng: np.random.Generator, on: Ground, least: int, most: int) -> np.ndarray:
    """Places of addresses in metres, some twice."""
    xy, _ = tables.pattern(rng, int(rng.integers(least, most + 1)))
    return xy * on.size


def _points(name: str, on: Ground, metres: np.ndarray, crs: str | None = None) -> Table:
    xy = on.stored(metres)
    if crs is not None:
        from pyproj import Transformer

        xy = np.stack(Transformer.from_crs(on.crs, crs, always_xy=True).transform(*xy.T), 1)
    shapes = [tuple(map(float, one)) for one in xy]
    return Table(name, "Point", crs or on.crs, shapes, [], [()] * len(shapes))


def _addresses(rng: np.random.Generator, on: Ground, metres: np.ndarray) -> Table:
    """An address list, in another system now and then, with dwellings and a class."""
    other = _OTHER.get(on.crs) if chance(rng, 0.15) and abs(on.centre[1]) < 80 else None
    table = _points("candidates", on, metres, other)
    flats = [int(one) for one in rng.integers(1, 9, len(metres))]
    if chance(rng, 0.05):
        flats[int(rng.integers(len(flats)))] = pick(rng, [None, 0, -1])
    table.add("flats", "int", flats)
    # what stands at one place is of one class
    table.add("house", "string", [_LEVELS[int(abs(x * 7 + y * 3)) % 2] for x, y in metres])
    return table


def _records(rng: np.random.Generator, on: Ground, metres: np.ndarray, away: float = 0.0) -> Table:
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


def _zones(rng: np.random.Generator, on: Ground, name: str, count: int, reach: float) -> Table:
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


def _streets(rng: np.random.Generator, on: Ground, reach: float = 1.5) -> tuple[Table, float]:
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


def _raster(rng: np.random.Generator, on: Ground) -> Callable[[Path], Path]:
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


# --- the secret -----------------------------------------------------------------------------------


def _give_secret(rng: np.random.Generator, scene: Scene, on: Ground) -> Scene:
    """A secret file now and then: a good one, or one that is none, of another system, broken."""
    if not chance(rng, 0.2):
        scene.values["SECRET"] = None
        return scene
    told = {
        "format": "geoanon-secret",
        "version": 1,
        "private": True,
        "secret": rng.bytes(32).hex(),
        "crs": on.crs,
        "centre": None,
        "used": {},
        "kept": {},
    }
    if on.crs in _LOCAL:
        told["centre"] = _lonlat(on)
    what = pick(
        rng,
        ["good", "system", "short", "no centre", "used", "kept", "text"],
        [0.7, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05],
    )
    if what == "system":
        told["crs"] = pick(rng, ["", "EPSG:3035", "nonsense"])
    elif what == "short":
        told["secret"] = pick(rng, ["", "abcd", "no digits at all"])
    elif what == "no centre":
        told["centre"] = pick(rng, [None, [0.0, 95.0], [1e3, 0.0], ["a", "b"], [1.0], 7])
    elif what == "used":
        told["used"] = pick(rng, [None, [], {"maskdisplace": 3}, {"maskdisplace": "other"}])
    elif what == "kept":
        names = ("maskadaptivevoronoi", "maskexchange groups", "maskexchange cells")
        odd = pick(rng, [None, [], {}, "text", {"way": "x", "places": {"a": 1}}, {"groups": [[1]]}])
        told["kept"] = {name: odd for name in names}

    def write(folder: Path) -> Path:
        path = folder / "secret.json"
        path.write_text("{" if what == "text" else json.dumps(told), encoding="utf-8")
        return path

    scene.files["SECRET"] = write
    return scene


def _lonlat(on: Ground) -> list[float]:
    from pyproj import Transformer

    to = Transformer.from_crs(on.crs, "EPSG:4326", always_xy=True)
    # whole degrees, as a mask chooses it, which then stands at no place of a record
    return [float(round(one)) for one in to.transform(*on.centre)]


def _out_of_use(scene: Scene, *names: str) -> None:
    """Say that parameters are left empty."""
    scene.values.update({name: None for name in names if name not in scene.tables})


# --- the scenes -----------------------------------------------------------------------------------


def exchange(rng: np.random.Generator) -> Scene:
    """Records at addresses that have partners."""
    on = ground(rng)
    metres = _listed(rng, on, 24, 90)
    method = pick(rng, ["exchange", "cells", "groups"], [0.45, 0.25, 0.3])
    away = pick(rng, [0.0, 4.0], [0.85, 0.15])
    at = pick(rng, ["address", "beside", "crossing"], [0.55, 0.25, 0.2])
    scene = Scene(
        {"INPUT": _records(rng, on, metres, away), "CANDIDATES": _addresses(rng, on, metres)},
        {
            "WEIGHT": ["flats"] if chance(rng, 0.3) else [],
            "CLASSES": ["house"] if method == "exchange" and chance(rng, 0.25) else [],
        },
        values={
            "METHOD": method,
            "K": int(rng.integers(2, 7)),
            "K_RECORDS": int(rng.integers(2, 4)),
            "WITHIN": away or pick(rng, [0.0, 10.0]),
            "OUTPUT_AT": at,
        },
    )
    if at == "crossing":
        scene.tables["STREETS"], _ = _streets(rng, on)
    _out_of_use(scene, "STREETS")
    return _give_secret(rng, scene, on)


def exchange_in_a_model(rng: np.random.Generator) -> Scene:
    """The same for the model that attacks what was exchanged."""
    scene = exchange(rng)
    scene.tables["POINTS"] = scene.tables.pop("INPUT")
    scene.tables.pop("STREETS", None)
    given = {"K": int(rng.integers(2, 5)), "WITHIN": 10.0, "SECRET": None}
    return Scene(scene.tables, {}, {}, given)


def displacement(rng: np.random.Generator) -> Scene:
    """A law whose size comes from somewhere, with and without borders."""
    on = ground(rng)
    metres = _listed(rng, on, 24, 60)
    size_by = pick(rng, ["distance", "candidates", "population", "raster"], [0.4, 0.2, 0.2, 0.2])
    least = int(rng.integers(2, 6))
    scene = Scene(
        {"INPUT": _records(rng, on, metres, pick(rng, [0.0, 9.0]))},
        values={
            "SIZE_BY": size_by,
            "MIN": on.size * 0.05,
            "MAX": on.size * float(rng.uniform(0.06, 0.3)),
            "EPSILON": float(rng.uniform(5, 50)) / on.size,
            "K_MIN": least,
            "K_MAX": least + int(rng.integers(1, 9)),
        },
    )
    if size_by == "candidates":
        scene.tables["CANDIDATES"] = _addresses(rng, on, metres)
    elif size_by == "population":
        scene.tables["POPULATION"] = _zones(rng, on, "population", int(rng.integers(4, 17)), 1.3)
        scene.fields["POPULATION_FIELD"] = ["people"]
    elif size_by == "raster":
        scene.files["RASTER"] = _raster(rng, on)
    if chance(rng, 0.4):
        scene.tables["ZONES"] = _zones(rng, on, "zones", int(rng.integers(1, 10)), 1.3)
    if chance(rng, 0.25):
        scene.tables["AVOID"] = _zones(rng, on, "avoid", 1, 0.2)
    _out_of_use(scene, "CANDIDATES", "POPULATION", "ZONES", "AVOID")
    if size_by != "population":
        scene.values["POPULATION_FIELD"] = None
    if size_by != "raster":
        scene.values["RASTER"] = None
    return _give_secret(rng, scene, on)


def swap(rng: np.random.Generator) -> Scene:
    """Candidates in the rings of most records."""
    on = ground(rng)
    metres = _listed(rng, on, 24, 90)
    least = on.size * float(pick(rng, [0.0, 0.05, 0.2]))
    return _give_secret(
        rng,
        Scene(
            {"INPUT": _records(rng, on, metres), "CANDIDATES": _addresses(rng, on, metres)},
            {"CLASSES": ["house"] if chance(rng, 0.3) else []},
            values={
                "MIN": least,
                "MAX": least + on.size * float(rng.uniform(0.1, 0.6)),
                "K": int(rng.integers(2, 6)),
            },
        ),
        on,
    )


def _counted(rng: np.random.Generator, scene: Scene, on: Ground, metres: np.ndarray) -> None:
    """People of the zones, of other areas, or addresses."""
    what = pick(rng, ["zones", "points", "weighted"], [0.4, 0.4, 0.2])
    if what == "zones":
        scene.tables["POPULATION"] = _zones(rng, on, "population", int(rng.integers(4, 26)), 1.4)
        scene.fields["POPULATION_FIELD"] = ["people"]
        return
    scene.tables["POPULATION"] = _addresses(rng, on, metres)
    scene.tables["POPULATION"].name = "population"
    scene.fields["POPULATION_FIELD"] = ["flats"] if what == "weighted" else []


def aggregation(rng: np.random.Generator) -> Scene:
    """Cells, zones, merged zones."""
    on = ground(rng)
    metres = _listed(rng, on, 24, 90)
    method = pick(rng, ["grid", "hexagons", "zones", "merged"])
    scene = Scene(
        {"INPUT": _records(rng, on, metres, pick(rng, [0.0, 9.0]))},
        values={
            "METHOD": method,
            "SIDE": on.size * float(rng.uniform(0.1, 0.6)),
            "K": int(rng.integers(2, 12)),
        },
    )
    if method in ("zones", "merged"):
        scene.tables["ZONES"] = _zones(rng, on, "zones", int(rng.integers(1, 26)), 1.3)
    if method == "merged" or chance(rng, 0.4):
        _counted(rng, scene, on, metres)
    else:
        scene.values["POPULATION_FIELD"] = None
    _out_of_use(scene, "ZONES", "POPULATION")
    return _give_secret(rng, scene, on)


def streets(rng: np.random.Generator) -> Scene:
    """Streets through the places, and limits that most of them meet."""
    on = ground(rng)
    lines, block = _streets(rng, on)
    low = int(rng.integers(3, 6))
    return _give_secret(
        rng,
        Scene(
            {"INPUT": _records(rng, on, _listed(rng, on, 8, 30)), "STREETS": lines},
            values={
                "LOW": low,
                "HIGH": low + int(rng.integers(1, 6)),
                "MAX_LENGTH": block * float(rng.uniform(2.0, 8.0)),
            },
        ),
        on,
    )


def adaptive(rng: np.random.Generator) -> Scene:
    """Zones with enough people together, and crossings mostly."""
    on = ground(rng)
    metres = _listed(rng, on, 24, 60)
    scene = Scene(
        {
            "INPUT": _records(rng, on, metres, pick(rng, [0.0, 9.0])),
            "ZONES": _zones(rng, on, "zones", int(rng.integers(1, 26)), 1.3),
        },
        values={"K": int(rng.integers(2, 15))},
    )
    _counted(rng, scene, on, metres)
    what = pick(rng, ["streets", "crossings", "none"], [0.4, 0.3, 0.3])
    if what == "streets":
        scene.tables["STREETS"], _ = _streets(rng, on)
    elif what == "crossings":
        scene.tables["CROSSINGS"] = _points("crossings", on, _listed(rng, on, 20, 60))
    _out_of_use(scene, "STREETS", "CROSSINGS")
    return _give_secret(rng, scene, on)


def attack(rng: np.random.Generator) -> Scene:
    """Points that were displaced, or that a mask file takes for it, with addresses round them."""
    on = ground(rng)
    metres = _listed(rng, on, 24, 90)
    law = pick(rng, ["gaussian", "disc", "donut", "laplace"])
    size = on.size * float(rng.uniform(0.02, 0.3))
    sizes = {"laplace": {"EPSILON": 2 / size}, "donut": {"MIN": size / 3, "MAX": size}}
    parameters = {"LAW": law, "SIZE_BY": "distance", **sizes.get(law, {"MAX": size})}
    if law in ("disc", "donut"):
        parameters["EVEN_BY"] = "area"
    told = {
        "format": "geoanon-point-mask",
        "version": 1,
        "private": True,
        "mask": "maskdisplace",
        "law": law,
        "parameters": parameters,
        "crs": on.crs,
        "centre": _lonlat(on) if on.crs in _LOCAL else None,
        "secret_id": "0" * 16,
        "layers": [],
        "counts": {"records": 5},
        "attributes": [],
        "released": [],
    }
    what = pick(rng, ["good", "exchange", "other", "part", "number"], [0.7, 0.15, 0.05, 0.05, 0.05])
    if what == "exchange":
        told.update(mask="maskexchange", law="exchange")
        told["parameters"] = {"METHOD": "exchange", "K": 4, "OUTPUT_AT": "beside"}
    elif what == "other":
        told["mask"] = pick(rng, ["maskstreets", "", "nobody knows"])
    elif what == "part":
        del told[pick(rng, sorted(told))]
    elif what == "number":
        parameters["MAX"] = pick(rng, [0, -1, "a", None, 1e300])

    def write(folder: Path) -> Path:
        path = folder / "mask.json"
        path.write_text(json.dumps(told), encoding="utf-8")
        return path

    known = ["house"] if chance(rng, 0.3) else []
    scene = Scene(
        {
            "INPUT": _records(rng, on, metres, pick(rng, [0.0, size])),
            "CANDIDATES": _addresses(rng, on, metres),
        },
        {
            "WEIGHT": ["flats"] if chance(rng, 0.3) else [],
            "TARGET_QIS": known,
            "CANDIDATE_QIS": known,
        },
        files={"MASK": write},
        values={
            "ADVERSARY": pick(rng, ["both", "whose_place"]),
            "WITHIN": None,
            "ROUNDING": pick(rng, [None, 0.0, size / 4, 1e9], [0.7, 0.1, 0.15, 0.05]),
            "TOLERANCE": pick(rng, [None, "0", "1", "1, 2", "-1"], [0.6, 0.1, 0.2, 0.05, 0.05]),
        },
    )
    _out_of_use(scene, "KEY", "POPULATION", "ZONES", "AVOID", "RASTER")
    return scene


#: By the parameters that an algorithm has, before all other scenes.
SCENES: list[tuple[set[str], Callable[[np.random.Generator], Scene]]] = [
    ({"INPUT", "CANDIDATES", "MASK", "WITHIN"}, attack),
    ({"INPUT", "CANDIDATES", "OUTPUT_AT", "K_RECORDS"}, exchange),
    ({"POINTS", "CANDIDATES", "K", "WITHIN"}, exchange_in_a_model),
    ({"INPUT", "CANDIDATES", "LAW", "SIZE_BY"}, displacement),
    ({"INPUT", "CANDIDATES", "IF_EMPTY"}, swap),
    ({"INPUT", "ZONES", "SIDE", "PLACE"}, aggregation),
    ({"INPUT", "STREETS", "MAX_LENGTH"}, streets),
    ({"INPUT", "ZONES", "KEEP_INSIDE"}, adaptive),
]
