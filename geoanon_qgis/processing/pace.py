# SPDX-License-Identifier: GPL-2.0-or-later
"""Lines in the log of a run that takes long: what it is doing, and about how long it will take."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Callable

from .i18n import mark, number_of, tr

#: Seconds after which a run is said to take long.
LONG_S = 10.0
#: A line is told with each step, after so many seconds of it, and each time that it has become so much
#: longer.
_SOON_S, _LONGER = 5.0, 2.0
#: How much longer a step has become when it is noted again how far it is.
_APART = 1.2
#: Of less of a step, nobody can tell how long the rest takes.
_LEAST = 0.03
#: Seconds up to which an estimate is told in seconds, of which these are the steps.
_IN_SECONDS, _STEP_S = 90.0, 5

#: What a run does in each of its steps.
DOING: Mapping[str, str] = {
    "aggregate": mark("Putting areas together"),
    "analyse": mark("Running the analyses"),
    "anonymize": mark("Making anonymous records"),
    "areas": mark("Working on areas"),
    "attack": mark("Attacking"),
    "attributes": mark("Screening attributes"),
    "candidates": mark("Reading the address list"),
    "layers": mark("Reading streets and zones"),
    "choose": mark("Screening fields"),
    "code": mark("Coding values"),
    "compare": mark("Comparing"),
    "controls": mark("Reading controls"),
    "count": mark("Counting"),
    "defend": mark("Trying what helps"),
    "draw": mark("Drawing"),
    "earlier": mark("Looking at earlier releases"),
    "encode": mark("Measuring distances"),
    "estimate": mark("Estimating how points moved"),
    "find": mark("Finding the address of each record"),
    "further": mark("Attacking further releases"),
    "homes": mark("Finding what homes explain"),
    "judge": mark("Judging"),
    "look": mark("Looking at the files"),
    "make": mark("Making records"),
    "mask": mark("Masking"),
    "match": mark("Finding who is who by the key"),
    "matched": mark("Comparing points one by one"),
    "measure": mark("Measuring"),
    "members": mark("Finding known people"),
    "merge": mark("Merging zones"),
    "original": mark("Reading originals"),
    "pair": mark("Finding who is who by the key"),
    "patterns": mark("Comparing patterns"),
    "people": mark("Reading attributes of people"),
    "pieces": mark("Counting pieces of areas"),
    "places": mark("Finding places"),
    "population": mark("Reading the population"),
    "posterior": mark("Attacking"),
    "project": mark("Projecting places"),
    "propose": mark("Looking for groups of values"),
    "public": mark("Reading public layers"),
    "read": mark("Reading"),
    "records": mark("Preparing records"),
    "recount": mark("Counting again what was written"),
    "released": mark("Reading the release"),
    "report": mark("Drawing the report"),
    "reverse": mark("Attacking"),
    "risk": mark("Measuring risk"),
    "run": mark("Running"),
    "scan": mark("Scanning for clusters"),
    "score": mark("Scoring by the key"),
    "secrets": mark("Looking at sensitive values"),
    "sets": mark("Finding sets"),
    "sizes": mark("Finding sizes"),
    "store": mark("Keeping the secret"),
    "streets": mark("Reading streets"),
    "suppress": mark("Suppressing"),
    "table": mark("Preparing the table"),
    "together": mark("Putting releases together"),
    "try": mark("Trying"),
    "unlisted": mark("Weighing homes that the list lacks"),
    "withhold": mark("Withholding records"),
    "work": mark("Working"),
    "write": mark("Writing"),
    "zones": mark("Reading zones"),
}


class Pace:
    """Listens to the progress of one run, and tells of it from :data:`LONG_S` on.

    The share that a step has of the bar is a guess: the same step takes a hundredth of one run and nine
    tenths of another, by the data. So only the step at hand is foretold, by its own pace.

    Parameters
    ----------
    tell : callable
        Takes a sentence.
    ends : mapping of str to float
        Names of the steps, in their order, and where on the bar each ends, 0 to 1.
    clock : callable
        Gives seconds that only rise.
    """

    def __init__(
        self,
        tell: Callable[[str], None],
        ends: Mapping[str, float],
        clock: Callable[[], float] = time.monotonic,
    ):
        self._tell, self._clock = tell, clock
        starts = [0.0, *ends.values()]
        #: Of each step its name, and where on the bar it begins and ends.
        self._steps = list(zip(ends, starts, starts[1:]))
        self._run = clock()
        self._enter("")

    def _enter(self, step: str) -> None:
        self._step, self._begun, self._next = step, self._clock(), _SOON_S
        #: Seconds and shares of the step heard, each later by a share than the one before.
        self._heard: list[tuple[float, float]] = [(0.0, 0.0)]

    def heard(self, fraction: float) -> None:
        """Hear how much of the work is done, 0 to 1."""
        step, start, end = next((one for one in self._steps if fraction < one[2]), ("", 1.0, 1.0))
        entered = step != self._step
        if entered:
            self._enter(step)
        if not step:
            return
        now = self._clock()
        elapsed, done = now - self._begun, (fraction - start) / (end - start)
        if elapsed > _APART * self._heard[-1][0]:
            self._heard.append((elapsed, done))
        if now - self._run < LONG_S or not (entered or elapsed >= self._next):
            return
        if not entered:
            self._next = elapsed * _LONGER
        told = "" if entered else _rest(done, elapsed, self._slows(done, elapsed))
        self._tell(_doing(step, fraction, told))

    def _slows(self, done: float, elapsed: float) -> bool:
        """Whether a step goes less than half as fast in the later half of its time as on the whole."""
        then, before = max(one for one in self._heard if one[0] <= elapsed / 2)
        return done - before < (elapsed - then) * done / elapsed / 2


def _doing(step: str, fraction: float, rest: str) -> str:
    """Say what a run does, how much of it is done, and what is foretold of the step, if anything."""
    said = tr("{doing} … {percent} % are done").format(
        doing=tr(DOING.get(step, DOING["work"])), percent=int(100 * fraction)
    )
    return f"{said}; {rest}." if rest else f"{said}."


def _rest(done: float, elapsed: float, slows: bool) -> str:
    """Foretell how long a step goes on of which a share is done, or at least that long."""
    if done < _LEAST:
        return tr("how long this step takes cannot be told yet")
    said = tr("this step takes {time} more, if it goes on as it did")
    if slows:
        said = tr("this step takes {time} more, or much longer")
    return said.format(time=about(elapsed * (1 - done) / done))


def about(seconds: float) -> str:
    """Say a length of time roughly, in the user's language."""
    if seconds <= _IN_SECONDS:
        near = max(_STEP_S, _STEP_S * round(seconds / _STEP_S))
        return tr("about {time}").format(time=number_of(near, "second", "seconds"))
    if seconds <= 60 * _IN_SECONDS:
        return tr("about {time}").format(time=number_of(round(seconds / 60), "minute", "minutes"))
    return tr("about {time}").format(time=number_of(round(seconds / 3600), "hour", "hours"))
