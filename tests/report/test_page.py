# SPDX-License-Identifier: GPL-2.0-or-later
"""A report in the making: what is told becomes sections of the model."""

from dataclasses import dataclass

import pytest

from geoanon_qgis.report import Figures, Mark, Notice, Page, Paragraph, Table, col, to_dict, to_html


@dataclass(frozen=True)
class Person:
    name: str
    age: int


PEOPLE = [Person("Ann", 31), Person("Bob", 47)]


def blocks(page):
    (section,) = page.report().sections
    return section.blocks


def page():
    return Page("Title", "what it was done to").section("One", "one")


def test_what_is_told_goes_to_the_section_begun_last_and_empty_ones_go():
    made = page().section("Empty", "empty").section("Two", "two").say("text", "").warn(["careful"])
    report = made.report()
    assert [(one.title, one.name) for one in report.sections] == [("Two", "two")]
    assert report.sections[0].blocks == (Paragraph("text"), Notice("careful", "warning"))
    assert (report.title, report.subtitle, report.private) == (
        "Title",
        "what it was done to",
        True,
    )


def test_figures_that_follow_each_other_are_one_block():
    made = page().figure("a", "A", 1, "first").figure("b", "B", 2, "second", unit="%").say("then")
    made.figure("c", "C", 3, "third")
    first, _, last = blocks(made)
    assert isinstance(first, Figures) and [one.name for one in first.figures] == ["a", "b"]
    assert [one.name for one in last.figures] == ["c"]


def test_a_figure_is_explained_on_the_page_and_in_the_json():
    report = page().figure("a", "A", 1, "what <it> means").report()
    assert 'class="explained">what &lt;it&gt; means<' in to_html(report)
    told = to_dict(report)["sections"][0]["blocks"][0]["figures"][0]
    assert told["explained"] == "what <it> means"
    with pytest.raises(ValueError, match="the figure a is not explained"):
        page().figure("a", "A", 1, "")


def test_a_table_of_items_and_of_rows():
    of_items = page().table(
        "people",
        [
            col("name", "Name"),
            col("age", "Age", decimals=1),
            col("double", "2 ×", lambda p: 2 * p.age),
        ],
        PEOPLE,
        "caption",
    )
    (table,) = blocks(of_items)
    assert isinstance(table, Table) and table.rows == (("Ann", 31, 62), ("Bob", 47, 94))
    assert (table.name, table.caption, table.columns[1].decimals) == ("people", "caption", 1)
    entries = [{"name": "Ann", "years": 31}]
    (table,) = blocks(page().table("t", [col("name"), col("age", "Age", "years")], entries))
    assert table.rows == (("Ann", 31),)
    (table,) = blocks(page().table("t", [col("name"), col("age")], [("Ann", 31)]))
    assert table.rows == (("Ann", 31),)


def test_charts_take_tuples_for_series_dots_and_marks():
    made = page()
    made.lines("l", "L", [("one", [1, 2], [3, 4], [2, 3], [4, 5])], "x", "y", limits=[(3, "limit")])
    made.scatter("s", "S", [("one", [1], [2], True, ["note"])], "x", "y")
    made.bars("b", "B", ["one"], [1], "count").histogram("h", "H", [1, 2, 3], "x", marks=[(2, "m")])
    made.ecdf("e", "E", {"one": [1, 2]}, "x", "y")
    lines, scatter, bars, histogram, ecdf = blocks(made)
    assert lines.series[0].low == (2, 3) and lines.limits == (Mark(3, "limit"),)
    assert scatter.series[0].joined and scatter.series[0].notes == ("note",)
    assert bars.values == (1,) and histogram.marks == (Mark(2, "m"),) and ecdf.steps
    assert [one.name for one in (lines, scatter, bars, histogram, ecdf)] == list("lsbhe")
