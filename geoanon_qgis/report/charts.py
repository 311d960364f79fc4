# SPDX-License-Identifier: GPL-2.0-or-later
"""Charts as inline SVG that follows the page's theme, and as tables.

matplotlib is imported on first use, and only its SVG writer: no pyplot, no window system.
It draws with colours that stand for roles; the finished SVG has CSS variables in their place,
so that one drawing serves the light page, the dark page and paper. Text stays text.
"""

from __future__ import annotations

import io
import math
import re
import textwrap
import threading
import warnings
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from .model import (
    Bars,
    Chart,
    Column,
    Dots,
    Histogram,
    Lines,
    Mark,
    Scatter,
    Series,
    Table,
)
from .values import clean, format_quantity, format_value, superscript, with_unit
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
_SHAPES = (("o", 6.0), ("s", 5.6), ("^", 6.8), ("D", 5.2), ("v", 6.8), ("P", 6.8))  # and points
_FEW = 20  # points of a line: each has a marker
#: At most so many dots are drawn: more cannot be told apart, and make a page slow.
MOST_DOTS = 2_000
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
    return not any(a is not None and b is not None for s in chart.series for a, b in zip(s.x, s.y))


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
    columns = [
        Column("series", wording.series),
        Column("x", chart.x_label, chart.x_unit),
        Column("y", chart.y_label, chart.y_unit),
    ]
    rows = [(s.label, x, y) for s in chart.series for x, y in zip(s.x, s.y)]
    more: list[Any] = []
    if isinstance(chart, Scatter) and any(any(dots.notes) for dots in chart.series):
        columns.append(Column("note", wording.remark, numeric=False))
        more = [(n,) for s in chart.series for n in s.notes or ("",) * len(s.x)]
    elif isinstance(chart, Lines) and any(series.low for series in chart.series):
        columns += [
            Column("low", f"{chart.y_label}: {wording.low}", chart.y_unit),
            Column("high", f"{chart.y_label}: {wording.high}", chart.y_unit),
        ]
        none = (None,)
        more = [
            ends
            for s in chart.series
            for ends in zip(s.low or none * len(s.x), s.high or none * len(s.x))
        ]
    return Table(columns, [row + rest for row, rest in zip(rows, more or [()] * len(rows))])


def to_svg(chart: Chart, prefix: str, wording: Wording, alt: str = "") -> str | None:
    """Draw a chart.

    Parameters
    ----------
    chart : Histogram, Bars, Lines or Scatter
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
        elif isinstance(chart, Lines):
            _draw_lines(figure, axes, chart, wording)
        else:
            _draw_scatter(figure, axes, chart, wording)
        stream = io.StringIO()
        no_metadata: dict[str, Any] = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        canvas.print_svg(stream, metadata=no_metadata)
    return _for_html(stream.getvalue(), prefix, alt)


def _draw_histogram(axes: Any, chart: Histogram, wording: Wording) -> None:
    widths = [high - low for low, high in zip(chart.edges, chart.edges[1:])]
    axes.bar(
        chart.edges[:-1],
        chart.counts,
        widths,
        align="edge",
        color=_SERIES[0],
        edgecolor=_PAPER,
        linewidth=0.8,
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
            _text(text or format_value(value, wording)),
            (max(value or 0, 0), place),
            xytext=(4, 0),
            textcoords="offset points",
            ha="left",
            va="center",
        )


def _draw_lines(figure: Any, axes: Any, chart: Lines, wording: Wording) -> None:
    _scale_x(axes, chart)
    for number, series in enumerate(chart.series):
        x, y = _floats(series.x), _floats(series.y)
        colour = _SERIES[number % len(_SERIES)]
        shape, size = _SHAPES[number % len(_SHAPES)]
        few = len(x) <= _FEW and not chart.steps
        if series.low:
            _draw_spread(axes, chart, x, y, series, colour)
        axes.plot(
            x,
            y,
            label=_legend_label(series),
            color=colour,
            linestyle=_DASHES[number % len(_DASHES)],
            linewidth=1.8,
            drawstyle="steps-post" if chart.steps else "default",
            marker=shape if few else "",
            markersize=size,
            markeredgecolor=_PAPER,
            markeredgewidth=0.7,
        )
    axes.margins(x=0.02)
    if chart.steps:
        axes.set_ylim(bottom=0)
    axes.set_ylabel(_axis(chart.y_label, chart.y_unit, 30))
    _quiet_y_axis(axes)
    _ticks(axes.yaxis, wording)
    _label_x(axes, chart, wording)
    _draw_limits(axes, chart.limits)
    levels = _draw_marks(axes, chart.marks)
    _draw_legend(figure, axes, chart.series, 2.5, levels)


def _draw_spread(
    axes: Any, chart: Lines, x: list[float], y: list[float], series: Series, colour: str
) -> None:
    """Draw what lies around a line, as a band or as bars."""
    low, high = _floats(series.low), _floats(series.high)
    if not chart.error_bars:
        axes.fill_between(
            x,
            low,
            high,
            color=colour,
            alpha=0.16,
            linewidth=0,
            step="post" if chart.steps else None,
        )
        return
    known = [i for i, ends in enumerate(zip(x, y, low, high)) if all(e == e for e in ends)]
    # max: an end on the wrong side of its y, by a rounding error, is no error
    axes.errorbar(
        [x[i] for i in known],
        [y[i] for i in known],
        [[max(y[i] - low[i], 0) for i in known], [max(high[i] - y[i], 0) for i in known]],
        fmt="none",
        ecolor=colour,
        elinewidth=1.2,
        capsize=3,
        capthick=1.2,
    )


def drawn_dots(chart: Scatter) -> int:
    """Return how many of the chart's dots are drawn."""
    return sum(len(_picked(dots, chart)) for dots in chart.series)


def _picked(dots: Dots, chart: Scatter) -> list[tuple[float, float, str]]:
    """Return the dots to draw: of many every so manieth, and those with a note."""
    places = list(dots.places)
    every = -(-chart.count // MOST_DOTS)
    if every <= 1 or dots.joined:
        return places
    return [place for i, place in enumerate(places) if i % every == 0 or place[2]]


def _draw_scatter(figure: Any, axes: Any, chart: Scatter, wording: Wording) -> None:
    _scale_x(axes, chart)
    for number, dots in enumerate(chart.series):
        places = _picked(dots, chart)
        shape, size = _SHAPES[number % len(_SHAPES)]
        if len(places) == 1:
            size *= 1.6  # one among many is there to be found
        elif chart.count > 300:
            size *= 0.6
        axes.plot(
            [x for x, _, _ in places],
            [y for _, y, _ in places],
            label=_legend_label(dots),
            color=_SERIES[number % len(_SERIES)],
            linestyle="solid" if dots.joined else "",
            linewidth=1.2,
            marker=shape,
            markersize=size,
            markeredgecolor=_PAPER,
            markeredgewidth=0.7 if chart.count <= 300 else 0.3,
        )
    axes.margins(0.06)
    height = 3.0
    if chart.equal_axes:
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        height = min(max(4.2 * (top - bottom) / (right - left), 1.6), 5.0)
        axes.set_aspect("equal", adjustable="box")
    figure.set_size_inches(_WIDTH, height + 0.3)
    axes.set_ylabel(_axis(chart.y_label, chart.y_unit, 30))
    axes.grid()
    _ticks(axes.yaxis, wording)
    _label_x(axes, chart, wording)
    # the marks are part of what is to be seen, even where no dot comes near them
    shown = [mark.value for mark in chart.marks if mark.value is not None]
    if axes.get_xscale() == "log":
        shown = [value for value in shown if value > 0]
    axes.set_xlim(min([*axes.get_xlim(), *shown]), max([*axes.get_xlim(), *shown]))
    _draw_limits(axes, chart.limits)
    levels = _draw_marks(axes, chart.marks)
    _draw_notes(axes, chart, height)
    _draw_legend(figure, axes, chart.series, height, levels)


#: Where a note may stand at its dot: anchor, and points to the right and up; the best first.
_BESIDE = (
    ("left", 8, 0),
    ("right", -8, 0),
    ("center", 0, 12),
    ("center", 0, -12),
    ("left", 6, 11),
    ("right", -6, 11),
    ("left", 6, -11),
    ("right", -6, -11),
)


def _draw_notes(axes: Any, chart: Scatter, height: float) -> None:
    """Write the notes at their dots, where they cover no other note and few dots and lines.

    A note that finds no such place is left out. Those of the last series come first.
    """
    wide, high = 300.0, 72 * (height - 0.6)  # of the axes in points, roughly
    across, up = _share(axes, "x"), _share(axes, "y")
    placed = [
        [(wide * across(x), high * up(y), note) for x, y, note in _picked(dots, chart)]
        for dots in chart.series
    ]
    spots = np.array([(x, y) for places in placed for x, y, _ in places]).reshape(-1, 2)
    for dots, places in zip(chart.series, placed):
        if dots.joined and len(places) > 1:  # the line is to be seen as well
            corners = np.array([(x, y) for x, y, _ in places])
            way = np.linspace(0, 1, 9)[1:-1, None, None]
            between = corners[:-1] + way * (corners[1:] - corners[:-1])
            spots = np.concatenate([spots, between.reshape(-1, 2)])
    levels = [high * up(limit.value) for limit in chart.limits if limit.value is not None]
    taken: list[tuple[float, float, float, float]] = []
    for x, y, note in (place for places in reversed(placed) for place in places):
        text = _short(note, 30)
        if not text:
            continue
        width = 5.9 * len(text) + 2
        best = None
        for anchor, right, above in _BESIDE:
            start = x + right - {"left": 0, "center": width / 2, "right": width}[anchor]
            box = (start, y + above - 6, start + width, y + above + 6)
            if box[0] < 0 or box[2] > wide or box[1] < 0 or box[3] > high:
                continue
            if any(_meet(box, other) for other in taken):
                continue
            covered = int(((spots >= box[:2]) & (spots <= box[2:])).all(axis=1).sum())
            covered += 5 * sum(box[1] <= level + 12 and box[3] >= level for level in levels)
            if best is None or covered < best[0]:
                best = (covered, box, anchor, right, above)
        if best is None:
            continue
        _, box, anchor, right, above = best
        taken.append(box)
        axes.annotate(
            _text(text),
            (x / wide, y / high),
            xycoords="axes fraction",
            xytext=(right, above),
            textcoords="offset points",
            ha=anchor,
            va="center",
            color=_MARK,
        )


def _meet(one: Sequence[float], other: Sequence[float]) -> bool:
    """Tell whether two boxes (left, bottom, right, top) overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _share(axes: Any, which: str) -> Any:
    """Return the function from a value to its place on an axis, as a share of the axis."""
    low, high = axes.get_xlim() if which == "x" else axes.get_ylim()
    if (axes.get_xscale() if which == "x" else axes.get_yscale()) == "log":
        return lambda value: math.log(value / low) / math.log(high / low)
    return lambda value: (value - low) / (high - low)


def _scale_x(axes: Any, chart: Lines | Scatter) -> None:
    """Make the x axis logarithmic where that is asked for and can be."""
    known = [x for series in chart.series for x in series.x if x is not None]
    if chart.x_log and known and min(known) > 0:
        axes.set_xscale("log")


def _label_x(axes: Any, chart: Lines | Scatter, wording: Wording) -> None:
    axes.set_xlabel(_axis(chart.x_label, chart.x_unit))
    if axes.get_xscale() == "log":
        _log_ticks(axes.xaxis, wording)
    else:
        _ticks(axes.xaxis, wording)


def _draw_limits(axes: Any, limits: Sequence[Mark]) -> None:
    """Draw level lines, labelled at their right end, and make room for them."""
    shown = [limit for limit in limits if limit.value is not None]
    if not shown:
        return
    low, high = axes.get_ylim()
    values = [limit.value for limit in shown]
    span = max([high, *values]) - min([low, *values])
    low = min([low, *(value - 0.04 * span for value in values if value)])  # 0 may be the edge
    axes.set_ylim(min([low, *values]), max([high, *(value + 0.12 * span for value in values)]))
    for limit in shown:
        axes.axhline(limit.value, color=_MARK, linewidth=1.3, linestyle=(0, (4, 2)))
        axes.annotate(
            _text(_short(limit.label, 40)),
            (1, limit.value),
            xycoords=("axes fraction", "data"),
            xytext=(-2, 2),
            textcoords="offset points",
            ha="right",
            va="bottom",
            color=_MARK,
            bbox={"facecolor": _PAPER, "edgecolor": "none", "alpha": 0.75, "pad": 0.5},
        )


def _draw_legend(
    figure: Any, axes: Any, series: Sequence[Series | Dots], height: float, levels: int
) -> None:
    """Name the lines above the axes and above ``levels`` lines of labels of marks.

    ``height`` is what the rest of the figure takes, in inches.
    """
    if len(series) < 2:
        return
    longest = max(len(_legend_label(one)) for one in series)
    columns = max(1, min(3, 45 // (longest + 6)))
    rows = -(-len(series) // columns)
    figure.set_size_inches(_WIDTH, height + 0.2 + 0.22 * rows)
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1 + 0.18 * levels / (height - 0.5)),
        ncol=columns,
        frameon=False,
        borderaxespad=0.2,
        handlelength=2.2,
        columnspacing=1.4,
    )


def _draw_marks(axes: Any, marks: Sequence[Mark]) -> int:
    """Draw vertical lines, labelled above the axes; return how many lines the labels take.

    A label that would run into its left neighbour goes one line up.
    """
    low, high = axes.get_xlim()
    share = _share(axes, "x")
    shown = [mark for mark in marks if mark.value is not None and low <= mark.value <= high]
    taken: list[float] = []  # where the last label of each line ends, as a share of the axis
    for mark in sorted(shown, key=lambda mark: mark.value):
        axes.axvline(mark.value, color=_MARK, linewidth=1.3, linestyle=(0, (4, 2)))
        label = _short(mark.label, 30)
        width = 0.02 * (len(label) + 1)  # of letters on an axis of this width, roughly
        place = share(mark.value)
        start = min(max(place - width / 2, 0), 1 - width)
        level = next((i for i, end in enumerate(taken) if end <= start), len(taken))
        taken[level : level + 1] = [start + width]
        axes.annotate(
            _text(label),
            (start + width / 2, 1),
            xycoords="axes fraction",
            xytext=(0, 3 + 13 * level),
            textcoords="offset points",
            ha="center",
            va="bottom",
            color=_MARK,
        )
    return len(taken)


def _quiet_y_axis(axes: Any) -> None:
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y")


def _ticks(axis: Any, wording: Wording, integer: bool = False, count: int = 6) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(count, integer=integer, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(_numbers(wording))


def _log_ticks(axis: Any, wording: Wording) -> None:
    from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

    low, high = axis.get_view_interval()
    if high < 6 * low:  # too few of the digits below lie within
        axis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
    else:
        # the digits 1, 2 and 5 where the axis spans few powers of ten
        subs = (1, 2, 5) if high < 200 * low else (1,)
        axis.set_major_locator(LogLocator(subs=subs, numticks=7))
    axis.set_major_formatter(_numbers(wording, powers=low < 1e-3 or high >= 1e6))
    axis.set_minor_formatter(NullFormatter())


def _numbers(wording: Wording, powers: bool = False) -> Any:
    """Return the formatter of an axis; with ``powers`` it writes 10⁻⁶ and 2 × 10⁻⁶."""
    from matplotlib.ticker import FuncFormatter

    def write(value: float, _: Any) -> str:
        if powers and value > 0:
            digit, exponent = f"{value:.2e}".split("e")
            digit = digit.rstrip("0").rstrip(".").replace(".", wording.decimal_mark)
            power = "10" + superscript(int(exponent))
            return power if digit == "1" else f"{digit} × {power}"
        # ten digits hide the last bits of 0.1 + 0.2
        return _text(format_value(_tidy(value), wording))

    return FuncFormatter(write)


def _tidy(value: float) -> Any:
    value = float(f"{value:.10g}")
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _floats(values: Any) -> list[float]:
    return [float("nan") if value is None else float(value) for value in values]


def _legend_label(series: Series | Dots) -> str:
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
