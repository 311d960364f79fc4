# SPDX-License-Identifier: GPL-2.0-or-later
"""Exchange(k): a regular partner graph, against brute force and against the optimum."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from geoanon_qgis.core.masking.kept_draws import KeptDraws
from geoanon_qgis.core.masking.partner_search import (
    Net,
    circulant,
    in_rounds,
    match,
    net_of,
    one_by_one,
    repair,
)
from geoanon_qgis.core.masking.partner_swaps import best_swaps, shorten
from geoanon_qgis.core.masking.partners import check_partners, partner_graph
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError


@pytest.fixture
def plainly():
    """Run a job without numba."""

    def run(job):
        accel.set_enabled(False)
        try:
            return job()
        finally:
            accel.set_enabled(True)

    return run


@st.composite
def addresses(draw, least=2, most=40, side=8):
    """Distinct places on a small grid, where many are equally far."""
    cells = draw(
        st.lists(st.integers(0, side * side - 1), min_size=least, max_size=most, unique=True)
    )
    return np.array([divmod(cell, side) for cell in cells], dtype=float)


def towns(count, seed=3):
    """Places of uneven density."""
    rng = np.random.default_rng(seed)
    middle = rng.uniform(0, 5000, (8, 2))
    return np.unique(middle[rng.integers(0, 8, count)] + rng.normal(0, 200, (count, 2)), axis=0)


def faults(partners, k):
    """Who breaks the promise, counted one by one."""
    sets = [set(row.tolist()) for row in partners]
    return [
        one
        for one, mine in enumerate(sets)
        if mine != {-1}
        and (len(mine) != k or one not in mine or any(one not in sets[other] for other in mine))
    ]


# The structure ------------------------------------------------------------------------------


@given(addresses(), st.integers(2, 12))
@settings(max_examples=20)
def test_everybody_has_k_partners_mutually_and_is_one_of_them(xy, k):
    if len(xy) < k:
        with pytest.raises(InputError, match="need at least as many"):
            partner_graph(xy, k)
        return
    graph = partner_graph(xy, k)
    assert faults(graph.partners, k) == []
    odd = len(xy) % 2 == 1 and k % 2 == 0
    assert graph.withheld.sum() == odd


@given(addresses(least=6), st.integers(2, 6), st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_the_order_of_the_rows_does_not_matter(xy, k, random):
    order = np.array(random.sample(range(len(xy)), len(xy)))
    one, other = partner_graph(xy, k), partner_graph(xy[order], k)
    assert np.array_equal(one.withheld[order], other.withheld)
    here = ~other.withheld
    # The n-th partner is the same place, so a kept draw gives the same point.
    assert np.array_equal(xy[order][other.partners[here]], xy[one.partners[order][here]])


@pytest.mark.parametrize("count, k", [(20, 20), (21, 20), (25, 20), (41, 20), (300, 7), (501, 20)])
def test_the_graph_is_the_same_without_numba(plainly, count, k):
    xy = np.round(towns(count), 0)
    xy = np.unique(xy, axis=0)
    with_it = partner_graph(xy, k)
    assert np.array_equal(with_it.partners, plainly(lambda: partner_graph(xy, k)).partners)
    assert faults(with_it.partners, k) == []


def test_who_is_withheld_is_the_most_remote():
    xy = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [90, 90]], dtype=float)
    graph = partner_graph(xy, 4)
    assert graph.withheld.tolist() == [False] * 4 + [True]
    assert graph.partner_of(np.array([4, 0]), np.array([0.5, 0.999])).tolist() == [-1, 3]
    assert "1 without partners" in str(graph)


def test_partners_share_their_class():
    xy = towns(400)
    classes = np.arange(len(xy)) % 3 * 10
    classes[:5] = 99
    graph = partner_graph(xy, 6, classes)
    assert faults(graph.partners, 6) == []
    here = ~graph.withheld
    assert (classes[graph.partners[here]] == classes[here][:, None]).all()
    assert graph.withheld[:5].all() and graph.withheld.sum() <= 5 + 3


def test_far_or_tiny_coordinates_make_the_same_graph():
    xy = np.unique(np.random.default_rng(2).integers(0, 512, (300, 2)), axis=0).astype(float)
    partners = partner_graph(xy, 5).partners
    assert np.array_equal(partners, partner_graph(xy * 2.0**-500, 5).partners)
    assert np.array_equal(partners, partner_graph(xy + 2.0**30, 5).partners)
    assert faults(partner_graph(xy * 2.0**-600, 5).partners, 5) == []  # squares are no numbers


# Length -------------------------------------------------------------------------------------


def shortest_possible(xy, degree):
    """Length of the linear programme: no graph of that degree is shorter."""
    one, other = np.triu_indices(len(xy), 1)
    length = np.hypot(*(xy[one] - xy[other]).T)
    edge = np.arange(len(one))
    ends = coo_matrix(
        (np.ones(2 * len(one)), (np.concatenate([one, other]), np.concatenate([edge, edge])))
    )
    found = linprog(
        length, A_eq=ends.tocsr(), b_eq=np.full(len(xy), degree), bounds=(0, 1), method="highs"
    )
    assert found.status == 0
    return found.fun


@pytest.mark.parametrize("count, k", [(60, 5), (120, 20), (200, 10)])
def test_the_graph_is_within_two_percent_of_the_optimum(count, k):
    xy = np.random.default_rng(count).uniform(0, 1000, (count, 2))
    graph = partner_graph(xy, k)
    length = graph.mean_shift * count * k / 2
    best = shortest_possible(xy, k - 1)
    assert best * (1 - 1e-9) <= length <= 1.02 * best


@given(addresses(least=6, most=9, side=4))
@settings(max_examples=15)
def test_no_swap_is_left_that_shortens(xy):
    net = net_of(np.unique(xy, axis=0), 60)
    if len(net.x) % 2:
        return
    circulant(net, 3)
    before = net.total()
    shorten(net)
    assert net.total() <= before
    length = lambda a, b: int(net.length(np.array([a]), np.array([b]))[0])  # noqa: E731
    adjacent = [set(row.tolist()) for row in net.partner]
    for a, c in itertools.permutations(range(len(net.x)), 2):
        for b, d in itertools.product(adjacent[a], adjacent[c]):
            if len({a, b, c, d}) == 4 and c not in adjacent[a] and d not in adjacent[b]:
                assert length(a, b) + length(c, d) <= length(a, c) + length(b, d)


# Its parts ----------------------------------------------------------------------------------


@given(addresses(), st.integers(1, 6), st.integers(0, 30))
@settings(max_examples=40)
def test_rounds_take_what_one_pair_after_the_other_takes(xy, degree, few):
    one, other = (half.astype(np.int32) for half in np.triu_indices(len(xy), 1))
    order = np.lexsort((other, one, ((xy[one] - xy[other]) ** 2).sum(axis=1)))
    one, other = one[order], other[order]
    taken = one_by_one.python(one, other, np.full(len(xy), degree))
    assert np.array_equal(in_rounds(one, other, degree, len(xy), few=few), taken)


def test_swaps_are_the_same_without_numba(plainly):
    net = net_of(towns(900), 30)
    match(net, 7)
    assert repair(net) == (len(net.x) % 2 == 0)
    circulant(net, 6)  # long edges: swaps everywhere
    everybody = np.arange(len(net.x), dtype=np.int32)
    gain, swaps = best_swaps(net, everybody)
    assert len(gain) > 500
    plain_gain, plain_swaps = plainly(lambda: best_swaps(net, everybody))
    assert np.array_equal(gain, plain_gain) and np.array_equal(swaps, plain_swaps)


@pytest.mark.parametrize("count", range(2, 12))
def test_a_circulant_is_regular(count):
    for degree in range(1, count):
        if count * degree % 2 == 0:
            net = net_of(np.random.default_rng(count).random((count, 2)), count)
            circulant(net, degree)
            own = np.arange(count)[:, None]
            assert faults(np.hstack([own, net.partner]), degree + 1) == []


def test_repair_ends_where_nobody_has_room():
    xy = np.random.default_rng(0).random((6, 2))
    net = net_of(xy, 5)
    # Two triangles that are full, and nobody else: nothing lacks. Then one edge fewer.
    triangles = np.array([[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]], dtype=np.int32)
    net = Net(net.x, net.y, net.scale, net.near, net.row, triangles)
    assert repair(net) and np.array_equal(net.partner, triangles)
    net.partner = np.array([[1, -1], [0, -1]], dtype=np.int32)
    pair = net_of(xy[:2], 1)
    pair.partner = net.partner
    assert not repair(pair)


def test_tiles_are_joined(plainly):
    xy = towns(1501)
    whole = partner_graph(xy, 6)
    tiled = partner_graph(xy, 6, at_once=2400)
    assert faults(tiled.partners, 6) == []
    assert tiled.mean_shift <= 1.02 * whole.mean_shift
    # Partners are found across every cut.
    assert np.array_equal(
        tiled.partners, plainly(lambda: partner_graph(xy, 6, at_once=2400)).partners
    )


# The proof, the draw, and what is refused -----------------------------------------------------


@pytest.mark.parametrize(
    "partners",
    [
        [[0, 1], [1, 2], [2, 0]],  # not mutual
        [[0, 0], [1, 1]],  # one partner twice
        [[1, 2], [0, 2], [0, 1]],  # not oneself
        [[0, 1], [0, 1], [-1, 2]],  # half withheld
        [[0, 1], [-1, -1]],  # a partner who is withheld
        [[0, 5], [0, 1]],  # nobody
    ],
)
def test_a_graph_that_breaks_the_promise_is_refused(partners):
    with pytest.raises(InputError, match="what an exchange promises"):
        check_partners(np.array(partners), 2)


def test_a_graph_that_keeps_it_is_not_refused():
    check_partners(np.array([[0, 1], [0, 1], [-1, -1]]), 2)
    with pytest.raises(InputError, match="what an exchange promises"):
        check_partners(np.array([[0, 1], [0, 1]]), 3)


def test_each_partner_is_drawn_as_often():
    graph = partner_graph(towns(60), 5)
    uniforms = (np.arange(1000) + 0.5) / 1000
    place = np.full(1000, 7)
    drawn, count = np.unique(graph.partner_of(place, uniforms), return_counts=True)
    assert np.array_equal(drawn, np.sort(graph.partners[7])) and (count == 200).all()
    assert graph.partner_of(place[:1], np.array([np.nextafter(1, 0)]))[0] == graph.partners[7, -1]


@pytest.mark.parametrize(
    "place, uniforms, said",
    [
        ([0, 1], [0.5], "1 random numbers for 2 places"),
        ([99], [0.5], "none of the 30 addresses"),
        ([-1], [0.5], "none of the 30 addresses"),
        ([0], [1.0], "from 0 to below 1"),
        ([0], [np.nan], "from 0 to below 1"),
    ],
)
def test_draws_that_are_none_are_refused(place, uniforms, said):
    graph = partner_graph(towns(30), 3)
    with pytest.raises(InputError, match=said):
        graph.partner_of(np.array(place), np.array(uniforms))


@pytest.mark.parametrize(
    "xy, k, classes, said",
    [
        ([[0, 0], [1, 0]], 1, None, "at least 2 partners, itself included; with 1"),
        ([[0, 0], [1, 0]], 3, None, "There are 2 addresses; 3 partners"),
        (np.zeros((0, 2)), 3, None, "There are 0 addresses; 3 partners"),
        ([[0, 0], [0, 0], [1, 0]], 2, None, "1 place is in the address list more than once"),
        ([[0, 0], [np.nan, 0], [1, 0]], 2, None, "no finite numbers"),
        ([[0, 0], [1, 0], [2, 0]], 3, [1, 1, 2], "2 addresses in the largest class"),
        ([[0, 0], [1, 0], [2, 0]], 2, [1, 1], "2 classes for 3 addresses"),
    ],
)
def test_what_cannot_be_is_said(xy, k, classes, said):
    with pytest.raises(InputError, match=said):
        partner_graph(np.array(xy, dtype=float), k, classes)


def test_progress_rises_and_can_cancel():
    told = []
    partner_graph(towns(3000), 8, progress=told.append, at_once=8000)
    assert told[-1] == 1.0 and all(a <= b + 1e-12 for a, b in zip(told, told[1:]))

    def stop(fraction):
        if fraction > 0.4:
            raise Cancelled

    with pytest.raises(Cancelled):
        partner_graph(towns(3000), 8, progress=stop)


def test_kept_draws_give_a_place_the_same_point_in_every_release():
    xy = towns(200)
    draws = KeptDraws(bytes(range(32)), "exchange")
    released = {}
    for count in (50, 120, 200):
        order = np.random.default_rng(count).permutation(len(xy))
        graph = partner_graph(xy[order], 5)
        place = np.random.default_rng(count + 1).permutation(count)
        here = np.argsort(order)[place]
        numbers = draws.uniforms(graph.xy[here], np.empty((count, 0)), 0)[:, 0]
        points = graph.xy[graph.partner_of(here, numbers)]
        for one, point in zip(place.tolist(), points.tolist()):
            assert released.setdefault(one, point) == point
    assert len({tuple(point) for point in released.values()}) > 100
