# SPDX-License-Identifier: GPL-2.0-or-later
"""Qt 6, which QGIS 4 runs on: every Qt name that the plugin uses is there, and its drawing works.

The suite runs on the Qt of the QGIS that is installed, so PyQt6 is asked in a process of its own.
"""

import importlib.util
import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("PyQt6") is None,
    reason="PyQt6 is not installed (scripts/setup installs it where there are wheels of it)",
)


def visit(what: str, folder: Path) -> dict:
    """Run ``qt6_visit.py`` and return what it says."""
    script = Path(__file__).with_name("qt6_visit.py")
    done = subprocess.run(
        [sys.executable, script, what, folder], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_qt_6_has_every_name_that_the_plugin_uses(checkout):
    found = visit("names", checkout / "geoanon_qgis")
    assert found["wrong"] == []
    assert found["files"] > 100
    # What the check has looked at: an empty list would be no proof.
    asked = {"QtGui.QImage", "Format.Format_RGB32", "PenStyle.NoPen", "QPainter.drawText"}
    assert asked | {"QFontDatabase.families", "Type.LongLong"} <= set(found["names"])


@pytest.mark.parametrize(
    "code, told",
    [
        ("from qgis.PyQt.QtGui import QFontDatabase as D\nD().families()", "D()"),
        ("from qgis.PyQt.QtCore import QRegExp", "has no QRegExp"),
        ("from PyQt5.QtCore import QObject", "past qgis.PyQt"),
        ("from qgis.PyQt.QtCore import Qt\nprint(Qt.AlignLeft)", "Qt.AlignLeft"),
        ("from qgis.PyQt.QtGui import QImage as I\nI.Format_RGB32", "I.Format_RGB32"),
        ("from qgis.PyQt.QtWidgets import QDialog\ndef f(d: QDialog):\n    d.exec_()", "d.exec_"),
        (
            "from qgis.PyQt.QtGui import QFont, QFontMetricsF\n"
            "def f():\n    metrics = QFontMetricsF(QFont())\n    return metrics.width('a')",
            "metrics.width",
        ),
        (
            "from qgis.core import Qgis\nfrom qgis.PyQt.QtCore import QVariant\n"
            "if Qgis.QGIS_VERSION_INT >= 33800:\n    a = QVariant.Type.Int\nelse:\n    a = 1",
            "QVariant.Type",
        ),
    ],
)
def test_it_would_find_what_qt_6_has_not(tmp_path, code, told):
    (tmp_path / "bad.py").write_text(code, encoding="utf-8")
    (wrong,) = visit("names", tmp_path)["wrong"]
    assert told in wrong


def test_what_is_for_older_versions_is_passed_over(tmp_path):
    code = """
        from qgis.core import Qgis
        from qgis.PyQt.QtCore import QT_VERSION, Qt
        from qgis.PyQt.QtGui import QFontDatabase
        if Qgis.QGIS_VERSION_INT >= 33800:
            a = Qt.PenStyle.NoPen
        else:
            a = Qt.NoPen
        (QFontDatabase if QT_VERSION >= 0x060000 else QFontDatabase()).families()

        def f(Qt):
            return Qt.anything
    """
    (tmp_path / "good.py").write_text(textwrap.dedent(code), encoding="utf-8")
    assert visit("names", tmp_path)["wrong"] == []


def test_a_map_s_page_is_drawn_with_qt_6(checkout):
    """``QFontDatabase`` is static there: every report with a map failed."""
    drawn = visit("draw", checkout)
    assert drawn["png"] == b"\x89PNG".hex()
    assert drawn["size"] == [500, 300 + drawn["height"]]
    assert drawn["writes"] and drawn["symbols"] == ["a", "b"]
    assert drawn["scale_bar"] > 100 and drawn["north"] > 100 and drawn["legend"] > 100
    assert drawn["spelt"] == ["2020-01-02", "03:04:05", "2020-01-02T03:04:05", "01", "NULL"]
    assert "double" in drawn["fields"] and drawn["wording"] == "en"
