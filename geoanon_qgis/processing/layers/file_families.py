# SPDX-License-Identifier: GPL-2.0-or-later
"""Which files belong together: a Shapefile is five files, and an output that is called like one
of them would destroy it.

Names are compared as systems do that do not tell upper from lower case, wherever the files lie:
they may be carried to such a system, and a folder of Linux may be one of Windows.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable
from pathlib import Path

#: Endings that make up one data set, the file that names it first.
_GROUPS = (
    (
        ".shp .shx .dbf .prj .cpg .qpj .qix .sbn .sbx .idm .ind .fbn .fbx .ain .aih .atx .ixs .mxs "
        ".cst .shp.xml"
    ).split(),
    ".tab .dat .map .id .ind".split(),
    ".mif .mid".split(),
    ".csv .csvt".split(),
    ".gml .xsd .gfs".split(),
)
#: Further endings by which a data set can be opened.
_OPENED_BY = {".shx": ".shp", ".dat": ".tab", ".map": ".tab", ".id": ".tab", ".mid": ".mif"}
#: A table is one of these two files alone.
_TABLE = ".dbf .cpg".split()
#: What SQLite keeps beside a database; a new database must not find an old journal.
_JOURNALS = ("-wal", "-shm", "-journal")
#: What QGIS and GDAL read beside any layer: after the whole name, and in place of the ending.
_AFTER = (".xml", ".aux.xml", ".gfs")
_ASIDE = (".qml", ".qmd", ".sld")


def written(path: Path) -> list[Path]:
    """Return the files that a layer written to ``path`` may consist of, ``path`` first."""
    return [path, *_members(path), *_after(path, _JOURNALS)]


def read(path: Path) -> list[Path]:
    """Return the files that a layer read from ``path`` may consist of, there or not.

    One that is not there belongs to it too: a new ``.prj`` moves a Shapefile elsewhere.
    """
    here = [path, *_members(path), *_after(path, _JOURNALS), *_after(path, _AFTER)]
    return [*here, *(path.with_name(_stem(path) + ending) for ending in _ASIDE)]


def previous(final: Path) -> list[Path]:
    """Return what is there of the data set called ``final``, which a new one replaces.

    Files beside belong to it only if it is there itself: without it they are somebody else's.
    """
    names = [final, *_after(final, _JOURNALS)]
    if os.path.lexists(final):
        beside = _TABLE if final.suffix.lower() == ".dbf" else None
        names += _members(final, beside)
    found = {}
    for path in names:
        try:
            status = os.lstat(path)
        except OSError:
            continue
        # where case does not matter, a name in capitals would be found a second time
        same = status.st_ino or os.path.normcase(path.name)
        found.setdefault((status.st_dev, same, fold(path.name)), path)
    return list(found.values())


def strangers(final: Path, table: bool) -> list[Path]:
    """Return existing files that writing a layer to ``final`` would take from somebody else.

    Parameters
    ----------
    final : Path
    table : bool
        Whether it is a table without geometry.
    """
    if final.suffix.lower() == ".dbf":  # names the table, not the places that lie beside it
        theirs = [path for path in _members(final) if path.suffix.lower() in (".shp", ".shx")]
        return [path for path in theirs if os.path.lexists(path)]
    if os.path.lexists(final):
        return []
    theirs = _members(final, _TABLE if table and final.suffix.lower() == ".shp" else None)
    return [path for path in theirs if os.path.lexists(path)]


def is_one_file(name: str) -> bool:
    """Tell whether a data set of this name is a single file."""
    return not _group(Path(name).suffix.lower())


def keys(paths: Iterable[Path]) -> dict[tuple, Path]:
    """Return what tells files apart, and the path that has it: the same key, the same file.

    Links are followed, and two names of one file (hard links) are one file.
    """
    result: dict[tuple, Path] = {}
    folders: dict[str, tuple] = {}
    for path in paths:
        real = os.path.realpath(path)
        parent, name = os.path.split(real)
        if parent not in folders:
            folders[parent] = _folder(parent)
        result.setdefault((*folders[parent], fold(name)), path)
        try:
            status = os.stat(real)
        except (OSError, ValueError):
            continue
        if status.st_nlink > 1 and status.st_ino and not os.path.isdir(real):
            result.setdefault((status.st_dev, status.st_ino, ""), path)
    return result


def fold(name: str) -> str:
    """Return a name as a system sees it that tells neither case nor ways of writing an accent."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _folder(path: str) -> tuple:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return ("", fold(path))
    return (status.st_dev, status.st_ino) if status.st_ino else ("", fold(os.path.normcase(path)))


def _members(path: Path, endings: list[str] | None = None) -> list[Path]:
    """Return the other files of a data set, in small letters and in capitals."""
    if endings is None:
        endings = _group(path.suffix.lower())
    stem, own = _stem(path), path.suffix
    names = [stem + one for ending in endings for one in (ending, ending.upper())]
    return [path.with_name(name) for name in dict.fromkeys(names) if name != stem + own]


def _group(ending: str) -> list[str]:
    ending = _OPENED_BY.get(ending, ending)
    if ending == ".dbf":
        ending = ".shp"
    return next((group for group in _GROUPS if group[0] == ending), [])


def _after(path: Path, endings: Iterable[str]) -> list[Path]:
    return [path.with_name(path.name + ending) for ending in endings]


def _stem(path: Path) -> str:
    return path.name[: len(path.name) - len(path.suffix)]
