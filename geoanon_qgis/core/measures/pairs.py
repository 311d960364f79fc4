# SPDX-License-Identifier: GPL-2.0-or-later
"""Pairs of points within a distance, in chunks, by k-d trees; never all at once.

Points that share a place are one place with a count: a mask that moves everybody to the centre of
a cell leaves thousands of points at one place, and millions of pairs that are all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.progress import Progress, chunks, interruptible, part, silent
from ..space.points import Places, build_tree, places

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

#: Pairs that are looked at in one go: some tens of megabytes, and a tenth of a second.
_AT_ONCE = 400_000
#: Places whose neighbours are counted in one go, and points from which their number is guessed.
_COUNTED, _ASKED = 2_048, 500
#: Fewer centres than this are too few for a mean.
_FEWEST = 100


@dataclass(frozen=True, eq=False)
class Pattern:
    """A point pattern as places with counts, in a tree; made by :func:`pattern`.

    Attributes
    ----------
    found : Places
    tree : cKDTree
        Of the places.
    """

    found: Places
    tree: cKDTree

    def __len__(self) -> int:
        return len(self.found.of_point)


@dataclass(frozen=True, eq=False)
class Centres:
    """Points from which pairs are counted: all of a pattern, or a random sample.

    Attributes
    ----------
    pattern : Pattern
    place : (c,) int array
        Places with at least one of them, ascending.
    count : (c,) array
        How many there.
    """

    pattern: Pattern
    place: np.ndarray
    count: np.ndarray

    def __len__(self) -> int:
        return int(self.count.sum())

    @property
    def xy(self) -> np.ndarray:
        """Their places, (c, 2)."""
        return self.pattern.found.xy[self.place]


def pattern(xy: np.ndarray, progress: Progress = silent) -> Pattern:
    """Put points, (n, 2), into places and a tree."""
    found = places(xy)
    return Pattern(found, build_tree(found.xy, progress))


def drawn_pattern(xy: np.ndarray, progress: Progress = silent) -> Pattern:
    """Put points, (n, 2), that were drawn independently, each at a place of its own, into a tree."""
    every = np.arange(len(xy))
    found = Places(xy, every, np.ones(len(xy), dtype=np.intp), every)
    return Pattern(found, build_tree(xy, progress))


def choose_centres(
    around: Pattern,
    others: Pattern,
    reach: float,
    most_pairs: int,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> Centres:
    """Take so many points of a pattern that there are about ``most_pairs`` pairs.

    Parameters
    ----------
    around, others : Pattern
        Of which the first, and the second of a pair is.
    reach : float
    most_pairs : int
    rng : numpy.random.Generator
        Not used where all points can be taken.
    progress : callable

    Returns
    -------
    Centres
    """
    return sample_centres(around, centres_for(around, others, reach, most_pairs, progress), rng)


def centres_for(
    around: Pattern, others: Pattern, reach: float, most_pairs: int, progress: Progress = silent
) -> int:
    """How many points of a pattern have about ``most_pairs`` pairs; all if they have no more."""
    total = len(around)
    some = np.arange(total) if total <= _ASKED else np.arange(_ASKED) * total // _ASKED
    xy = around.found.xy[around.found.of_point[some]]
    mean = float(np.mean(_neighbours(xy, others, reach, progress))) if total else 0.0
    return total if mean * total <= most_pairs else min(total, max(_FEWEST, int(most_pairs / mean)))


def sample_centres(around: Pattern, count: int, rng: np.random.Generator) -> Centres:
    """Take ``count`` points of a pattern at random, or all if there are no more."""
    if count >= len(around):
        return Centres(around, np.arange(len(around.found.xy)), around.found.count)
    return centres_at(around, rng.choice(len(around), count, replace=False))


def centres_at(around: Pattern, rows: np.ndarray) -> Centres:
    """Take given rows of a pattern, each once."""
    place, number = np.unique(around.found.of_point[rows], return_counts=True)
    return Centres(around, place, number)


def pairs_within(
    centres: Centres, others: Pattern, reach: float, progress: Progress = silent
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield pairs of a centre and another point, as places.

    Where both patterns are the same object, no point is paired with itself: there is no pair at its
    place if nobody else is there, with a count of 0.

    Parameters
    ----------
    centres : Centres
    others : Pattern
    reach : float
        Largest distance.
    progress : callable

    Yields
    ------
    row : (p,) int array
        Row of ``centres.place``.
    place : (p,) int array
        Place of ``others``.
    distance : (p,) array
    count : (p,) array
        Pairs of points at these two places.
    """
    from scipy.spatial import cKDTree

    xy, same = centres.xy, others is centres.pattern
    number = _neighbours(xy, others, reach, part(progress, 0.0, 0.15))
    ahead = part(progress, 0.15, 1.0)
    summed = np.cumsum(number)
    start = 0
    while start < len(xy):
        ahead(start / len(xy))
        done = summed[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(summed, done + _AT_ONCE, side="right")))
        small = cKDTree(xy[start:stop])
        found = interruptible(
            partial(small.sparse_distance_matrix, others.tree, reach, output_type="ndarray"),
            part(ahead, start / len(xy), start / len(xy)),
        )
        row, place = found["i"] + start, found["j"]
        near = np.take(others.found.count, place)
        if same:
            near -= np.take(centres.place, row) == place
        yield row, place, found["v"], np.take(centres.count, row) * near
        start = stop
    progress(1.0)


def _neighbours(xy: np.ndarray, others: Pattern, reach: float, progress: Progress) -> np.ndarray:
    """How many places of others lie within reach of each place."""
    number = np.empty(len(xy), dtype=np.int64)
    for rows in chunks(len(xy), _COUNTED, progress):
        number[rows] = interruptible(
            partial(others.tree.query_ball_point, xy[rows], reach, return_length=True),
            part(progress, rows.start / len(xy), rows.start / len(xy)),
        )
    return number
