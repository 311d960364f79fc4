# SPDX-License-Identifier: GPL-2.0-or-later
"""What several reports share: the page they are told to, and sections that many have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ... import paths
from ...report import Page, Picture, Reference, Report, col
from ..i18n import mark, number_of, tr, translated
from ..layers.attributes import Choice

#: What is private in a report that shows no place.
_NO_MAP = mark(
    "This report tells of the original records, or of what leads back to them. It is only for "
    "those who may see the original data. It must not be given to anyone who receives the released "
    "data, and must not be published, mailed or stored beside it."
)


@dataclass(frozen=True)
class Context:
    """What a report tells beside the engine's result: from what it came, and how.

    Attributes
    ----------
    source : str
        The layer's name.
    sentences : sequence of str
        How it was done: the plane, the metric.
    left_out : sequence of (int, str)
        Records without a usable place.
    unit : str
        Of distances.
    choice : Choice, optional
        Of attributes for the release.
    warnings : sequence of str
    settings : sequence of (str, object)
        Label and value of what the method was told.
    """

    source: str
    sentences: Sequence[str] = ()
    left_out: Sequence[tuple[int, str]] = ()
    unit: str = ""
    choice: Choice | None = None
    warnings: Sequence[str] = ()
    settings: Sequence[tuple[str, object]] = ()


class PrivatePage(Page):
    """A report that shows originals, or tells of them where it has no map."""

    def __init__(self, title: str, subtitle: str):
        super().__init__(title, subtitle, version=paths.metadata().get("version", ""))

    def said(self, value: Any) -> Any:
        """Return what the engine says in the user's language, and anything else as it is."""
        return translated(value)

    def pictures(self, title: str, pictures: Sequence, name: str = "map") -> PrivatePage:
        """Add a section of maps, or of the notice that stands in their place."""
        self.section(title, name).add(*pictures)
        return self

    def settings(self, settings: Iterable[tuple[str, object]]) -> PrivatePage:
        """Add a table of what a method was told."""
        self.table("settings", [col("setting", tr("Setting")), col("value", tr("Value"))], settings)
        return self

    def left_out(self, records: Sequence[tuple[int, str]], count: str) -> PrivatePage:
        """List the ``count`` records that have no usable place, if there are any."""
        if records:
            self.say(tr("{count} without a usable place, left out.").format(count=count))
            columns = [col("feature_id", tr("Feature id"), numeric=False), col("why", tr("Why"))]
            self.table("left_out", columns, records)
        return self

    def kept_out(self, records: Sequence[tuple[int, str]], before: str = "") -> PrivatePage:
        """Add the section of records that have no usable place, with what is said before them."""
        self.section(tr("Records kept out"), "kept_out").say(before)
        return self.left_out(records, number_of(len(records), "record", "records"))

    def method(
        self, texts: Iterable[str | Sequence[str]], references: Iterable[Reference]
    ) -> PrivatePage:
        """Add the closing section: the plane, the method's fine print, the literature.

        Each text is a paragraph, or the sentences of one.
        """
        paragraphs = ([text] if isinstance(text, str) else text for text in texts)
        text = "\n\n".join(filter(None, (" ".join(map(translated, one)) for one in paragraphs)))
        self.section(tr("How it was computed"), "method").say(text).add(*references)
        return self

    def attributes(self, choice: Choice) -> PrivatePage:
        """List every attribute, released or not and why, and how many it singles out."""
        if not choice.attributes:
            self.say(tr("The release carries no attributes but a new id."))
            return self
        self.figure(
            "attributes_released",
            tr("Attributes released"),
            len(choice.kept),
            tr("Fields of the original that stand in the release, too."),
            note=tr("of {count:,}").format(count=len(choice.attributes)),
        )
        if choice.alone is not None:
            self.figure(
                "records_alone",
                tr("Records alone with their values"),
                choice.alone,
                tr("Whoever knows these values of a person finds the record, whatever the mask."),
                note=tr("of those that are not exchanged, together")
                if choice.exchanged
                else tr("of all released attributes together"),
            )
        if choice.many_alone:
            self.notice(choice.alone_sentence(), "warning", tr("Attributes single people out"))
        self.table(
            "attributes_table",
            [
                col("attribute", tr("Attribute"), "name"),
                col(
                    "state",
                    tr("In the release"),
                    lambda one: tr("released") if one.released else tr("withheld"),
                ),
                col("why", tr("Why, or what to check"), "reason"),
                *(
                    col(name, label, lambda one, name=name: getattr(one.counts, name, None))
                    for name, label in (
                        ("present", tr("Records with a value")),
                        ("different", tr("Different values")),
                        ("unique", tr("Records alone with theirs")),
                    )
                ),
            ],
            choice.attributes,
            tr(
                "Counted among the records that go into the release. A record is alone with its "
                "value where no other has it."
            ),
        )
        return self

    def report(self) -> Report:
        """Return the report, with a note of what is private in it."""
        maps = any(isinstance(block, Picture) for _, _, blocks in self.told for block in blocks)
        self.whole["private_note"] = "" if maps else tr(_NO_MAP)
        return super().report()
