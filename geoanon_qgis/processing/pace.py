# SPDX-License-Identifier: GPL-2.0-or-later
"""Lines in the log of a run that takes long: what it is doing, and about how long it will take."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Callable

from .i18n import mark, number_of, tr

#: Seconds after which a run is said to take long.
LONG_S = 10.0
#: A line is told with each step, and within a step each time that the run has become so much longer.
_LONGER = 2.0
#: How much longer a run has become when it is noted again how far it is.
_APART = 1.2
#: Of less of the whole, nobody can tell how long the rest takes.
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
        self._tell, self._ends, self._clock = tell, dict(ends), clock
        self._begun, self._next, self._last = clock(), LONG_S, ""
        #: Seconds and fractions heard, each later by a share than the one before.
        self._heard: list[tuple[float, float]] = [(0.0, 0.0)]

    def heard(self, fraction: float) -> None:
        """Hear how much of the work is done, 0 to 1."""
        elapsed = self._clock() - self._begun
        if elapsed > _APART * self._heard[-1][0]:
            self._heard.append((elapsed, fraction))
        if elapsed < LONG_S:
            return
        step = next((name for name, end in self._ends.items() if fraction < end), self._last)
        if step == self._last and elapsed < self._next:
            return
        self._last, self._next = step, elapsed * _LONGER
        self._tell(sentence(step, fraction, elapsed, self._slows(fraction, elapsed)))

    def _slows(self, fraction: float, elapsed: float) -> bool:
        """Whether the bar rises less than half as fast in the later half of the time as on the whole."""
        then, done = max(one for one in self._heard if one[0] <= elapsed / 2)
        return fraction - done < (elapsed - then) * fraction / elapsed / 2


def sentence(step: str, fraction: float, elapsed: float, slows: bool) -> str:
    """Say what a run does, how much is done, and about how long the rest takes, or longer."""
    doing = tr(DOING.get(step, DOING["work"]))
    percent = int(100 * fraction)
    if fraction < _LEAST:
        return tr("{doing} … {percent} % are done; how long it takes cannot be told yet.").format(
            doing=doing, percent=percent
        )
    said = tr("{doing} … {percent} % are done; the rest takes {time}, if all goes on as it did.")
    if slows:
        said = tr("{doing} … {percent} % are done; the rest takes {time} or much longer.")
    rest = about(elapsed * (1 - fraction) / fraction)
    return said.format(doing=doing, percent=percent, time=rest)


def about(seconds: float) -> str:
    """Say a length of time roughly, in the user's language."""
    if seconds <= _IN_SECONDS:
        near = max(_STEP_S, _STEP_S * round(seconds / _STEP_S))
        return tr("about {time}").format(time=number_of(near, "second", "seconds"))
    if seconds <= 60 * _IN_SECONDS:
        return tr("about {time}").format(time=number_of(round(seconds / 60), "minute", "minutes"))
    return tr("about {time}").format(time=number_of(round(seconds / 3600), "hour", "hours"))
