# SPDX-License-Identifier: GPL-2.0-or-later
"""Methods on coded tables: spectral ones, swapping, shuffling, histogram sanitization, noise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from geoanon_qgis.core.microdata.matrices import column_means, correlations
from geoanon_qgis.core.microdata.noise import additive_noise
from geoanon_qgis.core.microdata.shuffling import (
    data_shuffling,
    normal_correlations,
    rank_correlations,
    ranks,
    shuffled_rows,
)
from geoanon_qgis.core.microdata.spectral import (
    decompose,
    median_groups,
    spectral_rhs,
    spectral_swapping,
)
from geoanon_qgis.core.microdata.swapping import cell_swapping, recursive_histogram
from geoanon_qgis.core.microdata.utility import utility
from geoanon_qgis.core.runtime.errors import Cancelled, InputError


def correlated(rng, n=400, m=6):
    return rng.normal(size=(n, m)) @ rng.normal(size=(m, m)) + rng.normal(size=m) * 10


sizes = st.tuples(st.integers(2, 60), st.integers(1, 8), st.integers(0, 2**32 - 1))


# --- the basis -----------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(sizes, st.sampled_from(["gram", "svd", None]))
def test_the_basis_is_orthonormal_and_rebuilds_the_table(size, method):
    n, m, seed = size
    matrix = correlated(np.random.default_rng(seed), n, m)
    basis = decompose(matrix, method=method)
    r = len(basis.singular_values)
    assert r <= min(n - 1, m) and (np.diff(basis.singular_values) <= 0).all()
    assert basis.vectors.T @ basis.vectors == pytest.approx(np.eye(r), abs=1e-10)
    scale = np.abs(matrix).max()
    assert basis.rebuild(basis.scores) == pytest.approx(matrix, abs=1e-9 * scale)
    if method != "gram":
        assert basis.u.T @ basis.u == pytest.approx(np.eye(r), abs=1e-6)


@pytest.mark.parametrize("method", ["gram", "svd"])
def test_singular_values_are_numpys(rng, method):
    matrix = correlated(rng)
    expected = np.linalg.svd(matrix - matrix.mean(axis=0), full_matrices=False)
    basis = decompose(matrix, method=method)
    assert basis.singular_values == pytest.approx(expected[1], rel=1e-10)
    sign = np.sign((basis.vectors * expected[2].T).sum(axis=0))
    assert basis.vectors * sign == pytest.approx(expected[2].T, abs=1e-9)
    assert basis.u * sign == pytest.approx(expected[0], abs=1e-9)


def test_the_gram_matrix_is_left_where_it_is_not_accurate(rng):
    u = np.linalg.qr(rng.normal(size=(300, 5)))[0]
    u = np.linalg.qr(u - u.mean(axis=0))[0]
    v = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    singular = np.array([1.0, 0.5, 1e-3, 2e-8, 1e-8])
    matrix = u * singular @ v.T
    basis = decompose(matrix)
    assert basis.method == "svd"
    assert basis.singular_values == pytest.approx(singular, rel=1e-6)
    assert basis.u.T @ basis.u == pytest.approx(np.eye(5), abs=1e-6)
    # The Gram matrix alone would have mixed the last two.
    alone = decompose(matrix, method="gram")
    off = alone.u.T @ alone.u - np.eye(len(alone.singular_values))
    assert np.abs(off).max() > 1e-4
    assert decompose(matrix * np.array([1, 10, 100, 1, 1]) + rng.normal(size=(300, 5))).method == (
        "gram"
    )


def test_collinear_columns_lower_the_rank_and_stay_collinear(rng):
    matrix = rng.normal(size=(200, 3))
    matrix = np.column_stack([matrix, matrix[:, 0] - 2 * matrix[:, 2], np.full(200, 3.0)])
    basis = decompose(matrix)
    assert len(basis.singular_values) == 3
    swapped = spectral_swapping(matrix, rng)
    assert swapped[:, 3] == pytest.approx(swapped[:, 0] - 2 * swapped[:, 2], abs=1e-12)
    assert swapped[:, 4] == pytest.approx(np.full(200, 3.0), abs=1e-12)


# --- spectral swapping ---------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(sizes)
def test_each_column_of_u_is_a_permutation_of_what_it_was(size):
    n, m, seed = size
    rng = np.random.default_rng(seed)
    matrix = correlated(rng, n, m)
    basis = decompose(matrix)
    swapped = (spectral_swapping(matrix, rng) - basis.mean) @ basis.vectors
    scale = np.abs(basis.scores).max()
    for before, after in zip(basis.scores, swapped.T):
        assert np.sort(after) == pytest.approx(np.sort(before), abs=1e-9 * scale)


def test_swapping_keeps_means_and_nearly_keeps_correlations(rng):
    matrix = correlated(rng, 4_000, 8)
    swapped = spectral_swapping(matrix, rng)
    assert swapped.mean(axis=0) == pytest.approx(matrix.mean(axis=0), abs=1e-12)
    assert np.abs(correlations(swapped) - correlations(matrix)).max() < 0.08
    assert swapped.var(axis=0) == pytest.approx(matrix.var(axis=0), rel=0.1)
    assert not (swapped == matrix).all(axis=1).any()


def test_table_i_swapping_keeps_as_much_as_another_sample(rng):
    """Variances, correlations, rank correlations; spectral RHS loses variance."""
    weight = rng.normal(size=(4, 16))

    def sample():
        latent = rng.normal(size=(1_000, 4))
        table = latent @ weight + rng.normal(size=(1_000, 16))
        table[:, 10:] = np.where(table[:, 10:] > 0.5, 1.0, -1.0)
        return table

    kept, lost = [], []
    for _ in range(6):
        original = sample()
        for release, into in ((spectral_swapping(original, rng), kept), (sample(), lost)):
            measured = utility(original, release)
            into.append(
                [
                    measured.variance.median,
                    measured.correlation.median,
                    measured.rank_correlation.median,
                ]
            )
    assert (np.mean(kept, axis=0) <= 1.15 * np.mean(lost, axis=0)).all()
    averaged = utility(original, spectral_rhs(original, 5, rng)[0])
    assert 0.1 < averaged.variance.median < 0.6 and averaged.mean.largest < 1e-12


def test_swapping_is_the_products_of_permuted_columns(rng):
    """The definition, written out with NumPy's decomposition."""
    matrix = correlated(rng, 50, 4)
    basis = decompose(matrix)
    seed = 99
    permuted = basis.scores.copy()
    generator = np.random.default_rng(seed)
    for column in permuted:
        generator.shuffle(column)
    expected = (permuted.T / basis.singular_values) @ np.diag(basis.singular_values)
    expected = expected @ basis.vectors.T + matrix.mean(axis=0)
    swapped = spectral_swapping(matrix, np.random.default_rng(seed))
    assert swapped == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("n", [3, 4, pytest.param(30, marks=pytest.mark.slow)])
def test_no_record_gets_all_its_components_back(rng, n):
    """Of two columns one record on the average would, were the permutations left as they fall."""
    for _ in range(40):
        matrix = rng.normal(size=(n, 2))
        for accept in (None, lambda rows: rows[:, 0] > -1.5):
            swapped = spectral_swapping(matrix, rng, accept=accept)
            apart = np.abs(swapped[:, None] - matrix[None]).max(axis=2)
            assert apart.min() > 1e-9
            basis = decompose(matrix)
            for before, after in zip(basis.scores, ((swapped - basis.mean) @ basis.vectors).T):
                assert np.sort(after) == pytest.approx(np.sort(before), abs=1e-9)


def test_records_that_are_not_allowed_exchange_components(rng):
    angle, radius = rng.uniform(0, 2 * np.pi, 800), np.sqrt(rng.uniform(0.4, 1, 800))
    ring = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    matrix = np.column_stack([ring, rng.normal(size=(800, 2)) + ring[:, :1]])

    def accept(rows):
        return np.hypot(rows[:, 0], rows[:, 1]) <= 1

    plain = spectral_swapping(matrix, np.random.default_rng(1))
    kept = spectral_swapping(matrix, np.random.default_rng(1), accept=accept)
    assert not accept(plain).all() and accept(kept).all()
    basis = decompose(matrix)
    for before, after in zip(basis.scores, ((kept - basis.mean) @ basis.vectors).T):
        assert np.sort(after) == pytest.approx(np.sort(before), abs=1e-9)


# --- spectral RHS --------------------------------------------------------------------------------


@settings(max_examples=80, deadline=None)
@given(
    st.integers(2, 6),
    st.integers(4, 90),
    st.integers(1, 3),
    st.integers(1, 4),
    st.integers(0, 2**32 - 1),
)
def test_groups_hold_k_to_2k_records_however_many_are_tied(k, n, m, levels, seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, levels, (m, n)).astype(float)
    if n < 2 * k:
        with pytest.raises(InputError, match="fewer than 2 x"):
            median_groups(scores, k, rng)
        return
    size = np.bincount(median_groups(scores, k, rng))
    assert size.min() >= k and size.max() <= 2 * k and size.sum() == n


def brute_groups(scores, rows, k):
    """Figure 1, by recursion; without ties."""
    if len(rows) <= 2 * k:
        return [sorted(rows)]
    inside = scores[:, rows]
    column = int(np.argmax(inside.max(axis=1) - inside.min(axis=1)))
    ordered = [rows[i] for i in np.argsort(inside[column])]
    half = len(rows) // 2
    return brute_groups(scores, ordered[:half], k) + brute_groups(scores, ordered[half:], k)


@pytest.mark.parametrize(("n", "k"), [(4, 2), (37, 3), (200, 5), (331, 4)])
def test_groups_are_those_of_the_recursion(rng, n, k):
    scores = rng.normal(size=(4, n)) * np.array([[3.0], [2.0], [1.5], [0.5]])
    group = median_groups(scores, k, rng)
    found = sorted(np.flatnonzero(group == g).tolist() for g in range(group.max() + 1))
    assert found == sorted(brute_groups(scores, list(range(n)), k))


def test_rhs_replaces_records_by_the_mean_of_their_group(rng):
    matrix = correlated(rng, 150, 5)
    result, group = spectral_rhs(matrix, 5, rng)
    for g in range(group.max() + 1):
        inside = group == g
        assert result[inside] == pytest.approx(
            np.tile(matrix[inside].mean(axis=0), (inside.sum(), 1)), abs=1e-10
        )
        assert (result[inside] == result[inside][0]).all()
    assert result.mean(axis=0) == pytest.approx(matrix.mean(axis=0), abs=1e-12)
    assert (result.var(axis=0) < matrix.var(axis=0)).all()


# --- plain RHS -----------------------------------------------------------------------------------


def brute_cells(matrix, rows, k):
    """Split every column at its median at once; recurse where more than 2k are together."""
    inside = matrix[rows]
    median = np.median(inside, axis=0)
    full = median >= inside.max(axis=0)
    side = np.where(full, inside >= median, inside > median)
    cells = {}
    for row, bits in zip(rows, map(tuple, side)):
        cells.setdefault(bits, []).append(row)
    if len(cells) == 1:
        return [sorted(rows)]
    return [
        found
        for cell in cells.values()
        for found in (brute_cells(matrix, cell, k) if len(cell) > 2 * k else [sorted(cell)])
    ]


@pytest.mark.parametrize(("m", "levels"), [(1, 1000), (2, 1000), (3, 3), (10, 2), (2, 1)])
def test_cells_are_those_of_the_recursion(rng, m, levels):
    matrix = rng.integers(0, levels, (300, m)).astype(float)
    result, cell = recursive_histogram(matrix, 3)
    found = sorted(np.flatnonzero(cell == c).tolist() for c in range(cell.max() + 1))
    assert found == sorted(brute_cells(matrix, list(range(300)), 3))
    for rows in found:
        mean = matrix[rows].mean(axis=0)
        assert result[rows] == pytest.approx(np.tile(mean, (len(rows), 1)))


def test_in_many_columns_nearly_everybody_is_alone(rng):
    _, cell = recursive_histogram(rng.normal(size=(1_000, 28)), 5)
    assert (np.bincount(cell) == 1).sum() >= 990


# --- swapping and shuffling ----------------------------------------------------------------------


@pytest.mark.parametrize("method", [cell_swapping, data_shuffling])
def test_univariate_distributions_stay_exactly(rng, method):
    matrix = correlated(rng)
    matrix[:, 1] = np.round(matrix[:, 1])
    matrix[:, 2] = np.sign(matrix[:, 2] - matrix[:, 2].mean())
    result = method(matrix, rng)
    assert (np.sort(result, axis=0) == np.sort(matrix, axis=0)).all()
    assert not (result == matrix).all(axis=1).any()


def test_cell_swapping_destroys_correlations_and_shuffling_keeps_rank_correlations(rng):
    matrix = np.exp(correlated(rng, 5_000, 4) / 10)
    off = ~np.eye(4, dtype=bool)
    before = rank_correlations(matrix)
    assert np.abs(rank_correlations(cell_swapping(matrix, rng))[off]).max() < 0.06
    assert np.abs(rank_correlations(data_shuffling(matrix, rng)) - before).max() < 0.06
    assert np.abs(before[off]).max() > 0.2


def test_dummies_of_a_variable_move_together(rng):
    category = rng.choice(4, 500, p=[0.5, 0.3, 0.19, 0.01])
    dummies = np.where(category[:, None] == np.arange(4), 1.0, -1.0)
    number = category + rng.normal(size=500)
    matrix = np.column_stack([number, dummies])
    blocks = [slice(0, 1), slice(1, 5)]
    for method in (cell_swapping, data_shuffling):
        result = method(matrix, rng, blocks=blocks)
        assert (result[:, 1:].sum(axis=1) == -2).all()
        assert (result[:, 1:].sum(axis=0) == dummies.sum(axis=0)).all()
    # Shuffling keeps that high numbers go with high categories.
    assert stats.spearmanr(result[:, 0], result[:, 1:].argmax(axis=1))[0] > 0.3


def test_a_number_that_may_be_missing_keeps_both_its_columns(rng):
    value, absent = rng.normal(size=400), rng.random(400) < 0.2
    value[absent] = 0.0
    other = np.where(absent, -3.0, 0.0) + value + 0.2 * rng.normal(size=400)
    matrix = np.column_stack([value, np.where(absent, 1.0, -1.0), other])
    result = data_shuffling(matrix, rng, blocks=[slice(0, 2), slice(2, 3)])
    assert sorted(map(tuple, result[:, :2])) == sorted(map(tuple, matrix[:, :2]))
    there = result[:, 1] < 0
    assert np.corrcoef(result[there, 0], result[there, 2])[0, 1] > 0.5
    rows = shuffled_rows(matrix, rng, blocks=[slice(0, 2), slice(2, 3)])
    assert all(sorted(row) == list(range(400)) for row in rows)


def test_ranks_and_their_correlations_are_scipys(rng):
    matrix = np.round(correlated(rng, 300, 5))
    for column, ranked in zip(matrix.T, ranks(matrix).T):
        assert ranked.tolist() == stats.rankdata(column).tolist()
    assert rank_correlations(matrix) == pytest.approx(stats.spearmanr(matrix)[0], abs=1e-12)


def test_normal_correlations_have_the_rank_correlations_asked_for():
    assert normal_correlations(np.array([[1, 0.5], [0.5, 1]]))[0, 1] == pytest.approx(0.5176381)
    wild = np.array([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])
    mended = normal_correlations(wild)
    assert np.linalg.eigvalsh(mended).min() > -1e-12 and np.diag(mended) == pytest.approx(1)
    assert np.isfinite(normal_correlations(np.full((2, 2), np.nan))).all()


# --- noise ---------------------------------------------------------------------------------------


def test_noise_keeps_means_exactly_and_covariances_on_the_average(rng):
    matrix = correlated(rng, 20_000, 4)
    noisy = additive_noise(matrix, 0.1, rng)
    assert noisy.mean(axis=0) == pytest.approx(matrix.mean(axis=0), abs=1e-12)
    assert np.cov(noisy.T) == pytest.approx(np.cov(matrix.T), rel=0.05, abs=0.1)
    # What is left after shrinking is b times the covariance over 1 + b.
    mean = matrix.mean(axis=0)
    left = noisy - mean - (matrix - mean) / np.sqrt(1.1)
    assert np.cov(left.T) == pytest.approx(np.cov(matrix.T) * 0.1 / 1.1, rel=0.06, abs=0.01)


def test_noise_on_collinear_columns_stays_collinear(rng):
    matrix = rng.normal(size=(100, 2))
    noisy = additive_noise(np.column_stack([matrix, matrix.sum(axis=1)]), 0.1, rng)
    assert noisy[:, 2] == pytest.approx(noisy[:, 0] + noisy[:, 1], abs=1e-7)


@pytest.mark.parametrize("b", [0, -1, np.nan, np.inf])
def test_noise_must_be_some(rng, b):
    with pytest.raises(InputError, match="share of noise"):
        additive_noise(correlated(rng), b, rng)


# --- bad input, progress -------------------------------------------------------------------------


def all_methods(matrix, rng, progress=lambda fraction: None):
    yield lambda: spectral_swapping(matrix, rng, progress)
    yield lambda: spectral_rhs(matrix, 2, rng, progress)
    yield lambda: cell_swapping(matrix, rng, progress)
    yield lambda: recursive_histogram(matrix, 2, progress)
    yield lambda: data_shuffling(matrix, rng, progress)
    yield lambda: additive_noise(matrix, 0.1, rng, progress)


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        (np.ones((1, 3)), "fewer than two"),
        (np.ones((0, 3)), "fewer than two"),
        (np.ones((5, 0)), "at least one column"),
        (np.ones(5), "at least one column"),
        (np.array([[1.0], [np.nan]]), "missing"),
        (np.array([[1.0], [np.inf]]), "missing"),
    ],
)
def test_bad_matrices_are_refused(rng, matrix, said):
    for method in all_methods(matrix, rng):
        with pytest.raises(InputError, match=said):
            method()


def test_constants_alone_are_refused(rng):
    with pytest.raises(InputError, match="constant"):
        spectral_swapping(np.full((10, 2), 0.1), rng)


@pytest.mark.parametrize("k", [1, 0, -3])
def test_k_must_protect(rng, k):
    with pytest.raises(InputError, match="protect nobody"):
        spectral_rhs(correlated(rng), k, rng)


def test_fewer_rows_than_columns(rng):
    matrix = rng.normal(size=(6, 9))
    for method in all_methods(matrix, rng):
        result = method()
        result = result[0] if isinstance(result, tuple) else result
        assert result.shape == (6, 9)
        assert result.mean(axis=0) == pytest.approx(matrix.mean(axis=0), abs=1e-12)


def test_progress_rises_and_a_cancel_comes_through(rng):
    matrix = correlated(rng, 3_000, 5)
    told = []
    for method in all_methods(matrix, rng, told.append):
        told.clear()
        method()
        assert len(told) >= 5 and min(told) >= 0 and max(told) <= 1 + 1e-12

    def stop(fraction):
        if fraction > 0.1:
            raise Cancelled

    for method in all_methods(matrix, rng, stop):
        with pytest.raises(Cancelled):
            method()


def test_means_are_exact_far_from_zero(rng):
    matrix = rng.normal(size=(10_000, 3)) + 1e9
    exact = [float(np.sum(column.astype(np.longdouble)) / 10_000) for column in matrix.T]
    assert column_means(matrix) == pytest.approx(exact, rel=1e-16)
