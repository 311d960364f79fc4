# SPDX-License-Identifier: GPL-2.0-or-later
"""Voronoi masking: every point moves to the nearest edge of its Voronoi cell.

Seidl, D. E., Paulus, G., Jankowski, P. and Regenfelder, M. (2015). Spatial obfuscation
methods for privacy protection of household-level data. *Applied Geography* 63, 253-263.

The nearest edge of a cell stands between its point and that point's nearest neighbour, so
the masked point is the midpoint of the two (Moehler 2023, "What is Voronoi masking?"). A
k-d tree finds it; no diagram has to be built.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from ..runtime.results import Summarised
from ..runtime.wording import number_of
from ..space.points import as_points, nearest_neighbours

#: What became of a point (the codes of :attr:`VoronoiMask.kind`).
SINGLETON, PAIRED, UNMOVED = 0, 1, 2
#: What layers and maps call them.
KIND_NAMES = ("singleton", "pair", "unmoved")


@dataclass(frozen=True, repr=False)
class VoronoiMask(Summarised):
    """Masked points, in the order of the originals.

    Attributes
    ----------
    xy : (n, 2) array
        Masked coordinates, in the unit of the originals.
    neighbour : (n,) int array
        Row of the nearest neighbour that each point moved towards.
    shift : (n,) array
        Distance moved: half the distance to the neighbour, in the unit of the coordinates.
    kind : (n,) int8 array
        ``SINGLETON``: alone at its masked place. ``PAIRED``: two mutual nearest neighbours
        met halfway. ``UNMOVED``: the point shares its place with others, its cell has no
        width there, and the released place is the true one.
    unit : str
        Unit of the shifts, where it is known: ``m``.
    """

    xy: np.ndarray
    neighbour: np.ndarray
    shift: np.ndarray
    kind: np.ndarray
    unit: str = ""

    def count(self, kind: int) -> int:
        """Number of points of one kind."""
        return int(np.count_nonzero(self.kind == kind))

    @property
    def median_shift(self) -> float:
        """Median distance moved over all points, in the unit of the coordinates."""
        return float(np.median(self.shift))

    def in_words(self) -> str:
        """Say how many points moved, and how far in the middle."""
        unit = self.unit or "(unit of the coordinates)"
        return (
            f"Voronoi mask of {number_of(len(self.xy), 'point', 'points')}: alone at their place"
            f" {self.count(SINGLETON):,}, in pairs {self.count(PAIRED):,}, not moved"
            f" {self.count(UNMOVED):,}.\nMedian shift {self.median_shift:,.3g} {unit}."
        )


def voronoi_mask(xy: np.ndarray, progress: Progress = silent) -> VoronoiMask:
    """Move each point halfway to its nearest neighbour.

    Deterministic, and equivariant under translation and reordering of the rows: where two
    neighbours are equally near, the one first in x, then in y is taken (the paper leaves
    that open).

    Parameters
    ----------
    xy : (n, 2) array
        Planar coordinates; any unit.
    progress : callable
        Told a fraction between 0 and 1; may raise to cancel.

    Returns
    -------
    VoronoiMask

    Raises
    ------
    InputError
        With fewer than two points, with all points at one place (nothing could move), or
        with coordinates that are not finite.

    References
    ----------
    Seidl et al. (2015); Moehler (2023), "What is Voronoi masking?".
    """
    xy = as_points(xy)
    if len(xy) < 2:
        raise InputError(
            "Voronoi masking needs at least two points: a point alone has no neighbour to move"
            " towards. Add the points that were left out, or release a larger area instead."
        )
    if (xy == xy[0]).all():
        raise InputError(
            "All {points} lie at the same place, so none of them can move and the release would "
            "show it. Release the place of a larger area instead.",
            points=number_of(len(xy), "point", "points"),
        )
    neighbour, distance = nearest_neighbours(xy, progress)
    kind = np.full(len(xy), SINGLETON, dtype=np.int8)
    kind[neighbour[neighbour] == np.arange(len(xy))] = PAIRED
    kind[distance == 0] = UNMOVED
    masked = (xy + xy[neighbour]) / 2
    return VoronoiMask(masked, neighbour, distance / 2, kind)
