# SPDX-License-Identifier: GPL-2.0-or-later
"""How the attack behaves: input, verdicts, duplicates, order, chance, numba."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.voronoi.result import (
    AMBIGUOUS,
    INCOMPLETE,
    KIND_NAMES,
    NO_MASK,
    NOT_MASKED,
    PAIR,
    REVERSIBLE,
    SINGLETON,
    TOO_COARSE,
    UNMOVED,
    UNRESOLVED,
)
from geoanon_qgis.core.attacks.voronoi.reversal import default_tolerance, reverse_voronoi
from geoanon_qgis.core.attacks.voronoi.stored import reverse_stored, rounded_to
from geoanon_qgis.core.masking import voronoi
from geoanon_qgis.core.masking.voronoi import voronoi_mask
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.points import coordinate_resolution


def attack(masked, candidates, seed=1, tolerance=None):
    if tolerance is None:
        tolerance = default_tolerance(coordinate_resolution(masked), masked)
    rng = np.random.default_rng(seed)
    return reverse_voronoi(masked, candidates, tolerance=tolerance, rng=rng)


def right(result, candidates, truth):
    return (result.candidate >= 0) & (candidates[result.candidate] == truth).all(axis=1)


@pytest.fixture(scope="module")
def town():
    """3,000 places to the millimetre in a town of uneven density."""
    rng = np.random.default_rng(5)
    centres = rng.uniform(0, 3000, (30, 2))
    xy = centres[rng.integers(0, 30, 3000)] + rng.normal(0, 120, (3000, 2))
    return np.round(xy, 3)


@pytest.fixture(scope="module")
def sample(town):
    return np.random.default_rng(6).choice(len(town), 400, replace=False)


# The two cases of the paper -----------------------------------------------------------------


def test_fewer_records_than_candidates(town, sample):
    mask = voronoi_mask(town[sample])
    result = attack(mask.xy, town)
    assert not result.complete and result.verdict == REVERSIBLE
    assert result.explained == 1.0 and result.explained_by_chance < 0.05
    hit = right(result, town, town[sample])
    single = mask.kind == voronoi.SINGLETON
    assert hit[single].all() and (result.kind[single] == SINGLETON).all()
    assert (result.probability[single] == 1).all()
    assert np.array_equal(np.sort(result.rebuilt), np.sort(sample))


def test_as_many_records_as_candidates(town):
    mask = voronoi_mask(town)
    result = attack(mask.xy, town)
    assert result.complete and result.verdict == REVERSIBLE
    single = mask.kind == voronoi.SINGLETON
    hit = right(result, town, town)
    assert hit[single].all() and (result.probability[single] == 1).all()
    assert np.allclose(result.probability[~single], 0.5)
    assert len(result.rebuilt) == len(town)


def test_the_two_members_of_a_pair_get_its_two_ends(town, sample):
    mask = voronoi_mask(town[sample])
    result = attack(mask.xy, town)
    pair = np.flatnonzero(result.kind == PAIR)
    assert len(pair) > 100
    assert np.array_equal(pair, np.flatnonzero(mask.kind == voronoi.PAIRED))
    other = mask.neighbour[pair]
    assert np.array_equal(result.candidate[pair], result.partner[other])
    for row, mate in zip(pair, other):
        assert {result.candidate[row], result.candidate[mate]} == {sample[row], sample[mate]}


def test_the_coin_is_fair(town, sample):
    masked = voronoi_mask(town[sample])
    pair = masked.kind == voronoi.PAIRED
    hits = [
        right(attack(masked.xy, town, seed), town, town[sample])[pair].mean() for seed in range(40)
    ]
    # About 120 independent coins a seed: the mean has a standard error under 0.01.
    assert np.mean(hits) == pytest.approx(0.5, abs=0.03)
    assert len(set(hits)) > 1


def test_counts_and_expectation_add_up(town, sample):
    result = attack(voronoi_mask(town[sample]).xy, town)
    assert sum(result.count(kind) for kind in range(len(KIND_NAMES))) == len(sample)
    assert result.found == result.count(SINGLETON) + result.count(PAIR) + result.count(UNMOVED)
    assert result.expected_correct == pytest.approx(result.probability.sum())
    assert ((result.probability >= 0) & (result.probability <= 1)).all()


# Rounding -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("step", [0.1, 1.0, 5.0, 25.0])
@pytest.mark.parametrize("share", [0.1, 0.4, 1.0])
def test_rounded_coordinates_give_honest_probabilities(town, step, share):
    rng = np.random.default_rng(int(100 * share))
    claimed, correct, variance, sure, sure_wrong = 0.0, 0, 0.0, 0, 0
    for seed in range(1 if share == 1.0 else 4):
        chosen = rng.choice(len(town), int(share * len(town)), replace=False)
        masked = np.round(voronoi_mask(town[chosen]).xy / step) * step
        result = attack(masked, town, seed, default_tolerance(step, masked))
        hit = right(result, town, town[chosen])
        p = result.probability
        claimed, correct = claimed + p.sum(), correct + hit.sum()
        variance += (p * (1 - p)).sum()
        sure, sure_wrong = sure + (p > 0.999).sum(), sure_wrong + (~hit[p > 0.999]).sum()
    # Records share pairs, so that the spread is up to twice that of independent ones.
    assert abs(claimed - correct) < 2 * 4 * np.sqrt(variance) + 0.02 * claimed
    assert sure_wrong <= 0.002 * sure + 1


@pytest.mark.slow
def test_coarser_coordinates_are_harder_to_reverse(town, sample):
    exact = voronoi_mask(town[sample]).xy
    expected = []
    for step in (0.001, 1.0, 10.0, 50.0):
        masked = np.round(exact / step) * step
        expected.append(
            attack(masked, town, tolerance=default_tolerance(step, masked)).expected_correct
        )
    assert expected == sorted(expected, reverse=True)
    assert expected[-1] < 0.3 * expected[0]


@pytest.mark.slow
def test_coordinates_too_coarse_to_say_anything_are_told(town, sample):
    masked = np.round(voronoi_mask(town[sample]).xy / 50) * 50
    result = attack(masked, town, tolerance=default_tolerance(50.0, masked))
    assert result.verdict == TOO_COARSE
    assert result.explained_by_chance > 0.5
    assert result.count(AMBIGUOUS) > 0.9 * len(sample)


def test_records_that_rounding_brought_together_are_not_taken_for_one_place():
    """Two couples of neighbours, far from each other, whose midpoints round to one point."""
    candidates = np.array(
        [[0, 0], [40, 2], [20, -30], [20.6, 31], [300, 300], [330, 300], [300, 360]], dtype=float
    )
    masked = np.array([[20.0, 1.0], [20.0, 1.0], [20.0, 1.0], [315.0, 300.0], [315.0, 300.0]])
    result = attack(masked, candidates, tolerance=default_tolerance(1.0, masked))
    # Three records from four places: nobody can be sure of any of them.
    assert (result.probability[:3] < 0.999).all()
    assert not (result.kind[:3] == UNMOVED).any()


# Verdicts -----------------------------------------------------------------------------------


def test_a_layer_that_is_no_mask_is_told_so(town, sample):
    moved = town[sample] + np.random.default_rng(3).normal(0, 40, (len(sample), 2))
    result = attack(moved, town, tolerance=1e-3)
    assert result.verdict == NO_MASK
    assert result.expected_correct < 0.05 * len(sample)
    assert result.found < 0.05 * len(sample)


def test_originals_are_no_mask_of_themselves(town, sample):
    result = attack(town[sample], town)
    assert result.verdict == NOT_MASKED
    assert result.found == len(sample) and result.count(UNMOVED) == len(sample)
    assert right(result, town, town[sample]).all()
    assert result.expected_correct == pytest.approx(len(sample), rel=0.01)


@pytest.mark.parametrize("share", [0.03, 0.1, 0.3])
def test_records_that_were_not_moved_are_found_in_a_mask(town, sample, share):
    """Whoever stands on a candidate is told, however many were masked well."""
    masked = voronoi_mask(town[sample]).xy
    lone = np.unique(masked, axis=0, return_inverse=True, return_counts=True)
    alone = np.flatnonzero(lone[2][lone[1].reshape(-1)] == 1)
    still = np.random.default_rng(1).choice(alone, int(share * len(sample)), replace=False)
    masked[still] = town[sample][still]
    result = attack(masked, town)
    assert (result.kind[still] == UNMOVED).all()
    assert right(result, town, town[sample])[still].all()
    assert (result.probability[still] > 0.9).all()
    others = np.setdiff1d(np.arange(len(sample)), still)
    assert np.count_nonzero(result.kind[others] == UNMOVED) <= 0.01 * len(others)


@pytest.mark.parametrize("step", [0.0, 1.0, 10.0])
def test_a_genuine_mask_has_nobody_who_was_not_moved(town, sample, step):
    masked = voronoi_mask(town[sample]).xy
    if step:
        masked = np.round(masked / step) * step
    result = attack(masked, town, tolerance=default_tolerance(step, masked))
    assert result.count(UNMOVED) <= 0.002 * len(sample)


def test_missing_candidates_are_told_and_the_rest_is_found(town, sample):
    mask = voronoi_mask(town[sample])
    known = np.delete(town, sample[:40], axis=0)
    result = attack(mask.xy, known)
    assert result.verdict == INCOMPLETE
    assert 0.7 < result.explained < 1.0
    hit = right(result, known, town[sample])
    lost = result.kind == UNRESOLVED
    assert lost.any() and (result.candidate[lost] == -1).all()
    assert (result.partner[lost] == -1).all() and (result.probability[lost] == 0).all()
    spread = np.sqrt((result.probability * (1 - result.probability)).sum())
    assert abs(hit.sum() - result.expected_correct) < 4 * 1.5 * spread + 2


@pytest.mark.parametrize("missing", [0.3, 0.5, 0.8])
def test_few_of_the_candidates_are_enough_to_know_a_mask(town, sample, missing):
    """Exact coordinates explain nothing by accident: a tenth explained says what it is."""
    known = np.delete(town, sample[: int(missing * len(sample))], axis=0)
    result = attack(voronoi_mask(town[sample]).xy, known)
    assert result.explained > 0.03 and result.explained_by_chance < 0.005
    assert result.verdict == INCOMPLETE


def test_accidents_count_against_explanations_where_candidates_are_missing(town):
    """Coarse coordinates explain by accident what the missing candidates do not."""
    claimed, correct = 0.0, 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        sample = rng.choice(len(town), 600, replace=False)
        known = np.delete(town, sample[:300], axis=0)
        masked = np.round(voronoi_mask(town[sample]).xy / 4) * 4
        result = attack(masked, known, seed, default_tolerance(4.0, masked))
        assert 0.1 < result.explained_by_chance < result.explained < 0.5
        claimed += result.expected_correct
        correct += right(result, known, town[sample]).sum()
    # Unscaled, half as many again would be claimed.
    assert claimed == pytest.approx(correct, rel=0.15)


def test_candidates_of_another_town_explain_nothing(town, sample):
    masked = voronoi_mask(town[sample]).xy
    result = attack(masked, town + [100_000.0, 0.0])
    assert result.verdict == NO_MASK
    assert (result.kind == UNRESOLVED).all() and result.found == 0
    assert result.expected_correct == 0


# Places with several records ----------------------------------------------------------------


def test_several_records_at_a_place_are_unmoved_and_take_turns():
    candidates = np.array([[0, 0], [0, 0], [0, 0], [7, 1], [30, 40], [90, 5]], dtype=float)
    masked = voronoi_mask(candidates).xy
    result = attack(masked, candidates)
    assert result.kind[:3].tolist() == [UNMOVED] * 3
    assert sorted(result.candidate[:3].tolist()) == [0, 1, 2]
    assert (result.probability[:3] == 1).all()
    assert (result.partner[:3] == -1).all()
    assert right(result, candidates, candidates)[3:].all()


def test_one_place_many_candidates_few_records():
    """Of a block of flats three live in the sample; the fourth record is next door."""
    candidates = np.array([[0, 0]] * 8 + [[9, 3], [80, 80], [140, 90], [500, 0]], dtype=float)
    truth = candidates[[0, 1, 2, 8]]
    masked = voronoi_mask(truth).xy
    result = attack(masked, candidates)
    assert (result.kind[:3] == UNMOVED).all()
    assert len(set(result.candidate[:3].tolist())) == 3
    assert right(result, candidates, truth).all()
    assert result.probability == pytest.approx(np.ones(4))


def test_rebuilt_lists_every_place_once():
    candidates = np.array([[0, 0], [0, 0], [7, 1], [30, 40], [90, 5]], dtype=float)
    result = attack(voronoi_mask(candidates).xy, candidates)
    places = candidates[result.rebuilt]
    assert len(np.unique(places, axis=0)) == len(places) == 4


# Input that cannot be worked with -----------------------------------------------------------


@pytest.mark.parametrize("tolerance", [-1.0, -1e-300, np.nan, np.inf])
def test_a_tolerance_must_be_a_distance(tolerance):
    with pytest.raises(InputError, match="tolerance must be zero or a positive distance"):
        attack(np.eye(2), np.eye(2), tolerance=tolerance)


def test_a_tolerance_of_zero_finds_exact_pairs():
    candidates = np.array([[0.0, 0.0], [2.0, 0.0], [10.0, 0.0], [10.0, 4.0], [31.0, 8.0]])
    masked = voronoi_mask(candidates[:4]).xy
    result = attack(masked, candidates, tolerance=0.0)
    assert result.verdict == REVERSIBLE
    assert result.probability.tolist() == [0.5] * 4


def test_fewer_candidates_than_records_are_refused():
    with pytest.raises(InputError, match=r"fewer candidates \(2\) than masked points \(3\)"):
        attack(np.arange(6.0).reshape(3, 2), np.eye(2), tolerance=0.1)


@pytest.mark.parametrize("candidates", [np.empty((0, 2)), np.eye(2)])
def test_nothing_to_attack_is_refused(candidates):
    with pytest.raises(InputError, match="no masked points"):
        attack(np.empty((0, 2)), candidates, tolerance=0.1)


@pytest.mark.parametrize("which", ["masked points", "candidates"])
def test_coordinates_that_are_no_numbers_are_refused(which):
    good, bad = np.eye(2), np.array([[0.0, np.nan], [1.0, 0.0]])
    first, second = (bad, good) if which == "masked points" else (good, bad)
    with pytest.raises(InputError, match=which):
        attack(first, second, tolerance=0.1)


def test_a_single_masked_location():
    candidates = np.array([[0.0, 0.0], [4.0, 2.0]])
    result = attack(voronoi_mask(candidates).xy, candidates)
    assert result.kind.tolist() == [PAIR, PAIR]
    assert sorted(result.candidate.tolist()) == [0, 1]
    assert result.probability.tolist() == [0.5, 0.5]


def test_one_record_alone():
    """A filtered release: one masked point, three candidates, one pair around it."""
    candidates = np.array([[0.0, 0.0], [4.0, 2.0], [50.0, 50.0]])
    result = attack(np.array([[2.0, 1.0]]), candidates)
    assert result.candidate[0] in (0, 1)
    assert result.probability[0] == pytest.approx(0.5)


# Repeatable ---------------------------------------------------------------------------------


def fields(result):
    return (
        result.candidate,
        result.partner,
        result.kind,
        result.probability,
        result.pairs,
        result.rivals,
        result.rebuilt,
    )


def test_the_same_seed_gives_the_same_result(town, sample):
    masked = np.round(voronoi_mask(town[sample]).xy)
    one, other = attack(masked, town, 9), attack(masked, town, 9)
    assert all(np.array_equal(a, b) for a, b in zip(fields(one), fields(other)))
    assert one.explained_by_chance == other.explained_by_chance


@pytest.mark.parametrize("step", [0.001, 1.0])
def test_the_order_of_the_records_says_nothing(town, sample, step):
    masked = np.round(voronoi_mask(town[sample]).xy / step) * step
    order = np.random.default_rng(8).permutation(len(masked))
    one, other = attack(masked, town), attack(masked[order], town)
    assert np.array_equal(one.kind[order], other.kind)
    assert np.array_equal(one.pairs[order], other.pairs)
    assert np.array_equal(one.rivals[order], other.rivals)
    # At one location the records are interchangeable: compare what they get together.
    key = np.lexsort((one.probability[order], masked[order, 1], masked[order, 0]))
    other_key = np.lexsort((other.probability, masked[order, 1], masked[order, 0]))
    assert np.allclose(one.probability[order][key], other.probability[other_key], atol=1e-12)


def test_the_order_of_the_candidates_says_nothing(town, sample):
    masked = voronoi_mask(town[sample]).xy
    order = np.random.default_rng(8).permutation(len(town))
    one, other = attack(masked, town), attack(masked, town[order])
    assert np.array_equal(one.kind, other.kind)
    assert np.array_equal(one.probability, other.probability)
    assert np.array_equal(np.sort(order[other.rebuilt]), np.sort(one.rebuilt))
    renamed = other.with_candidate_rows(order)
    assert np.array_equal(town[renamed.candidate], town[order][other.candidate])
    lone = one.kind == SINGLETON
    assert np.array_equal(one.candidate[lone], renamed.candidate[lone])


def test_renaming_rows_leaves_the_unresolved_alone(town, sample):
    known = np.delete(town, sample[:40], axis=0)
    result = attack(voronoi_mask(town[sample]).xy, known)
    renamed = result.with_candidate_rows(np.arange(len(known)) + 7)
    lost = result.candidate == -1
    assert lost.any() and (renamed.candidate[lost] == -1).all()
    assert np.array_equal(renamed.candidate[~lost], result.candidate[~lost] + 7)


@pytest.mark.parametrize("step", [0.001, 1.0, 10.0])
def test_results_are_the_same_without_numba(town, sample, step):
    if not accel.available():
        pytest.skip("numba is not installed")
    masked = np.round(voronoi_mask(town[sample]).xy / step) * step
    tolerance = default_tolerance(step, masked)
    was = accel.enabled()
    try:
        results = []
        for on in (True, False):
            accel.set_enabled(on)
            results.append(attack(masked, town, 4, tolerance))
    finally:
        accel.set_enabled(was)
    assert all(np.array_equal(a, b) for a, b in zip(*map(fields, results)))


# Cancelling ---------------------------------------------------------------------------------


@pytest.mark.parametrize("after", [0.0, 0.1, 0.5, 0.7, 0.9])
def test_a_cancel_goes_through_at_any_time(town, sample, after):
    def progress(fraction):
        if fraction >= after:
            raise Cancelled

    masked = np.round(voronoi_mask(town[sample]).xy)
    with pytest.raises(Cancelled):
        reverse_voronoi(
            masked, town, tolerance=0.71, rng=np.random.default_rng(1), progress=progress
        )


def test_progress_rises_to_one(town, sample):
    told = []
    reverse_voronoi(
        np.round(voronoi_mask(town[sample]).xy),
        town,
        tolerance=0.71,
        rng=np.random.default_rng(1),
        progress=told.append,
    )
    assert told == sorted(told) and told[-1] == 1.0


@pytest.mark.parametrize("step", [40.0, 15.24])
def test_a_step_that_is_no_power_of_ten_is_seen(step):
    rng = np.random.default_rng(21)
    places = rng.uniform(0, 20_000, (400, 2)).round(1)
    rows = rng.permutation(400)[:150]
    masked = np.round(voronoi_mask(places[rows]).xy / step) * step
    found = reverse_stored(masked, places, None, rng=rng)[1]
    assert found.tolerance == pytest.approx(step * np.sqrt(0.5), rel=1e-6)
    # Rounded to 40 m they were taken for 10 m, and half of them had no explanation.
    assert found.explained > 0.95
    # Midpoints of places on a grid lie on one, and were not rounded.
    grid = np.round(places / 200) * 200
    masked = voronoi_mask(np.unique(grid, axis=0)[:150]).xy
    assert rounded_to(masked, np.unique(grid, axis=0)) == 100.0
