# SPDX-License-Identifier: GPL-2.0-or-later
"""Cells of a lattice that hold enough addresses, as masks to choose from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...masking.aggregation import aggregate
from ...masking.lattice import SQUARES, Lattice
from ...masking.public_areas import CellAreas, Population
from ...runtime.progress import Progress, part, silent
from .case import PLACE, RECORD, Case, Trial, alike_among, alike_in
from .family import Family


@dataclass(frozen=True, eq=False)
class Grid:
    """The system in which cells lie.

    Attributes
    ----------
    xy, candidates : (n, 2) and (m, 2) arrays
        The places of the file and the list there, in metres.
    """

    xy: np.ndarray
    candidates: np.ndarray

    def back(self, xy: np.ndarray, case: Case) -> np.ndarray:
        """Return places of the system in the plane of the case.

        By the affine map between both that fits the list best: exact where one is only shifted
        against the other; else how far points move is told a little too long or too short, and
        nothing of what is believed hangs on it.
        """
        ones = np.ones((len(self.candidates), 1))
        middle = self.candidates.mean(axis=0)
        known = np.hstack([self.candidates - middle, ones])
        fitted = np.linalg.lstsq(known, case.candidates, rcond=None)[0]
        return np.hstack([xy - middle, np.ones((len(xy), 1))]) @ fitted


@dataclass(frozen=True, eq=False)
class InCells(Family):
    """Centres of squares or hexagons; cells with too few addresses release nothing.

    What a point tells is its cell, in any number of releases; so it does not hang on a draw.

    Attributes
    ----------
    least : int
        Addresses (or people, by the weights) below which a cell releases nothing.
    shape : str
        As :class:`...masking.lattice.Lattice` has it.
    grid : Grid or None
        Where the lattice lies; in the plane of the case where it is left out.
    """

    least: int
    shape: str = SQUARES
    grid: Grid | None = None
    algorithm = "maskaggregate"
    certain = True
    withholds_small = True

    @property
    def name(self) -> str:
        """See :class:`.Family`."""
        return self.shape

    def sizes(self, case: Case) -> np.ndarray:
        """Sides in metres."""
        high = float(np.hypot(*np.ptp(case.candidates, axis=0))) / 4
        found = [float(f"{one:.2g}") for one in high / 1.1 ** np.arange(70)[::-1]]
        return np.unique(found)

    def parameters(self, size: float) -> dict[str, Any]:
        """See :class:`.Family`."""
        return {"METHOD": self.shape, "SIDE": size, "K": self.least}

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
        grid = self.grid or Grid(case.xy, case.candidates)
        population = Population.at_points(grid.candidates, case.weight)
        lattice = Lattice(self.shape, size)
        areas = CellAreas.of(lattice, grid.xy, population, part(ask, 0.0, 0.7))
        made = aggregate(grid.xy, areas, self.least, progress=part(ask, 0.7, 1.0))
        there = np.flatnonzero(~made.withheld)
        area = np.where(made.withheld, -1, made.area)
        tops = {}
        if PLACE in case.adversaries:
            tops[PLACE] = alike_among(case, area, areas.locate(grid.candidates), asked)
        if RECORD in case.adversaries:
            tops[RECORD] = alike_in(case, area, asked)
        xy = np.full(case.xy.shape, np.nan)
        xy[there] = grid.back(made.xy[there], case)
        return Trial(xy, tops, {})
