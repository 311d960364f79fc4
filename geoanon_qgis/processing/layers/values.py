# SPDX-License-Identifier: GPL-2.0-or-later
"""QGIS's own types of attribute values, and values that come from files of text alone.

What is common to all types is in :mod:`...core.values`; what is released stays as QGIS gave it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from qgis.core import NULL
from qgis.PyQt.QtCore import QByteArray, QDate, QDateTime, Qt, QTime

from ...compat import is_null as _is_qgis_null
from ...core.columns import Column
from ...core.values import (
    DATE,
    MOMENT,
    NUMBER,
    OTHER,
    TEXT,
    TIME,
    TYPES,
    Type,
    is_null,
    text_of,
    without_empty_fraction,
)

__all__ = ["is_null", "text_of", "labels", "label_of", "kind_of_label", "finite"]


def _of_qt(value: Any) -> str:
    return without_empty_fraction(value.toString(Qt.DateFormat.ISODateWithMs))


TYPES.update(
    {
        QDate: Type(
            DATE,
            lambda value: value.toString(Qt.DateFormat.ISODate),
            QDate.isNull,
            QDate.toJulianDay,
        ),
        QTime: Type(TIME, _of_qt, QTime.isNull, QTime.msecsSinceStartOfDay),
        QDateTime: Type(MOMENT, _of_qt, QDateTime.isNull, QDateTime.toMSecsSinceEpoch),
        QByteArray: Type(OTHER, lambda value: bytes(value).hex(), QByteArray.isNull),
        type(NULL): Type(OTHER, str, _is_qgis_null),
    }
)

# --- values as they read in files of text alone -------------------------------------------------

#: Dates and times as GDAL writes them into text, and decimals with zeros at their end.
_GDAL_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d)(?:[ T](\d\d:\d\d:\d\d.*))?")
_ISO_TIME = re.compile(r"((?:\d{4}-\d\d-\d\d[ T])?\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?")
_DECIMAL = re.compile(r"(-?(?:0|[1-9]\d*))(?:\.(\d+))?")
#: Text that may be a number, a date or a time starts with one of these.
_STARTS = frozenset("-0123456789")


def label_of(value: Any) -> str:
    """Write a value so that it reads the same when it comes from a file of text alone.

    Besides :func:`text_of`: 7.00000 is 7, 2020/01/02 (as GDAL writes a date) is 2020-01-02, and
    a time has no zeros after its seconds. A number that starts with zeros is a code and stays.
    """
    text = value if type(value) is str else text_of(value)
    return _normal(text) if text[:1] in _STARTS else text


def labels(column: Column) -> list[str | None]:
    """Write values as :func:`label_of` does, None where they are missing."""
    texts = column.texts()
    if column.kind not in (TEXT, OTHER):  # what has a type is spelled as it should be
        return texts
    normal = {text: None if text is None else label_of(text) for text in set(texts)}
    return [normal[text] for text in texts]


def finite(results: Mapping[str, Any]) -> dict[str, Any]:
    """An algorithm's results, with None for what is no finite number, which JSON does not know."""
    kept = {}
    for name, value in results.items():
        value = value.item() if isinstance(value, np.generic) else value
        kept[name] = None if isinstance(value, float) and not math.isfinite(value) else value
    return kept


#: What labels look like, for sentences about two that do not go together.
_LOOKS = (
    (NUMBER, re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?")),
    (DATE, re.compile(r"-?\d{4,}-\d\d-\d\d")),
    (TIME, re.compile(r"\d\d:\d\d:\d\d(?:\.\d+)?")),
    (MOMENT, re.compile(r"-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d.*")),
)


def kind_of_label(label: str) -> str:
    """What a label looks like: a number, a date, a time, a moment (date and time) or text."""
    return next((kind for kind, looks in _LOOKS if looks.fullmatch(label)), TEXT)


def _zone(text: str) -> str:
    """A zone as ISO writes it, of +00, +0100 or +01:00."""
    if len(text) < 2:
        return text
    digits = text[1:].replace(":", "").ljust(4, "0")
    return f"{text[0]}{digits[:2]}:{digits[2:]}" if int(digits) else "Z"


def _normal(text: str) -> str:
    found = _GDAL_DATE.fullmatch(text)
    if found:
        year, month, day, time = found.groups()
        text = f"{year}-{month}-{day}" + (f"T{time}" if time else "")
    found = _ISO_TIME.fullmatch(text)
    if found:
        time, fraction, zone = found.groups("")
        return without_empty_fraction(time.replace(" ", "T") + fraction) + _zone(zone)
    found = _DECIMAL.fullmatch(text)
    if found:
        whole, fraction = found.groups()
        fraction = (fraction or "").rstrip("0")
        return f"{whole}.{fraction}" if fraction else "0" if whole == "-0" else whole
    return text
