# SPDX-License-Identifier: GPL-2.0-or-later
"""Sentences that are templates with values, so that what the engine says can be translated.

The engine knows no language but English and no Qt. A :class:`Sentence` is its English text, which
is all that a user of the library sees, and remembers the template and the values that it was made
of; the QGIS side says it again in the user's language. ``scripts/update_translations.py`` finds the
templates where they stand: the first argument of :class:`Sentence`, of an error, of :func:`mark`,
and the nouns of :func:`number_of`.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Iterable
from typing import Any

#: Finds a text in another language; of texts with a number in them the form for that number.
Translate = Callable[[str, int], str]

#: Marks of numbers, between thousands and before decimals. They are looked up like texts, so that
#: numbers in a sentence are written as in its language.
MARKS = (",", ".")

#: What a translation raises that lost a brace or has other names in them: then English is said.
BROKEN = (KeyError, IndexError, ValueError)


def mark(text: str) -> str:
    """Mark a constant for translation; it is looked up when it is shown."""
    return text


#: For what cannot be computed, such as a correlation of two pairs.
NOT_DEFINED = mark("not defined")
INFINITE = mark("infinite")


class Sentence(str):
    """A text in English that can be said in another language.

    Parameters
    ----------
    template : str
        The text, with ``{name}`` where a value stands; formats as in :meth:`str.format`. Without
        values it is taken as it is.
    **values
        What stands there. A value may be a sentence of its own, which is translated too; any
        other text is the user's, and stays.
    """

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, /, **values: Any) -> Sentence:
        text = Filling().vformat(template, (), values) if values else template
        sentence = super().__new__(cls, text)
        sentence.template, sentence.values = template, values
        return sentence

    def said(self, translate: Translate) -> str:
        """Return the sentence in the language of ``translate``."""
        template = translate(self.template, -1)
        if not self.values:
            return template
        try:
            return Filling(translate).vformat(template, (), self.values)
        except BROKEN:
            return str(self)

    def __reduce__(self):
        return _again, (type(self), self.template, self.values)


class _Counted(Sentence):
    """A number with its noun, of which English has two forms and other languages up to six."""

    def said(self, translate: Translate) -> str:
        count = int(self.values["count"])
        # Qt takes 32 bits; languages look at the last digits.
        found = translate(self.template, count if count < 10**9 else 10**6 + count % 10**6)
        if found == self.template:  # no translation: the English noun in the singular, too
            return str(self)
        try:
            return found.format(n=_written(f"{count:,}", translate))
        except BROKEN:
            return str(self)


def _again(kind: type[Sentence], template: str, values: dict[str, Any]) -> Sentence:
    if kind is _Counted:
        return number_of(**values)
    return kind(template, **values)


def number_of(count: int, one: str, many: str) -> Sentence:
    """A number with its noun: ``1 area``, ``2,004 areas``.

    Translators find it as ``{n} areas``, with a form for each number that their language tells
    apart.
    """
    sentence = str.__new__(_Counted, f"{count:,} {one if count == 1 else many}")
    sentence.template = f"{{n}} {many}"
    sentence.values = {"count": count, "one": one, "many": many}
    return sentence


def joined(parts: Iterable[str], separator: str = " ") -> Sentence:
    """Put sentences, or names, one after another; each stays what it is."""
    values = {f"part{at}": part for at, part in enumerate(parts)}
    safe = separator.replace("{", "{{").replace("}", "}}")
    return Sentence(safe.join(f"{{{name}}}" for name in values), **values)


def figure(value: float, form: str) -> Sentence:
    """A number in a format such as ``.3g``, in words where there is none."""
    template = f"{{value:{form}}}"
    return Sentence(template, value=value)


def _written(number: str, translate: Translate) -> str:
    """A number with the marks of a language."""
    group, point = (translate(one, -1) for one in MARKS)
    return number.replace(",", "\0").replace(".", point).replace("\0", group)


def _without_power(text: str, mark: str) -> str:
    """A large number as people write it: 231,300 for 2.313e+05; astronomical ones stay."""
    number = float(text)
    return f"{number:{mark}.0f}" if abs(number) < 1e15 else text


class Filling(string.Formatter):
    """As ``str.format``: sentences are said in their language, and what is no number in words."""

    def __init__(self, translate: Translate | None = None) -> None:
        self._translate = translate

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value as it stands in a sentence."""
        if isinstance(value, Sentence):
            value = value.said(self._translate) if self._translate else str(value)
        elif format_spec and not isinstance(value, (str, int)):
            try:
                if math.isnan(value):
                    return self._word(NOT_DEFINED)
                if math.isinf(value):
                    return self._word(INFINITE)
            except TypeError:
                pass
        text = super().format_field(value, format_spec)
        if format_spec.endswith("g") and "e+" in text:
            text = _without_power(text, "," if "," in format_spec else "")
        if self._translate is None or not format_spec or isinstance(value, str):
            return text
        return _written(text, self._translate)

    def _word(self, word: str) -> str:
        return self._translate(word, -1) if self._translate else word
