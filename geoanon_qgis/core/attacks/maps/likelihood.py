# SPDX-License-Identifier: GPL-2.0-or-later
"""An attack on released distances that is stronger than the published one.

The published attack (:mod:`..linkage.linkage`) asks of two matches at a time whether they agree, yes or
no. This one weighs: it knows how likely a released distance is at any true distance, it uses
the distances of *all* released records, known or not, to draw a map of them, and then asks who
lives where they are and has the same labels. It says how sure it is of every match, and claims
only those of which it is sure enough. It has no parameter alpha.

1. Learn what a release says of true distances by releasing the known file
   (:mod:`.estimated_distances`, :mod:`.deviations`).
2. Noise leaves a map as it was, but for the noise: lay it over that of the known entities
   (:mod:`.registration`) and match by place and labels (:mod:`.assignment`); that is all.
3. An embedding is undone first (:mod:`.embedding_reversal`), from what the near group found if it
   found any (:mod:`..linkage.near_group`).

Maps are compared by their evidence against nobody's being known (:class:`.assignment.Placed`),
which also lowers the confidence of what may be chance. It assumes that released records come
from where known entities live, as every use of the papers' attack does.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np

from ...runtime.errors import InputError
from ...runtime.memory import refuse_unless_fits
from ...runtime.progress import Late, Progress, interruptible, part, silent, until
from ...runtime.wording import Sentence, mark, number_of
from ..cliques.product_graph import graph_bytes, label_classes, vertices_of
from ..linkage.compatibility import LipschitzEmbedding
from ..linkage.inputs import Files
from ..linkage.intervals import contracts, true_distances
from ..linkage.known_links import checked_links, not_ruled_out, room_of
from ..linkage.near_group import near_group
from ..linkage.near_result import NearLimits
from ..linkage.result import LIKELIHOOD, NO_VERTICES, LinkageResult
from ..linkage.several_releases import rule_of_several
from .assignment import Placed, chances, one_to_one
from .embedding_reversal import FULL, MOST_GRAPH, NO_LINKS, Effort, Reversal
from .model import LEAST, Model, prepare
from .noise_matches import place_noisy
from .population import Population
from .reconstruction import flat_map, majorized
from .registration import registered

#: Least confidence of a match that is claimed.
THRESHOLD = 0.5
#: Ways to lay a map that are tried, and times that others are drawn where none holds; evidence
#: that ends this.
_WAYS, _DRAWS, _HOLDS = 8, 4, 10.0
#: Errors of a place within which a way to lay a map was tried before.
_AGAIN = 2.0
#: Least confidence of a near match that a map is drawn from.
_BEGIN = 0.8
_TOO_FEW = mark(
    "A map of the records cannot be made from so few: the likelihood attack needs eight released"
    " records and eight known entities at least. Use the clique attack."
)
_ONE_PLACE = mark(
    "All known entities are at one place: a map of them tells nobody from anybody. Use the clique"
    " attack."
)
_NOBODY = mark(
    "No match is sure enough to be claimed. The matches with the highest confidence are left out"
    " because they are more likely wrong than right, or below the threshold that was asked for."
)


def likelihood_attack(
    files: Files,
    *,
    threshold: float = THRESHOLD,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    rng: np.random.Generator,
    progress: Progress = silent,
    effort: Effort = FULL,
) -> LinkageResult:
    """Link a released table with a file of known entities by likelihood.

    Parameters
    ----------
    files : Files
    threshold : float
        Least confidence of a match that is claimed, between 0 and 1.
    time_limit, memory_limit : float and int, optional
        See :func:`link_by_likelihood`.
    rng : numpy.random.Generator
    progress : Progress
    effort : Effort
        For embeddings.

    Returns
    -------
    LinkageResult
        ``support`` is the confidence of each match. ``edges`` is 0, ``in_every`` and
        ``search`` are None: there is no clique, and nothing to be proven.

    Raises
    ------
    InputError
        If the parts do not fit together, a known link cannot be true, the rule does not say how
        distances came about, or the work does not fit into memory.
    """
    given, metric = files.settled(), files.metric
    square, links, room = given.square(), files.links, np.inf
    if len(files.known_links):
        true = true_distances(given.points, metric)
        if contracts(files.rule):
            room = room_of(true, given.rounding)
        links = checked_links(files.known_links, square, true, room, given.names, unit=metric.unit)
    model = prepare(
        rule_of_several(files.rule, given.shares),
        given.points,
        metric,
        rng,
        part(progress, 0, 0.25),
        len(given.matrix),
    )
    # A distance that was rounded is taken to have stood in the middle of where it may have.
    square += given.length * (files.rounding[0] - files.rounding[1]) / 2
    np.fill_diagonal(square, 0)
    begin, time_limit = near_matches(files, time_limit, rng, part(progress, 0.25, 0.3))
    return link_by_likelihood(
        files.target_labels,
        np.maximum(square, 0),
        files.known_labels,
        model,
        rng,
        part(progress, 0.3, 1.0),
        threshold=threshold,
        time_limit=time_limit,
        memory_limit=memory_limit,
        effort=effort,
        links=links,
        room=room,
        begin=begin,
    )


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
    effort: Effort = FULL,
    links: np.ndarray | None = None,
    room: float = np.inf,
    begin: np.ndarray = NO_LINKS,
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
        Seconds after which the attack ends with what it has found, and says so (``cut_off``).
    memory_limit : int, optional
        Bytes.
    effort : Effort
        For embeddings.
    links : (l, 2) int array, optional
        Known links that can be true; see :func:`..linkage.known_links.checked_links`.
    room : float
        By how much a released distance may exceed the true one.
    begin : (m, 2) int array
        What the near group found in an embedding, see :func:`near_matches`: a map is drawn from it
        first. It is no evidence.

    Returns
    -------
    LinkageResult
    """
    if not 0 <= threshold <= 1:
        raise InputError(
            "The least confidence is {threshold:g}; it has to be between 0 and 1.",
            threshold=threshold,
        )
    if links is None:
        links = np.zeros((0, 2), dtype=np.int64)
    kinds, target, identification = _candidates(
        target_labels, released, identification_labels, model.true, links, room
    )
    if len(target) == len(links):
        return _unable(target, identification, NO_VERTICES)
    if model.too_few or len(released) < LEAST:
        return _unable(target, identification, _TOO_FEW)
    if not model.true.any():
        return _unable(target, identification, _ONE_PLACE)
    _refuse_unless_fits(len(released), model, len(target), memory_limit)
    released = np.asarray(released, dtype=np.float64)
    asked = until(progress, None if time_limit is None else time.monotonic() + time_limit)
    if model.learnt is not None:
        candidates = target, identification
        undone = Reversal(
            released, model, model.learnt, kinds, candidates, rng, asked, effort, links, begin
        )
        confidence, late = undone.run()
    else:
        confidence, late = _noisy(released, model, kinds, (target, identification), rng, asked)
    chosen = one_to_one(target, identification, confidence, threshold)
    found = _result(target, identification, confidence, chosen, "", late).holding(links)
    return found if found.clique else replace(found, note=_NOBODY)


def near_matches(
    files: Files, time_limit: float | None, rng: np.random.Generator, progress: Progress = silent
) -> tuple[np.ndarray, float | None]:
    """Return what the near group is surest of in an embedding, to begin with; else nothing.

    And the seconds that are left.

    Parameters
    ----------
    files : Files
    time_limit : float or None
        Of the whole attack, of which it takes a quarter at most.
    rng : numpy.random.Generator
    progress : Progress

    Returns
    -------
    (m, 2) int array and float or None
    """
    if not isinstance(files.rule, LipschitzEmbedding) or len(files.known_links):
        return NO_LINKS, time_limit
    started = time.monotonic()
    limits = NearLimits(seconds=None if time_limit is None else time_limit / 4)
    found = near_group(files, threshold=_BEGIN, limits=limits, rng=rng, progress=progress)
    if time_limit is not None:
        time_limit = max(time_limit - (time.monotonic() - started), 0.0)
    return found.matches, time_limit


def _candidates(target_labels, released, identification_labels, true, links, room: float):
    """Classes of labels, and who may be who; those of a known link may be nobody else."""
    kinds = label_classes(target_labels, identification_labels)[:2]
    if len(links):
        own = max(int(one.max(initial=-1)) for one in kinds) + 1 + np.arange(len(links))
        for kind, rows in zip(kinds, links.T):
            kind[rows] = own
    target, identification = vertices_of(*kinds, 2**62)
    if len(links):
        kept = not_ruled_out(target, identification, links, released, true, room)
        kept |= np.isin(target, links[:, 0])
        target, identification = target[kept], identification[kept]
    return kinds, target, identification


def _noisy(released, model: Model, kinds, candidates, rng, progress: Progress):
    """Confidence of all candidates: every way to lay the map counts by its evidence.

    And whether the progress callback said Late; it is then that of what was found before.
    """
    placed: list[Placed] = []
    late = False
    try:
        _lay_maps(placed, released, model, kinds, candidates, rng, progress)
    except Late:
        late = True
    placed.sort(key=lambda one: -one.evidence)
    distinct: list[Placed] = []
    for one in placed:
        if all(_off(one.places, other) > one.error for other in distinct):
            distinct.append(one)
    confidence = np.zeros(len(candidates[0]))
    for one, weight in zip(distinct, chances([one.evidence for one in distinct])):
        confidence += weight * one.confidence
    return confidence, late


def _lay_maps(placed: list[Placed], released, model, kinds, candidates, rng, progress):
    """Draw maps and add the ways to lay them, until one holds."""
    shape = interruptible(lambda: flat_map(released, rng), progress)
    shape = majorized(shape, released, part(progress, 0, 0.1))
    least = 1e-9 * float(np.abs(shape).max())
    errors = np.stack([np.maximum(model.errors[0], least**2), model.errors[1]])
    error = max(model.error, least)
    population = Population(model.known, kinds[1], error, part(progress, 0.1, 0.2))
    best = -np.inf
    for draw in range(_DRAWS):
        steps = part(progress, 0.2 + 0.8 * draw / _DRAWS, 0.2 + 0.8 * (draw + 1) / _DRAWS)
        maps = registered(
            shape,
            model.known,
            candidates[0],
            candidates[1],
            error,
            _WAYS,
            rng,
            part(steps, 0, 0.6),
        )
        # What was drawn before and lies as this does would end where that did.
        fresh = [xy for xy in maps if all(_off(xy, one) > _AGAIN * error for one in placed)]
        for number, xy in enumerate(fresh):
            one = part(steps, 0.6 + 0.4 * number / _WAYS, 0.6 + 0.4 * (number + 1) / _WAYS)
            placed.append(place_noisy(xy, model.known, candidates, errors, population, one))
        before, best = best, max([best, *(one.evidence for one in placed)])
        if best > _HOLDS or (best > 0 and best < before + 1):  # others were drawn, and it stays
            break
    progress(1.0)


def _off(xy: np.ndarray, one: Placed) -> float:
    """How far places are from others on either axis."""
    return float(np.sqrt(((xy - one.places) ** 2).mean()))


def _refuse_unless_fits(records: int, model: Model, candidates: int, limit: int | None) -> None:
    known, square = len(model.known), records * records
    searched = model.learnt is not None and model.learnt.intervals is not None
    graph = graph_bytes(candidates) if searched else 0
    need = 260 * square if graph > MOST_GRAPH else max(260 * square, 110 * square + graph)
    # Distances among all known entities tell how densely they live.
    need += 30 * known * max(records, known) + 250 * candidates
    if limit is None:
        refuse_unless_fits(
            need,
            number_of(records, "released record", "released records"),
            Sentence("the likelihood attack"),
            Sentence("Attack a part of the released table."),
        )
    elif need > limit:
        raise InputError(
            "The likelihood attack on {records} takes {need:,.0f} MB, but only {limit:,.0f} "
            "MB may be used. Attack a part of the released table.",
            records=number_of(records, "record", "records"),
            need=need / 1e6,
            limit=limit / 1e6,
        )


def _unable(target, identification, note: str) -> LinkageResult:
    nothing = _result(target, identification, np.zeros(len(target)), np.zeros(0, int), note)
    return replace(nothing, unable=True)


def _result(
    target, identification, confidence, chosen, note: str, cut_off: bool = False
) -> LinkageResult:
    # The surest candidate of each record stands first among its own.
    order = np.lexsort((-confidence, target))
    best = order[np.unique(target[order], return_index=True)[1]]
    return LinkageResult(
        matches=np.stack([target[chosen], identification[chosen]], axis=1).astype(np.int64),
        in_every=None,
        support=confidence[chosen],
        vertices=len(target),
        edges=0,
        search=None,
        coverage=None,
        note=note,
        cut_off=cut_off,
        guesses=np.stack([target[best], identification[best]], axis=1).astype(np.int64),
        chance=confidence[best],
        name=LIKELIHOOD,
    )
