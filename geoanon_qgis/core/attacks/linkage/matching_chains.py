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

from ...runtime import accel
from ...runtime.progress import Progress, part, shares
from .candidate_odds import calibrate
from .own_releases import OwnReleases
from .signature_files import UnderAttack

#: Pairs of a record and a person beyond which it is not tried: below, it takes seconds, so that it
#: counts no work.
MOST_PAIRS = 2_500
#: Releases of the register, and classes of distances, each as frequent as every other.
_RELEASES, _CLASSES = 200, 96
#: Over how many classes, to either side, what was counted is spread; part that is any distance.
_SPREAD, _ANY = 2.0, 0.02
#: Chains of a file; steps of each by the records; uncompiled, one in so many of these.
_CHAINS, _STEPS, _SLOWER = 4, 8_000, 30
#: Steps from one count to the next.
_EVERY = 10
#: Temperature at the end, and how much hotter it is at first.
_TEMPERATURE, _HOTTER = 3.0, 30.0
#: Files of one's own that chains are held against rounds with.
_TRIALS = 4


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


def matched_by_chains(
    table: PairTable,
    file: UnderAttack,
    allowed: np.ndarray,
    common: float,
    rng: np.random.Generator,
    progress: Progress,
) -> np.ndarray:
    """Return how often each record is with each person, (n1, n2).

    Parameters
    ----------
    table : PairTable
    file : UnderAttack
    allowed : (n1, n2) bool array
        Who may be who.
    common : float
        How many people the files are thought to have in common.
    rng : numpy.random.Generator
    progress : Progress
    """
    records, people = allowed.shape
    most = int(allowed.sum(axis=1).max(initial=0))
    candidates = np.full((records, max(most, 1)), -1, dtype=np.int64)
    for record, row in enumerate(allowed):
        who = np.flatnonzero(row)
        candidates[record, : len(who)] = who
    number = allowed.sum(axis=1).astype(np.int64)
    first = np.full(records, -1, dtype=np.int64)
    first[file.links[:, 0]] = file.links[:, 1]
    free = np.setdiff1d(np.flatnonzero(number), file.links[:, 0]).astype(np.int64)
    total = np.zeros((records, people))
    if not len(free):
        return total
    steps = _STEPS * records // (1 if accel.enabled() else _SLOWER)
    classes = table.classes(file.released)
    for _, step in zip(range(_CHAINS), shares(progress, _CHAINS)):
        step(0.0)
        total += _walk(
            table.said,
            classes,
            candidates,
            number,
            free,
            first.copy(),
            float(common),
            _TEMPERATURE,
            _HOTTER,
            _EVERY,
            rng.random((steps, 4)),
        )
    counted = len(range(0, steps, _EVERY)) - len(range(0, steps // 2, _EVERY))
    return total / (_CHAINS * counted)


def better_by_chains(
    own: OwnReleases,
    real: UnderAttack,
    trials: Sequence[UnderAttack],
    kinds: np.ndarray,
    common: float,
    rng: np.random.Generator,
    progress: Progress,
) -> tuple[np.ndarray, np.ndarray] | None:
    """Match by chains where these are right more often than rounds in files of one's own.

    Parameters
    ----------
    own : OwnReleases
    real : UnderAttack
        After the rounds, as the trials are.
    trials : sequence of UnderAttack
    kinds : (n2,) int array
        Classes of labels of the known people.
    common : float
    rng : numpy.random.Generator
    progress : Progress

    Returns
    -------
    (m, 2) and (m,) arrays, or None
        Matches and how probable they are; None where rounds do as well.
    """
    some = list(trials[:_TRIALS])
    if not some:
        return None
    table = PairTable.learnt(own, rng, part(progress, 0, 0.3))
    steps = shares(part(progress, 0.3, 1), 2 * len(some) + 1)
    assigned = [file.assignment()[0] for file in some]
    best = sum(int(_right(file, old)[~file.linked(old)].sum()) for file, old in zip(some, assigned))
    chosen: tuple[float, np.ndarray, np.ndarray] | None = None
    # How many are in common is hard to tell in small files: as many as can be is tried, too.
    for number in (common, float(min(len(real.released), len(kinds)))):
        found = []
        for file in some:
            matches, sure = _named(table, file, kinds, number, rng, next(steps))
            new = ~file.linked(matches)
            found.append((_right(file, matches)[new], sure[new]))
        right, sure = (np.concatenate(each) for each in zip(*found))
        if int(right.sum()) > best:
            best, chosen = int(right.sum()), (number, sure, right)
    if chosen is None:
        return None
    number, sure, right = chosen
    matches, often = _named(table, real, kinds, number, rng, next(steps))
    worth = calibrate(sure, right).of(often)
    return matches, np.where(real.linked(matches), 1.0, worth)


def _right(file: UnderAttack, matches: np.ndarray) -> np.ndarray:
    assert file.truth is not None
    return file.truth[matches[:, 0]] == matches[:, 1]


def _named(
    table: PairTable, file: UnderAttack, kinds: np.ndarray, common: float, rng, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """Assign everybody, one to one."""
    from scipy.optimize import linear_sum_assignment

    allowed = file.allowed(kinds)
    often = matched_by_chains(table, file, allowed, common, rng, progress)
    often[file.links[:, 0], file.links[:, 1]] = 1.0
    row, column = linear_sum_assignment(np.where(allowed, often, -1.0), maximize=True)
    kept = allowed[row, column]
    matches = np.stack([row[kept], column[kept]], axis=1).astype(np.int64)
    return matches, often[row[kept], column[kept]]


@accel.kernel
def _walk(
    said, classes, candidates, number, free, person, common, temperature, hotter, every, draws
):
    """Walk, and count whom each record is with in the second half; ``person`` is where it begins."""
    records, people = len(person), said.shape[1]
    record_of = np.full(people, -1)
    matched = 0
    for i in range(records):
        if person[i] >= 0:
            record_of[person[i]] = i
            matched += 1
    count = np.zeros((records, people))
    steps = len(draws)
    half = steps // 2
    worth, slow = 0.0, max(common, 1.0) ** 0.5
    for t in range(steps):
        heat = temperature
        if t < half:
            heat = temperature * hotter ** (1.0 - t / half)
        if t % 20 == 0:  # what a match is worth by itself, so that as many are matched
            pace = 0.05 if t < half else 0.005
            worth += pace * temperature * (common - matched) / slow
        i = free[int(draws[t, 0] * len(free))]
        new = -1
        if draws[t, 1] >= 0.2:
            new = candidates[i, int((draws[t, 1] - 0.2) / 0.8 * number[i])]
        old = person[i]
        if new != old:
            other, given = -1, -1
            if new >= 0:
                other = record_of[new]
            if other >= 0 and old >= 0 and draws[t, 2] < 0.7:
                for c in range(number[other]):
                    if candidates[other, c] == old:
                        given = old
            gain = 0.0
            for j in range(records):
                who = person[j]
                if who < 0 or j == i or j == other:
                    continue
                if old >= 0:
                    gain -= said[classes[i, j], old, who]
                if new >= 0:
                    gain += said[classes[i, j], new, who]
                if other >= 0:
                    gain -= said[classes[other, j], new, who]
                    if given >= 0:
                        gain += said[classes[other, j], given, who]
            more = 0
            if old >= 0:
                more -= 1
            if new >= 0:
                more += 1
            if other >= 0:
                more -= 1
                if old >= 0:
                    gain -= said[classes[i, other], old, new]
            if given >= 0:
                more += 1
                gain += said[classes[i, other], new, given]
            gain += worth * more
            if gain >= 0 or draws[t, 3] < np.exp(gain / heat):
                person[i] = new
                if old >= 0:
                    record_of[old] = -1
                if other >= 0:
                    person[other] = given
                    if given >= 0:
                        record_of[given] = other
                if new >= 0:
                    record_of[new] = i
                matched += more
        if t >= half and t % every == 0:
            for j in range(records):
                if person[j] >= 0:
                    count[j, person[j]] += 1.0
    return count
