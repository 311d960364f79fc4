# SPDX-License-Identifier: GPL-2.0-or-later
"""The smallest size of a mask that holds: looked for on some draws, judged on others.

1. A size is looked for by bisection, on a sample of the records and the same random numbers for all
   sizes: what differs between two sizes is what the size does.
2. It is judged on draws that were not looked at before, on more records, by all that is known. Where
   it does not hold, the next larger size is judged on other draws, and so on, a few times.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...attacks.scoring import wilson
from ...runtime.errors import InputError
from ...runtime.progress import Progress, part, shares, silent
from ...runtime.wording import Sentence
from .case import Case, Trial
from .family import Family
from .standing import ABOVE, EVERY_RECORD, MEAN, Against, Limit, Standing

#: Records that are asked for while a size is looked for, and when it is judged.
_SEARCHED, _JUDGED = 1_500, 5_000
#: Draws by which a size is looked for where nobody may be above in any.
_LOOKED_AT = 4
#: Sizes that are judged, and how much larger each is than the one before, at least.
_STEPS, _LARGER = 6, 1.08
#: Share of the records that a mask may withhold and still be one to choose.
MOST_WITHHELD = 0.05
#: Draws of which it is measured what is kept.
_TOLD = 3
#: What is left of the bar after each size that is tried.
_PACE = 0.8
#: Numbers of draws that a size is judged by: none of those by which it was found.
_FRESH = 1_000

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
    released : tuple of (n, 2) arrays
        Points of some draws of that size.
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
    released: tuple[np.ndarray, ...] = ()
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
        return _Search(family, case, limit, seed, sizes).run(part(progress, 0.1, 1.0))
    except InputError as error:
        return Found(family, IMPOSSIBLE, why=Sentence(error.sentence))


class _Search:
    def __init__(self, family: Family, case: Case, limit: Limit, seed: int, sizes: np.ndarray):
        self._family, self._case, self._limit = family, case, limit
        self._seed, self._sizes = seed, sizes
        order = np.random.default_rng([seed, 0]).permutation(case.people)
        self._few, self._many = np.sort(order[:_SEARCHED]), np.sort(order[:_JUDGED])
        if limit.on == EVERY_RECORD:
            self._many = np.sort(order)
        self._tried: dict[int, bool] = {}
        self._over = np.inf

    def run(self, progress: Progress) -> Found:
        searching, judging = part(progress, 0.0, 0.6), part(progress, 0.6, 1.0)
        low, high = self._bracket(searching)
        if high is None:
            last = max(self._tried, default=0)
            return self._found(RULED_OUT, *self._judged(last, 0, judging, once=True))
        while high - low > 1:
            middle = (low + high) // 2
            if self._may_hold(middle, searching):
                high = middle
            else:
                low = middle
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

    def _bracket(self, searching: Progress) -> tuple[int, int | None]:
        """A size that does not hold, -1 for none, and one that may, None for none."""
        last = len(self._sizes) - 1
        if not self._family.from_below:
            return -1, last if self._may_hold(last, searching) else None
        low, step = -1, 1
        while low < last:
            high = min(low + step, last)
            if self._may_hold(high, searching):
                return low, high
            if self._over > (self._sizes[last] / self._sizes[high]) ** self._family.falls:
                break  # the largest is too small by far
            low, step = high, 2 * step
        return low, None

    def _found(self, state: str, standing: Standing, trials: list[Trial]) -> Found:
        released = tuple(one.xy for one in trials)
        told = self._family.parameters(standing.size)
        return Found(self._family, state, standing, released, parameters=told)

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
        _, worst = standing.worst(self._limit)
        return worst.upper(self._limit) / worst.allowed(self._limit, worst.people)

    def _may_hold(self, at: int, searching: Progress) -> bool:
        """Whether a size holds in one draw, so well that it will be found to hold when judged."""
        # How many there will be is not known: each takes a part of what is left of the bar.
        done = 1.0 - _PACE ** len(self._tried)
        progress = part(searching, done, 1.0 - _PACE ** (len(self._tried) + 1))
        draws = _LOOKED_AT if self._limit.by_draws(self._case.people) else 1
        if self._family.certain:
            draws = 1
        trials = [
            self._trial(at, 1 + number, self._few, False, step)
            for number, step in enumerate(shares(progress, draws))
        ]
        standing = Standing.of(float(self._sizes[at]), trials, self._limit)
        self._over = self._times_allowed(standing)
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
        if limit.on == MEAN:
            return min(wilson(one.mean * judged, judged)[1], one.bound) <= limit.share
        return wilson(float(np.mean(one.above)) * judged, judged)[1] <= ABOVE

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
        """Whether more draws cannot make it hold."""
        return any(
            self._limit.by_draws(one.people) and one.worst > self._limit.share * (1 + 1e-9)
            for one in standing.against.values()
        )

    def _trial(
        self, at: int, draw: int, asked: np.ndarray, sure: bool, progress: Progress
    ) -> Trial:
        rng = np.random.default_rng([self._seed, draw])
        size = float(self._sizes[at])
        return self._family.trial(self._case, size, rng, asked, sure, progress)
