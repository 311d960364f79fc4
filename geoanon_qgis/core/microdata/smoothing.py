# SPDX-License-Identifier: GPL-2.0-or-later
"""The distribution of a number, smoothed, so that nobody's own value is in it.

An exact map of ranks would give each original number back, the extremes of a single person among
them. Here sorted numbers are cut into cells of five records or more. The distribution is the
original's at the borders of the cells; within each it is a line through the mean, along which chance
puts as many records as there were: so it differs by some records at the most, and what is between two
borders rests on all records of the cell.

How near it can come to the original's without telling of single persons follows from its ends. Let M
originals be larger than the largest released number. At that number the released distribution is 1
and the original's 1 - M / n, so that they differ by M / n at the least. If M is 1, "at least as large
as the largest released" is true of one person in the file, who is singled out; if none is larger, the
number is that person's own, or lies outside the range. So nobody is singled out from M = 2 on, and we
take 3 (:data:`EXTREMES`): of n numbers the difference is 3 / n, a hundredth from 300 numbers on.

Evenly spaced records within cells keep to 3 / n in nearly every file. But where values go by steps
(ages), values that one original has then come back once more often than in a fresh sample, by which
one field tells seven of a hundred of 324 people apart. If such values are avoided, the missing ones
tell: two of three of them are one original's. So chance puts the records of a cell, again where more of
them than at the ends would lie on the other side of some number, which few cells need; what attacks then
find, ``benchmarks/small_files.py`` counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

import numpy as np

#: Records at either end of a number whose values are not told apart.
EXTREMES = 3
#: Fewest records of a cell, or with a value that stays one; cells of a long distribution.
IN_CELL, _CELLS = 5, 125
#: Cells of no more records have these where chance puts them; of many it makes no difference.
_BY_CHANCE = 50
#: Numbers that differ by less are the same, in the unit of a coded column.
_SAME = 1e-9
#: Times that records of a cell are put by chance, at the most.
_AGAIN = 20
#: Where borders lie between two numbers: not in the middle, or one would tell the other.
_BORDER = 0.25, 0.75
#: How near its middle is to either end of a cell at the least, as a share: half a cell of one number
#: would lie on one value.
_OFF_EDGE = 0.1

#: Says of (b,) ranks numbers between 0 and 1, always the same ones; None for no chance.
Luck = Optional[Callable[[np.ndarray], np.ndarray]]


def fitted_numbers(values: np.ndarray, original: np.ndarray, luck: Luck = None) -> np.ndarray:
    """Give numbers the distribution of others, smoothed; their order stays.

    A value that many have (as many as a cell of the distribution has) is a value of its own, so that
    zeros stay zeros; the few between two of those have the one or the other. What else lies between
    is cut into cells. The three largest numbers, and the three smallest, become a number between
    these and the next one (:data:`EXTREMES`): the largest income of all is one person's.

    Parameters
    ----------
    values : (r,) array
        Equal ones stay equal.
    original : (n,) array
    luck : callable, optional
        Draws where borders between two numbers lie, and records within a cell. Without, they lie in
        the middle and evenly, which is for levels: of these no other borders would do.

    Returns
    -------
    (r,) array
        Nowhere beyond the original's range.
    """
    return map_of(values, original, luck)(values)


def map_of(
    values: np.ndarray, original: np.ndarray, luck: Luck = None
) -> Callable[[np.ndarray], np.ndarray]:
    """Return the map of :func:`fitted_numbers`, for other numbers, too."""
    at, level = smoothed(np.sort(original), luck)
    different, count = np.unique(values, return_counts=True)
    rank = (np.cumsum(count) - count / 2) / len(values)
    return lambda some: np.interp(np.interp(some, different, rank), at, level)


def smoothed(ordered: np.ndarray, luck: Luck = None) -> tuple[np.ndarray, np.ndarray]:
    """Nodes of the smoothed quantile function of sorted numbers: ranks, as shares, and values."""
    n = len(ordered)
    in_cell = max(IN_CELL, -(-n // _CELLS))
    ordered = _with_coded_ends(ordered, luck)
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    count = np.diff(np.append(first, n))
    heap = count >= in_cell
    heap[[0, -1]] = True
    heaps = np.flatnonzero(heap)
    nodes: list[tuple[float, float]] = []
    end = 0.0  # of the heap before
    for number, (low, size) in enumerate(zip(first[heaps].tolist(), count[heaps].tolist())):
        begin = float(low)
        if number:
            before = int(end)
            if low - before >= IN_CELL:
                between = first[heaps[number - 1] + 1 : heaps[number]]
                # into a gap beside a heap, of incomes beside none, nobody is put
                inward = tuple(int(count[heaps[at]] >= in_cell) for at in (number - 1, number))
                nodes += _cells(ordered, [*_cut(between, low, in_cell), low], inward, luck)
            else:  # some have the one value, some the other
                begin = (before + low) / 2
                nodes.append((begin, nodes[-1][1]))
        value = float(ordered[low])
        nodes += [(begin, value), (low + size, value)]
        end = low + size
    ranks, values = np.array(nodes).T
    return ranks / n, values


def _with_coded_ends(ordered: np.ndarray, luck: Luck) -> np.ndarray:
    """The same numbers, those of the outermost records at a border that is nobody's."""
    n = len(ordered)
    behind = min(EXTREMES, n // 2)
    if behind == 0:
        return ordered
    low, high = _edges(ordered, np.array([behind, n - behind]), luck)
    return np.clip(ordered, low, high)


def _edges(ordered: np.ndarray, ranks: np.ndarray, luck: Luck) -> np.ndarray:
    """Values between the numbers before and behind ranks."""
    low, high = _BORDER
    share = np.full(len(ranks), 0.5) if luck is None else low + (high - low) * luck(ranks)
    before, behind = ordered[ranks - 1], ordered[ranks]
    return before + share * (behind - before)


def _cut(first: np.ndarray, high: int, in_cell: int) -> list[int]:
    """Ranks at which cells begin, of as equal sizes as whole values let them be.

    Parameters
    ----------
    first : (d,) int array
        Ranks of the first of each different number, of which cells are made.
    high : int
        The rank behind the last of them.
    in_cell : int
        Fewest records of a cell; one holds all where there are fewer.
    """
    low = int(first[0])
    begins, parts = [low], max(1, (high - low) // in_cell)
    for number in range(1, parts):
        aim = low + (high - low) * number / parts
        at = int(np.searchsorted(first, max(aim, begins[-1] + in_cell)))
        some = first[max(at - 1, 0) : at + 1]
        some = some[(some - begins[-1] >= in_cell) & (high - some >= in_cell)]
        if len(some):
            begins.append(int(some[np.argmin(np.abs(some - aim))]))
    return begins


def _cells(
    ordered: np.ndarray, edges: list[int], inward: tuple[int, ...], luck: Luck
) -> list[tuple[float, float]]:
    """Nodes of cells: where each begins and ends, and its middle, by which it has about its mean.

    Parameters
    ----------
    ordered : (n,) array
    edges : list of int
        Ranks at which cells begin, and that behind the last one.
    inward : tuple of two int
        By how many records the outer borders lie inward.
    luck : callable, optional
    """
    ranks = np.array(edges)
    ranks[0] += inward[0]
    ranks[-1] -= inward[1]
    ends = _edges(ordered, ranks, luck).tolist()
    nodes = []
    for low, high, left, right in zip(edges, edges[1:], ends, ends[1:]):
        off = _OFF_EDGE * (right - left)
        middle = 2 * float(ordered[low:high].mean()) - (left + right) / 2
        middle = min(max(middle, left + off), right - off)
        nodes.append((float(low), left))
        if luck is None or high - low > _BY_CHANCE:
            nodes.append(((low + high) / 2, middle))
        else:
            every = np.arange(low, high)
            values = _drawn(ordered, every, (left, middle, right), luck)
            nodes += list(zip((every + 0.5).tolist(), values.tolist()))
        nodes.append((float(high), right))
    return nodes


def _drawn(
    ordered: np.ndarray,
    ranks: np.ndarray,
    line: tuple[float, float, float],
    luck: Callable[[np.ndarray], np.ndarray],
) -> np.ndarray:
    """Put the records of a cell by chance; again, where they are farther from its own than the ends are."""
    n, own = len(ordered), ordered[ranks]
    # Of the whole number: what goes by steps is rounded to them when it is released.
    steps = np.diff(ordered[EXTREMES:-EXTREMES])
    step = float(steps[steps > _SAME].min(initial=np.inf))
    for again in range(_AGAIN):
        drawn = np.sort(luck(n * (1 + again) + ranks))
        values = np.interp(drawn, [0.0, 0.5, 1.0], line)
        rounded = own[0] + step * np.rint((values - own[0]) / step) if np.isfinite(step) else values
        if _apart(own, rounded) <= max(EXTREMES, n // 100):
            break
    return values


def _apart(one: np.ndarray, two: np.ndarray) -> int:
    """How many more of one sorted series than of the other are up to some number, at the most."""
    at = np.concatenate([one, two]) + _SAME
    up_to = (np.searchsorted(each, at, side="right") for each in (one, two))
    return int(np.abs(np.subtract(*up_to)).max())
