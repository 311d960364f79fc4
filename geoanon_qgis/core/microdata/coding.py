# SPDX-License-Identifier: GPL-2.0-or-later
"""A table as a numeric matrix, and back.

Lasko & Vinterbo (2010), sections III and IV-A: binary variables and the dummies of categories
are -1 and +1, positive variables are taken as logarithms, and numbers are standardised. On the
way back the inverse logit of the dummies of one attribute, normalised, are probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, interruptible, part, silent
from .dummies import logits_of, probabilities
from .observations import CATEGORICAL, Observations, observed_table
from .variables import (
    CATEGORIES_AS,
    MOST_PROBABLE,
    PROBABILITIES,
    Variable,
    decode_category,
    decode_number,
    encode,
    is_missing,
    labels_of,
    shown,
)

#: What becomes of missing values.
DUMMY, COMPLETE = MISSING = ("dummy", "complete")


@dataclass(frozen=True)
class Coding:
    """How a table becomes a matrix and a matrix a table; made by :func:`.learning.learn_coding`.

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

    def starts(self, names: Sequence[str]) -> list[int]:
        """First columns of some variables."""
        return [one.columns.start for one in self.variables if one.name in names]

    @property
    def width(self) -> int:
        """Columns of the matrix."""
        return self.variables[-1].columns.stop

    @cached_property
    def labels(self) -> list[str]:
        """A name for each column of the matrix."""
        return [label for variable in self.variables for label in labels_of(variable)]

    @cached_property
    def probability_fields(self) -> dict[str, list[str]]:
        """Fields that hold the probabilities of each categorical variable, in column order."""
        taken = {variable.name.lower() for variable in self.variables}
        fields: dict[str, list[str]] = {}
        for variable in self.variables:
            if variable.kind == CATEGORICAL:
                fields[variable.name] = [
                    _unique(f"{variable.name}_{shown(level)}", taken) for level in variable.levels
                ]
        return fields

    def encode(
        self, table: Mapping[str, Any], progress: Progress = silent
    ) -> tuple[np.ndarray, np.ndarray]:
        """Code a table the way the first one was: the same one, a release, or a reference.

        Columns are found by name, in whatever order. A categorical variable may also come as
        the probabilities of its categories (see :attr:`probability_fields`). A category that
        the first table did not know is -1 in every dummy. So is, under the policy ``dummy``,
        one that is missing where the first table had none missing; a number is next to the mean
        then, where it equals nobody's. A record with a blank may be true in all else.

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
            If a variable is missing or all blank, or holds what its kind cannot be made of.
        """
        columns, shares = self._find(table, part(progress, 0.0, 0.3))
        progress = part(progress, 0.3, 1.0)
        length = len(next(iter(columns.values()))) if columns else len(next(iter(shares.values())))
        filled = [one.name for one in self.variables if not one.missing and one.name in columns]
        empty = [name for name in filled if not columns[name].present.any()]
        if empty:
            raise InputError(
                "No record of the table has a value in {names}, and what is withheld tells nothing: "
                "leave that out.",
                names=", ".join(empty),
            )
        usable = np.ones(length, dtype=bool)
        if self.missing == COMPLETE:
            for column in columns.values():
                usable &= column.present
        rows = complete_rows(usable)
        matrix = np.empty((len(rows), self.width))
        everything = len(rows) == length
        for number, variable in enumerate(self.variables):
            progress(number / len(self.variables))
            if variable.name in columns:
                column = columns[variable.name]
                column = column if everything else column.take(rows)
                out = matrix[:, variable.columns]
                interruptible(
                    partial(encode, variable, column, out),
                    progress,
                    number / len(self.variables),
                )
            else:
                matrix[:, variable.columns] = logits_of(shares[variable.name][rows])
        return matrix, rows

    def blanks(self, matrix: np.ndarray) -> int:
        """How many coded records lack a number that every record of the first table has."""
        numbers = [one for one in self.variables if one.kind != CATEGORICAL and not one.missing]
        lack = np.zeros(len(matrix), dtype=bool)
        for one in numbers:
            lack |= is_missing(one, matrix[:, one.columns])
        return int(lack.sum())

    def _find(
        self, table: Mapping[str, Any], progress: Progress
    ) -> tuple[dict[str, Observations], dict[str, np.ndarray]]:
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
        read = observed_table(
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
                result[variable.name] = decode_number(variable, coded)
            elif categories_as == PROBABILITIES:
                shares = probabilities(coded)
                for field, share in zip(self.probability_fields[variable.name], shares.T):
                    result[field] = share.copy()
            else:
                result[variable.name] = decode_category(variable, coded, categories_as, rng)
        return result


def complete_rows(usable: np.ndarray) -> np.ndarray:
    """Rows of the records that are ``usable``, (n,) bool.

    Raises
    ------
    InputError
        If none is.
    """
    rows = np.flatnonzero(usable)
    if len(rows) == 0:
        raise InputError(
            "No record has a value in every field. Leave out the fields that are mostly"
            " empty, or code what is missing as dummies."
        )
    return rows


def _unique(name: str, taken: set[str]) -> str:
    """A name that is not ``taken``: most formats take job_A and job_a for one field."""
    candidate, number = name, 2
    while candidate.lower() in taken:
        candidate, number = f"{name}_{number}", number + 1
    taken.add(candidate.lower())
    return candidate
