# SPDX-License-Identifier: GPL-2.0-or-later
"""A file that adaptive Voronoi masking may have been made of, and how well it explains the points.

Rows leave it and come back at another address. What changes then is kept up to date and not worked out
anew: the nearest neighbour of each row among those who are not alone in their areas, and whether its own
way, by the border or by the middle between both, leads to its point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .voronoi_ways import Ways


@dataclass(frozen=True, eq=False)
class Addresses:
    """Where rows of the file can live.

    Attributes
    ----------
    first : (n + 1,) int array
        Where the pairs of each row start.
    candidate : (p,) int array
    by_border : (p,) bool array
        Whether the border leads from the candidate to the row's point.
    prior : (p,) array
        How likely the candidate is to be in a file, before anything is released.
    xy : (m, 2) array
        Of candidates, metres.
    area : (m,) int array
        At least 0 for all candidates of a pair.
    to_border : (m,) array
        Metres to the border of the area.
    near : list of (k,) int arrays
        Rows that can be next to each row; each of two or neither is the other's.
    ways : Ways
    """

    first: np.ndarray
    candidate: np.ndarray
    by_border: np.ndarray
    prior: np.ndarray
    xy: np.ndarray
    area: np.ndarray
    to_border: np.ndarray
    near: list[np.ndarray]
    ways: Ways


class File:
    """Rows at addresses; at first none has one.

    Parameters
    ----------
    addresses : Addresses
    least : float
        What stands for no chance at all.

    Attributes
    ----------
    pair : (n,) int array
        Of each row; -1 where it is at no address.
    """

    def __init__(self, addresses: Addresses, least: float):
        count = len(addresses.first) - 1
        self._all, self._xy = addresses, addresses.xy
        # Of equally near ones the first in x, then in y is the neighbour, as in the mask.
        self._rank = np.empty(len(self._xy), dtype=np.int64)
        self._rank[np.lexsort((self._xy[:, 1], self._xy[:, 0]))] = np.arange(len(self._xy))
        self._free = np.ones(len(self._xy), dtype=bool)
        self._members: list[set[int]] = [set() for _ in range(int(addresses.area.max()) + 1)]
        self._count = np.zeros(len(self._members), dtype=np.int64)
        self.pair = np.full(count, -1, dtype=np.int64)
        self._at = np.full(count, -1, dtype=np.int64)
        self._joined = np.zeros(count, dtype=bool)
        self._away, self._next = np.full(count, np.inf), np.full(count, -1, dtype=np.int64)
        self._told = np.zeros(count)  # logarithm of how well each point is explained
        self._none = np.log(least)

    def let(self, least: float) -> None:
        """Let another number stand for no chance at all."""
        self._none = np.log(least)
        there = np.flatnonzero(self.pair >= 0)
        self._tell(there[self._joined[there]])
        for row in there[~self._joined[there]].tolist():
            self._tell_alone(row)

    # --- rows come and go ---------------------------------------------------------------------------

    def take(self, row: int) -> None:
        """Take a row out of the file, if it is in it."""
        if self.pair[row] < 0:
            return
        here = self._at[row]
        members = self._members[self._all.area[here]]
        if self._joined[row]:
            self._part(row)
        members.discard(row)
        self._count[self._all.area[here]] -= 1
        self._free[here], self.pair[row], self._at[row] = True, -1, -1
        if len(members) == 1:
            (other,) = members
            self._part(other)
            self._tell_alone(other)

    def put(self, row: int, pair: int) -> None:
        """Put a row that is not in the file at the candidate of a pair, which must be free."""
        here = self._all.candidate[pair]
        members = self._members[self._all.area[here]]
        members.add(row)
        self._count[self._all.area[here]] += 1
        self._free[here], self.pair[row], self._at[row] = False, pair, here
        if len(members) == 1:
            self._tell_alone(row)
            return
        if len(members) == 2:
            (other,) = members - {row}
            self._join(other)
        self._join(row)

    def chances(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """How likely a row that is not in the file is at each of its candidates, given all others.

        Returns
        -------
        pair : (k,) int array
            Those whose candidate is free.
        told : (k,) array
            Logarithms, up to a number for all.
        """
        every = self._all
        pair = np.arange(every.first[row], every.first[row + 1])
        pair = pair[self._free[every.candidate[pair]]]
        area = every.area[every.candidate[pair]]
        many, told = self._count[area], np.empty(len(pair))
        together = np.flatnonzero(many > 1)
        told[together] = self._explained(row, pair[together])
        for one in np.unique(area[many < 2]).tolist():
            some = np.flatnonzero(area == one)
            if not self._members[one]:
                told[some] = self._of_alone(row, one)
                continue
            # Who was alone there joins the others, whoever of the area comes.
            (other,), before = self._members[one], self._told.sum()
            self._join(other)
            told[some] = self._explained(row, pair[some]) + (self._told.sum() - before)
            self._part(other)
            self._tell_alone(other)
        return pair, told + np.log(every.prior[pair])

    # --- neighbours -----------------------------------------------------------------------------------

    def _join(self, row: int) -> None:
        """Let a row count as a neighbour."""
        self._joined[row] = True
        self._seek(row)
        others, away = self._others(row)
        nearer = self._is_next(away, others, self._rank[self._at[row]])
        hit = others[nearer]
        self._away[hit], self._next[hit] = away[nearer], row
        self._tell(np.append(hit, row))

    def _part(self, row: int) -> None:
        """Let a row count as nobody's neighbour any more."""
        self._joined[row] = False
        near = self._all.near[row]
        hit = near[(self._next[near] == row) & self._joined[near]]
        self._next[row] = -1
        for other in hit.tolist():
            self._seek(other)
        self._tell(hit)

    def _others(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows that may be next to one, and how far each is."""
        near = self._all.near[row]
        near = near[self._joined[near]]
        gap = self._xy[self._at[near]] - self._xy[self._at[row]]
        # As the trees of the mask measure it, so that equal means equal here too.
        return near, np.sqrt(gap[:, 0] ** 2 + gap[:, 1] ** 2)

    def _seek(self, row: int) -> None:
        """Find the nearest neighbour of a row."""
        others, away = self._others(row)
        self._away[row], self._next[row] = np.inf, -1
        if len(others):
            self._away[row] = least = away.min()
            tied = others[away == least]
            self._next[row] = tied[np.argmin(self._rank[self._at[tied]])]

    def _is_next(self, away: np.ndarray, rows: np.ndarray, rank: np.ndarray | int) -> np.ndarray:
        """Whether somebody so far away would be the nearest neighbour of rows."""
        nearer = away < self._away[rows]
        tied = away == self._away[rows]
        if tied.any():
            now = self._next[rows]
            nearer |= tied & (now >= 0) & (rank < self._rank[self._at[now]])
        return nearer

    # --- how well points are explained ------------------------------------------------------------------

    def _of_alone(self, row: int, area: int) -> float:
        return max(float(np.log(max(self._all.ways.alone(row, area), 1e-300))), self._none)

    def _tell_alone(self, row: int) -> None:
        self._told[row] = self._of_alone(row, int(self._all.area[self._at[row]]))

    def _tell(self, rows: np.ndarray) -> None:
        """See how well rows with neighbours are explained."""
        if len(rows):
            here, there = self._at[rows], self._at[self._next[rows]]  # without one, not looked at
            good = self._leads(rows, here, there, self._away[rows], self.pair[rows])
            self._told[rows] = np.where(good, 0.0, self._none)

    def _leads(
        self, row: np.ndarray, here: np.ndarray, there: np.ndarray, away: np.ndarray, pair
    ) -> np.ndarray:
        """Whether rows at candidates come to their points, with neighbours at candidates."""
        found, middle = self._all.by_border[pair], self._all.to_border[here] >= away / 2
        if middle.any():
            row, here, there = row[middle], here[middle], there[middle]
            half = (self._xy[here] + self._xy[there]) / 2
            found[middle] = self._all.ways.leads(row, self._all.area[here], half)
        return found

    def _explained(self, row: int, pair: np.ndarray) -> np.ndarray:
        """How well a row is explained at candidates, and others more or less well, (k,) logarithms."""
        others = self._all.near[row]
        others = others[self._joined[others]]
        if not len(pair) or not len(others):
            return np.where(self._all.by_border[pair], 0.0, self._none)
        here, there = self._all.candidate[pair], self._at[others]
        gap = self._xy[here][:, None] - self._xy[there]
        away = np.sqrt(gap[..., 0] ** 2 + gap[..., 1] ** 2)
        least = away.min(axis=1)
        tied = np.where(away == least[:, None], self._rank[there], len(self._rank))
        column = tied.argmin(axis=1)
        one, at = np.nonzero(self._is_next_of_each(away, others, here))
        own = np.full(len(pair), row)
        good = self._leads(
            np.concatenate([own, others[at]]),
            np.concatenate([here, there[at]]),
            np.concatenate([there[column], here[one]]),
            np.concatenate([least, away[one, at]]),
            np.concatenate([pair, self.pair[others[at]]]),
        )
        told = np.where(good, 0.0, self._none)
        change = told[len(pair) :] - self._told[others[at]]
        return told[: len(pair)] + np.bincount(one, change, len(pair))

    def _is_next_of_each(self, away: np.ndarray, rows: np.ndarray, here: np.ndarray) -> np.ndarray:
        """The same as :meth:`_is_next` for rows and candidates, (k, m)."""
        return self._is_next(away, np.broadcast_to(rows, away.shape), self._rank[here][:, None])
