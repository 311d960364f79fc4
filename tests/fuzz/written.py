# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what a run has written, as somebody would who is given it."""

from __future__ import annotations

import csv
import gzip
import os
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from qgis.core import QgsCoordinateTransform, QgsPointXY, QgsProject, QgsVectorLayer

from geoanon_qgis.compat import is_null


def path_of(result: Any) -> Path | None:
    """The file of a result; None for a layer in memory."""
    if not isinstance(result, str) or not result:
        return None
    return Path(result.split("|layername=")[0])


def layer_of(result: Any) -> QgsVectorLayer | None:
    """The layer of a result; None if it cannot be loaded."""
    if isinstance(result, QgsVectorLayer):
        return result
    layer = QgsVectorLayer(str(result), "result", "ogr")
    return layer if layer.isValid() else None


def rows_of(result: Any) -> list[dict[str, Any]]:
    """Attributes by small names; None for NULL."""
    path = path_of(result)
    if path is None or not path.is_file():
        return _rows_of(result)
    found = os.stat(path)
    return [dict(row) for row in _kept_rows(result, found.st_mtime_ns, found.st_size)]


@lru_cache(maxsize=16)
def _kept_rows(result: str, *stamp: int) -> list[dict[str, Any]]:
    """A file is asked by several checks; while it is the same it is read once."""
    return _rows_of(result)


def _rows_of(result: Any) -> list[dict[str, Any]]:
    layer = layer_of(result)
    if layer is None:
        return []
    names = [name.lower() for name in layer.fields().names()]
    return [
        {name: None if is_null(value) else value for name, value in zip(names, one.attributes())}
        for one in layer.getFeatures()
    ]


def first_points(result: Any, crs=None) -> list[tuple[float, float] | None]:
    """First vertex of each feature, in ``crs`` where one is given; of a CSV its X and Y."""
    layer = layer_of(result)
    if layer is None:
        return []
    if not layer.isSpatial():
        return [
            (float(row["x"]), float(row["y"])) if row.get("x") not in (None, "") else None
            for row in rows_of(result)
        ]
    own = layer.crs()
    change = None  # KML and the like are in degrees, whatever was given
    if crs is not None and crs.isValid() and own.isValid() and own != crs:
        change = QgsCoordinateTransform(own, crs, QgsProject.instance())
    found = []
    for one in layer.getFeatures():
        shape = one.geometry()
        place = None if shape.isEmpty() else QgsPointXY(shape.vertexAt(0))
        if place is not None and change is not None:
            place = change.transform(place)
        found.append(None if place is None else (place.x(), place.y()))
    return found


def matrix_of(path: Path) -> tuple[list[str], np.ndarray] | None:
    """Ids and distances of a released matrix; None for Parquet."""
    if path.suffix == ".npz":
        with np.load(path) as file:
            ids, upper = [str(one) for one in file["ids"]], file["distances"]
        square = np.zeros((len(ids), len(ids)))
        square[np.triu_indices(len(ids), 1)] = upper
        return ids, square + square.T
    if path.suffix != ".csv":
        return None
    with open(path, newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    return head[1:], np.array([[float(one) for one in row[1:]] for row in rows])


def family_of(path: Path) -> list[Path]:
    """The file, and those that its format keeps beside it."""
    if path.suffix.lower() not in (".shp", ".dbf", ".tab", ".mif"):
        return [path] if path.exists() else []
    kin = {".shp", ".dbf", ".shx", ".prj", ".cpg", ".tab", ".dat", ".map", ".id", ".mif", ".mid"}
    return [
        one for one in path.parent.glob("*") if one.stem == path.stem and one.suffix.lower() in kin
    ]


def bytes_of(path: Path) -> bytes:
    """All bytes of a file, unpacked where it is packed."""
    data = path.read_bytes()
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as file:
            return b"".join(file.read(name) for name in file.namelist())
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
