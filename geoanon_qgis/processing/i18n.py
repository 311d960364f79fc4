# SPDX-License-Identifier: GPL-2.0-or-later
"""Translation: one context, ``GeoAnon``, for every string the user sees."""

from __future__ import annotations

import math
import string
from typing import Any

from qgis.PyQt.QtCore import QCoreApplication

CONTEXT = "GeoAnon"


def tr(text: str) -> str:
    """Return ``text`` in the user's language; fill placeholders with ``.format()`` afterwards."""
    translated = QCoreApplication.translate(CONTEXT, text)
    return _Template(translated) if "{" in translated else translated


def mark(text: str) -> str:
    """Mark a constant for translation; :func:`tr` looks it up when it is shown."""
    return text


class _Template(str):
    """A sentence to be filled in: nobody is told that a number is ``nan``."""

    __slots__ = ()

    def format(self, *args: Any, **kwargs: Any) -> str:
        return _FORMATTER.vformat(self, args, kwargs)


class _Formatter(string.Formatter):
    """As ``str.format``, with words for what is no finite number."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec and not isinstance(value, (str, int)):
            try:
                if math.isnan(value):
                    return tr("not defined")
                if math.isinf(value):
                    return tr("infinite")
            except TypeError:
                pass
        return super().format_field(value, format_spec)


_FORMATTER = _Formatter()
