# SPDX-License-Identifier: GPL-2.0-or-later
"""Attribute values as they are compared: one spelling, whatever the format they come from.

A shapefile hands long whole numbers back as decimals and truth values as 1 and 0, a CSV has text
alone, QGIS has dates of its own and Python others. Everything that counts, compares or names
values takes them from here; what is released stays as QGIS gave it.

Dates and times are spelled as ISO 8601, with the zone where they have one and fractions of a
second where they are not zero. NULL is None, NULL, NaN, and a date, a time or bytes that are null.
"""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from qgis.PyQt.QtCore import QByteArray, QDate, QDateTime, Qt, QTime

from ...compat import is_null as _is_qgis_null
from ...core.runtime.progress import Progress, chunks, part, silent

#: How NULL is told where there must be some text.
NULL_TEXT = "NULL"
#: Values that are looked at without asking whether to go on.
_LOOKED_AT = 50_000
#: Beyond, not every whole number is a double, and they are not the same any more.
_EXACT = 2**53
_NEVER_NULL = {str, int, bool, list, dict}
_LONGEST = np.iinfo(np.int64)

#: Dates and times as GDAL writes them into text, and decimals with zeros at their end.
_GDAL_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d)(?:[ T](\d\d:\d\d:\d\d.*))?")
_ISO_TIME = re.compile(r"((?:\d{4}-\d\d-\d\d[ T])?\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?")
_DECIMAL = re.compile(r"(-?(?:0|[1-9]\d*))(?:\.(\d+))?")


def is_null(value: Any) -> bool:
    """Tell whether a value is missing, however its format says so."""
    kind = type(value)
    if kind in _NEVER_NULL:
        return False
    if kind is float:
        return value != value
    if isinstance(value, (QDate, QTime, QDateTime, QByteArray)):
        return value.isNull()
    if isinstance(value, np.generic):
        return bool(value != value)
    return _is_qgis_null(value)


def text_of(value: Any) -> str:
    """Write a value the same in every format: 7 for 7.0 and "7", 1 for true, ISO for dates.

    Lists and mappings are JSON, bytes hexadecimal, and NULL is ``NULL``.
    """
    spell = _SPELLED.get(type(value))
    if spell is not None:
        return spell(value)
    if isinstance(value, np.generic):
        return text_of(value.item())
    if isinstance(value, (datetime.date, datetime.time)):  # and the subclasses of these
        return _of_python(value)
    return NULL_TEXT if is_null(value) else str(value)


def nulls_of(values: Sequence, progress: Progress = silent) -> np.ndarray | None:
    """Which values are missing, (n,) bool; None if none is."""
    null = None
    for rows in chunks(len(values), _LOOKED_AT, progress):
        some = values[rows]
        if _NEVER_NULL.issuperset(map(type, some)):
            continue
        found = np.fromiter(map(is_null, some), dtype=bool, count=len(some))
        if found.any():
            null = np.zeros(len(values), dtype=bool) if null is None else null
            null[rows] = found
    return null


def texts_of(values: Sequence, progress: Progress = silent) -> list[str]:
    """Write values as :func:`text_of` does."""
    pieces = []
    for rows in chunks(len(values), _LOOKED_AT, progress):
        some = values[rows]
        kinds = set(map(type, some))
        pieces.append(some if kinds == {str} else _texts(some, kinds))
    return list(chain.from_iterable(pieces))


def as_text(values: Sequence) -> list[str | None]:
    """Write values as :func:`text_of` does, None where they are missing."""
    null = nulls_of(values)
    texts: list[str | None] = list(texts_of(values))
    for row in () if null is None else np.flatnonzero(null).tolist():
        texts[row] = None
    return texts


def plain(values: Sequence, progress: Progress = silent) -> np.ndarray:
    """Values as an array of objects, None where they are missing."""
    result = np.fromiter(values, dtype=object, count=len(values))
    null = nulls_of(values, progress)
    if null is not None:
        result[null] = None
    return result


def numbers(values: Sequence, progress: Progress = silent) -> np.ndarray:
    """Values as floats, NaN where they are missing.

    Raises
    ------
    ValueError
        If one is no number.
    """
    try:
        array = np.array(values, dtype=np.float64)  # None is NaN there
    except TypeError:  # NULL among them, with Qt 5; or dates
        null = nulls_of(values, progress)
        if null is None:
            raise ValueError("some values are no numbers") from None
        values = [math.nan if missing else value for value, missing in zip(values, null)]
        try:
            array = np.array(values, dtype=np.float64)
        except TypeError as error:
            raise ValueError(str(error)) from error
    if array.ndim != 1:  # lists
        raise ValueError("lists are no numbers")
    return array


def exact(values: Sequence) -> np.ndarray:
    """Numbers as floats, or as text if they are whole and doubles do not hold all their digits.

    The text is in an array of objects, None where a value is missing.
    """
    array = numbers(values)
    if not (np.abs(array) >= _EXACT).any() or any(type(value) is float for value in values):
        return array
    return plain(as_text(values))


def typed(values: Sequence, progress: Progress = silent) -> tuple[np.ndarray, np.ndarray | None]:
    """Values as an array of one type, and which of them are missing.

    Returns
    -------
    values : (n,) array
        Whole numbers as int64, whatever type they came in; other numbers as floats; all else as
        text. Anything where a value is missing.
    null : (n,) bool array or None
    """
    null = nulls_of(values, part(progress, 0.0, 0.4))
    there = values
    if null is not None:
        there = [value for value, missing in zip(values, null) if not missing]
    array = _numbers_of(there)
    if array is None:
        array = np.array(texts_of(there, part(progress, 0.4, 0.9)), dtype=str)
    progress(1.0)
    if null is None:
        return array, None
    result = np.zeros(len(values), dtype=array.dtype)
    result[~null] = array
    return result, null


def label_of(value: Any) -> str:
    """Write a value so that it reads the same when it comes from a file of text alone.

    Besides :func:`text_of`: 7.00000 is 7, 2020/01/02 (as GDAL writes a date) is 2020-01-02, and
    a time has no zeros after its seconds. A number that starts with zeros is a code and stays.
    """
    text = value if type(value) is str else text_of(value)
    return _normal(text) if text[:1] in _STARTS else text


def labels(values: Sequence) -> list[str | None]:
    """Write values as :func:`label_of` does, None where they are missing."""
    texts = as_text(values)
    if str not in set(map(type, values)):  # what has a type is spelled as it should be
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
NUMBER, DATE, TIME, MOMENT, TEXT = "number", "date", "time", "moment", "text"
_LOOKS = (
    (NUMBER, re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?")),
    (DATE, re.compile(r"-?\d{4,}-\d\d-\d\d")),
    (TIME, re.compile(r"\d\d:\d\d:\d\d(?:\.\d+)?")),
    (MOMENT, re.compile(r"-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d.*")),
)


def kind_of_label(label: str) -> str:
    """What a label looks like: a number, a date, a time, a moment (date and time) or text."""
    return next((kind for kind, looks in _LOOKS if looks.fullmatch(label)), TEXT)


# --- how each type is spelled ------------------------------------------------------------------


def _of_float(value: float) -> str:
    if value != value:
        return NULL_TEXT
    return str(int(value)) if value.is_integer() else repr(value)


def _of_qt(value: Any) -> str:
    if value.isNull():
        return NULL_TEXT
    return _no_empty_fraction(value.toString(Qt.DateFormat.ISODateWithMs))


def _of_date(value: QDate) -> str:
    return NULL_TEXT if value.isNull() else value.toString(Qt.DateFormat.ISODate)


def _of_python(value: Any) -> str:
    text = value.isoformat()
    if isinstance(value, (datetime.datetime, datetime.time)):
        text = _no_empty_fraction(text[:-6] + "Z" if text.endswith("+00:00") else text)
    return text


def _no_empty_fraction(text: str) -> str:
    """Seconds without zeros behind them: 03:04:05.600 is 03:04:05.6."""
    head, dot, tail = text.partition(".")
    if not dot:
        return text
    digits = len(tail) - len(tail.lstrip("0123456789"))
    fraction = tail[:digits].rstrip("0")
    return f"{head}.{fraction}{tail[digits:]}" if fraction else head + tail[digits:]


def _of_bytes(value: bytes) -> str:
    return value.hex()


def _of_qt_bytes(value: QByteArray) -> str:
    return NULL_TEXT if value.isNull() else bytes(value).hex()


def _of_list(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=_in_json)


def _in_json(value: Any) -> str | None:
    return None if is_null(value) else text_of(value)


_SPELLED: dict[type, Callable[[Any], str]] = {
    str: str,
    bool: lambda value: "1" if value else "0",
    int: str,
    float: _of_float,
    type(None): lambda value: NULL_TEXT,
    QDate: _of_date,
    QTime: _of_qt,
    QDateTime: _of_qt,
    datetime.date: _of_python,
    datetime.time: _of_python,
    datetime.datetime: _of_python,
    QByteArray: _of_qt_bytes,
    bytes: _of_bytes,
    list: _of_list,
    tuple: _of_list,
    dict: _of_list,
}
#: Types whose values are spelled once each; moments that are equal may lie in two zones.
_REMEMBERED = {QDate, QTime, datetime.date}


def _texts(values: Sequence, kinds: set[type]) -> list[str]:
    if kinds <= _REMEMBERED:
        known = {value: text_of(value) for value in set(values)}
        return [known[value] for value in values]
    if len(kinds) == 1:
        spell = _SPELLED.get(next(iter(kinds)))
        if spell is not None:
            return list(map(spell, values))
    return list(map(text_of, values))


def _numbers_of(values: Sequence) -> np.ndarray | None:
    """Numbers as an array, whole ones as int64; None for other things."""
    kinds = set(map(type, values))
    if not kinds or not kinds <= {int, bool, float}:
        return None
    if float not in kinds:
        if all(_LONGEST.min <= value <= _LONGEST.max for value in (min(values), max(values))):
            return np.array(values, dtype=np.int64)
        return None
    if len(kinds) > 1 and any(type(one) is int and abs(one) > _EXACT for one in values):
        return None  # as text, which tells them apart
    floats = np.array(values, dtype=np.float64)
    if (np.abs(floats) <= _EXACT).all() and (floats == np.rint(floats)).all():
        return floats.astype(np.int64)
    return floats


def _zone(text: str) -> str:
    """A zone as ISO writes it, of +00, +0100 or +01:00."""
    if len(text) < 2:
        return text
    digits = text[1:].replace(":", "").ljust(4, "0")
    return f"{text[0]}{digits[:2]}:{digits[2:]}" if int(digits) else "Z"


#: Text that may be a number, a date or a time starts with one of these.
_STARTS = frozenset("-0123456789")


def _normal(text: str) -> str:
    found = _GDAL_DATE.fullmatch(text)
    if found:
        year, month, day, time = found.groups()
        text = f"{year}-{month}-{day}" + (f"T{time}" if time else "")
    found = _ISO_TIME.fullmatch(text)
    if found:
        time, fraction, zone = found.groups("")
        return _no_empty_fraction(time.replace(" ", "T") + fraction) + _zone(zone)
    found = _DECIMAL.fullmatch(text)
    if found:
        whole, fraction = found.groups()
        fraction = (fraction or "").rstrip("0")
        return f"{whole}.{fraction}" if fraction else "0" if whole == "-0" else whole
    return text
