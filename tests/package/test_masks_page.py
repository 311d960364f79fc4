# SPDX-License-Identifier: GPL-2.0-or-later
"""The commands of ``docs/masks.md`` run as they stand there."""

import os
import re
import subprocess

import pytest

from tests.processing.helpers import opened


@pytest.mark.slow
def test_the_worked_example_runs(checkout, tmp_path):
    page = (checkout / "docs" / "masks.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```bash\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 5
    (tmp_path / "public").mkdir()
    surroundings = {
        **os.environ,
        "Q": str(checkout / "scripts" / "qgis_process"),
        "SOHO": str(checkout / "resources" / "data" / "soho_cholera_1854.gpkg"),
    }
    for block in blocks:
        done = subprocess.run(
            ["bash", "-euc", block],
            cwd=tmp_path,
            env=surroundings,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    names = {one.name for one in tmp_path.iterdir()}
    assert {"report.html", "secret.json", "mask.json", "checked.csv", "displaced.gpkg"} <= names
    assert "masks_tried.csv" in names
    released = opened(str(tmp_path / "public" / "masked.gpkg"))
    again = opened(str(tmp_path / "public" / "masked_2.gpkg"))

    def places(layer):
        return sorted(f.geometry().asWkt(6) for f in layer.getFeatures())

    assert released.featureCount() == 323 and places(released) == places(again)
