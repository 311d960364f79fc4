# SPDX-License-Identifier: GPL-2.0-or-later
"""Who is who in small files, by whole matchings: Markov chains over all ways to match.

Rounds of matching (:mod:`.signature_rounds`) begin with what one row looks like. In files of some
tens of records after noise a row looks like many others, and the rounds end where they began,
though all distances together leave few ways to match everybody. Here no record is matched by itself:

1. The register is released again and again, and it is counted how often each two of its people are
   how far apart; that, against how often any two are, is what a distance says of two people.
2. Chains walk through matchings (Metropolis et al. 1953): a record gets another person, two
   exchange theirs, or one has nobody. They begin hot and cool down (Kirkpatrick, Gelatt & Vecchi
   1983), then it is counted whom each record is with. As many are matched as the files are thought
   to have in common.

Distances of one record depend on each other, so that their sum is far too sure: chains end at a
temperature above one, and what the counts are worth is learnt where the truth is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...runtime.progress import Progress, part, shares
from .matching_walk import Course, Start, walked
from .own_releases import OwnReleases
from .signature_files import UnderAttack
from .whole_matching import BesideOwn, Matching, Named, assigned, settled

#: Pairs of a record and a person up to which it is tried on any release: it takes seconds, so that it
#: counts no work. And up to which on embeddings of more sets than some: in a minute or less it names up
#: to twice as many there as anything else does.
MOST_PAIRS, _MOST_OF_MANY_SETS, _MANY_SETS = 2_500, 10_000, 20
#: Releases of the register, and classes of distances, each as frequent as every other.
_RELEASES, _CLASSES = 600, 96
#: Over how many classes, to either side, what was counted is spread; part that is any distance.
_SPREAD, _ANY = 2.0, 0.02
#: Chains of a file; steps of each by the records. Eight times as many steps name no more people rightly.
_CHAINS, _STEPS = 8, 1_000
#: Temperature at the end, and how much hotter it is at first.
_TEMPERATURE, _HOTTER = 2.0, 30.0
#: Shares in common of other files of one's own, from which it is learnt how sure to be: how many there are in
#: common is hardly known in small files.
IN_COMMON = (0.1, 0.4, 0.7, 1.0)


def tells_by_pairs(own: OwnReleases, records: int) -> bool:
    """Return whether a release is attacked by chains over pairs, however many are in both."""
    pairs, sets = records * len(own.places), own.sets or 0
    return pairs <= MOST_PAIRS or (sets > _MANY_SETS and not takes_too_long(sets, pairs))


def takes_too_long(sets: int, pairs: int) -> bool:
    """Return whether chains over pairs would tell of an embedding, and take minutes."""
    return sets > _MANY_SETS and pairs > _MOST_OF_MANY_SETS


@dataclass(frozen=True, eq=False)
class PairTable:
    """What the class of a released distance says of two people.

    Attributes
    ----------
    ends : (c - 1,) array
        Where classes of distances end.
    said : (c, n, n) array
        Logarithm of how much oftener these two are so far apart than any two.
    """

    ends: np.ndarray
    said: np.ndarray

    @classmethod
    def learnt(cls, own: OwnReleases, rng: np.random.Generator, progress: Progress) -> PairTable:
        """Count in releases of all known people."""
        from scipy.ndimage import gaussian_filter1d

        number = len(own.places)
        row, column = np.triu_indices(number, 1)
        found = np.empty((_RELEASES, len(row)))
        for at, step in enumerate(shares(progress, _RELEASES)):
            found[at] = own.square(own.places, rng, step)[row, column]
        ends = np.unique(np.quantile(found, np.arange(1, _CLASSES) / _CLASSES))
        count = np.zeros((len(ends) + 1, len(row)))
        classes = np.searchsorted(ends, found, side="right")
        for one in classes:
            count[one, np.arange(len(row))] += 1.0
        any_two = count.mean(axis=1, keepdims=True)
        spread = gaussian_filter1d(count, _SPREAD, axis=0, mode="nearest")
        # Classes that many distances share are as wide as others here: each against its own share.
        usual = np.maximum(gaussian_filter1d(any_two, _SPREAD, axis=0, mode="nearest"), 1e-12)
        said = np.log((1 - _ANY) * spread / usual + _ANY)
        square = np.zeros((len(said), number, number))
        square[:, row, column] = square[:, column, row] = said
        return cls(ends, square)

    def classes(self, released: np.ndarray) -> np.ndarray:
        """Return the class of each released distance."""
        return np.searchsorted(self.ends, released, side="right").astype(np.int64)

    def said_of(self, released: np.ndarray, people: np.ndarray) -> np.ndarray:
        """Return what distances, (m, m), say of their being those of some people, (m,)."""
        return self.said[self.classes(released), people[:, None], people]


def matched_by_chains(
    table: PairTable,
    files: Sequence[tuple[UnderAttack, np.ndarray, float]],
    rng: np.random.Generator,
    progress: Progress,
) -> np.ndarray:
    """Return how often each record is with each person, (f, n1, n2).

    Parameters
    ----------
    table : PairTable
    files : sequence of (UnderAttack, (n1, n2) bool array, float)
        Of as many records each; who may be who, and how many people are thought to be in both.
    rng : numpy.random.Generator
    progress : Progress
    """
    starts = []
    for file, allowed, common in files:
        first = np.full(len(allowed), -1, dtype=np.int64)
        first[file.links[:, 0]] = file.links[:, 1]
        free = np.setdiff1d(np.flatnonzero(allowed.any(axis=1)), file.links[:, 0])
        starts.append(Start(table.classes(file.released), allowed, first, free, common))
    some = [at for at, one in enumerate(starts) if len(one.free)]
    often = np.zeros((len(files), *files[0][1].shape))
    if some:
        course = Course(_CHAINS, _STEPS * often.shape[1], _TEMPERATURE, _HOTTER)
        often[some] = walked(table.said, [starts[at] for at in some], course, rng, progress)
    return often


def better_by_chains(
    files: BesideOwn, rng: np.random.Generator, progress: Progress
) -> Matching | None:
    """Match by chains unless rounds are right clearly more often in files of one's own.

    Returns
    -------
    Matching or None
        None where rounds do as well.
    """
    some, real, kinds = files.counted, files.real, files.kinds
    if not some:
        return None
    table = PairTable.learnt(files.own, rng, part(progress, 0, 0.3))
    best = files.to_beat()
    # How many are in common is hard to tell in small files: as many as can be is tried, too.
    numbers = sorted({float(files.common[0]), float(min(len(real.released), len(kinds)))})
    all_files = [*some, *files.others, real]
    allowed = [file.allowed(kinds) for file in all_files]
    every = [(*one, number) for number in numbers for one in zip(all_files, allowed)]
    often = iter(matched_by_chains(table, every, rng, part(progress, 0.3, 1)))
    chosen = None
    for _ in numbers:
        named = [_named(table, *one, next(often)) for one in zip(all_files, allowed)]
        right = sum(int(one.right.sum()) for one in named[: len(some)])
        if right > best:  # the second number has to do better than the first
            best, chosen = float(right), named
    if chosen is None:
        return None
    return settled(chosen[:-1], chosen[-1], best)


def _named(table: PairTable, file: UnderAttack, allowed: np.ndarray, often: np.ndarray) -> Named:
    """Assign everybody, and see how well each match fits all others, and on average.

    Chains fit whatever there is as well as it can be; who is right fits better than that.
    """
    matches, often = assigned(file, allowed, often)
    row, person = matches.T
    said = table.said_of(file.released[np.ix_(row, row)], person)
    np.fill_diagonal(said, 0.0)
    fit = said.sum(axis=1) / max(len(row) - 1, 1)
    mean = np.full(len(fit), fit.mean() if len(fit) else 0.0)
    return Named(file, matches, often, np.column_stack([fit, mean]))
