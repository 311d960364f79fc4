# SPDX-License-Identifier: GPL-2.0-or-later
"""Pairs of candidates that have a given point as their midpoint.

The published test for the two points behind a Voronoi-masked location asks for two
candidates *equally far* from it (Moehler 2023, "Case n < N"). They also lie on opposite sides
of it, (a + b) / 2 = y, which is far rarer by accident and quicker to test: for every
candidate a near y, look 2y - a up in a k-d tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from ...runtime.errors import InputError
from ...runtime.progress import Progress, chunks, silent
from ...runtime.rows import numbered_rows
from ...runtime.wording import number_of
from ...space.points import QUERY_ROWS

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

#: Candidates handled together, and the most pairs kept (about 80 bytes each).
_CANDIDATES_AT_ONCE = 400_000
_MOST_PAIRS = 20_000_000


@dataclass(frozen=True)
class Pairs:
    """Pairs of candidate places by the centre they belong to.

    Attributes
    ----------
    centre, first, second : (p,) int arrays
        Row of the centre and of the two places, ``first < second``; sorted by centre.
    """

    centre: np.ndarray
    first: np.ndarray
    second: np.ndarray


def antipodal_pairs(
    centres: np.ndarray,
    radius: np.ndarray,
    tree: cKDTree,
    tolerance: np.ndarray,
    progress: Progress = silent,
    at_once: int = _CANDIDATES_AT_ONCE,
    most: int = _MOST_PAIRS,
) -> Pairs:
    """All pairs of places whose midpoint is a centre.

    Parameters
    ----------
    centres : (m, 2) array
    radius : (m,) array
        How far from its centre a place may lie.
    tree : cKDTree
        The candidate places.
    tolerance : (m,) array
        Largest distance between the midpoint of a pair and each centre.
    progress : callable
    at_once : int
        Candidates in reach that are looked at together.
    most : int
        Pairs that may be found.

    Returns
    -------
    Pairs

    Raises
    ------
    InputError
        If the tolerance is so coarse that the pairs would not fit into memory.
    """
    xy = tree.data
    reach, slip = search_reach(radius, tolerance), 2 * tolerance
    found: list[np.ndarray] = []
    kept = 0
    for rows in portions(centres, reach, tree, at_once):
        progress(rows.start / len(centres))
        of, near = flatten(tree.query_ball_point(centres[rows], reach[rows]))
        of += rows.start
        # Each pair has an end on the left of its centre (or both straight above and below).
        left = xy[near, 0] <= centres[of, 0] + slip[of]
        of, near = of[left], near[left]
        opposite = 2 * centres[of] - xy[near]
        # The tree squares its bound, and looks below it only: a slip of zero needs some room.
        farthest = slip[rows].max() * (1 + 1e-9) + 1e-150
        hit = tree.query(opposite, distance_upper_bound=farthest)[0] <= slip[of]
        of, near, opposite = of[hit], near[hit], opposite[hit]
        which, other = flatten(tree.query_ball_point(opposite, slip[of]))
        of, near = of[which], near[which]
        two = near != other
        triple = np.stack([of, np.minimum(near, other), np.maximum(near, other)], axis=1)[two]
        found.append(triple[np.unique(numbered_rows(triple), return_index=True)[1]])
        kept += len(found[-1])
        if kept > most:
            raise InputError(
                "The tolerance of {tolerance:g} lets more than {pairs} explain the masked points. "
                "Use a smaller tolerance, or candidates from a smaller area.",
                tolerance=np.median(tolerance),
                pairs=number_of(most, "pair of candidates", "pairs of candidates"),
            )
    progress(1.0)
    table = np.concatenate(found) if found else np.empty((0, 3), dtype=np.intp)
    return Pairs(table[:, 0], table[:, 1], table[:, 2])


def search_reach(radius: np.ndarray, tolerance: np.ndarray) -> np.ndarray:
    """How far from its centre a place is looked for, (m,).

    Rounding moves the centre, and each of the two locations that the radius lies between.
    """
    return radius * (1 + 1e-9) + 3 * tolerance


def within(
    tree: cKDTree, centres: np.ndarray, radius: np.ndarray, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """All places within a radius of each centre, as (row of the centre, place)."""
    found = [np.empty((2, 0), dtype=np.intp)]
    for rows in chunks(len(centres), QUERY_ROWS, progress):
        of, near = flatten(tree.query_ball_point(centres[rows], radius[rows]))
        found.append(np.stack([of + rows.start, near]))
    of, near = np.concatenate(found, axis=1)
    return of, near


def flatten(lists: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Turn an array of lists into (row of each element, element)."""
    sizes = np.fromiter((len(one) for one in lists), dtype=np.intp, count=len(lists))
    total = int(sizes.sum())
    elements = np.fromiter(chain.from_iterable(lists), dtype=np.intp, count=total)
    return np.repeat(np.arange(len(lists)), sizes), elements


def portions(
    centres: np.ndarray, reach: np.ndarray, tree: cKDTree, at_once: int = _CANDIDATES_AT_ONCE
):
    """Slices of the centres that have a bounded number of candidates in reach."""
    start = 0
    rows = 64
    while start < len(centres):
        portion = slice(start, min(start + rows, len(centres)))
        sizes = tree.query_ball_point(centres[portion], reach[portion], return_length=True)
        fits = int(np.searchsorted(np.cumsum(sizes), at_once, side="right"))
        stop = start + max(1, min(fits, portion.stop - start))
        yield slice(start, stop)
        # The next portion is as long as the last one's density suggests.
        dense = max(float(np.mean(sizes[: stop - start])), 1.0)
        rows = int(min(max(at_once / dense, 1), 8 * rows))
        start = stop
