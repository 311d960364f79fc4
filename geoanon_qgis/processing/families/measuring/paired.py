# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads original and released points into one plane, and pairs their records."""

from __future__ import annotations

import numpy as np

from ....core.columns import column_of
from ....core.runtime.errors import InputError
from ....core.values import NULL_TEXT
from ...i18n import number_of, tr
from ...layers import keys, planes
from ...running import Run
from ..matching import GUESSED, Other, match, shared_field
from .measured import Paired


def read(run: Run) -> Paired:
    """Read both layers and pair their records.

    Raises
    ------
    InputError
        If the key or the ids do not belong to them.
    """
    sources = [run.source("ORIGINAL"), run.source("RELEASED")]
    key_source, key = run.source("KEY"), None
    if key_source is not None:
        key = keys.read_key(key_source, run.outputs.ask)
    chosen = [run.field(f"{name}_ID", one) for name, one in zip(("ORIGINAL", "RELEASED"), sources)]
    names = [[one] if one else [] for one in chosen]
    if key is not None:
        shared = shared_field(key, sources[0].fields())
        names[0] += [shared] if shared and shared not in names[0] else []
        has_id = sources[1].fields().lookupField(keys.RELEASED) >= 0
        names[1] = [keys.RELEASED] if has_id and not chosen[1] else names[1]
    original = run.points(sources[0], run.step("original"), names[0], least=3)
    released = run.points(sources[1], run.step("released"), names[1], original.crs, 3)
    plane = planes.plane_of(original.xy, original.crs)
    said, warned = [planes.describe(plane, original.crs)], []
    ids = released.columns[names[1][0]][:] if names[1] else released.ids.tolist()
    if key is not None:
        other = Other(
            sources[0],
            original.ids.tolist(),
            original.xy,
            original.crs,
            original.columns,
            chosen[0],
        )
        found = match(key, ids, other, run.context, run.step("pair"))
        row = found.rows
        said.append(found.sentence)
        warned += found.warnings
        if found.way == GUESSED:
            warned.append(
                tr(
                    "The key has no places. The figures hold for the very layer that the release "
                    "was made from, and for no other."
                )
            )
    else:
        row = _same_ids(original.columns[chosen[0]], ids, sources[0].sourceName(), chosen[0])
        said.append(
            tr("Points are paired by equal ids in “{one}” and “{other}”.").format(
                one=chosen[0], other=chosen[1]
            )
        )
    if np.count_nonzero(row >= 0) < 3:
        raise InputError(
            tr(
                "Hardly any released point has its original by this key or these ids. Choose the "
                "key that was written with this release, and the layer it was made from."
            )
        )
    scale = plane.metres_per_unit if original.crs.isValid() else 1.0
    paired = Paired(
        plane.forward(original.xy, run.outputs.ask) * scale,
        plane.forward(released.xy, run.outputs.ask) * scale,
        np.asarray(row),
        original,
        released,
        plane,
        planes.unit(original.crs),
        said,
        warned,
    )
    unknown = int(np.count_nonzero(paired.row < 0))
    if unknown:
        warned.append(
            tr(
                "{points} no original by the key or the ids: no measure of risk counts them."
            ).format(points=number_of(unknown, "released point has", "released points have"))
        )
    return paired


def _same_ids(column, ids, layer: str, name: str) -> np.ndarray:
    """Row of the original with the same id as each released point, -1 for none.

    Raises
    ------
    InputError
        If an id is not one record's.
    """
    own, theirs = column.texts(NULL_TEXT), column_of("", ids).texts(NULL_TEXT)
    rows = {one: row for row, one in enumerate(own) if one != NULL_TEXT}
    for texts, what in ((own, layer), (theirs, tr("the release"))):
        keys.refuse_repeated(texts, what, name)
    return np.array([rows.get(one, -1) for one in theirs], dtype=np.int64)
