# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole matchings of small files: right where rows alone tell little, and told from others."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage.candidate_odds import calibrate
from geoanon_qgis.core.attacks.linkage.compatibility import LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.matching_chains import PairTable, matched_by_chains
from geoanon_qgis.core.attacks.linkage.own_releases import OwnReleases
from geoanon_qgis.core.attacks.linkage.signature_files import UnderAttack
from geoanon_qgis.core.attacks.linkage.signature_result import SignatureLimits
from geoanon_qgis.core.attacks.linkage.signatures import signature_attack
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.runtime.progress import silent
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

SIDE = 5_000.0
AREA = StudyArea.of_rings([SIDE * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])], None)
PLANAR = metric_for("planar", None)
NO_LINKS = np.zeros((0, 2), dtype=np.int64)


@pytest.fixture(autouse=True)
def as_it_was():
    """Leave numba as it was."""
    before = accel.enabled()
    yield
    accel.set_enabled(before)


def own(places, noise):
    return OwnReleases(LipschitzEmbedding(20, 10, AREA, 0.5, 100, noise), places, PLANAR)


def attacked(seed, common, count=24, noise=200.0, links=0):
    """Guesses and claims of a release of which so many are known, by sex alone: right / made."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(0, SIDE, (2 * count - common, 2))
    sex = rng.integers(0, 2, len(places))
    released = rng.permutation(np.arange(count))
    known = np.arange(count - common, 2 * count - common)
    square = own(places, noise).square(places[released], rng)
    matrix = DistanceMatrix.numbered(square[np.triu_indices(count, 1)])
    truth = released - (count - common)
    sure = np.flatnonzero(truth >= 0)[:links]
    given = Files(
        sex[released].tolist(),
        matrix,
        sex[known].tolist(),
        places[known],
        PLANAR,
        own(places, noise)._rule,
        known_links=np.stack([sure, truth[sure]], axis=1).tolist(),
    )
    found = signature_attack(given, rng=rng, limits=SignatureLimits(releases=3, rounds=2))
    right = [int((truth[one[:, 0]] == one[:, 1]).sum()) for one in (found.guesses, found.matches)]
    return (*right, len(found.matches), float(found.support.sum()))


def test_all_distances_together_tell_who_is_who_after_noise():
    """Of 24 people, of each of whom eleven others have the sex, rounds alone find a few."""
    tried = np.array([attacked(seed, 24) for seed in range(3)])
    guessed, right, claims, expected = tried.sum(axis=0)
    assert guessed >= 0.5 * 72, tried
    assert right >= 15 and right >= 0.7 * claims, tried
    assert expected < right + 0.15 * claims, tried  # it is too unsure here, and never too sure


def test_known_links_are_held():
    guessed, *_ = attacked(5, 24, links=6)
    assert guessed >= 9  # of 18, links are no guesses


def test_who_is_who_is_clear_where_distances_are_exact():
    rng = np.random.default_rng(2)
    places = rng.uniform(0, SIDE, (12, 2))
    exact = OwnReleases(LipschitzEmbedding(400, 1, AREA, 0.5), places, PLANAR)
    table = PairTable.learnt(exact, rng, silent)
    order = rng.permutation(12)
    file = UnderAttack(exact.square(places[order], rng), np.zeros(12, int), NO_LINKS)
    often = matched_by_chains(table, [(file, np.ones((12, 12), bool), 12.0)], rng, silent)[0]
    assert (often.argmax(axis=1) == order).mean() >= 0.9
    assert often.sum(axis=1) == pytest.approx(1.0, abs=0.2)


def test_chains_come_to_the_same_counts_without_numba():
    """Two files, one with known links and records that nobody may be, each with two numbers."""
    rng = np.random.default_rng(4)
    places = rng.uniform(0, SIDE, (11, 2))
    table = PairTable.learnt(own(places, 200.0), rng, silent)
    sex, order = rng.integers(0, 2, 11), rng.permutation(11)
    square = own(places, 200.0).square(places[order], rng)
    links = np.stack([np.arange(2), order[:2]], axis=1)
    files = [
        UnderAttack(square, sex[order], NO_LINKS),
        UnderAttack(square, np.where(np.arange(11) == 9, -1, sex[order]), links),
    ]
    every = [(one, one.allowed(sex), common) for one in files for common in (5.0, 11.0)]
    found = []
    for on in (True, False):
        accel.set_enabled(on)
        found.append(matched_by_chains(table, every, np.random.default_rng(5), silent))
    assert 4 < found[0][0].sum() < 7 and not found[0][2:, 9].any()
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("compiled", [True, False])
def test_who_cancels_chains_is_heard_in_time(compiled):
    accel.set_enabled(compiled)
    rng = np.random.default_rng(6)
    places = rng.uniform(0, SIDE, (50, 2))
    table = PairTable.learnt(own(places, 200.0), rng, silent)
    file = UnderAttack(own(places, 200.0).square(places, rng), np.zeros(50, int), NO_LINKS)
    told: list[float] = []

    def progress(fraction):
        told.append(fraction)
        if len(told) > 20:
            raise Cancelled

    with pytest.raises(Cancelled):
        matched_by_chains(table, [(file, np.ones((50, 50), bool), 50.0)], rng, progress)
    assert told == sorted(told)
    assert told[-1] < 0.1  # in NumPy all of it, of ten files, takes some 15 s


def test_a_table_says_how_much_oftener_two_are_so_far_apart_than_any_two():
    rng = np.random.default_rng(3)
    places = rng.uniform(0, SIDE, (10, 2))
    table = PairTable.learnt(own(places, 100.0), rng, silent)
    far = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    row, column = np.triu_indices(10, 1)
    low, high = np.argsort(far[row, column])[[0, -1]]
    said = table.said
    assert said[0, row[low], column[low]] > 0 > said[-1, row[low], column[low]]
    assert said[-1, row[high], column[high]] > 0 > said[0, row[high], column[high]]


@pytest.mark.parametrize("common, claimed", [(24, 48), (4, 0)])
def test_who_fits_the_others_is_believed_and_who_does_not_is_not(common, claimed):
    """Chains name somebody for everybody, and are as certain of strangers: how well each fits tells."""
    found, right = 0, 0
    for seed in (1, 3):
        rng = np.random.default_rng(seed)
        known = rng.uniform(0, SIDE, (36, 2))[:24]
        everybody = np.concatenate([known, rng.uniform(0, SIDE, (24 - common, 2))])
        rows = np.r_[np.arange(common), np.arange(24, 48 - common)]
        square = own(everybody, 20.0).square(everybody[rows], rng)
        matrix = DistanceMatrix.numbered(square[np.triu_indices(24, 1)])
        nothing = [()] * 24
        rule = LipschitzEmbedding(20, 10, AREA, 0.5, 100, 20.0)
        files = Files(nothing, matrix, nothing, known, PLANAR, rule)
        matches = signature_attack(files, rng=rng).matches
        found += len(matches)
        right += int((matches[:, 0] == matches[:, 1]).sum())
    # Without it 22 of the 48 were claimed, though 44 guesses are right.
    assert abs(found - claimed) <= 5 and right >= 0.9 * claimed


def test_signs_tell_what_a_probability_does_not():
    rng = np.random.default_rng(8)
    sign, chance = rng.normal(size=(4_000, 1)), rng.uniform(0.2, 0.8, 4_000)
    odds = np.log(chance / (1 - chance)) + 2 * sign[:, 0] - 1
    right = rng.random(4_000) < 1 / (1 + np.exp(-odds))
    learnt = calibrate(chance, right, sign)
    assert learnt.of(chance, sign) == pytest.approx(1 / (1 + np.exp(-odds)), abs=0.06)
    # Without signs, and with few matches, probabilities stay nearly what they are.
    few = calibrate(chance[:2], np.array([True, False]))
    assert few.of(chance) == pytest.approx(chance, abs=0.15)
