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

import hashlib
import time
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Callable, NamedTuple

import numpy as np

from ..attacks.cliques.product_graph import count_vertices
from ..attacks.linkage.compatibility import REPLICATES, SIMULATED_PAIRS, true_distances
from ..attacks.linkage.linkage import LinkageResult, link, score
from ..attacks.maps.likelihood import THRESHOLD, link_by_likelihood, prepare
from ..runtime.errors import InputError
from ..runtime.memory import refuse_unless_fits
from ..runtime.progress import Progress, part, silent
from ..runtime.wording import Sentence, number_of
from ..space.areas import StudyArea
from ..space.metrics import Metric, metric_for
from .releases import Release, Setting
from .workers import Backend, run_tasks

#: The published attack, and ours.
CLIQUE, LIKELIHOOD = "clique", "likelihood"
ATTACKS = (CLIQUE, LIKELIHOOD)
#: What a rule is told where no share of true pairs is asked for.
_NO_SHARE = 0.5


class Cell(NamedTuple):
    """Name of a cell of the grid; ``alpha`` is None for the attack by likelihood."""

    release: str
    attack: str
    alpha: float | None


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
        Name of the metric; see :func:`~geoanon_qgis.core.space.metrics.metric_for`.
    area : StudyArea
        Where reference points and simulated pairs lie.
    n_target, n_identification, overlap : int
        Records of the two files and of both.
    releases : tuple of Release
    alphas : tuple of float
        Shares for the clique attack.
    repeats : int
        Releases by each method; every one is attacked in every way.
    seed : int
        Every number drawn follows from it, from the cell and from the repetition: neither the
        order of the work nor the number of workers matters, nor which cells are done already.
    attacks : tuple of str
        Some of :data:`ATTACKS`.
    max_steps, max_work, time_limit
        Of one search for a clique, the time limit also of an attack by likelihood; None for none.
        Only a time limit makes results depend on the machine.
    threshold : float
        Least confidence of a match that the attack by likelihood claims.
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
    attacks: tuple[str, ...] = (CLIQUE,)
    max_steps: int | None = None
    max_work: int | None = None
    time_limit: float | None = None
    threshold: float = THRESHOLD
    pairs: int = SIMULATED_PAIRS
    replicates: int = REPLICATES

    def __post_init__(self) -> None:
        _check(self)

    @property
    def cells(self) -> list[Cell]:
        """All cells, in the order of the grid."""
        return [
            Cell(release.key, attack, alpha)
            for release in self.releases
            for attack in self.attacks
            for alpha in self.shares(attack)
        ]

    @property
    def settings(self) -> dict[str, object]:
        """What two runs must have in common for their cells to belong together, by name.

        ``data`` is a digest of the points, labels and area. It is as secret as they are: who
        guesses them all can tell by it that the guess is right.
        """
        digest = hashlib.sha256(np.ascontiguousarray(self.points, dtype=np.float64).tobytes())
        digest.update(repr((list(self.labels), self.wkt)).encode())
        for ring in self.area.rings:
            digest.update(np.ascontiguousarray(ring).tobytes())
        names = (
            "repeats",
            "n_target",
            "n_identification",
            "overlap",
            "seed",
            "metric",
            "replicates",
            "max_steps",
            "max_work",
            "time_limit",
            "threshold",
        )
        return {**{name: getattr(self, name) for name in names}, "data": digest.hexdigest()[:16]}

    def shares(self, attack: str) -> tuple[float | None, ...]:
        """The shares alpha with which an attack is run."""
        return tuple(float(alpha) for alpha in self.alphas) if attack == CLIQUE else (None,)


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
    """What came of one kind of attack on the releases by one method.

    Attributes
    ----------
    release : Release
    attack : str
    alpha : float or None
        None for the attack by likelihood.
    precision, recall : (repeats,) arrays
        Precision is NaN where nothing was claimed.
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
        repetitions. Its reciprocal is the papers' utility (Kroll 2014, figure 8).
    nearest_kept : float
        Share of records whose nearest neighbour in the release is truly nearest.
    coverage : float or None
        Share of true pairs that the intervals hold, where it was simulated.
    seconds : float
        Of the releases and the attacks; what the adversary prepares is not counted.
    """

    release: Release
    attack: str
    alpha: float | None
    precision: np.ndarray
    recall: np.ndarray
    matches: np.ndarray
    edges: np.ndarray
    proven: np.ndarray
    vertices: int
    deviation_variance: float
    nearest_kept: float
    coverage: float | None
    seconds: float

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
            "matches": mean(self.matches),
            "clique": mean(self.matches) if by_clique else None,
            "proven": mean(self.proven) if by_clique or not self.proven.all() else None,
            "vertices": self.vertices,
            "edges": mean(self.edges) if by_clique else None,
            "utility": 1.0 / self.deviation_variance if self.deviation_variance else np.inf,
            "nearest_kept": self.nearest_kept,
            "coverage": self.coverage,
            "seconds": self.seconds,
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
        8 * (3 * experiment.n_target**2 + 2 * experiment.n_identification**2),
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
    adversaries = _adversaries(
        experiment, release, attack, alphas, files, setting, part(progress, 0, ahead)
    )
    secret = np.asarray(experiment.points, dtype=np.float64)[files.target]
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
                adversaries[index],
                files,
                setting,
                secret,
                true,
                part(progress, start, start + share),
            )
        )
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


def mean(values: np.ndarray) -> float:
    """Mean of the values that are defined; NaN if none is."""
    values = _defined(values)
    return float(np.mean(values)) if len(values) else float("nan")


def standard_error(values: np.ndarray) -> float:
    """Standard error of a mean; NaN for fewer than two values that are defined."""
    values = _defined(values)
    if len(values) < 2:
        return float("nan")
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def _defined(values: np.ndarray) -> np.ndarray:
    values = np.asarray(values, dtype=np.float64)
    return values[~np.isnan(values)]


class _Adversary(NamedTuple):
    """Somebody who has prepared and attacks one release after the other."""

    attack: Callable[[np.ndarray, np.random.Generator, Progress], LinkageResult]
    coverage: float | None


def _adversaries(
    experiment, release, attack, alphas, files, setting, progress: Progress
) -> list[_Adversary]:
    """One for each alpha."""
    of_target, of_known = (
        [experiment.labels[row] for row in rows] for rows in (files.target, files.identification)
    )
    known = np.asarray(experiment.points, dtype=np.float64)[files.identification]
    if attack == CLIQUE:
        rng = _rng(experiment.seed, f"intervals {release.key}")
        found = release.intervals(known, alphas, setting, rng, progress)
        # Nobody asks how well single matches stand: no inner intervals.
        return [
            _by_clique(experiment, of_target, of_known, replace(one, inner=None)) for one in found
        ]
    rng = _rng(experiment.seed, f"model {release.key}")
    model = prepare(
        release.rule(_NO_SHARE, setting), known, setting.metric, rng, progress, len(files.target)
    )
    return [_by_likelihood(experiment, of_target, of_known, model)]


def _by_clique(experiment, target_labels, known_labels, intervals) -> _Adversary:
    def attack(released, rng, progress) -> LinkageResult:
        return link(
            target_labels,
            released,
            known_labels,
            intervals,
            max_steps=experiment.max_steps,
            max_work=experiment.max_work,
            time_limit=experiment.time_limit,
            random_tie=True,
            keep_on_cancel=False,
            rng=rng,
            progress=progress,
        )

    return _Adversary(attack, intervals.coverage)


def _by_likelihood(experiment, target_labels, known_labels, model) -> _Adversary:
    def attack(released, rng, progress) -> LinkageResult:
        return link_by_likelihood(
            target_labels,
            released,
            known_labels,
            model,
            rng,
            progress,
            threshold=experiment.threshold,
            time_limit=experiment.time_limit,
        )

    return _Adversary(attack, None)


def _attacks(
    experiment, release, cell: Cell, adversary, files, setting, secret, true, progress: Progress
) -> CellResult:
    count = experiment.repeats
    measured = {name: np.zeros(count) for name in ("precision", "recall", "deviation", "kept")}
    matches, edges = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    proven = np.zeros(count, dtype=bool)
    started = time.perf_counter()
    vertices = 0
    for number in range(count):
        step = part(progress, number / count, (number + 1) / count)
        # All attacks meet the same releases.
        released = release.release(
            secret,
            setting,
            _rng(experiment.seed, f"release {release.key}", number),
            part(step, 0, 0.25),
        )
        rng = _rng(experiment.seed, f"attack {cell.release} {cell.attack} {cell.alpha!r}", number)
        result = adversary.attack(released, rng, part(step, 0.25, 1.0))
        scored = score(result, files.truth)
        measured["precision"][number] = scored.precision
        measured["recall"][number] = scored.recall
        measured["deviation"][number] = _deviation_variance(true, released)
        measured["kept"][number] = _nearest_kept(true, released, setting.metric.slack)
        matches[number], edges[number] = len(result.matches), result.edges
        proven[number], vertices = result.proven, result.vertices
        step(1.0)
    return CellResult(
        release,
        cell.attack,
        cell.alpha,
        measured["precision"],
        measured["recall"],
        matches,
        edges,
        proven,
        vertices,
        float(measured["deviation"].mean()),
        float(measured["kept"].mean()),
        adversary.coverage,
        time.perf_counter() - started,
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


def _rng(seed: int, what: str, repetition: int = 0) -> np.random.Generator:
    digest = hashlib.sha256(what.encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:16], "little"), repetition])


@lru_cache(maxsize=4)
def _metric(name: str, wkt: str | None) -> Metric:
    return metric_for(name, wkt)


def _check(experiment: LinkageExperiment) -> None:
    count, labels = len(experiment.points), len(experiment.labels)
    if count != labels:
        raise InputError(
            "The points are {count:,}, and the labels {labels:,}.", count=count, labels=labels
        )
    n_target, n_known = experiment.n_target, experiment.n_identification
    if min(n_target, n_known) < 2:
        raise InputError("Both files need at least two records: one record has no distances.")
    if not 0 < experiment.overlap <= min(n_target, n_known):
        raise InputError(
            "An overlap of {overlap:,} is not possible: it has to be at least one, and at "
            "most the smaller file, {most:,}.",
            overlap=experiment.overlap,
            most=min(n_target, n_known),
        )
    if n_target + n_known - experiment.overlap > count:
        raise InputError(
            "Files of {n_target:,} and {n_known} with {overlap:,} in common need {needed}; there "
            "are {count:,}. Make the files smaller or the overlap larger.",
            n_target=n_target,
            n_known=number_of(n_known, "record", "records"),
            overlap=experiment.overlap,
            needed=number_of(n_target + n_known - experiment.overlap, "point", "points"),
            count=count,
        )
    if not experiment.attacks or not set(experiment.attacks) <= set(ATTACKS):
        raise InputError("Name attacks out of {attacks}.", attacks=" and ".join(ATTACKS))
    if not experiment.releases or (CLIQUE in experiment.attacks and not experiment.alphas):
        raise InputError("Name at least one release and one share alpha.")
    if not 0 <= experiment.threshold <= 1:
        raise InputError("The least confidence has to lie between 0 and 1.")
    if any(not 0 < alpha < 1 for alpha in experiment.alphas):
        raise InputError("Every share alpha has to lie between 0 and 1.")
    if len(set(experiment.cells)) < len(experiment.cells):
        raise InputError("A release, an attack or a share alpha is named twice.")
    if experiment.repeats < 1:
        raise InputError("Every cell has to be repeated at least once.")
    if experiment.seed < 0:
        raise InputError("The seed has to be zero or above.")
    if not count_candidates(experiment):
        raise InputError(
            "No record of the target file agrees with one of the identification file: choose"
            " coarser quasi-identifiers."
        )
