# SPDX-License-Identifier: GPL-2.0-or-later
"""What is chosen when distances are released: a row of the table of what was tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from ..runtime.errors import InputError


@dataclass(frozen=True)
class Setting:
    """Parameters of one release: an embedding, or ISGP (:mod:`.isgp`).

    Attributes
    ----------
    sets, size : int
        d and k of the embedding; 0 for ISGP.
    pre_noise : float
        Standard deviation of noise on the places before they are embedded, in metres.
    step : float
        Released distances are rounded down to multiples of it, in metres; 0 for none.
    grouped : bool
        Whether quasi-identifiers are released as groups of values.
    released : int or None
        How many records are released; None for as many as can be.
    radius : float
        Of ISGP, in metres; 0 for an embedding.
    """

    sets: int
    size: int
    pre_noise: float = 0.0
    step: float = 0.0
    grouped: bool = False
    released: int | None = None
    radius: float = 0.0

    @property
    def of_distances(self) -> tuple[int, ...]:
        """Whole numbers for what makes the distances; what chance does to them depends on these."""
        if self.radius:  # no embedding has no sets
            return (0, 0, round(1e3 * self.radius))
        defences = (round(1e3 * self.pre_noise), round(1e3 * self.step))
        return (self.sets, self.size, *(defences if any(defences) else ()))

    @property
    def key(self) -> tuple[int, ...]:
        """Whole numbers for all of it."""
        return (*self.of_distances, 1 + self.grouped, self.released or 0)


@dataclass(frozen=True)
class Grid:
    """What is tried.

    Attributes
    ----------
    sets, sizes : sequences of int
        Values of d and of k.
    pre_noise, steps : sequences of float
        Defences; see :class:`Setting`. All combinations are tried.
    radii : sequence of float
        Of ISGP, beside the embeddings.
    """

    sets: Sequence[int]
    sizes: Sequence[int]
    pre_noise: Sequence[float] = (0.0,)
    steps: Sequence[float] = (0.0,)
    radii: Sequence[float] = ()

    @property
    def settings(self) -> list[Setting]:
        """In the order of ``sets``, then ``sizes``, then of the defences; the radii come last.

        Raises
        ------
        InputError
            If there are none, or a number is none of a release.
        """
        sets, sizes = self.sets, self.sizes
        alone = len(self.radii) and not len(sets) and not len(sizes)
        if not alone and (not len(sets) or not len(sizes) or min(*sets, *sizes) < 1):
            raise InputError(
                "Give at least one number of reference sets and one size of a set, all 1 or more."
            )
        if not all(0 < radius < float("inf") for radius in self.radii):
            raise InputError("A radius of ISGP must be a positive distance.")
        embeddings = (
            Setting(int(d), int(k), float(noise), float(step))
            for d, k, noise, step in product(sets, sizes, self.pre_noise, self.steps)
        )
        return [
            *dict.fromkeys(embeddings),
            *dict.fromkeys(Setting(0, 0, radius=float(radius)) for radius in self.radii),
        ]
