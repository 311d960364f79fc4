# SPDX-License-Identifier: GPL-2.0-or-later
"""Street masking: every place moves along the streets to a crossing or a dead end near it.

Swanlund, D., Schuurman, N., Zandbergen, P. and Brussoni, M. (2020). Street masking: a network-based
geographic mask for easily protecting geoprivacy. *International Journal of Health Geographics* 19,
26, doi 10.1186/s12942-020-00219-z.

A place goes to the nearest node of the network, its start. Of the n nodes nearest to that one, by
their distance along the streets, the one is taken whose distance is closest to the mean of all n; n
is drawn from low to high - 1. What the paper leaves open is settled as the authors' own program
does: the start is the node nearest in a straight line; it counts among the n, with a distance of
0; of several that are equally close to the mean the nearest is taken. Ours are: equally near nodes
come in the order of x, then y; streets lead in both directions; nobody is looked for beyond
``max_length``; who has fewer than high - 1 nodes within that, or no node at all, is withheld (the
program searches for ever, or takes another node).

The start itself is never taken as long as n is at least 3: all other distances would have to be
more than twice the mean of all.

**What it does not protect.** There are no more than high - low places where a point can go, and
mostly fewer, for the next n often leads to the same node: :func:`street_targets` counts them. Who
knows the streets and the three numbers can tell for each node from which starts it is reached, and
who lives nearest to those. How many people that are is not looked at: along a road through fields
the nodes are few, and so are the houses between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import number_of
from ..space.points import as_points
from ..space.sites import nearest_site
from ..space.street_network import StreetNetwork
from .kept_draws import MANY, KeptDraws

#: Least number of nodes to choose among: of two, both are equally close to their mean.
LEAST_LOW = 3
#: What became of a point (the codes of :attr:`StreetMask.kind`).
MOVED, NO_STREET, FEW_NODES = 0, 1, 2
#: Starts that are looked at between two calls of ``progress``: some hundredths of a second.
_STARTS = 256


@dataclass(frozen=True, repr=False)
class StreetMask(Summarised):
    """Masked points, in the order of the originals.

    Attributes
    ----------
    xy : (n, 2) array
        Masked coordinates; not a number where a point is withheld.
    kind : (n,) int8 array
        ``MOVED``. Withheld: ``NO_STREET``, no node of the network is within reach; ``FEW_NODES``,
        too few nodes are within reach along the streets.
    start, node : (n,) int array
        Nodes nearest to each point, and where it went; below zero where there is none.
    choices : (n,) int array
        Number of different nodes to which the point could have gone; 0 for the withheld.
    shift : (n,) array
        Distance moved in a straight line, metres.
    """

    xy: np.ndarray
    kind: np.ndarray
    start: np.ndarray
    node: np.ndarray
    choices: np.ndarray
    shift: np.ndarray

    @property
    def withheld(self) -> np.ndarray:
        """Whether each point is withheld."""
        return self.kind != MOVED

    def taken(self, rows: np.ndarray) -> StreetMask:
        """Return some of the points."""
        of_each = (self.xy, self.kind, self.start, self.node, self.choices, self.shift)
        return StreetMask(*(one[rows] for one in of_each))

    def in_words(self) -> str:
        """Say how many points moved, and how far in the middle."""
        moved = self.shift[~self.withheld]
        middle = f"; median shift {np.median(moved):,.3g} m" if len(moved) else ""
        return (
            f"Street mask of {number_of(len(self.xy), 'point', 'points')}: {len(moved):,} moved,"
            f" {len(self.xy) - len(moved):,} withheld{middle}."
        )


@dataclass(frozen=True)
class Search:
    """How many nodes are looked at, and how far away.

    Attributes
    ----------
    low, high : int
        The number of nodes is drawn from ``low`` to ``high - 1``.
    max_length : float
        Metres, along the streets, and from a place to its nearest node.

    Raises
    ------
    InputError
        If ``low`` is below 3, ``high`` is not above it, or the length is not positive.
    """

    low: int = 20
    high: int = 30
    max_length: float = 1000.0

    def __post_init__(self) -> None:
        if self.low < LEAST_LOW:
            raise InputError(
                "A point must have at least {least} nodes to choose among, not {low}: with fewer"
                " it would go to the node nearest to it.",
                least=LEAST_LOW,
                low=self.low,
            )
        if self.high <= self.low:
            raise InputError(
                "The number of nodes is drawn from {low} to one below {high}: the upper limit must"
                " be above the lower one.",
                low=self.low,
                high=self.high,
            )
        if not 0 < self.max_length < np.inf:
            raise InputError(
                "The length to search along the streets must be a positive number of metres, not"
                " {length:g}.",
                length=self.max_length,
            )


def street_mask(
    xy: np.ndarray,
    network: StreetNetwork,
    search: Search,
    secret: bytes,
    mask: str,
    stored: np.ndarray | None = None,
    progress: Progress = silent,
) -> StreetMask:
    """Move points along the streets; with the same secret the same place to the same node.

    The number n is the place's own: it hangs on the secret, ``low`` and ``high`` alone. With
    another ``max_length`` a place goes to the same node as long as it is not withheld, and where
    streets have changed since an earlier release, only those move whose nodes are others.

    Parameters
    ----------
    xy : (n, 2) array
        In the plane of the network, metres.
    network : StreetNetwork
    search : Search
    secret : bytes
        See :func:`.kept_draws.read_secret`.
    mask : str
        The mask's id.
    stored : (n, 2) array, optional
        Coordinates as they are stored, by which a place is known again; ``xy`` where not given.
    progress : callable

    Returns
    -------
    StreetMask

    Raises
    ------
    InputError
        If coordinates are not finite, or the secret is too short.
    """
    xy = as_points(xy)
    stored = xy if stored is None else as_points(stored)
    draws = KeptDraws(secret, f"{mask} street", many=len(xy) >= MANY)
    limits = np.broadcast_to([float(search.low), float(search.high)], (len(xy), 2))
    uniform = draws.uniforms(stored, limits, 0, part(progress, 0.0, 0.1))[:, 0]
    which = (uniform * (search.high - search.low)).astype(np.intp)
    start = starts(xy, network, search, part(progress, 0.1, 0.3))
    node, choices = np.full(len(xy), -1, dtype=np.intp), np.zeros(len(xy), dtype=np.intp)
    if _has_enough(network, search):
        used, row = np.unique(start[start >= 0], return_inverse=True)
        target = street_targets(network, used, search, part(progress, 0.3, 1.0))
        node[start >= 0] = target[row, which[start >= 0]]
        ordered = np.sort(target, axis=1)
        different = 1 + (np.diff(ordered, axis=1) != 0).sum(axis=1)
        choices[start >= 0] = different[row]
        choices[node < 0] = 0
    kind = np.full(len(xy), MOVED, dtype=np.int8)
    kind[node < 0] = FEW_NODES
    kind[start < 0] = NO_STREET
    masked = np.full(xy.shape, np.nan)
    masked[node >= 0] = network.xy[node[node >= 0]]
    gap = masked - xy
    return StreetMask(masked, kind, start, node, choices, np.hypot(gap[:, 0], gap[:, 1]))


def starts(
    xy: np.ndarray, network: StreetNetwork, search: Search, progress: Progress = silent
) -> np.ndarray:
    """Nearest node of each place in a straight line; of equally near ones the first in x, then y.

    Nodes from which no street leads to another one are not counted.

    Parameters
    ----------
    xy : (n, 2) array
    network : StreetNetwork
    search : Search
    progress : callable

    Returns
    -------
    (n,) int array
        -1 where none lies within ``max_length``.
    """
    linked = np.flatnonzero(network.linked)
    if not len(linked):
        return np.full(len(xy), -1, dtype=np.intp)
    row, away = nearest_site(network.xy[linked], xy, progress)
    return np.where(away <= search.max_length, linked[row], -1)


def street_targets(
    network: StreetNetwork, start: np.ndarray, search: Search, progress: Progress = silent
) -> np.ndarray:
    """Where places go from a start, for each number of nodes.

    Parameters
    ----------
    network : StreetNetwork
    start : (s,) int array
        Nodes.
    search : Search
    progress : callable

    Returns
    -------
    (s, high - low) int array
        Nodes, for n from low to high - 1; -1 in all of a row where fewer than high - 1 nodes,
        the start among them, lie within reach.
    """
    most = search.high - 1
    numbers = np.arange(search.low, search.high)
    found = np.full((len(start), len(numbers)), -1, dtype=np.intp)
    links = network.first.tolist(), network.neighbour.tolist(), network.length.tolist()
    for rows in chunks(len(start), _STARTS, progress):
        pools = [_nearest(links, one, most, search.max_length) for one in start[rows].tolist()]
        full = [at for at, (nodes, _) in enumerate(pools) if len(nodes) == most]
        if not full:
            continue
        node = np.array([pools[at][0] for at in full])
        away = np.array([pools[at][1] for at in full])
        mean = np.cumsum(away, axis=1)[:, search.low - 1 :] / numbers
        for column, number in enumerate(numbers):
            off = np.abs(away[:, :number] - mean[:, column : column + 1])
            chosen = off.argmin(axis=1)
            found[rows.start + np.array(full), column] = node[np.arange(len(full)), chosen]
    return found


def street_density(
    network: StreetNetwork, start: np.ndarray, search: Search, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Probability with which the mask leads from each start to each node: exact, by enumeration.

    Parameters
    ----------
    network : StreetNetwork
    start : (s,) int array
        Nodes, such as :func:`starts` finds for addresses; -1 for none.
    search : Search
    progress : callable

    Returns
    -------
    row : (p,) int array
        Rows of ``start``, ascending; those that are withheld do not occur.
    node : (p,) int array
        Nodes, ascending in each row.
    probability : (p,) array
        Number of n that lead there, divided by high - low. The sum of each row is 1.
    """
    start = np.asarray(start, dtype=np.intp)
    if not _has_enough(network, search):
        nobody = np.empty(0, dtype=np.intp)
        return nobody, nobody, np.empty(0)
    used, of_start = np.unique(start[start >= 0], return_inverse=True)
    target = street_targets(network, used, search, progress)
    at, node = np.repeat(np.arange(len(used)), target.shape[1]), target.ravel()
    kept = node >= 0
    pairs, count = np.unique(np.stack([at[kept], node[kept]]), axis=1, return_counts=True)
    # The rows of those that share a start are the same.
    first = np.searchsorted(pairs[0], np.arange(len(used) + 1))
    own = np.diff(first)[of_start]
    nth = np.arange(own.sum()) - np.repeat(np.cumsum(own) - own, own)
    entry = np.repeat(first[of_start], own) + nth
    row = np.repeat(np.flatnonzero(start >= 0), own)
    return row, pairs[1, entry], count[entry] / (search.high - search.low)


def reached_from(
    network: StreetNetwork, node: np.ndarray, search: Search, progress: Progress = silent
) -> np.ndarray:
    """Count from how many starts the mask can lead to nodes: whoever lives near one of them.

    Parameters
    ----------
    network : StreetNetwork
    node : (m,) int array
        Nodes where points were released.
    search : Search
    progress : callable

    Returns
    -------
    (m,) int array
    """
    if len(node) == 0:
        return np.empty(0, dtype=np.intp)
    goals, row = np.unique(node, return_inverse=True)
    linked = np.flatnonzero(network.linked)
    # No way is shorter than the straight one.
    away = nearest_site(network.xy[goals], network.xy[linked], part(progress, 0.0, 0.1))[1]
    near = linked[away <= search.max_length]
    found = np.sort(street_targets(network, near, search, part(progress, 0.1, 1.0)), axis=1)
    new = np.ones(found.shape, dtype=bool)
    new[:, 1:] = np.diff(found, axis=1) != 0
    return np.bincount(found[new & (found >= 0)], minlength=len(network.xy))[goals][row]


def _has_enough(network: StreetNetwork, search: Search) -> bool:
    """Tell whether a start can have so many nodes at all: a table of so many columns may be huge."""
    return search.high - 1 <= len(network.xy)


def _nearest(
    links: tuple[list[int], list[int], list[float]], start: int, most: int, limit: float
) -> tuple[list[int], list[float]]:
    """Nodes nearest along the streets, by Dijkstra's algorithm, which ends when there are enough.

    Nodes are numbered by x, then y, and streets have a length: so equally near ones come in that
    order, whatever the order in which they are found.
    """
    first, neighbour, length = links
    nodes: list[int] = []
    away: list[float] = []
    done, waiting = set(), [(0.0, start)]
    while waiting and len(nodes) < most:
        gone, node = heappop(waiting)
        if node in done:
            continue
        done.add(node)
        nodes.append(node)
        away.append(gone)
        for link in range(first[node], first[node + 1]):
            there = gone + length[link]
            if there <= limit and neighbour[link] not in done:
                heappush(waiting, (there, neighbour[link]))
    return nodes, away
