# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas with enough people, and crossings: for adaptive masks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from qgis.core import QgsGeometry, QgsWkbTypes

from ....core.masking.public_areas import ZoneAreas
from ....core.runtime.errors import InputError
from ....core.runtime.geos import shapely
from ....core.runtime.progress import weighted
from ....core.verification.pointmask import UsedLayer
from ...dialog import parameters
from ...i18n import mark, tr
from ...layers import unrolled
from ...layers.zones import read_polygons
from ...running import Given, Run
from .crossings import read_crossings
from .kept_masking import read_places, used_layer
from .masked import Masked, Points
from .populations import read_population


def inputs() -> list:
    """Return the parameters of zones, people and crossings."""
    return [
        parameters.source(
            "ZONES",
            tr("Zones"),
            tr(
                "Polygons, in any reference system, that are merged until each area holds enough. "
                "Points in none are withheld."
            ),
            "polygon",
        ),
        parameters.regions(
            "POPULATION",
            tr("People or addresses"),
            tr(
                "Public data that count them: polygons with a number in POPULATION_FIELD (the "
                "zones themselves, say), or points, an address list, which count one each without "
                "a field. Never the points that are masked."
            ),
        ),
        parameters.field(
            "POPULATION_FIELD",
            tr("Field with the number"),
            tr("Of people or addresses; polygons need one."),
            "POPULATION",
            numeric=True,
        ),
        parameters.integer(
            "K",
            tr("Least number in an area (K)"),
            tr("Zones are merged until each area holds so many people or addresses."),
            50,
            2,
        ),
        parameters.source(
            "STREETS",
            tr("Streets"),
            tr(
                "Lines, in any reference system: points come to lie on crossings, where three "
                "streets or more meet. Without STREETS or CROSSINGS the mask can be undone."
            ),
            "line",
            optional=True,
        ),
        parameters.points(
            "CROSSINGS",
            tr("Crossings"),
            tr("Points, in place of STREETS: where the released points may lie."),
            optional=True,
        ),
        parameters.boolean(
            "KEEP_INSIDE",
            tr("Keep points in their areas"),
            tr(
                "Only crossings in the point's own area are taken, and who has none there is "
                "withheld. Unchecked, as published, the nearest crossing can lie in another area."
            ),
            True,
        ),
    ]


def check(given: Given) -> str | None:
    """Say what does not go together."""
    if given.has("STREETS") and given.has("CROSSINGS"):
        return tr("Give either STREETS or CROSSINGS, not both.")
    for name in ("POPULATION", "CROSSINGS"):
        if given.same_layer("INPUT", name):
            return tr(
                "{name} is the layer of the points themselves, which are not public. Choose "
                "another layer."
            ).format(name=name)
    return None


def reasons() -> list[tuple[str, str]]:
    """Why records are withheld, in the order of the engine's kinds."""
    return [
        ("no zone", tr("they lie in none of the zones. Give zones that hold them.")),
        (
            "no crossing",
            tr(
                "their area has no crossing. Give streets that reach there, take a larger K, or "
                "uncheck KEEP_INSIDE."
            ),
        ),
        (
            "not moved",
            tr(
                "they lie on a border or on a crossing, and would be released where they are. "
                "Nothing but other zones or crossings helps."
            ),
        ),
    ]


@dataclass(frozen=True)
class Adapted:
    """What places are moved by.

    Attributes
    ----------
    areas : ZoneAreas
    area : (n,) int array
        Of each point, -1 for none.
    crossings : (c, 2) array or None
        In the plane.
    layers : list of UsedLayer
    """

    areas: ZoneAreas
    area: np.ndarray
    crossings: np.ndarray | None
    layers: list[UsedLayer]


def read(points: Points, run: Run) -> Adapted:
    """Read zones and people, merge, and read the crossings.

    Raises
    ------
    InputError
        If a layer holds nothing, all zones together have too few people, no record lies in any,
        or no streets cross.
    """
    layers: list[UsedLayer] = []
    zones = read_polygons(
        run.source("ZONES"), points.plane, points.table.crs, run.context, run.step("zones")
    )
    run.warn(*zones.sentences())
    layers.append(zones.used("ZONES"))
    people = read_population(run, points.plane, points.table.crs, run.step("people"), layers)
    merging, locating = weighted(run.step("merge"), 6, 1)
    areas = ZoneAreas.merged(zones.shapes, people, run.number("K"), merging)
    area = areas.locate(points.xy, locating)
    if (area < 0).all():
        raise InputError(
            mark(
                "No record lies in any of the zones “{name}”. Choose zones that hold the records, "
                "or check the reference systems of both layers."
            ),
            name=zones.name,
        )
    return Adapted(areas, area, _crossings(points, run, layers), layers)


def _crossings(points: Points, run: Run, layers: list[UsedLayer]) -> np.ndarray | None:
    """Crossings in the plane, from lines or points; None without either."""
    if run.has("CROSSINGS"):
        _, xy = read_places(points, run, "CROSSINGS", "streets")
        layers.append(used_layer("CROSSINGS", run.source("CROSSINGS"), xy))
        return xy
    if not run.has("STREETS"):
        return None
    return read_crossings(points, run, layers)


# --- what is written --------------------------------------------------------------------------


@dataclass(frozen=True)
class Adaptive(Masked):
    """What a mask made of points, and the areas that it made.

    Attributes
    ----------
    areas : Adapted or None
    """

    areas: Adapted | None = None


def write_areas(points: Points, made: Adapted, run: Run) -> None:
    """Write the merged areas, AREAS, and how many records lie in each."""
    areas = made.areas
    laying, writing = weighted(run.outputs.next_share(), 1, 1)
    shapes = []
    for wkb in shapely().to_wkb(areas.shapes).tolist():
        shapes.append(QgsGeometry())
        shapes[-1].fromWkb(wkb)
    polygons = unrolled.polygons(shapes, points.plane, points.west, laying)
    records = np.bincount(made.area[made.area >= 0], minlength=len(areas))
    rows = zip(areas.people.tolist(), areas.zones.tolist(), records.tolist(), areas.apart.tolist())
    run.outputs.add_features(
        "AREAS",
        QgsWkbTypes.Type.MultiPolygon,
        None,
        ((unrolled.multipolygon(shape), row) for shape, row in zip(polygons, rows)),
        points.table.crs,
        writing,
        count=len(areas),
    )
