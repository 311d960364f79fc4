# SPDX-License-Identifier: GPL-2.0-or-later
"""The likelihood attack: its parts against what they must be, and whole attacks on small files."""

from __future__ import annotations

import tracemalloc
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.attacks.linkage import near_group
from geoanon_qgis.core.attacks.linkage.compatibility import (
    AbsoluteTolerance,
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
)
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.intervals import true_distances
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.attacks.linkage.truth import score
from geoanon_qgis.core.attacks.maps import likelihood, reference_fit
from geoanon_qgis.core.attacks.maps.assignment import chances, one_to_one, place
from geoanon_qgis.core.attacks.maps.deviations import learn
from geoanon_qgis.core.attacks.maps.embedding_reversal import Effort
from geoanon_qgis.core.attacks.maps.estimated_distances import learn_estimator
from geoanon_qgis.core.attacks.maps.likelihood import likelihood_attack, link_by_likelihood
from geoanon_qgis.core.attacks.maps.model import prepare
from geoanon_qgis.core.attacks.maps.noise_matches import place_noisy
from geoanon_qgis.core.attacks.maps.population import Population
from geoanon_qgis.core.attacks.maps.reconstruction import (
    aligned,
    flat_map,
    laid,
    majorized,
    nodes_of,
    squares,
)
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime import progress as progress_module
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

SIDE = 100_000.0
AREA = StudyArea.of_rings([SIDE * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])], None)
PLANAR = metric_for("planar", None)
#: Where it is not the outcome that is asked for.
SHORT = Effort(starts=6, fields=1, steps=250, steps_long=250, rounds=1)
#: Enough for a file that is easily linked.
QUICK = Effort(starts=6, refined=1, fields=1, steps=500, steps_long=800, rounds=1)


def files(rng, count=150, overlap=30, labels=10):
    points = rng.uniform(0, SIDE, (2 * count - overlap, 2))
    codes = rng.integers(0, labels, len(points))
    target = rng.permutation(count)
    known = rng.permutation(np.arange(count - overlap, len(points)))
    row = np.full(len(points), -1)
    row[known] = np.arange(count)
    return (
        points[target],
        codes[target].tolist(),
        points[known],
        codes[known].tolist(),
        row[target],
    )


def attack(rule, seed=1, progress=lambda f: None, count=150, **options):
    rng = np.random.default_rng(seed)
    secret, labels, known, known_labels, truth = files(rng, count, count // 5)
    released = simulate(rule, secret, PLANAR, rng)
    matrix = DistanceMatrix.numbered(released[np.triu_indices(len(secret), 1)])
    result = likelihood_attack(
        Files(labels, matrix, known_labels, known, PLANAR, rule),
        rng=rng,
        progress=progress,
        **options,
    )
    return result, truth


@pytest.mark.parametrize(
    "rule",
    [
        CoordinateNoise(300.0, False, 0.5, AREA, None),
        DistanceNoise("gaussian", 1000.0, 0.5),
        DistanceNoise("laplace", 1000.0, 0.5),
    ],
)
def test_noise_gives_nearly_everybody_away(rule):
    result, truth = attack(rule)
    found = score(result, truth)
    assert found.recall > 0.8 and found.precision > 0.85
    assert ((result.support >= 0.5) & (result.support <= 1)).all()
    # Confidence means what it says: about as many right as it adds up to.
    assert abs(result.support.sum() - found.true_positives) < 5


@pytest.mark.parametrize(
    "rule, least",
    [
        (CoordinateNoise(300.0, False, 0.5, AREA, None), 0.8),
        (DistanceNoise("laplace", 200.0, 0.5), 0.8),
        pytest.param(LipschitzEmbedding(10, 2, AREA, 0.5), 0.6, marks=pytest.mark.slow),
    ],
)
def test_small_files_are_linked_too(rule, least):
    rng = np.random.default_rng(7)
    secret, labels, known, known_labels, truth = files(rng, 40, 15, 4)
    model = prepare(rule, known, PLANAR, rng)
    found = score(
        link_by_likelihood(
            labels, simulate(rule, secret, PLANAR, rng), known_labels, model, rng, effort=QUICK
        ),
        truth,
    )
    assert found.precision > 0.8 and found.recall > least


@pytest.mark.slow
def test_an_embedding_is_undone():
    result, truth = attack(LipschitzEmbedding(10, 3, AREA, 0.5), count=100, effort=QUICK)
    found = score(result, truth)
    assert found.recall > 0.5 and found.precision > 0.6
    assert result.search is None and result.in_every is None and result.edges == 0


@pytest.mark.slow
def test_matches_are_one_to_one_among_equal_labels_and_above_the_threshold():
    rng = np.random.default_rng(3)
    secret, labels, known, known_labels, _ = files(rng)
    rule = DistanceNoise("gaussian", 3000.0, 0.5)
    released = simulate(rule, secret, PLANAR, rng)
    model = prepare(rule, known, PLANAR, np.random.default_rng(1))
    before = None
    for threshold in (0.0, 0.3, 0.9):
        result = link_by_likelihood(
            labels, released, known_labels, model, np.random.default_rng(2), threshold=threshold
        )
        pairs = set(map(tuple, result.matches.tolist()))
        assert len({t for t, _ in pairs}) == len({i for _, i in pairs}) == len(pairs)
        assert all(labels[t] == known_labels[i] for t, i in pairs)
        assert (result.support >= threshold).all()
        assert before is None or pairs <= before
        before = pairs


@pytest.mark.slow
def test_the_same_seed_gives_the_same_with_and_without_numba():
    rule, results = LipschitzEmbedding(10, 2, AREA, 0.5), []
    for compiled in (True, False):
        was = accel.enabled()
        try:
            accel.set_enabled(compiled)
            results.append(attack(rule, count=80, threshold=0.0, effort=SHORT)[0])
        finally:
            accel.set_enabled(was)
    one, other = results
    assert len(one.matches)
    np.testing.assert_array_equal(one.matches, other.matches)
    np.testing.assert_allclose(one.support, other.support, atol=1e-6)


@pytest.mark.slow
def test_progress_is_asked_again_and_again_and_a_cancel_is_heard():
    rule, seen = LipschitzEmbedding(10, 2, AREA, 0.5), []
    attack(rule, progress=seen.append, count=80, effort=SHORT)
    assert len(seen) > 500 and min(seen) >= 0 and max(seen) <= 1 + 1e-9
    for most in (0.1, 0.4, 0.7):
        asked = []

        def cancel(fraction, most=most, asked=asked):
            asked.append(fraction)
            if fraction > most:
                raise Cancelled

        with pytest.raises(Cancelled):
            attack(rule, progress=cancel, count=80, effort=SHORT)
        assert [one > most for one in asked].index(True) >= len(asked) - 2  # two threads ask


@pytest.mark.slow
def test_a_file_with_nobody_in_common_claims_little():
    rng = np.random.default_rng(8)
    secret, labels, known, known_labels, _ = files(rng, overlap=0)
    rule = DistanceNoise("gaussian", 500.0, 0.5)
    released = simulate(rule, secret, PLANAR, rng)
    result = link_by_likelihood(
        labels, released, known_labels, prepare(rule, known, PLANAR, rng), rng, threshold=0.9
    )
    assert len(result.matches) <= 3


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(LipschitzEmbedding(10, 2, AREA, 0.5), marks=pytest.mark.slow),
        DistanceNoise("gaussian", 1000.0, 0.5),
    ],
)
def test_a_time_limit_ends_the_attack_at_once_and_is_told(monkeypatch, rule):
    """Time goes on by a second whenever somebody asks for it."""
    clock = count()
    ticking = SimpleNamespace(monotonic=lambda: float(next(clock)))
    monkeypatch.setattr(progress_module, "time", ticking)
    monkeypatch.setattr(likelihood, "time", ticking)
    monkeypatch.setattr(near_group, "time", ticking)
    whole, _ = attack(rule, time_limit=1e9, count=80, effort=SHORT)
    asked = next(clock)
    assert whole.proven and not whole.cut_off and whole.stopped == "" and asked > 20
    for limit in (0, asked // 5):
        clock = count()
        result, _ = attack(rule, time_limit=limit, count=80, effort=SHORT)
        assert next(clock) <= limit + 8  # but for those who ask in other threads, and once a stage
        assert result.cut_off and result.stopped == "time" and not result.proven


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rule": AbsoluteTolerance(5.0)}, "tolerance"),
        ({"labels": [0] * 3}, "records"),
        ({"known_labels": [0] * 3}, "labels"),
        ({"threshold": 1.5}, "confidence"),
        ({"memory_limit": 1000}, "bytes|MB"),
    ],
)
def test_bad_input_is_a_sentence(change, sentence):
    rng = np.random.default_rng(1)
    secret, labels, known, known_labels, _ = files(rng, count=20, overlap=5)
    given = {
        "rule": DistanceNoise("gaussian", 10.0, 0.5),
        "labels": labels,
        "known_labels": known_labels,
        "threshold": 0.5,
        "memory_limit": None,
    } | change
    matrix = DistanceMatrix.numbered(PLANAR.rows(secret, secret)[np.triu_indices(20, 1)])
    with pytest.raises(InputError, match=sentence):
        likelihood_attack(
            Files(given["labels"], matrix, given["known_labels"], known, PLANAR, given["rule"]),
            threshold=given["threshold"],
            memory_limit=given["memory_limit"],
            rng=rng,
        )


@pytest.mark.parametrize(("count", "labels"), [(4, [1] * 4), (20, [None] * 20), (20, [99] * 20)])
def test_nothing_to_link_is_said(count, labels):
    rng = np.random.default_rng(1)
    points = rng.uniform(0, SIDE, (count, 2))
    matrix = DistanceMatrix.numbered(true_distances(points, PLANAR)[np.triu_indices(count, 1)])
    result = likelihood_attack(
        Files(labels, matrix, [1] * count, points, PLANAR, DistanceNoise("laplace", 5.0, 0.5)),
        rng=rng,
    )
    assert len(result.matches) == 0 and result.note


@pytest.mark.slow
def test_records_at_one_place_and_equal_distances_do_no_harm():
    rng = np.random.default_rng(1)
    points = np.repeat(rng.uniform(0, SIDE, (10, 2)), 3, axis=0)
    for rule in (LipschitzEmbedding(3, 2, AREA, 0.5), CoordinateNoise(1.0, False, 0.5, AREA, None)):
        for matrix in (true_distances(points, PLANAR), np.zeros((30, 30))):
            model = prepare(rule, points, PLANAR, rng)
            result = link_by_likelihood([0] * 30, matrix, [0] * 30, model, rng, effort=SHORT)
            assert np.isfinite(result.support).all()


@pytest.mark.parametrize(
    "rule", [LipschitzEmbedding(3, 2, AREA, 0.5), CoordinateNoise(1.0, False, 0.5, AREA, None)]
)
def test_known_entities_all_at_one_place_are_said(rule):
    rng = np.random.default_rng(1)
    known = np.full((12, 2), 0.4 * SIDE)
    model = prepare(rule, known, PLANAR, rng)
    for matrix in (true_distances(rng.uniform(0, SIDE, (12, 2)), PLANAR), np.zeros((12, 12))):
        result = link_by_likelihood([0] * 12, matrix, [0] * 12, model, rng, threshold=0.0)
        assert len(result.matches) == 0 and "one place" in result.note


@pytest.mark.slow
def test_memory_that_is_asked_for_is_what_it_takes(monkeypatch):
    asked, peaks = [], []
    for module in ("likelihood", "model"):
        monkeypatch.setattr(
            f"geoanon_qgis.core.attacks.maps.{module}.refuse_unless_fits",
            lambda need, *rest: asked.append(need),
        )
    rng = np.random.default_rng(1)
    secret, labels, known, known_labels, _ = files(rng, 200, 40)
    rule = LipschitzEmbedding(5, 3, AREA, 0.5)
    released = simulate(rule, secret, PLANAR, rng)
    prepare(rule, known[:20], PLANAR, rng)  # what is imported and compiled on the way
    asked.clear()
    tracemalloc.start()
    try:
        model = prepare(rule, known, PLANAR, rng)
        kept, peak = tracemalloc.get_traced_memory()
        peaks.append(peak)
        tracemalloc.reset_peak()
        # As much is held however few steps there are; told of each allocation, steps take seconds.
        few = Effort(starts=2, refined=1, fields=1, steps=20, steps_long=20, rounds=1)
        link_by_likelihood(labels, released, known_labels, model, rng, effort=few)
        peaks.append(tracemalloc.get_traced_memory()[1] - kept)
    finally:
        tracemalloc.stop()
    # Beside what does not grow with the files: samples of pairs, and votes on ways to lay a map.
    for need, peak in zip(asked, peaks):
        assert 0.4 * need < peak < 1.3 * need + 30e6


@given(st.integers(3, 30), st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_a_flat_map_keeps_distances(count, seed):
    rng = np.random.default_rng(seed)
    xy = rng.normal(size=(count, 2)) * 100
    distances = np.sqrt(squares(xy, xy))
    found = flat_map(distances, rng)
    np.testing.assert_allclose(np.sqrt(squares(found, found)), distances, atol=1e-4)
    np.testing.assert_allclose(aligned(found, xy), xy, atol=1e-4)
    np.testing.assert_allclose(majorized(xy, distances), xy - xy.mean(axis=0), atol=1e-6)


def test_nodes_are_the_nearest():
    xy = np.random.default_rng(2).normal(size=(200, 2))
    nodes = nodes_of(xy, 20, np.random.default_rng(1))
    np.testing.assert_array_equal(nodes.of_known, squares(xy, nodes.xy).argmin(axis=1))


def test_ratios_of_a_density_are_those_of_its_table():
    """Far from noise, a released distance tells the class of the true one for sure."""
    rng = np.random.default_rng(5)
    points = rng.uniform(0, SIDE, (60, 2))
    true = true_distances(points, PLANAR)
    estimator, code = learn_estimator([true], true, rng)
    density = learn(code, len(estimator.expected), true)
    seen = density.seen[:, estimator.of(true).classes]
    ratio = np.einsum("rij,rij->ij", seen, density.ratios(true))
    other = np.einsum("rij,rij->ij", seen, density.ratios(true[::-1]))
    upper = np.triu_indices(60, 1)
    assert ratio[upper].mean() > 0.7 and other[upper].mean() < 0


def test_majorization_lowers_the_stress_that_is_weighted():
    rng = np.random.default_rng(3)
    xy = rng.normal(size=(60, 2))
    wanted = np.sqrt(squares(xy, xy))
    noise = rng.normal(size=wanted.shape)
    wanted = wanted * np.exp(0.3 * (noise + noise.T))
    weights = np.exp(rng.normal(size=wanted.shape))
    weights += weights.T

    def stress(places, weights):
        return (weights * (np.sqrt(squares(places, places)) - wanted) ** 2).sum()

    plain, weighted = majorized(xy, wanted), majorized(xy, wanted, weights=weights)
    alike = majorized(xy, wanted, weights=np.full(wanted.shape, 7.0))
    assert stress(weighted, weights) < stress(plain, weights) < stress(xy, weights)
    assert stress(plain, 1.0) < stress(xy, 1.0)
    assert abs(stress(alike, 1.0) / stress(plain, 1.0) - 1) < 0.01


def test_gradient_of_the_fit_is_zero_at_the_truth():
    rng = np.random.default_rng(1)
    xy, sets = rng.uniform(0, 1000, (40, 2)), rng.uniform(0, 1000, (6, 3, 2))
    off = np.sqrt(((xy[:, None, None] - sets) ** 2).sum(axis=3)).min(axis=2)
    released = abs(off[:, None] - off).max(axis=2)
    pull, near, unit, miss = reference_fit._pulls(xy, sets, released, 100.0)
    assert miss < 1e-3 and abs(pull).max() < 0.02
    np.testing.assert_array_equal(
        near, np.sqrt(((xy[:, None, None] - sets) ** 2).sum(axis=3)).argmin(axis=2).T
    )
    np.testing.assert_allclose((unit**2).sum(axis=2), 1)


@given(st.integers(2, 40), st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_tries_of_a_jump_cost_the_same_compiled_and_plain(count, seed):
    rng = np.random.default_rng(seed)
    new = rng.random((5, count), dtype=np.float32) * 100
    others, wanted = (
        np.maximum(one, one.T) * (1 - np.eye(count, dtype=np.float32))
        for one in rng.random((2, count, count), dtype=np.float32) * 80
    )
    cap = np.float32(rng.uniform(1, 50))
    plain = reference_fit._losses_plain(new, others, wanted, cap)
    np.testing.assert_array_equal(plain, reference_fit._losses(new, others, wanted, cap))
    gap = np.abs(new[:, :, None].astype(float) - new[:, None])
    loss = np.minimum(np.abs(np.maximum(gap, others) - wanted), cap).sum(axis=(1, 2)) / 2
    assert abs(plain / reference_fit._PARTS * cap - loss).max() <= cap * count**2 / 4096


@pytest.mark.slow
def test_the_fit_brings_places_nearer_to_the_truth():
    rng = np.random.default_rng(4)
    xy = rng.uniform(0, SIDE, (100, 2))
    rule = LipschitzEmbedding(20, 5, AREA, 0.5)
    released = simulate(rule, xy, PLANAR, rng)
    start = xy + rng.normal(size=xy.shape) * 6000
    unsure = np.full(released.shape, 1e9)
    found, _ = reference_fit.fit(start, released, released, unsure, 20, 5, rng)

    def error(places):
        return np.median(np.hypot(*(aligned(places, xy) - xy).T))

    assert error(found) < 0.5 * error(start)


def test_last_digits_do_not_decide_where_a_fit_ends():
    rng = np.random.default_rng(5)
    xy = rng.uniform(0, SIDE, (20, 2))
    rule = LipschitzEmbedding(6, 2, AREA, 0.5)
    released, away = simulate(rule, xy, PLANAR, rng), np.sqrt(squares(xy, xy))
    begin = xy + rng.normal(0, 3000, xy.shape)
    ends = []
    for nudge in (0.0, 1e-13):
        nudged = begin * (1 + nudge * rng.choice([-1.0, 1.0], begin.shape))
        drawn = np.random.default_rng(1)
        found, _ = reference_fit.fit(nudged, released, away, 0.3 * away, 6, 2, drawn, steps=300)
        ends.append(found)
    np.testing.assert_array_equal(*ends)


def test_what_lies_on_a_line_or_a_place_is_not_mirrored_by_rounding():
    rng = np.random.default_rng(6)
    xy, line = rng.uniform(0, 1, (7, 2)), np.outer(np.arange(7.0), [3.0, 4.0])
    for onto in (line, np.full((7, 2), 5.0)):
        nudged = onto + 1e-14 * rng.normal(size=onto.shape)
        turns = [laid(xy, one)[0] for one in (onto, nudged)]
        assert turns[0] == pytest.approx(turns[1], abs=1e-9) and np.linalg.det(turns[0]) > 0
    assert laid(xy, 1 - xy[:, ::-1])[0] == pytest.approx(np.array([[0, -1], [-1, 0]]))


def test_one_to_one_takes_the_surest_first():
    target, known = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 1])
    confidence = np.array([0.3, 0.2, 0.35, 0.1, 0.05])
    np.testing.assert_array_equal(one_to_one(target, known, confidence, 0.01), [1, 2])
    np.testing.assert_array_equal(one_to_one(target, known, confidence, 0.3), [2])


def test_place_by_hand():
    """One candidate each, on the spot or far away; the map is turned and shifted a little."""
    rng = np.random.default_rng(6)
    known = rng.uniform(0, 1000, (100, 2))
    truth = rng.permutation(100)
    wrong = np.roll(truth, 50)
    angle = 0.02
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    places = known[truth] @ turn + 10
    target = np.repeat(np.arange(100), 2)
    identification = np.stack([truth, wrong], axis=1).ravel()
    found = place(places, known, target, identification, 30.0, 1.0)
    noisy = place_noisy(
        places,
        known,
        (target, identification),
        np.array([[100.0], [1.0]]),
        Population(known, np.arange(100), 10.0),
    )
    for one in (found, noisy):
        assert one.confidence[::2].mean() > 0.8
        assert one.confidence[1::2].max() < 0.2
        np.testing.assert_allclose(one.places, known[truth], atol=3)


def test_that_nobody_is_in_both_is_one_in_twenty_before_anything_is_seen():
    assert chances([0.0]) == pytest.approx([0.95])
    assert chances([-6.0])[0] < 0.05 and chances([5.0])[0] > 0.99
    assert chances([0.0, 0.0]).sum() == pytest.approx(38 / 39)
