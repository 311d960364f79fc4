# SPDX-License-Identifier: GPL-2.0-or-later
"""Pages of a database of SQLite (a GeoPackage) that were deleted, and still hold what stood there.

Who deletes a layer of originals from a copy gives them away all the same. Reference: "Database File
Format", section 1.5, https://sqlite.org/fileformat.html: free pages hang on a chain of trunks, each
of which lists some; SQLite fills them with zeros only where it is told to.
"""

from __future__ import annotations

import struct
from typing import IO

_SQLITE = b"SQLite format 3\0"


def has_deleted_pages(file: IO[bytes]) -> bool:
    """Whether a stream is a database in which a free page holds anything.

    Parameters
    ----------
    file : stream of bytes that can be read from any place
    """
    file.seek(0)
    head = file.read(100)
    if len(head) < 100 or not head.startswith(_SQLITE):
        return False
    (size,) = struct.unpack(">H", head[16:18])
    size = 65536 if size == 1 else size
    if size < 512:
        return False
    trunk, left = struct.unpack(">II", head[32:40])
    while trunk and left > 0:
        page = _page(file, trunk, size)
        if len(page) < size:
            return False
        trunk, leaves = struct.unpack(">II", page[:8])
        leaves = min(leaves, size // 4 - 2, left)
        left -= leaves + 1
        if any(page[8 + 4 * leaves :]):
            return True
        numbers = struct.unpack(f">{leaves}I", page[8 : 8 + 4 * leaves])
        if any(any(_page(file, number, size)) for number in numbers):
            return True
    return False


def _page(file: IO[bytes], number: int, size: int) -> bytes:
    file.seek((number - 1) * size if number else 0)
    return file.read(size) if number else b""
