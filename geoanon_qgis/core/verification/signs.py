# SPDX-License-Identifier: GPL-2.0-or-later
"""Signs of what is private, searched for in the bytes of a file, whatever its format.

Most formats keep the names of their fields as they are, as UTF-8 or (Esri's file geodatabase) as
UTF-16, and a database keeps those of tables that were deleted. So one search through the bytes
finds a key in a GeoPackage with another layer, in a file that was renamed, and in what a
spreadsheet or an archive packs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

#: Letters that may not stand beside a word that is found.
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
#: Bytes of the piece before that are looked at once more: the longest that is searched for.
_OVERLAP = 4096
#: A .dbf cuts names after so many letters, and fills what is left with zeros.
_DBF = 10

#: What the signs are: a column of a private output, all columns of one, the place of private data,
#: a private report, a mask or secret file, a seed, a project of QGIS, pages that were deleted.
COLUMN, COLUMNS, PLACE, REPORT, MASK, SEED, PROJECT, DELETED = (
    "column",
    "columns",
    "place",
    "report",
    "mask",
    "seed",
    "project",
    "deleted",
)

_SEEDS = (
    re.compile(rb"""SEED["']?\s*[:=]\s*["']?\d"""),
    # a model of QGIS: <Option name="SEED"> … <Option name="static_value" value="42">
    re.compile(
        rb"""name="SEED"(?:(?!static_value).){0,400}?<Option(?=[^>]*name="static_value")"""
        rb"""(?=[^>]*value="\d)""",
        re.DOTALL,
    ),
)
_OURS = re.compile(rb"geoanon:[a-z]")
_JSON = (re.compile(rb'"format"\s*:\s*"geoanon-report"'), re.compile(rb'"private"\s*:\s*true'))
_MASK = re.compile(rb'"format"\s*:\s*"geoanon-(?:secret|mask|point-mask)"')
_HTML = (re.compile(rb'<body class="private">'), re.compile(rb'<aside class="banner"'))
#: In a file of its own, and saved within a GeoPackage.
_PROJECT = (re.compile(rb"<qgis [^>]{0,2000}projectname="), re.compile(rb"qgis_projects"))


@dataclass(frozen=True)
class Signs:
    """What to search for.

    Attributes
    ----------
    columns : tuple of str
        Names of fields that only private outputs have; one of them is enough.
    groups : mapping of str to tuple of str
        What a private output is called, and the names of all its fields, which have to be there.
    places : mapping of str to str
        Where private data lie, and what they are called.
    """

    columns: tuple[str, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)


class Search:
    """One search through the pieces of a stream; :meth:`found` tells what was met."""

    def __init__(self, signs: Signs):
        self._signs = signs
        words = {*signs.columns, *(word for group in signs.groups.values() for word in group)}
        self._words = {word: _spellings(word) for word in sorted(words)}
        self._places = {place: place.encode("utf-8", "surrogateescape") for place in signs.places}
        self._marks = {
            "ours": (_OURS,),
            "seed": _SEEDS,
            "project": _PROJECT,
            "mask": (_MASK,),
            "json": _JSON[:1],
            "json private": _JSON[1:],
            "html": _HTML[:1],
            "html banner": _HTML[1:],
        }
        self._met: set[str] = set()
        self._met_words: set[str] = set()
        self._met_places: set[str] = set()
        self._before = b""

    def add(self, piece: bytes) -> None:
        """Take the next piece."""
        text = self._before + piece
        for word, spellings in self._words.items():
            if word not in self._met_words and any(_has_word(text, one) for one in spellings):
                self._met_words.add(word)
        for place, spelled in self._places.items():
            if place not in self._met_places and spelled in text:
                self._met_places.add(place)
        for mark, patterns in self._marks.items():
            if mark not in self._met and any(one.search(text) for one in patterns):
                self._met.add(mark)
        self._before = text[-_OVERLAP:]

    def found(self) -> list[tuple[str, str]]:
        """Return each sign that was met: its kind, and what it is called."""
        signs = self._signs
        found = [(COLUMN, word) for word in signs.columns if word in self._met_words]
        found += [
            (COLUMNS, label)
            for label, group in signs.groups.items()
            if self._met_words.issuperset(group)
        ]
        found += [
            (PLACE, label) for place, label in signs.places.items() if place in self._met_places
        ]
        if {"json", "json private"} <= self._met or {"html", "html banner"} <= self._met:
            found.append((REPORT, ""))
        if "mask" in self._met:
            found.append((MASK, ""))
        if {"ours", "seed"} <= self._met:
            found.append((SEED, ""))
        if "project" in self._met:
            found.append((PROJECT, ""))
        return found


def _spellings(word: str) -> list[bytes]:
    wide = word.encode("utf-16-le")
    found = [word.encode(), wide]
    if len(word) > _DBF:
        found.append(word[:_DBF].encode() + b"\0")
    return found


def _has_word(text: bytes, word: bytes) -> bool:
    """Tell whether a word stands by itself in a text."""
    step = 2 if word[1:2] == b"\0" and len(word) > 2 else 1
    at = text.find(word)
    while at >= 0:
        before, after = text[at - step : at - step + 1], text[at + len(word) : at + len(word) + 1]
        cut = word.endswith(b"\0") and step == 1
        if not (at >= step and before and before[0] in _LETTERS) and (
            cut or not (after and after[0] in _LETTERS)
        ):
            return True
        at = text.find(word, at + 1)
    return False


def of_private_outputs(
    own: Iterable[tuple[str, Iterable[str]]], released: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """Return the groups of fields that tell a private output.

    Parameters
    ----------
    own : iterable of (str, iterable of str)
        What each private output is called, and its fields.
    released : iterable of str
        The fields of what was released, which tell nothing. Fewer than three are too few.
    """
    known = set(released)
    groups = {label: tuple(name for name in fields if name not in known) for label, fields in own}
    return {label: names for label, names in groups.items() if len(names) >= 3}
