# SPDX-License-Identifier: GPL-2.0-or-later
"""One variable as columns of a matrix, and back."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import chunks
from ..runtime.wording import Sentence, joined
from .dummies import probabilities
from .matrices import block_rows
from .observations import (
    BINARY,
    CATEGORICAL,
    CONTINUOUS,
    ORDINAL,
    POSITIVE,
    Observations,
    round_to,
)

#: What becomes of anonymised categories.
PROBABILITIES, MOST_PROBABLE, DRAW = CATEGORIES_AS = ("probabilities", "most_probable", "draw")
_TEXT, _NUMBERS = Sentence("text"), Sentence("numbers")
#: What is missing where the first table has all is coded as the mean and so much more, which nobody has.
BLANK = np.pi * 1e-6


@dataclass(frozen=True)
class Variable:
    """How one variable is coded.

    Attributes
    ----------
    name, kind, why : str
        ``why`` is what the kind was guessed from; empty where the user named it.
    columns : slice
        Its columns of the matrix.
    centre, scale : float
        Of numbers (of their logarithms where positive): coded = (value - centre) / scale.
    levels : tuple
        Ordinal: the values in order; binary: the values coded -1 and +1; categorical: the
        categories, in the order of their columns, None being the missing.
    resolution : float
        Power of ten that all numbers are multiples of; 0 if none.
    is_whole, is_logical : bool
    missing : int
        Records without a value.
    singles : int
        Categories that a single record has.
    """

    name: str
    kind: str
    why: str
    columns: slice
    centre: float = 0.0
    scale: float = 1.0
    levels: tuple = ()
    resolution: float = 0.0
    is_whole: bool = False
    is_logical: bool = False
    missing: int = 0
    singles: int = 0

    @property
    def is_constant(self) -> bool:
        """Whether it has one value only."""
        return self.scale == 0 or (len(self.levels) == 1 and self.kind != ORDINAL)

    def natural(self, coded: np.ndarray) -> np.ndarray:
        """Coded values of a number in its own unit, not rounded; quantiles for a report, say.

        Dummies and truth values stay as they are coded.
        """
        if self.kind in (CATEGORICAL, BINARY):
            return coded
        values = coded * self.scale + self.centre
        # A release must not break on a record far out: exp(700) still is a number.
        return np.exp(np.clip(values, -700.0, 700.0)) if self.kind == POSITIVE else values

    @property
    def has_missing_dummy(self) -> bool:
        """Whether its last column says that a number or truth value is missing."""
        return self.kind != CATEGORICAL and self.columns.stop - self.columns.start == 2

    @property
    def missing_columns(self) -> tuple[int, ...]:
        """The column that says that a value is missing, if there is one."""
        if self.has_missing_dummy:
            return (self.columns.stop - 1,)
        if self.kind == CATEGORICAL and None in self.levels:
            return (self.columns.start + self.levels.index(None),)
        return ()


def _codes(levels: tuple, column: Observations) -> np.ndarray:
    """Which level each record has; -1 for one that is not among them, missing or not."""
    index = {level: at for at, level in enumerate(levels) if level is not None}
    found = map(index.get, column.values.tolist(), repeat(-1))
    codes = np.fromiter(found, dtype=np.intp, count=len(column))
    codes[~column.present] = -1
    return codes


def encode(variable: Variable, column: Observations, out: np.ndarray) -> None:
    """Write a variable's columns; ``out`` is a view of them."""
    text = [isinstance(level, str) for level in variable.levels if level is not None]
    wants_text = bool(text) and all(text)
    if column.is_text != wants_text and column.present.any():
        raise InputError(
            "The field {name} holds {here} here, but {there} in the original. Use the "
            "same type in both.",
            name=variable.name,
            here=_TEXT if column.is_text else _NUMBERS,
            there=_TEXT if wants_text else _NUMBERS,
        )
    present = column.present
    if variable.kind == CATEGORICAL:
        codes = _codes(variable.levels, column)
        if None in variable.levels:
            codes[~present] = variable.levels.index(None)
        known = np.flatnonzero(codes >= 0)
        out[:] = -1.0
        out[known, codes[known]] = 1.0
        return
    if variable.kind == BINARY:
        codes = _codes(variable.levels, column)
        if (codes[present] < 0).any():
            raise InputError(
                "The field {name} holds values that it does not hold in the original.",
                name=variable.name,
            )
        coded = 2.0 * codes - 1.0 if len(variable.levels) == 2 else np.zeros(len(codes))
        # A missing one is coded as the mean, like a missing number.
        out[:, 0] = np.where(present, coded, _when_missing(variable))
    else:
        values = column.values
        if variable.kind == POSITIVE:
            if (values[present] <= 0).any():
                raise InputError(
                    "The field {name} holds values of zero or below that have no logarithm. "
                    "Call it continuous.",
                    name=variable.name,
                )
            values = np.log(values, where=present, out=np.full(len(values), np.nan))
        coded = values - variable.centre
        if variable.scale > 0:
            coded /= variable.scale
        out[:, 0] = coded if present.all() else np.where(present, coded, _when_missing(variable))
    if variable.has_missing_dummy:
        out[:, 1] = np.where(present, -1.0, 1.0)


def kind_of_both(variable: Variable, column: Observations) -> str:
    """Return the kind of a variable by which another table's values can be coded, too.

    A number without zeros in one table may have some in another, and what has two values a third.
    """
    if variable.kind == POSITIVE and not column.is_text and (column.there <= 0).any():
        return CONTINUOUS
    if variable.kind == BINARY and (_codes(variable.levels, column)[column.present] < 0).any():
        return CATEGORICAL if column.is_text else ORDINAL
    return variable.kind


def _when_missing(variable: Variable) -> float:
    mean = variable.centre if variable.kind == BINARY else 0.0
    return mean if variable.has_missing_dummy else mean + BLANK


def is_missing(variable: Variable, block: np.ndarray) -> np.ndarray:
    """Tell where a number or truth value is missing, ``(n,)`` bool, by its columns."""
    if variable.has_missing_dummy:
        return block[:, 1] > 0
    return block[:, 0] == _when_missing(variable)


def decode_number(variable: Variable, coded: np.ndarray) -> np.ndarray:
    """Return the values of what is no category from its (n, 1 or 2) columns; see :meth:`.Coding.decode`."""
    value = coded[:, 0]
    if variable.kind == BINARY:
        upper = (value > 0) & (len(variable.levels) == 2)
        values = array_of(variable.levels)[upper.astype(np.intp)]
    else:
        values = variable.natural(value)
        if variable.kind == ORDINAL:
            levels = np.array(variable.levels)
            cuts = (levels[1:] + levels[:-1]) / 2
            values = levels[np.searchsorted(cuts, values)]
        else:
            values = round_to(values, variable.resolution)
            if variable.kind == POSITIVE and variable.resolution:
                values = np.maximum(values, variable.resolution)
    missing = coded[:, 1] > 0 if variable.has_missing_dummy else None
    if values.dtype == object:
        if missing is not None:
            values[missing] = None
        return values
    if missing is not None:
        values[missing] = np.nan
        return values
    if variable.is_logical:
        return values.astype(bool)
    if variable.is_whole and np.abs(values).max(initial=0) < 2**62:
        return values.astype(np.int64)
    return values


def decode_category(
    variable: Variable, coded: np.ndarray, categories_as: str, rng: np.random.Generator | None
) -> np.ndarray:
    """Return categories from their (n, q) dummies; see :meth:`.Coding.decode`."""
    chosen = np.empty(len(coded), dtype=np.intp)
    for rows in chunks(len(coded), block_rows(coded.shape[1])):
        if categories_as == MOST_PROBABLE:
            block = coded[rows]
            # The first of equally probable ones, or any of them by chance.
            chosen[rows] = block.argmax(axis=1)
            if rng is not None:
                best = block == block.max(axis=1, keepdims=True)
                tied = np.flatnonzero(best.sum(axis=1) > 1)
                luck = rng.random((len(tied), block.shape[1]))
                chosen[rows.start + tied] = np.where(best[tied], luck, -1.0).argmax(axis=1)
        else:
            if rng is None:
                raise InputError("Drawing categories needs a random generator.")
            cumulative = probabilities(coded[rows]).cumsum(axis=1)
            at = rng.random((len(cumulative), 1)) * cumulative[:, -1:]
            chosen[rows] = (cumulative <= at).sum(axis=1)
    levels = array_of(variable.levels)
    values = levels[chosen]
    if values.dtype != object and variable.is_logical:
        return values.astype(bool)
    if values.dtype != object and variable.is_whole:
        return values.astype(np.int64)
    return values


def array_of(levels: tuple) -> np.ndarray:
    """Levels as an array: of floats where all are numbers, else of objects."""
    if all(isinstance(level, float) for level in levels):
        return np.array(levels)
    array = np.empty(len(levels), dtype=object)
    array[:] = levels
    return array


def labels_of(variable: Variable) -> list[str]:
    """Return a name for each of its columns."""
    if variable.kind == CATEGORICAL:
        return [joined([variable.name, shown(level)], " = ") for level in variable.levels]
    name = (
        Sentence("log {name}", name=variable.name) if variable.kind == POSITIVE else variable.name
    )
    if not variable.has_missing_dummy:
        return [name]
    return [name, Sentence("{name} is missing", name=variable.name)]


def shown(level: object) -> str:
    """Return a category as labels and fields name it."""
    if level is None:
        return Sentence("missing")
    if isinstance(level, float) and level.is_integer():
        return str(int(level))
    return str(level)
