# SPDX-License-Identifier: GPL-2.0-or-later
"""The hidden folders in which a run keeps what is not published yet, and what becomes of them.

A draft is a folder that its owner alone can look into, because what a run makes may be secret::

    .geoanon-k3v9x0ab/
        owner   says which run made it; locked by the system for as long as that run lives
        new/    what the run writes
        old/    what was there before, from the moment that the new takes its place
        moves   written before the first of those moves, so that they can be taken back
        done    the run has published everything: what is in old/ is no longer needed

A run that is killed leaves its drafts behind. The next run that writes into the folder puts back
what the dead one had half replaced, and removes its drafts. The lock tells the dead from the
living, not a number of a process, which others get later. Where there is no lock that can be
relied on (another computer has made the draft, or the file system knows none) nothing is touched,
and the user is told.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.runtime.locks import try_lock
from ..i18n import tr

_PREFIX = ".geoanon-"
_NAME = re.compile(re.escape(_PREFIX) + r"[a-z0-9_]{8}")
_PARTS = frozenset(("owner", "new", "old", "moves", "done", "room"))
#: Folders of this process that are in use: some network drives lock by the process.
_LIVING: set[str] = set()


class Draft:
    """A draft of a run that lives; :meth:`remove` ends it."""

    def __init__(self, folder: Path, lock: int):
        self.folder = folder
        self._lock = lock
        _LIVING.add(str(folder))

    @classmethod
    def beside(cls, final: Path, run: str) -> Draft:
        """Make a draft in the folder of ``final``.

        Raises
        ------
        OSError
        """
        for _ in range(5):
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=final.parent))
            try:
                # Another run may clear away a folder that nobody has claimed: then once more.
                lock = os.open(folder / "owner", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            except FileNotFoundError:
                continue
            try:
                locked = try_lock(lock)
                if locked is not False:
                    owner = {"host": platform.node(), "run": run, "locked": bool(locked)}
                    os.write(lock, json.dumps(owner).encode())
                    for name in ("new", "old"):
                        (folder / name).mkdir()
                    return cls(folder, lock)
            except BaseException:
                os.close(lock)
                shutil.rmtree(folder, ignore_errors=True)
                raise
            os.close(lock)
            shutil.rmtree(folder, ignore_errors=True)
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(final.parent))

    def remove(self) -> None:
        """Remove the folder with all that is in it."""
        _remove(self.folder, self._lock)
        _LIVING.discard(str(self.folder))


def run_id() -> str:
    """Return what the drafts of one run have in common."""
    return secrets.token_hex(8)


def note_moves(plans: Sequence[tuple[Path, Sequence[str], Sequence[tuple[str, str]]]]) -> None:
    """Write into each draft what is about to be moved; the first draft leads.

    Parameters
    ----------
    plans : sequence of (folder, away, here)
        The draft; the names of the files that go into its ``old``; pairs of names, in its
        ``new`` and beside the draft.

    Raises
    ------
    OSError
    """
    folders = [str(folder) for folder, _, _ in plans]
    for folder, away, here in plans:
        noted = [[new, final, _identity(folder / "new" / new)] for new, final in here]
        with open(folder / "moves", "w", encoding="utf-8") as file:
            file.write(json.dumps({"drafts": folders, "away": list(away), "here": noted}))


def note_done(folders: Iterable[Path]) -> None:
    """Write down that all is published: from the first mark on nothing is taken back."""
    for folder in folders:
        with suppress(OSError):
            (folder / "done").touch()


# --- what the dead have left ---------------------------------------------------------------------


@dataclass
class _Dead:
    """A draft whose run is gone; its lock is ours now."""

    folder: Path
    lock: int
    run: str
    drafts: list[Path]
    away: list[str]
    here: list[tuple[str, str, Any]]

    @property
    def done(self) -> bool:
        return any((folder / "done").exists() for folder in (self.folder, *self.drafts[:1]))

    def take_back(self, log: Log) -> bool:
        """Undo a publication that was broken off; False if something of before is left over.

        What was complete and replaced nothing stays: somebody may have come to rely on it.
        """
        parent, good = self.folder.parent, True
        complete = not any(os.path.lexists(self.folder / "new" / new) for new, _, _ in self.here)
        if self.here and complete and not self.away:
            log.warned += [
                tr(
                    "{file} comes from a run that was broken off before all its files were in "
                    "place. Do not use it without the others."
                ).format(file=parent / final)
                for _, final, _ in self.here
            ]
            return True
        for new, final, identity in self.here:
            draft = self.folder / "new" / new
            # what somebody has written there since is not ours
            if not os.path.lexists(draft) and _identity(parent / final) == identity:
                _try_move(parent / final, draft)
        for name in self.away:
            before = self.folder / "old" / name
            if not os.path.lexists(before):
                continue
            if os.path.lexists(parent / name) or not _try_move(before, parent / name):
                good = False
            else:
                log.said.append(
                    tr("{file} is as it was before the run that was broken off.").format(
                        file=parent / name
                    )
                )
        return good


@dataclass
class Log:
    """Sentences on what was done, and warnings about what had to be left."""

    said: list[str]
    warned: list[str]


def sweep(parent: Path) -> Log:
    """Clear away what killed runs have left in a folder, and put back what they had taken."""
    log = Log([], [])
    try:
        with os.scandir(parent) as entries:
            names = sorted(entry.name for entry in entries if _NAME.fullmatch(entry.name))
    except OSError:
        return log
    for name in names:
        found = _claim(parent / name, log)
        if found is not None:
            _bury(found, log)
    return log


def _bury(first: _Dead, log: Log) -> None:
    """Take back what the run of a draft had half published, then remove all its drafts."""
    group = [first]
    for folder in first.drafts:
        if folder != first.folder and _NAME.fullmatch(folder.name):
            found = _claim(folder, log)
            if found is not None and found.run == first.run:
                group.append(found)
            elif found is not None:
                os.close(found.lock)
    done = any(one.done for one in group)
    leader = first.drafts[0]
    # it holds the mark that all was published, and goes last
    for one in sorted(group, key=lambda one: one.folder == leader):
        good = done or one.take_back(log)
        if good and _PARTS.issuperset(os.listdir(one.folder)):
            _remove(one.folder, one.lock)
            log.said.append(
                tr("The draft of a run that was broken off was removed from {folder}.").format(
                    folder=one.folder.parent
                )
            )
            continue
        os.close(one.lock)
        log.warned.append(
            tr(
                "A run was broken off while it replaced files in {parent}, and they have been "
                "changed since. The files of before are kept in {folder}: move them to where you "
                "want them, then remove that folder."
            ).format(parent=one.folder.parent, folder=one.folder)
        )


def _claim(folder: Path, log: Log) -> _Dead | None:
    """Return the draft of a dead run, locked; None of another, with a warning if it is unsure."""
    if not _is_own_folder(folder) or str(folder) in _LIVING:
        return None
    try:
        lock = os.open(folder / "owner", os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        with suppress(OSError):  # killed before it had begun; what is not empty stays
            folder.rmdir()
        if os.path.isdir(folder):
            log.warned.append(_unknown(folder))
        return None
    except OSError:
        log.warned.append(_unknown(folder))
        return None
    locked = try_lock(lock)
    found = _read(lock, folder) if locked else None
    if found is None:
        os.close(lock)
        if locked is not False:
            log.warned.append(_unknown(folder))
    return found


def _read(lock: int, folder: Path) -> _Dead | None:
    """Return what a draft says of itself; None if that is not to be understood or relied on."""
    try:
        if not stat.S_ISREG(os.fstat(lock).st_mode):
            return None
        owner = json.loads(os.read(lock, 4096))
        if owner["host"] != platform.node() or not owner["locked"]:
            return None
        dead = _Dead(folder, lock, str(owner["run"]), [folder], [], [])
        try:
            noted = json.loads((folder / "moves").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return dead
        except ValueError:  # killed while it was written: nothing has been moved
            return None if os.listdir(folder / "old") else dead
        dead.drafts = [Path(one) for one in noted["drafts"]]
        dead.away = [os.path.basename(name) for name in noted["away"]]
        dead.here = [
            (os.path.basename(new), os.path.basename(final), identity)
            for new, final, identity in noted["here"]
        ]
        return dead if dead.drafts else None
    except (KeyError, TypeError, ValueError, OSError):
        return None


def _unknown(folder: Path) -> str:
    return tr(
        "{folder} is the draft of another run, and it cannot be told whether that run is still at "
        "work, perhaps on another computer. If it is not, remove that folder: it may hold secrets."
    ).format(folder=folder)


def _is_own_folder(folder: Path) -> bool:
    """Tell whether it is a folder, no link to one, and of the user who runs this."""
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    mine = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
    is_link = getattr(status, "st_reparse_tag", 0)  # a junction on Windows
    return stat.S_ISDIR(status.st_mode) and mine and not is_link


def _identity(path: Path) -> list[int] | None:
    """Return what stays the same when a file is moved, and changes when it is written."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return [status.st_ino, status.st_size, status.st_mtime_ns]


def _try_move(source: Path, target: Path) -> bool:
    try:
        os.replace(source, target)
    except OSError:
        return False
    return True


def _remove(folder: Path, lock: int) -> None:
    """Remove a draft: its owner's mark last, so that what is left over can be cleared later."""
    for name in ("new", "old"):
        shutil.rmtree(folder / name, ignore_errors=True)
    left = [name for name in ("new", "old") if os.path.lexists(folder / name)]
    for name in () if left else ("room", "moves", "done"):
        with suppress(OSError):
            (folder / name).unlink()
    os.close(lock)  # Windows removes nothing that is open
    if not left:
        with suppress(OSError):
            (folder / "owner").unlink()
            folder.rmdir()
