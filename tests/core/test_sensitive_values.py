# SPDX-License-Identifier: GPL-2.0-or-later
"""l-diversity and t-closeness, against published examples and a count of everything by hand."""

import numpy as np
import pytest

from geoanon_qgis.core.aggregation.sensitive_values import evidence_of, sensitive_values
from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.verdict import DO_NOT_RELEASE, RELEASE_WITH_CARE, judge


def test_the_example_of_li_li_and_venkatasubramanian():
    """Salaries of 3k to 11k: classes of 3k, 4k, 5k and of 6k, 8k, 11k are .375 and .167 away."""
    codes = np.array([0, 1, 2, 3, 5, 8, 4, 6, 7])
    found = sensitive_values("salary", np.repeat([0, 1, 2], 3), codes, 3, ordered=True)
    assert found.distance[:2] == pytest.approx([0.375, 1 / 6])
    assert found.distinct.tolist() == [3, 3, 3] and found.effective == pytest.approx([3, 3, 3])


@pytest.mark.parametrize("ordered", [False, True])
def test_every_figure_is_that_of_a_count_by_hand(ordered):
    rng = np.random.default_rng(4)
    of = rng.integers(-1, 20, 300)
    codes = rng.integers(-1, 9, 300) * 3  # with codes that nobody has
    codes[codes < 0] = -1
    found = sensitive_values("x", of, codes, 22, ordered)
    values = sorted(set(codes[(codes >= 0) & (of >= 0)].tolist()))
    whole = np.array([((codes == v) & (of >= 0)).sum() for v in values], dtype=float)
    whole /= whole.sum()
    for one in range(22):
        count = np.array([((codes == v) & (of == one)).sum() for v in values], dtype=float)
        assert found.records[one] == (of == one).sum() and found.present[one] == count.sum()
        assert found.distinct[one] == (count > 0).sum() and found.most[one] == count.max()
        if not count.sum():
            assert np.isnan(found.distance[one])
            continue
        share = count / count.sum()
        gap = share - whole
        distance = np.abs(np.cumsum(gap))[:-1].mean() if ordered else np.abs(gap).sum() / 2
        assert found.distance[one] == pytest.approx(distance, abs=1e-12)
        there = share[share > 0]
        assert found.effective[one] == pytest.approx(2 ** -(there * np.log2(there)).sum())
    assert found.commonest == whole.max()
    assert found.guessed == found.most.sum() / found.present.sum()


def test_a_class_that_shares_one_value_is_not_to_be_released():
    of = np.repeat([0, 1], 6)
    same = sensitive_values("ill", of, np.array([0, 1] * 3 + [1] * 6), 2)
    assert (same.least_distinct, same.shared) == (1, 6)
    evidence = evidence_of([same], 2)
    assert (evidence.found, evidence.people) == (6, 12)
    assert judge([evidence], "quasi_identifiers", "attribute").decision == DO_NOT_RELEASE
    assert (
        judge([evidence_of([same], 1)], "quasi_identifiers", "attribute").decision
        == RELEASE_WITH_CARE
    )
    mixed = sensitive_values("ill", of, np.array([0, 1] * 6), 2)
    assert evidence_of([mixed], 2, 0.0).found == 0 and mixed.farthest == 0
    assert evidence_of([same], 1, 0.2).found == 12  # .25 away, either of them
    assert evidence_of([mixed, same], 2).found == 6


def test_missing_values_hide_nobody():
    """Of six, one has the illness and five have no value: whoever has one has this one."""
    of, codes = np.repeat([0, 1], 6), np.array([-1] * 5 + [1] + [0, 1] * 3)
    found = sensitive_values("ill", of, codes, 2)
    assert found.distinct.tolist() == [1, 2] and found.shared == 1
    assert evidence_of([found], 2).found == 6 and found.breaking(2).tolist() == [True, False]


def test_without_values_or_of_unequal_length_a_sentence_says_so():
    with pytest.raises(InputError, match="no value in any record"):
        sensitive_values("ill", np.zeros(3, int), np.full(3, -1), 1)
    with pytest.raises(InputError, match="not of the same length"):
        sensitive_values("ill", np.zeros(3, int), np.zeros(2, int), 1)


def test_printed_it_tells_of_all_records_and_of_no_value():
    said = str(sensitive_values("ill", np.repeat([0, 1], 6), np.array([0, 1] * 3 + [1] * 6), 2))
    assert "ill: at least 1 different values in a class" in said
    assert "6 of 12 records have the value that all of their class have" in said
