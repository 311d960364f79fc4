# SPDX-License-Identifier: GPL-2.0-or-later
"""Local search for a large clique: add, else exchange one for one, else shake.

In the manner of dynamic local search (Pullan & Hoos 2006, "Dynamic local search for the maximum
clique problem"): a clique grows while a vertex is joined to all of it; on the plateau a vertex
that misses just one member takes that member's place, and the one that left may not come back
for a few steps; after too many steps without a larger clique a vertex drawn at random comes in
and all that it is not joined to leave. An exchange includes giving a target record another
identification record and the reverse.
"""

from __future__ import annotations

import numpy as np

from .bitsets import count_bits, linked_kernel, lowest_bit

_STEP, _SIZE, _SINCE, _LARGEST = 0, 1, 2, 3

#: Candidates looked at before one is added: the one that leaves most candidates is taken.
_SAMPLE = 16

#: Steps without a larger clique before shaking.
_PATIENCE = 60


class LocalSearch:
    """A local search that can be left and taken up again.

    Parameters
    ----------
    rows : (n, words) uint64
        Neighbours as bits; n > 0.
    rng : numpy.random.Generator
        One number is drawn, the seed of the search's own generator.
    """

    def __init__(self, rows: np.ndarray, rng: np.random.Generator) -> None:
        n, words = rows.shape
        self._rows = rows
        self._seed = rng.integers(1, 2**63 - 1, size=1, dtype=np.int64).astype(np.uint64)
        self._state = np.zeros(4, dtype=np.int64)
        self._members = np.zeros(n + 1, dtype=np.int64)
        self._best = np.zeros(n + 1, dtype=np.int64)
        self._tabu = np.zeros(n, dtype=np.int64)
        self._sets = np.zeros((3, words), dtype=np.uint64)

    def go_on(self, quota: int, most_steps: int) -> bool:
        """Search for about ``quota`` words of work; True once so many steps are done."""
        _search(
            self._rows,
            self._members,
            self._best,
            self._tabu,
            self._sets,
            self._state,
            self._seed,
            quota,
            most_steps,
            _SAMPLE,
            _PATIENCE,
        )
        return self.steps >= most_steps

    def adopt(self, clique: np.ndarray) -> None:
        """Go on from a clique found elsewhere."""
        self._members[: len(clique)] = clique
        self._state[_SIZE], self._state[_SINCE] = len(clique), 0
        if len(clique) > self._state[_LARGEST]:
            self._state[_LARGEST] = len(clique)
            self._best[: len(clique)] = clique

    @property
    def steps(self) -> int:
        """Members added, exchanged or shaken so far."""
        return int(self._state[_STEP])

    @property
    def clique(self) -> np.ndarray:
        """The largest clique so far."""
        return np.sort(self._best[: self._state[_LARGEST]])


@linked_kernel
def _draw(seed):
    x = seed[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    seed[0] = x
    return np.int64(x >> np.uint64(2))


@linked_kernel
def _any_bit(words, at):
    """Find a set bit at or after place ``at``, going round; -1 if there is none."""
    n = len(words)
    first = at >> 6
    one = np.uint64(1)
    bits = words[first] & ~((one << np.uint64(at & 63)) - one)
    if bits:
        return first * 64 + lowest_bit(bits)
    for k in range(1, n + 1):
        word = (first + k) % n
        if words[word]:
            return word * 64 + lowest_bit(words[word])
    return -1


@linked_kernel
def _refresh(rows, members, size, sets):
    """Set 0: joined to all members. Set 1: to all but one. Members themselves are in set 1."""
    words = rows.shape[1]
    missed = sets[0]
    missed_twice = sets[1]
    for word in range(words):
        missed[word] = 0
        missed_twice[word] = 0
    n = len(rows)
    if n & 63:  # the end of a row stands for no vertices
        missed_twice[words - 1] = ~((np.uint64(1) << np.uint64(n & 63)) - np.uint64(1))
    for k in range(size):
        row = rows[members[k]]
        for word in range(words):
            away = ~row[word]
            missed_twice[word] |= missed[word] & away
            missed[word] |= away
    for word in range(words):
        exactly = missed[word] & ~missed_twice[word]
        sets[0, word] = ~missed[word]
        sets[1, word] = exactly


@linked_kernel
def _search(rows, members, best, tabu, sets, state, seed, quota, most_steps, sample, patience):
    one = np.uint64(1)
    n, words = rows.shape
    step, size, since, largest = state[0], state[1], state[2], state[3]
    spent = 0
    stale = True
    while spent < quota and step < most_steps:
        step += 1
        if size == 0:
            v = _draw(seed) % n
            members[0] = v
            size = 1
            stale = True
        if stale:
            _refresh(rows, members, size, sets)
            spent += words * size
            stale = False
        # Add: of a few candidates the one that keeps most others.
        chosen, most, first = -1, -1, -1
        at = _draw(seed) % n
        for _ in range(sample):
            u = _any_bit(sets[0], at)
            spent += 1
            if u < 0 or u == first:
                break
            if first < 0:
                first = u
            at = (u + 1) % n
            if tabu[u] > step:
                continue
            kept = 0
            for word in range(words):
                kept += count_bits(rows[u, word] & sets[0, word])
            spent += words >> 2
            if kept > most:
                chosen, most = u, kept
        if chosen >= 0:
            members[size] = chosen
            size += 1
            for word in range(words):
                row = rows[chosen, word]
                sets[1, word] = (sets[1, word] & row) | (sets[0, word] & ~row)
                sets[0, word] &= row
            spent += words
            if size > largest:
                largest = size
                since = 0
                for k in range(size):
                    best[k] = members[k]
            continue
        since += 1
        if since < patience:
            # Exchange: one that misses a single member, not lately a member itself.
            for k in range(size):
                sets[1, members[k] >> 6] &= ~(one << np.uint64(members[k] & 63))
            at = _draw(seed) % n
            chosen = -1
            for _ in range(sample):
                u = _any_bit(sets[1], at)
                spent += 1
                if u < 0:
                    break
                if tabu[u] <= step:
                    chosen = u
                    break
                at = (u + 1) % n
            if chosen >= 0:
                for k in range(size):
                    x = members[k]
                    if not (rows[chosen, x >> 6] >> np.uint64(x & 63)) & one:
                        members[k] = chosen
                        tabu[x] = step + 7 + _draw(seed) % 5
                        break
                stale = True
                continue
        # Shake: a vertex comes in, and who is not joined to it leaves.
        since = 0
        v = _draw(seed) % n
        kept = 0
        for k in range(size):
            x = members[k]
            if x != v and (rows[v, x >> 6] >> np.uint64(x & 63)) & one:
                members[kept] = x
                kept += 1
            elif x != v:
                tabu[x] = step + 7
        members[kept] = v
        size = kept + 1
        stale = True
        if largest == 0:
            largest = 1
            best[0] = v
    state[0], state[1], state[2], state[3] = step, size, since, largest
