# SPDX-License-Identifier: GPL-2.0-or-later
"""What both adversaries guess, from how a mask explains the points and what they know besides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....core.attacks.masks.attributes import People
from ....core.attacks.masks.file_places import of_places
from ....core.attacks.masks.likelihood import Likelihood
from ....core.attacks.masks.own_draws import OwnDraws
from ....core.attacks.masks.posterior import (
    Guesses,
    of_anybody,
    which_of_these,
    which_record,
    who_lives_there,
)
from ....core.attacks.masks.together import together
from ....core.attacks.masks.unlisted import Unlisted
from ....core.runtime.progress import part
from ...i18n import tr
from .known import Explained, Known


@dataclass(frozen=True)
class Asked:
    """What is asked, and what is known.

    Attributes
    ----------
    known : Known
    explained : Explained
    people : People
    links : (n,) int array
        How many further releases tell of each record.
    unlisted : Unlisted or None
        Which points are probably of homes that the list lacks; None where that is not weighed.
    apart : OwnDraws or None
        Where records are, if each of a home was moved by itself.
    """

    known: Known
    explained: Explained
    people: People
    links: np.ndarray
    unlisted: Unlisted | None = None
    apart: OwnDraws | None = None

    def weighed(self) -> tuple[Likelihood, np.ndarray | None]:
        """How likely each candidate is each record's, and the people of it who can be hers."""
        likelihood = self.explained.likelihood
        if self.people.all_alike:
            return likelihood, None
        told = part(self.known.run.step("together"), 0.0, 0.3)
        factor = self.people.factor(likelihood, told)
        return likelihood.with_values(likelihood.value * factor), factor

    def place(self, weighed: Likelihood, factor: np.ndarray | None) -> Guesses:
        """What A believes of each point, from all of them: one point for each place of the file."""
        found = self._place(weighed, factor)
        missing = self.unlisted
        return found if missing is None else found.believed(1.0 - missing.each)

    def _place(self, weighed: Likelihood, factor: np.ndarray | None) -> Guesses:
        """The same as if the list had all homes."""
        if self.explained.settled or not self.known.run.flag("JOINT"):
            return who_lives_there(weighed)
        at_once, told = (
            self.explained.one_place_each,
            part(self.known.run.step("together"), 0.8, 1.0),
        )
        if self.apart is not None:
            return who_lives_there(self.apart.likelihood)
        first, of_point = self.known.places_of_the_file(at_once)
        if self.links.any():  # of each place the record that most releases tell of
            order = np.lexsort((-self.links, of_point))
            first = order[np.unique(of_point[order], return_index=True)[1]]
        # Of one point: how many records it has tells. Else: somebody at home must agree with each.
        if factor is not None and (at_once or self.people.attributes):
            each = self.people.each
            likely = of_places(self.explained.likelihood, factor, of_point, each, first)
        else:
            likely = weighed.taken(first)
        return who_lives_there(together(likely, progress=told).taken(of_point))

    def not_run(self) -> tuple[str, ...]:
        """Say that points were taken each by itself, where they could have been put together."""
        if self.explained.settled or self.known.run.flag("JOINT"):
            return ()
        return (
            tr(
                "All points together (JOINT): no two places of the file are one address, and records of one "
                "home that were each moved by itself lie round it."
            ),
        )

    def record(self, weighed: Likelihood, asked: np.ndarray) -> Guesses:
        """What B believes of each person whose home is known."""
        assert self.known.home is not None  # or nobody is asked for
        likelihood, homes = self.explained.likelihood, self.known.home[asked]
        if self.explained.record is not None:  # he knows more than the first
            likelihood = self.explained.record
        if not self.people.attributes:
            return self.record_of_homes(homes)
        if self.explained.record is not None:
            weighed = likelihood.with_values(likelihood.value * self.people.factor(likelihood))
        own = self.people.of_known(likelihood.of_people(homes), homes, asked)
        return which_of_these(own, self._with_unlisted(of_anybody(weighed)))

    def record_of_homes(self, homes: np.ndarray) -> Guesses:
        """What B believes of people whose records nobody knows, by their homes alone."""
        likelihood = self.explained.record
        if likelihood is None:
            likelihood = self.explained.likelihood
        return which_record(likelihood, homes, self.people.each, self._anybody(likelihood))

    def _anybody(self, likelihood: Likelihood) -> np.ndarray | None:
        """What each point would be of anybody, also of homes that the list lacks; None for none."""
        if self.unlisted is None:
            return None
        each = self.people.each[likelihood.candidate]
        return self._with_unlisted(of_anybody(likelihood.with_values(likelihood.value * each)))

    def _with_unlisted(self, anybody: np.ndarray) -> np.ndarray:
        """What each point would be of anybody, by what it would be of anybody who is listed."""
        if self.unlisted is None:
            return anybody
        listed = 1.0 - self.unlisted.each
        return np.divide(anybody, listed, out=np.zeros(len(anybody)), where=listed > 0)

    def unlike(self) -> int:
        """Records whose attributes agree with nobody at their homes."""
        home = self.known.home
        if home is None or not self.people.attributes:
            return 0
        asked = np.flatnonzero(home >= 0)
        return int(self.people.lacking(home[asked], asked).sum())
