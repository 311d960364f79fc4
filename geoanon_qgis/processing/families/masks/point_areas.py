# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas that points are aggregated to, in a plane that depends on what is public alone.

The plane of the points themselves is made round them. Cells in it would tell where their middle
is, and shift when somebody comes or goes; so would borders that are measured in it. Cells lie in
the system of the layer where it is projected, and in EASE-Grid 2.0 (EPSG:6933) else: a cylindrical
equal-area projection of the whole globe. Zones are measured in a plane round themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsProcessingFeatureSource

from ....core.masking.aggregation import CENTRE, RANDOM, Areas
from ....core.masking.kept_draws import KeptDraws
from ....core.masking.lattice import HEXAGONS, SQUARES, Lattice
from ....core.masking.public_areas import CellAreas, Population, ZoneAreas
from ....core.masking.site_areas import SiteAreas
from ....core.runtime.errors import InputError
from ....core.runtime.progress import shares
from ....core.space.planes import Plane, stored_plane
from ....core.verification.pointmask import UsedLayer
from ...dialog import parameters
from ...dialog.rules import GIVEN
from ...i18n import tr
from ...layers import planes
from ...layers.transforming import transform
from ...layers.zones import read_polygons
from ...running import Given, Run
from .masked import Points
from .populations import read_population

ZONES, MERGED, SITES = "zones", "merged", "sites"
METHODS = [SQUARES, HEXAGONS, ZONES, MERGED, SITES]
PLACES = [CENTRE, RANDOM]
#: Places in the picture of where one point could have gone.
_SHOWN = 400
#: EASE-Grid 2.0, global (Brodzik et al. 2012).
WHOLE_GLOBE = "EPSG:6933"
#: Projections of the whole globe whose scale is far from true away from the equator.
_UNTRUE = ("mercator", "equidistant cylindrical", "plate carr", "equirectangular", "miller")
_TRUE = ("transverse", "oblique")


def inputs() -> list:
    """Return the parameters of an aggregation of points."""
    return [
        parameters.choice(
            "METHOD",
            tr("Areas"),
            tr(
                "grid, hexagons: cells of one size (SIDE), with an origin that does not depend on "
                "the points. zones: the polygons of ZONES. merged: those of ZONES, of which the "
                "smallest by POPULATION are merged into their neighbours until each area holds K "
                "(adaptive areal elimination). sites: as many addresses of POPULATION as "
                "SITE_ADDRESSES says have a site in their middle, and all places that are nearest "
                "to the same site are an area: small in towns, large in the country."
            ),
            METHODS,
            SQUARES,
        ),
        parameters.metres(
            "SIDE",
            tr("Side of a cell (metres)"),
            tr("Of a square; a hexagon has the same area. For grid and hexagons."),
            500.0,
            only_when={"METHOD": (SQUARES, HEXAGONS)},
        ),
        parameters.source(
            "ZONES",
            tr("Zones"),
            tr(
                "With METHOD=zones or merged: polygons, in any reference system. Where they "
                "overlap, the first counts, by an order that does not depend on their rows."
            ),
            "polygon",
            optional=True,
            only_when={"METHOD": (ZONES, MERGED)},
        ),
        parameters.regions(
            "POPULATION",
            tr("Population"),
            tr(
                "Points or polygons, from public data, by which K is counted: addresses, buildings "
                "or areas with the number of people. It may be the layer of the zones. Never the "
                "points themselves. A polygon that lies in several areas counts in each by the "
                "part of its size there."
            ),
            optional=True,
        ),
        parameters.field(
            "POPULATION_FIELD",
            tr("Field with the number of people or addresses"),
            tr("Of POPULATION. Without it each point counts one; polygons need it."),
            "POPULATION",
            numeric=True,
            only_when={"POPULATION": GIVEN},
        ),
        parameters.integer(
            "K",
            tr("Least number in an area (k)"),
            tr(
                "Only with POPULATION. Cells and zones that hold fewer release nothing, and their "
                "records are withheld and counted; with METHOD=merged zones are joined instead."
            ),
            20,
            2,
            only_when={"POPULATION": GIVEN},
        ),
        parameters.choice(
            "PLACE",
            tr("Place in the area"),
            tr(
                "centre: all points of an area at its centre (where the centroid lies outside, at "
                "a place inside). random: each at a random place in the area, by the secret. A "
                "random place protects no better: it looks like a place, and tells the area."
            ),
            PLACES,
            CENTRE,
        ),
        parameters.integer(
            "SITE_ADDRESSES",
            tr("Addresses to a site"),
            tr(
                "With METHOD=sites: how many neighbouring points of POPULATION one site is in the "
                "middle of, at least. An area then has about as many, some have fewer; K says how "
                "few still release something."
            ),
            100,
            2,
            advanced=True,
            only_when={"METHOD": (SITES,)},
        ),
        parameters.integer(
            "K_RECORDS",
            tr("Least number of places with records in an area"),
            tr(
                "Areas with records at fewer places release nothing, and their records are withheld "
                "and counted. Who knows that a person is in the file, and where she lives, then "
                "has so many records for her, if he knows nothing else of her, and no other release: "
                "who compares two sees which records are new. Empty: one is enough."
            ),
            None,
            2,
            optional=True,
            advanced=True,
        ),
    ]


def check(given: Given) -> str | None:
    """Say what does not go together."""
    method, side = given.choice("METHOD"), given.number("SIDE")
    if method in (SQUARES, HEXAGONS):
        if side is None or not 0 < side < np.inf:
            return tr("The side of a cell (SIDE) must be a positive distance in metres.")
        if given.has("ZONES"):
            return tr(
                "ZONES was given, and is used with METHOD=zones or merged only. Choose one of "
                "these, or leave ZONES empty."
            )
    elif method == SITES:
        if given.has("ZONES"):
            return tr(
                "ZONES was given, and is used with METHOD=zones or merged only. Choose one of "
                "these, or leave ZONES empty."
            )
    elif not given.has("ZONES"):
        return tr("METHOD={method} needs ZONES: polygons that cover the points.").format(
            method=method
        )
    if method == MERGED and not given.has("POPULATION"):
        return tr(
            "METHOD=merged needs POPULATION, which says how many live in each zone. It may be the "
            "layer of the zones, with its field."
        )
    if method == SITES and not given.has("POPULATION"):
        return tr(
            "METHOD=sites needs POPULATION as points, such as an address list: the areas are made "
            "of it."
        )
    if given.number("K_RECORDS") is not None and given.choice("PLACE") == RANDOM:
        return tr(
            "K_RECORDS goes with PLACE=centre: a random place that is kept stays released, however "
            "many records its area has in the next release."
        )
    if given.same_layer("INPUT", "POPULATION"):
        return tr(
            "The population is the layer of the points themselves: whoever is alone would hide "
            "among the others of the file only, and areas would tell where they are. Choose "
            "public data."
        )
    return None


@dataclass(frozen=True)
class Aggregation:
    """What points are aggregated to.

    Attributes
    ----------
    method, place : str
    areas : CellAreas or ZoneAreas
    least : int or None
        K, where there is a population.
    least_records : int or None
        K_RECORDS.
    crs : QgsCoordinateReferenceSystem
        System of the areas.
    plane : Plane
        In which they lie.
    xy : (n, 2) array
        The points in it.
    parameters : dict
    layers : list of UsedLayer
    """

    method: str
    place: str
    areas: Areas
    least: int | None
    crs: QgsCoordinateReferenceSystem
    plane: Plane
    xy: np.ndarray
    parameters: dict
    layers: list[UsedLayer]
    least_records: int | None = None

    def of_enough_records(self, run: Run) -> Aggregation:
        """Return the same for a release, which K_RECORDS leaves areas out of."""
        least = run.number("K_RECORDS")
        if least is None:
            return self
        told = {**self.parameters, "K_RECORDS": int(least)}
        return replace(self, parameters=told, least_records=int(least))

    def back(self, xy: np.ndarray, points: Points, run: Run) -> np.ndarray:
        """Return places of the areas' plane in that of the points; those that are none stay so."""
        found, there = np.full(xy.shape, np.nan), np.flatnonzero(np.isfinite(xy[:, 0]))
        stored = self.plane.inverse(xy[there], run.outputs.ask)
        stored = transform(stored, self.crs, points.table.crs, run.context, run.outputs.ask)
        found[there] = points.plane.forward(stored, run.outputs.ask)
        return found

    def lies_in(self, xy: np.ndarray, points: Points, run: Run) -> np.ndarray:
        """Return the area in which each place of the points' plane lies, -1 for none."""
        there = np.flatnonzero(np.isfinite(xy[:, 0]))
        stored = points.plane.inverse(xy[there], run.outputs.ask)
        stored = transform(stored, points.table.crs, self.crs, run.context, run.outputs.ask)
        found = np.full(len(xy), -1, dtype=np.int64)
        found[there] = self.areas.locate(self.plane.forward(stored, run.outputs.ask))
        return found

    def anywhere(self, area: int, points: Points, run: Run) -> np.ndarray:
        """Draw some places of an area, by no secret that is kept, in the plane of the points."""
        rng = np.random.default_rng()
        draws, keys = KeptDraws(rng.bytes(32), "picture"), rng.random((_SHOWN, 2))
        drawn = self.areas.draw(np.full(_SHOWN, area), keys, draws, run.outputs.ask)
        return self.back(drawn, points, run)

    def reasons(self) -> list[tuple[str, str]]:
        """Return why records are withheld, by :attr:`~.Aggregated.kind`."""
        return [
            ("outside", tr("they lie in none of the zones. Give zones that hold them.")),
            (
                "too few",
                tr(
                    "their area holds fewer than {k} by POPULATION. Take larger cells, or "
                    "METHOD=merged."
                ).format(k=self.least),
            ),
            (
                "too few records",
                tr("their area has records at fewer than {k} places. Take larger areas.").format(
                    k=self.least_records
                ),
            ),
        ]

    @property
    def ground(self) -> tuple[float, float] | None:
        """Width and height of a square cell of the whole globe's grid where the points are, m."""
        if self.parameters.get("GRID") != WHOLE_GLOBE:
            return None
        middle = np.median(self.xy, axis=0)[None]
        latitude = np.radians(self.plane.lonlat(middle)[0, 1])
        # Cylindrical and equal-area, true at 30 degrees; as on a sphere, good to some thousandths.
        width = float(np.cos(latitude) / np.cos(np.radians(30.0)))
        return self.parameters["SIDE"] * width, self.parameters["SIDE"] / width


def read(points: Points, run: Run) -> Aggregation:
    """Read the public layers, and make the areas.

    Raises
    ------
    InputError
        If a layer has nothing that can be used, or all zones together hold fewer than K.
    """
    method, place = run.choice("METHOD"), run.choice("PLACE")
    source, told = run.source("ZONES"), {"METHOD": method, "PLACE": place}
    layers: list[UsedLayer] = []
    steps = shares(run.step("public"), 2)
    if method == SITES:
        listed = run.source("POPULATION")
        crs = listed.sourceCrs() if listed.sourceCrs().isValid() else points.table.crs
        plane, zones = plane_of_zones(listed, crs), None
        told["SITE_ADDRESSES"] = int(run.number("SITE_ADDRESSES"))
        next(steps)
    elif source is None:
        told["SIDE"] = float(run.number("SIDE"))
        crs = lattice_crs(points.table.crs)
        plane = stored_plane(planes.wkt(crs))
        zones = None
        next(steps)
        told["GRID"] = planes.name(crs) if crs.isValid() else ""
    else:
        crs = source.sourceCrs() if source.sourceCrs().isValid() else points.table.crs
        plane = plane_of_zones(source, crs)
        zones = read_polygons(source, plane, crs, run.context, next(steps))
        run.warn(*zones.sentences())
        layers.append(zones.used("ZONES"))
    population = read_population(run, plane, crs, next(steps), layers)
    least = None if population is None else run.number("K")
    if least is not None:
        told["K"] = least
    stored = transform(points.table.xy, points.table.crs, crs, run.context, run.outputs.ask)
    xy = plane.forward(stored, run.outputs.ask)
    making = run.step("areas")
    if method == SITES:
        assert isinstance(population, Population)  # asked for by check
        areas: Areas = SiteAreas.of_list(population, told["SITE_ADDRESSES"], making)
    elif zones is None:
        lattice = Lattice(method, told["SIDE"] / plane.metres_per_unit)
        areas = CellAreas.of(lattice, xy, population, making)
    elif method == MERGED:
        areas = ZoneAreas.merged(zones.shapes, population, least, making)
    else:
        areas = ZoneAreas.of_zones(zones.shapes, population, making)
    if zones is not None and (areas.locate(xy) < 0).all():
        raise InputError(
            tr(
                "No record lies in any of the zones “{name}”. Choose zones that hold the records, "
                "or check the reference systems of both layers."
            ).format(name=zones.name)
        )
    return Aggregation(method, place, areas, least, crs, plane, xy, told, layers)


def lattice_crs(crs: QgsCoordinateReferenceSystem) -> QgsCoordinateReferenceSystem:
    """Return the system in which cells lie, by the layer's system alone."""
    if not crs.isValid():
        return crs
    plane = stored_plane(planes.wkt(crs))
    if plane.kind == "geographic" or _is_untrue(plane):
        return QgsCoordinateReferenceSystem(WHOLE_GLOBE)
    return crs


def _is_untrue(plane: Plane) -> bool:
    """Whether a projection is one of the whole globe in which a metre is none."""
    operation = getattr(plane.crs, "coordinate_operation", None)
    name = (getattr(operation, "method_name", "") or "").lower()
    return any(one in name for one in _UNTRUE) and not any(one in name for one in _TRUE)


def plane_of_zones(source: QgsProcessingFeatureSource, crs: QgsCoordinateReferenceSystem) -> Plane:
    """A plane round the middle of zones."""
    extent = source.sourceExtent()
    west, east = extent.xMinimum(), extent.xMaximum()
    south, north = extent.yMinimum(), extent.yMaximum()
    corners = [(x, y) for x in (west, east) for y in (south, north)]
    return planes.plane_of(np.array(corners), crs)
