# SPDX-License-Identifier: GPL-2.0-or-later
"""A field's values as codes: counted once, looked at many times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..columns import Column, column_of
from ..values import NUMBER, TEMPORAL, TRUTH, WHOLE

#: Whole numbers in so narrow a range, for each record, are counted without sorting.
_NARROW = 4
#: Texts that are tried first, to see whether a field holds numbers at all.
_TRIED = 50


@dataclass(frozen=True)
class CodedColumn:
    """One attribute of all records.

    Attributes
    ----------
    name : str
    codes : (n,) int array
        Position of each record's value in ``values``; -1 where it has none.
    values : (d,) array or sequence
        The different values: numbers, or texts in one spelling of case and space.
    """

    name: str
    codes: np.ndarray
    values: Sequence[Any] | np.ndarray

    @classmethod
    def of(cls, name: str, values: Any) -> CodedColumn:
        """Code the values of all records; None, NaN and empty text are missing.

        Dates and times become numbers, everything else text. ``values`` is a column as it was
        read, or what :func:`...columns.column_of` makes one of.
        """
        column = column_of(name, values)
        missing = column.missing
        there = column if missing is None else column.taken(np.flatnonzero(~missing))
        codes, different = _codes(there)
        if missing is not None:
            every = np.full(len(column), -1, dtype=np.intp)
            every[~missing] = codes
            codes = every
        return cls(name, codes, different)

    @classmethod
    def coded(cls, name: str, codes: np.ndarray, values: Sequence[Any]) -> CodedColumn:
        """Make one of codes that are there already; values may be spelled in several ways."""
        small = cls.of(name, list(values))
        return cls(name, np.where(codes < 0, -1, small.codes[codes]), small.values)

    @cached_property
    def counts(self) -> np.ndarray:
        """Records that have each value, (d,)."""
        return np.bincount(self.codes + 1, minlength=len(self.values) + 1)[1:]

    @cached_property
    def present(self) -> int:
        """Records that have a value."""
        return int(self.counts.sum())

    @cached_property
    def different(self) -> int:
        """Different values."""
        return int(np.count_nonzero(self.counts))

    @cached_property
    def unique(self) -> int:
        """Records that have a value which no other record has."""
        return int(np.count_nonzero(self.counts == 1))

    @property
    def is_text(self) -> bool:
        """Whether the values are text."""
        return not isinstance(self.values, np.ndarray)

    @cached_property
    def numbers(self) -> np.ndarray | None:
        """The values as numbers, (d,), also where they are written as text; None if they are no
        numbers, or fewer than three."""
        if self.different < 3:
            return None
        if isinstance(self.values, np.ndarray):
            return self.values.astype(np.float64)
        try:
            for some in (self.values[:_TRIED], self.values):
                numbers = np.array([float(one.replace(",", ".")) for one in some])
        except ValueError:
            return None
        return numbers if np.isfinite(numbers).all() else None


def _codes(column: Column) -> tuple[np.ndarray, Sequence[Any] | np.ndarray]:
    """Codes and different values of what has none missing but empty text."""
    if column.kind in TEMPORAL:
        return _numbers(column.moments())
    if column.kind in (WHOLE, NUMBER, TRUTH) and column.values.dtype != object:
        return _numbers(column.values)
    return _texts(column.texts())


def _numbers(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Codes and different values of numbers."""
    if not len(values):
        return np.empty(0, dtype=np.intp), np.empty(0)
    if values.dtype.kind == "f":
        different, codes = np.unique(values, return_inverse=True)
        return codes.reshape(-1), different
    if values.dtype.kind == "b":
        values = values.astype(np.int8)
    low, high = int(values.min()), int(values.max())
    if high - low > _NARROW * len(values):
        different, codes = np.unique(values, return_inverse=True)
        return codes.reshape(-1), different
    codes = (values - values.dtype.type(low)).astype(np.intp)
    return codes, np.arange(low, high + 1)


def _texts(values: Sequence[str]) -> tuple[np.ndarray, list[str]]:
    """Codes and different values of texts, alike in case and space."""
    as_written = {value: row for row, value in enumerate(dict.fromkeys(values))}
    codes = np.fromiter(map(as_written.__getitem__, values), np.intp, len(values))
    spelled = [" ".join(value.casefold().split()) for value in as_written]
    index = {value: row for row, value in enumerate(dict.fromkeys(filter(None, spelled)))}
    if len(index) == len(spelled):
        return codes, spelled
    return np.array([index.get(value, -1) for value in spelled], np.intp)[codes], list(index)


def alone(columns: Sequence[CodedColumn], count: int) -> int:
    """How many records are the only ones with their values of all these fields together.

    A missing value counts as a value: that it is missing is seen as well.
    """
    together = np.zeros(count, dtype=np.int64)
    groups = 1
    for column in columns:
        width = len(column.values) + 1
        if groups > np.iinfo(np.int64).max // width:
            groups, together = _narrowed(together)
        together = together * width + (column.codes + 1)
        groups *= width
        if groups > _NARROW * max(1, count):
            groups, together = _narrowed(together)
        if groups == count and np.bincount(together).max(initial=0) <= 1:
            return count
    return int(np.count_nonzero(np.bincount(together) == 1)) if count else 0


def _narrowed(codes: np.ndarray) -> tuple[int, np.ndarray]:
    found, codes = np.unique(codes, return_inverse=True)
    return len(found), codes.reshape(-1)
