# SPDX-License-Identifier: GPL-2.0-or-later
"""How long trying parameters will take, by one embedding and one draw."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from ...distances.lipschitz import lipschitz_distances
from ...distances.setting import Setting
from ...runtime.parallel import processors
from ...runtime.progress import Progress, silent
from ...space.areas import StudyArea
from ...space.metrics import Metric
from .embedding_risk import EmbeddingRisk

#: Measuring an embedding takes so much of making it; draws of a row that is ruled out, and draws
#: of rows that are followed further, with each overlap.
_MEASURED, _QUICK, _FOLLOWED = 1.5, 2, 4


def minutes_for(
    points: np.ndarray,
    area: StudyArea,
    metric: Metric,
    sets: Sequence[int],
    sizes: Sequence[int],
    repeats: int,
    risk: EmbeddingRisk,
    ask: Progress = silent,
) -> int:
    """Return about how many minutes a grid takes, 1 at least.

    Parameters
    ----------
    points, area, metric, sets, sizes, repeats
        As for :func:`...distances.grid_search.evaluate`.
    risk : EmbeddingRisk
        Whose first draw is made, for parameters in the middle.
    ask : Progress
        May raise to cancel.
    """
    middle = Setting(sorted(sets)[len(sets) // 2], sorted(sizes)[len(sizes) // 2])
    start = time.perf_counter()
    rng = np.random.default_rng(0)
    lipschitz_distances(points, area, metric, middle.sets, middle.size, rng, lambda _: ask(0.0))
    embedded = time.perf_counter()
    overlaps = risk.draws.overlaps
    risk.attack(middle, overlaps[0], 0, risk.quick, ask=lambda _: ask(0.0))
    attacked = time.perf_counter()
    rows = len(sets) * len(sizes)
    seconds = rows * repeats * (1 + _MEASURED) * (embedded - start)
    seconds += (rows * _QUICK + _FOLLOWED * len(overlaps)) * (attacked - embedded)
    return max(1, round(seconds / processors() / 60))
