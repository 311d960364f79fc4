# SPDX-License-Identifier: GPL-2.0-or-later
"""Small files to run algorithms on, with every type of attribute and with NULLs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from osgeo import ogr, osr

ogr.UseExceptions()

PEOPLE = 48
#: Whole numbers that a double cannot tell from their neighbours.
FIRST_ID = 2**53 + 1

_TYPES = {
    "long": (ogr.OFTInteger64, ogr.OFSTNone),
    "int": (ogr.OFTInteger, ogr.OFSTNone),
    "double": (ogr.OFTReal, ogr.OFSTNone),
    "text": (ogr.OFTString, ogr.OFSTNone),
    "bool": (ogr.OFTInteger, ogr.OFSTBoolean),
    "date": (ogr.OFTDate, ogr.OFSTNone),
    "time": (ogr.OFTTime, ogr.OFSTNone),
    "moment": (ogr.OFTDateTime, ogr.OFSTNone),
}
_PEOPLE_FIELDS = {
    "id": "long",
    "age": "int",
    "income": "double",
    "sex": "text",
    "smoker": "bool",
    "job": "text",
    "born": "date",
    "woken": "time",
    "seen": "moment",
}
_RECORD_FIELDS = {"region": "int", "age": "text", "sex": "text", "born": "date", "income": "double"}


def make(folder: Path) -> None:
    """Write all inputs into a folder."""
    rows = _people_rows()
    places = _places(PEOPLE, 1)
    degrees = (places - (400_000, 300_000)) / 1e5 + (-1.5, 52.5)
    _write(folder / "people.gpkg", "GPKG", _PEOPLE_FIELDS, rows, _points(places), 27700)
    _write(folder / "people.geojson", "GeoJSON", _PEOPLE_FIELDS, rows, _points(degrees), 4326)
    _write(folder / "people.csv", "CSV", _PEOPLE_FIELDS, rows)
    known = np.vstack([places, _places(150, 2)])
    numbers = [(one,) for one in range(500, 500 + len(known))]
    _write(folder / "known.gpkg", "GPKG", {"house": "int"}, numbers, _points(known), 27700)
    # Two files of one population, a third of whom are in both.
    everybody = _places(80, 3)
    who = [(row, int(row * 7 % 5), "fm"[row % 2]) for row in range(80)]
    for name, start, end in (
        ("first", 0, 48),
        ("second", 32, 80),
        ("few", 0, 12),
        ("few_known", 8, 20),
    ):
        some = slice(start, end)
        _write(
            folder / f"{name}.gpkg",
            "GPKG",
            {"person": "int", "age": "int", "sex": "text"},
            who[some],
            _points(everybody[some]),
            27700,
        )
    around = "POLYGON ((360000 260000,440000 260000,440000 340000,360000 340000,360000 260000))"
    _write(folder / "around.gpkg", "GPKG", {"name": "text"}, [("all",)], [around], 27700)
    _write_regions(folder)
    shares = {
        "qis": [{"name": "sex", "values": ["f", "m"]}, {"name": "age", "values": [1, 2, 3]}],
        "groups": {
            "north": {"sex": [0.5, 0.5], "age": [0.2, 0.3, 0.5]},
            "south": {"sex": [0.1, 0.9], "age": [0.0, 0.1, 0.9]},
        },
    }
    (folder / "shares.json").write_text(json.dumps(shares), encoding="utf-8")
    # Secrets of masks that keep their draws: of a grid in metres, and of a plane round a place.
    for name, crs, centre in (
        ("secret", "EPSG:27700", None),
        ("secret_degrees", "EPSG:4326", [-2.0, 53.0]),
    ):
        secret = {"format": "geoanon-secret", "version": 1, "secret": "5a" * 32, "crs": crs}
        text = json.dumps({**secret, "centre": centre, "used": {}, "kept": {}})
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


def _write_regions(folder: Path) -> None:
    side, step = 6, 1_000
    xs, ys = (400_000 + step * np.arange(side), 300_000 + step * np.arange(side))
    corners = [(x, y) for y in ys for x in xs]
    rows = [
        (100 + 7 * row, "north" if row < side * side // 2 else "south")
        for row in range(len(corners))
    ]
    squares = [
        f"POLYGON (({x} {y},{x + step} {y},{x + step} {y + step},{x} {y + step},{x} {y}))"
        for x, y in corners
    ]
    fields = {"uid": "int", "part": "text"}
    _write(folder / "squares.gpkg", "GPKG", fields, rows, squares, 27700)
    rng = np.random.default_rng(3)
    middles = np.array(corners) + rng.uniform(100, 900, (len(corners), 2)).round(1)
    _write(folder / "centres.gpkg", "GPKG", fields, rows, _points(middles), 27700)
    counted = np.random.default_rng(17)
    people = counted.integers(150, 900, len(rows))
    women, men = counted.poisson(people * 0.008), counted.poisson(people * 0.01)
    _write(
        folder / "counted.gpkg",
        "GPKG",
        {**fields, "women": "int", "men": "int", "people": "int"},
        [(*row, *map(int, more)) for row, *more in zip(rows, women, men, people)],
        squares,
        27700,
    )
    records = []
    for uid, _ in rows:
        for _ in range(int(rng.integers(6, 16))):
            age = str(rng.choice(["0-17", "18-39", "40-64", "65+"], p=[0.3, 0.4, 0.25, 0.05]))
            sex = str(rng.choice(["f", "m", "x"], p=[0.5, 0.48, 0.02]))
            born = f"{rng.integers(1990, 1993)}-0{rng.integers(1, 4)}-15"
            missing = len(records) % 41 == 0
            income = float(rng.integers(0, 40)) * 250.5
            records.append((uid, None if missing else age, sex, born, income))
    _write(folder / "records.gpkg", "GPKG", _RECORD_FIELDS, records)
    _write(folder / "records.csv", "CSV", _RECORD_FIELDS, records)


def _people_rows() -> list[tuple]:
    rng = np.random.default_rng(11)
    rows = []
    for row in range(PEOPLE):
        age = int(rng.integers(18, 80))
        full = [
            FIRST_ID + 2 * row,
            age,
            round(float(rng.gamma(4.0, 9_000.0)) + 100 * age, 2),
            str(rng.choice(["f", "m"])),
            int(rng.integers(0, 2)),
            str(rng.choice(["office", "craft", "care, “home”"])),
            f"{2020 - age}-{rng.integers(1, 13):02d}-{rng.integers(1, 29):02d}",
            f"{rng.integers(5, 9):02d}:{rng.integers(0, 4) * 15:02d}:00",
            f"2020-01-{rng.integers(1, 4):02d}T{rng.integers(0, 24):02d}:30:00",
        ]
        # one NULL a column, each in another row
        rows.append(tuple(None if row == 5 * at and at else one for at, one in enumerate(full)))
    return rows


def _places(count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.uniform(-20_000, 20_000, (count, 2)) + (400_000, 300_000)).round(3)


def _points(places: np.ndarray) -> list[str]:
    return [f"POINT ({x!r} {y!r})" for x, y in places.tolist()]


def _write(path: Path, driver: str, fields: dict, rows, shapes=None, epsg: int = 0) -> None:
    reference = None
    if epsg:
        reference = osr.SpatialReference()
        reference.ImportFromEPSG(epsg)
    data = ogr.GetDriverByName(driver).CreateDataSource(str(path))
    kind = ogr.wkbNone if shapes is None else ogr.CreateGeometryFromWkt(shapes[0]).GetGeometryType()
    options = ["CREATE_CSVT=YES"] if driver == "CSV" else []
    layer = data.CreateLayer(path.stem, reference, kind, options)
    for name, word in fields.items():
        definition = ogr.FieldDefn(name, _TYPES[word][0])
        definition.SetSubType(_TYPES[word][1])
        layer.CreateField(definition)
    for number, row in enumerate(rows):
        feature = ogr.Feature(layer.GetLayerDefn())
        for name, value in zip(fields, row):
            if value is None:
                feature.SetFieldNull(name)
            else:
                feature.SetField(name, value)
        if shapes is not None:
            feature.SetGeometry(ogr.CreateGeometryFromWkt(shapes[number]))
        layer.CreateFeature(feature)
