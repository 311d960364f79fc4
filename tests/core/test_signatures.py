# SPDX-License-Identifier: GPL-2.0-or-later
"""The signature attack: its parts against what they must be, and whole attacks on small files."""

from __future__ import annotations

import time

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage.candidate_odds import (
    assigned,
    balanced,
    calibrate,
    learn_odds,
)
from geoanon_qgis.core.attacks.linkage.common_people import regressed
from geoanon_qgis.core.attacks.linkage.compatibility import (
    AbsoluteTolerance,
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
)
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.intervals import true_distances
from geoanon_qgis.core.attacks.linkage.own_releases import OwnReleases
from geoanon_qgis.core.attacks.linkage.pair_evidence import supports
from geoanon_qgis.core.attacks.linkage.pair_learning import Learning
from geoanon_qgis.core.attacks.linkage.row_signatures import Signatures, levels_of, signature
from geoanon_qgis.core.attacks.linkage.several_releases import joined
from geoanon_qgis.core.attacks.linkage.signature_result import SignatureLimits
from geoanon_qgis.core.attacks.linkage.signatures import signature_attack
from geoanon_qgis.core.distances.lipschitz import lipschitz_distances
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

SIDE = 100_000.0
AREA = StudyArea.of_rings([SIDE * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])], None)
PLANAR = metric_for("planar", None)
EMBEDDING = LipschitzEmbedding(20, 30, AREA, 0.5)
#: Where it is not the outcome that is asked for.
SHORT = SignatureLimits(releases=2, rounds=1)
USUAL = SignatureLimits(releases=6, rounds=3)


def files(rng, count=60, common=60, rule=EMBEDDING):
    """Places of the known, a release, and the known row of each record."""
    places = rng.uniform(0, SIDE, (2 * count - common, 2))
    order = rng.permutation(count)
    rows = np.concatenate([np.arange(common), np.arange(count, 2 * count - common)])[order]
    square = OwnReleases(rule, places, PLANAR).square(places[rows], rng)
    matrix = DistanceMatrix.numbered(square[np.triu_indices(count, 1)])
    return places[:count], matrix, np.where(rows < count, rows, -1)


def attack(places, matrix, rule=EMBEDDING, labels=None, known_links=(), limits=USUAL, **options):
    one = matrix if isinstance(matrix, DistanceMatrix) else matrix[0]
    of_records, of_people = labels or ([()] * len(one), [()] * len(places))
    given = Files(of_records, matrix, of_people, places, PLANAR, rule, known_links=known_links)
    return signature_attack(given, rng=np.random.default_rng(3), limits=limits, **options)


def right(result, truth):
    return int((truth[result.matches[:, 0]] == result.matches[:, 1]).sum())


# --- parts -------------------------------------------------------------------------------------


def test_own_releases_are_those_of_the_embedding():
    rng = np.random.default_rng(1)
    points = rng.uniform(0, SIDE, (30, 2))
    own = OwnReleases(EMBEDDING, points, PLANAR)
    found = own.square(points, np.random.default_rng(5))
    expected = lipschitz_distances(points, AREA, PLANAR, 20, 30, np.random.default_rng(5))
    np.testing.assert_allclose(found[np.triu_indices(30, 1)], expected, rtol=1e-12)


def test_two_own_releases_are_one_with_twice_the_sets():
    points = np.random.default_rng(1).uniform(0, SIDE, (30, 2))
    own = OwnReleases(EMBEDDING, points, PLANAR, shares=(1.0,))
    found = own.square(points, np.random.default_rng(5))
    expected = lipschitz_distances(points, AREA, PLANAR, 40, 30, np.random.default_rng(5))
    np.testing.assert_allclose(found[np.triu_indices(30, 1)], expected, rtol=1e-12)


@pytest.mark.parametrize("rounding", [(1000.0, 0.0), (500.0, 500.0)])
def test_rounded_own_releases_never_exceed_the_truth(rounding):
    points = np.random.default_rng(1).uniform(0, SIDE, (30, 2))
    own = OwnReleases(EMBEDDING, points, PLANAR, rounding=rounding)
    found = own.square(points, np.random.default_rng(5))
    assert (found <= true_distances(points, PLANAR) + 1e-6).all()
    stored = found[found > 0] + rounding[1]
    np.testing.assert_allclose(stored / 1000, np.round(stored / 1000), atol=1e-9)


def test_noisy_own_releases_are_symmetric_and_as_noisy_as_said():
    points = np.random.default_rng(1).uniform(0, SIDE, (60, 2))
    rule = DistanceNoise("gaussian", 500.0, 0.5)
    for releases in (1, 4):
        own = OwnReleases(rule, points, PLANAR, shares=(1.0,) * (releases - 1))
        found = own.square(points, np.random.default_rng(5))
        assert (found == found.T).all()
        error = (found - true_distances(points, PLANAR))[np.triu_indices(60, 1)]
        assert error.std() == pytest.approx(500 / np.sqrt(releases), rel=0.05)


def test_strangers_live_within_the_extent_and_at_no_known_place():
    points = np.random.default_rng(1).normal(0, SIDE, (50, 2))
    made = OwnReleases(EMBEDDING, points, PLANAR).strangers(500, np.random.default_rng(2))
    assert made.shape == (500, 2)
    assert (made >= points.min(axis=0)).all() and (made <= points.max(axis=0)).all()
    assert np.hypot(*(made[:, None] - points).transpose(2, 0, 1)).min() > 0


def test_a_signature_is_of_order_statistics():
    row = np.array([[5.0, 1.0, 4.0, 2.0, 3.0]])
    levels = levels_of(5)
    assert levels[0] == 0 and levels[-1] == 1
    np.testing.assert_allclose(np.exp(signature(row, levels, 1.0)) - 1, [[1, 2, 3, 4, 5]])


def test_scores_are_those_of_a_t_distribution_counted_one_by_one():
    rng = np.random.default_rng(4)
    released = np.abs(rng.normal(5, 1, (7, 7)))
    released += released.T
    np.fill_diagonal(released, 0)
    levels = levels_of(6)
    seen = rng.normal(2, 0.3, (30, 5, len(levels)))
    known = Signatures.learnt(seen, levels, 0.1)
    scores = known.scores(released)
    for t in range(7):
        own = signature(np.delete(released[t], t)[None], levels, 0.1)[0]
        for i in range(5):
            z = known.white[i] @ ((own - known.mean[i]) / known.deviation[i])
            size = len(levels)
            value = -0.5 * (20 + size) * np.log1p(z @ z / 20) - known.volume[i]
            assert scores[t, i] == pytest.approx(value, rel=1e-5)


def test_a_persons_own_signature_scores_best():
    rng = np.random.default_rng(2)
    centre = rng.normal(0, 3, (20, 6))
    seen = centre + rng.normal(0, 0.2, (40, 20, 6))
    known = Signatures.learnt(seen, np.linspace(0, 1, 6), 0.0)
    off = (centre - known.mean) / known.deviation
    inside = np.einsum("nqp,np->nq", known.white, off)
    assert (inside**2).sum(axis=1).max() < 1


@pytest.mark.parametrize(
    "rule",
    [
        EMBEDDING,
        DistanceNoise("laplace", 800.0, 0.5),
        CoordinateNoise(500.0, False, 0.5, AREA, None),
    ],
    ids=["embedding", "distances", "coordinates"],
)
def test_support_is_the_same_with_and_without_numba(rule):
    rng = np.random.default_rng(6)
    places, matrix, truth = files(rng, 40, 40, rule)
    own = OwnReleases(rule, places, PLANAR)
    learning = Learning(true_distances(places, PLANAR), own.contractive, 1.0)
    for _ in range(4):
        learning.add(own.between(places, np.arange(40), np.arange(40), rng), np.arange(40), 40)
    evidence = learning.evidence()
    released = matrix.square()
    seen = evidence.seen(released)
    others = np.argsort(released, axis=1)[:, 1:25]
    candidates = np.stack([rng.permutation(40)[:12] for _ in range(40)])
    candidates[3, 5] = -1
    matches = np.stack([truth, (truth + 1) % 40], axis=1)
    chance = np.tile([0.7, 0.2], (40, 1))
    given = (evidence, released, seen, np.array([2e4]), others, candidates, matches, chance)
    fast = supports(*given)
    accel.set_enabled(False)
    try:
        slow = supports(*given)
    finally:
        accel.set_enabled(True)
    np.testing.assert_allclose(fast, slow, rtol=1e-9, atol=1e-9)
    assert (fast[3, 5] == 0).all() and np.abs(fast).max() > 1


def test_support_speaks_for_whom_is_right():
    rng = np.random.default_rng(6)
    places, matrix, truth = files(rng, 60, 60)
    own = OwnReleases(EMBEDDING, places, PLANAR)
    learning = Learning(true_distances(places, PLANAR), True, 1.0)
    for _ in range(6):
        learning.add(own.between(places, np.arange(60), np.arange(60), rng), np.arange(60), 60)
    evidence = learning.evidence()
    released = matrix.square()
    everybody = np.tile(np.arange(60), (60, 1))
    others = np.argsort(released, axis=1)[:, 1:]
    said = supports(
        evidence,
        released,
        evidence.seen(released),
        np.array([2e4]),
        others,
        everybody,
        truth[:, None],
        np.full((60, 1), 0.95),
    )
    assert (said.sum(axis=2).argmax(axis=1) == truth).mean() > 0.8


def test_learnt_weights_are_those_of_the_model():
    rng = np.random.default_rng(8)
    said = rng.normal(size=(6000, 5, 2))
    odds = said @ np.array([1.5, 0.5]) - 1.0
    odds = np.column_stack([odds, np.zeros(6000)])
    drawn = (odds + rng.gumbel(size=odds.shape)).argmax(axis=1)
    right = np.where(drawn == 5, -1, drawn)
    found = learn_odds([said], [np.zeros((6000, 5), int)], [right])
    np.testing.assert_allclose(found.weights, [1.5, 0.5], atol=0.1)
    assert found.nobody == pytest.approx(1.0, abs=0.12)


def test_balanced_probabilities_sum_to_one_at_most():
    rng = np.random.default_rng(9)
    candidates = np.stack([rng.permutation(12)[:5] for _ in range(15)])
    candidates[2] = -1
    scores = np.where(candidates >= 0, rng.normal(2, 3, (15, 5)), -np.inf)
    chance = balanced(scores, candidates, 12)
    taken = np.bincount(np.maximum(candidates, 0).ravel(), chance.ravel(), minlength=12)
    assert chance.sum(axis=1).max() <= 1 + 1e-12 and taken.max() <= 1 + 1e-9
    assert (chance[2] == 0).all() and chance.max() > 0.5


def test_the_assignment_is_the_best_and_only_of_candidates():
    chance = np.array([[0.6, 0.5], [0.55, 0.0], [0.0, 0.0]])
    candidates = np.array([[0, 1], [0, -1], [-1, -1]])
    assert assigned(chance, candidates, 4).tolist() == [1, 0, -1]


def test_calibration_finds_how_often_matches_are_right():
    rng = np.random.default_rng(10)
    true = rng.uniform(0.02, 0.98, 20_000)
    right = rng.random(20_000) < true
    logit = 2 * np.log(true / (1 - true)) + 0.5  # twice as sure as it should be
    found = calibrate(1 / (1 + np.exp(-logit)), right)
    np.testing.assert_allclose(found.of(1 / (1 + np.exp(-logit))), true, atol=0.03)


def test_the_share_in_common_is_regressed():
    rng = np.random.default_rng(11)
    share = np.linspace(0.1, 1, 12)
    told = np.column_stack([share, share**2, share + rng.normal(0, 0.01, 12)])
    mean, deviation = regressed(told, share, np.array([0.5, 0.25, 0.5]))
    assert mean == pytest.approx(0.5, abs=0.05)
    assert deviation < 0.05


# --- attacks -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_everybody_known_without_attributes():
    places, matrix, truth = files(np.random.default_rng(20))
    result = attack(places, matrix)
    assert right(result, truth) >= 36
    assert abs(right(result, truth) - result.support.sum()) <= 6
    assert result.common[0] > 40
    assert not result.cut_off and result.work > 0


@pytest.mark.slow
def test_strangers_only_are_not_claimed():
    rng = np.random.default_rng(21)
    _, matrix, _ = files(rng)
    places = rng.uniform(0, SIDE, (60, 2))
    result = attack(places, matrix)
    assert result.support.sum() <= 3
    assert len(result.matches) <= 5


@pytest.mark.slow
def test_known_links_are_held_and_help():
    places, matrix, truth = files(np.random.default_rng(22), 60, 36)
    common = [t for t in range(60) if truth[t] >= 0]
    links = [(t, int(truth[t])) for t in common[:10]]
    alone = attack(places, matrix, common=36)
    helped = attack(places, matrix, common=36, known_links=links)
    assert helped.links.tolist() == sorted(map(list, links))
    assert not set(helped.guesses[:, 0]) & {t for t, _ in links}
    assert not set(helped.guesses[:, 1]) & {i for _, i in links}
    assert right(helped, truth) >= right(alone.holding(helped.links), truth)


@pytest.mark.slow
def test_labels_leave_only_those_who_agree():
    places, matrix, truth = files(np.random.default_rng(23), 60, 45)
    kinds = np.arange(60) % 6
    known = [(int(k),) for k in kinds]
    of_records = [(int(kinds[i]),) if i >= 0 else (0,) for i in truth]
    known[5] = (None,)
    result = attack(places, matrix, labels=(of_records, known), common=45)
    assert all(of_records[t] == known[i] for t, i in result.guesses)
    assert 5 not in result.guesses[:, 1]
    assert right(result, truth) >= 30


@pytest.mark.slow
def test_noise_on_distances():
    rule = DistanceNoise("gaussian", 1000.0, 0.5)
    places, matrix, truth = files(np.random.default_rng(24), rule=rule)
    result = attack(places, matrix, rule, common=60)
    assert right(result, truth) >= 54


@pytest.mark.slow
def test_two_releases_tell_more_than_one():
    rng = np.random.default_rng(25)
    rule = LipschitzEmbedding(4, 30, AREA, 0.5)
    places = rng.uniform(0, SIDE, (60, 2))
    order = rng.permutation(60)
    matrices = []
    for _ in range(3):
        square = OwnReleases(rule, places, PLANAR).square(places[order], rng)
        matrices.append(DistanceMatrix.numbered(square[np.triu_indices(60, 1)]))
    one = attack(places, matrices[0], rule, common=60)
    three = attack(places, matrices, rule, common=60)
    assert right(three, order) > right(one, order)


@pytest.mark.slow
def test_the_same_seed_finds_the_same_with_and_without_numba():
    places, matrix, _ = files(np.random.default_rng(26), 24, 24)
    results = []
    for enabled in (True, True, False):
        accel.set_enabled(enabled)
        try:
            results.append(attack(places, matrix, limits=SHORT, common=24))
        finally:
            accel.set_enabled(True)
    for other in results[1:]:
        assert results[0].guesses.tolist() == other.guesses.tolist()
        np.testing.assert_allclose(results[0].chance, other.chance, atol=1e-6)


def test_progress_only_rises_and_a_cancel_is_heard():
    places, matrix, _ = files(np.random.default_rng(27), 24, 24)
    told: list[float] = []
    attack(places, matrix, limits=SHORT, progress=told.append)
    assert told == sorted(told) and told[-1] == 1.0 and len(told) > 50

    def cancel(fraction):
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        attack(places, matrix, limits=SHORT, progress=cancel)


def test_work_that_is_used_up_ends_it_and_what_was_found_stays():
    places, matrix, _ = files(np.random.default_rng(28), 24, 24)
    whole = attack(places, matrix, common=24, limits=SignatureLimits(releases=2, rounds=3))
    cut = SignatureLimits(work=whole.work - 1, releases=2, rounds=3)
    result = attack(places, matrix, common=24, limits=cut)
    assert result.cut_off and result.work <= cut.work and result.stopped == "time"
    assert len(result.guesses) and result.rounds < 3
    nothing = attack(places, matrix, common=24, limits=SignatureLimits(work=10))
    assert nothing.cut_off and not len(nothing.guesses) and nothing.note


def test_with_less_work_there_are_fewer_trials():
    places, matrix, _ = files(np.random.default_rng(32), 24, 24)
    whole = attack(places, matrix, limits=SHORT)
    less = attack(places, matrix, limits=SignatureLimits(int(0.7 * whole.work), None, 2, 1))
    assert less.work < 0.7 * whole.work
    assert len(less.guesses) and np.isfinite(less.common).all()


def test_time_that_is_used_up_ends_it(monkeypatch):
    places, matrix, _ = files(np.random.default_rng(29), 24, 24)
    clock = iter(range(10**9))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    result = attack(places, matrix, common=24, limits=SignatureLimits(seconds=5))
    assert result.cut_off


def test_matrices_are_joined_by_id():
    one = DistanceMatrix(np.array([1.0, 2.0, 3.0]), ("a", "b", "c"), "m")
    other = DistanceMatrix(np.array([5.0, 1.0, 1.0]), ("c", "a", "b"), "m")
    assert joined([one, other], True).condensed.tolist() == [1.0, 5.0, 3.0]
    assert joined([one, other], False).condensed.tolist() == [1.0, 3.5, 2.0]
    with pytest.raises(InputError, match="'c' is not in all"):
        joined([one, DistanceMatrix(one.condensed, ("a", "b", "d"), "m")], True)
    with pytest.raises(InputError, match="different units"):
        joined([one, DistanceMatrix(one.condensed, one.ids, "km")], True)


def test_bad_input_is_a_sentence():
    places, matrix, truth = files(np.random.default_rng(30), 24, 24)
    with pytest.raises(InputError, match="how distances were changed"):
        attack(places, matrix, AbsoluteTolerance(5.0))
    with pytest.raises(InputError, match="no such row"):
        attack(places, matrix, known_links=[(0, 24)])
    with pytest.raises(InputError, match="more than one known link"):
        attack(places, matrix, known_links=[(0, 1), (1, 1)])
    with pytest.raises(InputError, match="25 people in common"):
        attack(places, matrix, common=25)
    with pytest.raises(InputError, match="least confidence"):
        attack(places, matrix, threshold=2)
    true = true_distances(places, PLANAR)
    far = np.unravel_index(matrix.square().argmax(), (24, 24))
    near = np.unravel_index((true + 1e9 * np.eye(24)).argmin(), (24, 24))
    with pytest.raises(InputError, match="contradicts that of .* their released distance is"):
        attack(places, matrix, known_links=list(zip(map(int, far), map(int, near))))
    with pytest.raises(InputError, match="3 known links, but .* only 2 people in common"):
        attack(places, matrix, known_links=[(0, 0), (1, 1), (2, 2)], common=2)
    wrong = [(int(t), int(truth[t])) for t in range(3)]
    attack(places, matrix, known_links=wrong, limits=SHORT, common=24)


def test_files_of_which_nothing_can_be_said():
    places, matrix, _ = files(np.random.default_rng(31), 24, 24)
    few = attack(places[:5], matrix)
    assert few.unable and "eight" in few.note and not len(few.matches)
    same = attack(np.tile(places[:1], (24, 1)), matrix)
    assert same.unable and "one place" in same.note
    nobody = attack(places, matrix, labels=(["a"] * 24, ["b"] * 24))
    assert not nobody.compared and not len(nobody.matches)
