# SPDX-License-Identifier: GPL-2.0-or-later
"""Key tables: which released record is which original. Private, written with every release."""

from __future__ import annotations

from qgis.core import QgsProcessingFeatureSource

from ..core.errors import InputError
from ..core.progress import Progress, silent
from .i18n import tr
from .reading import read_table
from .values import text_of

#: The fields of a key table: the released id, of masked points or of records that are released
#: with their distances, and the id of the original.
RELEASED, RECORD, ORIGINAL = "masked_id", "released_id", "original_id"


#: Write an id the same in every format: a shapefile hands long whole numbers back as 7.0.
id_text = text_of


def read_key(
    source: QgsProcessingFeatureSource, progress: Progress = silent
) -> dict[str, str]:
    """Read a key table as text: released id to original id.

    Ids are compared as text (see :func:`id_text`), since a CSV has no types.

    Raises
    ------
    InputError
        If the table lacks the fields of a key, or names a released id twice.
    """
    fields = source.fields()
    # A .dbf cuts names after ten letters.
    positions = [
        max(fields.lookupField(cut) for name in names for cut in (name, name[:10]))
        for names in ((RELEASED, RECORD), (ORIGINAL,))
    ]
    if min(positions) < 0:
        raise InputError(
            tr(
                "The key “{name}” must have the fields {released} (or {record}) and {original}; it "
                "has {fields}. Choose the private key table that was written with the release."
            ).format(
                name=source.sourceName(), released=RELEASED, record=RECORD, original=ORIGINAL,
                fields=", ".join(fields.names()) or tr("none"),
            )  # fmt: skip
        )
    table = read_table(source, progress, [fields.at(position).name() for position in positions])
    key: dict[str, str] = {}
    for ids in zip(*table.columns.values()):
        released, original = map(id_text, ids)
        if released in key:
            raise InputError(
                tr(
                    "The key names the released id {id} twice, so it belongs to no one release. "
                    "Choose the key that was written with this release."
                ).format(id=released)
            )
        key[released] = original
    return key
