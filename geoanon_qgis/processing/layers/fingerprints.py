# SPDX-License-Identifier: GPL-2.0-or-later
"""What a run has read of a source that is no file as it lies there: a digest of its features.

It is taken while the features are read, from what was read of them anyway, and only where a
report will tell it. A file is known by its bytes instead (see :mod:`...core.verification.digests`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from ...core.columns import Column, column_of

#: The name under which a source carries its fingerprint.
_CARRIED = "geoanon_fingerprint"


class Fingerprint:
    """SHA-256 of the geometries (WKB) and the attributes (text) that the first reading met.

    Attributes
    ----------
    count : int
        How many features that were.
    fields : list of str
        Whose values are in it.
    """

    def __init__(self) -> None:
        self.count = 0
        self.fields: list[str] = []
        self._hash = None
        self._done = False

    def begin(self, fields: Iterable[str]) -> Fingerprint | Unasked:
        """Return where to add what is read: nowhere, if a reading has told it already."""
        if self._done:
            return Unasked()
        self._hash, self.count, self.fields = hashlib.sha256(), 0, list(fields)
        return self

    def add(self, count: int, shapes: Iterable[bytes], columns: Iterable[Column]) -> None:
        """Take a batch: how many features, their geometries, and the values of each field."""
        self.count += count
        self._hash.update(b"".join(shapes))
        for column in columns:
            # no text holds these two characters but one that was made to
            self._hash.update("\x1f".join(column.texts("\x1e")).encode("utf-8", "surrogatepass"))

    def end(self) -> None:
        """All has been read."""
        self._done = True

    @property
    def sha256(self) -> str:
        """The digest; empty where nothing was read to its end."""
        return self._hash.hexdigest() if self._done else ""


class Unasked:
    """A fingerprint that nobody has asked for."""

    def add(self, count: int, shapes: Iterable[bytes], columns: Iterable[Column]) -> None:
        """Leave a batch as it is."""

    def end(self) -> None:
        """All has been read."""


def carry(source) -> Fingerprint:
    """Have a source's features counted and digested when they are read."""
    fingerprint = Fingerprint()
    setattr(source, _CARRIED, fingerprint)
    return fingerprint


def begin(source, fields: Iterable[str]) -> Fingerprint | Unasked:
    """Return where a reading of some fields of a source adds what it meets."""
    fingerprint = getattr(source, _CARRIED, None)
    return Unasked() if fingerprint is None else fingerprint.begin(fields)


def one(feature, *positions: int) -> tuple[int, Iterable[bytes], Iterable[Column]]:
    """Return a single feature as :meth:`Fingerprint.add` takes it; nothing is looked at yet."""
    shapes = (found.geometry().asWkb().data() for found in (feature,))
    values = (feature.attributes()[position] for position in positions)
    return 1, shapes, (column_of("", [value]) for value in values)
