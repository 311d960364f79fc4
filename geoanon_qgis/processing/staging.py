# SPDX-License-Identifier: GPL-2.0-or-later
"""Files appear whole or not at all.

A file is written into a hidden folder beside its final place, under its final name, and moved
there when everything has succeeded. Moving within one file system is one step, so nobody sees
half a file; and until then the file of before is untouched.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import GeoAnonError
from .i18n import tr

#: Files that belong to a file of this extension and would be wrong beside a new one.
_FAMILY = {
    ".shp": (
        ".shx .dbf .prj .cpg .qpj .qix .sbn .sbx .idm .ind .fbn .fbx .ain .aih .shp.xml".split()
    ),
    ".tab": ".dat .map .id .ind".split(),
    ".mif": [".mid"],
    ".csv": [".csvt", ".prj"],
}
#: What SQLite keeps beside a database; a new database must not find an old journal.
_JOURNALS = ("-wal", "-shm", "-journal")


@dataclass(frozen=True)
class _Staged:
    final: Path
    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / "new" / self.final.name


class Staging:
    """The files of one run."""

    def __init__(self) -> None:
        self._staged: list[_Staged] = []

    def path_for(self, final: Path) -> Path:
        """Return where to write what is to become ``final``.

        Raises
        ------
        GeoAnonError
            If the folder is missing or cannot be written to, or ``final`` is a folder.
        """
        if not final.parent.is_dir():
            raise GeoAnonError(
                tr("The folder {folder} does not exist. Make it, or choose another one.").format(
                    folder=final.parent
                )
            )
        if final.is_dir():
            raise GeoAnonError(
                tr("{path} is a folder. Give the name of a file.").format(path=final)
            )
        if final.exists() and not os.access(final, os.W_OK):
            # moving would pass over the write protection of the file itself
            raise GeoAnonError(
                tr("The file {path} is write-protected. Choose another file.").format(path=final)
            )
        try:
            folder = Path(tempfile.mkdtemp(prefix=".geoanon-", dir=final.parent))
        except OSError as error:
            raise cannot_write(final, error) from error
        staged = _Staged(final, folder)
        self._staged.append(staged)
        for name in ("new", "old"):
            (folder / name).mkdir()
        return staged.path

    def publish(self) -> None:
        """Move all files to their final places; on a failure put back what was there.

        Raises
        ------
        GeoAnonError
            If a file cannot be replaced.
        """
        moves: list[tuple[Path, Path]] = []
        try:
            for staged in self._staged:
                for old in _family(staged.final):
                    _move(old, staged.folder / "old" / old.name, moves)
                for new in sorted((staged.folder / "new").iterdir()):
                    _move(new, staged.final.parent / new.name, moves)
        except OSError as error:
            for source, target in reversed(moves):
                os.replace(target, source)
            raise cannot_write(staged.final, error) from error
        self._undo = moves

    def take_back(self) -> None:
        """Undo :meth:`publish`, as long as :meth:`clean` has not been called."""
        for source, target in reversed(self._undo):
            with suppress(OSError):
                os.replace(target, source)
        self._undo = []

    def clean(self) -> None:
        """Remove the hidden folders with all that is still in them."""
        for staged in self._staged:
            shutil.rmtree(staged.folder, ignore_errors=True)
        self._staged = []


def cannot_write(path: Path, error: OSError) -> GeoAnonError:
    """Return the sentence for a failed write."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        text = tr("The disk is full: {path} was not written. Free some space and run it again.")
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        text = tr(
            "{path} cannot be written: the folder or the file is write-protected, or another "
            "program or a loaded layer holds the file. Choose another place, or close what uses it."
        )
    else:
        text = tr("{path} cannot be written ({reason}). Choose another place.")
    return GeoAnonError(text.format(path=path, reason=error.strerror or error))


def _family(final: Path) -> list[Path]:
    """Return what is there of the file and of those that belong to it."""
    suffixes = _FAMILY.get(final.suffix.lower(), [])
    stem = final.name[: len(final.name) - len(final.suffix)]
    wanted = {final.name.lower()}
    wanted.update((stem + suffix).lower() for suffix in suffixes)
    wanted.update((final.name + journal).lower() for journal in _JOURNALS)
    if not any(
        os.path.lexists(final.with_name(name)) for name in (final.name, stem, *wanted)
    ) and not suffixes:
        return []
    with os.scandir(final.parent) as entries:
        return [Path(entry.path) for entry in entries if entry.name.lower() in wanted]


def _move(source: Path, target: Path, moves: list[tuple[Path, Path]]) -> None:
    os.replace(source, target)
    moves.append((source, target))
