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

Without crossings there is less to play: :mod:`.voronoi_borders`.

So each point is explained by itself. What all tell together (:mod:`.voronoi_files`) begins with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ...masking.adaptive_voronoi import Crossings, nearest_border
from ...runtime.progress import Progress, interruptible, part, silent, weighted
from ...space.inside import Trapezoids
from ...space.points import build_tree
from .likelihood import Likelihood
from .states import Leading, by_states
from .voronoi_company import SEED, Company, Setting
from .voronoi_files import Places, by_files, shared
from .voronoi_ways import ToCrossings

#: Files that are drawn before those that count; candidates near a point among which these are drawn.
_BEFORE, _NEAR = (4, 8), 10
#: What is kept open, as a part of one draw; random places in an area that show its crossings.
_OPEN, _SHOWN = 0.05, 400


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
    rng = np.random.default_rng(SEED)
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
            company = Company.of(setting, drawn)
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

    def _goals(self, company: Company, which: int) -> np.ndarray:
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
        company: Company,
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
