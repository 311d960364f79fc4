# SPDX-License-Identifier: GPL-2.0-or-later
"""Attributes that would give a record away: names, ids, addresses, and places in disguise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..runtime.progress import Progress, silent
from .columns import CodedColumn, alone
from .names import reason_of_name
from .patterns import reason_of_values
from .places import Surroundings
from .reasons import MANY_UNIQUE

__all__ = ["SHARE_UNIQUE", "CodedColumn", "Finding", "alone", "reason_of_name", "screen"]

#: Share of the records with a value, whose value no other has, from which on a field is left out.
SHARE_UNIQUE = 0.1


@dataclass(frozen=True)
class Finding:
    """What was found out about a field.

    Attributes
    ----------
    name : str
    reason : str or None
        Why it looks as if it gave records away; None where it does not.
    figure : float
        With the reason: the share of unique records, of neighbours with the same value, of
        records of one value that lie together, or of the variance that neighbours explain.
    present, different, unique : int
        Records with a value, different values, and records whose value no other has.
    """

    name: str
    reason: str | None
    figure: float
    present: int
    different: int
    unique: int


def screen(
    columns: Sequence[CodedColumn],
    xy: np.ndarray,
    rows: np.ndarray | None = None,
    numbers_change: bool = False,
    progress: Progress = silent,
) -> list[Finding]:
    """Look for attributes that give records or their places away.

    Parameters
    ----------
    columns : sequence of CodedColumn
        The attributes of the same n records.
    xy : (n, 2) or (r, 2) array
        Their places, or those of ``rows``, in any system.
    rows : (r,) int array, optional
        The records that have a place.
    numbers_change : bool
        Whether numbers are released changed, so that different ones are no sign of a record.
    progress : callable

    Returns
    -------
    list of Finding
        One for each column, in order.
    """
    done = 0.0
    around = Surroundings(xy, rows, lambda fraction: progress(done))
    found = []
    for number, column in enumerate(columns):
        done = number / len(columns)
        progress(done)
        reason, figure = _reason(column, around, numbers_change) or (None, 0.0)
        found.append(
            Finding(column.name, reason, figure, column.present, column.different, column.unique)
        )
    progress(1.0)
    return found


def _reason(
    column: CodedColumn, around: Surroundings, numbers_change: bool
) -> tuple[str, float] | None:
    named = reason_of_name(column.name, column.is_text)
    if named is not None:
        return named, 0.0
    if not isinstance(column.values, np.ndarray):
        written = reason_of_values(column.values)
        if written is not None:
            return written, 0.0
    follows = around.reason(column)
    if follows is not None:
        return follows
    if column.unique > SHARE_UNIQUE * column.present and (column.is_text or not numbers_change):
        return MANY_UNIQUE, column.unique / column.present
    return None
