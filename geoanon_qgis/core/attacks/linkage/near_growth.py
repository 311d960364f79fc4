# SPDX-License-Identifier: GPL-2.0-or-later
"""Who else is found once some are: growth from matches, weighed against pairs that must be wrong.

Every pair of a released record and a known entity is weighed by its distances to the matches made
so far. Pairs whose labels differ are wrong for certain, and there are many more of them: how often
one of those weighs as much says how many right-looking candidates are wrong, without any truth.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...runtime.progress import Progress, interruptible, part, silent
from .near_confidence import confidence
from .near_edges import Candidates
from .near_evidence import evidence_of
from .near_weights import Weighing

#: What rivals of a match weigh together where there are none.
_ALONE = 3.0
#: Expected share of wrong matches among those that growth goes on from; rounds of it.
_WRONG, _ROUNDS = 0.15, 8
#: Candidates that are looked at for matches, by falling score, at least; the highest scores of
#: wrong pairs that their tail is taken from.
_LOOKED_AT, _TAIL = 400, 50
#: Wrong candidates that members of a group count as at most (97 in 100 of them were right), and by
#: how many times the groups by chance; at most so many for those that come first.
_MEMBER, _DOUBTED, _FIRST = 0.02, 5.0, 0.05
#: The first of these under noise, where groups are large and 87 in 100 members are right.
_EVEN_MEMBER = 0.15
#: Logarithm above which rivals are no stronger: sums keep their digits.
STRONGEST = 30.0
#: Evidence that differs by so little is the same.
TIED = 1e-6


@dataclass(frozen=True, eq=False)
class Grown:
    """Candidates, the surest first, each record and each entity once.

    Attributes
    ----------
    candidates : (k,) int array
        Numbers of the candidates.
    score : (k,) array
        Weight against rivals for the same record or the same entity, as a logarithm.
    by_chance : (k,) array
        Wrong candidates to be expected with at least this score, ascending.
    alone : (k,) array
        The same by their scores alone, for those that growth began with, too.
    kept : int
        How many of them are taken for matches.
    rounds : int
        Until nothing changed any more.
    ties : (k,) int array
        Records, or people, of the same label that fit each exactly as well, with its own.
    lead : (k,) array
        How much more each weighs than its best rival of any label, or than nothing.
    pairs, trust : (m, 2) int array and (m,) array
        Matches that they were scored by, known links first, and how much each of these counts.
    evidence : (n1, n2) array
        What these say of all pairs of a record and a person.
    wrong : list of arrays
        Scores of pairs that are certainly wrong.
    """

    candidates: np.ndarray
    score: np.ndarray
    by_chance: np.ndarray
    alone: np.ndarray
    kept: int
    rounds: int
    ties: np.ndarray
    lead: np.ndarray
    pairs: np.ndarray
    trust: np.ndarray
    evidence: np.ndarray
    wrong: list[np.ndarray]

    @property
    def matches(self) -> np.ndarray:
        """Candidates that are taken for matches."""
        return self.candidates[: self.kept]


@dataclass(frozen=True, eq=False)
class Around:
    """What growth needs beside the matches.

    Attributes
    ----------
    weighing : Weighing
    candidates : Candidates
    alive : (v,) bool array
        Candidates that known links leave.
    links : (l, 2) int array
        Matches that are certain.
    decoy : Weighing or None
        The same with places that nobody lives at, whose pairs are wrong for certain; None where
        labels tell which are, and do not go with places.
    alike : float
        How much oftener neighbours share a label than others, where wrong pairs of one label are
        counted by those of two although labels go with places; see :func:`.near_labels.alike`.
    """

    weighing: Weighing
    candidates: Candidates
    alive: np.ndarray
    links: np.ndarray
    decoy: Weighing | None
    alike: float = 1.0


def grow(
    around: Around, start: np.ndarray, doubt: np.ndarray, progress: Progress = silent
) -> Grown:
    """Find everybody at the right distances from some matches, again and again.

    Parameters
    ----------
    around : Around
    start : (m, 2) int array
        Matches taken for right.
    doubt : (m,) array
        Groups like theirs to be expected by chance.
    progress : Progress

    Returns
    -------
    Grown
    """
    candidates = around.candidates
    at_most = np.full(len(candidates), np.inf)
    places = candidates.first[start[:, 0]] + candidates.rank[start[:, 1]]
    at_most[places] = np.maximum(_member(around), _DOUBTED * doubt)
    pairs, trust, seen = start, np.ones(len(start)), set()
    rounds = 0
    while True:
        pairs = np.concatenate([around.links, pairs])
        trust = np.concatenate([np.ones(len(around.links)), trust])
        steps = part(progress, rounds / _ROUNDS, (rounds + 1) / _ROUNDS)
        found = _scored(around, pairs, trust, at_most, steps)
        rounds += 1
        key = tuple(np.sort(found.matches).tolist())
        if rounds == _ROUNDS or key in seen or not key:
            break
        seen.add(key)
        pairs = np.stack(
            [candidates.target[found.matches], candidates.known[found.matches]], axis=1
        )
        trust = confidence(found.by_chance[: found.kept], 0.0)
    progress(1.0)
    return replace(found, rounds=rounds)


def _member(around: Around) -> float:
    """Wrong candidates that members of a group count as at most."""
    return _EVEN_MEMBER if around.weighing.deviations.even else _MEMBER


def _scored(around: Around, pairs, trust, at_most: np.ndarray, progress: Progress) -> Grown:
    """Score all candidates by their distances to some matches.

    ``at_most`` is finite for those that growth began with: that they all support each other speaks
    for them, however little others say, and whoever contradicts a group beyond doubt goes.
    """
    candidates = around.candidates
    evidence = evidence_of(around.weighing, pairs, trust, part(progress, 0, 0.6))
    score, rivals = interruptible(lambda: _against_rivals(evidence), progress, 0.6)
    other = None
    if around.decoy is not None:
        other = evidence_of(around.decoy, pairs, trust, part(progress, 0.6, 0.9))
    chance = interruptible(lambda: _wrong(candidates, score, other, rivals), progress, 0.9)
    ours = np.where(around.alive, score[candidates.target, candidates.known], -np.inf)
    most = _LOOKED_AT + 4 * len(pairs)
    order = _best(ours, most)
    order = order[np.isfinite(ours[order])]
    later = at_most[order] > max(_FIRST, _member(around))
    order = order[np.argsort(later, kind="stable")]
    chosen = order[_consistent(around, candidates.target[order], candidates.known[order])]
    chosen = chosen[np.argsort(-ours[chosen], kind="stable")]
    alone = wrong_expected(around, chance, ours[chosen])
    expected = np.minimum(alone, at_most[chosen])
    order = np.argsort(expected, kind="stable")
    chosen, expected, alone = chosen[order], expected[order], alone[order]
    number = np.arange(1, len(chosen) + 1)
    good = np.flatnonzero(expected <= _WRONG * number)
    progress(1.0)
    kept = int(good.max(initial=-1)) + 1
    ties = _ties(candidates, evidence, chosen)
    lead = _lead(candidates, evidence, chosen)
    scored = (chosen, ours[chosen], expected, alone, kept, 1, ties, lead)
    return Grown(*scored, pairs, trust, evidence, chance)


def _wrong(candidates: Candidates, score, other, rivals) -> list[np.ndarray]:
    """Scores of pairs that are certainly wrong: of other labels, of places with nobody, or of both."""
    wrong = []
    if other is not None:
        # Who has other labels lives elsewhere, where these go with places: only the same count.
        of_whom = (candidates.target, candidates.known)
        where = of_whom if candidates.tell else candidates.kind_target >= 0
        wrong.append((other - rivals)[where].ravel())
    if candidates.tell:
        unlike = candidates.kind_target[:, None] != candidates.kind_known
        unlike &= (candidates.kind_target >= 0)[:, None] & (candidates.kind_known >= 0)
        wrong.append(score[unlike])
    return wrong or [score[:0].ravel()]


def wrong_expected(around: Around, chance: list[np.ndarray], score: np.ndarray) -> np.ndarray:
    """Wrong candidates to be expected with at least these scores: the most by any wrong pairs.

    Places that were moved keep that labels go with places, and lose that people live in houses and
    rows; pairs of other labels the other way round.
    """
    times = np.ones(len(chance))
    times[-1] = around.alike
    # Links forbid wrong pairs as well as candidates, and those score low: all are counted.
    each = [
        often * len(around.candidates) / max(len(wrong), 1) * _tail(wrong, score)
        for often, wrong in zip(times.tolist(), chance)
    ]
    return np.max(each, axis=0)


def _against_rivals(evidence: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Evidence less the logarithm of all that speaks for rivals; and the latter."""
    power = np.exp(np.minimum(evidence, STRONGEST))
    rivals = power.sum(axis=1)[:, None] + power.sum(axis=0) - 2 * power
    # A sum less its largest part may come out a little below zero.
    rivals = against(np.maximum(rivals, 0.0))
    return evidence - rivals, rivals


def against(power: np.ndarray) -> np.ndarray:
    """Logarithm of what speaks for rivals, and for nobody."""
    return np.log(power + np.exp(_ALONE))


def _ties(candidates: Candidates, evidence: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Of records at one place, or of people at one, distances never tell which is whose."""
    target, known = candidates.target[chosen], candidates.known[chosen]
    kind, own = candidates.kind_target[target][:, None], evidence[target, known][:, None]
    people = (candidates.kind_known == kind) & (np.abs(evidence[target] - own) <= TIED)
    records = (candidates.kind_target == kind) & (np.abs(evidence[:, known].T - own) <= TIED)
    return np.maximum(people.sum(axis=1), records.sum(axis=1))


def _lead(candidates: Candidates, evidence: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """How much more candidates weigh than the best rival for record or entity, or than nothing."""
    target, known = candidates.target[chosen], candidates.known[chosen]
    at = np.arange(len(chosen))
    of_target, of_known = evidence[target], evidence[:, known].T.copy()
    of_target[at, known] = of_known[at, target] = -np.inf
    best = np.maximum(of_target.max(axis=1, initial=0.0), of_known.max(axis=1, initial=0.0))
    return evidence[target, known] - best


def _consistent(around: Around, target: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Places at which neither record nor entity has come before, nor one nearer than released.

    In an embedding no two right matches contradict each other: the one that comes later goes.
    """
    weighing = around.weighing
    above = weighing.deviations.above
    chosen: list[int] = []
    targets, entities = around.links[:, 0].tolist(), around.links[:, 1].tolist()
    used = set(targets), set(entities)
    for at, (t, i) in enumerate(zip(target.tolist(), known.tolist())):
        if t in used[0] or i in used[1]:
            continue
        if np.isfinite(above) and len(targets):
            longest = weighing.known[i, entities] + above
            if (weighing.released[t, targets] > longest).any():
                continue
        used[0].add(t)
        used[1].add(i)
        targets.append(t)
        entities.append(i)
        chosen.append(at)
    return np.array(chosen, dtype=np.int64)


def _best(score: np.ndarray, number: int) -> np.ndarray:
    """Places of the highest scores, falling; of equal ones the first."""
    some = np.arange(len(score))
    if len(score) > number:
        some = np.flatnonzero(score >= np.partition(score, len(score) - number)[-number])
    return some[np.argsort(-score[some], kind="stable")][:number]


def _tail(chance: np.ndarray, score: np.ndarray) -> np.ndarray:
    """How many of the wrong pairs score at least as much, with an exponential tail."""
    if not len(chance):
        return np.ones(len(score))
    top = min(_TAIL, len(chance))
    ordered = np.sort(np.partition(chance, len(chance) - top)[len(chance) - top :])
    level = ordered[0]
    mean = max(float((ordered - level).mean()), 1e-3)
    body = np.sort(chance[chance >= score.min(initial=level)])
    below = len(body) - np.searchsorted(body, score, "left")
    return np.where(score < level, below, top * np.exp(-np.maximum(score - level, 0.0) / mean))
