# SPDX-License-Identifier: GPL-2.0-or-later
"""What is written today is what was looked at and kept under ``golden/``.

Run with ``GEOANON_REGENERATE=1`` to write the golden files anew, and read the difference.
The HTML is compared without matplotlib, whose drawings change from version to version, and
without the style sheet.
"""

import os
import re
from pathlib import Path

import pytest

from geoanon_qgis.report import to_html, to_json

GOLDEN = Path(__file__).parent / "golden"


def compare(name, text):
    path = GOLDEN / name
    if os.environ.get("GEOANON_REGENERATE"):
        path.write_text(text, encoding="utf-8")
        pytest.skip("golden file written")
    assert text == path.read_text(encoding="utf-8")


def test_html(report, no_matplotlib):
    html = to_html(report, max_rows=2)
    compare("report.html", re.sub(r"<style>.*?</style>", "<style></style>", html, flags=re.DOTALL))


def test_json(report):
    compare("report.json", to_json(report))
