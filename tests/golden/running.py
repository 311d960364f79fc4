# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs cases and puts down what came of them, as values that JSON holds."""

from __future__ import annotations

import hashlib
import json
import math
import re
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from osgeo import gdal, ogr

from tests.golden import inputs
from tests.golden.cases import CASES, File, Made

#: Rows of a layer that are kept; of longer ones as many, and what they come to together.
ROWS = 60
_SHOWN = 4
#: What changes from run to run, or is looked at in the outputs themselves.
_VOLATILE = {"seconds", "sha256", "content_sha256", "bytes", "seal"}
#: Algorithms that tell about this machine: only what they tell of is the same.
_OF_THE_MACHINE = {"checkenvironment"}


class Runner:
    """Runs each case once, in a folder of its own, and those before it whose outputs it takes."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._results: dict[str, dict] = {}
        (folder / "inputs").mkdir()
        inputs.make(folder / "inputs")

    def found(self, name: str) -> dict[str, Any]:
        """Return everything that came of a case."""
        results, case = self._ran(name), CASES[name]
        formats = dict(one.split(".") for one in case.outputs.split())
        found: dict[str, Any] = {}
        for output, value in sorted(results.items()):
            if case.algorithm in _OF_THE_MACHINE:
                found[output] = type(value).__name__
            elif output not in formats:
                found[output] = self._without_paths(value)
            elif formats[output] == "json":
                found[output] = self._figures(Path(value))
            else:
                found[output] = _file(Path(value))
        return found

    def _ran(self, name: str) -> dict:
        if name not in self._results:
            from qgis import processing

            case, folder = CASES[name], self._folder / name
            given = {key: self._resolved(value) for key, value in case.given.items()}
            folder.mkdir()
            for one in case.outputs.split():
                output, ending = one.split(".")
                given[output] = str(folder / f"{output.lower()}.{ending}")
            with _chance_that_repeats():
                self._results[name] = processing.run(f"geoanon:{case.algorithm}", given)
        return self._results[name]

    def _resolved(self, value: Any) -> Any:
        if isinstance(value, File):
            return value.within(self._folder / "inputs")
        if isinstance(value, Made):
            results = self._ran(value.case)
            return results[value.output] if value.output else str(self._folder / value.case)
        return value

    def _figures(self, path: Path) -> dict[str, Any]:
        """Return the numbers of a report, without its sentences; all of any other file."""
        report = json.loads(path.read_text(encoding="utf-8"))
        if "sections" not in report:
            return self._without_paths(report)
        found: dict[str, Any] = {"figures": report["figures"]}
        if report.get("verdict"):
            found["verdict"] = {k: v for k, v in report["verdict"].items() if k != "next"}
        for section in report["sections"]:
            for block in section["blocks"]:
                numbers = block if block["type"] == "table" else _numbers(block)
                if block["type"] != "figures" and block.get("name") and numbers:
                    told = numbers["rows"] if block["type"] == "table" else numbers
                    found[f"{section['name']}.{block['name']}"] = _shortened(
                        self._without_paths(told)
                    )
        return self._without_paths(found)

    def _without_paths(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {k: self._without_paths(v) for k, v in value.items() if k not in _VOLATILE}
        if isinstance(value, (list, tuple)):
            return [self._without_paths(one) for one in value]
        if isinstance(value, str):
            return value.replace(str(self._folder), "…")
        return value


@contextmanager
def _chance_that_repeats():
    """Have NumPy take a seed of our own where it would ask the system for one."""
    real = np.random.default_rng

    def seeded(seed=None):
        return real(20_240_101 if seed is None else seed)

    with mock.patch.object(np.random, "default_rng", seeded):
        yield


def _numbers(block: Any) -> Any:
    """Return a chart's values, without words."""
    if isinstance(block, dict):
        kept = {key: _numbers(value) for key, value in block.items()}
        return {key: value for key, value in kept.items() if value not in (None, {}, [])}
    if isinstance(block, list):
        return [one for one in map(_numbers, block) if one not in (None, {}, [])]
    return None if isinstance(block, (str, bool)) else block


def _shortened(value: Any) -> Any:
    text = json.dumps(value)
    if len(text) < 4_000:
        return value
    numbers = [float(one) for one in re.findall(r"-?\d+\.?\d*(?:[eE][-+]?\d+)?", text)]
    return {"numbers": len(numbers), "sum": math.fsum(numbers), "sum_of_sizes": _size(numbers)}


def _size(numbers) -> float:
    return math.fsum(map(abs, numbers))


# --- files --------------------------------------------------------------------------------------


def _file(path: Path) -> dict[str, Any]:
    if path.suffix == ".npz":
        return _arrays(path)
    if path.suffix == ".parquet":
        return _parquet(path)
    found = _layer(path)
    if any(one.split(" ")[0] in _VOLATILE for one in found["schema"]):
        return found
    if path.suffix == ".gpkg":
        found["digest"] = _digest_of_database(path, found["layer"])
    else:
        found["digest"] = hashlib.sha256(path.read_bytes()).hexdigest()[:32]
    return found


def _layer(path: Path) -> dict[str, Any]:
    options = [f"{key}_POSSIBLE_NAMES=none" for key in "XY"] if path.suffix == ".csv" else []
    data = gdal.OpenEx(str(path), gdal.OF_VECTOR, open_options=options)
    shapefile = path.suffix == ".shp"  # which a later GDAL reads booleans from
    layer = data.GetLayer(0)
    definition = layer.GetLayerDefn()
    fields = [definition.GetFieldDefn(at) for at in range(definition.GetFieldCount())]
    reference = layer.GetSpatialRef()
    rows = []
    for feature in layer:
        values = [
            "…" if field.GetName() in _VOLATILE else _value(feature, at, field)
            for at, field in enumerate(fields)
        ]
        shape = feature.GetGeometryRef()
        if definition.GetGeomFieldCount():
            values.append(None if shape is None else _shape(shape))
        rows.append(values)
    return {
        "layer": layer.GetName(),
        "schema": [
            " ".join(
                [
                    field.GetName(),
                    ogr.GetFieldTypeName(field.GetType()),
                    "None" if shapefile else ogr.GetFieldSubTypeName(field.GetSubType()),
                    str(field.GetWidth()),
                ]
            )
            for field in fields
        ],
        "geometry": ogr.GeometryTypeToName(definition.GetGeomType()),
        "crs": reference.GetAuthorityCode(None) if reference else None,
        **_rows(rows),
    }


def _value(feature, at: int, field) -> Any:
    if not feature.IsFieldSetAndNotNull(at):
        return None
    if field.GetType() in (ogr.OFTInteger, ogr.OFTInteger64):
        return feature.GetFieldAsInteger64(at)
    if field.GetType() == ogr.OFTReal:
        number = feature.GetFieldAsDouble(at)
        return number if math.isfinite(number) else str(number)
    text = feature.GetFieldAsString(at)
    try:  # in a CSV everything is text
        number = float(text)
    except ValueError:
        return text
    return (
        number if re.fullmatch(r"-?\d+\.\d+(e[-+]\d+)?", text) and math.isfinite(number) else text
    )


def _shape(shape) -> list[Any]:
    """Return a shape's name and its coordinates, ring by ring."""
    if shape.GetGeometryCount():
        parts = [_shape(shape.GetGeometryRef(at)) for at in range(shape.GetGeometryCount())]
        return [shape.GetGeometryName(), *parts]
    return [shape.GetGeometryName(), *(list(point[:2]) for point in shape.GetPoints() or ())]


def _rows(rows: list[list[Any]]) -> dict[str, Any]:
    if len(rows) <= ROWS:
        return {"count": len(rows), "rows": rows}
    columns = []
    for column in zip(*rows):
        there = [one for one in column if one is not None]
        numbers = _flat(there)
        told = {"null": len(column) - len(there), "different": len(set(map(str, there)))}
        if numbers:
            told.update(sum=math.fsum(numbers), sum_of_sizes=_size(numbers))
        columns.append(told)
    return {"count": len(rows), "rows": rows[:_SHOWN] + rows[-_SHOWN:], "columns": columns}


def _flat(value: Any) -> list[float]:
    if isinstance(value, (list, tuple)):
        return [number for one in value for number in _flat(one)]
    return [value] if isinstance(value, (int, float)) else []


def _digest_of_database(path: Path, layer: str) -> str:
    """Return a digest of all that a GeoPackage stores of its layer, to the last bit."""
    with closing(sqlite3.connect(str(path))) as database:
        made = database.execute(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (layer,)
        ).fetchall()
        rows = database.execute(f'SELECT * FROM "{layer}" ORDER BY rowid').fetchall()
        extent = database.execute(
            "SELECT table_name, data_type, min_x, max_x, min_y, max_y, srs_id FROM gpkg_contents"
        ).fetchall()
    return hashlib.sha256(repr((made, rows, extent)).encode()).hexdigest()[:32]


def _arrays(path: Path) -> dict[str, Any]:
    with np.load(path) as arrays:
        return {
            name: {
                "type": str(array.dtype),
                "shape": list(array.shape),
                **({} if array.dtype.kind not in "iuf" else {"sum": float(array.sum())}),
                "first": array.ravel()[:6].tolist(),
            }
            for name, array in arrays.items()
        }


def _parquet(path: Path) -> dict[str, Any]:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    rows = [list(row) for row in zip(*(column.to_pylist() for column in table.columns))]
    return {"schema": [f"{one.name} {one.type}" for one in table.schema], **_rows(rows)}
