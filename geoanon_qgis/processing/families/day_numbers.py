# SPDX-License-Identifier: GPL-2.0-or-later
"""Dates among microdata: the days since 1970-01-01 for the engine, and dates again afterwards."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from qgis.core import QgsFields
from qgis.PyQt.QtCore import QDate

from ...compat import FIELD_TYPES
from ...core.columns import Column
from ...core.microdata.observations import CONTINUOUS
from ...core.values import DATE

#: With more different days than these a date is a number like any other.
_LEVELS = 20
_NONE = "NaT"


def is_date(fields: QgsFields, name: str) -> bool:
    """Tell whether a field is there and holds dates, without a time of day."""
    at = fields.lookupField(name)
    return at >= 0 and fields.at(at).type() == FIELD_TYPES["date"]


def measures_of(column: Column, exact: bool = True) -> np.ndarray:
    """Return what the engine takes of a column: of dates the days, NaN where one is missing."""
    if column.kind != DATE:
        return column.measures(exact)
    return days_of(column.texts(_NONE))


def days_of(texts) -> np.ndarray:
    """Return ISO dates as days since 1970-01-01.

    Raises
    ------
    ValueError
        If one is no date.
    """
    moments = np.array(texts, dtype="datetime64[D]")
    found = moments.astype(np.int64).astype(np.float64)
    found[np.isnat(moments)] = np.nan
    return found


def dates_of(days: np.ndarray) -> list:
    """Return days since 1970-01-01 as dates, None where one is missing."""
    first = QDate(1970, 1, 1)
    return [
        None if one != one else first.addDays(round(one))
        for one in np.asarray(days, dtype=float).tolist()
    ]


def iso_of(day: float) -> str:
    """Return a number of days since 1970-01-01 as an ISO date; nothing for none."""
    return "" if day != day else str(np.datetime64(round(day), "D"))


def with_kinds(table: Mapping[str, Column], given: Mapping[str, str]) -> dict[str, str]:
    """Return kinds that the user gave, and that dates of many days are numbers on a scale."""
    found = dict(given)
    for name, column in table.items():
        if name not in found and column.kind == DATE and len(set(column.texts(""))) > _LEVELS:
            found[name] = CONTINUOUS
    return found
