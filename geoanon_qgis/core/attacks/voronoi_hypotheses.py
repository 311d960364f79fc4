# SPDX-License-Identifier: GPL-2.0-or-later
"""Explanations of Voronoi-masked locations, and the rules of the mask that they must obey.

A *hypothesis* says of a distinct masked location y: its record came from place a, and place b
was the nearest neighbour of a. Every antipodal pair (a, b) gives two. Three rules of the mask
strike hypotheses out:

- no sample point lies nearer to a than b does, else a would have moved elsewhere;
- b is itself the origin of some masked location, and its own neighbour is no farther than a;
- a singleton's b has a nearer neighbour than a, else both would meet at y and be a pair; and
  the origin of one location is used up for the others (Moehler 2023, case n = N, step 5).

The sample is what the locations with a single explanation rebuild (case n < N), or all places
where there are as many candidates as masked records (case n = N). What the rules leave open
shares the probability, weighted by how likely the balls around a and b are free of sample
points when the rest of the sample is a random share of the candidates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..points import Places, build_tree
from ..progress import Progress, part
from .antipodal import Pairs
from .balls import ball_counts

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

#: A weight this much below the best of its location is struck out.
_NEGLIGIBLE = 1e-9
#: Factors that tell strictly within a distance from within it, whatever the last bit says.
_SHORTER, _LONGER = 1 - 1e-9, 1 + 1e-9
#: Rounds in which the rules are applied to what earlier rounds made certain.
_ROUNDS = 30


@dataclass(frozen=True)
class Hypotheses:
    """Oriented explanations of the masked locations, sorted by location.

    Attributes
    ----------
    location : (h,) int array
        The masked location that is explained.
    origin, partner : (h,) int arrays
        Candidate places; the same place for a location whose records did not move.
    pair : (h,) int array
        Number of the unordered pair: two orientations share it.
    length : (h,) array
        Distance between origin and partner.
    """

    location: np.ndarray
    origin: np.ndarray
    partner: np.ndarray
    pair: np.ndarray
    length: np.ndarray

    @property
    def moved(self) -> np.ndarray:
        """False where the hypothesis says that the records stayed."""
        return self.origin != self.partner

    def pairs_per_location(self, rows: np.ndarray, locations: int) -> np.ndarray:
        """Number of unordered pairs among the chosen rows, by location."""
        # Two orientations of a pair always belong to one location.
        one_each = np.unique(self.pair[rows], return_index=True)[1]
        return np.bincount(self.location[rows][one_each], minlength=locations)


def hypotheses_of(pairs: Pairs, unmoved: Pairs, known: np.ndarray) -> Hypotheses:
    """Both orientations of every pair, and the unmoved places."""
    number = np.arange(len(pairs.centre))
    location = np.concatenate([pairs.centre, pairs.centre, unmoved.centre])
    origin = np.concatenate([pairs.first, pairs.second, unmoved.first])
    partner = np.concatenate([pairs.second, pairs.first, unmoved.second])
    pair = np.concatenate([number, number, len(number) + np.arange(len(unmoved.centre))])
    order = np.argsort(location, kind="stable")
    gap = known[origin] - known[partner]
    length = np.hypot(gap[:, 0], gap[:, 1])
    return Hypotheses(location[order], origin[order], partner[order], pair[order], length[order])


def weigh(
    hypotheses: Hypotheses,
    locations: Places,
    known: Places,
    tree: cKDTree,
    complete: bool,
    doubt: float,
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
    complete : bool
        Whether the candidates are the sample (as many as masked records).
    doubt : float
        What a broken rule leaves of a weight: nothing where every location is explained,
        more where candidates are missing, since what a rule relies on may be missing too.
    progress : callable

    Returns
    -------
    probability : (h,) float array
        Sums to one over the hypotheses of a location.
    rebuilt : (s,) int array
        Candidate places of the locations that a single pair explains.
    """
    number = len(locations.xy)
    records = locations.count[hypotheses.location]
    sampled = np.full(len(known.xy), complete)
    crowd = _crowd(hypotheses, known.xy, sampled)
    weights = np.ones(len(hypotheses.location))
    for round_ in range(_ROUNDS):
        progress(0.5 * round_ / _ROUNDS)
        more = sampled | _certain_places(hypotheses, weights, number, len(known.xy))
        if grown := bool((more != sampled).any()):
            sampled, crowd = more, _crowd(hypotheses, known.xy, more)
        broken = _broken_rules(hypotheses, weights > 0, records, crowd, complete, number)
        struck = np.where(broken > 0, doubt**broken, 1.0)
        # A rule that leaves a location without any explanation does not hold there.
        hopeless = np.bincount(hypotheses.location, struck, number) == 0
        struck[hopeless[hypotheses.location]] = 1.0
        settled = not grown and ((struck > 0) == (weights > 0)).all()
        weights = struck
        if settled:
            break
    weights = weights * _likelihood(
        hypotheses, weights, records, sampled, crowd, locations, known, tree,
        part(progress, 0.5, 1.0),
    )  # fmt: skip
    best = np.zeros(number)
    np.maximum.at(best, hypotheses.location, weights)
    weights[weights <= _NEGLIGIBLE * best[hypotheses.location]] = 0.0
    total = np.bincount(hypotheses.location, weights, number)
    rebuilt = _certain_places(hypotheses, weights, number, len(known.xy))
    return weights / total[hypotheses.location], np.flatnonzero(rebuilt)


def _certain_places(
    hypotheses: Hypotheses, weights: np.ndarray, locations: int, places: int
) -> np.ndarray:
    """Places of the locations that exactly one unordered pair explains."""
    alive = weights > 0
    single = hypotheses.pairs_per_location(alive, locations) == 1
    rows = alive & single[hypotheses.location]
    certain = np.zeros(places, dtype=bool)
    certain[hypotheses.origin[rows]] = True
    certain[hypotheses.partner[rows]] = True
    return certain


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


def _crowd(hypotheses: Hypotheses, xy: np.ndarray, sampled: np.ndarray) -> _Crowd:
    """Look around both ends of every pair for places that the sample is known to hold."""
    if not sampled.any():
        nobody = np.zeros(len(hypotheses.origin), dtype=bool)
        return _Crowd(nobody, nobody, nobody)
    tree = build_tree(xy[sampled])

    def others_within(centre: np.ndarray, radius: np.ndarray) -> np.ndarray:
        inside = tree.query_ball_point(xy[centre], radius, return_length=True)
        return inside - sampled[centre]

    origin, partner, length = hypotheses.origin, hypotheses.partner, hypotheses.length
    tied = others_within(partner, length * _LONGER) - (sampled[origin] & hypotheses.moved)
    return _Crowd(
        others_within(origin, length * _SHORTER) > 0,
        others_within(partner, length * _SHORTER) > 0,
        tied > 0,
    )


def _broken_rules(
    hypotheses: Hypotheses,
    alive: np.ndarray,
    records: np.ndarray,
    crowd: _Crowd,
    complete: bool,
    number: int,
) -> np.ndarray:
    """Number of the mask's rules that each hypothesis breaks, given the sample so far."""
    origin, partner, length = hypotheses.origin, hypotheses.partner, hypotheses.length
    moved, paired = hypotheses.moved, records == 2
    places = int(max(origin.max(initial=0), partner.max(initial=0))) + 1
    broken = np.zeros(len(origin), dtype=np.intp)

    broken += moved & crowd.origin
    broken += moved & paired & crowd.partner

    # The partner has a masked location of its own, no farther away.
    shortest = np.full(places, np.inf)
    np.minimum.at(shortest, origin[alive], length[alive])
    broken += shortest[partner] > length * _LONGER

    # Several records at one place stay there, and draw nobody away from it.
    stays = np.zeros(places, dtype=bool)
    stays[origin[alive & ~moved]] = True
    if complete:
        broken += moved & stays[origin]
        broken += moved & (records == 1) & ~crowd.drawn_away & ~stays[partner]

    # An origin that certainly belongs to one location is not free for another.
    lone = np.bincount(hypotheses.location[alive], minlength=number) == 1
    owner = np.full(places, -1, dtype=np.intp)
    certain = alive & moved & lone[hypotheses.location]
    owner[origin[certain]] = hypotheses.location[certain]
    broken += moved & _taken(owner, origin, hypotheses.location)
    broken += moved & paired & _taken(owner, partner, hypotheses.location)

    # More than two records meet only where nobody moved, unless rounding brought them there.
    still = np.zeros(number, dtype=bool)
    still[hypotheses.location[~moved]] = True
    broken += moved & (records > 2) & still[hypotheses.location]
    return broken


def _taken(owner: np.ndarray, place: np.ndarray, location: np.ndarray) -> np.ndarray:
    """Whether a place certainly belongs to another location."""
    return (owner[place] >= 0) & (owner[place] != location)


def _likelihood(
    hypotheses: Hypotheses,
    weights: np.ndarray,
    records: np.ndarray,
    sampled: np.ndarray,
    crowd: _Crowd,
    locations: Places,
    known: Places,
    tree: cKDTree,
    progress: Progress,
) -> np.ndarray:
    """Probability that the balls are as free of sample points as each hypothesis needs.

    Candidates not known to be in the sample are in it with the share of records that is left
    over, independently: q = 1 - share. A singleton's origin has a free ball and its partner
    has not, q^|A| - q^|A u B|; for a pair both are free, q^|A u B|.
    """
    likelihood = np.ones(len(weights))
    alive = weights > 0
    several = np.bincount(hypotheses.location[alive], minlength=len(locations.xy)) > 1
    rows = np.flatnonzero(alive & hypotheses.moved & several[hypotheses.location])
    if len(rows) == 0:
        return likelihood
    left = locations.count.sum() - np.count_nonzero(sampled)
    free = known.count[~sampled].sum()
    q = 1.0 - min(1.0, max(0.0, left / free)) if free else 1.0
    origin, partner = hypotheses.origin[rows], hypotheses.partner[rows]
    unsure = np.where(sampled, 0, known.count)
    around, union = ball_counts(
        tree, unsure, origin, partner, hypotheses.length[rows] * _SHORTER, progress
    )
    stays = np.zeros(len(known.xy), dtype=bool)
    stays[hypotheses.origin[alive & ~hypotheses.moved]] = True
    drawn_away = crowd.drawn_away[rows] | stays[partner]
    alone, paired = records[rows] == 1, records[rows] == 2
    value = np.where(alone & ~drawn_away, q**around - q**union, q**around)
    likelihood[rows] = np.where(paired, q**union, value)
    # Nothing can be said where every hypothesis of a location comes out impossible.
    total = np.bincount(hypotheses.location, weights * likelihood, len(locations.xy))
    return np.where(total[hypotheses.location] > 0, likelihood, 1.0)
