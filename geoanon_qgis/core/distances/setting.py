# SPDX-License-Identifier: GPL-2.0-or-later
"""What is chosen when distances are released: a row of the table of what was tried."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Setting:
    """Parameters of one release.

    Attributes
    ----------
    sets, size : int
        d and k of the embedding.
    pre_noise : float
        Standard deviation of noise on the places before they are embedded, in metres.
    step : float
        Released distances are rounded down to multiples of it, in metres; 0 for none.
    grouped : bool
        Whether quasi-identifiers are released as groups of values.
    released : int or None
        How many records are released; None for as many as can be.
    """

    sets: int
    size: int
    pre_noise: float = 0.0
    step: float = 0.0
    grouped: bool = False
    released: int | None = None

    @property
    def of_distances(self) -> tuple[int, ...]:
        """Whole numbers for what makes the distances; what chance does to them depends on these."""
        defences = (round(1e3 * self.pre_noise), round(1e3 * self.step))
        return (self.sets, self.size, *(defences if any(defences) else ()))

    @property
    def key(self) -> tuple[int, ...]:
        """Whole numbers for all of it."""
        return (*self.of_distances, 1 + self.grouped, self.released or 0)
