# SPDX-License-Identifier: GPL-2.0-or-later
"""Rows of a CSV file that have no place: QGIS gives them an empty point, and GDAL writes it as 0,0."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

_FIRST_TWO = re.compile(r"[^,\r\n]*,[^,\r\n]*")


def blank(path: Path, rows: Iterable[int]) -> None:
    """Leave the first two columns of rows empty.

    Parameters
    ----------
    path : Path
        Written by GDAL, with the coordinates in the first two columns.
    rows : iterable of int
        From 0, the heading not counted.
    """
    draft = path.with_name(f"{path.name}.part")
    wanted, row, quoted = set(rows), -1, False
    plain = {"encoding": "utf-8", "errors": "surrogateescape", "newline": ""}
    with open(path, **plain) as written, open(draft, "w", **plain) as mended:
        for line in written:
            if not quoted:
                mended.write(_FIRST_TWO.sub(",", line, count=1) if row in wanted else line)
                row += 1
            else:
                mended.write(line)
            quoted ^= line.count('"') % 2 == 1
    os.replace(draft, path)
