# SPDX-License-Identifier: GPL-2.0-or-later
"""Laws of displacement against their densities, by other means than their own formulas."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from geoanon_qgis.core.masking.far_disc import FarDisc
from geoanon_qgis.core.masking.laws import (
    BY_RADIUS,
    BimodalGaussian,
    Donut,
    Gaussian,
    Laplace,
    disc,
)
from geoanon_qgis.core.runtime.errors import InputError

LAWS = {
    "disc": disc(200.0),
    "disc by radius": disc(2000.0, BY_RADIUS),
    "far disc": FarDisc(200.0, 500.0, 0.2),
    "far disc by radius": FarDisc(5000.0, 10_000.0, 0.01, BY_RADIUS),
    "donut": Donut(50.0, 200.0),
    "donut by radius": Donut(50.0, 200.0, BY_RADIUS),
    "gaussian": Gaussian(120.0),
    "bimodal": BimodalGaussian(100.0),
    "bimodal wide": BimodalGaussian(100.0, 150.0),
    "laplace": Laplace(np.log(4) / 200),
}
each_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
#: Whether a law has an edge, and no tail.
EDGES = (Donut, FarDisc)


def steps(law) -> np.ndarray:
    """Distances at which the density may jump, from none to the last that matters."""
    return np.unique(
        [0.0, getattr(law, "inner", 0.0), getattr(law, "radius", 0.0), law.reach(1e-9)]
    )


@each_law
def test_the_density_is_that_of_one_point(law):
    mass = lambda d: float(law.density(np.array(d))) * 2 * np.pi * d  # noqa: E731
    ends = steps(law)
    total = sum(quad(mass, a, b, limit=200)[0] for a, b in zip(ends[:-1], ends[1:]))
    assert total == pytest.approx(1, abs=1e-6)
    mean = sum(quad(lambda d: d * mass(d), a, b, limit=200)[0] for a, b in zip(ends[:-1], ends[1:]))
    assert law.mean_shift == pytest.approx(mean, rel=1e-5)


@each_law
def test_the_density_is_one_on_the_map(law):
    """Summed over squares, not along the radius."""
    reach = law.reach(1e-7)
    side = (np.arange(1200) + 0.5) / 1200 * reach
    away = np.hypot(side, side[:, None])
    total = 4 * law.density(away).sum() * (reach / 1200) ** 2
    assert total == pytest.approx(1, abs=4e-3)


@each_law
def test_draws_follow_the_density(law):
    """Chi-square of 50 rings, whose shares are integrals of the density."""
    radii = law.radii(np.random.default_rng(5).random(100_000))
    edges = np.quantile(radii, np.linspace(0, 1, 51)[1:-1])
    mass = lambda d: float(law.density(np.array(d))) * 2 * np.pi * d  # noqa: E731
    inner = getattr(law, "inner", 0.0)
    ends = np.concatenate([[inner], edges, [law.reach(1e-12)]])
    shares = np.array([quad(mass, a, b)[0] for a, b in zip(ends[:-1], ends[1:])])
    # The edges come from other draws than those that are counted.
    again = law.radii(np.random.default_rng(6).random(100_000))
    found = np.bincount(np.searchsorted(edges, again), minlength=50)
    assert stats.chisquare(found, shares / shares.sum() * len(again)).pvalue > 0.001
    assert (again >= inner).all() and (again <= law.reach(1e-17)).all()


@each_law
def test_quantile_and_share_within_are_inverses(law):
    share = np.concatenate([np.linspace(0, 1, 1000, endpoint=False), 1 - 10.0 ** -np.arange(4, 10)])
    assert np.allclose(law.within(law.quantile(share)), share, rtol=0, atol=1e-12)
    assert (np.diff(law.quantile(np.sort(share))) > 0).all()


@each_law
def test_little_lies_beyond_the_reach(law):
    assert 1 - law.within(np.array(law.reach(1e-6))) <= 1.000001e-6
    assert law.within(np.array(0.0)) == pytest.approx(0, abs=1e-15)
    if isinstance(law, EDGES):
        assert law.density(np.array(law.reach() * 1.0001)) == 0


@pytest.mark.parametrize(
    "law, share, distance",
    [
        (Laplace(np.log(4) / 200), 0.95, 4.744 / (np.log(4) / 200)),  # Andrés et al. (2013)
        (Gaussian(1.0), 0.5, 1.17741),
        (disc(10.0), 0.25, 5.0),
        (disc(10.0, BY_RADIUS), 0.25, 2.5),
    ],
)
def test_quantiles_that_are_known(law, share, distance):
    assert law.quantile(np.array(share)) == pytest.approx(distance, rel=1e-4)


def test_of_a_far_disc_the_share_goes_farther_and_who_cannot_has_a_plain_one():
    rng = np.random.default_rng(3)
    law = FarDisc(5000.0, 10_000.0, 0.01, BY_RADIUS)
    beyond = law.radii(rng.random(1_000_000)) > 5000
    assert stats.binomtest(int(beyond.sum()), 1_000_000, 0.005).pvalue > 0.001
    same, plain = FarDisc(2000.0, 2000.0, 0.01, BY_RADIUS), disc(2000.0, BY_RADIUS)
    away = np.linspace(1, 2500, 100)
    assert np.allclose(same.density(away), plain.density(away), rtol=1e-14)
    assert np.allclose(same.quantile(away / 2500), plain.quantile(away / 2500), rtol=1e-14)
    # A mixture: each place by itself, then one of two discs.
    two = np.where(rng.random(200_000) < 0.01, 10_000, 5000) * rng.random(200_000)
    assert stats.ks_2samp(law.radii(rng.random(200_000)), two).pvalue > 0.001


ADAPTIVE = {
    "disc": (lambda r: disc(r), np.inf),
    "far disc": (lambda r: FarDisc(r, 3 * r, 0.1), np.inf),
    "donut": (lambda r: Donut(r / 3, r), np.inf),
    "donut by radius": (lambda r: Donut(r / 3, r, BY_RADIUS), np.inf),
    "gaussian": (Gaussian, np.inf),
    "bimodal": (BimodalGaussian, np.inf),
    "laplace": (Laplace, 0.0),
}


@pytest.mark.parametrize("make, none", ADAPTIVE.values(), ids=ADAPTIVE)
def test_each_point_has_the_law_of_its_size(make, none):
    sizes = np.array([2.0, 0.5, 31.0])
    law, away = make(sizes), np.array([1.0, 0.2, 22.0])
    share = np.array([0.1, 0.5, 0.9])
    assert law.count == 3 and law.possible.all()
    for row, size in enumerate(sizes):
        one = make(float(size))
        at = slice(row, row + 1)
        assert one.count is None
        for name in ("density", "within"):
            alone = getattr(one, name)(away[at])
            assert np.allclose(getattr(law, name)(away)[at], alone, rtol=1e-14)
            assert np.allclose(getattr(law.of(np.array([row])), name)(away[at]), alone, rtol=1e-14)
        assert np.allclose(law.radii(share)[at], one.radii(share[at]), rtol=1e-14)
        assert np.allclose(np.asarray(law.reach())[row], one.reach(), rtol=1e-14)
        assert np.allclose(np.asarray(law.mean_shift)[row], one.mean_shift, rtol=1e-14)
    assert np.array_equal(law.parameters(3)[1:2], make(0.5).parameters(1))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("make, none", ADAPTIVE.values(), ids=ADAPTIVE)
def test_a_size_that_is_missing_leaves_no_law(make, none):
    law = make(np.array([5.0, none]))
    assert law.possible.tolist() == [True, False]
    assert law.density(np.array([4.0, 4.0]))[1] == 0


def test_a_ring_without_width_is_no_law_for_its_point():
    law = Donut(np.array([1.0, 3.0]), np.array([3.0, 3.0]))
    assert law.possible.tolist() == [True, False]
    assert law.density(np.array([2.0, 3.0])).tolist() == [1 / (8 * np.pi), 0]


def test_laws_have_names_of_their_own():
    assert len({law.kind for law in LAWS.values()}) == 9  # the two bimodal ones share theirs


@pytest.mark.parametrize(
    "make, said",
    [
        (lambda: disc(0.0), "The radius must be a positive number, not 0."),
        (lambda: disc(np.nan), "not not defined"),
        (lambda: disc(np.inf), "not infinite"),
        (lambda: disc(np.array([1.0, -2.0])), "not -2"),
        (lambda: disc(np.ones((2, 2))), r"not of shape \(2, 2\)"),
        (lambda: disc(1.0, "weight"), "by area or by radius, not by “weight”"),
        (lambda: Donut(20.0, 5.0), r"The least distance \(20\) must be below the largest \(5\)"),
        (lambda: Donut(5.0, 5.0), "shows its centre"),
        (lambda: Donut(np.array([1.0, 9.0]), 5.0), r"distance \(9\)"),
        (lambda: Donut(-1.0, 5.0), "The least distance must be a positive number, not -1."),
        (lambda: FarDisc(2.0, 5.0, 0.0), "above 0 and below 1, not 0"),
        (lambda: FarDisc(2.0, 5.0, 1.0), "above 0 and below 1, not 1"),
        (
            lambda: FarDisc(5.0, 2.0, 0.5),
            r"may go \(2\) must not be below that of the others \(5\)",
        ),
        (lambda: Gaussian(-1.0), "The standard deviation must be"),
        (lambda: BimodalGaussian(0.0), "The mean distance must be"),
        (lambda: BimodalGaussian(1.0, 0.0), "The spread of the distance must be"),
        (lambda: Laplace(0.0), "The privacy parameter epsilon must be a positive number, not 0."),
        (lambda: Laplace(-1.0), "not -1"),
        (lambda: Laplace(np.array([1.0, np.inf])), "nothing would move"),
    ],
)
def test_what_is_no_law_is_refused(make, said):
    with pytest.raises(InputError, match=said):
        make()
