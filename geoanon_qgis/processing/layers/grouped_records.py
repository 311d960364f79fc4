# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables of records with coarser values: groups in the place of values, dates by month or year."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...core.aggregation.coarsening import dates_by
from ...core.columns import Column
from ...core.microdata.recoding import Recoding
from ...core.values import DATE, MOMENT
from .records import Records
from .values import label_of


class GroupedRecords(Records):
    """Records some of whose fields are coarser than they stand.

    Parameters
    ----------
    records : Records
    fields : collection of str
        Those that are made coarser, where there is anything to be made of them.
    recoding : Recoding or None
    dates : str
        ``month``, ``quarter`` or ``year``; empty for dates as they are.

    Attributes
    ----------
    changed : dict of str to (set, set)
        Of each field, its values and what became of them, as texts; of what has been read.
    dated : set of str
        Fields of dates among them that are not in the table of groups.
    """

    def __init__(
        self, records: Records, fields: Collection[str], recoding: Recoding | None, dates: str
    ):
        self._groups = {} if recoding is None else recoding.groups
        kinds = {
            name: "string" if name in fields and name in self._groups else kind
            for name, kind in records.kinds.items()
        }
        super().__init__(records.name, kinds, records.count)
        self._records, self._fields = records, frozenset(fields)
        self._recoding, self._dates = recoding, dates
        self.changed: dict[str, tuple[set, set]] = {}
        self.dated: set[str] = set()

    @property
    def warnings(self) -> tuple[str, ...]:  # type: ignore[override]
        """What is to be told of the records, some of it once they were read."""
        return self._records.warnings

    def _read(self, names: list[str]) -> Iterator[tuple[dict[str, Column], int]]:
        for batch in self._records.batches(names):
            yield (
                {
                    name: self._coarser(name, column) if name in self._fields else column
                    for name, column in batch.items()
                },
                len(next(iter(batch.values()))),
            )

    def _coarser(self, name: str, column: Column) -> Column:
        made = column
        if self._dates and column.kind in (DATE, MOMENT):
            made = dates_by(column, self._dates)
            if name not in self._groups:
                self.dated.add(name)
        if self._recoding is not None and name in self._groups:
            made = self._recoding.column(made, label_of)
        if made is not column:
            values, groups = self.changed.setdefault(name, (set(), set()))
            values.update(column.texts())
            groups.update(made.texts())
        return made
