# SPDX-License-Identifier: GPL-2.0-or-later
"""A table as a numeric matrix, and back.

Lasko & Vinterbo (2010), sections III and IV-A: binary variables and the dummies of categories
are -1 and +1, positive variables are taken as logarithms, and numbers are standardised. On the
way back the inverse logit of the dummies of one attribute, normalised, are probabilities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, part, silent
from ..runtime.wording import Sentence, joined, mark, number_of
from .columns import (
    BINARY,
    CATEGORICAL,
    CONTINUOUS,
    KINDS,
    ORDINAL,
    POSITIVE,
    Column,
    Guess,
    as_columns,
    guess_kind,
    refuse_empty,
    refuse_ids,
    resolution_of,
    round_to,
)
from .matrices import block_rows

#: What becomes of anonymised categories.
PROBABILITIES, MOST_PROBABLE, DRAW = CATEGORIES_AS = ("probabilities", "most_probable", "draw")
#: What becomes of missing values.
DUMMY, COMPLETE = MISSING = ("dummy", "complete")
#: Categories of one attribute: more would name each record.
_CATEGORIES = 1000
_TEXT, _NUMBERS = Sentence("text"), Sentence("numbers")
_NO_NUMBERS = mark(
    "The field {name} holds text, but it is called {kind}, which needs numbers. Call it"
    " categorical, or turn it into numbers."
)


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


@dataclass(frozen=True)
class Coding:
    """How a table becomes a matrix and a matrix a table; made by :func:`learn_coding`.

    Attributes
    ----------
    variables : tuple of Variable
    missing : str
        ``dummy`` or ``complete``.
    """

    variables: tuple[Variable, ...]
    missing: str

    @cached_property
    def blocks(self) -> list[slice]:
        """Columns of each variable."""
        return [variable.columns for variable in self.variables]

    @property
    def width(self) -> int:
        """Columns of the matrix."""
        return self.variables[-1].columns.stop

    @cached_property
    def labels(self) -> list[str]:
        """A name for each column of the matrix."""
        return [label for variable in self.variables for label in _labels(variable)]

    @cached_property
    def probability_fields(self) -> dict[str, list[str]]:
        """Fields that hold the probabilities of each categorical variable, in column order."""
        taken = {variable.name.lower() for variable in self.variables}
        fields: dict[str, list[str]] = {}
        for variable in self.variables:
            if variable.kind == CATEGORICAL:
                fields[variable.name] = [
                    _unique(f"{variable.name}_{_shown(level)}", taken) for level in variable.levels
                ]
        return fields

    def encode(
        self, table: Mapping[str, Any], progress: Progress = silent
    ) -> tuple[np.ndarray, np.ndarray]:
        """Code a table the way the first one was: the same one, a release, or a reference.

        Columns are found by name, in whatever order. A categorical variable may also come as
        the probabilities of its categories (see :attr:`probability_fields`). A category that
        the first table did not know is -1 in every dummy. Under the policy ``dummy`` a value
        that is missing where the first table had none missing makes the record drop out.

        Parameters
        ----------
        table : mapping of names to sequences of length n

        Returns
        -------
        matrix : (r, m) array
        rows : (r,) int array
            The records that are coded, those without missing values under ``complete``.

        Raises
        ------
        InputError
            If a variable is missing, or holds what its kind cannot be made of.
        """
        columns, shares = self._find(table, part(progress, 0.0, 0.3))
        progress = part(progress, 0.3, 1.0)
        length = len(next(iter(columns.values()))) if columns else len(next(iter(shares.values())))
        usable = np.ones(length, dtype=bool)
        for variable in self.variables:
            if variable.name in columns and (self.missing == COMPLETE or not variable.missing):
                usable &= columns[variable.name].present
        rows = np.flatnonzero(usable)
        if len(rows) == 0:
            raise InputError(
                "No record has a value in every field. Leave out the fields that are mostly"
                " empty, or code what is missing as dummies."
            )
        matrix = np.empty((len(rows), self.width))
        everything = len(rows) == length
        for number, variable in enumerate(self.variables):
            progress(number / len(self.variables))
            if variable.name in columns:
                column = columns[variable.name]
                column = column if everything else column.take(rows)
                _encode(variable, column, matrix[:, variable.columns])
            else:
                matrix[:, variable.columns] = logits_of(shares[variable.name][rows])
        return matrix, rows

    def _find(
        self, table: Mapping[str, Any], progress: Progress
    ) -> tuple[dict[str, Column], dict[str, np.ndarray]]:
        """The columns of the variables, and the probabilities where those were released."""
        names, as_shares, lost = [], [], []
        for variable in self.variables:
            fields = self.probability_fields.get(variable.name, [])
            if variable.name in table:
                names.append(variable.name)
            elif fields and all(field in table for field in fields):
                as_shares.append(variable.name)
            else:
                lost.append(variable.name)
        if lost:
            raise InputError(
                "The table has no field {names}. Original, anonymised and reference table "
                "need the same fields, in whatever order.",
                names=", ".join(lost),
            )
        read = as_columns(
            {
                name: table[name]
                for name in [
                    *names,
                    *(f for name in as_shares for f in self.probability_fields[name]),
                ]
            },
            progress,
        )
        shares = {}
        for name in as_shares:
            parts = [read.pop(field) for field in self.probability_fields[name]]
            if any(column.is_text or column.missing for column in parts):
                raise InputError(
                    "The probabilities of {name} must be numbers, none missing.", name=name
                )
            shares[name] = np.stack([column.values for column in parts], axis=1)
            if (shares[name] < 0).any() or not (shares[name].sum(axis=1) > 0).all():
                raise InputError(
                    "The probabilities of {name} must not be below 0, nor all 0.", name=name
                )
        return read, shares

    def decode(
        self,
        matrix: np.ndarray,
        categories_as: str = MOST_PROBABLE,
        rng: np.random.Generator | None = None,
        progress: Progress = silent,
    ) -> dict[str, np.ndarray]:
        """Make a table of a matrix.

        Numbers get the resolution that they had (whole numbers stay whole) and may lie beyond
        the range they had; positive ones stay positive; ordinal ones become the nearest value
        there was. Binary variables, and whether a number is missing, are cut at a probability
        of 0.5 (section IV-A), which is a coded value of 0.

        Parameters
        ----------
        matrix : (n, m) array
        categories_as : str
            ``probabilities``: a column of its own for each category
            (:attr:`probability_fields`); ``most_probable``; ``draw``: one at random, by the
            probabilities.
        rng : numpy.random.Generator, optional
            Needed to draw, and to decide between equally probable categories.

        Returns
        -------
        dict of names to (n,) arrays
            Whole numbers as int64 where none is missing, other numbers as floats with NaN for
            missing; text, and categories that may be missing, as objects with None.
        """
        if matrix.ndim != 2 or matrix.shape[1] != self.width:
            raise InputError("The matrix has other columns than the coding.")
        if categories_as not in CATEGORIES_AS:
            raise InputError(
                "Categories are released as one of: {categories_as}.",
                categories_as=", ".join(CATEGORIES_AS),
            )
        result: dict[str, np.ndarray] = {}
        for number, variable in enumerate(self.variables):
            progress(number / len(self.variables))
            coded = matrix[:, variable.columns]
            if variable.kind != CATEGORICAL:
                result[variable.name] = _decode_number(variable, coded)
            elif categories_as == PROBABILITIES:
                shares = probabilities(coded)
                for field, share in zip(self.probability_fields[variable.name], shares.T):
                    result[field] = share.copy()
            else:
                result[variable.name] = _decode_category(variable, coded, categories_as, rng)
        return result


def learn_coding(
    table: Mapping[str, Any],
    kinds: Mapping[str, str] | None = None,
    missing: str = DUMMY,
    progress: Progress = silent,
) -> Coding:
    """Find out how to code a table.

    Parameters
    ----------
    table : mapping of names to sequences of length n
        Numbers, truth values or text; None and NaN are missing.
    kinds : mapping of names to str, optional
        ``continuous``, ``positive``, ``ordinal``, ``binary`` or ``categorical``; guessed from
        the data for variables that it does not name.
    missing : str
        ``dummy``: a missing category is a category; a missing number is coded as the mean,
        and a dummy says that it is missing. ``complete``: records with a missing value are
        left out.

    Returns
    -------
    Coding

    Raises
    ------
    InputError
        If a kind does not fit the data, or a variable is an id.
    """
    kinds = dict(kinds or {})
    columns = as_columns(table, part(progress, 0.0, 0.3))
    progress = part(progress, 0.3, 1.0)
    unknown = [name for name in kinds if name not in columns]
    if unknown:
        raise InputError("There is no field {unknown} to give a kind.", unknown=", ".join(unknown))
    if missing not in MISSING:
        raise InputError(
            "Missing values are treated as one of: {missing}.", missing=", ".join(MISSING)
        )
    if missing == COMPLETE:
        usable = np.logical_and.reduce([column.present for column in columns.values()])
        if not usable.any():
            raise InputError(
                "No record has a value in every field. Leave out the fields that are mostly"
                " empty, or code what is missing as dummies."
            )
        if not usable.all():
            rows = np.flatnonzero(usable)
            columns = {name: column.take(rows) for name, column in columns.items()}
    variables: list[Variable] = []
    start = 0
    for number, (name, column) in enumerate(columns.items()):
        progress(number / len(columns))
        given = kinds.get(name)
        if given is not None and given not in KINDS:
            raise InputError(
                "The kind of {name} must be one of: {kinds}.", name=name, kinds=", ".join(KINDS)
            )
        refuse_ids(column, given)
        variable = _learn(column, given, start)
        variables.append(variable)
        start = variable.columns.stop
    return Coding(tuple(variables), missing)


def _learn(column: Column, given: str | None, start: int) -> Variable:
    refuse_empty(column)
    guess = Guess(given, "") if given else guess_kind(column)
    kind, why = guess.kind, guess.why
    if column.is_text and kind in (CONTINUOUS, POSITIVE, ORDINAL):
        raise InputError(_NO_NUMBERS, name=column.name, kind=kind)
    levels, count = _count(column)
    about: dict[str, Any] = {
        "is_whole": column.is_whole,
        "is_logical": column.is_logical,
        "missing": column.missing,
    }
    if kind == CATEGORICAL:
        if len(levels) > _CATEGORIES:
            raise InputError(
                "The field {name} has {levels}, more than {categories:,}. Merge them into fewer.",
                name=column.name,
                levels=number_of(len(levels), "category", "categories"),
                categories=_CATEGORIES,
            )
        names = [*levels.tolist(), *([None] if column.missing else [])]
        stop = start + len(names)
        singles = int((count == 1).sum())
        return Variable(
            column.name,
            kind,
            why,
            slice(start, stop),
            levels=tuple(names),
            singles=singles,
            **about,
        )
    stop = start + (2 if column.missing else 1)
    if kind == BINARY:
        if len(levels) > 2:
            raise InputError(
                "The field {name} has {different}; a binary one has two. Call it ordinal or "
                "categorical.",
                name=column.name,
                different=number_of(len(levels), "different value", "different values"),
            )
        mean = float(2 * count[-1] / count.sum() - 1) if len(levels) == 2 else 0.0
        return Variable(
            column.name,
            kind,
            why,
            slice(start, stop),
            centre=mean,
            levels=tuple(levels.tolist()),
            singles=int((count == 1).sum()),
            **about,
        )
    numbers = column.there
    if kind == POSITIVE:
        if not levels[0] > 0:
            raise InputError(
                "The field {name} is called positive, but holds values of zero or below "
                "that have no logarithm. Call it continuous.",
                name=column.name,
            )
        numbers = np.log(numbers)
    constant = len(levels) == 1
    return Variable(
        column.name,
        kind,
        why,
        slice(start, stop),
        centre=float(numbers[0] if constant else numbers.mean()),
        scale=0.0 if constant else float(numbers.std()),
        levels=tuple(levels.tolist()) if kind == ORDINAL else (),
        resolution=resolution_of(column.there),
        **about,
    )


def _count(column: Column) -> tuple[np.ndarray, np.ndarray]:
    """Different values in order, and how many records have each."""
    if not column.is_text:
        return np.unique(column.there, return_counts=True)
    counted = sorted(Counter(column.there).items())
    return _array_of(tuple(v for v, _ in counted)), np.array([c for _, c in counted])


def _codes(levels: tuple, column: Column) -> np.ndarray:
    """Which level each record has; -1 for one that is not among them, missing or not."""
    index = {level: at for at, level in enumerate(levels) if level is not None}
    found = map(index.get, column.values.tolist(), repeat(-1))
    codes = np.fromiter(found, dtype=np.intp, count=len(column))
    codes[~column.present] = -1
    return codes


def _encode(variable: Variable, column: Column, out: np.ndarray) -> None:
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
        out[:, 0] = np.where(present, coded, variable.centre)
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
        out[:, 0] = coded if present.all() else np.where(present, coded, 0.0)
    if variable.has_missing_dummy:
        out[:, 1] = np.where(present, -1.0, 1.0)


def _decode_number(variable: Variable, coded: np.ndarray) -> np.ndarray:
    value = coded[:, 0]
    if variable.kind == BINARY:
        upper = (
            (value > 0).astype(np.intp)
            if len(variable.levels) == 2
            else np.zeros(len(value), dtype=np.intp)
        )
        values = _array_of(variable.levels)[upper]
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


def _decode_category(
    variable: Variable, coded: np.ndarray, categories_as: str, rng: np.random.Generator | None
) -> np.ndarray:
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
    levels = _array_of(variable.levels)
    values = levels[chosen]
    if values.dtype != object and variable.is_logical:
        return values.astype(bool)
    if values.dtype != object and variable.is_whole:
        return values.astype(np.int64)
    return values


def _array_of(levels: tuple) -> np.ndarray:
    """Levels as an array: of floats where all are numbers, else of objects."""
    if all(isinstance(level, float) for level in levels):
        return np.array(levels)
    array = np.empty(len(levels), dtype=object)
    array[:] = levels
    return array


def probabilities(coded: np.ndarray) -> np.ndarray:
    """Probabilities of categories from coded dummies: inverse logits, normalised.

    Section III: (-2.5, -1.5, 0.41) gives (0.076, 0.182, 0.601), and normalised (0.088, 0.212,
    0.699); the paper, which normalises the rounded numbers, has 0.700.

    Parameters
    ----------
    coded : (n, q) array

    Returns
    -------
    (n, q) array
        Rows sum to 1.
    """
    # Below -700 all of a row might be zero, and nothing left to normalise.
    shares = 1 / (1 + np.exp(-np.clip(coded, -700.0, 700.0)))
    return shares / shares.sum(axis=1, keepdims=True)


def logits_of(shares: np.ndarray) -> np.ndarray:
    """Coded dummies from probabilities of categories; undoes :func:`probabilities`.

    The normalisation is undone by what dummies of one attribute sum to, 2 - q: one is +1 and
    the others are -1. Spectral methods and noise keep that sum.

    Parameters
    ----------
    shares : (n, q) array
        Not negative; rows need not sum to 1.

    Returns
    -------
    (n, q) array
    """
    q = shares.shape[1]
    shares = np.maximum(shares / shares.sum(axis=1, keepdims=True), 1e-12)
    if q == 1:
        return np.ones_like(shares)
    # The sum of logit(t * share) grows with t from minus to plus infinity; t < 1 / largest.
    low, high = np.full(len(shares), -60.0), np.full(len(shares), 60.0)
    largest = shares.max(axis=1)
    for _ in range(80):
        middle = (low + high) / 2
        t = _expit(middle) / largest
        total = _logit(t[:, None] * shares).sum(axis=1)
        above = total > 2 - q
        high = np.where(above, middle, high)
        low = np.where(above, low, middle)
    t = _expit((low + high) / 2) / largest
    return _logit(t[:, None] * shares)


def _expit(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def _logit(p: np.ndarray) -> np.ndarray:
    p = np.minimum(p, 1 - 1e-16)
    return np.log(p) - np.log1p(-p)


def _labels(variable: Variable) -> list[str]:
    if variable.kind == CATEGORICAL:
        return [joined([variable.name, _shown(level)], " = ") for level in variable.levels]
    name = (
        Sentence("log {name}", name=variable.name) if variable.kind == POSITIVE else variable.name
    )
    return [
        name,
        *(
            [Sentence("{name} is missing", name=variable.name)]
            if variable.has_missing_dummy
            else []
        ),
    ]


def _shown(level: object) -> str:
    if level is None:
        return Sentence("missing")
    if isinstance(level, float) and level.is_integer():
        return str(int(level))
    return str(level)


def _unique(name: str, taken: set[str]) -> str:
    """A name that is not ``taken``: most formats take job_A and job_a for one field."""
    candidate, number = name, 2
    while candidate.lower() in taken:
        candidate, number = f"{name}_{number}", number + 1
    taken.add(candidate.lower())
    return candidate
