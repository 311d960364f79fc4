# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of aggregated areas: how small their smallest class is, and what is suppressed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsGeometry

from ...core.aggregation.vbas import Aggregation
from ...core.runtime.progress import Progress, part, silent
from ...core.space.planes import Plane
from ...report import Picture
from .. import styling
from ..i18n import tr
from ..layers.regions import in_plane
from .album import Album
from .drawing import point_layer, polygon_layer
from .framing import extent_of

#: Outlines of so many regions can be told apart on a page.
MOST_REGIONS = 5_000
#: And so many numbers can be read.
MOST_LABELS = 400


def aggregation_picture(
    plane: Plane,
    crs: QgsCoordinateReferenceSystem,
    xy: np.ndarray,
    regions: Sequence[QgsGeometry] | None,
    areas: Sequence[QgsGeometry | None],
    result: Aggregation,
    progress: Progress = silent,
    *,
    name: str = "map_areas",
    title: str = "",
) -> Picture:
    """The areas by their smallest class with the suppressed share, sites, and regions beneath.

    Parameters
    ----------
    plane : Plane
    crs : QgsCoordinateReferenceSystem
        Of the geometries.
    xy : (n, 2) array
        A point of each region in the plane.
    regions : sequence of QgsGeometry or None
        Polygons of the regions; None where they are points.
    areas : sequence of (QgsGeometry or None)
        One for each site.
    result : Aggregation
    progress : callable
        Called between layers; may raise to cancel.
    name : str
        Machine name of the picture.
    title : str
        Opens the caption.
    """
    drawn = in_plane(areas, plane)
    progress(0.2)
    counts = result.areas
    with np.errstate(invalid="ignore", divide="ignore"):
        share = counts.suppressed / counts.records
    columns = {
        "smallest": ("long", counts.smallest.tolist()),
        "share": ("double", [None if value != value else value for value in share.tolist()]),
    }
    layers = []
    begun = part(progress, 0.2, 0.2)
    if regions is None:
        layers.append(point_layer(xy, styling.POINT_REGIONS, tr("Regions"), progress=begun))
    elif len(regions) <= MOST_REGIONS:
        layers.append(
            polygon_layer(in_plane(regions, plane), styling.REGIONS, tr("Regions"), progress=begun)
        )
    progress(0.4)
    there = counts.regions > 0
    sites = point_layer(result.sites[there], styling.SITES, tr("Sites (private)"))
    layers += [polygon_layer(drawn, styling.AGGREGATED, "", columns), sites]
    labelled = np.count_nonzero(there) <= MOST_LABELS
    if labelled:
        labels = replace(polygon_layer(drawn, styling.AREA_LABELS, "", columns), explained=False)
        styling.label(labels.layer, styling.AREA_LABELS)
        layers.append(labels)
    boxes = [one.boundingBox() for one in drawn if one is not None]
    corners = [
        np.array([[box.xMinimum(), box.yMinimum()], [box.xMaximum(), box.yMaximum()]])
        for box in boxes
    ]
    extent = extent_of(*(corners or [xy]))
    if labelled:
        caption = tr(
            "Aggregated areas by their smallest class before suppression; the number is the share "
            "of an area's records that is suppressed at K = {k}."
        ).format(k=result.k)
    else:
        caption = tr(
            "Aggregated areas by their smallest class before suppression. There are too many to "
            "write the suppressed share into each."
        )
    album = Album(xy, crs, part(progress, 0.4, 1.0), plane)
    album.draw(name, layers, extent, [title, caption])
    return album.pictures[0]
