# SPDX-License-Identifier: GPL-2.0-or-later
"""matplotlib's SVG as an element of the page, in colours that follow the page's theme."""

from __future__ import annotations

import re
from html import escape

from .values import clean

# Stand-ins drawn by matplotlib -> what the style sheet sets. None is near a colour of its own.
INK, GRID, PAPER, MARK = "#0a0b01", "#0a0b02", "#0a0b03", "#0a0b04"
SERIES = ("#0a0c01", "#0a0c02", "#0a0c03", "#0a0c04", "#0a0c05")
_ROLES = {
    INK: "var(--ink-soft)",
    GRID: "var(--rule)",
    PAPER: "var(--paper)",
    MARK: "var(--ink)",
    **{colour: f"var(--series-{i})" for i, colour in enumerate(SERIES, 1)},
}
SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "geoanon",
    "font.size": 10.5,
    "axes.labelsize": 10.5,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "legend.fontsize": 10.5,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.linewidth": 0.8,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "path.simplify": False,
}


def for_html(svg: str, prefix: str, alt: str) -> str:
    """Turn matplotlib's file into an element: unique ids, theme colours, nothing it needs not."""
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<style[^>]*>.*?</style>", "", svg, flags=re.DOTALL)  # would reach the page
    # Every < and > of texts is escaped by matplotlib, so this finds tags, and tags only.
    svg = re.sub(r"<[^<>]*>", lambda tag: _html_tag(tag.group(), prefix), svg)
    label = escape(clean(alt), quote=True)
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
    return re.sub(r"\n\s*", "\n", svg).strip()


def _html_tag(tag: str, prefix: str) -> str:
    if tag.startswith(("<?", "<!")):
        return ""
    if tag.startswith("<svg"):
        box = re.search(r'viewBox="[^"]*"', tag)
        return f'<svg {box.group() if box else ""} preserveAspectRatio="xMidYMid meet">'
    tag = re.sub(r' id="([^"]*)"', rf' id="{prefix}-\1"', tag)
    tag = re.sub(r' (?:xlink:)?href="#([^"]*)"', rf' href="#{prefix}-\1"', tag)
    tag = re.sub(r"url\(#([^)]*)\)", rf"url(#{prefix}-\1)", tag)
    for colour, role in _ROLES.items():
        tag = tag.replace(colour, role)
    return tag
