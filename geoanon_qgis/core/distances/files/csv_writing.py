# SPDX-License-Identifier: GPL-2.0-or-later
"""The square matrix as text: ids in the header and in front of every row."""

from __future__ import annotations

from typing import IO

from ...runtime.progress import Progress, chunks, silent
from ..matrix import DistanceMatrix
from .digits import text_of

#: Numbers turned into text at once: few enough to stay in the processor's cache.
_CELLS = 1 << 16
#: Rows taken out of the matrix at once, where they are more: few would be slow to gather.
_ROWS = 64
#: What the header has above the ids.
_CORNER = "id"


def write_square_csv(
    stream: IO[bytes], matrix: DistanceMatrix, decimals: int | None, progress: Progress = silent
) -> None:
    """Write the square as UTF-8 text with commas and points, block by block."""
    n = len(matrix)
    names = [_quoted(name) for name in matrix.ids]
    stream.write((",".join([_CORNER, *names]) + "\n").encode("utf-8"))
    few = max(_CELLS // n, 1)
    for rows in chunks(n, max(_ROWS, few), progress):
        block = matrix.rows(rows.start, rows.stop)
        for start in range(0, len(block), few):
            progress((rows.start + start) / n)
            texts = text_of(block[start : start + few], decimals)
            for row, text in enumerate(texts, rows.start + start):
                stream.write(names[row].encode("utf-8") + b"," + text[:-1] + b"\n")


def _quoted(name: str) -> str:
    """Quote an id in which a reader might see the end of a cell, or spaces to cut off."""
    if name.strip() != name or any(mark in name for mark in ',;\t"\r\n'):
        return '"' + name.replace('"', '""') + '"'
    return name
