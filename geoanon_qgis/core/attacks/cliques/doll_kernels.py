# SPDX-License-Identifier: GPL-2.0-or-later
"""The inner loops of the Russian-doll search: one record more, one clique more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bitsets import count_bits, highest_bit, linked_kernel


class Graph(NamedTuple):
    """A graph whose vertices are in the order of their records.

    Attributes
    ----------
    rows : (n, words) uint64
        Neighbours as bits.
    begin, ends : (n + 1,), (n,) int64
        Of each vertex's neighbours in ``listed``; of those in records before its own, known once
        the search is at its record.
    listed : (sum of degrees,) uint32
        Without a sign; empty where the graph is searched by its bits.
    digest : (n, words) uint64
        Two bits for each record that holds a neighbour, by which most pairs are seen to share
        too few; without words where that does not pay.
    seen : (n,) uint8
        Marks, as bytes, which fit into the nearest cache: this is the inner loop.
    record, start : (n,), (r + 1,) int64
        Record of each vertex; first vertex of each record.
    """

    rows: np.ndarray
    begin: np.ndarray
    ends: np.ndarray
    listed: np.ndarray
    digest: np.ndarray
    seen: np.ndarray
    record: np.ndarray
    start: np.ndarray


class Room(NamedTuple):
    """What a depth-first search writes to: candidates by depth, and words that two rows share."""

    lists: np.ndarray
    levels: np.ndarray
    shared: np.ndarray
    filled: np.ndarray


@linked_kernel
def search_records(
    graph, within, known, cliques, state, budget, quota, most_work, most_nodes, room
):
    """Go on until the end, a hard vertex, the quota of work or a limit of the totals.

    ``within[r + 1]`` is the size of a largest clique among the records up to r; ``within[0]``
    is 0. ``known[r]`` says how many members of a known clique have records up to r.
    """
    begin, ends, listed, digest = graph.begin, graph.ends, graph.listed, graph.digest
    record, start = graph.record, graph.start
    v = state[0]
    spent = 0
    status = 0
    nodes = state[2:3]
    while v < len(record) and status == 0:
        r = record[v]
        size = within[r]
        if v == start[r]:
            if len(listed):
                for w in range(v, start[r + 1]):
                    at = begin[w]
                    while at < begin[w + 1] and listed[at] < v:
                        if digest.shape[1]:
                            x = np.int64(listed[at])
                            bit = 2 * record[x] + (x & 1)
                            digest[w, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
                        at += 1
                    ends[w] = at
            if known[r] > size:
                within[r + 1] = size + 1
                v = start[r + 1]
                continue
        allowed = min(quota, most_work - state[1] - 1) - spent
        v, found, used, status = reaches(
            graph, within, v, start[r + 1], size, cliques, budget, allowed, most_nodes, room, nodes
        )
        spent += used
        if found:
            state[4] = size + 1
            within[r + 1] = size + 1
            v = start[r + 1]
        else:
            within[r + 1] = size
    state[0], state[3] = v, status
    state[1] += spent


@linked_kernel
def reaches(graph, within, v, last, size, cliques, budget, quota, most_nodes, room, nodes):
    """Look for ``size`` vertices before one record that make a clique with one of its vertices.

    Vertices v to ``last`` of the record are taken one after the other, until ``cliques`` is full,
    ``quota`` of work or ``most_nodes`` is spent, or one takes more work than the budget. Returns
    the vertex where this ended, how many cliques were found before it (or at it, if they are
    full), the work, and 0, 1 (something was spent) or 2 (that vertex is hard). All vertices of
    a record are one call because each costs more than what most of them need.
    """
    rows, begin, ends, listed, digest = (
        graph.rows,
        graph.begin,
        graph.ends,
        graph.listed,
        graph.digest,
    )
    seen, record, start = graph.seen, graph.record, graph.start
    lists, levels, shared, filled = room.lists, room.levels, room.shared, room.filled
    one = np.uint64(1)
    sparse = len(listed) > 0
    rough = digest.shape[1]
    below = start[record[v]]
    # The last but one member is `least` or above: records before do not hold enough.
    low, high = 0, record[v]
    while low < high:
        middle = (low + high) >> 1
        if within[middle + 1] < size:
            low = middle + 1
        else:
            high = middle
    least = start[low]
    found = 0
    spent = 0
    while v < last:
        if spent > quota or nodes[0] >= most_nodes:
            return v, found, spent, 1
        spent += 1
        nodes[0] += 1
        if size == 0:
            cliques[found, 0] = v
            found += 1
            if found == len(cliques):
                return v, found, spent, 0
            v += 1
            continue
        if below == 0 or (sparse and ends[v] - begin[v] < size):
            v += 1
            continue
        before = found
        used = 0
        at = ends[v]
        marked = False
        word = (below - 1) >> 6
        bits = np.uint64(0)
        if not sparse:
            bits = rows[v, word]
            if below & 63:
                bits &= (one << np.uint64(below & 63)) - one
        while used <= budget and found < len(cliques):
            # The next neighbour down.
            u = -1
            if sparse:
                while at > begin[v]:
                    at -= 1
                    u = np.int64(listed[at])
                    if u < least or rough == 0:
                        break
                    # A clique takes a bit per record below u of both digests.
                    common = 1
                    for k in range(rough):
                        common += count_bits(digest[v, k] & digest[u, k])
                    used += 2 + (rough >> 3)
                    if common >= size:
                        break
                    nodes[0] += 1
                    u = -1
            elif bits == 0:
                word -= 1
                used += 1
                if word < 0 or word * 64 + 63 < least:
                    break
                bits = rows[v, word]
                continue
            else:
                place = highest_bit(bits)
                bits ^= one << np.uint64(place)
                u = word * 64 + place
            if u < least:
                break
            nodes[0] += 1
            if size == 1:
                cliques[found, 0], cliques[found, 1] = v, u
                found += 1
                continue
            end = start[record[u]]
            words = (end + 63) >> 6
            common = 0
            if sparse:
                if not marked:
                    marked = True
                    for k in range(begin[v], ends[v]):
                        seen[listed[k]] = 1
                    used += ends[v] - begin[v]
                used += 2 + ends[u] - begin[u]
                for k in range(begin[u], ends[u]):
                    common += np.int64(seen[listed[k]])  # bytes would run over
            else:
                for k in range(words):
                    common += count_bits(rows[v, k] & rows[u, k])
                used += 4 + (words >> 3)
            if common < size - 1:
                continue
            # Common neighbours in descending order; those of u's record itself are none of u's.
            m = 0
            records = 0
            previous = -1
            if sparse:
                for k in range(ends[u] - 1, begin[u] - 1, -1):
                    w = np.int64(listed[k])
                    if seen[w]:
                        lists[0, m] = w
                        m += 1
                        if record[w] != previous:
                            previous = record[w]
                            records += 1
            else:
                for k in range(words):
                    shared[k] = rows[v, k] & rows[u, k]
                if end & 63:
                    shared[words - 1] &= (one << np.uint64(end & 63)) - one
                # Words that hold some, noted without a branch that would be guessed wrongly.
                some = 0
                for k in range(words):
                    filled[some] = k
                    some += np.int64(shared[k] != 0)
                for k in range(some - 1, -1, -1):
                    at = filled[k]
                    both = shared[at]
                    while both:
                        b = highest_bit(both)
                        both ^= one << np.uint64(b)
                        w = at * 64 + b
                        lists[0, m] = w
                        m += 1
                        if record[w] != previous:
                            previous = record[w]
                            records += 1
            used += m
            if records < size - 1:
                continue
            # Depth-first from here on, in lists: levels[d] = (length, next entry, still needed).
            d = 0
            levels[0, 0], levels[0, 1], levels[0, 2] = m, 0, size - 1
            while d >= 0:
                length, next_, need = levels[d, 0], levels[d, 1], levels[d, 2]
                if length - next_ < need or within[record[lists[d, next_]] + 1] < need:
                    d -= 1
                    continue
                if used > budget:
                    break
                x = lists[d, next_]
                levels[d, 1] = next_ + 1
                nodes[0] += 1
                if need == 1:
                    cliques[found, 0], cliques[found, 1] = v, u
                    for k in range(d + 1):
                        cliques[found, 2 + k] = lists[k, levels[k, 1] - 1]
                    found += 1
                    if found == len(cliques):
                        break
                    continue
                kept = 0
                records = 0
                previous = -1
                for k in range(next_ + 1, length):
                    w = lists[d, k]
                    if (rows[x, w >> 6] >> np.uint64(w & 63)) & one:
                        lists[d + 1, kept] = w
                        kept += 1
                        if record[w] != previous:
                            previous = record[w]
                            records += 1
                used += length - next_
                if records >= need - 1:
                    d += 1
                    levels[d, 0], levels[d, 1], levels[d, 2] = kept, 0, need - 1
        if marked:
            for k in range(begin[v], ends[v]):
                seen[listed[k]] = 0
        spent += used
        if found == len(cliques):
            return v, found, spent, 0
        if used > budget:
            return v, before, spent, 2
        v += 1
    return v, found, spent, 0
