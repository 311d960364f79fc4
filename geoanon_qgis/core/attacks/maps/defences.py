# SPDX-License-Identifier: GPL-2.0-or-later
"""What it would take: defences for a row that comes nearest, where none holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from ...distances.setting import Setting
from ...distances.trials import Cell
from ...space.metrics import Metric

Row = TypeVar("Row", Cell, Setting)

#: Standard deviations that are tried, in distances to the nearest neighbour (their median).
_NOISE = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


def noise_to_try(points: np.ndarray, metric: Metric) -> list[float]:
    """Return standard deviations of noise that suit the points, in the metric's unit.

    They are multiples of the distance from a record to its nearest neighbour, rounded to two
    digits: with less nobody changes places with anybody, with more no neighbour is kept.

    Parameters
    ----------
    points : (n, 2) array
        Stored coordinates.
    metric : Metric
    """
    near = metric.nearest_neighbours(metric.coordinates(np.asarray(points)), 1)[1]
    apart = near[near > 0]
    typical = float(np.median(apart)) if len(apart) else 1.0
    return [float(f"{times * typical:.2g}") for times in _NOISE]


def with_defences(
    rows: Sequence[Row], grouped: Sequence[bool], released: Sequence[int | None]
) -> list[Row]:
    """Return each row with every choice of what does not change the distances' utility.

    Parameters
    ----------
    rows : sequence of Cell or of Setting
    grouped : sequence of bool
        Whether attributes are released as groups, which ISGP releases have not.
    released : sequence of int or None
        How many records are released.
    """
    return [
        replace(row, grouped=some, released=count)
        for row in rows
        for some in ((False,) if row.radius else grouped)
        for count in released
    ]
