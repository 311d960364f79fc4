# SPDX-License-Identifier: GPL-2.0-or-later
"""A report as JSON: the same figures under names that stay, numbers as numbers, tables whole."""

from __future__ import annotations

import json
from typing import Any

from .files import Path, write_text
from .model import (
    Blanks,
    Block,
    Figure,
    Figures,
    Notice,
    Paragraph,
    Reference,
    Report,
    Table,
)
from .visuals import Bars, Chart, Histogram, Lines, Mark, Picture, Scatter, Series
from .wording import Wording

#: Raised when a reader of the old form would misread the new one.
FORMAT_VERSION = 1


def write_json(report: Report, path: Path, wording: Wording | None = None) -> None:
    """Write ``report`` as JSON to ``path``, wholly or not at all.

    Raises
    ------
    GeoAnonError
        The file cannot be written; an older file at its place is untouched.
    """
    wording = wording or Wording()
    write_text(to_json(report, wording), path, wording)


def to_json(report: Report, wording: Wording | None = None) -> str:
    """Return ``report`` as JSON text that ends with a line feed."""
    # ASCII on purpose: a reader that guesses the encoding cannot guess wrong
    return json.dumps(to_dict(report, wording), indent=1, allow_nan=False) + "\n"


def to_dict(report: Report, wording: Wording | None = None) -> dict[str, Any]:
    """Return ``report`` as the dictionary that the JSON holds.

    ``figures`` maps every machine name to its bare value; ``sections`` hold all the rest in
    reading order. Pictures appear by caption only; what is missing or not finite is None.
    """
    wording = wording or Wording()
    private_note = report.private_note or wording.private_note
    return {
        "format": "geoanon-report",
        "format_version": FORMAT_VERSION,
        "private": bool(report.private),
        "private_note": private_note if report.private else "",
        "title": report.title,
        "subtitle": report.subtitle,
        "generated_by": report.generated_by,
        "version": report.version,
        "verdict": dict(report.decision.data) if report.decision else None,
        "figures": {figure.name: figure.value for figure in report.figures},
        "sections": [
            {
                "name": section.name,
                "title": section.title,
                "blocks": [_block(block) for block in section.blocks],
            }
            for section in report.sections
        ],
        "audit": dict(report.audit.facts) if report.audit else None,
    }


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, Paragraph):
        return {"type": "paragraph", "text": block.text}
    if isinstance(block, Notice):
        return {"type": "notice", "kind": block.kind, "title": block.title, "text": block.text}
    if isinstance(block, Blanks):
        return {"type": "blanks", "title": block.title, "labels": list(block.labels)}
    if isinstance(block, Reference):
        return {"type": "reference", "text": block.text, "url": block.url}
    if isinstance(block, Figures):
        return {"type": "figures", "figures": [_figure(figure) for figure in block.figures]}
    if isinstance(block, Picture):
        return {
            "type": "picture",
            "name": block.name,
            "caption": block.caption,
            "alt": block.alt,
        }
    if isinstance(block, Table):
        return _table(block)
    return _chart(block)


def _figure(figure: Figure) -> dict[str, Any]:
    return {
        "name": figure.name,
        "label": figure.label,
        "value": figure.value,
        "unit": figure.unit,
        "note": figure.note,
        "explained": figure.explained,
    }


def _table(table: Table) -> dict[str, Any]:
    names = [column.name for column in table.columns]
    return {
        "type": "table",
        "name": table.name,
        "caption": table.caption,
        "columns": [
            {"name": column.name, "label": column.label, "unit": column.unit}
            for column in table.columns
        ],
        "rows": [dict(zip(names, row)) for row in table.rows],
    }


def _chart(chart: Chart) -> dict[str, Any]:
    head = {"name": chart.name, "title": chart.title, "caption": chart.caption}
    if isinstance(chart, Histogram):
        return {
            "type": "histogram",
            **head,
            "x_label": chart.x_label,
            "x_unit": chart.x_unit,
            "y_label": chart.y_label,
            "bins": [
                {"from": low, "to": high, "count": count}
                for low, high, count in zip(chart.edges, chart.edges[1:], chart.counts)
            ],
            "above": chart.above,
            "maximum": chart.maximum,
            "marks": [_mark(mark) for mark in chart.marks],
        }
    if isinstance(chart, Bars):
        return {
            "type": "bars",
            **head,
            "value_label": chart.value_label,
            "unit": chart.unit,
            "bars": [
                {"label": label, "value": value} for label, value in zip(chart.labels, chart.values)
            ],
        }
    if isinstance(chart, Lines):
        return {
            "type": "lines",
            **head,
            "x_label": chart.x_label,
            "x_unit": chart.x_unit,
            "y_label": chart.y_label,
            "y_unit": chart.y_unit,
            "steps": bool(chart.steps),
            "x_log": bool(chart.x_log),
            "series": [_series(series) for series in chart.series],
            "marks": [_mark(mark) for mark in chart.marks],
            "limits": [_mark(mark) for mark in chart.limits],
        }
    if isinstance(chart, Scatter):
        return {
            "type": "scatter",
            **head,
            "x_label": chart.x_label,
            "x_unit": chart.x_unit,
            "y_label": chart.y_label,
            "y_unit": chart.y_unit,
            "equal_axes": bool(chart.equal_axes),
            "x_log": bool(chart.x_log),
            "series": [
                {
                    "label": dots.label,
                    "joined": bool(dots.joined),
                    "x": list(dots.x),
                    "y": list(dots.y),
                    "notes": list(dots.notes),
                }
                for dots in chart.series
            ],
            "marks": [_mark(mark) for mark in chart.marks],
            "limits": [_mark(mark) for mark in chart.limits],
        }
    raise TypeError(f"no JSON form for {type(chart).__name__}")


def _series(series: Series) -> dict[str, Any]:
    result = {"label": series.label, "x": list(series.x), "y": list(series.y)}
    if series.low:
        result.update(low=list(series.low), high=list(series.high))
    return result


def _mark(mark: Mark) -> dict[str, Any]:
    return {"value": mark.value, "label": mark.label}
