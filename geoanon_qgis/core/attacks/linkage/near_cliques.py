# SPDX-License-Identifier: GPL-2.0-or-later
"""The heaviest cliques of the near graph, one after the other.

A set of matches that all support each other weighs what its edges weigh, less the logarithm of the
number of candidates for each match: a match that was picked out of thousands has to bring as much.
Sets above zero are hardly to be had by chance.

Exact branch and bound within the later neighbours of each candidate in turn. Near graphs are
sparse, so that this takes some hundredths of a second; where a neighbourhood is dense, its work is
cut off and the result is said not to be proven.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime import accel
from ...runtime.progress import Progress, shares, silent
from .near_edges import Candidates, NearGraph

#: Weight from which a clique is worth looking at, and its least size.
FLOOR, LEAST_SIZE = -9.0, 3
#: Work on the cliques of one first member; of all first members together, and of each at least and
#: at most, where graphs are too dense to be searched to the end.
ROOT_WORK, _SHORT_WORK, _SHORT_ROOTS = 3_000_000, 100_000_000, (10_000, 100_000)
#: Work between two looks at the clock.
_SLICE, _PLAIN_SLICE = 4_000_000, 40_000
#: Neighbours of one candidate, the strongest, and members of a clique, at most.
_NEIGHBOURS, _MEMBERS = 400, 60


@dataclass(frozen=True, eq=False)
class NearClique:
    """Matches that all support each other.

    Attributes
    ----------
    members : (m,) int array
        Candidates, ascending.
    weight : float
        See the module.
    """

    members: np.ndarray
    weight: float


@dataclass(frozen=True, eq=False)
class Search:
    """What a search for cliques found.

    Attributes
    ----------
    cliques : list of NearClique
        Without common candidates, by falling weight.
    work : int
        Counted steps.
    proven : bool
        Whether each of them is certainly the heaviest there was.
    """

    cliques: list[NearClique]
    work: int
    proven: bool


def disjoint_cliques(
    graph: NearGraph,
    candidates: Candidates,
    number: int,
    max_work: int,
    progress: Progress = silent,
    short: bool = False,
) -> Search:
    """Find the heaviest clique, then the heaviest without its members, and so on.

    Parameters
    ----------
    graph : NearGraph
    candidates : Candidates
    number : int
        Cliques wanted, at most.
    max_work : int
        Steps after which the search ends.
    progress : Progress
    short : bool
        Only a little is searched from each first member. That is all that is asked for, so that
        it does not count as cut off.

    Returns
    -------
    Search
    """
    root_work = ROOT_WORK
    if short:
        root_work = int(np.clip(_SHORT_WORK // max(len(candidates), 1), *_SHORT_ROOTS))
    alive = np.diff(graph.start) >= LEAST_SIZE - 1
    price = float(np.log(max(len(candidates), 2)))
    found: list[NearClique] = []
    work, proven = 0, True
    for steps in shares(progress, number):
        clique, used, sure = _heaviest(graph, alive, price, max_work - work, root_work, steps)
        work, proven = work + used, proven and (sure or short and work + used < max_work)
        if clique is None or work >= max_work:
            if clique is not None:
                found.append(clique)
            break
        found.append(clique)
        alive[clique.members] = False
    progress(1.0)
    return Search(found, work, proven)


def _heaviest(graph: NearGraph, alive, price: float, max_work: int, root_work: int, progress):
    """The heaviest clique among those alive (None for nothing), the work, and whether proven."""
    best = np.full(_MEMBERS + 1, -1, dtype=np.int64)
    state = np.array([FLOOR])
    size, root, work, proven = 0, 0, 0, True
    while root < len(alive):
        progress(root / len(alive))
        left = max_work - work
        if left <= 0:
            proven = False
            break
        step = _SLICE if accel.enabled() else _PLAIN_SLICE
        root, used, found, cut = _search(
            graph.start,
            graph.neighbour,
            graph.weight,
            alive,
            price,
            root,
            min(step, left),
            min(root_work, left),
            best,
            state,
        )
        work += used
        size = found or size
        proven = proven and not cut
    if size < LEAST_SIZE:
        return None, work, proven
    return NearClique(np.sort(best[:size]), float(state[0])), work, proven


@accel.kernel
def _search(start, neighbour, weight, alive, price, root, most, most_of_root, best, state):
    """Search the cliques of some first members; return the next one, the work and what was found.

    ``best`` and ``state`` hold the members and the weight of the heaviest clique so far. The size
    that is returned is 0 if there is no heavier one.
    """
    count = len(start) - 1
    place = np.full(count, -1, np.int64)
    depth = len(best)
    work, size, cut = 0, 0, False
    while root < count and work < most:
        here = root
        root += 1
        work += 1
        if not alive[here]:
            continue
        # Later neighbours, and what they could bring at most.
        number = 0
        for at in range(start[here], start[here + 1]):
            if neighbour[at] > here and alive[neighbour[at]]:
                number += 1
        work += start[here + 1] - start[here]
        if number < LEAST_SIZE - 1:
            continue
        members = np.empty(number, np.int64)
        gains = np.empty(number)
        number = 0
        for at in range(start[here], start[here + 1]):
            other = neighbour[at]
            if other > here and alive[other]:
                members[number], gains[number] = other, weight[at] - price
                number += 1
        if number > _NEIGHBOURS:
            order = np.argsort(-gains, kind="mergesort")[:_NEIGHBOURS]
            members, gains = members[order], gains[order]
            number, cut = _NEIGHBOURS, True
        between = np.zeros((number, number))
        for k in range(number):
            place[members[k]] = k
        for k in range(number):
            for at in range(start[members[k]], start[members[k] + 1]):
                other = place[neighbour[at]]
                if other >= 0:
                    between[k, other] = weight[at]
            work += start[members[k] + 1] - start[members[k]]
        for k in range(number):
            place[members[k]] = -1
        work += number * number
        bound = -price
        for k in range(number):
            bound += max(gains[k] + between[k].sum() / 2, 0.0)
        if bound <= state[0]:
            continue
        used = work
        # Depth first; each level has its candidates, their gains, and the next one to take.
        options = np.empty((depth, number), np.int64)
        gain = np.empty((depth, number))
        lengths = np.zeros(depth, np.int64)
        turn = np.zeros(depth, np.int64)
        chosen = np.zeros(depth, np.int64)
        total = np.zeros(depth)
        order = np.argsort(-gains, kind="mergesort")
        options[0], gain[0] = order, gains[order]
        lengths[0], total[0] = number, -price
        level = 0
        while level >= 0:
            if work - used > most_of_root:
                cut = True
                break
            bound = total[level]
            for k in range(turn[level], lengths[level]):
                more = 0.0
                for j in range(turn[level], lengths[level]):
                    more += between[options[level, k], options[level, j]]
                bound += max(gain[level, k] + more / 2, 0.0)
            work += (lengths[level] - turn[level]) ** 2 + 1
            if bound <= state[0] or turn[level] == lengths[level]:
                level -= 1
                continue
            k = turn[level]
            turn[level] += 1
            taken = options[level, k]
            chosen[level] = taken
            now = total[level] + gain[level, k]
            if now > state[0] and level + 2 >= LEAST_SIZE:
                state[0] = now
                size = level + 2
                best[0] = here
                for j in range(level + 1):
                    best[j + 1] = members[chosen[j]]
            if level + 2 >= depth:
                continue
            length = 0
            for j in range(k + 1, lengths[level]):
                other = options[level, j]
                if between[taken, other] > 0:
                    options[level + 1, length] = other
                    gain[level + 1, length] = gain[level, j] + between[taken, other]
                    length += 1
            if length:
                level += 1
                lengths[level], turn[level], total[level] = length, 0, now
    return root, work, size, cut
