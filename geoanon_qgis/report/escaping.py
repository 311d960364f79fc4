# SPDX-License-Identifier: GPL-2.0-or-later
"""Text as it stands in a page."""

from __future__ import annotations

import re
from html import escape

from .values import clean

#: Where a long name, a path or a command may go on in the next line: between its parts.
_JOINTS = re.compile(r"(?<=[_/\\:=])(?=[A-Za-z0-9])|(?<=[,.])(?=[A-Za-z])")
_LONG = re.compile(r"\S{13,}")
#: A checksum has no parts; it goes on after so many of its digits.
_CHECKSUM = re.compile(r"[0-9a-f]{32,}\Z")
_DIGITS = 16


def text(words: str) -> str:
    """Return words escaped, for text and for attributes; a number keeps its per cent."""
    return escape(re.sub(r"(?<=\d) %", "\u00a0%", clean(words)), quote=True)


def breakable(words: str) -> str:
    """Return words escaped, in which long names may be broken between their parts, and only there."""
    parts, end = [], 0
    for long in _LONG.finditer(words):
        parts += [text(words[end : long.start()]), "<wbr>".join(map(text, _parts(long[0])))]
        end = long.end()
    return "".join([*parts, text(words[end:])])


def _parts(word: str) -> list[str]:
    if _CHECKSUM.match(word):
        return [word[at : at + _DIGITS] for at in range(0, len(word), _DIGITS)]
    return _JOINTS.split(word)
