# SPDX-License-Identifier: GPL-2.0-or-later
"""The rows of a GeoPackage layer as they lie in the file, several times faster than by QGIS.

For a layer that is read as a whole: plain points, and fields of which SQLite holds what QGIS would
hand over. Whatever is not just so, a filter, unsaved edits, one odd value, is left to QGIS. The
columnar reading of GDAL would be faster still and serve more formats, but until 3.8 it gave wrong
truth values, and until 3.11 it could crash.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import numpy as np
from qgis.core import QgsFields, QgsProcessingFeatureSource
from qgis.PyQt.QtCore import QDate

from ...compat import FIELD_TYPES
from . import whole_files
from .geopackage import Unsuitable, quoted
from .wkb import POINT_HEAD, WKB_POINT

#: Where a file of SQLite says how it is written to, and what it says without a journal ahead.
_JOURNAL, _BEHIND = slice(18, 20), b"\x01\x01"
#: What a geometry starts with that is a point without an envelope, and which of its bits say so:
#: the number of the system and whether the point is empty do not.
_BLOB_HEAD = 8
_HEAD = np.frombuffer(b"GP\x00\x01" + bytes(4) + POINT_HEAD, np.uint8)
_FIXED = np.frombuffer(b"\xff\xff\xff\xef" + bytes(4) + b"\xff" * len(POINT_HEAD), np.uint8)
_LEAST, _GREATEST = -(2**31), 2**31 - 1


@dataclass(frozen=True)
class Rows:
    """Some features of a source.

    Attributes
    ----------
    ids : list of int
    wkbs : list of bytes
        Their geometries, empty where there is none; no element where none were asked for.
    columns : list of sequences
        Their values, field by field.
    """

    ids: list[int]
    wkbs: list[bytes]
    columns: list[Sequence[Any]]


def batches(
    source: QgsProcessingFeatureSource, fields: QgsFields, places: bool, size: int
) -> Iterator[Rows]:
    """Yield all rows, ``size`` at a time, in the order in which QGIS would.

    Raises
    ------
    Unsuitable
        At any time: then what was yielded is to be forgotten, and QGIS to be asked.
    """
    file = whole_files.file_of(source)
    if file is None or file.format != "GPKG" or not _lies_still(file.path):
        raise Unsuitable("not all of a layer as its file holds it")
    try:
        address = f"{file.path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=0.0)) as database:
            statement, readers = _plan(database, file.layer, fields, places)
            cursor = database.execute(statement)
            while some := cursor.fetchmany(size):
                ids, *columns = zip(*some)
                wkbs = _wkbs(columns.pop(0)) if places else []
                yield Rows(
                    list(ids), wkbs, [read(column) for read, column in zip(readers, columns)]
                )
    except sqlite3.Error as error:
        raise Unsuitable(str(error)) from error


def _lies_still(path: Path) -> bool:
    """Tell whether nobody writes to a file with a journal ahead of it, which reading would make."""
    try:
        with open(path, "rb") as file:
            return file.read(_JOURNAL.stop)[_JOURNAL] == _BEHIND
    except OSError:
        return False


def _plan(
    database: sqlite3.Connection, table: str, fields: QgsFields, places: bool
) -> tuple[str, list[Callable[[Sequence], Sequence]]]:
    """Return a query for ids, geometries and values, and what makes QGIS's values of each."""
    if not table:
        found = database.execute("SELECT table_name FROM gpkg_contents").fetchall()
        if len(found) != 1:
            raise Unsuitable("not one layer")
        table = found[0][0]
    kind = database.execute("SELECT type, sql FROM sqlite_master WHERE name = ?", (table,))
    if [(what, "VIRTUAL" in sql.upper()) for what, sql in kind] != [("table", False)]:
        raise Unsuitable("no ordinary table")
    info = database.execute(f"PRAGMA table_info({quoted(table)})").fetchall()
    declared = {name: kind.upper() for _, name, kind, *_ in info}
    keys = [name for _, name, *_, key in info if key]
    if len(keys) != 1 or declared[keys[0]] != "INTEGER":
        raise Unsuitable("no number of the row")
    names, readers = keys, []
    if places:
        names = keys + _geometry(database, table)
    for field in fields:
        wanted, read = _READ.get(field.type(), ("", None))
        if read is None or not re.fullmatch(wanted, declared.get(field.name(), "")):
            raise Unsuitable("a field of another type")
        names = [*names, field.name()]
        readers.append(read)
    listed = ", ".join(map(quoted, names))
    select = ("SELECT", listed, "FROM", quoted(table), "ORDER BY", quoted(keys[0]))
    return " ".join(select), readers


def _geometry(database: sqlite3.Connection, table: str) -> list[str]:
    found = database.execute(
        "SELECT column_name FROM gpkg_geometry_columns WHERE table_name = ?"
        " AND geometry_type_name = 'POINT' AND z = 0 AND m = 0",
        (table,),
    ).fetchall()
    if len(found) != 1:
        raise Unsuitable("no plain points")
    return [found[0][0]]


def _wkbs(blobs: Sequence[bytes | None]) -> list[bytes]:
    """Return points as well-known binary, without the head that a GeoPackage gives them."""
    there = [blob for blob in blobs if blob is not None]
    size = _BLOB_HEAD + WKB_POINT.itemsize
    if not {size}.issuperset(map(len, there)):
        raise Unsuitable("a geometry that is no plain point")
    heads = np.frombuffer(b"".join(there), np.uint8).reshape(-1, size)[:, : len(_HEAD)]
    # an empty point has coordinates that are no numbers, as in well-known binary
    if ((heads ^ _HEAD) & _FIXED).any():
        raise Unsuitable("a geometry that is no plain point")
    return [b"" if blob is None else blob[_BLOB_HEAD:] for blob in blobs]


# --- values ---------------------------------------------------------------------------------


def _only(kind: type, values: Sequence) -> Sequence:
    if not {kind, type(None)}.issuperset(map(type, values)):
        raise Unsuitable("a value of another type than its field")
    return values


def _short(values: Sequence) -> Sequence:
    there = {*_only(int, values)} - {None}
    if there and not (_LEAST <= min(there) and max(there) <= _GREATEST):
        raise Unsuitable("a number that QGIS would cut")
    return values


def _texts(values: Sequence) -> Sequence:
    if "\0" in "".join(filter(None, _only(str, values))):
        raise Unsuitable("a text that QGIS would cut")
    return values


def _truths(values: Sequence) -> Sequence:
    if not {0, 1, None}.issuperset(_only(int, values)):
        raise Unsuitable("a truth value that is none")
    return [None if value is None else value == 1 for value in values]


def _dates(values: Sequence) -> Sequence:
    made = {text: None if text is None else _date(text) for text in {*_only(str, values)}}
    return [made[text] for text in values]


def _date(text: str) -> QDate:
    found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", text, re.ASCII)
    date = QDate(*map(int, found.groups())) if found else QDate()
    if not date.isValid():
        raise Unsuitable("a date that is none")
    return date


#: For each type of QGIS's fields how the column must be declared, and what makes the values.
#: Moments are not among them: their zones are for QGIS to tell.
_READ: dict[Any, tuple[str, Callable[[Sequence], Sequence]]] = {
    FIELD_TYPES["int"]: ("MEDIUMINT", _short),
    FIELD_TYPES["long"]: ("INTEGER|INT", lambda values: _only(int, values)),
    FIELD_TYPES["double"]: ("REAL|DOUBLE", lambda values: _only(float, values)),
    FIELD_TYPES["string"]: (r"TEXT(\(\d+\))?", _texts),
    FIELD_TYPES["bool"]: ("BOOLEAN", _truths),
    FIELD_TYPES["date"]: ("DATE", _dates),
}
