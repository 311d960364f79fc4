# SPDX-License-Identifier: GPL-2.0-or-later
"""Units of cells that somebody plays who does not know which were joined.

He sees how many records were put into each cell, S, and asks how many come from each, r. The rule of
:func:`...masking.address_cells.join_counts` makes units of r, and each unit holds as many records
as were put into it. So

    P(r | S) ~ prod over cells P(r_c)  prod over units 1 / C(addresses, records)              (1)

where the sums agree, and 0 where they do not. Files stand together: that a cell holds many says
nothing of others, but how unlike cells are is learnt from r itself. P(r_c) is a beta-binomial law of
the cell's addresses, its mean by their weights, its spread drawn with the rest (Skellam, J. G. 1948,
Journal of the Royal Statistical Society B 10(2), 257-261).

A chain (Metropolis) goes through such r: pairs of cells share anew what they hold, at many places at
once; where units that were and units that would be touch, they are taken or left together. Sums that
disagree cost e for each record instead of being ruled out: so the chain gets from one way to join
cells to others in hundreds of steps, not in ten thousands. It starts from r drawn without (1), else
it would long believe that records come from the cell where they are.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...masking.address_cells import AddressCells, join_counts
from ...runtime.progress import Progress, silent
from ...space.points import build_tree
from .cell_units import people_of
from .grouped import LARGER, OPEN, SEED

#: Steps before the first draw that counts; draws; places in all of them worth their time, and steps
#: between two of them.
_BEFORE, _LEAST, _MOST, _PLACES, _BETWEEN = 150, 40, 100, 400_000, 10
#: Files drawn without (1), one from the other, to start from.
_ROUGHLY = 4
#: What a record in a wrong unit costs; pairs that share anew in a step, for each unit.
_COST, _PAIRS = 1.0, 0.8
#: Neighbours of a cell that may share with it: the nearest ones, and some that are drawn from ranks
#: farther off.
_NEAREST, _FARTHER, _DRAWN = 8, ((9, 41), (41, 200)), 4
#: Spreads of the law of a cell's records that are tried: small ones for files that stand together.
_SPREADS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 300.0)
_WIDE, _TRIES = 10, 40

Units = tuple[float, tuple[np.ndarray, np.ndarray]]


def played_units(
    cells: AddressCells,
    released: np.ndarray,
    k_records: int,
    weight: np.ndarray | None = None,
    progress: Progress = silent,
) -> Iterator[Units]:
    """Units that cells may have been joined to, for who knows the points alone.

    Parameters
    ----------
    cells : AddressCells
    released : (q,) int array
        Cell in which each place of the file was released.
    k_records : int
    weight : (m,) array, optional
    progress : Progress

    Yields
    ------
    float
        A weight; all add up to 1.
    ((cells,) int array, (cells,) int array)
        The unit of each cell, and how many places of the file it holds.
    """
    chain = _Chain(cells, released, k_records, weight, np.random.default_rng(SEED))
    files = int(np.clip(_PLACES // max(1, len(released)), _LEAST, _MOST))
    steps = _BEFORE + _BETWEEN * files
    for step in range(_BEFORE):
        progress(step / steps)
        chain.step(renew=step % _BETWEEN == 0)
    for number in range(files):
        for step in range(_BETWEEN):
            progress((_BEFORE + _BETWEEN * number + step) / steps)
            chain.step(renew=step == 0)
        yield (1 - OPEN) / files, (chain.every(chain.unit), chain.records)
    for number in range(_WIDE):
        wide = chain.joined(chain.records, LARGER ** (1 if number else 2) * k_records)
        yield OPEN / _WIDE, (chain.every(wide), chain.records)
    progress(1.0)


class _Chain:
    """Records of cells, and the units that they make."""

    def __init__(
        self,
        cells: AddressCells,
        released: np.ndarray,
        k_records: int,
        weight: np.ndarray | None,
        rng: np.random.Generator,
    ) -> None:
        self._rng, self._k_records = rng, k_records
        self._size, self._sums = cells.sizes, cells.sums
        self._middle = self._sums / self._size[:, None]
        self._count = len(self._size)
        self._shown = np.bincount(released, minlength=self._count)
        self._pairs = _neighbours(self._middle, rng)
        people = people_of(cells, weight)
        self._mean = _means(people / self._size, self._size, len(released))
        self._spread = 3.0
        self.records = np.minimum(self._shown, self._size)
        self.unit = self.joined(self.records, k_records)
        self._start(np.where(people > 0, people, 1e-300), released)

    def joined(self, records: np.ndarray, k_records: int) -> np.ndarray:
        """Unit of each cell, -1 for those that hold none."""
        return join_counts(self._size, self._sums, records, self._size - records, k_records)

    def every(self, unit: np.ndarray) -> np.ndarray:
        """Unit of each cell, also of those that hold nothing: that with the nearest middle."""
        there = np.flatnonzero(unit >= 0)
        if not len(there):
            return np.zeros(len(unit), dtype=np.int64)
        size = np.bincount(unit[there], self._size[there])
        total = [np.bincount(unit[there], self._sums[there, one]) for one in (0, 1)]
        nearest = build_tree(np.stack(total, axis=1) / size[:, None]).query(self._middle)[1]
        return np.where(unit >= 0, unit, nearest)

    def _start(self, people: np.ndarray, released: np.ndarray) -> None:
        """Draw a cell for each place from the unit of before, and join the cells anew; and again."""
        for _ in range(_ROUGHLY):
            unit = self.every(self.unit)
            order = np.argsort(unit, kind="stable")
            chance = np.concatenate([[0.0], np.cumsum(people[order])])
            ends = np.searchsorted(unit[order], np.arange(int(unit.max()) + 2))
            low, high = chance[ends[unit[released]]], chance[ends[unit[released] + 1]]
            at = low + (high - low) * self._rng.random(len(released))
            drawn = order[np.clip(np.searchsorted(chance, at) - 1, 0, len(order) - 1)]
            # Only cells that hold places are joined: where a place was put, one is from there, too.
            of = self._rng.permutation(len(released))
            shown, one_each = np.unique(released[of], return_index=True)
            drawn[of[one_each]] = shown
            self.records = np.minimum(np.bincount(drawn, minlength=self._count), self._size)
            self.unit = self.joined(self.records, self._k_records)

    # --- steps ------------------------------------------------------------------------------------

    def step(self, renew: bool) -> None:
        """Let pairs of cells share anew what they hold; ``renew`` the spread, too."""
        if renew:
            self._draw_spread()
        units = int(self.unit.max()) + 1
        if not units:  # too few records for a unit
            return
        one, two = self._chosen(max(2, int(_PAIRS * units)))
        new = self.records.copy()
        new[one] = self._shared(one, two)
        new[two] = self.records[one] + self.records[two] - new[one]
        if (new == self.records).all():
            return
        unit = self.joined(new, self._k_records)
        part, many, of_old, of_new = self._parts(unit, one, two)
        old, now = self._likely(self.records, self.unit), self._likely(new, unit)
        gain = np.bincount(of_new, now, many) - np.bincount(of_old, old, many)
        taken = np.log(self._rng.random(many)) < gain
        kept = np.where(taken[part], new, self.records)
        if (kept != self.records).any():
            self.records, self.unit = kept, self.joined(kept, self._k_records)

    def _chosen(self, many: int) -> tuple[np.ndarray, np.ndarray]:
        """Pairs that hold something, each cell in one of them at most."""
        rng = self._rng
        tried = self._pairs[rng.integers(0, len(self._pairs), _TRIES * many)]
        tried = tried[self.records[tried].sum(axis=1) > 0][:many]
        first, turn = np.full(self._count, len(tried)), np.arange(len(tried))
        np.minimum.at(first, tried[:, 0], turn)
        np.minimum.at(first, tried[:, 1], turn)
        good = (first[tried[:, 0]] == turn) & (first[tried[:, 1]] == turn)
        return tried[good, 0], tried[good, 1]

    def _shared(self, one: np.ndarray, two: np.ndarray) -> np.ndarray:
        """Draw how many of what two cells hold are the first one's, by the law of records."""
        mine = np.arange(int(self._size.max()) + 1)[None]
        theirs = (self.records[one] + self.records[two])[:, None] - mine
        good = (mine >= (self._shown[one] > 0)[:, None]) & (mine <= self._size[one][:, None])
        good &= (theirs >= (self._shown[two] > 0)[:, None]) & (theirs <= self._size[two][:, None])
        told = self._law(one[:, None], np.where(good, mine, 0))
        told += self._law(two[:, None], np.where(good, theirs, 0))
        told = np.where(good, told + self._rng.gumbel(size=told.shape), -np.inf)
        return np.argmax(told, axis=1)

    def _parts(self, unit: np.ndarray, one: np.ndarray, two: np.ndarray):
        """Cells that hang together by units of before or now, or by sharing; their number; of units."""
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        begin = self._count, self._count + int(self.unit.max()) + 1
        size = begin[1] + int(unit.max()) + 1
        ends: list[tuple[np.ndarray, np.ndarray]] = [(one, two)]
        for first, units in zip(begin, (self.unit, unit)):
            there = np.flatnonzero(units >= 0)
            ends.append((there, first + units[there]))
        here, to = (np.concatenate(both) for both in zip(*ends))
        graph = coo_matrix((np.ones(len(here)), (here, to)), shape=(size, size))
        many, part = connected_components(graph, directed=False)
        return part[: self._count], many, part[begin[0] : begin[1]], part[begin[1] :]

    def _likely(self, records: np.ndarray, unit: np.ndarray) -> np.ndarray:
        """Logarithm of (1) of each unit: of where its records were put, and of sums that disagree."""
        there = np.flatnonzero(unit >= 0)
        of = unit[there]
        held, shown, room = (
            np.bincount(of, one[there]) for one in (records, self._shown, self._size)
        )
        return -_ways(room, np.minimum(shown, room)) - _COST * np.abs(held - shown)

    # --- the law of records -----------------------------------------------------------------------

    def _law(self, cell: np.ndarray, records: np.ndarray) -> np.ndarray:
        """Logarithm of P(r_c)."""
        from scipy.special import betaln

        size = self._size[cell]
        yes, no = self._spread * self._mean[cell], self._spread * (1 - self._mean[cell])
        found = _ways(size, records) - betaln(yes, no)
        return found + betaln(records + yes, size - records + no)

    def _draw_spread(self) -> None:
        """Draw the spread of the law, given the records."""
        every, told = np.arange(self._count), []
        for spread in _SPREADS:
            self._spread = spread
            told.append(self._law(every, self.records).sum())
        at = np.argmax(np.array(told) + self._rng.gumbel(size=len(told)))
        self._spread = _SPREADS[int(at)]


def _ways(many: np.ndarray, some: np.ndarray) -> np.ndarray:
    """Logarithm of the ways to choose some of many."""
    from scipy.special import gammaln

    return gammaln(many + 1) - gammaln(some + 1) - gammaln(many - some + 1)


def _means(weight: np.ndarray, size: np.ndarray, records: int) -> np.ndarray:
    """Chance of an address of each cell to hold records: odds as its weight, as many as there are."""
    odds = np.maximum(weight / weight.mean(), 1e-9)
    low, high = -30.0, 30.0
    for _ in range(60):
        middle = (low + high) / 2
        chance = 1 / (1 + np.exp(-middle) / odds)
        low, high = (middle, high) if (chance * size).sum() < records else (low, middle)
    return np.clip(chance, 1e-9, 1 - 1e-9)


def _neighbours(middle: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Pairs of cells that may share, (p, 2)."""
    count = len(middle)
    if count < 2:
        return np.zeros((1, 2), dtype=np.int64)
    most = min(count, _FARTHER[-1][1])
    near = build_tree(middle).query(middle, k=most)[1]
    ranks = [
        np.broadcast_to(np.arange(1, min(_NEAREST + 1, most)), (count, min(_NEAREST, most - 1)))
    ]
    for low, high in _FARTHER:
        if most > low:
            ranks.append(rng.integers(low, min(high, most), (count, _DRAWN)))
    rank = np.concatenate(ranks, axis=1)
    row = np.arange(count)[:, None]
    ends = np.sort(np.stack([np.broadcast_to(row, rank.shape), near[row, rank]], axis=-1), axis=-1)
    found = np.unique(ends.reshape(-1, 2), axis=0)
    return found[found[:, 0] != found[:, 1]]
