# SPDX-License-Identifier: GPL-2.0-or-later
"""A report as one HTML file that needs nothing but itself.

No script and nothing from elsewhere: a content security policy in the file forbids both, so
that a hostile attribute value could not act even if it slipped through the escaping.
"""

from __future__ import annotations

import base64
import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path as FilePath
from typing import Any, Callable, get_args

from . import charts, tables
from .escaping import breakable
from .escaping import text as _text
from .files import Path, write_text
from .model import (
    Blanks,
    Block,
    Decision,
    Figures,
    Notice,
    Paragraph,
    Reference,
    Report,
    Section,
    Table,
)
from .scatter import drawn_dots
from .values import (
    UNIT_SPACE,
    clean,
    default_decimals,
    format_quantity,
    format_value,
)
from .visuals import Chart, Histogram, Picture, Scatter
from .wording import Wording

#: Rows of one table that the HTML shows; the JSON holds all.
MAX_ROWS = 200

_POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri "
    "'none'"
)
_LONG_NUMBER = 9  # letters that fit a headline in full size
_STYLE = FilePath(__file__).with_name("report.css")


def write_html(
    report: Report,
    path: Path,
    wording: Wording | None = None,
    ask: Callable[[], None] | None = None,
) -> None:
    """Write ``report`` as one HTML file to ``path``, wholly or not at all.

    Parameters
    ----------
    wording : Wording, optional
        The writer's own words; English when left out.
    ask : callable, optional
        Called before each block, as a chart takes some tenths of a second; may raise to cancel.

    Raises
    ------
    GeoAnonError
        The file cannot be written; an older file at its place is untouched.
    """
    wording = wording or Wording()
    write_text(to_html(report, wording, ask=ask), path, wording)


def to_html(
    report: Report,
    wording: Wording | None = None,
    max_rows: int = MAX_ROWS,
    ask: Callable[[], None] | None = None,
) -> str:
    """Return ``report`` as the text of an HTML file."""
    return _Page(wording or Wording(), max_rows, ask).page(report)


def _address(url: str) -> str:
    """Return the address to link to, or nothing when it is none that a report may link to."""
    url = url.strip()
    if re.match(r"10\.\d{4,9}/\S+\Z", url):
        return "https://doi.org/" + url
    # no white space, which browsers would drop from within an address
    return url if re.match(r"https?://[^\s/]\S*\Z", url, re.IGNORECASE) else ""


class _Page:
    """Writes one report; counts the ids it has given out."""

    def __init__(self, wording: Wording, max_rows: int, ask: Callable[[], None] | None = None):
        self._ask = ask or (lambda: None)
        self.wording = wording
        self.max_rows = max_rows
        self._counters: dict[str, Iterator[int]] = {}

    def _id(self, kind: str) -> str:
        return f"{kind}-{next(self._counters.setdefault(kind, itertools.count(1)))}"

    # --- the frame -----------------------------------------------------------------------

    def page(self, report: Report) -> str:
        w = self.wording
        tab_title = f"{w.private}: {report.title}" if report.private else report.title
        parts = [
            "<!DOCTYPE html>",
            f'<html lang="{_text(w.lang)}">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            '<meta name="robots" content="noindex">',
            f"<title>{_text(tab_title)}</title>",
            f"<style>\n{self._style(report)}</style>",
            "</head>",
            f'<body class="{"private" if report.private else "open"}">',
        ]
        if report.private:
            parts += [
                f'<aside class="banner" aria-label="{_text(w.private)}">',
                f"<strong>{_text(w.private_title)}</strong>",
                f"<p>{_text(report.private_note or w.private_note)}</p>",
                "</aside>",
            ]
        parts += ["<main>", "<header>", f"<h1>{_text(report.title)}</h1>"]
        if report.subtitle:
            parts.append(f'<p class="subtitle">{_text(report.subtitle)}</p>')
        parts.append("</header>")
        if report.decision is not None:
            parts.append(self._decision(report.decision))
        parts += [self._section(section) for section in report.sections]
        if report.audit is not None:
            parts.append(self._section(report.audit.section, "audit", self._two_pages()))
        parts += ["</main>", "<footer>"]
        program = f"{report.generated_by} {report.version}".strip()
        if program:
            parts.append(f"<p>{_text(w.made_with.format(program=program))}</p>")
        if report.private:
            parts.append(f'<p class="again">{_text(w.private_title)}</p>')
        parts += ["</footer>", "</body>", "</html>"]
        return "\n".join(parts) + "\n"

    def _decision(self, decision: Decision) -> str:
        name = self._id("decision")
        rows = "\n".join(
            f"<div><dt>{_text(label)}</dt>"
            + "".join(f"<dd>{breakable(text)}</dd>" for _, text in same)
            + "</div>"
            for label, same in itertools.groupby(decision.rows, key=lambda row: row[0])
        )
        return (
            f'<section class="decision {decision.kind}" aria-labelledby="{name}">\n'
            f'<p class="decision-title" id="{name}">{_text(decision.title)}</p>\n'
            f"<p>{_text(decision.meaning)}</p>\n<dl>\n{rows}\n</dl>\n</section>"
        )

    def _style(self, report: Report) -> str:
        style = _STYLE.read_text(encoding="utf-8")
        if report.private:  # the margin of every printed page, where browsers can
            words = "".join(f"\\{ord(c):x} " for c in clean(self.wording.private_title))
            style += (
                f'@page {{ @top-right {{ content: "{words}"; '
                "color: #a30d0d; font: bold 9pt sans-serif; } }\n"
            )
        return style

    def _two_pages(self) -> str:
        """Return the box that has all but the decision and the audit left out on paper."""
        name = self._id("choice")
        return (
            f'<p class="choice"><input type="checkbox" id="{name}"> '
            f'<label for="{name}">{_text(self.wording.two_pages)}</label></p>'
        )

    def _section(self, section: Section, kind: str = "", first: str = "") -> str:
        name = self._id("section")
        heading = f'<h2 id="{name}">{_text(section.title)}</h2>'
        named = f' class="{kind}"' if kind else ""
        parts = [f'<section{named} aria-labelledby="{name}">', heading]
        parts += [first] if first else []
        # pictures and charts that follow each other stand side by side where there is room
        for visual, blocks in itertools.groupby(section.blocks, _is_visual):
            run = [self._block(block) for block in blocks]
            if visual and len(run) > 1:
                run = ['<div class="gallery">', *run, "</div>"]
            parts += run
        return "\n".join([*parts, "</section>"])

    def _block(self, block: Block) -> str:
        writers: Sequence[tuple[Any, Callable[..., str]]] = (
            (Paragraph, self._paragraph),
            (Notice, self._notice),
            (Reference, self._reference),
            (Blanks, self._blanks),
            (Figures, self._figures),
            (Table, self._table),
            (Picture, self._picture),
            (get_args(Chart), self._chart),
        )
        self._ask()
        return next(write for kind, write in writers if isinstance(block, kind))(block)

    # --- text ----------------------------------------------------------------------------

    @staticmethod
    def _paragraph(block: Paragraph) -> str:
        pieces = re.split(r"\n\s*\n", block.text.strip())
        return "\n".join(f"<p>{breakable(piece)}</p>" for piece in pieces)

    def _notice(self, block: Notice) -> str:
        heading = getattr(self.wording, block.kind)
        if block.title:
            heading = f"{heading}: {block.title}"
        text = self._paragraph(Paragraph(block.text))
        return (
            f'<div class="notice {block.kind}" role="note">\n'
            f'<p class="notice-title">{_text(heading)}</p>\n{text}\n</div>'
        )

    @staticmethod
    def _reference(block: Reference) -> str:
        address = _address(block.url)
        shown = _text(block.url)
        if address:
            shown = f'<a href="{_text(address)}" rel="noreferrer noopener">{_text(address)}</a>'
        return f'<p class="reference">{_text(block.text)} {shown}</p>'

    @staticmethod
    def _blanks(block: Blanks) -> str:
        lines = "\n".join(f"<div><dt>{_text(label)}</dt><dd></dd></div>" for label in block.labels)
        return (
            f'<figure class="blanks">\n<figcaption>{_text(block.title)}</figcaption>\n'
            f"<dl>\n{lines}\n</dl>\n</figure>"
        )

    # --- numbers -------------------------------------------------------------------------

    def _figures(self, block: Figures) -> str:
        parts = ['<dl class="figures">']
        for figure in block.figures:
            decimals = figure.decimals
            if decimals is None:
                decimals = default_decimals(figure.value, figure.unit)
            shown = format_value(figure.value, self.wording, decimals)
            value = _text(shown)
            if figure.unit and figure.value is not None:
                # a unit that is a word may go to the next line
                space = UNIT_SPACE if len(figure.unit) <= 3 else " "
                value += f'<span class="unit">{space}{_text(figure.unit)}</span>'
            kind = "words" if isinstance(figure.value, str) else "number"
            if kind == "number" and len(shown) > _LONG_NUMBER:
                kind = "number long"
            parts.append(f"<div>\n<dt>{_text(figure.label)}</dt>")
            parts.append(f'<dd class="{kind}">{value}</dd>')
            if figure.note:
                parts.append(f'<dd class="note">{_text(figure.note)}</dd>')
            if figure.explained:
                parts.append(f'<dd class="explained">{_text(figure.explained)}</dd>')
            parts.append("</div>")
        return "\n".join([*parts, "</dl>"])

    def _table(self, table: Table, heading: str = "") -> str:
        """Write a table; ``heading`` is the id of what names it when it has no caption."""
        name = self._id("table") if table.caption else heading
        return tables.figure(table, name, self.wording, self.max_rows)

    def _value(self, value: object) -> str:
        return format_value(value, self.wording)

    # --- pictures and charts -------------------------------------------------------------

    @staticmethod
    def _picture(picture: Picture) -> str:
        width, height = picture.size
        data = base64.b64encode(picture.png).decode("ascii")
        alt = _text(picture.alt or picture.caption)
        return (
            '<figure class="picture">\n'
            f'<div class="frame"><img src="data:image/png;base64,{data}" '
            f'width="{width}" height="{height}" alt="{alt}"></div>\n'
            f"<figcaption>{_text(picture.caption)}</figcaption>\n</figure>"
        )

    def _chart(self, chart: Chart) -> str:
        w = self.wording
        name = self._id("chart")
        alt = chart.alt or " ".join(filter(None, (chart.title, chart.caption)))
        parts = [
            f'<figure class="chart" aria-labelledby="{name}">',
            f'<h3 id="{name}">{_text(chart.title)}</h3>',
        ]
        below = [chart.caption] if chart.caption else []
        numbers = ""
        if charts.is_empty(chart):
            parts.append(f'<p class="rows">{_text(w.chart_empty)}</p>')
        else:
            table = self._table(charts.as_table(chart, w), name)
            svg = charts.to_svg(chart, name, w, alt)
            if svg is None:
                parts += [table]
                below.append(w.chart_not_drawn)
            else:
                parts.append(f'<div class="scroll" tabindex="0">\n{svg}\n</div>')
                summary = f"<summary>{_text(w.chart_numbers)}</summary>"
                numbers = f"<details>\n{summary}\n{table}\n</details>"
            if isinstance(chart, Histogram) and chart.above:
                count = self._value(chart.above)
                maximum = format_quantity(chart.maximum, chart.x_unit, w)
                below.append(w.values_above.format(count=count, maximum=maximum))
            if isinstance(chart, Scatter) and drawn_dots(chart) < chart.count:
                shown, total = drawn_dots(chart), chart.count
                below.append(
                    w.dots_left_out.format(shown=self._value(shown), total=self._value(total))
                )
        caption = "\n".join(f"<p>{_text(line)}</p>" for line in below) + numbers
        if caption:
            parts.append(f"<figcaption>\n{caption}\n</figcaption>")
        return "\n".join([*parts, "</figure>"])


def _is_visual(block: Block) -> bool:
    return isinstance(block, (Picture, *get_args(Chart)))
