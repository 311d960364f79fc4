# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of microdata: what is synthetic, who is at risk, and where the rare ones are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ...core.runtime.progress import Progress, silent
from ...report import Picture
from .. import styling
from ..i18n import mark, tr
from .album import Album
from .drawing import MapLayer, point_layer, ring_layer, sample
from .framing import CLOSE_UP, CLOSE_UP_MM, extent_of, within

_ORIGINAL = mark("Original (private)")
_RELEASED = mark("Synthetic, as released")


def anonymization_pictures(
    original: np.ndarray,
    released: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    rings: Sequence[np.ndarray] = (),
    progress: Progress = silent,
) -> list[Picture]:
    """The originals, the synthetic points, and both in a dense spot.

    Parameters
    ----------
    original, released : (n, 2), (p, 2) arrays
        Coordinates in ``crs``; rows do not correspond.
    crs : QgsCoordinateReferenceSystem
    rings : sequence of (m, 2) arrays, optional
        Outlines of the area that points must lie in, in ``crs``.
    progress : callable
        Called between layers; may raise to cancel.

    Returns
    -------
    list of Picture
    """
    album = Album(original, crs, progress)
    one, other = (album.plane.forward(xy, album.ask) for xy in (original, released))
    # The area may be far larger than the points: then it is cut off.
    extent = extent_of(one, other)
    area = ring_layer(album.outlines(rings), styling.AREA, tr("Area"))
    layer = point_layer(one, styling.ORIGINALS, tr(_ORIGINAL), progress=album.ask)
    said = [tr("Before: the original points."), layer.sample_sentence]
    album.draw("map_before", [area, layer], extent, said, 0.35)
    layer = point_layer(other, styling.ANONYMIZED, tr(_RELEASED), progress=album.ask)
    said = [tr("After: the synthetic points, as released."), layer.sample_sentence]
    album.draw("map_after", [area, layer], extent, said, 0.7)

    window, near = album.close_up(one, 0.8)
    inside = within(window, other)
    layers = [
        area,
        point_layer(one[near], styling.ORIGINALS, tr(_ORIGINAL), marker_mm=CLOSE_UP_MM),
        point_layer(other[inside], styling.ANONYMIZED, tr(_RELEASED), marker_mm=CLOSE_UP_MM),
    ]
    said = [tr("A close-up of a dense spot: originals and synthetic points.")]
    album.draw("map_close_up", layers, window, said)
    return album.pictures


def risk_pictures(
    xy: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    relative: np.ndarray,
    progress: Progress = silent,
) -> list[Picture]:
    """The originals by how near the release comes to them: everywhere, and in a dense spot.

    Parameters
    ----------
    xy : (n, 2) array
        True places, in ``crs``.
    crs : QgsCoordinateReferenceSystem
    relative : (n,) array
        Prediction distance over that against the reference; not finite where the latter is 0.
    progress : callable
        Called between layers; may raise to cancel.

    Returns
    -------
    list of Picture
    """
    # Those at risk are drawn last, over the others.
    order = np.argsort(-np.where(np.isfinite(relative), relative, np.inf), kind="stable")
    return _by_record(
        xy,
        crs,
        styling.RISK,
        {"relative_distance": ("double", relative), "distance": ("double", np.ones(len(relative)))},
        order,
        tr(
            "Original records, by how near the release comes in all fields, compared with other "
            "people's records."
        ),
        "map_risk",
        progress,
    )


def class_pictures(
    xy: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    size: np.ndarray,
    k: int,
    progress: Progress = silent,
) -> list[Picture]:
    """The records by the size of their equivalence class: everywhere, and in a dense spot.

    Parameters
    ----------
    xy : (n, 2) array
        Places of the records, in ``crs``.
    crs : QgsCoordinateReferenceSystem
    size : (n,) int array
        Records in the class of each.
    k : int
        Classes of fewer are small.
    progress : callable
        Called between layers; may raise to cancel.

    Returns
    -------
    list of Picture
    """
    columns = {
        "class_size": ("long", size),
        "small": ("int", (size < k).astype(int)),
    }
    order = np.argsort(-size, kind="stable")
    return _by_record(
        xy,
        crs,
        styling.SMALL_CLASSES,
        columns,
        order,
        tr(
            "Where the small classes sit: records by how many others are alike in the "
            "quasi-identifiers (small: fewer than {k})."
        ).format(k=k),
        "map_classes",
        progress,
    )


def _by_record(xy, crs, role, columns, order, caption, name, progress) -> list[Picture]:
    """A map of all records and, where there are many, of a dense spot."""
    album = Album(xy, crs, progress)
    points = album.plane.forward(xy, album.ask)
    picked = order[sample(len(order))]
    layer = replace(_layer(points, role, columns, picked, progress=album.ask), total=len(points))
    album.draw(name, [layer], extent_of(points), [caption, layer.sample_sentence], 0.5)
    if len(points) <= CLOSE_UP:
        return album.finished()  # all of it drawn already
    window, near = album.close_up(points, 0.6)
    inside = np.zeros(len(points), dtype=bool)
    inside[near] = True
    layer = _layer(points, role, columns, order[inside[order]], CLOSE_UP_MM)
    album.draw(f"{name}_close_up", [layer], window, [tr("A close-up of a dense spot.")])
    return album.pictures


def _layer(
    points, role, columns, rows, marker_mm: float | None = None, progress: Progress = silent
) -> MapLayer:
    picked = {
        name: (kind, [one if np.isfinite(one) else None for one in values[rows].tolist()])
        for name, (kind, values) in columns.items()
    }
    return point_layer(
        points[rows],
        role,
        "",
        picked,
        most=len(rows),
        marker_mm=marker_mm,
        progress=progress,
    )
