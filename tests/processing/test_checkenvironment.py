# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:checkenvironment in QGIS."""

import json
import sys

import pytest
from qgis.core import Qgis

from geoanon_qgis import paths
from geoanon_qgis.core.runtime import accel, packages
from tests.processing.helpers import Feedback, leftovers, refusal, run

pytestmark = pytest.mark.usefixtures("provider")


def test_it_lists_every_package_with_its_version():
    done = run("checkenvironment", {})
    findings = [packages.find(name) for name in packages.PACKAGES]
    for finding in findings:
        line = next(x for x in done.feedback.infos if x.startswith(f"{finding.package.name} "))
        assert finding.version in line and finding.package.purpose in line
        if finding.package.used:
            assert (finding.package.without in line) == (not finding.usable)
        else:
            assert line.endswith("No tool of this version uses it.")
    used = [finding for finding in findings if finding.package.used]
    missing = [one for one in used if not one.usable and not one.package.on_demand]
    installed = sum(finding.usable for finding in used)
    assert (done["INSTALLED"], done["MISSING"]) == (installed, len(missing))
    assert "REPORT" not in done and "JSON" not in done


def test_it_tells_the_versions_of_what_it_stands_on():
    said = run("checkenvironment", {}).feedback.infos
    assert f"QGIS {Qgis.QGIS_VERSION}" in said
    assert f"GeoAnon {paths.metadata()['version']}" in said
    assert any(line.startswith("Python 3.") for line in said)
    assert any(line.startswith("GDAL 3.") for line in said)
    assert any(line.startswith("PROJ ") for line in said)


def test_what_is_missing_comes_with_its_loss_and_its_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run("checkenvironment", {})
    assert done["MISSING"] >= 1 and "matplotlib" in done["COMMAND"]
    assert "tables in place of charts" in done.feedback.said
    assert any(done["COMMAND"] in warning for warning in done.feedback.warnings)


def test_spopt_is_told_of_and_nobody_is_told_to_install_it(monkeypatch, tmp_path):
    def found(name, load=False):
        state = packages.MISSING if name == "spopt" else packages.INSTALLED
        return packages.Finding(packages.PACKAGES[name], state, "9")

    monkeypatch.setattr(packages, "find", found)
    done = run("checkenvironment", {"JSON": str(tmp_path / "r.json")})
    assert (done["MISSING"], done["COMMAND"]) == (0, "") and not done.feedback.warnings
    (line,) = [x for x in done.feedback.infos if x.startswith("spopt")]
    assert "Max-p regions" in line and "Without it: max_p is not available" in line
    assert (
        "All packages that the tools use are there, but for spopt (max-p regions in "
        "Voronoi-based aggregation)."
    ) in done.feedback.infos
    told = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert told["figures"] == {"installed": done["INSTALLED"], "missing": 0}


def test_what_no_tool_uses_is_neither_missing_nor_loaded(monkeypatch):
    name = "networkx"
    monkeypatch.setitem(sys.modules, name, None)
    done = run("checkenvironment", {})
    assert name not in done["COMMAND"]
    line = next(x for x in done.feedback.infos if x.startswith(name))
    assert "not installed" in line and "Without it" not in line


def test_a_package_that_does_not_load_is_broken(monkeypatch):
    class Broken:
        __version__ = "9.9"
        __spec__ = sys.modules["json"].__spec__

    def fails(name):
        if name == "matplotlib":
            raise ValueError("numpy.dtype size changed\nmay indicate binary incompatibility")
        return sys.modules[name] if name in sys.modules else __import__(name)

    monkeypatch.setitem(sys.modules, "matplotlib", Broken())
    monkeypatch.setattr(packages.importlib, "import_module", fails)
    done = run("checkenvironment", {})
    line = next(x for x in done.feedback.infos if x.startswith("matplotlib"))
    assert "broken" in line and "numpy.dtype size changed" in line and "may" not in line
    assert "matplotlib" in done["COMMAND"]


def test_nothing_missing_needs_no_command(monkeypatch):
    monkeypatch.setattr(
        packages,
        "find",
        lambda name, load=False: packages.Finding(packages.PACKAGES[name], packages.INSTALLED, "9"),
    )
    done = run("checkenvironment", {})
    assert done["COMMAND"] == "" and done["MISSING"] == 0
    assert "All packages that the tools use are there." in done.feedback.infos
    assert not done.feedback.warnings


def test_numba_switched_off_is_said(monkeypatch):
    monkeypatch.setattr(accel, "available", lambda: True)
    was = accel.enabled()
    accel.set_enabled(False)
    try:
        assert "switched off" in run("checkenvironment", {}).feedback.said
    finally:
        accel.set_enabled(was)


def test_the_report_is_no_private_one(tmp_path):
    page, figures = tmp_path / "environment.html", tmp_path / "environment.json"
    done = run("checkenvironment", {"REPORT": str(page), "JSON": str(figures)})
    assert (done["REPORT"], done["JSON"]) == (str(page), str(figures))
    told = json.loads(figures.read_text(encoding="utf-8"))
    assert told["private"] is False
    assert told["figures"] == {"installed": done["INSTALLED"], "missing": done["MISSING"]}
    text = page.read_text(encoding="utf-8")
    assert "do not pass on" not in text
    for name in packages.PACKAGES:
        assert name in text
    assert leftovers(tmp_path) == ["environment.html", "environment.json"]


def test_a_report_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("x")
    sentence = refusal("checkenvironment", {"REPORT": str(tmp_path / "file" / "report.html")})
    assert "file" in sentence


def test_it_can_be_stopped(tmp_path):
    feedback = Feedback()
    feedback.cancel()
    done = run("checkenvironment", {"REPORT": str(tmp_path / "report.html")}, feedback)
    assert done.results == {} and leftovers(tmp_path) == []
    assert any("Stopped on request" in line for line in feedback.infos)
