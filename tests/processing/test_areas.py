# SPDX-License-Identifier: GPL-2.0-or-later
"""Polygon layers as study areas, in the coordinates of the points."""

import numpy as np
import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsProcessingContext

from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.processing.layers.areas import study_area
from tests.processing.helpers import DEGREES, GRID, as_source, layer, points

SQUARE = "Polygon((400000 300000, 410000 300000, 410000 310000, 400000 310000, 400000 300000))"
INSIDE = np.array([[405_000.0, 305_000.0]])


def area_of(shapes, xy=INSIDE, crs=GRID, points_crs=GRID, kind="Polygon"):
    source = as_source(layer(shapes, crs=crs, kind=kind, name="district"))
    return study_area(source, xy, QgsCoordinateReferenceSystem(points_crs), QgsProcessingContext())


def test_a_polygon_in_the_points_own_system(provider):
    area, said, outside = area_of([SQUARE])
    assert area.area == pytest.approx(1e8, rel=2e-3) and outside == 0
    assert "district" in said and "100.1 km²" in said


def test_without_a_layer_it_is_the_convex_hull_and_says_so(provider):
    xy = points(200, size=10_000)
    area, said, outside = study_area(
        None, xy, QgsCoordinateReferenceSystem(GRID), QgsProcessingContext()
    )
    assert "convex hull" in said and outside == 0
    assert 0.8e8 < area.area < 1e8


def test_holes_and_parts_count(provider):
    hole = SQUARE[:-1] + (
        ", (402000 302000, 402000 308000, 408000 308000, 408000 302000, 402000 302000))"
    )
    far = "Polygon((500000 300000, 501000 300000, 501000 301000, 500000 301000, 500000 300000))"
    area, _, outside = area_of([hole, far])
    assert area.area == pytest.approx(1e8 - 3.6e7 + 1e6, rel=3e-3)
    assert outside == 1  # the point stands in the hole
    drawn = area.sample(3_000, np.random.default_rng(1))
    in_hole = ((drawn > (402_000, 302_000)) & (drawn < (408_000, 308_000))).all(axis=1)
    assert not in_hole.any()
    assert np.count_nonzero(drawn[:, 0] > 450_000) == pytest.approx(3_000 / 65, abs=25)


def test_overlapping_polygons_are_one_area(provider):
    moved = SQUARE.replace("400000", "405000").replace("410000", "415000")
    area, _, _ = area_of([SQUARE, moved])
    assert area.area == pytest.approx(1.5e8, rel=2e-3)


def test_an_area_in_another_system(provider):
    box = "Polygon((-2.1 52.4, -1.9 52.4, -1.9 52.6, -2.1 52.6, -2.1 52.4))"
    area, _, outside = area_of([box], np.array([[400_000.0, 300_000.0]]), crs=DEGREES)
    assert outside == 0
    assert area.area == pytest.approx(0.2 * 111_290 * 0.2 * 67_930, rel=5e-3)


def test_polygons_with_heights_and_broken_ones(provider):
    bow = "Polygon((400000 300000, 410000 310000, 410000 300000, 400000 310000, 400000 300000))"
    assert area_of([bow])[0].area == pytest.approx(5e7, rel=3e-3)
    high = "PolygonZ((400000 300000 5, 410000 300000 5, 410000 310000 5, 400000 300000 5))"
    assert area_of([high], kind="PolygonZ")[0].area == pytest.approx(5e7, rel=3e-3)


@pytest.mark.parametrize(
    "shapes",
    [
        [],
        [None],
        ["Polygon((400000 300000, 400000 300000, 400000 300000, 400000 300000))"],
        ["Polygon((400000 300000, 410000 300000, 400000 300000, 400000 300000))"],
    ],
)
def test_an_area_without_size_is_refused(provider, shapes):
    with pytest.raises(InputError, match="size"):
        area_of(shapes)


@pytest.mark.parametrize("wrong", ["41000000000 310000", "410000 -1e308", "410000 3e9"])
def test_a_vertex_that_lies_nowhere_is_refused_by_the_polygons_id(provider, wrong):
    with pytest.raises(InputError, match="“district”, 1 feature lies .* feature id 2\\."):
        area_of([SQUARE, SQUARE.replace("410000 310000", wrong)], crs=GRID)


def test_points_outside_are_counted(provider):
    assert area_of([SQUARE], points(50, size=10_000, centre=(600_000, 300_000)))[2] == 50
