# SPDX-License-Identifier: GPL-2.0-or-later
"""A symmetric matrix of distances, held once per pair.

The order is that of :func:`scipy.spatial.distance.squareform` and of R's ``dist``: row by row
above the diagonal, (0, 1), (0, 2), .., (0, n - 1), (1, 2), .. Half the memory of the square, and
symmetry and the zero diagonal cannot be violated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isqrt

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, mark, number_of

#: Numbers handled in one piece: a few milliseconds, a few megabytes.
_PIECE = 1 << 20
#: Rows filled together: the mirrored half is then read in runs of this length.
_ROWS = 128


def condensed_size(n: int) -> int:
    """Number of pairs among ``n`` records."""
    return n * (n - 1) // 2


def records_of(pairs: int) -> int | None:
    """Number of records that have ``pairs`` pairs, at least one; None if none has.

    The inverse of :func:`condensed_size`.
    """
    n = (1 + isqrt(1 + 8 * pairs)) // 2
    return n if condensed_size(n) == pairs else None


def condensed_index(n: int, i: int | np.ndarray, j: int | np.ndarray) -> np.ndarray:
    """Place of the pairs (i, j) in the condensed form of ``n`` records.

    Parameters
    ----------
    n : int
    i, j : int or int arrays that broadcast
        Record numbers from 0; which of the two is larger does not matter. Where they are equal
        there is no such place and the answer means nothing.

    Returns
    -------
    int64 array
    """
    low = np.minimum(i, j).astype(np.int64)
    high = np.maximum(i, j).astype(np.int64)
    return low * (2 * n - low - 1) // 2 + (high - low - 1)


def condensed_pair(n: int, index: int) -> tuple[int, int]:
    """Return the pair (i, j), i < j, at one place of the condensed form of ``n`` records."""
    # Counted from the end the rows are triangles: row i starts where one of side n - i ends.
    left = condensed_size(n) - 1 - index
    below = (1 + isqrt(1 + 8 * left)) // 2
    i = n - 1 - below
    return i, int(index - i * (2 * n - i - 1) // 2 + i + 1)


@dataclass(frozen=True, eq=False, repr=False)
class DistanceMatrix(Summarised):
    """Distances between ``n`` records.

    Attributes
    ----------
    condensed : (n (n - 1) / 2,) float array
        Distances of the pairs (i, j), i < j, in the order of SciPy's ``squareform``.
    ids : tuple of str
        Names of the records, in the order of rows and columns.
    unit : str
        Unit of the distances, such as ``m``; empty if it is not known.

    Raises
    ------
    InputError
        If there are not as many distances as the records have pairs. Whether the distances
        make sense is asked by :func:`check`.
    """

    condensed: np.ndarray
    ids: tuple[str, ...]
    unit: str = ""

    def __post_init__(self) -> None:
        condensed = np.ascontiguousarray(self.condensed, dtype=np.float64)
        ids = tuple(map(str, self.ids))
        if condensed.ndim != 1 or len(condensed) != condensed_size(len(ids)):
            raise InputError(
                "{records} {pairs}, which does not fit distances of shape {shape}.",
                records=number_of(len(ids), "record has", "records have"),
                pairs=number_of(condensed_size(len(ids)), "pair", "pairs"),
                shape=condensed.shape,
            )
        object.__setattr__(self, "condensed", condensed)
        object.__setattr__(self, "ids", ids)

    @classmethod
    def numbered(cls, condensed: np.ndarray, unit: str = "") -> DistanceMatrix:
        """Return the matrix of records whose ids are 1, 2, .., n."""
        n = records_of(len(condensed))
        if n is None:
            raise InputError(
                "{distances} not those of all pairs of any number of records.",
                distances=number_of(len(condensed), "distance is", "distances are"),
            )
        return cls(condensed, tuple(map(str, range(1, n + 1))), unit)

    def __len__(self) -> int:
        return len(self.ids)

    def in_words(self) -> str:
        """Say how many records it is of, and in which unit."""
        unit = f" in {self.unit}" if self.unit else ""
        return (
            f"Distances{unit} between {number_of(len(self), 'record', 'records')}"
            f" ({number_of(len(self.condensed), 'pair', 'pairs')})."
        )

    def rows(self, start: int, stop: int) -> np.ndarray:
        """Return rows ``start`` to ``stop`` (not included) of the square.

        Returns
        -------
        (stop - start, n) array
            A new one; no more than these rows is built.
        """
        n = len(self)
        out = np.empty((stop - start, n))
        for first in range(start, stop, _ROWS):
            last = min(first + _ROWS, stop)
            fill_rows(self.condensed, n, first, last, out[first - start : last - start])
        return out

    def pairs(self, i: int | np.ndarray, j: int | np.ndarray) -> np.ndarray:
        """Return the distances of the pairs (i, j), 0 where i = j.

        Parameters
        ----------
        i, j : int arrays that broadcast
            Record numbers from 0, in any order.

        Returns
        -------
        float array
            Of the shape that i and j broadcast to, usually (m,).
        """
        i, j = np.broadcast_arrays(i, j)
        if not len(self.condensed):
            return np.zeros(i.shape)
        same = i == j
        index = np.where(same, 0, condensed_index(len(self), i, j))
        return np.where(same, 0.0, self.condensed[index])

    def square(self) -> np.ndarray:
        """Return the (n, n) matrix: twice the memory and more; ask for rows where they do."""
        return self.rows(0, len(self))

    def subset(self, indices: np.ndarray) -> DistanceMatrix:
        """Return the matrix of some records, in the order given.

        Parameters
        ----------
        indices : (m,) int array
            Distinct record numbers from 0.
        """
        indices = np.asarray(indices, dtype=np.int64)
        if len(np.unique(indices)) != len(indices):
            raise InputError("A subset of a distance matrix cannot hold a record twice.")
        m = len(indices)
        condensed = np.empty(condensed_size(m))
        at = 0
        for row in range(m - 1):
            index = condensed_index(len(self), indices[row], indices[row + 1 :])
            condensed[at : at + m - row - 1] = self.condensed[index]
            at += m - row - 1
        return DistanceMatrix(condensed, tuple(self.ids[i] for i in indices), self.unit)


def fill_rows(condensed: np.ndarray, n: int, first: int, last: int, out: np.ndarray) -> None:
    """Write rows ``first`` to ``last`` of the square into ``out``, (last - first, n)."""
    if first and last > first:
        # Left of the block a column is a run of the condensed form: (j, first), (j, first + 1)..
        j = np.arange(first, dtype=np.int64)
        runs = condensed_index(n, j, first)[:, None] + np.arange(last - first)
        out[:, :first] = condensed[runs].T
    for i in range(first, last):
        row = i * (2 * n - i - 1) // 2
        out[i - first, i] = 0.0
        out[i - first, i + 1 :] = condensed[row : row + n - i - 1]
        out[i - first + 1 :, i] = out[i - first, i + 1 : last]


def check(
    matrix: DistanceMatrix, what: str = Sentence("distance matrix"), progress: Progress = silent
):
    """Make sure that a matrix holds distances: of two records or more, finite, not negative.

    Parameters
    ----------
    matrix : DistanceMatrix
    what : str
        How to call it in the sentence.
    progress : callable
        Told a fraction; may raise to cancel.

    Raises
    ------
    InputError
        A sentence that names the first pair for which it does not hold, or an id that two
        records share.
    """
    check_ids(matrix.ids, what)
    for piece in chunks(len(matrix.condensed), _PIECE, progress):
        values = matrix.condensed[piece]
        # NaN fails both comparisons.
        wrong = ~((values >= 0) & (values < np.inf))
        if wrong.any():
            at = int(wrong.argmax())
            i, j = condensed_pair(len(matrix), piece.start + at)
            raise InputError(
                "The {what} has {what_2} between the records {one} and {other}.",
                what=what,
                what_2=describe(values[at]),
                one=shown(matrix.ids[i]),
                other=shown(matrix.ids[j]),
            )


def check_ids(ids: Iterable[str], what: str = Sentence("distance matrix")) -> None:
    """Make sure that there are at least two records, each with an id of its own.

    Raises
    ------
    InputError
    """
    ids = list(ids)
    if len(ids) < 2:
        raise InputError(
            (
                mark(
                    "The {what} has one record: there are no distances in it. It takes two "
                    "records at least."
                )
                if ids
                else mark(
                    "The {what} has no records: there are no distances in it. It takes two "
                    "records at least."
                )
            ),
            what=what,
        )
    if len(set(ids)) < len(ids):
        seen: set[str] = set()
        for twice in ids:
            if twice in seen:
                break
            seen.add(twice)
        at = [number for number, name in enumerate(ids, 1) if name == twice]
        raise InputError(
            "The {what} has the id {twice} twice (records {first:,} and {second:,}): give "
            "every record an id of its own.",
            what=what,
            twice=shown(twice),
            first=at[0],
            second=at[1],
        )
    if "" in ids:
        raise InputError(
            "The {what} has no id for record {record:,}: give every record one.",
            what=what,
            record=ids.index("") + 1,
        )


def describe(value: float) -> str:
    """Say in words what is wrong with a number that is no distance."""
    if np.isnan(value):
        return Sentence("no number (NaN)")
    if np.isinf(value):
        return Sentence("an infinite distance")
    return Sentence("a negative distance ({value:.6g})", value=value)


def shown(name: str) -> str:
    """Return an id as it is quoted in a sentence; a long one shortened."""
    return f"'{name}'" if len(name) <= 40 else f"'{name[:37]}...'"
