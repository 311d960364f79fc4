# SPDX-License-Identifier: GPL-2.0-or-later
"""l-diversity and t-closeness, against published examples and a count of everything by hand."""

import itertools

import numpy as np
import pytest

from geoanon_qgis.core.aggregation.person_values import least_in_common
from geoanon_qgis.core.aggregation.sensitive_values import evidence_of, ranks, sensitive_values
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


@pytest.mark.parametrize(
    "values, ordered, expected",
    [
        (["HIV", "hiv ", None, " ", "a  cold", "A cold"], False, [0, 0, -1, -1, 1, 1]),
        ([3.0, 1.0, float("nan"), 2.0], True, [2, 0, -1, 1]),
        ([True, False, None], False, [0, 1, -1]),
        ([], False, [-1]),
    ],
)
def test_what_differs_in_case_and_blanks_says_the_same(values, ordered, expected):
    assert ranks(values, ordered).tolist() == expected


def test_without_values_or_of_unequal_length_a_sentence_says_so():
    with pytest.raises(InputError, match="no value in any record"):
        sensitive_values("ill", np.zeros(3, int), np.full(3, -1), 1)
    with pytest.raises(InputError, match="not of the same length"):
        sensitive_values("ill", np.zeros(3, int), np.zeros(2, int), 1)


def test_printed_it_tells_of_all_records_and_of_no_value():
    said = str(sensitive_values("ill", np.repeat([0, 1], 6), np.array([0, 1] * 3 + [1] * 6), 2))
    assert "ill: at least 1 different values in a class" in said
    assert "6 of 12 records have the value that all of their class have" in said


def test_people_are_counted_where_some_have_several_records():
    """All figures by hand: the fewest values by trying all sets of values."""
    rng = np.random.default_rng(6)
    of, person, codes = rng.integers(-1, 12, 160), rng.integers(0, 9, 160), rng.integers(-1, 6, 160)
    codes = np.where(rng.random(160) < 0.3, person % 6, codes)
    found = sensitive_values("x", of, codes, 14, person=person)
    own = [
        {
            who: {int(c) for o, p, c in zip(of, person, codes) if (o, p) == (one, who) and c >= 0}
            for who in set(person[of == one].tolist())
        }
        for one in range(14)
    ]
    whole, people = np.zeros(6), 0
    several = 0
    for one, sets in enumerate(own):
        assert found.records[one] == len(sets)
        there = [values for values in sets.values() if values]
        assert found.present[one] == len(there)
        least = next(
            size
            for size in range(7)
            for some in itertools.combinations(range(6), size)
            if all(values & {*some} for values in there)
        )
        several += least < len(set().union(*there))
        assert found.distinct[one] == least
        assert found.most[one] == max((sum(v in s for s in there) for v in range(6)), default=0)
        assert found.effective[one] <= max(least, 1)
        for values in there:
            whole[list(values)] += 1 / len(values)
        people += len(there)
    assert several >= 3
    for one, sets in enumerate(own):
        there = [values for values in sets.values() if values]
        if there:
            share = np.zeros(6)
            for values in there:
                share[list(values)] += 1 / len(values) / len(there)
            assert found.distance[one] == pytest.approx(np.abs(share - whole / people).sum() / 2)
    alone = sensitive_values("x", of, codes, 14, person=np.arange(160))
    as_records = sensitive_values("x", of, codes, 14)
    for name in ("records", "present", "distinct", "most", "distance", "effective"):
        assert getattr(alone, name) == pytest.approx(getattr(as_records, name), nan_ok=True)


def test_a_value_that_everybody_has_among_others_is_known_of_all():
    """Five visits of one person with five illnesses do not hide that all of the class have the flu."""
    of, person = np.zeros(8, int), np.array([0, 0, 0, 0, 1, 2, 3, 4])
    codes = np.array([0, 1, 2, 3, 0, 0, 0, 0])
    assert sensitive_values("ill", of, codes, 1).least_distinct == 4
    found = sensitive_values("ill", of, codes, 1, person=person)
    assert (found.least_distinct, found.shared, found.guessed) == (1, 5, 1.0)
    assert evidence_of([found], 2).found == 5


def test_a_search_that_ends_early_never_promises_too_much():
    rng = np.random.default_rng(1)
    sets = [set(rng.choice(60, 3, replace=False).tolist()) for _ in range(150)]
    triples = np.array([(0, at, value) for at, one in enumerate(sets) for value in sorted(one)]).T
    (least,) = least_in_common(*triples, 1)
    left, taken = list(sets), 0  # greedily: enough, and maybe more than it takes
    while left:
        best = max(range(60), key=lambda value: sum(value in one for one in left))
        left, taken = [one for one in left if best not in one], taken + 1
    assert 5 <= least <= taken
