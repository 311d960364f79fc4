# SPDX-License-Identifier: GPL-2.0-or-later
"""Links that the adversary knows already, as a table of two ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....core.attacks.linkage.known_links import refuse_too_many
from ....core.runtime.errors import InputError
from ...i18n import number_of, tr
from ...layers import keys
from ...layers.reading import read_table
from ...layers.values import text_of
from ...running import Run
from ..matching import PLACE, Match

#: Fields that are looked for where none is chosen: as a linkage attack writes them, and a key.
_RECORD, _PERSON = ("target_id", keys.RECORD), ("identification_id",)


@dataclass(frozen=True)
class KnownLinks:
    """Known links as they were given.

    Attributes
    ----------
    rows : (l, 2) int array
        Rows of a record and of a person: those that are held fixed.
    given : int
        Rows of the table.
    """

    rows: np.ndarray
    given: int

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def left_out(self) -> int:
        """Rows without an id of a record or of a person."""
        return self.given - len(self)

    def contradicted(self, found: Match | None, xy: np.ndarray) -> int:
        """How many of them are not what the key says.

        Parameters
        ----------
        found : Match or None
            Where the key leads among the known people; None without a key.
        xy : (n, 2) array
            Places of these: by place, one person is as good as another who lives there.

        Raises
        ------
        InputError
            If there are more known links than, by the key, people in both files.
        """
        if found is None or not len(self):
            return 0
        if found.named.all():
            refuse_too_many(len(self), int(np.count_nonzero(found.rows >= 0)))
        records, people = self.rows.T
        own = found.rows[records]
        right = own == people
        if found.way == PLACE:
            right |= (own >= 0) & (xy[own] == xy[people]).all(axis=1)
        return int(np.count_nonzero(found.named[records] & ~right))


def read_links(run: Run, record_ids: Sequence, person_ids: Sequence, id_field: str) -> KnownLinks:
    """Read KNOWN_LINKS.

    Parameters
    ----------
    run : Run
    record_ids, person_ids : sequences
        Of the released records and of the known people, in the order of their rows.
    id_field : str
        What names the people in their own file; empty for the feature id.

    Raises
    ------
    InputError
        If a field is not there, no row has both ids, or an id is none of these.
    """
    source = run.source("KNOWN_LINKS")
    if source is None:
        return KnownLinks(np.zeros((0, 2), dtype=np.int64), 0)
    chosen = [
        _field(run, source, "KNOWN_LINKS_RECORD", _RECORD),
        _field(run, source, "KNOWN_LINKS_PERSON", (*_PERSON, *([id_field] if id_field else []))),
    ]
    table = read_table(source, fields=list(dict.fromkeys(chosen)))
    texts = [table.columns[name].texts() for name in chosen]
    pairs = [pair for pair in zip(*texts) if None not in pair and "" not in pair]
    if not pairs:  # an attack without links would look like one with them
        raise InputError(
            tr(
                "The known links “{name}” have no row with both ids. Choose the fields with the ids, "
                "or leave the table out."
            ).format(name=source.sourceName())
        )
    rows = [
        _rows([pair[0] for pair in pairs], record_ids, tr("released record")),
        _rows([pair[1] for pair in pairs], person_ids, tr("known person with a place")),
    ]
    return KnownLinks(np.array(rows, dtype=np.int64).reshape(2, -1).T, len(table))


def _field(run: Run, source, parameter: str, usual: Sequence[str]) -> str:
    chosen = run.field(parameter, source)
    if chosen:
        return chosen
    fields = source.fields()
    # A .dbf cuts names after ten letters.
    for name in usual:
        for one in (name, name[:10]):
            at = fields.lookupField(one)
            if at >= 0:
                return fields.at(at).name()
    raise InputError(
        tr(
            "The known links “{name}” have no field {usual}. Choose the field with these ids "
            "({parameter})."
        ).format(name=source.sourceName(), usual=tr(" or ").join(usual), parameter=parameter)
    )


def _rows(names: list[str], ids: Sequence, what: str) -> list[int]:
    row = {text_of(one): at for at, one in enumerate(ids)}
    nobody = [name for name in names if name not in row]
    if nobody:
        raise InputError(
            tr(
                "{links} no {what}: the first has the id {id}. Choose the fields with the ids that "
                "TARGET_ID and IDENTIFICATION_ID have, or leave these links out."
            ).format(
                links=number_of(len(nobody), "known link names", "known links name"),
                what=what,
                id=nobody[0],
            )
        )
    return [row[name] for name in names]
