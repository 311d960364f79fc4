# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts left out of tables that add up, against every table that could be."""

import itertools

import numpy as np
import pytest

from geoanon_qgis.core.aggregation.count_tables import nested_table
from geoanon_qgis.core.aggregation.rates import rates
from geoanon_qgis.core.aggregation.suppression import checked, suppress
from geoanon_qgis.core.runtime.errors import InputError


def sums(leaves, levels):
    """All cells of a table, in the order of nested_table, by loops."""
    leaves = np.asarray(leaves)
    size, categories = leaves.shape
    found = []
    for unit in [np.zeros(size, int), *levels, np.arange(size)]:
        for one in range(unit.max() + 1):
            row = leaves[unit == one].sum(axis=0).tolist()
            found += row if categories == 1 else [*row, sum(row)]
    return found


def possible(counts, people, levels, hidden, zeros, k):
    """Every table that agrees with what is published, cell by cell."""
    true = np.array(sums(counts, levels))
    living = np.array(sums(people, levels))
    if counts.shape[1] > 1:  # one number of people for all categories
        living = living.reshape(-1, counts.shape[1] + 1)[:, [0]].repeat(counts.shape[1] + 1, 1)
        living = living.ravel()
    least = np.where((living < k) | (not zeros), 0, 1)
    ranges = [range(int(most) + 1) for most in people.ravel()]
    found = []
    for leaves in itertools.product(*ranges):
        cells = np.array(sums(np.reshape(leaves, counts.shape), levels))
        top = counts.shape[1] if counts.shape[1] > 1 else 0
        if hidden[top] and true[top] < k <= cells[top]:
            continue  # a whole that is left out is small
        if (cells == true)[~hidden].all() and ((cells >= least) & (cells <= living))[hidden].all():
            found.append(cells)
    return np.array(found), living, least


def scenes():
    rng = np.random.default_rng(5)
    for number in range(32):
        categories = 1 if number % 3 else 2
        size = int(rng.integers(2, 5 if categories == 1 else 4))
        people = rng.integers(0, 8 if categories == 1 else 4, (size, 1))
        people = people.repeat(categories, 1)
        counts = rng.binomial(people, rng.uniform(0.2, 0.9) / categories)
        if categories > 1:
            counts[:, 1] = np.minimum(counts[:, 1], people[:, 0] - counts[:, 0])
        units = np.sort(rng.integers(0, 2, size))
        levels = [np.unique(units, return_inverse=True)[1]] if number % 2 else []
        yield counts, people, levels, bool(number % 4 < 3), int(rng.integers(2, 4))


def together(table, hidden):
    """Which hidden cells hang together by sums, by repeated joining."""
    group = np.arange(len(table))
    dense = table.relations.toarray() != 0
    for _ in range(len(table)):
        for row in dense:
            members = np.flatnonzero(row & hidden)
            if len(members):
                group[members] = group[members].min()
    return group


@pytest.fixture(scope="module")
def played():
    found = []
    for counts, people, levels, zeros, k in scenes():
        table = nested_table(counts, people[:, :1], levels)
        done = suppress(table, k, zeros)
        found.append(
            (table, done, *possible(counts, people, levels, done.hidden, zeros, k), k, zeros)
        )
    return found


def test_the_table_adds_up_as_by_loops():
    for counts, people, levels, _, _ in scenes():
        table = nested_table(counts, people[:, :1], levels)
        assert table.counts.tolist() == sums(counts, levels)
        assert not (table.relations @ table.counts).any()


def test_intervals_are_those_of_all_tables_that_could_be(played):
    seen = 0
    for _, done, tables, *_ in played:
        assert len(tables)
        for cell in np.flatnonzero(done.hidden):
            values = np.unique(tables[:, cell])
            assert (done.low[cell], done.high[cell]) == (values[0], values[-1])
            assert len(values) == values[-1] - values[0] + 1  # none between is impossible
            seen += 1
        shown = ~done.hidden
        assert (done.low == done.high)[shown].all()
    assert seen > 150


def test_what_is_guarded_is_so_by_enumeration(played):
    guarded = several = 0
    for table, done, tables, living, least, k, _ in played:
        true, group = table.counts, together(table, done.hidden)
        for cell in np.flatnonzero(done.small):
            values = np.unique(tables[:, cell])
            below = living[cell] < k or true[cell] < k
            most = min(k, living[cell])
            holds = len(values) >= min(k, living[cell] - least[cell] + 1)
            if below:
                holds &= values[-1] >= most
            if 0 < true[cell] and living[cell] - true[cell] < k:
                holds &= values[0] <= max(least[cell], living[cell] - k)
            others = np.flatnonzero(done.hidden & (group == group[cell]))
            others = others[others != cell]
            if below and living[cell] >= k:  # who knows that another one must be small
                small = (tables[:, others] < k).any(axis=1) | (living[others] < k).any()
                holds &= bool((small & (tables[:, cell] >= most)).any())
            assert done.guarded[cell] == holds
            guarded += holds
            several += not holds
    assert guarded > 40 and several > 5  # some cannot be guarded in tables as small


def test_every_small_count_is_left_out_and_nothing_that_is_no_secret(played):
    for table, done, _, living, _, k, zeros in played:
        small = (table.counts < k) & ((table.counts > 0) | (not zeros))
        assert done.hidden[small & (living > 0)].all()
        assert not done.hidden[living == 0].any()
        if zeros:
            assert not done.hidden[(table.counts == 0) & (living >= k)].any()


def test_nothing_that_protects_can_be_published_again(played):
    """Each of the others is needed: without it a small count is guarded no more."""
    needed = 0
    for table, done, _, _, _, k, zeros in played:
        if not done.guarded[done.small].all():
            continue
        for cell in np.flatnonzero(done.hidden & ~done.small):
            hidden = done.hidden.copy()
            hidden[cell] = False
            assert not checked(table, k, zeros, hidden).guarded[done.small].all()
            needed += 1
    assert needed > 3


def test_what_is_not_guarded_cannot_be(played):
    """Not even if everything is left out that may be."""
    for table, done, _, living, _, k, zeros in played:
        free = (living > 0) & ((table.counts > 0) | (not zeros) | (living < k))
        most = checked(table, k, zeros, free)
        assert not most.guarded[done.unguarded].any()


def test_primary_suppression_alone_gives_small_counts_away():
    """A planted leak: three areas in a region, one small, everything else published."""
    table = nested_table(
        np.array([[3], [20], [30], [40]]), np.full((4, 1), 500), [np.array([0, 0, 1, 1])]
    )
    naive = checked(table, 5, True, table.counts < 5)
    cell = int(np.flatnonzero(table.counts == 3)[0])
    assert (naive.low[cell], naive.high[cell]) == (3, 3)
    assert naive.evidence.failed and naive.unguarded.tolist() == [cell]
    done = suppress(table, 5)
    assert not done.evidence.failed and done.evidence.found == 0
    assert done.hidden.sum() == 2 and done.high[cell] >= 5


def test_a_second_small_count_that_adds_up_to_less_than_k_is_not_enough():
    table = nested_table(
        np.array([[1], [2], [30], [40]]), np.full((4, 1), 500), [np.array([0, 0, 0, 0])]
    )
    done = suppress(table, 5)
    cells = np.flatnonzero(done.small)
    assert (done.high[cells] >= 5).all() and done.hidden.sum() >= 3


def test_where_few_live_others_are_left_out_with_all_that_it_takes():
    """Two cases among six, who cannot be many: another area has to be able to be the small one."""
    counts = np.array([[71, 61], [42, 26], [0, 2], [31, 34], [24, 19], [14, 13], [14, 22]])
    people = np.array([[1693], [977], [6], [1042], [507], [320], [570]])
    table = nested_table(counts, people, [np.array([0, 0, 0, 0, 0, 1, 1])])
    assert not len(checked(table, 3, True, table.counts > 0).unguarded)  # so it can be done
    done = suppress(table, 3)
    assert not len(done.unguarded) and done.hidden.sum() < (table.counts > 0).sum() / 2
    # Beside it only one that is too large for that: it takes another unit.
    counts = np.array([[70], [15], [4], [96], [62], [37], [9], [31]])
    people = np.array([[735], [151], [35], [747], [628], [303], [79], [370]])
    table = nested_table(counts, people, [np.array([0, 0, 1, 1, 2, 2, 2, 2])])
    assert not len(checked(table, 5, True, table.counts > 0).unguarded)
    assert not len(suppress(table, 5).unguarded)


def test_bad_counts_are_refused():
    people = np.full((2, 1), 9.0)
    for counts, said in (
        ([1.5, 2], "not whole"),
        ([-1, 2], "negative"),
        ([np.nan, 2], "not whole"),
        ([10, 2], "more cases than people"),
        ([], "no areas"),
    ):
        with pytest.raises(InputError, match=said):
            nested_table(np.array(counts), people[: len(counts)])


def test_rates_have_garwoods_intervals():
    """Against the chi-squared form, and sums of Poisson probabilities."""
    from scipy.stats import chi2, poisson

    cases, people = np.array([0, 1, 7, 120]), np.array([1000.0, 2000, 0, 1e6])
    rate, low, high = rates(cases, people, 1000)
    assert rate[:2].tolist() == [0, 0.5] and np.isnan([rate[2], low[2], high[2]]).all()
    for at in (1, 3):
        scale = 1000 / people[at]
        assert np.isclose(low[at], chi2.ppf(0.025, 2 * cases[at]) / 2 * scale)
        assert np.isclose(poisson.sf(cases[at] - 1, low[at] / scale), 0.025)
        assert np.isclose(poisson.cdf(cases[at], high[at] / scale), 0.025)
    assert low[0] == 0 and np.isclose(high[0], -np.log(0.025))
