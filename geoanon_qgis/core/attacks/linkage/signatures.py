# SPDX-License-Identifier: GPL-2.0-or-later
"""The signature attack: who is who in released distances, without attributes if need be.

A record's distances to all others, whoever these are, are a signature of where it is; an
adversary who knows how a release was made, and most of the people in it, recognises many by that
alone. Matches that he has then tell about all others, by their distances to them. Kin of it are
the attacks by graph matching on encoded records (Vidanage, Christen, Ranbaduge & Schnell 2020, A
graph matching attack on privacy-preserving record linkage, CIKM; Heng, Armknecht, Chen & Schnell
2022, PLoS ONE 17:9, doi 10.1371/journal.pone.0267893).

1. Release the known people again and again, beside strangers (:mod:`.own_releases`), and learn how
   each one's signature varies (:mod:`.row_signatures`) and what a distance says of the true one
   (:mod:`.pair_evidence`).
2. See how many people the files have in common: make releases with more and with fewer, attack
   all alike, and see which the release looks like (Beaumont, Zhang & Balding 2002).
3. Make releases with as many in common, and attack these and the real one side by side: by
   signatures, then round by round by the distances to the matches so far. How much what is said
   weighs is learnt in each round where the truth is known (:mod:`.candidate_odds`).
4. So every match has a probability, calibrated by what was right in one's own releases.
"""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from ...runtime.errors import InputError
from ...runtime.memory import refuse_unless_fits
from ...runtime.progress import Late, Progress, interruptible, part, shares, silent, until
from ...runtime.wording import Sentence, mark, number_of
from ..cliques.product_graph import label_classes
from .candidate_odds import Odds, calibrate
from .common_people import regressed, told_by
from .inputs import Files
from .intervals import true_distances
from .known_links import checked_links, room_of
from .own_releases import OwnReleases
from .pair_evidence import Learning, PairEvidence
from .result import NO_VERTICES
from .row_signatures import Signatures, levels_of, signatures_of
from .signature_files import AT_FIRST, OTHERS, UnderAttack, learnt_odds
from .signature_result import UNLIMITED, Meter, SignatureLimits, SignatureResult, nothing_found

#: Least confidence of a match that is claimed.
THRESHOLD = 0.5
#: Releases that signatures are learnt from, and cells of all of them together beyond which it is
#: fewer, but not fewer than the least.
_REPEATS, _REPEATS_CELLS, _LEAST_REPEATS = 40, 60_000_000, 16
#: Records, in releases that weights are learnt from; least and most of these releases.
_LEARNT, _LEAST_RELEASES, _MOST_RELEASES = 2400, 3, 12
#: Part of the typical distance that is none.
_NOTHING = 1e-5
#: Records, in releases that tell how many are in common; least and most of these releases.
_TRIED, _TRIALS = 6000, (8, 12)
#: Share of the time or work that they may take, but for so many.
_FOR_TRIALS, _LEAST_TRIALS = 0.4, 5
#: Rounds end when the expected matches change by less than this share.
_ENOUGH = 0.002
#: Records or people below which there is nothing to learn from.
_LEAST = 8
#: What weighs how much in the trials, when distances to likely matches are known.
_IN_TRIALS = Odds(np.array([0.33, 0.15, 0.15, 0.1, 0.01]), 2.0)

_TOO_FEW = mark(
    "The signature attack needs eight released records and eight known people at least: with fewer,"
    " their distances look like many others."
)
_ONE_PLACE = mark(
    "All known people are at one place: distances tell nobody from anybody. Only attributes can."
)
_NOBODY = mark(
    "No match is sure enough to be claimed: with so few people in both files, or distances changed"
    " so much, signatures tell too little."
)


def signature_attack(
    files: Files,
    *,
    common: int | None = None,
    threshold: float = THRESHOLD,
    rng: np.random.Generator,
    progress: Progress = silent,
    limits: SignatureLimits = UNLIMITED,
) -> SignatureResult:
    """Link released distances with a register by signatures.

    Parameters
    ----------
    files : Files
        Of the rule, ``alpha`` and the numbers of replicates and pairs are not used.
    common : int, optional
        How many people both files have; estimated when left out.
    threshold : float
        Least confidence of a match that is claimed, between 0 and 1.
    rng : numpy.random.Generator
    progress : Progress
    limits : SignatureLimits

    Returns
    -------
    SignatureResult

    Raises
    ------
    InputError
        If the parts do not fit together, a known link cannot be true, the rule does not say how
        distances came about, or the work does not fit into memory.
    """
    given, metric = files.settled(), files.metric
    places, (_, above) = given.points, given.rounding
    records, people = len(given.matrix), len(places)
    _check(threshold, common, min(records, people))
    own = OwnReleases(files.rule, places, metric, releases=given.releases, rounding=given.rounding)
    kinds = label_classes(files.target_labels, files.known_labels)[:2]
    pairs = _agreeing(*kinds)
    if not pairs and not len(files.known_links):
        return nothing_found(NO_VERTICES, pairs, unable=False)
    if min(records, people) < _LEAST:
        return nothing_found(_TOO_FEW, pairs)
    if not np.ptp(metric.coordinates(places), axis=0).any():
        return nothing_found(_ONE_PLACE, pairs)
    _refuse_unless_fits(records, people)
    true = true_distances(places, metric, part(progress, 0, 0.02))
    square = given.square()
    links = checked_links(
        files.known_links,
        square,
        true,
        room_of(true, given.rounding) if own.contractive else np.inf,
        given.names,
        unit=metric.unit,
        common=common,
    )
    square = np.maximum(square - above, 0.0)
    np.fill_diagonal(square, 0.0)
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    attack = _Attack(own, true, UnderAttack(square, kinds[0], links), kinds[1], limits, rng)
    late = False
    try:
        attack.run(common, until(part(progress, 0.02, 1.0), deadline))
    except Late:
        late = True
    result = attack.result(threshold, pairs, late)
    progress(1.0)
    return result.holding(links)


class _Attack:
    """One attack, and how far it has come."""

    def __init__(
        self,
        own: OwnReleases,
        true: np.ndarray,
        real: UnderAttack,
        kinds: np.ndarray,
        limits: SignatureLimits,
        random: np.random.Generator,
    ):
        self._own, self._true, self._real, self._kinds = own, true, real, kinds
        self._limits, self._random = limits, random
        self._meter = Meter(limits)
        self._records, self._people = len(real.released), len(own.places)
        self._most = min(self._records, self._people)
        self._common = (float("nan"), float("nan"))
        self._found: tuple[np.ndarray, np.ndarray] | None = None
        self._releases = self._rounds = 0
        self._signatures: Signatures
        self._evidence: PairEvidence

    def run(self, common: int | None, progress: Progress) -> None:
        """Attack; what has been found by then stays found when the time is over."""
        if common is None:
            spread = _spread(int(np.clip(_TRIED // self._most, *_TRIALS)))
            self._learn(spread, part(progress, 0, 0.1))
            mean, deviation = self._estimated(spread, part(progress, 0.1, 0.4))
            self._common = (mean * self._most, deviation * self._most)
        else:
            mean, deviation = common / self._most, 0.0
            self._common = (float(common), 0.0)
        number = self._limits.releases or int(
            np.clip(-(-_LEARNT // self._records), _LEAST_RELEASES, _MOST_RELEASES)
        )
        if self._meter.used() > _FOR_TRIALS:
            number = min(number, _LEAST_RELEASES)
        drawn = np.clip(mean + deviation * _quantiles(number), 1 / self._most, 1.0)
        self._learn(drawn, part(progress, 0.4, 0.5))
        steps = shares(part(progress, 0.5, 0.6), number)
        files = [self._made(share, step) for share, step in zip(drawn, steps)]
        self._releases = len(files)
        self._match(files, part(progress, 0.6, 1.0))

    def _learn(self, shares_in_common: np.ndarray, progress: Progress) -> None:
        """Learn signatures and densities from releases with such shares in common."""
        people, records = self._people, self._records
        cells = people * records
        number = int(np.clip(_REPEATS_CELLS // cells, _LEAST_REPEATS, _REPEATS))
        levels = levels_of(records - 1)
        least = _NOTHING * float(np.median(self._true[self._true > 0]))
        learning = Learning(self._true, self._own.contractive, least)
        seen = np.empty((number, people, len(levels)))
        for at, step in enumerate(shares(part(progress, 0, 0.95), number)):
            count = max(1, round(float(shares_in_common[at % len(shares_in_common)]) * self._most))
            kept = self._random.choice(people, count, replace=False)
            strangers = self._own.strangers(records - count, self._random)
            columns = np.concatenate([kept, np.arange(people, people + records - count)])
            self._meter.spend(cells)
            found = self._own.between(
                np.concatenate([self._own.places, strangers]),
                np.arange(people),
                columns,
                self._random,
                part(step, 0, 0.4),
            )
            learning.add(found, columns, count, part(step, 0.4, 0.7))
            seen[at] = signatures_of(found, columns, levels, least, part(step, 0.7, 1))
        self._signatures = interruptible(
            lambda: Signatures.learnt(seen, levels, least), progress, 0.95
        )
        self._evidence = interruptible(learning.evidence, progress, 1.0)

    def _made(self, share: float, progress: Progress) -> UnderAttack:
        """Make a release of one's own with such a share in common."""
        people, records = self._people, self._records
        count = max(1, round(float(share) * self._most))
        who = self._random.choice(people, count, replace=False)
        strangers = self._own.strangers(records - count, self._random)
        like = self._kinds[self._random.integers(people, size=records - count)]
        order = self._random.permutation(records)
        points = np.concatenate([self._own.places[who], strangers])[order]
        truth = np.concatenate([who, np.full(records - count, -1)])[order]
        kinds = np.concatenate([self._kinds[who], like])[order]
        sure = self._random.permutation(np.flatnonzero(truth >= 0))[: len(self._real.links)]
        self._meter.spend(records * records)
        square = self._own.square(points, self._random, progress)
        np.fill_diagonal(square, 0.0)
        return UnderAttack(square, kinds, np.stack([sure, truth[sure]], axis=1), truth)

    def _estimated(self, spread: np.ndarray, progress: Progress) -> tuple[float, float]:
        """Share of the smaller file that is in both, and its standard deviation."""
        steps = shares(progress, 1 + len(spread))
        here = self._tried(self._real, next(steps))
        told: list[list[float]] = []
        for share, step in zip(spread, steps):
            if len(told) >= _LEAST_TRIALS and self._meter.used() > _FOR_TRIALS:
                break
            file = self._made(share, part(step, 0, 0.1))
            told.append(self._tried(file, part(step, 0.1, 1.0)))
        return regressed(np.array(told), spread[: len(told)], np.array(here))

    def _tried(self, file: UnderAttack, progress: Progress) -> list[float]:
        """Attack a release in the same way as others, and see how sure that is."""
        self._begin(file, part(progress, 0, 0.5))
        file.settle(AT_FIRST, self._people)
        self._support(file, part(progress, 0.5, 1.0))
        score = file.settle(_IN_TRIALS, self._people)
        return told_by(score, file.surest())

    def _match(self, trials: list[UnderAttack], progress: Progress) -> None:
        """Attack all files round by round, and learn in each from those whose truth is known."""
        files = [self._real, *trials]
        rounds = self._limits.rounds
        expected, odds = 0.0, AT_FIRST
        for number, whole in enumerate(shares(progress, rounds + 1)):
            for file, step in zip(files, shares(part(whole, 0, 0.9), len(files))):
                if number > 1:
                    self._renew(file, odds, part(step, 0, 0.3))
                if number:
                    self._support(file, part(step, 0.3, 1))
                else:
                    self._begin(file, step)
            odds = interruptible(partial(learnt_odds, trials), whole, 0.9)
            for file in files:
                file.settle(odds, self._people)
            self._found = interruptible(lambda: self._outcome(trials), whole, 0.95)
            self._rounds = number
            now = float(sum(file.surest().sum() for file in files))
            if abs(now - expected) < _ENOUGH * max(now, 1.0):
                break
            expected = now

    def _begin(self, file: UnderAttack, progress: Progress) -> None:
        self._meter.spend(self._records * self._people)
        file.begin(self._signatures, self._evidence, self._kinds, progress)

    def _renew(self, file: UnderAttack, odds: Odds, progress: Progress) -> None:
        self._meter.spend(file.work_anew)
        file.renew(self._evidence, odds, self._kinds, progress)

    def _support(self, file: UnderAttack, progress: Progress) -> None:
        self._meter.spend(file.work)
        file.support(self._evidence, progress)

    def _outcome(self, trials: list[UnderAttack]) -> tuple[np.ndarray, np.ndarray]:
        """Assign everybody, and say how sure that is by how it was in one's own releases."""
        chances, rights = [], []
        for file in trials:
            assert file.truth is not None
            matches, chance = file.assignment(self._people)
            right = file.truth[matches[:, 0]] == matches[:, 1]
            free = ~file.linked(matches)
            chances.append(chance[free])
            rights.append(right[free])
        matches, chance = self._real.assignment(self._people)
        learnt = calibrate(np.concatenate(chances), np.concatenate(rights))
        chance = np.where(self._real.linked(matches), 1.0, learnt.of(chance))
        return matches, chance

    def result(self, threshold: float, pairs: int, late: bool) -> SignatureResult:
        """Return what was found."""
        if self._found is None:
            matches, chance = np.empty((0, 2), np.int64), np.empty(0)
        else:
            matches, chance = self._found
        claimed = chance >= threshold
        return SignatureResult(
            matches=matches[claimed],
            in_every=None,
            support=chance[claimed],
            vertices=pairs,
            edges=0,
            search=None,
            coverage=None,
            note="" if claimed.any() else _NOBODY,
            cut_off=late,
            guesses=matches,
            chance=chance,
            common=self._common,
            releases=self._releases,
            rounds=self._rounds,
            work=self._meter.done,
        )


def _spread(number: int) -> np.ndarray:
    """Return shares from little to one, such that the first of them are spread, too."""
    share = np.linspace(1 / number, 1.0, number)
    # Halves, quarters, eighths (van der Corput 1935).
    order = [int(f"{at:05b}"[::-1], 2) for at in range(32)]
    return np.array([share[-1 - at] for at in sorted(range(number), key=lambda at: order[at])])


def _quantiles(number: int) -> np.ndarray:
    """Evenly spread quantiles of the standard normal distribution."""
    from scipy.special import ndtri

    return ndtri((np.arange(number) + 0.5) / number)


def _check(threshold: float, common: int | None, most: int) -> None:
    if not 0 <= threshold <= 1:
        raise InputError(
            "The least confidence is {threshold:g}; it has to be between 0 and 1.",
            threshold=threshold,
        )
    if common is not None and not 1 <= common <= most:
        raise InputError(
            "The files are said to have {common} in common; the smaller one has {most}.",
            common=number_of(common, "person", "people"),
            most=number_of(most, "record", "records"),
        )


def _agreeing(kind_target: np.ndarray, kind_known: np.ndarray) -> int:
    """Pairs of a record and a person with the same labels."""
    most = int(max(kind_target.max(initial=-1), kind_known.max(initial=-1))) + 1
    one, other = (
        np.bincount(kinds[kinds >= 0], minlength=most) for kinds in (kind_target, kind_known)
    )
    return int(one @ other)


def _refuse_unless_fits(records: int, people: int) -> None:
    """Refuse what takes more memory than there is: a few releases, some of them at a time."""
    releases = 1 + int(np.clip(-(-_LEARNT // records), _LEAST_RELEASES, _MOST_RELEASES))
    each = records * (10.0 * records + 8 * OTHERS + 4_000)
    need = releases * each + 26.0 * people * people + 70.0 * records * max(people, records)
    refuse_unless_fits(
        need,
        number_of(records, "released record", "released records"),
        Sentence("the signature attack"),
        Sentence("Attack a part of the released table."),
    )
