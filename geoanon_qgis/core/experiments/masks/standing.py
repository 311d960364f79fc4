# SPDX-License-Identifier: GPL-2.0-or-later
"""How a mask stands against a limit, by what adversaries believe in several draws of it.

What is limited is the largest probability that an adversary gives to an answer, be it of
*every record*, of *all but one in a hundred*, or *on average*, which is the share of the people who
are found by whoever guesses the likeliest. The upper end of an interval is held against it:

- on average, and of 99 %: Wilson's, with as many people as were asked for, however often they were
  masked: other people could be in the file. What was proved caps it. People who live together are above
  a limit together: of some draws nobody is, of others six in five hundred. So small files are drawn more
  often (:data:`ASKED` people in all), and of 99 % no draw may have more than one in a hundred above.
- of every record: nobody may be above in any of :data:`EVERY` draws. Another draw has somebody above
  with a probability of at most 1 / (EVERY + 1), whatever the mask: draws are exchangeable. So it is
  for 99 % of a file that is too small for an interval (:data:`FEWEST`).

Besides, whatever is limited, the share that he finds must be below it by the upper end of its
interval (:meth:`Against.ends_under`), for the verdict is on that share. Where nobody was above in any of
:data:`EVERY` draws, the surest of all is such an end.

Of whom he is surer than :data:`...verdict.SURE` is counted besides (:attr:`Against.exposed`): an
average that is low enough is no reason to show anybody.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from ...attacks.scoring import wilson
from ...verdict import SURE
from .case import RECORD, Trial
from .prior_odds import beforehand, borne

#: What is limited.
EVERY_RECORD, MOST_RECORDS, MEAN = "every", "99", "mean"
ON = (EVERY_RECORD, MOST_RECORDS, MEAN)
#: Share of the records that may be above a limit of 99 %.
ABOVE = 0.01
#: Draws in which nobody may be above a limit of every record, and draws that tell the others, at least.
EVERY, DRAWS = 40, 3
#: People whom draws that tell of 99 % ask for in all, and the most that it takes.
ASKED, MOST = 10_000, 20
#: People from which on none of them above 1 % is shown by an interval: 1.96² (1 / 0.01 - 1).
FEWEST = 381
_SAME = 1e-9
#: The ratio of prior odds, at most, of a mask that does not hold.
_NOT_KEPT = 0.99


@dataclass(frozen=True)
class Limit:
    """What is held to be acceptable.

    Attributes
    ----------
    share : float
        Above 0, below 1.
    on : str
        One of :data:`ON`.
    """

    share: float
    on: str = MOST_RECORDS

    def by_draws(self, people: int) -> bool:
        """Whether it is shown by draws without anybody above, and not by an interval."""
        return self.on == EVERY_RECORD or (self.on == MOST_RECORDS and people < FEWEST)

    def draws(self, people: int) -> int:
        """How many draws it takes to judge a mask that hangs on them."""
        if self.by_draws(people):
            return EVERY
        wanted = -(-ASKED // max(people, 1)) if self.on == MOST_RECORDS else DRAWS
        return min(max(wanted, DRAWS), MOST)

    @property
    def least(self) -> int:
        """Fewest among whom a person has to hide, if all are as likely."""
        return int(np.ceil(1.0 / self.share - _SAME))

    def least_addresses(self, prior_odds: float = 1.0) -> int:
        """The same of addresses one of which may be likelier than the others by a factor."""
        return int(np.ceil(1.0 / beforehand(self.share, prior_odds) - _SAME))


@lru_cache(maxsize=64)
def few_of(people: int) -> int:
    """How many may be above a limit that is kept by 99 % of them, by the upper end."""
    few = 0
    while few < people - 1 and wilson(few + 1, people)[1] <= ABOVE:
        few += 1
    return few


@dataclass(frozen=True)
class Against:
    """How a mask stands against one adversary.

    Attributes
    ----------
    people : int
        Asked for in each draw, and released.
    found : tuple of float
        Mean of his largest probabilities in each draw: the share that he finds.
    above : tuple of float
        Share above the limit in each.
    worst : float
        His largest probability in all draws.
    sure : tuple of int
        People of whom he is sure, in each draw.
    bound : float
        What he cannot exceed, for anybody; 1 where nothing is proved.
    certain : bool
        Whether it does not hang on the draw.
    most : tuple of float
        In each draw the probability that so few of the records exceed that 99 % of other people do
        not, by Wilson's interval.
    """

    people: int = 0
    found: tuple[float, ...] = ()
    above: tuple[float, ...] = ()
    worst: float = 0.0
    sure: tuple[int, ...] = ()
    bound: float = 1.0
    certain: bool = False
    most: tuple[float, ...] = ()

    def with_tops(self, tops: np.ndarray, limit: Limit) -> Against:
        """Return the same with one draw more."""
        tops = tops[~np.isnan(tops)]
        if not len(tops):
            return self
        return Against(
            max(self.people, len(tops)),
            (*self.found, float(tops.mean())),
            (*self.above, float((tops > limit.share * (1 + _SAME)).mean())),
            max(self.worst, float(tops.max())),
            (*self.sure, int(np.count_nonzero(tops >= SURE))),
            self.bound,
            self.certain,
            (*self.most, float(np.sort(tops)[len(tops) - 1 - few_of(len(tops))])),
        )

    @property
    def exposed(self) -> int:
        """People of whom he is sure, in the worst draw."""
        return max(self.sure, default=0)

    @property
    def mean(self) -> float:
        """Share of the people that he finds; 0 where nobody is released."""
        # What was proved is not exceeded by what rounding adds.
        return min(float(np.mean(self.found)), self.bound) if self.found else 0.0

    @property
    def ends(self) -> tuple[float, float]:
        """95 % interval of that share."""
        low, high = wilson(self.mean * self.people, self.people)
        return min(low, self.mean), max(min(high, self.bound), self.mean)

    def ends_under(self, limit: Limit) -> tuple[float, float]:
        """95 % interval of that share, by all that was seen of draws.

        Where it is shown by draws, he finds a larger share than the surest probability of all of
        them in one draw of :data:`EVERY` + 1 at most.
        """
        low, high = self.ends
        drawn = self.certain or len(self.found) >= EVERY
        if limit.by_draws(self.people) and drawn:
            high = max(min(high, self.worst), self.mean)
        # Halves and fifths that rounding made a little more are halves and fifths.
        return low, min(high, limit.share) if high <= limit.share * (1 + _SAME) else high

    def upper(self, limit: Limit) -> float:
        """Upper end of what is limited, to be held against :meth:`allowed`.

        The worst record of all draws where that is what counts.
        """
        if limit.by_draws(self.people):
            return min(self.worst, self.bound)
        if limit.on == MEAN:
            return self.ends[1]
        if self.bound <= limit.share * (1 + _SAME):
            return 0.0
        share = float(np.mean(self.above)) if self.above else 0.0
        return max(wilson(share * self.people, self.people)[1], *self.above, 0.0)

    @staticmethod
    def allowed(limit: Limit, people: int) -> float:
        """What the upper end may be."""
        most = limit.on == MOST_RECORDS and not limit.by_draws(people)
        return ABOVE if most else limit.share

    def holds(self, limit: Limit) -> bool:
        """Whether the limit is kept, as far as these draws can show."""
        if not self.people:
            return False
        return self.excess(limit) <= 1 + _SAME

    def excess(self, limit: Limit) -> float:
        """How many times what is allowed the upper end is, of what is limited or of the share."""
        over = self.upper(limit) / self.allowed(limit, self.people)
        # Of those who are judged by draws the surest is no lower than the share.
        return over if limit.by_draws(self.people) else max(over, self.ends[1] / limit.share)

    def keeps(self, on: str) -> float:
        """The smallest limit that is kept, as far as these draws show; 1 where none is shown.

        Parameters
        ----------
        on : str
            What is limited.
        """
        limit = Limit(0.5, on)
        if self.exposed or not self.people:
            return 1.0
        if limit.by_draws(self.people):
            seen = self.worst if self.certain or len(self.found) >= EVERY else 1.0
        else:
            seen = max(self.ends[1], max(self.most) if on == MOST_RECORDS else 0.0)
        return min(seen, self.bound)

    def enough(self, limit: Limit) -> bool:
        """Whether there were draws enough to say so."""
        proved = self.bound <= limit.share * (1 + _SAME)
        return proved or self.certain or len(self.found) >= limit.draws(self.people)


@dataclass(frozen=True)
class Standing:
    """How a mask of one size stands against all adversaries.

    Attributes
    ----------
    size : float
    against : dict of str to Against
        By adversary.
    withheld : float
        Share of the places that are withheld, mean over draws.
    linked : tuple of (int, int)
        Of released distances, for each of some draws: people of a neighbourhood all of whom are known,
        and how many of them attacks link; see :class:`.case.Trial`.
    """

    size: float
    against: dict[str, Against] = field(default_factory=dict)
    withheld: float = 0.0
    linked: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(
        cls, size: float, trials: Sequence[Trial], limit: Limit, certain: bool = False
    ) -> Standing:
        """Sum draws up."""
        against = {}
        for name in trials[0].tops:
            bound = min(one.bounds.get(name, 1.0) for one in trials)
            found = Against(bound=bound, certain=certain)
            for one in trials:
                found = found.with_tops(one.tops[name], limit)
            against[name] = found
        return cls(size, against, float(np.mean([one.withheld for one in trials])))

    @property
    def links(self) -> tuple[float, float, float] | None:
        """Share that is linked, and the ends of its interval; None where nobody looked.

        Draws differ by more than chance of the people does: of a neighbourhood nearly all are linked, or
        few. So the interval reaches from the lower end of the least draw to the upper end of the largest.
        """
        if not self.linked:
            return None
        ends = [wilson(right, people) for people, right in self.linked]
        share = sum(right for _, right in self.linked) / sum(people for people, _ in self.linked)
        return share, min(low for low, _ in ends), max(high for _, high in ends)

    def holds(self, limit: Limit) -> bool:
        """Whether all adversaries are kept below the limit, as far as the draws show."""
        return all(one.holds(limit) for one in self.against.values())

    def enough(self, limit: Limit) -> bool:
        """Whether there were draws enough to say so."""
        return all(one.enough(limit) for one in self.against.values())

    def keeps(self, on: str) -> float:
        """The smallest limit that is kept against all, as far as the draws show."""
        return max((one.keeps(on) for one in self.against.values()), default=1.0)

    def bears(self, limit: Limit, unswayed: Collection[str]) -> float:
        """Ratio of prior odds up to which the limit is kept, beyond what the draws allowed for.

        Endless where it is kept whatever is believed beforehand, below 1 where it is not kept at all: see
        :mod:`.prior_odds`.

        Parameters
        ----------
        limit : Limit
        unswayed : collection of str
            See :class:`.family.Family`.
        """
        found = []
        for name, one in self.against.items():
            # Which place is whose is as open only as was proved: attributes of the list may tell.
            proved = name == RECORD or one.bound <= limit.share * (1 + _SAME)
            if not (name in unswayed and proved and one.holds(limit)):
                found.append(borne(one.keeps(limit.on), limit.share))
        least = min(found, default=float("inf"))
        # The smallest limit that is kept is told a little too large: the one that holds holds.
        return max(least, 1.0) if self.holds(limit) else min(least, _NOT_KEPT)

    @property
    def exposed(self) -> int:
        """People of whom some adversary is sure, in the worst draw."""
        return max((one.exposed for one in self.against.values()), default=0)

    def worst(self, limit: Limit) -> tuple[str, Against]:
        """The adversary who comes nearest to the limit, or goes beyond it most."""

        def how_bad(item: tuple[str, Against]) -> tuple:
            return not item[1].holds(limit), item[1].excess(limit)

        return max(self.against.items(), key=how_bad)
