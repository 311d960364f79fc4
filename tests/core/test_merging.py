# SPDX-License-Identifier: GPL-2.0-or-later
"""Adaptive areal elimination, against slow and obvious merging of real polygons."""

from __future__ import annotations

import numpy as np
import pytest
from georgia import counties
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.masking.merging import border_step, in_order, merge_zones, shared_borders
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

shapely = pytest.importorskip("shapely", minversion="2")


@st.composite
def tilings(draw):
    """Zones of a few squares each, some of the plane left empty, so that there are islands."""
    width, height = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    label = draw(st.lists(st.integers(0, 8), min_size=width * height, max_size=width * height))
    squares = {}
    for at, one in enumerate(label):
        x, y = divmod(at, height)
        if one < 8:
            squares.setdefault(one, []).append(shapely.box(x, y, x + 1, y + 1))
    if not squares:
        squares = {0: [shapely.box(0, 0, 1, 1)]}
    shapes = shapely.normalize(np.array([shapely.union_all(one) for one in squares.values()]))
    shapes = shapes[in_order(shapes)]
    counts = draw(st.lists(st.integers(0, 6), min_size=len(shapes), max_size=len(shapes)))
    return shapes, np.array(counts, dtype=float)


def merged_slowly(shapes, counts, least):
    """The definition: sets of zones, real unions, borders measured anew in each round."""
    areas = [frozenset([zone]) for zone in range(len(shapes))]
    apart, rounds = set(), 0
    while True:
        held = {area: counts[list(area)].sum() for area in areas}
        smallest = min(held.values())
        if smallest >= least or len(areas) == 1:
            return {frozenset(area) for area in areas}, apart, rounds
        rounds += 1
        union = {area: shapely.union_all(shapes[list(area)]) for area in areas}
        pairs = []
        for area in [one for one in areas if held[one] == smallest]:
            others = [one for one in areas if one != area]
            border = {
                o: union[area].boundary.intersection(union[o].boundary).length for o in others
            }
            if max(border.values()) > 1e-9:
                goal = min(others, key=lambda o: (-round(border[o], 6), held[o], min(o)))
            else:
                gap = {o: union[area].distance(union[o]) for o in others}
                goal = min(others, key=lambda o: (round(gap[o], 6), held[o], min(o)))
                apart.add(min(area))
            pairs.append((area, goal))
        for one, other in pairs:
            whole = [area for area in areas if area & (one | other)]
            areas = [area for area in areas if area not in whole]
            areas.append(frozenset().union(*whole))


@given(tilings(), st.integers(1, 12))
@settings(max_examples=250)
def test_areas_are_those_of_the_definition(tiling, least):
    shapes, counts = tiling
    if counts.sum() < least:
        with pytest.raises(InputError, match="together hold"):
            merge_zones(shapes, counts, least)
        return
    done = merge_zones(shapes, counts, least)
    expected, apart, rounds = merged_slowly(shapes, counts, least)
    found = [frozenset(np.flatnonzero(done.area == one).tolist()) for one in range(len(done.apart))]
    assert set(found) == expected and done.rounds == rounds
    assert {one for one, area in enumerate(found) if area & apart} == set(
        np.flatnonzero(done.apart).tolist()
    )
    assert np.bincount(done.area, counts).min() >= least
    # Numbered by their first zones.
    assert [min(area) for area in found] == sorted(min(area) for area in found)


@pytest.mark.parametrize("least", [20_000, 60_000])
def test_real_counties_are_merged_as_defined(least):
    """Of Georgia, whose borders are no straight lines; a third of them, for the slow way's sake."""
    shapes, people = counties()
    south = np.argsort(shapely.get_y(shapely.centroid(shapes)))[:50]
    shapes, people = shapely.normalize(shapes[south]), people[south]
    order = in_order(shapes)
    shapes, people = shapes[order], people[order].astype(float)
    done = merge_zones(shapes, people, least)
    expected, apart, rounds = merged_slowly(shapes, people, least)
    found = {frozenset(np.flatnonzero(done.area == one).tolist()) for one in range(len(done.apart))}
    assert found == expected and done.rounds == rounds and not done.apart.any() and not apart
    assert len(expected) < 30


@given(tilings(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_neither_rows_nor_vertices_order_matter(tiling, random):
    shapes, counts = tiling
    rng = np.random.default_rng(random.getrandbits(32))
    order = rng.permutation(len(shapes))
    turned = shapely.normalize(shapely.reverse(shapes[order]))
    again = in_order(turned)
    assert shapely.equals_exact(turned[again], shapes).all()
    assert np.array_equal(order[again], np.arange(len(shapes)))


def test_borders_of_a_known_tiling():
    shapes = np.array([shapely.box(0, 0, 2, 1), shapely.box(0, 1, 1, 3), shapely.box(1, 1, 2, 3)])
    one, other, steps = shared_borders(shapes)
    step = border_step(shapes)
    assert list(zip(one.tolist(), other.tolist())) == [(0, 1), (0, 2), (1, 2)]
    assert steps * step == pytest.approx([1, 1, 2], rel=1e-5)


def test_zones_that_touch_in_a_corner_are_no_neighbours():
    shapes = np.array([shapely.box(0, 0, 1, 1), shapely.box(1, 1, 2, 2)])
    assert len(shared_borders(shapes)[0]) == 0
    done = merge_zones(shapes, np.array([1.0, 9.0]), 5)
    assert done.area.tolist() == [0, 0] and done.apart.tolist() == [True]


def test_vertices_on_one_side_only_do_not_hide_a_border():
    """Neighbours of a layer that was digitised with other vertices, a hair aside."""
    left = shapely.Polygon([(0, 0), (1000, 0), (1100, 700), (1000 + 3e-5, 1000), (0, 1000)])
    right = shapely.Polygon(
        [(1000, 0), (2000, 0), (2000, 1000), (1000, 1000), (1100, 700), (1050 + 2e-5, 350)]
    )
    _, _, steps = shared_borders(np.array([left, right]))
    length = np.hypot(100, 700) + np.hypot(100, 300)
    assert steps * border_step(np.array([left, right])) == pytest.approx([length], rel=0.01)


def test_an_island_joins_what_is_nearest_at_last():
    shapes = np.array(
        [
            shapely.box(0, 0, 1, 1),
            shapely.box(1, 0, 2, 1),
            shapely.box(5, 0, 6, 1),
            shapely.box(40, 0, 41, 1),
        ]
    )
    done = merge_zones(shapes, np.array([9.0, 9.0, 9.0, 1.0]), 5)
    assert done.area.tolist() == [0, 1, 2, 2] and done.apart.tolist() == [False, False, True]


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_counts_that_are_none_are_refused(bad):
    shapes = np.array([shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1)])
    with pytest.raises(InputError, match="negative or no finite"):
        merge_zones(shapes, np.array([5.0, bad]), 2)


def test_a_cancel_is_heard():
    side = np.arange(20.0)
    shapes = np.array([shapely.box(x, y, x + 1, y + 1) for x in side for y in side])
    asked = []

    def stop(fraction):
        asked.append(fraction)
        if fraction > 0.8:
            raise Cancelled

    with pytest.raises(Cancelled):
        merge_zones(shapes, np.arange(400.0) % 7, 30, stop)
    assert asked == sorted(asked) and len(asked) > 10
