# SPDX-License-Identifier: GPL-2.0-or-later
"""Which files of a folder are a partitioned table, and what the names of its folders say.

Layouts: files beside each other, in folders, and in folders whose names are values (``key=value``,
as Hive, Spark, Arrow and Dask write them).
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote

from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from .parquet_columns import LONG, NOTHING, STRING

#: Folders by which tables are known whose files hold rows that are not in them any more.
_LOGS = {"_delta_log": "Delta Lake", ".hoodie": "Hudi"}
#: Bytes between two questions whether to go on.
_PIECE = 1 << 20
_MISSING = "__HIVE_DEFAULT_PARTITION__"
#: A whole number that is written in one way only: 007 is text.
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")


def files_of(folder: Path, progress: Progress = silent) -> list[Path]:
    """The files of a table, in the order of their names.

    What begins with a dot or an underscore is no part of it, as everywhere where such folders are
    read.

    Raises
    ------
    InputError
        If the folder cannot be read, holds no file, or is more than its files tell.
    """
    found = []

    def refuse(error: OSError) -> None:
        raise InputError("The folder {path} cannot be read: {error}.", path=folder, error=error)

    seen: set[str] = set()
    for place, folders, names in os.walk(folder, onerror=refuse, followlinks=True):
        progress(0.0)
        if (real := os.path.realpath(place)) in seen:
            raise InputError(
                "The folder {path} leads to one that is read already: its records would count "
                "twice. Take the link out.",
                path=place,
            )
        seen.add(real)
        for name in set(folders) & set(_LOGS):
            raise InputError(
                "The folder {path} is a table of {system}, whose files hold rows that have been "
                "deleted or replaced since. Save the table as Parquet files of its own first.",
                path=place,
                system=_LOGS[name],
            )
        folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
        found += [Path(place, name) for name in names if not name.startswith((".", "_"))]
    if not found:
        raise InputError(
            "The folder {path} holds no Parquet file. Choose another one.", path=folder
        )
    return sorted(found)


def copies_among(
    files: Iterable[tuple[Path, object]], progress: Progress = silent
) -> list[tuple[Path, Path]]:
    """Pairs of files that are the same byte for byte, which are likely copies.

    Parameters
    ----------
    files : iterable of (Path, object)
        With what besides has to be the same, such as the names of their folders.
    progress : callable
        Asked after every megabyte that is read.
    """
    alike: dict[tuple[int, str], list[Path]] = {}
    for path, own in files:
        alike.setdefault((path.stat().st_size, repr(own)), []).append(path)
    found = []
    for some in alike.values():
        first: dict[str, Path] = {}
        for path in some if len(some) > 1 else ():
            told = _bytes_of(path, progress)
            if first.setdefault(told, path) != path:
                found.append((first[told], path))
    return found


def _bytes_of(path: Path, progress: Progress) -> str:
    told = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            told.update(piece)
            progress(0.0)
    return told.hexdigest()


def keys_of(label: str) -> dict[str, str | None]:
    """The values that the names of folders tell of a file, by their keys.

    Parameters
    ----------
    label : str
        Path of the file within the folder, with slashes.
    """
    pairs = [name.partition("=") for name in label.split("/")[:-1] if "=" in name]
    return {unquote(key): None if value == _MISSING else unquote(value) for key, _, value in pairs}


def kinds_of_keys(every: Iterable[Mapping[str, str | None]]) -> dict[str, str]:
    """How the values of each key are read: as whole numbers where all of them are."""
    kinds: dict[str, str] = {}
    for keys in every:
        for key, value in keys.items():
            before = kinds.get(key, NOTHING)
            if value is None:
                kinds[key] = before
            elif before != STRING:
                kinds[key] = LONG if _WHOLE.fullmatch(value) else STRING
    return {key: STRING if kind == NOTHING else kind for key, kind in kinds.items()}
