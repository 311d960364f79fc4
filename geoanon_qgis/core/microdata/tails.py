# SPDX-License-Identifier: GPL-2.0-or-later
"""How few come how near by chance: the tail of the smallest distances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: Share of the smallest distances that tell how few come how near, and the fewest of them.
_TAIL, _FEWEST = 0.1, 20
#: Share of the smallest distances that differ from each other from which on they go by no steps.
_STEPS = 0.5


@dataclass(frozen=True)
class Tail:
    """Smallest distances, whose number falls with a power of the distance.

    Attributes
    ----------
    count : int
        How many distances it was learnt from.
    edge : float
        The largest of them.
    power : float
        Hill's estimate, less what it may be off by.
    by_steps: bool
        Whether many are the same: such distances follow no power, and how many are a step nearer it
        does not tell.
    """

    count: int
    edge: float
    power: float
    by_steps: bool = False

    def expected(self, distance: np.ndarray) -> np.ndarray:
        """Return how many are expected within distances up to the edge."""
        return self.count * (np.asarray(distance) / self.edge) ** self.power


def tail_of(ordered: np.ndarray, mutual: bool, most: float = np.inf) -> Tail | None:
    """Learn the tail of positive distances, sorted; None where there are too few.

    Parameters
    ----------
    ordered : (n,) array
    mutual : bool
        Whether two who are near each other are one pair, and both count.
    most : float
        The largest power that there can be; that of distances which are all the same.
    """
    tail = ordered[: max(_FEWEST, int(_TAIL * len(ordered)))]
    if len(tail) < _FEWEST:
        return None
    spread = np.log(tail[-1] / tail).sum()
    off = 1.5 / np.sqrt(len(tail) / (2 if mutual else 1))
    # Where all are one step away, nobody knows how many are a step nearer; as steep as can be is a guess.
    power = (min((len(tail) - 1) / spread, most) if spread > 0 else most) * (1 - off)
    by_steps = len(np.unique(tail)) < _STEPS * len(tail)
    return Tail(len(tail), float(tail[-1]), float(power), by_steps)
