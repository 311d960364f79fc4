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
from ..distances.setting import Grid, Setting
from ..distances.trials import Places
from ..runtime.parallel import processors
from ..runtime.progress import Progress, silent
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
    places: Places,
    grid: Grid,
    repeats: int,
    risk: EmbeddingRisk,
    limits: Limits,
    most: tuple[int, int],
    rows: Sequence[Setting] | None = None,
    noisy: bool = True,
    ask: Progress = silent,
) -> Forecast:
    """Time a few releases and one draw, and count how many there will be.

    Parameters
    ----------
    places, grid, repeats
        As for :func:`..distances.grid_search.evaluate`.
    risk : EmbeddingRisk
        Two draws of it are made, for parameters in the middle; the second counts, as kernels may
        have to be compiled for the first. One more is made of ISGP, with its middle radius.
    limits : Limits
    most : (int, int)
        Draws at most, and those by the attacks that take longer.
    rows : sequence of Setting, optional
        That are tried; those of the grid where left out.
    noisy : bool
        Whether rows with noise are tried where none holds.
    ask : Progress
        May raise to cancel.
    """
    middles = [Grid([_middle(grid.sets)], [_middle(grid.sizes)])]
    middles += [Grid((), (), radii=[_middle(grid.radii)])] if len(grid.radii) else []
    cores, first, followed = processors(), 0.0, 0.0
    for middle in middles:
        setting = middle.settings[0]
        measuring, attacking = _timed(places, middle, risk, ask)
        tried = sum(bool(one.radius) == bool(setting.radius) for one in rows or grid.settings)
        tried += _NOISY if noisy and not setting.radius else 0
        first += tried * (repeats * measuring / _TIMED + min(_SCREENING, most[0]) * attacking)
        followed = max(followed, attacking * _attacks(risk, setting, limits, most))
    # A row that is followed uses some cores only.
    one_row = followed / min(cores, AT_ONCE)
    all_minutes, row_minutes = (max(1, round(one / 60)) for one in (first / cores, one_row))
    return Forecast(all_minutes, row_minutes, min(draws_that_hold(limits) or most[0], most[0]))


def _attacks(risk: EmbeddingRisk, setting: Setting, limits: Limits, most: tuple[int, int]) -> float:
    """Attacks until a row is known to hold if nobody is found, in those that every row meets."""
    needed = draws_that_hold(limits) or most[0]
    quick, slow = (min(needed, one) for one in most)
    return quick * len(risk.draws.overlaps) + (slow * _SLOW if risk.slow_for(setting) else 0.0)


def _timed(places: Places, middle: Grid, risk: EmbeddingRisk, ask: Progress) -> tuple[float, float]:
    """Seconds of a few releases with some parameters, and of one draw."""
    setting = middle.settings[0]

    def asked(fraction: float) -> None:
        ask(0.0)

    def release() -> None:
        evaluate(places, middle, _TIMED, np.random.default_rng(0), asked, workers=1)

    def attack() -> None:
        risk.attack(setting, risk.draws.overlaps[0], 0, risk.quick_for(setting), ask=asked)

    if not setting.radius:
        attack()
    return _seconds_of_second(release), _seconds(attack)


def _middle(values: Sequence):
    return sorted(values)[len(values) // 2]


def _seconds_of_second(call) -> float:
    call()
    return _seconds(call)


def _seconds(call) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
