# SPDX-License-Identifier: GPL-2.0-or-later
"""At which candidates people live: by the key, or by places of their own."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ....core.columns import column_of
from ....core.masking.addresses import at_addresses
from ....core.runtime.errors import InputError
from ....core.space.planes import PROJECTION_ERROR_M
from ....core.values import NULL_TEXT
from ...i18n import mark
from ...layers import keys
from ...layers.transforming import transform
from ...running import Run
from ..masks.masked import Points


def homes_at(
    xy: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    points: Points,
    candidates: np.ndarray,
    run: Run,
) -> np.ndarray:
    """Return the candidate at which each place is, (n,); -1 for none."""
    xy = transform(xy, crs, points.table.crs, run.context, run.outputs.ask)
    # An exchange may have taken the nearest address for a record's own.
    within = max(float(run.number("WITHIN") or 0.0), PROJECTION_ERROR_M)
    reach = within / points.plane.metres_per_unit
    return at_addresses(points.plane.forward(xy), candidates, reach)[0]


def homes_by_key(
    key: keys.Key, ids: list, points: Points, candidates: np.ndarray, run: Run
) -> np.ndarray:
    """Return the candidate at which each released record lives, by the key's places; -1 for none.

    Raises
    ------
    InputError
        If the key names none of them.
    """
    names = column_of("", ids).texts(NULL_TEXT)
    there = [row for row, one in enumerate(names) if one in key.places]
    if not there:
        raise InputError(
            mark(
                "The key “{key}” names none of the released records with a place. Choose the key "
                "that was written with this release."
            ),
            key=key.name,
        )
    home = np.full(len(ids), -1, dtype=np.int64)
    xy = np.array([key.places[names[row]] for row in there])
    home[there] = homes_at(xy, key.crs, points, candidates, run)
    return home
