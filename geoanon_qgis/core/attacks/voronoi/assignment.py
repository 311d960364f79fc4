# SPDX-License-Identifier: GPL-2.0-or-later
"""Which candidate each masked record gets of those that explain its location."""

from __future__ import annotations

import numpy as np

from ...space.points import Places
from .explanations import Hypotheses
from .result import AMBIGUOUS, PAIR, SINGLETON, UNMOVED, UNRESOLVED


def assign(
    hypotheses: Hypotheses,
    weights: np.ndarray,
    locations: Places,
    places_known: int,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give the records of each location its most probable origins, in turn.

    A coin decides between equals only: between the ends of a pair, and which of the records
    at one location is which. Returns origin and partner (places, -1 for none) and the
    probability of the origin.
    """
    # The probability of an origin adds up over the pairs that it is an end of.
    alive = np.flatnonzero(weights > 0)
    likely = alive[np.argsort(-weights[alive], kind="stable")]
    keys, first, of_key = np.unique(
        hypotheses.location[likely] * places_known + hypotheses.origin[likely],
        return_index=True,
        return_inverse=True,
    )
    marginal = np.bincount(of_key.reshape(-1), weights[likely], len(keys))
    order = np.lexsort((rng.random(len(keys)), -marginal, keys // max(places_known, 1)))
    best, marginal = likely[first[order]], marginal[order]
    choices = np.bincount(hypotheses.location[best], minlength=len(locations.xy))
    start = np.cumsum(choices) - choices

    count = len(locations.of_point)
    members = np.lexsort((rng.random(count), locations.of_point))
    at = locations.of_point[members]
    turn = np.arange(count) - np.searchsorted(at, at)
    explained = choices[at] > 0
    rows, at = members[explained], at[explained]
    chosen = start[at] + turn[explained] % choices[at]
    origin = np.full(count, -1, dtype=np.intp)
    partner = np.full(count, -1, dtype=np.intp)
    probability = np.zeros(count)
    origin[rows] = hypotheses.origin[best[chosen]]
    partner[rows] = hypotheses.partner[best[chosen]]
    probability[rows] = np.minimum(marginal[chosen], 1.0)
    return origin, partner, probability


def kinds_of(
    hypotheses: Hypotheses,
    weights: np.ndarray,
    possible: np.ndarray,
    locations: Places,
    trust: float,
) -> np.ndarray:
    """Kind of each masked location."""
    stays = np.zeros(len(possible), dtype=bool)
    stays[hypotheses.location[(weights > 0) & ~hypotheses.moved]] = True
    kind = np.where(locations.count == 1, SINGLETON, PAIR)
    kind[stays] = UNMOVED
    # Accident rivals a lone explanation too, where most explanations are accidents.
    kind[(possible > 1) | (trust < 0.5)] = AMBIGUOUS
    kind[possible == 0] = UNRESOLVED
    return kind.astype(np.int8)


def rows_at(place: np.ndarray, known: Places) -> np.ndarray:
    """A candidate row at each place (-1 stays); records at one place take turns."""
    by_place = np.argsort(known.of_point, kind="stable")
    start = np.cumsum(known.count) - known.count
    order = np.argsort(place, kind="stable")
    turn = np.empty(len(place), dtype=np.intp)
    turn[order] = np.arange(len(place)) - np.searchsorted(place[order], place[order])
    row = by_place[start[place] + turn % known.count[place]]
    return np.where(place >= 0, row, -1)
