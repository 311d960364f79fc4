# SPDX-License-Identifier: GPL-2.0-or-later
"""A release in other units than the originals: who compares them takes it back first.

Pounds for kilograms, degrees Fahrenheit, or values with a secret constant added are far from the
originals and hide nobody: their order is the same, and what lies between them in proportion. Ranks
and logarithms keep the order alone, which is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ..runtime.progress import Progress, interruptible, silent
from .observations import between_quartiles
from .variables import BLANK

#: Different values below which any release may lie on a line, below which none is mirrored, and below which
#: values of many kinds are no classes of them.
_FEWEST, _FEW, _CLASSES = 20, 5, 3
#: Different values in the middle of a column, at most, whose sums and differences with the released are
#: counted; the share of all that one constant explains at least, and how much less it leaves than any other.
_MIDDLE, _EXPLAINED, _CLEARLY = 400, 0.5, 0.55
#: Share of the standard deviation by which values in other units miss a line: they are rounded.
#: Another sample of as many people misses it by a hundred times as much.
_ON_A_LINE = 1e-3
#: Times what lies between the quartiles beyond which a standard deviation is one of a few huge values.
_USUAL = 100.0
#: Largest difference of two distributions that is another unit, and the largest that is left of it
#: in the same one; or so many times what samples of as many people differ by.
_OTHER, _ALIKE = (0.2, 2.5), (0.06, 1.6)
#: Parts of the originals in order whose means stand for what is as high.
_KNOTS = 100
#: Standard deviations from which on columns surely go against each other.
_SURE = 3.0


def in_units_of(
    original: np.ndarray,
    released: np.ndarray,
    progress: Progress = silent,
    places: Sequence[int] = (),
) -> np.ndarray:
    """Return a release with those columns taken back that are the originals' in other units.

    Parameters
    ----------
    original, released : (n, m), (p, m) arrays
    places : sequence of int
        Columns of coordinates, of which only the very same values are taken back: who lives
        together makes two samples of places as unlike as other units would. What all places share
        is told by both coordinates; see :mod:`.attacks.laid_back`.

    Returns
    -------
    (p, m) array
        The release itself where no column is. Of as many records as there are originals a column
        is, if its values in order lie on a line over those of the original in order or in reverse,
        and on another one than equality: then it has the original's values. Of any other number it
        is, if one constant added to its values, or from which they are taken, makes originals of
        most; if it goes down where the original goes up with other columns, and is distributed like
        its mirror; or if it has quite another distribution, and the same one with the original's
        mean and variance: these it has then. Where that is another one, too, as of ranks, percentiles
        and numbers of classes, each value is as high as originals of its rank are, from the end that
        fits the other columns; between them, not the very value of one, which nobody released.
    """
    if original.shape[1] != released.shape[1] or min(len(original), len(released)) < _FEWEST:
        return released
    result = released
    columns = original.shape[1]
    for at in range(columns):
        taken_back = interruptible(
            partial(_but_blanks, original, result, at, at in places), progress, at / columns
        )
        if taken_back is not None:
            if result is released:
                result = released.copy()
            result[:, at] = taken_back
    return result


def _but_blanks(
    original: np.ndarray, released: np.ndarray, at: int, only_exact: bool
) -> np.ndarray | None:
    """The same with blanks left as they are: they are at the original's mean in any unit."""
    there = released[:, at] != BLANK
    if there.all():
        return _taken_back(original, released, at, only_exact)
    made = _taken_back(original, released[there], at, only_exact)
    if made is None:
        return None
    column = released[:, at].copy()
    column[there] = made
    return column


def _taken_back(
    original: np.ndarray, released: np.ndarray, at: int, only_exact: bool
) -> np.ndarray | None:
    """Values of the original in the places of a released column; None where it is no such."""
    column, own = released[:, at], original[:, at]
    with np.errstate(all="ignore"):  # what no number holds is on no line
        if len(original) == len(released):
            exact = _on_a_line(own, column)
            if exact is not None:
                return exact
        if only_exact or not np.isfinite(own).all() or not np.isfinite(released).all():
            return None
        here, there = (len(np.unique(one)) for one in (own, column))
        if here < _FEW or there < (_CLASSES if here >= _FEWEST else _FEW):
            return None
        if min(here, there) >= _FEWEST:
            by_one = _by_one_constant(own, column)
            if by_one is not None:
                return by_one[0] * column + by_one[1]
        return _of_another_shape(original, released, at, here >= _FEWEST)


def _by_one_constant(own: np.ndarray, theirs: np.ndarray) -> tuple[float, float] | None:
    """Sign and constant that make originals of most values; None where another does nearly as well.

    Who released 100 less each value, or each value and a constant, kept how often each occurs; of
    other people's values the next best constant makes about as many.
    """
    (some, often), (others, as_often) = _middle(own), _middle(theirs)
    every = float(min(often.sum(), as_often.sum()))
    found = []
    for sign in (1.0, -1.0):
        sums = np.subtract.outer(some, sign * others).ravel()
        largest = float(np.abs(sums).max())
        if not 0 < largest < np.inf:
            return None
        sums = np.round(sums, 9 - int(np.ceil(np.log10(largest))))  # nine digits
        order = np.argsort(sums)
        sums = sums[order]
        starts = np.flatnonzero(np.append(True, sums[1:] != sums[:-1]))
        made = np.add.reduceat(np.minimum.outer(often, as_often).ravel()[order], starts) / every
        found += [(float(made[at]), sign, float(sums[starts[at]])) for at in np.argsort(-made)[:2]]
    (share, sign, constant), (next_share, *_) = sorted(found, reverse=True)[:2]
    if share < _EXPLAINED or 1 - share > _CLEARLY * (1 - next_share):
        return None
    if sign > 0 and abs(constant) <= _ON_A_LINE * own.std():
        return None
    return sign, constant


def _middle(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As many different values as are looked at around the median, and how often each occurs."""
    kinds, often = np.unique(values, return_counts=True)
    half = int(np.searchsorted(np.cumsum(often), len(values) / 2))
    some = slice(max(0, half - _MIDDLE // 2), half + _MIDDLE // 2)
    return kinds[some], often[some]


def _of_another_shape(
    original: np.ndarray, released: np.ndarray, at: int, many: bool
) -> np.ndarray | None:
    """Mirror what goes down for up, move and stretch what differs in these, and take other's ranks.

    Of columns of few values it is only asked whether they are mirrored.
    """
    column = released[:, at]
    own, theirs = np.sort(original[:, at]), np.sort(column)
    by_chance = np.sqrt(1 / len(own) + 1 / len(theirs))
    alike = max(_ALIKE[0], _ALIKE[1] * by_chance)
    differs = _apart(own, theirs) > max(_OTHER[0], _OTHER[1] * by_chance)
    if not (many and differs):
        middle = _mirrored_about(own, theirs)
        if _apart(own, middle - theirs[::-1]) <= alike and _is_reversed(original, released, at):
            return middle - column
        return None
    ways = (-1.0,) if _is_reversed(original, released, at) else (1.0, -1.0)
    for sign in ways:
        slope = sign * own.std() / theirs.std()
        back = (column - theirs.mean()) * slope + own.mean()
        if _apart(own, np.sort(back)) <= alike:
            return back
    return _by_rank(own, ways[0] * column)


def _mirrored_about(own: np.ndarray, theirs: np.ndarray) -> float:
    """Sum of a value and its mirror; both sorted."""
    share = (np.arange(101) + 0.5) / 101
    low, high = (share * len(own)).astype(np.int64), ((1 - share) * len(theirs)).astype(np.int64)
    return float(np.sort(own[low] + theirs[high])[50])


def _by_rank(own: np.ndarray, column: np.ndarray) -> np.ndarray:
    """Values about as high as those of the same rank: by so few of them that none is shown."""
    _, kind, count = np.unique(column, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - count / 2) / len(column)
    knots = min(_KNOTS, len(own) // 3)
    share = (np.arange(knots) + 0.5) / knots
    means = [some.mean() for some in np.array_split(own, knots)]
    return np.interp(rank, share, means)[kind.reshape(-1)]


def _is_reversed(original: np.ndarray, released: np.ndarray, at: int) -> bool:
    """Tell whether a column goes down where others go up, which go up together in the original."""
    own = _together(original, at)
    return bool(own @ _together(released, at) < -_SURE * np.sqrt(own @ own / len(released)))


def _together(matrix: np.ndarray, at: int) -> np.ndarray:
    """Correlations of a column's ranks with the other columns; 0 with what is the same for all."""
    ranks = np.argsort(np.argsort(matrix[:, at], kind="stable"), kind="stable")
    off = matrix - matrix.mean(axis=0)
    scale = ranks.std() * off.std(axis=0) * len(off)
    found = (ranks - ranks.mean()) @ off / np.where(scale > 0, scale, np.inf)
    found[at] = 0.0
    return found


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    """Largest difference of two cumulative distributions; both sorted."""
    every = np.concatenate([one, other])
    shares = [np.searchsorted(some, every, side="right") / len(some) for some in (one, other)]
    return float(np.abs(shares[0] - shares[1]).max())


def _on_a_line(original: np.ndarray, released: np.ndarray) -> np.ndarray | None:
    own, order = np.sort(original), np.argsort(released, kind="stable")
    theirs = released[order]
    if not np.isfinite(own).all() or not np.isfinite(theirs).all():
        return None
    kinds, others = np.unique(own), np.unique(theirs)
    if min(len(kinds), len(others)) < _FEWEST:
        return None
    # Two huge values are on a line by themselves, and all else is near it beside them.
    most, least = (
        _ON_A_LINE * min(float(one.std()), _USUAL * between_quartiles(each))
        for one, each in ((own, kinds), (theirs, others))
    )
    if np.abs(theirs - own).max() <= most:
        return None
    for these in (own, own[::-1]):
        off, away = these - these.mean(), theirs - theirs.mean()
        missed = np.abs(off * (off @ away / (off @ off)) - away).max()
        if missed <= least:
            result = np.empty(len(released))
            result[order] = these
            return result
    return None
