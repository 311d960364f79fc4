# SPDX-License-Identifier: GPL-2.0-or-later
"""Anonymised records and their key, as they are written."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...compat import make_field
from ...core.microdata.release import Anonymized
from .. import styling
from ..layers import keys
from ..layers.reading import PointTable
from ..writing import Outputs
from . import day_numbers, microdata


def write(
    outputs: Outputs,
    made: Anonymized,
    released: Mapping[str, np.ndarray],
    xy: np.ndarray | None,
    records: PointTable,
    originals: keys.Originals,
    homes: np.ndarray,
) -> None:
    """Write the release, and the key where each of its records is made of one original.

    Parameters
    ----------
    outputs : Outputs
    made : Anonymized
    released : mapping of str to array
        Its columns, without the places.
    xy : (n, 2) array or None
        The places, in the system of the originals.
    records : PointTable
        The originals.
    originals : Originals
        Their ids for the key.
    homes : (n, 2) array
        Where they live, for the key; in the same system.
    """
    ids = np.arange(1, len(made.row) + 1)
    fields, columns = [keys.RECORD], [ids]
    whole = {one.name: one.is_whole for one in made.coding.variables}
    for name, values in released.items():
        codes = values.dtype == object and microdata.is_number(records.fields, name)
        if day_numbers.is_date(records.fields, name):
            field, column = make_field(name, "date"), day_numbers.dates_of(values)
        else:
            field, column = microdata.as_field(name, values, whole.get(name, False), codes)
        fields.append(field)
        columns.append(column)
    if xy is None:
        outputs.add_table("OUTPUT", fields, columns)
    else:
        outputs.add_points("OUTPUT", xy, fields, columns, records.crs, role=styling.ANONYMIZED)
    rows = made.row if made.corresponds else made.row[:0]
    keys.add_key(
        outputs,
        keys.RECORD,
        ids[: len(rows)],
        originals.taken(rows),
        None if xy is None else homes[rows],
        records.crs,
    )
