# SPDX-License-Identifier: GPL-2.0-or-later
"""Equivalence classes against a dictionary; encoders against what they were given."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.aggregation import bins
from geoanon_qgis.core.aggregation.bins import binned
from geoanon_qgis.core.aggregation.categories import Encoder, region_encoder, warnings_about
from geoanon_qgis.core.aggregation.equivalence_classes import (
    ClassCounter,
    anonymity,
    classes_of,
    count_classes,
    entropy,
    max_combs,
)
from geoanon_qgis.core.runtime.errors import InputError


def bin_edges(values, groups):
    counted = bins.ValueCounts()
    counted.add(values)
    return counted.edges(groups)


def as_dictionary(classes):
    counts = classes.counts.tocoo()
    return {
        (int(region), tuple(classes.codes[number].tolist())): int(count)
        for region, number, count in zip(counts.row, counts.col, counts.data)
    }


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 9))
def test_people_count_once_in_a_class_and_never_more_in_any_area(seed, records, people):
    rng = np.random.default_rng(seed)
    region, person = rng.integers(-1, 4, records), rng.integers(0, people, records)
    region[0] = 2
    codes = [rng.integers(0, 3, records)]
    counter = ClassCounter(4, 1)
    for rows in (slice(0, records // 2), slice(records // 2, None)):
        counter.add(region[rows], [codes[0][rows]], person[rows])
    classes = counter.finish()
    area = rng.integers(0, 2, 4)
    rows = [row for row in zip(region.tolist(), codes[0].tolist(), person.tolist()) if row[0] >= 0]
    first = {(c, p): r for r, c, p in reversed(rows)}
    assert as_dictionary(classes) == Counter((r, (c,)) for (c, _), r in first.items())
    anywhere = Counter((int(a), (c,)) for a, c, _ in {(area[r], c, p) for r, c, p in rows})
    summed = Counter()
    for (r, c), number in as_dictionary(classes).items():
        summed[int(area[r]), c] += number
    assert all(number <= anywhere[key] for key, number in summed.items())
    assert classes.of_people and classes.unknown == (region < 0).sum()
    assert classes.record_class.tolist() == [
        int(np.flatnonzero(classes.codes[:, 0] == c)[0]) if r >= 0 else -1
        for r, c in zip(region, codes[0])
    ]


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(1, 60), st.integers(1, 7))
def test_counts_are_those_of_a_dictionary_whatever_the_chunks(seed, q, records, step):
    rng = np.random.default_rng(seed)
    region = rng.integers(-1, 4, records)
    region[0] = 2
    codes = [rng.integers(0, rng.integers(1, 40), records) for _ in range(q)]
    counter = ClassCounter(4, q)
    for start in range(0, records, step):
        counter.add(region[start : start + step], [c[start : start + step] for c in codes])
    classes = counter.finish()
    rows = list(zip(*(column.tolist() for column in codes)))
    expected = Counter((int(r), row) for r, row in zip(region, rows) if r >= 0)
    assert as_dictionary(classes) == expected
    assert classes.unknown == (region < 0).sum()
    assert classes.records + classes.unknown == records
    assert classes.population.tolist() == [int((region == r).sum()) for r in range(4)]
    assert classes.categories == tuple(int(c.max()) + 1 for c in codes)
    for at in np.flatnonzero(region >= 0):
        assert tuple(classes.codes[classes.record_class[at]].tolist()) == rows[at]
    assert (classes.record_class[region < 0] == -1).all()
    assert classes.sizes.sum() == classes.records
    smallest = [min((n for (r, _), n in expected.items() if r == at), default=0) for at in range(4)]
    assert anonymity(classes.counts).tolist() == smallest


def test_many_combinations_are_sorted_not_tabled(rng):
    codes = [rng.integers(0, 5_000, 300) for _ in range(3)]
    classes = count_classes(np.zeros(300, int), codes, 1)
    assert classes.max_combs > 2**31
    assert len(classes.codes) == len(set(zip(*(c.tolist() for c in codes))))
    assert (classes.codes[classes.record_class] == np.stack(codes, axis=1)).all()


def test_declared_categories_count_for_max_combs():
    classes = count_classes([0, 0], [[0, 1], [1, 1]], 1, [5, None])
    assert classes.categories == (5, 2)
    assert classes.max_combs == 10


def test_max_combs_and_entropy_by_hand():
    assert max_combs([2, 3, 7]) == 42
    # Sizes 4, 2, 1, 1 of 8 records: 1/2 * 1 + 1/4 * 2 + 2 * 1/8 * 3 = 1.75 bits.
    assert entropy(np.array([4, 2, 1, 1, 0])) == 1.75
    # The paper's sum over sizes: n_1 = 2, n_2 = 1, n_4 = 1.
    by_size = -sum(n * (s / 8) * np.log2(s / 8) for s, n in {1: 2, 2: 1, 4: 1}.items())
    assert by_size == 1.75
    assert entropy(np.array([9])) == 0.0
    assert entropy(np.array([])) == 0.0


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: ClassCounter(0, 1), "no regions"),
        (lambda: ClassCounter(1, 0), "quasi-identifier"),
        (lambda: ClassCounter(1, 1).finish(), "no records"),
        (lambda: count_classes([1], [[0]], 1), "not there"),
        (lambda: count_classes([0], [[-1]], 1), "negative"),
        (lambda: count_classes([0], [[0, 1]], 1), "same length"),
        (lambda: count_classes([0], [[3]], 1, [3]), "declared"),
        (lambda: count_classes([0], [[3]], 1, [4, 4]), "Declare"),
        (lambda: count_classes([-1, -1], [[0, 1]], 1), "No record lies in a region"),
        (
            lambda: ClassCounter(1, 3).add(np.zeros(2, int), [np.array([0, 2**31])] * 3),
            "too many combinations",
        ),
        (lambda: ClassCounter(1, 2).add(np.array([0]), [np.array([0])]), "2 quasi-identifiers"),
    ],
)
def test_bad_input_is_told(act, message):
    with pytest.raises(InputError, match=message):
        act()


# --- Encoders ---------------------------------------------------------------------------------

KINDS = (
    ["a", "bb", "a much longer text than eight bytes", "", "\u00e9t\u00e9"],
    [b"a", b"bb", b"a much longer text than eight bytes", b""],
    [3, -7, 2**40, 0],
    [1, 2, 5],
    [0.5, -2.25, 1e300],
    [True, False],
)


@pytest.mark.parametrize("values", KINDS)
@pytest.mark.parametrize("runs", [1, 20])
@pytest.mark.parametrize("boxed", [False, True])
def test_codes_lead_back_to_the_values(values, runs, boxed, rng):
    encoder = Encoder("field")
    drawn = np.repeat(rng.integers(0, len(values), 300), runs)
    column = np.array(values)[drawn]
    step = 37
    pieces = [column[start : start + step] for start in range(0, len(column), step)]
    if boxed:
        pieces = [np.array(piece.tolist(), dtype=object) for piece in pieces]
    codes = np.concatenate([encoder.encode(piece) for piece in pieces])
    plain = [v.decode() if isinstance(v, bytes) else v for v in values]
    assert [encoder.categories[code] for code in codes] == [plain[at] for at in drawn]
    assert len(encoder.categories) == len(set(drawn.tolist()))


def test_null_is_a_category_or_refused():
    encoder = Encoder("age")
    codes = encoder.encode(np.array([1.0, np.nan, 2.0, np.nan]))
    assert encoder.categories == (1.0, 2.0, None)
    assert codes.tolist() == [0, 2, 1, 2]
    assert encoder.null_count == 2
    boxed = Encoder("age").encode(np.array(["x", None, "x"], dtype=object))
    assert boxed.tolist() == [0, 1, 0]
    masked = Encoder("age").encode(np.array([4, 0, 4]), np.array([False, True, False]))
    assert masked.tolist() == [0, 1, 0]
    with pytest.raises(InputError, match="age is NULL"):
        Encoder("age", nulls=False).encode(np.array([np.nan]))


def test_declared_categories_keep_their_order_and_refuse_others():
    encoder = Encoder("sex", ["m", "f", "x"])
    assert encoder.encode(np.array([b"f", b"m"])).tolist() == [1, 0]
    with pytest.raises(InputError, match="value q"):
        encoder.encode(np.array(["q"]))
    with pytest.raises(InputError, match="twice"):
        Encoder("sex", ["m", "m"])


def test_region_ids_are_rows_and_unknown_ones_minus_one():
    text = region_encoder(["b", "a", "c"])
    assert text.encode(np.array(["a", "z", "c", "b"])).tolist() == [1, -1, 2, 0]
    assert text.encode(np.array([b"a", b"zz" * 9, b"c"])).tolist() == [1, -1, 2]
    assert text.encode(np.array(["a", None], dtype=object)).tolist() == [1, -1]
    number = region_encoder([10, 30, 20])
    assert number.encode(np.array([20, 10, 11, -5, 2**50])).tolist() == [2, 0, -1, -1, -1]
    # A number field against text ids and the other way round: CSV tables have text only.
    assert region_encoder(["10", "30"]).encode(np.array([30, 7])).tolist() == [1, -1]
    assert number.encode(np.array(["30", "9"])).tolist() == [1, -1]


def test_duplicate_and_missing_region_ids_are_refused():
    with pytest.raises(InputError, match="more than once, such as 7"):
        region_encoder([7, 8, 7])
    with pytest.raises(InputError, match="no id"):
        region_encoder(np.array(["a", None], dtype=object))


def test_numbers_and_text_do_not_mix():
    encoder = Encoder("age")
    encoder.encode(np.array([1, 2]))
    with pytest.raises(InputError, match="text in others"):
        encoder.encode(np.array(["old"]))


def test_binning_by_hand():
    values = np.array([0.0, 4.9, 5.0, 10.0, np.nan])
    assert binned(values, [0, 5, 10])[:4].tolist() == [0, 0, 1, 1]
    assert np.isnan(binned(values, [0, 5, 10])[4])
    assert bin_edges(np.arange(101.0), 4).tolist() == [-np.inf, 25, 50, 75, np.inf]
    assert bin_edges(np.array([3.0, 3.0]), 4).tolist() == [-np.inf, np.inf]
    with pytest.raises(InputError, match="outside the groups, which go from 0 to 5"):
        binned(values, [0, 5])
    assert binned(values, [-np.inf, 5, np.inf])[:4].tolist() == [0, 0, 1, 1]
    endless = np.array([np.inf, 1.0, 2.0, 3.0, -np.inf, np.nan])
    assert bin_edges(endless, 2).tolist() == [-np.inf, 2, np.inf]
    with pytest.raises(InputError, match="at least one value"):
        bin_edges(np.array([np.inf, np.nan]), 2)
    with pytest.raises(InputError, match="ascending"):
        binned(values, [5, 5])


def test_warnings_name_what_explodes():
    assert warnings_about(["sex"], [2], 1_000) == []
    told = warnings_about(["income", "sex"], [4_000, 2], 5_000)
    assert "income has 4,000 categories" in told[0]
    assert "8,000 combinations for 5,000 records" in told[1]


@pytest.mark.parametrize("columns", [3, 30, 70])
def test_any_number_of_quasi_identifiers_can_be_counted_at_once(columns):
    """More combinations than keys of 64 bits hold."""
    rng = np.random.default_rng(columns)
    codes = [rng.integers(0, 9, 60) for _ in range(columns)]
    codes = [np.concatenate([column, column[:25], [8]]) for column in codes]
    region = rng.integers(0, 3, 86)
    found = count_classes(region, codes, 3)
    rows, of_row, sizes = np.unique(
        np.stack(codes, axis=1), axis=0, return_inverse=True, return_counts=True
    )
    assert (found.codes == rows).all() and found.sizes.tolist() == sizes.tolist()
    assert (found.record_class == of_row.ravel()).all() and found.max_combs == 9**columns
    assert found.population.tolist() == np.bincount(region, minlength=3).tolist()
    of_record, first = classes_of(codes)
    assert (of_record == of_row.ravel()).all()
    assert (np.stack(codes, axis=1)[first] == rows).all()
    with pytest.raises(InputError, match="Declare"):
        count_classes(region, codes, 3, [5] * columns)


@given(st.integers(0, 2**32 - 1), st.sampled_from([10**3, 10**9, 2**62]))
def test_ids_far_apart_are_found_and_strangers_are_not(seed, most):
    rng = np.random.default_rng(seed)
    ids = np.unique(rng.integers(-most, most, 500))
    rng.shuffle(ids)
    asked = np.concatenate([rng.choice(ids, 300), rng.integers(-most, most, 300)])
    row = {one: at for at, one in enumerate(ids.tolist())}
    expected = [row.get(one, -1) for one in asked.tolist()]
    encoder = region_encoder(ids)
    assert encoder.encode(asked).tolist() == expected
    assert encoder.encode(asked.astype(np.float64)[:0]).tolist() == []


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 9))
def test_limits_of_counted_numbers_are_quantiles_to_the_last_digit(seed, count, groups):
    rng = np.random.default_rng(seed)
    values = rng.choice([rng.normal(0, 1e3, count), rng.integers(0, 7, count) / 3])
    counted = bins.ValueCounts()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bins, "_WAITING", 5)
        for some in np.array_split(np.append(values, np.nan), 4):
            counted.add(some)
    expected = np.unique(np.quantile(values, np.linspace(0, 1, groups + 1)))
    # The least and the greatest value are somebody's, and limits are released.
    assert counted.edges(groups).tolist() == [-np.inf, *expected[1:-1], np.inf]
