# SPDX-License-Identifier: GPL-2.0-or-later
"""Nearest neighbours, places and the resolution of coordinates."""

from __future__ import annotations

import numpy as np
import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.spatial import cKDTree

from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.space.points import (
    as_points,
    coordinate_resolution,
    coordinate_step,
    nearest_neighbours,
    places,
)


def grids(side, smallest=2, largest=40):
    """Points with integer coordinates: full of ties and duplicates when ``side`` is small."""
    shape = st.tuples(st.integers(smallest, largest), st.just(2))
    return hnp.arrays(np.int64, shape, elements=st.integers(0, side)).map(
        lambda xy: xy.astype(float)
    )


@given(st.one_of(grids(3), grids(8), grids(1000)))
def test_the_neighbour_is_the_nearest_and_among_equals_the_first(xy):
    neighbour, distance = nearest_neighbours(xy)
    squared = oracles.squared_distances(xy)
    assert np.array_equal(distance**2 > 0, squared.min(axis=1) > 0)
    assert np.allclose(distance, np.sqrt(squared.min(axis=1)), rtol=1e-15, atol=0)
    assert (neighbour != np.arange(len(xy))).all()
    assert np.array_equal(xy[neighbour], xy[oracles.nearest(xy)])


@given(hnp.arrays(np.float64, (30, 2), elements=st.floats(-1e6, 1e6)))
def test_neighbours_of_points_in_full_precision(xy):
    squared = oracles.squared_distances(xy)
    neighbour, distance = nearest_neighbours(xy)
    assert np.array_equal(distance**2 > 1e-300, squared.min(axis=1) > 1e-300)
    assert np.allclose(squared[np.arange(30), neighbour], squared.min(axis=1), rtol=1e-12)


def test_neighbours_of_many_points_in_several_chunks(rng, monkeypatch):
    monkeypatch.setattr("geoanon_qgis.core.space.points.QUERY_ROWS", 64)
    xy = rng.integers(0, 40, (700, 2)).astype(float)
    assert np.array_equal(xy[nearest_neighbours(xy)[0]], xy[oracles.nearest(xy)])


def test_a_crowded_place_does_not_hide_the_other_equally_near_one():
    # Twelve records at (2, 0) fill the eight slots; (0, 0) is as near and comes first.
    crowd = np.repeat([[2.0, 0.0]], 12, axis=0)
    xy = np.concatenate([crowd, [[1.0, 0.0], [0.0, 0.0]]])
    assert nearest_neighbours(xy)[0][12] == 13


class CountingTree:
    """A k-d tree that adds up how many points its queries look at, at least."""

    def __init__(self, tree):
        self.tree, self.indices, self.data = tree, tree.indices, tree.data
        self.work = 0

    def query(self, xy, **options):
        crowded = self.tree.query_ball_point(xy, 0.0, return_length=True)
        self.work += int(crowded.sum()) + len(xy)
        return self.tree.query(xy, **options)

    def query_ball_point(self, xy, *radius, **options):
        self.work += int(self.tree.query_ball_point(xy, *radius, return_length=True).sum())
        return self.tree.query_ball_point(xy, *radius, **options)


def test_many_points_at_one_place_do_not_take_the_square_of_their_number(rng, monkeypatch):
    """A geocoder gives what it cannot find one and the same default place.

    A k-d tree keeps identical points in one leaf, which every query there reads in full.
    """
    trees = []

    def counting(xy, progress=None):
        trees.append(CountingTree(cKDTree(xy)))
        return trees[-1]

    monkeypatch.setattr("geoanon_qgis.core.space.points.build_tree", counting)
    xy = rng.random((2_000, 2))
    xy[:1_000] = 0.5
    neighbour, distance = nearest_neighbours(xy)
    assert trees and sum(tree.work for tree in trees) < 10 * len(xy)
    assert (distance[:1_000] == 0).all()
    assert (neighbour[:1_000] < 1_000).all() and (neighbour[:1_000] != np.arange(1_000)).all()
    assert np.array_equal(xy[neighbour], xy[oracles.nearest(xy)])


@given(grids(1, 30, 60))
def test_neighbours_where_places_are_crowded(xy):
    neighbour, distance = nearest_neighbours(xy)
    assert (neighbour != np.arange(len(xy))).all()
    assert np.array_equal(xy[neighbour], xy[oracles.nearest(xy)])
    assert np.array_equal(distance, np.hypot(*(xy[neighbour] - xy).T))


def test_one_point_has_no_neighbour():
    with pytest.raises(InputError, match="at least two points"):
        nearest_neighbours(np.zeros((1, 2)))


@given(grids(3))
def test_places_are_the_distinct_points(xy):
    found = places(xy)
    assert np.array_equal(found.xy, np.unique(xy, axis=0))
    assert np.array_equal(found.xy[found.of_point], xy)
    assert found.count.sum() == len(xy)
    assert np.array_equal(found.count, np.bincount(found.of_point))


def test_no_points_have_no_places():
    found = places(np.empty((0, 2)))
    assert len(found.xy) == len(found.of_point) == len(found.count) == 0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_coordinates_that_are_no_numbers_are_refused(bad):
    with pytest.raises(InputError, match="Some candidates .* finite numbers"):
        as_points(np.array([[0.0, 1.0], [2.0, bad]]), "candidates")


@pytest.mark.parametrize("shape", [(4,), (4, 3), (2, 2, 2)])
def test_arrays_of_another_shape_are_refused(shape):
    with pytest.raises(InputError, match="x and y"):
        as_points(np.zeros(shape))


def test_integers_and_other_memory_layouts_are_taken():
    xy = as_points(np.asfortranarray(np.array([[1, 2], [3, 4]])))
    assert xy.dtype == np.float64 and xy.flags.c_contiguous


@pytest.mark.parametrize("step", [1e-6, 0.001, 0.01, 0.1, 1.0, 10.0, 100.0])
def test_the_resolution_is_what_rounding_left(rng, step):
    xy = np.rint(rng.uniform(0, 250_000, (500, 2)) / step) * step
    if step < 1:  # as a decimal number is read from a file
        xy = np.round(xy, int(round(-np.log10(step))))
    assert coordinate_resolution(xy) == pytest.approx(step, rel=1e-12)


def test_full_precision_has_no_resolution(rng):
    assert coordinate_resolution(rng.uniform(0, 250_000, (500, 2))) == 0.0
    assert coordinate_resolution(np.zeros((3, 2))) == 0.0
    assert coordinate_resolution(np.empty((0, 2))) == 0.0


def test_the_midpoints_of_rounded_points_are_finer_than_they(rng):
    xy = np.rint(rng.uniform(0, 1e5, (100, 2)))
    assert coordinate_resolution((xy[:50] + xy[50:]) / 2) == pytest.approx(0.1)


def test_rounded_degrees_have_a_resolution(rng):
    assert coordinate_resolution(np.round(rng.uniform(-180, 180, (300, 2)), 5)) == 1e-5


@pytest.mark.parametrize("step", [40.0, 25.0, 30.48, 0.25, 7.0, 1.0, 100.0, 0.001])
def test_any_step_is_found_that_coordinates_were_rounded_to(step):
    rng = np.random.default_rng(12)
    xy = np.round(rng.uniform(80_000, 240_000, (60, 2)) / step) * step
    assert coordinate_step(xy) == pytest.approx(step, rel=1e-12)
    assert coordinate_step(np.round(xy, 6)) == pytest.approx(step, rel=1e-9)


def test_seconds_of_degrees_are_a_step_and_full_precision_is_none():
    rng = np.random.default_rng(13)
    degrees = rng.uniform(-60, 60, (200, 2))
    for parts in (3600, 1200, 7):
        found = coordinate_step(np.round(degrees * parts) / parts)
        assert found == pytest.approx(1 / parts, rel=1e-9)
    assert coordinate_step(degrees) == 0.0
    assert coordinate_step(rng.uniform(0, 250_000, (5_000, 2))) == 0.0
    # Midpoints of places with three decimals, and of few points a wide step is chance.
    assert coordinate_step(np.round(degrees, 3) + 0.0005) == pytest.approx(0.0005)
    assert coordinate_step(np.array([[400.0, 800.0], [1200.0, 400.0]])) == 100.0
    assert coordinate_step(np.empty((0, 2))) == 0.0
