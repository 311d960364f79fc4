# SPDX-License-Identifier: GPL-2.0-or-later
"""A graph of short edges in which every vertex has the same number of partners.

Step one and two of three (the third is :mod:`.partner_swaps`):

1. *Greedy b-matching*: of all pairs that are among each other's near neighbours, by length, each is
   taken whose two ends have room. The order of the pairs is total (length in whole steps, then the
   indices), so there is one result, whichever way it is computed: one pair after the other, or in
   rounds of the pairs that are among the shortest at both ends.
2. *Repair*: where all near neighbours were full before a vertex was, an edge (a, b) is opened and
   its ends are given to vertices that are short. With room to search, that always ends: a vertex
   that lacks partners rules out at most d (d + 1) of the n d half edges. Where there is no room (few
   places, many partners), :func:`circulant` is regular by construction.

Greedy b-matching: Avis, D. (1983), A survey of heuristics for the weighted matching problem,
Networks 13; in rounds: Khan, A. et al. (2016), Efficient approximation algorithms for weighted
b-matching, SIAM Journal on Scientific Computing 38.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from ..runtime import accel
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from ..space.points import QUERY_ROWS, build_tree

#: Steps into which the extent of all places is divided: sums of lengths are then exact, and no
#: two ways of adding them up disagree.
_STEPS = 50
#: Pairs below which rounds take longer than one pair after the other.
FEW = 20_000


@accel.helper
def edge_length(dx, dy, scale):
    """Length of an edge in whole steps, for kernels and arrays alike."""
    return np.rint(np.sqrt(dx * dx + dy * dy) * scale)


@dataclass
class Net:
    """Places, their near neighbours, and the partners found so far.

    Attributes
    ----------
    x, y : (n,) arrays
    scale : float
        Whole steps of length in a unit of the coordinates, a power of two.
    near : (m, w) int32 array
        Nearest others of some vertices, the nearest first.
    row : (n,) int32 array
        Row of each vertex in ``near``, -1 for those that have none.
    partner : (n, d) int32 array
        Partners, without the vertex itself; -1 where one is lacking.
    """

    x: np.ndarray
    y: np.ndarray
    scale: float
    near: np.ndarray
    row: np.ndarray
    partner: np.ndarray

    def length(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Lengths of edges in whole steps, int64."""
        dx, dy = self.x[a] - self.x[b], self.y[a] - self.y[b]
        return edge_length(dx, dy, self.scale).astype(np.int64)

    def total(self) -> int:
        """Sum of the lengths of all half edges, in steps."""
        rows = np.arange(len(self.x))
        return sum(int(self.length(rows, column).sum()) for column in self.partner.T)


def net_of(xy: np.ndarray, width: int, progress: Progress = silent) -> Net:
    """Find the near neighbours of distinct places.

    Parameters
    ----------
    xy : (n, 2) array
        Distinct.
    width : int
        Neighbours a place; fewer where there are not so many.
    progress : Progress
    """
    middle = (xy.min(axis=0) + xy.max(axis=0)) / 2
    centred = xy - middle
    extent = float(np.abs(centred).max())
    scale = 2.0 ** (_STEPS - int(np.frexp(extent)[1]))
    width = min(width, len(xy) - 1)
    tree = build_tree(centred, part(progress, 0.0, 0.1))
    near = np.empty((len(xy), width), dtype=np.int32)
    for rows in chunks(len(xy), max(1, QUERY_ROWS // (width + 1)), part(progress, 0.1, 1.0)):
        asked = tree.indices[rows]
        found = tree.query(centred[asked], k=width + 1)[1]
        # A place is the first of its own neighbours, but where others are too near to tell.
        found = np.where(found == asked[:, None], found[:, :1], found)
        near[asked] = found[:, 1:]
    x, y = np.ascontiguousarray(centred[:, 0]), np.ascontiguousarray(centred[:, 1])
    nobody = np.empty((len(xy), 0), dtype=np.int32)
    return Net(x, y, scale, near, np.arange(len(xy), dtype=np.int32), nobody)


def match(net: Net, degree: int, progress: Progress = silent) -> None:
    """Give every vertex up to so many partners among its near neighbours, the shortest first.

    Parameters
    ----------
    net : Net
        Its partners are set; some vertices may lack some.
    degree : int
        Partners without the vertex itself.
    progress : Progress
    """
    one, other = _pairs(net, part(progress, 0.0, 0.7))
    count = len(net.x)
    if accel.enabled():
        taken = one_by_one(one, other, np.full(count, degree, dtype=np.int64))
    else:
        taken = in_rounds(one, other, degree, count, part(progress, 0.7, 0.9))
    one, other = one[taken], other[taken]
    ends, others = np.concatenate([one, other]), np.concatenate([other, one])
    order = np.argsort(ends, kind="stable")
    ends, others = ends[order], others[order]
    net.partner = np.full((count, degree), -1, dtype=np.int32)
    net.partner[ends, _nth(ends, count)] = others
    progress(1.0)


def _pairs(net: Net, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of near neighbours, each once, by length, then by index: lower and higher end."""
    count, width = net.near.shape
    row = np.repeat(np.arange(count, dtype=np.int64), width)
    near = net.near.ravel()
    codes = np.minimum(row, near) * count + np.maximum(row, near)
    del row
    pairs = interruptible(functools.partial(np.unique, codes), progress)
    del codes
    one, other = (pairs // count).astype(np.int32), (pairs % count).astype(np.int32)
    del pairs
    length = net.length(one, other)
    order = interruptible(lambda: np.argsort(length, kind="stable"), progress)
    return one[order], other[order]


def _nth(sorted_keys: np.ndarray, count: int) -> np.ndarray:
    """Position of each entry among those of its key."""
    many = np.bincount(sorted_keys, minlength=count)
    return np.arange(len(sorted_keys)) - (np.cumsum(many) - many)[sorted_keys]


@accel.kernel
def one_by_one(one, other, room):
    """Take pairs in their order where both ends have room; (m,) bool."""
    taken = np.zeros(one.shape[0], dtype=np.bool_)
    for at in range(one.shape[0]):
        a = one[at]
        b = other[at]
        if room[a] > 0 and room[b] > 0:
            room[a] -= 1
            room[b] -= 1
            taken[at] = True
    return taken


def in_rounds(
    one: np.ndarray,
    other: np.ndarray,
    degree: int,
    count: int,
    progress: Progress = silent,
    few: int = FEW,
) -> np.ndarray:
    """Take the same pairs in rounds: those that are among the first that fit at both ends.

    Parameters
    ----------
    one, other : (m,) int arrays
        Ends of the pairs, in their order.
    degree : int
        Room of each vertex.
    count : int
        Vertices.
    progress : Progress
    few : int
        Pairs that are looked at one after the other in the end.

    Returns
    -------
    (m,) bool array
    """
    taken = np.zeros(len(one), dtype=bool)
    room = np.full(count, degree, dtype=np.int64)
    pair = np.repeat(np.arange(len(one)), 2)
    end = np.stack([one, other], axis=1).ravel()
    order = np.argsort(end, kind="stable")
    pair, end = pair[order], end[order]
    left = len(one)
    while left > few:
        progress(1 - left / len(one))
        wanted = _nth(end, count) < room[end]
        votes = np.bincount(pair[wanted], minlength=len(one))
        fits = votes == 2
        taken |= fits
        room -= np.bincount(one[fits], minlength=count)
        room -= np.bincount(other[fits], minlength=count)
        alive = (room[one] > 0) & (room[other] > 0) & ~taken
        keep = alive[pair]
        pair, end = pair[keep], end[keep]
        now = int(np.count_nonzero(alive))
        if now > 0.99 * left:  # chains of pairs that wait for each other
            break
        left = now
    rest = np.flatnonzero((room[one] > 0) & (room[other] > 0) & ~taken)
    for at, a, b in zip(rest.tolist(), one[rest].tolist(), other[rest].tolist()):
        if room[a] > 0 and room[b] > 0:
            room[a] -= 1
            room[b] -= 1
            taken[at] = True
    return taken


def repair(net: Net, progress: Progress = silent) -> bool:
    """Give every vertex that lacks partners its last ones, by opening edges of others.

    Returns
    -------
    bool
        Whether every vertex has all its partners now. It is True where the number of half edges is
        even and there are more than about twice as many places as partners.
    """
    lacking = (net.partner < 0).sum(axis=1)
    short = np.flatnonzero(lacking)
    for at, vertex in enumerate(short.tolist()):
        progress(0.5 * at / len(short))
        while lacking[vertex] >= 2:
            if not _insert(net, vertex, vertex):
                return False
            lacking[vertex] -= 2
    left = np.flatnonzero(lacking)
    while len(left) > 1:
        progress(1 - 0.5 * len(left) / (len(short) + 1))
        for a, b in _nearest_pairs(net, left):
            direct = net.length(np.array(a), np.array(b)) if b not in net.partner[a] else None
            if not _insert(net, a, b, direct):
                return False
            lacking[[a, b]] -= 1
        left = np.flatnonzero(lacking)
    return len(left) == 0


def _nearest_pairs(net: Net, left: np.ndarray) -> list[tuple[int, int]]:
    """Pairs of vertices that are each other's nearest among some; at least one."""
    xy = np.stack([net.x[left], net.y[left]], axis=1)
    nearest = build_tree(xy).query(xy, k=2)[1]
    own = np.arange(len(left))
    other = np.where(nearest[:, 0] == own, nearest[:, 1], nearest[:, 0])
    mutual = np.flatnonzero((other[other] == own) & (own < other))
    if len(mutual) == 0:  # all equally far: a circle of nearest
        return [(int(left[0]), int(left[other[0]]))]
    return [(int(left[at]), int(left[other[at]])) for at in mutual]


def _insert(net: Net, u: int, v: int, direct: np.ndarray | None = None) -> bool:
    """Open the edge (a, b) that costs least and join a to u, b to v; or join u to v."""
    found = _best_edge(net, u, v, net.near[u])
    if found is None and direct is None:
        found = _best_edge(net, u, v, np.arange(len(net.x)))
    if direct is not None and (found is None or direct <= found[0]):
        _join(net, u, v)
        return True
    if found is None:
        return False
    _, a, b = found
    net.partner[a, np.flatnonzero(net.partner[a] == b)[0]] = u
    net.partner[b, np.flatnonzero(net.partner[b] == a)[0]] = v
    net.partner[u, np.flatnonzero(net.partner[u] < 0)[0]] = a
    net.partner[v, np.flatnonzero(net.partner[v] < 0)[0]] = b
    return True


def _join(net: Net, u: int, v: int) -> None:
    net.partner[u, np.flatnonzero(net.partner[u] < 0)[0]] = v
    net.partner[v, np.flatnonzero(net.partner[v] < 0)[0]] = u


def _best_edge(net: Net, u: int, v: int, starts: np.ndarray) -> tuple[int, int, int] | None:
    """The edge (a, b) with a among some that is opened at the least cost, and that cost."""
    a = starts[~np.isin(starts, net.partner[u]) & (starts != u) & (starts != v)]
    b = net.partner[a].ravel()
    a = np.repeat(a, net.partner.shape[1])
    fits = (b >= 0) & (b != u) & (b != v) & ~np.isin(b, net.partner[v])
    a, b = a[fits], b[fits]
    if len(a) == 0:
        return None
    cost = net.length(a, np.full(1, u)) + net.length(b, np.full(1, v)) - net.length(a, b)
    best = int(cost.argmin())
    return int(cost[best]), int(a[best]), int(b[best])


def circulant(net: Net, degree: int) -> None:
    """Join each vertex to the next ones along the line that the places are longest on.

    Regular by construction for every degree below the number of places, if their product is even.
    """
    count = len(net.x)
    # Along the longer side; what is lost to a better axis, swaps win back.
    along = net.x if np.ptp(net.x) >= np.ptp(net.y) else net.y
    order = np.argsort(along, kind="stable")
    steps = [step for half in range(1, degree // 2 + 1) for step in (half, -half)]
    if degree % 2:
        steps.append(count // 2)
    at = np.arange(count)
    net.partner = np.empty((count, degree), dtype=np.int32)
    for column, step in enumerate(steps):
        net.partner[order, column] = order[(at + step) % count]
