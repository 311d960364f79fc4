# SPDX-License-Identifier: GPL-2.0-or-later
"""What areas have to keep, counted again from the regions alone: floors, widths, borders, pieces."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import box

from geoanon_qgis.core.aggregation import vbas
from geoanon_qgis.core.aggregation.boundary import Limits, boundary_moves
from geoanon_qgis.core.aggregation.construction import nearest_sites
from geoanon_qgis.core.aggregation.demands import Ceiling, Demands, Floor, diameter
from geoanon_qgis.core.aggregation.equivalence_classes import count_classes
from geoanon_qgis.core.aggregation.neighbours import (
    Neighbours,
    neighbours_of_points,
    neighbours_of_polygons,
)
from geoanon_qgis.core.aggregation.sites import balanced_density
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.points import places

LOCATIONS = ("random", "balanced_density", "adc", "least_suppression")


def town(seed, regions=40, people=25, twice=False):
    """Places, records of two quasi-identifiers, and their classes."""
    rng = np.random.default_rng(seed)
    xy = rng.random((regions, 2)) * 100
    if twice:
        xy[1], xy[5] = xy[0], xy[4]
    region = np.repeat(np.arange(regions), rng.integers(0, people, regions))
    region = np.append(region, 0)
    codes = [np.minimum(rng.geometric(0.5, len(region)) - 1, count - 1) for count in (4, 3)]
    return xy, region, codes, count_classes(region, codes, regions)


def made(classes, xy, demands, location="balanced_density", sites=6, k=4, seed=1, **options):
    return vbas.vbas(
        classes,
        xy,
        k,
        np.random.default_rng(seed),
        "fixed",
        sites=sites,
        location=location,
        options={"moves": 200, **options},
        demands=demands,
    )


def widest(xy, area):
    """The largest distance between two regions of each area."""
    wide = defaultdict(float)
    for one, other in itertools.combinations(range(len(xy)), 2):
        if area[one] == area[other]:
            wide[area[one]] = max(wide[area[one]], np.hypot(*(xy[one] - xy[other])))
    return wide


def graph_of(near):
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(near)))
    graph.add_edges_from(zip(*(ends.tolist() for ends in near.pairs())))
    return graph


def pieces(near, area):
    """Pieces of each area by networkx."""
    graph = graph_of(near)
    return {
        own: networkx.number_connected_components(
            graph.subgraph(np.flatnonzero(area == own).tolist())
        )
        for own in set(area.tolist())
    }


def suppressed(region, codes, area, k):
    sizes = Counter(zip(area[region].tolist(), *(column.tolist() for column in codes)))
    return sum(size for size in sizes.values() if size < k)


# --- floors and widths --------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(LOCATIONS),
    st.integers(1, 14),
    st.floats(0.05, 1.0),
    st.booleans(),
    st.booleans(),
)
def test_floors_are_never_broken(seed, location, sites, share, of_people, contiguous):
    xy, region, codes, classes = town(seed, twice=seed % 2 == 1)
    rng = np.random.default_rng(seed)
    floors = [Floor(classes.population, max(1, share * classes.records))]
    people = rng.integers(0, 50, len(xy)).astype(float)
    if of_people and people.sum():
        floors.append(Floor(people, max(1.0, share * people.sum()), True))
    near = neighbours_of_points(xy)
    demands = Demands(tuple(floors), near=near, contiguous=contiguous)
    result = made(classes, xy, demands, location, sites)
    held = Counter(result.area_of_region[region].tolist())
    lived = np.bincount(result.area_of_region, people)
    for area in set(result.area_of_region.tolist()):
        assert held[area] >= floors[0].least
        if len(floors) > 1:
            assert lived[area] >= floors[1].least
    assert result.measures.areas == len(result.sites) <= sites
    assert result.measures.suppressed == suppressed(region, codes, result.area_of_region, 4)
    if contiguous:
        assert set(pieces(near, result.area_of_region).values()) == {1}


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(LOCATIONS),
    st.floats(15, 120),
    st.booleans(),
    st.integers(0, 60),
)
def test_widths_are_kept_or_it_is_said_that_they_cannot_be(seed, location, most, contiguous, least):
    xy, region, _, classes = town(seed, regions=30, twice=seed % 2 == 1)
    floors = (Floor(classes.population, least),) if least else ()
    near = neighbours_of_points(xy)
    demands = Demands(floors, most, near=near, contiguous=contiguous)
    try:
        result = made(classes, xy, demands, location, 5)
    except InputError as error:
        assert least and ("wide" in str(error) or "All regions" in str(error))
        if "as far around it" in str(error):
            # Then it is so: somewhere not even everybody within the width reaches the floor.
            near_by = np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1)) <= most
            assert ((near_by * classes.population).sum(axis=1) < least).any()
        return
    area = result.area_of_region
    assert all(wide <= most * (1 + 1e-12) for wide in widest(xy, area).values())
    held = Counter(area[region].tolist())
    assert not least or all(held[one] >= least for one in set(area.tolist()))
    if contiguous:
        assert set(pieces(near, area).values()) == {1}


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([*LOCATIONS, "kmeans", "ward", "k_aware", "best"]),
    st.floats(1.0, 6.0),
    st.booleans(),
    st.sampled_from([0.0, 0.3, 1.2]),
    st.booleans(),
)
def test_no_area_is_larger_than_is_allowed(seed, location, times, contiguous, share, moving):
    xy, region, codes, classes = town(seed, regions=30, twice=seed % 2 == 1)
    size = np.random.default_rng(seed).gamma(2.0, 3.0, len(xy))
    size[0] = 0.0
    most = times * float(np.bincount(places(xy).of_point, size).max())
    floors = (Floor(classes.population, 1 + share * classes.records / 8),) if share else ()
    near = neighbours_of_points(xy)
    demands = Demands(
        floors,
        near=near,
        contiguous=contiguous,
        boundary_moves=moving,
        ceiling=Ceiling(size, most),
    )
    try:
        result = made(classes, xy, demands, location, 3)
    except InputError as error:
        assert floors and "larger" in str(error)
        return
    area = result.area_of_region
    assert np.bincount(area, size).max() <= most * (1 + 1e-9)
    assert len(result.sites) >= size.sum() / most * (1 - 1e-9)
    assert result.measures.suppressed == suppressed(region, codes, area, 4)
    held = np.bincount(area, classes.population)
    assert not floors or held.min() >= floors[0].least
    if contiguous:
        assert set(pieces(near, area).values()) == {1}


def test_regions_that_are_too_large_by_themselves_are_a_sentence():
    xy, _, _, classes = town(1, twice=True)
    size = np.ones(len(xy))
    with pytest.raises(InputError, match="40 regions are larger than the 0.5 km²"):
        made(classes, xy, Demands(ceiling=Ceiling(size, 0.5)))
    # Two pairs share a place, and belong to one area each.
    with pytest.raises(InputError, match="2 regions are larger than the 1.5 km².* 2 km²"):
        made(classes, xy, Demands(ceiling=Ceiling(size, 1.5)))
    for most in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(InputError, match="positive number"):
            made(classes, xy, Demands(ceiling=Ceiling(size, most)))


def test_demands_that_are_kept_anyway_change_nothing():
    xy, _, _, classes = town(3, regions=60)
    for location in LOCATIONS:
        plain = made(classes, xy, None, location)
        any_size = Ceiling(np.ones(len(xy)), len(xy))
        kept = made(
            classes, xy, Demands((Floor(classes.population, 1),), ceiling=any_size), location
        )
        assert (plain.area_of_region == kept.area_of_region).all()
        assert (plain.sites == kept.sites).all()
        assert plain.measures == kept.measures


def test_a_wider_tolerance_lets_a_search_suppress_less_and_the_limit_is_kept():
    xy, _, _, classes = town(8, regions=150)
    lost = []
    for tolerance in (0.0, 0.05, 0.5):
        found = made(classes, xy, None, "least_suppression", 12, moves=4000, tolerance=tolerance)
        before, after = found.before, found.measures
        assert after.compactness <= (1 + tolerance) * before.compactness * (1 + 1e-9)
        assert after.entropy_loss <= (1 + tolerance) * before.entropy_loss * (1 + 1e-9)
        assert before.suppressed == found.log.suppressed[0]
        assert after.suppressed == found.log.suppressed[1]
        lost.append(after.suppressed)
    assert lost[2] < lost[0]


def test_what_cannot_be_held_is_a_sentence():
    xy, _, _, classes = town(1)
    people = np.ones(len(xy))
    for demands, word in (
        (Demands((Floor(classes.population, classes.records + 1),)), "All regions together have"),
        (Demands((Floor(people, 41, True),)), "40 people"),
        (Demands((Floor(classes.population, 0),)), "positive number"),
        (Demands((Floor(people[:-1], 1, True),)), "as many populations"),
        (Demands((Floor(np.where(people > 0, np.nan, 0), 1, True),)), "numbers from 0"),
        (Demands((Floor(-people, 1, True),)), "numbers from 0"),
        (Demands(max_diameter=0.0), "diameter"),
        (Demands(max_diameter=-3.0), "diameter"),
        (Demands(contiguous=True), "which regions adjoin"),
        (Demands((Floor(classes.population, 300),), 1.0), "as far around it"),
    ):
        with pytest.raises(InputError, match=word):
            made(classes, xy, demands)


def test_the_diameter_is_the_largest_distance():
    rng = np.random.default_rng(2)
    for count in (0, 1, 2, 5, 64, 65, 300):
        xy = rng.normal(size=(count, 2))
        gaps = [np.hypot(*(a - b)) for a, b in itertools.combinations(xy, 2)]
        assert diameter(xy) == pytest.approx(max(gaps, default=0.0), rel=1e-14)
    line = np.stack([np.arange(100.0), np.zeros(100)], axis=1)
    assert diameter(line) == 99.0


# --- neighbours and pieces ----------------------------------------------------------------------


def squares(side=6):
    return [box(x, y, x + 1, y + 1) for y in range(side) for x in range(side)]


def test_polygons_adjoin_where_they_share_a_border():
    near = neighbours_of_polygons(squares())
    expected = networkx.convert_node_labels_to_integers(
        networkx.grid_2d_graph(6, 6), ordering="sorted"
    )
    assert {frozenset(edge) for edge in graph_of(near).edges} == {
        frozenset(edge) for edge in expected.edges
    }
    assert len(neighbours_of_polygons(squares(1))) == 1


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.booleans())
def test_points_adjoin_where_their_cells_do(seed, count, lattice):
    from geoanon_qgis.core.masking.cells import study_area, voronoi_cells
    from geoanon_qgis.core.runtime.geos import shapely

    rng = np.random.default_rng(seed)
    xy = rng.integers(0, 6, (count, 2)).astype(float) if lattice else rng.random((count, 2)) * 50
    near = graph_of(neighbours_of_points(xy))
    distinct, of_point = np.unique(xy, axis=0, return_inverse=True)
    if len(distinct) < 2:
        assert networkx.is_connected(near)
        return
    geos = shapely()
    cells, cell_of = voronoi_cells(xy, study_area(xy))
    shapes = [geos.polygons(cell) for cell in cells]
    for one, other in itertools.combinations(range(len(cells)), 2):
        length = geos.length(geos.intersection(shapes[one], shapes[other], grid_size=1e-9))
        there = near.subgraph(np.flatnonzero((cell_of == one) | (cell_of == other)).tolist())
        if length > 1e-4:
            assert networkx.is_connected(there)
        elif length < 1e-12 and geos.distance(shapes[one], shapes[other]) > 1e-6:
            assert not networkx.is_connected(there)
    assert networkx.is_connected(near)


def test_a_corner_is_no_border_and_pieces_are_counted():
    near = neighbours_of_polygons(squares(3))
    area = np.array([0, 1, 0, 1, 0, 1, 0, 1, 0])  # a chessboard
    assert near.pieces_of(area, 3).tolist() == [5, 4, 0]
    area = np.array([0, 0, 0, 1, 1, 0, 1, 1, 0])
    assert near.pieces_of(area, 2).tolist() == [1, 1]
    assert near.holds_without(0, area) and not near.holds_without(1, area)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(LOCATIONS),
    st.integers(1, 12),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_borders_are_not_crossed_and_areas_are_in_one_piece(
    seed, location, sites, contiguous, bridged, moving
):
    rng = np.random.default_rng(seed)
    xy, region, codes, classes = town(seed, twice=True)
    part = (xy[:, 0] > 40).astype(int) + 2 * (xy[:, 1] > rng.uniform(0, 100))
    part = np.unique(part, return_inverse=True)[1]
    near = neighbours_of_points(xy)
    if seed % 3 == 0:  # islands: some regions adjoin nobody
        one, other = near.pairs()
        lone = rng.random(len(xy)) < 0.15
        lone[1], lone[5] = lone[0], lone[4]
        keep = ~(lone[one] | lone[other])
        near = Neighbours.of_pairs(one[keep], other[keep], len(xy))
        near = Neighbours.of_pairs(
            *(np.append(e, t) for e, t in zip(near.pairs(), ([0, 4], [1, 5]))), len(xy)
        )
    names = tuple(f"county {number}" for number in range(4))
    demands = Demands((), np.inf, part, names, near, contiguous, bridged, moving)
    result = made(classes, xy, demands, location, sites)
    area = result.area_of_region
    for own in set(area.tolist()):
        assert len(set(part[area == own].tolist())) == 1
    assert (area[0], area[4]) == (area[1], area[5])
    assert result.measures.suppressed == suppressed(region, codes, area, 4)
    found = pieces(near, area)
    if contiguous and not bridged:
        assert set(found.values()) == {1}
        apart = networkx.number_connected_components(graph_of(near.within(part)))
        assert len(found) >= apart
    if contiguous and bridged:
        whole = near.bridged(xy, part)
        assert set(pieces(whole, area).values()) == {1}
    assert [found[own] for own in sorted(found)] == near.pieces_of(area, len(found)).tolist()


def test_borders_that_part_one_place_and_poor_parts_are_sentences():
    xy, _, _, classes = town(4, twice=True)
    part = np.zeros(len(xy), dtype=int)
    part[0] = 1
    with pytest.raises(InputError, match="at one place"):
        made(classes, xy, Demands(part=part, part_names=("a", "b")))
    xy, _, _, classes = town(4)
    part = (np.arange(len(xy)) == 3).astype(int)
    floor = Floor(classes.population, int(classes.population[3]) + 1)
    with pytest.raises(InputError, match="“Nunavut” has"):
        made(classes, xy, Demands((floor,), part=part, part_names=("Quebec", "Nunavut")))
    alone = Neighbours.of_pairs(*neighbours_of_points(xy).pairs(), len(xy))
    one, other = alone.pairs()
    keep = (one != 3) & (other != 3)
    alone = Neighbours.of_pairs(one[keep], other[keep], len(xy))
    with pytest.raises(InputError, match="An island of 1 region"):
        made(classes, xy, Demands((floor,), near=alone, contiguous=True))
    done = made(classes, xy, Demands((floor,), near=alone, contiguous=True, bridged=True))
    assert any("joined to the nearest" in note for note in done.notes)


# --- moves at the borders -----------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans(), st.sampled_from([0.0, 0.05, 0.5]))
def test_moves_at_borders_keep_limits_and_count_right(seed, contiguous, floored, tolerance):
    xy, region, codes, classes = town(seed, regions=50)
    if (classes.population == 0).all():
        return
    k, near = 4, neighbours_of_points(xy)
    sites = balanced_density(xy, classes.population, 6)
    area, _ = nearest_sites(xy, sites)
    floors = (Floor(classes.population, classes.records / 12),) if floored else ()
    demands = Demands(floors, near=near, contiguous=contiguous, boundary_moves=True)
    limits = Limits.around(classes, xy, sites, area, tolerance)
    broken = {a: c for a, c in pieces(near, area).items() if c > 1}
    if contiguous and broken:
        return
    middles, after, log = boundary_moves(classes, xy, sites, area, k, near, demands, limits)
    assert log.suppressed == (
        suppressed(region, codes, area, k),
        suppressed(region, codes, after, k),
    )
    assert log.suppressed[1] <= log.suppressed[0]
    assert set(after.tolist()) == set(area.tolist())
    length = [np.hypot(*(xy - at[own]).T).sum() for at, own in ((sites, area), (middles, after))]
    assert length[1] <= (1 + tolerance) * length[0] * (1 + 1e-12)
    if floored:
        before, now = (np.bincount(own, classes.population, 6) for own in (area, after))
        assert (now >= np.minimum(before, floors[0].least)).all()
    if contiguous:
        assert set(pieces(near, after).values()) == {1}


def test_a_gain_at_the_border_is_found():
    # Two areas in a row; region 1 holds the one member of class b that area 1 has two of.
    region = [0, 0, 0, 0, 1, 2, 2, 2, 3, 3]
    codes = [[0, 0, 0, 0, 1, 0, 0, 0, 1, 1]]
    classes = count_classes(region, codes, 4)
    xy = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    sites, area = np.array([[0.0, 0.0], [3.0, 0.0]]), np.array([0, 0, 1, 1])
    near = neighbours_of_points(xy)
    demands = Demands(near=near, boundary_moves=True)
    _, after, log = boundary_moves(classes, xy, sites, area, 3, near, demands, Limits(100.0, 100.0))
    assert after.tolist() == [0, 1, 1, 1]
    assert (log.moved, log.suppressed) == (1, (3, 0))
    assert boundary_moves(classes, xy, sites, area, 3, near, demands, Limits(0.0, 100.0))[
        1
    ].tolist() == [0, 0, 1, 1]


def test_it_can_be_cancelled():
    xy, _, _, classes = town(9, regions=200)
    demands = Demands(
        (Floor(classes.population, 20),),
        40.0,
        near=neighbours_of_points(xy),
        contiguous=True,
        boundary_moves=True,
    )
    asked = []

    def progress(fraction):
        asked.append(fraction)
        if len(asked) > 12:
            raise Cancelled

    with pytest.raises(Cancelled):
        vbas.vbas(
            classes,
            xy,
            4,
            np.random.default_rng(0),
            "fixed",
            sites=20,
            demands=demands,
            progress=progress,
        )
