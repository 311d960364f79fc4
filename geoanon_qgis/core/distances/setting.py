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
    """

    sets: int
    size: int

    @property
    def key(self) -> tuple[int, ...]:
        """Whole numbers that stand for it; what chance does depends on them."""
        return (self.sets, self.size)
