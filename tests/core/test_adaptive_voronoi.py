# SPDX-License-Identifier: GPL-2.0-or-later
"""Adaptive Voronoi masking, held against diagrams and borders that are drawn out."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from georgia import POPULATION, counties
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from geoanon_qgis.core.masking.adaptive_voronoi import (
    ALONE,
    BORDER,
    EDGE,
    KEPT,
    MOVED,
    NO_AREA,
    NO_CROSSING,
    UNMOVED,
    adaptive_voronoi,
)
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

SECRET = bytes(range(32))
ELL = shapely.Polygon([(0, 0), (600, 0), (600, 300), (300, 300), (300, 600), (0, 600)])
SQUARE = shapely.box(300, 300, 600, 600)
EAST = shapely.box(600, 0, 1000, 600)
AREAS = [ELL, SQUARE, EAST]


def area_of(xy, areas=AREAS):
    inside = shapely.contains_xy(np.array(areas)[:, None], xy[None, :, 0], xy[None, :, 1])
    return np.where(inside.any(axis=0), inside.argmax(axis=0), -1)


@st.composite
def files(draw, most=40):
    """Places of which some are alone in their area, some nowhere."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.integers(1, most))
    return rng.uniform([-100, -50], [1050, 650], (count, 2))


def masked(xy, areas=AREAS, **more):
    return adaptive_voronoi(xy, areas, area_of(xy, areas), SECRET, "avm", **more)


def drawn_out(xy, area, areas=AREAS):
    """Nearest place on the union of cell borders and area borders: the slow and obvious way."""
    count = np.bincount(area[area >= 0], minlength=len(areas))
    others = np.flatnonzero((area >= 0) & (count[np.maximum(area, 0)] > 1))
    far = shapely.box(-5e6, -5e6, 6e6, 6e6)
    cells = shapely.voronoi_polygons(shapely.MultiPoint(xy[others]), extend_to=far)
    lines = [*shapely.boundary(shapely.get_parts(cells)), *shapely.boundary(areas)]
    line = shapely.shortest_line(shapely.union_all(lines), shapely.points(xy[others]))
    return others, shapely.get_coordinates(line)[::2]


@given(files())
@settings(max_examples=60, deadline=None)
def test_places_go_to_the_nearest_edge_or_border(xy):
    area = area_of(xy)
    mask = masked(xy)
    others, expected = drawn_out(xy, area) if len(xy) > 1 else ([], np.empty((0, 2)))
    moved = mask.kind[others] == MOVED
    assert moved.all()
    assert np.allclose(mask.xy[others], expected, atol=1e-6)
    assert np.isin(mask.way[others], [EDGE, BORDER]).all()
    alone = np.setdiff1d(np.flatnonzero(area >= 0), others)
    assert (mask.way[alone] == ALONE).all()
    assert (mask.kind[area < 0] == NO_AREA).all() and np.isnan(mask.xy[area < 0]).all()
    assert not mask.outside.any()
    there = area >= 0
    within = shapely.distance(np.array(AREAS)[area[there]], shapely.points(mask.xy[there]))
    assert (within < 1e-6).all()


def crossings(seed, count=60):
    return np.random.default_rng(seed).uniform([0, 0], [1000, 600], (count, 2))


@given(files(), st.integers(0, 99), st.booleans())
@settings(max_examples=60, deadline=None)
def test_then_they_go_to_the_nearest_crossing(xy, seed, inside):
    known, area = crossings(seed, 25), area_of(xy)
    before, mask = masked(xy), masked(xy, crossings=known, keep_inside=inside)
    of_crossing = area_of(known)
    for at in np.flatnonzero(area >= 0):
        allowed = of_crossing == area[at] if inside else np.full(len(known), True)
        if not allowed.any():
            assert mask.kind[at] == NO_CROSSING and np.isnan(mask.xy[at]).all()
            continue
        away = np.hypot(*(known - before.xy[at]).T)
        away[~allowed] = np.inf
        assert mask.kind[at] == MOVED and mask.xy[at].tolist() == known[away.argmin()].tolist()
        assert mask.outside[at] == (of_crossing[away.argmin()] != area[at])
    assert not (inside and mask.outside.any())


def test_counties_of_georgia():
    """Real areas, of which some hold one place and some none."""
    shapes, population = counties()
    assert population.sum() == POPULATION
    rng = np.random.default_rng(4)
    xy = shapely.get_coordinates(shapely.centroid(shapes))[rng.integers(0, 159, 250)]
    xy = xy + rng.normal(0, 12_000, xy.shape)
    area = area_of(xy, shapes)
    mask = masked(xy, shapes)
    others, expected = drawn_out(xy, area, shapes)
    assert np.allclose(mask.xy[others], expected, atol=1e-4)
    share = (mask.way[others] == BORDER).mean()
    assert 0.1 < share < 0.9 and (mask.way == ALONE).sum() > 10 and (mask.kind == NO_AREA).any()


def test_without_crossings_feet_on_borders_undo_it():
    """What help and report say: an address list and the borders are enough."""
    shapes, _ = counties()
    rng = np.random.default_rng(11)
    known = rng.uniform(*np.reshape(shapely.total_bounds(shapes), (2, 2)), (20_000, 2))
    of_known = area_of(known, shapes)
    known, of_known = known[of_known >= 0], of_known[of_known >= 0]
    row = rng.choice(len(known), 600, replace=False)
    mask = masked(known[row], shapes)
    border = np.flatnonzero((mask.way == BORDER) & (mask.kind == MOVED))
    lines = shapely.shortest_line(shapely.boundary(shapes)[of_known], shapely.points(known))
    feet = shapely.get_coordinates(lines)[::2]
    found = [np.flatnonzero(np.hypot(*(feet - mask.xy[at]).T) < 1e-3) for at in border]
    right = [len(one) == 1 and one[0] == row[at] for one, at in zip(found, border)]
    assert len(border) > 100 and np.mean(right) > 0.9


def test_the_published_snap_leaves_areas_and_keep_inside_does_not():
    xy = np.random.default_rng(2).uniform([0, 0], [1000, 600], (200, 2))
    known = crossings(5)
    assert masked(xy, crossings=known).outside.sum() > 5
    kept = masked(xy, crossings=known, keep_inside=True)
    assert not kept.outside.any() and (kept.kind == MOVED).all()
    assert (area_of(kept.xy) == area_of(xy)).all()


def test_a_crossing_on_a_border_is_in_both_areas():
    xy = np.array([[590.0, 100.0], [580.0, 150.0], [610.0, 100.0], [620.0, 150.0]])
    mask = masked(xy, crossings=np.array([[600.0, 120.0]]), keep_inside=True)
    assert (mask.kind == MOVED).all() and not mask.outside.any()


def test_who_is_alone_goes_anywhere_in_the_area_with_the_same_chance():
    found = []
    for number in range(3000):
        secret = number.to_bytes(16, "little")
        mask = adaptive_voronoi(np.array([[50.0, 50.0]]), AREAS, np.array([0]), secret, "avm")
        found.append(mask.xy[0])
    cell = np.floor(np.array(found) / 100).astype(int)
    assert (mask.way == ALONE).all()
    count = np.unique(cell, axis=0, return_counts=True)[1]
    assert len(count) == 27
    assert stats.chisquare(count).pvalue > 0.001


def test_a_household_alone_in_its_area_is_alone():
    xy = np.array([[50.0, 50.0], [50.0, 50.0], [700.0, 100.0], [800.0, 120.0]])
    mask = masked(xy)
    assert mask.way.tolist()[:2] == [ALONE, ALONE]
    assert mask.xy[0].tolist() == mask.xy[1].tolist()
    assert mask.xy[2].tolist() == mask.xy[3].tolist() == [750.0, 110.0]


@given(files(), st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=40, deadline=None)
def test_the_order_of_rows_does_not_matter(xy, random, inside):
    order = list(range(len(xy)))
    random.shuffle(order)
    known = crossings(3)
    first = masked(xy, crossings=known, keep_inside=inside)
    again = masked(xy[order], crossings=known[::-1], keep_inside=inside)
    assert np.array_equal(again.xy, first.xy[order], equal_nan=True)
    assert np.array_equal(again.kind, first.kind[order])
    assert np.array_equal(again.way, first.way[order])


@given(files(), files(), st.booleans())
@settings(max_examples=30, deadline=None)
def test_who_was_released_before_stays(first, more, with_crossings):
    known = {"crossings": crossings(4), "keep_inside": True} if with_crossings else {}
    before = masked(first, **known)
    seen = ~before.withheld
    both = np.concatenate([more, first])
    put = np.concatenate([np.full(more.shape, np.nan), before.xy])
    now = masked(both, before=put, **known)
    assert np.array_equal(now.xy[len(more) :][seen], before.xy[seen])
    assert (now.way[len(more) :][seen] == KEPT).all()
    fresh = masked(both, **known)
    new = now.way != KEPT
    assert np.array_equal(now.xy[new], fresh.xy[new], equal_nan=True)


def test_without_what_was_kept_a_growing_file_moves_its_points():
    """What the caution says: newcomers are nearer neighbours."""
    xy = np.random.default_rng(8).uniform([0, 0], [1000, 600], (300, 2))
    small, large = masked(xy[:150]), masked(xy)
    moved = np.hypot(*(small.xy - large.xy[:150]).T) > 1e-6
    assert 0.3 < moved.mean() < 0.9


def test_who_would_not_move_is_withheld():
    on_border = np.array([[600.0, 100.0], [550.0, 100.0], [500.0, 160.0]])
    mask = adaptive_voronoi(on_border, AREAS, np.array([0, 0, 0]), SECRET, "avm")
    assert mask.kind.tolist() == [UNMOVED, MOVED, MOVED] and np.isnan(mask.xy[0]).all()
    xy = np.array([[100.0, 100.0], [200.0, 120.0]])
    at_crossing = masked(xy, crossings=np.array([[100.0, 100.0], [900.0, 500.0]]))
    assert at_crossing.kind.tolist() == [UNMOVED, MOVED]
    assert "2 points: 1 moved, 1 withheld" in repr(at_crossing)


def test_nobody_at_all():
    for known in (None, crossings(1)):
        mask = masked(np.empty((0, 2)), crossings=known, keep_inside=known is not None)
        assert mask.xy.shape == (0, 2) and "0 points" in repr(mask)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"crossings": np.empty((0, 2))}, "no crossing"),
        ({"crossings": np.array([[np.nan, 1.0]])}, "Some crossings"),
        ({"stored": np.zeros((1, 2))}, "one place and one area"),
    ],
)
def test_what_cannot_be_is_said(more, said):
    with pytest.raises(InputError, match=said):
        masked(np.array([[1.0, 1.0], [2.0, 5.0]]), **more)


def test_progress_rises_and_a_cancel_is_heard():
    xy, told = np.random.default_rng(2).uniform([0, 0], [1000, 600], (200, 2)), []
    masked(xy, crossings=crossings(5), keep_inside=True, progress=told.append)
    assert told == sorted(told) and told[-1] == 1 and len(told) > 4

    def stop(fraction):
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        masked(xy, crossings=crossings(5), progress=stop)
