# SPDX-License-Identifier: GPL-2.0-or-later
"""What the charts share: axes, ticks, marks, limits, legends, and texts that fit."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import Any

from .svg import MARK, PAPER
from .values import clean, format_value, superscript, with_unit
from .visuals import Dots, Lines, Mark, Scatter, Series
from .wording import Wording

#: Inches: 360 units, about the pixels of a phone, so that text has its size there.
WIDTH = 5.0


def share_of(axes: Any, which: str) -> Any:
    """Return the function from a value to its place on an axis, as a share of the axis."""
    low, high = axes.get_xlim() if which == "x" else axes.get_ylim()
    if (axes.get_xscale() if which == "x" else axes.get_yscale()) == "log":
        return lambda value: math.log(value / low) / math.log(high / low)
    return lambda value: (value - low) / (high - low)


def scale_x(axes: Any, chart: Lines | Scatter) -> None:
    """Make the x axis logarithmic where that is asked for and can be."""
    known = [x for series in chart.series for x in series.x if x is not None]
    if chart.x_log and known and min(known) > 0:
        axes.set_xscale("log")


def label_x(axes: Any, chart: Lines | Scatter, wording: Wording) -> None:
    axes.set_xlabel(axis_label(chart.x_label, chart.x_unit))
    if axes.get_xscale() == "log":
        _log_ticks(axes.xaxis, wording)
    else:
        set_ticks(axes.xaxis, wording)


def draw_limits(axes: Any, limits: Sequence[Mark]) -> None:
    """Draw level lines, labelled at their right end, and make room for them."""
    shown = [limit for limit in limits if limit.value is not None]
    if not shown:
        return
    low, high = axes.get_ylim()
    values = [limit.value for limit in shown]
    span = max([high, *values]) - min([low, *values])
    low = min([low, *(value - 0.04 * span for value in values if value)])  # 0 may be the edge
    # a margin that was enough for the dots alone may now cut the highest of them
    dots = axes.dataLim.y1 + 0.04 * span
    axes.set_ylim(
        min([low, *values]), max([high, dots, *(value + 0.12 * span for value in values)])
    )
    for limit in shown:
        axes.axhline(limit.value, color=MARK, linewidth=1.3, linestyle=(0, (4, 2)))
        axes.annotate(
            text_of(short(limit.label, 40)),
            (1, limit.value),
            xycoords=("axes fraction", "data"),
            xytext=(-2, 2),
            textcoords="offset points",
            ha="right",
            va="bottom",
            color=MARK,
            bbox={"facecolor": PAPER, "edgecolor": "none", "alpha": 0.75, "pad": 0.5},
        )


def draw_legend(
    figure: Any, axes: Any, series: Sequence[Series | Dots], height: float, levels: int
) -> None:
    """Name the lines above the axes and above ``levels`` lines of labels of marks.

    ``height`` is what the rest of the figure takes, in inches.
    """
    if len(series) < 2:
        return
    longest = max(len(legend_label(one)) for one in series)
    columns = max(1, min(3, 45 // (longest + 6)))
    rows = -(-len(series) // columns)
    figure.set_size_inches(WIDTH, height + 0.2 + 0.22 * rows)
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1 + 0.18 * levels / (height - 0.5)),
        ncol=columns,
        frameon=False,
        borderaxespad=0.2,
        handlelength=2.2,
        columnspacing=1.4,
    )


def draw_marks(axes: Any, marks: Sequence[Mark]) -> int:
    """Draw vertical lines, labelled above the axes; return how many lines the labels take.

    A label that would run into its left neighbour goes one line up.
    """
    low, high = axes.get_xlim()
    share = share_of(axes, "x")
    shown = [mark for mark in marks if mark.value is not None and low <= mark.value <= high]
    taken: list[float] = []  # where the last label of each line ends, as a share of the axis
    for mark in sorted(shown, key=lambda mark: mark.value):
        axes.axvline(mark.value, color=MARK, linewidth=1.3, linestyle=(0, (4, 2)))
        label = short(mark.label, 30)
        width = 0.02 * (len(label) + 1)  # of letters on an axis of this width, roughly
        place = share(mark.value)
        start = min(max(place - width / 2, 0), 1 - width)
        level = next((i for i, end in enumerate(taken) if end <= start), len(taken))
        taken[level : level + 1] = [start + width]
        axes.annotate(
            text_of(label),
            (start + width / 2, 1),
            xycoords="axes fraction",
            xytext=(0, 3 + 13 * level),
            textcoords="offset points",
            ha="center",
            va="bottom",
            color=MARK,
        )
    return len(taken)


def quiet_y_axis(axes: Any) -> None:
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y")


def set_ticks(axis: Any, wording: Wording, integer: bool = False, count: int = 6) -> None:
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
        return text_of(format_value(_tidy(value), wording))

    return FuncFormatter(write)


def _tidy(value: float) -> Any:
    value = float(f"{value:.10g}")
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def floats(values: Any) -> list[float]:
    return [float("nan") if value is None else float(value) for value in values]


def legend_label(series: Series | Dots) -> str:
    # matplotlib leaves labels with a leading underscore out of the legend
    label = short(series.label, 45)
    return text_of("\u200b" + label if label.startswith("_") else label)


def edge_decimals(edges: Sequence[float]) -> int | None:
    """Return the fewest decimals that tell the limits of bins as they are."""
    step = min(high - low for low, high in zip(edges, edges[1:]))
    exact = (d for d in range(13) if all(abs(round(e, d) - e) < 1e-6 * step for e in edges))
    return next(exact, None)


def short(text: str, width: int) -> str:
    """Return ``text`` on one line of at most ``width`` letters; the table has all of it."""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def axis_label(label: str, unit: str, width: int = 48) -> str:
    return text_of(textwrap.fill(short(with_unit(label, unit), 2 * width), width))


def text_of(text: str) -> str:
    """Return ``text`` for matplotlib, which would take what stands between dollars as TeX."""
    return clean(text).replace("$", r"\$")
