# SPDX-License-Identifier: GPL-2.0-or-later
"""Numbers in groups: whole numbers from limits, and limits that make groups equally large."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import interruptible, silent

#: Numbers that wait to be counted, at the least.
_WAITING = 1 << 20


def binned(values: np.ndarray, edges: Sequence[float] | np.ndarray) -> np.ndarray:
    """Group numbers: code i for ``edges[i] <= value < edges[i + 1]``, the last edge included.

    Parameters
    ----------
    values : (m,) array
        NaN stays NaN: an :class:`.categories.Encoder` makes NULL of it.
    edges : sequence of float
        Ascending, two or more.

    Returns
    -------
    (m,) float array of whole numbers

    Raises
    ------
    InputError
        If the edges do not ascend, or a value lies outside.
    """
    edges = np.asarray(edges, dtype=np.float64)
    if edges.ndim != 1 or len(edges) < 2 or not (np.diff(edges) > 0).all():
        raise InputError("The limits of the groups must be two or more ascending numbers.")
    values = np.asarray(values, dtype=np.float64)
    missing = np.isnan(values)
    if ((values < edges[0]) | (values > edges[-1])).any():
        raise InputError(
            "Some values lie outside the groups, which go from {low:g} to {high:g}. Widen "
            "the limits; -Infinity and Infinity leave the first and the last group open.",
            low=edges[0],
            high=edges[-1],
        )
    group = np.minimum(np.searchsorted(edges, values, side="right") - 1, len(edges) - 2)
    return np.where(missing, np.nan, group)


class ValueCounts:
    """How often each number comes, for limits of groups: only different ones are kept."""

    def __init__(self) -> None:
        self._values, self._counts = np.empty(0), np.empty(0, dtype=np.int64)
        self._waiting: list[np.ndarray] = []
        self._rows = 0

    def add(self, values: np.ndarray, ask: Callable[[], None] | None = None) -> None:
        """Take some more numbers, (m,); NaN is passed over.

        ``ask`` is called while they are counted, which takes a second where many differ; it may
        raise.
        """
        values = np.asarray(values, dtype=np.float64)
        self._waiting.append(values[~np.isnan(values)])
        self._rows += len(self._waiting[-1])
        if self._rows >= max(_WAITING, len(self._values)):
            interruptible(self._merge, silent if ask is None else lambda _: ask())

    def edges(self, groups: int) -> np.ndarray:
        """Limits of groups that hold about equally many: quantiles, equal ones joined.

        The outer groups are open: their ends would be the least and the greatest value, which are
        those of single people, and released with the groups. Infinite values have no say in where
        the limits are.

        Raises
        ------
        InputError
            Without groups or finite values.
        """
        self._merge()
        finite = np.isfinite(self._values)
        values, last = self._values[finite], np.cumsum(self._counts[finite])
        if groups < 1 or values.size == 0:
            raise InputError(
                "Groups need at least one value, and there must be one or more groups."
            )
        place = np.linspace(0.0, 1.0, groups + 1) * (last[-1] - 1)
        low = np.floor(place)
        sides = [
            values[np.searchsorted(last, np.minimum(one, last[-1] - 1), side="right")]
            for one in (low, low + 1)
        ]
        # Between two values as NumPy's own quantiles are, to the last digit.
        edges = np.unique([np.quantile(two, at) for *two, at in zip(*sides, place - low)])
        return np.concatenate([[-np.inf], edges[1:-1], [np.inf]])

    def _merge(self) -> None:
        every = np.concatenate([self._values, *self._waiting])
        weight = np.concatenate([self._counts, np.ones(self._rows, dtype=np.int64)])
        self._values, of_value = np.unique(every, return_inverse=True)
        counts = np.bincount(of_value.reshape(-1), weights=weight, minlength=len(self._values))
        self._counts, self._waiting, self._rows = counts.astype(np.int64), [], 0
