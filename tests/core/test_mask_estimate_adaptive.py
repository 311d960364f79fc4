# SPDX-License-Identifier: GPL-2.0-or-later
"""Laws that are as wide as it is to the k-th address, and that nobody told."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.estimate import estimate
from geoanon_qgis.core.attacks.masks.estimate_adaptive import estimate_adaptive
from geoanon_qgis.core.attacks.masks.likelihood import by_law
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Gaussian
from geoanon_qgis.core.masking.sizes import Neighbours, law_of_radii
from geoanon_qgis.core.space.points import places
from tests.core.test_mask_estimate import SECRET


def town(seed):
    """Addresses that stand close in the middle and far apart outside."""
    rng = np.random.default_rng(seed)
    away, turn = 4000 * rng.random(5000) ** 2, rng.uniform(0, 2 * np.pi, 5000)
    return places(np.column_stack([away * np.cos(turn), away * np.sin(turn)])).xy


def released(homes, rows, name, ks, seed):
    radii = Neighbours(homes).distances(homes, ks)
    law = law_of_radii(name, radii[:, -1], radii[:, 0] if len(ks) > 1 else None)
    return displace(homes[rows], law.of(rows), SECRET, f"adaptive {seed}").xy, law


@pytest.mark.parametrize(
    ("name", "ks"),
    [("disc", [40]), ("gaussian", [30]), ("laplace", [15]), ("bimodal gaussian", [25])],
)
def test_law_and_number_are_found(name, ks):
    homes = town(len(name))
    rows = np.random.default_rng(ks[0]).permutation(len(homes))[:250]
    xy, law = released(homes, rows, name, ks, 1)
    found = estimate_adaptive(xy, homes)
    own = next(one for one in found if name.startswith(one.family.name))
    assert own.k_max == pytest.approx(ks[-1], rel=0.25)
    assert own.bic < found[0].bic + 12  # the right one, or one that is hardly likelier
    # A law of one size explains far less.
    assert found[0].bic < estimate(xy, homes)[0].bic - 20
    radii = Neighbours(homes).distances(homes, [own.k_max])[:, 0]
    guessed = who_lives_there(by_law(xy, homes, law_of_radii(name, radii)))
    told = who_lives_there(by_law(xy, homes, law))
    assert guessed.right(rows).mean() > told.right(rows).mean() - 0.05
    assert guessed.right(rows).mean() == pytest.approx(guessed.top.mean(), abs=0.08)


def test_a_donut_has_both_numbers_of_which_the_hole_tells_little():
    homes = town(9)
    rows = np.random.default_rng(9).permutation(len(homes))[:300]
    xy, _ = released(homes, rows, "donut", [60, 90], 2)
    found = next(one for one in estimate_adaptive(xy, homes) if one.family.name == "donut")
    assert found.k_max == pytest.approx(90, rel=0.12) and 30 < found.k_min < 80


def test_one_size_is_not_taken_for_an_adaptive_one():
    homes = town(3)
    rows = np.random.default_rng(3).permutation(len(homes))[:250]
    xy = displace(homes[rows], Gaussian(60.0), SECRET, "one size").xy
    assert estimate(xy, homes)[0].bic < estimate_adaptive(xy, homes)[0].bic - 20


def test_the_likelihood_is_that_of_the_definition():
    homes = town(4)[:300]
    rows = np.arange(60)
    xy, _ = released(homes, rows, "disc", [10], 3)
    (found,) = (one for one in estimate_adaptive(xy, homes) if one.family.name == "disc")
    radius = np.sort(np.hypot(*(homes[:, None] - homes[None]).transpose(2, 0, 1)), axis=1)
    radius = radius[:, found.k_max - 1]
    away = np.hypot(*(xy[:, None] - homes[None]).transpose(2, 0, 1))
    density = (away <= radius * (1 + 1e-12)) / (np.pi * radius**2)
    extent = np.hypot(*np.ptp(np.concatenate([xy, homes]), axis=0))
    whole = (1 - 1e-5) * density.mean(axis=1) + 1e-5 / extent**2
    assert found.likelihood == pytest.approx(np.log(whole).sum(), rel=1e-9)


def test_a_list_that_is_too_short_has_no_number():
    assert estimate_adaptive(np.random.default_rng(1).random((30, 2)), np.eye(2).repeat(4, 0)) == []
