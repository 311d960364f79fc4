# SPDX-License-Identifier: GPL-2.0-or-later
"""The condensed form: SciPy's order, rows and pairs of it, and what is no distance matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import squareform

from geoanon_qgis.core.distances.matrix import (
    DistanceMatrix,
    check,
    check_ids,
    condensed_index,
    condensed_pair,
    condensed_size,
    records_of,
)
from geoanon_qgis.core.runtime.errors import Cancelled, InputError


def matrix_of(n, seed=1):
    rng = np.random.default_rng(seed)
    return DistanceMatrix.numbered(rng.random(condensed_size(n)) * 1000, "m")


def test_the_order_is_written_out():
    matrix = DistanceMatrix(np.array([1.0, 2, 3, 4, 5, 6]), ("a", "b", "c", "d"))
    assert matrix.square().tolist() == [[0, 1, 2, 3], [1, 0, 4, 5], [2, 4, 0, 6], [3, 5, 6, 0]]
    assert [condensed_pair(4, at) for at in range(6)] == [
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 2),
        (1, 3),
        (2, 3),
    ]


@pytest.mark.parametrize("n", [2, 3, 4, 127, 128, 129, 300])
def test_the_square_is_scipys(n):
    matrix = matrix_of(n)
    assert np.array_equal(matrix.square(), squareform(matrix.condensed))


@given(st.integers(1, 400), st.data())
def test_rows_are_rows_of_the_square(n, data):
    matrix = matrix_of(n)
    start = data.draw(st.integers(0, n))
    stop = data.draw(st.integers(start, n))
    rows = matrix.rows(start, stop)
    assert rows.shape == (stop - start, n)
    assert np.array_equal(rows, matrix.square()[start:stop])


@given(st.integers(1, 40), st.integers(0, 2**32))
def test_pairs_and_subsets_are_of_the_square(n, seed):
    rng = np.random.default_rng(seed)
    matrix, square = matrix_of(n), matrix_of(n).square()
    i, j = rng.integers(0, n, (2, 50))
    assert np.array_equal(matrix.pairs(i, j), square[i, j])
    assert np.array_equal(matrix.pairs(i[:, None], j), square[np.ix_(i, j)])
    chosen = rng.permutation(n)[: rng.integers(1, n + 1)]
    subset = matrix.subset(chosen)
    assert np.array_equal(subset.square(), square[np.ix_(chosen, chosen)])
    assert subset.ids == tuple(str(at + 1) for at in chosen) and subset.unit == "m"


@given(st.integers(2, 60_000), st.data())
def test_places_and_pairs_are_inverse(n, data):
    at = data.draw(st.integers(0, condensed_size(n) - 1))
    i, j = condensed_pair(n, at)
    assert 0 <= i < j < n
    assert condensed_index(n, np.array([i, j]), np.array([j, i])).tolist() == [at, at]
    assert records_of(condensed_size(n)) == n
    assert n < 4 or records_of(condensed_size(n) - 1) is None


def test_indices_of_small_integers_do_not_overflow():
    i, j = np.array([40_000], dtype=np.int32), np.array([60_000], dtype=np.int32)
    assert condensed_index(100_000, i, j)[0] == 40_000 * (200_000 - 40_001) // 2 + 19_999


def test_one_record_has_no_pairs():
    matrix = DistanceMatrix(np.empty(0), ("a",))
    assert len(matrix) == 1 and matrix.square().tolist() == [[0]]
    assert matrix.pairs(np.array([0]), np.array([0])).tolist() == [0]
    assert records_of(0) == 1


def test_sizes_must_fit():
    with pytest.raises(InputError, match=r"3 records have 3 pairs.*shape \(4,\)"):
        DistanceMatrix(np.zeros(4), ("a", "b", "c"))
    with pytest.raises(InputError, match="shape"):
        DistanceMatrix(np.zeros((3, 1)), ("a", "b", "c"))
    with pytest.raises(InputError, match="5 distances are not those of all pairs"):
        DistanceMatrix.numbered(np.zeros(5))
    with pytest.raises(InputError, match="twice"):
        matrix_of(4).subset([1, 1])


@pytest.mark.parametrize(
    ("value", "words"),
    [(np.nan, "no number"), (np.inf, "infinite"), (-1.5, r"negative distance \(-1.5\)")],
)
def test_what_is_no_distance_is_named_with_its_pair(value, words):
    condensed = matrix_of(5).condensed.copy()
    condensed[condensed_index(5, 1, 3)] = value
    with pytest.raises(InputError, match=f"{words}.*'2' and '4'"):
        check(DistanceMatrix.numbered(condensed))


def test_good_matrices_pass_and_checks_can_be_cancelled():
    check(matrix_of(2))

    def stop(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        check(matrix_of(2), progress=stop)


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        ([], "no records"),
        (["a"], "one record"),
        (["a", "b", "a"], r"'a' twice.*1 and 3"),
        (["a", ""], "no id for record 2"),
        (["x" * 99] * 2, r"xxx\.\.\.' twice"),
    ],
)
def test_ids_must_tell_records_apart(ids, words):
    with pytest.raises(InputError, match=words):
        check_ids(ids)
