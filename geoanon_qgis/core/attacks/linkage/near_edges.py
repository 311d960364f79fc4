# SPDX-License-Identifier: GPL-2.0-or-later
"""The near graph: pairs of matches that support each other most, without looking at all pairs.

Of two files with some hundred records each there are a hundred million pairs of matches. Only
neighbours say much, and two neighbours with released distance d' can only be two that live d'
apart or a little more. So released pairs are sorted by their labels and distance, and each pair of
known neighbours finds its own in one window of that list. The strongest are kept.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ...runtime import accel
from ...runtime.progress import Progress, interruptible, silent
from ..cliques.product_graph import label_classes
from .near_weights import Weighing, weigh

#: Least weight of an edge, and edges to a candidate that are kept, at most.
_LEAST, _EDGES = 2.0, 5
#: Share of the known pairs that are near enough; deviation, as a share of the distance or in
#: scales, up to which a released one is looked for.
_NEAR, _DEVIATES, _SPREADS = 0.12, 0.35, 3.0
#: The same where long distances are as exact as short ones: all pairs are near enough, each says
#: little, and only many of them together tell. Edges in all, at most.
_EVEN_LEAST, _EVEN_EDGES, MOST_EDGES = 1.0, 100, 600_000
#: Released pairs looked at, at most, and in one go (10 to 30 ms).
MOST_LOOKS, _LOOKS = 40_000_000, 1_500_000


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs of a released record and a known entity with the same label.

    Attributes
    ----------
    kind_target, kind_known : (n1,) and (n2,) int arrays
        Numbers of the labels; -1 for a missing one, which agrees with none.
    target, known : (v,) int arrays
        Rows of each candidate, ordered by the released one and then by the known one.
    first : (n1,) int array
        First candidate of each released record.
    rank : (n2,) int array
        Place of each known entity among those with its label.
    """

    kind_target: np.ndarray
    kind_known: np.ndarray
    target: np.ndarray
    known: np.ndarray
    first: np.ndarray
    rank: np.ndarray

    def __len__(self) -> int:
        return len(self.target)

    @classmethod
    def of_labels(cls, target: Sequence[Hashable], known: Sequence[Hashable]) -> Candidates:
        """Find the candidates of two files by their labels."""
        kind_target, kind_known, _ = label_classes(target, known)
        return cls.of_kinds(kind_target, kind_known)

    @classmethod
    def of_kinds(cls, kind_target: np.ndarray, kind_known: np.ndarray) -> Candidates:
        """Find the candidates of two files by the numbers of their labels."""
        kinds = int(max(kind_target.max(initial=-1), kind_known.max(initial=-1))) + 1
        by_kind = np.argsort(kind_known, kind="stable")
        start = np.searchsorted(kind_known[by_kind], np.arange(kinds + 1))
        rank = np.zeros(len(kind_known), dtype=np.int64)
        rank[by_kind] = np.arange(len(kind_known)) - np.r_[start, 0][kind_known[by_kind]]
        sizes = np.where(kind_target >= 0, np.r_[np.diff(start), 0][kind_target], 0)
        first = np.cumsum(sizes) - sizes
        target = np.repeat(np.arange(len(kind_target)), sizes)
        inside = np.arange(len(target)) - first[target]
        known = by_kind[start[kind_target[target]] + inside]
        return cls(kind_target, kind_known, target, known, first, rank)

    def relabelled(self, order: np.ndarray) -> Candidates:
        """Return the candidates if the known entities had each other's labels."""
        return Candidates.of_kinds(self.kind_target, self.kind_known[order])

    @property
    def tell(self) -> bool:
        """Whether labels tell most pairs apart, so that wrong ones are known to be wrong."""
        labelled = int((self.kind_target >= 0).sum()) * int((self.kind_known >= 0).sum())
        return 2 * len(self) < labelled


@dataclass(frozen=True, eq=False)
class NearGraph:
    """Candidates that support each other, as rows of neighbours.

    Attributes
    ----------
    start : (v + 1,) int64 array
        Where the neighbours of each candidate begin.
    neighbour : (2 e,) int64 array
        Ascending in each row.
    weight : (2 e,) float64 array
    looks : int
        Released pairs that were looked at: the counted work.
    reach : float
        Distance of the known pairs up to which edges were looked for.
    """

    start: np.ndarray
    neighbour: np.ndarray
    weight: np.ndarray
    looks: int
    reach: float

    @property
    def edges(self) -> int:
        """Number of edges."""
        return len(self.neighbour) // 2


def near_graph(
    weighing: Weighing,
    candidates: Candidates,
    alive: np.ndarray,
    progress: Progress = silent,
    most_looks: int = MOST_LOOKS,
    neighbours: Neighbours | None = None,
) -> NearGraph:
    """List the strongest edges between candidates.

    Parameters
    ----------
    weighing : Weighing
    candidates : Candidates
    alive : (v,) bool array
        Candidates that are still possible.
    progress : Progress
    most_looks : int
        Known pairs are taken from the nearest on until so many released pairs were looked at.
    neighbours : Neighbours, optional
        Of this weighing and these released labels, if they are there already.

    Returns
    -------
    NearGraph
    """
    kinds = candidates.kind_known
    one = weighing.deviations
    if neighbours is None:
        neighbours = interruptible(
            lambda: Neighbours.of(weighing, candidates.kind_target), progress, 0.0
        )
    labelled = (kinds[neighbours.i1] >= 0) & (kinds[neighbours.i2] >= 0)
    i1, i2, distance = (
        values[labelled] for values in (neighbours.i1, neighbours.i2, neighbours.distance)
    )
    less = np.minimum(distance, np.maximum(distance * one.slope * _DEVIATES, _SPREADS * one.least))
    more = one.above if one.contracts else _SPREADS * one.least
    swapped = kinds[i1] > kinds[i2]
    i1, i2 = np.where(swapped, i2, i1), np.where(swapped, i1, i2)
    listed = neighbours.listed
    low, high = listed.windows(
        kinds[i1], kinds[i2], distance - less - 1e-9 * distance, distance + more
    )
    looks = np.cumsum(high - low)
    taken = int(np.searchsorted(looks, most_looks, side="right"))
    kept = _Strongest(most_edges(len(candidates), one.even), _EVEN_LEAST if one.even else _LEAST)
    blocks = looks[:taken] // _LOOKS
    cuts = np.r_[0, np.flatnonzero(np.diff(blocks)) + 1, taken] if taken else [0]
    work = _list_edges if accel.enabled() else _list_in_numpy
    for begin, end in zip(cuts[:-1], cuts[1:]):
        progress(begin / taken)
        room = 2 * int((high - low)[begin:end].sum())
        found = (np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room))
        some = slice(begin, end)
        count = work(
            (i1[some], i2[some], low[some], high[some]),
            (listed.t1, listed.t2, listed.seen, listed.usual),
            (kinds, candidates.first, candidates.rank, alive),
            weighing.arrays,
            weighing.law,
            kept.least,
            found,
        )
        kept.add(*(values[:count] for values in found))
    reach = float(distance[taken - 1]) if taken else 0.0
    looked = int(looks[taken - 1]) if taken else 0
    return interruptible(lambda: _rows(len(candidates), kept, looked, reach), progress, 1.0)


@dataclass(frozen=True, eq=False)
class _Listed:
    """Near released pairs by the labels of both, the smaller number first, and by distance."""

    t1: np.ndarray
    t2: np.ndarray
    seen: np.ndarray
    usual: np.ndarray
    key: np.ndarray
    width: float
    kinds: int

    @classmethod
    def of(cls, weighing: Weighing, kinds: np.ndarray, reach: float) -> _Listed:
        released = weighing.released
        some = np.flatnonzero(kinds >= 0)
        first, second = np.triu_indices(len(some), 1)
        first, second = some[first], some[second]
        near = np.flatnonzero(released[first, second] <= 2 * reach)
        first, second = first[near], second[near]
        swapped = kinds[first] > kinds[second]
        first, second = np.where(swapped, second, first), np.where(swapped, first, second)
        number = int(kinds.max(initial=-1)) + 1
        # One number to sort and search by: in each pair of labels distances take up less than it.
        width = 4.0 * reach + 1.0
        key = (kinds[first] * number + kinds[second]) * width + released[first, second]
        order = np.argsort(key, kind="stable")
        first, second = first[order], second[order]
        # Windows are read from one end to the other: so are their distances.
        seen, usual = released[first, second], weighing.background[first, second]
        return cls(first, second, seen, usual, key[order], width, number)

    def windows(self, kind1, kind2, least, most) -> tuple[np.ndarray, np.ndarray]:
        """Where released pairs of two labels with distances in a range begin and end."""
        base = (kind1 * self.kinds + kind2) * self.width
        there = (kind1 < self.kinds) & (kind2 < self.kinds)
        low = np.searchsorted(self.key, base + np.maximum(least, 0.0), "left")
        high = np.searchsorted(self.key, base + np.minimum(most, 2 * self.width / 4), "right")
        return np.where(there, low, 0), np.where(there, np.maximum(high, low), 0)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Known pairs that live near each other, and the released pairs, as sorted lists.

    Attributes
    ----------
    i1, i2, distance : arrays
        Known pairs, the nearest first.
    listed : _Listed
    """

    i1: np.ndarray
    i2: np.ndarray
    distance: np.ndarray
    listed: _Listed

    @classmethod
    def of(cls, weighing: Weighing, kind_target: np.ndarray) -> Neighbours:
        """Sort the pairs; it serves whatever labels the known entities have."""
        i1, i2 = np.triu_indices(len(weighing.known), 1)
        distance = weighing.known[i1, i2]
        near = np.arange(len(distance))
        if len(distance):
            share = 1.0 if weighing.deviations.even else _NEAR
            near = np.flatnonzero(distance <= np.quantile(distance, share))
        near = near[np.argsort(distance[near], kind="stable")]
        distance = distance[near]
        listed = _Listed.of(weighing, kind_target, float(distance.max(initial=0.0)))
        return cls(i1[near], i2[near], distance, listed)


def most_edges(candidates: int, even: bool) -> int:
    """Edges that are kept at most, where long distances are as exact as short ones or not."""
    return min(_EVEN_EDGES * candidates, MOST_EDGES) if even else _EDGES * candidates


class _Strongest:
    """The strongest edges so far; what is certainly not among them is forgotten."""

    def __init__(self, most: int, least: float) -> None:
        self.most, self.least = max(most, 1), least
        self.one = self.other = np.zeros(0, np.int64)
        self.weight = np.zeros(0)

    def add(self, one: np.ndarray, other: np.ndarray, weight: np.ndarray) -> None:
        """Add edges; keep no more than twice as many as are wanted."""
        self.one = np.concatenate([self.one, one])
        self.other = np.concatenate([self.other, other])
        self.weight = np.concatenate([self.weight, weight])
        if len(self.weight) > self.most:
            at = len(self.weight) - self.most
            self.least = max(self.least, float(np.partition(self.weight, at)[at]))
            # Equally strong ones stay together: which of them came first has no meaning.
            kept = self.weight >= self.least
            self.one, self.other = self.one[kept], self.other[kept]
            self.weight = self.weight[kept]


def _rows(count: int, kept: _Strongest, looks: int, reach: float) -> NearGraph:
    one = np.concatenate([kept.one, kept.other])
    other = np.concatenate([kept.other, kept.one])
    order = np.argsort(one * count + other, kind="stable")
    start = np.searchsorted(one[order], np.arange(count + 1))
    weight = np.concatenate([kept.weight, kept.weight])[order]
    return NearGraph(start.astype(np.int64), other[order], weight, looks, reach)


@accel.kernel
def _list_edges(pairs, listed, files, arrays, law, enough, found):
    """Write the edges of some known pairs; return their number."""
    i1, i2, low, high = pairs
    t1, t2, seen_of, usual_of = listed
    kinds, first, rank, alive = files
    _, _, known, scale, kind = arrays
    table, begin, per_unit, slope, least, far, above = law
    one, other, weight = found
    count = 0
    for pair in range(len(i1)):
        a, b = i1[pair], i2[pair]
        distance, unit, number = known[a, b], scale[a, b], kind[a, b]
        turns = 2 if kinds[a] == kinds[b] else 1
        for at in range(low[pair], high[pair]):
            seen, usual = seen_of[at], usual_of[at]
            if seen > distance + above:
                continue
            value = weigh(
                seen, distance, number, unit, usual, table, begin, per_unit, slope, least, far
            )
            if value < enough:
                continue
            s, t = t1[at], t2[at]
            for _ in range(turns):
                u, v = first[s] + rank[a], first[t] + rank[b]
                if alive[u] and alive[v]:
                    one[count], other[count], weight[count] = u, v, value
                    count += 1
                s, t = t, s
    return count


def _list_in_numpy(pairs, listed, files, arrays, law, enough, found):
    """Do the same as :func:`_list_edges`."""
    i1, i2, low, high = pairs
    t1, t2, seen_of, usual_of = listed
    kinds, first, rank, alive = files
    _, _, known, scale, kind = arrays
    *learnt, above = law
    sizes = high - low
    at = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes) + np.repeat(low, sizes)
    a, b, s, t = np.repeat(i1, sizes), np.repeat(i2, sizes), t1[at], t2[at]
    seen, distance = seen_of[at], known[a, b]
    value = weigh(seen, distance, kind[a, b], scale[a, b], usual_of[at], *learnt)
    kept = ~(seen > distance + above) & ~(value < enough)
    a, b, s, t, value = a[kept], b[kept], s[kept], t[kept], value[kept]
    both = kinds[a] == kinds[b]
    one = np.concatenate([first[s] + rank[a], (first[t] + rank[a])[both]])
    other = np.concatenate([first[t] + rank[b], (first[s] + rank[b])[both]])
    value = np.concatenate([value, value[both]])
    kept = alive[one] & alive[other]
    count = int(kept.sum())
    for out, values in zip(found, (one, other, value)):
        out[:count] = values[kept]
    return count
