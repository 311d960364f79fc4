# SPDX-License-Identifier: GPL-2.0-or-later
"""Uniques of the population from those of a sample: formulas, and populations that are known."""

import numpy as np
import pytest

from geoanon_qgis.core.aggregation.population_uniques import (
    MODELS,
    log_probabilities,
    population_uniques,
)
from geoanon_qgis.core.runtime.errors import InputError


def test_the_law_of_sizes_is_the_mixture_of_poisson_laws():
    from scipy import stats
    from scipy.integrate import quad

    mean, spread = 2.0, 1.5
    shape = mean**2 / spread
    means = stats.invgauss(mean / shape, scale=shape)

    def mixed(size):
        return quad(lambda x: means.pdf(x) * stats.poisson.pmf(size, x), 0, np.inf)[0]

    found = np.exp(log_probabilities(mean, spread, 6))
    assert found == pytest.approx([mixed(size) for size in range(7)], abs=1e-9)


def pitman_sizes(n, theta, alpha, rng):
    """People who come one by one, by Pitman's rule."""
    sizes = []
    for already in range(n):
        if rng.random() * (theta + already) < theta + alpha * len(sizes):
            sizes.append(1)
        else:
            weights = np.array(sizes) - alpha
            sizes[rng.choice(len(sizes), p=weights / weights.sum())] += 1
    return np.array(sizes)


def gaussian_sizes(rng):
    means = rng.wald(4.0, 2.0, 20_000)
    return rng.poisson(means)


@pytest.mark.parametrize("model, tolerance", list(zip(MODELS, (0.05, 0.04))))
def test_a_model_finds_what_is_true_where_it_holds(model, tolerance):
    rng = np.random.default_rng(8)
    if model == MODELS[0]:
        sizes = pitman_sizes(8_000, 60.0, 0.6, rng)
    else:
        sizes = gaussian_sizes(rng)
    sizes = sizes[sizes > 0]
    drawn = rng.binomial(sizes, 0.2)
    found = population_uniques(drawn[drawn > 0], 0.2)
    alone = drawn == 1
    estimate = found.estimates[MODELS.index(model)]
    assert estimate.share == pytest.approx((sizes[alone] == 1).mean(), abs=tolerance)
    assert estimate.uniques == pytest.approx((sizes == 1).sum(), rel=0.15)
    assert found.matched == pytest.approx(alone.sum() / sizes[alone].sum(), abs=0.02)


def test_the_chance_of_a_match_is_the_published_formula():
    """Skinner & Elliot: pi n1 / (pi n1 + 2 (1 - pi) n2)."""
    sizes = np.array([1] * 30 + [2] * 10 + [5] * 4)
    assert population_uniques(sizes, 0.1).matched == pytest.approx(3 / (3 + 2 * 0.9 * 10))


def test_the_whole_population_is_its_own_estimate():
    found = population_uniques(np.array([1, 1, 2, 7]), 1.0)
    assert [one.share for one in found.estimates] == [1, 1] and found.matched == 1
    assert [one.uniques for one in found.estimates] == [2, 2]


@pytest.mark.parametrize("sizes", [[3, 4], [1, 1, 1]])
def test_where_nothing_can_be_told_nothing_is(sizes):
    found = population_uniques(np.array(sizes), 0.1)
    assert all(np.isnan(one.share) for one in found.estimates)


@pytest.mark.parametrize("fraction", [0.0, -1.0, 1.5, float("nan")])
def test_a_share_of_the_population_is_a_share(fraction):
    with pytest.raises(InputError, match="must be above 0 and at most 1"):
        population_uniques(np.array([1, 2]), fraction)
