# SPDX-License-Identifier: GPL-2.0-or-later
"""What is asked of records in pairs: clusters, ways to services, zones; against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from geoanon_qgis.core.distances import spatial_statistics
from geoanon_qgis.core.measures.dbscan import _Links, compare_clusters, dbscan, typical_radius
from geoanon_qgis.core.measures.services import outside_populated, service_errors, zones_kept
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

shapely = pytest.importorskip("shapely", minversion="2")

#: Places on a small grid, sorted by x, then y: plenty of ties and of records at one place.
grid_points = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=25
).map(lambda xy: np.array(sorted(xy), dtype=float))


@given(grid_points, st.sampled_from([0.0, 1.0, 1.5, 2.0, 9.0]), st.integers(1, 6))
def test_clusters_are_those_of_the_distance_matrix(xy, radius, min_samples):
    truth = spatial_statistics.dbscan(cdist(xy, xy), radius, min_samples)
    assert (dbscan(xy, radius, min_samples) == truth).all()


@pytest.mark.parametrize("radius", [0.02, 0.05, 0.1, 0.3])
@pytest.mark.parametrize("min_samples", [1, 4, 15])
def test_clusters_of_dense_points_are_those_of_the_distance_matrix(rng, radius, min_samples):
    # Many points in a cell, so that cells are asked by trees too.
    xy = np.concatenate([rng.random((400, 2)), [0.5, 0.5] + rng.normal(0, 0.05, (800, 2))])
    truth = spatial_statistics.dbscan(cdist(xy, xy), radius, min_samples)
    assert (dbscan(xy, radius, min_samples) == truth).all()


def test_cells_are_asked_by_pairs_and_by_trees_alike(rng):
    xy = rng.random((300, 2))
    links = _Links(xy, np.array([0, 100, 180, 300]), 0.004)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        first = [xy[:100], xy[100:180], xy[180:]]
        truth = cdist(first[a], first[b]).min() <= 0.004
        assert links._by_tree(a, b) == truth
        assert links._by_pairs(np.array([a]), np.array([b])).tolist() == [truth]
    assert {bool(links._by_tree(a, b)) for a, b in ((0, 1), (0, 2), (1, 2))} == {True, False}


@given(grid_points, st.randoms(), st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
@settings(max_examples=50)
def test_clusters_know_no_order_no_origin_and_no_unit(xy, random, by):
    order = list(range(len(xy)))
    random.shuffle(order)
    one, other = dbscan(xy, 1.5, 3), dbscan(8 * xy[order] + np.array(by), 12.0, 3)
    assert spatial_statistics.adjusted_rand_index(one[order], other) == 1.0
    assert ((one[order] == -1) == (other == -1)).all()


@given(grid_points, st.integers(1, 5))
def test_the_typical_radius_by_sorting_all_distances(xy, others):
    away = np.sort(cdist(xy, xy), axis=1)
    truth = float(np.median(away[:, others])) if others < len(xy) else 0.0
    assert typical_radius(xy, others) == pytest.approx(truth)


def test_clusters_before_and_after(rng):
    middles = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]])
    xy = np.repeat(middles, 40, axis=0) + rng.normal(0, 0.5, (120, 2))
    same = compare_clusters(xy, xy + 1000.0, radius=1.0)
    assert same.adjusted_rand == 1.0 and same.clusters == (3, 3)
    assert (same.before == same.after).all() and same.noise[0] == same.noise[1]
    lost = compare_clusters(xy, rng.uniform(-50, 60, xy.shape), radius=1.0)
    assert abs(lost.adjusted_rand) < 0.1 and lost.noise[1] > 100
    by_itself = compare_clusters(xy, xy)
    assert by_itself.radius == pytest.approx(typical_radius(xy))
    assert "adjusted Rand index 1.000" in by_itself.summary() and "3 clusters" in same.summary()


def test_services_by_all_distances(rng):
    xy, services = rng.random((60, 2)), rng.random((7, 2))
    masked = xy + rng.normal(0, 0.1, xy.shape)
    found = service_errors(xy, masked, services)
    before, after = cdist(xy, services), cdist(masked, services)
    assert found.before == pytest.approx(before.min(axis=1))
    assert found.after == pytest.approx(after.min(axis=1))
    assert (found.changed == (before.argmin(axis=1) != after.argmin(axis=1))).all()
    error = after.min(axis=1) - before.min(axis=1)
    assert found.mean_error == pytest.approx(error.mean())
    assert found.mean_absolute_error == pytest.approx(np.abs(error).mean())
    assert found.median_absolute_error == pytest.approx(np.median(np.abs(error)))
    assert found.rmse == pytest.approx(np.sqrt((error**2).mean()))
    assert 0 < found.share_changed < 1 and "off by" in found.summary()


def test_equally_near_services_are_no_change():
    services = np.array([[-1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    # From the middle both are equally near; two services share a place.
    found = service_errors(
        np.array([[0.0, 0.0], [0.5, 0.0], [-0.5, 0.0]]),
        np.array([[0.5, 0.0], [0.6, 0.0], [0.5, 0.0]]),
        services,
    )
    assert found.changed.tolist() == [False, False, True]


def test_zones_that_are_kept():
    zones = [shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1)]
    xy = np.array([[0.5, 0.5], [0.5, 0.5], [1.5, 0.5], [1.0, 0.5], [9.0, 9.0]])
    masked = np.array([[0.6, 0.5], [1.5, 0.5], [7.0, 0.5], [1.0, 0.6], [0.5, 0.5]])
    found = zones_kept(xy, masked, zones)
    # Of four that had a zone two stay, one of them on the border of both.
    assert found.share_kept == 0.5 and (found.outside_before, found.outside_after) == (1, 1)
    assert found.counts_before.sum() == 4 and found.counts_after.sum() == 4
    assert np.bincount(found.before[found.before >= 0]).tolist() == found.counts_before.tolist()
    assert "50.0%" in found.summary()
    assert np.isnan(zones_kept(xy[4:], xy[4:], zones).share_kept)


@given(grid_points)
def test_populated_areas_by_distance(xy):
    areas = [shapely.box(0, 0, 2, 3), shapely.Point(4, 4).buffer(1.5), shapely.box(1, 1, 3, 3)]
    found = outside_populated(xy, xy + 0.5, areas)
    for told, points in ((found.before, xy), (found.after, xy + 0.5)):
        away = shapely.distance(shapely.points(points), shapely.union_all(areas))
        assert (told == (away > 0)).all()
    assert found.share_before == found.before.mean() and "%" in found.summary()


def test_what_cannot_be_done_is_said():
    xy = np.zeros((3, 2))
    with pytest.raises(InputError, match="no service"):
        service_errors(xy, xy, np.empty((0, 2)))
    with pytest.raises(InputError, match="3 original and 2 released points: give them in pairs"):
        service_errors(xy, xy[:2], xy)
    with pytest.raises(InputError, match="give them in pairs"):
        compare_clusters(xy, xy[:2])
    with pytest.raises(InputError, match="radius of 0 or more"):
        dbscan(xy, -1.0)
    with pytest.raises(InputError, match="radius of 0 or more"):
        dbscan(xy, float("nan"))
    with pytest.raises(InputError, match="Zone number 1 has no area"):
        zones_kept(xy, xy, [shapely.Point(0, 0)])


def test_nobody_is_no_error():
    nobody = np.empty((0, 2))
    found = service_errors(nobody, nobody, np.zeros((1, 2)))
    assert np.isnan(found.rmse) and np.isnan(found.share_changed)
    assert "not defined" in found.summary()
    assert len(dbscan(nobody, 1.0)) == 0 and typical_radius(nobody) == 0
    assert compare_clusters(nobody, nobody).clusters == (0, 0)


def test_progress_rises_and_a_cancel_is_heard(rng):
    xy = rng.random((3_000, 2))
    areas = [shapely.box(0, 0, 1, 1)]

    def stop(fraction: float) -> None:
        raise Cancelled

    for job in (
        lambda p: compare_clusters(xy, xy, 0.05, progress=p),
        lambda p: service_errors(xy, xy, xy[:9], p),
        lambda p: zones_kept(xy, xy, areas, p),
        lambda p: outside_populated(xy, xy, areas, p),
    ):
        told: list[float] = []
        job(told.append)
        assert told == sorted(told) and 0 <= told[0] and told[-1] == pytest.approx(1.0)
        with pytest.raises(Cancelled):
            job(stop)
