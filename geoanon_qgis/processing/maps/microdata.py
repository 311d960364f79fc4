# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of microdata: what is synthetic, who is at risk, and where the rare ones are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ...core.runtime.progress import Progress, part, silent
from ...report import Picture
from .. import styling
from ..i18n import mark, tr
from ..layers import planes
from .drawing import DPI, MapLayer, map_picture, point_layer, ring_layer, sample
from .framing import CLOSE_UP, CLOSE_UP_MM, close_up, extent_of, finer, metres, size_of

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
    plane = planes.plane_of(original, crs)
    unit = metres(plane, crs)
    one, other = (plane.forward(xy, part(progress, 0.0, 0.05)) for xy in (original, released))
    outlines = [plane.forward(finer(np.asarray(ring))) for ring in rings if len(ring) > 2]
    # The area may be far larger than the points: then it is cut off.
    extent = extent_of(one, other)
    size = size_of(extent)
    area = ring_layer(outlines, None, styling.AREA, tr("Area"))
    pictures = []
    for number, (name, xy, role, label, caption) in enumerate(
        (
            ("before", one, styling.ORIGINALS, tr(_ORIGINAL), tr("Before: the original points.")),
            (
                "after",
                other,
                styling.ANONYMIZED,
                tr(_RELEASED),
                tr("After: the synthetic points, as released."),
            ),
        )
    ):
        steps = part(progress, 0.05 + 0.32 * number, 0.05 + 0.32 * (number + 1))
        layer = point_layer(xy, None, role, label, progress=part(steps, 0.0, 0.0))
        png = map_picture([area, layer], extent, size, DPI, unit, steps)
        said = f"{caption} {layer.sample_sentence}".strip()
        pictures.append(Picture(png, said, name=f"map_{name}"))

    window, near = close_up(one, part(progress, 0.7, 0.8))
    west, south, east, north = window
    inside = ((other >= (west, south)) & (other <= (east, north))).all(axis=1)
    layers = [
        area,
        point_layer(one[near], None, styling.ORIGINALS, tr(_ORIGINAL), marker_mm=CLOSE_UP_MM),
        point_layer(other[inside], None, styling.ANONYMIZED, tr(_RELEASED), marker_mm=CLOSE_UP_MM),
    ]
    png = map_picture(layers, window, size_of(window), DPI, unit, part(progress, 0.8, 1.0))
    caption = tr("A close-up of a dense spot: originals and synthetic points.")
    pictures.append(Picture(png, caption, name="map_close_up"))
    return pictures


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
    plane = planes.plane_of(xy, crs)
    unit = metres(plane, crs)
    points = plane.forward(xy, part(progress, 0.0, 0.0))
    extent = extent_of(points)
    picked = order[sample(len(order))]
    begun = part(progress, 0.0, 0.0)
    layer = replace(_layer(points, role, columns, picked, progress=begun), total=len(points))
    png = map_picture([layer], extent, size_of(extent), DPI, unit, part(progress, 0, 0.5))
    pictures = [Picture(png, f"{caption} {layer.sample_sentence}".strip(), name=name)]
    if len(points) <= CLOSE_UP:
        progress(1.0)
        return pictures  # all of it drawn already
    window, near = close_up(points, part(progress, 0.5, 0.6))
    inside = np.zeros(len(points), dtype=bool)
    inside[near] = True
    layer = _layer(points, role, columns, order[inside[order]], CLOSE_UP_MM)
    png = map_picture([layer], window, size_of(window), DPI, unit, part(progress, 0.6, 1.0))
    pictures.append(Picture(png, tr("A close-up of a dense spot."), name=f"{name}_close_up"))
    return pictures


def _layer(
    points, role, columns, rows, marker_mm: float | None = None, progress: Progress = silent
) -> MapLayer:
    picked = {
        name: (kind, [one if np.isfinite(one) else None for one in values[rows].tolist()])
        for name, (kind, values) in columns.items()
    }
    return point_layer(
        points[rows],
        None,
        role,
        "",
        picked,
        most=len(rows),
        marker_mm=marker_mm,
        progress=progress,
    )
