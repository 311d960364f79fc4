# SPDX-License-Identifier: GPL-2.0-or-later
"""What every aggregated area has to keep: how much it holds, how wide it is, where it ends."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..runtime.errors import InputError
from ..runtime.wording import Sentence, number_of
from ..space.points import convex_hull
from .clusters import Clusters, Trial
from .neighbours import Neighbours

#: Points whose distances are all computed; of more only those of their hull.
_FEW = 64


@dataclass(frozen=True)
class Floor:
    """The least that an area must hold of something.

    Attributes
    ----------
    weight : (n,) array
        How much each region holds, from 0.
    least : float
    of_people : bool
        Whether these are people of a population field; else records.
    """

    weight: np.ndarray
    least: float
    of_people: bool = False

    def amounts(self, area_of_region: np.ndarray, areas: int) -> np.ndarray:
        """How much each area holds, (areas,) float64."""
        return np.bincount(area_of_region, self.weight, areas)

    def told(self, amount: float) -> Sentence:
        """Return an amount with its noun."""
        one, many = ("person", "people") if self.of_people else ("record", "records")
        return number_of(int(np.floor(amount)), one, many)


@dataclass(frozen=True)
class Ceiling:
    """The most that an area may measure.

    Attributes
    ----------
    size : (n,) array
        How much each region measures, from 0.
    most : float
    unit : str
        Of both, for sentences.
    """

    size: np.ndarray
    most: float
    unit: str = "km²"

    @property
    def limit(self) -> float:
        """The most, and the last digits of a sum."""
        return self.most * (1 + 1e-12)

    def amounts(self, area_of_region: np.ndarray, areas: int) -> np.ndarray:
        """How much each area measures, (areas,) float64."""
        return np.bincount(area_of_region, self.size, areas)

    def told(self, size: float) -> Sentence:
        """Return a size with its unit."""
        return Sentence("{size:,.6g} {unit}", size=size, unit=self.unit)

    def refuse_larger(self) -> None:
        """Refuse regions that are too large by themselves.

        Raises
        ------
        InputError
        """
        larger = self.size > self.limit
        if larger.any():
            raise InputError(
                "{regions} larger than the {most} that an area may measure, the largest {largest}: "
                "no area there can be that small. Allow larger areas, or leave those regions out.",
                regions=number_of(int(larger.sum()), "region is", "regions are"),
                most=self.told(self.most),
                largest=self.told(float(self.size.max())),
            )


@dataclass(frozen=True)
class Demands:
    """What every area has to keep.

    Attributes
    ----------
    floors : tuple of Floor
    max_diameter : float
        Largest distance between two regions of an area, in units of the plane.
    part : (n,) int array or None
        Part of the map that each region lies in; no area crosses the borders of a part.
    part_names : tuple of str
        By their numbers, for sentences.
    near : Neighbours or None
        The regions that adjoin each; None where nobody asks for it.
    contiguous, bridged : bool
        Whether every area has to be in one piece; and if so, whether regions that adjoin no others
        are joined to the nearest ones over the gap. Else they make areas of their own.
    boundary_moves : bool
        Whether single regions at the borders of areas go to another area in the end, where that
        has fewer records suppressed.
    ceiling : Ceiling or None
        How large an area may be.
    together : (n,) int array or None
        Regions with the same number go to the same area.
    """

    floors: tuple[Floor, ...] = ()
    max_diameter: float = np.inf
    part: np.ndarray | None = None
    part_names: tuple[str, ...] = ()
    near: Neighbours | None = None
    contiguous: bool = False
    bridged: bool = False
    boundary_moves: bool = False
    ceiling: Ceiling | None = None
    together: np.ndarray | None = None

    def __bool__(self) -> bool:
        return (
            bool(self.floors)
            or self.max_diameter != np.inf
            or self.part is not None
            or self.contiguous
            or self.boundary_moves
            or self.ceiling is not None
            or self.together is not None
        )

    @property
    def are_of_extent(self) -> bool:
        """Whether areas may not be of any width or size."""
        return bool(np.isfinite(self.max_diameter)) or self.ceiling is not None

    def allow(self, xy: np.ndarray, rows: np.ndarray) -> bool:
        """Whether an area of some regions is neither too wide nor too large."""
        if self.ceiling is not None and self.ceiling.size[rows].sum() > self.ceiling.limit:
            return False
        return self.max_diameter == np.inf or diameter(xy[rows]) <= self.max_diameter

    def of(self, rows: np.ndarray) -> Demands:
        """Return what is demanded of areas of some regions, ascending, of one part."""
        return replace(
            self,
            floors=tuple(replace(floor, weight=floor.weight[rows]) for floor in self.floors),
            part=None,
            together=None if self.together is None else self.together[rows],
            ceiling=None
            if self.ceiling is None
            else replace(self.ceiling, size=self.ceiling.size[rows]),
            near=None if self.near is None else self.near.taken(rows),
        )

    def most_areas(self) -> int | None:
        """Most areas that can all hold the least; None where nothing has to be held."""
        return min(
            (max(1, int(floor.weight.sum() // floor.least)) for floor in self.floors), default=None
        )

    def lacking(self) -> tuple[Floor, float] | None:
        """A floor that all regions together do not reach, and what they hold; None if there is none."""
        for floor in self.floors:
            held = float(floor.weight.sum())
            if held < floor.least:
                return floor, held
        return None

    def check(self, regions: int) -> None:
        """Refuse what is no demand, and what nobody can keep.

        Raises
        ------
        InputError
            For a floor or a width that is not positive, weights that are none, and floors that all
            regions together do not reach.
        """
        if not self.max_diameter > 0:
            raise InputError("The largest diameter of an area must be positive.")
        if self.ceiling is not None:
            if not (self.ceiling.most > 0 and np.isfinite(self.ceiling.most)):
                raise InputError("The largest size of an area must be a positive number.")
            self.ceiling.refuse_larger()
        for floor in self.floors:
            if not (floor.least > 0 and np.isfinite(floor.least)):
                raise InputError("What each area must hold has to be a positive number.")
            if len(floor.weight) != regions:
                raise InputError("There are not as many populations as regions.")
            if not (np.isfinite(floor.weight) & (floor.weight >= 0)).all():
                raise InputError("Populations of regions must be numbers from 0.")
        if (self.contiguous or self.boundary_moves) and self.near is None:
            raise InputError("Areas in one piece need to know which regions adjoin.")
        lacking = self.lacking()
        if lacking is not None:
            floor, held = lacking
            raise InputError(
                "All regions together have {held}: not one area can hold the {least} that are "
                "asked for. Ask for fewer.",
                held=floor.told(held),
                least=floor.told(np.ceil(floor.least)),
            )


def diameter(xy: np.ndarray) -> float:
    """Return the largest distance between two of some points; 0 for fewer than two.

    Parameters
    ----------
    xy : (n, 2) array
    """
    if len(xy) < 2:
        return 0.0
    ends = farthest(xy)
    return float(np.hypot(*(ends[1] - ends[0])))


def farthest(xy: np.ndarray) -> np.ndarray:
    """Return two points of the largest distance between any two, (2, 2)."""
    at = convex_hull(xy) if len(xy) > _FEW else xy
    gap = at[:, None, :] - at[None, :, :]
    one, other = np.unravel_index(np.hypot(gap[..., 0], gap[..., 1]).argmax(), (len(at), len(at)))
    return at[[one, other]]


@dataclass(frozen=True)
class Guard:
    """Keeps a search from moves by which an area would break a demand, or break it more.

    Attributes
    ----------
    demands : Demands
    """

    demands: Demands

    def __call__(self, clusters: Clusters, trial: Trial) -> bool:
        """Whether a move may be made."""
        before = clusters.owner[trial.regions]
        other = trial.owner != before
        changed, before, after = trial.regions[other], before[other], trial.owner[other]
        count = len(clusters.sites)
        for floor in self.demands.floors:
            held = floor.amounts(clusters.owner, count)
            weight = floor.weight[changed]
            now = held + np.bincount(after, weight, count) - np.bincount(before, weight, count)
            at = trial.clusters
            if ((now[at] < floor.least) & (now[at] < held[at])).any():
                return False
        ceiling = self.demands.ceiling
        if ceiling is not None:
            held = ceiling.amounts(clusters.owner, count)
            size = ceiling.size[changed]
            now = held + np.bincount(after, size, count) - np.bincount(before, size, count)
            at = trial.clusters
            if ((now[at] > ceiling.limit) & (now[at] > held[at] * (1 + 1e-12))).any():
                return False
        if not np.isfinite(self.demands.max_diameter):
            return True
        owner = clusters.owner.copy()
        owner[changed] = after
        for area in np.unique(after):
            wide = diameter(clusters.xy[owner == area])
            if wide > self.demands.max_diameter and wide > diameter(
                clusters.xy[clusters.owner == area]
            ):
                return False
        return True
