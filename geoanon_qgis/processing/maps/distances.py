# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of a release of distances: what was kept, what can be drawn, what it was made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ...core.runtime.progress import Progress, silent
from ...core.space.planes import Plane
from ...report import Picture
from .. import styling
from ..i18n import mark, number_of, tr
from .album import Album
from .drawing import (
    MOST_DRAWN,
    MapLayer,
    line_layer,
    padded,
    point_layer,
    ring_layer,
    sample,
)
from .framing import CLOSE_UP, CLOSE_UP_MM, extent_of, within

#: Lines between truth and drawing: more cannot be followed.
MOST_LINES = 1_000
#: Reference points drawn besides those of the sets that are told apart.
MOST_REFERENCES = 5_000

_TRUE = mark("True place (private)")
_DRAWN = mark("Drawn from the released distances")

# --- how much of each distance is kept ----------------------------------------------------------


def distance_pictures(
    xy: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    centre: int,
    ratio: np.ndarray,
    progress: Progress = silent,
    *,
    plane: Plane | None = None,
    name: str = "map_distance_kept",
    which: str = "",
) -> list[Picture]:
    """How much the release keeps of the distances from one record: everywhere, and near by.

    Parameters
    ----------
    xy : (n, 2) array
        True places, in ``crs``.
    crs : QgsCoordinateReferenceSystem
    centre : int
        Row of the record.
    ratio : (n,) array
        Released / true distance from it to each record; NaN where the true distance is 0.
    progress : callable
        Called between layers; may raise to cancel.
    plane : Plane, optional
        That of the places, where it is there already.
    name : str
        Machine name of the first picture; the second has ``_close_up`` behind it.
    which : str
        The record in words, such as "a record at the border"; "one record" when left out.

    Returns
    -------
    list of Picture
    """
    album = Album(xy, crs, progress, plane)
    points = album.plane.forward(xy)
    which = which or tr("one record")
    at_centre = points[[centre]]

    rows = sample(len(points))
    extent = extent_of(points)
    layer = replace(_ratio_points(points, ratio, rows, progress=album.ask), total=len(points))
    layers = [layer, point_layer(at_centre, styling.CENTRE, tr("The record"))]
    caption = tr(
        "How much of the true distance from {record} (star) the release keeps, by the place of the "
        "other record."
    ).format(record=which)
    album.draw(name, layers, extent, [caption, layer.sample_sentence], 0.5)

    squared = ((points - at_centre) ** 2).sum(axis=1)
    others = np.flatnonzero(squared > 0)
    if len(others) <= CLOSE_UP:
        return album.finished()  # all of it drawn already
    others = others[np.argsort(squared[others], kind="stable")[:CLOSE_UP]]
    window = extent_of(points[others], at_centre)
    layers = [
        replace(_ratio_lines(at_centre, points, ratio, others), explained=False),
        _ratio_points(points, ratio, others, CLOSE_UP_MM),
        point_layer(at_centre, styling.CENTRE, tr("The record")),
    ]
    caption = tr("The same for the records nearest to it ({count}).").format(count=len(others))
    album.draw(f"{name}_close_up", layers, window, [caption])
    return album.pictures


def _ratios(ratio: np.ndarray, rows: np.ndarray) -> dict:
    values = [None if value != value else value for value in ratio[rows].tolist()]
    return {"ratio": ("double", values)}


def _ratio_points(
    points, ratio, rows, marker_mm: float | None = None, progress: Progress = silent
) -> MapLayer:
    columns = _ratios(ratio, rows)
    return point_layer(
        points[rows], styling.RATIOS, "", columns, marker_mm=marker_mm, progress=progress
    )


def _ratio_lines(centre, points, ratio, rows) -> MapLayer:
    start = np.repeat(centre, len(rows), axis=0)
    columns = _ratios(ratio, rows)
    return line_layer(start, points[rows], styling.DISTANCE_KEPT, "", columns)


# --- what an attacker could draw ----------------------------------------------------------------


def drawing_pictures(
    xy: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    drawn: np.ndarray,
    progress: Progress = silent,
    plane: Plane | None = None,
) -> list[Picture]:
    """The truth, and over it what an attacker draws from the released distances.

    The second picture, a close-up of a dense spot, is left out where most of its records are
    drawn elsewhere.

    Parameters
    ----------
    xy : (n, 2) array
        True places, in ``crs``.
    crs : QgsCoordinateReferenceSystem
    drawn : (n, 2) array
        The drawing, row by row, laid over the truth by Procrustes: in the plane of
        ``planes.plane_of(xy, crs).forward(xy)``.
    progress : callable
        Called between layers; may raise to cancel.
    plane : Plane, optional
        That of the places, where it is there already.

    Returns
    -------
    list of Picture
        All of it, and a close-up.
    """
    album = Album(xy, crs, progress, plane)
    true = album.plane.forward(xy)
    extent = extent_of(true, drawn)

    rows = sample(len(true))
    lines = rows if len(rows) <= MOST_LINES else rows[sample(len(rows), MOST_LINES)]
    layers = _truth_and_drawing(true, drawn, rows, lines, progress=album.ask)
    said = [
        tr(
            "What an attacker could draw from the released distances, shifted, turned and scaled "
            "to fit the true places as an attacker without them cannot. Lines join the same record."
        ),
        replace(layers[1], total=len(true)).sample_sentence,
    ]
    if len(lines) < len(rows):
        said.append(tr("Lines are drawn for {count:,} of them.").format(count=len(lines)))
    album.draw("map_drawing", layers, extent, said, 0.6)

    window, near = album.close_up(true, 0.8)
    inside = within(padded(window), true[near])
    if len(near) == len(true) or within(padded(window), drawn[near[inside]]).mean() < 0.5:
        return album.finished()  # all of it drawn already, or drawn far away
    layers = _truth_and_drawing(true, drawn, near, near, CLOSE_UP_MM)
    caption = tr("A close-up of a dense spot: true places, and where they are drawn.")
    album.draw("map_drawing_close_up", layers, window, [caption])
    return album.pictures


def _truth_and_drawing(
    true, drawn, rows, lines, marker_mm: float | None = None, progress: Progress = silent
):
    joined = line_layer(true[lines], drawn[lines], styling.DRAWN_LINES, progress=progress)
    looks = {"marker_mm": marker_mm, "progress": progress}
    return [
        replace(joined, explained=False),
        point_layer(drawn[rows], styling.DRAWN, tr(_DRAWN), **looks),
        # smaller, so that a drawing that is right can be seen below
        point_layer(true[rows], styling.ORIGINALS, tr(_TRUE), **looks),
    ]


# --- reference sets -----------------------------------------------------------------------------


def reference_pictures(
    xy: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    references: np.ndarray,
    rings: Sequence[np.ndarray] = (),
    progress: Progress = silent,
    plane: Plane | None = None,
) -> list[Picture]:
    """The reference points over the true places; some sets are told apart.

    Parameters
    ----------
    xy : (n, 2) array
        True places, in ``crs``.
    crs : QgsCoordinateReferenceSystem
    references : (d, k, 2) array
        In ``crs``.
    rings : sequence of (m, 2) arrays, optional
        Outlines of the study area, in ``crs``.
    progress : callable
        Called between layers; may raise to cancel.
    plane : Plane, optional
        That of the places, where it is there already.

    Returns
    -------
    list of Picture
        One of them.
    """
    album = Album(xy, crs, progress, plane)
    plane = album.plane
    points = plane.forward(xy)
    sets, size, _ = references.shape
    shown = min(sets, len(styling.SET_LOOKS))
    outlines = album.outlines(rings)
    some = plane.forward(references[:shown].reshape(-1, 2))
    kinds = np.repeat(np.arange(1, shown + 1), size).astype(str).tolist()
    others = references[shown:].reshape(-1, 2)
    others = plane.forward(others[sample(len(others), MOST_REFERENCES)])

    records = point_layer(points, styling.CANDIDATES, tr(_TRUE), progress=album.ask)
    layers = [
        ring_layer(outlines, styling.AREA, tr("Study area")),
        records,
        point_layer(others, styling.REFERENCE_SETS, tr("Points of other sets"), progress=album.ask),
        point_layer(
            some,
            styling.SOME_SETS,
            "",
            {"kind": ("string", kinds)},
            marker_mm=2.4,
            progress=album.ask,
        ),
    ]
    extent = extent_of(*(part_ for part_ in (points, some, others, *outlines) if len(part_)))
    caption = tr(
        "Reference points (private): {sets} of {size:,}; the points of {shown} are drawn larger, "
        "each set in its own shape and colour."
    ).format(
        sets=number_of(sets, "set", "sets"),
        size=size,
        shown=number_of(shown, "set", "sets"),
    )
    total = (sets - shown) * size
    if total > MOST_REFERENCES:
        caption += " " + tr("Of the others, {count:,} of {total:,} points are drawn.").format(
            count=MOST_REFERENCES, total=total
        )
    if len(points) > MOST_DRAWN:
        caption += " " + tr("Of the true places, {count:,} of {total:,} are drawn.").format(
            count=MOST_DRAWN, total=len(points)
        )
    album.draw("map_reference_sets", layers, extent, [caption])
    return album.pictures
