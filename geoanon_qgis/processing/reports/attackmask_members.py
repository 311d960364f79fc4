# SPDX-License-Identifier: GPL-2.0-or-later
"""What is told of people who are known to be in the file, and of whom the limit is on."""

from __future__ import annotations

from ...core.experiments.masks.one_release import above
from ...core.experiments.masks.standing import EVERY_RECORD, MEAN, Limit
from ..families.attacking.attacked import Attacked, Members
from ..i18n import number_of, tr


def told(members: Members) -> list[str]:
    """Return what the log warns of."""
    said = []
    if members.absent and members.record is not None:
        said.append(
            tr("By the key, of “{name}” (MEMBERS) {people} not in the file: not asked for.")
        )
    elif members.absent:
        said.append(
            tr(
                "Of “{name}” (MEMBERS) {people} not in the file, as no released point can be theirs "
                "by this mask: not asked for."
            )
        )
    many = number_of(members.absent, "person is", "people are")
    said = [one.format(people=many, name=members.name) for one in said]
    if members.unlisted:
        said.append(
            tr(
                "Of “{name}” (MEMBERS) {people} at no address of the list: for them the attack "
                "cannot ask. Give a list that has their homes."
            ).format(
                people=number_of(members.unlisted, "person lives", "people live"),
                name=members.name,
            )
        )
    return said


def limited(found: Attacked, limit: Limit) -> list[str]:
    """How many are above a limit that is not on the mean alone."""
    if limit.on == MEAN:
        return []
    allowed = tr("nobody may be") if limit.on == EVERY_RECORD else tr("one in a hundred may be")
    said = tr("Above the limit of {share:.3g} % are {many:,} of {all:,} {what}; {allowed}.")
    return [
        said.format(
            share=100 * limit.share,
            many=int(above(guesses.top, limit.share).sum()),
            all=len(guesses.top),
            what=what,
            allowed=allowed,
        )
        for guesses, what in (
            (found.place, tr("largest probabilities of a place")),
            (found.record, tr("largest probabilities of a record")),
        )
        if guesses is not None
    ]


def nobody_else(found: Attacked) -> list[str]:
    """Of whom the second adversary was not asked."""
    said: list[str] = []
    if found.members is not None and found.record is not None:
        said.append(
            tr(
                "Which record is that of anybody else: what is said of records speaks of {people} "
                "in “{name}” (MEMBERS) alone."
            ).format(
                people=number_of(len(found.members), "person", "people"), name=found.members.name
            )
        )
        if found.attributes and found.right_record is None:
            said.append(
                tr(
                    "Attributes of those people: which record is whose is not known without the key "
                    "(KEY), so that they were asked for by their homes alone."
                )
            )
    return said
