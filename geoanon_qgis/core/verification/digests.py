# SPDX-License-Identifier: GPL-2.0-or-later
"""What tells files apart by their bytes: SHA-256, in pieces, so that a run can be cancelled.

A program that opens a GeoPackage to write may change counters in its head and nothing else. So a
database of SQLite has a second digest, which passes over them. Reference: "Database File Format",
section 1.3, https://sqlite.org/fileformat.html.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO

from ..runtime.progress import Progress, silent

#: Bytes between two questions whether to go on: some milliseconds.
CHUNK = 1 << 20
_SQLITE = b"SQLite format 3\0"
#: Of SQLite's head: write and read version (the journal's kind), change counter, the change for
#: which the version is valid, and SQLite's version.
_COUNTERS = ((18, 20), (24, 28), (92, 100))


@dataclass(frozen=True)
class Digest:
    """What a file is known by.

    Attributes
    ----------
    size : int
        In bytes.
    sha256 : str
        Of all bytes, as ``sha256sum`` shows it.
    content_sha256 : str
        Of a database of SQLite without the counters in its head; empty for all others.
    """

    size: int
    sha256: str
    content_sha256: str = ""


class Digesting:
    """Takes a file's pieces in their order; :meth:`digest` tells what came of them."""

    def __init__(self) -> None:
        self._all = hashlib.sha256()
        self._content: Any = None  # another digest, of what holds a table of SQLite
        self._size = 0

    def add(self, piece: bytes) -> None:
        """Take the next piece; the first must hold the whole head of 100 bytes, if there is one."""
        if not self._size and piece.startswith(_SQLITE):
            self._content = hashlib.sha256()
            head = bytearray(piece[:100])
            for start, stop in _COUNTERS:
                head[start:stop] = bytes(stop - start)
            self._content.update(head)
            self._content.update(memoryview(piece)[100:])
        elif self._content is not None:
            self._content.update(piece)
        self._all.update(piece)
        self._size += len(piece)

    def digest(self) -> Digest:
        """Return what the pieces so far come to."""
        content = self._content.hexdigest() if self._content is not None else ""
        return Digest(self._size, self._all.hexdigest(), content)


def of_file(path: str | Path, progress: Progress = silent, follow: bool = True) -> Digest:
    """Return the digest of a file.

    Parameters
    ----------
    path : str or Path
    progress : callable
        Told a fraction for each megabyte; may raise to cancel.
    follow : bool
        Whether a link is followed to its file.

    Raises
    ------
    OSError
        If it cannot be read, or is no ordinary file: nothing waits for a pipe.
    """
    digesting = Digesting()
    with opened(path, follow) as file:
        size = max(1, os.fstat(file.fileno()).st_size)
        done = 0
        for piece in pieces(file):
            digesting.add(piece)
            done += len(piece)
            progress(min(1.0, done / size))
    return digesting.digest()


def opened(path: str | Path, follow: bool = True) -> BinaryIO:
    """Open an ordinary file to be read.

    Raises
    ------
    OSError
        If it cannot be read, or is a folder, a pipe, a device or (unless followed) a link.
    """
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    if not follow:
        flags |= getattr(os, "O_NOFOLLOW", 0)
        if os.path.islink(path):  # where there is no such flag
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    handle = os.open(path, flags)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
        return os.fdopen(handle, "rb", buffering=0)
    except BaseException:
        os.close(handle)
        raise


def pieces(file: IO[bytes], size: int = CHUNK) -> Iterator[bytes]:
    """Yield what is left of a file; every piece but the last has the given size."""
    while True:
        piece = file.read(size)
        while piece and len(piece) < size:  # a raw file may give less than it was asked for
            more = file.read(size - len(piece))
            if not more:
                break
            piece += more
        if not piece:
            return
        yield piece
