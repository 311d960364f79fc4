# SPDX-License-Identifier: GPL-2.0-or-later
"""What an adversary learns of a release before he sees it, by releasing the entities he knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ...runtime.memory import refuse_unless_fits
from ...runtime.progress import Progress, interruptible, part, shares, silent
from ...runtime.wording import Sentence, number_of
from ...space.metrics import Metric
from ..cliques.product_graph import graph_bytes
from ..linkage.compatibility import LipschitzEmbedding, lipschitz_intervals
from ..linkage.intervals import Rule, true_distances
from ..linkage.simulated import simulate
from .deviations import learn, releases_of
from .embedding_reversal import MOST_GRAPH, Learnt
from .estimated_distances import learn_estimator
from .population import gaussian, mixture
from .reconstruction import aligned, flat_map, majorized, nodes_of

#: Known entities, and pairs, that densities are learnt from at most.
_LEARN, _SAMPLES = 1000, 1_000_000
#: Nodes of the first search and of its refinement.
_NODES, _NODES_FINE = 90, 220
#: Share of true pairs that the clique's intervals hold, and embeddings they are made from.
_ALPHA, _REPLICATES = 0.9, 200
#: Errors of places that are learnt from; standard deviations of their laws, in usual ones; how rare one
#: makes no difference.
_ERRORS, _SPREADS, _RARE = 1000, np.array([0.5, 1.0, 2.0, 4.0, 8.0]), 0.01
#: Records below which there is nothing to make a map of.
LEAST = 8


@dataclass(frozen=True, eq=False)
class Model:
    """What the adversary knows before he sees a release; serves every release of one rule.

    Attributes
    ----------
    rule : Rule
    known : (n, 2) array
        Map of the known entities, in the metric's unit.
    true : (n, n) array
        Their distances.
    error : float
        How far a released record usually stands on the map from its entity, on either axis, for noise.
    errors : (2, c) array
        The same as a mixture of normal laws: variances, and how often each occurs.
    learnt : Learnt or None
        For embeddings.
    too_few : bool
        Whether there are too few entities to make a map of; nothing is known then.
    """

    rule: Rule
    known: np.ndarray
    true: np.ndarray
    error: float = 0.0
    errors: np.ndarray = field(default_factory=lambda: np.array([[0.0], [1.0]]))
    learnt: Learnt | None = None
    too_few: bool = False


def prepare(
    rule: Rule,
    points: np.ndarray,
    metric: Metric,
    rng: np.random.Generator,
    progress: Progress = silent,
    records: int | None = None,
) -> Model:
    """Learn what a release of some known entities would look like.

    Parameters
    ----------
    rule : LipschitzEmbedding, CoordinateNoise or DistanceNoise
        Their ``alpha`` and the numbers of replicates and pairs are not used.
    points : (n, 2) array
        Stored coordinates of the known entities.
    metric : Metric
    rng : numpy.random.Generator
    progress : Progress
    records : int, optional
        Those of the release. If they are fewer than the known entities, so many are learnt
        from: how far neighbours are from each other makes a difference.

    Returns
    -------
    Model

    Raises
    ------
    InputError
        For a rule that does not say how distances came about, or if the distances of the known
        entities do not fit into memory.

    Notes
    -----
    The map is flat: a region's distances on the globe fit to the plane within a thousandth of
    its extent for a country of 1,000 km, and worse for a continent. From more than a thousand
    known entities, densities are learnt from a thousand of them drawn at random.
    """
    points = np.asarray(points, dtype=np.float64)
    count = len(points)
    if count < LEAST:
        simulate(rule, points[:2], metric, rng)  # a rule that says nothing is refused
        return Model(rule, np.zeros((count, 2)), true_distances(points, metric), too_few=True)
    some = np.arange(count)
    most = _LEARN if records is None else min(_LEARN, max(records, LEAST))
    refuse_unless_fits(
        _bytes_to_learn(rule, count, min(count, most)),
        number_of(count, "known entity", "known entities"),
        Sentence("the likelihood attack"),
        Sentence("Leave out those that agree with no released record, or use the clique attack."),
    )
    if count > most:
        some = np.sort(rng.choice(count, most, replace=False))
    releases = releases_of(rule, points[some], metric, rng, part(progress, 0, 0.4))
    true = true_distances(points, metric, part(progress, 0.4, 0.5))
    known = interruptible(lambda: flat_map(true, rng), progress, 0.5)
    among = true[np.ix_(some, some)]
    if not isinstance(rule, LipschitzEmbedding):
        error, errors = _errors(releases, known[some], rng, part(progress, 0.5, 1.0))
        return Model(rule, known, true, error, errors)
    samples = interruptible(lambda: _samples_of(releases, among, rng), progress, 0.5)
    estimator, code = learn_estimator(releases, among, rng, part(progress, 0.5, 0.7))
    ways = []
    for number in (_NODES, _NODES_FINE):
        nodes = nodes_of(known, number, rng)
        of = nodes.of_known[some]
        away = nodes.distances[of][:, of]
        learning = partial(learn, code, len(estimator.expected), away)
        ways.append((nodes, interruptible(learning, progress, 0.72)))
    intervals = None
    if graph_bytes(4 * count) < MOST_GRAPH:
        (intervals,) = lipschitz_intervals(
            points,
            rule.area,
            metric,
            rule.sets,
            rule.size,
            (_ALPHA,),
            _REPLICATES,
            rng=rng,
            progress=part(progress, 0.75, 1.0),
            pre_noise=rule.pre_noise,
        )
    progress(1.0)
    coarse, fine = ways
    learnt = Learnt(rule, samples, estimator, coarse, fine, intervals)
    return Model(rule, known, true, learnt=learnt)


def _bytes_to_learn(rule, count: int, learnt: int) -> float:
    """Most that :func:`prepare` holds at a time, for so many entities, learnt from so many."""
    need = 40.0 * count * count + 80.0 * learnt * learnt
    if isinstance(rule, LipschitzEmbedding):
        learning, intervals = 300.0 * learnt * learnt + 90e6, 0.0
        if graph_bytes(4 * count) < MOST_GRAPH:
            intervals = min(2.0 * (_REPLICATES + 20) * count * count, 600e6) + 60e6
        need += max(learning, intervals)
    return need


def _errors(releases, known, rng, progress: Progress) -> tuple[float, np.ndarray]:
    """How far maps of one's own releases stand from the truth: usually, and as a mixture of laws.

    Noise on distances moves a place the less the more distances it has, and where people live along one
    road, more across than along it, so that no formula is as good as trying.
    """
    count = len(known)
    off = []
    tried = releases[: max(1, min(len(releases), _ERRORS // count))]
    for one, steps in zip(tried, shares(progress, len(tried))):
        xy = interruptible(partial(flat_map, one, rng), steps)
        xy = aligned(majorized(xy, one, steps), known)
        # A turn and a shift have taken three of all degrees of freedom.
        off.append(((xy - known) ** 2).sum(axis=1) * count / (count - 1.5))
    squared = np.concatenate(off)
    usual = float(np.median(squared)) / (2 * np.log(2))
    widths = max(usual, 1e-18 * float(known.var())) * _SPREADS**2
    weights = mixture(np.stack([gaussian(squared, one) for one in widths]), 1.0)
    some = weights > _RARE
    return float(np.sqrt(usual)), np.stack([widths[some], weights[some] / weights[some].sum()])


def _samples_of(releases, true, rng) -> tuple[np.ndarray, np.ndarray]:
    """True and released distances of the same pairs in all releases."""
    upper = np.triu_indices(len(true), 1)
    kept = rng.permutation(len(upper[0]))[: _SAMPLES // len(releases)]
    pairs = upper[0][kept], upper[1][kept]
    return np.tile(true[pairs], len(releases)), np.concatenate([one[pairs] for one in releases])
