# SPDX-License-Identifier: GPL-2.0-or-later
"""Coarser fields in words, and as expressions of QGIS that make them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.aggregation import coarsening as engine
from ...core.aggregation.coarsening import Level, Proposal
from ..i18n import mark, tr

_WORDS = {
    engine.WIDTH: mark("in classes of {size:.10g}"),
    engine.HOUR: mark("by hour"),
    engine.DAY: mark("by day"),
    engine.MONTH: mark("by month"),
    engine.QUARTER: mark("by quarter"),
    engine.YEAR: mark("by year"),
    engine.YEARS: mark("in classes of {size:.0f} years"),
    engine.LETTERS: mark("by the first {size:.0f} letters or digits"),
    engine.OTHERS: mark("the {size:.0f} most frequent values, all others together"),
    engine.LEFT_OUT: mark("left out"),
}
_MOST_FREQUENT = mark("the most frequent value, all others together")
_CALENDAR = {
    engine.HOUR: "hour({field})",
    engine.DAY: "format_date({field}, 'yyyy-MM-dd')",
    engine.MONTH: "format_date({field}, 'yyyy-MM')",
    engine.QUARTER: "to_string(year({field})) || '-Q' || to_string(ceil(month({field}) / 3))",
    engine.YEAR: "year({field})",
    engine.YEARS: "floor(year({field}) / {size:.0f}) * {size:.0f}",
    engine.LETTERS: "left({field}, {size:.0f})",
    engine.WIDTH: "floor({field} / {size:.10g}) * {size:.10g}",
}


@dataclass(frozen=True)
class Form:
    """A field's coarser form as it is shown.

    Attributes
    ----------
    field, how : str
        The field, and its coarser form in words.
    expression : str
        Of QGIS, whose value takes the place of the field's; empty for a field that is left out.
    """

    field: str
    how: str
    expression: str

    def __str__(self) -> str:
        return f"{self.field}: {self.how}"


@dataclass(frozen=True)
class Told:
    """A proposal as it is shown: the forms of its fields, and what it comes to."""

    forms: tuple[Form, ...]
    proposal: Proposal

    def __str__(self) -> str:
        return "; ".join(map(str, self.forms))


def told(
    proposals: Sequence[Proposal], names: Sequence[str], categories: Sequence[Sequence]
) -> list[Told]:
    """Write proposals for the fields of these names, whose values stand by code."""
    return [
        Told(
            tuple(
                Form(name, _in_words(level), expression(name, level, values))
                for name, level, values in zip(names, one.levels, categories)
                if level is not None
            ),
            one,
        )
        for one in proposals
    ]


def _in_words(level: Level) -> str:
    if (level.how, level.size) == (engine.OTHERS, 1):
        return tr(_MOST_FREQUENT)
    return tr(_WORDS[level.how]).format(size=level.size)


def expression(name: str, level: Level, categories: Sequence) -> str:
    """The expression that makes a field coarser; NULL stays NULL, and empty text missing."""
    field = '"' + name.replace('"', '""') + '"'
    if level.how == engine.LEFT_OUT:
        return ""
    if level.how != engine.OTHERS:
        return _CALENDAR[level.how].format(field=field, size=level.size)
    together = _most_frequent_group(level, categories)
    merged = [one for one, group in zip(categories, level.groups.tolist()) if group == together]
    kept = [one for one in categories if one is not None and one not in set(merged)]
    others = tr("others")
    while others in kept:
        others += "_"
    if len(merged) <= len(kept):
        return f"if({field} in ({_listed(merged)}), {_quoted(others)}, {field})"
    blank = f"trim(coalesce({field}, '')) = ''"
    return f"if({field} in ({_listed(kept)}) or {blank}, {field}, {_quoted(others)})"


def _most_frequent_group(level: Level, categories: Sequence) -> int:
    """The group of more than one category: there is one where rare ones are put together."""
    groups = level.groups.tolist()
    there = [group for one, group in zip(categories, groups) if one is not None]
    return max(set(there), key=there.count)


def _listed(values: Sequence) -> str:
    return ", ".join(map(_quoted, values))


def _quoted(value: object) -> str:
    return "'" + str(value).replace("\\", "\\\\").replace("'", "''") + "'"
