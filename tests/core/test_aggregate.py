# SPDX-License-Identifier: GPL-2.0-or-later
"""Aggregation of points to cells, zones and merged zones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from test_merging import tilings

from geoanon_qgis.core.masking.aggregation import (
    CENTRE,
    FEW,
    OUTSIDE,
    PLACED,
    RANDOM,
    aggregate,
    density,
)
from geoanon_qgis.core.masking.lattice import HEXAGONS, SQUARES, Lattice
from geoanon_qgis.core.masking.public_areas import CellAreas, Population, ZoneAreas
from geoanon_qgis.core.masking.zones import zone_of
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

shapely = pytest.importorskip("shapely", minversion="2")

SECRET, MASK = bytes(range(32)), "aggregate"
#: A U, whose centroid lies outside, and a square in it.
U = shapely.Polygon([(0, 0), (9, 0), (9, 9), (8, 9), (8, 1), (1, 1), (1, 9), (0, 9)])
INNER = shapely.box(1, 1, 8, 9)
PEOPLE = Population.at_points(np.array([[0.5, 5], [3, 3], [4, 4], [5, 5]]), np.array([2, 10, 5, 0]))


def points(count, seed=1, low=0.0, high=9.0):
    return np.random.default_rng(seed).uniform(low, high, (count, 2))


def random_in(xy, areas, **more):
    return aggregate(xy, areas, place=RANDOM, secret=SECRET, mask=MASK, **more)


# Zones -------------------------------------------------------------------------------------------


def test_a_centre_lies_in_its_area_also_where_the_centroid_does_not():
    areas = ZoneAreas.of_zones([U, INNER])
    found = aggregate(np.array([[0.5, 8], [3, 3], [20, 20]]), areas)
    assert found.kind.tolist() == [PLACED, PLACED, OUTSIDE]
    assert U.contains(shapely.Point(found.xy[0])) and not U.contains(U.centroid)
    assert found.xy[1].tolist() == [4.5, 5.0] and np.isnan(found.xy[2]).all()
    assert areas.zones.tolist() == [1, 1] and areas.people is None
    assert "3 points to 2 areas: 2 placed, 1 withheld" in repr(found)


@given(tilings(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_nothing_depends_on_the_order_of_zones_or_points(tiling, random):
    shapes, _ = tiling
    rng = np.random.default_rng(random.getrandbits(32))
    xy = rng.integers(0, 11, (25, 2)) / 2  # many on borders and corners
    order, other = rng.permutation(25), rng.permutation(len(shapes))
    for place in (CENTRE, RANDOM):
        one = aggregate(xy, ZoneAreas.of_zones(shapes), None, place, SECRET, MASK)
        two = aggregate(xy[order], ZoneAreas.of_zones(shapes[other]), None, place, SECRET, MASK)
        assert np.array_equal(two.xy, one.xy[order], equal_nan=True)
        inside = shapely.intersects(shapely.union_all(shapes), shapely.points(xy))
        assert np.array_equal(one.withheld, ~inside)


@given(tilings(), st.integers(2, 12))
@settings(max_examples=60)
def test_merged_areas_hold_enough_and_are_unions_of_their_zones(tiling, least):
    shapes, counts = tiling
    population = Population.in_polygons(shapes, counts)
    if counts.sum() < least:
        return
    areas = ZoneAreas.merged(shapes, population, least)
    assert areas.people.min() >= least and areas.zones.sum() == len(shapes)
    assert areas.people.sum() == counts.sum()
    assert shapely.area(areas.shapes).sum() == pytest.approx(shapely.area(shapes).sum())
    xy = shapely.get_coordinates(shapely.point_on_surface(shapes))
    found = aggregate(xy, areas, least)
    assert not found.withheld.any()
    assert shapely.contains_xy(areas.shapes[found.area], *xy.T).all()
    assert shapely.contains_xy(areas.shapes[found.area], *found.xy.T).all()


def test_areas_with_too_few_release_nothing():
    areas = ZoneAreas.of_zones([U, INNER], PEOPLE)
    assert areas.people.tolist() == [2, 15]
    xy = np.array([[0.5, 8], [3, 3], [4, 8]])
    assert aggregate(xy, areas, 3).kind.tolist() == [FEW, PLACED, PLACED]
    assert not aggregate(xy, areas, 2).withheld.any()
    assert aggregate(xy, areas, 16).withheld.all()
    assert aggregate(xy, areas, 16).used.tolist() == []


def test_who_is_alone_in_an_area_is_known_by_places_that_are_released():
    areas = ZoneAreas.of_zones([U, INNER, shapely.box(30, 0, 31, 1)], PEOPLE)
    xy = np.array([[0.5, 8], [0.5, 8], [3, 3], [4, 8], [30.5, 0.5], [50, 50]])
    assert aggregate(xy, areas).alone.tolist() == [True, True, False, False, True, False]
    assert aggregate(xy, areas, 2).alone.tolist() == [True, True, False, False, False, False]


def test_people_of_polygons_are_shared_out_by_area():
    whole = Population.in_polygons([shapely.box(0, 0, 9, 9), shapely.box(20, 0, 21, 1)], [81, 7])
    areas = ZoneAreas.of_zones([U, INNER], whole)
    assert areas.people == pytest.approx([U.area, INNER.area])
    cells = CellAreas.of(Lattice(SQUARES, 6.0), points(500), whole)
    assert dict(zip(map(tuple, cells.cells.tolist()), cells.people.tolist())) == {
        (0, 0): 36,
        (0, 1): 18,
        (1, 0): 18,
        (1, 1): 9,
    }


@given(tilings())
@settings(max_examples=40)
def test_a_zones_own_polygon_gives_it_its_own_number(tiling):
    shapes, counts = tiling
    # Anywhere on the map, turned, so that nothing is a whole number.
    turned = shapely.transform(
        shapes, lambda xy: xy @ np.array([[371.3, 93.7], [-93.7, 371.3]]) + 1e6
    )
    areas = ZoneAreas.of_zones(turned, Population.in_polygons(turned, counts))
    of = areas.locate(shapely.get_coordinates(shapely.point_on_surface(turned)))
    assert np.array_equal(areas.people[of], counts)


def test_a_point_in_several_zones_has_one_and_counts_once():
    over = [shapely.box(0, 0, 4, 4), shapely.box(2, 0, 6, 4), shapely.box(2, 0, 6, 4)]
    areas = ZoneAreas.of_zones(over, Population.at_points(np.array([[3.0, 1.0], [5.0, 1.0]])))
    assert areas.people.tolist() == [1, 1, 0]
    assert areas.locate(np.array([[3.0, 1.0], [5.0, 1.0], [9.0, 9.0]])).tolist() == [0, 1, -1]


def test_locating_is_that_of_all_pairs():
    shapes = np.array([shapely.Point(*xy).buffer(1.5) for xy in points(30, 3)])
    middle = shapely.get_coordinates(shapely.centroid(shapes))
    shapes = shapes[np.lexsort((middle[:, 1], middle[:, 0]))]  # of several the first by its centre
    xy = points(400)
    every = shapely.intersects(shapes[None, :], shapely.points(xy)[:, None])
    expected = np.where(every.any(axis=1), every.argmax(axis=1), -1)
    assert np.array_equal(zone_of(xy, shapes), expected)


# Cells -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [SQUARES, HEXAGONS])
def test_cells_count_public_points_and_never_the_masked_ones(shape):
    lattice, xy = Lattice(shape, 2.0), points(200)
    people = Population.at_points(points(60, 7), np.arange(60) % 4)
    areas = CellAreas.of(lattice, xy, people)
    # By brute force: of each cell all public points whose cell it is.
    own = lattice.cells(points(60, 7))
    expected = [(np.arange(60) % 4)[(own == cell).all(axis=1)].sum() for cell in areas.cells]
    assert areas.people.tolist() == expected
    by_polygon = Population.at_points(points(60, 7), np.arange(60) % 4).within(
        lattice.polygons(areas.cells)
    )
    assert by_polygon.tolist() == expected
    twice = CellAreas.of(lattice, np.repeat(xy, 5, axis=0), people)
    assert np.array_equal(twice.people, areas.people)
    found = aggregate(xy, areas, 3)
    few = areas.people[areas.locate(xy)] < 3
    assert np.array_equal(found.kind == FEW, few) and few.any() and not few.all()
    assert np.array_equal(found.xy[~few], lattice.centres(lattice.cells(xy))[~few])
    assert np.array_equal(found.used, np.unique(areas.locate(xy)[~few]))


def test_cells_of_other_points_are_none():
    areas = CellAreas.of(Lattice(SQUARES, 1.0), np.array([[0.5, 0.5], [7.5, 7.5]]))
    assert areas.locate(np.array([[7.1, 7.9], [3.0, 3.0]])).tolist() == [1, -1]
    none = CellAreas.of(Lattice(SQUARES, 1.0), np.empty((0, 2)))
    assert len(aggregate(np.empty((0, 2)), none).xy) == 0


# Random points -----------------------------------------------------------------------------------


AREAS = {
    "squares": lambda: CellAreas.of(Lattice(SQUARES, 3.0), points(500)),
    "hexagons": lambda: CellAreas.of(Lattice(HEXAGONS, 3.0), points(500)),
    "zones": lambda: ZoneAreas.of_zones([U, INNER]),
}
each_kind = pytest.mark.parametrize("make", AREAS.values(), ids=AREAS)


@each_kind
def test_nobody_moves_in_a_growing_registry(make):
    before = None
    everybody = points(120, 5)
    for count in (40, 41, 80, 120):
        order = np.random.default_rng(count).permutation(count)
        areas = make()
        found = random_in(everybody[order], areas).xy[np.argsort(order)]
        if before is not None:
            assert np.array_equal(found[: len(before)], before)
        before = found
    again = random_in(np.repeat(everybody, 2, axis=0), make()).xy
    assert np.array_equal(again[::2], before) and np.array_equal(again[1::2], before)
    other = aggregate(everybody, make(), place=RANDOM, secret=SECRET[::-1], mask=MASK).xy
    assert not (other == before).any()


@each_kind
def test_random_points_lie_in_their_area_evenly(make):
    areas, xy = make(), points(3000, 6)
    found = random_in(xy, areas)
    assert np.array_equal(areas.locate(found.xy), found.area)
    here = found.area == found.area[0]
    polygon = areas.polygons(found.area[:1])[0]
    # Halves of the area, by area: as many to the left of its median line as to the right.
    for axis in (0, 1):
        values = np.sort(found.xy[here, axis])
        at = np.linspace(polygon.bounds[axis], polygon.bounds[axis + 2], 200)
        whole = [-99.0, -99.0, 99.0, 99.0]
        share = []
        for limit in at:
            whole[axis + 2] = limit
            share.append(polygon.intersection(shapely.box(*whole)).area / polygon.area)
        assert stats.kstest(values, lambda v, at=at, s=share: np.interp(v, at, s)).pvalue > 0.001
    # And nothing of a point tells where in the area the place was.
    mine, drawn = xy[here], found.xy[here]
    for axis in (0, 1):
        assert stats.spearmanr(mine[:, axis], drawn[:, axis]).pvalue > 0.001


def test_random_points_of_places_stored_otherwise_are_kept_by_these():
    areas, xy = ZoneAreas.of_zones([U, INNER]), points(20)
    stored = xy / 7
    one = random_in(xy, areas, stored=stored)
    assert np.array_equal(random_in(xy + 1e-12, areas, stored=stored).xy, one.xy)


# What an attack computes -------------------------------------------------------------------------


def test_densities_are_shares_of_the_area():
    areas = ZoneAreas.of_zones([U, INNER], PEOPLE)
    one, other = np.array([0, 0, 1, 1, -1]), np.array([0, 1, 1, 0, -1])
    assert density(areas, one, other, None, CENTRE).tolist() == [1, 0, 1, 0, 0]
    by_area = [1 / U.area, 0, 1 / INNER.area, 0, 0]
    assert density(areas, one, other, None, RANDOM) == pytest.approx(by_area)
    assert density(areas, one, other, 3, RANDOM) == pytest.approx([0, 0, 1 / INNER.area, 0, 0])
    cells = CellAreas.of(Lattice(HEXAGONS, 3.0), points(50))
    assert density(cells, np.array([1]), np.array([1]), None, RANDOM) == pytest.approx(1 / 9)


# What is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize("least", [1, 0, -3, np.nan, np.inf])
def test_a_least_number_that_hides_nobody_is_refused(least):
    with pytest.raises(InputError, match="must be at least 2"):
        aggregate(points(5), ZoneAreas.of_zones([U], PEOPLE), least)


def test_what_cannot_be_is_said():
    with pytest.raises(InputError, match="needs a layer that counts them"):
        aggregate(points(5), ZoneAreas.of_zones([U]), 5)
    with pytest.raises(InputError, match="Zone number 2 has no area"):
        ZoneAreas.of_zones([U, shapely.Polygon()])
    with pytest.raises(InputError, match="Zone number 1 crosses itself"):
        ZoneAreas.of_zones([shapely.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)])])
    with pytest.raises(InputError, match="All 2 zones together hold 17, fewer than the 18"):
        ZoneAreas.merged([U, INNER], PEOPLE, 18)
    for bad in ([1, -1], [1, np.nan]):
        with pytest.raises(InputError, match="numbers of the population are negative"):
            Population.at_points(points(2), bad)
    with pytest.raises(InputError, match="3 numbers for 2 places"):
        Population.at_points(points(2), [1, 2, 3])
    with pytest.raises(InputError, match="at least 16 are needed"):
        aggregate(points(5), ZoneAreas.of_zones([U]), place=RANDOM, secret=b"x", mask=MASK)


def test_a_cancel_is_heard():
    def stop(fraction):
        if fraction > 0.45:
            raise Cancelled

    with pytest.raises(Cancelled):
        random_in(points(50), ZoneAreas.of_zones([U, INNER]), progress=stop)
