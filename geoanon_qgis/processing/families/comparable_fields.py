# SPDX-License-Identifier: GPL-2.0-or-later
"""Which fields of two tables are the same, and what their values are in both."""

from __future__ import annotations

import numpy as np

from ...core.columns import Column, column_of
from ...core.identifying import reason_of_name, reasons
from ...core.microdata.learning import learn_coding
from ...core.microdata.observations import (
    CATEGORICAL,
    CONTINUOUS,
    POSITIVE,
    guess_kind,
    observed,
    refuse_ids,
)
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress
from ..i18n import tr
from .day_numbers import days_of, measures_of


def like_the_original(values: np.ndarray, levels: tuple) -> np.ndarray:
    """Numbers that come as text, as all do from a CSV, are numbers where the original's are."""
    if (
        values.dtype.kind == "f"
        and levels
        and all(isinstance(level, str) for level in levels if level is not None)
    ):
        return np.fromiter(column_of("", values).texts(), dtype=object, count=len(values))
    if values.dtype != object or not any(isinstance(value, str) for value in values):
        return values
    if any(isinstance(level, str) for level in levels):
        if "" not in levels:  # nor has a CSV a NULL
            values[values == ""] = None
        return values
    words = {"": np.nan, "true": 1.0, "false": 0.0}
    try:
        return np.array(
            [np.nan if value is None else words.get(str(value).lower(), value) for value in values],
            dtype=float,
        )
    except ValueError:
        pass
    try:  # as a CSV has dates, which GDAL writes 2020/01/02
        return days_of([(value or "NaT").replace("/", "-") for value in values])
    except (AttributeError, ValueError):
        return values  # which the engine refuses, with the field's name


def shared(
    columns: dict[str, Column], there: set[str], given: dict[str, str], progress: Progress
) -> tuple[list[str], list[str]]:
    """Fields of the original that the release has too, without ids; and what is said of these.

    Whole numbers that all differ may be ids or measures. Here they are measures, which is
    entered into ``given``: left out by mistake, they would make a release look safer.
    """
    names, ids = [], []
    for number, (name, column) in enumerate(columns.items()):
        progress(number / len(columns))
        values = None
        if name not in there:
            if not any(one.startswith(f"{name}_") for one in there):
                continue
            values = measures_of(column)
            if not _released_as_shares(name, values, there):
                continue
        if name.lower() == "fid" or column.is_empty:
            continue  # every GeoPackage has a fid
        if name not in given:
            if values is None:
                values = measures_of(column)
            kind = _kind_of_measure(name, values)
            if kind is None:
                ids.append(name)
                continue
            if kind:
                given[name] = kind
        names.append(name)
    if not ids:
        return names, []
    return names, [
        tr(
            "Not compared, though both tables have them, as they look like ids: {fields}. Name "
            "FIELDS to decide yourself."
        ).format(fields=", ".join(ids))
    ]


def _kind_of_measure(name: str, values: np.ndarray) -> str | None:
    """None for an id; a kind for numbers that only look like one; else "", to be guessed."""
    if reason_of_name(name) == reasons.NAMED_ID:
        return None
    column = observed(name, values)
    try:
        refuse_ids(column, None)
    except InputError:
        if column.is_text:
            return None
        kind = guess_kind(column).kind
        kind = POSITIVE if kind == POSITIVE else CONTINUOUS
        try:
            refuse_ids(column, kind)
        except InputError:
            return None  # it counts the records
        return kind
    return ""


def _released_as_shares(name: str, values: np.ndarray, there: set[str]) -> bool:
    try:
        coding = learn_coding({name: values}, {name: CATEGORICAL})
    except InputError:
        return False
    return there.issuperset(coding.probability_fields[name])
