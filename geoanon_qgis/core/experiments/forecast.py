# SPDX-License-Identifier: GPL-2.0-or-later
"""How long trying parameters will take, by a few embeddings and one draw."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..attacks.maps.embedding_risk import EmbeddingRisk
from ..attacks.maps.row_risk import Limits
from ..distances.grid_search import evaluate
from ..distances.setting import Setting
from ..runtime.parallel import processors
from ..runtime.progress import Progress, silent
from ..space.areas import StudyArea
from ..space.metrics import Metric
from .advice import AT_ONCE, draws_that_hold

#: An attack by likelihood and signatures takes so much of one by the others.
_SLOW = 8.0
#: Draws that a row meets on average until it is lost, and rows with noise that are tried where none
#: holds.
_SCREENING, _NOISY = 3, 6
#: Embeddings that are timed.
_TIMED = 2


@dataclass(frozen=True)
class Forecast:
    """Minutes, 1 at least.

    Attributes
    ----------
    all_rows : int
        Until all rows have been measured and met a few attacks.
    one_row : int
        More for one that is followed until it holds.
    draws : int
        In which that is, with each overlap, if nobody is found in it.
    """

    all_rows: int
    one_row: int
    draws: int


def forecast(
    points: np.ndarray,
    area: StudyArea,
    metric: Metric,
    sets: Sequence[int],
    sizes: Sequence[int],
    repeats: int,
    risk: EmbeddingRisk,
    limits: Limits,
    most: tuple[int, int],
    rows: int | None = None,
    onto: np.ndarray | None = None,
    ask: Progress = silent,
) -> Forecast:
    """Time a few embeddings and one draw, and count how many there will be.

    Parameters
    ----------
    points, area, metric, sets, sizes, repeats, onto
        As for :func:`..distances.grid_search.evaluate`.
    risk : EmbeddingRisk
        Two draws of it are made, for parameters in the middle; the second counts, as kernels may
        have to be compiled for the first.
    limits : Limits
    most : (int, int)
        Draws at most, and those by the attacks that take longer.
    rows : int, optional
        That are tried, as many as sets and sizes have combinations where left out, and those with
        noise.
    ask : Progress
        May raise to cancel.
    """
    middle = Setting(sorted(sets)[len(sets) // 2], sorted(sizes)[len(sizes) // 2])
    overlaps = risk.draws.overlaps

    def asked(fraction: float) -> None:
        ask(0.0)

    def embed() -> None:
        rng, one = np.random.default_rng(0), ([middle.sets], [middle.size])
        evaluate(points, area, metric, *one, _TIMED, rng, asked, onto=onto, workers=1)

    def attack(number: int = 0) -> None:
        risk.attack(middle, overlaps[0], number, risk.quick, ask=asked)

    embedding, attacking = (_seconds_of_second(one) for one in (embed, attack))
    grid = len(sets) * len(sizes)
    tried = grid + _NOISY if rows is None else rows
    cores = processors()
    first = tried * repeats * embedding / _TIMED
    first += tried * min(_SCREENING, most[0]) * attacking
    needed = draws_that_hold(limits) or most[0]
    quick, slow = (min(needed, one) for one in most)
    followed = quick * len(overlaps) * attacking / min(cores, AT_ONCE) * cores
    if risk.slow:
        followed += slow * _SLOW * attacking / min(cores, AT_ONCE) * cores
    all_rows, one_row = (max(1, round(one / cores / 60)) for one in (first, followed))
    return Forecast(all_rows, one_row, quick)


def _seconds_of_second(call) -> float:
    call()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
