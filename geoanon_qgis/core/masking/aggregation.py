# SPDX-License-Identifier: GPL-2.0-or-later
"""Aggregation of points: every place goes to the centre of its area, or to a random point of it.

The areas come from what is public: a lattice with a fixed origin, or zones, as they are or merged.
So do the counts by which an area is too small: never from the points that are masked.

**What is known from a released point** is the area, and nothing else: all candidates in it explain
the point equally well, f(y | c) = 1, or 1 / its area for a random point; all others not at all. With
equal weights the posterior of each is 1 / (candidates in the area), for any number of releases.
With K addresses in each area it is at most 1 / K; with K *people* it is a household's part of them.

**What is not hidden**: how many records an area has. Whoever knows that a person is in the file finds
her record among those of her area, and alone there if it is the only one; where areas with few places
release nothing (``least_records``), with 1 / ``least_records`` at most, if he knows nothing else of her. Two releases by different
areas tell in which parts common to both each place lies. And what all in an area have in common
is known of each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import number_of
from ..space.points import as_points, places
from .kept_draws import MANY, KeptDraws
from .public_areas import CellAreas, ZoneAreas

Areas = Union[CellAreas, ZoneAreas]
#: Where in its area a place goes to.
CENTRE, RANDOM = "centre", "random"
#: What became of a point (the codes of :attr:`Aggregated.kind`).
PLACED, OUTSIDE, FEW, FEW_RECORDS = 0, 1, 2, 3


@dataclass(frozen=True, repr=False)
class Aggregated(Summarised):
    """Masked points, in the order of the originals.

    Attributes
    ----------
    xy : (n, 2) array
        Masked coordinates; not a number where a point is withheld.
    area : (n,) int64 array
        Row of its area; -1 outside of all.
    kind : (n,) int8 array
        ``PLACED``. Withheld: ``OUTSIDE``, it lies in no area; ``FEW``, too few people or addresses
        are in its area; ``FEW_RECORDS``, too few places with records.
    alone : (n,) bool array
        Whether the point's place is the only one that is released in its area.
    shift : (n,) array
        Distance moved.
    """

    xy: np.ndarray
    area: np.ndarray
    kind: np.ndarray
    alone: np.ndarray
    shift: np.ndarray

    @property
    def withheld(self) -> np.ndarray:
        """Whether each point is withheld."""
        return self.kind != PLACED

    @property
    def used(self) -> np.ndarray:
        """Rows of the areas that hold a released point, which the release tells anyway."""
        return np.unique(self.lies_in)

    @property
    def lies_in(self) -> np.ndarray:
        """Areas of the released points, without those that stay outside of all."""
        return self.area[~self.withheld & (self.area >= 0)]

    def with_put(self, xy: np.ndarray, others: np.ndarray, area: np.ndarray) -> Aggregated:
        """Return it with points that stay where other layers than these have put them.

        Parameters
        ----------
        xy : (n, 2) array
            Where points are released; not a number for who is withheld.
        others : (n,) bool array
        area : (n,) int array
            Area in which each of those was released, -1 for none; of no meaning for the rest.
        """
        if not others.any():
            return self
        area, kind = np.where(others, area, self.area), np.where(others, PLACED, self.kind)
        alone, there = np.zeros(len(xy), dtype=bool), np.flatnonzero((kind == PLACED) & (area >= 0))
        # Random places of an area are different for different places.
        at = places(xy[there])
        of_place = np.empty(len(at.xy), dtype=np.int64)
        of_place[at.of_point] = area[there]
        alone[there] = np.bincount(of_place)[area[there]] == 1
        return Aggregated(self.xy, area, kind, alone, self.shift)

    def in_words(self) -> str:
        """See :class:`.Summarised`."""
        moved = self.shift[~self.withheld]
        middle = f"; median shift {np.median(moved):,.3g}" if len(moved) else ""
        return (
            f"Aggregation of {number_of(len(self.xy), 'point', 'points')} to"
            f" {number_of(len(self.used), 'area', 'areas')}: {len(moved):,} placed,"
            f" {int(self.withheld.sum()):,} withheld{middle}."
        )


def aggregate(
    xy: np.ndarray,
    areas: Areas,
    least: float | None = None,
    place: str = CENTRE,
    secret: bytes = b"",
    mask: str = "",
    stored: np.ndarray | None = None,
    progress: Progress = silent,
    least_records: int | None = None,
) -> Aggregated:
    """Put each place at the centre of its area, or at a random point of it that is kept.

    Parameters
    ----------
    xy : (n, 2) array
        In the plane of the areas, which must be the same for the next release, too.
    areas : CellAreas or ZoneAreas
    least : float, optional
        Number of people or addresses below which an area releases nothing; at least 2.
    place : str
        ``centre`` or ``random``.
    secret : bytes
        For random points: see :func:`.kept_draws.read_secret`.
    mask : str
        For random points: the mask's id.
    stored : (n, 2) array, optional
        Coordinates as they are stored, by which a place is known again; ``xy`` where not given.
    progress : callable
    least_records : int, optional
        Number of places with records below which an area releases nothing; those at one place count
        once.

    Returns
    -------
    Aggregated

    Raises
    ------
    InputError
        If ``least`` is below 2, or nothing is known of how many live in the areas.
    """
    xy = as_points(xy)
    stored = xy if stored is None else as_points(stored)
    enough = enough_people(areas, least)
    # Once for each place: points that share one are drawn together.
    found = places(stored)
    first = np.empty(len(found.xy), dtype=np.int64)
    first[found.of_point] = np.arange(len(xy))
    area = areas.locate(xy[first], part(progress, 0.0, 0.4))
    kind = np.full(len(area), PLACED, dtype=np.int8)
    kind[~enough[area]] = FEW
    kind[area < 0] = OUTSIDE
    if least_records is not None:
        there = np.flatnonzero(kind == PLACED)
        kind[there[np.bincount(area[there])[area[there]] < least_records]] = FEW_RECORDS
    goal, rows = np.full((len(area), 2), np.nan), np.flatnonzero(kind == PLACED)
    if place == CENTRE:
        used, at = np.unique(area[rows], return_inverse=True)
        goal[rows] = areas.centres(used)[at]
    else:
        draws = KeptDraws(secret, mask, many=len(rows) >= MANY)
        goal[rows] = areas.draw(area[rows], found.xy[rows], draws, part(progress, 0.4, 1.0))
    alone = np.zeros(len(area), dtype=bool)
    alone[rows] = np.bincount(area[rows], minlength=len(areas))[area[rows]] == 1
    back = found.of_point
    gap = goal[back] - xy
    progress(1.0)
    shift = np.hypot(gap[:, 0], gap[:, 1])
    return Aggregated(goal[back], area[back], kind[back], alone[back], shift)


def enough_people(areas: Areas, least: float | None) -> np.ndarray:
    """Whether areas hold enough to release anything, one more than there are areas: for none.

    Raises
    ------
    InputError
        See :func:`aggregate`.
    """
    good = np.ones(len(areas) + 1, dtype=bool)
    if least is not None:
        check_least(least)
        if areas.people is None:
            raise InputError(
                "A least number of people or addresses (K) needs a layer that counts them."
            )
        good[:-1] = areas.people >= least
    return good


def check_least(least: float) -> None:
    """Refuse a least number below 2.

    Raises
    ------
    InputError
    """
    if not (np.isfinite(least) and least >= 2):
        raise InputError(
            "The least number of people or addresses in an area must be at least 2, not {least:g}:"
            " who is alone in an area is not hidden there.",
            least=float(least),
        )


def density(
    areas: Areas, of_candidate: np.ndarray, of_released: np.ndarray, least: float | None, place: str
) -> np.ndarray:
    """Density f(y given c) of a released point, for pairs of a candidate and a released point.

    Parameters
    ----------
    areas : CellAreas or ZoneAreas
    of_candidate, of_released : (p,) int arrays
        Areas of both, as :meth:`.ZoneAreas.locate` finds them.
    least : float or None
    place : str
        As in :func:`aggregate`.

    Returns
    -------
    (p,) array
        0 in different areas, or where an area releases nothing. In the same: 1 for centres (a
        probability), 1 / area for random points (per square unit).
    """
    good = enough_people(areas, least)
    same = (of_candidate == of_released) & (of_candidate >= 0) & good[of_candidate]
    if place == CENTRE or not same.any():
        return same.astype(np.float64)
    found = np.zeros(len(same))
    found[same] = 1.0 / areas.size(of_candidate[same])
    return found
