# SPDX-License-Identifier: GPL-2.0-or-later
"""Intervals of shares over draws: they hold where people are found in groups."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

from geoanon_qgis.core.attacks.over_draws import Interval, interval

RNG = np.random.default_rng(11)


def groups(draws, people, rate, size):
    """Groups of about ``size`` people are found in some draws and in others none."""
    found = [RNG.poisson(size, count).sum() for count in RNG.poisson(rate, draws)]
    return np.minimum(found, people) / people


def varying(draws, people, share, alike):
    """Beta-binomial, with a correlation within each draw."""
    a, b = (part * (1 - alike) / alike for part in (share, 1 - share))
    return RNG.binomial(people, RNG.beta(a, b, draws)) / people


@pytest.mark.parametrize("draws", [4, 12])
@pytest.mark.parametrize("people", [8, 50, 250])
@pytest.mark.parametrize(
    "law", [(groups, 0.3, 8), (groups, 1.0, 8), (varying, 0.05, 0.05), (varying, 0.3, 0.1)]
)
def test_both_ends_hold_in_the_long_run(draws, people, law):
    make, *how = law
    true = make(20_000, people, *how).mean()
    below = above = 0
    for _ in range(120):
        found = interval(make(draws, people, *how), np.full(draws, people))
        below += found.high < true
        above += found.low > true
    # One end in forty may fail; of 120 that are 3, and more than 9 hardly ever.
    assert below <= 9 and above <= 9


@pytest.mark.parametrize("share", [0.0, 0.02])
def test_a_new_draw_stays_below_the_upper_end(share):
    held = []
    for _ in range(100):
        old, new = (RNG.binomial(50, share, 12) / 50 for _ in range(2))
        held.append((new <= interval(old, np.full(12, 50)).high).mean())
    assert np.mean(held) >= 0.95


def test_ends_by_hand():
    # Nobody found among 2 x 12 people: each draw counts as two, since six may go together.
    nobody = interval([0.0, 0.0], [12, 12])
    assert nobody.mean == nobody.low == 0
    assert nobody.high == pytest.approx(beta.ppf(0.975, 1, 4))
    everybody = interval([1.0, 1.0], [12, 12])
    assert (everybody.high, everybody.low) == (1.0, pytest.approx(beta.ppf(0.025, 4, 1)))
    # However many people, a draw counts as eight at most, and as one at least.
    assert interval([0.0], [1_000_000]).high == pytest.approx(beta.ppf(0.975, 1, 8))
    assert interval([0.0], [1]).high == pytest.approx(beta.ppf(0.975, 1, 1))
    assert interval([], []) == Interval(0.0, 0.0, 1.0, 0)


def test_draws_that_differ_count_for_less():
    alike, apart = ([0.1, 0.1, 0.1, 0.1], [0.0, 0.0, 0.0, 0.4])
    one, other = (interval(shares, [100] * 4) for shares in (alike, apart))
    assert one.mean == pytest.approx(other.mean)
    assert other.high > one.high and other.low < one.low
    assert other.high >= 0.4  # the worst draw is no worse than it is said to be


def test_of_many_draws_the_worst_in_twenty_may_be_worse():
    shares = np.zeros(60)
    shares[0] = 1.0
    assert 0 < interval(shares, [100] * 60).high < 0.5
