# SPDX-License-Identifier: GPL-2.0-or-later
"""The distribution of a number, smoothed: neither a person's value is in it nor who is in the file.

Two things would be told by an exact map of ranks. The first are values: each original number would come
back, the extremes of a single person among them. The second is who is in the file: a file's own
distribution differs from that of the population by about 1 / sqrt(n), towards the values that its people
have. Somebody's values are then a little commoner in the release than among other people, in each field,
and over all fields this adds up: Homer et al. (2008) found so by the frequencies of many genes who was in
a study. Let the release follow the file in k numbers (the counts of k classes, say, of all fields
together). Then the sum of log ratios is higher by sqrt(k / n) standard deviations, of the people of the
file, than of others. Hence k may not grow with the fields, nor be more than a small share of n.

So the sorted numbers are cut into cells, the larger the more fields of numbers there are: of
:data:`_FOR_EACH` records for each field, so that all fields together have about one border for six
records. A score that a twentieth of others have is then had by a tenth of the people (n / 6 numbers: 11 %
at the most). Only borders are the original's. Between them runs a smooth curve, to which the single
records of a cell add nothing. As incomes have long tails, it is drawn over the log odds of ranks, and
cells are somewhat narrower towards the ends: so it bends as numbers commonly do, even in large cells.
Fewer than :data:`_FEWEST` cells would have the shape of no field; so of few records with many fields
(fewer than 18 for each) more may be told than the rule allows.

The price is that distributions are not the file's own, but differ from it by about 1.5 / sqrt(cells * n),
which of 24 cells is a quarter of what fresh samples differ by: of 2,000 people with 14 fields of numbers
by less than .01, of 500 with eight by .02 to .03. In three or four cells a shape is only roughly kept:
numbers of which all are as frequent differ by up to .12. What is nearer tells who is in the file. Where that
is no secret, of a register of everybody, ``fields`` is 0: then cells are of five records (of large files of
a 125th), and chance puts the records of a cell again where more of them than at the ends would lie on the
other side of some number.

A value that stands out (zeros of those without an income, round numbers) stays a value of its own, with
its share, and so does each of few different values, as levels do. Of many that go by steps (ages) only
those do that fill a cell, or the shares of all ages would be told. Shares of levels and categories are
the file's own: they are numbers that are told, too, and not counted here.

Ends need a rule of their own. Let M originals be larger than the largest released number. If M is 1, "at
least as large as the largest released" is true of one person in the file, who is singled out; if none is
larger, the number is that person's own, or lies outside the range. So nobody is singled out from M = 2
on, and we take 3 (:data:`EXTREMES`).

Where people have several records, all of this is counted in people: cells hold as many times more records
as somebody has on average, three people lie beyond either end, and a value that one has in all of her
records is not one that many have.

Were records of small files spaced evenly along the curve, about as many as its share would have each
value of those that go by steps, unlike in any sample. So chance puts them, five at a time.

References
----------
Homer et al. (2008), Resolving individuals contributing trace amounts of DNA to highly complex mixtures
using high-density SNP genotyping microarrays, PLoS Genetics 4: e1000167.
Fritsch & Carlson (1980), Monotone piecewise cubic interpolation, SIAM Journal on Numerical Analysis 17:
238-246.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Optional

import numpy as np

#: Records at either end of a number whose values are not told apart.
EXTREMES = 3
#: Fewest records of a cell; records for each field of numbers in the release; fewest cells, and most.
IN_CELL, _FOR_EACH, _FEWEST, _CELLS = 5, 6, 3, 125
#: A value stands out that more have than have a typical one, by so many standard deviations; of no
#: more different values each is a level.
_STANDS_OUT, _LEVELS = 6, 10
#: Of no more records chance puts them along the curve; of many it makes no difference.
_BY_CHANCE = 1_000
#: Straight pieces of the curve of a cell.
_PIECES = 8
#: Where borders lie between two numbers: not in the middle, or one would tell the other.
_BORDER = 0.25, 0.75
#: How far cells are of one size, as a share; for the rest they are narrower towards the ends.
_EVENLY = 0.75
#: Records of a cell, as a share, that are thought beyond the ends where log odds are taken: without
#: them, numbers that end suddenly (of all ages as many) would be drawn as if they had long tails.
_BEYOND = 0.05
#: Times that records are put by chance, at the most, and what is the same number, in the unit of a
#: coded column, where distributions are kept closely.
_AGAIN, _SAME = 30, 1e-9
#: Says of (b,) ranks numbers between 0 and 1, always the same ones; None for no chance.
Luck = Optional[Callable[[np.ndarray], np.ndarray]]


def fitted_numbers(
    values: np.ndarray,
    original: np.ndarray,
    luck: Luck = None,
    fields: int = 1,
    whose: np.ndarray | None = None,
) -> np.ndarray:
    """Give numbers the distribution of others, smoothed; their order stays.

    A value that stands out, or that many have (as many as a cell of the distribution has), is a value
    of its own, so that zeros stay zeros; the few between two of those have the one or the other. What
    else lies between is cut into cells. The three largest numbers, and the three smallest, become a
    number between these and the next one (:data:`EXTREMES`): the largest income of all is one person's.

    Parameters
    ----------
    values : (r,) array
        Equal ones stay equal.
    original : (n,) array
    luck : callable, optional
        Draws where borders between two numbers lie, and records within a cell. Without, they lie in
        the middle and evenly, which is for levels: of these no other borders would do.
    fields : int
        Fields of numbers that are released, this one among them: the more, the larger are its cells.
        0 keeps the distribution closely, whoever is told by it.
    whose : (n,) int array, optional
        The person of each original, where people have several.

    Returns
    -------
    (r,) array
        Nowhere beyond the original's range.
    """
    return map_of(values, original, luck, fields, whose)(values)


def map_of(
    values: np.ndarray,
    original: np.ndarray,
    luck: Luck = None,
    fields: int = 1,
    whose: np.ndarray | None = None,
) -> Callable[[np.ndarray], np.ndarray]:
    """Return the map of :func:`fitted_numbers`, for other numbers, too."""
    order = np.argsort(original, kind="stable")
    at, level = smoothed(original[order], luck, fields, None if whose is None else whose[order])
    different, count = np.unique(values, return_counts=True)
    rank = (np.cumsum(count) - count / 2) / len(values)
    return lambda some: np.interp(np.interp(some, different, rank), at, level)


def smoothed(
    ordered: np.ndarray, luck: Luck = None, fields: int = 1, whose: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Nodes of the smoothed quantile function of sorted numbers: ranks, as shares, and values."""
    n = len(ordered)
    each = 1.0 if whose is None else n / len(np.unique(whose))  # records of a person
    least = math.ceil(IN_CELL * each)
    fewest = max(least, -(-n // _CELLS))
    in_cell = max(fewest, min(math.ceil(_FOR_EACH * fields * each), n // _FEWEST))
    ends = _ends(n, whose)
    ordered = _with_coded_ends(ordered, ends, luck)
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    count = np.diff(np.append(first, n))
    heap = _heaps(count if whose is None else each * _people(first, whose), fewest, in_cell)
    inner = heap.copy()
    heap[[0, -1]] = True
    heaps = np.flatnonzero(heap)
    # of the whole: beside a value that stands out among others, numbers are not rarer, as at the ends
    low, high = (int(first[1]) if len(first) > 1 else 0), int(first[-1])
    odds = partial(_log_odds, low, high, max(ends) + _BEYOND * in_cell)
    nodes: list[tuple[float, float]] = []
    end = 0.0  # of the heap before
    for number, (low, size) in enumerate(zip(first[heaps].tolist(), count[heaps].tolist())):
        begin = float(low)
        if number:
            before = int(end)
            own = (1, 1) if whose is None else _first_and_last(whose[before:low])
            if low - before >= max(least, sum(own) + 1):
                between = first[heaps[number - 1] + 1 : heaps[number]]
                # into a gap beside a heap, of incomes beside none, nobody is put
                inward = tuple(
                    one * int(inner[heaps[at]]) for one, at in zip(own, (number - 1, number))
                )
                # no border within the records of the first one, or of the last
                inner_edges = [
                    one
                    for one in _cut(between, low, in_cell, least)[1:]
                    if before + inward[0] < one < low - inward[1]
                ]
                cut = [before, *inner_edges, low]
                nodes += _cells(ordered, cut, inward, odds, luck, 0 if fields else max(ends))
            else:  # some have the one value, some the other
                begin = (before + low) / 2
                nodes.append((begin, nodes[-1][1]))
        value = float(ordered[low])
        nodes += [(begin, value), (low + size, value)]
        end = low + size
    ranks, values = np.array(nodes).T
    return ranks / n, values


def _heaps(count: np.ndarray, fewest: int, in_cell: int) -> np.ndarray:
    """Which values stay values of their own, by how many records have each.

    Parameters
    ----------
    count : (d,) array
        Records with each, as many as people have on average, in the order of the values.
    fewest, in_cell : int
        Records that a value of its own has at the least, and of a cell.

    Returns
    -------
    (d,) bool array
    """
    full = count >= (fewest if len(count) <= _LEVELS else in_cell)
    others = np.sort(count[~full])
    if not len(others):
        return full
    had = np.cumsum(others)
    typical = float(others[np.searchsorted(had, had[-1] / 2)])  # half of the records' have no more
    return full | (count >= max(fewest, typical + _STANDS_OUT * typical**0.5))


def _ends(n: int, whose: np.ndarray | None) -> tuple[int, int]:
    """Records at either end whose values are not told apart: all those of the outermost people."""
    if whose is None:
        return min(EXTREMES, n // 2), min(EXTREMES, n // 2)
    first, last = (np.sort(np.unique(one, return_index=True)[1]) for one in (whose, whose[::-1]))
    if len(first) < 2:  # there is nobody to hide her from
        return _ends(n, None)
    people = min(EXTREMES, len(first) // 2)
    # up to where one more person begins; the first person of all begins at none
    return min(int(first[people]), n // 2), min(int(last[people]), n // 2)


def _first_and_last(whose: np.ndarray) -> tuple[int, int]:
    """How many of the first records are one person's, and of the last."""
    first, last = (np.flatnonzero(some != some[:1]) for some in (whose, whose[::-1]))
    return (int(first[0]), int(last[0])) if len(first) else (len(whose), 0)


def _people(first: np.ndarray, whose: np.ndarray) -> np.ndarray:
    """How many people have each value, by the ranks of the first records that have it."""
    value = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(whose))))
    pairs = np.unique(value * (int(whose.max()) + 1) + whose)
    return np.bincount(pairs // (int(whose.max()) + 1), minlength=len(first))


def _with_coded_ends(ordered: np.ndarray, ends: tuple[int, int], luck: Luck) -> np.ndarray:
    """The same numbers, those of the outermost records at a border that is nobody's."""
    if min(ends) == 0:
        return ordered
    low, high = _edges(ordered, np.array([ends[0], len(ordered) - ends[1]]), luck)
    return np.clip(ordered, low, high)


def _edges(ordered: np.ndarray, ranks: np.ndarray, luck: Luck) -> np.ndarray:
    """Values between the numbers before and behind ranks."""
    low, high = _BORDER
    share = np.full(len(ranks), 0.5) if luck is None else low + (high - low) * luck(ranks)
    before, behind = ordered[ranks - 1], ordered[ranks]
    return before + share * (behind - before)


def _cut(first: np.ndarray, high: int, in_cell: int, least: int) -> list[int]:
    """Ranks at which cells begin, narrower towards the ends, as far as whole values let them be.

    Parameters
    ----------
    first : (d,) int array
        Ranks of the first of each different number, of which cells are made.
    high : int
        The rank behind the last of them.
    in_cell : int
        About the records of a cell; one holds all where there are fewer.
    least : int
        Records of a cell at the least.
    """
    low = int(first[0])
    begins, parts = [low], max(1, round((high - low) / in_cell))
    for at in np.arange(1, parts) / parts:
        aim = low + (high - low) * (_EVENLY * at + (1 - _EVENLY) * np.sin(np.pi * at / 2) ** 2)
        near = int(np.searchsorted(first, max(aim, begins[-1] + least)))
        some = first[max(near - 1, 0) : near + 1]
        some = some[(some - begins[-1] >= least) & (high - some >= least)]
        if len(some):
            begins.append(int(some[np.argmin(np.abs(some - aim))]))
    return begins


def _cells(
    ordered: np.ndarray,
    edges: list[int],
    inward: tuple[int, ...],
    odds: Callable[[np.ndarray], np.ndarray],
    luck: Luck,
    closely: int,
) -> list[tuple[float, float]]:
    """Nodes of cells: of a smooth curve through their borders.

    Parameters
    ----------
    ordered : (n,) array
    edges : list of int
        Ranks at which cells begin, and that behind the last one.
    inward : tuple of two int
        By how many records the outer borders lie inward.
    odds : callable
        Log odds of ranks.
    luck : callable, optional
    closely : int
        Records at either end: those within are put by chance until they are as near to the original's;
        0 puts them once.
    """
    ranks = np.array(edges)
    ranks[0] += inward[0]
    ranks[-1] -= inward[1]
    borders = _edges(ordered, ranks, luck)
    low, high = edges[0], edges[-1]
    curve = partial(_curve, odds(np.array(edges)), borders)
    if luck is None or high - low > _BY_CHANCE:
        pieces = (len(edges) - 1) * _PIECES
        at = np.interp(np.arange(1, pieces) / _PIECES, np.arange(len(edges)), edges)
        values = curve(odds(at))
    else:
        every = np.arange(low, high)
        begin = every - (every - low) % IN_CELL
        at, again = every + 0.5, np.ones(len(every), dtype=bool)
        drawn, values = np.empty((2, len(every)))
        for number in range(1, 1 + _AGAIN):
            put = begin + np.minimum(IN_CELL, high - begin) * luck(number * len(ordered) + every)
            drawn = np.sort(np.where(again, put, drawn))
            values = curve(odds(drawn))
            if not closely:
                break
            again = np.isin(begin, begin[_astray(ordered, every, values, closely)])
            if not again.any():
                break
    inner = zip(at.tolist(), values.tolist())
    return [(float(low), float(borders[0])), *inner, (float(high), float(borders[-1]))]


def _log_odds(low: int, high: int, beyond: float, ranks: np.ndarray) -> np.ndarray:
    """Of ranks from the least value of all to the largest, with records thought beyond either."""
    return np.log(ranks - low + beyond) - np.log(high - ranks + beyond)


def _astray(ordered: np.ndarray, ranks: np.ndarray, values: np.ndarray, ends: int) -> np.ndarray:
    """Which of the values put at ranks are farther from the original's than the ends are, in records.

    Parameters
    ----------
    ordered : (n,) array
    ranks : (b,) int array
        Subsequent ones.
    values : (b,) array
        Ascending.
    ends : int
        Records at either end, at the most.

    Returns
    -------
    (b,) bool array
    """
    own = ordered[ranks]
    # what goes by steps is rounded to them when it is released
    steps = np.diff(ordered[ends : len(ordered) - ends])
    step = float(steps[steps > _SAME].min(initial=np.inf))
    if np.isfinite(step):
        values = own[0] + step * np.rint((values - own[0]) / step)
    most = max(ends, len(ordered) // 100)
    below = np.searchsorted(own, values - _SAME)
    up_to = np.searchsorted(own, values + _SAME, side="right")
    # of the released up to a value, and of those below it
    return (np.searchsorted(values, values + _SAME, side="right") - up_to > most) | (
        below - np.searchsorted(values, values - _SAME) > most
    )


def _curve(x: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
    """A smooth curve through points that rises as they do (Fritsch & Carlson 1980)."""
    from scipy.interpolate import PchipInterpolator

    return PchipInterpolator(x, y)(at)
