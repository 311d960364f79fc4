# SPDX-License-Identifier: GPL-2.0-or-later
"""Strangers next door who share labels, and the curve by which they count."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage.near_confidence import COLUMNS, EXACT, ROUNDED_CURVE
from geoanon_qgis.core.attacks.linkage.near_strangers import (
    AgainstTrial,
    Curve,
    Scored,
    among_strangers,
    of_others,
    of_strangers,
)

from .test_near_confidence import MIDDLING

#: As it would be if the trial told all, and one in twenty were wrong for another reason.
TOLD = Curve((np.log(19.0), *np.zeros(12)), (0.0, 1.0, 1.0, 1.0, 0.0, 0.0))


def scored(count, score=0.95, columns=None):
    columns = np.zeros((count, COLUMNS)) if columns is None else np.repeat(columns, count, axis=0)
    return Scored(columns, np.ones(count), np.full(count, score))


def said(strangers, against=0.0, records=500, curve=TOLD, found=50):
    stands = np.full(strangers, np.exp(-against))
    sure = among_strangers(scored(found), scored(500), scored(strangers), stands, records, curve)
    return float(sure.mean())


def test_strangers_next_door_compete_with_each_match():
    """Of fifty matches as sure as all records of the known, and of strangers of their labels."""
    assert said(0) == pytest.approx(0.95, abs=1e-4)
    # One in twenty of the known has somebody next door: so have as many strangers of those released.
    some = said(25)
    held = AgainstTrial.of(scored(50), scored(500), scored(25), np.ones(25), 500)
    share = held.share(TOLD)
    odds = (500 - 500 * share) / 499 * (1 - share) * 25 / (share * 500.01)
    assert 1 / some == pytest.approx(1 / 0.95 + odds, rel=1e-3)
    assert 0.3 < some < 0.7
    assert said(250) < some < said(5) < 0.95
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

    held = AgainstTrial.of(at(some), at(own), at(stranger), np.ones(300), 500)
    return held, np.arange(len(some)) < common


def test_the_share_of_the_known_who_are_released_is_found():
    """Known to within what a class of scores blurs: from the truth to half more than that."""
    curve = Curve((9.0, *np.zeros(12)), TOLD.strangers)
    shares = []
    for common in (25, 100, 250):
        held, right = mixed(common)
        shares.append(held.share(curve))
        assert 0.9 * common / 500 < shares[-1] < 1.5 * common / 500
        sure = held.sure(held.matches, shares[-1], curve)
        assert sure[right].mean() > sure[~right].mean() + 0.5
    assert shares == sorted(shares)


def test_without_a_trial_the_score_stands():
    nobody = scored(0)
    assert among_strangers(scored(3, 0.7), nobody, nobody, np.zeros(0), 9, TOLD) == pytest.approx(
        np.full(3, 0.7)
    )


@pytest.mark.parametrize("curve", [EXACT, ROUNDED_CURVE], ids=["exact", "rounded"])
def test_what_speaks_for_a_match_never_makes_it_less_sure(curve):
    """The fit is held to this, whatever the draws say."""
    signs = dict(zip(("by_chance", "strongest", "rivals", "lead", "against"), (-1, 1, -1, 1, -1)))
    base = MIDDLING.columns()

    def sure(columns, strangers=60):
        some = scored(1, 0.6, columns)
        given = (some, scored(300, 0.9, base), scored(strangers, 0.6, base))
        return float(among_strangers(*given, np.ones(strangers), 300, curve)[0])

    middling = sure(base)
    assert 0 < middling < 1
    for place, better in zip((0, 2, 3, 4, 6), signs.values()):
        for step in (0.5, 2.0, 4.0):
            columns = base.copy()
            columns[0, place] += better * step
            assert sure(columns) >= middling - 1e-9
    assert sure(base, 10) > middling > sure(base, 300)


def test_pieces_add_up():
    rng = np.random.default_rng(1)
    columns = rng.normal(0, 6.0, (40, COLUMNS))
    pieces = of_others(columns)
    assert pieces.shape == (40, 12)
    assert pieces[:, 2] + pieces[:, 3] == pytest.approx(columns[:, 2])
    assert pieces[:, 10] + pieces[:, 11] == pytest.approx(columns[:, 11])
    odds = rng.normal(0, 5.0, 40)
    pieces = of_strangers(odds, np.zeros(40), 0.2)
    assert pieces[:, :3].sum(axis=1) == pytest.approx(odds)
