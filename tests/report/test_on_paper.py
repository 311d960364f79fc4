# SPDX-License-Identifier: GPL-2.0-or-later
"""Reports for an engine that knows little of style sheets: nothing that they say is lost."""

import re

import pytest

from geoanon_qgis.report import to_html
from geoanon_qgis.report.on_paper import is_report, printed


@pytest.fixture
def page(report):
    pytest.importorskip("matplotlib")
    return to_html(report)


def words(html):
    text = re.sub(r"<[^>]*>", " ", html.replace("<wbr>", "").replace("\u200b", ""))
    return [word for word in text.split() if word.strip("_")]


def test_every_word_stays_but_for_numbers_behind_charts(page, read):
    body = page[page.index("<body") :]
    for gone in (r"<svg\b.*?</svg>", r"<details>.*?</details>", r'<p class="choice">.*?</p>'):
        body, found = re.subn(gone, " ", body, flags=re.S)
        assert found
    told = printed(page)
    assert words(told.html[told.html.index("<body") :]) == words(body)
    read(told.html.replace("</html>", "</html>"))  # every tag is closed in turn


def test_nothing_is_left_that_text_documents_do_not_know(page):
    told = printed(page)
    assert not re.search(
        r"<(svg|section|figure|figcaption|dl|dt|dd|details|input|wbr)\b", told.html
    )
    assert len(told.drawings) == told.html.count('<img src="drawing:') > 2
    assert 'align="right"' in told.html and 'class="number">' not in re.sub(
        r"<span[^>]*>", "", told.html
    )


def test_drawings_stand_alone(page):
    for drawing in printed(page).drawings:
        assert "var(" not in drawing and "font:" not in drawing
        assert not re.search(r'(?<!xlink:)href="', drawing)
        assert drawing.startswith("<svg xmlns=")


def test_only_reports_are_printed(page):
    assert is_report(page)
    assert not is_report("<!DOCTYPE html><html><body><p>GeoAnon</p></body></html>")
    assert not is_report("GeoAnon")
