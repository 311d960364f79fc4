# SPDX-License-Identifier: GPL-2.0-or-later
"""Movements that all points share, planted and found by the list alone; and none where none is."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.common_move import common_move
from geoanon_qgis.core.attacks.masks.estimate_adaptive import estimate_adaptive
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Donut, Gaussian, Laplace, disc
from tests.core.test_mask_estimate import SECRET, village


def homes_of(seed, count):
    listed = village(100 + seed)
    return listed, listed[np.random.default_rng(seed).permutation(len(listed))[:count]]


def turned(xy, degrees, scale=(1.0, 1.0)):
    turn = np.deg2rad(degrees)
    by = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    by = by @ np.diag(scale)
    return (xy - xy.mean(axis=0)) @ by.T + xy.mean(axis=0)


@pytest.mark.parametrize("seed", range(2))
def test_a_shift_of_fifty_points_is_found(seed):
    listed, homes = homes_of(seed, 50)
    shift = np.random.default_rng(seed).uniform(-2000, 2000, 2)
    found = common_move(homes + shift, listed)
    assert found is not None and found.is_shift
    assert found.shift == pytest.approx(shift, abs=0.1)
    assert found.undone(homes + shift) == pytest.approx(homes, abs=0.1)


def test_a_shift_of_points_that_moved_besides_is_found():
    listed, homes = homes_of(4, 400)
    moved = displace(homes, Gaussian(20.0), SECRET, "moved besides").xy
    found = common_move(moved + [600.0, -300.0], listed)
    assert found is not None and found.shift == pytest.approx([600.0, -300.0], abs=8.0)
    assert found.better > 0.2


@pytest.mark.parametrize(
    "move",
    [
        lambda xy: turned(xy, 7),
        lambda xy: turned(xy, -3) + [12.0, 30.0],
        lambda xy: turned(xy, 0, (1.05, 1.05)),
        lambda xy: turned(xy, 0, (-1.0, 1.0)),
    ],
)
def test_a_turn_a_stretch_and_a_reflection_are_undone(move):
    listed, homes = homes_of(7, 150)
    found = common_move(move(homes), listed)
    assert found is not None and not found.is_shift
    assert found.undone(move(homes)) == pytest.approx(homes, abs=0.2)
    assert found.fits > 2 * found.by_chance


def test_what_was_turned_about_the_origin_of_its_plane_is_undone():
    """Thousands of kilometres away, where a shift upon the list is better than nothing."""
    listed, homes = homes_of(8, 150)
    far, turn = np.array([500_000.0, 5_400_000.0]), np.deg2rad(30)
    by = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    found = common_move((homes + far) @ by.T, listed + far)
    assert found is not None and not found.is_shift
    assert found.undone((homes + far) @ by.T) == pytest.approx(homes + far, abs=0.2)


@pytest.mark.parametrize(
    "law", [Gaussian(40.0), Gaussian(300.0), disc(75.0), Donut(50.0, 50.001), Laplace(2 / 50.0)]
)
def test_nothing_is_claimed_where_nothing_is_shared(law):
    for seed, count in ((0, 60), (1, 300)):
        listed, homes = homes_of(20 + seed, count)
        assert common_move(displace(homes, law, SECRET, f"none {seed}").xy, listed) is None


def test_nothing_is_claimed_of_people_of_one_side_of_cells_or_of_addresses():
    listed, _ = homes_of(30, 10)
    rng = np.random.default_rng(5)
    west = listed[listed[:, 0] < np.median(listed[:, 0])]
    west = west[rng.permutation(len(west))[:300]]
    assert common_move(west + rng.normal(0, 150, west.shape), listed) is None
    assert common_move((np.floor(west / 100) + 0.5) * 100, listed) is None
    # Exchanged among addresses: each is at one.
    assert common_move(listed[rng.permutation(len(listed))[:300]], listed) is None
    assert common_move(rng.uniform(0, 6000, (300, 2)), listed) is None


def test_few_points_tell_nothing():
    listed, homes = homes_of(1, 39)
    assert common_move(homes + 500.0, listed) is None


def test_the_bar_only_rises_and_is_asked_often():
    listed, homes = homes_of(2, 120)
    moved = displace(homes, Gaussian(40.0), SECRET, "bar").xy
    for look in (common_move, estimate_adaptive):
        seen = []
        look(moved, listed, progress=seen.append)
        assert seen == sorted(seen) and seen[-1] <= 1.0 and len(seen) > 60
