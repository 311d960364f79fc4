# SPDX-License-Identifier: GPL-2.0-or-later
"""A report's page as simple HTML, for an engine that prints text and knows little of style sheets.

Qt's text documents are in every QGIS, a browser in few. They know tables, headings and pictures; no
grid, no variable of a style sheet and no drawing within a page. Everything that a report says stays,
but for the numbers behind a chart, which stand in its JSON.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: A style sheet as far as Qt's text documents understand one; sizes are those of a page of A4.
STYLE = """
body { font-family: sans-serif; font-size: 9pt; color: #17202a; }
h1 { font-size: 17pt; } h2 { font-size: 13pt; } h3 { font-size: 10pt; }
th, td { font-size: 8pt; }
.small th, .small td { font-size: 6pt; }
.dt, .note { color: #46525e; font-size: 8pt; margin-bottom: 0px; }
.dd { margin-top: 0px; }
.number, .words { font-size: 14pt; font-weight: bold; }
.decision-title { font-size: 14pt; font-weight: bold; }
.notice-title, .again { font-weight: bold; }
.caption, h4 { color: #46525e; font-size: 8pt; font-weight: normal; }
a { color: #13558d; text-decoration: none; }
"""
_BOXES = {
    "danger": "#fdeeee",
    "warning": "#fdf5e4",
    "info": "#edf4fa",
    "good": "#eaf6ef",
    "banner": "#f6d5d5",
}
_NOT_PRINTED = re.compile(
    r'<head>.*?</head>|<style.*?</style>|<details>.*?</details>|<p class="choice">.*?</p>', re.S
)
_DRAWING = re.compile(r"<svg\b.*?</svg>", re.S)
_VARIABLE = re.compile(r"(--[\w-]+): (#[0-9a-f]{6});")
_FONT = re.compile(r"font: (?:\w+ )*(\d+(?:\.\d+)?)px [^;\"]*")
#: The audit is filed, copied and signed by itself.
_NEW_PAGE = 'style="page-break-before: always"'
#: Headline figures that stand side by side.
_ABREAST = 4


@dataclass(frozen=True)
class Printed:
    """What is printed.

    Attributes
    ----------
    html : str
        Its drawings are ``<img src="drawing:0">``, ``drawing:1`` and so on.
    drawings : tuple of str
        SVG, without anything that is looked up elsewhere.
    """

    html: str
    drawings: tuple[str, ...]


def is_report(page: str) -> bool:
    """Tell whether a page is a report of GeoAnon, by what each of them is framed in."""
    return page.startswith("<!DOCTYPE html>") and '<body class="' in page and "GeoAnon" in page


def printed(page: str) -> Printed:
    """Return the page of :func:`.to_html` as it is printed."""
    colours = dict(_VARIABLE.findall(page.split("@media", 1)[0]))
    page = _NOT_PRINTED.sub("", page)
    drawings = tuple(_standing_alone(one, colours) for one in _DRAWING.findall(page))
    for number in range(len(drawings)):
        page = _DRAWING.sub(f'<img src="drawing:{number}">', page, count=1)
    page = page.replace("<wbr>", "\u200b")
    page = re.sub(r'<dl class="figures">(.*?)</dl>', _figures, page, flags=re.S)
    page = re.sub(r'<aside class="(banner)"[^>]*>(.*?)</aside>', _box, page, flags=re.S)
    for tag, kind in (("section", "decision"), ("div", "notice")):
        opens = rf'<{tag} class="{kind} (\w+)"[^>]*>(.*?)</{tag}>'
        if kind == "decision":  # its list has parts of its own
            page = re.sub(opens, lambda found: _box(found, _listed), page, flags=re.S)
        else:
            page = re.sub(opens, _box, page, flags=re.S)
    page = _listed(page)
    page = re.sub(r"<table( class=\"wide\")?[^>]*>", _table, page)
    page = re.sub(r'<(t[hd][^>]*?) class="number"([^>]*)>', r'<\1 align="right"\2>', page)
    page = re.sub(r'<th scope="(row|col)"(?! align)', r'<th align="left" scope="\1"', page)
    # What stands above a table or a chart is a heading: it stays with that on one page.
    page = re.sub(r'<figcaption id="[^>]*>(?!\s*<p)(.*?)</figcaption>', r"<h4>\1</h4>", page)
    page = re.sub(
        r"<figcaption[^>]*>(?!\s*<p)(.*?)</figcaption>", r'<p class="caption">\1</p>', page
    )
    page = re.sub(r'(<section class="audit"[^>]*>\s*<h2)', rf"\1 {_NEW_PAGE}", page)
    return Printed(
        re.sub(r"<(/?)(?:figure|section|main|header|footer|figcaption)\b", r"<\1div", page),
        drawings,
    )


def _standing_alone(drawing: str, colours: dict[str, str]) -> str:
    """Return a chart with its colours and references written out, as SVG 1.1 has them."""
    drawing = re.sub(r"var\((--[\w-]+)\)", lambda one: colours.get(one[1], "#000000"), drawing)
    drawing = _FONT.sub(r"font-size: \1px; font-family: sans-serif", drawing)
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return drawing.replace(" href=", " xlink:href=").replace("<svg ", f"<svg {names} ", 1)


def _box(found: re.Match, inner=lambda text: text) -> str:
    colour = _BOXES[found[1]]
    return (
        f'<table width="100%" cellpadding="7" bgcolor="{colour}"><tr><td>{inner(found[2])}</td>'
        "</tr></table><p></p>"
    )


def _listed(text: str) -> str:
    """Terms above what is said of them."""
    text = re.sub(r"<dt>(.*?)</dt>", r'<p class="dt">\1</p>', text, flags=re.S)
    text = text.replace("<dd></dd>", '<p class="dd">' + "_" * 60 + "</p>")
    text = re.sub(r"<dd>(.*?)</dd>", r'<p class="dd">\1</p>', text, flags=re.S)
    return re.sub(r"</?dl>", "", text)


def _figures(found: re.Match) -> str:
    """Headline figures, some in a row."""
    kinds = r'<dd class="(\w+)(?: long)?">(.*?)</dd>'
    cells = []
    for one in re.findall(r"<div>(.*?)</div>", found[1], flags=re.S):
        label = "".join(re.findall(r"<dt>(.*?)</dt>", one, flags=re.S))
        said = [
            f'<span class="{"note" if kind == "explained" else kind}">{text}</span>'
            for kind, text in re.findall(kinds, one, flags=re.S)
        ]
        cells.append(
            f'<td width="{100 // _ABREAST}%"><span class="dt">{label}</span><br>{"<br>".join(said)}</td>'
        )
    rows = [cells[at : at + _ABREAST] for at in range(0, len(cells), _ABREAST)]
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f'<table width="100%" cellpadding="5">{body}</table>'


def _table(found: re.Match) -> str:
    if found[0] != "<table>" and "aria" not in found[0] and not found[1]:
        return found[0]  # a box of ours
    small = ' class="small"' if found[1] else ""
    return f'<table width="100%" cellspacing="0" cellpadding="2"{small}>'
