# SPDX-License-Identifier: GPL-2.0-or-later
"""Rounds of matching by signatures, beside files of one's own that say how sure a match is.

Who the records are compared with, and how files of one's own are made, is the business of a
:class:`Source`: the people of a register (:mod:`.signatures`), or the records of another release
(:mod:`.release_links`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from ...runtime.progress import Progress, interruptible, part, shares
from .candidate_odds import Odds, calibrate
from .common_people import regressed, told_by
from .signature_files import AT_FIRST, Register, UnderAttack, learnt_odds
from .signature_result import Meter, SignatureLimits

#: Records, in releases that weights are learnt from; least and most of these releases.
_LEARNT, _LEAST_RELEASES, _MOST_RELEASES = 2400, 3, 12
#: Records, in releases that tell how many are in common; least and most of these releases.
_TRIED, _TRIALS = 6000, (8, 12)
#: Share of the time or work that they may take, but for so many.
_FOR_TRIALS, _LEAST_TRIALS = 0.4, 5
#: Rounds end when the expected matches change by less than this share.
_ENOUGH = 0.002
#: Of so many files with people in common, one more has none, where that may be.
_OF_STRANGERS = 3
#: What weighs how much in the trials, when distances to likely matches are known.
_IN_TRIALS = Odds(np.array([0.33, 0.15, 0.15, 0.1, 0.01]), 2.0)


class Source(Protocol):
    """What is attacked, and files of one's own like it.

    Attributes
    ----------
    records, people : int
        Of the file under attack, and whom its records are compared with.
    strangers : bool
        Whether it may well be that nobody is in both: some files of one's own are like that.
    """

    records: int
    people: int
    strangers: bool

    def learn(self, shares_in_common: np.ndarray, progress: Progress) -> None:
        """Learn from releases with such shares of the smaller file in common."""

    def made(self, share: float, progress: Progress) -> UnderAttack:
        """Make a file of one's own with such a share in common."""

    def register_of(self, file: UnderAttack) -> Register:
        """Return whom the records of a file are compared with, by what was learnt last."""


@dataclass(eq=False)
class Matched:
    """What rounds have come to.

    Attributes
    ----------
    matches : (m, 2) int array
        Assigned candidates, one to one.
    chance : (m,) array
        How probable they are, as it was right in one's own files.
    common : (float, float)
        People in common, and the standard deviation of that.
    releases, rounds : int
        Files of one's own, and rounds that were finished.
    """

    matches: np.ndarray
    chance: np.ndarray
    common: tuple[float, float]
    releases: int = 0
    rounds: int = 0


def releases_of_own(records: int) -> int:
    """How many releases weights are learnt from, by the records of each."""
    return int(np.clip(-(-_LEARNT // records), _LEAST_RELEASES, _MOST_RELEASES))


class Rounds:
    """One attack; how far it has come is there whenever time runs out.

    Attributes
    ----------
    found : Matched
    trials : list of UnderAttack
        Files of one's own that were attacked beside the real one, once the rounds are over.
    """

    def __init__(self, source: Source, real: UnderAttack, limits: SignatureLimits, meter: Meter):
        self._source, self._real, self._limits, self._meter = source, real, limits, meter
        self._most = min(source.records, source.people)
        nothing = np.empty((0, 2), np.int64), np.empty(0)
        self.found = Matched(*nothing, (float("nan"), float("nan")))
        self.trials: list[UnderAttack] = []

    def run(self, common: int | None, progress: Progress) -> None:
        """Attack; what has been found by then stays found when the time is over."""
        source = self._source
        if common is None:
            spread = _spread(int(np.clip(_TRIED // self._most, *_TRIALS)))
            source.learn(spread, part(progress, 0, 0.1))
            if source.strangers:
                spread = np.insert(spread, [1, 2, 3], 0.0)
            mean, deviation = self._estimated(spread, part(progress, 0.1, 0.4))
            self.found.common = (mean * self._most, deviation * self._most)
        else:
            mean, deviation = common / self._most, 0.0
            self.found.common = (float(common), 0.0)
        number = self._limits.releases or releases_of_own(source.records)
        if self._meter.used() > _FOR_TRIALS:
            number = min(number, _LEAST_RELEASES)
        drawn = np.clip(mean + deviation * _quantiles(number), 1 / self._most, 1.0)
        source.learn(drawn, part(progress, 0.4, 0.5))
        if source.strangers:
            drawn = np.append(drawn, np.zeros(-(-number // _OF_STRANGERS)))
        steps = shares(part(progress, 0.5, 0.6), len(drawn))
        files = [source.made(share, step) for share, step in zip(drawn, steps)]
        self.found.releases = len(files)
        self._match(files, part(progress, 0.6, 1.0))
        self.trials = files

    def _estimated(self, spread: np.ndarray, progress: Progress) -> tuple[float, float]:
        """Share of the smaller file that is in both, and its standard deviation."""
        steps = shares(progress, 1 + len(spread))
        here = self._tried(self._real, next(steps))
        told: list[list[float]] = []
        for share, step in zip(spread, steps):
            if len(told) >= _LEAST_TRIALS and self._meter.used() > _FOR_TRIALS:
                break
            file = self._source.made(share, part(step, 0, 0.1))
            told.append(self._tried(file, part(step, 0.1, 1.0)))
        return regressed(np.array(told), spread[: len(told)], np.array(here))

    def _tried(self, file: UnderAttack, progress: Progress) -> list[float]:
        """Attack a release in the same way as others, and see how sure that is."""
        self._begin(file, part(progress, 0, 0.5))
        file.settle(AT_FIRST)
        self._support(file, part(progress, 0.5, 1.0))
        score = file.settle(_IN_TRIALS)
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
                file.settle(odds)
            outcome = interruptible(lambda: self._outcome(trials), whole, 0.95)
            self.found.matches, self.found.chance = outcome
            self.found.rounds = number
            now = float(sum(file.surest().sum() for file in files))
            if abs(now - expected) < _ENOUGH * max(now, 1.0):
                break
            expected = now

    def _begin(self, file: UnderAttack, progress: Progress) -> None:
        self._meter.spend(self._source.records * self._source.people)
        file.begin(self._source.register_of(file), progress)

    def _renew(self, file: UnderAttack, odds: Odds, progress: Progress) -> None:
        self._meter.spend(file.work_anew)
        file.renew(odds, progress)

    def _support(self, file: UnderAttack, progress: Progress) -> None:
        self._meter.spend(file.work)
        file.support(progress)

    def _outcome(self, trials: list[UnderAttack]) -> tuple[np.ndarray, np.ndarray]:
        """Assign everybody, and say how sure that is by how it was in one's own releases."""
        chances, rights = [], []
        for file in trials:
            assert file.truth is not None
            matches, chance = file.assignment()
            right = file.truth[matches[:, 0]] == matches[:, 1]
            free = ~file.linked(matches)
            chances.append(chance[free])
            rights.append(right[free])
        matches, chance = self._real.assignment()
        learnt = calibrate(np.concatenate(chances), np.concatenate(rights))
        chance = np.where(self._real.linked(matches), 1.0, learnt.of(chance))
        return matches, chance


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
