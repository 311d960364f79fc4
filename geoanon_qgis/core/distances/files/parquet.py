# SPDX-License-Identifier: GPL-2.0-or-later
"""The long form in Parquet: columns ``id_1``, ``id_2`` and ``distance``, a row for each pair."""

from __future__ import annotations

from typing import IO, Any

import numpy as np

from ...runtime import installing
from ...runtime.errors import GeoAnonError, InputError, MissingPackage
from ...runtime.progress import Progress, silent
from ...runtime.wording import Sentence, number_of
from ..matrix import DistanceMatrix, condensed_size
from .building import Pairs

#: Rows that are packed together, and rows read at once.
_GROUP = 1 << 20
_BATCH = 1 << 17
COLUMNS = ("id_1", "id_2", "distance")


def require() -> Any:
    """Return pyarrow with what is needed of it.

    Raises
    ------
    MissingPackage
        If it is not installed, or not made for the NumPy that is.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except Exception as error:  # built for another NumPy, it fails in more ways than one
        reason = installing.missing_sentence(["pyarrow"]) or (
            Sentence(
                "The Python package pyarrow is installed but cannot be loaded ({value}).",
                value=(str(error).splitlines() or [type(error).__name__])[0],
            )
        )
        raise MissingPackage(
            "{reason} Files that end in .csv or .npz do without.", reason=reason
        ) from error
    return pyarrow


def write_parquet(stream: IO[bytes], matrix: DistanceMatrix, progress: Progress = silent) -> None:
    """Write each pair (i, j), i < j, in the order of the condensed form."""
    arrow = require()
    ids = arrow.array(list(matrix.ids), arrow.string())
    kind = arrow.dictionary(arrow.int32(), arrow.string())
    schema = arrow.schema(list(zip(COLUMNS, (kind, kind, arrow.float64()))))
    n, pairs = len(matrix), condensed_size(len(matrix))
    with arrow.parquet.ParquetWriter(
        stream,
        schema,
        compression="snappy",
        use_dictionary=list(COLUMNS[:2]),
        write_statistics=False,
    ) as writer:
        row = 0
        while row < n - 1:
            progress(row * (2 * n - row - 1) / 2 / pairs)
            stop = _rows_of_group(n, row)
            first = row * (2 * n - row - 1) // 2
            last = stop * (2 * n - stop - 1) // 2
            rows = np.arange(row, stop, dtype=np.int32)
            i = np.repeat(rows, n - 1 - rows)
            j = np.concatenate([np.arange(at + 1, n, dtype=np.int32) for at in rows])
            columns = [
                arrow.DictionaryArray.from_arrays(arrow.array(codes), ids) for codes in (i, j)
            ]
            columns.append(arrow.array(matrix.condensed[first:last]))
            writer.write_table(arrow.Table.from_arrays(columns, schema=schema))
            row = stop
    progress(1.0)


def _rows_of_group(n: int, row: int) -> int:
    """Where rows of the triangle that start at ``row`` and make a group end."""
    stop, count = row, 0
    while stop < n - 1 and count < _GROUP:
        count += n - 1 - stop
        stop += 1
    return stop


def read_parquet(
    path: str, name: str, tolerance: float | None, unit: str, progress: Progress = silent
) -> DistanceMatrix:
    """Read a long table; the columns are found by their names or are the only three."""
    arrow = require()
    try:
        with open(path, "rb") as stream:
            table = arrow.parquet.ParquetFile(stream)
            return _read(arrow, table, name, tolerance, unit, progress)
    except (GeoAnonError, OSError, MemoryError) as error:
        if isinstance(error, arrow.ArrowException) or type(error) is OSError and not error.errno:
            raise InputError(_damaged(name, error)) from error
        raise
    except Exception as error:  # damaged files fail in many ways
        raise InputError(_damaged(name, error)) from error


def _damaged(name: str, error: Exception) -> str:
    reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
    return Sentence(
        "The file {name} is damaged or no Parquet file ({reason}).", name=name, reason=reason
    )


def _read(
    arrow: Any, table: Any, name: str, tolerance: float | None, unit: str, progress: Progress
) -> DistanceMatrix:
    columns = _columns(table.schema_arrow.names, name)
    total = table.metadata.num_rows
    if not total:
        raise InputError("The file {name} has no rows.", name=name)
    pairs = Pairs(name, tolerance, most=total)
    done = 0
    for batch in table.iter_batches(batch_size=_BATCH, columns=columns):
        progress(0.9 * done / total)
        i = _codes(arrow, batch.column(columns[0]), pairs, name, done)
        j = _codes(arrow, batch.column(columns[1]), pairs, name, done)
        distances = batch.column(columns[2])
        if not _is_number(arrow, distances.type):
            raise InputError(
                "The column {column!r} of the file {name} holds no numbers.",
                column=columns[2],
                name=name,
            )
        values = distances.cast(arrow.float64()).to_numpy(zero_copy_only=False)
        pairs.add(i, j, values, done + 1)
        done += batch.num_rows
    return pairs.finish(unit, lambda fraction: progress(0.9 + 0.1 * fraction))


def _columns(names: list[str], name: str) -> list[str]:
    if all(names.count(column) == 1 for column in COLUMNS):
        return list(COLUMNS)
    if len(names) == len(set(names)) == 3:
        return list(names)
    raise InputError(
        "The file {name} has {columns}; it must have {names}.",
        name=name,
        columns=number_of(len(names), "column", "columns"),
        names=", ".join(COLUMNS),
    )


def _is_number(arrow: Any, kind: Any) -> bool:
    types = arrow.types
    return types.is_floating(kind) or types.is_integer(kind) or types.is_decimal(kind)


def _codes(arrow: Any, column: Any, pairs: Pairs, name: str, row: int) -> np.ndarray:
    """Numbers of the records in a column of ids."""
    if not arrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    kind = column.type.value_type
    types = arrow.types
    if not (types.is_integer(kind) or types.is_string(kind) or types.is_large_string(kind)):
        raise InputError(
            "The ids in the file {name} are neither text nor whole numbers.", name=name
        )
    indices = column.indices
    if indices.null_count or column.dictionary.null_count:
        raise InputError(
            "The file {name} has rows without an id, after row {row:,}.", name=name, row=row
        )
    codes = indices.to_numpy(zero_copy_only=False).astype(np.int64)
    texts = column.dictionary.to_pylist()
    # Only ids that occur, in the order in which they do: a dictionary may hold more.
    used, first = np.unique(codes, return_index=True)
    numbers = np.zeros(len(texts), dtype=np.int64)
    for code in used[np.argsort(first)]:
        numbers[code] = pairs.number(str(texts[code]))
    return numbers[codes]
