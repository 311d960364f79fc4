# SPDX-License-Identifier: GPL-2.0-or-later
"""What to do after equivalence classes were counted, and what counting them says nothing about."""

from __future__ import annotations

import numpy as np

from ..i18n import number_of, tr
from . import equivalenceclasses_more as more
from .equivalenceclasses import Classes


def steps(told: Classes, limit: float) -> list[str]:
    """What to do next."""
    said = []
    if told.small:
        said.append(
            tr(
                "Leave out the {small} in classes of fewer than {k} (small = 1 in OUTPUT), and "
                "count again."
            ).format(small=number_of(told.small, "record", "records"), k=told.k)
        )
    over = told.found.evidence(told.k).share > limit
    if told.proposed.frontier:
        said.append(more.grouping_step(told.proposed, told.k))
    elif over:
        most = max(range(len(told.names)), key=lambda at: len(told.categories[at]))
        said.append(
            tr(
                "Group the values of {name}, which has most categories ({count:,}), or leave a "
                "quasi-identifier out. With area ids among them, aggregate the areas "
                "(geoanon:vbas)."
            ).format(name=told.names[most], count=len(told.categories[most]))
        )
    broken = [
        one for one in told.sensitive if one.breaking(told.asked.least, told.asked.farthest).any()
    ]
    if broken:
        said.append(
            tr(
                "Leave out or group further the classes that tell too much of {fields}: CLASSES has "
                "the different values of each (_values), and its distance from the whole (_t)."
            ).format(fields=", ".join(f"“{one.name}”" for one in broken))
        )
    if over and limit > 0:
        said.append(
            tr("Within the limit are classes of {count:,} records on average.").format(
                count=int(np.ceil(1 / limit))
            )
        )
    return said[:3] or [
        tr(
            "Release no other field by which people are known; each belongs among QIS. What all "
            "members of a class have in common is known of each of them: look at CLASSES."
        )
    ]


def not_run(told: Classes, has_places: bool, is_grouped: bool) -> list[str]:
    """What the look-up says nothing about."""
    said = [
        tr(
            "Only the fields of SENSITIVE were looked at: of any other, a value that all members of "
            "a class share is known of each, however large the class is."
        )
        if told.sensitive
        else tr(
            "What a class tells of its members was not looked at (SENSITIVE): a value of another "
            "field that all of them share is known of each, however large the class is."
        )
    ]
    if is_grouped:
        said.append(
            tr(
                "The table as it stands was not looked at: this is about the table with its groups "
                "(GROUPS, DATES), and holds if it is released so."
            )
        )
    near = [one.name for one in told.sensitive if one.ordered]
    if near and told.asked.farthest is None:
        said.append(
            tr(
                "Whether the values of a class are near each other was not looked at: numbers that "
                "differ a little count as different ones, though who knows them all knows each "
                "nearly ({fields}). Ask for a distance (T)."
            ).format(fields=", ".join(near))
        )
    if told.people is None:
        said.append(
            tr(
                "Records of the same person: each was taken to be another person. Where people have "
                "several, choose the field with the person's id (PERSON_FIELD): five visits of one "
                "person hide nobody."
            )
        )
    if has_places:
        said.append(
            tr(
                "Where the records are was not looked at: it holds for a table without places. "
                "Mask the places (geoanon:voronoimask) and attack them, or release areas "
                "(geoanon:vbas)."
            )
        )
    return said
