# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables of a report, in HTML that fits a window and a phone."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .escaping import breakable
from .escaping import text as _text
from .model import Table
from .values import column_decimals, format_value, is_number, with_unit
from .wording import Wording

#: A table of more columns goes on below itself: so many fit a window 1,200 pixels wide.
MOST_COLUMNS = 13
#: Columns that name a row, which every part of such a table begins with.
_NAMING = 2
_SHORT = 15  # rows
#: From so many columns on a short table is read row by row on a phone.
_FOR_CARDS = 5
_NUMBER = ' class="number"'


def figure(table: Table, name: str, wording: Wording, max_rows: int) -> str:
    """Return a table with its caption and what is said of its rows.

    Parameters
    ----------
    table : Table
    name : str
        Id of what names it: of its caption, or of what stands above; empty without.
    wording : Wording
    max_rows : int
        Rows that are written.
    """
    label = f' aria-labelledby="{name}"' if name else ""
    # a short table is kept on one page of paper, a long one may run on
    short = len(table.rows) <= _SHORT
    parts = ['<figure class="short">' if short else "<figure>"]
    if table.caption:
        parts.append(f'<figcaption id="{name}">{_text(table.caption)}</figcaption>')
    cards = " cards" if short and len(table.columns) >= _FOR_CARDS else ""
    rows = _written(table, wording, max_rows)
    for columns in _parts(len(table.columns)):
        # a keyboard must be able to scroll what a finger can
        parts.append(f'<div class="scroll{cards}" tabindex="0">')
        wide = ' class="wide"' if len(columns) > MOST_COLUMNS // 2 else ""
        parts += [
            f"<table{wide}{label}>",
            _head(table, columns),
            _body(table, columns, rows, bool(cards)),
        ]
        parts += ["</table>", "</div>"]
    total = len(table.rows)
    if not total:
        parts.append(f'<p class="rows">{_text(wording.no_rows)}</p>')
    elif total > max_rows:
        said = wording.rows_left_out.format(
            **{
                key: format_value(count, wording)
                for key, count in (
                    ("shown", max_rows),
                    ("total", total),
                    ("left", total - max_rows),
                )
            }
        )
        parts.append(f'<p class="rows">{_text(said)}</p>')
    return "\n".join([*parts, "</figure>"])


def _parts(count: int) -> list[list[int]]:
    """Return the columns of each part, as many in one as in the other."""
    if count <= MOST_COLUMNS:
        return [list(range(count))]
    many = math.ceil((count - _NAMING) / (MOST_COLUMNS - _NAMING))
    each = math.ceil((count - _NAMING) / many)
    return [
        [*range(_NAMING), *range(first, min(first + each, count))]
        for first in range(_NAMING, count, each)
    ]


def _written(table: Table, wording: Wording, max_rows: int) -> list[list[str]]:
    """Return the cells as text."""
    rows = table.rows[:max_rows]
    columns = []
    for i, column in enumerate(table.columns):
        cells, numeric = [row[i] for row in rows], table.is_numeric(i)
        decimals = column.decimals
        if decimals is None and numeric:
            decimals = column_decimals(cells)
        columns.append(
            [
                format_value(cell, wording, decimals)
                if numeric or column.numeric is None or not is_number(cell)
                else str(cell)  # a label made of digits
                for cell in cells
            ]
        )
    return [list(row) for row in zip(*columns)]


def _heading(table: Table, column: int) -> str:
    return with_unit(table.columns[column].label, table.columns[column].unit)


def _head(table: Table, columns: Sequence[int]) -> str:
    cells = "".join(
        f'<th scope="col"{_NUMBER if table.is_numeric(i) else ""}>'
        f"{breakable(_heading(table, i))}</th>"
        for i in columns
    )
    return f"<thead><tr>{cells}</tr></thead>"


def _body(
    table: Table, columns: Sequence[int], rows: Sequence[Sequence[str]], labelled: bool
) -> str:
    lines = ["<tbody>"]
    for row in rows:
        cells = []
        for i in columns:
            # words in the first column name the row
            tag = 'th scope="row"' if i == 0 and not table.is_numeric(0) else "td"
            kind = _NUMBER if table.is_numeric(i) else ""
            told = f' data-label="{_text(_heading(table, i))}"' if labelled else ""
            cells.append(f"<{tag}{kind}{told}>{breakable(row[i])}</{tag[:2]}>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</tbody>"])
