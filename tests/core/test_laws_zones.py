# SPDX-License-Identifier: GPL-2.0-or-later
"""Displacement inside zones, against plain rejection."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from geoanon_qgis.core.masking.contained import draw_inside
from geoanon_qgis.core.masking.displacement import (
    MOVED,
    NO_ROOM,
    NO_SIZE,
    NO_ZONE,
    displace,
)
from geoanon_qgis.core.masking.kept_draws import KeptDraws
from geoanon_qgis.core.masking.laws import (
    BY_RADIUS,
    BimodalGaussian,
    Donut,
    Gaussian,
    Laplace,
    disc,
)
from geoanon_qgis.core.masking.zones import Zones, seen_from, shares_inside, zone_of
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

shapely = pytest.importorskip("shapely", minversion="2")

SECRET = bytes(range(32))
LAWS = {
    "disc": disc(100.0),
    "disc by radius": disc(100.0, BY_RADIUS),
    "donut": Donut(40.0, 100.0),
    "donut by radius": Donut(40.0, 100.0, BY_RADIUS),
    "gaussian": Gaussian(50.0),
    "bimodal": BimodalGaussian(60.0),
    "bimodal narrow": BimodalGaussian(60.0, 4.0),
    "laplace": Laplace(0.03),
}
each_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
#: Zones round the place at 0, 0: what is left of the law lies in a strip, behind a bay, in parts.
ZONES = {
    "half": shapely.box(-1000, 0.5, 1000, 1000),
    "corner": shapely.box(0, 0, 500, 500),
    "strip": shapely.box(-300, 10, 300, 13),
    "far": shapely.box(60, 50, 64, 90),
    "hole": shapely.Point(5, 5).buffer(150).difference(shapely.Point(20, 0).buffer(60)),
    "parts": shapely.union_all(
        [shapely.box(-80, -20, -60, 5), shapely.box(30, 30, 70, 45), shapely.box(-5, -5, 5, 5)]
    ),
    "bay": shapely.Polygon([(-50, -40), (90, -40), (90, 60), (10, -30), (-50, 60)]),
}
each_zone = pytest.mark.parametrize("shape", ZONES.values(), ids=ZONES)
HERE, FIRST = np.zeros((1, 2)), np.zeros(1, dtype=int)


def free_draws(law, count, seed=1):
    rng = np.random.default_rng(seed)
    radius, turn = law.radii(rng.random(count)), rng.uniform(0, 2 * np.pi, count)
    return np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)


def drawn_exactly(law, shape, count, seed=2):
    """Points by the exact way alone, and the share that comes with them."""
    zones = Zones.of([shape])
    reach = np.array([float(law.reach())])
    _, near, seen = seen_from(HERE, zones, FIRST, reach)
    edges, inside = zones.edges[near] - np.tile(seen[0], 2), bool(zones.contain(seen, FIRST)[0])
    uniform = np.random.default_rng(seed).random((count, 2))
    found = [draw_inside(edges, inside, law, one) for one in uniform]
    return np.array([steps[0] for steps, _ in found if len(steps)]), found[0][1]


# The share inside -----------------------------------------------------------------------------


@each_law
@each_zone
def test_the_share_inside_is_that_of_draws(law, shape):
    zones = Zones.of([shape])
    share = shares_inside(HERE, law, zones, FIRST)[0]
    count = 50_000
    hits = zones.contain(free_draws(law, count), np.zeros(count, dtype=int)).sum()
    assert stats.binomtest(int(hits), count, min(share, 1.0)).pvalue > 1e-4
    # And the other way of adding it up.
    assert drawn_exactly(law, shape, 1)[1] == pytest.approx(share, rel=1e-3, abs=1e-9)


def test_shares_that_are_known():
    square = Zones.of([shapely.box(0, 0, 1000, 1000)])
    xy = np.array([[500.0, 500], [0, 500], [0, 0], [500, 1000], [2000, 0], [100, 500]])
    zone = np.zeros(len(xy), dtype=int)
    found = shares_inside(xy, Gaussian(50.0), square, zone)
    expected = [1, 0.5, 0.25, 0.5, 0, stats.norm.cdf(2)]
    assert np.allclose(found, expected, atol=2e-6)
    assert found[0] == 1 and found[4] == 0
    segment = (np.arccos(0.5) - 0.5 * np.sqrt(0.75)) / np.pi  # beyond half the radius
    assert shares_inside(np.array([[50.0, 500]]), disc(100.0), square, FIRST)[0] == pytest.approx(
        1 - segment, abs=1e-5
    )


def test_each_point_has_its_own_size_and_zone():
    rng = np.random.default_rng(4)
    zones = Zones.of([shapely.box(0, 0, 100, 100), ZONES["hole"], ZONES["bay"]])
    xy, zone = rng.uniform(-20, 100, (60, 2)), rng.integers(-1, 3, 60)
    for law in (Gaussian(rng.uniform(5, 60, 60)), Donut(rng.uniform(1, 9, 60), 40.0)):
        found = shares_inside(xy, law, zones, zone)
        alone = [
            shares_inside(xy[row : row + 1], law.of([row]), zones, zone[row : row + 1])[0]
            for row in range(60)
        ]
        assert np.allclose(found, alone, atol=1e-12) and (found[zone < 0] == 0).all()


def test_rings_may_run_either_way():
    shape = ZONES["hole"]
    shell, hole = shape.exterior.coords[:], shape.interiors[0].coords[:]
    found = {
        round(float(shares_inside(HERE, Gaussian(50.0), Zones.of([one]), FIRST)[0]), 9)
        for one in (
            shapely.Polygon(shell, [hole]),
            shapely.Polygon(shell[::-1], [hole]),
            shapely.Polygon(shell, [hole[::-1]]),
            shapely.Polygon(shell[::-1], [hole[::-1]]),
        )
    }
    assert len(found) == 1


# Contained draws ------------------------------------------------------------------------------


@each_law
@pytest.mark.parametrize("name", ["parts", "bay"])
def test_exact_draws_are_those_that_rejection_keeps(law, name):
    zones = Zones.of([ZONES[name]])
    kept = free_draws(law, 60_000)
    kept = kept[zones.contain(kept, np.zeros(len(kept), dtype=int))]
    found, _ = drawn_exactly(law, ZONES[name], 200)
    assert len(found) == 200
    for way in (
        lambda xy: np.hypot(*xy.T),
        lambda xy: np.arctan2(xy[:, 1], xy[:, 0]),
        lambda xy: xy[:, 0],
        lambda xy: xy[:, 1],
    ):
        assert stats.ks_2samp(way(found), way(kept)).pvalue > 1e-4


def test_points_stay_in_their_zones_and_follow_their_law():
    """Where rejection does and where it does not: a tenth of a percent of the law is inside."""
    rng = np.random.default_rng(8)
    zones = Zones.of([shapely.box(-2000, -2000, 2000, 2000), shapely.box(0, 0, 3, 4000)])
    xy = np.concatenate([rng.uniform(-2000, 2000, (1500, 2)), rng.uniform(0, 3, (400, 2))])
    xy[1500:, 1] += 2000
    zone = np.repeat([0, 1], [1500, 400])
    found = displace(xy, Gaussian(500.0), SECRET, "mask", zones, zone)
    assert not found.withheld.any() and zones.contain(found.xy, zone).all()
    assert not found.exact[:1500].any() and found.exact[1500:].sum() > 200
    along = (found.xy - xy)[1500:, 1]
    assert stats.kstest(along / 500, stats.truncnorm(-4, 4).cdf).pvalue > 0.001
    assert stats.kstest(found.xy[1500:, 0] / 3, "uniform").pvalue > 0.001


def test_a_point_outside_of_its_zone_is_drawn_into_it():
    zones = Zones.of([ZONES["far"]])
    found = displace(HERE, Gaussian(20.0), SECRET, "mask", zones)
    assert found.exact[0] and zones.contain(found.xy, FIRST)[0]


# Withheld, never released where they are ----------------------------------------------------------


@pytest.mark.filterwarnings("error")
def test_what_cannot_be_masked_is_withheld():
    zones = Zones.of([shapely.box(0, 0, 10, 10), shapely.box(500, 500, 510, 510)])
    xy = np.array([[5.0, 5], [6, 5], [7, 5], [8, 5], [9, 5]])
    law = disc(np.array([3.0, np.inf, 3.0, 3.0, 1e-300]))
    found = displace(xy, law, SECRET, "mask", zones, np.array([0, 0, -1, 1, 0]))
    assert found.kind.tolist()[:4] == [MOVED, NO_SIZE, NO_ZONE, NO_ROOM]
    assert found.withheld.tolist()[:4] == [False, True, True, True]
    assert np.isnan(found.xy[found.withheld]).all() and np.isnan(found.shift[1])
    assert "withheld" in repr(found) and "5." not in repr(found)


@each_law
def test_an_impossible_zone_is_withheld(law):
    far = law.reach(1e-17) * 3
    zones = Zones.of([shapely.box(far, far, far + 1, far + 1)])
    found = displace(HERE, law, SECRET, "mask", zones)
    assert found.kind.tolist() == [NO_ROOM] and np.isnan(found.xy).all()
    assert shares_inside(HERE, law, zones, FIRST).tolist() == [0]


def test_a_zone_that_is_avoided_as_a_whole_has_no_room():
    zones = Zones.of([shapely.box(0, 0, 10, 10)], [shapely.box(-1, -1, 11, 11)])
    found = displace(np.array([[5.0, 5.0]]), disc(3.0), SECRET, "mask", zones)
    assert found.kind.tolist() == [NO_ROOM]
    assert shares_inside(np.array([[5.0, 5.0]]), disc(3.0), zones, FIRST).tolist() == [0]


def test_water_is_avoided_without_any_zone():
    sea = shapely.box(0, -1000, 1000, 1000)
    zones = Zones.of(None, [sea, shapely.box(-500, -5, 0, 5)])
    xy = np.random.default_rng(3).uniform(-50, 0, (500, 2))
    found = displace(xy, Laplace(0.02), SECRET, "mask", zones)
    assert not found.withheld.any()
    assert not shapely.contains_xy(sea, found.xy[:, 0], found.xy[:, 1]).any()
    assert shares_inside(HERE, disc(2.0), zones, FIRST)[0] == pytest.approx(0, abs=1e-5)


# Kept -------------------------------------------------------------------------------------------


@each_law
def test_no_place_moves_again_in_a_registry_that_grows(law):
    rng = np.random.default_rng(11)
    zones = Zones.of([shapely.box(0, 0, 400, 0.2), ZONES["hole"]])
    places = np.concatenate(
        [rng.uniform(0, 400, (40, 2)) * [1, 0.0008], rng.normal(0, 60, (20, 2))]
    )
    zone, mixed = np.repeat([0, 1], [40, 20]), rng.permutation(60)
    places, zone = places[mixed], zone[mixed]
    size = law.of(slice(None))
    first = displace(places[:30], size, SECRET, "mask", zones, zone[:30])
    order = rng.permutation(60)
    later = displace(places[order], size, SECRET, "mask", zones, zone[order])
    assert first.exact.any() and not first.exact.all()
    again = np.empty_like(later.xy)
    again[order] = later.xy
    assert np.array_equal(again[:30], first.xy)
    free = displace(places, size, SECRET, "mask")
    assert np.array_equal(displace(places[order], size, SECRET, "mask").xy, free.xy[order])


def test_records_at_one_place_move_together():
    xy = np.array([[3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [-0.0, 0.0], [0.0, -0.0]])
    found = displace(xy, Gaussian(50.0), SECRET, "mask").xy
    assert np.array_equal(found[0], found[2]) and np.array_equal(found[3], found[4])
    assert len(np.unique(found, axis=0)) == 3


def test_other_sizes_masks_and_secrets_move_elsewhere_and_in_another_direction():
    found = [
        displace(HERE, law, secret, mask).xy[0]
        for law, secret, mask in (
            (Gaussian(50.0), SECRET, "mask"),
            (Gaussian(60.0), SECRET, "mask"),
            (disc(50.0), SECRET, "mask"),
            (disc(50.0, BY_RADIUS), SECRET, "mask"),
            (Gaussian(50.0), SECRET, "other"),
            (Gaussian(50.0), SECRET[::-1], "mask"),
        )
    ]
    turns = np.arctan2(*np.array(found).T)
    assert np.diff(np.sort(turns)).min() > 1e-3


def test_the_stored_coordinates_say_which_place_it_is():
    moved = displace(HERE + 1000.0, disc(50.0), SECRET, "mask", stored=HERE).xy
    assert np.allclose(moved - 1000, displace(HERE, disc(50.0), SECRET, "mask").xy, atol=1e-9)


def test_masking_can_be_stopped():
    def stop(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        displace(HERE, disc(5.0), SECRET, "mask", progress=stop)
    with pytest.raises(Cancelled):
        shares_inside(HERE, disc(5.0), Zones.of([ZONES["half"]]), FIRST, stop)


def test_the_law_of_a_million_would_be_followed():
    rng = np.random.default_rng(5)
    xy = rng.uniform(0, 1e5, (20_000, 2))
    step = displace(xy, Gaussian(1.0), SECRET, "mask").xy - xy
    turn = np.bincount(((np.arctan2(*step.T) / (2 * np.pi) + 0.5) * 36).astype(int), minlength=36)
    assert stats.chisquare(turn[:36]).pvalue > 0.001
    assert stats.kstest(np.hypot(*step.T), stats.rayleigh.cdf).pvalue > 0.001


@pytest.mark.parametrize(
    "work, said",
    [
        (lambda: Zones.of([]), "Zone number 1 has no area"),
        (lambda: Zones.of([ZONES["far"], shapely.Polygon()]), "Zone number 2 has no area"),
        (lambda: Zones.of([shapely.Point(1, 1)]), "Zone number 1 has no area"),
        (
            lambda: Zones.of([shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])]),
            "Zone number 1 crosses itself",
        ),
        (lambda: Zones.of([ZONES["far"]], [shapely.Point(1, 1)]), "no area"),
        (lambda: displace(HERE * np.nan, disc(1.0), SECRET, "mask"), "no finite numbers"),
        (lambda: displace(HERE, disc(1.0), b"short", "mask"), "The secret has 5 bytes"),
        (lambda: displace(HERE, disc(np.ones(2)), SECRET, "mask"), "one size for each of the 1"),
        (
            lambda: displace(np.zeros((2, 2)), disc(np.array([1.0, 2.0])), SECRET, "mask"),
            "different sizes or different zones",
        ),
    ],
)
def test_what_cannot_be_worked_with_is_refused(work, said):
    with pytest.raises(InputError, match=said):
        work()


def test_kept_draws_know_the_law():
    """The numbers are those of the mask's id with the law's name, as the documentation says."""
    uniform = KeptDraws(SECRET, "mask disc area").uniforms(HERE, np.array([[0.0, 9.0]]), 0)[0]
    radius, turn = 9 * np.sqrt(uniform[0]), 2 * np.pi * uniform[1]
    found = displace(HERE, disc(9.0), SECRET, "mask").xy[0]
    assert np.allclose(found, [radius * np.cos(turn), radius * np.sin(turn)], rtol=1e-14)


def test_a_point_on_a_border_has_its_zone_in_any_order_of_the_zones():
    shapes = [shapely.box(x, y, x + 10, y + 10) for x in (0, 10, 20) for y in (0, 10)]
    shapes += [shapely.box(2, 2, 4, 4), shapely.box(0, 0, 6, 6)]
    xy = np.array([[10, 5], [5, 10], [10, 10], [20, 13], [3, 3], [10, 0], [30, 20], [31, 20.0]])
    first = zone_of(xy, shapes)
    assert first.tolist()[-2:] == [5, -1]
    rng = np.random.default_rng(1)
    for _ in range(5):
        order = rng.permutation(len(shapes))
        again = zone_of(xy, [shapes[row] for row in order])
        assert np.where(again < 0, -1, order[again]).tolist() == first.tolist()
