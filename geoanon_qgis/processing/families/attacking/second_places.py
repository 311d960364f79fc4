# SPDX-License-Identifier: GPL-2.0-or-later
"""Pairs of places of one person, such as home and work: who of the list can have both.

Each is released at a point of its own, and an id links the two. Whoever has a list of people with both
places multiplies what the two points tell of each person: a home is as likely as its people are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....core.attacks.masks.likelihood import Likelihood
from ....core.attacks.masks.several import through_people
from ....core.runtime.errors import InputError
from ...dialog import parameters
from ...dialog.rules import GIVEN
from ...i18n import mark, number_of, tr
from ...layers.values import labels
from ...running import Given, Run
from .listing import PERSON_ID, Listed

PLACES, ID = "SECOND_PLACES", "SECOND_ID"


def inputs() -> list:
    """Return the parameters."""
    return [
        parameters.source(
            PLACES,
            tr("Second places of the people of the list"),
            tr(
                "For further releases of another place of the same people, such as where they work: "
                "points of these places, for the people of the address list. LINKED_BY or the keys say "
                "which home and which workplace are one record's. Empty: further releases are of the "
                "same places."
            ),
            "point",
            optional=True,
            advanced=True,
        ),
        parameters.field(
            ID,
            tr("Field of the second places that names the person"),
            tr("The same ids as in PERSON_ID of the address list."),
            PLACES,
            advanced=True,
            only_when={PLACES: GIVEN},
        ),
        parameters.field(
            PERSON_ID,
            tr("Field of the address list that names the person"),
            tr("The list then has a row for each person."),
            "CANDIDATES",
            advanced=True,
            only_when={PLACES: GIVEN},
        ),
    ]


def check(given: Given) -> str | None:
    """Say what does not go together."""
    if not given.has(PLACES):
        return None
    if not (given.has(ID) and given.has(PERSON_ID) and given.paths("FURTHER_RELEASES")):
        return tr(
            "Second places (SECOND_PLACES) need the fields that name the person, there (SECOND_ID) "
            "and in the address list (PERSON_ID), and the release of them (FURTHER_RELEASES)."
        )
    return None


class OfSecondPlaces:
    """The run, for a release of second places: its address list is that of these places."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __getattr__(self, name):
        return getattr(self._run, name)

    def source(self, name: str):
        return self._run.source(PLACES if name == "CANDIDATES" else name)

    def field(self, name: str, source=None):
        if name == "WEIGHT":
            return None
        return self._run.field(ID if name == PERSON_ID else name, source)

    def fields(self, name: str, source=None):
        return [] if name == "CANDIDATE_QIS" else self._run.fields(name, source)


@dataclass(frozen=True)
class People:
    """Who lives where and has which second place.

    Attributes
    ----------
    row : (p,) int array
        Of the address list: the person, a row for each of her second places.
    home, second : (p,) int arrays
        Candidates of both lists.
    weight : (p,) array
        Of the person, shared out among her second places.
    of_home : (m,) array
        Weight of each home.
    lacking : int
        Rows of the list without a second place: none of the linked records can be theirs.
    """

    row: np.ndarray
    home: np.ndarray
    second: np.ndarray
    weight: np.ndarray
    of_home: np.ndarray
    lacking: int

    @classmethod
    def of(cls, listed: Listed, others: Listed) -> People:
        """Join both lists by the ids of people.

        Raises
        ------
        InputError
            If nobody is in both.
        """
        rows: dict[str, list[int]] = {}
        for row, name in enumerate(labels(others.table.columns[others.person])):
            if name is not None:
                rows.setdefault(name, []).append(row)
        names = labels(listed.table.columns[listed.person])
        pairs = [(one, row) for one, name in enumerate(names) for row in rows.get(name, ())]
        if not pairs:
            raise InputError(
                mark(
                    "Nobody of the address list has a second place: no id of the one is in the "
                    "other. Choose the fields with the same ids (PERSON_ID, SECOND_ID)."
                )
            )
        person, row = np.array(pairs).T
        many = np.bincount(person, minlength=len(names))
        count = len(listed.candidates)
        return cls(
            person,
            listed.of_row[person],
            others.of_row[row],
            (listed.own / np.maximum(many, 1))[person],
            np.bincount(listed.of_row, listed.own, count),
            int((many == 0).sum()),
        )

    def told(self, one: Likelihood) -> Likelihood:
        """Return what a likelihood of second places is of homes."""
        return through_people(one, self.home, self.second, self.weight, self.of_home)

    def sentence(self) -> str:
        """Say how many of the list have no second place."""
        return tr(
            "{people} of the list without a second place: no linked record is taken for theirs."
        ).format(people=number_of(self.lacking, "row is", "rows are"))
