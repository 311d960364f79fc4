# SPDX-License-Identifier: GPL-2.0-or-later
"""An attack on released distances that is stronger than the published one.

The published attack (:mod:`.linkage`) asks of two matches at a time whether they agree, yes or
no. This one weighs: it knows how likely a released distance is at any true distance, it uses
the distances of *all* released records, known or not, to draw a map of them, and then asks who
lives where they are and has the same labels. It says how sure it is of every match, and claims
only those of which it is sure enough. It has no parameter alpha.

1. Learn the density of released distances by releasing the known file (:mod:`.deviation_density`).
2. Noise leaves a map as it was, but for the noise: lay it over that of the known entities
   (:mod:`.registration`) and match by place and labels (:mod:`.assignment`); that is all.
3. For an embedding, find the records' places by a mean field (:mod:`.reconstruction`), and from
   the matches of a clique of the published attack.
4. Fit places and reference sets to the distances (:mod:`.reference_fit`) from each of these, and
   keep the map on which most evidence is found.
5. Match by place and labels, let matches confirm each other by exact distances
   (:mod:`.mutual_support`); repeat from 4.

That embedded distances never exceed true ones (contraction) is no rule of its own here: the fit
holds places to it, the learnt density gives longer ones next to no weight, and the intervals of
the clique hold it anyway.

Maps are compared by their evidence against nobody's being known (:class:`.assignment.Placed`),
which also lowers the confidence of what may be chance. It assumes that released records come
from where known entities live, as every use of the papers' attack does.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from .. import accel
from ..distances.matrix import DistanceMatrix, check
from ..errors import InputError
from ..memory import refuse_unless_fits
from ..metrics import Metric
from ..progress import Progress, interruptible, part, silent
from .assignment import Placed, one_to_one, place
from .clique_local import LocalSearch
from .compatibility import (
    DistanceNoise,
    Intervals,
    LipschitzEmbedding,
    Rule,
    lipschitz_intervals,
    true_distances,
)
from .deviation_density import PairDensity, learn, releases_of, simulate
from .linkage import _NO_VERTICES, LinkageResult, _unit_length
from .mutual_support import supported
from .product_graph import _classes, _vertices, graph_bytes, product_graph
from .reconstruction import (
    MeanField,
    Nodes,
    aligned,
    flat_map,
    majorized,
    nodes_of,
    shapes_of,
)
from .reference_fit import fit
from .registration import registered

#: Least confidence of a match that is claimed.
THRESHOLD = 0.5
#: How likely it is, before anything is seen, that the files have nobody in common.
_NOBODY_IN_COMMON = 0.05
#: Known entities, and pairs, that densities are learnt from at most.
_LEARN, _SAMPLES = 1000, 1_000_000
#: Ways to lay a map that are tried, and times that others are drawn where none holds; evidence
#: that ends this. Errors of maps, in those that noise leaves.
_WAYS, _DRAWS, _HOLDS = 8, 4, 10.0
_ERRORS = (0.7, 1.4)
#: The same for embeddings, whose maps err by any of these parts of the extent.
_WAYS_EMBEDDED, _ERRORS_EMBEDDED = 4, (0.02, 0.06, 0.15)
#: Nodes of the first search and of its refinement.
_NODES, _NODES_FINE = 90, 220
#: Starts of the first search, from vague maps, and of later ones, from good maps; those that are
#: refined; how vague is what, as a part of the extent.
_STARTS, _TURNS, _REFINED = 36, 24, 3
_VAGUE, _SURE = 0.8, 0.3
#: Share of true pairs that the clique's intervals hold, embeddings they are made from, steps of
#: the search, and bytes that its graph may take.
_ALPHA, _REPLICATES, _CLIQUE_STEPS, _GRAPH = 0.9, 200, 20_000, 200_000_000
#: Evidence of a map that is right as a whole; how much less those have that are averaged with it.
_FOUND, _WORSE = 40.0, 30.0
#: Anchors that hold a map, and rounds that place records by them.
_HOLD, _FROM_ANCHORS = 4, 60
#: Steps of a fit of reference sets, and rounds of fitting and matching.
_STEPS, _ROUNDS = 900, 4
#: Weight of what matches of an embedding say about each other; confidence from which a record is
#: put where its match is; change of what is found below which rounds end.
_WEIGHT, _HELD, _ENOUGH = 0.5, 0.9, 0.03
#: Records below which there is nothing to make a map of.
_LEAST = 8

_TOO_FEW = (
    "A map of the records cannot be made from so few: the likelihood attack needs eight released"
    " records and eight known entities at least. Use the clique attack."
)
_NOBODY = (
    "No match is sure enough to be claimed. The matches with the highest confidence are left out"
    " because they are more likely wrong than right, or below the threshold that was asked for."
)


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
    samples : (m,) and (m,) arrays
        True and released distances of pairs in releases that were made to learn from.
    error : float
        How far a released record stands on the map from its entity, on either axis, for noise.
    coarse, fine : (Nodes, PairDensity)
        For embeddings.
    intervals : Intervals or None
        Those of the clique attack, for embeddings of files that it can search.
    """

    rule: Rule
    known: np.ndarray
    true: np.ndarray
    samples: tuple[np.ndarray, np.ndarray] | None = None
    error: float = 0.0
    coarse: tuple[Nodes, PairDensity] | None = None
    fine: tuple[Nodes, PairDensity] | None = None
    intervals: Intervals | None = None


def prepare(
    rule: Rule,
    points: np.ndarray,
    metric: Metric,
    rng: np.random.Generator,
    progress: Progress = silent,
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
    if count < _LEAST:
        simulate(rule, points[:2], metric, rng)  # a rule that says nothing is refused
        return Model(rule, np.zeros((count, 2)), np.zeros((0, 0)))
    refuse_unless_fits(
        40.0 * count * count, f"{count:,} known entities", "the likelihood attack",
        "Leave out those that agree with no released record, or use the clique attack.",
    )  # fmt: skip
    some = np.arange(count)
    if count > _LEARN:
        some = np.sort(rng.choice(count, _LEARN, replace=False))
    releases = releases_of(rule, points[some], metric, rng, part(progress, 0, 0.4))
    true = true_distances(points, metric, part(progress, 0.4, 0.5))
    known = interruptible(lambda: flat_map(true, rng), progress, 0.5)
    upper = np.triu_indices(len(some), 1)
    among = true[np.ix_(some, some)]
    kept = rng.permutation(len(upper[0]))[: _SAMPLES // len(releases)]
    pairs = upper[0][kept], upper[1][kept]
    samples = (
        np.tile(among[pairs], len(releases)), np.concatenate([one[pairs] for one in releases])
    )  # fmt: skip
    if not isinstance(rule, LipschitzEmbedding):
        deviation = float((samples[1] - samples[0]).std())
        if isinstance(rule, DistanceNoise):
            # A place is known from its distances to all others: half of each is of either axis.
            error = deviation * np.sqrt(2 / count)
        else:
            error = deviation / np.sqrt(2)
        return Model(rule, known, true, samples, error)
    learnt = []
    for number, nodes in enumerate((_NODES, _NODES_FINE)):
        step = 0.55 + 0.1 * number
        nodes = nodes_of(known, nodes, rng)
        of = nodes.of_known[some]
        learnt.append(interruptible(
            lambda nodes=nodes, of=of: (
                nodes, learn(releases, among, nodes.distances[of][:, of], True)
            ), progress, step,
        ))  # fmt: skip
    intervals = None
    if graph_bytes(4 * count) < _GRAPH:
        intervals, = lipschitz_intervals(
            points, rule.area, metric, rule.sets, rule.size, (_ALPHA,), _REPLICATES, rng=rng,
            progress=part(progress, 0.75, 1.0),
        )  # fmt: skip
    progress(1.0)
    return Model(rule, known, true, samples, 0.0, *learnt, intervals)


def likelihood_attack(
    target_labels: Sequence[Hashable],
    released: DistanceMatrix,
    identification_labels: Sequence[Hashable],
    identification_points: np.ndarray,
    metric: Metric,
    rule: Rule,
    *,
    unit_length: float | None = None,
    rounding: tuple[float, float] = (0.0, 0.0),
    threshold: float = THRESHOLD,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> LinkageResult:
    """Link a released table with a file of known entities by likelihood.

    Parameters
    ----------
    target_labels, released, identification_labels, identification_points, metric, rule, \
unit_length, rounding, memory_limit, rng
        As in :func:`.linkage.attack`.
    threshold : float
        Least confidence of a match that is claimed, between 0 and 1.
    time_limit : float, optional
        See :func:`link_by_likelihood`.
    progress : Progress

    Returns
    -------
    LinkageResult
        ``support`` is the confidence of each match. ``edges`` is 0, ``in_every`` and
        ``search`` are None: there is no clique, and nothing to be proven.

    Raises
    ------
    InputError
        If the parts do not fit together, the rule does not say how distances came about, or
        the work does not fit into memory.
    """
    if len(target_labels) != len(released):
        raise InputError(
            f"The released table has {len(target_labels):,} records and the matrix"
            f" {len(released):,}. They have to be the same records in the same order."
        )
    if len(identification_labels) != len(identification_points):
        raise InputError(
            f"The identification file has {len(identification_labels):,} labels and"
            f" {len(identification_points):,} points."
        )
    check(released, "released matrix")
    if unit_length is None:
        unit_length = _unit_length(released.unit, metric)
    model = prepare(rule, identification_points, metric, rng, part(progress, 0, 0.25))
    # A distance that was rounded is taken to have stood in the middle of where it may have.
    square = unit_length * (released.square() + (rounding[0] - rounding[1]) / 2)
    np.fill_diagonal(square, 0)
    return link_by_likelihood(
        target_labels, np.maximum(square, 0), identification_labels, model, rng,
        part(progress, 0.25, 1.0), threshold=threshold, time_limit=time_limit,
        memory_limit=memory_limit,
    )  # fmt: skip


def link_by_likelihood(
    target_labels: Sequence[Hashable],
    released: np.ndarray,
    identification_labels: Sequence[Hashable],
    model: Model,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    threshold: float = THRESHOLD,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> LinkageResult:
    """Run the attack with a model that is there already.

    Parameters
    ----------
    target_labels, identification_labels : sequences
    released : (n1, n1) array
        In the metric's unit.
    model : Model
        Of the identification file, all its records in order.
    rng : numpy.random.Generator
    progress : Progress
    threshold : float
    time_limit : float, optional
        Seconds after which no further round of fitting begins; the rounds before and the
        first of these are always done.
    memory_limit : int, optional
        Bytes.

    Returns
    -------
    LinkageResult
    """
    if not 0 <= threshold <= 1:
        raise InputError(f"The least confidence is {threshold:g}; it has to be between 0 and 1.")
    kind_target, kind_known, _ = _classes(target_labels, identification_labels)
    target, identification = _vertices(kind_target, kind_known, 2**62)
    if not len(target):
        return _result(target, identification, np.zeros(0), np.zeros(0, int), _NO_VERTICES)
    if model.samples is None or len(released) < _LEAST:
        return _result(target, identification, np.zeros(len(target)), np.zeros(0, int), _TOO_FEW)
    _refuse_unless_fits(len(released), len(target), memory_limit)
    released = np.asarray(released, dtype=np.float64)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    if isinstance(model.rule, LipschitzEmbedding):
        confidence = _embedded(
            released, model, kind_target, kind_known, target, identification, deadline, rng,
            progress,
        )  # fmt: skip
    else:
        confidence = _noisy(released, model, target, identification, rng, progress)
    chosen = one_to_one(target, identification, confidence, threshold)
    return _result(target, identification, confidence, chosen, "" if len(chosen) else _NOBODY)


def _noisy(released, model: Model, target, identification, rng, progress: Progress):
    """Confidence of all candidates: every way to lay the map counts by its evidence."""
    shape = interruptible(lambda: flat_map(released, rng), progress)
    shape = majorized(shape, released, part(progress, 0, 0.1))
    least, most = (factor * max(model.error, 1e-9 * np.abs(shape).max()) for factor in _ERRORS)
    placed: list[Placed] = []
    for draw in range(_DRAWS):
        steps = part(progress, 0.1 + 0.9 * draw / _DRAWS, 0.1 + 0.9 * (draw + 1) / _DRAWS)
        maps = registered(
            shape, model.known, target, identification, max(model.error, least), _WAYS, rng,
            part(steps, 0, 0.6),
        )  # fmt: skip
        for number, xy in enumerate(maps):
            placed.append(place(
                xy, model.known, target, identification, most, least, False,
                part(steps, 0.6 + 0.4 * number / _WAYS, 0.6 + 0.4 * (number + 1) / _WAYS), most,
            ))  # fmt: skip
        if placed and max(one.evidence for one in placed) > _HOLDS:
            break
    progress(1.0)
    placed.sort(key=lambda one: -one.evidence)
    distinct: list[Placed] = []
    for one in placed:
        if all(((one.places - other.places) ** 2).mean() > one.error**2 for other in distinct):
            distinct.append(one)
    confidence = np.zeros(len(target))
    for one, weight in zip(distinct, _chances([one.evidence for one in distinct])):
        confidence += weight * one.confidence
    return confidence


def _chances(evidence) -> np.ndarray:
    """Probability of each of some maps, where that nobody is known is possible, too."""
    logs = np.array([np.log(_NOBODY_IN_COMMON / (1 - _NOBODY_IN_COMMON)), *evidence])
    odds = np.exp(logs - logs.max())
    return odds[1:] / odds.sum()


def _embedded(
    released, model: Model, kind_target, kind_known, target, identification, deadline, rng,
    progress: Progress,
):  # fmt: skip
    """Confidence of all candidates, from fits of several maps and rounds with the best."""
    known = model.known
    spread = float(np.sqrt(known.var(axis=0).mean()))
    rough = _field(released, model.coarse, kind_target, kind_known)
    sharp = _field(released, model.fine, kind_target, kind_known)

    def best(shapes, starts, blur, many, steps) -> list[np.ndarray]:
        found = rough.search(shapes, starts, blur, rng, part(steps, 0, 0.6))
        refined = []
        for number, xy in enumerate(found[:_REFINED]):
            refined.append(
                sharp.refine(xy, part(steps, 0.6 + 0.1 * number, 0.7 + 0.1 * number))
            )
        refined.sort(key=lambda one: -one[0])
        return [xy for _, xy in refined[:many]]

    sets, size = model.rule.sets, model.rule.size
    shapes, away, unsure = shapes_of(released, model.coarse[1], rng, part(progress, 0, 0.05))

    def fitted(xy, start, stop) -> tuple[np.ndarray, float]:
        return fit(
            xy, released, away, unsure, sets, size, rng, part(progress, start, stop), _STEPS
        )

    def placed_from(maps, fraction, *others: Placed) -> Placed:
        tried = list(others)
        for xy in maps:
            tried.append(
                place(xy, known, target, identification, 0.1 * spread, 1e-3 * spread,
                      progress=lambda _: progress(fraction))
            )  # fmt: skip
        return max(tried, key=_evidence)

    def laid(xy, fraction) -> list[np.ndarray]:
        maps = []
        for error in _ERRORS_EMBEDDED:
            maps += registered(xy, known, target, identification, error * spread,
                               _WAYS_EMBEDDED, rng, lambda _: progress(fraction))  # fmt: skip
        return maps

    def start_from(xy, first, last) -> Placed:
        """Fit, and lay the map as it lies, or anew where that shows little."""
        straight = fitted(xy, first, first + 0.8 * (last - first))[0]
        straightened.append(straight)
        found = placed_from([aligned(straight, xy)], last)
        if found.evidence > _FOUND:
            return found
        return placed_from(laid(straight, last), last, found)

    straightened: list[np.ndarray] = []
    starts = []
    members = _clique(
        released, model, kind_target, kind_known, rng, part(progress, 0.05, 0.08)
    )
    if len(members[0]) >= _HOLD:
        begin = _by_anchors(members, known, away, unsure, rng, lambda _: progress(0.08))
        # A map that was drawn from matches bears them out, right or wrong: only one that was
        # fitted anew from there, with none of them held, is evidence.
        guide = start_from(begin, 0.08, 0.14)
        if guide.evidence > 0:
            starts.append(start_from(guide.places, 0.14, 0.2))
    if not starts or starts[0].evidence < _FOUND:
        # The fit straightens a map but leaves it turned as it is; the field turns it, and tears
        # it apart where a better map is: they take turns.
        for number, xy in enumerate(best(shapes, _STARTS, _VAGUE, 2, part(progress, 0.2, 0.3))):
            starts.append(start_from(xy, 0.3 + 0.05 * number, 0.35 + 0.05 * number))
        turned = best(straightened, _TURNS, _SURE, 1, part(progress, 0.4, 0.45))
        starts.append(placed_from(turned, 0.45))
    starts.sort(key=_evidence, reverse=True)
    rounds = starts[:1]
    before, sure = -1.0, np.zeros(len(target))
    for number in range(_ROUNDS + 1):
        first, share = 0.45 + 0.55 * number / (_ROUNDS + 1), 0.55 / (_ROUNDS + 1)
        # Every fit begins with other sets, so that errors of the rounds differ.
        top = max(rounds, key=_evidence)
        good = [one for one in rounds if one.evidence > top.evidence - _WORSE]
        mean = np.mean([one.confidence for one in good], axis=0)
        sure = supported(
            mean, target, identification, released, model.true, model.samples,
            top.error, _WEIGHT, rng, part(progress, first, first + 0.2 * share),
        )  # fmt: skip
        if number == _ROUNDS or number > 1 and (
            top.evidence > _FOUND and abs(sure.sum() - before) < _ENOUGH * before
        ):
            break
        if number and deadline is not None and time.monotonic() > deadline:
            break
        before = sure.sum()
        onto = top.places.copy()
        if top.evidence > _FOUND:
            held = np.flatnonzero(sure > _HELD)
            onto[target[held]] = known[identification[held]]
        rounds.append(start_from(onto, first + 0.2 * share, first + share))
    progress(1.0)
    return sure * _chances([max(one.evidence for one in rounds)])[0]


def _evidence(placed: Placed) -> float:
    return placed.evidence


def _clique(
    released, model: Model, kind_target, kind_known, rng, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """Records and entities that a large clique of the published attack matches."""
    none = np.zeros(0, dtype=np.int64)
    if model.intervals is None:
        return none, none
    count = int((kind_target[:, None] == kind_known)[kind_target >= 0].sum())
    if graph_bytes(count) > _GRAPH:
        return none, none
    labels = [[None if kind < 0 else int(kind) for kind in kinds]
              for kinds in (kind_target, kind_known)]  # fmt: skip
    graph = product_graph(
        *labels, released, model.intervals.lower, model.intervals.upper, closed=True,
        memory_limit=2**62, progress=progress,
    )  # fmt: skip
    search = LocalSearch(graph.rows, rng)
    while not search.go_on(2_000_000 if accel.enabled() else 20_000, _CLIQUE_STEPS):
        progress(1.0)
    members = search.clique
    return graph.target[members], graph.identification[members]


def _by_anchors(anchors, known, away, unsure, rng, progress: Progress) -> np.ndarray:
    """Places of all records by their distances to those that are matched.

    Anchors are where their entities are for the others, not for themselves; and those that
    contradict the others fade (weights of Geman & McClure 1987), as some matches are wrong.
    """
    records, there = anchors[0], known[anchors[1]]
    wanted, doubt = away[:, records], unsure[:, records] + 0.02 * away[:, records]
    doubt = np.maximum(doubt, 1e-9 * max(float(away.max()), 1e-300))
    own = np.zeros(wanted.shape, dtype=bool)
    own[records, np.arange(len(records))] = True
    near = np.where(own, np.inf, wanted).argmin(axis=1)
    xy = there[near] + rng.normal(size=(len(away), 2)) * 0.3 * wanted.mean()
    for number in range(_FROM_ANCHORS):
        progress(1.0)
        way = xy[:, None, :] - there
        now = np.maximum(np.sqrt((way**2).sum(axis=2)), 1e-9)
        miss = (now - wanted) / doubt
        # At first everybody is heard.
        scale = max(1.0, 10.0 * (1 - 2 * number / _FROM_ANCHORS))
        weight = np.where(own, 0, 1 / (doubt * (1 + (miss / scale) ** 2)) ** 2)
        goal = there + way * (wanted / now)[:, :, None]
        xy = (weight[:, :, None] * goal).sum(axis=1) / weight.sum(axis=1)[:, None]
    return xy


def _field(released, learnt, kind_target, kind_known) -> MeanField:
    nodes, density = learnt
    kinds = int(max(kind_target.max(), kind_known.max())) + 1
    counts = np.zeros((kinds + 1, len(nodes.xy)))  # the last row is that of no label
    np.add.at(counts, (kind_known, nodes.of_known), 1)
    counts[-1] = 0
    return MeanField(released, density, nodes, counts[kind_target])


def _refuse_unless_fits(records: int, candidates: int, limit: int | None) -> None:
    need = 120 * records * records + 250 * candidates
    if limit is None:
        refuse_unless_fits(
            need, f"{records:,} released records", "the likelihood attack",
            "Attack a part of the released table.",
        )  # fmt: skip
    elif need > limit:
        raise InputError(
            f"The likelihood attack on {records:,} records takes {need / 1e6:,.0f} MB, but only"
            f" {limit / 1e6:,.0f} MB may be used. Attack a part of the released table."
        )


def _result(target, identification, confidence, chosen, note: str) -> LinkageResult:
    return LinkageResult(
        matches=np.stack([target[chosen], identification[chosen]], axis=1).astype(np.int64),
        in_every=None,
        support=confidence[chosen],
        vertices=len(target),
        edges=0,
        search=None,
        coverage=None,
        note=note,
    )
