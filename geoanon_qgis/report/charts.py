# SPDX-License-Identifier: GPL-2.0-or-later
"""Charts as inline SVG that follows the page's theme, and as tables.

matplotlib is imported on first use, and only its SVG writer: no pyplot, no window system.
It draws with colours that stand for roles; the finished SVG has CSS variables in their place,
so that one drawing serves the light page, the dark page and paper. Text stays text.
"""

from __future__ import annotations

import io
import re
import textwrap
import threading
import warnings
from collections.abc import Sequence
from html import escape
from typing import Any

from .model import Bars, Chart, Column, Histogram, Lines, Mark, Series, Table
from .values import clean, format_quantity, format_value, with_unit
from .wording import Wording

# Stand-ins drawn by matplotlib -> what the style sheet sets. None is near a colour of its own.
_INK, _GRID, _PAPER, _MARK = "#0a0b01", "#0a0b02", "#0a0b03", "#0a0b04"
_SERIES = ("#0a0c01", "#0a0c02", "#0a0c03", "#0a0c04", "#0a0c05")
_ROLES = {
    _INK: "var(--ink-soft)",
    _GRID: "var(--rule)",
    _PAPER: "var(--paper)",
    _MARK: "var(--ink)",
    **{colour: f"var(--series-{i})" for i, colour in enumerate(_SERIES, 1)},
}
_DASHES = ("solid", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))  # told apart without colour
_WIDTH = 5.0  # inches: 360 units, about the pixels of a phone, so text has its size there
_SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "geoanon",
    "font.size": 10.5,
    "axes.labelsize": 10.5,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "legend.fontsize": 10.5,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _INK,
    "axes.linewidth": 0.8,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "grid.color": _GRID,
    "grid.linewidth": 0.8,
    "path.simplify": False,
}
# matplotlib's settings are global; two reports may be written in two threads
_LOCK = threading.Lock()


def is_empty(chart: Chart) -> bool:
    """Tell whether there is nothing to draw."""
    if isinstance(chart, Histogram):
        return not chart.counts
    if isinstance(chart, Bars):
        return all(value is None for value in chart.values)
    return not any(
        a is not None and b is not None for s in chart.series for a, b in zip(s.x, s.y)
    )


def as_table(chart: Chart, wording: Wording) -> Table:
    """Return the chart's numbers as a table."""
    if isinstance(chart, Histogram):
        edges = _edge_decimals(chart.edges)
        x = with_unit(chart.x_label, chart.x_unit)
        return Table(
            (
                Column("from", f"{x}: {wording.bin_from}", decimals=edges),
                Column("to", f"{x}: {wording.bin_to}", decimals=edges),
                Column("count", chart.y_label or wording.count),
            ),
            list(zip(chart.edges, chart.edges[1:], chart.counts)),
        )
    if isinstance(chart, Bars):
        return Table(
            (Column("label", wording.category), Column("value", chart.value_label, chart.unit)),
            list(zip(chart.labels, chart.values)),
        )
    return Table(
        (
            Column("series", wording.series),
            Column("x", chart.x_label, chart.x_unit),
            Column("y", chart.y_label, chart.y_unit),
        ),
        [(s.label, x, y) for s in chart.series for x, y in zip(s.x, s.y)],
    )


def to_svg(chart: Chart, prefix: str, wording: Wording, alt: str = "") -> str | None:
    """Draw a chart.

    Parameters
    ----------
    chart : Histogram, Bars or Lines
        Not an empty one.
    prefix : str
        Put before every id in the SVG; unique in the page.
    wording : Wording
        For the marks in numbers.
    alt : str
        The picture in words.

    Returns
    -------
    str or None
        An ``<svg>`` element to stand in HTML, the same for the same chart; None when
        matplotlib is not installed or does not load.
    """
    try:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except Exception:  # noqa: BLE001 - built for another NumPy, it fails in more ways than one
        return None
    with _LOCK, warnings.catch_warnings(), matplotlib.rc_context():
        # letters missing in matplotlib's own font: the browser has them, only widths are guessed
        warnings.filterwarnings("ignore", message=".*[Gg]lyph")
        matplotlib.rcdefaults()  # not the user's style sheet
        matplotlib.rcParams.update(_SETTINGS)
        figure = Figure(figsize=(_WIDTH, 2.8), constrained_layout=True)
        canvas = FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        axes.set_axisbelow(True)
        if isinstance(chart, Histogram):
            _draw_histogram(axes, chart, wording)
        elif isinstance(chart, Bars):
            _draw_bars(figure, axes, chart, wording)
        else:
            _draw_lines(figure, axes, chart, wording)
        stream = io.StringIO()
        no_metadata: dict[str, Any] = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        canvas.print_svg(stream, metadata=no_metadata)
    return _for_html(stream.getvalue(), prefix, alt)


def _draw_histogram(axes: Any, chart: Histogram, wording: Wording) -> None:
    widths = [high - low for low, high in zip(chart.edges, chart.edges[1:])]
    axes.bar(
        chart.edges[:-1], chart.counts, widths, align="edge",
        color=_SERIES[0], edgecolor=_PAPER, linewidth=0.8,
    )
    axes.set_xlim(chart.edges[0], chart.edges[-1])
    axes.set_ylim(bottom=0)
    axes.set_xlabel(_axis(chart.x_label, chart.x_unit))
    axes.set_ylabel(_axis(chart.y_label or wording.count, "", 30))
    _quiet_y_axis(axes)
    _ticks(axes.xaxis, wording)
    _ticks(axes.yaxis, wording, integer=True)
    _draw_marks(axes, chart.marks)


def _draw_bars(figure: Any, axes: Any, chart: Bars, wording: Wording) -> None:
    count = len(chart.labels)
    figure.set_size_inches(_WIDTH, 0.8 + 0.4 * max(count, 2))
    values = [value or 0 for value in chart.values]
    places = range(count)
    axes.barh(places, values, height=0.66, color=_SERIES[0])
    axes.set_ylim(count - 0.4, -0.6)  # the first on top
    axes.set_yticks(list(places))
    axes.set_yticklabels([_text(textwrap.fill(_short(label, 50), 25)) for label in chart.labels])
    axes.set_xlabel(_axis(chart.value_label, chart.unit, 40))
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    _ticks(axes.xaxis, wording, all(isinstance(value, int) for value in values), count=4)
    axes.axvline(0, color=_INK, linewidth=0.8)
    # Room for the number behind the longest bar. That of a bar to the left stands right of
    # zero, out of the way of the bar's own label.
    low, high = min([*values, 0]), max([*values, 0])
    room = 0.2 * (high - low)
    axes.set_xlim(low * 1.05, high + room or 1)
    for place, value in zip(places, chart.values):
        text = format_quantity(value, chart.unit, wording) if chart.unit == "%" else None
        axes.annotate(
            _text(text or format_value(value, wording)), (max(value or 0, 0), place),
            xytext=(4, 0), textcoords="offset points", ha="left", va="center",
        )


def _draw_lines(figure: Any, axes: Any, chart: Lines, wording: Wording) -> None:
    for number, series in enumerate(chart.series):
        axes.plot(
            _floats(series.x), _floats(series.y), label=_legend_label(series),
            color=_SERIES[number % len(_SERIES)], linestyle=_DASHES[number % len(_DASHES)],
            linewidth=1.8, drawstyle="steps-post" if chart.steps else "default",
        )
    axes.margins(x=0.02)
    if chart.steps:
        axes.set_ylim(bottom=0)
    axes.set_xlabel(_axis(chart.x_label, chart.x_unit))
    axes.set_ylabel(_axis(chart.y_label, chart.y_unit, 30))
    _quiet_y_axis(axes)
    _ticks(axes.xaxis, wording)
    _ticks(axes.yaxis, wording)
    levels = _draw_marks(axes, chart.marks)
    if len(chart.series) > 1:
        longest = max(len(_legend_label(series)) for series in chart.series)
        columns = max(1, min(3, 45 // (longest + 6)))
        figure.set_size_inches(_WIDTH, 2.7 + 0.22 * -(-len(chart.series) // columns))
        axes.legend(
            loc="lower left", bbox_to_anchor=(0, 1 + 0.09 * levels), ncol=columns, frameon=False,
            borderaxespad=0.2, handlelength=2.2, columnspacing=1.4,
        )


def _draw_marks(axes: Any, marks: Sequence[Mark]) -> int:
    """Draw vertical lines, labelled above the axes; return how many lines the labels take.

    A label that would run into its left neighbour goes one line up.
    """
    low, high = axes.get_xlim()
    shown = [mark for mark in marks if mark.value is not None and low <= mark.value <= high]
    taken: list[float] = []  # where the last label of each line ends, as a share of the axis
    for mark in sorted(shown, key=lambda mark: mark.value):
        axes.axvline(mark.value, color=_MARK, linewidth=1.3, linestyle=(0, (4, 2)))
        label = _short(mark.label, 30)
        width = 0.02 * (len(label) + 1)  # of letters on an axis of this width, roughly
        place = (mark.value - low) / (high - low)
        start = min(max(place - width / 2, 0), 1 - width)
        level = next((i for i, end in enumerate(taken) if end <= start), len(taken))
        taken[level:level + 1] = [start + width]
        axes.annotate(
            _text(label), (start + width / 2, 1), xycoords="axes fraction",
            xytext=(0, 3 + 13 * level), textcoords="offset points",
            ha="center", va="bottom", color=_MARK,
        )
    return len(taken)


def _quiet_y_axis(axes: Any) -> None:
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y")


def _ticks(axis: Any, wording: Wording, integer: bool = False, count: int = 6) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(count, integer=integer, steps=[1, 2, 2.5, 5, 10]))
    # ten digits hide the last bits of 0.1 + 0.2
    axis.set_major_formatter(
        FuncFormatter(lambda value, _: _text(format_value(_tidy(value), wording)))
    )


def _tidy(value: float) -> Any:
    value = float(f"{value:.10g}")
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _floats(values: Any) -> list[float]:
    return [float("nan") if value is None else float(value) for value in values]


def _legend_label(series: Series) -> str:
    # matplotlib leaves labels with a leading underscore out of the legend
    label = _short(series.label, 25)
    return _text("\u200b" + label if label.startswith("_") else label)


def _edge_decimals(edges: Sequence[float]) -> int | None:
    """Return the fewest decimals that tell the limits of bins as they are."""
    step = min(high - low for low, high in zip(edges, edges[1:]))
    exact = (d for d in range(13) if all(abs(round(e, d) - e) < 1e-6 * step for e in edges))
    return next(exact, None)


def _short(text: str, width: int) -> str:
    """Return ``text`` on one line of at most ``width`` letters; the table has all of it."""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def _axis(label: str, unit: str, width: int = 48) -> str:
    return _text(textwrap.fill(_short(with_unit(label, unit), 2 * width), width))


def _text(text: str) -> str:
    """Return ``text`` for matplotlib, which would take what stands between dollars as TeX."""
    return clean(text).replace("$", r"\$")


def _for_html(svg: str, prefix: str, alt: str) -> str:
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
