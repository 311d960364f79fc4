# SPDX-License-Identifier: GPL-2.0-or-later
"""Map of areas with their published figures, and of those that are left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsGeometry

from ...core.runtime.progress import Progress, part, silent
from ...report import Picture
from .. import styling
from ..i18n import tr
from ..layers import planes
from ..layers.regions import in_plane
from .album import Album
from .drawing import polygon_layer
from .framing import extent_of
from .vbas import MOST_LABELS


def counts_pictures(
    areas: Sequence[QgsGeometry | None],
    figures: Sequence[float | None],
    hidden: Sequence[int],
    what: str,
    crs: QgsCoordinateReferenceSystem,
    progress: Progress = silent,
) -> list[Picture]:
    """Areas with the figure that is published of each; none where nothing can be drawn.

    Parameters
    ----------
    areas : sequence of (QgsGeometry or None)
        In stored coordinates.
    figures : sequence of (float or None)
        None for what is left out.
    hidden : sequence of int
        1 where it is left out.
    what : str
        What the figure is, for the caption.
    crs : QgsCoordinateReferenceSystem
    progress : callable
        Called between layers; may raise to cancel.
    """
    there = [one for one in areas if one is not None and not one.isEmpty()]
    if not there:
        return []
    places = [one.pointOnSurface().asPoint() for one in there]
    stored = np.array([(one.x(), one.y()) for one in places])
    plane = planes.plane_of(stored, crs)
    progress(0.1)
    drawn = in_plane(areas, plane)
    progress(0.3)
    columns = {"rate": ("double", list(figures)), "left_out": ("int", list(hidden))}
    layers = [polygon_layer(drawn, styling.COUNTED_AREAS, "", columns)]
    caption = tr("Areas by what is published of them.")
    if len(there) <= MOST_LABELS:
        labels = replace(polygon_layer(drawn, styling.COUNTED_AREAS, "", columns), explained=False)
        styling.label(labels.layer, styling.COUNTED_AREAS)
        layers.append(labels)
        caption = tr("Areas by what is published of them; the number is {what}.").format(what=what)
    boxes = [one.boundingBox() for one in drawn if one is not None]
    corners = [
        np.array([[box.xMinimum(), box.yMinimum()], [box.xMaximum(), box.yMaximum()]])
        for box in boxes
    ]
    album = Album(plane.forward(stored), crs, part(progress, 0.4, 1.0), plane)
    album.draw("map_counts", layers, extent_of(*corners), ["", caption])
    return album.pictures
