# SPDX-License-Identifier: GPL-2.0-or-later
"""Which regions adjoin, and in how many pieces an area lies."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..masking.cells import study_area
from ..masking.merging import shared_borders
from ..runtime.progress import Progress, interruptible, silent
from ..runtime.wording import Sentence
from ..space.points import as_points, places


@dataclass(frozen=True)
class Neighbours:
    """The regions that adjoin each region.

    Attributes
    ----------
    start : (n + 1,) int64 array
    other : (m,) int64 array
        Those of region i are ``other[start[i] : start[i + 1]]``, ascending.
    """

    start: np.ndarray
    other: np.ndarray

    @classmethod
    def of_pairs(cls, one: np.ndarray, other: np.ndarray, regions: int) -> Neighbours:
        """Make it of pairs, either way round; a pair of twice the same region is passed over."""
        ends = np.stack([np.append(one, other), np.append(other, one)]).astype(np.int64)
        ends = np.unique(ends[:, ends[0] != ends[1]], axis=1)
        count = np.bincount(ends[0], minlength=regions)
        return cls(np.concatenate([[0], np.cumsum(count)]), ends[1])

    def __len__(self) -> int:
        return len(self.start) - 1

    def of(self, region: int) -> np.ndarray:
        """Return the regions that adjoin one."""
        return self.other[self.start[region] : self.start[region + 1]]

    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return all pairs, each either way round."""
        return np.repeat(np.arange(len(self)), np.diff(self.start)), self.other

    def within(self, part: np.ndarray) -> Neighbours:
        """Return only those of the same part; ``part`` is (n,) int."""
        one, other = self.pairs()
        same = part[one] == part[other]
        return Neighbours.of_pairs(one[same], other[same], len(self))

    def taken(self, rows: np.ndarray) -> Neighbours:
        """Return those among some regions, ascending, by their positions in ``rows``."""
        at = np.full(len(self), -1, dtype=np.int64)
        at[rows] = np.arange(len(rows))
        one, other = self.pairs()
        both = (at[one] >= 0) & (at[other] >= 0)
        return Neighbours.of_pairs(at[one[both]], at[other[both]], len(rows))

    def pieces(self, area: np.ndarray) -> np.ndarray:
        """Number the pieces of areas: regions of one area that are connected within it.

        Parameters
        ----------
        area : (n,) int array

        Returns
        -------
        (n,) int array
            Piece of each region, from 0, no piece in two areas.
        """
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import connected_components

        one, other = self.pairs()
        same = area[one] == area[other]
        shape = (len(self), len(self))
        joined = csr_matrix((np.ones(int(same.sum())), (one[same], other[same])), shape=shape)
        return connected_components(joined, directed=False)[1]

    def pieces_of(self, area: np.ndarray, areas: int) -> np.ndarray:
        """Count the pieces of each area, (areas,) int; 0 for one without regions."""
        piece = self.pieces(area)
        _, first = np.unique(piece, return_index=True)
        return np.bincount(area[first], minlength=areas)

    def holds_without(self, region: int, area: np.ndarray) -> bool:
        """Whether a region's area stays in one piece when the region leaves it.

        The area has to be in one piece before.
        """
        own = area[region]
        there = [int(one) for one in self.of(region) if area[one] == own]
        if len(there) < 2:
            return bool(there) or int((area == own).sum()) == 1
        wanted, seen, waiting = set(there[1:]), {region, there[0]}, deque(there[:1])
        while waiting and wanted:
            for one in self.of(waiting.popleft()).tolist():
                if area[one] == own and one not in seen:
                    seen.add(one)
                    wanted.discard(one)
                    waiting.append(one)
        return not wanted

    def bridged(self, xy: np.ndarray, part: np.ndarray, progress: Progress = silent) -> Neighbours:
        """Join what lies apart within a part to what is nearest, over the gap.

        Every piece but the largest of a part is joined to the nearest region outside of it, and
        again, until each part is in one piece.

        Parameters
        ----------
        xy : (n, 2) array
            Regions in the plane.
        part : (n,) int array
            Of the map; nothing is joined between two.
        progress : callable
            Called between pieces; may raise to cancel.
        """
        near = self.within(part)
        while True:
            piece = near.pieces(part)
            size = np.bincount(piece)
            bridges = []
            for number in np.unique(part):
                rows = np.flatnonzero(part == number)
                here = np.unique(piece[rows])
                largest = here[size[here].argmax()]
                for one in here[here != largest]:
                    progress(0.0)
                    mine = piece[rows] == one
                    bridges.append(_nearest_pair(xy, rows[mine], rows[~mine]))
            if not bridges:
                return near
            ends = np.array(bridges).T
            one, other = near.pairs()
            near = near.of_pairs(np.append(one, ends[0]), np.append(other, ends[1]), len(self))


def _nearest_pair(xy: np.ndarray, some: np.ndarray, others: np.ndarray) -> tuple[int, int]:
    """The first two regions of two sets that are nearest to each other."""
    if len(some) == 1:
        gap = xy[others] - xy[some[0]]
        return int(some[0]), int(others[np.hypot(gap[:, 0], gap[:, 1]).argmin()])
    from scipy.spatial import cKDTree

    away, nearest = cKDTree(xy[others]).query(xy[some])
    at = int(np.argmin(away))
    return int(some[at]), int(others[nearest[at]])


def neighbours_of_polygons(shapes: Sequence[Any], progress: Progress = silent) -> Neighbours:
    """Return the regions with which each shares a border, not only a corner.

    Parameters
    ----------
    shapes : sequence of n valid shapely polygons
    progress : callable

    Returns
    -------
    Neighbours
        Vertices that miss each other by less than a millionth of a typical side are the same:
        :func:`~..masking.merging.shared_borders`.
    """
    polygons = np.asarray(shapes, dtype=object)
    if len(polygons) < 2:
        return Neighbours.of_pairs(np.empty(0, int), np.empty(0, int), len(polygons))
    one, other, _ = shared_borders(polygons, progress)
    return Neighbours.of_pairs(one, other, len(polygons))


def neighbours_of_points(xy: np.ndarray, progress: Progress = silent) -> Neighbours:
    """Return the regions whose Voronoi cells share an edge: Delaunay neighbours.

    Only edges count that reach into the drawn map (:func:`~..masking.cells.study_area`): of two
    points at its rim the cells may meet far outside of it only, and would be drawn apart. Regions
    at one place adjoin.

    Parameters
    ----------
    xy : (n, 2) array
        In the plane.
    progress : callable
    """
    found = places(as_points(xy, Sentence("regions")))
    order = np.argsort(found.of_point, kind="stable")
    chained = found.of_point[order[1:]] == found.of_point[order[:-1]]
    one, other = order[:-1][chained], order[1:][chained]
    count = len(found.xy)
    if count > 1:
        near = interruptible(lambda: _ridges(found.xy), progress)
        first = np.full(count, -1)
        first[found.of_point[::-1]] = np.arange(len(xy))[::-1]
        one, other = np.append(one, first[near[:, 0]]), np.append(other, first[near[:, 1]])
    progress(1.0)
    return Neighbours.of_pairs(one, other, len(xy))


def _ridges(xy: np.ndarray) -> np.ndarray:
    """Pairs of places whose cells share an edge within the drawn map, (m, 2)."""
    from scipy.spatial import Voronoi

    area = study_area(xy)
    middle = (area.min(axis=0) + area.max(axis=0)) / 2
    ring = area - middle
    far = 10.0 * float(np.ptp(ring, axis=0).max())
    # Four far points close the outer cells, as where cells are drawn.
    frame = far * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    diagram = Voronoi(np.concatenate([xy - middle, frame]))
    pairs = np.asarray(diagram.ridge_points)
    ends = np.array([edge[:2] if len(edge) == 2 else (-1, -1) for edge in diagram.ridge_vertices])
    real = (pairs < len(xy)).all(axis=1) & (ends >= 0).all(axis=1)
    pairs, ends = pairs[real], ends[real]
    begin, way = diagram.vertices[ends[:, 0]], np.diff(diagram.vertices[ends], axis=1)[:, 0]
    # Clipped to the convex map (Cyrus and Beck 1978): what is left goes from low to high.
    low, high = np.zeros(len(pairs)), np.ones(len(pairs))
    for corner, following in zip(ring, np.roll(ring, -1, axis=0)):
        inward = np.array([corner[1] - following[1], following[0] - corner[0]])
        height, slope = (begin - corner) @ inward, way @ inward
        with np.errstate(divide="ignore", invalid="ignore"):
            at = -height / slope
        low = np.where(slope > 0, np.maximum(low, at), low)
        high = np.where(slope < 0, np.minimum(high, at), high)
        high = np.where((slope == 0) & (height < 0), -1.0, high)
    length = np.hypot(way[:, 0], way[:, 1]) * (high - low)
    return pairs[length > 1e-9 * far]
