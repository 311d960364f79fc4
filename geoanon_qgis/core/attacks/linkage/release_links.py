# SPDX-License-Identifier: GPL-2.0-or-later
"""Which record of one release is which of another, where no id says so.

Releases mostly number or shuffle their records anew. But a record's distances to all others are a
signature of where it is in every release of these people, and distances to records that are linked
already tell about all others: the attack of :mod:`.signatures` with the other release in the place
of the register. What two releases of the same records have in common, and how sure a link is, is
learnt from releases of known places that the adversary makes himself, two at a time, of people of
whom only some are in both.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ...runtime.progress import Late, Progress, part, shares, silent, until
from ..cliques.product_graph import label_classes
from .own_releases import OwnReleases
from .pair_learning import LearningPairs
from .row_signatures import Signatures, levels_of, signature
from .signature_files import Register, UnderAttack
from .signature_result import UNLIMITED, Meter, SignatureLimits
from .signature_rounds import Rounds

#: Least confidence of a link that is held: a wrong partner breaks the rule of the release.
SURE = 0.9
#: Records below which nothing can be told.
LEAST = 8
#: Pairs of releases that signatures and densities are learnt from.
_PAIRS = 8
#: Part of the typical distance that is none.
_NOTHING = 1e-5


@dataclass(frozen=True, eq=False)
class ReleaseLinks:
    """Links of the records of one release with those of another.

    Attributes
    ----------
    rows : (n,) int array
        Row of each record in the other release; -1 where that is not sure.
    chance : (n,) array
        How probable the likeliest partner of each is, sure or not; 0 for none.
    common : float
        Expected number of records in both.
    cut_off : bool
        Whether the time was over before the end.
    """

    rows: np.ndarray
    chance: np.ndarray
    common: float
    cut_off: bool = False

    @property
    def linked(self) -> int:
        """How many are linked."""
        return int((self.rows >= 0).sum())

    @property
    def expected(self) -> float:
        """How many of them are right, by their own confidence."""
        return float(self.chance[self.rows >= 0].sum())


def certain(rows: np.ndarray) -> ReleaseLinks:
    """Return links that are taken to be right: row of each record in the other release, or -1."""
    found = (rows >= 0).astype(np.float64)
    return ReleaseLinks(rows, found, float(found.sum()))


def link_releases(
    one: np.ndarray,
    other: np.ndarray,
    own: OwnReleases,
    *,
    labels: tuple[Sequence[Hashable], Sequence[Hashable]] | None = None,
    common: int | None = None,
    least: float = SURE,
    rng: np.random.Generator,
    progress: Progress = silent,
    limits: SignatureLimits = UNLIMITED,
) -> ReleaseLinks:
    """Link two releases by the same rule, of the same people or of some of them.

    Parameters
    ----------
    one, other : (n, n) and (m, m) arrays
        Released distances, in the unit of the metric.
    own : OwnReleases
        How they were made, with places that are spread as those of the records.
    labels : (sequence of length n, sequence of length m), optional
        Attributes that were released with them: nobody is linked with other ones.
    common : int, optional
        How many records are in both; estimated when left out.
    least : float
        Least confidence of a link.
    rng : numpy.random.Generator
    progress : Progress
    limits : SignatureLimits

    Returns
    -------
    ReleaseLinks
    """
    nobody = certain(np.full(len(one), -1))
    if min(len(one), len(other), len(own.places)) < LEAST or not one.any() or not other.any():
        return nobody
    if labels is None:
        labels = [()] * len(one), [()] * len(other)
    kinds = label_classes(*labels)[:2]
    meter = Meter(limits)
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    real = UnderAttack(one, kinds[0], np.zeros((0, 2), np.int64))
    rounds = Rounds(_OtherRelease(own, real, other, kinds[1], meter, rng), real, limits, meter)
    late = False
    try:
        rounds.run(common, until(progress, deadline))
    except Late:
        late = True
    found = rounds.found
    rows, chance = nobody.rows, nobody.chance
    chance[found.matches[:, 0]] = found.chance
    sure = found.chance >= least
    rows[found.matches[sure, 0]] = found.matches[sure, 1]
    progress(1.0)
    return ReleaseLinks(rows, chance, float(np.nan_to_num(found.common[0])), late)


class _OtherRelease:
    """The records of another release, and pairs of releases of one's own; see :class:`.Source`."""

    def __init__(
        self,
        own: OwnReleases,
        real: UnderAttack,
        other: np.ndarray,
        kinds: np.ndarray,
        meter: Meter,
        random: np.random.Generator,
    ):
        self._own, self._kinds, self._meter, self._random = own, real.kinds, meter, random
        self.records, self.people, self.strangers = len(real.released), len(other), True
        self._least = _NOTHING * float(np.median(other[other > 0]))
        self._levels = levels_of(min(self.records, self.people) - 1)
        self._others = {id(real): (other, kinds)}

    def learn(self, shares_in_common: np.ndarray, progress: Progress) -> None:
        """Learn how two releases of the same people differ."""
        learning, off = LearningPairs(self._least), []
        for at, step in enumerate(shares(progress, _PAIRS)):
            share = float(shares_in_common[at % len(shares_in_common)])
            one, other, common = self._pair(share, step)
            learning.add(one, other, common)
            off.append(self._signature(one)[:common] - self._signature(other)[:common])
        self._learning, self._off = learning, np.concatenate(off)

    def made(self, share: float, progress: Progress) -> UnderAttack:
        """Make two releases with such a share in common."""
        one, other, common = self._pair(share, progress)
        order, turned = (self._random.permutation(len(square)) for square in (one, other))
        truth = np.full(self.records, -1)
        truth[:common] = np.argsort(turned)[:common]
        kinds, others = (
            self._kinds[self._random.integers(self.records, size=count)]
            for count in (self.records, self.people)
        )
        others[:common] = kinds[:common]
        file = UnderAttack(
            one[np.ix_(order, order)], kinds[order], np.zeros((0, 2), np.int64), truth[order]
        )
        self._others[id(file)] = (other[np.ix_(turned, turned)], others[turned])
        return file

    def register_of(self, file: UnderAttack) -> Register:
        """Return the records of the other release of a pair."""
        other, kinds = self._others[id(file)]
        known = Signatures.alike(self._signature(other), self._off, self._levels, self._least)
        return Register(known, self._learning.about(other), kinds)

    def _pair(self, share: float, progress: Progress) -> tuple[np.ndarray, np.ndarray, int]:
        """Make two releases, of which the first records are the same; and say of how many."""
        common = max(int(share > 0), round(share * min(self.records, self.people)))
        total = self.records + self.people - common
        known = self._random.permutation(len(self._own.places))[:total]
        points = self._own.places[known]
        if len(known) < total:
            strangers = self._own.strangers(total - len(known), self._random)
            points = np.concatenate([points, strangers])[self._random.permutation(total)]
        self._meter.spend(self.records**2 + self.people**2)
        squares = []
        rest = np.arange(self.records, total)
        for rows, step in zip(
            (np.arange(self.records), np.concatenate([np.arange(common), rest])),
            (part(progress, 0, 0.5), part(progress, 0.5, 1)),
        ):
            square = self._own.square(points[rows], self._random, step)
            np.fill_diagonal(square, 0.0)
            squares.append(square)
        return squares[0], squares[1], common

    def _signature(self, square: np.ndarray) -> np.ndarray:
        others = square[~np.eye(len(square), dtype=bool)].reshape(len(square), -1)
        return signature(others, self._levels, self._least)
