# SPDX-License-Identifier: GPL-2.0-or-later
"""An attack on released distances that is stronger than the published one.

The published attack (:mod:`.linkage`) asks of two matches at a time whether they agree, yes or
no. This one weighs: it knows how likely a released distance is at any true distance, it uses
the distances of *all* released records, known or not, to find where they are on the map of the
known entities, and then asks who lives there and has the same labels. It says how sure it is
of every match, and claims only those of which it is sure enough.

1. Learn the density of released distances by releasing the known file (:mod:`.deviation_density`).
2. Find the records' places by a mean field (:mod:`.reconstruction`).
3. For an embedding, fit places and reference sets to the distances (:mod:`.reference_fit`).
4. Match by place and labels, and bend the map to the matches (:mod:`.assignment`).
5. Let matches confirm each other by exact distances (:mod:`.mutual_support`); repeat from 3.

It assumes that released records come from where known entities live, as every use of the
papers' attack does. It has no parameter alpha.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..distances.matrix import DistanceMatrix, check
from ..errors import InputError
from ..memory import refuse_unless_fits
from ..metrics import Metric
from ..progress import Progress, part, silent
from .assignment import Placed, one_to_one, place
from .compatibility import CoordinateNoise, LipschitzEmbedding, Rule, true_distances
from .deviation_density import PairDensity, learn, releases_of
from .linkage import _NO_VERTICES, LinkageResult, _unit_length
from .mutual_support import supported
from .product_graph import _classes, _vertices
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

#: Least confidence of a match that is claimed.
THRESHOLD = 0.5
#: Nodes of the first search and of its refinement.
_NODES, _NODES_FINE = 90, 220
#: Starts of the first search, from vague maps, and of later ones, from good maps; those that are
#: refined, and tried with noise; how vague is what, as a part of the extent.
_STARTS, _TURNS, _REFINED, _TRIES = 36, 24, 3, 12
_VAGUE, _SURE = 0.8, 0.3
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
    coarse, fine : (Nodes, PairDensity)
    """

    rule: Rule
    known: np.ndarray
    true: np.ndarray
    samples: tuple[np.ndarray, np.ndarray] | None
    coarse: tuple[Nodes, PairDensity] | None
    fine: tuple[Nodes, PairDensity] | None


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
        For a rule that does not say how distances came about.

    Notes
    -----
    The map is flat: a region's distances on the globe fit to the plane within a thousandth of
    its extent for a country of 1,000 km, and worse for a continent.
    """
    points = np.asarray(points, dtype=np.float64)
    releases = releases_of(rule, points[: 2 if len(points) < _LEAST else None], metric, rng,
                           part(progress, 0, 0.5))  # fmt: skip
    if len(points) < _LEAST:
        return Model(rule, np.zeros((len(points), 2)), np.zeros((0, 0)), None, None, None)
    true = true_distances(points, metric, part(progress, 0.5, 0.6))
    known = flat_map(true, rng)
    alike = isinstance(rule, LipschitzEmbedding)
    learnt = []
    for number, count in enumerate((_NODES, _NODES_FINE)):
        progress(0.6 + 0.2 * number)
        nodes = nodes_of(known, count, rng)
        of = nodes.of_known
        learnt.append((nodes, learn(releases, true, nodes.distances[of][:, of], alike)))
    progress(1.0)
    upper = np.triu_indices(len(points), 1)
    samples = np.tile(true[upper], len(releases)), np.concatenate([r[upper] for r in releases])
    return Model(rule, known, true, samples, *learnt)


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
    target, identification = _vertices(kind_target, kind_known, memory_limit)
    if not len(target):
        return _result(target, identification, np.zeros(0), np.zeros(0, int), _NO_VERTICES)
    if model.coarse is None or len(released) < _LEAST:
        return _result(target, identification, np.zeros(len(target)), np.zeros(0, int), _TOO_FEW)
    _refuse_unless_fits(len(released), memory_limit)
    released = np.asarray(released, dtype=np.float64)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    placed = locate(
        released, model, kind_target, kind_known, target, identification, deadline, rng, progress
    )
    chosen = one_to_one(target, identification, placed.confidence, threshold)
    return _result(
        target, identification, placed.confidence, chosen, "" if len(chosen) else _NOBODY
    )


def locate(
    released, model: Model, kind_target, kind_known, target, identification, deadline, rng,
    progress: Progress = silent,
) -> Placed:  # fmt: skip
    """Find the records' places, and who may be who; the steps 2 to 5 above."""
    spread = float(np.sqrt(model.known.var(axis=0).mean()))
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

    if not isinstance(model.rule, LipschitzEmbedding):
        # Noise leaves the whole map as it was, but for the noise: one shape is enough.
        shape = flat_map(released, rng)
        shape = majorized(shape, released, part(progress, 0, 0.1))
        least = 0.7 * model.rule.sigma if _in_metres(model.rule) else 1e-4 * spread
        found = rough.search([shape], _TURNS, _SURE, rng, part(progress, 0.1, 0.6))
        tries = []
        for number, onto in enumerate(found[:_TRIES]):
            begin = 0.6 + 0.4 * number / _TRIES
            tries.append(
                place(aligned(shape, onto), model.known, target, identification,
                      max(0.1 * spread, least), least, False,
                      part(progress, begin, begin + 0.4 / _TRIES))
            )  # fmt: skip
        return max(tries, key=lambda one: float(one.confidence.sum()))
    sets, size = model.rule.sets, model.rule.size
    shapes, away, unsure = shapes_of(released, model.coarse[1], rng, part(progress, 0, 0.05))

    def fitted(xy, start, stop) -> tuple[np.ndarray, float]:
        return fit(
            xy, released, away, unsure, sets, size, rng, part(progress, start, stop), _STEPS
        )

    # The fit straightens a map but leaves it turned as it is; the field turns it, and tears it
    # apart where a better map is: they take turns.
    found = best(shapes, _STARTS, _VAGUE, 2, part(progress, 0.05, 0.25))
    shapes = [fitted(xy, 0.25 + 0.12 * n, 0.37 + 0.12 * n)[0] for n, xy in enumerate(found)]
    onto = best(shapes, _TURNS, _SURE, 1, part(progress, 0.49, 0.6))[0]
    rounds: list[Placed] = []
    before = 0.0
    for number in range(_ROUNDS):
        if rounds and deadline is not None and time.monotonic() > deadline:
            break
        begin, share = 0.6 + 0.4 * number / _ROUNDS, 0.4 / _ROUNDS
        xy = fitted(onto, begin, begin + 0.8 * share)[0]
        rounds.append(
            place(aligned(xy, onto), model.known, target, identification, 0.1 * spread,
                  1e-3 * spread)
        )  # fmt: skip
        onto = rounds[-1].places.copy()
        # Every fit begins with other sets, so that errors of the rounds differ.
        mean = np.mean([one.confidence for one in rounds], axis=0)
        sure = supported(
            mean, target, identification, released, model.true, model.samples,
            rounds[-1].error, _WEIGHT, rng, part(progress, begin + 0.8 * share, begin + share),
        )  # fmt: skip
        held = np.flatnonzero(sure > _HELD)
        onto[target[held]] = model.known[identification[held]]
        if number and abs(sure.sum() - before) < _ENOUGH * before:
            break
        before = sure.sum()
    progress(1.0)
    return replace(rounds[-1], confidence=sure)


def _in_metres(rule) -> bool:
    return isinstance(rule, CoordinateNoise) and not rule.in_degrees


def _field(released, learnt, kind_target, kind_known) -> MeanField:
    nodes, density = learnt
    kinds = int(max(kind_target.max(), kind_known.max())) + 1
    counts = np.zeros((kinds + 1, len(nodes.xy)))  # the last row is that of no label
    np.add.at(counts, (kind_known, nodes.of_known), 1)
    counts[-1] = 0
    return MeanField(released, density, nodes, counts[kind_target])


def _refuse_unless_fits(records: int, limit: int | None) -> None:
    need = 120 * records * records
    if limit is None:
        refuse_unless_fits(
            need, "The likelihood attack", "Attack a part of the released table."
        )
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
