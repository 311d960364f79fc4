# SPDX-License-Identifier: GPL-2.0-or-later
"""Clique search against networkx, families with known clique numbers, and its promises."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from kroll import symmetric, way  # noqa: F401
from poets import D1, D2, KNOWN, POETS

from geoanon_qgis.core.attacks.cliques import bitsets
from geoanon_qgis.core.attacks.cliques import branch as clique_branch
from geoanon_qgis.core.attacks.cliques import doll as clique_doll
from geoanon_qgis.core.attacks.cliques import search as engine
from geoanon_qgis.core.attacks.cliques.local import LocalSearch
from geoanon_qgis.core.attacks.cliques.product_graph import ProductGraph, product_graph
from geoanon_qgis.core.attacks.cliques.search import Turns, maximum_clique
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError


def random_graph(seed, most=60, low=0.05, high=0.85):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, most))
    upper = np.triu(rng.random((n, n)) < rng.uniform(low, high), 1)
    return upper | upper.T


def maximum_clique_of(adjacency, **options):
    """A maximum clique of any graph, given as a symmetric bool matrix."""
    n = len(adjacency)
    bits = np.zeros((n, -(-n // 64) * 64), dtype=bool)
    bits[:, :n] = adjacency & ~np.eye(n, dtype=bool)
    rows = np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    degree = bits.sum(axis=1).astype(np.int64)
    own = np.arange(n, dtype=np.int64)
    graph = ProductGraph(own, own, rows, degree, int(degree.sum()) // 2, n, n)
    return maximum_clique(graph, **options)


def random_attack(seed, n=14, kinds=3, width=1.5):
    """A small product graph with some true matches in it."""
    rng = np.random.default_rng(seed)
    xy = rng.uniform(0, 10, (2 * n - 5, 2))
    labels = rng.integers(kinds, size=len(xy))
    d = np.hypot(*(xy[:, None] - xy).transpose(2, 0, 1))
    d = (d + d.T) / 2
    order = rng.permutation(n)
    one, other = order, np.arange(n - 5, 2 * n - 5)
    released = d[np.ix_(one, one)] + symmetric(rng, n, -1, 1, 6)
    known = d[np.ix_(other, other)]
    return product_graph(
        labels[one].tolist(), labels[other].tolist(), released, known - width, known + width
    )


def is_clique(adjacency, members):
    between = adjacency[np.ix_(members, members)]
    return bool((between | np.eye(len(members), dtype=bool)).all())


def all_maximum(adjacency):
    networkx = pytest.importorskip("networkx")
    found = [sorted(one) for one in networkx.find_cliques(networkx.from_numpy_array(adjacency))]
    size = max(len(one) for one in found)
    return {tuple(one) for one in found if len(one) == size}


def check(adjacency, **options):
    expected = all_maximum(adjacency)
    result = maximum_clique_of(adjacency, **options)
    assert result.proven and result.stopped == ""
    assert tuple(result.members) in expected
    if len(expected) <= 1000:
        assert result.n_maximum == len(expected) and result.all_maximum
        common = set.intersection(*map(set, expected))
        assert set(result.members[result.in_every]) == common
        assert result.unique == len(common)
    return result.proven_by


#: What lets one search or the other do the work on graphs this small.
ROUTES = {
    "doll": Turns(),
    "branch": Turns(first_work=1, round_steps=400),
    "turns": Turns(first_work=30, round_steps=350),
    "unaided": Turns(first_steps=1, round_steps=1, most_steps=1, first_work=60),
    "hard vertices": Turns(doll=clique_doll.Limits(budget=8)),
}


def by_lists(words=32):
    """The doll's way in a sparse graph, with digests of so many words."""
    return Turns(doll=clique_doll.Limits(sparse=np.inf, most_words=words))


@pytest.mark.parametrize(
    "route",
    [
        "doll",
        "branch",
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("turns", "unaided", "hard vertices")
        ),
    ],
)
def test_against_networkx(route):
    proven_by = {check(random_graph(seed), turns=ROUTES[route]) for seed in range(120)}
    if route in ("doll", "hard vertices"):
        assert proven_by == {"russian doll"}
    if route == "branch":
        assert "branch and bound" in proven_by


@pytest.mark.slow
@pytest.mark.parametrize("words", [0, 32])
def test_by_lists_of_neighbours_against_networkx(words):
    # As in a sparse graph: with digests of the lists and without.
    turns = by_lists(words)
    assert {check(random_graph(seed), turns=turns) for seed in range(80)} == {"russian doll"}
    for seed in range(40):
        graph = random_attack(seed)
        expected = all_maximum(graph.adjacency())
        result = maximum_clique(graph, turns=turns)
        assert result.proven and tuple(result.members) in expected
        assert result.n_maximum == len(expected) and result.all_maximum
        other = maximum_clique(graph, turns=Turns(doll=clique_doll.Limits(sparse=0)))
        assert np.array_equal(result.members, other.members)


def words_of(adjacency):
    n = len(adjacency)
    bits = np.zeros((n, -(-n // 64) * 64), dtype=bool)
    bits[:, :n] = adjacency
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def test_many_common_neighbours(way):  # noqa: F811
    # Two hubs share 256 neighbours, as many as no byte counts; nothing else is joined.
    hubs = np.zeros((258, 258), dtype=bool)
    hubs[256:] = hubs[:, 256:] = True
    np.fill_diagonal(hubs, False)
    own, rows = np.arange(258), words_of(hubs)
    begin = np.concatenate([[0], np.cumsum(hubs.sum(axis=1))])
    for words in (0, 32):
        lists = bitsets.list_neighbours(rows, begin)
        doll = clique_doll.Doll(rows, own, hubs.sum(axis=1), lists, by_lists(words).doll)
        while doll.go_on(10**6, 10**9, 10**9) != clique_doll.FINISHED:
            pass
        assert len(doll.clique) == 3 and set(doll.clique) > {256, 257}


@pytest.mark.parametrize(("n", "share"), [(520, 0.05), (600, 0.1), (1100, 0.04)])
def test_branching_in_long_rows(n, share):
    # Few candidates are then searched in words of their own.
    networkx = pytest.importorskip("networkx")
    rng = np.random.default_rng(n)
    upper = np.triu(rng.random((n, n)) < share, 1)
    graph = upper | upper.T
    sizes = [len(one) for one in networkx.find_cliques(networkx.from_numpy_array(graph))]
    for floor in (0, max(sizes) - 1, max(sizes)):
        search = clique_branch.Branching(words_of(graph), floor, 10**9)
        while search.go_on(10_000, 10**12, 10**12) != clique_branch.FINISHED:
            pass
        assert is_clique(graph, search.clique)
        assert len(search.clique) == (0 if floor == max(sizes) else max(sizes))
    every = clique_branch.Branching(words_of(graph), max(sizes) - 1, max(sizes), every=True)
    found = set()
    while (status := every.go_on(10**9, 10**12, 10**12)) != clique_branch.FINISHED:
        if status == clique_branch.FOUND:
            found.add(tuple(sorted(every.clique)))
    assert len(found) == sizes.count(max(sizes))
    goal = clique_branch.Branching(words_of(graph), 1, 3)
    assert goal.go_on(10**9, 10**12, 10**12) == clique_branch.FOUND
    assert len(goal.clique) >= 3 and is_clique(graph, goal.clique)


def test_branching_in_long_rows_is_the_same_without_numba():
    if not accel.enabled():
        pytest.skip("numba is not installed")
    rng = np.random.default_rng(5)
    upper = np.triu(rng.random((1090, 1090)) < 0.02, 1)
    results = []
    try:
        for on in (True, False):
            accel.set_enabled(on)
            search = clique_branch.Branching(words_of(upper | upper.T), 2, 10**9)
            search.go_on(30_000, 10**12, 10**12)
            results.append((search.clique.tolist(), search.nodes, search.work))
    finally:
        accel.set_enabled(True)
    assert results[0] == results[1] and results[0][1] > 20


def test_small_slices_change_nothing():
    whole = [maximum_clique_of(random_graph(seed)) for seed in range(25)]
    for seed, one in enumerate(whole):
        other = maximum_clique_of(random_graph(seed), turns=Turns(slice=40))
        assert np.array_equal(one.members, other.members)
        assert (one.steps, one.local_steps) == (other.steps, other.local_steps)


@pytest.mark.parametrize("seed", range(40))
def test_attacks_against_networkx(seed):
    graph = random_attack(seed)
    result = maximum_clique(graph)
    adjacency = graph.adjacency()
    assert tuple(result.members) in all_maximum(adjacency)
    # One to one, always.
    assert len(set(graph.target[result.members])) == len(result)
    assert len(set(graph.identification[result.members])) == len(result)


@pytest.mark.parametrize("seed", range(5))
def test_cliques_are_common_subgraphs(seed):
    """Theorem 7: the largest clique is the largest approximate common subgraph."""
    rng = np.random.default_rng(seed)
    n, eps = 5, 2.0
    labels1, labels2 = rng.integers(2, size=n), rng.integers(2, size=n)
    w1, w2 = symmetric(rng, n), symmetric(rng, n)
    graph = product_graph(labels1.tolist(), labels2.tolist(), w1, w2 - eps, w2 + eps)
    best = 0
    for size in range(1, n + 1):
        for some in itertools.combinations(range(n), size):
            for image in itertools.permutations(range(n), size):
                if all(labels1[s] == labels2[i] for s, i in zip(some, image)) and all(
                    abs(w1[some[a], some[b]] - w2[image[a], image[b]]) < eps
                    for a in range(size)
                    for b in range(a)
                ):
                    best = size
    assert len(maximum_clique(graph)) == best


def test_example_10(way):  # noqa: F811
    graph = product_graph(POETS, KNOWN, D1, D2 - 5, D2 + 5)
    result = maximum_clique(graph)
    matches = list(zip(graph.target[result.members] + 1, graph.identification[result.members] + 1))
    assert matches == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert result.proven and result.n_maximum == 1 and result.unique == 4
    assert bool(result.slow) == (way == "plain")


def far_apart(codes, least):
    return (codes[:, None] != codes).sum(axis=2) >= least


def hamming(length, least):
    return far_apart(np.array(list(itertools.product((0, 1), repeat=length))), least)


def johnson(length, weight, least):
    ones = list(itertools.combinations(range(length), weight))
    codes = np.zeros((len(ones), length), dtype=int)
    codes[np.arange(len(ones))[:, None], ones] = 1
    return far_apart(codes, least)


def keller(dimension):
    codes = np.array(list(itertools.product(range(4), repeat=dimension)))
    gap = (codes[:, None] - codes) % 4
    return ((gap != 0).sum(axis=2) >= 2) & (gap == 2).any(axis=2)


@pytest.mark.parametrize(
    ("graph", "size"),
    [
        (hamming(6, 2), 32),
        (hamming(6, 4), 4),
        (hamming(8, 2), 128),
        (hamming(8, 4), 16),
        (johnson(8, 2, 4), 4),
        (johnson(8, 4, 4), 14),
        (johnson(16, 2, 4), 8),
        (keller(2), 2),
        (keller(3), 5),
        (keller(4), 12),
    ],
    ids=[
        "hamming6-2",
        "hamming6-4",
        "hamming8-2",
        "hamming8-4",
        "johnson8-2-4",
        "johnson8-4-4",
        "johnson16-2-4",
        "keller2",
        "keller3",
        "keller4",
    ],
)
def test_families_with_known_clique_numbers(graph, size):
    """Published clique numbers: DIMACS (Hamming, Johnson), Keller graphs of dimension 2 to 4."""
    result = maximum_clique_of(graph, cliques=0)
    assert result.proven and len(result) == size and is_clique(graph, result.members)


def p_hat(n, low, high, seed):
    """Random graphs with a wide spread of degrees (Gendreau, Soriano & Salvail 1993)."""
    rng = np.random.default_rng(seed)
    own = rng.uniform(low, high, n)
    upper = np.triu(rng.random((n, n)) < (own[:, None] + own) / 2, 1)
    return upper | upper.T


@pytest.mark.parametrize("seed", range(4))
def test_uneven_random_graphs(seed):
    networkx = pytest.importorskip("networkx")
    graph = p_hat(110, 0.0, 0.75, seed)
    result = maximum_clique_of(graph)
    exact, size = networkx.max_weight_clique(networkx.from_numpy_array(graph), weight=None)
    assert result.proven and len(result) == size == len(exact)


@pytest.mark.parametrize("seed", range(5))
def test_a_planted_clique_is_found_and_proven(seed):
    rng = np.random.default_rng(seed)
    n, size = 400, 25
    upper = np.triu(rng.random((n, n)) < 0.3, 1)
    planted = np.sort(rng.choice(n, size, replace=False))
    upper[np.ix_(planted, planted)] = np.triu(np.ones((size, size), dtype=bool), 1)
    result = maximum_clique_of(upper | upper.T)
    assert result.proven and np.array_equal(result.members, planted)
    assert result.unique == size and result.found_by == "local search"


def test_the_local_search_only_holds_cliques():
    for seed in range(30):
        graph = random_graph(seed, most=90)
        search = LocalSearch(words_of(graph), np.random.default_rng(seed))
        search.go_on(10**9, 500)
        assert search.steps == 500
        assert len(search.clique) == len(set(search.clique)) > 0
        assert is_clique(graph, search.clique)


@pytest.mark.parametrize("lists", [False, True])
def test_the_same_with_and_without_numba(lists):
    turns = by_lists() if lists else None
    if not accel.enabled():
        pytest.skip("numba is not installed")
    graphs = [random_attack(seed) for seed in range(8)]
    results = []
    try:
        for on in (True, False):
            accel.set_enabled(on)
            results.append(
                [
                    maximum_clique(
                        graph, rng=np.random.default_rng(3), random_tie=True, turns=turns
                    )
                    for graph in graphs
                ]
            )
    finally:
        accel.set_enabled(True)
    for one, other in zip(*results):
        assert np.array_equal(one.members, other.members)
        assert np.array_equal(one.in_every, other.in_every)
        assert (one.steps, one.local_steps, one.n_maximum) == (
            other.steps,
            other.local_steps,
            other.n_maximum,
        )
        assert one.slow == "" and "without numba" in other.slow


def test_ties_are_drawn_at_random():
    # Three disjoint triangles and a lone vertex.
    graph = np.zeros((10, 10), dtype=bool)
    for k in (0, 3, 6):
        graph[k : k + 3, k : k + 3] = ~np.eye(3, dtype=bool)
    drawn = {
        tuple(maximum_clique_of(graph, rng=np.random.default_rng(s), random_tie=True).members)
        for s in range(40)
    }
    assert drawn == {(0, 1, 2), (3, 4, 5), (6, 7, 8)}
    result = maximum_clique_of(graph)
    assert result.n_maximum == 3 and result.all_maximum and result.unique == 0
    short = maximum_clique_of(graph, cliques=2)
    assert short.n_maximum == 2 and not short.all_maximum
    assert maximum_clique_of(graph, cliques=0).in_every is None


def test_the_same_seed_the_same_clique():
    graph = random_graph(11, most=80, low=0.5)
    one, other = (maximum_clique_of(graph, rng=np.random.default_rng(4)) for _ in range(2))
    assert np.array_equal(one.members, other.members) and one.steps == other.steps


def hard_graph(n=300):
    rng = np.random.default_rng(2)
    upper = np.triu(rng.random((n, n)) < 0.9, 1)
    return upper | upper.T


def test_a_limit_of_steps_is_kept_and_said():
    for most in (0, 1, 1000, 200_000):
        result = maximum_clique_of(hard_graph(), max_steps=most)
        assert not result.proven and result.stopped == "steps" and result.proven_by == ""
        assert most <= result.steps <= most + 40_000
        assert len(result) > 20 and is_clique(hard_graph(), result.members)
        assert result.in_every is None and result.n_maximum == 0


def test_a_limit_of_work_is_kept_and_gives_the_same_however_work_is_sliced():
    found = []
    for size in (10_000, 700_000, 8_000_000):
        result = maximum_clique_of(hard_graph(), max_work=20_000_000, turns=Turns(slice=size))
        assert result.stopped == "work" and not result.proven and len(result) > 20
        found.append((result.members.tolist(), result.steps))
    assert found[0] == found[1] == found[2]
    assert maximum_clique_of(hard_graph(), max_work=0).stopped == "work"


def test_a_limit_that_is_not_reached_is_not_mentioned():
    result = maximum_clique_of(random_graph(3), max_steps=10**9, time_limit=None)
    assert result.proven and result.stopped == ""


def test_a_time_limit():
    from geoanon_qgis.core.attacks.cliques.product_graph import (
        ProductGraph,  # the class, by its name
    )

    rows = np.packbits(np.pad(hard_graph(256), 0), axis=1, bitorder="little").view("<u8")
    own = np.arange(256)
    degree = hard_graph(256).sum(axis=1)
    graph = ProductGraph(own, own, rows, degree, int(degree.sum()) // 2, 256, 256)
    result = maximum_clique(graph, time_limit=0.3)
    assert result.stopped == "time" and not result.proven and len(result) > 20


def test_gathering_ends_with_the_time_of_the_search(monkeypatch):
    """Pairs that exclude each other: as many maximum cliques as there are ways to choose."""
    graph = ~np.eye(60, dtype=bool)
    even = np.arange(0, 60, 2)
    graph[even, even + 1] = graph[even + 1, even] = False
    whole = maximum_clique_of(graph, cliques=200)
    assert whole.proven and whole.n_maximum == 200 and not whole.all_maximum
    now = [0.0]
    monkeypatch.setattr(engine.time, "monotonic", lambda: now[0])
    gather = engine._Search.gathered

    def late(search, limit):
        now[0] = 6.0
        return gather(search, limit)

    monkeypatch.setattr(engine._Search, "gathered", late)
    result = maximum_clique_of(graph, time_limit=5.0)
    assert result.proven and len(result) == 30 and result.stopped == ""
    assert result.n_maximum == 0 and result.in_every is None and not result.all_maximum


def test_cancelled_inside_the_search_the_best_so_far_is_kept():
    calls = []

    def stop(fraction):
        calls.append(fraction)
        if len(calls) > 8:
            raise Cancelled()

    result = maximum_clique_of(hard_graph(), progress=stop)
    assert result.stopped == "cancelled" and not result.proven
    assert len(result) > 20 and is_clique(hard_graph(), result.members)
    assert 0 <= min(calls) and max(calls) <= 1 and calls == sorted(calls)
    with pytest.raises(Cancelled):
        maximum_clique_of(hard_graph(), progress=stop, keep_on_cancel=False)


def test_no_vertices_one_vertex_no_edges(way):  # noqa: F811
    none = maximum_clique_of(np.zeros((0, 0), dtype=bool))
    assert none.proven and len(none) == 0 and none.unique == 0
    one = maximum_clique_of(np.ones((1, 1), dtype=bool))
    assert one.proven and list(one.members) == [0] and one.unique == 1
    apart = maximum_clique_of(np.zeros((3, 3), dtype=bool))
    assert apart.proven and len(apart) == 1 and apart.n_maximum == 3 and apart.unique == 0
    full = maximum_clique_of(np.ones((70, 70), dtype=bool))
    assert full.proven and len(full) == 70 and full.unique == 70


@pytest.mark.parametrize(
    "limits", [{"max_steps": -1}, {"max_work": -1}, {"max_steps": 5, "time_limit": -1.0}]
)
def test_bad_limits(limits):
    graph = product_graph("a", "a", [[0.0]], [[0.0]], [[0.0]])
    with pytest.raises(InputError, match="must not be negative"):
        maximum_clique(graph, **limits)
