# SPDX-License-Identifier: GPL-2.0-or-later
"""Estimates of true distances from embedded ones: against the truth, and ways against a library."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.attacks.linkage.compatibility import LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.intervals import true_distances
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.attacks.maps.deviations import releases_of
from geoanon_qgis.core.attacks.maps.estimated_distances import _shortest, _ways, learn_estimator
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

SIDE = 100_000.0
AREA = StudyArea.of_rings([SIDE * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])], None)
PLANAR = metric_for("planar", None)
RULE = LipschitzEmbedding(20, 5, AREA, 0.5)


def towns(rng, count):
    centres = rng.uniform(0.1 * SIDE, 0.9 * SIDE, (12, 2))
    return centres[rng.integers(12, size=count)] + rng.normal(0, 0.03 * SIDE, (count, 2))


@pytest.fixture(scope="module")
def learnt():
    rng = np.random.default_rng(1)
    known = towns(rng, 150)
    releases = releases_of(RULE, known, PLANAR, rng)
    return learn_estimator(releases, true_distances(known, PLANAR), rng)


def test_an_estimate_is_nearer_to_the_truth_than_what_was_released(learnt):
    rng = np.random.default_rng(2)
    secret = towns(rng, 150)
    true, released = true_distances(secret, PLANAR), simulate(RULE, secret, PLANAR, rng)
    found = learnt[0].of(released)
    upper = np.triu_indices(150, 1)
    alone = learnt[0].direct[np.searchsorted(learnt[0].cuts, released[upper])]
    miss = abs(found.away - true)[upper]
    # Half of what the best guess from the released number alone leaves.
    assert np.median(miss) < 0.5 * np.median(abs(alone - true[upper]))
    # It knows how far off it is, within a factor of two.
    assert 0.5 < np.sqrt((miss**2).mean() / (found.unsure[upper] ** 2).mean()) < 2.0


def test_estimates_are_symmetric_and_never_below_the_released_distance(learnt):
    rng = np.random.default_rng(3)
    released = simulate(RULE, towns(rng, 80), PLANAR, rng)
    found = learnt[0].of(released)
    for one in (found.away, found.unsure, found.classes, *found.ways):
        np.testing.assert_allclose(one, one.T, rtol=1e-9)
    assert (found.away >= released).all() and (np.diag(found.away) == 0).all()
    assert found.classes.min() >= 0 and found.classes.max() < len(learnt[0].expected)


def test_codes_are_the_classes_of_the_releases():
    rng = np.random.default_rng(4)
    known = towns(rng, 60)
    releases = releases_of(RULE, known, PLANAR, rng)
    estimator, code = learn_estimator(releases, true_distances(known, PLANAR), rng)
    upper = np.triu_indices(60, 1)
    again = np.concatenate([estimator.of(one).classes[upper] for one in releases])
    assert (again == code).mean() > 0.999


@given(st.floats(1e-3, 1e6))
@settings(max_examples=10, deadline=None)
def test_estimates_do_not_depend_on_the_unit(unit):
    rng = np.random.default_rng(5)
    known = towns(rng, 30) / SIDE
    releases = [true_distances(known, PLANAR) * rng.uniform(0.5, 1) for _ in range(3)]
    true = true_distances(known, PLANAR)
    one, _ = learn_estimator(releases, true, np.random.default_rng(1))
    other, _ = learn_estimator(
        [unit * each for each in releases], unit * true, np.random.default_rng(1)
    )
    found = one.of(releases[0]).away * unit
    np.testing.assert_allclose(
        np.median(other.of(unit * releases[0]).away / unit), np.median(found / unit), rtol=0.02
    )


def test_ways_are_the_shortest_ones_and_connect_everybody():
    rng = np.random.default_rng(6)
    xy = np.concatenate([rng.normal(0, 1, (15, 2)), rng.normal(50, 1, (15, 2))])
    away = true_distances(xy, PLANAR)
    unsure = 0.5 * away
    ways = _ways(away, unsure, lambda fraction: None)
    assert all(np.isfinite(way).all() and (way >= away - 1e-9).all() for way in ways)
    # The last kind links pairs whose distance is known to 0.8 of itself: all of them here.
    np.testing.assert_allclose(ways[-1], away, atol=1e-3)
    # The first links the four nearest, and the two crowds by the tree.
    graph = networkx.Graph()
    order = np.argsort(away, axis=1)
    tree = networkx.minimum_spanning_tree(
        networkx.from_numpy_array(away + unsure + 1e-9 * (1 - np.eye(30)))
    )
    pairs = {(a, b) for a in range(30) for b in order[a, 1:5]} | set(tree.edges)
    graph.add_weighted_edges_from((a, b, away[a, b]) for a, b in pairs)
    lengths = dict(networkx.all_pairs_dijkstra_path_length(graph))
    expected = np.array([[lengths[a][b] for b in range(30)] for a in range(30)])
    np.testing.assert_allclose(ways[0], expected, atol=1e-3)


@pytest.mark.parametrize("share", [0.02, 0.1, 0.2, 0.6, 1.0])
def test_shortest_ways_are_those_of_a_library_and_are_heard_of_meanwhile(share):
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import shortest_path

    rng = np.random.default_rng(9)
    count = 150
    lengths = np.round(true_distances(rng.uniform(0, 1, (count, 2)), PLANAR), 2) + 1e-6
    linked = np.triu(rng.random((count, count)) < share, 1)
    linked |= linked.T
    seen = []
    found = _shortest(lengths, linked, seen.append, 20_000)
    expected = shortest_path(csr_matrix(np.where(linked, lengths, 0)), directed=False)
    np.testing.assert_array_equal(found, expected)
    assert seen == sorted(seen) and seen[0] == 0 and seen[-1] == 1
    # About every 20,000 links followed, or every 16 rounds over all pairs.
    assert len(seen) > min(linked.sum() * count / 40_000, count / 17)


@pytest.mark.parametrize("count", [8, 9, 30])
@pytest.mark.parametrize("shape", ["one place", "two places", "line"])
def test_few_records_and_equal_places_do_no_harm(count, shape):
    xy = {
        "one place": np.zeros((count, 2)),
        "two places": np.stack([np.arange(count) % 2, np.zeros(count)], axis=1),
        "line": np.stack([np.arange(count), np.zeros(count)], axis=1),
    }[shape] * 1000.0
    true = true_distances(xy, PLANAR)
    estimator, _ = learn_estimator([true, 0.5 * true], true, np.random.default_rng(1))
    for released in (true, 0.5 * true, np.zeros_like(true)):
        found = estimator.of(released)
        assert np.isfinite(found.away).all() and np.isfinite(found.unsure).all()


def test_a_cancel_goes_through(learnt):
    released = simulate(RULE, towns(np.random.default_rng(7), 60), PLANAR, np.random.default_rng(8))

    def cancel(fraction):
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        learnt[0].of(released, cancel)
    with pytest.raises(Cancelled):
        learn_estimator([released] * 3, released, np.random.default_rng(1), cancel)
