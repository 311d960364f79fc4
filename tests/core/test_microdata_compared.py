# SPDX-License-Identifier: GPL-2.0-or-later
"""Methods to compare with: microaggregation by loops, a Gaussian copula by what it keeps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.microdata.microaggregation import mdav
from geoanon_qgis.core.microdata.release import anonymize
from geoanon_qgis.core.microdata.shuffling import gaussian_copula, rank_correlations
from geoanon_qgis.core.runtime.errors import Cancelled, InputError


def by_loops(matrix, k):
    """Groups of MDAV, every distance taken anew."""
    left, groups = list(range(len(matrix))), []

    def away(row, point):
        return float(((matrix[row] - point) ** 2).sum())

    def cut(at):
        near = sorted(left, key=lambda row: away(row, matrix[at]))[:k]
        groups.append(frozenset(near))
        for row in near:
            left.remove(row)

    while len(left) >= 2 * k:
        centre = matrix[left].mean(axis=0)
        first = max(left, key=lambda row: away(row, centre))
        several = len(left) >= 3 * k
        cut(first)
        if several:
            cut(max(left, key=lambda row: away(row, matrix[first])))
    if left:
        groups.append(frozenset(left))
    return set(groups)


@given(st.integers(0, 10**6), st.integers(4, 60), st.integers(2, 5))
@settings(max_examples=60)
def test_groups_are_those_of_a_loop(seed, n, k):
    matrix = np.random.default_rng(seed).normal(size=(n, 3))
    if n < 2 * k:
        with pytest.raises(InputError):
            mdav(matrix, k)
        return
    result, group = mdav(matrix, k)
    found = {frozenset(np.flatnonzero(group == one).tolist()) for one in range(group.max() + 1)}
    assert found == by_loops(matrix, k)
    assert all(k <= len(one) < 2 * k for one in found)
    for one in found:
        rows = sorted(one)
        np.testing.assert_allclose(result[rows], [matrix[rows].mean(axis=0)] * len(rows))


def test_people_who_are_alike_are_grouped_all_the_same():
    result, group = mdav(np.ones((23, 2)), 5)
    assert np.bincount(group).min() >= 5 and (result == 1).all()


def test_microaggregation_is_cancelled_at_once():
    def cancelled(fraction):
        if fraction > 0.3:
            raise Cancelled

    told = []
    matrix = np.random.default_rng(1).normal(size=(200, 3))
    mdav(matrix, 3, told.append)
    assert told == sorted(told) and told[-1] == 1 and len(told) > 20
    with pytest.raises(Cancelled):
        mdav(matrix, 3, cancelled)


def people(rng, n=1500):
    age = rng.integers(18, 90, n)
    return {
        "age": age,
        "income": np.exp(9 + 0.02 * age + rng.normal(0, 0.4, n)).round(),
        "job": rng.choice(["a", "b", "c"], n, p=[0.7, 0.25, 0.05]),
        "ill": rng.random(n) < age / 200,
        "height": np.where(rng.random(n) < 0.1, np.nan, rng.normal(170, 9, n).round()),
    }


def test_a_copula_keeps_rank_correlations_and_holds_nobody(rng):
    mixed = rng.normal(size=(3000, 4)) @ rng.normal(size=(4, 4))
    matrix = np.column_stack([np.exp(mixed), np.ones(3000)])
    drawn = gaussian_copula(matrix, rng)
    before, after = (rank_correlations(some)[:4, :4] for some in (matrix, drawn))
    assert np.abs(before - after).max() < 0.05
    assert np.abs(drawn.mean(axis=0) - matrix.mean(axis=0)).max() < 0.1 * matrix.std(axis=0).max()
    assert (drawn[:, 4] == 1).all() and not np.isin(drawn[:, 0], matrix[:, 0]).any()


@pytest.mark.parametrize("method", ["gaussian_copula", "microaggregation"])
def test_they_come_in_the_same_frame(rng, method):
    """Calibrated: within the range and in the original's shares; with rules, ranges and groups."""
    data = people(rng)
    made = anonymize(data, method, rng, k=4, ranges={"income": (-np.inf, 60000)})
    after = made.columns
    assert after["age"].min() >= 18 and after["age"].max() <= 89
    assert after["income"].max() <= 60000
    assert abs((after["job"] == "c").mean() - 0.05) < 0.02
    assert abs(after["ill"].mean() - data["ill"].mean()) < 0.02
    assert abs(np.isnan(after["height"]).mean() - 0.1) < 0.02
    grouped = method == "microaggregation"
    assert made.corresponds == grouped and (made.group is not None) == grouped
    if grouped:
        assert np.bincount(made.group).min() == 4 and len(made.match(1500)) == 1500
    else:
        assert made.match(1500) is None
        ranks = [np.argsort(np.argsort(some["age"])) for some in (data, after)]
        incomes = [np.argsort(np.argsort(some["income"])) for some in (data, after)]
        gaps = [np.corrcoef(a, b)[0, 1] for a, b in zip(ranks, incomes)]
        assert abs(gaps[0] - gaps[1]) < 0.08
