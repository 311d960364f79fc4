# SPDX-License-Identifier: GPL-2.0-or-later
"""Where outputs go: formats, names of files, and what lies there already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from qgis.core import QgsProcessing

from .tables import chance, pick

_LAYERS = [
    ".gpkg",
    ".shp",
    ".geojson",
    ".csv",
    ".fgb",
    ".tab",
    ".mif",
    ".sqlite",
    ".xlsx",
    ".json",
    ".geojsonl",
    ".SHP",
    ".GPKG",
    ".kml",
    ".gml",
    ".ods",
    ".nothing",
    "",
]
_LAYER_WEIGHTS = [30, 12, 10, 10, 7, 4, 3, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1]
#: Formats that refuse a table without places.
_MAPS_ONLY = (".fgb", ".mif", ".geojsonl")
#: Formats that refuse places.
_TABLES_ONLY = (".xlsx", ".ods")
_STEMS = [
    "out",
    "two words",
    "ünïcödé 😀",
    "quo'te",
    'dq"uote',
    "per%20cent",
    "semi;colon",
    "a.b.c",
    "x" * 200,
    "-dash",
    "#hash",
    "br(ack)ets[1]",
]
_STEM_WEIGHTS = [60, 6, 6, 5, 3, 3, 3, 3, 2, 2, 3, 3]
#: Endings of files that users have beside an output and that share its stem.
_NEIGHBOURS = [".txt", ".dbf", ".prj", ".json", ".csv", ".qml", ".dat", ".gpkg"]
#: What is in a file that lay there before the run.
THEIRS = b"A file of the user's, which no run has made.\n"


def destination(rng: np.random.Generator, definition, folder: Path, tame: bool) -> Any:
    """A value for a destination: a temporary layer, or a file in ``folder``."""
    if chance(rng, 0.15):
        return QgsProcessing.TEMPORARY_OUTPUT
    if definition.type() == "sink":
        ending = pick(rng, _LAYERS, _LAYER_WEIGHTS)
        is_table = definition.dataType() == QgsProcessing.SourceType.TypeVector
        if ending in (_MAPS_ONLY if is_table else _TABLES_ONLY) and chance(rng, 0.9):
            ending = ".csv"
        if ":" in definition.name() and chance(rng, 0.9):  # the model's next step reads it
            ending = pick(rng, [".gpkg", ".shp", ".csv" if is_table else ".fgb"])
    else:
        endings = [one for one in definition.fileFilter().replace(")", " ").split() if "*." in one]
        ending = pick(rng, [one.strip("(*").strip("*") for one in endings] or [".txt"])
    stem = "out" if tame else pick(rng, _STEMS, _STEM_WEIGHTS)
    if not chance(rng, 0.04):  # else outputs share a stem, and may be in each other's way
        stem = f"{stem}_{definition.name().lower().replace(':', '_')}"
    path = folder / f"{stem}{ending}"
    if chance(rng, 0.15):
        path.write_bytes(THEIRS)
    if chance(rng, 0.08):
        path.with_name(stem + pick(rng, _NEIGHBOURS)).write_bytes(THEIRS)
    if not tame and chance(rng, 0.02):
        path = folder / "no such folder" / path.name
    return str(path)
