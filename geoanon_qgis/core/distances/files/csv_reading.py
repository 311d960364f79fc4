# SPDX-License-Identifier: GPL-2.0-or-later
"""Distances in delimited text as R, pandas, NumPy and spreadsheets write them, line by line.

What is in the file is found out from its first lines: a square with ids in the header and in
front of the rows, or in the header only, or nowhere; or the long form, a pair and its distance
in each line. Separators are commas, semicolons or tabs, decimal marks points or (not with
commas) commas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

import numpy as np

from ...runtime.errors import InputError
from ...runtime.progress import Progress, part, silent
from ...runtime.wording import Sentence, mark, number_of
from ..matrix import DistanceMatrix, shown
from .building import Pairs, Rows, usable_ids
from .csv_lines import Cells, Lines, separator_of, split
from .shared import SETS

#: Numbers of a square gathered at once, and lines of the long form.
_CELLS = 1 << 19
_LINES = 1 << 15
#: Names of the third column by which the long form is told from a square of two or three.
_DISTANCE = frozenset("distance distances dist d value weight length metres meters m km".split())


def read_csv(
    path: str, name: str, tolerance: float | None, unit: str, progress: Progress = silent
) -> DistanceMatrix:
    """Read a square or long table of distances.

    Rows of a square may come in another order than its columns: they are put in the order of
    the columns.
    """
    with Lines(path, name, part(progress, 0.0, 0.95)) as lines:
        records = iter(lines)
        head = list(islice(records, 3))
        if not head:
            raise InputError("The file {name} is empty.", name=name)
        separator = separator_of(head[0])
        if head[0].lower() in (b"sep=,", b"sep=;", b"sep=\t"):  # for Excel
            separator = head[0][4:]
            head = [*head[1:], *islice(records, 1)] or [b""]
        columns = head[0].count(separator)
        if not columns:
            raise InputError(
                "The file {name} has no commas, semicolons or tabs in its first line, so "
                "that it is no table of distances.",
                name=name,
            )
        if columns > 3 and columns * (2 * columns - 1) > lines.most_bytes:
            raise InputError(
                "The file {name} has {columns}, but is too short for as many rows: it is cut off "
                "or no square matrix.",
                name=name,
                columns=number_of(columns, "column", "columns"),
            )
        if len(head) < 2:
            raise InputError(
                "The file {name} has a single line: it takes two records at least, or the "
                "file is cut off.",
                name=name,
            )
        cells = Cells(separator, name)
        start = [split(line, separator, name) for line in head]
        if tuple(one.strip() for one in start[0]) == SETS:
            raise InputError(
                "The file {name} holds labels of an ISGP release, which tell the distances of records that "
                "are near each other and no others: it is no matrix. How exact they are stands in the "
                "report of the release; to attack it, choose the rule isgp or the release's mask file.",
                name=name,
            )
        rest = chain(head, records)
        long_form = _columns_of_long_form(start, cells)
        if long_form is not None:
            next(rest)
            pairs = _read_long(rest, lines, cells, long_form, len(start[0]), tolerance)
            return pairs.finish(unit, part(progress, 0.95, 1.0))
        return _read_square(rest, start, lines, cells, tolerance).finish(unit)


# --- what it is --------------------------------------------------------------------------------


def _columns_of_long_form(start: list[list[str]], cells: Cells) -> int | None:
    """First of the three columns of the long form; None for a square."""
    header, row = start[0], start[1]
    if len(header) != len(row) or row[0] in header[1:] or _has_no_header(start, cells):
        return None
    called = header[-1].strip().lower() in _DISTANCE
    if len(header) == 4:  # with the row numbers that R and pandas put in front
        return 1 if called and header[0] == "" and row[1] not in header[1:] else None
    if len(header) != 3:
        return None
    # Three records without row names start with a zero: that of the diagonal.
    square = header[0] == "" or cells.number(row[0]) == 0
    return 0 if called or not square else None


def _layout(start: list[list[str]], cells: Cells) -> tuple[list[str] | None, bool]:
    """Ids in the header (None if it has none), and whether rows have names in front."""
    header, row = start[0], start[1]
    if len(row) == len(header) + 1:  # R's write.table leaves the corner out
        return header, True
    if _has_no_header(start, cells):
        return None, False
    if header[0] == "":
        return header[1:], True
    named = row[0] in header[1:]
    bare = cells.number(row[0]) == 0 and len(row) == len(header)
    if named and bare:
        # Whose diagonal is zero? A record may be called 0.
        named = cells.number(header[0]) is None or cells.number(row[1]) == 0
    return (header, False) if bare and not named else (header[1:], True)


def _has_no_header(start: list[list[str]], cells: Cells) -> bool:
    """Whether the first lines are numbers, symmetric and zero on the diagonal."""
    first, second = start[0], start[1]
    if len(first) != len(second) or len(first) < 2:
        return False
    corner = [cells.number(cell) for cell in (*first[:2], *second[:2])]
    if None in corner:
        return False
    return corner[0] == corner[3] == 0 and corner[1] == corner[2]


# --- squares -----------------------------------------------------------------------------------


def _read_square(
    records: Iterable[bytes],
    start: list[list[str]],
    lines: Lines,
    cells: Cells,
    tolerance: float | None,
) -> Rows:
    name = lines.name
    ids, named = _layout(start, cells)
    records = iter(records)
    if ids is None:
        ids = [str(number) for number in range(1, len(start[0]) + 1)]
    else:
        next(records)
    ids = list(usable_ids(ids, name))
    n = len(ids)
    gathered = Rows(ids, name, tolerance)
    at = {text: number for number, text in enumerate(ids)}
    size = max(_CELLS // n, 1)
    block = np.empty((size, n))
    rows: list[int] = []
    for number, line in enumerate(records):
        text, rest = cells.split_id(line) if named else ("", line)
        row = _row_number(text, at, number, n, named, name)
        values = cells.numbers(rest, n)
        if values is None:
            place = Sentence("the row of {ids}", ids=shown(ids[row]))
            raise InputError(_what_is_wrong(rest, ids, place, lines, cells))
        if not number:
            gathered.last_digit = 10.0 ** -min(cells.decimals(rest), 300)
        block[len(rows)] = values
        rows.append(row)
        if len(rows) == size:
            gathered.add(block, rows)
            rows = []
    gathered.add(block[: len(rows)], rows)
    return gathered


def _row_number(text: str, at: dict[str, int], number: int, n: int, named: bool, name: str) -> int:
    if not named:
        if number >= n:
            columns = number_of(n, "column", "columns")
            raise InputError(
                "The file {name} has {columns} and more rows than that.", name=name, columns=columns
            )
        return number
    if text not in at:
        raise InputError(
            "The file {name} has a row for {text} (row {number:,}), but no column of that "
            "name: a distance matrix has the same ids in its rows and columns.",
            name=name,
            text=shown(text),
            number=number + 1,
        )
    return at[text]


def _what_is_wrong(text: bytes, ids: list[str], place: str, lines: Lines, cells: Cells) -> str:
    """Say why cells are not as many numbers as there are ids."""
    found = text.count(cells.separator) + 1
    parts = split(text, cells.separator, lines.name) if found <= 4 * len(ids) else [""] * found
    if len(parts) != len(ids):
        return Sentence(
            (
                mark("The file {name} has {cells} in {place} (line {number:,}), and {columns}.")
                if lines.ends_properly
                else mark(
                    "The file {name} has {cells} in {place} (line {number:,}), and {columns}. The "
                    "file is cut off there."
                )
            ),
            name=lines.name,
            cells=number_of(len(parts), "cell", "cells"),
            place=place,
            number=lines.number,
            columns=number_of(len(ids), "column", "columns"),
        )
    for cell, column in zip(parts, ids):
        if cells.number(cell) is None:
            what = (
                Sentence("{cell}, which is no number,", cell=shown(cell))
                if cell.strip()
                else Sentence("nothing")
            )
            if cells.number(cell.replace(".", ",")) is not None:
                what = Sentence("{cell} besides numbers with decimal commas", cell=shown(cell))
            return Sentence(
                "The file {name} has {what} in {place}, column {column} (line {number:,}).",
                name=lines.name,
                what=what,
                place=place,
                column=shown(column),
                number=lines.number,
            )
    return Sentence(
        "The file {name} has cells that are no numbers in {place}.", name=lines.name, place=place
    )


# --- the long form -----------------------------------------------------------------------------


def _read_long(
    records: Iterator[bytes],
    lines: Lines,
    cells: Cells,
    first: int,
    columns: int,
    tolerance: float | None,
) -> Pairs:
    # A line takes six bytes at least: a,b,1 and its end.
    pairs = Pairs(lines.name, tolerance, most=lines.most_bytes // 6 + 1)
    numbers = pairs.number
    row = 1
    digits = 0
    while True:
        texts = []
        i, j = [], []
        for line in islice(records, _LINES):
            if b'"' in line:
                row_cells = split(line, cells.separator, lines.name)
            else:
                try:
                    row_cells = line.decode("utf-8").split(cells.separator.decode())
                except UnicodeDecodeError:
                    row_cells = split(line, cells.separator, lines.name)  # says so
            if len(row_cells) != columns:
                raise InputError(
                    (
                        mark("The file {name} has {cells} in line {number:,}, and {columns}.")
                        if lines.ends_properly
                        else mark(
                            "The file {name} has {cells} in line {number:,}, and {columns}. The "
                            "file is cut off there."
                        )
                    ),
                    name=lines.name,
                    cells=number_of(len(row_cells), "cell", "cells"),
                    number=lines.number,
                    columns=number_of(columns, "column", "columns"),
                )
            i.append(numbers(row_cells[first].strip(" ")))
            j.append(numbers(row_cells[first + 1].strip(" ")))
            texts.append(row_cells[first + 2])
        if not texts:
            break
        values = _column(texts, cells)
        if values is None:
            for at, text in enumerate(texts):
                if cells.number(text) is None:
                    raise InputError(
                        (
                            mark("The file {name} has {text} for distance in row {row:,}.")
                            if text.strip()
                            else mark("The file {name} has no distance in row {row:,}.")
                        ),
                        name=lines.name,
                        text=shown(text),
                        row=row + at,
                    )
            raise InputError("The file {name} has distances that are no numbers.", name=lines.name)
        if row == 1:
            digits = max((cells.decimals(text.encode()) for text in texts[:100]), default=0)
        pairs.add(np.array(i), np.array(j), values, row)
        row += len(texts)
    pairs.last_digit = 10.0 ** -min(digits, 300)
    if row == 1:
        raise InputError("The file {name} has no rows.", name=lines.name)
    return pairs


def _column(texts: list[str], cells: Cells) -> np.ndarray | None:
    """Read one number from each text."""
    if any(cells.separator.decode() in text for text in texts):
        values = [cells.number(f'"{text}"') for text in texts]
        return None if None in values else np.array(values)
    return cells.numbers(cells.separator.join(text.encode() for text in texts), len(texts))
