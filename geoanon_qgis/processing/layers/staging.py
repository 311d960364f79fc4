# SPDX-License-Identifier: GPL-2.0-or-later
"""Files appear whole or not at all.

A file is written into a hidden folder beside its final place, under its final name, and moved
there when everything has succeeded. Moving within one file system is one step, so nobody sees
half a file; and until then the file of before is untouched.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import threading
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import Any, Callable

from ...core.runtime.errors import GeoAnonError
from ..i18n import tr
from . import drafts, file_families

#: Seconds between two questions whether to go on while a file is closed.
_POLL_S = 0.05
#: Bytes that must still fit beside a file when it is done.
_ROOM = 65_536
#: Bytes in the name of a file and in a path, on the systems of today.
_LONGEST_NAME, _LONGEST_PATH = 255, 4000
#: Where systems keep what is no file: devices, and the open files of a process under names.
_NOT_FILES = re.compile(r"/dev/(stdin|stdout|stderr|fd/.*)|/proc/[^/]+/fd/.*")
#: Name of the thread that removes drafts which are still being closed when a run is over.
REMOVING = "geoanon-removing"


@dataclass(frozen=True)
class _Staged:
    final: Path
    draft: drafts.Draft
    name: str

    @property
    def folder(self) -> Path:
        return self.draft.folder

    @property
    def path(self) -> Path:
        return self.folder / "new" / self.name

    def final_name(self, name: str) -> str:
        """Return what a file of the draft is called in the end."""
        stem, ending = self.path.stem, self.final.suffix
        if not name.startswith(stem):
            return name
        own = name[len(stem) :]
        if file_families.is_one_file(self.name):
            own = ending if own == self.path.suffix else own
        elif ending.isupper() and own != ".xsd":  # which GDAL looks for in small letters only
            own = own.upper()
        return self.final.name[: len(self.final.name) - len(ending)] + own


@dataclass(frozen=True)
class _Plan:
    """The moves that publish one output: what was there goes away, then the new comes here."""

    staged: _Staged
    away: list[tuple[Path, Path]]
    here: list[tuple[Path, Path]]

    @classmethod
    def of(cls, staged: _Staged) -> _Plan:
        old = file_families.previous(staged.final)
        new = sorted((staged.folder / "new").iterdir())
        here = [(path, staged.final.with_name(staged.final_name(path.name))) for path in new]
        return cls(staged, [(path, staged.folder / "old" / path.name) for path in old], here)

    def names(self) -> tuple[Path, list[str], list[tuple[str, str]]]:
        """Return the moves as :func:`.drafts.note_moves` takes them."""
        return (
            self.staged.folder,
            [old.name for old, _ in self.away],
            [(new.name, final.name) for new, final in self.here],
        )


def _refuse_what_nobody_named(plans: list[_Plan]) -> None:
    """Refuse to move anything over a file that is not part of what is to be replaced.

    Raises
    ------
    GeoAnonError
    """
    taken: dict[tuple, Path] = {}
    for plan in plans:
        replaced = file_families.keys(source for source, _ in plan.away)
        for key, target in file_families.keys(target for _, target in plan.here).items():
            foreign = os.path.lexists(target) and key not in replaced
            if foreign or key in taken:
                raise GeoAnonError(would_replace(plan.staged.final, taken.get(key, target)))
            taken[key] = target


class Staging:
    """The files of one run."""

    def __init__(self, tell: Callable[[str], None], warn: Callable[[str], None]) -> None:
        self._tell, self._warn = tell, warn
        self._run = drafts.run_id()
        self._swept: set[Path] = set()
        self._staged: list[_Staged] = []
        self._moves: list[tuple[Path, Path]] = []
        self._closing: list[threading.Thread] = []

    def path_for(self, final: Path, ending: str = "") -> Path:
        """Return where to write what is to become ``final``.

        Parameters
        ----------
        final : Path
        ending : str
            What the draft's name ends with instead, where the format insists on an ending.

        Raises
        ------
        GeoAnonError
            If the folder is missing or cannot be written to, or ``final`` is a folder.
        """
        strange = no_ordinary_file(final) or no_way_in(final)
        if strange:
            raise GeoAnonError(strange)
        final = Path(os.path.realpath(final))  # a link keeps pointing at the file it names
        self._sweep(final.parent)
        name = final.with_suffix(ending).name if ending else final.name
        try:
            staged = _Staged(final, drafts.Draft.beside(final, self._run), name)
        except OSError as error:
            raise cannot_write(final, error) from error
        self._staged.append(staged)
        return staged.path

    def final_of(self, path: Path) -> Path:
        """Return where a file goes that was written beside a path of :meth:`path_for`."""
        staged = next(one for one in self._staged if one.path.parent == path.parent)
        return staged.final.with_name(staged.final_name(path.name))

    def drafts_of(self, final: Path) -> list[tuple[Path, str]]:
        """Return what has been written to become ``final``: each file, and its name in the end.

        Some formats make a folder of files; these are named behind it, with slashes.
        """
        real = Path(os.path.realpath(final))
        found = []
        for staged in self._staged:
            new = staged.folder / "new"
            for path in sorted(new.rglob("*")) if staged.final == real else ():
                first, *inner = path.relative_to(new).parts
                if path.is_file():
                    found.append((path, "/".join((staged.final_name(first), *inner))))
        return found

    def drop(self, path: Path) -> None:
        """Forget a path that :meth:`path_for` gave, with what was written to it."""
        for staged in [one for one in self._staged if one.path == path]:
            self._staged.remove(staged)
            staged.draft.remove()

    def publish(self) -> None:
        """Move all files to their final places; on a failure put back what was there.

        Raises
        ------
        GeoAnonError
            If a file cannot be replaced, or would be that nobody named.
        """
        plans = [_Plan.of(staged) for staged in self._staged]
        _refuse_what_nobody_named(plans)
        final = plans[0].staged.final if plans else Path()
        try:
            drafts.note_moves([plan.names() for plan in plans])
            for plan in plans:
                final = plan.staged.final
                for source, target in (*plan.away, *plan.here):
                    self._move(source, target)
        except OSError as error:
            self.take_back()
            raise cannot_write(final, error) from error

    def take_back(self) -> None:
        """Undo :meth:`publish`, as long as :meth:`clean` has not been called."""
        for source, target in reversed(self._moves):
            try:
                os.replace(target, source)
            except OSError:  # then it stays where it is: better a hidden file than a lost one
                self._staged = [one for one in self._staged if one.folder not in target.parents]
        self._moves = []

    def wait_for(self, close: Callable[[], Any], ask: Callable[[], None]) -> Any:
        """Return what ``close`` returns; it cannot be interrupted, but ``ask`` may raise to cancel.

        After a cancel ``close`` is left to end by itself; :meth:`clean` waits for it elsewhere.
        """
        result: list[Any] = []
        thread = self._start(lambda: result.append(close()))
        while thread.is_alive():
            thread.join(_POLL_S)
            ask()
        return result[0]

    def later(self, close: Callable[[], Any]) -> None:
        """Run ``close`` in the background; :meth:`clean` waits for it elsewhere."""
        self._start(close)

    def check_room(self) -> None:
        """Refuse when the disk is full: some formats lose their last bytes without a word.

        Raises
        ------
        GeoAnonError
            If not even a small file can be written.
        """
        for staged in self._staged:
            probe = staged.folder / "room"
            try:
                probe.write_bytes(bytes(_ROOM))
                probe.unlink()
            except OSError as error:
                raise cannot_write(staged.final, error) from error

    def clean(self) -> None:
        """Remove the hidden folders with all that is still in them; does not keep one waiting."""
        if self._moves:  # and nothing has taken them back
            drafts.note_done(staged.folder for staged in self._staged)
        left = [staged.draft for staged in reversed(self._staged)]  # the leader last
        open_still = [thread for thread in self._closing if thread.is_alive()]
        self._staged, self._moves, self._closing = [], [], []

        for thread in open_still:
            thread.join(_POLL_S)

        def remove() -> None:
            for thread in open_still:
                thread.join()
            for draft in left:
                draft.remove()

        if any(thread.is_alive() for thread in open_still):
            threading.Thread(target=remove, name=REMOVING).start()
        else:
            remove()

    def _sweep(self, folder: Path) -> None:
        """Clear away what killed runs have left in a folder, once a run."""
        if folder not in self._swept:
            self._swept.add(folder)
            log = drafts.sweep(folder)
            for sentence in log.said:
                self._tell(sentence)
            for sentence in log.warned:
                self._warn(sentence)

    def _start(self, close: Callable[[], Any]) -> threading.Thread:
        thread = threading.Thread(target=close)
        self._closing.append(thread)
        thread.start()
        return thread

    def _move(self, source: Path, target: Path) -> None:
        os.replace(source, target)
        self._moves.append((source, target))


def cannot_write(path: Path, error: OSError) -> GeoAnonError:
    """Return the sentence for a failed write."""
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        text = tr("The disk is full: {path} was not written. Free some space and run it again.")
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        text = tr(
            "{path} cannot be written: the folder or the file is write-protected, or another "
            "program or a loaded layer holds the file. Choose another place, or close what uses it."
        )
    else:
        text = tr("{path} cannot be written ({reason}). Choose another place.")
    return GeoAnonError(text.format(path=path, reason=error.strerror or error))


def bad_name(path: Path) -> str | None:
    """Return a sentence when a file cannot be called so on any system of today, else None."""
    name = os.fsencode(path.name)
    # SQLite puts a longer name beside its file while it writes
    room = len("-journal") if path.suffix.lower() in (".gpkg", ".sqlite", ".db") else 0
    if len(name) + room > _LONGEST_NAME or len(os.fsencode(path)) > _LONGEST_PATH:
        return tr(
            "The name {name}… is too long for a file: {count} bytes, where {most} fit. Choose a "
            "shorter one."
        ).format(name=path.name[:30], count=len(name), most=_LONGEST_NAME - room)
    if "\0" in str(path):
        return tr("A file name cannot hold the character number zero. Choose another name.")
    odd = None
    if room:  # GDAL takes it for a letter when it opens a database
        odd = re.search("%[0-9A-Fa-f]{2}", path.name)
    elif path.suffix.lower() == ".gml":  # GDAL writes the name into the XML as it is
        odd = re.search('[&<>"]', path.name)
    if odd:
        return tr(
            "A file that ends with {ending} cannot be opened again when its name holds “{part}”. "
            "Choose another name."
        ).format(ending=path.suffix, part=odd.group(0))
    return None


def no_ordinary_file(path: Path) -> str | None:
    """Return a sentence when ``path`` is a folder, device, pipe or socket, else None."""
    text = os.path.abspath(path).replace(os.sep, "/")
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        mode = stat.S_IFREG  # not there: then it can be made
    if stat.S_ISDIR(mode):
        return tr("{path} is a folder. Give the name of a file.").format(path=path)
    reserved = os.name == "nt" and PureWindowsPath(path).is_reserved()
    if not stat.S_ISREG(mode) or reserved or _NOT_FILES.fullmatch(text):
        return tr(
            "{path} is no ordinary file but a device, a pipe or the like, in which a result would "
            "be lost. Give the name of a file."
        ).format(path=path)
    return None


def no_way_in(path: Path) -> str | None:
    """Return a sentence when the folder is missing or the file write-protected, else None."""
    final = Path(os.path.realpath(path))
    if not final.parent.is_dir():
        return tr("The folder {folder} does not exist. Make it, or choose another one.").format(
            folder=final.parent
        )
    if final.exists() and not os.access(final, os.W_OK):
        # moving would pass over the write protection of the file itself
        return tr("The file {path} is write-protected. Choose another file.").format(path=final)
    return None


def would_replace(path: Path, theirs: Path) -> str:
    """Return the sentence for a file in the way that nobody named."""
    return tr(
        "Writing {path} would replace {theirs}, which is there already and may belong to something "
        "else. Choose another name, or move that file away."
    ).format(path=path, theirs=theirs)
