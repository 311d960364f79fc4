# SPDX-License-Identifier: GPL-2.0-or-later
"""The moves of simulated annealing: what they keep written down, counted again after many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_aggregation_demands import pieces, town

from geoanon_qgis.core.aggregation.annealing import Goal, annealed, state_of
from geoanon_qgis.core.aggregation.annealing_moves import move
from geoanon_qgis.core.aggregation.annealing_state import ground_of, moving_of, room_of
from geoanon_qgis.core.aggregation.boundary import centred
from geoanon_qgis.core.aggregation.demands import Ceiling, Demands, Floor
from geoanon_qgis.core.aggregation.evaluation import aggregate
from geoanon_qgis.core.aggregation.merging import merged_areas, ward
from geoanon_qgis.core.aggregation.neighbours import Neighbours, neighbours_of_points

K = 4
FREE = np.full(3, np.inf)


def moved(classes, xy, area, near, demands, draws, budget):
    """The areas after some moves, whatever they cost."""
    count = int(area.max()) + 1
    sites = centred(xy, np.array([xy[area == one].mean(axis=0) for one in range(count)]), area)
    state = state_of(classes, xy, sites, area, K)
    ground = ground_of(classes, xy, K, near, demands)
    moving = moving_of(classes, ground, sites, area, state, demands)
    weight = np.array([1.0, 0.0, 0.0])
    move(draws, budget, ground, moving, room_of(classes), weight, FREE, weight, 1)
    return moving


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_what_is_written_down_of_areas_is_what_they_are(seed, with_limits):
    xy, region, codes, classes = town(seed, regions=24, people=12)
    near = neighbours_of_points(xy)
    area = merged_areas(classes, xy, near, 7, K, ward)[1]
    size = np.arange(24.0)
    most = Ceiling(size, float(np.bincount(area, size).max()))
    least = max(1.0, np.bincount(area, classes.population).min())
    floors = (Floor(classes.population, least),) if with_limits else ()
    demands = Demands(floors, near=near, ceiling=most if with_limits else None)
    draws = np.random.default_rng(seed).random((3, 400))
    moving = moved(classes, xy, area, near, demands, draws, np.full(400, np.inf))
    now = moving.area
    assert (moving.table == aggregate(classes.counts, now, 7).toarray()).all()
    assert moving.records == pytest.approx(np.bincount(now, classes.population, 7))
    assert moving.measured == pytest.approx(np.bincount(now, size if with_limits else 0 * size, 7))
    assert (moving.members == np.bincount(now, minlength=7)).all() and moving.members.min() > 0
    for own in range(7):
        rows, row = [], moving.head[own]
        while row >= 0:
            rows.append(int(row))
            row = moving.after[row]
        assert sorted(rows) == np.flatnonzero(now == own).tolist()
    assert moving.state == pytest.approx(state_of(classes, xy, moving.sites, now, K))
    assert set(pieces(near, now).values()) == {1}
    if with_limits:
        assert moving.held[0] == pytest.approx(moving.records)
        assert (moving.records >= np.minimum(least, np.bincount(area, classes.population))).all()
        assert moving.measured.max() <= most.limit
    best = moving.best_area
    state = state_of(classes, xy, moving.best_sites, best, K)
    assert state == pytest.approx(moving.best_state) and state[0] <= moving.state[0]


def test_a_region_takes_along_what_only_it_joins_to_its_area():
    near = Neighbours.of_pairs(np.array([0, 1, 2, 3, 2]), np.array([1, 2, 3, 4, 5]), 6)
    xy = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [2, 1]])
    classes = town(3, regions=6, people=30)[3]
    start = np.array([0, 0, 0, 1, 1, 0])
    draw = np.array([[2.5 / 6], [0.4], [0.9]])  # region 2, its second neighbour of three, a border
    free = np.array([np.inf])
    assert moved(classes, xy, start, near, Demands(), draw, free).area.tolist() == [
        0,
        0,
        1,
        1,
        1,
        1,
    ]


def test_a_tiny_area_goes_to_the_one_beside_and_another_begins_elsewhere():
    near = Neighbours.of_pairs(np.arange(5), np.arange(1, 6), 6)
    xy = np.array([[float(at), 0] for at in range(6)])
    classes = town(3, regions=6, people=30)[3]
    start = np.array([0, 1, 1, 2, 2, 2])
    draw = np.array([[0.0], [0.0], [0.1 * 5.5 / 6]])  # region 0 to the one beside; region 5 anew
    free = np.array([np.inf])
    moving = moved(classes, xy, start, near, Demands(), draw, free)
    assert moving.area.tolist() == [1, 1, 1, 2, 2, 0] and moving.sites[0].tolist() == [5, 0]
    # Not where the new one would be below a floor.
    floor = Floor(np.array([1.0, 1, 1, 1, 1, 0.5]), 1.0)
    kept = moved(classes, xy, start, near, Demands((floor,)), draw, free)
    assert kept.area.tolist() == start.tolist()
    # Nor out of the middle of an area.
    draw[2] = 0.1 * 4.5 / 6
    assert moved(classes, xy, start, near, Demands(), draw, free).area.tolist() == start.tolist()


def test_towns_within_counties_do_not_hold_the_search():
    """Six counties in a row, each with its town: the best two areas are found from the worst."""
    near = Neighbours.of_pairs(
        np.array([0, 1, 2, 3, 4, *range(6)]), np.array([1, 2, 3, 4, 5, *range(6, 12)]), 12
    )
    xy = np.array([[at, up] for up in (0.0, 0.1) for at in range(6)])
    classes = town(8, regions=12, people=20)[3]
    start = np.tile([0, 1, 1, 1, 1, 1], 2)
    sites = centred(xy, np.array([[0.0, 0], [3, 0]]), start)
    goal = Goal(np.array([0.0, 1, 0]), FREE, np.ones(3))
    found = annealed(
        classes, xy, sites, start, K, near, Demands(near=near, contiguous=True), goal,
        np.random.default_rng(1), 3_000,
    )[1]  # fmt: skip
    assert (found == found[[0, 0, 0, 5, 5, 5] * 2]).all() and found[0] != found[5]
