# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a key and a mask file belong to points: against draws of the mask, and of others."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.fit import cannot_be_home, gap
from geoanon_qgis.core.attacks.masks.likelihood import by_law
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Donut, Gaussian, Laplace, disc

SECRET = bytes(range(32))
HOMES = np.random.default_rng(1).uniform(0, 3000, (800, 2))
ROWS = np.random.default_rng(2).permutation(800)[:300]
LAWS = {
    "disc": lambda size: disc(2 * size),
    "donut": lambda size: Donut(size, 2 * size),
    "gaussian": lambda size: Gaussian(size),
    "laplace": lambda size: Laplace(2 / size),
}


def moved(law, rows, draw):
    return displace(HOMES[rows], law.of(rows), SECRET, f"fit {draw}").xy


def off(law, rows, xy):
    return gap(law, rows, np.hypot(*(xy - HOMES[np.maximum(rows, 0)]).T))


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("count", [1, 3, 20, 300])
def test_own_draws_are_the_laws_and_others_are_not(name, count):
    sizes = np.random.default_rng(3).uniform(40, 200, 800)
    law = LAWS[name](sizes)
    for draw in range(20):
        rows = ROWS[:count]
        xy = moved(law, rows, draw)
        assert off(law, rows, xy) == 0
        assert not cannot_be_home(by_law(xy, HOMES, law), rows).any()
    if count >= 20:
        xy = moved(law, ROWS[:count], "other")
        assert off(law, np.roll(ROWS[:count], 1), xy) > 0.5  # the key of another release
        assert off(LAWS[name](sizes * 6), ROWS[:count], xy) > 0.5  # its mask file


def test_who_lives_together_counts_once():
    law = Gaussian(100.0)
    xy = moved(law, ROWS[:3], "few")
    many = np.repeat(np.arange(3), 200)
    assert off(law, ROWS[:3][many], xy[many]) == 0
    unknown = np.full(3, -1)
    assert off(law, unknown, xy) == 0
    assert not cannot_be_home(by_law(xy, HOMES, law), unknown).any()


def test_from_where_nobody_lives_no_point_comes():
    law = disc(80.0)
    xy, weight = moved(law, ROWS, "weights"), np.ones(800)
    weight[ROWS[:7]] = 0
    likelihood = by_law(xy, HOMES, law)
    assert np.flatnonzero(cannot_be_home(likelihood, ROWS, weight)).tolist() == list(range(7))
    xy[0] += 10_000
    assert np.flatnonzero(cannot_be_home(by_law(xy, HOMES, law), ROWS)).tolist() == [0]
