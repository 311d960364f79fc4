# SPDX-License-Identifier: GPL-2.0-or-later
"""Shorten a regular graph by swaps: edges (a, b) and (c, d) become (a, c) and (b, d).

A swap leaves everybody's number of partners as it is. In each round every vertex that may have one
looks for its best swap, and those are made that are the best at all four of their vertices: they
have none in common, so that no swap spoils another. Lengths are whole numbers, each swap makes
their sum smaller, so that the rounds end.

Of any swap that shortens, one of the new edges is shorter than one of the old ones at one of its
ends; so it is enough to look, from every a, at pairs (b, c) with c nearer than the partner b.
"""

from __future__ import annotations

import numpy as np

from ..runtime import accel
from ..runtime.progress import Progress, chunks, part, silent
from .partner_search import Net, edge_length

#: Sweeps over all vertices; between two, only vertices that a swap has touched look again.
_SWEEPS = 8
#: Share of the total length that a sweep has to save for another one to follow.
_WORTH = 2e-4
#: Vertices that look for swaps between two reports; without numba, so that memory stays small.
_AT_ONCE, _AT_ONCE_PLAIN = 20_000, 1_000
#: Steps by which rounded lengths can miss the triangle inequality.
_ROUNDING = 4


def shorten(net: Net, progress: Progress = silent) -> None:
    """Swap partners as long as it shortens the graph; every vertex keeps their number.

    Parameters
    ----------
    net : Net
        Regular; its partners are changed.
    progress : Progress
    """
    everybody = np.flatnonzero(net.row >= 0).astype(np.int32)
    total, reached = net.total() // 2, 0.0
    for sweep in range(_SWEEPS):
        saved, active = 0, everybody
        gain, swaps = np.empty(0, dtype=np.int64), np.empty((0, 4), dtype=np.int32)
        while len(active) or len(gain):
            # Of a sweep is done what is quiet; that can fall, what is told does not.
            quiet = 1 - len(active) / len(everybody)
            reached = max(reached, (sweep + quiet) / _SWEEPS)
            new_gain, new_swaps = best_swaps(net, active, part(progress, reached, reached))
            gain, swaps = np.concatenate([gain, new_gain]), np.concatenate([swaps, new_swaps])
            if len(gain) == 0:
                break
            won = _independent(gain, swaps, len(net.x))
            _make(net, swaps[won])
            saved += int(gain[won].sum())
            # Whose swap has lost a vertex to another looks again; the others keep theirs.
            touched = np.zeros(len(net.x), dtype=bool)
            touched[swaps[won]] = True
            spoilt = touched[swaps].any(axis=1)
            touched[swaps[spoilt, 0]] = True
            active = np.flatnonzero(touched & (net.row >= 0)).astype(np.int32)
            gain, swaps = gain[~spoilt], swaps[~spoilt]
        total -= saved
        if saved <= _WORTH * total:
            break
    progress(1.0)


def best_swaps(
    net: Net, active: np.ndarray, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """The swap that saves most, for each of some vertices that has one.

    Parameters
    ----------
    net : Net
    active : (m,) int32 array
        Vertices a.
    progress : Progress

    Returns
    -------
    gain : (s,) int64 array
        Steps of length that are saved.
    swaps : (s, 4) int32 array
        Vertices a, b, c, d.
    """
    gains, swaps = [], []
    size = _AT_ONCE if accel.enabled() else _AT_ONCE_PLAIN
    for rows in chunks(len(active), size, progress):
        some = active[rows]
        if accel.enabled():
            gain = np.zeros(len(some), dtype=np.int64)
            found = np.zeros((len(some), 4), dtype=np.int32)
            _compiled(net.x, net.y, net.scale, net.near, net.row, net.partner, some, gain, found)
            gains.append(gain[gain > 0])
            swaps.append(found[gain > 0])
        else:
            gain, found = _in_numpy(net, some)
            gains.append(gain)
            swaps.append(found)
    return np.concatenate(gains), np.concatenate(swaps)


def _independent(gain: np.ndarray, swaps: np.ndarray, count: int) -> np.ndarray:
    """Which swaps are the best at all four of their vertices, (s,) bool."""
    order = np.lexsort((swaps[:, 0], -gain))
    rank = np.empty(len(gain), dtype=np.int64)
    rank[order] = np.arange(len(gain))
    best = np.full(count, len(gain), dtype=np.int64)
    # Of several values for one place the last is kept: the best swap comes last.
    backwards = order[::-1]
    best[swaps[backwards].ravel()] = np.repeat(rank[backwards], 4)
    return (best[swaps] == rank[:, None]).all(axis=1)


def _make(net: Net, swaps: np.ndarray) -> None:
    """Make swaps that have no vertex in common."""
    a, b, c, d = swaps.T
    slots = [
        (net.partner[one] == other[:, None]).argmax(axis=1)
        for one, other in ((a, b), (b, a), (c, d), (d, c))
    ]
    for one, slot, new in zip((a, b, c, d), slots, (c, d, a, b)):
        net.partner[one, slot] = new


def _in_numpy(net: Net, active: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same as the kernel: all candidates of some vertices in the kernel's order."""
    old = net.length(active[:, None], net.partner[active])
    near = net.near[net.row[active]]
    new = net.length(active[:, None], near)
    # Pairs (a, c) that are no partners, then triples (a, c, b) with c nearer than b.
    row, column = np.nonzero(new < old.max(axis=1)[:, None])
    free = ~(net.partner[active[row]] == near[row, column][:, None]).any(axis=1)
    row, column = row[free], column[free]
    c, new = near[row, column], new[row, column]
    back = net.length(c[:, None], net.partner[c])
    pair, slot = np.nonzero(old[row] > new[:, None])
    saved = old[row[pair], slot] - new[pair]
    b = net.partner[active[row[pair]], slot]
    # (b, d) is no shorter than (b, c) less (c, d): that rules out most d before any is measured.
    beyond = net.length(b, c[pair]) - _ROUNDING
    hope = saved + 2 * back.max(axis=1)[pair] > beyond
    pair, saved, b, beyond = pair[hope], saved[hope], b[hope], beyond[hope]
    budget = saved[:, None] + back[pair]
    triple, slot = np.nonzero((budget > 0) & (budget + back[pair] > beyond[:, None]))
    pair, b = pair[triple], b[triple]
    a, d = active[row[pair]], net.partner[c[pair], slot]
    gain = budget[triple, slot] - net.length(b, d)
    fits = np.flatnonzero((gain > 0) & (d != b))
    fits = fits[~(net.partner[b[fits]] == d[fits][:, None]).any(axis=1)]
    if len(fits) == 0:
        return np.empty(0, dtype=np.int64), np.empty((0, 4), dtype=np.int32)
    # Of each vertex the first of its best.
    gain, row = gain[fits], row[pair[fits]]
    first = np.flatnonzero(np.diff(row, prepend=-1))
    many = np.diff(first, append=len(row))
    best = np.flatnonzero(gain == np.repeat(np.maximum.reduceat(gain, first), many))
    best = best[np.flatnonzero(np.diff(row[best], prepend=-1))]
    fits = fits[best]
    swaps = np.stack([a[fits], b[fits], c[pair[fits]], d[fits]], axis=1)
    return gain[best], swaps.astype(np.int32)


@accel.kernel
def _compiled(x, y, scale, near, row, partner, active, gain, found):
    degree = partner.shape[1]
    old = np.empty(degree, dtype=np.int64)
    back = np.empty(degree, dtype=np.int64)
    for at in range(active.shape[0]):
        a = active[at]
        longest = np.int64(0)
        for s in range(degree):
            old[s] = np.int64(edge_length(x[a] - x[partner[a, s]], y[a] - y[partner[a, s]], scale))
            longest = max(longest, old[s])
        best = np.int64(0)
        for w in range(near.shape[1]):
            c = near[row[a], w]
            new = np.int64(edge_length(x[a] - x[c], y[a] - y[c], scale))
            if new >= longest:
                continue
            known = False
            for s in range(degree):
                if partner[a, s] == c:
                    known = True
            if known:
                continue
            for t in range(degree):
                other = partner[c, t]
                back[t] = np.int64(edge_length(x[c] - x[other], y[c] - y[other], scale))
            for s in range(degree):
                if old[s] <= new:
                    continue
                b = partner[a, s]
                for t in range(degree):
                    if old[s] - new + back[t] <= best:
                        continue
                    d = partner[c, t]
                    if d == b or d == a:
                        continue
                    length = np.int64(edge_length(x[b] - x[d], y[b] - y[d], scale))
                    saved = old[s] - new + back[t] - length
                    if saved <= best:
                        continue
                    known = False
                    for q in range(degree):
                        if partner[b, q] == d:
                            known = True
                    if known:
                        continue
                    best = saved
                    found[at, 0] = a
                    found[at, 1] = b
                    found[at, 2] = c
                    found[at, 3] = d
        gain[at] = best
