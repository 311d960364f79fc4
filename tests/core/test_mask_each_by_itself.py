# SPDX-License-Identifier: GPL-2.0-or-later
"""What points do that no law of distances tells: masks that do it, and draws that do not."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.each_by_itself import (
    DIRECTIONS,
    HOMES,
    NEIGHBOURS,
    REPEATED,
    SIZES,
    by_whole_numbers,
    seen,
)
from geoanon_qgis.core.space.points import nearest_neighbours

LIST = np.random.default_rng(1).uniform(0, 1500, (4000, 2))
HOMES_OF_THE_FILE = LIST[:400]
ZONE = 300.0


def turned(away, way):
    return away[:, None] * np.stack([np.cos(way), np.sin(way)], axis=1)


def a_disc(rng, count=400, size=200.0):
    return turned(size * np.sqrt(rng.random(count)), rng.uniform(0, 2 * np.pi, count))


def of_zone(each):
    """One row of each (a, ..) for all who live in one square."""
    zone = np.floor(HOMES_OF_THE_FILE / ZONE).astype(int)
    return each[zone[:, 0] * 5 + zone[:, 1]]


def to_compass(rng):
    return turned(200 * np.sqrt(rng.random(400)), rng.integers(0, 8, 400) * np.pi / 4)


def along_an_axis(rng):
    return np.stack([rng.uniform(-150, 150, 400), np.zeros(400)], axis=1)


def longer_than_wide(rng):
    return rng.normal(0, 1, (400, 2)) * [150.0, 60.0]


def a_step_for_each_zone(rng):
    return of_zone(rng.normal(0, 150, (25, 2))) + rng.normal(0, 1, (400, 2))


def a_size_for_each_zone(rng):
    return a_disc(rng) * of_zone(rng.choice([0.2, 1.0], 25))[:, None]


def the_same_steps_again(rng):
    return np.tile(a_disc(rng, 200), (2, 1))


def two_who_change_places(rng):
    order = rng.permutation(400)
    one, two = order[:200], order[200:]
    step = np.empty((400, 2))
    step[one], step[two] = HOMES_OF_THE_FILE[two] - HOMES_OF_THE_FILE[one], 0.0
    step[two] = -step[one]
    return step


def round_in_fives(rng):
    order = np.lexsort((HOMES_OF_THE_FILE[:, 0], np.floor(HOMES_OF_THE_FILE[:, 1] / 200)))
    goal = np.empty(400, dtype=int)
    goal[order] = np.roll(order.reshape(-1, 5), 1, axis=1).ravel()
    return HOMES_OF_THE_FILE[goal] - HOMES_OF_THE_FILE


def half_way_to_the_neighbour(rng):
    neighbour, _ = nearest_neighbours(HOMES_OF_THE_FILE)
    return (HOMES_OF_THE_FILE[neighbour] - HOMES_OF_THE_FILE) / 2


@pytest.mark.parametrize(
    ("mask", "what"),
    [
        (to_compass, DIRECTIONS),
        (along_an_axis, DIRECTIONS),
        (longer_than_wide, DIRECTIONS),
        (a_step_for_each_zone, NEIGHBOURS),
        (a_size_for_each_zone, SIZES),
        (the_same_steps_again, REPEATED),
        (two_who_change_places, REPEATED),
        (half_way_to_the_neighbour, REPEATED),
        (round_in_fives, HOMES),
    ],
)
def test_what_a_law_does_not_tell_is_seen(mask, what):
    step = mask(np.random.default_rng(2))
    share = np.argsort(np.argsort(np.hypot(*step.T))) / 400
    assert seen(HOMES_OF_THE_FILE, step, share, LIST) == what


def test_draws_of_a_law_are_nothing_to_be_seen():
    for draw in range(300):
        rng = np.random.default_rng([3, draw])
        count = int(rng.choice([20, 40, 150, 400]))
        home, size = HOMES_OF_THE_FILE[:count], rng.uniform(5, 300, count)
        share = rng.random(count)
        step = turned(size * np.sqrt(share), rng.uniform(0, 2 * np.pi, count))
        assert seen(home, step, share, LIST) is None
        assert not by_whole_numbers(home, home + step)


def test_rounded_coordinates_are_no_repeated_steps():
    rng = np.random.default_rng(4)
    home = np.unique(np.rint(rng.uniform(0, 3000, (6000, 2)) / 5) * 5, axis=0)
    put = np.rint((home + a_disc(rng, len(home), 100.0)) / 5) * 5
    assert seen(home, put - home) != REPEATED
    assert not by_whole_numbers(home, put)


def test_a_public_list_where_points_are_put_is_no_home_of_others():
    rng = np.random.default_rng(5)
    put = LIST[rng.integers(0, len(LIST), 400)]
    assert seen(HOMES_OF_THE_FILE, put - HOMES_OF_THE_FILE, None, LIST) != HOMES


@pytest.mark.parametrize("unit", [1.0, 5.0, 1e-5])
def test_whole_numbers_leave_what_comes_after_the_point(unit):
    rng = np.random.default_rng(6)
    home = rng.uniform(0, 4000 * unit, (100, 2))
    put = home + unit * np.rint(rng.uniform(-150, 150, home.shape))
    assert by_whole_numbers(home, put)
    assert not by_whole_numbers(np.rint(home / unit) * unit, np.rint(put / unit) * unit)
    assert not by_whole_numbers(home, np.rint(put / unit) * unit)


def test_few_places_tell_nothing():
    assert seen(LIST[:19], np.full((19, 2), 7.0)) is None
    assert not by_whole_numbers(LIST[:19], LIST[:19] + 100.0)
    assert seen(LIST[:30], np.zeros((30, 2))) is None
