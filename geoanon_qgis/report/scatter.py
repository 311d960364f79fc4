# SPDX-License-Identifier: GPL-2.0-or-later
"""Scatter charts: dots, and notes at them where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .axes import (
    WIDTH,
    axis_label,
    draw_legend,
    draw_limits,
    draw_marks,
    label_x,
    legend_label,
    scale_x,
    set_ticks,
    share_of,
    short,
    text_of,
)
from .svg import MARK, PAPER, SERIES
from .visuals import Dots, Scatter
from .wording import Wording

#: Shapes and sizes of points, one for each series.
SHAPES = (("o", 6.0), ("s", 5.6), ("^", 6.8), ("D", 5.2), ("v", 6.8), ("P", 6.8))
#: At most so many dots are drawn: more cannot be told apart, and make a page slow.
MOST_DOTS = 2_000


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


def draw_scatter(figure: Any, axes: Any, chart: Scatter, wording: Wording) -> None:
    scale_x(axes, chart)
    for number, dots in enumerate(chart.series):
        places = _picked(dots, chart)
        shape, size = SHAPES[number % len(SHAPES)]
        if len(places) == 1:
            size *= 1.6  # one among many is there to be found
        elif chart.count > 300:
            size *= 0.6
        axes.plot(
            [x for x, _, _ in places],
            [y for _, y, _ in places],
            label=legend_label(dots),
            color=SERIES[number % len(SERIES)],
            linestyle="solid" if dots.joined else "",
            linewidth=1.2,
            marker=shape,
            markersize=size,
            markeredgecolor=PAPER,
            markeredgewidth=0.7 if chart.count <= 300 else 0.3,
        )
    axes.margins(0.06)
    height = 3.0
    if chart.equal_axes:
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        height = min(max(4.2 * (top - bottom) / (right - left), 1.6), 5.0)
        axes.set_aspect("equal", adjustable="box")
    figure.set_size_inches(WIDTH, height + 0.3)
    axes.set_ylabel(axis_label(chart.y_label, chart.y_unit, 30))
    axes.grid()
    set_ticks(axes.yaxis, wording)
    label_x(axes, chart, wording)
    # the marks are part of what is to be seen, even where no dot comes near them
    shown = [mark.value for mark in chart.marks if mark.value is not None]
    if axes.get_xscale() == "log":
        shown = [value for value in shown if value > 0]
    axes.set_xlim(min([*axes.get_xlim(), *shown]), max([*axes.get_xlim(), *shown]))
    draw_limits(axes, chart.limits)
    levels = draw_marks(axes, chart.marks)
    _draw_notes(axes, chart, height)
    draw_legend(figure, axes, chart.series, height, levels)


#: Letters of a note on one line.
_LONG = 30
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

    A note that finds no such place is left out. Those of the last series come first; a long one has two
    lines, and of two dots at one place with one note one has it.
    """
    wide, high = 300.0, 72 * (height - 0.6)  # of the axes in points, roughly
    across, up = share_of(axes, "x"), share_of(axes, "y")
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
    for x, y, note in dict.fromkeys(place for places in reversed(placed) for place in places):
        lines = _lines(note)
        if not lines:
            continue
        width, half = 5.9 * max(len(line) for line in lines) + 2, 6 * len(lines)
        best = None
        for anchor, right, beyond in _BESIDE:
            above = beyond + int(np.sign(beyond)) * (half - 6)
            start = x + right - {"left": 0, "center": width / 2, "right": width}[anchor]
            box = (start, y + above - half, start + width, y + above + half)
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
            "\n".join(text_of(line) for line in lines),
            (x / wide, y / high),
            xycoords="axes fraction",
            xytext=(right, above),
            textcoords="offset points",
            ha=anchor,
            va="center",
            color=MARK,
        )


def _lines(note: str) -> list[str]:
    """Break a note that is too long for a line between two words, near its middle."""
    text = short(note, 2 * _LONG)
    gaps = [at for at, one in enumerate(text) if one == " "]
    if len(text) <= _LONG or not gaps:
        return [short(text, _LONG)] if text else []
    middle = min(gaps, key=lambda at: abs(2 * at - len(text)))
    return [short(text[:middle], _LONG), short(text[middle + 1 :], _LONG)]


def _meet(one: Sequence[float], other: Sequence[float]) -> bool:
    """Tell whether two boxes (left, bottom, right, top) overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
