# SPDX-License-Identifier: GPL-2.0-or-later
"""Global recoding: values of quasi-identifiers become groups, the same ones in every record.

Which values make a group is said by a table (field, value, group), by the data holder. A value
that the table does not have would stand out beside the groups, so that it is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..columns import Column, column_of
from ..runtime.errors import InputError
from ..runtime.wording import number_of
from ..values import text_of

#: A value as it is compared: the same whatever file it comes from.
Spelling = Callable[[object], str]


@dataclass(frozen=True)
class Recoding:
    """Groups of values, by field.

    Attributes
    ----------
    groups : mapping of str to mapping of str to str
        Of each field, the group of each value; values as text.
    """

    groups: Mapping[str, Mapping[str, str]]

    @classmethod
    def of_rows(
        cls, rows: Iterable[tuple[object, object, object]], spelled: Spelling = text_of
    ) -> Recoding:
        """Read the table of groups.

        Parameters
        ----------
        rows : iterable of (field, value, group)
        spelled : callable
            How values are written as text; records have to be spelled alike.

        Raises
        ------
        InputError
            If there is no row, one of them lacks something, or a value has two groups.
        """
        groups: dict[str, dict[str, str]] = {}
        for number, row in enumerate(rows, 1):
            field, value, group = ("" if one is None else spelled(one) for one in row)
            if not (field and value and group):
                raise InputError(
                    "Row {number} of the groups lacks a field, a value or a group.", number=number
                )
            known = groups.setdefault(field, {}).setdefault(value, group)
            if known != group:
                raise InputError(
                    "The value “{value}” of “{field}” has two groups, “{group}” and “{other}”. "
                    "Give it one.",
                    value=value,
                    field=field,
                    group=known,
                    other=group,
                )
        if not groups:
            raise InputError("The table of groups has no rows.")
        return cls(groups)

    def refuse_other_fields(self, names: Sequence[str]) -> None:
        """Refuse groups of fields that are none of these.

        Raises
        ------
        InputError
        """
        missing = [field for field in self.groups if field not in names]
        if missing:
            raise InputError(
                "The table of groups has the field “{field}”, which the records do not have.",
                field=missing[0],
            )

    def column(self, column: Column, spelled: Spelling = text_of) -> Column:
        """Return a column with groups for values; one of another field as it is.

        Missing values stay missing.

        Raises
        ------
        InputError
            If a value has no group.
        """
        groups = self.groups.get(column.name)
        if groups is None:
            return column
        values = column.objects()
        gone = np.array([one is None for one in values], dtype=bool)
        spellings = {one: spelled(one) for one in set(values[~gone].tolist())}
        self._refuse_without_group(column.name, set(spellings.values()))
        found = [None if none else groups[spellings[one]] for one, none in zip(values, gone)]
        return column_of(column.name, found)

    def labels(
        self, labels: Sequence[tuple[str, ...] | None], names: Sequence[str]
    ) -> list[tuple[str, ...] | None]:
        """Recode labels: tuples of the values of some fields, spelled, or None.

        A value that is a group already stays: an adversary's file may have been recoded before.
        One without a group stays, too: it agrees with nobody.

        Parameters
        ----------
        labels : sequence of tuple of str, or None
        names : sequence of str
            The field of each part of a label.
        """
        maps = [self.groups.get(name, {}) for name in names]
        return [
            None if one is None else tuple(of.get(part, part) for of, part in zip(maps, one))
            for one in labels
        ]

    def _refuse_without_group(self, name: str, spelled: set[str]) -> None:
        missing = sorted(spelled - set(self.groups[name]))
        if missing:
            raise InputError(
                "{values} of “{field}” without a group, such as “{value}”: beside groups they "
                "would stand out. Add rows for them.",
                values=number_of(len(missing), "value", "values"),
                field=name,
                value=missing[0],
            )
