# SPDX-License-Identifier: GPL-2.0-or-later
"""Street networks: what a map would call crossings and dead ends, whatever the lines are like."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.street_network import JOIN_M, StreetNetwork, street_network

#: Streets along a grid of this many metres, far from the plane's origin.
STEP, FAR = 10.0, np.array([500_000.0, 5_400_000.0])


@st.composite
def grid_streets(draw, most=12):
    """Lines along the rows and columns of a small grid, by their corners (whole numbers)."""
    lines = []
    for _ in range(draw(st.integers(1, most))):
        x, y, long = draw(st.integers(0, 6)), draw(st.integers(0, 6)), draw(st.integers(1, 6))
        along = draw(st.sampled_from([(1, 0), (0, 1)]))
        lines.append([(x, y), (x + along[0] * long, y + along[1] * long)])
    return lines


def laid_out(lines):
    return [shapely.LineString(np.array(line) * STEP + FAR) for line in lines]


def unit_steps(lines):
    """All steps of one unit that the lines take: the slow and obvious network."""
    steps = set()
    for (x, y), (x2, y2) in lines:
        dx, dy = np.sign([x2 - x, y2 - y]).tolist()
        for at in range(max(abs(x2 - x), abs(y2 - y))):
            here = (x + at * dx, y + at * dy)
            steps.add(frozenset([here, (here[0] + dx, here[1] + dy)]))
    return steps


def between(network: StreetNetwork) -> np.ndarray:
    """Distances along the streets between all nodes."""
    count = len(network.xy)
    links = csr_matrix((network.length, network.neighbour, network.first), shape=(count, count))
    return dijkstra(links)


@given(grid_streets())
@settings(max_examples=60, deadline=None)
def test_nodes_and_distances_are_those_of_single_steps(lines):
    steps = unit_steps(lines)
    corners = sorted({corner for step in steps for corner in step})
    number = {corner: at for at, corner in enumerate(corners)}
    links = np.full((len(corners), len(corners)), np.inf)
    for one, other in map(tuple, steps):
        links[number[one], number[other]] = links[number[other], number[one]] = STEP
    ends = np.isfinite(links).sum(axis=0)
    links[np.isinf(links)] = 0
    expected = dijkstra(csr_matrix(links))

    network = street_network(laid_out(lines))
    # A round without a crossing has no node of its own; it begins somewhere.
    real = network.streets != 2
    found = [tuple(one) for one in np.rint((network.xy[real] - FAR) / STEP).astype(int).tolist()]
    assert found == [corner for corner in corners if ends[number[corner]] != 2]
    assert network.streets[real].tolist() == [ends[number[corner]] for corner in found]
    assert np.allclose((network.xy[real] - FAR) / STEP, found, atol=JOIN_M / STEP)
    rows = [number[corner] for corner in found]
    assert np.allclose(between(network)[np.ix_(real, real)], expected[np.ix_(rows, rows)])
    assert len(network.crossings) == sum(ends[number[corner]] >= 3 for corner in found)


@given(grid_streets(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_how_lines_are_cut_turned_and_ordered_does_not_matter(lines, random):
    first = street_network(laid_out(lines))
    pieces = []
    for (x, y), (x2, y2) in lines:
        dx, dy = np.sign([x2 - x, y2 - y]).tolist()
        long = max(abs(x2 - x), abs(y2 - y))
        cut = sorted({0, long, *(random.randint(0, long) for _ in range(2))})
        for start, stop in zip(cut, cut[1:]):
            ends = [(x + start * dx, y + start * dy), (x + stop * dx, y + stop * dy)]
            pieces.append(ends[:: random.choice([1, -1])])
    random.shuffle(pieces)
    again = street_network([*laid_out(pieces), laid_out(lines)[0]])
    real, same = first.streets != 2, again.streets != 2
    assert np.array_equal(first.xy[real], again.xy[same])
    assert np.array_equal(first.streets[real], again.streets[same])
    found = between(again)[np.ix_(same, same)]
    assert np.array_equal(between(first)[np.ix_(real, real)], found)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_the_order_of_any_lines_does_not_matter_to_the_last_bit(seed):
    rng = np.random.default_rng(seed)
    lines = [shapely.LineString(rng.uniform(0, 500, (rng.integers(2, 5), 2))) for _ in range(15)]
    one = street_network(lines)
    order = rng.permutation(len(lines))
    other = street_network([shapely.reverse(lines[at]) for at in order])
    assert np.array_equal(one.xy, other.xy) and np.array_equal(one.first, other.first)
    assert np.array_equal(one.neighbour, other.neighbour)
    assert np.array_equal(one.length, other.length)
    assert np.array_equal(one.streets, other.streets)


def test_a_street_that_ends_on_another_is_joined_though_it_misses_it_by_centimetres():
    main = shapely.LineString([(0, 0), (300, 77)])
    for miss in (-0.04, 0.0, 0.04):
        side = shapely.LineString([(150, 38.5 + miss), (100, 200)])
        network = street_network([main, side])
        assert network.streets.tolist().count(3) == 1 and network.pieces == 1
    apart = street_network([main, shapely.LineString([(150, 40), (100, 200)])])
    assert apart.pieces == 2 and len(apart.crossings) == 0


def test_of_two_streets_between_the_same_crossings_the_shorter_counts():
    square = [
        shapely.LineString([(0, 0), (100, 0)]),
        shapely.LineString([(0, 0), (0, 80), (100, 80), (100, 0)]),
        shapely.LineString([(-50, 0), (0, 0)]),
        shapely.LineString([(100, 0), (150, 0)]),
        shapely.LineString([(100, 0), (120, -30), (90, -30), (100, 0)]),  # back to itself
    ]
    network = street_network(square)
    assert network.xy.tolist() == [[-50, 0], [0, 0], [100, 0], [150, 0]]
    assert network.streets.tolist() == [1, 3, 5, 1]
    assert network.length.tolist() == [50, 50, 100, 100, 50, 50]
    assert network.neighbour.tolist() == [1, 0, 2, 1, 3, 2]


def test_rounds_lines_of_several_parts_and_heights():
    parts = shapely.from_wkt(
        "MULTILINESTRING Z ((0 0 5, 100 0 7, 100 100 9), (200 200 1, 300 300 1))"
    )
    ring = shapely.from_wkt("LINEARRING (500 500, 600 500, 600 600, 500 500)")
    network = street_network([parts, ring, shapely.LineString(), None])
    assert network.linked.sum() == 4 and network.pieces == 2
    assert network.length[:2] == pytest.approx([200, 200])
    assert "5 nodes (0 of them crossings)" in repr(network)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "no streets"),
        ([shapely.LineString(), None], "no streets"),
        ([shapely.Point(1, 2)], "must be lines"),
        ([shapely.box(0, 0, 1, 1)], "must be lines"),
        ([shapely.LineString([(0, 0), (np.inf, 1)])], "no finite numbers"),
        ([shapely.LineString([(0, 0), (np.nan, 1)])], "no finite numbers"),
        ([shapely.LineString([(5, 5), (5, 5)])], "no length"),
    ],
)
def test_what_is_no_street_is_said(lines, said):
    with pytest.raises(InputError, match=said):
        street_network(lines)


def test_a_cancel_is_heard():
    def stop(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        street_network(laid_out([[(0, 0), (5, 0)]]), stop)
