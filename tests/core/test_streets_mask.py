# SPDX-License-Identifier: GPL-2.0-or-later
"""Street masking: pool and target of all distances, kept draws, and a density that is exact."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from test_streets_network import between, grid_streets, laid_out

from geoanon_qgis.core.masking.kept_draws import KeptDraws
from geoanon_qgis.core.masking.streets import (
    FEW_NODES,
    MOVED,
    NO_STREET,
    Search,
    reached_from,
    starts,
    street_density,
    street_mask,
    street_targets,
)
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.street_network import street_network

SECRET = bytes(range(32))
FEW = Search(3, 6, 500.0)


def town(seed=1, blocks=12, side=90.0):
    """Streets of a town that are nearly a grid, some of them missing."""
    rng = np.random.default_rng(seed)
    corner = np.stack(np.meshgrid(np.arange(blocks), np.arange(blocks)), -1) * side
    corner = corner + rng.uniform(-25, 25, corner.shape)
    lines = [row for row in corner] + [row for row in corner.transpose(1, 0, 2)]
    pieces = [line[at : at + 2] for line in lines for at in range(blocks - 1)]
    return street_network([shapely.LineString(one) for one in pieces if rng.random() < 0.9])


TOWN = town()
PLACES = np.random.default_rng(7).uniform(0, 990, (400, 2))


def by_all_distances(network, start, search):
    """Target of each n, from distances between all nodes."""
    away = between(network)[start]
    order = sorted((d, node) for node, d in enumerate(away) if d <= search.max_length)
    if len(order) < search.high - 1:
        return [-1] * (search.high - search.low)
    found = []
    for number in range(search.low, search.high):
        pool = order[:number]
        mean = sum(d for d, _ in pool) / number
        found.append(min(pool, key=lambda one: (abs(one[0] - mean), one))[1])
    return found


@given(grid_streets(most=20), st.integers(3, 6), st.integers(1, 5), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_targets_are_those_of_all_distances(lines, low, more, reach):
    network = street_network(laid_out(lines))
    search = Search(low, low + more, reach * 10.0)
    nodes = np.arange(len(network.xy))
    found = street_targets(network, nodes, search)
    assert found.tolist() == [by_all_distances(network, one, search) for one in nodes]


@pytest.mark.parametrize("search", [Search(), Search(3, 4, 300.0), Search(20, 30, 260.0)])
def test_targets_in_a_town_are_those_of_all_distances(search):
    nodes = np.arange(0, len(TOWN.xy), 5)
    found = street_targets(TOWN, nodes, search)
    assert found.tolist() == [by_all_distances(TOWN, one, search) for one in nodes]
    assert (found != nodes[:, None]).all()


@given(grid_streets(most=20), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_the_start_is_the_nearest_node_with_a_street(lines, seed):
    network = street_network(laid_out(lines))
    xy = network.xy[:1] + np.random.default_rng(seed).integers(-8, 9, (20, 2)) * 5.0
    found = starts(xy, network, Search(3, 4, 30.0))
    for place, start in zip(xy, found):
        away = np.hypot(*(network.xy - place).T)
        away[~network.linked] = np.inf
        nearest = int(np.flatnonzero(away == away.min())[0]) if network.linked.any() else -1
        assert start == (nearest if away.min() <= 30.0 else -1)


def test_a_point_goes_where_its_own_number_leads():
    search = Search()
    mask = street_mask(PLACES, TOWN, search, SECRET, "maskstreets")
    limits = np.tile([20.0, 30.0], (len(PLACES), 1))
    draws = KeptDraws(SECRET, "maskstreets street")
    number = 20 + np.floor(10 * draws.uniforms(PLACES, limits, 0)[:, 0]).astype(int)
    for at in range(0, len(PLACES), 9):
        targets = by_all_distances(TOWN, mask.start[at], search)
        assert mask.node[at] == targets[number[at] - 20]
        assert mask.choices[at] == len(set(targets))
        assert mask.xy[at].tolist() == TOWN.xy[mask.node[at]].tolist()
    assert (mask.kind == MOVED).all() and (mask.node != mask.start).all()
    assert np.allclose(mask.shift, np.hypot(*(mask.xy - PLACES).T))


def test_all_numbers_are_drawn_equally_often():
    many = np.random.default_rng(3).uniform(0, 1, (20_000, 2)) + TOWN.xy[40]
    search = Search(8, 14, 1000.0)
    mask = street_mask(many, TOWN, search, SECRET, "maskstreets")
    assert (mask.start == 40).all()
    row, node, probability = street_density(TOWN, np.array([40]), search)
    assert (row == 0).all() and probability.sum() == pytest.approx(1)
    times = np.array([(mask.node == one).sum() for one in node])
    assert times.sum() == len(many)
    assert stats.chisquare(times, probability * len(many)).pvalue > 0.001


def test_the_density_counts_the_numbers_that_lead_to_a_node():
    search = Search(5, 12, 400.0)
    asked = np.array([7, -1, 40, 7, 3])
    row, node, probability = street_density(TOWN, asked, search)
    for at, start in enumerate(asked):
        targets = by_all_distances(TOWN, start, search) if start >= 0 else []
        expected = {one: targets.count(one) / 7 for one in set(targets)}
        assert dict(zip(node[row == at].tolist(), probability[row == at])) == expected
    assert (np.diff(row) >= 0).all()


@pytest.mark.parametrize("search", [Search(), Search(5, 9, 350.0)])
def test_a_node_is_reached_from_the_starts_that_lead_there(search):
    nodes = np.arange(len(TOWN.xy))
    targets = [set(by_all_distances(TOWN, one, search)) for one in nodes]
    released = street_mask(PLACES[:60], TOWN, search, SECRET, "maskstreets").node
    released = released[released >= 0]
    expected = [sum(one in there for there in targets) for one in released]
    assert reached_from(TOWN, released, search).tolist() == expected
    assert min(expected) >= 1
    assert len(reached_from(TOWN, released[:0], search)) == 0


@given(st.randoms(use_true_random=False), st.binary(min_size=16, max_size=32))
@settings(max_examples=15, deadline=None)
def test_a_growing_register_moves_nobody(random, secret):
    """Three releases, rows in another order, newcomers among them, streets in another order."""
    released = {}
    for count in (100, 250, 400):
        rows = list(range(count))
        random.shuffle(rows)
        mask = street_mask(PLACES[rows], TOWN, FEW, secret, "maskstreets")
        for row, xy in zip(rows, mask.xy.tolist()):
            assert released.setdefault(row, xy) == xy
    # A longer way to search withholds fewer, and moves nobody.
    longer = street_mask(PLACES, TOWN, Search(3, 6, 2000.0), secret, "maskstreets")
    assert all(longer.xy[row].tolist() == xy for row, xy in released.items() if xy[0] == xy[0])


def test_records_at_one_place_move_together_and_neighbours_do_not():
    at_home = np.repeat(PLACES[:50], 3, axis=0)
    mask = street_mask(at_home, TOWN, Search(), SECRET, "maskstreets")
    assert (mask.xy.reshape(50, 3, 2) == mask.xy.reshape(50, 3, 2)[:, :1]).all()
    beside = street_mask(PLACES + 1e-6, TOWN, Search(), SECRET, "maskstreets")
    same_start = beside.start == street_mask(PLACES, TOWN, Search(), SECRET, "maskstreets").start
    assert same_start.mean() > 0.9
    other = beside.node != street_mask(PLACES, TOWN, Search(), SECRET, "maskstreets").node
    assert other[same_start].mean() > 0.4


def test_another_secret_mask_or_number_of_nodes_draws_anew():
    mask = street_mask(PLACES, TOWN, Search(), SECRET, "maskstreets")
    for other in (
        street_mask(PLACES, TOWN, Search(), SECRET[::-1], "maskstreets"),
        street_mask(PLACES, TOWN, Search(), SECRET, "other"),
        street_mask(PLACES, TOWN, Search(20, 31), SECRET, "maskstreets"),
        street_mask(PLACES, TOWN, Search(), SECRET, "maskstreets", stored=PLACES + 1),
    ):
        assert (other.start == mask.start).all() and (other.node != mask.node).mean() > 0.4


def test_who_cannot_be_masked_is_withheld():
    side = [shapely.LineString([(5000, 0), (5100, 0), (5100, 90)])]
    links = np.repeat(np.arange(len(TOWN.xy)), np.diff(TOWN.first))
    ends = np.stack([TOWN.xy[links], TOWN.xy[TOWN.neighbour]], axis=1)
    both = street_network([*shapely.linestrings(ends), *side])
    assert both.pieces == 2
    xy = np.array([[500.0, 500.0], [5050.0, 10.0], [2600.0, 0.0], [5050.0, 999.0]])
    mask = street_mask(xy, both, Search(), SECRET, "maskstreets")
    assert mask.kind.tolist() == [MOVED, FEW_NODES, NO_STREET, FEW_NODES]
    assert np.isnan(mask.xy[1:]).all() and np.isnan(mask.shift[1:]).all()
    assert mask.node.tolist()[1:] == [-1, -1, -1] and mask.choices.tolist()[1:] == [0, 0, 0]
    assert mask.withheld.tolist() == [False, True, True, True]
    assert "4 points: 1 moved, 3 withheld" in repr(mask)
    ring = street_network([shapely.LineString([(0, 0), (9, 0), (9, 9), (0, 0)])])
    assert (street_mask(xy, ring, Search(), SECRET, "m").kind == NO_STREET).all()
    assert len(street_mask(xy[:0], both, Search(), SECRET, "m").xy) == 0


def test_more_nodes_than_there_are_withhold_everybody_and_need_no_table_of_so_many():
    huge = Search(3, 10**15, 500.0)  # a table of so many columns is in no machine
    made = street_mask(PLACES, TOWN, huge, SECRET, "mask")
    assert made.kind.tolist() == [FEW_NODES] * len(PLACES)
    assert (made.node == -1).all() and not made.choices.any()
    assert [len(one) for one in street_density(TOWN, np.arange(5), huge)] == [0, 0, 0]
    cross = street_network(
        [shapely.LineString([(-9, 0), (9, 0)]), shapely.LineString([(0, -9), (0, 9)])]
    )
    assert len(cross.xy) == 5
    at = np.array([[1.0, 1.0]])
    assert street_mask(at, cross, Search(3, 6, 50.0), SECRET, "m").kind.tolist() == [MOVED]
    assert street_mask(at, cross, Search(3, 7, 50.0), SECRET, "m").kind.tolist() == [FEW_NODES]


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((2, 30, 1000.0), "at least 3 nodes"),
        ((20, 20, 1000.0), "upper limit must be above"),
        ((20, 10, 1000.0), "upper limit must be above"),
        ((20, 30, 0.0), "positive number of metres"),
        ((20, 30, -5.0), "positive number of metres"),
        ((20, 30, np.inf), "positive number of metres"),
        ((20, 30, np.nan), "positive number of metres"),
    ],
)
def test_numbers_that_make_no_mask_are_refused(numbers, said):
    with pytest.raises(InputError, match=said):
        Search(*numbers)


def test_a_secret_that_is_too_short_is_refused():
    with pytest.raises(InputError, match="at least 16"):
        street_mask(PLACES, TOWN, Search(), b"short", "maskstreets")


def test_progress_rises_and_a_cancel_is_heard():
    told = []
    street_mask(PLACES, TOWN, Search(), SECRET, "maskstreets", progress=told.append)
    assert told == sorted(told) and told[0] >= 0 and told[-1] == 1 and len(told) >= 4

    def stop(fraction):
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        street_mask(PLACES, TOWN, Search(), SECRET, "maskstreets", progress=stop)
