# SPDX-License-Identifier: GPL-2.0-or-later
"""Columns of Arrow as columns of the house: kinds, values, and what is missing."""

from __future__ import annotations

import numpy as np

from ..columns import Column, column_of
from ..runtime.errors import InputError
from ..values import NULL_TEXT, NUMBER, TEXT, WHOLE

#: How a field is read; ``nothing`` where Arrow has met no value, so that it suits any other.
LONG, DOUBLE, STRING, NOTHING = "long", "double", "string", "nothing"
_KINDS = {LONG: WHOLE, DOUBLE: NUMBER, STRING: TEXT}


def kind_of(field) -> str:
    """How a field of Arrow is read: dates and the like as text."""
    import pyarrow as pa

    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    if pa.types.is_null(kind):
        return NOTHING
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return LONG
    return DOUBLE if pa.types.is_floating(kind) or pa.types.is_decimal(kind) else STRING


def is_plain_text(field) -> bool:
    """Whether Arrow can read a field with each text once."""
    import pyarrow as pa

    return pa.types.is_string(field.type)


def column(name: str, array, kind: str, table: str) -> Column:
    """A batch of one column.

    Parameters
    ----------
    name : str
    array : pyarrow.Array
    kind : str
        As :func:`kind_of` tells it, of the whole table.
    table : str
        Its name, for messages.

    Raises
    ------
    InputError
        For values that are no numbers or text that can be counted.
    """
    import pyarrow as pa

    try:
        return _column(name, array, kind)
    except pa.ArrowException as error:
        raise InputError(
            "The column “{name}” of {table} holds values of the type {type}, which are no "
            "numbers or text that can be counted. Name the quasi-identifiers without it.",
            name=name,
            table=table,
            type=str(array.type).partition("<")[0],
        ) from error


def constant(name: str, value: str | int | None, kind: str, count: int) -> Column:
    """A column in which the same value stands everywhere."""
    values = np.array(["" if kind == STRING else 0]) if value is None else np.array([value])
    null = np.ones(count, dtype=bool) if value is None else None
    return Column(name, _KINDS[kind], values, null, np.zeros(count, dtype=np.intp))


def _column(name: str, array, kind: str) -> Column:
    import pyarrow as pa

    if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        array = array.cast(pa.string()).dictionary_encode()  # each text is looked at once
    null = array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None
    if pa.types.is_dictionary(array.type):
        index = array.indices.fill_null(0).to_numpy(zero_copy_only=False)
        values = array.dictionary
        if len(values):
            return Column(name, _KINDS[kind], _typed(values, kind), null, index)
        return Column(name, _KINDS[kind], np.zeros(len(index)), np.ones(len(index), dtype=bool))
    if pa.types.is_date(array.type) or pa.types.is_timestamp(array.type):
        return column_of(name, _values_of(array))
    return Column(name, _KINDS[kind], _typed(array, kind), null)


def _typed(array, kind: str) -> np.ndarray:
    import pyarrow as pa

    if kind == STRING:
        return np.array(column_of("", _values_of(array)).texts(NULL_TEXT), dtype=str)
    target = pa.int64() if kind == LONG else pa.float64()
    return array.cast(target).fill_null(0).to_numpy(zero_copy_only=False)


def _values_of(array) -> list:
    """Values as Python has them: dates and times to the microsecond."""
    import pyarrow as pa

    kind = array.type
    if pa.types.is_timestamp(kind) and kind.unit == "ns":
        array = array.cast(pa.timestamp("us", kind.tz), safe=False)
    elif pa.types.is_time64(kind) and kind.unit == "ns":
        array = array.cast(pa.time64("us"), safe=False)
    elif not (
        pa.types.is_temporal(kind)
        or pa.types.is_nested(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    ):
        array = array.cast(pa.string())
    return array.to_pylist()
