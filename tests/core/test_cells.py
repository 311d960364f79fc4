# SPDX-License-Identifier: GPL-2.0-or-later
"""Voronoi cells and the study area they are clipped to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from test_points import grids

from geoanon_qgis.core.masking.cells import polygon_wkb, study_area, voronoi_cells
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

shapely = pytest.importorskip("shapely", minversion="2", reason="shapely checks the cells")

distinct_grids = grids(12).filter(lambda xy: (xy != xy[0]).any())


def polygons(rings):
    return np.array([shapely.Polygon(ring) for ring in rings])


def assert_convex_ring(ring):
    """Counter-clockwise, convex, not closed."""
    edge = np.roll(ring, -1, axis=0) - ring
    following = np.roll(edge, -1, axis=0)
    size = np.abs(edge).max()
    assert (edge[:, 0] * following[:, 1] - edge[:, 1] * following[:, 0] > -1e-9 * size**2).all()
    assert shapely.is_ccw(shapely.LinearRing(ring))
    assert len(ring) >= 3 and (ring[0] != ring[-1]).any()


def assert_partition(xy, rings, of_point, area):
    """The cells share the area out, and each holds its own points and no others."""
    cells, area = polygons(rings), shapely.Polygon(area)
    for ring in rings:
        assert_convex_ring(ring)
    assert len(cells) == len(np.unique(xy, axis=0))
    assert shapely.area(cells).sum() == pytest.approx(area.area, rel=1e-9)
    assert shapely.area(shapely.union_all(cells)) == pytest.approx(area.area, rel=1e-9)
    assert shapely.distance(cells[of_point], shapely.points(xy)).max() < 1e-9
    # Whatever lies in a cell has the cell's point as its nearest.
    centre = np.empty((len(cells), 2))
    centre[of_point] = xy
    middle = shapely.get_coordinates(shapely.centroid(cells))
    away = np.hypot(*(middle[:, None] - centre[None]).transpose(2, 0, 1))
    assert (np.diag(away) <= away.min(axis=1) + 1e-9).all()


@settings(max_examples=60)
@given(distinct_grids)
def test_cells_share_out_the_study_area(xy):
    area = study_area(xy)
    assert_partition(xy, *voronoi_cells(xy, area), area)


@settings(max_examples=60)
@given(distinct_grids)
def test_the_study_area_holds_all_points_well_inside(xy):
    ring = study_area(xy)
    assert_convex_ring(ring)
    area = shapely.Polygon(ring)
    outline = shapely.boundary(area)
    assert shapely.contains_properly(area, shapely.points(xy)).all()
    nearest = np.where(
        (gap := np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1))) == 0, np.inf, gap
    ).min(axis=1)
    lone = np.unique(xy, axis=0, return_index=True)[1]
    margin = shapely.distance(outline, shapely.points(xy)).min()
    assert margin >= (1 - 1e-9) * max(np.median(nearest[lone]), nearest[lone].max() / 2)


def test_cells_in_a_national_grid_keep_their_digits(rng):
    xy = rng.uniform(0, 500, (200, 2)) + [6_000_000, 5_000_000]
    area = study_area(xy)
    assert_partition(xy, *voronoi_cells(xy, area), area)


def test_points_at_one_place_share_a_cell():
    xy = np.array([[0, 0], [4, 0], [0, 0], [4, 4]], dtype=float)
    cells, of_point = voronoi_cells(xy, study_area(xy))
    assert len(cells) == 3
    assert of_point[0] == of_point[2] and len(set(of_point.tolist())) == 3


def clipped(ring, normal, limit):
    """What of a convex ring lies where ``normal @ p <= limit`` (Sutherland and Hodgman 1974)."""
    kept = []
    for here, after in zip(ring, np.roll(ring, -1, axis=0)):
        a, b = here @ normal - limit, after @ normal - limit
        if a <= 0:
            kept.append(here)
        if (a > 0) != (b > 0):
            kept.append(here + a / (a - b) * (after - here))
    return np.array(kept).reshape(-1, 2)


@pytest.mark.parametrize("reach", [(0, 10), (2, 8), (3, 15)])
@pytest.mark.parametrize("count", [2, 7, 40])
def test_a_cell_is_the_area_cut_at_the_bisector_of_every_other_point(rng, count, reach):
    """By brute force, without a diagram and without a library."""
    low, high = reach
    xy = rng.uniform(0, 10, (count, 2))
    area = np.array([[low, low], [high, low], [high, high], [low, high]], dtype=float)
    cells, of_point = voronoi_cells(xy, area)
    for at, here in enumerate(xy):
        ring = area
        for other in np.delete(xy, at, axis=0):
            ring = clipped(ring, other - here, (other @ other - here @ here) / 2)
        cell = cells[of_point[at]]
        assert len(cell) == len(ring)
        if len(cell):
            apart = np.hypot(*(cell[:, None] - ring[None]).transpose(2, 0, 1)).min(axis=0)
            assert (apart < 1e-9).all()
            assert_convex_ring(cell)


def test_two_points_share_the_area_equally():
    xy = np.array([[0.0, 0.0], [2.0, 0.0]])
    area = study_area(xy)
    cells, of_point = voronoi_cells(xy, area)
    cells = polygons(cells)
    assert shapely.area(cells) == pytest.approx([shapely.Polygon(area).area / 2] * 2)
    assert shapely.contains(cells[of_point], shapely.points(xy)).all()


@pytest.mark.parametrize("direction", [(1, 0), (0, 1), (1, 1), (3, -7)])
def test_points_on_a_line(direction):
    xy = np.arange(6.0)[:, None] ** 2 * np.array(direction)
    area = study_area(xy)
    assert_partition(xy, *voronoi_cells(xy, area), area)


def test_an_area_smaller_than_the_cells_cuts_them(rng):
    xy = rng.uniform(0, 10, (50, 2))
    area = np.array([[2.0, 2.0], [8.0, 2.0], [8.0, 8.0], [2.0, 8.0]])
    cells, _ = voronoi_cells(xy, area)
    assert len(cells) == 50
    inside = [shapely.Polygon(ring).area for ring in cells if len(ring) > 2]
    assert sum(inside) == pytest.approx(36)


@pytest.mark.parametrize("work", [study_area, lambda xy: voronoi_cells(xy, np.eye(3, 2))])
def test_one_place_has_no_cells(work):
    with pytest.raises(InputError, match="two different places"):
        work(np.full((3, 2), 0.5))


def test_a_cancel_goes_through(rng):
    xy = rng.random((500, 2))

    def progress(fraction):
        if fraction > 0.2:
            raise Cancelled

    with pytest.raises(Cancelled):
        voronoi_cells(xy, study_area(xy), progress)


def test_a_ring_as_well_known_binary(rng):
    xy = rng.uniform(0, 10, (20, 2))
    for ring in voronoi_cells(xy, study_area(xy))[0]:
        polygon = shapely.from_wkb(polygon_wkb(ring))
        assert polygon.is_valid
        assert np.array_equal(shapely.get_coordinates(polygon)[:-1], ring)
