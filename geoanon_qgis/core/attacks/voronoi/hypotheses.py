# SPDX-License-Identifier: GPL-2.0-or-later
"""Explanations of Voronoi-masked locations, and how probable each of them is.

A *hypothesis* says of a record at a distinct masked location y: it came from place a, and place
b was the nearest neighbour of a. Every antipodal pair (a, b) gives two. What makes one of them
more probable than another:

- no sample point lies nearer to a than b does, else a would have moved elsewhere;
- b is itself the origin of some masked location, and its own neighbour is no farther than a;
- a record alone at y has a partner that another sample point draws away, else both would meet
  at y; two records at y are such a pair, or strangers that rounding brought together;
- an origin that certainly belongs to one location is used up for the others (Moehler 2023,
  "Case n = N", steps 1 and 5).

What is known of the sample grows: locations with a single explanation rebuild it (the paper's
case n < N). All other candidates are in it independently, with the share of records left over.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...runtime.progress import Progress, interruptible, part
from ...space.points import Places, build_tree
from .balls import ball_counts
from .explanations import Hypotheses

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

#: A hypothesis this much less probable than the best of its location is struck out.
_NEGLIGIBLE = 1e-9
#: Factors that tell strictly within a distance from within it, whatever the last bit says.
_SHORTER, _LONGER = 1 - 1e-9, 1 + 1e-9
#: Rounds in which the rules are applied to what earlier rounds made certain, at most; and
#: rounds in which locations tell each other how probable their origins are.
_ROUNDS, _EXCHANGES = 30, 4


def weigh(
    hypotheses: Hypotheses,
    locations: Places,
    known: Places,
    tree: cKDTree,
    doubt: float,
    fit: np.ndarray,
    apart: bool,
    expected: np.ndarray,
    progress: Progress,
) -> tuple[np.ndarray, np.ndarray]:
    """Probability of each hypothesis, and the places that the sample is known to hold.

    Parameters
    ----------
    hypotheses : Hypotheses
    locations : Places
        The masked locations.
    known : Places
        The candidates' places.
    tree : cKDTree
        Of the candidates' places.
    doubt : float
        What a broken rule leaves of a weight: nothing where every location is explained,
        more where candidates are missing, since what a rule relies on may be missing too.
    fit : (h,) array
        How likely each midpoint came to its location.
    apart : bool
        Whether noise has brought records apart that had met: one that is alone may be of a pair.
    expected : (p,) array
        Records that come from each place by way of locations that no hypothesis is about.
    progress : callable

    Returns
    -------
    probability : (h,) float array
        That a record at the location came from the origin by way of this hypothesis; sums to
        one over the hypotheses of a location.
    rebuilt : (s,) int array
        Candidate places of the locations that a single pair explains.
    """
    inference = interruptible(
        lambda: _Inference(hypotheses, locations, known, doubt, fit, apart, expected), progress
    )
    sampled, crowd, broken, probability = inference.apply_rules(part(progress, 0.0, 0.4))
    free = inference.free_balls(tree, sampled, crowd, probability, part(progress, 0.4, 1.0))
    if free is not None:
        for _ in range(_EXCHANGES):
            probability = inference.probabilities(broken, free, inference.support(probability))
        probability = inference.without_negligible(probability)
    certain = interruptible(lambda: inference.certain_places(probability), progress, 1.0)
    return probability, np.flatnonzero(certain)


@dataclass(frozen=True)
class _Crowd:
    """Which hypotheses have other sampled places about them (bool arrays of their length).

    ``origin``: nearer to the origin than the partner is. ``partner``: nearer to the partner
    than the origin is. ``drawn_away``: the same or exactly as near, where a tie may have
    turned the partner elsewhere.
    """

    origin: np.ndarray
    partner: np.ndarray
    drawn_away: np.ndarray


@dataclass(frozen=True)
class _Weights:
    """One factor for each hypothesis: as a record by itself, and as one of two that met."""

    alone: np.ndarray
    met: np.ndarray


class _Inference:
    """What stays the same while probabilities are worked out."""

    def __init__(
        self,
        hypotheses: Hypotheses,
        locations: Places,
        known: Places,
        doubt: float,
        fit: np.ndarray,
        apart: bool,
        expected: np.ndarray,
    ):
        self.fit, self.apart, self.expected = fit, apart, expected
        self.given = hypotheses
        self.known = known
        self.doubt = doubt
        self.count = locations.count
        self.number = len(locations.xy)
        self.records = locations.count[hypotheses.location]
        self.moved = hypotheses.moved
        # The other orientation of the same pair, where there is one.
        order = np.argsort(hypotheses.pair, kind="stable")
        self.mirror = np.full(len(order), -1, dtype=np.intp)
        twins = np.flatnonzero(hypotheses.pair[order][1:] == hypotheses.pair[order][:-1])
        self.mirror[order[twins]] = order[twins + 1]
        self.mirror[order[twins + 1]] = order[twins]
        # For sums over an origin's hypotheses up to a length.
        self._lengths = np.unique(hypotheses.length)
        rank = np.searchsorted(self._lengths, hypotheses.length)
        self._origin_key = hypotheses.origin * (len(self._lengths) + 1) + rank
        self._by_origin = np.argsort(self._origin_key, kind="stable")

    def sum_at_location(self, values: np.ndarray) -> np.ndarray:
        """Sums over the hypotheses of each location, for each hypothesis."""
        return np.bincount(self.given.location, values, self.number)[self.given.location]

    def sum_over_pair(self, values: np.ndarray) -> np.ndarray:
        """Value of a hypothesis and of the other orientation of its pair, added."""
        return values + np.where(self.mirror >= 0, values[self.mirror], 0.0)

    # --- rules ---------------------------------------------------------------------------------

    def apply_rules(self, progress: Progress):
        """Strike out what breaks a rule, and again with what that made certain."""
        size = len(self.given.origin)
        even = _Weights(np.ones(size), np.ones(size))
        sampled = np.zeros(len(self.known.xy), dtype=bool)
        crowd = self._crowd(sampled, progress)
        probability = 1.0 / self.sum_at_location(np.ones(size))
        for round_ in range(_ROUNDS):
            here = part(progress, round_ / _ROUNDS, 1.0)
            certain = interruptible(partial(self.certain_places, probability), here)
            more = sampled | certain
            if grown := bool((more != sampled).any()):
                sampled, crowd = more, self._crowd(more, here)
            before = probability > 0
            broken = interruptible(partial(self._broken_rules, before, crowd), here)
            probability = interruptible(
                partial(self.probabilities, broken, even, np.ones(size)), here
            )
            if not grown and ((probability > 0) == before).all():
                break
        return sampled, crowd, broken, probability

    def certain_places(self, probability: np.ndarray) -> np.ndarray:
        """Places of the locations that exactly one unordered pair explains, as a bool array."""
        alive = probability > 0
        single = self.given.pairs_per_location(alive, self.number) == 1
        rows = alive & single[self.given.location]
        certain = np.zeros(len(self.known.xy), dtype=bool)
        certain[self.given.origin[rows]] = True
        certain[self.given.partner[rows]] = True
        return certain

    def _crowd(self, sampled: np.ndarray, progress: Progress) -> _Crowd:
        """Look around both ends of every pair for places that the sample is known to hold."""
        if not sampled.any():
            nobody = np.zeros(len(self.moved), dtype=bool)
            return _Crowd(nobody, nobody, nobody)
        tree = build_tree(self.known.xy[sampled])

        def others_within(centre: np.ndarray, radius: np.ndarray) -> np.ndarray:
            inside = interruptible(
                lambda: tree.query_ball_point(self.known.xy[centre], radius, return_length=True),
                progress,
            )
            return inside - sampled[centre]

        origin, partner, length = self.given.origin, self.given.partner, self.given.length
        tied = others_within(partner, length * _LONGER) - (sampled[origin] & self.moved)
        return _Crowd(
            others_within(origin, length * _SHORTER) > 0,
            others_within(partner, length * _SHORTER) > 0,
            tied > 0,
        )

    def _broken_rules(self, alive: np.ndarray, crowd: _Crowd) -> _Weights:
        """What the rules leave of each hypothesis, given what is certain so far."""
        location, origin, partner = self.given.location, self.given.origin, self.given.partner
        # An origin that certainly belongs to one location is not free for another, and several
        # records at one place stay there.
        single = self.given.pairs_per_location(alive, self.number) == 1
        lone = np.bincount(location[alive], minlength=self.number) == 1
        certain = alive & single[location] & (lone[location] | (self.records == 2))
        owner = np.full(len(self.known.xy), -1, dtype=np.intp)
        owner[origin[certain]] = location[certain]
        taken = self.moved & (owner[origin] >= 0) & (owner[origin] != location)
        partner_taken = self.moved & (owner[partner] >= 0) & (owner[partner] != location)

        # The partner has a masked location of its own, no farther away, or one not looked at.
        shortest = np.full(len(self.known.xy), np.inf)
        np.minimum.at(shortest, origin[alive], self.given.length[alive])
        unsupported = shortest[partner] > self.given.length * _LONGER
        unsupported &= self.expected[partner] == 0

        crowded = self.moved & crowd.origin
        alone = crowded.astype(int) + taken + unsupported
        met = crowded.astype(int) + taken + (self.moved & crowd.partner) + partner_taken
        return _Weights(self._left_of(alone), self._left_of(met))

    def _left_of(self, broken: np.ndarray) -> np.ndarray:
        return np.where(broken > 0, self.doubt**broken, 1.0)

    # --- probabilities -------------------------------------------------------------------------

    def probabilities(self, broken: _Weights, free: _Weights, support: np.ndarray) -> np.ndarray:
        """Probability of each hypothesis for a record at its location.

        One record at a location is there alone. Two have met as a pair, did not move, or are
        strangers merged by rounding; more did not move or are strangers. Under "strangers" each
        record has a pair of its own, so that two from one pair do not count.
        """
        given, moved, records = self.given, self.moved, self.records
        alone = np.where(moved, self.fit * broken.alone * free.alone * support, 0.0)
        met = np.where(moved & (records == 2), self.fit * broken.met * free.met / 2, 0.0)
        stayed = np.where(moved, 0.0, self.fit * free.met)

        total = self.sum_at_location(alone)
        others = np.maximum(total - self.sum_over_pair(alone), 0.0)
        # Two strangers: any two hypotheses of different pairs, half of each ordered couple.
        strangers = np.where(records == 1, alone, alone * others / 2)
        several = records > 2
        with np.errstate(over="ignore", under="ignore"):
            many = alone * others * np.maximum(total, 0.0) ** np.maximum(records - 2.0, 0.0)
        strangers = np.where(several, many, strangers)
        weight = strangers + met + stayed
        total = self.sum_at_location(weight)
        # Rules that leave a location without any explanation do not hold there.
        hopeless = ~(total > 0) | ~np.isfinite(total)
        weight = np.where(hopeless, 1.0, weight)
        return weight / np.bincount(given.location, weight, self.number)[given.location]

    def support(self, probability: np.ndarray) -> np.ndarray:
        """Probability that the partner is in the sample, by what other locations make of it.

        It is there if it is the origin of another location, with a neighbour of its own that is
        no farther away than this origin.
        """
        expected = probability * self.records
        sums = np.concatenate([[0.0], np.cumsum(expected[self._by_origin])])
        keys = self._origin_key[self._by_origin]
        base = self.given.partner * (len(self._lengths) + 1)
        longest = np.searchsorted(self._lengths, self.given.length * _LONGER, side="right")
        start = np.searchsorted(keys, base, side="left")
        stop = np.searchsorted(keys, base + longest, side="left")
        here = np.where(self.mirror >= 0, expected[self.mirror], 0.0)
        elsewhere = sums[stop] - sums[start] - here + self.expected[self.given.partner]
        return np.clip(elsewhere, max(self.doubt, _NEGLIGIBLE), 1.0)

    def free_balls(self, tree, sampled, crowd, probability, progress) -> _Weights | None:
        """Probability that the balls are as free of sample points as each hypothesis needs.

        Candidates not known to be in the sample are in it with the share of records left
        over, independently: q = 1 - share. The origin of a record alone has a free ball A and
        its partner's B is not, q^|A| - q^|A u B|; where two met both are free, q^|A u B|. Of
        k candidate records at an origin one is in the sample, k q^(k-1); of k at a place where
        r records stayed, r are. None where everything is certain already.
        """
        given = self.given
        alive = probability > 0
        several = np.bincount(given.location[alive], minlength=self.number) > 1
        rows = np.flatnonzero(alive & several[given.location])
        if len(rows) == 0:
            return None
        share = self._share_left(sampled, probability)
        q = 1.0 - share
        count = self.known.count
        alone, met = np.ones(len(alive)), np.ones(len(alive))

        unsure = np.where(sampled, 0, count)
        pairs = rows[self.moved[rows]]
        origin, partner = given.origin[pairs], given.partner[pairs]
        around, union = ball_counts(
            tree, unsure, origin, partner, given.length[pairs] * _SHORTER, progress
        )
        stays = np.zeros(len(count), dtype=bool)
        stays[given.origin[alive & ~self.moved]] = True
        drawn_away = crowd.drawn_away[pairs] | stays[partner] | self.apart
        one = np.where(sampled, 1.0, count * q ** (count - 1.0))
        alone[pairs] = one[origin] * np.where(drawn_away, q**around, q**around - q**union)
        met[pairs] = one[origin] * one[partner] * q**union

        stayed = rows[~self.moved[rows]]
        met[stayed] = _choose(count[given.origin[stayed]], self.records[stayed], share)
        return _Weights(alone, met)

    def _share_left(self, sampled: np.ndarray, probability: np.ndarray) -> float:
        """Share of the candidates not known to be in the sample that must be in it."""
        stays = np.zeros(len(sampled), dtype=np.intp)
        still = (probability > 0) & ~self.moved
        stays[self.given.origin[still]] = self.records[still]
        accounted = np.maximum(stays, 1)[sampled].sum()
        free = self.known.count[~sampled].sum()
        if not free:
            return 0.0
        return float(np.clip((self.count.sum() - accounted) / free, 0.0, 1.0))

    def without_negligible(self, probability: np.ndarray) -> np.ndarray:
        """Strike out what is next to impossible."""
        best = np.zeros(self.number)
        np.maximum.at(best, self.given.location, probability)
        kept = np.where(probability > _NEGLIGIBLE * best[self.given.location], probability, 0.0)
        return kept / self.sum_at_location(kept)


def _choose(candidates: np.ndarray, records: np.ndarray, share: float) -> np.ndarray:
    """Weight of r records that stayed at a place of k candidates, beside two that met.

    C(k, r) s^(r-2) q^(k-r). A candidate list of addresses may hold one entry for a household:
    then k < r, and the place counts as if it had room.
    """
    k = np.maximum(candidates, records).astype(float)
    r = records.astype(float)
    ways = np.ones(len(k))
    for step in range(int(records.max(initial=0))):
        inside = step < r
        ways = np.where(inside, ways * (k - step) / np.where(inside, r - step, 1.0), ways)
    return ways * share ** np.maximum(r - 2, 0) * (1.0 - share) ** (k - r)
