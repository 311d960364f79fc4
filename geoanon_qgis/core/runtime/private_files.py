# SPDX-License-Identifier: GPL-2.0-or-later
"""Files that nobody else on the machine may read: secrets, and what is kept of a run."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_MODE = stat.S_IRUSR | stat.S_IWUSR


def open_private(path: str | Path) -> int:
    """Open a file to read and write that is its owner's alone, mode 600, also if it is there already.

    Where the system knows no modes (Windows), it is as any other file of the user.

    Returns
    -------
    int
        Descriptor of the file; nothing of it has been removed.

    Raises
    ------
    OSError
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), _MODE)
    if hasattr(os, "fchmod"):  # one that was there already
        try:
            os.fchmod(file, _MODE)
        except OSError:  # a disk that knows no modes
            pass
    return file


def write_private(path: str | Path, text: str) -> None:
    """Write a text to a file that is its owner's alone, in the place of what it held.

    Raises
    ------
    OSError
    """
    file = open_private(path)
    with os.fdopen(file, "wb") as stream:
        stream.truncate(0)
        stream.write(text.encode("utf-8"))
