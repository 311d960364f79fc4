# SPDX-License-Identifier: GPL-2.0-or-later
"""The linkage attack: the paper's example, releases with a known truth, brute force, bad input."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from poets import D1, D2, KNOWN, POETS
from scipy.spatial.distance import pdist, squareform

from geoanon_qgis.core.attacks.linkage import linkage
from geoanon_qgis.core.attacks.linkage.compatibility import (
    AbsoluteTolerance,
    CoordinateNoise,
    LipschitzEmbedding,
)
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.intervals import Intervals
from geoanon_qgis.core.attacks.linkage.linkage import attack, link
from geoanon_qgis.core.attacks.linkage.result import (
    LIKELIHOOD,
    LinkageResult,
    accidental_cliques,
    certainty,
)
from geoanon_qgis.core.attacks.linkage.truth import score, share_out
from geoanon_qgis.core.distances.lipschitz import lipschitz_distances
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.runtime.progress import silent
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

PLANAR = metric_for("planar", None)
SQUARE = np.array([[0.0, 0.0], [1000.0, 0.0], [1000.0, 1000.0], [0.0, 1000.0]])
AREA = StudyArea.of_rings([SQUARE], None)


def rng(seed=1):
    return np.random.default_rng(seed)


def files(count=60, overlap=20, classes=4, seed=0):
    """Places and labels of a target and an identification file, and the truth."""
    draw = rng(seed)
    people = 2 * count - overlap
    places, labels = AREA.sample(people, draw), draw.integers(0, classes, people)
    target = draw.permutation(count)
    known = draw.permutation(np.arange(count - overlap, people))
    truth = np.full(people, -1)
    truth[known] = np.arange(count)
    as_labels = [("q", int(label)) for label in labels]
    return (
        places[target],
        [as_labels[row] for row in target],
        places[known],
        [as_labels[row] for row in known],
        truth[target],
    )


def test_example_10():
    """Kroll 2014: eleven vertices, and {1, 2, 3, 5} of table 2 is the unique maximum clique."""
    result = link(POETS, D1, KNOWN, Intervals(D2 - 5, D2 + 5, False), rng=rng())
    assert result.vertices == 11
    assert result.matches.tolist() == [[0, 0], [1, 1], [2, 2], [3, 3]]
    assert result.proven and result.unique == 4 and result.note == ""


def test_exact_distances_give_everybody_away():
    secret, labels, known, known_labels, truth = files()
    released = DistanceMatrix.numbered(pdist(secret), "units")
    result = attack(
        Files(labels, released, known_labels, known, PLANAR, AbsoluteTolerance(1e-6)), rng=rng()
    )
    scored = score(result, truth)
    assert scored.precision == scored.recall == 1.0
    assert result.proven and result.in_every.all() and (result.support == 1).all()
    assert sorted(result.matches[:, 0]) == result.matches[:, 0].tolist()


def test_noise_on_coordinates_of_a_layer_with_a_system():
    places, labels, known, known_labels, truth = files()
    degrees = [place / [700, 1100] + [9.0, 48.0] for place in (places, known)]
    metric = metric_for("great_circle", "EPSG:4326")
    area = StudyArea.convex_hull(np.concatenate(degrees), "EPSG:4326")
    moved = degrees[0] + rng(3).normal(0, 0.001, places.shape)
    first, second = np.triu_indices(len(moved), 1)
    km = metric.between(moved[first], moved[second]) / 1000
    rule = CoordinateNoise(0.001, True, 0.9, area, "EPSG:4326")
    result = attack(
        Files(labels, DistanceMatrix.numbered(km, "km"), known_labels, degrees[1], metric, rule),
        rng=rng(),
    )
    scored = score(result, truth)
    assert scored.precision > 0.8 and scored.recall > 0.5
    assert result.support.mean() < 1


def test_lipschitz_embedding_that_was_rounded_down():
    secret, labels, known, known_labels, truth = files()
    condensed = np.floor(lipschitz_distances(secret, AREA, PLANAR, 100, 1, rng(4)) / 10) * 10
    rule = LipschitzEmbedding(100, 1, AREA, 0.9, 300)
    found = [
        attack(
            Files(
                labels,
                DistanceMatrix.numbered(condensed),
                known_labels,
                known,
                PLANAR,
                rule,
                rounding=(step, 0.0),
            ),
            rng=rng(),
        )
        for step in (10.0, 0.0)
    ]
    scores = [score(result, truth) for result in found]
    assert scores[0].recall > 0.5 and scores[0].recall > scores[1].recall
    assert 0.8 < found[0].coverage < 0.95


@given(st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_no_larger_set_of_matches_exists(seed):
    """Theorem 7 by brute force: every one-to-one assignment of every subset."""
    draw = rng(seed)
    released = squareform(draw.integers(0, 4, 6).astype(float))
    known = squareform(draw.integers(0, 4, 10).astype(float))
    labels = draw.integers(0, 2, 4).tolist()
    known_labels = draw.integers(0, 2, 5).tolist()
    result = link(
        labels, released, known_labels, Intervals(known - 0.5, known + 0.5, False), rng=draw
    )

    def consistent(one, other):
        return all(
            labels[a] == known_labels[i]
            and all(abs(released[a, b] - known[i, j]) < 0.5 for b, j in zip(one, other) if b != a)
            for a, i in zip(one, other)
        )

    largest = max(
        (
            size
            for size in range(1, 5)
            for one in permutations(range(4), size)
            if list(one) == sorted(one)
            for other in permutations(range(5), size)
            if consistent(one, other)
        ),
        default=0,
    )
    assert result.clique == largest and result.proven
    assert consistent(result.matches[:, 0], result.matches[:, 1])
    for column in result.matches.T:
        assert len(set(column)) == result.clique


def test_the_same_with_and_without_numba():
    secret, labels, known, known_labels, _ = files(30, 12)
    released = DistanceMatrix.numbered(pdist(secret + rng(5).normal(0, 3, secret.shape)))
    compiled = accel.enabled()
    found = []
    try:
        for on in (compiled, False):
            accel.set_enabled(on)
            found.append(
                attack(
                    Files(labels, released, known_labels, known, PLANAR, AbsoluteTolerance(8.0)),
                    rng=rng(6),
                )
            )
    finally:
        accel.set_enabled(compiled)
    assert np.array_equal(found[0].matches, found[1].matches)
    assert np.array_equal(found[0].support, found[1].support)
    assert found[0].edges == found[1].edges


def test_rivals_share_the_support():
    """Two known people at one address: either could be the target's third record."""
    places = np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 70.0]])
    known = np.concatenate([places, places[2:]])
    result = attack(
        Files(
            ["a", "b", "c"],
            DistanceMatrix.numbered(pdist(places)),
            ["a", "b", "c", "c"],
            known,
            PLANAR,
            AbsoluteTolerance(1.0),
        ),
        rng=rng(),
    )
    assert result.clique == 3 and result.support.tolist() == [1.0, 1.0, 0.5]
    assert result.in_every.tolist() == [True, True, False] and result.unique == 2


def test_missing_labels_match_nobody():
    places = AREA.sample(4, rng())
    labels = [("x", 1), ("x", None), None, ("x", 2)]
    result = attack(
        Files(
            labels,
            DistanceMatrix.numbered(pdist(places)),
            labels,
            places,
            PLANAR,
            AbsoluteTolerance(1.0),
        ),
        rng=rng(),
    )
    assert result.vertices == 2 and result.matches.tolist() == [[0, 0], [3, 3]]


def test_precision_and_recall_by_hand():
    """Three matches, two right; of four in common two were found."""
    result = LinkageResult(
        np.array([[0, 5], [1, 2], [4, 4]]), None, np.ones(3), 9, 9, None, None, ""
    )
    scored = score(result, np.array([5, 3, -1, 0, 4]))
    assert (scored.true_positives, scored.false_positives, scored.false_negatives) == (2, 1, 2)
    assert scored.precision == pytest.approx(2 / 3) and scored.recall == 0.5


def test_labels_that_never_agree():
    result = attack(
        Files(
            ["a", "b"],
            DistanceMatrix.numbered(np.array([1.0])),
            ["c", "d"],
            SQUARE[:2],
            PLANAR,
            AbsoluteTolerance(1.0),
        ),
        rng=rng(),
    )
    assert result.vertices == result.clique == 0 and "nothing to link" in result.note
    assert np.isnan(score(result, np.array([-1, -1])).precision)


def test_one_vertex_and_no_edges_are_said_so():
    pair = DistanceMatrix.numbered(np.array([5.0]))
    one = attack(
        Files(["a", "b"], pair, ["a", "d"], SQUARE[:2], PLANAR, AbsoluteTolerance(1.0)), rng=rng()
    )
    assert one.matches.tolist() == [[0, 0]] and "no say" in one.note
    none = attack(
        Files(["a", "b"], pair, ["a", "b"], SQUARE[:2], PLANAR, AbsoluteTolerance(1.0)), rng=rng()
    )
    assert none.edges == 0 and none.clique == 1 and "cannot have come about" in none.note


def test_a_cancelled_search_returns_the_best_so_far(monkeypatch):
    secret, labels, known, known_labels, _ = files()
    build = linkage.product_graph
    monkeypatch.setattr(
        linkage, "product_graph", lambda *a, **k: build(*a, **{**k, "progress": silent})
    )

    def cancel_in_the_search(fraction):
        if fraction > 0.7:
            raise Cancelled

    released = DistanceMatrix.numbered(pdist(secret))
    result = attack(
        Files(labels, released, known_labels, known, PLANAR, AbsoluteTolerance(5.0)),
        rng=rng(),
        progress=cancel_in_the_search,
    )
    assert result.stopped == "cancelled" and not result.proven
    assert result.in_every is None and result.unique == 0

    def cancel_early(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        attack(
            Files(labels, released, known_labels, known, PLANAR, AbsoluteTolerance(5.0)),
            rng=rng(),
            progress=cancel_early,
        )


def test_files_that_do_not_fit():
    matrix = DistanceMatrix.numbered(np.array([5.0]))
    arguments = SQUARE[:2], PLANAR, AbsoluteTolerance(1.0)
    with pytest.raises(InputError, match="same records"):
        attack(Files(["a"], matrix, ["a", "b"], *arguments), rng=rng())
    with pytest.raises(InputError, match="1 label and 2 points"):
        attack(Files(["a", "b"], matrix, ["a"], *arguments), rng=rng())
    with pytest.raises(InputError, match="id 'x' twice"):
        twice = DistanceMatrix(np.array([5.0]), ("x", "x"))
        attack(Files(["a", "b"], twice, ["a", "b"], *arguments), rng=rng())
    with pytest.raises(InputError, match="furlong"):
        odd = DistanceMatrix(np.array([5.0]), ("x", "y"), "furlong")
        attack(Files(["a", "b"], odd, ["a", "b"], *arguments), rng=rng())
    with pytest.raises(InputError, match="product graph"):
        attack(Files(["a", "b"], matrix, ["a", "b"], *arguments), memory_limit=0, rng=rng())


# --- who is who by place, and what a clique is sure of ------------------------------------------


def test_people_of_one_place_are_told_apart_by_their_labels():
    # place 0: a woman and two boys; place 1: one person each, of other labels; place 2: strangers
    records, record_labels = np.array([0, 0, 0, 1, 2, -1]), ["boy", "woman", "boy", "x", "old", "y"]
    people, labels = np.array([0, 0, 0, 1, 2, 2]), ["woman", "boy", "boy", "z", "young", "new"]
    nothing = np.empty((0, 2), dtype=int)
    truth = share_out(records, people, record_labels, labels, nothing).tolist()
    # ... and whoever is alone at a place in both files is one person, whatever the labels
    assert truth[1] == 0 and sorted([truth[0], truth[2]]) == [1, 2]
    assert truth[3] == 3 and truth[4:] == [-1, -1]
    # Nobody can tell the boys apart: whichever the adversary chose counts as right.
    for chosen in (1, 2):
        truth = share_out(records, people, record_labels, labels, np.array([[0, chosen]]))
        assert truth[0] == chosen and truth[2] == 3 - chosen


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 2**31))
def test_nobody_is_two_people(records, people, seed):
    rng = np.random.default_rng(seed)
    same_place, place = rng.integers(-1, 5, records), rng.integers(0, 5, people)
    labels, known = rng.integers(0, 3, records).tolist(), rng.integers(0, 3, people).tolist()
    count = min(records, people, 5)
    matches = np.stack([rng.permutation(records)[:count], rng.permutation(people)[:count]], axis=1)
    truth = share_out(same_place, place, labels, known, matches)
    found = truth[truth >= 0]
    assert len(np.unique(found)) == len(found)
    assert (place[found] == same_place[truth >= 0]).all()


def of_size(vertices, edges, size):
    rows = np.arange(size)
    return LinkageResult(
        np.stack([rows, rows], axis=1), None, np.ones(size), vertices, edges, None, None, ""
    )


def test_a_clique_that_accident_does_not_make_is_believed():
    assert certainty(of_size(440, 1040, 18)).tolist() == [0.5] * 18
    assert not certainty(of_size(352, 6960, 7)).any()  # nobody in common
    assert not certainty(of_size(411, 20_200, 16)).any()  # too many pairs agree to tell
    assert not certainty(of_size(10, 0, 1)).any()
    assert not len(certainty(of_size(0, 0, 0)))
    confident = replace(of_size(10, 0, 3), name=LIKELIHOOD)
    assert certainty(confident).tolist() == confident.support.tolist()


def test_accidental_cliques_are_counted_as_in_a_random_graph():
    # 5 vertices, 5 of 10 pairs agree: 10 sets of three, each of three pairs
    assert accidental_cliques(of_size(5, 5, 3)) == pytest.approx(np.log10(10 / 8))
