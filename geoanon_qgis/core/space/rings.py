# SPDX-License-Identifier: GPL-2.0-or-later
"""Which points lie within rings, by the even-odd rule, on a plane or around the globe."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: Point and edge pairs looked at in one go.
_PAIRS = 2_000_000
#: Edges to a slab, if all were short.
_PER_SLAB = 4


@dataclass(frozen=True, eq=False)
class RingIndex:
    """Edges of rings, listed by the horizontal slabs of the plane that they pass.

    Attributes
    ----------
    start, end : (e, 2) arrays
        Ends of the edges.
    ring : (e,) int array
        The ring of each edge.
    turn : float
        Length of a whole turn in x, for longitudes; 0 on a plane.
    first : (slabs + 1,) int array
        Where each slab's edges start in ``listed``.
    listed : int array
        Edges by slab.
    low, scale : float
        The slab of a y is floor((y - low) * scale).
    """

    start: np.ndarray
    end: np.ndarray
    ring: np.ndarray
    turn: float
    first: np.ndarray
    listed: np.ndarray
    low: float
    scale: float

    @classmethod
    def build(cls, rings: list[np.ndarray], turn: float = 0.0) -> RingIndex:
        """Index rings, (m, 2) arrays whose last vertex does not repeat the first."""
        start = np.concatenate(rings)
        end = np.concatenate([np.roll(ring, -1, axis=0) for ring in rings])
        ring = np.repeat(np.arange(len(rings)), [len(one) for one in rings])
        low, high = float(start[:, 1].min()), float(start[:, 1].max())
        slabs = max(1, len(start) // _PER_SLAB)
        while True:
            scale = slabs / (high - low) if high > low else 0.0
            bottom = _slab(np.minimum(start[:, 1], end[:, 1]), low, scale, slabs)
            top = _slab(np.maximum(start[:, 1], end[:, 1]), low, scale, slabs)
            count = top - bottom + 1
            # Long edges would be listed in every slab.
            if slabs == 1 or count.sum() <= 16 * len(start) + 100_000:
                break
            slabs //= 2
        edge = np.repeat(np.arange(len(start)), count)
        slab = np.repeat(bottom - np.cumsum(count) + count, count) + np.arange(len(edge))
        order = np.argsort(slab, kind="stable")
        first = np.searchsorted(slab[order], np.arange(slabs + 1))
        return cls(start, end, ring, turn, first, edge[order], low, scale)

    def contains(self, xy: np.ndarray) -> np.ndarray:
        """Which points are inside or on an edge, as a bool array of length n."""
        crossed = np.zeros(len(xy), dtype=np.int64)
        on_edge = np.zeros(len(xy), dtype=bool)
        for shifted, which in self._shifts(xy):
            for point, _, crosses, touches in self._edges(shifted):
                crossed[which] += np.bincount(point[crosses], minlength=len(shifted))
                on_edge[which[point[touches]]] = True
        return on_edge | (crossed % 2 == 1)

    def depths(self, sizes: np.ndarray) -> np.ndarray:
        """How many other rings each ring lies in, as an int array; rings do not cross.

        ``sizes`` are the areas of the rings: only a larger one can hold another.
        """
        count = int(self.ring[-1]) + 1
        if count == 1:
            return np.zeros(1, dtype=np.int64)
        bounds = np.searchsorted(self.ring, np.arange(count + 1))
        inner = np.stack([_inner_point(self.start[a:b]) for a, b in zip(bounds, bounds[1:])])
        keys = []
        for shifted, which in self._shifts(inner):
            for point, edge, crosses, _ in self._edges(shifted):
                keys.append(which[point[crosses]] * count + self.ring[edge[crosses]])
        pair, times = np.unique(np.concatenate(keys), return_counts=True)
        inner_ring, ring = np.divmod(pair[times % 2 == 1], count)
        # Of rings that are the same, the first counts as the larger.
        rank = np.empty(count, dtype=np.intp)
        rank[np.argsort(-sizes, kind="stable")] = np.arange(count)
        return np.bincount(inner_ring[rank[ring] < rank[inner_ring]], minlength=count)

    def _shifts(self, xy: np.ndarray):
        """Yield points where rings may be, moved by whole turns, and which ones they are."""
        left, right = self.start[:, 0].min(), self.start[:, 0].max()
        with np.errstate(invalid="ignore"):
            # Each point's own turns: as many as the rings span, however far away it lies.
            first, turns = 0.0, 1
            if self.turn:
                first = np.ceil((left - xy[:, 0]) / self.turn) - 1
                turns = int((right - left) // self.turn) + 3
            for turn in range(turns):
                x = xy[:, 0] + self.turn * (first + turn)
                # Within the slabs, or nothing of a point is asked for; NaN fails here too.
                which = np.flatnonzero(
                    (x >= left)
                    & (x <= right)
                    & (xy[:, 1] >= self.low)
                    & (xy[:, 1] <= self.start[:, 1].max())
                )
                if len(which):
                    yield np.column_stack([x[which], xy[which, 1]]), which

    def _edges(self, xy: np.ndarray):
        """Yield (point, edge, whether a ray to the right crosses it, whether it is on it)."""
        slabs = len(self.first) - 1
        slab = _slab(xy[:, 1], self.low, self.scale, slabs)
        count = self.first[slab + 1] - self.first[slab]
        ends = np.cumsum(count)
        begin = 0
        while begin < len(xy):
            before = ends[begin - 1] if begin else 0
            stop = max(begin + 1, int(np.searchsorted(ends, before + _PAIRS, side="right")))
            some = slice(begin, stop)
            point = np.repeat(np.arange(begin, stop), count[some])
            offset = np.repeat(self.first[slab[some]] - (ends[some] - count[some]), count[some])
            edge = self.listed[offset + np.arange(before, ends[stop - 1])]
            x, y = xy[point].T
            (x1, y1), (x2, y2) = self.start[edge].T, self.end[edge].T
            side = (x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)
            up, down = (y1 <= y) & (y < y2), (y2 <= y) & (y < y1)
            crosses = (up & (side < 0)) | (down & (side > 0))
            touches = (side == 0) & (np.minimum(x1, x2) <= x) & (x <= np.maximum(x1, x2))
            touches &= (np.minimum(y1, y2) <= y) & (y <= np.maximum(y1, y2))
            yield point, edge, crosses, touches
            begin = stop


def _slab(y: np.ndarray, low: float, scale: float, slabs: int) -> np.ndarray:
    # Every step keeps the order, so a point is in a slab that each edge at its height is in.
    return np.clip(np.floor((y - low) * scale), 0, slabs - 1).astype(np.intp)


def _inner_point(ring: np.ndarray) -> np.ndarray:
    """A point strictly inside a ring, away from its vertices."""
    y = np.unique(ring[:, 1])
    if len(y) < 2:
        return ring[0]
    gap = int(np.diff(y).argmax())
    level = (y[gap] + y[gap + 1]) / 2
    after = np.roll(ring, -1, axis=0)
    crosses = (ring[:, 1] > level) != (after[:, 1] > level)
    (x1, y1), (x2, y2) = ring[crosses].T, after[crosses].T
    x = np.sort(x1 + (level - y1) / (y2 - y1) * (x2 - x1))
    widest = 2 * int((x[1::2] - x[::2]).argmax())
    return np.array([(x[widest] + x[widest + 1]) / 2, level])
