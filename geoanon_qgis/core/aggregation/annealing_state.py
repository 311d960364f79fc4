# SPDX-License-Identifier: GPL-2.0-or-later
"""What simulated annealing moves about: the map, the areas as they are now, and room to work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..runtime.wording import Sentence
from .demands import Demands
from .equivalence_classes import EquivalenceClasses
from .evaluation import table_of
from .neighbours import Neighbours


class Ground(NamedTuple):
    """What moves do not change: regions, their records, and what areas must keep.

    Attributes
    ----------
    xy : (n, 2) array
    start, other : (n + 1,) and (m,) int64 arrays
        The regions that adjoin each: see :class:`.neighbours.Neighbours`.
    indptr, indices, data : arrays
        Records of each class in each region, by rows.
    people : (n,) array
    size, weight : (n,) and (f, n) arrays
        What a region counts for the ceiling and for each floor.
    least : (f,) array
        The floors.
    most, largest : float
        Largest distance between two regions of an area, and the ceiling.
    k : int
    """

    xy: np.ndarray
    start: np.ndarray
    other: np.ndarray
    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray
    people: np.ndarray
    size: np.ndarray
    weight: np.ndarray
    least: np.ndarray
    most: float
    largest: float
    k: int


class Moving(NamedTuple):
    """The areas as they are now, and the best that were seen.

    Attributes
    ----------
    area : (n,) int64 array
    table : (s, c) int32 array
        Records of each class in each area.
    sites : (s, 2) array
    length, records, measured : (s,) arrays
        Sum of distances to the site, records, and what counts for the ceiling, of each area.
    held : (f, s) array
        What counts for each floor.
    members, head : (s,) int64 arrays
        Regions of each area, and the first of them; -1 for none.
    after, before : (n,) int64 arrays
        The next and the last region of the same area.
    state, best_state : (3,) arrays
        Suppressed records, sum of distances, sum of n log2 n.
    best_area, best_sites : arrays
    """

    area: np.ndarray
    table: np.ndarray
    sites: np.ndarray
    length: np.ndarray
    records: np.ndarray
    measured: np.ndarray
    held: np.ndarray
    members: np.ndarray
    head: np.ndarray
    after: np.ndarray
    before: np.ndarray
    state: np.ndarray
    best_state: np.ndarray
    best_area: np.ndarray
    best_sites: np.ndarray


class Room(NamedTuple):
    """Where moves write down what they work out; nothing of it is kept.

    Attributes
    ----------
    seen, queue : (n,) int64 arrays
        Whom the search for pieces has seen, and whom it still has to ask.
    going : (2, n) int64 array
        Regions of a move and of the one that goes with it.
    more, touched : (c,) int64 arrays
        Records of each class that go, 0 in between, and classes of which any go.
    change : (2, 3) array
        What each of both would change of the state.
    """

    seen: np.ndarray
    queue: np.ndarray
    going: np.ndarray
    more: np.ndarray
    touched: np.ndarray
    change: np.ndarray


def ground_of(
    classes: EquivalenceClasses, xy: np.ndarray, k: int, near: Neighbours, demands: Demands
) -> Ground:
    """What moves do not change, of regions and demands; arguments as of :func:`.annealing.annealed`."""
    counts, ceiling = classes.counts, demands.ceiling
    return Ground(
        np.ascontiguousarray(xy, dtype=np.float64),
        near.start.astype(np.int64),
        near.other.astype(np.int64),
        counts.indptr.astype(np.int64),
        counts.indices.astype(np.int64),
        counts.data.astype(np.int64),
        classes.population.astype(np.float64),
        np.zeros(len(xy)) if ceiling is None else ceiling.size.astype(np.float64),
        np.array([one.weight for one in demands.floors], float).reshape(-1, len(xy)),
        np.array([one.least for one in demands.floors], dtype=np.float64),
        float(demands.max_diameter),
        np.inf if ceiling is None else float(ceiling.limit),
        int(k),
    )


def moving_of(
    classes: EquivalenceClasses,
    ground: Ground,
    sites: np.ndarray,
    area: np.ndarray,
    state: np.ndarray,
    demands: Demands,
) -> Moving:
    """Areas to begin with: their state is given; other arguments as of :func:`.annealing.annealed`.

    Raises
    ------
    InputError
        If the table of areas by classes does not fit the memory.
    """
    count, regions = len(sites), len(area)
    table = table_of(
        classes.counts,
        area,
        count,
        Sentence("moves at the borders of areas"),
        Sentence("Choose another location of the sites, or fewer quasi-identifiers."),
    )
    gap = ground.xy - sites[area]
    held = [one.amounts(area, count) for one in demands.floors]
    # Regions of an area one after the other: each knows the next and the last.
    order = np.argsort(area, kind="stable")
    same = area[order[1:]] == area[order[:-1]]
    after, before = np.full(regions, -1, np.int64), np.full(regions, -1, np.int64)
    after[order[:-1][same]], before[order[1:][same]] = order[1:][same], order[:-1][same]
    head = np.full(count, -1, np.int64)
    head[area[order[::-1]]] = order[::-1]
    return Moving(
        area.copy(),
        table,
        sites.copy(),
        np.bincount(area, np.hypot(gap[:, 0], gap[:, 1]), count),
        np.rint(np.bincount(area, ground.people, count)),
        np.bincount(area, ground.size, count),
        np.array(held, float).reshape(-1, count),
        np.bincount(area, minlength=count).astype(np.int64),
        head,
        after,
        before,
        state.copy(),
        state.copy(),
        area.copy(),
        sites.copy(),
    )


def room_of(classes: EquivalenceClasses) -> Room:
    """Where moves write down what they work out."""
    regions, kinds = classes.counts.shape
    return Room(
        np.zeros(regions, np.int64),
        np.empty(regions, np.int64),
        np.empty((2, regions), np.int64),
        np.zeros(kinds, np.int64),
        np.empty(kinds, np.int64),
        np.empty((2, 3)),
    )
