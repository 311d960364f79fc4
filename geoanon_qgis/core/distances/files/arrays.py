# SPDX-License-Identifier: GPL-2.0-or-later
"""NumPy's own files: ``.npz`` with the condensed form, ids and unit; ``.npz`` and ``.npy`` read.

Arrays of Python objects are never read: unpickling runs whatever program they name.
"""

from __future__ import annotations

import errno
import io
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import IO

import numpy as np

from ...runtime import memory
from ...runtime.errors import GeoAnonError, InputError
from ...runtime.progress import Progress, chunks, part, silent
from ...runtime.wording import Sentence, mark, number_of
from ..matrix import DistanceMatrix, check, condensed_size, records_of
from .building import Rows, refuse_unless_room, usable_ids

#: Numbers moved in one piece.
_PIECE = 1 << 18
#: Names that others give to what we call ``distances`` and ``ids``.
_DISTANCES = (
    "distances",
    "distance",
    "condensed",
    "square",
    "matrix",
    "distance_matrix",
    "dist",
    "d",
    "data",
    "arr_0",
)
_IDS = ("ids", "id", "labels", "names", "index", "arr_1")
#: The earliest date that a zip file can carry: a release does not tell when it was made.
_DATE = (1980, 1, 1, 0, 0, 0)


def write_npz(stream: IO[bytes], matrix: DistanceMatrix, progress: Progress = silent) -> None:
    """Write ``distances`` (condensed), ``ids`` and ``unit``, uncompressed, to ``stream``.

    The bytes depend on the matrix only.
    """
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, array, report in (
            ("distances", matrix.condensed, progress),
            ("ids", np.array(matrix.ids, dtype=np.str_), silent),
            ("unit", np.array(matrix.unit, dtype=np.str_), silent),
        ):
            entry = zipfile.ZipInfo(f"{name}.npy", _DATE)
            # The system it was made on is not told either.
            entry.create_system = 3
            entry.external_attr = 0o600 << 16
            with archive.open(entry, "w", force_zip64=True) as out:
                header = np.lib.format.header_data_from_array_1_0(array)
                np.lib.format.write_array_header_1_0(out, header)
                flat = array.reshape(-1)
                for piece in chunks(len(flat), _PIECE, report):
                    out.write(flat[piece].tobytes())


def read_npz(
    path: str, name: str, tolerance: float | None, unit: str, progress: Progress = silent
) -> DistanceMatrix:
    """Read an archive of arrays: condensed or square distances, ids and unit where given."""
    with _readable(name), zipfile.ZipFile(path) as archive:
        found: dict[str, _Array] = {}
        for entry in archive.infolist():
            key = entry.filename.lower()
            if key.endswith(".npy"):
                with archive.open(entry) as stream:
                    found[key[:-4]] = _Array.of(stream, entry.file_size, name, entry)
        distances = _pick(found, _DISTANCES, numeric=True)
        if distances is None:
            raise InputError(
                (
                    mark("The file {name} has no array 'distances', only {found}.")
                    if found
                    else mark("The file {name} has no array 'distances'.")
                ),
                name=name,
                found=", ".join(map(repr, sorted(found)[:10])),
            )
        ids = None
        labels = _pick(found, _IDS, numeric=False, besides=distances)
        if labels is not None:
            with archive.open(labels.entry) as stream:
                ids = _read_ids(stream, labels, name)
        if "unit" in found and found["unit"].dtype.kind == "U" and found["unit"].size == 1:
            with archive.open(found["unit"].entry) as stream:
                unit = str(_small(stream, found["unit"]).reshape(-1)[0]) or unit
        with archive.open(distances.entry) as stream:
            stream.read(distances.start)
            return _read_distances(stream, distances, ids, name, tolerance, unit, progress)


def read_npy(
    path: str, name: str, tolerance: float | None, unit: str, progress: Progress = silent
) -> DistanceMatrix:
    """Read one array, condensed or square; the ids are 1, 2, .., n."""
    with _readable(name), open(path, "rb") as stream:
        size = stream.seek(0, io.SEEK_END)
        stream.seek(0)
        array = _Array.of(stream, size, name)
        return _read_distances(stream, array, None, name, tolerance, unit, progress)


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Make sentences of whatever the libraries raise at a file that is none of theirs."""
    try:
        yield
    except (GeoAnonError, MemoryError):
        raise
    except Exception as error:  # damaged archives fail in a dozen ways, headers in as many
        if isinstance(error, OSError) and error.errno != errno.EINVAL:
            raise  # but one may ask for a place before the file's start
        raise InputError(
            "The file {name} is damaged or not in NumPy's format ({reason}).",
            name=name,
            reason=_first_line(error),
        ) from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


@dataclass(frozen=True)
class _Array:
    """What the header of an array says, and where its numbers start."""

    shape: tuple[int, ...]
    by_columns: bool
    dtype: np.dtype
    start: int
    entry: zipfile.ZipInfo | str

    @property
    def size(self) -> int:
        return prod(self.shape)

    @classmethod
    def of(
        cls, stream: IO[bytes], size: int, name: str, entry: zipfile.ZipInfo | str = ""
    ) -> _Array:
        version = np.lib.format.read_magic(stream)
        readers = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }
        if version not in readers:
            raise InputError("The file {name} is in a later version of NumPy's format.", name=name)
        shape, by_columns, dtype = readers[version](stream)
        array = cls(shape, by_columns, dtype, stream.tell(), entry)
        if dtype.hasobject:
            raise InputError(
                "The file {name} holds Python objects, which could run any program when "
                "they are loaded, and is not read. Save ids as text: numpy.array(ids, "
                "dtype=str).",
                name=name,
            )
        if any(length < 0 for length in shape) or array.start + array.size * dtype.itemsize > size:
            raise InputError(
                "The file {name} is cut off: its arrays are larger than it is.", name=name
            )
        return array


def _pick(
    found: dict[str, _Array], names: Sequence[str], numeric: bool, besides: _Array | None = None
) -> _Array | None:
    """The array of the first of these names, or the only one of the right kind."""

    def fits(array: _Array) -> bool:
        if array is besides:
            return False
        if numeric:
            return array.dtype.kind in "fiu" and len(array.shape) in (1, 2)
        return array.dtype.kind in "USiu" and len(array.shape) == 1

    for name in names:
        if name in found and fits(found[name]):
            return found[name]
    others = [array for name, array in found.items() if fits(array)]
    if not numeric:
        others = [array for array in others if array.dtype.kind in "US"]
    return others[0] if len(others) == 1 else None


def _small(stream: IO[bytes], array: _Array) -> np.ndarray:
    """Read an array whole."""
    memory.refuse_unless_fits(array.size * array.dtype.itemsize, Sentence("Its ids"))
    stream.read(array.start)
    data = stream.read(array.size * array.dtype.itemsize)
    return np.frombuffer(data, dtype=array.dtype).reshape(array.shape)


def _read_ids(stream: IO[bytes], array: _Array, name: str) -> tuple[str, ...]:
    values = _small(stream, array).tolist()
    texts = (value.decode("utf-8") if isinstance(value, bytes) else str(value) for value in values)
    return usable_ids(list(texts), name)


def _read_distances(
    stream: IO[bytes],
    array: _Array,
    ids: tuple[str, ...] | None,
    name: str,
    tolerance: float | None,
    unit: str,
    progress: Progress,
) -> DistanceMatrix:
    if array.dtype.kind not in "fiu":
        raise InputError("The file {name} holds an array that is not one of numbers.", name=name)
    if len(array.shape) == 1:
        n = records_of(array.shape[0])
        if n is None:
            raise InputError(
                "The file {name} holds {distances}, which are not those of all pairs of any "
                "number of records: n records have n (n - 1) / 2.",
                name=name,
                distances=number_of(array.shape[0], "distance", "distances"),
            )
    elif len(array.shape) == 2 and array.shape[0] == array.shape[1]:
        n = array.shape[0]
    else:
        raise InputError(
            "The file {name} holds an array of shape {shape}; distances are a square array "
            "or one row of n (n - 1) / 2.",
            name=name,
            shape=array.shape,
        )
    if ids is None:
        if n < 2:
            usable_ids(["1"] * n, name)
        refuse_unless_room(n)
        ids = tuple(map(str, range(1, n + 1)))
    if len(ids) != n:
        raise InputError(
            "The file {name} has {ids}, and distances of {records}.",
            name=name,
            ids=number_of(len(ids), "id", "ids"),
            records=number_of(n, "record", "records"),
        )
    if len(array.shape) == 1:
        matrix = _condensed(stream, array, ids, name, unit, progress)
    else:
        matrix = _square(stream, array, ids, name, tolerance, unit, progress)
    # At its end an archive says whether the numbers are those that were written.
    if stream.read(1):
        raise InputError(
            "The file {name} is damaged: there is more in it than it should hold.", name=name
        )
    return matrix


def _condensed(
    stream: IO[bytes], array: _Array, ids: tuple[str, ...], name: str, unit: str, progress: Progress
) -> DistanceMatrix:
    refuse_unless_room(len(ids))
    condensed = np.empty(condensed_size(len(ids)))
    for piece in chunks(len(condensed), _PIECE, part(progress, 0.0, 0.9)):
        condensed[piece] = _numbers(stream, piece.stop - piece.start, array.dtype, name)
    matrix = DistanceMatrix(condensed, ids, unit)
    check(matrix, Sentence("file {name}", name=name), part(progress, 0.9, 1.0))
    return matrix


def _square(
    stream: IO[bytes],
    array: _Array,
    ids: tuple[str, ...],
    name: str,
    tolerance: float | None,
    unit: str,
    progress: Progress,
) -> DistanceMatrix:
    n = len(ids)
    gathered = Rows(ids, name, tolerance)
    # Where it is stored by columns these are columns; that is the same if it is symmetric.
    for rows in chunks(n, max(_PIECE // n, 1), progress):
        values = _numbers(stream, (rows.stop - rows.start) * n, array.dtype, name)
        gathered.add(values.reshape(-1, n), range(rows.start, rows.stop))
    return gathered.finish(unit)


def _numbers(stream: IO[bytes], count: int, dtype: np.dtype, name: str) -> np.ndarray:
    data = stream.read(count * dtype.itemsize)
    if len(data) < count * dtype.itemsize:
        raise InputError(
            "The file {name} is cut off: it ends in the middle of the distances.", name=name
        )
    with np.errstate(over="ignore"):  # what is too large for a double is refused as infinite
        return np.frombuffer(data, dtype=dtype).astype(np.float64)
