# SPDX-License-Identifier: GPL-2.0-or-later
"""How often the linkage attacks succeed: the papers' simulation on any points.

A target and an identification file with some records in common are drawn from the points. Then,
for every release method of a grid, the target file is released and attacked again and again,
and precision and recall are counted: by the papers' clique attack with every share alpha, and
by the attack by likelihood (:mod:`..attacks.maps.likelihood`) on the same releases.

Kroll (2014), section 5; Kroll & Schnell (2016), "A simulation to study the privacy preserving
properties of the Lipschitz embedding".
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..attacks.linkage.intervals import true_distances
from ..attacks.linkage.truth import guessed, not_given, score
from ..distances.trials import mean, standard_error
from ..runtime.memory import refuse_unless_fits
from ..runtime.progress import Progress, part, silent, weighted
from ..runtime.wording import Sentence
from ..runtime.workers import Backend, run_tasks
from ..space.metrics import Metric, metric_for
from .adversaries import Preparations
from .design import CLIQUE, Cell, LinkageExperiment, draw_files, rng_of
from .releases import Release, Setting
from .several import Holder

#: Parts of a repetition, of one release or of several: it is made, linked with others, prepared for,
#: and attacked.
_WEIGHTS = {False: (25, 0, 0, 75), True: (10, 40, 10, 40)}


@dataclass(frozen=True)
class CellResult:
    """What came of one kind of attack on the releases by one method.

    Attributes
    ----------
    release : Release
    attack : str
    alpha : float or None
        None for the attack by likelihood.
    precision, recall : (repeats,) arrays
        Precision is NaN where nothing was claimed.
    guessed : (repeats,) array
        Share of those in both files who are found if the likeliest person is taken for each
        record, claimed or not; see :func:`..attacks.linkage.truth.guessed`.
    matches : (repeats,) int array
        Matches claimed; for the clique attack the size of the clique.
    edges : (repeats,) int array
        Of the product graph; 0 for the attack by likelihood, which has none.
    proven : (repeats,) bool array
        Whether the clique is proven to be a largest one, or the attack by likelihood came to its
        end within the limit of time.
    vertices : int
        Of the product graph, the same in every repetition.
    deviation_variance : float
        Variance of true minus released distance over the target's pairs, mean of the
        repetitions. Its reciprocal is the papers' utility (Kroll 2014, figure 8). Of several
        releases it is that of one, as ``nearest_kept`` is.
    nearest_kept : float
        Share of records whose nearest neighbour in the release is truly nearest.
    coverage : float or None
        Share of true pairs that the intervals hold, where it was simulated; those of the last
        repetition where they differ.
    seconds : float
        Of the releases and the attacks; what the adversary prepares is not counted.
    linked, links_right : (repeats,) arrays, optional
        Of several releases of the same people, the share of the records of the first that were
        linked with those of each other one, and the share of these links that are right, NaN
        where there are none; None of one release.
    """

    release: Release
    attack: str
    alpha: float | None
    precision: np.ndarray
    recall: np.ndarray
    guessed: np.ndarray
    matches: np.ndarray
    edges: np.ndarray
    proven: np.ndarray
    vertices: int
    deviation_variance: float
    nearest_kept: float
    coverage: float | None
    seconds: float
    linked: np.ndarray | None = None
    links_right: np.ndarray | None = None

    @property
    def key(self) -> Cell:
        """What to keep so that a resumed experiment passes over this cell."""
        return Cell(self.release.key, self.attack, self.alpha)

    def row(self) -> dict[str, object]:
        """Return the cell as one row of a table: means, and standard errors of the means."""
        by_clique = self.attack == CLIQUE
        return {
            "method": self.release.method,
            "release": self.release.key,
            **self.release.parameters(),
            "attack": self.attack,
            "alpha": self.alpha,
            "repeats": len(self.precision),
            "precision": mean(self.precision),
            "precision_se": standard_error(self.precision),
            "recall": mean(self.recall),
            "recall_se": standard_error(self.recall),
            "guessed": mean(self.guessed),
            "guessed_se": standard_error(self.guessed),
            "matches": mean(self.matches),
            "clique": mean(self.matches) if by_clique else None,
            "proven": mean(self.proven) if by_clique or not self.proven.all() else None,
            "vertices": self.vertices,
            "edges": mean(self.edges) if by_clique else None,
            "utility": 1.0 / self.deviation_variance if self.deviation_variance else np.inf,
            "nearest_kept": self.nearest_kept,
            "coverage": self.coverage,
            "seconds": self.seconds,
            "linked": None if self.linked is None else mean(self.linked),
            "links_right": None if self.links_right is None else mean(self.links_right),
        }


def run(
    experiment: LinkageExperiment,
    done: Collection[Cell] = (),
    backend: Backend | None = None,
    progress: Progress = silent,
) -> Iterator[CellResult]:
    """Run all cells, or those that are not done; yield each as soon as it is.

    Parameters
    ----------
    experiment : LinkageExperiment
    done : collection of Cell
        Cells to pass over: :attr:`CellResult.key` of earlier results with the same seed, files
        and settings.
    backend : Backend, optional
        Where the work is done: here, if none is given.
    progress : Progress
        Called in the caller's thread while it waits for the next cell.

    Yields
    ------
    CellResult
        In the order in which they are finished.
    """
    done = set(done)
    tasks: list[tuple[LinkageExperiment, Release, str, tuple[float | None, ...]]] = []
    for release in experiment.releases:
        for attack in experiment.attacks:
            left = tuple(
                alpha
                for alpha in experiment.shares(attack)
                if Cell(release.key, attack, alpha) not in done
            )
            groups = [left] if release.costly else [(alpha,) for alpha in left]
            tasks += [(experiment, release, attack, group) for group in groups if group]
    for cells in run_tasks(run_cells, tasks, backend or Backend(), progress):
        yield from cells


def run_cells(
    experiment: LinkageExperiment,
    release: Release,
    attack: str,
    alphas: tuple[float | None, ...],
    progress: Progress = silent,
) -> list[CellResult]:
    """Run cells of one release method and attack; what the adversary prepares serves them all."""
    # True and released distances and their deviation; the two ends of each interval.
    refuse_unless_fits(
        8
        * (
            (1 + 2 * experiment.n_releases) * experiment.n_target**2
            + 2 * experiment.n_identification**2
        ),
        Sentence(
            "{n_target:,} released and {n_identification:,} known records",
            n_target=experiment.n_target,
            n_identification=experiment.n_identification,
        ),
        Sentence("their distances"),
    )
    files = draw_files(experiment)
    setting = Setting(
        _metric(experiment.metric, experiment.wkt),
        experiment.area,
        experiment.wkt,
        experiment.pairs,
        experiment.replicates,
    )
    # Intervals count as one attack in the progress, costly ones as half of the work.
    attacks = len(alphas) * experiment.repeats
    ahead = 0.5 if release.costly and attack == CLIQUE else 1.0 / (1 + attacks)
    secret = np.asarray(experiment.points, dtype=np.float64)[files.target]
    holder = Holder(experiment, release, files, setting, secret)
    prepared = Preparations(experiment, attack, alphas, files, setting)
    if holder.always is not None:
        prepared.against(holder.always, part(progress, 0, ahead))
    true = true_distances(secret, setting.metric)
    results = []
    for index, alpha in enumerate(alphas):
        start = ahead + (1 - ahead) * index / len(alphas)
        share = (1 - ahead) / len(alphas)
        results.append(
            _attacks(
                experiment,
                release,
                Cell(release.key, attack, alpha),
                lambda view, step, at=index: prepared.against(view, step)[at],
                files,
                holder,
                setting.metric.slack,
                true,
                part(progress, start, start + share),
            )
        )
    return results


def _attacks(
    experiment, release, cell: Cell, against, files, holder, slack, true, progress: Progress
) -> CellResult:
    count = experiment.repeats
    names = ("precision", "recall", "guessed", "deviation", "kept", "linked", "links_right")
    measured = {name: np.zeros(count) for name in names}
    matches, edges = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    proven = np.zeros(count, dtype=bool)
    started = time.perf_counter()
    wanted = not_given(files.truth, files.links)
    vertices = 0
    for number in range(count):
        step = part(progress, number / count, (number + 1) / count)
        making, linking, preparing, attacking = weighted(step, *_WEIGHTS[experiment.n_releases > 1])
        released = holder.released(number, making)
        told = holder.together(released, number, linking)
        adversary = against(told.view, preparing)
        rng = rng_of(experiment.seed, f"attack {cell.release} {cell.attack} {cell.alpha!r}", number)
        result = adversary.attack(told.released, rng, attacking)
        scored = score(result, wanted)
        measured["precision"][number] = scored.precision
        measured["recall"][number] = scored.recall
        measured["guessed"][number] = guessed(result, wanted)
        measured["deviation"][number] = _deviation_variance(true, released)
        measured["kept"][number] = _nearest_kept(true, released, slack)
        measured["linked"][number] = told.linked
        measured["links_right"][number] = told.right
        matches[number], edges[number] = len(result.matches), result.edges
        proven[number] = result.proven and not told.cut_off
        vertices = result.vertices
        step(1.0)
    return CellResult(
        release,
        cell.attack,
        cell.alpha,
        measured["precision"],
        measured["recall"],
        measured["guessed"],
        matches,
        edges,
        proven,
        vertices,
        float(measured["deviation"].mean()),
        float(measured["kept"].mean()),
        adversary.coverage,
        time.perf_counter() - started,
        *([measured["linked"], measured["links_right"]] if experiment.n_releases > 1 else []),
    )


def _deviation_variance(true: np.ndarray, released: np.ndarray) -> float:
    # Every pair counts twice and the diagonal is zero: sums over the square, halved.
    pairs = len(true) * (len(true) - 1) / 2
    deviation = (true - released).ravel()
    # No BLAS: its threads would go on spinning where other attacks could work.
    total, squares = deviation.sum() / 2, np.square(deviation).sum() / 2
    return float((squares - total * total / pairs) / (pairs - 1)) if pairs > 1 else 0.0


def _nearest_kept(true: np.ndarray, released: np.ndarray, slack: float) -> float:
    """Several nearest in the release count by the part of them that is truly nearest."""
    alone = np.diag(np.full(len(true), np.inf))
    true, released = true + alone, released + alone
    chosen = released == released.min(axis=1, keepdims=True)
    right = chosen & (true <= true.min(axis=1, keepdims=True) + slack)
    return float(np.mean(right.sum(axis=1) / chosen.sum(axis=1)))


@lru_cache(maxsize=4)
def _metric(name: str, wkt: str | None) -> Metric:
    return metric_for(name, wkt)
