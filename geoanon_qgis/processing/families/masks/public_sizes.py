# SPDX-License-Identifier: GPL-2.0-or-later
"""How far it is until k people or addresses are there, at each place, by public layers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from qgis.core import QgsPointXY

from ....core.columns import Column
from ....core.masking.sizes import Neighbours, by_population
from ....core.masking.zones import zone_of
from ....core.runtime.errors import InputError
from ....core.runtime.progress import Progress, part
from ....core.space.points import Places, places
from ....core.verification import digests
from ....core.verification.pointmask import UsedLayer
from ...i18n import number_of, tr
from ...layers.reading import PointTable
from ...layers.transforming import transform
from ...layers.zones import Polygons, read_polygons
from ...running import Run
from .displacement_inputs import CANDIDATES, POPULATION, RASTER
from .kept_masking import read_places, used_layer
from .masked import Points

#: Cells of a raster that are looked at without asking whether to go on.
_SAMPLED = 2_000


def _by_candidates(points: Points, ks: list[int], run: Run, layers: list) -> np.ndarray:
    _, xy = read_places(points, run, "CANDIDATES", "public")
    layers.append(used_layer("CANDIDATES", run.source("CANDIDATES"), xy))
    return Neighbours(xy).distances(points.xy, ks, run.step("sizes"))


def _by_areas(points: Points, ks: list[int], run: Run, layers: list) -> np.ndarray:
    from ....core.runtime.geos import shapely

    source = run.source("POPULATION")
    name = run.field("POPULATION_FIELD", source)
    if not name:
        raise without_people(source)
    areas = polygons_of(points, run, "POPULATION", run.step("public"), [name])
    people = numbers_of(areas, name)
    layers.append(areas.used("POPULATION", people))
    row = zone_of(points.xy, areas.shapes)
    density = people / shapely().area(areas.shapes)
    return _radii(np.where(row < 0, 0.0, density[row]), ks)


def without_people(source) -> InputError:
    """Say that polygons need the field with the people in each."""
    return InputError(
        tr(
            "The population “{layer}” has polygons: choose the field with the number of people "
            "or addresses in each (POPULATION_FIELD)."
        ).format(layer=source.sourceName())
    )


def numbers_of(areas: Polygons, name: str) -> np.ndarray:
    """Return the number of people, or of anything else, in each area.

    Raises
    ------
    InputError
        If one is missing, negative or no number.
    """
    return people_of(areas.columns[name], areas.ids, areas.name)


def weights_of(
    found: Places, table: PointTable, field: str | None, layer: str
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return people or dwellings of each row of an address list, and of each place.

    Parameters
    ----------
    found : Places
        Of the rows.
    table : PointTable
    field : str or None
        With the numbers; each row is one without it.
    layer : str
        What the list is called.

    Returns
    -------
    own : (r,) array
    weight : (p,) array or None
        None where all places are alike.

    Raises
    ------
    InputError
        If a number is none.
    """
    own = np.ones(len(found.of_point))
    if field:
        own = people_of(table.columns[field], table.ids, layer)
    elif len(found.xy) == len(own):
        return own, None
    # Who lists an address for each dwelling says how many there are.
    return own, np.bincount(found.of_point, own, minlength=len(found.xy))


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
                "in {features}, the first of which is {id}. Fill it in, or leave such features out."
            ).format(
                layer=layer,
                field=column.name,
                features=number_of(len(wrong), "feature", "features"),
                id=int(ids[wrong[0]]),
            )
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


RADII = {CANDIDATES: _by_candidates, POPULATION: _by_areas, RASTER: _by_raster}


def polygons_of(points: Points, run: Run, name: str, progress: Progress, fields=()) -> Polygons:
    source = run.source(name)
    found = read_polygons(
        source, points.plane, points.table.crs, run.context, part(progress, 0.0, 1.0), fields
    )
    run.warn(*found.sentences())
    return found
