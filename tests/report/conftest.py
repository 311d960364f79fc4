# SPDX-License-Identifier: GPL-2.0-or-later
"""A small report with every kind of block, and a reader of HTML that forgives nothing."""

import base64
import sys
from html.parser import HTMLParser

import pytest

from geoanon_qgis.report import (
    Audit,
    Bars,
    Blanks,
    Column,
    Dots,
    Figure,
    Figures,
    Histogram,
    Lines,
    Mark,
    Notice,
    Paragraph,
    Picture,
    Reference,
    Report,
    Scatter,
    Section,
    Series,
    Table,
)

#: One grey pixel.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
)
VOID = frozenset(("meta", "wbr", "img", "br", "hr", "link", "input"))


def build(text=lambda text: text, **report_fields):
    """Return a report with every block in it; every string passes through ``text``."""
    t = text
    return Report(
        t("Voronoi masking"),
        subtitle=t("324 points"),
        generated_by=t("GeoAnon"),
        version=t("1.0"),
        **report_fields,
        audit=Audit(
            Section(
                t("Audit"),
                (
                    Paragraph(t("Begun.")),
                    Table((t("File"), "SHA-256"), ((t("released.gpkg"), "00ff" * 16),), t("Out")),
                    Blanks(t("Decided"), (t("By whom"), t("Why"))),
                ),
            ),
            {"begun": "2026-11-22T04:00:00+01:00", "outputs": ({"place": t("/a/b.gpkg")},)},
        ),
        sections=(
            Section(
                t("What was done"),
                (
                    Paragraph(t("First.") + "\n\n" + t("Second.")),
                    Figures(
                        (
                            Figure("count", t("Points"), 27119),
                            Figure("median_shift", t("Median shift"), 2.564, t("m"), t("half")),
                            Figure("share", t("Share"), 65.61, "%"),
                            Figure("missing", t("Missing"), float("nan")),
                            Figure("system", t("System"), t("EPSG:28992")),
                        )
                    ),
                    Notice(t("Reversible."), "danger", t("this mask")),
                    Notice(t("Projected."), "warning"),
                    Notice(t("In degrees.")),
                ),
                name="summary",
            ),
            Section(
                t("Pictures"),
                (
                    Picture(PNG, t("Before"), t("Grey"), name="before"),
                    Picture(PNG, t("After")),
                    Histogram(
                        t("Shifts"),
                        (0, 0.5, 1, 1.5),
                        (3, 12345, 1),
                        t("Shift"),
                        t("m"),
                        t("Points"),
                        marks=(Mark(0.7, t("median")),),
                        above=2,
                        maximum=9.5,
                        caption=t("Halves."),
                        alt=t("A hill"),
                        name="shifts",
                    ),
                    Bars(
                        t("Kinds"),
                        (t("pair"), t("singleton")),
                        (2, 1),
                        t("Points"),
                        t("n"),
                        t("By kind."),
                        name="kinds",
                    ),
                    Lines(
                        t("Found"),
                        (
                            Series(t("ours"), (0, 1), (0.0, 50.0), (0, 40.5), (0.5, None)),
                            Series(t("theirs"), (0,), (1,)),
                        ),
                        t("Tolerance"),
                        t("Share"),
                        t("m"),
                        t("%"),
                        marks=(Mark(0.5, t("default")),),
                        name="found",
                    ),
                    Scatter(
                        t("Risk and utility"),
                        (
                            Dots(t("all"), (0.5, 20, None), (75, 30.5, 1)),
                            Dots(t("front"), (2, 9), (5, 40), True, (t("best"), "")),
                        ),
                        t("Utility"),
                        t("Risk"),
                        "",
                        "%",
                        marks=(Mark(1, t("least")),),
                        limits=(Mark(25, t("most")),),
                        alt=t("A cloud"),
                        name="risk_utility",
                    ),
                ),
            ),
            Section(
                t("Records"),
                (
                    Table(
                        (
                            Column("id", t("Original id"), numeric=False),
                            Column("kind", t("Kind")),
                            Column("shift", t("Shift"), t("m")),
                            t("deaths"),
                        ),
                        (
                            (10001, t("pair"), 2.5, 1),
                            (7, t("singleton"), 1234.25, None),
                            (8, None, float("inf"), 20000),
                        ),
                        t("Some records"),
                        "records",
                    ),
                    Table((t("Setting"), t("Value")), ((t("seed"), None), (t("k"), True))),
                    Reference(t("Somebody (2023): Something."), "10.1007/s10707-023-00000-0"),
                    Reference(t("Another."), t("in print")),
                ),
            ),
        ),
    )


class Reader(HTMLParser):
    """Reads a page; asserts that every tag is closed in turn."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.texts, self._open = [], [], []
        self.drawn, self.written = [], []  # tags within drawings, and all others
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        assert len(attrs) == len(dict(attrs)), f"an attribute twice in <{tag}>"
        self._note(tag, attrs)
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self._note(tag, attrs)

    def _note(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag != "wbr":
            (self.drawn if "svg" in self._open else self.written).append(tag)

    def handle_endtag(self, tag):
        assert self._open and self._open.pop() == tag, f"</{tag}> closes another"

    def handle_data(self, data):
        if self.tags and self.tags[-1][0] == "wbr":  # where a line may end; the word goes on
            self.tags.pop()
            self.texts[-1] = (self.texts[-1][0], self.texts[-1][1] + data)
            return
        self.texts.append((self._open[-1] if self._open else "", data))

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]

    def values(self, attribute):
        return [a[attribute] for _, a in self.tags if attribute in a]

    def text(self, tag):
        return [data for name, data in self.texts if name == tag]


@pytest.fixture
def report():
    return build()


@pytest.fixture
def make_report():
    return build


@pytest.fixture
def read():
    return Reader


@pytest.fixture
def no_matplotlib(monkeypatch):
    """Make every import of matplotlib fail."""
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
