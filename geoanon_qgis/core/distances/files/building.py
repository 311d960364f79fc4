# SPDX-License-Identifier: GPL-2.0-or-later
"""Distances as they come out of a file, by rows or by pairs, gathered into the condensed form.

The square is never held: each row is compared with what the rows before it said of the same
pairs. Every check that a distance matrix must pass is made here, whatever the format.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

import numpy as np

from ...runtime import memory
from ...runtime.errors import InputError
from ...runtime.progress import Progress, chunks, silent
from ...runtime.wording import Sentence, number_of
from ..matrix import (
    DistanceMatrix,
    check_ids,
    condensed_index,
    condensed_size,
    describe,
    fill_rows,
    shown,
)

#: Two values of one distance may differ by what floating point leaves of equality..
_RELATIVE = 1e-9
#: ..or by one in the last decimal of the text, as long as that is little beside the largest.
_LAST_DIGIT = 1e-5
_ADVICE = Sentence("Release or read fewer records, or close other programs.")


def usable_ids(ids: Sequence[str], name: str) -> tuple[str, ...]:
    """Return ids that can be told apart and written down; raise InputError otherwise."""
    check_ids(ids, Sentence("file {name}", name=name))
    for number, text in enumerate(ids, 1):
        if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
            raise InputError(
                "The id of record {number:,} in the file {name} is no text.",
                number=number,
                name=name,
            )
    return tuple(ids)


def refuse_unless_room(n: int, copies: float = 1.0) -> None:
    """Refuse a matrix of ``n`` records that does not fit into memory ``copies`` times."""
    memory.refuse_unless_fits(
        8 * copies * condensed_size(n),
        number_of(n, "record", "records"),
        Sentence("their distance matrix"),
        _ADVICE,
    )


class _Gathering:
    """What rows and pairs have in common: the checks of values, and of disagreement."""

    def __init__(self, name: str, tolerance: float | None) -> None:
        self.name = name
        self._tolerance = tolerance
        self._largest = 0.0
        self._worst = 0.0
        self._place: tuple[int, int, float, float] | None = None
        self.last_digit = 0.0

    def _disagrees(self, gap: float, i: int, j: int, first: float, second: float) -> None:
        if gap > self._worst:
            self._worst, self._place = gap, (i, j, first, second)

    def _check_agreement(self, ids: Sequence[str]) -> None:
        if self._place is None:
            return
        if self._tolerance is None:
            last_digit = min(1.001 * self.last_digit, _LAST_DIGIT * self._largest)
            allowed = _RELATIVE * self._largest + last_digit
        else:
            allowed = self._tolerance
        if self._worst <= allowed:
            return
        i, j, first, second = self._place
        if i == j:
            raise InputError(
                "The file {name} has a distance of {distance:.10g} from the record {one} to "
                "itself; the diagonal of a distance matrix is zero.",
                name=self.name,
                distance=max(first, second),
                one=shown(ids[i]),
            )
        i, j = sorted((i, j))
        raise InputError(
            "The file {name} is not symmetric: the distance between {one} and {other} is "
            "{first:.10g} in one place and {second:.10g} in another ({worst:.6g} apart, "
            "{allowed:.3g} would be taken for rounding).",
            name=self.name,
            one=shown(ids[i]),
            other=shown(ids[j]),
            first=first,
            second=second,
            worst=self._worst,
            allowed=allowed,
        )


class Rows(_Gathering):
    """Gather a square matrix row by row.

    Parameters
    ----------
    ids : sequence of str
        Of the columns.
    name : str
        Of the file, for sentences.
    tolerance : float or None
        Largest difference between the two values of a pair, and largest value on the diagonal,
        that counts as none; None: what rounding may leave. The value read first is kept.
    """

    def __init__(self, ids: Sequence[str], name: str, tolerance: float | None = None) -> None:
        super().__init__(name, tolerance)
        self.ids = usable_ids(ids, name)
        self.n = len(self.ids)
        refuse_unless_room(self.n)
        self._condensed = np.empty(condensed_size(self.n))
        self._in_order = 0
        self._seen: np.ndarray | None = None

    def add(self, block: np.ndarray, rows: Sequence[int]) -> None:
        """Take whole rows, (m, n), of the records ``rows``."""
        self._check_values(block, rows)
        at = 0
        if self._seen is None:
            while at < len(rows) and rows[at] == self._in_order + at:
                at += 1
            self._add_next(block[:at])
        for row, values in zip(rows[at:], block[at:]):
            self._add_anywhere(row, values)

    def finish(self, unit: str = "") -> DistanceMatrix:
        """Return the matrix; raise InputError if rows are missing or the two halves disagree."""
        count = self._in_order if self._seen is None else int(self._seen.sum())
        if count < self.n:
            missing = self._in_order if self._seen is None else int(self._seen.argmin())
            raise InputError(
                "The file {name} has columns for {records} and rows for {count:,}; the row "
                "of {id} is missing. Perhaps the file is cut off.",
                name=self.name,
                records=number_of(self.n, "record", "records"),
                count=count,
                id=shown(self.ids[missing]),
            )
        self._check_agreement(self.ids)
        return DistanceMatrix(self._condensed, self.ids, unit)

    def _check_values(self, block: np.ndarray, rows: Sequence[int]) -> None:
        if not len(rows):
            return
        lowest, highest = block.min(), block.max()
        if not (lowest >= 0 and highest < np.inf):  # NaN fails too
            row, column = np.argwhere(~((block >= 0) & (block < np.inf)))[0]
            raise InputError(
                "The file {name} has {what} in the row of {one}, column {other}.",
                name=self.name,
                what=describe(block[row, column]),
                one=shown(self.ids[rows[row]]),
                other=shown(self.ids[column]),
            )
        self._largest = max(self._largest, float(highest))

    def _add_next(self, block: np.ndarray) -> None:
        """Rows that follow those before: their part right of the diagonal is new."""
        first = self._in_order
        last = first + len(block)
        if first == last:
            return
        for row, values in enumerate(block, first):
            start = row * (2 * self.n - row - 1) // 2
            self._condensed[start : start + self.n - row - 1] = values[row + 1 :]
        expected = np.empty_like(block)
        fill_rows(self._condensed, self.n, first, last, expected)
        gap = np.abs(expected - block)
        at, column = divmod(int(gap.argmax()), self.n)
        self._disagrees(
            float(gap[at, column]), first + at, column, expected[at, column], block[at, column]
        )
        self._in_order = last

    def _add_anywhere(self, row: int, values: np.ndarray) -> None:
        """One row out of turn."""
        if self._seen is None:
            self._seen = np.arange(self.n) < self._in_order
        if self._seen[row]:
            raise InputError(
                "The file {name} has two rows for {id}.", name=self.name, id=shown(self.ids[row])
            )
        self._disagrees(float(values[row]), row, row, 0.0, float(values[row]))
        new = ~self._seen
        new[row] = False
        columns = np.flatnonzero(new)
        self._condensed[condensed_index(self.n, row, columns)] = values[columns]
        columns = np.flatnonzero(self._seen)
        if len(columns):
            before = self._condensed[condensed_index(self.n, row, columns)]
            gap = np.abs(before - values[columns])
            at = int(gap.argmax())
            self._disagrees(float(gap[at]), int(columns[at]), row, before[at], values[columns[at]])
        self._seen[row] = True


class Pairs(_Gathering):
    """Gather the long form, a pair a time; ids are numbered as they appear.

    Parameters
    ----------
    name, tolerance
        As in :class:`Rows`. Each pair may come once or twice, and records with themselves.
    most : int
        Pairs that there can be in the file.
    """

    def __init__(self, name: str, tolerance: float | None, most: int) -> None:
        super().__init__(name, tolerance)
        self.numbers: dict[str, int] = {}
        self._most = most
        # The order (1, 0), (2, 0), (2, 1), (3, 0).. does not depend on how many records there
        # will be. NaN is a pair not seen yet.
        self._below = np.empty(0)

    def number(self, name: str) -> int:
        """Return the number of the record of that id, a new one if it was not seen before."""
        return self.numbers.setdefault(name, len(self.numbers))

    def add(self, i: np.ndarray, j: np.ndarray, distances: np.ndarray, row: int) -> None:
        """Take some pairs; ``row`` is the number of the first for people."""
        valid = (distances >= 0) & (distances < np.inf)
        if not valid.all():
            at = int(valid.argmin())
            raise InputError(
                "The file {name} has {what} in row {row:,}, {pair}.",
                name=self.name,
                what=describe(distances[at]),
                row=row + at,
                pair=self._pair(i[at], j[at]),
            )
        self._make_room()
        self._largest = max(self._largest, float(distances.max(initial=0.0)))
        same = i == j
        if same.any():
            own = np.where(same, distances, 0.0)
            at = int(own.argmax())
            self._disagrees(float(own[at]), int(i[at]), int(i[at]), 0.0, float(own[at]))
            i, j, distances = i[~same], j[~same], distances[~same]
        high = np.maximum(i, j).astype(np.int64)
        index = high * (high - 1) // 2 + np.minimum(i, j)
        before = self._below[index]
        new = np.isnan(before)
        # Backwards, so that of two values in this piece the first is kept.
        self._below[index[new][::-1]] = distances[new][::-1]
        gap = np.abs(self._below[index] - distances)
        if len(gap):
            at = int(gap.argmax())
            self._disagrees(
                float(gap[at]), int(i[at]), int(j[at]), self._below[index[at]], distances[at]
            )

    def finish(self, unit: str = "", progress: Progress = silent) -> DistanceMatrix:
        """Return the matrix; raise InputError if pairs are missing or values disagree."""
        ids = usable_ids(list(self.numbers), self.name)
        n = len(ids)
        self._make_room()
        below = self._below[: condensed_size(n)]
        condensed = np.empty(condensed_size(n))
        # Those (i, j), i < j, of a block of i are a run for each j.
        for block in chunks(n - 1, 64, progress):
            for i in range(block.start, block.stop):
                start = i * (2 * n - i - 1) // 2
                j = np.arange(i + 1, min(block.stop + 1, n), dtype=np.int64)
                condensed[start : start + len(j)] = below[j * (j - 1) // 2 + i]
            j = np.arange(block.stop + 1, n, dtype=np.int64)
            runs = below[(j * (j - 1) // 2)[:, None] + np.arange(block.start, block.stop)]
            for i, values in enumerate(runs.T, block.start):
                stop = (i + 1) * (2 * n - i - 2) // 2
                condensed[stop - len(j) : stop] = values
            first = block.start * (2 * n - block.start - 1) // 2
            last = block.stop * (2 * n - block.stop - 1) // 2
            missing = np.isnan(condensed[first:last])
            if missing.any():
                self._refuse_missing(condensed, n)
        self._check_agreement(ids)
        return DistanceMatrix(condensed, ids, unit)

    def _refuse_missing(self, condensed: np.ndarray, n: int) -> None:
        missing = np.isnan(self._below[: condensed_size(n)])
        first = int(missing.argmax())
        high = (1 + isqrt(1 + 8 * first)) // 2
        raise InputError(
            "The file {name} lacks {missing:,} of the {pairs} of its {n:,} records, among "
            "them {pair}. Perhaps the file is cut off.",
            name=self.name,
            missing=int(missing.sum()),
            pairs=number_of(condensed_size(n), "pair", "pairs"),
            n=n,
            pair=self._pair(first - high * (high - 1) // 2, high),
        )

    def _pair(self, i: int, j: int) -> str:
        ids = list(self.numbers)
        return Sentence("the pair of {one} and {other}", one=shown(ids[i]), other=shown(ids[j]))

    def _make_room(self) -> None:
        n = len(self.numbers)
        needed = condensed_size(n)
        if needed <= len(self._below):
            return
        if needed > self._most:
            raise InputError(
                "The file {name} names {n:,} records, which have {needed}, more than there can be "
                "in it: each pair must be there. Perhaps the file is cut off or is no distance "
                "matrix.",
                name=self.name,
                n=n,
                needed=number_of(needed, "pair", "pairs"),
            )
        # It is put in order at the end, into another as large.
        refuse_unless_room(n, copies=2)
        # A file that is sorted names all records at once; another grows a few times.
        room = max(needed, min(2 * len(self._below), self._most))
        grown = np.full(room, np.nan)
        grown[: len(self._below)] = self._below
        self._below = grown
