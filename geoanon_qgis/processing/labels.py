# SPDX-License-Identifier: GPL-2.0-or-later
"""Quasi-identifiers of records as labels that can be compared between layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..compat import is_null
from .keys import id_text


def labels_of(
    columns: Mapping[str, Sequence], names: Sequence[str], count: int
) -> list[tuple[str, ...] | None]:
    """Return the label of each record: its quasi-identifiers as text.

    Numbers that are whole read the same whatever the format they come from (7, 7.0, "7").

    Parameters
    ----------
    columns : mapping of str to sequence of length ``count``
    names : sequence of str
        The quasi-identifiers, in order; without any, all records have the same label.
    count : int

    Returns
    -------
    list of tuple of str, or None
        None for a record that lacks one of them: it cannot be compared.
    """
    rows = zip(*(columns[name] for name in names)) if names else ((),) * count
    return [
        None if any(is_null(value) for value in row) else tuple(map(id_text, row)) for row in rows
    ]
