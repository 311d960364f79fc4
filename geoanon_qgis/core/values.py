# SPDX-License-Identifier: GPL-2.0-or-later
"""Attribute values as they are compared: one spelling, whatever the format they come from.

A shapefile hands long whole numbers back as decimals and truth values as 1 and 0, a CSV has text
alone, QGIS has dates of its own and Python others. What is known of each type stands in one table,
:data:`TYPES`, to which the QGIS side adds its own.

Dates and times are spelled as ISO 8601, with the zone where they have one and fractions of a
second where they are not zero.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

#: How NULL is told where there must be some text.
NULL_TEXT = "NULL"
#: Kinds of values; a moment is a date with a time.
WHOLE, NUMBER, TRUTH, TEXT, DATE, TIME, MOMENT, OTHER = (
    "whole number",
    "number",
    "truth",
    "text",
    "date",
    "time",
    "moment",
    "other",
)
TEMPORAL = frozenset({DATE, TIME, MOMENT})


@dataclass(frozen=True)
class Type:
    """What is known of a type of values.

    Attributes
    ----------
    kind : str
    text : callable
        Spells a value that is not missing.
    is_null : callable or None
        Tells whether a value is missing; None where none ever is.
    number : callable
        A value, such as a date or a time, as a number.
    """

    kind: str
    text: Callable[[Any], str]
    is_null: Callable[[Any], bool] | None = None
    number: Callable[[Any], float] = float


def known(kind: type) -> Type:
    """What is known of a type, or of what it derives from."""
    found = TYPES.get(kind)
    if found is None:
        found = next((TYPES[one] for one in kind.__mro__ if one in TYPES), _STRANGE)
    return found


def is_null(value: Any) -> bool:
    """Tell whether a value is missing, however its format says so; NaN is."""
    if isinstance(value, np.generic):
        value = value.item()
    test = known(type(value)).is_null
    return test is not None and test(value)


def text_of(value: Any) -> str:
    """Write a value the same in every format: 7 for 7.0 and "7", 1 for true, ISO for dates.

    Lists and mappings are JSON, bytes hexadecimal, and what is missing is ``NULL``.
    """
    if isinstance(value, np.generic):
        value = value.item()
    found = known(type(value))
    if found.is_null is not None and found.is_null(value):
        return NULL_TEXT
    return found.text(value)


def without_empty_fraction(text: str) -> str:
    """Seconds without zeros behind them: 03:04:05.600 is 03:04:05.6."""
    head, dot, tail = text.partition(".")
    if not dot:
        return text
    digits = len(tail) - len(tail.lstrip("0123456789"))
    fraction = tail[:digits].rstrip("0")
    return f"{head}.{fraction}{tail[digits:]}" if fraction else head + tail[digits:]


# --- the types of Python ------------------------------------------------------------------------


def _of_float(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def _of_time(value: datetime.datetime | datetime.time) -> str:
    text = value.isoformat()
    return without_empty_fraction(text[:-6] + "Z" if text.endswith("+00:00") else text)


def _of_list(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=_in_json)


def _in_json(value: Any) -> str | None:
    return None if is_null(value) else text_of(value)


def _differs(value: Any) -> bool:
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # what cannot be compared
        return False


def _seconds(value: datetime.datetime | datetime.time) -> float:
    return value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6


def _moment(value: datetime.datetime) -> float:
    return value.toordinal() * 86400.0 + _seconds(value)


_STRANGE = Type(OTHER, str, _differs)
_LIST = Type(OTHER, _of_list)
TYPES: dict[type, Type] = {
    str: Type(TEXT, str),
    bool: Type(TRUTH, lambda value: "1" if value else "0"),
    int: Type(WHOLE, str),
    float: Type(NUMBER, _of_float, lambda value: value != value),
    type(None): Type(OTHER, str, lambda value: True),
    datetime.date: Type(DATE, datetime.date.isoformat, None, datetime.date.toordinal),
    datetime.time: Type(TIME, _of_time, None, _seconds),
    datetime.datetime: Type(MOMENT, _of_time, _differs, _moment),
    bytes: Type(OTHER, bytes.hex),
    list: _LIST,
    tuple: _LIST,
    dict: _LIST,
}
