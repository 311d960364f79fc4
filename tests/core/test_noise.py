# SPDX-License-Identifier: GPL-2.0-or-later
"""Noise on coordinates and on distances has the distribution that it says."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.distances.noise import coordinate_noise, distance_noise
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

pyproj = pytest.importorskip("pyproj")
stats = pytest.importorskip("scipy.stats")

N = 20_000
WGS84 = pyproj.Geod(ellps="WGS84")


def is_normal(values, sigma):
    """At one in a thousand."""
    return stats.kstest(values, "norm", args=(0, sigma)).pvalue > 1e-3


@pytest.mark.parametrize(
    ("wkt", "at"),
    [("EPSG:4326", (10.0, 60.0)), ("EPSG:3857", (1.1e6, 8.4e6)), ("EPSG:32632", (5e5, 6.65e6))],
)
def test_metres_are_metres_on_the_ground(wkt, at):
    xy = np.tile(np.array(at), (N, 1))
    moved = coordinate_noise(xy, 500.0, False, wkt, np.random.default_rng(1))
    to = pyproj.Transformer.from_crs(wkt, 4326, always_xy=True)
    azimuth, _, length = WGS84.inv(*to.transform(*xy.T), *to.transform(*moved.T))
    east, north = length * np.sin(np.radians(azimuth)), length * np.cos(np.radians(azimuth))
    assert is_normal(east, 500) and is_normal(north, 500)
    assert abs(np.corrcoef(east, north)[0, 1]) < 0.03


@pytest.mark.parametrize("wkt", ["EPSG:4326", "EPSG:32632"])
def test_degrees_are_degrees(wkt):
    to = pyproj.Transformer.from_crs(4326, wkt, always_xy=True)
    xy = np.tile(np.array(to.transform(10.0, 52.0)), (N, 1))
    moved = coordinate_noise(xy, 0.02, True, wkt, np.random.default_rng(2))
    lon, lat = to.transform(*moved.T, direction="INVERSE")
    assert is_normal(lon - 10, 0.02) and is_normal(lat - 52, 0.02)


def test_without_a_system_units_are_units():
    moved = coordinate_noise(np.zeros((N, 2)), 3.0, False, None, np.random.default_rng(3))
    assert is_normal(moved[:, 0], 3) and is_normal(moved[:, 1], 3)
    with pytest.raises(InputError, match="degrees"):
        coordinate_noise(np.zeros((1, 2)), 3.0, True, None, np.random.default_rng(3))


def test_over_a_pole_one_comes_down_on_the_other_side():
    class Fixed:
        def normal(self, mean, sigma, shape):
            return np.tile([1.0, 3.0], (shape[0], 1)) * sigma

    xy = np.array([[10.0, 89.0], [179.5, 0.0], [-179.0, -89.0], [200.0, 10.0]])
    up = coordinate_noise(xy, 1.0, True, "EPSG:4326", Fixed())
    expected = [[-169.0, 88.0], [-179.5, 3.0], [-178.0, -86.0], [201.0, 13.0]]
    assert up == pytest.approx(np.array(expected))
    near = np.array([[10.0, 89.99999]] * 200)
    moved = coordinate_noise(near, 1000.0, False, "EPSG:4326", np.random.default_rng(1))
    assert (np.abs(moved[:, 1]) <= 90).all() and (np.abs(moved[:, 0]) <= 180).all()
    gap = WGS84.inv(*near.T, *moved.T)[2]
    assert 900 < np.sqrt((gap**2).mean() / 2) < 1100


def test_records_at_one_place_part_company():
    moved = coordinate_noise(np.zeros((5, 2)), 1.0, False, None, np.random.default_rng(1))
    assert len(np.unique(moved, axis=0)) == 5


def test_no_noise_moves_nothing_but_by_projecting():
    xy = np.array([[155_000.0, 463_000.0], [200_000.0, 400_000.0]])
    for in_degrees in (False, True):
        moved = coordinate_noise(xy, 0.0, in_degrees, "EPSG:28992", np.random.default_rng(1))
        assert moved == pytest.approx(xy, abs=1e-3)


@pytest.mark.parametrize(("name", "spread"), [("gaussian", "norm"), ("laplace", "laplace")])
def test_distances_get_the_noise_named(name, spread):
    x = np.full(N, 1000.0)
    noisy = distance_noise(x, name, 20.0, np.random.default_rng(4))
    assert stats.kstest(noisy - 1000, spread, args=(0, 20)).pvalue > 1e-3
    assert (x == 1000).all()


def test_distances_never_fall_below_zero_and_zeros_get_noise_too():
    noisy = distance_noise(np.zeros(N), "laplace", 5.0, np.random.default_rng(5))
    assert (noisy >= 0).all()
    assert 0.48 < (noisy == 0).mean() < 0.52


def test_in_place_over_blocks_and_repeatable():
    x = np.arange(1050.0)
    one = distance_noise(x, "gaussian", 1.0, np.random.default_rng(6), at_once=100)
    assert distance_noise(x, "gaussian", 1.0, np.random.default_rng(6), out=x, at_once=70) is x
    assert np.array_equal(one, x)
    assert len(np.unique(np.round(one - np.arange(1050.0), 9))) > 1000


@pytest.mark.parametrize("scale", [-1.0, np.nan, np.inf])
def test_bad_amounts(scale):
    with pytest.raises(InputError, match="at least 0"):
        distance_noise(np.zeros(1), "gaussian", scale, np.random.default_rng(1))
    with pytest.raises(InputError, match="at least 0"):
        coordinate_noise(np.zeros((1, 2)), scale, False, None, np.random.default_rng(1))


def test_bad_names_and_a_cancel():
    with pytest.raises(InputError, match="no noise"):
        distance_noise(np.zeros(1), "uniform", 1.0, np.random.default_rng(1))

    def cancel(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        distance_noise(np.zeros(1), "gaussian", 1.0, np.random.default_rng(1), cancel)
    with pytest.raises(Cancelled):
        coordinate_noise(np.zeros((1, 2)), 1.0, False, None, np.random.default_rng(1), cancel)
