# SPDX-License-Identifier: GPL-2.0-or-later
"""How to code a table, found out from its values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.wording import mark, number_of
from .coding import COMPLETE, DUMMY, MISSING, Coding, complete_rows
from .observations import (
    BINARY,
    CATEGORICAL,
    CONTINUOUS,
    KINDS,
    ORDINAL,
    POSITIVE,
    Guess,
    Observations,
    between_quartiles,
    guess_kind,
    observed,
    observed_table,
    refuse_empty,
    refuse_ids,
    resolution_of,
)
from .variables import Variable, array_of, kind_of_both

#: Categories of one attribute: more would name each record.
_CATEGORIES = 1000
#: Standard deviations beyond so many times what lies between the quartiles are made by a few huge values.
_FAR = 1e4
_NO_NUMBERS = mark(
    "The field {name} holds text, but it is called {kind}, which needs numbers. Call it"
    " categorical, or turn it into numbers."
)


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
    columns = observed_table(table, part(progress, 0.0, 0.3))
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
        rows = complete_rows(usable)
        if not usable.all():
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


def coding_of_all(
    coding: Coding,
    table: Mapping[str, Any],
    others: Iterable[Mapping[str, Any]],
    kinds: Mapping[str, str],
    asked: Iterable[str] = (),
    progress: Progress = silent,
) -> Coding:
    """Return a coding by which other tables can be coded, too.

    Parameters
    ----------
    coding : Coding
        Learnt from the table.
    table : mapping of names to sequences of length n
    others : iterable of mappings of names to sequences
    kinds : mapping of names to str
        By which it was learnt.
    asked : iterable of str
        Variables of which the user said what they are: they stay that.
    progress : callable, optional

    Returns
    -------
    Coding
        The same where all values can be coded by it.
    """
    narrow = [one for one in coding.variables if one.kind in (BINARY, POSITIVE)]
    wider = {
        one.name: kind
        for other in others
        for one in narrow
        if one.name in other and one.name not in set(asked)
        for kind in [kind_of_both(one, observed(one.name, other[one.name]))]
        if kind != one.kind
    }
    return learn_coding(table, {**kinds, **wider}, coding.missing, progress) if wider else coding


def _learn(column: Observations, given: str | None, start: int) -> Variable:
    refuse_empty(column)
    guess = Guess(given, "") if given else guess_kind(column)
    kind, why = guess.kind, guess.why
    if column.is_text and kind in (CONTINUOUS, POSITIVE, ORDINAL):
        raise InputError(_NO_NUMBERS, name=column.name, kind=kind)
    levels, count = _count(column)
    stop = start + (2 if column.missing else 1)
    about: dict[str, Any] = {}
    if kind == CATEGORICAL:
        if len(levels) > _CATEGORIES:
            raise InputError(
                "The field {name} has {levels}, more than {categories:,}. Merge them into fewer.",
                name=column.name,
                levels=number_of(len(levels), "category", "categories"),
                categories=_CATEGORIES,
            )
        names = (*levels.tolist(), *([None] if column.missing else []))
        stop = start + len(names)
        about = {"levels": names, "singles": int((count == 1).sum())}
    elif kind == BINARY:
        if len(levels) > 2:
            raise InputError(
                "The field {name} has {different}; a binary one has two. Call it ordinal or "
                "categorical.",
                name=column.name,
                different=number_of(len(levels), "different value", "different values"),
            )
        about = {
            "centre": float(2 * count[-1] / count.sum() - 1) if len(levels) == 2 else 0.0,
            "levels": tuple(levels.tolist()),
            "singles": int((count == 1).sum()),
        }
    else:
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
        about = {
            "centre": float(numbers[0] if constant else numbers.mean()),
            "scale": 0.0 if constant else _scale(numbers, levels, kind),
            "levels": tuple(levels.tolist()) if kind == ORDINAL else (),
            "resolution": resolution_of(column.there),
        }
    return Variable(
        column.name,
        kind,
        why,
        slice(start, stop),
        is_whole=column.is_whole,
        is_logical=column.is_logical,
        missing=column.missing,
        **about,
    )


def _scale(numbers: np.ndarray, levels: np.ndarray, kind: str) -> float:
    """Unit of the coded values: the standard deviation, unless a few huge values make it.

    By a standard deviation of billions of what others differ by these would all be the same, to the
    digits by which coded values are compared.

    Parameters
    ----------
    numbers : (n,) array
    levels : (q,) array
        Their different values as they are observed, in order.
    """
    spread = float(numbers.std())
    if kind == POSITIVE:  # logarithms have no such values
        return spread
    return min(spread, _FAR * between_quartiles(levels))


def _count(column: Observations) -> tuple[np.ndarray, np.ndarray]:
    """Different values in order, and how many records have each."""
    if not column.is_text:
        return np.unique(column.there, return_counts=True)
    counted = sorted(Counter(column.there).items())
    return array_of(tuple(v for v, _ in counted)), np.array([c for _, c in counted])
