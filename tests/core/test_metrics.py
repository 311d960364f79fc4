# SPDX-License-Identifier: GPL-2.0-or-later
"""The three metrics against formulas, pyproj and brute force; compiled and not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.metrics import EARTH_RADIUS_M, METRICS, metric_for

pyproj = pytest.importorskip("pyproj")
pytest.importorskip("scipy")

WGS84 = pyproj.Geod(ellps="WGS84")
#: For each metric a system, and corners between which coordinates are drawn.
SYSTEMS = {
    "planar": ("EPSG:28992", (0, 3e5), (3e5, 6e5)),
    "great_circle": ("EPSG:4326", (-180, -90), (180, 90)),
    "geodesic": ("EPSG:4326", (-180, -90), (180, 90)),
}


def haversine(a, b):
    """Great-circle distance of two places, straight from the formula."""
    (l1, p1), (l2, p2) = np.radians(a), np.radians(b)
    h = math.sin((p2 - p1) / 2) ** 2
    h += math.cos(p1) * math.cos(p2) * math.sin((l2 - l1) / 2) ** 2
    return 2 * EARTH_RADIUS_M * math.asin(math.sqrt(min(1.0, h)))


@pytest.fixture(params=METRICS)
def setting(request):
    """A metric, and a function that draws places in its coordinates."""
    wkt, low, high = SYSTEMS[request.param]
    return metric_for(request.param, wkt), lambda rng, n: rng.uniform(low, high, (n, 2))


@pytest.fixture
def without_numba():
    was = accel.enabled()
    accel.set_enabled(False)
    yield
    accel.set_enabled(was)


def test_example_of_the_2014_paper():
    # Example 2: R = 6371 km; its coordinates to the second place behind the point.
    metric = metric_for("great_circle", "EPSG:4326")
    london, paris = np.array([[-0.1275, 51.5072]]), np.array([[2.3508, 48.8567]])
    assert metric.between(london, paris)[0] / 1000 == pytest.approx(343.6, abs=0.3)


@given(st.integers(0, 10_000), st.sampled_from([1e-6, 1e-3, 1.0, 180.0]))
def test_great_circle_is_haversine(seed, spread):
    rng = np.random.default_rng(seed)
    a = rng.uniform((-180, -89), (180, 89), (20, 2))
    b = np.clip(a + rng.normal(0, spread, a.shape), -90, (1e9, 90))
    got = metric_for("great_circle", "EPSG:4326").between(a, b)
    expected = np.array([haversine(*pair) for pair in zip(a, b)])
    assert np.abs(got - expected)[expected < 1.5e7] == pytest.approx(0, abs=1e-7)
    assert got == pytest.approx(expected, abs=0.3)  # the formula itself loses digits far away


def test_near_the_antipodes_a_step_is_still_seen():
    # Along the meridian: exact angles are known, and haversine has lost them.
    metric = metric_for("great_circle", "EPSG:4326")
    step = np.array([1e-7, 1e-5, 1e-3, 0.1, 10.0])
    a = np.zeros((5, 2))
    b = np.stack([np.full(5, 180.0), step], axis=1)
    assert metric.between(a, b) == pytest.approx(
        EARTH_RADIUS_M * np.radians(180 - step), abs=metric.slack
    )
    embedded = metric.nearest_in_sets(a[:1], b[:, None, :])[0]
    assert np.array_equal(embedded, metric.between(a, b))


def test_geodesic_is_pyproj(rng):
    metric = metric_for("geodesic", "EPSG:4326")
    a, b = (rng.uniform((-180, -90), (180, 90), (500, 2)) for _ in range(2))
    got = metric.between(a, b)
    assert np.array_equal(got, pyproj.CRS(4326).get_geod().inv(*a.T, *b.T)[2])
    assert got == pytest.approx(WGS84.inv(*a.T, *b.T)[2], abs=1e-7)


def test_projected_coordinates_are_measured_on_their_own_datum():
    # 100 km of the Dutch grid: 10 m shorter there than on its ellipsoid, in its middle.
    xy = np.array([[155_000.0, 413_000.0], [155_000.0, 513_000.0]])
    planar, geodesic = metric_for("planar", "EPSG:28992"), metric_for("geodesic", "EPSG:28992")
    assert planar.between(xy[:1], xy[1:])[0] == 100_000
    lonlat = geodesic.coordinates(xy)
    bessel = pyproj.CRS(28992).get_geod()
    expected = bessel.inv(*lonlat[0], *lonlat[1])[2]
    assert geodesic.between(lonlat[:1], lonlat[1:])[0] == expected
    assert expected == pytest.approx(100_000 / 0.9999079, abs=3)


def test_planar_distances_are_in_metres():
    feet = metric_for("planar", "EPSG:2263")
    gap = feet.between(np.array([[0.0, 0.0]]), np.array([[3000.0, 4000.0]]))
    assert gap[0] == pytest.approx(5000 * 1200 / 3937)
    assert feet.unit == "m"
    unknown = metric_for("planar", None)
    assert unknown.between(np.zeros((1, 2)), np.array([[3.0, 4.0]]))[0] == 5
    assert unknown.unit == "units"


def test_rows_are_the_distances_between(setting, rng):
    metric, draw = setting
    a, b = draw(rng, 31), draw(rng, 17)
    b[4] = a[2]
    expected = metric.between(np.repeat(a, 17, axis=0), np.tile(b, (31, 1))).reshape(31, 17)
    assert np.array_equal(metric.rows(a, b), expected)
    assert metric.rows(a[:0], b).shape == (0, 17) and metric.rows(a, b[:0]).shape == (31, 0)


def test_least_over_a_set_as_by_brute_force(setting, rng):
    metric, draw = setting
    points, references = draw(rng, 200), draw(rng, 30 * 7).reshape(30, 7, 2)
    references[0, 3] = points[5]
    references[1] = references[1, :1]  # all members at one place
    got = metric.nearest_in_sets(points, references)
    brute = np.stack([metric.rows(points, one).min(axis=1) for one in references], axis=1)
    assert got.shape == (200, 30)
    if metric.name == "geodesic":
        assert np.abs(got - brute).max() < 5e-8  # series; the promise is a millimetre
    else:
        assert np.array_equal(got, brute)
    assert got[5, 0] == 0


def test_sets_of_one_and_of_nearly_equal_distances(setting, rng):
    metric, draw = setting
    points = draw(rng, 50)
    alone = draw(rng, 20).reshape(20, 1, 2)
    assert metric.nearest_in_sets(points, alone) == pytest.approx(
        metric.rows(points, alone[:, 0]), abs=5e-8
    )
    # A ring around each point: the ellipsoid decides what the sphere cannot.
    if metric.name == "geodesic":
        lon, lat, _ = WGS84.fwd(
            *np.repeat([[5.0], [50.0]], 36, axis=1), np.arange(0, 360, 10), np.full(36, 1e5)
        )
        ring = np.stack([lon, lat], axis=1)[None]
        got = metric.nearest_in_sets(np.array([[5.0, 50.0]]), ring)[0, 0]
        brute = metric.rows(np.array([[5.0, 50.0]]), ring[0]).min()
        assert got == pytest.approx(brute, abs=5e-8)


@given(st.integers(0, 10_000), st.integers(1, 9), st.sampled_from(METRICS))
def test_nearest_neighbours_as_by_brute_force(seed, k, name):
    rng = np.random.default_rng(seed)
    wkt, low, high = SYSTEMS[name]
    metric = metric_for(name, wkt)
    points = rng.uniform(low, high, (40, 2))
    if seed % 2:
        points = np.round(points / 30) * 30  # a coarse grid: ties and shared places
    points[5:9] = points[20]
    square = metric.rows(points, points)
    np.fill_diagonal(square, np.inf)
    indices, distances = metric.nearest_neighbours(points, k)
    expected = np.argsort(square, axis=1, kind="stable")[:, :k]
    assert np.array_equal(distances, np.take_along_axis(square, expected, axis=1))
    assert np.array_equal(indices, expected)


def test_many_points_at_one_place_and_few_points(setting, rng):
    metric, draw = setting
    points = np.repeat(draw(rng, 3), [500, 2, 1], axis=0)
    indices, distances = metric.nearest_neighbours(points, 3)
    assert indices[0].tolist() == [1, 2, 3] and indices[400].tolist() == [0, 1, 2]
    assert distances[0].tolist() == [0, 0, 0]
    assert indices[500, 0] == 501 and distances[500, 1] > 0
    for n in range(4):
        indices, distances = metric.nearest_neighbours(points[498 : 498 + n], 5)
        assert indices.shape == distances.shape == (n, max(0, n - 1))
    with pytest.raises(InputError, match="at least 1"):
        metric.nearest_neighbours(points, 0)


def test_the_same_bits_without_numba(setting, rng, without_numba):
    metric, draw = setting
    points, references = draw(rng, 700), draw(rng, 40 * 5).reshape(40, 5, 2)
    plain = metric.nearest_in_sets(points, references)
    accel.set_enabled(True)
    if not accel.enabled():
        pytest.skip("numba is not installed")
    assert np.array_equal(plain, metric.nearest_in_sets(points, references))


def test_slack_bounds_what_rounding_does(setting, rng):
    # The triangle inequality through a third point, on and off the way between two.
    metric, draw = setting
    a, b, c = (draw(rng, 3000) for _ in range(3))
    c[:1500] = (a[:1500] + b[:1500]) / 2
    excess = np.abs(metric.between(a, c) - metric.between(b, c)) - metric.between(a, b)
    assert excess.max() <= 3 * metric.slack
    assert metric.slack_at(a, b) == metric.slack <= 1e-6


def test_slack_grows_with_coordinates_that_are_no_places():
    metric = metric_for("planar", None)
    assert metric.slack_at(np.array([[1e15, 0.0]])) > 1


@pytest.mark.parametrize(
    ("name", "wkt", "said"),
    [
        ("planar", "EPSG:4326", "Choose the geodesic"),
        ("geodesic", None, "choose the planar"),
        ("great_circle", None, "choose the planar"),
        ("great_circle", 'LOCAL_CS["site",UNIT["m",1]]', "choose the planar"),
        ("manhattan", "EPSG:4326", "no metric"),
    ],
)
def test_metrics_that_make_no_sense_are_refused(name, wkt, said):
    with pytest.raises(InputError, match=said):
        metric_for(name, wkt)


@pytest.mark.parametrize("bad", [[5.0, 91.0], [np.nan, 5.0], [np.inf, 5.0]])
def test_coordinates_that_are_no_places(bad):
    with pytest.raises(InputError):
        metric_for("geodesic", "EPSG:4326").coordinates(np.array([bad]))


def test_a_cancel_is_heard(setting, rng):
    metric, draw = setting
    points, references = draw(rng, 100), draw(rng, 20).reshape(10, 2, 2)

    def cancel(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        metric.nearest_in_sets(points, references, cancel)
    with pytest.raises(Cancelled):
        metric.nearest_neighbours(points, 3, cancel)
    with pytest.raises(Cancelled):
        metric.rows(points, points, cancel)
