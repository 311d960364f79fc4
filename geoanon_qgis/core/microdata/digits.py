# SPDX-License-Identifier: GPL-2.0-or-later
"""Originals and the reference with the digits that a release has, so that what is equal is seen."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, shares, silent
from .coding import Coding
from .observations import BINARY, CATEGORICAL, POSITIVE, observed, resolution_of


def as_released(
    coding: Coding,
    original: Mapping[str, np.ndarray],
    released: Mapping[str, np.ndarray],
    reference: Mapping[str, np.ndarray] | None = None,
    progress: Progress = silent,
) -> list[tuple[np.ndarray, np.ndarray | None]]:
    """Code originals, and the reference, with the digits that the release has.

    Where the release has fewer digits, the others are rounded as it may have been: to the nearest
    (halves to even digits, or up), or cut off. What is equal then was released verbatim.

    Parameters
    ----------
    coding : Coding
        Learned from the original.
    original, released, reference : mappings of names to (n,), (p,), (q,) arrays

    Returns
    -------
    list of ((n, m) array, (q, m) array or None)
        One pair for each way to round; only one where no rounding is needed.
    """
    steps = {}
    for variable in coding.variables:
        if variable.kind in (CATEGORICAL, BINARY) or variable.name not in released:
            continue
        step = _step(variable.name, released[variable.name])
        if step > 0 and step > _step(variable.name, original[variable.name]):
            steps[variable.name] = (step, variable.kind == POSITIVE)
    ways = (np.rint, lambda x: np.floor(x + 0.5), np.trunc) if steps else (None,)
    tables = []
    for at, way in enumerate(ways):
        ahead = shares(part(progress, at / len(ways), (at + 1) / len(ways)), 2)

        def coded(table: Mapping[str, np.ndarray], way=way, ahead=ahead) -> np.ndarray:
            return coding.encode({**table, **_coarser(table, steps, way)}, next(ahead))[0]

        tables.append((coded(original), None if reference is None else coded(reference)))
    return tables


def _step(name: str, values: np.ndarray) -> float:
    try:
        column = observed(name, values)
    except InputError:
        return 0.0
    return 0.0 if column.is_text else resolution_of(column.there)


def _coarser(table, steps, way) -> dict[str, np.ndarray]:
    made = {}
    for name, (step, is_positive) in steps.items():
        column = observed(name, table[name])
        # Decimals by a whole factor, so that the very digits come back.
        parts = 1 / step if step < 1 else None
        if parts is not None:
            values = way(_tidy(column.values * round(parts))) / round(parts)
        else:
            values = way(_tidy(column.values / step)) * step
        if is_positive:  # what has no logarithm is none of the release's values
            values = np.where(values > 0, values, column.values)
        made[name] = np.where(column.present, values, np.nan)
    return made


def _tidy(values: np.ndarray) -> np.ndarray:
    """Without the last bits: 0.145 · 100 is 14.499999999999998."""
    return np.round(values, 9)
