# SPDX-License-Identifier: GPL-2.0-or-later
"""What every linkage attack is given: labels and distances that belong together, in one unit."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from ...distances.matrix import DistanceMatrix, check
from ...runtime.errors import InputError
from ...runtime.wording import Sentence, number_of
from ...space.metrics import Metric


def refuse_what_does_not_fit(
    target_labels: Sequence[Hashable],
    released: DistanceMatrix,
    identification_labels: Sequence[Hashable],
    identification_points: np.ndarray,
) -> None:
    """Refuse labels that are not as many as the records they belong to, and no distance matrix.

    Raises
    ------
    InputError
    """
    if len(target_labels) != len(released):
        raise InputError(
            "The released table has {records} and the matrix {released:,}. They have to be "
            "the same records in the same order.",
            records=number_of(len(target_labels), "record", "records"),
            released=len(released),
        )
    if len(identification_labels) != len(identification_points):
        raise InputError(
            "The identification file has {labels} and {points}.",
            labels=number_of(len(identification_labels), "label", "labels"),
            points=number_of(len(identification_points), "point", "points"),
        )
    check(released, Sentence("released matrix"))


def unit_length_of(unit: str, metric: Metric) -> float:
    """Return how long a unit of the released matrix is in the metric's; a name is all it has.

    Raises
    ------
    InputError
        If the two names do not tell.
    """
    if not unit or unit == metric.unit:
        return 1.0
    if metric.unit != "m" or unit != "km":
        raise InputError(
            "The released distances are in '{unit}' and the metric measures in '{own}'. Say "
            "how long the unit is.",
            unit=unit,
            own=metric.unit,
        )
    return 1000.0
