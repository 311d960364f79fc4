# SPDX-License-Identifier: GPL-2.0-or-later
"""Masked locations that so many pairs of candidates explain that weighing them tells nothing.

Coarse coordinates leave a location in a town tens of thousands of pairs, and the best of them
hardly more probable than the rest. Such locations are counted, not weighed: the time goes to
those that have few. Of them is said what one knows without any pair: a record moves half the way to
its nearest neighbour, which lies about as far as records are dense.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, part, silent
from ...space.points import QUERY_ROWS, Places, build_tree
from .antipodal import flatten, portions, search_reach
from .blur import Blur

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

#: Pairs of a location from which on they are not weighed; pairs of all locations together that are
#: weighed, about, and what each may have whatever the others have.
_MOST_PAIRS, _ALL_PAIRS, _FEW_PAIRS = 5_000, 4_000_000, 300
#: Candidates about a location of which the partners are counted, to estimate its pairs.
_ASKED = 200
#: Neighbours by which one sees how dense candidates are where one of them lies.
_NEIGHBOURS = 8


@dataclass(frozen=True)
class Crowds:
    """What is known of the locations that are not weighed.

    Attributes
    ----------
    pairs : (m,) int array
        About how many pairs explain each location; 0 for one that is weighed.
    expected : (p,) array
        Records of these locations that come from each candidate place, on average.
    place, probability : (n,) arrays
        The likeliest place for each masked record, in turn where several share a location; -1 and 0
        for records whose location is weighed.
    """

    pairs: np.ndarray
    expected: np.ndarray
    place: np.ndarray
    probability: np.ndarray

    @classmethod
    def nowhere(cls, locations: Places, known: Places) -> Crowds:
        """Every location is weighed."""
        records = len(locations.of_point)
        return cls(
            np.zeros(len(locations.xy), dtype=np.int64),
            np.zeros(len(known.xy)),
            np.full(records, -1, dtype=np.intp),
            np.zeros(records),
        )

    @property
    def some(self) -> np.ndarray:
        """Which locations are not weighed, (m,) bool."""
        return self.pairs > 0


def most_pairs(locations: int) -> int:
    """Pairs that each of so many locations may have, to be weighed."""
    return int(np.clip(_ALL_PAIRS // max(1, locations), _FEW_PAIRS, _MOST_PAIRS))


def crowded(
    centres: np.ndarray,
    radius: np.ndarray,
    tree: cKDTree,
    tolerance: np.ndarray,
    progress: Progress = silent,
    most: int = _MOST_PAIRS,
) -> np.ndarray:
    """About how many pairs each centre has, where they are more than are weighed; else 0.

    Parameters
    ----------
    centres, radius, tree, tolerance
        As :func:`.antipodal.antipodal_pairs` takes them.
    progress : callable
    most : int
        Pairs that are weighed.

    Returns
    -------
    (m,) int array
    """
    reach, slip = search_reach(radius, tolerance), 2 * tolerance
    pairs = np.zeros(len(centres))
    many = interruptible(
        lambda: tree.query_ball_point(centres, reach, return_length=True).astype(float), progress
    )
    # All of one half with all of the other are no more than this.
    heavy = np.flatnonzero(many**2 / 4 > most)
    for rows in portions(centres[heavy], reach[heavy], tree):
        progress(rows.start / len(heavy))
        some = heavy[rows]
        asked = [
            np.asarray(near)[:: -(-len(near) // _ASKED)]
            for near in tree.query_ball_point(centres[some], reach[some], return_sorted=True)
        ]
        of, near = flatten(np.array([*asked, None], dtype=object)[:-1])
        opposite = 2 * centres[some[of]] - tree.data[near]
        asking = partial(tree.query_ball_point, opposite, slip[some[of]], return_length=True)
        partners = interruptible(asking, progress, rows.start / len(heavy))
        each = np.bincount(of, partners, len(some)) / np.bincount(of, minlength=len(some))
        pairs[some] = each * many[some] / 2
    progress(1.0)
    return np.where(pairs > most, pairs, 0.0).astype(np.int64)


def crowds(
    pairs: np.ndarray,
    locations: Places,
    radius: np.ndarray,
    known: Places,
    tree: cKDTree,
    blur: Blur,
    progress: Progress = silent,
) -> Crowds:
    """Say of the locations that are not weighed what is known without pairs.

    Parameters
    ----------
    pairs : (m,) int array
        As :func:`crowded` counts them.
    locations, known : Places
        The masked locations, and the candidates' places.
    radius, tree
        As :func:`.antipodal.antipodal_pairs` takes them.
    blur : Blur
        Of the masked locations.
    progress : callable
    """
    said = Crowds.nowhere(locations, known)
    some = np.flatnonzero(pairs)
    if len(some) == 0:
        return said
    share = len(locations.of_point) / len(known.of_point)
    sigma = np.hypot(_moves(known, share, part(progress, 0.0, 0.3)), blur.sigma)
    reach = search_reach(radius, blur.reach)
    order = np.argsort(locations.of_point, kind="stable")
    start = np.cumsum(locations.count) - locations.count
    told = part(progress, 0.3, 1.0)
    for rows in portions(locations.xy[some], reach[some], tree):
        told(rows.start / len(some))
        chosen = some[rows]
        lists = tree.query_ball_point(locations.xy[chosen], reach[chosen], return_sorted=True)
        for at, near in zip(chosen.tolist(), lists):
            near, records = np.asarray(near), locations.count[at]
            half = blur.tolerance[at] / np.sqrt(2.0) if blur.half is None else blur.half
            chance = _mass(known.xy[near] - locations.xy[at], max(half, 1e-9), sigma[near])
            chance *= known.count[near]
            if not chance.any():
                chance = known.count[near].astype(float)
            chance /= chance.sum()
            said.expected[near] += records * chance
            best = np.argsort(-chance, kind="stable")[np.arange(records) % len(near)]
            members = order[start[at] : start[at] + records]
            said.place[members], said.probability[members] = near[best], chance[best]
    progress(1.0)
    return replace(said, pairs=pairs)


def _moves(known: Places, share: float, progress: Progress) -> np.ndarray:
    """Standard deviation of a record's move along each axis, by candidate place, (p,).

    Of records that lie at random with a density of s there are none within r of a place with
    probability exp(-pi s r^2): half the way to the nearest one is a normal move of variance
    1 / (8 pi s).
    """
    # Of so many candidates that the last neighbour is about as far as the nearest record.
    every = max(1, int(1 / (_NEIGHBOURS * share)))
    thinned = known.xy[np.sort(known.of_point)[::every]]
    asked = min(_NEIGHBOURS + 1, len(thinned))
    tree, far = build_tree(thinned), np.empty(len(known.xy))
    for rows in chunks(len(known.xy), QUERY_ROWS, progress):
        far[rows] = tree.query(known.xy[rows], k=[asked])[0][:, 0]
    return far / np.sqrt(8.0 * asked * every * share)


def _mass(gap: np.ndarray, half: float, sigma: np.ndarray) -> np.ndarray:
    """How likely normal moves end in a square about the origin that start at ``gap``, (k,)."""
    from scipy.special import ndtr

    sigma = np.maximum(sigma, 1e-3 * half)[:, None]
    away = np.abs(gap)
    return (ndtr((half - away) / sigma) - ndtr((-half - away) / sigma)).prod(axis=1)
