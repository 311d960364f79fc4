# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of an ISGP release: sets of labels, or distances of the records that share labels.

==============================  ========================================================
header of the .csv file         rows
==============================  ========================================================
released_id,label               one for each label of each record; labels are 16 hex digits
released_id,other_id,distance   one for each pair that shares a label
==============================  ========================================================

Rows are in the order of the records' numbers, and the labels of a record in that of their digits:
the order says nothing that the values do not.
"""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...runtime.errors import InputError
from ...runtime.progress import Progress, chunks, silent
from ..isgp import LabelSets, SharedPairs, shared_pairs
from ..matrix import shown

SETS = ("released_id", "label")
PAIRS = ("released_id", "other_id", "distance")
_ROWS = 50_000
#: A distance may stand so much above two radii in a file: it was rounded.
_ROUNDING = 1e-3


def write_sets(path: str | Path, sets: LabelSets, progress: Progress = silent) -> None:
    """Write sets of labels; records are numbered from 1."""
    record, label = sets.rows()
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write(",".join(SETS) + "\n")
        for some in chunks(len(record), _ROWS, progress):
            rows = zip((record[some] + 1).tolist(), label[some].tolist())
            file.writelines(f"{number},{one:016x}\n" for number, one in rows)


def write_pairs(
    path: str | Path, pairs: SharedPairs, decimals: int, progress: Progress = silent
) -> None:
    """Write distances; records are numbered from 1."""
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write(",".join(PAIRS) + "\n")
        for some in chunks(len(pairs), _ROWS, progress):
            ends = ((pairs.first[some] + 1).tolist(), (pairs.second[some] + 1).tolist())
            rows = zip(*ends, pairs.distance[some].tolist())
            file.writelines(f"{one},{other},{far:.{decimals}f}\n" for one, other, far in rows)


def read_shared(
    path: str | Path, ids: Sequence[str], radius: float, progress: Progress = silent
) -> SharedPairs:
    """Read either file as distances of the records that share a label.

    Parameters
    ----------
    path : path
    ids : sequence of str
        The records of the released table, in its order, which that of the result is.
    radius : float
        In the unit of the distances.
    progress : callable

    Returns
    -------
    SharedPairs

    Raises
    ------
    InputError
        If it is no such file, names records that the table has not, or a distance cannot be.
    """
    place = {one: row for row, one in enumerate(ids)}
    name = os.path.basename(path)
    progress(0.0)
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            header = tuple(one.strip() for one in next(reader, ()))
            if header not in (SETS, PAIRS):
                raise InputError(
                    "The file {name} is none of an ISGP release: its first line is neither"
                    " “{sets}” nor “{pairs}”.",
                    name=name,
                    sets=",".join(SETS),
                    pairs=",".join(PAIRS),
                )
            rows = [row for row in reader if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            "The file {name} cannot be read ({reason}).", name=name, reason=str(error)
        ) from error
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise InputError(
                "Line {line:,} of the file {name} has not as many values as the first.",
                line=number,
                name=name,
            )
    first = _places(rows, 0, place, name)
    if header == SETS:
        sets = LabelSets.of_rows(first, np.array([row[1] for row in rows]), len(ids))
        without = np.flatnonzero(sets.sizes == 0)
        if len(without):
            raise InputError(
                "The record {id} has no labels in the file {name}. Choose the table and the file of"
                " one release.",
                id=shown(ids[int(without[0])]),
                name=name,
            )
        return shared_pairs(sets, radius, progress)
    return _pairs(rows, first, _places(rows, 1, place, name), len(ids), radius, name)


def _pairs(rows, first, second, count: int, radius: float, name: str) -> SharedPairs:
    distance = np.empty(len(rows))
    for at, row in enumerate(rows):
        try:
            value = float(row[2])
        except ValueError:
            value = math.nan
        if not 0 <= value <= 2 * radius * (1 + _ROUNDING):
            raise InputError(
                "Line {line:,} of the file {name} has the distance {value}. Distances of an ISGP"
                " release lie between 0 and two radii ({most:,.6g}): give the radius of the"
                " release.",
                line=at + 2,
                name=name,
                value=shown(row[2]),
                most=2 * radius,
            )
        distance[at] = value
    low, high = np.minimum(first, second), np.maximum(first, second)
    order = np.lexsort((high, low))
    low, high, distance = low[order], high[order], distance[order]
    twice = (np.diff(low) == 0) & (np.diff(high) == 0)
    if (low == high).any() or twice.any():
        raise InputError(
            "The file {name} has a pair of records twice, or a record with itself.", name=name
        )
    return SharedPairs(low, high, distance, count, radius)


def _places(rows: list[list[str]], column: int, place: dict[str, int], name: str) -> np.ndarray:
    found = np.fromiter((place.get(row[column].strip(), -1) for row in rows), np.int64, len(rows))
    unknown = np.flatnonzero(found < 0)
    if len(unknown):
        raise InputError(
            "The file {name} has a record {id}, which is not in the released table. Choose the"
            " table and the file of one release, and the field with the ids that the file has.",
            name=name,
            id=shown(rows[int(unknown[0])][column]),
        )
    return found
