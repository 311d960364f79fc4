# SPDX-License-Identifier: GPL-2.0-or-later
"""The attack on Voronoi masks that were rounded coarsely or jittered: is it right as often as it says?"""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.voronoi import reversal
from geoanon_qgis.core.attacks.voronoi.blur import REACH, Blur
from geoanon_qgis.core.attacks.voronoi.rehearsal import Curve, rehearse
from geoanon_qgis.core.attacks.voronoi.reversal import default_tolerance, reverse_voronoi
from geoanon_qgis.core.masking.voronoi import voronoi_mask
from geoanon_qgis.core.runtime import memory
from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.space.points import places


def town(seed, count=1500, size=2000.0):
    return np.random.default_rng(seed).uniform(0, size, (count, 2))


def attacked(known, records, seed, step=0.0, sigma=0.0, together=False, told=True):
    """Release, attack, and say which guesses are right."""
    rng = np.random.default_rng(seed)
    rows = rng.choice(len(known), records, replace=False)
    masked = voronoi_mask(known[rows]).xy
    if sigma:
        at = places(masked).of_point if together else np.arange(records)
        masked = masked + rng.normal(0, sigma, (at.max() + 1, 2))[at]

    def stored(xy):
        return np.round(xy / step) * step

    masked = stored(masked) if step else masked
    found = reverse_voronoi(
        masked,
        known,
        tolerance=default_tolerance(step, masked),
        half=step / 2,
        sigma=sigma if told else 0.0,
        stored=stored if step else None,
        rng=rng,
    )
    right = (found.candidate >= 0) & (known[found.candidate] == known[rows]).all(axis=1)
    return found, right


def in_draws(draws, **how):
    found, right = zip(*(attacked(town(900), 300, 70 + draw, **how) for draw in range(draws)))
    assert all(one.rehearsed for one in found)
    return np.concatenate([one.probability for one in found]), np.concatenate(right)


def assert_calibrated(claimed, right):
    tenth, looked_at = np.minimum((claimed * 10).astype(int), 9), 0
    for one in np.unique(tenth):
        some = tenth == one
        if some.sum() >= 60:
            looked_at += 1
            p = claimed[some]
            # The two of a pair win and lose together; the curve has an error of its own.
            error = np.sqrt(2 * (p * (1 - p)).sum()) / some.sum()
            assert abs(right[some].mean() - p.mean()) < 3.5 * error + 0.03, one
    assert looked_at >= 3
    assert right.mean() == pytest.approx(claimed.mean(), abs=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("together", [False, True], ids=["one by one", "place by place"])
def test_jittered_releases_are_honest(together):
    claimed, right = in_draws(4, sigma=3.0, together=together)
    assert_calibrated(claimed, right)
    assert 0.3 < right.mean() < 0.7


@pytest.mark.slow
def test_coarse_releases_are_honest():
    claimed, right = in_draws(4, step=20.0)
    assert_calibrated(claimed, right)
    assert 0.1 < right.mean() < 0.6


@pytest.mark.slow
def test_jittered_and_rounded_ones_are_honest():
    assert_calibrated(*in_draws(4, step=5.0, sigma=2.0))


def test_who_knows_of_the_jitter_finds_what_nobody_else_finds():
    told, right = attacked(town(901, 600), 100, 5, sigma=1.0)
    blind, hit = attacked(town(901, 600), 100, 5, sigma=1.0, told=False)
    assert right.mean() > 0.5 and hit.mean() < 0.05
    assert (blind.candidate < 0).mean() > 0.9 and not blind.rehearsed
    assert (told.candidate >= 0).mean() > 0.98


def test_a_clear_release_needs_no_rehearsal():
    found, right = attacked(town(902), 300, 6, step=0.001)
    assert not found.rehearsed and found.trust == 1.0
    assert found.probability[right].min() >= 0.5 - 1e-9


@pytest.mark.parametrize(("half", "sigma"), [(5.0, 0.0), (5.0, 2.0), (0.01, 2.0), (None, 2.0)])
def test_chances_are_those_of_draws(half, sigma):
    rng = np.random.default_rng(1)
    gaps = np.array([[0.0, 0.0], [1.5, -2.5], [4.0, 0.5], [-4.9, 4.9], [7.0, 3.0], [30.0, 0.0]])
    rounded = half or 0.0
    blur = Blur(np.full(1, rounded * np.sqrt(2)), half, sigma)
    found = blur.chance(np.zeros(len(gaps), dtype=int), gaps)
    # A midpoint at a distance comes to the location if jitter and rounding bring it there.
    drawn = np.empty(len(gaps))
    window = max(rounded, 0.1)
    for row, gap in enumerate(gaps):
        moved = rng.normal(0, sigma, (400_000, 2)) if sigma else np.zeros((1, 2))
        drawn[row] = (np.abs(moved - gap) <= window).all(axis=1).mean()
    assert found / found[0] == pytest.approx(drawn / drawn[0], abs=0.02)
    assert found[-1] == 0.0
    assert blur.reach[0] == pytest.approx(rounded * np.sqrt(2) + REACH * sigma)


def test_a_curve_is_found_again_and_few_claims_change_little():
    rng = np.random.default_rng(2)
    claimed = rng.uniform(0.02, 0.98, 20_000)
    odds = -0.7 + 1.6 * np.log(claimed / (1 - claimed))
    curve = Curve.of(claimed, rng.random(20_000) < 1 / (1 + np.exp(-odds)))
    assert (curve.shift, curve.slope) == pytest.approx((-0.7, 1.6), abs=0.1)
    nothing = Curve.of(np.empty(0), np.empty(0, dtype=bool))
    assert nothing(np.array([0.1, 0.5, 0.9])) == pytest.approx([0.1, 0.5, 0.9], abs=1e-6)
    one = Curve.of(np.array([0.9]), np.array([False]))
    assert 0.6 < one(np.array([0.9]))[0] < 0.9


def test_noise_that_is_none_is_refused():
    known = town(903, 50)
    for sigma in (-1.0, np.nan, np.inf):
        with pytest.raises(InputError, match="standard deviation of the noise"):
            reverse_voronoi(
                known[:9], known, tolerance=1.0, sigma=sigma, rng=np.random.default_rng(1)
            )


def test_more_explanations_than_memory_holds_are_refused(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 100_000)
    with pytest.raises(InputError, match="pairs of candidates need .* smaller area"):
        attacked(town(904), 300, 7, step=50.0)


def test_what_could_not_be_tried_is_not_said_to_have_been(monkeypatch):
    def none(*given):
        return None

    monkeypatch.setattr(reversal, "rehearse", none)
    found, _ = attacked(town(905), 100, 8, step=20.0)
    assert not found.rehearsed


def test_releases_that_cannot_be_attacked_give_no_curve():
    def attack(masked, rng, progress):
        raise InputError("too many pairs")

    found = rehearse(
        attack, lambda xy, rng: xy, town(906, 50), 10, np.random.default_rng(1), lambda told: None
    )
    assert found is None
