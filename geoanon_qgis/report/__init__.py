# SPDX-License-Identifier: GPL-2.0-or-later
"""One report model, written as one self-contained HTML file and as JSON. Knows no QGIS, no Qt."""

from .as_html import to_html, write_html
from .as_json import FORMAT_VERSION, to_dict, to_json, write_json
from .model import (
    Audit,
    Bars,
    Blanks,
    Column,
    Decision,
    Dots,
    Figure,
    Figures,
    Histogram,
    Lines,
    Mark,
    Notice,
    Paragraph,
    Picture,
    Reference,
    Report,
    Scatter,
    Section,
    Series,
    Table,
)
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
    "Paragraph",
    "Picture",
    "Reference",
    "Report",
    "Scatter",
    "Section",
    "Series",
    "Table",
    "Wording",
    "to_dict",
    "to_html",
    "to_json",
    "write_html",
    "write_json",
]
