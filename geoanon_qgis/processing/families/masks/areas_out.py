# SPDX-License-Identifier: GPL-2.0-or-later
"""The areas of an aggregation as a layer: what public data tell of them, and nothing of records."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsGeometry, QgsWkbTypes

from ....core.masking.aggregation import enough_people
from ....core.masking.public_areas import ZoneAreas
from ....core.runtime.geos import shapely
from ....core.runtime.progress import Progress, weighted
from ...dialog.declaration import Field, release
from ...i18n import mark
from ...layers import unrolled
from ...running import Run
from .point_areas import Aggregation

_NAME = "AREAS"
OUTPUT = release(
    _NAME,
    mark("Areas"),
    mark(
        "The areas, from public data alone and without any number of records: with grid and "
        "hexagons the cells in which a released point lies, as the release itself tells; with "
        "zones all of them, also those that release nothing."
    ),
    "polygon",
    [
        Field("area_id", "int", mark("by place")),
        Field("people", "double", mark("by POPULATION, empty without it")),
        Field("zones", "int", mark("joined")),
        Field("apart", "int", mark("1 where a zone was joined over a gap")),
        Field("enough", "int", mark("1 where it holds K")),
    ],
    optional=True,
)


def write(made: Aggregation, used: np.ndarray, run: Run) -> None:
    """Write the areas, if they are asked for.

    Parameters
    ----------
    made : Aggregation
    used : (u,) int array
        Those with released points.
    run : Run
    """
    if not run.outputs.wanted(_NAME):
        return
    # A cell without a released point is not told: what is withheld may lie in it.
    is_zones = isinstance(made.areas, ZoneAreas)
    rows = np.arange(len(made.areas)) if is_zones else used
    finding, making = weighted(run.outputs.next_share(), 50, 50)
    run.outputs.add_features(
        _NAME,
        QgsWkbTypes.Type.MultiPolygon,
        None,
        zip(_as_stored(made, rows, finding), _rows_of(made, rows)),
        made.crs,
        making,
        count=len(rows),
    )


def _as_stored(made: Aggregation, rows: np.ndarray, progress: Progress) -> list[QgsGeometry]:
    """Return areas as multipolygons in the system of the areas."""
    geos = shapely()
    found = []
    for one in geos.to_wkb(made.areas.polygons(rows)):
        geometry = QgsGeometry()
        geometry.fromWkb(one)
        found.append(geometry)
    corners = geos.get_coordinates(geos.box(*geos.total_bounds(made.areas.polygons(rows))))
    west = unrolled.western_end(made.plane, made.plane.inverse(corners))
    stored = unrolled.polygons(found, made.plane, west, progress)
    return [unrolled.multipolygon(one) for one in stored]


def _rows_of(made: Aggregation, rows: np.ndarray) -> list[tuple]:
    """Return what is told of each area: by public data alone."""
    areas, count = made.areas, len(rows)
    people = [None] * count if areas.people is None else areas.people[rows].tolist()
    zones, apart = [1] * count, [0] * count
    if isinstance(areas, ZoneAreas):
        zones, apart = areas.zones[rows].tolist(), areas.apart[rows].astype(int).tolist()
    enough = enough_people(areas, made.least)[rows].astype(int).tolist()
    return list(zip(range(1, count + 1), people, zones, apart, enough))
