# SPDX-License-Identifier: GPL-2.0-or-later
"""Numbers in groups: whole numbers from limits, and limits that make groups equally large."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..runtime.errors import InputError


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


def bin_edges(values: np.ndarray, groups: int) -> np.ndarray:
    """Limits of groups that hold about equally many values: quantiles, equal ones joined.

    Infinite values have no say in where the limits are; the outer groups are open where there
    are any.
    """
    values = np.asarray(values, dtype=np.float64)
    finite = values[np.isfinite(values)]
    if groups < 1 or finite.size == 0:
        raise InputError("Groups need at least one value, and there must be one or more groups.")
    edges = np.unique(np.quantile(finite, np.linspace(0.0, 1.0, groups + 1)))
    if len(edges) == 1:
        edges = np.array([edges[0], edges[0] + 1.0])
    if np.isneginf(values).any():
        edges[0] = -np.inf
    if np.isposinf(values).any():
        edges[-1] = np.inf
    return edges
