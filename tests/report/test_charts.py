# SPDX-License-Identifier: GPL-2.0-or-later
"""The drawings: in the page's colours, the same every time, leaving matplotlib as it was."""

import re
import subprocess
import sys

import pytest

from geoanon_qgis.report import Bars, Histogram, Lines, Mark, Series, Wording, charts

matplotlib = pytest.importorskip("matplotlib")
WORDING = Wording()
SAMPLES = (
    Histogram("H", (0, 1, 2), (5, 3), "Shift", "m", marks=(Mark(0.5, "median"), Mark(9, "out"))),
    Bars("B", ("pair", "singleton"), (7, -2.5), "Points"),
    Lines("L", (Series("a", (0, 1, 2), (0, None, 2)), Series("_b", (0, 2), (1, 1))), "x", "y"),
)


@pytest.mark.parametrize("chart", SAMPLES, ids=lambda chart: chart.title)
def test_drawing_is_an_element_in_the_pages_colours(chart):
    svg = charts.to_svg(chart, "p1", WORDING, 'a "hill"')
    assert svg.startswith('<svg role="img" aria-label="a &quot;hill&quot;" viewBox=')
    assert svg.endswith("</svg>")
    for unwanted in ("<?xml", "<!", "<style", "<metadata", "http", "xmlns", "#0a0"):
        assert unwanted not in svg
    # nothing keeps a colour of matplotlib's own: it would vanish in one of the themes
    assert not re.findall(r"(?:fill|stroke): ?#\w+", svg)
    assert "var(--series-1)" in svg and "var(--ink-soft)" in svg
    assert all(name.startswith("p1-") for name in re.findall(r'id="([^"]*)"', svg))


@pytest.mark.parametrize("chart", SAMPLES, ids=lambda chart: chart.title)
def test_drawing_is_the_same_every_time(chart):
    assert charts.to_svg(chart, "p", WORDING) == charts.to_svg(chart, "p", WORDING)


def test_text_is_text():
    svg = charts.to_svg(SAMPLES[0], "p", WORDING)
    assert ">Shift (m)</text>" in svg and ">median</text>" in svg
    assert ">out</text>" not in svg  # beyond the axis


def test_numbers_on_axes_follow_the_wording():
    chart = Bars("B", ("a",), (1234567.5,), "n")
    german = Wording(decimal_mark=",", group_mark=".")
    assert ">1.234.568</text>" in charts.to_svg(chart, "p", german)


def test_users_settings_are_neither_used_nor_changed():
    plain = charts.to_svg(SAMPLES[0], "p", WORDING)
    with matplotlib.rc_context({"font.size": 40, "axes.grid": True, "svg.fonttype": "path"}):
        before = dict(matplotlib.rcParams)
        assert charts.to_svg(SAMPLES[0], "p", WORDING) == plain
        assert dict(matplotlib.rcParams) == before


def test_pyplot_stays_out():
    code = (
        "import sys\n"
        "from geoanon_qgis.report import Bars, Wording, charts\n"
        "assert 'matplotlib' not in sys.modules\n"
        "assert charts.to_svg(Bars('B', ('a',), (1,), 'n'), 'p', Wording())\n"
        "assert 'matplotlib' in sys.modules and 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


@pytest.mark.parametrize(
    "chart",
    [
        Bars("B", ("zero", "none"), (0, None), "n"),
        Bars("B", ("x" * 300, "a\nb", " "), (1e-12, 1e12, 0.5), "n" * 300, "%"),
        Bars("B", ("down",), (-3,), "n"),
        Histogram("H", (5, 6), (0,), "x"),
        Histogram.of("H", [1e15] * 3, "x"),
        Histogram("H", (0, 1), (2,), "x", marks=[Mark(0.5, "y" * 90)] * 5),
        Lines("L", (Series("one", (1,), (1,)),), "x", "y", marks=(Mark(None, "none"),)),
        Lines("L", [Series(f"s{i} " * 20, (0, 1), (i, i)) for i in range(9)], "x", "y", steps=True),
    ],
)
@pytest.mark.filterwarnings("error")
def test_odd_charts_are_drawn(chart):
    assert not charts.is_empty(chart)
    assert charts.to_svg(chart, "p", WORDING).startswith("<svg")
    assert charts.as_table(chart, WORDING).rows


@pytest.mark.filterwarnings("error")
def test_letters_that_matplotlib_lacks_are_no_warning():
    assert "東京" in charts.to_svg(Bars("B", ("東京",), (1,), "n"), "p", WORDING)


@pytest.mark.parametrize(
    "chart",
    [
        Histogram("H", (), (), "x"),
        Bars("B", ("a",), (float("nan"),), "n"),
        Lines("L", (), "x", "y"),
        Lines("L", (Series("s", (1, None), (None, 2)),), "x", "y"),
    ],
)
def test_nothing_to_draw(chart):
    assert charts.is_empty(chart)


def test_limits_of_bins_stay_apart_in_the_table():
    table = charts.as_table(Histogram("H", (490, 490.25, 490.5), (1, 2), "x"), WORDING)
    assert table.columns[0].decimals == 2


def test_a_broken_matplotlib_is_a_missing_one(monkeypatch):
    class Broken:
        def __getattr__(self, name):
            raise AttributeError("_ARRAY_API not found")

    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_svg", Broken())
    assert charts.to_svg(SAMPLES[0], "p", WORDING) is None
