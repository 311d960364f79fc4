# SPDX-License-Identifier: GPL-2.0-or-later
"""The records of a release: what is asked for, how it is read, and how it goes without places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.columns import Column
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress
from .. import styling
from ..dialog.declaration import Field, Output, release
from ..i18n import mark, tr
from ..layers import attributes, keys
from ..layers.reading import PointTable
from . import withholding

#: Names under which formats keep the number of a row.
_ROW_IDS = ("fid", "ogc_fid")


@dataclass(frozen=True)
class Asked:
    """Which attributes are asked for.

    Attributes
    ----------
    fields : list of str
        FIELDS; none for those that pass the screening.
    id_field : str or None
        ID_FIELD, which is never released.
    names : list of str
        All fields of the records.
    """

    fields: list[str]
    id_field: str | None
    names: list[str]

    @classmethod
    def of(cls, run, source) -> Asked:
        """Return what is asked for of a source."""
        asked_for, id_field = run.fields("FIELDS", source), run.field("ID_FIELD", source)
        return cls(asked_for, id_field, source.fields().names())

    def refuse_taken_name(self) -> None:
        """Refuse attributes whose name a release without places needs for its ids, or a row's."""
        named = [name for name in self.fields if name != self.id_field]
        taken = [name for name in named if name.lower() == keys.RECORD]
        if taken:
            raise InputError(
                tr(
                    "The release gives its records new ids in a field “{field}”, so the attribute "
                    "of that name cannot be released. Rename it, or leave it out of FIELDS."
                ).format(field=taken[0])
            )
        row_ids = [name for name in named if name.lower() in _ROW_IDS]
        if row_ids:
            raise InputError(
                tr(
                    "“{field}” is the number of the row in the original file: it names every "
                    "record, and a GeoPackage would put the released rows back into the original "
                    "order. Leave it out of FIELDS."
                ).format(field=row_ids[0])
            )

    def read(self, run, source, least: int = 0) -> tuple[PointTable, str]:
        """Read the records, see :func:`.withholding.read_without`."""
        wanted = [*(self.fields or self.names), *([self.id_field] if self.id_field else [])]
        return withholding.read_without(run, source, wanted, least)

    def chosen(
        self, table: PointTable, progress: Progress, exchanged: Sequence[str] = ()
    ) -> tuple[keys.Originals, attributes.Choice]:
        """Name the records, and choose the attributes that go along."""
        originals = keys.originals_of(table, self.id_field)
        choice = attributes.choose(
            table,
            self.fields,
            self.id_field,
            self.names,
            exchanged=exchanged,
            progress=progress,
        )
        return originals, choice


def output(help: str) -> Output:
    """Declare the output ``OUTPUT``: the kept attributes, without places."""
    return release(
        "OUTPUT",
        mark("Records"),
        help,
        "table",
        [Field(keys.RECORD, "long", mark("new, in random order"))],
        role=styling.RECORDS,
    )


def write(
    outputs,
    table: PointTable,
    choice: attributes.Choice,
    originals: keys.Originals,
    columns: Mapping[str, Column],
) -> None:
    """Write ``OUTPUT`` and the key, in the order of a table that is shuffled already."""
    ids = np.arange(1, len(table) + 1)
    outputs.add_table(
        "OUTPUT",
        [keys.RECORD, *(table.fields.field(name) for name in choice.kept)],
        [ids, *(columns[name] for name in choice.kept)],
    )
    keys.add_key(outputs, keys.RECORD, ids, originals, table.xy, table.crs)
