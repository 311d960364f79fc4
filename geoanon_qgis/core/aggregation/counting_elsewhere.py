# SPDX-License-Identifier: GPL-2.0-or-later
"""Records counted by a cluster that reads the table where it lies; what comes back are counts."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

from ..records.parquet import ParquetTable
from ..runtime.errors import InputError
from ..runtime.progress import Latest, Progress, silent
from ..runtime.workers import Backend, run_tasks
from .record_coding import RecordCoder

#: Rows that a worker counts at a time: the more, the fewer cells are sent for them.
_ROWS = 16_000_000


def count_elsewhere(
    coder: RecordCoder,
    table: ParquetTable,
    backend: Backend,
    progress: Progress = silent,
    rows: int = _ROWS,
) -> None:
    """Have all records of a table counted in pieces, and put them together in a coder.

    Codes and counts are those that :meth:`.RecordCoder.add` had come to here, batch by batch.

    Parameters
    ----------
    coder : RecordCoder
        Which has counted nothing yet, and keeps no records.
    table : ParquetTable
        Of files that all workers see under the same path.
    backend : Backend
    progress : callable
    rows : int
        Of a piece; no row group is taken apart.

    Raises
    ------
    InputError
        For records that cannot be counted, and files that a worker does not see.
    MissingPackage
        If one is not there that a cluster needs.
    """
    tasks = [
        (number, deepcopy(coder), piece, coder.fields)
        for number, piece in enumerate(table.pieces(rows))
    ]
    waiting: dict[int, RecordCoder] = {}
    done = 0
    told = Latest(progress)
    for number, found in run_tasks(_counted, tasks, backend, told):
        waiting[number] = found
        while done in waiting:  # in their order, in which values get their codes
            coder.absorb(waiting.pop(done), told.ask)
            done += 1


def _counted(
    number: int, coder: RecordCoder, table: ParquetTable, names: list[str], progress: Progress
) -> tuple[int, RecordCoder]:
    for part in table.parts:
        if not Path(part.path).exists():
            raise InputError(
                "A worker of the cluster does not see {path}. The files have to lie where all "
                "workers find them under the same name.",
                path=part.path,
            )
    read, told = 0, Latest(progress)
    try:
        for batch, rows in table.batches(names):
            coder.add(batch, told.ask)
            read += rows
            told(read / table.count)
    except ImportError as error:
        raise InputError(
            "A worker of the cluster lacks the package {name}, by which Parquet files are read.",
            name=error.name,
        ) from error
    coder.merge()
    return number, coder
