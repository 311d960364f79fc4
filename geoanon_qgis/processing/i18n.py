# SPDX-License-Identifier: GPL-2.0-or-later
"""Translation: one context, ``GeoAnon``, for every string the user sees."""

from __future__ import annotations

from typing import Any

from qgis.PyQt.QtCore import QCoreApplication, QLocale

from ..core.runtime import wording
from ..core.runtime.wording import BROKEN, MARKS, Filling, Sentence, figure, mark  # noqa: F401  # taken from here

CONTEXT = "GeoAnon"


def tr(text: str) -> str:
    """Return ``text`` in the user's language; fill placeholders with ``.format()`` afterwards.

    A sentence of the engine comes with its values: it is filled in already, whether it is an
    error's (``tr(error.sentence)``), a note or a counted noun.
    """
    if isinstance(text, Sentence):
        return text.said(_find)
    translated = _find(text)
    if "{" not in translated:
        return translated
    template = _Template(translated)
    template.english = text
    return template


def translated(text: str) -> str:
    """Return what the engine says in the user's language, and any other text as it is."""
    return tr(text) if isinstance(text, Sentence) else text


def number_of(count: int, one: str, many: str) -> str:
    """A number with its noun in the user's language: ``1 area``, ``2,004 areas``.

    The nouns are English and stand here as they are, without :func:`tr`; a translation has a form
    for each number that its language tells apart.
    """
    return tr(wording.number_of(count, one, many))


def _find(text: str, count: int = -1) -> str:
    if text in MARKS:
        return number_marks()[MARKS.index(text)]
    return QCoreApplication.translate(CONTEXT, text, None, count)


def number_marks() -> tuple[str, str]:
    """Marks of numbers, between thousands and before decimals: the country's where translated."""
    private = mark("Private")
    if QCoreApplication.translate(CONTEXT, private) == private:
        return MARKS  # not translated: then numbers stay English too
    return "\u202f", str(QLocale().decimalPoint())


class _Template(str):
    """A sentence to be filled in: nobody is told that a number is ``nan``."""

    english = ""

    def format(self, *args: Any, **kwargs: Any) -> str:
        try:
            return _FORMATTER.vformat(self, args, kwargs)
        except BROKEN:
            return _FORMATTER.vformat(self.english, args, kwargs)


_FORMATTER = Filling(_find)
