# SPDX-License-Identifier: GPL-2.0-or-later
"""Whom an adversary knows, when parameters are tried: parts of one file, drawn again and again.

Kroll & Schnell (2016), "A simulation to study the privacy preserving properties": some of the
records are released, and an adversary knows others, some of whom are among the released. What the
paper does with two files is done here with parts of one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ...runtime.errors import InputError
from ...runtime.wording import number_of

#: Shares of the released people whom the adversary knows, where nobody says otherwise.
OVERLAPS = (0.05, 0.1, 0.2, 0.5)
#: Released records at most where nobody says otherwise: those of the paper's second scenario.
MOST_RELEASED = 500
#: Released records below which there is nothing to attack.
LEAST_RELEASED = 10


@dataclass(frozen=True)
class Overlap:
    """Of which of the released records he knows the people.

    Attributes
    ----------
    share : float
        How large a part of them.
    neighbours : bool
        Whether they live round one of them, as in one village; else anywhere.
    """

    share: float
    neighbours: bool = False


@dataclass(frozen=True)
class Adversary:
    """What he has, beside a release.

    Attributes
    ----------
    overlaps : tuple of float
        Shares of the released records whose people he knows; each is tried.
    neighbours : bool
        Whether each is tried with people who are neighbours, too.
    known : int or None
        People whom he knows, as many as are released where left out.
    links : int
        Released records of which he knows already whose they are.
    releases : int
        Embeddings of the same people that he holds, whose records bear the same ids.
    """

    overlaps: tuple[float, ...] = OVERLAPS
    known: int | None = None
    links: int = 0
    neighbours: bool = False
    releases: int = 1


@dataclass(frozen=True, eq=False)
class People:
    """One draw.

    Attributes
    ----------
    released, known : int arrays
        Rows of the file.
    truth : (released,) int array
        Row of each released record among the known people; -1 if it is not there.
    links : (l, 2) int array
        Rows of a released record and of its person, where he knows that.
    """

    released: np.ndarray
    known: np.ndarray
    truth: np.ndarray
    links: np.ndarray

    @property
    def common(self) -> int:
        """People who can be found: those in both files, without the known links."""
        return int(np.count_nonzero(self.truth >= 0)) - len(self.links)

    def guessed(self, released: Sequence[Hashable], known: Sequence[Hashable]) -> float:
        """Share of the people in both files whom guessing finds, by labels and no distances."""
        alike = Counter(known)
        both = np.flatnonzero(self.truth >= 0).tolist()
        return float(np.mean([1 / max(alike[released[row]], 1) for row in both])) if both else 0.0

    def found(self, matches: np.ndarray) -> set[int]:
        """Released records among the (m, 2) matches that are right and were not known before."""
        right = matches[self.truth[matches[:, 0]] == matches[:, 1], 0]
        return set(right.tolist()) - set(self.links[:, 0].tolist())

    def surest(self, ordered: np.ndarray) -> tuple[float, ...]:
        """Share right among the first 1, 2, 4 ... of the (m, 2) matches, and among all of them."""
        new = ordered[~np.isin(ordered[:, 0], self.links[:, 0])]
        right = np.cumsum(self.truth[new[:, 0]] == new[:, 1])
        counts = [
            *(2**step for step in range(len(new).bit_length()) if 2**step < len(new)),
            len(new),
        ]
        return tuple(float(right[count - 1]) / count for count in counts) if len(new) else ()

    def claimed(self, matches: np.ndarray) -> int:
        """How many of the matches are not known links."""
        return len(set(matches[:, 0].tolist()) - set(self.links[:, 0].tolist()))


class Draws:
    """Draws who is released and who is known.

    Attributes
    ----------
    overlaps : tuple of Overlap
        The largest first, of neighbours before others: mostly the worst.
    released, known, links : int
        Sizes of the files, and known links.
    """

    def __init__(
        self,
        usable: Sequence[int] | np.ndarray,
        adversary: Adversary,
        released: int | None = None,
        gaps: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> None:
        """Settle how many are released and known.

        Parameters
        ----------
        usable : sequence of int
            Rows of the file whose attributes are all known.
        adversary : Adversary
        released : int, optional
            How many are released: as many as there are people for, :data:`MOST_RELEASED` at most,
            where left out.
        gaps : callable, optional
            Takes rows of the file, and returns how far each is from the first; needed where the
            adversary knows neighbours.

        Raises
        ------
        InputError
            If the file is too small, or the adversary knows fewer people than are in both.
        """
        self._usable = np.asarray(usable, dtype=np.int64)
        if adversary.neighbours and gaps is None:  # else others would pass for neighbours
            raise ValueError("neighbours cannot be drawn without the distances between people")
        self._gaps = gaps
        every = sorted(set(adversary.overlaps), reverse=True)
        if not every or not 0 < every[-1] <= every[0] <= 1:
            raise InputError(
                "Give shares of the released people whom the adversary knows: each above 0 and at"
                " most 1."
            )
        kinds = (True, False) if adversary.neighbours else (False,)
        self.overlaps = tuple(Overlap(share, kind) for kind in kinds for share in every)
        least = every[-1]
        room = len(self._usable)
        if released is None:
            free = room / (2 - least) if adversary.known is None else self._beside(adversary.known)
            released = min(MOST_RELEASED, int(free))
        self.released = released
        self.known = released if adversary.known is None else adversary.known
        self.links = adversary.links
        self._refuse(room)

    def _beside(self, known: int) -> float:
        """How many can be released beside so many known people."""
        return (len(self._usable) - known) / (1 - self.overlaps[-1].share + 1e-12)

    def _refuse(self, room: int) -> None:
        if self.released < LEAST_RELEASED:
            raise InputError(
                "Only {records} all quasi-identifiers; an attack on a part of them needs 20 "
                "at least, beside the people whom the adversary knows. Choose other"
                " quasi-identifiers, or DRAWS=0 to leave the attacks out.",
                records=number_of(room, "record has", "records have"),
            )
        most, fewest = self.common(self.overlaps[0]), self.common(self.overlaps[-1])
        if most > self.known:
            raise InputError(
                "The adversary is to know {people} of those released, but knows {known} in all. "
                "Raise N_KNOWN, or lower OVERLAP.",
                people=number_of(most, "person", "people"),
                known=self.known,
            )
        if self.links >= fewest:
            raise InputError(
                "He is to know whose {links} are, but with an overlap of {overlap:.3g} % only "
                "{people} in both files, and somebody must be left to be found. Lower"
                " KNOWN_LINKS, or raise OVERLAP.",
                links=number_of(self.links, "record", "records"),
                overlap=100 * self.overlaps[-1].share,
                people=number_of(fewest, "person is", "people are"),
            )
        need = self.released + self.known - fewest
        if need > room:
            raise InputError(
                "{released} and {known} with {both} in both are {need:,} in all, and there are "
                "{room:,} records whose quasi-identifiers are all known. Lower N_RELEASED or"
                " N_KNOWN.",
                released=number_of(self.released, "released record", "released records"),
                known=number_of(self.known, "known person", "known people"),
                both=fewest,
                need=need,
                room=room,
            )

    def common(self, overlap: Overlap) -> int:
        """How many people are in both files: that share of those released."""
        return max(1, round(overlap.share * self.released))

    def draw(self, overlap: Overlap, rng: np.random.Generator) -> People:
        """Draw people anew."""
        both = self.common(overlap)
        drawn = rng.permutation(self._usable)
        if overlap.neighbours and self._gaps is not None:  # the nearest last
            gaps = self._gaps(drawn[: self.released])
            drawn[: self.released] = drawn[np.argsort(-gaps, kind="stable")]
        released = rng.permutation(drawn[: self.released])
        start = self.released - both
        known = rng.permutation(
            np.concatenate([drawn[start : self.released], drawn[self.released :]])[: self.known]
        )
        place = np.full(int(self._usable.max()) + 1, -1)
        place[known] = np.arange(len(known))
        truth = place[released]
        sure = rng.permutation(np.flatnonzero(truth >= 0))[: self.links]
        return People(released, known, truth, np.stack([sure, truth[sure]], axis=1))
