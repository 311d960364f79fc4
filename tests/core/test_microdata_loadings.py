# SPDX-License-Identifier: GPL-2.0-or-later
"""Correlations outlast decoding, and a record's random numbers are its own."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.microdata import loadings, release
from geoanon_qgis.core.microdata.chance import Chance
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.matrices import correlations
from geoanon_qgis.core.microdata.release import anonymize


def halves(rng, n=1_500):
    """Truth values and categories that have one cause, beside a number."""
    cause = rng.normal(size=n)
    table = {f"t{at}": cause + rng.normal(size=n) > at / 2 for at in range(3)}
    table["kind"] = np.array([*"abc"])[np.searchsorted([-0.5, 1.0], cause + rng.normal(size=n))]
    return {**table, "size": (100 + 20 * cause + rng.normal(0, 10, n)).round()}


def off(table, made):
    """Largest and middle difference of correlations between fields."""
    coding = learn_coding(table)
    one, other = (correlations(coding.encode(some)[0]) for some in (table, made.columns))
    apart = np.abs(one - other)[np.triu_indices(len(one), 1)]
    return apart.max(), np.median(apart)


@pytest.mark.parametrize("categories_as", ["most_probable", "draw"])
def test_correlations_are_no_worse_than_a_fresh_sample_s(rng, monkeypatch, categories_as):
    table = halves(rng)
    given = (table, "spectral_swapping")
    corrected = off(table, anonymize(*given, np.random.default_rng(1), categories_as=categories_as))
    if categories_as == "most_probable":  # a draw loses more than loadings can give
        coding = learn_coding(table)
        fresh = correlations(coding.encode(halves(rng))[0]) - correlations(coding.encode(table)[0])
        assert corrected[1] <= np.median(np.abs(fresh)[np.triu_indices(len(fresh), 1)])
    monkeypatch.setattr(release, "corrected", lambda basis, *given: basis)
    plain = off(table, anonymize(*given, np.random.default_rng(1), categories_as=categories_as))
    assert corrected[0] < plain[0] / 2 and plain[0] > 0.12


def test_what_chance_did_to_correlations_stays(rng):
    """Nothing is fitted to the original's correlations once more: these are not released."""
    table = halves(rng, 400)
    coding = learn_coding(table)
    original = correlations(coding.encode(table)[0])
    seen = []
    for seed in range(6):
        made = anonymize(table, "spectral_swapping", np.random.default_rng(seed))
        found = correlations(coding.encode(made.columns)[0])
        seen.append((found - original)[0, -1])
    # a swapped correlation of none has a standard deviation of 1 / sqrt(400)
    assert 0.015 < np.std(seen) < 0.12


def test_places_and_means_stay(rng):
    table = {**halves(rng, 300), "x": rng.normal(0, 50, 300), "y": rng.normal(0, 9, 300)}
    made = anonymize(table, "spectral_swapping", rng, place=("x", "y"))
    for name in ("x", "y"):
        assert made.columns[name].mean() == pytest.approx(table[name].mean(), abs=1e-6)
        assert made.columns[name].std() == pytest.approx(table[name].std(), rel=0.15)


def test_loadings_of_few_records_are_numbers(rng):
    table = {f"f{at}": rng.integers(0, 9, 6).astype(float) for at in range(9)}
    table["yes"] = np.array([True, False] * 3)
    made = anonymize(table, "spectral_swapping", rng)
    assert all(len(values) == 6 for values in made.columns.values())
    assert np.isfinite(made.coded).all()


def test_nothing_is_worse_than_what_was_given(rng):
    table = halves(rng, 500)
    coding = learn_coding(table)
    matrix = coding.encode(table)[0]
    basis = release.decompose(matrix)
    blind = lambda coded, progress: (rng.normal(size=coded.shape), None)  # noqa: E731
    kept = loadings.corrected(basis, coding.blocks, lambda c, progress: (c, 0))
    np.testing.assert_allclose(kept.vectors, basis.vectors, atol=1e-9)
    tried = loadings.corrected(basis, coding.blocks, blind)
    rebuilt = tried.rebuild(tried.scores)
    np.testing.assert_allclose(rebuilt.mean(axis=0), matrix.mean(axis=0), atol=1e-9)


def test_random_numbers_belong_to_their_rows():
    chance = Chance(np.random.default_rng(4))
    every = chance.uniform(np.arange(4_000), slice(2, 5))
    rows = np.array([17, 3, 3_999])
    np.testing.assert_array_equal(chance.uniform(rows, slice(2, 5)), every[rows])
    np.testing.assert_array_equal(chance.uniform(rows, slice(4, 5))[:, 0], every[rows, 2])
    assert 0 < every.min() and every.max() < 1
    assert np.abs(np.sort(every[:, 0]) - (np.arange(4_000) + 0.5) / 4_000).max() < 0.04
    neighbours = np.column_stack([every[1:], every[:-1]])
    assert np.abs(np.corrcoef(neighbours.T) - np.eye(6)).max() < 0.08
    other = Chance(np.random.default_rng(5)).uniform(rows, slice(2, 5))
    assert not np.isclose(other, every[rows]).any()
    assert np.mean(chance.gumbel(np.arange(4_000), slice(0, 1))) == pytest.approx(0.577, abs=0.1)
    assert np.std(chance.logistic(np.arange(4_000), slice(0, 1))) == pytest.approx(1.81, abs=0.15)
    some = chance.sample(4_000, 500)
    assert 400 < len(some) < 600 and len(np.unique(some)) == len(some)
