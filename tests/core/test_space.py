# SPDX-License-Identifier: GPL-2.0-or-later
"""The plane in which distances are measured."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.attacks.voronoi.reversal import reverse_voronoi
from geoanon_qgis.core.masking.voronoi import voronoi_mask
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.runtime.proj_thread import of_arrays
from geoanon_qgis.core.space.planes import (
    PLANE_CURVATURE_PER_M,
    PROJECTION_ERROR_M,
    working_plane,
)
from geoanon_qgis.core.space.scales import shortest_metre

pyproj = pytest.importorskip("pyproj")

WGS84 = pyproj.Geod(ellps="WGS84")
SITE_GRID = 'LOCAL_CS["Site grid",UNIT["foot",0.3048],AXIS["Easting",EAST],AXIS["Northing",NORTH]]'


def degrees_about(longitude, latitude, spread, number=100, seed=0):
    rng = np.random.default_rng(seed)
    xy = np.column_stack([longitude, latitude]) + rng.uniform(-spread, spread, (number, 2))
    xy[:, 0] = (xy[:, 0] + 180) % 360 - 180
    return xy


def pole(north=True, number=100):
    rng = np.random.default_rng(1)
    latitude = rng.uniform(88, 90, number) * (1 if north else -1)
    return np.column_stack([rng.uniform(-180, 180, number), latitude])


def metres(east, north, size, number=100):
    return np.random.default_rng(2).uniform(0, size, (number, 2)) + [east, north]


LOCAL = {
    "town in degrees": (degrees_about(5.2, 52.2, 0.05), "EPSG:4326"),
    "country in degrees": (degrees_about(5.2, 52.2, 2.0), "EPSG:4326"),
    "across the antimeridian": (degrees_about(180, -17, 1.0), "EPSG:4326"),
    "around the north pole": (pole(), "EPSG:4326"),
    "around the south pole": (pole(False), "EPSG:4326"),
    "grads from Paris": (degrees_about(0, 54, 1.0), "EPSG:4807"),
    "web mercator in the north": (metres(600_000, 6_800_000, 5_000), "EPSG:3857"),
    "whole canada": (metres(4_000_000, 1_000_000, 3_000_000), "EPSG:3347"),
}
OWN = {
    "britain": (metres(530_000, 180_000, 5_000), "EPSG:27700", 1.0),
    "netherlands": (metres(149_000, 470_000, 5_000), "EPSG:28992", 1.0),
    "netherlands with heights": (metres(149_000, 470_000, 5_000), "EPSG:7415", 1.0),
    "new york in feet": (metres(985_000, 200_000, 5_000), "EPSG:2263", 1200 / 3937),
    "web mercator at the equator": (metres(0, 0, 5_000), "EPSG:3857", 1.0),
    "a site's own grid in feet": (metres(0, 0, 500), SITE_GRID, 0.3048),
    "kilometres": (metres(500, 5_000, 20), "+proj=utm +zone=31 +units=km +type=crs", 1000.0),
    "nothing known": (metres(0, 0, 500), None, 1.0),
    "nothing known, empty": (metres(0, 0, 500), "", 1.0),
    "outside the system's bounds": (metres(5e7, 2e5, 500), "EPSG:27700", 1.0),
}
local = pytest.mark.parametrize("case", LOCAL)
own = pytest.mark.parametrize("case", OWN)


# Which plane --------------------------------------------------------------------------------


@own
def test_a_metric_system_is_used_as_it_is(case):
    xy, crs, unit = OWN[case]
    plane = working_plane(xy, crs)
    assert not plane.is_local
    assert plane.metres_per_unit == pytest.approx(unit, rel=1e-9)
    assert np.array_equal(plane.forward(xy), xy)
    assert np.array_equal(plane.inverse(xy), xy)
    assert plane.holds(xy).all()
    assert plane.length(3.0) == 3.0
    assert plane.describe()


@local
def test_there_and_back_again(case):
    xy, crs = LOCAL[case]
    plane = working_plane(xy, crs)
    assert plane.is_local and plane.metres_per_unit == 1.0
    back = plane.inverse(plane.forward(xy))
    gap = back - xy
    if plane.lonlat(xy[:1]).max() <= 360 and crs in ("EPSG:4326", "EPSG:4807"):
        circle = 360.0 if crs == "EPSG:4326" else 400.0
        gap[:, 0] = (gap[:, 0] + circle / 2) % circle - circle / 2
        # A degree of longitude is short near a pole.
        gap[:, 0] *= np.cos(np.radians(np.minimum(np.abs(xy[:, 1]), 90)))
        assert np.abs(gap).max() < 1e-10  # ten micrometres
    else:
        assert np.abs(gap).max() < 1e-5


@local
def test_the_centre_tells_no_more_than_whole_degrees(case):
    xy, crs = LOCAL[case]
    plane = working_plane(xy, crs)
    assert all(float(value).is_integer() for value in plane.centre)
    name = plane.describe()
    assert "stereographic" in name and "." not in name and "-" not in name


def test_the_antimeridian_is_no_border():
    plane = working_plane(*LOCAL["across the antimeridian"])
    assert abs(plane.centre[0]) == 180 and plane.centre[1] == -17
    start, end = plane.forward(np.array([[179.99, -17.0], [-179.99, -17.0]]))
    geodesic = WGS84.inv(179.99, -17, -179.99, -17)[2]
    assert np.hypot(*(end - start)) == pytest.approx(geodesic, rel=1e-4)


# What is true in it -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    [
        "town in degrees",
        "country in degrees",
        "across the antimeridian",
        "around the north pole",
        "around the south pole",
    ],
)
def test_distances_on_the_ground_are_geodesics(case):
    xy, crs = LOCAL[case]
    plane = working_plane(xy, crs)
    inside = plane.forward(xy)
    told = plane.ground_distance(inside[:-1], inside[1:])
    wanted = WGS84.inv(*xy[:-1].T, *xy[1:].T)[2]
    assert np.allclose(told, wanted, rtol=1e-9, atol=1e-5)


def test_distances_in_web_mercator_are_not_taken_at_its_word():
    xy, crs = LOCAL["web mercator in the north"]
    plane = working_plane(xy, crs)
    inside = plane.forward(xy)
    told = plane.ground_distance(inside[:-1], inside[1:])
    stored = np.hypot(*(xy[1:] - xy[:-1]).T)
    assert np.allclose(told / stored, np.cos(np.radians(52)), rtol=0.02)


def test_distances_in_feet_are_told_in_metres():
    xy, crs, unit = OWN["new york in feet"]
    plane = working_plane(xy, crs)
    told = plane.ground_distance(xy[:-1], xy[1:])
    to_degrees = pyproj.Transformer.from_crs(crs, "EPSG:4269", always_xy=True)
    longitude, latitude = to_degrees.transform(*xy.T)
    wanted = pyproj.Geod(ellps="GRS80").inv(
        longitude[:-1], latitude[:-1], longitude[1:], latitude[1:]
    )[2]
    assert np.allclose(told, wanted, rtol=1e-3)
    assert np.allclose(told, np.hypot(*(xy[1:] - xy[:-1]).T) * 0.3048, rtol=1e-5)


def test_no_system_has_plain_distances():
    plane = working_plane(np.zeros((2, 2)), None)
    assert plane.ground_distance(np.array([[0.0, 0]]), np.array([[3.0, 4]])) == [5.0]


@given(st.floats(-179, 179), st.floats(-88, 88), st.floats(0, 60), st.floats(0, 360))
def test_a_local_plane_keeps_angles(longitude, latitude, away, bearing):
    """Conformal: a step of 10 m is equally long in every direction, far from the centre too."""
    centre = np.array([[longitude, latitude]])
    plane = working_plane(centre, "EPSG:4326")
    lon, lat, _ = WGS84.fwd(longitude, latitude, bearing, away * 111_000)
    azimuths = np.arange(0, 360, 45.0)
    ends = WGS84.fwd(*(np.full(8, value) for value in (lon, lat)), azimuths, np.full(8, 10.0))
    start = plane.forward(np.array([[lon, lat]]))
    length = np.hypot(*(plane.forward(np.column_stack(ends[:2])) - start).T)
    assert length.max() / length.min() < 1 + 1e-5


def test_who_is_nearest_in_the_plane_is_nearest_on_the_ground():
    xy, crs = LOCAL["country in degrees"]
    mask = voronoi_mask(working_plane(xy, crs).forward(xy))
    i, j = np.indices((len(xy), len(xy)))
    away = WGS84.inv(xy[i, 0], xy[i, 1], xy[j, 0], xy[j, 1])[2]
    np.fill_diagonal(away, np.inf)
    assert np.array_equal(mask.neighbour, away.argmin(axis=1))


def test_a_stored_step_is_no_longer_than_said():
    plane = working_plane(np.array([[5.0, 52.0]]), "EPSG:4326")
    start = plane.forward(np.array([[5.0, 52.0]]))
    for step in ([1e-5, 0], [0, 1e-5]):
        end = plane.forward(np.array([[5.0, 52.0]]) + step)
        assert np.hypot(*(end - start).T)[0] <= plane.length(1e-5) * 1.01


# The mask and the attack choose the same plane ----------------------------------------------


@pytest.mark.parametrize("case", [name for name in LOCAL if "pole" not in name])
def test_masked_points_have_the_plane_of_the_originals(case):
    xy, crs = LOCAL[case]
    plane = working_plane(xy, crs)
    released = plane.inverse(voronoi_mask(plane.forward(xy)).xy)
    assert working_plane(released, crs).centre == plane.centre


@pytest.mark.parametrize("north", [True, False])
def test_a_plane_at_a_pole_is_only_turned_by_its_longitude(north):
    xy = pole(north)
    plane = working_plane(xy, "EPSG:4326")
    other = working_plane(xy[:50], "EPSG:4326")
    assert abs(plane.centre[1]) == abs(other.centre[1]) == 90
    inside, turned = plane.forward(xy), other.forward(xy)
    assert np.allclose(np.hypot(*inside.T), np.hypot(*turned.T))
    gap = np.hypot(*(inside[1:] - inside[:-1]).T)
    assert np.allclose(gap, np.hypot(*(turned[1:] - turned[:-1]).T))


@pytest.mark.parametrize("spread", [0.02, 0.5, 4.0], ids=["town", "province", "country"])
@pytest.mark.parametrize("away", [1.0, 3.0])
def test_a_plane_whose_centre_is_degrees_off_serves_as_well(spread, away):
    """The farther the neighbours, the more their midpoint depends on the projection."""
    xy = degrees_about(5.2, 52.2, spread, number=300)
    plane = working_plane(xy, "EPSG:4326")
    released = plane.inverse(voronoi_mask(plane.forward(xy)).xy)
    other = working_plane(xy + [away, away], "EPSG:4326")
    assert other.centre != plane.centre
    result = reverse_voronoi(
        other.forward(released),
        other.forward(xy),
        tolerance=PROJECTION_ERROR_M,
        curvature=PLANE_CURVATURE_PER_M,
        rng=np.random.default_rng(1),
    )
    assert result.verdict == "reversible"
    assert result.explained_by_chance < 0.05
    assert result.expected_correct > 0.6 * len(xy)


def test_midpoints_differ_by_no_more_than_the_curvature_says():
    xy = degrees_about(5.2, 52.2, 4.0, number=60)
    plane = working_plane(xy, "EPSG:4326")
    other = working_plane(xy + [3.0, 3.0], "EPSG:4326")
    inside, elsewhere = plane.forward(xy), other.forward(xy)
    i, j = np.triu_indices(len(xy), 1)
    middle = other.forward(plane.inverse((inside[i] + inside[j]) / 2))
    off = np.hypot(*(middle - (elsewhere[i] + elsewhere[j]) / 2).T)
    apart = np.hypot(*(inside[i] - inside[j]).T)
    near = apart < 100_000
    assert (off[near] < PLANE_CURVATURE_PER_M * apart[near] ** 2 / 8 + 1e-6).all()
    assert (off[near] > 1e-3).any()


# What has no plane --------------------------------------------------------------------------


def test_more_than_a_hemisphere_is_refused():
    rng = np.random.default_rng(1)
    xy = np.column_stack([rng.uniform(-180, 180, 200), rng.uniform(-80, 80, 200)])
    plane = working_plane(xy, "EPSG:4326")
    assert not plane.holds(xy).all() and plane.holds(xy).any()
    with pytest.raises(InputError, match="more than half of the globe"):
        plane.forward(xy)


def test_a_hemisphere_is_held():
    xy = np.array([[5.0, 52.0], [-70.0, 40.0], [90.0, 30.0]])
    plane = working_plane(xy, "EPSG:4326")
    assert plane.holds(xy).all()
    assert np.isfinite(plane.forward(xy)).all()


@pytest.mark.parametrize("latitude", [90.1, -91, 52_000])
def test_a_latitude_beyond_the_pole_is_refused(latitude):
    xy = np.array([[5.0, 52.0], [5.0, latitude]])
    with pytest.raises(InputError, match="right system"):
        working_plane(xy[:1], "EPSG:4326").forward(xy)


def test_metres_in_a_layer_that_claims_degrees_are_refused():
    xy = np.array([[5.0, 52.0], [149_712.0, 47.0]])
    with pytest.raises(InputError):
        working_plane(xy[:1], "EPSG:4326").forward(xy)


@pytest.mark.parametrize("crs", ["no such system", "EPSG:999999", "PROJCS["])
def test_a_system_that_cannot_be_read_is_refused(crs):
    with pytest.raises(InputError, match="cannot be read"):
        working_plane(np.zeros((2, 2)), crs)


@pytest.mark.parametrize("crs", ["EPSG:4978", "EPSG:5709"], ids=["geocentric", "vertical"])
def test_a_system_that_is_none_for_maps_is_refused(crs):
    with pytest.raises(InputError):
        working_plane(np.zeros((2, 2)), crs)


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:28992", None])
def test_no_points_have_a_plane_too(crs):
    plane = working_plane(np.empty((0, 2)), crs)
    assert plane.forward(np.empty((0, 2))).shape == (0, 2)
    assert plane.inverse(np.empty((0, 2))).shape == (0, 2)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("away", [1e9, 1e19, 1e300])
def test_points_beyond_any_system_stay_where_they_are_and_warn_nobody(away):
    plane = working_plane(np.full((3, 2), away), "EPSG:3395")
    assert plane.centre is None


def test_a_metre_of_a_plane_is_shorter_far_from_its_middle():
    near, far = np.array([[5.0, 52.0]]), np.array([[5.0, 52.0], [-70.0, 10.0]])
    plane = working_plane(near, "EPSG:4326")
    assert shortest_metre(plane, plane.forward(near)) == pytest.approx(1, abs=1e-3)
    # Stereographic: cos² of half the angle to the middle.
    one, other = np.radians([52.0, 10.0])
    angle = np.arccos(
        np.sin(one) * np.sin(other) + np.cos(one) * np.cos(other) * np.cos(np.radians(75))
    )
    assert shortest_metre(plane, plane.forward(far)) == pytest.approx(
        np.cos(angle / 2) ** 2, abs=0.01
    )
    # Web Mercator as it was stored near the equator: half at 60 degrees.
    mercator = working_plane(np.array([[0.0, 0.0]]), "EPSG:3857")
    assert shortest_metre(mercator, np.array([[0.0, 8399737.9]])) == pytest.approx(0.5, abs=0.01)
    unknown = working_plane(near, None)
    assert shortest_metre(unknown, near) == 1


def test_a_cancel_goes_through():
    xy, crs = LOCAL["town in degrees"]
    plane = working_plane(xy, crs)

    def progress(fraction):
        raise Cancelled

    for work in (plane.forward, plane.inverse):
        with pytest.raises(Cancelled):
            work(xy, progress)
    with pytest.raises(Cancelled):
        plane.ground_distance(xy, xy, progress)


def test_pyproj_never_sees_an_array_of_one_element():
    """NumPy 2 warns of it, since pyproj tries whether it is a number."""
    asked = []

    def ask(*columns, **options):
        asked.append((len(columns[0]), options))
        return tuple(column + 1 for column in columns)

    one, two = np.array([1.0]), np.array([2.0])
    first, second = of_arrays(ask, one, two, direction="INVERSE")
    assert (first.tolist(), second.tolist()) == ([2.0], [3.0])
    assert [len(found) for found in of_arrays(ask, np.empty(0), np.empty(0))] == [0, 0]
    assert of_arrays(ask, np.arange(3.0))[0].tolist() == [1.0, 2.0, 3.0]
    assert asked == [(2, {"direction": "INVERSE"}), (0, {}), (3, {})]


def test_one_place_is_asked_for_without_a_warning():
    plane = working_plane(np.array([[400_000.0, 300_000.0]]), pyproj.CRS(27700).to_wkt())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lonlat = plane.lonlat(np.array([[400_000.0, 300_000.0]]))
    assert lonlat == pytest.approx(np.array([[-2.0, 52.5974]]), abs=1e-4)
