# SPDX-License-Identifier: GPL-2.0-or-later
"""What a linkage attack shows: never less than what is claimed, guessed at, or cut off."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.attacks.linkage.evidence import by_labels, evidence, most_in_common
from geoanon_qgis.core.attacks.linkage.result import LIKELIHOOD, LinkageResult
from geoanon_qgis.core.distances.choice import MOST_PRECISION
from geoanon_qgis.core.verdict import (
    CANNOT_TELL,
    DO_NOT_RELEASE,
    RELEASE_WITH_CARE,
    Evidence,
    judge,
)

RANK = [RELEASE_WITH_CARE, CANNOT_TELL, DO_NOT_RELEASE]


def guessed(chance, threshold=0.5, **more):
    """An attack by likelihood: record i is taken for person i with a chance."""
    chance = np.asarray(chance, dtype=float)
    rows = np.arange(len(chance))
    pairs = np.stack([rows, rows], axis=1)
    claimed = chance >= threshold
    return LinkageResult(
        pairs[claimed],
        None,
        chance[claimed],
        5 * len(chance),
        0,
        None,
        None,
        "",
        guesses=pairs,
        chance=chance,
        name=LIKELIHOOD,
        **more,
    )


def truth_of(right, common):
    """Of ``common`` people in both files the first ``right`` are who they are taken for."""

    def truth(matches):
        rows = np.full(1000, -1)
        rows[:right] = np.arange(right)
        rows[right:common] = 999
        return rows

    return truth


def spread_out(right, common):
    """Of ``common`` people in both files the second and all after it until ``right`` are right."""
    rows = np.full(1000, -1)
    rows[:common] = 999
    rows[1 : right + 1] = np.arange(1, right + 1)
    return rows


def decided(result, most=200, **truth):
    found = evidence(result, most, **truth)
    return judge([found], "file_with_places", "which_record").decision, found


def test_labels_bound_the_people_in_both_files():
    assert most_in_common(["a", "a", "b", None, "c"], ["a", "b", "b", None, "d"]) == 3
    assert most_in_common([], ["a"]) == 0


def test_without_a_key_nothing_is_acceptable():
    decision, found = decided(guessed(np.zeros(200)))
    assert decision == CANNOT_TELL and found.upper == 1 and found.caveat == "no_key"


def test_with_the_key_what_holds_is_told():
    decision, found = decided(guessed(np.full(200, 0.01)), truth=truth_of(0, 100))
    assert decision == RELEASE_WITH_CARE and found.people == 100
    assert decided(guessed(np.full(200, 0.01)), truth=truth_of(0, 20))[0] == CANNOT_TELL


def test_what_is_not_claimed_is_guessed_at():
    """Forty of a hundred guesses are right, though none is sure enough to be claimed."""
    result = guessed(np.full(100, 0.4))
    assert not len(result.matches)
    decision, found = decided(result, truth=truth_of(40, 100))
    assert decision == DO_NOT_RELEASE and found.found == 40
    decision, found = decided(result)
    assert decision == DO_NOT_RELEASE and found.found == pytest.approx(40)


def test_guessing_at_everybody_is_an_attack():
    """Of nobody he thinks it likelier than one in six, and of a hundred he finds sixteen so."""
    result = guessed(np.full(100, 1 / 6))
    decision, found = decided(result, truth=truth_of(16, 100))
    assert decision == DO_NOT_RELEASE and (found.found, found.claims) == (16, 100)
    assert not found.failed and found.exposed == 0
    assert decided(result)[1].found == pytest.approx(100 / 6)  # as he expects himself
    few = np.full(100, 1 / 6)
    few[:2] = 0.4  # two whom he would name, of whom one is right, do not hide the others
    decision, found = decided(guessed(few), truth=lambda matches: spread_out(16, 100))
    assert found.found == 16 and found.failed


def test_one_who_is_sure_is_too_many():
    chance = np.zeros(500)
    chance[0] = 0.98
    decision, found = decided(guessed(chance, threshold=1.0), truth=truth_of(1, 500))
    assert decision == DO_NOT_RELEASE and found.exposed == 1
    assert decided(guessed(chance))[0] == DO_NOT_RELEASE


def test_few_claims_of_which_many_are_right_forbid_a_release():
    """The papers' rule, though the share of the people is small: two of five, of 400."""
    chance = np.zeros(400)
    chance[:5] = 0.6
    decision, found = decided(guessed(chance), truth=truth_of(2, 400))
    assert found.share < 0.09 and found.claims == 5 and found.failed
    assert decision == DO_NOT_RELEASE


def test_an_attack_that_could_not_be_run_says_nothing():
    result = guessed(np.zeros(200), unable=True)
    decision, found = decided(result, truth=truth_of(0, 200))
    assert decision == CANNOT_TELL and found.caveat == "nothing_compared"


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=60),
    st.integers(0, 60),
    st.integers(0, 60),
    st.floats(0, 1),
    st.booleans(),
)
def test_cutting_an_attack_off_or_silencing_it_never_makes_the_decision_better(
    chance, right, common, threshold, with_key
):
    right = min(right, common, len(chance))
    truth = {"truth": truth_of(right, common)} if with_key else {}
    whole, found = decided(guessed(chance), **truth)
    for other in (guessed(chance, cut_off=True), replace(guessed(chance), unable=True)):
        assert RANK.index(decided(other, **truth)[0]) >= RANK.index(whole)
    if threshold > 0.5 and not with_key:
        assert decided(guessed(chance, threshold))[0] == whole
    if whole == RELEASE_WITH_CARE:
        assert with_key and found.high <= 0.09
        hopeful = [one for one in chance if one > MOST_PRECISION]
        assert right <= MOST_PRECISION * len(hopeful) or not hopeful


def test_labels_alone_are_an_attack():
    # By label: one of one, one of three, none (the two are others), one without a label.
    target = ["a", "b", "b", "c", None]
    known = ["a", "b", "b", "b", "c", None]
    shown = by_labels(target, known, np.array([0, 1, -1, -1, 5]))
    assert shown.people == 3 and shown.found == pytest.approx(1 + 1 / 3)
    assert shown.low == shown.high == pytest.approx((1 + 1 / 3) / 3)
    assert shown.exposed == 0  # of two who are alone in both files one is somebody else
    assert by_labels(target, known, np.array([0, 1, -1, 4, 5])).exposed == 2
    assert by_labels(target, known, np.array([2, -1, -1, -1, -1])).found == 0  # labels differ
    nobody = by_labels(target, known, np.full(5, -1))
    assert not nobody.complete and nobody.caveat == "nobody_common"


@given(st.integers(0, 2**31))
def test_labels_alone_find_whom_guessing_finds(seed):
    rng = np.random.default_rng(seed)
    target, known = (rng.choice(list("abc"), size).tolist() for size in (6, 9))
    truth = np.full(6, -1)
    truth[:4] = rng.permutation(9)[:4]
    right = 0
    for _ in range(400):
        for label in "abc":
            records, people = (
                rng.permutation([row for row, one in enumerate(file) if one == label])
                for file in (target, known)
            )
            right += sum(truth[int(row)] == person for row, person in zip(records, people))
    assert right / 400 == pytest.approx(by_labels(target, known, truth).found, abs=0.35)


def test_where_distances_say_nothing_labels_may_say_enough():
    """Twelve of a hundred are found by guessing among those alike, by distances nobody is."""
    labels = [row % 12 for row in range(100)]
    silent = [Evidence.counted(name, 0, 100) for name in ("near_group_linkage", LIKELIHOOD)]
    alone = by_labels(labels, labels, np.arange(100))
    assert alone.found == pytest.approx(12) and not alone.exposed
    assert judge(silent, "a", "b").decision == RELEASE_WITH_CARE
    assert judge([*silent, alone], "a", "b").decision == DO_NOT_RELEASE
