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
#: A further neighbour, how many times as far as the nearest that one is where people live evenly, and as
#: many times as far again where the nearest is no neighbour but of the same house.
_FURTHER, _EVENLY, _HOUSE = 10, 3.5, 5.0


def noise_to_try(points: np.ndarray, metric: Metric) -> list[float]:
    """Return standard deviations of noise that suit the points, in the metric's unit.

    They are multiples of the distance from a record to its nearest neighbour, rounded to two
    digits: with less nobody changes places with anybody, with more no neighbour is kept. Where most live
    with somebody, whose place is another by a metre, the nearest would be of their own house: then it is
    told by a further neighbour.

    Parameters
    ----------
    points : (n, 2) array
        Stored coordinates.
    metric : Metric
    """
    at = metric.coordinates(np.asarray(points))
    near = metric.nearest_neighbours(at, _FURTHER)[1]
    apart, further = near[:, :1][near[:, :1] > 0], near[:, _FURTHER - 1 :]
    typical = float(np.median(apart)) if len(apart) else 1.0
    evenly = float(np.median(further)) / _EVENLY if further.size else 0.0
    typical = evenly if evenly > _HOUSE * typical else typical
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
