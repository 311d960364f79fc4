# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas that break a demand are mended: pieces joined, too wide ones divided, too empty given up.

A search is kept from breaking demands (:class:`.demands.Guard`), but the sites that it begins with
may break them, and so do those of methods that know nothing of demands.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from .demands import Demands, farthest
from .neighbours import Neighbours


@dataclass
class Plan:
    """Regions and their areas while these are mended.

    Attributes
    ----------
    xy : (n, 2) array
        Regions in the plane.
    records : (n,) array
        Of each region.
    demands : Demands
    near : Neighbours or None
        Where every area has to be in one piece.
    sites : list of (2,) arrays
    area : (n,) int64 array
        Row of each region's site.
    joined, divided, given_up, taken : int
        Pieces that went to another area, areas that were too wide, areas that held too little, and
        regions that such took from others.
    """

    xy: np.ndarray
    records: np.ndarray
    demands: Demands
    near: Neighbours | None
    sites: list[np.ndarray]
    area: np.ndarray
    joined: int = 0
    divided: int = 0
    given_up: int = 0
    taken: int = 0
    _stacked: np.ndarray = field(default_factory=lambda: np.empty((0, 2)))

    def mend(self, progress: Progress = silent) -> None:
        """Mend all areas.

        Raises
        ------
        InputError
            Where no areas were found that keep all demands.
        """
        self._join_pieces(progress)
        if self.demands.are_of_extent:
            self._divide(progress)
        if self.demands.floors:
            self._fill(progress)

    def settled(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the sites that have regions, and the area of each region by them."""
        used, area = np.unique(self.area, return_inverse=True)
        return np.array(self.sites).reshape(-1, 2)[used], area.reshape(-1)

    # --- pieces ------------------------------------------------------------------------------

    def _join_pieces(self, progress: Progress) -> None:
        """Give every piece of an area but its main one to an area that adjoins it."""
        if self.near is None:
            return
        while True:
            progress(0.0)
            piece = self.near.pieces(self.area)
            loose = self._loose(piece)
            if not len(loose):
                return
            # One at a time: a piece may adjoin another that has just gone elsewhere.
            self._move_piece(np.flatnonzero(piece == loose[0]))

    def _loose(self, piece: np.ndarray) -> np.ndarray:
        """Pieces that are not the main one of their area, those with fewest records first."""
        count = int(piece.max()) + 1
        held = np.bincount(piece, self.records, count)
        regions = np.bincount(piece, minlength=count)
        area = np.empty(count, dtype=np.int64)
        area[piece] = self.area
        order = np.lexsort((np.arange(count), -regions, -held, area))
        main = np.append(True, np.diff(area[order]) != 0)
        loose = order[~main]
        return loose[np.lexsort((loose, regions[loose], held[loose]))]

    def _move_piece(self, rows: np.ndarray) -> None:
        goals = self._adjoining(rows)
        for goal in goals:
            both = np.append(self.members(goal), rows)
            if self.demands.allow(self.xy, both):
                self.area[rows] = goal
                self.joined += 1
                return
        self._found(rows)

    def _adjoining(self, rows: np.ndarray) -> list[int]:
        """Other areas that adjoin some regions of one area, the one with the nearest site first."""
        assert self.near is not None
        beside = np.unique(self.area[np.concatenate([self.near.of(row) for row in rows])])
        others = beside[beside != self.area[rows[0]]]
        away = [float(self._away(rows, int(one)).sum()) for one in others]
        return [int(others[at]) for at in np.argsort(away, kind="stable")]

    def _found(self, rows: np.ndarray) -> None:
        """Make an area of some regions."""
        self.sites.append(np.median(self.xy[rows], axis=0))
        self.area[rows] = len(self.sites) - 1

    # --- widths ------------------------------------------------------------------------------

    def _divide(self, progress: Progress) -> None:
        """Divide areas that are too wide between their farthest regions."""
        waiting = list(range(len(self.sites)))
        while waiting:
            progress(0.0)
            area = waiting.pop()
            rows = self.members(area)
            if self.demands.allow(self.xy, rows):
                continue
            ends = farthest(self.xy[rows])
            gap = self.xy[rows][:, None, :] - ends
            away = np.hypot(gap[..., 0], gap[..., 1])
            before = len(self.sites)
            mine = away[:, 0] <= away[:, 1]
            self.sites[area] = np.median(self.xy[rows[mine]], axis=0)
            self._stacked = np.empty((0, 2))
            self._found(rows[~mine])
            self.divided += 1
            self._join_pieces(progress)
            waiting += [area, *range(before, len(self.sites))]

    # --- floors ------------------------------------------------------------------------------

    def _lacks(self) -> np.ndarray:
        """How much each area lacks of a floor, as a share of it; 0 for none."""
        count = len(self.sites)
        lack = np.zeros(count)
        for floor in self.demands.floors:
            lack = np.maximum(lack, 1 - floor.amounts(self.area, count) / floor.least)
        lack[np.bincount(self.area, minlength=count) == 0] = 0.0
        return lack

    def _reaches(self, rows: np.ndarray) -> bool:
        return all(floor.weight[rows].sum() >= floor.least for floor in self.demands.floors)

    def _fill(self, progress: Progress) -> None:
        """Give areas up that hold too little, or let them take regions from others."""
        stuck: set[int] = set()
        while True:
            progress(0.0)
            lack = self._lacks()
            lack[list(stuck)] = 0.0
            if not lack.any():
                break
            area = int(lack.argmax())
            if self._give_up(area, progress):
                self.given_up += 1
                stuck.clear()
            elif not self._take(area, progress):
                stuck.add(area)
        if stuck:
            self._refuse(np.concatenate([self.members(area) for area in sorted(stuck)]))

    def _give_up(self, area: int, progress: Progress) -> bool:
        """Deal the regions of an area out to others; False, and nothing done, where some stay."""
        before = self.area.copy()
        left = self.members(area)
        others = np.unique(self.area)
        others = others[others != area]
        while len(left):
            for row in left:
                progress(0.0)
                beside = others if self.near is None else np.unique(self.area[self.near.of(row)])
                goal = self._goal(int(row), beside[beside != area])
                if goal is not None:
                    self.area[row] = goal
            still = self.members(area)
            if len(still) == len(left):
                self.area = before
                return False
            left = still
        return True

    def _goal(self, row: int, others: np.ndarray) -> int | None:
        """Of some areas the one with the nearest site that may have a region."""
        gap = self._places()[others] - self.xy[row]
        for at in np.argsort(np.hypot(gap[:, 0], gap[:, 1]), kind="stable"):
            if self._fits(int(others[at]), row):
                return int(others[at])
        return None

    def _places(self) -> np.ndarray:
        if len(self._stacked) != len(self.sites):
            self._stacked = np.array(self.sites).reshape(-1, 2)
        return self._stacked

    def _take(self, area: int, progress: Progress) -> bool:
        """Let an area take regions that others can spare; False, and nothing done, if too few."""
        before, taken = self.area.copy(), 0
        while not self._reaches(self.members(area)):
            progress(0.0)
            row = self._spare(area)
            if row is None:
                self.area = before
                return False
            self.area[row] = area
            taken += 1
        self.taken += taken
        return True

    def _spare(self, area: int) -> int | None:
        """The region nearest to an area's site that its own area can spare."""
        if self.near is not None:
            mine = self.members(area)
            rows = np.unique(np.concatenate([self.near.of(row) for row in mine]))
            rows = rows[self.area[rows] != area]
        else:
            rows = np.flatnonzero(self.area != area)
        for at in np.argsort(self._away(rows, area), kind="stable"):
            row = int(rows[at])
            left = self.members(int(self.area[row]))
            left = left[left != row]
            if not len(left) or not self._reaches(left) or not self._fits(area, row):
                continue
            if self.near is None or self.near.holds_without(row, self.area):
                return row
        return None

    def _refuse(self, rows: np.ndarray) -> None:
        """Say that no areas were found, and where it is so, that there are none."""
        most = self.demands.max_diameter
        for floor in self.demands.floors:
            for row in rows:
                gap = self.xy - self.xy[row]
                within = np.hypot(gap[:, 0], gap[:, 1]) <= most
                held = float(floor.weight[within].sum())
                if held < floor.least:
                    raise InputError(
                        "There is a region with {held} as far around it as an area may reach: no "
                        "area there can hold the {least} that are asked for. Allow wider areas, or "
                        "ask for fewer.",
                        held=floor.told(held),
                        least=floor.told(np.ceil(floor.least)),
                    )
        raise InputError(
            "No areas were found that all hold what is asked for and are no wider or larger than is "
            "allowed. Allow wider or larger areas, ask for less in each, or for fewer sites."
        )

    # --- parts -------------------------------------------------------------------------------

    def members(self, area: int) -> np.ndarray:
        """Regions of an area, ascending."""
        return np.flatnonzero(self.area == area)

    def _away(self, rows: np.ndarray, area: int) -> np.ndarray:
        gap = self.xy[rows] - self.sites[area]
        return np.hypot(gap[:, 0], gap[:, 1])

    def _fits(self, area: int, row: int) -> bool:
        """Whether an area stays narrow and small enough when it gets a region."""
        ceiling = self.demands.ceiling
        if ceiling is not None:
            held = ceiling.size[self.area == area].sum()
            if held + ceiling.size[row] > ceiling.limit:
                return False
        most = self.demands.max_diameter
        if not np.isfinite(most):
            return True
        gap = self.xy[self.area == area] - self.xy[row]
        return float(np.hypot(gap[:, 0], gap[:, 1]).max(initial=0.0)) <= most
