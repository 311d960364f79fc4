# SPDX-License-Identifier: GPL-2.0-or-later
"""Sizes of adaptive masks against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from geoanon_qgis.core.masking.laws import BimodalGaussian, Donut, Gaussian, Laplace
from geoanon_qgis.core.masking.sizes import Neighbours, by_population, check_order, law_of_radii
from geoanon_qgis.core.runtime.errors import Cancelled, InputError


def test_the_distance_is_that_to_the_kth_different_place():
    rng = np.random.default_rng(2)
    listed = rng.integers(0, 12, (300, 2)) * 10.0  # many dwellings at one place
    xy = np.concatenate([listed[:5], rng.uniform(0, 120, (40, 2))])
    distinct = np.unique(listed, axis=0)
    away = np.sort(cdist(xy, distinct), axis=1)
    found = Neighbours(listed).distances(xy, [2, 20])
    assert np.allclose(found, away[:, [1, 19]], rtol=1e-14)
    assert (found[:5, 0] > 0).all()  # a listed place is its own first, and moves all the same


def test_a_point_has_the_same_size_alone_and_in_a_crowd():
    rng = np.random.default_rng(3)
    asked = Neighbours(rng.uniform(0, 1000, (500, 2)))
    xy = rng.uniform(0, 1000, (300, 2))
    order = rng.permutation(300)
    all_of_them = asked.distances(xy, [5, 17])
    assert np.array_equal(asked.distances(xy[order], [5, 17]), all_of_them[order])
    assert np.array_equal(asked.distances(xy[7:8], [5, 17]), all_of_them[7:8])


def test_asking_can_be_stopped():
    def stop(fraction):
        raise Cancelled

    asked = Neighbours(np.random.default_rng(1).random((10, 2)))
    with pytest.raises(Cancelled):
        asked.distances(np.zeros((3, 2)), [3], stop)


def test_the_disc_of_a_density_holds_k_people():
    density = np.array([0.01, 1e-5])
    radius = by_population(density, 50)
    assert np.allclose(np.pi * radius**2 * density, 50)


@pytest.mark.filterwarnings("error")
def test_where_nobody_lives_there_is_no_size():
    radius = by_population(np.array([0.0, 0.01]), 20)
    assert radius[0] == np.inf
    for name in ("disc", "gaussian", "bimodal gaussian", "laplace"):
        assert law_of_radii(name, radius).possible.tolist() == [False, True]
    assert law_of_radii("donut", radius, radius / 2).possible.tolist() == [False, True]


def test_laws_of_radii():
    radius = np.array([10.0, 30.0])
    gaussian = law_of_radii("gaussian", radius)
    assert isinstance(gaussian, Gaussian) and np.allclose(gaussian.sigma, radius / np.sqrt(2))
    draws = gaussian.of(np.zeros(40_000, dtype=int)).radii(np.random.default_rng(1).random(40_000))
    assert np.sqrt(np.mean(draws**2)) == pytest.approx(10, rel=0.02)
    donut = law_of_radii("donut", radius, radius / 5, "radius")
    assert isinstance(donut, Donut) and donut.even_by == "radius"
    assert np.array_equal(donut.inner, [2, 6]) and np.array_equal(donut.outer, radius)
    assert isinstance(law_of_radii("bimodal gaussian", radius), BimodalGaussian)
    laplace = law_of_radii("laplace", radius)
    assert isinstance(laplace, Laplace) and np.allclose(np.exp(laplace.epsilon * radius), 4)


@pytest.mark.parametrize(
    "ask, said",
    [
        (lambda: Neighbours(np.zeros((9, 2))).distances(np.ones((1, 2)), [3]), "at 1 different"),
        (lambda: Neighbours(np.eye(2)).distances(np.ones((1, 2)), [3]), "fewer than the 3"),
        (lambda: Neighbours(np.eye(2)).distances(np.ones((1, 2)), [1]), "at least 2, not 1"),
        (lambda: Neighbours(np.full((3, 2), np.nan)), "Some addresses have coordinates"),
        (lambda: by_population(np.array([1.0]), 1), "at least 2, not 1"),
        (lambda: by_population(np.array([1.0]), np.nan), "not defined"),
        (lambda: by_population(np.array([-1.0]), 5), "negative or no finite"),
        (lambda: check_order(100, 20), r"number \(100\) must be below the largest \(20\)"),
        (lambda: law_of_radii("donut", np.ones(3)), "radius of its hole"),
    ],
)
def test_what_gives_no_size_is_refused(ask, said):
    with pytest.raises(InputError, match=said):
        ask()
