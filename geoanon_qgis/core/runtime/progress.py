# SPDX-License-Identifier: GPL-2.0-or-later
"""Progress and cancellation without QGIS: a callback that takes a fraction and may raise.

Long engine functions call ``progress(fraction)`` at least every few tenths of a second.
The callback raises :class:`~geoanon_qgis.core.runtime.errors.Cancelled` when the user wants to stop.
"""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Iterator
from typing import Any, Callable

Progress = Callable[[float], None]

#: How often a call into compiled code that cannot be interrupted is checked upon (seconds).
_POLL_S = 0.05


def silent(fraction: float) -> None:
    """Report to nobody and never cancel."""


def part(progress: Progress, start: float, stop: float) -> Progress:
    """Return a callback whose 0..1 is the slice ``start``..``stop`` of ``progress``.

    Where nobody is told, nobody is told of a part either: that saves :func:`interruptible` a thread.
    """
    if progress is silent:
        return silent
    return lambda fraction: progress(start + (stop - start) * fraction)


def shares(progress: Progress, count: int) -> Iterator[Progress]:
    """Deal a progress out among steps that follow one another: yield a callback for each.

    One callback handed to several steps would start again with each of them.
    """
    for number in range(count):
        yield part(progress, number / count, (number + 1) / count)


def weighted(progress: Progress, *weights: float) -> Iterator[Progress]:
    """Deal a progress out as :func:`shares` does, to steps that take unequally long."""
    whole, done = sum(weights), 0.0
    for weight in weights:
        yield part(progress, done / whole, (done + weight) / whole)
        done += weight


class Latest:
    """Hands a progress on, and asks again, at the fraction that was told last, whether to go on."""

    def __init__(self, progress: Progress):
        self._progress, self._fraction = progress, 0.0

    def __call__(self, fraction: float) -> None:
        self._fraction = fraction
        self._progress(fraction)

    def ask(self) -> None:
        """Tell nothing new; whoever listens may raise to cancel."""
        self._progress(self._fraction)


class Late(Exception):
    """The time for a job is over; for whoever made its progress callback with :func:`until`."""


def until(progress: Progress, deadline: float | None) -> Progress:
    """Return a callback that raises :class:`Late` after a time, None for never.

    So a limit of time is heard wherever a cancel is. ``deadline`` is that of ``time.monotonic``.
    """
    if deadline is None:
        return progress

    def asked(fraction: float) -> None:
        progress(fraction)
        if time.monotonic() > deadline:
            raise Late

    return asked


def chunks(count: int, size: int, progress: Progress = silent) -> Iterator[slice]:
    """Yield slices of at most ``size`` rows that cover ``count`` rows, reporting in between."""
    for start in range(0, count, size):
        progress(start / count)
        yield slice(start, min(start + size, count))
    progress(1.0)


def interruptible(call: Callable[[], Any], progress: Progress, fraction: float = 0.0) -> Any:
    """Run one long compiled call so that a cancel need not wait for its end.

    Building a k-d tree on a million points is a single call of about a second that releases
    the GIL. It runs in a thread of its own while this one keeps asking whether to go on; on a
    cancel the thread is left to finish alone and its result is dropped.
    """
    if progress is silent:
        return call()
    outcome: dict[str, Any] = {}

    def work() -> None:
        try:
            outcome["value"] = call()
        except BaseException as error:  # handed to the waiting thread below
            outcome["error"] = error

    context = contextvars.copy_context()  # what holds for this run holds there, too
    worker = threading.Thread(target=context.run, args=(work,), daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(_POLL_S)
        progress(fraction)
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]
