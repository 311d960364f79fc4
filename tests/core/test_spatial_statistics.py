# SPDX-License-Identifier: GPL-2.0-or-later
"""Moran's I, DBSCAN, agglomeration and the Rand index, against hand and brute force."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import pdist, squareform

from geoanon_qgis.core.distances import spatial_statistics as statistics
from geoanon_qgis.core.runtime.errors import InputError

#: Places on a small grid: plenty of ties and of records at one place.
grid_points = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=25
).map(lambda xy: np.array(xy, dtype=float))


def same_groups(a, b) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    return bool(((a[:, None] == a) == (b[:, None] == b)).all())


def test_moran_of_a_chain_by_hand():
    # z = -1.5, -0.5, 0.5, 1.5; sum over neighbours 2 (0.75 - 0.25 + 0.75) = 2.5; S0 = 6.
    chain = np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1)
    assert statistics.moran_i(np.array([1.0, 2, 3, 4]), chain) == pytest.approx(1 / 3)
    assert statistics.moran_i(np.array([1.0, -1, 1, -1]), chain) == pytest.approx(-1.0)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [2.0**1020, 2.0**1000, 2.0**-1000])
def test_moran_knows_no_unit(unit):
    values = np.array([1.0, 5.0, 2.0, 8.0])
    weights = np.ones((4, 4)) - np.eye(4)
    weights[0, 3] = weights[3, 0] = 0.0
    assert statistics.moran_i(unit * values, weights) == statistics.moran_i(values, weights)


def test_moran_is_not_defined_for_a_constant_or_without_neighbours():
    ones = np.ones((3, 3)) - np.eye(3)
    assert np.isnan(statistics.moran_i(np.full(3, 0.1), ones))
    assert np.isnan(statistics.moran_i(np.array([1.0, 2, 3]), np.zeros((3, 3))))


@given(grid_points, st.integers(0, 5))
def test_moran_against_the_double_sum(points, radius):
    square = squareform(pdist(points)) if len(points) > 1 else np.zeros((1, 1))
    values = points[:, 0] ** 2 + points[:, 1]
    weights = statistics.within(square, radius)
    n, z = len(values), values - values.mean()
    top = total = 0.0
    for i in range(n):
        for j in range(n):
            if i != j and square[i, j] <= radius:
                top, total = top + z[i] * z[j], total + 1
    expected = n / total * top / (z @ z) if total and values.max() > values.min() else np.nan
    assert statistics.moran_i(values, weights) == pytest.approx(expected, nan_ok=True, abs=1e-12)


@given(grid_points, st.integers(1, 30))
def test_nearest_weights_share_ties(points, count):
    square = squareform(pdist(points)) if len(points) > 1 else np.zeros((1, 1))
    weights = statistics.nearest(square, count).toarray()
    n = len(points)
    assert weights.sum(axis=1) == pytest.approx(min(count, n - 1))
    assert (np.diag(weights) == 0).all() and (weights <= 1 + 1e-12).all()
    for i, j, other in ((i, j, k) for i in range(n) for j, k in combinations(range(n), 2)):
        if i not in (j, other) and square[i, j] == square[i, other]:
            assert weights[i, j] == pytest.approx(weights[i, other])
        elif i not in (j, other) and square[i, j] < square[i, other]:
            assert weights[i, j] >= weights[i, other]


@given(grid_points, st.sampled_from([0.0, 1.0, 1.5, 2.0, 9.0]), st.integers(1, 6))
@settings(max_examples=200)
def test_dbscan_against_its_definition(points, eps, min_samples):
    n = len(points)
    square = squareform(pdist(points)) if n > 1 else np.zeros((1, 1))
    labels = statistics.dbscan(square, eps, min_samples)
    core = [i for i in range(n) if (square[i] <= eps).sum() >= min_samples]
    group = {}
    for start in core:  # breadth first over core records
        if start not in group:
            group[start], queue = len(set(group.values())), [start]
            while queue:
                here = queue.pop()
                for other in core:
                    if other not in group and square[here, other] <= eps:
                        group[other] = group[start]
                        queue.append(other)
    assert all(labels[i] == group[i] for i in core)
    for i in set(range(n)) - set(core):
        near = [j for j in core if square[i, j] <= eps]
        if not near:
            assert labels[i] == statistics.NOISE
        else:
            nearest = min(square[i, j] for j in near)
            assert labels[i] in {group[j] for j in near if square[i, j] == nearest}


def test_dbscan_agrees_with_scikit_learn(rng):
    cluster = pytest.importorskip("sklearn.cluster", reason="scikit-learn is not installed")
    square = squareform(pdist(rng.random((200, 2))))
    theirs = cluster.DBSCAN(eps=0.05, min_samples=4, metric="precomputed").fit(square)
    ours = statistics.dbscan(square, 0.05, 4)
    core = theirs.core_sample_indices_
    assert same_groups(theirs.labels_[core], ours[core])
    assert ((theirs.labels_ == -1) == (ours == -1)).all()


@pytest.mark.parametrize(("eps", "count"), [(-1.0, 3), (np.nan, 3), (1.0, 0)])
def test_dbscan_refuses_senseless_parameters(eps, count):
    with pytest.raises(InputError):
        statistics.dbscan(np.zeros((2, 2)), eps, count)


@pytest.mark.parametrize("method", ["average", "complete"])
@pytest.mark.parametrize("groups", [1, 2, 5, 39, 40, 60])
def test_cuts_of_an_agglomeration_agree_with_scipy(rng, method, groups):
    merges = linkage(pdist(rng.random((40, 2))), method)
    ours = statistics.cut(merges, groups)
    assert ours.max() + 1 == min(groups, 40)
    assert same_groups(ours, cut_tree(merges, min(groups, 40))[:, 0])


def test_a_cut_is_exact_where_all_is_tied():
    assert len(set(statistics.cut(linkage(np.zeros(45), "average"), 4))) == 4


def test_adjusted_rand_by_hand():
    index = statistics.adjusted_rand_index
    # Pairs together: 1 in both, 2 and 1 in each, of 6: (1 - 1/3) / (3/2 - 1/3) = 4/7.
    assert index(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 2])) == pytest.approx(4 / 7)
    assert index(np.array([5, 5, 2, -1]), np.array([0, 0, 1, 2])) == 1.0
    assert index(np.zeros(4), np.arange(4)) == 0.0
    assert index(np.zeros(4), np.zeros(4)) == index(np.arange(4), np.arange(4)) == 1.0
    assert index(np.zeros(0), np.zeros(0)) == 1.0
    with pytest.raises(InputError):
        index(np.zeros(3), np.zeros(4))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
def test_adjusted_rand_against_pair_counting(labels):
    a, b = np.array(labels).T
    pairs = list(combinations(range(len(a)), 2))
    in_a = sum(a[i] == a[j] for i, j in pairs)
    in_b = sum(b[i] == b[j] for i, j in pairs)
    both = sum(a[i] == a[j] and b[i] == b[j] for i, j in pairs)
    expected = in_a * in_b / len(pairs)
    most = (in_a + in_b) / 2
    value = 1.0 if most == expected else (both - expected) / (most - expected)
    assert statistics.adjusted_rand_index(a, b) == pytest.approx(value)
