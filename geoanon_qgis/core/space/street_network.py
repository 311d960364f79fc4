# SPDX-License-Identifier: GPL-2.0-or-later
"""A network of streets, made of lines as a layer holds them.

Nodes are what one would call so on a map: crossings and dead ends. Lines are joined wherever they
touch or cross, whether or not a layer has a vertex there, and a street that is drawn in several
pieces is one: where just two pieces meet is no node. So the network depends on what the lines show
together, not on how they are cut, in which direction they run, or on the order of the rows.

A bridge crosses the street below it as any other street does: a layer of lines does not tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, interruptible, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import number_of
from .points import LARGEST, places

#: Lines are joined on a grid of this width (m). A straight line of a layer in degrees is not quite
#: one in a plane: where a street ends on another it misses it by some centimetres.
JOIN_M = 0.1
#: Streets that meet at a crossing; a dead end has one.
_CROSSING = 3
_LINE, _RING, _MULTILINE = 1, 2, 5


@dataclass(frozen=True, eq=False, repr=False)
class StreetNetwork(Summarised):
    """Nodes, and the streets between them in both directions, as rows of a sparse matrix.

    Attributes
    ----------
    xy : (n, 2) array
        Nodes in metres, sorted by x, then y, to :data:`JOIN_M`.
    first : (n + 1,) int array
        Where the streets of each node start.
    neighbour : (e,) int array
        The node at a street's other end. No node is its own, and none comes twice.
    length : (e,) array
        Metres along the street; of several between the same nodes the shortest.
    streets : (n,) int array
        Ends of streets at each node, those that come back to it counted twice.
    """

    xy: np.ndarray
    first: np.ndarray
    neighbour: np.ndarray
    length: np.ndarray
    streets: np.ndarray

    @property
    def crossings(self) -> np.ndarray:
        """Nodes at which three streets or more meet, (c, 2), in metres."""
        return self.xy[self.streets >= _CROSSING]

    @property
    def linked(self) -> np.ndarray:
        """Whether a street leads from each node to another one, (n,) bool."""
        return np.diff(self.first) > 0

    @cached_property
    def piece(self) -> np.ndarray:
        """Which part of the network each node belongs to, (n,) int: there is no way between two."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import connected_components

        shape = (len(self.xy), len(self.xy))
        links = csr_matrix((self.length, self.neighbour, self.first), shape=shape)
        return connected_components(links, directed=False)[1]

    @property
    def pieces(self) -> int:
        """Number of parts that lead from one node to another."""
        return len(np.unique(self.piece[self.linked]))

    def in_words(self) -> str:
        """Say how many nodes there are."""
        return (
            f"Street network of {number_of(len(self.xy), 'node', 'nodes')}"
            f" ({len(self.crossings):,} of them crossings),"
            f" {number_of(len(self.length) // 2, 'street', 'streets')} between them, in"
            f" {number_of(self.pieces, 'piece', 'pieces')}."
        )


def street_network(lines: Sequence[Any], progress: Progress = silent) -> StreetNetwork:
    """Join lines to a network.

    Parameters
    ----------
    lines : sequence of shapely lines
        In a plane in metres. Lines of several parts are taken apart; empty ones, and those
        without a length, are nothing.
    progress : callable

    Returns
    -------
    StreetNetwork

    Raises
    ------
    InputError
        If something is no line, coordinates are not finite, or there is no line at all.
    """
    geos = shapely()
    pieces = _apart(lines)
    progress(0.05)
    joined = interruptible(lambda: _joined(pieces), part(progress, 0.05, 0.8), 0.0)
    progress(0.8)
    if not len(joined):
        raise InputError("The streets have no length: all their lines are shorter than a step.")
    corners, line = geos.get_coordinates(joined, return_index=True)
    last = np.append(np.flatnonzero(np.diff(line)), len(line) - 1)
    start = np.concatenate([[0], last[:-1] + 1])
    found = places(np.concatenate([corners[start], corners[last]]))
    one, other = found.of_point[: len(joined)], found.of_point[len(joined) :]
    length = geos.length(joined)
    progress(0.9)
    return StreetNetwork(found.xy, *_rows(one, other, length, len(found.xy)), found.count)


def _apart(lines: Sequence[Any]) -> np.ndarray:
    """Single lines, each once and in one direction, in an order that is theirs."""
    geos = shapely()
    array = np.empty(len(lines), dtype=object)
    array[:] = list(lines)
    given = array[~(geos.is_missing(array) | geos.is_empty(array))]
    if not np.isin(geos.get_type_id(given), (_LINE, _RING, _MULTILINE)).all():
        raise InputError("The streets must be lines, not points or areas.")
    if not len(given):
        raise InputError("There are no streets: the layer has no line with a place.")
    if not (np.abs(geos.get_coordinates(given)) < LARGEST).all():
        raise InputError("Some streets have coordinates that are no finite numbers.")
    single = geos.normalize(geos.force_2d(geos.get_parts(given)))
    return geos.from_wkb(np.unique(geos.to_wkb(single)))


def _joined(lines: np.ndarray) -> np.ndarray:
    """Lines from node to node, each in one direction.

    First all are cut where they touch or cross, then pieces are put together where just two meet.
    """
    geos = shapely()
    cut = geos.union_all(lines, grid_size=JOIN_M)
    merged = geos.get_parts(geos.line_merge(geos.multilinestrings(geos.get_parts(cut))))
    merged = merged[geos.length(merged) > 0]
    # A round would be turned until it begins at its first corner, which is no node.
    return np.where(geos.is_closed(merged), merged, geos.normalize(merged))


def _rows(
    one: np.ndarray, other: np.ndarray, length: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Streets between different nodes in both directions, the shortest of several only."""
    away = one != other
    source = np.concatenate([one[away], other[away]])
    target = np.concatenate([other[away], one[away]])
    both = np.concatenate([length[away], length[away]])
    order = np.lexsort((both, target, source))
    source, target, both = source[order], target[order], both[order]
    new = np.ones(len(source), dtype=bool)
    new[1:] = (np.diff(source) != 0) | (np.diff(target) != 0)
    first = np.searchsorted(source[new], np.arange(count + 1))
    return first, target[new], both[new]
