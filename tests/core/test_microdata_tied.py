# SPDX-License-Identifier: GPL-2.0-or-later
"""Guesses from records that are alike: against loops, and whether they are as sure as they say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.microdata.attacks.tied import beside, tied


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=30, deadline=None)
def test_how_often_a_guess_is_right_is_that_of_a_loop(seed, own):
    rng = np.random.default_rng(seed)
    pool_kinds, values = rng.integers(0, 4, 30), rng.choice([0.0, 1.0, 1.05, np.nan], 30)
    rows = rng.permutation(30)[:12]
    kinds = pool_kinds[rows] if own else rng.choice(pool_kinds, 12)
    truth = values[rows] if own else rng.choice([0.0, 1.0, np.nan], 12)
    found = tied(kinds, truth, pool_kinds, values, 0.1, (np.arange(12), rows) if own else None)
    for at in range(12):
        there = [j for j in range(30) if pool_kinds[j] == kinds[at] and not (own and j == rows[at])]
        same = [
            (np.isnan(values[j]) and np.isnan(truth[at])) or abs(values[j] - truth[at]) <= 0.1
            for j in there
        ]
        assert found.right[at] == pytest.approx(np.mean(same) if there else 0.0)
    assert found.off(np.ones(12), found.right).sum() == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("kinds, levels", [(1, 2), (12, 2), (12, 4), (400, 3)])
@pytest.mark.parametrize("shared", [True, False])
def test_intervals_are_as_wide_as_chance_is(kinds, levels, shared):
    rng = np.random.default_rng(3)
    off, spread, plain = [], [], []
    for _ in range(120):
        draw = lambda n: (rng.integers(0, kinds, n), rng.binomial(levels - 1, 0.4, n) * 1.0)  # noqa: E731
        (k, s), (k2, s2), (pool, told), (pool2, told2) = (draw(n) for n in (300, 250, 300, 300))
        there = [np.isin(one, np.intersect1d(pool, pool2)) for one in (k, k2)]
        people = tied(k[there[0]], s[there[0]], pool, told, 1e-6)
        others = tied(
            k2[there[1]], s2[there[1]], *((pool, told) if shared else (pool2, told2)), 1e-6
        )
        seen = beside(people, others, True, shared)
        each = [
            rate * (1 - rate) / (len(one.right) * weigh)
            for rate, weigh, one in zip((seen.right, seen.control), seen.weighs, (people, others))
        ]
        variance = sum(each) - 2 * seen.together * np.sqrt(each[0] * each[1])
        off.append(seen.right - seen.control)
        spread.append(variance)
        plain.append(sum(one * weigh for one, weigh in zip(each, seen.weighs)))
    if kinds == 1 and shared:  # all are told by all: nothing is left to chance
        assert np.std(off) < 1e-6
        return
    assert 0.8 < np.std(off) / np.sqrt(np.mean(spread)) < 1.2
    assert abs(np.mean(off)) < 3 * np.std(off) / np.sqrt(120)
    if kinds < 50:
        assert np.mean(spread) < 0.5 * np.mean(plain)
