# SPDX-License-Identifier: GPL-2.0-or-later
"""Looks through a folder, and into archives: digest and private signs of every file.

Nothing is written, no link is followed, and nothing waits for a pipe.
"""

from __future__ import annotations

import bz2
import errno
import functools
import gzip
import lzma
import os
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from ..runtime.progress import Progress
from .deleted import has_deleted_pages
from .digests import CHUNK, Digest, Digesting, opened, pieces
from .signs import DELETED, Search, Signs

#: Entries of a folder, or of an archive, beyond which it is not the folder of a release.
MOST = 20_000
#: Bytes that are unpacked of one file: beyond, it is one that was made to fill a disk.
MOST_UNPACKED = 4 << 30
#: How deep archives lie in archives.
_DEEPEST = 3

#: Why a file was not looked into: it is a link, no ordinary file, cannot be read, or is an archive
#: that is encrypted or of a kind that is not known here, that holds bytes of no file in its list, or
#: that is too large.
LINK, NO_FILE, UNREADABLE, CLOSED, UNLISTED, TOO_LARGE = (
    "link",
    "no_file",
    "unreadable",
    "closed",
    "unlisted",
    "too_large",
)

_PACKED: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\0": lzma.open,
}
#: 7-Zip, RAR, Zstandard, compress.
_UNKNOWN_ARCHIVES = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\x28\xb5\x2f\xfd", b"\x1f\x9d")
#: Of a zip: where a member's head tells the length of its name, what may follow the member, and the
#: largest extra field (times, owners, sizes beyond 4 GB).
_NAME, _DESCRIPTOR, _EXTRA = 26, 24, 128
#: Members by which a zip is the file of a program, and not an archive of files.
_PROGRAMS = frozenset(("[Content_Types].xml", "mimetype", "doc.kml", "META-INF/manifest.xml"))
_BROKEN = (
    zipfile.BadZipFile,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    struct.error,
)


class TooMany(Exception):
    """The folder holds more entries than the folder of a release has."""


@dataclass(frozen=True)
class Entry:
    """A file in the folder, or in an archive in it.

    Attributes
    ----------
    name : str
        Path within the folder, with slashes; of what is in an archive behind that of the archive.
    digest : Digest or None
        None where it was not read.
    signs : tuple of (str, str)
        See :class:`.signs.Search`.
    problem : str
        Why it was not looked into, or not to its end; empty if it was.
    members : int
        How many of the entries that follow lie in it.
    """

    name: str
    digest: Digest | None = None
    signs: tuple[tuple[str, str], ...] = ()
    problem: str = ""
    members: int = 0


def listed(folder: str, ask: Callable[[], None], most: int = MOST) -> list[tuple[str, int]]:
    """Return the path within a folder, and the size, of everything in it but folders.

    Raises
    ------
    OSError
        If the folder itself cannot be read.
    TooMany
    """
    found: list[tuple[str, int]] = []
    waiting = [""]
    while waiting:
        inner = waiting.pop()
        try:
            with os.scandir(os.path.join(folder, inner)) as entries:
                for entry in entries:
                    ask()
                    name = f"{inner}/{entry.name}" if inner else entry.name
                    if entry.is_dir(follow_symlinks=False) and not _is_junction(entry):
                        waiting.append(name)
                    else:
                        found.append((name, _size(entry)))
                    if len(found) + len(waiting) > most:
                        raise TooMany
        except OSError:
            if not inner:
                raise
            found.append((inner, -1))
    return sorted(found)


def looked_through(
    folder: str,
    files: list[tuple[str, int]],
    signs: Signs,
    progress: Progress,
    most_unpacked: int = MOST_UNPACKED,
) -> Iterator[Entry]:
    """Yield every file of a folder with its digest and its signs, and what archives hold.

    Parameters
    ----------
    folder : str
    files : list of (str, int)
        As :func:`listed` returns them.
    signs : Signs
    progress : callable
        Told a fraction for each megabyte; may raise to cancel.
    most_unpacked : int
        Bytes that are unpacked of one file.
    """
    total, done = max(1, sum(max(0, size) for _, size in files)), 0

    def tell(before: int, size: int, read: int) -> None:
        progress(min(1.0, (before + min(read, size)) / total))

    for name, size in files:
        look = _Look(signs, functools.partial(tell, done, size), most_unpacked)
        path = os.path.join(folder, *name.split("/"))
        if os.path.islink(path):
            yield Entry(name, problem=LINK)
        elif size < 0 or os.path.isdir(path):
            yield Entry(name, problem=UNREADABLE)
        else:
            yield from look.file(path, name)
        done += max(0, size)
    progress(1.0)


class _Look:
    """Looks into one file of the folder."""

    def __init__(self, signs: Signs, tell: Callable[[int], None], most_unpacked: int):
        self._signs, self._tell, self._left = signs, tell, most_unpacked

    def file(self, path: str, name: str) -> Iterator[Entry]:
        try:
            file = opened(path, follow=False)
        except OSError as error:
            strange = error.errno in (errno.EINVAL, errno.ENXIO, errno.EOPNOTSUPP)
            yield Entry(name, problem=NO_FILE if strange else UNREADABLE)
            return
        with file:
            yield from self._stream(file, name, 0)

    def _stream(self, file: IO[bytes], name: str, depth: int) -> list[Entry]:
        """Return the entries of a stream that can be read twice: itself, then what it holds."""
        digesting, search = Digesting(), Search(self._signs)
        head = b""
        try:
            for read, piece in enumerate(pieces(file)):
                head = head or piece[:16]
                digesting.add(piece)
                search.add(piece)
                self._tell(0 if depth else (read + 1) * CHUNK)
            deleted = has_deleted_pages(file)
        except OSError:
            return [Entry(name, problem=UNREADABLE)]
        inner, problem = self._inside(file, name, head, search, depth)
        signs = () if inner else tuple(search.found())  # what is not packed tells it itself
        signs += ((DELETED, ""),) if deleted else ()
        return [Entry(name, digesting.digest(), signs, problem, len(inner)), *inner]

    def _inside(
        self, file: IO[bytes], name: str, head: bytes, search: Search, depth: int
    ) -> tuple[list[Entry], str]:
        """Look at what a file has packed; that of a program's file counts as its own."""
        if head.startswith(_UNKNOWN_ARCHIVES):
            return [], CLOSED
        try:
            file.seek(0)
            for magic, unpacker in _PACKED.items():
                if head.startswith(magic):
                    with unpacker(file) as unpacked:
                        return [], self._searched(unpacked, search)
            if head.startswith(b"PK") and zipfile.is_zipfile(file):
                with zipfile.ZipFile(file) as archive:
                    return self._archive(archive, name, search, depth)
        except _BROKEN:
            return [], CLOSED
        except OSError:
            return [], UNREADABLE
        return [], ""

    def _archive(
        self, archive: zipfile.ZipFile, name: str, search: Search, depth: int
    ) -> tuple[list[Entry], str]:
        members = [one for one in archive.infolist() if not one.is_dir()]
        if len(members) > MOST:
            return [], TOO_LARGE
        names = {one.filename for one in members}
        of_program = bool(names & _PROGRAMS) or all(one.endswith(".npy") for one in names)
        found: list[Entry] = []
        problem = "" if of_program or _is_listed(archive) else UNLISTED
        for one in members:
            inner = f"{name}/{one.filename}"
            if one.flag_bits & 1:
                if of_program:
                    problem = CLOSED
                else:
                    found.append(Entry(inner, problem=CLOSED))
                continue
            with archive.open(one) as stream:
                if of_program:
                    problem = self._searched(stream, search) or problem
                else:
                    found += self._member(stream, inner, depth + 1)
        return found, problem

    def _member(self, stream, name: str, depth: int) -> list[Entry]:
        """Look into a member of an archive, which has to be unpacked to be read twice."""
        if depth > _DEEPEST:
            return [Entry(name, problem=CLOSED)]
        with tempfile.SpooledTemporaryFile(max_size=64 << 20) as copy:
            for piece in iter(lambda: stream.read(CHUNK), b""):
                self._tell(0)
                self._left -= len(piece)
                if self._left < 0:
                    return [Entry(name, problem=TOO_LARGE)]
                copy.write(piece)
            copy.seek(0)
            return self._stream(copy, name, depth)

    def _searched(self, stream, search: Search) -> str:
        """Search through what is unpacked; say why if that was not done to its end."""
        for piece in iter(lambda: stream.read(CHUNK), b""):
            self._tell(0)
            self._left -= len(piece)
            if self._left < 0:
                return TOO_LARGE
            search.add(piece)
        return ""


def _is_listed(archive: zipfile.ZipFile) -> bool:
    """Whether a zip holds nothing but the files in its list: no deleted ones, no comments."""
    entries = sorted(archive.infolist(), key=lambda one: one.header_offset)
    file, end = archive.fp, 0
    if file is None or archive.comment:
        return False
    for one in entries:
        if (
            not 0 <= one.header_offset - end <= _DESCRIPTOR
            or one.comment
            or len(one.extra) > _EXTRA
        ):
            return False
        file.seek(one.header_offset + _NAME)
        name, extra = struct.unpack("<HH", file.read(4))
        if extra > _EXTRA:
            return False
        end = one.header_offset + _NAME + 4 + name + extra + one.compress_size
    return 0 <= archive.start_dir - end <= _DESCRIPTOR


def _size(entry: os.DirEntry) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:
        return 0


def _is_junction(entry: os.DirEntry) -> bool:
    return bool(getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0))
