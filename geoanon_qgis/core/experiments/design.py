# SPDX-License-Identifier: GPL-2.0-or-later
"""What a simulation of linkage attacks consists of: files, releases, attacks, and their cells."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..attacks.cliques.product_graph import count_vertices
from ..attacks.linkage.compatibility import REPLICATES, SIMULATED_PAIRS
from ..attacks.linkage.further_releases import MOST as MOST_BY_ROWS
from ..attacks.linkage.release_links import LEAST as LEAST_BY_ROWS
from ..attacks.maps.likelihood import THRESHOLD
from ..runtime.errors import InputError
from ..runtime.wording import number_of
from ..space.areas import StudyArea
from .releases import Release, SharedLabels

#: The published attack, and ours.
CLIQUE, LIKELIHOOD, NEAR_GROUP = "clique", "likelihood", "near_group"
ATTACKS = (CLIQUE, LIKELIHOOD, NEAR_GROUP)
#: On releases that tell distances of neighbours only.
LOCAL_MAPS = "local_maps"
OF_NEIGHBOURS = (NEAR_GROUP, LOCAL_MAPS)
#: What links the records of several releases of the same people.
LINKED_BY_IDS, LINKED_BY_ROWS = "ids", "rows"
LINKED_BY = (LINKED_BY_IDS, LINKED_BY_ROWS)


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
        Some of :data:`ATTACKS`, or of :data:`OF_NEIGHBOURS` on ISGP; see :func:`attacks_on`.
    max_steps, max_work, time_limit
        Of one search for a clique, the time limit also of an attack by likelihood; None for none.
        Only a time limit makes results depend on the machine.
    threshold : float
        Least confidence of a match that the attack by likelihood claims.
    known_links : int
        Records of both of which the adversary knows already whose they are; they are drawn once, held
        by every attack and counted nowhere.
    n_releases : int
        Releases of the same people by the same method that the adversary holds and puts together
        (:mod:`.several`), in every repetition; 1 for one alone.
    linked_by : str
        What tells him which records of several are the same: one of :data:`LINKED_BY`.
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
    known_links: int = 0
    n_releases: int = 1
    linked_by: str = LINKED_BY_IDS

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
            "known_links",
        )
        data = digest_of(self.points, self.labels, self.wkt, self.area)
        several = {
            "releases": self.n_releases,
            "linked_by": self.linked_by if self.n_releases > 1 else None,
        }
        return {**{name: getattr(self, name) for name in names}, **several, "data": data}

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
    links : (l, 2) int array
        Rows of a target record and of its person, where the adversary knows that already.
    """

    target: np.ndarray
    identification: np.ndarray
    truth: np.ndarray
    links: np.ndarray


def digest_of(
    points: np.ndarray, labels: Sequence[Hashable], wkt: str | None, area: StudyArea
) -> str:
    """Return a digest by which a run knows the data of an earlier one; as secret as they are."""
    digest = hashlib.sha256(np.ascontiguousarray(points, dtype=np.float64).tobytes())
    digest.update(repr((list(labels), wkt)).encode())
    for ring in area.rings:
        digest.update(np.ascontiguousarray(ring).tobytes())
    return digest.hexdigest()[:16]


def attacks_on(release: Release) -> tuple[str, ...]:
    """Return the attacks that a release can meet."""
    return OF_NEIGHBOURS if isinstance(release, SharedLabels) else ATTACKS


def draw_files(experiment: LinkageExperiment) -> Files:
    """Draw the two files, each in an order of its own."""
    rng = rng_of(experiment.seed, "files")
    n_target, overlap = experiment.n_target, experiment.overlap
    distinct = n_target + experiment.n_identification - overlap
    drawn = rng.choice(len(experiment.points), distinct, replace=False)
    target = rng.permutation(drawn[:n_target])
    identification = rng.permutation(drawn[n_target - overlap :])
    place = np.full(len(experiment.points), -1)
    place[identification] = np.arange(len(identification))
    truth = place[target]
    sure = np.sort(rng.permutation(np.flatnonzero(truth >= 0))[: experiment.known_links])
    return Files(target, identification, truth, np.stack([sure, truth[sure]], axis=1))


def count_candidates(experiment: LinkageExperiment) -> int:
    """Count the pairs of records of the two files that agree in their labels."""
    files, labels = draw_files(experiment), experiment.labels
    return count_vertices(
        [labels[row] for row in files.target], [labels[row] for row in files.identification]
    )


def rng_of(seed: int, what: str, repetition: int = 0) -> np.random.Generator:
    """Return the randomness of one purpose and repetition, whatever else is run."""
    digest = hashlib.sha256(what.encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:16], "little"), repetition])


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
    if not 0 <= experiment.known_links < experiment.overlap:
        raise InputError(
            "The adversary is to know whose {links} are, but {people} in both files, and somebody"
            " must be left to be found. Lower KNOWN_LINKS, or raise OVERLAP.",
            links=number_of(experiment.known_links, "record", "records"),
            people=number_of(experiment.overlap, "person is", "people are"),
        )
    _check_several(experiment)
    if not experiment.attacks or not set(experiment.attacks) <= {*ATTACKS, LOCAL_MAPS}:
        raise InputError("Name attacks out of {attacks}.", attacks=" and ".join(ATTACKS))
    if any(not set(experiment.attacks) <= set(attacks_on(one)) for one in experiment.releases):
        raise InputError(
            "ISGP tells distances of neighbours only: it is attacked by near_group and local_maps,"
            " and local_maps is for ISGP alone."
        )
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


def _check_several(experiment: LinkageExperiment) -> None:
    if experiment.n_releases < 1:
        raise InputError("The adversary needs at least one release.")
    if experiment.linked_by not in LINKED_BY:
        raise InputError("Releases are linked by {ways}.", ways=" or ".join(LINKED_BY))
    if experiment.n_releases == 1:
        return
    if any(isinstance(one, SharedLabels) for one in experiment.releases):
        raise InputError("ISGP releases are attacked one at a time. Ask for one release.")
    if experiment.linked_by == LINKED_BY_IDS:
        return
    if experiment.n_target > MOST_BY_ROWS:
        raise InputError(
            "{records} are too many to be linked by their distances: it would take hours. Release at"
            " most {most:,}, or take releases with the same ids.",
            records=number_of(experiment.n_target, "record", "records"),
            most=MOST_BY_ROWS,
        )
    if min(experiment.n_target, experiment.n_identification) < LEAST_BY_ROWS:
        raise InputError(
            "It takes eight records in each release, and eight known people, to link records by their"
            " distances."
        )
