# SPDX-License-Identifier: GPL-2.0-or-later
"""One report model, written as one self-contained HTML file and as JSON. Knows no QGIS, no Qt."""

from .as_html import to_html, write_html
from .as_json import FORMAT_VERSION, to_dict, to_json, write_json
from .model import (
    Audit,
    Blanks,
    Column,
    Decision,
    Figure,
    Figures,
    Notice,
    Paragraph,
    Reference,
    Report,
    Section,
    Table,
)
from .page import Page, col
from .visuals import Bars, Dots, Histogram, Lines, Mark, Picture, Scatter, Series
from .wording import Wording

__all__ = [
    "FORMAT_VERSION",
    "Audit",
    "Bars",
    "Blanks",
    "Column",
    "Decision",
    "Dots",
    "Figure",
    "Figures",
    "Histogram",
    "Lines",
    "Mark",
    "Notice",
    "Page",
    "Paragraph",
    "Picture",
    "Reference",
    "Report",
    "Scatter",
    "Section",
    "Series",
    "Table",
    "Wording",
    "col",
    "to_dict",
    "to_html",
    "to_json",
    "write_html",
    "write_json",
]
