# SPDX-License-Identifier: GPL-2.0-or-later
"""The drawings: in the page's colours, the same every time, leaving matplotlib as it was."""

import re
import subprocess
import sys

import pytest

from geoanon_qgis.report import (
    Bars,
    Dots,
    Histogram,
    Lines,
    Mark,
    Scatter,
    Series,
    Wording,
    charts,
)
from geoanon_qgis.report.axes import draw_limits
from geoanon_qgis.report.scatter import MOST_DOTS, drawn_dots

matplotlib = pytest.importorskip("matplotlib")
WORDING = Wording()
SAMPLES = (
    Histogram("H", (0, 1, 2), (5, 3), "Shift", "m", marks=(Mark(0.5, "median"), Mark(9, "out"))),
    Bars("B", ("pair", "singleton"), (7, -2.5), "Points"),
    Lines("L", (Series("a", (0, 1, 2), (0, None, 2)), Series("_b", (0, 2), (1, 1))), "x", "y"),
    Lines(
        "band",
        (Series("a", (1, 2, 3), (4, 5, 6), (3, None, 5), (4, None, 8)),),
        "x",
        "y",
        limits=(Mark(9, "limit"),),
    ),
    Lines(
        "bars",
        (Series("a", (1, 10, 3), (4, None, 6), (3, 1, 7), (4, 2, 8)),),
        "x",
        "y",
        error_bars=True,
        x_log=True,
        marks=(Mark(3, "m"),),
    ),
    Scatter(
        "S",
        (Dots("a", (1, 2), (4, 5)), Dots("b", (1, 3), (2, 3), True, ("first", ""))),
        "x",
        "y",
        marks=(Mark(0.5, "left"),),
        limits=(Mark(40, "limit"),),
        x_log=True,
    ),
    Scatter("map", (Dots("a", (0, 5000), (0, 400)),), "East", "North", "m", "m", equal_axes=True),
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
        Lines("L", (Series("s", (0, 1), (1, 1), (None,) * 2, (None,) * 2),), "x", "y", x_log=True),
        Lines("L", (Series("s", (0, 1), (1, 1), (0, None), (2, 2)),), "x", "y", error_bars=True),
        Lines("L", (Series("s", (0, 1), (0, 1), (0, 0), (1, 1)),), "x", "y", steps=True),
        Scatter("S", (Dots("one", (3,), (3,), notes=("n" * 200,)),), "x", "y", equal_axes=True),
        Scatter(
            "S",
            (Dots("level", (1, 2), (0, 0)),),
            "x",
            "y",
            equal_axes=True,
            limits=(Mark(0, "zero"), Mark(None, "none")),
        ),
        Scatter("S", (Dots("upright", (5, 5), (0, 1), True),), "x", "y", equal_axes=True),
        Scatter(
            "S",
            (Dots("log", (1e-9, 1e9), (0, 1)),),
            "x",
            "y",
            x_log=True,
            marks=(Mark(-1, "below"), Mark(1e12, "above")),
        ),
        Scatter(
            "S",
            (
                Dots("none", (), ()),
                Dots("$x$", (0, 1e15), (1e-9, 5), notes=("$", "")),
            ),
            "x",
            "y",
            x_log=True,
        ),
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
        Scatter("S", (), "x", "y"),
        Scatter("S", (Dots("d", (1, float("nan")), (None, 2)),), "x", "y"),
    ],
)
def test_nothing_to_draw(chart):
    assert charts.is_empty(chart)


def test_intervals_and_notes_are_in_the_table():
    series = (Series("a", (1, 2), (4, 5), (3, None), (6, 7)), Series("b", (1,), (2,)))
    table = charts.as_table(Lines("L", series, "x", "P", y_unit="%"), WORDING)
    assert [column.name for column in table.columns] == ["series", "x", "y", "low", "high"]
    assert table.rows == (("a", 1, 4, 3, 6), ("a", 2, 5, None, 7), ("b", 1, 2, None, None))
    dots = (Dots("a", (1,), (2,)), Dots("b", (3, 4), (5, 6), notes=("", "best")))
    table = charts.as_table(Scatter("S", dots, "x", "y"), WORDING)
    assert table.rows == (("a", 1, 2, ""), ("b", 3, 5, ""), ("b", 4, 6, "best"))
    assert len(charts.as_table(Scatter("S", dots[:1], "x", "y"), WORDING).columns) == 3


def test_each_kind_of_dots_has_its_colour_and_shape():
    series = [Dots(str(i), (i, i + 1), (i, 2 * i)) for i in range(5)]
    svg = charts.to_svg(Scatter("S", series, "x", "y"), "p", WORDING)
    looks = re.findall(r'<use href="#p-(m\w+)"[^>]*fill: var\((--series-\d)\)', svg)
    assert len({colour for _, colour in looks}) == 5
    assert len({shape for shape, _ in looks}) == 5


def test_equal_axes_have_one_scale():
    square = Dots("a", (0, 0, 1000, 1000), (0, 1000, 0, 1000))
    chart = Scatter("S", (square, Dots("b", (0, 4000), (0, 1000))), "x", "y", equal_axes=True)
    svg = charts.to_svg(chart, "p", WORDING)
    dots = re.findall(r'<use[^>]* x="([\d.-]+)" y="([\d.-]+)"[^>]*--series-1', svg)
    assert len(dots) == 5  # the last one is in the legend
    x, y = zip(*[(float(a), float(b)) for a, b in dots[:4]])
    assert max(x) - min(x) == pytest.approx(max(y) - min(y), rel=1e-3)


def test_a_limit_beyond_the_dots_is_drawn_all_the_same():
    chart = Scatter(
        "S",
        (Dots("a", (1, 2), (80, 90)),),
        "x",
        "y",
        limits=(Mark(25, "most"),),
        marks=(Mark(9, "wanted"),),
    )
    svg = charts.to_svg(chart, "p", WORDING)
    assert ">most</text>" in svg and ">wanted</text>" in svg
    lines = Lines("L", (Series("a", (1, 2), (80, 90)),), "x", "y", limits=(Mark(25, "most"),))
    assert ">most</text>" in charts.to_svg(lines, "p", WORDING)


def test_a_limit_far_below_the_dots_leaves_room_above_them():
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.add_subplot()
    axes.plot([1, 2], [0.80, 0.99], "o")
    draw_limits(axes, (Mark(0.09, "most"),))
    low, high = axes.get_ylim()
    assert low < 0.09
    assert high >= 0.99 + 0.03 * (high - low)  # half a dot, and a little


def test_notes_do_not_cover_each_other():
    notes = [f"note {i}" for i in range(40)]
    crowd = Dots("crowd", [1 + i * 1e-4 for i in range(40)], [1] * 40, notes=notes)
    best = Dots("best", (1.002,), (1,), notes=("recommended",))
    chart = Scatter("S", (crowd, Dots("x", (0, 2), (0, 2)), best), "x", "y")
    svg = charts.to_svg(chart, "p", WORDING)
    assert ">recommended</text>" in svg  # the last series has the first choice
    assert 3 <= len(re.findall(r">note \d+</text>", svg)) <= 10


def test_long_notes_have_two_lines_and_are_said_once():
    name = "distances between exchanged addresses"
    one = Dots("one", (1, 5), (1, 5), notes=(name, ""))
    same = Dots("the same", (1,), (1,), notes=(name,))
    svg = charts.to_svg(Scatter("S", (one, same), "x", "y"), "p", WORDING)
    assert "…" not in svg
    assert svg.count("distances between</") == svg.count("exchanged addresses</") == 1


def test_of_many_dots_some_are_drawn_and_all_that_have_a_note():
    notes = [""] * 9999
    notes[7] = "here"
    many = Dots("many", range(9999), range(9999), notes=notes)
    front = Dots("front", range(30), range(30), joined=True)
    chart = Scatter("S", (many, front), "x", "y")
    drawn = drawn_dots(chart)
    assert drawn <= MOST_DOTS + 31
    svg = charts.to_svg(chart, "p", WORDING)
    assert ">here</text>" in svg
    assert len(re.findall(r"<use[^>]*--series-[12]", svg)) in range(drawn, drawn + 3)  # legend
    assert len(svg) < 400_000


def test_a_logarithmic_axis_has_powers_of_ten():
    chart = Scatter("S", (Dots("a", (1e-6, 1e-3), (0, 1)),), "x", "y", x_log=True)
    assert ">10⁻⁵</text>" in charts.to_svg(chart, "p", WORDING)
    chart = Lines("L", (Series("a", (20, 100, 500), (0, 1, 2)),), "x", "y", x_log=True)
    svg = charts.to_svg(chart, "p", WORDING)
    for tick in (20, 50, 100, 200, 500):
        assert f">{tick}</text>" in svg


def test_ticks_of_a_short_logarithmic_axis_differ_and_are_few():
    chart = Scatter("S", (Dots("a", (1.68e-8, 3.36e-8), (0, 1)),), "x", "y", x_log=True)
    ticks = re.findall(">([^<]* × 10⁻⁸)</text>", charts.to_svg(chart, "p", WORDING))
    assert 2 <= len(ticks) <= 4 and len(set(ticks)) == len(ticks)


def test_short_lines_have_markers_and_long_ones_none():
    short = Lines("L", (Series("a", range(5), range(5)),), "x", "y")
    long = Lines("L", (Series("a", range(50), range(50)),), "x", "y")
    count = [
        len(re.findall("<use[^>]*--series-1", charts.to_svg(c, "p", WORDING)))
        for c in (short, long)
    ]
    assert count == [5, 0]


def test_limits_of_bins_stay_apart_in_the_table():
    table = charts.as_table(Histogram("H", (490, 490.25, 490.5), (1, 2), "x"), WORDING)
    assert table.columns[0].decimals == 2


def test_a_broken_matplotlib_is_a_missing_one(monkeypatch):
    class Broken:
        def __getattr__(self, name):
            raise AttributeError("_ARRAY_API not found")

    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_svg", Broken())
    assert charts.to_svg(SAMPLES[0], "p", WORDING) is None
