# SPDX-License-Identifier: GPL-2.0-or-later
"""At which addresses the points of an exchange were released, and whose partners these are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....core.attacks.masks.likelihood import Likelihood
from ....core.attacks.masks.states import Leading, by_states
from ....core.masking.dwelling_partners import DwellingGraph
from ....core.masking.partners import PartnerGraph
from ....core.space.points import build_tree
from ..masks.address_inputs import ADDRESS, CROSSING
from ..masks.crossings import read_crossings
from .known import OF_THE_LIST, SNAP_M, Known


@dataclass(frozen=True)
class ReleasedAt:
    """At which addresses points may have been released: pairs.

    Attributes
    ----------
    point, address : (q,) int arrays
        One address for a point, or all that have its crossing for their nearest.
    count : int
        Number of points.
    """

    point: np.ndarray
    address: np.ndarray
    count: int

    def of_points(self, rows: np.ndarray) -> ReleasedAt:
        """Return the pairs of some points, ascending ones, which are numbered anew."""
        new = np.full(self.count, -1, dtype=np.int64)
        new[rows] = np.arange(len(rows))
        good = new[self.point] >= 0
        return ReleasedAt(new[self.point[good]], self.address[good], len(rows))


def by_partners(at: ReleasedAt, graph: PartnerGraph) -> Likelihood:
    """Likelihood of an exchange: each partner of an address leads there with one in k."""
    leading = Leading.of_lists(graph.partners, len(graph.partners), 1.0 / graph.k)
    return by_states(at.count, at.point, at.address, np.ones(len(at.point)), leading)


def by_dwellings(at: ReleasedAt, graph: DwellingGraph) -> Likelihood:
    """Likelihood of an exchange of dwellings: as many ways as there are pairs of partners."""
    first, address, pairs = graph.explained_by(np.arange(len(graph.xy)))
    chance = pairs / (graph.dwellings[address] * graph.k)
    leading = Leading(len(graph.xy), first, address, chance)
    return by_states(at.count, at.point, at.address, np.ones(len(at.point)), leading)


def released_at(known: Known) -> ReleasedAt:
    """Find the addresses at which points were released."""
    output_at, candidates = known.told.choice("OUTPUT_AT"), known.candidates.xy
    count = len(known.points.xy)
    if output_at == CROSSING:
        known.need_what_it_used("STREETS")
        layers: list = []
        crossings = read_crossings(known.candidates, known.run, layers)
        known.need_the_layers(layers, OF_THE_LIST)
        nearest = build_tree(crossings).query(candidates)[1]
        goal = known.released_at(crossings)
        leading = Leading.of_states(len(crossings), nearest)
        there = np.flatnonzero(goal >= 0)
        made = by_states(count, there, goal[there], np.ones(len(there)), leading)
        return ReleasedAt(made.point, made.candidate, count)
    # Beside an address is nearer to it than to any other.
    snap = SNAP_M / known.points.plane.metres_per_unit
    away, at = build_tree(candidates).query(known.points.xy)
    reach: float | np.ndarray = 0.0
    if output_at != ADDRESS:  # at most half as far as the next address
        reach = build_tree(candidates).query(candidates[at], k=2)[0][:, 1] / 2
    there = np.flatnonzero(away <= reach + snap)
    return ReleasedAt(there, at[there], count)
