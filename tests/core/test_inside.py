# SPDX-License-Identifier: GPL-2.0-or-later
"""Places drawn evenly in polygons."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.space.inside import Trapezoids

FAR = np.array([500_000.0, 5_400_000.0])
HOLED = shapely.Polygon(
    [(0, 0), (10, 0), (10, 6), (6, 6), (6, 10), (0, 10)], [[(2, 2), (4, 2), (4, 5), (2, 5)]]
)
SHAPES = [
    shapely.box(0, 0, 3, 1),
    shapely.Polygon([(0, 0), (4, 0), (1, 3)]),
    HOLED,
    shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.Point(8, 8).buffer(2)]),
]


@st.composite
def polygons(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    around = draw(st.integers(3, 14))
    angle = np.sort(rng.uniform(0, 2 * np.pi, around))
    star = rng.uniform(1, 10, around)[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1)
    shape = shapely.make_valid(shapely.Polygon(np.round(star, draw(st.integers(0, 6)))))
    return shapely.difference(shape, shapely.Point(0, 0).buffer(draw(st.sampled_from([0, 0.5]))))


@given(polygons(), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_trapezoids_fill_the_polygon_and_what_is_drawn_lies_inside(shape, seed):
    parts = [one for one in shapely.get_parts(shape) if shapely.area(one) > 0]
    shape = shapely.MultiPolygon([one for one in parts if one.geom_type == "Polygon"])
    if shapely.area(shape) < 1e-9:
        with pytest.raises(InputError, match="no size"):
            Trapezoids.of(shape)
        return
    shape = shapely.transform(shape, lambda xy: xy + FAR)
    found = Trapezoids.of(shape)
    assert found.areas.sum() == pytest.approx(shapely.area(shape), rel=1e-6)
    drawn = found.draw(np.random.default_rng(seed).random((50, 3)))
    assert (shapely.distance(shape, shapely.points(drawn)) < 1e-6).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_places_are_drawn_evenly(shape):
    moved = shapely.transform(shape, lambda xy: xy + FAR)
    drawn = Trapezoids.of(moved).draw(np.random.default_rng(5).random((40_000, 3))) - FAR
    cells = [shapely.box(x, y, x + 1, y + 1) for x in range(11) for y in range(11)]
    area = shapely.area(shapely.intersection(cells, shape))
    number = np.floor(drawn + 1e-9).astype(int) @ [11, 1]
    count = np.bincount(number, minlength=len(cells))
    used = area > 0.02
    assert count[~used].sum() < 0.02 * len(drawn)
    expected = area[used] / area[used].sum() * count[used].sum()
    assert stats.chisquare(count[used], expected).pvalue > 0.001


def test_how_the_polygon_is_written_does_not_matter():
    turned = shapely.Polygon(
        np.roll(shapely.get_coordinates(HOLED.exterior)[:-1], 2, axis=0)[::-1],
        [shapely.get_coordinates(HOLED.interiors[0])[::-1]],
    )
    uniform = np.random.default_rng(1).random((30, 3))
    assert np.array_equal(Trapezoids.of(HOLED).draw(uniform), Trapezoids.of(turned).draw(uniform))


@pytest.mark.parametrize(
    "shape", [shapely.Polygon(), shapely.Polygon([(0, 0), (1, 1), (2, 2), (0, 0)])]
)
def test_nothing_is_drawn_where_nothing_is(shape):
    with pytest.raises(InputError, match="no size"):
        Trapezoids.of(shape)
