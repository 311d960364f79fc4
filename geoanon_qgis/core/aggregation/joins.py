# SPDX-License-Identifier: GPL-2.0-or-later
"""Which areas of a new release to join, so that no class below k can be computed from an earlier one.

The problem is one of many: joining two areas hides how a class is dealt out between them, but shows
its sum, which may have been suppressed before. So nothing is taken for granted: pairs of areas are
tried, those that leave fewest classes are joined, and the whole is checked again by
:func:`.differencing.differences`. In the end every join is taken back that is not needed. That makes a
small set, not always the smallest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..runtime.progress import Progress, part, silent
from ..runtime.wording import Sentence, number_of
from .boundary import centred
from .demands import Demands
from .differencing import PROGRAMMES, Differences, differences
from .equivalence_classes import EquivalenceClasses
from .evaluation import Distance, describe_areas, measure
from .vbas import Aggregation

#: Linear programmes of all checks of a search together.
_PROGRAMMES = 2 * PROGRAMMES
#: Cells of overlaps by classes that all trials look at together, and what a look costs besides: some
#: twenty seconds in all.
_WORK, _LOOK = 5_000_000, 5_000
#: Pairs that are tried from a state, states that are kept, areas near to an area that may join it,
#: and of how many areas concerned one pair joins in a round.
_TRIED, _KEPT, _NEAREST, _SHARE = 24, 4, 4, 16


@dataclass(frozen=True)
class Joins:
    """Areas to join, and what is left then.

    Attributes
    ----------
    groups : tuple of (g,) int arrays
        Areas of the new release, ascending, each group of two or more to become one.
    area_of_region : (n,) int array
        Area of each region then, numbered anew from 0.
    left : Differences
        What can be computed then.
    """

    groups: tuple[np.ndarray, ...]
    area_of_region: np.ndarray
    left: Differences

    @property
    def prevent(self) -> bool:
        """Whether nothing can be computed then, all having been settled."""
        return self.left.is_clean


def areas_to_join(
    classes: EquivalenceClasses,
    xy: np.ndarray,
    new: np.ndarray,
    old: np.ndarray,
    ks: tuple[int, int],
    found: Differences,
    demands: Demands | None = None,
    progress: Progress = silent,
) -> Joins | None:
    """Look for areas of the new release whose join leaves nothing to be computed.

    Parameters
    ----------
    classes : EquivalenceClasses
    xy : (n, 2) array
        Regions in the plane.
    new : (n,) int array
        Area of each region in the new release.
    old : (n,) or (n, r) int array
        See :func:`.differencing.differences`.
    ks : (int, int)
        K of the new and of the earlier release.
    found : Differences
        What can be computed without joins. Where that was cut off, joins could not be checked, and
        none are looked for.
    demands : Demands, optional
        What joined areas keep, too.
    progress : callable

    Returns
    -------
    Joins or None
        None where no set was found, which does not mean that there is none.
    """
    if not len(found) or not found.complete:
        return None
    search = _Search(classes, xy, new, np.asarray(old).reshape(len(new), -1), ks, demands)
    joined = search.run(found, part(progress, 0.0, 0.6))
    if joined is None:
        return None
    made = search.without_needless(*joined, part(progress, 0.6, 1.0))
    progress(1.0)
    return made


class _Search:
    def __init__(self, classes, xy, new, old, ks: tuple[int, int], demands: Demands | None):
        self._classes, self._xy, self._old, self._ks = classes, xy, old, ks
        self._demands = demands or Demands()
        self._new = np.unique(new, return_inverse=True)[1].reshape(-1)
        self._names = np.unique(new)
        self._programmes, self._work = _PROGRAMMES, 0
        both = np.column_stack([self._new, old])
        self._cost = _LOOK + len(np.unique(both, axis=0)) * len(classes.codes)

    def run(
        self, found: Differences, progress: Progress
    ) -> tuple[list[tuple[int, int]], Differences] | None:
        """Joins after which nothing is left, and the check that says so."""
        states: list[tuple[list[tuple[int, int]], Differences]] = [([], found)]
        seen: set[bytes] = set()
        while states and self._work < _WORK:
            done = min(1.0, self._work / _WORK)
            here = part(progress, done, done)
            tried = []
            for state in states:
                for joins in self._further(*state, here):
                    group = self._grouped(joins)
                    if group.tobytes() not in seen:
                        seen.add(group.tobytes())
                        tried.append((joins, self._look(group, 0, here)))
            tried.sort(key=lambda one: (len(one[1]), len(one[0])))
            states = tried[:_KEPT]
            for at, (joins, left) in enumerate(states):
                if len(left):
                    break
                left = self._settled(self._grouped(joins), here)
                if left.is_clean:
                    return joins, left
                states[at] = joins, left
            states = [one for one in states if len(one[1])]
        return None

    def _further(
        self, joins: list[tuple[int, int]], found: Differences, progress: Progress
    ) -> list[list[tuple[int, int]]]:
        """What to try next: one join more; or several where many areas are concerned."""
        group = self._grouped(joins)
        pairs = list(self._pairs(group, found, progress))
        several = len({one for pair in pairs for one in pair}) // _SHARE
        if several < 2:
            return [[*joins, one] for one in pairs[:_TRIED]]
        tried = []
        for skipped in range(_KEPT):
            taken: list[tuple[int, int]] = []
            for pair in pairs[skipped:]:
                if len(taken) < several and not {*pair} & {one for both in taken for one in both}:
                    taken.append(pair)
            tried.append([*joins, *taken])
        return tried

    def _settled(self, group: np.ndarray, progress: Progress) -> Differences:
        """Check with all that is left of linear programmes."""
        found = self._look(group, self._programmes, progress)
        self._programmes -= found.programmes
        return found

    def without_needless(
        self, joins: list[tuple[int, int]], checked: Differences, progress: Progress
    ) -> Joins:
        """Take joins back, the last first, as long as nothing can be computed without them."""
        for at in range(len(joins))[::-1]:
            here = part(progress, 1 - (at + 1) / len(joins), 1 - at / len(joins))
            fewer = joins[:at] + joins[at + 1 :]
            group = self._grouped(fewer)
            if not fewer or self._programmes <= 0 or not self._may_all(group):
                continue
            if len(self._look(group, 0, here)):
                continue
            found = self._settled(group, here)
            if found.is_clean:
                joins, checked = fewer, found
        group = self._grouped(joins)
        areas = tuple(
            self._names[np.flatnonzero(group == one)]
            for one in np.unique(group)
            if np.count_nonzero(group == one) > 1
        )
        return Joins(
            areas, np.unique(group[self._new], return_inverse=True)[1].reshape(-1), checked
        )

    def _grouped(self, joins: list[tuple[int, int]]) -> np.ndarray:
        """The first area of the group of each area."""
        group = np.arange(len(self._names))
        for one, other in joins:
            low, high = sorted((group[one], group[other]))
            group[group == high] = low
        return group

    def _look(self, group: np.ndarray, programmes: int, progress: Progress) -> Differences:
        self._work += self._cost
        return differences(
            self._classes, group[self._new], self._old, *self._ks, progress, max(0, programmes)
        )

    def _pairs(
        self, group: np.ndarray, found: Differences, progress: Progress
    ) -> Iterator[tuple[int, int]]:
        """Pairs of areas that may join, those first that most of what was found lives in."""
        area = group[self._new]
        count = len(self._names)
        weight = np.zeros(count, dtype=np.int64)
        for rows in found.regions:
            weight[np.unique(area[rows])] += 1
        there = np.unique(area)
        middle = np.full((count, 2), np.inf)
        for axis in (0, 1):
            sums = np.bincount(area, self._xy[:, axis], count)[there]
            middle[there, axis] = sums / np.bincount(area, minlength=count)[there]
        ranked: dict[tuple[int, int], tuple[int, float]] = {}
        for one in there[weight[there] > 0].tolist():
            progress(0.0)
            shared = np.zeros(len(area), dtype=bool)
            for release in self._old.T:
                mine = np.unique(release[area == one])
                shared |= np.isin(release, mine[mine >= 0])
            away = np.hypot(*(middle[there] - middle[one]).T)
            near = there[np.argsort(away, kind="stable")[: _NEAREST + 1]]
            for other in np.union1d(area[shared], near).tolist():
                if other != one:
                    gap = float(np.hypot(*(middle[other] - middle[one])))
                    key = (min(one, other), max(one, other))
                    ranked[key] = (-int(weight[one] + weight[other]), gap)
        for pair in sorted(ranked, key=lambda one: (*ranked[one], one)):
            if self._may(np.flatnonzero(np.isin(area, pair))):
                yield pair

    def _may_all(self, group: np.ndarray) -> bool:
        """Whether all groups keep what areas have to, after one of their joins was taken back."""
        area = group[self._new]
        several = [one for one in np.unique(group) if np.count_nonzero(group == one) > 1]
        return all(self._may(np.flatnonzero(area == one)) for one in several)

    def _may(self, rows: np.ndarray) -> bool:
        """Whether some regions may be one area."""
        demands = self._demands
        if demands.part is not None and len(np.unique(demands.part[rows])) > 1:
            return False
        if not demands.allow(self._xy, rows):
            return False
        if not demands.contiguous or demands.near is None or demands.bridged:
            return True
        among = demands.near.taken(rows)
        return int(among.pieces(np.zeros(len(rows), dtype=np.int64)).max()) == 0


def joined(
    result: Aggregation,
    classes: EquivalenceClasses,
    xy: np.ndarray,
    joins: Joins,
    distance: Distance | None = None,
) -> Aggregation:
    """Return an aggregation whose areas are joined.

    Parameters
    ----------
    result : Aggregation
    classes : EquivalenceClasses
    xy : (n, 2) array
        Regions in the plane.
    joins : Joins
    distance : callable, optional
        See :func:`.vbas.vbas`.

    Returns
    -------
    Aggregation
        Sites of joined areas lie in their middles; what the areas were before stands in ``before``.
    """
    area = joins.area_of_region
    first = np.unique(area, return_index=True)[1]
    sites = result.sites[result.area_of_region[first]]
    moved = np.isin(result.area_of_region[first], np.concatenate(joins.groups))
    sites = np.where(moved[:, None], centred(xy, sites, area), sites)
    areas = describe_areas(classes, area, len(sites), result.k)
    note = Sentence(
        "{areas} joined, so that no class below K can be computed together with what was released "
        "earlier.",
        areas=number_of(sum(map(len, joins.groups)), "area was", "areas were"),
    )
    return replace(
        result,
        sites=sites,
        area_of_region=area,
        areas=areas,
        measures=measure(classes, xy, sites, area, areas, distance),
        notes=(*result.notes, note),
        before=result.before or result.measures,
    )
