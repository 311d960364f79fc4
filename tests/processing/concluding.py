# SPDX-License-Identifier: GPL-2.0-or-later
"""What must hold of every verdict, wherever it is told."""

import json
from pathlib import Path

import pytest

from geoanon_qgis.core.verdict import Verdict
from geoanon_qgis.processing.verdicts import Told


def page_of(path) -> str:
    """Return a written report, without the places where a name may be broken at the end of a line."""
    return Path(path).read_text(encoding="utf-8").replace("<wbr>", "")


def reported(folder) -> dict:
    """Parameters that ask for both reports."""
    return {"REPORT": str(folder / "report.html"), "JSON": str(folder / "report.json")}


def assert_concluded(done, decision: str, report: bool = True) -> dict:
    """Box, log, JSON and outputs say one and the same; return the JSON's verdict."""
    told = Told(Verdict(decision, "original_values", "which_record")).box()
    log = [*done.feedback.infos, *done.feedback.warnings]
    assert done["DECISION"] == decision
    assert sum(told.title in line for line in log) == 1
    if not report:
        return {}
    page = page_of(done["REPORT"])
    assert page.index(f'<section class="decision {told.kind}"') < page.index("<h2")
    assert page.count(told.title) == 1
    verdict = json.loads(Path(done["JSON"]).read_text(encoding="utf-8"))["verdict"]
    assert verdict["decision"] == decision
    for name in ("RISK_LOW", "RISK_HIGH", "LIMIT"):
        value = done[name]
        assert verdict[name.lower()] == (None if value is None else pytest.approx(value)), name
    assert 1 <= len(verdict["next"]) <= 3
    for step in verdict["next"]:
        assert any(step in line for line in log), step
    return verdict
