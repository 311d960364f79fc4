# SPDX-License-Identifier: GPL-2.0-or-later
"""Anonymised places that lie where people live, without anybody's own place.

What a spectral method returns has the means, variances and correlation of the original coordinates:
one cloud, whatever towns there are. Each coordinate fitted by itself would make towns where the
columns of one cross the rows of another. So the plane is cut into cells of ten originals or more
(a k-d tree, Bentley 1975), and the released records, cut in the same order by their ranks, get as
many into each: who was in the north-west of the cloud is in the north-west of the people. Within
a cell chance spreads them: where in it people live is told by its borders and by the mean. Three
originals are farther out on each side than any released place can be, as with numbers
(:mod:`.smoothing`). To give each coordinate the original's distribution to the last records as well
took its price: of 500 people one field then singled out 1.8 % beyond the control instead of 1.3 (of
places as they were 0.8; 16 files), two fields 0.7 % instead of none.

The fit is our own; nobody's fields are looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Optional

import numpy as np

from .smoothing import EXTREMES, OFF_EDGE, values_between

#: Fewest originals of a cell, and most cells.
_FEWEST, _MOST = 10, 1_000
#: Share of a cell's people on either side of a cut at the least: so much may it follow a gap.
_EITHER_SIDE = 0.25
#: Times that a place is put by chance, if it may not lie there.
_TRIES = 20
#: Where random numbers of ends, and those of further tries, begin: apart from all records'.
_OF_ENDS, _OF_TRY = 2**41, 2**42

#: Numbers between 0 and 1 of (b,) rows, (b, 2), always the same ones.
Luck = Callable[[np.ndarray], np.ndarray]
#: Says which (b, 2) places are allowed.
Allowed = Optional[Callable[[np.ndarray], np.ndarray]]
#: Gives (b, 2) records in the place of (b,) rows their places.
Again = Callable[[np.ndarray, np.ndarray], np.ndarray]


def fitted_places(
    places: np.ndarray, original: np.ndarray, luck: Luck, allowed: Allowed = None
) -> tuple[np.ndarray, Again]:
    """Put released places where originals are.

    Parameters
    ----------
    places : (r, 2) array
        Released places as they were.
    original : (n, 2) array
    luck : callable
    allowed : callable, optional
        Places that are not allowed are put again in their cells; the last of twenty stays.

    Returns
    -------
    result : (r, 2) array
    again : callable
        Puts others by the same cells, each by its own chance alone.
    """
    grown = _Cells(places, original, luck)

    def kept(cells: np.ndarray, result: np.ndarray, rows: np.ndarray) -> np.ndarray:
        if allowed is None:
            return result
        left = np.arange(len(result))
        for number in range(1, _TRIES):
            left = left[~np.asarray(allowed(result[left]), dtype=bool)]
            if not len(left):
                break
            drawn = luck(number * _OF_TRY + rows[left])
            result[left] = grown.at(cells[left], drawn)
        return result

    def again(some: np.ndarray, rows: np.ndarray) -> np.ndarray:
        cells = grown.of(some)
        return kept(cells, grown.at(cells, luck(rows)), rows)

    cells, rows = grown.of(places), np.arange(len(places))
    return kept(cells, grown.at(cells, _evenly(cells, luck(rows))), rows), again


@dataclass(frozen=True)
class _Cut:
    """Where a cell is cut, of released places as they were; a number is that of a cell."""

    axis: int
    border: float
    below: _Cut | int
    above: _Cut | int


class _Cells:
    """Cells of originals, and which released places belong to each."""

    def __init__(self, places: np.ndarray, original: np.ndarray, luck: Luck):
        ends = [_ends(original[:, axis], _of_axis(luck, _OF_ENDS, axis)) for axis in (0, 1)]
        self._ends = np.array(ends).T
        lines: list[tuple[np.ndarray, ...]] = []
        fewest = max(_FEWEST, -(-len(original) // _MOST))
        self._cut = self._grown(places, original, fewest, lines)
        self._low, self._middle, self._high = np.array(lines).transpose(1, 0, 2)

    def of(self, places: np.ndarray) -> np.ndarray:
        """Which cell each place belongs to, ``(b,)``."""
        cells = np.empty(len(places), dtype=np.intp)
        left = [(self._cut, np.arange(len(places)))]
        while left:
            cut, some = left.pop()
            if isinstance(cut, int):
                cells[some] = cut
            elif len(some):
                below = places[some, cut.axis] < cut.border
                left += [(cut.below, some[below]), (cut.above, some[~below])]
        return cells

    def at(self, cells: np.ndarray, share: np.ndarray) -> np.ndarray:
        """Places in cells, behind a share of each one's people, ``(b, 2)``."""
        low, middle, high = self._low[cells], self._middle[cells], self._high[cells]
        return np.where(
            share < 0.5,
            low + 2 * share * (middle - low),
            middle + (2 * share - 1) * (high - middle),
        )

    def _grown(self, places, original, fewest, lines) -> _Cut | int:
        found = _widest_gap(original, fewest)
        if found is None:
            low, high = (np.clip(end, *self._ends) for end in (original.min(0), original.max(0)))
            off = OFF_EDGE * (high - low)
            middle = np.clip(2 * original.mean(axis=0) - (low + high) / 2, low + off, high - off)
            lines.append((low, middle, high))
            return len(lines) - 1
        axis, border, share = found
        upto = _value_at(places[:, axis], share)
        theirs, ours = original[:, axis] < border, places[:, axis] < upto
        below = self._grown(places[ours], original[theirs], fewest, lines)
        return _Cut(axis, upto, below, self._grown(places[~ours], original[~theirs], fewest, lines))


def _of_axis(luck: Luck, first: int, axis: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda at: luck(first + at)[:, axis]


def _ends(values: np.ndarray, luck: Callable[[np.ndarray], np.ndarray]) -> tuple[float, float]:
    """Between the outermost originals of one axis and the next ones."""
    behind = min(EXTREMES, len(values) // 2)
    if not behind:
        return float(values[0]), float(values[0])
    ranks = np.array([behind, len(values) - behind])
    low, high = values_between(np.sort(values), ranks, luck)
    return float(low), float(high)


def _widest_gap(original: np.ndarray, fewest: int) -> tuple[int, float, float] | None:
    """Where to cut a cell: the axis, the value, and the share of its people below; None for nowhere."""
    count = len(original)
    low = max(fewest, int(_EITHER_SIDE * count))
    if count < 2 * low:
        return None
    for axis in np.argsort(-np.ptp(original, axis=0)).tolist():
        values = np.sort(original[:, axis])[low - 1 : count - low + 1]
        gaps = np.diff(values)
        at = int(gaps.argmax())
        if gaps[at] > 0:
            return axis, float(values[at] + values[at + 1]) / 2, (low + at) / count
    return None


def _value_at(values: np.ndarray, share: float) -> float:
    """A value below which a share of some values is."""
    at = int(round(share * len(values)))
    if at in (0, len(values)):
        return -np.inf if at == 0 else np.inf
    return float(np.partition(values, (at - 1, at))[at - 1 : at + 1].mean())


def _evenly(cells: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Shares in the same order within each cell, one of each ``(count,)``-th part of it."""
    count = np.bincount(cells)
    first = (np.cumsum(count) - count)[cells]
    result = np.empty_like(share)
    for axis in (0, 1):
        order = np.lexsort((share[:, axis], cells))
        rank = np.empty(len(order))
        rank[order] = np.arange(len(order))
        # Whoever is the third of ten by his number is somewhere in the third tenth by the other's.
        result[:, axis] = (rank - first + share[:, 1 - axis]) / count[cells]
    return result
