# SPDX-License-Identifier: GPL-2.0-or-later
"""Displacement by a law: which law, how large for each place, and where points have to stay."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from qgis.core import QgsPointXY

from ...core.columns import Column
from ...core.masking.law import Law
from ...core.masking.laws import (
    BY_AREA,
    BY_RADIUS,
    BimodalGaussian,
    Donut,
    Gaussian,
    Laplace,
    disc,
)
from ...core.masking.sizes import Neighbours, by_population, check_order, law_of_radii
from ...core.masking.zones import Zones, zone_of
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, part, shares
from ...core.space.points import places
from ...core.verification import digests
from ...core.verification.pointmask import UsedLayer
from ..dialog import parameters
from ..i18n import mark, tr
from ..layers.transforming import transform
from ..layers.zones import Polygons, read_polygons
from ..running import Given, Run
from .kept_masking import read_places, used_layer
from .masking import Points

DISC, DONUT, GAUSSIAN, BIMODAL, LAPLACE = "disc", "donut", "gaussian", "bimodal", "laplace"
LAWS = [DISC, DONUT, GAUSSIAN, BIMODAL, LAPLACE]
#: What the engine calls them.
_ENGINE = {BIMODAL: BimodalGaussian.name}
DISTANCE, CANDIDATES, POPULATION, RASTER = "distance", "candidates", "population", "raster"
SIZES = [DISTANCE, CANDIDATES, POPULATION, RASTER]
#: What each way of taking sizes reads.
_NEEDS = {CANDIDATES: ("CANDIDATES",), POPULATION: ("POPULATION", "POPULATION_FIELD")}
#: Share of a law within the circle that is drawn of it, and corners of that.
_MOST, _CORNERS = 0.95, 64
#: Cells of a raster that are looked at without asking whether to go on.
_SAMPLED = 2_000
#: ln 4 per 200 m.
EPSILON = 0.00693


def inputs() -> list:
    """Return the parameters of a displacement."""
    return [
        parameters.choice(
            "LAW",
            tr("Law"),
            tr(
                "How far points move, in a random direction. disc: anywhere within MAX; donut: "
                "between MIN and MAX; gaussian: normally distributed in x and y with the standard "
                "deviation MAX; bimodal: most likely as far as MAX, with three tenths of it as "
                "standard deviation; laplace: planar Laplace noise with EPSILON "
                "(geo-indistinguishability)."
            ),
            LAWS,
            GAUSSIAN,
        ),
        parameters.choice(
            "SIZE_BY",
            tr("Size by"),
            tr(
                "distance: the same for all, MIN, MAX or EPSILON. candidates: as far as the "
                "K_MAX-th address (and K_MIN-th, for the hole of a donut). population, raster: the "
                "radius in which K_MAX people live. A Gaussian then has a standard deviation of "
                "0.71 of that, Laplace noise an epsilon of ln 4 divided by it."
            ),
            SIZES,
            DISTANCE,
        ),
        parameters.metres(
            "MIN",
            tr("Least distance (metres)"),
            tr("The hole of a donut. The other laws have none."),
            100.0,
        ),
        parameters.metres(
            "MAX",
            tr("Largest distance, or size (metres)"),
            tr(
                "Radius of a disc or donut, standard deviation of a Gaussian, most likely distance "
                "of the bimodal law; with SIZE_BY=distance."
            ),
            500.0,
        ),
        parameters.number(
            "EPSILON",
            tr("Epsilon of Laplace noise (per metre)"),
            tr(
                "With LAW=laplace and SIZE_BY=distance. Places d metres apart lead to any released "
                "point with likelihoods that differ by the factor exp(epsilon · d) at most; the "
                "mean distance moved is 2 / epsilon. The default is a factor of 4 at 200 m."
            ),
            EPSILON,
            optional=True,
        ),
        parameters.integer(
            "K_MIN",
            tr("Least number (k)"),
            tr("With LAW=donut: the hole reaches to the place that is the K_MIN-th nearest."),
            20,
            2,
            advanced=True,
        ),
        parameters.integer(
            "K_MAX",
            tr("Largest number (k)"),
            tr("Addresses or people that the size holds, where it is not the same for all."),
            100,
            2,
        ),
        parameters.points(
            "CANDIDATES",
            tr("Address list"),
            tr(
                "With SIZE_BY=candidates: all places where people live, in any reference system. "
                "An address counts once, however many live there. Never the points themselves: "
                "sizes must come from what is public."
            ),
            optional=True,
        ),
        parameters.source(
            "POPULATION",
            tr("Population areas"),
            tr("With SIZE_BY=population: polygons with the number of people in each."),
            "polygon",
            optional=True,
        ),
        parameters.field(
            "POPULATION_FIELD",
            tr("Field with the number of people"),
            tr("Of the population areas."),
            "POPULATION",
            numeric=True,
        ),
        parameters.raster(
            "RASTER",
            tr("Population raster"),
            tr(
                "With SIZE_BY=raster: the number of people in each cell, in the first band, in any "
                "reference system. Cells without a value hold nobody."
            ),
        ),
        parameters.source(
            "ZONES",
            tr("Zones to stay in"),
            tr(
                "Polygons: each point stays in the one that it lies in, with probabilities as the "
                "law has them there. Points in none are withheld. Leave empty for no borders."
            ),
            "polygon",
            optional=True,
        ),
        parameters.source(
            "AVOID",
            tr("Areas to avoid"),
            tr("Polygons where no point may come to lie, such as water or land without houses."),
            "polygon",
            optional=True,
        ),
        parameters.choice(
            "EVEN_BY",
            tr("Disc and donut even by"),
            tr(
                "area: every place of the disc is as likely as any other. radius: every distance "
                "is, so that points stay nearer, as in the Demographic and Health Surveys."
            ),
            [BY_AREA, BY_RADIUS],
            BY_AREA,
            advanced=True,
        ),
    ]


def check(given: Given) -> str | None:
    """Say what does not go together."""
    law, size_by = given.choice("LAW"), given.choice("SIZE_BY")
    least, largest = given.number("MIN"), given.number("MAX")
    if size_by == DISTANCE:
        if law == LAPLACE:
            epsilon = given.number("EPSILON")
            if epsilon is None or not 0 < epsilon < np.inf:
                return tr(
                    "EPSILON must be a positive number per metre, such as 0.007: the larger it is, "
                    "the less points move."
                )
        elif largest is None or not 0 < largest < np.inf:
            return tr("The size (MAX) must be a positive distance in metres.")
        elif law == DONUT and (least is None or not 0 <= least < largest):
            return tr(
                "The least distance (MIN) must be zero or more, and below the largest (MAX): a "
                "ring of no width shows its centre."
            )
    elif law == DONUT and not given.number("K_MIN") < given.number("K_MAX"):
        return tr("The least number (K_MIN) must be below the largest (K_MAX).")
    return _layers(given, size_by)


def _layers(given: Given, size_by: str) -> str | None:
    for way, names in (*_NEEDS.items(), (RASTER, ("RASTER",))):
        there = [given.has(name) for name in names]
        if way == size_by and not all(there):
            return tr(
                "SIZE_BY={way} needs {name}. Choose it, or take another way to set the size."
            ).format(way=way, name=names[there.index(False)])
        if way != size_by and there[0]:
            return tr(
                "{name} was given, and is used with SIZE_BY={way} only. Choose that, or leave "
                "{name} empty."
            ).format(way=way, name=names[0])
    if given.same_layer("INPUT", "CANDIDATES"):
        return tr(
            "The address list is the layer of the points themselves: the sizes would tell how near "
            "other records are. Choose a public list of all addresses."
        )
    return None


@dataclass(frozen=True)
class Displacement:
    """What points are moved by.

    Attributes
    ----------
    name : str
        Of the law, as LAW has it.
    law : Law
        In units of the plane.
    zones : Zones or None
    zone : (n,) int array or None
        Of each point, below zero for none.
    parameters : dict
    layers : list of UsedLayer
    """

    name: str
    law: Law
    zones: Zones | None
    zone: np.ndarray | None
    parameters: dict
    layers: list[UsedLayer]


def read(points: Points, run: Run, listed: np.ndarray | None = None) -> Displacement:
    """Read the public layers, and size the law for each point.

    ``listed`` are the places of CANDIDATES in the plane, where they have been read.
    """
    law, size_by = run.choice("LAW"), run.choice("SIZE_BY")
    told = {"LAW": law, "SIZE_BY": size_by}
    layers: list[UsedLayer] = []
    if law in (DISC, DONUT):
        told["EVEN_BY"] = run.choice("EVEN_BY")
    if size_by == DISTANCE:
        names = {LAPLACE: ["EPSILON"], DONUT: ["MIN", "MAX"]}.get(law, ["MAX"])
        told |= {name: float(run.number(name)) for name in names}
        sized = _of_distance(law, told, points.plane.metres_per_unit)
    else:
        ks = [run.number(name) for name in (["K_MIN"] if law == DONUT else []) + ["K_MAX"]]
        if law == DONUT:
            check_order(*ks)
            told["K_MIN"] = ks[0]
        told["K_MAX"] = ks[-1]
        if size_by == CANDIDATES and listed is not None:
            layers.append(used_layer("CANDIDATES", run.source("CANDIDATES"), listed))
            radii = Neighbours(listed).distances(points.xy, ks, run.step("sizes"))
        else:
            radii = _RADII[size_by](points, ks, run, layers)
        sized = law_of_radii(
            _ENGINE.get(law, law),
            radii[:, -1],
            radii[:, 0] if law == DONUT else None,
            told.get("EVEN_BY", BY_AREA),
        )
    zones, zone = _zones(points, run, layers)
    return Displacement(law, sized, zones, zone, told, layers)


def _of_distance(law: str, told: dict, metres_per_unit: float) -> Law:
    """A law of one size for all, in units of the plane."""
    if law == LAPLACE:
        return Laplace(told["EPSILON"] * metres_per_unit)
    largest = told["MAX"] / metres_per_unit
    if law == DONUT:
        return Donut(told["MIN"] / metres_per_unit, largest, told["EVEN_BY"])
    if law == DISC:
        return disc(largest, told["EVEN_BY"])
    return Gaussian(largest) if law == GAUSSIAN else BimodalGaussian(largest)


def rings(xy: np.ndarray, law: Law) -> np.ndarray:
    """Return round each point the circle within which nearly all of its law lies, (n, 64, 2)."""
    return circles(xy, law.quantile(np.full(len(xy), _MOST)))


def circles(xy: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """Return a circle round each point, counter-clockwise and not closed, (n, 64, 2)."""
    turn = np.linspace(0, 2 * np.pi, _CORNERS, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return xy[:, None] + radius[:, None, None] * circle


# --- radii that hold k ----------------------------------------------------------------------------


def _by_candidates(points: Points, ks: list[int], run: Run, layers: list) -> np.ndarray:
    _, xy = read_places(points, run, "CANDIDATES", "public")
    layers.append(used_layer("CANDIDATES", run.source("CANDIDATES"), xy))
    return Neighbours(xy).distances(points.xy, ks, run.step("sizes"))


def _by_areas(points: Points, ks: list[int], run: Run, layers: list) -> np.ndarray:
    from ...core.runtime.geos import shapely

    source = run.source("POPULATION")
    name = run.field("POPULATION_FIELD", source)
    areas = _polygons(points, run, "POPULATION", run.step("public"), [name])
    people = numbers_of(areas, name)
    layers.append(areas.used("POPULATION", people))
    row = zone_of(points.xy, areas.shapes)
    density = people / shapely().area(areas.shapes)
    return _radii(np.where(row < 0, 0.0, density[row]), ks)


def numbers_of(areas: Polygons, name: str) -> np.ndarray:
    """Return the number of people, or of anything else, in each area.

    Raises
    ------
    InputError
        If one is missing, negative or no number.
    """
    return people_of(areas.columns[name], areas.ids, areas.name)


def people_of(column: Column, ids: np.ndarray, layer: str) -> np.ndarray:
    """Return the numbers of people in a field; else as :func:`numbers_of`."""
    try:
        people = column.numbers()
    except ValueError:
        people = np.full(len(column), np.nan)
    wrong = np.flatnonzero(~(np.isfinite(people) & (people >= 0)))
    if len(wrong):
        raise InputError(
            tr(
                "In “{layer}”, the field “{field}” holds no number of people, or a negative one, "
                "in feature {id} (and {more} more). Fill it in, or leave such features out."
            ).format(layer=layer, field=column.name, id=int(ids[wrong[0]]), more=len(wrong) - 1)
        )
    return people


def _by_raster(points: Points, ks: list[int], run: Run, layers: list) -> np.ndarray:
    raster = run.raster("RASTER")
    at = places(points.table.xy)
    stored = transform(at.xy, points.table.crs, raster.crs(), run.context, run.outputs.ask)
    provider, ask = raster.dataProvider(), run.step("public")
    people = np.zeros(len(stored))
    for row, (x, y) in enumerate(stored.tolist()):
        if row % _SAMPLED == 0:
            ask(row / len(stored))
        value, there = provider.sample(QgsPointXY(x, y), 1)
        people[row] = value if there and np.isfinite(value) else 0.0
    if (people < 0).any():
        raise InputError(
            tr("Some cells of the raster “{name}” hold fewer than no people.").format(
                name=raster.name()
            )
        )
    cells = raster.width() * raster.height()
    layers.append(UsedLayer("RASTER", raster.name(), cells, _digest(raster, run)))
    return _radii(people / _cell_areas(stored, raster, points, run), ks)[at.of_point]


def _cell_areas(stored: np.ndarray, raster, points: Points, run: Run) -> np.ndarray:
    """Size in the plane of a cell of a raster round each place in its system."""
    half = np.array([raster.rasterUnitsPerPixelX(), raster.rasterUnitsPerPixelY()]) / 2
    corners = []
    for side in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        xy = transform(stored + half * side, raster.crs(), points.table.crs, run.context)
        corners.append(points.plane.forward(xy, run.outputs.ask))
    one, other = corners[2] - corners[0], corners[3] - corners[1]
    return np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2


def _digest(raster, run: Run) -> str:
    """SHA-256 of the raster's file; empty where it is none."""
    path = raster.source().split("|")[0]
    return digests.of_file(path, run.outputs.ask).sha256 if Path(path).is_file() else ""


def _radii(density: np.ndarray, ks: list[int]) -> np.ndarray:
    return np.stack([by_population(density, k) for k in ks], axis=1)


_RADII = {CANDIDATES: _by_candidates, POPULATION: _by_areas, RASTER: _by_raster}


# --- where points stay ----------------------------------------------------------------------------


def _zones(
    points: Points, run: Run, layers: list[UsedLayer]
) -> tuple[Zones | None, np.ndarray | None]:
    of_zones, of_avoid = shares(run.step("zones"), 2)
    zones, avoid = (
        _polygons(points, run, name, progress) if run.source(name) is not None else None
        for name, progress in (("ZONES", of_zones), ("AVOID", of_avoid))
    )
    for name, found in (("ZONES", zones), ("AVOID", avoid)):
        if found is not None:
            layers.append(found.used(name))
    if zones is None and avoid is None:
        return None, None
    shapes = None if zones is None else zones.shapes
    zone = np.zeros(len(points.xy), dtype=int) if zones is None else zone_of(points.xy, shapes)
    if (zone < 0).all():
        raise InputError(
            mark(
                "No record lies in any of the zones “{name}”. Choose zones that hold the records, "
                "or check the reference systems of both layers."
            ),
            name=zones.name,
        )
    return Zones.of(shapes, None if avoid is None else avoid.shapes), zone


def _polygons(points: Points, run: Run, name: str, progress: Progress, fields=()) -> Polygons:
    source = run.source(name)
    found = read_polygons(
        source, points.plane, points.table.crs, run.context, part(progress, 0.0, 1.0), fields
    )
    run.warn(*found.sentences())
    return found
