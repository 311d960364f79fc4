# SPDX-License-Identifier: GPL-2.0-or-later
"""Utility and protection of releases over a grid of parameters.

For every cell of the grid, such as a number of sets d and a size k, the data are embedded again and
again with fresh reference sets and every embedding is measured (:mod:`.trials`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.kept import Kept
from ..runtime.progress import Progress, part, silent
from .choice import preference
from .setting import Grid, Setting
from .trials import Cell, Places, extend, problem_of


@dataclass(frozen=True)
class Halving:
    """Result of :func:`successive_halving`.

    Attributes
    ----------
    cells : list of Cell
        All of the grid, in its order, each with as many repetitions as it was given.
    rounds : tuple of (int, tuple of (int, int))
        Repetitions so far, and (d, k) of those that took part, the best first; ISGP has (0, 0).
    """

    cells: list[Cell]
    rounds: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]


def evaluate(
    places: Places,
    grid: Grid,
    repeats: int,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    workers: int | None = None,
    done: Sequence[Cell] = (),
    kept: Kept | None = None,
) -> list[Cell]:
    """Measure every cell of a grid of parameters.

    Parameters
    ----------
    places : Places
    grid : Grid
    repeats : int
        Releases per cell, at least two.
    rng : numpy.random.Generator
    progress : callable
        Told a fraction; may raise to cancel.
    workers : int, optional
        Releases measured at once; makes no difference to the results.
    done : sequence of Cell, optional
        Cells of an earlier run on the same data, which are taken up where they ended.
    kept : Kept, optional
        Releases that have been measured already, and are kept for another time.

    Returns
    -------
    list of Cell
        In the order of the grid.

    Raises
    ------
    InputError
    """
    cells = _start(_settings(grid, repeats), rng, done)
    problem = problem_of(places, cells[0].entropy, lambda fraction: progress(0.0))
    return extend(problem, cells, repeats, workers, progress, kept or Kept())


def successive_halving(
    places: Places,
    grid: Grid,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    limit: float | None = None,
    first: int = 2,
    most: int = 64,
    workers: int | None = None,
    kept: Kept | None = None,
) -> Halving:
    """Find good parameters on a large grid: many cells with few repetitions, few with many.

    All cells get ``first`` embeddings; the better half of them as many again, and so on until
    one cell is left or each has ``most``. Better is what :func:`.choice.recommend` would rather take:
    cells that meet the limit before those that do not, the first by protection, the others by how
    little they miss it.

    Parameters
    ----------
    places, grid, rng, progress, workers, kept
        As for :func:`evaluate`.
    limit : float, optional
        As for :func:`.choice.recommend`.
    first, most : int
        Embeddings of a cell in the first round (two at least) and in all.

    Returns
    -------
    Halving

    References
    ----------
    Jamieson & Talwalkar (2016), Non-stochastic best arm identification and hyperparameter
    optimization, AISTATS: figure 3.
    """
    cells = _start(_settings(grid, first), rng, ())
    problem = problem_of(places, cells[0].entropy, lambda fraction: progress(0.0))
    kept = kept or Kept()
    left, repeats, rounds = list(range(len(cells))), first, []
    # Halving the cells and doubling their embeddings: every round costs about the same.
    total = min(int(np.ceil(np.log2(len(cells)))), int(np.log2(max(most / first, 1)))) + 1
    for number in range(total):
        here = part(progress, number / total, (number + 1) / total)
        more = extend(problem, [cells[at] for at in left], repeats, workers, here, kept)
        for at, cell in zip(left, more):
            cells[at] = cell
        left.sort(key=lambda at: preference(cells[at], limit))
        rounds.append((repeats, tuple((cells[at].sets, cells[at].size) for at in left)))
        left = left[: (len(left) + 1) // 2]
        repeats *= 2
    progress(1.0)
    return Halving(cells, tuple(rounds))


def _settings(grid: Grid, repeats: int) -> list[Setting]:
    settings = grid.settings
    if repeats < 2:
        raise InputError("Give two repetitions at least: one does not show how much chance does.")
    return settings


def _start(grid: list[Setting], rng: np.random.Generator, done: Sequence[Cell]) -> list[Cell]:
    """Cells without repetitions, or those done before."""
    high, low = rng.integers(2**63, size=2)
    entropy = done[0].entropy if done else (int(high) << 63) | int(low)
    known = {cell.setting: cell for cell in done}
    if any(cell.entropy != entropy for cell in done):
        raise InputError("These results are of different runs and cannot be put together.")
    return [
        known.get(at)
        or Cell(
            at.sets,
            at.size,
            {},
            np.zeros((0, 0)),
            entropy,
            at.pre_noise,
            at.step,
            at.grouped,
            at.released,
            at.radius,
        )
        for at in grid
    ]
