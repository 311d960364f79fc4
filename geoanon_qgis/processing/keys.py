# SPDX-License-Identifier: GPL-2.0-or-later
"""Key tables: which released record is which original. Private, and written by the masks."""

from __future__ import annotations

from qgis.core import QgsProcessingFeatureSource

from ..core.errors import InputError
from ..core.progress import Progress, silent
from .i18n import tr
from .reading import read_table

#: The fields of a key table, in this order.
RELEASED, ORIGINAL = "masked_id", "original_id"


def id_text(value: object) -> str:
    """Write an id the same in every format: a shapefile hands long whole numbers back as 7.0."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


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
        max(fields.lookupField(name), fields.lookupField(name[:10]))
        for name in (RELEASED, ORIGINAL)
    ]
    if min(positions) < 0:
        raise InputError(
            tr(
                "The key “{name}” must have the fields {released} and {original}; it has {fields}. "
                "Choose the private key table that was written with the masked points."
            ).format(
                name=source.sourceName(), released=RELEASED, original=ORIGINAL,
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
                    "Choose the key that was written with these masked points."
                ).format(id=released)
            )
        key[released] = original
    return key
