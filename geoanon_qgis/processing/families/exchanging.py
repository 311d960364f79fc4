# SPDX-License-Identifier: GPL-2.0-or-later
"""Attributes of a release that are exchanged among neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...core.columns import Column
from ...core.distances.exchange import exchange
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress
from ..dialog import parameters
from ..dialog.rules import GIVEN
from ..i18n import figure, mark, number_of, tr
from ..running import Run
from .release_task import Task

EXCHANGE, SIZE, WITHIN = "EXCHANGE", "EXCHANGE_K", "EXCHANGE_WITHIN"


def inputs() -> list:
    """Return the parameters of an exchange."""
    return [
        parameters.field(
            EXCHANGE,
            tr("Attributes to exchange among neighbours"),
            tr(
                "Attributes to be protected, such as a diagnosis. Records are put into groups who "
                "live near each other, and get each other's values of these at random: whoever is "
                "linked by distances, nobody can tell whose the values are with more than one in "
                "the size of the group. What is not hidden: that somebody is in the release, and "
                "what most of a group have in common. Attributes that are exchanged move together: "
                "whoever knows one of them of a person may find the others by it. Exchange the "
                "values of the same people once only: two releases with other groups, or of "
                "slightly other people, tell together what neither tells."
            ),
            "INPUT",
            several=True,
            advanced=True,
        ),
        parameters.integer(
            SIZE,
            tr("Least size of such a group"),
            tr(
                "Larger groups protect more and blur more of how values are spread. It matters "
                "only where attributes are exchanged."
            ),
            5,
            2,
            advanced=True,
            only_when={EXCHANGE: GIVEN},
        ),
        parameters.field(
            WITHIN,
            tr("Attributes that such a group has in common"),
            tr(
                "Values are exchanged only among records that are alike in these, such as sex and "
                "age: how values go with them stays exact, and who knows that learns no more from "
                "it. Groups then reach further."
            ),
            "INPUT",
            several=True,
            advanced=True,
            only_when={EXCHANGE: GIVEN},
        ),
    ]


@dataclass(frozen=True)
class Exchanged:
    """Columns with exchanged values, and what is said of it.

    Attributes
    ----------
    columns : mapping of str to Column
        Those that were exchanged.
    told, warnings : tuple of str
    """

    columns: Mapping[str, Column]
    told: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asked:
    """What is to be exchanged.

    Attributes
    ----------
    fields, within : tuple of str
        Attributes that are exchanged, and that a group has in common.
    size : int
        Least size of a group.
    """

    fields: tuple[str, ...]
    within: tuple[str, ...]
    size: int

    @classmethod
    def of(cls, run: Run, source) -> Asked:
        """Read the parameters.

        Raises
        ------
        InputError
            If an attribute is to be exchanged and shared, or shared where none is exchanged.
        """
        fields, within = run.fields(EXCHANGE, source), run.fields(WITHIN, source)
        both = [one for one in fields if one in within]
        if both:
            raise InputError(
                mark("The attribute “{field}” cannot be exchanged and shared by a group at once."),
                field=both[0],
            )
        if within and not fields:
            raise InputError(
                mark(
                    "Attributes are named that neighbours who exchange have in common, but none "
                    "that they exchange (EXCHANGE)."
                )
            )
        return cls(tuple(fields), tuple(within), run.number(SIZE))

    def refuse_what_is_not_released(self, kept: Sequence[str]) -> None:
        """Refuse attributes that the release does not carry.

        Raises
        ------
        InputError
            If one is to be exchanged, or shared by a group.
        """
        for one in (*self.fields, *self.within):
            if one not in kept:
                raise InputError(
                    mark(
                        "The attribute “{field}” is to be exchanged among neighbours, or shared by "
                        "those who exchange, but it is not released. Name it in FIELDS."
                    ),
                    field=one,
                )

    def made(self, task: Task, progress: Progress) -> Exchanged:
        """Exchange the values.

        Parameters
        ----------
        task : Task
            Its generator deals the values out.
        progress : Progress

        Raises
        ------
        InputError
            If there are fewer records than a group needs.
        """
        if not self.fields:
            return Exchanged({})
        columns, classes = task.table.columns, None
        if self.within:
            classes = list(zip(*(columns[one].texts() for one in self.within)))
        done = exchange(task.points, task.metric, self.size, task.rng, classes, progress)
        told = [
            tr(
                "{fields}: exchanged at random in {groups} of at least {size} records that lie "
                "near each other. Whoever is linked, whose the values are is known with a "
                "probability of {chance:.2g} at most, from this one release: never release these "
                "people's values again with other groups."
            ).format(
                fields=", ".join(self.fields),
                groups=number_of(int(done.group.max()) + 1, "group", "groups"),
                size=self.size,
                chance=float(done.chance.max()),
            )
        ]
        warnings = []
        for one in self.fields:
            values = columns[one].texts()
            in_groups, at_all = done.guessed(values)
            told.append(
                tr(
                    "{field}: whose a value is is hidden, not what it is. Whoever takes for a "
                    "person the value that most of the group have is right for {right} of "
                    "{records}; the value that most of all have is right for {all}."
                ).format(
                    field=one,
                    right=figure(in_groups, ","),
                    records=number_of(len(values), "record", "records"),
                    all=figure(at_all, ","),
                )
            )
            alike = int(done.alike(values).sum())
            if alike:
                warnings.append(
                    tr(
                        "{field}: the exchange hides nothing of {records}, in whose groups all "
                        "have the same value."
                    ).format(field=one, records=number_of(alike, "record", "records"))
                )
            singled = int(done.singled(values).sum()) if len(self.fields) > 1 else 0
            if singled:
                warnings.append(
                    tr(
                        "{field}: {records} alone in their group with their value. Exchanged "
                        "attributes move together, so whoever knows this one of such a person "
                        "knows the others, too. Exchange what others may know in no release with "
                        "what is to be protected."
                    ).format(field=one, records=number_of(singled, "record is", "records are"))
                )
        if done.joined:
            warnings.append(
                tr(
                    "{records} in groups that do not have {fields} in common, because some have "
                    "too few others alike: whoever knows how values go with these learns more of "
                    "them."
                ).format(
                    records=number_of(done.joined, "record is", "records are"),
                    fields=", ".join(self.within),
                )
            )
        exchanged = {one: columns[one].taken(done.row) for one in self.fields}
        return Exchanged(exchanged, tuple(told), tuple(warnings))
