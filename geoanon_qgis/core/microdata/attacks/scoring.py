# SPDX-License-Identifier: GPL-2.0-or-later
"""What an attack finds, beside what the same attack finds of people who are not in the file.

Giomi, M., Boenisch, F., Wehmeyer, C. and Tasnádi, B. (2023). A unified framework for quantifying
privacy risk in synthetic data. Proceedings on Privacy Enhancing Technologies 2023(2), 312-328.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from ...attacks.scoring import wilson
from ...runtime.wording import Sentence
from ...verdict import Evidence

#: The attacks, which are also the names of their evidence.
SINGLING_OUT, LINKABILITY, INFERENCE, MEMBERSHIP = ATTACKS = (
    "singling_out",
    "linkability",
    "inference",
    "membership",
)
#: Chance that any of many attacks on a harmless release is called a sure find; and that any finds
#: more than chance is taken to explain.
_LEVEL, _BY_CHANCE = 0.01, 0.05
#: Batches from which on what goes by which of two records is nearer differs no more among harmless files than
#: where there are none: of 10 each by 1.9 points, of 4 by 3.2, of 2 by 7, of people drawn one by one by 1.3.
BATCHES = 10
#: So many attempts an attempt counts for, at most; or one for so many of them.
_MOST = 20.0
#: Chance that an attack which finds twice the limit is not above it.
_UNNOTICED = 0.01


@lru_cache(maxsize=64)  # asked for each comparison of two attacks, and SciPy's answer is slow
def level_of(attacks: int, chance: float = _LEVEL) -> float:
    """Number of standard deviations beyond which one of so many is by chance once in a hundred."""
    from scipy.stats import norm

    return float(norm.isf(chance / max(attacks, 1)))


@dataclass(frozen=True)
class Attack:
    """One attack, and how often it was right.

    Attributes
    ----------
    kind : str
        One of :data:`ATTACKS`.
    knows, wants : Sentence or str
        What the adversary has, and what he is after, in words; both are parts of a sentence.
    people : int
        How many the attack is about.
    tried, right : int, float
        Attempts on the people of the file, and how many were right.
    control_tried, control_right : int, float
        The same on people who are not in it.
    baseline : float
        Share that is right by guessing blindly.
    reach : float
        Share of the people whom the attempts are about: where only few values stand out, only
        these few can be singled out by them.
    dilution : float
        Share of the file's people who were within reach of the attempts; the excess over the
        control is only that part of what all would give.
    rows : (f,) int array
        Originals who were found.
    names : tuple of tuple of str
        Variables known, and wanted.
    of_some : bool
        Whether it is about some people only, or of so few attempts, that it counts where it surely
        finds more than is acceptable, and says nothing else.
    weighs : (float, float)
        For how many independent attempts an attempt counts, on people of the file and on others:
        more than one where it was averaged over records alike, less where one record tells of many.
    together : float
        Correlation of what is right of the two by chance, where the same records tell of both.
    batches : float
        For how many independent people one counts where more than is acceptable are to be found for sure, as
        people come in batches; see :func:`.alike.in_batches`.
    is_relative : bool
        Whether it goes by how much nearer one record is than another, which members of a batch share less.
    unseen : float
        Share of the people on whom it could not be tried with all that he knows, or who may be found and are
        hidden by a control of another population. What he would find of them nobody has seen, so that at the
        upper end they count as found.
    """

    kind: str
    knows: str
    wants: str
    people: int
    tried: int
    right: float
    control_tried: int
    control_right: float
    baseline: float
    reach: float = 1.0
    dilution: float = 1.0
    rows: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    names: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    of_some: bool = False
    weighs: tuple[float, float] = (1.0, 1.0)
    together: float = 0.0
    unseen: float = 0.0
    batches: float = 1.0
    is_relative: bool = False

    @property
    def success(self) -> float:
        """Share of the attempts that were right."""
        return self.right / self.tried if self.tried else 0.0

    @property
    def control(self) -> float:
        """Share of the attempts on people who are not in the file that were right."""
        return self.control_right / self.control_tried if self.control_tried else 0.0

    def _intervals(self, *z: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """Intervals of the two shares, by Wilson; of 95 % by default."""
        own, others = self.weighs
        return (
            wilson(self.right * own, self.tried * own, *z),
            wilson(self.control_right * others, self.control_tried * others, *z),
        )

    def excess(self) -> tuple[float, float, float]:
        """Share of the people who are found because they are in the file, with its 95 % interval.

        Returns
        -------
        share, low, high : float
            Success less control, and Newcombe's hybrid interval of it (1998, *Statistics in
            Medicine* 17, 873-890, method 10; with a correlation as in 2635-2650), as a share of
            all people.
        """
        if not self.tried:
            return 0.0, 0.0, 1.0 if self.reach else 0.0
        ends = self._excess()
        # No end is surer than that of an attack of as many attempts that found nobody.
        nobody = self.reach / self.dilution * wilson(0, self.tried)[1]
        ends = (*ends[:2], max(ends[2], nobody))
        # Rounded, so that the ends of nothing are nothing.
        share, least, most = (round(float(min(max(one, 0.0), 1.0)), 12) for one in ends)
        return share, least, most

    def _excess(self, *z: float) -> tuple[float, float, float]:
        """Success less control as a share of all people, and its interval; below nothing, too."""
        found, other = self.success, self.control
        (low, high), (control_low, control_high) = self._intervals(*z)
        below = _apart(found - low, control_high - other, self.together)
        above = _apart(high - found, other - control_low, self.together)
        scale = self.reach / self.dilution
        share, least, most = (scale * (found - other + by) for by in (0.0, -below, above))
        return share, least, most

    def is_by_chance(self, limit: float, among: int) -> bool:
        """Tell whether chance explains what is found, as the worst of many attacks finds some.

        Parameters
        ----------
        limit : float
        among : int
            How many attacks were run.

        Returns
        -------
        bool
            Whether the share is within the limit and no more than chance lets any of so many
            attacks on a harmless release find in nineteen of twenty (Bonferroni), while whoever
            finds twice the limit would surely be seen to find more than it.

        Notes
        -----
        What chance explains is told by attempts that count once each: how much surer they are,
        and how far they go together, are estimates, which the worst of many attacks has too small.
        """
        if not self.tried or not self.control_tried:
            return False
        share, _, most = (one + self.unseen for one in self._excess(level_of(1, _UNNOTICED)))
        own, others = self.weighs
        plain = replace(self, weighs=(min(own, 1.0), min(others, 1.0)), together=0.0)
        surely = plain._excess(level_of(among, _BY_CHANCE))[1]
        off = most - share + self.unseen
        return share <= limit and off <= limit and surely <= 0

    def risk(self) -> tuple[float, float, float]:
        """Risk of Giomi et al. (2023), equation (5): of those whom the control would not find.

        Returns
        -------
        share, low, high : float
            (success - control) / (1 - control), both as the centres of Wilson's intervals, and
            the 95 % interval by their half widths; as the package anonymeter counts it.
        """
        if not self.tried or not self.control_tried:
            return 0.0, 0.0, 1.0
        (low, high), (control_low, control_high) = self._intervals()
        found, other = (low + high) / 2, (control_low + control_high) / 2
        if other >= 1:
            return 0.0, 0.0, 1.0
        off = np.hypot(
            (high - low) / 2 / (1 - other),
            (control_high - control_low) / 2 * (1 - found) / (1 - other) ** 2,
        )
        share = (found - other) / (1 - other)
        ends = (
            min(max(one / self.dilution, 0.0), 1.0) for one in (share, share - off, share + off)
        )
        share, least, most = map(float, ends)
        return share, least, most

    def is_blunt(self, limit: float) -> bool:
        """Tell whether so few attempts reach above a limit even where they find nobody."""
        right = (self.baseline * self.tried, self.baseline * self.control_tried)
        return replace(self, right=right[0], control_right=right[1]).excess()[2] > limit

    def surely(self, z: float) -> float:
        """Share found for sure of those whom the control would not find.

        Parameters
        ----------
        z : float
            How many standard deviations are sure; see :func:`level_of`.
        """
        if not self.tried or not self.control_tried:
            return 0.0
        (low, _), (_, high) = self._intervals(z / np.sqrt(2))
        sure = max(0.0, (low - high) / (1 - high)) if high < 1 else 0.0
        return min(1.0, sure / self.dilution)

    def is_sure(self, limit: float, z: float) -> bool:
        """Tell whether more than an acceptable share is found for sure, be the people ever so few."""
        return self.surely(z) > limit

    @property
    def by_batch(self) -> Attack:
        """The same where all of a batch are right or wrong together, which says what is found for sure."""
        counts = self.batches
        if self.is_relative:
            counts = min(1.0, (counts * self.people / BATCHES) ** 2)
        own, others = (one * counts for one in self.weighs)
        return replace(self, weighs=(own, others), batches=1.0)

    def share(self, limit: float, z: float) -> tuple[float, float, float]:
        """Share of the people found, and its interval, as it is held against a limit.

        Of all people, those who are found because they are in the file. What they have in common
        with most others is right for these, too, and would hide who is found by what is rare:
        where more than the limit are found for sure among those whom nobody would guess, the
        share is that of these.
        """
        return self.risk() if self.is_sure(limit, z) else self.excess()

    def evidence(self, limit: float, z: float, among: int = 1) -> Evidence:
        """Return what a verdict is made of; ``among`` as in :meth:`is_by_chance`."""
        share, low, high = self.share(limit, z)
        high = min(1.0, high + self.unseen)
        if high > limit and self.is_by_chance(limit, among):
            high = limit
        low = max(low, self.surely(z)) if self.is_sure(limit, z) else low
        if self.batches < 1:
            low = min(low, self.by_batch.surely(z))
        share = min(max(share, low), high)
        found = Evidence(self.kind, self.people, share * self.people, low, high, True)
        return replace(found, rates=(self.success, self.control, self.baseline))

    @property
    def sentence(self) -> Sentence:
        """What he did and found, in words."""
        return Sentence(
            "Who knows {knows} {wants}: right in {right:.1f} % of {tried:,} attempts on people "
            "of the file, in {control:.1f} % of {others:,} on people who are not in it, and in "
            "{blind:.1f} % by guessing blindly.",
            knows=self.knows,
            wants=self.wants,
            right=100 * self.success,
            tried=self.tried,
            control=100 * self.control,
            others=self.control_tried,
            blind=100 * self.baseline,
        )


def effective(alone: float, variance: float) -> float:
    """For how many independent attempts each of some counts; for one where all or none are right.

    Parameters
    ----------
    alone : float
        Variance of what is found if attempts were independent.
    variance : float
        What it is.
    """
    if variance < 1e-12 * alone or alone < 1e-12:
        return 1.0
    return float(np.clip(alone / variance, 1 / _MOST, _MOST))


def _apart(first: float, second: float, together: float) -> float:
    """Spread of a difference of two shares from theirs, and how far they go together."""
    return float(np.sqrt(max(first**2 + second**2 - 2 * together * first * second, 0.0)))
