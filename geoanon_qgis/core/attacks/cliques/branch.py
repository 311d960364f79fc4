# SPDX-License-Identifier: GPL-2.0-or-later
"""Branch and bound for a maximum clique on bitsets, bounded by greedy colouring.

The method of San Segundo, Rodriguez-Losada and Jimenez (2011, "An exact bit-parallel algorithm
for the maximum clique problem"), which is Tomita's colouring bound on bitsets: vertices in
minimum-width order; at every node the candidates are coloured class by class, and only those
whose colour could still beat the best clique are branched on. The search keeps its stack in
arrays, so it can be left and taken up again at any node.
"""

from __future__ import annotations

import numpy as np

from .bitsets import count_bits, linked_kernel, lowest_bit, take_away

FINISHED, PAUSED, FOUND = 0, 1, 2
_FULL = 3

#: Words of a row from which on 64 candidates or fewer are taken out of the rows.
_WIDE = 8

_DEPTH, _BEST, _NODES, _STATUS, _WORK = 0, 1, 2, 3, 4


class Branching:
    """A search for cliques of more than ``floor`` vertices that can be left and taken up again.

    Parameters
    ----------
    rows : (m, words) uint64
        Neighbours as bits.
    floor : int
        Only larger cliques are of interest.
    goal : int
        Come back as soon as a clique of so many vertices is found.
    every : bool
        Do not ask for more with every clique found: cliques of ``goal`` = ``floor`` + 1 vertices
        are then found one after the other. Larger ones must not exist.
    """

    def __init__(self, rows: np.ndarray, floor: int, goal: int, every: bool = False) -> None:
        self._order = minimum_width(rows, floor)
        self._rows = induced(rows, self._order)
        m, words = self._rows.shape
        self._floor, self._goal, self._every = floor, goal, every
        self._state = np.array([-1, floor, 0, PAUSED, 0], dtype=np.int64)
        self._root = 0
        self._clique = np.zeros(m + 1, dtype=np.int64)
        deepest = m + 2
        self._sets = np.zeros((min(deepest, 64), words), dtype=np.uint64)
        self._stack = np.zeros((deepest, 3), dtype=np.int64)
        self._listed = np.empty((2, 64 * m), dtype=np.int32)
        # So many candidates are searched in words of their own, which pays unless rows are short;
        # one clique after the other they cannot be.
        self._few = 64 if words >= _WIDE and not every else 0
        self._small = np.empty((2, 64), dtype=np.uint64)
        self._room = np.empty((7, 64 * 33), dtype=np.int32)

    def go_on(self, quota: int, most_work: int, most_nodes: int) -> int:
        """Search for about ``quota`` of work, or until the totals reach a limit.

        Returns FINISHED, PAUSED, or FOUND when the goal is reached.
        """
        if len(self._rows) == 0:
            return FINISHED
        while True:
            _branch(
                self._rows,
                self._sets,
                self._stack,
                self._listed,
                self._clique,
                self._state,
                self._small,
                self._room,
                self._few,
                self._goal,
                quota,
                most_work,
                most_nodes,
            )
            if self._root == 0:
                self._root = int(self._stack[0, 1] + self._state[_NODES])
            if self._state[_STATUS] != _FULL:
                break
            self._sets = np.concatenate([self._sets, np.zeros_like(self._sets)])
            self._listed = np.concatenate([self._listed, np.empty_like(self._listed)], axis=1)
        if self._every and self._state[_STATUS] == FOUND:
            self._state[_BEST] = self._floor
        return int(self._state[_STATUS])

    def raise_floor(self, floor: int) -> None:
        """Only cliques larger than this are of interest from now on."""
        self._state[_BEST] = max(self._state[_BEST], floor)

    @property
    def done(self) -> float:
        """Share of the first vertices that is searched; the others take less time each."""
        if self._state[_DEPTH] < 0 or self._root == 0:
            return 1.0 if self._state[_STATUS] == FINISHED else 0.0
        return 1.0 - float(self._stack[0, 1]) / self._root

    @property
    def nodes(self) -> int:
        """Branching nodes so far."""
        return int(self._state[_NODES])

    @property
    def work(self) -> int:
        """Work so far: words looked at, roughly."""
        return int(self._state[_WORK])

    @property
    def clique(self) -> np.ndarray:
        """The last clique found beyond the floor, as rows of the graph given; or empty."""
        return self._order[self._clique[1 : 1 + self._clique[0]]]


@linked_kernel
def induced(rows, vertices):
    """Neighbours as bits in the subgraph of some vertices, in their order."""
    m = len(vertices)
    words = rows.shape[1]
    one = np.uint64(1)
    inside = np.zeros(words, dtype=np.uint64)
    place = np.zeros(words * 64, dtype=np.int32)
    for k in range(m):
        v = vertices[k]
        inside[v >> 6] |= one << np.uint64(v & 63)
        place[v] = k
    result = np.zeros((m, (m + 63) >> 6), dtype=np.uint64)
    for k in range(m):
        v = vertices[k]
        for word in range(words):
            both = rows[v, word] & inside[word]
            while both:
                b = lowest_bit(both)
                both &= both - one
                p = place[word * 64 + b]
                result[k, p >> 6] |= one << np.uint64(p & 63)
    return result


@linked_kernel
def minimum_width(rows, floor):
    """Order vertices so that each has few neighbours before it; drop the hopeless.

    The vertex of least degree is taken off again and again and put last. One with fewer than
    ``floor`` neighbours left cannot be in a clique of more than ``floor`` vertices: it is dropped.
    """
    m = len(rows)
    one = np.uint64(1)
    degree = np.zeros(m, dtype=np.int64)
    for v in range(m):
        for word in range(rows.shape[1]):
            degree[v] += count_bits(rows[v, word])
    most = 0
    for v in range(m):
        most = max(most, degree[v])
    # Vertices in lists by degree, linked both ways: each step is one look at the lowest list.
    head = np.full(most + 1, -1, dtype=np.int64)
    after = np.full(m, -1, dtype=np.int64)
    before = np.full(m, -1, dtype=np.int64)
    for v in range(m - 1, -1, -1):
        d = degree[v]
        after[v] = head[d]
        if head[d] >= 0:
            before[head[d]] = v
        head[d] = v
    alive = np.zeros(rows.shape[1], dtype=np.uint64)
    for v in range(m):
        alive[v >> 6] |= one << np.uint64(v & 63)
    order = np.empty(m, dtype=np.int64)
    kept = m
    left = m
    low = 0
    while left > 0:
        while head[low] < 0:
            low += 1
        v = head[low]
        head[low] = after[v]
        if after[v] >= 0:
            before[after[v]] = -1
        alive[v >> 6] &= ~(one << np.uint64(v & 63))
        left -= 1
        if degree[v] >= floor or kept < m:
            # Once one vertex stays, all that are left have enough neighbours among themselves.
            kept -= 1
            order[kept] = v
        for word in range(rows.shape[1]):
            bits = rows[v, word] & alive[word]
            while bits:
                u = word * 64 + lowest_bit(bits)
                bits &= bits - one
                d = degree[u]
                if before[u] >= 0:
                    after[before[u]] = after[u]
                else:
                    head[d] = after[u]
                if after[u] >= 0:
                    before[after[u]] = before[u]
                degree[u] = d - 1
                before[u] = -1
                after[u] = head[d - 1]
                if head[d - 1] >= 0:
                    before[head[d - 1]] = u
                head[d - 1] = u
        low = max(0, low - 1)
    return order[kept:].copy()


@linked_kernel
def _branch(
    rows, sets, stack, listed, clique, state, small, room, few, goal, quota, most_work, most_nodes
):
    """Go on with a branch and bound; the stack is (start, end in ``listed``, vertex taken)."""
    one = np.uint64(1)
    m, words = rows.shape
    depth, best = state[0], state[1]
    spent = 0
    uncoloured = np.empty(words, dtype=np.uint64)
    candidates = np.empty(words, dtype=np.uint64)
    fresh = False
    if depth < 0:
        for v in range(m):
            sets[0, v >> 6] |= one << np.uint64(v & 63)
        depth = 0
        stack[0, 0] = 0
        fresh = True
    while depth >= 0:
        if not fresh:
            work = state[4] + spent
            if spent > quota or work >= most_work or state[2] >= most_nodes:
                state[0], state[1], state[3], state[4] = depth, best, 1, work
                return
            end = stack[depth, 1]
            if end == stack[depth, 0] or depth + listed[1, end - 1] <= best:
                depth -= 1
                continue
            if depth + 1 >= len(sets) or end + m > listed.shape[1]:
                state[0], state[1], state[3], state[4] = depth, best, 3, work
                return
            v = listed[0, end - 1]
            stack[depth, 1] = end - 1
            stack[depth, 2] = v
            state[2] += 1
            sets[depth, v >> 6] &= ~(one << np.uint64(v & 63))
            left = 0
            for word in range(words):
                both = sets[depth, word] & rows[v, word]
                sets[depth + 1, word] = both
                left += count_bits(both)
            spent += 6 + (words >> 3)
            more = 0
            if depth + 1 + left <= best:
                continue
            if 0 < left <= few:
                more, used = _few(rows, sets, depth + 1, left, best - depth - 1, small, room, state)
                spent += used
                if more == 0:
                    continue
            if left == 0 or more:
                best = depth + 1 + more
                clique[0] = best
                for k in range(depth + 1):
                    clique[1 + k] = stack[k, 2]
                for k in range(more):
                    clique[2 + depth + k] = room[1, k]
                if best >= goal:
                    state[0], state[1], state[3], state[4] = depth, best, 2, state[4] + spent
                    return
                continue
            depth += 1
            stack[depth, 0] = stack[depth - 1, 1]
        fresh = False
        # Greedy colouring of the candidates; colours up to `free` cannot beat the best clique.
        free = best - depth
        end = stack[depth, 0]
        first = words
        last = 0
        for word in range(words):
            uncoloured[word] = sets[depth, word]
            if uncoloured[word]:
                last = word + 1
                if word < first:
                    first = word
        colour = 0
        while first < last:
            colour += 1
            for word in range(first, last):
                candidates[word] = uncoloured[word]
            for word in range(first, last):
                while candidates[word]:
                    b = lowest_bit(candidates[word])
                    v = word * 64 + b
                    uncoloured[word] &= ~(one << np.uint64(b))
                    candidates[word] &= ~(one << np.uint64(b))
                    if last - word < 16:
                        for k in range(word, last):
                            candidates[k] &= ~rows[v, k]
                    else:
                        take_away(candidates, rows, v, word, last)
                    spent += 6 + ((last - word) >> 3)
                    if colour > free:
                        listed[0, end] = v
                        listed[1, end] = colour
                        end += 1
            while first < last and uncoloured[first] == 0:
                first += 1
        stack[depth, 1] = end
    state[0], state[1], state[3], state[4] = depth, best, 0, state[4] + spent


@linked_kernel
def _few(rows, sets, at, m, floor, small, room, state):
    """Find a largest clique among m <= 64 candidates if it has more than ``floor`` vertices.

    The same branch and bound with a set in one word. ``small``: 0 the neighbours of each, 1 the
    set at each depth. ``room``: 0 the candidates, 1 the clique found, 2 the vertex taken at
    each depth, 3 the start and 4 the end of its vertices in 5, with their colours in 6.
    Returns the size of the clique, 0 if there is none, and the work.
    """
    one = np.uint64(1)
    k = 0
    for word in range(rows.shape[1]):
        bits = sets[at, word]
        while bits:
            room[0, k] = word * 64 + lowest_bit(bits)
            bits &= bits - one
            k += 1
    for i in range(m):
        v = room[0, i]
        row = np.uint64(0)
        for k in range(i):
            u = room[0, k]
            joined = (rows[v, u >> 6] >> np.uint64(u & 63)) & one
            row |= joined << np.uint64(k)
            small[0, k] |= joined << np.uint64(i)
        small[0, i] = row
    used = 4 + (m * m >> 3)
    best = floor
    found = 0
    depth = 0
    room[3, 0] = 0
    small[1, 0] = ~np.uint64(0) >> np.uint64(64 - m)
    fresh = True
    while depth >= 0:
        end = room[4, depth]
        if fresh:
            fresh = False
            end = room[3, depth]
            uncoloured = small[1, depth]
            colour = 0
            while uncoloured:
                colour += 1
                candidates = uncoloured
                while candidates:
                    b = lowest_bit(candidates)
                    uncoloured &= ~(one << np.uint64(b))
                    candidates &= ~(one << np.uint64(b)) & ~small[0, b]
                    if colour > best - depth:
                        room[5, end] = b
                        room[6, end] = colour
                        end += 1
                used += 1
            room[4, depth] = end
        if end == room[3, depth] or depth + room[6, end - 1] <= best:
            depth -= 1
            continue
        b = room[5, end - 1]
        room[4, depth] = end - 1
        room[2, depth] = b
        state[2] += 1
        used += 1
        small[1, depth] &= ~(one << np.uint64(b))
        both = small[1, depth] & small[0, b]
        if both == 0:
            if depth + 1 > best:
                best = depth + 1
                found = best
                for k in range(best):
                    room[1, k] = room[0, room[2, k]]
        elif depth + 1 + count_bits(both) > best:
            small[1, depth + 1] = both
            room[3, depth + 1] = room[4, depth]
            depth += 1
            fresh = True
    return found, used
