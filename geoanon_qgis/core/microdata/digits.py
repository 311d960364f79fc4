# SPDX-License-Identifier: GPL-2.0-or-later
"""Originals and the reference with the digits that a release has, so that what is equal is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, interruptible, part, shares, silent
from .coding import Coding
from .observations import BINARY, CATEGORICAL, POSITIVE, observed, resolution_of
from .variables import Variable, encode

#: What :meth:`.coding.Coding.encode` returns: the coded table, and its rows among all records.
Coded = tuple[np.ndarray, np.ndarray]
Pair = tuple[np.ndarray, "np.ndarray | None"]


class Pairs(Sequence):
    """Originals and reference, coded anew whenever they are asked for: only one pair is held.

    Parameters
    ----------
    made : sequence of callables that return a ((n, m) array, (q, m) array or None)
    """

    def __init__(self, made: Sequence[Callable[[], Pair]]):
        self._made = made

    def __len__(self) -> int:
        return len(self._made)

    def __getitem__(self, at: Any) -> Any:
        return self._made[at]()

    def each(self, change: Callable[[np.ndarray], np.ndarray]) -> Pairs:
        """Return the same pairs with every table changed."""
        return Pairs([partial(_changed, one, change) for one in self._made])


def in_turn(pairs: Sequence[Pair], progress: Progress = silent) -> Iterator[tuple[Pair, Progress]]:
    """Yield each pair with its share of the progress; a cancel is heard while it is coded, too."""
    for at, ahead in enumerate(shares(progress, len(pairs))):
        yield one_of(pairs, at, ahead), ahead


def one_of(pairs: Sequence[Pair], at: int, progress: Progress) -> Pair:
    """Return a pair; a cancel is heard while it is coded."""
    return interruptible(partial(pairs.__getitem__, at), progress)


def _changed(make: Callable[[], Pair], change) -> Pair:
    own, other = make()
    return change(own), None if other is None else change(other)


def as_released(
    coding: Coding,
    original: Mapping[str, np.ndarray],
    released: Mapping[str, np.ndarray],
    reference: Mapping[str, np.ndarray] | None = None,
    progress: Progress = silent,
    coded: tuple[Coded, Coded | None] | None = None,
) -> Pairs:
    """Code originals, and the reference, with the digits that the release has.

    Where the release has fewer digits, the others are rounded as it may have been: to the nearest
    (halves to even digits, or up), or cut off. What is equal then was released verbatim.

    Parameters
    ----------
    coding : Coding
        Learned from the original.
    original, released, reference : mappings of names to (n,), (p,), (q,) arrays
    coded : (Coded, Coded or None), optional
        Original and reference as :meth:`.Coding.encode` returned them, which are coded here
        otherwise. Records may have been left out of the reference since.

    Returns
    -------
    Pairs of ((n, m) array, (q, m) array or None)
        One for each way to round; only one where no rounding is needed.
    """
    steps = {}
    for number, variable in enumerate(coding.variables):
        ahead = part(progress, number / len(coding.variables) / 2, 0.5)
        if variable.kind in (CATEGORICAL, BINARY) or variable.name not in released:
            continue
        step = interruptible(partial(_step, variable.name, released[variable.name]), ahead)
        if step > 0 and step > interruptible(
            partial(_step, variable.name, original[variable.name]), ahead
        ):
            steps[variable.name] = step
    ways = (np.rint, lambda x: np.floor(x + 0.5), np.trunc) if steps else (None,)
    if coded is None:
        theirs = None if reference is None else coding.encode(reference)
        coded = coding.encode(original, part(progress, 0.5, 1.0)), theirs
    own, other = coded

    def pair(way) -> Pair:
        mine = _coarser(coding, original, *own, steps, way)
        if other is None or reference is None:
            return mine, None
        return mine, _coarser(coding, reference, *other, steps, way)

    return Pairs([partial(pair, way) for way in ways])


def _step(name: str, values: np.ndarray) -> float:
    try:
        column = observed(name, values)
    except InputError:
        return 0.0
    return 0.0 if column.is_text else resolution_of(column.there)


def _coarser(
    coding: Coding, table: Mapping[str, Any], matrix: np.ndarray, rows: np.ndarray, steps, way
) -> np.ndarray:
    """Return a coded table with some of its variables rounded."""
    if not steps:
        return matrix
    matrix = matrix.copy()
    for variable in coding.variables:
        if variable.name in steps:
            _round(variable, table[variable.name], rows, steps[variable.name], way, matrix)
    return matrix


def _round(variable: Variable, values, rows, step: float, way, matrix: np.ndarray) -> None:
    column = observed(variable.name, values).take(rows)
    # Decimals by a whole factor, so that the very digits come back.
    parts = 1 / step if step < 1 else None
    if parts is not None:
        rounded = way(_tidy(column.values * round(parts))) / round(parts)
    else:
        rounded = way(_tidy(column.values / step)) * step
    if variable.kind == POSITIVE:  # what has no logarithm is none of the release's values
        rounded = np.where(rounded > 0, rounded, column.values)
    encode(variable, replace(column, values=rounded), matrix[:, variable.columns])


def _tidy(values: np.ndarray) -> np.ndarray:
    """Without the last bits: 0.145 · 100 is 14.499999999999998."""
    return np.round(values, 9)
