# SPDX-License-Identifier: GPL-2.0-or-later
"""The model: what it refuses, and how values become bins and lines."""

import ast
import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import geoanon_qgis.report as room
from geoanon_qgis.report import (
    Bars,
    Column,
    Dots,
    Figure,
    Figures,
    Histogram,
    Lines,
    Notice,
    Paragraph,
    Picture,
    Report,
    Scatter,
    Section,
    Series,
    Table,
)


def test_knows_no_qgis_and_no_window():
    forbidden = {"qgis", "PyQt5", "PyQt6", "processing", "osgeo"}
    for path in Path(room.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not forbidden & {name.split(".")[0] for name in names}, path
            assert not any("pyplot" in name for name in names), path


def test_reports_do_not_change(report):
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.private = False


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Figure("Points masked", "x", 1),
        lambda: Figure("", "x", 1),
        lambda: Table(("a",), (), name="A b"),
        lambda: Table(("a", "a"), ()),
        lambda: Table(("a", "b"), ((1,),)),
        lambda: Notice("x", "alarm"),
        lambda: Picture(b"<svg></svg>" * 9, "x"),
        lambda: Histogram("x", (0, 1), (1, 2), "x"),
        lambda: Bars("x", ("a",), (1, 2), "x"),
        lambda: Series("x", (1,), ()),
        lambda: Series("x", (1,), (1,), low=(1,)),
        lambda: Series("x", (1, 2), (1, 2), (1,), (1,)),
        lambda: Dots("x", (1,), ()),
        lambda: Dots("x", (1, 2), (1, 2), notes=("one",)),
        lambda: Scatter("x", (), "x", "y", name="Not a name"),
        lambda: Section("x", ("text",)),
        lambda: Report("x", (Section("a", (Figures((Figure("n", "N", 1),)),)),) * 2),
        lambda: Report("x", (Section("a", (Table(("a",), (), name="t"),) * 2),)),
        lambda: Report("x", (Section("a", name="s"), Section("b", name="s"))),
    ],
)
def test_mistakes_in_building_are_refused(wrong):
    with pytest.raises(ValueError):
        wrong()


def test_dots_without_a_place_do_not_count():
    dots = Dots("d", [1, None, 3], [np.nan, 2, 4], notes=["a", None, "c"])
    assert dots.notes == ("a", "", "c") and dots.places == ((3, 4, "c"),)
    assert Scatter("S", [dots, Dots("e", [1], [1])], "x", "y").count == 2


def test_generators_and_lists_are_taken():
    table = Table(["a"], ([i] for i in range(3)))
    assert table.columns == (Column("a"),) and table.rows == ((0,), (1,), (2,))
    report = Report("T", [Section("S", [Paragraph("p"), Figures([Figure("n", "N", 1)])])])
    assert [figure.name for figure in report.figures] == ["n"]


def test_columns_are_numeric_when_their_cells_are():
    table = Table(
        ("n", "text", "flag", "mixed", "none", "told"),
        (
            (1, "a", True, 1, None, 5),
            (None, "b", False, "x", None, 6),
            (2.5, None, True, 2, None, 7),
        ),
    )
    assert [table.is_numeric(i) for i in range(6)] == [True, False, False, False, False, True]
    assert not Table((Column("id", numeric=False),), ((1,),)).is_numeric(0)


numbers = st.floats(-1e12, 1e12, allow_nan=False)


@given(st.lists(st.one_of(numbers, st.just(float("nan"))), max_size=300), st.integers(3, 40))
def test_every_finite_value_is_in_one_bin_or_told(values, max_bins):
    chart = Histogram.of("H", values, "x", max_bins=max_bins)
    assert sum(chart.counts) + chart.above == np.count_nonzero(np.isfinite(values))
    assert len(chart.counts) <= max_bins + 1
    assert list(chart.edges) == sorted(set(chart.edges))
    assert (chart.maximum is None) == (chart.above == 0)


def test_edges_are_round():
    chart = Histogram.of("H", np.linspace(0.3, 19.7, 400), "x")
    assert chart.edges[:3] == (0, 1, 2) and chart.edges[-1] == 20
    assert Histogram.of("H", [0.1, 0.2, 0.1 + 0.2], "x").counts[-1] >= 1


@pytest.mark.parametrize("value", [0.0, 5.0, -3e-7, 1e15])
def test_one_value_is_one_bin(value):
    chart = Histogram.of("H", [value] * 9, "x")
    assert chart.counts == (9,) and chart.edges[0] < value < chart.edges[1]


def test_a_long_tail_does_not_squeeze_the_rest():
    values = np.concatenate([np.linspace(0, 10, 995), [500, 900, 1000]])
    chart = Histogram.of("H", values, "x")
    assert chart.edges[-1] <= 11 and chart.above == 3 and chart.maximum == 1000


def test_histogram_takes_its_other_fields():
    chart = Histogram.of("H", [1, 2], "Shift", "m", caption="c", name="n")
    assert (chart.x_unit, chart.caption, chart.name) == ("m", "c", "n")


def test_distribution_functions():
    rng = np.random.default_rng(5)
    chart = Lines.ecdf("E", {"a": [3, 1, np.nan, 2, 2], "b": rng.random(10000)}, "x", "Share")
    a, b = chart.series
    assert a.x == (1, 2, 2, 3) and a.y == (25, 50, 75, 100)
    assert chart.y_unit == "%" and chart.steps
    assert len(b.x) == 201 and b.y[-1] == 100 and list(b.x) == sorted(b.x)
    assert Lines.ecdf("E", {"a": [1, 2]}, "x", "P", y_unit="").series[0].y == (0.5, 1)
    assert Lines.ecdf("E", {"none": []}, "x", "P").series[0].x == ()
