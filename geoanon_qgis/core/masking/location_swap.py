# SPDX-License-Identifier: GPL-2.0-or-later
"""Location swapping: every place goes to a random candidate in the ring round it, and stays there.

Which one is kept by *highest random weights* (Thaler, D. G. & Ravishankar, C. V. (1998), Using
name-based mappings to increase hit rates, IEEE/ACM Transactions on Networking 6(1)): the secret
gives each pair of a place and a candidate a number, and the place goes to the candidate of its ring
with the largest. So every candidate of the ring is as likely as any other, the order of the list
does not matter, and a list that changes moves hardly anybody: with n candidates, one more changes
the choice with a probability of 1 / (n + 1), and then to the new one.

Other rules of the ring have other numbers. With the same ones a place whose point changes from one
ring to another would tell that the second point lies in no part that both rings share: for rings of
200 and 220 m that leaves less than two independent draws do.

The number of a pair is mixed from 64 secret bits of the candidate and 128 of the place, all from
HMAC-SHA256 (:mod:`.kept_draws`), by the finalizer of SplitMix64 (Steele, G. L., Lea, D. & Flood,
C. H. (2014), Fast splittable pseudorandom number generators, OOPSLA). For one place it is a
bijection of the candidates' bits: its choice is uniform if those are.

**Not guaranteed**: that as many places explain a released point as the ring has candidates. A
candidate in the country may lie in the rings of few places, however many candidates these have.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import number_of
from ..space.points import as_points, places
from .kept_draws import MANY, KeptDraws
from .swap_rings import UNEQUAL, Candidates, RingRule, Rings, rows_by_class

#: What became of a point (the codes of :attr:`Swapped.kind`).
SWAPPED, WIDENED, EMPTY, MIXED = 0, 1, 2, 3
_MIX = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)
_LAST = np.uint64(31)


@dataclass(frozen=True, repr=False)
class Swapped(Summarised):
    """Masked points, in the order of the originals.

    Attributes
    ----------
    xy : (n, 2) array
        The candidate that each went to; not a number where it is withheld.
    row : (n,) int64 array
        Its row in the list; -1 where the point is withheld.
    kind : (n,) int8 array
        ``SWAPPED``, or ``WIDENED`` where the ring held too few. Withheld: ``EMPTY``, too few
        candidates of the class; ``MIXED``, points at its place have different classes.
    rings : Rings
        Of each point.
    shift : (n,) array
        Distance moved.
    """

    xy: np.ndarray
    row: np.ndarray
    kind: np.ndarray
    rings: Rings
    shift: np.ndarray

    @property
    def withheld(self) -> np.ndarray:
        """Whether each point is withheld."""
        return self.row < 0

    def taken(self, rows: np.ndarray) -> Swapped:
        """Return some of the points."""
        rings = self.rings.taken(rows)
        of_each = (self.xy[rows], self.row[rows], self.kind[rows])
        return Swapped(*of_each, rings, self.shift[rows])

    def in_words(self) -> str:
        """See :class:`.Summarised`."""
        moved = self.shift[~self.withheld]
        middle = f"; median shift {np.median(moved):,.3g}" if len(moved) else ""
        return (
            f"Location swapping of {number_of(len(self.xy), 'point', 'points')}: {len(moved):,}"
            f" moved, {int((self.kind == WIDENED).sum()):,} of them in widened rings,"
            f" {int(self.withheld.sum()):,} withheld{middle}."
        )


def swap_locations(
    xy: np.ndarray,
    candidates: Candidates,
    rule: RingRule,
    secret: bytes,
    mask: str,
    classes: Sequence[Hashable] | None = None,
    stored: np.ndarray | None = None,
    progress: Progress = silent,
) -> Swapped:
    """Move each place to a random candidate of its ring; with the same secret to the same.

    Parameters
    ----------
    xy : (n, 2) array
        In the plane of the candidates, which must be the same for the next release, too.
    candidates : Candidates
    rule : RingRule
    secret : bytes
        See :func:`.kept_draws.read_secret`.
    mask : str
        The mask's id.
    classes : sequence of length n, optional
        Points go to candidates of their class. A place has one: points at one place that have
        different ones are withheld, since several draws for a place tell where it is.
    stored : (n, 2) array, optional
        Coordinates as they are stored, by which a place is known again; ``xy`` where not given.
    progress : callable

    Returns
    -------
    Swapped

    Raises
    ------
    InputError
        If coordinates are not finite, the secret is too short, or classes are missing.
    """
    xy = as_points(xy)
    stored = xy if stored is None else as_points(stored)
    if len(stored) != len(xy):
        raise InputError(UNEQUAL, stored=len(stored), points=len(xy))
    if classes is not None:
        rows_by_class(classes, len(xy))
    found = places(stored)
    first = np.full(len(found.xy), len(xy), dtype=np.int64)
    np.minimum.at(first, found.of_point, np.arange(len(xy)))
    own = None if classes is None else [classes[row] for row in first]
    mixed = np.zeros(len(first), dtype=bool)
    if own is not None and classes is not None:
        same = [one == own[at] for one, at in zip(classes, found.of_point)]
        mixed[found.of_point[~np.array(same, dtype=bool)]] = True
    ring = [float(rule.least), float(rule.largest), int(rule.fewest), bool(rule.widen)]
    of_ring = f"{mask} {ring!r}"
    at, draws = xy[first], KeptDraws(secret, of_ring, many=len(first) >= MANY)
    rings = candidates.rings(at, rule, own, part(progress, 0.0, 0.3))
    words = _words(draws, found.xy, part(progress, 0.3, 0.4))
    row = np.full(len(first), -1, dtype=np.int64)
    goal = np.full((len(first), 2), np.nan)
    for rows, listed, told in candidates.by_class(len(at), own, part(progress, 0.4, 1.0)):
        rows = rows[(rings.count[rows] > 0) & ~mixed[rows]]
        if len(rows) == 0:
            continue
        there, known, row_of = candidates.of_class[listed]
        draws = KeptDraws(secret, f"{mask} candidate", many=len(known) >= MANY)
        bits = _words(draws, known, part(told, 0.0, 0.2))[:, 0]
        for place, candidate, _ in candidates.pairs(
            at[rows], listed, rings.outer[rows], rule.hole, part(told, 0.2, 1.0)
        ):
            start = np.flatnonzero(np.diff(place, prepend=-1))
            who = rows[place[start]]
            best = candidate[_largest(_weights(words[rows[place]], bits[candidate]), start)]
            row[who], goal[who] = row_of[best], there[best]
    kind = np.where(rings.widened, WIDENED, SWAPPED).astype(np.int8)
    kind[rings.count == 0] = EMPTY
    kind[mixed] = MIXED
    back = found.of_point
    spread = Rings(rule, rings.count[back], rings.outer[back], rings.widened[back])
    gap = goal[back] - xy
    progress(1.0)
    return Swapped(goal[back], row[back], kind[back], spread, np.hypot(gap[:, 0], gap[:, 1]))


def _words(draws: KeptDraws, xy: np.ndarray, progress: Progress) -> np.ndarray:
    return draws.words(xy, np.empty((len(xy), 0)), 0, progress)


def _weights(of_place: np.ndarray, of_candidate: np.ndarray) -> np.ndarray:
    """Mixed numbers of pairs, (p,) uint64, from words of the place, (p, 4), and the candidate."""
    return _mixed(_mixed(of_place[:, 0] ^ of_candidate) ^ of_place[:, 1])


def _mixed(word: np.ndarray) -> np.ndarray:
    for shift, factor in _MIX:
        word = (word ^ (word >> shift)) * factor
    return word ^ (word >> _LAST)


def _largest(weight: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Position of the largest of each run; of equal ones the first."""
    run = np.zeros(len(weight), dtype=np.int64)
    run[start[1:]] = 1
    run = np.cumsum(run)
    best = np.flatnonzero(weight == np.maximum.reduceat(weight, start)[run])
    return best[np.flatnonzero(np.diff(run[best], prepend=-1))]
