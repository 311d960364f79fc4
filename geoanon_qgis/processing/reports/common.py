# SPDX-License-Identifier: GPL-2.0-or-later
"""Sections that several reports share."""

from __future__ import annotations

from ... import paths
from ...report import (
    Column,
    Figure,
    Figures,
    Notice,
    Paragraph,
    Picture,
    Reference,
    Report,
    Section,
    Table,
)
from ..i18n import mark, tr
from ..layers.attributes import Choice

MOEHLER = Reference(
    "Moehler, J. (2023). On the reversibility of Voronoi geomasking. Blog post with R code."
)
SEIDL = Reference(
    "Seidl, D. E., Paulus, G., Jankowski, P. and Regenfelder, M. (2015). Spatial obfuscation "
    "methods for privacy protection of household-level data. Applied Geography 63, 253–263.",
    "10.1016/j.apgeog.2015.07.001",
)

#: What is private in a report that shows no place.
_NO_MAP = mark(
    "This report tells of the original records, or of what leads back to them. It is only for "
    "those who may see the original data. It must not be given to anyone who receives the "
    "released data, and must not be published, mailed or stored beside it."
)


def private_report(title: str, subtitle: str, sections: list[Section]) -> Report:
    """Put a report together that shows originals, or tells of them where it has no map."""
    maps = any(isinstance(block, Picture) for section in sections for block in section.blocks)
    return Report(
        title=title,
        subtitle=subtitle,
        private=True,
        private_note="" if maps else tr(_NO_MAP),
        sections=[section for section in sections if section.blocks],
        version=paths.metadata().get("version", ""),
    )


def left_out(records: list[tuple[int, str]], count: str) -> list:
    """Blocks that list the ``count`` records that have no usable place; none if all have one."""
    if not records:
        return []
    return [
        Paragraph(tr("{count} without a usable place, left out.").format(count=count)),
        Table(
            (Column("feature_id", tr("Feature id"), numeric=False), Column("why", tr("Why"))),
            records,
            name="left_out",
        ),
    ]


def how_it_was_done(plane_sentence: str, more: list[str], references: list[Reference]) -> Section:
    """The closing section: the plane, the method's fine print, the literature."""
    text = "\n\n".join([plane_sentence, *more])
    return Section(tr("How it was computed"), (Paragraph(text), *references), name="method")


def attributes(choice: Choice) -> tuple:
    """Blocks that list every attribute, released or not and why, and how many it singles out."""
    if not choice.attributes:
        return (Paragraph(tr("The release carries no attributes but a new id.")),)
    figures = [
        Figure(
            "attributes_released",
            tr("Attributes released"),
            len(choice.kept),
            note=tr("of {count:,}").format(count=len(choice.attributes)),
        )
    ]
    if choice.alone is not None:
        figures.append(
            Figure(
                "records_alone",
                tr("Records alone with their values"),
                choice.alone,
                note=tr("of all released attributes together"),
            )
        )
    blocks = [Figures(figures)]
    if choice.many_alone:
        blocks.append(
            Notice(choice.alone_sentence(), "warning", tr("Attributes single people out"))
        )
    rows = [
        (
            one.name,
            tr("released") if one.released else tr("withheld"),
            one.reason,
            *(
                (None,) * 3
                if one.counts is None
                else (one.counts.present, one.counts.different, one.counts.unique)
            ),
        )
        for one in choice.attributes
    ]
    blocks.append(
        Table(
            (
                Column("attribute", tr("Attribute")),
                Column("state", tr("In the release")),
                Column("why", tr("Why, or what to check")),
                Column("present", tr("Records with a value")),
                Column("different", tr("Different values")),
                Column("unique", tr("Records alone with theirs")),
            ),
            rows,
            tr(
                "Counted among the records that go into the release. A record is alone with its "
                "value where no other has it."
            ),
            name="attributes_table",
        )
    )
    return tuple(blocks)
