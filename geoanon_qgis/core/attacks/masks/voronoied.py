# SPDX-License-Identifier: GPL-2.0-or-later
"""How adaptive Voronoi masking explains a point: by playing the file that it was made of.

Where a place goes hangs on who else is in the file: to the border of its area, if that is nearer than
the middle between it and its nearest neighbour in the file, else to that middle; anywhere in the area,
if it is alone there; and from there to the nearest crossing. An adversary knows areas and crossings,
and not the file. He draws it: a place for each point, at first near it, then by what he believes. For
each candidate he sees where it would have gone in the company of the others, and counts

    f(y | c) = share of the files in which the mask leads from c to y.

A row is no company for itself: what a candidate does for row j is asked of the file without j's place.
What no draw leads to is kept open, with a small part of a draw for all addresses of an area.

Without crossings a point on a border is the foot of a perpendicular, and a middle has two addresses on
opposite sides, equally far; there addresses are looked up instead, and draws only say how likely the
way was.

So each point is explained by itself. What all tell together (:mod:`.voronoi_files`) begins with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ...masking.adaptive_voronoi import Crossings, nearest_border
from ...runtime.geos import shapely
from ...runtime.progress import Progress, interruptible, part, silent, weighted
from ...runtime.rows import largest
from ...space.inside import Trapezoids
from ...space.points import build_tree
from ..voronoi.antipodal import antipodal_pairs
from .likelihood import Likelihood
from .states import Leading, by_states, summed
from .voronoi_files import Places, by_files, shared
from .voronoi_ways import ToCrossings, ToPoints

#: Files that are drawn, fewest and most, and candidates in all of them that are worth their time;
#: files before those that count; candidates near a point among which the first ones are drawn.
_LEAST, _MOST, _CANDIDATES = 20, 100, 4_000_000
_BEFORE, _NEAR = (4, 8), 10
#: What is kept open, as a part of one draw; random places in an area that show its crossings.
_OPEN, _SHOWN = 0.05, 400
#: Part of the likeliest candidate of a point that is not worth to be drawn.
_UNLIKELY = 1e-6
_SEED = 21


@dataclass(frozen=True, eq=False)
class Setting:
    """What is known of a mask beside the points.

    Attributes
    ----------
    xy : (m, 2) array
        Candidates, metres.
    area : (m,) int array
        Of each; below zero for none, from where nothing is released.
    shapes : (a,) array of shapely polygons
    weight : (m,) array or None
    """

    xy: np.ndarray
    area: np.ndarray
    shapes: np.ndarray
    weight: np.ndarray | None = None

    @property
    def files(self) -> int:
        """How many files are drawn."""
        return int(np.clip(_CANDIDATES // max(1, len(self.xy)), _LEAST, _MOST))


@dataclass(frozen=True, eq=False)
class _Company:
    """The others that candidates have in one file.

    Attributes
    ----------
    count : (a,) int array
        Places of the file in each area.
    row, away : (m, 2) arrays
        The two nearest rows of the file to each candidate, itself not among them; -1 and infinite
        where there is none.
    xy : (n, 2) array
        Places of the rows.
    """

    count: np.ndarray
    row: np.ndarray
    away: np.ndarray
    xy: np.ndarray

    @classmethod
    def of(cls, setting: Setting, drawn: np.ndarray) -> _Company:
        """Find it for a candidate drawn for each row, (n,); -1 for none."""
        member = np.flatnonzero(drawn >= 0)
        member = member[setting.area[drawn[member]] >= 0]
        of_member = setting.area[drawn[member]]
        count = np.bincount(of_member, minlength=len(setting.shapes))
        row = np.full((len(setting.xy), 4), -1, dtype=np.int64)
        away = np.full(row.shape, np.inf)
        joined = member[count[of_member] > 1]
        if len(joined):
            tree = build_tree(setting.xy[drawn[joined]])
            gap, near = tree.query(setting.xy, k=[1, 2, 3])
            there = np.isfinite(gap)
            away[:, :3] = gap
            row[:, :3] = np.where(there, joined[np.where(there, near, 0)], -1)
        # Who would be alone but for the candidate is its company, too.
        single = np.full(len(setting.shapes) + 1, -1, dtype=np.int64)
        few = member[count[of_member] == 1]
        single[setting.area[drawn[few]]] = few
        row[:, 3] = single[setting.area]
        here = row[:, 3] >= 0
        gap = setting.xy[drawn[row[here, 3]]] - setting.xy[here]
        away[here, 3] = np.hypot(*gap.T)
        # The candidate's own place is somebody's draw for it, not a neighbour.
        away[away == 0] = np.inf
        order = np.argsort(away, axis=1, kind="stable")[:, :2]
        away = np.take_along_axis(away, order, axis=1)
        row = np.where(np.isfinite(away), np.take_along_axis(row, order, axis=1), -1)
        return cls(count, row, away, setting.xy[np.maximum(drawn, 0)])


def by_crossings(
    released: np.ndarray,
    setting: Setting,
    crossings: Crossings,
    progress: Progress = silent,
) -> tuple[Likelihood, bool]:
    """Likelihood of points that were taken to crossings.

    Parameters
    ----------
    released : (n,) int array
        Crossing of each place of the file, below zero for none.
    setting : Setting
    crossings : Crossings
    progress : callable

    Returns
    -------
    likelihood : Likelihood
    together : bool
        Whether it is what all points tell together: not where that takes too long.
    """
    alone, together = weighted(progress, 1, 4)
    rng = np.random.default_rng(_SEED)
    inside = np.flatnonzero(setting.area >= 0)
    foot = np.full(setting.xy.shape, np.nan)
    to_border = np.full(len(setting.xy), np.inf)
    foot[inside], to_border[inside] = nearest_border(
        setting.xy[inside], setting.area[inside], setting.shapes, part(alone, 0.0, 0.1)
    )
    goal = np.full(len(setting.xy), -1, dtype=np.int64)
    goal[inside] = crossings.nearest(foot[inside], setting.area[inside])
    anywhere = _anywhere(setting, crossings, rng)
    play = _Play(released, setting, crossings, goal, to_border, anywhere)
    _, near = build_tree(setting.xy[inside]).query(
        crossings.xy[np.maximum(released, 0)], k=list(range(1, min(_NEAR, len(inside)) + 1))
    )
    near = inside[near]
    found, done, whole = None, 0, sum(_BEFORE) + setting.files
    for files in (*_BEFORE, setting.files):
        told = part(alone, 0.1 + 0.9 * done / whole, 0.1 + 0.9 * (done + files) / whole)
        done += files

        def draw(found: Likelihood | None = found) -> np.ndarray:
            if found is None:
                column = rng.integers(0, near.shape[1], len(near))
                return np.where(released >= 0, near[np.arange(len(near)), column], -1)
            return drawn_from(found, setting.weight, rng)

        found = play.played(draw, files, told)
    assert found is not None
    ways = ToCrossings(released, crossings, anywhere)
    believed = shared(found, ways.point)
    every = by_files(
        believed,
        believed.value > 1.5 * _OPEN / setting.files,  # more than what is kept open
        goal[believed.candidate] == released[believed.point],
        ways,
        Places(setting.xy, setting.area, to_border, setting.weight),
        together,
    )
    progress(1.0)
    return (found, False) if every is None else (every, True)


def drawn_from(
    likelihood: Likelihood, weight: np.ndarray | None, rng: np.random.Generator
) -> np.ndarray:
    """Draw a candidate for each point by what A believes of it, (n,) int; -1 where there is none."""
    value = likelihood.value
    if weight is not None:
        value = value * weight[likelihood.candidate]
    ends = np.concatenate([[0.0], np.cumsum(value)])
    low, high = ends[likelihood.first[:-1]], ends[likelihood.first[1:]]
    pair = np.searchsorted(ends[1:], low + (high - low) * rng.random(len(low)), side="right")
    last = np.maximum(likelihood.first[1:] - 1, 0)
    if not len(value):
        return np.full(len(low), -1, dtype=np.int64)
    found = likelihood.candidate[np.clip(pair, np.minimum(likelihood.first[:-1], last), last)]
    return np.where(high > low, found, -1)


def _anywhere(
    setting: Setting, crossings: Crossings, rng: np.random.Generator
) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """For each area the crossings to which a random place of it goes, and how often."""
    found = {}
    for area in np.unique(setting.area[setting.area >= 0]).tolist():
        drawn = Trapezoids.of(setting.shapes[area]).draw(rng.random((_SHOWN, 3)))
        goal = crossings.nearest(drawn, np.full(_SHOWN, area))
        used, count = np.unique(goal[goal >= 0], return_counts=True)
        found[area] = used, count / _SHOWN
    return found


@dataclass(frozen=True, eq=False)
class _Play:
    """What is the same in all files: see :func:`by_crossings`."""

    released: np.ndarray
    setting: Setting
    crossings: Crossings
    goal: np.ndarray
    to_border: np.ndarray
    anywhere: dict[int, tuple[np.ndarray, np.ndarray]]

    def played(self, draw, files: int, progress: Progress) -> Likelihood:
        """Likelihood by so many files, each with a place for each row by ``draw``."""
        setting, share = self.setting, 1.0 / files
        pairs: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        ways: list[tuple[np.ndarray, np.ndarray]] = []
        alone = np.zeros(len(setting.shapes))
        for number in range(files):
            progress(number / files)
            drawn = draw()
            company = _Company.of(setting, drawn)
            one, two = (self._goals(company, which) for which in (0, 1))
            empty = company.count == 0
            alone += share * empty
            good = np.flatnonzero((setting.area >= 0) & (one >= 0) & ~empty[setting.area])
            ways.append((one[good], good))
            pairs += self._without_itself(company, drawn, one, two, good)
        return interruptible(partial(self._counted, ways, pairs, alone, share), progress, 1.0)

    def _counted(self, ways: list, pairs: list, alone: np.ndarray, share: float) -> Likelihood:
        """Likelihood by what was counted in all files."""
        from scipy.sparse import coo_matrix

        crossings, count = len(self.crossings.xy), len(self.setting.xy)
        cells = [np.concatenate([way[at] for way in ways]) for at in (0, 1)]
        leads = coo_matrix((np.full(len(cells[0]), share), cells), shape=(crossings, count))
        some = {
            area: self.anywhere[area] for area in np.flatnonzero(alone) if area in self.anywhere
        }
        if some:
            area = np.repeat(list(some), [len(one) for one, _ in some.values()])
            at = np.concatenate([one for one, _ in some.values()])
            value = np.concatenate([each for _, each in some.values()]) * alone[area]
            made = by_states(crossings, at, area, value, self._of_areas)
            leads = leads + coo_matrix((made.value, (made.point, made.candidate)), leads.shape)
        there = np.flatnonzero(self.released >= 0)
        shape = (len(self.released), crossings)
        of_rows = coo_matrix((np.ones(len(there)), (there, self.released[there])), shape)
        table = of_rows.tocsr() @ leads.tocsr()
        if pairs:
            row, candidate, value = (np.concatenate([one[at] for one in pairs]) for at in range(3))
            table = table + coo_matrix((share * value, (row, candidate)), table.shape)
        table = table.tocoo()
        seen = table.data > 1e-9
        row, candidate, value = table.row[seen], table.col[seen], table.data[seen]
        # All of an area from which one was seen to come are left a small chance.
        both = np.unique(np.stack([row, self.setting.area[candidate]]), axis=1)
        room = np.full(both.shape[1], _OPEN * share)
        left = by_states(len(self.released), both[0], both[1], room, self._of_areas)
        table = coo_matrix((value, (row, candidate)), table.shape)
        table = (
            table + coo_matrix((left.value, (left.point, left.candidate)), table.shape)
        ).tocoo()
        return Likelihood.of_pairs(
            len(self.released), count, table.row.astype(np.int64), table.col, table.data
        )

    @property
    def _of_areas(self) -> Leading:
        return Leading.of_states(len(self.setting.shapes), self.setting.area)

    def _goals(self, company: _Company, which: int) -> np.ndarray:
        """Crossing of each candidate with its nearest or second neighbour; -1 for none."""
        setting = self.setting
        row, away = company.row[:, which], company.away[:, which]
        found = np.where(self.to_border < away / 2, self.goal, -1)
        middle = np.flatnonzero((row >= 0) & (self.to_border >= away / 2) & (setting.area >= 0))
        half = (setting.xy[middle] + company.xy[row[middle]]) / 2
        found[middle] = self.crossings.nearest(half, setting.area[middle])
        return found

    def _without_itself(
        self,
        company: _Company,
        drawn: np.ndarray,
        one: np.ndarray,
        two: np.ndarray,
        good: np.ndarray,
    ) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """What changes for a row whose own place is the candidate's company: pairs to add."""
        area, released = self.setting.area, self.released
        row = company.row[good, 0]
        near, row = good[row >= 0], row[row >= 0]
        # Who is the only other one of the area leaves the candidate alone in it.
        last = (area[drawn[row]] == area[near]) & (company.count[area[near]] == 1)
        near, row = near[~last], row[~last]
        gone = released[row] == one[near]
        come = (released[row] == two[near]) & (two[near] >= 0)
        found = [
            (row[gone], near[gone], np.full(gone.sum(), -1.0)),
            (row[come], near[come], np.ones(come.sum())),
        ]
        rows = np.flatnonzero((drawn >= 0) & (released >= 0))
        rows = rows[area[drawn[rows]] >= 0]
        rows = rows[company.count[area[drawn[rows]]] == 1]
        if len(rows):
            made = by_states(
                len(released), rows, area[drawn[rows]], np.ones(len(rows)), self._of_areas
            )
            went = one[made.candidate] == released[made.point]
            found.append((made.point[went], made.candidate[went], np.full(int(went.sum()), -1.0)))
            chance = np.zeros(len(released))
            for each in rows.tolist():
                goals, shares = self.anywhere[int(area[drawn[each]])]
                chance[each] = shares[goals == released[each]].sum()
            found.append((made.point, made.candidate, chance[made.point]))
        return found


# --- without crossings ----------------------------------------------------------------------------


def by_structure(
    released: np.ndarray, setting: Setting, within: float, progress: Progress = silent
) -> tuple[Likelihood, bool]:
    """Likelihood of points on borders, in the middle of two addresses, or anywhere in an area.

    Parameters
    ----------
    released : (n, 2) array
        A point for each place of the file, metres.
    setting : Setting
    within : float
        Metres by which points may miss the place where the mask put them.
    progress : callable

    Returns
    -------
    likelihood : Likelihood
        Probabilities, to ``within``.
    together : bool
        Whether it is what all points tell together: not where that takes too long.
    """
    by_itself, together = weighted(progress, 1, 4)
    rng, xy, count = np.random.default_rng(_SEED), setting.xy, len(setting.xy)
    inside = np.flatnonzero(setting.area >= 0)
    tree, files = build_tree(xy[inside]), setting.files
    _, near = tree.query(released, k=list(range(1, min(3, len(inside)) + 1)))
    gaps = np.empty((files, count), dtype=np.float32)
    alone = np.zeros(len(setting.shapes))
    for number in range(files):
        by_itself(0.6 * number / files)
        column = rng.integers(0, near.shape[1], len(released))
        company = _Company.of(setting, inside[near[np.arange(len(released)), column]])
        # The nearest may be the draw of the row itself that is asked for.
        gaps[number], alone = company.away[:, 1], alone + (company.count <= 1) / files
    foot, away = nearest_border(xy[inside], setting.area[inside], setting.shapes)
    by_itself(0.7)
    point, candidate = _pairs(released, foot, within)
    chance = (gaps[:, inside[candidate]] / 2 > away[candidate]).mean(axis=0)
    found = [(point, inside[candidate], np.maximum(chance, 1.0 / files))]
    # Middles: as far from the point as others of the file may be.
    few = min(4, len(released))
    reach = 3.0 * build_tree(released).query(released, k=[few])[0][:, 0] + within
    limit = np.full(len(released), within)
    made = antipodal_pairs(released, reach, tree, limit, part(by_itself, 0.7, 0.95))
    people = np.ones(count) if setting.weight is None else setting.weight
    file = len(released) * people / max(people.sum(), 1e-300)
    to_border = np.full(count, np.inf)
    to_border[inside] = away
    for own, other in ((made.first, made.second), (made.second, made.first)):
        own, other = inside[own], inside[other]
        gap = np.hypot(*(xy[own] - xy[other]).T)
        free = np.maximum((gaps[:, own] >= gap / 2).mean(axis=0), 1.0 / files)
        free = np.where(to_border[own] < gap / 2 - within, 0.0, free)
        found.append((made.centre, own, np.minimum(file[other], 1.0) * free))
    geos = shapely()
    point, area = geos.STRtree(setting.shapes).query(geos.points(released), "intersects")
    ways = ToPoints(released, within, geos.area(setting.shapes))
    value = alone[area] * ways.of_random(area)
    by_area = by_states(
        len(released), point, area, value, Leading.of_states(len(setting.shapes), setting.area)
    )
    found.append((by_area.point, by_area.candidate, by_area.value))
    by_itself(1.0)
    point, candidate, value = (np.concatenate([one[at] for one in found]) for at in range(3))
    added = partial(summed, len(released), count, point, candidate, value)
    single = interruptible(added, by_itself, 1.0)
    believed = interruptible(partial(shared, single, released), by_itself, 1.0)
    border = np.full((count, 2), np.inf)
    border[inside] = foot
    every = by_files(
        believed,
        believed.value > _UNLIKELY * largest(believed.first, believed.value)[believed.point],
        np.hypot(*(border[believed.candidate] - released[believed.point]).T) <= within,
        ways,
        Places(xy, setting.area, to_border, setting.weight),
        together,
    )
    progress(1.0)
    return (single, False) if every is None else (every, True)


def _pairs(points: np.ndarray, places: np.ndarray, within: float) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of a point and a place no farther from each other."""
    near = build_tree(points).sparse_distance_matrix(
        build_tree(places), within, output_type="ndarray"
    )
    return near["i"].astype(np.int64), near["j"].astype(np.int64)
