# SPDX-License-Identifier: GPL-2.0-or-later
"""The published experiments: Moehler (2023), on 90,603 Dutch dwellings."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.voronoi.result import INCOMPLETE, NO_MASK, REVERSIBLE, SINGLETON
from geoanon_qgis.core.attacks.voronoi.reversal import default_tolerance, reverse_voronoi
from geoanon_qgis.core.masking import voronoi
from geoanon_qgis.core.masking.voronoi import voronoi_mask
from geoanon_qgis.core.space.points import coordinate_resolution

pytestmark = pytest.mark.slow


def attack(masked, candidates, seed=1):
    step = coordinate_resolution(masked)
    return reverse_voronoi(
        masked,
        candidates,
        tolerance=default_tolerance(step, masked),
        half=step / 2,
        stored=(lambda xy: np.round(xy / step) * step) if step else None,
        rng=np.random.default_rng(seed),
    )


def hits(result, candidates, truth):
    return (result.candidate >= 0) & (candidates[result.candidate] == truth).all(axis=1)


def assert_calibrated(result, hit):
    """What is claimed comes true, and what is called certain above all."""
    p = result.probability
    # Members of a pair win and lose together: up to twice the spread of independent records.
    spread = 2 * np.sqrt((p * (1 - p)).sum())
    assert abs(hit.sum() - p.sum()) < 3 * spread + 0.01 * len(p)
    sure = p > 0.999
    assert (~hit[sure]).sum() <= 0.002 * sure.sum() + 1


def test_as_many_records_as_candidates(dwellings):
    mask = voronoi_mask(dwellings)
    assert 2 * mask.median_shift == pytest.approx(5.11, abs=0.03)
    assert mask.median_shift == pytest.approx(2.56, abs=0.015)
    single = mask.kind == voronoi.SINGLETON
    assert single.sum() == pytest.approx(28_119, rel=0.01)

    result = attack(mask.xy, dwellings)
    assert result.complete and result.verdict == REVERSIBLE
    hit = hits(result, dwellings, dwellings)
    # The jitter can leave two dwellings on one millimetre; they did not move.
    unmoved = mask.kind == voronoi.UNMOVED
    assert hit[single].all() and hit[unmoved].all()
    assert (result.probability[single] == 1).all()
    assert hit[mask.kind == voronoi.PAIRED].mean() == pytest.approx(0.5, abs=0.01)
    assert 0.65 < hit.mean() < 0.66 + 0.005
    assert_calibrated(result, hit)


@pytest.mark.parametrize("seed", [1, 2])
def test_five_thousand_of_ninety_thousand(dwellings, seed):
    sample = np.random.default_rng(seed).choice(len(dwellings), 5000, replace=False)
    mask = voronoi_mask(dwellings[sample])
    assert mask.median_shift == pytest.approx(15.73, abs=0.6)

    result = attack(mask.xy, dwellings, seed)
    assert not result.complete and result.verdict == REVERSIBLE
    places = dwellings[result.rebuilt]
    truth = {tuple(place) for place in dwellings[sample]}
    assert sum(tuple(place) in truth for place in places) >= 4999
    hit = hits(result, dwellings, dwellings[sample])
    single = mask.kind == voronoi.SINGLETON
    assert hit[single].mean() > 0.999
    # 37 to 38 % singletons and half of the rest, give or take 1,500 coins.
    assert 0.67 < hit.mean() < 0.71
    assert result.expected_correct / 5000 == pytest.approx(0.688, abs=0.008)
    assert_calibrated(result, hit)


def test_integer_metres_as_published_hold_many_accidental_pairs(dwellings_as_published):
    """Methods: of a sample of 2,000 some 88 % of masked points have exactly one pair."""
    candidates = dwellings_as_published
    sample = np.random.default_rng(3).choice(len(candidates), 2000, replace=False)
    mask = voronoi_mask(candidates[sample])
    result = attack(mask.xy, candidates)
    hit = hits(result, candidates, candidates[sample])
    assert_calibrated(result, hit)
    assert hit.mean() > 0.55


@pytest.mark.parametrize(
    ("step", "size", "jittered"),
    [
        *((1, size, jittered) for size in (1000, 5000) for jittered in (True, False)),
        *((10, 1000, True), (10, 1500, False)),
    ],
)
def test_rounded_releases_are_honest(dwellings, dwellings_as_published, step, size, jittered):
    candidates = dwellings if jittered else dwellings_as_published
    sample = np.random.default_rng(size + step).choice(len(candidates), size, replace=False)
    masked = np.round(voronoi_mask(candidates[sample]).xy / step) * step
    result = attack(masked, candidates)
    hit = hits(result, candidates, candidates[sample])
    assert_calibrated(result, hit)
    assert hit.mean() < (0.65 if step == 1 else 0.25)


def test_the_whole_town_rounded_to_a_metre_is_honest(dwellings):
    masked = np.round(voronoi_mask(dwellings).xy)
    result = attack(masked, dwellings)
    assert_calibrated(result, hits(result, dwellings, dwellings))


def test_gaussian_noise_is_no_voronoi_mask(dwellings):
    rng = np.random.default_rng(4)
    sample = rng.choice(len(dwellings), 2000, replace=False)
    result = attack(dwellings[sample] + rng.normal(0, 15, (2000, 2)), dwellings)
    assert result.verdict == NO_MASK
    assert result.expected_correct < 20


def test_missing_candidates_are_told(dwellings):
    rng = np.random.default_rng(5)
    sample = rng.choice(len(dwellings), 5000, replace=False)
    known = np.delete(dwellings, sample[:500], axis=0)
    result = attack(voronoi_mask(dwellings[sample]).xy, known)
    assert result.verdict == INCOMPLETE
    assert result.explained == pytest.approx(0.82, abs=0.03)
    hit = hits(result, known, dwellings[sample])
    assert_calibrated(result, hit)
    # A lone explanation can be an accident here, and the probability says how often.
    lone = result.kind == SINGLETON
    assert hit[lone].mean() > 0.95
    assert hit[lone].mean() == pytest.approx(result.probability[lone].mean(), abs=0.03)
