# SPDX-License-Identifier: GPL-2.0-or-later
"""The commands of ``docs/microdata.md`` run as they stand there, and find what is told there."""

import os
import re
import subprocess

import pytest


@pytest.mark.slow
def test_the_worked_example_runs(checkout, tmp_path):
    page = (checkout / "docs" / "microdata.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```bash\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 8
    surroundings = {**os.environ, "Q": str(checkout / "scripts" / "qgis_process")}
    fields = re.search(r"^FIELDS=.*$", page, re.MULTILINE).group()
    told = []
    for block in blocks:
        done = subprocess.run(
            ["bash", "-euc", f"{fields}\n{block}"],
            cwd=tmp_path,
            env=surroundings,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        told.append(done.stdout)
    names = {one.name for one in tmp_path.iterdir()}
    assert {"risk.gpkg", "at_risk.gpkg", "risk.html", "utility.html"} <= names
    found = dict(re.findall(r"^([A-Z_]+):\t(.*)$", told[4], re.MULTILINE))
    assert (found["DECISION"], found["PEOPLE_AT_RISK"]) == ("release_with_care", "0")
    row = re.search(r"`spectral_swapping` \| ([\d.]+) \(([\d.]+)\)", page)
    for name, share in zip(("SINGLING_OUT", "SINGLING_OUT_HIGH"), row.groups()):
        assert 100 * float(found[name]) == pytest.approx(float(share), abs=0.15)
    grouped = dict(re.findall(r"^([A-Z_]+):\t(.*)$", told[2], re.MULTILINE))
    assert (grouped["UNIQUES"], grouped["SMALL"]) == ("0", "0")
    assert f"smoke; grouped, {grouped['SHARED']}" in " ".join(page.split())
    kept = dict(re.findall(r"^([A-Z_]+):\t(.*)$", told[6], re.MULTILINE))
    row = re.search(r"`spectral_swapping` \| (\d+) % \((\d+) %\)", page)
    for name, share in zip(("OVERLAP", "LEAST_OVERLAP"), row.groups()):
        assert 100 * float(kept[name]) == pytest.approx(float(share), abs=1)
    assert float(kept["PMSE_RATIO_PAIRS"]) == pytest.approx(1.7, abs=0.2)
