# SPDX-License-Identifier: GPL-2.0-or-later
"""Write a text file as a whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from contextlib import suppress
from typing import Union

from ..core.runtime.errors import GeoAnonError
from .wording import Wording

Path = Union[str, "os.PathLike[str]"]


def write_text(text: str, path: Path, wording: Wording) -> None:
    """Write ``text`` in UTF-8 to ``path``; a failed run leaves the file of before untouched.

    Raises
    ------
    GeoAnonError
        The place cannot be written to; the message names it and says what to do.
    """
    target = os.path.realpath(os.fspath(path))
    # a sibling: a rename is atomic only within one file system
    draft = os.path.join(os.path.dirname(target), f".{secrets.token_hex(8)}.part")
    try:
        if os.path.exists(target) and not os.access(target, os.W_OK):
            # a rename would pass over the write protection of the file itself
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)
        try:
            # mode "x" and not mkstemp: the file gets the permissions the user's umask asks for
            with open(draft, "x", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(draft, target)
        except BaseException:
            with suppress(OSError):
                os.remove(draft)
            raise
    except OSError as error:
        reason = error.strerror or type(error).__name__
        message = wording.write_failed.format(path=os.fspath(path), reason=reason)
        raise GeoAnonError(message) from error
