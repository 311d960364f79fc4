# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas that hold enough addresses, as masks to choose from: cells of a lattice, and areas round sites."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...masking.aggregation import Aggregated, Areas, aggregate
from ...masking.lattice import SQUARES, Lattice
from ...masking.public_areas import CellAreas, Population, ZoneAreas
from ...masking.site_areas import SiteAreas
from ...masking.zones import zone_of
from ...runtime.progress import Progress, part, silent
from .case import PLACE, RECORD, Case, Trial, alike_among, alike_in
from .family import AREAS, POINTS, Family
from .standing import Limit

#: What aggregation calls zones that are joined.
MERGED = "merged"


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
    unswayed = frozenset({RECORD})

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
        tops = _of_areas(case, made, areas.locate(grid.candidates), asked)
        xy = np.full(case.xy.shape, np.nan)
        xy[there] = grid.back(made.xy[there], case)
        return Trial(xy, tops, {})


@dataclass(frozen=True, eq=False)
class RoundSites(Family):
    """Areas of about as many addresses each, as Voronoi-based aggregation draws them, by the list alone.

    A released record tells its area. Who has the list finds the person with the largest weight of the
    area by its sum, who knows a member one of the records that are alike there: for any number of
    releases, since borders hang on nothing that is secret. Areas with fewer addresses, or records at
    fewer places, than there have to be release nothing.

    Attributes
    ----------
    least : int
        Fewest addresses, or people by the weights.
    least_records : int or None
        Fewest places with records; None where nobody asks which record is hers.
    """

    least: int
    least_records: int | None = None
    algorithm = "maskaggregate"
    name = "areas"
    kind = AREAS
    certain = True
    withholds_small = True
    unswayed = frozenset({RECORD})

    def sizes(self, case: Case) -> np.ndarray:
        """Numbers of addresses to a site."""
        found = np.unique(np.round(max(2, self.least) * 1.1 ** np.arange(160)))
        return found[found <= self.whole(case) / 2]

    def whole(self, case: Case) -> float:
        """How many there are to be shared among areas."""
        return len(case.candidates)

    def first(self, sizes: np.ndarray, limit: Limit) -> int:
        """Row of the smallest size: from there it goes up by how far it misses."""
        return 0

    def parameters(self, size: float) -> dict[str, Any]:
        """See :class:`.Family`."""
        told: dict[str, Any] = {"METHOD": "sites", "SITE_ADDRESSES": int(size), "K": self.least}
        few = self.least_records
        return told if few is None else {**told, "K_RECORDS": few}

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
        areas, least, grid = self.areas_of(case, size, part(ask, 0.0, 0.8))
        few = self.least_records
        made = aggregate(grid.xy, areas, least, progress=part(ask, 0.8, 1.0), least_records=few)
        bounds = {}
        if case.weight is None and case.listed is None:
            bounds[PLACE] = 1.0 / least
        if few is not None and case.known is None:
            bounds[RECORD] = 1.0 / few
        tops = _of_areas(case, made, areas.locate(grid.candidates), asked)
        xy, there = np.full(case.xy.shape, np.nan), np.flatnonzero(~made.withheld)
        xy[there] = made.xy[there] if grid.xy is case.xy else grid.back(made.xy[there], case)
        return Trial(xy, tops, bounds)

    def areas_of(self, case: Case, size: float, ask: Progress) -> tuple[Areas, float, Grid]:
        """Areas, how many each has to hold, and the places in their plane."""
        population = Population.at_points(case.candidates, case.weight)
        areas = SiteAreas.of_list(population, int(size), ask)
        return areas, self.least, Grid(case.xy, case.candidates)


@dataclass(frozen=True, eq=False)
class Zones:
    """Zones at hand, in a plane of their own.

    Attributes
    ----------
    shapes : (z,) array of shapely polygons
    grid : Grid
        The places of the file and the list there.
    """

    shapes: Any = ()
    grid: Grid = field(default_factory=lambda: Grid(np.empty((0, 2)), np.empty((0, 2))))


@dataclass(frozen=True, eq=False)
class MergedZones(RoundSites):
    """Zones, of which the smallest are merged until each holds enough (adaptive areal elimination).

    Points are released at the centres. What they tell is as of :class:`RoundSites`.

    Attributes
    ----------
    zones : Zones
    """

    zones: Zones = field(default_factory=Zones)
    name = "merged zones"
    kind = POINTS

    def whole(self, case: Case) -> float:
        """Addresses in zones, or people by the weights."""
        inside = zone_of(self.zones.grid.candidates, self.zones.shapes) >= 0
        return float(inside.sum() if case.weight is None else case.weight[inside].sum())

    def parameters(self, size: float) -> dict[str, Any]:
        """See :class:`.Family`."""
        told: dict[str, Any] = {"METHOD": MERGED, "K": int(size)}
        few = self.least_records
        return told if few is None else {**told, "K_RECORDS": few}

    def areas_of(self, case: Case, size: float, ask: Progress) -> tuple[Areas, float, Grid]:
        """See :class:`RoundSites`."""
        grid = self.zones.grid
        population = Population.at_points(grid.candidates, case.weight)
        return ZoneAreas.merged(self.zones.shapes, population, size, ask), size, grid


def _of_areas(
    case: Case, made: Aggregated, of_candidate: np.ndarray, asked: np.ndarray
) -> dict[str, np.ndarray]:
    """What both adversaries believe of records of whom they know the area."""
    area = np.where(made.withheld, -1, made.area)
    tops = {}
    if PLACE in case.adversaries:
        tops[PLACE] = alike_among(case, area, of_candidate, asked)
    if RECORD in case.adversaries:
        tops[RECORD] = alike_in(case, area, asked)
    return tops
