# SPDX-License-Identifier: GPL-2.0-or-later
"""k-means, Ward, the k-aware merge and the best of several starts, counted again by brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_aggregation_demands import graph_of, made, pieces, suppressed, town, widest

from geoanon_qgis.core.aggregation.annealing import Goal, annealed, state_of
from geoanon_qgis.core.aggregation.boundary import centred
from geoanon_qgis.core.aggregation.construction import nearest_sites
from geoanon_qgis.core.aggregation.demands import Demands, Floor
from geoanon_qgis.core.aggregation.kmeans import drawn_sites, kmeans_sites
from geoanon_qgis.core.aggregation.merging import k_aware, merged_areas, ward
from geoanon_qgis.core.aggregation.neighbours import Neighbours, neighbours_of_points
from geoanon_qgis.core.aggregation.several_starts import OBJECTIVES, best_of_starts, goal_of
from geoanon_qgis.core.aggregation.sites import balanced_density
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

K = 4
NEW = ("kmeans", "ward", "k_aware", "best")


def n_log_n(counts):
    return sum(count * np.log2(count) for count in counts if count)


def recounted(xy, region, codes, sites, area):
    """Suppressed records, sum of distances, sum of n log2 n."""
    records = np.bincount(area[region], minlength=len(sites))
    length = sum(float(np.hypot(*(xy[row] - sites[own]))) for row, own in enumerate(area))
    return suppressed(region, codes, area, K), length, n_log_n(records)


def best(xy, classes, objective, near=None, demands=None, sites=5, seed=1, **more):
    near = near or neighbours_of_points(xy)
    demands = demands or Demands(near=near)
    rng = np.random.default_rng(seed)
    more = {"moves": 2_000, **more}
    return best_of_starts(classes, xy, sites, K, near, demands, objective, rng, **more)


# --- k-means -------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_kmeans_sites_are_the_means_of_their_regions_and_none_is_empty(seed, count):
    xy, _, _, classes = town(seed, regions=30)
    people = classes.population.astype(float)
    start = balanced_density(xy, people, count)
    sites = kmeans_sites(xy, people, start)
    area, squared = nearest_sites(xy, sites)
    before = people @ nearest_sites(xy, start)[1]
    assert set(area.tolist()) == set(range(count))
    assert people @ squared <= before * (1 + 1e-6) + 1e-9
    for own in range(count):
        mine = area == own
        if people[mine].sum() > 0 and count < 8:  # a site that was moved lies at a region
            mean = np.average(xy[mine], axis=0, weights=people[mine])
            moved = (np.abs(xy[mine] - sites[own]).sum(axis=1) == 0).any()
            assert moved or np.abs(mean - sites[own]).max() < 1.0


def test_kmeans_gives_sites_at_one_place_areas_of_their_own():
    xy = np.array([[0.0, 0], [1, 0], [10, 0], [11, 0], [50, 0], [51, 0]])
    sites = kmeans_sites(xy, np.ones(6), np.zeros((3, 2)))
    assert sorted(sites[:, 0].tolist()) == pytest.approx([0.5, 10.5, 50.5])
    with pytest.raises(InputError, match="numbers from 0"):
        kmeans_sites(xy, np.array([1, 1, 1, 1, 1, np.nan]), xy[:2])


def test_drawn_sites_are_different_places_of_regions():
    xy, _, _, classes = town(4, regions=20)
    for seed in range(5):
        sites = drawn_sites(xy, classes.population, 20, np.random.default_rng(seed))
        assert len({*map(tuple, sites)}) == 20 and {*map(tuple, sites)} == {*map(tuple, xy)}


# --- merging -------------------------------------------------------------------------------------


def squares_within(xy, groups):
    return sum(((xy[rows] - xy[rows].mean(axis=0)) ** 2).sum() for rows in groups)


def by_hand(xy, region, codes, near, areas, price):
    """Join the pair that adjoins and costs least, everything counted anew for every pair."""
    groups = [[row] for row in range(len(xy))]
    graph = graph_of(near)
    while len(groups) > areas:
        found = []
        for one, other in itertools.combinations(range(len(groups)), 2):
            if any(graph.has_edge(a, b) for a in groups[one] for b in groups[other]):
                found.append((price(groups[one], groups[other]), one, other))
        _, one, other = min(found)
        groups[one] = groups[one] + groups[other]
        del groups[other]
    return {frozenset(rows) for rows in groups}


def partition(area):
    return {frozenset(np.flatnonzero(area == own).tolist()) for own in set(area.tolist())}


@pytest.mark.parametrize("seed", range(3))
def test_ward_joins_what_adds_least_squares(seed):
    xy, region, codes, classes = town(seed, regions=18)
    near = neighbours_of_points(xy)

    def price(one, other):
        return squares_within(xy, [one + other]) - squares_within(xy, [one, other])

    sites, area = merged_areas(classes, xy, near, 5, K, ward)
    assert partition(area) == by_hand(xy, region, codes, near, 5, price)
    assert set(pieces(near, area).values()) == {1} and len(sites) == 5


@pytest.mark.parametrize("seed", range(3))
def test_the_k_aware_merge_joins_what_saves_most_for_what_it_costs(seed):
    xy, region, codes, classes = town(seed, regions=14, people=12)
    near = neighbours_of_points(xy)

    def lost(rows):
        some = np.isin(region, rows)
        there = np.zeros(len(xy), dtype=int)
        return suppressed(region[some], [column[some] for column in codes], there, K)

    def price(one, other):
        held = [int(np.isin(region, rows).sum()) for rows in (one, other, one + other)]
        bits = n_log_n(held[2:]) - n_log_n(held[:2])
        return -(lost(one) + lost(other) - lost(one + other) + 1e-9) / np.sqrt(1 + bits)

    area = merged_areas(classes, xy, near, 4, K, k_aware)[1]
    assert partition(area) == by_hand(xy, region, codes, near, 4, price)


def test_too_few_that_adjoin_is_a_sentence():
    xy, _, _, classes = town(1, regions=6)
    apart = Neighbours.of_pairs(np.array([0]), np.array([1]), 6)
    with pytest.raises(InputError, match="Too few regions adjoin to make 2 areas"):
        merged_areas(classes, xy, apart, 2, K, ward)


# --- annealing -----------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans())
def test_moves_keep_floors_widths_pieces_and_the_count(seed, with_floor, with_width):
    xy, region, codes, classes = town(seed, regions=25, people=12)
    near = neighbours_of_points(xy)
    sites, area = merged_areas(classes, xy, near, 4, K, ward)
    held = np.bincount(area[region], minlength=4)
    most = max(widest(xy, area).values(), default=0.0)
    floors = (Floor(classes.population, max(1.0, held.min() / 2)),) if with_floor else ()
    demands = Demands(floors, most if with_width else np.inf, near=near, contiguous=True)
    goal = goal_of("suppression", state_of(classes, xy, sites, area, K), 0.0, 0.5)
    rng = np.random.default_rng(seed)
    found, after, state = annealed(classes, xy, sites, area, K, near, demands, goal, rng, 1_500)
    assert state == pytest.approx(recounted(xy, region, codes, found, after))
    assert state[0] <= suppressed(region, codes, area, K) and goal.excess(state) == 0
    assert set(pieces(near, after).values()) == {1} and set(after.tolist()) == set(range(4))
    now = np.bincount(after[region], minlength=4)
    assert ((now > 0) | (held == 0)).all()
    if with_floor:
        assert now.min() >= min(floors[0].least, held.min())
    if with_width:
        assert max(widest(xy, after).values(), default=0.0) <= most * (1 + 1e-12)


def test_moves_are_the_same_without_numba():
    xy, _, _, classes = town(5, regions=25)
    near = neighbours_of_points(xy)
    found = []
    for on in (True, False):
        accel.set_enabled(on)
        try:
            found.append(best(xy, classes, "weighted", near, moves=800)[0])
        finally:
            accel.set_enabled(True)
    assert (found[0].area == found[1].area).all() and (found[0].sites == found[1].sites).all()


def test_a_goal_puts_limits_before_what_is_minimised():
    goal = Goal(np.array([1.0, 0, 0]), np.array([np.inf, 10, np.inf]), np.array([5.0, 10, 1]))
    within, beyond = np.array([9.0, 10, 1]), np.array([1.0, 11, 1])
    assert goal.better(within, beyond) and not goal.better(beyond, within)
    assert goal.better(np.array([8.0, 10, 1]), within) and goal.excess(beyond) == pytest.approx(0.1)


# --- the best of several starts ------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(OBJECTIVES), st.booleans())
def test_what_is_not_minimised_is_no_worse_than_balanced_densitys(seed, objective, contiguous):
    xy, region, codes, classes = town(seed, regions=30, people=14)
    near = neighbours_of_points(xy)
    demands = Demands(near=near, contiguous=contiguous)
    found, reference, begun = best(xy, classes, objective, near, demands, tolerance=0.1, seed=seed)
    now = np.array(recounted(xy, region, codes, found.sites, found.area))
    then = np.array(recounted(xy, region, codes, reference.sites, reference.area))
    fixed = n_log_n(classes.population)
    lost, length, loss = zip(now - [0, 0, fixed], then - [0, 0, fixed])
    eps = 1 + 1e-9
    if objective != "suppression":
        assert lost[0] <= lost[1]
    if objective != "compactness":
        assert length[0] <= length[1] * eps
    if objective in ("suppression", "weighted"):
        assert loss[0] <= 1.1 * loss[1] * eps + 1e-6
    least = {"suppression": lost, "compactness": length, "entropy": loss}.get(objective)
    assert least is None or least[0] <= least[1] * eps
    assert len(found.sites) >= len(reference.sites) and begun
    if contiguous:
        assert set(pieces(near, found.area).values()) == {1}


@pytest.fixture(scope="module")
def small_map():
    """A map of 3 by 3 squares, and all ways to make three areas in one piece of it."""
    at = np.stack(np.divmod(np.arange(9), 3), axis=1).astype(float)
    pairs = [
        (a, b) for a, b in itertools.combinations(range(9), 2) if np.abs(at[a] - at[b]).sum() == 1
    ]
    near = Neighbours.of_pairs(*np.array(pairs).T, 9)
    ways = []
    for labels in itertools.product(range(3), repeat=9):
        first = list(dict.fromkeys(labels))
        if first == [0, 1, 2] and set(pieces(near, np.array(labels)).values()) == {1}:
            ways.append(np.array(labels))
    return at, near, ways


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_best_is_the_best_of_all_ways_on_a_small_map(small_map, objective):
    at, near, ways = small_map
    classes = town(7, regions=9, people=9)[3]
    demands = Demands(near=near, contiguous=True)
    found, reference, _ = best(at, classes, objective, near, demands, 3, starts=6, moves=3_000)
    state = state_of(classes, at, reference.sites, reference.area, K)
    goal = goal_of(objective, state, n_log_n(classes.population), 0.0)
    least = goal.value(state)
    for area in ways:
        if np.bincount(area, classes.population).all():
            middle = [np.median(at[area == own], axis=0) for own in range(3)]
            state = state_of(classes, at, centred(at, np.array(middle), area), area, K)
            if goal.excess(state) == 0:
                least = min(least, goal.value(state))
    value = goal.value(state_of(classes, at, found.sites, found.area, K))
    assert value == pytest.approx(least, rel=1e-3)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(NEW), st.booleans(), st.booleans())
def test_new_methods_keep_borders_floors_and_pieces(seed, location, contiguous, moves):
    xy, region, codes, classes = town(seed, twice=seed % 2 == 1)
    part = (xy[:, 0] > 50).astype(int)
    least = min(np.bincount(part, classes.population)) / 3
    floors = (Floor(classes.population, max(1.0, least)),)
    near = neighbours_of_points(xy)
    demands = Demands(floors, np.inf, part, ("west", "east"), near, contiguous, True, moves)
    if len(set(part.tolist())) < 2:
        return
    found = made(classes, xy, demands, location, 6, moves=600)
    area = found.area_of_region
    sides = {(own, side) for own, side in zip(area.tolist(), part.tolist())}
    assert len(sides) == len(set(area.tolist()))
    assert np.bincount(area[region], minlength=area.max() + 1)[np.unique(area)].min() >= least
    assert found.measures.suppressed == suppressed(region, codes, area, K)
    if contiguous:
        bridged = near.bridged(xy, part)
        assert set(pieces(bridged, area).values()) == {1}


@pytest.mark.parametrize("location", NEW)
def test_without_demands_there_are_as_many_areas_as_sites_and_one_seed_gives_one_result(location):
    xy, region, codes, classes = town(2, regions=40, twice=True)
    one, other = (made(classes, xy, None, location, 6, k=K, moves=500) for _ in range(2))
    area = one.area_of_region
    assert (area == other.area_of_region).all() and (one.sites == other.sites).all()
    assert one.measures.areas == 6 and area[0] == area[1] and area[4] == area[5]
    assert one.measures.suppressed == suppressed(region, codes, area, K)
    start = balanced_density(xy, classes.population, 6)
    assert one.before.suppressed == pytest.approx(
        suppressed(region, codes, nearest_sites(xy, start)[0], K), abs=classes.records
    )


def test_what_is_asked_wrongly_is_a_sentence():
    xy, _, _, classes = town(3, regions=20)
    for more, word in (
        ({"objective": "beauty"}, "no objective called beauty"),
        ({"objective": "entropy", "starts": 0}, "at least one start"),
        ({"objective": "entropy", "tolerance": -1.0}, "share from 0"),
    ):
        with pytest.raises(InputError, match=word):
            best(xy, classes, **more)
    near = neighbours_of_points(xy)
    heavy = Demands((Floor(classes.population, classes.records / 2),), 1.0, near=near)
    with pytest.raises(InputError, match="as far around it|No areas were found"):
        best(xy, classes, "entropy", near, heavy)


@pytest.mark.parametrize("location", NEW)
def test_a_cancel_is_heard(location):
    xy, _, _, classes = town(3, regions=40)
    from geoanon_qgis.core.aggregation import vbas

    def stop(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        vbas.vbas(
            classes,
            xy,
            K,
            np.random.default_rng(1),
            "fixed",
            sites=5,
            location=location,
            progress=stop,
        )
