# SPDX-License-Identifier: GPL-2.0-or-later
"""The smallest size of a mask that holds: looked for on some draws, judged on others.

1. A size is looked for on a sample of the records and the same random numbers for all sizes: what
   differs between two sizes is what the size does. From a first guess sizes go as far up or down as
   the limit is missed; between one that does not hold and one that may, by interpolation and bisection.
2. It is judged on draws that were not looked at before, on more records, by all that is known. Where
   it does not hold, the next larger size is judged on other draws, and so on, a few times.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...attacks.scoring import wilson
from ...runtime.errors import InputError
from ...runtime.progress import Progress, part, shares, silent
from ...runtime.wording import Sentence
from .case import Case, Trial
from .family import Family
from .prior_odds import swayed
from .standing import ABOVE, EVERY_RECORD, MEAN, Against, Limit, Standing

#: Records that are asked for while a size is looked for, and when it is judged.
_SEARCHED, _JUDGED = 1_500, 5_000
#: Draws by which a size is looked for where nobody may be above in any.
_LOOKED_AT = 4
#: Sizes that are judged, and how much larger each is than the one before, at least.
_STEPS, _LARGER = 6, 1.08
#: Share of the difference of two sizes that a step between them has to take, or the next one halves
#: it; from one size to the next at least and at most, where only one side is known.
_HALF, _UP, _FARTHEST = 0.5, 1.3, 8.0
#: The least steps up where large sizes take long: one is so much longer than the one before.
_STEP = 1.15
#: A size that misses the limit so much in one draw misses it in others.
_MISSED = 1.25
#: Share of the records that a mask may withhold and still be one to choose.
MOST_WITHHELD = 0.05
#: Draws of which it is measured what is kept.
_TOLD = 3
#: What is left of the bar after each size that is tried.
_PACE = 0.8
#: What tells randomness of releases made of masked points from that of draws.
_FINISHING = 7
#: Numbers of draws that a size is judged by: none of those by which it was found.
_FRESH = 1_000

#: What families share: trials that were made to tell how long it takes.
BEGUN = "begun"

#: What came of a mask.
HELD, RULED_OUT, OPEN, IMPOSSIBLE = "held", "ruled_out", "open", "impossible"


@dataclass(frozen=True, eq=False)
class Found:
    """What came of looking for a size.

    Attributes
    ----------
    family : Family
    state : str
        ``HELD``; ``RULED_OUT``, not even the largest size holds; ``OPEN``, it came near, and was
        not shown to hold; ``IMPOSSIBLE``, no such mask can be made of these data.
    standing : Standing or None
        Of the size that was judged last; None where none could be tried.
    released : tuple of Trial
        Some draws of that size.
    why : Sentence or None
        Why it is impossible.
    values : dict of str to float
        What it keeps, by measure.
    parameters : dict
        Of the algorithm, with that size.
    """

    family: Family
    state: str
    standing: Standing | None = None
    released: tuple[Trial, ...] = ()
    why: Sentence | None = None
    values: dict[str, float] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)


def find(
    family: Family,
    case: Case,
    limit: Limit,
    seed: int,
    shared: dict[str, Any],
    progress: Progress = silent,
) -> Found:
    """Find the smallest size of a mask that holds.

    Parameters
    ----------
    family : Family
    case : Case
    limit : Limit
    seed : int
    shared : dict
        What families have in common; filled as needed.
    progress : Progress
    """
    try:
        sizes = family.sizes(case)
        if not len(sizes):
            return Found(family, IMPOSSIBLE)
        family.prepare(case, shared, part(progress, 0.0, 0.1))
        begun = shared.setdefault(BEGUN, {})
        return Search(family, case, limit, seed, sizes, begun).run(part(progress, 0.1, 1.0))
    except InputError as error:
        return Found(family, IMPOSSIBLE, why=Sentence(error.sentence))


def people_asked(case: Case, limit: Limit) -> tuple[int, int]:
    """How many records are asked for while a size is looked for, and when it is judged."""
    every = limit.on == EVERY_RECORD
    return min(_SEARCHED, case.people), case.people if every else min(_JUDGED, case.people)


class Search:
    """The search of one mask's size."""

    def __init__(
        self,
        family: Family,
        case: Case,
        limit: Limit,
        seed: int,
        sizes: np.ndarray,
        begun: dict[tuple[str, int, int], Trial],
    ) -> None:
        """Choose whom to ask for.

        Parameters
        ----------
        family : Family
            Prepared.
        case : Case
        limit : Limit
        seed : int
        sizes : (s,) array
            Of the family, one at least.
        begun : dict
            Trials that were made already: see :meth:`begin`.
        """
        self._family, self._case, self._limit = family, case, limit
        self._seed, self._sizes = seed, sizes
        order = np.random.default_rng([seed, 0]).permutation(case.people)
        few, many = people_asked(case, limit)
        self._few, self._many = np.sort(order[:few]), np.sort(order[:many])
        self._begun = begun
        self.begun: Trial | None = None
        self._tried: dict[int, bool] = {}
        self._overs: dict[int, float] = {}
        self._shares: dict[int, float] = {}

    @property
    def draws_looked_at(self) -> int:
        """Draws by which a size is looked for."""
        by_draws = self._limit.by_draws(self._case.people) and not self._family.certain
        return _LOOKED_AT if by_draws else 1

    def begin(self, progress: Progress = silent) -> bool:
        """Try the first size once, for :meth:`run` to go on from; say whether others may hold."""
        at = self._family.first(self._sizes, self._limit)
        trial = self._trial(at, 1, self._few, False, progress)
        self.begun = self._begun[self._family.name, at, 1] = trial
        standing = Standing.of(float(self._sizes[at]), [trial], self._limit)
        return not self._is_hopeless(at, self._times_found(standing))

    def run(self, progress: Progress) -> Found:
        """Look for the smallest size that holds, judge it, and make of it what is released."""
        found = self._sized(part(progress, 0.0, 0.9))
        made = []
        for number, one in enumerate(found.released):
            told = part(progress, 0.9 + 0.1 * number / _TOLD, 0.9 + 0.1 * (number + 1) / _TOLD)
            made.append(self._family.finished(self._case, one, self.finishing(number), told))
        linked = tuple(one.linked for one in made if one.linked[0])
        progress(1.0)
        standing = found.standing
        standing = None if standing is None else replace(standing, linked=linked)
        return replace(found, standing=standing, released=tuple(made))

    def finishing(self, number: int) -> np.random.Generator:
        """Randomness of what is made of the points of a draw."""
        return np.random.default_rng([self._seed, _FINISHING, number])

    def _sized(self, progress: Progress) -> Found:
        searching, judging = part(progress, 0.0, 0.6), part(progress, 0.6, 1.0)
        high = self._smallest(searching)
        if high is None:
            last = max(self._tried, default=0)
            return self._found(RULED_OUT, *self._judged(last, 0, judging, once=True))
        for step in range(_STEPS):
            told = part(judging, step / _STEPS, (step + 1) / _STEPS)
            standing, trials = self._judged(high, step, told)
            if standing.holds(self._limit):
                shown = standing.enough(self._limit) and self._all_asked(standing)
                state = HELD if shown else OPEN
                return self._found(state, standing, trials)
            larger = self._larger(high, standing)
            if larger is None:
                return self._found(RULED_OUT, standing, trials)
            high = larger
        return self._found(OPEN, standing, trials)

    def _smallest(self, searching: Progress) -> int | None:
        """The smallest size that may hold, None where no size does."""
        low, high = -1, len(self._sizes)
        last, at, halve = high - 1, self._family.first(self._sizes, self._limit), False
        while True:
            wide = high - low
            if self._may_hold(at, searching):
                high = at
            else:
                low = at
                if self._is_hopeless(at, self._shares[at]):
                    return None
            if high - low <= 1:
                return high if high <= last else None
            halve = high - low > _HALF * wide and not halve
            if high > last:
                at = self._up_from(low)
            elif low < 0:
                at = self._down_from(high)
            else:
                at = (low + high) // 2 if halve else self._between(low, high)

    def _is_hopeless(self, at: int, times: float) -> bool:
        """Whether the largest size is too small by far, where large ones take long.

        By the share that is found, which falls with the size. How many are above a limit says
        nothing: with one partner too few all are, and with one more nobody.
        """
        farther = float(self._sizes[-1] / self._sizes[at])
        return self._family.from_below and times > farther**self._family.falls

    def _up_from(self, low: int) -> int:
        """A size that may hold, by how far one misses the limit."""
        if self._family.from_below:
            # In growing steps: large ones take long.
            least = _STEP ** len(self._tried)
            factor = min(max(self._shares[low] ** (1 / self._family.falls), least), _FARTHEST)
        else:
            factor = min(max(self._overs[low] ** (1 / self._family.falls), _UP), _FARTHEST)
        found = int(np.searchsorted(self._sizes, self._sizes[low] * factor))
        return min(max(found, low + 1), len(self._sizes) - 1)

    def _down_from(self, high: int) -> int:
        """A size that may not hold, by how well one keeps the limit."""
        kept = max(self._overs[high], 1e-9) ** (1 / self._family.falls)
        factor = min(max(kept, 1 / _FARTHEST), 1 / _UP)
        found = int(np.searchsorted(self._sizes, self._sizes[high] * factor))
        return max(min(found, high - 1), 0)

    def _between(self, low: int, high: int) -> int:
        """Where the limit is kept just so, if what is found falls with a power of the size."""
        over, under = (np.log(max(self._overs[at], 1e-9)) for at in (low, high))
        if not over > 0 > under:
            return (low + high) // 2
        logs = np.log(self._sizes[[low, high]])
        goal = np.exp(logs[0] + (logs[1] - logs[0]) * over / (over - under))
        return int(np.clip(np.searchsorted(self._sizes, goal), low + 1, high - 1))

    def _found(self, state: str, standing: Standing, trials: list[Trial]) -> Found:
        told = self._family.parameters(standing.size)
        return Found(self._family, state, standing, tuple(trials), parameters=told)

    def _all_asked(self, standing: Standing) -> bool:
        """Whether nobody was left out, where the limit is on every record."""
        if self._limit.on != EVERY_RECORD:
            return True
        released = self._case.people * (1 - standing.withheld)
        return all(
            one.certain
            or one.bound <= self._limit.share * (1 + 1e-9)
            or one.people >= released - 0.5
            for one in standing.against.values()
        )

    def _larger(self, at: int, standing: Standing) -> int | None:
        """The next size, farther away the more the limit is exceeded."""
        factor = max(_LARGER, min(2.0, self._times_allowed(standing) ** 0.25))
        larger = int(np.searchsorted(self._sizes, self._sizes[at] * factor))
        larger = max(larger, at + 1)
        return larger if larger < len(self._sizes) else None

    def _times_allowed(self, standing: Standing) -> float:
        """How far the limit is exceeded, by the adversary who exceeds it most."""
        return standing.worst(self._limit)[1].excess(self._limit)

    def _times_found(self, standing: Standing) -> float:
        """How many times the limit the share is that the worse adversary finds."""
        every = standing.against.values()
        return max((one.mean for one in every), default=0.0) / self._limit.share

    def _may_hold(self, at: int, searching: Progress) -> bool:
        """Whether a size holds in one draw, so well that it will be found to hold when judged."""
        # How many there will be is not known: each takes a part of what is left of the bar.
        done = 1.0 - _PACE ** len(self._tried)
        progress = part(searching, done, 1.0 - _PACE ** (len(self._tried) + 1))
        draws = self.draws_looked_at
        trials = [
            self._trial(at, 1 + number, self._few, False, step)
            for number, step in enumerate(shares(progress, draws))
        ]
        standing = Standing.of(float(self._sizes[at]), trials, self._limit)
        self._overs[at] = self._times_allowed(standing)
        self._shares[at] = self._times_found(standing)
        self._tried[at] = all(
            len(one.found) and self._is_likely(one) for one in standing.against.values()
        ) and (not self._family.withholds_small or standing.withheld <= MOST_WITHHELD)
        progress(1.0)
        return self._tried[at]

    def _is_likely(self, one: Against) -> bool:
        judged = min(_JUDGED, self._case.people)
        limit = self._limit
        if one.bound <= limit.share:
            return True
        if limit.by_draws(judged):
            return one.worst <= limit.share * (1 + 1e-9)
        if min(wilson(one.mean * judged, judged)[1], one.bound) > limit.share:
            return False
        return limit.on == MEAN or wilson(float(np.mean(one.above)) * judged, judged)[1] <= ABOVE

    def _judged(
        self, at: int, step: int, progress: Progress, once: bool = False
    ) -> tuple[Standing, list[Trial]]:
        """Judge a size on draws of its own, until it is lost."""
        people = len(self._many)
        most = 1 if self._family.certain or once else self._limit.draws(people)
        size, trials = float(self._sizes[at]), []
        for number in range(most):
            told = part(progress, number / most, (number + 1) / most)
            draw = _FRESH * (step + 1) + number
            trials.append(self._trial(at, draw, self._many, True, told))
            standing = Standing.of(size, trials, self._limit, self._family.certain)
            if standing.enough(self._limit) or self._lost(standing):
                break
        progress(1.0)
        return standing, trials[:_TOLD]

    def _lost(self, standing: Standing) -> bool:
        """Whether more draws cannot, or will not, make it hold."""
        if not self._limit.by_draws(len(self._many)) and self._times_allowed(standing) > _MISSED:
            return True
        return any(
            self._limit.by_draws(one.people) and one.worst > self._limit.share * (1 + 1e-9)
            for one in standing.against.values()
        )

    def _trial(
        self, at: int, draw: int, asked: np.ndarray, sure: bool, progress: Progress
    ) -> Trial:
        begun = self._begun.pop((self._family.name, at, draw), None)
        if begun is not None:
            return begun
        rng = np.random.default_rng([self._seed, draw])
        size = float(self._sizes[at])
        trial = self._family.trial(self._case, size, rng, asked, sure, progress)
        return swayed(trial, self._case.prior_odds, self._family.unswayed)
