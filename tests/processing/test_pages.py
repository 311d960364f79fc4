# SPDX-License-Identifier: GPL-2.0-or-later
"""The commands of the documentation's pages run as they stand there, and find what is told there.

A shell takes the blocks as it takes them from whoever types them; what it would have
``qgis_process`` do is put down, and done by the QGIS that is here. That program itself is
``tests/package/test_qgis_process.py``'s task.
"""

import os
import re
import subprocess

import pytest
from qgis.core import QgsProcessingContext

from tests.processing.helpers import Criticals, Feedback, coordinates, opened

pytestmark = pytest.mark.slow


@pytest.fixture
def typed(project, checkout, tmp_path, monkeypatch):
    """Return a function that runs the blocks of a page and tells what each one's last command gave."""
    from qgis import processing

    work, written = tmp_path / "work", tmp_path / "written"
    (work / "public").mkdir(parents=True)
    monkeypatch.chdir(work)
    program = tmp_path / "qgis_process"
    program.write_text(f"#!/bin/sh\nprintf '%s\\0' \"$#\" \"$@\" >>'{written}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("Q", str(program))
    monkeypatch.setenv("SOHO", f"{checkout}/resources/data/soho_cholera_1854.gpkg")

    def command(run, algorithm, dashes, *words):
        assert (run, dashes) == ("run", "--")
        given = dict(word.split("=", 1) for word in words)
        assert len(given) == len(words)
        context = QgsProcessingContext()
        context.setProject(project)
        with Criticals() as criticals:
            found = processing.run(algorithm, given, feedback=Feedback(), context=context)
        assert criticals.messages == []
        return found

    def call(page, count, before=""):
        blocks = re.findall(r"```bash\n(.*?)```", page, re.DOTALL)
        assert len(blocks) == count
        results = []
        for block in blocks:
            written.write_text("")
            done = subprocess.run(
                ["bash", "-euc", f"{before}\n{block}"], capture_output=True, text=True, timeout=300
            )
            assert done.returncode == 0, done.stdout + done.stderr
            words = written.read_text(encoding="utf-8").split("\0")[:-1]
            while words:
                taken = 1 + int(words[0])
                found = command(*words[1:taken])
                words = words[taken:]
            results.append(found)
        return results

    return call


def page(checkout, name):
    return (checkout / "docs" / name).read_text(encoding="utf-8")


def test_the_worked_example_of_masks(typed, checkout):
    typed(page(checkout, "masks.md"), 5)
    there = {"report.html", "secret.json", "mask.json", "checked.csv", "displaced.gpkg"}
    assert {*there, "masks_tried.csv"} <= set(os.listdir())
    released, again = opened("public/masked.gpkg"), opened("public/masked_2.gpkg")
    assert released.featureCount() == 323

    def places(layer):
        return sorted(map(tuple, coordinates(layer).round(6)))

    assert places(released) == places(again)


def test_the_worked_example_of_microdata(typed, checkout):
    text = page(checkout, "microdata.md")
    fields = re.search(r"^FIELDS=.*$", text, re.MULTILINE).group()
    results = typed(text, 9, fields)
    assert {"risk.gpkg", "at_risk.gpkg", "risk.html", "utility.html"} <= set(os.listdir())
    found = results[4]
    assert (found["DECISION"], found["PEOPLE_AT_RISK"]) == ("release_with_care", 0)
    row = re.search(r"`spectral_swapping` \| ([\d.]+) \(([\d.]+)\)", text)
    for name, share in zip(("SINGLING_OUT", "SINGLING_OUT_HIGH"), row.groups()):
        assert 100 * found[name] == pytest.approx(float(share), abs=0.15)
    grouped = results[2]
    assert (grouped["UNIQUES"], grouped["SMALL"]) == (0, 0)
    assert f"smoke; grouped, {grouped['SHARED']}" in " ".join(text.split())
    assert results[6]["DECISION"] == "do_not_release"  # masked points with all fields true
    kept = results[7]
    row = re.search(r"`spectral_swapping` \| (\d+) % \((\d+) %\)", text)
    for name, share in zip(("OVERLAP", "LEAST_OVERLAP"), row.groups()):
        assert 100 * kept[name] == pytest.approx(float(share), abs=1)
    assert kept["PMSE_RATIO_PAIRS"] == pytest.approx(0.7, abs=0.2)
