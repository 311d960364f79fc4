# SPDX-License-Identifier: GPL-2.0-or-later
"""Fills a new GeoPackage layer from arrays, many times faster than feature by feature.

QGIS makes the file, so that its tables, reference system, extensions and triggers are exactly
QGIS's. Then the rows go in through Python's own SQLite, and the spatial index is packed instead
of being grown row by row, which is where a writer spends most of its time. A layer that this
does not serve is left to QGIS's writer.

References: OGC 12-128r19, clauses 2.1.3 (geometries) and F.3 (spatial index); the layout of
SQLite's R*Tree tables is described at the head of its source, ``rtree.c``.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from qgis.core import QgsFields

from ...compat import FIELD_TYPES, is_null
from ...core.columns import Column
from ...core.runtime.progress import Progress, chunks, part
from ...core.values import NUMBER, TEXT, TRUTH, WHOLE
from .shapes import Shapes, as_bytes

#: Rows between two questions whether to go on: some thirty milliseconds.
_BATCH = 20_000

#: Which Python types a field's values may have, and which kinds of NumPy arrays.
_SUITABLE = {
    FIELD_TYPES["int"]: ({int}, "iu"),
    FIELD_TYPES["long"]: ({int}, "iu"),
    FIELD_TYPES["double"]: ({int, float}, "iuf"),
    FIELD_TYPES["string"]: ({str}, "U"),
    FIELD_TYPES["bool"]: ({bool}, "b"),
}
_PYTHON = {WHOLE: int, NUMBER: float, TEXT: str, TRUTH: bool}
#: The format's own ids of undefined reference systems.
_UNKNOWN_PLANE, _UNKNOWN_DEGREES = -1, 0


class Unsuitable(Exception):
    """The layer cannot be filled, or read, this way; QGIS can still do it."""


def plain_columns(
    fields: QgsFields, columns: Sequence[Sequence[Any]]
) -> list[Sequence[Any]] | None:
    """Return columns whose values SQLite stores as QGIS would; None if there are others."""
    result = []
    for field, column in zip(fields, columns):
        types, kinds = _SUITABLE.get(field.type(), (set(), ""))
        if isinstance(column, Column):
            if not column.is_empty and _PYTHON.get(column.kind) not in types:
                return None
        elif isinstance(column, np.ndarray):
            if column.dtype.kind not in kinds:
                return None
        else:
            types = types | {type(None)}
            if not types.issuperset(map(type, column)):
                column = [None if is_null(value) else value for value in column]
                if not types.issuperset(map(type, column)):
                    return None
        # QGIS cuts texts that are longer than the field, and says so
        if (
            "U" in kinds
            and field.length() > 0
            and _longest(column.distinct if isinstance(column, Column) else column) > field.length()
        ):
            return None
        result.append(column)
    return result


def fill(
    path: Path,
    fields: QgsFields,
    columns: Sequence[Sequence[Any]],
    shapes: Shapes | None,
    progress: Progress,
) -> None:
    """Put rows into the only layer of a GeoPackage, which QGIS has just made and left empty.

    Parameters
    ----------
    path : Path
        The file; a failed or cancelled run leaves it useless.
    fields : QgsFields
    columns : sequence of list or ndarray
        As :func:`plain_columns` returns them.
    shapes : Shapes, optional
        The geometries; None for a table without.
    progress : callable
        Told a fraction; may raise to cancel.

    Raises
    ------
    Unsuitable
        If the file is not as expected, or SQLite refuses.
    OSError
        If the disk is full.
    """
    try:
        with closing(sqlite3.connect(str(path), isolation_level=None)) as database:
            # Nobody else sees the file before it is complete.
            database.execute("PRAGMA journal_mode = OFF")
            database.execute("PRAGMA synchronous = OFF")
            database.execute("PRAGMA locking_mode = EXCLUSIVE")
            database.execute("BEGIN")
            layer = _Layer.of(database, fields.names())
            triggers = _take_triggers(database)
            _insert(database, layer, columns, shapes, part(progress, 0.0, 0.6))
            if shapes is not None:
                _index(database, layer, shapes, part(progress, 0.6, 1.0))
            for sql in triggers:
                database.execute(sql)
            database.execute("COMMIT")
    except sqlite3.Error as error:
        if "full" in str(error):
            raise OSError(errno.ENOSPC, str(error), str(path)) from error
        raise Unsuitable(str(error)) from error
    except UnicodeEncodeError as error:  # half of a surrogate pair
        raise Unsuitable(str(error)) from error


@dataclass(frozen=True)
class _Layer:
    table: str
    geometry: str  # the geometry's column, '' without
    srs_id: int
    columns: list[str]  # that the rows are inserted into, the row's number and geometry first

    @classmethod
    def of(cls, database: sqlite3.Connection, names: list[str]) -> _Layer:
        tables = database.execute("SELECT table_name FROM gpkg_contents").fetchall()
        if len(tables) != 1:
            raise Unsuitable("not one layer")
        table = tables[0][0]
        if database.execute(_sql("SELECT 1 FROM {table} LIMIT 1", table=table)).fetchall():
            raise Unsuitable("not empty")
        geometry, srs_id = "", 0
        if _has_table(database, "gpkg_geometry_columns"):
            found = database.execute("SELECT column_name, srs_id FROM gpkg_geometry_columns")
            geometry, srs_id = found.fetchone() or ("", 0)
        if geometry and srs_id == _UNKNOWN_DEGREES:
            # QGIS writes a layer without a reference system as if it were in degrees.
            srs_id = _UNKNOWN_PLANE
            database.execute("UPDATE gpkg_geometry_columns SET srs_id = ?", (srs_id,))
            database.execute("UPDATE gpkg_contents SET srs_id = ?", (srs_id,))
        info = database.execute(_sql("PRAGMA table_info({table})", table=table)).fetchall()
        found = [row[1] for row in info]
        own = [row[1] for row in info if row[5] or row[1] == geometry]  # the key comes first
        if found != [*own, *names] or len(own) != (2 if geometry else 1):
            raise Unsuitable("other columns than expected")
        return cls(table, geometry, srs_id, found)

    @property
    def index(self) -> str:
        return f"rtree_{self.table}_{self.geometry}"


def _insert(
    database: sqlite3.Connection,
    layer: _Layer,
    columns: Sequence[Sequence[Any]],
    shapes: Shapes | None,
    progress: Progress,
) -> None:
    if bool(layer.geometry) != (shapes is not None):
        raise Unsuitable("geometries expected, or not expected")
    # The columns stand in the table's order.
    sql = _sql("INSERT INTO {table} VALUES ({values})", layer.table, len(layer.columns))
    count = len(columns[0]) if shapes is None else len(shapes)
    for rows in chunks(count, _BATCH, progress):
        values: list[Any] = [range(rows.start + 1, rows.stop + 1)]
        if shapes is not None:
            values.append(_blobs(shapes[rows], layer.srs_id))
        for column in columns:
            piece = column[rows]
            values.append(piece.tolist() if isinstance(piece, np.ndarray) else piece)
        database.executemany(sql, zip(*values))
    if _has_table(database, "gpkg_ogr_contents"):
        database.execute("UPDATE gpkg_ogr_contents SET feature_count = ?", (count,))


def _blobs(shapes: Shapes, srs_id: int) -> list[bytes | None]:
    """Return geometries as GeoPackage stores them: a header, then WKB."""
    is_point = shapes.corners.shape[1] == 1
    flags = 0b00000001 if is_point else 0b00000011  # little endian; with an envelope for lines
    start = b"GP\x00" + bytes([flags]) + int(srs_id).to_bytes(4, "little", signed=True)
    parts = [np.tile(np.frombuffer(start, np.uint8), (len(shapes), 1))]
    if not is_point:
        parts.append(np.ascontiguousarray(shapes.bounds(), "<f8").view(np.uint8))
    blobs: list[bytes | None] = as_bytes(np.hstack([*parts, shapes.wkb()]))
    for row in np.flatnonzero(~shapes.there()).tolist():
        blobs[row] = None
    return blobs


# --- the spatial index --------------------------------------------------------------------------

#: One cell of a node: a feature id or the number of a node below, and a box in single precision.
_CELL = np.dtype([("id", ">i8"), ("box", ">f4", 4)])
_ROOT = 1  # the number of the topmost node


def _index(database: sqlite3.Connection, layer: _Layer, shapes: Shapes, progress: Progress) -> None:
    """Pack the R-tree bottom up from boxes in an order that keeps neighbours together."""
    if not _has_table(database, layer.index):
        raise Unsuitable("no spatial index")
    there = np.flatnonzero(shapes.there())
    if len(there) == 0:
        return
    progress(0.0)
    boxes = shapes.bounds()[there]
    database.execute(
        "UPDATE gpkg_contents SET min_x = ?, max_x = ?, min_y = ?, max_y = ?",
        [float(f(boxes[:, i])) for i, f in enumerate((np.min, np.max, np.min, np.max))],
    )
    # Python's SQLite writes the index's own tables, so it need not know R-trees itself.
    table = layer.index + "_node"
    root = database.execute(_sql("SELECT length(data) FROM {table} WHERE nodeno = 1", table=table))
    (size,) = root.fetchone()
    progress(0.1)
    order = _z_order(boxes)
    progress(0.2)
    ids, boxes = (there + 1)[order], _rounded_outwards(boxes[order])
    progress(0.3)
    tree = []
    for level in _pack(ids, boxes, size):
        progress(0.4)
        tree.append(level)
    leaf_of = np.empty(len(shapes), dtype=np.int64)
    leaf_of[ids - 1] = tree[0].node_of_cell
    add_node = _sql("INSERT OR REPLACE INTO {table} VALUES (?, ?)", table=table)
    add_row, add_parent = (
        _sql("INSERT INTO {table} VALUES (?, ?)", table=layer.index + ending)
        for ending in ("_rowid", "_parent")
    )
    for rows in chunks(len(there), _BATCH, part(progress, 0.4, 0.9)):
        database.executemany(
            add_row,
            zip((there[rows] + 1).tolist(), leaf_of[there[rows]].tolist()),
        )
    for level in tree:
        progress(0.9)
        database.executemany(add_node, zip(level.numbers.tolist(), as_bytes(level.data)))
        if level is not tree[0]:  # its cells are the nodes of the level below
            database.executemany(add_parent, zip(level.cells.tolist(), level.node_of_cell.tolist()))


@dataclass(frozen=True)
class _Level:
    """Nodes at one height: their numbers, what is stored of them, and which cell is in which."""

    numbers: np.ndarray
    data: np.ndarray
    cells: np.ndarray
    node_of_cell: np.ndarray


def _pack(ids: np.ndarray, boxes: np.ndarray, node_size: int) -> Iterator[_Level]:
    """Yield the levels of the tree from the leaves up to the root."""
    room = (node_size - 4) // _CELL.itemsize
    node = np.dtype(
        {
            "names": ["depth", "count", "cells"],
            "formats": [">u2", ">u2", (_CELL, room)],
            "offsets": [0, 2, 4],
            "itemsize": node_size,
        }
    )
    used, depth = _ROOT, 0
    while True:
        count = -(-len(ids) // room)
        is_root = count == 1
        numbers = np.array([_ROOT]) if is_root else np.arange(used + 1, used + count + 1)
        used += count
        # As full as can be, and equally so.
        starts = np.arange(count + 1) * len(ids) // count
        position = np.repeat(np.arange(count), np.diff(starts))
        nodes = np.zeros(count, dtype=node)
        nodes["count"] = np.diff(starts)
        nodes["depth"] = depth if is_root else 0  # only the root tells the tree's depth
        slots = np.arange(len(ids)) - starts[position]
        nodes["cells"]["id"][position, slots] = ids
        nodes["cells"]["box"][position, slots] = boxes
        yield _Level(
            numbers, nodes.view(np.uint8).reshape(count, node_size), ids, numbers[position]
        )
        if is_root:
            return
        least = np.minimum.reduceat(boxes, starts[:-1], axis=0)
        greatest = np.maximum.reduceat(boxes, starts[:-1], axis=0)
        boxes = np.where([True, False, True, False], least, greatest)
        ids = numbers
        depth += 1


def _rounded_outwards(boxes: np.ndarray) -> np.ndarray:
    """Return boxes in single precision that hold those in double precision."""
    single = boxes.astype(np.float32)
    for side, towards in ((0, -np.inf), (1, np.inf), (2, -np.inf), (3, np.inf)):
        inside = (
            single[:, side] > boxes[:, side] if towards < 0 else (single[:, side] < boxes[:, side])
        )
        single[inside, side] = np.nextafter(single[inside, side], np.float32(towards))
    return single


def _z_order(boxes: np.ndarray) -> np.ndarray:
    """Return an order of boxes along a curve that keeps neighbours together."""
    middle = boxes.reshape(-1, 2, 2).mean(axis=2)
    middle -= middle.min(axis=0)
    scale = 65_535 / (middle.max() or 1.0)
    x, y = (middle * scale).astype(np.uint64).T
    return np.argsort(_spread(x) | (_spread(y) << np.uint64(1)), kind="stable")


def _spread(numbers: np.ndarray) -> np.ndarray:
    """Put a zero between any two of the lowest 16 bits."""
    for shift, mask in ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)):
        numbers = (numbers | (numbers << np.uint64(shift))) & np.uint64(mask)
    return numbers


# --- SQLite -------------------------------------------------------------------------------------


def _take_triggers(database: sqlite3.Connection) -> list[str]:
    """Drop the triggers that would run for each row; return the statements that bring them back.

    They keep the index and the count of features, which are written as a whole here, and call
    functions that only GDAL's SQLite has.
    """
    statements = []
    for name, sql in database.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid"
    ).fetchall():
        database.execute(_sql("DROP TRIGGER {table}", table=name))
        statements.append(sql)
    return statements


def _has_table(database: sqlite3.Connection, name: str) -> bool:
    found = database.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)
    )
    return found.fetchone() is not None


def _sql(template: str, table: str, values: int = 0) -> str:
    """Put marks for values, and a quoted name, which cannot be bound, into a statement."""
    return template.replace("{values}", ", ".join("?" * values)).replace("{table}", quoted(table))


def quoted(name: str) -> str:
    """Return a name as SQL takes it, whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


def _longest(column: Sequence[Any]) -> int:
    return max((len(value) for value in column if value is not None), default=0)
