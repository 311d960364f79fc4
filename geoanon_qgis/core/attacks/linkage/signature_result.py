# SPDX-License-Identifier: GPL-2.0-or-later
"""What the signature attack may take, and what it found."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from ...runtime.progress import Late
from .result import SIGNATURES, LinkageResult

#: Rounds of matching by the matches so far, at most.
_ROUNDS = 6


@dataclass(frozen=True)
class SignatureLimits:
    """How much an attack may take.

    Attributes
    ----------
    work : int or None
        Distances looked up; the same work on every machine. None for no limit.
    seconds : float or None
    releases : int or None
        Releases of one's own that weights are learnt from, instead of as many as the records ask.
    rounds : int
    """

    work: int | None = None
    seconds: float | None = None
    releases: int | None = None
    rounds: int = _ROUNDS


UNLIMITED = SignatureLimits()


class Meter:
    """Counts work, and ends it."""

    def __init__(self, limits: SignatureLimits):
        self._most, self._seconds, self.done = limits.work, limits.seconds, 0
        self._began = time.monotonic()

    def spend(self, work: float) -> None:
        """Note work that is about to be done."""
        if self._most is not None and self.done + work > self._most:
            raise Late
        self.done += int(work)

    def used(self) -> float:
        """Share of the work or of the time that is used up; 0 without limits."""
        used = 0.0 if self._most is None else self.done / max(self._most, 1)
        if self._seconds is not None:
            used = max(used, (time.monotonic() - self._began) / max(self._seconds, 1e-9))
        return used


@dataclass(frozen=True, repr=False)
class SignatureResult(LinkageResult):
    """What the signature attack found.

    ``support`` is the confidence of each match; ``guesses`` and ``chance`` are the assigned
    candidate of each record, claimed or not, and how probable it is. ``vertices`` counts the pairs
    that agree in their labels; ``edges`` is 0, ``in_every`` and ``search`` are None.

    Attributes
    ----------
    common : (float, float)
        How many people the files have in common, by the attack's own estimate, and its standard
        deviation; as it was given, and 0, where it was.
    releases : int
        Number of releases of one's own.
    rounds : int
        Rounds that were finished.
    work : int
        Distances looked up.
    """

    name: str = SIGNATURES
    common: tuple[float, float] = (float("nan"), float("nan"))
    releases: int = 0
    rounds: int = 0
    work: int = 0


def nothing_found(note: str, pairs: int, unable: bool = True) -> SignatureResult:
    """Return that nothing could be found, and why."""
    return SignatureResult(
        np.empty((0, 2), dtype=np.int64),
        None,
        np.empty(0),
        pairs,
        0,
        None,
        None,
        note,
        guesses=np.empty((0, 2), dtype=np.int64),
        chance=np.empty(0),
        unable=unable,
    )
