# SPDX-License-Identifier: GPL-2.0-or-later
"""What every kind of mask that can be chosen tells of itself, and how it is tried."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...runtime.progress import Progress, silent
from .case import Case, Trial
from .standing import Limit

#: What is released: points, areas that records lie in, or distances.
POINTS, AREAS, DISTANCES = "points", "areas", "distances"


@dataclass(frozen=True, eq=False)
class Family(ABC):
    """A mask without its size."""

    #: What is released.
    kind: ClassVar[str] = POINTS

    #: The algorithm that masks so.
    algorithm: ClassVar[str]
    #: Whether what is believed does not hang on the draw: one is as good as all.
    certain: ClassVar[bool] = False
    #: Whether larger sizes take longer, so that they are tried after smaller ones.
    from_below: ClassVar[bool] = False
    #: With which power of the size at most what is found falls.
    falls: ClassVar[float] = 2.0
    #: Whether it withholds less the larger it is.
    withholds_small: ClassVar[bool] = False
    #: Adversaries who believe the same whatever they held for likely beforehand.
    unswayed: ClassVar[frozenset[str]] = frozenset()

    @property
    @abstractmethod
    def name(self) -> str:
        """Machine name, which never changes."""

    @abstractmethod
    def sizes(self, case: Case) -> np.ndarray:
        """Sizes that can be tried, ascending: the larger, the more it hides."""

    def first(self, sizes: np.ndarray, limit: Limit) -> int:
        """Row of the size that is tried first: those in the middle take no long time."""
        return 0 if self.falls < 2 else len(sizes) // 2

    def prepare(self, case: Case, shared: dict[str, Any], ask: Progress = silent) -> None:
        """Work out what trials of all sizes share; ``shared`` is that of all families."""
        ask(1.0)

    @abstractmethod
    def parameters(self, size: float) -> dict[str, Any]:
        """Parameters of the algorithm."""

    @abstractmethod
    def trial(
        self,
        case: Case,
        size: float,
        rng: np.random.Generator,
        asked: np.ndarray,
        sure: bool,
        ask: Progress = silent,
    ) -> Trial:
        """Mask all places once, and let both adversaries guess.

        Parameters
        ----------
        case : Case
        size : float
        rng : numpy.random.Generator
            In the same state the same draw, whatever the size.
        asked : (q,) int array
            Places of the file for which adversaries are asked.
        sure : bool
            Whether it is judged by this, or looked for a size.
        ask : Progress

        Raises
        ------
        InputError
            If no such mask can be made of these data.
        """

    def finished(
        self, case: Case, trial: Trial, rng: np.random.Generator, ask: Progress = silent
    ) -> Trial:
        """Return a trial of the size that was judged last, with what is made of its points.

        That takes longer than to mask, and is done for a few draws only.
        """
        ask(1.0)
        return trial
