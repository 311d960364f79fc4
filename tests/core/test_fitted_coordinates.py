# SPDX-License-Identifier: GPL-2.0-or-later
"""Coordinates of a dozen sets and more: probable ones are near the true ones, and name people."""

from __future__ import annotations

import time

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage import field_matching, signatures
from geoanon_qgis.core.attacks.linkage.compatibility import LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.field_law import FieldLaw
from geoanon_qgis.core.attacks.linkage.fitted_coordinates import fitted
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.largest_differences import misfit
from geoanon_qgis.core.attacks.linkage.own_releases import OwnReleases
from geoanon_qgis.core.attacks.linkage.record_law import RecordLaw, equal_weights
from geoanon_qgis.core.attacks.linkage.signatures import signature_attack
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.runtime.progress import silent
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

SIDE, COUNT, SETS, SIZE, NOISE = 8_000.0, 60, 12, 30, 600.0
AREA = StudyArea.of_rings([SIDE * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])], None)
PLANAR = metric_for("planar", None)


@pytest.fixture(autouse=True)
def as_it_was():
    """Leave numba as it was."""
    before = accel.enabled()
    yield
    accel.set_enabled(before)


def release(seed):
    """Places in villages, labels, hidden coordinates of noisy places, and distances."""
    rng = np.random.default_rng(seed)
    places = np.clip(
        rng.uniform(0, SIDE, (6, 2))[rng.integers(0, 6, COUNT)] + rng.normal(0, 700, (COUNT, 2)),
        0,
        SIDE,
    )
    labels = rng.integers(0, 4, COUNT)
    noisy = places + rng.normal(0, NOISE, places.shape)
    points = rng.uniform(0, SIDE, (SETS, SIZE, 2))
    hidden = np.linalg.norm(noisy[None, :, None] - points[:, None], axis=3).min(axis=2)
    return places, labels, hidden, np.abs(hidden[:, :, None] - hidden[:, None]).max(axis=0)


def law_of(places, rng):
    own = OwnReleases(LipschitzEmbedding(SETS, SIZE, AREA, 0.9, 200, NOISE), places, PLANAR)
    return FieldLaw.learnt(own, rng, silent)


def found_of(seed, progress=silent):
    places, labels, hidden, square = release(seed)
    rng = np.random.default_rng(1)
    weights = equal_weights(labels[:, None] == labels, COUNT)
    assert weights.sum(axis=1) == pytest.approx(np.ones(COUNT))
    made, error = fitted(square, SETS, RecordLaw.of(law_of(places, rng), weights), rng, progress)
    return hidden, made, error


def test_probable_coordinates_are_near_the_true_ones():
    hidden, made, error = found_of(1)
    assert made.shape == hidden.shape and 0 < error < 0.1
    alike = np.abs(np.corrcoef(hidden, made)[:SETS, SETS:]).max(axis=1)
    assert np.median(alike) > 0.6


@pytest.mark.parametrize("squarings", [1, 4, 7])
def test_the_slope_is_that_of_small_steps_and_the_twin_says_the_same(squarings):
    rng = np.random.default_rng(2)
    place = rng.normal(size=(5, 14))
    given = np.abs(rng.normal(size=(14, 14)))
    given += given.T
    np.fill_diagonal(given, 0.0)
    told = []
    for on in (True, False):
        accel.set_enabled(on)
        told.append(misfit(place, given, squarings))
    assert told[0][0] == pytest.approx(told[1][0], rel=1e-9)
    assert told[0][1] == pytest.approx(told[1][1], rel=1e-7, abs=1e-9)
    for s, i in ((0, 0), (3, 7), (4, 13)):
        step = np.zeros_like(place)
        step[s, i] = 1e-6
        ahead, behind = (misfit(place + sign * step, given, squarings)[0] for sign in (1, -1))
        assert 4 * told[0][1][s, i] == pytest.approx((ahead - behind) / 2e-6, rel=1e-3, abs=1e-4)


def test_a_sum_of_powers_is_that_of_a_loop():
    rng = np.random.default_rng(3)
    place, given = rng.normal(size=(3, 6)), np.zeros((6, 6))
    apart = np.abs(place[:, :, None] - place[:, None, :])
    assert misfit(place, given, 2)[0] == pytest.approx(((apart**4).sum(axis=0) ** 0.5).sum())


def test_the_law_of_a_record_is_that_of_whom_it_may_be():
    """By drawing people and their fields, many times; some records are strangers."""
    rng = np.random.default_rng(4)
    root = rng.normal(size=(5, 5))
    law = FieldLaw(rng.normal(size=5), root @ root.T, 0.3, rng.normal(size=5) * 0.1, (1.5, 0.2))
    weights = np.array([[0.5, 0.3, 0.0, 0.0, 0.1], [0.0, 0.0, 0.6, 0.4, 0.0]])
    mixed = RecordLaw.of(law, weights)
    people = np.linalg.cholesky(law.covariance)
    draws = 200_000
    field = law.mean + rng.normal(size=(draws, 5)) @ people.T
    who = [rng.choice(6, draws, p=np.append(row, 1 - row.sum())) for row in weights]
    # The stranger of the first record varies with others as the law says: by regression on them.
    pull = np.linalg.solve(law.covariance, law.with_stranger)
    rest = np.sqrt(law.strangers[0] - pull @ law.with_stranger)
    stranger = law.stranger + (field - law.mean) @ pull + rest * rng.normal(size=draws)
    every = np.column_stack([field, stranger])
    seen = np.stack([every[np.arange(draws), one] for one in who])
    assert mixed.mean == pytest.approx(seen.mean(axis=1), abs=0.03)
    own = 2e-3 * law.covariance.trace() / 5
    assert mixed.root @ mixed.root.T - own * np.eye(2) == pytest.approx(np.cov(seen), abs=0.1)


def named_of(seed, sets, step=0.0):
    """How many signatures name rightly, of distances by the first few sets, rounded down to a step."""
    places, labels, hidden, _ = release(seed)
    rng = np.random.default_rng(seed)
    order = rng.permutation(COUNT)
    few = hidden[:sets, order]
    shown = np.abs(few[:, :, None] - few[:, None]).max(axis=0)[np.triu_indices(COUNT, 1)]
    shown = np.floor(shown / step) * step if step else shown
    names = [str(one) for one in labels]
    rule = LipschitzEmbedding(sets, SIZE, AREA, 0.9, 200, NOISE)
    matrix = DistanceMatrix.numbered(shown, PLANAR.unit)
    files = Files(
        [names[at] for at in order], matrix, names, places, PLANAR, rule, rounding=(step, 0.0)
    )
    found = signature_attack(files, common=COUNT, rng=rng)
    return int((order[found.guesses[:, 0]] == found.guesses[:, 1]).sum())


def test_signatures_name_more_by_them(monkeypatch):
    named = {}
    for most in (10, 40):
        monkeypatch.setattr(field_matching, "_MOST_SETS", most)
        named[most] = sum(named_of(seed, SETS) for seed in (11, 12, 13))
    assert named[40] > 1.2 * named[10], named


def test_few_sets_have_probable_coordinates_where_distances_are_rounded_coarsely(monkeypatch):
    """Of distances alone they fit so badly that they were not looked at."""
    rounded = [named_of(seed, 5, 600.0) for seed in (11, 12, 13)]
    monkeypatch.setattr(signatures, "tells_by_fields", lambda *given: False)
    without = [named_of(seed, 5, 600.0) for seed in (11, 12, 13)]
    assert sum(rounded) > 1.2 * sum(without), (rounded, without)


def test_a_cancel_is_heard():
    told = []
    found_of(1, lambda fraction: told.append((time.monotonic(), fraction)))
    when, fraction = np.array(told).T
    assert (np.diff(fraction) >= 0).all() and fraction[-1] == 1.0
    assert np.diff(when).max() < 0.4

    def stop(fraction):
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        found_of(1, stop)
