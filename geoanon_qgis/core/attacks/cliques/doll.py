# SPDX-License-Identifier: GPL-2.0-or-later
"""Russian-doll search for a maximum clique, target record by target record.

Östergård (2002, "A fast algorithm for the maximum clique problem") solves the problem among the
first vertices, then among one more, and bounds each search with the sizes found before. In a
product graph a clique holds at most one vertex of a target record, so the dolls are records
instead of vertices: fewer of them, and the size grows by at most one from each to the next. A
search that takes too long for one vertex is handed to :mod:`clique_branch`, whose colouring
bound costs more and sees more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime.progress import Progress
from .bitsets import (
    SPARSE,
    count_bits,
    highest_bit,
    linked_kernel,
    list_neighbours,
)
from .branch import FINISHED as BRANCH_FINISHED
from .branch import FOUND as BRANCH_FOUND
from .branch import Branching, induced

FINISHED, PAUSED = 0, 1
_HARD = 2

_VERTEX, _WORK, _NODES, _STATUS, _COUNT = 0, 1, 2, 3, 4

#: What taking one vertex to branch and bound counts in work beside the search itself.
_HARD_WORK = 100_000


@dataclass(frozen=True)
class Limits:
    """Where the doll goes another way; no size of a clique depends on it.

    Attributes
    ----------
    budget : int
        Work on one vertex before it goes to branch and bound.
    sparse : float
        Set bits per word of the table below which it goes by lists of neighbours.
    most_words : int
        Words of a digest of a vertex's neighbours that may still be worth their while.
    """

    budget: int = 30_000
    sparse: float = SPARSE
    most_words: int = 32


USUAL = Limits()


class Doll:
    """A Russian-doll search that can be left and taken up again.

    Parameters
    ----------
    rows : (n, words) uint64
        Neighbours as bits.
    target : (n,) int
        Record of each vertex, ascending; vertices of one record are not joined.
    degree : (n,) int
        Numbers of neighbours.
    neighbours : (sum of degrees,) int32, optional
        Neighbours of one vertex after the other, each ascending. A sparse graph is searched by
        these lists; they are made here if they are needed and not given.
    limits : Limits
    """

    def __init__(
        self,
        rows: np.ndarray,
        target: np.ndarray,
        degree: np.ndarray,
        neighbours: np.ndarray | None = None,
        limits: Limits = USUAL,
    ) -> None:
        self._budget = limits.budget
        # Records without a vertex are left out.
        first = np.flatnonzero(np.diff(target, prepend=-1))
        self._start = np.append(first, len(target)).astype(np.int64)
        self._record = np.repeat(np.arange(len(first)), np.diff(self._start))
        self._rows = rows
        self._begin = np.concatenate([[0], np.cumsum(degree)]).astype(np.int64)
        sparse = self._begin[-1] < limits.sparse * rows.size
        if not sparse:
            neighbours = np.zeros(0, dtype=np.int32)
        elif neighbours is None:
            neighbours = list_neighbours(rows, self._begin)
        # Where in its list the neighbours in records before a vertex's own end; known once the
        # search is at its record.
        self._end = np.zeros(len(rows), dtype=np.int64)
        # Without a sign, and bytes that fit into the nearest cache: this is the inner loop.
        self._listed = neighbours.view(np.uint32)
        self._seen = np.zeros(len(rows), dtype=np.uint8)
        words = (2 * len(first) + 63) >> 6
        words = words if sparse and words <= limits.most_words else 0
        self._digest = np.zeros((len(rows), words), dtype=np.uint64)
        self._within = np.zeros(len(first) + 1, dtype=np.int64)
        self._known = np.zeros(len(first), dtype=np.int64)
        self._member = np.zeros(0, dtype=np.int64)
        self._cliques = np.zeros((1, len(first) + 1), dtype=np.int64)
        self._state = np.zeros(5, dtype=np.int64)
        widest = int(degree.max(initial=0)) + 1
        deepest = min(len(first), widest) + 2
        self._lists = np.empty((deepest, widest), dtype=np.int32)
        self._levels = np.zeros((deepest, 3), dtype=np.int64)
        self._shared = np.empty(rows.shape[1], dtype=np.uint64)
        self._filled = np.empty(rows.shape[1] + 1, dtype=np.int64)
        self._hard: Branching | None = None
        self._neighbours = np.zeros(0, dtype=np.int64)

    def know(self, clique: np.ndarray) -> None:
        """Take note of a clique found elsewhere: its records need no search to reach its size."""
        counts = np.bincount(self._record[clique], minlength=len(self._known))
        self._known, self._member = np.cumsum(counts), np.sort(clique)

    def go_on(self, quota: int, most_work: int, most_nodes: int) -> int:
        """Search for about ``quota`` of work, or until the totals reach a limit.

        Returns FINISHED when the whole graph is searched, else PAUSED.
        """
        if self._hard is None:
            _doll(
                self._rows,
                self._begin,
                self._end,
                self._listed,
                self._digest,
                self._seen,
                self._record,
                self._start,
                self._known,
                self._within,
                self._cliques,
                self._state,
                self._budget,
                quota,
                most_work,
                most_nodes,
                self._lists,
                self._levels,
                self._shared,
                self._filled,
            )
            if self._state[_STATUS] != _HARD:
                return int(self._state[_STATUS])
            self._take_apart()
        else:
            self._branch(self._hard, quota, most_work, most_nodes)
        return PAUSED

    def _take_apart(self) -> None:
        v = int(self._state[_VERTEX])
        size = int(self._within[self._record[v]])
        self._neighbours, self._hard = self._around(v, size, every=False)
        self._state[_WORK] += _HARD_WORK

    def _around(self, v: int, size: int, every: bool) -> tuple[np.ndarray, Branching]:
        """Return the neighbours of v in records before, and a search for ``size`` of them."""
        row = np.ascontiguousarray(self._rows[v]).astype("<u8", copy=False).view(np.uint8)
        bits = np.unpackbits(row, bitorder="little", count=int(self._start[self._record[v]]))
        neighbours = np.flatnonzero(bits).astype(np.int64)
        return neighbours, Branching(induced(self._rows, neighbours), size - 1, size, every)

    def _branch(self, hard: Branching, quota: int, most_work: int, most_nodes: int) -> None:
        work, nodes = hard.work, hard.nodes
        status = hard.go_on(
            quota, most_work - int(self._state[_WORK]) + work, most_nodes - self.nodes + nodes
        )
        self._state[_WORK] += hard.work - work
        self._state[_NODES] += hard.nodes - nodes
        if status not in (BRANCH_FOUND, BRANCH_FINISHED):
            return
        v = int(self._state[_VERTEX])
        record = self._record[v]
        size = self._within[record]
        if status == BRANCH_FOUND:
            self._cliques[0, 0] = v
            self._cliques[0, 1 : size + 1] = self._neighbours[hard.clique]
            self._state[_COUNT] = size + 1
            self._within[record + 1] = size + 1
            self._state[_VERTEX] = self._start[record + 1]
        else:
            self._within[record + 1] = size
            self._state[_VERTEX] = v + 1
        self._hard = None

    @property
    def work(self) -> int:
        """Work so far: words and list entries looked at, roughly."""
        return int(self._state[_WORK])

    @property
    def nodes(self) -> int:
        """Vertices tried in some clique so far."""
        return int(self._state[_NODES])

    @property
    def done(self) -> float:
        """Share of the vertices searched."""
        return float(self._state[_VERTEX] / max(len(self._record), 1))

    @property
    def clique(self) -> np.ndarray:
        """The largest clique so far among the records searched."""
        size = int(self._state[_COUNT])
        reached = min(int(self._state[_VERTEX]), len(self._record) - 1)
        known = self._member[self._member < self._start[self._record[reached] + 1]]
        return np.sort(self._cliques[0, :size]) if size >= len(known) else known

    def collect(self, limit: int, most_work: int, progress: Progress) -> tuple[np.ndarray, bool]:
        """After the end, gather cliques of the largest size, a few more than ``limit`` at most.

        Returns
        -------
        cliques, complete : (c, size) int64, bool
            Without repetition; whether these are all.
        """
        size = int(self._within[-1])
        found = [np.zeros((0, size), dtype=np.int64)]
        count = spent = 0
        room = np.zeros((limit + 1, size), dtype=np.int64)
        v = int(self._start[np.argmax(self._within[1:] == size)])
        # A clique is found at the last of its records, which is one where the size is reached.
        while v < len(self._record) and count <= limit and spent < most_work:
            progress(0.99)
            v, more, used, status = _reaches(
                self._rows,
                self._begin,
                self._end,
                self._listed,
                self._digest,
                self._seen,
                self._record,
                self._start,
                self._within,
                v,
                self._start[self._record[v] + 1],
                size - 1,
                room,
                self._budget,
                min(self._budget, most_work - spent),
                2**62,
                self._lists,
                self._levels,
                self._shared,
                self._filled,
                np.zeros(1, dtype=np.int64),
            )
            found.append(room[:more].copy())
            count += more
            spent += used
            if status == _HARD:
                here, used = self._collect_at(v, size, limit, most_work - spent, progress)
                found.append(here)
                count += len(here)
                spent += used
                v += 1
        complete = count <= limit and spent < most_work
        return np.concatenate(found), complete

    def _collect_at(self, v, size, limit, most_work, progress) -> tuple[np.ndarray, int]:
        neighbours, search = self._around(v, size - 1, every=True)
        found = [np.zeros((0, size), dtype=np.int64)]
        while search.work < most_work and len(found) <= limit + 1:
            progress(0.99)
            status = search.go_on(self._budget * 100, most_work, 2**62)
            if status == BRANCH_FINISHED:
                break
            if status == BRANCH_FOUND:
                found.append(np.r_[v, neighbours[search.clique]][None])
        return np.concatenate(found), search.work + _HARD_WORK


@linked_kernel
def _doll(
    rows,
    begin,
    ends,
    listed,
    digest,
    seen,
    record,
    start,
    known,
    within,
    cliques,
    state,
    budget,
    quota,
    most_work,
    most_nodes,
    lists,
    levels,
    shared,
    filled,
):
    """Go on until the end, a hard vertex, the quota of work or a limit of the totals.

    ``within[r + 1]`` is the size of a largest clique among the records up to r; ``within[0]``
    is 0. ``known[r]`` says how many members of a known clique have records up to r.
    """
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
        v, found, used, status = _reaches(
            rows,
            begin,
            ends,
            listed,
            digest,
            seen,
            record,
            start,
            within,
            v,
            start[r + 1],
            size,
            cliques,
            budget,
            min(quota, most_work - state[1] - 1) - spent,
            most_nodes,
            lists,
            levels,
            shared,
            filled,
            nodes,
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
def _reaches(
    rows,
    begin,
    ends,
    listed,
    digest,
    seen,
    record,
    start,
    within,
    v,
    last,
    size,
    cliques,
    budget,
    quota,
    most_nodes,
    lists,
    levels,
    shared,
    filled,
    nodes,
):
    """Look for ``size`` vertices before one record that make a clique with one of its vertices.

    Vertices v to ``last`` of the record are taken one after the other, until ``cliques`` is full,
    ``quota`` of work or ``most_nodes`` is spent, or one takes more work than the budget. Returns
    the vertex where this ended, how many cliques were found before it (or at it, if they are
    full), the work, and 0, 1 (something was spent) or 2 (that vertex is hard). All vertices of
    a record are one call because each costs more than what most of them need.
    """
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
