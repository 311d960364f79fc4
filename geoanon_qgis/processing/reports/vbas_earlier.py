# SPDX-License-Identifier: GPL-2.0-or-later
"""What an earlier release and this one give away together: log, report, next step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.aggregation.nesting import ANY, COARSEN, REFINE, SAME
from ...report import col
from ..families.earlier import Subtracted
from ..families.regional import Data
from ..i18n import number_of, tr
from .common import PrivatePage

#: Classes, and regions of one, that are listed.
_LISTED, _NAMED = 200, 5


def sentence(one: Subtracted, k: int) -> str:
    """What was found, for the log and the report."""
    found = one.found
    said = (
        tr(
            "By subtracting {releases} earlier releases “{name}” and this one from each other, {classes} "
            "of fewer than {k} can be computed."
        )
        if one.releases > 1
        else _of_one()
    ).format(
        name=one.name,
        releases=one.releases,
        classes=number_of(len(found), "class", "classes"),
        k=k,
    )
    if one.are_joined:
        said = f"{said} " + joins_sentence(one)
    if found.apart:
        said = f"{said} " + tr(
            "{people} records that agree, in places that one release tells apart and the other does not. "
            "They were looked for in one place alone (PERSON_FIELD): there may be more."
        ).format(people=number_of(found.apart, "person has", "people have"))
    if one.mode != ANY:
        said = f"{nested_sentence(one)} {said}"
    return said if found.complete else f"{said} " + tr("The search was cut off: there may be more.")


def nested_sentence(one: Subtracted) -> str:
    """How the areas lie to the earlier ones."""
    said = {
        REFINE: tr("Each area lies in one area of the earlier release."),
        COARSEN: tr("Each area is made of whole areas of the earlier release."),
        SAME: tr(
            "The areas are those of the earlier release. If the records are those of another year, nobody "
            "looked at who is in both: a class that grew from one year to the next tells how many came."
        ),
    }[one.mode]
    if not len(one.found):
        return said
    return f"{said} " + tr(
        "What can be computed all the same is given away by the earlier releases: by a smaller K, or by "
        "several of them together."
    )


def joins_sentence(one: Subtracted) -> str:
    """Which joins prevent subtraction, or that none were found."""
    if one.joins is None and not one.found.complete:
        return tr(
            "Areas whose join prevents that were not looked for: what was cut off could not be checked."
        )
    if one.joins is None:
        return tr(
            "No areas were found whose join prevents that. The search may have ended too early, or no "
            "joins do: where an earlier release hides few records in all, any sum that is shown now gives "
            "them away."
        )
    values = {
        "areas": number_of(sum(map(len, one.joins.groups)), "area", "areas"),
        "groups": number_of(len(one.joins.groups), "area", "areas"),
        "left": number_of(int(one.joins.area_of_region.max()) + 1, "area", "areas"),
    }
    if one.are_joined:
        return tr(
            "{areas} were joined to {groups} for that, which makes {left} in all; checked again then."
        ).format(**values)
    return tr(
        "Where {areas} become {groups}, as listed, nothing of this can be computed any more: it was "
        "checked again with the {left} that are there then. Every single join was taken back where "
        "that is allowed and could be checked, and was needed then; others may do as well."
    ).format(**values)


def _of_one() -> str:
    return tr(
        "By subtracting the earlier release “{name}” from this one (or this from it), {classes} of "
        "fewer than {k} can be computed."
    )


def section(page: PrivatePage, data: Data, one: Subtracted | None, k: int) -> None:
    """The section of the report."""
    if one is None:
        return
    page.section(tr("Earlier release"), "earlier")
    found = one.found
    page.figure(
        "classes_by_subtraction",
        tr("Classes below K by subtraction"),
        len(found),
        tr("Whoever has both releases and their look-up tables computes how many they are."),
    )
    page.figure(
        "people_by_subtraction",
        tr("People in them"),
        int(found.size.sum()),
        tr(
            "A person may be counted in several: in a part of an area, and in what holds that part."
        ),
    )
    page.say(sentence(one, k))
    page.say(
        tr(
            "Both are taken to be of these very records, by the same quasi-identifiers, with what is "
            "below K={old} suppressed in the earlier and below {new} in this one. Looked at were where "
            "an area of the one meets one of the other, areas whose class is suppressed, what is "
            "left of areas without what is known and, where nothing else was found, what is left of "
            "several areas together without areas of the other release that lie in them."
        ).format(old=one.k, new=k)
    )
    if one.outside:
        page.say(
            tr("{regions} not in the earlier release.").format(
                regions=number_of(one.outside, "region is", "regions are")
            )
        )
    ids = data.regions.ids.texts()

    def named(at: int) -> str:
        rows = found.regions[at]
        more = ", …" if len(rows) > _NAMED else ""
        return ", ".join(ids[row] for row in rows[:_NAMED]) + more

    page.table(
        "subtraction_table",
        [
            col("area_id", tr("Area"), lambda at: found.area[at] + 1, numeric=False),
            col("records", tr("Records"), lambda at: found.size[at]),
            col("regions", tr("Regions"), lambda at: len(found.regions[at])),
            col("which", tr("Which regions"), named, numeric=False),
        ],
        list(range(min(_LISTED, len(found)))),
    )
    if not one.are_joined and one.mode == ANY and len(found):
        page.say(joins_sentence(one))
    if not one.are_joined and one.joins is not None:
        page.table(
            "joins_table",
            [
                col("areas", tr("Areas to join"), _listed, numeric=False),
                col("count", tr("Areas"), len),
            ],
            list(one.joins.groups),
        )


def _listed(group: np.ndarray) -> str:
    return ", ".join(str(area + 1) for area in group.tolist())


def step(one: Subtracted | None) -> list[str]:
    """What to do about it."""
    if one is None or not (len(one.found) or one.found.apart or not one.found.complete):
        return []
    said = []
    if one.joins is not None:
        said.append(
            tr(
                "Run it again with EARLIER_JOIN: joins {groups}, after which nothing can be subtracted."
            ).format(
                groups="; ".join(
                    " + ".join(_listed(group).split(", ")) for group in one.joins.groups
                )
            )
        )
    if one.releases > 1:
        return [
            *said,
            tr(
                "Do not release other areas: no areas are safe beside {releases} earlier releases for sure. "
                "Release by the areas of one of them again (EARLIER_NESTED=same, its field first in "
                "EARLIER_AREA, its K), and look whether these alone give classes away."
            ).format(releases=one.releases),
        ]
    return [
        *said,
        _nested_step(one),
    ]


def _nested_step(one: Subtracted) -> str:
    if one.mode == ANY:
        return tr(
            "Or run it again with areas of whole earlier ones (EARLIER_NESTED=coarsen) or within them "
            "(refine): some more records are withheld then, and nothing can be subtracted. Or release by "
            "the earlier areas again (same). K={k} or less."
        ).format(k=one.k)
    return tr(
        "Release with K={k} or less: the earlier release shows smaller classes than this one, and no "
        "areas hide what is out."
    ).format(k=one.k)


def not_run(one: Subtracted | None, further: Sequence[str]) -> list[str]:
    """What the verdict says nothing about of earlier releases."""
    if one is not None and further:
        return [
            tr(
                "Records that are known again in both releases by their further attributes ({names}): "
                "they lie where the two areas overlap, in classes that may be below K. That was not "
                "looked at, nor what those have in common of them who are left when one release is "
                "subtracted from the other."
            ).format(names=", ".join(further))
        ]
    if one is not None:
        return []
    return [
        tr(
            "Subtraction of an earlier release of the same records: none was given (EARLIER). If there "
            "is one, classes below K may be computed from the two."
        )
    ]
