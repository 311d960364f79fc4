# SPDX-License-Identifier: GPL-2.0-or-later
"""Places drawn evenly in a polygon from given numbers, without trying again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.geos import shapely


@dataclass(frozen=True, eq=False)
class Trapezoids:
    """A polygon cut along the heights of its corners, made by :meth:`of`.

    Attributes
    ----------
    low, high : (t,) arrays
        Heights of both parallel sides, from :attr:`corner`.
    left, right : (t, 2) arrays
        Where the other sides begin and end: x at ``low`` and at ``high``, from :attr:`corner`.
    areas : (t,) array
    corner : (2,) array
        A corner of the polygon, near which coordinates keep their digits.
    """

    low: np.ndarray
    high: np.ndarray
    left: np.ndarray
    right: np.ndarray
    areas: np.ndarray
    corner: np.ndarray

    @classmethod
    def of(cls, shape: Any) -> Trapezoids:
        """Cut a shapely polygon, with holes or in several parts.

        Raises
        ------
        InputError
            If it has no area.
        """
        geos = shapely()
        xy, ring = geos.get_coordinates(
            geos.get_rings(geos.get_parts(geos.normalize(shape))), return_index=True
        )
        corner = xy[0].copy() if len(xy) else np.zeros(2)
        xy = xy - corner
        edges = np.concatenate([xy[:-1], xy[1:]], axis=1)[ring[1:] == ring[:-1]]
        edges = edges[edges[:, 1] != edges[:, 3]]
        down = edges[:, 1] > edges[:, 3]
        edges[down] = edges[down][:, [2, 3, 0, 1]]
        heights = np.unique(edges[:, [1, 3]])
        from_slab = np.searchsorted(heights, edges[:, 1])
        count = np.searchsorted(heights, edges[:, 3]) - from_slab
        edge = np.repeat(np.arange(len(edges)), count)
        slab = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count - from_slab, count)
        ends = (
            np.stack([heights[slab], heights[slab + 1]], axis=1) if len(edge) else np.empty((0, 2))
        )
        rise = edges[edge, 3] - edges[edge, 1]
        share = (ends - edges[edge, 1:2]) / rise[:, None]
        x = edges[edge, 0:1] * (1 - share) + edges[edge, 2:3] * share
        order = np.lexsort((x.sum(axis=1), slab))
        # By the even-odd rule what lies between the first and the second side is inside.
        left, right = x[order[0::2]], x[order[1::2]]
        low, high = ends[order[0::2]].T
        width = np.maximum(right - left, 0.0)
        areas = (high - low) * width.sum(axis=1) / 2
        if not areas.sum() > 0:
            raise InputError("No place can be drawn in an area that has no size.")
        return cls(low, high, left, right, areas, corner)

    def draw(self, uniform: np.ndarray) -> np.ndarray:
        """Draw places, evenly by area.

        Parameters
        ----------
        uniform : (m, 3) array
            Uniformly distributed, above 0 and below 1.

        Returns
        -------
        (m, 2) array
        """
        summed = np.cumsum(self.areas)
        at = np.searchsorted(summed, uniform[:, 0] * summed[-1], side="right")
        at = np.minimum(at, len(summed) - 1)
        bottom, top = np.maximum(self.right[at] - self.left[at], 0.0).T
        # The share of a trapezoid's area below a height is a square polynomial of the height.
        root = np.sqrt(bottom**2 + uniform[:, 1] * (top**2 - bottom**2))
        share = uniform[:, 1] * (bottom + top) / (bottom + root)
        y = self.low[at] + share * (self.high[at] - self.low[at])
        left = self.left[at, 0] * (1 - share) + self.left[at, 1] * share
        right = self.right[at, 0] * (1 - share) + self.right[at, 1] * share
        x = left + uniform[:, 2] * (right - left)
        return np.stack([x, y], axis=1) + self.corner
