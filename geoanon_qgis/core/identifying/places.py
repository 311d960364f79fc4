# SPDX-License-Identifier: GPL-2.0-or-later
"""Attributes that follow the place: names of areas, distances, heights, coordinates in disguise.

Three questions, each asked of a sample of records and all records around them, with one record
taken at each place so that what a household shares does not count:

- Do the nearest others have the same value? The share of those who could and do, corrected for
  chance, is 1 where the values are areas on a map and about 0 where they are drawn at random.
- Do records with one value lie nearer to each other than to others? A value that many areas
  share in parts (the trust that runs a hospital) is found by this, though neighbours differ.
- Can a number be told from the numbers of its nearest others, by their mean or by a plane?

Limits were chosen on fields whose meaning is known. Counties, cities, wards, districts and
catchments had 0.79 to 1 in the first or 0.86 to 0.99 in the second; sex, age, causes of death and
of fires, room and species types, prices and the like at most 0.48 and 0.63. Distances to a river
or a centre and coordinates had 0.91 to 1 in the third, prices and soil measures at most 0.86.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..runtime.progress import Progress, interruptible, silent
from ..space.points import build_tree
from .columns import CodedColumn
from .reasons import FOLLOWS_COORDINATE, FOLLOWS_PLACE, LIES_TOGETHER, NAMES_AREAS

#: Chance-corrected share of nearest others with the same value; share of comparisons in which a
#: record of the same value lies nearer than any other one; share of the variance explained.
AREAS, TOGETHER, EXPLAINED = 0.75, 0.8, 0.9
#: Share of a column's variance that a plane through all coordinates explains.
_PLANE = 0.998
#: Fewer records than this follow a coordinate, or have another value than most and lie together,
#: by accident; fewer places, or fewer with another of their value, tell nothing of neighbours.
_ENOUGH, _PLACES = 10, 20
#: Places that are asked about, and with how many others each is compared.
_ASKED, _OTHERS = 2_000, 500
#: Values that a field needs so that those beside the commonest can name areas: a rare disease
#: that clusters names none.
_VALUES = 4
#: Of more records than these twice over, neighbours are looked for in so many windows of so many.
_WINDOWS, _IN_WINDOW = 16, 1_500
#: Nearest others whose values are compared, and those that a plane is laid through.
_NEAREST, _AROUND = 3, 10


class Surroundings:
    """Where the records lie, for questions about their attributes.

    Parameters
    ----------
    xy : (r, 2) array
        Finite coordinates, in any system.
    rows : (r,) int array, optional
        Rows of the columns that lie there; by default all.
    """

    def __init__(self, xy: np.ndarray, rows: np.ndarray | None = None, progress: Progress = silent):
        self._of = slice(None) if rows is None else rows
        self._xy = np.ascontiguousarray(xy, dtype=np.float64)
        self._progress = progress

    def reason(self, column: CodedColumn) -> tuple[str, float] | None:
        """Say how a field follows the place, with its figure; None if it does not."""
        if column.different < 2:
            return None
        numbers, codes = column.numbers, column.codes[self._of]
        if numbers is not None and self._is_plane(codes, numbers):
            return FOLLOWS_COORDINATE, 1.0
        rows, asked, nearest = self._neighbourhood(codes)
        if len(rows) < _PLACES:
            return None
        near = codes[rows]
        found = _same(near, asked, nearest)
        if found >= AREAS:
            return NAMES_AREAS, found
        found = _together(codes, rows, self._xy, column.different)
        if found >= TOGETHER:
            return LIES_TOGETHER, found
        found = self._rest_together(codes, rows, column)
        if found >= TOGETHER:
            return LIES_TOGETHER, found
        if numbers is not None:
            found = _explained(numbers[near], self._xy[rows], asked, nearest)
            if found >= EXPLAINED:
                return FOLLOWS_PLACE, found
        return None

    def _rest_together(self, codes: np.ndarray, rows: np.ndarray, column: CodedColumn) -> float:
        """The same of those who have another value than most: names of camps, and "none"."""
        commonest = int(column.counts.argmax())
        if 2 * column.counts[commonest] < column.present or column.different < _VALUES:
            return 0.0
        rest = np.where(codes == commonest, -1, codes)
        return _together(rest, rows[rest[rows] >= 0], self._xy, column.different)

    def _neighbourhood(self, codes: np.ndarray):
        """Rows with a value, one for each place; those asked about; and those nearest to them."""
        if codes.min(initial=0) >= 0:
            return self._all_neighbours
        there = np.flatnonzero(codes >= 0)
        rows = there[_some_places(self._xy[there])]
        return rows, *_neighbours(self._xy[rows], self._progress)

    @cached_property
    def _all_neighbours(self):
        rows = _some_places(self._xy)
        return rows, *_neighbours(self._xy[rows], self._progress)

    def _is_plane(self, codes: np.ndarray, numbers: np.ndarray) -> bool:
        """Whether a plane through the coordinates gives the values: a turned copy of one does."""
        rows = np.flatnonzero(codes >= 0)
        rows = rows[_spread(len(rows), _ASKED)]
        values = numbers[codes[rows]]
        if len(rows) < _ENOUGH or not np.isfinite(values).all():
            return False
        values = values / (np.abs(values).max() or 1.0)  # squares of large numbers have no room
        values = values - values.mean()
        around = self._xy[rows] - self._xy[rows].mean(axis=0)
        scale = np.abs(around).max() or 1.0
        spread = float(values @ values)
        if not 0 < spread < np.inf:
            return False
        slope = np.linalg.lstsq(around / scale, values, rcond=None)[0]
        left = values - around / scale @ slope
        return bool(left @ left < (1 - _PLANE) * spread)


def _spread(count: int, most: int) -> np.ndarray:
    """Rows all over a table, at most so many."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(np.intp))


def _some_places(xy: np.ndarray) -> np.ndarray:
    """A row for each place; of many records, for the places in some windows all over the map."""
    if len(xy) > 2 * _WINDOWS * _IN_WINDOW:
        rows = _in_windows(xy)
        rows = rows[_one_a_place(xy[rows])]
        if len(rows) > _WINDOWS * _IN_WINDOW // 10:
            return rows
    return _one_a_place(xy)


def _in_windows(xy: np.ndarray) -> np.ndarray:
    """Rows of records that lie together, in windows that hold the same number each."""
    width = int(np.sqrt(_IN_WINDOW * len(xy)))  # records in an upright strip of the map
    firsts = ((np.arange(_WINDOWS) + 0.5) / _WINDOWS * (len(xy) - width)).astype(np.intp)
    # What lies in a strip or a window must be known, but not its order.
    along = np.argpartition(xy[:, 0], np.unique([firsts, firsts + width - 1]))
    rng = np.random.default_rng(1854)
    found = []
    for first in firsts:
        strip = along[first : first + width]
        low = int(rng.integers(0, width - _IN_WINDOW))
        upwards = np.argpartition(xy[strip, 1], [low, low + _IN_WINDOW - 1])
        found.append(strip[upwards[low : low + _IN_WINDOW]])
    return np.unique(np.concatenate(found))


def _one_a_place(xy: np.ndarray) -> np.ndarray:
    """A row for each place, in an order that does not depend on that of the rows."""
    if not len(xy):
        return np.empty(0, dtype=np.intp)
    # One number for both coordinates sorts five times faster than two; adding 0 makes -0.0 0.0.
    bits = (np.ascontiguousarray(xy) + 0.0).view(np.uint64)
    with np.errstate(over="ignore"):
        mixed = bits[:, 0] * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= (bits[:, 1] ^ (bits[:, 1] >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(32)
    order = np.argsort(mixed, kind="stable")
    mixed = mixed[order]
    return order[np.concatenate([[True], mixed[1:] != mixed[:-1]])]


def _neighbours(xy: np.ndarray, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
    """Places that are asked about, and the rows of those nearest to each, itself left out."""
    if len(xy) < _PLACES:  # nobody asks then
        return np.empty(0, dtype=np.intp), np.empty((0, 0), dtype=np.intp)
    tree = build_tree(xy, progress, quickly=True)
    asked = _spread(len(xy), _ASKED)
    count = min(len(xy), _AROUND + 1)
    found = interruptible(lambda: tree.query(xy[asked], k=count)[1], progress)
    # The first is the place itself, as no other lies there.
    return asked, found[:, 1:]


def _same(codes, asked, nearest) -> float:
    """Share of nearest others with the same value, of those who could, corrected for chance."""
    nearest = nearest[:, :_NEAREST]
    own, many = codes[asked], np.bincount(codes)
    others = many[own] - 1
    could = np.minimum(nearest.shape[1], others).sum()
    if could < _PLACES or len(codes) - many.max() < _ENOUGH:  # two rare ones may well be near
        return 0.0
    same = np.count_nonzero(codes[nearest] == own[:, None]) / could
    chance = nearest.shape[1] * others.sum() / (len(codes) - 1) / could
    return float((same - chance) / (1 - chance)) if chance < 1 else 0.0


def _together(codes, rows, xy, different) -> float:
    """How much nearer than the others a random record of the same value lies."""
    if len(codes) > 2 * _WINDOWS * _IN_WINDOW:  # windows would hold no others that lie far away
        rows = np.flatnonzero(codes >= 0)
        if different * _IN_WINDOW < len(rows):
            rows = rows[_spread(len(rows), _WINDOWS * _IN_WINDOW)]
    codes = codes[rows]
    many = np.bincount(codes)
    order = np.argsort(codes, kind="stable")
    first = np.cumsum(many) - many
    shared = np.flatnonzero(many[codes[order]] > 1)  # positions in ``order``
    if len(shared) < _PLACES or np.count_nonzero(many) < 2:
        return 0.0
    rng = np.random.default_rng(1854)
    at = shared[_spread(len(shared), _ASKED)]
    value = codes[order[at]]
    step = rng.integers(1, many[value])
    mate = rows[order[first[value] + (at - first[value] + step) % many[value]]]
    one = xy[rows[order[at]]]
    near = ((one - xy[mate]) ** 2).sum(axis=1)
    one, near = one[near > 0], near[near > 0]  # a household says nothing about the place
    if len(one) < _PLACES:
        return 0.0
    others = xy[rows[_spread(len(rows), _OTHERS)]]
    squared = sum((one[:, [axis]] - others[:, axis]) ** 2 for axis in (0, 1))
    nearer = (squared < near[:, None]).mean(axis=1)
    same = (squared == near[:, None]).mean(axis=1)
    return float(1 - (nearer + same / 2).mean())


def _explained(numbers, xy, asked, nearest) -> float:
    """Share of the variance of ranks that the nearest others explain, by mean or by plane."""
    rows = np.concatenate([asked[:, None], nearest], axis=1)
    ranks = _ranks(numbers[rows])
    own, around = ranks[:, 0], ranks[:, 1:]
    spread = ((own - own.mean()) ** 2).sum()
    if not spread:
        return 0.0
    mean = around[:, :_NEAREST].mean(axis=1)
    offset = xy[nearest] - xy[asked][:, None]
    scale = np.abs(offset).max(axis=(1, 2), keepdims=True)
    design = np.concatenate([np.ones((*around.shape, 1)), offset / np.where(scale, scale, 1)], 2)
    normal = np.einsum("nki,nkj->nij", design, design) + np.diag([0.0, 0.01, 0.01])
    right = np.einsum("nki,nk->ni", design, around)
    plane = np.linalg.solve(normal, right[..., None])[:, 0, 0]
    plane = np.clip(plane, around.min(axis=1), around.max(axis=1))
    left = min(((own - guess) ** 2).sum() for guess in (mean, plane))
    return float(1 - left / spread)


def _ranks(values: np.ndarray) -> np.ndarray:
    """Mean ranks, so that a few large numbers do not decide."""
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[codes].reshape(values.shape)
