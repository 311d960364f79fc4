# SPDX-License-Identifier: GPL-2.0-or-later
"""One column of a table: values of one type, and which of them are missing.

Everything that is read becomes columns once, batch by batch (:class:`Gathered`); all that
screens, counts, compares, attacks or releases attributes takes these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from .runtime.progress import Progress, chunks, silent
from .values import (
    DATE,
    NULL_TEXT,
    NUMBER,
    OTHER,
    TEMPORAL,
    TEXT,
    TIME,
    TRUTH,
    WHOLE,
    is_null,
    known,
    text_of,
)

#: Beyond, not every whole number is a double, and they are not the same any more.
EXACT = 2**53
#: Values that are looked at without asking whether to go on.
_LOOKED_AT = 50_000
_NUMERIC = frozenset({WHOLE, NUMBER, TRUTH})


@dataclass(frozen=True, eq=False)
class Column:
    """The values of one field.

    As a sequence it has Python's own values, None where one is missing; a slice or an array of
    rows gives a list of them.

    Attributes
    ----------
    name : str
    kind : str
        See :mod:`.values`; text where every value is missing.
    values : (n,) array
        Whole numbers as int64 (objects where that is too short), numbers as float64, truth
        values as bool, text as objects, NumPy's own text or UTF-8; all else as the objects that
        were read. Anything where one is missing.
    null : (n,) bool array or None
        Which are missing; None if none is. NaN is a value here, and missing for all that counts
        and compares.
    index : (n,) int array or None
        Positions in ``values``, where each of them is stored once only.
    """

    name: str
    kind: str
    values: np.ndarray
    null: np.ndarray | None = None
    index: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.values if self.index is None else self.index)

    def __iter__(self) -> Iterator[Any]:
        return iter(self[:])

    def __getitem__(self, rows: Any) -> Any:
        if not isinstance(rows, slice) and np.ndim(rows) == 0:
            return self[np.array([rows])][0]
        found = self.values[rows if self.index is None else self.index[rows]]
        if found.dtype.kind == "S":
            found = np.char.decode(found, "utf-8", "replace")
        if self.null is not None and self.null[rows].any():
            found = found.astype(object)
            found[self.null[rows]] = None
        return found.tolist()

    def taken(self, rows: np.ndarray) -> Column:
        """Return the column of the given rows, in their order."""
        null = None if self.null is None else self.null[rows]
        if self.index is None:
            return replace(self, values=self.values[rows], null=null)
        return replace(self, index=self.index[rows], null=null)

    @cached_property
    def missing(self) -> np.ndarray | None:
        """Which values are missing, NaN too, (n,) bool; None if none is."""
        if self.values.dtype.kind != "f":
            return self.null
        found = np.isnan(self.values)
        found = found if self.index is None else found[self.index]
        found = found if self.null is None else found | self.null
        return found if found.any() else None

    @property
    def is_null(self) -> bool:
        """Whether there is nothing, not even NaN, so that the values might be of any kind."""
        return bool(self.null.all()) if self.null is not None else not len(self)

    @property
    def is_empty(self) -> bool:
        """Whether no record has a value."""
        return bool(self.missing.all()) if self.missing is not None else not len(self)

    @property
    def distinct(self) -> Iterable[Any]:
        """The values, or these once each where they are stored so: all that may be in there."""
        return self if self.index is None else self.values.tolist()

    def texts(self, missing: str | None = None, progress: Progress = silent) -> list:
        """Each value as :func:`.values.text_of` writes it, ``missing`` where there is none."""
        if self.index is not None:
            spelled = np.array([text_of(value) for value in self._plain(self.values)], dtype=object)
            found = spelled[self.index].tolist()
        else:
            found = []
            for rows in chunks(len(self), _LOOKED_AT, progress):
                found += self._spelled(self._plain(self.values[rows]))
        if self.missing is not None:
            for row in np.flatnonzero(self.missing).tolist():
                found[row] = missing
        return found

    def _spelled(self, values: list) -> list[str]:
        if self.kind == TEXT:
            return values
        if self.kind in (DATE, TIME):  # moments that are equal may lie in two zones
            spelled = {value: text_of(value) for value in set(values)}
            return [spelled[value] for value in values]
        return list(map(str if self.kind == WHOLE else text_of, values))

    @staticmethod
    def _plain(values: np.ndarray) -> list:
        return (
            np.char.decode(values, "utf-8", "replace") if values.dtype.kind == "S" else values
        ).tolist()

    def objects(self) -> np.ndarray:
        """Python's own values, None where one is missing, (n,) objects."""
        found = _objects(self[:])
        if self.missing is not None:
            found[self.missing] = None
        return found

    def numbers(self) -> np.ndarray:
        """The values as floats, also where they are written as text; NaN where one is missing.

        Raises
        ------
        ValueError
            If one is no number.
        """
        if self.kind in TEMPORAL:
            raise ValueError("dates and times are no numbers")
        try:
            found = self.values.astype(np.float64)
        except TypeError as error:
            raise ValueError(str(error)) from error
        found = found if self.index is None else found[self.index]
        if self.null is not None:
            found[self.null] = np.nan
        return found

    def moments(self) -> np.ndarray:
        """Dates and times as numbers, NaN where one is missing."""
        found = np.full(len(self), np.nan)
        there = slice(None) if self.null is None else ~self.null
        values = self.values[there].tolist()
        found[there] = [known(type(value)).number(value) for value in values]
        return found

    def measures(self, exact: bool = True) -> np.ndarray:
        """What an engine for numbers and categories takes: floats, or objects with None.

        Whole numbers of which doubles do not hold all digits are text where they are to be
        ``exact``: they are names of something.
        """
        if self.kind not in (WHOLE, NUMBER):
            return self.objects()
        found = self.numbers()
        if exact and self.kind == WHOLE and (np.abs(found) >= EXACT).any():
            return _objects(self.texts())
        return found

    def countable(self, progress: Progress = silent) -> np.ndarray:
        """An array of one type to count ``values`` by: whole numbers, floats, or text.

        Anything where a value is missing.
        """
        if self.values.dtype.kind in "USif":
            return self.values
        if self.kind == TRUTH:
            return self.values.astype(np.int64)
        return np.array(self.texts(NULL_TEXT, progress), dtype=str)

    def narrowed(self) -> Column:
        """The same, with whole numbers as such where they came as decimals."""
        if self.kind != NUMBER:
            return self
        gone = self.missing if self.index is None else np.isnan(self.values)
        there = self.values if gone is None else self.values[~gone]
        if not ((np.abs(there) <= EXACT).all() and (there == np.rint(there)).all()):
            return self
        values = (self.values if gone is None else np.where(gone, 0.0, self.values)).astype(
            np.int64
        )
        return replace(self, kind=WHOLE, values=values, null=self.missing)


def column_of(name: str, values: Any) -> Column:
    """Make a column of a sequence or an array of values, as they are."""
    if isinstance(values, Column):
        return values
    if isinstance(values, np.ndarray) and values.dtype.kind in "biufUS":
        kind = {"b": TRUTH, "i": WHOLE, "u": WHOLE, "f": NUMBER}.get(values.dtype.kind, TEXT)
        if kind == WHOLE and values.dtype == np.uint64:
            return column_of(name, values.tolist())
        natural = {WHOLE: np.int64, NUMBER: np.float64}.get(kind)
        return Column(name, kind, values if natural is None else values.astype(natural, copy=False))
    if isinstance(values, np.ndarray):
        if values.dtype.kind in "mM" and values.dtype != np.dtype("M8[D]"):
            values = values.astype(f"{values.dtype.kind}8[us]")  # finer ones are no Python objects
        values = values.tolist()
    return _typed(name, values)


def coded(codes: Any, values: Sequence) -> Column:
    """A column for those who write it: Python's own values, looked up by their codes.

    Ten million texts as objects do not fit where ten million codes do. These may also come from
    what can be sliced like an array, and makes them then.
    """
    return Column("", _typed("", values).kind, _objects(values), index=codes)


class Gathered:
    """A column that grows batch by batch, each looked at once."""

    def __init__(self, name: str):
        self._name = name
        self._parts: list[Column] = []

    def add(self, values: Sequence) -> Column:
        """Take some values as they were read; return them as a column."""
        part = _typed(self._name, values)
        self._parts.append(part)
        return part

    def column(self) -> Column:
        """The column of all that was taken, which is given away."""
        parts, self._parts = self._parts, []
        some = [part for part in parts if not part.is_null]
        if len({(part.kind, part.values.dtype) for part in some}) > 1:
            return _typed(self._name, list(chain.from_iterable(parts)))
        like = some[0] if some else _typed(self._name, [])
        nothing = None if like.values.dtype == object else 0
        values = np.empty(sum(map(len, parts)), dtype=like.values.dtype)
        null = np.zeros(len(values), dtype=bool)
        start = 0
        for part in parts:
            rows = slice(start, start + len(part))
            values[rows] = nothing if part.is_null else part.values
            null[rows] = False if part.null is None else part.null
            start = rows.stop
        return Column(self._name, like.kind, values, null if null.any() else None)


def _common(kinds: set[str]) -> str:
    """The kind of values of several kinds."""
    if not kinds:
        return TEXT
    if len(kinds) == 1:
        return next(iter(kinds))
    if kinds <= _NUMERIC:
        return NUMBER if NUMBER in kinds else WHOLE
    return OTHER


def _typed(name: str, values: Sequence) -> Column:
    types = set(map(type, values))
    if types == {str}:
        return Column(name, TEXT, _objects(values))
    if any(issubclass(one, np.generic) for one in types):
        values = [one.item() if isinstance(one, np.generic) else one for one in values]
        types = set(map(type, values))
    null = _nulls(values, types)
    kind, there = _kind(values, null)
    if kind == OTHER and float in types:  # NaN among what is no number is nothing
        null = np.fromiter(map(is_null, values), bool, len(values))
        kind, there = _kind(values, null)
    array = _array(kind, there)
    if null is None or not null.any():
        return Column(name, kind, array)
    full = np.full(len(values), None if array.dtype == object else 0, dtype=array.dtype)
    full[~null] = array
    return Column(name, kind, full, null)


def _kind(values: Sequence, null: np.ndarray | None) -> tuple[str, Sequence]:
    """The kind of what is not missing, and these values."""
    there = values if null is None else _objects(values)[~null].tolist()
    kinds = {known(one).kind for one in set(map(type, there))}
    kind = _common(kinds)
    if kind == NUMBER and WHOLE in kinds:
        if any(type(value) is int and abs(value) > EXACT for value in there):
            kind = OTHER
    return kind, there


def _nulls(values: Sequence, types: set[type]) -> np.ndarray | None:
    """Which values are missing; NaN is not."""
    asked = {one: known(one).is_null for one in types if one is not float}
    tests = {one: test for one, test in asked.items() if test is not None}
    if not tests:
        return None
    null = np.fromiter(map(tests.__contains__, map(type, values)), bool, len(values))
    rows = np.flatnonzero(null)
    null[rows] = [tests[type(values[row])](values[row]) for row in rows.tolist()]
    return null if null.any() else None


def _array(kind: str, values: Sequence) -> np.ndarray:
    natural = {WHOLE: np.int64, NUMBER: np.float64, TRUTH: bool}.get(kind)
    if natural is not None:
        try:
            return np.array(values, dtype=natural)
        except OverflowError:  # beyond 64 bits
            pass
    return _objects(values)


def _objects(values: Sequence) -> np.ndarray:
    return np.fromiter(values, dtype=object, count=len(values))
