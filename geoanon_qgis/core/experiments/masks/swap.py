# SPDX-License-Identifier: GPL-2.0-or-later
"""Location swapping, as a mask to choose from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, ClassVar

import numpy as np

from ...attacks.masks.likelihood import Likelihood
from ...attacks.masks.swapping import of_rings
from ...masking.law import Numbers
from ...masking.laws import Disc
from ...masking.location_swap import Swapped, swap_locations
from ...masking.swap_rings import Candidates, RingRule, Rings
from ...runtime.progress import Progress, part, silent
from ...space.points import build_tree
from .case import Case, Trial, believed
from .family import Family
from .laws import is_wide, multiplied, spread
from .smoothed import SEARCHING, SURE, smoothly_believed

#: Cells on either side of a place's own in which addresses of its ring are looked for.
_BESIDE = (-1, 0, 1)
#: Lots of addresses, the likeliest first, in which it is looked for one that reaches a point.
_LOTS = 64


@dataclass(frozen=True, eq=False)
class _Ring(Disc):
    """Any address within a distance, each with a probability that hangs on where it is from."""

    each: Numbers = 1.0
    name: ClassVar[str] = "swap"

    def density(self, distance: np.ndarray) -> np.ndarray:
        """As :meth:`Law.density`; a probability, not one per square metre."""
        return np.where((distance > 0) & (distance <= self.outer), self.each, 0.0)


@dataclass(frozen=True, eq=False)
class Swap(Family):
    """A random address of those within a distance.

    Attributes
    ----------
    fewest : int
        Addresses below which the ring is widened.
    """

    fewest: int
    algorithm = "masklocationswap"
    name = "swap"
    from_below = True

    def sizes(self, case: Case) -> np.ndarray:
        """Largest distances, in metres."""
        if len(case.candidates) <= self.fewest:
            return np.empty(0)
        high = float(np.hypot(*np.ptp(case.candidates, axis=0))) / 8
        found = [float(f"{one:.3g}") for one in high / 1.1 ** np.arange(60)[::-1]]
        return np.unique(found)

    def parameters(self, size: float) -> dict[str, Any]:
        """See :class:`.Family`."""
        return {"MIN": 0, "MAX": size, "K": self.fewest, "IF_EMPTY": "widen"}

    def trial(
        self,
        case: Case,
        size: float,
        rng: np.random.Generator,
        asked: np.ndarray,
        sure: bool,
        ask: Progress = silent,
    ) -> Trial:
        """See :class:`.Family`."""
        listed = Candidates.of(case.candidates)
        rule = RingRule(0.0, float(size), self.fewest)
        rings = listed.rings(case.candidates, rule, progress=part(ask, 0.0, 0.5))
        if is_wide(case, float(rings.count[case.home].mean()), sure):
            xy = _drawn_widely(case, rings, rng)
            ring = _Ring(0.0, rings.outer, each=1.0 / np.maximum(rings.count, 1))
            fineness, told = SURE if sure else SEARCHING, part(ask, 0.5, 1.0)
            tops = smoothly_believed(
                case, xy, ring, asked, fineness, told, partial(_likeliest, case, ring)
            )
            return Trial(xy, tops, {})
        drawn = [
            swap_locations(case.xy, listed, rule, rng.bytes(32), self.algorithm)
            for _ in range(case.releases)
        ]
        told = part(ask, 0.5, 1.0)
        likelihood = reduce(multiplied, (_of_swap(case, rings, one, told) for one in drawn))
        return Trial(drawn[0].xy, believed(case, likelihood, asked, sure, ask), {})


def _of_swap(case: Case, rings: Rings, moved: Swapped, ask: Progress) -> Likelihood:
    """How likely each address was swapped for that of each point."""
    rows = np.flatnonzero(~moved.withheld)
    one = of_rings(moved.xy[rows], case.candidates, rings, ask)
    return spread(one, rows, case.people)


def _drawn_widely(case: Case, rings: Rings, rng: np.random.Generator) -> np.ndarray:
    """Random addresses of wide rings round the records, without looking at all that are in them.

    One of those in the cells round a record, again where it is outside its ring. Widened rings, of
    which there are few then, are looked at.
    """
    xy, own, side = case.candidates, rings.taken(case.home), rings.rule.largest
    cell = np.floor((xy - xy.min(axis=0)) / side).astype(np.int64)
    width = int(cell[:, 0].max()) + 3
    key = (cell[:, 1] + 1) * width + cell[:, 0] + 1
    order = np.argsort(key, kind="stable")
    key = key[order]
    goal, rows = np.full(case.people, -1), np.flatnonzero((own.count > 0) & ~own.widened)
    middle = (cell[case.home, 1] + 1) * width + cell[case.home, 0] + 1
    first = np.stack([np.searchsorted(key, middle + width * by - 1) for by in _BESIDE], axis=1)
    last = np.stack([np.searchsorted(key, middle + width * by + 2) for by in _BESIDE], axis=1)
    ends = np.cumsum(last - first, axis=1)
    while len(rows):
        at = (rng.random(len(rows)) * ends[rows, -1]).astype(np.int64)
        row = (at[:, None] >= ends[rows]).sum(axis=1)
        before = np.where(row > 0, ends[rows, row - 1], 0)
        found = order[first[rows, row] + at - before]
        away = np.hypot(*(xy[found] - xy[case.home[rows]]).T)
        good = (away > rings.rule.hole) & (away <= side)
        goal[rows[good]] = found[good]
        rows = rows[~good]
    wide = np.flatnonzero((own.count > 0) & own.widened)
    tree = build_tree(xy)
    for row in wide.tolist():
        near = np.array(tree.query_ball_point(xy[case.home[row]], own.outer[row]))
        away = np.hypot(*(xy[near] - xy[case.home[row]]).T)
        near = near[(away > rings.rule.hole) & (away <= own.outer[row])]
        goal[row] = near[rng.integers(len(near))]
    return np.where(goal[:, None] >= 0, xy[goal], np.nan)


def _likeliest(case: Case, ring: _Ring, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Largest w f(y | c) over some candidates: those of few neighbours count most, be they far."""
    value = np.broadcast_to(ring.each, len(case.candidates)).copy()
    if case.weight is not None:
        value *= case.weight
    rows = rows[np.argsort(-value[rows], kind="stable")]
    best, still = np.zeros(len(points)), np.arange(len(points))
    outer = np.broadcast_to(ring.outer, len(case.candidates))
    for lot in np.array_split(rows, min(_LOTS, len(rows))):
        tree = build_tree(case.candidates[lot])
        pairs = build_tree(points[still]).sparse_distance_matrix(
            tree, float(outer[lot].max()), output_type="ndarray"
        )
        of, away = lot[pairs["j"]], pairs["v"]
        good = (away > 0) & (away <= outer[of])
        np.maximum.at(best, still[pairs["i"][good]], value[of[good]])
        still = still[best[still] == 0]
        if not len(still):
            break
    return best
