# SPDX-License-Identifier: GPL-2.0-or-later
"""Locks on files, which other processes respect and which end with their process."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

fcntl: Any
msvcrt: Any
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
    import msvcrt

#: Where the lock lies on Windows, which lets nobody read what is locked.
_LOCKED_BYTE = 1 << 30
_BUSY = (errno.EACCES, errno.EAGAIN, getattr(errno, "EDEADLK", errno.EAGAIN))
#: Seconds between two looks at a lock that another has.
_POLL_S = 0.05


def try_lock(file: int) -> bool | None:
    """Lock an open file until it is closed, without waiting.

    Parameters
    ----------
    file : int
        A descriptor of the file.

    Returns
    -------
    bool or None
        False if another has the lock, None if there are no locks here.
    """
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
    except OSError as error:
        return False if error.errno in _BUSY else None
    return True


@contextmanager
def alone(path: str, patience: float) -> Iterator[None]:
    """Do what only one process is to do at a time, where that can be had.

    Without locks, without a place to write to, and when another has the lock for longer, it is done
    all the same.

    Parameters
    ----------
    path : str
        The file to lock, which is made and stays.
    patience : float
        Seconds to wait for another process.
    """
    file = None
    with suppress(OSError):
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        end = time.monotonic() + patience
        while file is not None and try_lock(file) is False and time.monotonic() < end:
            time.sleep(_POLL_S)
        yield
    finally:
        if file is not None:
            os.close(file)
