# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of distance matrices: read, checked and written, for people who work in R or Python.

========== ==================================================== =======================
ending     written                                              read besides
========== ==================================================== =======================
.csv       square, ids in the header and in front of each row   long; other separators
.npz       condensed ``distances``, ``ids`` and ``unit``        square; other names
.parquet   long: ``id_1``, ``id_2``, ``distance``, i < j        each pair twice
========== ==================================================== =======================

Also read are packed text (``.csv.gz``), ``.tsv``, ``.txt`` and ``.npy``. Text without ids in a
single row or column is not: nothing would say which pairs the distances are of.

Written files hold the distances and the ids as they are given, and nothing else: no time, no
user, no program's notes beyond what the format demands.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ...runtime.errors import InputError
from ...runtime.progress import Progress, part, silent
from ..matrix import DistanceMatrix, check, condensed_size
from . import parquet
from .arrays import read_npy, read_npz, write_npz
from .building import usable_ids
from .csv_reading import read_csv
from .csv_writing import write_square_csv
from .digits import width

#: Endings that can be written, and all that can be read.
WRITTEN = (".csv", ".npz", ".parquet")
READ = (".csv", ".csv.gz", ".tsv", ".txt", ".npz", ".npy", ".parquet")

#: How people load each written file: ending, then language, then code for a file ``matrix``. The
#: tests run all of it. R reads the other two with packages that Debian does not have.
HOW_TO_LOAD: dict[str, dict[str, str]] = {
    ".csv": {
        "R": 'd <- as.dist(as.matrix(read.csv("matrix.csv", row.names = 1, check.names = FALSE)))',
        "Python": "import pandas, scipy.spatial.distance\n"
        'table = pandas.read_csv("matrix.csv", index_col=0)  # a square with ids\n'
        "condensed = scipy.spatial.distance.squareform(table.to_numpy())",
    },
    ".npz": {
        "Python": "import numpy, scipy.spatial.distance\n"
        'file = numpy.load("matrix.npz")\n'
        'condensed, ids = file["distances"], file["ids"]\n'
        "square = scipy.spatial.distance.squareform(condensed)"
    },
    ".parquet": {
        "Python": "import pandas, scipy.spatial.distance\n"
        'table = pandas.read_parquet("matrix.parquet")\n'
        "ids = pandas.unique(pandas.concat([table.id_1, table.id_2]).astype(str))\n"
        "square = scipy.spatial.distance.squareform(table.distance)"
    },
}


def ending_of(path: str | Path) -> str:
    """Return the ending of a path in lower case, ``.csv.gz`` as one."""
    name = os.path.basename(path).lower()
    return ".csv.gz" if name.endswith(".csv.gz") else os.path.splitext(name)[1]


def read_matrix(
    path: str | Path, progress: Progress = silent, tolerance: float | None = None, unit: str = ""
) -> DistanceMatrix:
    """Read a matrix of distances and make sure that it is one.

    Parameters
    ----------
    path : path
        A file whose name ends as one of :data:`READ`.
    progress : callable
        Told a fraction; may raise to cancel.
    tolerance : float, optional
        Largest difference between the two distances that a file gives for a pair, and largest
        distance of a record to itself, that is overlooked; the value read first is kept. By
        default 1e-9 of the largest distance, and in text one unit of the last decimal, but no
        more than 1e-5 of the largest.
    unit : str
        Unit of the distances where the file does not say.

    Returns
    -------
    DistanceMatrix
        With the ids of the file, in its order (that of the columns of a square, of appearance
        in the long form), or 1, 2, .., n where it has none.

    Raises
    ------
    InputError
        A sentence that says what is wrong and where: not square, ids that are missing, double
        or different in rows and columns, no symmetry, a diagonal that is not zero, negative,
        infinite or missing distances, text, a file that is cut off or of another format.
    MissingPackage
        If it is Parquet and pyarrow is not there.
    """
    readers = {
        **dict.fromkeys((".csv", ".csv.gz", ".tsv", ".txt"), read_csv),
        ".npz": read_npz,
        ".npy": read_npy,
        ".parquet": parquet.read_parquet,
    }
    ending = ending_of(path)
    name = os.path.basename(path)
    if ending not in readers:
        raise InputError(
            "The file {name} is of no known format; distance matrices end in {formats}.",
            name=name,
            formats=", ".join(READ),
        )
    try:
        matrix = readers[ending](os.fspath(path), name, tolerance, unit, progress)
    except OSError as error:
        raise InputError(
            "The file {name} cannot be read: {reason}.", name=name, reason=error.strerror or error
        ) from error
    except MemoryError as error:
        raise InputError(
            "The matrix in the file {name} does not fit into memory.", name=name
        ) from error
    progress(1.0)
    return matrix


def write_matrix(
    path: str | Path,
    matrix: DistanceMatrix,
    decimals: int | None = None,
    progress: Progress = silent,
) -> None:
    """Write a matrix in the format that the name of the file ends in.

    Parameters
    ----------
    path : path
        One of :data:`WRITTEN`. It is written in place; if that fails or is cancelled, nothing
        is left of it.
    matrix : DistanceMatrix
    decimals : int, optional
        Digits after the point in ``.csv``, to which the distances must be rounded already (see
        :mod:`..rounding`), so that the text reads back as the same numbers. By default as many
        as that takes. The other formats hold the doubles themselves.
    progress : callable
        Told a fraction; may raise to cancel.

    Raises
    ------
    InputError
        If the matrix is none (see :func:`..matrix.check`), has more decimals than asked for, or
        the file cannot be written.
    MissingPackage
        If it is Parquet and pyarrow is not there.
    """
    ending = ending_of(path)
    name = os.path.basename(path)
    if ending not in WRITTEN:
        raise InputError(
            "A distance matrix cannot be written to {name}; let the name end in {formats}.",
            name=name,
            formats=", ".join(WRITTEN),
        )
    if ending == ".parquet":
        parquet.require()
    check(matrix, progress=part(progress, 0.0, 0.05))
    usable_ids(matrix.ids, name)
    opened = False
    report = part(progress, 0.05, 1.0)
    try:
        with open(path, "wb") as stream:
            opened = True
            if ending == ".csv":
                write_square_csv(stream, matrix, decimals, report)
            elif ending == ".npz":
                write_npz(stream, matrix, report)
            else:
                parquet.write_parquet(stream, matrix, report)
        progress(1.0)
    except BaseException as error:
        if opened:
            with suppress(OSError):
                os.unlink(path)
        if isinstance(error, OSError):
            raise InputError(
                "The file {name} cannot be written: {reason}. Make room for it, or choose "
                "another place.",
                name=name,
                reason=error.strerror or error,
            ) from error
        raise


def estimated_size(n: int, decimals: int | None, largest: float, ending: str) -> int:
    """Bytes that the file of a matrix takes, at most, to refuse it before work starts.

    Parameters
    ----------
    n : int
        Records, with ids 1..n or about as long.
    decimals : int or None
        As in :func:`write_matrix`.
    largest : float
        Largest distance that is to be expected.
    ending : str
        One of :data:`WRITTEN`.
    """
    pairs, longest = condensed_size(n), len(str(n))
    if ending == ".csv":
        return n * n * width(largest, decimals) + (2 * n + 1) * (longest + 1)
    if ending == ".npz":
        return 8 * pairs + 4 * n * longest + 4096
    # Compression is not counted on. Ids are numbers of as many bits as n takes; the first of a
    # pair is the same all along a row and takes next to nothing.
    groups = pairs // (1 << 20) + 1
    return int(pairs * (8 + 1.1 * n.bit_length() / 8)) + groups * (2 * n * (longest + 4) + 4096)
