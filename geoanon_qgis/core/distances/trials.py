# SPDX-License-Identifier: GPL-2.0-or-later
"""Repeated releases with the same parameters, and what each of them keeps.

Repetition r of a cell of the grid has randomness of its own, derived from one secret number, d, k
and r: results do not depend on the number of threads or on the order of the work, and a cell can
be taken up again later.
"""

from __future__ import annotations

import base64
import threading
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ..runtime.errors import Cancelled, InputError
from ..runtime.kept import Kept
from ..runtime.parallel import run_blocks
from ..runtime.progress import Progress, part, silent
from ..space.areas import StudyArea
from ..space.metrics import Metric
from .comparison import between, correlation, draw_pairs, neighbours_kept, true_reach
from .isgp_matrix import isgp_distances
from .lipschitz import lipschitz_distances
from .matrix import DistanceMatrix
from .scaling import draw, procrustes
from .setting import Setting

#: Neighbours of the measure ``neighbours_kept``.
NEIGHBOURS = 10
#: Pairs measured in every embedding, and those of them followed from one to the next.
_PAIRS = 200_000
_FOLLOWED = 2_000
#: With more pairs than this the embedding itself uses all processors.
_MANY_PAIRS = 2_000_000
#: What is nearer than so much of two radii shares a label.
_BELOW = 1.0 - 1e-9


@dataclass(frozen=True, eq=False)
class Cell:
    """Measures of the releases with the same parameters: a row of the table.

    Attributes
    ----------
    sets, size : int
        The paper's d and k.
    values : dict of str to tuple of float
        One value per repetition, by name of the measure:

        ``nearest_kept``, ``neighbours_kept``
            Share of the nearest, of the ten nearest, neighbours that are kept; see
            :func:`.comparison.neighbours_kept`.
        ``spearman``
            Rank correlation of d~ and d over pairs.
        ``median_ratio``, ``sd_ratio``
            Of d~/d over pairs.
        ``bias``, ``deviation_variance``, ``utility``
            Mean and variance of d~ - d in the metric's unit, and 1 / variance: the utility of
            the papers' risk-utility maps.
        ``map_error``
            If asked for: how far the best map drawn from the release lies off, as a share of
            the records' own root mean square distance from their centre, after Procrustes.
            0 is a perfect map, 1 as good as a single point.
        ``told``, ``near_error``
            Of ISGP only: the share of the pairs that share a label, and the root mean square of
            d~ - d over these. In all other measures pairs that share none are two radii apart.
    followed : (repeats, m) array
        d~/d of the same pairs in each repetition; NaN where ISGP does not tell it.
    entropy : int
        The secret number that all randomness comes from.
    pre_noise, step, grouped, released, radius
        See :class:`.setting.Setting`.
    """

    sets: int
    size: int
    values: dict[str, tuple[float, ...]]
    followed: np.ndarray
    entropy: int
    pre_noise: float = 0.0
    step: float = 0.0
    grouped: bool = False
    released: int | None = None
    radius: float = 0.0

    @property
    def repeats(self) -> int:
        return len(self.followed)

    @property
    def setting(self) -> Setting:
        """The parameters of the row."""
        return Setting(
            self.sets,
            self.size,
            self.pre_noise,
            self.step,
            self.grouped,
            self.released,
            self.radius,
        )

    def mean(self, measure: str) -> float:
        """Mean of a measure over the repetitions in which it is defined; of ``blur``, itself.

        NaN of a measure that releases of this kind do not have.
        """
        if measure == "blur":
            return self.blur
        return mean(self.values.get(measure, ()))

    def standard_error(self, measure: str) -> float:
        """Standard error of that mean; NaN for ``blur``, which has one value only."""
        if measure == "blur":
            return float("nan")
        return standard_error(self.values.get(measure, ()))

    @property
    def blur(self) -> float:
        """How uncertain a released distance is: its coefficient of variation over embeddings.

        For each of the pairs followed the standard deviation of d~ over the embeddings,
        divided by its mean; then the median over pairs. A bias that is the same in all
        embeddings is not counted, since the attacker knows d and k, can embed as often as he
        likes, and so take it out. That makes the intervals of the linkage attack wide.
        """
        if self.repeats < 2:
            return float("nan")
        mean = self.followed.mean(axis=0)
        spread = self.followed.std(axis=0, ddof=1)
        some = mean > 0
        return float(np.median(spread[some] / mean[some])) if some.any() else float("nan")


def mean(values: ArrayLike) -> float:
    """Mean of the values that are defined; NaN if none is."""
    defined = _defined(values)
    return float(np.mean(defined)) if len(defined) else float("nan")


def standard_error(values: ArrayLike) -> float:
    """Standard error of a mean; NaN for fewer than two values that are defined."""
    defined = _defined(values)
    if len(defined) < 2:
        return float("nan")
    return float(np.std(defined, ddof=1) / np.sqrt(len(defined)))


def _defined(values: ArrayLike) -> np.ndarray:
    numbers = np.asarray(values, dtype=np.float64)
    return numbers[~np.isnan(numbers)]


@dataclass(frozen=True, eq=False)
class Places:
    """Places whose distances are to be released, and how these are measured.

    Attributes
    ----------
    points : (n, 2) array
        Stored coordinates, at least three. How many neighbours a release keeps depends on how dense
        the points are, so a sample of the data shows another picture than all.
    area : StudyArea
        Where reference points are drawn.
    metric : Metric
    onto : (n, 2) array, optional
        The points in a plane: asks for ``map_error`` of embeddings. Takes half a second per
        embedding of 500 records.
    """

    points: np.ndarray
    area: StudyArea
    metric: Metric
    onto: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Problem:
    """The data and what of their true distances is needed again and again."""

    points: np.ndarray
    own: np.ndarray
    area: StudyArea
    metric: Metric
    i: np.ndarray
    j: np.ndarray
    true: np.ndarray
    ranks: np.ndarray
    apart: np.ndarray
    followed: np.ndarray
    counts: tuple[int, int]
    reach: np.ndarray
    onto: np.ndarray | None


def problem_of(places: Places, entropy: int, progress: Progress = silent) -> Problem:
    """Prepare what all repetitions share.

    Raises
    ------
    InputError
        If there are fewer than three points, or all at one place.
    """
    points, metric = np.asarray(places.points, dtype=np.float64), places.metric
    if len(points) < 3:
        raise InputError("Comparing distances needs three points at least.")
    from scipy.stats import rankdata

    own = metric.coordinates(points)
    rng = np.random.default_rng(np.random.SeedSequence(entropy))
    i, j = draw_pairs(len(points), _PAIRS, rng)
    true = between(own, metric, i, j, progress)
    apart = np.flatnonzero(true > 0)
    if len(apart) == 0:
        raise InputError("All points lie at one place: there are no distances to release.")
    few = np.unique(np.linspace(0, len(apart) - 1, min(_FOLLOWED, len(apart))).astype(np.intp))
    counts = (1, min(NEIGHBOURS, len(points) - 1))
    return Problem(
        points,
        own,
        places.area,
        metric,
        i,
        j,
        true,
        rankdata(true),
        apart,
        apart[few],
        counts,
        true_reach(own, metric, counts[1], progress),
        places.onto,
    )


def extend(
    problem: Problem,
    cells: list[Cell],
    repeats: int,
    workers: int | None,
    progress: Progress,
    kept: Kept,
) -> list[Cell]:
    """Give every cell repetitions until it has ``repeats``; return the new cells.

    Those that are kept are not made again, and those that are made are kept.
    """
    jobs = [(cell, r) for cell in cells for r in range(cell.repeats, repeats)]
    if workers is None and len(problem.points) * (len(problem.points) - 1) // 2 > _MANY_PAIRS:
        workers = 1
    results = iter(_run(problem, jobs, workers, progress, kept))
    return [
        _extended(cell, [next(results) for _ in range(cell.repeats, repeats)]) for cell in cells
    ]


def _extended(cell: Cell, new: list[tuple[dict[str, float], np.ndarray]]) -> Cell:
    if not new:
        return cell
    values = {
        name: cell.values.get(name, ()) + tuple(float(measured[name]) for measured, _ in new)
        for name in new[0][0]
    }
    rows = [followed for _, followed in new]
    followed = np.stack([*cell.followed, *rows]) if cell.repeats else np.stack(rows)
    return replace(cell, values=values, followed=followed)


def _run(problem, jobs, workers, progress, kept: Kept) -> list:
    if workers == 1:
        return [
            _once(problem, cell, number, part(progress, at / len(jobs), (at + 1) / len(jobs)), kept)
            for at, (cell, number) in enumerate(jobs)
        ]
    stop = threading.Event()

    def asked(fraction: float) -> None:
        try:
            progress(fraction)
        except BaseException:
            stop.set()  # embeddings under way need not be waited for
            raise

    def go_on(fraction: float) -> None:
        if stop.is_set():
            raise Cancelled()

    return run_blocks(lambda job: _once(problem, job[0], job[1], go_on, kept), jobs, asked, workers)


def _once(
    problem: Problem, cell: Cell, repetition: int, progress: Progress, kept: Kept
) -> tuple[dict[str, float], np.ndarray]:
    """Measure, unless it has been done."""
    where = "-".join(map(str, (*cell.setting.of_distances, repetition)))
    name = f"embedding {where}"
    found = kept.get(name)
    if found is None:
        measured, followed = _measure(problem, cell, repetition, progress)
        raw = followed.astype("<f8").tobytes()
        kept.put(
            name,
            [
                {one: float(value) for one, value in measured.items()},
                base64.b64encode(raw).decode("ascii"),
            ],
        )
        return measured, followed
    measured, text = found
    return measured, np.frombuffer(base64.b64decode(text), dtype="<f8")


def _measure(
    problem: Problem, cell: Cell, repetition: int, progress: Progress
) -> tuple[dict[str, float], np.ndarray]:
    """Release once and measure."""
    from scipy.stats import rankdata

    seed = np.random.SeedSequence(cell.entropy, spawn_key=(*cell.setting.of_distances, repetition))
    rng = np.random.default_rng(seed)
    matrix = released(
        problem.points, problem.area, problem.metric, cell.setting, rng, part(progress, 0.0, 0.6)
    )
    kept = neighbours_kept(
        problem.own, problem.metric, matrix, problem.counts, part(progress, 0.6, 0.8), problem.reach
    )
    distance = matrix.pairs(problem.i, problem.j)
    progress(0.8)
    apart = problem.apart
    ratio = distance[apart] / problem.true[apart]
    deviation = distance - problem.true
    variance = float(deviation.var())
    measured = {
        "nearest_kept": kept[0],
        "neighbours_kept": kept[1],
        "spearman": correlation(problem.ranks, rankdata(distance)),
        "median_ratio": float(np.median(ratio)),
        "sd_ratio": float(ratio.std()),
        "bias": float(deviation.mean()),
        "deviation_variance": variance,
        "utility": 1.0 / variance if variance > 0 else float("inf"),
    }
    followed = distance[problem.followed] / problem.true[problem.followed]
    if cell.radius:
        told = distance < 2 * cell.radius * _BELOW
        measured["told"] = float(told.mean())
        near = deviation[told]
        measured["near_error"] = float(np.sqrt((near**2).mean())) if len(near) else float("nan")
        followed = np.where(told[problem.followed], followed, np.nan)
    elif problem.onto is not None:
        drawn = draw(matrix, part(progress, 0.8, 0.95)).xy
        radius = np.sqrt(problem.onto.var(axis=0).sum())
        measured["map_error"] = procrustes(drawn, problem.onto)[1] / radius
    progress(1.0)
    return measured, followed


def released(
    points: np.ndarray,
    area: StudyArea,
    metric: Metric,
    setting: Setting,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> DistanceMatrix:
    """Release the distances of some places.

    Parameters
    ----------
    points : (n, 2) array
        Stored coordinates.
    area : StudyArea
    metric : Metric
    setting : Setting
    rng : numpy.random.Generator
    progress : Progress
        May raise to cancel.
    """
    if setting.radius:
        return isgp_distances(points, metric, setting.radius, rng, progress)
    condensed = lipschitz_distances(
        points, area, metric, setting.sets, setting.size, rng, progress, setting.pre_noise
    )
    if setting.step:
        condensed = setting.step * np.floor(condensed / setting.step)
    return DistanceMatrix.numbered(condensed, metric.unit)
