# SPDX-License-Identifier: GPL-2.0-or-later
"""A verdict is never better than its worst evidence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.attacks.scoring import wilson
from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.verdict import (
    CANNOT_TELL,
    DO_NOT_RELEASE,
    LIMIT,
    NOT_TESTED,
    RELEASE_WITH_CARE,
    Evidence,
    judge,
    not_tested,
)

ADVERSARY = ("address_list", "whose_place")
SHARES = st.floats(0, 1, allow_nan=False)


@st.composite
def evidence(draw):
    people = draw(st.integers(0, 2000))
    right = draw(st.integers(0, people))
    return Evidence.counted(
        "voronoi_reversal", right, people, draw(st.booleans()), draw(st.integers(0, 1))
    )


def decided(right, people, limit=LIMIT, **more):
    return judge(
        [Evidence.counted("voronoi_reversal", right, people, **more)], *ADVERSARY, limit
    ).decision


def test_without_an_attack_nothing_is_said():
    for verdict in (not_tested(*ADVERSARY), judge([], *ADVERSARY)):
        assert verdict.decision == NOT_TESTED
        assert verdict.low is verdict.high is verdict.worst is None


@pytest.mark.parametrize(
    "right, people, more, expected",
    [
        (0, 1000, {}, RELEASE_WITH_CARE),
        (60, 1000, {}, RELEASE_WITH_CARE),
        (90, 1000, {}, CANNOT_TELL),  # the interval spans the limit
        (200, 1000, {}, DO_NOT_RELEASE),
        (0, 10, {}, CANNOT_TELL),  # too few people
        (0, 0, {}, CANNOT_TELL),
        (0, 1000, {"complete": False}, CANNOT_TELL),
        (200, 1000, {"complete": False}, DO_NOT_RELEASE),  # more would only be worse
        (1, 1000, {"exposed": 1}, DO_NOT_RELEASE),  # nobody is a rounding error
    ],
)
def test_decisions(right, people, more, expected):
    assert decided(right, people, **more) == expected


@given(st.lists(evidence(), min_size=1, max_size=4), evidence(), st.floats(0, 0.9))
def test_more_evidence_never_makes_a_verdict_better(before, more, limit):
    def verdict(of):
        return judge(of, *ADVERSARY, limit)

    old, new = verdict(before), verdict([*before, more])
    order = [RELEASE_WITH_CARE, CANNOT_TELL, DO_NOT_RELEASE]
    assert order.index(new.decision) >= order.index(old.decision)
    assert new.high >= old.high and new.low >= old.low and new.exposed >= old.exposed
    assert new.worst.upper == new.high
    if new.decision == RELEASE_WITH_CARE:
        assert new.high <= limit and new.exposed == 0


@given(st.lists(SHARES, min_size=1, max_size=300))
def test_what_is_expected_lies_in_its_interval(chance):
    found = Evidence.expected("voronoi_reversal", np.array(chance))
    assert 0 <= found.low <= found.share + 1e-12 and found.share <= found.high + 1e-12 <= 1 + 2e-12
    assert found.found == pytest.approx(sum(chance))
    assert found.exposed == sum(one >= 0.95 for one in chance)


def test_the_interval_of_what_is_expected_holds_as_often_as_it_says():
    """Also for other people: probabilities drawn anew each time, some of them sure."""
    rng = np.random.default_rng(20)
    inside = 0
    for _ in range(2000):
        chance = rng.choice([0.0, 0.5, 1.0], 200, p=[0.7, 0.2, 0.1])
        found = Evidence.expected("voronoi_reversal", chance)
        inside += found.low <= 0.2 * 0.5 + 0.1 <= found.high  # the share among all people
    assert inside >= 0.93 * 2000


@given(st.lists(SHARES, min_size=1, max_size=40), st.integers(1, 500))
def test_repetitions_widen_the_interval_of_one(shares, people):
    found = Evidence.repeated("clique_linkage", np.array(shares), people)
    mean = float(np.mean(shares))
    low, high = wilson(mean * people, people)
    assert 0 <= found.low <= low + 1e-12 and high - 1e-12 <= found.high <= 1
    assert found.low - 1e-9 <= found.share <= found.high + 1e-9
    assert found.share == pytest.approx(mean) and found.by_key and found.people == people
    once = Evidence.repeated("clique_linkage", np.array(shares[:1]), people)
    assert (once.low, once.high) == pytest.approx(wilson(shares[0] * people, people))


@pytest.mark.parametrize("repeats, releases_differ", [(3, 0.0), (3, 0.1), (20, 0.1)])
def test_the_interval_of_repetitions_holds_as_often_as_it_says(repeats, releases_differ):
    """People of several kinds are drawn once; each release exposes them more or less."""
    rng, people, inside, rounds = np.random.default_rng(8), 60, 0, 1000
    for _ in range(rounds):
        own = rng.choice([0.02, 0.5], people, p=[0.7, 0.3])
        shift = rng.uniform(-1, 1, repeats)[:, None] * releases_differ
        chance = np.clip(own + shift * (own > 0.1), 0, 1)
        shares = (rng.random((repeats, people)) < chance).mean(axis=1)
        found = Evidence.repeated("clique_linkage", shares, people)
        inside += found.low <= 0.7 * 0.02 + 0.3 * 0.5 <= found.high
    assert inside >= 0.94 * rounds


def test_what_the_adversary_can_believe_forbids_a_release():
    """However few people he names among many."""
    found = Evidence.counted("clique_linkage", 2, 2000)
    assert judge([found], *ADVERSARY).decision == RELEASE_WITH_CARE
    assert judge([found.with_claims(4, True)], *ADVERSARY).decision == DO_NOT_RELEASE


def test_a_share_that_nobody_knows():
    unknown = Evidence.without_share("clique_linkage", 50, False).with_caveat("no_key")
    verdict = judge([Evidence.counted("voronoi_reversal", 0, 1000), unknown], *ADVERSARY)
    assert verdict.decision == CANNOT_TELL and verdict.high == 1


def test_what_is_not_assigned_is_not_found():
    found = Evidence.expected("clique_linkage", np.array([1.0, np.nan]), people=50)
    assert (found.found, found.people, found.exposed) == (1.0, 50, 1)


@pytest.mark.parametrize("limit", [-0.1, 1.0, float("nan")])
def test_a_limit_is_a_share(limit):
    with pytest.raises(InputError, match="acceptable share"):
        judge([], *ADVERSARY, limit)


# --- looked up by quasi-identifiers -----------------------------------------------------------


SIZES = st.lists(st.integers(1, 60), min_size=1, max_size=40)


@given(SIZES, st.integers(2, 12))
def test_whom_a_look_up_finds_is_what_every_choice_finds_on_average(sizes, k):
    """Against the sum over all people of the chance that a record of their class is theirs."""
    found = Evidence.looked_up(np.array(sizes), k)
    chance = [1 / size for size in sizes for _ in range(size)]
    assert found.people == len(chance) and found.found == pytest.approx(sum(chance))
    assert found.low == found.high == found.share == pytest.approx(np.mean(chance))
    assert found.exposed == chance.count(1.0) and found.smallest == round(1 / max(chance))
    assert found.failed == (1 / max(chance) < k) and found.is_exact
    decision = judge([found], "quasi_identifiers", "which_record").decision
    bad = found.failed or found.share > LIMIT
    assert decision == (DO_NOT_RELEASE if bad else RELEASE_WITH_CARE)


def test_a_guesser_finds_as_many_as_the_look_up_says():
    sizes = np.array([2, 3, 5, 40, 50])
    rng, owner = np.random.default_rng(3), np.repeat(np.arange(5), sizes)
    taken = [(rng.integers(sizes[owner]) == 0).sum() for _ in range(4000)]
    found = Evidence.looked_up(sizes, 2)
    assert np.mean(taken) == pytest.approx(found.found, rel=0.02)


@given(SIZES, st.integers(2, 12))
def test_leaving_small_classes_out_never_makes_it_worse(sizes, k):
    sizes = np.array(sizes)
    every, kept = Evidence.looked_up(sizes, k), Evidence.looked_up(sizes[sizes >= k], k)
    assert not kept.failed and kept.exposed == 0
    if kept.people:
        assert kept.share <= every.share and kept.share <= 1 / k


def test_where_nothing_is_released_nobody_can_tell():
    verdict = judge([Evidence.looked_up(np.array([], dtype=int), 5)], *ADVERSARY)
    assert verdict.decision == CANNOT_TELL and verdict.high == 1.0


# --- what has no share ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "right, failed, complete, expected",
    [
        (0, False, True, RELEASE_WITH_CARE),
        (0, False, False, CANNOT_TELL),
        (0, True, True, DO_NOT_RELEASE),
        (90, False, True, CANNOT_TELL),
        (200, False, True, DO_NOT_RELEASE),
    ],
)
def test_an_attack_without_a_share_decides_by_its_rule(right, failed, complete, expected):
    ruling = Evidence.without_share("nearest_records", 1000, failed)
    ruling = ruling if complete else ruling.with_caveat("undecided")
    shown = Evidence.counted("verbatim_records", right, 1000)
    for both in ([shown, ruling], [ruling, shown]):
        verdict = judge(both, *ADVERSARY)
        assert verdict.decision == expected
        assert verdict.low == shown.low
        assert verdict.high == (None if complete else 1.0)  # never that of the other alone
    assert judge([ruling], *ADVERSARY).low is None


@given(st.lists(evidence(), max_size=3), st.booleans(), st.booleans(), st.floats(0, 0.9))
def test_a_ruling_never_makes_a_verdict_better(before, failed, complete, limit):
    ruling = Evidence.without_share("nearest_records", 100, failed)
    ruling = ruling if complete else ruling.with_caveat("undecided")
    order = [RELEASE_WITH_CARE, CANNOT_TELL, DO_NOT_RELEASE]
    new = judge([*before, ruling], *ADVERSARY, limit).decision
    alone = DO_NOT_RELEASE if failed else RELEASE_WITH_CARE if complete else CANNOT_TELL
    old = judge(before, *ADVERSARY, limit).decision if before else RELEASE_WITH_CARE
    assert order.index(new) == max(order.index(old), order.index(alone))


def test_the_limit_is_taken_at_its_word():
    # 1/11 is a little above it, whatever it is called.
    def decision(size, limit=LIMIT):
        looked_up = Evidence.looked_up(np.full(100, size), 2)
        return judge([looked_up], "quasi_identifiers", "which_record", limit).decision

    assert decision(11) == DO_NOT_RELEASE
    assert decision(12) == RELEASE_WITH_CARE
    assert decision(11, 0.091) == RELEASE_WITH_CARE
