# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables of counts as tables of records: a row that stands for several people is read so often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...core.aggregation.contained import contained
from ...core.aggregation.count_tables import refuse_a_total_among, whole_counts
from ...core.columns import Column
from ...core.runtime.errors import InputError
from ...core.values import TEXT
from ..i18n import tr
from .fieldnames import spelling
from .records import Records

#: The field whose categories are the fields with counts, where there are several.
CATEGORY = "category"
#: People in a batch, unless a single row has more.
_PEOPLE = 500_000


def counted(records: Records, fields: Sequence[str]) -> Records:
    """Return records of which each row is read as often as a field, or several, say.

    Parameters
    ----------
    records : Records
    fields : sequence of str
        Fields with whole numbers from 0; none for records as they are.

    Raises
    ------
    InputError
        If a field is not there, or is called like the categories.
    """
    if not fields:
        return records
    records.require(names := [spelling(records.kinds, name) for name in fields])
    if len(names) > 1 and CATEGORY in records.kinds:
        raise InputError(
            tr(
                "The records have a field “{name}”, as the categories of several fields with counts "
                "(COUNTS) are called. Rename it."
            ).format(name=CATEGORY)
        )
    return _Counted(records, list(dict.fromkeys(names)))


class _Counted(Records):
    """Rows repeated by their counts."""

    def __init__(self, records: Records, fields: list[str]):
        kinds = {name: kind for name, kind in records.kinds.items() if name not in fields}
        if len(fields) > 1:
            kinds[CATEGORY] = "string"
        super().__init__(records.name, kinds, records.count)
        self._records, self._fields, self.warnings = records, fields, records.warnings

    def _read(self, names: list[str]) -> Iterator[tuple[dict[str, Column], int]]:
        own = [name for name in names if name != CATEGORY or len(self._fields) == 1]
        pieces = []
        for batch in self._records.batches([*own, *self._fields]):
            counts = np.column_stack([_whole(batch[name]) for name in self._fields])
            pieces.append(counts)
            rows = len(counts)
            for at, field in enumerate(self._fields):
                for some in _portions(counts[:, at]):
                    row = np.repeat(some, counts[some, at])
                    columns = {name: batch[name].taken(row) for name in own}
                    if len(self._fields) > 1:
                        value = np.array([field], dtype=object)
                        index = np.zeros(len(row), dtype=np.intp)
                        columns[CATEGORY] = Column(CATEGORY, TEXT, value, None, index)
                    yield {name: columns[name] for name in names}, 0
            yield (
                {name: batch[name].taken(np.empty(0, dtype=np.intp)) for name in own}
                | {
                    name: Column(name, TEXT, np.empty(0, dtype=object))
                    for name in names
                    if name not in own
                },
                rows,
            )
        if pieces:
            counts = np.concatenate(pieces)
            refuse_a_total_among(counts, self._fields)
            self.warnings = (*self._records.warnings, *self._may_be_parts(counts))

    def _may_be_parts(self, counts: np.ndarray) -> list[str]:
        return [
            tr(
                "“{part}” is nowhere more than “{whole}”. If its people are counted there as well, each of "
                "them stands for two records here, and whoever subtracts the two learns how many are in one "
                "alone, which may be fewer than K. Everybody is to be counted in one field: take the people "
                "of “{part}” off “{whole}” first."
            ).format(part=self._fields[part], whole=self._fields[whole])
            for whole, part in contained(counts)
        ]


def _whole(column: Column) -> np.ndarray:
    """Counts of one field; the sentence about it says which."""
    try:
        values = column.numbers()
    except ValueError as error:
        raise InputError(
            tr("The field “{field}” holds no numbers of people.").format(field=column.name)
        ) from error
    if np.isnan(values).any():
        raise InputError(
            tr(
                "The field “{field}” is empty in some rows: how many people they stand for is not known. "
                "Fill in 0 where there are none."
            ).format(field=column.name)
        )
    return whole_counts(values)[:, 0] if len(values) else np.empty(0, dtype=np.int64)


def _portions(counts: np.ndarray) -> Iterator[np.ndarray]:
    """Rows with somebody, some hundred thousand people at a time."""
    rows = np.flatnonzero(counts)
    if len(rows):
        number = np.cumsum(counts[rows]) // _PEOPLE
        yield from np.split(rows, np.flatnonzero(np.diff(number)) + 1)
