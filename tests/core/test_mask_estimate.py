# SPDX-License-Identifier: GPL-2.0-or-later
"""Laws that nobody told: found from some hundred points and the list."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.estimate import estimate
from geoanon_qgis.core.attacks.masks.likelihood import by_law
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import BimodalGaussian, Donut, Gaussian, Laplace, disc
from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.space.points import places

SECRET = bytes(range(32))


def village(seed):
    """Addresses in clusters, as where people live."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(0, 6000, (120, 2))
    return places(centres[rng.integers(0, 120, 4000)] + rng.normal(0, 90, (4000, 2))).xy


LAWS = {
    "gaussian": (Gaussian(40.0), lambda law: law.sigma),
    "disc": (disc(75.0), lambda law: law.outer),
    "laplace": (Laplace(2 / 50.0), lambda law: 2 / law.epsilon),
    "donut": (Donut(43.0, 68.0), lambda law: law.outer),
    "bimodal": (BimodalGaussian(60.0), lambda law: law.mean),
}


@pytest.mark.parametrize("name", LAWS)
def test_from_two_hundred_points_law_and_size_are_found(name):
    law, size = LAWS[name]
    families, sizes = [], []
    for seed in range(3):
        homes = village(seed)
        rows = np.random.default_rng(50 + seed).permutation(len(homes))[:200]
        xy = displace(homes[rows], law, SECRET, f"unknown {seed}").xy
        found = estimate(xy, homes)
        families.append(found[0].family.name)
        sizes.append(next(size(one.law) for one in found if one.family.name == name))
        guessed = who_lives_there(by_law(xy, homes, found[0].law))
        told = who_lives_there(by_law(xy, homes, law))
        # The attack loses next to nothing.
        assert guessed.right(rows).mean() > told.right(rows).mean() - 0.06
    assert families.count(name) >= 2
    assert np.mean(sizes) == pytest.approx(size(law), rel=0.05)


def test_points_from_elsewhere_do_not_mislead():
    homes = village(5)
    rows = np.random.default_rng(6).permutation(len(homes))[:200]
    xy = displace(homes[rows], disc(75.0), SECRET, "elsewhere").xy
    xy[:3] += 20_000
    found = next(one for one in estimate(xy, homes) if one.family.name == "disc")
    assert found.law.outer == pytest.approx(75.0, rel=0.06)


def test_few_points_are_too_few():
    with pytest.raises(InputError, match="20 are needed"):
        estimate(np.zeros((5, 2)), village(1))


@pytest.mark.parametrize("rounding", [None, 0.1])
def test_a_fixed_radius_is_found_to_centimetres(rounding):
    for seed, radius in ((11, 50.0), (12, 120.0)):
        homes = village(seed)
        rng = np.random.default_rng(seed)
        rows, angle = rng.permutation(len(homes))[:250], rng.uniform(0, 2 * np.pi, 250)
        xy = homes[rows] + radius * np.column_stack([np.cos(angle), np.sin(angle)])
        xy = xy if rounding is None else np.round(xy / rounding) * rounding
        law = estimate(xy, homes)[0].law
        assert law.inner < radius < law.outer and law.outer - law.inner < 0.8
        guessed = who_lives_there(by_law(xy, homes, law))
        right = guessed.right(rows).mean()
        assert right > 0.95 and right == pytest.approx(guessed.top.mean(), abs=0.03)
        assert not guessed.unexplained.any()


def test_a_narrow_ring_that_has_a_width_keeps_it():
    homes = village(13)
    rows = np.random.default_rng(13).permutation(len(homes))[:200]
    xy = displace(homes[rows], Donut(94.0, 100.0), SECRET, "narrow").xy
    law = estimate(xy, homes)[0].law
    assert law.outer - law.inner > 4.5
