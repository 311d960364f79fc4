# SPDX-License-Identifier: GPL-2.0-or-later
"""What the name of a field says about its values."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from . import words
from .reasons import NAMED_COORDINATE, NAMED_ID, NAMED_PERSON

#: Letters that have no accent to be taken off.
_LETTERS = str.maketrans(
    {
        "ß": "ss",
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "æ": "ae",
        "Æ": "Ae",
        "œ": "oe",
        "Œ": "Oe",
        "đ": "d",
        "Đ": "D",
        "ı": "i",
        "ð": "d",
        "þ": "th",
    }
)
#: A shapefile cuts names after so many letters.
_CUT = 10
#: Words that are read together at most.
_TOGETHER = 4


def reason_of_name(name: str, is_text: bool = True) -> str | None:
    """Say what a field's name tells of: one of the reasons, or None.

    Parameters
    ----------
    name : str
        In whatever case and language; it may have been cut by a shapefile.
    is_text : bool
        Whether the values are text.
    """
    parts = _words(name)
    whole = "".join(parts)
    with_digits = re.sub(r"[\W_]", "", _plain(name))
    if with_digits in _with_digits():
        return _with_digits()[with_digits]
    for word in _phrases(parts):
        if word in _anywhere():
            return _anywhere()[word]
    kinds = [_alone(), _alone_as_text()] if is_text else [_alone()]
    for vocabulary in kinds:
        if whole in vocabulary:
            return vocabulary[whole]
    if len(parts) > 1:
        if not words.AXES.isdisjoint(parts) and words.AXES | words.BESIDE_AXES >= set(parts):
            return NAMED_COORDINATE
        if _side_by_side(parts, words.NAMES, words.HOLDERS):
            return NAMED_PERSON
        if _side_by_side(parts, words.NUMBERS, words.NUMBERED):
            return NAMED_ID
    for start, reason in _inside().items():
        if start in whole:
            return reason
    if len(name) == _CUT and name[-1].isalpha():
        return _reason_of_cut(parts, whole)
    return None


def _reason_of_cut(parts: list[str], whole: str) -> str | None:
    """A name of ten letters may go on: ``geburtsdat``, ``municipali``, ``home_addre``."""
    for begun, least, vocabulary in ((whole, 8, _anywhere()), (parts[-1], 5, words.CUT)):
        for word in vocabulary:
            if len(word) > len(begun) >= least and word.startswith(begun):
                return _anywhere()[word]
    return None


def _side_by_side(parts: list[str], ones: frozenset[str], others: frozenset[str]) -> bool:
    """Whether a word of one kind stands beside one of the other: not in "number of patients"."""
    pairs = zip(parts, parts[1:]), zip(parts[1:], parts)
    large = [part for part in parts if part not in words.SMALL]
    if ones is words.NAMES:  # "name of the patient"
        pairs = zip(large, large[1:]), zip(large[1:], large)
    return any(one in ones and other in others for some in pairs for one, other in some)


def _words(name: str) -> list[str]:
    """The words of a field name, whatever the case: patientID, PATIENT_ID, x_coord2."""
    spaced = re.sub(r"(?<=[a-zß-ÿ0-9])(?=[A-ZÀ-Þ])", " ", name)
    spaced = re.sub(r"(?<=[A-Z])(?=[A-Z][a-z])", " ", spaced)
    return re.findall(r"[^\W\d_]+", _plain(spaced))


def _plain(text: str) -> str:
    """Lower case without accents."""
    apart = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(one for one in apart if not unicodedata.combining(one)).casefold()


def _phrases(parts: list[str]) -> list[str]:
    """Words that follow each other, joined, with and without the small ones between them."""
    large = [part for part in parts if part not in words.SMALL]
    found = []
    for count in range(_TOGETHER, 0, -1):  # an "ip address" is no address
        for some in (parts, large):
            found += ["".join(some[at : at + count]) for at in range(len(some) - count + 1)]
    return list(dict.fromkeys(found))


def _vocabulary(kinds: dict[str, str]) -> dict[str, str]:
    """Word to reason; the first reason that has a word keeps it."""
    found: dict[str, str] = {}
    for reason, text in kinds.items():
        for word in text.split():
            found.setdefault(_plain(word), reason)
    return found


@cache
def _anywhere() -> dict[str, str]:
    return _vocabulary(words.ANYWHERE)


@cache
def _alone() -> dict[str, str]:
    return _vocabulary(words.ALONE)


@cache
def _alone_as_text() -> dict[str, str]:
    return _vocabulary(words.ALONE_AS_TEXT)


@cache
def _with_digits() -> dict[str, str]:
    return _vocabulary(words.WITH_DIGITS)


@cache
def _inside() -> dict[str, str]:
    return _vocabulary(words.INSIDE)
