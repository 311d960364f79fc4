# SPDX-License-Identifier: GPL-2.0-or-later
"""What draws say of one row of parameters: ruled out, held, or not known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice

from ..over_draws import CONFIDENCE, LEAST_DRAWS, Interval, interval
from .adversary import Overlap
from .drawn import Drawn

#: What is known of a row. Ruled out: the lower end of an interval is above its limit, or labels
#: alone give more people away. Held: the upper ends of all are not, and there are draws enough to say
#: so of new ones. Cut off: an attack did not come
#: to its end, so that it cannot hold. Open: neither, by the draws there are.
RULED_OUT, HELD, CUT_OFF, OPEN = "ruled_out", "held", "cut_off", "open"


@dataclass(frozen=True)
class Limits:
    """What is acceptable.

    Attributes
    ----------
    precision : float
        Highest share that may be right of an attack's claims, or of its surest guesses.
    share : float
        Highest share of the people who may be found.
    """

    precision: float
    share: float


@dataclass(frozen=True)
class Standing:
    """What attacks made of a row with one overlap.

    Attributes
    ----------
    overlap : Overlap
        Which of the released people the adversary knows.
    draws : tuple of Drawn
    sure : float
        How sure each end of an interval is, however often it is looked at.
    by_labels : float
        Share of the people whom guessing by labels finds, without any distance.
    """

    overlap: Overlap
    draws: tuple[Drawn, ...] = ()
    sure: float = CONFIDENCE
    by_labels: float = 0.0

    @property
    def people(self) -> int:
        """Who can be found in one draw."""
        return self.draws[0].people if self.draws else 0

    @property
    def proven(self) -> bool:
        """Whether no attack was cut off."""
        return all(one.proven for one in self.draws)

    def proven_by(self, attack: str) -> bool:
        """Whether one attack was never cut off."""
        return all(
            each.proven for one in self.draws for each in one.attempts if each.attack == attack
        )

    @property
    def found(self) -> Interval:
        """Share of the people who are found: the highest of :attr:`ways`."""
        return max(self.ways, key=_by_upper_end)

    @property
    def ways(self) -> tuple[Interval, ...]:
        """Shares found by claims of all attacks together, and by what each guesses at everybody."""
        claimed = self._shares(lambda one: one.found)
        return (claimed, *map(self.guessed_by, self.attacks))

    def found_by(self, attack: str) -> Interval:
        """Share of the people whom one attack finds, over the draws that it met."""
        claimed = self._met(attack)._shares(
            lambda one: sum(each.right for each in one.attempts if each.attack == attack)
        )
        return max(claimed, self.guessed_by(attack), key=_by_upper_end)

    def guessed_by(self, attack: str) -> Interval:
        """Share found if the likeliest person is taken for each record, claimed or not.

        Where distances help to guess, for certain, the upper end is for single draws, too: he who
        names everybody finds as many as it says, and more in some draws than in others. What does no
        better than labels alone is luck, and is judged as these are, by what is to be expected: by
        the mean.
        """
        of_mean = self._guessed(attack, of_draws=False)
        return self._guessed(attack) if of_mean.low > self.by_labels else of_mean

    @property
    def luckiest(self) -> float:
        """Share of the people whom naming the likeliest finds in a single draw at most."""
        return max((self._guessed(name).high for name in self.attacks), default=1.0)

    def _guessed(self, attack: str, of_draws: bool = True) -> Interval:
        return self._met(attack)._shares(
            lambda one: sum(each.guessed for each in one.attempts if each.attack == attack),
            of_draws,
        )

    def _met(self, attack: str) -> Standing:
        """The same with the draws that one attack met."""
        met = [one for one in self.draws if any(each.attack == attack for each in one.attempts)]
        return replace(self, draws=tuple(met))

    def precision_of(self, attack: str) -> Interval:
        """Share that is right of whom one attack names: the highest of :meth:`precise_ways`."""
        return max(self.precise_ways(attack), key=_by_upper_end)

    def precise_ways(self, attack: str) -> tuple[Interval, ...]:
        """Share right of the claims, and of the surest 1, 2, 4 ... it might name, claimed or not.

        0 in draws where nobody is named. How sure an attack is may be less than it could be (under
        noise it is a lower bound), so that nobody is claimed of whom many would be right: an adversary
        is free to name whom he likes. Of the surest one or two much is luck, so that their ends are
        those of the mean and not of single draws.
        """
        tried = [each for one in self.draws for each in one.attempts if each.attack == attack]
        claimed = interval([each.precision for each in tried], self.sure)
        most = max((len(each.surest) for each in tried), default=0)
        return (
            claimed,
            *(
                interval([each.right_of_surest(step) for each in tried], self.sure, False)
                for step in range(most)
            ),
        )

    @property
    def attacks(self) -> tuple[str, ...]:
        """Which attacks were run, in their order."""
        return tuple(dict.fromkeys(each.attack for one in self.draws for each in one.attempts))

    @property
    def precision(self) -> Interval:
        """That of the attack whose upper end is the highest."""
        found = [self.precision_of(name) for name in self.attacks]
        return max(found, key=lambda one: one.high, default=Interval(0.0, 0.0, 1.0, 0))

    def decided(self, limits: Limits) -> str:
        """One of :data:`RULED_OUT`, :data:`HELD`, :data:`CUT_OFF` and :data:`OPEN`."""
        found = self.ways
        each = [one for name in self.attacks for one in self.precise_ways(name)]
        if any(one.low > limits.share for one in found):
            return RULED_OUT
        if any(one.low > limits.precision for one in each):
            return RULED_OUT
        if not self.proven:
            return CUT_OFF
        if len(self.draws) < LEAST_DRAWS:
            return OPEN
        if any(one.high > limits.share for one in found):
            return OPEN
        if all(one.high <= limits.precision for one in each):
            return HELD
        return OPEN

    def may_hold(self, limits: Limits, most: int) -> bool:
        """Tell whether it would hold if all draws up to a number were like those there are."""
        like = islice(cycle(self.draws), max(most, len(self.draws)))
        return replace(self, draws=tuple(like)).decided(limits) == HELD

    def with_draws(self, more: Iterable[Drawn]) -> Standing:
        """Return the same with further draws."""
        return replace(self, draws=(*self.draws, *more))

    def _shares(self, right, of_draws: bool = True) -> Interval:
        return interval([right(one) / one.people for one in self.draws], self.sure, of_draws)


def _by_upper_end(one: Interval) -> tuple[float, float]:
    return one.high, one.mean


@dataclass(frozen=True)
class RowRisk:
    """What attacks made of a row.

    Attributes
    ----------
    standings : tuple of Standing
        One for each overlap, the largest first, of the attacks that meet every row.
    slow : tuple of Standing
        Of the attacks that meet only rows which would be recommended, with the largest overlap: one
        for the people here and there, and one for neighbours, where these are tried.
    screened : Standing or None
        The few draws that every row has met, with the largest overlap. Which rows are followed
        further is chosen by them, so that they are no evidence that one holds.
    guessed : float
        Share of the people whom guessing by labels finds, without any distance.
    """

    standings: tuple[Standing, ...]
    slow: tuple[Standing, ...] = ()
    screened: Standing | None = None
    guessed: float = 0.0

    @classmethod
    def of(cls, overlaps: Sequence[Overlap], guessed: float = 0.0) -> RowRisk:
        """Return a row that nobody has attacked yet."""
        standings = tuple(Standing(one, by_labels=guessed) for one in overlaps)
        return cls(standings, guessed=guessed)

    @property
    def first(self) -> Standing:
        """Of the largest overlap: what was found there when the row was followed, or screened."""
        one = self.standings[0]
        return one if one.draws or self.screened is None else self.screened

    @property
    def all(self) -> tuple[Standing, ...]:
        """Every standing that has draws; what was screened, as long as nothing else is known."""
        every = (*self.standings, *self.slow)
        followed = tuple(one for one in every if one.draws)
        return followed or tuple(one for one in (self.screened,) if one is not None and one.draws)

    @property
    def worst(self) -> Standing:
        """That whose upper end of the share found is the highest; where equal, of the most found."""
        return max(self.all, key=lambda one: (one.found.high, one.found.mean))

    @property
    def most_precise(self) -> Standing:
        """That whose upper end of the precision is the highest."""
        return max(self.all, key=lambda one: (one.precision.high, one.precision.mean))

    @property
    def proven(self) -> bool:
        """Whether no attack was cut off."""
        return all(one.proven for one in self.all)

    def decided(self, limits: Limits) -> str:
        """What is known by the attacks that were run: the worst overlap decides."""
        if self.guessed > limits.share:
            return RULED_OUT
        states = [one.decided(limits) for one in self.all]
        for state in (RULED_OUT, CUT_OFF):
            if state in states:
                return state
        every = all(one.draws for one in self.standings)
        return HELD if every and set(states) == {HELD} else OPEN

    def followed(self, sure: float) -> RowRisk:
        """Return the same, to be followed further with ends that are so sure."""
        return replace(self, standings=tuple(replace(one, sure=sure) for one in self.standings))

    def with_standing(self, standing: Standing) -> RowRisk:
        """Return the same with another standing in the place of that with its overlap."""
        return replace(
            self,
            standings=tuple(
                standing if one.overlap == standing.overlap else one for one in self.standings
            ),
        )
