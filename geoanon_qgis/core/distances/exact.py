# SPDX-License-Identifier: GPL-2.0-or-later
"""True distances between all pairs, for small sets and for releases that add noise to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..runtime.progress import Progress, silent
from .matrix import condensed_size

if TYPE_CHECKING:
    from ..space.metrics import Metric

#: Distances computed between two questions whether to go on: about 50 ms of geodesics.
_AT_ONCE = 50_000


def exact_distances(points: np.ndarray, metric: Metric, progress: Progress = silent) -> np.ndarray:
    """Distances between all pairs of points.

    Parameters
    ----------
    points : (n, 2) array
        In the metric's coordinates.
    metric : Metric
    progress : callable
        Told a fraction; may raise to cancel.

    Returns
    -------
    (n (n - 1) / 2,) array
        In the metric's unit and the order of ``scipy.spatial.distance.squareform``.
    """
    count = len(points)
    condensed = np.empty(condensed_size(count))
    done = 0
    for row in range(count - 1):
        for start in range(row + 1, count, _AT_ONCE):
            others = points[start : start + _AT_ONCE]
            condensed[done : done + len(others)] = metric.rows(points[row : row + 1], others)[0]
            done += len(others)
        progress(done / len(condensed))
    return condensed
