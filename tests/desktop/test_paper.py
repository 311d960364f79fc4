# SPDX-License-Identifier: GPL-2.0-or-later
"""A report is saved as PDF by what every QGIS has."""

import os
import re
from types import SimpleNamespace

import pytest
from qgis.PyQt.QtGui import QPdfWriter, QTextDocument, QTextFormat

from geoanon_qgis.core.runtime.errors import GeoAnonError
from geoanon_qgis.desktop import paper
from geoanon_qgis.processing.maps.drawing import map_picture
from geoanon_qgis.report import Bars, Paragraph, Picture, Report, Section, Table, write_html

POLICY = QTextFormat.Property.PageBreakPolicy
pytestmark = pytest.mark.usefixtures("qgis_app")


@pytest.fixture
def report(tmp_path):
    """A report with everything that is hard to print."""
    rows = tuple((f"row {number}", number, number / 7) for number in range(120))
    picture = map_picture([], (0, 0, 100, 100), (300, 200))
    blocks = (
        Paragraph("What is told."),
        Picture(picture, "A map."),
        Bars("A chart", ("a", "b"), (1, 2), "People"),
        Table(("Name", "Number", "Share"), rows),
    )
    path = tmp_path / "a report.html"
    write_html(Report("Printed", (Section("First", blocks),), private=True), path)
    os.chmod(path, 0o600)
    return path


def test_a_report_becomes_pages(report):
    target = paper.free_name(report)
    paper.save_pdf(report, target)
    data = target.read_bytes()
    assert data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF")
    pages = len(re.findall(rb"/Type /Page\b(?!s)", data))
    assert 3 <= pages <= 6
    assert len(re.findall(rb"/Subtype /Image", data)) >= 2  # the map and the chart
    assert target.stat().st_mode & 0o777 == 0o600  # it says what the report says
    assert sorted(os.listdir(report.parent)) == ["a report.html", "a report.pdf"]


@pytest.mark.parametrize("lines", range(40, 64, 3))
def test_a_heading_stays_with_what_it_is_of(tmp_path, lines):
    filled = "<p>A line.</p>" * lines
    text = f"<h2>Maps</h2><h3>One map</h3>{filled}<h2>More</h2><h3>Another</h3><p>Its text.</p>"
    document = QTextDocument()
    document.setHtml(text)
    writer = QPdfWriter(str(tmp_path / "page.pdf"))
    paper.lay_out(document, writer)
    blocks = [document.findBlockByNumber(number) for number in range(document.blockCount())]
    pages = [paper._page_of(one, writer) for one in blocks]
    assert (
        pages == sorted(pages) and pages[-3] == pages[-2] == pages[-1] == document.pageCount() - 1
    )
    breaks = [one.blockFormat().hasProperty(POLICY) for one in blocks]
    assert sum(breaks) <= 1, "torn apart without need"
    assert pages[:3] == [0, 0, 0]


def test_a_chart_is_drawn(report):
    page = paper.on_paper.printed(report.read_text(encoding="utf-8"))
    drawn = paper._drawn(page.drawings[0])
    colours = {
        drawn.pixelColor(x, y).name()
        for x in range(0, drawn.width(), 3)
        for y in range(0, drawn.height(), 3)
    }
    assert "#2a6ca3" in colours and "#ffffff" in colours and len(colours) > 3


def test_no_file_is_written_over(report):
    names = []
    for _ in range(3):
        target = paper.free_name(report)
        target.write_bytes(b"")
        names.append(target.name)
    assert names == ["a report.pdf", "a report (2).pdf", "a report (3).pdf"]


@pytest.mark.parametrize("what", ["another page", "nothing", "no text"])
def test_what_is_no_report_is_refused_in_words(tmp_path, what):
    path = tmp_path / "page.html"
    if what != "nothing":
        path.write_bytes(b"\xff\xfe\x00" if what == "no text" else b"<!DOCTYPE html>GeoAnon")
    with pytest.raises(GeoAnonError, match=r"page\.html.*\.|page\.html"):
        paper.save_pdf(path, tmp_path / "page.pdf")
    assert not (tmp_path / "page.pdf").exists()


def test_the_report_that_was_written_last_is_found(report, tmp_path, monkeypatch):
    from processing.core import ProcessingResults

    other, gone = tmp_path / "other.html", tmp_path / "gone.html"
    other.write_text("<html>Somebody else's</html>", encoding="utf-8")
    named = [SimpleNamespace(filename=str(one)) for one in (report, other, gone)]
    monkeypatch.setattr(ProcessingResults.resultsList, "results", named, raising=False)
    assert paper.newest_report() == report
    monkeypatch.setattr(ProcessingResults.resultsList, "results", named[1:], raising=False)
    assert paper.newest_report() is None
