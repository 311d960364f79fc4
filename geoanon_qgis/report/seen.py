# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether anybody will see the pictures of the report that is being made.

A report tells of its pictures in both forms, and shows them in one: where only the JSON form is
wanted, they need not be drawn.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_SEEN: ContextVar[bool] = ContextVar("geoanon_pictures_seen", default=True)

#: What stands for a picture that nobody will see: one transparent pixel.
UNSEEN = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
)


def seen() -> bool:
    """Tell whether pictures are to be drawn."""
    return _SEEN.get()


@contextmanager
def unseen(really: bool = True) -> Iterator[None]:
    """Have no pictures drawn meanwhile in this thread, if ``really``."""
    before = _SEEN.set(not really)
    try:
        yield
    finally:
        _SEEN.reset(before)
