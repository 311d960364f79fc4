# SPDX-License-Identifier: GPL-2.0-or-later
"""Records that are made up piece by piece, as columns of a layer and as a Parquet file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from ...core.aggregation.synthetic import Chunk
from ...core.runtime.errors import MissingPackage
from ...core.runtime.progress import Progress
from ..i18n import tr
from ..layers.values import text_of


class Stream:
    """Records that are made again whenever they are asked for from the beginning.

    Parameters
    ----------
    chunks : callable
        Begins anew with the same records whenever it is called.
    total : int
    """

    def __init__(self, chunks: Callable[[], Iterator[Chunk]], total: int):
        self.total = total
        self._make = chunks
        self._chunks: Iterator[Chunk] = iter(())
        self._start = self._stop = total
        self._pieces: list[Chunk] = []

    def take(self, rows: slice, quasi_identifier: int | None) -> np.ndarray:
        """Codes of some rows that follow those of before."""
        start, stop, _ = rows.indices(self.total)
        if start < self._start:
            self._chunks, self._pieces = self._make(), []
            self._start = self._stop = 0
        while self._stop < stop:
            chunk = next(self._chunks)
            self._pieces.append(chunk)
            self._stop += len(chunk.region)
        while self._pieces and self._start + len(self._pieces[0].region) <= start:
            self._start += len(self._pieces.pop(0).region)
        columns = [
            piece.region if quasi_identifier is None else piece.codes[quasi_identifier]
            for piece in self._pieces
        ]
        whole = columns[0] if len(columns) == 1 else np.concatenate(columns)
        return whole[start - self._start : stop - self._start]


class Drawn:
    """One column of a stream: of the regions, or of a quasi-identifier by its number."""

    def __init__(self, stream: Stream, quasi_identifier: int | None):
        self._stream, self._quasi_identifier = stream, quasi_identifier

    def __len__(self) -> int:
        return self._stream.total

    def __getitem__(self, rows: slice) -> np.ndarray:
        return self._stream.take(rows, self._quasi_identifier)


def write_parquet(
    path: Path,
    ids: tuple[str, str, Sequence],
    names: Sequence[str],
    labels: Sequence[list],
    chunks: Iterator[Chunk],
    total: int,
    progress: Progress,
) -> None:
    """Write records to a Parquet file, a row group a chunk.

    Parameters
    ----------
    path : Path
    ids : (str, str, sequence)
        Of the regions: name and kind of the field (see ``layers.records.kind_of``), and the values.
    names : sequence of str
        Of the quasi-identifiers.
    labels : sequence of list
        Their categories, by code.
    chunks : iterator of Chunk
    total : int
        Records in all chunks.
    progress : callable

    Raises
    ------
    MissingPackage
        If pyarrow is not there.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingPackage(
            tr(
                "The package pyarrow is needed to write Parquet files, and it is not installed. "
                "Run “Check environment” to see how to install it, or write a GeoPackage."
            )
        ) from error

    distinct = [pa.array(values) for values in labels]
    id_name, kind, values = ids
    convert = {"long": int, "double": float, "string": text_of}[kind]
    all_ids = pa.array([convert(one) for one in values])
    writer = None
    done = 0
    try:
        for chunk in chunks:
            progress(done / total)
            columns = {id_name: all_ids.take(pa.array(chunk.region))}
            for name, codes, known in zip(names, chunk.codes, distinct):
                columns[name] = pa.DictionaryArray.from_arrays(codes.astype(np.int32), known)
            table = pa.table(columns)
            if writer is None:
                writer = pq.ParquetWriter(str(path), table.schema)
            writer.write_table(table)
            done += len(chunk.region)
    finally:
        if writer is not None:
            writer.close()
    progress(1.0)
