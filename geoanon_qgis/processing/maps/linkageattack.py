# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of an attack by distances: which known people were linked, and to whose records."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ...core.runtime.progress import Progress, silent
from ...report import Picture
from .. import styling
from ..i18n import tr
from .album import Album
from .drawing import MapLayer, line_layer, point_layer, sample
from .framing import CLOSE_UP, CLOSE_UP_MM, extent_of, within

#: Links that one map can show; a close-up is added where there are more.
_FEW = 20
#: Lines that can be followed.
MOST_LINES = 2_000


def linkage_pictures(
    xy: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    in_clique: np.ndarray,
    correct: np.ndarray | None = None,
    true_xy: np.ndarray | None = None,
    progress: Progress = silent,
) -> list[Picture]:
    """Who was linked, rightly or not where that is known, and to whose record.

    Parameters
    ----------
    xy : (n, 2) array
        Places of the known people (the identification file), in ``crs``.
    crs : QgsCoordinateReferenceSystem
    in_clique : (n,) bool array
        Who was linked to a released record.
    correct : (n,) array, optional
        1 where the link is right, 0 where it is wrong, NaN or -1 where that is not known; read
        for those who were linked only.
    true_xy : (n, 2) array, optional
        In ``crs``: for each linked person, the true place of the record that was linked to him;
        NaN where that is not known.
    progress : callable
        Called between layers; may raise to cancel.

    Returns
    -------
    list of Picture
        All, and a close-up where the linked lie densest.
    """
    album = Album(xy, crs, progress)
    points = album.plane.forward(xy)
    in_clique = np.asarray(in_clique, dtype=bool)
    right = np.full(len(points), -1.0) if correct is None else np.asarray(correct, dtype=float)
    right = np.where(np.isfinite(right) & (right >= 0), right, -1.0)

    linked = np.flatnonzero(in_clique)
    start, end = points[:0], linked[:0]
    if true_xy is not None:
        true_xy = np.asarray(true_xy, dtype=float)
        # a right link mostly leads from a place to itself, and is no line
        apart = np.isfinite(true_xy).all(axis=1) & (true_xy != xy).any(axis=1)
        end = linked[apart[linked]]
        start = album.plane.forward(true_xy[end])
    lines = _line_layer(start, points[end], right[end])
    extent = extent_of(points, *([start] if len(start) else []))

    rest = np.flatnonzero(~in_clique)
    rows = np.concatenate([rest[sample(len(rest))], linked[sample(len(linked))]])
    layer = replace(
        _linked_layer(points, in_clique, right, rows, progress=album.ask), total=len(points)
    )
    said = [
        tr("Known people, and which of them the attack links to a released record."),
        tr("Lines lead from the true place of a record to the person that it is linked to.")
        if lines.drawn
        else "",
        layer.sample_sentence,
        tr("Lines are drawn for {count:,} of them.").format(count=lines.drawn)
        if lines.drawn < lines.total
        else "",
    ]
    album.draw("map_linkage", [lines, layer], extent, said, 0.5)
    if len(linked) < _FEW:
        return album.finished()

    count = min(CLOSE_UP, len(linked) // 4)
    window, near = album.close_up(points[linked], 0.7, count)
    west, south, east, north = window
    around = (east - west) / 2
    wider = (west - around, south - around, east + around, north + around)
    inside = within(wider, points)
    rows = np.union1d(np.flatnonzero(inside & ~in_clique), linked[near])
    here = np.isin(end, rows)
    layers = [
        _line_layer(start[here], points[end[here]], right[end[here]]),
        _linked_layer(points, in_clique, right, rows, CLOSE_UP_MM, album.ask),
    ]
    caption = tr("A close-up of a spot with many links.")
    album.draw("map_linkage_close_up", layers, window, [caption])
    return album.pictures


def _correct(right: np.ndarray) -> list[int | None]:
    return [None if value < 0 else int(value) for value in right.tolist()]


def _linked_layer(
    points, in_clique, right, rows, marker_mm: float | None = None, progress: Progress = silent
) -> MapLayer:
    columns = {
        "in_clique": ("int", in_clique[rows].astype(int).tolist()),
        "correct": ("int", _correct(right[rows])),
    }
    size = styling.marker_size(int(in_clique[rows].sum())) if marker_mm is None else marker_mm
    return point_layer(
        points[rows],
        styling.LINKED,
        "",
        columns,
        most=len(rows),
        marker_mm=size,
        progress=progress,
    )


def _line_layer(start: np.ndarray, end: np.ndarray, right: np.ndarray) -> MapLayer:
    columns = {"correct": ("int", _correct(right))}
    return line_layer(start, end, styling.LINK_LINES, "", columns, most=MOST_LINES)
