# SPDX-License-Identifier: GPL-2.0-or-later
"""Charts as inline SVG that follows the page's theme, and as tables.

matplotlib is imported on first use, and only its SVG writer: no pyplot, no window system.
It draws with colours that stand for roles; the finished SVG has CSS variables in their place,
so that one drawing serves the light page, the dark page and paper. Text stays text.
"""

from __future__ import annotations

import io
import textwrap
import threading
import warnings
from typing import Any

from .axes import (
    WIDTH,
    axis_label,
    draw_legend,
    draw_limits,
    draw_marks,
    edge_decimals,
    floats,
    label_x,
    legend_label,
    quiet_y_axis,
    scale_x,
    set_ticks,
    short,
    text_of,
)
from .model import Column, Table
from .scatter import SHAPES, draw_scatter
from .svg import INK, PAPER, SERIES, SETTINGS, for_html
from .values import format_quantity, format_value, with_unit
from .visuals import Bars, Chart, Histogram, Lines, Scatter, Series
from .wording import Wording

_DASHES = ("solid", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))  # told apart without colour
_FEW = 20  # points of a line: each has a marker
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
        edges = edge_decimals(chart.edges)
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
    except Exception:
        return None
    with _LOCK, warnings.catch_warnings(), matplotlib.rc_context():
        # letters missing in matplotlib's own font: the browser has them, only widths are guessed
        warnings.filterwarnings("ignore", message=".*[Gg]lyph")
        matplotlib.rcdefaults()  # not the user's style sheet
        matplotlib.rcParams.update(SETTINGS)
        figure = Figure(figsize=(WIDTH, 2.8), constrained_layout=True)
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
            draw_scatter(figure, axes, chart, wording)
        stream = io.StringIO()
        no_metadata: dict[str, Any] = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        canvas.print_svg(stream, metadata=no_metadata)
    return for_html(stream.getvalue(), prefix, alt)


def _draw_histogram(axes: Any, chart: Histogram, wording: Wording) -> None:
    widths = [high - low for low, high in zip(chart.edges, chart.edges[1:])]
    axes.bar(
        chart.edges[:-1],
        chart.counts,
        widths,
        align="edge",
        color=SERIES[0],
        edgecolor=PAPER,
        linewidth=0.8,
    )
    axes.set_xlim(chart.edges[0], chart.edges[-1])
    axes.set_ylim(bottom=0)
    axes.set_xlabel(axis_label(chart.x_label, chart.x_unit))
    axes.set_ylabel(axis_label(chart.y_label or wording.count, "", 30))
    quiet_y_axis(axes)
    set_ticks(axes.xaxis, wording)
    set_ticks(axes.yaxis, wording, integer=True)
    draw_marks(axes, chart.marks)


def _draw_bars(figure: Any, axes: Any, chart: Bars, wording: Wording) -> None:
    count = len(chart.labels)
    figure.set_size_inches(WIDTH, 0.8 + 0.4 * max(count, 2))
    values = [value or 0 for value in chart.values]
    places = range(count)
    axes.barh(places, values, height=0.66, color=SERIES[0])
    axes.set_ylim(count - 0.4, -0.6)  # the first on top
    axes.set_yticks(list(places))
    axes.set_yticklabels([text_of(textwrap.fill(short(label, 50), 25)) for label in chart.labels])
    axes.set_xlabel(axis_label(chart.value_label, chart.unit, 40))
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    set_ticks(axes.xaxis, wording, all(isinstance(value, int) for value in values), count=4)
    axes.axvline(0, color=INK, linewidth=0.8)
    # Room for the number behind the longest bar. That of a bar to the left stands right of
    # zero, out of the way of the bar's own label.
    low, high = min([*values, 0]), max([*values, 0])
    room = 0.2 * (high - low)
    axes.set_xlim(low * 1.05, high + room or 1)
    for place, value in zip(places, chart.values):
        text = format_quantity(value, chart.unit, wording) if chart.unit == "%" else None
        axes.annotate(
            text_of(text or format_value(value, wording)),
            (max(value or 0, 0), place),
            xytext=(4, 0),
            textcoords="offset points",
            ha="left",
            va="center",
        )


def _draw_lines(figure: Any, axes: Any, chart: Lines, wording: Wording) -> None:
    scale_x(axes, chart)
    for number, series in enumerate(chart.series):
        x, y = floats(series.x), floats(series.y)
        colour = SERIES[number % len(SERIES)]
        shape, size = SHAPES[number % len(SHAPES)]
        few = len(x) <= _FEW and not chart.steps
        if series.low:
            _draw_spread(axes, chart, x, y, series, colour)
        axes.plot(
            x,
            y,
            label=legend_label(series),
            color=colour,
            linestyle=_DASHES[number % len(_DASHES)],
            linewidth=1.8,
            drawstyle="steps-post" if chart.steps else "default",
            marker=shape if few else "",
            markersize=size,
            markeredgecolor=PAPER,
            markeredgewidth=0.7,
        )
    axes.margins(x=0.02)
    if chart.steps:
        axes.set_ylim(bottom=0)
    axes.set_ylabel(axis_label(chart.y_label, chart.y_unit, 30))
    quiet_y_axis(axes)
    set_ticks(axes.yaxis, wording)
    label_x(axes, chart, wording)
    draw_limits(axes, chart.limits)
    levels = draw_marks(axes, chart.marks)
    draw_legend(figure, axes, chart.series, 2.5, levels)


def _draw_spread(
    axes: Any, chart: Lines, x: list[float], y: list[float], series: Series, colour: str
) -> None:
    """Draw what lies around a line, as a band or as bars."""
    low, high = floats(series.low), floats(series.high)
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
