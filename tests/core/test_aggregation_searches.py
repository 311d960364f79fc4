# SPDX-License-Identifier: GPL-2.0-or-later
"""ADC and the search for least suppression against searches that count everything anew."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.aggregation import adc
from geoanon_qgis.core.aggregation.clusters import EMPTY, Clusters, summaries
from geoanon_qgis.core.aggregation.construction import nearest_sites
from geoanon_qgis.core.aggregation.equivalence_classes import count_classes
from geoanon_qgis.core.aggregation.evaluation import aggregate, describe_areas, measure
from geoanon_qgis.core.aggregation.local_search import least_suppression
from geoanon_qgis.core.aggregation.sites import balanced_density, random_sites
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.runtime.wording import number_of


@pytest.fixture(params=[True, False], ids=["compiled", "plain"])
def compiled(request):
    was = accel.enabled()
    if request.param and not accel.available():
        pytest.skip("numba is not installed")
    accel.set_enabled(request.param)
    yield request.param
    accel.set_enabled(was)


def town(seed, regions=60, people=30, categories=(4, 3), grid=None):
    """Regions and records with a rare category here and there."""
    rng = np.random.default_rng(seed)
    xy = rng.random((regions, 2)) * 100
    if grid:
        xy = rng.integers(0, grid, (regions, 2)).astype(float)
    region = np.repeat(np.arange(regions), rng.integers(0, people, regions))
    codes = [np.minimum(rng.geometric(0.5, len(region)) - 1, count - 1) for count in categories]
    return xy, count_classes(region, codes, regions)


def recounted(classes, xy, sites, k):
    """What clusters should know, from scratch."""
    owner, squared = nearest_sites(xy, sites)
    table = aggregate(classes.counts, owner, len(sites)).toarray()
    smallest = [min((c for c in row if c), default=EMPTY) for row in table.tolist()]
    suppressed = [sum(c for c in row if c < k) for row in table.tolist()]
    return owner, squared, table, smallest, suppressed


def check(clusters, classes, xy):
    owner, squared, table, smallest, suppressed = recounted(classes, xy, clusters.sites, clusters.k)
    assert (clusters.owner == owner).all()
    assert (clusters.squared == squared).all()
    assert (clusters.table == table).all()
    assert clusters.smallest.tolist() == smallest
    assert clusters.suppressed.tolist() == suppressed
    count = len(clusters.sites)
    assert (clusters.members == np.bincount(owner, minlength=count)).all()
    assert (clusters.records == np.bincount(owner, classes.population, count)).all()


@pytest.mark.parametrize("grid", [None, 6])
def test_moves_are_counted_as_if_everything_were_counted_anew(compiled, grid):
    for seed in range(4):
        xy, classes = town(seed, grid=grid)
        rng = np.random.default_rng(seed)
        start = xy[rng.integers(0, len(xy), 9)] if grid else random_sites(xy, 9, rng)
        clusters = Clusters(classes, xy, start, 4)
        check(clusters, classes, xy)
        for _ in range(25):
            to = tuple(xy[rng.integers(len(xy))]) if grid else tuple(rng.random(2) * 130 - 15)
            before = (clusters.owner.copy(), clusters.table.copy(), clusters.sites.copy())
            trial = clusters.trial(int(rng.integers(9)), to)
            after = (clusters.owner, clusters.table, clusters.sites)
            assert all((a == b).all() for a, b in zip(before, after))
            clusters.commit(trial)
            check(clusters, classes, xy)
            assert set(np.flatnonzero((before[1] != clusters.table).any(axis=1))) <= set(
                trial.clusters.tolist()
            )


def test_summaries_by_hand(compiled):
    table = np.array([[0, 3, 5, 1], [0, 0, 0, 0], [7, 4, 0, 9]], dtype=np.int32)
    smallest, suppressed = summaries(table, 4)
    assert smallest.tolist() == [1, EMPTY, 4]
    assert suppressed.tolist() == [4, 0, 0]


# --- ADC ----------------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.data())
def test_any_rise_of_the_smallest_class_beats_any_change_elsewhere(now, data):
    size = len(now)
    later = data.draw(st.lists(st.integers(1, 9), min_size=size, max_size=size))
    f_now, f_later = (adc.objective(np.array(one)) for one in (now, later))
    if min(later) > min(now):
        assert f_later > f_now
    elif min(later) == min(now):
        assert (f_later > f_now) == (later.count(min(later)) < now.count(min(now)))

    def published(smallest):
        g, regions = min(smallest), len(smallest)
        return g * regions + (regions - smallest.count(g))

    assert (f_later > f_now) == (published(later) > published(now))


def test_an_area_without_records_does_not_hold_g_at_zero():
    assert adc.objective(np.array([EMPTY, 3, 5])) == (3, 1)
    assert adc.objective(np.array([EMPTY])) == (0, 0)


def test_weighted_median_by_hand():
    xy = np.array([[0.0, 9.0], [1.0, 7.0], [5.0, 8.0]])
    assert adc.weighted_median(xy, np.array([1, 1, 1])) == (1.0, 8.0)
    assert adc.weighted_median(xy, np.array([1, 1, 5])) == (5.0, 8.0)
    # Half of the weight up to x = 1: the middle between it and the next.
    assert adc.weighted_median(xy, np.array([1, 1, 2])) == (3.0, 8.0)


@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_weighted_median_is_the_median_of_repeated_points(seed, points):
    rng = np.random.default_rng(seed)
    xy, weight = rng.integers(0, 9, (points, 2)).astype(float), rng.integers(1, 5, points)
    expected = np.median(np.repeat(xy, weight, axis=0), axis=0)
    assert adc.weighted_median(xy, weight) == tuple(expected)


def adjacent_by_empty_circles(sites):
    """Sites are adjacent iff a circle through both and a third holds no other site."""
    near = [set() for _ in sites]
    for trio in itertools.combinations(range(len(sites)), 3):
        (ax, ay), (bx, by), (cx, cy) = sites[list(trio)]
        d = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by))
        a, b, c = ax**2 + ay**2, bx**2 + by**2, cx**2 + cy**2
        centre = np.array(
            [
                (a * (by - cy) + b * (cy - ay) + c * (ay - by)) / d,
                (a * (cx - bx) + b * (ax - cx) + c * (bx - ax)) / d,
            ]
        )
        away = np.hypot(*(sites - centre).T)
        if (np.delete(away, trio) > away[trio[0]]).all():
            for i, j in itertools.permutations(trio, 2):
                near[i].add(j)
    return near


def inside_by_ray(x, y, ring):
    """Whether a ray to the right crosses the polygon an odd number of times."""
    crossings = 0
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]]):
        if (ay > y) != (by > y):
            crossings += x < ax + (y - ay) * (bx - ax) / (by - ay)
    return crossings % 2 == 1


def test_neighbourhoods_against_a_brute_force_picture():
    for seed in range(3):
        xy, classes = town(seed, regions=400, people=2)
        sites = random_sites(xy, 14, np.random.default_rng(seed)) + 0.01
        clusters = Clusters(classes, xy, sites, 2)
        around = adc.adjacent_sites(sites)
        expected = adjacent_by_empty_circles(sites)
        for site in range(14):
            assert set(around[site].tolist()) == expected[site]
            gap = sites[around[site]] - sites[site]
            angle = np.arctan2(gap[:, 1], gap[:, 0])
            assert (np.diff(angle) < 0).all()  # clockwise
            ring = sites[
                sorted(
                    expected[site],
                    key=lambda s: (
                        -np.arctan2(sites[s, 1] - sites[site, 1], sites[s, 0] - sites[site, 0])
                    ),
                )
            ].tolist()
            away = np.hypot(*(xy[:, None] - sites[None]).transpose(2, 0, 1))
            picture = [
                away[at].argmin() == site or inside_by_ray(x, y, ring)
                for at, (x, y) in enumerate(xy)
            ]
            assert adc.neighbourhood(clusters, site, around[site]).tolist() == picture


@pytest.mark.parametrize(
    "sites",
    [
        [[0, 0]],
        [[0, 0], [1, 1]],
        [[0, 0], [1, 1], [2, 2], [3, 3]],
        [[1, 1]] * 5,
    ],
)
def test_without_a_triangulation_the_neighbourhood_is_the_cell(sites):
    assert all(len(around) == 0 for around in adc.adjacent_sites(np.array(sites, float)))


def naive_adc(classes, xy, sites, k):
    """The paper's loop with every count taken anew and every pass repeated."""
    sites = sites.copy()
    committed = []

    def level(at):
        smallest = recounted(classes, xy, at, k)[3]
        members = np.bincount(nearest_sites(xy, at)[0], minlength=len(at))
        return adc.objective(np.array(smallest)), np.array(smallest), members

    while True:
        now, smallest, members = level(sites)
        g = smallest.min()
        if g >= k:
            return sites, committed
        clusters = Clusters(classes, xy, sites, k)
        around = adc.adjacent_sites(sites)
        for site, number in (
            (int(s), int(c))
            for s in np.flatnonzero(smallest == g)
            for c in np.flatnonzero(clusters.table[s] == g)
        ):
            inside = adc.neighbourhood(clusters, site, around[site])
            count = np.asarray(classes.counts[:, number].todense()).ravel() * inside
            held = np.flatnonzero(count)
            moved = sites.copy()
            moved[site] = adc.weighted_median(xy[held], count[held])
            after, _, left = level(moved)
            if after > now and not (left[members > 0] == 0).any():
                committed.append((site, tuple(moved[site])))
                sites = moved
                break
        else:
            return sites, committed


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([None, 7]), st.integers(1, 8))
def test_adc_does_what_a_naive_search_does(seed, grid, count):
    xy, classes = town(seed, regions=40, people=12, categories=(3, 2), grid=grid)
    seeds = balanced_density(xy, classes.population, count)
    sites, log = adc.anonymity_driven_clustering(classes, xy, seeds, 4)
    expected, committed = naive_adc(classes, xy, seeds, 4)
    assert (sites == expected).all()
    assert list(zip(log.sites.tolist(), map(tuple, log.targets))) == committed


def test_adc_is_the_same_without_numba():
    xy, classes = town(3, regions=300, people=40, categories=(6, 4))
    seeds = balanced_density(xy, classes.population, 25)
    was = accel.enabled()
    results = []
    try:
        for on in (True, False):
            accel.set_enabled(on)
            results.append(adc.anonymity_driven_clustering(classes, xy, seeds, 5))
            results.append(least_suppression(classes, xy, seeds, 5, np.random.default_rng(1)))
    finally:
        accel.set_enabled(was)
    for one, other in zip(results[:2], results[2:]):
        assert (one[0] == other[0]).all()
        assert one[1].tried == other[1].tried
        assert one[1].values.tolist() == other[1].values.tolist()


def test_adc_only_climbs_and_tells_why_it_stopped():
    xy, classes = town(5, regions=200, people=60, categories=(6, 4))
    seeds = balanced_density(xy, classes.population, 12)
    sites, log = adc.anonymity_driven_clustering(classes, xy, seeds, 5)
    assert log.committed == len(log.sites) == len(log.targets) > 0
    assert (np.diff(log.values) > 0).all()
    smallest = recounted(classes, xy, sites, 5)[3]
    assert (log.anonymity[1], log.lowest[1]) == (min(smallest), smallest.count(min(smallest)))
    assert (log.anonymity[1], -log.lowest[1]) > (log.anonymity[0], -log.lowest[0])
    assert "No move" in log.stopped


def test_adc_stops_at_k_and_at_its_limit():
    xy, classes = town(5, regions=200, people=60, categories=(2, 1))
    seeds = balanced_density(xy, classes.population, 4)
    sites, log = adc.anonymity_driven_clustering(classes, xy, seeds, 3)
    assert (sites == seeds).all() and log.tried == 0 and "at least 3" in log.stopped
    xy, classes = town(5, regions=200, people=60, categories=(6, 4))
    seeds = balanced_density(xy, classes.population, 20)
    _, log = adc.anonymity_driven_clustering(classes, xy, seeds, 5, moves=7)
    assert log.tried == 7 and "limit of 7" in log.stopped
    assert adc.anonymity_driven_clustering(classes, xy, seeds, 5, moves=0)[1].tried == 0


def test_adc_lifts_a_class_by_hand():
    # Two areas on a line; the left one has one member of class 1, and its neighbour's regions
    # at x = 4 and 5 hold more: the site moves to the median of the members and takes them.
    xy = np.array([[0.0, 0], [1, 0], [2, 0], [4, 0], [5, 0], [9, 0], [10, 0], [11, 0]])
    held = [(0, 0, 9), (1, 1, 1), (2, 0, 9), (3, 1, 3), (4, 1, 3), (5, 1, 9), (6, 0, 9), (7, 0, 9)]
    region = np.concatenate([[r] * n for r, _, n in held])
    code = np.concatenate([[c] * n for _, c, n in held])
    classes = count_classes(region, [code], 8)
    # A line has no polygons: only the own cell's members are looked at, x = 1.
    seeds = np.array([[1.0, 0.0], [6.0, 0.0]])
    sites, log = adc.anonymity_driven_clustering(classes, xy, seeds, 3)
    assert log.tried == 0 and (sites == seeds).all()
    # With sites above and below the polygon reaches the others.
    seeds = np.array([[1.0, 0.0], [9.0, 0.0], [2.0, 50.0], [2.0, -50.0], [-50.0, 0.0]])
    around = adc.adjacent_sites(seeds)[0]
    inside = adc.neighbourhood(Clusters(classes, xy, seeds, 3), 0, around)
    assert inside.tolist() == [True] * 5 + [False] * 3


# --- Least suppression ---------------------------------------------------------------------------


def test_least_suppression_only_falls_and_keeps_its_bounds(compiled):
    xy, classes = town(8, regions=300, people=40, categories=(6, 4))
    seeds = balanced_density(xy, classes.population, 25)

    def measured(sites):
        owner, _ = nearest_sites(xy, sites)
        return measure(classes, xy, sites, owner, describe_areas(classes, owner, 25, 5))

    before = measured(seeds)
    for tolerance in (0.0, 0.05, 1.0):
        sites, log = least_suppression(
            classes, xy, seeds, 5, np.random.default_rng(2), tolerance=tolerance
        )
        after = measured(sites)
        assert log.suppressed == (before.suppressed, after.suppressed)
        assert after.suppressed < before.suppressed
        assert (np.diff([before.suppressed, *log.values]) < 0).all()
        assert after.areas >= before.areas
        assert after.compactness <= (1 + tolerance) * before.compactness * (1 + 1e-9)
        assert after.entropy_loss <= (1 + tolerance) * before.entropy_loss * (1 + 1e-9)
        assert after.anonymity >= 5
    for moves in (0, 1, 7):
        sites, log = least_suppression(classes, xy, seeds, 5, np.random.default_rng(2), moves)
        assert log.tried == moves and log.stopped == (
            f"The limit of {number_of(moves, 'move', 'moves')} was reached."
        )


def test_least_suppression_beats_adc_where_rare_classes_are_everywhere():
    xy, classes = town(9, regions=600, people=60, categories=(6, 4))
    seeds = balanced_density(xy, classes.population, 50)
    _, theirs = adc.anonymity_driven_clustering(classes, xy, seeds, 5)
    _, ours = least_suppression(classes, xy, seeds, 5, np.random.default_rng(1))
    assert ours.suppressed[1] < 0.9 * theirs.suppressed[1]


def test_searches_of_one_and_of_two_sites():
    xy, classes = town(4, regions=30, people=9, categories=(3, 2))
    for count in (1, 2, 3):
        seeds = balanced_density(xy, classes.population, count)
        sites, _ = adc.anonymity_driven_clustering(classes, xy, seeds, 3)
        assert sites.shape == (count, 2)
        sites, _ = least_suppression(classes, xy, seeds, 3, np.random.default_rng(1), moves=100)
        assert sites.shape == (count, 2)


def test_searches_can_be_cancelled_and_report():
    xy, classes = town(8, regions=300, people=40, categories=(6, 4))
    seeds = balanced_density(xy, classes.population, 25)
    for search in (
        lambda progress: adc.anonymity_driven_clustering(classes, xy, seeds, 5, progress=progress),
        lambda progress: least_suppression(
            classes, xy, seeds, 5, np.random.default_rng(1), progress=progress
        ),
    ):
        told = []
        search(told.append)
        assert len(told) > 3 and max(told) <= 1.0

        def stop(fraction):
            raise Cancelled

        with pytest.raises(Cancelled):
            search(stop)


def test_bad_parameters_are_told(rng):
    xy, classes = town(1)
    seeds = balanced_density(xy, classes.population, 3)
    for act in (
        lambda: adc.anonymity_driven_clustering(classes, xy, seeds, 1),
        lambda: adc.anonymity_driven_clustering(classes, xy, seeds, 3, moves=-1),
        lambda: least_suppression(classes, xy, seeds, 0, rng),
        lambda: least_suppression(classes, xy, seeds, 3, rng, tolerance=-0.1),
        lambda: least_suppression(classes, xy, seeds, 3, rng, tolerance=np.nan),
        lambda: least_suppression(classes, xy, seeds, 3, rng, moves=-2),
    ):
        with pytest.raises(InputError):
            act()
