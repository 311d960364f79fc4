# SPDX-License-Identifier: GPL-2.0-or-later
"""Strangers next door who share labels, and the curve by which they count."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage.near_confidence import COLUMNS
from geoanon_qgis.core.attacks.linkage.near_curves import EXACT, INEXACT
from geoanon_qgis.core.attacks.linkage.near_signs import together
from geoanon_qgis.core.attacks.linkage.near_strangers import (
    EXACTLY,
    WIDTH,
    AgainstTrial,
    Curve,
    Scored,
    among_strangers,
    by_odds,
    by_themselves,
)

from .test_near_confidence import MIDDLING


def curve(intercept, odds):
    """A curve by nothing but the logarithm of the odds of a stranger, each of its pieces alike."""
    weights = np.zeros((WIDTH + 1, WIDTH + 1))
    weights[0, 0], weights[0, -3:] = intercept, odds
    return Curve(np.zeros(WIDTH), np.r_[np.ones(WIDTH - 3), np.full(3, 10.0)], weights)


#: As it would be if the trial told all: the odds of a right match are one to those of a stranger.
TOLD = curve(0.0, -10.0)


def scored(count, score=0.95, columns=None):
    columns = np.zeros((count, COLUMNS)) if columns is None else np.repeat(columns, count, axis=0)
    return Scored(columns, np.ones(count), np.full(count, score))


def said(strangers, against=0.0, records=500, curve=TOLD, found=50):
    stands = np.full(strangers, np.exp(-against))
    given = scored(found), scored(500), scored(strangers), stands, 0.0, records, curve
    return float(among_strangers(*given).mean())


def test_strangers_next_door_compete_with_each_match():
    """Of fifty matches as sure as all records of the known, and of strangers of their labels."""
    assert said(0) > 0.999
    # One in twenty of the known has somebody next door: so have as many strangers of those released.
    some = said(25)
    held = AgainstTrial.of(scored(50), scored(500), scored(25), np.ones(25), 0.0, 500)
    share = held.share(TOLD)
    odds = (500 - 500 * share) / 499 * (1 - share) * 25 / (share * 500.01)
    assert 1 / some - 1 == pytest.approx(odds, rel=1e-3)
    assert 0.3 < some < 0.8
    assert said(250) < some < said(5) < 1
    assert some < said(25, against=3.0)  # whom other matches forbid nobody claims
    assert some < said(25, records=100)  # fewer are released, fewer are strangers
    assert 0.0 < said(499, records=1000) < 0.11  # nearly all of them strangers


def mixed(common):
    """Own records and strangers at scores of their own, as many as the share says; and which are right."""
    rng = np.random.default_rng(common)
    own, stranger = rng.normal(3.0, 1.0, 500), rng.normal(-2.0, 1.0, 300)
    met = (500 - common) / 499 * (1 - common / 500) * 300 / 500
    some = np.r_[rng.choice(own, common, replace=False), rng.choice(stranger, round(met * 500))]

    def at(odds):
        return Scored(np.zeros((len(odds), COLUMNS)), np.ones(len(odds)), 1 / (1 + np.exp(-odds)))

    held = AgainstTrial.of(at(some), at(own), at(stranger), np.ones(300), 0.0, 500)
    return held, np.arange(len(some)) < common


def test_the_share_of_the_known_who_are_released_is_found():
    """Known to within what a class of scores blurs: from the truth to half more than that."""
    shares = []
    for common in (25, 100, 250):
        held, right = mixed(common)
        shares.append(held.share(TOLD))
        assert 0.9 * common / 500 < shares[-1] < 1.5 * common / 500
        sure = held.sure(held.matches, shares[-1], TOLD)
        assert sure[right].mean() > sure[~right].mean() + 0.5
    assert shares == sorted(shares)


def test_without_a_trial_the_score_stands():
    nobody = scored(0)
    given = scored(3, 0.7), nobody, nobody, np.zeros(0), 0.0, 9, TOLD
    assert among_strangers(*given) == pytest.approx(np.full(3, 0.7))


@pytest.mark.parametrize("curve", [EXACT, INEXACT], ids=["exact", "inexact"])
def test_the_curves_say_less_of_who_has_strangers_next_door(curve):
    """Of what was fitted, no more is promised: signs tell different things in different company."""
    assert (np.tril(curve.weights, -1) == 0).all() and (curve.spread > 0).all()
    base = MIDDLING.columns()

    def sure(strangers=60, together=0.0, columns=base):
        some = scored(1, 0.6, columns), scored(300, 0.9, base), scored(strangers, 0.6, base)
        return float(among_strangers(*some, np.ones(strangers), together, 300, curve)[0])

    assert sure(10) > sure() > sure(300)
    assert sure(together=0.2) == sure(together=0.5) != sure()
    # Nothing more beyond what was seen.
    assert sure(columns=base + 1e6) == sure(columns=base + 1e9) <= 1
    assert sure(columns=base - 1e6) == sure(columns=base - 1e9) >= 0


def test_how_exactly_distances_fit_is_not_asked_of_rounded_ones():
    asked = np.r_[EXACT.weights[1:][EXACTLY].any(), INEXACT.weights[1:][EXACTLY].any()]
    assert asked.tolist() == [True, False]
    assert not INEXACT.weights[:, 1:][:, EXACTLY].any()


def test_who_lives_next_door_is_counted():
    rng = np.random.default_rng(3)
    homes = rng.uniform(0, 1000.0, (60, 2))
    for family in (0, 10, 30):
        points = np.r_[homes, homes[:family] + 0.1]
        apart = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
        plain = 2 * family / len(points)
        assert plain <= together(apart) <= plain + 0.05
    assert together(np.zeros((4, 4))) == 0.0  # of four people nobody has a sixth neighbour
    assert together(np.zeros((9, 9))) == 1.0  # all at one door


def test_pieces_add_up():
    rng = np.random.default_rng(1)
    columns = rng.normal(0, 6.0, (40, COLUMNS))
    pieces = by_themselves(columns)
    assert pieces.shape == (40, 12)
    assert pieces[:, 10] + pieces[:, 11] + 3.0 == pytest.approx(columns[:, 11])
    assert by_odds(np.array([-6.0, -1.0, 2.0])).tolist() == [[-6, 0, 0], [-4, 3, 0], [-4, 4, 2]]
