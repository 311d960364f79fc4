# SPDX-License-Identifier: GPL-2.0-or-later
"""Coarser quasi-identifiers: each figure is that of a recount, the frontier that of all combinations."""

import itertools
from collections import Counter

import numpy as np
import pytest

from geoanon_qgis.core.aggregation.categories import Encoder
from geoanon_qgis.core.aggregation.coarsening import (
    COMBINATIONS,
    LETTERS,
    MONTH,
    OTHERS,
    QUARTER,
    WIDTH,
    YEAR,
    blank_as_missing,
    dates_by,
    ladder,
    propose,
)
from geoanon_qgis.core.aggregation.equivalence_classes import count_classes, entropy
from geoanon_qgis.core.columns import column_of


def coded(columns):
    """Codes and ladders of some columns."""
    codes, ladders = [], []
    for name, values in columns.items():
        column = column_of(name, values).narrowed()
        encoder = Encoder(name)
        codes.append(encoder.codes(column))
        ladders.append(ladder(column.kind, encoder.categories, np.bincount(codes[-1])))
    return codes, ladders


def people(count=200, seed=3):
    rng = np.random.default_rng(seed)
    return {
        "age": [None if i % 23 == 0 else int(rng.integers(18, 90)) for i in range(count)],
        "postcode": [f"{rng.integers(10, 14)}{rng.integers(100, 104)}" for _ in range(count)],
        "job": rng.choice(["a", "b", "c", "d"], count, p=[0.6, 0.2, 0.15, 0.05]).tolist(),
    }


def recounted(codes, levels, k):
    """Uniques, small, smallest, classes and bits, by a dictionary of tuples."""
    columns = [code if level is None else level.groups[code] for code, level in zip(codes, levels)]
    sizes = list(Counter(zip(*(column.tolist() for column in columns))).values())
    bits = sum(entropy(np.bincount(column)) for column in columns)
    small = sum(size for size in sizes if size < k)
    return sizes.count(1), small, min(sizes), len(sizes), pytest.approx(bits)


def figures(one):
    return one.uniques, one.small, one.smallest, one.classes, one.bits


@pytest.mark.parametrize("is_best", [True, False])
def test_every_figure_is_that_of_a_recount(is_best):
    codes, ladders = coded(people())
    classes = count_classes(np.zeros(200, np.int32), codes, 1)
    found = propose(classes, ladders, 5, most=COMBINATIONS if is_best else 0)
    assert found.is_best is is_best
    assert len(found.alone) == sum(map(len, ladders)) and found.frontier[-1].small == 0
    for one in (*found.alone, *found.frontier):
        assert figures(one) == recounted(codes, one.levels, 5)
    falling = [(one.small, one.kept) for one in found.frontier]
    assert falling == sorted(falling, reverse=True)


def test_nothing_keeps_more_detail_than_the_frontier():
    codes, ladders = coded(people())
    classes = count_classes(np.zeros(200, np.int32), codes, 1)
    found = propose(classes, ladders, 5)
    every = [
        recounted(codes, levels, 5)
        for levels in itertools.product(*([None, *of] for of in ladders))
    ]
    for one in found.frontier:
        assert one.bits == max(
            bits.expected for _, small, _, _, bits in every if small <= one.small
        )


def test_without_small_classes_nothing_is_proposed():
    codes, ladders = coded({"sex": ["f", "m"] * 10})
    found = propose(count_classes(np.zeros(20, np.int32), codes, 1), ladders, 5)
    assert found.alone == found.frontier == ()


def test_the_ladders():
    _, (ages, codes, jobs) = coded(people())
    assert [(one.how, one.size) for one in ages[:3]] == [(WIDTH, 2), (WIDTH, 5), (WIDTH, 10)]
    assert [(one.how, one.size) for one in codes[:-1]] == [(LETTERS, 4)]  # 3 say no less than 4
    assert [(one.how, one.size) for one in jobs[:-1]] == [(OTHERS, 2), (OTHERS, 1)]
    days = [f"20{year}-{month:02}-17" for year in (19, 20) for month in range(1, 13)]
    column = column_of("seen", np.array(days, dtype="M8[D]"))
    forms = ladder(column.kind, column.texts(), np.ones(24))
    assert [(one.how, len(set(one.groups.tolist()))) for one in forms][:2] == [
        (QUARTER, 8),
        (YEAR, 2),
    ]
    tenths = ladder("number", [0.1, 0.2, 0.3, 0.7], np.ones(4))
    assert [one.size for one in tenths[:-1]] == [0.2, 0.5]
    assert tenths[0].groups.tolist() == [0, 1, 1, 2]


def test_a_missing_value_stays_one():
    _, (ages, *_) = coded(people())
    for level in ages[:-1]:
        assert (level.groups == level.groups[-1]).sum() == 1  # NULL has the last code


def test_empty_text_is_missing_and_dates_are_grouped():
    column = blank_as_missing(column_of("job", ["a", "", "  ", None, "b"]))
    assert column.texts() == ["a", None, None, None, "b"]
    days = column_of("seen", np.array(["2020-02-29", "NaT", "2021-12-31"], dtype="M8[D]"))
    assert dates_by(days, QUARTER).texts() == ["2020-Q1", None, "2021-Q4"]
    assert dates_by(days, MONTH).texts() == ["2020-02", None, "2021-12"]
    assert dates_by(days, YEAR).texts() == ["2020", None, "2021"]
    numbers = column_of("age", [1, 2])
    assert dates_by(numbers, YEAR) is numbers and blank_as_missing(numbers) is numbers
