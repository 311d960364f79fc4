# SPDX-License-Identifier: GPL-2.0-or-later
"""Squares and hexagons with a fixed origin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from geoanon_qgis.core.masking.lattice import HEXAGONS, SQUARES, Lattice
from geoanon_qgis.core.runtime.errors import InputError

shapely = pytest.importorskip("shapely", minversion="2")

each_shape = pytest.mark.parametrize("shape", [SQUARES, HEXAGONS])
lengths = st.floats(1e-3, 1e5)
coordinates = st.floats(-1e6, 1e6)


@each_shape
@given(lengths, st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=20))
def test_a_point_lies_in_its_cell_and_nearest_to_its_centre(shape, side, xy):
    lattice, xy = Lattice(shape, side), np.array(xy)
    cells = lattice.cells(xy)
    polygons, centres = lattice.polygons(cells), lattice.centres(cells)
    rounding = 1e-9 * (side + np.abs(xy).max())
    assert (shapely.distance(polygons, shapely.points(xy)) <= rounding).all()
    assert shapely.area(polygons) == pytest.approx(side**2, rel=1e-6)
    assert shapely.get_coordinates(shapely.centroid(polygons)) == pytest.approx(
        centres, abs=rounding * 1e3
    )
    assert np.array_equal(lattice.cells(centres), cells)
    # No centre of a cell around is nearer.
    away = np.hypot(*(xy - centres).T)
    for step in [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]:
        around = np.hypot(*(xy - lattice.centres(cells + np.array(step))).T)
        if shape == HEXAGONS or 0 in step:
            assert (away <= around + rounding).all()


@each_shape
def test_cells_cover_the_plane_once(shape):
    lattice = Lattice(shape, 10.0)
    xy = np.random.default_rng(1).uniform(-60, 60, (4000, 2))
    cells = np.unique(lattice.cells(xy), axis=0)
    polygons = lattice.polygons(cells)
    tree = shapely.STRtree(polygons)
    left, right = tree.query(polygons, predicate="overlaps")
    overlap = shapely.area(shapely.intersection(polygons[left], polygons[right]))
    assert overlap.max(initial=0) < 1e-9
    assert shapely.box(-55, -55, 55, 55).difference(shapely.union_all(polygons)).area < 1e-9


def test_the_origin_is_that_of_the_plane():
    assert Lattice(SQUARES, 100).cells(np.array([[0, 0], [-1e-9, 5], [250, -1]])).tolist() == [
        [0, 0],
        [-1, 0],
        [2, -1],
    ]
    assert Lattice(SQUARES, 100).centres(np.array([[2, -1]])).tolist() == [[250, -50]]
    assert Lattice(HEXAGONS, 100).centres(np.array([[0, 0]])).tolist() == [[0, 0]]


@given(st.randoms(use_true_random=False))
def test_a_cell_depends_on_nothing_but_its_points_place(random):
    rng = np.random.default_rng(random.getrandbits(32))
    xy = rng.normal(0, 1000, (30, 2))
    for shape in (SQUARES, HEXAGONS):
        lattice = Lattice(shape, 70)
        whole = lattice.cells(xy)
        order = rng.permutation(30)
        assert np.array_equal(lattice.cells(xy[order]), whole[order])
        assert np.array_equal(lattice.cells(xy[:1]), whole[:1])


@each_shape
def test_points_are_drawn_evenly_in_a_cell(shape):
    lattice, cell = Lattice(shape, 10.0), np.array([[3, -2]])
    uniform = np.random.default_rng(4).random((40_000, 3))
    drawn = lattice.draw(np.repeat(cell, len(uniform), axis=0), uniform)
    assert np.array_equal(np.unique(lattice.cells(drawn), axis=0), cell)
    # In small squares: as many as of points that are thrown over all and fall inside.
    polygon = lattice.polygons(cell)[0]
    low, high = np.array(polygon.bounds[:2]), np.array(polygon.bounds[2:])
    edges = [np.linspace(low[axis], high[axis], 9) for axis in (0, 1)]
    found = np.histogram2d(*drawn.T, bins=edges)[0]
    share = np.array(
        [
            [
                polygon.intersection(shapely.box(x0, y0, x1, y1)).area / polygon.area
                for y0, y1 in zip(edges[1], edges[1][1:])
            ]
            for x0, x1 in zip(edges[0], edges[0][1:])
        ]
    )
    used = share > 1e-4
    assert found[~used].sum() < 20
    expected = share[used] / share[used].sum() * found[used].sum()
    assert stats.chisquare(found[used], expected).pvalue > 0.001


@pytest.mark.parametrize("side", [0.0, -5.0, np.nan, np.inf])
def test_a_side_that_is_none_is_refused(side):
    with pytest.raises(InputError, match="side of a cell must be a positive number"):
        Lattice(SQUARES, side)


def test_what_cannot_be_is_said():
    with pytest.raises(InputError, match="no lattice called 'triangles'"):
        Lattice("triangles", 5.0)
    with pytest.raises(InputError, match="cells are too small"):
        Lattice(SQUARES, 1e-9).cells(np.array([[1e9, 0.0]]))
