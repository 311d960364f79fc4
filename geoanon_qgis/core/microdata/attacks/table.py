# SPDX-License-Identifier: GPL-2.0-or-later
"""What the attacks work on: the tables of a release, and what its variables say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...runtime.progress import Progress, interruptible, part, silent
from ..matrices import copied
from ..nearest import Records
from ..observations import BINARY, CATEGORICAL, ORDINAL
from ..people import People, nearest_of_each, nearest_others
from ..variables import Variable, is_missing

#: People who are attacked, at most: their share is known to a hundredth then.
MOST = 10_000
#: Records that are looked up where people have several, for each of these people.
_RECORDS = 3
#: A number is known that is right to so many standard deviations; or, if more, to half the
#: distance of the values that were released, where these are no more than so many.
_NEAR, _STEPS = 0.1, 100
#: Digits of coded values that are compared.
_DIGITS = 9


@dataclass(frozen=True)
class Tables:
    """A release with what it is judged by.

    Attributes
    ----------
    original, released : (n, m), (p, m) arrays
        Coded alike.
    reference : (q, m) array or None
        People who are not in the file.
    variables : tuple of Variable
        Those that are not the same for all originals.
    digits : sequence of ((n, m) array, (q, m) array or None)
        Originals and reference with the digits that the release has, see
        :func:`..digits.as_released`.
    place : tuple of str
        Names of the coordinates; empty where places take no part.
    whose, reference_whose : People or None
        Whose record each original, and each of the reference, is; None where each is of somebody
        else.
    """

    original: np.ndarray
    released: np.ndarray
    reference: np.ndarray | None
    variables: tuple[Variable, ...]
    digits: Sequence[tuple[np.ndarray, np.ndarray | None]]
    place: tuple[str, ...] = ()
    whose: People | None = None
    reference_whose: People | None = None
    _tolerances: dict[str, float] = field(default_factory=dict)

    def tolerance(self, variable: Variable) -> float:
        """How far a guess of a variable may be off; see :func:`tolerance_of`."""
        if variable.name not in self._tolerances:
            column = answers(variable, self.released)
            self._tolerances[variable.name] = tolerance_of(variable, column)
        return self._tolerances[variable.name]

    def named(self, names: Sequence[str]) -> list[Variable]:
        """Variables by their names, in order."""
        return [one for one in self.variables if one.name in set(names)]

    def known(self, names: Sequence[str]) -> list[Variable]:
        """Variables that are known of people, in order: all where nothing is named."""
        return [one for one in self.variables if not names or one.name in names]

    def columns(self, names: Sequence[str]) -> np.ndarray:
        """Columns of some variables."""
        some = [np.arange(one.columns.start, one.columns.stop) for one in self.named(names)]
        return np.concatenate([np.zeros(0, dtype=np.intp), *some])

    @property
    def count(self) -> int:
        """How many people the originals are of."""
        return len(self.original) if self.whose is None else self.whose.count

    @property
    def records_known(self) -> int | None:
        """How many records of a person an adversary knows at most; None for all.

        Whoever has more is found by one of them more easily. So of people of the file no more are
        known than the reference has of its people.
        """
        if self.whose is None or self.reference is None:
            return None
        theirs = 1 if self.reference_whose is None else self.reference_whose.usual
        return min(theirs, self.whose.usual)

    def people(self, seed: int = 0) -> np.ndarray:
        """Originals who are attacked: all, or a sample of the people with what is known of them."""
        return _rows(self.original, self.whose, self.records_known, seed)

    def control(self, seed: int = 1) -> np.ndarray:
        """People of the reference who are attacked, or originals where there is none."""
        if self.reference is None:
            return self.people()
        return _rows(self.reference, self.reference_whose, self.records_known, seed)

    def draw(self, progress: Progress, fraction: float) -> None:
        """Draw who is attacked, once for all attacks: of people with several records of a million it takes a second."""
        interruptible(lambda: (self.people(), self.control()), progress, fraction)

    def one_each(self, rows: np.ndarray, away: np.ndarray) -> np.ndarray:
        """Which of some originals to look a person up by: that of hers which is nearest."""
        return _one_each(self.whose, rows, away)

    def one_each_of_control(self, rows: np.ndarray, away: np.ndarray) -> np.ndarray:
        """The same of people of the control."""
        whose = self.whose if self.reference is None else self.reference_whose
        return _one_each(whose, rows, away)


def sample(count: int, most: int, seed: int) -> np.ndarray:
    """Rows of a sample, in order; the same for the same table: nothing secret hangs on it."""
    if count <= most:
        return np.arange(count)
    return np.sort(np.random.default_rng(seed).choice(count, most, replace=False))


def _rows(matrix: np.ndarray, whose: People | None, known: int | None, seed: int) -> np.ndarray:
    if whose is None:
        return sample(len(matrix), MOST, seed)
    each = whose.usual if known is None else known
    most = max(1, MOST * _RECORDS // max(each, _RECORDS))
    return whose.rows(sample(whose.count, most, seed), known)


def _one_each(whose: People | None, rows: np.ndarray, away: np.ndarray) -> np.ndarray:
    if whose is None:
        return np.arange(len(rows))
    return nearest_of_each(whose.of[rows], away)


def answers(variable: Variable, matrix: np.ndarray) -> np.ndarray:
    """What coded records say of a variable, ``(n,)``.

    Numbers are coded values to nine digits, NaN where missing; categories and truth values are
    their number, -1 for one that the original does not know.
    """
    block = matrix[:, variable.columns]
    if variable.kind == CATEGORICAL:
        unknown = (block <= -1).all(axis=1)
        return np.where(unknown, -1.0, block.argmax(axis=1))
    missing = is_missing(variable, block)
    if variable.kind == BINARY:
        return np.where(missing, 2.0, (block[:, 0] > 0).astype(float))
    return np.where(missing, np.nan, np.round(block[:, 0], _DIGITS) + 0.0)


def is_number(variable: Variable) -> bool:
    """Tell whether answers are numbers that can be near each other."""
    return variable.kind not in (CATEGORICAL, BINARY)


def tolerance_of(variable: Variable, released: np.ndarray) -> float:
    """How far a guess may be off and still be right, in coded units.

    Parameters
    ----------
    variable : Variable
    released : (p,) array
        Answers of the release.
    """
    if not is_number(variable) or variable.kind == ORDINAL:
        return 1e-6
    values = np.unique(released[~np.isnan(released)])
    if not 2 <= len(values) <= _STEPS:
        return _NEAR
    return max(_NEAR, float(np.median(np.diff(values))) / 2)


def agree(guess: np.ndarray, truth: np.ndarray, tolerance: float) -> np.ndarray:
    """Tell where a guess is right, ``(n,)`` bool; missing is an answer, too."""
    with np.errstate(invalid="ignore"):
        near = np.abs(guess - truth) <= tolerance
    return near | (np.isnan(guess) & np.isnan(truth))


class Matcher:
    """Nearest records by some of the variables.

    Parameters
    ----------
    matrix : (n, m) array
    columns : (c,) int array
    whose : People, optional
        Whose record each is, where people have several.
    """

    def __init__(
        self,
        matrix: np.ndarray,
        columns: np.ndarray,
        progress: Progress = silent,
        whose: People | None = None,
    ):
        some = copied(matrix, None, columns, part(progress, 0.0, 0.1))
        self.records = Records(some, part(progress, 0.1, 1.0))
        self.columns = columns
        self.whose = whose

    @property
    def kinds(self) -> np.ndarray:
        """Which kind each record is, ``(n,)``: records that are alike in the columns."""
        return self.records.distinct.of_row

    def nearest(
        self, queries: np.ndarray, progress: Progress = silent
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the kind that is nearest to each query, and how far; queries have all columns."""
        asked = np.ascontiguousarray(queries[:, self.columns])
        rows, away = self.records.nearest(asked, 1, progress)
        return self.kinds[rows[:, 0]], away[:, 0]

    def nearest_other(
        self, own: np.ndarray, progress: Progress = silent
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the same of some of the records among those of all others; -1 for none."""
        mine = self.kinds[own]
        if self.whose is not None:
            asked = self.records.matrix[own]
            rows, away, _ = nearest_others(
                self.records, asked, self.whose.of[own], self.whose, 1, progress
            )
            return np.where(rows[:, 0] >= 0, self.kinds[rows[:, 0]], -1), away[:, 0]
        rows, away = self.records.nearest(self.records.matrix[own], 2, progress)
        near = np.where(rows >= 0, self.kinds[rows], -1)
        second = near[:, 0] == mine
        other = np.where(second, near[:, 1], near[:, 0])
        again = self.records.distinct.count[mine] > 1
        away = np.where(second & ~again, away[:, 1], away[:, 0])
        return np.where(again, mine, other), away
