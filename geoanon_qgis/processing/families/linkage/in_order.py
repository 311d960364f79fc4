# SPDX-License-Identifier: GPL-2.0-or-later
"""A released matrix in the order of its table."""

from __future__ import annotations

from ....core.distances.matrix import DistanceMatrix
from ....core.runtime.errors import InputError
from ...i18n import mark, number_of, tr
from ...layers.values import is_null, text_of


def in_order(matrix: DistanceMatrix, ids: list, count: int) -> DistanceMatrix:
    """Return the matrix of the records of a table, in the table's order.

    Raises
    ------
    InputError
        If they are not the same records.
    """
    names = [text_of(one) for one in ids]
    if len(ids) != count or len(matrix) != count:
        raise InputError(
            tr(
                "The table has {table} and the matrix {matrix:,}. Choose the table and the matrix "
                "of one release."
            ).format(table=number_of(count, "record", "records"), matrix=len(matrix))
        )
    refuse_doubles(ids, tr("released records"))
    place = {text_of(one): row for row, one in enumerate(matrix.ids)}
    missing = [name for name in names if name not in place]
    if missing:
        records = number_of(len(missing), "record of the table is", "records of the table are")
        raise InputError(
            tr(
                "{records} not in the matrix (the first has the id {id}). Choose the field with "
                "the ids that the matrix has."
            ).format(records=records, id=missing[0])
        )
    rows = [place[name] for name in names]
    return matrix if rows == list(range(count)) else matrix.subset(rows)


def refuse_doubles(ids: list, what: str) -> None:
    """Refuse ids of which one is missing or twice."""
    seen = set()
    for one in ids:
        name = None if is_null(one) else text_of(one)
        if name is None or name in seen:
            raise InputError(
                mark("One of the {what} has no id. Choose a field that names each of them once.")
                if name is None
                else mark(
                    "The {what} hold the id {id} twice. Choose a field that names each of them once."
                ),
                what=what,
                id=name,
            )
        seen.add(name)
