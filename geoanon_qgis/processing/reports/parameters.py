# SPDX-License-Identifier: GPL-2.0-or-later
"""Charts over the parameters of a release of distances: d reference sets of k points, or noise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Callable

from ...report import col
from ..i18n import tr
from .common import PrivatePage


def parameter_columns() -> list:
    """The first two columns of a table over parameters."""
    return [
        col("sets", tr("d"), lambda cell: cell.sets or None),
        col("size", tr("k"), lambda cell: cell.size or None),
    ]


def lines_with_errors(
    page: PrivatePage,
    name: str,
    title: str,
    groups: Mapping[str, Iterable[tuple[float, float, float]]],
    x_label: str,
    y_label: str,
    **more: Any,
) -> None:
    """Draw a line for each group of (x, mean, error), with whiskers of the error to either side."""
    series = []
    for label, points in groups.items():
        x, means, errors = zip(*sorted(points))
        low, high = ([m + sign * e for m, e in zip(means, errors)] for sign in (-1, 1))
        series.append((label, x, means, low, high))
    page.lines(name, title, series, x_label, y_label, error_bars=True, **more)


def by_size(
    page: PrivatePage,
    name: str,
    label: str,
    cells: Iterable,
    value: Callable[[Any], tuple[float, float]],
    title: str = "",
    **more: Any,
) -> None:
    """Draw mean and standard error of cells over k, a line for each d."""
    groups: dict[str, list] = {}
    for cell in cells:
        groups.setdefault(f"d = {cell.sets}", []).append((cell.size, *value(cell)))
    x_label = tr("Points in each reference set (k)")
    lines_with_errors(page, name, title or label, groups, x_label, label, **more)


def dots(
    label: str,
    items: Iterable,
    x: Callable[[Any], float],
    y: Callable[[Any], float],
    note: Callable[[Any], str],
    joined: bool = False,
) -> tuple:
    """Return the dots of a picture of risk and utility, in the order of x."""
    items = sorted(items, key=x)
    return label, [*map(x, items)], [*map(y, items)], joined, [*map(note, items)]
