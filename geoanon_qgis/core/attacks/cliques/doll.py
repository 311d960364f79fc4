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
from .bitsets import SPARSE, list_neighbours
from .branch import FINISHED as BRANCH_FINISHED
from .branch import FOUND as BRANCH_FOUND
from .branch import Branching, induced
from .doll_kernels import Graph, Room, reaches, search_records

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
        begin = np.concatenate([[0], np.cumsum(degree)]).astype(np.int64)
        sparse = begin[-1] < limits.sparse * rows.size
        if not sparse:
            neighbours = np.zeros(0, dtype=np.int32)
        elif neighbours is None:
            neighbours = list_neighbours(rows, begin)
        words = (2 * len(first) + 63) >> 6
        words = words if sparse and words <= limits.most_words else 0
        self._graph = Graph(
            rows,
            begin,
            np.zeros(len(rows), dtype=np.int64),
            neighbours.view(np.uint32),
            np.zeros((len(rows), words), dtype=np.uint64),
            np.zeros(len(rows), dtype=np.uint8),
            self._record,
            self._start,
        )
        self._within = np.zeros(len(first) + 1, dtype=np.int64)
        self._known = np.zeros(len(first), dtype=np.int64)
        self._member = np.zeros(0, dtype=np.int64)
        self._cliques = np.zeros((1, len(first) + 1), dtype=np.int64)
        self._state = np.zeros(5, dtype=np.int64)
        widest = int(degree.max(initial=0)) + 1
        deepest = min(len(first), widest) + 2
        self._room = Room(
            np.empty((deepest, widest), dtype=np.int32),
            np.zeros((deepest, 3), dtype=np.int64),
            np.empty(rows.shape[1], dtype=np.uint64),
            np.empty(rows.shape[1] + 1, dtype=np.int64),
        )
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
            search_records(
                self._graph,
                self._within,
                self._known,
                self._cliques,
                self._state,
                self._budget,
                quota,
                most_work,
                most_nodes,
                self._room,
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
            v, more, used, status = reaches(
                self._graph,
                self._within,
                v,
                self._start[self._record[v] + 1],
                size - 1,
                room,
                self._budget,
                min(self._budget, most_work - spent),
                2**62,
                self._room,
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
