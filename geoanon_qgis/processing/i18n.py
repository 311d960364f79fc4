# SPDX-License-Identifier: GPL-2.0-or-later
"""Translation: one context, ``GeoAnon``, for every string the user sees."""

from __future__ import annotations

from qgis.PyQt.QtCore import QCoreApplication

CONTEXT = "GeoAnon"


def tr(text: str) -> str:
    """Return ``text`` in the user's language; fill placeholders with ``.format()`` afterwards."""
    return QCoreApplication.translate(CONTEXT, text)


def mark(text: str) -> str:
    """Mark a constant for translation; :func:`tr` looks it up when it is shown."""
    return text
