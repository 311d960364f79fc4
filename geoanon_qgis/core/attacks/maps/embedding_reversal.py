# SPDX-License-Identifier: GPL-2.0-or-later
"""Undo an embedding to say who is who: from embedded distances to a map, and to matches on it.

1. Draw maps from estimated distances (:mod:`.estimated_distances`) and find by a mean field how
   they lie (:mod:`.reconstruction`); draw one from the matches of a clique of the published
   attack, too, which is better with few records.
2. Fit places and reference sets to the distances (:mod:`.reference_fit`) from each of these, and
   keep the map on which most evidence is found.
3. Match by place and labels (:mod:`.assignment`), let matches confirm each other by exact
   distances (:mod:`.mutual_support`); repeat from 2.

That embedded distances never exceed true ones (contraction) is no rule of its own here: the fit
holds places to it, estimates are never below, and the intervals of the clique hold it anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...runtime import accel
from ...runtime.progress import Late, Progress, interruptible, part
from ..cliques.local import LocalSearch
from ..cliques.product_graph import graph_bytes, product_graph
from .assignment import Placed, chances, place
from .mutual_support import supported
from .reconstruction import MeanField, aligned, maps_of
from .reference_fit import fit
from .registration import registered

if TYPE_CHECKING:
    from ..linkage.compatibility import LipschitzEmbedding
    from ..linkage.intervals import Intervals
    from .deviations import PairDensity
    from .estimated_distances import Estimator
    from .model import Model
    from .reconstruction import Nodes

#: Ways to lay a map that are tried; maps err by any of these parts of the extent.
_WAYS, _ERRORS = 4, (0.02, 0.06, 0.15)
#: Standard deviation of places before anything is matched, and the least, as parts of it.
_WIDTH, _LEAST_WIDTH = 0.1, 1e-3
#: How vague starts of the field's search are, as a part of the extent; maps taken straight.
_VAGUE, _STRAIGHT = 0.8, 2
#: Steps of the clique search, and bytes that its graph may take.
_CLIQUE_STEPS, MOST_GRAPH = 20_000, 200_000_000
#: Evidence of a map that is right as a whole; how much less those have that are averaged with it.
_FOUND, _WORSE = 25.0, 30.0
#: Anchors that hold a map, and rounds that place records by them.
_HOLD, _FROM_ANCHORS = 4, 60
#: Weight of what matches of an embedding say about each other; confidence from which a record is
#: put where its match is; change of what is found below which rounds end.
_WEIGHT, _HELD, _ENOUGH = 0.5, 0.9, 0.03


@dataclass(frozen=True)
class Effort:
    """How long an embedding is worked at.

    Attributes
    ----------
    starts, refined, fields : int
        Starts of the field's search; those that are refined, and taken.
    steps, steps_long : int
        Of a fit of reference sets, and of one that has not found its way yet.
    rounds : int
        Of fitting and matching.
    """

    starts: int = 36
    refined: int = 4
    fields: int = 2
    steps: int = 900
    steps_long: int = 2700
    rounds: int = 4


FULL = Effort()
NO_LINKS = np.zeros((0, 2), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Learnt:
    """What the adversary learns of an embedding before he sees a release.

    Attributes
    ----------
    rule : LipschitzEmbedding
    samples : (m,) and (m,) arrays
        True and released distances of pairs in releases that were made to learn from.
    estimator : Estimator
    coarse, fine : (Nodes, PairDensity)
    intervals : Intervals or None
        Those of the clique attack, for files that it can search.
    """

    rule: LipschitzEmbedding
    samples: tuple[np.ndarray, np.ndarray]
    estimator: Estimator
    coarse: tuple[Nodes, PairDensity]
    fine: tuple[Nodes, PairDensity]
    intervals: Intervals | None


@dataclass(frozen=True, eq=False)
class Fitted:
    """A map after a fit: matched by place, as it was, and what it leaves of the distances."""

    placed: Placed
    straight: np.ndarray
    miss: float

    @property
    def evidence(self) -> float:
        return self.placed.evidence

    @property
    def merit(self) -> tuple[float, float]:
        """Evidence; where there is none, that maps explain the distances tells them apart."""
        return max(self.evidence, 0.0), -self.miss


class Reversal:
    """One release, and how far it has been undone."""

    def __init__(
        self,
        released: np.ndarray,
        model: Model,
        learnt: Learnt,
        kinds: tuple[np.ndarray, np.ndarray],
        candidates: tuple[np.ndarray, np.ndarray],
        rng: np.random.Generator,
        progress: Progress,
        effort: Effort = FULL,
        links: np.ndarray = NO_LINKS,
        begin: np.ndarray = NO_LINKS,
    ):
        """Take what the attack has to work with; :meth:`run` does all work.

        Parameters
        ----------
        released : (n1, n1) array
        model : Model
        learnt : Learnt
        kinds : (n1,) and (n2,) int arrays
            Classes of labels of both files; negative for none.
        candidates : (v,) and (v,) int arrays
            Released records and known entities that have the same labels.
        rng : numpy.random.Generator
        progress : Progress
        effort : Effort
        links : (l, 2) int array
            Known links. They are among the candidates, and their records and entities in no other.
        begin : (m, 2) int array
            Matches that another attack found: a map is drawn from them first, and none is held.
        """
        self._effort, self._learnt = effort, learnt
        self._released, self._model, self._kinds = released, model, kinds
        self._candidates, self._rng, self._progress = candidates, rng, progress
        self._links, self._begin = links, begin
        self._linked = np.isin(candidates[0], links[:, 0])
        self._spread = float(np.sqrt(model.known.var(axis=0).mean()))
        # What is known so far: maps by the fits that count, and the confidence they gave last.
        self._rounds: list[Fitted] = []
        self._sure: np.ndarray | None = None

    def run(self) -> tuple[np.ndarray, bool]:
        """Confidence of all candidates, (v,), and whether the progress callback said Late.

        It is then that of what was found before.
        """
        late = False
        try:
            self._go()
        except Late:
            late = True
        sure = self._sure
        if not self._rounds:
            return np.zeros(len(self._candidates[0])), late
        if sure is None:
            sure = max(self._rounds, key=lambda one: one.merit).placed.confidence
        return sure * chances([max(one.evidence for one in self._rounds)])[0], late

    def _go(self) -> None:
        target, identification = self._candidates
        known = self._model.known
        self._estimated = self._learnt.estimator.of(self._released, self._part(0, 0.03))
        self._start()
        rounds = self._rounds = [max(self._rounds, key=lambda one: one.merit)]
        before = -1.0
        for number in range(self._effort.rounds + 1):
            share = 0.55 / (self._effort.rounds + 1)
            first = 0.45 + share * number
            # Every fit begins with other sets, so that errors of the rounds differ.
            top = max(rounds, key=lambda one: one.merit)
            good = [one.placed for one in rounds if one.evidence > top.evidence - _WORSE]
            mean = np.mean([one.confidence for one in good], axis=0)
            mean[self._linked] = 1.0
            sure = self._sure = supported(
                mean,
                target,
                identification,
                self._released,
                self._model.true,
                self._learnt.samples,
                top.placed.error,
                _WEIGHT,
                self._rng,
                self._part(first, first + 0.2 * share),
            )
            sure[self._linked] = 1.0
            found = top.evidence > _FOUND
            settled = found and abs(sure.sum() - before) < _ENOUGH * before
            if number == self._effort.rounds or (number > 1 and settled):
                break
            before = sure.sum()
            # Where nothing is found, matches only pull the map about.
            onto = (top.placed.places if top.evidence > 0 else top.straight).copy()
            if found:
                held = np.flatnonzero(sure > _HELD)
                onto[target[held]] = known[identification[held]]
            rounds.append(
                self._fitted(
                    onto,
                    first + 0.2 * share,
                    first + share,
                    self._effort.steps if found else self._effort.steps_long,
                )
            )
        self._progress(1.0)

    def _start(self) -> None:
        """Make maps to go on from; no more once one is found to be right."""
        # Known links are right, a near group mostly, and a clique is mostly made of others.
        for first, members in self._anchors():
            if len(members[0]) >= _HOLD and self._started(members, first):
                return
        starts = self._rounds
        maps = maps_of(self._estimated, self._rng, self._part(0.15, 0.18))
        turned = self._turned(maps, self._part(0.18, 0.25))
        # The maps are straighter than what the field makes of them; it knows how they lie.
        begins = [aligned(one, turned[0]) for one in maps[:_STRAIGHT]] + turned
        for number, xy in enumerate(begins):
            first = 0.25 + 0.2 * number / len(begins)
            starts.append(self._fitted(xy, first, first + 0.2 / len(begins)))
            if starts[-1].evidence > _FOUND:
                break

    def _anchors(self) -> Iterator[tuple[float, tuple[np.ndarray, np.ndarray]]]:
        """Matches that a map may be drawn from, and the progress at which that begins."""
        if len(self._links) >= _HOLD:
            yield 0.03, (self._links[:, 0], self._links[:, 1])
            return
        yield 0.03, (self._begin[:, 0], self._begin[:, 1])
        yield 0.1, self._clique(self._part(0.08, 0.1))

    def _started(self, members: tuple[np.ndarray, np.ndarray], first: float) -> bool:
        """Fit a map that is drawn from matches; whether it is right as a whole."""
        # It bears those matches out, right or wrong: only one that was fitted anew from there, with
        # none of them held, is evidence.
        guide = self._fitted(self._by_anchors(members, first), first, first + 0.025)
        if guide.evidence <= 0:
            return False
        self._rounds.append(self._fitted(guide.placed.places, first + 0.025, first + 0.05))
        return self._rounds[-1].evidence > _FOUND

    def _part(self, start: float, stop: float) -> Progress:
        return part(self._progress, start, stop)

    def _turned(self, maps: list[np.ndarray], progress: Progress) -> list[np.ndarray]:
        """Maps as the field turns them; it also tears them apart where that is better."""
        rough, sharp = (
            interruptible(partial(self._field, *way), progress)
            for way in (self._learnt.coarse, self._learnt.fine)
        )
        found = rough.search(maps, self._effort.starts, _VAGUE, self._rng, part(progress, 0, 0.6))
        refined = []
        for number, xy in enumerate(found[: self._effort.refined]):
            refined.append(sharp.refine(xy, part(progress, 0.6 + 0.1 * number, 0.7 + 0.1 * number)))
        refined.sort(key=lambda one: -one[0])
        return [xy for _, xy in refined[: self._effort.fields]]

    def _field(self, nodes: Nodes, density: PairDensity) -> MeanField:
        kind_target, kind_known = self._kinds
        kinds = int(max(kind_target.max(), kind_known.max())) + 1
        counts = np.zeros((kinds + 1, len(nodes.xy)))  # the last row is that of no label
        np.add.at(counts, (kind_known, nodes.of_known), 1)
        counts[-1] = 0
        return MeanField(self._estimated.classes, density, nodes, counts[kind_target])

    def _fitted(self, xy, first: float, last: float, steps: int | None = None) -> Fitted:
        """Fit, and lay the map as it lies, or anew where that shows little."""
        rule, estimated = self._learnt.rule, self._estimated
        straight, miss = fit(
            xy,
            self._released,
            estimated.away,
            estimated.unsure,
            rule.sets,
            rule.size,
            self._rng,
            self._part(first, first + 0.8 * (last - first)),
            steps or self._effort.steps,
        )
        straight = aligned(straight, xy)
        found = self._placed([straight], last)
        if found.evidence <= _FOUND:
            maps = []
            for error in _ERRORS:
                maps += registered(
                    straight,
                    self._model.known,
                    *self._candidates,
                    error * self._spread,
                    _WAYS,
                    self._rng,
                    lambda _: self._progress(last),
                )
            found = self._placed(maps, last, found)
        return Fitted(found, straight, miss)

    def _placed(self, maps, fraction: float, *others: Placed) -> Placed:
        """The one on which most evidence is found."""
        tried = list(others)
        for xy in maps:
            tried.append(
                place(
                    xy,
                    self._model.known,
                    *self._candidates,
                    _WIDTH * self._spread,
                    _LEAST_WIDTH * self._spread,
                    progress=lambda _: self._progress(fraction),
                )
            )
        return max(tried, key=lambda one: one.evidence)

    def _clique(self, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Records and entities that a large clique of the published attack matches."""
        none, intervals = np.zeros(0, dtype=np.int64), self._learnt.intervals
        if intervals is None or graph_bytes(len(self._candidates[0])) > MOST_GRAPH:
            return none, none
        of_target, of_known = (
            [None if kind < 0 else int(kind) for kind in kinds] for kinds in self._kinds
        )
        graph = product_graph(
            of_target,
            of_known,
            self._released,
            intervals.lower,
            intervals.upper,
            closed=True,
            memory_limit=2**62,
            progress=progress,
        )
        search = LocalSearch(graph.rows, self._rng)
        while not search.go_on(2_000_000 if accel.enabled() else 20_000, _CLIQUE_STEPS):
            progress(1.0)
        members = search.clique
        return graph.target[members], graph.identification[members]

    def _by_anchors(self, anchors: tuple[np.ndarray, np.ndarray], told: float) -> np.ndarray:
        """Places of all records by their distances to those that are matched.

        Anchors are where their entities are for the others, not for themselves; and those that
        contradict the others fade (weights of Geman & McClure 1987), as some matches are wrong.
        """
        records, there = anchors[0], self._model.known[anchors[1]]
        away, unsure = self._estimated.away, self._estimated.unsure
        wanted, doubt = away[:, records], unsure[:, records] + 0.02 * away[:, records]
        doubt = np.maximum(doubt, 1e-9 * max(float(away.max()), 1e-300))
        own = np.zeros(wanted.shape, dtype=bool)
        own[records, np.arange(len(records))] = True
        near = np.where(own, np.inf, wanted).argmin(axis=1)
        xy = there[near] + self._rng.normal(size=(len(away), 2)) * 0.3 * wanted.mean()
        for number in range(_FROM_ANCHORS):
            self._progress(told)
            way = xy[:, None, :] - there
            now = np.maximum(np.sqrt((way**2).sum(axis=2)), 1e-9)
            miss = (now - wanted) / doubt
            # At first everybody is heard.
            scale = max(1.0, 10.0 * (1 - 2 * number / _FROM_ANCHORS))
            weight = np.where(own, 0, 1 / (doubt * (1 + (miss / scale) ** 2)) ** 2)
            goal = there + way * (wanted / now)[:, :, None]
            xy = (weight[:, :, None] * goal).sum(axis=1) / weight.sum(axis=1)[:, None]
        return xy
