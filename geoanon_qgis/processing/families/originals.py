# SPDX-License-Identifier: GPL-2.0-or-later
"""The original of each record of a released distance matrix, which the key leads to."""

from __future__ import annotations

import numpy as np

from ...core.distances.matrix import DistanceMatrix
from ...core.runtime.errors import InputError
from ..i18n import tr
from ..layers.keys import Key
from ..layers.reading import PointTable
from ..running import Run
from .matching import GUESSED, Other, match


def originals(run: Run, matrix: DistanceMatrix, key: Key, table: PointTable) -> np.ndarray:
    """Find the originals in the layer INPUT, as scores do: by the key's field, or by place.

    Parameters
    ----------
    run : Run
        Told how they were found, and warned where that is a guess.
    matrix : DistanceMatrix
    key : Key
    table : PointTable
        What was read of INPUT.

    Returns
    -------
    (n,) int array
        The row of each record of the matrix.

    Raises
    ------
    InputError
        If the key or the layer lacks a record, or several have the same original.
    """
    source = run.source("INPUT")
    other = Other(source, table.ids.tolist(), table.xy, table.crs, table.columns)
    found = match(key, matrix.ids, other, run.context)
    if found.way != GUESSED:
        run.tell(found.sentence)
    else:
        found.warnings.append(
            tr(
                "The key has no places. The figures hold for the very layer that the release "
                "was made from, and for no other."
            )
        )
    run.warn(*found.warnings)
    return _one_for_each(matrix, found.rows)


def _one_for_each(matrix: DistanceMatrix, rows: np.ndarray) -> np.ndarray:
    """Refuse what is not the row of one original for each record of a matrix."""
    missing = np.flatnonzero(rows < 0)
    if len(missing):
        raise InputError(
            tr(
                "Records of the matrix without an original by this key and layer: {count} of {all} "
                "(the first is {id}). Choose the key that was written with this matrix, and the "
                "layer it was made from."
            ).format(count=len(missing), all=len(matrix), id=matrix.ids[missing[0]])
        )
    if len(np.unique(rows)) < len(rows):
        raise InputError(
            tr(
                "By this key, several records of the matrix have the same original. Choose the key "
                "that was written with this matrix."
            )
        )
    return rows
