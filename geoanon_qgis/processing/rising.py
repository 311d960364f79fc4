# SPDX-License-Identifier: GPL-2.0-or-later
"""A run's progress bar: it only rises, and is full when everything is in its place."""

from __future__ import annotations

from typing import Any, Callable

from ..core.runtime.errors import Cancelled
from ..core.runtime.progress import silent
from .i18n import translated

#: Percent of the bar at which the work ends, and at which the reports are written; what is left
#: is for putting the outputs into their places.
_WORK, _REPORTED = 98.0, 99.0


class Rising:
    """The feedback of a run, whose progress never falls; else it is the one that was given.

    Every part of the work tells its own share of the bar, one share after the other. Should two
    overlap, the bar stands still until the second is where the first was.
    """

    def __init__(self, feedback):
        self._feedback = feedback
        self._highest = 0.0
        self._reported = _WORK
        #: Is told how much of the work is done, 0 to 1, whenever that has risen.
        self.heard: Callable[[float], None] = silent

    def setProgress(self, percent: float) -> None:
        """Tell how much of the work is done, in percent."""
        percent = min(percent, 100.0)
        if percent > self._highest:
            self._highest = percent
            self._feedback.setProgress(_WORK / 100.0 * self._highest)
            self.heard(percent / 100.0)

    def report(self, fraction: float) -> None:
        """Tell how much of the reports is done, after the work."""
        percent = _WORK + (_REPORTED - _WORK) * min(fraction, 1.0)
        if percent > self._reported:
            self._reported = percent
            self._feedback.setProgress(percent)

    def finish(self) -> None:
        """Tell that everything is in its place."""
        self._feedback.setProgress(100.0)

    # What the engine says is told in the user's language.

    def pushInfo(self, sentence: str) -> None:
        """Tell a sentence in the log."""
        self._feedback.pushInfo(translated(sentence))

    def pushWarning(self, sentence: str) -> None:
        """Warn with a sentence in the log."""
        self._feedback.pushWarning(translated(sentence))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._feedback, name)


def ask(feedback) -> None:
    """Raise :class:`~geoanon_qgis.core.runtime.errors.Cancelled` if the user has asked to stop."""
    if feedback.isCanceled():
        raise Cancelled()
