# SPDX-License-Identifier: GPL-2.0-or-later
"""The observed values of variables, read from columns of a table, and of what kind each is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..columns import column_of
from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from ..runtime.wording import Sentence, mark, number_of
from ..space.points import coordinate_resolution
from ..values import NUMBER, TEMPORAL, TEXT, TRUTH, WHOLE, known

#: Kinds of variables.
CONTINUOUS, POSITIVE, ORDINAL, BINARY, CATEGORICAL = KINDS = (
    "continuous",
    "positive",
    "ordinal",
    "binary",
    "categorical",
)
#: Whole numbers with at most so many different values are guessed to be ordinal.
_LEVELS = 20
#: Squares of larger numbers, summed over many records, have no room in a double.
_LARGEST = 1e140
#: Skewness from which on positive values are guessed to be better off as logarithms.
_SKEWED = 1.0
#: Share of different values from which on text is an id or free text; and a number of
#: records of which fewer may differ by accident.
_DIFFERENT, _ENOUGH = 0.95, 10


@dataclass(frozen=True)
class Observations:
    """The values of one variable.

    Attributes
    ----------
    name : str
    values : (n,) array
        Floats, or an object array of text; anything where nothing is present.
    present : (n,) bool array
    is_text, is_whole, is_logical : bool
        Text; whole numbers only; true and false only (held as 1 and 0).
    """

    name: str
    values: np.ndarray
    present: np.ndarray
    is_text: bool
    is_whole: bool
    is_logical: bool

    def __len__(self) -> int:
        return len(self.values)

    @property
    def there(self) -> np.ndarray:
        """The values that are present."""
        return self.values if self.present.all() else self.values[self.present]

    @property
    def missing(self) -> int:
        return int(np.count_nonzero(~self.present))

    def take(self, rows: np.ndarray) -> Observations:
        return Observations(
            self.name,
            self.values[rows],
            self.present[rows],
            self.is_text,
            self.is_whole,
            self.is_logical,
        )


@dataclass(frozen=True)
class Guess:
    """A kind guessed from the data, and why, in words that tell no value."""

    kind: str
    why: str


def observed(name: str, values: Any) -> Observations:
    """Read the values of a variable.

    Parameters
    ----------
    name : str
    values : sequence of length n
        Numbers, truth values or text; None and NaN are missing.

    Raises
    ------
    InputError
        If they are dates or other things, a mixture of numbers and text, or infinite.
    """
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise InputError("The field {name} must hold one value for each record.", name=name)
    column = column_of(name, values)
    present = np.ones(len(column), bool) if column.missing is None else ~column.missing
    if column.is_empty or column.kind in (WHOLE, NUMBER, TRUTH):
        numbers = np.full(len(column), np.nan) if column.is_empty else column.numbers()
        return _of_numbers(name, numbers, present, column.kind == TRUTH)
    if column.kind == TEXT:
        return Observations(name, column.objects(), present, True, False, False)
    kinds = {known(type(one)).kind for one in column}
    if TEXT in kinds and not kinds & TEMPORAL:
        raise InputError(
            "The field {name} mixes numbers and text. Make it one or the other.", name=name
        )
    raise InputError(_neither(name))


def between_quartiles(levels: np.ndarray) -> float:
    """Distance of the quartiles of different values, in order; how often each occurs does not count.

    A few huge values change it little, unlike a standard deviation.
    """
    return float(levels[3 * len(levels) // 4] - levels[len(levels) // 4])


def _neither(name: str) -> str:
    return Sentence(
        "The field {name} holds neither numbers nor text. Turn dates and times into numbers "
        "(days since some day), or leave the field out.",
        name=name,
    )


def _of_numbers(name: str, values: np.ndarray, present: np.ndarray, logical: bool) -> Observations:
    there = values[present]
    if np.isinf(there).any():
        raise InputError(
            "The field {name} holds infinite numbers. Leave those records out.", name=name
        )
    if len(there) and np.abs(there).max() > _LARGEST:
        raise InputError(
            "The field {name} holds numbers beyond {largest:g}, whose variance no computer "
            "can hold. Leave those records out, or divide the field by a large number "
            "first.",
            name=name,
            largest=_LARGEST,
        )
    # What no integer field holds is a measure; every double of that size is a whole number.
    whole = len(there) > 0 and bool(((there == np.rint(there)) & (abs(there) < 2.0**63)).all())
    return Observations(name, values, present, False, whole, logical)


def observed_table(
    table: Mapping[str, Any], progress: Progress = silent
) -> dict[str, Observations]:
    """Read a table: its columns by name.

    Raises
    ------
    InputError
        If it has no column, or columns of different lengths.
    """
    if not table:
        raise InputError("No field is chosen. Choose the attributes to work with.")
    columns = {}
    for number, (name, values) in enumerate(table.items()):
        progress(number / len(table))
        columns[name] = values if isinstance(values, Observations) else observed(name, values)
    if len({len(column) for column in columns.values()}) > 1:
        raise InputError("The fields have different numbers of values; they are not one table.")
    return columns


def guess_kind(column: Observations) -> Guess:
    """Guess from its values what kind of variable one is."""
    refuse_empty(column)
    there = column.there
    different = len(set(there)) if column.is_text else len(np.unique(there))
    if different == 1:
        kind = CATEGORICAL if column.is_text else CONTINUOUS
        return Guess(kind, Sentence("one value only"))
    if different == 2:
        return Guess(BINARY, Sentence("two different values"))
    if column.is_text:
        return Guess(
            CATEGORICAL,
            Sentence(
                "text with {different}",
                different=number_of(different, "different value", "different values"),
            ),
        )
    if column.is_whole and different <= _LEVELS:
        return Guess(
            ORDINAL,
            Sentence(
                "whole numbers with {different}",
                different=number_of(different, "different value", "different values"),
            ),
        )
    if there.min() > 0:
        raw, logs = _skewness(there), _skewness(np.log(there))
        if raw > _SKEWED and abs(logs) < raw:
            return Guess(
                POSITIVE,
                Sentence(
                    "above zero and skewed ({raw:.1f}; logarithms {logs:.1f})", raw=raw, logs=logs
                ),
            )
    return Guess(
        CONTINUOUS,
        Sentence(
            "numbers with {different}",
            different=number_of(different, "different value", "different values"),
        ),
    )


def _skewness(values: np.ndarray) -> float:
    centred = values - values.mean()
    spread = np.sqrt((centred**2).mean())
    return float(((centred / spread) ** 3).mean()) if spread > 0 else 0.0


def refuse_empty(column: Observations) -> None:
    """Refuse a variable that is missing in every record."""
    if not column.present.any():
        raise InputError("The field {name} holds no value at all. Leave it out.", name=column.name)


def refuse_ids(column: Observations, given: str | None) -> None:
    """Refuse a variable every value of which is different, as it is one record's own.

    Text is one from 95 % different values on. Whole numbers that all differ are measures if
    the user says so, unless they count the records; other numbers always are.

    Parameters
    ----------
    column : Observations
    given : str or None
        The kind that the user named, not a guess.
    """
    there = column.there
    n = len(there)
    if n < _ENOUGH:
        return
    if column.is_text:
        different = len(set(there))
        if different >= _DIFFERENT * n:
            raise InputError(
                "The field {name} is text that differs from record to record ({values} in {n:,} "
                "records): an id or free text, which would name each record. Leave it out.",
                name=column.name,
                values=number_of(different, "value", "values"),
                n=n,
            )
    elif column.is_whole and len(np.unique(there)) == n:
        counts = there.max() - there.min() == n - 1
        if counts or given not in (CONTINUOUS, POSITIVE):
            raise InputError(
                (
                    mark(
                        "The field {name} holds whole numbers that are different for every "
                        "record: it looks like an id. Leave it out."
                    )
                    if counts
                    else mark(
                        "The field {name} holds whole numbers that are different for every "
                        "record: it looks like an id. Leave it out, or say that it is continuous "
                        "if it is a measure."
                    )
                ),
                name=column.name,
            )
    elif given == CATEGORICAL and len(np.unique(there)) >= _DIFFERENT * n:
        raise InputError(
            "The field {name} differs from record to record: as categories its values would "
            "name each record. Call it continuous, or leave it out.",
            name=column.name,
        )


def resolution_of(values: np.ndarray) -> float:
    """The power of ten that all values are multiples of, or 0; see coordinate_resolution."""
    if coordinate_resolution(values[:1000]) == 0:
        return 0.0
    return coordinate_resolution(values)


def round_to(values: np.ndarray, resolution: float) -> np.ndarray:
    """Round to multiples of a power of ten; as they are if it is 0."""
    if resolution == 0:
        return values
    return np.round(values, -round(np.log10(resolution)))


def plain(column: Observations) -> np.ndarray:
    """Return values as they would be decoded: None for missing text, NaN for missing numbers."""
    values = column.values.copy()
    if column.is_text:
        values[~column.present] = None
    elif column.missing == 0 and column.is_logical:
        return values.astype(bool)
    elif column.missing == 0 and column.is_whole and np.abs(values).max(initial=0) < 2**62:
        return values.astype(np.int64)
    return values
