# SPDX-License-Identifier: GPL-2.0-or-later
"""How often the linkage attack succeeds: the papers' simulation on any points.

A target and an identification file with some records in common are drawn from the points. Then,
for every release method and share alpha of a grid, the target file is released and attacked
again and again, and precision and recall are counted.

Kroll (2014), section 5; Kroll & Schnell (2016), "A simulation to study the privacy preserving
properties of the Lipschitz embedding".
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from .areas import StudyArea
from .attacks.compatibility import REPLICATES, SIMULATED_PAIRS, true_distances
from .attacks.linkage import link, score
from .attacks.product_graph import count_vertices
from .errors import InputError
from .experiment_backends import Backend, run_tasks
from .experiment_releases import Release, Setting
from .metrics import Metric, metric_for
from .progress import Progress, silent


@dataclass(frozen=True)
class LinkageExperiment:
    """What to simulate.

    Attributes
    ----------
    points : (n, 2) array
        Stored coordinates of the population.
    labels : sequence of length n
        Quasi-identifiers; None for a record that must not be linked.
    wkt : str or None
        System of the coordinates.
    metric : str
        Name of the metric; see :func:`~geoanon_qgis.core.metrics.metric_for`.
    area : StudyArea
        Where reference points and simulated pairs lie.
    n_target, n_identification, overlap : int
        Records of the two files and of both.
    releases : tuple of Release
    alphas : tuple of float
    repeats : int
        Attacks on each release with each share.
    seed : int
        Every number drawn follows from it, from the cell and from the repetition: neither the
        order of the work nor the number of workers matters, nor which cells are done already.
    max_steps, time_limit
        Of one search; None for none.
    pairs, replicates : int
        Pairs that the adversary simulates; embeddings for intervals.

    Notes
    -----
    As in the papers, the two files are drawn once and stay the same; repetitions differ in the
    release, and one of several maximum cliques is taken at random. What the adversary simulates
    (quantiles, tolerance intervals) depends on the identification file and the parameters
    alone, so it is simulated once for each release.
    """

    points: np.ndarray
    labels: Sequence[Hashable]
    wkt: str | None
    metric: str
    area: StudyArea
    n_target: int
    n_identification: int
    overlap: int
    releases: tuple[Release, ...]
    alphas: tuple[float, ...]
    repeats: int
    seed: int
    max_steps: int | None = None
    time_limit: float | None = None
    pairs: int = SIMULATED_PAIRS
    replicates: int = REPLICATES

    def __post_init__(self) -> None:
        _check(self)

    @property
    def cells(self) -> list[tuple[str, float]]:
        """Release key and share of every cell, in the order of the grid."""
        return [(release.key, alpha) for release in self.releases for alpha in self.alphas]


@dataclass(frozen=True)
class Files:
    """A target and an identification file drawn from a population.

    Attributes
    ----------
    target, identification : int arrays
        Rows of the population.
    truth : (n_target,) int array
        Row of each target record in the identification file; -1 if it is not there.
    """

    target: np.ndarray
    identification: np.ndarray
    truth: np.ndarray


@dataclass(frozen=True)
class CellResult:
    """What came of the attacks with one release method and one share.

    Attributes
    ----------
    release : Release
    alpha : float
    precision, recall, clique, edges : (repeats,) arrays
    proven : (repeats,) bool array
        Whether the clique is proven to be a largest one.
    vertices : int
        Of the product graph, the same in every repetition.
    deviation_variance : float
        Variance of true minus released distance over the target's pairs, mean of the
        repetitions. Its reciprocal is the papers' utility (Kroll 2014, figure 8).
    nearest_kept : float
        Share of records whose nearest neighbour in the release is truly nearest.
    coverage : float or None
        Share of true pairs that the intervals hold, where it was simulated.
    seconds : float
        Of the attacks; the intervals are not counted.
    """

    release: Release
    alpha: float
    precision: np.ndarray
    recall: np.ndarray
    clique: np.ndarray
    edges: np.ndarray
    proven: np.ndarray
    vertices: int
    deviation_variance: float
    nearest_kept: float
    coverage: float | None
    seconds: float

    @property
    def key(self) -> tuple[str, float]:
        """What to keep so that a resumed experiment passes over this cell."""
        return self.release.key, self.alpha

    def row(self) -> dict[str, object]:
        """Return the cell as one row of a table: means, and standard errors of the means."""
        return {
            "method": self.release.method,
            "release": self.release.key,
            **self.release.parameters(),
            "alpha": self.alpha,
            "repeats": len(self.precision),
            "precision": float(np.mean(self.precision)),
            "precision_se": standard_error(self.precision),
            "recall": float(np.mean(self.recall)),
            "recall_se": standard_error(self.recall),
            "clique": float(np.mean(self.clique)),
            "proven": float(np.mean(self.proven)),
            "vertices": self.vertices,
            "edges": float(np.mean(self.edges)),
            "utility": 1.0 / self.deviation_variance if self.deviation_variance else np.inf,
            "nearest_kept": self.nearest_kept,
            "coverage": self.coverage,
            "seconds": self.seconds,
        }


def run(
    experiment: LinkageExperiment,
    done: Collection[tuple[str, float]] = (),
    backend: Backend = Backend(),
    progress: Progress = silent,
) -> Iterator[CellResult]:
    """Run all cells, or those that are not done; yield each as soon as it is.

    Parameters
    ----------
    experiment : LinkageExperiment
    done : collection of (str, float)
        Keys of cells to pass over: :attr:`CellResult.key` of earlier results with the same
        seed, files and settings.
    backend : Backend
        Where the work is done.
    progress : Progress
        Called in the caller's thread while it waits for the next cell.

    Yields
    ------
    CellResult
        In the order in which they are finished.
    """
    done = {(key, float(alpha)) for key, alpha in done}
    tasks: list[tuple[LinkageExperiment, Release, tuple[float, ...]]] = []
    for release in experiment.releases:
        left = tuple(a for a in experiment.alphas if (release.key, float(a)) not in done)
        groups = [left] if release.costly else [(alpha,) for alpha in left]
        tasks += [(experiment, release, group) for group in groups if group]
    for cells in run_tasks(run_cells, tasks, backend, progress):
        yield from cells


def run_cells(
    experiment: LinkageExperiment,
    release: Release,
    alphas: tuple[float, ...],
    progress: Progress = silent,
) -> list[CellResult]:
    """Run the cells of one release method; the adversary's simulation serves them all."""
    files = draw_files(experiment)
    setting = Setting(
        _metric(experiment.metric, experiment.wkt), experiment.area, experiment.wkt,
        experiment.pairs, experiment.replicates,
    )  # fmt: skip
    points = np.asarray(experiment.points, dtype=np.float64)
    known = points[files.identification]
    # Intervals count as one attack in the progress, costly ones as half of the work.
    attacks = len(alphas) * experiment.repeats
    ahead = 0.5 if release.costly else 1.0 / (1 + attacks)
    intervals = release.intervals(
        known, alphas, setting, _rng(experiment.seed, f"intervals {release.key}"),
        lambda fraction: progress(ahead * fraction),
    )  # fmt: skip
    true = true_distances(points[files.target], setting.metric)
    results = []
    for index, alpha in enumerate(alphas):
        start = ahead + (1 - ahead) * index / len(alphas)
        share = (1 - ahead) / len(alphas)
        results.append(
            _attacks(
                experiment, release, alpha, files, setting, intervals[index], true,
                lambda fraction, start=start, share=share: progress(start + share * fraction),
            )
        )  # fmt: skip
    return results


def draw_files(experiment: LinkageExperiment) -> Files:
    """Draw the two files, each in an order of its own."""
    rng = _rng(experiment.seed, "files")
    n_target, overlap = experiment.n_target, experiment.overlap
    distinct = n_target + experiment.n_identification - overlap
    drawn = rng.choice(len(experiment.points), distinct, replace=False)
    target = rng.permutation(drawn[:n_target])
    identification = rng.permutation(drawn[n_target - overlap :])
    place = np.full(len(experiment.points), -1)
    place[identification] = np.arange(len(identification))
    return Files(target, identification, place[target])


def count_candidates(experiment: LinkageExperiment) -> int:
    """Count the pairs of records of the two files that agree in their labels."""
    files, labels = draw_files(experiment), experiment.labels
    return count_vertices(
        [labels[row] for row in files.target], [labels[row] for row in files.identification]
    )


def standard_error(values: np.ndarray) -> float:
    """Standard error of a mean; NaN for fewer than two values."""
    if len(values) < 2:
        return float("nan")
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def _attacks(
    experiment, release, alpha, files, setting, intervals, true, progress: Progress
) -> CellResult:
    intervals = replace(intervals, inner=None)  # nobody asks how well single matches stand
    labels = list(experiment.labels)
    target_labels = [labels[row] for row in files.target]
    known_labels = [labels[row] for row in files.identification]
    secret = np.asarray(experiment.points, dtype=np.float64)[files.target]
    count = experiment.repeats
    measured = {name: np.zeros(count) for name in ("precision", "recall", "deviation", "kept")}
    clique, edges = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    proven = np.zeros(count, dtype=bool)
    started = time.perf_counter()
    vertices = 0
    for number in range(count):
        rng = _rng(experiment.seed, f"attack {release.key} {alpha!r}", number)

        def step(fraction: float, number: int = number) -> None:
            progress((number + fraction) / count)

        released = release.release(secret, setting, rng, lambda f, s=step: s(f / 4))
        result = link(
            target_labels, released, known_labels, intervals, max_steps=experiment.max_steps,
            time_limit=experiment.time_limit, random_tie=True, keep_on_cancel=False, rng=rng,
            progress=lambda f, s=step: s((1 + 3 * f) / 4),
        )  # fmt: skip
        scored = score(result, files.truth)
        measured["precision"][number] = scored.precision
        measured["recall"][number] = scored.recall
        measured["deviation"][number] = _deviation_variance(true, released)
        measured["kept"][number] = _nearest_kept(true, released, setting.metric.slack)
        clique[number], edges[number] = result.clique, result.edges
        proven[number], vertices = result.proven, result.vertices
        step(1.0)
    return CellResult(
        release, float(alpha), measured["precision"], measured["recall"], clique, edges, proven,
        vertices, float(measured["deviation"].mean()), float(measured["kept"].mean()),
        intervals.coverage, time.perf_counter() - started,
    )  # fmt: skip


def _deviation_variance(true: np.ndarray, released: np.ndarray) -> float:
    # Every pair counts twice and the diagonal is zero: sums over the square, halved.
    pairs = len(true) * (len(true) - 1) / 2
    deviation = (true - released).ravel()
    total, squares = deviation.sum() / 2, deviation @ deviation / 2
    return float((squares - total * total / pairs) / (pairs - 1)) if pairs > 1 else 0.0


def _nearest_kept(true: np.ndarray, released: np.ndarray, slack: float) -> float:
    """Several nearest in the release count by the part of them that is truly nearest."""
    alone = np.diag(np.full(len(true), np.inf))
    true, released = true + alone, released + alone
    chosen = released == released.min(axis=1, keepdims=True)
    right = chosen & (true <= true.min(axis=1, keepdims=True) + slack)
    return float(np.mean(right.sum(axis=1) / chosen.sum(axis=1)))


def _rng(seed: int, what: str, repetition: int = 0) -> np.random.Generator:
    digest = hashlib.sha256(what.encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:16], "little"), repetition])


@lru_cache(maxsize=4)
def _metric(name: str, wkt: str | None) -> Metric:
    return metric_for(name, wkt)


def _check(experiment: LinkageExperiment) -> None:
    count, labels = len(experiment.points), len(experiment.labels)
    if count != labels:
        raise InputError(f"There are {count:,} points and {labels:,} labels.")
    n_target, n_known = experiment.n_target, experiment.n_identification
    if min(n_target, n_known) < 2:
        raise InputError("Both files need at least two records: one record has no distances.")
    if not 0 < experiment.overlap <= min(n_target, n_known):
        raise InputError(
            f"{experiment.overlap:,} records in both files are not possible: it has to be at"
            f" least one, and at most the smaller file, {min(n_target, n_known):,}."
        )
    if n_target + n_known - experiment.overlap > count:
        raise InputError(
            f"Files of {n_target:,} and {n_known:,} records with {experiment.overlap:,} in common"
            f" need {n_target + n_known - experiment.overlap:,} points; there are {count:,}. Make"
            " the files smaller or the overlap larger."
        )
    if not experiment.releases or not experiment.alphas:
        raise InputError("Name at least one release and one share alpha.")
    if any(not 0 < alpha < 1 for alpha in experiment.alphas):
        raise InputError("Every share alpha has to lie between 0 and 1.")
    if len(set(experiment.cells)) < len(experiment.cells):
        raise InputError("A release or a share alpha is named twice.")
    if experiment.repeats < 1:
        raise InputError("Every cell has to be repeated at least once.")
    if experiment.seed < 0:
        raise InputError("The seed has to be zero or above.")
    if not count_candidates(experiment):
        raise InputError(
            "No record of the target file agrees with one of the identification file: choose"
            " coarser quasi-identifiers."
        )
