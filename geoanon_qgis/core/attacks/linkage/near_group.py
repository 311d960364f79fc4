# SPDX-License-Identifier: GPL-2.0-or-later
"""The near group: an attack on released distances by those who live near each other.

A Lipschitz embedding keeps small distances nearly exactly; that is what it is for. People of a
release who live near each other are therefore a group of matches that all support each other much
more than chance can make them. The published attack (:mod:`.linkage`) accepts far pairs, too, whose
intervals are wide, and of which its largest clique is made.

1. What a released distance says for two matches is learnt (:mod:`.near_weights`).
2. The strongest pairs of matches make a sparse graph (:mod:`.near_edges`); its heaviest cliques are
   taken one after the other (:mod:`.near_cliques`).
3. The same search with labels that nobody has says which of them chance could make
   (:mod:`.near_null`).
4. From the others grows who else is at the right distances from them (:mod:`.near_growth`).
5. Each match gets a probability to be right, without any truth (:mod:`.near_confidence`).

Released records that the adversary knows already (``known_links``) are held fixed: nobody may
contradict them, and growth begins with them.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from ...runtime.errors import InputError
from ...runtime.memory import refuse_unless_fits
from ...runtime.progress import Late, Progress, interruptible, part, shares, silent, until, weighted
from ...runtime.wording import Sentence, mark, number_of
from .compatibility import AbsoluteTolerance
from .inputs import Files
from .intervals import contracts, true_distances
from .known_links import checked_links, near_enough, room_of
from .near_belief import OPEN, SURE, Belief
from .near_cliques import FLOOR, NearClique, Search, disjoint_cliques
from .near_confidence import Signs, Trial, after_growth, confidence, how_sure
from .near_edges import Candidates, Neighbours, near_graph
from .near_growth import Around, Grown, grow
from .near_labels import GO_WITH_PLACES, alike
from .near_null import EVEN_WIDTH, Null, moved_places
from .near_result import USUAL, NearGroup, NearGroupResult, NearLimits
from .near_signs import signs_of, tried
from .near_weights import (
    Contraction,
    Deviations,
    Weighing,
    dithered,
    learn,
    own_release,
    shrunk_by,
    surroundings,
    weighing,
)
from .shared_labels import IntersectingSets

#: Groups looked for; of each permutation of the labels as well.
_GROUPS, _CHANCE_GROUPS = 6, 2
#: Groups looked for where graphs are dense and a group has most of those in both files.
_EVEN_GROUPS = 2
#: Share of the known pairs that are neighbours; epsilons tried, as shares of their reach, and
#: neighbours of a group in epsilons.
_NEAR, _EPSILONS, _REACH = 0.12, 2.0 ** -np.arange(2, 9), 40.0
#: Bytes for a pair of released records, of known ones, of one and the other, and a candidate.
_BYTES = 90.0, 60.0, 50.0, 300.0

NOBODY = mark(
    "Nothing stands out against chance: with labels that nobody has, groups as heavy are found."
)


def near_group(
    files: Files,
    *,
    threshold: float = 0.5,
    limits: NearLimits = USUAL,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> NearGroupResult:
    """Link a released table with a file of known entities by those who live near each other.

    Parameters
    ----------
    files : Files
        Of the rule, that it only shortens distances, at least (:class:`.near_weights.Contraction`).
    threshold : float
        Least confidence of a match that is claimed, between 0 and 1.
    limits : NearLimits
    rng : numpy.random.Generator
    progress : Progress
        May raise Cancelled.

    Returns
    -------
    NearGroupResult

    Raises
    ------
    InputError
        If the parts do not fit together, a known link cannot be true, or the work does not fit
        into memory.
    """
    given = files.settled()
    if not 0 <= threshold <= 1:
        raise InputError(
            "The least confidence is {threshold:g}; it has to be between 0 and 1.",
            threshold=threshold,
        )
    candidates = Candidates.of_labels(files.target_labels, files.known_labels)
    if not len(candidates):
        return NearGroupResult.nobody()
    _refuse_unless_fits(len(given.matrix), len(given.points), len(candidates))
    asked = until(progress, None if limits.seconds is None else time.monotonic() + limits.seconds)
    attack = _Attack(
        given.square(),
        given.shares,
        given.points,
        files.metric,
        files.rule,
        given.rounding,
        candidates,
        limits,
        rng,
    )
    try:
        attack.run(files.known_links, given.names, asked)
    except Late:
        attack.stopped = "time"
    return attack.result(threshold)


class _Attack:
    """One attack; what it has found so far is there whenever time runs out."""

    def __init__(
        self, released, shares, points, metric, rule, step, candidates, limits, rng
    ) -> None:
        self.released, self.shares = released, shares
        self.points, self.metric, self.rule = points, metric, rule
        self.step, self.candidates, self.limits, self.rng = step, candidates, limits, rng
        self.epsilon = float("nan")
        self.links = np.zeros((0, 2), dtype=np.int64)
        self.search = Search([], 0, True)
        self.null = Null((), (), 0)
        self.dealt: list[NearClique] = []
        self.groups: list[NearGroup] = []
        self.grown: Grown | None = None
        self.doubt = 0.0
        self.sure = np.zeros(0)
        self.signs: Signs | None = None
        self.trial: Trial | None = None
        self.stopped = ""
        self.looks = self.steps = 0
        self.proven = False

    def run(self, known_links, names, progress: Progress) -> None:
        """Go through the stages."""
        preparing, learning, searching, chance, judging, growing = weighted(
            progress, 15, 15, 15, 20, 15, 20
        )
        true = true_distances(self.points, self.metric, preparing)
        self.square = dithered(self.released, self.step, self.rng)
        background = interruptible(lambda: surroundings(self.square), preparing, 1.0)
        self.true, self.background = true, background
        self.alike = alike(self.candidates.kind_known, true)
        # Where distances may be too long and labels go with places, strangers next door have the
        # labels of the known and stand as near as the noise reaches: labels that are dealt out
        # among all hide that chance. Where they tell nothing they hide all of it.
        goes = self.alike > GO_WITH_PLACES and not contracts(self.rule)
        self.moves = goes or not self.candidates.tell
        deviations, searched = self._deviations(known_links, names, learning, searching)
        if searched is None:
            self._use(deviations, searching)
            searched = self._cliques(self.weighing, self.candidates, self.open, _GROUPS, searching)
        self.search = searched
        self._chance(self.limits.repeats, chance)
        around = self._around()
        self._believe(around, judging)
        self._grow(around, growing)
        self.proven = self.search.proven

    def _use(self, deviations: Deviations, progress: Progress) -> None:
        """Weigh by these deviations from now on."""
        true = self.true

        def use() -> None:
            self.weighing = weighing(self.square, true, deviations, self.background)
            self.neighbours = Neighbours.of(self.weighing, self.candidates.kind_target)
            self.open = self._open(self.candidates, true, deviations)
            linked = np.isin(self.candidates.target, self.links[:, 0])
            linked |= np.isin(self.candidates.known, self.links[:, 1])
            self.alive = self.open & ~linked

        interruptible(use, progress, 0.0)

    def _open(self, candidates: Candidates, true, deviations: Deviations) -> np.ndarray:
        """Which candidates contradict no known link; those of linked records are among them.

        Groups are looked for, and held against chance, as if nobody were linked: links that live
        near each other make a group by any labels, and one that lost its linked members is light.
        """
        return near_enough(
            candidates.target, candidates.known, self.links, self.released, true, deviations.above
        )

    def _checked(self, known_links, names) -> np.ndarray:
        room = room_of(self.true, self.step) if contracts(self.rule) else np.inf
        return checked_links(
            known_links, self.released, self.true, room, names, unit=self.metric.unit
        )

    def _deviations(self, known_links, names, learning: Progress, searching: Progress):
        """What is known of deviations; the cliques, if finding it out has found them, too."""
        if not isinstance(self.rule, Contraction):
            deviations = learn(
                self.rule,
                self.points,
                self.metric,
                self.step,
                self.shares,
                self.rng,
                learning,
            )
            self.links = self._checked(known_links, names)
            return deviations, None
        upper = self.true[np.triu_indices(len(self.true), 1)]
        near = float(np.quantile(upper, _NEAR)) if len(upper) else 1.0
        tried = [self.rule.epsilon] if self.rule.epsilon else (near * _EPSILONS).tolist()
        laws = [shrunk_by(one, min(near, _REACH * one), self.step) for one in tried]
        self.links = self._checked(known_links, names)
        self.epsilon = tried[0]
        if len(tried) == 1:
            return laws[0], None
        return self._epsilon(tried, laws, learning, searching)

    def _epsilon(self, tried, laws, learning: Progress, searching: Progress):
        """Take the epsilon whose heaviest clique stands out most against one by chance."""
        most, best = -np.inf, (tried[0], laws[0], Search([], 0, True))
        dealt = self._dealt()
        learning(1.0)
        for epsilon, law, steps in zip(tried, laws, shares(searching, len(tried))):
            first, second = shares(steps, 2)
            self._use(law, first)
            found = self._cliques(self.weighing, self.candidates, self.open, _GROUPS, first)
            chance = self._by_chance(dealt, second)
            lead = _heaviest(found.cliques) - _heaviest(chance.cliques)
            if lead > most:
                most, best = lead, (epsilon, law, found)
        self.epsilon, law, found = best
        self._use(law, part(searching, 1.0, 1.0))
        return law, found

    def _cliques(self, weights: Weighing, candidates, alive, number: int, progress: Progress):
        """The heaviest cliques; counts the work."""
        edges, search = weighted(progress, 2, 1)
        neighbours = self.neighbours if weights is self.weighing else None
        graph = near_graph(weights, candidates, alive, edges, self.limits.looks, neighbours)
        even = weights.deviations.even
        number = min(number, _EVEN_GROUPS) if even else number
        found = disjoint_cliques(graph, candidates, number, self.limits.steps, search, even)
        self.looks += graph.looks
        self.steps += found.work
        return found

    def _dealt(self):
        """Labels dealt out again, or places moved where those say nothing of chance, or in turn."""
        if not self.moves or (self.candidates.tell and self.null.repeats % 2):
            order = self.rng.permutation(len(self.points))
            return self.candidates.relabelled(order), None
        moved = moved_places(self.points, self.true, self.links[:0, 1], self.rng)
        return self.candidates, true_distances(moved, self.metric)

    def _by_chance(self, dealt, progress: Progress) -> Search:
        """Cliques with labels, or at places, that nobody has."""
        candidates, moved = dealt
        weights, law = self.weighing, self.weighing.deviations
        if moved is not None:
            weights = interruptible(
                lambda: weighing(self.square, moved, law, self.background), progress, 0.0
            )
        alive = self._open(candidates, weights.known, weights.deviations)
        return self._cliques(weights, candidates, alive, _CHANCE_GROUPS, progress)

    def _chance(self, repeats: int, progress: Progress) -> None:
        for steps in shares(progress, repeats):
            self.dealt += self._by_chance(self._dealt(), steps).cliques
            share = EVEN_WIDTH if self.weighing.deviations.even else 0.0
            self.null = Null.of(self.dealt, self.null.repeats + 1, share)

    def _believe(self, around: Around, progress: Progress) -> None:
        """Take the groups that chance hardly makes, the heaviest first."""
        growing, more = weighted(progress, 1, 2)
        open_to_all = replace(around, alive=self.open, links=self.links[:0])
        belief = Belief(self.search.cliques, open_to_all, not contracts(self.rule))
        belief.judge(self.null)
        even = self.weighing.deviations.even  # where what grows tells nothing new
        if belief.best > SURE and not even:
            belief.grow(growing)
            belief.judge(self.null)
        if SURE < belief.best <= OPEN:
            self._chance(self.limits.more, more)
            belief.judge(self.null)
        targets: set[int] = set()
        entities: set[int] = set()
        for one, chance in belief.believed():
            group = self._group(one, chance)
            t, i = group.matches.T
            if not len(t) or targets & set(t.tolist()) or entities & set(i.tolist()):
                continue
            targets |= set(t.tolist())
            entities |= set(i.tolist())
            self.groups.append(group)

    def _group(self, one: NearClique, chance: float) -> NearGroup:
        found = one.members[self.alive[one.members]]
        t, i = self.candidates.target[found], self.candidates.known[found]
        known, seen = self.true[np.ix_(i, i)], self.released[np.ix_(t, t)]
        return NearGroup(
            np.stack([t, i], axis=1),
            one.weight,
            chance,
            float(np.abs(known - seen).max(initial=0.0)),
            float(known.max(initial=0.0)),
        )

    def _around(self) -> Around:
        decoy = None
        if self.moves:
            moved = moved_places(self.points, self.true, self.links[:0, 1], self.rng)
            places = self.metric.coordinates(moved)
            own = self.metric.coordinates(self.points)
            apart = self.metric.nearest_in_sets(own, places[:, None, :], silent)
            decoy = weighing(self.square, apart, self.weighing.deviations, self.background)
        often = self.alike if self.moves and self.candidates.tell else 1.0
        return Around(self.weighing, self.candidates, self.alive, self.links, decoy, often)

    def _grow(self, around: Around, progress: Progress) -> None:
        """Grow from all groups and links together."""
        start = np.concatenate([np.zeros((0, 2), np.int64), *(one.matches for one in self.groups)])
        if len(start) + len(self.links) < 2:
            return
        doubts = [np.full(len(one.matches), one.by_chance) for one in self.groups]
        growing, trying = weighted(progress, 2, 1)
        grown = grow(around, start, np.concatenate([np.zeros(0), *doubts]), growing)
        # With known links, growth rests on what is certain.
        self.doubt = 0.0
        if not len(self.links):
            places = self.candidates.first[start[:, 0]] + self.candidates.rank[start[:, 1]]
            least = min(one.by_chance for one in self.groups)
            extra = ~np.isin(grown.matches, places)
            self.doubt = after_growth(least, grown.by_chance[: grown.kept][extra])
        self.sure = confidence(grown.by_chance, self.doubt)
        signs, law = signs_of(around, grown), self.weighing.deviations
        self.signs = signs
        if not isinstance(self.rule, AbsoluteTolerance):  # which no curve of signs was fitted to
            self.trial = self._tried(around, grown, trying) if law.contracts else None
            self.sure = how_sure(
                signs,
                self.doubt,
                law,
                shared_labels=isinstance(self.rule, IntersectingSets),
                moved=self.moves,
                trial=self.trial,
                records=len(self.released),
            )
        self.grown = grown

    def _tried(self, around: Around, grown: Grown, progress: Progress) -> Trial:
        """What the attack would say of an embedding of the known people."""
        releasing, trying = shares(progress, 2)
        rule, law = self.rule, self.weighing.deviations
        if isinstance(rule, Contraction):
            rule = Contraction(law.least)
        given = (rule, self.points, self.metric, self.step, self.shares, self.rng, releasing)
        released = own_release(*given)
        # Of far distances nothing is known by a tolerance: they contradict nobody.
        released[law.kinds_of(self.true) >= law.far] = 0.0
        return tried(around, grown, released, trying)

    def result(self, threshold: float) -> NearGroupResult:
        """Put together what was found."""
        pairs = np.zeros((0, 2), np.int64)
        sure, doubt = self.sure, self.doubt
        if self.grown is not None:
            some = self.grown.candidates
            pairs = np.stack([self.candidates.target[some], self.candidates.known[some]], axis=1)
        elif self.groups:  # time ran out before they were looked at one by one
            pairs = np.concatenate([one.matches for one in self.groups])
            doubt = max(one.by_chance for one in self.groups)
            sure = confidence(np.zeros(len(pairs)), doubt)
        return NearGroupResult.of(
            pairs,
            sure,
            threshold,
            signs=self.signs,
            trial=self.trial,
            doubt=doubt,
            groups=tuple(self.groups),
            null=self.null.table(self.search.cliques),
            epsilon=self.epsilon,
            links=self.links,
            candidates=len(self.candidates),
            possible=int(self.alive.sum()) if hasattr(self, "alive") else len(self.candidates),
            proven=self.proven and not self.stopped,
            stopped=self.stopped or ("" if self.proven else "work"),
            looks=self.looks,
            steps=self.steps,
            rounds=self.grown.rounds if self.grown else 0,
            note="" if self.grown is not None else NOBODY,
            unbelieved=self._pairs_of([] if len(pairs) else self.search.cliques),
        )

    def _pairs_of(self, cliques: list[NearClique]) -> np.ndarray:
        heaviest = sorted(cliques, key=lambda one: -one.weight)
        members = np.concatenate([np.zeros(0, np.int64), *(one.members for one in heaviest)])
        both = self.candidates.target[members], self.candidates.known[members]
        first = [np.unique(one, return_index=True)[1] for one in both]
        return np.stack(both, axis=1)[np.intersect1d(*first)]  # nobody twice


def _heaviest(cliques: list[NearClique]) -> float:
    return max((one.weight for one in cliques), default=FLOOR)


def _refuse_unless_fits(n1: int, n2: int, candidates: int) -> None:
    target, known, both, each = _BYTES
    refuse_unless_fits(
        target * n1 * n1 + known * n2 * n2 + both * n1 * n2 + each * candidates,
        number_of(n1, "released record", "released records"),
        Sentence("the near group attack"),
    )
