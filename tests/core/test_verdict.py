# SPDX-License-Identifier: GPL-2.0-or-later
"""A verdict is never better than its worst evidence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.errors import InputError
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
    return Evidence.counted("voronoi_reversal", right, people, draw(st.booleans()),
                            draw(st.integers(0, 1)))  # fmt: skip


def decided(right, people, limit=LIMIT, **more):
    return judge([Evidence.counted("voronoi_reversal", right, people, **more)], *ADVERSARY,
                 limit).decision  # fmt: skip


def test_without_an_attack_nothing_is_said():
    for verdict in (not_tested(*ADVERSARY), judge([], *ADVERSARY)):
        assert verdict.decision == NOT_TESTED
        assert verdict.low is verdict.high is verdict.worst is None


@pytest.mark.parametrize("right, people, more, expected", [
    (0, 1000, {}, RELEASE_WITH_CARE),
    (60, 1000, {}, RELEASE_WITH_CARE),
    (90, 1000, {}, CANNOT_TELL),  # the interval spans the limit
    (200, 1000, {}, DO_NOT_RELEASE),
    (0, 10, {}, CANNOT_TELL),  # too few people
    (0, 0, {}, CANNOT_TELL),
    (0, 1000, {"complete": False}, CANNOT_TELL),
    (200, 1000, {"complete": False}, DO_NOT_RELEASE),  # more would only be worse
    (1, 1000, {"exposed": 1}, DO_NOT_RELEASE),  # nobody is a rounding error
])  # fmt: skip
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


def test_what_is_not_assigned_is_not_found():
    found = Evidence.expected("clique_linkage", np.array([1.0, np.nan]), people=50)
    assert (found.found, found.people, found.exposed) == (1.0, 50, 1)


@pytest.mark.parametrize("limit", [-0.1, 1.0, float("nan")])
def test_a_limit_is_a_share(limit):
    with pytest.raises(InputError, match="acceptable share"):
        judge([], *ADVERSARY, limit)
