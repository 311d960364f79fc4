# SPDX-License-Identifier: GPL-2.0-or-later
"""From values of a field to codes of response categories, chunk by chunk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..columns import Column
from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from ..runtime.wording import Sentence, number_of

#: A quasi-identifier with more categories is likely a number that should be grouped.
MANY_CATEGORIES = 200
#: Whole numbers that span no more than this are looked up in a table.
_TABLE = 1 << 22
#: Values looked at to tell whether a column comes in runs.
_SAMPLE = 1_000
#: Whole numbers that span more, as ids of regions do, are looked up by a hash: slots for each.
_LOOSE = 16
#: Slots of the table by which text is looked up, at most.
_SLOTS = 1 << 16
#: Odd factors of the hash of text, one for each eight bytes of it.
_FACTORS = np.random.default_rng(5).integers(2**63, size=4_096, dtype=np.uint64) * np.uint64(
    2
) + np.uint64(1)


class Encoder:
    """Codes of the categories of one quasi-identifier, or rows of regions by their id.

    Codes are given in the order in which values are first seen, the sorted values of a chunk
    one after the other; declared categories come first, in their order. NULL is a category of
    its own: the code after all others would move, so it is given when NULL is first seen.

    Parameters
    ----------
    name : str
        Of the field, for messages.
    declared : sequence, optional
        Declared categories; others are refused, or -1 where ``unknown`` is set.
    nulls : bool
        Whether NULL makes a category; refused otherwise, or -1 where ``unknown`` is set.
    unknown : bool
        Whether a value that is not declared gets code -1 (ids of regions).

    Raises
    ------
    InputError
        If a category is declared twice.
    """

    def __init__(
        self,
        name: str,
        declared: Sequence[object] | np.ndarray | None = None,
        nulls: bool = True,
        unknown: bool = False,
    ):
        self.name = name
        self.null_code: int | None = None
        self.null_count = 0
        self._nulls = nulls
        self._unknown = unknown
        self._is_declared = declared is not None
        self._values: list[object] = []
        self._sorted = np.empty(0)
        self._code_of_sorted = np.empty(0, dtype=np.int32)
        self._table: tuple[int, np.ndarray] | None = None
        self._hashed: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self._slots: np.ndarray | None = None
        if declared is not None:
            values = np.asarray(declared)
            if len(np.unique(values)) < len(values):
                raise InputError("{name}: a value is there twice among those declared.", name=name)
            self._learn(values)

    @property
    def categories(self) -> tuple[object, ...]:
        """The categories by code; None for NULL, bytes as the UTF-8 text they are."""
        return tuple(
            value.decode("utf-8", "replace") if isinstance(value, bytes) else value
            for value in self._values
        )

    def encode(self, values: np.ndarray, null: np.ndarray | None = None) -> np.ndarray:
        """Codes of some more values.

        Parameters
        ----------
        values : (m,) array
            Numbers, text or bytes; NaN is NULL, and so is None in an array of objects.
        null : (m,) bool array, optional
            Which values are NULL besides.

        Returns
        -------
        (m,) int32 array

        Raises
        ------
        InputError
            For NULL or a value that is not declared, where they are to be refused.
        """
        values = np.asarray(values)
        null = _nulls_of(values, null)
        if null is None:
            return self._encode(values)
        codes = np.empty(len(values), dtype=np.int32)
        codes[~null] = self._encode(values[~null])
        codes[null] = self._null(int(null.sum()))
        return codes

    def codes(self, column: Column, progress: Progress = silent) -> np.ndarray:
        """Codes of a column's values, (n,) int32; see :meth:`encode`."""
        values = column.countable(progress)
        if column.index is None:
            return self.encode(values, column.null)
        there = column.index if column.null is None else column.index[~column.null]
        used = np.flatnonzero(np.bincount(there, minlength=len(values)))
        code_of = np.full(len(values), -1, dtype=np.int32)
        code_of[used] = self.encode(values[used])
        if column.null is None:
            return code_of[column.index]
        codes = np.empty(len(column), dtype=np.int32)
        codes[~column.null] = code_of[there]
        codes[column.null] = self._null(int(column.null.sum()))
        return codes

    def absorb(self, other: Encoder) -> np.ndarray:
        """Learn what another one has met after this one; return the code of each of its codes.

        The codes that come of it are those that this one had given to the same values.

        Raises
        ------
        InputError
            If one holds text and the other numbers.
        """
        codes = np.empty(len(other._values), dtype=np.int32)
        cut = len(codes) if other.null_code is None else other.null_code
        codes[:cut] = self._taken(other._values[:cut])
        if other.null_code is not None:
            codes[cut] = self._null(other.null_count)
            codes[cut + 1 :] = self._taken(other._values[cut + 1 :])
        return codes

    def _taken(self, values: list[object]) -> np.ndarray:
        """Codes of values that are there once each, new ones in the order in which they stand."""
        if not values:
            return np.empty(0, dtype=np.int32)
        found = self._comparable(np.array(values))
        codes = self._known(found)
        new = found[codes < 0]
        if len(new) and not self._is_declared:
            self._learn(new)
            codes = self._known(found)
        return codes

    def _null(self, count: int) -> int:
        self.null_count += count
        if self._unknown:
            return -1
        if not self._nulls:
            raise InputError(
                "{name} is NULL in some records. Fill it in, or let NULL be a category of its own.",
                name=self.name,
            )
        if self.null_code is None:
            self.null_code = len(self._values)
            self._values.append(None)
        return self.null_code

    def _encode(self, values: np.ndarray) -> np.ndarray:
        if len(values) == 0:
            return np.empty(0, dtype=np.int32)
        # Records often come sorted by region: then a run of equal values is looked up once.
        sample = values[:_SAMPLE]
        if 4 * len(_run_starts(sample)) < len(sample):
            start = _run_starts(values)
            length = np.diff(np.concatenate([start, [len(values)]]))
            return np.repeat(self._look_up(values[start]), length)
        return self._look_up(values)

    def _look_up(self, values: np.ndarray) -> np.ndarray:
        values = self._comparable(values)
        codes = self._known(values)
        if self._unknown or codes.min() >= 0:
            return codes
        new = np.unique(values[codes < 0])
        if self._is_declared:
            raise InputError(
                "{name} has the value {value!s}, which is not among the declared "
                "categories. Declare it, or group the values.",
                name=self.name,
                value=new[0],
            )
        self._learn(new)
        return self._known(values)

    def _comparable(self, values: np.ndarray) -> np.ndarray:
        """Objects as text or numbers; text and numbers do not mix in one field."""
        if values.dtype == object:
            values = np.array(values.tolist())
        if values.dtype.kind == "b":
            values = values.astype(np.uint8)
        if values.dtype.kind not in "iufUS":
            raise InputError("{name} is neither text nor a number.", name=self.name)
        known = self._sorted
        if len(known) and (known.dtype.kind in "US") != (values.dtype.kind in "US"):
            like = (
                values.astype(str)
                if known.dtype.kind in "US"
                else _numbers(values, np.nan if self._unknown else None)
            )
            if like is None:
                raise InputError(
                    "{name} holds numbers in some records, text in others.", name=self.name
                )
            values = like
        if len(known) and known.dtype.kind != values.dtype.kind and known.dtype.kind in "US":
            values = (
                np.char.decode(values, "utf-8")
                if values.dtype.kind == "S"
                else (np.char.encode(values, "utf-8"))
            )
        return values

    def _known(self, values: np.ndarray) -> np.ndarray:
        """Codes of the values, -1 for those not seen yet."""
        if len(self._sorted) == 0:
            return np.full(len(values), -1, dtype=np.int32)
        if self._table is not None and values.dtype.kind in "iu":
            lowest, table = self._table
            offset = values.astype(np.int64) - lowest
            outside = (offset < 0) | (offset >= len(table))
            if not outside.any():
                return table[offset]
            return np.where(outside, np.int32(-1), table[np.where(outside, 0, offset)])
        if self._hashed is not None and values.dtype.kind == self._sorted.dtype.kind:
            keys, code, known = self._hashed
            wanted = _hash(values)
            at = (wanted >> _shift(len(keys))).astype(np.intp)
            # Eight bytes are told apart by their hash; of longer text it is a hint.
            same = keys[at] == wanted
            if max(values.dtype.itemsize, known.dtype.itemsize) > 8:
                same &= known[at] == values
            found = code[at]
            found[~same] = -1
            return found
        if self._slots is not None and values.dtype == np.int64:
            at = self._slots[_slot_of(values, len(self._slots))]
            found = np.where(self._sorted[at] == values, self._code_of_sorted[at], np.int32(-1))
            others = np.flatnonzero(found < 0)  # whose slot another one has, and strangers
            found[others] = self._searched(values[others])
            return found
        return self._searched(values)

    def _searched(self, values: np.ndarray) -> np.ndarray:
        at = np.minimum(np.searchsorted(self._sorted, values), len(self._sorted) - 1)
        return np.where(self._sorted[at] == values, self._code_of_sorted[at], np.int32(-1))

    def _learn(self, values: np.ndarray) -> None:
        """Give codes to values that are not known yet."""
        values = np.asarray(values)
        first = len(self._values)
        self._values.extend(values.tolist())
        if len(self._values) > 2**31 - 2:
            raise InputError("{name} has too many different values.", name=self.name)
        codes = np.arange(first, len(self._values), dtype=np.int32)
        joined = values if len(self._sorted) == 0 else np.concatenate([self._sorted, values])
        codes = np.concatenate([self._code_of_sorted, codes])
        order = np.argsort(joined, kind="stable")
        self._sorted, self._code_of_sorted = joined[order], codes[order]
        self._table = None
        if self._sorted.dtype.kind in "iu" and len(self._sorted):
            lowest, highest = int(self._sorted[0]), int(self._sorted[-1])
            if -(2**62) < lowest and highest < 2**62 and highest - lowest < _TABLE:
                table = np.full(highest - lowest + 1, -1, dtype=np.int32)
                table[self._sorted.astype(np.int64) - lowest] = self._code_of_sorted
                self._table = (lowest, table)
        if self._unknown and self._table is None and self._sorted.dtype == np.int64:
            self._slots = np.zeros(1 << (_LOOSE * len(joined)).bit_length(), dtype=np.int32)
            self._slots[_slot_of(self._sorted, len(self._slots))] = np.arange(len(joined))
        self._hashed = self._hash_table() if self._sorted.dtype.kind in "US" else None

    def _hash_table(self) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Hashes, codes and texts in slots by the first bits of the hash.

        As many slots as it takes for each text to have one of its own; None where that is
        too many, or texts are very long.
        """
        known = self._sorted
        if known.dtype.itemsize > 8 * len(_FACTORS):
            return None
        hashed = _hash(known)
        slots = 1 << max(4, (2 * len(known)).bit_length())
        while slots <= max(_SLOTS, 8 * len(known)):
            at = (hashed >> _shift(slots)).astype(np.intp)
            if len(np.unique(at)) == len(at):
                keys = np.zeros(slots, dtype=np.uint64)
                code = np.full(slots, -1, dtype=np.int32)
                text = np.zeros(slots, dtype=known.dtype)
                keys[at], code[at], text[at] = hashed, self._code_of_sorted, known
                return keys, code, text
            slots *= 2
        return None


def region_encoder(
    ids: Sequence[object] | np.ndarray, name: str = Sentence("Region id")
) -> Encoder:
    """Encoder of a table's region ids to the rows of the regions; -1 for unknown ones.

    Raises
    ------
    InputError
        If two regions have the same id, or one has none.
    """
    values = np.asarray(ids)
    if _nulls_of(values, None) is not None:
        raise InputError("{name}: a region has no id. Fill it in.", name=name)
    if values.dtype == object:
        values = np.array(values.tolist())
    distinct, count = np.unique(values, return_counts=True)
    if (count > 1).any():
        raise InputError(
            "{name}: {ids} there more than once, such as {example}. Each region needs an id "
            "of its own.",
            name=name,
            ids=number_of(int((count > 1).sum()), "id is", "ids are"),
            example=distinct[count > 1][0],
        )
    return Encoder(name, values, unknown=True)


def warnings_about(names: Sequence[str], categories: Sequence[int], records: int) -> list[Sentence]:
    """Sentences about quasi-identifiers that make nearly every record unique."""
    told = [
        Sentence(
            "{name} has {categories}. MaxCombs multiplies by that: group the values, or declare "
            "fewer categories.",
            name=name,
            categories=number_of(count, "category", "categories"),
        )
        for name, count in zip(names, categories)
        if count > MANY_CATEGORIES
    ]
    combinations = 1
    for count in categories:
        combinations *= int(count)
    if combinations > records > 0:
        told.append(
            Sentence(
                "The quasi-identifiers have {combinations} for {records}: most classes will be "
                "small, and much will be suppressed.",
                combinations=number_of(combinations, "combination", "combinations"),
                records=number_of(records, "record", "records"),
            )
        )
    return told


def _nulls_of(values: np.ndarray, null: np.ndarray | None) -> np.ndarray | None:
    """Which values are NULL; None if none is."""
    missing = None if null is None else np.asarray(null, dtype=bool).copy()
    if values.dtype.kind == "f":
        found = np.isnan(values)
    elif values.dtype == object:
        found = np.array([value is None or value != value for value in values], dtype=bool)
    else:
        found = None
    if found is not None:
        missing = found if missing is None else missing | found
    return None if missing is None or not missing.any() else missing


def _run_starts(values: np.ndarray) -> np.ndarray:
    return np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))


def _shift(slots: int) -> np.uint64:
    return np.uint64(64 - (slots.bit_length() - 1))


def _slot_of(values: np.ndarray, slots: int) -> np.ndarray:
    return ((values.view(np.uint64) * _FACTORS[0]) >> _shift(slots)).astype(np.intp)


def _hash(values: np.ndarray) -> np.ndarray:
    """A 64-bit number for each text; the same whatever width the array has."""
    size = values.dtype.itemsize
    words = max(1, -(-size // 8))
    if size != 8 * words:
        width = 8 * words if values.dtype.kind == "S" else 2 * words
        values = values.astype(f"{values.dtype.kind}{width}")
    raw = np.ascontiguousarray(values).view(np.uint64).reshape(len(values), words)
    key = raw[:, 0] * _FACTORS[0]
    for word in range(1, min(words, len(_FACTORS))):
        key += raw[:, word] * _FACTORS[word]
    return key


def _numbers(values: np.ndarray, stranger: float | None) -> np.ndarray | None:
    """Text as numbers; what is none becomes ``stranger``, or makes None of everything."""
    try:
        return values.astype(np.float64)
    except ValueError:
        if stranger is None:
            return None
    distinct, at = np.unique(values, return_inverse=True)
    return np.array([_number(one, stranger) for one in distinct.tolist()])[at.reshape(-1)]


def _number(text: str | bytes, stranger: float) -> float:
    try:
        return float(text)
    except ValueError:
        return stranger
