# SPDX-License-Identifier: GPL-2.0-or-later
"""What a long run has done so far, in a file, so that a run which was killed can be gone on with.

A line of JSON for each piece of work, appended as soon as it is done. The first line says what the
file is of: the settings that two runs must have in common, and the seed that every number drawn
follows from. Who has the file and the data can therefore make the run again: it is private.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import GeoAnonError, InputError
from .private_files import open_private

#: What the first line is known by.
_MARK = "geoanon_run"
_VERSION = 1
#: Characters of the first line at most.
_LONGEST_HEAD = 100_000


class Kept:
    """Results by name, in memory, and in a file where there is one.

    Attributes
    ----------
    taken : int
        How many results were there already.
    """

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}
        self._file: int | None = None
        self._lock = threading.Lock()
        self.taken = 0

    def get(self, name: str) -> Any:
        """Return a result, None where there is none."""
        return self._values.get(name)

    def put(self, name: str, value: Any) -> None:
        """Keep a result that JSON can hold; from any thread.

        Raises
        ------
        GeoAnonError
            If it cannot be written.
        """
        line = json.dumps([name, value], separators=(",", ":")) + "\n"
        with self._lock:
            self._values[name] = value
            if self._file is not None:
                try:
                    _write(self._file, line)
                except OSError as error:
                    raise GeoAnonError(
                        "What is done cannot be kept any more ({reason}). Free some space, and"
                        " start it again with the same RESUME: it goes on where it stopped.",
                        reason=error.strerror or str(error),
                    ) from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None


class Earlier:
    """What a file has of an earlier run; nothing where there is no file, or it is empty.

    Attributes
    ----------
    settings : dict
        Of the earlier run.
    seed : int or None
    """

    def __init__(self, path: Path) -> None:
        """Read a file.

        Parameters
        ----------
        path : Path

        Raises
        ------
        InputError
            If it is no such file.
        OSError
            If it cannot be read.
        """
        self.path = path
        self.settings: dict[str, Any] = {}
        self.seed: int | None = None
        self._values: dict[str, Any] = {}
        self._length = 0
        if not path.exists() or not path.stat().st_size:
            return
        with open(path, "rb") as file:
            head = file.readline(_LONGEST_HEAD)
            self._read_head(head)
            self._length = len(head)
            for line in file:
                found = _entry(line)
                if found is None:  # the run was killed while it wrote this
                    break
                self._values[found[0]] = found[1]
                self._length += len(line)

    def __bool__(self) -> bool:
        return self.seed is not None

    def differs_in(self, settings: Mapping[str, Any], seed: int | None) -> list[str]:
        """Names of the settings in which a run differs; ``seed`` is None for any."""
        names = dict.fromkeys((*settings, *self.settings))
        plain = json.loads(json.dumps(dict(settings)))
        other = [name for name in names if self.settings.get(name) != plain.get(name)]
        return other + (["seed"] if seed is not None and seed != self.seed else [])

    def goes_on(self) -> Kept:
        """Return what there is, to be added to in the same file."""
        kept = Kept()
        kept._values, kept.taken = dict(self._values), len(self._values)
        kept._file = open_private(self.path)
        os.ftruncate(kept._file, self._length)
        os.lseek(kept._file, 0, os.SEEK_END)
        return kept

    def anew(self, settings: Mapping[str, Any], seed: int) -> Kept:
        """Begin the file again."""
        kept = Kept()
        kept._file = open_private(self.path)
        os.ftruncate(kept._file, 0)
        head = {_MARK: _VERSION, "settings": dict(settings), "seed": seed}
        _write(kept._file, json.dumps(head) + "\n")
        return kept

    def _read_head(self, line: bytes) -> None:
        try:
            head = json.loads(line)
            if head[_MARK] != _VERSION:
                raise ValueError
            self.settings, self.seed = dict(head["settings"]), int(head["seed"])
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise InputError(
                "“{name}” is no file of an earlier run. Name one that this algorithm has written, or"
                " a new one.",
                name=self.path.name,
            ) from error


def _entry(line: bytes) -> tuple[str, Any] | None:
    if not line.endswith(b"\n"):
        return None
    try:
        name, value = json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return None
    return (name, value) if isinstance(name, str) else None


def _write(file: int, line: str) -> None:
    rest = line.encode("ascii")
    while rest:
        rest = rest[os.write(file, rest) :]
