# SPDX-License-Identifier: GPL-2.0-or-later
"""Rounded coordinates: probabilities of cells against sums over many places, and by draws."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.likelihood import by_law
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.masks.rounded import Cells, averaged, by_rounded_law, grid_step
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import (
    BY_RADIUS,
    BimodalGaussian,
    Donut,
    Gaussian,
    Laplace,
    disc,
)
from geoanon_qgis.core.space.points import places

SECRET = bytes(range(32))
LAWS = {
    "disc": disc(70.0),
    "disc by radius": disc(70.0, BY_RADIUS),
    "donut": Donut(40.0, 60.0),
    "gaussian": Gaussian(40.0),
    "bimodal": BimodalGaussian(50.0),
    "laplace": Laplace(2 / 50.0),
}


def cells(count, wide, high, turn=0.0):
    east = wide * np.array([np.cos(turn), np.sin(turn)])
    north = high * np.array([-np.sin(turn), np.cos(turn)])
    return Cells(np.tile(east, (count, 1)), np.tile(north, (count, 1)))


@pytest.mark.parametrize("name", LAWS)
def test_a_cell_has_the_sum_of_its_places(name):
    law, rng = LAWS[name], np.random.default_rng(3)
    gap = rng.uniform(-90, 90, (40, 2))
    gap[0] = 0
    one = cells(40, 30.0, 20.0, 0.3)
    fine = (np.arange(400) + 0.5) / 200 - 1
    along = fine[:, None, None] * one.east[0] + fine[None, :, None] * one.north[0]
    wanted = [law.density(np.hypot(*(place + along).transpose(2, 0, 1))).mean() for place in gap]
    found = averaged(law, gap, one.east, one.north)
    assert found == pytest.approx(wanted, rel=0.02, abs=2e-3 * max(wanted))
    assert ((np.array(wanted) > 0) <= (found > 0)).all()  # nothing possible is left out


def test_all_cells_together_have_the_whole_law():
    at = np.arange(-400, 401, 40.0)
    gap = np.stack(np.meshgrid(at + 7, at - 3), axis=-1).reshape(-1, 2)
    one = cells(len(gap), 20.0, 20.0)
    for law in LAWS.values():
        total = averaged(law, gap, one.east, one.north).sum() * 1600
        assert total == pytest.approx(1, abs=0.01), law.name


@pytest.mark.parametrize("name", LAWS)
def test_on_a_coarse_grid_both_are_right_as_often_as_they_believe(name):
    law, grid = LAWS[name], 100.0
    found = {"A": [], "B": [], "as if not rounded": []}
    for draw in range(8):
        rng = np.random.default_rng(draw)
        candidates = places(rng.uniform(0, 1500, (1200, 2))).xy
        rows = rng.permutation(1200)[:200]
        xy = displace(candidates[rows], law, SECRET, f"grid {draw}").xy
        xy = np.rint(xy / grid) * grid
        likelihood = by_rounded_law(xy, candidates, law, cells(200, grid / 2, grid / 2))
        a, b = who_lives_there(likelihood), which_record(likelihood, rows)
        plain = who_lives_there(by_law(xy, candidates, law))
        found["A"].append((a.right(rows), a.top))
        found["B"].append((b.right(np.arange(200)), b.top))
        found["as if not rounded"].append((plain.right(rows), plain.top))
        assert not a.unexplained.any()
    told = {name: np.mean(pairs, axis=(0, 2)) for name, pairs in found.items()}
    for who in "AB":
        assert told[who][0] == pytest.approx(told[who][1], abs=0.04), who
    if name == "donut":
        right, believed = told["as if not rounded"]
        assert believed > 2 * right  # what this mends


@pytest.mark.parametrize("step, begin", [(50.0, 25.0), (100.0, 0.0), (0.01, 0.003), (7.0, 3.0)])
def test_the_grid_is_found_wherever_it_begins(step, begin):
    rng = np.random.default_rng(1)
    xy = np.round(begin + step * rng.integers(0, 5000, (60, 2)), 6)
    assert grid_step(xy) == pytest.approx((step, step))
    assert grid_step(xy[:5]) == (0.0, 0.0)
    assert grid_step(rng.uniform(0, 1000, (60, 2))) == (0.0, 0.0)
