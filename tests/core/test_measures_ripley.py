# SPDX-License-Identifier: GPL-2.0-or-later
"""Ripley's K, cross-K, edge corrections and envelopes, against brute force, peers and chance."""

from __future__ import annotations

import importlib.util

import numpy as np
import peers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.measures.edge_correction import set_covariance, share_of_circles
from geoanon_qgis.core.measures.envelopes import (
    compare_ripley,
    cross_envelope,
    csr_envelope,
    rmse_of_l,
)
from geoanon_qgis.core.measures.pairs import choose_centres, pairs_within, pattern
from geoanon_qgis.core.measures.ripley import (
    CORRECTIONS,
    Ripley,
    _first_not_below,
    cross_k,
    default_radii,
    ripley_k,
)
from geoanon_qgis.core.measures.window import Window
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

shapely = pytest.importorskip("shapely", minversion="2")

#: A square, an L, a ring with a bite, two parts.
SHAPES = {
    "box": shapely.box(0, 0, 10, 6),
    "L": shapely.Polygon([(0, 0), (10, 0), (10, 4), (4, 4), (4, 10), (0, 10)]),
    "hole": shapely.Point(5, 5).buffer(5).difference(shapely.box(4, 4, 6, 5)),
    "parts": shapely.union_all([shapely.box(0, 0, 3, 3), shapely.box(5, 0, 9, 9)]),
}
RADII = np.array([0.2, 0.7, 1.0, 1.5, 2.5])

#: Places on a coarse grid inside the box, so that some share a place.
grid_points = st.lists(
    st.tuples(st.integers(1, 19), st.integers(1, 11)), min_size=2, max_size=25
).map(lambda xy: np.array(xy, dtype=float) / 2)


@pytest.fixture(params=SHAPES)
def window(request) -> Window:
    return Window.of([SHAPES[request.param]])


def by_brute_force(first, second, window, radii, correction) -> np.ndarray:
    """K of every pair one after the other; both the same object for a single pattern."""
    within, asked = np.zeros(len(radii)), np.zeros(len(radii))
    for i, one in enumerate(first):
        away = shapely.distance(shapely.Point(one), window.shape.boundary)
        asked += away >= radii if correction == "border" else 1.0
        for j, other in enumerate(second):
            if first is second and i == j:
                continue
            d, weight = np.hypot(*(other - one)), 1.0
            counts = d <= radii
            if correction == "border":
                counts = counts & (away >= radii)
            if correction == "translation":
                moved = shapely.transform(window.shape, lambda xy, by=other - one: xy + by)
                weight = window.area / shapely.area(shapely.intersection(window.shape, moved))
            if correction == "isotropic" and d > away:
                circle = shapely.Point(one).buffer(d, quad_segs=1000).exterior
                inside = shapely.length(shapely.intersection(circle, window.shape))
                weight = circle.length / inside
            within += weight * counts
    among = len(second) - (first is second)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(asked > 0, window.area * within / (asked * among), np.nan)


@pytest.mark.slow
@pytest.mark.parametrize("correction", CORRECTIONS)
def test_k_against_brute_force(window, correction, rng):
    xy = window.draw(40, rng)
    xy = np.concatenate([xy, xy[:6], xy[:2]])  # some share a place
    ours = ripley_k(xy, window, rng, RADII, correction)
    near = 1e-12 if correction in ("none", "border") or window.is_box else 2e-3
    if correction == "isotropic":
        near = 1e-5
    truth = by_brute_force(xy, xy, window, RADII, correction)
    assert ours.k == pytest.approx(truth, rel=near, nan_ok=True)
    assert (ours.points, ours.others, ours.outside, ours.centres) == (48, 48, 0, 48)
    assert ours.l == pytest.approx(np.sqrt(truth / np.pi), rel=near, nan_ok=True)


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_cross_k_against_brute_force(window, correction, rng):
    first, second = window.draw(30, rng), window.draw(20, rng)
    second[:4] = first[:4]  # and some at a place of the other
    ours = cross_k(first, second, window, rng, RADII, correction)
    near = 1e-12 if correction in ("none", "border") or window.is_box else 2e-3
    if correction == "isotropic":
        near = 1e-5
    truth = by_brute_force(first, second, window, RADII, correction)
    assert ours.k == pytest.approx(truth, rel=near, nan_ok=True)
    assert (ours.points, ours.others) == (30, 20)


def told_by_pointpats() -> list:
    """What was written, and what it says now where it is installed."""
    live = importlib.util.find_spec("pointpats") is not None
    return [peers.written()["pointpats"], *([peers.of_pointpats()] if live else [])]


def test_pointpats_says_now_what_was_written():
    pytest.importorskip("pointpats", reason="pointpats (geopandas, scikit-learn) is not installed")
    now, then = peers.of_pointpats(), peers.written()["pointpats"]
    for name in then:
        assert now[name]["k"] == pytest.approx(then[name]["k"], rel=1e-12)


def test_k_and_cross_k_are_those_of_pointpats(rng):
    first, second = peers.patterns()
    window = Window.of([shapely.box(0, 0, 1, 1)])
    pairs = {}  # ordered pairs within each distance: K n² / A, as pointpats divides
    for told in told_by_pointpats():
        for name, xy in (("first", first), ("second", second)):
            ours = ripley_k(xy, window, rng, peers.RADII, "none")
            pairs[name] = np.array(told[name]["k"]) * len(xy) ** 2 / told[name]["area"]
            # pointpats divides by n², which is n / (n - 1) too small on average.
            assert ours.k * len(xy) * (len(xy) - 1) == pytest.approx(pairs[name], rel=1e-9)
        both = np.array(told["both"]["k"]) * 105**2 / told["both"]["area"]
        between = (both - pairs["first"] - pairs["second"]) / 2
        ours = cross_k(first, second, window, rng, peers.RADII, "none")
        assert ours.k * 60 * 45 == pytest.approx(between, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("correction", ["border", "translation", "isotropic"])
def test_k_is_right_on_average_under_complete_randomness(window, correction):
    rng, radii = np.random.default_rng(5), np.linspace(0.0, 1.2, 7)[1:]
    runs = [
        (
            ripley_k(window.draw(80, rng), window, rng, radii, correction).k,
            cross_k(window.draw(80, rng), window.draw(40, rng), window, rng, radii, correction).k,
        )
        for _ in range(150)
    ]
    for k in np.array(runs).transpose(1, 0, 2):
        error = k.std(axis=0, ddof=1) / np.sqrt(len(k))
        assert (np.abs(k.mean(axis=0) - np.pi * radii**2) < 3.5 * error).all()


@pytest.mark.slow
def test_without_correction_it_is_too_small(window):
    rng, radii = np.random.default_rng(5), np.array([1.2])
    k = [ripley_k(window.draw(80, rng), window, rng, radii, "none").k[0] for _ in range(100)]
    error = np.std(k) / 10
    assert np.mean(k) < np.pi * 1.2**2 - 5 * error


@pytest.mark.parametrize("correction", CORRECTIONS)
@given(xy=grid_points, data=st.data())
@settings(max_examples=30)
def test_k_knows_no_order_no_origin_and_no_unit(correction, xy, data):
    rng = np.random.default_rng(1)
    box = shapely.box(0, 0, 10, 6)
    radii = np.array([0.3, 0.8, 1.3, 2.2])
    found = ripley_k(xy, Window.of([box]), rng, radii, correction).k
    order = data.draw(st.permutations(range(len(xy))))
    again = ripley_k(xy[list(order)], Window.of([box]), rng, radii, correction).k
    assert again == pytest.approx(found, rel=1e-12, nan_ok=True)
    by = np.array(data.draw(st.tuples(st.integers(-99, 99), st.integers(-99, 99))), dtype=float)
    moved = Window.of([shapely.transform(box, lambda corners: corners + by)])
    again = ripley_k(xy + by, moved, rng, radii, correction).k
    assert again == pytest.approx(found, rel=1e-9, nan_ok=True)
    large = Window.of([shapely.transform(box, lambda corners: corners * 1024)])
    again = ripley_k(xy * 1024, large, rng, radii * 1024, correction).k
    assert again == pytest.approx(found * 1024**2, rel=1e-9, nan_ok=True)


def test_turning_a_quarter_changes_nothing(window, rng):
    xy = window.draw(50, rng)
    turned = shapely.transform(window.shape, lambda corners: corners[:, ::-1] * [-1, 1])
    for correction in CORRECTIONS:
        one = ripley_k(xy, window, rng, RADII, correction).k
        other = ripley_k(xy[:, ::-1] * [-1, 1], Window.of([turned]), rng, RADII, correction).k
        assert other == pytest.approx(one, rel=1e-3, nan_ok=True)


def test_shares_of_circles_by_many_points_on_them(window, rng):
    inside, goals = window.draw(150, rng), window.draw(150, rng)
    # On corners and in the middle of edges too.
    inside = np.concatenate([inside, window.edges[:, :2], window.edges.reshape(-1, 2, 2).mean(1)])
    row = rng.integers(0, len(inside), 300)
    radius = np.hypot(*(goals[rng.integers(0, 150, 300)] - inside[row]).T)
    turn = (np.arange(20_000) + 0.5) / 20_000 * 2 * np.pi
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    truth = [
        shapely.contains_xy(window.shape, *(xy + r * circle).T).mean()
        for xy, r in zip(inside[row], radius)
    ]
    assert share_of_circles(window, inside, row, radius) == pytest.approx(truth, abs=2e-4)


def test_a_circle_that_touches_the_border_is_whole(rng):
    window = Window.of([SHAPES["box"]])
    centre = np.array([[3.0, 3.0], [5.0, 2.0]])
    share = share_of_circles(window, centre, np.array([0, 1, 1]), np.array([3.0, 2.0, 4.0]))
    # The last leaves at the bottom, and touches the top.
    assert share == pytest.approx([1.0, 1.0, 1 - 2 * np.arccos(0.5) / (2 * np.pi)], abs=1e-9)


def test_the_overlap_with_itself(window, rng):
    reach = 2.5
    shift = rng.uniform(-1, 1, (200, 2)) * reach / np.sqrt(2)
    found = set_covariance(window, reach)(shift)
    truth = [
        shapely.area(shapely.intersection(window.shape, shapely.transform(window.shape, by)))
        for by in (lambda xy, one=one: xy + one for one in shift)
    ]
    assert found == pytest.approx(np.array(truth) / window.area, rel=2e-3)
    assert set_covariance(window, reach)(np.zeros((1, 2))) == pytest.approx([1.0], abs=1e-12)


@pytest.mark.slow
def test_an_outline_with_many_corners_is_simplified(rng):
    turn = np.linspace(0, 2 * np.pi, 3_001)[:-1]
    coast = 10 + 0.05 * rng.random(3_000)
    ring = shapely.Polygon(coast[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1))
    window = Window.of([ring])
    shift = rng.uniform(-2, 2, (20, 2))
    truth = [
        shapely.area(shapely.intersection(ring, shapely.transform(ring, lambda xy, by=by: xy + by)))
        for by in shift
    ]
    found = set_covariance(window, 3.0)(shift)
    assert found == pytest.approx(np.array(truth) / window.area, rel=2e-3)


@pytest.mark.slow
def test_a_sample_of_centres_is_right_on_average_and_told(rng):
    window = Window.of([SHAPES["L"]])
    xy = window.draw(1_500, rng)
    radii = np.linspace(0, 1, 6)[1:]
    whole = ripley_k(xy, window, rng, radii)
    runs = [ripley_k(xy, window, rng, radii, most_pairs=8_000) for _ in range(60)]
    assert whole.centres == 1_500 and {one.centres for one in runs} < set(range(100, 400))
    k = np.array([one.k for one in runs])
    error = k.std(axis=0, ddof=1) / np.sqrt(len(k))
    assert (np.abs(k.mean(axis=0) - whole.k) < 3.5 * error).all()


def test_pairs_are_those_of_all_records_of_a_place(rng):
    own = pattern(np.repeat([[0.0, 0.0], [1.0, 0.0]], [1_000, 3], axis=0))
    centres = choose_centres(own, own, 2.0, 10**9, rng)
    found = {
        (int(i), int(j)): (float(d), int(count))
        for row in pairs_within(centres, own, 2.0)
        for i, j, d, count in zip(*row)
    }
    assert found == {(0, 0): (0, 999_000), (1, 1): (0, 6), (0, 1): (1, 3_000), (1, 0): (1, 3_000)}


@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=12, unique=True), st.randoms())
def test_distances_are_looked_up_as_they_are_searched(some, random):
    radii = np.array(sorted(some))
    asked = [random.uniform(0, radii[-1]) for _ in range(50)]
    edges = [f(one) for one in radii for f in (float, _just_below, _just_above)]
    distance = np.array([0.0, *asked, *edges])
    distance = distance[distance <= radii[-1] * (1 + 1e-12)]
    assert (_first_not_below(radii)(distance) == np.searchsorted(radii, distance)).all()
    even = np.linspace(0, radii[-1], 51)[1:]
    distance = np.concatenate([distance, even, np.nextafter(even, 0), np.nextafter(even[:-1], 1e9)])
    assert (_first_not_below(even)(distance) == np.searchsorted(even, distance)).all()


def _just_below(one: float) -> float:
    return float(np.nextafter(one, 0))


def _just_above(one: float) -> float:
    return float(np.nextafter(one, np.inf))


def test_default_distances_are_those_of_spatstat():
    window = Window.of([shapely.box(0, 0, 10, 20)])
    # A quarter of the shorter side, or 1,000 neighbours: sqrt(1000 * 200 / (π n)).
    assert default_radii(window, 100)[-1] == 2.5
    assert default_radii(window, 100_000)[-1] == pytest.approx(np.sqrt(2 / np.pi))
    assert len(default_radii(window, 1)) == 50 and default_radii(window, 1)[0] == 0.05


def test_points_outside_are_left_out_and_counted(rng):
    window = Window.of([SHAPES["box"]])
    xy = window.draw(50, rng)
    more = np.concatenate([xy, [[-1.0, 3.0], [99.0, 99.0]]])
    one, other = (ripley_k(some, window, rng, RADII) for some in (xy, more))
    assert (one.k == other.k).all() and (other.points, other.outside) == (50, 2)
    both = cross_k(more, xy, window, rng, RADII)
    assert (both.points, both.others, both.outside) == (50, 50, 2)


@pytest.mark.slow
def test_envelopes_hold_what_they_say():
    rng = np.random.default_rng(3)
    window = Window.of([SHAPES["L"]])
    radii = default_radii(window, 50, 12)
    p, beyond, anywhere = [], [], []
    for _ in range(150):
        found = ripley_k(window.draw(50, rng), window, rng, radii)
        around = csr_envelope(50, 50, window, rng, radii)
        p.append(around.p_value(found))
        beyond.append(((found.l < around.low) | (found.l > around.high)).mean())
        anywhere.append((np.abs(found.l - radii) > around.width).any())
    # 150 tries: 3.5 standard errors of a share of .05 are .06.
    assert abs(np.mean(np.array(p) <= 0.05) - 0.05) < 0.06
    assert abs(np.mean(beyond) - 0.05) < 0.03 and abs(np.mean(anywhere) - 0.05) < 0.06
    assert 0.4 < np.mean(p) < 0.62 and min(p) >= 1 / 40


def test_a_cluster_lies_outside_the_envelope(rng):
    window = Window.of([SHAPES["box"]])
    xy = np.concatenate([window.draw(60, rng), [5.0, 3.0] + rng.normal(0, 0.2, (40, 2))])
    found = compare_ripley(xy, window.draw(100, rng), window, rng)
    assert found.envelope_before.p_value(found.before) == 1 / 40
    assert found.envelope_after.p_value(found.after) > 1 / 40
    assert found.envelope_before is found.envelope_after  # as many points: the same chance
    assert (found.before.l - found.before.radii).max() > found.envelope_before.width
    assert found.rmse > 0.2 and found.relative_rmse > 0.1


@pytest.mark.slow
def test_a_sample_of_the_same_records_differs_by_what_the_mask_did(rng):
    window, radii = Window.of([SHAPES["L"]]), np.linspace(0, 1, 6)[1:]
    xy = np.concatenate([window.draw(700, rng), [5.0, 2.0] + rng.normal(0, 0.3, (700, 2))])
    masked = xy + rng.normal(0, 0.2, xy.shape)
    settings = {"radii": radii, "simulations": 0, "most_pairs": 40_000}
    whole = compare_ripley(xy, masked, window, rng, radii, simulations=0)
    alone, matched = (
        [compare_ripley(xy, masked, window, rng, **settings, row=row).rmse for _ in range(20)]
        for row in (None, np.arange(1_400))
    )
    assert whole.before.centres == whole.before.points
    assert np.mean(matched) == pytest.approx(whole.rmse, rel=0.2)
    assert np.std(matched) < 0.5 * np.std(alone)
    # In another order, some withheld, and some of whom nobody knows who they are.
    row = rng.permutation(1_400)[:1_200]
    known = np.where(rng.random(1_200) < 0.9, row, -1)
    one = compare_ripley(xy, masked[row], window, rng, **settings, row=known)
    assert 60 <= one.before.centres < 400 and one.after.centres < 400
    # Where all can be asked, nothing is drawn.
    again = compare_ripley(xy, masked, window, rng, radii, simulations=0, row=np.arange(1_400))
    assert again.rmse == whole.rmse


@pytest.mark.slow
def test_an_envelope_of_fewer_centres_is_wider(rng):
    window = Window.of([SHAPES["box"]])
    radii = np.linspace(0, 1, 6)[1:]
    few, many = (csr_envelope(600, centres, window, rng, radii) for centres in (60, 600))
    assert few.width > 1.3 * many.width
    assert (few.high - few.low > many.high - many.low).mean() > 0.7


def test_cross_k_of_a_mask_shows_the_originals(rng):
    window = Window.of([SHAPES["box"]])
    xy = window.draw(200, rng)
    near = np.clip(xy + rng.normal(0, 0.05, xy.shape), [0, 0], [10, 6])
    found = compare_ripley(xy, near, window, rng, np.array([0.1, 0.2, 0.5, 1.0]))
    assert found.envelope_cross.p_value(found.cross) == 1 / 40
    assert found.cross.l[0] > 2 * found.envelope_cross.high[0]
    alone = cross_k(xy, window.draw(200, rng), window, rng, found.before.radii)
    assert found.envelope_cross.p_value(alone) > 1 / 40


def test_the_same_points_differ_by_nothing(rng):
    window = Window.of([SHAPES["parts"]])
    xy = window.draw(70, rng)
    found = compare_ripley(xy, xy[::-1], window, rng, simulations=0)
    assert found.rmse == pytest.approx(0.0, abs=1e-12) and found.envelope_before is None
    assert "differ by" in found.summary()


def test_the_share_of_l_is_that_of_each_distance():
    radii = np.array([1.0, 2.0, 10.0, 20.0])
    first = Ripley(radii, np.pi * np.array([0.0, 2.0, 10.0, np.nan]) ** 2, "none", 9, 9, 0, 9)
    other = Ripley(radii, np.pi * np.array([1.0, 1.0, 11.0, 20.0]) ** 2, "none", 9, 9, 0, 9)
    rmse, relative = rmse_of_l(first, other)
    # Half at 2, a tenth at 10; at 1 there is nothing to be a share of.
    assert (rmse, relative) == pytest.approx((1.0, np.sqrt((0.25 + 0.01) / 2)))
    nothing = Ripley(radii, np.zeros(4), "none", 9, 9, 0, 9)
    assert rmse_of_l(nothing, nothing)[0] == 0 and np.isnan(rmse_of_l(nothing, nothing)[1])


def test_the_seed_decides(rng):
    window = Window.of([SHAPES["hole"]])
    xy = window.draw(40, rng)
    one, other = (
        compare_ripley(xy, xy + 0.1, window, np.random.default_rng(8)).envelope_cross
        for _ in range(2)
    )
    assert (one.low == other.low).all() and (one.furthest == other.furthest).all()


@pytest.mark.parametrize(
    "settings, says",
    [
        ({"correction": "edge"}, "one of none, border"),
        ({"radii": np.array([0.0, 1.0])}, "above 0 and ascending"),
        ({"radii": np.array([2.0, 1.0])}, "above 0 and ascending"),
        ({"radii": np.array([1.0, np.nan])}, "above 0 and ascending"),
        ({"radii": np.array([])}, "above 0 and ascending"),
        ({"xy": np.full((5, 2), 99.0)}, "Only 0 of 5 points lie inside the area"),
        ({"xy": np.array([[1.0, np.nan]])}, "no finite numbers"),
    ],
)
def test_what_cannot_be_done_is_said(settings, says, rng):
    window = Window.of([SHAPES["box"]])
    asked = {"xy": window.draw(5, rng), "window": window, "rng": rng, **settings}
    with pytest.raises(InputError, match=says):
        ripley_k(**asked)


def test_too_few_simulations_are_refused(rng):
    window = Window.of([SHAPES["box"]])
    xy = window.draw(9, rng)
    with pytest.raises(InputError, match="needs at least 39 simulations, not 38"):
        compare_ripley(xy, xy, window, rng, simulations=38)
    with pytest.raises(InputError, match="at least 199 simulations"):
        csr_envelope(9, 9, window, rng, RADII, simulations=39, level=0.01)
    with pytest.raises(InputError, match="at level 2"):
        cross_envelope(xy, 9, 9, window, rng, RADII, level=2.0)


def test_progress_rises_and_a_cancel_is_heard(rng):
    window = Window.of([SHAPES["L"]])
    xy, told = window.draw(300, rng), []
    compare_ripley(xy, xy + 0.01, window, rng, correction="isotropic", progress=told.append)
    assert told == sorted(told) and told[-1] == 1.0 and len(set(told)) > 80

    def stop(fraction: float) -> None:
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        compare_ripley(xy, xy + 0.01, window, rng, progress=stop)


def test_a_window_drawn_round_points_has_the_right_size_on_average(rng):
    areas = [Window.around(rng.random((60, 2))).area for _ in range(200)]
    assert np.mean(areas) == pytest.approx(1.0, abs=4 * np.std(areas) / np.sqrt(200) + 0.02)
    drawn = Window.around(rng.random((60, 2)))
    assert drawn.drawn_around_points and "0.9" in drawn.summary() or "1." in drawn.summary()


@pytest.mark.parametrize("xy", [[[0, 0]], [[0, 0], [1, 1]], [[0, 0], [1, 1], [2, 2]], [[3, 3]] * 9])
def test_points_without_an_area_have_no_window(xy):
    with pytest.raises(InputError, match="no area of their own"):
        Window.around(np.array(xy, dtype=float))


def test_points_are_drawn_evenly(window, rng):
    xy = window.draw(20_000, rng)
    assert window.contains(xy).all()
    x = np.quantile(xy[:, 0], 0.5)
    left = shapely.area(shapely.intersection(window.shape, shapely.box(-1, -1, x, 99)))
    assert left / window.area == pytest.approx(0.5, abs=0.015)
    away = [shapely.distance(shapely.Point(one), window.shape.boundary) for one in xy[:50]]
    assert window.to_border(xy[:50]) == pytest.approx(away, abs=1e-12)
