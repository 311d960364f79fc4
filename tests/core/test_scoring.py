# SPDX-License-Identifier: GPL-2.0-or-later
"""Scores and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.attacks.scoring import chance_of_so_few, contradicts, score, supports


@pytest.mark.parametrize(
    ("correct", "total", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 1 - 0.1170, 1.0),
    ],
)
def test_wilsons_interval_as_published(correct, total, low, high):
    right = np.arange(total) < correct
    one = score(right)
    assert (one.correct, one.total) == (correct, total)
    assert one.share == pytest.approx(correct / total)
    assert one.low == pytest.approx(low, abs=1e-4)
    assert one.high == pytest.approx(high, abs=1e-4)


def test_nothing_attacked_says_nothing():
    one = score(np.empty(0, dtype=bool))
    assert (one.correct, one.total, one.share, one.low, one.high) == (0, 0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("total", [1, 5, 1000])
@pytest.mark.parametrize("value", [True, False])
def test_the_interval_holds_the_share(total, value):
    one = score(np.full(total, value))
    assert 0.0 <= one.low <= one.share + 1e-12 and one.share - 1e-12 <= one.high <= 1.0
    assert one.low < one.high


# --- scores that cannot be true ---------------------------------------------------------------


def exact_tail(probability, correct):
    """The distribution of the number that is right, by convolution."""
    distribution = np.ones(1)
    for one in probability:
        distribution = np.convolve(distribution, [1 - one, one])
    return distribution[: correct + 1].sum()


@given(st.lists(st.floats(0.0, 0.99), min_size=1, max_size=25), st.integers(0, 25))
def test_the_bound_is_no_less_than_the_exact_chance(probability, correct):
    correct = min(correct, len(probability))
    bound = chance_of_so_few(np.array(probability), correct)
    assert bound >= exact_tail(probability, correct) * (1 - 1e-9)
    assert bound <= chance_of_so_few(np.array(probability), correct, together=2) <= 1


@pytest.mark.parametrize(
    "probability, right, expected",
    [
        ([0.998] * 50, 0, True),
        ([1.0] * 957, 1, True),
        ([1.0] * 957, 957, False),
        ([0.998] * 50, 40, False),
        ([0.8] * 100, 55, False),  # too sure of itself, but the key fits
        ([0.5] * 4, 0, False),
        ([0.9, 0.9], 0, False),  # too few to tell
        ([0.0] * 500, 0, False),
        ([], 0, False),
        ([np.nan] * 9, 0, False),
    ],
)
def test_a_score_far_below_what_the_attack_knows_contradicts_it(probability, right, expected):
    is_right = np.arange(len(probability)) < right
    assert contradicts(np.array(probability), is_right) == expected


@given(st.integers(0, 400), st.integers(0, 2**31))
def test_a_score_that_the_probabilities_make_never_contradicts_them(count, seed):
    rng = np.random.default_rng(seed)
    probability = rng.beta(0.5, 0.5, count)
    assert not contradicts(probability, rng.random(count) < probability, together=2)


def test_a_key_is_believed_when_the_attack_is_sure_and_agrees():
    sure = np.full(30, 0.99)
    assert supports(sure, np.ones(30, bool))
    assert not supports(sure, np.zeros(30, bool))
    assert not supports(np.zeros(30), np.zeros(30, bool))
