# SPDX-License-Identifier: GPL-2.0-or-later
"""Product graphs against the definition, the paper's example and bad input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kroll import symmetric, way  # noqa: F401
from poets import D1, D2, KNOWN, POETS

from geoanon_qgis.core.attacks.cliques.product_graph import (
    count_vertices,
    graph_bytes,
    product_graph,
)
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError


def by_definition(labels1, labels2, released, lower, upper, closed):
    vertices = [
        (t, i)
        for t, a in enumerate(labels1)
        for i, b in enumerate(labels2)
        if a == b and a is not None
    ]
    joined = np.zeros((len(vertices), len(vertices)), dtype=bool)
    for p, (t1, i1) in enumerate(vertices):
        for q, (t2, i2) in enumerate(vertices):
            d, low, high = released[t1, t2], lower[i1, i2], upper[i1, i2]
            fits = low <= d <= high if closed else low < d < high
            joined[p, q] = t1 != t2 and i1 != i2 and fits
    return vertices, joined


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 14), st.integers(0, 14), st.booleans())
def test_it_is_the_definition(seed, n1, n2, closed):
    rng = np.random.default_rng(seed)
    kinds = [None, "a", "b", ("a", 1), 7][: rng.integers(2, 6)]
    labels1 = [kinds[k] for k in rng.integers(len(kinds), size=n1)]
    labels2 = [kinds[k] for k in rng.integers(len(kinds), size=n2)]
    released, middle = symmetric(rng, n1), symmetric(rng, n2)
    width = float(rng.integers(0, 4))
    lower, upper = middle - width, middle + width
    vertices, joined = by_definition(labels1, labels2, released, lower, upper, closed)
    was = accel.enabled()
    try:
        for on in {was, False}:
            accel.set_enabled(on)
            graph = product_graph(labels1, labels2, released, lower, upper, closed)
            assert list(zip(graph.target, graph.identification)) == vertices
            assert np.array_equal(graph.adjacency(), joined)
            assert graph.n_edges * 2 == joined.sum()
            assert np.array_equal(graph.degree, joined.sum(axis=1))
            assert graph.unlabelled == labels1.count(None) + labels2.count(None)
            assert count_vertices(labels1, labels2) == len(vertices)
    finally:
        accel.set_enabled(was)


def test_both_ways_give_the_same_bits_on_many_words():
    rng = np.random.default_rng(5)
    labels1, labels2 = rng.integers(4, size=90).tolist(), rng.integers(4, size=101).tolist()
    released, middle = symmetric(rng, 90), symmetric(rng, 101)
    was = accel.enabled()
    try:
        rows = []
        for on in (was, False):
            accel.set_enabled(on)
            rows.append(product_graph(labels1, labels2, released, middle - 1, middle + 1).rows)
    finally:
        accel.set_enabled(was)
    assert rows[0].shape[1] > 32 and np.array_equal(*rows)


def test_example_10(way):  # noqa: F811
    graph = product_graph(POETS, KNOWN, D1, D2 - 5, D2 + 5)
    table_2 = {
        (1, 1),
        (2, 2),
        (3, 3),
        (6, 3),
        (4, 4),
        (7, 4),
        (3, 6),
        (6, 6),
        (4, 7),
        (7, 7),
        (2, 9),
    }
    pairs = list(zip(graph.target + 1, graph.identification + 1))
    assert set(pairs) == table_2 and len(graph) == 11
    place = {pair: v for v, pair in enumerate(pairs)}
    clique = [place[pair] for pair in [(1, 1), (2, 2), (3, 3), (4, 4)]]
    joined = graph.joined(np.repeat(clique, 4), np.tile(clique, 4)).reshape(4, 4)
    assert np.array_equal(joined, ~np.eye(4, dtype=bool))


def test_zero_distances_off_the_diagonal_are_distances(way):  # noqa: F811
    # Two records at one place may be two known entities at one place.
    zero = np.zeros((2, 2))
    assert product_graph("aa", "aa", zero, zero, zero, closed=True).n_edges == 2
    assert product_graph("aa", "aa", zero, zero, zero, closed=False).n_edges == 0


def test_an_interval_may_be_without_end(way):  # noqa: F811
    n = np.full((2, 2), -np.inf)
    assert product_graph("ab", "ab", np.ones((2, 2)), n, -n).n_edges == 1


def test_a_missing_part_of_a_label_is_a_missing_label():
    labels = [("f", None), ("f", 3), float("nan"), ("f", float("nan"))]
    graph = product_graph(labels, labels, np.zeros((4, 4)), np.zeros((4, 4)), np.ones((4, 4)))
    assert list(graph.target) == [1] and graph.unlabelled == 6


def test_labels_that_never_agree(way):  # noqa: F811
    graph = product_graph("aa", "bb", np.ones((2, 2)), np.zeros((2, 2)), np.ones((2, 2)))
    assert len(graph) == 0 and graph.n_edges == 0 and graph.density == 0
    assert len(product_graph([], [], np.zeros((0, 0)), np.zeros((0, 0)), np.zeros((0, 0)))) == 0


def test_one_vertex(way):  # noqa: F811
    graph = product_graph("a", "a", [[0.0]], [[-1.0]], [[1.0]])
    assert len(graph) == 1 and graph.n_edges == 0 and len(graph.neighbours(0)) == 0


def test_a_distance_matrix_is_taken_as_it_is():
    class Matrix:
        def square(self):
            return np.array([[0.0, 2.0], [2.0, 0.0]])

    wide = np.full((2, 2), 3.0)
    assert product_graph("ab", "ab", Matrix(), wide - 2, wide).n_edges == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"released": np.zeros((3, 3))}, "3 x 3, but the target file has 2"),
        ({"lower": np.zeros((1, 1))}, "1 x 1, but the identification file has 2"),
        ({"upper": np.array([[0.0, 1.0], [2.0, 0.0]])}, "symmetric"),
        ({"released": np.full((2, 2), np.nan)}, "no numbers"),
        ({"upper": np.full((2, 2), np.nan)}, "no numbers"),
    ],
)
def test_bad_input(change, sentence):
    given = {name: np.zeros((2, 2)) for name in ("released", "lower", "upper")}
    given.update(change)
    with pytest.raises(InputError, match=sentence):
        product_graph("ab", "ab", **given)


def test_a_graph_that_does_not_fit_is_refused_before_it_is_built():
    n = 3000
    labels, zero = ["a"] * n, np.zeros((n, n))
    assert graph_bytes(n * n) > 10**13
    with pytest.raises(InputError, match=r"9,000,000 pairs .* MB, but only 1,000 MB"):
        product_graph(labels, labels, zero, zero, zero, memory_limit=10**9)


def test_it_can_be_stopped(way):  # noqa: F811
    calls = []

    def stop(fraction):
        calls.append(fraction)
        if len(calls) == 3:
            raise Cancelled()

    rng = np.random.default_rng(1)
    labels, d = ["a"] * 60, symmetric(rng, 60)
    with pytest.raises(Cancelled):
        product_graph(labels, labels, d, d - 1, d + 1, progress=stop)
