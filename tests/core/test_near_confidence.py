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
from geoanon_qgis.core.attacks.linkage.near_confidence import (
    COLUMNS,
    CURVE,
    Signs,
    by_decoys,
    calibrated,
    how_sure,
)
from geoanon_qgis.core.attacks.linkage.near_edges import Candidates
from geoanon_qgis.core.attacks.linkage.near_growth import Around, grow
from geoanon_qgis.core.attacks.linkage.near_signs import signs_of, tried
from geoanon_qgis.core.attacks.linkage.near_weights import surroundings
from geoanon_qgis.core.attacks.linkage.simulated import simulate

from .test_near_group import AREA, PLANAR, SIDE, Files, matrix_of

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
    missing=np.array([0.1]),
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
    assert sure(missing=one(1e-4)) > middling > sure(missing=one(0.3))
    assert sure(alike=1.0) > sure(alike=3.0) > sure(alike=6.0)
    assert sure(ties=one(3)) == pytest.approx(middling / 3)
    assert calibrated(MIDDLING, 0.1)[0] == pytest.approx(middling / (1 + 0.1 * CURVE[2]))


def test_nothing_more_is_claimed_beyond_what_was_seen():
    assert sure(matches=10**6) == sure(matches=1000)
    assert sure(matches=1000, smaller=1000) == sure(matches=1000, smaller=1333)
    assert sure(strongest=one(50.0)) == sure(strongest=one(8.0))
    assert sure(by_chance=one(0.0)) == sure(by_chance=one(1e-5)) < 1
    assert sure(missing=one(0.0)) == sure(missing=one(1e-6)) < 1
    assert sure(missing=one(90.0)) == sure(missing=one(1.0)) > 0
    assert sure(by_chance=one(1e9), against=one(1e9), rivals=one(1e9)) > 0
    assert 0 < sure(matches=0) < sure(matches=1) < 1.1 * sure(matches=0)


def test_nothing_is_made_of_exact_distances_where_they_may_be_too_long():
    found = Files(200, 200, 100, 12, seed=80, rule=DistanceNoise("gaussian", 900.0, 0.9)).attack()
    assert len(found.signs.missing) > 8 and (found.signs.missing == 1.0).all()


def test_how_exactly_distances_fit_is_not_asked_of_rounded_ones():
    law = Files(60, 60, 30, 6).weighing().deviations
    rounded = replace(law, least=1e-4 * law.cuts[-1])

    def said(missing, law):
        signs = replace(MIDDLING, missing=one(missing))
        return float(how_sure(signs, 0.0, law, shared_labels=False, moved=False)[0])

    assert said(1e-4, law) > said(1.0, law)
    assert said(1e-4, rounded) == said(1.0, rounded) > said(1.0, law)


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
        says, apart, short = [0.0], [0.0], []
        for (s, j), trust in zip(grown.pairs.tolist(), grown.trust.tolist()):
            if s != t and j != i:
                a, b, c, d = (np.array([value]) for value in (s, j, t, i))
                value = float(weights.of_pairs(a, b, c, d)[0])
                says.append(trust * min(max(value, -5.0), 8.0))
                apart.append(weights.known[j, i])
                if says[-1] > 0.3:
                    short.append(max(1 - weights.released[s, t] / apart[-1], 1e-9))
        assert found.missing[place] == pytest.approx(
            min([1.0, *short]) * (1 + len(short)), rel=1e-3
        )
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
    for seed in range(8):
        files = Files(200, 200, common, 12, seed=50 + seed, rule=rule)
        found = files.attack(seed=seed)
        chance.append(found.chance)
        right.append(files.right(found.guesses))
        assert found.signs.columns().shape == (len(found.chance), COLUMNS)
    chance, right = np.concatenate(chance), np.concatenate(right)
    assert ((chance > 0.2) & (chance < 0.8)).sum() >= 10
    for least, most in ((0.0, 0.5), (0.5, 1.0), (0.9, 1.0)):
        some = (chance >= least) & (chance <= most)
        error = np.sqrt((chance[some] * (1 - chance[some])).sum())
        assert some.sum() >= 25
        assert abs(chance[some].sum() - right[some].sum()) <= 2 * error + 0.05 * some.sum()


@pytest.mark.parametrize(
    ("rule", "draws"),
    [
        (CoordinateNoise(600.0, False, 0.9, AREA, None), 2),
        (DistanceNoise("gaussian", 1500.0, 0.9), 1),
        (LipschitzEmbedding(20, 10, AREA, 0.5, pre_noise=700.0), 2),
    ],
    ids=["places", "distances", "embedding"],
)
def test_at_least_as_many_are_right_under_noise_as_are_expected(rule, draws):
    """By scores alone one in three of the right matches was said to be more likely wrong.

    What is said is a lower bound: the attack may be less sure than it is right, not surer.
    """
    chance, right = [], []
    for seed in range(draws):
        files = Files(200, 200, 100, 12, seed=80 + seed, rule=rule)
        found = files.attack(seed=seed)
        chance.append(found.chance)
        right.append(files.right(found.guesses))
        assert found.signs.columns().shape == (len(found.chance), COLUMNS)
    chance, right = np.concatenate(chance), np.concatenate(right)
    for least, most in ((0.0, 0.5), (0.5, 1.0), (0.0, 1.0)):
        some = (chance >= least) & (chance <= most)
        error = np.sqrt((chance[some] * (1 - chance[some])).sum())
        assert chance[some].sum() - right[some].sum() <= 2 * error + 0.05 * some.sum()
    assert (chance > 0.5).sum() >= 30


def test_by_decoys_is_one_less_the_false_discovery_rate():
    # Of ten matches one more is expected to be wrong with the second five.
    expected = np.array([0.01, 0.02, 0.03, 0.04, 0.05, 0.25, 0.45, 0.65, 0.85, 1.05])
    assert by_decoys(expected) == pytest.approx([0.99] * 5 + [0.8] * 5)
    order = np.random.default_rng(1).permutation(10)
    assert by_decoys(expected[order]) == pytest.approx(by_decoys(expected)[order])
    # Who scores higher is never less sure: what each adds is dealt out evenly where it falls.
    assert by_decoys(np.array([0.6, 0.6, 0.6])) == pytest.approx([0.8, 0.8, 0.8])
    assert (np.diff(by_decoys(np.array([0.5, 0.6, 3.0, 3.1, 9.0]))) <= 0).all()
    assert by_decoys(np.array([])).shape == (0,)


def villages(seed, common, share=0.9):
    """People of thirty villages; most of a village have its label."""
    rng = np.random.default_rng(seed)
    files = Files(200, 200, common, 12, seed=seed)
    middle = rng.uniform(0.1 * SIDE, 0.9 * SIDE, (30, 2))
    count = 400 - common
    home = rng.integers(0, 30, count)
    points = middle[home] + rng.normal(0, 700.0, (count, 2))
    labels = np.where(rng.random(count) < share, home % 12, rng.integers(0, 12, count))
    return dealt(files, points, labels, rng)


def dealt(files, points, labels, rng):
    """Put other people into files of 200 and 200."""
    count = len(points)
    first, second = rng.permutation(200), rng.permutation(np.arange(count - 200, count))
    files.secret, files.points = points[first], points[second]
    files.target, files.known = labels[first].tolist(), labels[second].tolist()
    row = np.full(count, -1)
    row[second] = np.arange(200)
    files.truth = row[first]
    return files


def test_strangers_next_door_with_the_same_labels_are_no_finds():
    """Labels that go with places hid what chance makes while they were dealt out among all.

    73 matches were expected to be right in these files, of which 5 were.
    """
    rule = LipschitzEmbedding(20, 10, AREA, 0.5, pre_noise=300.0)
    said = right = 0.0
    for seed in range(4):
        files = villages(seed, 10)
        square = simulate(rule, files.secret, PLANAR, np.random.default_rng(seed))
        found = files.attack(rule=rule, released=matrix_of(square), seed=seed)
        said += found.confidence.sum()
        right += files.right(found.matches).sum()
    assert said - right <= 3 + 0.1 * said


def test_a_trial_takes_each_person_for_himself_and_for_whom_he_fits_best():
    """Held against loops; a released distance of every known person to the matched ones is his true one."""
    files = Files(60, 60, 30, 6)
    weights = files.weighing()
    candidates = Candidates.of_labels(files.target, files.known)
    linked = [(t, int(files.truth[t])) for t in np.flatnonzero(files.truth >= 0)[:8].tolist()]
    around = Around(
        weights, candidates, np.ones(len(candidates), bool), np.zeros((0, 2), np.int64), None
    )
    grown = grow(around, np.array(linked), np.zeros(8))
    trial = tried(around, grown, weights.known)
    own = replace(weights, released=weights.known, background=surroundings(weights.known))
    matched, kinds = grown.pairs[:, 1], candidates.kind_known

    def says(record, person):
        total = 0.0
        for one, trust in zip(matched.tolist(), grown.trust.tolist()):
            if one not in (record, person):
                at = (np.array([value]) for value in (one, one, record, person))
                total += trust * min(max(float(own.of_pairs(*at)[0]), -5.0), 8.0)
        return 0.7 * total

    assert len(trial.own.lead) == 60 == len(trial.strangers.lead) == len(trial.against)
    for person in range(0, 60, 7):
        others = [j for j in range(60) if kinds[j] == kinds[person] and j != person]
        best = max(others, key=lambda other: says(person, other))
        beyond = weights.known[person] > weights.known[best] + weights.deviations.above
        assert (
            trial.against[person] == beyond[[m for m in matched if m not in (person, best)]].sum()
        )
        rivals = max([0.0, *(says(person, j) for j in range(60) if j not in (person, best))])
        assert trial.strangers.lead[person] <= says(person, best) - rivals + 1e-6
        rivals = max([0.0, *(says(person, j) for j in range(60) if j != person)])
        assert trial.own.lead[person] <= says(person, person) - rivals + 1e-6
    assert np.median(trial.own.lead) > np.median(trial.strangers.lead)


def test_families_next_door_are_told_from_finds():
    """Half of the people live some metres from somebody of their label: half of those claimed are kin."""
    rule = LipschitzEmbedding(20, 30, AREA, 0.5)
    said = right = plain = 0.0
    for seed in range(3):
        files = families(seed)
        square = simulate(rule, files.secret, PLANAR, np.random.default_rng(seed))
        found = files.attack(rule=rule, released=matrix_of(square), seed=seed)
        right += files.right(found.guesses).sum()
        said += found.chance.sum()
        plain += calibrated(found.signs, found.doubt).sum()
    assert plain > 1.5 * right > 45
    assert said - right < 0.6 * (plain - right)


def families(seed):
    """Half of 200 and 200 people, of whom 40 are in both, live with somebody of their label."""
    rng = np.random.default_rng(seed)
    files = Files(200, 200, 40, 12, seed=seed)
    points, labels = rng.uniform(0, SIDE, (360, 2)), rng.integers(0, 12, 360)
    pairs = rng.permutation(360)[:200].reshape(-1, 2)
    points[pairs[:, 0]] = points[pairs[:, 1]] + rng.normal(0, 8.0, (100, 2))
    labels[pairs[:, 0]] = labels[pairs[:, 1]]
    return dealt(files, points, labels, rng)
