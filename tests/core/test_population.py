# SPDX-License-Identifier: GPL-2.0-or-later
"""Where strangers live by those who are known, and all ways to match."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from geoanon_qgis.core.attacks.maps.noise_matches import matched
from geoanon_qgis.core.attacks.maps.population import Population, mixture


def test_weights_of_a_mixture_are_the_likeliest():
    rng = np.random.default_rng(1)
    x = np.where(rng.random(4000) < 0.3, rng.normal(0, 1, 4000), rng.normal(0, 5, 4000))
    found = mixture(np.stack([np.exp(-x * x / (2 * s * s)) / s for s in (1.0, 5.0, 25.0)]))
    np.testing.assert_allclose(found, [0.3, 0.7, 0.0], atol=0.05)


@pytest.mark.parametrize("seed", range(3))
def test_probabilities_are_those_of_all_ways_to_match(seed):
    """Exact without circles: record 0 with people 0 and 1, record 1 with 1 and 2."""
    odds = np.random.default_rng(seed).lognormal(0, 2, 4)
    target, known = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])
    total, each = 0.0, np.zeros(4)
    for taken in product((False, True), repeat=4):
        some = np.flatnonzero(taken)
        if len(set(target[some])) == len(set(known[some])) == len(some):
            weight = odds[some].prod()
            total += weight
            each[some] += weight
    found, ways = matched(odds, target, known, (2, 3))
    np.testing.assert_allclose(found, each / total, atol=1e-4)
    assert ways == pytest.approx(np.log(total), abs=1e-4)


def test_strangers_of_a_family_are_foretold_and_others_are_not_invented():
    rng = np.random.default_rng(3)
    places, kind = rng.uniform(0, 10_000, (300, 2)), rng.integers(0, 20, 300)
    apart = Population(places, kind, 30.0)
    assert apart.weights[:, 1:].sum() < 0.01  # labels do not go with places
    places[:60], kind[:60] = places[60:120] + rng.normal(0, 5, (60, 2)), kind[60:120]
    together = Population(places, kind, 30.0)
    # Of those who come next, as many have somebody of their family there as of these.
    assert together.weights[:, 1:].sum() == pytest.approx(120 / 300, abs=0.08)
    target, known = np.array([0]), np.array([200])
    at = [one.density(places[200:201], 900.0, target, known)[0, 0] for one in (apart, together)]
    assert at[1] > 10 * at[0]


def test_a_family_counts_once_however_many_of_it_are_known():
    """Strangers of two who live together were twice as many as of one who lives alone: too few of the latter."""
    rng = np.random.default_rng(3)
    known, kind = rng.uniform(0, 10_000, (300, 2)), np.repeat(np.arange(30), 10)
    known[:60], kind[:60] = known[60:120] + rng.normal(0, 5, (60, 2)), kind[60:120]
    law = Population(known, kind, 30.0)
    together, alone = np.arange(60), np.arange(120, 300)
    target, person = np.nonzero(kind[:, None] == kind)
    found = law.density(known, 900.0, target, person)[int(law.often[1].argmax())]
    assert found[together].mean() == pytest.approx(found[alone].mean(), rel=0.15)


def test_densities_are_those_of_all_places_and_labels_together():
    rng = np.random.default_rng(4)
    known, kind = rng.normal(0, 1_000, (50, 2)), rng.integers(0, 2, 50)
    law = Population(known, kind, 50.0)
    # Far enough out that hardly anybody lives beyond.
    line = np.arange(-12_000, 12_000, 150.0)
    places = np.stack([one.ravel() for one in np.meshgrid(line, line)], axis=1)
    total = 0.0
    for label in (0, 1):
        alike = np.flatnonzero(kind == label)
        target = np.repeat(np.arange(len(places)), len(alike))
        density = law.density(places, 150.0**2, target, np.tile(alike, len(places)))
        total += float(density[0].sum()) * 150.0**2
    assert total == pytest.approx(1.0, abs=0.02)
