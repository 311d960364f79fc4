# SPDX-License-Identifier: GPL-2.0-or-later
"""What attacks made of one draw of people and of one release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..linkage.result import LinkageResult
from .adversary import People


@dataclass(frozen=True)
class Attempt:
    """What one attack made of one draw.

    Attributes
    ----------
    attack : str
        Machine name of its evidence.
    claims, right : int
        Matches, and those that are right.
    proven : bool
        Whether it came to its end.
    guessed : int
        How many are right if the likeliest person is taken for each record, claimed or not.
    surest : tuple of float
        Share that is right of the surest 1, 2, 4 ... whom it might name, claimed or not, and at last
        of all of them; none where there is nobody to name.
    """

    attack: str
    claims: int
    right: int
    proven: bool
    guessed: int = 0
    surest: tuple[float, ...] = ()

    def right_of_surest(self, step: int) -> float:
        """Share right of the surest 2 ** step, or of all where there are fewer; 0 of nobody."""
        return self.surest[min(step, len(self.surest) - 1)] if self.surest else 0.0

    @property
    def precision(self) -> float:
        """Share of the claims that are right; 0 where nobody is claimed."""
        return self.right / self.claims if self.claims else 0.0


@dataclass(frozen=True)
class Drawn:
    """What attacks made of one draw of people and of one embedding.

    Attributes
    ----------
    people : int
        Who could be found.
    found : int
        Who was rightly claimed, by whichever attack.
    attempts : tuple of Attempt
    """

    people: int
    found: int
    attempts: tuple[Attempt, ...]

    @property
    def proven(self) -> bool:
        """Whether all attacks came to their end."""
        return all(one.proven for one in self.attempts)


def attempt(name: str, people: People, results: Sequence[LinkageResult]) -> Attempt:
    """The best of the results: that with the most right, for what it claims."""
    scores = [(len(people.found(one.matches)), people.claimed(one.matches)) for one in results]
    right, claims = max(scores, key=lambda one: (one[0] / max(one[1], 1), one[0], one[1]))
    guessed = max(len(people.found(one.likeliest)) for one in results)
    surest = max(
        (people.surest(one.surest_first) for one in results), key=lambda one: sum(one[-1:])
    )
    return Attempt(name, claims, right, any(one.proven for one in results), guessed, surest)
