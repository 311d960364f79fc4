# SPDX-License-Identifier: GPL-2.0-or-later
"""Which anonymised record was made of which original: by a key, or by ids that both have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, chunks, shares
from ..dialog import parameters
from ..i18n import tr
from ..layers import keys
from ..layers.values import text_of
from ..running import Given, Run
from .comparing import Compared
from .matching import shared_field

#: Records that are looked at without asking whether to go on.
_LOOKED_AT = 100_000


def inputs() -> list:
    """Return the parameters."""
    return [
        parameters.table(
            "KEY",
            tr("Key"),
            tr(
                "The private key table that was written with the release: released_id, "
                "original_id. A key without rows says that no record corresponds to one original."
            ),
            optional=True,
        ),
        parameters.field(
            "ANONYMIZED_ID",
            tr("Field with the released ids"),
            tr("Leave empty for released_id or, without such a field, the feature ids."),
            "ANONYMIZED",
            advanced=True,
        ),
        parameters.field(
            "ORIGINAL_ID",
            tr("Field with the original ids"),
            tr(
                "Leave empty for the field that the key names, or else the feature ids. With this "
                "and ANONYMIZED_ID but no key, equal ids are one person."
            ),
            "ORIGINAL",
            advanced=True,
        ),
    ]


def check(given: Given) -> str | None:
    """Ids of the originals lead nowhere by themselves."""
    leads = given.has("KEY") or given.has("ANONYMIZED_ID")
    if given.has("ORIGINAL_ID") and not leads:
        return tr(
            "ORIGINAL_ID is given, but nothing that leads there from the released records. Give "
            "the KEY, or with ANONYMIZED_ID the field that holds the same ids there."
        )
    return None


@dataclass(frozen=True)
class Correspondence:
    """What leads from released records to originals.

    Attributes
    ----------
    key : Key or None
    original, released : str or None
        Fields with the ids; None for feature ids, and for released ids as they were written.
    """

    key: keys.Key | None
    original: str | None
    released: str | None

    def of_originals(self) -> Iterable[str]:
        """Fields of the original that it takes."""
        return filter(None, [self.original])

    def of_released(self, source) -> Iterable[str]:
        """Fields of another table that it takes, where that has them."""
        there = self.released and source.fields().lookupField(self.released) >= 0
        return [self.released] if there else []

    def rows(self, run: Run, pair: Compared, progress: Progress) -> np.ndarray | None:
        """Row of the released record of each original, -1 for none; None where nobody knows.

        Raises
        ------
        InputError
            If ids are missing or doubled, or the key leads nowhere.
        """
        if self.key is None and (self.original is None or self.released is None):
            return None
        of_originals, of_released = shares(progress, 2)
        released = [text_of(one) for one in pair.anonymized.released_ids(self.released)]
        original_of = {one: one for one in released}
        if self.key is not None:
            if not self.key:
                run.tell(
                    tr(
                        "The key has no rows: no released record is made of one original, so who "
                        "is found again is not counted."
                    )
                )
                return None
            original_of = self.key.original
        row_of = self._row_of(pair, of_originals)
        found = np.full(len(pair.original.rows), -1, dtype=np.intp)
        for rows in chunks(len(released), _LOOKED_AT, of_released):
            for at, one in enumerate(released[rows], rows.start):
                row = row_of.get(original_of.get(one, ""))
                if row is not None:
                    found[row] = at
        if (found < 0).all():
            raise InputError(
                tr(
                    "The key does not belong to these tables: it leads from no released record to "
                    "an original one. Choose the key that was written with the release."
                )
            )
        return found

    def _row_of(self, pair: Compared, progress: Progress) -> dict[str, int]:
        """Row of each original by its id."""
        records, coded = pair.original.records, pair.original.rows
        ids = records.ids.tolist()
        if self.original is not None:
            if records.columns[self.original].missing is not None:
                raise InputError(tr("Some original records have no id. Choose another field."))
            ids = records.columns[self.original][:]
        row_of: dict[str, int] = {}
        for rows in chunks(len(coded), _LOOKED_AT, progress):
            of = enumerate(coded[rows].tolist(), rows.start)
            row_of.update((text_of(ids[row]), at) for at, row in of)
        if len(row_of) < len(coded):
            raise InputError(
                tr(
                    "The field “{field}” holds an id twice. Choose a field that names each "
                    "original record once."
                ).format(field=self.original)
            )
        return row_of


def read(run: Run, progress: Progress) -> Correspondence:
    """Read the key, and which fields have the ids.

    Raises
    ------
    InputError
        If the key names the originals by a field that they do not have.
    """
    source, original = run.source("KEY"), run.source("ORIGINAL")
    key = None if source is None else keys.read_key(source, progress, may_be_empty=True)
    chosen = run.field("ORIGINAL_ID", original)
    if not chosen and key and key.id_field:
        chosen = shared_field(key, original.fields())
        if chosen is None:
            raise InputError(
                tr(
                    "The key names the original records by the field “{field}”, which “{name}” "
                    "does not have. Choose the layer that the release was made from, or with "
                    "ORIGINAL_ID the field that holds the same ids."
                ).format(field=key.id_field, name=original.sourceName())
            )
    return Correspondence(key, chosen, run.field("ANONYMIZED_ID"))
