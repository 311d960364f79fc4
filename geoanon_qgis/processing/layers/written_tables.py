# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables that this run has written, counted again from the bytes of their files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from osgeo import gdal

from ...core.runtime.progress import Progress, interruptible
from .geopackage import quoted

#: Formats that are asked in SQL themselves; GDAL lends the others SQLite.
_OWN_SQL = ("GPKG", "SQLite")


def class_sizes(
    path: Path, layer: str, fields: Sequence[str], compared: int, progress: Progress
) -> np.ndarray | None:
    """How many rows of a file agree in its first fields, for each combination that is there.

    GDAL reads the file and SQLite counts: nothing of what wrote the file is asked.

    Parameters
    ----------
    path : Path
    layer : str
        Empty for the only one.
    fields : sequence of str
        All that were written, in their order. Some formats shorten their names.
    compared : int
        How many of them make a combination. Nothing is a value, too.
    progress : Progress

    Returns
    -------
    (combinations,) int64 array or None
        None where GDAL cannot read the file as it was written.
    """

    def count() -> np.ndarray | None:
        try:
            table = gdal.OpenEx(str(path), gdal.OF_VECTOR | gdal.OF_READONLY)
            return None if table is None else _counted(table, layer, list(fields), compared)
        except RuntimeError:  # where somebody has told GDAL to raise
            return None

    return interruptible(count, progress, 0.5)


def _counted(table, layer: str, fields: list[str], compared: int) -> np.ndarray | None:
    found = table.GetLayerByName(layer) if layer else table.GetLayer(0)
    if found is None:
        return None
    definition = found.GetLayerDefn()
    names = [definition.GetFieldDefn(at).GetName() for at in range(definition.GetFieldCount())]
    if len(names) != len(fields):
        return None
    combination = ", ".join(map(quoted, names[:compared]))
    query = ("SELECT COUNT(*) FROM", quoted(found.GetName()), "GROUP BY", combination)
    dialect = "" if table.GetDriver().ShortName in _OWN_SQL else "SQLITE"
    counts = table.ExecuteSQL(" ".join(query), dialect=dialect)
    if counts is None:
        return None
    try:
        return np.fromiter((row.GetField(0) for row in counts), dtype=np.int64)
    finally:
        table.ReleaseResultSet(counts)
