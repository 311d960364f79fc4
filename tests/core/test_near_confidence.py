# SPDX-License-Identifier: GPL-2.0-or-later
"""How sure the near group attack is of its matches, and whether it is right to be."""

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage.compatibility import (
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
)
from geoanon_qgis.core.attacks.linkage.near_confidence import COLUMNS, CURVE, Signs, calibrated
from geoanon_qgis.core.attacks.linkage.near_edges import Candidates
from geoanon_qgis.core.attacks.linkage.near_growth import Around, grow, signs_of

from .test_near_group import AREA, Files

#: A match of which little is known.
MIDDLING = Signs(
    by_chance=np.array([0.5]),
    matches=20,
    candidates=2000,
    strongest=np.array([4.0]),
    rivals=np.array([1.0]),
    against=np.array([4.0]),
    lead=np.array([2.0]),
    ties=np.array([1]),
    alike=1.0,
    smaller=400,
)


def sure(**more):
    return float(calibrated(replace(MIDDLING, **more), 0.0)[0])


def one(value):
    return np.array([value])


def test_each_sign_tells():
    middling = sure()
    assert 0.1 < middling < 0.95
    assert sure(by_chance=one(0.01)) > middling > sure(by_chance=one(20.0))
    assert sure(matches=60) > middling > sure(matches=5)
    assert sure(smaller=60) > middling > sure(smaller=10_000)
    assert sure(candidates=500) > middling > sure(candidates=15_000)
    assert sure(strongest=one(7.0)) > middling > sure(strongest=one(1.0))
    assert sure(rivals=one(0.0)) > middling > sure(rivals=one(60.0))
    assert sure(against=one(0.0)) > middling > sure(against=one(60.0))
    assert sure(lead=one(6.0)) > middling > sure(lead=one(-4.0))
    assert sure(alike=1.0) > sure(alike=3.0) > sure(alike=6.0)
    assert sure(ties=one(3)) == pytest.approx(middling / 3)
    assert calibrated(MIDDLING, 0.1)[0] == pytest.approx(middling / (1 + 0.1 * CURVE[2]))


def test_nothing_more_is_claimed_beyond_what_was_seen():
    assert sure(matches=10**6) == sure(matches=1000)
    assert sure(matches=1000, smaller=1000) == sure(matches=1000, smaller=1333)
    assert sure(strongest=one(50.0)) == sure(strongest=one(8.0))
    assert sure(by_chance=one(0.0)) == sure(by_chance=one(1e-5)) < 1
    assert sure(by_chance=one(1e9), against=one(1e9), rivals=one(1e9)) > 0
    assert 0 < sure(matches=0) < sure(matches=1) < 1.1 * sure(matches=0)


def test_labels_that_go_with_places_are_noticed():
    files = Files(60, 60, 30, 6)
    weights, labels = files.weighing(), np.repeat(np.arange(6), 10)
    order = np.argsort(files.points[:, 0])
    by_place = replace(weights, known=weights.known[np.ix_(order, order)])
    nobody, all_alive = np.zeros((0, 2), np.int64), np.ones(600, bool)
    start = np.array([[0, 0], [1, 1]])

    def alike(weighing, kinds):
        candidates = Candidates.of_kinds(kinds, kinds)
        around = Around(weighing, candidates, all_alive[: len(candidates)], nobody, None)
        return signs_of(around, grow(around, start, np.zeros(2))).alike

    assert alike(by_place, labels) > 1.5
    assert 1 <= alike(weights, labels) < 1.3
    assert alike(weights, np.repeat(np.arange(30), 2)) < 1.5  # two of a label by chance are few


def test_signs_are_those_of_a_loop():
    files = Files(60, 60, 30, 6)
    weights = files.weighing()
    candidates = Candidates.of_labels(files.target, files.known)
    linked = [(t, int(files.truth[t])) for t in np.flatnonzero(files.truth >= 0)[:8].tolist()]
    alive = np.ones(len(candidates), bool)
    around = Around(weights, candidates, alive, np.array(linked[:2]), None)
    grown = grow(around, np.array(linked[2:]), np.zeros(6))
    found = signs_of(around, grown)
    assert found.matches == grown.kept + 2 and len(found.strongest) == len(grown.candidates) > 8
    assert (found.by_chance >= grown.by_chance).all()
    for place, number in enumerate(grown.candidates.tolist()):
        t, i = int(candidates.target[number]), int(candidates.known[number])
        says, apart = [0.0], [0.0]
        for (s, j), trust in zip(grown.pairs.tolist(), grown.trust.tolist()):
            if s != t and j != i:
                a, b, c, d = (np.array([value]) for value in (s, j, t, i))
                value = float(weights.of_pairs(a, b, c, d)[0])
                says.append(trust * min(max(value, -5.0), 8.0))
                apart.append(weights.known[j, i])
        assert found.strongest[place] == pytest.approx(max(says))
        assert found.against[place] == pytest.approx(-sum(value for value in says if value < 0))
        if max(says) > 0:
            near = weights.known[i] < apart[int(np.argmax(says))]
            near[i] = False
            alike = np.array([label == files.known[i] for label in files.known])
            rivals = (near & alike).sum() + near.sum() * alike.mean()
            assert found.rivals[place] == pytest.approx(rivals)


def test_who_shares_place_and_label_is_told_apart_by_nobody():
    files = Files(120, 120, 60, 12, seed=4)
    alone = files.attack()
    t, i = alone.matches[alone.confidence.argmax()]
    other = next(j for j in range(120) if files.known[j] == files.known[i] and j != i)
    files.points[other] = files.points[i]
    found = files.attack()
    chance = found.chance[found.guesses[:, 0] == t]
    assert 0.3 < chance.max() <= 0.5


@pytest.mark.parametrize("sets, common", [(6, 50), (10, 50)])
def test_as_many_are_right_as_are_expected(sets, common):
    """Of large sets, so that there is much to doubt; twice the error of draws is let pass."""
    rule = LipschitzEmbedding(sets, 60, AREA, 0.5)
    chance, right = [], []
    for seed in range(3):
        files = Files(200, 200, common, 12, seed=50 + seed, rule=rule)
        found = files.attack(seed=seed)
        chance.append(found.chance)
        right.append(files.right(found.guesses))
        assert found.signs.shape == (len(found.chance), COLUMNS)
    chance, right = np.concatenate(chance), np.concatenate(right)
    assert ((chance > 0.2) & (chance < 0.8)).sum() >= 10
    for least, most in ((0.0, 0.5), (0.5, 1.0), (0.9, 1.0)):
        some = (chance >= least) & (chance <= most)
        error = np.sqrt((chance[some] * (1 - chance[some])).sum())
        assert some.sum() >= 30
        assert abs(chance[some].sum() - right[some].sum()) <= 2 * error + 0.05 * some.sum()


@pytest.mark.parametrize(
    "rule",
    [
        CoordinateNoise(600.0, False, 0.9, AREA, None),
        DistanceNoise("gaussian", 1500.0, 0.9),
        LipschitzEmbedding(20, 10, AREA, 0.5, pre_noise=700.0),
    ],
    ids=["places", "distances", "embedding"],
)
def test_as_many_are_right_under_noise_as_are_expected(rule):
    """By scores alone one in three of the right matches was said to be more likely wrong.

    Files of which half are in both are none that the curve was fitted to: .15 more is let pass.
    """
    chance, right = [], []
    for seed in range(2):
        files = Files(200, 200, 100, 12, seed=80 + seed, rule=rule)
        found = files.attack(seed=seed)
        chance.append(found.chance)
        right.append(files.right(found.guesses))
        assert found.signs.shape == (len(found.chance), COLUMNS)
    chance, right = np.concatenate(chance), np.concatenate(right)
    for least, most in ((0.0, 0.5), (0.5, 1.0), (0.0, 1.0)):
        some = (chance >= least) & (chance <= most)
        error = np.sqrt((chance[some] * (1 - chance[some])).sum())
        assert abs(chance[some].sum() - right[some].sum()) <= 2 * error + 0.15 * some.sum()
    assert (chance > 0.5).sum() >= 40
