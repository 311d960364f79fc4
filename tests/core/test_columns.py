# SPDX-License-Identifier: GPL-2.0-or-later
"""Columns, beside what is found out value by value."""

import datetime
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.aggregation.categories import Encoder
from geoanon_qgis.core.columns import EXACT, Column, Gathered, coded, column_of
from geoanon_qgis.core.values import (
    DATE,
    MOMENT,
    NUMBER,
    OTHER,
    TEXT,
    TIME,
    TRUTH,
    WHOLE,
    is_null,
    text_of,
)

SCALARS = (
    st.integers(-(2**63), 2**63 - 1),
    st.integers(),
    st.floats(),
    st.booleans(),
    st.text(max_size=3),
    st.dates(),
    st.times(),
    st.datetimes(timezones=st.one_of(st.none(), st.just(datetime.timezone.utc))),
    st.binary(max_size=3),
    st.lists(st.integers(), max_size=2),
)
VALUES = st.one_of(
    *(st.lists(st.one_of(kind, st.none()), max_size=12) for kind in SCALARS),
    st.lists(st.one_of(st.none(), *SCALARS), max_size=12),
)


def same(one, other):
    return one == other or (one != one and other != other)


def gathered(values, cuts):
    made = Gathered("field")
    for start, stop in zip([0, *cuts], [*cuts, len(values)]):
        made.add(values[start:stop])
    return made.column()


@given(VALUES, st.lists(st.integers(0, 12), max_size=3).map(sorted))
def test_a_column_holds_the_values_whatever_the_batches(values, cuts):
    whole, pieces = column_of("field", values), gathered(values, cuts)
    missing = [is_null(value) for value in values]
    for column in (whole, pieces):
        assert len(column) == len(values)
        assert column.texts("?") == [
            "?" if gone else text_of(value) for value, gone in zip(values, missing)
        ]
        assert (column.missing is None) == (not any(missing))
        assert column.missing is None or column.missing.tolist() == missing
        assert column.is_empty == all(missing)
        for back, value, gone in zip(column, values, missing):
            assert same(back, value) or gone and back is None
    assert whole.kind == pieces.kind or not len(values)


@given(VALUES, st.data())
def test_rows_are_taken_as_from_a_list(values, data):
    column = column_of("field", values)
    plain = list(column)
    rows = data.draw(st.lists(st.integers(0, max(0, len(values) - 1)), max_size=8))
    rows = np.array(rows if values else [], dtype=np.intp)
    wanted = [plain[row] for row in rows]
    assert all(map(same, column[rows], wanted)) and all(map(same, column.taken(rows), wanted))
    assert all(map(same, column[2:5], plain[2:5]))
    for row in rows[:2]:
        assert same(column[row], plain[row])


@given(VALUES)
def test_what_is_counted_is_what_is_spelled(values):
    column = column_of("field", values).narrowed()
    counted = column.countable()
    assert counted.dtype.kind in "ifU"
    there = np.arange(len(values)) if column.missing is None else np.flatnonzero(~column.missing)
    # NumPy's text ends before zeros
    assert column_of("", counted[there]).texts() == [
        text_of(values[row]).rstrip("\x00") for row in there
    ]
    if counted.dtype.kind == "f":
        assert any(isinstance(values[row], float) for row in there)


@given(VALUES)
def test_numbers_are_the_numbers(values):
    column = column_of("field", values)
    try:
        found = column.numbers()
    except ValueError:
        assert any(not isinstance(one, (int, float, type(None))) for one in values)
        return
    if column.kind in (WHOLE, NUMBER, TRUTH):
        wanted = [math.nan if value is None else float(value) for value in values]
        assert all(map(same, found.tolist(), wanted))


@pytest.mark.parametrize(
    "values, kind, dtype",
    [
        ([2**63 - 1, None, -(2**63)], WHOLE, np.int64),
        ([2**63, 1], WHOLE, object),
        ([7, True], WHOLE, np.int64),
        ([7, 0.5, None], NUMBER, np.float64),
        ([2**53 + 1, 0.5], OTHER, object),
        ([True, None], TRUTH, bool),
        (["a", None, float("nan")], TEXT, object),
        ([None, None], TEXT, object),
        ([], TEXT, object),
        ([1, "1"], OTHER, object),
        ([datetime.date(2020, 1, 2), None], DATE, object),
        ([datetime.time(1)], TIME, object),
        ([datetime.datetime(2020, 1, 2)], MOMENT, object),
        ([np.int64(2**53 + 1), np.float64(0.25)], OTHER, object),
        ([np.float32(0.5), np.int8(1)], NUMBER, np.float64),
    ],
)
def test_kinds(values, kind, dtype):
    column = column_of("field", values)
    assert (column.kind, column.values.dtype) == (kind, dtype)


def test_numbers_keep_every_digit_and_nan_is_no_null():
    column = column_of("field", [2**53, None, 2**53 + 1, 2**63 - 1])
    assert list(column) == [2**53, None, 2**53 + 1, 2**63 - 1]
    column = column_of("field", [-0.0, None, float("nan")])
    assert math.copysign(1, column[0]) == -1 and column[1] is None and column[2] != column[2]
    assert column.null.tolist() == [False, True, False]
    assert column.missing.tolist() == [False, True, True]
    assert column.texts() == ["0", None, None]


def test_text_and_dates_are_numbers_only_where_they_are():
    assert column_of("", ["2.5", None, "1e3"]).numbers()[[0, 2]].tolist() == [2.5, 1000]
    for strange in ([datetime.date(2020, 1, 2)], [[1], [2]], [[1, 2], [3]], ["x"], [1, "x"]):
        with pytest.raises(ValueError):
            column_of("", strange).numbers()
    days = [datetime.date(2020, 1, 2), None, datetime.date(2020, 1, 4)]
    found = column_of("", days).moments()
    assert found[2] - found[0] == 2 and np.isnan(found[1])


def test_decimals_that_are_whole_are_narrowed_and_no_others():
    assert column_of("", [7.0, None, float("nan"), 8.0]).narrowed().countable().dtype == np.int64
    assert column_of("", [7.0, 8.5]).narrowed().kind == NUMBER
    assert column_of("", [float(4 * EXACT)]).narrowed().kind == NUMBER
    assert column_of("", [math.inf]).narrowed().kind == NUMBER


def test_long_whole_numbers_are_measures_only_where_that_is_said():
    column = column_of("", [EXACT + 1, None])
    assert column.measures().tolist() == [str(EXACT + 1), None]
    assert column.measures(exact=False)[0] == float(EXACT + 1)
    assert column_of("", [True, None]).measures().tolist() == [True, None]


@pytest.mark.parametrize(
    "array, back",
    [
        (np.array([1, 2], np.uint8), [1, 2]),
        (np.array([2**64 - 1], np.uint64), [2**64 - 1]),
        (np.array([0.5, np.nan], np.float32), [0.5, None]),
        (np.array([True]), [True]),
        (np.array(["a", "ä"]), ["a", "ä"]),
        (np.array([b"a", "ä".encode()]), ["a", "ä"]),
        (np.array(["2020-01-02", "NaT"], "M8[D]"), ["2020-01-02", None]),
        (np.array(["2020-01-02T03"], "M8[ns]"), ["2020-01-02T03:00:00"]),
        (np.array([Fraction(1, 2)], dtype=object), ["1/2"]),
    ],
)
def test_arrays_become_columns(array, back):
    assert column_of("", array).texts() == column_of("", back).texts()


@given(st.lists(st.one_of(st.none(), st.sampled_from(["a", "b", "ä", ""])), max_size=20))
def test_a_column_stored_by_its_different_values_is_the_same(values):
    pool = ["ä", "", "unused", "a", "b"]
    null = np.array([value is None for value in values], dtype=bool)
    index = np.array([0 if value is None else pool.index(value) for value in values], np.intp)
    for stored in (np.array(pool), np.char.encode(np.array(pool), "utf-8")):
        column = Column("field", TEXT, stored, null if null.any() else None, index)
        assert list(column) == column.texts() == values
        encoder, other = Encoder("field"), Encoder("field")
        codes = encoder.codes(column)
        other.codes(column_of("field", values))
        assert [encoder.categories[code] for code in codes] == values
        assert {*encoder.categories} == {*other.categories} == {*values}


def test_a_column_of_codes_makes_them_when_they_are_asked_for():
    class Made:
        """Codes that lie nowhere."""

        def __len__(self):
            return 6

        def __getitem__(self, rows):
            return np.arange(6)[rows] % 3

    column = coded(Made(), ["a", None, "b"])
    assert (column.kind, len(column), column[1:4]) == (TEXT, 6, [None, "b", "a"])
    assert list(column) == ["a", None, "b"] * 2 and column.distinct == ["a", None, "b"]
