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
from .advice import AT_ONCE, draws_that_hold, largest, most_by_slow, taking_longer

#: Seconds after which one attack of those that take longer is broken off, and how far it must have
#: come: the rest is judged by that.
_PATIENCE, _FAR_ENOUGH = 20.0, 0.2
#: Draws that a row meets on average until it is lost, and rows with noise that are tried where none
#: holds.
_SCREENING, _NOISY = 2, 6
#: Embeddings that are timed.
_TIMED = 2


@dataclass(frozen=True)
class Forecast:
    """Minutes.

    Attributes
    ----------
    all_rows : float
        Until all rows have been measured and met a few attacks.
    one_row : float
        More for one that is followed until it holds.
    draws : int
        In which that is, with each overlap, if nobody is found in it.
    most : float
        Minutes of a row that meets all draws there may be, since some are found in it.
    """

    all_rows: float
    one_row: float
    draws: int
    most: float


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
        have to be compiled for the first. One more is made of ISGP, with its middle radius. Each
        attack that takes longer is begun once, where there will be any, and broken off in time.
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
    cores, first, followed, longest = processors(), 0.0, 0.0, 0.0
    for middle in middles:
        setting = middle.settings[0]
        measuring, attacking = _timed(places, middle, risk, ask)
        tried = sum(bool(one.radius) == bool(setting.radius) for one in rows or grid.settings)
        tried += _NOISY if noisy and not setting.radius else 0
        first += tried * (repeats * measuring / _TIMED + min(_SCREENING, most[0]) * attacking)
        quick, slow = _draws(risk, limits, most)
        longer, ways = 0.0, len(largest(risk.draws.overlaps))
        if slow and risk.guessed_in(setting) <= limits.share:
            longer = ways * _slowly(risk, setting, taking_longer(risk, setting, most[1]), ask)
        followed = max(followed, quick * attacking + slow * longer)
        every = most[0] * len(risk.draws.overlaps) * attacking + most_by_slow(*most) * longer
        longest = max(longest, every)
    # A row that is followed uses some cores only.
    minute = 60.0 * min(cores, AT_ONCE)
    draws = min(draws_that_hold(limits) or most[0], most[0])
    return Forecast(first / cores / 60, followed / minute, draws, longest / minute)


def _draws(risk: EmbeddingRisk, limits: Limits, most: tuple[int, int]) -> tuple[int, int]:
    """Draws until a row is known to hold if nobody is found: by quick attacks, and by the others."""
    needed = draws_that_hold(limits)
    if needed is None or needed > most[0]:  # no row holds, and none meets the others
        return most[0] * len(risk.draws.overlaps), 0
    return needed * len(risk.draws.overlaps), min(needed, most_by_slow(*most))


class _LongEnough(Exception):
    """It has run long enough to tell how long it will take."""


def _slowly(risk: EmbeddingRisk, setting: Setting, attacks: Sequence[str], ask: Progress) -> float:
    """Seconds of one draw by attacks that take longer, by how far they come."""
    return sum(_extrapolated(risk, setting, name, ask) for name in attacks)


def _extrapolated(risk: EmbeddingRisk, setting: Setting, name: str, ask: Progress) -> float:
    start, reached = time.perf_counter(), 0.0

    def asked(fraction: float) -> None:
        nonlocal reached
        ask(0.0)
        reached = max(reached, fraction)
        if reached >= _FAR_ENOUGH and time.perf_counter() - start > _PATIENCE:
            raise _LongEnough

    try:
        risk.attack(setting, risk.draws.overlaps[0], 0, (name,), ask=asked)
        reached = 1.0
    except _LongEnough:
        pass
    return (time.perf_counter() - start) / reached


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
