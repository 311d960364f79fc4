# SPDX-License-Identifier: GPL-2.0-or-later
"""Intervals of shares over draws: they hold where people are found in groups."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.over_draws import (
    CONFIDENCE,
    LEAST_DRAWS,
    Interval,
    draws_needed,
    interval,
)

RNG = np.random.default_rng(11)


def groups(draws, people, rate, size):
    """Groups of about ``size`` people are found in some draws and in others none."""
    found = [RNG.poisson(size, count).sum() for count in RNG.poisson(rate, draws)]
    return np.minimum(found, people) / people


def varying(draws, people, share, alike):
    """Beta-binomial, with a correlation within each draw."""
    a, b = (part * (1 - alike) / alike for part in (share, 1 - share))
    return RNG.binomial(people, RNG.beta(a, b, draws)) / people


def rare(draws, people, share, together):
    """In some draws many are found at once, and in all others nobody."""
    return together * (RNG.random(draws) < share)


LAWS = [
    (groups, 50, 0.3, 8),
    (groups, 250, 1.0, 8),
    (varying, 50, 0.05, 0.05),
    (varying, 8, 0.3, 0.1),
    (rare, 50, 0.1, 0.4),  # one draw in ten finds twenty of fifty at once
    (rare, 50, 0.05, 1.0),
    (rare, 50, 0.5, 0.18),
]


@pytest.mark.parametrize("law", LAWS)
def test_both_ends_hold_at_every_look(law):
    """Whoever looks after every two draws, and stops when it suits him, is wrong as seldom."""
    make, people, *how = law
    true = make(20_000, people, *how).mean()
    below = above = 0
    for _ in range(100):
        shares = make(60, people, *how)
        looks = [interval(shares[:count]) for count in (2, 4, 6, 8, 12, 16, 24, 32, 42, 60)]
        below += min(one.high for one in looks) < true
        above += max(one.low for one in looks) > true
    # One end in forty may fail; of 100 that are 2.5, and more than 8 hardly ever.
    assert below <= 8 and above <= 8


@pytest.mark.parametrize("share", [0.0, 0.02])
def test_a_new_draw_stays_below_the_upper_end(share):
    held = []
    for _ in range(100):
        old, new = (RNG.binomial(50, share, 42) / 50 for _ in range(2))
        held.append((new <= interval(old).high).mean())
    assert np.mean(held) >= 0.95


def test_ends_by_hand():
    # Nobody found: three gamblers with .75, .15 and .1 whose money grows by a fixed factor a draw.
    end = interval([0.0, 0.0]).high
    grown = [(1 + stake * end / (1 - end)) ** 2 for stake in (1.0, 0.6, 0.3)]
    assert np.dot(grown, (0.75, 0.15, 0.1)) == pytest.approx(1 / (1 - CONFIDENCE))
    everybody = interval([1.0, 1.0])
    assert (everybody.high, everybody.low) == (1.0, pytest.approx(1 - end))
    assert interval([]) == Interval(0.0, 0.0, 1.0, 0)
    assert interval([0.2, 0.7, 0.0]) == interval([0.7, 0.0, 0.2])


def test_the_least_number_of_draws():
    for limit, sure in ((0.09, CONFIDENCE), (0.1, 0.99)):
        least = draws_needed(limit, sure)
        assert interval(np.zeros(least), sure).high <= limit
        assert interval(np.zeros(least - 1), sure).high > limit
    assert (draws_needed(0.09), draws_needed(0.0)) == (42, None)
    assert draws_needed(0.5) == draws_needed(1.0) == LEAST_DRAWS


def test_draws_that_differ_count_for_less():
    alike, apart = ([0.1, 0.1, 0.1, 0.1], [0.0, 0.0, 0.0, 0.4])
    one, other = (interval(shares) for shares in (alike, apart))
    assert one.mean == pytest.approx(other.mean)
    assert other.high > one.high and other.low < one.low
    assert other.high >= 0.4  # the worst draw is no worse than it is said to be


def test_of_many_draws_the_worst_in_fifty_may_be_worse():
    shares = np.zeros(120)
    shares[0] = 1.0
    assert interval(shares[:60]).high == 1.0
    assert 0 < interval(shares).high < 0.5


@pytest.mark.parametrize("limit", [0.09, 0.5])
@pytest.mark.parametrize("often", [0.03, 0.05, 0.08])
def test_what_a_search_stopped_at_holds_in_nineteen_of_twenty_new_draws(limit, often):
    """Now and then a draw finds more than may be: nobody may stop before that was seen."""
    at, ends = limit + 0.07, {}
    rng = np.random.default_rng(3)
    wrong, searches = 0, 1000
    for _ in range(searches):
        bad = rng.random(122) < often
        for count in range(6, 103, 6):
            those = (count, int(bad[:count].sum()))
            if those not in ends:
                ends[those] = interval(at * (np.arange(count) < those[1])).high
            if count >= LEAST_DRAWS and ends[those] <= limit:
                wrong += np.count_nonzero(bad[102:]) > 1  # twenty that come, above the limit
                break
    assert wrong <= 0.06 * searches
