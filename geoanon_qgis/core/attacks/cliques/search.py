# SPDX-License-Identifier: GPL-2.0-or-later
"""Maximum cliques of product graphs: the attack's search (Kroll 2014, section 4, step 4).

Three searches share the work. A local search finds a large clique within milliseconds. The
Russian-doll search over target records proves most graphs. Dense graphs with a large clique are
proven sooner by branch and bound with colouring on the whole graph, which starts from what the
local search found. They take turns by counted work, never by the clock, so that the same
seed gives the same result on every machine, compiled or not.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from ...runtime import accel
from ...runtime.errors import Cancelled, InputError
from ...runtime.progress import Late, Progress, interruptible, silent, until
from ...runtime.wording import mark
from .branch import FINISHED as BRANCH_FINISHED
from .branch import FOUND as BRANCH_FOUND
from .branch import Branching
from .doll import FINISHED as DOLL_FINISHED
from .doll import USUAL, Doll, Limits
from .local import LocalSearch
from .product_graph import ProductGraph

#: Vertices up to which a search without numba takes seconds, as a rule.
PLAIN_VERTICES = 2_000

#: Work between two looks at the clock: 20 to 60 ms, or as long in plain Python.
_SLICE, _PLAIN_SLICE = 8_000_000, 20_000

#: Largest cliques up to this size are left to the doll: colours bound small cliques badly.
_SMALL = 6

#: Share of the vertices after which the doll is let finish before anything else is tried.
_NEARLY = 0.75

#: Work on gathering all maximum cliques: at least so much, and at least twice the search's.
_GATHER_WORK = 20_000_000

_NO_LIMIT = 2**62


@dataclass(frozen=True, eq=False)
class Clique:
    """A largest clique that was found.

    Attributes
    ----------
    members : (m,) int64
        Vertices, ascending.
    proven : bool
        Whether it is certain that no clique is larger.
    steps : int
        Vertices that the exact searches tried to add to some clique. They are counted like the
        steps of Konc & Janezic (2007), but one step here does not decide as much as one there.
    local_steps : int
        Steps of the local search.
    stopped : str
        ``""``, or what ended the search early: ``"steps"``, ``"work"``,
        ``"time"`` or ``"cancelled"``.
    found_by, proven_by : str
        ``"local search"``, ``"russian doll"``, ``"branch and bound"``, or ``""`` for nobody.
    in_every : (m,) bool or None
        Which members are in every maximum clique found; None if these were not looked for.
    n_maximum : int
        How many maximum cliques were found; 0 if they were not looked for.
    all_maximum : bool
        Whether these are certainly all there are.
    slow : str
        A sentence for the user if the search ran without compiled kernels, else empty.
    """

    members: np.ndarray
    proven: bool
    steps: int = 0
    local_steps: int = 0
    stopped: str = ""
    found_by: str = ""
    proven_by: str = ""
    in_every: np.ndarray | None = None
    n_maximum: int = 0
    all_maximum: bool = False
    slow: str = ""

    def __len__(self) -> int:
        return len(self.members)

    @property
    def unique(self) -> int:
        """How many of the members are in every maximum clique found; 0 if not known."""
        return 0 if self.in_every is None else int(self.in_every.sum())


def maximum_clique(
    graph: ProductGraph,
    max_steps: int | None = None,
    time_limit: float | None = None,
    rng: np.random.Generator | None = None,
    progress: Progress = silent,
    *,
    max_work: int | None = None,
    cliques: int = 1000,
    random_tie: bool = False,
    keep_on_cancel: bool = True,
    turns: Turns | None = None,
) -> Clique:
    """Find a maximum clique of a product graph, or the largest that the limits allow.

    Parameters
    ----------
    graph : ProductGraph
    max_steps : int, optional
        Steps of the exact searches after which the largest clique so far is returned; the local
        search always runs first. The papers use 20,000,000 (of another algorithm).
    time_limit : float, optional
        Seconds after which the same happens. With a time limit that is reached, a seed no
        longer decides the result alone.
    rng : numpy.random.Generator, optional
        Seeds the local search and draws among ties; a fixed seed by default.
    progress : callable
        Called every few hundredths of a second (without numba: tenths).
    max_work : int, optional
        Work of the exact searches after which the same happens, about what is read of bit
        sets. A billion takes some seconds whatever the graph, where a step may take a hundred
        times as long as another; unlike a time limit it leaves the result to the seed.
    cliques : int
        If the size is proven, gather maximum cliques up to this number (within a few times
        the work that the search took) to tell which matches they have in common; 0 for none. Where
        nothing is proven, nothing is gathered.
    random_tie : bool
        Return one of the maximum cliques gathered, drawn at random (the papers' rule, "one at
        random"), instead of the one found first. If all were gathered, the result depends on
        the graph and the seed only.
    keep_on_cancel : bool
        When ``progress`` raises ``Cancelled``, return the largest clique so far, with
        ``stopped = "cancelled"``; otherwise let the exception through.
    turns : Turns, optional

    Raises
    ------
    InputError
        A limit that is not positive.
    Cancelled
        If asked to stop and not ``keep_on_cancel``.
    """
    if max_steps is not None and max_steps < 0:
        raise InputError("The limit of steps of the clique search must not be negative.")
    if max_work is not None and max_work < 0:
        raise InputError("The limit of work of the clique search must not be negative.")
    if time_limit is not None and not time_limit >= 0:
        raise InputError("The time limit of the clique search must not be negative.")
    rng = np.random.default_rng(0) if rng is None else rng
    if len(graph) == 0:
        return Clique(np.zeros(0, dtype=np.int64), True, n_maximum=1, all_maximum=True)
    search = _Search(graph, max_steps, max_work, time_limit, rng, progress, turns or Turns())
    try:
        search.run()
        gathered, complete = search.gathered(cliques) if search.proven_by else (None, False)
    except Cancelled:
        if not keep_on_cancel:
            raise
        search.stopped = search.stopped or "cancelled"
        gathered, complete = None, False
    members = search.clique
    in_every = None
    if gathered is not None and len(gathered):
        if random_tie:
            members = gathered[int(rng.integers(len(gathered)))]
        shared = np.bincount(gathered.reshape(-1), minlength=len(graph)) == len(gathered)
        in_every = shared[members]
    return Clique(
        members,
        bool(search.proven_by),
        search.steps,
        search.local.steps,
        search.stopped,
        search.found_by,
        search.proven_by,
        in_every,
        0 if gathered is None else len(gathered),
        complete,
        _slow(graph),
    )


def _slow(graph: ProductGraph) -> str:
    if accel.enabled():
        return ""
    if len(graph) <= PLAIN_VERTICES:
        return mark(
            "The clique search ran without numba: it is slow. Install numba to speed it up."
        )
    return mark(
        "The clique search ran without numba: it is slow, and a graph of this size can take "
        "hours. Install numba to speed it up."
    )


def _left(done: float, work: int) -> float:
    """Guess how much work is left when so much did that share."""
    return work * (1.0 - done) / max(done, 1e-9)


@dataclass(frozen=True)
class Turns:
    """How much each search may do before another has its turn; no result depends on the slice.

    Attributes
    ----------
    first_steps, round_steps, most_steps : int
        Steps of local search before anything else, in each round, and in all.
    first_work : int
        Work that the doll gets before the local search is given more time.
    slice : int, optional
        Work between two looks at the clock and the progress.
    doll : Limits
    """

    first_steps: int = 300
    round_steps: int = 15_000
    most_steps: int = 1_000_000
    first_work: int = 14_000_000
    slice: int | None = None
    doll: Limits = USUAL


@dataclass
class _Search:
    """One run: the clique so far, the totals, and whose turn it is."""

    graph: ProductGraph
    max_steps: int | None
    max_work: int | None
    time_limit: float | None
    rng: np.random.Generator
    progress: Progress
    turns: Turns
    clique: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    found_by: str = ""
    proven_by: str = ""
    stopped: str = ""

    def __post_init__(self) -> None:
        graph = self.graph
        self.started = time.monotonic()
        self.local = LocalSearch(graph.rows, self.rng)
        limits = self.turns.doll
        self.doll = Doll(graph.rows, graph.target, graph.degree, graph.listed, limits)
        self.branching: Branching | None = None
        self.slice = self.turns.slice or (_SLICE if accel.enabled() else _PLAIN_SLICE)

    @property
    def steps(self) -> int:
        return self.doll.nodes + (self.branching.nodes if self.branching else 0)

    @property
    def _done(self) -> float:
        """Never falls, as neither share does."""
        branched = self.branching.done if self.branching else 0.0
        return min(max(self.doll.done, branched), 0.99)

    @property
    def work(self) -> int:
        return self.doll.work + (self.branching.work if self.branching else 0)

    def run(self) -> None:
        """Let the searches take turns until one is through or a limit is reached."""
        turns, first = self.turns, self.turns.first_work
        self._search_locally(turns.first_steps)
        if self._dolls(first):
            return
        self._search_locally(turns.round_steps)
        if len(self.clique) <= _SMALL and self._dolls(20 * first):
            return
        if self.doll.done > _NEARLY and self._dolls(self.doll.work + first):
            return
        # Both have had a try: the one goes on that looks nearer to its end, a while at a time.
        if self._branch(4 * first) or self.branching is None:
            return
        work, branching = 2 * first, self.branching
        while not self.stopped:
            # A vertex's work grows like the square of the vertices that are left to it: the
            # doll has more and more of them, branch and bound less and less.
            branched = 1 - (1 - branching.done) ** 3
            if _left(branched, branching.work) < _left(self.doll.done**3, self.doll.work):
                if self._branch(work):
                    return
            elif self._dolls(self.doll.work + work):
                return
            self._search_locally(min(self.local.steps + turns.round_steps, turns.most_steps))
            work += work // 2

    def _limit(self) -> bool:
        """Report progress; tell whether a limit is reached."""
        self.progress(self._done)
        if self.max_steps is not None and self.steps >= self.max_steps:
            self.stopped = "steps"
        elif self.max_work is not None and self.work >= self.max_work:
            self.stopped = "work"
        elif self.time_limit is not None:
            if time.monotonic() - self.started >= self.time_limit:
                self.stopped = "time"
        return bool(self.stopped)

    def _most_nodes(self, own: int) -> int:
        """Nodes that a search with so many of its own may reach under the limit of steps."""
        return _NO_LIMIT if self.max_steps is None else self.max_steps - self.steps + own

    def _most_work(self, wanted: int, own: int) -> int:
        """Work that a search with so much of its own may reach; it wants to reach so much."""
        return wanted if self.max_work is None else min(wanted, self.max_work - self.work + own)

    def _note(self, clique: np.ndarray, by: str) -> None:
        if len(clique) <= len(self.clique):
            return
        self.clique, self.found_by = np.sort(clique), by
        if by != "local search":
            self.local.adopt(self.clique)
        self.doll.know(self.clique)
        if self.branching is not None:
            self.branching.raise_floor(len(clique))

    def _search_locally(self, steps: int) -> None:
        done = False
        while not done and not self.stopped:
            done = self.local.go_on(self.slice, steps)
            self._note(self.local.clique, mark("local search"))
            if done:
                return
            self.progress(self._done)
            if self.time_limit is not None and (time.monotonic() - self.started >= self.time_limit):
                self.stopped = "time"

    def _dolls(self, most_work: int) -> bool:
        while not self._limit() and self.doll.work < most_work:
            most = self._most_work(most_work, self.doll.work)
            status = self.doll.go_on(self.slice, most, self._most_nodes(self.doll.nodes))
            self._note(self.doll.clique, mark("russian doll"))
            if status == DOLL_FINISHED:
                self.proven_by = mark("russian doll")
                return True
        return False

    def _branch(self, work: int) -> bool:
        if self._limit():
            return False
        if self.branching is None:
            rows, floor = self.graph.rows, len(self.clique)
            self.branching = interruptible(
                lambda: Branching(rows, floor, _NO_LIMIT), self.progress, self._done
            )
        one = self.branching
        most_work = one.work + work
        while not self._limit() and one.work < most_work:
            most = self._most_work(most_work, one.work)
            status = one.go_on(self.slice, most, self._most_nodes(one.nodes))
            self._note(one.clique, mark("branch and bound"))
            if status == BRANCH_FINISHED:
                self.proven_by = mark("branch and bound")
                return True
        return False

    def gathered(self, limit: int) -> tuple[np.ndarray | None, bool]:
        """Gather maximum cliques if there is time for it: the limit is that of both searches."""
        deadline = None if self.time_limit is None else self.started + self.time_limit
        self.progress = until(self.progress, deadline)
        try:
            return self._gather(limit)
        except Late:
            return None, False

    def _gather(self, limit: int) -> tuple[np.ndarray | None, bool]:
        """Gather maximum cliques, (c, m), sorted; tell whether these are all."""
        if limit <= 0:
            return None, False
        most = max(_GATHER_WORK, 2 * self.work)
        found: list[np.ndarray] | np.ndarray
        if self.proven_by == "russian doll":
            found, complete = self.doll.collect(limit, most, self.progress)
        else:
            found, complete = self._gather_by_branching(limit, most)
        cliques = np.unique(np.sort(np.vstack([self.clique[None], *found]), axis=1), axis=0)
        return cliques[:limit], complete and len(cliques) <= limit

    def _gather_by_branching(self, limit: int, most: int) -> tuple[list[np.ndarray], bool]:
        size = len(self.clique)
        rows = self.graph.rows
        search = interruptible(
            lambda: Branching(rows, size - 1, size, every=True), self.progress, 0.99
        )
        found: list[np.ndarray] = []
        while search.work < most and len(found) <= limit:
            status = search.go_on(self.slice, most, _NO_LIMIT)
            if status == BRANCH_FINISHED:
                return found, True
            if status == BRANCH_FOUND:
                found.append(search.clique)
            self.progress(0.99)
        return found, False
