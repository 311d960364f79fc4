# SPDX-License-Identifier: GPL-2.0-or-later
"""The law of another tool's mask, seen on public points: against the law that it was."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.likelihood import by_law
from geoanon_qgis.core.attacks.masks.observed import ObservedLaw, observe
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Donut, Gaussian, disc
from geoanon_qgis.core.masking.sizes import Neighbours
from geoanon_qgis.core.runtime.errors import InputError
from tests.core.test_mask_posterior import homes

SECRET = bytes(range(32))
XY = homes(51, 3000, 1500.0)
NEAR = Neighbours(XY).distances(XY, [20])[:, 0]
LAWS = {
    "gaussian": Gaussian(40.0),
    "disc": disc(75.0),
    "donut": Donut(40.0, 70.0),
    "adaptive disc": disc(NEAR * 1.5),
}


@pytest.mark.parametrize("name", LAWS)
def test_an_attack_by_what_is_seen_is_as_good_as_one_by_the_law(name):
    law, found = LAWS[name], {"A": [], "B": [], "by the law": []}
    public = np.random.default_rng(1).permutation(3000)[:1000]
    seen = displace(XY[public], law.of(public), SECRET, "public").xy
    observed = observe(XY[public], seen, XY)
    assert (observed.k is not None) == name.startswith("adaptive")
    assert not observed.shift.any()
    for draw in range(5):
        rows = np.random.default_rng(10 + draw).permutation(3000)[:250]
        released = displace(XY[rows], law.of(rows), SECRET, f"file {draw}").xy
        likelihood = by_law(released, XY, observed.law)
        a, b = who_lives_there(likelihood), which_record(likelihood, rows)
        found["A"].append((a.right(rows), a.top))
        found["B"].append((b.right(np.arange(250)), b.top))
        exact = who_lives_there(by_law(released, XY, law))
        found["by the law"].append((exact.right(rows), exact.top))
    means = {
        one: [float(np.concatenate(part).mean()) for part in zip(*pairs)]
        for one, pairs in found.items()
    }
    for one in ("A", "B"):
        assert means[one][0] == pytest.approx(means[one][1], abs=0.04)
    assert means["A"][0] == pytest.approx(means["by the law"][0], abs=0.02)


def test_a_shift_that_all_share_is_found():
    public = np.random.default_rng(1).permutation(3000)[:60]
    observed = observe(XY[public], XY[public] + [120.0, -80.0], XY)
    assert observed.shift == pytest.approx([120.0, -80.0])
    rows = np.random.default_rng(2).permutation(3000)[:100]
    likelihood = by_law(XY[rows] + [120.0, -80.0] - observed.shift, XY, observed.law)
    assert who_lives_there(likelihood).right(rows).mean() > 0.99


@pytest.mark.parametrize("spread", [0.0, 1e-9, 25.0])
def test_shares_add_up_and_lie_where_distances_do(spread):
    distance = 30.0 + np.random.default_rng(3).uniform(0, 1, 400) * spread
    law = ObservedLaw.of_distances(distance)
    radius = np.linspace(0, law.reach(), 200_001)
    mass = law.density(radius) * 2 * np.pi * radius
    if spread == 25.0:
        assert float((mass[1:] + mass[:-1]).sum() / 2 * radius[1]) == pytest.approx(1.0, abs=0.01)
        assert law.mean_shift == pytest.approx(distance.mean(), rel=0.03)
    assert law.within(np.array([law.reach()])) == pytest.approx(1.0)
    assert law.within(np.array([29.9])) < 0.01
    share = np.array([0.1, 0.5, 0.9])
    assert law.within(law.quantile(share)) == pytest.approx(share)
    assert (law.density(distance) > 0).all()


def test_too_few_pairs_and_points_that_stay_are_sentences():
    with pytest.raises(InputError, match="at least 50 are needed"):
        observe(XY[:20], XY[:20] + 1.0, XY)
    with pytest.raises(InputError, match="did not move"):
        observe(XY[:80], XY[:80], XY)


def test_points_that_were_all_at_one_place_show_the_law_all_the_same():
    rng = np.random.default_rng(4)
    away, angle = 40 + 20 * rng.random(400), rng.uniform(0, 2 * np.pi, 400)
    before = np.full((400, 2), 5_000.0)
    after = before + away[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    seen = observe(before, after, rng.uniform(4_000, 6_000, (200, 2)))
    assert seen.turn == pytest.approx(np.eye(2)) and not seen.shift.any()
