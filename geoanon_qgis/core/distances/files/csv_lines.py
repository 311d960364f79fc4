# SPDX-License-Identifier: GPL-2.0-or-later
"""Lines of delimited text: unpacked, decoded, split; separators and decimal marks found out."""

from __future__ import annotations

import csv
import gzip
import os
import re
import zlib
from collections.abc import Iterator

import numpy as np

from ...runtime import accel
from ...runtime.errors import InputError
from ...runtime.progress import Progress

#: No line of a matrix that fits into memory is longer (bytes).
_LONGEST = 1 << 28
#: Text read between two reports of progress (bytes).
_REPORT = 1 << 20
_QUOTED_CELL = re.compile(rb' *"((?:[^"]|"")*)" *')
_POWERS = 10.0 ** np.arange(23)


class Lines:
    """The lines of a text file, one record each, without their ends.

    Gzip is undone, a byte order mark dropped, blank lines are skipped and lines within quotes
    joined. To be used as a context; :attr:`number` is that of the last line read, from 1.
    """

    def __init__(self, path: str, name: str, progress: Progress) -> None:
        self.name = name
        self.number = 0
        self.ends_properly = True
        self._progress = progress
        self._unreported = 0
        self._raw = open(path, "rb")
        self.size = max(os.fstat(self._raw.fileno()).st_size, 1)
        packed = self._raw.read(2) == b"\x1f\x8b"
        self._raw.seek(0)
        self._stream = gzip.GzipFile(fileobj=self._raw) if packed else self._raw
        # Deflate makes at most 1,032 bytes of one.
        self.most_bytes = self.size * (1032 if packed else 1)

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *error: object) -> None:
        self._stream.close()
        self._raw.close()

    def __iter__(self) -> Iterator[bytes]:
        while True:
            line = self._physical_line()
            if not line:
                return
            if b'"' in line and line.count(b'"') % 2:
                line = self._until_quote_ends(line)
            line = line.rstrip(b"\r\n")
            if line and not line.isspace():
                yield line

    def _until_quote_ends(self, line: bytes) -> bytes:
        """Join the lines of a cell that has line ends in it."""
        parts, size, start = [line], len(line), self.number
        while True:
            more = self._physical_line()
            parts.append(more)
            size += len(more)
            if more.count(b'"') % 2:
                return b"".join(parts)
            if not more or size > _LONGEST:
                raise InputError(
                    "Line {start:,} of the file {name} has a quotation mark that is never closed.",
                    start=start,
                    name=self.name,
                )

    def _physical_line(self) -> bytes:
        try:
            line = self._stream.readline(_LONGEST)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(
                "The packed file {name} is damaged or cut off ({error}).",
                name=self.name,
                error=error,
            ) from error
        if len(line) == _LONGEST:
            raise InputError("The file {name} is no table: it has no line ends.", name=self.name)
        if self.number == 0:
            if line[:2] in (b"\xff\xfe", b"\xfe\xff"):
                raise InputError(
                    "The file {name} is text in UTF-16 (Excel's Unicode text); save it as "
                    "CSV in UTF-8.",
                    name=self.name,
                )
            line = line[3:] if line.startswith(b"\xef\xbb\xbf") else line
        if b"\0" in line:
            raise InputError(
                "The file {name} is not text: it has zero bytes in it.", name=self.name
            )
        self.number += bool(line)
        self.ends_properly = line.endswith((b"\n", b"\r")) or not line
        self._unreported += len(line)
        if self._unreported >= _REPORT or self.number == 1:
            self._unreported = 0
            self._progress(min(self._raw.tell() / self.size, 1.0))
        return line


def split(line: bytes, separator: bytes, name: str) -> list[str]:
    """Split a line into the texts of its cells."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            "The file {name} has ids that are not text in UTF-8 ({line!r}); save it as CSV "
            "in UTF-8.",
            name=name,
            line=line[max(error.start - 10, 0) : error.end + 10],
        ) from None
    if '"' not in text:
        return [cell.strip(" ") for cell in text.split(separator.decode())]
    before = csv.field_size_limit(_LONGEST)
    try:
        rows = list(
            csv.reader([text], delimiter=separator.decode(), skipinitialspace=True, strict=True)
        )
    except csv.Error as error:
        raise InputError(
            "The file {name} has cells that are quoted wrongly ({error}).", name=name, error=error
        ) from None
    finally:
        csv.field_size_limit(before)
    return rows[0] if rows else []


def separator_of(line: bytes) -> bytes:
    """Guess what separates the cells of the header: a tab, a semicolon or a comma."""
    bare = re.sub(rb'"(?:[^"]|"")*"', b"", line)
    counts = {mark: bare.count(mark) for mark in (b"\t", b";", b",")}
    # A comma may be a decimal mark where there are others.
    if counts[b"\t"] or counts[b";"]:
        return b"\t" if counts[b"\t"] >= counts[b";"] else b";"
    return b","


class Cells:
    """Turns the cells of a line into numbers, by one decimal mark throughout the file."""

    def __init__(self, separator: bytes, name: str) -> None:
        self.separator = separator
        self.name = name
        self._mark: bytes | None = b"." if separator == b"," else None

    def split_id(self, line: bytes) -> tuple[str, bytes]:
        """Split off the id in front of a row."""
        if line.lstrip(b" ").startswith(b'"'):
            found = _QUOTED_CELL.match(line)
            end = found.end() if found else len(line)
            if not found or line[end : end + 1] not in (self.separator, b""):
                raise InputError(
                    "The file {name} has an id that is quoted wrongly.", name=self.name
                )
            return split(line[:end].strip(b" "), self.separator, self.name)[0], line[end + 1 :]
        cell, _, rest = line.partition(self.separator)
        return split(cell, self.separator, self.name)[0], rest

    def numbers(self, text: bytes, count: int) -> np.ndarray | None:
        """Read ``count`` numbers.

        Returns
        -------
        (count,) float array or None
            None if not all cells are numbers, or there are more or fewer of them; what is wrong
            is for the caller to find out.
        """
        if b'"' in text:
            try:
                parts = split(text, self.separator, self.name)
            except InputError:
                return None
            if any(self.separator.decode() in part for part in parts):
                if self.separator != b"," or any("." in part for part in parts):
                    return None
                # Quoted because of its decimal comma.
                if len(parts) != count:
                    return None
                return _by_float([part.replace(",", ".") for part in parts])
            text = self.separator.join(part.encode("utf-8") for part in parts)
        mark = self._decimal_mark(text)
        if accel.enabled():
            out = np.empty(count)
            codes = np.frombuffer(text, dtype=np.uint8)
            if _read_plain(codes, self.separator[0], mark[0], _POWERS, out):
                return out
        try:
            plain = text.decode("ascii")
        except UnicodeDecodeError:
            return None
        if mark == b",":
            if "." in plain:
                return None
            plain = plain.replace(",", ".")
        # Counted first: a file that is no table may have more cells than fit into memory.
        if text.count(self.separator) != count - 1:
            return None
        return _by_float(plain.split(self.separator.decode()))

    def number(self, text: str) -> float | None:
        """Read one number; None if it is none."""
        values = self.numbers(text.encode("utf-8"), 1)
        return None if values is None else float(values[0])

    def decimals(self, text: bytes) -> int:
        """Most digits after the decimal mark in a line; 0 if there is none."""
        mark = self._decimal_mark(text)
        found = re.findall(re.escape(mark) + rb"(\d+)(?![\deE])", text)
        return max(map(len, found), default=0)

    def _decimal_mark(self, text: bytes) -> bytes:
        if self._mark is None:
            point, comma = b"." in text, b"," in text
            if not (point or comma):
                return b"."
            self._mark = b"," if comma else b"."
        return self._mark


def _by_float(cells: list[str]) -> np.ndarray | None:
    if any("_" in cell for cell in cells):
        return None
    try:
        return np.array(list(map(float, cells)))
    except ValueError:
        return None


@accel.kernel
def _read_plain(text, separator, mark, powers, out):
    """Read numbers of digits and at most one decimal mark; False at anything else.

    A whole number below 2^53 over a power of ten up to 10^22 is two doubles that are exact, so
    that their quotient is the double nearest to the text, as Python's ``float`` has it.
    """
    at = 0
    for cell in range(len(out)):
        whole = np.uint64(0)
        digits = 0
        decimals = -1
        while at < len(text) and text[at] != separator:
            code = text[at]
            at += 1
            if code == mark:
                if decimals >= 0:
                    return False
                decimals = 0
            elif 48 <= code <= 57:
                whole = whole * np.uint64(10) + np.uint64(code - 48)
                digits += 1
                if decimals >= 0:
                    decimals += 1
            else:
                return False
        if digits == 0 or digits > 18 or decimals > 22 or whole >= np.uint64(9007199254740992):
            return False
        out[cell] = float(whole) / powers[max(decimals, 0)]
        if cell < len(out) - 1:
            if at == len(text):
                return False
            at += 1
    return at == len(text)
